"""Hostile submissions against the sandbox. Each must end within its limits, leave nothing behind, reach nothing, and
must not disturb the submission after it.

One wall at a time, with small limits, in warm and in cold kernels. What a whole class of attacks does to grading is
asked in ``test_class.py``.
"""

from __future__ import annotations

import os
import re
import socket
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from autograder.grading.sandbox import ColdKernels, Resources, WarmKernels, probe, watchdog
from tests.grading.sandboxes import MIB, Traces, all_ok, own_temporary_folder, run_cells, said, statuses

pytestmark = pytest.mark.xdist_group("sandbox attacks")
HONEST = ("import numpy as np\ntotal = int(np.arange(5).sum())", "assert total == 10; print('right')")


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    tmp_path_factory.getbasetemp()  # pytest's own folders stay where they are
    found = probe()
    if not found.works:
        pytest.skip(found.problem)
    with own_temporary_folder(), WarmKernels() as warm:
        if not found.forks:
            yield {"cold": ColdKernels()}
            return
        all_ok(*run_cells(warm, "1"))  # the template starts with the first kernel
        yield {"warm": warm, "cold": ColdKernels()}


@pytest.fixture(params=["warm", pytest.param("cold", marks=pytest.mark.exhaustive)])
def attack(request, kernels):
    """Run cells as one submission; then an honest one, which must be graded right and find nothing in its way."""
    if request.param not in kernels:
        pytest.skip("warm kernels do not work here")
    sandbox, traces = kernels[request.param], Traces()

    def run(*cells, **limits):
        start = time.monotonic()
        executed, result = run_cells(sandbox, *cells, **({"cell_seconds": 5, "notebook_seconds": 30} | limits))
        assert time.monotonic() - start < 60
        traces.none_new()
        return executed, result

    run.kind = request.param
    yield run
    executed, result = run_cells(sandbox, *HONEST)
    all_ok(executed, result)
    assert said(executed, 1) == "right\n"
    traces.none_new()


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "code",
    [
        "import os; os._exit(0)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import ctypes; ctypes.string_at(0)",
        "import os; os.abort()",
    ],
)
def test_the_kernel_ends_itself(attack, code):
    _, result = attack("1", code, "1")
    assert statuses(result) == ["ok", "died", "ok"], "it costs its own cell"


def test_signals_to_every_process(attack):
    code = """
import os, signal
for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
    for pid in [-1, 0, 1, *range(3, 40_000)]:
        if pid in (os.getpid(), os.getpgid(0)) or (pid == 0): continue
        try: os.kill(pid, number)
        except OSError: pass"""
    _, result = attack(code, "1", cell_seconds=20)
    assert set(statuses(result)) <= {"ok", "died", "not run", "timeout"}


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "import collections, itertools; collections.deque(itertools.count(), maxlen=0)",
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
        "import tensorflow as tf\ntf.queue.FIFOQueue(1, tf.int32).dequeue()",
    ],
    ids=["python", "c", "ignores", "blocks", "queue"],
)
def test_endless_loops(attack, code):
    start = time.monotonic()
    _, result = attack(code, "1", cell_seconds=10 if "tensorflow" in code else 2)
    assert result.cells["c0"].ended == "timeout" and time.monotonic() - start < 30


def test_fork_bomb(attack):
    _, result = attack("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", "1", cell_seconds=20)
    # the watchdog sees the crowd, or on a very busy machine the limit on time comes first
    assert re.search("more than 40 processes|could not be stopped|did not finish|counting it took", result.problem)
    assert result.cells["c1"].ended in ("ok", "not run"), "the second where no time is left"


def test_shell_fork_bomb(attack):
    executed, result = attack("import os; os.system('b() { b | b & }; b; sleep 20')", cell_seconds=20)
    # as above; here the limit on time may end the cell, and its shell with it, or no shell can fork any more
    ended = result.cells["c0"].ended == "timeout" or "Cannot fork" in said(executed)
    assert (
        re.search("more than 40 processes|could not be stopped|did not finish|counting it took", result.problem)
        or ended
    )


def test_thread_bomb(attack):
    code = """
import threading, time
try:
    while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
except RuntimeError as error: print(error)"""
    executed, result = attack(code, cell_seconds=20)
    assert "can't start new thread" in said(executed)


