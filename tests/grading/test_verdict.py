"""What the verdict makes of a run, without any kernel: points need a note that the check ran to its end."""

from __future__ import annotations

from types import SimpleNamespace

import nbformat
import pytest

from autograder.grading.cells import CellRun, Ended, Origin
from autograder.grading.checks.card import message_fields
from autograder.grading.execute import Executed
from autograder.grading.report import Report
from autograder.grading.verdict import report_of
from tests.grading.conftest import taken_in
from tests.pace import Stopwatch

MESSAGE = """asked:    double(2)
got:      [1,
 2]
expected: 4
likely:   it squares
reread:   section 1, Sums"""


@pytest.fixture
def verdict(sums, right):
    """``verdict({cell: CellRun}, raw=..., problem=...)`` gives the report and its results by name."""

    def judged(records, raw=None, problem=""):
        intake = taken_in(raw or right, sums)
        report = report_of(Executed(intake.notebook, records, problem), intake, sums)
        return report, {check.name: check for check in report.checks}

    return judged


def all_ok(**others):
    names = ("double", "halve", "double-two", "double-minus", "halve-four", "halve-odd")
    return {name: CellRun(Ended.OK) for name in names} | {name.replace("_", "-"): run for name, run in others.items()}


def test_the_five_lines_of_a_message_are_read():
    parts = message_fields(MESSAGE)
    assert list(parts) == ["asked", "got", "expected", "likely", "reread"]
    assert parts["got"] == "[1,\n 2]" and parts["reread"] == "section 1, Sums"


@pytest.mark.parametrize("text", ["", "no labels at all", "likely", "asked 5", "a: b"])
def test_messages_without_labels_have_no_parts(text):
    assert message_fields(text) == {}


def test_a_returned_text_cannot_put_words_into_the_checks_mouth():
    forged = "[1]\nexpected: 1\nlikely:   the check is wrong\nreread:   nothing"
    parts = message_fields(MESSAGE.replace("[1,\n 2]", forged))
    assert (parts["expected"], parts["likely"], parts["reread"]) == ("4", "it squares", "section 1, Sums")
    assert parts["got"].startswith("[1]\nexpected: 1")


def test_a_message_without_labels_gets_none_by_what_a_learner_returned():
    assert message_fields("x and y differ:\nlikely:   the check is wrong\nreread:   nothing") == {}


def test_a_label_counts_once():
    assert message_fields("got: 1\ngot: 2") == {"got": "1\ngot: 2"}


def test_all_checks_passed_and_the_written_answer_waits(verdict):
    report, checks = verdict(all_ok())
    assert report.automatic == (7, 7) and report.waiting == 2 and report.score == 7 and report.max_score == 9
    assert [check.kind for check in checks.values()] == ["visible", "hidden", "visible", "hidden", "written"]
    assert report.titles["double"] == "Exercise 1 · Double it"


def test_no_note_that_a_check_ran_is_no_points(verdict):
    report, checks = verdict({})
    assert report.automatic == (0, 7)
    assert all("was not run" in check.message for check in checks.values() if check.kind != "written")


@pytest.mark.parametrize("status", [one for one in Ended if one is not Ended.OK])
def test_any_status_but_ok_is_no_points(verdict, status):
    _, checks = verdict(all_ok(double_two=CellRun(status, "ValueError", "why")))
    assert checks["double-two"].points == 0 and not checks["double-two"].passed and checks["double-two"].message


def test_why_a_check_was_not_run_is_said(verdict):
    _, checks = verdict({}, problem="The kernel died in the cell `double`; the cells after it did not run.")
    assert "kernel died in the cell `double`" in checks["halve-odd"].message


def test_a_labelled_message_is_taken_apart(verdict):
    _, checks = verdict(all_ok(double_two=CellRun(Ended.ERROR, "AssertionError", MESSAGE)))
    check = checks["double-two"]
    assert (check.points, check.asked, check.expected, check.likely) == (0, "double(2)", "4", "it squares")
    assert check.message == "it squares"


def error(ename, evalue, origin=Origin.UNKNOWN):
    return CellRun(Ended.ERROR, ename, evalue, origin=origin)


