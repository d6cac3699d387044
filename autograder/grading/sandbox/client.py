"""A kernel client for kernels that a stranger's code runs in."""

from __future__ import annotations

import asyncio
import math
import time
from queue import Empty
from typing import Any

import zmq.asyncio
from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.channels import AsyncZMQSocketChannel
from traitlets import Type, default

MAX_MESSAGE = 24 << 20  # bytes: a check's largest value (16 MiB, as base64) fits; what is longer is not read
MAX_WAITING = 200  # messages that wait here; then the kernel waits


LOOK_AGAIN = 1.0  # seconds


class WakingChannel(AsyncZMQSocketChannel):
    """Looks at its socket again every second: a wait of pyzmq's is sometimes not woken before its end."""

    async def get_msg(  # type: ignore[override] # jupyter_client's own asynchronous channel has another type, too
        self, timeout: float | None = None
    ) -> dict[str, Any]:
        """The next message.

        Raises:
            Empty: there was none in ``timeout`` seconds.
        """
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            if await self.socket.poll(max(0, int(1000 * min(left, LOOK_AGAIN)))):
                return await self._recv()
            if left <= LOOK_AGAIN:
                raise Empty


class Client(AsyncKernelClient):
    """As jupyter_client's, with three differences: messages have a limit, a kernel that is ready is used at once, and
    no wait is longer than it has to be."""

    shell_channel_class = Type(WakingChannel)
    iopub_channel_class = Type(WakingChannel)

    @default("context")
    def _limited_context(self) -> zmq.asyncio.Context:
        context = zmq.asyncio.Context()
        context.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE)
        context.setsockopt(zmq.RCVHWM, MAX_WAITING)
        context.setsockopt(zmq.SNDTIMEO, 2000)  # after a message that was too long there is no connection
        self._created_context = True
        return context

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
