"""Stage 3, verdict: what the checks of a run say, as points and sentences.

Reads the clean notebook and the note of its run; nothing here executes a learner's code. A check earns its points
only when there is a note that it ran to its end. What a cell prints, on stderr too, decides nothing.
"""

from __future__ import annotations

import re
import sys

from nbformat import NotebookNode

from ..wording import listed
from .cells import CellRun, Ended, Origin, exercise, has_learners_text, is_check, role
from .checks.card import message_fields
from .execute import Executed, title
from .intake import MAX_NAME, CleanNotebook, begun
from .lesson import Lesson
from .matching import announced_names, squeeze
from .needed import InTurn, imported_above, may_give
from .report import CheckResult, Report, Status

STUB_WORDS = "write this exercise first"
MISSING_NAME = re.compile(r"name '(\w+)' is not defined")
# The class and the message of an error, as Python writes them: what stands behind them may be anybody's.
NO_MODULE = re.compile(
    r"(?:ModuleNotFound|Import)Error: "
    r"(?:No module named '[\w.]{1,99}'|cannot import name '\w{1,99}' from '[\w.]{1,99}')"
)
MISSING_MODULE = re.compile(r"No module named '([\w.]{1,99})'")
NO_ATTRIBUTE = re.compile(r"AttributeError: module '([\w.]{1,99})' has no attribute '\w{1,99}'")
NOT_HERE = "An import does not work on this machine"  # how the flag begins
MOST_LACKS = 5  # of which a report speaks
NAMELESS = {"added": "a new cell", "predict": "a prediction"}  # how a flag names a cell that is of no exercise
MAX_FIELD = 2_000  # characters of a message that a report shows
MAX_CLASS = 200  # of the name of an error's class


def report_of(executed: Executed, clean: CleanNotebook, lesson: Lesson) -> Report:
    """The third stage of grading: a report with one result for each graded cell, in the lesson's order."""
    checks = [_result(cell, executed, lesson) for cell in executed.notebook.cells if _is_graded(cell)]
    if not clean.readable:
        for check in checks:
            check.status, check.detail = Status.NOT_READ, clean.flags[0]
    return Report(
        lesson.name,
        checks,
        clean.mends,
        clean.flags
        + executed.flags
        + _broken(checks, executed)
        + _twice(checks, clean)
        + _of_what_failed(checks, executed, clean, lesson),
        [*clean.notes, *_cut_off(executed), *([executed.notice] if executed.notice else [])],
        clean.readable,
        clean.handed_in,
        executed.problem if clean.readable else "",
        executed.seconds,
        exercise_titles(lesson.release),
    )


def names_of_broken(checks: list[CheckResult], executed: Executed) -> list[str]:
    """Names of checks that could not be run, and not because of what the learner's kernel did."""
    runs = {check.name: executed.cells.get(check.name, CellRun()) for check in checks}
    return [name for name, run in runs.items() if run.ended is Ended.NO_VERDICT and run.origin is Origin.CHECK]


def _broken(checks: list[CheckResult], executed: Executed) -> list[str]:
    """A flag where checks themselves could not be run: their 0 is provisional, until a person sets the points."""
    names = names_of_broken(checks, executed)
    if not names:
        return []
    said = f"{', '.join(f'`{name}`' for name in names[:5])} could not be run"
    return [f"{said}: the lesson's fault, or an unusual answer's. Set the points by hand, or mend the lesson."]


def _twice(checks: list[CheckResult], clean: CleanNotebook) -> list[str]:
    """A flag where checks failed whose answer a learner wrote once more: that one may be an experiment."""
    names = {check.exercise for check in checks if check.kind != "written" and check.points != check.max_points}
    if not (twice := sorted(names & {*clean.twice})):
        return []
    which = listed([f"`{name}`" for name in twice])
    return [
        f"Written once more between its checks: {which}. The hidden ones, or all, ask what was written last. See "
        "whether that is no experiment."
    ]


def _of_what_failed(checks: list[CheckResult], executed: Executed, clean: CleanNotebook, lesson: Lesson) -> list[str]:
    """Flags where checks failed, and something is written, for what the answer reads, itself or in turn."""
    cells, stubs = executed.notebook.cells, lesson.stubs
    answered = begun([cell for cell in cells if cell.cell_type == "code"], stubs)
    failed = {
        check.exercise
        for check in checks
        if check.kind != "written"
        and check.points != check.max_points
        and (check.exercise in answered or check.status is not Status.NOT_WRITTEN)
    }
    if not failed:
        return []
    in_turn = InTurn(cells)
    read = {
        exercise(cell): in_turn.read_by(cell, {*announced_names(stubs.get(cell.id, ""))})
        for cell in cells
        if role(cell) == "solution" and exercise(cell) in failed
    }
    return [*_not_here(executed, clean.newer_python, read, in_turn), *_rests_on_changes(executed, clean.changed, read)]


