"""Hidden checks that draw inputs and compare with the reference, the whole way; what learners make of feedback."""

from __future__ import annotations

import json
import random
import re
import sys
from types import SimpleNamespace

import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.authoring.lint import lint_lesson
from autograder.grading.checks.drawn import IN_NOTEBOOK, brought_before, without_line
from autograder.grading.checks.told import Told, written
from autograder.grading.lesson import read_lesson
from autograder.python_code import defined_names, free_names
from tests.conftest import LESSONS
from tests.grading.conftest import NAME, SEARCHES_MEMORY, SOURCE, graded, make_course

pytestmark = pytest.mark.xdist_group("drawn")

FIXED = SOURCE[SOURCE.index("secret = -41") : SOURCE.index('# %% [markdown] exercise="halve"')]
DRAWN = '''\
for _ in range(3):
    x = draw.randrange(10**6)
    got, right = double(x), reference.double(x)
    assert got == right, f"""asked:    double({x})
got:      {got}
expected: {right}
likely:   it takes the absolute value
reread:   section 1"""

'''
CANARY = "the right way is a secret"
SOLVED = SOURCE.replace(FIXED, DRAWN).replace(
    "    return 2 * x\n    ### END", f'    way = "{CANARY}"\n    return 2 * x if way else way\n    ### END'
)
TABLE = "def double(x): return {0: 0, 2: 4, ENTRIES}.get(x)"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory, course):
    made = make_course(tmp_path_factory.mktemp("drawn") / "course", course.config, source=SOLVED)
    return read_lesson(made, NAME)


def grade(lesson, double, seed, **options):
    raw = submission(lesson, reference_answers(lesson) | {"double": double})
    report = graded(raw, lesson, seed=seed, **options).report
    return {check.name: check for check in report.checks}


@pytest.mark.parametrize("inside", [False, True])
def test_the_right_answer_passes_and_a_wrong_one_is_told_one_case(drawn, inside):
    checks = grade(drawn, "def double(x): return x + x", 5, in_kernel=inside)
    assert checks["double-minus"].passed
    shown = grade(drawn, "def double(x): return 3 * x if x > 2 else 4", 5, in_kernel=inside)["double-minus"]
    (x,) = re.fullmatch(r"double\((\d+)\)", shown.asked).groups()
    assert (shown.got, shown.expected) == (str(3 * int(x)), str(2 * int(x))) and not shown.passed


def test_a_table_made_of_feedback_fails_for_another_seed(drawn):
    table, seen = TABLE.replace("ENTRIES", ""), []
    for _ in range(4):  # as often as it is handed in, one more case is told
        told = grade(drawn, table, seed=1)["double-minus"]
        if told.passed:
            break
        seen.append(f"{re.sub('[^0-9]', '', told.asked)}: {told.expected}")
        table = TABLE.replace("ENTRIES", ", ".join(seen))
    assert len(seen) == 3 and grade(drawn, table, seed=1)["double-minus"].passed
    others = grade(drawn, table, seed=2)
    assert others["double-two"].passed and not others["double-minus"].passed


SPY = (
    """
import gc, re, sys
"""
    + SEARCHES_MEMORY
    + """def double(x):
    if not found(b"[i]t knows its own words by heart"):
        return "the search does not work"
    names = {name for frame in sys._current_frames().values() for name in [*frame.f_globals, *frame.f_locals]}
    if {"draw", "reference"} & names or any(type(o).__name__ == "Reference" for o in gc.get_objects()):
        return "there is a reference"
    return "read" if found(b"[t]he right way is a secret") else 2 * x"""
)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of its own process")
def test_the_reference_is_nowhere_in_the_learners_kernel(drawn):
    checks = grade(drawn, SPY, 1)
    assert checks["double-minus"].passed, checks["double-minus"].got


def test_neither_the_solution_nor_the_line_that_stands_for_it_is_in_what_learners_get(drawn):
    assert CANARY not in drawn.release_text and "reference" not in drawn.release_text
    assert CANARY in drawn.solution_text


def test_the_instructors_notebook_runs_from_top_to_bottom(drawn):
    names = {}
    for cell in drawn.solution.cells:
        if cell.cell_type == "code" and cell.metadata.course.get("grading") != "skip":
            exec(cell.source, names)
    hidden = next(cell for cell in drawn.solution.cells if cell.id == "double-minus")
    assert IN_NOTEBOOK in hidden.source and names["reference"].double(3) == 6


def test_the_same_seed_asks_the_same(drawn):
    wrong = "def double(x): return 4"
    first, again, other = (grade(drawn, wrong, seed)["double-minus"].asked for seed in (7, 7, 8))
    assert first == again != other


def test_a_visible_check_uses_neither(tmp_path, course):
    source = SOURCE.replace("got = double(2)", "got = double(draw.randrange(2, 3))")
    made = make_course(tmp_path / "course", course.config, source=source)
    findings = [line for line in lint_lesson(made, NAME) if "`draw` and `reference`" in line]
    assert len(findings) == 1 and "hidden checks alone" in findings[0]
    made.source(NAME).write_text(SOLVED)
    assert not [line for line in lint_lesson(made, NAME) if "draw" in line]


IN_PLAIN_PYTHON = (
    *("01 log", "02 visible", "02 host_cards", "02 launch", "02 diagnose", "03 plan", "09 all_reduce"),
    *("11 blame", "11 profiles", "12 plan"),
)


@pytest.mark.parametrize("place", IN_PLAIN_PYTHON)
def test_the_right_answer_passes_whatever_is_drawn(place, course):
    """A check that looks for a mistake's result must not meet a draw for which that is the right one."""
    lesson, exercise = place.split()
    solution = read_lesson(course, course.lesson(lesson)).solution
    names = {"json": json, "Told": Told, "written": written}
    exec(brought_before(solution, exercise)[-1], names)
    hidden = [cell for cell in solution.cells if cell.metadata.course.role == "hidden"]
    for cell in (cell for cell in hidden if cell.metadata.course.exercise == exercise):
        check = compile(without_line(cell.source), cell.id, "exec")
        for seed in range(1000):
            exec(check, names | {"draw": random.Random(seed), "reference": SimpleNamespace(**names)})


# of the program that a worker of lesson 07 is: the function runs there alone
ELSEWHERE = {"managed"}


@pytest.mark.parametrize("name", LESSONS)
def test_what_a_reference_uses_is_brought_to_the_checker(name, course):
    """Each name that a solution reads is defined by the texts before it."""
    solution = read_lesson(course, name).solution
    for cell in solution.cells:
        if cell.metadata.course.role != "solution":
            continue
        *before, own = brought_before(solution, cell.id)
        brought = {"plt"}
        for text in before:
            brought |= defined_names(text)
        assert own == cell.source and free_names(own) - brought <= ELSEWHERE, f"{name}, {cell.id}"