@pytest.mark.parametrize(
    "code",
    [
        "x = []\nwhile True: x.append(b'x' * (20 << 20))",
        """
import os, time
for _ in range(8):
    if os.fork() == 0:
        x = [b'x' * (20 << 20) for _ in range(12)]
        time.sleep(60)
time.sleep(60)""",
    ],
    ids=["python", "family"],
)
def test_memory_hogs(attack, code):
    _, result = attack(code, "1", cell_seconds=20)
    assert "more than 1024 MB of memory" in result.problem, result


HOLDS = "x = bytearray(1500 << 20)\ntime.sleep(20)"


@pytest.mark.parametrize(
    "name", [b"\\xff\\xfe", b"\\x0cRssAnon:x", b"\\rRssAnon:x"], ids=["bytes", "page break", "carriage return"]
)
def test_a_name_of_a_process_does_not_end_the_watch(attack, name):
    code = f"""
import ctypes, os, time
if os.fork() == 0:
    ctypes.CDLL(None).prctl(15, b'{name.decode()}', 0, 0, 0)
    os._exit(0)  # it stays as a process that has ended, of which less is said
ctypes.CDLL(None).prctl(15, b'{name.decode()}', 0, 0, 0)
time.sleep(0.5)
{HOLDS}"""
    _, result = attack(code, "1", cell_seconds=20)
    assert "more than 1024 MB of memory" in result.problem


def test_memory_of_a_process_whose_first_thread_has_ended(attack):
    ended = "import ctypes, os, threading, time\ndef hold():\n    time.sleep(0.5)\n    x = bytearray(1500 << 20)\n"
    ended += "    time.sleep(20)\nif os.fork() == 0:\n    threading.Thread(target=hold).start()\n"
    ended += "    ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)  # ends a thread alone\n"
    _, result = attack(ended + "time.sleep(20)", "1", cell_seconds=20)
    assert "more than 1024 MB of memory" in result.problem


def test_page_tables_are_memory(attack):
    code = """
import ctypes, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
size = 1 << 40
start = libc.mmap(None, size, 1, 0x4022, -1, 0)  # for reading, anonymous, without a reserve
libc.madvise(start, size, 15)  # no huge pages
for place in range(start, start + size, 2 << 20): ctypes.string_at(place, 1)
time.sleep(5)"""
    _, result = attack(code, "1", cell_seconds=20)
    assert "more than 128 MB of page tables" in result.problem


STRETCHED = """
import ctypes, os, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
big = bytearray({own} << 20)
for _ in range({forks}):
    if os.fork() == 0: time.sleep(30)
file = os.open({file!r}, os.O_RDONLY)
for _ in range({times}):
    assert libc.mmap(None, os.fstat(file).st_size, 1, 0x8001, file, 0) != 2**64 - 1  # shared, filled
print("done", flush=True)
time.sleep(3)"""


def test_memory_that_goes_from_process_to_process_while_it_is_counted_is_found(monkeypatch):
    """One forks, lets go and ends, again and again: whoever came is asked, and who has gone is taken for all it had."""
    large, small = 800 << 20, 10 << 20
    looks = iter(range(3, 30))

    def use_of(first):
        number = next(looks) if first == 9 else 3
        return watchdog.Use(first=first, others={1: large, number: large})

    def fields(path):
        number = int(path.split("/")[2])
        if number > 2:
            raise FileNotFoundError(path)
        return {b"Pss_Anon": f"{(small if number == 1 else large) // 1024} kB".encode()}

    monkeypatch.setattr(watchdog, "use_of", use_of)
    monkeypatch.setattr(watchdog, "_fields", fields)
    before = {1: large, 2: large}
    assert watchdog.Use(first=9, others=before).exact_memory() == small + large, "one hands it on for ever"
    assert watchdog.Use(first=8, others=before).exact_memory() == small + large, "one has handed it on once"
    monkeypatch.setattr(watchdog, "use_of", lambda first: watchdog.Use(first=first, others={1: large}))
    assert watchdog.Use(first=8, others=before).exact_memory() == small, "one of a pool has ended"


def _a_large_file() -> str:
    """Of Python's environment, which a sandbox shows."""
    return str(max(Path(np.__file__).parents[1].glob("numpy*/**/*.so*"), key=lambda path: path.stat().st_size))


