"""The shared cell with the parts of the training program that are not about replication."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture
def program(course: Course, monkeypatch) -> dict:
    """The program's names, as after `python train.py --ps=2`."""
    monkeypatch.setattr(sys, "argv", ["train.py", "--ps=2"])
    space: dict = {}
    exec(run_cells(course, "training_job")["JOB"], space)
    return space


def test_flags_have_defaults_and_types(program):
    me = program["me"]
    assert (me.ps, me.workers, me.job_name, me.steps, me.rate) == (2, 3, "", 400, 1e-3)


def test_digits_are_divided_and_never_in_both_parts(program):
    x, y, test_x, test_y = program["load"]("digits")
    assert x.shape == (1500, 8, 8, 1) and test_x.shape == (297, 8, 8, 1) and x.dtype == np.float32 and x.max() == 1
    assert y.shape == (1500,) and test_y.shape == (297,) and y.dtype == np.int32


def test_a_file_like_mnist_is_read(program, tmp_path):
    x, y = np.arange(3 * 28 * 28).reshape(3, 28, 28) % 256, np.arange(3)
    np.savez(tmp_path / "mnist.npz", x_train=x, y_train=y, x_test=x[:1], y_test=y[:1])
    parts = program["load"](str(tmp_path / "mnist.npz"))
    assert [part.shape for part in parts] == [(3, 28, 28, 1), (3,), (1, 28, 28, 1), (1,)]
    assert parts[0].max() == 1


def test_the_launcher_needs_no_tensorflow(course):
    assert "import tensorflow" not in run_cells(course, "training_job")["JOB"]
