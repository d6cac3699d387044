"""The answer bank: other answers to each exercise, with the score that each must get (docs/authors.md has the format).

    course answers 01            all answers of lesson 01, as a table
    course answers 01 spread     only answers to one exercise

Each answer is taken in by itself, as a learner's submission. Then the cells that intake made of many answers run one
after the other in one notebook, with the lesson's own cells around them, so that few kernels are needed; what runs and
judges them is what runs and judges a learner's notebook.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ..errors import CourseError
from ..grading.cells import LEFT_OUT, UNUSED, exercise, is_check
from ..grading.checks.told import NEUTRAL
from ..grading.execute import Executed, Limits, Options, execute
from ..grading.grade import grade_submission
from ..grading.intake import CleanNotebook, take_in
from ..grading.lesson import Lesson
from ..grading.report import CheckResult, Report
from ..grading.sandbox import Kernels, Resources, choose_kernels, probe
from ..grading.submission import Submission
from ..grading.verdict import report_of
from ..paths import Course, find_course
from ..python_code import NOT_COMPILED, defined_names
from .build import build_lesson
from .source import BEGIN_SOLUTION, END_SOLUTION

HEADER = re.compile(r"^# (exercise|score|breaks|fails|why|alone):[ \t]*(.*)$")


@dataclass
class Answer:
    """One file of the bank."""

    name: str  # of the file, without .py; "reference" and "unsolved" are not files
    exercise: str
    points: float
    max_points: float
    text: str
    fails: dict[str, str] = field(default_factory=dict)  # {check: words that its message must hold, or "neutral"}
    breaks: int = 0  # the one requirement of the exercise that it breaks; 0: a general misconception
    alone: bool = False  # must not share a kernel: it changes what others see, and no name


def read_answer(path: Path) -> Answer:
    """Parse one file.

    Raises:
        CourseError: its header does not fit the format, with the file's name.
    """
    values: dict[str, str] = {}
    fails: dict[str, str] = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    for line in lines[:start]:
        if found := HEADER.match(line):
            values[found[1]] = found[2].strip()
            if found[1] == "fails":
                check, _, words = found[2].partition(":")
                fails[check.strip()] = words.strip()
    score = re.fullmatch(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", values.get("score", ""))
    if "exercise" not in values or score is None:
        raise CourseError(f"{path.name}: begins with `# exercise: name` and `# score: 2/5`; one of them is missing.")
    if not re.fullmatch(r"[1-9]\d*|", values.get("breaks", "")):
        raise CourseError(f"{path.name}: `# breaks: 3` names the one requirement that the answer breaks.")
    answer = Answer(
        path.stem,
        values["exercise"],
        float(score[1]),
        float(score[2]),
        "\n".join(lines[start:]).strip("\n") + "\n",
        fails,
        int(values.get("breaks") or 0),
        "alone" in values,
    )
    right = path.stem.startswith("right_")
    if right != (answer.points == answer.max_points) or (right and (fails or answer.breaks)):
        raise CourseError(
            f"{path.name}: right_ answers get all points and have no fails or breaks; wrong_ ones lack some."
        )
    if not right and not (fails and all(fails.values())):
        raise CourseError(f"{path.name}: says which checks fail and what each tells: `# fails: sums-two: words`.")
    return answer


def read_bank(course: Course, lesson: str) -> list[Answer]:
    """All answers of a lesson, in the order of their names."""
    return [read_answer(path) for path in sorted((course.source(lesson).parent / "answers").glob("*.py"))]


def fresh_lesson(course: Course, name: str) -> Lesson:
    """The lesson's notebooks built from its source now, so that authors need not build first."""
    texts = build_lesson(course, name)
    return Lesson(name, texts[course.solution_notebook(name)], texts[course.release_notebook(name)])


