"""Two machines on one: this process's own network namespace, and another that is joined to it by a cable.

Run under ``unshare`` (see test_clusters.py): nothing that happens here can reach an address outside these two.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from autograder.authoring.source import SourceCell, shared_cell
from autograder.paths import Course

HERE, THERE = "10.77.0.1", "10.77.0.2"
OPEN_SERVER = """
import sys, time
import tensorflow as tf
cluster = {"chief": ["10.77.0.1:1"], "open": [f"10.77.0.1:{sys.argv[1]}"]}
server = tf.distribute.Server(cluster, "open", 0)
print("ready", flush=True)
time.sleep(600)
"""
READ_A_FILE = """
import sys
import tensorflow as tf
v1 = tf.compat.v1
with tf.Graph().as_default() as graph, tf.device("/job:open/task:0"):
    content = tf.io.read_file(sys.argv[2])
config = v1.ConfigProto(operation_timeout_in_ms=20000, device_filters=["/job:open"])
with v1.Session(f"grpc://10.77.0.1:{sys.argv[1]}", graph=graph, config=config) as session:
    print(session.run(content).decode())
"""
CONNECT = """
import socket, sys
try:
    with socket.create_connection(("10.77.0.1", int(sys.argv[1])), 1) as stranger:
        print("answers" if stranger.recv(1) else "connects")
except ConnectionRefusedError:
    print("refused")
except TimeoutError:
    print("silent")
"""


def ip(*arguments: str, inside: str | None = None) -> None:
    prefix = ["nsenter", "-t", inside, "-n"] if inside else []
    subprocess.run([*prefix, "ip", *arguments], check=True)


def join(other: str) -> None:
    """Lay a cable to the namespace of process ``other``, and give both ends an address."""
    ip("link", "set", "lo", "up")
    ip("link", "add", "here", "type", "veth", "peer", "name", "there")
    ip("link", "set", "there", "netns", other)
    ip("addr", "add", f"{HERE}/24", "dev", "here")
    ip("link", "set", "here", "up")
    ip("addr", "add", f"{THERE}/24", "dev", "there", inside=other)
    ip("link", "set", "there", "up", inside=other)


def from_there(other: str, program: str, *arguments: str) -> str:
    """What a program prints that runs on the other machine."""
    command = ["nsenter", "-t", other, "-n", sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    return done.stdout.strip() or done.stderr[-500:]


def cells() -> dict:
    """The shared cells that start clusters, as a notebook runs them."""
    space: dict = {"__name__": "__main__"}
    for name in ("cluster_helper", "cluster_processes", "local_cluster"):
        cell = SourceCell("code", "include", f"{name}.py", "", "test")
        alone = Course(Path(__file__).parents[2])
        cell.modules = [name]
        exec(compile(shared_cell(alone, cell), f"{name}.py", "exec"), space)
    return space


def free_port() -> int:
    with socket.create_server((HERE, 0)) as server:
        return server.getsockname()[1]


def who_may_connect(other: str) -> dict:
    """What strangers meet at a server of TensorFlow, and at one of LocalCluster."""
    space, found = cells(), {}
    secret = Path(os.environ["TMPDIR"], "private.txt")
    secret.write_text("a secret of this machine")
    port = str(free_port())
    command = [sys.executable, "-c", OPEN_SERVER, port]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=null, stdout=subprocess.PIPE, stderr=null, text=True) as server:
        assert server.stdout and server.stdout.readline() == "ready\n"
        found["open server, file"] = from_there(other, READ_A_FILE, port, str(secret))
        server.kill()
    with space["LocalCluster"]({"ps": 1}) as cluster:
        port = cluster.address["ps/0"].split(":")[1]
        time.sleep(0.5)  # the filter is set by a thread that looks for new servers
        found["closed server, stranger"] = from_there(other, CONNECT, port)
        found["closed server, at home"] = space["reached"](port)
        found["closed server, own address"] = space["reached"](port, host=HERE)
    space["helper"].end()
    return found


if __name__ == "__main__":
    with subprocess.Popen(["unshare", "-n", "sleep", "300"]) as sleeper:
        try:
            time.sleep(0.3)
            join(str(sleeper.pid))
            print(json.dumps(who_may_connect(str(sleeper.pid))))
        finally:
            sleeper.kill()
