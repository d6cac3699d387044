"""nbgrader's ways of passing files on, so that they pass on a notebook, its time and its secret, and nothing else.

nbgrader copies whatever lies beside a notebook, through links: from the exchange to ``submitted/``, on to
``autograded/`` and to ``feedback/``, which goes to the learner. For the exchange and for archives there are settings
(``autograder/nbgrader_config.py`` names the classes here); its converters have none, so :func:`pass_on_little` puts a
method into them, when the stages are imported. It holds for nbgrader's commands and for Formgrader's buttons.
"""

from __future__ import annotations

import datetime
import glob
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.converters import Autograde, BaseConverter, GenerateFeedback, autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeCollect, ExchangeList, ExchangeReleaseFeedback
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from nbgrader.utils import notebook_hash
from traitlets import default

from ..errors import CourseError, is_machine_fault, why_refused
from ..files import UNFINISHED
from ..grading.lesson import read_lesson
from ..grading.reading import MAX_FILE_BYTES
from ..grading.sandbox.folders import remove_all
from ..grading.text import clean, clean_line
from ..paths import Course
from ..plain_log import show_plainly
from ..wording import listed, typed
from .archives import ENVIRONMENT, TOO_DEEP, Budget, FullDisk, all_below, each_apart, few, full_disk_told, is_archive
from .grading_lock import alone
from .journal import Journal, journal_of
from .late import extensions
from .plain_files import odd_folder, plain_bytes, read_plain, what_is_odd
from .submissions import (
    ENDINGS,
    Classroom,
    Task,
    is_folder,
    is_notebook,
    is_of_macos,
    listed_notebooks,
    notebooks_in,
    parsed_time,
    time_in,
    time_of,
    why_no_id_for_nbgrader,
)
from .systems import as_in_download, is_by_a_program, local_time

TIME, SECRET = "timestamp.txt", "submission_secret.txt"  # nbgrader's; the secret names a learner's released feedback
MAX_SMALL = 10_000  # bytes of each of the two
MAX_NOTEBOOKS = 100  # that are taken of one learner for one lesson, which has a single one
BLACKBOARD = (  # what follows the first "_attempt_" and digits may be a learner's: the file's name, or an archive's
    r"(?:(?!_attempt_\d).)*?_(?P<student_id>[^\W_]+)_attempt_(?P<timestamp>[0-9\-]+)_(?:.*[/\\])?(?P<file_id>[^/\\]+)\Z"
)
TAKEN = f"Only the notebook, {TIME} and {SECRET} are taken."


def left_beside(folder: Path, where: str, single: bool = True) -> str:
    """A sentence about what lies beside a notebook and is not taken over; "" where there is nothing.

    ``where`` is how the sentence calls the folder. Links, pipes and devices are called what they are. Of several
    notebooks the stages speak; what a program hides (``.ipynb_checkpoints``) is not worth a word.
    """
    try:
        odd = {path: what_is_odd(path, single) for path in sorted(folder.iterdir())}
    except OSError as error:
        return f"What lies in {clean_line(where)} cannot be listed ({error.strerror or error})."
    usual = {path for path in odd if path.name in (TIME, SECRET) or is_notebook(path) or path.name[0] == "."}
    names = [f"{clean_line(path.name)} ({kind})" for path, kind in odd.items() if kind]
    names += [clean_line(path.name) for path, kind in odd.items() if not kind and path not in usual]
    if not names:
        return ""
    return f"Left where it is in {clean_line(where)}: {listed(names)}. {TAKEN}"


def copy_plain(source: Path, dest: Path, limit: int, single: bool = True) -> int:
    """Copy one plain file over what is there; the number of its bytes.

    Raises:
        OSError: as of :func:`plain_bytes`, or it cannot be written; half of it is left nowhere.
    """
    content = plain_bytes(source, limit, single=single)
    dest.parent.mkdir(parents=True, exist_ok=True)
    dest.unlink(missing_ok=True)  # nbgrader makes its files read-only; and a link is not written through
    file = dest.open("xb")
    try:
        with file:
            file.write(content)
    except OSError:
        dest.unlink()
        raise
    return len(content)


