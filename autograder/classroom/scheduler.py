"""``course scheduler ADDRESS``: where workers and the teacher's ``course grade --scheduler`` find each other."""

from __future__ import annotations

import argparse
import asyncio
import signal
from typing import Any

from rich.console import Console

from ..errors import CourseError
from ..grading.sandbox.folders import scratch_folder
from . import cluster

PLAIN = "Plain TCP: every account that reaches this port can run programs as you. Where others work too, take tls://."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", metavar="ADDRESS", help=f"where to listen: tls://HOST:{cluster.PORT}")
    cluster.add_cluster_arguments(parser)


def command(args: argparse.Namespace) -> int:
    cluster.needs_dask()
    address = cluster.read_address(args.address, args.plain_tcp)
    import dask

    with scratch_folder("scheduler") as folder, dask.config.set({"temporary-directory": str(folder)}):
        return asyncio.run(_listen(address, cluster.security(address, args.certificates)))


async def _listen(address: cluster.Address, safe: Any) -> int:
    from distributed import Scheduler

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    scheduler = Scheduler(
        host=address.host,
        port=address.port,
        protocol=f"{address.scheme}://",
        security=safe,
        dashboard=False,
        dashboard_address="127.0.0.1:0",
    )
    try:
        async with scheduler:
            console = Console(highlight=False, markup=False)
            console.print(f"Listening at {scheduler.address}. Ctrl-C ends it.")
            if address.scheme == "tcp":
                console.print(PLAIN)
            await stop.wait()
    except (OSError, ValueError, RuntimeError) as error:
        raise CourseError(
            f"It cannot listen at {address} ({error.__cause__ or error}). Does something else use that port?"
        ) from error
    return 0
