"""The shared cells that note and draw queue lengths, and the widget that uses them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "queue_lengths", "queue_widget"))


RECORD = [(0.0, {"q": 0}), (1.0, {"q": 2}), (3.0, {"q": 4}), (4.0, {"q": 0})]


@pytest.mark.parametrize(("length", "share"), [(0, 0.25), (2, 0.5), (4, 0.25), (1, 0)])
def test_the_share_of_a_length_counts_time_not_looks(cells, length, share):
    assert cells.share_of(RECORD, "q", length) == pytest.approx(share)


def test_a_record_of_one_look_has_no_time(cells):
    assert cells.share_of(RECORD[:1], "q", 0) == 0


@pytest.fixture
def figures(cells, monkeypatch):
    """The figures that cells show."""
    found: list = []
    monkeypatch.setitem(cells.draw_lengths.__globals__, "show", lambda figure, words: found.append(figure))
    return found


def test_the_drawing_has_labels_line_styles_and_words(cells, figures, capsys):
    cells.draw_lengths([(t, {"a": n["q"], "b": 4 - n["q"]}) for t, n in RECORD], 4, "Lengths")
    [axes] = figures[0].axes
    assert axes.get_title() == "Lengths"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("seconds", "elements")
    lines = [line for line in axes.lines if not line.get_label().startswith("_")]
    assert [line.get_label() for line in lines] == ["a", "b"]
    assert len({line.get_linestyle() for line in lines}) == len({line.get_marker() for line in lines}) == 2
    assert capsys.readouterr().out == (
        "In words: a was full for 25% of the time and empty for 25%; at the end it held 0.\n"
        "In words: b was full for 25% of the time and empty for 25%; at the end it held 4.\n"
    )


def test_marks_are_lines_with_words(cells, figures):
    cells.draw_lengths(RECORD, 4, marks={"first": 0.5, "second": 2.0})
    [axes] = figures[0].axes
    marks = [line.get_xdata()[0] for line in axes.lines if line.get_linewidth() == 0.8]
    assert marks == [0.5, 2.0] and {" first", " second"} <= {text.get_text() for text in axes.texts}


def test_watching_ends_with_the_block_also_after_an_error(cells):
    tf = cells.tf
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(5, tf.float32, shapes=[()])
        put, size = queue.enqueue(1.0), queue.size()
    before = cells.threading.active_count()
    with tf.compat.v1.Session(graph=graph) as session:
        session.run(put)
        with pytest.raises(ValueError, match="mine"), cells.watched(session, {"q": size}) as record:
            raise ValueError("mine")
    assert cells.threading.active_count() == before
    assert record[-1][1] == {"q": 1}
    assert [moment for moment, _ in record] == sorted(moment for moment, _ in record)


@pytest.mark.parametrize(("put_each", "take_each", "last"), [(0.001, 0.3, 3), (0.3, 0.001, 0)])
def test_the_slower_side_decides_the_length(cells, put_each, take_each, last):
    drawn = []
    record, taken = cells.put_and_take(3, put_each, take_each, 1.0, drawn.append)
    lengths = [lengths["queue"] for _, lengths in record]
    assert max(lengths) <= 3 and min(lengths) >= 0
    assert max(lengths, key=lengths.count) == last
    assert 1 <= taken <= 10 and drawn


def test_an_error_while_drawing_leaves_no_thread_behind(cells):
    def fail(_):
        raise KeyboardInterrupt

    before = cells.threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        cells.put_and_take(2, 0.001, 10.0, 5.0, fail)
    assert cells.threading.active_count() == before


def test_the_widget_runs_a_real_queue_and_says_what_was_taken(cells, figures, monkeypatch):
    calls = []
    monkeypatch.setitem(cells.who_waits.__globals__, "put_and_take", lambda *args: calls.append(args) or (RECORD_Q, 7))
    box = cells.who_waits(seconds=4)
    capacity, puts, takes, button, output = box.children
    capacity.value, puts.value, takes.value = 3, 40, 5
    button.click()
    [(places, put_each, take_each, seconds, draw)] = calls
    assert (places, put_each, take_each, seconds) == (3, 1 / 40, 1 / 5, 4) and callable(draw)
    assert not button.disabled


def test_after_an_error_the_widget_can_be_run_again(cells, monkeypatch):
    pressed = []

    def fail(*_):
        pressed.append(button.disabled)
        raise RuntimeError("mine")

    monkeypatch.setitem(cells.who_waits.__globals__, "put_and_take", fail)
    *_, button, _ = cells.who_waits(seconds=4).children
    for _ in range(2):
        button.click()  # ipywidgets shows the error itself
    assert pressed == [True, True] and not button.disabled


RECORD_Q = [(moment, {"queue": lengths["q"]}) for moment, lengths in RECORD]
