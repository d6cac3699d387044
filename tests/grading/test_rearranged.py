"""What a learner split, copied, moved or noted down runs as it ran for them: right answers keep their points."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.authoring.answers import reference_answers, submission
from autograder.grading.lesson import read_lesson
from autograder.grading.needed import below_what_they_use, run_what_is_used
from autograder.learning.work import with_answers
from tests.grading.conftest import NAME, SOURCE, graded, make_course, taken_in
from tests.pace import Stopwatch

STUB = 'def double(x):\n    """Twice x."""\n    raise NotImplementedError("double: write this exercise first.")'
HALVE_STUB = 'def halve(x):\n    """Half of x."""\n    raise NotImplementedError("halve: write this exercise first.")'
CASES: dict[str, Callable[[NotebookNode], None]] = {}


def case(edit: Callable[[NotebookNode], None]) -> Callable[[NotebookNode], None]:
    CASES[edit.__name__] = edit
    return edit


def at(notebook: NotebookNode, cell_id: str) -> int:
    return next(index for index, cell in enumerate(notebook.cells) if cell.id == cell_id)


def another(cell: NotebookNode, text: str, new=new_code_cell) -> NotebookNode:
    """A cell with the marks of this one, as a program makes that splits or copies it."""
    return new(text, metadata=copy.deepcopy(cell.metadata), id=uuid.uuid4().hex[:8])


def put(notebook: NotebookNode, place: int, *cells: NotebookNode) -> None:
    notebook.cells[place:place] = cells


def in_two_cells(notebook: NotebookNode, first: str, second: str, *between: NotebookNode) -> None:
    """The answer to `double` in two cells with its marks, and other cells between them."""
    place = at(notebook, "double")
    below = another(notebook.cells[place], second)
    notebook.cells[place].source = first
    put(notebook, place + 1, *between, below)


@case
def a_part_is_a_note_in_markdown(notebook):
    place = at(notebook, "double")
    put(notebook, place, another(notebook.cells[place], "My idea: add x to itself, that's all.", new_markdown_cell))


@case
def an_old_version_is_kept_as_raw_text(notebook):
    place = at(notebook, "double")
    old = another(notebook.cells[place], "def double(x):\n    return x * x", new_raw_cell)
    put(notebook, place + 1, old)


@case
def a_part_is_no_python(notebook):
    place = at(notebook, "double")
    put(notebook, place + 1, another(notebook.cells[place], "TODO ask about negative numbers"))


@case
def a_part_begins_with_a_magic(notebook):
    in_two_cells(notebook, "scale = 2", "%%time\ndef double(x):\n    return scale * x")


@case
def a_part_begins_with_a_future(notebook):
    text = "from __future__ import annotations\ndef double(x: int | Nothing):\n    return scale * x"
    in_two_cells(notebook, "scale = 2", text)


@case
def an_import_stands_between_two_parts(notebook):
    second = "def double(x: List[int]):\n    return helper(x)"
    in_two_cells(notebook, "def helper(x):\n    return 2 * x", second, new_code_cell("from typing import List"))


@case
def an_import_stands_between_two_versions(notebook):
    second = "@lru_cache\ndef double(x):\n    return 2 * x"
    in_two_cells(notebook, "def double(x):\n    return x * x", second, new_code_cell("from functools import lru_cache"))


@case
def an_exercise_moved_down_with_what_it_needs(notebook):
    first = at(notebook, "double") - 1
    moved = notebook.cells[first : at(notebook, "double-two") + 1]
    del notebook.cells[first : first + len(moved)]
    put(notebook, at(notebook, "halve-four") + 1, new_code_cell("def twice(x):\n    return 2 * x"), *moved)
    notebook.cells[at(notebook, "double")].source = "def double(x):\n    return twice(x)"


@case
def a_demonstration_is_copied_above_a_cell_of_ones_own(notebook):
    table = new_code_cell("table = {n: double(n) / 4 for n in range(10)}")
    put(notebook, at(notebook, "halve"), new_code_cell("START = 100"), table)
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return table[x]"


@case
def a_demonstration_is_copied_to_give_its_value_again(notebook):
    put(notebook, at(notebook, "double"), new_code_cell("START = 2"))
    put(notebook, at(notebook, "halve"), new_code_cell("START = 100"))
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x * 50 / START"


@case
def a_value_of_the_lesson_is_tried_out_and_put_back(notebook):
    notebook.cells[at(notebook, "double")].source = "def double(x):\n    return x * START / 50"
    place = at(notebook, "double") + 1
    put(notebook, place, new_code_cell("START = 7\nprint(double(3))"), new_code_cell("START = 100"))


@case
def an_attempt_in_the_try_cell_stands_above_the_answer_in_a_new_cell(notebook):
    right = notebook.cells[at(notebook, "double")].source
    notebook.cells[at(notebook, "double")].source = STUB
    notebook.cells[at(notebook, "double-try")].source = "def double(x):\n    return x ** 2\nprint(double(3))"
    put(notebook, at(notebook, "double-try") + 1, new_code_cell(right))


@case
def an_answer_below_the_try_cell_uses_what_it_brings(notebook):
    notebook.cells[at(notebook, "double")].source = UNTOUCHED
    notebook.cells[at(notebook, "double-try")].source = "import functools\nk = 2\nprint(k)"
    right = "@functools.lru_cache\ndef double(x, k=k):\n    return k * x"
    put(notebook, at(notebook, "double-try") + 1, new_code_cell(right))


@case
def a_helper_reads_what_a_prediction_below_it_gives(notebook):
    put(
        notebook,
        at(notebook, "first-predict"),
        new_code_cell("my_prediction = 3\ndef scaled(x): return x * my_prediction"),
    )
    notebook.cells[at(notebook, "first-predict")].source = "my_prediction = 2"
    notebook.cells[at(notebook, "double")].source = "def double(x):\n    return scaled(x)"


@case
def an_answer_behind_a_magic_stands_above_its_emptied_cell(notebook):
    place = at(notebook, "double")
    notebook.cells[place].source = ""
    put(notebook, place, new_code_cell("%time double = lambda x: 2 * x"))


@case
def the_stub_was_moved_below_the_checks_of_an_answer_that_is_a_value(notebook):
    stub = notebook.cells.pop(at(notebook, "double"))
    stub.source = UNTOUCHED
    put(notebook, at(notebook, "double-two"), new_code_cell("double, other = (lambda x: 2 * x), 1"))
    notebook.cells.append(stub)


@case
def an_attempt_in_the_try_cell_stands_above_the_answer_in_a_copy(notebook):
    own = notebook.cells[at(notebook, "double")]
    put(notebook, at(notebook, "double-try") + 1, another(own, own.source))
    own.source = "def double(x):\n    return x ** 2"
    notebook.cells[at(notebook, "double-try")].source = "def double(x):\n    return x + 3"


@case
def one_new_cell_has_two_answers_below_their_stubs(notebook):
    both = [notebook.cells[at(notebook, name)].source for name in ("double", "halve")]
    notebook.cells[at(notebook, "double")].source = UNTOUCHED
    notebook.cells[at(notebook, "halve")].source = UNTOUCHED.replace("double", "halve").replace("Twice", "Half of")
    put(notebook, at(notebook, "halve") + 1, new_code_cell("\n\n".join(both)))


@case
def a_prediction_changes_what_an_answer_uses(notebook):
    place = at(notebook, "first-predict")
    notebook.cells[place].source = "my_prediction = 4\nbox.scale = 2\nglobals()['by'] = 2\nmine.append(1)"
    put(notebook, place, new_code_cell("class Box: pass\nbox = Box()\nmine = []"))
    notebook.cells[at(notebook, "double")].source = "def double(x):\n    return box.scale * x * len(mine)"
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x / by"


@case
def a_cell_of_the_lesson_moved_down_past_a_cell_of_ones_own(notebook):
    title = notebook.cells.pop(0)
    put(notebook, 1, new_code_cell("half = START / 200"), title)
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x * half"


@case
def an_answer_is_a_value_where_its_cell_was_deleted(notebook):
    place = at(notebook, "double")
    del notebook.cells[place]
    partial = new_code_cell("double = partial(operator.mul, 2)")
    put(notebook, place, new_code_cell("from functools import partial\nimport operator"), partial)


@case
def a_prediction_calls_what_changes_something(notebook):
    place = at(notebook, "first-predict")
    notebook.cells[place].source = "my_prediction = fill(mine)"
    put(notebook, place, new_code_cell("mine = []\ndef fill(box):\n    box.append(1)\n    return len(box)"))
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x / 2 * len(mine)"


@case
def a_helper_is_written_in_a_copy_of_another_answers_cell(notebook):
    copied = notebook.cells[at(notebook, "double")]
    table = another(copied, "table = {n: n * factor for n in range(10)}")
    put(notebook, at(notebook, "halve"), new_code_cell("factor = 0.5"), table)
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return table[x]"


@case
def the_part_with_the_answer_became_markdown(notebook):
    place = at(notebook, "double")
    copied = notebook.cells[place]
    notebook.cells[place] = another(copied, copied.source, new_markdown_cell)
    put(notebook, place + 1, another(copied, "# tried below\nprint('hello')"))


@case
def a_cell_was_split_in_the_middle_of_a_function(notebook):
    in_two_cells(notebook, "def double(x):\n    x = +x", "    y = 2 * x\n    return y")


@case
def an_answer_below_its_stub_uses_a_cell_above_it(notebook):
    place = at(notebook, "double")
    answer = new_code_cell("@twice\ndef double(x):\n    return x")
    notebook.cells[place].source = STUB
    put(notebook, place + 1, new_code_cell("def twice(f):\n    return lambda x: 2 * f(x)"), answer)


@case
def an_answer_below_its_stub_is_a_value(notebook):
    place = at(notebook, "double")
    notebook.cells[place].source = STUB
    partial = new_code_cell("double = partial(operator.mul, 2)")
    put(notebook, place + 1, new_code_cell("from functools import partial\nimport operator"), partial)


@case
def a_value_of_an_answers_name_comes_after_its_checks(notebook):
    place = at(notebook, "double")
    notebook.cells[place].source = STUB
    put(notebook, place + 1, new_code_cell("def double(x):\n    return 2 * x"))
    notebook.cells.append(new_code_cell("double = double(21)\nprint(double)"))


@case
def an_experiment_comes_after_the_checks(notebook):
    place = at(notebook, "double")
    notebook.cells[place].source = STUB
    put(notebook, place + 1, new_code_cell("def double(x):\n    return 2 * x"))
    notebook.cells.append(new_code_cell("def double(x):\n    return x * x"))


@case
def an_answer_is_written_in_a_copy_of_another_ones_cell(notebook):
    place, copied = at(notebook, "halve"), notebook.cells[at(notebook, "double")]
    notebook.cells[place].source = 'def halve(x):\n    """Half of x."""\n    raise NotImplementedError()'
    put(notebook, place + 1, another(copied, "def halve(x):\n    return x / 2"))


@case
def a_helper_is_written_in_a_copy_of_a_check(notebook):
    copied = notebook.cells[at(notebook, "double-two")]
    put(notebook, at(notebook, "halve"), another(copied, "def helper(x):\n    return x / 2\nprint(helper(4))"))
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return helper(x)"


@case
def a_condition_may_bind_what_the_lesson_binds(notebook):
    put(notebook, at(notebook, "halve"), new_code_cell("if START < 0:\n    START = 2"))
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x * 50 / START"


UNTOUCHED = """\
def double(x):
    \"\"\"Twice x.\"\"\"
    # YOUR CODE HERE
    raise NotImplementedError("write this exercise first")"""
WRONG = "def double(x):\n    return x + x + 1"


@case
def an_answer_was_put_right_in_a_copy_below_its_check(notebook):
    place, below = at(notebook, "double"), at(notebook, "double-two") + 1
    right = another(notebook.cells[place], notebook.cells[place].source)
    notebook.cells[place].source = WRONG
    put(notebook, below, right, another(notebook.cells[below - 1], notebook.cells[below - 1].source))


@case
def an_answer_was_put_right_between_a_copy_of_the_check_and_the_check(notebook):
    place, check = at(notebook, "double"), notebook.cells[at(notebook, "double-two")]
    right = another(notebook.cells[place], notebook.cells[place].source)
    notebook.cells[place].source = WRONG
    put(notebook, at(notebook, "double-two"), another(check, check.source), right)


@case
def a_first_attempt_that_is_no_answer_stands_above_the_checks(notebook):
    place = at(notebook, "double")
    right = another(notebook.cells[place], notebook.cells[place].source)
    notebook.cells[place].source = "def double(x):\n    return 2 *"
    put(notebook, at(notebook, "double-minus") + 1, right)


@case
def an_answer_was_put_right_in_a_copy_below_its_check_after_an_attempt_in_a_new_cell(notebook):
    place, below = at(notebook, "double"), at(notebook, "double-two") + 1
    right = another(notebook.cells[place], notebook.cells[place].source)
    notebook.cells[place].source = UNTOUCHED
    put(notebook, below, right)
    put(notebook, below - 1, new_code_cell(WRONG))


@case
def an_experiment_comes_after_an_answer_with_a_magic(notebook):
    place = at(notebook, "double")
    notebook.cells[place].source = UNTOUCHED
    put(notebook, place + 1, new_code_cell("%%time\ndouble = lambda x: 2 * x"))
    notebook.cells.append(new_code_cell("def double(x):\n    return x * x"))


@case
def a_scratch_in_a_copy_comes_after_a_new_cell_with_the_answer(notebook):
    place = at(notebook, "double")
    own = notebook.cells[place]
    right, own.source = own.source, WRONG
    check = at(notebook, "double-two")
    put(notebook, check, new_code_cell(right), another(own, "print(double(3))"))
    put(notebook, check, new_code_cell("print(double(4))"))


@case
def an_experiment_comes_after_a_copy_of_the_check_below_all(notebook):
    below, check = at(notebook, "double-minus") + 1, notebook.cells[at(notebook, "double-two")]
    put(notebook, below, another(check, check.source), new_code_cell("def double(x):\n    return x * x + 1"))


@case
def a_helper_with_a_magic_is_used_by_another(notebook):
    place = at(notebook, "double")
    notebook.cells[place].source = "def double(x):\n    return a * x"
    helper = another(notebook.cells[place], "%%time\nb = 2")
    put(notebook, place, helper, new_code_cell("a = b"))


@case
def an_answer_above_its_stub_is_tried_below_it(notebook):
    place = at(notebook, "double")
    right = notebook.cells[place].source
    notebook.cells[place].source = UNTOUCHED
    put(notebook, place, new_code_cell(right), new_code_cell("assert double(3) == 6\nprint(double(3))"))


@case
def an_experiment_comes_after_an_answer_that_is_a_value(notebook):
    an_answer_below_its_stub_is_a_value(notebook)
    notebook.cells[at(notebook, "double")].source = UNTOUCHED
    notebook.cells.append(new_code_cell("def double(x):\n    return x * x"))


@case
def an_experiment_comes_after_an_answer_under_a_condition(notebook):
    notebook.cells[at(notebook, "double")].source = UNTOUCHED
    answer = new_code_cell(
        "try:\n    import missing_library\nexcept ImportError:\n    def double(x):\n        return 2 * x"
    )
    put(notebook, at(notebook, "double") + 1, answer)
    notebook.cells.append(new_code_cell("def double(x):\n    return x * x"))


@case
def a_title_was_moved_down_between_two_cells_of_ones_own(notebook):
    title = notebook.cells.pop(0)
    put(notebook, at(notebook, "halve"), new_code_cell("a = 1"), title, new_code_cell("b = a / 2"))
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x * b"


@case
def a_prediction_was_moved_down_between_two_cells_of_ones_own(notebook):
    moved = notebook.cells.pop(at(notebook, "first-predict"))
    put(notebook, at(notebook, "double") + 1, new_code_cell("a = 1"), moved, new_code_cell("b = a / 2"))
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x * b"


@case
def an_exercise_moved_to_the_end_leaves_its_helper(notebook):
    put(notebook, at(notebook, "double"), new_code_cell("def twice(x):\n    return 2 * x"))
    notebook.cells[at(notebook, "double")].source = "def double(x):\n    return twice(x)"
    first, last = at(notebook, "double"), at(notebook, "double-minus") + 1
    moved = notebook.cells[first:last]
    del notebook.cells[first:last]
    notebook.cells += moved


@case
def a_helper_is_written_in_a_copy_of_an_answer_that_is_a_value(notebook):
    place = at(notebook, "double")
    notebook.cells[place].source = "import functools, operator\ndouble = functools.partial(operator.mul, 2)"
    put(notebook, at(notebook, "halve"), new_code_cell("f = 0.5"), another(notebook.cells[place], "table = [f]"))
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x * table[0]"


@case
def a_loop_may_bind_what_a_prediction_binds(notebook):
    notebook.cells[at(notebook, "first-predict")].source = "my_prediction = 4\nhalf = 0.5"
    put(notebook, at(notebook, "halve"), new_code_cell("for half in []:\n    pass"))
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x * half"


@case
def a_copy_of_the_answers_cell_at_the_end_is_the_same(notebook):
    copied = notebook.cells[at(notebook, "double")]
    notebook.cells.append(another(copied, copied.source))


@case
def the_stub_is_kept_at_the_end(notebook):
    place = at(notebook, "double")
    text = '# YOUR CODE HERE\n    raise NotImplementedError("write this exercise first")'
    stub = another(notebook.cells[place], f'def double(x):\n    """Twice x."""\n    {text}')
    notebook.cells[place] = new_code_cell("def double(x):\n    return 2 * x")
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return double(x) / 4"
    notebook.cells.append(stub)


HALVE = "def halve(x):\n    return x / 2"
EXPERIMENT = "def halve(x):\n    return x ** 3\nprint(halve(2))"
BY_HALVE = "def double(x):\n    return x * x / halve(x) if x else 0"


def helper_and_draft(notebook: NotebookNode, helper: str, uses: str, *below: NotebookNode) -> None:
    """At the top, what the answer to `double` uses and the answer to `halve` in one cell."""
    put(notebook, 0, new_code_cell(f"{helper}\n\n{HALVE}"), *below)
    notebook.cells[at(notebook, "double")].source = f"def double(x):\n    return {uses}"


def block_of_halve(notebook: NotebookNode) -> list[NotebookNode]:
    """All of the exercise, out of the notebook."""
    place = at(notebook, "halve") - 1
    block = notebook.cells[place : at(notebook, "halve-odd") + 1]
    del notebook.cells[place : place + len(block)]
    return block


@case
def an_import_and_a_draft_of_the_next_answer_stand_at_the_top(notebook):
    helper_and_draft(notebook, "import math", "math.floor(2 * x)")
    notebook.cells[at(notebook, "halve")].source = HALVE_STUB


@case
def a_helper_and_a_draft_of_the_next_answer_whose_cell_is_empty(notebook):
    helper_and_draft(notebook, "def helper(x):\n    return 2 * x", "helper(x)")
    notebook.cells[at(notebook, "halve")].source = ""


@case
def a_value_and_a_draft_of_the_next_answer_whose_cell_is_gone(notebook):
    helper_and_draft(notebook, "K = 2", "K * x")
    notebook.cells.pop(at(notebook, "halve"))


@case
def a_value_of_the_lessons_name_and_a_draft_of_the_next_answer(notebook):
    helper_and_draft(notebook, "START = 2", "START * x")
    both = notebook.cells.pop(0)
    put(notebook, at(notebook, "double"), both)
    notebook.cells[at(notebook, "halve")].source = HALVE_STUB


@case
def a_value_of_the_lessons_name_and_a_draft_of_the_next_answer_right_below_the_answer(notebook):
    helper_and_draft(notebook, "START = 2", "START * x")
    both = notebook.cells.pop(0)
    put(notebook, at(notebook, "double") + 1, both)
    notebook.cells[at(notebook, "halve")].source = HALVE_STUB


@case
def a_draft_brings_a_value_that_another_added_cell_takes(notebook):
    helper_and_draft(notebook, "K = 2", "M * x", new_code_cell("M = K"))
    notebook.cells[at(notebook, "halve")].source = HALVE_STUB


@case
def both_answers_above_their_cells_and_the_first_cached_below(notebook):
    place = at(notebook, "double")
    both = new_code_cell(f"{notebook.cells[place].source}\n\n{HALVE}")
    notebook.cells[place].source = notebook.cells[at(notebook, "halve")].source = ""
    put(notebook, place + 1, new_code_cell("import functools\ndouble = functools.lru_cache(double)"))
    put(notebook, place, both)


@case
def an_answer_in_another_ones_cell_and_an_experiment_at_the_end(notebook):
    notebook.cells[at(notebook, "double")].source += f"\n\n{HALVE}"
    notebook.cells[at(notebook, "halve")].source = ""
    notebook.cells.append(new_code_cell(EXPERIMENT))


@case
def an_answer_in_another_ones_cell_to_try_and_an_experiment_at_the_end(notebook):
    notebook.cells[at(notebook, "double-try")].source = f"{HALVE}\nprint(halve(3))"
    notebook.cells[at(notebook, "halve")].source = ""
    notebook.cells.append(new_code_cell(EXPERIMENT))


@case
def an_answer_in_a_new_cell_that_the_one_above_uses_and_an_experiment_at_the_end(notebook):
    place = at(notebook, "double")
    notebook.cells[place].source = BY_HALVE
    notebook.cells[at(notebook, "halve")].source = ""
    put(notebook, place, new_code_cell(HALVE))
    notebook.cells.append(new_code_cell(EXPERIMENT))


@case
def both_answers_in_the_first_cell_and_the_second_stub_moved_to_the_end(notebook):
    notebook.cells[at(notebook, "double")].source += f"\n\n{HALVE}"
    stub = notebook.cells.pop(at(notebook, "halve"))
    stub.source = HALVE_STUB
    notebook.cells.append(stub)


@case
def an_answer_moved_above_an_earlier_one_that_uses_it(notebook):
    cell = notebook.cells.pop(at(notebook, "halve"))
    place = at(notebook, "double")
    notebook.cells[place].source = BY_HALVE
    put(notebook, place, cell)


@case
def an_answer_moved_between_an_earlier_one_that_uses_it_and_its_checks(notebook):
    cell = notebook.cells.pop(at(notebook, "halve"))
    place = at(notebook, "double")
    notebook.cells[place].source = BY_HALVE
    put(notebook, place + 1, cell)


@case
def an_answer_below_its_stub_moved_above_an_earlier_one_that_uses_it(notebook):
    cell = notebook.cells.pop(at(notebook, "halve"))
    place = at(notebook, "double")
    notebook.cells[place].source = BY_HALVE
    put(notebook, place, another(cell, HALVE_STUB), cell)


@case
def an_exercise_moved_above_an_earlier_one_that_uses_its_answer(notebook):
    block = block_of_halve(notebook)
    place = at(notebook, "double")
    notebook.cells[place].source = BY_HALVE
    put(notebook, place - 1, *block)


@case
def an_exercise_and_a_helper_that_its_answer_uses_moved_above_an_earlier_one(notebook):
    block = block_of_halve(notebook)
    block[1].source = "def halve(x):\n    return x / two"
    place = at(notebook, "double")
    notebook.cells[place].source = "def double(x):\n    return 4 * half(x)"
    put(notebook, place - 1, new_code_cell("two = 2"), *block, new_code_cell("half = halve"))


@case
def both_answers_in_the_later_ones_cell_moved_right_below_the_earlier_ones_stub(notebook):
    later = notebook.cells.pop(at(notebook, "halve"))
    place = at(notebook, "double")
    later.source = f"{notebook.cells[place].source}\n\n{later.source}"
    notebook.cells[place].source = STUB
    put(notebook, place + 1, later)


@pytest.mark.few(40)
@pytest.mark.parametrize("edit", CASES.values(), ids=CASES)
def test_what_runs_for_the_learner_is_graded_as_it_runs(sums, edited, edit):
    report = graded(edited(edit), sums).report
    points, of = report.automatic
    assert points == of > 0 and not report.flags, [check.message for check in report.checks]


def test_a_variable_of_an_exercises_name_is_no_answer_to_it(sums, edited):
    """An added cell keeps its place, whatever the name of what it binds."""

    def edit(notebook):
        notebook.cells[at(notebook, "double")].source = sums.stubs["double"]
        part = new_code_cell("def part(x):\n    return x / 2")
        put(
            notebook,
            at(notebook, "halve"),
            part,
            new_code_cell("double = part(8)\ndef half_of(x):\n    return part(x)"),
        )
        notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return half_of(x)"

    report = graded(edited(edit), sums).report
    assert {check.name: check.points for check in report.checks if check.exercise == "halve"} == {
        "halve-four": 1,
        "halve-odd": 3,
    }


@pytest.mark.parametrize(
    "answer",
    [
        "def double(x):\n    return 2 * x",
        'def double(x):\n    return 2 * x\n    raise NotImplementedError("write this exercise first")',
        "# raise NotImplementedError\ndef double(x):\n    return 2 * x",
        "%%time\ndef double(x):\n    return 2 * x",
        "try:\n    import zzz\nexcept ImportError:\n    def double(x):\n        return 2 * x",
        "double, other = (lambda x: 2 * x), 3",
        "!pip --version \\\n  --quiet\ndef double(x):\n    return 2 * x",
        '%%time\ndef double(x):\n    text = ("x is %s"\n            % x)\n    return 2 * x',
        'out = {}\nout["files"] = !ls\ndef double(x):\n    return 2 * x',
        "def double(x):\n    return 2 * x\ndouble?",
        "files = !ls\ndef double(x):\n    return 2 * x",
        'def double(x):\n    text = ("x is %s"\n            % x)\n    return 2 * x',
        'files = !ls\ndef double(x):\n    text = "x = %d" % x\n    return 2 * x',
        'def helper(x):\n    raise NotImplementedError("later")\ndef double(x):\n    return 2 * x',
        ">>> def double(x):\n...     return 2 * x\n... ",
        "In [3]: def double(x):\n   ...:     return 2 * x",
        "/print 3\ndef double(x):\n    return 2 * x",
        ",print a b\ndef double(x):\n    return 2 * x",
        "    def double(x):\n        return 2 * x",
    ],
)
def test_what_is_written_in_a_copy_below_all_checks_is_for_a_person_to_see(sums, edited, answer):
    """It may be an experiment, or an answer put right: the one above the checks counts, as from top to bottom."""

    def edit(notebook):
        copied = notebook.cells[at(notebook, "double")]
        copied.source = answer
        notebook.cells.append(another(copied, "def double(x):\n    return x * x\nprint(double(3))"))

    report = graded(edited(edit), sums).report
    assert report.automatic == (7, 7) and report.flags == [
        "Written once more below all its checks: `double`. The answer above them counts, as when the cells run in "
        "order. See whether the one below is no experiment."
    ]


@pytest.mark.parametrize("marked", [True, False])
def test_what_is_written_between_the_checks_that_show_and_a_hidden_one_is_for_a_person_to_see(sums, edited, marked):
    def edit(notebook):
        place = at(notebook, "double-two")
        text = "def double(x):\n    return x * x\nprint(double(3))"
        copied = another(notebook.cells[at(notebook, "double")], text)
        put(notebook, place + 1, copied if marked else new_code_cell(text))

    report = graded(edited(edit), sums).report
    assert report.flags == [
        "Written once more between its checks: `double`. The hidden ones, or all, ask what was written last. See "
        "whether that is no experiment."
    ]


@pytest.mark.parametrize(
    ("change", "answer", "name"),
    [
        ("START = 2", "return START * x", "START"),
        ("table = {}\nfor n in range(9):\n    table[n] = 2 * n", "return table[x]", "table"),
        ("from operator import *", "return add(x, x)", "add"),
        ("START = 2", "START = 3\n    return x", ""),
    ],
)
def test_an_answer_that_rests_on_a_change_in_the_lessons_own_code_is_for_a_person_to_see(
    sums, edited, change, answer, name
):
    def edit(notebook):
        cell = next(cell for cell in notebook.cells if "START = 100" in cell.source)
        cell.source = cell.source.replace("START = 100", change)
        notebook.cells[at(notebook, "double")].source = f"def double(x):\n    {answer}"

    told = f"The answer to `double` uses `{name}`, which a changed cell of the lesson gives; the lesson's own text was "
    assert graded(edited(edit), sums).report.flags == [f"{told}run. See whether points are deserved."] * bool(name)


@pytest.mark.parametrize("copied", ["a stub", "a stub, a value below it", "an empty cell below it", "a check"])
def test_an_experiment_in_a_copy_below_all_checks_is_none_whatever_stands_above(sums, edited, copied):
    """The answer is in a new cell below its stub, or a copy of the check stands above it."""

    def edit(notebook):
        place = at(notebook, "double")
        cell, check = notebook.cells[place], notebook.cells[at(notebook, "double-two")]
        if "empty" in copied:
            cell.source = "# see above"
            put(notebook, place, new_code_cell("def double(x):\n    return 2 * x"))
        elif "stub" in copied:
            cell.source = sums.stubs["double"]
            value = "from functools import partial\nimport operator\ndouble = partial(operator.mul, 2)"
            put(notebook, place + 1, new_code_cell(value if "value" in copied else "def double(x):\n    return 2 * x"))
        else:
            put(notebook, place, another(check, check.source))
        notebook.cells.append(another(cell, "def double(x):\n    return x * x\nprint(double(3))"))

    report = graded(edited(edit), sums).report
    assert report.automatic == (7, 7) and len(report.flags) == 1


@pytest.mark.parametrize("between", ["", "!echo hello", "%matplotlib inline", "factor = factor * 1"])
@pytest.mark.parametrize("marked", [True, False])
def test_a_helper_of_an_exercises_name_above_it_is_no_answer_to_it(sums, edited, marked, between):
    """The stub below it takes the name away again; what stands between the two uses it."""

    def edit(notebook):
        place = at(notebook, "double")
        notebook.cells[at(notebook, "halve")].source = sums.stubs["halve"]
        text = "def halve(pair):\n    return pair[0]"
        put(notebook, place, another(notebook.cells[place], text) if marked else new_code_cell(text))
        notebook.cells[place + 1].source = "def double(x):\n    return factor * x"
        put(notebook, place + 1, new_code_cell("factor = halve((2, 3))"), new_code_cell(between))

    assert graded(edited(edit), sums).report.automatic == (3, 7)


@pytest.mark.parametrize("copied", [True, False])
def test_an_answer_below_its_stub_uses_what_the_stub_imports(tmp_path, course, copied):
    source = SOURCE.replace('solution="halve"\n', 'solution="halve"\nimport math\n\n', 1)
    lesson = read_lesson(make_course(tmp_path / "course", course.config, source=source), NAME)
    notebook = nbformat.reads(submission(lesson, reference_answers(lesson)), as_version=4)
    place, text = at(notebook, "halve"), "def halve(x):\n    return math.fsum([x]) / 2"
    notebook.cells[place].source = lesson.stubs["halve"]
    assert "import math" in lesson.stubs["halve"]
    put(notebook, place + 1, another(notebook.cells[place], text) if copied else new_code_cell(text))
    report = graded(nbformat.writes(notebook).encode(), lesson).report
    assert report.automatic == (7, 7) and not report.flags


def test_many_conditions_that_bind_many_names_take_no_time():
    """For each name a reader looks at the cells above that may have bound it, but no two readers at the same ones."""
    names = [f"a{number}" for number in range(40)]
    texts = [f"if 0:{'='.join(names)}=1", ",".join(names)] * 500
    cells = [new_code_cell(text, id=f"c{at}", metadata={"course": {"role": "added"}}) for at, text in enumerate(texts)]
    watch = Stopwatch()
    run_what_is_used(cells)
    assert watch.seconds() < 4  # 6 s when they did, and 80 s with twice as many


def test_many_cells_of_an_exercises_name_above_its_stub_take_no_time(sums, edited):
    def edit(notebook):
        notebook.cells[at(notebook, "halve")].source = sums.stubs["halve"]
        many = [new_code_cell("def halve(x):\n    return 1") for _ in range(200)]
        put(notebook, at(notebook, "double"), *many, *(new_code_cell("a=b\n" * 100) for _ in range(200)))

    raw, watch = edited(edit), Stopwatch()
    taken_in(raw, sums)
    assert watch.seconds() < 20  # nearly a minute when each was read for each


def test_a_cell_that_needs_the_lessons_values_is_not_brought_above_them():
    def cell(name, source, role):
        return new_code_cell(source, id=name, metadata={"course": {"role": role}})

    cells = [
        cell("b", "def b(x): return x + shift", "solution"),
        cell("base", "BASE = 1", "code"),
        cell("added", "shift = BASE - BASE", "added"),
        cell("c", "def c(x): return x + shift", "solution"),
    ]
    positions = {"added": 1, "c": 2, "b": 3}
    assert [each.id for each in below_what_they_use(cells, positions)] == ["b", "base", "added", "c"]
    cells[2].source = "shift = 0"
    assert [each.id for each in below_what_they_use(cells, positions)] == ["added", "b", "base", "c"]
    cells[2].source = "BASE = 2\nshift = BASE"
    assert [each.id for each in below_what_they_use(cells, positions)] == ["added", "b", "base", "c"]


def first_exercise_last(notebook: NotebookNode, below: str) -> None:
    """All of the first exercise below the second one, and a cell below it."""
    place = at(notebook, "double") - 1
    block = notebook.cells[place : at(notebook, "double-minus") + 1]
    del notebook.cells[place : place + len(block)]
    notebook.cells += [*block, new_code_cell(below)]


@case
def an_experiment_below_an_exercise_that_was_moved_to_the_end(notebook):
    first_exercise_last(notebook, EXPERIMENT)


@case
def an_answer_given_anew_by_itself_below_an_exercise_that_was_moved_to_the_end(notebook):
    first_exercise_last(notebook, "h = halve\ndef halve(x):\n    return h(h(x))")


@case
def a_value_anew_below_an_exercise_that_was_moved_to_the_end(notebook):
    notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x / K"
    first_exercise_last(notebook, "K = 7\nprint(K)")
    put(notebook, 0, new_code_cell("K = 2"))


@case
def an_answer_below_a_cell_for_trying_that_has_another_value_of_its_helper(notebook):
    place = at(notebook, "double-try")
    notebook.cells[at(notebook, "double")].source = ""
    notebook.cells[place].source = "K = 7\nprint(K)"
    put(notebook, place + 1, new_code_cell("K = 2\n\ndef double(x):\n    return K * x"))


@pytest.mark.parametrize("is_moved", [True, False])
def test_an_exercise_moved_below_a_value_of_the_lesson_that_it_uses_is_shown_to_a_person(tmp_path, course, is_moved):
    """Where it stayed above, the answer fails for the learner, too: that is no reason to look."""
    source = SOURCE.replace('# %% [markdown] exercise="halve"', '# %%\nSECOND = 2\n\n# %% [markdown] exercise="halve"')
    lesson = read_lesson(make_course(tmp_path, course.config, source=source), NAME)
    notebook = nbformat.reads(submission(lesson, reference_answers(lesson)).decode(), as_version=4)
    notebook.cells[at(notebook, "double")].source = "def double(x):\n    return SECOND * x"
    if is_moved:
        first_exercise_last(notebook, "print(SECOND)")
    flags = taken_in(nbformat.writes(notebook).encode(), lesson).flags
    assert any("checks that need `SECOND` stand above" in flag for flag in flags) is is_moved


def test_an_answer_that_cannot_be_brought_above_what_uses_it_is_shown_to_a_person(tmp_path, course):
    source = SOURCE.replace('# %% [markdown] exercise="halve"', '# %%\nSECOND = 2\n\n# %% [markdown] exercise="halve"')
    lesson = read_lesson(make_course(tmp_path, course.config, source=source), NAME)
    notebook = nbformat.reads(submission(lesson, reference_answers(lesson)).decode(), as_version=4)
    value = next(cell for cell in notebook.cells if cell.source == "SECOND = 2")
    notebook.cells.remove(value)
    block = block_of_halve(notebook)
    block[1].source = "def halve(x):\n    return x / SECOND"
    notebook.cells[at(notebook, "double")].source = BY_HALVE
    put(notebook, at(notebook, "double") - 1, value, *block)
    (flag,) = taken_in(nbformat.writes(notebook).encode(), lesson).flags
    assert "checks that need `halve` stand above the cell that defines it" in flag


def test_an_answer_and_its_own_cell_that_is_empty_or_a_stub_are_not_several(sums, edited):
    def edit(notebook):
        place = at(notebook, "double")
        put(notebook, place + 1, another(notebook.cells[place], notebook.cells[place].source))
        notebook.cells[place].source = sums.stubs["double"]
        put(notebook, at(notebook, "halve") + 1, new_code_cell(HALVE))
        notebook.cells[at(notebook, "halve")].source = ""

    assert not any("In several cells" in mend for mend in taken_in(edited(edit), sums).mends)


def test_a_copy_of_the_lessons_code_that_nobody_needs_is_left_out(sums, edited):
    clean = taken_in(edited(lambda notebook: put(notebook, at(notebook, "halve"), new_code_cell("START = 100"))), sums)
    assert [cell.id for cell in clean.notebook.cells] == [cell.id for cell in sums.solution.cells]
    assert not clean.mends and not clean.notes


@pytest.mark.parametrize("first", ["{answer}\nx_first = 1", "{answer}\nprint(asked_and_placed("])
def test_what_a_stub_gives_may_stand_in_each_part(course, first):
    """The lesson's own text in an earlier version of an answer replaces nothing."""
    lesson = read_lesson(course, "01_device_placement")
    notebook = nbformat.reads(submission(lesson, reference_answers(lesson)), as_version=4)
    place = at(notebook, "pins")
    answer = notebook.cells[place].source
    put(notebook, place, another(notebook.cells[place], first.format(answer=answer)))
    clean = taken_in(nbformat.writes(notebook).encode(), lesson)
    assert not clean.flags  # what does not compile replaces nothing


