"""pyproject.toml, the lock and environment.yml say the same; the lock fits every platform that we promise."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from autograder import bootstrap
from autograder.authoring import lock
from autograder.errors import CourseError


@pytest.fixture(scope="module")
def project(course):
    return tomllib.loads((course.root / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def locked(course):
    """Every entry of the lock: ``[(name, version, marker or None)]``."""
    text = (course.root / "requirements.txt").read_text()
    entries = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?: ; ([^\\\n]+?))?(?: \\)?$", text, re.MULTILINE)
    return [
        (canonicalize_name(name), Version(version), Marker(marker) if marker else None)
        for name, version, marker in entries
    ]


def test_the_lock_satisfies_every_range(project, locked):
    wanted = project["dependencies"] + project["optional-dependencies"]["test"]
    for requirement in map(Requirement, wanted):
        versions = [version for name, version, _ in locked if name == canonicalize_name(requirement.name)]
        assert versions, f"{requirement.name} is not in requirements.txt: run `course lock`"
        assert all(version in requirement.specifier for version in versions), f"{requirement}: the lock has {versions}"


def test_the_ranges_are_the_ones_that_the_course_promises(project):
    ranges = {Requirement(line).name: Requirement(line).specifier for line in project["dependencies"]}
    assert ranges["tensorflow"] == Requirement("tensorflow>=2.20,<2.22").specifier
    assert ranges["keras"] == Requirement("keras>=3.10,<4").specifier
    assert {"jupyterlab", "nbgrader", "matplotlib", "ipywidgets", "scikit-learn", "jupytext"} <= ranges.keys()


def test_the_lock_names_no_address_and_has_a_hash_for_every_package(course):
    text = (course.root / "requirements.txt").read_text()
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


def test_bootstrap_and_pyproject_agree_on_python(project):
    supported = [
        minor for minor in range(8, 20) if f"3.{minor}" in Requirement("p" + project["requires-python"]).specifier
    ]
    assert (supported[0], supported[-1]) == (bootstrap.OLDEST[1], bootstrap.NEWEST[1])
    assert tuple(f"3.{minor}" for minor in supported) == lock.PYTHONS


MARKERS = {  # what each platform's Python says of itself
    "x86_64-unknown-linux-gnu": ("linux", "x86_64", "Linux", "posix"),
    "aarch64-apple-darwin": ("darwin", "arm64", "Darwin", "posix"),
    "x86_64-pc-windows-msvc": ("win32", "AMD64", "Windows", "nt"),
}
MARKER_NAMES = ("sys_platform", "platform_machine", "platform_system", "os_name")
TARGETS = [(platform, python) for platform in lock.PLATFORMS for python in lock.PYTHONS]


@pytest.fixture(scope="module")
def resolutions(course):
    """``{(platform, python): future}``; all at once, since most of the time goes into waiting for the index."""

    def resolve(target):
        options = ["--python-platform", target[0], "--python-version", target[1], "--only-binary", ":all:"]
        options += ["--constraint", "requirements.txt"]
        try:  # what the last run fetched is good enough: a pinned version's metadata never changes
            return lock.compile_lock(course, *options, "--offline")
        except CourseError:
            return lock.compile_lock(course, *options)

    with ThreadPoolExecutor(len(TARGETS)) as pool:
        yield {target: pool.submit(resolve, target) for target in TARGETS}


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


def test_ruff_is_clean(course):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "autograder", "tests"],
        cwd=course.root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
