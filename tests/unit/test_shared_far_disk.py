"""The shared cell with files that take long to read."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "quiet_start", "far_disk"))


def test_every_file_is_read_and_every_step_noted(cells):
    disk = cells.FarDisk(np.ones([800, 64]), count=3)
    disk.seconds = 0.001
    lanes = disk.consume(cells.tf.data.Dataset.range(3).map(disk.load))
    assert sorted(piece[2] for piece in lanes["read"]) == ["0", "1", "2"] and len(lanes["device"]) == 3
    assert all(0 <= begin <= end for lane in lanes.values() for begin, end, *_ in lane)
