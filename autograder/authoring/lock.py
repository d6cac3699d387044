"""``course lock``: exact versions with hashes for every platform, from the ranges in ``pyproject.toml``.

``requirements.txt`` is what learners and teachers install; ``requirements-test.txt`` has the same versions, and besides
the extras ``test``, ``site`` and ``cluster``, for those who change the course.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys

from ..errors import CourseError
from ..paths import Course, find_course
from .extras import needs

LOCK, TEST_LOCK = "requirements.txt", "requirements-test.txt"
# What each lock is made from; the second takes the versions of the first.
EXTRAS = ("test", "site", "cluster")
OPTIONS: dict[str, list[str]] = {
    LOCK: [],
    TEST_LOCK: [*(word for name in EXTRAS for word in ("--extra", name)), "--constraint", LOCK],
}

# One lock for Linux, macOS and Windows and all Pythons; it names no index, so it works with any mirror.
COMPILE = [
    sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--quiet",
    "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links",
]  # fmt: skip
LOCK_OPTIONS = ["--universal", "--python-version", "3.11", "--generate-hashes"]


def compile_lock(course: Course, *options: str) -> str:
    """Run ``uv pip compile`` on the course's ranges with more ``options`` and return what it prints.

    Raises:
        CourseError: the ranges have no solution, or the package index did not answer; uv's words are included.
    """
    done = subprocess.run([*COMPILE, *options], cwd=course.root, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise CourseError(f"the ranges in pyproject.toml could not be resolved:\n{done.stderr.strip()}")
    return done.stdout


def pins(text: str) -> set[tuple[str, str]]:
    """Names and versions in the text of a lock: ``{("tensorflow", "2.21.0"), …}``."""
    return set(re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.MULTILINE))


def addresses(text: str) -> list[str]:
    """Lines of a lock that name an address; there must be none."""
    return [line for line in text.splitlines() if re.search(r"://|^\s*(-i|--index|--find-links|--extra-index)", line)]


def disagreements(lock: str, test_lock: str) -> list[str]:
    """Names of the packages whose versions in the texts of the two locks differ; the second may have more packages."""
    plain, test = pins(lock), pins(test_lock)
    names = {name for name, _ in plain}
    return sorted({name for name, _ in plain ^ {pin for pin in test if pin[0] in names}})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that the ranges allow")


def command(args: argparse.Namespace) -> int:
    needs("uv")
    course = find_course()
    for name in OPTIONS:
        print(renew(course, name, args.upgrade))
    different = disagreements(*((course.root / name).read_text(encoding="utf-8") for name in OPTIONS))
    if different:
        raise CourseError(
            f"{LOCK} and {TEST_LOCK} have different versions of {', '.join(different)}. Look at the ranges of these in "
            "pyproject.toml, then run `course lock` again."
        )
    return 0


def renew(course: Course, name: str, upgrade: bool) -> str:
    """Write one lock anew and return a sentence that says what changed.

    Raises:
        CourseError: it could not be resolved, or it would name an address.
    """
    path = course.root / name
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    # uv keeps the versions of an existing output file: that is what makes `course lock` without --upgrade small
    compile_lock(course, *OPTIONS[name], *LOCK_OPTIONS, *["--upgrade"] * upgrade, "--output-file", name)
    text = path.read_text(encoding="utf-8")
    if addresses(text):
        raise CourseError(f"{name} names an address: {addresses(text)[0]!r}. A lock must work with any mirror.")
    changed = pins(text) ^ pins(before)
    return f"{name}: {len(pins(text))} packages, " + (f"{len(changed)} pins changed" if changed else "nothing changed")
