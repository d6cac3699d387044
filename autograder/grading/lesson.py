"""What grading knows of a lesson."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from .. import __version__
from ..errors import CourseError
from ..notebooks import content
from ..paths import Course
from ..wording import typed


@dataclass(frozen=True)
class Lesson:
    """The instructor's and the learner's notebook of one build, as the text of their files."""

    name: str
    solution_text: str
    release_text: str

    @property
    def solution(self) -> NotebookNode:
        """The instructor's notebook, with answers and hidden checks. Only to be read."""
        return _parsed(self.solution_text)

    @property
    def release(self) -> NotebookNode:
        """The learner's notebook, with stubs. Only to be read."""
        return _parsed(self.release_text)

    @property
    def stubs(self) -> dict[str, str]:
        """``{cell id: text}`` of all cells as learners get them."""
        return {cell.id: cell.source for cell in self.release.cells}

    @cached_property
    def version(self) -> str:
        """Changes when the lesson, its checks or the grader change."""
        released = content(self.release_text.encode())  # whoever runs it where it lies changes nothing
        return hashlib.sha256(f"{grader_version()}\0{self.solution_text}\0{released}".encode()).hexdigest()


@lru_cache(maxsize=64)
def _parsed(text: str) -> NotebookNode:
    notebook: NotebookNode = nbformat.reads(text, as_version=4)  # callers copy before they change anything
    return notebook


@lru_cache(maxsize=1)
def grader_version() -> str:
    """Of all that grades, whatever room it is in, and of the interpreter that runs the notebooks."""
    package = Path(__file__).resolve().parent.parent
    code = hashlib.sha256()
    for path in sorted([*package.glob("*.py"), *package.glob("grading/**/*.py"), *package.glob("grading/*.json")]):
        code.update(path.read_bytes())
    return f"{__version__} {code.hexdigest()} {sys.version_info[:3]}"


def read_lesson(course: Course, name: str) -> Lesson:
    """The lesson's two notebooks, as they were built.

    Raises:
        CourseError: one of them has not been built.
    """
    paths = [course.solution_notebook(name), course.release_notebook(name)]
    for path in paths:
        if not path.is_file():
            raise CourseError(f"{path.relative_to(course.root)} does not exist yet. Run {typed('build', name[:2])}.")
    solution, release = (path.read_text(encoding="utf-8") for path in paths)
    return Lesson(name, solution, _as_built(solution, release))


def released_text(course: Course, name: str) -> str:
    """The learner's notebook as it was built.

    Raises:
        OSError: it has not been built.
    """
    release = course.release_notebook(name).read_text(encoding="utf-8")
    solution = course.solution_notebook(name)
    return _as_built(solution.read_text(encoding="utf-8"), release) if solution.is_file() else release


@lru_cache(maxsize=32)
def _as_built(solution: str, release: str) -> str:
    """The learner's notebook; with other cells or texts than it was built with, one made of the instructor's.

    A teacher may have solved exercises where it lies, or who opened the course there. That is nobody's stub.
    """
    built = json.loads(solution)
    stubs = built["metadata"].get("course", {}).get("stubs")
    if stubs is None:  # not by this version
        return release
    built["cells"] = [cell for cell in built["cells"] if cell.get("id") in stubs]
    for cell in built["cells"]:
        stub = stubs[cell["id"]]
        cell["source"] = cell["source"] if stub is None else stub
    text = json.dumps(built)
    return release if content(release.encode()) == content(text.encode()) else text
