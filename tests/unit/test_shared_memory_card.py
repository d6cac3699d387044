"""The shared cell that has TensorFlow's GPU allocator manage the CPU device's memory; in processes of their own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from autograder.authoring.source import SourceCell, shared_cell
from autograder.paths import Course

BEFORE_AN_OP = ""
AFTER_AN_OP = "import tensorflow as tf\ntf.zeros([3]) + 1\n"
USES = """
claim_card()
claim_card()
held = {"a": tensor_of(8), "b": tensor_of(4)}
print(places(held), in_use(), in_use("peak") >= in_use())
del held["a"]
forget_peak()
print(in_use(), in_use("peak") // MIB)
tensor = tf.fill([100], 1.0)
print(in_use() - 4 * MIB, CARD["start"] == address(tensor_of(8)))
"""


def run(course: Course, before: str, after: str = "") -> subprocess.CompletedProcess:
    cell = shared_cell(course, SourceCell("code", "include", "memory_card.py", "", "test", keywords={"mib": 64}))
    program = [sys.executable, "-c", f"{before}{cell}\n{after}"]
    return subprocess.run(program, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
def test_the_card_is_one_region_with_real_places_and_counters(course):
    done = run(course, BEFORE_AN_OP, USES)
    assert done.stdout.splitlines() == [
        "A card of 64 MiB, 0 bytes in use.",
        "{'a': (0.0, 8.0), 'b': (8.0, 4.0)} 12582912 True",
        "4194304 4",
        "512 True",
    ], done.stderr


@pytest.mark.slow
def test_a_kernel_that_already_ran_an_op_is_told_to_restart(course):
    done = run(course, AFTER_AN_OP, "claim_card()")
    assert done.returncode == 1 and "Restart the kernel" in done.stderr