def reference_answers(lesson: Lesson) -> dict[str, str]:
    """``{exercise: text}`` of the instructor's own answers, without the markers around them."""
    return {
        cell.id: "\n".join(
            line for line in cell.source.splitlines() if line.strip() not in (BEGIN_SOLUTION, END_SOLUTION)
        )
        for cell in lesson.solution.cells
        if cell.metadata.course.role == "solution"
    }


def submission(lesson: Lesson, answers: dict[str, str]) -> bytes:
    """What a learner hands in who writes ``answers`` (``{exercise or written name: text}``) into a fresh notebook."""
    cells = [
        NotebookNode({**cell, "source": _with_given(answers[cell.id], cell.metadata.course.get("given", {}))})
        if cell.id in answers
        else cell
        for cell in lesson.release.cells
    ]
    return nbformat.writes(NotebookNode({**lesson.release, "cells": cells})).encode()  # which copies what it changes


def _with_given(text: str, given: dict[str, str]) -> str:
    """An answer with what its stub brings for the checks; a learner leaves that where it is."""
    try:
        lacking = [code for name, code in given.items() if name not in defined_names(text)]
    except NOT_COMPILED:
        return text
    return "\n\n\n".join([text.rstrip("\n"), *lacking]) + "\n" if lacking and text else text


def combine(answers: list[Answer], exercises: list[str]) -> list[dict[str, Answer]]:
    """Few submissions that together hold every answer, each at most one per exercise.

    Answers that must be alone get a submission of their own.
    """
    groups: list[dict[str, Answer]] = []
    for name in exercises:
        mine = [answer for answer in answers if answer.exercise == name and not answer.alone]
        groups += [{} for _ in range(len(mine) - len(groups))]
        for group, answer in zip(groups, mine, strict=False):
            group[name] = answer
    return groups + [{answer.exercise: answer} for answer in answers if answer.alone]


# ------------------------------------------------------------------------------------------- many answers in one kernel

# Of so many answers, one after the other; a learner's notebook holds one to each exercise.
LIMITS = Limits(
    notebook_seconds=1800,
    output_bytes=100_000,
    resources=Resources(memory_bytes=12 << 30, processes=400, threads=6000, open_files=8192, files=200_000),
)
# Cells around the answers. Names that an answer, or an answer's check, binds or deletes are as before for the next one,
# and so is the environment.
KEEP = """\
get_ipython().course_kept = [(space, dict(space)) for space in (globals(), __import__("os").environ)]
get_ipython().put_back = lambda kept: [space.clear() or space.update(before) for space, before in kept] and None"""
PUT_BACK = '(lambda shell: shell.put_back(shell.course_kept))(__import__("IPython").get_ipython())'


def deal(answers: list[Answer], hands: int) -> list[list[Answer]]:
    """``hands`` lists, as alike as can be, that together hold every answer; none is empty.

    Answers that must be alone get a list of their own.
    """
    many = sorted((answer for answer in answers if not answer.alone), key=lambda answer: answer.exercise)
    dealt = [many[start::hands] for start in range(hands)]
    return [hand for hand in dealt if hand] + [[answer] for answer in answers if answer.alone]


def grade_answers(
    lesson: Lesson,
    answers: list[Answer],
    kernels: Kernels | None = None,
    checks_in_kernel: bool = False,
    seed: int = 0,
) -> dict[str, Report]:
    """``{name of the answer: its report}``; of a report only what is said of the answer's own exercise counts.

    The lesson's own cells run once, in their order; the other exercises stay unsolved.
    """
    clean = [_taken_in(lesson, answer.exercise, answer.text) for answer in answers]
    stretches = [_stretch(one.notebook, answer.exercise) for one, answer in zip(clean, answers, strict=True)]
    notebook = _one_after_the_other(_taken_in(lesson).notebook, answers, stretches, _needed_by_any(clean))
    options = Options(LIMITS, kernels or Kernels(), checks_in_kernel, seed=seed, in_order=True)
    done = execute(notebook, options, lesson.solution)
    reports = {}
    for number, (answer, one, stretch) in enumerate(zip(answers, clean, stretches, strict=True)):
        runs = {cell.id: done.cells[_id(number, cell)] for cell in stretch}
        own = Executed(one.notebook, runs, done.problem, sum(run.seconds for run in runs.values()), done.notice)
        reports[answer.name] = report_of(own, one, lesson)
    return reports


