"""The shared cell that draws runs of several ways to train."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture
def cells(course: Course, monkeypatch) -> SimpleNamespace:
    space = run_cells(course, "race_picture")
    shown: list = []
    monkeypatch.setitem(space, "show", lambda figure, words: shown.append((figure, words)))
    return SimpleNamespace(**space, shown=shown)


def test_runs_are_drawn_with_the_interval_of_their_mean(cells):
    cells.draw_runs({"one": [{"loss": 1.0}, {"loss": 3.0}]}, {"loss": "loss on test rows"})
    ((figure, words),) = cells.shown
    assert "one 2.00 ± 12.71 loss on test rows" in words  # t of one degree of freedom
    assert figure.axes[0].get_ylabel() == "loss on test rows"


def test_staleness_is_said_in_words(cells, capsys):
    cells.draw_staleness({"fast": [1, 2], "late": [9]}, "Measured")
    assert capsys.readouterr().out.strip() == "mean staleness: fast 1.5, late 9.0; largest 9"
    assert "Measured: mean staleness" in cells.shown[0][1]


def test_factors_have_a_line_at_one(cells, capsys):
    cells.draw_factors({"drop": (0.3, 0.5, 0.8)}, "loss with ÷ without (times)")
    assert "drop × 0.50 (0.30 to 0.80)" in capsys.readouterr().out
    assert cells.shown[0][0].axes[0].get_xscale() == "log"
