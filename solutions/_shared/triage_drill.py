# @title Triage drill (run this; open it to see how it works)
"""Makes addresses of tasks that answer, are frozen, are dead or cannot be reached, for an exercise of lesson 06."""

import contextlib
import socket
import struct
import sys
import threading
import time

from solutions._shared.cluster_processes import free_ports
from solutions._shared.local_cluster import LocalCluster

# A second address of this machine, where nobody else listens; other systems have only the first one.
OTHER_HOST = "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"
# Everybody on the network: TCP has no connection to that, and the system says so at once, without sending anything.
NO_ROUTE = "255.255.255.255:9"
FULL = 6  # connections that fill a queue for one


def quiet(host, left):
    """An address where the system accepts connections, and nobody greets."""
    server = left.enter_context(socket.create_server((host, 0)))
    return server.getsockname()[1]


def slow(host, left, pause):
    """An address where a server greets after `pause` seconds."""
    server = left.enter_context(socket.create_server((host, 0)))

    def greet():
        with contextlib.suppress(OSError):
            while True:
                connection = left.enter_context(server.accept()[0])
                time.sleep(pause)
                connection.sendall(b"hello")

    threading.Thread(target=greet, daemon=True).start()
    return server.getsockname()[1]


def ending(host, left, pause, reset):
    """An address where a server closes each connection after `pause` seconds without a byte; or resets it."""
    server = left.enter_context(socket.create_server((host, 0)))

    def end():
        with contextlib.suppress(OSError):
            while True:
                connection = server.accept()[0]
                time.sleep(pause)
                if reset:
                    now = struct.pack("ii", 1, 0)  # then closing is a reset
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
                connection.close()

    threading.Thread(target=end, daemon=True).start()
    return server.getsockname()[1]


def away(host, left):
    """An address that does not reply: its queue of waiting connections is full, so attempts are thrown away."""
    server = left.enter_context(socket.create_server((host, 0), backlog=0))
    for _ in range(FULL):
        waiting = left.enter_context(socket.socket())
        waiting.setblocking(False)
        waiting.connect_ex(server.getsockname())
    return server.getsockname()[1]


@contextlib.contextmanager
def ward(kinds, seconds, other=False):
    """The addresses of tasks of these kinds, in this order, for the length of a `with`.

    `other`: they are on another address of this machine, where the system has one.
    """
    host = OTHER_HOST if other else "127.0.0.1"
    servers = [kind for kind in kinds if kind in ("answers", "frozen")]
    with contextlib.ExitStack() as left:
        ports = {"answers": [], "frozen": []}
        if servers:
            cluster = left.enter_context(LocalCluster({"task": len(servers)}, name="ward"))
            for task, kind in zip(cluster.tasks, servers, strict=True):
                ports[kind].append(cluster.address[task].split(":")[1])
                if kind == "frozen":
                    cluster.freeze(task)
        makers = {
            "answers": lambda: ports["answers"].pop(0),
            "frozen": lambda: ports["frozen"].pop(0),
            "dead": lambda: free_ports(1)[0],
            "quiet": lambda: quiet(host, left),
            "slow": lambda: slow(host, left, 0.4 * seconds),
            "closing": lambda: ending(host, left, 0.4 * seconds, reset=False),
            "resetting": lambda: ending(host, left, 0.4 * seconds, reset=True),
            "unreachable": lambda: away(host, left),
        }
        yield [NO_ROUTE if kind == "no route" else f"{host}:{makers[kind]()}" for kind in kinds]
