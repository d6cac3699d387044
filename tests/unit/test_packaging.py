"""pyproject.toml, the locks and environment.yml say the same; the locks fit every platform that we promise.

And what looks at the code without running it finds nothing: ruff, mypy, the imports.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from autograder import __version__, bootstrap
from autograder.authoring import lock
from autograder.errors import CourseError


@pytest.fixture(scope="module")
def project(course):
    return tomllib.loads((course.root / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def locked(course):
    """Every entry of the larger lock: ``[(name, version, marker or None)]``."""
    return entries_of(course, lock.TEST_LOCK)


def entries_of(course, name):
    text = (course.root / name).read_text()
    entries = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?: ; ([^\\\n]+?))?(?: \\)?$", text, re.MULTILINE)
    return [
        (canonicalize_name(name), Version(version), Marker(marker) if marker else None)
        for name, version, marker in entries
    ]


def test_the_lock_satisfies_every_range(project, locked):
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["test"] + extras["site"] + extras["cluster"]
    for requirement in map(Requirement, wanted):
        versions = [version for name, version, _ in locked if name == canonicalize_name(requirement.name)]
        assert versions, f"{requirement.name} is not in the lock: run `course lock`"
        assert all(version in requirement.specifier for version in versions), f"{requirement}: the lock has {versions}"


def test_the_ranges_are_the_ones_that_the_course_promises(project):
    ranges = {Requirement(line).name: Requirement(line).specifier for line in project["dependencies"]}
    assert ranges["tensorflow"] == Requirement("tensorflow>=2.20,<2.22").specifier
    assert ranges["keras"] == Requirement("keras>=3.10,<4").specifier
    assert {"jupyterlab", "nbgrader", "matplotlib", "ipywidgets", "scikit-learn", "jupytext"} <= ranges.keys()


def test_learners_get_the_same_versions_without_what_tests_need(course, project):
    plain, tests = (entries_of(course, name) for name in (lock.LOCK, lock.TEST_LOCK))
    wanted = [canonicalize_name(Requirement(line).name) for line in project["dependencies"]]
    names = {name for name, _, _ in plain}
    assert set(wanted) <= names
    assert not names & {"pytest", "pytest-xdist", "hypothesis", "playwright", "ruff", "mypy", "uv"}
    assert [(name, version) for name, version, _ in tests if name in names] == [entry[:2] for entry in plain]
    assert lock.disagreements(*((course.root / name).read_text() for name in (lock.LOCK, lock.TEST_LOCK))) == []


def test_locks_that_disagree_are_found():
    assert lock.disagreements("a==1\nb==2\n", "a==1\nb==2\nc==3\n") == []
    assert lock.disagreements("a==1\nb==2\n", "a==1\nb==3\nc==3\n") == ["b"]
    assert lock.disagreements("a==1\nb==2\n", "a==1\nc==3\n") == ["b"]


@pytest.mark.parametrize("name", [lock.LOCK, lock.TEST_LOCK])
def test_the_lock_names_no_address_and_has_a_hash_for_every_package(course, name):
    text = (course.root / name).read_text()
    assert lock.addresses(text) == []
    for entry in re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]


def test_pyarrow_stays_out(locked):
    # in one process with TensorFlow 2.20 or newer it hangs on macOS
    assert "pyarrow" not in [name for name, _, _ in locked]


def test_environment_yml_takes_python_from_pyproject_and_the_rest_from_the_lock(course, project):
    environment = yaml.safe_load((course.root / "environment.yml").read_text())
    python, pip, from_pip = environment["dependencies"]
    assert python == "python" + project["requires-python"]
    assert pip == "pip"
    assert from_pip == {"pip": ["-r requirements.txt"]}


def test_binder_takes_a_python_that_is_supported_and_the_rest_from_the_lock(course, project):
    folder = course.root / "binder"
    python, pip = yaml.safe_load((folder / "environment.yml").read_text())["dependencies"]
    assert pip == "pip" and python.removeprefix("python=") in Requirement("p" + project["requires-python"]).specifier
    commands = [line.split() for line in (folder / "postBuild").read_text().splitlines() if line.startswith("python")]
    assert [command[-2:] for command in commands] == [["-r", lock.LOCK], ["--editable", "."]]
    assert "set -e" in (folder / "postBuild").read_text().splitlines(), "else an image without packages would be kept"


@pytest.mark.skipif(os.name != "posix", reason="Binder is Linux")
def test_binders_start_has_the_lab_that_learners_have(course):
    program = "import os, sys; print(os.environ['JUPYTER_CONFIG_PATH'], sys.argv[1])"
    command = [str(course.root / "binder" / "start"), sys.executable, "-c", program, "two words"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout
    profile, config = said.removesuffix(" two words\n").split(":")[:2]
    assert Path(config) == course.config
    assert Path(profile, "jupyter_server_config.json").is_file() and Path(profile).name == "student"


def test_the_changelogs_newest_release_is_this_version(course, project):
    assert project["dynamic"] == ["version"], "it has one home"
    headings = re.findall(r"^## \[(.+)\](.*)$", (course.root / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    assert headings[1][0] == __version__ and re.fullmatch(r" - \d{4}-\d\d-\d\d", headings[1][1])


def test_bootstrap_and_pyproject_agree_on_python(project):
    supported = [
        minor for minor in range(8, 20) if f"3.{minor}" in Requirement("p" + project["requires-python"]).specifier
    ]
    assert (supported[0], supported[-1]) == (bootstrap.OLDEST[1], bootstrap.NEWEST[1])
    assert [f"3.{minor}" for minor in supported] == PYTHONS


MARKERS = {  # what each platform's Python says of itself
    "x86_64-unknown-linux-gnu": ("linux", "x86_64", "Linux", "posix"),
    "aarch64-apple-darwin": ("darwin", "arm64", "Darwin", "posix"),
    "x86_64-pc-windows-msvc": ("win32", "AMD64", "Windows", "nt"),
}
PYTHONS = ["3.11", "3.12", "3.13"]
MARKER_NAMES = ("sys_platform", "platform_machine", "platform_system", "os_name")
TARGETS = [(platform, python) for platform in MARKERS for python in PYTHONS]


@pytest.fixture(scope="module")
def resolutions(course):
    """``{(platform, python): future}``; all at once, since most of the time goes into waiting for the index."""

    def resolve(target):
        options = ["--python-platform", target[0], "--python-version", target[1], "--only-binary", ":all:"]
        options += [*lock.OPTIONS[lock.TEST_LOCK][:-1], lock.TEST_LOCK]  # its extras; held to itself
        try:  # what the last run fetched is good enough: a pinned version's metadata never changes
            return lock.compile_lock(course, *options, "--offline")
        except CourseError:
            return lock.compile_lock(course, *options)

    with ThreadPoolExecutor(len(TARGETS)) as pool:
        yield {target: pool.submit(resolve, target) for target in TARGETS}


@pytest.mark.spare
@pytest.mark.network
@pytest.mark.parametrize("target", TARGETS, ids="-".join)
def test_the_lock_resolves_for(resolutions, locked, target):
    """The ranges, held to the lock's versions, have a solution in ready-made wheels for this platform."""
    platform, python = target
    environment = dict(zip(MARKER_NAMES, MARKERS[platform], strict=True))
    environment |= {"python_version": python, "python_full_version": f"{python}.0"}
    expected = {(name, str(version)) for name, version, marker in locked if not marker or marker.evaluate(environment)}
    found = {(canonicalize_name(name), version) for name, version in lock.pins(resolutions[target].result())}
    assert found == expected


