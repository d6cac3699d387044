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
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import nbformat
import psutil
from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output

from ..errors import CourseError, is_machine_fault
from ..wording import listed
from .cells import CellRun, Ended, Origin, exercise, has_learners_text, in_its_place, is_check, is_left_out, role
from .checks.channel import Channel, limit_messages
from .checks.drawn import in_kernel
from .checks.judge import Judge, Judged, KernelState
from .messages import Unread
from .sandbox import Kernels, Resources, scratch_folder
from .sandbox.folders import remove_all
from .sandbox.resources import KERNEL_BYTES
from .sandbox.watchdog import ended_for_memory
from .text import clean
from .turns import Turn

LOOK_AGAIN = 1.0  # seconds that a thread waits for a turn, so that a grader that ends does not wait for it
KERNELS = 8  # of one submission at most: what ends one, or does not let it go on, costs what it stands in only

MAX_DEPTH = 100  # of JSON in an output
MAX_LOOKED_AT = 1000  # outputs of a cell, one by one; it takes a millisecond for each
MAX_OUTPUTS = 5000  # of a notebook: each is looked at several times, however small it is

MAX_ERROR = 100_000  # characters of an error that is kept, whatever else a cell has put out
MAX_WORDS = 20_000  # characters of an error's message
NO_MEMORY = "No memory was left on this machine, and the system ended processes while the notebook ran."
WAS_KILLED = (
    "A signal ended the kernel: the notebook's own code sent it, or something on this machine did. See whether points "
    "are deserved, or grade it again."
)
FAR_TOO_LONG = 5  # times what one kernel may take: all waits have their own ends, and this is behind them
WAITED = "The grader waited for a notebook's kernel far longer than it may, so there is no result; please report it"
# As in :mod:`.sandbox.inside.kernel`: a kernel would end a moment after `exit()`, in whatever cell or check runs then.
STAYS = ["--IPKernelApp.exec_lines=get_ipython().unobserve_all('exit_now')"]
LONGEST_PAUSE = 10.0  # seconds; a cell has many more, so that less of it costs nobody a point

MARK = "COURSE_GRADING_RUN"  # in the environment of the kernel, so that whatever it starts can be found

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has the latter alone, and ends a process by it


@dataclass(frozen=True)
class Limits:
    """Time and output that one submission may use; for memory, processes and disk see :mod:`.sandbox.resources`."""

    cell_seconds: float = 60
    notebook_seconds: float = 300
    start_seconds: float = 120
    output_bytes: int = 1_000_000  # of each cell; what comes after is left out
    all_output_bytes: int = 50_000_000  # of the notebook; then it is ended
    resources: Resources = Resources()

    @classmethod
    def of_a_cell(cls, seconds: float) -> Limits:
        """With another time for a cell: where cells may take longer, the notebook may, too."""
        return cls(cell_seconds=seconds, notebook_seconds=max(cls.notebook_seconds, 5 * seconds))


@dataclass
class Executed:
    """An executed notebook: what each code cell did, by its id."""

    notebook: NotebookNode
    cells: dict[str, CellRun] = field(default_factory=dict)
    problem: str = ""  # why the run did not get to its end, as a sentence
    seconds: float = 0.0
    notice: str = ""  # what a report has to say about how it ran, e.g. without isolation
    flags: list[str] = field(default_factory=list)  # what a person has to look at
    lost: str = ""  # why this is no result: something that was not the notebook's doing
    paused: float = 0.0  # seconds that this process stood still for at most, while limits of time went on


@dataclass(frozen=True)
class Options:
    """How submissions are run.

    ``kernels`` says how a kernel is started: plainly by default. With ``checks_in_kernel`` checks run in the learner's
    kernel, as in their own notebook; then whoever wrote the notebook has the last word about its points.
    """

    limits: Limits = Limits()
    kernels: Kernels = field(default_factory=Kernels)
    checks_in_kernel: bool = False
    seed: int = 0  # from which hidden checks draw their inputs; the same for every run of a learner's submission
    in_order: bool = False  # also checks of an answer of which one did not end: many answers in one notebook
    turn: Turn | None = None  # which the notebook's cells wait for, while its kernel is there already