def test_mapped_files_that_would_stretch_a_look_are_page_tables(attack):
    """Linux goes through each of their pages when the exact memory is asked for, and nobody looks meanwhile."""
    executed, result = attack(
        STRETCHED.format(own=1, forks=0, times=60_000, file=_a_large_file()), "1", cell_seconds=90
    )
    assert "more than 128 MB of page tables" in result.problem and "done" not in said(executed)


@pytest.mark.parametrize(("seconds", "ended"), [(60.0, False), (-1.0, True)])
def test_memory_that_takes_too_long_to_count_ends_a_submission(attack, monkeypatch, seconds, ended):
    """Pages that processes share seem to be more than they are; counting them goes on aside."""
    monkeypatch.setattr(watchdog, "COUNTING_SECONDS", seconds)
    monkeypatch.setattr(watchdog, "MOST_SECONDS", 60.0)
    _, result = attack(STRETCHED.format(own=300, forks=4, times=1, file=_a_large_file()), "1", cell_seconds=20)
    assert ("counting it took too long" in result.problem) == ended and bool(result.problem) == ended


def test_an_open_file_with_a_path_that_is_too_long_hides_no_epoll(attack):
    code = """
import os, select, time
top = os.getcwd()
for depth in range(20):
    os.mkdir("x" * 250)
    os.chdir("x" * 250)
kept = open("file", "w")
os.chdir(top)
pipes = [os.pipe()[0] for _ in range(50)]
epolls = [select.epoll() for _ in range(250)]
for epoll in epolls:
    for pipe in pipes: epoll.register(pipe, 1)
time.sleep(5)"""
    _, result = attack(code, "1", cell_seconds=20)
    assert "files by epoll" in result.problem


def test_what_nobody_may_look_into_counts_in_full_and_is_ended(monkeypatch, tmp_path):
    """A program that may be run and not be read: for a plain user's grader its memory and open files are closed."""

    def closed(path):
        raise PermissionError(13, "Permission denied", path)

    use = watchdog.Use(processes=2, memory_bytes=5 << 30, table_bytes=1 << 20, others={7: 2 << 30, 8: 3 << 30})
    monkeypatch.setattr(watchdog, "_fields", closed)
    assert use.exact_memory() == (5 << 30) + (1 << 20)
    monkeypatch.setattr(os, "listdir", closed)
    watch = watchdog.Watchdog(1, Resources(), 60, lambda: None)
    use.memory_bytes = 0
    said = [watch._too_much(use) for _ in range(watchdog.MOST_CLOSED * watchdog.SELDOM)]
    assert [*filter(None, said)] == ["It ran programs into which nobody may look, and was ended."]
    assert said[-1]


def test_what_goes_wrong_with_counting_aside_is_known():
    with pytest.raises(OSError, match="no room"):
        watchdog._in_time(lambda: (_ for _ in ()).throw(OSError("no room")))
    assert watchdog._in_time(lambda: 7) == 7


def test_a_table_of_open_files_that_nobody_counts_is_refused(attack):
    code = """
import ctypes, errno, os, subprocess, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
libc.clone.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
stack = ctypes.create_string_buffer(65536)
# a thread, but with a table of its own; a process in the same memory, which may end while that one goes on
top, pause = ctypes.addressof(stack) + 65000 & ~15, ctypes.cast(libc.pause, ctypes.c_void_p)
for flags in (0x100 | 0x200 | 0x800 | 0x10000 | 0x40000, 0x100 | 17):
    assert libc.clone(pause, top, flags, None) == -1
    assert ctypes.get_errno() == errno.EPERM
assert libc.syscall(436, 1000, 1001, 2) == -1 and ctypes.get_errno() == errno.EPERM  # close_range, which may make one
assert libc.syscall(436, 1000, 1001, 0) == 0
threading.Thread(target=print).start()
assert subprocess.run([sys.executable, "-c", "1"], close_fds=True).returncode == 0"""
    all_ok(*attack(code, cell_seconds=20))


