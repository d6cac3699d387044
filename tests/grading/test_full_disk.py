"""A full disk spoils nothing for good: what could not be kept is no result, and the next run grades it."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.classroom.submissions import Classroom
from tests.grading.conftest import NAME

STUDENTS = ("ada", "bob", "cleo", "dan")
SIZE = 4_000_000  # bytes of the disk


def _may_mount() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0


pytestmark = [
    pytest.mark.xdist_group("full-disk"),
    pytest.mark.skipif(not _may_mount(), reason="a disk that can be filled is mounted, which root alone may do"),
]


@pytest.fixture
def small_disk(sums_course):
    """The class lies on a disk of four million bytes."""
    folder = sums_course.classroom
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"no disk can be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def grade(course) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COURSE_ROOT": str(course.root), "COLUMNS": "300"}
    command = [sys.executable, "-m", "autograder", "grade", "--workers", "1", "--unsafe"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


def fill(folder: Path, free: int) -> Path:
    """Leave so many bytes of the disk."""
    ballast = folder / "ballast"
    numbers = os.statvfs(folder)
    with ballast.open("wb") as file:
        file.write(b"\0" * max(0, numbers.f_bavail * numbers.f_frsize - free))
    return ballast


@pytest.mark.few(3)
@pytest.mark.parametrize("free", [0, 20_000, 100_000])
@pytest.mark.parametrize("begun", [False, True], ids=["the first run", "a class that was begun"])
def test_what_a_full_disk_spoilt_is_graded_by_the_next_run(small_disk, sums_course, right, free, begun):
    classroom = Classroom(sums_course)
    for student in STUDENTS:
        folder = classroom.submitted / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(right)
        if begun and student == "ada":
            assert grade(sums_course).returncode == 0
    ballast = fill(small_disk, free)
    done = grade(sums_course)
    said = done.stdout + done.stderr
    assert done.returncode in (1, 2) and "Traceback" not in said, said
    for path in (small_disk / "journal").rglob("*.json"):  # each is whole, or there is none
        assert json.loads(path.read_text())["report"]["problem"] == ""
    ballast.unlink()
    done = grade(sums_course)
    assert done.returncode == 0, done.stdout + done.stderr
    with (small_disk / "grades.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert {student: rows[student]["checks_score"] for student in STUDENTS} == dict.fromkeys(STUDENTS, "7")
    assert [row["remarks"] for row in rows.values()] == [""] * len(STUDENTS)
    assert not list(small_disk.rglob("*.unfinished"))
