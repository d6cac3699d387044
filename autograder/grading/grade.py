"""Stages 1 to 3 in one call: bytes in, a report and an executed notebook out."""

from __future__ import annotations

from nbformat import NotebookNode

from .execute import Limits, Run, run_notebook
from .intake import Intake, take_in
from .lesson import Lesson
from .report import Report
from .sandbox import Kernels
from .verdict import exercise_titles, judge


def grade_submission(
    raw: bytes | None,
    lesson: Lesson,
    limits: Limits | None = None,
    kernels: Kernels | None = None,
    checks_in_kernel: bool = False,
    seed: int = 0,
) -> tuple[NotebookNode, Report]:
    """Grade one submission; never raises for what is in it.

    Args:
        raw: the submitted file's bytes; None where none was handed in.
        kernels: how its kernel is started (see :mod:`autograder.grading.sandbox`); plainly by default.
        checks_in_kernel: run checks as the learner's own notebook does, where the learner's code can reach them.
        seed: from which hidden checks draw their inputs; the same for every run of a learner's submission.

    Returns:
        the executed clean notebook (unexecuted where nothing could be read), and the report.
    """
    intake = take_in(raw, lesson.solution, lesson.release)
    executed, run = run_stage(intake, limits, kernels, checks_in_kernel, lesson, seed)
    return executed, verdict_stage(executed, run, lesson, intake)


def run_stage(
    intake: Intake,
    limits: Limits | None = None,
    kernels: Kernels | None = None,
    checks_in_kernel: bool = False,
    lesson: Lesson | None = None,
    seed: int = 0,
) -> tuple[NotebookNode, Run]:
    """Run what intake made; a submission that could not be read is not run."""
    if not intake.readable:
        return intake.notebook, Run(problem="Nothing could be read, so nothing was run.")
    solution = lesson.solution if lesson else None
    return run_notebook(intake.notebook, limits, kernels, checks_in_kernel, solution, seed)


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
