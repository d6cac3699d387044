"""``course build``: every notebook from its source, byte for byte the same on every machine.

``solutions/NN/NN.py`` becomes the instructor's notebook (:mod:`autograder.authoring.source`); nbgrader's own
``generate_assignment`` turns that into the learner's.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from itertools import chain
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ..errors import CourseError
from ..files import write_if_changed
from ..nbgrader_glue import ConverterLog, nbgrader_config
from ..notebooks import notebook_text
from ..paths import Course, find_course
from ..wording import typed
from .navigation import INDEX, index_notebook, readme_with_table
from .source import instructor_notebook


def release(course: Course, lesson: str, solution: NotebookNode) -> NotebookNode:
    """The learner's notebook, made by nbgrader's converter in a scratch folder.

    Raises:
        CourseError: nbgrader refused the notebook; its own words are in the message.
    """
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory

    with tempfile.TemporaryDirectory(prefix="course-build-") as scratch:
        source = Path(scratch, "source", lesson, f"{lesson}.ipynb")
        source.parent.mkdir(parents=True)
        source.write_text(notebook_text(solution), encoding="utf-8")
        config = nbgrader_config(course)
        config.CourseDirectory.root = scratch
        config.CourseDirectory.source_directory, config.CourseDirectory.release_directory = "source", "release"
        config.CourseDirectory.db_url = "sqlite://"
        config.CourseDirectory.assignment_id = lesson
        config.GenerateAssignment.no_database = True
        config.SaveCells.enabled = False
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        log = ConverterLog()
        converter.log = log.logger
        try:
            converter.start()
            text = Path(scratch, "release", lesson, f"{lesson}.ipynb").read_text(encoding="utf-8")
        except (Exception, SystemExit) as error:
            raise CourseError(f"nbgrader could not release {lesson}: {error} {log.last_words()}") from error
    return nbformat.reads(text, as_version=4)


def build_lesson(course: Course, lesson: str) -> dict[Path, str]:
    """``{path: text}`` of the two notebooks that are made from a lesson's source: the instructor's and the learner's.

    `course build` writes or compares these; `course answers` grades with them before they are written.
    """
    solution = instructor_notebook(course, lesson)
    released = release(course, lesson, solution)
    own = {cell.id: cell.source for cell in solution.cells}
    # people write into both notebooks where they lie: see `released_text`
    stubs = {cell.id: None if cell.source == own[cell.id] else cell.source for cell in released.cells}
    solution.metadata.course.stubs = stubs
    return {
        course.solution_notebook(lesson): notebook_text(solution),
        course.release_notebook(lesson): notebook_text(released),
    }


def overviews(course: Course) -> dict[Path, str]:
    """``{path: text}`` of what is made from all lessons together: the index, and the table in the README."""
    made = {course.notebooks / f"{INDEX}.ipynb": notebook_text(index_notebook(course))}
    readme = readme_with_table(course)
    return made | {course.root / "README.md": readme} if readme else made


def orphans(course: Course) -> list[Path]:
    """Folders under ``notebooks/`` whose lesson has no source any more; `course build` removes them."""
    if not course.notebooks.is_dir():
        return []
    return sorted(p for p in course.notebooks.iterdir() if p.is_dir() and p.name not in course.lessons())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="numbers or names; all when none is given")
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 if a notebook is not fresh")


def command(args: argparse.Namespace) -> int:
    course = find_course()
    lessons = [course.lesson(name) for name in args.lessons] or course.lessons()
    stale = 0
    for made in chain((build_lesson(course, lesson) for lesson in lessons), [overviews(course)]):
        for path, text in made.items():
            name = path.relative_to(course.root)
            if args.check:
                if not path.is_file() or path.read_text(encoding="utf-8") != text:
                    stale += 1
                    print(f"not fresh: {name} (run {typed('build')})")
            else:
                print(f"{'wrote    ' if write_if_changed(path, text) else 'unchanged'} {name}")
    for folder in [] if args.lessons else orphans(course):
        if args.check:
            stale += 1
            print(f"no source: {folder.relative_to(course.root)}")
        else:
            shutil.rmtree(folder)
            print(f"removed   {folder.relative_to(course.root)} (its source is gone)")
    return 1 if stale else 0
