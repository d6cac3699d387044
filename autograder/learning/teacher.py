"""``course teacher``: JupyterLab on the whole course, with nbgrader's Formgrader."""

from __future__ import annotations

import argparse

from ..paths import Course, find_course
from .lab import Session, add_server_arguments, start


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)


def command(args: argparse.Namespace) -> int:
    course = find_course()
    return start(lambda: teacher(course), args)


def teacher(course: Course) -> Session:
    """A teacher's session: the whole course, and the exchange directory, which nbgrader does not make itself."""
    course.make_exchange()
    return Session(course, "teacher", course.root, "/lab")
