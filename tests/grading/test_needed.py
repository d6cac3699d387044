"""Of the lesson's own cells grading runs those that something graded uses."""

from __future__ import annotations

import itertools

import nbformat
import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.grading import needed
from autograder.grading.cells import is_left_out
from autograder.grading.intake import take_in
from autograder.grading.lesson import read_lesson
from autograder.grading.needed import InTurn, can_be_left_out, imported_above, may_give, run_what_is_used
from autograder.grading.submission import Submission
from autograder.python_code import with_definitions
from tests.conftest import LESSONS
from tests.pace import Stopwatch


def cells(*texts):
    """Code cells; each text begins with its role, and a plus where grading leaves the cell out."""
    made = []
    for text in texts:
        role, _, source = text.partition(": ")
        about = {"role": role.strip("+"), **({"grading": "skip"} if role.endswith("+") else {})}
        made.append(nbformat.v4.new_code_cell(source, metadata={"course": about}))
    return made


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (["code+: x = 1", "solution: y = x"], []),
        (["code+: x = 1", "solution: y = 2"], [0]),
        (["code+: x = 1", "solution: def f(x): return x"], [0]),
        (["code+: x = 1", "solution: def f(): return x"], []),
        # what it needs itself is run, too; what lies between and is not needed, is not
        (["code+: a = 1", "code+: b = 2", "code+: c = a + 1", "solution: c"], [1]),
        # the last one that binds the name before it is read, as from top to bottom
        (["code+: x = 1", "code: x = 2", "solution: x"], [0]),
        (["code: x = 1", "code+: x = 2", "solution: x"], []),
        # a name that is read and bound anew
        (["code+: y = 1", "solution: y = y + 1"], []),
        (["code+: y = 1", "solution: y += 1"], []),
        (["code+: y = 1", "solution: del y\ndef f(): return 2"], []),
        (["code+: y = 1", "solution: def f(y): return y"], [0]),
        (["code+: y = 1", "solution: def f():\n    y = 2\n    y += 1\n    return y"], [0]),
        # a function reads its names when it is called, perhaps from a cell below
        (["solution: def f(): return x", "try+: x = 1", "check: f()"], []),
        # a function needs a value of its own cell
        (["code+: log = []\ndef note(x): log.append(x)\nprint(1)", "solution: note(1)"], []),
        (["code+: N = 2\ndef a(): return N\ndef b(): return a()\ndef c(): pass", "solution: b()"], []),
        (["code+: N = 2\ndef a(): return N\ndef b(): return a()\ndef c(): pass", "solution: c()"], [0]),
        (["code+: x = 1", "code+: x = 2", "try+: z = x", "solution: x"], [0, 2]),
        # imports, functions and short names come without the rest of their cell
        (["code+: import math\ndef half(x): return x / 2\nprint(half(2))", "solution: half(math.pi)"], [0]),
        (["code+: N = 2", "code+: def part(x): return x / N\nprint(1)", "solution: part(3)"], [1]),
        (["code+: N = 2", "code+: def part(x): return x / N\ndef own(): pass", "solution: own()"], [0, 1]),
        (["code+: import tf\ndef f(x): return x\nf = tf.function(f)", "solution: f(1)"], []),
        # a check reads names in the learner's kernel, and binds none there, but for a visible one's imports
        (["code+: x = 1", "check: assert f(x)"], []),
        (["code+: x = 1", "check: x = 2", "solution: x"], []),
        (["code+: import re; print(re)", "check: import re", "solution: re"], [0]),
        (["code+: x = 1", "hidden: assert broken(", "solution: x"], []),
        # an error that is read where it is caught alone is nobody else's
        (["code+: error = 1", "try: try: f()\nexcept E as error: print(error)"], [0]),
        (["code+: error = 1", "try: try: f()\nexcept E as error: pass\nprint(error)"], []),
        # magics
        (["code+: x = 1", "added: %time x"], []),
        (["code+: x = 1", "added: %matplotlib inline\ny = 2"], [0]),
        (["code+: matplotlib = 1", "added: %matplotlib inline\ny = 2"], [0]),
        (["code+: x = 1", "code: %%writefile a.py\nx"], [0]),
        (["include+: def helper(): pass", "solution: helper()"], []),
        (["include+: import np\ndef helper(): pass", "solution: np"], [0]),
    ],
)
def test_what_is_used_runs(texts, left):
    notebook = cells(*texts)
    run_what_is_used(notebook)
    assert [position for position, cell in enumerate(notebook) if is_left_out(cell)] == left


def test_what_a_given_function_uses_runs_also_where_the_learner_has_taken_it_out():
    notebook = cells("code+: import os\nprint(os)", "code+: folder = 1", "code+: y = 2", "solution: def f(): return 2")
    notebook[3].metadata.course.given = {"asked": "def asked():\n    return f(), os.getcwd(), folder"}
    run_what_is_used(notebook)
    assert [position for position, cell in enumerate(notebook) if is_left_out(cell)] == [0, 2]
    assert notebook[0].metadata.course.grading != "unused", "its import is brought"