def _rests_on_changes(executed: Executed, changed: set[str], read: dict[str, set[str]]) -> list[str]:
    """Flags where checks failed whose answer uses a name that the learner changed in a cell of the lesson.

    Where an import there may give any, it is one that was missing.
    """
    missed: dict[str, set[str]] = {}
    for cell in executed.notebook.cells if "*" in changed else []:
        run = executed.cells.get(cell.id, CellRun())
        if run.ename == "NameError" and (name := MISSING_NAME.search(run.evalue[:MAX_FIELD])):
            missed.setdefault(exercise(cell), set()).add(name[1])
    flags = []
    for where, names in read.items():
        if used := sorted(name[:MAX_NAME] for name in (names & changed) | missed.get(where, set())):
            which = listed([f"`{name}`" for name in used[:MOST_LACKS]])
            flags.append(
                f"The answer to `{where}` uses {which}, which a changed cell of the lesson gives; the lesson's own "
                "text was run. See whether points are deserved."
            )
    return flags


def _not_here(executed: Executed, newer_python: str, read: dict[str, set[str]], in_turn: InTurn) -> list[str]:
    """A flag where checks failed, and their exercise needs what the learner's machine may have and this one has not.

    That is a module, a newer Python, or time. An exercise that was not begun needs none of it, nor does one whose
    answer uses nothing of the cell that failed: many notebooks begin with an import of Colab's.
    """
    cells = executed.notebook.cells
    every, there = set[str]().union(*read.values()), imported_above(cells)
    lacks: dict[str, list[str]] = {}  # {what is not here: exercises}
    for cell in cells:
        run = executed.cells.get(cell.id, CellRun())
        told = has_learners_text(cell) or (is_check(cell) and role(cell) != "hidden")  # of those nothing is said here
        if told and (run.ended is Ended.ERROR or _is_late(cell, run)):
            own = (is_check(cell) or role(cell) == "solution") and exercise(cell) in read
            missing = _missing(run, newer_python if has_learners_text(cell) else "")
            where = f"`{exercise(cell)}`" if exercise(cell) else NAMELESS.get(role(cell), "a cell")
            if not missing or where in lacks.get(missing, []):
                continue
            if own or (has_learners_text(cell) and may_give(cell, every, there, in_turn)):
                lacks.setdefault(missing, []).append(where)
    flags = [f"{missing} ({listed(where)}). See whether points are deserved." for missing, where in lacks.items()]
    return flags[:MOST_LACKS]


def _is_late(cell: NotebookNode, run: CellRun) -> bool:
    """Whether a cell of the learner's took longer than it may. Of checks their own results say so."""
    return run.ended is Ended.TIMEOUT and has_learners_text(cell)


def _cut_off(executed: Executed) -> list[str]:
    """A note on each cell of the learner's that took too long."""
    runs = [(cell, executed.cells.get(cell.id, CellRun())) for cell in executed.notebook.cells]
    late = [(cell, run) for cell, run in runs if _is_late(cell, run)]
    return [f"{_how_late(run, title(cell, 'The'))}." for cell, run in late[:MOST_LACKS]]


def _how_late(run: CellRun, which: str) -> str:
    """The grader's own words of a cell that took too long, of ``which`` one."""
    return run.evalue.replace("the cell", which, 1)


def _missing(run: CellRun, newer_python: str) -> str:
    """What code needed that this machine has not, as the beginning of a sentence; "" where it is none of that."""
    if run.ended is Ended.TIMEOUT:
        return _how_late(run, "On this machine a cell")
    here = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    raised = f"{run.ename}: {run.evalue}"[:MAX_FIELD]
    if found := NO_MODULE.match(raised):
        return f"{NOT_HERE}, which has {here}: {found[0]}"
    if (found := NO_ATTRIBUTE.match(raised)) and found[1].partition(".")[0] in sys.stdlib_module_names:
        return f"{here}, which grades, does not have what code asks for: {found[0]}"
    if newer_python and run.ename == "SyntaxError":
        return f"{here}, which grades, cannot read a cell, and {newer_python}, of which the notebook is, may"
    return ""


