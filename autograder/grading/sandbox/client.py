"""A kernel client for kernels that a stranger's code runs in."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
import time
from pathlib import Path
from queue import Empty
from typing import Any

import zmq.asyncio
from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.channels import AsyncZMQSocketChannel
from traitlets import Type, default

from ...python_code import parse
from ..messages import read_message
from .inside.cells import marked

MAX_MESSAGE = 24 << 20  # bytes: a check's largest value (16 MiB, as base64) fits; what is longer is not read
MAX_REPLIES = 100 << 20  # bytes that a kernel may send to where it answers, but for answers of checks
MAX_SHOWN = 250 << 20  # the same for what it shows; of that nbclient counts only what the running cell does
HEADING = 2000  # bytes that every message has about itself, which do not count
MAX_WAITING = 200  # messages of a channel that wait here; with few, a cell's many outputs get lost on their way
LOOK_AGAIN = 1.0  # seconds
THREADS = Path("/proc/self/task")

_numbers = itertools.count(1)


class WakingChannel(AsyncZMQSocketChannel):
    """Looks at its socket again every second: a wait of pyzmq's is sometimes not woken before its end. What would take
    long to read is :class:`autograder.grading.messages.Unread`. All that comes is counted."""

    most, received = MAX_SHOWN, 0  # bytes

    async def _recv(self, **options: Any) -> dict[str, Any]:  # type: ignore[override] # as get_msg
        frames: list[bytes] = await self.socket.recv_multipart(**options)
        self.received += max(0, sum(map(len, frames)) - HEADING)
        if self.received > self.most:
            raise ValueError("the kernel sent far too much")
        message = read_message(self.session, frames)
        assert message is not None  # any is wanted
        return message

    async def get_msg(  # type: ignore[override] # jupyter_client's own asynchronous channel has another type, too
        self, timeout: float | None = None
    ) -> dict[str, Any]:
        """The next message.

        Raises:
            Empty: there was none in ``timeout`` seconds. Where that is no time at all none is looked for: whoever
                waits for a certain message until a deadline would else go on for as long as others come.
        """
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        if timeout is not None and timeout <= 0:
            raise Empty
        while True:
            left = deadline - time.monotonic()
            if await self.socket.poll(max(0, int(1000 * min(left, LOOK_AGAIN)))):
                with contextlib.suppress(zmq.Again):  # another reader of this socket took it
                    return await self._recv(flags=zmq.NOBLOCK)
            if left <= LOOK_AGAIN:
                raise Empty


class ReplyChannel(WakingChannel):
    """Where a kernel answers, which it does once for each cell."""

    most = MAX_REPLIES


class Client(AsyncKernelClient):
    """As jupyter_client's, with five differences: messages have limits, there are only channels that are read, a
    kernel that is ready is used at once, no wait is longer than it has to be, and with ``as_read`` the kernel is told
    which texts are Python."""

    as_read = False
    shell_channel_class = Type(ReplyChannel)
    iopub_channel_class = Type(WakingChannel)

    @default("context")
    def _limited_context(self) -> zmq.asyncio.Context:
        context = zmq.asyncio.Context()
        context.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE)
        context.setsockopt(zmq.RCVHWM, MAX_WAITING)
        context.setsockopt(zmq.SNDTIMEO, 2000)  # after a message that was too long there is no connection
        self._number = next(_numbers)
        context.set(zmq.THREAD_NAME_PREFIX, self._number)
        self._created_context = True
        return context

    def start_channels(
        self, shell: bool = True, iopub: bool = True, stdin: bool = True, hb: bool = True, control: bool = True
    ) -> None:
        """Those that are read: what a kernel sends to a socket that nobody reads would pile up here."""
        super().start_channels(shell, iopub, stdin=False, hb=False, control=False)

    def execute(self, code: str, *args: Any, **kwargs: Any) -> Any:
        return super().execute(marked(code, parse) if self.as_read else code, *args, **kwargs)

    def receiving_thread(self) -> Path | None:
        """The folder, under /proc, of the thread of this process that takes this kernel's messages in."""
        for thread in THREADS.iterdir():
            with contextlib.suppress(OSError):  # another one that has just ended
                if (thread / "comm").read_text().startswith(f"{self._number}/ZMQbg/IO"):
                    return thread
        return None

    def stop_channels(self) -> None:
        for channel in (self._shell_channel, self._iopub_channel):
            if channel is not None:
                channel.stop()
        if self._created_context and not self.context.closed:
            self.context.destroy(linger=100)

    async def _async_wait_for_ready(self, timeout: float | None = None) -> None:
        """Wait for the idle status of an answered question: then both channels are connected.

        jupyter_client listens for another 0.2 s to whatever else may come.
        """
        deadline = time.monotonic() + (timeout or 60)
        while time.monotonic() < deadline:
            asked = self.kernel_info()
            try:
                reply = await self._until(self.shell_channel, asked, "kernel_info_reply", 1.0)
                await self._until(self.iopub_channel, asked, "status", 0.5)
            except Empty:
                if not await self._async_is_alive():
                    raise RuntimeError("The kernel ended before it was ready.") from None
                continue
            self._handle_kernel_info_reply(reply)
            return
        raise RuntimeError(f"The kernel did not answer in {timeout:g} s.")

    wait_for_ready = _async_wait_for_ready

    async def _until(self, channel: WakingChannel, asked: str, kind: str, seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while True:
            message = await channel.get_msg(timeout=max(0.0, deadline - time.monotonic()))
            mine = message["parent_header"].get("msg_id") == asked and message["msg_type"] == kind
            if mine and (kind != "status" or message["content"].get("execution_state") == "idle"):
                return message
            await asyncio.sleep(0)