def test_a_cell_that_was_stopped_for_its_time_is_stopped_again_where_a_kernel_was_lost(sums, edited):
    def edit(notebook):
        notebook.cells[at(notebook, "double")].source = "import os\ndef double(x):\n    os._exit(1)"
        put(notebook, at(notebook, "double"), new_code_cell("while True: pass"))

    report = graded(edited(edit), sums, cell_seconds=3, notebook_seconds=40).report
    assert [check.points for check in report.checks if check.exercise == "halve"] == [1, 3]


def test_what_stands_right_below_a_written_answer_belongs_to_it(sums, edited):
    def edit(notebook):
        notebook.cells[at(notebook, "why")].source = "See below."
        put(notebook, at(notebook, "why") + 1, new_markdown_cell("Because addition commutes."))

    clean = taken_in(edited(edit), sums)
    assert clean.notebook.cells[at(clean.notebook, "why")].source == "See below.\n\nBecause addition commutes."


WORDS = "Because addition commutes."
QUESTION = "### Exercise 3 · Why? · 2 points"


def below_the_model(sums, edited, answer, *cells):
    """What is taken in of an answer to `why`, in its own cell, and of cells below the model answer."""

    def edit(notebook):
        place = at(notebook, "why")
        notebook.cells[place].source = answer
        put(notebook, place + 2, *cells)

    assert sums.release.cells[at(sums.release, "why") + 1].metadata.course.role == "model"
    clean = taken_in(edited(edit), sums)
    return clean.notebook.cells[at(clean.notebook, "why")].source, clean


