"""Words of messages and of commands: lists of names, commands as a person can type them, limits of time.

Where `make` started us, `course` is mostly not on the PATH.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence

BY_MAKE = "COURSE_BY_MAKE"  # set by the Makefile


A_DAY = 86_400.0  # seconds
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


def seconds(text: str) -> float:
    """A limit of time as a person types it.

    Raises:
        argparse.ArgumentTypeError: nothing can be done in that time, or it is no number.
    """
    try:
        limit = float(text)
    except ValueError:
        limit = 0
    if limit > A_DAY:
        raise argparse.ArgumentTypeError(f"{text!r} is longer than a day. Give the seconds that a cell may take.")
    if not 0 < limit < math.inf:
        raise argparse.ArgumentTypeError(
            f"{text!r} grades nothing. Give the seconds that a cell may take, for instance 60."
        )
    return limit
