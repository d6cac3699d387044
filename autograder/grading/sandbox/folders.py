"""The grader's own folders for kernels and their sockets: nobody else may enter them, and none is left behind."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

if sys.platform != "win32":  # there a killed grader's folders stay until the system empties its temporary ones
    import fcntl

PREFIX = "course-grader-"  # also of other folders of the course's that are not to outlive a killed process
JUST_MADE = 5.0  # seconds in which a new folder may not be locked yet
REMOVE_SECONDS = 60

_locks: dict[Path, int] = {}  # {folder: descriptor} of this process; the system lets go of them when it ends


def private_folder(kind: str) -> Path:
    """A new folder that nobody else may enter, with a path that is short enough for sockets (107 bytes in all).

    It counts as in use until :func:`remove` or the end of this process, however it ends.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-", dir=_temporary()))
    if sys.platform != "win32":
        _locks[folder] = os.open(folder, os.O_RDONLY)
        fcntl.flock(_locks[folder], fcntl.LOCK_EX)
    return folder


def remove(folder: Path) -> None:
    """Remove one of these folders with all that is in it."""
    remove_all(folder)
    if folder in _locks:
        os.close(_locks.pop(folder))


def remove_all(place: Path) -> None:
    """Remove a file or a folder that a stranger's code filled, as far as that can be done; never raises.

    Folders in folders may be nested more deeply than Python goes, and closed to whoever owns them.
    """
    with contextlib.suppress(OSError, RecursionError):
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()
        return
    if sys.platform != "win32" and os.path.lexists(place):
        for tool in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                subprocess.run([*tool, "--", str(place)], capture_output=True, timeout=REMOVE_SECONDS)


@contextlib.contextmanager
def scratch_folder(kind: str) -> Iterator[Path]:
    """A private folder for as long as the ``with`` lasts."""
    folder = private_folder(kind)
    try:
        yield folder
    finally:
        remove(folder)


def sweep() -> None:
    """Remove what graders that were killed have left; a folder that is in use is locked."""
    if sys.platform == "win32":
        return
    for folder in _temporary().glob(f"{PREFIX}*-*"):
        with contextlib.suppress(OSError):
            about = folder.lstat()
            if about.st_uid == os.geteuid() and time.time() - about.st_mtime > JUST_MADE:
                _remove_if_free(folder)


def _remove_if_free(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_all(folder)
    finally:
        os.close(lock)


def _temporary() -> Path:
    usual = tempfile.gettempdir()
    return Path(usual if len(usual) < 40 else "/tmp")
