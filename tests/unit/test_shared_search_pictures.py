"""The shared cell with the pictures of a search, and the look at a model function."""

from __future__ import annotations

import keras
import numpy as np
import pytest

from solutions._shared import search_pictures as cells


@pytest.fixture
def shown(monkeypatch):
    """``[(figure, words)]`` of what was shown."""
    found = []
    monkeypatch.setattr(cells, "show", lambda figure, words: found.append((figure, words)))
    return found


def test_a_model_function_is_described_by_what_it_declares_and_makes():
    def build(hp, most):
        units = hp.Int("units", 4, most)
        model = keras.Sequential([keras.Input([3]), keras.layers.Dense(units, "relu")])
        model.compile(keras.optimizers.SGD(hp.Float("rate", 0.1, 0.5), 0.25), "mse")
        return model

    found = cells.described(build, {"units": 7, "rate": 0.5}, 9)
    assert [entry["config"]["name"] for entry in found["space"]["space"]] == ["units", "rate"]
    assert found["layers"] == [[7, "relu"]] and found["optimizer"] == "SGD" and found["loss"] == "mean_squared_error"
    assert (found["rate"], found["momentum"]) == (0.5, 0.25)


def test_the_scales_are_counted_and_drawn(shown):
    below = cells.draw_scales(1e-4, 1e-1)
    assert 60 < below["linear"] < 130 and 600 < below["log"] < 730
    assert [axes.get_xlabel() for axes in shown[0][0].axes] == ["learning rate"] * 2 and "89" in shown[0][1]


def test_each_line_ends_where_its_setting_is_stopped(shown):
    table = np.arange(9)[:, None] + np.linspace(1, 0.5, 9)
    cells.draw_halving(table, range(9))
    lines = shown[0][0].axes[0].lines
    assert [len(line.get_xdata()) for line in lines] == [1] * 9 + [3] * 3 + [7]
    assert "[1, 3, 9]" in shown[0][1]


def test_gains_have_a_point_for_both_kinds_of_rows(shown):
    gains = {"a": {"validation": [1.0, 2.0], "test": [0.5, 0.7]}, "b": {"validation": [0.0, 0.1], "test": [0.0, 0.2]}}
    cells.draw_gains(gains, "gain")
    axes = shown[0][0].axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "b"] and "a: validation 1.5" in shown[0][1]
