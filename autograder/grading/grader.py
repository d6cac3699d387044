"""Stages 1 to 3 in one call: bytes in, a report and an executed notebook out."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from .. import __version__
from ..errors import CourseError
from ..paths import Course
from .intake import Intake, take_in
from .run import Limits, Run, run_notebook
from .sandbox import Kernels
from .verdict import Report, exercise_titles, judge


@dataclass(frozen=True)
class Lesson:
    """What grading knows of a lesson: the instructor's and the learner's notebook of one build."""

    name: str
    solution_text: str
    release_text: str

    @property
    def solution(self) -> NotebookNode:
        return _parsed(self.solution_text)

    @property
    def release(self) -> NotebookNode:
        return _parsed(self.release_text)

    @property
    def stubs(self) -> dict[str, str]:
        """``{cell id: text}`` of all cells as learners get them."""
        return {cell.id: cell.source for cell in self.release.cells}

    @property
    def version(self) -> str:
        """Changes when the lesson, its tests or the grader change."""
        return hashlib.sha256(f"{grader_version()}\0{self.solution_text}\0{self.release_text}".encode()).hexdigest()


@lru_cache(maxsize=64)
def _parsed(text: str) -> NotebookNode:
    return nbformat.reads(text, as_version=4)  # callers copy before they change anything


@lru_cache(maxsize=1)
def grader_version() -> str:
    """Of the grader's own code and of the interpreter that runs the notebooks."""
    code = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        code.update(path.read_bytes())
    return f"{__version__} {code.hexdigest()} {sys.version_info[:3]}"


def read_lesson(course: Course, name: str) -> Lesson:
    """The lesson's two notebooks.

    Raises:
        CourseError: one of them has not been built.
    """
    paths = [course.solution_notebook(name), course.release_notebook(name)]
    for path in paths:
        if not path.is_file():
            raise CourseError(f"{path.relative_to(course.root)} does not exist yet. Run `course build {name[:2]}`.")
    return Lesson(name, *(path.read_text(encoding="utf-8") for path in paths))


def grade_submission(
    raw: bytes | None,
    lesson: Lesson,
    limits: Limits | None = None,
    kernels: Kernels | None = None,
    checks_in_kernel: bool = False,
) -> tuple[NotebookNode, Report]:
    """Grade one submission; never raises for what is in it.

    Args:
        raw: the submitted file's bytes; None where none was handed in.
        kernels: how its kernel is started (see :mod:`autograder.grading.sandbox`); plainly by default.
        checks_in_kernel: run checks as the learner's own notebook does, where the learner's code can reach them.

    Returns:
        the executed clean notebook (unexecuted where nothing could be read), and the report.
    """
    intake = take_in(raw, lesson.solution, lesson.release)
    executed, run = run_stage(intake, limits, kernels, checks_in_kernel)
    return executed, verdict_stage(executed, run, lesson, intake)


def run_stage(
    intake: Intake, limits: Limits | None = None, kernels: Kernels | None = None, checks_in_kernel: bool = False
) -> tuple[NotebookNode, Run]:
    """Run what intake made; a submission that could not be read is not run."""
    if not intake.readable:
        return intake.notebook, Run(problem="Nothing could be read, so nothing was run.")
    return run_notebook(intake.notebook, limits, kernels, checks_in_kernel)


def verdict_stage(executed: NotebookNode, run: Run, lesson: Lesson, intake: Intake) -> Report:
    """The report of a submission; where nothing could be read, its checks say so."""
    report = Report(
        lesson.name,
        judge(executed, run, lesson.stubs),
        intake.mends,
        intake.flags,
        [*intake.notes, *([run.notice] if run.notice else [])],
        intake.readable,
        run.problem if intake.readable else "",
        run.seconds,
        exercise_titles(lesson.release),
    )
    if not intake.readable:
        for check in report.checks:
            check.message = "Not graded: " + intake.flags[0]
    return report
