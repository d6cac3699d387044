"""Submissions graded on other machines: what the teacher's command, the scheduler and the workers have in common.

The engine is Dask. A job and its result are texts of JSON (:mod:`.wire`). A result travels as msgpack, and the
teacher's side takes nothing else for one (:mod:`.wary_client`). Dask itself sends what it is to run as a pickle, from
the teacher's machine to the workers: whoever may connect may run programs on scheduler and workers, so a certificate is
asked for.

Only this module and those that the commands ``worker``, ``scheduler`` and ``certificates`` are made of import Dask.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import ipaddress
import logging
import os
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

from ..errors import CourseError
from ..grading.execute import Limits, Options
from ..grading.grade import Graded
from ..grading.lesson import Lesson, grader_version
from ..grading.submission import Submission
from ..paths import find_course
from ..wording import listed, typed
from .wire import BadResult, WorkerFailed, in_a_line, pack_job, unpack_result

PORT = 8786
CONNECT = 10.0  # seconds in which somebody has to answer
PATIENCE = 60.0  # seconds in which a scheduler that went away has to be there again
MIND = 5.0  # seconds between two looks whether any worker is left
MAX_TRIES = 10  # times that one submission is sent, where its result does not come and nobody says why
MAX_SILENT = 3  # times of these that nobody answers in time
LENIENCE = 2.0  # how many times as long as the limits of a run a worker may take
MAX_NAME = 100  # characters of a worker's name that are shown
MAX_SLOTS = 1024  # submissions that all workers together may say they take at once
NOBODY = "nobody"  # where a job waits while no worker is left that answers
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


class Silent(Exception):
    """No worker answered in time."""


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
        CourseError: a certificate is missing, cannot be read or has run out, or others can read its key or
            write any of it.
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
    _refuse_open(folder)
    _refuse_old(folder)
    places = {"tls_ca_file": str(folder / AUTHORITY)}
    for who in ("client", "scheduler", "worker"):
        places |= {f"tls_{who}_cert": str(folder / CERTIFICATE), f"tls_{who}_key": str(folder / KEY)}
    return Security(require_encryption=True, **places)


def _refuse_open(folder: Path) -> None:
    if os.name != "posix":
        return
    for path in (folder, *(folder / name for name in (AUTHORITY, CERTIFICATE, KEY))):
        if path.stat().st_mode & 0o022:
            raise CourseError(
                f"Other accounts of this machine may change {path}, and so let anybody into the cluster. Look whether "
                f"it is still yours, and make it yours alone: chmod go-w {path}"
            )


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


@dataclass(frozen=True)
class Host:
    """A worker as the scheduler describes it, in words of its own."""

    address: str
    name: str  # as it can be shown
    slots: int
    fits: bool  # whether it has this machine's version of the grader


def read_host(address: object, said: object) -> Host | None:
    """What is known of a worker; None where the description is none."""
    if type(address) is not str or type(said) is not dict:
        return None
    threads, offered = said.get("nthreads"), said.get("resources")
    slots = min(threads, MAX_SLOTS) if isinstance(threads, int) and threads > 1 else 1
    fits = type(offered) is dict and version_mark() in offered
    return Host(address, in_a_line(str(said.get("name")), MAX_NAME), slots, fits)


def seconds_for(limits: Limits) -> float:
    """In which an honest worker has graded one submission, also on a busy machine."""
    return LENIENCE * (2 * limits.start_seconds + limits.notebook_seconds + limits.cell_seconds)


class Attendance:
    """Says once when nobody is left who could grade, until somebody is there again. Many threads may ask.

    Args:
        somebody: whether a worker is there that fits; may raise OSError while the scheduler is away.
    """

    def __init__(self, somebody: Callable[[], bool], say: Callable[[str], None]) -> None:
        self.somebody, self.say, self._said, self.anybody = somebody, say, False, True
        self._next, self._lock = time.monotonic() + MIND, threading.Lock()

    def mind(self) -> None:
        """Look, if it is time to."""
        if time.monotonic() < self._next or not self._lock.acquire(blocking=False):
            return
        try:
            self._next = time.monotonic() + MIND
            with contextlib.suppress(OSError, TimeoutError):
                self.anybody = self.somebody()
                if not self.anybody and not self._said:
                    self.say("No worker is left; waiting for one. Ctrl-C ends that, and what is graded is kept.")
                self._said = not self.anybody
        finally:
            self._lock.release()


class Cluster:
    """The teacher's side: sends submissions to workers and looks at what comes back.

    While one is open, this process takes nothing but plain data from other machines (:mod:`.wary_client`), and one
    result at a time. :meth:`grade` may be called from many threads.

    Args:
        stop: asked again and again while a result is waited for.
        say: told in a sentence what a person should know.

    Raises:
        CourseError: nobody listens, nobody works there, or all workers have another version of the grader.
    """

    def __init__(self, address: Address, safe: Any, stop: Callable[[], bool], say: Callable[[str], None]) -> None:
        from .wary_client import WaryClient, wary

        self.address, self.stop, self.say, self.lost = address, stop, say, ""
        self._told, self._attendance = threading.Lock(), Attendance(self._somebody, say)
        self._one_result, self._under_way, self._silent = threading.Lock(), 0, set[str]()
        self._open = contextlib.ExitStack()
        try:
            self._open.enter_context(wary())
            self.client: Any = WaryClient(
                str(address),
                security=safe,
                timeout=CONNECT,
                serializers=["msgpack"],
                deserializers=["msgpack"],
                set_as_default=False,
            )
        except Exception as error:  # of whatever kind: who answers there may have sent anything
            self._open.close()
            raise CourseError(unheard(address, error)) from error
        self.client._timeout = PATIENCE
        try:
            self.slots = self._places = self._look()
        except Exception as error:
            self.close()
            if isinstance(error, CourseError):
                raise
            raise CourseError(unheard(address, error)) from error

    def _look(self) -> int:
        """How many submissions the workers take at once."""
        fit, unfit = self._workers()
        if unfit:
            said = (
                f"Of another version of the grader or of Python than this machine: "
                f"{listed(sorted(host.name for host in unfit))}. Install the "
                "same version of the course there; until then nothing is sent to them."
            )
            if not fit:
                raise CourseError(said)
            self.say(said)
        if not fit:
            raise CourseError(
                f"No worker is connected to {self.address}. Start one or more: {typed('worker', str(self.address))}"
            )
        return min(sum(host.slots for host in fit), MAX_SLOTS)

    def _workers(self) -> tuple[list[Host], list[Host]]:
        """Workers that have this machine's version and answer, and those of another version."""
        described = self._call("identity", n_workers=-1)
        workers = described.get("workers") if isinstance(described, dict) else None
        found = [read_host(*item) for item in workers.items()] if isinstance(workers, dict) else []
        hosts = [host for host in found if host is not None and host.address not in self._silent]
        return [host for host in hosts if host.fits], [host for host in hosts if not host.fits]

    def _somebody(self) -> bool:
        """Whether a worker is there that could have a job; how many they take at once is noted."""
        fit = self._workers()[0]
        self._places = min(max(1, sum(host.slots for host in fit)), MAX_SLOTS)
        return bool(fit)

    def _call(self, what: str, **about: Any) -> Any:
        """What the scheduler answers to a question of Dask's; plain data.

        Raises:
            OSError: it does not answer, or with something else.
        """
        try:
            return self.client.sync(getattr(self.client.scheduler, what), callback_timeout=CONNECT, **about)
        except Exception as error:
            raise OSError(in_a_line(str(error) or type(error).__name__)) from error

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the scheduler, which forgets what was not done."""
        with contextlib.suppress(Exception):  # it may be gone, and all results are here
            self.client.close(timeout=CONNECT)
        self._open.close()

    def grade(self, submission: Submission, lesson: Lesson, options: Options) -> Graded:
        """Grade one submission on a worker; when that one is lost or silent, on another. For :func:`.grade_task`.

        Raises:
            CourseError: the scheduler stays away, the worker could not grade it, or what it says is no result of it.
        """
        job = pack_job(submission, lesson, options.seed, options.limits.cell_seconds).decode("ascii")
        silent = 0
        for _ in range(MAX_TRIES):
            try:
                graded = self._ask(job, seconds_for(options.limits), partial(self._read, submission, lesson))
            except Silent:
                silent += 1
                if silent == MAX_SILENT:
                    raise CourseError(f"It was sent {silent} times, and no worker answered in time.") from None
                continue
            if graded is not None:
                return graded
        raise CourseError(
            f"It was sent {MAX_TRIES} times, and no result came back. Is one of the workers or the scheduler ill?"
        )

    def _ask(self, job: str, seconds: float, read: Callable[[Any], Graded | None]) -> Graded | None:
        """A worker's result; None where the scheduler lost it: it knows nothing of the job any more.

        Raises:
            Silent: nobody answered in ``seconds`` of a worker's time.
        """
        from . import worker

        self._wait_for_scheduler()
        key = f"submission-{uuid.uuid4().hex}"
        options: dict[str, Any] = {"resources": {version_mark(): 1}}
        if self._silent:
            with contextlib.suppress(OSError):
                options["workers"] = [host.address for host in self._workers()[0]] or [NOBODY]
        future = self.client.submit(worker.grade_here, job, key=key, pure=False, **options)
        try:
            self._wait_for(future, key, seconds)
            if future.status == "finished":
                with self._one_result:
                    return read(self._fetch(future, key))
            if future.status == "error":
                raise CourseError(
                    "No worker came to an end with this submission: every one that took it was lost. Does it need more "
                    "memory than they have?"
                )
            return None
        finally:
            future.release()

    def _wait_for(self, future: Any, key: str, seconds: float) -> None:
        """Until a job has ended, in whatever way. Its time runs while a worker is there that could have it."""
        ended, waited = threading.Event(), 0.0
        future.add_done_callback(lambda _: ended.set())
        with self._told:
            self._under_way += 1
        try:
            while not ended.wait(LOOK_AGAIN):
                self._go_on()
                self._attendance.mind()
                if future.client is not self.client or self.client.status == "closed":
                    return
                # where workers were lost, several jobs may wait for the same one
                share = max(1.0, self._under_way / self._places)
                waited += LOOK_AGAIN / share if self._attendance.anybody else 0
                if waited > seconds:
                    self._give_up(key, seconds)
        finally:
            with self._told:
                self._under_way -= 1

    def _fetch(self, future: Any, key: str) -> Any:
        """A result as it travelled; None where it is lost."""
        try:
            return future.result(timeout=PATIENCE)
        except TimeoutError:
            self._give_up(key, PATIENCE)
        except OSError:
            return None
        except Exception as error:  # of whatever kind: a worker may send anything
            raise CourseError(f"What a worker sent back is no result: {in_a_line(str(error))}") from error

    def _give_up(self, key: str, seconds: float) -> NoReturn:
        """Send nothing more to the worker that has a job.

        Raises:
            Silent: always.
        """
        with contextlib.suppress(OSError):
            at_work, done = self._call("processing"), self._call("who_has", keys=[key])
            addresses = [address for address, keys in at_work.items() if key in keys] + list(done.get(key, ()))
            names = {host.address: host.name for host in self._workers()[0]}
            for address in addresses:
                with self._told:
                    if address not in names or address in self._silent:
                        continue
                    self._silent.add(address)
                self.say(f"{names[address]} has not answered for {seconds:g} s, so nothing more is sent to it.")
        raise Silent

    def _go_on(self) -> None:
        if not self.client.hears and self.client.status == "running":
            with self._told:
                self.lost = self.lost or f"What the scheduler at {self.address} sends cannot be read."
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
    def _read(submission: Submission, lesson: Lesson, answer: Any) -> Graded | None:
        from .wary_client import result_text

        if answer is None:
            return None
        try:
            return unpack_result(result_text(answer).encode("utf-8", "surrogatepass"), submission, lesson)
        except WorkerFailed as error:
            raise CourseError(f"On a worker: {error}") from error
        except BadResult as error:
            raise CourseError(
                f"What a worker sent back is no result of this submission: {error}. Do you know every worker?"
            ) from error


def unheard(address: Address, error: BaseException) -> str:
    """A sentence for who found no scheduler at an address."""
    why = in_a_line(str(error) or type(error).__name__, 300)
    return (
        f"Nobody answers at {address} as a scheduler does ({why}). Is {typed('scheduler', str(address))} running "
        "there, with the same certificates, and does a firewall let that port through?"
    )
