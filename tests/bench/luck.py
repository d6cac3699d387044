"""What hangs on the luck of what is drawn: right answers that fail a hidden check for some, wrong ones that pass.

    python -m tests.bench.luck [LESSON ...] [--exercise NAME] [--seeds 100] [--first 1] [--only right]

The reference and the answers of a lesson's bank are asked by every hidden check that draws, as for so many learners;
each lesson's own cells run once for ten of them. Visible checks always ask the same and are left out, and so are
answers that need a kernel of their own. Prints each answer and check that is not as declared, with the seeds, by which
``course answers LESSON --seed N`` repeats it; status 1 if there is one.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from autograder.authoring.answers import Answer, fresh_lesson, grade_answers, read_bank, reference_answers, told
from autograder.grading.cells import CellRun, Ended, exercise, is_check
from autograder.grading.checks.drawn import material
from autograder.grading.checks.judge import Judge, Judged
from autograder.grading.lesson import Lesson
from autograder.grading.sandbox import Kernels, choose_kernels, probe
from autograder.paths import Course, find_course

TOGETHER = 10  # learners whose answers one kernel holds

Cases = dict[tuple[str, str], list[tuple[int, str]]]  # {(answer, check): [(seed, what the check said)]}


def main(arguments: list[str]) -> int:
    """Print what is not as declared; 1 where there is something."""
    parser = argparse.ArgumentParser(prog="luck", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="number or name; all lessons by default")
    parser.add_argument("--exercise", action="append", default=[], metavar="NAME", help="only answers to this one")
    parser.add_argument("--seeds", type=int, default=100, metavar="N", help="for how many learners (default 100)")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="the first learner's seed (default 1)")
    parser.add_argument("--only", choices=["reference", "right"], default="", help="fewer answers")
    args = parser.parse_args(arguments)
    course, bad = find_course(), 0
    with choose_kernels(unsafe=not probe().works) as kernels:
        for name in [course.lesson(number) for number in args.lessons] or course.lessons():
            lesson = fresh_lesson(course, name)
            answers = answers_of(course, lesson, args.exercise, args.only)
            found = not_as_declared(lesson, answers, range(args.first, args.first + args.seeds), kernels)
            bad += len(found)
            print(f"{name}, {len(answers)} answers, {args.seeds} seeds: {len(found)} not as declared", flush=True)
            for (answer, check), cases in sorted(found.items()):
                seeds = ", ".join(str(seed) for seed, _ in cases[:5])
                print(f"    {answer}, {check}: {len(cases)} seeds, such as {seeds}: {cases[0][1][:300]}", flush=True)
    return 1 if bad else 0


def answers_of(course: Course, lesson: Lesson, exercises: list[str], only: str) -> list[Answer]:
    """The reference, as an answer to each exercise, and what the bank has; of exercises with checks that draw."""
    texts, asked = reference_answers(lesson), drawing(lesson).values()
    answers = [Answer(f"reference_{name}", name, 1, 1, text, {}, 0, False) for name, text in texts.items()]
    if only != "reference":
        answers += [one for one in read_bank(course, lesson.name) if not one.alone and not (only and one.fails)]
    return [one for one in answers if one.exercise in (exercises or asked) and one.exercise in asked]


def drawing(lesson: Lesson) -> dict[str, str]:
    """``{hidden check: its exercise}`` of those that draw."""
    cells = [cell for cell in lesson.solution.cells if is_check(cell) and material(cell, lesson.solution, 0)]
    return {cell.metadata.nbgrader.grade_id: exercise(cell) for cell in cells}


def not_as_declared(lesson: Lesson, answers: list[Answer], seeds: range, kernels: Kernels) -> Cases:
    """What is not as declared, of a lesson's answers for these seeds."""
    checks, found = drawing(lesson), defaultdict(list)
    hands = [seeds[start : start + TOGETHER] for start in range(0, len(seeds), TOGETHER)]
    with ThreadPoolExecutor(os.cpu_count()) as pool, one_seed_after_the_other(len(answers), checks):
        for part in pool.map(partial(_of_one_kernel, lesson, answers, checks, kernels), hands):
            for key, cases in part.items():
                found[key] += cases
    return found


def _of_one_kernel(
    lesson: Lesson, answers: list[Answer], checks: dict[str, str], kernels: Kernels, seeds: range
) -> Cases:
    hand = [dataclasses.replace(one, name=f"{seed} {one.name}") for seed in seeds for one in answers]
    reports = grade_answers(lesson, hand, kernels, seed=seeds[0])
    found = defaultdict(list)
    for one in hand:
        seed, _, name = one.name.partition(" ")
        for check in reports[one.name].checks:
            if checks.get(check.name) == one.exercise and check.passed == (check.name in one.fails):
                found[name, check.name].append((int(seed), "it passes" if check.passed else told(check)))
    return found


@contextmanager
def one_seed_after_the_other(answers: int, checks: dict[str, str]) -> Iterator[None]:
    """Meanwhile each so many answers of a notebook are the next learner's, and only these checks ask."""
    judge = Judge.judge

    async def drawn(self, cell, channel, seconds):
        number, _, name = cell.id.partition("-")
        if name not in checks:
            return Judged(CellRun(Ended.OK))
        self.first = getattr(self, "first", self.seed)
        self.seed = self.first + int(number) // answers
        return await judge(self, cell, channel, seconds)

    Judge.judge = drawn
    try:
        yield
    finally:
        Judge.judge = judge


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
