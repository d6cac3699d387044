"""Checks outside the learner's kernel: stands between a checker and the kernel that it asks.

A check is judged where it stands in the notebook, while the kernel waits. No verdict, no points: only a checker's word
that the check ran to its end, in a talk in which every question was answered, is a pass.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from nbformat import NotebookNode

from ...errors import CourseError, is_machine_fault
from ...python_code import free_names, imports_where_missing
from ..cells import CellRun, Ended, Origin, exercise, role
from ..given import definitions
from ..sandbox import Checker, Kernels
from ..text import clean
from .channel import NONSENSE, Channel, ChannelFailure
from .codec import MAX_TEXT
from .drawn import NAMES, material, without_line
from .told import BROUGHT

START_SECONDS = 120.0
CRASHED = (
    "The check's own process ended ({}) while it worked with what your function returned. Does it make TensorFlow "
    "crash, or need very much memory?"
)
BROKEN = "This check could not be run: {}. This is the lesson's fault, not yours."

ORIGINS = tuple(Origin)[1:]
KILLED = "signal 9"  # a system that is short of memory does that; the watchdog, which may, has other words
NOBODYS = ("", KILLED)  # without words a checker went down with the template: then the learner is not to blame


class KernelState(StrEnum):
    """Of the learner's kernel, after a check has asked it."""

    READY = "ready"
    BUSY = "busy"  # it did not return from a question
    GONE = "gone"


@dataclass
class Judged:
    """How a check ended, and whether the learner's kernel still serves."""

    run: CellRun
    kernel: KernelState = KernelState.READY


# ----------------------------------------------------------------------------------------------------------- judging