def test_locks_of_parts_of_a_file_and_leases_are_refused(attack):
    code = """
import errno, fcntl, struct, tempfile
file = tempfile.TemporaryFile()
lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 1, 0)
refused = [(one, lock) for one in (fcntl.F_SETLK, fcntl.F_SETLKW, fcntl.F_OFD_SETLK, fcntl.F_OFD_SETLKW)]
for command, argument in [*refused, (fcntl.F_SETLEASE, fcntl.F_WRLCK)]:
    try:
        fcntl.fcntl(file, command, argument)
    except OSError as error:
        assert error.errno == errno.ENOLCK
    else:
        raise AssertionError(command)
fcntl.flock(file, fcntl.LOCK_EX)
fcntl.fcntl(file, fcntl.F_SETFD, fcntl.fcntl(file, fcntl.F_GETFD))"""
    all_ok(*attack(code, cell_seconds=20))


def test_honest_forks_share_their_memory(attack):
    code = """
import os, time
x = bytes(b'x' * (300 << 20))
children = []
for _ in range(8):
    pid = os.fork()
    if pid == 0:
        time.sleep(1.5); os._exit(0)
    children.append(pid)
assert all(os.waitpid(pid, 0)[1] == 0 for pid in children)"""
    executed, result = attack(code, cell_seconds=60)
    all_ok(executed, result)


def test_memory_outside_of_processes_is_refused(attack):
    code = """
import ctypes, mmap, os, tempfile
libc = ctypes.CDLL(None, use_errno=True)
makes = (lambda: os.memfd_create("x"), lambda: libc.shmget(0, 1 << 20, 0o1600), lambda: libc.semget(0, 32000, 0o1600))
makes += (lambda: libc.inotify_init1(0), libc.inotify_init)
for make in makes:
    try: assert make() == -1, "made"
    except OSError: pass
for share in (lambda: mmap.mmap(-1, 1 << 20), lambda: open("/dev/zero", "r+b")):
    try: share()
    except PermissionError: pass
    else: raise AssertionError("shared")
mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE)[0] = 1
with tempfile.TemporaryFile() as file:
    file.truncate(1 << 20)
    mmap.mmap(file.fileno(), 1 << 20)[0] = 1
import multiprocessing.sharedctypes
assert multiprocessing.RawArray("i", 3)[0] == 0"""
    all_ok(*attack(code))


def test_what_keeps_memory_for_nobody_is_refused(attack):
    """A byte of a page keeps the page of a file that is gone; rules, filters and tables lie in Linux's own memory."""
    code = """
import ctypes, errno, os, shutil, signal, socket, tempfile
libc = ctypes.CDLL(None, use_errno=True)
first = os.uname().machine == "x86_64"
read, write = os.pipe()
one, other = socket.socketpair()
file = tempfile.TemporaryFile()
file.write(bytes(4096)); file.flush()
shutil.copyfile("/proc/self/status", "copy")
page = ctypes.create_string_buffer(4096)
piece = (ctypes.c_void_p * 2)(ctypes.addressof(page), 4096)
rules = ctypes.create_string_buffer(bytes([0] * 8 + [1] + [0] * 7))
allow = ctypes.create_string_buffer(b"\\x06" + bytes(5) + b"\\xff\\x7f")
no_rules = (ctypes.c_void_p * 2)(1, ctypes.addressof(allow))
calls = [(275 if first else 76, file.fileno(), None, write, None, 1, 0), (276 if first else 77, read, write, 1, 0)]
calls += [(278 if first else 75, write, piece, 1, 0), (40 if first else 71, one.fileno(), file.fileno(), None, 1)]
calls += [(444, rules, 16, 0), (317 if first else 277, 1, 0, no_rules)]
for call in calls:
    assert libc.syscall(*map(lambda x: ctypes.c_long(x) if isinstance(x, int) else x, call)) == -1, call
    assert ctypes.get_errno() == errno.EPERM, (call, ctypes.get_errno())
for option in ((78, 1, 1 << 16), (22, 2, ctypes.addressof(no_rules))):
    assert libc.prctl(option[0], *map(ctypes.c_ulong, option[1:]), 0, 0) == -1 and ctypes.get_errno() == errno.EINVAL
assert libc.prctl(15, b"a name", 0, 0, 0) == 0
assert libc.prctl(36, 1, 0, 0, 0) == -1 and ctypes.get_errno() == errno.EINVAL  # to be given orphans
import resource
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # said to be done
none = (ctypes.c_uint64 * 2)(0, 0)
assert libc.prlimit(0, resource.RLIMIT_CORE, none, None) == 0
assert resource.getrlimit(resource.RLIMIT_CORE) == (1, 1), "at 0 the system may start a program for each crash"
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (100, 100)
assert libc.syscall(ctypes.c_long(462), None, None, None) == -1 and ctypes.get_errno() == errno.ENOSYS
try: os.setxattr("copy", "user.x", b"x")
except OSError as error: assert error.errno == errno.EOPNOTSUPP
else: raise AssertionError("a note on a file")
for option in (25, 26, 36, 47, 50, 51, 52, 60, 62):
    try: one.setsockopt(socket.SOL_SOCKET, option, 1)
    except OSError as error: assert error.errno == errno.ENOPROTOOPT, option
    else: raise AssertionError(option)
before = one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * before)
one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, bytes(16))
assert one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == before
with socket.socket() as server:
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000)
    server.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 64)
    for level, option in ((0, 4), (0, 21), (41, 57), (41, 73), (6, 13), (6, 14), (6, 31), (6, 32), (6, 38), (270, 1)):
        try: server.setsockopt(level, option, 255)
        except OSError as error: assert error.errno == errno.ENOPROTOOPT, (level, option, error)
        else: raise AssertionError(option)
    assert server.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 1
for kind, protocol in ((socket.SOCK_STREAM, 262), (socket.SOCK_STREAM, 132), (socket.SOCK_RAW, 255)):
    try: socket.socket(socket.AF_INET, kind, protocol)
    except OSError as error: assert error.errno == errno.EPROTONOSUPPORT
    else: raise AssertionError(protocol)
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, 17).close()
shutil.copy2("copy", "another")"""
    all_ok(*attack(code))