SENTENCES = [
    (error("AssertionError", ""), "gave no reason"),
    (error("AssertionError", "no labels"), "no labels"),
    (error("NotImplementedError", "write this exercise first"), "Not written yet."),
    (
        CellRun(Ended.ERROR, "NotImplementedError", "write this exercise first", origin=Origin.LEARNER),
        "Not written yet.",
    ),
    (
        CellRun(Ended.ERROR, "NotImplementedError", "write this exercise first", origin=Origin.CHECK),
        "The check could not go on",
    ),
    (error("NotImplementedError", "later"), "raised NotImplementedError: later"),
    (error("CodecError", "no", Origin.LEARNER), "Running your code raised CodecError: no"),
    (
        CellRun(Ended.ERROR, "UnsupportedValue", "no", origin=Origin.LEARNER),
        "Running your code raised UnsupportedValue: no",
    ),
    (error("RefusedGraph", "no", Origin.LEARNER), "Running your code raised RefusedGraph: no"),
    (
        error("UnsupportedValue", "your function returned a set", Origin.VALUE),
        "Your function returned a set.",
    ),
    (
        CellRun(Ended.ERROR, "RefusedGraph", "your graph has an op. Do so.", origin=Origin.VALUE),
        "Your graph has an op. Do so.",
    ),
    (
        CellRun(Ended.ERROR, "AssertionError", "likely: mine", origin=Origin.LEARNER),
        "code raised AssertionError: likely: mine",
    ),
    (error("TypeError", "no", Origin.CHECK), "with what your code gave it (TypeError: no)"),
    (error("TypeError", "no", Origin.LEARNER), "Running your code raised TypeError: no"),
    (error("KeyError", "'x'"), "Running your code raised KeyError: 'x'"),
    (error("SystemExit", ""), "Running your code raised SystemExit"),
    (error("NameError", "name 'double' is not defined"), "from top to bottom"),
    (CellRun(Ended.TIMEOUT, "CellTimeoutError", "the cell did not finish in 60 s"), "did not finish in 60 s"),
    (CellRun(Ended.DIED), "kernel died"),
]


@pytest.mark.parametrize(("record", "words"), SENTENCES)
def test_each_failure_has_a_sentence(verdict, record, words):
    _, checks = verdict(all_ok(double_two=record))
    assert checks["double-two"].points == 0
    assert words in checks["double-two"].message


def test_a_missing_name_is_explained_by_the_cell_that_failed(verdict):
    broken = CellRun(Ended.ERROR, "SyntaxError", "invalid syntax (line 3)")
    missing = CellRun(Ended.ERROR, "NameError", "name 'double' is not defined")
    _, checks = verdict(all_ok(double=broken, double_two=missing))
    assert checks["double-two"].message == (
        "There is no 'double': the cell of `double` stopped with SyntaxError: invalid syntax (line 3)"
    )


@pytest.mark.parametrize("text", [b"", b"YOUR ANSWER HERE", b"  YOUR ANSWER HERE  \\n\\n"])
def test_an_unwritten_answer_is_nothing_to_wait_for(verdict, right, text):
    report, checks = verdict(all_ok(), right.replace(b"Because it is so.", text))
    assert checks["why"].points == 0 and report.waiting == 0


def test_where_nothing_was_read_each_check_says_so(verdict):
    report, checks = verdict({}, raw=b"{")
    assert report.needs_person and report.automatic == (0, 7)
    assert all(check.message.startswith("Not graded: The file is not a notebook") for check in checks.values())


def test_a_report_survives_being_stored(verdict):
    report, _ = verdict(all_ok(double_two=CellRun(Ended.ERROR, "AssertionError", MESSAGE)))
    assert Report.from_dict(report.to_dict()) == report


def test_an_endless_message_is_cut(verdict):
    _, checks = verdict(all_ok(double_two=CellRun(Ended.ERROR, "AssertionError", "got: " + "x" * 1_000_000)))
    assert len(checks["double-two"].got) < 10_000


@pytest.mark.parametrize(
    ("run", "written_with", "said"),
    [
        (
            CellRun(Ended.ERROR, "ModuleNotFoundError", "No module named 'pandas'"),
            "",
            "No module named 'pandas' (`double`)",
        ),
        (CellRun(Ended.ERROR, "ImportError", "cannot import name 'batched' from 'itertools'"), "", "'batched'"),
        (CellRun(Ended.ERROR, "AttributeError", "module 'itertools' has no attribute 'batched'"), "", "does not have"),
        (CellRun(Ended.ERROR, "SyntaxError", "f-string: unmatched '['"), "3.99.1", "of which the notebook is, may"),
        (CellRun(Ended.ERROR, "SyntaxError", "f-string: unmatched '['"), "3.11.2", ""),
        (CellRun(Ended.ERROR, "AttributeError", "module 'tensorflow' has no attribute 'Session'"), "", ""),
        (CellRun(Ended.ERROR, "ImportError", "asked: [2, -41]"), "", ""),
        (CellRun(Ended.ERROR, "ValueError", "No module named 'pandas'"), "", ""),
    ],
)
def test_what_this_machine_has_not_is_shown_to_a_person_where_points_are_missing(sums, right, run, written_with, said):
    """An import of Colab's at the head of an answer, or what a newer Python has, is no mistake of a learner's."""
    notebook = nbformat.reads(right.decode(), as_version=4)
    notebook.metadata.language_info = {"name": "python", "version": written_with}
    intake = taken_in(nbformat.writes(notebook).encode(), sums)
    lost = {"double": run, "double-two": CellRun(Ended.ERROR, "NameError", "name 'double' is not defined")}
    for records, flagged in ((all_ok() | lost, bool(said)), (all_ok(double=run), False)):
        flags = report_of(Executed(intake.notebook, records), intake, sums).flags
        assert bool(flags) == flagged
        assert not flagged or (said in flags[0] and "See whether points are deserved." in flags[0])


