"""The shared cells that start real worker processes, each training one trial at a time."""

from __future__ import annotations

import threading

import numpy as np
import psutil
import pytest
import sklearn.datasets

from solutions._shared import trial_workers as cells

TRIAL = {"id": "t1", "rate": 0.5, "seed": 3, "steps": 10}


def softmax(z):
    return np.exp(z) / np.exp(z).sum(1, keepdims=True)


def test_a_worker_trains_what_the_trial_says():
    digits, luck = sklearn.datasets.load_digits(), np.random.default_rng(3)
    x, y = digits.data / 16, digits.target
    w = luck.normal(0, 0.1, (64, 10))
    for _ in range(10):
        w -= 0.5 * x[:300].T @ (softmax(x[:300] @ w) - np.eye(10)[y[:300]]) / 300
    loss = -np.log(softmax(x[300:600] @ w)[np.arange(300), y[300:600]]).mean()
    with cells.trial_workers() as (start_worker, facts):
        worker = start_worker()
        assert worker.evaluate(TRIAL) == pytest.approx(loss, abs=1e-9)
        assert worker.evaluate(TRIAL) == pytest.approx(loss, abs=1e-9)  # one trial after another
        worker.close()
        counted = {"most at once": 1, "still open": 0, "never met": 0, "starts": 2, "deaths": 0, "processes": 1}
        assert facts() == {**counted, "order": ["t1", "t1"]}


def test_a_death_is_an_error_and_happens_as_often_as_planned():
    with cells.trial_workers(kills={"t1": 1}) as (start_worker, facts):
        first = start_worker()
        with pytest.raises(cells.WorkerDied):
            first.evaluate(TRIAL)
        with pytest.raises(cells.WorkerDied):
            first.evaluate(TRIAL)  # dead for good
        assert start_worker().evaluate({**TRIAL, "id": "t11"}) > 0  # another trial, whose name begins alike
        assert start_worker().evaluate(TRIAL) > 0
        assert facts()["deaths"] == 1 and facts()["processes"] == 3 and facts()["still open"] == 2


def test_a_trial_that_has_to_meet_others_waits_for_them():
    with cells.trial_workers(needs={"t1": ["start", 2]}) as (start_worker, facts):
        losses, workers = {}, [start_worker(), start_worker()]

        def evaluate(worker, name):
            losses[name] = worker.evaluate({**TRIAL, "id": name})

        threads = [threading.Thread(target=evaluate, args=pair) for pair in zip(workers, ("t1", "t2"), strict=True)]
        [thread.start() for thread in threads]
        [thread.join(60) for thread in threads]
        assert set(losses) == {"t1", "t2"} and facts()["never met"] == 0 and facts()["most at once"] == 2


def test_no_process_is_left_whatever_happens():
    before = {child.pid for child in psutil.Process().children()}
    with pytest.raises(KeyError), cells.trial_workers() as (start_worker, _):
        start_worker(), start_worker()
        raise KeyError
    assert {child.pid for child in psutil.Process().children()} <= before


def test_threads_that_start_workers_at_once_get_one_each():
    with cells.trial_workers() as (start_worker, facts):
        got, together = [], threading.Barrier(8)

        def start():
            together.wait(60)
            got.append(start_worker())

        threads = [threading.Thread(target=start) for _ in range(8)]
        [thread.start() for thread in threads]
        [thread.join(60) for thread in threads]
        assert len(set(got)) == 8 and facts()["processes"] == facts()["most at once"] == 8
