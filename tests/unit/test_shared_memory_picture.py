"""The shared cell that draws a memory: what is free, what it says in words, how names look."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "memory_picture"))


@pytest.mark.parametrize(
    ("pieces", "free"),
    [
        ({}, [(0, 10)]),
        ({"a": (0, 10)}, []),
        ({"a": (0, 4)}, [(4, 6)]),
        ({"b": (6, 4)}, [(0, 6)]),
        ({"b": (6, 2), "a": (2, 2)}, [(0, 2), (4, 2), (8, 2)]),
        ({"b": (4, 2), "a": (2, 2)}, [(0, 2), (6, 4)]),
    ],
)
def test_holes_are_what_no_piece_takes(cells, pieces, free):
    assert cells.holes(pieces, 10) == free


def test_the_words_name_pieces_in_their_order_and_the_largest_hole(cells):
    text = cells.row_in_words("now", {"late": (6, 2.5), "early": (1, 1)}, 10, "MiB")
    assert text == "now: early 1 to 2, late 6 to 8.5; free 6.5 MiB in 3 holes, the largest 4."
    assert cells.row_in_words("now", {}, 10, "MiB") == "now: nothing taken; free 10 MiB."
    assert cells.row_in_words("now", {"a": (0, 10)}, 10, "MiB") == "now: a 0 to 10; free 0 MiB."


def test_a_name_looks_the_same_in_every_picture_and_contexts_are_grey(cells):
    assert cells.look("a") != cells.look("b")
    assert cells.look("c1") == cells.look("c12") != cells.look("c")
    assert len({cells.look(name) for name in "abcdefg"}) == 7


def test_a_picture_has_a_row_for_each_moment_labels_and_words(cells, monkeypatch, capsys):
    shown = []
    monkeypatch.setitem(cells.draw_memory.__globals__, "show", lambda *picture: shown.append(picture))
    cells.draw_memory([("first", {"a": (0, 4)}), ("then", {})], 8, "Two moments", unit="units")
    ((figure, words),) = shown
    (axes,) = figure.axes
    assert words.startswith("Two moments. In words, first: a 0 to 4;")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["first", "then"]
    assert axes.get_title() == "Two moments" and axes.get_xlabel() == "place in the memory (units)"
    assert [text.get_text() for text in axes.texts] == ["a"]
    assert capsys.readouterr().out.splitlines() == [
        "In words, first: a 0 to 4; free 4 units.",
        "In words, then: nothing taken; free 8 units.",
    ]
