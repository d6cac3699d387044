"""From a lesson's py:percent source to the instructor's notebook.

The header of each cell says what the cell is for (``# %% check="spread-order" points=2``; docs/authors.md has
the list). This module turns headers into nbgrader's metadata, puts shared cells in (:mod:`.shared`), links sections
and lessons (:mod:`.navigation`), embeds pictures, and gives every cell an id that depends on nothing but the source,
so that two builds are identical.
"""

from __future__ import annotations

import ast
import base64
import html
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from ..errors import CourseError
from ..grading.checks.drawn import IN_NOTEBOOK, drawn_names
from ..notebooks import BEGIN_HIDDEN, NOTEBOOK_METADATA
from ..paths import Course
from ..python_code import parse
from .fonts import with_letters
from .given import Lesson, given_functions, measured_with, noted_by
from .navigation import FOLDED, HIDE_INPUT, Places, closing, linked, opening, places_of
from .shared import asks_for, cell_of, modules_with, own_names, text_of

# Header keys that say what a cell is for; a cell has at most one. Their value names the exercise or the check.
ROLES = ("include", "predict", "exercise", "solution", "try", "check", "hidden", "written", "model")
MARKDOWN_ROLES = ("exercise", "written", "model")

QUIET_START = "quiet_start.py"  # the shared cell that makes logical devices and seeds
COLAB_SETUP = "colab_setup.py"  # the shared cell that every lesson's code begins with
COMES_ALONG = {"IPython", "keras", "numpy"}  # with what a lesson needs anyway
# What a notebook's metadata says so that Colab opens it on a runtime of this kind.
RUNTIMES = {
    "GPU": {"accelerator": "GPU", "colab": {"gpuType": "T4"}},
    "TPU": {"accelerator": "TPU", "colab": {"gpuType": "V5E1"}},
}

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
END_HIDDEN = "### END HIDDEN TESTS"

# How an exercise is solved: with today's TensorFlow and Keras, with graphs and sessions, as a model in plain Python or
# NumPy, by reading logs and settings, or by driving processes. `course lint` counts points by it.
KINDS = ("today", "graph", "model", "log", "process")
REQUIREMENT = re.compile(r" ?\{#(\d+)\}")  # the number of a requirement in an exercise's text; not shown

CHECK_MARK = "# check: {name}"  # the second line of each check's cell, by which the notebook knows it
HIDDEN_NOTE = (
    "# Asks again with other inputs of the same description, when you are graded\n"
    "# (`make check ARGS={number}` in the course's folder, or your teacher). Running it here asks nothing."
)

PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>assets/[^)\s]+)\)")
GPU_RECORD = re.compile(r"^\{\{gpu record: (?P<name>[^}]+)\}\}$", re.MULTILINE)
NO_GPU_RECORD = "*Not recorded yet: nobody has run `assets/record_gpu.py` on a machine with a GPU.*"
PICTURE_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}

# {check: [exercise, points, "visible" | "hidden" | "written", title]}; lists, since notebooks hold it as JSON
Checks = dict[str, list[Any]]


@dataclass
class SourceCell:
    """One cell as its author wrote it."""

    kind: str  # "code" or "markdown"
    role: str  # one of ROLES, or "prose" (markdown) or "code"
    name: str  # the role's value: an exercise, a check, a shared file; "" for prose and plain code
    text: str
    where: str  # "solutions/01_x/01_x.py:120", for messages
    points: int = 0
    skip_grading: bool = False
    keywords: dict[str, Any] = field(default_factory=dict)  # an include's parameters
    runtime: str = ""  # of the first cell: the kind of machine that Colab should open the lesson on
    automatic: bool = False  # put in by the build; not in the source
    modules: list[str] = field(default_factory=list)  # of an include: what it brings, each after what it needs
    shown: bool = False  # an include that is not folded
    title: str = ""  # of a check: what it asks
    solved: str = ""  # of a solution: one of KINDS
    minutes: int = 0  # of the first cell: the whole lesson
    exercise_minutes: int = 0  # of the first cell: of these, the exercises

    @property
    def exercise(self) -> str:
        """The exercise that this cell is a part of; empty for checks, whose exercise ``checks_of`` knows."""
        return self.name if self.role in ("exercise", "solution", "try", "written", "model") else ""


