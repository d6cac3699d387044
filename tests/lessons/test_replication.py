"""The training job of lesson 07: by one command in a terminal, its deaths, and what it leaves behind: nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from autograder.authoring.source import read_cells
from autograder.paths import Course
from tests.conftest import ROOT
from tests.kernels import MARK, processes_marked
from tests.servers import wait_for

from .test_clusters import Kernel, gone, included

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

LESSON = "07_replication"
SECONDS = 180
SLOW = "slow={f'worker/{i}': 0.02 for i in range(3)}"  # each step sleeps
INCLUDES = (
    "quiet_start",
    "checks",
    "cluster_helper",
    "cluster_processes",
    "local_cluster",
    "job_board",
    "training_job",
)


def job_cells() -> list[str]:
    """The lesson's cells that write the program."""
    parts = ("JOB += ", "SESSION = ", "SESSION += ")
    return [
        cell.text for cell in read_cells(Course(ROOT), LESSON) if cell.role == "code" and cell.text.startswith(parts)
    ]


def lesson_cell(beginning: str) -> str:
    return next(c.text for c in read_cells(Course(ROOT), LESSON) if c.role == "code" and beginning in c.text)


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    space: dict = {}
    for text in [included(LESSON, "training_job"), *job_cells()]:
        exec(text, space)
    path = tmp_path_factory.mktemp("job") / "train.py"
    path.write_text(space["JOB"], encoding="utf-8")
    return path


class Terminal:
    """The program, started by one command in an empty folder; its processes carry a mark."""

    def __init__(self, program: Path, folder: Path, *flags: str) -> None:
        self.mark, self.folder = uuid.uuid4().hex, folder
        environment = {**os.environ, MARK: self.mark, "TMPDIR": str(folder)}
        command = [sys.executable, str(program), *flags]
        self.process = subprocess.Popen(
            command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def end(self) -> tuple[str, str]:
        return self.process.communicate(timeout=SECONDS)

    def left(self, seconds: float = 15) -> list[str]:
        deadline = time.monotonic() + seconds
        while (alive := processes_marked(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return alive


def test_one_command_runs_the_whole_job_with_two_ps_and_three_workers(program, tmp_path):
    run = Terminal(program, tmp_path, "--ps=2", "--workers=3", "--steps=400")
    output, errors = run.end()
    assert run.process.returncode == 0 and errors == ""
    accuracy, steps = re.search(r"test accuracy ([\d.]+) after (\d+) steps", output).groups()
    assert float(accuracy) >= 0.97 and 400 <= int(steps) <= 406
    for worker in range(3):
        assert re.search(rf"worker {worker}: step \d+ \(\d+ own\), accuracy [\d.]+, loss [\d.]+, rate 0\.00", output)
    assert run.left() == [] and list(tmp_path.iterdir()) == []


def test_a_checkpoint_stays_where_it_is_asked_for_and_the_job_goes_on_from_it(program, tmp_path):
    (tmp_path / "kept").mkdir()
    for steps, workers in ((30, 1), (60, 1)):
        run = Terminal(program, tmp_path, f"--steps={steps}", f"--workers={workers}", f"--folder={tmp_path}/kept")
        output, _ = run.end()
        assert steps <= int(re.search(r"after (\d+) steps", output)[1]) <= steps + 2
    own = [re.search(r'"own": (\d+)', line)[1] for line in (tmp_path / "kept/events-0.jsonl").read_text().splitlines()]
    assert 26 <= int(own[-1]) <= 33  # the second run made only what was missing


def test_a_launcher_that_is_killed_takes_its_tasks_along(program, tmp_path):
    run = Terminal(program, tmp_path, "--steps=1000000")
    wait_for(lambda: len(processes_marked(run.mark)) >= 5, SECONDS, "its tasks to start")
    run.process.send_signal(signal.SIGKILL)
    run.end()
    assert run.left(60) == []


def test_a_task_that_fails_ends_the_job_with_its_words(program, tmp_path):
    run = Terminal(program, tmp_path, "--data=nowhere.npz", "--workers=1")
    _, errors = run.end()
    assert run.process.returncode == 1 and "worker 0 ended with 1" in errors and "nowhere.npz" in errors
    assert run.left() == []


@pytest.fixture
def kernel(tmp_path):
    kernel = Kernel(tmp_path)
    for name in INCLUDES:
        assert kernel.run(included(LESSON, name))["status"] == "ok"
    for text in [*job_cells(), "v1 = tf.compat.v1", lesson_cell("def start_job("), lesson_cell("def reach(")]:
        assert kernel.run(text)["status"] == "ok"
    digits = "pixels, digits = __import__('sklearn.datasets').datasets.load_digits(return_X_y=True)"
    assert (
        kernel.run(f"{digits}\ntrain_x = test_x = np.float32(pixels) / 16; train_y = test_y = digits")["status"] == "ok"
    )
    assert kernel.run(lesson_cell("np.savez("))["status"] == "ok"
    yield kernel
    kernel.close()


def started(kernel: Kernel) -> list[int]:
    job = f"start_job(flags=['--steps=1000000'], {SLOW})"
    assert kernel.run(f"job = {job}; job_board(job, 1000000); reach(job, 20)")["status"] == "ok"
    ports = kernel.value('",".join(at.split(":")[1] for at in job.address.values())')
    return [int(port) for port in ports.split(",")]


def test_a_kernel_that_is_killed_takes_the_job_and_its_records_along(kernel):
    ports = started(kernel)
    os.kill(kernel.manager.provisioner.pid, signal.SIGKILL)
    gone(kernel, ports)


def test_worker_and_ps_die_and_the_job_reaches_its_quality_and_the_next_one_ends_with_the_kernel(kernel):
    code = f"""
job = start_job(ps=2, flags=["--steps=400"], {SLOW})
reach(job, 60)
job.kill("worker/1"), job.start("worker/1", wait=False)
reach(job, 160)
job.kill("ps/0"), job.start("ps/0")
job.wait(*job.tasks, until="ended")
"""
    assert kernel.run(code)["status"] == "ok"
    accuracy = re.search(r"test accuracy ([\d.]+) after (\d+) steps", kernel.value('job.log("worker/0")'))
    assert float(accuracy[1]) >= 0.97 and 400 <= int(accuracy[2]) <= 406
    assert "UnavailableError" in kernel.value('" ".join(event.get("error", "") for event in job_events(job))')
    assert kernel.run("job.close()")["status"] == "ok"
    after_an_interrupt_or_a_deadline_the_job_goes_on_and_ends_with_the_kernel(kernel)


def after_an_interrupt_or_a_deadline_the_job_goes_on_and_ends_with_the_kernel(kernel: Kernel) -> None:
    ports = started(kernel)
    reply = kernel.interrupted("reach(job, 10**9, seconds=600)", lambda: time.sleep(1))
    assert reply["ename"] == "KeyboardInterrupt"
    reply = kernel.run("reach(job, 10**9, seconds=1)")
    assert reply["ename"] == "ClusterError" and "has not reached step" in reply["evalue"]
    assert kernel.run("reach(job, job_events(job)[-1]['step'] + 20)")["status"] == "ok"
    kernel.client.shutdown()
    gone(kernel, ports)