@pytest.mark.parametrize("answer", ["", "YOUR ANSWER HERE"])
@pytest.mark.parametrize("words", [[WORDS], [WORDS, "And so on."], ["## My answer", WORDS]])
def test_words_below_a_model_answer_are_the_answer_where_nothing_stands_above_it(sums, edited, words, answer):
    """Whoever runs the answer's cell is in the model's then, and puts a new cell below that."""
    source, clean = below_the_model(sums, edited, answer, *map(new_markdown_cell, words))
    assert source == "\n\n".join(text for text in words if not text.startswith("#")) and not clean.flags
    assert "Recognised by its place: the answer to `why`." in clean.mends


@pytest.mark.parametrize(("answer", "text"), [("It commutes.", "A note of mine."), ("", "## My experiments")])
def test_a_note_below_a_model_answer_is_none_beside_an_answer_and_a_title_is_never_one(sums, edited, answer, text):
    source, clean = below_the_model(
        sums, edited, answer, new_markdown_cell(text), new_code_cell("# it is twice as much")
    )
    assert source == (answer or "YOUR ANSWER HERE") and not clean.flags
    assert not any("`why`" in mend for mend in clean.mends)
    said = [note for note in clean.notes if "below the model answer to `why` is not read with your answer" in note]
    assert len(said) == bool(answer)