def pass_on_little() -> None:
    """Let ``autograde`` and ``generate_feedback`` carry over a time and a secret; other converters stay as they are."""
    copies_all, finds_all = BaseConverter.init_assignment, BaseConverter.init_notebooks
    converts_all = BaseConverter.convert_notebooks

    def init_notebooks(self: BaseConverter) -> None:
        more = _of_other_endings(self) if isinstance(self, Autograde) else {}
        try:
            finds_all(self)
        except NbGraderException:
            if not more:
                raise
        self.assignments |= more
        if isinstance(self, Autograde | GenerateFeedback):
            self.assignments = {
                folder: files for folder, files in self.assignments.items() if _is_in_order(self, folder)
            }

    def init_assignment(self: BaseConverter, assignment_id: str, student_id: str) -> None:
        carry = carry_over if isinstance(self, Autograde | GenerateFeedback) else copies_all
        carry(self, assignment_id, student_id)

    def convert_notebooks(self: BaseConverter) -> None:
        with _only_this(self) if isinstance(self, Autograde | GenerateFeedback) else nullcontext():
            refused = []
            if isinstance(self, Autograde):
                _know_checks(self)
                refused = _leave_out(self, _why_no_result)
            elif isinstance(self, GenerateFeedback):
                with Gradebook(self.coursedir.db_url) as gradebook:
                    refused = _leave_out(self, partial(_why_no_feedback, gradebook)) + _gone(self)
            converts_all(self)
        if refused:
            raise NbGraderException(" ".join(refused))

    BaseConverter.init_assignment, BaseConverter.init_notebooks = init_assignment, init_notebooks
    BaseConverter.convert_notebooks = convert_notebooks
    CourseDirectory.get_existing_timestamp = plain_time
    autograde.Gradebook = _GradesStay
    SubmittedAssignment.duedate = property(_due)


def _due(submission: SubmittedAssignment) -> datetime.datetime | None:
    """When it is due, its extension counted; nbgrader's own fails where the lesson is due no more."""
    due = submission.assignment.duedate
    return due + submission.extension if due and submission.extension else due


class _GradesStay(Gradebook):
    """The gradebook of ``autograde`` before it grades: there it asks for grades only to make them 0.

    It does so where LESSON.ipynb is missing. One of another name is graded here all the same; where that fails or is
    interrupted, a 0 that waits for nobody would stay.
    """

    def find_submission_notebook(self, *_: str) -> SimpleNamespace:
        return SimpleNamespace(grades=[])


def _of_other_endings(converter: BaseConverter) -> dict[str, list[str]]:
    """``{folder: its notebooks}`` where each is called ``.IPYNB`` or the like, which nbgrader does not look for."""
    places, found = converter.coursedir, {}
    for name in glob.glob(converter._format_source(places.assignment_id, places.student_id)):  # noqa: PTH207 - as nbgrader
        notebooks = listed_notebooks(Path(name)) if is_folder(Path(name)) else []
        named = [str(path) for path in notebooks if fnmatchcase(path.stem, places.notebook_id)]
        if named and not any(path.suffix == ".ipynb" for path in notebooks):
            found[name] = named
    return found


@contextmanager
def _only_this(converter: BaseConverter) -> Iterator[None]:
    """Hold the class for all that a converter does.

    For each submission nbgrader removes what was made before and then makes it anew: a grader that came between two of
    them would have all the rest removed.

    Raises:
        NbGraderException: another process holds it, or a setting that the teacher chose cannot be; nothing was touched.
    """
    course = Course(Path(converter.coursedir.root))
    with ExitStack() as held:
        try:
            held.enter_context(alone(course))
            course.chosen()  # lateness is asked for of each submission, when what was made before is gone
            extensions(course)
        except CourseError as error:
            refuse(converter, error)
        yield


def _know_checks(converter: Autograde) -> None:
    """Tell the gradebook of the lesson's checks, as ``course grade`` does, where these have changed.

    Raises:
        NbGraderException: checks were added or removed after submissions had been graded, or the lesson is not built;
            nothing was touched.
    """
    from .gradebook import prepare  # which needs this module

    course, lesson = Course(Path(converter.coursedir.root)), converter.coursedir.assignment_id
    try:
        if lesson in course.lessons():
            read_lesson(course, lesson)
            prepare(course, lesson)
    except CourseError as error:
        refuse(converter, error)


def _leave_out(converter: BaseConverter, why_not: Callable[[Journal, Task, list[str]], str]) -> list[str]:
    """Take those of whom nothing can be made from the list, and say why.

    nbgrader would have removed what was made before it is told.

    Args:
        why_not: says why nothing can be made of the notebooks (paths) in a task's folder; "" where it can.
    """
    refused, journal = [], journal_of(Course(Path(converter.coursedir.root)))
    for name, notebooks in sorted(converter.assignments.items()):
        folder = Path(name)
        task = Task(folder.parent.name, folder.name, folder)
        if not _is_excluded(converter, task) and (why := why_not(journal, task, notebooks)):
            refused.append(_say_why(converter, task, why))
            del converter.assignments[name]
    return refused


def _is_excluded(converter: BaseConverter, task: Task) -> bool:
    return task.student in converter.coursedir.student_id_exclude.split(",")


def _say_why(converter: BaseConverter, task: Task, why: str) -> str:
    """Log why nothing is made of a submission, and give the sentence."""
    sentence = f"{clean_line(task.student)}, {task.lesson}: {clean(why)}"
    converter.log.error(sentence)
    return sentence


