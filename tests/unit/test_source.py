"""Headers become metadata; faults are named with file and line."""

from __future__ import annotations

import base64
import re

import pytest

from autograder.authoring.source import instructor_notebook, read_cells, requirements_of
from autograder.errors import CourseError
from autograder.paths import Course
from tests.conftest import ROOT

LESSON = "01_doubling"


def cells_by_id(mini):
    return {cell.id: cell for cell in instructor_notebook(mini, LESSON).cells}


def test_every_role_gets_its_nbgrader_metadata(mini):
    cells = cells_by_id(mini)
    kinds = {
        name: tuple(cell.metadata.nbgrader[key] for key in ("grade", "solution", "locked"))
        for name, cell in cells.items()
        if "nbgrader" in cell.metadata
    }
    assert kinds == {
        "shared-checks": (False, False, True),
        "double-text": (False, False, True),
        "double": (False, True, False),
        "double-two": (True, False, True),
        "double-minus": (True, False, True),
        "why-text": (False, False, True),
        "why": (True, True, False),
    }
    assert cells["double-two"].metadata.nbgrader.points == 2
    assert cells["double-minus"].metadata.course == {
        "role": "hidden",
        "exercise": "double",
        "title": "Below zero",
    }


def test_the_build_writes_points_where_they_are_read(mini):
    cells = cells_by_id(mini)
    assert cells["double-text"].source.startswith("### Exercise 1 · Double it · 3 points\n")
    assert cells["why-text"].source.startswith("### Exercise 2 · Why? · 2 points")
    assert cells["double-two"].source.startswith("#@title Check · Two · 2 points\n# check: double-two\n")
    assert cells["double-minus"].source.startswith(
        "#@title Hidden check · Below zero · 1 point\n# check: double-minus\n"
    )


def test_shared_cells_get_their_parameters(mini):
    text = cells_by_id(mini)["shared-checks"].source
    assert "DEVICES = 4" in text
    assert "# include" not in text
    namespace = {}
    exec(text, namespace)
    assert namespace["CHECKS"] == {
        "double-two": ["double", 2, "visible", "Two"],
        "double-minus": ["double", 1, "hidden", "Below zero"],
        "why": ["why", 2, "written", "In your own words"],
    }


def test_pictures_bring_their_letters(mini):
    """Else a reader's wider font would let text overflow its box."""
    picture = mini.root / "assets" / "circle.svg"
    picture.write_text('<svg xmlns="http://www.w3.org/2000/svg"><text font-weight="bold">CPU</text></svg>')
    text = cells_by_id(mini)["cell-000"].source
    svg = base64.b64decode(re.search(r"base64,([^)]+)\)", text)[1]).decode()
    assert svg.count("@font-face") == 2 and "<text" in svg and "CourseMono;" not in svg
    assert len(svg) < 12_000


def test_numbers_of_requirements_are_for_authors(mini):
    cells = cells_by_id(mini)
    assert requirements_of(read_cells(mini, LESSON)) == {"double": [1, 2], "why": []}
    assert "gives 4.\n" in f"{cells['double-text'].source}\n"
    assert "negative numbers." in cells["double"].source
    assert not any("{#" in cell.source for cell in cells.values())


def test_checks_are_folded_and_do_not_stop_run_all(mini):
    for name in ("double-two", "double-minus"):
        metadata = cells_by_id(mini)[name].metadata
        assert metadata.jupyter.source_hidden and metadata.cellView == "form"
        assert metadata.tags == ["raises-exception", "hide-input"]


def test_pictures_travel_inside_the_notebook(mini):
    text = cells_by_id(mini)["cell-000"].source
    assert '<img alt="' in text and '" src="data:image/svg+xml;base64,' in text
    assert "assets/" not in text