def test_sockets_beyond_the_files_of_their_processes(attack):
    """They wait in others, closed by whoever made them: no table of open files has them."""
    code = """
import array, os, socket, time
for _ in range(12):
    if os.fork() == 0:
        kept = []
        for _ in range(200):
            kept += socket.socketpair()
            inner = [socket.socket(socket.AF_UNIX) for _ in range(4)]
            numbers = array.array("i", [each.fileno() for each in inner])
            try: kept[-1].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
            except OSError: pass
            for each in inner: each.close()
        time.sleep(60)
time.sleep(60)"""
    _, result = attack(code, "1", cell_seconds=20)
    assert "more than 4000 sockets" in result.problem


def test_epolls_that_watch_without_end(attack):
    """Linux counts what they watch for all of a user's processes together."""
    code = """
import os, select, time
epolls = [select.epoll() for _ in range(200)]
while True:
    kept = os.eventfd(0)
    spare = [os.dup(kept) for _ in range(60)]
    for epoll in epolls:
        for number in spare: epoll.register(number, 1)
    for number in spare: os.close(number)"""
    _, result = attack(code, "1", cell_seconds=20)
    assert "by epoll" in result.problem


def test_terminals_are_few(attack):
    code = """
import os
kept = []
try:
    while len(kept) < 200: kept.append(os.openpty())
except OSError: pass
assert 1 < len(kept) < 200"""
    executed, result = attack(code)
    if attack.kind == "warm":
        all_ok(executed, result)


def test_descriptors_under_way_keep_nobody_from_starting(kernels):
    """Linux counts those of all processes of a user together, and the limit is each sender's own."""
    sends = """
import os, socket, time
null, ends = os.open("/dev/null", os.O_RDONLY), []
try:
    for _ in range(6):
        ends.append(socket.socketpair())
        socket.send_fds(ends[-1][0], [b"x"], [null] * 250)
except OSError as error: print(error)
time.sleep(8)"""
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(run_cells, kernels["warm"], sends)
        time.sleep(2)
        all_ok(*run_cells(kernels["warm"], *HONEST))
        all_ok(*first.result())


