"""``course collect``: what a class handed in elsewhere, as it is downloaded there, into ``classroom/submitted/``.

The download itself is only read. What is taken is the newest of each learner; what it replaces is kept in
``classroom/replaced/``; what cannot be taken is a sentence, and stays where it is.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Any

import psutil
from rich.console import Console
from rich.text import Text

from ..authoring.navigation import INDEX
from ..errors import CourseError
from ..files import UNFINISHED, write_if_changed, write_whole
from ..grading.lesson import released_text
from ..grading.reading import MAX_FILE_BYTES
from ..grading.sandbox.folders import remove_all
from ..grading.text import clean, clean_line
from ..notebooks import content, is_an_instructors, looks_like_an_instructors, marks
from ..paths import Course, find_course
from ..wording import listed, typed
from .archives import (
    ON_DISK,
    TOO_DEEP,
    BadArchive,
    Budget,
    FullDisk,
    all_below,
    each_apart,
    extract,
    few,
    full_disk_told,
    is_archive,
    is_full,
)
from .grading_lock import only_grader
from .handing_over import MAX_NOTEBOOKS, TIME, copy_plain
from .plain_files import plain_bytes, what_is_odd
from .roster import LMS_IDS, MAX_NAME, WHERE, Person, Roster, is_address, is_formula, read_roster, same_id
from .stopping import like_ctrl_c
from .submissions import (
    Classroom,
    Task,
    digest,
    is_folder,
    is_notebook,
    listed_notebooks,
    note_path,
    parsed_time,
    said_of,
    time_of,
    why_no_id,
)
from .systems import (
    LIST,
    NAMES,
    Found,
    above,
    as_in_download,
    is_by_a_program,
    other_readings,
    read_download,
    without_notebook,
)

UNSEEN = re.compile(r"[\u034f\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # marks that choose how a letter is drawn
RELEASED = Path("collected", "releases.json")  # in classroom/: the content of each lesson, as it was handed out
SCRATCH = "course-collect-"  # with the process's number, where a download is unpacked
LONG_DEAD = 3600.0  # seconds; after so long what a killed process left is removed
GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
PLAIN = str.maketrans({"ø": "o", "æ": "a", "ł": "l", "đ": "d", "ı": "i"})
NUMBERS = ("canvas_id", "sid", "ilias_id")  # that a system gives to one person only
ANOTHER_VERSION = (
    "{}: what was handed in for this lesson stays. Another version came with another lesson's files ({}); --replace "
    "with --student takes it."
)
ANY_OTHER = ""  # a work of which only its time is known
MAX_OUTPUTS = 4_000_000  # bytes of outputs in a notebook that is compared with the lesson
MAX_OTHERS = 100  # sentences about files that are named in no known way


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="zips, tars or folders as downloaded")
    parser.add_argument("--lesson", metavar="LESSON", help="which lesson it is, where files are not named after one")
    systems = [name for name in NAMES if name != "pattern"]
    parser.add_argument("--from", dest="system", choices=systems, default="", help="the system, where it is not plain")
    parser.add_argument(
        "--pattern",
        default="",
        help="how files are called: {name}, {id}, {email}, {time} (the year first), {file}, * for anything",
    )
    parser.add_argument(
        "--replace", action="store_true", help="also what is there already, where no time says which one is newer"
    )
    parser.add_argument("--student", default="", metavar="ID", help="of this learner only")


def command(args: argparse.Namespace) -> int:
    course, console = find_course(), Console()
    lesson = course.lesson(args.lesson) if args.lesson else ""
    with only_grader(course), like_ctrl_c():
        done = collect(course, args.files, lesson, args.system, args.pattern, args.replace, args.student)
    for sentence in done.said:
        console.print(Text(sentence), soft_wrap=True)
    for sentence in done.wrong:
        console.print(Text(f"! {sentence}"), soft_wrap=True)
    console.print(f"{len(done.taken)} taken, {done.unchanged} there already. Next: {typed('grade')}", highlight=False)
    return 1 if done.wrong else 0


@dataclass
class Collected:
    """What ``course collect`` did: ``{(id, lesson)}`` that were taken, and sentences."""

    taken: set[tuple[str, str]] = field(default_factory=set)
    unchanged: int = 0
    said: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # what a person has to look at


def collect(
    course: Course,
    files: list[Path],
    lesson: str = "",
    system: str = "",
    pattern: str = "",
    replacing: bool = False,
    only: str = "",
) -> Collected:
    """Take over all downloads together, so that the newest of several counts whatever file it came in.

    Args:
        lesson: for files that are not named after one.
        system: one of ``systems.NAMES``, or "" to find out.
        pattern: how files are called, or "".
        replacing: take the place of an earlier one also where no time says which is newer.
        only: the learner whose work is taken, "" for all. With ``replacing`` it is also what came with another
            lesson's files that takes the place of what was handed in for a lesson.

    Raises:
        CourseError: there is a roster that cannot be read, so that nobody would be known; or both a system and a
            pattern.
        FullDisk: there is no room for a copy of the downloads. Of part of them an earlier attempt would be the newest.
    """
    if system and pattern:
        raise CourseError(f"A pattern says how files are called, so it cannot be {NAMES[system]}'s way, too: give one.")
    done, roster = Collected(), read_roster(course)
    if roster.unread or (roster.wrong and not roster.people):
        raise CourseError(f"{roster.wrong[0]} Nothing was collected.")
    done.wrong += roster.wrong
    work: dict[tuple[str, str], list[Found]] = defaultdict(list)
    with _scratch() as scratch:
        budget, lessons = Budget.on_disk(scratch), course.lessons()
        people = People(roster, lessons)
        _note_what_is_released(course, lessons)
        everything: list[tuple[Found, str]] = []
        for place, file in enumerate(files):
            those = _without_the_courses(_read(file, scratch / str(place), budget, system, pattern, done), done)
            everything += _told_apart(those, lessons, lesson)
        for found, _ in everything if not roster.there else ():
            people.add(found)
        for found, _ in everything:
            said = [*found.ids.get("email", ()), *(found.ids.get("id", ()) if found.system == "pattern" else ())]
            people.ids_there[_download(found)] |= {same_id(one) for one in (*said, *found.longer)}
        unsure = any(len(values) > 1 for found, _ in everything for values in found.ids.values())
        left: dict[tuple[str, str], list[str]] = defaultdict(list)
        # who may have packed the whole of `work/`, where the course's own index lies
        with_lessons = {(shown, found.who) for found, shown in everything if lesson_of(lessons, found, "")}
        numbers: dict[tuple[str, str], set[str]] = defaultdict(set)  # {(student, system): whose theirs are by it}
        for found, shown in everything:
            student, why = people.whose(found)
            name = lesson_of(lessons, found, lesson)
            if student and name:
                work[student, name].append(found)
                if number := next((_number(found.ids[key][0]) for key in NUMBERS if found.ids.get(key)), ""):
                    numbers[student, found.system].add(number)
            elif PurePosixPath(found.file).stem != INDEX or (shown, found.who) not in with_lessons:
                why = why or f"no lesson's name is in {clean_line(found.file)!r}: say --lesson"
                left[shown, found.who].append(f"{shown}, {clean_line(found.where)}: not taken, as {why}.")
        for (_, who), sentences in left.items():
            done.wrong += few(sentences, who)
        if people.in_teams:
            teams = [f"{who} is {student}" for who, (student, _) in sorted(people.in_teams.items())]
            sentence = f"What stands before a hyphen is read as a team's name: {listed(teams)}."
            if people.share_a_team():
                done.said.append(sentence)
            else:
                done.wrong.append(f"{sentence} No two people share one, so look whether these are their own names.")
        if only and not any(student == only for student, _ in work):
            done.wrong.append(f"{only}: nothing of this learner was found.")
        work = {key: candidates for key, candidates in work.items() if only in ("", key[0])}
        _without_untouched(course, work, done)
        for (student, name), candidates in sorted(work.items()):
            if why := _several_people(candidates, {one.system: numbers[student, one.system] for one in candidates}):
                done.wrong.append(f"{student}, {name}: {why}")
                continue
            try:
                _take(course, student, name, candidates, replacing, done, beside_too=replacing and bool(only))
            except (OSError, ValueError) as error:  # of one learner's file or name: the others are taken all the same
                why = (isinstance(error, OSError) and error.strerror) or clean(str(error))
                done.wrong.append(f"{student}, {name}: not taken: {why}.")
        if not roster.there and done.taken and not unsure:  # a roster that lacks somebody could give their work away
            people.write(course)
            done.said.append(f"There was no {WHERE}; it was made of the names that were found. Read it through.")
    return done


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder for copies of downloads; those of processes that were killed go."""
    for folder in Path(tempfile.gettempdir()).glob(f"{SCRATCH}*"):
        with suppress(OSError, ValueError, OverflowError):
            about, process = folder.lstat(), int(folder.name.removeprefix(SCRATCH).partition("-")[0])
            old, mine = time.time() - about.st_mtime > LONG_DEAD, about.st_uid == _own_account()
            if old and mine and stat.S_ISDIR(about.st_mode) and not psutil.pid_exists(process):
                remove_all(folder)
    with tempfile.TemporaryDirectory(prefix=f"{SCRATCH}{os.getpid()}-") as made:
        yield Path(made)


