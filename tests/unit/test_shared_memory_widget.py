"""The shared cell with the widget that packs processes on a card."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "memory_widget"))


@pytest.mark.parametrize(
    ("card", "need", "rule", "fraction", "count", "right"),
    [
        (16384, 200, "nothing is set", 0.3, 1, [(14448, "runs")]),
        (16384, 3000, "nothing is set", 0.3, 2, [(14448, "runs"), (911, "dies later")]),
        (16384, 200, "nothing is set", 0.3, 3, [(14448, "runs"), (911, "runs"), (0, "dies at start")]),
        (16384, 3000, "fraction", 0.3, 3, [(4915, "runs")] * 3),
        (16384, 3000, "fraction", 0.3, 4, [(4915, "runs")] * 3 + [(39, "dies later")]),
        (16384, 5000, "fraction", 0.3, 1, [(4915, "dies later")]),
        (16384, 3000, "growth", 0.3, 5, [(3000, "runs")] * 4 + [(2384, "dies later")]),
        (4096, 500, "growth", 1.0, 6, [(500, "runs")] * 4 + [(96, "dies later"), (0, "dies at start")]),
    ],
)
def test_what_each_process_takes(cells, card, need, rule, fraction, count, right):
    assert cells.start_processes(card, need, rule, fraction, count) == right


def test_nobody_takes_more_than_there_is(cells):
    for rule in cells.RULES:
        for count in (1, 3, 6):
            for fraction in (0.05, 0.5, 1.0):
                started = cells.start_processes(4096, 700, rule, fraction, count)
                contexts = cells.CONTEXT * sum(fate != "dies at start" for _, fate in started)
                assert len(started) == count and 0 <= sum(taken for taken, _ in started) + contexts <= 4096


def test_the_widget_shows_a_card_and_a_sentence_for_each_process(cells, monkeypatch, capsys):
    monkeypatch.setitem(cells.show_packed_card.__globals__, "show", lambda figure, words: None)
    rule, card, need, count, fraction, _ = cells.pack_card().children
    assert (rule.value, card.value, need.value, count.value, fraction.value) == ("nothing is set", 16384, 3000, 2, 0.3)
    capsys.readouterr()
    cells.show_packed_card(16384, 3000, "fraction", 0.3, 3)
    assert capsys.readouterr().out.splitlines() == [
        *(f"Process {i} has 4915 MiB and needs 3000: it runs." for i in (1, 2, 3)),
        "3 of 3 run. 439 MiB are left.",
    ]
    cells.show_packed_card(16384, 3000, "nothing is set", 0.3, 3)
    text = capsys.readouterr().out
    assert "Process 2 has 911 MiB and needs 3000: it starts, and dies when its tensors are full." in text
    assert "Process 3 finds no room for its context: it dies at start." in text and "1 of 3 run." in text
