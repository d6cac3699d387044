"""What a lesson gives for its checks stays as it is, or a person is told."""

from __future__ import annotations

import nbformat
import pytest

from autograder.authoring.answers import submission
from autograder.grading.given import bound, given_functions, put_back
from autograder.grading.grade import grade_submission
from autograder.grading.intake import take_in
from autograder.grading.lesson import read_lesson
from tests.grading.conftest import make_course

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
    return take_in(nbformat.writes(notebook).encode(), lesson.solution, lesson.release)


def answer_of(intake):
    return next(cell.source for cell in intake.notebook.cells if cell.id == "double")


def test_an_answer_that_leaves_it_alone_is_as_it_was(measured):
    for answer in (f"{RIGHT}\n\n{GIVEN}\n", f"{RIGHT}\n{GIVEN}   \n\nprint(doubled(2))\n"):
        intake = taken(measured, answer)
        assert answer_of(intake).strip() == answer.strip() and not intake.mends and not intake.flags


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,  # deleted, perhaps by mistake
        f"{RIGHT}\n{GIVEN.replace('drill(double, n)', '[[n, 2 * n]]')}\n",
        f"{RIGHT}\n{GIVEN}\ndoubled = lambda n: [[n, 2 * n]]\n",
        f"{RIGHT}\n{GIVEN}\nfor doubled in [print]:\n    pass\n",
    ],
)
def test_what_was_changed_or_is_missing_is_put_back(measured, answer):
    intake = taken(measured, answer)
    assert answer_of(intake) == f"{answer.rstrip()}\n\n{GIVEN}"
    assert intake.mends == ["Put back as the lesson gives it, for the checks: `doubled`."] and not intake.flags


def test_who_makes_up_what_is_measured_gets_no_points_for_it(measured):
    answer = f"def double(x):\n    return 0\n{GIVEN.replace('drill(double, n)', '[[n, 2 * n]]')}\n"
    _, report = grade_submission(submission(measured, {"double": answer}), measured)
    assert report.automatic == (0, 3)
    _, report = grade_submission(submission(measured, {"double": RIGHT}), measured)
    assert report.automatic == (3, 3)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("def drill(function, n):\n    return [[n, 2 * n]]", "`drill`"),
        ("drill = doubled = None", "`drill`"),
        ("Log.append = print", "`Log`"),
        ("def cheat():\n    global drill\n    drill = 0", "`drill`"),
        ("from os import path as Log", "`Log`"),
    ],
)
def test_who_replaces_what_it_measures_with_is_shown_to_a_person(measured, code, name):
    for intake in (taken(measured, f"{RIGHT}\n{GIVEN}\n{code}"), taken(measured, f"{RIGHT}\n{GIVEN}", extra=code)):
        (flag,) = intake.flags
        assert flag.startswith(f"The checks of `double` measure with {name}, which a cell of this notebook replaces.")


@pytest.mark.parametrize(
    "code", ["unused = 0", "def f(drill):\n    log = drill.x\n    return Log()", "drill(", "random = 1"]
)
def test_other_names_are_the_learners_own(measured, code):
    assert taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags == []


def test_code_that_is_too_deep_to_look_at_is_taken_for_a_change(measured):
    deep = f"drill = {'-' * 5000}1"
    intake = taken(measured, f"{RIGHT}\n{GIVEN}\n{deep}")
    assert answer_of(intake).endswith(f"{deep}\n\n{GIVEN}") and "`drill`" in intake.flags[0]


def test_code_that_does_not_run_binds_nothing():
    assert bound("def f(:") == set() == bound("f.x\nf[0]")
    assert bound("a.b.c = d[0][1] = 0\ndel e.f") == {"a", "d", "e"}
    assert given_functions("def f(): pass") == {} and put_back("x", "def f(): pass") == ("x", [])
