"""From the bytes of a submission to a plain list of cells. Trusts nothing in them and runs none of them.

Accepts what notebook programs really save: Colab's 4.0 files, nbformat 3 worksheets, wrong types in the JSON.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from ..notebooks import values_in
from .text import clean_line

COLABS_PYTHON = (3, 13)  # it does not write in a notebook which one it is
MAX_FILE_BYTES = 64_000_000  # a notebook full of pictures has a few million
MAX_VALUES = 3_000_000  # of JSON in it: each takes about a hundred bytes of memory here
LARGE = 8_000_000  # bytes; of files that large one is read at a time
MAX_CELL_CHARACTERS = 200_000
MAX_CELLS = 2_000
MAX_CHARACTERS = 2_000_000  # of all cells together
MAX_CODE = 500_000  # characters of all code cells together: lessons have a hundred thousand; all of it is parsed
MAX_NAME = 80


_ONE_AT_A_TIME = threading.Lock()


@dataclass
class Seen:
    """One cell of a submission, as plain data."""

    position: int
    kind: str  # "code" or "text"
    text: str
    name: str | None = None  # nbgrader's grade_id
    cell_id: str | None = None
    attached: bool = False  # whether something is attached to it, such as a picture


@dataclass
class Reading:
    """What could be read of a submission: ``cells`` is None when nothing could, and ``flags`` then say why."""

    cells: list[Seen] | None = None
    mends: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    lesson: str | None = None  # the lesson that the notebook says it is
    newer_python: str = ""  # what it was written with, where that is newer than what grades: "Python 3.13", or "Colab"

    def refuse(self, sentence: str) -> Reading:
        self.flags.append(sentence)
        return self


def read_submission(raw: bytes | None) -> Reading:
    """Read a submitted file; never raises, whatever the bytes are.

    Args:
        raw: the file's bytes; None where no file was handed in.
    """
    reading = Reading()
    if raw is None:
        return reading.refuse("No notebook was handed in: there is no .ipynb file in the submission's folder.")
    if len(raw) > MAX_FILE_BYTES:
        return reading.refuse(
            f"The file has more than {MAX_FILE_BYTES // 1_000_000} million bytes; files this large are not read. "
            "Clear its outputs (Kernel, Restart and Clear Outputs), save, and hand it in again."
        )
    if not raw.strip(b"\0 \t\r\n"):
        return reading.refuse(f"The file is empty ({len(raw)} bytes). Save the notebook and hand it in again.")
    if values_in(raw) > MAX_VALUES:
        return reading.refuse(
            f"The file holds more than {MAX_VALUES // 1_000_000} million values; files with this many are not read. "
            "Clear its outputs (Kernel, Restart and Clear Outputs), save, and hand it in again."
        )
    with _ONE_AT_A_TIME if len(raw) > LARGE else nullcontext():
        return _read(raw, reading)


def _read(raw: bytes, reading: Reading) -> Reading:
    content = _parse(raw, reading)
    if content is None and reading.flags:
        return reading
    if not isinstance(content, dict):
        return reading.refuse("The file is JSON but not a notebook: it is not an object with cells.")
    raw_cells = _cells_of(content, reading)
    if raw_cells is None:
        return reading.refuse("The file is JSON but not a notebook: it has no list of cells.")
    _look_at_metadata(content, reading)
    reading.cells = _plain_cells(raw_cells, reading)
    return reading


def _parse(raw: bytes, reading: Reading) -> Any:
    """The JSON value in ``raw``, or None with a flag that says what the file seems to be instead."""
    try:
        encoding = json.detect_encoding(raw)
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            text = raw.decode("utf-8-sig", errors="replace")
            reading.mends.append("The file holds bytes that are not UTF-8 text; they were replaced by '\ufffd'.")
        # a number of ten thousand digits would be an error of Python's own
        return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 20 else 0)
    except (ValueError, RecursionError, MemoryError) as error:
        reading.refuse(f"The file is not a notebook: {_what_it_is(raw)} ({_why(error)}). {WAY_OUT}")
        return None


MANY_CHARACTERS = 50_000  # of a text: what pictures in it hold is left out
PICTURE_IN_TEXT = re.compile(r"\]\(data:image/[\w.+-]{1,40};base64,[\w+/=\s]*+\)", re.ASCII)  # as Colab pastes one
WAY_OUT = "Open the notebook in Jupyter, save it, and hand in that file (.ipynb), not an export or a link."


def _why(error: BaseException) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]


def _what_it_is(raw: bytes) -> str:
    start = raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if b"<<<<<<< " in raw and b">>>>>>> " in raw:
        return "it holds the marks of an unfinished git merge (<<<<<<<)"
    if start.startswith((b"<!doctype", b"<html", b"<")):
        return "it looks like a web page"
    if start.startswith(b"%pdf"):
        return "it is a PDF"
    if start.startswith(b"pk\x03\x04"):
        return "it is a zip archive"
    if start.startswith(b"{"):
        return "it begins like one but is not valid JSON, perhaps cut off while it was saved"
    return "it is not JSON"


def _cells_of(content: dict[str, Any], reading: Reading) -> list[Any] | None:
    """The list of cells, also of formats 2 and 3, which keep them in worksheets."""
    cells = content.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = content.get("worksheets")
    if not isinstance(sheets, list):
        return None
    cells = [
        cell
        for sheet in sheets
        if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
        for cell in sheet["cells"]
    ]
    reading.mends.append("The notebook is in the old format 3; its cells were read all the same.")
    return cells


def _look_at_metadata(content: dict[str, Any], reading: Reading) -> None:
    metadata = content.get("metadata")
    if not isinstance(metadata, dict):
        reading.mends.append("The notebook had no metadata; the lesson's own is used.")
        return
    course = metadata.get("course")
    if isinstance(course, dict) and isinstance(course.get("lesson"), str):
        reading.lesson = clean_line(course["lesson"][:MAX_NAME])  # a report quotes it
    reading.newer_python = _newer_python(metadata)
    widgets = metadata.get("widgets")
    if isinstance(widgets, dict) and any(not isinstance(v, dict) or "state" not in v for v in widgets.values()):
        reading.mends.append("Widgets were saved without their state (Colab does that); grading does not need it.")
    if content.get("nbformat") == 4 and content.get("nbformat_minor") in (0, 1, 2, 3) and "colab" in metadata:
        reading.mends.append("The notebook was saved by Colab in format 4.0; it was brought to today's format.")


def _newer_python(metadata: dict[str, Any]) -> str:
    found = re.match(r"3\.(\d{1,3})", _string(_dict(metadata.get("language_info")).get("version")) or "")
    if found:
        return f"Python {found[0]}" if (3, int(found[1])) > sys.version_info[:2] else ""
    return "Colab" if "colab" in metadata and sys.version_info[:2] < COLABS_PYTHON else ""


def _plain_cells(raw_cells: list[Any], reading: Reading) -> list[Seen]:
    if len(raw_cells) > MAX_CELLS:
        reading.flags.append(f"The notebook has {len(raw_cells)} cells; only the first {MAX_CELLS} were read.")
    cells, broken, odd, total, code = [], 0, 0, 0, 0
    for position, cell in enumerate(raw_cells[:MAX_CELLS]):
        if not isinstance(cell, dict):
            broken += 1
            continue
        source = cell.get("source", cell.get("input", ""))
        text, well_formed = _text(source)
        odd += not well_formed
        kind, pictures = "code" if cell.get("cell_type") == "code" else "text", 0
        if kind == "text" and (len(text) > MANY_CHARACTERS or total > MAX_CHARACTERS // 2):
            text, pictures = PICTURE_IN_TEXT.subn("](attachment:picture)", text)
        if len(text) > MAX_CELL_CHARACTERS:
            reading.flags.append(
                f"Cell {position + 1} is longer than {MAX_CELL_CHARACTERS} characters and was not read."
            )
            continue
        total += len(text)
        if total > MAX_CHARACTERS:
            reading.flags.append(
                f"The cells hold over {MAX_CHARACTERS} characters; those from {position + 1} on were not read."
            )
            break
        metadata = _dict(cell.get("metadata"))
        nbgrader = _dict(metadata.get("nbgrader"))
        code += len(text) if kind == "code" else 0
        if code > MAX_CODE:
            reading.flags.append(
                f"The code cells hold over {MAX_CODE} characters; those from cell {position + 1} on were not read."
            )
            break
        cell_id = _string(cell.get("id")) or _string(metadata.get("id"))
        attached = bool(_dict(cell.get("attachments"))) or bool(pictures)
        cells.append(Seen(position, kind, text, _string(nbgrader.get("grade_id")), cell_id, attached))
    if broken:
        reading.mends.append(f"{broken} entries in the list of cells were not cells and were left out.")
    if odd:
        reading.mends.append(f"The text of {odd} cells was not stored as text; what was readable of it was taken.")
    return cells


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _text(source: Any) -> tuple[str, bool]:
    """A cell's text and whether it was stored in one of the two ways that the format allows."""
    if isinstance(source, str):
        text, well_formed = source, True
    elif isinstance(source, list):
        lines = [line for line in source if isinstance(line, str)]
        text, well_formed = "".join(lines), len(lines) == len(source)
    else:
        text, well_formed = "", False
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # half of a surrogate pair is legal JSON but cannot be written to a file
    return text.encode("utf-8", errors="replace").decode("utf-8"), well_formed
