"""The answer bank: other answers to each exercise, with the score that each must get (CONTRIBUTING.md has the format).

    course answers 01            all answers of lesson 01, as a table
    course answers 01 spread     only answers to one exercise

Answers to different exercises go together into one submission, so that few kernels are needed; each submission is
graded by the same stages as a learner's.
"""

from __future__ import annotations

import argparse
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from ..errors import CourseError
from ..grading.execute import Options
from ..grading.grade import grade_submission
from ..grading.lesson import Lesson
from ..grading.report import CheckResult, Report
from ..grading.sandbox import Kernels, choose_kernels, probe
from ..grading.submission import Submission
from ..paths import Course, find_course
from .build import build_lesson
from .source import BEGIN_SOLUTION, END_SOLUTION

HEADER = re.compile(r"^# (exercise|score|fails|says|why|alone):[ \t]*(.*)$")


@dataclass
class Answer:
    """One file of the bank."""

    name: str  # of the file, without .py; "reference" and "unsolved" are not files
    exercise: str
    points: float
    max_points: float
    text: str
    fails: list[str] = field(default_factory=list)
    says: str = ""
    alone: bool = False  # must not share a kernel: it ends it, or changes what others see


def read_answer(path: Path) -> Answer:
    """Parse one file.

    Raises:
        CourseError: its header does not fit the format, with the file's name.
    """
    values: dict[str, str] = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    for line in lines[:start]:
        if found := HEADER.match(line):
            values[found[1]] = found[2].strip()
    score = re.fullmatch(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", values.get("score", ""))
    if "exercise" not in values or score is None:
        raise CourseError(f"{path.name}: begins with `# exercise: name` and `# score: 2/5`; one of them is missing.")
    fails = [name for name in re.split(r"[,\s]+", values.get("fails", "")) if name]
    answer = Answer(
        path.stem,
        values["exercise"],
        float(score[1]),
        float(score[2]),
        "\n".join(lines[start:]).strip("\n") + "\n",
        fails,
        values.get("says", ""),
        "alone" in values,
    )
    right = path.stem.startswith("right_")
    if right != (answer.points == answer.max_points) or (right and (fails or answer.says)):
        raise CourseError(
            f"{path.name}: right_ answers get all points and have no fails or says; wrong_ ones lack some."
        )
    if not right and not (fails and answer.says):
        raise CourseError(f"{path.name}: a wrong answer says which checks fail and what a message says.")
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
    notebook = nbformat.reads(lesson.release_text, as_version=4)
    for cell in notebook.cells:
        if cell.id in answers:
            cell.source = answers[cell.id]
    return nbformat.writes(notebook).encode()


def combine(answers: list[Answer], exercises: list[str]) -> list[dict[str, Answer]]:
    """Few submissions that together hold every answer, each at most one per exercise.

    Answers that must be alone get a submission of their own.
    """
    groups: list[dict[str, Answer]] = []
    for exercise in exercises:
        mine = [answer for answer in answers if answer.exercise == exercise and not answer.alone]
        groups += [{} for _ in range(len(mine) - len(groups))]
        for group, answer in zip(groups, mine, strict=False):
            group[exercise] = answer
    return groups + [{answer.exercise: answer} for answer in answers if answer.alone]


def grade_group(
    lesson: Lesson, group: dict[str, Answer], kernels: Kernels | None = None, checks_in_kernel: bool = False
) -> Report:
    """Grade one combined submission. An empty group stands for the reference.

    To save time, other exercises stay unsolved.
    """
    texts = {exercise: answer.text for exercise, answer in group.items()} or reference_answers(lesson)
    options = Options(kernels=kernels or Kernels(), checks_in_kernel=checks_in_kernel)
    return grade_submission(Submission(submission(lesson, texts)), lesson, options).report


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
    for name in sorted(failed.keys() - set(answer.fails)):
        found.append(f"{name} fails but is not declared to: {told(failed[name])}")
    for name in sorted(set(answer.fails) - failed.keys()):
        found.append(
            f"{name} is declared to fail but passes"
            + ("" if any(c.name == name for c in checks) else " (no such check)")
        )
    if answer.says and not any(answer.says in told(check) for check in failed.values()):
        messages = "\n".join(f"    {check.name}: {told(check)}" for check in failed.values())
        found.append(f"no message says {answer.says!r}; they say:\n{messages}")
    if report.problem:
        found.append(report.problem)
    return found


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
    groups = [{}, *combine(bank, exercises)]
    bad = 0
    with choose_kernels(unsafe=not probe().works) as kernels, ThreadPoolExecutor(args.workers) as pool:
        graded = pool.map(lambda group: grade_group(lesson, group, kernels, args.in_kernel), groups)
        for group, report in zip(groups, graded, strict=True):
            if not group:
                points, of = report.automatic
                bad += points != of
                print(f"{'✓' if points == of else '✗'} reference {points:g}/{of:g} in {report.seconds:.1f} s")
                for check in report.checks:
                    if check.kind != "written" and not check.passed:
                        print(f"    {check.name}: {told(check)}")
            for answer in group.values():
                wrong = complaints(answer, report)
                bad += bool(wrong)
                print(f"{'✗' if wrong else '✓'} {answer.name} {answer.points:g}/{answer.max_points:g}", flush=True)
                for line in wrong:
                    print(f"    {line}")
                if args.messages:
                    for check in report.checks:
                        if check.exercise == answer.exercise and not check.passed and check.kind != "written":
                            print(f"    {check.name}: {told(check)}")
    print(f"{len(bank)} answers, {bad} not as declared")
    return 1 if bad else 0
