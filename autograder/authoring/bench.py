"""``course bench NAME``: the measurements of ``tests/bench/``, by name."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from ..errors import CourseError
from ..paths import find_course

FOLDER = Path("tests", "bench")


def benches(root: Path) -> list[str]:
    """Names of the measurements that a checked-out repository has; an installed package has none."""
    return sorted(path.stem for path in (root / FOLDER).glob("*.py") if not path.stem.startswith("_"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    known = ", ".join(benches(find_course().root)) or "none here: they come with the repository"
    parser.add_argument("name", metavar="NAME", help=f"one of: {known}")
    parser.add_argument("options", nargs=argparse.REMAINDER, metavar="...", help="its own options; --help lists them")


def command(args: argparse.Namespace) -> int:
    root = find_course().root
    if args.name not in benches(root):
        known = ", ".join(benches(root)) or "none; they come with the repository, under tests/bench/"
        raise CourseError(f"There is no measurement {args.name!r}. There are: {known}.")
    command = [sys.executable, "-m", f"tests.bench.{args.name}", *args.options]
    return subprocess.call(command, cwd=root, env={**os.environ, "COURSE_ROOT": str(root)})
