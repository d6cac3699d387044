"""Stage 2, run: execute a clean notebook in a Jupyter kernel and note what each cell left behind.

The learner's code is a stranger's: it may loop, exit, print without end, or start processes. None of that reaches
the caller: the result is plain data, time and output are limited, and every process that was started ends.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import math
import os
import subprocess
import tempfile
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output

MARK = "COURSE_GRADING_RUN"  # in the environment of the kernel, so that whatever it starts can be found

# Quiet TensorFlow, and the same devices on every machine: nothing graded depends on a GPU.
ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "1",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "-1",
    "NBGRADER_EXECUTION": "autograde",
    "PYTHONHASHSEED": "0",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}
NOT_PASSED_ON = ("PYTHONDONTWRITEBYTECODE", "PYTHONSTARTUP", "PYTHONPATH")


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    cell_seconds: float = 60
    notebook_seconds: float = 300
    start_seconds: float = 120
    output_bytes: int = 1_000_000  # of each cell


@dataclass
class CellRun:
    """What one cell did. ``status`` is "ok", "error", "timeout", "died", "not run" or "skipped"."""

    status: str = "not run"
    ename: str = ""
    evalue: str = ""
    seconds: float = 0.0


@dataclass
class Run:
    """A whole notebook's run: its cells by id, and ``problem``, a sentence when it did not get to its end."""

    cells: dict[str, CellRun] = field(default_factory=dict)
    problem: str = ""
    seconds: float = 0.0


def run_notebook(notebook: NotebookNode, limits: Limits | None = None) -> tuple[NotebookNode, Run]:
    """Execute a copy of ``notebook`` in a kernel of its own, in an empty folder.

    Never raises for what the notebook's code does. May be called from any thread, also where an event loop runs.
    """
    executed = copy.deepcopy(notebook)
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with ThreadPoolExecutor(1, thread_name_prefix="kernel") as thread:
        run = thread.submit(lambda: asyncio.run(_run(executed, limits or Limits()))).result()
    return executed, run


class _Client(NotebookClient):
    """nbclient with a limit on a cell's output and a note of the kernel's own reply."""

    def __init__(self, notebook: NotebookNode, limits: Limits, **options) -> None:
        super().__init__(notebook, **options)
        self.limits = limits
        self.output_size: dict[int, int] = {}
        self.reply: dict = {}
        self.on_cell_executed = self._keep_reply

    def _keep_reply(self, cell, cell_index, execute_reply) -> None:
        self.reply = (execute_reply or {}).get("content", {})

    def output(self, outs, msg, display_id, cell_index):
        size = self.output_size.get(cell_index, 0)
        if size > self.limits.output_bytes:
            return None
        size += len(repr(msg["content"]))
        self.output_size[cell_index] = size
        if size > self.limits.output_bytes and msg["msg_type"] != "error":
            note = f"\n[more than {self.limits.output_bytes} bytes of output: the rest was left out]\n"
            outs.append(new_output("stream", name="stdout", text=note))
            return None
        return super().output(outs, msg, display_id, cell_index)


async def _run(notebook: NotebookNode, limits: Limits) -> Run:
    run = Run({cell.id: CellRun() for cell in notebook.cells if cell.cell_type == "code"})
    mark, start = uuid.uuid4().hex, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="course-run-", ignore_cleanup_errors=True) as folder:
        try:
            for attempt in (1, 2):
                client = _client(notebook, limits)
                try:
                    await _start(client, folder, mark, limits)
                    break
                except Exception as error:  # none of the learner's code ran yet: a second try is fair
                    await _stop(client, mark)
                    if attempt == 2:
                        run.problem = f"The notebook's kernel did not start ({type(error).__name__}: {error})."
                        return run
            await _run_cells(client, notebook, run, limits)
        finally:
            await _stop(client, mark)
            run.seconds = time.monotonic() - start
    return run


def _client(notebook: NotebookNode, limits: Limits) -> _Client:
    client = _Client(
        notebook,
        limits,
        timeout=math.ceil(limits.cell_seconds),
        startup_timeout=int(limits.start_seconds),
        allow_errors=True,
        interrupt_on_timeout=False,  # a cell that does not end by itself may not end by an interrupt either
        kernel_name="python3",
        kernel_manager_class=AsyncKernelManager,
        store_widget_state=False,
    )
    client.log = _silent()
    return client


def _silent() -> logging.Logger:
    """A logger of its own that writes nowhere: what goes wrong is said in the report."""
    logger = logging.Logger("course run")
    logger.addHandler(logging.NullHandler())
    return logger