def execute(notebook: NotebookNode, options: Options | None = None, solution: NotebookNode | None = None) -> Executed:
    """Run a copy of a clean notebook in a kernel of its own, in an empty folder: the second stage of grading.

    Check cells do not run there: each is judged in its place by a checker (:mod:`.checks`). Never raises for what the
    notebook's code does. May be called from any thread, also where an event loop runs.

    Args:
        solution: the instructor's notebook, for checks that compare with the reference (:mod:`.checks.drawn`).

    Raises:
        CourseError: this machine cannot start a kernel or what judges checks, or what kernels are forked from ended
            twice while this ran, or this process stood still twice; or a small kernel was ended for want of memory.
        OSError, MemoryError: it has no room left, or no more open files to give.
    """
    options = options or Options()
    for _ in (1, 2):
        before = options.kernels.generation()
        with _Pulse() as pulse:
            executed = _execute(copy.deepcopy(notebook), options, solution)
        executed.paused = pulse.longest
        is_another = options.kernels.generation() != before
        if not is_another and not _was_disturbed(executed):
            if executed.lost:
                raise CourseError(executed.lost)
            return executed
    raise CourseError(
        "The process that this grader's kernels are forked from was ended while the notebook ran, and took its kernel "
        "with it. Is there memory left?"
        if is_another
        else f"The grader stood still for {executed.paused:.0f} s while the notebook ran, and limits of time went on: "
        "what it would have come to is not known."
    )


def _execute(notebook: NotebookNode, options: Options, solution: NotebookNode | None) -> Executed:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if options.checks_in_kernel and is_check(cell):
            cell.source = in_kernel(cell, solution, options.seed)
    with ThreadPoolExecutor(1, thread_name_prefix="kernel") as thread:
        executed = thread.submit(lambda: asyncio.run(_Execution(notebook, options, solution).run())).result()
    if not _is_valid(notebook):
        _make_valid(notebook)
    return executed


def _was_disturbed(executed: Executed) -> bool:
    """Whether something may have ended for the only reason that this process stood still."""
    whole = all(run.ended in (Ended.OK, Ended.SKIPPED) for run in executed.cells.values())
    return executed.paused > LONGEST_PAUSE and not (whole and not executed.problem)


