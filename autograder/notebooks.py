"""How this project writes notebooks."""

from __future__ import annotations

import nbformat
from nbformat import NotebookNode


def notebook_text(notebook: NotebookNode) -> str:
    """The one way this project writes a notebook: format 4.5, sorted keys, one space, a final newline."""
    notebook = nbformat.from_dict(notebook)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"
