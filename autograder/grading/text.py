"""Text that can be written and shown anywhere."""

from __future__ import annotations

import re

# Halves of pairs and what no system assigns; controls of both kinds, with which escape sequences begin; ends of lines
# and paragraphs that only some programs take for such; what turns the direction of text; what has no width.
NOT_SHOWN = re.compile(
    r"[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    r"|[\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


# Of these, what joins or parts letters of many languages, and what says where a text of theirs begins.
JOINERS = re.compile("[\u200b-\u200f]")


def clean(text: object, most: int | None = None) -> str:
    """Text that can be written and shown anywhere: what cannot, or shows another text than it is, becomes "�".

    Called on whatever a learner can choose: messages of errors, names of files and folders. Lines and tabs stay.

    Args:
        most: characters; nothing beyond is looked at, which may be millions of them.
    """
    return NOT_SHOWN.sub("�", text[:most]) if type(text) is str else ""


def clean_line(text: object) -> str:
    """Such text in one line, for names: one that holds an end of line could forge a line of its own."""
    return clean(text).replace("\n", "�").replace("\t", "�")