@lru_cache(maxsize=128)
def _taken_in(lesson: Lesson, name: str = "", text: str = "") -> CleanNotebook:
    """What intake makes of one answer in an otherwise unsolved lesson; nobody changes it."""
    return take_in(Submission(submission(lesson, {name: text})), lesson)


def _stretch(notebook: NotebookNode, name: str) -> list[NotebookNode]:
    """The code cells of an exercise, from its answer to its last check; none where it has none."""
    mine = [
        index
        for index, cell in enumerate(notebook.cells)
        if cell.id == name or (is_check(cell) and exercise(cell) == name)
    ]
    return [cell for cell in notebook.cells[mine[0] : mine[-1] + 1] if cell.cell_type == "code"] if mine else []


def _one_after_the_other(
    notebook: NotebookNode, answers: list[Answer], stretches: list[list[NotebookNode]], needed: dict[str, str]
) -> NotebookNode:
    """The unsolved lesson without checks, and before each stub the cells of every answer to that exercise.

    Of its own cells those run that are ``needed``.
    """
    cells = []
    for own in notebook.cells:
        if is_check(own):
            continue
        mine = [number for number, answer in enumerate(answers) if answer.exercise == own.id]
        if mine:
            cells.append(_between(f"keep-{own.id}", KEEP))
        for number in mine:
            cells += [nbformat.from_dict({**cell, "id": _id(number, cell)}) for cell in stretches[number]]
            cells.append(_between(f"put-back-{number}", PUT_BACK))
        cells.append(_as_needed(own, needed.get(own.id, "")) if own.cell_type == "code" else own)
    return nbformat.from_dict({**notebook, "cells": cells})


def _needed_by_any(clean: list[CleanNotebook]) -> dict[str, str]:
    """``{cell: how grading takes it}``, as for the one that needs most of it: all, its names, or nothing."""
    order = ("", LEFT_OUT, UNUSED)
    found: dict[str, str] = {}
    for cell in (cell for one in clean for cell in one.notebook.cells):
        taken = cell.metadata.course.get("grading", "")
        found[cell.id] = min(taken, found.get(cell.id, taken), key=order.index)
    return found


def _as_needed(cell: NotebookNode, grading: str) -> NotebookNode:
    about = {key: value for key, value in cell.metadata.course.items() if key != "grading"}
    if grading:
        about["grading"] = grading
    return nbformat.from_dict({**cell, "metadata": {**cell.metadata, "course": about}})


def _id(number: int, cell: NotebookNode) -> str:
    return f"{number}-{cell.id}"


def _between(name: str, source: str) -> NotebookNode:
    return nbformat.v4.new_code_cell(source, id=name, metadata={"course": {"role": "code"}})


def grade_reference(
    lesson: Lesson, kernels: Kernels | None = None, checks_in_kernel: bool = False, seed: int = 0
) -> Report:
    """The report on the instructor's own answers, handed in as a learner would."""
    raw = submission(lesson, reference_answers(lesson))
    options = Options(kernels=kernels or Kernels(), checks_in_kernel=checks_in_kernel, seed=seed)
    return grade_submission(Submission(raw), lesson, options).report


# ---------------------------------------------------------------------------------------------------- what is declared


