"""What lesson 12 says about bytes, messages and equal results, held to what its own code does.

The lesson's cells run in a process of their own; its jobs over processes are graded with the answer bank.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.lessons.networks import on_two_machines

pytestmark = pytest.mark.slow

PROGRAM = """
import contextlib, io, json, linecache, os, pathlib, sys, tempfile
import matplotlib
matplotlib.use("Agg")
from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course

course = Course(pathlib.Path.cwd())
lesson = {"__name__": "__main__"}
seen = {}

def run(name, text):
    # trainer.py is made of the functions' texts, which inspect finds as it does in a notebook
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), lesson)

TENSORS = '''
def tensor_sums(i, n, send, recv, flat):
    found = {i: tf.constant(flat.copy())}
    for step in range(n - 1):
        send(found[(i - step) % n])
        found[(i - step - 1) % n] = tf.constant(recv())
    return tf.add_n([found[k] for k in range(n)])

def tensor_train(i, n, reduce, weights, x, y, batches, rate):
    variables = [tf.Variable(weight) for weight in weights]
    for batch in batches:
        rows = batch[i::n]
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(losses(variables, x[rows], y[rows])) / len(batch)
        gradients = tape.gradient(loss, variables)
        total = reduce(tf.concat([tf.reshape(gradient, [-1]) for gradient in gradients], axis=0))
        for variable in variables:
            size = variable.shape.num_elements()
            variable.assign_sub(rate * total[:size].reshape(variable.shape))
            total = total[size:]
    return [variable.numpy() for variable in variables]
'''
PLANS = '''
def beside(*arguments):
    return plan(*arguments)

def plan_with_helper(tf_config, generation, lost=()):
    return beside(tf_config, generation, lost)

class Plan:
    def __call__(self, tf_config, generation, lost=()):
        return plan(tf_config, generation, lost)

plan_of_a_class = Plan()

def plan_outbox_before(tf_config, generation, lost=()):
    settings = json.loads(tf_config)
    i, n = settings["task"]["index"], len(settings["cluster"]["worker"])
    me, following = f"/job:worker/task:{i}", f"/job:worker/task:{(i + 1) % n}"
    queues = {"inbox": f"to {i}", "outbox": f"to {(i - 1) % n}"}
    return {"rank": i, "n": n, "me": me, "next": following, **queues}

def plan_same_names(tf_config, generation, lost=()):
    settings = json.loads(tf_config)
    i, n = settings["task"]["index"], len(settings["cluster"]["worker"])
    me, following = f"/job:worker/task:{i}", f"/job:worker/task:{(i + 1) % n}"
    return {"rank": i, "n": n, "me": me, "next": following, "inbox": "sums", "outbox": "sums"}
'''

# demonstrations that start processes, and long ones: what the tests need of them they do themselves
LONG = ("%%", "ring_job(", "if three", "survived_a_kill", "board", "timed_runs", "digits_by_adam(", "runs[", "runs = {")
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    for cell in read_cells(course, "12_own_trainer"):
        if cell.kind != "code" or cell.automatic or cell.role in ("check", "hidden", "try"):
            continue
        if cell.skip_grading and cell.role != "include" and any(word in cell.text for word in LONG):
            continue
        run(cell.where, shared_cell(course, cell) if cell.role == "include" else cell.text)
seen["race"] = lesson["race"](lesson["plan"], lesson["all_reduce"], lesson["train"], lesson["digits_job"](steps=40))
with contextlib.redirect_stdout(printed):
    lesson["show_race"](seen["race"], os.path.join(tempfile.mkdtemp(), "race.html"))
seen["buckets"] = lesson["train_in_buckets"](
    lesson["sum_early"], lesson["all_reduce"], [(10**9, 0), (2**20, 0), (1, 0)], steps=6
)
run("tensors", TENSORS)
text = lesson["trainer_text"](lesson["plan"], lesson["tensor_sums"], lesson["tensor_train"])
seen["tensors"] = {"text": text, "error": lesson["ring_job"](text, lesson["digits_job"](steps=3))["error"]}
lesson["helper"].end()  # no processes from here on
seen["printed"] = printed.getvalue()
np = lesson["np"]
vectors = [np.float32(np.random.RandomState(i).rand(4810)) for i in range(3)]
for name in ("all_reduce", "whole_vectors"):
    record = lesson["reduce_in_threads"](lesson[name], vectors)
    first = record["results"][0]
    seen[name] = {
        "sent": [sum(message.nbytes for message in mine) for mine in record["sent"]],
        "equal": all(np.array_equal(result, first) for result in record["results"]),
        "apart": float(np.abs(first - sum(vectors)).max()),
    }
