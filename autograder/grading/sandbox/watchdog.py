"""Watches one submission's processes from outside, and ends them all when they use more than they may."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import CourseError, is_machine_fault
from .resources import MIB, Resources

INTERVAL = 0.1  # seconds between two looks
SELDOM = 5  # looks, of which one asks for what takes longer to find out
MOST_WATCHES = 10_000  # files that epolls watch; Linux has so many for all of a user's processes together
MOST_OF_ONE = 1000  # of one epoll that are counted
ROUNDS = 8  # in which newcomers are asked for their exact memory
MOST_CLOSED = 4  # such looks at programs that are closed to the grader; many are for a moment, as they begin
PROC = Path("/proc")
MESSAGES_BYTES = 768 * MIB  # that this process may grow by while a kernel sends it messages
MESSAGES_SECONDS = 0.25  # of processor time for taking in that much, at least; a lesson's own messages take a tenth
# For the exact number: Linux goes through all pages of all processes, and nobody looks at anything else meanwhile.
COUNTING_SECONDS, MOST_SECONDS = 2.0, 10.0  # of processor time, and of any
TOO_MUCH = MIB  # in the folder of the kernel's sockets
# Page tables too: one page read in each 2 MiB needs many.
IN_MEMORY = (b"RssAnon", b"RssShmem", b"VmSwap", b"VmPTE", b"HugetlbPages")
EXACT = (b"Pss_Anon", b"Pss_Shmem", b"SwapPss", b"Private_Hugetlb", b"Shared_Hugetlb")


@dataclass
class Use:
    """What a group of processes uses now."""

    processes: int = 0
    threads: int = 0
    open_files: int = 0  # at most: the system makes room for them in powers of two
    sockets: int = 0  # in the first one's network
    memory_bytes: int = 0  # anonymous and shared memory; pages that a fork shares count once for each process
    largest_bytes: int = 0  # of the process that has most, what it can have mapped once only: all have no less
    table_bytes: int = 0  # page tables, which nobody shares
    others: dict[int, int] = field(default_factory=dict)  # {process: its memory without page tables}
    first: int = 0  # of these processes

    def exact_memory(self) -> int:
        """The same with shared pages divided among their processes; may take seconds to find out.

        One process may hand its memory to another that it forks meanwhile: those that have come are asked, too, and
        those that have ended are left out.
        """
        found: dict[int, int] = {}
        now = self.others
        for _ in range(ROUNDS):
            if now.keys() <= found.keys():
                break
            found |= {number: _proportional(number, now[number]) for number in now.keys() - found.keys()}
            now = use_of(self.first).others if self.first else now
        return self.table_bytes + sum(found.get(number, whole) for number, whole in now.items())


@dataclass(frozen=True)
class Places:
    """Where a submission may write and no size of a disk holds it back.

    Args:
        sockets: a folder of the grader's own disk, which should hold a few sockets.
        disks: memory disks without a limit on the number of files.
    """

    sockets: Path | None = None
    disks: tuple[Path, ...] = ()


class Watchdog(threading.Thread):
    """Looks ten times a second. ``reason`` is why it ended the submission: a sentence, empty while all is well.

    ``fault`` is what went wrong with looking: then the submission was ended, too, and what it did there is no result.

    Args:
        first: the number, seen from here, of the first process of the submission's namespace.
        end: ends that namespace.
        seconds: how long the submission may run at all.
    """

    def __init__(
        self, first: int, resources: Resources, seconds: float, end: Callable[[], None], places: Places = Places()
    ) -> None:
        super().__init__(daemon=True, name=f"watchdog-{first}")
        self.first, self.resources, self.seconds, self.end, self.places = first, resources, seconds, end, places
        self.reason = self.fault = ""
        self.peak = Use()
        self.receiver: Path | None = None  # under /proc: the thread here that takes the submission's messages in
        self._memory_before = _own_memory()
        self._looks = 0
        self._closed = 0  # looks, one after another, at which open files of some process could not be listed
        self._stopped = threading.Event()
        self._ending = threading.Lock()

    def stop(self) -> None:
        """Afterwards it ends nothing any more, though a look may still go on."""
        with self._ending:
            self._stopped.set()

    def _end(self) -> None:
        with self._ending:  # who stopped it may have closed what it ends by, and another may have the same number
            if not self._stopped.is_set():
                self.end()

    def verdict(self) -> str:
        """The reason.

        Raises:
            CourseError: nobody watched, so nobody knows.
        """
        if self.fault:
            raise CourseError(f"The grader could not watch what it ran ({self.fault}), and ended it.")
        return self.reason

    def run(self) -> None:
        try:
            self._watch()
        except Exception as error:  # of whatever class: what nobody watches may not go on
            self.fault = f"{type(error).__name__}: {error}"
            self._end()

    def _watch(self) -> None:
        deadline = time.monotonic() + self.seconds
        while not self._stopped.wait(INTERVAL):
            use = use_of(self.first, self.resources.processes)
            if not use.processes:
                return
            self._note(use)
            self.reason = self._too_much(use) or (
                f"It ran for more than {self.seconds:g} s and was ended." if time.monotonic() > deadline else ""
            )
            if self.reason:
                self._end()
                return

    def _note(self, use: Use) -> None:
        self.peak.processes = max(self.peak.processes, use.processes)
        self.peak.threads = max(self.peak.threads, use.threads)
        self.peak.open_files = max(self.peak.open_files, use.open_files)
        self.peak.sockets = max(self.peak.sockets, use.sockets)
        self.peak.memory_bytes = max(self.peak.memory_bytes, use.memory_bytes)

    def _too_much(self, use: Use) -> str:
        most = self.resources
        if use.processes > most.processes:
            return f"It started more than {most.processes} processes and was ended."
        if use.open_files > most.all_open_files:
            return f"It had more than {most.all_open_files} open files and was ended."
        if use.sockets > most.sockets:
            return f"It had more than {most.sockets} sockets and was ended."
        if use.table_bytes > most.table_bytes:
            return f"What it mapped needed more than {most.table_bytes // MIB} MB of page tables, and it was ended."
        exact = use.largest_bytes
        if use.memory_bytes > most.memory_bytes >= exact:
            counted = _in_time(use.exact_memory)
            if counted is None:
                return "Its processes had so much memory that counting it took too long, and it was ended."
            exact = counted
        if exact > most.memory_bytes:
            return f"It used more than {most.memory_bytes // MIB} MB of memory and was ended."
        if self.places.sockets is not None and _size(self.places.sockets) >= TOO_MUCH:
            return "It wrote into the folder of the kernel's sockets and was ended."
        if any(_files(disk) > most.files for disk in self.places.disks):
            return f"It made more than {most.files} files and was ended."
        self._looks += 1
        if self._looks % SELDOM == 0:
            watches, closed = _watches(use.others)
            if watches > MOST_WATCHES:
                return f"It watched more than {MOST_WATCHES} files by epoll and was ended."
            self._closed = self._closed + 1 if closed else 0
            if self._closed >= MOST_CLOSED:
                return "It ran programs into which nobody may look, and was ended."
        if self._fills_the_grader():
            return "It sent more than the grader has room for and was ended."
        return ""

    def _fills_the_grader(self) -> bool:
        """Whether messages to this process take too much memory: no limit on a part holds back one of many parts.

        Others that run meanwhile are not to blame: their threads had little to take in.
        """
        if self.receiver is None or _own_memory() < self._memory_before + MESSAGES_BYTES:
            return False
        return _seconds_of(self.receiver) > MESSAGES_SECONDS


def _in_time(count: Callable[[], int]) -> int | None:
    """What ``count`` returns; None where it takes too long, and goes on aside.

    A busy machine has many seconds in which a thread does nothing: so two limits.
    """
    counted: Future[int] = Future()

    def fill() -> None:
        try:
            counted.set_result(count())
        except Exception as error:  # the watchdog's to raise
            counted.set_exception(error)

    thread = threading.Thread(target=fill, name="counting", daemon=True)
    thread.start()
    begin, at_work = time.monotonic(), PROC / f"self/task/{thread.native_id}"
    while _seconds_of(at_work) <= COUNTING_SECONDS and time.monotonic() - begin <= MOST_SECONDS:
        with contextlib.suppress(TimeoutError):
            return counted.result(INTERVAL)
    return None


def number_behind(handle: int) -> int:
    """The process number, seen from here, behind a handle."""
    text = (PROC / f"self/fdinfo/{handle}").read_text()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("Pid:")))


def ended_for_memory() -> int:
    """How many processes Linux has ended, since it started, as no memory was left; 0 where nothing says so."""
    try:
        counts = dict(line.split() for line in _bytes(f"{PROC}/vmstat").splitlines())
    except OSError as error:
        _raise_fault(error)
        return 0
    return int(counts.get(b"oom_kill", 0))


def children(number: int) -> list[int]:
    """The processes that the threads of a process have started.

    Raises:
        OSError: there is no such process.
    """
    tasks = f"{PROC}/{number}/task"
    return [int(child) for task in os.listdir(tasks) for child in _bytes(f"{tasks}/{task}/children").split()]  # noqa: PTH208


def _bytes(path: str) -> bytes:
    """Of a file under /proc: there are hundreds to read at each look, for which a ``Path`` is too slow."""
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read()


def _fields(path: str) -> dict[bytes, bytes]:
    """The lines ``name: value`` of a file under /proc. Names of processes are of any bytes but a line's end."""
    return dict(line.split(b":", 1) for line in _bytes(path).split(b"\n") if b":" in line)


