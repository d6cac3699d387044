"""The tests that a learner keeps beside a notebook, such as ``test_trainer.py`` of lesson 12. They count no points."""

from __future__ import annotations

import ast
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

SECONDS = 120.0
LAST_BYTES = 10_000  # of what tests say, read
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
DEFINES = ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign


@dataclass(frozen=True)
class OwnTests:
    """What one file of tests said."""

    name: str
    wrong: str  # the last line of what went wrong, or that no test was called; empty where all passed

    def __str__(self) -> str:
        return f"{self.name}: {self.wrong or 'passed'}"


def run_own_tests(folder: Path, seconds: float = SECONDS) -> list[OwnTests]:
    """Run each ``test_*.py`` of ``folder`` there, as ``python test_x.py``, for at most ``seconds`` each."""
    return [OwnTests(path.name, _wrong(path, seconds)) for path in sorted(folder.glob("test_*.py")) if path.is_file()]


def _wrong(path: Path, seconds: float) -> str:
    with tempfile.TemporaryFile() as stderr:  # no pipe: what the tests start may hold it open
        process = subprocess.Popen(
            [sys.executable, path.name],
            cwd=path.parent,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=os.name == "posix",
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return f"did not end within {seconds:g} s"
        finally:  # with all that it started
            if os.name == "posix":
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.wait()
        stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - LAST_BYTES))
        lines = [line for line in stderr.read().decode(errors="replace").splitlines() if line.strip()]
    if process.returncode:
        return lines[-1] if lines else f"ended with {process.returncode}"
    return _uncalled(path)


def _uncalled(path: Path) -> str:
    """That no test was called, where a file only defines them, as it does for pytest; "" for any other file."""
    try:
        with warnings.catch_warnings(action="ignore"):  # Python has said in its own run what it thinks of escapes
            tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):  # it changed or went while it ran
        return ""
    defined = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name.startswith("test_")]
    only_defines = all(_defines(node) for node in tree.body)
    said = f"ended, but called none of its tests ({len(defined)}): call them at its end, or run pytest"
    return said if defined and only_defines else ""


def _defines(node: ast.stmt) -> bool:
    """Whether a statement does no more than define something, so that it calls no test."""
    if isinstance(node, ast.Expr):  # a docstring
        return isinstance(node.value, ast.Constant)
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return not node.decorator_list
    return isinstance(node, DEFINES) and not any(isinstance(part, ast.Call) for part in ast.walk(node))
