"""What a failed check tells: the names that every check may use without an import, ``Told`` and ``written``.

Standard library alone: the checker brings these names to each check, and the build puts this file's text into a
lesson's helpers, so that a check says the same in a notebook.
"""

import math
from collections.abc import Mapping
from typing import Any

LONGEST_VALUE = 600  # characters of one value in a message
NEUTRAL = (
    "none of the usual mistakes: compare what came with what was expected. Where several checks of this exercise "
    "fail, mend the first one first"
)


BROUGHT = frozenset({"Told", "written"})  # what a check need not define


class Told:
    """The words of one check; called with a diagnosis, it gives the message of an ``assert``.

    Args:
        asked: what the check asked, as a person would say it, e.g. ``"spread(3, 'CPU:0')"``.
        got: what came; may be replaced as the check goes on (``told.got = ...``).
        expected: what should have come.
        reread: the section to read again, by number and title, or ``"the text of exercise 3"``.

    Values that are no text are written by :func:`written`.
    """

    def __init__(self, asked: Any, got: Any, expected: Any, reread: str) -> None:
        self.asked, self.got, self.expected, self.reread = asked, got, expected, reread

    def __call__(self, likely: str = NEUTRAL) -> str:
        """The message, five labelled lines. ``likely`` is a diagnosis that is true of this very answer."""
        values = [
            value if isinstance(value, str) else written(value) for value in (self.asked, self.got, self.expected)
        ]
        labels = ("asked:", "got:", "expected:", "likely:", "reread:")
        return "\n".join(
            f"{label:<9} {value}" for label, value in zip(labels, [*values, likely, self.reread], strict=True)
        )


def written(value: Any) -> str:
    """A value as a person writes it: numbers with up to six digits, arrays as lists, long ones shortened."""
    text = _written(value)
    if len(text) <= LONGEST_VALUE:
        return text
    return f"{text[: LONGEST_VALUE // 2]} [...] {text[-LONGEST_VALUE // 2 :]}"


def _written(value: Any) -> str:
    if isinstance(value, str):
        return repr(str(value))
    if isinstance(value, bytes | bytearray):
        return repr(bytes(value)) if len(value) <= 40 else f"{bytes(value[:20])!r}... ({len(value)} bytes)"
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return _number(float(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_written(key)}: {_written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_written, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_written, value))) + "}" if value else "set()"
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    if callable(getattr(value, "tolist", None)):  # arrays and numbers of NumPy
        return _written(value.tolist())
    return repr(value)


def _number(value: float) -> str:
    """Six digits say what a person wants to know; 0.1 + 0.2 is 0.3 here."""
    if not math.isfinite(value) or value == round(value, 6):
        return repr(value)
    short = f"{value:.6g}"
    return repr(float(short))
