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
import re
import signal
import subprocess
import tempfile
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output

from ..errors import CourseError
from ..python_code import imports_of, names_of
from .checks.channel import Channel, limit_messages
from .checks.drawn import in_kernel
from .checks.judge import Judge, Outcome
from .sandbox import Kernels, Resources
from .text import clean

KERNELS = 4  # of one submission: a function that ends the kernel when a check calls it costs that check only

MAX_DEPTH = 100  # of JSON in an output
MAX_LOOKED_AT = 1000  # outputs of a cell, one by one; it takes a millisecond for each

MARK = "COURSE_GRADING_RUN"  # in the environment of the kernel, so that whatever it starts can be found


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    cell_seconds: float = 60
    notebook_seconds: float = 300
    start_seconds: float = 120
    output_bytes: int = 1_000_000  # of each cell; what comes after is left out
    all_output_bytes: int = 50_000_000  # of the notebook; then it is ended
    resources: Resources = Resources()


@dataclass
class CellRun:
    """What one cell did.

    ``status`` is "ok", "error", "timeout", "died", "not run" or "skipped"; of a check also "no verdict", for which
    ``evalue`` is the reason as a sentence.
    """

    status: str = "not run"
    ename: str = ""
    evalue: str = ""
    seconds: float = 0.0
    origin: str = ""  # of a check's error: who raised it, as :class:`.checks.judge.Outcome` says


@dataclass
class Run:
    """A whole notebook's run: its cells by id, and ``problem``, a sentence when it did not get to its end."""

    cells: dict[str, CellRun] = field(default_factory=dict)
    problem: str = ""
    seconds: float = 0.0
    notice: str = ""  # what a report has to say about how it ran, e.g. without isolation


def run_notebook(
    notebook: NotebookNode,
    limits: Limits | None = None,
    kernels: Kernels | None = None,
    checks_in_kernel: bool = False,
    solution: NotebookNode | None = None,
    seed: int = 0,
) -> tuple[NotebookNode, Run]:
    """Execute a copy of ``notebook`` in a kernel of its own, in an empty folder.

    Check cells do not run there: each is judged in its place by a checker (:mod:`.judging`). With ``checks_in_kernel``
    they do, as in a learner's own notebook; then whoever wrote the notebook has the last word about its points.

    Never raises for what the notebook's code does. May be called from any thread, also where an event loop runs.

    Args:
        kernels: how its kernel is started, e.g. in a sandbox; plainly by default.
        solution, seed: of checks that draw inputs and compare with the reference (:mod:`.checks.drawn`).
    """
    executed = copy.deepcopy(notebook)
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if checks_in_kernel and is_check(cell):
            cell.source = in_kernel(cell, solution, seed)
    outside = not checks_in_kernel and any(map(is_check, executed.cells))
    judge = Judge(executed, kernels or Kernels(), seed, solution) if outside else None
    with ThreadPoolExecutor(1, thread_name_prefix="kernel") as thread:
        run = thread.submit(
            lambda: asyncio.run(_run(executed, limits or Limits(), kernels or Kernels(), judge))
        ).result()
    run.notice = kernels.notice if kernels else ""
    if not _is_valid(executed):
        _make_valid(executed)
    return executed, run


def _make_valid(executed: NotebookNode) -> None:
    """Leave out what no notebook has: forged messages can bring it in, and nbgrader refuses to write it."""
    for cell in executed.cells:
        if cell.cell_type == "code":
            few = len(cell.outputs) <= MAX_LOOKED_AT
            cell.outputs = [output for output in cell.outputs if few and _is_valid(output, "output")]
            count = cell.execution_count
            cell.execution_count = count if type(count) is int and count >= 0 else None


def _is_valid(node: NotebookNode, kind: str | None = None) -> bool:
    """Whether it has the form of a notebook, or of a part of that kind."""
    try:
        nbformat.validate(node, ref=kind, version=4, version_minor=5)
    except Exception:  # of whatever class
        return False
    return True


class _Client(NotebookClient):
    """nbclient with a limit on a cell's output and a note of the kernel's own reply."""

    def __init__(self, notebook: NotebookNode, limits: Limits, **options) -> None:
        super().__init__(notebook, **options)
        self.limits = limits
        self.output_size: dict[int, int] = {}
        self.flood = False
        self.reply: dict = {}
        self.on_cell_executed = self._keep_reply

    def _keep_reply(self, cell, cell_index, execute_reply) -> None:
        self.reply = (execute_reply or {}).get("content", {})

    def process_message(self, msg, cell, cell_index):
        """Take one message of what a cell puts out. It decides nothing: one that makes no sense is left out."""
        try:
            msg["content"] = _writable(msg["content"])
            return super().process_message(msg, cell, cell_index)
        except CellExecutionComplete:
            raise
        except Exception:
            return None

    def output(self, outs, msg, display_id, cell_index):
        before = self.output_size.get(cell_index, 0)
        size = self.output_size[cell_index] = before + len(repr(msg["content"]))
        if not self.flood and sum(self.output_size.values()) > self.limits.all_output_bytes:
            self.flood = True
            asyncio.ensure_future(self.km.signal_kernel(signal.SIGKILL))
        if before > self.limits.output_bytes:
            return None
        if size > self.limits.output_bytes and msg["msg_type"] != "error":
            note = f"\n[more than {self.limits.output_bytes} bytes of output: the rest was left out]\n"
            outs.append(new_output("stream", name="stdout", text=note))
            return None
        return super().output(outs, msg, display_id, cell_index)


