"""What lesson 11 says is so: its own programs run, in processes of their own, and the claims are looked at."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.authoring.source import read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="tasks are forked and frozen")]

LESSON = "11_training_across_processes"
WRITE = re.compile(r"%%writefile (-a )?(\S+)\n")
DEFINE = (
    "import re\n\ndef own_lines(",
    "def train_together(",
    "import time\n\ndef disturb(",
    "import signal\n\ndef wait_for(",
    "def preempt(",
    "def coordinate(",
    "def fit(",
    "def read_profile(",
)
LOOK = """
import json

found = {policy: train_together(policy) for policy in ("DATA", "OFF")}
found["frozen"] = disturb("freeze")
found["preempted"] = preempt()
found["lost"] = {victim: coordinate(victim) for victim in ("worker/0", "ps/0")}
found["profiles"] = profile_both()
found["fit"] = [fit("keras"), fit("tf_keras", kill_after=2)]
print(json.dumps(found))
helper.end()
os._exit(0)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict:
    """What the lesson's cells showed."""
    course = Course(ROOT)
    cells = read_cells(course, LESSON)
    folder = tmp_path_factory.mktemp("claims")
    texts = [shared_cell(course, cell) for cell in cells if cell.role == "include" and not cell.automatic]
    for text in [cell.text for cell in cells if cell.role == "code"]:
        if program := WRITE.match(text):
            with Path(folder, program[2]).open("a") as file:
                file.write(text[program.end() :] + "\n")
        elif text.startswith(DEFINE):
            texts.append(text.partition("\nprint(")[0])
    lesson = Path(folder, "lesson.py")
    lesson.write_text("\n".join([*texts, LOOK]))
    done = subprocess.run(
        [sys.executable, str(lesson)],
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=240,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def rows_of(text: str) -> list[int]:
    return [int(row) for part in re.findall(r"rows \[(.*?)\]", text) for row in re.findall(r"\d+", part)]


def test_each_row_reaches_one_worker_and_the_weights_stay_equal(found):
    first, second = found["DATA"]
    assert sorted(rows_of(first) + rows_of(second)) == list(range(13))
    assert first.splitlines()[-1].split("loss")[1] == second.splitlines()[-1].split("loss")[1]
    assert {len(first.splitlines()), len(second.splitlines())} == {4}


def test_without_a_policy_every_worker_has_all_rows(found):
    assert [rows_of(text) for text in found["OFF"]] == [list(range(13))] * 2


def test_the_healthy_worker_has_the_error_of_its_limit(found):
    healthy, frozen = found["frozen"]
    assert healthy.splitlines()[-1].startswith("DeadlineExceededError") and "Error" not in frozen
    assert healthy.count(" in ") > frozen.count(" in ")


def test_after_a_notice_no_step_is_lost_or_made_twice(found):
    lives, states = found["preempted"]
    assert set(states.values()) == {"ended with 42"}
    for me, text in enumerate(lives):
        made = re.findall(r"^step (\d+) row (\d+)", text, re.MULTILINE)
        assert [(int(step), int(row)) for step, row in made] == [(n + 1, 2 * n + me) for n in range(20)]


def test_what_a_killed_closure_adds_counts_twice_and_what_it_returns_once(found):
    total, returned = map(int, re.findall(r"(?:total|returned) (\d+)", found["lost"]["worker/0"]))
    assert total > 78 == returned
    assert "UnavailableError in join" in found["lost"]["ps/0"]
    assert found["lost"]["ps/0"].count("rows 6 of table") == 2


def test_fit_trains_across_processes_with_keras_2_only_and_goes_on_after_the_last_epoch(found):
    keras_3, keras_2 = found["fit"]
    assert "ValueError" in keras_3 and "done" not in keras_3
    assert re.findall(r"epoch (\d+) done", keras_2) == ["0", "1", "2", "3", "4", "5"]


def test_the_straggler_is_the_worker_whose_all_reduces_are_short(found):
    lasted = [[ms for name, _, ms in events if name.endswith("CollectiveReduceV2")] for _, events in found["profiles"]]
    assert [len(steps) for steps in lasted] == [6, 6]  # read from all threads
    assert sum(lasted[0]) > sum(lasted[1])  # worker 1 computes six times as long
