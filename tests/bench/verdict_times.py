"""What judging outside the kernel costs: the same submissions with checks outside and inside, in turn, one worker.

    python -m tests.bench.verdict_times 01 [rounds]

Prints seconds per submission both ways, their ratio, and milliseconds per question.
"""

from __future__ import annotations

import statistics
import sys

from autograder.authoring.answers import fresh_lesson, reference_answers, submission
from autograder.grading.checks.channel import Channel
from autograder.paths import find_course
from tests.grading.conftest import graded

ASKED: list[float] = []


def watch_questions() -> None:
    """Note how long each question takes, from the request to the answer."""
    ask = Channel.ask

    async def timed(self, *args, **kwargs):
        before = self.seconds
        try:
            return await ask(self, *args, **kwargs)
        finally:
            ASKED.append(1000 * (self.seconds - before))

    Channel.ask = timed


def main() -> None:
    course = find_course()
    lesson = fresh_lesson(course, course.lesson(sys.argv[1]))
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    raw = submission(lesson, reference_answers(lesson))
    watch_questions()
    graded(raw, lesson)  # starts the warm process, fills the caches
    ASKED.clear()
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(rounds):
        for inside in (False, True):
            report = graded(raw, lesson, in_kernel=inside).report
            assert report.automatic[0] == report.automatic[1]
            seconds[inside].append(report.seconds)
    outside, within = (statistics.median(seconds[where]) for where in (False, True))
    print(
        f"{lesson.name}, {rounds} rounds: outside {outside:.2f} s, inside {within:.2f} s, ratio {outside / within:.2f}"
    )
    quick = statistics.quantiles(ASKED, n=10)
    print(f"{len(ASKED) // rounds} questions each: median {statistics.median(ASKED):.1f} ms, 9 of 10 {quick[8]:.1f} ms")


if __name__ == "__main__":
    main()