def test_ids_depend_on_nothing_but_the_source(mini):
    assert [c.id for c in instructor_notebook(mini, LESSON).cells] == [
        c.id for c in instructor_notebook(mini, LESSON).cells
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('check="double-two" points=2', 'chekc="double-two" points=2', "unknown header key"),
        ('check="double-two" points=2', 'check="double-two"', "carry points"),
        ('check="double-two" points=2', 'check="double-two" points=0.5', "carry points"),
        ('check="double-two"', 'check="other-two"', "must begin with its exercise's name"),
        ('hidden="double-minus"', 'hidden="double-two"', "used twice"),
        ('solution="double"', 'solution="double" check="double-x"', "one purpose"),
        ('# %% solution="double"', '# %% [markdown] solution="double"', "must be a code cell"),
        ('include="checks.py"', 'include="nothing.py"', "no shared cell"),
        ("devices=4", "device=4", "no line that ends in `# include: device`"),
        ("assets/circle.svg", "assets/square.svg", "not a picture that exists"),
        ('# %%\nprint("hello")', '# %% grading="later"\nprint("hello")', "not known"),
        ('# %%\nprint("hello")', '# %% runtime="TPU"\nprint("hello")', "belong into the header of a lesson's first"),
        ("minutes=5", 'runtime="XPU"', "one of GPU, TPU"),
    ],
)
def test_a_fault_is_named_with_its_place(mini, edit, old, new, says):
    edit(old, new)
    with pytest.raises(CourseError, match=says) as caught:
        instructor_notebook(mini, LESSON)
    assert "solutions/01_doubling/01_doubling.py:" in str(caught.value)


def test_the_place_is_the_line_of_the_header(mini):
    text = mini.source(LESSON).read_text().splitlines()
    for cell in read_cells(mini, LESSON):
        assert text[int(cell.where.split(":")[1]) - 1].startswith("# %%")


# ----------------------------------------------------------------------------------- shared cells that use others


@pytest.fixture
def picture(mini, edit):
    """The mini lesson includes picture.py, which uses a name of checks.py, included before."""
    (mini.shared / "picture.py").write_text(
        "#@title Picture\nimport re\nfrom solutions._shared.checks import (\n    CHECKS,\n)\n\nprint(CHECKS, re)\n"
    )
    edit('# %%\nprint("hello")', '# %%\nprint("hello")\n\n# %% include="picture.py"')
    return mini.shared / "picture.py"


def test_the_build_leaves_out_what_a_shared_cell_imports_from_others(mini, picture):
    assert cells_by_id(mini)["shared-picture"].source == "#@title Picture\nimport re\n\nprint(CHECKS, re)"


def test_a_cell_brings_what_its_modules_use(mini, picture, edit):
    edit('# %% include="checks.py" devices=4\n', "")
    text = cells_by_id(mini)["shared-picture"].source
    assert text.startswith("#@title Helpers") and text.index("# checks.py\n") < text.index("# picture.py\n")
    assert text.count("#@title") == 1 and "solutions._shared" not in text


def test_several_modules_share_a_cell_and_none_comes_twice(mini, picture, edit):
    edit('# %% include="picture.py"\n', "")
    edit('# %% include="checks.py" devices=4\n', '# %% include="picture.py checks.py" devices=4\n')
    text = cells_by_id(mini)["shared-helpers"].source
    assert "DEVICES = 4" in text and text.count("DEVICES") == 1


def test_a_module_that_is_there_already_is_named(mini, picture, edit):
    edit('# %% include="picture.py"\n', '# %% include="picture.py checks.py"\n')
    with pytest.raises(CourseError, match="checks is in the notebook already"):
        instructor_notebook(mini, LESSON)


def test_two_modules_that_define_one_name_are_named(mini, picture):
    picture.write_text(picture.read_text() + "DEVICES = 3\n")
    with pytest.raises(CourseError, match=r"checks\.py and picture\.py both define DEVICES"):
        instructor_notebook(mini, LESSON)


