"""Due dates, extensions, and what lateness costs.

A due date lives in nbgrader's gradebook, where Formgrader shows and sets it, too. An extension is a date of its own, in
``classroom/extensions.json``: nbgrader can keep one only for somebody who has handed in. The cost is set in
``[tool.course]`` of ``pyproject.toml``.
"""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import Any

from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

from ..errors import CourseError
from ..files import write_if_changed
from ..nbgrader_glue import nbgrader_config
from ..paths import Course

DAY = 24 * 60 * 60  # seconds
CENT = 0.01  # points are rounded to this


class LatePenalty(LateSubmissionPlugin):
    """Takes a share of the points for each begun day; nbgrader's own ``penalty_method = "zero"`` takes all."""

    percent_per_day = Float(0, min=0, max=100, help="Of the points, for each begun day late.").tag(config=True)
    percent_at_most = Float(100, min=0, max=100, help="The most that is taken off.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        """Points to take off; called by nbgrader when it records a submission, and by :func:`renew`."""
        if self.penalty_method == "zero":
            return score
        percent = min(self.percent_at_most, self.percent_per_day * math.ceil(total_seconds_late / DAY))
        return round(max(0.0, score) * percent / 100 / CENT) * CENT if percent else None


def extensions(course: Course) -> dict[str, dict[str, datetime]]:
    """``{lesson: {student: until when}}``, as UTC without saying so, like nbgrader's times.

    Raises:
        CourseError: the file was damaged.
    """
    path = course.classroom / "extensions.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return {
            lesson: {student: datetime.fromisoformat(until) for student, until in those.items()}
            for lesson, those in data.items()
        }
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise CourseError(
            f"classroom/extensions.json cannot be read ({error}). Mend it, or remove it and give the extensions anew."
        ) from error


def extend(course: Course, lesson: str, student: str, until: datetime | None) -> None:
    """Write one learner's extension, or take it back with None."""
    known = extensions(course)
    those = known.setdefault(lesson, {})
    those.pop(student, None)
    if until is not None:
        those[student] = until
    data = {name: {who: str(when) for who, when in sorted(which.items())} for name, which in known.items() if which}
    write_if_changed(course.classroom / "extensions.json", json.dumps(data, indent=1) + "\n")


def renew(course: Course, gradebook: Gradebook, only: SubmittedAssignment | None = None) -> None:
    """Bring extensions and penalties up to date with due dates, policy and points; of one submission where it is named.

    nbgrader does it only when a submission is recorded: points that a person gave later, and a date or policy that was
    changed later, would not count. Called before pages and tables are made.
    """
    config = nbgrader_config(course)
    plugin, given = LatePenalty(config=config), extensions(course)
    every = (one for assignment in gradebook.assignments for one in assignment.submissions if assignment.duedate)
    for submission in every if only is None else [only]:
        if submission.assignment.duedate:  # nbgrader takes an extension of nothing for an error
            apply_extension(submission, given)
        _penalise(submission, plugin)
    gradebook.db.commit()


def apply_extension(submission: SubmittedAssignment, given: dict[str, dict[str, datetime]]) -> None:
    """Give nbgrader's submission the extension that its learner has; what was given in nbgrader itself stays."""
    due = submission.assignment.duedate
    until = given.get(submission.assignment.name, {}).get(submission.student_id)
    if due and until:
        submission.extension = max(until, due) - due


def _penalise(submission: SubmittedAssignment, plugin: LatePenalty) -> None:
    late = submission.total_seconds_late if submission.assignment.duedate else 0
    if late <= 0 and not submission.late_submission_penalty:
        return  # as nearly all: their notebooks need not be fetched
    for notebook in submission.notebooks:
        points = plugin.late_submission_penalty(submission.student_id, notebook.score, late) if late > 0 else None
        penalty: Any = None if points is None else min(max(0.0, points), max(0.0, notebook.score))
        if notebook.late_submission_penalty != penalty:
            notebook.late_submission_penalty = penalty


def as_utc(text: str) -> datetime:
    """A date as a teacher writes it, in this machine's time zone unless it names one, as UTC without saying so.

    Raises:
        CourseError: it is no date.
    """
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise CourseError(f"{text!r} is no date. Write it like 2026-12-01, or '2026-12-01 18:00'.") from error
    if len(text.strip()) <= len("2026-12-01"):
        when = when.replace(hour=23, minute=59, second=59)  # a day ends with its evening
    return when.astimezone(UTC).replace(tzinfo=None)


def as_local(when: datetime) -> str:
    """Such a time for people, in this machine's time zone."""
    return f"{when.replace(tzinfo=UTC).astimezone():%Y-%m-%d %H:%M}"


def policy(course: Course) -> str:
    """What lateness costs, as a sentence."""
    plugin = LatePenalty(config=nbgrader_config(course))
    if plugin.penalty_method == "zero":
        return "Late work gets no points."
    if not plugin.percent_per_day:
        return "Lateness is shown and costs nothing (late_percent_per_day in [tool.course] of pyproject.toml)."
    most = f", at most {plugin.percent_at_most:g} %" if plugin.percent_at_most < 100 else ""
    return f"Each begun day late costs {plugin.percent_per_day:g} % of the points{most}."
