"""Submissions graded on other machines: what the teacher's command, the scheduler and the workers have in common.

The engine is Dask. A job and its result are texts of JSON (:mod:`.wire`). A result travels as msgpack, and the
teacher's side takes nothing else for one. Dask itself sends what it is to run as a pickle, from the teacher's machine
to the workers: whoever may connect may run programs on scheduler and workers, so a certificate is asked for.

Only this module and those that the commands ``worker``, ``scheduler`` and ``certificates`` are made of import Dask.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import ipaddress
import logging
import os
import pickle
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..errors import CourseError
from ..grading.execute import Options
from ..grading.grade import Graded
from ..grading.lesson import Lesson, grader_version
from ..grading.submission import Submission
from ..grading.text import clean
from ..paths import find_course
from ..wording import listed, typed
from .wire import BadResult, WorkerFailed, pack_job, unpack_result

PORT = 8786
CONNECT = 10.0  # seconds in which somebody has to answer
PATIENCE = 60.0  # seconds in which a scheduler that went away has to be there again
MIND = 5.0  # seconds between two looks whether any worker is left
MAX_TRIES = 10  # times that one submission is sent, where its result does not come and nobody says why
MAX_SLOTS = 1024  # submissions that all workers together may say they take at once
LOOK_AGAIN = 0.2  # seconds until a Ctrl-C is noticed
AUTHORITY, CERTIFICATE, KEY = "ca.pem", "cluster.pem", "cluster-key.pem"
SETTINGS = {  # Dask's own patience, shorter than it comes: a host that is cut off says nothing
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.scheduler.allowed-failures": 10,
    "distributed.comm.timeouts.connect": f"{CONNECT:g}s",
    "distributed.comm.timeouts.tcp": "30s",
    "distributed.scheduler.http.routes": [],  # no pages: they would show what runs here to whoever asks
    "distributed.worker.http.routes": [],
    "distributed.admin.large-graph-warning-threshold": "1GB",
}


def add_cluster_arguments(parser: argparse.ArgumentParser) -> None:
    """What all commands of a cluster are told."""
    parser.add_argument(
        "--certificates",
        type=Path,
        metavar="FOLDER",
        help="made by `course certificates` (default: classroom/certificates)",
    )
    parser.add_argument(
        "--plain-tcp",
        action="store_true",
        help="tcp:// between machines: whoever reaches the port reads all work and runs programs on every machine",
    )


def needs_dask() -> None:
    """Raise CourseError where the extra ``cluster`` is not installed; where it is, set what Dask waits for."""
    missing = [name for name in ("distributed", "cryptography") if find_spec(name) is None]
    if missing:
        raise CourseError(
            f"Not installed: {', '.join(missing)}, which grading on several machines needs. In the course's folder "
            "on each of them, run `pip install --editable '.[cluster]'`."
        )
    import dask
    import distributed  # noqa: F401 - its own defaults have to be there before ours

    dask.config.update_defaults(_nested(SETTINGS))
    for name in ("distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed."))):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what people have to know, these commands say


def _nested(settings: dict[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for name, value in settings.items():
        *above, last = name.split(".")
        place = nested
        for part in above:
            place = place.setdefault(part, {})
        place[last] = value
    return nested


@dataclass(frozen=True)
class Address:
    """Where a scheduler listens."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether it can be reached from this machine alone."""
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return self.host == "localhost"


def read_address(text: str, plain_tcp: bool) -> Address:
    """An address as people write it.

    Raises:
        CourseError: it is none, or plain TCP would leave this machine and nobody has said that it may.
    """
    try:
        parts = urlsplit(text)
        address = Address(parts.scheme, parts.hostname or "", parts.port or PORT)
    except ValueError:
        address = Address("", "", PORT)
    if address.scheme not in ("tls", "tcp") or not address.host or parts.path.strip("/"):
        raise CourseError(f"{text!r} is no scheduler's address. Write it like tls://teacher.example.org:{PORT}.")
    if address.scheme == "tcp" and not plain_tcp and not address.is_loopback:
        raise CourseError(
            f"{text} is plain TCP between machines: whoever reaches that port reads everybody's work and runs "
            f"programs on every machine of the cluster. Use tls:// ({typed('certificates')} makes what it needs), or "
            "accept that with --plain-tcp."
        )
    return address


