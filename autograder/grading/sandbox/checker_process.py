"""Starts checkers (:mod:`autograder.grading.checks.checker`) behind the walls that submissions get, or without any."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..checks.checker import QUIET, Stream
from .bubblewrap import Bubblewrap, end_box, inside_command
from .inside import places
from .resources import CHECKER, Resources
from .warm import Template
from .watchdog import Places, Watchdog, number_behind

LIFE_SECONDS = 3600.0  # at least: it waits while the learner's cells run; each check has a limit of its own
END_SECONDS = 3.0
KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "HOME", "USERPROFILE")
DISKS = (places.HOME, "/tmp", "/dev/shm")


class Checker:
    """One checker process and the stream to it. Threads may wait in :meth:`receive` while another ends it.

    Args:
        end: ends the process and everything of it; with True, after waiting a moment for how it had ended by itself:
            "signal 6", "exit status 1", "out of memory" or "".
    """

    def __init__(self, stream: Stream, end: Callable[[bool], str]) -> None:
        self.stream, self._end = stream, end

    def send(self, content: dict[str, Any]) -> None:
        self.stream.send(content)

    def receive(self) -> dict[str, Any]:
        return self.stream.receive()

    def end(self, ask: bool = False) -> str:
        """End the process; with ``ask``, how it had ended before, in words, or ""."""
        return self._end(ask)


def plain(seconds: float = 0) -> Checker:
    """Without isolation."""
    package = str(Path(__file__).resolve().parents[3])
    environment = {key: os.environ[key] for key in KEPT if key in os.environ} | QUIET | {"PYTHONPATH": package}
    process = subprocess.Popen(
        [sys.executable, "-m", "autograder.grading.checks.checker", str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=os.name == "posix",
    )
    watchdog = None
    if sys.platform == "linux":
        limits = replace(CHECKER, sockets=sys.maxsize)  # everybody's are in the machine's own network
        watchdog = _watch(process.pid, process.kill, seconds, resources=limits)
    return _with_pipes(process, watchdog)


def boxed(hidden: tuple[Path, ...], seconds: float = 0) -> Checker:
    """In a bubblewrap of its own. It ends with the thread that calls this, at the latest."""
    disks = []
    for place in DISKS:
        disks += ["--perms", "1777", "--size", str(CHECKER.disk_bytes), "--tmpfs", place]
    box = Bubblewrap(
        inside_command("inside.cold"), [], disks, QUIET, hidden=hidden, ends_with_caller=True, with_checker=True
    )
    process, first = box.start(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    watchdog = _watch(first, process.kill, seconds, tuple(Path(f"/proc/{first}/root{place}") for place in DISKS))
    request = {"environment": QUIET, "limits": CHECKER.rlimits(_life(seconds))}
    checker = _with_pipes(process, watchdog)
    try:
        checker.stream.writer.write(json.dumps(request).encode() + b"\n")
        checker.stream.writer.flush()
    except OSError:
        checker.end()
        raise
    return checker


def _with_pipes(process: subprocess.Popen[bytes], watchdog: Watchdog | None) -> Checker:
    assert process.stdout is not None and process.stdin is not None  # it was started with pipes
    stream = Stream(process.stdout, process.stdin)

    def end(ask: bool) -> str:
        if ask:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(END_SECONDS)
        status = process.poll()
        process.kill()
        process.wait()
        stream.close()
        return (_reason(watchdog) if watchdog else "") or ended_as(status)

    return Checker(stream, end)


def forked(template: Template, seconds: float = 0) -> Checker:
    """Forked from the template.

    Raises:
        OSError, RuntimeError: the template has ended, or has no answer.
    """
    folder = template.new_folder("checker-")
    request = {
        "checker": True,
        "folder": folder.name,
        "environment": QUIET,
        "limits": CHECKER.rlimits(_life(seconds)),
        "disk_bytes": CHECKER.disk_bytes,
        "files": CHECKER.files,
    }
    try:
        connection, (first, process, channel) = template.fork(request, 3)
    except BaseException:
        with contextlib.suppress(OSError):
            folder.rmdir()
        raise
    talk = socket.socket(fileno=channel)
    stream = Stream(talk.makefile("rb"), talk.makefile("wb"))

    def kill() -> None:
        end_box(first)

    watchdog = _watch(number_behind(first), kill, seconds)

    def end(ask: bool) -> str:
        told = b""
        connection.settimeout(END_SECONDS if ask else 0)
        with contextlib.suppress(OSError):
            told = connection.recv(64)
        _stop(watchdog)  # it may not end by a descriptor that is closed here
        kill()
        connection.close()
        with contextlib.suppress(OSError):
            talk.shutdown(socket.SHUT_RDWR)
        stream.close()
        talk.close()
        for handle in (first, process):
            os.close(handle)
        with contextlib.suppress(OSError):
            folder.rmdir()
        words = told.split()
        return _reason(watchdog) or (ended_as(int(words[1])) if len(words) == 2 and words[0] == b"ended" else "")

    return Checker(stream, end)


def _life(seconds: float) -> float:
    """How long a checker lives that is needed for so long."""
    return max(LIFE_SECONDS, seconds)


def _watch(
    first: int, end: Callable[[], None], seconds: float, disks: tuple[Path, ...] = (), resources: Resources = CHECKER
) -> Watchdog:
    watchdog = Watchdog(first, resources, _life(seconds), end, Places(disks=disks))
    watchdog.start()
    return watchdog


def _stop(watchdog: Watchdog) -> None:
    watchdog.stop()
    watchdog.join(timeout=2)


def _reason(watchdog: Watchdog) -> str:
    """Why the watchdog ended a checker, in words; empty where it did not.

    Raises:
        CourseError: it could not watch it.
    """
    _stop(watchdog)
    reason = watchdog.verdict()
    return "out of memory" if "memory" in reason else reason.rstrip(".")


def ended_as(status: int | None) -> str:
    """An exit status in words; bubblewrap and the template give a signal as 128 and its number."""
    if status is None:
        return ""
    if status < 0 or status > 128:
        return f"signal {-status if status < 0 else status - 128}"
    return f"exit status {status}"
