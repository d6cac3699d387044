"""The tests that a learner keeps beside a notebook: what is said of them, and that nothing of theirs goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from autograder.learning.own_tests import run_own_tests

TWO = '"""Mine."""\nimport kept\ndef test_two():\n    assert kept.two == 2\ndef test_three():\n    assert False'
ONE = "import unittest\nclass Kept(unittest.TestCase):\n    def test_two(self):\n        self.assertTrue(True)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import kept\nassert kept.two == 2", "test_one.py: passed"),
        ("import kept\nassert kept.two == 3, 'two is not three'", "test_one.py: AssertionError: two is not three"),
        ("import nowhere", "test_one.py: ModuleNotFoundError: No module named 'nowhere'"),
        ("raise SystemExit(3)", "test_one.py: ended with 3"),
        ("import time\ntime.sleep(60)", "test_one.py: did not end within 5 s"),
        (TWO, "test_one.py: ended, but called none of its tests (2): call them at its end, or run pytest"),
        (ONE, "test_one.py: ended, but called none of its tests (1): call them at its end, or run pytest"),
        (f"{TWO}\nif __name__ == '__main__':\n    test_two()\n    test_three()", "test_one.py: AssertionError"),
        (f"{ONE}\nimport unittest\nunittest.main()", "test_one.py: passed"),
        (f"{TWO}\ntest_two()", "test_one.py: passed"),
        (f"{TWO}\nseen = [test() for test in (test_two,)]", "test_one.py: passed"),
        ("def now(test):\n    test()\n@now\ndef test_two():\n    pass", "test_one.py: passed"),
    ],
    ids=[
        "passed",
        "assert",
        "import",
        "exit",
        "endless",
        "pytest",
        "class",
        "main",
        "unittest",
        "called",
        "in a list",
        "decorated",
    ],
)
def test_what_own_tests_say(tmp_path, text, told):
    (tmp_path / "kept.py").write_text("two = 2\n")
    (tmp_path / "test_one.py").write_text(text)
    assert [str(one) for one in run_own_tests(tmp_path, seconds=5)] == [told]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_what_own_tests_start_is_ended(tmp_path):
    text = "import subprocess, sys\nchild = subprocess.Popen(['sleep', '60'])\nopen('pid', 'w').write(str(child.pid))"
    (tmp_path / "test_one.py").write_text(text)
    assert [one.wrong for one in run_own_tests(tmp_path)] == [""]
    child = int((tmp_path / "pid").read_text())
    for _ in range(100):
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return
        if state == "Z":  # killed, not yet collected by its new parent
            return
        time.sleep(0.05)
    raise AssertionError(f"process {child} is still running")


def test_a_folder_without_tests(tmp_path):
    assert run_own_tests(tmp_path) == []
