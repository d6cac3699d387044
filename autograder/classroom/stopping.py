"""An orderly end when a person stops a grader."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil


class Stop:
    """Ctrl-C and SIGTERM as a question that is asked at safe moments, so that nothing breaks in the middle."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():  # Python hands signals to this thread alone
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _ask(self, *_: object) -> None:
        self.asked = True


@contextmanager
def like_ctrl_c() -> Iterator[None]:
    """SIGTERM as Ctrl-C, where what was begun can be left at any moment: what has to be removed is."""
    here = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler) if here else None
    try:
        yield
    finally:
        if here:
            signal.signal(signal.SIGTERM, before)


def end_processes(but: set[psutil.Process], done: Callable[[], bool], seconds: float = 30) -> None:
    """End what this process has started since ``but``, until ``done()``: a worker may just be starting another.

    Args:
        but: processes that were there before and stay.
        done: whether all who could start processes have stopped.
        seconds: give up after so long.
    """
    end = time.monotonic() + seconds
    while True:
        over = done() or time.monotonic() > end  # asked before the last round of ending
        for process in set(started()) - but:
            with suppress(psutil.Error):
                process.kill()
        if over:
            return
        time.sleep(0.1)


def started() -> list[psutil.Process]:
    """Every process below this one."""
    return psutil.Process().children(recursive=True)
