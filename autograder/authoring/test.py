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
# options that end a run before all tests have run, or go by what was noted earlier: pytest runs once, as it is asked
BY_HAND = re.compile(r"-[a-z]*x|--exitfirst|--maxfail|--lf|--last-failed|--ff|--failed-first|--sw|--stepwise|--cache")
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
    first = [*pytest, *groups, *args.pytest]
    if any(BY_HAND.match(option) for option in args.pytest):
        return subprocess.call(first, cwd=course.root, env=environment)
    noted = course.root / ".pytest_cache" / "v" / "cache" / "lastfailed"
    noted.unlink(missing_ok=True)  # what failed in an earlier run says nothing of this one
    status = subprocess.call(first, cwd=course.root, env=environment)
    failed = [GROUP.sub("", name) for name in _noted(noted)]
    collected = all("::" in name for name in failed)
    if status != TESTS_FAILED or not collected or not 0 < len(failed) <= MOST_AGAIN:
        return status
    print(f"\nOnce more, alone, as others kept the machine busy: {', '.join(failed)}", flush=True)
    noted.write_text(json.dumps(dict.fromkeys(failed, True)))  # as they are called where there are no groups
    again = ["--last-failed", "--last-failed-no-failures=none"]
    status = subprocess.call([*pytest, *again, *args.pytest], cwd=course.root, env=environment)
    # what is still noted did not run: its name is another one in each run
    return TESTS_FAILED if status == 0 and _noted(noted) else status


def _noted(noted: Path) -> list[str]:
    """The names of tests that failed, by pytest's cache, and of what it could not collect, which have no ``::``."""
    try:
        return list(json.loads(noted.read_bytes()))
    except (OSError, ValueError):
        return []