def _writable(value, depth: int = 0):
    """JSON that a notebook's file can hold: halves of surrogate pairs are replaced.

    Raises:
        ValueError: it is nested too deeply.
    """
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    if type(value) is str:
        return value.encode("utf-8", "replace").decode()
    if type(value) is dict:
        return {_writable(key): _writable(part, depth + 1) for key, part in value.items()}
    if type(value) is list:
        return [_writable(part, depth + 1) for part in value]
    return value


async def _run(notebook: NotebookNode, limits: Limits, kernels: Kernels, judge: Judge | None) -> Run:
    asyncio.get_running_loop().set_exception_handler(_no_words)
    run = Run({cell.id: CellRun() for cell in notebook.cells if cell.cell_type == "code"})
    mark, start = uuid.uuid4().hex, time.monotonic()
    deadline = None  # of all cells, in however many kernels; starting the first one does not count
    with tempfile.TemporaryDirectory(prefix=f"course-run-{os.getpid()}-", ignore_cleanup_errors=True) as folder:
        client, begin = None, 0
        try:
            for _ in range(KERNELS):
                client = await _started(notebook, Path(folder), mark, limits, kernels, run)
                deadline = deadline or time.monotonic() + limits.notebook_seconds
                if client is None or not await _replay(client, notebook, begin, limits, deadline):
                    break
                begin = await _run_cells(client, notebook, run, limits, judge, begin, deadline)
                if begin is None:
                    break
                await _stop(client, mark, kernels)
            if client is not None:
                run.problem = _ended_from_outside(client, kernels) or run.problem
        finally:
            if client is not None:
                await _stop(client, mark, kernels)
            if judge:
                await judge.close()
            run.seconds = time.monotonic() - start
    return run


async def _started(
    notebook: NotebookNode, folder: Path, mark: str, limits: Limits, kernels: Kernels, run: Run
) -> _Client | None:
    """A client of a new kernel; None, and the problem noted, where none starts."""
    for attempt in (1, 2):
        client = _client(notebook, limits)
        try:
            await _start(client, folder, mark, kernels)
            return client
        except Exception as error:  # none of the learner's code ran yet: a second try is fair
            await _stop(client, mark, kernels)
            if attempt == 2:
                run.problem = f"The notebook's kernel did not start ({type(error).__name__}: {error})."
    return None


async def _replay(client: _Client, notebook: NotebookNode, end: int, limits: Limits, deadline: float) -> bool:
    """In a kernel that takes the place of one lost in a check: run what stood before cell ``end``; whether it lives."""
    for index, cell in enumerate(notebook.cells[:end]):
        if cell.cell_type != "code":
            continue
        source = cell.source
        if is_check(cell):
            source = imports_of(source) if cell.metadata.course.role == "check" else ""
        elif is_left_out(cell):
            source = brought_by(cell)
        client.timeout = math.ceil(max(1.0, min(limits.cell_seconds, deadline - time.monotonic())))
        try:
            await _run_aside(client, notebook, index, source)
        except Exception:
            return False
    return True


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


def _no_words(loop, context) -> None:
    """A task of nbclient's that failed on a forged message and that nobody awaits: the run says what is to be said."""


async def _start(client: _Client, folder: Path, mark: str, kernels: Kernels) -> None:
    seconds = client.limits.start_seconds + client.limits.notebook_seconds
    client.km = kernels.manager(folder, client.limits.resources, seconds)
    limit_messages(client.km.context)
    client.km.log = client.log
    here = folder / "here"
    here.mkdir(exist_ok=True)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}  # outside the cells: the kernel's own log
    await client.async_start_new_kernel(cwd=str(here), env=kernels.environment({MARK: mark}), **quiet)
    await client.async_start_new_kernel_client()


def _ended_from_outside(client: _Client, kernels: Kernels) -> str:
    """Why the notebook was ended while it ran, where it used more than it may; else empty."""
    if client.flood:
        return f"It printed more than {client.limits.all_output_bytes / 1e6:g} MB and was ended."
    return kernels.reason(client.km)


async def _stop(client: _Client, mark: str, kernels: Kernels) -> None:
    """End the kernel and everything that it started, also what moved to a session of its own."""
    try:
        if client.kc is not None:
            client.kc.stop_channels()
        if client.km is not None and client.km.has_kernel:
            await client.km.shutdown_kernel(now=True)
    except Exception:  # a kernel that died in the middle of this is what we wanted
        pass
    finally:
        if not kernels.isolated:  # else all of it ended with its namespace
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


