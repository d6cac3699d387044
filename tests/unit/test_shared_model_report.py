"""The shared cell that says where a Keras model's variables are and where its ops ran."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells

KERNELS = [[[1.0, -1.0, 2.0], [0.0, 1.0, 1.0]], [[1.0, -2.0], [2.0, 0.0], [0.0, 1.0]]]
BIASES = [[1.0, 0.0, -1.0], [-9.0, 0.5]]


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "model_report"))


def dense(tf):
    layers = tf.keras.layers
    return tf.keras.Sequential([tf.keras.Input([2]), layers.Dense(3, activation="relu"), layers.Dense(2)])


def test_weights_are_set_and_the_run_is_reported(cells):
    report = cells.report_model(dense(cells.tf), KERNELS, BIASES, [[1.0, 2.0], [-1.0, 1.0]])
    assert report["output"] == [[-5.0, -0.5], [-5.0, 0.5]]
    assert report["kernels"] == [[[2, 3], "CPU:0"], [[3, 2], "CPU:0"]]
    assert report["biases"] == [[[3], "CPU:0"], [[2], "CPU:0"]]
    assert report["ops"]["MatMul"] == ["CPU:0", "CPU:0"] and report["ops"]["Relu"] == ["CPU:0"]
    assert report["moves"] == []


def test_weights_of_other_shapes_are_left_as_they_are(cells):
    model = dense(cells.tf)
    before = [value.tolist() for value in model.get_weights()]
    cells.report_model(model, KERNELS[::-1], BIASES, [[1.0, 2.0]])
    kernels = [value.tolist() for value in model.get_weights()][::2]
    assert kernels == before[::2]


def test_what_is_no_model_is_said_to_be_none(cells):
    assert cells.report_model([], [], [], [[1.0]]) == "a value of type list, not a Keras model"
    assert cells.train_model(None, [[1.0]]) == "a value of type NoneType, not a Keras model"


def test_training_says_which_kernels_changed(cells):
    model = dense(cells.tf)
    x = [[1.0, 2.0], [2.0, 1.0]]
    cells.set_layers(model, KERNELS, BIASES)
    assert cells.train_model(model, x)["changed"] == [True, True]
    model.layers[0].trainable = False
    assert cells.train_model(model, x)["changed"] == [False, True]
