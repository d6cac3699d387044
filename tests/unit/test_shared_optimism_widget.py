"""The shared cell that simulates how lucky the best of many settings is."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "optimism_widget"))


def luck(found, count):
    seen, true = found[count]
    return seen - true


def test_one_setting_has_no_luck_and_two_hundred_have_much(cells):
    found = cells.luck_of_the_best(300, 0.0)
    assert abs(luck(found, 1)) < 0.2
    assert all(true == pytest.approx(95) for _, true in found.values())
    assert 2.5 < luck(found, 200) < 3.7  # the largest of 200 is about 2.7 standard deviations (1.26 points) above


def test_more_rows_leave_less_luck_and_real_differences_are_found(cells):
    few, many = cells.luck_of_the_best(100, 1.0), cells.luck_of_the_best(10000, 1.0)
    assert luck(many, 200) < luck(few, 200) / 3
    assert many[200][1] > many[1][1] + 1.5


def test_the_figure_is_labelled_and_the_words_agree_with_it(cells, monkeypatch, capsys):
    shown = []
    monkeypatch.setitem(cells.draw_luck.__globals__, "show", lambda figure, words: shown.append(words))
    cells.draw_luck(300, 0.5)
    figure, found = cells.luck_figure(300, 0.5)
    axes = figure.axes[0]
    assert axes.get_xlabel() and "%" in axes.get_ylabel() and len(axes.get_legend().get_texts()) == 3
    assert f"{found[200][0]:.1f} %" in capsys.readouterr().out
    assert f"{found[200][0]:.1f} %" in shown[0]


def test_the_widget_draws_again_when_a_slider_moves(cells, monkeypatch):
    drawn = []
    monkeypatch.setitem(cells.choose_luck.__globals__, "draw_luck", lambda rows, spread: drawn.append((rows, spread)))
    rows, spread, _ = cells.choose_luck().children
    rows.value, spread.value = 3000, 1.0
    assert drawn == [(300, 0.5), (3000, 0.5), (3000, 1.0)]
