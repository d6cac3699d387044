"""The shared cell with the widget of memory: set a limit, predict the peak, run the real graph."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "run_record", "schedule_picture", "schedule_widget"))


@pytest.fixture
def layers(cells):
    """The graph of lesson 05: big_i is 1 MiB and may be made early, step_i uses it after the step before."""
    tf = cells.tf

    def build(n, wait_for):
        with tf.Graph().as_default() as graph:
            h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
            scales = tf.compat.v1.placeholder(tf.float32, [n], name="scales")
            steps = []
            for i in range(n):
                scale = scales[i]
                with tf.control_dependencies(wait_for(i, steps)):
                    big = tf.fill([512, 512], scale, name=f"big_{i}")
                h = tf.matmul(big, h, name=f"step_{i}")
                steps.append(h)
        return graph

    return build


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(0, [[], [], [], []]), (1, [[], ["s0"], ["s1"], ["s2"]]), (3, [[], [], [], ["s0"]])],
)
def test_a_limit_says_which_step_to_wait_for(cells, limit, expected):
    wait_for = cells.wait_for_limit(limit)
    assert [wait_for(i, [f"s{k}" for k in range(i)]) for i in range(4)] == expected


def test_the_answer_line_compares_with_the_first_run_and_says_whether_runs_differ(cells):
    assert cells.compare(2, [2.0, 2.0, 2.0]) == (
        "Predicted 2 MiB, measured 2.0 MiB: ✓ right. Three runs gave 2.0, 2.0, 2.0 MiB: the same each time."
    )
    assert "✗ not so" in cells.compare(8, [7.0, 8.0, 6.0])
    assert "not the same each time" in cells.compare(8, [7.0, 8.0, 6.0])


def test_a_click_runs_the_real_graph_within_the_limit(cells, layers, monkeypatch, capsys):
    monkeypatch.setitem(cells.draw_schedule.__globals__, "show", lambda figure, words: None)
    count, limit, threads, guess, button, _ = cells.set_and_run(layers).children
    count.value, limit.value, threads.value, guess.value = 5, 2, 4, 2
    capsys.readouterr()
    button.click()
    text = capsys.readouterr().out
    assert "In words: 10 bars" in text
    assert "Predicted 2 MiB, measured 2.0 MiB: ✓ right." in text
    assert "the same each time" in text