def _own_account() -> int:
    """Whose folders this process makes; on Windows all files are of account 0."""
    return os.geteuid() if sys.platform != "win32" else 0


def is_wanted(name: str) -> bool:
    """Whether a file of a download is looked at: the others are neither unpacked nor a reason to refuse anything."""
    path = Path(name)
    return (is_notebook(path) or is_archive(path) or path.name == LIST) and not is_by_a_program(name)


def _read(
    file: Path, scratch: Path, budget: Budget, system: str, pattern: str, done: Collected
) -> list[tuple[Found, str]]:
    shown = clean_line(file.name if file.name not in ("", "..") else file.resolve().name or str(file))
    try:
        with full_disk_told():
            done.wrong += [f"{shown}: {sentence}" for sentence in _unpack(file, scratch, budget)]
            name, found, others = read_download(scratch, system, pattern, budget.unpacked)
    except FullDisk:
        raise
    except (BadArchive, CourseError) as error:
        words = clean(str(error))
        done.wrong.append(f"{shown} was not collected: {words[0].lower() + words[1:]}" + "." * (words[-1] != "."))
        return []
    except OSError as error:
        done.wrong.append(f"{shown} was not collected: {error.strerror or clean(str(error))}.")
        return []
    done.said.append(f"{shown}: {len(found)} notebooks from {NAMES[name]}.")
    if folder := _of_one_folder(found):
        done.said.append(
            f"{shown}: all of it lies in the folder {clean_line(folder)!r}, which is read as one person's. "
            "If it is an assignment's, unpack it and collect that folder."
        )
    unknown = f"not taken; {NAMES[name]} does not name files that way."
    done.wrong += [f"{shown}, {clean_line(path)}: {unknown}" for path in others[:MAX_OTHERS]]
    if len(others) > MAX_OTHERS:
        done.wrong.append(f"{shown}, {len(others) - MAX_OTHERS} more files: {unknown}")
    beside = {
        as_in_download(folder.relative_to(scratch)): names
        for folder, names in budget.beside.items()
        if folder.is_relative_to(scratch)
    }
    without = without_notebook(name, pattern, found, beside)
    # first those who meant to: a browser saves `01_sums.ipynb.txt`
    told = sorted(without.values(), key=lambda paths: not any(".ipynb" in path.casefold() for path in paths))
    for paths in told[:MAX_OTHERS]:
        names = listed([clean_line(path) for path in paths])
        done.wrong.append(f"{shown}: no notebook (.ipynb) is among what one learner handed in last: {names}.")
    if len(without) > MAX_OTHERS:
        done.wrong.append(f"{shown}: the same is to be said of {len(without) - MAX_OTHERS} more learners.")
    return [(one, shown) for one in found]


def _without_the_courses(those: list[tuple[Found, str]], done: Collected) -> list[tuple[Found, str]]:
    """Without the solutions that lie in every copy of the course, which somebody packed or pushed as a whole."""
    own: list[tuple[Found, str]] = []
    left: dict[tuple[str, str], list[str]] = defaultdict(list)
    read: Counter[tuple[str, str]] = Counter()
    for found, shown in those:
        raw = _raw(found.path)
        looks = looks_like_an_instructors(raw) and read[shown, found.who] < MAX_NOTEBOOKS
        read[shown, found.who] += looks
        if looks and is_an_instructors(raw):
            left[shown, found.who].append(clean_line(found.where))
        else:
            own.append((found, shown))
    whose = {(shown, found.who) for found, shown in own}
    for (shown, who), paths in left.items():
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        sentence = f"{shown}: left out, as it is the course's own solution and nobody's work: {paths[0]}{more}."
        (done.said if (shown, who) in whose else done.wrong).append(sentence)
    return own


