"""Our stages in the places that nbgrader has for them: exporters, a preprocessor, a hook (see nbgrader_config.py).

``nbgrader autograde`` and Formgrader's button convert twice: from the submission to an autograded notebook, then from
that one once more, for the gradebook. Here the first conversion grades, as ``course grade`` does, and puts the result
into the journal; the second records it from there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters import Exporter, NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import SaveAutoGrades
from traitlets import Bool, default

from ..errors import CourseError
from ..grading.execute import Options
from ..grading.lesson import read_lesson
from ..grading.sandbox import choose_kernels, imported, not_for_submissions
from ..paths import Course
from ..reports.feedback import feedback_page
from . import handing_over  # nbgrader's converters pass on no files and hold the class from here on
from .grade_task import grade_task
from .gradebook import MadeOf, made_of, marks_of, note_made_of, renew_lateness
from .journal import Recorded, journal_of
from .late import apply_extension, extensions
from .recording import give_name, handed_in_at, is_of, take_comment, take_score
from .submissions import Classroom, Task, odd_time_of_one


def find_misnamed(assignment: str, student: str, notebooks: list[str]) -> None:
    """A hook before autograding: a single notebook of another name stands for the one that should be there.

    nbgrader would skip it as unknown and fail. ``notebooks`` is nbgrader's own list, changed in place.
    """
    expected = [path for path in notebooks if Path(path).name == f"{Path(path).parent.name}.ipynb"]
    if notebooks and not expected:
        folder = Path(notebooks[0]).parent
        notebooks[:] = [str(folder / f"{folder.name}.ipynb")]
    elif expected:
        notebooks[:] = expected


def task_of(course: Course, resources: dict) -> Task:
    """Whose submission nbgrader is at, from what it tells its exporters and preprocessors."""
    student, lesson = resources["nbgrader"]["student"], resources["nbgrader"]["assignment"]
    return Task(student, lesson, Classroom(course).submitted / student / lesson)


def course_of(exporter: Exporter) -> Course:
    """The course that nbgrader's converter, which made this exporter, works in."""
    converter: Any = exporter.parent
    return Course(Path(converter.coursedir.root))


class GradingExporter(NotebookExporter):
    """nbgrader's first conversion grades; in the second it only records."""

    unsafe = Bool(
        False, help="Run submissions without isolation, with your rights and among your files; every report says so."
    ).tag(config=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.parent is None or not hasattr(self.parent, "_sanitizing"):
            return  # nbconvert makes one of every exporter that it knows of, to ask for its name
        try:  # nbgrader makes its exporter before it touches anything, so a refusal leaves everything as it was
            choose_kernels(self.unsafe).close()
        except CourseError as error:
            handing_over.refuse(self.parent, error)

    @property
    def course(self) -> Course:
        return course_of(self)

    def from_filename(self, filename: str, resources: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        converter: Any = self.parent
        if not converter._sanitizing:
            return super().from_filename(filename, resources=resources, **kwargs)
        task = task_of(self.course, resources)
        lesson = read_lesson(self.course, task.lesson)
        modules = imported(lesson.solution_text)
        hidden = not_for_submissions(self.course)
        with choose_kernels(self.unsafe, hidden=hidden, modules=modules) as kernels:
            entry = grade_task(task, lesson, journal_of(self.course), Options(kernels=kernels))
        assert entry is not None  # nobody can tell this one to stop
        return entry.notebook_text, self._init_resources(resources) | {"output_extension": self.file_extension}


class RecordScores(SaveAutoGrades):
    """The journal's result into nbgrader's gradebook. Grades given by hand are kept.

    Grades and comments of a submission come by two queries; nbgrader asks for each by a join of seven tables.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        about = resources["nbgrader"]
        course = Course(Path(self.parent.parent.coursedir.root))
        task, journal = task_of(course, resources), journal_of(course)
        report = journal.report(task)
        if report is None:
            raise NbGraderException("There is no result in the journal. Grade this submission again.")
        self.report, self.results = report, {check.name: check for check in report.checks}
        with Gradebook(about["db_url"]) as gradebook:
            notebook = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            submission, known = notebook.assignment.id, notebook.notebook
            _, self.same_work = is_of(made_of(gradebook, [submission]).get(submission), journal, task)
            cells = {cell.id: cell.name for cell in (*known.grade_cells, *known.solution_cells, *known.task_cells)}
            self.grades = {cells[grade.cell_id]: grade for grade in notebook.grades}
            self.comments = {cells[comment.cell_id]: comment for comment in notebook.comments}
            for index, cell in enumerate(nb.cells):
                self.preprocess_cell(cell, resources, index)
            give_name(notebook.student)
            notebook.assignment.timestamp = handed_in_at(task)  # nbgrader keeps an earlier one's
            apply_extension(notebook.assignment, extensions(course))  # before the next step asks how late it is
            note_made_of(gradebook, {submission: MadeOf(journal.result(task), journal.content(task))})
            gradebook.db.commit()  # the submission's grades at once: a grader that dies leaves all or none
            # `course grade` adds what lateness costs
            journal.note(task, Recorded(gradebook="by nbgrader", in_book=True))
        return nb, resources

    def _add_score(self, cell: NotebookNode, resources: dict) -> None:
        name = cell.metadata.nbgrader["grade_id"]
        take_score(self.grades[name], self.report, self.results.get(name), same_work=self.same_work)

    def _add_comment(self, cell: NotebookNode, resources: dict) -> None:
        exercise = cell.metadata.nbgrader["grade_id"]
        take_comment(self.comments[exercise], self.report, exercise, self.same_work)


class FeedbackExporter(Exporter):
    """``nbgrader generate_feedback``: our page with the gradebook's scores and comments, without hidden checks."""

    output_mimetype = "text/html"

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".html"

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        resources = self._init_resources(resources)
        course = course_of(self)
        task = task_of(course, resources)
        journal = journal_of(course)
        entry = journal.read(task)
        assert entry is not None  # handing_over asks before anything is touched
        renew_lateness(course, task)  # points that a person gave since, or dates, may have changed what it costs
        journal.forget_page(task)  # this one takes its place
        marks = marks_of(course, task.lesson, task.student)[task.student]
        resources["output_suffix"] = ""
        odd = odd_time_of_one(task, marks.is_due)
        return feedback_page(entry.report, entry.notebook, marks, task.student, odd), resources
