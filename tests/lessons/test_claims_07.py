"""What lesson 07 says of sizes, orders and ends is so: its own cells are run, over seeds where there is luck."""

from __future__ import annotations

import sys

import pytest

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

from .test_clusters import Kernel
from .test_replication import LESSON, lesson_cell, write_programs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("claims_07"),  # one kernel for all
    pytest.mark.skipif(sys.platform != "linux", reason="starts processes by forks"),
]

CELLS = (
    "from sklearn.datasets import load_digits",
    "def tower_loss(",
    "def tower_graph(",
    "def trained(graph",
    "def replicas_on(",
    "def by_batch(",
    "def mirrored_epoch(",
    "alone = replicas_on(",
    "def by_share(",
    "def fitted(",
    "with tf.Graph().as_default() as ensemble_graph",
    "def score(",
    "def worker_graph(",
    "def start_job(",
    "def ready(",
    "def seconds_for(",
)


APART = """
def apart(rows, loss_of):
    some = tf.data.Dataset.from_tensor_slices((train_x[:rows], train_y[:rows])).batch(60)
    two, losses = mirrored_epoch(strategy, some, loss_of)
    return np.abs(two - mirrored_epoch(alone, some)[0]).max(), losses[-1]
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A kernel in which the lesson's helpers and the cells above have run, with TensorFlow's own settings."""
    folder = tmp_path_factory.mktemp("claims")
    write_programs(folder)
    kernel = Kernel(folder)
    for cell in read_cells(Course(ROOT), LESSON):
        if cell.role == "include" and not cell.automatic:
            assert kernel.run(shared_cell(Course(ROOT), cell))["status"] == "ok"
    predictions = "variables = ...; equals_one_device = '...'; better_than_on_average = '...'"
    for text in [predictions, *map(lesson_cell, CELLS), APART]:
        assert kernel.run(text)["status"] == "ok", text
    yield kernel
    kernel.close()


def number(kernel: Kernel, expression: str) -> float:
    return float(kernel.value(f"str(float({expression}))"))


def test_towers_share_two_variables_and_equal_the_full_batch_only_with_equal_shares(kernel):
    assert kernel.value("' '.join(names)") == "model/w model/b"
    assert number(kernel, "np.abs(trained(three) - trained(one)).max()") < 1e-5
    for shares in ("[10, 20, 30]", "[30, 20, 10]", "[1, 29, 30]"):
        assert number(kernel, f"np.abs(trained(tower_graph({shares})) - trained(one)).max()") > 1e-3


def test_replicas_equal_one_device_if_divided_by_the_rows_of_the_global_batch(kernel):
    for rows in (120, 131, 121):
        assert number(kernel, f"apart({rows}, by_batch)[0]") < 1e-5
    assert number(kernel, "apart(120, by_share)[0]") < 1e-5
    assert number(kernel, "apart(131, by_share)[0]") > 1e-3
    assert kernel.value("str(np.isnan(apart(121, by_share)[1]))") == "True"


def test_fit_makes_the_same_mistake(kernel):
    assert number(kernel, "np.abs(fitted(strategy, 120) - fitted(alone, 120)).max()") < 1e-5
    for rows in (131, 121):
        wrong = f"np.abs(fitted(strategy, {rows}) - fitted(alone, {rows})).max()"
        assert number(kernel, wrong) > 1e-3
        assert number(kernel, f"{wrong} - apart({rows}, by_share)[0]") == pytest.approx(0, abs=1e-5)


def test_the_ensemble_is_better_than_its_members_are_on_average_and_mostly_than_the_best(kernel):
    kernel.run("found = [trained_ensemble(seed) for seed in range(8)]")
    assert number(kernel, "min(together - np.mean(members) for members, together in found)") >= 0.02
    assert number(kernel, "np.mean([together > max(members) for members, together in found])") > 0.5


def test_variables_are_dealt_out_in_turn(kernel):
    of = "[int(op.device[-1]) for op in worker_graph(1, ps={}).get_operations() if op.type == 'VarHandleOp']"
    assert kernel.value(f"str({of.format(2)})") == "[0, 1, 0, 1]"
    assert kernel.value(f"str({of.format(3)})") == "[0, 1, 2, 0]"


def test_a_dead_worker_stops_three_of_three_every_time(kernel):
    start = lesson_cell('quick = ["--steps=60"').replace("--deadline=10", "--deadline=6")
    assert kernel.run(start)["status"] == "ok"
    end = lesson_cell("def how_it_ended(").partition("\nwhys = ")[0]
    assert kernel.run(end)["status"] == "ok"
    assert kernel.value("how_it_ended(no_chief, 'worker/1')[0]") == "error"
    assert kernel.value("how_it_ended(three_of_three, 'worker/0')[0]") == "error"
    assert kernel.value("how_it_ended(two_of_three, 'worker/0')[0]") == "work"
