"""The shared cell that shows results of checks, in a real kernel: what a learner sees, and what a grader finds."""

from __future__ import annotations

import re
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.authoring.source import SourceCell, shared_cell
from autograder.paths import Course

CHECKS = {
    "spread-sum": ["spread", 2, "visible", "The sum is right"],
    "spread-odd": ["spread", 3, "hidden", "Odd numbers"],
    "spread-key": ["spread", 1, "visible", "One is enough"],
    "why": ["why", 2, "written", "In your own words"],
}
STUB = 'def spread(n):\n    raise NotImplementedError("write this exercise first")'
RIGHT = "def spread(n):\n    return 2 * n"
MESSAGE = "asked:    spread(3)\ngot:      {got}\nexpected: 6\nlikely:   off by one\nreread:   section 4"
HEAD = "#@title Check · The sum is right · 2 points\n# check: spread-sum\n"
CHECK = (
    f'{HEAD}got = spread(3)\ntold = Told(asked="spread(3)", got=got, expected=6, reread="section 4")\n'
    'assert got == 6, told("off by one")'
)
CHECK_KEY = '#@title Check · One is enough · 1 point\n# check: spread-key\nassert spread(1) == 2, "asked: spread(1)"'
HIDDEN = "#@title Hidden check · Odd numbers · 3 points\n# check: spread-odd\n# Asks again with other inputs."
SUMS = "You have {} of 3 points of the visible checks."


def cell_text(course: Course, checks: dict = CHECKS) -> str:
    """The shared cell as the build fills it."""
    cell = SourceCell("code", "include", "checks.py", "", "test")
    return shared_cell(course, cell, checks, {"section 4": "4-Sums"})


@pytest.fixture
def run(course: Course):
    """``run(*cells)``: each cell's outputs, in a fresh kernel in which the shared cell ran first."""

    def execute(*cells: str) -> list[list]:
        sources = [cell_text(course), *cells]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        NotebookClient(notebook, kernel_name="python3", timeout=60, allow_errors=True).execute()
        assert notebook.cells[0].outputs == []
        return [cell.outputs for cell in notebook.cells[1:]]

    return execute


def shown(outputs: list) -> str:
    """The text of the result that a check cell displays; there is exactly one."""
    [display] = [output for output in outputs if output.output_type == "display_data"]
    assert set(display.data) == {"text/html", "text/plain"}
    return display.data["text/plain"]


def error_of(outputs: list):
    [error] = [output for output in outputs if output.output_type == "error"]
    return error


def test_a_passed_check_shows_points_and_the_table_what_still_waits(run):
    _, outputs, table = run(RIGHT, CHECK, "show_points()")
    assert shown(outputs).splitlines() == [
        "✓ passed · The sum is right · 2 of 2 points",
        SUMS.format(2),
    ]
    waiting = " Waiting for grading: 1 hidden check (3 points), your written answer (2 points)."
    assert shown(table).splitlines()[-1] == SUMS.format(2) + waiting


def test_a_check_and_the_learner_do_not_change_each_others_names(run):
    own = (
        "import math\ngot, helper, calls = 'mine', lambda n: 2 * n, []\n"
        "def spread(n):\n    calls.append(n)\n    return helper(n)"
    )
    check = CHECK.replace(HEAD, f"{HEAD}import os as math\n\ndef helper(a, b): pass\n\nfresh = calls\n")
    *_, outputs, after = run(own, check, check, "print(got, math.pi > 3, helper(1), calls, 'fresh' in globals())")
    assert shown(outputs).startswith("✓ passed · The sum is right")
    assert after[0].text == "mine True 2 [3, 3] False\n"


TAKEN = (
    "Note: {} was one of this lesson's helpers, and this cell gave the name to something else. Checks still work; "
    'other cells that use the helper do not. Take another name, then run the bar "Helpers" again.\n'
)


def test_a_name_that_a_learner_takes_from_a_helper_is_told_once_and_changes_no_check(run):
    taken = "html = re = time = types = Told = written = show = result_card = run_aside = after_cell = 3"
    first, again, other, *_, outputs, table = run(
        taken, taken, "import html, re", "def spread(n):\n    return n", CHECK, "points_so_far()"
    )
    assert sorted(first[0].text.splitlines(keepends=True)) == sorted(
        TAKEN.format(name) for name in ("Told", "written", "show", "result_card", "run_aside", "after_cell")
    )
    assert again == other == []
    assert error_of(outputs).evalue == MESSAGE.format(got=3)
    assert "off by one" in shown(outputs)
    assert SUMS.format(0) in table[0].data["text/plain"]


def test_the_learners_own_code_keeps_the_names_that_it_took(run):
    *_, outputs = run("written = 2", "def spread(n):\n    return written * n", CHECK)
    assert shown(outputs).startswith("✓ passed")


