"""Kernels in a sandbox, where jupyter_client looks for kernels: two kernel provisioners.

Both give the kernel sockets in a private folder (ports of a machine do not reach into a network namespace), report it
as started once these are bound, and end everything that its code ever started when they end it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import Any as AnyTrait
from traitlets import Float, Instance

from . import folders
from .bubblewrap import BY_SIGNAL, Bubblewrap, discard, end_box, inside_command
from .inside import places
from .inside.kernel import READY
from .resources import Resources
from .variables import scrubbed
from .warm import Template
from .watchdog import Places, Use, Watchdog, children, number_behind

PORTS = ("shell_port", "iopub_port", "stdin_port", "hb_port", "control_port")
KILL_SECONDS = 10
ENDED_SECONDS = 1  # until it is known how a process ended that has
START_SECONDS = 60
COLD_DISKS = (places.HOME, "/tmp", "/dev/shm")


class SandboxProvisioner(KernelProvisionerBase):
    """What warm and cold kernels share; ``_begin`` starts one."""

    resources = Instance(Resources, ())
    run_seconds = Float(600.0)  # the watchdog's limit on the kernel's whole life
    hidden = AnyTrait(())

    folder: Path | None = None  # of the sockets
    _first: int | None = None  # handle of the first process of the kernel's namespace
    _kernel: int | None = None  # handle of the kernel's own process
    _watchdog: Watchdog | None = None

    @property
    def has_process(self) -> bool:
        return self._first is not None

    @property
    def reason(self) -> str:
        """Why the watchdog ended the kernel; empty where it did not.

        Raises:
            CourseError: it could not watch it.
        """
        return self._watchdog.verdict() if self._watchdog else ""

    def was_killed(self) -> bool:
        """Whether a signal ended it that nobody here has sent, where there is no ``reason``."""
        return self._status() in BY_SIGNAL

    def _status(self) -> int | None:
        """How the kernel, its namespace's first process, or what looks after these ended; None where nobody knows."""
        raise NotImplementedError

    @property
    def peak(self) -> Use:
        """The most that the kernel and what it started used at one time."""
        return self._watchdog.peak if self._watchdog else Use()

    def watch_messages(self, thread: Path | None) -> None:
        """``thread``, of this process, takes the kernel's messages in."""
        if self._watchdog is not None:
            self._watchdog.receiver = thread

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        for name in ("extra_arguments", "transport_encryption"):  # the sockets' folder is private already
            kwargs.pop(name, None)
        manager: Any = self.parent  # nobody else makes a provisioner
        if self.folder is None:
            self.folder = self._make_folder()
            manager.transport, manager.cache_ports = "ipc", False
            manager.ip = str(self.folder / "kernel")
            for number, name in enumerate(PORTS, 1):
                setattr(manager, name, number)
        for leftover in self.folder.iterdir():  # of the kernel before a restart
            folders.remove_all(leftover)
        manager.write_connection_file()
        self.connection_info = manager.get_connection_info()
        return await super().pre_launch(cmd=["sandboxed kernel"], **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        request = {
            "connection": {key: _text(value) for key, value in self.connection_info.items()},
            "environment": scrubbed(kwargs.get("env") or {}),
            "limits": self.resources.rlimits(self.run_seconds),
            "disk_bytes": self.resources.disk_bytes,
            "files": self.resources.files,
        }
        try:
            first, self._kernel = await asyncio.get_running_loop().run_in_executor(None, self._begin, request)
            self._first = first
        except BaseException:
            await self._forget()
            raise
        number = number_behind(first)
        self._watchdog = Watchdog(number, self.resources, self.run_seconds, self._end_all, self._places(number))
        self._watchdog.start()
        return self.connection_info

    def _make_folder(self) -> Path:
        raise NotImplementedError

    def _places(self, first: int) -> Places:
        """Where the kernel may write and nothing but the watchdog limits what."""
        return Places()

    def _begin(self, request: dict[str, Any]) -> tuple[int, int]:
        """Start a kernel and wait until it is ready: handles of its namespace's first process and of itself."""
        raise NotImplementedError

    def _let_go(self) -> None:
        """Close what ``_begin`` opened, after the kernel has ended."""
        raise NotImplementedError

    async def poll(self) -> int | None:
        """None while anything of the submission runs: its namespace's first process ends last."""
        if self._first is None:
            return 0
        return 1 if _ready(self._first, select.POLLIN, 0) else None

    async def wait(self) -> int | None:
        while await self.poll() is None:
            await asyncio.sleep(0.01)
        await self._forget()
        return 0

    async def send_signal(self, signum: int) -> None:
        """To the kernel alone: what it started belongs to sessions of its own choice."""
        if self._kernel is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._kernel, signum)

    async def kill(self, restart: bool = False) -> None:
        self._end_all()
        for _ in range(int(KILL_SECONDS / 0.002)):  # jupyter_client asks once and then waits 0.1 s: be done before
            if await self.poll() is not None:
                return
            await asyncio.sleep(0.002)

    def _end_all(self) -> None:
        """End the first process of the namespace: the system then ends all others in it."""
        if self._first is not None:
            end_box(self._first)

    async def terminate(self, restart: bool = False) -> None:
        await self.send_signal(signal.SIGTERM)

    async def _forget(self) -> None:
        if self._watchdog is not None:
            self._watchdog.stop()
            self._watchdog.join(timeout=2)
        self._let_go()
        for handle in (self._first, self._kernel):
            if handle is not None:
                os.close(handle)
        self._first = self._kernel = None

    async def cleanup(self, restart: bool = False) -> None:
        if not restart and self.folder is not None:
            folders.remove_all(self.folder)
            self.folder = None


