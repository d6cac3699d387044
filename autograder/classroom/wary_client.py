"""Dask's client as the teacher's side of a cluster uses it: what other machines send is data, and of a bounded size.

Dask's own client trusts a scheduler and its workers: it unpickles the types of results and warnings, prints what they
say, and reads messages of any size. Whoever has a cluster's certificates can make it receive whatever they like.
"""

from __future__ import annotations

import logging
import pickle
import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import dask
import distributed
from distributed import client as dask_client
from distributed import protocol
from distributed.comm import tcp
from distributed.protocol import core as dask_messages
from distributed.protocol import pickle as dask_pickle
from distributed.protocol.serialize import Serialized
from distributed.versions import VersionMismatchWarning

from .wire import MAX_RESULT, BadResult

MAX_MESSAGE = MAX_RESULT + (1 << 20)  # bytes: a result, and what is said about it
MAX_WORDS = 16 << 20  # bytes of a message without its results: what is said of a thousand workers takes less
LOUD_LOGGERS = ("asyncio", "tornado")  # they would write what other machines sent into the terminal
TEXT_MARKS = frozenset((*range(0xA0, 0xC0), 0xD9, 0xDA, 0xDB))  # msgpack's first byte of a text


class TooMuch(Exception):
    """A message of another machine is larger than any honest one."""


def no_loads(data: Any, *, buffers: Any = ()) -> Any:
    """In place of Dask's ``loads``: what the client needs of other machines comes without a pickle.

    Raises:
        pickle.UnpicklingError: always.
    """
    raise pickle.UnpicklingError(f"a pickle ({len(data)} bytes) is not taken from another machine")


class WaryClient(distributed.Client):
    """A client that takes from the scheduler in which state a job is, and its result when asked for it."""

    def subscribe_topic(self, topic: str, handler: Any) -> None:
        """Nothing is listened to: by default Dask prints what any worker writes to some topics."""

    async def _handle_event(self, topic: str, event: Any) -> None:
        pass

    def _handle_error(self, exception: Any = None) -> None:
        pass

    def _adjust_heartbeat_intervals(self, interval: Any) -> None:
        pass

    def _handle_key_in_memory(self, key: Any = None, type: Any = None, workers: Any = None) -> None:
        super()._handle_key_in_memory(key=key)  # its type is a pickle that a worker made

    def _handle_task_erred(self, key: Any = None, exception: Any = None, traceback: Any = None) -> None:
        super()._handle_task_erred(key=key, exception=Exception("a worker's, not looked at"))

    @property
    def hears(self) -> bool:
        """Whether it still listens to the scheduler; a message that cannot be read ends that."""
        return self._handle_report_task is None or not self._handle_report_task.done()


def result_text(answer: Any) -> str:
    """The text in a result as it travelled.

    Raises:
        BadResult: it is anything else.
    """
    if type(answer) is not Serialized or type(answer.header) is not dict:
        raise BadResult("it is no message of a worker")
    if answer.header.get("serializer") != "msgpack" or any(answer.header.get("compression") or ()):
        raise BadResult("it is no plain text")
    data = b"".join(answer.frames)
    if not data or data[0] not in TEXT_MARKS:
        raise BadResult("it is no text")
    try:
        return str(protocol.msgpack.unpackb(data, raw=False))
    except ValueError as error:
        raise BadResult("it is no text that can be read") from error


def _without_compression(header: dict[str, Any], frames: Iterable[Any]) -> list[Any]:
    if any(header["compression"]):
        raise TooMuch("It is compressed, so nobody knows how large it is.")
    return list(frames)


_connect, _pool, _read, _read_bytes = dask_client.connect, dask_client.ConnectionPool, tcp.TCP.read, tcp.read_bytes_rw
_unpack = dask_messages.msgpack.loads


async def _connect_and_keep(*args: Any, **options: Any) -> Any:
    return await _connect(*args, **options | {"deserialize": False})


def _pool_that_keeps(*args: Any, **options: Any) -> Any:
    return _pool(*args, **options | {"deserialize": False})


async def _read_bounded(self: Any, deserializers: Any = None) -> Any:
    if self.stream is not None:
        self.stream.bytes_left = MAX_MESSAGE
    return await _read(self, deserializers)


async def _read_bytes_bounded(stream: Any, n: int) -> memoryview:
    stream.bytes_left -= n
    if stream.bytes_left < 0:
        raise TooMuch(f"A message of more than {MAX_MESSAGE >> 20} MiB.")
    return await _read_bytes(stream, n)


def _unpack_bounded(data: Any, **options: Any) -> Any:
    if memoryview(data).nbytes > MAX_WORDS:
        raise TooMuch(f"A message of more than {MAX_WORDS >> 20} MiB without its results.")
    return _unpack(data, **options)


REPLACED: tuple[tuple[Any, str, Any], ...] = (  # (where, name, what is there while a client is open)
    (dask_pickle, "loads", no_loads),
    (dask_client, "loads", no_loads),
    (dask_client, "pickle", SimpleNamespace(loads=no_loads)),
    (dask_client, "connect", _connect_and_keep),  # what is in a message stays packed
    (dask_client, "ConnectionPool", _pool_that_keeps),
    (dask_messages, "decompress", _without_compression),
    (dask_messages, "msgpack", SimpleNamespace(loads=_unpack_bounded, dumps=dask_messages.msgpack.dumps)),
    (tcp.TCP, "read", _read_bounded),
    (tcp, "read_bytes_rw", _read_bytes_bounded),
)


@contextmanager
def wary() -> Iterator[None]:
    """While this is open, Dask in this process believes nothing that another machine sends.

    Raises:
        AttributeError: this version of Dask has no such name to replace.
    """
    quiet = [(logging.getLogger(name), "disabled", True) for name in LOUD_LOGGERS]
    with ExitStack() as changes:
        for where, name, replacement in (*REPLACED, *quiet):
            changes.callback(setattr, where, name, getattr(where, name))
            setattr(where, name, replacement)
        changes.enter_context(dask.config.set({"distributed.scheduler.allowed-imports": []}))
        warnings.filterwarnings("ignore", category=VersionMismatchWarning)  # it has the words of other machines
        yield
