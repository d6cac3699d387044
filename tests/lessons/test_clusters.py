"""What a cluster leaves behind when its notebook ends: nothing, however it ends; and who may connect to it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager

from autograder.authoring.source import SourceCell, read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT
from tests.kernels import MARK, processes_marked
from tests.lessons.networks import on_two_machines
from tests.servers import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

SECONDS = 180
CELLS = ("local_cluster",)  # what it needs comes with it
START = 'cluster = LocalCluster({"ps": 1, "worker": 2})'


class Kernel:
    """A bare kernel whose processes carry a mark and whose temporary files have a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.mark, self.folder = uuid.uuid4().hex, folder
        self.manager = KernelManager()
        self.manager.start_kernel(env={**os.environ, MARK: self.mark, "TMPDIR": str(folder)}, cwd=folder)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=SECONDS)

    def run(self, code: str, **more) -> dict:
        # stop_on_error: else a cell that comes right after an error may be aborted, unrun
        return self.client.execute_interactive(
            code, timeout=SECONDS, output_hook=lambda _: None, stop_on_error=False, **more
        )["content"]

    def value(self, expression: str) -> str:
        reply = self.run("", user_expressions={"x": expression})
        return reply["user_expressions"]["x"]["data"]["text/plain"].strip("'")

    def interrupted(self, code: str, wait: Callable[[], None]) -> dict:
        """The reply of a cell that is interrupted after ``wait``."""
        asked = self.client.execute(code, stop_on_error=False)
        wait()
        self.manager.interrupt_kernel()
        while (reply := self.client.get_shell_msg(timeout=SECONDS))["parent_header"].get("msg_id") != asked:
            pass
        return reply["content"]

    def close(self) -> None:
        self.client.stop_channels()
        if self.manager.is_alive():
            self.manager.shutdown_kernel(now=True)


@pytest.fixture
def kernel(tmp_path):
    kernel = Kernel(tmp_path)
    course = Course(ROOT)
    for name in CELLS:
        text = shared_cell(course, SourceCell("code", "include", f"{name}.py", "", "test"))
        assert kernel.run(text)["status"] == "ok"
    yield kernel
    kernel.close()


def included(lesson: str, name: str) -> str:
    """The text of a shared cell as a lesson has it."""
    cells = read_cells(Course(ROOT), lesson)
    return shared_cell(Course(ROOT), next(c for c in cells if c.role == "include" and c.name == f"{name}.py"))


def gone(kernel: Kernel, ports: list[int], seconds: float = 15) -> None:
    """Wait until no process, port and file of the kernel is left."""
    deadline = time.monotonic() + seconds
    while True:
        left = [*processes_marked(kernel.mark), *filter(listens, ports), *kernel.folder.glob("cluster-*")]
        if not left:
            return
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def ports_of(kernel: Kernel) -> list[int]:
    text = kernel.value('",".join(at.split(":")[1] for at in cluster.address.values())')
    return [int(port) for port in text.split(",")]


def started(kernel: Kernel) -> list[int]:
    assert kernel.run(START)["status"] == "ok"
    ports = ports_of(kernel)
    assert len(ports) == 3 and all(map(listens, ports))
    assert len(processes_marked(kernel.mark)) >= 5  # the kernel, the helper and three tasks
    return ports


def test_a_kernel_that_is_killed_takes_its_cluster_along(kernel):
    ports = started(kernel)
    os.kill(kernel.manager.provisioner.pid, signal.SIGKILL)
    gone(kernel, ports)


def test_a_kernel_killed_while_the_helper_still_imports(kernel):
    assert kernel.run("helper.begin()")["status"] == "ok"
    os.kill(kernel.manager.provisioner.pid, signal.SIGKILL)
    gone(kernel, [], seconds=SECONDS)


def test_a_helper_that_is_killed_takes_its_tasks_along(kernel):
    ports = started(kernel)
    os.kill(int(kernel.value("helper.process.pid")), signal.SIGKILL)
    wait_for(lambda: not any(map(listens, ports)), 15, "the tasks to end")
    assert kernel.run("cluster.alive()")["ename"] == "ClusterError"
    kernel.client.shutdown()
    gone(kernel, ports)


def after_an_interrupt_the_cluster_still_works(kernel: Kernel, ports: list[int]) -> None:
    assert kernel.interrupted("while True: cluster.alive()", lambda: time.sleep(1))["status"] == "error"
    assert all(map(listens, ports))  # the interrupt did not reach the tasks
    assert kernel.run('cluster.kill("worker/1"); cluster.start("worker/1")')["status"] == "ok"
    assert kernel.value('" ".join(set(cluster.alive().values()))') == "answers"


def test_a_start_that_fails_or_is_interrupted_leaves_no_task_and_a_cluster_that_works_ends_with_its_kernel(kernel):
    broken = 'LocalCluster({"ps": 1, "worker": 1}, script="import sys; sys.exit(\'no luck\')")'
    reply = kernel.run(f"cluster = {broken}")
    assert reply["ename"] == "ClusterError" and "ended with 1" in reply["evalue"]
    silent = 'LocalCluster({"ps": 1}, script="import time; time.sleep(600)", name="silent")'

    def wait() -> None:
        wait_for(lambda: len(processes_marked(kernel.mark)) >= 3, SECONDS, "the task to start")
        time.sleep(0.3)

    assert kernel.interrupted(silent, wait)["status"] == "error"
    deadline = time.monotonic() + 15
    while len(processes_marked(kernel.mark)) > 2:  # the kernel and the helper
        assert time.monotonic() < deadline, processes_marked(kernel.mark)
        time.sleep(0.05)
    ports = started(kernel)
    after_an_interrupt_the_cluster_still_works(kernel, ports)
    kernel.client.shutdown()
    gone(kernel, ports)


def test_strangers_reach_a_server_of_tensorflow_and_none_of_the_course(tmp_path):
    """From another network namespace: two machines on one, no address outside them is reachable."""
    assert on_two_machines(tmp_path) == {
        "open server, file": "a secret of this machine",
        "closed server, stranger": "silent",
        "closed server, at home": "answers",
        "closed server, own address": "silent",
    }
