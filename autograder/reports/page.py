"""Results for people: tables in the terminal, and one self-contained HTML page (no network, readable by machines)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import jinja2
from markupsafe import Markup
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ..grading.checks.card import CARD_FIELDS, card_rows, result_card
from ..grading.report import CheckResult, Report, Status


def number(value: float) -> str:
    """Points without needless decimals: ``2``, ``1.5``."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # a zero has no sign


def state(check: CheckResult) -> str:
    """A sign and a word: never colour alone."""
    if check.by_hand and not check.written:
        return "✎ points set by a person"
    if check.written and check.detail == OF_EARLIER_WORK:
        return "✎ graded by hand before; this answer waits to be read"
    if check.written:
        return WRITTEN.get(check.status, "✗ not graded")
    return {Status.PASSED: "✓ passed", Status.NOT_WRITTEN: "○ not written yet"}.get(check.status, "✗ failed")


OF_EARLIER_WORK = "of earlier work"  # detail of a written answer whose points were given to another one
WRITTEN = {
    Status.WAITS: "✎ waits for a person",
    Status.GRADED: "✎ graded by hand",
    Status.NOT_WRITTEN: "○ nothing written",
}


def summary(report: Report) -> str:
    """One or two sentences: what the learner has, and what is still open."""
    points, of = report.automatic
    text = f"{number(points)} of {number(of)} points in checks"
    if report.waiting:
        wait = "point waits" if report.waiting == 1 else "points wait"
        text += f"; {number(report.waiting)} {wait} for someone to read the written answer"
    graded = [check for check in report.checks if check.status is Status.GRADED]
    if graded:
        given, most = sum(check.points or 0 for check in graded), sum(check.max_points for check in graded)
        text += f"; {number(given)} of {number(most)} for written answers"
    if empty := sum(
        check.max_points for check in report.checks if check.written and check.status is Status.NOT_WRITTEN
    ):
        text += f"; {number(empty)} points of written answers: nothing written yet"
    return text + "."


def by_exercise(report: Report) -> list[tuple[str, list[CheckResult]]]:
    """``[(exercise, its checks)]`` in the lesson's order."""
    groups: dict[str, list[CheckResult]] = {}
    for check in report.checks:
        groups.setdefault(check.exercise, []).append(check)
    return list(groups.items())


def print_report(report: Report, console: Console) -> None:
    """The tables of `course check`: one per exercise, all with the same columns."""
    points = max((len(_points(check)) for check in report.checks), default=0)
    for exercise, checks in by_exercise(report):
        table = Table(
            title=Text(report.titles.get(exercise, exercise), style="bold"), title_justify="left", expand=True
        )
        table.add_column("Check", width=30)
        table.add_column("Points", justify="right", no_wrap=True, min_width=points)
        table.add_column("Result", ratio=1)
        for check in checks:
            table.add_row(
                Text(check.heading),
                _points(check),
                _result(check),
            )
        console.print(table)
    for sign, sentences in (("!", report.flags), ("·", report.mends), ("·", report.notes)):
        for sentence in sentences:
            console.print(Text(f"{sign} {sentence}"))
    if report.problem:
        console.print(Text(f"! {report.problem}", style="bold"))
    console.print(Text(summary(report), style="bold"))


def _points(check: CheckResult) -> str:
    earned = "–" if check.points is None else number(check.points)
    return f"{earned} of {number(check.max_points)}"


def _result(check: CheckResult) -> RenderableType:
    lines = [Text(state(check), style="green" if check.passed else "")]
    if check.passed or check.points is None:
        return lines[0]
    fields = [(label, getattr(check, label)) for label in CARD_FIELDS if getattr(check, label)]
    if not fields:
        return Group(*lines, Text(check.message)) if check.message not in lines[0].plain else lines[0]
    inner = Table.grid(padding=(0, 1))
    inner.add_column(style="dim", no_wrap=True)
    inner.add_column()
    for label, value in fields:
        inner.add_row(f"{label}:", Text(shorten(value)))
    return Group(*lines, inner)


def shorten(text: str, limit: int = 600) -> str:
    """A long value's beginning and end."""
    return text if len(text) <= limit else f"{text[: limit // 2]} […] {text[-limit // 2 :]}"


def check_card(check: CheckResult) -> Markup:
    """A check's card, as the notebook shows it; in the page's own colours, which know dark themes."""
    said = {label: shorten(getattr(check, label)) for label in CARD_FIELDS}
    body = ""
    if not check.passed and check.asked:
        body = card_rows(said, {})
    elif check.message and check.message not in state(check) and check.status is not Status.GRADED:
        body = str(Markup('<p class="message">{}</p>').format(check.message))
    open_or_by_hand = check.points is None or check.status is Status.GRADED
    colour = "var(--good)" if check.passed else "var(--line)" if open_or_by_hand else "var(--bad)"
    return Markup(result_card(state(check), check.heading, _points(check), body, colour))  # each text is escaped there


@lru_cache(maxsize=1)
def templates() -> jinja2.Environment:
    """Where the templates of all pages are; what they print is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    made.globals |= {"number": number, "shorten": shorten, "check_card": check_card}
    made.globals |= {"percent": percent, "duration": duration}
    return made


def percent(share: float) -> str:
    """``0.5`` as ``50 %``."""
    return f"{100 * share:.0f} %"


def duration(seconds: float) -> str:
    """``3 days 2 h``, ``2 h 5 min`` or ``5 min``."""
    minutes = max(1, round(seconds / 60))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} day{'s' * (days > 1)} {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def page(
    report: Report, heading: str, answers: list[dict[str, str]] | None = None, graded: bool = False, penalty: float = 0
) -> str:
    """The HTML report.

    Args:
        report: what to show.
        heading: the page's title, e.g. "Lesson 01_device_placement, student ada".
        answers: ``[{"name", "text", "comment"}]``, what the learner wrote and what a person said about it.
        graded: scores come from a gradebook, grades by hand included.
        penalty: points that are taken off for lateness.
    """
    template = templates().get_template("report.html.j2")
    return template.render(
        report=report,
        heading=heading,
        groups=by_exercise(report),
        summary=summary(report),
        answers=answers or [],
        graded=graded,
        penalty=penalty,
    )


def line(
    student: str, lesson: str, report: Report | None, failure: str = "", unchanged: bool = False, waits: bool = True
) -> str:
    """One line per submission while grading runs, as rich markup. ``waits``: nobody has graded its written answers."""
    parts, remarks = [], [failure] if failure else []
    if report is not None:
        points, of = report.automatic
        parts.append(f"{number(points)} of {number(of)} in checks")
        parts += [f"{number(report.waiting)} waiting"] if report.waiting and waits else []
        remarks += [*report.flags, *([report.problem] if report.problem else []), *report.mends]
    parts += ["unchanged"] if unchanged else []
    bad = failure or report is None or report.needs_person
    sign = "[red]![/red]" if bad else "[green]✓[/green]"
    tail = f" — {escape(shorten(' '.join(remarks), 300))}" if remarks else ""
    return " · ".join([f"{sign} {escape(student)}", escape(lesson), *parts]) + tail
