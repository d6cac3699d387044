"""However a class is graded, each submission gets the same points and the same words."""

from __future__ import annotations

import json

import pytest

from autograder.classroom import grade
from autograder.classroom.submissions import Classroom
from autograder.cli import main
from autograder.grading.sandbox import ColdKernels, Kernels, probe
from tests.grading.conftest import NAME
from tests.grading.test_answers import WRONG

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("same grades")]
isolated = pytest.mark.skipif(not probe().works, reason="submissions cannot be isolated here")


def graded(course, *options: str) -> dict[str, dict]:
    """All that grading says of each student, without how long it took and in which kernel."""
    assert main(["grade", *options]) == 0
    rows = json.loads((Classroom(course).course.classroom / "grades.json").read_text())
    for row in rows:
        row["report"].pop("seconds")
        row["report"].pop("notes")
    return {row["student"]: row for row in rows}


@isolated
def test_one_worker_or_two_warm_or_cold_first_time_or_again(sums_course, monkeypatch, capsys):
    (sums_course.source(NAME).parent / "answers" / "wrong_double.py").write_text(WRONG)
    assert main(["demo"]) == 0
    one = graded(sums_course, "--workers", "1")
    assert len(one) == 13 and len({row["score"] for row in one.values()}) > 2
    assert graded(sums_course) == one  # from the journal
    assert graded(sums_course, "--force", "--workers", "2") == one
    started = []

    def with_others(kernels):
        def choose(*_, **__):
            started.append(type(kernels))
            return kernels

        monkeypatch.setattr(grade, "choose_kernels", choose)

    for kernels in (ColdKernels(), Kernels()):
        with_others(kernels)
        assert graded(sums_course, "--force") == one
    assert started == [ColdKernels, Kernels]
