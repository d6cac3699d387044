"""Files beside the notebook are found for the notebook's own imports alone.

Libraries import modules by texts that they are given: a name of a plot's backend, a class's ``__module__``, the word
that somebody asks help for. A file that a cell wrote would run so in the kernel, and no reading of the cell tells.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from opcode import opmap
from types import FrameType, ModuleType

from .places import HERE

NOTEBOOK = "__main__"


class OwnImports(PathFinder):
    """In the place of Python's own finder."""

    def __init__(self) -> None:
        self._kernel = os.getpid()
        self._own = {NOTEBOOK}  # and modules that it has imported

    def find_spec(  # type: ignore[override] # PathFinder has a class's method, of which this needs an object's
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As ``PathFinder.find_spec``."""
        is_part = path is not None  # of what is found already
        if is_part or os.getpid() != self._kernel:  # a process that it started gets objects of its modules
            return PathFinder.find_spec(fullname, path, target)
        of_libraries = [place for place in sys.path if place and not os.path.abspath(place).startswith(HERE)]  # noqa: PTH100
        found = PathFinder.find_spec(fullname, of_libraries, target)
        if fullname in self._own or (not _is_file(found) and self._asks(sys._getframe(1))):
            found = PathFinder.find_spec(fullname, None, target)
            if found is not None:
                self._own.add(fullname)  # what it imports is the notebook's, too, and it may be loaded again
        return found

    def _asks(self, frame: FrameType | None) -> bool:
        """Whether code of the notebook's asks, by ``import`` or a function of importlib's, and no library for it."""
        by_function = False
        while frame is not None and _module_of(frame).startswith("importlib"):
            by_function |= _module_of(frame) == "importlib"
            frame = frame.f_back
        if frame is None or _module_of(frame).partition(".")[0] not in self._own:
            return False
        return by_function or frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_NAME"]


def _is_file(found: ModuleSpec | None) -> bool:
    """Whether there is code to load; a folder without any may also be one of a namespace's parts."""
    return found is not None and found.loader is not None


def _module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def find_beside_for_own_imports() -> None:
    """Let no library find what lies beside the notebook."""
    sys.meta_path[:] = [OwnImports() if finder is PathFinder else finder for finder in sys.meta_path]
