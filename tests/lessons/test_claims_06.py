"""What lesson 06 says is so: its own cells run, in a process of their own, and the claims are looked at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="tasks are forked and cut off")]

LESSON = "06_clusters"
# The cells that define what is looked at, by how they begin.
CELLS = (
    "cluster = LocalCluster(",
    "v1 = tf.compat.v1",
    "import os\n\nos.environ",
    "def read_wrong(",
    "two = ",
    "def on_cluster(",
    "def size_in_bytes(",
    "def training_step(",
    "def client(",
    "def lost_training(",
    "def words(",
    "def read(",
    "import time\n\ndef outcome",
    "fragile = LocalCluster(",
)

LOOK = """
import time as clock

def seconds_of(action):
    begin = clock.monotonic()
    try:
        result = action()
    except tf.errors.OpError as error:
        result = type(error).__name__
    return [result if isinstance(result, str) else float(np.sum(result)), clock.monotonic() - begin]

def moved(n, optimised):
    graph = training_step(n)
    update = graph.get_operation_by_name("update").name
    if not optimised:
        record = on_cluster(graph, update)[1]
    else:  # TensorFlow's default settings
        record = v1.RunMetadata()
        assign = [op for op in graph.get_operations() if op.type == "AssignVariableOp"]
        options = v1.RunOptions(output_partition_graphs=True)
        with v1.Session(cluster.target("worker/0"), graph=graph) as session:
            session.run(assign)
            session.run(update, None, options, record)
    return sorted([source.split()[0], target.split()[0]] for name, source, target in transfers_of(record)
                  if source.split()[0] != target.split()[0])

found = {"wrong": {name: read_wrong(text) for name, text in wrong.items()}}
found["moved"], found["moved by default"] = moved(32, False), moved(32, True)
graph = training_step(64)
record = on_cluster(graph, graph.get_operation_by_name("update").name)[1]
found["bytes"] = sorted(size_in_bytes(graph, name) for name, source, target in transfers_of(record)
                        if source.split()[0] != target.split()[0])
first, variable, add_ten = client("worker/0")
first.run([variable.initializer])
first.run(add_ten)
second, same, _ = client("worker/1")
found["shared"] = float(second.run(same))
target = lost_training({"layer": [1, [8.0, 16.0]]}, steps=3)
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:1"):
        layer = v1.get_variable("layer", shape=[2])
    with tf.device("/job:ps/task:0"):
        other = v1.get_variable("shared", shape=[])
    for kind in (False, True):
        v1.train.Saver([layer, other], sharded=kind, name=f"save{kind}")
found["savers"] = {kind: sum(op.type == "SaveV2" and op.name.startswith(f"save{kind}") for op in graph.get_operations())
                   for kind in (False, True)}
with v1.Session(target, graph=graph) as session:
    found["kept"] = session.run(layer).tolist()

begin = clock.monotonic()
fragile.start("worker/1")
found["a later start"] = clock.monotonic() - begin
session = open_session("worker/0")
session.run(kept.initializer)
session.run([doubled[0], doubled[1]])
fragile.kill("worker/1")
found["dead"] = seconds_of(lambda: session.run(doubled[1]))
found["dead, work without it"] = seconds_of(lambda: session.run(doubled[0]))
fragile.start("worker/1")
session = open_session("worker/0")
session.run([doubled[0], doubled[1]])
fragile.freeze("worker/1")
found["frozen"] = seconds_of(lambda: session.run(doubled[1]))
found["frozen, work without it"] = seconds_of(lambda: session.run(doubled[0]))
found["frozen, new session"] = seconds_of(lambda: open_session("worker/0").run(doubled[0]))
found["frozen, state"] = fragile.state("worker/1")
fragile.thaw("worker/1")
found["thawed, old session"] = seconds_of(lambda: session.run(doubled[1]))
fragile.cut_off("worker/1")
found["cut off"] = seconds_of(lambda: session.run(doubled[1]))
found["cut off, state"] = fragile.state("worker/1")
fragile.reconnect("worker/1")
session = open_session("worker/0")
session.run([doubled[0], doubled[1]])
fragile.kill("worker/0")
found["dead master"] = seconds_of(lambda: session.run(doubled[0]))
fragile.start("worker/0")
found["master back"] = seconds_of(lambda: session.run(doubled[0]))
fragile.kill("ps/0")
fragile.start("ps/0")
found["ps back"] = seconds_of(lambda: open_session("worker/0").run(doubled[0]))

import psutil

server = psutil.Process(cluster.process_id("ps/0"))
found["listens on"] = [at.laddr.ip for at in server.net_connections("tcp") if at.status == psutil.CONN_LISTEN]
print(json.dumps(found))
helper.end()
os._exit(0)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict:
    """What the lesson's cells showed."""
    course = Course(ROOT)
    cells = read_cells(course, LESSON)
    texts = [shared_cell(course, cell) for cell in cells if cell.role == "include" and not cell.automatic]
    plain = [cell.text for cell in cells if cell.role == "code"]
    for beginning in CELLS:
        texts.append(next(text for text in plain if text.startswith(beginning)))
    program = tmp_path_factory.mktemp("claims") / "lesson.py"
    program.write_text("\n".join([*texts, LOOK]))
    done = subprocess.run(
        [sys.executable, str(program)],
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=180,
        cwd=Path(program).parent,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_the_resolver_notices_three_of_four_mistakes(found):
    answers = found["wrong"]
    assert len(answers) == 4 and answers.pop("an address twice") == "a:1"
    assert all("Error" in answer for answer in answers.values())


def test_weights_travel_one_way_and_as_many_bytes_the_other(found):
    ways = [["ps/0", "worker/0"], ["worker/0", "ps/0"]]
    assert found["moved"] == ways and found["bytes"] == [64 * 64 * 4] * 2
    assert found["moved by default"] == ways


def test_variables_are_shared_by_name_and_outlive_their_client(found):
    assert found["shared"] == 11 and found["kept"] == [1, 2]


def test_a_plain_saver_makes_one_op_a_sharded_one_for_each_task(found):
    assert found["savers"] == {"false": 1, "true": 2}


def test_a_dead_worker_is_an_error_at_once_and_work_without_it_goes_on(found):
    error, seconds = found["dead"]
    assert error == "UnavailableError" and seconds < 1.5  # the deadline is 3 s
    assert found["dead, work without it"][0] == 14


@pytest.mark.parametrize("what", ["frozen", "frozen, new session", "cut off", "dead master"])
def test_other_failures_are_silent_until_the_deadline(found, what):
    error, seconds = found[what]
    assert error == "DeadlineExceededError" and seconds > 2.5


def test_what_can_be_seen_from_outside(found):
    assert found["frozen, state"] == "connects, no answer" and found["cut off, state"] == "cannot be reached"


def test_what_is_lost_and_what_is_not(found):
    assert found["frozen, work without it"][0] == found["thawed, old session"][0] == 14
    assert found["master back"][0] == "AbortedError" and found["ps back"][0] == "FailedPreconditionError"


def test_a_server_listens_on_all_addresses(found):
    assert found["listens on"] == ["::"] or found["listens on"] == ["0.0.0.0"]


def test_only_the_first_start_takes_seconds(found):
    assert found["a later start"] < 2
