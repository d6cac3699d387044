"""Taking archives apart that strangers have made: bounded in bytes, files and depth, and never out of their folder."""

from __future__ import annotations

import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from ..errors import CourseError
from ..grading.reading import MAX_FILE_BYTES
from ..grading.text import clean

SUFFIXES = (".zip", ".tar", ".gz", ".tgz")
MAX_DEPTH = 3  # archives in archives
CHUNK = 1 << 20


class BadArchive(CourseError):
    """An archive that is left alone; says which one and why."""


@dataclass
class Budget:
    """What all archives of one run may take together."""

    bytes_left: int = 20 << 30
    files_left: int = 100_000

    def take(self, size: int) -> None:
        """Raises:
        BadArchive: there is no more.
        """
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise BadArchive("it unpacks to more than the space that is left for all archives together")


def is_archive(path: Path) -> bool:
    """Whether a file's name is one of an archive."""
    return path.suffix.lower() in SUFFIXES


def extract(archive: Path, dest: Path, budget: Budget, depth: int = 1) -> list[str]:
    """Take an archive apart into the folder ``dest``, and what archives it holds into folders beside them.

    Args:
        archive: a zip, or a tar, packed or not.
        dest: is made; removed again where the archive is refused.
        budget: what is left for this archive and all after it.
        depth: of this one, counted from 1.

    Returns:
        Sentences about members that were left out: links, devices, names that lead out of the folder.

    Raises:
        BadArchive: it cannot be read, is locked, or is larger than anything that a class hands in.
    """
    said: list[str] = []
    try:
        for name, size, content in _members(archive, said):
            budget.files_left -= 1
            if budget.files_left < 0:
                raise BadArchive("it holds more files than are left for all archives together")
            if size > MAX_FILE_BYTES:
                raise BadArchive(f"its file {clean(name)} has more than {MAX_FILE_BYTES >> 20} MB")
            target = dest / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with content, target.open("xb") as file:
                _copy(content, file, budget, name)
            if is_archive(target) and _is_one(target):
                if depth == MAX_DEPTH:
                    raise BadArchive(f"it holds archives in archives in archives ({clean(name)})")
                said += extract(target, target.with_name(target.name.split(".")[0] or "archive"), budget, depth + 1)
    except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, tarfile.TarError, zlib.error) as error:
        shutil.rmtree(dest, ignore_errors=True)
        raise BadArchive(f"it cannot be read ({clean(str(error))[:200]})") from None
    except BadArchive:
        shutil.rmtree(dest, ignore_errors=True)
        raise
    return said


def _copy(content: IO[bytes], file: IO[bytes], budget: Budget, name: str) -> None:
    """What an archive says of a size is a stranger's word, so bytes are counted as they come."""
    copied = 0
    while chunk := content.read(CHUNK):
        copied += len(chunk)
        if copied > MAX_FILE_BYTES:
            raise BadArchive(f"its file {clean(name)} has more than {MAX_FILE_BYTES >> 20} MB")
        budget.take(len(chunk))
        file.write(chunk)


def _is_one(path: Path) -> bool:
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def _members(archive: Path, said: list[str]) -> Iterator[tuple[str, int, IO[bytes]]]:
    """``(name, size, content)`` of each plain file in an archive."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                kind = stat.S_IFMT(info.external_attr >> 16)
                if info.is_dir():
                    continue
                if _leads_out(info.filename) or kind not in (0, stat.S_IFREG):
                    said.append(f"{clean(info.filename)} was left out: it is a link, or leads out of its folder.")
                elif info.flag_bits & 1:
                    raise BadArchive("it is locked with a password")
                else:
                    yield info.filename, info.file_size, opened.open(info)
    elif tarfile.is_tarfile(archive):
        with tarfile.open(archive) as opened_tar:
            for member in opened_tar:
                content = opened_tar.extractfile(member) if member.isfile() else None
                if content is not None and not _leads_out(member.name):
                    yield member.name, member.size, content
                elif not member.isdir():
                    said.append(f"{clean(member.name)} was left out: it is a link, or leads out of its folder.")
    else:
        raise BadArchive("it is no zip and no tar")


def _leads_out(name: str) -> bool:
    """Whether a member's name is no plain path inside the archive's folder."""
    parts = PurePosixPath(name).parts
    return not parts or name.startswith(("/", "\\")) or ".." in parts or "\\" in name or ":" in parts[0] or "\0" in name
