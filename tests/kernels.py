"""Running a notebook in a real kernel and looking at what it left behind; used by tests and benchmarks."""

from __future__ import annotations

import os
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from traitlets import Type

from autograder.grading.sandbox.client import Client

MARK = "COURSE_TEST_RUN"


class Manager(AsyncKernelManager):
    """Of kernels whose client looks at its sockets every second: a plain one sometimes waits until a cell's timeout."""

    client_factory = Type(Client)


@dataclass
class Run:
    """One notebook, executed top to bottom in ``folder``."""

    notebook: nbformat.NotebookNode
    seconds: float
    mark: str

    def stderr(self) -> list[str]:
        """Every text on stderr, with the cell it came from."""
        return [
            f"{cell.id}: {output.text}"
            for cell in self.notebook.cells
            for output in cell.get("outputs", [])
            if output.output_type == "stream" and output.name == "stderr"
        ]

    def errors(self) -> dict[str, str]:
        """``{cell id: "ErrorName: message"}``."""
        return {
            cell.id: f"{output.ename}: {output.evalue}"
            for cell in self.notebook.cells
            for output in cell.get("outputs", [])
            if output.output_type == "error"
        }

    def text(self, cell_id: str) -> str:
        """What a cell printed or displayed, as plain text."""
        cell = next(cell for cell in self.notebook.cells if cell.id == cell_id)
        parts = []
        for output in cell.outputs:
            parts.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
        return "".join(parts)

    def left_behind(self) -> list[str]:
        """Command lines of processes that this run started and that still live (Linux; a second of grace)."""
        deadline = time.monotonic() + 1
        while (alive := processes_marked(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return alive


def processes_marked(mark: str) -> list[str]:
    """Command lines of processes whose environment carries ``mark``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:  # gone meanwhile, or not ours to read
            continue
    return [command for command in found if command.strip()]  # a zombie has no command line


def run_notebook(path: Path, folder: Path, timeout: int = 120) -> Run:
    """Execute every cell, also after errors, with ``folder`` as the working directory."""
    notebook = nbformat.read(path, as_version=4)
    mark = uuid.uuid4().hex
    about = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, kernel_manager_class=Manager, timeout=timeout, allow_errors=True, resources=about)
    start = time.monotonic()
    # with PYTEST_CURRENT_TEST set, ipykernel leaves C-level output alone, and a test of silence would prove nothing
    environment = {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
    client.execute(env={**environment, MARK: mark})
    return Run(notebook, time.monotonic() - start, mark)
