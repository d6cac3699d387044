"""`course lab` without a browser: what it starts, in which environment, and its sentences when it cannot."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from jupyter_client.manager import KernelManager
from jupyter_server.config_manager import recursive_update
from traitlets.config import Config

from autograder.errors import CourseError
from autograder.learning import lab
from autograder.learning.kernels import SafeStart
from autograder.learning.teacher import teacher
from autograder.paths import Course
from tests.servers import START_SECONDS, ask, copy_of_course, running, wait_for


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    lab.add_arguments(parser)
    return parser.parse_args(words)


def course_lab(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command as a person runs it."""
    command = [sys.executable, "-m", "autograder", "lab", "--no-browser", *words]
    env = {**os.environ, "COURSE_ROOT": str(folder)}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)


@pytest.fixture
def mine(course: Course, tmp_path: Path) -> Course:
    return copy_of_course(course, tmp_path / "course")


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("localhost", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_a_learners_session_is_rooted_in_work_and_opens_the_index(mine: Course, capsys) -> None:
    session = lab.student(mine)
    assert session.root == mine.work
    assert session.opens == "/lab/tree/index.ipynb"
    assert "Copied to work/: 00_start_here" in capsys.readouterr().out
    assert not mine.classroom.exists()


def test_a_lesson_may_be_opened_by_its_number(mine: Course) -> None:
    assert lab.student(mine, "3").opens == "/lab/tree/03_gpu_memory/03_gpu_memory.ipynb"
    with pytest.raises(CourseError, match="There is no lesson '77'"):
        lab.student(mine, "77")


def index_of(mine: Course) -> dict[str, str]:
    """``{cell id: its text, or what it displays}`` of the index in work/."""
    cells = json.loads((mine.work / "index.ipynb").read_text())["cells"]
    shown = {cell["id"]: cell.get("outputs") for cell in cells}
    texts = {cell["id"]: "".join(cell["source"]) for cell in cells}
    return texts | {name: "".join(out[0]["data"]["text/markdown"]) for name, out in shown.items() if out}


def test_the_index_shows_points_and_where_one_left_off(mine: Course) -> None:
    lab.student(mine)
    row = next(line for line in index_of(mine)["progress"].splitlines() if "00 Start here" in line)
    assert re.search(r"\| 0 of \d+ \| not begun \|", row)
    path = mine.work_notebook("00_start_here")
    notebook = json.loads(path.read_text())
    passed = {"output_type": "display_data", "data": {}, "metadata": {"course": {"check": "x", "state": "passed"}}}
    check = next(cell for cell in notebook["cells"] if cell["metadata"]["course"]["role"] == "check")
    check |= {"outputs": [passed], "execution_count": 7}
    path.write_text(json.dumps(notebook))
    lab.student(mine)
    row = next(line for line in index_of(mine)["progress"].splitlines() if "00 Start here" in line)
    assert re.search(rf"\| {check['metadata']['nbgrader']['points']} of \d+ \| \[Exercise 1 ", row), row
    assert "(00_start_here/00_start_here.ipynb#Exercise-1-" in row


def test_the_index_says_what_happened_to_the_copies(mine: Course) -> None:
    lab.student(mine)
    assert "Copied to work/: 00_start_here" in index_of(mine)["welcome"]
    lab.student(mine)
    assert "Copied" not in index_of(mine)["welcome"]


def test_a_teachers_session_has_the_course_and_an_exchange_directory(mine: Course) -> None:
    session = teacher(mine)
    assert session.root == mine.root
    assert (mine.classroom / "exchange").is_dir()
    assert not mine.work.exists()


@pytest.mark.parametrize("name", ["student", "teacher"])
def test_the_environment_leads_to_the_course_and_nowhere_else(
    mine: Course, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in (*lab.FOREIGN, "JUPYTER_CONFIG_DIR", "JUPYTER_CONFIG_PATH", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(variable, "/somewhere/else")
    environment = lab.server_environment(lab.student(mine) if name == "student" else teacher(mine))
    assert [key for key, value in environment.items() if "/somewhere/else" in value] == []
    for variable in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        assert Path(environment[variable]).is_relative_to(mine.root / ".jupyter" / name)
    assert str(mine.config) in environment["JUPYTER_CONFIG_PATH"].split(os.pathsep), "nbgrader_config.py is found"
    found = shutil.which("course", path=environment["PATH"])
    assert found
    assert Path(found).parent == Path(sys.executable).parent, "a terminal inside JupyterLab has this `course`"


@pytest.mark.parametrize("name", ["student", "teacher", "a hub's learner", "a plain Jupyter"])
def test_no_server_has_an_extension_that_writes_or_runs_something_when_a_notebook_is_opened(
    course: Course, name: str
) -> None:
    folders = [course.config]  # the hub copies its file for learners
    if name in ("student", "teacher"):
        folders = [*lab.Session(course, name, course.root, "/lab").profiles, course.config]
    settings: dict = {}
    for folder in reversed(folders):  # what counts first stands first
        recursive_update(settings, json.loads((folder / "jupyter_server_config.json").read_text()))
    switched = settings["ServerApp"]["jpserver_extensions"]
    assert switched["jupyterlab_jupytext"] is False, "a notebook could name the files that are written beside it"
    assert switched["nbgrader.server_extensions.validate_assignment"] is False
    assert settings["LanguageServerManager"]["autodetect"] is False
    assert settings["ServerApp"]["kernel_spec_manager_class"] == f"{SafeStart.__module__}.{SafeStart.__name__}"


def test_a_teachers_session_starts_no_other_programs_kernel(course: Course) -> None:
    """R, for one, runs a file of the folder that it starts in; a notebook names the kernel that it is opened with."""
    profile = lab.Session(course, "teacher", course.root, "/lab").profile
    settings = json.loads((profile / "jupyter_server_config.json").read_text())
    assert settings["KernelSpecManager"] == {"allowed_kernelspecs": ["python3"]}
    assert set(SafeStart(config=Config(settings)).find_kernel_specs()) == {"python3"}


def test_a_python_path_means_no_notebooks_folder(monkeypatch: pytest.MonkeyPatch, mine: Course) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", "modules", "."]))
    found = lab.server_environment(teacher(mine))["PYTHONPATH"].split(os.pathsep)
    assert found == [str(Path.cwd() / "modules"), str(Path.cwd())]


def test_a_kernel_takes_nothing_from_beside_its_notebook_before_a_cell_is_run(tmp_path: Path) -> None:
    for name in ("ipykernel_launcher", "ipykernel", "pathlib", "sitecustomize", "debugpy", "psutil", "tornado"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran.txt')!r}, 'a').write({name!r})")
    (tmp_path / "beside.py").write_text("VALUE = 7")
    kernel = KernelManager(kernel_name="python3", kernel_spec_manager=SafeStart())
    kernel.start_kernel(cwd=str(tmp_path))
    client = kernel.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=START_SECONDS)
        for asked in (client.kernel_info, client.comm_info):  # as JupyterLab does when it opens a notebook
            asked(reply=True, timeout=START_SECONDS)
        client.complete("import os; os.pa", reply=True, timeout=START_SECONDS)
        assert not (tmp_path / "ran.txt").exists()
        shown: list[str] = []
        client.execute_interactive(
            "import beside, sys; print(beside.VALUE, '' in sys.path)",
            timeout=START_SECONDS,
            output_hook=lambda message: shown.append(message["content"].get("text", "")),
        )
        assert "7 True" in "".join(shown), "what a person runs finds its own modules"
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def test_root_is_allowed_only_where_one_is_root(mine: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    session = teacher(mine)
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert "--ServerApp.allow_root=True" in lab.server_command(session, options())
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert "--ServerApp.allow_root=True" not in lab.server_command(session, options())


def test_only_a_port_that_was_asked_for_is_insisted_on(mine: Course) -> None:
    session = teacher(mine)
    assert not [word for word in lab.server_command(session, options()) if "ServerApp.port" in word]
    assert "--ServerApp.port_retries=0" in lab.server_command(session, options("--port", "9000"))


def test_a_busy_port_is_one_sentence(mine: Course, busy_port: int) -> None:
    ended = course_lab(mine.root, "--port", str(busy_port))
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert f"Port {busy_port} is in use" in ended.stderr
    assert "leave --port out" in ended.stderr


def test_a_free_port_is_fine(busy_port: int) -> None:
    with pytest.raises(CourseError, match="is in use"):
        lab.check_port("localhost", busy_port)
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        free = probe.getsockname()[1]
    lab.check_port("localhost", free)


@pytest.mark.parametrize(
    ("ip", "port", "says"),
    [
        ("localhost", 0, "is not a port"),
        ("localhost", 70000, "is not a port"),
        ("203.0.113.1", 9000, "not an address of this machine"),
        ("no-such-host.invalid", 9000, "not an address of this machine"),
    ],
)
def test_an_impossible_address_is_one_sentence(ip: str, port: int, says: str) -> None:
    with pytest.raises(CourseError, match=says):
        lab.check_port(ip, port)


def test_missing_lessons_are_one_sentence(mine: Course) -> None:
    shutil.rmtree(mine.notebooks)
    ended = course_lab(mine.root)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "There are no lessons in" in ended.stderr
    assert "make build" in ended.stderr


def test_where_jupyterlab_is_a_child_ctrl_c_waits_for_its_end() -> None:
    class Child(subprocess.Popen[bytes]):
        answers: ClassVar[list[int | None]] = [None, None, 3]  # None: Ctrl-C

        def __init__(self) -> None:
            pass

        def __del__(self) -> None:
            pass

        def wait(self, timeout: float | None = None) -> int:
            answer = self.answers.pop(0)
            if answer is None:
                raise KeyboardInterrupt
            return answer

    assert lab.wait(Child()) == 3
    assert Child.answers == []


def test_on_windows_jupyterlab_is_a_child(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lab, "os", SimpleNamespace(name="nt"))  # no execve, no chdir
    code = "import os, sys; sys.exit(3 if os.getcwd() == os.environ['HERE'] else 1)"
    assert lab.run([sys.executable, "-c", code], {**os.environ, "HERE": str(tmp_path.resolve())}, tmp_path) == 3


@pytest.mark.parametrize(("system", "asked"), [("posix", [socket.SO_REUSEADDR]), ("nt", [])])
def test_only_where_it_is_harmless_a_port_may_be_reused(
    monkeypatch: pytest.MonkeyPatch, system: str, asked: list[int]
) -> None:
    """On Windows the option would let two servers listen on one port."""
    options: list[int] = []

    class Probe(socket.socket):
        def setsockopt(self, level: int, option: int, *value: object) -> None:
            options.append(option)

    monkeypatch.setattr(lab, "os", SimpleNamespace(name=system))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
    monkeypatch.setattr(socket, "socket", Probe)
    lab.check_port("127.0.0.1", port)
    assert options == asked


@pytest.mark.parametrize(
    ("system", "allowed"), [({"geteuid": lambda: 0}, True), ({"geteuid": lambda: 7}, False), ({}, False)]
)
def test_root_is_allowed_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, course: Course, system: dict[str, object], allowed: bool
) -> None:
    monkeypatch.setattr(lab, "os", SimpleNamespace(**system))  # Windows has no geteuid
    command = lab.server_command(lab.Session(course, "student", course.work, "/lab"), options())
    assert ("--ServerApp.allow_root=True" in command) == allowed


def test_every_disabled_extension_exists(course: Course) -> None:
    """A name that an update renamed would silently show the tool again."""
    profile = json.loads((course.config / "learning/profile/student/labconfig/page_config.json").read_text())
    extensions = Path(sys.prefix, "share/jupyter/labextensions")
    texts = [file.read_text(errors="ignore") for file in extensions.glob("**/static/*.js")]
    texts += [file.read_text() for file in extensions.glob("**/package.json")]
    texts += [file.read_text(errors="ignore") for file in Path(sys.prefix, "share/jupyter/lab/static").glob("*.js")]
    missing = [name for name in profile["disabledExtensions"] if not any(f'"{name}' in text for text in texts)]
    assert missing == []


@pytest.mark.slow
def test_a_real_start_leaves_the_home_alone_and_ctrl_c_ends_its_kernels(mine: Course, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".jupyter").mkdir(parents=True)
    (home / ".jupyter" / "jupyter_server_config.py").write_text("raise SystemExit('the settings of other work')")
    (home / ".ipython/profile_default/startup").mkdir(parents=True)
    (home / ".ipython/profile_default/startup/00.py").write_text("raise SystemExit('the start-up of other work')")
    before = sorted(home.rglob("*"))
    with running(mine, env={"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}) as server:
        assert ask(server.url, "/api/status")[0] == 200
        assert ask(server.url, "/formgrader")[0] == 404, "a learner's server has no Formgrader"
        assert ask(server.url, "/api/contents/solutions")[0] == 404
        page = ask(server.url, "/lab")[1].decode()
        assert "custom/custom.css" in page
        assert "@jupyter/nbgrader:formgrader" in page.split('"disabledExtensions":')[1].split("]")[0]
        assert b"Every visible check passes." in ask(server.url, "/custom/custom.css")[1]
        status, kernel = ask(server.url, "/api/kernels", "POST")
        assert status == 201
        name = json.loads(kernel)["id"]
        wait_for(lambda: (mine.root / ".jupyter/student/ipython").is_dir(), 30, "the kernel to start")
        assert ask(server.url, f"/api/kernels/{name}")[0] == 200
    assert server.process.returncode == 0, "leaving `running` pressed Ctrl-C and found no process and no port left"
    assert sorted(home.rglob("*")) == before
    assert sorted(path.name for path in mine.work.iterdir() if not path.name.startswith(".")) == [
        *mine.lessons(),
        "index.ipynb",
    ]


@pytest.mark.slow
def test_formgrader_in_a_plain_jupyter_that_knows_the_course_has_its_policy_too(mine: Course, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", f"--ServerApp.port={port}", "--allow-root"]
    places = {"HOME": str(tmp_path), "JUPYTER_CONFIG_PATH": str(mine.config), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    process = subprocess.Popen(
        [*command, "--IdentityProvider.token=t"],
        env={**os.environ, **places},
        cwd=mine.root,
        stderr=subprocess.DEVNULL,
    )
    try:
        request = urllib.request.Request(f"http://localhost:{port}/formgrader/manage_assignments?token=t")

        def answer() -> str:
            with contextlib.suppress(OSError), urllib.request.urlopen(request, timeout=60) as page:
                return page.headers["Content-Security-Policy"]
            return ""

        assert "script-src 'nonce-" in str(wait_for(answer, 120, "the server"))
    finally:
        process.kill()
        process.wait()
