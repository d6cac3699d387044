"""A tiny course of one lesson, for the tests of the build and of the lint."""

from __future__ import annotations

import base64
import shutil
from pathlib import Path

import pytest

from autograder.paths import Course

LESSON = '''\
# %% [markdown] minutes=5 exercises=3
# # Lesson 01 · Doubling
#
# - You can double.
# - You can halve.
# - You can tell which.
#
# **Hardware:** on a CPU.
#
# ![A circle that stands for a device](assets/circle.svg)

# %% include="checks.py" devices=4

# %%
print("hello")

# %% [markdown]
# ## Exercises

# %% [markdown] exercise="double"
# ### Exercise 1 · Double it
# `double(2)` gives 4. {#1}

# %% solution="double" kind="model"
def double(x):
    """Twice x, also of negative numbers {#2}."""
    ### BEGIN SOLUTION
    return sum([x, x, 0, 0])
    ### END SOLUTION

# %% try="double"
print("try double(2)")

# %% check="double-two" points=2 title="Two"
got = double(2)
assert got == 4, f"""asked:    double(2)
got:      {got}
expected: 4
likely:   it adds two instead
reread:   section 1"""

# %% hidden="double-minus" points=1 title="Below zero"
got = double(-3 - 38)
assert got == -82, f"""asked:    double(-41)
got:      {got}
expected: -82
likely:   it takes the absolute value
reread:   section 1"""

# %% [markdown] exercise="why"
# ### Exercise 2 · Why?

# %% [markdown] written="why" points=2
# ### BEGIN SOLUTION
# (the model answer follows)
# ### END SOLUTION

# %% [markdown] model="why"
# <details><summary>Model answer</summary>Because it is two times as much.</details>
'''


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one module here stay in one worker, where they share what it makes once: a kernel, a cluster."""
    for item in items:
        if item.path.parent == Path(__file__).parent and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch):
    """The figures that drawing cells show meanwhile; none of them may be one of pyplot's, which threads share."""
    import IPython.core.pylabtools
    import IPython.display
    import matplotlib.pyplot as plt

    drawn, print_figure = [], IPython.core.pylabtools.print_figure

    def keep(figure, **how):
        drawn.append(figure)
        return print_figure(figure, **how)

    def shown(data, raw):
        assert raw and base64.b64decode(data["image/png"]).startswith(b"\x89PNG") and data["text/plain"]

    monkeypatch.setattr(IPython.core.pylabtools, "print_figure", keep)
    monkeypatch.setattr(IPython.display, "display", shown)
    before = plt.get_fignums()
    yield drawn
    assert plt.get_fignums() == before


@pytest.fixture
def mini(tmp_path: Path, course: Course) -> Course:
    """A course in ``tmp_path`` with the lesson above; its text can be edited before a build."""
    small = Course(tmp_path / "course")
    for folder in (
        small.shared,
        small.source("01_doubling").parent,
        small.notebooks,
        small.config,
        small.root / "assets",
    ):
        folder.mkdir(parents=True)
    shutil.copy(course.config / "nbgrader_config.py", small.config)
    shutil.copy(course.shared / "progress.py", small.shared)
    (small.shared / "checks.py").write_text(
        "#@title Checks\nCHECKS = {}  # include: checks\nDEVICES = 1  # include: devices\n"
    )
    (small.root / "assets" / "circle.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    small.source("01_doubling").write_text(LESSON)
    return small


@pytest.fixture
def edit(mini: Course):
    """``edit(old, new)`` replaces text in the mini lesson's source; the old text must be there."""

    def replace(old: str, new: str) -> None:
        path = mini.source("01_doubling")
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return replace
