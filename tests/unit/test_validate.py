"""What the Validate button answers, on small notebooks in real kernels; and that the server goes on meanwhile."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.learning import validate
from autograder.paths import Course
from tests.servers import START_SECONDS, ask, copy_of_course, running, wait_for


def marked(source: str, name: str, **marks) -> nbformat.NotebookNode:
    """A code cell with nbgrader's marks."""
    plain = {"schema_version": 3, "grade": False, "solution": False, "locked": False, "task": False}
    cell = new_code_cell(source)
    cell.metadata["nbgrader"] = {**plain, "grade_id": name, **marks}
    return cell


def exercise(answer: str) -> nbformat.NotebookNode:
    """A notebook with one exercise, two visible checks and one hidden one."""
    message = "asked:    double(2)\\nlikely:   it adds 2"
    checks = [
        f"#@title Check · double-two · 1 point\nassert double(2) == 4, '{message}'",
        f"#@title Check · double-three · 1 point\nassert double(3) == 6, '{message}'",
        "#@title Hidden check · double-other · 1 point",
    ]
    cells = [marked(answer, "double", solution=True)]
    cells += [marked(check, f"double-{i}", grade=True, locked=True, points=1) for i, check in enumerate(checks)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def validated(folder: Path, notebook: nbformat.NotebookNode | str) -> dict:
    """The one line of JSON that the child process prints."""
    path = folder / "lesson.ipynb"
    path.write_text(notebook if isinstance(notebook, str) else nbformat.writes(notebook), encoding="utf-8")
    child = [sys.executable, "-m", "autograder.learning.validate", str(path)]
    ended = subprocess.run(child, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(ended.stdout)


def test_right_answers_have_nothing_to_show(tmp_path: Path) -> None:
    assert validated(tmp_path, exercise("def double(x):\n    return 2 * x")) == {"success": True, "value": {}}


def test_a_right_answer_that_logs_is_right_and_a_checks_last_value_is_no_part_of_its_points(tmp_path: Path) -> None:
    logs = "import sys\ndef double(x):\n    print('a log line', file=sys.stderr)\n    return 2 * x"
    notebook = exercise(logs)
    notebook.cells[1].source += "\n3.5"  # over its one point, which nbgrader refuses
    notebook.cells[2].source += "\n0.5"
    assert validated(tmp_path, notebook) == {"success": True, "value": {}}


def test_a_wrong_answer_shows_only_the_checks_that_fail(tmp_path: Path) -> None:
    answer = validated(tmp_path, exercise("def double(x):\n    return x + 2"))
    [failed] = answer["value"]["failed"]
    assert failed["source"] == "Check · double-three · 1 point"
    assert "likely:   it adds 2" in failed["error"]


def test_an_answer_that_does_not_run_fails_every_visible_check(tmp_path: Path) -> None:
    answer = validated(tmp_path, exercise("def double(x:"))
    assert len(answer["value"]["failed"]) == 2


def test_what_processes_of_a_notebook_print_is_no_part_of_the_answer(tmp_path: Path) -> None:
    prints = "import os, subprocess, sys\nos.system('echo by the shell')\nos.write(1, b'by the kernel')\n"
    child = "subprocess.run([sys.executable, '-c', 'print(123)'])\n"
    answer = validated(tmp_path, exercise(prints + child + "def double(x):\n    return 2 * x"))
    assert answer == {"success": True, "value": {}}


def test_a_cell_that_ends_the_kernel_is_one_sentence(tmp_path: Path) -> None:
    answer = validated(tmp_path, exercise("import os\nos._exit(3)"))
    assert answer["success"] is False
    assert answer["value"].startswith("A cell of lesson.ipynb ended the kernel") and "\n" not in answer["value"]


@pytest.mark.parametrize("name", [".venv", "my kernel"])
def test_a_kernel_that_is_not_here_is_one_sentence(tmp_path: Path, name: str) -> None:
    notebook = exercise("def double(x):\n    return 2 * x")
    notebook.metadata.kernelspec = {"name": name, "display_name": name, "language": "python"}
    answer = validated(tmp_path, notebook)
    assert answer["success"] is False and "Traceback" not in answer["value"]
    assert f"lesson.ipynb asks for a kernel named {name!r}" in answer["value"] and "Change Kernel" in answer["value"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "cannot be read as a notebook"),
        ("{ broken", "cannot be read as a notebook"),
        ("[]", "cannot be read as a notebook"),
        ('{"cells": 3}', "cannot be read as a notebook"),
        ('{"cells": [3], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "cannot be read as a notebook"),
        ("[" * 100_000, "cannot be read as a notebook"),
        (nbformat.writes(new_notebook(cells=[new_code_cell("1")])), "has no checks"),
    ],
    ids=["empty", "broken", "a list", "a number", "numbers", "deep", "without marks"],
)
def test_what_is_no_lesson_is_never_a_silent_success(tmp_path: Path, content: str, says: str, capfd) -> None:
    (tmp_path / "lesson.ipynb").write_text(content, encoding="utf-8")
    assert validate.main(str(tmp_path / "lesson.ipynb")) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["success"] is False
    assert says in answer["value"]


@pytest.mark.parametrize("place", [0, 1], ids=["answer", "check"])
def test_a_copy_of_a_cell_is_named(tmp_path: Path, place: int) -> None:
    notebook = exercise("def double(x):\n    return 2 * x")
    copied = new_code_cell(notebook.cells[place].source, metadata=notebook.cells[place].metadata)
    notebook.cells.insert(place, copied)
    answer = validated(tmp_path, notebook)
    assert answer["success"] is False and "Traceback" not in answer["value"]
    assert f"has the cell `{copied.metadata.nbgrader.grade_id}` more than once" in answer["value"]


def test_a_mark_that_lost_a_part_is_one_sentence(tmp_path: Path) -> None:
    notebook = exercise("def double(x):\n    return 2 * x")
    del notebook.cells[1].metadata.nbgrader["points"]
    answer = validated(tmp_path, notebook)
    assert answer["success"] is False and "nbgrader's marks in them, are damaged" in answer["value"]


@pytest.mark.parametrize("mark", [None, "text", ["list"], {"schema_version": "3", "grade_id": "x", "grade": True}])
def test_what_is_no_mark_is_one_sentence(tmp_path: Path, mark: object) -> None:
    notebook = exercise("def double(x):\n    return 2 * x")
    notebook.cells[1].metadata.nbgrader = mark
    answer = validated(tmp_path, json.dumps(notebook))
    assert answer["success"] is False and "Traceback" not in answer["value"]


@pytest.mark.slow
def test_the_server_answers_while_a_notebook_is_validated_and_ctrl_c_ends_it(course: Course, tmp_path: Path) -> None:
    mine = copy_of_course(course, tmp_path / "course")
    with running(mine) as server:
        folder = mine.work / "00_start_here"
        nbformat.write(
            exercise("import pathlib, time\npathlib.Path('started').touch()\ntime.sleep(600)"), folder / "a.ipynb"
        )
        outside = quote("../notebooks/00_start_here/00_start_here.ipynb")
        assert ask(server.url, f"/assignments/validate?path={outside}", "POST")[0] == 403

        def wait_for_its_answer() -> None:  # it gets none: the server is stopped first
            with contextlib.suppress(OSError):
                ask(server.url, "/assignments/validate?path=00_start_here/a.ipynb", "POST")

        asking = threading.Thread(target=wait_for_its_answer, daemon=True)
        asking.start()
        wait_for((folder / "started").exists, START_SECONDS, "the notebook to run")
        begin = time.monotonic()
        assert ask(server.url, "/api/status")[0] == 200
        assert time.monotonic() - begin < 5
        assert asking.is_alive(), "the notebook is still being validated"
    # `running` has pressed Ctrl-C here, and found neither the child nor its kernel
