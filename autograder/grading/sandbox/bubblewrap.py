"""Bubblewrap around a process: what it sees of the machine, and how it is started."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import psutil

from .inside import places

SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
SYSTEM_FILES = (
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/fonts", "/etc/localtime",
    "/etc/timezone", "/etc/mime.types", "/etc/os-release",
)  # fmt: skip
WRITTEN_FILES = {
    "/etc/passwd": f"root:x:0:0::/:/bin/sh\nlearner:x:{places.LEARNER}:{places.LEARNER}::{places.HOME}:/bin/sh\n",
    "/etc/group": f"root:x:0:\nlearner:x:{places.LEARNER}:\n",
    "/etc/hosts": "127.0.0.1 localhost course\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
OF_AN_ENVIRONMENT = ("bin", "etc", "include", "lib", "lib64", "pyvenv.cfg", "share")  # what venv and pip make in one
CODE = "/run/course"  # where the package `inside` stands in the sandbox, and with a checker `autograder`

# Root gives each submission another user, of a range that no distribution assigns.
FIRST_USER, USERS = 1_900_000_000, 4096
_next_user = itertools.count(os.getpid() * 7)

# How a process ends by a signal that people and systems send to end one (HUP, KILL, TERM): as Python says of a child,
# and as a process says of its own.
BY_SIGNAL = frozenset({-1, -9, -15, 129, 137, 143})


@dataclass
class Bubblewrap:
    """A process to start inside bubblewrap.

    It gets its own user, process, mount, network, IPC and host name namespaces, a read-only system with this Python
    environment, and nothing else of the machine.
    """

    command: list[str]
    options: list[str] = field(default_factory=list)  # more of bubblewrap's options, e.g. writable places
    disks: list[str] = field(default_factory=list)  # the same, before what is read-only: Python may lie beneath /tmp
    environment: dict[str, str] = field(default_factory=dict)  # all of it
    hidden: tuple[Path, ...] = ()  # folders that stay invisible even where a folder above them is bound
    forks_kernels: bool = False  # keep the rights, within its own user namespace, to make further namespaces
    with_checker: bool = False  # the code of the checker is there too
    ends_with_caller: bool = False  # with the *thread* that starts it: so Linux has it

    def start(self, **options: Any) -> tuple[subprocess.Popen[bytes], int]:
        """Start it with ``options`` of :class:`subprocess.Popen`.

        Returns:
            the process of bubblewrap, and the number (seen from here) of the first process inside.

        Raises:
            OSError: bubblewrap ended at once.
        """
        with ExitStack() as stack:
            files = {path: _text_file(stack, text) for path, text in WRITTEN_FILES.items()}
            told, tell = (stack.enter_context(end) for end in _pipe())
            waits, go = (stack.enter_context(end) for end in _pipe())
            arguments = self._arguments(files, info=tell.fileno(), wait=waits.fileno())
            passed = [*files.values(), tell.fileno(), waits.fileno()]
            # bubblewrap stays inside as process 1, where its own environment can be read: an empty one
            process = subprocess.Popen(arguments, pass_fds=passed, start_new_session=True, env={}, **options)
            tell.close()
            waits.close()
            answer = told.read()
            if not answer.strip():
                raise OSError(f"bubblewrap ended with status {discard(process)}")
            first = json.loads(answer)["child-pid"]
            if not self.forks_kernels:  # it could not do that itself, where /proc is read-only
                with suppress(OSError):
                    Path(f"/proc/{first}/oom_score_adj").write_text("1000")
            if is_root():
                try:
                    self._map_users(first)
                    go.write(b"x")
                except OSError:
                    discard(process)
                    raise
        return process, first

    def _arguments(self, files: dict[str, int], info: int, wait: int) -> list[str]:
        lines = [
            find_bubblewrap() or "bwrap",
            "--info-fd",
            str(info),
            "--unshare-user",
            "--unshare-ipc",
            "--unshare-pid",
        ]
        lines += ["--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "course", "--new-session"]
        if is_root():
            lines += ["--userns-block-fd", str(wait)]
        else:
            user = "0" if self.forks_kernels else str(places.LEARNER)
            lines += ["--uid", user, "--gid", user]
        if is_root() or self.forks_kernels:
            lines += ["--cap-add", "ALL"]
        if self.ends_with_caller:
            lines += ["--die-with-parent"]
        lines += ["--clearenv", *itertools.chain(*(("--setenv", *pair) for pair in self.environment.items()))]
        lines += ["--tmpfs", "/tmp", "--tmpfs", "/run", "--dir", "/var", "--symlink", "/tmp", "/var/tmp"]
        # bound like a file, a device cannot be opened: memory that is mapped from this one belongs to no process
        lines += ["--dev", "/dev", "--ro-bind", "/dev/zero", "/dev/zero", "--proc", "/proc", *self.disks]
        lines += ["--perms", "0755", "--dir", "/etc", *self._read_only()]
        if self.with_checker:
            package = str(Path(__file__).resolve().parents[2])
            lines += ["--ro-bind", package, f"{CODE}/autograder"]
        for path, descriptor in files.items():
            lines += ["--perms", "0644", "--file", str(descriptor), path]
        lines += ["--dir", places.HOME, *self.options]
        for place in ("/", "/dev", "/run", *(() if self.forks_kernels else ("/proc",))):
            lines += ["--remount-ro", place]
        return [*lines, "--chdir", "/", *self.command]

    def _read_only(self) -> list[str]:
        lines, made = [], {Path("/")}
        for path in map(Path, (*system_paths(), f"{CODE}/inside")):
            for parent in reversed(path.parents):  # bubblewrap would make them for root's eyes alone
                if parent not in made and not any(parent.is_relative_to(bound) for bound in system_paths()):
                    lines += ["--perms", "0755", "--dir", str(parent)]
                made.add(parent)
            if path.is_symlink() and str(path) in SYSTEM_FOLDERS:  # /bin is usr/bin on most systems
                lines += ["--symlink", str(path.readlink()), str(path)]
            else:
                source = Path(places.__file__).parent if str(path).startswith(CODE) else path
                lines += ["--ro-bind", str(source), str(path)]
        return [*lines, *self._cover()]

    def _cover(self) -> list[str]:
        """Empty folders over what is hidden, wherever it is bound; Python's own environment is there all the same."""
        lines, again = [], set[Path]()
        places = {place for folder in self.hidden for place in _seen_at(folder)}
        for place in sorted(places):
            if places & set(place.parents) and not again & set(place.parents):
                continue  # it lies in one that is covered
            lines += ["--perms", "0755", "--tmpfs", str(place)]
            inside = [Path(path) for path in system_paths() if Path(path).is_relative_to(place)]
            if place in inside:  # the environment was made in that very folder
                inside = [place / part for part in OF_AN_ENVIRONMENT if (place / part).exists()]
            for path in sorted(_outermost(set(inside))):
                for parent in [part for part in reversed(path.parents) if place in part.parents]:
                    lines += ["--perms", "0755", "--dir", str(parent)]
                lines += ["--ro-bind", str(path), str(path)]
                again.add(path)
            lines += ["--remount-ro", str(place)]
        return lines

    def _map_users(self, first: int) -> None:
        """User 0 inside is root here, so that it can read what is bound; it hands on to one of nobody's users."""
        if self.forks_kernels:
            others = f"1 {FIRST_USER} {USERS}"
        else:
            others = f"{places.LEARNER} {FIRST_USER + USERS + next(_next_user) % USERS} 1"
        for name in ("uid_map", "gid_map"):
            Path(f"/proc/{first}/{name}").write_text(f"0 0 1\n{others}\n")


