"""What downloads of learning management systems look like: whose each notebook is, by the names that the system gave.

A learner chooses names too (of the file, of all in an archive), so a system is chosen for a whole download, by the
shape that most of the files and folders at its top have, and only the part of a path that the system writes is
believed. nbgrader's collector plugin for ``zip_collect`` reads the names; Gradescope has a list instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any

import yaml
from nbgrader.plugins import FileNameCollectorPlugin

from ..errors import CourseError
from ..grading.text import clean, clean_line
from ..nbgrader_glue import ConverterLog
from .archives import ENDING
from .plain_files import plain_bytes
from .roster import is_address
from .submissions import ENDINGS, is_of_macos

FOLDERS = r"(?:.*?/)??"  # the first part of a path that fits counts: those after it may be a learner's
SHAPES = {  # {system: pattern of a notebook's path}; where each was read stands beside the fixtures of the tests
    "moodle": FOLDERS
    + r"(?P<folder>(?P<name>[^/]+?)_(?P<id>\d+)_assignsubmission_file)(?:_?/|(?P<flat>_))(?P<file>.+)",
    "blackboard": FOLDERS + r"(?P<prefix>[^/]*?)_attempt_(?P<time>\d{4}(?:-\d\d){5})_(?P<file>.+)",
    "ilias": FOLDERS + r"(?P<prefix>[^/_]+_[^/]+)_(?P<id>\d+)/(?P<file>.+)",
    "canvas": FOLDERS
    + r"(?:(?P<name>(?!(?:LATE_)?anon_)[^/]*?)_)?(?P<late>LATE_)?(?P<id>\d+|anon_\w+?)_(?P<order>\d+)_(?P<file>.+)",
    "google": FOLDERS + r"(?P<name>[^/]+?) - (?P<file>.*)",
}
CANVAS_NUMBERS = re.compile(r"(?=_(?:LATE_)?([1-9]\d*)_[1-9]\d*_(.+))")  # wherever a name may end
BRIGHTSPACE = re.compile(r"\d+-\d+")  # stands before a name there, 28613-122384 - Ada Lovelace - Nov 10, 2026/
MOODLE_NUMBER = re.compile(r"(?:^|_)\d+_assignsubmission_")
ANSWERS_IN_THE_PAGE = {  # {system: (how what was typed or linked there is called, as if it were a file)}
    "moodle": (r"(_\d+_assignsubmission_)onlinetext", r"\1file"),
    "canvas": (r"(_\d+)_(text|link)\.html$", r"\1_0_\2.html"),
    "blackboard": (r"(_attempt_\d{4}(?:-\d\d){5})\.txt$", r"\1_.txt"),  # written of every attempt
}
BY_ASSIGNMENT = ("canvas", "google", "blackboard", "ilias")  # call a person the same in each, in a folder of its own
WEAK = ("google",)  # fits many names that people give; asked only where no other fits most of them
NAMES = {
    "canvas": "Canvas",
    "moodle": "Moodle",
    "google": "Google Classroom",
    "gradescope": "Gradescope",
    "blackboard": "Blackboard",
    "ilias": "ILIAS",
    "pattern": "the pattern",
}
LIST = "submission_metadata.yml"  # of an export from Gradescope
MAX_LIST = 50_000_000  # bytes
MAX_ABOVE = 2  # folders above it: where a folder is collected, the zip in it and what Gradescope calls the export
MAX_NESTED = 100  # lists in lists in it
BOMB = re.compile(r"<<|[-+\d:._\s]{200,}")
MAX_LONGER = 20  # ids, or names of people, that one name may hold by a teacher's pattern
MAX_TEXT = 1000  # characters of a name, an id or an address in it
LATE_ILIAS = re.compile(r"(Late Submission|Verspaetete Abgabe|Verspätete Abgabe) - ", re.IGNORECASE)
SAID_TIME = re.compile(
    r"(\d{4})[-. ]?(\d\d)[-. ]?(\d\d)(?:[-T ._]*(\d\d)[-: .]?(\d\d)(?:[-: .]?(\d\d)(?:\.\d+)?)?)?"
    r"(?: *(Z|[+-]\d\d:?\d\d))?"
)
BEFORE_ALL, NO_TIME = datetime.min, datetime.min.replace(day=2)
FIELDS = {
    "name": r"[^/]+?",
    "id": r"[^/]+?",
    "email": r"[^/]+?",
    "time": r"\d[\d :TZ.+-]*?",
    "file": r".+",
    "*": r"[^/]*?",
}


@dataclass(frozen=True)
class Found:
    """A notebook in a download, and what the system says of it. Nothing here is checked against a roster."""

    path: Path
    where: str  # the path in the download, for people
    system: str
    names: tuple[str, ...] = ()  # what the person may be called; several where the system joins names
    ids: dict[str, tuple[str, ...]] = field(default_factory=dict)  # {column of the roster: what may stand there}
    longer: tuple[str, ...] = ()  # other ids that a teacher's pattern may find in the same name
    longer_names: tuple[str, ...] = ()  # the same of what the person is called
    pairs: tuple[tuple[str, str], ...] = ()  # such a longer name, and the id that stands behind it
    file: str = ""  # the learner's own name of the file
    time: datetime | None = None  # of handing in, UTC without saying so
    order: int | None = None  # of two without a time, the higher one is newer
    late: bool = False  # the system marks it, whatever the time
    folder: str = ""  # Moodle's, under which feedback goes back
    beside: bool = False  # most of the download is of another lesson, whose date a mark is about
    lessons: tuple[str, ...] = ()  # that the download is of: a missing mark says nothing of another one's date

    @property
    def who(self) -> str:
        """What the system calls this person, for sentences."""
        return clean_line(next(iter(self.names), "") or next((value[0] for value in self.ids.values()), "?"))


def read_download(
    root: Path, system: str, pattern: str, unpacked: Mapping[Path, str] | None = None
) -> tuple[str, list[Found], list[str]]:
    """All notebooks below ``root``, an extracted download, as its system names them.

    Args:
        system: one of :data:`NAMES`, or "" to find out.
        pattern: how files are called, as a teacher writes it, or "".
        unpacked: folders of archives in it, where learners name files, and the archives' own names without ending.

    Returns:
        the system, what was found, and the notebooks whose names do not fit it.

    Raises:
        CourseError: no notebook, no known shape, or more than one.
    """
    notebooks = sorted(path for path in root.rglob("*.[iI][pP][yY][nN][bB]") if path.is_file())
    names = [as_in_download(path.relative_to(root)) for path in notebooks if not is_of_macos(path)]
    paths = [name for name in names if not is_by_a_program(name)]
    if not paths:
        raise CourseError("There is no notebook (.ipynb) in it.")
    if pattern:
        return "pattern", *_by_pattern(pattern, root, paths, unpacked or {})
    listed = None if system not in ("", "gradescope") else _list(root, paths, sure=bool(system))
    if system == "gradescope" or listed:
        if not listed:
            raise CourseError(f"It has no {LIST}, which says whose each submission is. Export the submissions again.")
        return "gradescope", *_by_list(listed, root, paths)
    if system:
        return system, *_by_shape(system, SHAPES[system], root, paths)
    return _most_likely(root, paths)


def _by_pattern(
    pattern: str, root: Path, paths: list[str], unpacked: Mapping[Path, str]
) -> tuple[list[Found], list[str]]:
    """What is in an archive is read by the archive's own name. Its folder's may be another: one that was free.

    Where a pattern has the ending of a notebook, that name alone says whose it is, and when it came.
    """
    shape, whole = compiled(pattern), pattern.endswith(".ipynb")
    inner = _in_archives(root, paths, unpacked)
    found, others = _by_shape("pattern", shape, root, [path for path in paths if path not in inner])
    for path, (archive, rest) in inner.items():
        name = f"{archive}.ipynb" if whole else f"{archive}/{rest}"
        one = _read_as("pattern", shape, name, Found(root / path, path, "pattern"))
        if one is None:
            others.append(path)
            continue
        if whole:
            one = replace(one, file=f"{one.file.removesuffix('.ipynb')}/{rest}" if "{file}" in pattern else rest)
        found.append(_with_longer(one, shape, name))
    return found, others


def _read_as(system: str, shape: str, name: str, one: Found) -> Found | None:
    """What the name says of it; None where the shape does not fit."""
    match = re.match(shape, name)
    return READERS[system](one, match.groupdict()) if match else None


def _in_archives(root: Path, paths: list[str], unpacked: Mapping[Path, str]) -> dict[str, tuple[str, str]]:
    """``{path: (outermost archive that it lay in, without its ending; where in that)}``: what is in one a learner may
    name."""
    found = {}
    for path in paths:
        if folders := [folder for folder in (root / path).parents if folder in unpacked]:
            own = folders[-1].with_name(unpacked[folders[-1]])
            rest = (root / path).relative_to(folders[-1])
            found[path] = as_in_download(own.relative_to(root)), as_in_download(rest)
    return found


def as_in_download(path: PurePath) -> str:
    """A path in a download as systems write it, on every machine: with "/"."""
    return path.as_posix()


def is_by_a_program(path: str) -> bool:
    """Whether a file is a copy or a note of Jupyter's or of macOS's, which nobody handed in."""
    return "/.ipynb_checkpoints/" in f"/{path}" or "__MACOSX/" in path


def without_notebook(
    system: str, pattern: str, found: list[Found], others: Mapping[str, list[str]]
) -> dict[tuple[str, str], list[str]]:
    """``{(person, assignment): paths}`` of those whose last attempt has nothing that was read as a notebook.

    Attempts are told apart where the system writes their times. A folder may hold several assignments; one of which
    nobody's notebook was read may be of other things, and counts with all others, as what lies at the top does.

    Args:
        others: ``{folder of the download, or of an archive in it: what is no notebook there}``. In a person's own
            archive files are called as that person likes; any other may hold a section of the class.
    """
    shape = compiled(pattern) if system == "pattern" else SHAPES.get(system, "")
    known: dict[tuple[str, str], datetime] = {}
    for one in found:
        person, assignment, time = _person(system, shape, one.where)
        for key in ((person, assignment), (person, "")):
            known[key] = max(time, known.get(key, time))
    assignments = {assignment for _, assignment in known}
    without: dict[tuple[str, str], list[str]] = {}
    apart = {
        folder: names
        for folder, names in others.items()
        if folder == "." or not _person(system, shape, ENDING.sub("", folder))[0]
    }
    for path in (as_in_download(PurePath(folder, name)) for folder, names in apart.items() for name in names):
        person, assignment, time = _person(system, shape, ENDING.sub("", path))
        key = person, assignment if assignment in assignments else ""
        if person and time > known.get(key, BEFORE_ALL) and not is_by_a_program(path):
            without.setdefault(key, []).append(path)
    if system == "blackboard":  # its own page says nothing where files do
        page = re.compile(ANSWERS_IN_THE_PAGE[system][0])
        return {who: [path for path in paths if not page.search(path)] or paths for who, paths in without.items()}
    return without


def _person(system: str, shape: str, path: str) -> tuple[str, str, datetime]:
    """What the system writes of a person in one path, the same for all their files ("" where the shape does not fit).

    And the folder of the assignment, "" where the person is called by another name in each; and the time of the
    attempt, the same for all where the system writes none.
    """
    if system == "gradescope":
        submission = re.match(rf"{FOLDERS}(submission_\d+)/", path)
        return submission[1] if submission else "", "", NO_TIME
    path = re.sub(*ANSWERS_IN_THE_PAGE.get(system, ("$", "")), path)
    one = _read_as(system, shape, path, Found(Path(path), path, system))
    if one is None:
        return "", "", NO_TIME
    assignment = above(one) if system in BY_ASSIGNMENT else ""
    if system == "google":  # a large folder comes in several zips, each with the folder's name in it
        assignment = assignment.rpartition("/")[2]
    who = [*one.names[:1], *(value[-1] for value in one.ids.values()), one.folder]  # Moodle's holds a number
    return " ".join(who), assignment, one.time or NO_TIME


def above(found: Found) -> str:
    """The folders above what the system named, the same for all of one download; "" where that is not known."""
    shape = SHAPES.get(found.system)
    return "/".join(found.where.split("/")[: _depth(shape, found.where)]) if shape else ""


def _list(root: Path, paths: list[str], sure: bool) -> Path | None:
    """Gradescope's list: it stands above the folders of all submissions.

    A learner may hand in a file of that name, too: it lies in a folder that a system named after them, or has nobody
    else's notebook below it, or beside it there are mostly folders that Gradescope does not make.

    Args:
        sure: a person says that the download is Gradescope's.

    Raises:
        CourseError: it is Gradescope's by its folders, and another system's by a name that people give, too.
    """
    shared = Path(os.path.commonpath([str(Path(name).parent) for name in paths]))
    bases = [Path(), *reversed([place for place in (shared, *shared.parents) if place.parts])]  # above all notebooks
    for base in bases:
        apart = all(Path(name).parent != base for name in paths)
        named = [system for system, shape in SHAPES.items() if re.match(shape, f"{as_in_download(base)}/x.ipynb")]
        weakly = [NAMES[system] for system in named if system in WEAK]
        below = [Path(name).relative_to(base).parts[0] for name in paths]
        numbered = [folder for folder in below if re.fullmatch(r"submission_\d+", folder)]
        likely = sure or (2 * len(numbered) > len(below) and len(base.parts) <= MAX_ABOVE)
        if apart and likely and len(weakly) == len(named) and (root / base / LIST).is_file():
            if sure or not weakly:
                return root / base / LIST
            if len(numbered) == len(below):
                raise CourseError(f"It may come from Gradescope or {weakly[0]}. Say which: --from gradescope")
    return None


def _most_likely(root: Path, paths: list[str]) -> tuple[str, list[Found], list[str]]:
    """The system whose shape most files and folders at the top have, and what is read by it.

    Raises:
        CourseError: no shape fits, or two fit equally well.
    """
    read = {name: _by_shape(name, shape, root, paths) for name, shape in SHAPES.items()}
    votes = _votes({name: found for name, (found, _) in read.items()}, paths)
    strong = {name: len(entries) for name, entries in votes.items() if name not in WEAK and entries}
    weak = {name: len(entries) for name, entries in votes.items() if name in WEAK and entries}
    first = _largest(strong or weak)
    if strong and any(_knows_others(votes[name], votes[first[0]]) for name in weak):
        first = _largest(weak) if max(weak.values()) > max(strong.values()) else [*first, *_largest(weak)]
    if not first:
        raise CourseError(
            f"Its shape is not known (for instance {clean_line(paths[0])}). Say how files are called, for instance "
            "--pattern '{name}_{id}_{file}', where * stands for anything."
        )
    if len(first) > 1:
        raise CourseError(
            f"It may come from {' or '.join(NAMES[name] for name in first)}. Say which: --from {first[0]}"
        )
    return first[0], *read[first[0]]


def _votes(read: dict[str, list[Found]], paths: list[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    """What each shape fits of the files and folders at the top, and what it calls the person of each.

    The top lies below the folders that all notebooks share, and below folders that hold no notebook themselves and fit
    no shape. What lies deeper says nothing: it may come from one learner's archive, which holds as many names as the
    learner likes.
    """
    parents = [Path(path).parent for path in paths]
    level = len(Path(os.path.commonpath(parents)).parts)
    while True:
        votes = {
            name: {
                "/".join(found.where.split("/")[: level + 1]): found.names
                for found in several
                if _depth(SHAPES[name], found.where) <= level
            }
            for name, several in read.items()
        }
        if any(votes.values()) or any(len(parent.parts) <= level for parent in parents):
            return votes
        level += 1


def _depth(shape: str, path: str) -> int:
    """Below how many folders the part of a path begins that a shape fits."""
    match = re.match(shape, path)
    begins = [begin for begin, _ in match.regs[1:] if begin >= 0] if match else [len(path)]
    return path.count("/", 0, min(begins))


def _largest(counts: dict[str, int]) -> list[str]:
    return [name for name, count in counts.items() if count == max(counts.values())]


def _knows_others(weak: dict[str, tuple[str, ...]], strong: dict[str, tuple[str, ...]]) -> bool:
    """Whether most of those people are known by a weak shape alone: one learner's files may be named in any shape.

    What Moodle named, and a learner went on with in Moodle's own words, is not asked, either.
    """
    weak = {entry: names for entry, names in weak.items() if entry in strong or not MOODLE_NUMBER.search(entry)}
    known = {names for entry, names in weak.items() if entry in strong}
    return len(known) * 2 < len(set(weak.values()))


def _by_shape(system: str, shape: str, root: Path, paths: list[str]) -> tuple[list[Found], list[str]]:
    plugin = FileNameCollectorPlugin(named_regexp=shape, valid_ext=ENDINGS)
    plugin.log = ConverterLog().logger  # what does not fit is said by us
    found, others = [], []
    for path in paths:
        parts = plugin.collect(path)
        one = READERS[system](Found(root / path, path, system), parts) if parts else None
        if one is None:
            others.append(path)
        else:
            found.append(one)
    if system == "blackboard":
        return _without_assignment(found), others
    if system == "pattern":
        return [_with_longer(one, shape, one.where) for one in found], others
    return _without_teams(found) if system == "moodle" else found, others


def _without_assignment(found: list[Found]) -> list[Found]:
    """Blackboard's names all begin with the assignment's: a login is at least what follows the parts that all share.

    A folder may hold several downloads, some of one learner alone. Where names share nothing, they are of several
    assignments, and a login is what follows the first part, or that, too.
    """
    parts = [_prefix(one).split("_") for one in found]
    together: dict[str, list[list[str]]] = {}
    for one, mine in zip(found, parts, strict=True):
        together.setdefault(above(one), []).append(mine)
    shared = {place: os.path.commonprefix(those) for place, those in together.items()}
    several = {place for place, those in together.items() if len(set(map(tuple, those))) > 1}
    titles = sorted((shared[place] for place in several if shared[place]), key=len, reverse=True)
    sharper = []
    for one, mine in zip(found, parts, strict=True):
        its = shared[above(one)]
        title = its if above(one) in several else next((each for each in titles if mine[: len(each)] == each), [])
        if title:
            logins = tuple(login for login in one.ids["login"] if login.count("_") + 1 >= len(mine) - len(title))
        elif its != mine:
            logins = ("_".join(mine[1:]), "_".join(mine))
        else:  # all are one learner's
            logins = one.ids["login"]
        sharper.append(replace(one, ids={"login": logins, "id": logins}))
    return sharper


def _prefix(one: Found) -> str:
    """Assignment and login, as Blackboard joins them."""
    match = re.match(SHAPES["blackboard"], one.where)
    return match["prefix"] if match else ""


def _without_teams(found: list[Found]) -> list[Found]:
    """Moodle writes a team's name and a hyphen before all names or none; a person's own name may hold a hyphen, too.

    Of a single one nobody can tell.
    """
    several = len({one.names[0] for one in found}) > 1 and all(len(one.names) > 1 for one in found)
    return found if several else [replace(one, names=one.names[:1]) for one in found]


# Behind a time, perhaps after something of any kind, comes a person, whose id may look like a clock.
BEFORE_A_PERSON = re.compile(r"\{time\}[ _.-]?(?:\*[^{]*)?\{(?:name|id|email)\}")
JOINED_TIME = re.compile(r"\{time\}([ _.-])")


def _and_clock(pattern: str) -> str:
    """A day, and a clock joined to it by "_" or by what joins the parts of a pattern, or nothing."""
    if BEFORE_A_PERSON.search(pattern):
        return ""
    joined = JOINED_TIME.search(pattern)
    clock = r"\d\d(?P<between>[-:.])\d\d(?:(?P=between)\d\d)?|(?:[01]\d|2[0-3])[0-5]\d[0-5]\d"
    signs = "_" + (re.escape(joined[1]) if joined else "")
    return rf"\d{{4}}[-. ]?\d\d[-. ]?\d\d[{signs}](?:{clock})Z?(?!\d)|"


def compiled(pattern: str) -> str:
    """A teacher's pattern as a regular expression.

    Raises:
        CourseError: it names no person, or an unknown field.
    """
    parts = re.split(r"(\{\w+\}|\*)", pattern)
    fields = [part[1:-1] for part in parts if set(part) & {"{", "}"}]  # a lonely brace is of no field
    unknown = [name for name in fields if name not in FIELDS]
    if unknown or len(set(fields)) < len(fields) or not {"name", "id", "email"} & set(fields):
        raise CourseError(
            f"The pattern {clean_line(pattern)!r} cannot be used: it is made of {{name}}, {{id}}, {{email}}, {{time}} "
            "and {file}, each once at most and one of the first three at least; * stands for anything."
        )
    shapes = FIELDS | {"time": f"(?:{_and_clock(pattern)}{FIELDS['time']})"}
    text = "".join(
        FIELDS["*"] if part == "*"
        else f"(?P<{part[1:-1]}>{shapes[part[1:-1]]})" if part.startswith("{")
        else re.escape(part)
        for part in parts
    )  # fmt: skip
    return f"{FOLDERS}{text}" + ("" if pattern.endswith("{file}") else r"(?:\.ipynb|/.*)?$")


def _ends(text: str) -> tuple[str, ...]:
    """``"a_b_c"`` → c, b_c, a_b_c: a login may hold what parts are joined by, and so may what stands before it."""
    parts = text.split("_")
    return tuple("_".join(parts[begin:]) for begin in range(len(parts) - 1, -1, -1))


def local_time(text: str) -> datetime | None:
    """A system's own clock, taken for this machine's, as UTC."""
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S").astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError, OSError):  # a year that this system's clock does not know
        return None


def _said_time(text: str) -> datetime | None:
    """A time in a file's name, as UTC: the year comes first; where no zone is said it is this machine's."""
    match = SAID_TIME.fullmatch(text.strip())
    if not match:
        return None
    *numbers, zone = match.groups()
    written = "-".join(number or "00" for number in numbers)
    if not zone:
        return local_time(written)
    with suppress(ValueError, OverflowError):
        return _moment(datetime.strptime(f"{written}{zone}", "%Y-%m-%d-%H-%M-%S%z"))
    return None


def _moodle(one: Found, parts: dict[str, str]) -> Found | None:
    if parts["flat"] and MOODLE_NUMBER.search(parts["file"].partition("/")[0]):
        return None  # nobody can tell where the person's name ends, and they choose that and the file's name
    name = parts["name"]  # "Group-Ada Lovelace" where teams hand in
    names = tuple("-".join(name.split("-")[begin:]) for begin in range(name.count("-") + 1))
    return replace(one, names=names, file=parts["file"], folder=parts["folder"])


def _blackboard(one: Found, parts: dict[str, str]) -> Found | None:
    logins, time = _ends(parts["prefix"]), local_time(parts["time"])
    logins = logins[:-1] or logins  # the assignment's name stands before the login
    if time is None:
        return None
    return replace(one, ids={"login": logins, "id": logins}, file=parts["file"], time=time)


def _ilias(one: Found, parts: dict[str, str]) -> Found | None:
    pieces, file = parts["prefix"].split("_"), parts["file"]
    logins = _ends("_".join(pieces[2:])) if len(pieces) > 2 else (pieces[-1],)
    ids = {"ilias_id": (parts["id"],), "login": logins, "id": logins}
    return replace(one, ids=ids, names=(" ".join(pieces[:2]),), file=file, late=bool(LATE_ILIAS.match(file)))


def _canvas(one: Found, parts: dict[str, str]) -> Found | None:
    if parts["id"].startswith("anon_"):
        return replace(one, ids={"anonymous": (parts["id"],)}, file=parts["file"], late=bool(parts["late"]))
    number = int(parts["order"]) if len(parts["order"]) < 20 else None
    named = replace(one, ids={"canvas_id": (parts["id"],)}, names=(parts["name"],) if parts["name"] else ())
    return replace(named, file=parts["file"], order=number, late=bool(parts["late"]))


def other_readings(one: Found) -> list[Found]:
    """What else a name of Canvas's may say, where a person's own name may end in a number: who, and which file.

    Only what Canvas itself named is read, not what lies in an archive of that name.
    """
    match = re.match(SHAPES["canvas"], one.where) if one.system == "canvas" else None
    if not match:
        return []
    text = one.where[match.start("name") if match["name"] else match.start("id") :].partition("/")[0]
    return [
        replace(one, names=(text[: other.start()],), ids={"canvas_id": (other[1],)}, file=other[2])
        for other in CANVAS_NUMBERS.finditer(text)
        if other[1] != match["id"]
    ]


def _google(one: Found, parts: dict[str, str]) -> Found | None:
    name = parts["name"].removeprefix("Copy of ")
    is_brightspaces = BRIGHTSPACE.fullmatch(name) and " - " in parts["file"].rpartition("/")[0]
    return None if is_brightspaces else replace(one, names=(name,), file=parts["file"])


def _pattern(one: Found, parts: dict[str, str]) -> Found | None:
    time = None
    if said := parts.get("time"):
        time = _said_time(said)
        if time is None:
            return None
    if parts.get("email") and not is_address(parts["email"]):
        return None
    ids: dict[str, tuple[str, ...]] = {}
    for column, key in (("id", "id"), ("login", "id"), ("email", "email")):
        if parts.get(key):
            ids[column] = (parts[key],)
    names = (parts["name"],) if parts.get("name") else ()
    return replace(one, ids=ids, names=names, file=parts.get("file") or Path(one.where).name, time=time)


def _with_longer(one: Found, shape: str, name: str) -> Found:
    """With what else the id and the name may be: each may hold the sign that stands behind it in the pattern."""
    first = re.match(shape, name)
    if first is None:
        return one
    ids, names = _longer(shape, first, "id"), _longer(shape, first, "name")
    behind = re.compile(shape.partition(f"(?P<name>{FIELDS['name']})")[2])
    pairs: tuple[tuple[str, str], ...] = ()
    if names and "id" in behind.groupindex:
        ends = [(longer, first.start("name") + len(longer)) for longer in names]
        pairs = tuple((longer, match["id"]) for longer, end in ends if (match := behind.match(name, end)))
    return replace(one, longer=ids, longer_names=names, pairs=pairs)


def _longer(shape: str, first: re.Match[str], part: str) -> tuple[str, ...]:
    """Longer readings of one part. They begin where the first one does: further on are names that a learner wrote."""
    if part not in first.groupdict():
        return ()
    behind = shape.partition(f"(?P<{part}>{FIELDS[part]})")[2]
    others: list[str] = []
    while len(others) < MAX_LONGER:
        least = len(others[-1] if others else first[part]) + 1
        longer = re.compile(f"(?P<{part}>[^/]{{{least},}}?){behind}").match(first.string, first.start(part))
        if not longer:
            break
        others.append(longer[part])
    return tuple(others)


READERS: dict[str, Callable[[Found, dict[str, str]], Found | None]] = {
    "moodle": _moodle,
    "blackboard": _blackboard,
    "ilias": _ilias,
    "canvas": _canvas,
    "google": _google,
    "pattern": _pattern,
}


def _by_list(path: Path, root: Path, paths: list[str]) -> tuple[list[Found], list[str]]:
    """Gradescope's export: a folder for each submission, and a list of who handed it in when; teams get it each."""
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        text = plain_bytes(path, MAX_LIST)
        _refuse_bombs(text, loader)
        listed = yaml.load(text, loader)  # noqa: S506 - both loaders are safe ones
        about = {key: value for key, value in listed.items() if isinstance(key, str) and isinstance(value, dict)}
    # the last two are what PyYAML raises for a tag whose value is none of its kind, `!!bool x`
    except (OSError, ValueError, AttributeError, RecursionError, yaml.YAMLError, LookupError, ArithmeticError) as error:
        raise CourseError(
            f"{LIST} cannot be read ({clean(str(error))[:200]}). Export the submissions again."
        ) from error
    found, others = [], []
    base = path.parent.relative_to(root)
    for name in paths:
        inside = Path(name).relative_to(base) if Path(name).is_relative_to(base) else Path(name)
        people = _people(about.get(inside.parts[0], {}))
        time = _moment(about.get(inside.parts[0], {}).get(":created_at"))
        one = Found(root / name, name, "gradescope", file=as_in_download(Path(*inside.parts[1:])), time=time)
        found += [replace(one, names=names, ids=ids) for names, ids in people]
        others += [] if people else [name]
    return found, others