trained = lesson["train_in_threads"](lesson["train"], 3, [60] * 5, 1, 0.3)
seen["difference"] = max(trained["differences"])
survived = lesson["survived_by_threads"](lesson["survive"], 3, 7, 3, [(1, 5)])
seen["survived"] = {
    "weights": [mine.tolist() for mine in survived["weights"]],
    "right": survived["right"].tolist(),
    "saved": survived["saved"],
    "events": survived["events"]["worker/0"],
}

adam = lesson["adam_in_threads"](lesson["sharded_adam"], 3, 4810, 3, 1, 0.01)
small = lesson["adam_in_threads"](lesson["sharded_adam"], 3, 10, 3, 1, 0.01)
plain = lesson["adam_alone"](small["before"], small["gradients"], 0.01)
seen["adam"] = {
    "apart": max(float(np.abs(mine - plain).max()) for mine in small["results"]),
    "slots": [sum(slot.nbytes for slot in states[-1][1:]) for states in adam["states"]],
    "alone": 2 * adam["before"].nbytes,
}

def halves(i, n, send, recv):
    chunk = lesson["reduce_scatter"](i, n, send, recv, vectors[i])
    return lesson["all_gather"](i, n, send, recv, chunk)

seen["halves"] = [sum(m.nbytes for m in mine) for mine in lesson["in_ring"](3, halves)["sent"]]

def wrong(*anything):
    return None

seen["mine"] = lesson["trainer_text"](lesson["plan"], lesson["all_reduce"], lesson["train"])
seen["simple"] = lesson["trainer_text"](wrong, wrong, lesson["train"])
run("plans", PLANS)
seen["plans"] = {
    name: lesson["trainer_text"](lesson[name], lesson["all_reduce"], lesson["train"])
    for name in ("plan_with_helper", "plan_of_a_class", "plan_outbox_before", "plan_same_names")
}

folder = pathlib.Path(sys.argv[1])
data = lesson["digits_job"](steps=20)
np.savez(folder / "data.npz", **data)
(folder / "trainer.py").write_text(seen["mine"])
program = [cell for cell in read_cells(course, "12_own_trainer") if cell.text.startswith("%%writefile test_trainer.py")]
(folder / "test_trainer.py").write_text(program[0].text.partition(chr(10))[2])
alone = lesson["trained_alone"](
    [data[f"w{k}"] for k in range(4)], data["x"], data["y"], data["batches"], data["rate"]
)
seen["alone"] = float(np.abs(alone[0]).sum())

runs = {
    "wide": lesson["digits_by_sums"](lesson["by_wide_link"], data, 20),
    "narrow link": lesson["digits_by_sums"](lesson["by_narrow_link"], data, 20),
    "narrow": lesson["digits_by_sums"](lesson["narrow_all_reduce"], data, 20),
}
longer = lesson["digits_job"](steps=150)
for name, keep in (("alone", False), ("kept", True)):
    runs[name] = lesson["digits_by_largest"](lesson["top_k"], 48, longer, 150, keep=keep)
