"""Files that learners hand in, read without following what leads elsewhere: links, pipes, devices.

A folder may come from an archive or from a disk that others can write to. A link in it reaches whatever the teacher can
read, a pipe never ends, a device fills the disk. Every door where files are taken over asks here.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

KINDS = (
    (stat.S_ISLNK, "a link to another place"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISCHR, "a device"),
)
TWICE = "a file that lies in another place too (a hard link)"


def what_is_odd(path: Path, single: bool = True, within: int | None = None) -> str:
    """What keeps a file or folder from being taken over, e.g. "a link to another place"; "" where nothing does.

    Args:
        path: a file or folder; one that is not there is odd too.
        single: refuse a file that has a second name somewhere, which may be another person's.
        within: the open folder that a relative ``path`` starts from.
    """
    try:
        about = os.lstat(path, dir_fd=within)
    except (OSError, ValueError) as error:
        return f"not readable ({getattr(error, 'strerror', None) or error})"
    for is_kind, words in KINDS:
        if is_kind(about.st_mode):
            return words
    if single and stat.S_ISREG(about.st_mode) and about.st_nlink > 1:
        return TWICE
    return ""


def odd_folder(folder: Path) -> str:
    """What is odd about a learner's folder of a lesson or about the learner's own folder around it."""
    for part in (folder.parent, folder):
        if odd := what_is_odd(part):
            return f"{part.parent.name}/{part.name} is {odd}"
    return "" if folder.is_dir() else f"{folder.parent.name}/{folder.name} is not a folder"


def read_plain(path: Path, limit: int, within: int | None = None, single: bool = True) -> bytes:
    """The first ``limit`` bytes of a file that is nothing but a file.

    Args:
        single: as :func:`what_is_odd`.
        within: the open folder that a relative ``path`` starts from. Names on the way may be links by the time that a
            path is followed: who can write to a folder around this one can exchange it.

    Raises:
        OSError: it cannot be read, is a link, or is no file (also when it became one meanwhile).
    """
    if odd := what_is_odd(path, single, within):
        raise OSError(f"it is {odd}")
    careful = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, os.O_RDONLY | careful, dir_fd=within)
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode) or (single and about.st_nlink > 1):
        os.close(descriptor)  # Python makes no file of a folder, and would leave this open
        raise OSError("it is not a file")
    with open(descriptor, "rb") as file:  # noqa: PTH123
        return file.read(limit)


def plain_bytes(path: Path, limit: int, within: int | None = None, single: bool = True) -> bytes:
    """The whole content of such a file.

    Raises:
        OSError: as of :func:`read_plain`, or it has over ``limit`` bytes.
    """
    content = read_plain(path, limit + 1, within, single)
    if len(content) > limit:
        raise OSError(f"it has more than {limit} bytes")
    return content