def _gone(converter: GenerateFeedback) -> list[str]:
    """Of whose result there is no executed notebook, as Autograde failed or was stopped: nbgrader makes no page."""
    from .gradebook import autograded_path  # which needs this module

    places, course = converter.coursedir, Course(Path(converter.coursedir.root))
    journal = journal_of(course)
    lost = f"the executed notebook is not in the autograded folder. Run {typed('grade')} first."
    return [
        _say_why(converter, task, lost)
        for task in Classroom(course).everything([places.assignment_id])
        if fnmatchcase(task.student, places.student_id) and not _is_excluded(converter, task)
        if journal.key(task) and not autograded_path(course, task).is_file()
    ]


def _why_no_result(journal: Journal, task: Task, _: list[str]) -> str:
    """Why what was handed in cannot be read now, which is no result; "" where it can."""
    from .grade_task import read_work  # late: nbgrader's other commands do without

    try:
        read_work(task, journal)
    except OSError as error:
        return f"this machine refused something ({why_refused(error)}); what was autograded before stays."
    return ""


def _why_no_feedback(gradebook: Gradebook, journal: Journal, task: Task, notebooks: list[str]) -> str:
    """Why there can be no page of what is in a folder of ``autograded/``; "" where there can be."""
    links = [f"{Path(name).name} is {kind}" for name in notebooks if (kind := what_is_odd(Path(name), single=False))]
    if odd := odd_folder(task.folder) or ", ".join(links):
        return f"{odd}; no feedback was made of it. Remove it from the autograded folder and autograde again."
    if journal.report(task) is None:
        return "the journal has no result: grade it again."
    from .recording import is_in_book  # which needs this module

    try:
        is_recorded = is_in_book(gradebook, journal, task)
    except MissingEntry:
        if not os.path.lexists(journal.folder.with_name("submitted") / task.student / task.lesson):
            return "who handed it in has left the class. Remove it from the autograded folder, too."
        is_recorded = False
    if not is_recorded:  # the gradebook has points and comments of an earlier one
        return f"the result is not in the gradebook yet. Run {typed('grade')} first."
    return ""


def refuse(converter: BaseConverter, error: CourseError) -> NoReturn:
    """Say why a converter does nothing, and end it. Raises NbGraderException."""
    converter.log.error(str(error))
    raise NbGraderException(str(error)) from error


def _is_in_order(converter: BaseConverter, folder: str) -> bool:
    """Whether the folder's owner can be named; for nbgrader, ``*`` in a name stands for everybody's notebooks."""
    name = Path(folder).parent.name
    if why := why_no_id_for_nbgrader(name):
        converter.log.error("%s is left out: its name cannot be a student's id, as %s.", clean_line(name), why)
    return not why


def plain_time(_: CourseDirectory, folder: str) -> datetime.datetime | None:
    """When the work in a folder was handed in; None where its ``timestamp.txt`` is no plain file that holds a time."""
    return parsed_time(time_of(Path(folder)) or "")


def listed_time(api: NbGraderAPI, assignment_id: str, student_id: str) -> datetime.datetime | None:
    """For Formgrader's list of submissions, of which nbgrader's own way shows nothing when one time is odd."""
    places = api.coursedir
    return plain_time(places, places.format_path(places.submitted_directory, student_id, assignment_id))


def carry_over(converter: BaseConverter, assignment_id: str, student_id: str) -> None:
    """What nbgrader does before it converts, in place of copying the folder."""
    source = Path(converter._format_source(assignment_id, student_id))
    dest = Path(converter._format_dest(assignment_id, student_id))
    odd = odd_folder(source)
    dest.mkdir(parents=True, exist_ok=True)
    if odd:  # of a submission: the stages say so in its report
        converter.log.warning("%s; nothing was taken over from there.", clean(odd))
        return
    single = not isinstance(converter, GenerateFeedback)  # which takes from what the grader wrote
    if sentence := left_beside(source, f"{student_id}/{assignment_id}", single):
        converter.log.warning(sentence)
    for sentence in carry_small(source, dest, single):
        converter.log.warning(sentence)


def carry_small(source: Path, dest: Path, single: bool = True) -> list[str]:
    """Copy nbgrader's own two small files, without which it cannot release feedback; what could not be taken over.

    Args:
        single: as :func:`.plain_files.what_is_odd`.

    Raises:
        OSError: this machine or its disk refuses.
    """
    left = []
    for name in (TIME, SECRET):
        if not what_is_odd(source / name, single):
            try:
                copy_plain(source / name, dest / name, MAX_SMALL, single)
            except OSError as error:
                if is_machine_fault(error):
                    raise
                # a folder, or far too long: the result is recorded without it
                left.append(f"{name} of {clean_line(source.parent.name)} was not taken over ({clean(str(error))}).")
    return left


def small_in(folder: Path) -> list[bytes]:
    """What the two small files in a folder of the grader's hold; nothing of one that is not there, or unreadable."""
    found = []
    for name in (TIME, SECRET):
        try:
            found.append(plain_bytes(folder / name, MAX_SMALL, single=False))
        except OSError:
            found.append(b"")
    return found


