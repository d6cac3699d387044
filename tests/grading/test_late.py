"""Due dates, extensions and what lateness costs: set, applied, shown."""

from __future__ import annotations

import csv
import os
import time
from datetime import datetime

import pytest
from nbgrader.api import Gradebook

from autograder.classroom import late
from autograder.classroom.late import LatePenalty
from autograder.cli import main
from autograder.errors import CourseError
from tests.grading.conftest import NAME

pytestmark = pytest.mark.xdist_group("gradebook")
SETTINGS = "[tool.course]\nlate_percent_per_day = 10\nlate_percent_at_most = 30\n"


@pytest.fixture
def in_utc(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def rows(course):
    with (course.classroom / "grades.csv").open(newline="") as file:
        return {row["student"]: (float(row["score"]), float(row["seconds_late"])) for row in csv.DictReader(file)}


@pytest.mark.skipif(os.name != "posix", reason="no other time zone can be set here")
def test_due_dates_extensions_and_penalties_from_the_command_to_the_pages(sums_course, right, in_utc, capsys):
    (sums_course.root / "pyproject.toml").write_text(SETTINGS)
    for student, when in {"ada": "03-02 08:00", "bob": "03-03 09:30", "cleo": "03-03 09:30"}.items():
        folder = sums_course.classroom / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(right)
        (folder / "timestamp.txt").write_text(f"2026-{when}:00 UTC")
    assert main(["due", "1", "2026-03-02 09:00"]) == 0
    assert main(["due", "1", "2026-03-04", "--student", "cleo"]) == 0
    said = capsys.readouterr().out
    assert "2026-03-02 09:00" in said and "cleo until 2026-03-04 23:59" in said
    assert "Each begun day late costs 10 % of the points, at most 30 %." in said and "Nobody" not in said
    assert main(["due", "1", "2026-03-04", "--student", "Cleo"]) == 0
    assert "Nobody has the id 'Cleo'" in capsys.readouterr().out
    assert main(["due", "1", "never", "--student", "Cleo"]) == 0
    assert main(["grade"]) == 0
    assert rows(sums_course) == {"ada": (7, 0), "bob": (5.6, 88200), "cleo": (7, 0)}
    report = (sums_course.classroom / "report.html").read_text()
    assert "Due 2026-03-02 09:00. Longer: cleo until 2026-03-04 23:59." in report and "late 1 day 0 h" in report
    page = (sums_course.classroom / "feedback" / "bob" / NAME / f"{NAME}.html").read_text()
    assert "5.6 of 9 (1.4 taken off for lateness)" in page

    with Gradebook(f"sqlite:///{sums_course.classroom / 'gradebook.db'}") as gradebook:  # points that a person gives
        given = gradebook.find_grade("why", NAME, NAME, "bob")
        given.manual_score, given.needs_manual_grade = 2, False
        gradebook.db.commit()
    assert main(["grade"]) == 0
    assert rows(sums_course)["bob"] == (7.2, 88200), "a share of them is taken off, too"
    (sums_course.root / "pyproject.toml").write_text(SETTINGS.replace("10", "50"))
    assert main(["due", "1", "never", "--student", "cleo"]) == 0 and main(["grade"]) == 0
    assert rows(sums_course) == {"ada": (7, 0), "bob": (6.3, 88200), "cleo": (4.9, 88200)}
    assert main(["due", "1", "never"]) == 0 and main(["export"]) == 0
    exported = (sums_course.classroom / "export-csv.csv").read_text()
    assert "bob,,9,9" in exported and "cleo,,7,7" in exported, "nothing is due, so nothing is taken off"
    assert main(["grade"]) == 0
    assert {student: score for student, (score, _) in rows(sums_course).items()} == {"ada": 7, "bob": 9, "cleo": 7}


def test_a_missing_time_is_pointed_out_and_is_not_that_of_an_earlier_submission(sums_course, right, in_utc):
    (sums_course.root / "pyproject.toml").write_text(SETTINGS)
    folders = {who: sums_course.classroom / "submitted" / who / NAME for who in ("ada", "bob", "cleo")}
    for student, folder in folders.items():
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(right)
        if student != "cleo":
            (folder / "timestamp.txt").write_text(f"2026-03-0{1 if student == 'ada' else 3} 10:00:00 UTC")
    pages = {who: sums_course.classroom / "feedback" / who / NAME / f"{NAME}.html" for who in folders}
    told = "No time of handing in is known"
    assert main(["grade"]) == 0
    assert told not in pages["cleo"].read_text(), "nothing is due"
    assert main(["due", "1", "2026-03-02 09:00"]) == 0 and main(["grade"]) == 0
    assert rows(sums_course) == {"ada": (7, 0), "bob": (5.6, 90000), "cleo": (7, 0)}
    assert [told in page.read_text() for page in pages.values()] == [False, False, True]
    for student in ("ada", "bob"):  # they hand in again, and no time comes with it
        (folders[student] / f"{NAME}.ipynb").write_bytes(right + b"\n")
        (folders[student] / "timestamp.txt").unlink()
        os.utime(folders[student] / f"{NAME}.ipynb", (1_772_700_000, 1_772_700_000))
    assert main(["grade"]) == 0
    assert rows(sums_course) == {"ada": (7, 0), "bob": (7, 0), "cleo": (7, 0)}
    assert all(told in page.read_text() for page in pages.values())
    with (sums_course.classroom / "grades.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert all(told in line["remarks"] and not line["handed_in"] for line in lines)
    assert "last changed on 2026-03-05 08:40 (UTC)" in lines[0]["remarks"]
    assert told in (sums_course.classroom / "report.html").read_text()


@pytest.mark.parametrize(("days", "expected"), [(0.01, 1), (1, 1), (1.001, 2), (2.9, 3), (9, 3)])
def test_each_begun_day_costs_up_to_a_limit(days, expected):
    plugin = LatePenalty(percent_per_day=10, percent_at_most=30)
    assert plugin.late_submission_penalty("ada", 10, days * late.DAY) == pytest.approx(expected)
    assert plugin.late_submission_penalty("ada", 0, days * late.DAY) == 0


def test_dates_of_people(in_utc):
    assert late.as_utc("2026-12-01") == datetime(2026, 12, 1, 23, 59, 59)
    assert late.as_utc("2026-12-01 18:00+02:00") == datetime(2026, 12, 1, 16)
    with pytest.raises(CourseError, match="'tomorrow' is no date"):
        late.as_utc("tomorrow")


def test_an_extension_of_a_lesson_that_is_due_no_more_stops_no_autograde(sums_course, right, in_utc):
    (sums_course.root / "pyproject.toml").write_text(SETTINGS)
    folder = sums_course.classroom / "submitted" / "bob" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_bytes(right)
    (folder / "timestamp.txt").write_text("2026-03-03 09:30:00 UTC")
    for date in ("2026-03-02 09:00", "2026-03-04"):
        assert main(["due", "1", date, *(["--student", "bob"] if date == "2026-03-04" else [])]) == 0
    assert main(["grade"]) == 0 and rows(sums_course)["bob"] == (7, 0)
    assert main(["due", "1", "never"]) == 0
    with Gradebook(f"sqlite:///{sums_course.classroom / 'gradebook.db'}") as gradebook:
        submission = gradebook.find_submission(NAME, "bob")
        assert submission.extension and submission.total_seconds_late == 0, "nbgrader's own failed here"
    assert main(["due", "1", "2026-03-02 09:00"]) == 0 and main(["grade"]) == 0 and rows(sums_course)["bob"] == (7, 0)


def test_a_damaged_file_of_extensions_is_said(sums_course):
    sums_course.classroom.mkdir()
    (sums_course.classroom / "extensions.json").write_text('{"01": ["ada"]}')
    with pytest.raises(CourseError, match="extensions.json cannot be read"):
        late.extensions(sums_course)


@pytest.mark.parametrize("date", ["0001-01-01", "9999-12-31", "9999-12-31 20:00", "1066-10-14 09:00"])
def test_a_date_beyond_all_classes_is_a_sentence(sums_course, date, capsys):
    assert main(["due", "1", date]) == 2
    assert f"{date!r} is no date of a class: years go from 1971 to 9998" in capsys.readouterr().err


def test_an_extension_that_names_its_zone_counts_as_one_that_does_not(sums_course):
    sums_course.classroom.mkdir()
    path = sums_course.classroom / "extensions.json"
    path.write_text('{"01_sums": {"ada": "2026-12-01T10:00:00+01:00", "bob": "2026-12-01 09:00:00"}}')
    assert set(late.extensions(sums_course)[NAME].values()) == {datetime(2026, 12, 1, 9)}
    path.write_text('{"01_sums": {"ada": "0001-01-01"}}')
    with pytest.raises(CourseError, match="years go from 1971"):
        late.extensions(sums_course)


def test_a_gradebook_that_cannot_be_read_is_a_sentence(sums_course, capsys):
    sums_course.classroom.mkdir()
    (sums_course.classroom / "gradebook.db").write_bytes(b"no database" * 100)
    for command in (["due"], ["due", "1", "2026-12-01"], ["export"]):
        assert main(command) == 2
        assert "classroom/gradebook.db cannot be used" in capsys.readouterr().err
    folder = sums_course.classroom / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    assert main(["grade"]) == 2
    assert "A damaged gradebook is made again: first keep it under another name" in capsys.readouterr().err


def test_a_date_for_no_lesson_is_refused(sums_course, capsys):
    assert main(["due", "--student", "ada"]) == 2
    assert "Say for which lesson and until when" in capsys.readouterr().err
