"""The set-up script: sentences for people, and syntax that old Pythons can read."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import bootstrap


def test_it_parses_in_old_pythons():
    ast.parse(Path(bootstrap.__file__).read_text(), feature_version=(3, 4))


def test_a_python_that_is_too_old_or_too_new_gets_one_sentence(monkeypatch):
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    for version in ((3, 8), (3, 14)):
        monkeypatch.setattr(bootstrap.sys, "version_info", version)
        with pytest.raises(
            bootstrap.SetupError, match=r"this is Python 3\.\d+, and TensorFlow needs Python 3.11 to 3.13"
        ):
            bootstrap.find_python()


def test_another_python_on_the_path_is_used(monkeypatch, tmp_path):
    fake = tmp_path / "python3.12"
    fake.write_text("#!/bin/sh\necho 3 12\n")
    fake.chmod(0o755)
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.find_python() == str(fake)


def test_an_interpreter_that_does_not_run_has_no_version(tmp_path):
    broken = tmp_path / "python3.12"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    assert bootstrap.version_of(str(broken)) is None
    assert bootstrap.version_of(str(tmp_path / "missing")) is None
    assert bootstrap.version_of(sys.executable) == sys.version_info[:2]


def test_a_venv_that_cannot_be_made_is_explained(monkeypatch, tmp_path):
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path / "venv"))
    with pytest.raises(bootstrap.SetupError, match="python3-venv"):
        bootstrap.make_venv("/bin/false")
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(
    ("made_in", "kept"), [("/another/folder", False), (bootstrap.ROOT, True), ("made by autograder/bootstrap.py", True)]
)
def test_a_venv_that_was_moved_or_copied_with_the_course_is_made_anew(monkeypatch, tmp_path, made_in, kept):
    (tmp_path / "ready").write_text(made_in + "\n")
    (tmp_path / "of before").touch()
    commands = []
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path))
    monkeypatch.setattr(bootstrap, "version_of", lambda python: (3, 12))
    monkeypatch.setattr(bootstrap, "run", lambda *command: commands.append(command) or True)
    bootstrap.make_venv("python3")
    assert (tmp_path / "of before").exists() == kept and bool(commands) != kept


def test_make_installs_again_where_the_course_was_moved_or_copied(course, tmp_path):
    for name in ("Makefile", "requirements.txt", "pyproject.toml", "autograder/bootstrap.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(course.root / name, tmp_path / name)
    (tmp_path / ".venv").mkdir()
    # this may itself run below `make test`
    clean = {key: value for key, value in os.environ.items() if key not in ("MAKELEVEL", "MAKEFLAGS", "MFLAGS", "OS")}
    for made_in, installs in ((tmp_path, False), ("/another/folder", True)):
        (tmp_path / ".venv" / "ready").write_text(f"{made_in}\n")
        command = ["make", "--dry-run", "check", "PYTHON=python3"]
        done = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True, check=True)
        assert ("python3 autograder/bootstrap.py" in done.stdout.splitlines()) == installs


def test_the_pinned_uv_is_installed_with_its_hashes():
    entry = bootstrap.lock_entry("uv")
    assert entry.startswith("uv==")
    assert "--hash=sha256:" in entry
    assert entry.count("==") == 1


@pytest.mark.parametrize(("system", "path"), [("posix", "bin/python"), ("nt", "Scripts/python.exe")])
def test_where_a_virtual_environment_has_its_interpreter(monkeypatch, system, path):
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", system)
        found = bootstrap.venv_python("somewhere")
    assert found == f"somewhere/{path}"


@pytest.mark.parametrize(
    ("arguments", "lock", "stamps"),
    [([], "requirements.txt", {"ready"}), (["test"], "requirements-test.txt", {"ready", "ready-test"})],
)
def test_a_lock_for_learners_and_a_larger_one_for_tests(monkeypatch, tmp_path, capsys, arguments, lock, stamps):
    commands = []
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path))
    monkeypatch.setattr(bootstrap, "make_venv", lambda python: None)
    monkeypatch.setattr(bootstrap, "run", lambda *command: commands.append(command) or True)
    assert bootstrap.main(arguments) == 0
    assert [Path(command[-1]).name for command in commands if "--require-hashes" in command] == [lock]
    assert {path.name for path in tmp_path.glob("ready*")} == stamps
    assert f"from {lock}" in capsys.readouterr().out


def test_a_lock_that_cannot_be_installed_is_explained(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path))
    monkeypatch.setattr(bootstrap, "make_venv", lambda python: None)
    monkeypatch.setattr(bootstrap, "run", lambda *command: False)
    assert bootstrap.main([]) == 2
    assert "the packages of requirements.txt could not be installed" in capsys.readouterr().err
    assert not list(tmp_path.glob("ready*"))


@pytest.mark.parametrize("at", ["uv-lock.txt", "ready"])
def test_a_full_disk_is_a_sentence(monkeypatch, tmp_path, capsys, at):
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path))
    monkeypatch.setattr(bootstrap, "make_venv", lambda python: None)
    monkeypatch.setattr(bootstrap, "run", lambda *command: True)
    (tmp_path / at).symlink_to("/dev/full")
    assert bootstrap.main([]) == 2
    said = capsys.readouterr().err
    assert said.startswith("course: the packages of requirements.txt could not be installed (")
    assert "No space left on device" in said and "4 GB of free disk" in said


def test_the_script_ends_with_a_sentence_and_not_a_traceback(tmp_path):
    copy = tmp_path / "autograder" / "bootstrap.py"
    copy.parent.mkdir()
    copy.write_text(
        Path(bootstrap.__file__)
        .read_text()
        .replace("OLDEST, NEWEST = (3, 11), (3, 13)", "OLDEST, NEWEST = (3, 98), (3, 99)")
    )
    done = subprocess.run([sys.executable, str(copy)], capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
    assert done.returncode == 2
    assert done.stderr.startswith("course: this is Python 3.")
    assert "Traceback" not in done.stderr
