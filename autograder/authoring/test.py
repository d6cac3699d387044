"""``course test``: everything that CI runs, in one command."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from ..paths import find_course
from .extras import needs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        # many tests wait for processes, timeouts and browsers; with more workers, checks run into their limits
        "--workers",
        type=int,
        default=(os.cpu_count() or 1) + 1,
        help="tests that run at once (default: cores + 1)",
    )
    parser.add_argument("pytest", nargs="*", help="paths and options for pytest, after `--`")


def command(args: argparse.Namespace) -> int:
    needs("pytest", "xdist", "hypothesis", "playwright", "packaging", "yaml", "ruff", "mypy", "uv")
    course = find_course()
    # loadgroup: tests that share a kernel, a class or a browser stay together in one worker
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        str(args.workers),
        "--dist",
        "loadgroup",
        "--no-loadscope-reorder",  # tests/conftest.py orders them
        "--durations=20",
        *args.pytest,
    ]
    return subprocess.call(command, cwd=course.root, env={**os.environ, "COURSE_ROOT": str(course.root)})