def use_of(first: int, enough: int = 100_000) -> Use:
    """What the process ``first`` and all that descends from it use. Orphans stay: their new parent is ``first``.

    Args:
        enough: count no further once there are more processes than this.
    """
    use, waiting = Use(first=first), [first]
    while waiting and use.processes <= enough:
        number = waiting.pop()
        try:
            fields = _fields(f"{PROC}/{number}/status")
            waiting += children(number)
            if _has_ended(fields):
                if number == first:
                    continue
                number, fields = _another_thread(number, fields)
        except OSError as error:  # it ended while we looked
            _raise_fault(error)
            continue
        use.processes += 1
        use.threads += int(fields.get(b"Threads", 0))
        use.open_files += int(fields.get(b"FDSize", 0))
        memory = _kilobytes(fields, IN_MEMORY)
        use.memory_bytes += memory
        use.largest_bytes = max(use.largest_bytes, memory - _kilobytes(fields, (b"RssShmem",)))
        tables = _kilobytes(fields, (b"VmPTE",))
        use.table_bytes += tables
        if b"VmSize" in fields:  # else it is ending, and has let go of its memory
            use.others[number] = memory - tables
    use.sockets = _sockets(first)
    return use


def _sockets(number: int) -> int:
    """Sockets in a process's network namespace, and those that are closed and still send."""
    try:
        return int(_fields(f"{PROC}/{number}/net/sockstat")[b"sockets"].split()[1])
    except OSError as error:  # it ended while we looked
        _raise_fault(error)
        return 0


