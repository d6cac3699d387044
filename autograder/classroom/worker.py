"""``course worker ADDRESS``: grades what a teacher's machine sends, in this machine's sandbox, and keeps nothing."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
from contextlib import suppress
from typing import Any

from rich.console import Console

from ..errors import CourseError
from ..grading.execute import Limits, Options
from ..grading.grade import grade_submission
from ..grading.lesson import read_lesson
from ..grading.sandbox import Kernels, choose_kernels, imported, not_for_submissions
from ..grading.sandbox.folders import scratch_folder
from ..grading.text import clean
from ..paths import Course, find_course
from . import cluster
from .grade import workers_here
from .wire import BadResult, pack_failure, pack_result, unpack_job

TRY_AGAIN = 2.0  # seconds between two looks for a scheduler that went away

_kernels: Kernels | None = None  # of this worker: what Dask calls is a plain function


def grade_here(job: str) -> str:
    """What Dask calls on a worker: a job of :func:`.wire.pack_job` in, a result of :func:`.wire.pack_result` out.

    Never raises: an exception would travel as a pickle.
    """
    try:
        submission, lesson, seed, cell_seconds = unpack_job(job.encode("ascii"))
        if _kernels is None:
            raise BadResult("this process is no worker that has proved its sandbox")
        options = Options(Limits.of_a_cell(cell_seconds), _kernels, seed=seed)
        return pack_result(grade_submission(submission, lesson, options)).decode("ascii")
    except Exception as error:  # of this machine: no memory, no disk; the teacher's says it
        return pack_failure(clean(f"{socket.gethostname()}: {type(error).__name__}: {error}")).decode("ascii")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", metavar="ADDRESS", help=f"of the scheduler: tls://HOST:{cluster.PORT}")
    parser.add_argument("--workers", type=int, metavar="N", help="submissions at once (default: as many as fit)")
    parser.add_argument("--name", help="what the teacher's machine calls it (default: this host and process)")
    cluster.add_cluster_arguments(parser)


def command(args: argparse.Namespace) -> int:
    if args.workers is not None and args.workers < 1:
        raise CourseError(f"--workers {args.workers} grades nothing. Give 1 or more, or leave it out.")
    cluster.needs_dask()
    address = cluster.read_address(args.address, args.plain_tcp)
    safe = cluster.security(address, args.certificates)
    course, slots = find_course(), workers_here(args.workers)
    with prove_sandbox(course):
        return asyncio.run(_serve(address, safe, slots, args.name or f"{socket.gethostname()}-{os.getpid()}"))


def prove_sandbox(course: Course) -> Kernels:
    """This worker's kernels: one template for all that it runs at once. Close them, or use them in a ``with``.

    Raises:
        CourseError: this machine cannot isolate; there is no way around it on a worker.
    """
    global _kernels
    lessons = "".join(read_lesson(course, name).solution_text for name in course.lessons())
    try:
        _kernels = choose_kernels(hidden=not_for_submissions(course), modules=imported(lessons))
    except CourseError as error:
        raise CourseError(f"This machine cannot be a worker: {error}") from error
    return _kernels


async def _serve(address: cluster.Address, safe: Any, slots: int, name: str) -> int:
    """Work until Ctrl-C or SIGTERM; a scheduler that goes away is looked for again."""
    stop, console, before = asyncio.Event(), Console(highlight=False, markup=False), False
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    while not stop.is_set():
        try:
            with scratch_folder("worker") as folder:
                async with _worker(address, safe, slots, name, str(folder)) as worker:
                    before = True
                    console.print(f"{name} works for {address}: {slots} at once. Ctrl-C ends it.")
                    await _first(stop.wait(), worker.finished())
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:  # Dask's for whatever hindered its start
            if not before:
                raise CourseError(cluster.unheard(address, error.__cause__ or error)) from error
        if not stop.is_set():
            console.print(f"The scheduler at {address} went away; looking for it again.")
            await _first(stop.wait(), asyncio.sleep(TRY_AGAIN))
    return 0


def _worker(address: cluster.Address, safe: Any, slots: int, name: str, folder: str) -> Any:
    from distributed import Worker

    return Worker(
        str(address),
        nthreads=slots,
        name=name,
        security=safe,
        resources={cluster.version_mark(): slots},
        host=address.host if address.is_loopback else None,  # plain TCP listens to this machine alone
        memory_limit=0,
        local_directory=folder,
        death_timeout=cluster.CONNECT,
        dashboard_address="127.0.0.1:0",
    )


async def _first(*waits: Any) -> None:
    """Until one of them is over."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
