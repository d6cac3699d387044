"""How this project writes notebooks."""

from __future__ import annotations

import nbformat
from nbformat import NotebookNode


def notebook_text(notebook: NotebookNode) -> str:
    """A notebook as the text of its file: format 4.5, sorted keys, indented by one space, a final newline.

    Whatever writes a notebook calls this, so that equal notebooks are equal files.
    """
    notebook = nbformat.from_dict(notebook)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"