runs["all"] = lesson["digits_by_sums"](lesson["by_wide_link"], longer, 150)
seen["runs"] = runs
print(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Where the lesson's files are: trainer.py with its data, and test_trainer.py."""
    return tmp_path_factory.mktemp("trainer")


@pytest.fixture(scope="module")
def seen(folder) -> dict:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=400, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


def test_a_ring_of_chunks_sends_what_the_formula_says_and_padding(seen):
    formula = 2 * (3 - 1) / 3 * 4810 * 4
    assert seen["all_reduce"]["sent"] == [25_664] * 3 and round(formula) == 25_653
    assert seen["whole_vectors"]["sent"] == [38_480] * 3


def test_workers_are_equal_to_the_last_bit(seen):
    assert seen["all_reduce"]["equal"] and 0 < seen["all_reduce"]["apart"] < 1e-6


def test_training_is_that_of_one_process_up_to_rounding(seen):
    assert 0 < seen["difference"] < 1e-6


def test_who_receives_first_waits_for_ever(seen):
    assert "DeadlineExceededError" in seen["printed"] and "it comes to: nothing" in seen["printed"]


def test_survivors_go_back_to_the_checkpoint_and_go_on_with_one_less(seen):
    survived = seen["survived"]
    assert survived["weights"] == [survived["right"]] * 2
    # three steps of three, then four of two; the first number grows by (k + 1) times 111 and 11
    assert survived["right"] == [111 * (1 + 2 + 3) + 11 * (4 + 5 + 6 + 7), 3 * 3 + 4 * 2]
    assert survived["saved"] == [["worker/0", 3], ["worker/2", 6]]  # the first of each ring
    assert survived["events"] == ["members 0", "connect 0", "load", "members 1", "connect 1", "load"]


def functions(text: str) -> set[str]:
    return {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def test_the_file_has_the_learners_functions_or_the_lessons_simple_ones(seen):
    assert {"plan", "all_reduce", "train", "open_link"} <= functions(seen["mine"])
    assert {"simple_plan", "whole_vectors", "train"} <= functions(seen["simple"])
    assert not {"plan", "all_reduce"} & functions(seen["simple"])


def test_nobody_loses_the_trainer_by_a_plan_that_is_wrong_or_not_whole_by_itself(seen):
    for text in seen["plans"].values():
        assert {"simple_plan", "all_reduce", "train"} <= functions(text)


def test_processes_take_tensors_as_threads_do(seen):
    assert seen["tensors"]["error"] == ""
    assert {"plan", "tensor_sums", "tensor_train"} <= functions(seen["tensors"]["text"])


def test_sharded_adam_is_plain_adam_with_a_third_of_its_slots(seen):
    assert seen["adam"]["apart"] < 1e-5
    assert seen["adam"]["slots"] == [12_832] * 3 and seen["adam"]["alone"] == 38_480


def test_sharded_adam_sends_what_an_all_reduce_sends(seen):
    assert seen["halves"] == seen["all_reduce"]["sent"]


def test_all_ways_of_the_race_train_the_same_weights(seen):
    race = seen["race"]
    assert all(0 < race[way]["difference"] < 1e-5 for way in ("your ring", "TensorFlow's ring", "one ps"))
    assert "a page to show" in seen["printed"]


def test_bytes_of_the_race(seen):
    race = seen["race"]
    assert [race[way]["sent"] for way in ("your ring", "one ps")] == [25_664, 19_240]
    assert race["your ring"]["carried"] > 3 * 25_664 and race["one ps"]["carried"] > 6 * 19_240
    assert race["TensorFlow's ring"]["carried"] > 3 * 25_653


def test_one_process_is_sooner_than_all_that_wait_for_a_sum(seen):
    race = seen["race"]
    steps = {way: race[way]["step"] for way in race}
    assert min(steps, key=lambda name: steps[name]) == "one process"
    assert race["one process"]["reduce"] < 0.1 * steps["one process"] < race["your ring"]["reduce"]


def test_trainer_passes_its_own_tests_and_a_broken_one_fails(seen, folder):
    for arguments in (["test_trainer.py"], ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_trainer.py"]):
        run = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0 and run.stdout.count("passed") in (1, 4), run.stdout + run.stderr
    whole = (folder / "trainer.py").read_text()
    assert whole.count("chunks[(i - step - 1) % n] += recv()") == 1
    (folder / "trainer.py").write_text(whole.replace("chunks[(i - step - 1) % n] += recv()", "recv()"))
    run = subprocess.run([sys.executable, "test_trainer.py"], cwd=folder, capture_output=True, text=True, timeout=120)
    (folder / "trainer.py").write_text(whole)
    assert run.returncode == 1 and "AssertionError" in run.stderr


def test_trainer_runs_over_two_machines(seen, folder):
    """Two network namespaces with a cable between them: the same file, addresses of two machines."""
    found = on_two_machines(folder, str(folder))
    assert found["equal"] and found["sent"] == [20 * 2 * 4 * 2405] * 2
    assert abs(found["first"] - seen["alone"]) < 1e-4 * seen["alone"]


def test_buckets_change_when_it_is_sent_and_not_what_comes_of_it(seen):
    runs = seen["buckets"]
    assert [run["buckets"] for run in runs] == [1, 5, 12]
    assert max(run["sum"] for run in runs) - min(run["sum"] for run in runs) < 1e-3 * runs[0]["sum"]
    first = [min(begin for begin, *_ in run["lanes"]["all-reduce"]) for run in runs]
    last = [max(end for _, end, *_ in run["lanes"]["computes"]) for run in runs]
    assert first[0] > last[0], "one vector is sent when all is computed"
    assert first[1] < last[1] and first[2] < last[2], "buckets are sent while it computes"


def test_a_narrow_link_halves_the_bytes_and_makes_replicas_drift(seen):
    runs = seen["runs"]
    assert [runs[name]["bytes"] for name in ("wide", "narrow link", "narrow")] == [25_664, 12_832, 12_832]
    assert runs["wide"]["apart"] == runs["narrow"]["apart"] == 0 < runs["narrow link"]["apart"]


def test_what_is_left_over_matters_to_the_largest_hundredth(seen):
    runs = seen["runs"]
    assert runs["alone"]["bytes"] == runs["kept"]["bytes"] == 2 * 48 * 8
    assert runs["alone"]["accuracy"] + 0.05 < runs["kept"]["accuracy"] < runs["all"]["accuracy"]