@pytest.mark.parametrize("folder", ["~", "/tmp", "/dev/shm", "/var/tmp"])
def test_disk_filler(attack, folder):
    code = f"""
import errno, os
folder, total, reasons = os.path.expanduser({folder!r}), 0, set()
for number in range(40):
    try:
        with open(f"{{folder}}/{{number}}", "wb", buffering=0) as file:
            for _ in range(100): total += file.write(b"x" * (1 << 20))
    except OSError as error: reasons.add(error.errno)
assert errno.EFBIG in reasons and errno.ENOSPC in reasons, reasons
assert total <= {64 * MIB}, total"""
    free = psutil.disk_usage(tempfile.gettempdir()).free
    executed, result = attack(code, cell_seconds=20)
    all_ok(executed, result)
    assert psutil.disk_usage(tempfile.gettempdir()).free > free - 50 * MIB


def test_a_million_little_files(attack):
    code = """
made = 0
try:
    while True:
        open(f"/tmp/{made}", "w").close(); made += 1
except OSError: pass
assert made < 20_000"""
    _, result = attack(code, cell_seconds=30)
    if attack.kind == "warm":
        assert statuses(result) == ["ok"]
    else:
        assert "more than 20000 files" in result.problem


def test_writing_beside_the_sockets_of_a_cold_kernel_is_noticed(attack):
    if attack.kind == "warm":
        pytest.skip("a warm kernel cannot; see test_writing_outside_its_own_places")
    file = "open('/run/kernel/x', 'wb').write(b'x' * (8 << 20))"
    nested = "os.chdir('/run/kernel')\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')"
    for code in (file, nested):
        _, result = attack(f"import os, time\n{code}\ntime.sleep(3)")
        if os.geteuid() == 0:  # then the kernel is another user
            assert result.cells["c0"].ename == "PermissionError"
        else:
            assert "folder of the kernel's sockets" in result.problem


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "code",
    [
        "for _ in range(1000): print('x' * 1_000_000, flush=True)",
        "print('x' * 300_000_000)",
        "import os\nfor _ in range(300): os.write(1, b'x' * 1_000_000)",
        "from IPython.display import display\nfor _ in range(30_000): display({'text/plain': 'x' * 1000}, raw=True)",
    ],
    ids=["lines", "one", "descriptor", "displays"],
)
def test_floods_of_output(attack, code):
    before = psutil.Process().memory_info().rss
    executed, result = attack(code, cell_seconds=20)
    assert len(str(executed.cells[0].outputs)) < 3_000_000
    assert psutil.Process().memory_info().rss < before + 1500 * MIB
    assert result.cells["c0"].ended in ("ok", "died", "timeout")


@pytest.mark.parametrize(
    "socket", ["shell_stream.socket", "iopub_thread.socket", "stdin_socket", "control_stream.socket"]
)
def test_messages_of_many_parts_do_not_fill_the_grader(attack, socket):
    read = socket.startswith(("shell", "iopub"))  # a reader ends it as soon as it has seen too much
    code = f"""
import time
kernel = get_ipython().kernel
to = [b""] if "iopub" in {socket!r} else kernel._parent_ident["shell"]
kernel.{socket}.send_multipart([*to] + [bytes(16 << 20)] * 250, copy=False)
time.sleep({50 if read else 8})"""
    peak, stopped, me = [0], threading.Event(), psutil.Process()

    def look() -> None:
        while not stopped.wait(0.01):
            peak[0] = max(peak[0], me.memory_info().rss)

    before, looking = me.memory_info().rss, threading.Thread(target=look)
    looking.start()
    _, result = attack(code, "1", cell_seconds=60)
    stopped.set()
    looking.join()
    assert peak[0] - before < 1500 * MIB
    assert ("more than the grader has room for" in result.problem) == read, result


def test_replies_for_nobody_do_not_stretch_a_limit(attack):
    code = """
import itertools, signal
kernel = get_ipython().kernel
to, auth = kernel._parent_ident["shell"], kernel.session.auth
about = b'"msg_type":"execute_reply","username":"","session":"","date":"2026-01-01T00:00:00Z","version":"5.3"'
signal.signal(signal.SIGINT, signal.SIG_IGN)
for number in itertools.count():
    parts = [b'{"msg_id":"%d",%s}' % (number, about), b'{"msg_id":"other"}', b'{}', b'{}']
    signed = auth.copy()
    for part in parts: signed.update(part)
    kernel.shell_stream.socket.send_multipart([*to, b"<IDS|MSG>", signed.hexdigest().encode(), *parts])"""
    _, result = attack(code, "1", cell_seconds=3)
    assert result.cells["c0"].ended == "timeout" and result.cells["c0"].seconds < 6


