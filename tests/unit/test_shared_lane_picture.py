"""The shared cell that draws who works when, and the schedule of a pipeline."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "lane_picture"))


def test_time_that_two_pieces_share_counts_once(cells):
    assert cells.busy([(0, 2, "", 0), (1, 3, "", 0), (5, 6, "", 0)], 8) == pytest.approx(0.5)
    assert cells.busy([], 8) == 0
    assert cells.busy([(6, 20, "", 0)], 8) == pytest.approx(0.25)  # what comes after the end does not count


@pytest.mark.parametrize(("stages", "micro"), [(1, 1), (1, 6), (3, 1), (3, 4), (5, 2)])
def test_the_schedule_has_each_piece_once_in_its_order_and_ends_when_the_formula_says(cells, stages, micro):
    lanes = cells.pipeline_lanes(stages, micro)
    assert max(end for lane in lanes.values() for _, end, _, _ in lane) == 3 * (micro + stages - 1)
    ends = {}
    for s, lane in enumerate(lanes.values()):
        assert len(lane) == 2 * micro
        assert all(before[1] <= after[0] for before, after in pairwise(sorted(lane)))  # one at a time
        ends |= {(kind, s, m): (start, end) for start, end, m, kind in lane}
    for (kind, s, m), (start, _) in ends.items():
        earlier = (0, s - 1, m) if kind == 0 else (1, s + 1, m)
        assert start >= ends.get(earlier, (0, 0))[1]
        assert cells.busy(lanes[f"device {s}"], 3 * (micro + stages - 1)) == pytest.approx(micro / (micro + stages - 1))
        if kind == 1:
            assert start >= ends[0, s, m][1]


def test_pieces_at_the_same_time_lie_one_above_the_other(cells):
    tracks, high = cells.side_by_side([(0, 2, "", 0), (1, 3, "", 0), (2, 4, "", 0), (3, 5, "", 0)])
    assert tracks == [0, 1, 0, 1] and high == pytest.approx(0.4)
    assert cells.side_by_side([(0, 1, "", 0), (1, 2, "", 0)]) == ([0, 0], 0.8)


def test_the_picture_comes_with_words_and_leaves_pyplot_alone(cells, monkeypatch, capsys):
    import matplotlib.pyplot as plt

    shown = []
    monkeypatch.setitem(cells.draw_lanes.__globals__, "show", lambda figure, words: shown.append(words))
    cells.draw_lanes(cells.pipeline_lanes(3, 4), "A title", "ticks", ["forward", "backward"])
    words = capsys.readouterr().out
    assert "A title: device 0 works 67 % of the time" in words and "18 ticks" in words
    assert [words.strip()] == shown
    assert plt.get_fignums() == []
