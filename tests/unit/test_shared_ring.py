"""The shared cells of the lesson with a trainer of one's own: links, workers as threads, what becomes trainer.py."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "figures", "waiting", "ring_link", "ring_threads", "ring_picture"))


def test_what_is_sent_comes_to_the_next_and_is_noted(cells):
    import tensorflow as tf

    kinds = [np.float32, np.float64, np.int32, tf.bfloat16.as_numpy_dtype]

    def work(i, n, send, recv):
        for kind in kinds:
            send(np.array([i, 2.5 * i], kind))
        return [recv() for _ in kinds]

    record = cells.in_ring(3, work)
    assert record["errors"] == ["", "", ""]
    for i, came in enumerate(record["results"]):
        before = (i - 1) % 3
        assert [array.dtype for array in came] == [np.dtype(kind) for kind in kinds]
        for array, kind, sent in zip(came, kinds, record["sent"][before], strict=True):
            assert np.array_equal(array, np.array([before, 2.5 * before], kind)) and np.array_equal(array, sent)


def test_who_waits_in_vain_gets_an_error_and_others_their_result(cells):
    record = cells.in_ring(2, lambda i, n, send, recv: recv() if i else "done", seconds=0.3)
    assert record["results"][0] == "done" and "DeadlineExceeded" in record["errors"][1]


def test_an_unwritten_function_and_a_table_are_told(cells):
    def unwritten(i, n, send, recv):
        raise NotImplementedError("write this exercise first")

    with pytest.raises(NotImplementedError):
        cells.in_ring(2, unwritten)
    record = cells.in_ring(1, lambda i, n, send, recv: send(np.zeros([2, 2])))
    assert "one dimension" in record["errors"][0]


def test_whole_vectors_give_the_same_sum_to_everybody(cells):
    vectors = [np.random.RandomState(i).rand(5).astype("float32") for i in range(4)]
    results = cells.reduce_in_threads(cells.whole_vectors, vectors)["results"]
    assert all(np.array_equal(result, results[0]) for result in results)
    assert np.allclose(results[0], sum(vectors))


def test_the_picture_says_every_message(cells, monkeypatch):
    said = []
    monkeypatch.setitem(cells.draw_ring.__globals__, "show", lambda figure, words: said.append(words))
    cells.draw_ring([[np.array([1, 2], "float32")], [np.array([30], "float32")]])
    assert said == ["Step 1: 0 sends 1 2, 1 sends 30."]
