"""Words of messages: lists of names, and commands as a person can type them.

Where `make` started us, `course` is mostly not on the PATH.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

BY_MAKE = "COURSE_BY_MAKE"  # set by the Makefile


MAX_NAMED = 10  # in one sentence


def listed(names: Sequence[str]) -> str:
    """Names for a sentence: "ada, bob", or the first ones "and 7 more"."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more


def typed(command: str, *words: str) -> str:
    """A command of the course for a message, in backticks: ``course check 01``, or ``make check ARGS=01``."""
    if not os.environ.get(BY_MAKE):
        return f"`{' '.join(['course', command, *words])}`"
    arguments = " ".join(words)
    quoted = f'"{arguments}"' if " " in arguments else arguments
    return f"`make {command}{f' ARGS={quoted}' if arguments else ''}`"
