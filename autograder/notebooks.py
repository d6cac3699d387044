"""How this project reads and writes notebooks that it has made itself."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import nbformat
from nbformat import NotebookNode

BEGIN_HIDDEN = "### BEGIN HIDDEN TESTS"  # in the instructor's notebooks alone; nbgrader's own mark
MAX_VALUES = 100_000  # of JSON in a notebook of which what a learner can change is found out; lessons hold 20,000

UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # what a file that is none may raise

MOST_KNOWN = 20_000  # notebooks of which it is remembered: collecting asks several times
_CONTENTS: dict[str, str] = {}

# Pinned: an interpreter's own version here would make each build differ from the next machine's.
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3",
    },
}


def notebook_text(notebook: NotebookNode) -> str:
    """A notebook as the text of its file: format 4.5, sorted keys, indented by one space, a final newline.

    Whatever writes a notebook calls this, so that equal notebooks are equal files. It does not validate, which takes
    longer than all else: who makes a notebook does that, once.
    """
    notebook = nbformat.from_dict(notebook)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return nbformat.v4.writes(notebook).rstrip("\n") + "\n"


def executed_text(notebook: NotebookNode) -> str:
    """An executed notebook as the text of its file, a cell a line.

    Nobody compares these, a class has thousands, and the text of :func:`notebook_text` takes five times as long.
    """
    head = {key: value for key, value in notebook.items() if key != "cells"} | {"nbformat": 4, "nbformat_minor": 5}
    cells = (json.dumps(cell, ensure_ascii=False, sort_keys=True) for cell in notebook.cells)
    return '{"cells": [\n' + ",\n".join(cells) + "\n], " + json.dumps(head, ensure_ascii=False).removeprefix("{") + "\n"


def read_text(text: str) -> NotebookNode:
    """A notebook that one of these wrote. Other people's notebooks go through intake."""
    return nbformat.v4.reads(text)


def values_in(raw: bytes) -> int:
    """About how many values a file of JSON holds, without reading it: no fewer than there are."""
    return sum(map(raw.count, (b",", b":", b"[", b"{")))


def content(notebook: bytes) -> str:
    """A SHA-256 of what a learner can change in a notebook: cells, their texts and order, and attachments.

    Metadata, outputs and the numbers of runs are left out. A file that is no notebook, or holds far more values than
    lessons do, stands for itself.
    """
    digest = hashlib.sha256(notebook).hexdigest()
    if digest not in _CONTENTS:
        if len(_CONTENTS) > MOST_KNOWN:
            _CONTENTS.clear()
        _CONTENTS[digest] = _content(notebook) or digest
    return _CONTENTS[digest]


def is_the_instructors(text: str) -> bool:
    """Whether the text of a notebook's cells is an instructor's: a learner may have pasted one hidden check."""
    return text.count(BEGIN_HIDDEN) > 1


def looks_like_an_instructors(notebook: bytes) -> bool:
    """Whether a file has to be read to know that; most have not."""
    return notebook.count(BEGIN_HIDDEN.encode()) > 1


def is_an_instructors(notebook: bytes) -> bool:
    """Whether a file is an instructor's; its outputs may say anything. What cannot be read, or holds too many values,
    is not."""
    try:
        sources = [cell.get("source", "") for cell in _cells(notebook)]
        return is_the_instructors("\n".join("".join(source) for source in sources))
    except UNREADABLE:
        return False


def marks(notebook: bytes) -> frozenset[str]:
    """The names that nbgrader has given to cells; none in a file that is no notebook, or holds too many values."""
    try:
        cells = _cells(notebook)
        return frozenset(str(cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "")) for cell in cells) - {""}
    except UNREADABLE:
        return frozenset()


def _content(notebook: bytes) -> str:
    """The same; "" for a file that stands for itself."""
    try:
        found = _cells(notebook)
        if not isinstance(found, list):  # intake looks elsewhere then
            raise TypeError
        cells = [[cell["cell_type"], "".join(cell["source"]), cell.get("attachments", {})] for cell in found]
        return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()
    except UNREADABLE:
        return ""


def _cells(notebook: bytes) -> Any:
    """What stands where a file's cells should.

    Raises:
        one of UNREADABLE: it is no notebook, or holds too many values; a download may hold hundreds of such.
    """
    if values_in(notebook) > MAX_VALUES:
        raise ValueError
    return json.loads(notebook)["cells"]
