"""What lesson 10 says about luck, halving and ensembles, by its own code and over other seeds than its own."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from autograder.authoring.source import read_cells
from autograder.paths import Course
from solutions._shared import digits_rows, many_networks, optimism_widget
from tests.conftest import ROOT

pytestmark = pytest.mark.xdist_group("claims-10")

LESSON = "10_search_and_ensembles"
CODE = [cell.text for cell in read_cells(Course(ROOT), LESSON) if cell.role in ("code", "solution")]


def cells_with(*beginnings: str, **names) -> SimpleNamespace:
    """The namespace after the lesson's cells that contain these texts ran, with what its helpers bring."""
    helpers = {**vars(many_networks), **vars(digits_rows)}
    silent = {"print": lambda *_: None, "compare_prediction": lambda *_: None, "show": lambda *_: None}
    space = {"np": np, "tf": tf, **helpers, **silent, "draw_gains": lambda *_: None, **names}
    for text in beginnings:
        (cell,) = [code for code in CODE if text in code]
        exec(compile(cell, f"<{text}>", "exec"), space)
    return SimpleNamespace(**space)


@pytest.fixture(scope="module")
def parts():
    return digits_rows.digits()


def test_halving_beats_random_search_at_equal_cost_in_most_searches_on_other_tables(parts):
    table = many_networks.loss_table(parts[0], parts[1], seed=1)
    lesson = cells_with("def random_search(", "def compare_searches(", table=table, halving_wins=...)
    both = lesson.both
    assert (both[:, 1] < both[:, 0]).mean() > 0.65
    assert (both[:, 1] <= both[:, 0]).mean() > 0.8
    assert np.median(both[:, 1]) < np.median(both[:, 0])


def test_both_searches_cost_81_epochs():
    assert 3 * 27 == 27 * 1 + 9 * (3 - 1) + 3 * (9 - 3) + 1 * (27 - 9)


def test_one_setting_differs_by_more_than_a_fifth_of_a_point_from_seed_to_seed(parts):
    names = {"train": parts[0], "validation": parts[1], "test": parts[2], "points_apart": ...}
    lesson = cells_with("def accuracies(", **names)
    assert lesson.seen.std(ddof=1) > 0.3 and lesson.true.std(ddof=1) > 0.2
    assert np.ptp(lesson.seen) > 1.5


def test_the_luck_of_the_best_is_about_three_points_and_falls_with_the_rows():
    luck = {rows: np.subtract(*optimism_widget.luck_of_the_best(rows, 0.0, [200])[200]) for rows in (300, 3000, 10000)}
    assert 2.5 < luck[300] < 3.7 and luck[3000] > 1 > luck[10000]


@pytest.fixture(scope="module")
def ensembles():
    """The cells of sections 11 and 12, once with the lesson's seeds and once with others."""
    found = []
    for shift in (0, 1000):

        def first_stack(seeds, scales, shift=shift):
            return many_networks.first_stack([seed + shift for seed in seeds], scales)

        names = {"first_stack": first_stack, "digits": lambda split, shift=shift: digits_rows.digits(split + shift)}
        cells = ["SPLITS, SEEDS = 20, 5", "nets, labels = {}, {}", "def with_error(", "def mean_loss(", "gains = {}"]
        cells += ["def tree_answers(", "members = {kind: np.array(found)", "def equal_mean(", "def found_weights("]
        found.append(cells_with(*cells, "def gain_of_weights(", **names, better_way="..."))
    return found


def test_choosing_the_best_start_loses_most_of_its_gain_on_new_rows_and_averaging_nothing(ensembles):
    for lesson in ensembles:
        gains = {
            way: [lesson.gains[kind][way].mean() for kind in ("validation", "test")] for way in ("choose", "average")
        }
        chosen, averaged = gains.values()
        assert chosen[1] < 0.6 * chosen[0]
        assert 0.8 < averaged[1] / averaged[0] < 1.25
        assert np.all(lesson.gains["test"]["average"] > 0)
        assert averaged[1] > chosen[1]


def test_a_difference_row_by_row_has_a_much_smaller_error(ensembles):
    for lesson in ensembles:
        error = [np.std(values) for values in (lesson.single, lesson.five, lesson.single - lesson.five)]
        assert error[2] < 0.6 * min(error[:2])


def test_trees_err_elsewhere_and_are_the_better_partner_on_average_but_not_in_every_split(ensembles):
    for lesson in ensembles:
        assert lesson.difference.mean() > 0.001
        assert 1 <= (lesson.difference < 0).sum() <= 10
        alone = [lesson.mean_loss("test", lesson.members["test"][:, i]).mean() for i in range(4)]
        assert abs(alone[1] - alone[2]) < 0.03 < 0.2 < alone[3] - alone[0]  # about as good; clearly weaker


def test_found_weights_throw_a_weak_member_out_and_gain_nothing_among_good_ones(ensembles):
    for lesson in ensembles:
        assert np.all(lesson.three_good["validation"] > -1e-6) and np.all(lesson.one_weak["validation"] > 0)
        assert np.all(lesson.one_weak["test"] > 0)
        error = lesson.three_good["test"].std(ddof=1) / len(lesson.three_good["test"]) ** 0.5
        assert lesson.three_good["test"].mean() < 2 * error


def test_of_three_rates_the_middle_one_is_the_best(parts):
    lesson = cells_with("def train_on(", train=parts[0], validation=parts[1])
    losses = [lesson.train_on("/device:CPU:0", rate) for rate in (0.01, 1.0, 100.0)]
    assert np.argmin(losses) == 1
