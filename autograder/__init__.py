"""The machinery of the course: build, lint, lab, grading and reports, behind the ``course`` command."""

import sys
from types import ModuleType
from typing import cast

__version__ = "0.2.0"

# A second of every command: jsonschema, which nbformat uses, would build 38 parsers for a format of addresses (IRI)
# that no schema of a notebook asks for.
sys.modules.setdefault("rfc3987_syntax", cast(ModuleType, None))
