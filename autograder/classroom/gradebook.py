"""Stage 4, record: results go into nbgrader's gradebook, through nbgrader's own converters; one writer at a time."""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import nbgrader.api
import sqlalchemy
from alembic.script import ScriptDirectory
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import parse_utc

from ..nbgrader_glue import ConverterLog, nbgrader_config
from ..notebooks import notebook_text
from ..files import write_if_changed
from ..errors import CourseError
from ..paths import Course
from .submissions import Classroom, Task, handed_in_time
from .journal import Entry, journal_of
from .nbgrader_adapter import preprocessed

# asked of every nbgrader converter; without it jupyter_core warns on stderr about its coming paths
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")


@lru_cache(maxsize=4)
def _engine(url: str, file_number: int):
    return sqlalchemy.create_engine(url)


def _engine_once(url: str, **options):
    """nbgrader opens the gradebook ten times for a submission; a new engine each time compiles every query anew."""
    path = Path(url.removeprefix("sqlite:///"))
    return _engine(url, path.stat().st_ino) if path.is_file() else sqlalchemy.create_engine(url, **options)


def _schema_version() -> str:
    """Of a new gradebook. nbgrader would call the `alembic` command, which takes a second and may not be on PATH."""
    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head()


nbgrader.api.create_engine = _engine_once
nbgrader.api.get_alembic_version = _schema_version


class RecordError(Exception):
    """nbgrader could not write one result; the text is its own last words."""


@dataclass
class Grade:
    """What the gradebook says of one submission, grades by hand included."""

    score: float
    max_score: float
    needs_manual_grade: bool
    seconds_late: float = 0
    due: str = ""  # when it was due, an extension included
    handed_in: str = ""  # the time that the gradebook knows

    def lateness(self) -> str:
        """What the late penalty was made from: changes when the work is handed in again or the due date is moved."""
        return f"handed in {self.handed_in or 'at no known time'}, due {self.due or 'never'}"


class _Recorder(Autograde):
    """Autograde for a submission that has been run and judged: its notebook is ``entry``'s, and only gets its grades.

    The submission may lack its file: the stages have said so; nbgrader alone would give a silent 0.
    """

    entry: Entry

    def convert_single_notebook(self, notebook_filename: str) -> None:
        resources = self.init_single_notebook_resources(notebook_filename)
        self._sanitizing = False  # of nbgrader's two conversions, the second
        self._init_preprocessors()
        notebook, resources = preprocessed(self.exporter, self.entry.notebook, resources)
        self.write_single_notebook(notebook_text(notebook), resources)

    def init_notebooks(self) -> None:
        folder = self._format_source(self.coursedir.assignment_id, self.coursedir.student_id)
        self.assignments = {folder: [os.path.join(folder, f"{self.coursedir.assignment_id}.ipynb")]}  # noqa: PTH118


class _Folders(CourseDirectory):
    """nbgrader's folders; a time of handing in that is none, or a pipe that nobody writes to, is no time."""

    def get_existing_timestamp(self, dest_path: str):
        text = handed_in_time(Path(dest_path))
        return parse_utc(text) if text else None


def _config(course: Course, lesson: str):
    config = nbgrader_config(course)
    config.CourseDirectory.root = str(course.root)
    config.CourseDirectory.db_url = "sqlite:///" + str(Classroom(course).gradebook)
    config.CourseDirectory.assignment_id = lesson
    return config


@contextmanager
def _converter(kind, config):
    """A converter whose log is kept; what it raises becomes a RecordError with nbgrader's words."""
    log = ConverterLog()
    converter = kind(coursedir=_Folders(config=config), config=config)
    converter.log = converter.coursedir.log = log.logger
    try:
        with warnings.catch_warnings():  # nbgrader's database layer warns about its own habits
            warnings.simplefilter("ignore")
            yield converter
    except (Exception, SystemExit) as error:
        raise RecordError(f"{error} {log.last_words()}".strip()) from error


