"""Taking archives apart that strangers have made: bounded in bytes, files and depth, and never out of their folder.

Python's readers take memory for what an archive says of itself before anybody can count it: a zip's list of members, a
tar's long names, the folders and links in it. So a zip is read through :class:`Listed`, a tar through :class:`Counted`,
and one that is packed through :class:`Packed`.
One member is one learner's, an archive in an archive too: what is wrong with it is said, and the rest stays. Archives
in an archive come last, each with its part of what is left, so that nobody's take all.
"""

from __future__ import annotations

import errno
import gzip
import io
import itertools
import math
import os
import re
import shutil
import stat
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import IO

from ..errors import CourseError
from ..grading.reading import MAX_FILE_BYTES
from ..grading.text import JOINERS, clean, clean_line
from .submissions import is_folder, is_notebook

SUFFIXES = (".zip", ".tar", ".gz", ".tgz")
# Nobody wrote what lies in one of these.
ENVIRONMENT = re.compile(r"/(?:\.git|\.venv|site-packages|node_modules|__pycache__)/")
DRIVE = re.compile(r"[A-Za-z]:")
ENDING = re.compile(r"(\.tar)?\.(zip|tar|gz|tgz)$", re.IGNORECASE)
MAX_DEPTH = 3  # archives in archives
CHUNK, BLOCK = 1 << 20, 512
MAX_PARTS = 30  # folders in folders
TOO_DEEP = "it lies in too many folders"
TOO_LONG = "it holds a name or a note that is far too long"
TOO_MANY = "it holds more files than are left for it"
MAX_NAMES = 200_000  # in an archive in another one, which is one learner's: an environment has 60,000
MAX_OF_MANY = 500_000  # in one of several that may each hold a class's section
ONE_OF = 10  # an archive that may be one learner's gets a tenth of what is left at most
DISK_PART = 0.9  # of what is free on the disk
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of others Python unpacks a piece whole, however large it gets
UTF_8 = 0x800  # a zip's sign that a name is
MAX_LIST = 100 << 20  # bytes of a zip's list of members
MAX_HEADING = 64 << 10  # bytes that stand before one file in a tar: its name, what a system noted of it
MAX_CRUMBS = 64  # bytes of each part of a packed file that are read in small pieces
ON_DISK = 4096  # bytes that a small file, or a folder, takes
MAX_NOTED = 20_000  # names of files in an archive that are no notebooks
MAX_OF_FOLDER = 200  # of these, in one folder (a learner's pictures, say), once half of all are noted
MAX_NOTE = 400  # characters of one
MAX_SAID = 5  # sentences about one learner's archive
NO_ROOM = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
ENTRY, GZIP = b"PK\x01\x02", b"\x1f\x8b\x08"  # of a member in a zip's list, a packed part
FIRST = b"PK\x03\x04"  # stands before the first member of a zip


class BadArchive(CourseError):
    """An archive that is left alone; says which one and why."""


class NoRoom(BadArchive):
    """It is larger than what is left for it."""


class FullDisk(CourseError):
    """There is no room for a copy of a download: of a part of it nobody can tell what is the newest."""

    def __init__(self) -> None:
        super().__init__(
            "The disk has no room left for a copy of the download. Nothing was collected: make room, and try again."
        )


class BadMember(Exception):
    """One file of an archive that is left out; says why."""


