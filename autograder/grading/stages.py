"""The stages in the places that nbgrader has for them: exporters, preprocessors, a hook (see nbgrader_config.py)."""

from __future__ import annotations

import nbformat
from nbconvert.exporters import NotebookExporter

from ..build import notebook_text


class ReleaseExporter(NotebookExporter):
    """``nbgrader generate_assignment`` writes the same bytes as ``course build``."""

    def from_notebook_node(self, nb, resources=None, **kwargs):
        text, resources = super().from_notebook_node(nb, resources, **kwargs)
        return notebook_text(nbformat.reads(text, as_version=4)), resources
