"""What is known of one submission after grading, for tables and for the class report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import CourseError, why_refused
from ..grading.lesson import Lesson, read_lesson
from ..grading.report import Report
from ..grading.text import clean
from ..paths import Course
from .journal import Journal
from .submissions import CLOSED, Task, content_of, key_of, odd_time, read_submission_of, unread

if TYPE_CHECKING:
    from .gradebook import Grade

AGAIN = (
    "Something else was handed in, and is not graded or not recorded yet. The points are of what was handed in before."
)
OTHER_VERSION = (
    "Since this was graded, the lesson, the grader or the file's name or time was changed. "
    "A run for all grades it again."
)
NOT_READ = "What was handed in cannot be read now ({}). The points are of what was read before."


@dataclass
class Outcome:
    """One submission after grading: the certain points are the gradebook's, grades by hand and penalties included."""

    task: Task
    report: Report | None  # None: it has never been graded, or the journal cannot be read
    score: float = 0
    max_score: float = 0
    waits: bool = True  # something is still to be graded or looked at by a person
    failure: str = ""  # why it could not be graded or recorded
    seconds_late: float = 0
    odd_time: str = ""  # why that time is not to be believed without a look
    handed_in: str = ""  # the time that the gradebook has, which is that of timestamp.txt; "" where there is none
    by_hand: bool = False  # a person set some of its points
    answer_waits: bool = True  # if there are written answers, nobody has graded some of them
    of_before: bool = False  # points that a person set for a check, or added, stay over a result that came later

    @property
    def is_known_by_hand(self) -> bool:
        """A person gave points for this very work; those of what was handed in before wait until they hold."""
        return self.by_hand and not self.of_before

    @property
    def failed(self) -> bool:
        """Not graded to its end, or not recorded."""
        return bool(self.failure or self.report is None or self.report.problem or not self.report.readable)


def outcome_of(task: Task, report: Report | None, grade: Grade | None, failure: str = "") -> Outcome:
    """What a report, and the gradebook's :class:`~.gradebook.Grade` where there is one, come to."""
    odd = odd_time(task, bool(grade and grade.due)) if report or grade else ""
    if grade is None:
        if report is None:
            return Outcome(task, None, failure=failure)
        return Outcome(task, report, report.score, report.max_score, True, failure, odd_time=odd)
    return Outcome(
        task,
        report,
        grade.score,
        grade.max_score,
        grade.needs_manual_grade or bool(failure),
        failure,
        seconds_late=grade.seconds_late,
        odd_time=odd,
        handed_in=grade.handed_in,
        by_hand=grade.by_hand,
        answer_waits=grade.answer_waits or bool(failure),
        of_before=grade.of_before,
    )


def lesson_of(course: Course, name: str) -> Lesson | None:
    """A lesson whose results are shown; None where it cannot be read now, for instance as it is not built."""
    try:
        return read_lesson(course, name)
    except (CourseError, OSError, ValueError):
        return None


def why_not_of_now(task: Task, journal: Journal, lesson: Lesson | None) -> str:
    """Why the journal's result may not be that of a run now, as a sentence; "" where it is.

    Where there is no ``lesson``, its version is not asked for.
    """
    try:
        submission = read_submission_of(task)
    except OSError as error:
        report = journal.report(task)
        if error.errno in CLOSED and report and not report.handed_in:
            return AGAIN
        if journal.content(task) == content_of(unread(error)):  # the result itself says so
            return ""
        return NOT_READ.format(clean(why_refused(error)))
    graded, key = journal.content(task), journal.key(task)
    if graded and graded != content_of(submission, graded):
        return AGAIN
    return OTHER_VERSION if lesson and key and key != key_of(submission, lesson) else ""
