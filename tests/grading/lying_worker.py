"""A worker of a cluster that lies: ``python -m tests.grading.lying_worker ADDRESS FILE``.

How it lies to the next job stands in FILE. A process that opens one of its pickles makes HARM-PID beside FILE.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import distributed
import distributed.worker
from distributed.worker_state_machine import TaskFinishedMsg

from autograder.classroom import cluster, worker

ESCAPES = "\x1b]0;owned\x07\x1b[2J 100 of 100 \u202e\n\u2713 eve"
LARGE = 4 << 20  # bytes of a large answer

cluster.needs_dask()
ADDRESS, FILE = sys.argv[1], Path(sys.argv[2])


class Harm(Exception):
    def __reduce__(self) -> Any:
        return exec, (f"import os; os.mkdir({str(FILE.with_name('HARM-'))!r} + str(os.getpid()))",)


def how() -> str:
    return FILE.read_text()


def lie(job: str) -> Any:
    if how() == "warn":
        distributed.get_worker().log_event("warn", {"message": pickle.dumps(Harm())})
    if how() == "print":
        distributed.get_worker().log_event("print", {"args": (ESCAPES,)})
    if how() == "error":
        raise Harm(ESCAPES)
    if how() == "large":
        return "x" * LARGE
    if how() == "lists":
        return [[], ESCAPES]
    if how() == "object":
        return Harm(ESCAPES)
    if how() == "sleep":
        time.sleep(60)
    return json.dumps({"failed": ESCAPES})


def with_a_harmful_type(self: Any) -> dict[str, Any]:
    told = honest(self)
    return told | {"type": pickle.dumps(Harm())} if how() == "type" else told


async def serve() -> None:
    address = cluster.read_address(ADDRESS, plain_tcp=False)
    with tempfile.TemporaryDirectory(prefix="course-worker-") as folder:
        async with worker._worker(address, cluster.security(address, None), 1, "liar" + ESCAPES, folder) as made:
            print("works for", flush=True)
            await made.finished()


def versions() -> dict[str, Any]:
    return {"packages": {"dask": ESCAPES}, "host": {}}


if __name__ == "__main__":
    honest, TaskFinishedMsg.to_dict = TaskFinishedMsg.to_dict, with_a_harmful_type
    distributed.worker.get_versions = versions  # type: ignore[assignment]
    worker.grade_here = lie
    asyncio.run(serve())