@pytest.mark.parametrize(
    "code",
    [
        "import sys; sys.setrecursionlimit(10**9)\ndef f(): f()\nf()",
        "f = lambda: [f() for _ in '1']\nimport sys; sys.setrecursionlimit(10**9); f()",
    ],
    ids=["python", "c"],
)
def test_deep_recursion(attack, code):
    _, result = attack(code, "1", cell_seconds=20)
    assert result.cells["c0"].ended in ("died", "error", "timeout")


def test_waiting_for_input(attack):
    executed, result = attack("input()", "import sys; assert sys.__stdin__.read() == ''", "import os; os.read(0, 1)")
    assert statuses(result) == ["error", "ok", "ok"]


def test_processes_that_outlive_the_kernel(attack):
    code = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
subprocess.Popen("trap '' HUP INT TERM; exec setsid sleep 600", shell=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(600)
    os._exit(0)"""
    assert statuses(attack(code, "import os; os._exit(0)")[1]) == ["ok", "died"]
    assert statuses(attack(code)[1]) == ["ok"]


@pytest.fixture
def listeners(tmp_path):
    """Servers of the grader's machine: on its loopback, on its other addresses, and on unix sockets."""
    tcp = socket.create_server(("0.0.0.0", 0))
    unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    unix.bind(str(tmp_path / "s"))
    abstract.bind("\0course-test")
    for server in (unix, abstract):
        server.listen()
    addresses = [entry.address for entries in psutil.net_if_addrs().values() for entry in entries if entry.family == 2]
    targets: list[tuple[int, Any]] = [(2, (address, tcp.getsockname()[1])) for address in addresses]
    targets += [(1, str(tmp_path / "s")), (1, "\0course-test")]
    yield targets
    for server in (tcp, unix, abstract):
        server.close()


def test_network(attack, listeners):
    for family, address in listeners:  # from here they can be reached
        with socket.socket(family) as client:
            client.connect(address)
    code = f"""
import socket
targets = {listeners} + [(2, ("8.8.8.8", 53)), (2, ("169.254.169.254", 80)), (10, ("2001:4860:4860::8888", 53))]
for family, address in targets:
    client = socket.socket(family)
    client.settimeout(2)
    try: client.connect(address)
    except OSError: continue
    print("reached", address)
for family in (17, 38, 40):
    try: socket.socket(family, socket.SOCK_STREAM if family == 40 else socket.SOCK_RAW)
    except OSError: continue
    print("family", family)
try: socket.getaddrinfo("example.org", 80); print("resolved")
except OSError: pass"""
    executed, result = attack(code, cell_seconds=20)
    all_ok(executed, result)
    assert said(executed) == ""


def test_two_submissions_at_once_do_not_meet(kernels):
    serve = """
import os, socket, time
servers = [socket.create_server(("127.0.0.1", 45_678)), socket.socket(socket.AF_UNIX)]
servers[1].bind("\\0meet"); servers[1].listen()
for folder in ("/tmp", "/dev/shm", os.path.expanduser("~")): open(folder + "/meet", "w").close()
time.sleep(4)
for server in servers:
    server.settimeout(0.1)
    try: server.accept(); print("met")
    except TimeoutError: pass"""
    seek = """
import os, socket, time
time.sleep(1.5)
for family, address in ((2, ("127.0.0.1", 45_678)), (1, "\\0meet")):
    try: socket.socket(family).connect(address); print("met")
    except OSError: pass
print([f for f in ("/tmp", "/dev/shm", os.path.expanduser("~")) if os.path.exists(f + "/meet")] or "")
others = [p for p in os.listdir("/proc") if p.isdigit() and b"45_678" in open(f"/proc/{p}/cmdline", "rb").read()]
assert not others and len([p for p in os.listdir("/proc") if p.isdigit()]) <= 3"""
    for sandbox in kernels.values():
        with ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(lambda code, s=sandbox: run_cells(s, code), (serve, seek)))
        for executed, result in runs:
            all_ok(executed, result)
            assert said(executed).strip() == ""


