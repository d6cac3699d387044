"""Checks outside the learner's kernel: starts checkers, and stands between one of them and the kernel it asks.

A check is judged where it stands in the notebook, while the kernel waits. No verdict, no points: only a checker's word
that the check ran to its end, in a talk in which every question was answered, is a pass.
"""

from __future__ import annotations

import ast
import asyncio
import atexit
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nbformat import NotebookNode

from ..errors import CourseError
from ..lint import free_names
from .checker import QUIET, Stream
from .codec import MAX_TEXT
from .questions import NONSENSE, Channel, ChannelFailure, imports_of

START_SECONDS = 120.0
END_SECONDS = 3.0
NOT_SHOWN = re.compile(r"[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
CRASHED = (
    "The check's own process ended ({}) while it worked with what your function returned. Does it make TensorFlow "
    "crash, or need very much memory?"
)
BROKEN = "This check could not be asked outside the notebook: {}. This is the lesson's fault, not yours."


@dataclass
class Outcome:
    """How a check ended: ``status`` is "ok", "error", "timeout" or "no verdict"; and whether the kernel still serves.

    ``kernel`` is "ready", "busy" (it did not return from a question) or "gone".
    """

    status: str
    ename: str = ""
    evalue: str = ""
    kernel: str = "ready"
    seconds: float = 0.0


# ---------------------------------------------------------------------------------------------------------- checkers


class Checker:
    """One checker process and the stream to it. Threads may wait in :meth:`receive` while another closes it."""

    def __init__(self, stream: Stream, end: Callable[[bool], str]) -> None:
        self.stream, self._end = stream, end

    def send(self, content: dict) -> None:
        self.stream.send(content)

    def receive(self) -> dict:
        return self.stream.receive()

    def end(self, ask: bool = False) -> str:
        """End the process; with ``ask``, how it had ended before (a status, or "memory"), or ""."""
        return self._end(ask)


class Checkers:
    """Starts checkers: forked from a warm process where that is possible, else each a process of its own.

    Args:
        wrap: makes a command run isolated (``command -> command``); the warm process and all it forks then are.
        warm: whether to fork; by default on Linux, where it is known to be safe.
    """

    def __init__(self, wrap: Callable[[list[str]], list[str]] | None = None, warm: bool | None = None) -> None:
        self.wrap = wrap or isolated
        self.warm = sys.platform == "linux" if warm is None else warm
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Begin to start the warm process, without waiting for it."""
        with self._lock:
            if self.warm and (self._process is None or self._process.poll() is not None):
                self._start()

    def _start(self) -> None:
        if self._control is not None:
            self._control.close()
        ours, theirs = socket.socketpair()
        command = [*_command(), "--warm", str(theirs.fileno())]
        self._process = _launch(self.wrap(command), pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL)
        theirs.close()
        ours.settimeout(START_SECONDS)
        self._control, self._ready = ours, False

    def new(self, devices: int, seed: int) -> Checker:
        """A checker for one submission, prepared as its lesson's first cell would.

        Raises:
            OSError, EOFError: it could not be started.
        """
        for attempt in (1, 2):  # the warm process may just have been killed, by a system short of memory
            self.start()
            process = self._process
            try:
                checker = self._forked() if self.warm else self._cold()
                try:
                    checker.send({"devices": devices, "seed": seed})
                    checker.receive()
                except (OSError, EOFError):
                    checker.end()
                    raise
                return checker
            except (OSError, EOFError):
                if attempt == 2:
                    raise
                self.close(process)
        raise AssertionError  # not reached

    def _forked(self) -> Checker:
        with self._lock:
            if self._control is None:
                raise EOFError("the warm process ended")
            if not self._ready:
                if self._control.recv(1) != b"r":
                    raise EOFError("the warm process ended")
                self._ready = True
            ours, theirs = socket.socketpair()
            held, lifeline = socket.socketpair()
            with theirs, lifeline:
                socket.send_fds(self._control, [b"f"], [theirs.fileno(), lifeline.fileno()])
        stream = Stream(ours.makefile("rb"), ours.makefile("wb"))

        def end(ask: bool) -> str:
            told = ""
            if ask:
                held.settimeout(END_SECONDS)
                with contextlib.suppress(OSError):
                    told = held.recv(64).decode("ascii", "replace").split("\n")[0]
            with contextlib.suppress(OSError):
                ours.shutdown(socket.SHUT_RDWR)
            held.close()
            stream.close()
            ours.close()
            return told

        return Checker(stream, end)

    def _cold(self) -> Checker:
        process = _launch(self.wrap(_command()), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def end(ask: bool) -> str:
            if ask:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(END_SECONDS)
            status = process.poll()
            process.kill()
            process.wait()
            stream.close()
            return "" if status is None else str(status)

        stream = Stream(process.stdout, process.stdin)
        return Checker(stream, end)

    def close(self, only: subprocess.Popen | None = None) -> None:
        """End the warm process and all that it forked; with ``only``, if it still is that one."""
        with self._lock:
            if only is not None and self._process is not only:
                return
            process, self._process = self._process, None
            if self._control is not None:
                self._control.close()
                self._control = None
            if process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(2)
                process.kill()
                process.wait()


def _command() -> list[str]:
    return [sys.executable, "-m", "autograder.grading.checker"]


def _launch(command: list[str], **options) -> subprocess.Popen:
    package = str(Path(__file__).resolve().parents[2])
    kept = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "HOME", "USERPROFILE")
    environment = {key: os.environ[key] for key in kept if key in os.environ} | QUIET | {"PYTHONPATH": package}
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment} | options
    start = partial(subprocess.Popen, command, start_new_session=os.name == "posix", **options)
    return _launcher.submit(start).result()


# bubblewrap's --die-with-parent means the *thread* that started it; this one lives as long as the grader
_launcher = ThreadPoolExecutor(1, thread_name_prefix="checkers")


@atexit.register
def _close_shared() -> None:
    shared.close()


shared: Checkers


# --------------------------------------------------------------------------------------------------------- isolation


def isolated(command: list[str]) -> list[str]:
    """``command`` inside bubblewrap, where that works: Python and this package to read, nothing else, no network."""
    prefix = _bubblewrap()
    return [*prefix, *command] if prefix else command


def _bubblewrap() -> list[str]:
    global _prefix
    if _prefix is None:
        _prefix = _probe() if sys.platform == "linux" and shutil.which("bwrap") else []
    return _prefix


_prefix: list[str] | None = None


def _probe() -> list[str]:
    package = Path(__file__).resolve().parents[1]
    readable = ["/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime"]
    readable += [sys.prefix, sys.base_prefix, *(path for path in sys.path if "site-packages" in path), str(package)]
    prefix = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"]
    prefix += ["--tmpfs", "/tmp", "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp", "--chdir", "/tmp"]
    for path in dict.fromkeys(readable):
        prefix += ["--ro-bind-try", path, path]
    try:
        works = subprocess.run([*prefix, sys.executable, "-c", ""], capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return prefix if works else []


# ----------------------------------------------------------------------------------------------------------- judging


class Judge:
    """Judges the checks of one submission, one after the other.

    Args:
        notebook: the clean notebook; its first cell says what a checker has to prepare.
        checkers: where to get a checker from.
    """

    def __init__(self, notebook: NotebookNode, checkers: Checkers | None = None) -> None:
        self.checkers = checkers or shared
        self.preparation = preparation(notebook)
        self.checker: Checker | None = None
        self.checkers.start()

    async def judge(self, cell: NotebookNode, channel: Channel, seconds: float) -> Outcome:
        """Run one check; never raises for what the learner's kernel, values or graphs do.

        Raises:
            CourseError: no checker can be started on this machine.
        """
        for attempt in (1, 2):
            await self._ready()
            start = time.monotonic()
            try:
                outcome = await self._judge(cell, channel, start + seconds)
            except (OSError, EOFError, ValueError) as error:  # the checker itself: it ended, or was ended
                how = await self._end(ask=True)
                if attempt == 1 and not how:
                    continue  # not by itself: it went down with the warm process, for which nobody here is to blame
                outcome = Outcome("no verdict", evalue=CRASHED.format(how or type(error).__name__))
            outcome.seconds = time.monotonic() - start
            break
        return outcome

    async def _ready(self) -> None:
        """Have a checker."""
        if self.checker is None:
            try:
                self.checker = await asyncio.to_thread(self.checkers.new, *self.preparation)
            except (OSError, EOFError) as error:
                raise CourseError(
                    f"The process that runs the checks could not be started ({error}). Is there memory left? "
                    f"Does `{sys.executable} -c 'import tensorflow'` work?"
                ) from None

    async def _judge(self, cell: NotebookNode, channel: Channel, deadline: float) -> Outcome:
        try:
            names = sorted(free_names(cell.source))
            code = imports_of(cell.source) if cell.metadata.course.role == "check" else ""
        except SyntaxError:  # the checker will say so
            names, code = [], ""
        await self._send({"check": cell.source, "names": names})
        while True:
            try:
                frame = await self._receive(deadline)
            except TimeoutError:
                await self._end()
                said = "the check did not finish; a graph that your function returned may wait without end"
                return Outcome("timeout", "CellTimeoutError", said)
            if type(frame.get("verdict")) is dict:
                return _outcome(frame["verdict"])
            question = frame.get("ask")
            if type(question) is not str or len(question) > MAX_TEXT:
                await self._end()
                return Outcome("no verdict", evalue=_nonsense_of_checker(frame))
            try:
                answer = await channel.ask(question, deadline, code)
            except ChannelFailure as failure:
                await self._end()  # the check is not over, and never will be
                return _failed(failure)
            code = ""
            await self._send({"answer": answer})

    async def _send(self, content: dict) -> None:
        await asyncio.to_thread(self.checker.send, content)

    async def _receive(self, deadline: float) -> dict:
        waiting = asyncio.create_task(asyncio.to_thread(self.checker.receive))
        done, _ = await asyncio.wait([waiting], timeout=max(0.0, deadline - time.monotonic()))
        if not done:
            await self._end()  # which also ends the thread's waiting
            with contextlib.suppress(Exception):
                await waiting
            raise TimeoutError
        return waiting.result()

    async def _end(self, ask: bool = False) -> str:
        checker, self.checker = self.checker, None
        return _how(await asyncio.to_thread(checker.end, ask)) if checker else ""

    async def close(self) -> None:
        """End this submission's checker."""
        await self._end()


def _nonsense_of_checker(frame: dict) -> str:
    return NONSENSE.format("it is no value") if frame.get("nonsense") is True else CRASHED.format("it lost its way")


def _failed(failure: ChannelFailure) -> Outcome:
    if failure.kind == "timeout":
        return Outcome("timeout", "CellTimeoutError", str(failure), "busy")
    return Outcome("no verdict", evalue=str(failure), kernel="gone" if failure.kind == "died" else "ready")


def _outcome(verdict: dict) -> Outcome:
    if verdict.get("passed") is True:
        return Outcome("ok")
    ename, evalue = clean(verdict.get("ename")), clean(verdict.get("evalue"))
    if ename == "CodecError":
        return Outcome("no verdict", evalue=BROKEN.format(evalue))
    return Outcome("error", ename[:200], evalue)


def clean(text) -> str:
    """Text that can be written and shown anywhere: no lone surrogates, no control characters."""
    return NOT_SHOWN.sub("�", text) if type(text) is str else ""


def _how(told: str) -> str:
    if told == "memory":
        return "out of memory"
    if re.fullmatch(r"-\d{1,2}", told):
        return f"signal {told[1:]}"
    return f"exit status {told}" if re.fullmatch(r"\d{1,3}", told) else ""


def preparation(notebook: NotebookNode) -> tuple[int, int]:
    """Logical CPU devices and seed that the lesson's first cell asks for; one and zero where it has none."""
    values = {"DEVICES": 1, "SEED": 0}
    for cell in notebook.cells:
        if cell.id == "shared-quiet_start":
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                    values |= {target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)}
    return values["DEVICES"], values["SEED"]


shared = Checkers()