@dataclass
class Budget:
    """What all archives of one run may take together."""

    bytes_left: int = 20 << 30
    files_left: int = 100_000
    listed_left: int = 5_000_000  # names in the lists of archives, also of what is not unpacked: reading is work
    # {folder of an archive in a download, where a learner names files: the archive's own name, without its ending}
    unpacked: dict[Path, str] = field(default_factory=dict)
    # {folder of what was taken apart: files of it that are no notebooks, be they wanted or not}
    beside: dict[Path, list[str]] = field(default_factory=dict)

    @classmethod
    def on_disk(cls, folder: Path) -> Budget:
        """What they may take together in a folder: never all that is free on its disk."""
        return cls(min(cls.bytes_left, int(shutil.disk_usage(folder).free * DISK_PART)))

    def take(self, size: int) -> None:
        """Raises:
        NoRoom: there is no more.
        """
        self.bytes_left -= size
        self.refuse_larger(0, 0)

    def one_more(self) -> None:
        """Raises:
        NoRoom: there are no more files.
        """
        self.files_left -= 1
        self.take(ON_DISK)

    def list_more(self, names: int) -> None:
        """Raises:
        NoRoom: there are no more names.
        """
        self.listed_left -= names
        self.refuse_longer(0)

    def refuse_longer(self, names: int) -> None:
        """Raises:
        NoRoom: so many names are more than are left.
        """
        if names > self.listed_left:
            raise NoRoom(TOO_MANY)

    def refuse_larger(self, size: int, files: int) -> None:
        """Raises:
        NoRoom: so many bytes or files are more than is left.
        """
        if size > self.bytes_left:
            raise NoRoom("it unpacks to more than the space that is left for it")
        if files > self.files_left:
            raise NoRoom(TOO_MANY)

    def cost_at_most(self, before: Budget, of: int) -> None:
        """Let what was taken since ``before`` count as no more than one part of ``of``."""
        most = before.share(of)
        self.bytes_left = max(self.bytes_left, before.bytes_left - most.bytes_left)
        self.files_left = max(self.files_left, before.files_left - most.files_left)
        self.listed_left = max(self.listed_left, before.listed_left - most.listed_left)

    def share(self, of: int, depth: int = 1) -> Budget:
        """A part of what is left, one of ``of``: what one archive at a depth may take at most."""
        names = self.listed_left // of
        names = min(names, MAX_NAMES if depth > 1 else MAX_OF_MANY) if of > 1 else names
        return Budget(self.bytes_left // of, self.files_left // of, names, self.unpacked, self.beside)


class Counted(io.RawIOBase):
    """The bytes of a tar, packed or not, read in pieces of :data:`CHUNK` at most and counted, also what is skipped.

    A longer piece is asked for by a name or a note that is longer than any, and would be held in memory. So would many
    pieces before one file, such as a list of its holes: each number of it takes far more memory and time than its sign.
    """

    def __init__(self, file: IO[bytes] | gzip.GzipFile, budget: Budget) -> None:
        self.file, self.budget, self.place = file, budget, 0
        self.heading_left: float = MAX_HEADING

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
            raise BadArchive(TOO_LONG)
        data = self.file.read(size)
        self.budget.take(len(data))
        self.heading_left -= len(data)
        if self.heading_left < 0:
            raise BadArchive(TOO_LONG)
        self.place += len(data)
        return data

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override] # of a kind that has a length and parts
        data = self.read(min(len(buffer), CHUNK))
        buffer[: len(data)] = data
        return len(data)


