"""A real ``course lab`` process on a course of its own; used wherever a server is needed."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from autograder.paths import Course
from tests.kernels import MARK, processes_marked

ADDRESS = re.compile(r"http://localhost:\d+/\S+token=\w+")
START_SECONDS = STOP_SECONDS = 180  # a machine may be busy


def wait_for(condition: Callable[[], object], seconds: float, what: str) -> object:
    """Ask again until the answer is true, and return it; fail with ``what`` after ``seconds``."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds} s for {what}")


def copy_of_course(course: Course, folder: Path) -> Course:
    """A course of its own for a test that writes, made of what `course lab` reads."""
    for part in (course.config, course.solutions, course.notebooks):
        shutil.copytree(part, folder / part.name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return Course(folder)


class Lab:
    """One ``course lab`` process. ``url`` is the address that it printed; ``text()`` everything it printed."""

    def __init__(
        self, course: Course, *options: str, env: Mapping[str, str] | None = None, command: str = "lab"
    ) -> None:
        self.course = course
        self.mark = uuid.uuid4().hex
        self.log = course.root.parent / f"lab-{self.mark}.log"
        environment = {**os.environ, **(env or {}), "COURSE_ROOT": str(course.root), MARK: self.mark}
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "autograder", command, "--no-browser", *options],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_for(lambda: self.process.poll() is not None or self.addresses(), START_SECONDS, "the address")
        assert self.addresses(), f"course lab ended early:\n{self.text()}"
        self.url = self.addresses()[0]

    def text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def addresses(self) -> list[str]:
        return ADDRESS.findall(self.text())

    def page_url(self, path: str) -> str:
        """The address of another page of this server, with its token."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}{path}?{parts.query}"

    def stop(self) -> None:
        """Press Ctrl-C, and see that nothing of it is left."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise AssertionError(f"course lab still ran {STOP_SECONDS} s after Ctrl-C:\n{self.text()}") from None
        wait_for(lambda: not processes_marked(self.mark), 60, f"processes to end: {processes_marked(self.mark)}")
        with socket.socket() as probe:
            assert probe.connect_ex(("localhost", urlsplit(self.url).port)) != 0, "the port is still open"


@contextlib.contextmanager
def running(course: Course, *options: str, env: Mapping[str, str] | None = None, command: str = "lab") -> Iterator[Lab]:
    """A ``course lab``, or ``course teacher``, for the length of a ``with``."""
    lab = Lab(course, *options, env=env, command=command)
    try:
        yield lab
    finally:
        lab.stop()


def ask(url: str, path: str, method: str = "GET") -> tuple[int, bytes]:
    """Ask a running server for a path, with its token."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=120)
    try:
        headers = {"Authorization": f"token {parts.query.removeprefix('token=')}"}
        connection.request(method, path, body=b"{}" if method == "POST" else None, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
