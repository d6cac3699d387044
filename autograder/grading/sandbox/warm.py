"""The template process, seen from the grader: start it once, ask it for kernels, end it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import psutil

from . import folders
from .bubblewrap import USERS, Bubblewrap, inside_command, is_abandoned, is_root, system_paths
from .inside import places
from .variables import ENVIRONMENT

MODULES = ("numpy", "matplotlib.pyplot", "tensorflow", "keras", "ipywidgets", "sklearn.datasets", "IPython.display")
BOX = "/run/box"  # the folder of sockets, inside
START_SECONDS = 180
FORK_SECONDS = 60
ENDING_SECONDS = 5
ENDED = "the template has ended"
# For the imports alone: pools of threads would make the fork unsafe, and matplotlib decides early where figures go.
IMPORTING = {
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
}


def imported(notebook: str) -> tuple[str, ...]:
    """Those of ``MODULES`` that a notebook, the text of its file, imports; what it does not, need not be waited for."""
    packages = {module: module.partition(".")[0] for module in MODULES}
    pattern = r'"\s*(?:import|from) [^"]*\b{0}\b|\btf\.{0}\b'  # a line of code begins with a quotation mark there
    return tuple(module for module, package in packages.items() if re.search(pattern.format(package), notebook))


def sweep() -> None:
    """Remove what graders that were killed have left: folders, and a box that they were just about to start."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if is_abandoned(process):
                process.kill()
    folders.sweep()


@dataclass
class Template:
    """A process with everything imported, inside bubblewrap, that forks kernels on request.

    Args:
        modules: what to import.
        hidden: folders that no submission may see.
    """

    modules: tuple[str, ...] = MODULES
    hidden: tuple[Path, ...] = ()
    folder: Path | None = None
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process of bubblewrap, for those who measure."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it and wait until it listens.

        Raises:
            OSError: it did not start; with its own words.
        """
        self.folder = folders.private_folder("template")
        config = {
            "socket": f"{BOX}/socket",
            "modules": list(self.modules),
            "read_only": list(system_paths()),
            "users": USERS if is_root() else 0,
        }
        box = Bubblewrap(
            inside_command("inside.template", json.dumps(config)),
            options=["--tmpfs", places.HOME, "--bind", str(self.folder), BOX],
            environment=ENVIRONMENT | IMPORTING | {"HOME": places.HOME, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            hidden=self.hidden,
            forks_kernels=True,
            with_checker=True,
        )
        try:
            with tempfile.TemporaryFile() as errors:
                # standard input stays open: it closes when this process ends, and the template ends with it
                self._process, _ = box.start(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
                if self._first_line() != b"listening\n":
                    errors.seek(0)
                    words = errors.read()[-1000:].decode(errors="replace").strip()
                    raise OSError(f"the template process did not start: {words or 'no answer'}")
        except OSError:
            self.close()
            raise

    def _first_line(self) -> bytes:
        process = self._process
        assert process is not None and process.stdout is not None  # it was just started, with pipes
        timer = threading.Timer(START_SECONDS, process.kill)
        timer.start()
        try:
            return process.stdout.readline()
        finally:
            timer.cancel()

    def new_folder(self, prefix: str) -> Path:
        """A new folder in the template's own, for the sockets of what it forks.

        Raises:
            OSError: the template has ended.
        """
        folder = self.folder  # another thread may close the template meanwhile
        if folder is None:
            raise OSError(ENDED)
        return Path(tempfile.mkdtemp(prefix=prefix, dir=folder))

    def fork(self, request: dict[str, Any], handles: int) -> tuple[socket.socket, list[int]]:
        """Ask for a kernel or a checker (see :mod:`.inside.template`) and wait until it is ready.

        Args:
            handles: how many descriptors the answer brings.

        Returns:
            a connection, over which its end is told and which ends it when it closes, and the descriptors.

        Raises:
            OSError: the template has ended.
            RuntimeError: it has no kernel or checker to give; with its own words.
        """
        if self.folder is None:
            raise OSError(ENDED)
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(self.folder / "socket"))
            connection.sendall(json.dumps(request).encode() + b"\n")
            connection.settimeout(FORK_SECONDS)
            answer, given, _, _ = socket.recv_fds(connection, 4096, handles)
            if len(given) != handles:
                for handle in given:
                    os.close(handle)
                words = answer.decode(errors="replace").strip() or "it ended"
                raise RuntimeError(f"the template gave nothing: {words}")
        except BaseException as error:
            connection.close()
            process = self._process  # another thread may close the template meanwhile
            if isinstance(error, ConnectionError) and process is not None:  # it is just ending
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(ENDING_SECONDS)  # whoever tries again then sees that
            raise
        return connection, given

    def close(self) -> None:
        """End the template with all kernels that it forked."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                _close(self._process.stdin)
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            _close(self._process.stdout)
            self._process = None
        if self.folder is not None:
            folders.remove(self.folder)
            self.folder = None


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        pipe.close()