def prepare(course: Course, lesson: str) -> None:
    """Tell the gradebook of a lesson's checks, if it does not know them yet or they have changed.

    ``notebooks/`` stays as it is: the release that nbgrader makes on the way goes to a scratch folder.

    Raises:
        CourseError: checks were added or removed after submissions had been graded.
    """
    solution = course.solution_notebook(lesson).read_bytes()
    stamp = course.classroom / "journal" / lesson / ".prepared"
    version = hashlib.sha256(solution).hexdigest()
    if _knows(course, lesson) and stamp.is_file() and stamp.read_text() == version:
        return
    _make_gradebook(Classroom(course).gradebook)
    config = _config(course, lesson)
    config.CourseDirectory.notebook_id = lesson
    config.GenerateAssignment.force = True
    with tempfile.TemporaryDirectory(prefix="course-release-") as scratch:
        config.CourseDirectory.release_directory = scratch
        try:
            with _converter(GenerateAssignment, config) as converter:
                converter.start()
        except RecordError as error:
            if "Cannot add or remove cells" in str(error) or "submissions associated" in str(error):
                raise CourseError(
                    f"The checks of {lesson} are not the ones that the gradebook has grades for (a check was added or "
                    "removed). Keep the old gradebook under another name (grades given by hand are in it), for "
                    "instance classroom/gradebook-old.db, and run `course grade` again."
                ) from error
            raise CourseError(f"nbgrader could not take {lesson} into the gradebook: {error}") from error
    write_if_changed(stamp, version)


def _make_gradebook(path: Path) -> None:
    """An empty gradebook that is there as a whole: nbgrader never finishes one that was begun."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    for left in path.parent.glob(f"{beside.name}*"):
        left.unlink()
    Gradebook(f"sqlite:///{beside}").close()
    beside.replace(path)


def _knows(course: Course, lesson: str) -> bool:
    if not Classroom(course).gradebook.is_file():
        return False
    with _gradebook(course) as gradebook:
        try:
            gradebook.find_notebook(lesson, lesson)
        except MissingEntry:
            return False
    return True


@contextmanager
def _gradebook(course: Course):
    with Gradebook("sqlite:///" + str(Classroom(course).gradebook)) as gradebook:
        yield gradebook


def record(course: Course, task: Task, entry: Entry) -> None:
    """Write one submission's result, which the journal holds, into the gradebook.

    Raises:
        RecordError: nbgrader refused.
    """
    config = _config(course, task.lesson)
    config.CourseDirectory.student_id = task.student
    config.CourseDirectory.ignore = ["*"]  # files beside the notebook are not copied: nothing here needs them
    config.Autograde.force = True
    done = ("RunStage", "VerdictStage")
    stages = config.Autograde.autograde_preprocessors
    config.Autograde.autograde_preprocessors = [stage for stage in stages if not stage.endswith(done)]
    with _converter(_Recorder, config) as converter:
        converter.entry = entry
        converter.start()
    _mark_recorded(course, task, entry)


def _mark_recorded(course: Course, task: Task, entry: Entry) -> None:
    """In the journal, after all is written: a grader killed before this line records the submission again."""
    with _gradebook(course) as gradebook:
        submission = gradebook.find_submission(task.lesson, task.student)
        lateness = _grade(submission).lateness()
    if entry.recorded != lateness:
        entry.recorded = lateness
        journal_of(course).write(task.lesson, task.student, entry)


def write_feedback(course: Course, task: Task) -> Path:
    """The page that the student gets, with the gradebook's scores and a person's comments.

    Raises:
        RecordError: nbgrader refused.
    """
    config = _config(course, task.lesson)
    config.CourseDirectory.student_id = task.student
    config.GenerateFeedback.force = True
    with _converter(GenerateFeedback, config) as converter:
        converter.start()
    return course.classroom / "feedback" / task.student / task.lesson / f"{task.lesson}.html"


def grades(course: Course) -> dict[tuple[str, str], Grade]:
    """``{(student, lesson): grade}`` of everything in the gradebook."""
    found = {}
    with _gradebook(course) as gradebook:
        for assignment in gradebook.assignments:
            for submission in assignment.submissions:
                found[submission.student_id, assignment.name] = _grade(submission)
    return found


def _grade(submission) -> Grade:
    due = submission.duedate if submission.assignment.duedate else None  # an extension of nothing is an error
    return Grade(
        submission.score,
        submission.max_score,
        submission.needs_manual_grade,
        submission.total_seconds_late if due else 0,
        str(due or ""),
        str(submission.timestamp or ""),
    )


def handed_in_at(task: Task) -> str:
    """The time in the submission's ``timestamp.txt``, as :attr:`Grade.handed_in` has it; "" where there is none."""
    text = handed_in_time(task.folder)
    return str(parse_utc(text)) if text else ""


def is_recorded(course: Course, task: Task, entry: Entry, grade: Grade | None) -> bool:
    """Whether the gradebook has this very result, from this time of handing in and due date, and nbgrader its file."""
    return bool(
        grade
        and entry.recorded == grade.lateness()
        and grade.handed_in == (handed_in_at(task) or grade.handed_in)
        and (course.classroom / "autograded" / task.student / task.lesson / f"{task.lesson}.ipynb").is_file()
    )
