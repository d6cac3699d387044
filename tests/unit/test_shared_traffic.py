"""The shared cells that reduce gradients over devices, and count what moves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "quiet_start", "traffic", "all_reduces"))


@pytest.mark.parametrize("n", [2, 3])
def test_all_three_ways_move_the_same_total_and_the_ring_shares_it(cells, n):
    size = 12
    for way in (cells.naive, cells.tree, cells.ring):
        assert sum(cells.sent_by_each(way, n, size)) == 2 * (n - 1) * size * 4
    assert set(cells.sent_by_each(cells.ring, n, size)) == {2 * (n - 1) * size * 4 // n}


def test_a_sum_that_lacks_a_gradient_is_noticed(cells):
    with pytest.raises(ValueError, match="a gradient is missing"):
        cells.sent_by_each(lambda_named(lambda parts: parts[:1]), 2)


def lambda_named(function):
    function.__name__ = "first only"
    return function


def test_the_picture_says_what_the_busiest_sends(cells, monkeypatch):
    shown = []
    monkeypatch.setitem(cells.draw_traffic.__globals__, "show", lambda figure, words: shown.append(words))
    cells.draw_traffic([cells.ring], counts=(2,))
    assert "ring 4.8" in shown[0]
