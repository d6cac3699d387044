"""The shared cell that draws processes, cards, and which /gpu:i is which card."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import matplotlib.pyplot as plt
import pytest

from autograder.paths import Course

from .shared_cells import run_cells

CARDS = ["card 0", "card 1", "card 2"]


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "host_picture"))


@pytest.fixture
def draw(cells, shown, capsys):
    """``draw(seen)``: the axes, and what was printed."""

    def run(seen, cards=CARDS):
        cells.draw_host(seen, cards, "title")
        lines = capsys.readouterr().out.splitlines()
        figure, words = shown[-1]
        assert lines[0] in words
        return figure.axes[0], lines

    return run


@pytest.fixture
def shown(cells, monkeypatch):
    """(figure, words) of each picture that is shown."""
    pictures = []
    monkeypatch.setitem(cells.draw_host.__globals__, "show", lambda *picture: pictures.append(picture))
    return pictures


def arrows(axes):
    return [child for child in axes.texts if getattr(child, "arrow_patch", None)]


def test_words_say_what_each_process_sees(cells):
    seen = {"a.py": ["card 2", "card 0"], "b.py": []}
    assert cells.seen_in_words(seen, CARDS).splitlines() == [
        "a.py: /gpu:0 is card 2, /gpu:1 is card 0",
        "b.py: no GPU",
        "Seen by no process: card 1",
    ]


def test_words_name_shared_cards(cells):
    words = cells.seen_in_words({"a.py": ["card 1"], "b.py": ["card 1"]}, CARDS)
    assert "Shared: card 1, by a.py and b.py" in words
    assert "Seen by no process: card 0, card 2" in words


def test_an_arrow_leads_from_each_device_to_its_card(draw):
    axes, lines = draw({"a.py": ["card 2", "card 0"], "b.py": ["card 0"]})
    heights = {text.get_text(): text.get_position()[1] for text in axes.texts if text.get_text() in CARDS}
    assert [arrow.xy[1] for arrow in arrows(axes)] == [heights["card 2"], heights["card 0"], heights["card 0"]]
    assert lines[0] == "a.py: /gpu:0 is card 2, /gpu:1 is card 0"


def test_a_process_without_a_card_is_shown_as_one(draw):
    axes, _ = draw({"ps 0": []})
    assert not arrows(axes)
    assert "no GPU" in [text.get_text() for text in axes.texts]


def test_cards_differ_by_more_than_colour(draw):
    axes, _ = draw({"a.py": []})
    hatches = [patch.get_hatch() for patch in axes.patches if patch.get_facecolor()[3] == 0 and patch.get_width() == 2]
    assert len(set(hatches)) == 3


def test_pictures_drawn_at_the_same_time_do_not_mix(cells, monkeypatch):
    """JupyterLab runs a widget's callbacks in a thread of their own, next to the cells."""
    pages = []
    monkeypatch.setitem(cells.show.__globals__, "display", lambda data, raw: pages.append(data["text/html"]))
    seen = {"a.py": ["card 2", "card 0"], "b.py": []}
    cells.draw_host(seen)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: cells.draw_host(seen), range(12)))
    assert len(pages) == 13 and len(set(pages)) == 1
    assert 'alt="Processes and cards. a.py: /gpu:0 is card 2' in pages[0]
    assert plt.get_fignums() == []  # pyplot, which threads share, has no part in it
