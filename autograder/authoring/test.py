"""``course test``: everything that CI runs, in one command."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from ..paths import find_course
from .extras import needs

TESTS_FAILED = 1  # pytest's exit status
MOST_AGAIN = 10  # tests that failed beside others, and may be the machine's fault


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
    environment = {**os.environ, "COURSE_ROOT": str(course.root)}
    status = subprocess.call(command, cwd=course.root, env=environment)
    if status != TESTS_FAILED or not 0 < len(failed := _failed(course.root)) <= MOST_AGAIN:
        return status
    print(f"\nOnce more, alone, as others kept the machine busy: {', '.join(failed)}", flush=True)
    again = [sys.executable, "-m", "pytest", "--last-failed", "--last-failed-no-failures=none", *args.pytest]
    return subprocess.call(again, cwd=course.root, env=environment)


def _failed(root: Path) -> list[str]:
    """The tests of which pytest has noted that they failed when they ran last."""
    try:
        return list(json.loads((root / ".pytest_cache" / "v" / "cache" / "lastfailed").read_bytes()))
    except (OSError, ValueError):
        return []
