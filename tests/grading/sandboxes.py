"""Run cells in a sandbox, and look at what is left afterwards."""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import nbformat
import psutil

from autograder.grading.execute import Limits, Options, execute
from autograder.grading.sandbox import Kernels, Resources

MIB = 1 << 20
SMALL = Resources(
    memory_bytes=1024 * MIB, processes=40, threads=600, disk_bytes=64 * MIB, file_bytes=16 * MIB, files=20_000
)


def run_cells(kernels: Kernels, *sources: str, resources: Resources = SMALL, **limits):
    """Run ``sources`` as the cells c0, c1, ... of one notebook; the executed notebook and the run."""
    notebook = nbformat.v4.new_notebook()
    for index, text in enumerate(sources):
        notebook.cells.append(nbformat.v4.new_code_cell(text, id=f"c{index}", metadata={"course": {"role": "added"}}))
    limits = {"cell_seconds": 20, "notebook_seconds": 60} | limits
    result = execute(notebook, Options(Limits(resources=resources, **limits), kernels))
    return result.notebook, result


def statuses(run) -> list[str]:
    return [record.ended for record in run.cells.values()]


def said(notebook, index: int = 0) -> str:
    """All text that a cell printed."""
    return "".join(output.get("text", "") for output in notebook.cells[index].outputs)


def all_ok(notebook, run) -> None:
    """Fail with the cells' own errors, and with all that they printed, unless every cell ran."""
    lines = [run.problem]
    for index, (name, record) in enumerate(run.cells.items()):
        lines += [f"{name}: {record.ended} {record.ename}: {record.evalue}", said(notebook, index)]
    assert set(statuses(run)) == {"ok"} and not run.problem, "\n".join(lines)


@contextmanager
def own_temporary_folder():
    """Let what this process makes in the temporary folder lie apart, with short paths, so that leftovers show."""
    before, tempfile.tempdir = tempfile.tempdir, tempfile.mkdtemp(prefix="sb-", dir="/tmp")
    Path(tempfile.tempdir).chmod(0o755)
    try:
        yield
    finally:
        shutil.rmtree(tempfile.tempdir, ignore_errors=True)
        tempfile.tempdir = before


class Traces:
    """What a submission must not leave behind: processes, mounts, files. Taken before and compared after."""

    def __init__(self) -> None:
        self.before = self._now()

    @staticmethod
    def _now() -> dict[str, set]:
        mine = psutil.Process()
        processes = {(child.pid, child.create_time()) for child in mine.children(recursive=True) if _runs(child)}
        folder = Path(tempfile.gettempdir())
        files = {path for pattern in ("course-*", "course-*/*") for path in folder.glob(pattern)}
        return {"processes": processes, "mounts": set(Path("/proc/mounts").read_text().splitlines()), "files": files}

    def none_new(self) -> None:
        """Fail unless all is as before. The template's own helpers have a moment to end."""
        deadline = time.monotonic() + 20  # they take none, unless the machine is busy
        while (now := self._now()) and time.monotonic() < deadline:
            if all(now[kind] <= before for kind, before in self.before.items()):
                break
            time.sleep(0.02)
        for kind, before in self.before.items():
            assert now[kind] <= before, f"{kind} left behind: {now[kind] - before}"


def _runs(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
