"""A submission's whole way, for everybody who grades: bytes in, a report and the executed notebook out."""

from __future__ import annotations

from dataclasses import dataclass, field

from nbformat import NotebookNode

from .execute import Executed, Options, execute
from .intake import take_in
from .lesson import Lesson
from .report import Report
from .submission import Submission
from .verdict import names_of_broken, report_of


@dataclass
class Graded:
    """One submission after grading; nothing of it is in a gradebook yet."""

    report: Report
    notebook: NotebookNode  # clean, and executed unless nothing could be read
    broken: list[str] = field(default_factory=list)  # names of checks that could not be run: no fault of the learner's


def grade_submission(submission: Submission, lesson: Lesson, options: Options | None = None) -> Graded:
    """Grade one submission: ``course grade``, ``course check``, nbgrader's commands and the answer bank all come here.

    Never raises for what is in the submission.

    Raises:
        CourseError: the lesson is not built in one piece, or this machine cannot start what judges checks.
    """
    clean = take_in(submission, lesson)
    executed = execute(clean.notebook, options, lesson.solution) if clean.readable else Executed(clean.notebook)
    report = report_of(executed, clean, lesson)
    return Graded(report, executed.notebook, names_of_broken(report.checks, executed))