def test_an_include_may_be_shown(mini, picture, edit):
    edit('include="picture.py"', 'include="picture.py" shown=True')
    assert "jupyter" not in cells_by_id(mini)["shared-picture"].metadata


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import solutions._shared.checks\n", "are imported by lines of their own"),
        ("from solutions._shared.checks import CHECKS as c\n", "are imported by lines of their own"),
        ("def f():\n    from solutions._shared.checks import CHECKS\n", "are imported by lines of their own"),
        ("def f(:\n", r"_shared/picture\.py:1: invalid syntax"),
    ],
)
def test_what_the_build_could_not_leave_out_is_refused(mini, picture, text, says):
    picture.write_text(text)
    with pytest.raises(CourseError, match=says):
        instructor_notebook(mini, LESSON)


# ------------------------------------------------------------------------------------------------------------ Colab


def set_repository(mini, address: str) -> None:
    (mini.root / "pyproject.toml").write_text(f'[tool.course]\nrepository = "{address}"\nbranch = "main"\n')


@pytest.mark.parametrize("address", ["https://github.com/a-b/c.d", "https://github.com/a-b/c.d.git"])
def test_a_link_opens_the_learners_notebook_in_colab(mini, address):
    set_repository(mini, address)
    title, _, link = cells_by_id(mini)["cell-000"].source.splitlines()[:3]
    assert title == "# Lesson 01 · Doubling"
    path = "a-b/c.d/blob/main/notebooks/01_doubling/01_doubling.ipynb"
    assert link == f"[Open in Colab](https://colab.research.google.com/github/{path})"


def test_without_an_address_there_is_no_link(mini):
    before = cells_by_id(mini)["cell-000"].source
    set_repository(mini, "")
    assert cells_by_id(mini)["cell-000"].source == before and "colab" not in before.lower()


@pytest.mark.parametrize("address", ["https://example.org/a/b", "github.com/a/b", "https://github.com/a"])
def test_an_address_that_colab_cannot_open_is_refused(mini, address):
    set_repository(mini, address)
    with pytest.raises(CourseError, match="write https://github.com/OWNER/NAME"):
        instructor_notebook(mini, LESSON)


def test_a_lesson_may_ask_for_a_runtime(mini, edit):
    assert "accelerator" not in instructor_notebook(mini, LESSON).metadata
    edit("minutes=5", 'runtime="TPU" minutes=5')
    metadata = instructor_notebook(mini, LESSON).metadata
    assert (metadata.accelerator, metadata.colab.gpuType) == ("TPU", "V5E1")


def test_the_set_up_for_colab_comes_before_all_code_and_moves_no_id(mini, edit):
    before = [cell.id for cell in instructor_notebook(mini, LESSON).cells]
    text = "#@title Colab\nMODULES = []  # include: modules\nUSES_TPU = False  # include: uses_tpu\n"
    (mini.shared / "colab_setup.py").write_text(text)
    edit('print("hello")', "import numpy, os, keras_tuner\nfrom sklearn.datasets import load_digits")
    edit("    return sum([x, x, 0, 0])", "    import secret_helper\n    return sum([x, x, 0, 0])")
    cells = instructor_notebook(mini, LESSON).cells
    assert [cell.id for cell in cells] == [before[0], "shared-colab_setup", *before[1:]]
    assert cells[1].source.splitlines()[1:] == ["MODULES = ['keras_tuner', 'sklearn']", "USES_TPU = False"]
    metadata = cells[1].metadata
    assert metadata.course == {"role": "include", "grading": "skip"}
    assert metadata.cellView == "form" and metadata.jupyter.source_hidden and metadata.nbgrader.locked


def test_what_graders_run_side_by_side_parses_one_after_another():
    """See :func:`autograder.python_code.parse`: two threads at once fail once in thousands of times."""
    package = Course(ROOT).root / "autograder"
    files = [path for room in ("grading", "authoring", "classroom") for path in (package / room).rglob("*.py")]
    assert len(files) > 20
    inside = {
        package / "grading" / "checks" / "checker.py",
        package / "grading" / "checks" / "in_kernel.py",
    }  # processes of their own
    assert [file.name for file in files if "ast.parse(" in file.read_text() and file not in inside] == []
