"""``course lock``: exact versions with hashes for every platform, from the ranges in ``pyproject.toml``."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys

from ..errors import CourseError
from ..paths import Course, find_course

# One lock for Linux, macOS and Windows and all Pythons; it names no index, so it works with any mirror.
COMPILE = [
    sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--extra", "test", "--quiet",
    "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links",
]  # fmt: skip
LOCK_OPTIONS = ["--universal", "--python-version", "3.11", "--generate-hashes"]
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = ("x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")


def compile_lock(course: Course, *options: str) -> str:
    """Run ``uv pip compile`` on the course's ranges and return what it prints.

    Raises:
        CourseError: the ranges have no solution, or the package index did not answer; uv's words are included.
    """
    done = subprocess.run([*COMPILE, *options], cwd=course.root, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise CourseError(f"the ranges in pyproject.toml could not be resolved:\n{done.stderr.strip()}")
    return done.stdout


def pins(text: str) -> set[tuple[str, str]]:
    """``{("tensorflow", "2.21.0"), …}`` of a requirements text."""
    return set(re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.MULTILINE))


def addresses(text: str) -> list[str]:
    """Lines of a lock that name an address; there must be none."""
    return [line for line in text.splitlines() if re.search(r"://|^\s*(-i|--index|--find-links|--extra-index)", line)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that the ranges allow")


def command(args: argparse.Namespace) -> int:
    course = find_course()
    path = course.root / "requirements.txt"
    options = [*LOCK_OPTIONS, "--upgrade"] if args.upgrade else [*LOCK_OPTIONS]
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    # uv keeps the versions of an existing output file: that is what makes `course lock` without --upgrade small
    compile_lock(course, *options, "--output-file", path.name)
    text = path.read_text(encoding="utf-8")
    if addresses(text):
        raise CourseError(
            f"requirements.txt names an address: {addresses(text)[0]!r}. A lock must work with any mirror."
        )
    changed = pins(text) ^ pins(before)
    print(
        f"requirements.txt: {len(pins(text))} packages, "
        + (f"{len(changed)} pins changed" if changed else "nothing changed")
    )
    return 0