def missing_modules(report: Report) -> list[str]:
    """The modules that code of a submission asked for, or said to be missing, where points are."""
    flags = [flag for flag in report.flags if flag.startswith(NOT_HERE)]
    return [found[1] for flag in flags if (found := MISSING_MODULE.search(flag))]


def _is_graded(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


def _result(cell: NotebookNode, executed: Executed, lesson: Lesson) -> CheckResult:
    kind = {"written": "written", "hidden": "hidden"}.get(role(cell), "visible")
    marks = cell.metadata.nbgrader
    result = CheckResult(
        marks["grade_id"], exercise(cell), kind, marks["points"], title=cell.metadata.course.get("title", "")
    )
    if result.written:
        if squeeze(cell.source) in ("", squeeze(lesson.stubs.get(cell.id, ""))):
            result.status = Status.NOT_WRITTEN
        else:
            result.points, result.status = None, Status.WAITS
    else:
        _judge_check(result, executed.cells.get(cell.id, CellRun()), executed)
    return result


ENDED = {Ended.TIMEOUT: Status.STOPPED, Ended.NO_VERDICT: Status.NO_VERDICT, Ended.DIED: Status.DIED}


def _judge_check(result: CheckResult, run: CellRun, executed: Executed) -> None:
    if run.ended is Ended.OK:
        result.points, result.status = result.max_points, Status.PASSED
    elif run.ended is Ended.ERROR:
        _explain_error(result, run, executed)
    elif run.ended in ENDED:
        result.status, result.detail = ENDED[run.ended], run.evalue[:MAX_FIELD]
    else:
        result.status, result.detail = Status.NOT_RUN, executed.problem or "The kernel gave no answer."


def _explain_error(result: CheckResult, run: CellRun, executed: Executed) -> None:
    text = run.evalue[: 10 * MAX_FIELD].strip()
    result.status = Status.RAISED
    if run.ename == "NotImplementedError" and STUB_WORDS in text and run.origin is not Origin.CHECK:
        result.status = Status.NOT_WRITTEN
    elif run.ename == "AssertionError" and run.origin is not Origin.LEARNER:
        result.status = Status.FAILED
        for label, value in message_fields(text).items():
            setattr(result, label, value[:MAX_FIELD])
        result.detail = "" if result.likely else text[:MAX_FIELD]
    elif run.ename == "NameError" and (name := MISSING_NAME.search(text)):
        result.detail = _explain_missing(name[1], run.origin, result.exercise, executed)
    elif run.origin is Origin.VALUE:  # the checker's own words
        result.detail = text[:MAX_FIELD][:1].upper() + text[1:MAX_FIELD].rstrip(".") + "."
    else:
        said = f"{run.ename[:MAX_CLASS]}: {text[:MAX_FIELD]}".rstrip(": ")
        result.detail = f"Running your code raised {said}"
        if run.origin is Origin.CHECK:
            why = f"The check could not go on with what your code gave it ({said})."
            result.detail = f"{why} Is it what the text asks for?"


def _explain_missing(name: str, origin: Origin, where: str, executed: Executed) -> str:
    """Why a name is missing: mostly because the exercise's own cell failed."""
    run = executed.cells.get(where)
    if run is None or run.ended is Ended.OK:
        raised = "There is no such name: " if origin is Origin.CHECK else "Running your code raised NameError: "
        return f"{raised}{name!r} is not defined when the notebook runs from top to bottom."
    if run.ended is Ended.ERROR:
        reason = run.evalue[:MAX_FIELD].strip()
        return f"There is no {name!r}: the cell of `{where}` stopped with {run.ename[:MAX_CLASS]}: {reason}"
    if run.ended is Ended.TIMEOUT:
        return f"There is no {name!r}: {_how_late(run, f'the cell of `{where}`')}."
    return f"There is no {name!r}: the cell of `{where}` did not run to its end."


def exercise_titles(notebook: NotebookNode) -> dict[str, str]:
    """``{exercise: "Exercise 3 · Title"}`` from the headings of the exercises' texts."""
    titles = {}
    for cell in notebook.cells:
        if role(cell) == "exercise":
            heading = next((line for line in cell.source.splitlines() if line.strip()), "")
            titles[exercise(cell)] = re.sub(r" · \d+ points?$", "", heading.lstrip("# ").strip())
    return titles