def plural(points: int) -> str:
    """``1 point``, ``2 points``."""
    return f"{points} point" if points == 1 else f"{points} points"


def read_cells(course: Course, lesson: str) -> list[SourceCell]:
    """Read a lesson's source and check its headers. Build and lint begin with this.

    Raises:
        CourseError: a header that does not fit docs/authors.md, with file and line.
    """
    path = course.source(lesson)
    text = path.read_text(encoding="utf-8")
    import jupytext  # brings half a Jupyter server: grading does without

    notebook = jupytext.reads(text, fmt="py:percent")
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("# %%")]
    if len(lines) != len(notebook.cells):
        raise CourseError(
            f"{path.relative_to(course.root)} has {len(lines)} `# %%` lines but reads as {len(notebook.cells)} cells: "
            "text before the first `# %%`, or a `# %%` inside a string."
        )
    cells = []
    for cell, line in zip(notebook.cells, lines, strict=True):
        cells.append(_parse(cell, f"{path.relative_to(course.root)}:{line}"))
    for cell in cells[1:]:
        if cell.runtime or cell.minutes or cell.exercise_minutes:
            raise CourseError(
                f"{cell.where}: runtime=, minutes= and exercises= belong into the header of a lesson's first cell."
            )
    cells = _with_colab_setup(course, cells)
    _find_modules(course, cells)
    return cells


def _find_modules(course: Course, cells: list[SourceCell]) -> None:
    """What each include brings, which nothing before it has brought."""
    brought: set[str] = set()
    home: dict[str, str] = {}  # {name: the shared module that defines it}
    for cell in cells:
        if cell.role != "include":
            continue
        named = [name.removesuffix(".py") for name in cell.name.split()]
        cell.modules = [name for name in modules_with(course, named, cell.where) if name not in brought]
        if not set(named) <= set(cell.modules):
            twice = ", ".join(sorted(set(named) - set(cell.modules)))
            raise CourseError(f"{cell.where}: {twice} is in the notebook already, from an include before this one.")
        brought.update(cell.modules)
        for module in cell.modules:
            for name in sorted(own_names(text_of(course, module, cell.where))):
                if home.setdefault(name, module) != module:
                    both = f"{home[name]}.py and {module}.py both define {name}"
                    raise CourseError(f"{cell.where}: {both}; in a notebook the second would replace the first.")


def _with_colab_setup(course: Course, cells: list[SourceCell]) -> list[SourceCell]:
    """The cells with the set-up for Colab before the first code; it is told which modules the lesson imports."""
    first = next((index for index, cell in enumerate(cells) if cell.kind == "code"), None)
    if first is None or not (course.shared / COLAB_SETUP).is_file():
        return cells
    keywords = {"modules": imported_modules(course, cells), "uses_tpu": cells[0].runtime == "TPU"}
    setup = SourceCell("code", "include", COLAB_SETUP, "", cells[first].where, 0, True, keywords, automatic=True)
    return [*cells[:first], setup, *cells[first:]]


def imported_modules(course: Course, cells: list[SourceCell]) -> list[str]:
    """Modules that the cells which learners get import from outside the standard library.

    The set-up cell for Colab installs those that a runtime lacks.
    """
    found: set[str] = set()
    for cell in cells:
        if cell.kind != "code" or cell.role in ("solution", "hidden"):
            continue
        try:
            tree = parse(shared_cell(course, cell) if cell.role == "include" else cell.text)
        except SyntaxError:
            continue  # on purpose, or lint says so
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").partition(".")[0])
    written = {name for cell in cells for name in re.findall(r"^%%writefile (?:-a )?(\w+)\.py", cell.text)}
    return sorted(found - COMES_ALONG - written - set(sys.stdlib_module_names))


