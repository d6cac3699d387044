"""Commands as a person can type them: where `make` started us, `course` is mostly not on the PATH."""

from __future__ import annotations

import os

BY_MAKE = "COURSE_BY_MAKE"  # set by the Makefile


def typed(command: str, *words: str) -> str:
    """A command of the course for a message, in backticks: ``course check 01``, or ``make check ARGS=01``."""
    if not os.environ.get(BY_MAKE):
        return f"`{' '.join(['course', command, *words])}`"
    arguments = " ".join(words)
    quoted = f'"{arguments}"' if " " in arguments else arguments
    return f"`make {command}{f' ARGS={quoted}' if arguments else ''}`"
