"""What shared cells do on systems that are not Linux, as far as Linux can show it: each such branch is taken once."""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import re
import subprocess
import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from autograder.authoring.source import read_cells

from .shared_cells import run_cells


def test_tasks_are_new_processes_where_a_fork_is_not_safe(course, tmp_path):
    """The helper program is told that it runs on macOS. It imports no TensorFlow there, so it starts at once."""
    program, task, log = (tmp_path / name for name in ("helper.py", "task.py", "task.log"))
    program.write_text(
        "import shutil, subprocess, sys\nsys.platform = 'darwin'\n" + run_cells(course, "cluster_helper")["HELPER"]
    )
    task.write_text(
        "import os, sys\nprint(sys.argv[1:], os.environ['GIVEN'], os.getppid())\nsys.stdin.read()\nsys.exit(5)\n"
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    requests = [
        [0, "start", "w", [str(task), "--flag"], {"GIVEN": "yes"}, str(log)],
        [1, "look", ""],
    ]
    process = subprocess.Popen(
        [sys.executable, program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    answers = []
    for request in requests:
        print(json.dumps(request), file=process.stdin, flush=True)
        answers.append(json.loads(process.stdout.readline()))
    pid, _ = answers[0][1]["w"]
    assert [number for number, _ in answers] == [0, 1] and pid not in (0, process.pid)
    while process.poll() is None and answers[-1][1]["w"][1] is None:
        print(json.dumps([2, "look", ""]), file=process.stdin, flush=True)
        answers.append(json.loads(process.stdout.readline()))
    assert answers[-1][1] == {"w": [pid, 5]}  # its input is empty, so it ends by itself
    assert log.read_text() == f"['--flag'] yes {process.pid}\n"
    process.communicate(timeout=20)
    assert process.returncode == 0 and not folder.exists()


@pytest.mark.parametrize(("system", "way"), [("linux", "fork"), ("darwin", "spawn"), ("win32", "spawn")])
def test_models_are_forked_on_linux_alone(course, monkeypatch, system, way):
    class Chosen(Exception):
        """Ends the program where it has chosen how to start processes."""

    def choose(method):
        raise Chosen(method)

    cells = [cell.text.partition("\n") for cell in read_cells(course, "04_queues")]
    program = "\n".join(text for first, _, text in cells if first.startswith("%%writefile"))
    for name in (
        "matplotlib",
        "scipy",
        "sklearn",
        "tensorflow",
    ):  # the program changes these; monkeypatch restores them
        monkeypatch.setitem(sys.modules, name, MagicMock())
    for variable in ("TF_CPP_MIN_LOG_LEVEL", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.setenv(variable, "")
    monkeypatch.setattr(multiprocessing, "get_context", choose)
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(Chosen, match=way):
        exec(program, {"__name__": "__main__"})


@pytest.mark.parametrize(("system", "library"), [("posix", None), ("nt", "ucrtbase")])
def test_the_c_library_that_holds_prints(course, system, library):
    cell, opened = run_cells(course, "native_output"), []
    cell["os"] = SimpleNamespace(name=system)
    cell["ctypes"] = SimpleNamespace(CDLL=lambda name: opened.append(name) or MagicMock())
    cell["flush_c"]()
    assert opened == [library]


@pytest.mark.parametrize(("system", "library"), [("posix", "libcuda.so.1"), ("nt", "nvcuda")])
def test_the_drivers_library(course, monkeypatch, capsys, system, library):
    opened: list[str] = []

    def missing(name):
        opened.append(name)
        raise OSError

    cells = [cell.text for cell in read_cells(course, course.lesson("02"))]
    parts = [text.partition("\n")[2] for text in cells if re.match(r"%%writefile (-a )?look.py\n", text)]
    text = "\n".join(parts)
    monkeypatch.setattr(ctypes, "CDLL", missing)
    monkeypatch.setattr(sys, "argv", ["look"])
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", system)
        exec(text, {"__name__": "__main__"})
    assert opened == [library] and "no driver" in capsys.readouterr().out


@pytest.mark.parametrize("affinity", [True, False])
def test_cores_are_counted_also_where_no_process_can_be_bound_to_some(course, affinity):
    names: dict = {}
    text = (course.shared / "quiet_start.py").read_text()
    exec(text.partition("\ntf, np, plt = ")[0], names)  # its functions, without starting TensorFlow
    given = {"sched_getaffinity": lambda process: {0, 1, 2}} if affinity else {}
    names["os"] = SimpleNamespace(cpu_count=lambda: 7, **given)
    line = names["machine_line"](MagicMock(__version__="2.21.0"))
    assert f"{3 if affinity else 7} CPU cores" in line
