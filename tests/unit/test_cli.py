"""The command line: every subcommand is there, errors are sentences."""

from __future__ import annotations

import argparse
import errno
import os
import re
import shlex
import shutil
import subprocess
import sys
from types import SimpleNamespace

import nbgrader.api
import pytest
import sqlalchemy.exc
from traitlets.config import PyFileConfigLoader

from autograder import cli
from autograder.authoring import extras
from autograder.errors import CourseError
from autograder.nbgrader_glue import nbgrader_config
from autograder.paths import Course, find_course


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_loads_and_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as done:
        cli.main([name, "--help"])
    assert done.value.code == 0
    assert f"course {name}" in capsys.readouterr().out


def test_an_output_without_our_signs_gets_others():
    """A redirected output on Windows has a code page of 256 signs."""
    program = "from autograder import cli\ntry: cli.main(['due', '--help'])\nfinally: print('✓')"
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True)
    assert done.returncode == 0 and done.stdout.split()[-1] == b"?", done.stderr


def printed(text: str) -> set[tuple[str, ...]]:
    """The commands of the course that a page prints in code, as words: ``make X ARGS="…"`` is ``course X …``."""
    code = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL) + re.findall(r"`([^`\n]+)`", text)
    lines = [part.strip() for block in code for line in block.splitlines() for part in line.split("&&")]
    found = set()
    for line in lines:
        if typed := re.fullmatch(r"(make|course) ([a-z][a-z-]*)(?: (.*))?", line.partition("  #")[0]):
            rest = shlex.split(typed[3] or "")
            given = [shlex.split(word.removeprefix("ARGS=")) for word in rest if word.startswith("ARGS=")]
            found.add((typed[2], *(sum(given, []) if typed[1] == "make" else rest)))
    return found


PAGES = ["README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "docs/*.md", "deploy/*/README.md"]


def test_every_command_that_a_page_prints_is_one(course, capsys):
    """With the options that it prints; one alone, such as `course collect`, may need more."""
    paths = [path for pattern in PAGES for path in course.root.glob(pattern)]
    commands = {words: path for path in paths for words in printed(path.read_text(encoding="utf-8"))}
    assert len(commands) > 60 and ("collect", "FOLDER", "--pattern", "{name}_{time}_{file}") in commands
    wrong = []
    for words, path in commands.items():
        if words[0] in cli.COMMANDS and len(words) > 1:
            try:
                cli.build_parser(words[0]).parse_args(words)
            except SystemExit:
                wrong.append((path.name, " ".join(words), capsys.readouterr().err.splitlines()[-1]))
        elif words[0] not in (*cli.COMMANDS, "setup"):
            wrong.append((path.name, words[0], "no command"))
    assert wrong == []


def test_every_command_has_a_make_target(course):
    makefile = (course.root / "Makefile").read_text()
    targets = re.findall(r"^(?:LEARN|CHANGE) := (.*)$", makefile, re.MULTILINE)
    assert sorted(" ".join(targets).split()) == sorted(cli.COMMANDS)


@pytest.mark.parametrize(
    ("system", "course_command"), [("", ".venv/bin/course"), ("Windows_NT", ".venv/Scripts/course")]
)
def test_make_installs_what_a_command_needs_and_calls_it(course, system, course_command):
    for target, setup in (("check", "bootstrap.py"), ("test", "bootstrap.py test")):
        command = ["make", "--dry-run", "--always-make", target, f"OS={system}", "ARGS=01", "PYTHON=python3"]
        # this may itself run below `make test`
        clean = {key: value for key, value in os.environ.items() if key not in ("MAKELEVEL", "MAKEFLAGS", "MFLAGS")}
        done = subprocess.run(command, cwd=course.root, env=clean, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-2:] == [f"python3 autograder/{setup}", f"{course_command} {target} 01"]


def test_without_the_test_packages_a_command_says_how_to_get_them(monkeypatch, capsys):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name in ("pytest", "uv") else object())
    for command, missing in (("test", "pytest, uv"), ("lock", "uv"), ("test-colab", "uv")):
        assert cli.main([command]) == 2
        message = capsys.readouterr().err
        assert message.startswith(f"course: Not installed: {missing}, which") and "`make test` installs" in message


def test_benches_are_named_and_take_their_own_options(capfd):
    with pytest.raises(SystemExit):
        cli.main(["bench", "--help"])
    assert "kill_grader, lesson_runs, lesson_times" in " ".join(capfd.readouterr().out.split())
    assert cli.main(["bench", "kill_grader", "--help"]) == 0
    assert "--students" in capfd.readouterr().out


def test_a_wrong_bench_is_a_sentence(capsys):
    assert cli.main(["bench", "nothing"]) == 2
    assert capsys.readouterr().err.startswith("course: There is no measurement 'nothing'. There are: ")


def test_a_wrong_lesson_is_a_sentence(capsys):
    assert cli.main(["lint", "77"]) == 2
    message = capsys.readouterr().err
    assert message.startswith("course: There is no lesson '77'. Lessons: 00_")
    assert "Traceback" not in message


@pytest.mark.parametrize(
    "name",
    [
        "1",
        "01",
        "01_device_placement",
        "notebooks/01_device_placement/",
        "01_device_placement.ipynb",
        "solutions/01_device_placement/01_device_placement.py",
    ],
)
def test_a_lesson_may_be_named_in_several_ways(course, name):
    assert course.lesson(name) == "01_device_placement"