def _parse(cell: NotebookNode, where: str) -> SourceCell:
    header = {key: value for key, value in cell.metadata.items() if key != "lines_to_next_cell"}
    roles = [key for key in ROLES if key in header]
    if len(roles) > 1:
        raise CourseError(f"{where}: a cell has one purpose, but its header names {' and '.join(roles)}.")
    role = roles[0] if roles else ("prose" if cell.cell_type == "markdown" else "code")
    name = str(header.pop(role, ""))
    points, grading, runtime = header.pop("points", 0), header.pop("grading", ""), header.pop("runtime", "")
    title, solved = str(header.pop("title", "")), str(header.pop("kind", ""))
    minutes, exercise_minutes = header.pop("minutes", 0), header.pop("exercises", 0)
    shown = header.pop("shown", False)
    about = {key for key in ("gives", "after") if header.pop(key, None)}  # navigation.py reads these
    if role != "include" and header:
        raise CourseError(f"{where}: unknown header key {sorted(header)[0]!r}; docs/authors.md lists the keys.")
    if (role in MARKDOWN_ROLES) != (cell.cell_type == "markdown") and role not in ("prose", "code"):
        raise CourseError(
            f"{where}: a cell with {role}= must be a {'markdown' if role in MARKDOWN_ROLES else 'code'} cell."
        )
    if grading not in ("", "skip"):
        raise CourseError(f'{where}: grading={grading!r} is not known; write grading="skip" or leave it out.')
    if runtime not in ("", *RUNTIMES):
        raise CourseError(f"{where}: runtime={runtime!r} is not known; it is one of {', '.join(RUNTIMES)}.")
    graded = role in ("check", "hidden", "written")
    if graded != bool(points) or type(points) is not int or points < 0:
        raise CourseError(
            f"{where}: checks and written answers carry points (a whole number of 1 or more); other cells do not."
        )
    if title and role not in ("check", "hidden"):
        raise CourseError(f"{where}: title= says what a check asks; other cells have none.")
    if solved and (role != "solution" or solved not in KINDS):
        raise CourseError(f"{where}: kind={solved!r}: a solution's header says one of {', '.join(KINDS)}.")
    if about and role != "prose":
        raise CourseError(f"{where}: gives= and after= belong into the header of a lesson's first cell.")
    if shown and role != "include":
        raise CourseError(f"{where}: shown= is for includes; other cells are shown anyway.")
    made = SourceCell(cell.cell_type, role, name, cell.source, where, points, grading == "skip", header, runtime)
    made.title, made.solved, made.shown = title, solved, bool(shown)
    made.minutes, made.exercise_minutes = minutes, exercise_minutes
    return made


def checks_of(cells: list[SourceCell]) -> Checks:
    """``{check name: [exercise, points, "visible" | "hidden" | "written", title]}`` in the lesson's order.

    Raises:
        CourseError: a check whose name does not begin with the exercise it stands in, or a name used twice.
    """
    found: Checks = {}
    exercise = ""
    for cell in cells:
        if cell.role in ("exercise", "solution"):
            exercise = cell.name
        if cell.role not in ("check", "hidden", "written"):
            continue
        if cell.name in found:
            raise CourseError(f"{cell.where}: the name {cell.name!r} is used twice.")
        if cell.role == "written":
            found[cell.name] = [cell.name, cell.points, "written", "In your own words"]
        elif not cell.name.startswith(f"{exercise}-") or not exercise:
            raise CourseError(
                f"{cell.where}: check {cell.name!r} must begin with its exercise's name, {exercise + '-'!r}."
            )
        else:
            kind = "visible" if cell.role == "check" else "hidden"
            found[cell.name] = [exercise, cell.points, kind, cell.title or cell.name]
    return found


def instructor_notebook(course: Course, lesson: str) -> NotebookNode:
    """The instructor's notebook of ``lesson``: answers and hidden tests in place, no outputs. The build starts from it.

    Args:
        course: whose sources to read.
        lesson: a slug, e.g. ``"01_device_placement"``.

    Raises:
        CourseError: a fault in the source, with file and line.
    """
    cells = read_cells(course, lesson)
    checks = checks_of(cells)
    places = places_of(cells, checks)
    about = {"lesson": lesson, **_preparation(course, cells)}
    metadata = {**NOTEBOOK_METADATA, **RUNTIMES.get(cells[0].runtime, {}), "course": about}
    notebook = nbformat.v4.new_notebook(metadata=metadata)
    position = 0  # in the source: the ids of cells do not depend on what the build puts in
    for cell in cells:
        notebook.cells.append(_notebook_cell(course, lesson, cell, position, checks, places))
        position += not cell.automatic
    _say_what_is_given(notebook, cells)
    if notebook.cells:
        notebook.cells[0].source = opening(course, lesson, cells, notebook.cells[0].source)
        notebook.cells += closing(course, lesson, cells)
    nbformat.validate(notebook)
    return notebook