@pytest.mark.parametrize(
    ("answer", "text", "said"),
    [
        ("", WORDS, True),
        ("", "因为梯度是各个副本的平均值，所以结果相同。", True),
        ("", f"<font color=red>{WORDS}</font>", True),
        ("It is so.", WORDS, False),
        ("", "## My own way here", False),
        ("", "---", False),
    ],
)
def test_who_answers_a_question_elsewhere_is_told_that_it_is_not_read(sums, edited, answer, text, said):
    def edit(notebook):
        notebook.cells[at(notebook, "why")].source = answer
        put(notebook, at(notebook, "double"), new_markdown_cell(text))

    mends = taken_in(edited(edit), sums).mends
    assert any("Nothing is written in `why`, and text that was added elsewhere" in mend for mend in mends) is said


def test_a_note_below_a_model_answer_hides_no_words_in_code_above_it(sums, edited):
    def edit(notebook):
        place = at(notebook, "why")
        notebook.cells[place].source = ""
        put(notebook, place + 2, new_markdown_cell("A note: good to know."))
        put(notebook, place + 1, new_code_cell("# Because it is twice the number.\nprint(double(3))"))

    assert any("Nothing is written in `why`" in flag for flag in taken_in(edited(edit), sums).flags)


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ("", "Because sums commute.", True),
        ("", "print(double(3))", False),
        ("It is so.", "Because sums commute.", False),
    ],
)
def test_words_in_a_code_cell_right_below_a_model_answer_are_shown_to_a_person(sums, edited, answer, code, said):
    source, clean = below_the_model(sums, edited, answer, new_code_cell(code))
    assert source == (answer or "YOUR ANSWER HERE")
    assert bool(clean.flags) is said and all("Nothing is written in `why`" in flag for flag in clean.flags)


