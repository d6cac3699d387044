"""Fixtures that every kind of test uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.paths import Course

ROOT = Path(__file__).resolve().parent.parent

LESSONS = Course(ROOT).lessons()


@pytest.fixture(scope="session")
def course() -> Course:
    """The real course; tests only read it."""
    return Course(ROOT)
