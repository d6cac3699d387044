"""Writing files whole or not at all, in one way for everybody."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

UNFINISHED = ".unfinished"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: whenever this process or the machine dies, the old one or the new one is there.

    Folders above it are made.

    Raises:
        OSError: it cannot be written; the old file is as it was, and nothing is left beside it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_if_changed(path: Path, text: str) -> bool:
    """Write a text file (UTF-8) unless it says the same already; return whether it was written."""
    data = text.encode("utf-8", "replace")
    if path.is_file() and path.read_bytes() == data:
        return False
    write_whole(path, data)
    return True


def sweep(folder: Path) -> None:
    """Remove what was left of files that a killed process was just writing there, and one folder deeper."""
    for path in [*folder.glob(f".*{UNFINISHED}"), *folder.glob(f"*/.*{UNFINISHED}")]:
        with suppress(OSError):
            path.unlink()
