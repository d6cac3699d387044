"""Results for people: tables in the terminal, and one self-contained HTML page (no network, readable by machines)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import jinja2
from nbformat import NotebookNode
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ..grading.report import CheckResult, Report

FIELDS = ("asked", "got", "expected", "likely", "reread")


def number(value: float) -> str:
    """Points without needless decimals: ``2``, ``1.5``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def state(check: CheckResult) -> str:
    """A sign and a word: never colour alone."""
    if check.points is None:
        return "✎ waits for a person"
    if check.kind == "written":
        return "✎ graded by hand" if check.passed else "○ nothing written"
    if check.passed:
        return "✓ passed"
    return "○ not written yet" if check.message == "Not written yet." else "✗ failed"


def summary(report: Report) -> str:
    """One or two sentences: what the learner has, and what is still open."""
    points, of = report.automatic
    text = f"{number(points)} of {number(of)} points in checks"
    if report.waiting:
        wait = "point waits" if report.waiting == 1 else "points wait"
        text += f"; {number(report.waiting)} {wait} for someone to read the written answer"
    elif report.max_score > of:
        text += f"; {number(report.max_score - of)} points of written answers: nothing written yet"
    return text + "."


def by_exercise(report: Report) -> list[tuple[str, list[CheckResult]]]:
    """``[(exercise, its checks)]`` in the lesson's order."""
    groups: dict[str, list[CheckResult]] = {}
    for check in report.checks:
        groups.setdefault(check.exercise, []).append(check)
    return list(groups.items())


def print_report(report: Report, console: Console) -> None:
    """The tables of `course check`: one per exercise, all with the same columns."""
    widest = max((len(check.name) for check in report.checks), default=0)
    points = max((len(_points(check)) for check in report.checks), default=0)
    for exercise, checks in by_exercise(report):
        table = Table(
            title=Text(report.titles.get(exercise, exercise), style="bold"), title_justify="left", expand=True
        )
        table.add_column("Check", no_wrap=True, min_width=widest)
        table.add_column("Points", justify="right", no_wrap=True, min_width=points)
        table.add_column("Result", ratio=1)
        for check in checks:
            table.add_row(
                Text(check.name + ("" if check.kind != "hidden" else "\n(hidden)")),
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
    fields = [(label, getattr(check, label)) for label in FIELDS if getattr(check, label)]
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


@lru_cache(maxsize=1)
def environment() -> jinja2.Environment:
    """Where the templates of all pages are; what they print is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    made.globals |= {"number": number, "state": state, "fields": FIELDS, "shorten": shorten}
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


def page(report: Report, heading: str, answers: list[dict[str, str]] | None = None, graded: bool = False) -> str:
    """The HTML report.

    Args:
        report: what to show.
        heading: the page's title, e.g. "Lesson 01_device_placement, student ada".
        answers: ``[{"name", "text", "comment"}]``, what the learner wrote and what a person said about it.
        graded: scores come from a gradebook, grades by hand included.
    """
    template = environment().get_template("report.html.j2")
    return template.render(
        report=report,
        heading=heading,
        groups=by_exercise(report),
        summary=summary(report),
        answers=answers or [],
        graded=graded,
    )


def feedback_page(notebook: NotebookNode, student: str) -> str:
    """The page that a student of a class gets; ``notebook`` carries the report and the gradebook's scores."""
    report = Report.from_dict(notebook.metadata.course.report)
    results = {check.name: check for check in report.checks}
    answers = []
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        check = results.get(marks.get("grade_id"))
        if check and check.kind == "written" and marks.get("score") and check.points is None:
            check.points, check.passed = marks["score"], True
            check.message = "Graded by a person."
        elif check and marks.get("score") is not None and check.points is not None and marks["score"] != check.points:
            check.points = marks["score"]
            check.message = f"{check.message} A person set the points.".strip()
        if marks.get("solution"):
            answers.append({"name": marks["grade_id"], "text": cell.source, "comment": marks.get("comment") or ""})
    return page(report, f"{report.lesson}: {student}", answers, graded=True)


def line(student: str, report: Report, unchanged: bool = False) -> str:
    """One line per submission while grading runs, as rich markup."""
    points, of = report.automatic
    parts = [f"{number(points)} of {number(of)} in checks"]
    if report.waiting:
        parts.append(f"{number(report.waiting)} waiting")
    if unchanged:
        parts.append("unchanged")
    sign = "[red]![/red]" if report.needs_person else "[green]✓[/green]"
    remarks = [*report.flags, *([report.problem] if report.problem else []), *report.mends]
    tail = f" — {escape(shorten(' '.join(remarks), 300))}" if remarks else ""
    return f"{sign} {escape(student)} · {escape(report.lesson)} · {' · '.join(parts)}{tail}"
