"""The shared cell with the cost model of a training step."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells

RING, PS = "all-reduce in a ring", "parameter servers"
JOB = {"compute": 1.0, "parameters": 25_000_000, "gigabytes": 12.5}


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "cost_widget"))


def test_one_device_sends_nothing(cells):
    for way in (RING, PS):
        assert cells.step_seconds(1, way=way, **JOB) == 1.0


def test_links_that_take_seven_thousandths_of_the_computing_give_the_well_known_figures(cells):
    gains = cells.speedups([2, 4, 8], way=RING, compute=1.0, parameters=1_750_000, gigabytes=1.0)
    assert [round(gain, 1) for gain in gains] == [2.0, 3.8, 7.3]


def test_parameter_servers_have_a_best_number_where_the_formula_says(cells):
    gains = cells.speedups(range(1, 65), way=PS, **JOB)
    link = 4 * JOB["parameters"] / (JOB["gigabytes"] * 1e9)
    assert abs(1 + gains.index(max(gains)) - math.sqrt(1 / (2 * link))) <= 1
    assert gains[-1] < max(gains)


def test_four_servers_or_two_bytes_help_as_much_as_a_faster_link(cells):
    slow = cells.step_seconds(16, way=PS, **JOB)
    fast = cells.step_seconds(16, way=PS, **{**JOB, "gigabytes": 50.0})
    assert cells.step_seconds(16, way=PS, servers=4, **JOB) == pytest.approx(fast) and fast < slow
    half = cells.step_seconds(16, way=RING, wire=2, **JOB)
    assert half == pytest.approx(cells.step_seconds(16, way=RING, **{**JOB, "gigabytes": 25.0}))


def test_with_a_fixed_local_batch_many_devices_pay(cells):
    fixed = {"way": RING, **JOB}
    assert cells.speedups([64], **fixed)[0] < 40 < cells.speedups([64], fixed="local", **fixed)[0]
    assert cells.speedups([1], fixed="local", **fixed) == [1.0]


def test_overlap_hides_no_more_than_there_is(cells):
    hidden = cells.step_seconds(8, way=RING, overlap=1.0, **{**JOB, "gigabytes": 200.0})
    assert hidden == pytest.approx(1 / 8)
    half = cells.step_seconds(8, way=RING, overlap=0.5, **{**JOB, "gigabytes": 0.1})
    assert half == pytest.approx(1 / 8 + 1.75 * 1.0 - 0.5 / 8)


def test_the_figure_is_labelled_and_the_words_agree_with_it(cells, monkeypatch, capsys):
    shown = []
    monkeypatch.setitem(cells.draw_cost.__globals__, "show", lambda figure, words: shown.append((figure, words)))
    cells.draw_cost(**JOB)
    ((figure, words),) = shown
    axes = figure.axes[0]
    assert axes.get_xlabel() == "devices" and "times" in axes.get_ylabel() and len(axes.get_legend().get_texts()) == 3
    assert words in capsys.readouterr().out


def test_the_widget_draws_again_when_a_slider_moves(cells, monkeypatch):
    drawn = []
    monkeypatch.setitem(cells.choose_cost.__globals__, "draw_cost", lambda **job: drawn.append(job))
    compute, parameters, gigabytes, servers, wire, fixed, overlap, _ = cells.choose_cost().children
    gigabytes.value, servers.value, wire.value, fixed.value, overlap.value = 12.5, 4, 2, "local", 2 / 3
    seen = [(job["gigabytes"], job["servers"], job["wire"], job["fixed"], round(job["overlap"], 1)) for job in drawn]
    assert seen[0] == (1.25, 1, 4, "global", 0.0) and seen[-1] == (12.5, 4, 2, "local", 0.7) and len(seen) == 6
    assert compute.value == 1.0 and parameters.value == 25_000_000