class _Pulse(threading.Thread):
    """Notices when this process stands still: Ctrl-Z, a container that is frozen, a machine that swaps."""

    def __init__(self) -> None:
        super().__init__(name="pulse", daemon=True)
        self.longest, self._over = 0.0, threading.Event()

    def run(self) -> None:
        last, goes_on = time.monotonic(), True
        while goes_on:
            goes_on = not self._over.wait(1)
            now = time.monotonic()
            self.longest, last = max(self.longest, now - last), now

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()


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

    km: AsyncKernelManager | None
    kc: AsyncKernelClient | None

    def __init__(self, notebook: NotebookNode, limits: Limits) -> None:
        super().__init__(
            notebook,
            timeout=math.ceil(limits.cell_seconds),
            startup_timeout=int(limits.start_seconds),
            allow_errors=True,
            interrupt_on_timeout=False,  # a cell that does not end by itself may not end by an interrupt either
            kernel_name="python3",
            kernel_manager_class=AsyncKernelManager,
            store_widget_state=False,
        )
        self.log = _silent()
        self.limits = limits
        self.output_size: dict[int, int] = {}  # characters, by the number of the cell
        self.is_aside = False  # what runs stands in the place of a cell, and its outputs are not kept
        # of what runs aside, and of what does not: characters, and how many outputs were taken
        self.all_output, self.outputs = {True: 0, False: 0}, {True: 0, False: 0}
        self.left_out: set[int] = set()  # numbers of the cells of which some were not
        self.flood = False
        self.reply: dict[str, Any] = {}
        self.on_cell_executed = self._keep_reply
        self.reading: asyncio.Task[Any] | None = None  # which takes what a cell puts out

    def started(self) -> tuple[AsyncKernelManager, AsyncKernelClient]:
        """The running kernel's manager and client."""
        if self.km is None or self.kc is None:
            raise DeadKernelError("no kernel was started")
        return self.km, self.kc

    async def _async_poll_output_msg(self, *what: Any) -> None:
        self.reading = asyncio.current_task()
        await super()._async_poll_output_msg(*what)

    async def end_reading(self) -> None:
        """Of a cell that was given up: nbclient goes on with it, and would take what others wait for."""
        if self.reading is not None:
            self.reading.cancel()
            await asyncio.wait([self.reading])

    def _keep_reply(self, cell: NotebookNode, cell_index: int, execute_reply: dict[str, Any] | None) -> None:
        self.reply = (execute_reply or {}).get("content", {})

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        """Take one message of what a cell puts out. It decides nothing: one that makes no sense is left out.

        Whatever its type, its size counts: what updates an earlier output, or a widget, takes memory, too; it counts
        for each output that it goes into. Widgets live in the learner's browser; here nobody looks at them.
        """
        try:
            kind, content = msg["msg_type"], msg["content"]
            unread = isinstance(content, Unread)
            if kind != "status" or unread:
                size = max(content.size, MAX_ERROR + self.limits.output_bytes) if unread else len(repr(content))
                if not self._fits(size * self._places(content), kind, cell, cell_index):
                    return None
            if kind.startswith("comm_") or unread:
                return None
            msg["content"] = _writable(content)
            before = len(cell.outputs)
            try:
                return super().process_message(msg, cell, cell_index)
            finally:
                self.outputs[self.is_aside] += len(cell.outputs) - before
        except CellExecutionComplete:
            raise
        except Exception:
            return None

    def _places(self, content: dict[str, Any]) -> int:
        """Into how many outputs nbclient puts what a message shows: into all that have its ``display_id``."""
        try:
            shown = self._display_id_map.get(content["transient"]["display_id"], {})
        except (KeyError, TypeError):  # it has none, or makes no sense
            return 1
        return max(1, sum(map(len, shown.values())))

    def _fits(self, size: int, kind: str, cell: NotebookNode, cell_index: int) -> bool:
        """Count a message of ``size`` characters; whether it may be kept. An error may, if only it is short."""
        before = self.output_size.get(cell_index, 0)
        self.output_size[cell_index] = before + size
        self.all_output[self.is_aside] += size
        if not self.flood and self.all_output[self.is_aside] > self.limits.all_output_bytes:
            self.flood = True
            asyncio.ensure_future(self.started()[0].signal_kernel(KILL))
        short = before + size <= self.limits.output_bytes or (kind == "error" and size <= MAX_ERROR)
        if short and self.outputs[self.is_aside] < MAX_OUTPUTS:
            return True
        if cell_index not in self.left_out:
            self.left_out.add(cell_index)
            most = f"{MAX_OUTPUTS} outputs" if short else f"{self.limits.output_bytes} bytes of output"
            note = f"\n[more than {most}: the rest was left out]\n"
            cell.outputs.append(new_output("stream", name="stdout", text=note))
        return False


def _writable(value: Any, depth: int = 0) -> Any:
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


def _silent() -> logging.Logger:
    """A logger of its own that writes nowhere: what goes wrong is said in the report."""
    logger = logging.Logger("course run")
    logger.addHandler(logging.NullHandler())
    return logger


def _ignore_task_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A task of nbclient's that failed on a forged message and that nobody awaits: the run says what is to be said."""


class _LostAgain(Exception):
    """A cell of the learner's cost a kernel where it ran once more; another one may go on without it."""


