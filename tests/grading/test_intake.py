"""Every kind of damage: intake mends it and says so, or flags it for a person. It never raises and runs nothing."""

from __future__ import annotations

import copy
import json

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom import demo
from autograder.errors import CourseError
from autograder.grading import matching
from autograder.grading.cells import is_left_out
from autograder.grading.intake import skeleton
from autograder.grading.lesson import read_lesson
from autograder.grading.reading import MAX_CELL_CHARACTERS, MAX_FILE_BYTES
from autograder.python_code import defined_names
from tests.grading.conftest import NAME, SOURCE, make_course, taken_in
from tests.pace import Stopwatch


def intake(raw, lesson):
    return taken_in(raw, lesson)


def source(result, cell_id):
    return next(cell.source for cell in result.notebook.cells if cell.id == cell_id)


def said(result):
    return " ".join(result.mends + result.flags + result.notes)


def is_whole(result, lesson):
    """The skeleton is ours: every cell, in order, with the instructor's tests and marks."""
    ours = [cell for cell in result.notebook.cells if cell.metadata.course.role != "added"]
    assert [cell.id for cell in ours] == [cell.id for cell in lesson.solution.cells]
    for mine, theirs in zip(ours, lesson.solution.cells, strict=True):
        metadata = copy.deepcopy(mine.metadata)
        given = {key: value for key, value in theirs.metadata.course.items() if key != "grading"}
        metadata.course.pop("grading", None)  # which depends on what the answers use
        assert metadata == {**theirs.metadata, "course": given}
        if theirs.metadata.course.role in ("check", "hidden", "code", "include", "exercise"):
            assert mine.source == theirs.source
    nbformat.validate(result.notebook)


def is_right(result, lesson):
    is_whole(result, lesson)
    for exercise, text in reference_answers(lesson).items():
        assert source(result, exercise).strip() == text.strip()
    assert source(result, "why") == "Because it is so."
    assert not result.flags


def test_a_lesson_that_a_notebook_names_is_told_in_one_line(sums):
    notebook = nbformat.v4.new_notebook(metadata={"course": {"lesson": "x.\n✓ ada · 01_sums · 7 of 7"}})
    assert "\n" not in said(intake(nbformat.writes(notebook).encode(), sums))


def cell_of(notebook, cell_id):
    return next(cell for cell in notebook.cells if cell.id == cell_id)


def test_a_whole_submission_needs_no_mending(sums, right):
    result = intake(right, sums)
    is_right(result, sums)
    assert result.mends == [] and result.notes == []


def test_the_skeleton_holds_hidden_tests_and_no_answer(sums):
    clean = skeleton(sums.solution, sums.release)
    text = nbformat.writes(clean)
    assert "secret = -41" in text
    assert "return 2 * x" not in text and "return x / 2" not in text


def test_notebooks_of_two_builds_are_refused(sums):
    other = copy.deepcopy(sums.release)
    other.cells = other.cells[:-1]
    with pytest.raises(CourseError, match="course build"):
        skeleton(sums.solution, other)