@pytest.mark.parametrize("tool", [["ruff", "check"], ["ruff", "format", "--check", "--diff"], ["mypy"]], ids=" ".join)
def test_nothing_is_found_by(course, tool):
    """Over the whole project; pyproject.toml says what that is."""
    done = subprocess.run([sys.executable, "-m", *tool], cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_cell_and_every_room_is_looked_at(course):
    files = {path.relative_to(course.root) for room in ("autograder", "assets", "solutions/_shared")
             for path in (course.root / room).rglob("*.py")}  # fmt: skip
    listed = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files"],
        cwd=course.root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert files <= {Path(line).relative_to(course.root) for line in listed.stdout.splitlines()}


def test_pre_commit_runs_the_same_tools(course):
    hooks = yaml.safe_load((course.root / ".pre-commit-config.yaml").read_text())["repos"]
    assert [repository["repo"] for repository in hooks] == ["local"]
    entries = [hook["entry"] for hook in hooks[0]["hooks"]]
    assert all(hook["language"] == "system" for hook in hooks[0]["hooks"])
    for tool in ("ruff check", "ruff format --check", "mypy", "course build --check"):
        assert any(tool in entry for entry in entries), tool


# A module's package, where the two have different names.
PACKAGES = {
    "IPython": "ipython",
    "google": "protobuf",
    "sklearn": "scikit-learn",
    "xdist": "pytest-xdist",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
ELSEWHERE = {"libtpu"}  # modules of the environments like Colab's


def imported(course, *rooms):
    """``{module: a file that imports it}`` of the modules from outside this project and the standard library."""
    ours = {"autograder", "tests", "solutions", "inside", *sys.stdlib_module_names, *ELSEWHERE}
    found = {}
    for path in (path for room in rooms for path in (course.root / room).rglob("*.py")):
        if path.parent.parent.name == "attacks":  # hostile cells and files
            continue
        text = path.read_text()
        written = re.findall(r"^%%writefile (?:-a )?(\w+)\.py$|Path\(\"(\w+)\.py\"\)\.write_text", text, re.MULTILINE)
        ours |= {name for names in written for name in names if name}  # programs of a lesson
        for node in ast.walk(ast.parse(re.sub(r"^%%.*$", "", text, flags=re.MULTILINE))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            found |= {name.partition(".")[0]: path.name for name in names}
    return {name: file for name, file in found.items() if name not in ours}


@pytest.mark.parametrize(
    ("rooms", "extra"), [(["autograder", "solutions", "assets"], False), (["tests"], True)], ids=["course", "tests"]
)
def test_what_is_imported_is_declared(course, project, rooms, extra):
    extras = project["optional-dependencies"]
    lines = project["dependencies"] + extras["cluster"] + (extras["test"] if extra else [])
    declared = {canonicalize_name(Requirement(line).name) for line in lines}
    found = imported(course, *rooms)
    assert len(found) > 10
    lacking = {m: file for m, file in found.items() if canonicalize_name(PACKAGES.get(m, m)) not in declared}
    assert lacking == {}


# Packages whose private names (`_x`) we use or override: a new major version may change them without a word.
PRIVATE = ["ipython", "jupyter_client", "nbclient", "nbconvert", "nbgrader", "tensorflow"]


@pytest.mark.parametrize("name", PRIVATE)
def test_a_package_whose_private_names_are_used_has_an_upper_bound(project, name):
    [specifier] = [r.specifier for r in map(Requirement, project["dependencies"]) if r.name == name]
    assert any(clause.operator == "<" for clause in specifier)


def test_the_workflow_runs_what_ci_runs_with_every_python_that_we_promise(course, project):
    jobs = yaml.safe_load((course.root / ".github/workflows/test.yml").read_text())["jobs"]
    pythons = [Version(python) for python in jobs["linux"]["strategy"]["matrix"]["python"]]
    assert all(python in SpecifierSet(project["requires-python"]) for python in pythons)
    assert (min(pythons).release, max(pythons).release) == (bootstrap.OLDEST, bootstrap.NEWEST)
    assert {"run": ".ci/run"} in jobs["linux"]["steps"]