def test_reading_what_is_not_its_own(attack, course, tmp_path, monkeypatch):
    secret = tmp_path / "gradebook.db"
    secret.write_text("secret")
    monkeypatch.setenv("GRADER_TOKEN", "secret")
    root = Path(course.root)
    outside = [secret, root / "solutions", root / "autograder" / "grading", root / "tests", Path.home() / ".bashrc"]
    assert all(path.exists() for path in outside[:4])
    code = f"""
import glob, os
for path in {[str(path) for path in outside]} + ["/run/box", "/etc/shadow", "/root/.ssh"]:
    if os.path.exists(path): print("seen", path)
for pid in [p for p in os.listdir("/proc") if p.isdigit()]:
    try:
        if b"secret" in open(f"/proc/{{pid}}/environ", "rb").read(): print("environment of", pid)
    except OSError: pass
for place in ("/proc/1/root", "/proc/1/cwd", "/proc/1/mem", "/proc/1/fd"):
    try: os.listdir(place) if place != "/proc/1/mem" else open(place, "rb").read(1)
    except OSError: continue
    if os.path.exists(place + {str(secret)!r}): print("through", place)
assert "secret" not in str(os.environ)"""
    executed, result = attack(code)
    all_ok(executed, result)
    assert said(executed) == ""


def test_writing_outside_its_own_places(attack):
    mine = ["/tmp", "/dev/shm", "/var/tmp", "/learner", "/proc", "/dev/pts"]
    # a cold kernel's sockets lie in a folder that it can write to; it is its own, watched, and removed afterwards
    mine += ["/run/kernel"] if attack.kind == "cold" else []
    code = (
        f"mine = {tuple(mine)}"
        + """
import os
for folder, folders, files in os.walk("/"):
    if folder.startswith(mine):
        folders.clear()
        continue
    if folder.count("/") > 4: folders.clear()
    try: os.open(folder, os.O_TMPFILE | os.O_WRONLY); print("wrote into", folder)
    except OSError: pass
    try: open(folder + "/.w", "w"); print("wrote into", folder)
    except OSError: pass
    for name in files[:20]:
        path = os.path.join(folder, name)
        if folder == "/dev": continue
        try: os.utime(path); print("touched", path)
        except OSError: pass
system = "/proc/sys/kernel"
for path in (f"{system}/core_pattern", f"{system}/hostname", "/proc/sysrq-trigger"):
    try: open(path, "w").write("0"); print("wrote", path)
    except OSError: pass
if "/run/kernel" not in mine:
    try: os.unlink("/run/kernel/kernel-1"); print("unlinked")
    except OSError: pass"""
    )
    executed, result = attack(code, cell_seconds=30)
    all_ok(executed, result)
    assert said(executed) == ""


def test_gaining_rights(attack):
    code = """
import ctypes, os, subprocess
libc = ctypes.CDLL(None, use_errno=True)
tries = {
    "unshare": lambda: libc.unshare(0x10000000), "mount": lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None),
    "umount": lambda: libc.umount2(b"/run", 2), "chroot": lambda: libc.chroot(b"/tmp"),
    "ptrace": lambda: libc.ptrace(16, 1, 0, 0), "setuid": lambda: libc.setuid(0), "setns": lambda: libc.setns(0, 0),
    "keyctl": lambda: libc.syscall(250, 0, 0, 0, 0), "bpf": lambda: libc.syscall(321, 0, 0, 0),
    "clone": lambda: libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0), "io_uring": lambda: libc.syscall(425, 1, 0),
    "process_vm_readv": lambda: libc.process_vm_readv(1, None, 0, None, 0, 0),
}
if os.uname().machine == "x86_64":
    for name, attempt in tries.items():
        if attempt() != -1: print(name)
if subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode == 0: print("unshare -Ur")
su = subprocess.run(["su", "-c", "id -u"], stdin=subprocess.DEVNULL, capture_output=True)
if su.stdout.strip() == b"0": print("su")
assert all("nosuid" in line for line in open("/proc/mounts"))"""
    executed, result = attack(code)
    all_ok(executed, result)
    assert said(executed) == ""


def test_many_submissions_at_once_each_get_their_own_answer(kernels):
    traces, errors = Traces(), []

    def one(number: int) -> None:
        executed, _ = run_cells(kernels.get("warm", kernels["cold"]), f"print({number} ** 2)")
        if said(executed) != f"{number**2}\n":
            errors.append((number, said(executed)))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    traces.none_new()
