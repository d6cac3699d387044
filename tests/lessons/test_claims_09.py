"""What lesson 09 says about counts, ranks and comparisons, held to what its own code does.

The lesson's cells run in a process of their own, with the devices that they ask for. What needs the cluster is in
``test_parallelism.py``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow

LESSON = "09_data_and_model_parallelism"
PROGRAM = """
import contextlib, io, json, pathlib, sys
import matplotlib
matplotlib.use("Agg")
from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course

course = Course(pathlib.Path.cwd())
cells = [cell for cell in read_cells(course, sys.argv[1]) if cell.kind == "code" and not cell.automatic]
lesson = {"__name__": "__main__"}
seen = {}

def run(beginning):
    (cell,) = [c for c in cells if c.role in ("code", "predict", "solution") and c.text.startswith(beginning)]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(cell.text, cell.where, "exec"), lesson)
    return printed.getvalue()

with contextlib.redirect_stdout(io.StringIO()):
    for cell in cells:
        if cell.role == "include":
            exec(compile(shared_cell(course, cell), cell.name, "exec"), lesson)
lesson["helper"].end()                                            # no cluster here
run("# Predict: a gradient has 4800 bytes")
run("busiest = []")
seen["busiest"] = lesson["busiest"]
seen["totals"] = [sum(lesson["sent_by_each"](lesson[way], 4)) for way in ("naive", "tree", "ring")]
seen["ring"] = [max(lesson["sent_by_each"](lesson["ring"], n)) for n in (2, 4, 8)]
run("strategy = mirrored()")
run("train_x, train_y, test_x, test_y")
run("# Predict: each replica divides")
run("def gradient(x, y, divisor)")
run("whole = gradient(")
seen["ratios"] = lesson["ratios"]
seen["scaling"] = {f"{size} {rate}": [lesson["trained"](size, rate, updates, seed) for seed in range(6)]
                   for size, rate, updates in ((64, 0.1, 100), (256, 0.1, 25), (256, 0.4, 25))}
run("LINK =")
run("def one_replica(early")
run("# Predict: each message takes")
run("def read_trace(record, rows)")
for attempt in range(3):                                          # on a busy machine, one run may show nothing
    run("traces, lengths =")
    read = lesson["read_trace"]
    exposed = {name: read(trace.SerializeToString(), 512)["exposed"] for name, trace in lesson["traces"].items()}
    if exposed["early"] < exposed["late"]:
        break
seen["exposed"] = exposed
seen["computing"] = read(lesson["traces"]["late"].SerializeToString(), 512)["computing"]["CPU:0"]
seen["rule"] = run("known = {2: 2.0")
seen["eight"] = run("job = {")
speedups, widget = lesson["speedups"], {"compute": 1.0, "parameters": 25_000_000, "gigabytes": 1.25}
ring, ps = lesson["RING"], lesson["SERVERS"]

def best(**more):
    gains = speedups(range(1, 65), **{**widget, "way": ps, **more})
    return 1 + gains.index(max(gains))

seen["widget"] = [best(), best(servers=4), best(wire=2), speedups([8], way=ring, **{**widget, "gigabytes": 12.5})[0],
                  speedups([8], way=ring, fixed="local", **widget)[0],
                  speedups([8], way=ring, fixed="local", overlap=2 / 3, **widget)[0]]
