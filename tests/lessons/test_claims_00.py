"""What lesson 00 says of its own checks, asked of those checks."""

from __future__ import annotations

import pytest

from autograder.authoring.source import read_cells
from autograder.grading.checks.told import Told
from autograder.paths import Course
from tests.conftest import ROOT

LESSON = "00_start_here"
PLACE = "/job:localhost/replica:0/task:0/device:CPU:"


def by_kind_of_input(x, device):
    """CPU:1 for a list, CPU:0 for a number, whatever was asked for: the first wrong answer that the text names."""
    many = isinstance(x, list)
    value = [2 * number for number in x] if many else 2 * x
    return {"value": value, "dtype": "float32" if many else "int32", "device": PLACE + "01"[many]}


def always_float32(x, device):
    """Reports float32 whatever the dtype is: the wrong answer of the model answer."""
    value = [2 * number for number in x] if isinstance(x, list) else 2 * x
    return {"value": value, "dtype": "float32", "device": PLACE + device[-1]}


def visible_checks() -> list[str]:
    cells = read_cells(Course(ROOT), LESSON)
    return [cell.text for cell in cells if cell.role == "check" and cell.name.startswith("double_and_report-")]


@pytest.mark.parametrize("answer", [by_kind_of_input, always_float32])
def test_both_visible_checks_pass_for_the_wrong_answers_that_the_text_names(answer):
    checks = visible_checks()
    assert len(checks) == 2
    for check in checks:
        exec(check, {"double_and_report": answer, "Told": Told})


def test_a_visible_check_can_fail():
    with pytest.raises(AssertionError):
        exec(visible_checks()[0], {"double_and_report": lambda x, device: None, "Told": Told})


def test_the_calls_that_the_text_names_show_each_of_them():
    assert by_kind_of_input(1, "/device:CPU:1")["device"] != f"{PLACE}1"
    assert always_float32([1, 2], "/device:CPU:0")["dtype"] != "int32"
