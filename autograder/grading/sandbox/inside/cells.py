"""What a cell's text runs as: Python as it stands, or what IPython makes of it.

IPython changes texts before Python sees them, and by more than its signs: it takes off prompts in the middle of a cell,
parts lines at signs that are none for Python, indents anew, and takes one line for a magic that looks like a call. So
nobody could say by reading a cell what it runs. In the sandbox a text that is Python runs as it stands; IPython gets
those alone that are not and have one of its signs. The grader, which reads cells (:mod:`..harmless`), asks here, too,
and sends what comes of it: what a parser takes for Python depends on settings of a process, which a cell can change.
"""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
from collections.abc import Callable
from functools import lru_cache
from typing import Any

# IPython takes these prompts off lines that go on, too.
PROMPTS = r"(?:\[(?:nav|ins)\][ \t]*)?In[ \t]*\[|\.{3,}:"
# Magics, commands of the shell, calls without parentheses, prompts. In front of them it takes away also spaces of which
# Python makes nothing.
FOR_IPYTHON = re.compile(rf"^[^\S\n]*(?:[%!/,;?]|>>>|{PROMPTS})|[=(][\s\\]*[%!]|\?[^\S\n]*$", re.MULTILINE)

AS_IT_STANDS = "\n# It is Python as it stands, says the grader."
# Of a text that IPython changes, for which it looks through all of it once for each sign.
MOST_SIGNS, MOST_LOOKED_AT = 30, 50_000  # characters, again for each sign
# And from each character on for some of them: of a line, a word, or blanks.
LONG = re.compile(r"[^\n]{1001}|[\w.*\[\]-]{301}|[^\S\n]{101}")


def has_signs(text: str) -> bool:
    """Whether there is anything in a text that is IPython's alone."""
    return FOR_IPYTHON.search(_in_lines(text)) is not None


def _in_lines(text: str) -> str:
    """Lines as IPython parts them, which is where Python does not."""
    return "\n".join(text.splitlines())


def as_it_runs(text: str, parse: Callable[[str], ast.Module] = ast.parse) -> tuple[str, ast.Module] | None:
    """The text that Python gets, and its tree; None where IPython makes it.

    As IPython does, leading lines of spaces are left out of a text that is indented or begins with odd ones; and as
    older ones do (Colab's), what stands before the first word is taken off each line that begins with it.

    Args:
        parse: raises SyntaxError for what is no Python; what else it raises is raised.

    Raises:
        SyntaxError: it is no Python, and has no sign of IPython's: it does not run.
    """
    problems: dict[str, SyntaxError] = {}
    for form in (str, _dedented, _from_the_margin):
        plain = form(text)
        if plain in problems:
            continue
        try:
            return plain, parse(plain)
        except SyntaxError as error:
            problems[plain] = error
    if has_signs(text):
        return None
    raise problems[text]


def _begun(text: str) -> str:
    return "".join(itertools.dropwhile(str.isspace, text.splitlines(keepends=True)))


def _dedented(text: str) -> str:
    return textwrap.dedent(_begun(text))


def _from_the_margin(text: str) -> str:
    begun = _begun(text)
    before = begun[: len(begun) - len(begun.lstrip(" \t"))]
    return re.sub(f"^{before}", "", begun, flags=re.MULTILINE)


def by_ipython(text: str) -> str:
    """The Python that IPython makes of a text.

    Raises:
        ValueError: it would take long, or IPython makes nothing of it.
    """
    made = _made_by_ipython(text)
    if made is None:
        raise ValueError("nothing for IPython")
    return made


@lru_cache(maxsize=100)
def _made_by_ipython(text: str) -> str | None:
    from IPython.core.inputtransformer2 import TransformerManager

    signs = len(FOR_IPYTHON.findall(_in_lines(text)))
    if signs > MOST_SIGNS or len(text) * signs > MOST_LOOKED_AT or LONG.search(_in_lines(text)):
        return None
    manager: Any = TransformerManager()  # type: ignore[no-untyped-call]
    change, looks = manager.do_one_token_transform, itertools.count()

    def change_one(lines: list[str]) -> tuple[bool, list[str]]:
        if next(looks) > signs:  # ",,,,x" is one sign, and changed once for each comma
            raise ValueError("so many changes")
        changed: tuple[bool, list[str]] = change(lines)
        return changed

    manager.do_one_token_transform = change_one
    try:
        return str(manager.transform_cell(_from_the_margin(text)))
    except Exception:  # a tokenizer's, say
        return None


def marked(text: str, parse: Callable[[str], ast.Module]) -> str:
    """What is sent to a kernel that runs texts as they were read."""
    try:
        found = as_it_runs(text, parse)
        plain = by_ipython(text) if found is None else found[0]
    except Exception:  # it does not run, as the kernel will find; or it is too deep, or too long, to be read
        return text
    return f"{plain}{AS_IT_STANDS}" if text.strip() else text


def run_as_read(shell: Any) -> None:
    """Let an IPython shell run cells so, and take no word for a magic that has not its sign."""
    makes = shell.transform_cell

    def transform_cell(raw_cell: str) -> str:
        text = raw_cell.removesuffix(AS_IT_STANDS)
        if text == raw_cell:
            try:
                found = as_it_runs(raw_cell)
            except SyntaxError:
                raise
            except Exception:  # too deep, say: Python will tell
                pass
            else:
                if found is None:
                    return str(makes(raw_cell))
                text = found[0]
        return text if text.endswith("\n") else f"{text}\n"

    shell.transform_cell = transform_cell
    shell.automagic = False
