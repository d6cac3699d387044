"""The shared cell with the widget: pin ops, predict, run the real graph."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "placement_widget"))


@pytest.fixture
def use(cells, monkeypatch, capsys):
    """``use(pins, guesses, soft)``: what the widget prints after a click on its button."""
    monkeypatch.setitem(cells.draw_placement.__globals__, "show", lambda figure, words: None)

    def click(pins, guesses, soft):
        *rows, line, _ = cells.pin_and_run().children
        for row, pin, guess in zip(rows, pins, guesses, strict=True):
            row.children[0].value, row.children[1].value = pin, guess
        line.children[0].value = soft
        capsys.readouterr()
        line.children[1].click()
        return capsys.readouterr().out

    return click


def test_the_prediction_is_compared_with_a_real_run(use):
    text = use(["CPU:1", "GPU:0", ""], ["CPU:1", "GPU:0", "CPU:0"], soft=True)
    assert "Transfers: left from CPU:1 to CPU:0." in text
    assert [line.split() for line in text.splitlines()[-3:]] == [
        ["left", "CPU:1", "CPU:1", "CPU:1", "✓", "right"],
        ["right", "GPU:0", "GPU:0", "CPU:0", "✗", "not", "so"],
        ["total", "-", "CPU:0", "CPU:0", "✓", "right"],
    ]


def test_a_failing_run_is_shown_as_one(use):
    text = use(["CPU:9", "", ""], ["error", "", "CPU:0"], soft=False)
    assert "The run fails" in text and "/device:CPU:9" in text and "Traceback" not in text
    assert [line.split() for line in text.splitlines()[-3:]] == [
        ["left", "CPU:9", "error", "error", "✓", "right"],
        ["right", "-", "-", "error"],
        ["total", "-", "CPU:0", "error", "✗", "not", "so"],
    ]


def test_three_transfers_are_possible(use):
    text = use(["CPU:1", "CPU:2", "CPU:3"], ["", "", ""], soft=False)
    assert text.count(" from CPU:") == 3