def _say_what_is_given(notebook: NotebookNode, cells: list[SourceCell]) -> None:
    """Into the metadata of solution cells: functions that the stub gives for its checks, and what they measure with."""
    lesson = Lesson(
        [built.source for built, cell in zip(notebook.cells, cells, strict=True) if cell.role in ("code", "include")]
    )
    for built, cell in zip(notebook.cells, cells, strict=True):
        given = given_functions(built.source) if cell.role == "solution" else {}
        if given:
            measured = measured_with(given, lesson)
            built.metadata.course |= {"given": given, "measured_with": measured}
            if functions := noted_by(measured, lesson):
                built.metadata.course["noted_by"] = functions


def _preparation(course: Course, cells: list[SourceCell]) -> dict[str, int]:
    """What the lesson's start prepares, for the processes that judge its checks: ``devices`` (logical) and ``seed``."""
    start = next((cell for cell in cells if cell.role == "include" and cell.name == QUIET_START), None)
    found = {"devices": 0, "seed": 0}
    for node in parse(shared_cell(course, start)).body if start else []:
        match node:
            case ast.Assign(targets=[ast.Name("DEVICES" | "SEED" as name)], value=ast.Constant(int(value))):
                found[name.lower()] = value
    return found


def _notebook_cell(
    course: Course, lesson: str, cell: SourceCell, position: int, checks: Checks, places: Places
) -> NotebookNode:
    metadata: dict[str, Any] = {"course": {"role": cell.role}}
    if cell.skip_grading:
        metadata["course"]["grading"] = "skip"
    exercise = checks[cell.name][0] if cell.name in checks else cell.exercise
    if exercise:
        metadata["course"]["exercise"] = exercise
    identity, nbgrader = _identity(cell, position)
    if nbgrader:
        metadata["nbgrader"] = {"schema_version": 3, "grade_id": identity, "task": False, **nbgrader}
    if cell.role in ("check", "hidden"):
        metadata["course"]["title"] = cell.title or cell.name
        metadata["tags"] = ["raises-exception"]  # Run All goes on after it; the error still counts
    if cell.role in ("check", "hidden") or (cell.role == "include" and not cell.shown):
        metadata |= FOLDED
        metadata["tags"] = [*metadata.get("tags", []), HIDE_INPUT]
    if cell.role in ("prose", "model"):
        metadata["editable"] = False
    make = nbformat.v4.new_markdown_cell if cell.kind == "markdown" else nbformat.v4.new_code_cell
    return make(_text(course, lesson, cell, checks, places), id=identity, metadata=metadata)


def _identity(cell: SourceCell, position: int) -> tuple[str, dict[str, Any]]:
    """The cell's id (nbgrader's ``grade_id`` where it has one) and what nbgrader must know about it."""
    read_only = {"grade": False, "solution": False, "locked": True}
    match cell.role:
        case "include":
            several = len(cell.name.split()) > 1
            return "shared-helpers" if several else f"shared-{Path(cell.name).stem}", read_only
        case "exercise":
            return f"{cell.name}-text", read_only
        case "solution":
            return cell.name, {"grade": False, "solution": True, "locked": False}
        case "check" | "hidden":
            return cell.name, {"grade": True, "solution": False, "locked": True, "points": cell.points}
        case "written":
            return cell.name, {"grade": True, "solution": True, "locked": False, "points": cell.points}
        case "try" | "predict" | "model":
            return f"{cell.name}-{cell.role}", {}
        case _:
            return f"cell-{position:03}", {}


def _text(course: Course, lesson: str, cell: SourceCell, checks: Checks, places: Places) -> str:
    match cell.role:
        case "include":
            return shared_cell(course, cell, checks, places)
        case "check":
            return f"{_title('Check', cell)}\n{without_numbers(cell.text)}"
        case "hidden":
            note = HIDDEN_NOTE.format(number=lesson[:2])
            brought = [IN_NOTEBOOK] if drawn_names(cell.text) else []
            return "\n".join([_title("Hidden check", cell), note, BEGIN_HIDDEN, *brought, cell.text, END_HIDDEN])
        case "exercise":
            heading, _, rest = cell.text.partition("\n")
            points = sum(points for exercise, points, *_ in checks.values() if exercise == cell.name)
            text = f"{heading} · {plural(points)}\n{rest}"
            return linked(course, lesson, embed_pictures(course, cell, without_numbers(text)), places)
    if cell.kind == "markdown":
        return linked(course, lesson, embed_records(course, embed_pictures(course, cell, cell.text)), places)
    return without_numbers(cell.text) if cell.role == "solution" else cell.text


