"""What travels between a teacher's machine and a worker: JSON, looked at on arrival as if a stranger had sent it.

Nothing here knows how it travels; nothing is unpickled.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any

import nbformat

from ..grading.execute import Executed, Limits
from ..grading.grade import Graded
from ..grading.intake import CleanNotebook, take_in
from ..grading.lesson import Lesson, grader_version
from ..grading.report import Report, Status
from ..grading.submission import Submission
from ..grading.text import clean as printable
from ..grading.verdict import report_of
from ..notebooks import executed_text, read_text

TEXTS = ("name", "exercise", "kind", "detail", "asked", "got", "expected", "likely", "reread", "title")
LISTS = ("mends", "flags", "notes")
MAX_SENTENCES = 10_000  # in one of these lists; a lesson has some hundred cells
MAX_RESULT = 8 * Limits().all_output_bytes  # bytes: a control character of an output takes 7 after two rounds of JSON
MAX_STRUCTURE = Limits().all_output_bytes  # bytes of a JSON that are no texts: each may become many in memory
MAX_FAILURE = 1000  # characters of a worker's sentence
MAX_TEXT = 20_000  # characters of one text of a report; honest ones have a tenth of that
MAX_SECONDS = 1e6  # of one run
WORDS = ("detail", "asked", "got", "expected", "likely", "reread")  # of a check: these a worker says
OURS = ("name", "exercise", "kind", "max_points", "title")  # of a check: the lesson says these, not a worker


_JSON_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


class BadResult(Exception):
    """What came back is not a result of what was sent; the text says why, as half a sentence."""


class WorkerFailed(Exception):
    """A worker could not grade what was sent; its own sentence says why."""


def pack_job(submission: Submission, lesson: Lesson, seed: int, cell_seconds: float) -> bytes:
    """A submission, its lesson and this machine's version of the grader, for :func:`unpack_job` on a worker."""
    sent = asdict(submission) | {"raw": None if submission.raw is None else submission.raw.decode("latin-1")}
    job = {
        "version": grader_version(),
        "submission": sent,
        "lesson": asdict(lesson),
        "seed": seed,
        "cell_seconds": cell_seconds,
    }
    return json.dumps(job).encode("ascii")


def unpack_job(data: bytes) -> tuple[Submission, Lesson, int, float]:
    """What :func:`pack_job` packed: submission, lesson, seed and a cell's limit in seconds.

    Raises:
        BadResult: it comes from a machine with another version of the grader.
    """
    job = json.loads(data)
    if job["version"] != grader_version():
        raise BadResult(
            f"the teacher's machine has grader {_short(job['version'])}, this worker {_short(grader_version())}; "
            "install the same version of the course, and the same Python, on both"
        )
    sent = job["submission"]
    raw = None if sent["raw"] is None else sent["raw"].encode("latin-1")
    return Submission(**{**sent, "raw": raw}), Lesson(**job["lesson"]), job["seed"], job["cell_seconds"]


def _short(version: str) -> str:
    number, code, python = version.split(" ", 2)
    return f"{number} ({code[:8]}, Python {python})"


def pack_result(graded: Graded) -> bytes:
    """A graded submission, for :func:`unpack_result` on the teacher's machine.

    Raises:
        BadResult: it is larger than what is taken there.
    """
    packed = json.dumps({"report": graded.report.to_dict(), "notebook": executed_text(graded.notebook)}).encode("ascii")
    if len(packed) > MAX_RESULT:
        raise BadResult(f"its result has more than {MAX_RESULT >> 20} MiB")
    return packed


def pack_failure(sentence: str) -> bytes:
    """Why a worker could not grade a submission, for :func:`unpack_result` on the teacher's machine."""
    return json.dumps({"failed": sentence}).encode("ascii")


