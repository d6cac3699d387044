"""What lesson 02 says about processes and TensorFlow's list, on its own code."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from autograder.authoring.source import read_cells
from autograder.paths import Course
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

LESSON = "02_visible_devices"


@pytest.fixture(scope="module")
def cells() -> list[str]:
    return [cell.text for cell in read_cells(Course(ROOT), LESSON) if cell.role == "code"]


@pytest.fixture(scope="module")
def lesson(cells) -> dict:
    """The namespace after the lesson's cells about stand-in cards, which print what they find."""
    import tensorflow as tf

    from solutions._shared import stand_in_cards

    names = {**vars(stand_in_cards), "tf": tf}
    for text in cells:
        if "def last_card_only" in text or "def forgets_the_type" in text or "def other_order" in text:
            exec(text, names)
    return names


def written(cells: list[str], name: str) -> str:
    """The program that %%writefile cells of the lesson make."""
    return "\n".join(text.partition("\n")[2] for text in cells if re.match(rf"%%writefile (-a )?{name}\n", text))


def said_by(program: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout


def test_the_list_hides_other_cards_and_without_a_type_the_cpu_too(lesson):
    only_last = lesson["on_stand_ins"](3, lesson["last_card_only"])
    assert (only_last["visible"], only_last["cpus"]) == (["/physical_device:GPU:2"], 1)
    assert only_last["returned"] == "3 physical"
    assert lesson["on_stand_ins"](3, lesson["forgets_the_type"])["cpus"] == 0


def test_the_order_of_the_list_does_not_count(lesson):
    made, _ = lesson["stand_in"](3)
    with lesson["in_charge"](made):
        lesson["other_order"]()
    assert made.config.gpu_options.visible_device_list == "0,2"


def test_the_driver_is_started_by_the_first_look_and_not_by_the_import(cells):
    if sys.platform != "linux":
        pytest.skip("TensorFlow for other systems never asks")
    lines = said_by(written(cells, "when.py"), TF_CPP_MIN_LOG_LEVEL="0").splitlines()
    asked = [i for i, line in enumerate(lines) if "cuInit" in line]
    imported, looked = lines.index("-- imported"), lines.index("-- mask -1 set; first look:")
    second = next(i for i, line in enumerate(lines) if "second look" in line)
    if asked:  # not on a machine with a driver
        assert imported < looked < min(asked) <= max(asked) < second
    assert lines.count("-- GPUs: 0") == 2


def test_a_mask_that_comes_too_late_is_not_what_the_process_was_started_with(cells):
    if sys.platform != "linux":
        pytest.skip("reads /proc")
    lines = said_by(written(cells, "too_late.py"), CUDA_VISIBLE_DEVICES="0,1").splitlines()[-2:]
    assert lines == ["os.environ has 1", "started with ['CUDA_VISIBLE_DEVICES=0,1']"]


def test_the_log_of_two_cards_names_two_cards_gpu_0():
    from solutions._shared.two_card_log import two_card_log

    last = [two_card_log(mask).splitlines()[-1] for mask in "01"]
    assert all("(/gpu:0) -> (device: 0," in line for line in last)
    assert [re.search(r"pci bus id: ([\w:.]+)\)", line)[1] for line in last] == ["0000:02:00.0", "0000:05:00.0"]
    assert len(two_card_log("0,1").splitlines()) > 19  # the lesson shows that many
