"""Taking archives apart that strangers have made: bounded in bytes, files and depth, and never out of their folder.

Python's readers take memory for what an archive says of itself before anybody can count it: a zip's list of members, a
tar's long names, the folders and links in it. So a zip's list is counted as it lies in the file, and a tar is read
through :class:`Counted`. An archive in an archive is one learner's: what is wrong with it is said, and the rest stays.
"""

from __future__ import annotations

import gzip
import io
import itertools
import os
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO

from ..errors import CourseError
from ..grading.reading import MAX_FILE_BYTES
from ..grading.text import clean

SUFFIXES = (".zip", ".tar", ".gz", ".tgz")
MAX_DEPTH = 3  # archives in archives
CHUNK = 1 << 20
MAX_PARTS = 30  # folders in folders
ONE_OF = 10  # an archive that may be one learner's gets a tenth of what is left
ENTRY, GZIP, TAR = b"PK\x01\x02", b"\x1f\x8b", b"ustar"  # of a member in a zip's list, a packed file, a tar
TAR_AT = 257  # where a tar says what it is


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

    def one_more(self) -> None:
        """Raises:
        BadArchive: there are no more files.
        """
        self.files_left -= 1
        if self.files_left < 0:
            raise BadArchive("it holds more files than are left for all archives together")

    def share(self, of: int) -> Budget:
        """A part of what is left, one of ``of``: what one archive may take at most."""
        return Budget(self.bytes_left // of, self.files_left // of)


class Counted(io.RawIOBase):
    """The bytes of a tar, packed or not, read in pieces of :data:`CHUNK` at most and counted, also what is skipped.

    A longer piece is asked for by a name or a note that is longer than any, and would be held in memory.
    """

    def __init__(self, file: IO[bytes] | gzip.GzipFile, budget: Budget) -> None:
        self.file, self.budget, self.place = file, budget, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence != os.SEEK_SET:
            raise OSError("a tar is read from its start")
        self.budget.take(max(0, offset - self.place))
        self.place = self.file.seek(offset)
        return self.place

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= CHUNK:
            raise BadArchive("it holds a name or a note that is far too long")
        data = self.file.read(size)
        self.budget.take(len(data))
        self.place += len(data)
        return data

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override] # of a kind that has a length and parts
        data = self.read(min(len(buffer), CHUNK))
        buffer[: len(data)] = data
        return len(data)


def is_archive(path: Path) -> bool:
    """Whether a file's name is one of an archive."""
    return path.suffix.lower() in SUFFIXES


def extract(archive: Path, dest: Path, budget: Budget, of: int = 1, depth: int = 1) -> list[str]:
    """Take an archive apart into the folder ``dest``, and what archives it holds into folders beside them.

    Args:
        archive: a zip, or a tar, packed by gzip or not.
        dest: is made; removed again where the archive is refused.
        budget: what is left for this archive and all after it; a refused one takes nothing of it.
        of: how many such archives may come: each may take one part of so many.
        depth: of this one, counted from 1.

    Returns:
        Sentences about members that were left out: links, devices, names that lead out of the folder.

    Raises:
        BadArchive: it cannot be read, is locked, or is larger than anything that a class hands in.
    """
    said: list[str] = []
    mine = budget.share(of)
    before = replace(mine)
    try:
        for name, size, content in _members(archive, said, mine):
            mine.one_more()
            if size > MAX_FILE_BYTES:
                raise BadArchive(f"its file {clean(name)} has more than {MAX_FILE_BYTES >> 20} MB")
            target = dest / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with content, target.open("xb") as file:
                _copy(content, file, mine, name)
            if is_archive(target):
                said += _extract_inner(target, name, mine, depth + 1)
    except BadArchive:
        shutil.rmtree(dest, ignore_errors=True)
        raise
    except Exception as error:  # readers of formats meet a stranger's bytes, and fail in more ways than can be listed
        shutil.rmtree(dest, ignore_errors=True)
        raise BadArchive(f"it cannot be read ({clean(str(error))[:200] or type(error).__name__})") from None
    budget.bytes_left -= before.bytes_left - mine.bytes_left
    budget.files_left -= before.files_left - mine.files_left
    return said