async def _start(client: _Client, folder: str, mark: str, limits: Limits) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in NOT_PASSED_ON}
    environment |= ENVIRONMENT | {MARK: mark}
    client.km = client.create_kernel_manager()
    client.km.log = client.log
    if os.name == "posix":  # sockets in a private folder: no port to lose in a race, nothing for others to reach
        client.km.transport, client.km.ip = "ipc", str(Path(folder, "kernel"))
    here = Path(folder, "here")
    here.mkdir(exist_ok=True)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}  # outside the cells: the kernel's own log
    await client.async_start_new_kernel(cwd=str(here), env=environment, **quiet)
    await client.async_start_new_kernel_client()


async def _stop(client: _Client, mark: str) -> None:
    """End the kernel and everything that it started, also what moved to a session of its own."""
    try:
        if client.kc is not None:
            client.kc.stop_channels()
        if client.km is not None and client.km.has_kernel:
            await client.km.shutdown_kernel(now=True)
    except Exception:  # a kernel that died in the middle of this is what we wanted
        pass
    finally:
        _end_marked(mark)


def _end_marked(mark: str) -> None:
    for _ in range(5):  # a process may start another while we look
        marked = [process for process in psutil.process_iter() if _environment(process).get(MARK) == mark]
        if not marked:
            return
        for process in marked:
            try:
                process.kill()
            except psutil.Error:
                continue
        psutil.wait_procs(marked, timeout=2)


def _environment(process: psutil.Process) -> dict:
    try:
        return process.environ() if process.pid != os.getpid() else {}
    except (psutil.Error, OSError):
        return {}


async def _run_cells(client: _Client, notebook: NotebookNode, run: Run, limits: Limits) -> None:
    deadline = time.monotonic() + limits.notebook_seconds
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        if cell.metadata.get("course", {}).get("grading") == "skip":
            run.cells[cell.id].status = "skipped"
            continue
        left = deadline - time.monotonic()
        if left <= 0:
            run.problem = f"The notebook did not finish in {limits.notebook_seconds:g} s; later cells did not run."
            return
        client.timeout = math.ceil(min(limits.cell_seconds, left))
        try:
            await _run_cell(client, cell, index, run.cells[cell.id])
        except CellTimeoutError:
            if not await _interrupted(client, cell, run, client.timeout):
                return
        except DeadKernelError:
            run.cells[cell.id].status = "died"
            run.problem = f"The kernel died in {_title(cell)}; the cells after it did not run."
            return
        except Exception as error:  # a broken message from the kernel; the learner's code may forge any
            run.cells[cell.id].status = "died"
            run.problem = f"The kernel's answer to {_title(cell)} made no sense ({type(error).__name__})."
            return


async def _run_cell(client: _Client, cell: NotebookNode, index: int, record: CellRun) -> None:
    client.reply, start = {}, time.monotonic()
    try:
        await client.async_execute_cell(cell, index)
    finally:
        record.seconds = time.monotonic() - start
    if not cell.source.strip():
        record.status = "ok"
        return
    status = client.reply.get("status")
    if status == "ok":
        record.status = "ok"
    elif status == "error":
        record.status = "error"
        record.ename, record.evalue = str(client.reply.get("ename", "")), str(client.reply.get("evalue", ""))
        _make_error_visible(cell, client.reply)


def _make_error_visible(cell: NotebookNode, reply: dict) -> None:
    """The reply knows of an error that the cell's outputs may not show (nbgrader would give full marks)."""
    if not any(output.output_type == "error" for output in cell.outputs):
        trace = [str(line) for line in reply.get("traceback") or []]
        cell.outputs.append(
            new_output("error", ename=str(reply.get("ename", "")), evalue=str(reply.get("evalue", "")), traceback=trace)
        )


async def _interrupted(client: _Client, cell: NotebookNode, run: Run, seconds: float) -> bool:
    """Interrupt a cell that took too long; whether the kernel can go on with the next one."""
    record = run.cells[cell.id]
    record.status, record.ename = "timeout", "CellTimeoutError"
    record.evalue = f"the cell did not finish in {seconds:g} s"
    cell.outputs.append(new_output("error", ename=record.ename, evalue=record.evalue, traceback=[record.evalue]))
    try:
        await client.km.interrupt_kernel()
        await client.kc.wait_for_ready(timeout=5)
        return True
    except Exception:
        run.problem = f"{_title(cell)} did not finish in {seconds:g} s and could not be stopped; no cell after it ran."
        return False


def _title(cell: NotebookNode) -> str:
    """How a message names a cell: by its exercise or check, else by its first line."""
    role = cell.metadata.get("course", {}).get("role", "")
    if role in ("solution", "check", "hidden"):
        return f"the cell `{cell.id}`"
    first = next((line.strip() for line in cell.source.splitlines() if line.strip()), "")
    return f"the cell that begins with `{first[:60]}`"