class _Execution:
    """One submission's run, in as many kernels as its checks lose."""

    def __init__(self, notebook: NotebookNode, options: Options, solution: NotebookNode | None) -> None:
        self.notebook, self.limits, self.kernels = notebook, options.limits, options.kernels
        self.done = Executed(notebook, notice=options.kernels.notice)
        self.done.cells = {cell.id: CellRun() for cell in notebook.cells if cell.cell_type == "code"}
        outside = not options.checks_in_kernel and any(map(is_check, notebook.cells))
        self.judge = Judge(notebook, options.kernels, options.seed, solution, self._life(2)) if outside else None
        self.turn, self.in_order = options.turn, options.in_order
        self.mark = uuid.uuid4().hex
        self.deadline = math.inf  # of all cells from the learner's first on, in however many kernels
        self.kept = (0, 0)  # characters and number of outputs of cells, in all kernels before
        self.left_out: set[str] = set()  # cells of the learner's that cost a kernel
        self.said: list[str] = []  # of these, and of time that was over
        self.slow: set[str] = set()  # answers of which a check did not come to its end
        self.waiting: list[int] = []  # their further checks, which are asked when all others were
        self.is_last = False  # whether it is their turn

    async def run(self) -> Executed:
        asyncio.get_running_loop().set_exception_handler(_ignore_task_error)
        start = time.monotonic()
        with scratch_folder("run") as folder:
            client: _Client | None = None
            begin = 0
            if self.judge:
                self.judge.begin()
            try:
                for _ in range(KERNELS):
                    client, since = await self._started(folder), time.monotonic()
                    await self._take_turn()
                    if time.monotonic() - since > self.limits.start_seconds + self.limits.notebook_seconds:
                        await self._stop(client)  # it may not live long enough now; none of this notebook's code ran
                        if self.judge:  # nor its checker
                            await self.judge.close()
                            self.judge.begin()
                        client = await self._started(folder)
                    ended, lost = ended_for_memory(), self._lost_processes()
                    most = FAR_TOO_LONG * (self.limits.start_seconds + self.limits.notebook_seconds)
                    try:
                        after = await asyncio.wait_for(self._go_on(client, begin), most)
                    except TimeoutError:
                        raise CourseError(f"{WAITED} ({most:g} s).") from None
                    reason = self._ended_from_outside(client)
                    self.kept = client.all_output[False], client.outputs[False]
                    if not reason and self._lost_processes() > lost:
                        if ended_for_memory() > ended:
                            self._tell_of_memory(client)
                        elif self.kernels.was_killed(client.km):
                            self._tell(WAS_KILLED)
                    if reason:
                        self.done.problem = self._told if reason in self._told else f"{self._told} {reason}".strip()
                    if after is None or self.done.lost or client.flood:
                        break
                    begin = after
                    await self._stop(client)
                else:
                    lost_all = f"It lost {KERNELS} kernels, and there are no more for one notebook."
                    self.done.problem = f"{self._told} {lost_all}".strip()
                self._tell_of_unasked()
            finally:
                if self.turn:
                    self.turn.give_back()
                if client is not None:
                    await self._stop(client)
                if self.judge:
                    await self.judge.close()
                self.done.seconds = time.monotonic() - start
        return self.done

    async def _go_on(self, client: _Client, begin: int) -> int | None:
        """What a new kernel does from cell ``begin`` on; the cell for the next kernel to go on with."""
        ask = self._ask_waiting if self.is_last else self._run_cells
        try:
            return await ask(client, begin) if await self._replay(client, begin) else None
        except _LostAgain:
            return self.waiting[0] if self.is_last else begin

    def _lost_processes(self) -> int:
        """How many kernels and checkers may have ended before their time, for whatever reason."""
        return sum(run.ended in (Ended.DIED, Ended.NO_VERDICT) for run in self.done.cells.values())

    def _tell_of_unasked(self) -> None:
        """Of checks for which there was no time, or no kernel: that may have been another cell's doing."""
        checks = [cell for cell in self.notebook.cells if is_check(cell)]
        unasked = {f"`{exercise(cell)}`" for cell in checks if self.done.cells[cell.id].ended is Ended.NOT_RUN}
        if unasked:
            self.done.flags.append(
                f"Checks of {listed(sorted(unasked))} were not run. See whether points are deserved."
            )

    def _tell_of_memory(self, client: _Client) -> None:
        """Of a run that lost a process while this machine had no memory left: no result where others took it."""
        if 0 < self.kernels.most_memory(client.km) < KERNEL_BYTES:
            self.done.lost = (
                f"{self.done.problem} {NO_MEMORY} This one took little of it, so this is no result: try again with "
                "--workers 1, or with other programs closed."
            ).strip()
        self._tell(f"{NO_MEMORY} See whether points are deserved, or run it again with more memory free.")

    def _tell(self, flag: str) -> None:
        self.done.flags += [flag] if flag not in self.done.flags else []

    async def _take_turn(self) -> None:
        while self.turn and not await asyncio.to_thread(self.turn.take, LOOK_AGAIN):
            pass

    # ------------------------------------------------------------------------------------------------------- kernels

    async def _started(self, folder: Path) -> _Client:
        """A client of a new kernel.

        Raises:
            CourseError: none starts. That is this machine's fault: a kernel begins without any of a notebook's code.
        """
        for attempt in (1, 2):
            client = _Client(self.notebook, self.limits)
            client.all_output[False], client.outputs[False] = self.kept
            try:
                await self._start(client, folder)
                return client
            except Exception as error:  # none of the learner's code ran yet: a second try is fair
                await self._stop(client)
                if attempt == 2:
                    raise CourseError(
                        f"The notebook's kernel did not start ({type(error).__name__}: {error}). Are there memory and "
                        "room on the disk left?"
                    ) from error
        raise AssertionError("the second try returns or raises")

    def _life(self, notebooks: int) -> float:
        """Seconds that so many notebooks take at most, one after the other."""
        return notebooks * (2 * self.limits.start_seconds + self.limits.notebook_seconds)

    async def _start(self, client: _Client, folder: Path) -> None:
        seconds = self._life(2 if self.turn else 1)  # another notebook may run to its end meanwhile
        here = folder / "here"
        if here.exists():  # of a kernel that was lost; where kernels are isolated, each has its own disk
            remove_all(here)
        client.km = self.kernels.manager(folder, self.limits.resources, seconds)
        limit_messages(client.km.context)
        client.km.log = client.log
        client.extra_arguments = STAYS
        here.mkdir(exist_ok=True)
        environment = self.kernels.variables({MARK: self.mark})
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}  # outside the cells: the kernel's own log
        await client.async_start_new_kernel(cwd=str(here), env=environment, **quiet)
        client.km._close_control_socket()  # nobody reads it
        await client.async_start_new_kernel_client()
        self.kernels.watch_messages(*client.started())

    async def _replay(self, client: _Client, end: int, begin: int = 0) -> bool:
        """In a kernel that takes the place of a lost one: run what stands before cell ``end``; whether it lives.

        Args:
            begin: the cell to begin with.
        """
        for index, cell in enumerate(self.notebook.cells[:end]):
            if cell.cell_type != "code" or cell.id in self.left_out or index < begin:
                continue
            left = self._seconds_left()
            if left <= 0:
                return True  # the first cell that did not run yet says so
            client.timeout = math.ceil(left)
            try:
                await self._run_aside(client, index, in_its_place(cell) if _runs_aside(cell) else cell.source)
            except CellTimeoutError:  # where it took too long before, too, the kernel went on
                if self._seconds_left() <= 0:
                    return True
                if self.done.cells[cell.id].ended is Ended.TIMEOUT and await _freed(client):
                    continue
                return self._lost_again(client, cell, died=False)
            except DeadKernelError:
                return self._lost_again(client, cell, died=True)
            except Exception as error:
                if is_machine_fault(error):
                    raise
                return False
        return True

    def _lost_again(self, client: _Client, cell: NotebookNode, died: bool) -> bool:
        """Whether a replay lives that lost its kernel: it does not, but may without the learner's cell."""
        how = f"the kernel died in {title(cell)}" if died else f"{title(cell)} took too long"
        how = f"In another kernel, where it was run again, {how}; it was left out from then on."
        if not self._leave_out(client, cell, how):
            return False
        self.done.flags.append(f"{how} See whether points are deserved.")  # others may need what it did before
        raise _LostAgain

    def _ended_from_outside(self, client: _Client) -> str:
        """Why the notebook was ended while it ran, where it used more than it may; else empty.

        Raises:
            CourseError: it could not be watched.
        """
        if client.flood:
            return f"It printed more than {self.limits.all_output_bytes / 1e6:g} MB and was ended."
        return self.kernels.reason(client.km)

    async def _stop(self, client: _Client) -> None:
        """End the kernel and everything that it started, also what moved to a session of its own."""
        try:
            if client.kc is not None:
                client.kc.stop_channels()
            if client.km is not None and client.km.has_kernel:
                await client.km.shutdown_kernel(now=True)
            elif client.km is not None:  # none was started: the manager has sockets all the same
                await client.km.cleanup_resources()
        except Exception:  # a kernel that died in the middle of this is what we wanted
            pass
        finally:
            if not self.kernels.isolated:  # else all of it ended with its namespace
                _end_marked(self.mark)

    # --------------------------------------------------------------------------------------------------------- cells

    def _seconds_left(self) -> float:
        """For the next cell. The lesson's own first cells import TensorFlow, which a busy machine makes slow: they have
        the time of a start, and no learner's points end with it."""
        if self.deadline == math.inf:
            return self.limits.start_seconds + self.limits.cell_seconds
        return min(self.limits.cell_seconds, self.deadline - time.monotonic())

    def _start_clock(self, cell: NotebookNode) -> None:
        if self.deadline == math.inf and (has_learners_text(cell) or is_check(cell)):
            self.deadline = time.monotonic() + self.limits.notebook_seconds

    async def _run_cells(self, client: _Client, begin: int) -> int | None:
        """Run the cells from ``begin`` on; the number of the cell to go on with in another kernel, if there is one.

        It is where a check or a cell of the learner's lost the kernel. At the end it is the first check that waits:
        what an answer needs without end, or ends, must leave time and kernels for the others.
        """
        manager, asked = client.started()
        channel = Channel(asked, manager.is_alive)
        for index, cell in enumerate(self.notebook.cells):
            if cell.cell_type != "code" or index < begin:
                continue
            if self.judge and is_check(cell) and exercise(cell) in self.slow:
                self.waiting.append(index)
                continue
            record = self.done.cells[cell.id]
            instead = in_its_place(cell) if is_left_out(cell) else ""
            if is_left_out(cell) and not instead:
                record.ended = Ended.SKIPPED
                continue
            self._start_clock(cell)
            left = self._seconds_left()
            if left <= 0:
                seconds = self.limits.notebook_seconds
                self._say(f"The notebook did not finish in {seconds:g} s; later cells did not run.")
                return None
            client.timeout = math.ceil(left)
            try:
                if self.judge and is_check(cell):
                    goes_on = await self._ask(self.judge, client, cell, channel, left)
                    if not self.in_order and (not goes_on or self.done.cells[cell.id].ended is Ended.TIMEOUT):
                        self.slow.add(exercise(cell))
                    if not goes_on:
                        return index + 1
                elif is_left_out(cell):
                    record.ended = Ended.SKIPPED
                    await self._run_aside(client, index, instead)
                else:
                    await _run_cell(client, cell, index, record)
            except CourseError:  # about this machine, not about this submission
                raise
            except CellTimeoutError:
                if not await self._interrupted(client, cell, client.timeout):
                    how = f"{title(cell, 'The')} could not be stopped; the cells after it ran without it."
                    return index + 1 if self._leave_out(client, cell, how) else None
            except DeadKernelError:
                record.ended = Ended.DIED
                self.done.problem = f"The kernel died in {title(cell)}; the cells after it did not run."
                how = f"The kernel died in {title(cell)}; the cells after it ran without it."
                return index + 1 if self._leave_out(client, cell, how) else None
            except Exception as error:  # a broken message from the kernel; the learner's code may forge any
                if is_machine_fault(error):
                    raise
                record.ended = Ended.DIED
                self.done.problem = f"The kernel's answer to {title(cell)} made no sense ({type(error).__name__})."
                return None
        self.done.problem = self._told
        self.is_last = True
        return self.waiting[0] if self.waiting else None

    @property
    def _told(self) -> str:
        """What a report says of cells that were left out and of time, each thing once."""
        return " ".join(dict.fromkeys(self.said))

    def _leave_out(self, client: _Client, cell: NotebookNode, how: str) -> bool:
        """Leave a cell out that cost the kernel; whether it can be: where it is the lesson's own, others need it.

        Args:
            how: it did, as a sentence.
        """
        if client.flood or not has_learners_text(cell):
            return False
        self.left_out.add(cell.id)
        self.said.append(f"{self._ended_from_outside(client)} {how}".strip())
        return True

    async def _ask_waiting(self, client: _Client, begin: int) -> int | None:
        """Ask the checks that wait, from cell ``begin`` on, each where it stands; the next one, for another kernel."""
        if not self.judge:
            return None
        manager, asked = client.started()
        channel = Channel(asked, manager.is_alive)
        while self.waiting:
            index = self.waiting[0]
            if not await self._replay(client, index, begin):
                return None
            begin, cell, left = index, self.notebook.cells[index], self._seconds_left()
            if left <= 0:
                asked_last = sorted({f"`{exercise(self.notebook.cells[index])}`" for index in self.waiting})
                self.said.append(f"There was no time left for further checks of {listed(asked_last)}.")
                break
            del self.waiting[0]
            if not await self._ask(self.judge, client, cell, channel, left) and self.waiting:
                return self.waiting[0]
        self.done.problem = self._told
        return None

    def _say(self, sentence: str) -> None:
        self.said.append(sentence)
        self.done.problem = self._told

    async def _ask(self, judge: Judge, client: _Client, cell: NotebookNode, channel: Channel, left: float) -> bool:
        """Have a check judged, in ``left`` seconds, and note how it ended; whether the kernel can go on."""
        judged = await judge.judge(cell, channel, left)
        if judged.run.ended is Ended.TIMEOUT and left < self.limits.cell_seconds and self._seconds_left() < 1:
            where, seconds = title(cell, "The"), self.limits.notebook_seconds
            self._say(f"{where} had only what was left of the notebook's {seconds:g} s, which was not enough.")
            return True  # there is no more time, so no cell runs
        return await self._note(client, cell, judged)

    async def _note(self, client: _Client, cell: NotebookNode, judged: Judged) -> bool:
        """Note how a check ended; whether the kernel can go on with the next cell."""
        record = self.done.cells[cell.id] = judged.run
        if record.ended is not Ended.OK:
            shown = record.evalue.splitlines() or [record.ename]
            name = record.ename or "NoVerdict"
            cell.outputs.append(new_output("error", ename=name, evalue=record.evalue, traceback=shown))
        if judged.kernel is KernelState.BUSY and not await _freed(client):
            self.done.problem = (
                f"{title(cell, 'The')} did not finish in time and could not be stopped; no cell after it ran."
            )
            return False
        if judged.kernel is KernelState.GONE:
            self.done.problem = f"The kernel died in {title(cell)}; the cells after it did not run."
            return False
        return True

    async def _run_aside(self, client: _Client, index: int, source: str) -> None:
        """Run ``source`` in the place of a cell, which stays in the notebook as it is."""
        cell = self.notebook.cells[index]
        client.is_aside = True
        try:
            await client.async_execute_cell(nbformat.v4.new_code_cell(source, metadata=cell.metadata), index)
        finally:
            client.is_aside = False
            self.notebook.cells[index] = cell

    async def _interrupted(self, client: _Client, cell: NotebookNode, seconds: float) -> bool:
        """Interrupt a cell that took too long; whether the kernel can go on with the next one."""
        record = self.done.cells[cell.id]
        record.ended, record.ename = Ended.TIMEOUT, "CellTimeoutError"
        record.evalue = f"the cell did not finish in {seconds:g} s"
        cell.outputs.append(new_output("error", ename=record.ename, evalue=record.evalue, traceback=[record.evalue]))
        if await _freed(client):
            return True
        self.done.problem = (
            f"{title(cell, 'The')} did not finish in {seconds:g} s and could not be stopped; no cell after it ran."
        )
        return False


