"""What answers a check's questions inside the learner's kernel.

Sent there as text, together with :mod:`.codec`, and run in a namespace of its own. Everything that it says is a
stranger's word: the learner's code can change it. It can only lie about the learner's own values.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:

    class Codec(Protocol):
        """The module :mod:`.codec`, which has another name in the learner's kernel."""

        def decode(self, text: str) -> Any: ...
        def encode(self, value: object) -> str: ...
        def encode_or_say(self, value: object) -> str: ...
        def joined(self, *texts: str) -> str: ...


class Answer:
    """A text that IPython takes as it stands, whatever the notebook has made of how values are shown."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.text}


def answer(codec: Codec, nonce: str, question: str, names: dict[str, Any]) -> Answer:
    """Answer one question; never raises.

    Args:
        codec: the codec as a module.
        nonce: returned in front of the answer, so that it is known to belong to this question.
        question: the text of ``("look", [name, ...])`` or ``("call", name, args, kwargs)``.
        names: the notebook's namespace.

    Returns:
        base64 of the nonce, a line end, and the text of the answer: ``("found", (found, ...))``, where found is
        ``(name, "missing")``, ``(name, "callable")`` or ``(name, "value", value)``; ``("returned", value)``;
        ``("raised", error)``.
    """
    try:
        text = _answer(codec, codec.decode(question), names)
    except BaseException as error:  # of the learner's function, of whatever class, SystemExit too
        text = _raised(codec, error)
    return Answer(base64.b64encode(f"{nonce}\n{text}".encode()).decode())


def _answer(codec: Codec, question: Any, names: dict[str, Any]) -> str:
    if question[0] == "look":
        found = [_look(codec, name, names) for name in question[1]]
        return codec.joined('"found"', codec.joined(*found))
    _, name, args, kwargs = question
    with _without_loop():
        value = names[name](*args, **kwargs)
    return codec.joined('"returned"', codec.encode_or_say(value))


@contextlib.contextmanager
def _without_loop() -> Iterator[None]:
    """No event loop runs, as in the thread in which a notebook's own check calls: ``asyncio.run`` starts one."""
    loop = asyncio._get_running_loop()
    if loop is None:
        yield
        return
    asyncio._set_running_loop(None)
    asyncio.set_event_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)
        asyncio.set_event_loop(loop)


def _look(codec: Codec, name: str, names: dict[str, Any]) -> str:
    if name not in names:
        return codec.encode((name, "missing"))
    if callable(names[name]):
        return codec.encode((name, "callable"))
    return codec.joined(codec.encode(name), '"value"', codec.encode_or_say(names[name]))


def _raised(codec: Codec, error: BaseException) -> str:
    try:
        return codec.encode(("raised", error))
    except BaseException:  # an error that fights back: that there was one must do
        return codec.encode(("raised", RuntimeError("an error that cannot be shown")))
