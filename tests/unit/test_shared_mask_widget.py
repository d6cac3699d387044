"""The shared cell with the widget: masks and lists over a host with three cards."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "mask_widget"))


@pytest.mark.parametrize(
    ("entries", "cards"),
    [
        (None, [0, 1, 2]), ([], []), ([2, 0], [2, 0]), ([0, 7, 1], [0]), ([7, 0], []), ([-1], []), ([1, -1, 0], [1]),
        ([0, 7, 0], [0]), ([2, 1, 0], [2, 1, 0]),
    ],
)  # fmt: skip
def test_the_rules_of_masks(cells, entries, cards):
    assert cells.cards_behind(entries) == cards


def test_the_list_counts_behind_the_mask(cells):
    assert cells.cards_of([2, 0], "1") == ["card 0"]
    assert cells.cards_of([2, 0], "1,0") == ["card 0", "card 2"]
    assert cells.cards_of([2], "1") is None
    assert cells.cards_of([2, 0], "all") == ["card 2", "card 0"]


def test_behind_a_mask_without_cards_nobody_reads_the_list(cells):
    assert cells.cards_of([], "1") == []
    assert cells.cards_of([-1], "0") == []


@pytest.fixture
def widget(cells, monkeypatch, capsys):
    """The widget's rows of boxes, and ``said()``: what its last change printed."""
    monkeypatch.setitem(cells.mask_the_host.__globals__, "show", lambda figure, words: None)
    rows = [row.children for row in cells.mask_the_host().children[:-1]]

    def said():
        return capsys.readouterr().out

    return SimpleNamespace(rows=rows, said=said)


def test_every_box_shows_what_is_chosen(widget):
    """A Dropdown shows nothing where the chosen value is None."""
    assert all(box.label and box.value is not None for boxes in widget.rows for box in boxes)


def test_it_begins_with_one_card_for_each(widget):
    text = widget.said()
    assert "$ CUDA_VISIBLE_DEVICES=1 python b.py" in text
    assert "a.py: /gpu:0 is card 0\nb.py: /gpu:0 is card 1\nc.py: /gpu:0 is card 2\n" in text


def test_every_change_is_shown(widget):
    widget.rows[0][0].value = 2
    widget.said()
    widget.rows[0][1].value = 0
    text = widget.said()
    assert "$ CUDA_VISIBLE_DEVICES=2,0 python a.py" in text
    assert "a.py: /gpu:0 is card 2, /gpu:1 is card 0" in text
    assert "Shared: card 2, by a.py and c.py" in text


def test_an_empty_box_ends_the_mask(widget):
    widget.rows[0][2].value = 1
    assert "$ CUDA_VISIBLE_DEVICES=0 python a.py" in widget.said().splitlines()


def test_no_mask_and_an_empty_mask_differ(widget):
    widget.rows[0][0].value = "empty"
    text = widget.said()
    assert "$ CUDA_VISIBLE_DEVICES= python a.py" in text and "a.py: no GPU" in text
    widget.rows[0][0].value = "unset"
    text = widget.said()
    assert "$ python a.py" in text and "a.py: /gpu:0 is card 0, /gpu:1 is card 1, /gpu:2 is card 2" in text


def test_a_list_that_names_what_the_mask_hides_is_an_error(widget):
    widget.said()
    widget.rows[1][3].value = "1"
    text = widget.said()
    assert "b.py ends with an error" in text and "b.py: no GPU" in text


def test_a_card_that_is_named_twice_is_outside_of_the_rules(widget):
    widget.rows[0][1].value = 0
    text = widget.said()
    assert "$ CUDA_VISIBLE_DEVICES=0,0 python a.py" in text and "a.py names a card twice; no rule says" in text
