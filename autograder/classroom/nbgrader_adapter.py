"""The stages in the places that nbgrader has for them: exporters, preprocessors, a hook (see nbgrader_config.py).

``nbgrader autograde`` and Formgrader's button convert twice: the submission to a clean notebook (stage 1), then that
to an executed one whose grades go into the gradebook (stages 2 to 4). What one stage tells the next travels as
plain data in the notebook's ``metadata.course``.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import nbformat
from nbconvert.exporters import Exporter, NotebookExporter
from nbgrader.api import Gradebook
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor, SaveAutoGrades
from traitlets import Bool, default

from ..notebooks import notebook_text
from ..paths import Course
from .journal import Entry, journal_of
from .submissions import HandedIn, hand_in
from ..grading.lesson import Lesson, read_lesson
from ..grading.grade import run_stage, verdict_stage
from .grading_lock import refuse_beside_another
from ..grading.intake import Intake, take_in
from ..reports.report import feedback_page
from ..grading.execute import CellRun, Limits, Run
from ..grading.sandbox import Kernels, choose_kernels, imported, not_for_submissions
from ..grading.report import Report


class ReleaseExporter(NotebookExporter):
    """``nbgrader generate_assignment`` writes the same bytes as ``course build``."""

    def from_notebook_node(self, nb, resources=None, **kwargs):
        text, resources = super().from_notebook_node(nb, resources, **kwargs)
        return notebook_text(nbformat.reads(text, as_version=4)), resources


def find_misnamed(assignment: str, student: str, notebooks: list[str]) -> None:
    """A hook before autograding: a single notebook of another name stands for the one that should be there.

    nbgrader would skip it as unknown and fail. ``notebooks`` is nbgrader's own list, changed in place.
    """
    expected = [path for path in notebooks if Path(path).stem == Path(path).parent.name]
    if notebooks and not expected:
        folder = Path(notebooks[0]).parent
        notebooks[:] = [str(folder / f"{folder.name}.ipynb")]
    elif expected:
        notebooks[:] = expected


def intake_of(handed: HandedIn, lesson: Lesson) -> Intake:
    """Stage 1 on a file: what was odd about the file joins what was odd inside it."""
    intake = take_in(handed.raw, lesson.solution, lesson.release)
    intake.mends[:0] = handed.mends
    if handed.flags:
        intake.flags = handed.flags + ([] if handed.raw is None else intake.flags)
    return intake


class StageExporter(NotebookExporter):
    """Stage 1 in the first conversion, whatever the file's bytes are; reads and writes plainly in the second."""

    def from_filename(self, filename, resources=None, **kwargs):
        if not self.parent._sanitizing:
            return super().from_filename(filename, resources=resources, **kwargs)
        course = Course(Path(self.parent.coursedir.root))
        refuse_beside_another(course)
        lesson = read_lesson(course, resources["nbgrader"]["assignment"])
        handed = hand_in(Path(filename).parent, lesson.name)
        intake = intake_of(handed, lesson)
        intake.notebook.metadata.course["intake"] = _intake_data(intake, handed.key(lesson))
        return self.from_notebook_node(intake.notebook, resources=resources, **kwargs)


def _intake_data(intake: Intake, key: str) -> dict:
    """What intake found, for the stages after it."""
    return {
        "key": key,
        "mends": intake.mends,
        "flags": intake.flags,
        "notes": intake.notes,
        "readable": intake.readable,
    }


def grade_to_entry(
    handed: HandedIn, lesson: Lesson, limits: Limits | None = None, kernels: Kernels | None = None
) -> Entry:
    """Stages 1 to 3 in one go, as an entry of the journal; the very notebook that the preprocessors would make."""
    intake, key = intake_of(handed, lesson), handed.key(lesson)
    executed, run = run_stage(intake, limits, kernels, lesson=lesson)
    report = verdict_stage(executed, run, lesson, intake)
    executed.metadata.course |= {
        "intake": _intake_data(intake, key),
        "run": asdict(run),
        "report": report.to_dict(),
    }
    return Entry(key, report, nbformat.from_dict(executed))


class _Stage(NbGraderPreprocessor):
    """A preprocessor that knows the course and whom it grades."""

    @property
    def course(self) -> Course:
        return Course(Path(self.parent.parent.coursedir.root))


