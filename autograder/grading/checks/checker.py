"""The checker: a process of its own that runs check cells. It is neither the learner's kernel nor the grader.

    python -m autograder.grading.checks.checker PARENT     for one submission, over stdin and stdout; ends with PARENT

A check's free names are stand-ins here: calling one asks the grader, which asks the learner's kernel; values travel by
:mod:`.codec`. Graphs that learners build are run here by TensorFlow, so this process may be brought down, or kept
busy, by one: the grader starts it behind the same walls as a submission (:mod:`.sandbox`), ends it and starts another.
It gets no path, no gradebook and no other submission; only the text of the checks that it is to run and, for those
that compare with it, of the reference solution, which the learner's kernel never gets.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any

from .graphs import RefusedGraph, guard_imports
from .reference import BrokenReference, given
from .told import Told, written

if TYPE_CHECKING:
    from .codec import Unreadable

MAX_FRAME = 48 * 2**20
M_PERTURB = -6  # of glibc's mallopt: fills memory with a byte when it is freed, with its complement when it is given
MAX_WORDS = 20_000  # characters of an error's message
QUIET = {
    "TF_CPP_MIN_LOG_LEVEL": "2",
    "CUDA_VISIBLE_DEVICES": "-1",
    "MPLBACKEND": "agg",
    "PYTHONHASHSEED": "0",
}


class Stream:
    """Frames of JSON over a pair of files: four bytes of length, then the text."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self.reader, self.writer = reader, writer

    def send(self, content: dict[str, Any]) -> None:
        data = json.dumps(content).encode("ascii")
        self.writer.write(struct.pack(">I", len(data)) + data)
        self.writer.flush()

    def receive(self) -> dict[str, Any]:
        """The next frame.

        Raises:
            EOFError: the other side has ended, or sends what is no frame.
        """
        (length,) = struct.unpack(">I", self._exactly(4))
        if length > MAX_FRAME:
            raise EOFError("a frame that is too long")
        try:
            content = json.loads(self._exactly(length))
        except (ValueError, RecursionError):
            raise EOFError("a frame that is no JSON") from None
        if type(content) is not dict:
            raise EOFError("a frame that is no object")
        return content

    def _exactly(self, length: int) -> bytes:
        data = self.reader.read(length)
        if data is None or len(data) != length:
            raise EOFError
        return data

    def close(self) -> None:
        for file in (self.reader, self.writer):
            with contextlib.suppress(OSError):
                file.close()


# ----------------------------------------------------------------------------------------------- running one check


class NoAnswer(BaseException):
    """The grader has no answer to a question; no ``except Exception`` of a check may swallow it."""


def serve(stream: Stream) -> None:
    """Run checks until the grader closes the stream."""
    give_empty_memory()
    while True:
        try:
            request = stream.receive()
        except EOFError:
            return
        if "devices" in request:
            prepare(request["devices"], request["seed"])
            stream.send({"ready": True})
        else:
            if "tensorflow" in request["check"]:  # of a lesson that does not begin with it
                load()
            stream.send({"verdict": run_check(request["check"], request["names"], stream, request.get("drawn"))})


def give_empty_memory() -> None:
    """From now on memory that the C library gives to this process holds no text of before: it is zero, or full of 255
    with the library's own addresses. Only small pieces that a thread has freed itself come back to it as they were;
    tensors, which are aligned, get none of these.

    Some ops of TensorFlow show memory that they have not written, where what was freed before would be: the texts of
    hidden checks and of the reference. A learner's graph could quote it in an error. (TensorFlow keeps large
    tensors for itself; where they were are numbers, no texts.)
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # another library than glibc
            ctypes.CDLL(None).mallopt(M_PERTURB, 0xFF)


def prepare(devices: int, seed: int) -> None:
    """As the lesson's first cell does: logical CPU devices and seeds, before any op has run; nothing for no devices."""
    import random

    if not devices:
        return
    load()
    import numpy as np
    import tensorflow as tf

    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * devices)
    random.seed(seed), np.random.seed(seed), tf.random.set_seed(seed)


def run_check(source: str, names: list[str], stream: Stream, drawn: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run a check's text; how it ended.

    Args:
        source: the check.
        names: those that it uses and does not define.
        drawn: what :func:`.reference.given` needs, for a check that draws or compares with the reference.

    Returns:
        ``{"passed": True}``, or with the class and message of what was raised also who raised it. ``kind`` says that,
        since names of classes are the learner's to choose: "learner" (a function of the learner's), "value" (what it
        returned cannot be used in a check), "check" (the check's own code), "lesson" (the check asks what cannot be
        asked, or its reference fails) or "nonsense" (an answer that no honest kernel gives).
    """
    talk = Talk(stream)
    try:
        namespace = {"__name__": "__main__", "__builtins__": __builtins__, "Told": Told, "written": written}
        namespace |= talk.stand_ins(names)
        if drawn:
            if any("tensorflow" in text for text in drawn["cells"]):
                load()
            namespace["draw"], namespace["reference"] = given(**drawn, carry=talk.carry)
        exec(compile(source, "<check>", "exec", dont_inherit=True), namespace)
    except BaseException as error:
        kind, name, words = talk.kind(error), type(error).__name__[:200], _words(error)
        if kind == "check" and talk.unreadable is not None and not isinstance(error, AssertionError):
            kind, words = "value", talk.unreadable._advice  # TensorFlow met what stands for it, and only saw its class
        if any(error is raised for raised in talk.lessons):
            words = f"its reference solution raised {name}: {words}"
        return {"passed": False, "kind": kind, "ename": name, "evalue": words}
    return {"passed": True}


def _words(error: BaseException) -> str:
    """What an error says; of a long one the beginning and the end, where a check's own words are."""
    try:
        text = str(error)
    except Exception:
        return "(an error without words)"
    return text if len(text) <= MAX_WORDS else f"{text[: MAX_WORDS // 2]} [...] {text[20 - MAX_WORDS // 2 :]}"