@pytest.mark.parametrize("answer", ["", "See above."])
@pytest.mark.parametrize(
    ("question", "above", "words"),
    [
        (QUESTION, WORDS, WORDS),
        (f"{QUESTION}\n\n{WORDS}", "", WORDS),
        (f"{WORDS}\n{QUESTION}", "", WORDS),
        (f"{QUESTION} {WORDS}", "", WORDS),
        (WORDS, "", WORDS),
        (QUESTION, "", ""),
        ("", "", ""),
    ],
)
def test_words_above_a_written_answer_belong_to_it(sums, edited, question, above, words, answer):
    def edit(notebook):
        place = at(notebook, "why")
        notebook.cells[place].source = answer
        notebook.cells[place - 1].source = question
        if above:
            put(notebook, place, new_markdown_cell(above))

    assert sums.release.cells[at(sums.release, "why") - 1].source.strip() == QUESTION
    clean = taken_in(edited(edit), sums)
    expected = "\n\n".join(filter(None, (words, answer))) or sums.stubs["why"]
    assert clean.notebook.cells[at(clean.notebook, "why")].source == expected
    assert clean.notebook.cells[at(clean.notebook, "why") - 1].source.strip() == QUESTION


def test_another_version_of_a_question_is_no_answer_to_it(course):
    lesson = read_lesson(course, "09_data_and_model_parallelism")
    notebook = nbformat.reads(submission(lesson, {}), as_version=4)
    question = notebook.cells[at(notebook, "choose") - 1]
    question.source = "\n".join([*question.source.splitlines()[:-1], "A last line that was put better later."])
    clean = taken_in(nbformat.writes(notebook).encode(), lesson)
    assert clean.notebook.cells[at(clean.notebook, "choose")].source == lesson.stubs["choose"]
    assert any(
        "The question of `choose`, or its model answer, differs from the lesson's" in mend for mend in clean.mends
    )
    words = f"Earlier: {question.source}".split()
    question.source = "\n".join(" ".join(words[start : start + 9]) for start in range(0, len(words), 9))
    clean = taken_in(nbformat.writes(notebook).encode(), lesson)
    assert clean.notebook.cells[at(clean.notebook, "choose")].source == lesson.stubs["choose"]


