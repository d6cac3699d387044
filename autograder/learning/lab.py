"""``course lab``: JupyterLab on the learner's own copies; :mod:`.teacher` opens the whole course.

A learner's server has ``work/`` as its root, so that answers and hidden checks are not in the file browser, and shows
none of nbgrader's tools for instructors. A teacher's server has the course as its root and everything of nbgrader's.

Nothing of the person's own Jupyter is read or written: settings, workspaces, trust, history and running servers are
kept in the git-ignored ``.jupyter/`` of the course, apart for learner and teacher. So the course looks the same for
everyone, and extensions or settings made for other work cannot break a lesson. The price: a theme that was chosen
elsewhere is chosen again here.
"""

from __future__ import annotations

import argparse
import errno
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import zmq

from ..errors import CourseError
from ..paths import Course, find_course
from ..wording import typed
from . import work
from .index import write_index

# What would lead JupyterLab or nbgrader back to the person's own files.
FOREIGN = (
    "JUPYTER_NO_CONFIG",
    "JUPYTER_PATH",
    "JUPYTERLAB_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
)


@dataclass(frozen=True)
class Session:
    """One way of opening the course."""

    course: Course
    name: str  # "student" or "teacher"; also the name of the profile
    root: Path  # what the file browser shows
    opens: str  # the page, relative to the server

    @property
    def profile(self) -> Path:
        """The tracked settings of this kind of session."""
        return self.course.config / "learning" / "profile" / self.name

    @property
    def profiles(self) -> list[Path]:
        """What counts first stands first: a learner has nbgrader's list of lessons where the class has an exchange."""
        shares = self.name == "student" and bool(self.course.chosen().get("exchange"))
        return [self.profile.with_name("student_with_exchange")] * shares + [self.profile]

    @property
    def home(self) -> Path:
        """Where this kind of session keeps its state, in place of ``~/.jupyter`` and ``~/.local/share/jupyter``."""
        return self.course.root / ".jupyter" / self.name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", nargs="?", metavar="LESSON", help="opens this one: a number or name; else the index")
    add_server_arguments(parser)


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """What `course lab` and `course teacher` share."""
    parser.add_argument("--no-browser", action="store_true", help="print the address instead of opening a browser")
    parser.add_argument("--port", type=int, help="port to listen on (default: 8888, or the next free one)")
    parser.add_argument("--ip", default="localhost", help="address to listen on (default: localhost)")


def command(args: argparse.Namespace) -> int:
    course = find_course()
    return start(lambda: student(course, args.lesson), args)


