"""The shared cell that hands out batches, kills models and starts them again."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    space = run_cells(course, "ensemble_drill")
    space["ClusterError"] = RuntimeError
    return SimpleNamespace(**space)


def test_a_wait_ends_with_words(cells):
    with pytest.raises(RuntimeError, match=r"waited 0\.1 s in vain"):
        cells.wait_for(lambda: False, seconds=0.1)
    cells.wait_for(lambda: True)


def test_models_die_and_come_back_before_the_batch_that_is_named(cells):
    done, answered = [], iter([0, 0, 1])
    cluster = SimpleNamespace(
        kill=lambda *tasks: done.append(("kill", *tasks)), start=lambda *t: done.append(("start", *t))
    )
    session = SimpleNamespace(run=lambda fetch: next(answered))
    seconds: list[float] = []
    for batch in cells.hand_out(cluster, session, "abc", {1: [0, 2]}, {2: [2]}, seconds):
        done.append(batch)
    assert len(seconds) == 3 and max(seconds) < 1
    assert [what for what in done if len(what) > 1 or isinstance(what, str)] == [
        *("a", ("kill", "model/0", "model/2"), "b", ("start", "model/2"), "c")
    ]
    assert list(answered) == []  # it looked until the model had answered


@pytest.mark.parametrize("waiting", [0, 1])
def test_a_model_whose_batch_is_lost_gets_one_again(cells, waiting):
    given = []

    def run(fetch, feed=None):
        if feed:
            given.append((fetch, feed["number:0"], feed["batch:0"]))
        return {"2/answered:0": len(given), "2/waiting:0": waiting}.get(fetch)

    if waiting:
        with pytest.raises(RuntimeError, match="model 2 is back, but did not answer"):
            cells.wait_for_first_answer(SimpleNamespace(run=run), 2, "b", seconds=1.5)
        assert given == []  # it has not read what is there: more would not help
    else:
        cells.wait_for_first_answer(SimpleNamespace(run=run), 2, "b")
        assert given == [("2/put", -1, "b")]
