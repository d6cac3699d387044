"""Writing files whole or not at all, in one way for everybody."""

from __future__ import annotations

import errno
import io
import os
import zipfile
from contextlib import suppress
from pathlib import Path

UNFINISHED = ".unfinished"
OWNERS = 0o700
OPEN = (Path("/dev"), Path("/dev/fd"))  # where a name stands for what a program has open, be it a file
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # a zip's first time


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: whenever this process or the machine dies, the old one or the new one is there.

    Folders above it are made. Who may not list the folder may not read what is written there, either: not for a moment.
    What is no file but takes what is written (``/dev/stdout``) stays what it is.

    Raises:
        OSError: it cannot be written; the old file is as it was, and nothing is left beside it.
    """
    if path.parent in OPEN or path.is_char_device() or path.is_fifo():
        path.write_bytes(data)
        return
    if not path.name:  # "." and "/"
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    _make_folder(path.parent)
    mode = 0o666 & (OWNERS | path.parent.stat().st_mode)
    beside = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    beside.unlink(missing_ok=True)  # a killed process's, or a link that somebody put there: not written through
    try:
        with open(beside, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:  # noqa: PTH123
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it, each for nobody but those who may look into the one that it lies in."""
    if not folder.is_dir():
        if folder.parent != folder:  # a drive of Windows' that is not there
            _make_folder(folder.parent)
        folder.mkdir(0o777 & (OWNERS | folder.parent.stat().st_mode), exist_ok=True)


def write_zip(path: Path, files: dict[str, bytes]) -> None:
    """Write files as a zip in one step; the same files make the same bytes. What begins with ``#!`` can be run."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, LONG_AGO)
            info.external_attr = (0o755 if content.startswith(b"#!") else 0o644) << 16
            opened.writestr(info, content, zipfile.ZIP_DEFLATED)
    write_whole(path, made.getvalue())


def write_if_changed(path: Path, text: str | bytes) -> bool:
    """Write a text file (UTF-8) unless it says the same already; return whether it was written."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return False
    write_whole(path, data)
    return True


def sweep(folder: Path) -> None:
    """Remove what was left of files that a killed process was just writing there, and one folder deeper."""
    for path in [*folder.glob(f".*{UNFINISHED}"), *folder.glob(f"*/.*{UNFINISHED}")]:
        with suppress(OSError):
            path.unlink()
