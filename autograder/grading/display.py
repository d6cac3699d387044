"""What a learner wrote and printed, made harmless to look at: called before a notebook is recorded, and for a page.

Programs that show notebooks (Formgrader, JupyterLab, nbconvert) each read Markdown in their own way. So nothing here
guesses what one of them takes for code and what for HTML: a zero-width space parts the signs that begin a tag, a
picture, an unusual link or a harmful TeX command, and a fence from the word behind it where that is not the name of a
usual language, in whatever surroundings. The text looks as it was written; only code behind an unusual word has no
colours, and shows the word.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output

from .cells import has_learners_text, role

PART = "\u200b"  # zero-width space: nothing to see, and "<" before it is a sign like any other in HTML
# An address in angle brackets stays: taken for a tag it would have no attribute with a value, so it does nothing.
TAG = re.compile(r"<(?=[A-Za-z/!?])(?!https?://[\w.:/#%+~-]+>)")
PICTURE = re.compile(r"!(?=\[)")
ORDINARY = r"\s*(?:https?://|mailto:|#)"  # what a link may lead to
LINK = re.compile(rf"\](?=\()(?!\({ORDINARY})", re.IGNORECASE)
DEFINITION = re.compile(rf"\](?=:)(?!:{ORDINARY})", re.IGNORECASE)
TEX_COMMANDS = "href|url|require|unicode|class|style|cssId|data|html|includegraphics|bbox|mmlToken"
TEX = re.compile(rf"\\(?=(?:{TEX_COMMANDS})(?![a-z]))")
# A fence's signs where a word follows: JupyterLab draws a diagram of what stands behind "mermaid", with its pictures.
# A viewer only colours what stands behind the name of a language, alone on its line.
LANGUAGES = "python|python3|py|ipython|ipython3|pycon|text|txt|console|bash|sh|shell|json|yaml|toml|c|cpp"
USUAL = rf"(?i:{LANGUAGES})[^\S\n]*+(?:\n|\Z)"
# Each run of signs is taken whole, or a long one would be tried from each of its signs.
FENCE = re.compile(rf"((?<!`)`{{3,}}+|(?<!~)~{{3,}}+)(?=[^\S\n]*+(?!{USUAL})[^\s`~{PART}])")

PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}  # {type: how its bytes begin}
NOT_SHOWN = "(an output of another kind than text or a picture; it is not kept)"


def clean_for_display(notebook: NotebookNode) -> NotebookNode:
    """Make a graded notebook harmless to show, in place, and return it; doing it twice changes nothing more.

    The lesson's own text stays as it is: intake took it from the lesson, not from the submission. Of outputs, which
    code of the learner may have made or forged, text and PNG or JPEG pictures stay; HTML, SVG, scripts, widgets and
    all else go.
    """
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        cell.pop("attachments", None)
        if cell.cell_type == "code":
            cell.outputs = [clean for output in cell.outputs if (clean := clean_output(output))]
        elif is_learners(cell):
            cell.source = inert_markdown(cell.source)
    return notebook


def is_learners(cell: NotebookNode) -> bool:
    """Whether a cell's text may be a learner's: all but what is known to be the lesson's."""
    return not role(cell) or has_learners_text(cell)


def inert_markdown(text: str) -> str:
    """Markdown whose raw HTML, pictures, diagrams, unusual links and harmful TeX show as the text that they are."""
    text = FENCE.sub(rf"\1{PART}", text)
    text = TAG.sub(f"<{PART}", text)
    text = PICTURE.sub(f"!{PART}", text)
    text = DEFINITION.sub(f"]{PART}", LINK.sub(f"]{PART}", text))
    return TEX.sub(rf"\\{PART}", text)


def clean_output(output: NotebookNode) -> NotebookNode | None:
    """An output made anew of what may be shown of it; None for one of an unknown kind."""
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return _made("stream", name=name, text=_text(output.get("text")))
    if kind == "error":
        traceback = output.get("traceback")
        lines = [_text(line) for line in traceback] if isinstance(traceback, list) else []
        named = {name: _text(output.get(name)) for name in ("ename", "evalue")}
        return _made("error", **named, traceback=lines)
    if kind not in ("display_data", "execute_result"):
        return None
    data = _clean_data(output.get("data"))
    clean = _made(kind, data=data, metadata=_clean_sizes(output.get("metadata"), data))
    if kind == "execute_result":
        count = output.get("execution_count")
        clean.execution_count = count if isinstance(count, int) else None
    return clean


def _made(kind: str, **parts: Any) -> NotebookNode:
    made: NotebookNode = new_output(kind, **parts)
    return made


def _text(value: object) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _clean_data(data: object) -> dict[str, str]:
    given = data if isinstance(data, dict) else {}
    clean = {"text/plain": _text(given["text/plain"])} if "text/plain" in given else {}
    for kind, beginning in PICTURES.items():
        picture = picture_text(_text(given.get(kind)), beginning)
        if picture:
            clean[kind] = picture
    return clean or {"text/plain": NOT_SHOWN}


def picture_text(text: str, beginning: bytes) -> str:
    """A picture's base64 text on one line; "" where it is none, or its bytes do not begin like such a picture."""
    joined = "".join(text.split())
    try:
        return joined if base64.b64decode(joined, validate=True).startswith(beginning) else ""
    except (binascii.Error, ValueError):
        return ""


def _clean_sizes(metadata: object, data: dict[str, str]) -> dict[str, dict[str, int]]:
    """Width and height of pictures where they are numbers."""
    given = metadata if isinstance(metadata, dict) else {}
    sizes = {}
    for kind in data.keys() & PICTURES.keys():
        about = said if isinstance(said := given.get(kind), dict) else {}
        numbers = {name: about[name] for name in ("width", "height") if type(about.get(name)) is int}
        if numbers:
            sizes[kind] = numbers
    return sizes
