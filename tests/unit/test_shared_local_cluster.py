"""The shared cells that start, watch and end a cluster of real processes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="tasks are forked")]

LISTEN = """
import json, os, socket, sys
me = json.loads(os.environ["TF_CONFIG"])
host, port = me["cluster"][me["task"]["type"]][me["task"]["index"]].split(":")
print(sys.argv[1:], os.environ.get("WORD"), flush=True)
server = socket.create_server((host, int(port)))
while True:
    connection, _ = server.accept()
    with connection:
        connection.sendall(b"hello")
"""


@pytest.fixture(scope="module")
def cells(course: Course):
    space = run_cells(course, "cluster_helper", "cluster_processes", "local_cluster", "cluster_picture")
    yield SimpleNamespace(**space)
    space["helper"].end()


@pytest.fixture
def cluster(cells):
    with cells.LocalCluster({"ps": 1, "worker": 2}, script=LISTEN, flags=["--more=1"], env={"WORD": "all"}) as cluster:
        yield cluster


def test_every_task_answers_at_its_address(cluster):
    assert cluster.alive() == {"ps/0": "answers", "worker/0": "answers", "worker/1": "answers"}
    addresses = [at for addresses in cluster.spec.values() for at in addresses]
    assert len(set(addresses)) == 3 and cluster.target("worker/1") == f"grpc://{cluster.spec['worker'][1]}"


def test_a_task_knows_who_it_is_by_flags_and_environment(cluster):
    ps, workers = cluster.spec["ps"], cluster.spec["worker"]
    flags = ["--job_name=worker", "--task_index=1", f"--ps_hosts={ps[0]}", f"--worker_hosts={','.join(workers)}"]
    assert cluster.log("worker/1") == f"{[*flags, '--more=1']} all\n"


def test_a_killed_task_is_known_and_starts_again_with_its_own_environment(cluster):
    cluster.kill("worker/0")
    assert cluster.alive() == {"ps/0": "answers", "worker/0": "killed by signal 9", "worker/1": "answers"}
    cluster.start("worker/0", env={"WORD": "again"})
    assert cluster.alive()["worker/0"] == "answers"
    assert [line.split()[-1] for line in cluster.log("worker/0").splitlines()] == ["all", "again"]


def test_a_task_that_is_started_twice_runs_once(cells, cluster):
    before = cells.helper.ask("look", "")["cluster:ps/0"][0]
    cluster.start("ps/0")
    after = cells.helper.ask("look", "")["cluster:ps/0"][0]
    assert before != after and not Path(f"/proc/{before}").exists()


def test_only_some_tasks_start(cells):
    with cells.LocalCluster({"ps": 1, "worker": 1}, script=LISTEN, start=["ps/0"], name="some") as some:
        assert some.alive() == {"ps/0": "answers", "worker/0": "not started"}
        assert some.printed("worker/0") == ""  # nor has one that was told to start a moment ago a log


def test_a_later_cluster_of_the_same_name_ends_the_one_before(cells, cluster):
    with cells.LocalCluster({"ps": 1}, script=LISTEN) as later:
        assert later.alive() == {"ps/0": "answers"}
        assert not any(map(cells.listens, (at.split(":")[1] for at in cluster.spec["worker"])))


def test_other_names_live_side_by_side(cells, cluster):
    with cells.LocalCluster({"ps": 1}, script=LISTEN, name="other"):
        pass
    assert set(cluster.alive().values()) == {"answers"}


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("raise ValueError('of no use')", ["ended with 1", "ValueError: of no use"]),
        ("import sys; sys.exit(3)", ["ended with 3"]),
        ("print('bye')", ["ended with 0", "bye"]),
        ("import os; os.abort()", ["killed by signal 6"]),
    ],
)
def test_a_task_that_ends_at_its_start_is_an_error_with_its_log(cells, script, words):
    with pytest.raises(cells.ClusterError) as error:
        cells.LocalCluster({"solo": 1}, script=script, name="broken")
    assert all(word in str(error.value) for word in ["solo/0", *words])


def test_waiting_has_a_deadline(cells):
    slow = cells.LocalCluster({"solo": 1}, script="import time; time.sleep(600)", wait=False, name="slow")
    with slow, pytest.raises(cells.ClusterError, match="runs, no answer"):
        slow.wait("solo/0", seconds=0.2)


def test_tasks_that_end_by_themselves_are_waited_for(cells):
    with cells.LocalCluster({"solo": 2}, script="print('done')", wait=False, name="short") as short:
        short.wait(*short.tasks, until="ended", seconds=60)
        assert short.log("solo/1") == "done\n"


def test_a_real_server_serves(cells):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import tensorflow as tf

    with cells.LocalCluster({"ps": 1, "worker": 1}, name="real") as real:
        with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
            total = tf.add(tf.constant(1.0), 2.0)
        config = tf.compat.v1.ConfigProto(operation_timeout_in_ms=60_000)
        with tf.compat.v1.Session(real.target("worker/0"), graph=graph, config=config) as session:
            assert session.run(total) == 3


@pytest.fixture
def pictures(cells, monkeypatch):
    """What `show` is given meanwhile: (figure, words)."""
    given: list = []
    monkeypatch.setitem(cells.draw_alive.__globals__, "show", lambda figure, words: given.append((figure, words)))
    return given


def test_the_picture_says_the_same_in_words(cells, cluster, pictures):
    cluster.kill("worker/1")
    cells.draw_alive(cluster, "Who lives")
    [(figure, words)] = pictures
    [axes] = figure.axes
    texts = [text.get_text() for text in axes.texts]
    assert "✗ worker/1\nkilled by signal 9" in texts and "✓ ps/0\nanswers" in texts and "job worker" in texts
    assert len({box.get_linestyle() for box in axes.patches}) == 2  # never by colour alone
    assert words == "The tasks of the cluster: ps/0 answers; worker/0 answers; worker/1 killed by signal 9."


def test_the_buttons_do_something_to_real_tasks(cells, cluster, pictures):
    asked: list = []
    box = cells.watch_cluster(cluster, lambda: asked.append(cluster.alive()["worker/0"]))
    buttons = {button.description: button for row in box.children[:-1] for button in row.children}
    assert len(buttons) == 12
    for word in ("kill", "start", "freeze", "thaw"):
        buttons[f"{word} worker/0"].click()
    assert asked == ["answers", "killed by signal 9", "answers", "connects, no answer", "answers"]
    assert len(pictures) == len(asked)


def test_a_frozen_task_accepts_connections_and_does_not_answer(cells, cluster):
    cluster.freeze("worker/1")
    port = cluster.address["worker/1"].split(":")[1]
    assert cluster.alive() == {"ps/0": "answers", "worker/0": "answers", "worker/1": "connects, no answer"}
    assert cells.listens(port)
    cluster.freeze("worker/1")  # once more changes nothing
    cluster.thaw("worker/1")
    assert cluster.state("worker/1") == "answers"


def test_a_frozen_task_can_be_killed_and_started(cluster):
    cluster.freeze("worker/1")
    cluster.kill("worker/1")
    assert cluster.state("worker/1") == "killed by signal 9"
    cluster.freeze("worker/1")  # it is dead: nothing to freeze
    cluster.start("worker/1")
    assert cluster.state("worker/1") == "answers"


def test_a_task_that_is_cut_off_gives_no_reply_until_it_is_back(cells, cluster):
    port = int(cluster.address["worker/0"].split(":")[1])
    cluster.cut_off("worker/0")
    assert cells.reached(port, seconds=0.3) == "silent" and cluster.state("ps/0") == "answers"
    cluster.reconnect("worker/0")
    assert set(cluster.alive().values()) == {"answers"}


def test_what_a_connection_meets(cells):
    [free] = cells.free_ports(1)
    assert cells.reached(free) == "refused"
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert cells.reached(server.getsockname()[1], seconds=0.2) == "connects"


def test_a_script_may_be_a_file(cells, tmp_path):
    path = tmp_path / "hello.py"
    path.write_text("print('hello')\n")
    with cells.LocalCluster({"solo": 1}, script=str(path), wait=False, name="file") as one:
        one.wait("solo/0", until="ended")
        assert one.printed("solo/0") == "hello"


def test_what_tensorflow_logs_is_not_what_a_program_printed(cells):
    script = "print('I0000 00:00:1 1 port.cc:153] oneDNN'); print('mine'); print('WARNING: All log messages')"
    with cells.LocalCluster({"solo": 1}, script=script, wait=False, name="log") as one:
        one.wait("solo/0", until="ended")
        assert one.printed("solo/0") == "mine" and "oneDNN" in one.log("solo/0")


@pytest.mark.parametrize(("system", "word"), [("win32", "freeze"), ("darwin", "cut_off")])
def test_what_a_system_lacks_is_said(cells, cluster, monkeypatch, system, word):
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(cells.ClusterError):
        getattr(cluster, word)("worker/0")


def test_the_helper_program_is_written_like_other_modules(cells, course):
    settings = ["--isolated", "--line-length", "100"]
    for what in (["check", "--select", "E,F,W,B,I"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *what, *settings, "-"]
        done = subprocess.run(command, input=cells.HELPER, text=True, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_an_ended_helper_leaves_nothing_and_says_so(course: Course):
    space = run_cells(course, "cluster_helper", "cluster_processes", "local_cluster")
    helper, folder = space["helper"], Path(space["helper"].folder)
    space["LocalCluster"]({"solo": 1}, script=LISTEN)
    process = helper.ask("look", "")["cluster:solo/0"][0]
    helper.end()
    assert not folder.exists() and not Path(f"/proc/{process}").exists() and helper.process.returncode is not None
    with pytest.raises(space["ClusterError"], match="Run the cell"):
        helper.ask("look", "")
