"""``course demo``: a small made-up class in classroom/submitted/, with the score that each student must get."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import MissingEntry
from nbgrader.utils import rmtree
from rich.console import Console
from rich.table import Table

from ..authoring.answers import Answer, combine, read_bank, reference_answers, submission
from ..errors import CourseError
from ..files import write_if_changed
from ..grading.lesson import Lesson, read_lesson
from ..grading.matching import announced_names
from ..paths import Course, find_course
from ..reports.page import number
from ..wording import typed
from .gradebook import open_gradebook
from .grading_lock import only_grader
from .submissions import Classroom

PREFIX = "demo-"
MARKER = ".made-by-course-demo"  # in each made-up student's folder: only these are ever replaced
IN_WORDS = "Because a request is not yet a fact. (Made up by `course demo`.)"


@dataclass
class Expected:
    """What grading must say of one made-up submission."""

    score: float
    max_score: float
    waiting: float = 0  # points of written answers
    needs_person: bool = False
    says: str = ""  # words in what is said about the file


@dataclass
class MadeUp:
    """One made-up submission: a file's name and bytes (None: no file), and what grading must say."""

    raw: bytes | None
    expected: Expected
    file: str = ""  # when it is not the lesson's own name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", nargs="*", help="e.g. 01 04 (default: 00 and 01, which are graded quickly)")
    parser.add_argument("--remove", action="store_true", help="take the made-up students away again")


def command(args: argparse.Namespace) -> int:
    console, classroom = Console(), Classroom(find_course())
    if args.remove:
        with only_grader(classroom.course):
            students = [folder.name for folder in made_up_students(classroom)]
            remove(classroom)
            forget(classroom.course, students)
        console.print(f"Removed {len(students)} made-up students, and their results.")
        return 0
    names = [classroom.course.lesson(name) for name in args.lesson] or classroom.course.lessons()[:2]
    expected = make_class(classroom, names)
    show(expected, console)
    console.print(f"Now run {typed('grade')}: each student gets exactly these points.", highlight=False)
    return 0


def made_up_students(classroom: Classroom) -> list[Path]:
    """Folders that an earlier demo made."""
    if not classroom.submitted.is_dir():
        return []
    return sorted(p for p in classroom.submitted.glob(f"{PREFIX}*") if (p / MARKER).is_file())


def remove(classroom: Classroom) -> int:
    students = made_up_students(classroom)
    for folder in students:
        shutil.rmtree(folder)
    return len(students)


def forget(course: Course, students: list[str]) -> None:
    """Take what grading made of students away: results, pages, rows of the gradebook."""
    for student in students:
        for place in ("autograded", "feedback"):
            if (folder := course.classroom / place / student).is_dir():
                rmtree(str(folder))
        for path in (course.classroom / "journal").glob(f"*/{student}.*"):
            path.unlink()
    if Classroom(course).has_gradebook:
        with open_gradebook(course) as gradebook:
            for student in students:
                with suppress(MissingEntry):
                    gradebook.remove_student(student)


def make_class(classroom: Classroom, lessons: list[str]) -> dict[str, dict[str, dict]]:
    """Put the made-up class in place; ``{student: {lesson: what grading must say}}``, also in classroom/demo.json.

    Raises:
        CourseError: there is a real class, or a folder that looks made up but is not.
    """
    refuse_real_class(classroom)
    remove(classroom)
    expected: dict[str, dict[str, dict]] = {}
    for lesson, students in made_up_class(classroom.course, lessons).items():
        for student, made in students.items():
            put(classroom, student, lesson, made)
            expected.setdefault(student, {})[lesson] = asdict(made.expected)
    write_if_changed(classroom.course.classroom / "demo.json", json.dumps(expected, indent=1) + "\n")
    return expected


def refuse_real_class(classroom: Classroom) -> None:
    if not classroom.submitted.is_dir():
        return
    made = made_up_students(classroom)
    real = [
        p.name for p in classroom.submitted.iterdir() if p.is_dir() and p not in made and not p.name.startswith(".")
    ]
    if real:
        raise CourseError(
            f"classroom/submitted/ holds a class that this command did not make ({sorted(real)[0]} and {len(real) - 1} "
            "more). A made-up class would mix with it, so nothing was changed. Try the demo in another clone."
        )


