"""Stage 3, verdict: what the checks of a run say, as points and sentences.

Reads the clean notebook and the note of its run; nothing here executes a learner's code. A check earns its points
only when there is a note that it ran to its end. What a cell prints, on stderr too, decides nothing.
"""

from __future__ import annotations

import re

from nbformat import NotebookNode

from .execute import CellRun, Run
from .matching import squeeze
from .report import CheckResult

STUB_WORDS = "write this exercise first"
LABELS = ("asked", "got", "expected", "likely", "reread")
LABEL_LINE = re.compile(rf"^\s*({'|'.join(LABELS)}):[ \t]*(.*)$")
MISSING_NAME = re.compile(r"name '(\w+)' is not defined")
MAX_FIELD = 2_000  # characters of a message that a report shows


def judge(notebook: NotebookNode, run: Run, stubs: dict[str, str]) -> list[CheckResult]:
    """One result for each graded cell of ``notebook``, in its order.

    Args:
        notebook: the clean notebook that was run.
        run: what :func:`autograder.grading.execute.run_notebook` noted.
        stubs: ``{cell id: text}`` of answers as they were released.
    """
    results = []
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if not marks.get("grade"):
            continue
        course = cell.metadata.get("course", {})
        kind = {"written": "written", "hidden": "hidden"}.get(course.get("role"), "visible")
        result = CheckResult(marks["grade_id"], course.get("exercise", ""), kind, marks["points"])
        if kind == "written":
            _judge_written(result, cell, stubs)
        else:
            _judge_check(result, run.cells.get(cell.id, CellRun()), run, notebook)
        results.append(result)
    return results


def _judge_written(result: CheckResult, cell: NotebookNode, stubs: dict[str, str]) -> None:
    if squeeze(cell.source) in ("", squeeze(stubs.get(cell.id, ""))):
        result.message = "Nothing was written here."
    else:
        result.points = None
        result.message = "Written; it waits for a person to grade it."


def _judge_check(result: CheckResult, record: CellRun, run: Run, notebook: NotebookNode) -> None:
    if record.status == "ok":
        result.points, result.passed = result.max_points, True
        return
    if record.status == "error":
        _explain_error(result, record, run, notebook)
    elif record.status == "timeout":
        result.message = f"The check was stopped: {record.evalue}. Does your code wait, or loop, without end?"
    elif record.status == "no verdict":
        result.message = record.evalue[:MAX_FIELD]
    elif record.status == "died":
        result.message = "The kernel died while this check ran. Did your code run out of memory, or exit?"
    else:
        result.message = f"This check was not run. {run.problem or 'The kernel gave no answer.'}"


def _explain_error(result: CheckResult, record: CellRun, run: Run, notebook: NotebookNode) -> None:
    text = record.evalue[: 10 * MAX_FIELD].strip()
    if record.ename == "NotImplementedError" and STUB_WORDS in text and record.origin != "check":
        result.message = "Not written yet."
    elif record.ename == "AssertionError" and record.origin != "learner":
        parts = parse_message(text)
        for label, value in parts.items():
            setattr(result, label, value[:MAX_FIELD])
        result.message = result.likely or text[:MAX_FIELD] or "The check failed and gave no reason."
    elif record.ename == "NameError" and (name := MISSING_NAME.search(text)):
        result.message = _explain_missing(name[1], record.origin, result.exercise, run, notebook)
    elif record.origin == "value":  # the checker's own words
        result.message = text[:MAX_FIELD][:1].upper() + text[1:MAX_FIELD].rstrip(".") + "."
    elif record.origin == "check":
        said = f"{record.ename}: {text[:MAX_FIELD]}".rstrip(": ")
        result.message = (
            f"The check could not go on with what your code gave it ({said}). Is it what the text asks for?"
        )
    else:
        result.message = f"Running your code raised {record.ename}: {text[:MAX_FIELD]}".rstrip(": ")


def _explain_missing(name: str, origin: str, exercise: str, run: Run, notebook: NotebookNode) -> str:
    """Why a name is missing: mostly because the exercise's own cell failed."""
    cell = next((cell for cell in notebook.cells if cell.id == exercise), None)
    record = run.cells.get(exercise)
    if cell is None or record is None or record.status == "ok":
        raised = "There is no such name: " if origin == "check" else "Running your code raised NameError: "
        return f"{raised}{name!r} is not defined when the notebook runs from top to bottom."
    if record.status == "error":
        reason = record.evalue[:MAX_FIELD].strip()
        return f"There is no {name!r}: the cell of `{exercise}` stopped with {record.ename}: {reason}"
    return f"There is no {name!r}: the cell of `{exercise}` did not run to its end."


def parse_message(text: str) -> dict[str, str]:
    """The labelled lines of a check's message: ``{label: value}``; a value may go on over several lines."""
    parts: dict[str, list[str]] = {}
    label = None
    for line in text.splitlines():
        found = LABEL_LINE.match(line)
        if found and found[1] not in parts:
            label = found[1]
            parts[label] = [found[2]]
        elif label:
            parts[label].append(line)
    return {label: "\n".join(lines).strip() for label, lines in parts.items()}


def exercise_titles(notebook: NotebookNode) -> dict[str, str]:
    """``{exercise: "Exercise 3 · Title"}`` from the headings of the exercises' texts."""
    titles = {}
    for cell in notebook.cells:
        course = cell.metadata.get("course", {})
        if course.get("role") == "exercise":
            heading = next((line for line in cell.source.splitlines() if line.strip()), "")
            titles[course.get("exercise", "")] = re.sub(r" · \d+ points?$", "", heading.lstrip("# ").strip())
    return titles
