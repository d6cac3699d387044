"""The channel to a learner's kernel: one question, one answer, both text.

A question is one silent ``execute_request`` without code: its only work is a user expression, which no input
transformer, hook or history sees. Whatever comes back is a stranger's word. Everything that can go wrong with it is a
:class:`ChannelFailure` with a sentence, never another exception. The answer is not read here: the checker does that.
"""

from __future__ import annotations

import base64
import binascii
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client.asynchronous import AsyncKernelClient

from ...errors import CourseError, is_machine_fault
from ..messages import read_message
from ..text import clean
from .codec import MAX_TEXT

MAX_REPLY = 2 * MAX_TEXT  # bytes of a message from the kernel, as they arrive
MAX_PRINTED = 64 * 2**20  # bytes that may be printed while a question is answered
SEND_MILLISECONDS = 2000
STEP = 0.25  # seconds between two looks at the kernel's process
ANSWER = re.compile(r"([A-Za-z0-9+/]*={0,2})")


class ChannelFailure(Exception):
    """No answer. ``kind`` is "died", "timeout" or "nonsense"; the message is a sentence for the learner."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


DIED = "The kernel ended while it ran your function. Did your code exit, or run out of memory?"
NONSENSE = (
    "Your notebook's kernel gave an answer that makes no sense ({}). Does your code change Python's or Jupyter's "
    "own functions?"
)
FAULT = "The grader could not ask a notebook's kernel ({}). Are there memory, room on the disk and open files left?"


@lru_cache(maxsize=1)
def _sources() -> tuple[str, ...]:
    folder = Path(__file__).parent
    return tuple((folder / name).read_text(encoding="utf-8") for name in ("codec.py", "in_kernel.py"))


# The modules are made once in each kernel. A notebook may call anything ``type`` or ``exec``: of names there are none
# here but the expression's own parameters, and what Python has is taken from a function's builtins.
EXPRESSION = (
    "(lambda s, run, names: ((lambda m: m.answer(m.codec, {nonce!r}, {question!r}, names))"
    "(s.modules.get({module!r}) or (lambda c, m: (run({codec!r}, c.__dict__), run({code!r}, m.__dict__), "
    "m.__dict__.__setitem__('codec', c), "
    "s.modules.__setitem__({module!r}, m), m)[-1])(s.__class__('course_codec'), s.__class__({module!r})))))"
    "(*(lambda f: (f.__builtins__['__import__']('sys'), f.__builtins__['exec'], f.__globals__))(lambda: 0))"
)


def expression(nonce: str, question: str) -> str:
    """What the kernel evaluates to answer a question."""
    codec, code = _sources()
    return EXPRESSION.format(nonce=nonce, question=question, module="course_answers", codec=codec, code=code)


class Channel:
    """Asks a running kernel.

    Args:
        client: an asynchronous kernel client whose channels are started, and which nobody else reads meanwhile.
        alive: an async function that says whether the kernel's process lives.
    """

    def __init__(self, client: AsyncKernelClient, alive: Callable[[], Awaitable[bool]]) -> None:
        self.client, self.alive = client, alive

    async def ask(self, question: str, deadline: float, code: str = "") -> str:
        """The text of the kernel's answer.

        Args:
            question: an encoded question (:mod:`.in_kernel` lists them).
            deadline: of :func:`time.monotonic`.
            code: statements to run in the notebook first; where they fail, the question is asked without.

        Raises:
            ChannelFailure: there is none.
            CourseError: this machine has no memory, room or open files left, or cannot say whether the kernel lives.
        """
        try:
            content = await self._reply(question, deadline, code)
            if code and content[1].get("status") != "ok":
                content = await self._reply(question, deadline, "")
            return _answer(*content)
        except (ChannelFailure, CourseError):
            raise
        except Exception as error:  # jupyter_client on a message that is no message: any class may come
            if is_machine_fault(error):
                raise CourseError(FAULT.format(f"{type(error).__name__}: {error}")) from error
            raise ChannelFailure("nonsense", NONSENSE.format(type(error).__name__)) from None

    async def _reply(self, question: str, deadline: float, code: str) -> tuple[str, dict[str, Any]]:
        nonce = secrets.token_hex(16)
        sent = self.client.execute(
            code,
            silent=True,
            store_history=False,
            user_expressions={"answer": expression(nonce, question)},
            allow_stdin=False,
            stop_on_error=False,
        )
        return nonce, await self._wait(sent, deadline)

    async def _wait(self, sent: str, deadline: float) -> dict[str, Any]:
        """The content of the reply to the message ``sent``; what else arrives is dropped unread."""
        shell, printed = self.client.shell_channel.socket, self.client.iopub_channel.socket
        poller = zmq.asyncio.Poller()
        poller.register(shell, zmq.POLLIN)
        poller.register(printed, zmq.POLLIN)
        total, unasked, looked = 0, 0, time.monotonic()
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise ChannelFailure("timeout", "Your function did not return in the time that a check has")
            ready = dict(await poller.poll(int(1000 * min(left, STEP)) + 1))
            if printed in ready:
                total += sum(map(len, await _received(printed)))
                if total > MAX_PRINTED:
                    raise ChannelFailure("timeout", f"Your function printed over {MAX_PRINTED >> 20} MiB")
            if shell in ready:
                frames = await _received(shell)
                content = self._content(frames, sent) if frames else None
                if content is not None:
                    return content
                unasked += sum(map(len, frames))
                if unasked > MAX_PRINTED:
                    raise ChannelFailure("nonsense", NONSENSE.format("it is many"))
            if time.monotonic() - looked > STEP or not ready:
                looked = time.monotonic()
                if not await self._is_alive() and not await shell.poll(STEP * 1000):
                    raise ChannelFailure("died", DIED)

    async def _is_alive(self) -> bool:
        try:
            return await self.alive()
        except Exception as error:  # no word of the kernel's is in it
            raise CourseError(FAULT.format(f"{type(error).__name__}: {error}")) from error

    def _content(self, frames: list[bytes], sent: str) -> dict[str, Any] | None:
        """The content of a reply to ``sent``; None for any other message."""
        if sum(map(len, frames)) > MAX_REPLY:
            raise ChannelFailure("nonsense", NONSENSE.format("it is too long"))
        message = read_message(self.client.session, frames, wanted=sent)
        if message is None:  # of an earlier question, or forged
            return None
        content = message["content"]
        if message["msg_type"] != "execute_reply" or type(content) is not dict:  # nor one that is not read
            raise ChannelFailure("nonsense", NONSENSE.format("no reply"))
        return content


async def _received(socket: zmq.asyncio.Socket) -> list[bytes]:
    """The message that is there; none where another reader took it: to wait for the next has no end."""
    try:
        return list(await socket.recv_multipart(zmq.NOBLOCK))
    except zmq.Again:
        return []


def _answer(nonce: str, content: dict[str, Any]) -> str:
    told = content.get("user_expressions", {}).get("answer", {})
    if content.get("status") == "aborted":
        raise ChannelFailure("nonsense", NONSENSE.format("the request was aborted"))
    if type(told) is not dict or told.get("status") != "ok":
        name = told.get("ename", "") if type(told) is dict else ""
        raise ChannelFailure("nonsense", NONSENSE.format(clean(name, 40) or "nothing was answered"))
    text = told["data"]["text/plain"]
    found = ANSWER.fullmatch(text) if type(text) is str else None
    if found is None:
        raise ChannelFailure("nonsense", NONSENSE.format("it is no answer"))
    try:
        said, _, answer = base64.b64decode(found[1], validate=True).decode("ascii").partition("\n")
    except (binascii.Error, UnicodeDecodeError):
        raise ChannelFailure("nonsense", NONSENSE.format("it is no text")) from None
    if not secrets.compare_digest(said, nonce):
        raise ChannelFailure("nonsense", NONSENSE.format("it belongs to another question"))
    return answer


def limit_messages(context: zmq.Context[Any]) -> None:
    """No message over :data:`MAX_REPLY` bytes is taken from sockets made from ``context`` after this call.

    A longer one ends the connection for good, and a send without a connection would wait for ever.
    """
    context.setsockopt(zmq.MAXMSGSIZE, MAX_REPLY)
    context.setsockopt(zmq.SNDTIMEO, SEND_MILLISECONDS)
