"""The learner's notebook as nbgrader writes it."""

from __future__ import annotations

from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode

from ..notebooks import notebook_text


class ReleaseExporter(NotebookExporter):
    """``nbgrader generate_assignment`` and Formgrader's Generate write the same bytes as ``course build``."""

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        text, resources = super().from_notebook_node(nb, resources, **kwargs)
        notebook = nbformat.reads(text, as_version=4)
        notebook.metadata.get("course", {}).pop("stubs", None)  # the instructor's note of what this makes
        return notebook_text(notebook), resources