def _raw(path: Path) -> bytes:
    """A file's bytes; of one that cannot be read, none."""
    with suppress(OSError):
        return plain_bytes(path, MAX_FILE_BYTES, single=False)
    return b""


def _of_one_folder(found: list[Found]) -> str:
    """The only folder, where it reads like a person's and several things lie in it; "" where it is not so.

    What Moodle and Blackboard write into names, nobody else does.
    """
    depth = {above(one).count("/") + bool(above(one)) for one in found if one.system in ("ilias", "canvas", "google")}
    if len(depth) != 1 or len({one.who for one in found}) != 1:
        return ""
    (level,) = depth
    parts = [PurePosixPath(one.where).parts for one in found]
    folders, below = {part[: level + 1] for part in parts}, {part[level + 1 : level + 2] for part in parts}
    return "/".join(*folders) if len(folders) == 1 and len(below) > 1 and () not in below else ""


def _unpack(file: Path, dest: Path, budget: Budget) -> list[str]:
    """A copy of a download, in bounds, of plain files only; sentences about what was left out."""
    if odd := what_is_odd(file, single=False):
        raise BadArchive(f"it is {odd}")
    if file.is_dir():
        return _copy_folder(file, dest, budget)
    if is_archive(file):
        return extract(file, dest, budget, wanted=is_wanted)
    budget.take(copy_plain(file, dest / file.name, MAX_FILE_BYTES))
    return []


def _copy_folder(folder: Path, dest: Path, budget: Budget) -> list[str]:
    beside = budget.beside[dest] = []
    paths, too_deep = all_below(folder)
    said = few(
        [f"{clean_line(as_in_download(path.relative_to(folder)))} was left out: {TOO_DEEP}." for path in too_deep], "it"
    )
    archives: list[tuple[str, Path, Path]] = []
    odds: dict[str, list[str]] = defaultdict(list)  # by the folder in which they lie: one learner's, say
    notebooks = 0
    for path in paths:
        name, target = as_in_download(path.relative_to(folder)), dest / path.relative_to(folder)
        odd = what_is_odd(path)
        if not is_notebook(path) and (odd or not path.is_dir()):
            beside.append(name)
        if odd and (is_wanted(name) or is_folder(path)):
            top = name.partition("/")[0]
            odds[clean_line(top)].append(f"{clean_line(name)} was left out: it is {odd}.")
        if odd or path.is_dir() or not is_wanted(name):
            continue
        if not is_archive(path) and (size := path.lstat().st_size) <= MAX_FILE_BYTES:
            # the whole folder is refused: this may be a learner's newest, and an earlier one is there
            budget.refuse_larger(ON_DISK + size, 1)
        try:
            budget.one_more()
            if is_archive(path):
                archives.append((name, path, target))
            else:
                budget.take(copy_plain(path, target, MAX_FILE_BYTES))
                notebooks += 1
        except OSError as error:
            if is_full(error):
                raise
            said.append(f"{clean_line(name)} was left out: {error.strerror or clean(str(error))}.")
        except BadArchive as error:
            said.append(f"{clean_line(name)} was left out: {error}.")
    for top, sentences in odds.items():
        said += few(sentences, top)
    for name, sentences, why in each_apart(archives, budget, wanted=is_wanted, alone=not notebooks):
        shown = clean_line(name)
        some = few(sentences, shown) if len(archives) > 1 else sentences
        said += [f"{shown} was left out: {why}."] if why else [f"{shown}: {sentence}" for sentence in some]
    return said


def _told_apart(those: list[tuple[Found, str]], lessons: list[str], asked: str) -> list[tuple[Found, str]]:
    """What a download has of a lesson that few of its learners handed in is ``beside``: what its system says is of
    another lesson.

    A folder may hold several downloads, and one assignment may be for several lessons. Where a system does not say
    what is of one assignment, nothing is beside. What names no lesson counts as one more, where there are several,
    or where one learner has both.

    Args:
        asked: the lesson of files that are named after none, or "".
    """
    learners: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    places = [(above(found), lesson_of(lessons, found, asked)) for found, _ in those]
    for (found, _), (place, name) in zip(those, places, strict=True):
        learners[place][name].add(found.who)
    lessons_of = {place: _its_lessons(here) for place, here in learners.items()}
    apart = []
    for (found, shown), (place, name) in zip(those, places, strict=True):
        is_beside = found.system != "pattern" and bool(name) and name not in lessons_of[place]
        apart.append((replace(found, beside=is_beside, lessons=lessons_of[place]), shown))
    return apart


def _its_lessons(learners: dict[str, set[str]]) -> tuple[str, ...]:
    """What an assignment is for, of ``{lesson, or "" where a file names none: who has one}``."""
    named = [who for lesson, who in learners.items() if lesson]
    several = len(named) > 1 or not learners.get("", set()).isdisjoint(set().union(*named))  # else "" is of this one
    most = max((len(who) for lesson, who in learners.items() if lesson or several), default=0)
    return tuple(sorted(lesson for lesson, who in learners.items() if lesson and 2 * len(who) > most))


def lesson_of(lessons: list[str], found: Found, otherwise: str) -> str:
    """The lesson that a file is named after; names get numbers and words in front and behind wherever they go."""
    own = replace(found, file=PurePosixPath(found.file).name)  # a folder's name counts where the file's names none
    named = [lesson for lesson in lessons if is_named(own, lesson)]
    named = named or [lesson for lesson in lessons if is_named(found, lesson)]
    longest = max(named, key=len, default="")
    return longest if all(lesson in longest for lesson in named) and named else ("" if named else otherwise)


def is_named(found: Found, lesson: str) -> bool:
    """Whether the learner's own name of the file holds the lesson's."""
    return lesson in _plain(found.file)


def _plain(name: str) -> str:
    """A file's name as lessons write theirs."""
    return name.casefold().replace(" ", "_").replace("-", "_")