def _raise_fault(error: OSError) -> None:
    """Where this machine has no open files or memory left, nobody has looked: then the error says nothing of others."""
    if is_machine_fault(error):
        raise error


def _has_ended(fields: dict[bytes, bytes]) -> bool:
    return fields.get(b"State", b"").strip().startswith(b"Z")


def _another_thread(number: int, fields: dict[bytes, bytes]) -> tuple[int, dict[bytes, bytes]]:
    """Where a process goes on after its first thread has ended, that one is said to hold nothing: ask another one.

    Raises:
        OSError: there is no such process.
    """
    if int(fields.get(b"Threads", 0)) > 1:
        for task in os.listdir(f"{PROC}/{number}/task"):  # noqa: PTH208
            try:
                others = _fields(f"{PROC}/{task}/status")
            except OSError as error:  # this thread, too
                _raise_fault(error)
                continue
            if not _has_ended(others):
                return int(task), others
    return number, fields


def _kilobytes(fields: dict[bytes, bytes], names: tuple[bytes, ...]) -> int:
    """The sum of these fields, in bytes."""
    return sum(1024 * int(fields[name].split()[0]) for name in names if name in fields)


def _proportional(number: int, whole: int) -> int:
    """What a process has of the memory that it shares. ``whole``: all of that; so much is taken where nobody may look,
    as into a program that may be run and not be read, and of one that has ended since: another may have it now."""
    try:
        return _kilobytes(_fields(f"{PROC}/{number}/smaps_rollup"), EXACT)
    except OSError as error:
        _raise_fault(error)
        return whole


def _watches(numbers: Iterable[int]) -> tuple[int, bool]:
    """How many files the epolls of these processes watch, and whether there is one whose open files nobody may list.

    Of each epoll no more than ``MOST_OF_ONE`` are counted, and it is as many as all may have where there are more.
    """
    total, closed = 0, False
    for number in numbers:
        try:
            handles = os.listdir(f"{PROC}/{number}/fd")  # noqa: PTH208
        except PermissionError:
            closed = True
            continue
        except OSError as error:  # it ended while we looked
            _raise_fault(error)
            continue
        for handle in handles:
            try:
                link = os.readlink(f"{PROC}/{number}/fd/{handle}")  # noqa: PTH115
                if link == "anon_inode:[eventpoll]" and total <= MOST_WATCHES:
                    watched = _first_lines(f"{PROC}/{number}/fdinfo/{handle}").count(b"tfd:")
                    total += watched if watched <= MOST_OF_ONE else MOST_WATCHES + 1
            except OSError as error:  # it was closed while we looked, or has a path that is too long: it is no epoll
                _raise_fault(error)
    return total, closed


def _first_lines(path: str) -> bytes:
    with open(path, "rb", 0) as file:  # noqa: PTH123
        return file.read(200 * MOST_OF_ONE)


def _own_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * int(_bytes(f"{PROC}/self/statm").split()[1])


def _seconds_of(thread: Path) -> float:
    """The processor time of a thread; 0 after its end."""
    try:
        fields = _bytes(f"{thread}/stat").rpartition(b")")[2].split()
    except OSError as error:
        _raise_fault(error)
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _files(disk: Path) -> int:
    try:
        numbers = os.statvfs(disk)
    except OSError as error:
        _raise_fault(error)
        return 0
    return numbers.f_files - numbers.f_ffree


def _size(folder: Path) -> int:
    """Bytes of the files in ``folder``, each counted with at least 4096. What else may lie there is too much at once:
    a folder, which could hold others without end, or anything that cannot be looked at."""
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) or total >= TOO_MUCH:
                    return TOO_MUCH
                with contextlib.suppress(FileNotFoundError):  # it is gone again
                    total += max(4096, entry.stat(follow_symlinks=False).st_size)
    except FileNotFoundError:  # the kernel has ended
        return 0
    except OSError as error:
        _raise_fault(error)
        return TOO_MUCH
    return total