def change_zip_collect() -> None:
    """Let ``zip_collect`` choose among a class's files, and give each the time of handing in, not of the copy."""
    extracts = ZipCollectApp.extract_archive_files
    collects = ZipCollectApp._collect_files

    def extract_archive_files(self: ZipCollectApp) -> None:
        Course(Path(self.coursedir.root)).close_classroom()  # others may go through it, and the system's modes are open
        try:
            extracts(self)
        except FullDisk as error:
            remove_all(Path(self._format_collect_path(self.extracted_directory)))  # what is half there takes the room
            self.fail(str(error))

    def collect_files(self: ZipCollectApp, src_files: list[str]) -> dict[str, dict[str, Any]]:
        collector = self.collector_plugin_inst
        if isinstance(collector, PlainCollector):
            src_files = collector.choose(src_files)
        found: dict[str, dict[str, Any]] = collects(self, src_files)
        return found

    def transfer_files(self: ZipCollectApp, collected_data: dict[str, dict[str, Any]]) -> None:
        for student, data in collected_data.items():
            dest = _submitted(self.coursedir, student)
            if odd := linked(dest):
                self.log.error("Not collected: %s's work would go through %s. Remove the link.", student, odd)
                continue
            if dest.is_dir() and not self.force:
                self._clear_existing_files(str(dest))  # ends the command where there is something
            try:
                with in_its_place(dest) as new:
                    _copy_collected(data, new)
            except OSError as error:
                self.log.error("Not collected: %s's work (%s).", student, error.strerror or error)

    ZipCollectApp.extract_archive_files = extract_archive_files
    ZipCollectApp._collect_files, ZipCollectApp._transfer_files = collect_files, transfer_files


def _copy_collected(data: dict[str, Any], folder: Path) -> None:
    """Into a folder what nbgrader says of one learner's work: its files, and the time of them all."""
    time = data["timestamp"]
    for source, dest in zip(data["src_files"], data["dest_files"], strict=True):
        path = folder / Path(dest).name
        copy_plain(Path(source), path, MAX_FILE_BYTES)
        if time is not None:
            with suppress(OSError, OverflowError):  # a time of which this disk knows nothing
                os.utime(path, (time.replace(tzinfo=datetime.UTC).timestamp(),) * 2)
    if time is not None and not (folder / TIME).exists():
        (folder / TIME).write_text(time.isoformat(" "))


@contextmanager
def in_its_place(dest: Path) -> Iterator[Path]:
    """A new folder to fill, which then takes the place of a submission; until then that stays, and where this fails."""
    before = sorted(dest.parent.glob(f".{dest.name}.old.*{UNFINISHED}"))  # of killed processes
    if before and not dest.exists():
        before[-1].rename(dest)
    for left in dest.parent.glob(f".{dest.name}.*{UNFINISHED}"):
        shutil.rmtree(left, ignore_errors=True)
    new, old = (dest.with_name(f".{dest.name}.{kind}{os.getpid()}{UNFINISHED}") for kind in ("", "old."))
    try:
        new.mkdir(parents=True)
        yield new
        if dest.is_dir():
            dest.rename(old)
        new.rename(dest)
    finally:
        if old.is_dir() and not dest.exists():
            old.rename(dest)
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)
        with suppress(OSError):
            dest.parent.rmdir()  # where nothing lies in it


def _submitted(courses: CourseDirectory, student: str) -> Path:
    """Where a learner's work for the lesson goes."""
    return Path(courses.format_path(courses.submitted_directory, student, courses.assignment_id))


def linked(folder: Path) -> str:
    """Which of a learner's folder of a lesson and the one around it is a link; "" where none is."""
    links = [part for part in (folder.parent, folder) if part.is_symlink()]
    return f"{links[0]}, which is a link" if links else ""


def account_of(student: str) -> int | None:
    """The number of this machine's account of a name; None where it has none of that name, and on Windows."""
    if sys.platform == "win32":
        return None
    import pwd

    try:
        return pwd.getpwnam(student).pw_uid
    except (KeyError, ValueError):
        return None


def owner_of(path: Path) -> int:
    """The number of the account that a folder belongs to; of a link, the link's own."""
    return path.lstat().st_uid


def trusted() -> set[int]:
    """Who may hand in for others: who collects, and the machine's administrator."""
    return {0, os.getuid()} if sys.platform != "win32" else {0}


def _is_plain_name(folder: Path) -> bool:
    """Whether a name can be shown as it is; of bytes that are no text nbgrader makes no feedback's name."""
    return clean_line(folder.name) == folder.name


def why_unreadable(folder: Path) -> str:
    """What keeps all notebooks of a folder from being read; "" where nothing does, or there is none."""
    try:
        notebooks = notebooks_in(folder)
    except OSError as error:
        return f"not readable ({error.strerror or error})"
    why = ""
    for path in notebooks[:MAX_NOTEBOOKS]:
        try:
            if path.lstat().st_size > MAX_FILE_BYTES:
                raise OSError(f"it has more than {MAX_FILE_BYTES} bytes")
            read_plain(path, 1)
            return ""
        except OSError as error:
            why = why or f"{path.name}: {error.strerror or error}"
    return f"without a notebook that can be read ({why})" if why else ""