def folded(name: str) -> str:
    """A name without what systems change: case, accents, signs, order of its parts is kept.

    Vowels that many scripts write as marks of a letter are no accents.
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if sign.isalnum() or _is_vowel(sign))


def _is_vowel(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "M" and not unicodedata.combining(sign) and not UNSEEN.match(sign)


class People:
    """Finds out whose a file is: by ids first, then by names as they are, then by names without accents and case."""

    def __init__(self, roster: Roster, lessons: Sequence[str] = ()) -> None:
        self.roster, self.lessons = roster, lessons
        self.people = dict(roster.people)
        self.in_teams: dict[str, tuple[str, str]] = {}  # {what a system calls somebody: the id, the team's name}
        self.ids_there: dict[Path, set[str]] = defaultdict(set)  # {a download: addresses and ids of everybody in it}
        self._ids: dict[str, dict[str, set[str]]] = {}
        self._known: dict[tuple[object, ...], tuple[str, str]] = {}

    def add(self, found: Found) -> None:
        """Somebody whom no roster names, since there is none. Ids are what the system has for one, else names."""
        identity, name = _own_id(found)
        odd = why_no_id(identity) or {"/", "\\"} & set(identity) or identity.startswith(".") or is_formula(identity)
        if not identity or odd:
            return
        lms = {key: value[0] for key, value in found.ids.items() if key in LMS_IDS}
        email = next(iter(found.ids.get("email", ())), "")
        said = [name, email, *lms.values()]
        if not any(map(is_formula, said)):  # a spreadsheet would run it
            name, email = (text if _is_plain(text) else "" for text in (name, email))
            lms = {key: value for key, value in lms.items() if _is_plain(value)}
            address = email if is_address(email) else ""
            self.people.setdefault(identity, Person(identity, name or identity, address, lms))

    def share_a_team(self) -> bool:
        """Whether any two who were found behind a team's name have the same one."""
        members: dict[str, set[str]] = defaultdict(set)
        for student, team in self.in_teams.values():
            members[team].add(student)
        return any(len(students) > 1 for students in members.values())

    def whose(self, found: Found) -> tuple[str, str]:
        """The id, or "" and why nobody's. Of many files of one person the first answers for all."""
        top = found.file.partition("/")[0]
        apart = top if found.system == "canvas" else _download(found) if {"email", "id"} & found.ids.keys() else ""
        longer = (found.longer, found.longer_names, found.pairs)
        key = (found.system, found.names, tuple(sorted(found.ids.items())), longer, apart)
        if key not in self._known:
            self._known[key] = self._whose(found)
        return self._known[key]

    def _whose(self, found: Found) -> tuple[str, str]:
        if "anonymous" in found.ids:
            return "", f"{NAMES[found.system]} was told to hide names ({found.who}); download it once names are shown"
        if not self.roster.there:
            return self._without_roster(found)
        if found.pairs and found.ids.get("id") and (whose := self._by_pairs(found)):
            return whose
        for column, values in found.ids.items():
            every = (*values, *found.longer) if column == "id" else values
            # what a teacher's pattern calls an id may be a login: whose it is by either
            columns = ("id", "login") if column == "id" and found.system == "pattern" else (column,)
            if fits := {s for c in columns for value in every for s in self._of_id(c).get(same_id(value), ())}:
                if len(values) > 1 and found.names:
                    fits, but = self._by_name_too(fits, column, found), sorted(fits)
                student, why = self._one(fits, found) if fits else ("", self._unlike(found, but))
                return ("", why) if (why := why or self._why_unsure(found, student)) else (student, "")
        namesakes = dict[str, str]()
        longer = {
            student
            for how, people in self._of_name
            for name in map(how, found.longer_names)
            for student in people.get(name, ())
        }
        for name in found.names:  # the whole one first
            for how, people in self._of_name:
                fits = set(people[how(name)]) if how(name) in people else set()
                if len(fits) == 1 and (column := self._tells_apart(self.people[min(fits)], found)):
                    namesakes[min(fits)] = column
                elif fits:
                    student, why = self._one(fits | longer, found)
                    if student and name != found.names[0]:
                        self.in_teams[found.who] = student, found.names[0].removesuffix(f"-{name}")
                    return student, why
        if longer and not namesakes:
            return self._one(longer, found)
        but = [f"{student} has another {column} there" for student, column in sorted(namesakes.items())]
        return "", f"{found.who} is not in {WHERE}" + (f": {listed(but)}" if but else "")

    def _by_pairs(self, found: Found) -> tuple[str, str] | None:
        """Whose it is where the name may be longer, so that the id stands further on; None where nothing says so.

        A learner wrote what comes behind the id. So one that stands behind a longer name is believed where that is this
        person's name, from its first word on; where it is not, it may be theirs, and nobody's work is taken for
        another's. A system that writes spaces into names puts no underscores there.
        """
        if " " in found.names[0] and found.pairs[0][0].startswith(f"{found.names[0]}_"):
            return None
        first = [(found.names[0], value) for value in (*found.ids["id"], *found.longer)]

        def owners(pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
            ids = [self._of_id(column) for column in ("id", "login")]
            return {(name, who) for name, value in pairs for those in ids for who in those.get(same_id(value), ())}

        of_first, of_longer = owners(first), owners(found.pairs)
        called = {who for name, who in of_first | of_longer if _is_called(self.people[who], name)}
        if both := {who for who in called if _is_partly_called(self.people[who], found.names[0])}:
            others = set[str]().union(*map(self._named, found.longer_names))  # not those whose name holds one of theirs
            both |= {o for o in others if not any(_is_partly_called(self.people[w], self.people[o].name) for w in both)}
            return self._one(both, found)
        named = [self._named(name) for name in (found.names[0], *found.longer_names)]
        if not of_longer or (named[0] and " " in _as_written(found.names[0])):  # no such sign is in this name
            return None
        behind = {who for _, who in of_longer}
        fits = behind.union({who for _, who in of_first}, *named)
        if len(fits) == 1 and (of_first or any(named)):
            return fits.pop(), ""
        if len(fits) > 1:
            return self._one(fits, found)
        return "", (
            f"{found.who} may be {fits.pop()}, whose name is another one in {WHERE}. Write it there as it is here, or "
            "put the notebook into their folder in classroom/submitted/"
        )

    def _named(self, name: str) -> set[str]:
        """Whose whole name it is."""
        return next((people[how(name)] for how, people in self._of_name if how(name) in people), set())

    def _tells_apart(self, person: Person, found: Found) -> str:
        """The roster's column that says that somebody of this name is another one, or "".

        A system gives a number to one person only. People have several addresses: one says so where this person's own
        is in the download, too. So does what a pattern calls an id, which may be of another kind than the roster's.
        """
        if found.system == "pattern" and found.ids.get("id"):
            mine = {same_id(_id_of(person, column)) for column in ("id", "login")} - {""}
            if mine & self.ids_there[_download(found)]:
                return "id"
        for column, values in found.ids.items():
            own = person.email if column == "email" else person.lms.get(column, "") if column in NUMBERS else ""
            known = column in NUMBERS or same_id(own) in self.ids_there[_download(found)]
            if own and known and _number(own) not in map(_number, values):
                return column
        return ""

    def _by_name_too(self, fits: set[str], column: str, found: Found) -> set[str]:
        """Who of those whom one of several logins fits has no other number, and the whole login or the name.

        Of a name whose letters the system left out nothing can be told.
        """
        those = {student for student in fits if not self._tells_apart(self.people[student], found)}
        whole = {student for student in those if _has(self.people[student], column, found.ids[column][-1:])}
        text = found.where.removesuffix(found.file)
        words = {folded(word) for word in re.split(r"[_/ ]", text)}
        called = {
            student
            for student in those
            for name in _spelled(self.people[student].name)
            if {folded(word) for word in name.split()} <= words
        }
        return (called | whole) or (those if "__" in text else set())

    def _unlike(self, found: Found, students: list[str]) -> str:
        return (
            f"{found.who} may be {' or '.join(students)}, whose name or number is another one. Write what "
            f"{NAMES[found.system]} calls them into {WHERE}"
        )

    def _one(self, fits: set[str], found: Found) -> tuple[str, str]:
        if len(fits) == 1:
            return fits.pop(), ""
        if found.system == "pattern":
            advice = "Say more in the pattern, or put the notebook of each into their folder in classroom/submitted/"
        elif found.ids:
            advice = f"Write what {NAMES[found.system]} calls them into {WHERE}"
        else:  # it says names only
            advice = "Put the notebook of each into their folder in classroom/submitted/"
        return "", f"{found.who} may be {' or '.join(sorted(fits))}. {advice}"

    def _why_unsure(self, found: Found, student: str) -> str:
        """Why a name and a number may be another person's, whose own name ends in a number; "" where they are not."""
        named = folded(found.names[0] if found.names else "") in map(folded, _names(self.people[student]))
        top = replace(found, file=found.file.partition("/")[0])
        lesson_is_named = any(is_named(top, lesson) for lesson in self.lessons)
        for other in other_readings(found):
            number = other.ids["canvas_id"]
            known = self._of_id("canvas_id").get(same_id(number[0]), set()) - {student}
            likely = not lesson_is_named or any(is_named(other, lesson) for lesson in self.lessons)
            if known or (likely and not named):
                return (
                    f"this may be {student}'s, or of number {number[0]}. See in {NAMES[found.system]} whose it is, and "
                    "put it into their folder in classroom/submitted/"
                )
        return ""

    def _of_id(self, column: str) -> dict[str, set[str]]:
        """Whose an id is, by a column of the roster: a learner's file may be named after a hundred numbers."""
        if column not in self._ids:
            self._ids[column] = defaultdict(set)
            for person in self.people.values():
                if own := _id_of(person, column):
                    self._ids[column][same_id(own)].add(person.id)
        return self._ids[column]

    @cached_property
    def _of_name(self) -> list[tuple[Callable[[str], str], dict[str, set[str]]]]:
        """Whose a name is, by the roster, as it is written and as systems change it."""
        found: list[tuple[Callable[[str], str], dict[str, set[str]]]] = []
        for how in (_as_written, folded):
            people = defaultdict(set)
            for person in self.people.values():
                for name in map(how, _names(person)):
                    people[name].add(person.id)
            people.pop("", None)
            found.append((how, dict(people)))
        return found

    def _without_roster(self, found: Found) -> tuple[str, str]:
        several = next((values for values in found.ids.values() if len(values) > 1), ())
        if several:
            return "", (
                f"{found.who} may be {' or '.join(map(clean, several))}. Write {WHERE} with their logins, as it is not "
                "known where the login begins"
            )
        identity, _ = _own_id(found)
        if identity not in self.people:
            return "", f"{found.who!r} cannot be the name of a folder"
        of_number = self._of_id("canvas_id").get(same_id(next(iter(found.ids.get("canvas_id", ())), "")), set())
        if len(of_number) > 1:
            return "", f"{listed(sorted(of_number))} have one number: is it one person? Say so in {WHERE}"
        alike = sorted(other for other in self.people if same_id(other) == same_id(identity))
        alike += sorted(o for o in self.people if o not in alike and folded(o) == folded(identity))
        if len(alike) > 1:
            return "", f"{' and '.join(alike)} differ in case or accents only: is it one person? Say so in {WHERE}"
        return identity, ""

    def write(self, course: Course) -> None:
        """The roster that these people make."""
        columns = [column for column in LMS_IDS if any(column in person.lms for person in self.people.values())]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["id", "name", "email", *columns])
        for person in sorted(self.people.values(), key=lambda person: person.id):
            writer.writerow([person.id, person.name, person.email, *(person.lms.get(key, "") for key in columns)])
        write_whole(course.classroom / "roster.csv", text.getvalue().encode())


