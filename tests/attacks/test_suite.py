"""The class of attacks would notice harm: what it looks at is harmed here on purpose, without any attack."""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
import subprocess
import sys
from typing import Any

import pytest

from autograder.classroom.submissions import Classroom
from autograder.grading.lesson import read_lesson
from autograder.grading.sandbox import probe
from tests.attacks.suite import (
    EARLY,
    FOLDER,
    KINDS,
    LESSONS,
    PORT,
    TRACE,
    Graded,
    Watched,
    _look_at_gradebook,
    _look_for_secrets,
    attacks,
    make_course,
    read_attack,
    rows_of,
)
from tests.bench import attacks as bench_attacks
from tests.bench.attacks import StockClass, put_class

pytestmark = pytest.mark.xdist_group("attacks")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("suite") / "course")


@pytest.fixture
def watched(made, tmp_path):
    (made.classroom / "submitted" / "ada").mkdir(parents=True, exist_ok=True)
    return Watched(made, tmp_path)


def test_an_orphan_that_still_runs_is_found(watched):
    start = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(8)'])"
    with watched:
        subprocess.run([sys.executable, "-c", start], check=True, start_new_session=True)
    assert any(one.startswith("processes: ") for one in watched.found)


def test_changed_files_traces_and_connections_are_found(watched, made, tmp_path):
    with watched:
        (tmp_path / f"{TRACE}-1").touch()
        (made.root / f"x-{TRACE}").touch()
        made.source(LESSONS["sums"]).write_text("changed")
        socket.create_connection(("127.0.0.1", PORT), timeout=5).close()
    found = "\n".join(watched.found)
    for words in ("temporary files", "traces", "files of the course", "changed or gone", "reached from a sandbox"):
        assert words in found


def test_peace_is_found_peaceful(watched):
    with watched:
        pass
    assert watched.found == []


def test_a_rewritten_gradebook_is_found(made):
    classroom = Classroom(made)
    classroom.gradebook.parent.mkdir(exist_ok=True)
    with sqlite3.connect(classroom.gradebook) as database:
        database.executescript("""
            create table student (id text); create table submitted_assignment (id, student_id, timestamp);
            create table submitted_notebook (id, assignment_id); create table base_cell (id, name);
            create table grade (notebook_id, cell_id, auto_score, manual_score, extra_credit, needs_manual_grade);
            create table comment (notebook_id, cell_id, manual_comment);
            insert into student values ('early'), ('nobody'); insert into submitted_assignment values (1, 'early', '');
            insert into submitted_notebook values (1, 1); insert into base_cell values (1, 'why');
            insert into grade values (1, 1, null, 1.5, 0, 0);""")
    before = rows_of(classroom.gradebook, EARLY)
    assert before == [("why", None, 1.5, 0, 0, None, "")]
    with sqlite3.connect(classroom.gradebook) as database:
        database.execute("update grade set manual_score = 99")
    graded = Graded(rows={EARLY: {"checks_score": "7"}})
    _look_at_gradebook(graded, classroom, before, [])
    found = "\n".join(graded.damage["gradebook"])
    assert "rows of early changed" in found and "nobody is a student" in found and "early has 0 points there" in found


def test_a_secret_that_was_written_out_is_found(made):
    folder = made.classroom / "autograded" / "eve" / "01_sums"
    folder.mkdir(parents=True)
    cell: dict[str, Any] = {"cell_type": "code", "source": "# CANARY-solution is only the text of a check"}
    cell["outputs"] = [{"text": "CANARY-hidden"}]
    (folder / "01_sums.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}}))
    graded = Graded()
    _look_for_secrets(graded, Classroom(made))
    shutil.rmtree(folder)
    assert graded.damage["hidden"] == ["eve: hidden in autograded/eve/01_sums/01_sums.ipynb"]


def test_every_attack_says_what_it_is():
    names = [attack.name for attack in attacks()]
    assert len(names) > 150
    files = [path.stem for kind in KINDS for path in (FOLDER / kind).glob("*.py")]
    assert sorted(names) == sorted(files)  # no name twice


@pytest.mark.exhaustive  # for the benchmark
def test_every_hostile_file_can_be_handed_in_to_a_stock_class_too(made, tmp_path):
    """`course bench attacks` does so; what an attack looks for beside the class has to be there."""
    for lesson, name in LESSONS.items():
        (tmp_path / lesson / "source" / name).mkdir(parents=True)
        shutil.copy(made.solution_notebook(name), tmp_path / lesson / "source" / name)
    for attack in attacks():
        if attack.file.parent.name == "files":
            put_class(tmp_path / "stock", tmp_path / attack.lesson, attack, read_lesson(made, LESSONS[attack.lesson]))
            assert [*(tmp_path / "stock" / "class" / "submitted" / attack.name).iterdir()]
            shutil.rmtree(tmp_path / "stock")


@pytest.mark.exhaustive
@pytest.mark.slow
def test_stock_nbgrader_grades_who_is_honest_in_its_box(made, tmp_path):
    """Else the comparison of `course bench attacks` would say nothing."""
    if not probe().works:
        pytest.skip(probe().problem)
    stock_class = StockClass(tmp_path / "sums", made, "sums")
    (attack,) = attacks(["tags_skip_execution"])
    bench_attacks._rows["sums"] = rows_of(stock_class.folder / "gradebook.db", EARLY)
    found = bench_attacks.stock(attack, {"sums": stock_class})
    assert found.lost == [] and found.others == 0 and found.points is not None


@pytest.mark.parametrize("header", ["", "# score: 1/9\n# survives: grader\n# why: x\n", "# score: 1/10\n# why: x\n"])
def test_a_header_that_does_not_fit_is_refused(tmp_path, header):
    (tmp_path / "odd.py").write_text(header)
    with pytest.raises(ValueError, match="odd"):
        read_attack(tmp_path / "odd.py")