class Talk:
    """One check's questions to the learner's kernel, and who raised which of the errors that it met."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.learners: list[BaseException] = []  # compared as objects
        self.lessons: list[BaseException] = []
        self.unreadable: Unreadable | None = None  # the last value that could not travel

    def kind(self, error: BaseException) -> str:
        """Who raised what a check ended with, as :func:`run_check` says."""
        from . import codec

        if any(error is raised for raised in self.learners):
            return "learner"
        if isinstance(error, NoAnswer):
            return "nonsense"
        if isinstance(error, codec.CodecError | BrokenReference) or any(error is raised for raised in self.lessons):
            return "lesson"
        return "value" if isinstance(error, codec.UnsupportedValue | RefusedGraph) else "check"

    def stand_ins(self, names: list[str]) -> dict[str, Any]:
        """What stands for the names that a check uses and does not define: functions that ask, or plain values."""
        if not names:
            return {}
        made = {}
        for found in self.ask(("look", names), "found"):
            if type(found) is not tuple or len(found) < 2 or found[0] not in names:
                raise NoAnswer
            name, kind = found[:2]
            if kind == "callable":
                made[name] = self._caller(name)
            elif kind == "value" and len(found) == 3:
                made[name] = found[2]
        return made

    def _caller(self, name: str) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            return self.ask(("call", name, args, kwargs), "returned")

        call.__name__ = call.__qualname__ = name
        return call

    def ask(self, question: tuple[Any, ...], expected: str) -> Any:
        """The learner's kernel's answer to a question, as a value; an error that it reports is raised here.

        Raises:
            NoAnswer: there is none, or one that makes no sense.
            CodecError: the question itself cannot travel (the check's fault).
        """
        from . import codec

        self.stream.send({"ask": codec.encode(question, strict=True)})
        try:
            text = self.stream.receive().get("answer")
        except EOFError:
            os._exit(0)  # the grader has given this check up
        if type(text) is not str:
            raise NoAnswer
        try:
            answer = codec.decode(text)
        except codec.CodecError:
            self.stream.send({"nonsense": True})
            raise NoAnswer from None
        if type(answer) is not tuple or len(answer) != 2 or answer[0] not in (expected, "raised"):
            self.stream.send({"nonsense": True})
            raise NoAnswer
        if answer[0] == "raised":
            if not isinstance(answer[1], BaseException):
                raise NoAnswer
            self.learners.append(answer[1])
            raise answer[1]
        if isinstance(answer[1], codec.Unreadable):
            self.unreadable = answer[1]
        return answer[1]

    def carry(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function of the reference solution: values come and go, and errors come, as a learner's do."""
        from . import codec

        args, kwargs = codec.decode(codec.encode((args, kwargs), strict=True))
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            self.lessons.append(codec.decode(codec.encode(error)))
            raise self.lessons[-1] from error
        return codec.decode(codec.encode_or_say(value))


# ---------------------------------------------------------------------------------------------------------- process


@lru_cache(maxsize=1)
def load() -> None:
    """Import TensorFlow, and from then on refuse some graphs."""
    os.environ.update(QUIET)
    sys.ps1 = ">>> "  # TensorFlow then keeps its Python log off stderr, as in a notebook
    import tensorflow as tf

    _ = tf.compat.v1.Session, tf.errors.OpError, tf.constant, tf.function, tf.config  # loaded when first asked for
    guard_imports()


def silence() -> None:
    """What checks or TensorFlow print goes nowhere: it decides nothing, and stdout may be the stream."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)


def main(parent: int) -> None:
    """One checker for one submission, over the stdin and stdout that it was started with by the process ``parent``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's to handle; it closes our stream
    stream = Stream(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    silence()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    serve(stream)
    os._exit(0)


def _end_with(parent: int) -> None:
    """A check may be stuck when the grader is killed: then nobody else would end this process."""
    import psutil

    # where a launcher stands between the two (virtual environments on Windows), it is not this process's parent
    while os.getppid() == parent if os.name == "posix" else psutil.pid_exists(parent):
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    from autograder.grading.checks.checker import main as start  # the module by its name: its classes exist once

    start(int(sys.argv[1]))