def _runs_aside(cell: NotebookNode) -> bool:
    """Whether something else runs where this cell stands: checks are judged outside, some cells are left out."""
    return is_check(cell) or is_left_out(cell)


async def _run_cell(client: _Client, cell: NotebookNode, index: int, record: CellRun) -> None:
    client.reply, start = {}, time.monotonic()
    try:
        await client.async_execute_cell(cell, index)
    finally:
        record.seconds = time.monotonic() - start
    if not cell.source.strip():
        record.ended = Ended.OK
        return
    status = client.reply.get("status")
    if status == "ok":
        record.ended = Ended.OK
    elif status == "error":
        record.ended = Ended.ERROR
        record.ename, record.evalue = (clean(client.reply.get(part), MAX_WORDS) for part in ("ename", "evalue"))
        record.origin = _origin(client.reply)
        _make_error_visible(cell, client.reply)


def _origin(reply: dict[str, Any]) -> Origin:
    """Of an error of a check that ran in the kernel: whose cell raised it. The kernel's word, and for words alone."""
    trace = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(map(str, reply.get("traceback") or []))[:MAX_ERROR])
    cells = set(re.findall(r"Cell In\s?\[(\d+)\]", trace))
    if not cells:
        return Origin.UNKNOWN
    return Origin.CHECK if cells == {str(reply.get("execution_count"))} else Origin.LEARNER