def _extract_inner(archive: Path, name: str, budget: Budget, depth: int) -> list[str]:
    if depth > MAX_DEPTH:
        return [f"{clean(name)} was left as it is: archives in archives in archives."]
    try:
        return extract(archive, folder_for(archive), budget, ONE_OF, depth)
    except BadArchive as error:
        return [f"{clean(name)} was left as it is: {error}."]


def folder_for(archive: Path) -> Path:
    """A folder beside an archive, of its name, where nothing else lies: two archives may begin alike."""
    name = archive.name.split(".")[0] or "archive"
    for number in itertools.count(1):
        folder = archive.with_name(name if number == 1 else f"{name}-{number}")
        if not os.path.lexists(folder):
            return folder
    raise AssertionError("unreachable: the numbers do not end")


def _copy(content: IO[bytes], file: IO[bytes], budget: Budget, name: str) -> None:
    """What an archive says of a size is a stranger's word, so bytes are counted as they come."""
    copied = 0
    while chunk := content.read(CHUNK):
        copied += len(chunk)
        if copied > MAX_FILE_BYTES:
            raise BadArchive(f"its file {clean(name)} has more than {MAX_FILE_BYTES >> 20} MB")
        budget.take(len(chunk))
        file.write(chunk)


def _says(path: Path, place: int, word: bytes) -> bool:
    with path.open("rb") as file:
        file.seek(place)
        return file.read(len(word)) == word


def _members(archive: Path, said: list[str], budget: Budget) -> Iterator[tuple[str, int, IO[bytes]]]:
    """``(name, size, content)`` of each plain file in an archive."""
    if zipfile.is_zipfile(archive):
        yield from _of_zip(archive, said, budget)
    elif _says(archive, 0, GZIP):
        with gzip.open(archive) as unpacked:
            yield from _of_tar(unpacked, said, budget)
    else:
        with archive.open("rb") as file:
            yield from _of_tar(file, said, budget)


def _of_zip(archive: Path, said: list[str], budget: Budget) -> Iterator[tuple[str, int, IO[bytes]]]:
    if _entries(archive) > budget.files_left:
        raise BadArchive("it holds more files than are left for all archives together")
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if info.is_dir():
                continue
            if kind not in (0, stat.S_IFREG) or _is_odd(info.filename):
                _left_out(info.filename, said)
            elif info.flag_bits & 1:
                raise BadArchive("it is locked with a password")
            else:
                yield info.filename, info.file_size, opened.open(info)


def _entries(archive: Path) -> int:
    """How many members a zip may list; those of archives that lie in it unpacked count too."""
    found, before = 0, b""
    with archive.open("rb") as file:
        while chunk := file.read(CHUNK):
            found += (before + chunk).count(ENTRY)
            before = chunk[1 - len(ENTRY) :]
    return found


def _of_tar(file: IO[bytes] | gzip.GzipFile, said: list[str], budget: Budget) -> Iterator[tuple[str, int, IO[bytes]]]:
    counted = Counted(file, replace(budget))  # what is copied counts by itself; this is what is read for it
    try:
        with tarfile.open(fileobj=counted, mode="r:") as opened:
            for member in opened:
                content = opened.extractfile(member) if member.isfile() else None
                if content is not None and not _is_odd(member.name):
                    yield member.name, member.size, content
                    continue
                counted.budget.one_more()
                if not member.isdir():
                    _left_out(member.name, said)
    except tarfile.ReadError as error:
        raise BadArchive(f"it is no zip and no tar, or is damaged ({error})") from None


def _left_out(name: str, said: list[str]) -> None:
    why = "it is a link, leads out of its folder, or has a name that cannot be shown"
    said.append(f"{clean(name)[:200]} was left out: {why}.")


def _is_odd(name: str) -> bool:
    """Whether a member's name is no plain path inside the archive's folder."""
    parts = PurePosixPath(name).parts
    out = not parts or name.startswith(("/", "\\")) or ".." in parts or "\\" in name or ":" in parts[0]
    return out or len(parts) > MAX_PARTS or clean(name) != name or "\n" in name or "\t" in name
