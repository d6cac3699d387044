"""What a lesson gives for its checks stays as it is, or a person is told."""

from __future__ import annotations

import nbformat
import pytest

from autograder.authoring.answers import submission
from autograder.authoring.given import given_functions
from autograder.grading.given import bound
from autograder.grading.lesson import read_lesson
from tests.grading.conftest import graded, make_course, taken_in

NAME = "01_measured"
SOURCE = '''\
# %% [markdown]
# # Lesson 01 · Measured

# %%
import random

class Log(list):
    """What was called."""

def drill(function, n):
    """Call a function; what it was called with, and gave."""
    log = Log()
    log.append([n, function(n)])
    return list(log)

def unused():
    return 0

# %% [markdown] exercise="double"
# ### Exercise 1 · Double it

# %% solution="double"
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

def doubled(n):
    """Given, for the checks: a drill with your function."""
    return drill(double, n)

# %% try="double"
print("try doubled(3)")

# %% check="double-three" points=3
assert doubled(3) == [[3, 6]], "not twice"
'''
GIVEN = 'def doubled(n):\n    """Given, for the checks: a drill with your function."""\n    return drill(double, n)'
RIGHT = "def double(x):\n    return x + x\n"


@pytest.fixture(scope="module")
def measured(course, tmp_path_factory):
    return read_lesson(make_course(tmp_path_factory.mktemp("measured"), course.config, NAME, SOURCE), NAME)


def taken(lesson, answer, extra=""):
    notebook = nbformat.reads(submission(lesson, {"double": answer}).decode(), as_version=4)
    if extra:
        notebook.cells.append(nbformat.v4.new_code_cell(extra))
    return taken_in(nbformat.writes(notebook).encode(), lesson)


def answer_of(intake):
    return next(cell.source for cell in intake.notebook.cells if cell.id == "double")


def test_an_answer_that_leaves_it_alone_is_as_it_was(measured):
    for answer in (f"{RIGHT}\n\n{GIVEN}\n", f"{RIGHT}\n{GIVEN}   \n\nprint(doubled(2))\n"):
        intake = taken(measured, answer)
        assert answer_of(intake).strip() == answer.strip() and not intake.mends and not intake.flags


MADE_UP = GIVEN.replace("drill(double, n)", "[[n, 2 * n]]")


@pytest.mark.parametrize(
    "change",
    [
        f"{RIGHT}\n{MADE_UP}\n",
        f"{RIGHT}\n{GIVEN}\ndoubled = lambda n: [[n, 2 * n]]\n",
        f"{RIGHT}\n{GIVEN}\nfor doubled in [print]:\n    pass\n",
    ],
)
def test_a_given_function_that_is_changed_is_shown_to_a_person(measured, change):
    (flag,) = taken(measured, change).flags
    assert flag.startswith("The checks of `double` measure with `doubled`")


def test_a_given_function_that_is_missing_is_there_for_the_checks_all_the_same(measured):
    assert taken(measured, RIGHT).flags == []
    report = graded(submission(measured, {"double": RIGHT}), measured).report
    assert report.automatic == (3, 3)


NO_ANSWER = f"def double(x):\n    return 0\n{GIVEN}"
CHEATS = {
    "in the try cell": ("try", MADE_UP),
    "in a cell of its own": ("added", MADE_UP),
    "by a magic in the answer": ("solution", f"%time\n{MADE_UP}"),
    "by a magic that runs code": ("try", f"%time exec({MADE_UP!r})"),
    "by another name for it": ("try", f"globals()['dou' + 'bled'] = lambda n: [[n, 2 * n]]\n{'#' * 3}"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_no_way_of_replacing_it_gives_points_without_an_answer(measured, cheat):
    where, text = CHEATS[cheat]
    notebook = nbformat.reads(submission(measured, {"double": NO_ANSWER}).decode(), as_version=4)
    if where == "added":
        notebook.cells.append(nbformat.v4.new_code_cell(text))
    for cell in notebook.cells:
        if cell.metadata.course.role == where if "course" in cell.metadata else False:
            cell.source = f"{cell.source}\n{text}" if where == "solution" else text
    report = graded(nbformat.writes(notebook).encode(), measured).report
    assert report.automatic == (0, 3)
    assert len(report.flags) == 1 and report.flags[0].startswith("The checks of `double` measure with")


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("def drill(function, n):\n    return [[n, 2 * n]]", "`drill`"),
        ("drill = doubled = None", "`doubled`, `drill`"),
        ("Log.append = print", "`Log`"),
        ("def cheat():\n    global drill\n    drill = 0", "`drill`"),
        ("from os import path as Log", "`Log`"),
    ],
)
def test_who_replaces_what_it_measures_with_is_shown_to_a_person(measured, code, name):
    for intake in (taken(measured, f"{RIGHT}\n{GIVEN}\n{code}"), taken(measured, f"{RIGHT}\n{GIVEN}", extra=code)):
        (flag,) = intake.flags
        assert flag.startswith(
            f"The checks of `double` measure with {name}, which a cell of this notebook replaces, or"
        )


@pytest.mark.parametrize(
    "code", ["unused = 0", "def f(drill):\n    log = drill.x\n    return Log()", "drills(", "random = 1"]
)
def test_other_names_are_the_learners_own(measured, code):
    assert taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags == []


@pytest.mark.parametrize(
    "code",
    ["%run x.py", "!echo 1", "x = %system ls", "exec('1')", "from x import *", ">>> drill = 1", "-" * 5000]
    + ["from sys import modules as m", "0\n" * 60_000],
)
def test_what_may_be_anything_is_shown_to_a_person_only_where_it_can_do_harm(measured, code):
    flags = taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags
    assert bool(flags) == (code != "-" * 5000), "what never runs and names nothing does no harm"


@pytest.mark.parametrize(
    "code", ["%matplotlib inline\nprint(1)", "print(doubled(3))", "code = vars_ = 1", "x = 'exec'"]
)
def test_ordinary_cells_are_not_flagged(measured, code):
    assert taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags == []


def test_names_that_code_binds():
    assert bound("a.b.c = d[0][1] = 0\ndel e.f") == {"a", "d", "e"}
    assert given_functions("def f(): pass") == {}
