"""A running ``course lab``, and a page of it driven like a person drives it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
from playwright.sync_api import Page, expect

from autograder.paths import Course
from tests.kernels import MARK, processes_marked

ADDRESS = re.compile(r"http://localhost:\d+/\S+token=\w+")
START_SECONDS = 60
RUN_SECONDS = 120


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

    def __init__(self, course: Course, *options: str) -> None:
        self.course = course
        self.mark = uuid.uuid4().hex
        self.log = course.root.parent / f"lab-{self.mark}.log"
        environment = {**os.environ, "COURSE_ROOT": str(course.root), MARK: self.mark}
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "autograder", "lab", "--no-browser", *options],
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
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise
        wait_for(lambda: not processes_marked(self.mark), 15, f"processes to end: {processes_marked(self.mark)}")
        with socket.socket() as probe:
            assert probe.connect_ex(("localhost", urlsplit(self.url).port)) != 0, "the port is still open"


@contextlib.contextmanager
def running(course: Course, *options: str) -> Iterator[Lab]:
    """A ``course lab`` for the length of a ``with``."""
    lab = Lab(course, *options)
    try:
        yield lab
    finally:
        lab.stop()


class NotebookPage:
    """A notebook open in JupyterLab. Cells are named by their nbgrader ``grade_id``."""

    def __init__(self, page: Page, lab: Lab, path: Path) -> None:
        self.page, self.path = page, path
        names = nbformat.read(path, as_version=4).cells
        self.index = {c.metadata.get("nbgrader", {}).get("grade_id", c.id): i for i, c in enumerate(names)}
        # `reset`: without the tabs of the test before
        page.goto(lab.page_url(f"/lab/tree/{path.relative_to(lab.course.work).as_posix()}") + "&reset")
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        expect(self.panel.locator(".jp-Cell")).to_have_count(len(names), timeout=START_SECONDS * 1000)
        self.wait_until_idle()

    def wait_until_idle(self, seconds: float = START_SECONDS) -> None:
        expect(self.panel.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute(
            "data-status", "idle", timeout=seconds * 1000
        )

    def cell(self, name: str):
        return self.panel.locator(".jp-Cell").nth(self.index[name])

    def run(self, *names: str) -> None:
        """Click left of each cell and press Ctrl-Enter, then wait for its number (a folded cell shows none)."""
        for name in names:
            cell = self.cell(name)
            cell.scroll_into_view_if_needed()
            cell.click(position={"x": 40, "y": 10})
            self.page.keyboard.press("Control+Enter")
            if cell.locator(".jp-InputPlaceholder").count() == 0:
                self.has_run(name, START_SECONDS)

    def has_run(self, name: str, seconds: float) -> None:
        """Wait until a cell shows the number of its run."""
        prompt = self.cell(name).locator(".jp-InputArea-prompt")
        expect(prompt).to_have_text(re.compile(r"\[\d+\]"), timeout=seconds * 1000)

    def write(self, name: str, source: str) -> None:
        """Replace a cell's text, as by pasting, and run it."""
        self.cell(name).locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)
        self.run(name)

    def menu(self, menu: str, item: str) -> None:
        """Choose an item of the menu bar."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text=re.compile(f"^{menu}$")).click()
        self.page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{item}$")).click()

    def run_all(self, last: str) -> None:
        """Run → Run All Cells; returns when the cell ``last`` has run and the kernel rests."""
        self.menu("Run", "Run All Cells")
        self.has_run(last, RUN_SECONDS)
        self.wait_until_idle()

    def saved(self) -> nbformat.NotebookNode:
        """Save with Ctrl-S and return what is then on the disk."""
        before = self.path.stat().st_mtime_ns
        self.page.keyboard.press("Control+S")
        wait_for(lambda: self.path.stat().st_mtime_ns != before, 20, "the notebook to be saved")
        return nbformat.read(self.path, as_version=4)

    def validate(self):
        """Press Validate and return the dialog with its answer."""
        self.page.get_by_role("button", name="Validate").click()
        dialog = self.page.locator(".jp-Dialog", has=self.page.locator("#validation-message"))
        expect(dialog).to_be_visible(timeout=RUN_SECONDS * 1000)
        return dialog