def _seen_at(folder: Path) -> list[Path]:
    """Where a folder of this machine is seen in a box: beneath each bound path that it really lies in."""
    if not folder.is_dir():
        return []
    real, places = folder.resolve(), []
    for path in map(Path, system_paths()):
        linked = path.is_symlink() and str(path) in SYSTEM_FOLDERS  # no more than a link there, too
        if not linked and real.is_relative_to(path.resolve()):
            places.append(path / real.relative_to(path.resolve()))
    return places


def _outermost(paths: set[Path]) -> set[Path]:
    return {path for path in paths if not paths & set(path.parents)}


def is_root() -> bool:
    return os.geteuid() == 0


def discard(process: subprocess.Popen[bytes]) -> int:
    """Kill a process and close the pipes to it; its exit status."""
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):  # what was not written yet cannot be any more
                pipe.close()
    return process.wait()


def end_box(first: int) -> None:
    """Kill the first process of a box, by a descriptor of it, and so all in it; it may be gone already."""
    with contextlib.suppress(OSError):
        signal.pidfd_send_signal(first, signal.SIGKILL)


def is_abandoned(process: psutil.Process) -> bool:
    """Whether a process is a box of ours that nobody holds any more.

    Bubblewrap's outer process ends with the grader, but takes the inner one with it only once that is set up; one that
    is alone before then waits for ever.
    """
    if process.name() != "bwrap" or f"{CODE}/inside" not in process.cmdline():
        return False
    within = Path(f"/proc/{process.pid}/ns/pid").readlink() != Path("/proc/self/ns/pid").readlink()
    above = process.parent()
    return within and (above is None or above.name() != "bwrap")


def find_bubblewrap() -> str | None:
    return shutil.which("bwrap")


@lru_cache(maxsize=1)
def system_paths() -> tuple[str, ...]:
    """What is bound read-only: the system's programs and this Python environment."""
    python = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    python |= {str(Path(sys.executable).resolve().parent.parent)}
    wanted = [*SYSTEM_FOLDERS, *SYSTEM_FILES, *sorted(python)]
    return tuple(path for path in dict.fromkeys(wanted) if Path(path).exists() and path != "/")


def inside_command(module: str, *arguments: str) -> list[str]:
    """Run a module of ``inside`` in there, with this interpreter."""
    run = f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    code = f"import sys, runpy; sys.path.insert(0, {CODE!r}); {run}"
    return [sys.executable, "-c", code, *arguments]


def _text_file(stack: ExitStack, text: str) -> int:
    file = tempfile.TemporaryFile()  # noqa: SIM115
    stack.enter_context(file)
    file.write(text.encode())
    file.seek(0)
    return file.fileno()


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    reader, writer = os.pipe()
    return os.fdopen(reader, "rb"), os.fdopen(writer, "wb", buffering=0)