async def _run_cells(
    client: _Client, notebook: NotebookNode, run: Run, limits: Limits, judge: Judge | None, begin: int, deadline: float
) -> int | None:
    """Run the cells from ``begin`` on; where a check lost the kernel, the number of the cell to go on with."""
    channel = Channel(client.kc, client.km.is_alive)
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code" or index < begin:
            continue
        if is_left_out(cell) and not brought_by(cell):
            run.cells[cell.id].status = "skipped"
            continue
        left = deadline - time.monotonic()
        if left <= 0:
            run.problem = f"The notebook did not finish in {limits.notebook_seconds:g} s; later cells did not run."
            return None
        client.timeout = math.ceil(min(limits.cell_seconds, left))
        try:
            if judge and is_check(cell):
                outcome = await judge.judge(cell, channel, min(limits.cell_seconds, left))
                if not await _noted(client, cell, run, outcome):
                    return index + 1
                continue
            if is_left_out(cell):
                run.cells[cell.id].status = "skipped"
                await _run_aside(client, notebook, index, brought_by(cell))
                continue
            await _run_cell(client, cell, index, run.cells[cell.id])
        except CourseError:  # about this machine, not about this submission
            raise
        except CellTimeoutError:
            if not await _interrupted(client, cell, run, client.timeout):
                return None
        except DeadKernelError:
            run.cells[cell.id].status = "died"
            run.problem = f"The kernel died in {_title(cell)}; the cells after it did not run."
            return None
        except Exception as error:  # a broken message from the kernel; the learner's code may forge any
            run.cells[cell.id].status = "died"
            run.problem = f"The kernel's answer to {_title(cell)} made no sense ({type(error).__name__})."
            return None
    run.problem = ""
    return None


def is_left_out(cell: NotebookNode) -> bool:
    """Whether the lesson says that grading need not run a cell."""
    return cell.metadata.get("course", {}).get("grading") == "skip"


def brought_by(cell: NotebookNode) -> str:
    """What runs in place of a cell that is left out. Shared cells bring nothing: they draw, and exercises do not."""
    return "" if cell.metadata.course.get("role") == "include" else names_of(cell.source)


def is_check(cell: NotebookNode) -> bool:
    """Whether a cell asks about answers, for points."""
    return cell.metadata.get("course", {}).get("role") in ("check", "hidden")


async def _noted(client: _Client, cell: NotebookNode, run: Run, outcome: Outcome) -> bool:
    """Note how a check ended; whether the kernel can go on with the next cell."""
    record = run.cells[cell.id]
    record.status, record.ename, record.evalue = outcome.status, outcome.ename, outcome.evalue
    record.seconds, record.origin = outcome.seconds, outcome.origin
    if outcome.status != "ok":
        shown = outcome.evalue.splitlines() or [outcome.ename]
        name = outcome.ename or "NoVerdict"
        cell.outputs.append(new_output("error", ename=name, evalue=outcome.evalue, traceback=shown))
    if outcome.kernel == "busy" and not await _freed(client):
        run.problem = f"{_title(cell, 'The')} did not finish in time and could not be stopped; no cell after it ran."
        return False
    if outcome.kernel == "gone":
        run.problem = f"The kernel died in {_title(cell)}; the cells after it did not run."
        return False
    return True


async def _run_aside(client: _Client, notebook: NotebookNode, index: int, source: str) -> None:
    """Run ``source`` in the place of a cell, which stays in the notebook as it is."""
    cell = notebook.cells[index]
    try:
        await client.async_execute_cell(nbformat.v4.new_code_cell(source, metadata=cell.metadata), index)
    finally:
        notebook.cells[index] = cell


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
        record.ename, record.evalue = (clean(client.reply.get(part)) for part in ("ename", "evalue"))
        record.origin = _origin(client.reply)
        _make_error_visible(cell, client.reply)


def _origin(reply: dict) -> str:
    """Of an error of a check that ran in the kernel: whose cell raised it. The kernel's word, and for words alone."""
    trace = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(map(str, reply.get("traceback") or [])))
    cells = re.findall(r"Cell In\s?\[(\d+)\]", trace)
    return ("check" if set(cells) == {str(reply.get("execution_count"))} else "learner") if cells else ""


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
    if await _freed(client):
        return True
    run.problem = (
        f"{_title(cell, 'The')} did not finish in {seconds:g} s and could not be stopped; no cell after it ran."
    )
    return False


async def _freed(client: _Client) -> bool:
    """Interrupt what the kernel does; whether that helped."""
    try:
        await client.km.interrupt_kernel()
        await client.kc.wait_for_ready(timeout=5)
        return True
    except Exception:
        return False


def _title(cell: NotebookNode, the: str = "the") -> str:
    """How a message names a cell: by its exercise or check, else by its first line."""
    role = cell.metadata.get("course", {}).get("role", "")
    if role in ("solution", "check", "hidden"):
        return f"{the} cell `{cell.id}`"
    if role == "try":
        return f"{the} try cell of `{cell.id.removesuffix('-try')}`"
    first = next((line.strip() for line in cell.source.splitlines() if line.strip()), "")
    return f"{the} cell that begins with `{clean(first[:60])}`"