class Listed(io.BufferedReader):
    """The bytes of a zip, whose list of members is not read where it is longer than any, or has more than are left.

    The list costs as many names as it has blocks, too: notes in it take Python's reader far longer than names do.
    """

    def __init__(self, archive: Path, budget: Budget) -> None:
        super().__init__(io.FileIO(archive))
        self.budget, self.is_list = budget, True  # what is read first is the list

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > MAX_LIST:  # contents are read in pieces of CHUNK at most
            raise BadArchive("its list of files is far too long")
        data = super().read(size)
        if self.is_list:
            self.budget.list_more(len(data) // BLOCK)
            self.budget.refuse_longer(data.count(ENTRY))
        return data


class Packed(io.FileIO):
    """The bytes of a packed file, of which each part costs a name: it may have millions, with nothing in them.

    A part's own name, and zeros behind it, are read byte by byte: that takes minutes where there are many.
    """

    def __init__(self, archive: Path, budget: Budget) -> None:
        super().__init__(archive)
        self.budget, self.end = budget, b""  # of what was read last, where a part may begin
        self.crumbs_left = MAX_HEADING

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        parts = (self.end + data).count(GZIP)
        self.budget.list_more(parts)
        self.end = (self.end + data)[1 - len(GZIP) :]
        if size is not None and 0 <= size < BLOCK:
            self.crumbs_left += MAX_CRUMBS * parts - len(data)
            if self.crumbs_left < 0:
                raise BadArchive(TOO_LONG)
        return data


def all_below(folder: Path) -> tuple[list[Path], list[Path]]:
    """All files and folders below a folder, sorted, and those of its folders that lie too deep to be looked into."""
    found: list[Path] = []
    too_deep: list[Path] = []
    for place, folders, files in os.walk(folder):
        here = Path(place)
        found += [here / name for name in (*folders, *files)]
        if len(here.relative_to(folder).parts) >= MAX_PARTS - 1:
            too_deep += [here / name for name in folders if not (here / name).is_symlink()]
            folders.clear()
    return sorted(found), sorted(too_deep)


def is_full(error: Exception) -> bool:
    """Whether an error says that the disk has no more room, or that this account may have no more of it."""
    return isinstance(error, OSError) and error.errno in NO_ROOM


@contextmanager
def full_disk_told() -> Iterator[None]:
    """What is done within ends with :class:`FullDisk` where the disk is full."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise FullDisk from None
        raise


def everything(_: str) -> bool:
    """For :func:`extract`: all files are wanted."""
    return True


def is_archive(path: Path) -> bool:
    """Whether a file's name is one of an archive, but of what macOS writes beside one."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith("._")


def extract(
    archive: Path,
    dest: Path,
    budget: Budget,
    of: int = 1,
    depth: int = 1,
    wanted: Callable[[str], bool] = everything,
) -> list[str]:
    """Take an archive apart into the folder ``dest``, and what archives it holds into folders beside them.

    Args:
        archive: a zip, or a tar, packed by gzip or not.
        dest: is made; removed again where the archive is refused.
        budget: what is left for this archive and all after it. A refused one has cost what was read of it.
        of: how many such archives may come: each may take one part of so many.
        depth: of this one, counted from 1.
        wanted: whether a file is, by its name in the archive; others are not unpacked.

    Returns:
        Sentences about members that were left out: links, devices, names that lead out of the folder or are too long
        for the disk, files that are too large.

    Raises:
        BadArchive: it cannot be read, is locked, or is larger than anything that a class hands in.
        FullDisk: the disk is.
    """
    said: list[str] = []
    inner: list[str] = []
    beside: dict[str, None] = {}
    of_folder = Counter[str]()

    def noted(name: str) -> bool:
        is_other = not (is_notebook(Path(name)) or name.endswith("/") or ENVIRONMENT.search(f"/{name}"))
        if is_other and len(name) <= MAX_NOTE and len(beside) < MAX_NOTED:
            folder = name.rpartition("/")[0]
            of_folder[folder] += bool(folder) and len(beside) >= MAX_NOTED // 2
            if of_folder[folder] <= MAX_OF_FOLDER:
                beside[name] = None
        return wanted(name)

    mine = budget.share(of, depth)
    before = replace(mine)
    try:
        with closing(_members(archive, said, mine, noted)) as members:
            for name, size, content in members:
                mine.one_more()
                try:
                    with content:
                        _put(content, size, dest, name, mine)
                except BadMember as error:
                    said.append(f"{clean_line(name)[:200]} was left out: {error}.")
                    continue
                if is_archive(dest / name):
                    inner.append(name)
        if depth >= MAX_DEPTH:
            said += [f"{clean_line(name)} was left as it is: archives in archives in archives." for name in inner]
        else:
            found = [(name, dest / name, dest / name) for name in inner]
            for name, sentences, why in each_apart(found, mine, depth + 1, wanted):
                shown = clean_line(name)
                some = [f"{shown}: {sentence}" for sentence in few(sentences, shown)]
                said += [f"{shown} was left as it is: {why}."] if why else some
    except (BadArchive, FullDisk):
        shutil.rmtree(dest, ignore_errors=True)
        raise
    except Exception as error:  # readers of formats meet a stranger's bytes, and fail in more ways than can be listed
        shutil.rmtree(dest, ignore_errors=True)
        if is_full(error):
            raise FullDisk from None
        words = getattr(error, "strerror", None) or clean(str(error))[:200] or type(error).__name__
        raise BadArchive(f"it cannot be read ({words})") from None
    finally:
        budget.bytes_left -= before.bytes_left - mine.bytes_left
        budget.files_left -= before.files_left - mine.files_left
        budget.listed_left -= before.listed_left - mine.listed_left
    budget.beside[dest] = list(beside)
    return said


def each_apart(
    found: list[tuple[str, Path, Path]],
    budget: Budget,
    depth: int = 1,
    wanted: Callable[[str], bool] = everything,
    alone: bool = False,
) -> Iterator[tuple[str, list[str], str]]:
    """Take several archives apart, each of one learner, so that no one's leave no room for another's.

    Args:
        found: ``(name for people, archive, where it would lie)`` of each; its folder is made there.
        budget: each may take its equal part of it first, but no learner's more than :data:`ONE_OF`. Those that need
            more come last: of a download's own a few may have more than that, as each may hold a class's section.
        depth: of these archives.
        wanted: as of :func:`extract`.
        alone: nothing else was handed in: a single one is no learner's, it holds the class.

    Yields:
        ``(name, sentences about what was left out, why it was refused or "")`` of each.

    Raises:
        FullDisk: as of :func:`extract`.
    """
    least = 1 if len(found) == 1 and alone else ONE_OF

    def inner(place: Path) -> Path:
        folder = folder_for(place)
        if least > 1:
            budget.unpacked[folder] = own_name(place)
        return folder

    def last(count: int) -> int:
        """Of how many parts one is had at last, where so many still need more; one part stays."""
        return least if depth > 1 else min(least, count + 1)

    larger: list[tuple[str, Path, Path]] = []
    for number, (name, archive, place) in enumerate(found):
        of = max(least, len(found) - number)
        try:
            yield name, extract(archive, inner(place), budget, of, depth, wanted), ""
        except NoRoom as error:
            if of == last(1):
                yield name, [], str(error)
            else:
                larger.append((name, archive, place))
        except (BadArchive, OSError) as error:
            yield name, [], getattr(error, "strerror", None) or clean(str(error))
    for number, (name, archive, place) in enumerate(larger):
        of, before = last(len(larger) - number), replace(budget)
        try:
            yield name, extract(archive, inner(place), budget, of, depth, wanted), ""
        except (BadArchive, OSError) as error:
            budget.cost_at_most(before, ONE_OF)  # it may be one learner's, and other folders may come
            yield name, [], getattr(error, "strerror", None) or clean(str(error))


def few(sentences: list[str], whose: str) -> list[str]:
    """The first of many sentences: one learner's thousand would hide another's one."""
    more = len(sentences) - MAX_SAID
    return sentences[:MAX_SAID] + ([f"The same is to be said of {more} more files of {whose}."] if more > 0 else [])


def own_name(archive: Path) -> str:
    """An archive's name without its ending, as a folder can have it."""
    name = ENDING.sub("", archive.name)
    return name if name.strip(". ") else "archive"


def folder_for(archive: Path) -> Path:
    """A folder beside an archive, of its name, where nothing else lies: two archives may begin alike.

    Of the name only the ending goes: systems put in front whose it is, and a person's name may hold a dot.
    """
    name = own_name(archive)
    for number in itertools.count(1):
        folder = archive.with_name(name if number == 1 else f"{name}-{number}")
        if not os.path.lexists(folder):
            return folder
    raise AssertionError("unreachable: the numbers do not end")


def _put(content: IO[bytes], size: int, dest: Path, name: str, budget: Budget) -> None:
    """Write one member.

    Raises:
        BadMember: it is too large, or this disk takes no such name; nothing of it is left.
        OSError: the disk is full.
    """
    if size > MAX_FILE_BYTES:
        raise BadMember(_too_large())
    target = dest / name
    for folder in Path(name).parents:
        if not is_folder(dest / folder):
            budget.one_more()  # it takes room and time as a file does
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = target.open("xb")
    except (FileExistsError, NotADirectoryError):
        raise BadMember("another file of its name, or of its folder's, is there already") from None
    except OSError as error:
        if is_full(error):
            raise
        raise BadMember(error.strerror or "this disk takes no such name") from None
    try:
        with file:
            _copy(content, file, budget)
    except BadMember:
        target.unlink()
        raise


def _copy(content: IO[bytes], file: IO[bytes], budget: Budget) -> None:
    """What an archive says of a size is a stranger's word, so bytes are counted as they come."""
    copied = 0
    while chunk := content.read(CHUNK):
        copied += len(chunk)
        if copied > MAX_FILE_BYTES:
            raise BadMember(_too_large())
        budget.take(len(chunk))
        file.write(chunk)


def _too_large() -> str:
    return f"it has more than {MAX_FILE_BYTES >> 20} MB"


def _is_zip(archive: Path, begin: bytes) -> bool:
    """Whether an archive is a zip, by what it begins with, too: a tar ends as a zip does where its last file is one."""
    return zipfile.is_zipfile(archive) and (begin.startswith(FIRST) or not (begin.startswith(GZIP) or _is_tar(begin)))


def _is_tar(begin: bytes) -> bool:
    """Whether an archive begins with what stands before a file in a tar; its sum is checked."""
    with suppress(tarfile.HeaderError):
        return bool(tarfile.TarInfo.frombuf(begin, tarfile.ENCODING, "surrogateescape"))
    return False


def _members(
    archive: Path, said: list[str], budget: Budget, wanted: Callable[[str], bool]
) -> Generator[tuple[str, int, IO[bytes]], None, None]:
    """``(name, size, content)`` of each plain file in an archive."""
    with archive.open("rb") as file:
        begin = file.read(BLOCK)
    if _is_zip(archive, begin):
        yield from _of_zip(archive, said, budget, wanted)
    elif begin.startswith(GZIP):
        with Packed(archive, budget) as packed, gzip.GzipFile(fileobj=packed) as unpacked:
            yield from _of_tar(unpacked, said, budget, wanted)
    else:
        with archive.open("rb") as file:
            yield from _of_tar(file, said, budget, wanted)


def _of_zip(
    archive: Path, said: list[str], budget: Budget, wanted: Callable[[str], bool]
) -> Iterator[tuple[str, int, IO[bytes]]]:
    with Listed(archive, budget) as file, zipfile.ZipFile(file) as opened:
        file.is_list = False
        members = opened.infolist()
        budget.list_more(len(members))
        named = [(name, info) for info in members if wanted(name := _name_in_zip(info))]
        sizes = [info.file_size for _, info in named if info.file_size <= MAX_FILE_BYTES]
        budget.refuse_larger(sum(sizes), len(named))  # its reader gives no more of a file than it says
        for name, info in named:
            kind = stat.S_IFMT(info.external_attr >> 16)
            if info.is_dir() or name.endswith("/"):
                continue
            if kind not in (0, stat.S_IFREG) or _is_odd(name):
                _left_out(name, said)
            elif info.flag_bits & 1:
                raise BadArchive("it is locked with a password")
            elif info.compress_type not in BOUNDED:
                said.append(
                    f"{clean_line(name)[:200]} was left out: it is packed in an unusual way. Use an ordinary zip."
                )
            else:
                before = budget.bytes_left
                yield name, info.file_size, opened.open(info)
                if info.file_size <= MAX_FILE_BYTES:  # else nothing was read of it
                    copied = before - budget.bytes_left
                    budget.take(max(0, info.compress_size - copied))  # many members may share what gives nothing


def _name_in_zip(info: zipfile.ZipInfo) -> str:
    """Its name; Finder and Info-ZIP write UTF-8 and do not say so, and it is read as an old alphabet then.

    PowerShell and older programs of Windows write backslashes between folders.
    """
    name = info.filename
    if not (info.flag_bits & UTF_8 or name.isascii()):
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/") if info.create_system == 0 and "/" not in name else name


def _of_tar(
    file: IO[bytes] | gzip.GzipFile, said: list[str], budget: Budget, wanted: Callable[[str], bool]
) -> Iterator[tuple[str, int, IO[bytes]]]:
    counted = Counted(file, replace(budget))  # all that is read, also of what is not copied
    try:
        with tarfile.open(fileobj=counted, mode="r:") as opened:
            for member in _each_of(opened, counted):
                if not wanted(member.name):
                    continue
                content = opened.extractfile(member) if member.isfile() else None
                if content is not None and not _is_odd(member.name):
                    yield member.name, member.size, content
                    continue
                counted.budget.one_more()
                if not member.isdir():
                    _left_out(member.name, said)
    except tarfile.ReadError as error:
        raise BadArchive(f"it is no zip and no tar, or is damaged ({error})") from None
    finally:  # reading is work as well
        budget.bytes_left = min(budget.bytes_left, counted.budget.bytes_left)
        budget.files_left = min(budget.files_left, counted.budget.files_left)
        budget.listed_left = min(budget.listed_left, counted.budget.listed_left)


def _each_of(opened: tarfile.TarFile, counted: Counted) -> Iterator[tarfile.TarInfo]:
    """The members of a tar, one by one. What stands before one costs as many names as it has blocks.

    Its reader would keep all that to the end.
    """
    while member := opened.next():
        counted.budget.list_more(max(1, int(MAX_HEADING - counted.heading_left) // BLOCK))
        counted.heading_left = math.inf
        yield member
        counted.heading_left = MAX_HEADING
        member.sparse, member.pax_headers, opened.pax_headers = None, {}, {}


def _left_out(name: str, said: list[str]) -> None:
    why = "it is a link, leads out of its folder, or has a name that cannot be shown"
    said.append(f"{clean_line(name)[:200]} was left out: {why}.")


def _is_odd(name: str) -> bool:
    """Whether a member's name is no plain path inside the archive's folder."""
    parts = PurePosixPath(name).parts
    out = not parts or name.startswith(("/", "\\")) or ".." in parts or "\\" in name
    colon = ":" in name if os.name == "nt" else DRIVE.match(name)  # there it names a stream of a file
    shown = JOINERS.sub("", name)
    return out or bool(colon) or len(parts) > MAX_PARTS or clean(shown) != shown or "\n" in name or "\t" in name