def test_a_failed_check_shows_its_message_alone_and_stays_an_error(run):
    _, outputs = run("def spread(n):\n    return n", CHECK)
    error = error_of(outputs)
    assert (error.ename, error.evalue) == ("AssertionError", MESSAGE.format(got=3))
    assert error.traceback == ["✗ failed · The sum is right"]
    assert shown(outputs).startswith(f"✗ failed · The sum is right · 0 of 2 points\n{MESSAGE.format(got=3)}\n")
    page = next(output.data["text/html"] for output in outputs if output.output_type == "display_data")
    assert '<a href="#4-Sums">section 4</a>' in page and "off by one" in page


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('return {}["key"]', "KeyError"),
        ('assert n > 5, "mine"', "AssertionError"),
        ("return undefined", "NameError"),
        ('raise NotImplementedError("another")', "NotImplementedError"),
    ],
)
def test_an_error_inside_the_answer_keeps_its_traceback(run, code, name):
    _, outputs = run(f"def spread(n):\n    {code}", CHECK)
    error = error_of(outputs)
    text = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(error.traceback))
    assert error.ename == name
    assert code in text and "in spread(n)" in text
    assert "run_aside" not in text and text.count("Traceback") == 1
    assert shown(outputs).startswith("✗ failed")


def test_a_stub_is_not_written_yet_and_a_missing_answer_says_what_to_run(run):
    missing, _, stub = run(CHECK, STUB, CHECK)
    assert error_of(missing).ename == "NameError"
    assert "Run the exercise's cell first" in shown(missing)
    assert shown(missing).startswith("○ not run · The sum is right · 0 of 2 points")
    assert error_of(stub).ename == "NotImplementedError"
    assert shown(stub).startswith("○ not written yet · The sum is right · 0 of 2 points")


def test_nobody_passes_a_hidden_check_in_the_notebook(run):
    _, released, solved, failed = run(
        RIGHT, HIDDEN, HIDDEN + "\nassert spread(5) == 10", HIDDEN + '\nassert spread(5) == 11, "asked: x"'
    )
    for outputs in (released, solved):
        assert shown(outputs) == "○ hidden: waits for grading · Odd numbers · 3 points"
        assert "passed" not in shown(outputs)
    assert error_of(failed).evalue == "asked: x"


def test_an_answer_that_is_defined_again_loses_its_ticks(run):
    *_, before, _, after, _, again = run(
        RIGHT, CHECK, CHECK_KEY, "show_points()", RIGHT, "show_points()", CHECK, "show_points()"
    )
    assert SUMS.format(3) in shown(before)
    assert shown(after).splitlines()[0] == "○ changed: run again · The sum is right · 0 of 2 points"
    assert SUMS.format(0) in shown(after)
    assert SUMS.format(2) in shown(again)


def test_a_word_in_a_check_is_no_name(run):
    *_, table = run(RIGHT, CHECK, "def off():\n    pass", "show_points()")
    assert shown(table).splitlines()[0] == "✓ passed · The sum is right · 2 of 2 points"


def test_calling_an_answer_keeps_its_ticks(run):
    *_, table = run(RIGHT, CHECK, "spread(4)", "result = spread(4)", "show_points()")
    assert shown(table).splitlines()[0] == "✓ passed · The sum is right · 2 of 2 points"


def test_show_points_lists_every_check_with_its_state(run):
    [table] = run("show_points()")
    assert shown(table).splitlines()[:-1] == [
        "○ not run · The sum is right · 0 of 2 points",
        "○ hidden: waits for grading · Odd numbers · 3 points",
        "○ not run · One is enough · 0 of 1 point",
        "✎ in words · In your own words · 2 points",
    ]


def test_running_the_cell_again_watches_once_and_begins_anew(run, course):
    *_, outputs, table = run(RIGHT, CHECK, cell_text(course), CHECK_KEY, "show_points()")
    assert SUMS.format(1) in shown(outputs)
    assert SUMS.format(1) in shown(table)


def test_errors_of_other_cells_are_left_alone(run):
    _, _, outputs = run("def spread(n):\n    return n", CHECK, 'assert False, "my own"')
    assert "---> 1 assert False" in re.sub(r"\x1b\[[\d;]*m", "", "\n".join(error_of(outputs).traceback))
    assert [output.output_type for output in outputs] == ["error"]


def test_outside_a_notebook_it_only_prints(course):
    code = cell_text(course) + "\nshow_points()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("○ not run · The sum is right · 0 of 2 points\n") and SUMS.format(0) in done.stdout


def test_a_check_that_never_ends_is_left_alone_and_the_kernel_goes_on(run):
    soon = "get_ipython().course_checks.run_aside.__globals__['CHECK_SECONDS'] = 1\n"
    waits = f"{soon}import threading\nnever = threading.Event()\ndef spread(n):\n    never.wait()"
    *_, outputs, after = run(waits, CHECK, "print('goes on')")
    assert error_of(outputs).ename == "CheckNeverEnds"
    assert "did not end within 1 seconds" in shown(outputs)
    assert after[0].text == "goes on\n"


def test_what_the_check_itself_could_not_do_is_not_called_the_learners_error(run):
    check = CHECK.replace("got = spread(3)", "got = spread(3)[0]")
    _, outputs = run(RIGHT, check)
    assert "The check could not go on with what your code gave it (TypeError" in shown(outputs)
    assert "Running your code raised" not in shown(outputs)


def test_a_name_that_a_check_makes_itself_is_none_that_it_asks(run):
    check = CHECK.replace("got = spread(3)", "for read in [3]:\n    got = spread(read)")
    *_, table = run(RIGHT, check, "def read():\n    pass", "show_points()")
    assert shown(table).splitlines()[0] == "✓ passed · The sum is right · 2 of 2 points"
