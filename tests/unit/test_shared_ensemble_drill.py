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
    for batch in cells.hand_out(cluster, session, "abc", {1: [0, 2]}, {2: [2]}):
        done.append(batch)
    assert [what for what in done if len(what) > 1 or isinstance(what, str)] == [
        *("a", ("kill", "model/0", "model/2"), "b", ("start", "model/2"), "c")
    ]
    assert list(answered) == []  # it looked until the model had answered