UNREADABLE = {
    "missing": (None, "No notebook was handed in"),
    "empty": (b"", "empty"),
    "blank": (b" \n\0\n", "empty"),
    "cut off": (b'{"cells": [{"cell_type": "co', "cut off"),
    "web page": (b"<!DOCTYPE html><html></html>", "web page"),
    "pdf": (b"%PDF-1.7 ...", "PDF"),
    "zip": (b"PK\x03\x04....", "zip"),
    "null": (b"null", "not an object"),
    "merge": (b'{"cells": [\n<<<<<<< HEAD\n{}\n=======\n>>>>>>> x\n]}', "git merge"),
    "noise": (bytes(range(256)) * 4, "not JSON"),
    "list": (b"[1, 2]", "not an object"),
    "number": (b"7", "not an object"),
    "no cells": (b'{"nbformat": 4}', "no list of cells"),
    "cells are text": (b'{"cells": "many"}', "no list of cells"),
    "too deep": (b'{"cells":' + b"[" * 200_000 + b"]" * 200_000 + b"}", "nested"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_cannot_be_read_is_flagged_for_a_person(sums, kind):
    raw, words = UNREADABLE[kind]
    result = intake(raw, sums)
    assert not result.readable and result.flags
    assert words in said(result)
    is_whole(result, sums)


def test_a_file_of_absurd_size_is_not_parsed(sums):
    result = intake(b" " * (MAX_FILE_BYTES + 1), sums)
    assert not result.readable and "million bytes" in said(result)


DAMAGES = {
    "duplicated": (demo.duplicate_cells, "In several cells"),
    "deleted tests": (demo.delete_tests, "put back"),
    "colab": (demo.save_like_colab, "Colab"),
    "lost metadata": (demo.lose_metadata, "marks were missing"),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_that_happens_is_mended_and_said(sums, edited, kind):
    damage, words = DAMAGES[kind]
    result = intake(edited(damage), sums)
    is_right(result, sums)
    assert words in said(result)


def test_only_the_marks_lost_ids_kept(sums, edited):
    def lose_marks(notebook):
        for cell in notebook.cells:
            cell.metadata.pop("nbgrader", None)

    result = intake(edited(lose_marks), sums)
    is_right(result, sums)
    assert "marks were missing" in said(result)


def test_of_two_answers_the_last_one_counts(sums, edited):
    def answer_twice(notebook):
        second = copy.deepcopy(cell_of(notebook, "double"))
        second.id, second.source = "other", "def double(x):\n    return x + x"
        notebook.cells.insert(notebook.cells.index(cell_of(notebook, "double")) + 1, second)

    result = intake(edited(answer_twice), sums)
    assert source(result, "double") == "def double(x):\n    return x + x"
    assert "the last one counts" in said(result)


@pytest.mark.parametrize("order", ["AB", "ABA"])
def test_the_last_version_counts_also_where_it_was_there_before(sums, edited, order):
    versions = {"A": "def double(x):\n    return x + x", "B": "def double(x):\n    return 3 * x"}

    def answer_often(notebook):
        place = notebook.cells.index(cell_of(notebook, "double"))
        for number, version in enumerate(order):
            another = copy.deepcopy(cell_of(notebook, "double"))
            another.id, another.source = f"version-{number}", versions[version]
            notebook.cells.insert(place + 1 + number, another)
        del notebook.cells[place]

    result = intake(edited(answer_often), sums)
    assert source(result, "double") == versions[order[-1]]


FIRST = (
    "import functools\nSCALE = 2\ndef double(x):\n    return SCALE * x\nfor i in range(3):\n    print(double(i) / i)"
)
SECOND = {
    "by a decorator": "double = functools.lru_cache(double)",
    "around it": "plain = double\ndef double(x):\n    return plain(x)",
    "with its constant": "%%time\ndef double(x):\n    return SCALE * x",
    "by itself": "def double(x):\n    return 2 * x\nfor i in range(3):\n    print(double(i))",
}


@pytest.mark.parametrize("second", SECOND.values(), ids=SECOND)
def test_an_earlier_version_runs_before_the_one_that_counts(sums, edited, second):
    """In a cell of its own: it may fail, as it did for the learner, and the other may use it."""
    result = intake(edited(written_twice(FIRST, second)), sums)
    cells = result.notebook.cells
    place = cells.index(cell_of(result.notebook, "double"))
    assert [cells[place - 1].source, cells[place].source] == [FIRST, second]
    assert cells[place - 1].metadata.course.role == "added" and "the last one counts" in said(result)


def written_twice(first, second):
    def edit(notebook):
        one = cell_of(notebook, "double")
        another = copy.deepcopy(one)
        one.source, another.id, another.source = first, "another", second
        notebook.cells.insert(notebook.cells.index(one) + 1, another)

    return edit


def test_functions_of_one_answer_may_be_in_cells_of_their_own(course):
    """A program that splits a cell gives both parts its marks; they run one after the other."""
    lesson = read_lesson(course, "08_mixed_precision_and_tpu")
    parts = ["def decode(bits):\n    return 1", "def spacing(number):\n    return 2"]
    notebook = nbformat.reads(submission(lesson, {"bits": parts[0]}), as_version=4)
    second = copy.deepcopy(cell_of(notebook, "bits"))
    second.id, second.source = "second", parts[1]
    notebook.cells.insert(notebook.cells.index(cell_of(notebook, "bits")) + 1, second)
    result = intake(nbformat.writes(notebook).encode(), lesson)
    place = result.notebook.cells.index(cell_of(result.notebook, "bits"))
    assert [cell.source for cell in result.notebook.cells[place - 1 : place + 1]] == parts
    assert "the last one counts" not in said(result)


@pytest.mark.parametrize("stub_first", [True, False])
def test_of_a_stub_and_an_answer_the_answer_counts(sums, edited, stub_first):
    def add_stub(notebook):
        stub = copy.deepcopy(cell_of(notebook, "double"))
        stub.id, stub.source = "other", sums.stubs["double"]
        notebook.cells.insert(notebook.cells.index(cell_of(notebook, "double")) + (not stub_first), stub)

    is_right(intake(edited(add_stub), sums), sums)


def test_the_parts_of_a_split_answer_run_in_their_order(sums, edited):
    def split(notebook):
        first = cell_of(notebook, "double")
        second = copy.deepcopy(first)
        first.source = "def helper(x):\n    return x"
        second.id, second.source = "second", "def double(x):\n    return helper(x) * 2"
        notebook.cells.insert(notebook.cells.index(first) + 1, second)

    cells = intake(edited(split), sums).notebook.cells
    place = [cell.id for cell in cells].index("double")
    assert "def helper" in cells[place - 1].source and "def double" in cells[place].source


def test_an_answer_in_a_new_cell_beside_the_stub_is_found(sums, edited):
    def write_below(notebook):
        stub = cell_of(notebook, "double")
        new = nbformat.v4.new_code_cell(stub.source, id="new")
        stub.source = sums.stubs["double"]
        notebook.cells.insert(notebook.cells.index(stub) + 1, new)

    result = intake(edited(write_below), sums)
    is_right(result, sums)
    assert "the name that it defines" in said(result)


def test_a_written_answer_in_a_new_cell_is_found(sums, edited):
    def write_below(notebook):
        stub = cell_of(notebook, "why")
        stub.source = "YOUR ANSWER HERE"
        new = nbformat.v4.new_markdown_cell("Because it is so.", id="new")
        notebook.cells.insert(notebook.cells.index(stub) + 1, new)

    result = intake(edited(write_below), sums)
    is_right(result, sums)
    assert "its place" in said(result)


def test_an_answer_cell_that_is_gone_is_flagged(sums, edited):
    def delete(notebook):
        notebook.cells = [cell for cell in notebook.cells if cell.id != "double"]

    result = intake(edited(delete), sums)
    assert source(result, "double") == sums.stubs["double"]
    assert result.flags and "`double` is missing" in said(result)


BY_START = "def double(x):\n    return START * x"


def without(sums, edited, gone, answer, **cells):
    """What is taken in where a cell was deleted, `double` answered so, and cells added above others."""

    def edit(notebook):
        notebook.cells = [cell for cell in notebook.cells if cell.id not in gone]
        cell_of(notebook, "double").source = answer
        for above, text in cells.items():
            place = 1 if above == "first" else notebook.cells.index(cell_of(notebook, above))
            notebook.cells.insert(place, nbformat.v4.new_code_cell(text))

    return intake(edited(edit), sums)


@pytest.mark.parametrize(
    ("answer", "cells"),
    [
        (BY_START, {"first": "START = 2"}),
        (BY_START, {"first": "START, other = 2, 3"}),
        ("def double(x):\n    return by() * x", {"first": "START = 2", "double": "def by():\n    return START"}),
        ("START = START + 1\ndef double(x):\n    return (START - 1) * x", {"first": "START = 2"}),
    ],
)
def test_a_deleted_cell_of_the_lesson_that_takes_a_learners_value_back_is_flagged(sums, edited, answer, cells):
    (flag,) = without(sums, edited, ["cell-001"], answer, **cells).flags
    assert flag.startswith(
        "The lesson's cell `cell-001` was deleted and put back. It gives `START`, which `double` uses"
    )


@pytest.mark.parametrize("place", ["double", "double-try"])
def test_it_is_also_where_the_answer_stands_in_another_cell(sums, edited, place):
    def edit(notebook):
        notebook.cells.remove(cell_of(notebook, "cell-001"))
        notebook.cells.insert(1, nbformat.v4.new_code_cell("START = 2"))
        cell_of(notebook, "double").source = sums.stubs["double"]
        cell_of(notebook, place).source = BY_START

    (flag,) = intake(edited(edit), sums).flags
    assert "gives `START`, which `double` uses" in flag


def test_a_deleted_demonstration_that_takes_a_learners_value_back_is_flagged(tmp_path, course):
    shown = 'raise RuntimeError("a demonstration that the grader must not run")'
    text = SOURCE.replace(shown, "START = 5")
    lesson = read_lesson(make_course(tmp_path / "course", course.config, source=text), NAME)
    answers = reference_answers(lesson) | {"double": BY_START}
    notebook = nbformat.reads(submission(lesson, answers).decode(), as_version=4)
    place = notebook.cells.index(cell_of(notebook, "cell-002"))
    for own, flagged in (("START = 2", True), ("other = 2", False)):
        notebook.cells[place] = nbformat.v4.new_code_cell(own)
        flags = intake(nbformat.writes(notebook).encode(), lesson).flags
        assert bool(flags) is flagged and all("`cell-002` was deleted" in flag for flag in flags)


@pytest.mark.parametrize(
    ("gone", "answer", "cells"),
    [
        (["cell-001", "cell-002"], "def double(x):\n    return 2 * x", {}),
        (["cell-001"], BY_START, {}),  # the lesson's value is put back, as it was
        (["cell-001"], "def double(x):\n    return 2 * x", {"first": "START = 2"}),
        (["cell-001"], BY_START, {"double": "START = 2"}),  # which counts
        (["cell-001"], f"START = 2\n{BY_START}", {}),
        (["cell-001"], f"%%time\nSTART = 2\n{BY_START}", {"first": "START = 3"}),
        (["cell-001"], f"START = 2\n{BY_START}", {"first": "START = 3\nprint(START)"}),
        (
            ["cell-001"],
            "def double(x):\n    return math.prod([2, x])",
            {"first": "import math\nSTART = 2\nprint(START)"},
        ),
        (["cell-001"], BY_START, {"first": "import math\nSTART = 100"}),  # in another cell
        ([], BY_START, {"first": "START = 2"}),  # and the learner saw the lesson's
    ],
)
def test_a_deleted_cell_of_the_lesson_that_decides_nothing_is_not_spoken_of(sums, edited, gone, answer, cells):
    assert source(intake(b"", sums), "cell-001") == "START = 100"
    assert not without(sums, edited, gone, answer, **cells).flags


def test_another_lessons_notebook_is_flagged(sums):
    other = nbformat.v4.new_notebook(metadata={"course": {"lesson": "07_other"}})
    other.cells = [nbformat.v4.new_code_cell("print(1)")]
    result = intake(nbformat.writes(other).encode(), sums)
    assert result.flags and "07_other" in said(result)


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_an_answer_turned_into_another_type_is_turned_back(sums, edited, kind):
    result = intake(edited(lambda notebook: cell_of(notebook, "double").update(cell_type=kind)), sums)
    is_right(result, sums)
    assert "another type" in said(result)


def test_a_written_answer_turned_into_code_is_turned_back(sums, edited):
    result = intake(edited(lambda notebook: cell_of(notebook, "why").update(cell_type="code", outputs=[])), sums)
    is_right(result, sums)


def test_changed_tests_points_and_tags_are_ours(sums, edited):
    def cheat(notebook):
        check = cell_of(notebook, "double-two")
        check.source = "pass"
        check.metadata.nbgrader.points = 1000
        check.metadata.tags = ["skip-execution"]
        cell_of(notebook, "halve").metadata.tags = ["raises-exception"]
        notebook.metadata.kernelspec = {"name": "evil", "display_name": "evil"}

    result = intake(edited(cheat), sums)
    is_right(result, sums)
    assert "`double-two`" in said(result)
    assert result.notebook.metadata == sums.solution.metadata


def test_moved_cells_come_back_into_order(sums, edited):
    is_right(intake(edited(lambda notebook: notebook.cells.reverse()), sums), sums)


def test_nothing_that_a_learner_wrote_is_kept(sums, monkeypatch):
    """The process that grades a class reads many notebooks: what it remembers of one must end with it."""
    asked, real = [], matching._announced
    monkeypatch.setattr(matching, "_announced", lambda code: asked.append(code) or real(code))
    notebook = nbformat.reads(sums.release_text, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("quadruple = 4"))
    for _ in range(2):
        taken_in(nbformat.writes(notebook).encode(), sums)
    assert asked.count("quadruple = 4") == 2 and not hasattr(real, "cache_info")


def test_added_code_cells_stay_where_they_were(sums, edited):
    def add(notebook):
        position = notebook.cells.index(cell_of(notebook, "double"))
        notebook.cells.insert(position, nbformat.v4.new_code_cell("helper = 1", id="mine"))
        notebook.cells.insert(0, nbformat.v4.new_code_cell("import math", id="first"))
        notebook.cells.append(nbformat.v4.new_code_cell("  \n", id="blank"))

    result = intake(edited(add), sums)
    is_right(result, sums)
    sources = [cell.source for cell in result.notebook.cells]
    assert sources[0] == "import math"
    assert sources.index("helper = 1") == sources.index(source(result, "double")) - 1
    assert "2 code cells" in said(result)


def left_out(result, cell_id):
    return is_left_out(cell_of(result.notebook, cell_id))


def test_a_cell_to_try_in_that_is_as_it_was_is_left_out_unless_an_answer_needs_it(sums, edited):
    def change(notebook):
        cell_of(notebook, "double-try").source = "tried = double(5)"

    plain = intake(edited(lambda notebook: None), sums)
    names = defined_names(source(plain, "double-try"))
    assert left_out(plain, "double-try") and names
    assert not left_out(intake(edited(change), sums), "double-try")
    name = min(names)
    for text, uses in {
        f"print({name})": True,
        f"%time {name}": True,
        f"!echo ${name}": True,
        f"-{name}" + "-" * 100_000: True,  # too long to be parsed
        "%time 1": False,
        f"def own({name}): return {name}": False,
        f"%%writefile program.py\nprint({name})": False,
    }.items():
        added = nbformat.v4.new_code_cell(text, id="mine")
        result = intake(edited(lambda notebook, cell=added: notebook.cells.append(cell)), sums)
        assert left_out(result, "double-try") != uses, text[:40]


def test_predictions_are_taken_over_and_the_lessons_own_code_is_not(sums, edited):
    def edit(notebook):
        cell_of(notebook, "first-predict").source = "my_prediction = 7"
        next(cell for cell in notebook.cells if "START = 100" in cell.source).source = "START = 1"

    result = intake(edited(edit), sums)
    is_whole(result, sums)
    assert source(result, "first-predict") == "my_prediction = 7"
    assert "the lesson's own text was run" in said(result)


def test_what_is_added_to_the_lessons_own_code_runs_where_an_answer_needs_it(sums, edited):
    lines = ["from __future__ import annotations", "import math, json", "START = 1", "TWO = 2", "TWICE: int = TWO"]
    text = "\n".join([*lines, "raise SystemExit", "def unused(x): return json"])

    def edit(notebook, answer):
        next(cell for cell in notebook.cells if "START = 100" in cell.source).source = text
        cell_of(notebook, "double").source = answer

    def added(answer):
        result = intake(edited(lambda notebook: edit(notebook, answer)), sums)
        is_whole(result, sums)
        assert not result.flags
        return [cell for cell in result.notebook.cells if cell.metadata.course.role == "added"]

    assert added("def double(x): return x + x") == []
    assert added("def double(x): return START + annotations") == []
    (cell,) = added("def double(x): return math.ceil(TWICE * x)")
    assert cell.source == "import math, json\nTWO = 2\nTWICE: int = TWO"


def test_of_what_is_added_only_names_that_the_lesson_has_there_are_left_out(sums, edited):
    def edit(notebook):
        cell = next(cell for cell in notebook.cells if "START = 100" in cell.source)
        cell.source = "from math import pi as START, tau as double, e as tried, sqrt\nstub = 3"
        cell_of(notebook, "halve").source = "def halve(x): return START, double, tried, sqrt(x)"

    (cell,) = [c for c in intake(edited(edit), sums).notebook.cells if c.metadata.course.role == "added"]
    assert cell.source == "from math import e as tried, sqrt"


@pytest.mark.parametrize(
    "text",
    [
        f"from {'a' * 50_000} import {','.join(['zq'] * 16_000)}",
        f"import {','.join(['a'] * 49_000)}",
        f"from {'ä' * 49_000} import {','.join(f'v{number}' for number in range(7500))}",
        "\n".join(f"v{number} = lambda: v{number + 1}" for number in range(4000)),
        "\n".join(f"def f{number}(): return f{number + 1}" for number in range(2800)),
        ",".join(f"v{number}" for number in range(8000)) + ",z[" + ",".join(f"w{n}" for n in range(7000)) + "]=tf.x",
        "def f0(a=[" + ",".join(f"(v{number}:=w{number})" for number in range(6000)) + "]): pass",
    ],
    ids=lambda text: text[:6],
)
def test_much_that_is_added_to_the_lessons_own_code_is_read_at_once(sums, edited, text):
    many = [f"v{number}" for number in range(7000)]

    def edit(notebook):
        next(cell for cell in notebook.cells if "START = 100" in cell.source).source = text
        cell_of(notebook, "double").source = f"def double(x): return zq, v0, f0, {', '.join(many)}"

    watch = Stopwatch()
    is_whole(intake(edited(edit), sums), sums)
    assert watch.seconds() < 8


def test_what_somebody_writes_into_the_lessons_own_notebook_is_nobodys_stub(sums, edited, sums_course):
    def edit(notebook):
        notebook.cells.insert(2, nbformat.v4.new_code_cell("def halve(x): return x / 2"))

    sums_course.release_notebook(sums.name).write_bytes(edited(edit))
    lesson = read_lesson(sums_course, sums.name)
    assert lesson.stubs == sums.stubs and [cell.id for cell in lesson.release.cells] == [*sums.stubs]
    for raw in (sums.release_text.encode(), edited(edit)):
        assert intake(raw, lesson).notebook == intake(raw, sums).notebook
    ran = sums.release_text.replace('"execution_count": null', '"execution_count": 3')
    sums_course.release_notebook(sums.name).write_text(ran)
    assert read_lesson(sums_course, sums.name).release_text == ran
    assert {read_lesson(sums_course, sums.name).version, lesson.version} == {sums.version}


def test_a_cell_that_somebody_adds_to_the_instructors_notebook_is_named(sums, sums_course):
    solution = sums_course.solution_notebook(sums.name)
    notebook = nbformat.read(solution, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("", id="more"))
    nbformat.write(notebook, solution)
    with pytest.raises(CourseError, match="has a cell 'more' that the learner's lacks"):
        intake(sums.release_text.encode(), read_lesson(sums_course, sums.name))


def test_text_in_the_place_of_the_lessons_own_code_is_not_read_as_code(sums, edited):
    def edit(notebook):
        cell = next(cell for cell in notebook.cells if "START = 100" in cell.source)
        text = nbformat.v4.new_markdown_cell("START = 3", metadata={"nbgrader": {"grade_id": cell.id}})
        notebook.cells[notebook.cells.index(cell)] = text

    result = intake(edited(edit), sums)
    is_whole(result, sums)
    assert not result.changed and "the lesson's own text was run" in said(result)


def test_an_answer_in_the_lessons_own_code_is_for_a_person(sums, edited):
    def edit(notebook):
        cell = next(cell for cell in notebook.cells if "START = 100" in cell.source)
        cell.source += "\ndef double(x): return 2 * x\n"
        cell_of(notebook, "double").source = next(c.source for c in sums.release.cells if c.id == "double")

    assert "An answer stands in a changed cell of the lesson" in " ".join(intake(edited(edit), sums).flags)


def test_format_3_is_read(sums, edited):
    def downgrade(notebook):
        cells = []
        for cell in notebook.cells:
            key = "input" if cell.cell_type == "code" else "source"
            cells.append({"cell_type": cell.cell_type, key: cell.source.splitlines(keepends=True), "metadata": {}})
        notebook.clear()
        notebook.update(nbformat=3, nbformat_minor=0, metadata={"name": ""}, worksheets=[{"cells": cells}])

    result = intake(edited(downgrade), sums)
    is_right(result, sums)
    assert "format 3" in said(result)


def test_wrong_types_in_the_json_are_survived(sums, edited):
    def spoil(notebook):
        notebook.metadata = "none"
        for cell in notebook.cells:
            if cell.id not in ("double", "halve", "why"):
                cell.metadata, cell.id, cell["outputs"] = [1], 5, "x"
        cell_of(notebook, "double").source = cell_of(notebook, "double").source.splitlines(keepends=True) + [None, 3]
        notebook.cells += [None, 3, "cell", [], {}, {"cell_type": {}, "source": {"a": 1}, "metadata": {"nbgrader": 4}}]

    result = intake(edited(spoil), sums)
    is_right(result, sums)
    assert "were not cells" in said(result) and "not stored as text" in said(result)


def test_a_huge_cell_is_left_out_and_flagged(sums, edited):
    result = intake(edited(lambda nb: cell_of(nb, "double").update(source="x" * (MAX_CELL_CHARACTERS + 1))), sums)
    is_whole(result, sums)
    assert result.flags and "was not read" in said(result)


def test_broken_text_is_replaced(sums, right):
    damaged = right.replace(b"Because it is so.", b"Because \xff it is so.")
    assert source(intake(damaged, sums), "why") == "Because \ufffd it is so."
    lone = right.replace(b"Because it is so.", b"Because \\ud800 it is so.")
    assert source(intake(lone, sums), "why") == "Because ? it is so."


def test_windows_line_ends_and_marks_are_read(sums, right):
    content = json.loads(right)
    for cell in content["cells"]:
        cell["source"] = [line.replace("\n", "\r\n") for line in cell["source"]]
    for encoding in ("utf-8-sig", "utf-16"):
        result = intake(json.dumps(content).encode(encoding), sums)
        is_right(result, sums)
        assert result.mends == []


def test_an_unsolved_submission_keeps_the_stubs(sums):
    result = intake(submission(sums, {}), sums)
    for exercise in ("double", "halve", "why"):
        assert source(result, exercise) == sums.stubs[exercise]
    assert not result.flags and not result.mends


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
CELL = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw"]) | JSON,
        "source": st.sampled_from(["def double(x): return 2", "# Check · double-two · 2 points"]) | JSON,
        "metadata": st.fixed_dictionaries({}, optional={"nbgrader": JSON, "id": st.sampled_from(["why"]) | JSON})
        | JSON,
        "id": st.sampled_from(["double", "halve-odd", "cell-001"]) | JSON,
    },
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=st.lists(CELL | JSON, max_size=8), metadata=JSON)
def test_no_json_whatever_breaks_intake(sums, cells, metadata):
    raw = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}).encode()
    is_whole(intake(raw, sums), sums)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=200))
