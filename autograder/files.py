"""Writing files whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file through one beside it, so that nobody ever reads half of it and a crash leaves the old one.

    Folders above it are made.

    Raises:
        OSError: it cannot be written; the old file is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_if_changed(path: Path, text: str) -> bool:
    """Write a text file (UTF-8) unless it says the same already; return whether it was written."""
    data = text.encode()
    if path.is_file() and path.read_bytes() == data:
        return False
    write_whole(path, data)
    return True
