"""What a cell's text runs as: Python as it stands, or what IPython makes of it.

IPython changes texts before Python sees them, and by more than its signs: it takes off prompts in the middle of a cell,
parts lines at signs that are none for Python, indents anew, and takes one line for a magic that looks like a call. So
nobody could say by reading a cell what it runs. In the sandbox a text that is Python runs as it stands; IPython gets
those alone that are not and have one of its signs. The grader, which reads cells (:mod:`..harmless`), asks here, too,
and marks what is Python: what a parser takes for that depends on settings of a process, which a cell can change.
"""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
from collections.abc import Callable
from typing import Any

# IPython takes these prompts off lines that go on, too.
PROMPTS = r"(?:\[(?:nav|ins)\][ \t]*)?In[ \t]*\[|\.{3,}:"
# Magics, commands of the shell, calls without parentheses, prompts. In front of them it takes away also spaces of which
# Python makes nothing.
FOR_IPYTHON = re.compile(rf"^[^\S\n]*(?:[%!/,;?]|>>>|{PROMPTS})|[=(][\s\\]*[%!]|\?[^\S\n]*$", re.MULTILINE)

AS_IT_STANDS = "\n# It is Python as it stands, says the grader."


def has_signs(text: str) -> bool:
    """Whether there is anything in a text that is IPython's alone."""
    return FOR_IPYTHON.search("\n".join(text.splitlines())) is not None


def as_it_runs(text: str, parse: Callable[[str], ast.Module] = ast.parse) -> tuple[str, ast.Module] | None:
    """The text that Python gets, and its tree; None where IPython makes it.

    As IPython does, leading lines of spaces are left out of a text that is indented or begins with odd ones.

    Args:
        parse: raises SyntaxError for what is no Python; what else it raises is raised.

    Raises:
        SyntaxError: it is no Python, and has no sign of IPython's: it does not run.
    """
    problems = []
    begun = "".join(itertools.dropwhile(str.isspace, text.splitlines(keepends=True)))
    for plain in (text, textwrap.dedent(begun)):
        try:
            return plain, parse(plain)
        except SyntaxError as error:
            problems.append(error)
    if has_signs(text):
        return None
    raise problems[0]


def marked(text: str, parse: Callable[[str], ast.Module]) -> str:
    """A cell's text as it is sent to a kernel that runs texts as they were read."""
    try:
        found = as_it_runs(text, parse)
    except SyntaxError:
        found = text, ast.Module([], [])
    except Exception:  # too deep, or too long to be read: a person is told of it
        found = None
    return text if found is None or not text.strip() else f"{found[0]}{AS_IT_STANDS}"


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
                found = raw_cell, ast.Module([], [])
            if found is None:
                return str(makes(raw_cell))
            text = found[0]
        return text if text.endswith("\n") else f"{text}\n"

    shell.transform_cell = transform_cell
    shell.automagic = False