def test_a_copy_of_the_lessons_own_code_replaces_nothing(course):
    lesson = read_lesson(course, "03_gpu_memory")
    notebook = nbformat.reads(submission(lesson, reference_answers(lesson)), as_version=4)
    plain = [cell for cell in notebook.cells if cell.cell_type == "code" and "nbgrader" not in cell.metadata]
    copied = next(cell for cell in plain if "def plain_gradients" in cell.source)
    put(notebook, at(notebook, "largest"), new_code_cell(copied.source))
    assert not taken_in(nbformat.writes(notebook).encode(), lesson).flags


@pytest.mark.parametrize("kind", ["emptied", "raw", "markdown", "moved to the end"])
def test_an_answer_in_a_new_cell_counts_whatever_became_of_its_own_cell(sums, edited, kind):
    def edit(notebook):
        place = at(notebook, "halve")
        cell = notebook.cells.pop(place)
        notebook.cells.insert(place, nbformat.v4.new_code_cell("def halve(x):\n    return x / 2\nhalves = halve"))
        cell.source = "" if kind == "emptied" else "def halve(x):\n    return x // 2"
        if kind in ("raw", "markdown"):
            cell.cell_type = kind
            cell.pop("outputs", None), cell.pop("execution_count", None)
        notebook.cells.insert(len(notebook.cells) if kind == "moved to the end" else place + 1, cell)

    clean = taken_in(edited(edit), sums)
    first = at(clean.notebook, "halve-four")
    binding = [cell.source for cell in clean.notebook.cells[:first] if "def halve" in cell.source]
    assert "x / 2" in binding[-1] and not any("//" in text for text in binding)
    assert len(clean.flags) == (kind == "moved to the end")
    assert any("is no code any more" in mend for mend in clean.mends) == (kind in ("raw", "markdown"))


def test_two_answers_in_one_cell_are_two_answers_where_the_other_cell_is_gone(sums, edited):
    def edit(notebook):
        notebook.cells.pop(at(notebook, "halve"))
        notebook.cells[at(notebook, "double")].source += "\n\ndef halve(x):\n    return x / 2"

    clean = taken_in(edited(edit), sums)
    assert clean.notebook.cells[at(clean.notebook, "halve")].source == ""
    (flag,) = clean.flags
    assert "What binds its names in another cell counts." in flag


def test_a_picture_in_a_written_answer_is_spoken_of(sums, edited):
    def edit(notebook):
        why = notebook.cells[at(notebook, "why")]
        why.source, why.attachments = "See ![it](attachment:it.png).", {"it.png": {"image/png": "iVBORw0K"}}

    assert any(
        "A picture, or another file, in the answer to `why`" in mend for mend in taken_in(edited(edit), sums).mends
    )


def last_of(lesson, raw, exercise):
    """The text that binds an exercise's name last before its first check, as grading runs it."""
    clean = taken_in(raw, lesson)
    first = next(i for i, cell in enumerate(clean.notebook.cells) if f"# check: {exercise}-" in cell.source)
    return [c.source for c in clean.notebook.cells[:first] if f"def {exercise}" in c.source][-1], clean


@pytest.mark.parametrize("between", ["added", "try"])
def test_of_two_equal_copies_of_an_answer_the_one_below_another_attempt_counts(sums, edited, between):
    attempt = "def double(x):\n    return x ** 2\nprint(double(3))"

    def edit(notebook):
        place = at(notebook, "double")
        again = another(notebook.cells[place], notebook.cells[place].source)
        if between == "try":
            notebook.cells[place + 1].source = attempt
            put(notebook, place + 2, again)
        else:
            put(notebook, place + 1, new_code_cell(attempt), again)

    text, clean = last_of(sums, edited(edit), "double")
    assert "**" not in text and not clean.flags


@pytest.mark.parametrize("own", [STUB, ""])
@pytest.mark.parametrize("marked", [False, True])
def test_an_experiment_below_all_checks_is_none_where_the_answer_is_in_the_cell_to_try_it_in(sums, edited, own, marked):
    experiment = "def double(x):\n    return x * x\nprint(double(4))"

    def edit(notebook):
        place = at(notebook, "double")
        notebook.cells[place].source = own
        notebook.cells[place + 1].source = "def double(x):\n    return 2 * x\nprint(double(4))"
        below = another(notebook.cells[place], experiment) if marked else new_code_cell(experiment)
        notebook.cells.append(below)

    text, clean = last_of(sums, edited(edit), "double")
    assert "2 * x" in text and len(clean.flags) == marked


