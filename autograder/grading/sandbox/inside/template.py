"""The template: imports everything once, then forks a kernel for each request.

    python -m inside.template CONFIG        (CONFIG is JSON, see ``main``)

Four processes take part. The *template* never runs a learner's code. For each connection it forks a *keeper*, which
moves its children into namespaces of their own. The first of them is process 1 there, the *first*: it puts up the
walls, drops its rights, and forks the *kernel*. Process 1 cannot be killed from inside, collects orphans, and when it
ends, everything in its namespace has ended.

Over the connection (a unix socket): one line of JSON comes in; ``started`` goes out with two descriptors (of the
first process and of the kernel). When the connection closes, the keeper ends everything.

With ``"checker": true`` in the request the place of the kernel is taken by a checker, which runs check cells
(``autograder.grading.checks.checker``): the same walls, and a third descriptor, of the stream to it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import resource
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

from . import confine, places, system
from .kernel import READY, become_kernel, preload, set_environment

MAX_REQUEST = 100_000
DIED = 70  # exit status of a process whose walls could not be put up


def main() -> None:
    """Serve kernels.

    ``CONFIG``: ``socket`` (path to listen on), ``modules`` (to import), ``read_only`` (bound paths), ``users`` (how
    many other users may be taken, from user 1 on; 0 without the right to).
    """
    config = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # while a user's other processes have so many descriptors under way to one another, Linux lets this one send none
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        with ending_with(sys.stdin):
            preload(config["modules"])
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(config["socket"])
    listener.listen(64)
    print("listening", flush=True)
    serve(listener, config)


@contextlib.contextmanager
def ending_with(pipe: TextIO) -> Iterator[None]:
    """End this process as soon as the other side of ``pipe`` closes: an import, which takes seconds, does not look."""
    flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_ASYNC)  # Linux sends SIGIO, which nobody here handles
    if select.select([pipe], [], [], 0)[0]:
        os._exit(0)
    yield
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags)


def serve(listener: socket.socket, config: dict[str, Any]) -> None:
    """Fork a keeper for each connection, until standard input closes: then the grader has ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a keeper ended
    number = 0
    while True:
        readable, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in readable:
            os._exit(0)  # bubblewrap's first process follows, and with it all others
        connection, _ = listener.accept()
        number += 1
        user = 1 + number % config["users"] if config["users"] else os.getuid()
        if os.fork() == 0:
            _guarded(keep, connection, config, user)
        connection.close()


def _guarded(step: Callable[..., None], *arguments: Any, report: int = 2) -> None:
    """Run a forked process's work; whatever happens, it never returns into its parent's code.

    Args:
        report: the descriptor that gets the sentence about an error.
    """
    try:
        step(*arguments)
    except BaseException as error:
        with contextlib.suppress(BaseException):
            place = traceback.extract_tb(error.__traceback__)[-1]
            os.write(report, f"{type(error).__name__} in {place.name}: {error}\n".encode())
    finally:
        os._exit(DIED)


def keep(connection: socket.socket, config: dict[str, Any], user: int) -> None:
    """The keeper: start the first process in namespaces of its own, and end it with the connection."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
    request = json.loads(connection.makefile("rb").readline(MAX_REQUEST))
    ready, told = os.pipe()
    stream, talk = socket.socketpair() if request.get("checker") else (None, None)
    system.unshare(confine.OWN_NAMESPACES)
    first = os.fork()
    if first == 0:
        connection.close()
        os.close(ready)
        _guarded(be_first, request, config, user, told, talk, report=told)
    os.close(told)
    if talk:
        talk.close()
    handle = os.pidfd_open(first)
    problem = _wait_ready(ready, connection)
    if problem:
        with contextlib.suppress(OSError):
            connection.sendall(f"failed {problem}".encode())
    else:
        kernel = int(Path(f"/proc/{first}/task/{first}/children").read_text().split()[0])
        _freeze(first)
        handles = [handle, os.pidfd_open(kernel), *([stream.fileno()] if stream else [])]
        socket.send_fds(connection, [b"started\n"], handles)
        if stream:
            stream.close()
        select.select([connection.fileno(), handle], [], [])
    with contextlib.suppress(ProcessLookupError):
        os.kill(first, signal.SIGKILL)
    _, status = os.waitpid(first, 0)
    with contextlib.suppress(OSError):
        connection.sendall(b"ended %d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _wait_ready(ready: int, connection: socket.socket) -> str:
    """Wait until the kernel has bound its sockets; else why it has not."""
    readable, _, _ = select.select([ready, connection.fileno()], [], [])
    if ready not in readable:
        return "nobody waits for it any more"
    answer = os.read(ready, 2000)
    return "" if answer == READY else answer.decode(errors="replace") or "the process ended"


def _freeze(first: int) -> None:
    """From now on nothing can be written into the folder of the sockets, which is the grader's own disk; nor into
    /proc, where the memory of processes lies as files."""
    helper = os.fork()
    if helper == 0:
        with contextlib.suppress(BaseException):
            system.enter(os.open(f"/proc/{first}/ns/mnt", os.O_RDONLY))
            for place in (places.SOCKETS, "/proc"):
                system.make_read_only(place)
            os._exit(0)
        os._exit(DIED)
    _, status = os.waitpid(helper, 0)
    if status != 0:
        raise RuntimeError("the folder of the sockets, or /proc, could not be made read-only")


def be_first(request: dict[str, Any], config: dict[str, Any], user: int, told: int, talk: socket.socket | None) -> None:
    """Process 1 of the submission: walls, then the kernel (or checker) as a child, then collect whatever ends."""
    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # whoever started the grader may have blocked some
    if talk:
        from autograder.grading.checks import checker, codec  # noqa: F401  # beyond the walls this code is not there
    confine.close_others({told, talk.fileno()} if talk else {told})
    system.loopback_up()
    system.small_buffers()
    folder = str(Path(config["socket"]).parent / request["folder"])
    os.chown(folder, user, user)
    confine.own_files(folder, config["read_only"], request["disk_bytes"], request["files"], user)
    confine.become_learner(user)
    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of user clears it
    confine.drop_rights(request["limits"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    kernel = os.fork()
    if kernel == 0:
        set_environment(request["environment"])
        os.setsid()
        if talk:
            _guarded(become_checker, talk, told, report=told)
        _guarded(become_kernel, request["connection"], told, report=told)
    os.close(told)
    if talk:
        talk.close()
    system.prctl(system.PR_SET_DUMPABLE, 0)  # the submission may not look into this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        ended, status = os.wait()
        if ended == kernel:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def become_checker(talk: socket.socket, ready: int) -> None:
    """Run check cells until the grader closes the stream; never returns."""
    from autograder.grading.checks import checker

    stream = checker.Stream(talk.makefile("rb"), talk.makefile("wb"))
    os.write(ready, READY)
    os.close(ready)
    checker.serve(stream)
    os._exit(0)


if __name__ == "__main__":
    main()
