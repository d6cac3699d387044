"""Checks that a function passes which gives the same whatever it is asked: there must be none, for they say nothing.

    python -m tests.bench.constants [01 ...]

Each submission answers all exercises of a lesson with functions that return one constant: plain values or the first
argument, which no check may pass (a test asks that, too), and what the reference returns to checks, to be copied from
there or from the feedback that another learner got, which no hidden one may.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict

from autograder.authoring.answers import fresh_lesson, reference_answers, submission
from autograder.authoring.given import given_functions
from autograder.grading.checks import codec
from autograder.grading.checks.channel import Channel
from autograder.grading.checks.judge import Judge
from autograder.grading.lesson import Lesson
from autograder.grading.sandbox import Kernels, choose_kernels, probe
from autograder.paths import find_course
from autograder.python_code import parse
from tests.grading.conftest import graded

PLAIN = ["None", "0", "0.0", "1", "''", "[]", "{}", "True", "args[0] if args else None"]
LONGEST = 200_000  # characters of a constant
MOST = 8  # values of one function for visible checks, those that it returns first
MOST_HIDDEN = 2  # and for each hidden check
ANOTHER, THIRD = 1, 2  # seed of the learner whose feedback is known; and of one for whom luck is another


def returned(lesson: Lesson, kernels: Kernels) -> dict[str, list[str]]:
    """``{function: texts of what the reference's returned to another learner's checks}``, where a text can say it."""
    found: dict[str, list[str]] = defaultdict(list)
    counts: Counter[tuple[str, str]] = Counter()
    ask, judge = Channel.ask, Judge.judge

    async def marked(self, cell, channel, seconds):
        channel.check = "" if cell.metadata.course.role == "check" else cell.id
        return await judge(self, cell, channel, seconds)

    async def noted(self, question, *args, **kwargs):
        answer = await ask(self, question, *args, **kwargs)
        asked, (said, value) = codec.decode(question), codec.decode(answer)
        if asked[0] == "call" and said == "returned" and (text := literal(value)) and text not in found[asked[1]]:
            counts[asked[1], self.check] += 1
            if counts[asked[1], self.check] <= (MOST_HIDDEN if self.check else MOST):
                found[asked[1]].append(text)
        return answer

    Channel.ask, Judge.judge = noted, marked
    try:
        graded(submission(lesson, reference_answers(lesson)), lesson, kernels, seed=ANOTHER)
    finally:
        Channel.ask, Judge.judge = ask, judge
    return found


def literal(value) -> str:
    """Python's text of a plain value; empty where there is none."""
    text = repr(value)
    try:
        return text if len(text) <= LONGEST and ast.literal_eval(text) == value else ""
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return ""


def constant_answers(lesson: Lesson, texts: dict[str, str], other: str) -> dict[str, str]:
    """``{exercise: cell}`` in which each function returns its text of ``texts``, or ``other``."""
    answers = {}
    for name, reference in reference_answers(lesson).items():
        given = given_functions(lesson.stubs[name])
        functions = [n.name for n in parse(reference).body if isinstance(n, ast.FunctionDef) and n.name not in given]
        lines = [f"def {f}(*args, **kwargs): return {texts.get(f, other)}" for f in functions]
        answers[name] = "\n\n".join([*lines, *given.values()])
    return answers


def passing(lesson: Lesson, kernels: Kernels) -> dict[str, list[str]]:
    """``{check: constants that pass it}`` of one lesson."""
    values = returned(lesson, kernels)
    rounds = [({}, text) for text in PLAIN]
    for place in range(max(map(len, values.values()), default=0)):
        rounds.append(({name: texts[place] for name, texts in values.items() if place < len(texts)}, "None"))
    found: dict[str, list[str]] = defaultdict(list)
    for texts, other in rounds:
        answers = constant_answers(lesson, texts, other)
        raw = submission(lesson, answers)
        passed = [check for check in graded(raw, lesson, kernels).report.checks if check.passed]
        if texts and any(check.kind == "hidden" for check in passed):
            again = {check.name for check in graded(raw, lesson, kernels, seed=THIRD).report.checks if check.passed}
            passed = [check for check in passed if check.name in again]
        for check in passed:
            if check.kind == "hidden" or not texts:
                returns = [line.partition("return ")[2] for line in answers[check.exercise].splitlines()]
                found[check.name].append(next(filter(None, returns), "")[:80])
    return found


def main(numbers: list[str]) -> int:
    """Print the checks that a constant passes; 1 where there is one."""
    course, bad = find_course(), 0
    with choose_kernels(unsafe=not probe().works) as kernels:
        for name in [course.lesson(number) for number in numbers] or course.lessons():
            lesson = fresh_lesson(course, name)
            cells = {cell.id: cell.metadata.get("nbgrader", {}) for cell in lesson.solution.cells}
            found = passing(lesson, kernels)
            bad += len(found)
            print(f"{name}: {len(found)} checks that a constant passes", flush=True)
            for check, constants in found.items():
                print(
                    f"    {check} ({cells[check].points:g} points): {'; '.join(dict.fromkeys(constants))}", flush=True
                )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
