"""The lint accepts a lesson in shape and names each fault with its place."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from autograder.authoring.lint import lint_lesson, points_by_kind
from autograder.authoring.source import read_cells
from autograder.python_code import free_names
from tests.conftest import LESSONS

LESSON = "01_doubling"
# a one-exercise lesson without a bank: everything else about it is in shape
ALLOWED = ("coded exercises", "answers; at least", "no wrong answer to")


def findings(mini):
    return [finding for finding in lint_lesson(mini, LESSON) if not any(word in finding for word in ALLOWED)]


def test_a_lesson_in_shape_has_no_findings(mini):
    assert findings(mini) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("# Lesson 01 · Doubling", "# Doubling", "begin with `# Lesson NN"),
        ("# - You can halve.\n", "", "three objectives"),
        (" minutes=5 exercises=3", "", "how long it takes"),
        (" minutes=5 exercises=3", " minutes=5", "how long it takes"),
        ('print("hello")', 'print("hello"); print(2)', "more than one statement"),
        ('print("hello")', 'print("hello"), print(2)', "packs several actions"),
        ('print("hello")', "[print(i) for i in range(2)]", "packs several actions"),
        ('print("hello")', 'exec("print(2)")', "a program in a string"),
        ('print("hello")', 'if 1: print("hello")', "more than one statement"),
        ('print("hello")', f'print("{"x" * 95}")', "100 are the most"),
        (" gives 4. {#1}", " gives 4.", "numbers its requirements"),
        (" {#2}", " {#3}", "numbers its requirements"),
        (' kind="model"', "", "kind= says how"),
        (' kind="model"', ' kind="today"', "calls nothing of today's"),
        (' title="Two"', "", "title= says what the check asks"),
        ("reread:   section 1", 'reread="section 7, Halves"', "no heading says section 7, Halves"),
        ("on a CPU", "anywhere", "what hardware"),
        ("# ## Exercises", "# Exercises", "must not be skipped"),
        ("# ## Exercises", "# # Exercises", "exactly one heading of the first level"),
        ("A circle that stands for a device", "circle", "alternative text"),
        ("assets/circle.svg", "https://example.org/c.svg", "not under assets/"),
        ('print("hello")', "\n".join(f"print({i})" for i in range(30)), "one idea"),
        ('print("hello")', f'print("{"x" * 120}")', "scroll sideways"),
        ('# %% try="double"\n', "# %%\n", "no try cell"),
        ('    """Twice x, also of negative numbers {#2}."""\n', "", "needs a docstring"),
        ("    ### BEGIN SOLUTION\n", "", "must stand between"),
        ("# ### Exercise 1 · Double it", "# ### Doubling", "begins with `### Exercise N"),
        ("assert got == 4, f", "text = f", "without an assert"),
        ("assert got == 4, f", "assert got == 4\ntext = f", "needs a message"),
        ("likely:   it adds two instead\n", "", "lacks likely:"),
        ("got = double(2)", "got = double(np.int64(2))", "uses np"),
        ("<details>", "<p>", "must be folded"),
        ('written="why" points=2', 'exercise="because"', "one written question"),
    ],
)
def test_each_fault_is_named_with_its_place(mini, edit, old, new, says):
    edit(old, new)
    assert any(says in finding and finding.startswith("solutions/") for finding in findings(mini)), findings(mini)


def test_too_few_answers_are_named(mini):
    assert any("0 wrong_*.py answers; at least 5" in finding for finding in lint_lesson(mini, LESSON))


WRONG = "# exercise: double\n# score: 2/3\n# breaks: {}\n# fails: {}\n# why: x\n\ndef double(x): return x + 2\n"


def test_each_requirement_is_broken_by_an_answer(mini):
    bank = mini.source(LESSON).parent / "answers"
    bank.mkdir()
    lacking = [finding for finding in lint_lesson(mini, LESSON) if "no wrong answer" in finding]
    assert [f"requirement {number} alone" in finding for number, finding in enumerate(lacking, 1)] == [True, True]
    (bank / "wrong_double_adds.py").write_text(WRONG.format(2, "double-minus: absolute"))
    assert [finding for finding in lint_lesson(mini, LESSON) if "no wrong answer" in finding] == lacking[:1]
    (bank / "wrong_double_other.py").write_text(WRONG.format(3, "double-minus: absolute"))
    found = "\n".join(lint_lesson(mini, LESSON))
    assert "breaks requirement 3, which the text does not have" in found


def test_free_names_know_python_scopes():
    code = "import math\ndef told(x):\n    y = z + x\n    return [math.pi * i for i in q]\nprint(told(1), w)\n"
    assert free_names(code) == {"z", "q", "w"}


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_real_lessons_are_in_shape(course, lesson):
    assert lint_lesson(course, lesson) == []


def test_most_of_what_is_graded_is_what_people_write_today(course):
    """Of the coded points of lessons 01 to 10; a kind is what the reference really calls, see `_kinds`."""
    points = [points_by_kind(read_cells(course, lesson)) for lesson in LESSONS if "01" <= lesson[:2] <= "10"]
    whole = sum(sum(one.values()) for one in points)
    assert sum(one["today"] for one in points) >= 0.4 * whole
    assert sum(one["model"] for one in points) <= 0.2 * whole


def test_the_course_map_is_fresh(course):
    done = subprocess.run(
        [sys.executable, "-c", "import draw_course_map; print(draw_course_map.draw(), end='')"],
        cwd=course.root / "assets",
        env={**os.environ, "PYTHONPATH": str(course.root)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == (course.root / "assets" / "course_map.svg").read_text(encoding="utf-8")