def security(address: Address, folder: Path | None) -> Any:
    """Dask's ``Security`` for an address.

    Raises:
        CourseError: a certificate is missing, cannot be read or has run out, or others can read its key.
    """
    from distributed.security import Security

    if address.scheme == "tcp":
        return Security()
    folder = folder or find_course().classroom / "certificates"
    for name in (AUTHORITY, CERTIFICATE, KEY):
        if not (folder / name).is_file():
            raise CourseError(
                f"{folder / name} is missing. Make certificates with {typed('certificates')} on one machine, and copy "
                "that folder to the others (or name it with --certificates)."
            )
    if os.name == "posix" and (folder / KEY).stat().st_mode & 0o077:
        raise CourseError(
            f"Other accounts of this machine may read {folder / KEY}, and with it run programs on all machines of the "
            f"cluster. Make it yours alone: chmod 600 {folder / KEY}"
        )
    _refuse_old(folder)
    places = {"tls_ca_file": str(folder / AUTHORITY)}
    for who in ("client", "scheduler", "worker"):
        places |= {f"tls_{who}_cert": str(folder / CERTIFICATE), f"tls_{who}_key": str(folder / KEY)}
    return Security(require_encryption=True, **places)


def _refuse_old(folder: Path) -> None:
    from cryptography import x509

    for name in (AUTHORITY, CERTIFICATE):
        try:
            found = x509.load_pem_x509_certificate((folder / name).read_bytes())
        except (OSError, ValueError) as error:
            raise CourseError(f"{folder / name} cannot be read ({error}). Make certificates anew.") from error
        if found.not_valid_after_utc < datetime.now(UTC):
            raise CourseError(
                f"The certificate {folder / name} ran out on {found.not_valid_after_utc:%Y-%m-%d}. Make new ones with "
                f"{typed('certificates', '--force')} and copy them to every machine of the cluster."
            )


def version_mark() -> str:
    """The name of Dask's resource that a worker with this grader offers, and a job asks for."""
    return "grader " + hashlib.sha256(grader_version().encode()).hexdigest()[:16]


class _Careful(pickle.Unpickler):
    """Takes plain data and Dask's own errors, so that no message of another machine runs anything here."""

    def find_class(self, module: str, name: str) -> Any:
        plain = module == "builtins" and name in ("bytes", "bytearray", "set", "frozenset", "slice", "range", "complex")
        if plain or (module, name) in (("distributed.scheduler", "KilledWorker"), ("builtins", "Exception")):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not taken from another machine")


def _careful_loads(data: Any, *, buffers: Any = ()) -> Any:
    return _Careful(io.BytesIO(data), buffers=buffers).load()


class Attendance:
    """Says once when nobody is left who could grade, until somebody is there again. Many threads may ask.

    Args:
        somebody: whether a worker is there that fits; may raise OSError while the scheduler is away.
    """

    def __init__(self, somebody: Callable[[], bool], say: Callable[[str], None]) -> None:
        self.somebody, self.say, self._said = somebody, say, False
        self._next, self._lock = time.monotonic() + MIND, threading.Lock()

    def mind(self) -> None:
        """Look, if it is time to."""
        if time.monotonic() < self._next or not self._lock.acquire(blocking=False):
            return
        try:
            self._next = time.monotonic() + MIND
            with contextlib.suppress(OSError, TimeoutError):
                here = self.somebody()
                if not here and not self._said:
                    self.say("No worker is left; waiting for one. Ctrl-C ends that, and what is graded is kept.")
                self._said = not here
        finally:
            self._lock.release()


