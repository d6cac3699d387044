"""One submission of a class, from its folder into the journal, for ``course grade`` and nbgrader's Autograde alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.machinery import PathFinder

from ..grading.display import clean_for_display
from ..grading.execute import Options
from ..grading.grade import Graded, grade_submission
from ..grading.lesson import Lesson
from ..grading.report import Report
from ..grading.sandbox.kernels import UNSAFE
from ..grading.submission import Submission
from ..grading.verdict import missing_modules
from ..notebooks import executed_text
from .journal import Entry, Journal
from .submissions import CLOSED, Task, content_of, key_of, read_submission_of, seed_of, unread

# Grades one submission: here, or on another machine.
GradeFunction = Callable[[Submission, Lesson, Options], Graded]


def grade_task(
    task: Task,
    lesson: Lesson,
    journal: Journal,
    options: Options,
    keep: Callable[[], bool] = lambda: True,
    grade: GradeFunction | None = None,
) -> Entry | None:
    """Grade what lies in a task's folder and put the result into the journal.

    Args:
        keep: asked right before the result is kept: a grader that was told to stop may have spoilt it.
        grade: grades it, here unless given; a cluster's sends it to a worker.

    Returns:
        the journal's new entry; None where it was not kept.

    Raises:
        CourseError: this machine cannot judge checks, or the lesson is not built in one piece.
        OSError: the journal cannot be written, or what was read before cannot be read now. Whatever is raised, nothing
            is kept: it would not be a result.
    """
    submission = read_work(task, journal)
    seed = journal.seed(task)
    draws = seed_of(seed, submission)
    graded = (grade or grade_submission)(submission, lesson, replace(options, seed=draws))
    # whatever shows it, what was handed in must not act: nothing of a learner's is kept otherwise
    harmless = clean_for_display(graded.notebook)
    about = key_of(submission, lesson), content_of(submission, journal.content(task))
    limit = options.limits.cell_seconds
    lacks = [module for module in missing_modules(graded.report) if not _is_here(module)]
    entry = Entry(about[0], graded.report, executed_text(harmless), seed, limit, about[1], lacks)
    if not keep():
        return None
    journal.write(task, entry)
    return entry


def read_work(task: Task, journal: Journal) -> Submission:
    """What was handed in. What is closed to this account is a result, and flagged, where there is none of before.

    Raises:
        OSError: it cannot be read. A class that somebody copied by hard links keeps its results.
    """
    try:
        return read_submission_of(task)
    except OSError as error:
        before, nothing = journal.report(task), unread(error)
        if error.errno not in CLOSED or (before and before.handed_in and journal.content(task) != content_of(nothing)):
            raise
        return nothing


def is_graded(task: Task, lesson: Lesson, journal: Journal, cell_seconds: float, isolated: bool = False) -> bool:
    """Whether the journal has a result of this very submission, lesson and grader.

    One that was made with less time for a cell than ``cell_seconds`` counts only where time cost nothing: where the run
    got to its end and every check passed. One that was made without isolation counts only where there is none now, and
    one that lacked a package until that is here. It is not made anew meanwhile: what is missing a learner says, and who
    guesses would guess at every run.
    """
    if journal.key(task) != key_of(read_submission_of(task), lesson):
        return False
    report = journal.report(task)
    if report and isolated and UNSAFE in report.notes:
        return False
    if any(map(_is_here, journal.lacks(task))):
        return False
    return journal.cell_seconds(task) >= cell_seconds or _is_all_right(report)


def _is_here(module: str) -> bool:
    """Whether this machine may have a module: its package is there. Nothing is imported, for a learner names it."""
    return PathFinder.find_spec(module.partition(".")[0]) is not None


def _is_all_right(report: Report | None) -> bool:
    if report is None or report.problem:
        return False
    points, of = report.automatic
    return points == of
