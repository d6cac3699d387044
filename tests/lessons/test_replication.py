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

import numpy as np
import pytest
from sklearn.datasets import load_digits

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT
from tests.kernels import MARK, processes_marked
from tests.servers import wait_for

from .test_clusters import Kernel, gone

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

LESSON = "07_replication"
SECONDS = 180
SLOW = "slow=dict.fromkeys(workers, 0.02)"  # each step sleeps


def written_files() -> dict[str, str]:
    """The programs that the lesson's cells write: ``{name: text}``."""
    files: dict[str, str] = {}
    for cell in read_cells(Course(ROOT), LESSON):
        if found := re.match(r"%%writefile (-a )?(\S+)\n", cell.text):
            files[found[2]] = (files[found[2]] + "\n" if found[1] else "") + cell.text[found.end() :] + "\n"
    return files


def lesson_cell(beginning: str) -> str:
    return next(c.text for c in read_cells(Course(ROOT), LESSON) if c.role == "code" and beginning in c.text)


def write_digits(folder: Path) -> None:
    """The data as the lesson writes them, beside the programs."""
    pixels, digits = load_digits(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(pixels))
    x, y = np.float32(pixels[order]).reshape(-1, 8, 8) / 16, np.int32(digits[order])
    parts = {"x_train": x[:1500], "y_train": y[:1500], "x_test": x[1500:], "y_test": y[1500:]}
    np.savez(folder / "digits.npz", **parts)


def write_programs(folder: Path) -> None:
    for name, text in written_files().items():
        (folder / name).write_text(text, encoding="utf-8")
    write_digits(folder)


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    """A folder with everything that the lesson leaves beside its notebook."""
    folder = tmp_path_factory.mktemp("job")
    write_programs(folder)
    return folder


class Terminal:
    """The launcher, started by one command where the lesson's files are; its processes carry a mark."""

    def __init__(self, programs: Path, folder: Path, *flags: str) -> None:
        self.mark = uuid.uuid4().hex
        environment = {**os.environ, MARK: self.mark, "TMPDIR": str(folder)}
        command = [sys.executable, "launch.py", *flags]
        self.process = subprocess.Popen(
            command, env=environment, cwd=programs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def end(self) -> tuple[str, str]:
        return self.process.communicate(timeout=SECONDS)

    def left(self, seconds: float = 15) -> list[str]:
        deadline = time.monotonic() + seconds
        while (alive := processes_marked(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return alive


def test_one_command_runs_the_whole_job_with_two_ps_and_three_workers(programs, tmp_path):
    run = Terminal(programs, tmp_path, "--ps=2", "--workers=3", "--steps=400")
    output, errors = run.end()
    assert run.process.returncode == 0 and errors == ""
    accuracy, steps = re.search(r"test accuracy ([\d.]+) after (\d+) steps", output).groups()
    assert float(accuracy) >= 0.97 and 400 <= int(steps) <= 406
    for worker in range(3):
        assert re.search(rf"worker {worker}: step \d+ \(\d+ own\), accuracy [\d.]+, loss [\d.]+, rate 0\.00", output)
    assert run.left() == [] and list(tmp_path.iterdir()) == []


def test_a_checkpoint_stays_where_it_is_asked_for_and_the_job_goes_on_from_it(programs, tmp_path):
    (tmp_path / "kept").mkdir()
    for steps in (30, 60):
        run = Terminal(programs, tmp_path, f"--steps={steps}", "--workers=1", f"--folder={tmp_path}/kept")
        output, errors = run.end()
        assert errors == "" and steps <= int(re.search(r"after (\d+) steps", output)[1]) <= steps + 2
    own = [re.search(r'"own": (\d+)', line)[1] for line in (tmp_path / "kept/events-0.jsonl").read_text().splitlines()]
    assert 26 <= int(own[-1]) <= 33  # the second run made only what was missing


def test_a_launcher_that_is_killed_takes_its_tasks_along(programs, tmp_path):
    run = Terminal(programs, tmp_path, "--steps=1000000")
    wait_for(lambda: len(processes_marked(run.mark)) >= 5, SECONDS, "its tasks to start")
    run.process.send_signal(signal.SIGKILL)
    run.end()
    assert run.left(60) == []


def test_a_task_that_fails_ends_the_job_with_its_words(programs, tmp_path):
    run = Terminal(programs, tmp_path, "--data=nowhere.npz", "--workers=1")
    _, errors = run.end()
    assert run.process.returncode == 1 and "worker-0 ended with 1" in errors and "nowhere.npz" in errors
    assert run.left() == []


@pytest.fixture
def kernel(tmp_path):
    """A kernel with the lesson's helpers, its programs, and what starts and watches its job."""
    kernel = Kernel(tmp_path)
    write_programs(tmp_path)
    cells = read_cells(Course(ROOT), LESSON)
    for cell in cells:
        if cell.role == "include" and not cell.automatic:
            assert kernel.run(shared_cell(Course(ROOT), cell))["status"] == "ok"
    for text in ["v1 = tf.compat.v1", lesson_cell("def start_job("), lesson_cell("def ready(")]:
        assert kernel.run(text)["status"] == "ok"
    yield kernel
    kernel.close()


def started(kernel: Kernel) -> list[int]:
    job = f"start_job(flags=['--steps=1000000'], {SLOW})"
    assert kernel.run(f"job = {job}; job_board(job); reach(job, 20)")["status"] == "ok"
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
reach(job, 100)
job.kill("ps/0"), job.start("ps/0")
job.wait(*job.tasks, until="ended")
"""
    assert kernel.run(code)["status"] == "ok"
    accuracy = re.search(r"test accuracy ([\d.]+) after (\d+) steps", kernel.value('job.log("worker/0")'))
    assert float(accuracy[1]) >= 0.97 and 400 <= int(accuracy[2]) <= 406
    assert "UnavailableError" in kernel.value('" ".join(event.get("error", "") for event in job_events(job))')
    assert kernel.run("job.close()")["status"] == "ok"
    after_an_interrupt_or_a_deadline_the_job_goes_on_and_ends_with_the_kernel(kernel)


def test_the_accidents_begin_well_however_late_they_come(kernel):
    """What a reader has killed is started again, with a sentence; the job ends when the reader says so."""
    started(kernel)
    kill = 'job.kill("worker/1", "ps/0")'
    assert kernel.run(f"{kill}; job = ready(job); reach(job, 5)")["status"] == "ok"
    code = """
pathlib.Path(job.records, "stop").touch()
job.wait(*job.tasks, until="ended")
job = ready(job)
reach(job, 5)
"""
    assert kernel.run(code)["status"] == "ok"  # even after it has ended


def after_an_interrupt_or_a_deadline_the_job_goes_on_and_ends_with_the_kernel(kernel: Kernel) -> None:
    ports = started(kernel)
    reply = kernel.interrupted("reach(job, 10**9, seconds=600)", lambda: time.sleep(1))
    assert reply["ename"] == "KeyboardInterrupt"
    reply = kernel.run("reach(job, 10**9, seconds=1)")
    assert reply["ename"] == "ClusterError" and "steps in 1 s" in reply["evalue"]
    assert kernel.run("reach(job, 20)")["status"] == "ok"
    kernel.client.shutdown()
    gone(kernel, ports)
