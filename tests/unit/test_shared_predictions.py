"""The shared cell that puts a prediction beside what came."""

from __future__ import annotations

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.mark.parametrize(
    ("predicted", "seen", "line"),
    [
        (..., 11.288440373486704, "x: 11.29. (You wrote no prediction.) Because."),
        (11, 11.288440373486704, "✓ x: 11.29, as you predicted. Because."),
        ({"a": ..., "b": ...}, {"a": True, "b": "CPU:0"}, "x: a True, b CPU:0. (You wrote no prediction.) Because."),
        ({"a": False, "b": ...}, {"a": True, "b": 2}, "✗ x: a True, b 2. You predicted a False, b .... Because."),
        (["whole"], ["whole", "micro"], "✗ x: whole, micro. You predicted whole. Because."),
        ("Start", "start", "✓ x: start, as you predicted. Because."),
        (3, [], "✗ x: []. You predicted 3. Because."),
    ],
)
def test_what_came_is_said_as_one_writes_it(
    course: Course, capsys: pytest.CaptureFixture[str], predicted: object, seen: object, line: str
) -> None:
    run_cells(course, "predictions")["compare_prediction"]("x", predicted, seen, "Because.")
    assert capsys.readouterr().out == f"{line}\n"