class PlainCollect(ExchangeCollect):
    """``nbgrader collect``: takes notebooks, time and secret of each submission, and refuses what is a link.

    What is wrong with one submission is said, and the others are collected. nbgrader takes the newest of each learner's
    by its name, which whoever hands in has chosen: here what is refused does not stand before what is in order.
    """

    src_records: list[dict[str, Any]]
    check_owner: bool
    update: bool
    before_duedate: bool
    _accounts: dict[str, set[int]] | None = None  # {name that was handed in under: accounts that did}

    def _path_to_record(self, path: str) -> dict[str, Any]:
        source, record = Path(path), {"username": "", "filename": Path(path).name, "timestamp": datetime.datetime.min}
        odd = "named in a way that nbgrader does not"
        with suppress(Exception):  # a name of somebody's own making may end the reading of its time in any way
            found = super()._path_to_record(path)
            odd = self._why_not(found["username"], source)
            record = record if odd else found
        if odd:
            self.log.error("Not collected: %s is %s.", clean_line(str(source)), clean(odd))
        return record

    def _why_not(self, student: str, source: Path) -> str:
        """Why a folder of ``inbound/`` is not taken, as what it is; "" where it is."""
        if not student or student.startswith("."):
            return "named in a way that nbgrader does not"
        if why := why_no_id_for_nbgrader(student):
            return f"of a name that cannot be a student's id: {why}"
        if not _is_plain_name(source):
            return "named in a way that nbgrader does not"
        if odd := what_is_odd(source):
            return odd
        if not source.is_dir():
            return "not a folder"
        if odd := linked(_submitted(self.coursedir, student)):
            return f"for {odd}"
        return self._whose_else(student, owner_of(source)) or why_unreadable(source)

    def _whose_else(self, student: str, owner: int) -> str:
        """Whose a folder is, if not the learner's. Where ids are no accounts' names, one of several is nobody's."""
        if not self.check_owner or owner in trusted():
            return ""
        account = account_of(student)
        if account is not None:
            return "" if owner == account else f"of account {owner}, not of {student}'s"
        if len(self._handed_in_by(student)) > 1:
            return f"one of several that different accounts handed in as {student}: remove the wrong ones"
        return ""

    def _handed_in_by(self, student: str) -> set[int]:
        if self._accounts is None:
            self._accounts = {}
            for path in Path(self.inbound_path).glob(f"*+{self.coursedir.assignment_id}+*"):
                with suppress(OSError):
                    self._accounts.setdefault(path.name.rsplit("+", 3)[0], set()).add(owner_of(path))
        return self._accounts.get(student, set()) - trusted()

    def copy_files(self) -> None:
        records = [record for record in self.src_records if record["username"]]
        if not records:
            self.log.warning("There is nothing of %s to collect.", self.coursedir.assignment_id)
        for record in records:
            source = Path(self.inbound_path, record["filename"])
            try:
                self._collect(source, record)
            except OSError as error:  # it was taken away or changed meanwhile, or the disk is full
                self.log.error("Not collected: %s (%s).", clean_line(str(source)), error.strerror or error)

    def _collect(self, source: Path, record: dict[str, Any]) -> None:
        """Take one submission over, if nbgrader would; it removes an earlier one before it writes.

        Raises:
            OSError: it cannot be read or written; what was there is as it was.
        """
        courses, student = self.coursedir, record["username"]
        dest = _submitted(courses, student)
        is_there = dest.is_dir()
        before = plain_time(courses, str(dest))
        is_newer = self.update and (before is None or record["timestamp"] > before)
        if is_there and not is_newer and not (self.before_duedate and before != record["timestamp"]):
            known = "No newer submission of" if self.update else "There is already (see --update) a submission of"
            self.log.info("%s %s, %s.", known, student, courses.assignment_id)
            return
        content = self._read(source, record)
        self.log.info("%s submission of %s, %s.", "Updating the" if is_there else "Collecting the", student, dest.name)
        with in_its_place(dest) as new:
            for name, data, came in content:
                path = new / name
                with path.open("xb") as file:
                    file.write(data)
                os.utime(path, ns=(came, came))
        if sentence := left_beside(source, source.name):
            self.log.warning(sentence)

    def _read(self, source: Path, record: dict[str, Any]) -> list[tuple[str, bytes, int]]:
        """What is taken of a submission: of each file its name, its content, and when it came.

        Its folder is opened once. Whoever handed it in may put a link in its place at any time: so files are looked for
        in what is open, and it is asked once more whose it is.

        Args:
            source: its folder.
            record: nbgrader's. Its time, of handing in as the folder's name says, is written where no
                ``timestamp.txt`` says one.
        """
        folder = os.open(source, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            about = os.fstat(folder)
            if other := self._whose_else(record["username"], about.st_uid):
                raise OSError(f"it is {other}")
            content = self._taken_of(source, folder)
        finally:
            os.close(folder)
        if not any(name == TIME and parsed_time(time_in(data)) for name, data, _ in content):
            came = about.st_ctime_ns
            text = f"{record['timestamp']:%Y-%m-%d %H:%M:%S} UTC"
            if not parsed_time(text):
                text = f"{datetime.datetime.fromtimestamp(came / 1e9, datetime.UTC):%Y-%m-%d %H:%M:%S} UTC"
            content = [(TIME, f"{text}\n".encode(), came), *(found for found in content if found[0] != TIME)]
            self.log.warning("%s has no %s with a time; %s was written.", clean_line(str(source)), TIME, text)
        return content

    def _taken_of(self, source: Path, folder: int) -> list[tuple[str, bytes, int]]:
        """The same, from the open folder alone."""
        own, names = f"{self.coursedir.assignment_id}.ipynb", os.listdir(folder)  # noqa: PTH208 - of what is open
        notebooks = sorted(filter(is_notebook, map(Path, names)), key=lambda path: (path.name != own, path))
        more = len(notebooks) - MAX_NOTEBOOKS
        if more > 0:
            self.log.error("Not collected: %s more notebooks of %s.", more, clean_line(str(source)))
        small = [Path(name) for name in (TIME, SECRET) if name in names]
        left, content = MAX_FILE_BYTES, []
        for path in [*small, *notebooks[:MAX_NOTEBOOKS]]:
            try:
                data = plain_bytes(path, MAX_SMALL if path in small else left, within=folder)
                came = os.lstat(path, dir_fd=folder).st_ctime_ns  # the system's word, not its owner's
                content.append((path.name, data, came))
                left -= len(data)
            except OSError as error:
                self.log.error("Not collected: %s (%s).", clean_line(str(source / path)), error.strerror or error)
        return content


class PlainList(ExchangeList):
    """``nbgrader list``: leaves out what learners can make and nbgrader cannot list, and says so."""

    assignments: list[str]
    inbound: bool

    def init_dest(self) -> None:
        super().init_dest()
        found = {name: self._why_not(Path(name)) for name in self.assignments}
        self.assignments = [name for name, why in found.items() if not why]
        for name, why in found.items():
            if why:
                self.log.error("Left out: %s is %s.", clean_line(name), clean(why))

    def _why_not(self, folder: Path) -> str:
        if not _is_plain_name(folder):
            return "named in a way that nbgrader does not"
        if not self.inbound:  # the teacher's
            return ""
        if odd := what_is_odd(folder):
            return odd
        try:
            paths = [*folder.iterdir()]
            if len([path for path in paths if is_notebook(path)]) > MAX_NOTEBOOKS:
                return f"a folder with more than {MAX_NOTEBOOKS} notebooks"
            for path in paths:
                if not _is_plain_name(path):
                    return f"a folder with an odd name in it: {clean_line(path.name)}"
                if is_notebook(path):
                    read_plain(path, 1)
                    if path.lstat().st_size > MAX_FILE_BYTES:
                        return f"a folder with a file of more than {MAX_FILE_BYTES} bytes: {path.name}"
            if os.path.lexists(folder / SECRET) and not plain_bytes(folder / SECRET, MAX_SMALL).decode():
                return f"a folder with an empty {SECRET}"
        except (OSError, UnicodeDecodeError) as error:
            return f"a folder that nbgrader cannot list ({error})"
        return ""


class PlainReleaseFeedback(ExchangeReleaseFeedback):
    """``nbgrader release_feedback``: the lesson's own page of each learner who handed in through the exchange."""

    def copy_files(self) -> None:
        excluded = set(self.coursedir.student_id_exclude.split(","))
        for name in sorted(glob.glob(self.src_path)):  # noqa: PTH207 - nbgrader's pattern of a whole path
            folder = Path(name)
            if folder.parent.name not in excluded:
                try:
                    self._release(folder)
                except OSError as error:
                    self.log.error(
                        "No feedback was released for %s: %s. A page that was not handed in through the exchange is "
                        "yours to send.",
                        clean_line(folder.parent.name),
                        error.strerror or error,
                    )

    def _release(self, folder: Path) -> None:
        if odd := odd_folder(folder):
            raise OSError(odd)
        lesson = self.coursedir.assignment_id
        secret = plain_bytes(folder / SECRET, MAX_SMALL, single=False).decode(errors="replace")  # the grader's own file
        if not secret.strip():
            raise OSError(f"{SECRET} is empty")
        for name in {lesson, self._handed_in_as(folder.parent.name)}:
            dest = Path(self.dest_path, f"{notebook_hash(secret=secret, notebook_id=name)}.html")
            beside = dest.with_name(f"{dest.stem}-tmp.html")
            copy_plain(folder / f"{lesson}.html", beside, MAX_FILE_BYTES, single=False)
            beside.replace(dest)
            self.log.info("Feedback released for %s: %s", clean_line(folder.parent.name), dest)

    def _handed_in_as(self, student: str) -> str:
        """The name of the only notebook that a learner handed in, which ``fetch_feedback`` asks by; else the lesson's.

        Raises:
            OSError: what was handed in cannot be listed.
        """
        folder, lesson = _submitted(self.coursedir, student), self.coursedir.assignment_id
        notebooks = [] if odd_folder(folder) else notebooks_in(folder)
        return notebooks[0].stem if len(notebooks) == 1 and _is_plain_name(notebooks[0]) else lesson


class PlainExtractor(ExtractorPlugin):
    """``nbgrader zip_collect``, first step: archives and files of the downloaded folder, in bounds, no links."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        paths, too_deep = all_below(Path(archive_path))
        odd = {path: kind for path in paths if (kind := what_is_odd(path))}
        for path, kind in odd.items():
            self.log.error("%s is %s. Remove it and run the command again.", clean_line(str(path)), kind)
        if odd:
            raise OSError(f"Nothing was extracted: in {archive_path} there is what is no plain file (see above).")
        source, dest = Path(archive_path), Path(extracted_path)
        if not any(source.iterdir()):
            self.log.warning("No files found in directory: %s", archive_path)
        for path in too_deep:
            self.log.error("%s was not extracted: %s.", clean_line(str(path)), TOO_DEEP)
        archives = []
        files = [*filter(Path.is_file, paths)]
        for path in files:
            target = dest / path.relative_to(source)
            if is_archive(path):
                archives.append((str(path), path, target))
                continue
            try:
                with full_disk_told():
                    copy_plain(path, target, MAX_FILE_BYTES)
            except OSError as error:  # of one file: the others are extracted
                self.log.error("%s was not extracted: %s.", clean_line(str(path)), clean(str(error)))
        alone = not any(map(is_notebook, files))
        for name, sentences, why in each_apart(archives, Budget.on_disk(dest), wanted=_is_handed_in, alone=alone):
            if why:
                self.log.error("%s was not extracted: %s.", clean_line(name), why)
            for sentence in few(sentences, clean_line(name)) if len(archives) > 1 else sentences:
                self.log.error("%s: %s", clean_line(name), sentence)


def _is_handed_in(name: str) -> bool:
    """Whether a file of an archive is unpacked: an environment's thousands would take the room."""
    return is_notebook(Path(name)) or not (is_by_a_program(name) or ENVIRONMENT.search(f"/{name}"))


class PlainCollector(FileNameCollectorPlugin):
    """``nbgrader zip_collect``, second step: whose and for which lesson a file is by its name; plain files only.

    nbgrader's pattern takes the last part of a path that fits it, which a learner may have written: the name of a file
    in their own archive, or what follows the part that the learning management system puts in front. Here the first
    part that fits says whose it is.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fronts: set[str] = set()  # what stands before the ids of all that is there, see _front
        self.begun: dict[tuple[str, str], str] = {}  # {(folder, a front's first word): what all such fronts begin with}

    @default("valid_ext")
    def _of_notebooks(self) -> list[str]:
        return ENDINGS

    @default("named_regexp")
    def _first_that_fits(self) -> str:
        return BLACKBOARD

    def collect(self, submitted_file: str) -> dict[str, Any] | None:
        if odd := what_is_odd(Path(submitted_file)):
            self.log.error("Not collected: %s is %s.", clean(submitted_file), odd)
            return None
        found = super().collect(submitted_file)
        if not found:
            return None
        if moment := _blackboards(found.get("timestamp") or ""):
            found["timestamp"] = moment  # nbgrader takes the minutes for a zone
        why, who = "", (found.get("student_id"), found.get("file_id"))
        if not all(map(_is_name, who)):
            why = "names no learner or no file"
        elif no_id := why_no_id_for_nbgrader(str(who[0])):
            why = f"names a learner who cannot be one: {no_id}"
        elif found.get("timestamp") and not parsed_time(found["timestamp"]):
            why = "names a time that is none"
        elif self._may_belong_to_the_id(submitted_file):  # Lab_b_j where another's is Lab_ada
            why = f"may be {who[0]}'s or another's whose id ends so: {typed('collect')} asks the roster"
        if why:  # nbgrader would end here, for the whole class
            self.log.error("Not collected: %s %s.", clean(submitted_file), why)
            return None
        return found

    def choose(self, paths: list[str]) -> list[str]:
        """Which files of a download are taken: each learner's of the newest attempt, if they can be told apart.

        nbgrader puts attempts together, takes the last of files that are called alike, and ends for the whole class
        where it cannot tell.
        """
        paths = [
            path for path in paths if not is_by_a_program(as_in_download(Path(path))) and not is_of_macos(Path(path))
        ]
        self._compare({front for path in paths if (front := _front(path))})
        of_each: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        newest_of: dict[str, datetime.datetime | None] = {}
        others, chosen = [], []
        for path in paths:
            if found := self.collect(path):
                of_each.setdefault(found["student_id"], []).append((path, found))
            elif Path(path).suffix not in self.valid_ext:  # of others it was said why
                others.append(path)
        for student, several in of_each.items():
            times = [parsed_time(found.get("timestamp") or "") for _, found in several]
            known = [time for time in times if time]
            newest_of[student] = max(known, default=None)
            newest = max(known) if len(known) == len(times) else None  # as `course collect`: where all have one
            last = [one for one, time in zip(several, times, strict=True) if newest in (None, time)]
            if len(last) < len(several):
                self.log.info("Of %s's attempts the newest is taken.", student)
            chosen += self._told_apart(student, last)
        self._say_who_is_without(others, newest_of)
        return chosen

    def _say_who_is_without(self, others: list[str], newest_of: dict[str, datetime.datetime | None]) -> None:
        """Name those of whose last files none is taken for a notebook.

        Args:
            others: files that are none.
            newest_of: ``{student: when their newest notebook was handed in}``; None where no file says a time.
        """
        without: dict[str, list[str]] = {}
        for path in others:
            match = re.match(self.named_regexp, path)
            about = match.groupdict() if match else {}
            student, text = about.get("student_id") or "", about.get("timestamp") or ""
            time, newest = parsed_time(_blackboards(text) or text), newest_of.get(student)
            if student and (student not in newest_of or (time and newest and time > newest)):
                without.setdefault(student, []).append(clean_line(Path(path).name))
        for student, names in without.items():
            files, before = listed(names), " An earlier attempt has one." if student in newest_of else ""
            self.log.error("No notebook was taken of what %s handed in last: %s.%s", clean_line(student), files, before)
        if others:
            self.log.warning("%s files that are no notebooks (.ipynb) were left out.", len(others))

    def _told_apart(self, student: str, found: list[tuple[str, dict[str, Any]]]) -> list[str]:
        """Of one learner's files one for each name that nbgrader gives them; none where it is not known which."""
        alike: dict[str, list[str]] = {}
        for path, about in found:
            name = os.path.splitext(about["file_id"])[0] + Path(path).suffix  # noqa: PTH122 - as nbgrader does
            alike.setdefault(name, []).append(path)
        taken, why = [], ""
        for name, paths in alike.items():
            own = [path for path in paths if path.endswith(name)] if len(paths) > 1 else paths
            if len(own) != 1:
                why = f"{len(paths)} of the newest files would be {name}"
            taken += own
        if len(taken) > MAX_NOTEBOOKS:
            why = f"there are more than {MAX_NOTEBOOKS} notebooks"
        if why:
            self.log.error(
                "Not collected: %s's work, as %s. Put the one that counts into %s's folder in classroom/submitted/.",
                student,
                clean(why),
                student,
            )
        return [] if why else taken

    def _compare(self, fronts: set[tuple[str, str]]) -> None:
        self.fronts = {front for _, front in fronts}
        alike: dict[tuple[str, str], list[str]] = {}
        for folder, front in fronts:
            alike.setdefault((folder, front.partition("_")[0]), []).append(front)
        self.begun = {key: os.path.commonprefix(names).rpartition("_")[0] + "_" for key, names in alike.items()}

    def _may_belong_to_the_id(self, path: str) -> bool:
        """Whether a part of what stands before an id in a path may be the id's own.

        What stands there is the assignment's name, in the shape that is read where no other is set. Those of a folder
        that begin with one word may be one assignment's (Lab_a_j and Lab_c_k); of another folder, which may be another
        assignment's, it is asked whether it is the beginning.
        """
        found = _front(path)
        if self.named_regexp != BLACKBOARD or not found:
            return False
        folder, front = found
        shorter = (front[:end] for end in range(1, len(front)) if front[end - 1] == "_")
        return self.begun.get((folder, front.partition("_")[0]), front) != front or any(
            other in self.fronts for other in shorter
        )


def _front(path: str) -> tuple[str, str] | None:
    """Where the file or folder lies whose name says whose a path is, and what stands before the id in that name."""
    if not (match := re.match(BLACKBOARD, path)):
        return None
    folder, _, front = path[: match.start("student_id")].rpartition(os.sep)
    return folder, front


def _blackboards(text: str) -> str:
    """A time as Blackboard writes it, ``2026-11-10-18-45-12`` by this machine's clock, as UTC; "" for another text."""
    moment = local_time(text)
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC" if moment else ""


def _is_name(text: str | None) -> bool:
    """Whether a learner's or file's name stays in the folder that it is put into."""
    return text is not None and text != "" and not text.startswith(".") and not {"/", "\\", "\0"} & set(text)


pass_on_little()
change_zip_collect()
show_plainly()
