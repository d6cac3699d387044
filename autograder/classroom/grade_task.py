"""One submission of a class, from its folder into the journal, for ``course grade`` and nbgrader's Autograde alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..grading.display import clean_for_display
from ..grading.execute import Options
from ..grading.grade import Graded, grade_submission
from ..grading.lesson import Lesson
from ..grading.submission import Submission
from ..notebooks import executed_text
from .journal import Entry, Journal
from .submissions import Task, key_of, read_submission_of

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
        OSError: the journal cannot be written. Whatever is raised, nothing is kept: it would not be a result.
    """
    submission = read_submission_of(task)
    seed = journal.seed(task)
    graded = (grade or grade_submission)(submission, lesson, replace(options, seed=seed))
    # whatever shows it, what was handed in must not act: nothing of a learner's is kept otherwise
    harmless = clean_for_display(graded.notebook)
    entry = Entry(key_of(submission, lesson), graded.report, executed_text(harmless), seed)
    if not keep():
        return None
    journal.write(task, entry)
    return entry


def is_graded(task: Task, lesson: Lesson, journal: Journal) -> bool:
    """Whether the journal has a result of this very submission, lesson and grader."""
    return journal.key(task) == key_of(read_submission_of(task), lesson)
