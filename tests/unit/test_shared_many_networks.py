"""The shared cell that trains many small networks as one stack of matrices."""

from __future__ import annotations

import numpy as np
import pytest

from solutions._shared import many_networks as cells
from solutions._shared.digits_rows import digits

pytestmark = pytest.mark.xdist_group("tensorflow")


def test_a_network_of_a_stack_learns_as_it_does_alone():
    (x, y), _, _ = digits()
    found = []
    for seeds, rates in (([3, 4], [0.5, 0.1]), ([4], [0.1])):
        weights = cells.first_stack(seeds, np.ones(len(seeds)))
        rows, labels = (np.broadcast_to(part, (len(seeds), *part.shape)) for part in (x, y))
        for _ in cells.train_many(weights, rates, rows, labels, 2):
            pass
        found.append(cells.logits_of(x, weights).numpy()[-1])
    assert np.allclose(found[0], found[1], atol=1e-3)


def test_losses_are_of_the_right_class():
    probabilities = np.array([[[0.25, 0.75], [1.0, 0.0]], [[0.5, 0.5], [0.5, 0.5]]])
    assert cells.losses_of(probabilities, np.array([1, 0])) == pytest.approx(-np.log([[0.75, 1], [0.5, 0.5]]))
    assert cells.losses_of(probabilities[0], np.array([1, 1]))[1] == pytest.approx(-np.log(1e-7))


def test_first_values_are_those_of_the_seed():
    w1, w2 = cells.first_values(5, 7)
    assert w1.shape == (64, 5) and w2.shape == (5, 10) and w1.dtype == w2.dtype == np.float32
    assert np.array_equal(w1, cells.first_values(5, 7)[0]) and not np.array_equal(w1, cells.first_values(5, 8)[0])


def test_a_table_has_a_loss_for_each_setting_and_epoch():
    train, validation, _ = digits()
    table = cells.loss_table(train, validation, settings=6, epochs=2)
    assert table.shape == (6, 2) and np.all(np.isfinite(table))


def test_the_digits_are_cut_without_overlap_and_differently_by_another_number():
    parts, others = digits(), digits(1)
    assert [len(rows) for rows, _ in parts] == [500, 300, 997] == [len(labels) for _, labels in parts]
    assert sum(rows.sum() for rows, _ in parts) == pytest.approx(sum(rows.sum() for rows, _ in others))
    assert not np.array_equal(parts[0][0], others[0][0]) and 0 <= parts[0][0].min() <= parts[0][0].max() == 1
