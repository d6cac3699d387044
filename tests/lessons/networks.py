"""Two machines on one: this process's own network namespace, and another that is joined to it by a cable.

Run under ``unshare`` (see test_clusters.py): nothing that happens here can reach an address outside these two.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from autograder.authoring.source import SourceCell, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

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


def can_have_networks() -> bool:
    """Whether this user may make network namespaces here, and join them."""
    if not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
        return False
    try_it = ["unshare", "-rn", "ip", "link", "add", "name", "here", "type", "veth", "peer", "name", "there"]
    return subprocess.run(try_it, capture_output=True, stdin=subprocess.DEVNULL).returncode == 0


def on_two_machines(folder: Path, *arguments: str) -> dict:
    """What this module finds when it runs in a namespace of its own, with `folder` for temporary files."""
    if not can_have_networks():
        pytest.skip("network namespaces cannot be made here")
    command = ["unshare", "-rn", sys.executable, "-m", "tests.lessons.networks", *arguments]
    environment = {**os.environ, "TMPDIR": str(folder), "TF_CPP_MIN_LOG_LEVEL": "2"}
    null = subprocess.DEVNULL
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, stdin=null, timeout=180)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def join(other: str) -> None:
    """Lay a cable to the namespace of process ``other``, and give both ends an address."""
    ip("link", "set", "lo", "up")
    ip("link", "add", "name", "here", "type", "veth", "peer", "name", "there")
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
        alone = Course(ROOT)
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


def trained_by_two_machines(other: str, folder: Path) -> dict:
    """What a learner's ``trainer.py`` does with a worker on each machine; `folder` holds it and its data."""
    port = free_port()
    cluster = {"worker": [f"{HERE}:{port}", f"{THERE}:{port}"]}
    job = json.dumps({"data": str(folder / "data.npz"), "out": str(folder / "out")})
    outs = [folder / f"out-{index}.npz" for index in (0, 1)]
    workers = []
    try:
        for index, prefix in ((1, ["nsenter", "-t", other, "-n"]), (0, [])):
            config = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}})
            environment = {**os.environ, "TF_CONFIG": config, "RING_JOB": job}
            command = [*prefix, sys.executable, str(folder / "trainer.py")]
            null = subprocess.DEVNULL
            workers.append(subprocess.Popen(command, env=environment, stdin=null, stdout=null))
            time.sleep(10 * index)  # somebody walks to the other machine
        end = time.monotonic() + 120
        while not all(out.exists() for out in outs):
            ended = [worker.returncode for worker in workers if worker.poll() is not None]
            assert not ended and time.monotonic() < end, f"no weights; ended: {ended}"
            time.sleep(0.1)
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    files = [dict(np.load(out)) for out in outs]
    return {
        "equal": all(np.array_equal(files[0][f"arr_{k}"], files[1][f"arr_{k}"]) for k in range(4)),
        "sent": [int(file["sent"]) for file in files],
        "first": float(np.abs(files[0]["arr_0"]).sum()),
    }


if __name__ == "__main__":
    with subprocess.Popen(["unshare", "-n", "sleep", "300"]) as sleeper:
        try:
            time.sleep(0.3)
            join(str(sleeper.pid))
            if len(sys.argv) > 1:
                print(json.dumps(trained_by_two_machines(str(sleeper.pid), Path(sys.argv[1]))))
            else:
                print(json.dumps(who_may_connect(str(sleeper.pid))))
        finally:
            sleeper.kill()