def unpack_result(data: object, submission: Submission, lesson: Lesson) -> Graded:
    """A worker's answer about a submission that was sent to it.

    Its cells have to be those that intake makes here of the same bytes, and its checks the lesson's, with points within
    their bounds. Whether points are deserved only the worker can know.

    Raises:
        WorkerFailed: the worker says that it could not grade it.
        BadResult: it is anything else.
    """
    if not isinstance(data, bytes) or len(data) > MAX_RESULT:
        raise BadResult(f"it is not bytes, or more than {MAX_RESULT >> 20} MiB")
    clean = take_in(submission, lesson)
    try:
        found = _loads(data)
        if type(found) is dict and type(failed := found.get("failed")) is str:
            raise WorkerFailed(in_a_line(failed, MAX_FAILURE))
        _look_at_structure(found["notebook"].encode("utf-8", "surrogatepass"))
        notebook = read_text(found["notebook"])
        nbformat.validate(notebook)
        _look_at(found["report"])
        report = Report.from_dict(found["report"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, nbformat.ValidationError) as error:
        raise BadResult(f"it cannot be read ({type(error).__name__})") from error
    sent = [(cell.id, cell.cell_type, cell.source) for cell in clean.notebook.cells]
    if [(cell.id, cell.cell_type, cell.source) for cell in notebook.cells] != sent:
        raise BadResult("its cells are not those that were sent")
    notebook.metadata = clean.notebook.metadata
    for cell, ours in zip(notebook.cells, clean.notebook.cells, strict=True):
        cell.metadata = ours.metadata  # whose a cell is, and what it is worth, is read from there
    _compare(report, clean, lesson)
    _clean_texts(report)
    return Graded(report, notebook)


def in_a_line(text: str, length: int = MAX_FAILURE) -> str:
    """Another machine's words, as they can be shown in one line."""
    return " ".join(printable(text[:length]).split())


def _loads(data: bytes) -> Any:
    _look_at_structure(data)
    return json.loads(data)


def _look_at_structure(data: bytes) -> None:
    """Raise ValueError where a JSON would take many times its size in memory: it has more than texts in it."""
    if len(data) > MAX_STRUCTURE and len(_JSON_TEXT.sub(b'"', data)) > MAX_STRUCTURE:
        raise ValueError("structure")


def _clean_texts(report: Report) -> None:
    """A worker's words, as they can be shown; what the lesson and intake say has been compared already."""
    report.problem = printable(report.problem)
    report.flags = [printable(text) for text in report.flags]
    report.notes = [printable(text) for text in report.notes]
    for check in report.checks:
        for key in WORDS:
            setattr(check, key, printable(getattr(check, key)))


def _look_at(report: dict[str, Any]) -> None:
    """Types of what is in a report. Raises TypeError."""
    for key in LISTS:
        said = report[key]
        if type(said) is not list or len(said) > MAX_SENTENCES or not all(_is_text(text) for text in said):
            raise TypeError("sentences")
    if not _is_text(report["problem"]) or type(report["seconds"]) not in (int, float):
        raise TypeError("the run")
    if not 0 <= report["seconds"] <= MAX_SECONDS:  # nor is NaN
        raise ValueError("seconds")
    for check in report["checks"]:
        if not all(_is_text(check[key]) for key in TEXTS) or type(check["by_hand"]) is not bool:
            raise TypeError("a check")
        if type(check["points"]) not in (int, float, type(None)):
            raise TypeError("points")


def _is_text(text: object) -> bool:
    return type(text) is str and len(text) <= MAX_TEXT


def _compare(report: Report, clean: CleanNotebook, lesson: Lesson) -> None:
    wanted = report_of(Executed(clean.notebook), clean, lesson)
    about = [[getattr(check, key) for key in OURS] for check in report.checks]
    if about != [[getattr(check, key) for key in OURS] for check in wanted.checks]:
        raise BadResult("its checks are not the lesson's")
    same = ("lesson", "readable", "handed_in", "titles", "mends")
    if any(getattr(report, key) != getattr(wanted, key) for key in same) or set(clean.flags) - set(report.flags):
        raise BadResult("it is about another submission")
    for check, ours in zip(report.checks, wanted.checks, strict=True):
        if check.written and (check.status, check.points) != (ours.status, ours.points):  # nor is it 0 for a worker
            raise BadResult(f"{check.name} waits for a person, whatever a worker says")
        waits = check.written and check.status is Status.WAITS
        if (check.points is None and not (waits or check.status is Status.NO_VERDICT)) or check.by_hand:
            raise BadResult(f"the points of {check.name} were set by nobody")
        if check.points is not None and not 0 <= check.points <= check.max_points:
            raise BadResult(f"the points of {check.name} are out of bounds")
        if check.points and not check.passed:
            raise BadResult(f"{check.name} did not pass and has points")
