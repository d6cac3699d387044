"""Learners' notebooks with Colab's versions, each alone in an empty folder; `course test-colab` runs all of them so."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.authoring import lock, test_colab
from autograder.cli import main
from autograder.errors import CourseError
from autograder.paths import Course
from tests.conftest import ROOT

LISTS = ROOT / "autograder" / "authoring" / "colab"
CHEAP = ("00_start_here", "02_visible_devices")  # the second one starts processes of its own


def in_the_environment(test):
    """For tests that share one environment, made once; that asks the package index unless uv has kept everything."""
    for mark in (pytest.mark.network, pytest.mark.slow, pytest.mark.spare, pytest.mark.xdist_group("colab")):
        test = mark(test)
    return test


@pytest.fixture(scope="module")
def python(course: Course) -> Path:
    return test_colab.make_venv(course, "cpu")


@in_the_environment
@pytest.mark.parametrize("lesson", CHEAP)
def test_a_solved_lesson_runs_with_colabs_versions(lesson, course, python):
    trial = test_colab.try_lesson(course, lesson, python)
    assert (trial.troubles, trial.noisy) == ([], [])
    code = [cell for cell in trial.notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert len(code) > 10 and all(cell.execution_count for cell in code)


VERSIONS = """\
import sys, IPython, ipykernel, ipywidgets, google.protobuf, keras, numpy, tensorflow
print(*(m.__version__ for m in (IPython, ipykernel, ipywidgets, google.protobuf, keras, numpy, tensorflow)))
print(type(get_ipython()).__module__, sorted(__import__("os").listdir()))
print(sys.prefix)
1 / 0"""


@in_the_environment
def test_what_runs_there_is_like_colab_and_what_fails_is_told(course, python):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(VERSIONS, id="versions")])
    trial = test_colab.try_notebook("some", notebook, python)
    versions, shell, prefix = trial.printed("versions").splitlines()
    assert versions == "7.34.0 6.17.1 7.7.1 5.29.6 3.13.2 2.1.3 2.20.0"
    assert shell == "google.colab._shell []"
    assert Path(prefix) == course.root / ".colab" / "cpu" != Path(sys.prefix)
    assert trial.troubles == ["versions: ZeroDivisionError: division by zero"]
    assert test_colab.told(trial).startswith("✗ some ")


@in_the_environment
def test_the_command_says_what_failed(python, monkeypatch, capsys):
    def broken(course, lesson):
        return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("oops", id="shared-colab_setup")])

    monkeypatch.setattr(test_colab, "solved", broken)
    assert main(["test-colab", "00"]) == 1
    out = capsys.readouterr().out
    assert "✗ 00_start_here" in out and "NameError: name 'oops'" in out and "knew-colab: NameError" in out


def test_without_a_network_it_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(CourseError, match="could not be made: uv pip says: .* It needs a network"):
        test_colab.make_venv(Course(tmp_path), "cpu")
    assert not (tmp_path / ".colab" / "cpu" / "made-from").exists()  # so it is made anew next time


def test_an_old_environment_is_made_anew(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(test_colab, "uv", lambda *arguments: calls.append(arguments[:2]))
    folder = tmp_path / ".colab" / "cpu"

    def make(**options):
        calls.clear()
        monkeypatch.setattr(test_colab.shutil, "rmtree", lambda folder, **_: folder.mkdir(parents=True, exist_ok=True))
        test_colab.make_venv(Course(tmp_path), "cpu", **options)
        return [arguments[0] for arguments in calls]

    assert make() == ["venv", "pip"]
    assert make() == []
    assert make(fresh=True) == ["venv", "pip"]
    (folder / "made-from").write_text("another list")
    assert make() == ["venv", "pip"]


@pytest.mark.parametrize("kind", ["cpu", "tpu"])
def test_the_lists_hold_exact_versions_and_no_address(kind):
    wanted = [line for line in (LISTS / f"{kind}.in").read_text().splitlines() if not line.startswith("#")]
    text = (LISTS / f"{kind}.txt").read_text()
    pinned = {canonicalize_name(name): version for name, version in lock.pins(text)}
    assert lock.addresses(text) == []
    assert all(re.match(r"[A-Za-z0-9._-]+==\S+( ; .+)?$", line) for line in text.splitlines())
    for requirement in map(Requirement, wanted):
        assert pinned[canonicalize_name(requirement.name)] in requirement.specifier
    assert ("tensorflow" in pinned) == (kind == "cpu")


def test_the_tpus_packages_are_the_pinned_ones(course):
    assert test_colab.setting(course, "TPU_PACKAGES") == ["tensorflow-tpu==2.20.0", "libtpu>=0.0.14,<0.0.30"]