def test_no_bytes_whatever_break_intake(sums, raw):
    result = intake(raw, sums)
    is_whole(result, sums)
    assert result.flags


def test_code_that_is_slow_to_read_keeps_nobody_waiting(sums, edited):
    """Of all that Python parses in the grader's own process there is little, however long a notebook is."""
    dense = ["[[0],[0]],\n" * 9_000, "x=-~-~-~1\n" * 9_000, ("a" + ".a" * 200 + "\n") * 240] * 20

    def change(notebook):
        notebook.cells += [nbformat.v4.new_code_cell(text) for text in dense]

    raw = edited(change)
    watch = Stopwatch()
    clean = taken_in(raw, sums)
    assert watch.seconds() < 30
    assert any("those from cell" in flag for flag in clean.flags)


def test_a_cell_that_many_others_read_is_read_once(sums, edited):
    """An exercise was moved to the end, and reads many names of one long cell above, which cannot be brought there."""
    names = [f"n{number}" for number in range(200)]

    def change(notebook):
        place = {cell.id: index for index, cell in enumerate(notebook.cells)}
        first, last = place["double"], place["double-minus"] + 1
        moved = notebook.cells[first:last]
        long = "=".join(names) + "=halve\n" + "n0\n" * 10_000
        notebook.cells.insert(place["halve"] + 1, nbformat.v4.new_code_cell(long))
        copies = [copy.deepcopy(moved[0]) for _ in range(10)]
        for number, cell in enumerate(copies):
            cell.source, cell.id = f"{','.join(names)},{number}", f"copy-{number}"
        del notebook.cells[first:last]
        notebook.cells += [moved[0], *copies, *moved[1:]]

    raw = edited(change)
    watch = Stopwatch()
    taken_in(raw, sums)
    assert watch.seconds() < 10
