"""Text that can be written and shown anywhere."""

from __future__ import annotations

import re

NOT_SHOWN = re.compile(r"[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text) -> str:
    """Text that can be written and shown anywhere: no lone surrogates, no control characters."""
    return NOT_SHOWN.sub("�", text) if type(text) is str else ""