class Cluster:
    """The teacher's side: sends submissions to workers and looks at what comes back.

    While one is open, this process unpickles nothing but plain data. :meth:`grade` may be called from many threads.

    Args:
        stop: asked again and again while a result is waited for.
        say: told in a sentence what a person should know.

    Raises:
        CourseError: nobody listens, nobody works there, or all workers have another version of the grader.
    """

    def __init__(self, address: Address, safe: Any, stop: Callable[[], bool], say: Callable[[str], None]) -> None:
        import distributed
        from distributed.protocol import pickle as dask_pickle

        self.address, self.stop, self.say, self.lost = address, stop, say, ""
        self._told, self._attendance = threading.Lock(), Attendance(lambda: bool(self._workers()[0]), say)
        self._loads, dask_pickle.loads = dask_pickle.loads, _careful_loads
        try:
            self.client = distributed.Client(
                str(address),
                security=safe,
                timeout=CONNECT,
                serializers=["msgpack"],
                deserializers=["msgpack"],
                set_as_default=False,
            )
        except (OSError, TimeoutError, ValueError) as error:
            dask_pickle.loads = self._loads
            raise CourseError(unheard(address, error)) from error
        self.client._timeout = PATIENCE
        try:
            self.slots = self._look()
        except CourseError:
            self.close()
            raise

    def _look(self) -> int:
        """How many submissions the workers take at once."""
        fit, unfit = self._workers()
        if unfit:
            others = listed(sorted(clean(str(worker["name"]))[:100] for worker in unfit))
            said = (
                f"Of another version of the grader or of Python than this machine: {others}. Install the "
                "same version of the course there; until then nothing is sent to them."
            )
            if not fit:
                raise CourseError(said)
            self.say(said)
        if not fit:
            raise CourseError(
                f"No worker is connected to {self.address}. Start one or more: {typed('worker', str(self.address))}"
            )
        return min(sum(max(1, int(worker["nthreads"])) for worker in fit), MAX_SLOTS)

    def _workers(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Workers as the scheduler describes them: those that have this machine's version, and the others."""
        workers = list(self.client.scheduler_info()["workers"].values())
        fit = [worker for worker in workers if version_mark() in worker["resources"]]
        return fit, [worker for worker in workers if version_mark() not in worker["resources"]]

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the scheduler, which forgets what was not done."""
        from distributed.protocol import pickle as dask_pickle

        with contextlib.suppress(Exception):  # it may be gone, and all results are here
            self.client.close(timeout=CONNECT)
        dask_pickle.loads = self._loads

    def grade(self, submission: Submission, lesson: Lesson, options: Options) -> Graded:
        """Grade one submission on a worker; when that one is lost, on another. For :func:`.grade_task.grade_task`.

        Raises:
            CourseError: the scheduler stays away, the worker could not grade it, or what it says is no result of it.
        """
        job = pack_job(submission, lesson, options.seed, options.limits.cell_seconds).decode("ascii")
        for _ in range(MAX_TRIES):
            answer = self._ask(job)
            if answer is not None:
                return self._read(answer, submission, lesson)
        raise CourseError(
            f"It was sent {MAX_TRIES} times, and no result came back. Is one of the workers or the scheduler ill?"
        )

    def _ask(self, job: str) -> str | None:
        """A worker's answer; None where the scheduler lost it: it knows nothing of the job any more."""
        from . import worker

        self._wait_for_scheduler()
        key = f"submission-{uuid.uuid4().hex}"
        future = self.client.submit(worker.grade_here, job, key=key, pure=False, resources={version_mark(): 1})
        ended = threading.Event()
        future.add_done_callback(lambda _: ended.set())
        while not ended.wait(LOOK_AGAIN):
            self._go_on()
            self._attendance.mind()
            if future.client is not self.client or self.client.status == "closed":
                break
        try:
            if future.status == "finished":
                return str(future.result(timeout=PATIENCE))
            if future.status == "error":
                raise CourseError(
                    "No worker came to an end with this submission: every one that took it was lost. Does it need more "
                    "memory than they have?"
                )
        except (TimeoutError, OSError, EOFError, pickle.UnpicklingError, TypeError) as error:
            if isinstance(error, pickle.UnpicklingError | TypeError):
                raise CourseError(f"What a worker sent back is no result: {error}.") from error
        finally:
            future.release()
        return None

    def _go_on(self) -> None:
        if self.stop() or self.lost:
            raise CourseError(self.lost or "Stopped.")

    def _wait_for_scheduler(self) -> None:
        """Until the client, which tries by itself, is connected again."""
        pause = threading.Event()
        while self.client.status != "running":
            with self._told:
                if self.client.status == "closed" and not self.lost:
                    self.lost = f"The scheduler at {self.address} went away and did not come back in {PATIENCE:g} s."
            self._go_on()
            pause.wait(LOOK_AGAIN)

    @staticmethod
    def _read(answer: str, submission: Submission, lesson: Lesson) -> Graded:
        try:
            return unpack_result(answer.encode("utf-8", "surrogatepass"), submission, lesson)
        except WorkerFailed as error:
            raise CourseError(f"On a worker: {error}") from error
        except BadResult as error:
            raise CourseError(
                f"What a worker sent back is no result of this submission: {error}. Do you know every worker?"
            ) from error


def unheard(address: Address, error: BaseException) -> str:
    """A sentence for who found no scheduler at an address."""
    why = " ".join(str(error).split())[:300]
    return (
        f"Nobody answers at {address} as a scheduler does ({why}). Is {typed('scheduler', str(address))} running "
        "there, with the same certificates, and does a firewall let that port through?"
    )
