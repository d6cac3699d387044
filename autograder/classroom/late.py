"""Due dates, extensions, and what lateness costs.

A due date lives in nbgrader's gradebook, where Formgrader shows and sets it, too. An extension is a date of its own, in
``classroom/extensions.json``: nbgrader can keep one only for somebody who has handed in. The cost is set in
``[tool.course]`` of ``pyproject.toml``.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from datetime import UTC, datetime, tzinfo
from typing import Any

from nbgrader.api import Assignment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.plugins import LateSubmissionPlugin
from sqlalchemy import func, or_
from sqlalchemy.orm import contains_eager
from traitlets import Float

from ..errors import CourseError
from ..files import write_if_changed
from ..nbgrader_glue import nbgrader_config
from ..paths import Course

DAY = 24 * 60 * 60  # seconds
CENT = 0.01  # points are rounded to this
YEARS = range(1971, 9999)  # before and after these, a time has no place in some zone


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
            lesson: {student: _utc(datetime.fromisoformat(until), UTC) for student, until in those.items()}
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
    plugin, given = LatePenalty(config=nbgrader_config(course)), extensions(course)
    query = (
        gradebook.db.query(SubmittedNotebook).join(SubmittedNotebook.assignment).join(SubmittedAssignment.assignment)
    )
    query = query.options(contains_eager(SubmittedNotebook.assignment).contains_eager(SubmittedAssignment.assignment))
    due_or_lost = or_(Assignment.duedate.is_not(None), SubmittedNotebook.late_submission_penalty.is_not(None))
    chosen = due_or_lost if only is None else SubmittedAssignment.id == only.id
    by_submission: dict[SubmittedAssignment, list[SubmittedNotebook]] = defaultdict(list)
    for notebook in query.filter(chosen):
        by_submission[notebook.assignment].append(notebook)
    for submission in by_submission:
        apply_extension(submission, given)
    concerned = {one: those for one, those in by_submission.items() if seconds_late(one) > 0 or any(map(_lost, those))}
    scores = _scores(gradebook, chosen) if concerned else {}
    for submission, notebooks in concerned.items():
        penalise(submission, {notebook: scores.get(notebook.id, 0.0) for notebook in notebooks}, plugin)
    gradebook.db.commit()


def _lost(notebook: SubmittedNotebook) -> bool:
    return bool(notebook.late_submission_penalty)


def _scores(gradebook: Gradebook, chosen: Any) -> dict[str, float]:
    """``{id of a submitted notebook: points}``, by one query; nbgrader asks once for each, and reads all grades."""
    query = gradebook.db.query(Grade.notebook_id, func.sum(Grade.score)).join(Grade.notebook)
    query = query.join(SubmittedNotebook.assignment).join(SubmittedAssignment.assignment)
    return dict(query.filter(chosen).group_by(Grade.notebook_id).all())


def apply_extension(submission: SubmittedAssignment, given: dict[str, dict[str, datetime]]) -> None:
    """Give nbgrader's submission the extension that its learner has; what was given in nbgrader itself stays."""
    due = submission.assignment.duedate
    until = given.get(submission.assignment.name, {}).get(submission.student_id) if due else None
    if until:  # nbgrader takes an extension of nothing for an error
        submission.extension = max(until, due) - due


def seconds_late(submission: SubmittedAssignment) -> float:
    """How late it was handed in, its extension counted; nbgrader's own property fails where nothing is due."""
    return float(submission.total_seconds_late) if submission.assignment.duedate else 0.0


def penalise(submission: SubmittedAssignment, scores: dict[SubmittedNotebook, float], plugin: LatePenalty) -> None:
    """Set what lateness costs; ``scores`` has the points of each of the submission's notebooks."""
    late = seconds_late(submission)
    for notebook, score in scores.items():
        points = plugin.late_submission_penalty(submission.student_id, score, late) if late > 0 else None
        penalty: Any = None if points is None else min(max(0.0, points), max(0.0, score))
        if notebook.late_submission_penalty != penalty:
            notebook.late_submission_penalty = penalty


def as_utc(text: str) -> datetime:
    """A date as a teacher writes it, in this machine's time zone unless it names one, as UTC without saying so.

    Raises:
        CourseError: it is no date, or one in no year that a class can have.
    """
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise CourseError(f"{text!r} is no date. Write it like 2026-12-01, or '2026-12-01 18:00'.") from error
    if len(text.strip()) <= len("2026-12-01"):
        when = when.replace(hour=23, minute=59, second=59)  # a day ends with its evening
    try:
        return _utc(when)
    except ValueError as error:
        raise CourseError(f"{text!r} is no date of a class: {error}. Write it like 2026-12-01.") from error


def _utc(when: datetime, zone: tzinfo | None = None) -> datetime:
    """A time as UTC without saying so; one that names no zone is of ``zone``, by default this machine's.

    Raises:
        ValueError: it lies where times cannot be moved from zone to zone.
    """
    if when.year not in YEARS:
        raise ValueError(f"years go from {YEARS[0]} to {YEARS[-1]}")
    if when.tzinfo is None and zone is not None:
        when = when.replace(tzinfo=zone)
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