@pytest.mark.parametrize(
    "helper", ["def half(x):\n    return x / 2", "%%writefile half.py\nx = 1", "start = 3", "print(3)"]
)
@pytest.mark.parametrize("written", ["YOUR ANSWER HERE", "", "It commutes."])
def test_code_below_a_question_is_no_written_answer(sums, edited, written, helper):

    def edit(notebook):
        place = at(notebook, "why")
        notebook.cells[place].source = written
        put(notebook, place + 1, new_code_cell(helper))

    clean = taken_in(edited(edit), sums)
    assert clean.notebook.cells[at(clean.notebook, "why")].source.strip() == (written or "YOUR ANSWER HERE")


@pytest.mark.parametrize(
    "words",
    ["Because both are the same.", "commutes", "it is 2 + 2, twice", "print('Because so.')", "answer = 'Because so.'"]
    + [
        "answer = 'Because so.'\nprint(answer)",
        "print('Because ' + 'so.')",
        "print(f'Because {3}')",
        "%%markdown\nSo.",
        "print('It took', 2.5, 'seconds, as sums commute.')",
        "print('It took %d s.' % 3)",
        "from IPython.display import Markdown, display\ndisplay(Markdown('Because so.'))",
        "answer = ['Because so.', 'And so on.']",
        "x = double(3)\nprint('Because it is 6.')",
    ],
)
def test_words_in_a_code_cell_below_a_question_are_its_answer(sums, edited, words):
    def edit(notebook):
        put(notebook, at(notebook, "why") + 1, new_code_cell(words))
        notebook.cells[at(notebook, "why")].source = ""

    assert taken_in(edited(edit), sums).notebook.cells[at(taken_in(edited(edit), sums).notebook, "why")].source == words


def test_a_model_answer_that_was_put_otherwise_is_nobodys_answer(course):
    lesson = read_lesson(course, "04_queues")
    notebook = nbformat.reads(
        submission(lesson, reference_answers(lesson) | {"smaller": "I do not know."}), as_version=4
    )
    model = next(cell for cell in notebook.cells if "A model answer: open it" in cell.source)
    model.source = "<details>\n<summary>A model answer: open it afterwards</summary>\n\nIn other words.\n\n</details>"
    for cell in notebook.cells:
        cell.id = uuid.uuid4().hex[:8]
    clean = taken_in(nbformat.writes(notebook).encode(), lesson)
    assert clean.notebook.cells[at(clean.notebook, "smaller")].source == "I do not know."


def test_an_answer_in_the_cell_of_a_check_is_shown_to_a_person(sums, edited):
    def edit(notebook):
        place = at(notebook, "double")
        answer = notebook.cells[place].source
        notebook.cells[place].source = STUB
        check = next(cell for cell in notebook.cells if "# check: double-two" in cell.source)
        check.source = f"{answer}\n\n{check.source}"

    (flag,) = taken_in(edited(edit), sums).flags
    assert "What stands in the cell of a check does not run, but for the check's own lines: `double`" in flag


@pytest.mark.parametrize("above", ["return 2 * x", "return x ** 2"])
def test_what_stands_below_an_answer_runs_below_it_wherever_the_lessons_own_cells_were_moved(sums, edited, above):
    below = {"return 2 * x": "return x ** 2", "return x ** 2": "return 2 * x"}[above]

    def edit(notebook):
        prediction = notebook.cells.pop(at(notebook, "first-predict"))
        place = at(notebook, "double")
        notebook.cells[place].source = f"def double(x):\n    {above}"
        put(notebook, place + 1, prediction, new_code_cell(f"def double(x):\n    {below}"))

    text, _ = last_of(sums, edited(edit), "double")
    assert below in text


def test_a_text_that_an_answer_uses_is_no_written_answer(sums, edited):
    def edit(notebook):
        put(notebook, at(notebook, "why"), new_code_cell('TITLE = "Halves of all"'))
        notebook.cells[at(notebook, "halve")].source = "def halve(x):\n    return x / 2 if TITLE else x"

    clean = taken_in(edited(edit), sums)
    assert clean.notebook.cells[at(clean.notebook, "why")].source == "Because it is so."

    def unanswered(notebook):
        edit(notebook)
        notebook.cells[at(notebook, "why")].source = ""

    clean = taken_in(edited(unanswered), sums)
    assert any(cell.source == 'TITLE = "Halves of all"' for cell in clean.notebook.cells)


def test_a_written_answer_that_is_code_runs_too_where_other_cells_may_use_it(sums, edited):
    def edit(notebook):
        notebook.cells[at(notebook, "why")].source = "YOUR ANSWER HERE"
        put(notebook, at(notebook, "why") + 1, new_code_cell('answer = "Because so."'), new_code_cell("print(answer)"))
        put(notebook, at(notebook, "halve"), new_code_cell("answer = double(3)\nprint(answer)"))

    clean = taken_in(edited(edit), sums)
    assert clean.notebook.cells[at(clean.notebook, "why")].source == 'answer = "Because so."' and not clean.flags
    assert 'answer = "Because so."' in [cell.source for cell in clean.notebook.cells if cell.cell_type == "code"]


def test_many_cells_beside_an_unanswered_question_are_read_at_once(sums, edited):
    def edit(notebook):
        notebook.cells[at(notebook, "why")].source = "YOUR ANSWER HERE"
        texts = [new_code_cell(f'a{number} = "some text"') for number in range(600)]
        put(notebook, at(notebook, "why") + 1, *texts)

    raw, watch = edited(edit), Stopwatch()
    taken_in(raw, sums)
    assert watch.seconds() < 8  # minutes, where each asks all others


OLDER_STUB = STUB.replace("Twice x.", "Two times x.")


def below_the_checks(notebook, stub):
    notebook.cells[at(notebook, "double")].source = stub
    put(notebook, at(notebook, "double-minus") + 1, new_code_cell("def double(x):\n    return 2 * x"))


def where_the_stub_was(notebook, stub):
    place = at(notebook, "double")
    moved = notebook.cells.pop(place)
    moved.source = stub
    put(notebook, place, new_code_cell("def double(x):\n    return 2 * x"))
    put(notebook, at(notebook, "double-minus") + 1, moved)


@pytest.mark.parametrize("stub", [STUB, OLDER_STUB, f"# see below\n{STUB}"])
@pytest.mark.parametrize("place", [below_the_checks, where_the_stub_was])
def test_a_stub_of_another_version_or_with_a_note_is_no_answer(sums, edited, place, stub):
    report = graded(edited(lambda notebook: place(notebook, stub)), sums).report
    assert {check.points for check in report.checks if check.exercise == "double"} == {1, 2}, report


def test_an_import_in_a_cell_that_holds_the_stub_is_the_learners(sums, edited):
    def edit(notebook):
        notebook.cells[at(notebook, "double")].source = f"import operator\n{OLDER_STUB}"
        put(notebook, at(notebook, "double") + 1, new_code_cell("def double(x):\n    return operator.mul(2, x)"))

    report = graded(edited(edit), sums).report
    assert {check.points for check in report.checks if check.exercise == "double"} == {1, 2}, report


def test_what_corrects_an_answer_below_it_stays_below_where_the_exercise_was_moved(sums, edited):
    def edit(notebook):
        place = at(notebook, "double")
        notebook.cells[place].source = "def double(x):\n    return x * x"
        put(notebook, place + 1, new_code_cell("def double(x):\n    return 2 * x"))
        last = at(notebook, "double-minus") + 1
        block = notebook.cells[place - 1 : last]
        del notebook.cells[place - 1 : last]
        put(notebook, 3, *block)
        put(notebook, at(notebook, "first-predict") + 1, new_code_cell("mine = [double(n) for n in range(5)]"))

    text, _ = last_of(sums, edited(edit), "double")
    assert "return 2 * x" in text


def test_a_picture_that_colab_writes_into_a_text_is_left_out_and_the_words_are_read(sums, edited):
    picture = f"![shot.png](data:image/png;base64,{'QUJD' * 60_000})"
    small = f"Because so.\n\n![shot.png](data:image/png;base64,{'QUJD' * 5_000})"
    kept = taken_in(edited(lambda nb: nb.cells[at(nb, "why")].update(source=small)), sums).notebook
    assert kept.cells[at(kept, "why")].source == small

    def edit(notebook):
        notebook.cells[at(notebook, "why")].source = f"Because so.\n\n{picture}"
        put(notebook, 0, *(new_markdown_cell(picture) for _ in range(12)))

    clean = taken_in(edited(edit), sums)
    answer = clean.notebook.cells[at(clean.notebook, "why")].source
    assert answer == "Because so.\n\n![shot.png](attachment:picture)" and clean.flags == []
    assert any("A picture, or another file, in the answer to `why` is not taken over" in mend for mend in clean.mends)


