"""The map of the course: what it was commissioned to teach, row by row, and where a learner meets each row.

``seed_map/rows.json`` has the rows of the five sets of notes, with the lessons that teach each and whether it is
graded. ``seed_map/NN.json`` says in which sections and exercises of lesson NN a row is; rows of source "issue" are what
was asked of a lesson besides.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

import pytest

from autograder.authoring.source import read_cells
from autograder.paths import Course
from tests.conftest import LESSONS, ROOT

HERE = Path(__file__).parent / "seed_map"
ROWS = json.loads((HERE / "rows.json").read_text(encoding="utf-8"))
MAPPED = [lesson for lesson in LESSONS if not lesson.startswith("00_")]
HEADING = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)


@lru_cache
def entries(lesson: str) -> list[dict]:
    path = HERE / f"{lesson[:2]}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


@pytest.mark.parametrize("lesson", MAPPED)
def test_every_row_of_a_lesson_is_in_it(lesson):
    wanted = {(row["source"], row["row"]) for row in ROWS if lesson[:2] in row["lessons"]}
    there = {(entry["source"], entry["row"]) for entry in entries(lesson)}
    assert wanted - there == set()
    assert {key for key in there - wanted if key[0] != "issue"} == set()


@pytest.mark.parametrize("lesson", MAPPED)
def test_the_sections_and_exercises_that_the_map_names_exist(lesson):
    cells = read_cells(Course(ROOT), lesson)
    headings = {heading for cell in cells if cell.kind == "markdown" for heading in HEADING.findall(cell.text)}
    exercises = {cell.name for cell in cells if cell.role == "exercise"}
    for entry in entries(lesson):
        assert set(entry["sections"]) <= headings, entry["row"]
        assert set(entry["exercises"]) <= exercises, entry["row"]
        assert entry["sections"] or entry["exercises"], entry["row"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['source']}-{row['row'][:40]}")
def test_what_is_to_be_graded_is(row):
    lessons = [lesson for lesson in MAPPED if lesson[:2] in row["lessons"]]
    if not row["graded"] or not lessons:
        return  # explained only, or its lessons are not written yet
    mine = [entry for lesson in lessons for entry in entries(lesson)]
    graded = [e for e in mine if (e["source"], e["row"]) == (row["source"], row["row"]) and e["exercises"]]
    assert graded


def test_the_rows_are_those_of_all_five_notes():
    assert {row["source"] for row in ROWS} == set("ABCDE") and len(ROWS) == 45
    assert len({(row["source"], row["row"]) for row in ROWS}) == 45
    assert {number for row in ROWS for number in row["lessons"]} == {f"{number:02}" for number in range(1, 11)}