class RunStage(_Stage):
    """Stage 2: execute the clean notebook."""

    unsafe = Bool(
        False, help="Run submissions without isolation, with your rights and among your files; every report says so."
    ).tag(config=True)

    def preprocess(self, nb, resources):
        data = nb.metadata.course.pop("intake")
        modules = imported(nbformat.writes(nb))
        with choose_kernels(self.unsafe, hidden=not_for_submissions(self.course), modules=modules) as kernels:
            lesson = read_lesson(self.course, nb.metadata.course.lesson)
            executed, run = run_stage(_intake(nb, data), kernels=kernels, lesson=lesson)
        executed.metadata.course["intake"] = data
        executed.metadata.course["run"] = asdict(run)
        return executed, resources


def _intake(nb, data) -> Intake:
    return Intake(nb, list(data["mends"]), list(data["flags"]), list(data["notes"]), data["readable"])


class VerdictStage(_Stage):
    """Stage 3: judge what was run, and put the result into the journal."""

    def preprocess(self, nb, resources):
        about, course = resources["nbgrader"], nb.metadata.course
        cells = {key: CellRun(**record) for key, record in course.run["cells"].items()}
        run = Run(cells, course.run.problem, course.run.seconds)
        report = verdict_stage(nb, run, read_lesson(self.course, about["assignment"]), _intake(nb, course.intake))
        course["report"] = report.to_dict()
        entry = Entry(course.intake.key, report, nb)
        journal_of(self.course).write(about["assignment"], about["student"], entry)
        return nb, resources


class _FoundAtOnce:
    """Grades and comments of a submitted notebook by two queries; nbgrader asks for each by a join of seven tables."""

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            notebook = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            known = notebook.notebook
            cells = {cell.id: cell.name for cell in (*known.grade_cells, *known.solution_cells, *known.task_cells)}
            self.grades = {cells[grade.cell_id]: grade for grade in notebook.grades}
            self.comments = {cells[comment.cell_id]: comment for comment in notebook.comments}
            for index, cell in enumerate(nb.cells):
                self.preprocess_cell(cell, resources, index)
            self.finish(gradebook, notebook.student)
        return nb, resources

    def finish(self, gradebook: Gradebook, student) -> None:
        """After the last cell, while the gradebook is open."""


class RecordStage(_FoundAtOnce, SaveAutoGrades):
    """Stage 4: our verdict into nbgrader's gradebook. Grades given by hand are kept."""

    def preprocess(self, nb, resources):
        self.report = Report.from_dict(nb.metadata.course.report)
        self.results = {check.name: check for check in self.report.checks}
        return super().preprocess(nb, resources)

    def finish(self, gradebook, student) -> None:
        if student.last_name is None and student.first_name is None:
            # Formgrader shows people by name, and somebody without one as "None, None"; their id says more
            student.last_name, student.first_name = student.id, ""
        gradebook.db.commit()  # the submission's grades at once: a grader that dies leaves all or none

    def _add_score(self, cell, resources) -> None:
        name = cell.metadata.nbgrader["grade_id"]
        grade, result = self.grades[name], self.results.get(name)
        grade.auto_score = result.points if result else 0  # no verdict, no points
        by_hand = grade.manual_score is not None
        grade.needs_manual_grade = grade.auto_score is None or by_hand or self.report.needs_person

    def _add_comment(self, cell, resources) -> None:
        exercise = cell.metadata.nbgrader["grade_id"]
        comment = self.comments[exercise]
        messages = {check.message for check in self.report.checks if check.exercise == exercise}
        nothing = bool(messages) and messages <= {"Not written yet.", "Nothing was written here."}
        comment.auto_comment = " ".join(self.report.flags) or ("No response." if nothing else None)


class GradesStage(_FoundAtOnce, GetGrades):
    """Before feedback: the gradebook's scores and comments into the notebook."""

    def _get_comment(self, cell, resources) -> None:
        cell.metadata.nbgrader["comment"] = self.comments[cell.metadata.nbgrader["grade_id"]].comment

    def _get_score(self, cell, resources) -> None:
        grade = self.grades[cell.metadata.nbgrader["grade_id"]]
        cell.metadata.nbgrader |= {"score": grade.score, "points": grade.max_score}


def preprocessed(exporter: Exporter, nb, resources):
    """The notebook and resources after an exporter's preprocessors, without the copies that nbconvert makes before."""
    resources = exporter._init_resources(resources)
    for preprocessor in exporter._preprocessors:
        nb, resources = preprocessor(nb, resources)
    return nb, resources


class FeedbackExporter(Exporter):
    """What a learner gets back: our report page with the gradebook's scores and comments, without hidden tests."""

    output_mimetype = "text/html"

    @default("file_extension")
    def _file_extension_default(self):
        return ".html"

    def from_notebook_node(self, nb, resources=None, **kwargs):
        nb, resources = preprocessed(self, nb, resources)
        resources["output_suffix"] = ""
        return feedback_page(nb, resources["nbgrader"]["student"]), resources
