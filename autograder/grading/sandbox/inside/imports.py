"""What a kernel imports and runs beside the notebook's cells, of which nobody has read a line.

Libraries import modules, and run code, by texts that they are given: a name of a plot's backend, a class's
``__module__``, the word that somebody asks help for, a statement to be timed. No reading of the cells tells. So files
beside the notebook are found for the notebook's own imports alone, and code that a library runs, and has not brought,
is noted; the notes go with each reply of the kernel's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from opcode import opmap
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

NOTEBOOK = "__main__"
RAN = "course_ran"  # in a reply's metadata: the modules that ran such code
MOST = 20  # modules that are told
# Who runs code that it made by itself, of names; and cells.
MAKERS = frozenset({"IPython", "ipykernel", "collections", "dataclasses"})
MAGICS = "IPython.core.magics.execution"  # %timeit begins with a text of its own
AUTOGRAPH = "__autograph_generated_file"  # how TensorFlow names what it makes of a function


class OwnImports(PathFinder):
    """In the place of Python's own finder; places are read when it is made, so before the notebook's is among them."""

    def __init__(self) -> None:
        self._places = [*sys.path]
        self._brought = tuple({*filter(None, sys.path), sys.prefix, sys.base_prefix, str(Path(os.__file__).parent)})
        self._own = {NOTEBOOK}  # and modules that lie beside it

    def find_spec(  # type: ignore[override] # PathFinder has a class's method, of which this needs an object's
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As ``PathFinder.find_spec``."""
        if path is not None:  # a part of what is found already
            return PathFinder.find_spec(fullname, path, target)
        if fullname not in self._own and not self._asks(sys._getframe(1)):
            return PathFinder.find_spec(fullname, self._places, target)
        found = PathFinder.find_spec(fullname, None, target)
        if found is not None and not all(map(self.is_brought, found.submodule_search_locations or [str(found.origin)])):
            self._own.add(fullname)  # what it imports is the notebook's, too, and it may be loaded again
        return found

    def _asks(self, frame: FrameType | None) -> bool:
        """Whether code of the notebook's asks, by ``import`` or a function of importlib's, and no library for it."""
        by_function = False
        while frame is not None and _module_of(frame).startswith("importlib"):
            by_function |= _module_of(frame) == "importlib"
            frame = frame.f_back
        if frame is None or not self.is_own(frame):
            return False
        return by_function or frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_NAME"]

    def is_own(self, frame: FrameType) -> bool:
        """Whether code runs there of the notebook, or of a module beside it."""
        return _module_of(frame).partition(".")[0] in self._own

    def is_brought(self, file: str) -> bool:
        """Whether a file belongs to Python or a library."""
        return file.startswith(("<frozen ", *self._brought))

    def lies_beside(self, file: str) -> bool:
        """Whether it may be one of a module beside the notebook that was asked for."""
        return not self._own.isdisjoint(Path(file).with_suffix("").parts)


class Ran:
    """Notes who runs code that is in no file of a library's."""

    def __init__(self, imports: OwnImports) -> None:
        self._imports = imports
        self.modules: list[str] = []

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        """A hook for :func:`sys.addaudithook`, so called for many things."""
        if event == "exec" and len(self.modules) < MOST:
            frame = sys._getframe(1)
            module = _module_of(frame)
            if module not in self.modules and not self._is_known(frame, args[0]):
                self.modules.append(module)

    def _is_known(self, frame: FrameType | None, code: CodeType) -> bool:
        file = code.co_filename
        if frame is None or self._imports.is_brought(file) or self._imports.is_own(frame):
            return True
        root = _module_of(frame).partition(".")[0]
        if root == "importlib":
            made = file.startswith("<")  # by a library of native code that is loaded
            return made or Path(file).name.startswith(AUTOGRAPH) or self._imports.lies_beside(file)
        while frame is not None and not self._imports.is_own(frame):
            importing = frame.f_code.co_filename.startswith("<frozen importlib")  # a library, which makes its own
            if importing or _module_of(frame) == MAGICS:
                return True
            frame = frame.f_back
        return root in MAKERS

    def told(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """A reply's metadata, with the notes."""
        return metadata | {RAN: self.modules} if self.modules else metadata


def _module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def note_what_runs(kernel: Any) -> None:
    """Let no library find what lies beside the notebook, and let the kernel tell what libraries run.

    Comes before the notebook's place is put into ``sys.path``.
    """
    imports = OwnImports()
    sys.meta_path[:] = [imports if finder is PathFinder else finder for finder in sys.meta_path]
    ran = Ran(imports)
    kernel.finish_metadata = lambda parent, metadata, reply: ran.told(metadata)
    sys.addaudithook(ran)
