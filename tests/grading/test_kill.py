"""The benchmark that kills the grader, with few kills."""

from __future__ import annotations

import pytest

from tests.bench.kill_grader import Damage, bench, compare, everything, make_class


@pytest.mark.slow
@pytest.mark.xdist_group("gradebook")
def test_a_killed_grader_loses_repeats_and_changes_nothing(tmp_path):
    assert bench(kills=2, students=3, lesson=None, seed=3) == Damage()


def test_the_comparison_sees_what_is_missing_or_different(tmp_path, monkeypatch):
    classroom = make_class(tmp_path / "course", 2, None)
    monkeypatch.setattr("tests.bench.kill_grader.duplicates", lambda classroom: ["a row 2 times"])
    assert everything(classroom) == {}
    (classroom.course.classroom / "grades.csv").write_text("student,lesson,score\nada,01,3\n")
    row = {"student": "ada", "lesson": "01", "score": "4", "needs_person": None}
    damage = compare(classroom, {"grades.csv 01 ada": row, "grades.csv 01 bob": row})
    assert damage.lost == ["grades.csv 01 bob"] and damage.duplicated == ["a row 2 times"]
    assert damage.changed[0].startswith("grades.csv 01 ada") and damage
