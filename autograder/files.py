"""Writing files whole or not at all, in one way for everybody."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

UNFINISHED = ".unfinished"


def replace(path: Path, data: bytes) -> None:
    """Write a file in one step: whenever this process or the machine dies, the old one or the new one is there.

    Raises:
        OSError: it cannot be written; nothing is left beside it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(UNFINISHED, ".", path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o666 & ~_umask())  # noqa: PTH101 - as any other new file; mkstemp makes it private
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_if_changed(path: Path, text: str) -> bool:
    """Write a text file unless it says that already; whether it changed."""
    data = text.encode("utf-8")
    if path.is_file() and path.read_bytes() == data:
        return False
    replace(path, data)
    return True


def sweep(folder: Path) -> None:
    """Remove what was left of files that a killed process was just writing there, and one folder deeper."""
    for path in [*folder.glob(f".*{UNFINISHED}"), *folder.glob(f"*/.*{UNFINISHED}")]:
        with suppress(OSError):
            path.unlink()
