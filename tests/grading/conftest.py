"""A small lesson without TensorFlow, so that a kernel takes a second and not six."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.authoring.build import build_lesson
from autograder.classroom import grade
from autograder.files import write_if_changed
from autograder.grading.execute import Limits, Options
from autograder.grading.grade import Graded, grade_submission
from autograder.grading.intake import CleanNotebook, take_in
from autograder.grading.lesson import Lesson, read_lesson
from autograder.grading.sandbox import Kernels, choose_kernels, probe
from autograder.grading.submission import Submission
from autograder.paths import Course

NAME = "01_sums"

SOURCE = '''\
# %% [markdown]
# # Lesson 01 · Sums

# %%
START = 100

# %% grading="skip"
raise RuntimeError("a demonstration that the grader must not run")

# %% predict="first"
my_prediction = None

# %% [markdown] exercise="double"
# ### Exercise 1 · Double it

# %% solution="double"
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% try="double"
tried = "try it"
print(tried)

# %% check="double-two" points=2
got = double(2)
assert got == 4, f"""asked:    double(2)
got:      {got}
expected: 4
likely:   it squares
reread:   section 1"""

# %% hidden="double-minus" points=1
secret = -41
assert double(secret) == -82, f"""asked:    double({secret})
got:      {double(secret)}
expected: -82
likely:   it takes the absolute value
reread:   section 1"""

# %% [markdown] exercise="halve"
# ### Exercise 2 · Halve it

# %% solution="halve"
def halve(x):
    """Half of x."""
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION

# %% check="halve-four" points=1
assert halve(4) == 2, "asked:    halve(4)\\nlikely:   not half"
3.5

# %% hidden="halve-odd" points=3
assert halve(3) == 1.5, "asked:    halve(3)\\nlikely:   it uses whole numbers"

# %% [markdown] exercise="why"
# ### Exercise 3 · Why?

# %% [markdown] written="why" points=2
# ### BEGIN SOLUTION
# (the model answer follows)
# ### END SOLUTION

# %% [markdown] model="why"
# <details><summary>Model answer</summary>Because.</details>
'''


# What a learner's code finds in its own process's memory; the canary shows that the search itself works.
SEARCHES_MEMORY = """\
def found(pattern):
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            begin, end = (int(part, 16) for part in line.split()[0].split("-"))
            if "rw" in line and end - begin < 1 << 30 and "[v" not in line:
                memory.seek(begin)
                if re.search(pattern, memory.read(end - begin)):
                    return True
    return False
canary = "it knows its own " + "words by heart"
"""


def make_course(root: Path, config: Path, name: str = NAME, source: str = SOURCE) -> Course:
    """A course of one lesson, by default the one above, built; or one more lesson of a course that is there."""
    course = Course(root)
    for folder in (course.shared, course.source(name).parent / "answers", course.notebooks, course.config):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(config / "nbgrader_config.py", course.config)
    course.source(name).write_text(source)
    build(course, name)
    return course


def graded(
    raw: bytes | None,
    lesson: Lesson,
    kernels: Kernels | None = None,
    in_kernel: bool = False,
    seed: int = 0,
    **limits: Any,
) -> Graded:
    """The bytes of a submission through the whole of grading, in plain kernels unless others are given."""
    options = Options(Limits(**limits), kernels or Kernels(), in_kernel, seed)
    return grade_submission(Submission(raw), lesson, options)


def taken_in(raw: bytes | None, lesson: Lesson) -> CleanNotebook:
    """The bytes of a submission through intake."""
    return take_in(Submission(raw), lesson)


def build(course: Course, name: str = NAME) -> None:
    for path, text in build_lesson(course, name).items():
        write_if_changed(path, text)


@pytest.fixture(scope="session")
def kernels():
    """As `course grade` has them, but plain ones where this machine cannot isolate."""
    with choose_kernels(unsafe=not probe().works) as chosen:
        yield chosen


@pytest.fixture
def one_template(kernels, monkeypatch):
    """`course grade` takes these kernels here, however often it is called: a template of its own takes seconds."""

    def choose(unsafe: bool = False, **_: Any) -> Any:
        return choose_kernels(unsafe=True) if unsafe else contextlib.nullcontext(kernels)

    monkeypatch.setattr(grade, "choose_kernels", choose)


@pytest.fixture(scope="session")
def sums(tmp_path_factory, course: Course) -> Lesson:
    """The small lesson; only read."""
    return read_lesson(make_course(tmp_path_factory.mktemp("sums") / "course", course.config), NAME)


@pytest.fixture
def sums_course(tmp_path, course: Course, monkeypatch) -> Course:
    """A course of its own with the small lesson, which the `course` command takes for the real one."""
    made = make_course(tmp_path / "course", course.config)
    monkeypatch.setenv("COURSE_ROOT", str(made.root))
    monkeypatch.chdir(tmp_path)
    return made


@pytest.fixture
def right(sums: Lesson) -> bytes:
    """What a learner hands in who solved everything."""
    return submission(sums, reference_answers(sums) | {"why": "Because it is so."})


@pytest.fixture
def edited(right: bytes):
    """``edited(change)`` gives the bytes of the right submission after ``change(notebook)``."""

    def edit(change) -> bytes:
        content = nbformat.reads(right.decode(), as_version=4)
        change(content)
        return json.dumps(content, ensure_ascii=False).encode()

    return edit