class WarmProvisioner(SandboxProvisioner):
    """A kernel forked from a template that has imported everything."""

    template = Instance(Template, allow_none=True)
    _connection: socket.socket | None = None

    def _make_folder(self) -> Path:
        if self.template is None:
            raise RuntimeError("a warm kernel needs a running template; `course-cold` needs none")
        return self.template.new_folder("kernel-")

    def _begin(self, request: dict[str, Any]) -> tuple[int, int]:
        assert self.template is not None and self.folder is not None  # `pre_launch` made the folder
        self._connection, handles = self.template.fork(request | {"folder": self.folder.name}, 2)
        return handles[0], handles[1]

    def _status(self) -> int | None:
        if self._connection is None:
            return None
        try:
            self._connection.settimeout(ENDED_SECONDS)
            words = self._connection.recv(100).split()  # of the template's keeper, if that lives
            return int(words[1]) if words else -9
        except (OSError, ValueError, IndexError):
            return None

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class ColdProvisioner(SandboxProvisioner):
    """A kernel alone in a bubblewrap of its own, which imports what it needs itself."""

    _process: subprocess.Popen[bytes] | None = None

    def _make_folder(self) -> Path:
        folder = folders.private_folder("kernel") / "sockets"
        folder.mkdir()
        return folder

    def _places(self, first: int) -> Places:
        return Places(self.folder, tuple(Path(f"/proc/{first}/root{place}") for place in COLD_DISKS))

    def _begin(self, request: dict[str, Any]) -> tuple[int, int]:
        self._open_folder(True)
        process, first = self._box(request).start(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._process = process
        assert process.stdout is not None and process.stderr is not None  # pipes, as it was told
        handle = os.pidfd_open(first)
        try:
            self._hand_over(json.dumps(request | {"files": _font_cache()}).encode() + b"\n")
            told = _ready(process.stdout.fileno(), select.POLLIN, START_SECONDS)
            if not told or process.stdout.readline() != READY:
                end_box(handle)  # all in the box, or its stderr may stay open
                words = process.stderr.read()[-1000:].decode(errors="replace").strip()
                raise RuntimeError(f"the kernel did not start: {words or 'no answer'}")
            self._open_folder(False)
            return handle, os.pidfd_open(children(first)[0])
        except BaseException:
            end_box(handle)
            os.close(handle)
            raise

    def _open_folder(self, is_open: bool) -> None:
        """Where root grades, the kernel is another user, who may make sockets here and nothing later.

        Else it is the grader's own user, whom no mode holds back: the watchdog does.
        """
        assert self.folder is not None  # `pre_launch` made it
        self.folder.chmod(0o777 if is_open else 0o755)  # the folder above keeps others out

    def _hand_over(self, data: bytes) -> None:
        """Write all of ``data`` to what was started, which may have died, or never read: a pipe holds 64 KiB only."""
        assert self._process is not None and self._process.stdin is not None  # it was started with a pipe
        deadline, pipe = time.monotonic() + START_SECONDS, self._process.stdin.fileno()
        os.set_blocking(pipe, False)
        while data:
            if not _ready(pipe, select.POLLOUT, max(0.0, deadline - time.monotonic())):
                raise RuntimeError("the kernel did not start: it does not read what it is told")
            data = data[os.write(pipe, data) :]
        self._process.stdin.close()

    def _box(self, request: dict[str, Any]) -> Bubblewrap:
        size = str(self.resources.disk_bytes // 2)  # hardly anyone fills two
        disks = []
        for place in COLD_DISKS:
            disks += ["--perms", "1777", "--size", size, "--tmpfs", place]
        return Bubblewrap(
            inside_command("inside.cold"),
            options=["--bind", str(self.folder), places.SOCKETS],
            disks=disks,
            environment={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"} | request["environment"],
            hidden=tuple(self.hidden),
            ends_with_caller=True,
        )

    def _status(self) -> int | None:
        if self._process is None:
            return None
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(ENDED_SECONDS)
        return None

    def _let_go(self) -> None:
        if self._process is not None:
            discard(self._process)
            self._process = None

    async def cleanup(self, restart: bool = False) -> None:
        above = self.folder.parent if self.folder is not None else None
        await super().cleanup(restart)
        if not restart and above is not None:
            folders.remove(above)


def _font_cache() -> dict[str, str]:
    """Matplotlib's list of this machine's fonts, which takes it seconds to make, as ``{path in the home: text}``."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "matplotlib")
    return {f".cache/matplotlib/{path.name}": path.read_text() for path in folder.glob("fontlist-*.json")}


def _ready(descriptor: int, event: int, seconds: float) -> bool:
    """Whether one can read from or write to it in time; ``select.select`` knows descriptors below 1024 alone."""
    poll = select.poll()
    poll.register(descriptor, event)
    return bool(poll.poll(1000 * seconds))


def _text(value: object) -> object:
    return value.decode() if isinstance(value, bytes) else value