def put(classroom: Classroom, student: str, lesson: str, made: MadeUp) -> None:
    """Lay one submission where nbgrader's collect would put it, with the time of handing in."""
    folder = classroom.submitted / student / lesson
    classroom.course.make_classroom()
    folder.mkdir(parents=True, exist_ok=True)
    (folder.parent / MARKER).touch()
    (folder / "timestamp.txt").write_text(datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC"))
    if made.raw is not None:
        (folder / (made.file or f"{lesson}.ipynb")).write_bytes(made.raw)


def made_up_class(course: Course, lessons: list[str]) -> dict[str, dict[str, MadeUp]]:
    """``{lesson: {student: submission}}``: answers of all kinds for each of these lessons, broken files for one."""
    made = {}
    for name in lessons:
        lesson = read_lesson(course, name)
        made[name] = answering_students(lesson, read_bank(course, name))
    if made:
        broken = next((name for name in made if name.startswith("01_")), next(iter(made)))
        made[broken] |= broken_students(read_lesson(course, broken))
    return made


class Points:
    """The points of a lesson, from its checks."""

    def __init__(self, lesson: Lesson) -> None:
        graded = [cell for cell in lesson.solution.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        worth = {
            True: sum(c.metadata.nbgrader.points for c in graded if c.metadata.nbgrader.solution),
            False: sum(c.metadata.nbgrader.points for c in graded if not c.metadata.nbgrader.solution),
        }
        self.written, self.checks = worth[True], worth[False]

    @property
    def all(self) -> float:
        return self.written + self.checks


def in_words(lesson: Lesson) -> dict[str, str]:
    """A written answer for each that the lesson asks for."""
    return {cell.id: IN_WORDS for cell in lesson.release.cells if cell.metadata.course.role == "written"}


def answering_students(lesson: Lesson, bank: list[Answer]) -> dict[str, MadeUp]:
    """Students whose notebook is whole: all right, half right, all wrong, nothing written."""
    reference, words, points = reference_answers(lesson), in_words(lesson), Points(lesson)
    wrong = [a for a in bank if a.points < a.max_points and not a.alone]
    first_wrong = (combine(wrong, list(reference)) or [{}])[0]
    half = dict(list(first_wrong.items())[len(reference) // 2 :])  # the second half of the exercises is wrong
    students = {
        "right": MadeUp(
            submission(lesson, reference | words), Expected(points.checks, points.all, waiting=points.written)
        ),
        "empty": MadeUp(submission(lesson, {}), Expected(0, points.all)),
    }
    for student, answers, written in (("half-right", half, words), ("wrong", first_wrong, {})):
        lost = sum(answer.max_points - answer.points for answer in answers.values())
        texts = reference | {exercise: answer.text for exercise, answer in answers.items()} | written
        students[student] = MadeUp(
            submission(lesson, texts),
            Expected(points.checks - lost, points.all, waiting=points.written if written else 0),
        )
    return {PREFIX + student: made for student, made in students.items()}


def broken_students(lesson: Lesson) -> dict[str, MadeUp]:
    """Students whose file has suffered; whoever can be helped gets the points of the right answers in it."""
    points, right = Points(lesson), submission(lesson, reference_answers(lesson) | in_words(lesson))
    full = {"score": points.checks, "max_score": points.all, "waiting": points.written}
    nothing: dict[str, Any] = {"score": 0, "max_score": points.all, "needs_person": True}
    students = {
        "not-json": MadeUp(right[: len(right) // 2], Expected(**nothing, says="not valid JSON")),
        "zero-bytes": MadeUp(b"", Expected(**nothing, says="empty")),
        "missing-notebook": MadeUp(None, Expected(**nothing, says="No notebook was handed in")),
        "misnamed": MadeUp(right, Expected(**full, says="was named"), file=f"{lesson.name} (1).ipynb"),
        "noisy": MadeUp(noisy(lesson), Expected(**full)),
    }
    damages: dict[str, tuple[Callable[[nbformat.NotebookNode], None], str]] = {
        "duplicated-cells": (duplicate_cells, "In several cells"),
        "deleted-tests": (delete_tests, "put back"),
        "from-colab": (save_like_colab, "Colab"),
        "lost-metadata": (lose_metadata, "marks were missing"),
    }
    for student, (damage, says) in damages.items():
        students[student] = MadeUp(damaged(right, damage), Expected(**full, says=says))
    return {PREFIX + student: made for student, made in students.items()}


def damaged(raw: bytes, damage: Callable[[nbformat.NotebookNode], None]) -> bytes:
    """The JSON of a notebook after ``damage`` worked on it; what nbformat would refuse to write is written too."""
    content = nbformat.from_dict(json.loads(raw))
    damage(content)
    return json.dumps(content, ensure_ascii=False).encode()


def duplicate_cells(notebook: nbformat.NotebookNode) -> None:
    """Copy and paste of every answer and every check, marks included."""
    cells = []
    for cell in notebook.cells:
        copies = 2 if cell.metadata.course.role in ("solution", "check", "hidden") else 1
        cells += [cell] * copies
    notebook.cells = cells


def delete_tests(notebook: nbformat.NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if cell.metadata.course.role not in ("check", "hidden")]


def in_format_4_0(notebook: nbformat.NotebookNode) -> None:
    notebook.nbformat_minor = 0


def ids_in_metadata(notebook: nbformat.NotebookNode) -> None:
    """Where Colab keeps the ids of cells."""
    for cell in notebook.cells:
        cell.metadata["id"] = cell.pop("id")


def widgets_without_state(notebook: nbformat.NotebookNode) -> None:
    """The models stand where the format wants a `state` that holds them; nbconvert and GitHub stumble over it."""
    model = {"model_module": "@jupyter-widgets/controls", "model_name": "VBoxModel", "model_module_version": "1.5.0"}
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"0f1e2d3c4b5a": model}}
    view = {"model_id": "0f1e2d3c4b5a", "version_major": 2, "version_minor": 0}
    data = {"text/plain": ["VBox()"], "application/vnd.jupyter.widget-view+json": view}
    code = next(cell for cell in notebook.cells if cell.cell_type == "code")
    code.outputs = [nbformat.from_dict({"output_type": "display_data", "data": data, "metadata": {}})]


def colabs_own_metadata(notebook: nbformat.NotebookNode) -> None:
    """What Colab notes on runtime, owner, runs and outputs."""
    notebook.metadata["colab"] = {"provenance": [], "toc_visible": True, "gpuType": "T4"}
    notebook.metadata["accelerator"] = "GPU"
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    notebook.metadata["language_info"] = {"name": "python"}
    for count, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
        cell.metadata["colab"] = {"base_uri": "https://localhost:8080/", "height": 35}
        cell.metadata["outputId"] = "0f1e2d3c"
        cell.metadata["executionInfo"] = {"status": "ok", "elapsed": 7, "user": {"displayName": "A. Learner"}}
        cell.execution_count = count


def titles_with_a_space(notebook: nbformat.NotebookNode) -> None:
    """Colab's formatter writes form titles its own way."""
    for cell in notebook.cells:
        lines = [cell.source] if isinstance(cell.source, str) else cell.source
        cell.source = [line.replace("#@title", "# @title") for line in lines]


COLAB_DAMAGES = (in_format_4_0, ids_in_metadata, widgets_without_state, colabs_own_metadata, titles_with_a_space)


def save_like_colab(notebook: nbformat.NotebookNode) -> None:
    """All that happens to a notebook that is worked on, saved and downloaded in Colab."""
    for damage in COLAB_DAMAGES:
        damage(notebook)


def lose_metadata(notebook: nbformat.NotebookNode) -> None:
    """What some editors leave: new ids, no metadata at all."""
    notebook.metadata = {}
    for position, cell in enumerate(notebook.cells):
        cell.metadata, cell.id = {}, f"{position:08x}"


def noisy(lesson: Lesson) -> bytes:
    """Right answers that log to stderr whenever they are called; nbgrader alone would give them nothing."""
    cells = {cell.id: cell for cell in lesson.release.cells}
    texts = {}
    for exercise, text in reference_answers(lesson).items():
        given = cells[exercise].metadata.course.get("given", {})  # not a learner's to change
        names = [name for name in announced_names(cells[exercise].source) if name not in given]
        texts[exercise] = text + "".join(NOISE.format(name=name) for name in names)
    return submission(lesson, texts | in_words(lesson))


NOISE = """

def noisy(function):
    import functools, sys
    @functools.wraps(function)
    def call(*args, **keywords):
        print("WARNING: {name} was called", file=sys.stderr)
        return function(*args, **keywords)
    return call

{name} = noisy({name})
"""


def show(expected: dict[str, dict[str, dict]], console: Console) -> None:
    """The class as a table of the points that grading must find."""
    lessons = sorted({lesson for row in expected.values() for lesson in row})
    table = Table(
        title="A made-up class in classroom/submitted/, and the points that each must get", title_justify="left"
    )
    table.add_column("Student", no_wrap=True)
    for lesson in lessons:
        table.add_column(lesson, justify="right")
    for student, row in sorted(expected.items()):
        table.add_row(student, *(_cell(row.get(lesson)) for lesson in lessons))
    console.print(table)


def _cell(expected: dict | None) -> str:
    if expected is None:
        return "–"
    signs = " ✎" * bool(expected["waiting"]) + " !" * expected["needs_person"]
    return f"{number(expected['score'])} of {number(expected['max_score'])}{signs}"
