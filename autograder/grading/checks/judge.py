"""Checks outside the learner's kernel: stands between a checker and the kernel that it asks.

A check is judged where it stands in the notebook, while the kernel waits. No verdict, no points: only a checker's word
that the check ran to its end, in a talk in which every question was answered, is a pass.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import sys
import time
from dataclasses import dataclass

from nbformat import NotebookNode

from ...errors import CourseError
from ...python_code import free_names, imports_of, parse
from ..sandbox import Checker, Kernels
from ..text import clean
from .channel import NONSENSE, Channel, ChannelFailure
from .codec import MAX_TEXT
from .drawn import NAMES, material, without_line

START_SECONDS = 120.0
CRASHED = (
    "The check's own process ended ({}) while it worked with what your function returned. Does it make TensorFlow "
    "crash, or need very much memory?"
)
BROKEN = "This check could not be run: {}. This is the lesson's fault, not yours."

ORIGINS = ("learner", "value", "check")


@dataclass
class Outcome:
    """How a check ended: ``status`` is "ok", "error", "timeout" or "no verdict"; and whether the kernel still serves.

    ``kernel`` is "ready", "busy" (it did not return from a question) or "gone". ``origin`` says who raised the error,
    which its name does not, since learners choose names: "learner", "value" (what the learner's function returned
    cannot be used), "check" (the check's own code) or "" (there is none).
    """

    status: str
    ename: str = ""
    evalue: str = ""
    kernel: str = "ready"
    seconds: float = 0.0
    origin: str = ""


# ----------------------------------------------------------------------------------------------------------- judging


class Judge:
    """Judges the checks of one submission, one after the other.

    Args:
        notebook: the clean notebook; its first cell says what a checker has to prepare.
        kernels: where to get a checker from.
        seed: the learner's, from which checks draw; the same for every run of one submission.
        solution: the instructor's notebook, for checks that compare with the reference; it goes to the checker alone.
    """

    def __init__(
        self, notebook: NotebookNode, kernels: Kernels, seed: int = 0, solution: NotebookNode | None = None
    ) -> None:
        self.kernels, self.seed, self.solution = kernels, seed, solution
        self.preparation = preparation(notebook)
        self.checker: Checker | None = None

    async def judge(self, cell: NotebookNode, channel: Channel, seconds: float) -> Outcome:
        """Run one check; never raises for what the learner's kernel, values or graphs do.

        Raises:
            CourseError: no checker can be started on this machine.
        """
        for attempt in (1, 2):
            await self._ready()
            start = time.monotonic()
            try:
                outcome = await self._judge(cell, channel, start + seconds)
            except (OSError, EOFError, ValueError) as error:  # the checker itself: it ended, or was ended
                how = await self._end(ask=True)
                if attempt == 1 and not how:
                    continue  # not by itself: it went down with the template, for which nobody here is to blame
                outcome = Outcome("no verdict", evalue=CRASHED.format(how or type(error).__name__))
            outcome.seconds = time.monotonic() - start
            break
        return outcome

    async def _ready(self) -> None:
        """Have a checker, prepared as the lesson's first cell would.

        Raises:
            CourseError: none can be started on this machine.
        """
        for attempt in (1, 2):  # the template may just have been killed, by a system short of memory
            if self.checker is not None:
                return
            try:
                self.checker = await asyncio.to_thread(self.kernels.checker)
                await self._send(self.preparation)
                await self._receive(time.monotonic() + START_SECONDS)
            except (OSError, EOFError, RuntimeError) as error:
                await self._end()
                if attempt == 2:
                    raise CourseError(
                        f"The process that runs the checks could not be started ({error}). Is there memory left? "
                        f"Does `{sys.executable} -c 'import tensorflow'` work?"
                    ) from None

    async def _judge(self, cell: NotebookNode, channel: Channel, deadline: float) -> Outcome:
        drawn = material(cell, self.solution, self.seed)
        source = without_line(cell.source) if drawn else cell.source
        try:
            names = sorted(free_names(source) - (NAMES if drawn else set()))
            code = imports_of(cell.source) if cell.metadata.course.role == "check" else ""
        except SyntaxError:  # the checker will say so
            names, code = [], ""
        await self._send({"check": source, "names": names, "drawn": drawn})
        while True:
            try:
                frame = await self._receive(deadline)
            except TimeoutError:
                await self._end()
                said = "the check did not finish; a graph that your function returned may wait without end"
                return Outcome("timeout", "CellTimeoutError", said)
            if type(frame.get("verdict")) is dict:
                return _outcome(frame["verdict"])
            question = frame.get("ask")
            if type(question) is not str or len(question) > MAX_TEXT:
                await self._end()
                return Outcome("no verdict", evalue=_nonsense_of_checker(frame))
            try:
                answer = await channel.ask(question, deadline, code)
            except ChannelFailure as failure:
                await self._end()  # the check is not over, and never will be
                return _failed(failure)
            code = ""
            await self._send({"answer": answer})

    async def _send(self, content: dict) -> None:
        await asyncio.to_thread(self.checker.send, content)

    async def _receive(self, deadline: float) -> dict:
        waiting = asyncio.create_task(asyncio.to_thread(self.checker.receive))
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
        """End this submission's checker."""
        await self._end()


def _nonsense_of_checker(frame: dict) -> str:
    return NONSENSE.format("it is no value") if frame.get("nonsense") is True else CRASHED.format("it lost its way")


def _failed(failure: ChannelFailure) -> Outcome:
    if failure.kind == "timeout":
        return Outcome("timeout", "CellTimeoutError", str(failure), "busy")
    return Outcome("no verdict", evalue=str(failure), kernel="gone" if failure.kind == "died" else "ready")


def _outcome(verdict: dict) -> Outcome:
    if verdict.get("passed") is True:
        return Outcome("ok")
    ename, evalue, kind = clean(verdict.get("ename")), clean(verdict.get("evalue")), verdict.get("kind")
    if kind == "lesson":
        return Outcome("no verdict", evalue=BROKEN.format(evalue))
    if kind == "nonsense":
        return Outcome("no verdict", evalue=NONSENSE.format("it is of no kind that was asked for"))
    return Outcome("error", ename[:200], evalue, origin=kind if kind in ORIGINS else "check")


def preparation(notebook: NotebookNode) -> dict[str, int]:
    """Logical CPU devices and seed that the lesson's first cell asks for; zeros where it has none."""
    values = {"DEVICES": 0, "SEED": 0}
    for cell in notebook.cells:
        if cell.id == "shared-quiet_start":
            values["DEVICES"] = 1
            for node in parse(cell.source).body:
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                    values |= {target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)}
    return {"devices": values["DEVICES"], "seed": values["SEED"]}