def start(opened: Callable[[], Session], args: argparse.Namespace) -> int:
    """Start JupyterLab; returns when it has ended, or not at all.

    Args:
        opened: makes the session; called once it is known that JupyterLab can listen.
        args: of :func:`add_server_arguments`.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise ModuleNotFoundError("No module named 'jupyterlab'", name="jupyterlab")
    if args.port is not None:
        check_port(args.ip, args.port)
    session = opened()
    prepare(session)
    print("JupyterLab is starting. Stop it with Ctrl-C in this window; notebooks are saved as you work.", flush=True)
    return run(server_command(session, args), server_environment(session), session.root)


def student(course: Course, lesson: str | None = None) -> Session:
    """A learner's session: brings the copies in ``work/`` up to date, says what changed, and opens the index.

    Raises:
        CourseError: there is no such lesson.
    """
    messages = work.sync(course)
    for message in messages:
        print(message)
    opens = write_index(course, messages)
    if lesson:
        name = course.lesson(lesson)
        opens = f"{name}/{name}.ipynb"
    return Session(course, "student", course.work, f"/lab/tree/{opens}")


def check_port(ip: str, port: int) -> None:
    """Find out before JupyterLab starts whether it can listen there.

    Raises:
        CourseError: the port is in use, not a port, not allowed, or the address is not this machine's.
    """
    if not 0 < port < 65536:
        raise CourseError(f"--port {port} is not a port. Take one from 1024 to 65535, or leave --port out.")
    try:
        addresses = socket.getaddrinfo(ip, port, type=socket.SOCK_STREAM)
        for family, kind, protocol, _, address in addresses:
            with socket.socket(family, kind, protocol) as probe:
                if os.name == "posix":  # as Jupyter does: a port that was closed a moment ago counts as free
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
    except OSError as error:
        raise CourseError(why_no_port(error, ip, port)) from error


def why_no_port(error: OSError, ip: str, port: int) -> str:
    """The sentence that says why JupyterLab cannot listen there, and what to do."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"--ip {ip} is not an address of this machine. Leave --ip out, or say --ip 0.0.0.0 to listen on all."
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return (
            f"Port {port} is in use, perhaps by a JupyterLab that still runs. Stop that one, choose another port "
            f"({typed('lab', '--port', str(other))}), or leave --port out: then a free one is found."
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"You may not listen on port {port}. Choose one from 1024 to 65535, or leave --port out."
    return f"JupyterLab cannot listen on {ip}:{port} ({error.strerror}). Choose others, or leave --port and --ip out."


def prepare(session: Session) -> None:
    """Make the folders of a session. JupyterLab reads custom.css only from there, so it is copied."""
    try:
        (session.home / "custom").mkdir(parents=True, exist_ok=True)
        style = session.profile.parent / "custom.css"
        shutil.copyfile(style, session.home / "custom" / style.name)
    except OSError as error:
        raise CourseError(
            f"JupyterLab's settings for this course cannot be written to {session.home} ({error.strerror}). "
            "Make the course folder yours to write."
        ) from error


def server_command(session: Session, args: argparse.Namespace) -> list[str]:
    """The command line that starts JupyterLab for this session."""
    options = {
        "ServerApp.root_dir": session.root,
        "ServerApp.ip": args.ip,
        "Application.log_level": "WARN",  # the address is printed on any level
        "ServerApp.answer_yes": True,  # Ctrl-C stops at once; a question would go unread behind the browser
        "LabApp.default_url": session.opens,
        "LabApp.custom_css": True,
        "LabServerApp.app_settings_dir": session.profile / "settings",
        # what goes to and from kernels; without, each says in the terminal that others on this machine can listen
        "MappingKernelManager.transport_encryption": "auto" if zmq.has("curve") else "disabled",
    }
    if args.port is not None:
        options |= {"ServerApp.port": args.port, "ServerApp.port_retries": 0}
    if args.no_browser:
        options["ServerApp.open_browser"] = False
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # in a container one often is root
        options["ServerApp.allow_root"] = True
    return [sys.executable, "-m", "jupyterlab", *(f"--{name}={value}" for name, value in options.items())]


def server_environment(session: Session) -> dict[str, str]:
    """The environment of JupyterLab and its kernels: this course's settings, and `course` on the PATH of a terminal."""
    course = session.course
    inherited = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    if "PYTHONPATH" in inherited:
        inherited["PYTHONPATH"] = absolute(inherited["PYTHONPATH"])
    return inherited | {
        "JUPYTER_CONFIG_DIR": str(session.home),
        "JUPYTER_DATA_DIR": str(session.home / "data"),
        "JUPYTER_RUNTIME_DIR": str(session.home / "runtime"),
        "IPYTHONDIR": str(session.home / "ipython"),
        "JUPYTER_CONFIG_PATH": os.pathsep.join([*map(str, session.profiles), str(course.config)]),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
    }


def absolute(paths: str) -> str:
    """A ``PYTHONPATH`` that means the same in every folder. An empty part would mean the one of each notebook."""
    return os.pathsep.join(str(Path(path).absolute()) for path in paths.split(os.pathsep) if path)


def run(command: list[str], environment: dict[str, str], folder: Path) -> int:
    """Become JupyterLab, so that Ctrl-C and signals reach it and nothing else. Windows cannot: there, wait for it."""
    if os.name == "posix":
        os.chdir(folder)
        os.execve(command[0], command, environment)
    return wait(subprocess.Popen(command, env=environment, cwd=folder))


def wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for a process and return its exit status. Ctrl-C in the terminal reaches it, too, and it ends by itself."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
