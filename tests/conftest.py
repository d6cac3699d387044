"""Fixtures that every kind of test uses, the order in which tests start, and what is said of those that did not run."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.paths import Course
from autograder.wording import BY_MAKE

ROOT = Path(__file__).resolve().parent.parent

LESSONS = Course(ROOT).lessons()


@pytest.fixture(scope="session")
def course() -> Course:
    """The real course; tests only read it."""
    return Course(ROOT)


def pytest_configure() -> None:
    """What is started from here can be ended by Ctrl-C, also where a shell started this in the background."""
    os.environ.pop(BY_MAKE, None)  # messages name commands by `course`, also below `make test`
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# --------------------------------------------------------------------------------------------------------------- order

# Beginnings of the groups' names, the longest first (three minutes to half a minute): a group stays in one worker,
# and one that starts late keeps a single core busy at the end. `course test` has xdist keep this order.
LONGEST = (
    *(
        "attacks",
        "bank-07",
        "10_",
        "07_",
        "bank-10",
        "bank-06",
        "sandbox",
        "browser",
        "gradebook",
        "checker",
        "cluster",
    ),
    *("09_", "bank-04", "06_", "colab", "0", "1", "bank-", "replicas", "test_shared"),
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the longest groups come first; slow tests without a group before quick ones; spare ones at the end."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    if spare := item.get_closest_marker("spare"):
        return len(LONGEST) + 2 + len(spare.args)
    marker = item.get_closest_marker("xdist_group")
    group = (marker.args[0] if marker.args else marker.kwargs["name"]) if marker else ""
    slow = len(LONGEST) + (item.get_closest_marker("slow") is None)
    return next((place for place, beginning in enumerate(LONGEST) if group.startswith(beginning)), slow)


# ------------------------------------------------------------------------------------------------ what may be left out

LATER = pytest.mark.spare(2 / 3)
CASES: Counter[str] = Counter()  # of each test, those that were collected


def pytest_itemcollected(item: pytest.Item) -> None:
    """Of a test's cases the first `few(number)` run always, the others where there is time; what is spare leaves its
    group, which would be run as a whole."""
    if few := item.get_closest_marker("few"):
        test = item.nodeid.partition("[")[0]
        CASES[test] += 1
        if CASES[test] > few.args[0]:
            item.add_marker(LATER)
    if item.get_closest_marker("spare") and item.get_closest_marker("xdist_group"):
        item.add_marker(pytest.mark.xdist_group("later"))


BEGAN = time.monotonic()
# After these minutes no test begins that may be left out: `spare`, or after a part of them: `spare(part)`.
MINUTES = float(os.environ.get("COURSE_TEST_MINUTES", "60"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    spare = item.get_closest_marker("spare")
    if spare and time.monotonic() - BEGAN > 60 * MINUTES * (spare.args[0] if spare.args else 1):
        pytest.skip(f"{NO_TIME} (COURSE_TEST_MINUTES={MINUTES:g})")


# ------------------------------------------------------------------------------------------------- what was not run

NO_TIME = "others took all the time that there is"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Tests skipped for want of a program or of time are not listed one by one: one line at the end counts them."""
    stats = terminalreporter.stats
    skipped = {report: str(report.longrepr[-1]) for report in stats.get("skipped", [])}
    for_want = [report for report, reason in skipped.items() if _wanted(reason)]
    if not for_want:
        return (yield)
    stats["skipped"] = [report for report in skipped if report not in for_want]
    try:
        return (yield)
    finally:
        stats["skipped"] = list(skipped)
        terminalreporter.write_line(not_run([skipped[report] for report in for_want]), yellow=True)


def not_run(reasons: list[str]) -> str:
    """One line that counts the tests that were skipped for these reasons, and says how to get what they need."""
    counts = Counter(map(_wanted, reasons))
    parts = [f"{count} because {what}" for what, count in counts.items()]
    return f"{counts.total()} tests were not run: {', and '.join(parts)}."


def _wanted(reason: str) -> str:
    """What a test is skipped for want of, and how to get it; empty where it is skipped for another reason."""
    if NO_TIME in reason:
        return reason[reason.index(NO_TIME) :]
    if "no Chromium" in reason:
        return "Chromium is missing (sudo apt-get install chromium)"
    if "isolated" not in reason or sys.platform != "linux":
        return ""
    if shutil.which("bwrap") is None:
        return "bubblewrap is missing (sudo apt-get install bubblewrap)"
    return "bubblewrap cannot isolate on this machine (`course grade` says why)"
