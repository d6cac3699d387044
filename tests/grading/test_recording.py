"""Many results into the gradebook at once: the same as one by one, and one that fails costs no other."""

from __future__ import annotations

import nbformat
import pytest

from autograder.classroom import gradebook, late, recording
from autograder.classroom.journal import Entry, Journal, journal_of
from autograder.classroom.submissions import Classroom, Task
from autograder.grading.execute import Executed
from autograder.grading.intake import take_in
from autograder.grading.report import Status
from autograder.grading.submission import Submission
from autograder.grading.verdict import report_of
from autograder.notebooks import executed_text, read_text
from autograder.reports.feedback import feedback_page
from tests.grading.conftest import NAME
from tests.sql import statements

pytestmark = pytest.mark.xdist_group("gradebook")


@pytest.fixture
def held(sums_course, sums, right):
    """``held(number)`` puts results of so many students, without a run, into the journal; journal and tasks."""
    gradebook.prepare(sums_course, NAME)
    journal = journal_of(sums_course)

    def hold(number: int, first: int = 0) -> tuple[Journal, list[Task]]:
        tasks = []
        for index in range(first, first + number):
            folder = Classroom(sums_course).submitted / f"s{index:03}" / NAME
            folder.mkdir(parents=True)
            (folder / f"{NAME}.ipynb").write_bytes(right)
            (folder / "timestamp.txt").write_text("2026-03-02 12:00:00 UTC")
            clean = take_in(Submission(right), sums)
            report = report_of(Executed(clean.notebook), clean, sums)
            report.checks[0].points, report.checks[0].status = 2 if index % 2 else 0, Status.PASSED
            tasks.append(Task(f"s{index:03}", NAME, folder))
            journal.write(tasks[-1], Entry(f"key {index}", report, executed_text(clean.notebook)))
        return journal, tasks

    return hold


def test_a_batch_is_as_many_queries_as_one(sums_course, held):
    counts = []
    for number, first in ((2, 0), (40, 100)):
        journal, tasks = held(number, first)
        with statements() as seen:
            written = recording.record(sums_course, journal, tasks)
        assert {task: one.failure for task, one in written.items()} == dict.fromkeys(tasks, "")
        counts.append(len(seen))
    assert counts[1] <= counts[0] + 5, f"statements for 2 and for 40: {counts}"


def test_what_was_written_is_what_the_gradebook_then_says(sums_course, held):
    journal, tasks = held(3)
    written = recording.record(sums_course, journal, tasks)
    grades, marks = gradebook.grades(sums_course), gradebook.marks_of(sums_course, NAME)
    for task, one in written.items():
        assert one.grade == grades[task.student, NAME]
        assert one.marks.in_order() == marks[task.student].in_order()
    assert [one.grade.score for one in written.values()] == [0, 2, 0]


def test_one_that_cannot_be_recorded_costs_no_other(sums_course, held):
    journal, tasks = held(3)
    journal._path(tasks[1], ".json").write_text("{")
    journal = journal_of(sums_course)
    folder = gradebook.autograded_path(sums_course, tasks[2]).parent
    folder.parent.mkdir(parents=True)
    folder.write_text("a file where a folder belongs")
    written = recording.record(sums_course, journal, tasks)
    assert [bool(one.failure) for one in written.values()] == [False, True, True], written
    assert "no result" in written[tasks[1]].failure
    assert gradebook.grades(sums_course)["s000", NAME].score == 0
    assert gradebook.autograded_path(sums_course, tasks[0]).is_file()


def test_a_result_with_a_check_that_the_gradebook_does_not_know_is_not_recorded_in_part(sums_course, held):
    journal, tasks = held(2)
    entry = journal.read(tasks[0])
    entry.report.checks[0].name = "of another version"
    journal.write(tasks[0], entry)
    written = recording.record(sums_course, journal, tasks)
    assert "the gradebook has no check 'of another version'" in written[tasks[0]].failure
    assert written[tasks[1]].failure == ""
    assert gradebook.grades(sums_course).keys() == {("s001", NAME)}


def test_penalties_of_a_class_are_renewed_by_as_many_queries_as_of_one(sums_course, held, monkeypatch):
    class TenPercent(late.LatePenalty):
        def __init__(self, **_) -> None:
            super().__init__(percent_per_day=10)

    monkeypatch.setattr(late, "LatePenalty", TenPercent)
    counts = []
    for number, first in ((2, 0), (30, 100)):
        journal, tasks = held(number, first)
        recording.record(sums_course, journal, tasks)
        with gradebook.open_gradebook(sums_course) as book:
            book.update_or_create_assignment(NAME, duedate=late.as_utc("2026-03-01 12:00+00:00"))
        with statements() as seen:
            gradebook.renew_lateness(sums_course)
        counts.append(sum(not one.startswith("UPDATE") for one in seen))
        grades = gradebook.grades(sums_course)
        assert {one.penalty for one in grades.values()} == {0, 0.2}
        assert {one.score for one in grades.values()} == {0, 1.8}
    assert counts[1] <= counts[0] + 3, f"queries for 2 and for 32: {counts}"


def test_a_page_made_of_the_answers_alone_is_the_page_made_of_the_whole(sums_course, held):
    journal, [task] = held(1)
    marks = recording.record(sums_course, journal, [task])[task].marks
    assert marks is not None
    entry, again = journal.read(task), journal_of(sums_course).read(task)
    assert [cell.id for cell in entry.answers.cells] == ["double", "halve", "why"]
    assert entry.answers.cells[2].source == "Because it is so."
    pages = [feedback_page(one.report, cells, marks, task.student) for one, cells in
             ((entry, entry.answers), (again, again.notebook))]  # fmt: skip
    assert pages[0] == pages[1] and "Because it is so." in pages[0]


def test_an_executed_notebook_is_read_as_it_was_written(sums, right):
    notebook = take_in(Submission(right), sums).notebook
    notebook.cells[-1].source = "é\n\u2028 'two'\r\nlines\n"
    outputs = [
        nbformat.v4.new_output("stream", text="one\ntwo"),
        nbformat.v4.new_output("error", ename="E", evalue="\ud800"),
    ]
    next(cell for cell in notebook.cells if cell.cell_type == "code").outputs = outputs
    nbformat.validate(read := read_text(executed_text(notebook)))
    assert read == notebook