class Judge:
    """Judges the checks of one submission, one after the other.

    Args:
        notebook: the clean notebook; its metadata say what a checker has to prepare (logical devices, seed).
        kernels: where to get a checker from.
        seed: the learner's, from which checks draw; the same for every run of one submission.
        solution: the instructor's notebook, for checks that compare with the reference; it goes to the checker alone.
        seconds: how long the submission may take in all, its waiting included.
    """

    def __init__(
        self,
        notebook: NotebookNode,
        kernels: Kernels,
        seed: int = 0,
        solution: NotebookNode | None = None,
        seconds: float = 0,
    ) -> None:
        self.kernels, self.seed, self.solution, self.seconds = kernels, seed, solution, seconds
        about = notebook.metadata.get("course", {})
        self.preparation = {"devices": about.get("devices", 0), "seed": about.get("seed", 0)}
        self.given = {cell.id: definitions(cell) for cell in notebook.cells}
        self.checker: Checker | None = None
        self._begun: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start the checker while the kernel starts; where that fails, the first check tries again and says so."""
        self._begun = asyncio.create_task(self._start())

    async def judge(self, cell: NotebookNode, channel: Channel, seconds: float) -> Judged:
        """Run one check; never raises for what the learner's kernel, values or graphs do.

        Raises:
            CourseError: no checker can be started on this machine.
            OSError, RuntimeError: this machine has no memory, open files or threads left.
        """
        for attempt in (1, 2):
            await self._ready()
            start = time.monotonic()
            try:
                judged = await self._judge(cell, channel, start + seconds)
            except (OSError, EOFError, ValueError) as error:  # the checker itself: it ended, or was ended
                if is_machine_fault(error):  # or could not be asked
                    raise
                how = await self._end(ask=True)
                if attempt == 1 and how in NOBODYS:
                    continue
                if how == KILLED:
                    raise CourseError(
                        "The process that runs checks was killed twice, not by the grader. Is this machine short of "
                        "memory? Try with fewer --workers."
                    ) from None
                judged = _no_verdict(CRASHED.format(how or type(error).__name__))
            judged.run.seconds = time.monotonic() - start
            break
        return judged

    async def _ready(self) -> None:
        """Have a checker, prepared as the lesson's first cell would.

        Raises:
            CourseError: none can be started on this machine.
        """
        await self._wait_for_begun()
        await self._start()

    async def _wait_for_begun(self) -> None:
        begun, self._begun = self._begun, None
        if begun is not None:
            with contextlib.suppress(CourseError):
                await begun

    async def _start(self) -> None:
        for attempt in (1, 2):  # the template may just have been killed, by a system short of memory
            if self.checker is not None:
                return
            try:
                self.checker = await asyncio.to_thread(self.kernels.checker, self.seconds)
                await self._send(self.preparation)
                await self._receive(time.monotonic() + START_SECONDS)
            except (OSError, EOFError, RuntimeError) as error:
                await self._end()
                if attempt == 2:
                    raise CourseError(
                        f"The process that runs the checks could not be started ({error}). Is there memory left? "
                        f"Does `{sys.executable} -c 'import tensorflow'` work?"
                    ) from None

    async def _judge(self, cell: NotebookNode, channel: Channel, deadline: float) -> Judged:
        drawn = material(cell, self.solution, self.seed)
        source = without_line(cell.source) if drawn else cell.source
        try:
            names = sorted(free_names(source) - BROUGHT - (NAMES if drawn else set()))
            imports = imports_where_missing(cell.source) if role(cell) == "check" else ""
        except SyntaxError:  # the checker will say so
            names, imports = [], ""
        given = self.given.get(exercise(cell), "")
        await self._send({"check": source, "names": names, "drawn": drawn})
        while True:
            try:
                frame = await self._receive(deadline)
            except TimeoutError:
                await self._end()
                said = "the check did not finish; a graph that your function returned may wait without end"
                return Judged(CellRun(Ended.TIMEOUT, "CellTimeoutError", said))
            if type(frame.get("verdict")) is dict:
                return _judged(frame["verdict"])
            question = frame.get("ask")
            if type(question) is not str or len(question) > MAX_TEXT:
                await self._end()
                return _no_verdict(_nonsense_of_checker(frame))
            try:
                answer = await channel.ask(question, deadline, f"{imports}\n{given}".strip())
            except ChannelFailure as failure:
                await self._end()  # the check is not over, and never will be
                return _failed(failure)
            imports = ""
            await self._send({"answer": answer})

    def _running(self) -> Checker:
        if self.checker is None:
            raise EOFError("it was ended")
        return self.checker

    async def _send(self, content: dict[str, Any]) -> None:
        await asyncio.to_thread(self._running().send, content)

    async def _receive(self, deadline: float) -> dict[str, Any]:
        waiting = asyncio.create_task(asyncio.to_thread(self._running().receive))
        done, _ = await asyncio.wait([waiting], timeout=max(0.0, deadline - time.monotonic()))
        if not done:
            await self._end()  # which also ends the thread's waiting
            with contextlib.suppress(Exception):
                await waiting
            raise TimeoutError
        return waiting.result()

    async def _end(self, ask: bool = False) -> str:
        checker, self.checker = self.checker, None
        return await asyncio.to_thread(checker.end, ask) if checker else ""

    async def close(self) -> None:
        """End this submission's checker, however its start went."""
        try:
            await self._wait_for_begun()
        finally:
            await self._end()


def _nonsense_of_checker(frame: dict[str, Any]) -> str:
    return NONSENSE.format("it is no value") if frame.get("nonsense") is True else CRASHED.format("it lost its way")


def _no_verdict(reason: str, kernel: KernelState = KernelState.READY) -> Judged:
    return Judged(CellRun(Ended.NO_VERDICT, evalue=clean(reason)), kernel)


def _failed(failure: ChannelFailure) -> Judged:
    if failure.kind == "timeout":
        return Judged(CellRun(Ended.TIMEOUT, "CellTimeoutError", clean(str(failure))), KernelState.BUSY)
    return _no_verdict(str(failure), KernelState.GONE if failure.kind == "died" else KernelState.READY)


def _judged(verdict: dict[str, Any]) -> Judged:
    if verdict.get("passed") is True:
        return Judged(CellRun(Ended.OK))
    ename, evalue, kind = clean(verdict.get("ename")), clean(verdict.get("evalue")), verdict.get("kind")
    if kind == "lesson":  # a person sees to it, see `verdict`
        return Judged(CellRun(Ended.NO_VERDICT, evalue=BROKEN.format(evalue), origin=Origin.CHECK))
    if kind == "nonsense":
        return _no_verdict(NONSENSE.format("it is of no kind that was asked for"))
    origin = Origin(kind) if kind in ORIGINS else Origin.CHECK
    return Judged(CellRun(Ended.ERROR, ename[:200], evalue, origin=origin))
