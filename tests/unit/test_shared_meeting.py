"""The shared cell in which workers, as threads, agree after each step."""

from __future__ import annotations

from pathlib import Path

from autograder.paths import Course

from .shared_cells import run_cells


def test_workers_agree_and_one_that_is_left_alone_says_so(course: Course) -> None:
    def stays(rows, until, told, agree, folder):
        Path(folder, "saved").touch()
        return [agree(told()) for _ in range(until)]

    def leaves(rows, until, told, agree, folder):
        return [agree(told())] if rows else [agree(told()) for _ in range(until)]

    some_lives = run_cells(course, "meeting")["some_lives"]
    assert some_lives(stays, [[], []], 3, [[[1, 2]], []]) == (
        [[[False, True, True]] * 2, [[False] * 3] * 2],
        [True, True],
        [[3, 3], [3, 3]],
    )
    assert some_lives(leaves, [[], [1]], 2, [[]]) == (
        [[["waits for ever"], [False]]],
        [False, False],
        [[2, 1]],
    )
