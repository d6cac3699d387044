"""``course test``: everything that CI runs, in one command."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from ..paths import find_course
from .extras import needs

TESTS_FAILED = 1  # pytest's exit status
GROUP = re.compile(r"@[^\[\]]*$")  # what xdist adds to a test's name
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
    environment = {**os.environ, "COURSE_ROOT": str(course.root)}
    pytest = [sys.executable, "-m", "pytest"]
    # loadgroup: tests that share a kernel, a class or a browser stay together in one worker; conftest.py orders them
    groups = ["-n", str(args.workers), "--dist", "loadgroup", "--no-loadscope-reorder", "--durations=20"]
    status = subprocess.call([*pytest, *groups, *args.pytest], cwd=course.root, env=environment)
    if status != TESTS_FAILED or not 0 < len(failed := _failed(course.root)) <= MOST_AGAIN:
        return status
    print(f"\nOnce more, alone, as others kept the machine busy: {', '.join(failed)}", flush=True)
    again = ["--last-failed", "--last-failed-no-failures=none"]
    return subprocess.call([*pytest, *again, *args.pytest], cwd=course.root, env=environment)


def _failed(root: Path) -> list[str]:
    """The tests of which pytest has noted that they failed when they ran last, noted as they are called without groups.

    Where it knows none of these names, it runs all tests.
    """
    noted = root / ".pytest_cache" / "v" / "cache" / "lastfailed"
    try:
        failed = [GROUP.sub("", name) for name in json.loads(noted.read_bytes())]
        noted.write_text(json.dumps(dict.fromkeys(failed, True)))
    except (OSError, ValueError):
        return []
    return failed