def test_a_prediction_whose_names_cannot_be_read_runs():
    assert can_be_left_out("guess = 3")
    assert not any(map(can_be_left_out, ["%time guess = 3", "from math import *", "guess ="]))
    assert not can_be_left_out("def say():\n    global guess\n    guess = 3\nsay()")
    assert not can_be_left_out("[guess := number for number in range(4)]")


def test_text_that_is_too_deep_or_very_long_is_read_soon():
    deep = "yq = tf.x\nz = " + "+".join(["1"] * 1500)
    many = "aq=tf.b;" * 6000 + "a;" * 20000
    notebook = cells(f"predict+: {deep}", f"predict+: {many}", "solution: print(yq, aq)")
    watch = Stopwatch()
    run_what_is_used(notebook)
    assert watch.seconds() < 5


def test_a_cell_of_which_much_is_used_is_read_once():
    names = [f"f{number}" for number in range(1500)]
    many = "f0 = 1\n" + "\n".join(f"def {name}(): {before}" for before, name in itertools.pairwise(names))
    notebook = cells(f"predict+: {many.replace('f0 = 1', '')}", f"predict+: {many}", f"added: {','.join(names)}")
    watch = Stopwatch()
    run_what_is_used(notebook)
    assert watch.seconds() < 10, "some minutes where each function has it read anew"


def test_no_text_of_a_learners_is_kept():
    run_what_is_used(cells("predict+: kept_a = tf.kept_b", "try+: def kept_c(): pass", "added: kept_a, kept_c"))
    caches = (needed._names_read, needed.names_bound, needed._names_brought)
    before = [cached.cache_info().currsize for cached in caches]
    run_what_is_used(cells("predict+: kept_d = tf.kept_e", "try+: def kept_f(): pass", "added: kept_d, kept_f"))
    assert [cached.cache_info().currsize for cached in caches] == before


@pytest.mark.parametrize("name", LESSONS)
def test_what_a_lesson_leaves_out_its_own_answers_do_not_need(name, course):
    """Else demonstrations marked so would run for everybody. What writes a file always does: they may start from it."""
    lesson = read_lesson(course, name)
    left_out = [cell for cell in lesson.solution.cells if is_left_out(cell)]
    files = {cell.id for cell in left_out if cell.source.startswith("%%writefile")}
    demonstrations = {cell.id for cell in left_out} - files
    for answers in ({}, reference_answers(lesson)):
        clean = take_in(Submission(submission(lesson, answers)), lesson)
        run = {cell.id for cell in clean.notebook.cells if cell.id in demonstrations and not is_left_out(cell)}
        assert not run
        assert not [cell.id for cell in clean.notebook.cells if cell.id in files and is_left_out(cell)]


def test_what_a_lesson_imports_above_its_answers_is_there_whatever_a_learners_cell_does():
    texts = ["code: import numpy as np\nx = 1", "code: %matplotlib inline", "code+: import sys", "added: import json"]
    assert imported_above(cells(*texts, "solution: import csv", "code: import time")) == {("np", "", "numpy")}


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("import numpy as np", False),
        ("import jax.numpy as np", True),
        ("import numpy as np\nnp.random.seed(1)", True),
        ("print(np.pi)", False),
        ("fill(TWO, 2)", True),
        ("done = fill(TWO, 2)", True),
        ("if fill(TWO, 2):\n    pass", True),
        ("print(TWO)", False),
        ("x = np.ones(2)", False),
        ("set_up()", True),
        ("show()", False),
        ("print(answer(3))", False),
        ("data = show()\nplot(data)", False),
        ("net.fit(np.ones(2))", False),
    ],
)
def test_what_a_cell_may_give(text, gives):
    functions = ["added: def set_up():\n    TWO[0] = 2", "added: def show():\n    print(np.pi)"]
    functions += ["added: data = np.ones(3)\nnet = np.array(1)"]
    cell, *others = cells(f"added: {text}", *functions, "solution: def answer(x):\n    return TWO[0] * x")
    assert may_give(cell, {"np", "TWO"}, {("np", "", "numpy")}, InTurn(others)) is gives


def test_a_function_that_is_too_deep_to_be_read_stops_nobody():
    deep = "def f(): return x" + " + 1" * 5000
    run_what_is_used(cells("code+: x = 1", f"added: {deep}", "solution: f"))
    assert with_definitions(deep, {"f": "def f(): pass"}) == (deep, set())


def test_many_cells_that_call_a_function_of_many_names_are_read_at_once():
    names = [f"name_{number}" for number in range(20_000)]
    many = cells(f"added: {'; '.join(f'{name} = 1' for name in names)}")
    many += cells(f"added: def f(): return {', '.join(names)}", *[f"added: x{n} = f" for n in range(1500)])
    watch = Stopwatch()
    run_what_is_used(many)
    assert watch.seconds() < 15