def test_a_long_name_in_the_cell_of_a_check_is_shortened(sums, edited):
    name = "h" * 50_000

    def edit(notebook):
        notebook.cells[at(notebook, "double")].source = f"def double(x):\n    return {name}(x)"
        check = next(cell for cell in notebook.cells if "# check: double-two" in cell.source)
        check.source = f"def {name}(x):\n    return 2 * x\n{check.source}"

    (flag,) = taken_in(edited(edit), sums).flags
    assert len(flag) < 300


def release_of(lesson) -> bytes:
    return nbformat.writes(lesson.release).encode()


def test_what_a_renewal_cannot_take_over_is_known(sums, edited):
    """`course lab` then says to look into the old copy."""

    def edit(notebook):
        answer = notebook.cells.pop(at(notebook, "double"))
        check = next(cell for cell in notebook.cells if "# check: double-two" in cell.source)
        check.source = f"{answer.source}\n\n{check.source}"

    moved = with_answers(NAME, edited(edit), release_of(sums))
    assert moved and not moved[1]
    moved = with_answers(NAME, edited(lambda notebook: None), release_of(sums))
    assert moved and moved[1] and b"return 2 * x" in moved[0]
    changed = edited(lambda notebook: put(notebook, 1, new_code_cell("x = 1")))
    moved = with_answers(NAME, changed.replace(b"DEMO", b"OLDER"), release_of(sums))
    assert moved and moved[1], "the lesson's own cells are of another version; the answers are all there"


@pytest.mark.parametrize(
    "text",
    [f"{STUB}\n\ndef double(x):\n    return 2 * x", f"{STUB}\n\nimport math\n\ndef double(x):\n    return 2 * x"],
)
def test_an_answer_below_the_stub_in_its_cell_counts_and_is_taken_over(sums, edited, text):
    raw = edited(lambda notebook: notebook.cells[at(notebook, "double")].update(source=text))
    report = graded(raw, sums).report
    assert {check.points for check in report.checks if check.exercise == "double"} == {1, 2}
    moved = with_answers(NAME, raw, release_of(sums))
    assert moved and b"return 2 * x" in moved[0]


@pytest.mark.parametrize("text", ["{}\n    y = x + x\n    return y", "# idea: x + x\n{}"])
def test_what_was_begun_in_a_stub_is_taken_over(sums, edited, text):
    stub = sums.stubs["double"]
    raw = edited(lambda notebook: notebook.cells[at(notebook, "double")].update(source=text.format(stub)))
    moved = with_answers(NAME, raw, release_of(sums))
    assert moved and b"x + x" in moved[0]


@pytest.mark.parametrize(
    "code",
    ['UNITS["double"] = "times two"', 'STEPS.append("take it twice")', 'os.environ["FACTOR"] = "2 times"']
    + ["from math import *\nprint('pi is here')"],
)
def test_words_that_do_something_run_as_the_learners_own_code_too(sums, edited, code):
    def edit(notebook):
        notebook.cells[at(notebook, "why")].source = "YOUR ANSWER HERE"
        put(notebook, at(notebook, "why") + 1, new_code_cell(code))

    clean = taken_in(edited(edit), sums)
    assert code in [cell.source for cell in clean.notebook.cells if cell.cell_type == "code"]


def test_another_answers_own_names_keep_no_cell_below_it(sums, edited):
    def edit(notebook):
        place = at(notebook, "halve")
        notebook.cells[place].source += "\n\nfor n in range(5):\n    halve(n)"
        put(notebook, place + 1, new_code_cell("n = 2"))
        double = at(notebook, "double")
        notebook.cells[double].source = "def double(x):\n    return n * x"
        last = at(notebook, "double-minus") + 1
        block = notebook.cells[double - 1 : last]
        del notebook.cells[double - 1 : last]
        put(notebook, at(notebook, "halve") + 2, *block)

    report = graded(edited(edit), sums).report
    assert {check.points for check in report.checks if check.exercise == "double"} == {1, 2}


def test_a_picture_that_a_renewal_leaves_out_is_said(sums, edited):
    picture = f"![shot.png](data:image/png;base64,{'QUJD' * 60_000})"
    raw = edited(lambda notebook: notebook.cells[at(notebook, "why")].update(source=f"Because so.\n{picture}"))
    moved = with_answers(NAME, raw, release_of(sums))
    assert moved and not moved[1]


@pytest.mark.parametrize("more", ["import operator\n", "NUMBER = 2\n", "%%time\n"])
@pytest.mark.parametrize(("place", "said"), [("above", True), ("right below", False), ("below its checks", True)])
def test_an_answer_that_a_stub_with_more_in_its_cell_takes_back_is_shown_to_a_person(sums, edited, more, place, said):
    answer = new_code_cell("def double(x):\n    return 2 * x")

    def edit(notebook):
        own = at(notebook, "double")
        notebook.cells[own].source = more + STUB
        places = {"above": own, "right below": own + 1, "below its checks": at(notebook, "double-minus") + 1}
        put(notebook, places[place], answer)

    flags = taken_in(edited(edit), sums).flags
    assert bool(flags) is said
    assert all("`double` asks for stands in another cell" in flag for flag in flags)


@pytest.mark.parametrize(
    "words", ["{}\n\nBecause sums commute.", "Because sums commute.\n\n{}", "Because sums commute. {}"]
)
def test_words_in_the_cell_of_a_model_answer_are_the_learners(sums, edited, words):
    def edit(notebook):
        place = at(notebook, "why")
        notebook.cells[place].source = "YOUR ANSWER HERE"
        notebook.cells[place + 1].source = words.format(notebook.cells[place + 1].source)

    clean = taken_in(edited(edit), sums)
    assert clean.notebook.cells[at(clean.notebook, "why")].source == "Because sums commute."


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("# Because it is twice the number.\nprint(double(3))", True),
        ("for x in range(3):\n    print(double(x))\nprint('It is twice x each time.')", True),
        ('def answer():\n    """Because it is so."""', True),
        ("%%md\nBecause it is so.", True),
        ('def answer():\n    return "It isn\'t 3, because it is 6."', True),
        ('for x in range(3):\n    print(f"It\'s twice {x}, as sums commute")', True),
        ("for x in range(3):\n    print(double(x))", False),
        ("x = double(3)  # six", False),
        ("%%time\nfor x in range(3):\n    print(double(x))", False),
    ],
)
def test_code_with_words_in_place_of_a_written_answer_is_shown_to_a_person(sums, edited, code, said):
    def edit(notebook):
        notebook.cells[at(notebook, "why")].source = "YOUR ANSWER HERE"
        put(notebook, at(notebook, "why") + 1, new_code_cell(code))

    flags = taken_in(edited(edit), sums).flags
    assert bool(flags) is said and all("Nothing is written in `why`" in flag for flag in flags)


def test_an_answer_that_counts_is_not_said_to_be_taken_back(sums, edited):
    """The stub with an import, the answer right below it, and an experiment that binds the name at the end."""

    def edit(notebook):
        own = at(notebook, "double")
        notebook.cells[own].source = f"import operator\n{STUB}"
        put(notebook, own + 1, new_code_cell("def double(x):\n    return operator.mul(2, x)"))
        notebook.cells.append(new_code_cell("for double in (1, 2):\n    print(double)"))

    assert not taken_in(edited(edit), sums).flags


def test_words_among_the_lines_of_a_model_answer_are_spoken_of(sums, edited):
    def edit(notebook):
        place = at(notebook, "why")
        notebook.cells[place].source = "YOUR ANSWER HERE"
        lines = notebook.cells[place + 1].source.splitlines()
        lines[len(lines) // 2] = "Because sums commute."
        notebook.cells[place + 1].source = "\n".join(lines)

    raw = edited(edit)
    clean = taken_in(raw, sums)
    assert "Because" in clean.notebook.cells[at(clean.notebook, "why")].source or any(
        "or its model answer" in mend for mend in clean.mends
    )