run("# Predict: 256 rows, three layers")
seen["by layers"] = run("layers, outputs = by_layers(")
seen["overlap"] = lesson["overlap"](lesson["metadata"], "layer0", "layer1")
run("columns, halves = by_columns(")
seen["columns"] = sum(lesson["moved"](lesson["columns"], lesson["metadata"]).values())
seen["columns messages"] = len(lesson["transfers_of"](lesson["metadata"]))
seen["same"] = run("pairs, sums = by_pairs(")
seen["pairs"] = sum(lesson["moved"](lesson["pairs"], lesson["metadata"]).values())
seen["convolution"] = run("luck = np.random")
run("# Predict: three devices, four micro")
run("kinds = [")
seen["bubbles"] = lesson["bubbles"]
seen["dealt"] = run("def pipeline_of(context)")
print(json.dumps(seen, default=float))
"""


@pytest.fixture(scope="module")
def seen() -> dict:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, LESSON]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


def test_all_three_ways_move_as_much_and_nobody_in_the_ring_is_busier(seen):
    assert seen["totals"] == [28_800] * 3 and seen["busiest"] == [14_400, 9_600, 7_200]
    assert all(size < 2 * 4800 for size in seen["ring"]) and seen["ring"] == sorted(seen["ring"])


def test_a_loss_divided_by_the_local_batch_makes_the_gradient_as_large_as_there_are_replicas(seen):
    assert seen["ratios"] == [4.0, 1.0]


def test_the_linear_rule_holds_over_seeds(seen):
    small, same, scaled = (np.array(runs) for runs in seen["scaling"].values())
    assert (same - small > 0.5).all() and (same - scaled > 0.5).all()
    assert abs(np.mean(small - scaled)) < 0.15


def test_early_messages_leave_less_exposed(seen):
    assert seen["computing"] > 10, "nine products of matrices take a while, unless they were computed in advance"
    late, early = seen["exposed"]["late"], seen["exposed"]["early"]
    assert late > 20 and 2 < early < late  # three messages of 12 ms; the last layer's may hide a message's end


def test_the_well_known_figures_fit_both_models_which_part_at_sixty_four(seen):
    fixed_global, fixed_local = seen["rule"].splitlines()
    assert "2: 2.0, 4: 3.8, 8: 7.3, 64: 33.9" in fixed_global
    assert "2: 1.9, 4: 3.8, 8: 7.5, 64: 59.4" in fixed_local


def test_what_you_find_with_the_widget(seen):
    one, four, half, fast, local, hidden = seen["widget"]
    assert (one, four, half) == (3, 5, 4)
    assert fast == pytest.approx(7.2, abs=0.05) and local == pytest.approx(7.0, abs=0.05) and hidden == pytest.approx(8)


def test_eight_devices_are_a_little_over_three_times_as_fast(seen):
    gains = [float(line.split()[-9]) for line in seen["eight"].splitlines()]
    assert gains == [3.3, 4.6, 7.7, 5.9, 7.7]


def test_layers_never_work_at_once_and_pairs_send_less_than_half_of_columns(seen):
    assert seen["overlap"] == 0 and "1048576" in seen["by layers"]
    assert 2 * seen["pairs"] < seen["columns"]
    assert "[True, True]" in seen["same"]


def test_the_halo_is_a_thirty_second_part(seen):
    assert "same as unsplit: True" in seen["convolution"]
    assert 32 * 131_072 == 4_194_304 and "131072" in seen["convolution"] and "4194304" in seen["convolution"]


def test_micro_batches_make_the_bubble_smaller(seen):
    assert list(seen["bubbles"].values()) == [0.67, 0.5, 0.33, 0.2, 0.11]


def test_the_last_global_batch_leaves_replicas_without_rows(seen):
    assert seen["dealt"].splitlines()[-1] == "step 1: [[8, 9], [10, 11], [], []]"


@pytest.mark.parametrize(("runs", "two_errors"), [(2, 0.15), (3, 0.1)])
def test_two_standard_errors_find_winners_where_there_are_none_and_students_t_does_not(runs, two_errors):
    """With t the share of false winners is the 5 % that it promises."""
    from scipy import stats

    random = np.random.RandomState(0)
    first, second = random.normal(size=[2, 20_000, runs])
    errors = np.sqrt(first.var(axis=1, ddof=1) / runs + second.var(axis=1, ddof=1) / runs)
    assert np.mean(np.abs(first.mean(axis=1) - second.mean(axis=1)) > 2 * errors) > two_errors
    differences = first - second
    margin = stats.t.ppf(0.975, runs - 1) * differences.std(axis=1, ddof=1) / np.sqrt(runs)
    assert np.mean(np.abs(differences.mean(axis=1)) > margin) == pytest.approx(0.05, abs=0.01)
    assert [round(stats.t.ppf(0.975, k - 1), 2) for k in (2, 3, 6, 30)] == [12.71, 4.30, 2.57, 2.05]
