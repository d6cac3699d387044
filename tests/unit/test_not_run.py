"""What `make test` says at its end of tests that a missing program kept from running."""

from __future__ import annotations

import shutil

import pytest

from tests.conftest import ROOT, not_run

pytest_plugins = ["pytester"]

SKIPPING = """
import pytest

def test_one(): pytest.skip("Submissions cannot be isolated: bubblewrap is not installed. Install it.")
def test_two(): pytest.skip("submissions cannot be isolated here")
def test_three(): pytest.skip("no Chromium on PATH: the browser tests did not run.")
def test_four(): pytest.skip("this machine has a GPU")
"""


def test_it_counts_by_program(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    reasons = ["no Chromium on PATH", "submissions cannot be isolated here", "Submissions cannot be isolated: x"]
    assert not_run(reasons) == (
        "3 tests were not run: 1 because Chromium is missing (sudo apt-get install chromium), "
        "and 2 because bubblewrap is missing (sudo apt-get install bubblewrap)."
    )
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/bwrap")
    assert "bubblewrap cannot isolate on this machine" in not_run(reasons)


@pytest.mark.parametrize(("minutes", "passed"), [("0", 1), ("60", 2)])
def test_where_no_time_is_left_what_is_spare_is_not_run_and_counted(pytester, minutes, passed, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("COURSE_TEST_MINUTES", minutes)
    pytester.makeconftest("from tests.conftest import pytest_runtest_setup, pytest_terminal_summary")
    pytester.makeini("[pytest]\nmarkers = spare")
    pytester.makepyfile("import pytest\n@pytest.mark.spare\ndef test_one(): pass\ndef test_two(): pass")
    result = pytester.runpytest_subprocess("-ra", "-p", "no:randomly")
    result.assert_outcomes(passed=passed, skipped=2 - passed)
    told = [line for line in result.stdout.lines if "1 tests were not run: 1 because others took all the time" in line]
    assert len(told) == 2 - passed


@pytest.mark.parametrize(("minutes", "passed"), [("0", 3), ("60", 5)])
def test_of_many_cases_the_first_always_run(pytester, minutes, passed, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("COURSE_TEST_MINUTES", minutes)
    names = "pytest_collection_modifyitems, pytest_itemcollected, pytest_runtest_setup"
    pytester.makeconftest(f"from tests.conftest import {names}")
    pytester.makeini("[pytest]\nmarkers =\n    few\n    spare")
    case = "@pytest.mark.few(2)\n@pytest.mark.xdist_group('one')\n@pytest.mark.parametrize('case', range(4))"
    pytester.makepyfile(f"import pytest\n{case}\ndef test_one(case): pass\ndef test_two(): pass")
    result = pytester.runpytest_subprocess(
        "-v", "-p", "no:randomly", "-n", "1", "--dist", "loadgroup", "--no-loadscope-reorder"
    )
    result.assert_outcomes(passed=passed, skipped=5 - passed)
    begun = [line.split("::")[1].split()[0] for line in result.stdout.lines if line.startswith("test_of_many")]
    assert begun == ["test_one[0]@one", "test_one[1]@one", "test_two", *(f"test_one[{n}]@later_one" for n in (2, 3))]


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_one_line_takes_the_place_of_many(pytester, workers, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeconftest("from tests.conftest import pytest_terminal_summary")
    pytester.makepyfile(SKIPPING)
    lines = pytester.runpytest_subprocess("-ra", *workers).stdout.lines
    told = [line for line in lines if "not run" in line or line.startswith("SKIPPED")]
    assert "GPU" in told[0] and told[1].startswith("3 tests were not run: ") and len(told) == 2
    assert "4 skipped" in lines[-1]