def test_what_a_message_names_cannot_speak_to_the_terminal(monkeypatch, capsys):
    def command(args):
        raise CourseError("A folder is called \x1b[2Jlesson.")

    monkeypatch.setattr(
        cli, "module_of", lambda name: SimpleNamespace(add_arguments=lambda parser: None, command=command)
    )
    monkeypatch.setattr(cli, "build_parser", lambda name: argparse.ArgumentParser())
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", lambda self, argv: argparse.Namespace(command="check"))
    assert cli.main(["check"]) == 2
    assert capsys.readouterr().err == "course: A folder is called \ufffd[2Jlesson.\n"


@pytest.fixture
def raises(monkeypatch, capsys):
    """``raises(error)`` is what `course check` prints where its command raises that."""

    def run(error):
        def command(args):
            raise error

        module = SimpleNamespace(add_arguments=lambda parser: None, command=command)
        monkeypatch.setattr(cli, "module_of", lambda name: module)
        assert cli.main(["check"]) == 2
        return capsys.readouterr().err

    return run


def test_what_the_machine_refuses_is_a_sentence(raises):
    said = raises(IsADirectoryError(errno.EISDIR, "Is a directory", "/.tmp.8787.unfinished", None, "/tmp"))
    assert "refused something (Is a directory: /tmp)." in said and "name another place" in said
    assert "(Permission denied: /a/x.csv)" in raises(
        PermissionError(errno.EACCES, "Permission denied", "/a/.x.csv.7.unfinished")
    )
    locked = sqlalchemy.exc.OperationalError("BEGIN", {}, Exception("database is locked"))
    said = raises(locked)
    assert "gradebook.db cannot be used" in said and "database is locked" in said and "Background" not in said
    entry = nbgrader.api.InvalidEntry("01: database is locked")
    entry.__context__ = locked  # as nbgrader raises it
    assert raises(entry) == said
    entry.__context__ = sqlalchemy.exc.IntegrityError("INSERT", {}, Exception("not unique"))
    with pytest.raises(nbgrader.api.InvalidEntry):
        raises(entry)


@pytest.mark.parametrize("fault", [KeyError("x"), ValueError("y"), sqlalchemy.exc.InvalidRequestError("z")])
def test_a_fault_of_the_program_shows_its_traceback(raises, fault):
    with pytest.raises(type(fault)):
        raises(fault)


def test_certificates_for_longer_than_dates_go_are_refused(tmp_path, capsys):
    pytest.importorskip("distributed")
    assert cli.main(["certificates", "--days", "99999999", str(tmp_path / "made")]) == 2
    assert "more than a certificate can hold. Give 36500 or less" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


@pytest.fixture
def made(tmp_path, course):
    """A course that has nbgrader's settings, and nothing else."""
    made = Course(tmp_path)
    made.config.mkdir()
    shutil.copy(course.config / "nbgrader_config.py", made.config)
    return made


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.course", "pyproject.toml cannot be read"),
        ("tool = 3", "Write a line [tool.course]"),
        ("[tool]\ncourse = 3", "Write a line [tool.course]"),
        ('[tool.course]\nlate_percent_per_day = "ten"', "late_percent_per_day is 'ten', and has to be a number"),
        ("[tool.course]\nlate_percent_per_day = 250", "has to be a number from 0 to 100"),
        ("[tool.course]\nlate_percent_at_most = nan", "late_percent_at_most is nan"),
        ("[tool.course]\nexchange = 7", "has to be a folder's path in quotes"),
        ('[tool.course]\nexchange_for_everyone = "no"', "has to be true or false"),
    ],
)
def test_a_wrong_setting_is_a_sentence(made, text, said):
    (made.root / "pyproject.toml").write_text(text)
    with pytest.raises(CourseError) as told:
        nbgrader_config(made)
    assert said in str(told.value)


def test_nbgrader_does_not_go_on_without_the_courses_settings(made):
    """It takes any error in its settings for none, and would grade by its own ones, without isolation."""
    for text in ("[tool.course", "tool = 3", '[tool.course]\nlate_percent_per_day = "ten"'):
        (made.root / "pyproject.toml").write_text(text)
        with pytest.raises(SystemExit, match="pyproject.toml"):
            PyFileConfigLoader("nbgrader_config.py", path=str(made.config)).load_config()


def test_who_reads_the_settings_makes_no_exchange(made):
    """Jupyter reads them, too, on every machine that has the course."""
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(made.config)).load_config()
    assert settings.Exchange.root == str(made.exchange) and not made.exchange.exists()


def test_a_missing_module_is_a_sentence(monkeypatch, capsys):
    def missing(name, package):
        raise ModuleNotFoundError("No module named 'jupytext'", name="jupytext")

    monkeypatch.setattr(cli.importlib, "import_module", missing)
    assert cli.main(["build"]) == 2
    assert "'jupytext' is missing" in capsys.readouterr().err


def test_outside_a_course_the_installed_one_is_used(tmp_path, monkeypatch, course):
    monkeypatch.delenv("COURSE_ROOT", raising=False)
    assert find_course(tmp_path) == course
    assert find_course(course.notebooks) == course


def test_a_root_that_is_no_course_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_ROOT", str(tmp_path))
    with pytest.raises(CourseError, match="is not inside the course"):
        find_course()


def test_lessons_are_sorted_and_only_real_ones(tmp_path):
    for name in ("01_b", "00_a", "_shared", "notes"):
        (tmp_path / "solutions" / name).mkdir(parents=True)
        (tmp_path / "solutions" / name / f"{name}.py").write_text("")
    (tmp_path / "solutions" / "02_empty").mkdir()
    assert Course(tmp_path).lessons() == ["00_a", "01_b"]


def test_start_up_imports_nothing_heavy():
    heavy = ("tensorflow", "nbgrader", "jupyterlab", "matplotlib")
    code = f"import sys, autograder.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
