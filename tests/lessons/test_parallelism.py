"""The replicas of lesson 09: what they measure, and what they leave behind, however they end."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import pytest

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

from .test_clusters import Kernel, gone

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

LESSON = "09_data_and_model_parallelism"
SECONDS = 180
TEAM = """
cluster = LocalCluster({"ps": 1, "worker": 4})
team = Replicas(cluster, asynchronous_graph, synchronous_graph, chief_graph)
asynchronous, synchronous, chief = team.asynchronous, team.synchronous, team.chief
"""


def with_cluster(folder) -> Kernel:
    """A kernel with the lesson's helpers, its cluster and its replicas."""
    kernel, course = Kernel(folder), Course(ROOT)
    for cell in read_cells(course, LESSON):
        if cell.role == "include" and not cell.automatic:
            assert kernel.run(shared_cell(course, cell))["status"] == "ok", cell.name
    assert kernel.run(TEAM)["status"] == "ok"
    return kernel


@pytest.fixture
def kernel(tmp_path):
    kernel = with_cluster(tmp_path)
    yield kernel
    kernel.close()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """One for the tests that leave its cluster as it was."""
    kernel = with_cluster(tmp_path_factory.mktemp("lasting"))
    yield kernel
    kernel.close()


def ports(kernel: Kernel) -> list[int]:
    return [int(p) for p in kernel.value('",".join(at.split(":")[1] for at in cluster.address.values())').split(",")]


def threads(kernel: Kernel) -> int:
    return int(kernel.value("sum('guarded' in t.name for t in threading.enumerate())"))


LASTING = pytest.mark.xdist_group("replicas")


@LASTING
def test_each_way_counts_what_it_says_and_trains(lasting):
    kernel = lasting
    assert kernel.run("step = lambda: int(chief.run('step/Read/ReadVariableOp:0'))")["status"] == "ok"
    for code, updates in (
        ("run = asynchronous(60, 0.3, 1)", 60),
        ("run = asynchronous(60, 0.3, 1, limit=-1)", 0),  # all are dropped
        ("run = synchronous(15, 4, 0.6, 1)", 15),
        ("run = synchronous(20, 3, 0.6, 1, slow={3: 0.05})", 20),
    ):
        assert kernel.run(f"before = step(); {code}")["status"] == "ok", code
        assert updates <= int(kernel.value("step() - before")) <= updates + 4, code  # others may be under way
        assert int(kernel.value("int(chief.run('left:0'))")) == 0
        assert (float(kernel.value("run['loss']")) < 2) == (updates > 0)
    assert threads(kernel) == 0


@LASTING
def test_a_lone_replica_is_never_stale_and_four_are(lasting):
    kernel = lasting
    assert kernel.run("run = asynchronous(40, 0.1, 0, replicas=1)")["status"] == "ok"
    assert kernel.value("{s for _, s in run['stale']}") == "{0}"
    assert kernel.run("run = asynchronous(160, 0.1, 0, slow={3: 0.05})")["status"] == "ok"
    assert float(kernel.value("float(np.mean([s for w, s in run['stale'] if w == 3]))")) > 1.5
    assert kernel.run("run = asynchronous(80, 0.1, 0, warmup=40)")["status"] == "ok"
    assert kernel.value("{pair for pair in run['stale'][:40]}") == "{(0, 0)}"


@LASTING
def test_synchronous_training_pays_for_a_straggler_in_each_update(lasting):
    kernel = lasting
    code = "fast = asynchronous(40, 0.1, 0, slow={3: 0.1}); late = synchronous(10, 4, 0.1, 0, slow={3: 0.1})"
    assert kernel.run(code)["status"] == "ok"
    assert float(kernel.value("late['seconds']")) >= 1.0 > float(kernel.value("fast['seconds']"))


@LASTING
def test_stale_gradients_do_harm_and_each_remedy_helps_over_seeds(lasting):
    kernel = lasting
    cell = next(c for c in read_cells(Course(ROOT), LESSON) if c.text.startswith("def bold("))
    definition = cell.text[: cell.text.index("one = ")]
    remedies = next(c for c in read_cells(Course(ROOT), LESSON) if c.text.startswith("remedies = {"))
    table = remedies.text[: remedies.text.index("factors = ")]
    code = f"{definition}\n{table}\nremedies = {{'one': dict(replicas=1), 'four': {{}}, **remedies}}"
    assert kernel.run(code)["status"] == "ok"
    runs = "runs = {name: [bold(seed, **more) for seed in range(3)] for name, more in remedies.items()}"
    assert kernel.run(runs)["status"] == "ok"
    medians = "__import__('json').dumps({name: float(np.median(found)) for name, found in runs.items()})"
    found = json.loads(kernel.value(medians))
    four = found.pop("four")
    assert found["one"] < four / 2 and all(loss < four for loss in found.values()), (four, found)


SLOW = "slow={worker: 0.05 for worker in range(4)}"  # leaves the processor to others until a deadline of 30 s is over


@LASTING
@pytest.mark.parametrize("run", ["asynchronous(100000, 0.1, 0, {})", "synchronous(100000, 4, 0.1, 0, {})"])
def test_a_worker_that_dies_ends_the_run_with_an_error_and_no_thread_is_left(lasting, run):
    kernel = lasting
    kernel.run("killer = threading.Timer(1, cluster.kill, ['worker/2']); killer.start()")
    reply = kernel.run(run.format(SLOW))
    assert reply["status"] == "error" and reply["ename"] in (
        "UnavailableError",
        "AbortedError",
        "DeadlineExceededError",
    )
    assert threads(kernel) == 0
    assert kernel.run("cluster.start('worker/2')")["status"] == "ok"


def test_after_an_interrupt_the_next_run_is_right_and_all_ends_with_the_kernel(kernel):
    used = ports(kernel)
    for run in ("asynchronous(100000, 0.1, 0)", "synchronous(100000, 4, 0.1, 0)"):
        assert kernel.interrupted(run, lambda: time.sleep(2))["ename"] == "KeyboardInterrupt"
        assert threads(kernel) == 0
        for again in ("run = synchronous(10, 4, 0.5, 0)", "run = asynchronous(40, 0.1, 0, replicas=1)"):
            reply = kernel.run(again)
            assert reply["status"] == "ok", reply["evalue"]
        assert kernel.value("{s for _, s in run['stale']}") == "{0}"
    kernel.client.shutdown()
    gone(kernel, used)


def test_a_kernel_that_is_killed_leaves_nothing(kernel):
    used = ports(kernel)
    kernel.client.execute("asynchronous(100000, 0.1, 0)")
    time.sleep(1)
    os.kill(kernel.manager.provisioner.pid, signal.SIGKILL)
    gone(kernel, used)