def _is_plain(text: str) -> bool:
    """Whether a roster can hold a text."""
    return len(text) <= MAX_NAME and clean(text) == text and text.isprintable()


def _own_id(found: Found) -> tuple[str, str]:
    """What a folder may be called for a person of whom only a download is known, and the name."""
    name = found.names[0] if found.names else ""
    if found.system == "canvas":  # its names are squeezed, and two may be alike
        return f"{name}_{found.ids['canvas_id'][0]}" if "canvas_id" in found.ids else "", name
    for column in ("login", "id", "email"):
        if column in found.ids:  # several: it is not known which
            return found.ids[column][0] if len(found.ids[column]) == 1 else "", name
    return unicodedata.normalize("NFC", name), name


def _id_of(person: Person, column: str) -> str:
    return person.id if column == "id" else person.email if column == "email" else person.lms.get(column, "")


def _has(person: Person, column: str, values: tuple[str, ...]) -> bool:
    own = _id_of(person, column)
    return bool(own) and same_id(own) in {same_id(value) for value in values}


def _as_written(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _spelled(name: str) -> list[str]:
    """A name in small letters, and as systems spell it that have no letters such as ä or ø."""
    return [name.casefold().translate(signs) for signs in ({}, GERMAN, PLAIN)]


def _is_called(person: Person, text: str) -> bool:
    """Whether a text and a person's name are of the same words; one of the two may have more of them."""
    said = _words(text)
    own = [_words(name) for name in _spelled(person.name)]
    return any(said and name and (said <= name or name <= said) for name in own)


def _is_partly_called(person: Person, text: str) -> bool:
    """Whether all words of a text are of a person's name."""
    return any(_words(text) <= _words(name) for name in _spelled(person.name))


def _words(text: str) -> set[str]:
    plain = re.sub("['’`]", "", unicodedata.normalize("NFC", text))
    return {word for word in map(folded, re.split(r"[\W_]+", plain)) if word}


def _names(person: Person) -> list[str]:
    """As systems write it: first name first, and last name first."""
    parts = person.name.split()
    around = [" ".join([*parts[cut:], *parts[:cut]]) for cut in range(1, len(parts))]
    return [person.name, *around]


def _take(
    course: Course,
    student: str,
    lesson: str,
    candidates: list[Found],
    replacing: bool,
    done: Collected,
    *,
    beside_too: bool,
) -> None:
    shown = f"{student}, {lesson}"
    if len(candidates) > MAX_NOTEBOOKS:  # each of them would be read
        done.wrong.append(
            f"{shown}: of {len(candidates)} files none is taken: more than {MAX_NOTEBOOKS} are nobody's. Put the one "
            f"that counts into {student}'s folder in classroom/submitted/."
        )
        return
    if not beside_too:
        candidates = _of_its_own(course, lesson, shown, candidates, done)
    if worked := [
        found for found in candidates if len(candidates) > 1 and not _is_as_released(course, lesson, found.path)
    ]:
        untouched = [found for found in candidates if found not in worked]
        why = f"{shown}: left out, as nothing is written in it: "
        done.said += few([f"{why}{clean_line(found.where)}." for found in untouched], student)
        candidates = worked
    marked = [found for found in candidates if found.late and not found.beside]
    last = _last_attempt(candidates)
    named = _called(lesson, [found for found in last if is_named(found, lesson)])
    left = [found for found in last if found not in named] if named else []
    if left:
        others = ", ".join(clean_line(found.where) for found in left)
        done.said.append(f"{shown}: left where it is, as another file is named after the lesson: {others}.")
    newest, why = newest_of(named or last)
    if newest is None:
        done.wrong.append(f"{shown}: {why}")
        return
    folder = Classroom(course).submitted / student / lesson
    before = _there(folder, lesson)
    about = said_of(Task(student, lesson, folder))
    elsewhere = [late for late in marked if late.lessons != newest.lessons]
    if newest.time is None and any(_is_no_earlier(newest, late) for late in elsewhere):
        newest = replace(newest, late=True)
    work, seen = _work_at(newest.path), [(found.time, _work_at(found.path)) for found in candidates if found.time]
    since, after = _there_since(work, seen)
    newest = replace(newest, time=since)
    if newest.beside:
        newest = replace(newest, late=False)  # that is said of the other lesson
    if (number := len(candidates) - len(left)) > 1:
        done.said.append(f"{shown}: of {number}, the newest is taken ({clean_line(newest.where)}).")
    raw = plain_bytes(newest.path, MAX_FILE_BYTES)
    if any(what_is_odd(part) and os.path.lexists(part) for part in (folder.parent, folder)):
        done.wrong.append(f"{shown}: not taken, as {student}'s folder is no plain folder.")
        return
    chosen = bool(newest.beside and about.get("chosen"))
    if _has_work(folder):
        is_untouched, was_untouched = (_is_as_released(course, lesson, path) for path in (newest.path, before))
        if is_untouched and not was_untouched and not beside_too:
            done.said.append(f"{shown}: left out, as nothing is written in it: {clean_line(newest.where)}.")
            done.unchanged += 1
            return
        same, there = _is_same(before, newest.path), parsed_time(time_of(folder) or "")
        # What is there came with another lesson's files, and nobody chose it; or nothing is written in it.
        is_own = about.get("beside") and (replacing or not about.get("chosen")) and not newest.beside
        is_own = (is_own or (was_untouched and not same)) and not is_untouched
        other, until = _parsed(about.get("after")), there and max(there, _parsed(about.get("until")) or there)
        if newest.time and there and until and not is_own:  # as if it, and what came before, were in this download
            seen += [(moment, work if same else ANY_OTHER) for moment in (there, until)]
            seen += [(other, ANY_OTHER)] if same and other else []
            since, after = _there_since(work, seen)
            newest = replace(newest, time=since)
        better = same and not newest.beside and _has_marks_back(before, newest.path)
        if better:  # no later attempt
            newest = replace(newest, time=newest.time or there, late=newest.late and bool(about.get("late")))
        is_as_late = newest.time in (None, there)  # the same once more
        if same and not better and ((newest.beside and not about.get("beside")) or (is_as_late and not is_own)):
            done.unchanged += 1
            is_later = newest.late and "system" in about and not about.get("late")  # that takes nothing away
            if (
                not newest.beside
                and not is_later
                and not _says_more(about, newest)
                and there in (newest.time, None)
                and _is_of_its_lessons(about, newest)
            ):
                _note(course, student, lesson, replace(newest, path=before), _between(work, seen, after))
            return
        if not same and newest.beside and not about.get("beside") and not beside_too and not is_own:
            done.said.append(ANOTHER_VERSION.format(shown, clean_line(newest.where)))
            done.unchanged += 1
            return
        if newest.time and there and until and newest.time < until and not same and not is_own:
            if "sha256" in about:  # what is there, and came again after this one, is new work since then
                since, after = (there if newest.time <= there else until), max(newest.time, other or newest.time)
                if since != there:
                    write_whole(folder / TIME, _stamp(since))
                about |= {"time": str(since), "after": str(after)}
                write_whole(note_path(course, student, lesson), (json.dumps(about) + "\n").encode())
            done.said.append(f"{shown}: what is there is newer ({until} UTC), so it stays.")
            done.unchanged += 1
            return
        chosen |= replacing and not same
        if not same and not is_own and not replacing and not (newest.time and until and newest.time > until):
            done.wrong.append(
                f"{shown}: something else is there already and no time says which is newer, so it stays. "
                "--replace takes the new one, and keeps the old one beside."
            )
            return
    if kept := _put_there(course, student, lesson, newest, raw, chosen, _between(work, seen, after)):
        done.said.append(f"{shown}: what was there is kept in {kept.relative_to(course.root)}.")
    done.taken.add((student, lesson))
    if newest.beside:
        others = "another lesson's files" if newest.lessons else "files that are named after no lesson"
        done.said.append(f"{shown}: it came with {others} ({clean_line(newest.where)}).")
    if newest.late and newest.time is None:
        done.said.append(f"{shown}: {NAMES[newest.system]} marks it as late and says no time; the report says so, too.")


def _is_same(before: Path, new: Path) -> bool:
    """Whether a file is the work that is there; one that cannot be read is not."""
    with suppress(OSError, ValueError):
        return _work_at(before) == _work_at(new)
    return False


def _has_marks_back(before: Path, new: Path) -> bool:
    """Whether the same work has marks of nbgrader's that it lost where it is: an answer may be found by them alone."""
    had, has = (marks(plain_bytes(path, MAX_FILE_BYTES, single=False)) for path in (before, new))
    return has > had


def _says_more(about: dict[str, Any], found: Found) -> bool:
    """Whether another system said of the same work what this one does not: that it is late, or where its page goes."""
    is_others = about.get("system") not in (None, NAMES[found.system])
    return is_others and bool(about.get("late") or (about.get("folder") and not found.folder))


def _is_of_its_lessons(about: dict[str, Any], found: Found) -> bool:
    """Whether a download is of no more lessons than the one that is noted: the lesson's own knows its folder, and
    whether it was late."""
    noted = about.get("lessons")
    return not isinstance(noted, list) or not noted or len(found.lessons) <= len(noted)


def _of_its_own(course: Course, lesson: str, shown: str, candidates: list[Found], done: Collected) -> list[Found]:
    """What was handed in for the lesson, where something was: not what else lay beside another lesson's files."""
    own = [found for found in candidates if not found.beside]
    if len(own) < len(candidates):
        own = [found for found in own if not _is_as_released(course, lesson, found.path)]
    if not own:
        return candidates
    works = {_work_at(found.path) for found in own if len(own) < len(candidates)}
    others = [found for found in candidates if found.beside and _work_at(found.path) not in works]
    done.said += few([ANOTHER_VERSION.format(shown, clean_line(found.where)) for found in others], shown)
    return own


def _last_attempt(candidates: list[Found]) -> list[Found]:
    """Those of the newest time, where all have one: what else one was called is nothing to go by."""
    times = [found.time for found in candidates if found.time is not None]
    return candidates if len(times) < len(candidates) else [found for found in candidates if found.time == max(times)]


def _there_since(work: str, seen: list[tuple[datetime, str]]) -> tuple[datetime | None, datetime | None]:
    """When a work was handed in first, and when the last other one came before that.

    The very same once more is no other work, unless another lies between.

    Args:
        seen: when which works came.
    """
    at: dict[datetime, set[str]] = defaultdict(set)
    for moment, one in seen:
        at[moment].add(one)
    since = None
    for moment in sorted(at, reverse=True):
        if work in at[moment]:
            since = moment
        elif since:
            return since, moment
    return since, None


def _between(work: str, seen: list[tuple[datetime, str]], after: datetime | None) -> dict[str, str]:
    """For the note: when the last other work came before this one, and when this one came last."""
    until = max((moment for moment, one in seen if one == work), default=None)
    return {"after": str(after or ""), "until": str(until or "")}


def _stamp(moment: datetime) -> bytes:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC\n".encode()


def _parsed(said: object) -> datetime | None:
    """A time in a note; None where there is none."""
    return parsed_time(said) if isinstance(said, str) and said else None


def _work_at(path: Path) -> str:
    """What tells works apart: not their outputs and the like, but in large ones, which are not read for this."""
    raw = plain_bytes(path, MAX_FILE_BYTES, single=False)  # compared, and not passed on
    return content(raw) if len(raw) <= MAX_OUTPUTS else hashlib.sha256(raw).hexdigest()


def _called(lesson: str, named: list[Found]) -> list[Found]:
    """Without what lies beside the lesson's own file in a learner's folder, such as the copy before a renewal."""
    names = {found.path: _plain(PurePosixPath(found.file).name) for found in named}
    own = [found for found in named if lesson in names[found.path]] or named
    return [found for found in own if not names[found.path].startswith(f"{lesson}.old")] or own


def _without_untouched(course: Course, work: dict[tuple[str, str], list[Found]], done: Collected) -> None:
    """Take lessons that are as they were released out of ``work``, where they came with others.

    Who packs a folder of all lessons has not handed in all of them.
    """
    together: dict[tuple[str, Path], dict[str, list[Found]]] = defaultdict(lambda: defaultdict(list))
    for (student, lesson), candidates in work.items():
        for found in candidates:
            together[student, _download(found) / above(found)][lesson].append(found)
    for (student, _), lessons in sorted(together.items()):
        if len(lessons) == 1:
            continue
        untouched = [
            name for name, those in lessons.items() if all(_is_as_released(course, name, f.path) for f in those)
        ]
        if len(untouched) in (0, len(lessons)):
            continue
        for lesson in untouched:
            work[student, lesson] = [found for found in work[student, lesson] if found not in lessons[lesson]]
            if not work[student, lesson]:
                del work[student, lesson]
        done.said.append(f"{student}: left out, as nothing is written in them: {listed(sorted(untouched))}.")


def _is_as_released(course: Course, lesson: str, path: Path) -> bool:
    """Whether a notebook's cells have the texts that the lesson gives them, or gave since this class began. A large one
    is not read for this."""
    try:
        most = 2 * course.release_notebook(lesson).stat().st_size + MAX_OUTPUTS
        return content(plain_bytes(path, most, single=False)) in _released(course).get(lesson, [])
    except OSError:
        return False


def _note_what_is_released(course: Course, lessons: list[str]) -> None:
    """Remember what learners have now, for :func:`_is_as_released`: after a lesson is renewed, untouched copies of it
    still come. That is what it was built as, and what lies there: a teacher may have put a word on top."""
    noted = _released(course)
    for lesson in lessons:
        with suppress(OSError, ValueError):  # it has not been built, or cannot be read
            there = plain_bytes(course.release_notebook(lesson), MAX_FILE_BYTES, single=False)
            now = [content(there), content(released_text(course, lesson).encode())]
            noted[lesson] = list(dict.fromkeys([*noted.get(lesson, []), *now]))
    path = course.classroom / RELEASED
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(path, json.dumps(noted, indent=1) + "\n")


def _released(course: Course) -> dict[str, list[str]]:
    """``{lesson: contents}`` that were noted."""
    try:
        noted = json.loads((course.classroom / RELEASED).read_bytes())
        return {str(lesson): list(map(str, contents)) for lesson, contents in noted.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _there(folder: Path, lesson: str) -> Path:
    """The notebook in a submission's folder: the only one may have another name. It may not be there."""
    named = folder / f"{lesson}.ipynb"
    others = [] if os.path.lexists(named) else listed_notebooks(folder)
    return others[0] if len(others) == 1 else named


def _has_work(folder: Path) -> bool:
    """Whether something lies where a submission goes; a folder without a notebook is none."""
    if not is_folder(folder):
        return os.path.lexists(folder)
    return any(map(is_notebook, folder.iterdir()))


def _put_there(
    course: Course, student: str, lesson: str, found: Found, raw: bytes, chosen: bool, between: dict[str, str]
) -> Path | None:
    """Write a submission beside, then put it into its place in one step; where what was there is kept, if anything.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    folder = Classroom(course).submitted / student / lesson
    unfinished = f".{lesson}.*{UNFINISHED}"
    for left in [*folder.parent.glob(unfinished)]:  # of a killed process
        shutil.rmtree(left, ignore_errors=True)
    new = folder.with_name(unfinished.replace("*", str(os.getpid())))
    kept, is_there = None, False
    try:
        notebook = new / f"{lesson}.ipynb"
        write_whole(notebook, raw)
        if found.time is not None:
            write_whole(new / TIME, _stamp(found.time))
            seconds = found.time.replace(tzinfo=UTC).timestamp()
            with suppress(OSError, OverflowError):
                os.utime(notebook, (seconds, seconds))
        if os.path.lexists(folder):
            kept = _set_aside(course, folder, student, lesson)
        new.rename(folder)
        is_there = True
        _note(course, student, lesson, found, between, chosen)
    except BaseException:
        if is_there:
            folder.rename(new)
        if kept and not os.path.lexists(folder):
            kept.rename(folder)
        shutil.rmtree(new, ignore_errors=True)
        with suppress(OSError):
            folder.parent.rmdir()  # where nothing else lies in it
        raise
    if kept and kept.is_dir() and not any(kept.iterdir()):
        kept.rmdir()
        kept = None
    return kept


def _several_people(candidates: list[Found], numbers: dict[str, set[str]]) -> str:
    """Why what came to one learner is of several people, whom the roster does not tell apart; "" where it is not.

    Args:
        numbers: by system, what it gave to one person only. Moodle's are another one for each assignment.
    """
    in_one: dict[tuple[str, Path], set[str]] = defaultdict(set)  # {(system, where names stand): folders or addresses}
    for found in candidates:
        if found.folder:
            in_one["moodle", _download(found) / above(found)].add(found.folder)
        elif found.system == "gradescope":
            in_one["gradescope", _download(found)] |= {same_id(one) for one in found.ids.get("email", ())}
    several = [(system, those) for system, those in numbers.items() if len(those) > 1]
    several += [(system, those) for (system, _), those in in_one.items() if len(those) > 1]
    if not several:
        return ""
    system, those = several[0]
    return (
        f"{NAMES[system]} has several people of this name, so none was taken: "
        f"{listed([clean_line(one) for one in sorted(those)])}. Write {WHERE} with what it calls each, or put the "
        "notebook of each into a folder of their own in classroom/submitted/."
    )


def newest_of(candidates: list[Found]) -> tuple[Found | None, str]:
    """The newest of one learner's files for one lesson, or None and why it is not known which."""
    works = {found.path: _work_at(found.path) for found in candidates}
    ordered = sorted((found for found in candidates if found.order is not None), key=lambda found: found.order or 0)
    newest = None
    if len(set(works.values())) == 1:
        newest = max(candidates, key=lambda found: (found.time or datetime.min, not found.beside, found.order or 0))
    keys: tuple[Callable[[Found], Any], ...] = (lambda found: found.time, lambda found: found.order)
    left = candidates
    for key in keys:
        if newest is None and all(key(found) is not None for found in left):
            last = max(map(key, left))
            left = [found for found in left if key(found) == last]
            if len({works[found.path] for found in left}) == 1:
                newest = left[0]
    if newest and newest.time is None and len(ordered) == len(candidates):  # the same once more is no other work
        last_work = works[newest.path]
        again = [*takewhile(lambda found: works[found.path] == last_work, reversed(ordered))]
        newest = min(again, key=lambda found: (found.beside, found.order), default=newest)
    if newest:
        return newest, ""
    names = ", ".join(clean_line(found.where) for found in left[:5])
    return None, (
        f"{len(left)} different notebooks of the same time, or of none, so none was taken: {names}. "
        "Put the right one into the learner's folder in classroom/submitted/."
    )


def _download(found: Found) -> Path:
    """The folder with this machine's copy of the download that something came in."""
    return found.path.parents[len(PurePosixPath(found.where).parts) - 1]


def _number(text: str) -> str:
    """A system's number without what spreadsheets do to it."""
    return same_id(text).removesuffix(".0").lstrip("0")


def _is_no_earlier(one: Found, late: Found) -> bool:
    """Whether a file is the same as one that is late, or came after it."""
    after = one.order is not None and late.order is not None and one.order >= late.order
    return after or digest(one.path) == digest(late.path)


def _set_aside(course: Course, folder: Path, student: str, lesson: str) -> Path:
    base = course.classroom / "replaced" / lesson / student
    base.mkdir(parents=True, exist_ok=True)
    number = sum(1 for _ in base.iterdir()) + 1
    while os.path.lexists(base / str(number)):
        number += 1
    folder.rename(base / str(number))
    return base / str(number)


def _own_folder(note: Path) -> str:
    """Moodle's folder of what was handed in for a lesson before something else took its place, if any."""
    try:
        about = json.loads(note.read_bytes())
        return str(about.get("own folder", "") if about.get("beside") else about.get("folder", ""))
    except (OSError, ValueError, AttributeError):
        return ""


def _note(
    course: Course, student: str, lesson: str, found: Found, between: dict[str, str], chosen: bool = False
) -> None:
    about = {"system": NAMES[found.system], "late": found.late, "time": str(found.time or ""), "folder": found.folder}
    about |= between
    if found.beside:  # where the page goes that Moodle gets back
        about["own folder"] = _own_folder(note_path(course, student, lesson))
    about |= {"sha256": digest(found.path), "beside": found.beside, "lessons": found.lessons, "chosen": chosen}
    write_whole(note_path(course, student, lesson), (json.dumps(about) + "\n").encode())