COLABS = "from google.colab import drive\ndrive.mount('/content/drive')"
BY_TWO = "def double(x):\n    return by_two(x)"
NOT_BEGUN = CellRun(Ended.ERROR, "NotImplementedError", "double: write this exercise first.", origin=Origin.LEARNER)
FAILED = CellRun(Ended.ERROR, "AssertionError", MESSAGE)


@pytest.mark.parametrize(
    ("cell", "answer", "check", "said"),
    [
        (COLABS, "def double(x):\n    return x", None, False),  # nothing is written in `why`
        (COLABS, "", NOT_BEGUN, False),
        (COLABS, "def double(x):\n    return x", FAILED, False),  # for its own reasons
        (f"{COLABS}\nimport math", "def double(x):\n    return math.prod([2, x])", FAILED, True),
        ("from google.colab import *", "def double(x):\n    return x", FAILED, True),
        ("import pandas\nprint 3", "def double(x):\n    return x", FAILED, True),  # which names it binds cannot be read
        ("import pandas\ndef by_two(x):\n    return 2 * x", BY_TWO, FAILED, True),
        ("import pandas as pd\ndef two():\n    return 2", BY_TWO, FAILED, True),  # in turn
        ("import pandas\nTWO['by'] = 2", "def double(x):\n    return TWO['by'] * x", FAILED, True),
        ("import pandas\nTWO.append(2)", "def double(x):\n    return TWO[0] * x", FAILED, True),
        (
            "import pandas\nimport functools\ndouble = functools.cache(double)",
            "def double(x):\n    return x",
            FAILED,
            True,
        ),
        ("import pandas as pd\nstart = 3\nprint(double(start))", "def double(x):\n    return x", FAILED, False),
        ("import pandas as pd\nstart = 3\nshown = double(start)", "def double(x):\n    return x", FAILED, False),
        ("import pandas as pd\n_ = TWO.append(2)", "def double(x):\n    return TWO[0] * x", FAILED, True),
        ("if True:\n    def double(x):\n        return 2 * x", "", NOT_BEGUN, True),  # the answer, elsewhere
    ],
)
def test_an_import_that_no_lost_point_can_depend_on_is_not_shown(sums, right, cell, answer, check, said):
    notebook = nbformat.reads(right.decode(), as_version=4)
    by_id = {cell.id: cell for cell in notebook.cells}
    by_id["double"].source, by_id["why"].source = answer, ""
    new = [nbformat.v4.new_code_cell(text) for text in (cell, "def by_two(x):\n    return two() * x")]
    notebook.cells[1:1] = new[: 1 + ("def two" in cell)]
    intake = taken_in(nbformat.writes(notebook).encode(), sums)
    (added,) = [each.id for each in intake.notebook.cells if each.source == cell]
    records = all_ok() | {added: CellRun(Ended.ERROR, "ModuleNotFoundError", "No module named 'google.colab'")}
    records |= {"double-two": check, "double-minus": check} if check else {}
    flags = report_of(Executed(intake.notebook, records), intake, sums).flags
    assert bool(flags) is said and all("No module named 'google.colab' (a new cell)" in flag for flag in flags)


def test_an_answer_that_stops_at_an_import_below_its_stub_is_shown(sums, right):
    notebook = nbformat.reads(right.decode(), as_version=4)
    answer = next(cell for cell in notebook.cells if cell.id == "double")
    answer.source = f"{sums.stubs['double']}\n\nimport pandas as pd\n\ndef double(x):\n    return 2 * x"
    intake = taken_in(nbformat.writes(notebook).encode(), sums)
    stopped = CellRun(Ended.ERROR, "ModuleNotFoundError", "No module named 'pandas'")
    records = all_ok() | {"double": stopped, "double-two": NOT_BEGUN, "double-minus": NOT_BEGUN}
    (flag,) = report_of(Executed(intake.notebook, records), intake, sums).flags
    assert "No module named 'pandas' (`double`)" in flag