def _make_error_visible(cell: NotebookNode, reply: dict[str, Any]) -> None:
    """The reply knows of an error that the cell's outputs may not show (nbgrader would give full marks)."""
    if not any(output.output_type == "error" for output in cell.outputs):
        ename, evalue = (clean(reply.get(part), MAX_WORDS) for part in ("ename", "evalue"))
        cell.outputs.append(new_output("error", ename=ename, evalue=evalue, traceback=[f"{ename}: {evalue}"]))


async def _freed(client: _Client) -> bool:
    """Interrupt what the kernel does; whether that helped."""
    try:
        manager, asked = client.started()
        await client.end_reading()
        await manager.interrupt_kernel()
        await asked.wait_for_ready(timeout=5)
        return True
    except Exception:
        return False


def title(cell: NotebookNode, the: str = "the") -> str:
    """How a message names a cell: by its exercise or check, else by its first line."""
    if role(cell) in ("solution", "check", "hidden"):
        return f"{the} cell `{cell.id}`"
    if role(cell) == "try":
        return f"{the} try cell of `{cell.id.removesuffix('-try')}`"
    first = next((line.strip() for line in cell.source.splitlines() if line.strip()), "")
    return f"{the} cell that begins with `{clean(first[:60])}`"


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


def _environment(process: psutil.Process) -> dict[str, str]:
    try:
        return process.environ() if process.pid != os.getpid() else {}
    except (psutil.Error, OSError):
        return {}