def _refuse_bombs(text: bytes, loader: Any) -> None:
    """Raise ValueError where the loader would take far more than the text: lists in lists without end (they end this
    process, without a word), entries that take in others, a number of many parts. Gradescope writes none of these.
    """
    depth = 0
    for event in yaml.parse(text, loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_NESTED:
            raise ValueError("it is nested too deeply")
        if isinstance(event, yaml.ScalarEvent) and (event.implicit[0] or event.tag) and BOMB.fullmatch(event.value):
            raise ValueError("it is no list of Gradescope's")


def _people(about: dict[str, Any]) -> list[tuple[tuple[str, ...], dict[str, tuple[str, ...]]]]:
    people: list[tuple[tuple[str, ...], dict[str, tuple[str, ...]]]] = []
    submitters = about.get(":submitters")
    for person in submitters if isinstance(submitters, list) else []:
        if isinstance(person, dict):
            said = {key: _short(person.get(f":{key}")) for key in ("name", "sid", "email")}
            columns = (("email", said["email"]), ("sid", said["sid"]), ("id", said["sid"]))
            ids: dict[str, tuple[str, ...]] = {column: (value,) for column, value in columns if value}
            if said["name"] or ids:
                people.append(((said["name"],) if said["name"] else (), ids))
    return people


def _short(value: object) -> str:
    """A text or number of a list; "" for anything else: written out, a few lines of YAML may fill the memory."""
    with suppress(ValueError):  # a number of thousands of digits
        return str(value)[:MAX_TEXT] if isinstance(value, str | int) and value and value is not True else ""
    return ""


def _moment(value: object) -> datetime | None:
    """A time in whole seconds, as ``timestamp.txt`` keeps it: the same download is not newer than itself."""
    if isinstance(value, datetime):
        with suppress(OverflowError):  # the year 1 in another zone
            return (value.astimezone(UTC) if value.tzinfo else value).replace(tzinfo=None, microsecond=0)
    return None
