"""A class that lives in another system, as a teacher has it: collected, graded, exported, feedback given back."""

from __future__ import annotations

import csv
import zipfile

import pytest

from autograder.cli import main
from autograder.grading.sandbox import probe
from tests.grading.conftest import NAME

pytestmark = pytest.mark.xdist_group("gradebook")


@pytest.mark.skipif(not probe().works, reason="submissions cannot be isolated here")
def test_from_moodles_and_canvas_downloads_to_their_gradebooks(sums_course, right, tmp_path, capsys):
    classroom = sums_course.classroom
    classroom.mkdir()
    people = ("id,name,email,canvas_id", "ada,Ada Lovelace,ada@example.org,", "jose,José Núñez,,77", "cleo,Cleo Dee,,")
    (classroom / "roster.csv").write_text("\n".join(people), encoding="utf-8")
    folder = "Ada Lovelace_12345_assignsubmission_file"
    with zipfile.ZipFile(tmp_path / "moodle.zip", "w") as opened:
        opened.writestr(f"{folder}/{NAME} (2).ipynb", right)
    with zipfile.ZipFile(tmp_path / "canvas.zip", "w") as opened:
        opened.writestr(f"núñezjosé_LATE_77_900_{NAME}-1.ipynb", right)
    assert main(["collect", str(tmp_path / "moodle.zip"), str(tmp_path / "canvas.zip")]) == 0
    assert main(["grade", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "Ada Lovelace (ada)" in out and "Cleo Dee (cleo)" in out

    with (classroom / "grades.csv").open(newline="") as file:
        rows = {row["student"]: (row["score"], row["remarks"]) for row in csv.DictReader(file)}
    late = "Canvas marks this as late, and says no time."
    assert rows == {"ada": ("7.0", ""), "jose": ("7.0", late), "cleo": ("", "Nothing was handed in.")}
    assert "handed in nothing: cleo" in " ".join((classroom / "report.html").read_text().split())
    assert late in (classroom / "feedback" / "jose" / NAME / f"{NAME}.html").read_text()

    assert main(["export", "--to", "canvas"]) == 0
    with (classroom / "export-canvas.csv").open(newline="", encoding="utf-8") as file:
        assert {row["Student"]: row["01 Sums"] for row in csv.DictReader(file)} == {
            "    Points Possible": "9", "Lovelace, Ada": "7", "Núñez, José": "7", "Dee, Cleo": "",
        }  # fmt: skip
    assert main(["feedback", "1", "--zip", "moodle"]) == 1
    assert "jose is not in it: that submission was not collected from Moodle." in capsys.readouterr().out
    with zipfile.ZipFile(classroom / f"feedback-moodle-{NAME}.zip") as opened:
        assert opened.namelist() == [f"{folder}/{NAME}.html"]
        assert "7 of 7" in opened.read(opened.namelist()[0]).decode()