def _title(what: str, cell: SourceCell) -> str:
    """The first lines of a check's cell: what is seen while it is folded, and what the notebook knows it by."""
    return f"#@title {what} · {cell.title or cell.name} · {plural(cell.points)}\n{CHECK_MARK.format(name=cell.name)}"


def without_numbers(text: str) -> str:
    """A text without the numbers of its requirements."""
    return REQUIREMENT.sub("", text)


def requirements_of(cells: list[SourceCell]) -> dict[str, list[int]]:
    """``{exercise: the numbers of its requirements, as they stand}``, from its text and its stub."""
    found: dict[str, list[int]] = {}
    for cell in cells:
        if cell.role in ("exercise", "solution"):
            found.setdefault(cell.name, []).extend(map(int, REQUIREMENT.findall(cell.text)))
    return found


def shared_cell(course: Course, cell: SourceCell, checks: Checks | None = None, places: Places | None = None) -> str:
    """The text of an include as a notebook has it, its parameters filled in.

    ``checks`` and ``places`` (:func:`.navigation.places_of`) are filled in where a shared file asks for them.

    Raises:
        CourseError: no such file, a keyword that no file has a line for, or a fault in a file.
    """
    if cell.text.strip():
        raise CourseError(f"{cell.where}: a cell with include= must be empty; its text comes from {cell.name}.")
    modules = cell.modules or modules_with(course, [name.removesuffix(".py") for name in cell.name.split()], cell.where)
    values = dict(cell.keywords)
    for name, value in (("checks", checks or {}), ("places", places or {})):
        if asks_for(course, modules, name):
            values[name] = value
    return cell_of(course, modules, values, cell.where)


def embed_pictures(course: Course, cell: SourceCell, markdown: str) -> str:
    """A cell's Markdown with every ``![alt](assets/x.svg)`` replaced by the picture itself, as a data URI.

    A notebook is then complete when it travels alone. The picture is an HTML tag: VS Code shows no SVG data behind
    ``![alt](...)``.
    """

    def embed(match: re.Match[str]) -> str:
        path = course.root / match["path"]
        if path.suffix not in PICTURE_TYPES or not path.is_file():
            raise CourseError(f"{cell.where}: {match['path']} is not a picture that exists (svg or png).")
        picture = path.read_bytes()
        if path.suffix == ".svg":
            picture = with_letters(picture.decode("utf-8")).encode()
        data = base64.b64encode(picture).decode()
        return f'<img alt="{html.escape(match["alt"])}" src="data:{PICTURE_TYPES[path.suffix]};base64,{data}">'

    return PICTURE.sub(embed, markdown)


def embed_records(course: Course, text: str) -> str:
    """Markdown with every line ``{{gpu record: NAME}}`` replaced by what ``assets/record_gpu.py`` saw on a real GPU.

    Several names, ``{{gpu record: NAME | NAME}}``, come under one label. Where nothing was recorded, a sentence
    says so.
    """
    path = course.root / "assets" / "gpu_record.json"
    record = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"experiments": {}}

    def show(match: re.Match[str]) -> str:
        found = [record["experiments"].get(name) for name in match["name"].split(" | ")]
        if None in found:
            return NO_GPU_RECORD
        machine = record["machine"]
        date = found[0].get("date", machine["date"])
        label = (
            f"*Recorded on {date}: {'; '.join(machine['cards'])}; TensorFlow {machine['tensorflow']}, "
            f"CUDA {machine['cuda']}, Python {machine['python']}."
        )
        if len(found) == 1:
            label += f" {found[0]['title'][:1].upper()}{found[0]['title'][1:]}:"
            lines = found[0]["lines"]
        else:
            lines = [line for one in found for line in (f"--- {one['title']}", *one["lines"])]
        return "\n".join([f"{label}*", "", "```text", *lines, "```"])

    return GPU_RECORD.sub(show, text)