def complaints(answer: Answer, report: Report) -> list[str]:
    """What is not as the answer's header declares; empty when all is."""
    checks = [check for check in report.checks if check.exercise == answer.exercise and check.kind != "written"]
    found = []
    if not checks:
        return [f"the lesson has no exercise `{answer.exercise}` with checks"]
    points, of = sum(check.points or 0 for check in checks), sum(check.max_points for check in checks)
    if (points, of) != (answer.points, answer.max_points):
        found.append(f"score is {points:g}/{of:g}, declared {answer.points:g}/{answer.max_points:g}")
    failed = {check.name: check for check in checks if not check.passed}
    for name in sorted(failed.keys() - answer.fails.keys()):
        found.append(f"{name} fails but is not declared to: {told(failed[name])}")
    for name in sorted(answer.fails.keys() - failed.keys()):
        found.append(
            f"{name} is declared to fail but passes"
            + ("" if any(c.name == name for c in checks) else " (no such check)")
        )
    for name, words in answer.fails.items():
        if name in failed and not any(_says(failed[name], one) for one in words.split(" | ")):
            found.append(f"{name} does not say {words!r}; it says: {told(failed[name])}")
    if report.problem:
        found.append(report.problem)
    return found


def _says(check: CheckResult, words: str) -> bool:
    """Whether a message holds these words; "neutral" stands for one without a diagnosis."""
    return check.likely == NEUTRAL if words == "neutral" else words in told(check)


def told(check: CheckResult) -> str:
    """All words of a check's message."""
    parts = [check.message, *(getattr(check, label) for label in ("asked", "got", "expected", "reread"))]
    return " | ".join(part for part in parts if part)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="number or name")
    parser.add_argument("exercise", nargs="*", metavar="EXERCISE", help="only answers to these exercises")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="kernels at once")
    parser.add_argument(
        "--in-kernel", action="store_true", help="run checks in the learner's kernel, as a notebook does"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="draw the hidden checks' inputs as for another learner"
    )
    parser.add_argument("--messages", action="store_true", help="show the message of every failed check")


def command(args: argparse.Namespace) -> int:
    return _show(find_course(), args)


def _show(course: Course, args: argparse.Namespace) -> int:
    lesson = fresh_lesson(course, course.lesson(args.lesson))
    exercises = list(reference_answers(lesson))
    bank = [
        answer for answer in read_bank(course, lesson.name) if not args.exercise or answer.exercise in args.exercise
    ]
    strangers = sorted({answer.exercise for answer in bank} - set(exercises))
    if strangers:
        raise CourseError(f"{lesson.name} has no exercise named {', '.join(strangers)}; it has {', '.join(exercises)}.")
    hands, bad = deal(bank, args.workers), 0
    with choose_kernels(unsafe=not probe().works) as kernels, ThreadPoolExecutor(args.workers) as pool:
        reference = pool.submit(grade_reference, lesson, kernels, args.in_kernel, args.seed)
        graded = pool.map(lambda hand: grade_answers(lesson, hand, kernels, args.in_kernel, args.seed), hands)
        bad += _show_reference(reference.result())
        for hand, reports in zip(hands, graded, strict=True):
            for answer in hand:
                bad += _show_answer(answer, reports[answer.name], args.messages)
    print(f"{len(bank)} answers, {bad} not as declared")
    return 1 if bad else 0


def _show_reference(report: Report) -> bool:
    """Print how the reference did; whether it lacks points."""
    points, of = report.automatic
    print(f"{'✓' if points == of else '✗'} reference {points:g}/{of:g} in {report.seconds:.1f} s")
    _show_messages(report.checks)
    return points != of


def _show_answer(answer: Answer, report: Report, messages: bool) -> bool:
    """Print how an answer did; whether it is not as declared."""
    wrong = complaints(answer, report)
    print(f"{'✗' if wrong else '✓'} {answer.name} {answer.points:g}/{answer.max_points:g}", flush=True)
    for line in wrong:
        print(f"    {line}")
    if messages:
        _show_messages(check for check in report.checks if check.exercise == answer.exercise)
    return bool(wrong)


def _show_messages(checks: Iterable[CheckResult]) -> None:
    for check in checks:
        if check.kind != "written" and not check.passed:
            print(f"    {check.name}: {told(check)}")