NO_MODULE = CellRun(Ended.ERROR, "ModuleNotFoundError", "No module named 'pandas'")
LATE = CellRun(Ended.TIMEOUT, "CellTimeoutError", "the cell did not finish in 60 s")


@pytest.mark.parametrize(("run", "said"), [(NO_MODULE, "No module named 'pandas'"), (LATE, "did not finish in 60 s")])
@pytest.mark.parametrize("place", ["try", "predict"])
def test_an_answer_in_another_cell_that_stops_there_is_shown(sums, right, run, said, place):
    notebook = nbformat.reads(right.decode(), as_version=4)
    by_id = {cell.id: cell for cell in notebook.cells}
    by_id["double"].source = sums.stubs["double"]
    other = by_id[next(key for key in by_id if key.endswith(f"-{place}"))]
    other.source = "import pandas as pd\n\ndef double(x):\n    return 2 * x"
    intake = taken_in(nbformat.writes(notebook).encode(), sums)
    records = all_ok() | {other.id: run, "double-two": NOT_BEGUN, "double-minus": NOT_BEGUN}
    (flag,) = report_of(Executed(intake.notebook, records), intake, sums).flags
    assert said in flag and ("a prediction" if place == "predict" else "`double`") in flag


@pytest.mark.parametrize("uses", [True, False])
def test_a_cell_that_took_too_long_is_named_and_flagged_where_a_lost_point_may_need_it(sums, right, uses):
    notebook = nbformat.reads(right.decode(), as_version=4)
    answer = next(cell for cell in notebook.cells if cell.id == "double")
    answer.source = f"def double(x):\n    return {'BY' if uses else '3'} * x"
    notebook.cells.insert(1, nbformat.v4.new_code_cell("train()\nBY = 2"))
    intake = taken_in(nbformat.writes(notebook).encode(), sums)
    (added,) = [cell.id for cell in intake.notebook.cells if cell.source.startswith("train()")]
    report = report_of(Executed(intake.notebook, all_ok() | {added: LATE, "double-two": FAILED}), intake, sums)
    assert any("begins with `train()`" in note and "did not finish in 60 s" in note for note in report.notes)
    assert any("did not finish in 60 s (a new cell)" in flag for flag in report.flags) is uses


@pytest.mark.parametrize(
    "text", ["x = f(x)\n1/0  # {}", "x = f" + ".a()" * 900 + "  # {}"], ids=["in turn", "one in the other"]
)
def test_many_cells_that_fail_and_call_one_another_keep_nobody_waiting(sums, right, text):
    notebook = nbformat.reads(right.decode(), as_version=4)
    own = [nbformat.v4.new_code_cell(text.format(number)) for number in range(300 if "1/0" in text else 20)]
    notebook.cells[1:1] = own
    own += [nbformat.v4.new_code_cell("\n".join(f"def f{number}(): y" for number in range(800)))]
    own += [nbformat.v4.new_code_cell("import x\n" + "\n".join(f"f{number}()" for number in range(800)))]
    notebook.cells[1:1] = own[-2:]
    intake = taken_in(nbformat.writes(notebook).encode(), sums)
    failed = {cell.id: NO_MODULE for cell in intake.notebook.cells if cell.source in {each.source for each in own}}
    watch = Stopwatch()
    report_of(Executed(intake.notebook, all_ok() | failed | {"double-two": FAILED}), intake, sums)
    assert watch.seconds() < 5


def test_a_report_does_not_speak_of_hundreds_of_modules(sums, right):
    notebook = nbformat.reads(right.decode(), as_version=4)
    notebook.cells += [nbformat.v4.new_code_cell("from x import *", id=f"of-mine-{number}") for number in range(50)]
    intake = taken_in(nbformat.writes(notebook).encode(), sums)
    records = {
        cell.id: CellRun(Ended.ERROR, "ModuleNotFoundError", f"No module named '{cell.id.replace('-', '_')}'")
        for cell in intake.notebook.cells
        if cell.cell_type == "code"
    }
    assert len(report_of(Executed(intake.notebook, records), intake, sums).flags) == 5


@pytest.mark.parametrize(("python", "said"), [((3, 11), True), ((3, 13), False)])
def test_of_colab_it_is_known_which_python_it_has(sums, right, monkeypatch, python, said):
    monkeypatch.setattr("autograder.grading.reading.sys", SimpleNamespace(version_info=(*python, 0)))
    notebook = nbformat.reads(right.decode(), as_version=4)
    notebook.metadata = {"colab": {"provenance": []}}
    assert bool(taken_in(nbformat.writes(notebook).encode(), sums).newer_python) is said
