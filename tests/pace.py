"""Processor time in seconds of a quiet machine: so "at once, not minutes" can be told on a slow or busy one, too."""

from __future__ import annotations

import ast
import time

TEXT = "x = [a.b(c, d=1) for e in f if g]\n" * 2000
USUAL = 0.1  # seconds that reading ``TEXT`` takes on a quiet machine of the kind on which the bounds were set


class Stopwatch:
    """Begins when it is made. One piece of work, timed before and after, says how slow the machine is meanwhile."""

    def __init__(self) -> None:
        self._work = _seconds_of_the_same_work()
        self._begin = time.process_time()

    def seconds(self) -> float:
        """Seconds of the processor since it was made, as few as a quiet machine would have taken."""
        taken = time.process_time() - self._begin
        return taken * min(1.0, USUAL / max(self._work, _seconds_of_the_same_work()))


def _seconds_of_the_same_work() -> float:
    begin = time.process_time()
    for _ in ast.walk(ast.parse(TEXT)):
        pass
    return time.process_time() - begin
