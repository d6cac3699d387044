"""From a lesson's py:percent source to the instructor's notebook.

The header of each cell says what the cell is for (``# %% check="spread-order" points=2``; CONTRIBUTING.md has
the list). This module turns headers into nbgrader's metadata, puts shared cells in, embeds pictures, and gives
every cell an id that depends on nothing but the source, so that two builds are identical.
"""

from __future__ import annotations

import ast
import base64
import json
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from ..errors import CourseError
from ..grading.checks.drawn import IN_NOTEBOOK, drawn_names
from ..paths import Course
from ..python_code import parse
from .given import given_functions, measured_with

# Header keys that say what a cell is for; a cell has at most one. Their value names the exercise or the check.
ROLES = ("include", "predict", "exercise", "solution", "try", "check", "hidden", "written", "model")
MARKDOWN_ROLES = ("exercise", "written", "model")

QUIET_START = "quiet_start.py"  # the shared cell that makes logical devices and seeds
# Shared cells import one another like this, for editors and linters; in a notebook, those cells have run before.
SHARED_PACKAGE = "solutions._shared"
LESSON_NAMES = "lesson"  # lesson.pyi there: names from the cells of the lesson itself
COLAB_SETUP = "colab_setup.py"  # the shared cell that every lesson's code begins with
COMES_ALONG = {"IPython", "keras", "numpy"}  # with what a lesson needs anyway
# What a notebook's metadata says so that Colab opens it on a runtime of this kind.
RUNTIMES = {
    "GPU": {"accelerator": "GPU", "colab": {"gpuType": "T4"}},
    "TPU": {"accelerator": "TPU", "colab": {"gpuType": "V5E1"}},
}

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"

HIDDEN_NOTE = (
    "# Asks again with other inputs of the same description, when you are graded\n"
    "# (`course check {number}`, or your teacher). Running it here asks nothing."
)

PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>assets/[^)\s]+)\)")
GPU_RECORD = re.compile(r"^\{\{gpu record: (?P<name>[^}]+)\}\}$", re.MULTILINE)
NO_GPU_RECORD = "*Not recorded yet: nobody has run `assets/record_gpu.py` on a machine with a GPU.*"
PICTURE_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}

# Pinned: an interpreter's own version here would make each build differ from the next machine's.
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3",
    },
}


# {check: [exercise, points, "visible" | "hidden" | "written"]}; lists, since notebooks hold it as JSON
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
        CourseError: a header that does not fit CONTRIBUTING.md, with file and line.
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
        if cell.runtime:
            raise CourseError(f"{cell.where}: runtime= belongs into the header of a lesson's first cell.")
    cells = _with_colab_setup(course, cells)
    _check_order(course, cells)
    return cells


def _check_order(course: Course, cells: list[SourceCell]) -> None:
    """What a shared cell imports from others, or from the lesson, must have run before it."""
    before: set[str] = set()  # shared cells
    texts = ""  # of the lesson's own code cells
    for cell in cells:
        if cell.role != "include":
            texts += f"{cell.text}\n" * (cell.role == "code")
            continue
        for node in sibling_imports(_shared_text(course, cell), cell.name):
            sibling = str(node.module).removeprefix(f"{SHARED_PACKAGE}.")
            names = [alias.name for alias in node.names]
            if sibling == LESSON_NAMES:
                # also in a text that the lesson runs: `def name(` or `name =` at the beginning of a line
                lacking = [n for n in names if not re.search(rf"^(def {n}\(|{n} =)", texts, re.MULTILINE)]
                if lacking:
                    raise CourseError(f"{cell.where}: no code cell before it defines {', '.join(lacking)}.")
            elif sibling not in before:
                raise CourseError(
                    f"{cell.where}: {cell.name} uses {', '.join(names)} of {sibling}.py; "
                    f'put a cell with include="{sibling}.py" before it.'
                )
        before.add(Path(cell.name).stem)


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
    return sorted(found - COMES_ALONG - set(sys.stdlib_module_names))


def _parse(cell: NotebookNode, where: str) -> SourceCell:
    header = {key: value for key, value in cell.metadata.items() if key != "lines_to_next_cell"}
    roles = [key for key in ROLES if key in header]
    if len(roles) > 1:
        raise CourseError(f"{where}: a cell has one purpose, but its header names {' and '.join(roles)}.")
    role = roles[0] if roles else ("prose" if cell.cell_type == "markdown" else "code")
    name = str(header.pop(role, ""))
    points, grading, runtime = header.pop("points", 0), header.pop("grading", ""), header.pop("runtime", "")
    if role != "include" and header:
        raise CourseError(f"{where}: unknown header key {sorted(header)[0]!r}; CONTRIBUTING.md lists the keys.")
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
    return SourceCell(cell.cell_type, role, name, cell.source, where, points, grading == "skip", header, runtime)


def checks_of(cells: list[SourceCell]) -> Checks:
    """``{check name: [exercise, points, "visible" | "hidden" | "written"]}`` in the lesson's order.

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
            found[cell.name] = [cell.name, cell.points, "written"]
        elif not cell.name.startswith(f"{exercise}-") or not exercise:
            raise CourseError(
                f"{cell.where}: check {cell.name!r} must begin with its exercise's name, {exercise + '-'!r}."
            )
        else:
            found[cell.name] = [exercise, cell.points, "visible" if cell.role == "check" else "hidden"]
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
    about = {"lesson": lesson, **_preparation(course, cells)}
    metadata = {**NOTEBOOK_METADATA, **RUNTIMES.get(cells[0].runtime, {}), "course": about}
    notebook = nbformat.v4.new_notebook(metadata=metadata)
    position = 0  # in the source: the ids of cells do not depend on what the build puts in
    for cell in cells:
        notebook.cells.append(_notebook_cell(course, lesson, cell, position, checks))
        position += not cell.automatic
    _say_what_is_given(notebook, cells)
    if notebook.cells:
        notebook.cells[0].source = with_colab_link(course, lesson, notebook.cells[0].source)
    nbformat.validate(notebook)
    return notebook


def _say_what_is_given(notebook: NotebookNode, cells: list[SourceCell]) -> None:
    """Into the metadata of solution cells: functions that the stub gives for its checks, and what they measure with."""
    texts = [
        built.source for built, cell in zip(notebook.cells, cells, strict=True) if cell.role in ("code", "include")
    ]
    for built, cell in zip(notebook.cells, cells, strict=True):
        given = given_functions(built.source) if cell.role == "solution" else {}
        if given:
            built.metadata.course |= {"given": given, "measured_with": measured_with(given, texts)}


def _preparation(course: Course, cells: list[SourceCell]) -> dict[str, int]:
    """What the lesson's start prepares, for the processes that judge its checks: ``devices`` (logical) and ``seed``."""
    start = next((cell for cell in cells if cell.role == "include" and cell.name == QUIET_START), None)
    found = {"devices": 0, "seed": 0}
    for node in parse(shared_cell(course, start)).body if start else []:
        match node:
            case ast.Assign(targets=[ast.Name("DEVICES" | "SEED" as name)], value=ast.Constant(int(value))):
                found[name.lower()] = value
    return found


def with_colab_link(course: Course, lesson: str, title: str) -> str:
    """The first cell's text with a link that opens the learner's notebook in Colab; as it is where none can be made.

    The address comes from ``[tool.course]`` in pyproject.toml.

    Raises:
        CourseError: the address there is not one of GitHub, the only place that Colab opens notebooks from.
    """
    project = course.root / "pyproject.toml"
    tools = tomllib.loads(project.read_text(encoding="utf-8")).get("tool", {}) if project.is_file() else {}
    settings = tools.get("course", {})
    address, branch = settings.get("repository", "").rstrip("/").removesuffix(".git"), settings.get("branch", "main")
    if not address:
        return title
    found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+)", address)
    if not found:
        raise CourseError(
            f"pyproject.toml: [tool.course] repository is {address!r}; write https://github.com/OWNER/NAME, or leave "
            'it empty ("") to have no links to Colab.'
        )
    path = course.release_notebook(lesson).relative_to(course.root).as_posix()
    link = f"[Open in Colab](https://colab.research.google.com/github/{found[1]}/blob/{branch}/{path})"
    heading, _, rest = title.partition("\n")
    return f"{heading}\n\n{link}\n{rest}"


def _notebook_cell(course: Course, lesson: str, cell: SourceCell, position: int, checks: Checks) -> NotebookNode:
    metadata: dict[str, Any] = {"course": {"role": cell.role}}
    if cell.skip_grading:
        metadata["course"]["grading"] = "skip"
    exercise = checks[cell.name][0] if cell.name in checks else cell.exercise
    if exercise:
        metadata["course"]["exercise"] = exercise
    identity, nbgrader = _identity(cell, position)
    if nbgrader:
        metadata["nbgrader"] = {"schema_version": 3, "grade_id": identity, "task": False, **nbgrader}
    if cell.role == "include":
        metadata |= {"jupyter": {"source_hidden": True}, "cellView": "form"}
    if cell.role in ("prose", "model"):
        metadata["editable"] = False
    make = nbformat.v4.new_markdown_cell if cell.kind == "markdown" else nbformat.v4.new_code_cell
    return make(_text(course, lesson, cell, checks), id=identity, metadata=metadata)


def _identity(cell: SourceCell, position: int) -> tuple[str, dict[str, Any]]:
    """The cell's id (nbgrader's ``grade_id`` where it has one) and what nbgrader must know about it."""
    read_only = {"grade": False, "solution": False, "locked": True}
    match cell.role:
        case "include":
            return f"shared-{Path(cell.name).stem}", read_only
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


def _text(course: Course, lesson: str, cell: SourceCell, checks: Checks) -> str:
    match cell.role:
        case "include":
            return shared_cell(course, cell, checks)
        case "check":
            return f"# Check · {cell.name} · {plural(cell.points)}\n{cell.text}"
        case "hidden":
            note = HIDDEN_NOTE.format(number=lesson[:2])
            title = f"# Hidden check · {cell.name} · {plural(cell.points)}"
            brought = [IN_NOTEBOOK] if drawn_names(cell.text) else []
            return "\n".join([title, note, BEGIN_HIDDEN, *brought, cell.text, END_HIDDEN])
        case "exercise":
            heading, _, rest = cell.text.partition("\n")
            points = sum(points for exercise, points, _ in checks.values() if exercise == cell.name)
            return f"{heading} · {plural(points)}\n{rest}"
    return embed_records(course, embed_pictures(course, cell)) if cell.kind == "markdown" else cell.text


def shared_cell(course: Course, cell: SourceCell, checks: Checks | None = None) -> str:
    """The text of a shared cell as a notebook has it, its parameters filled in.

    A line of the shared file that ends in ``# include: name`` is a parameter: its value is replaced by that of the
    include's keyword of this name, if there is one. ``checks`` is filled by the build. Imports of siblings go.

    Raises:
        CourseError: no such file, a keyword that the file has no line for, or a fault in the file.
    """
    if cell.text.strip():
        raise CourseError(f"{cell.where}: a cell with include= must be empty; its text comes from {cell.name}.")
    text, values = without_siblings(_shared_text(course, cell), cell.name), dict(cell.keywords)
    if "# include: checks" in text:
        values["checks"] = checks or {}
    for name, value in values.items():
        literal = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else repr(value)
        line = re.search(rf"^\w+ = (?P<value>.*?)  # include: {re.escape(name)}$", text, re.MULTILINE)
        if not line:
            raise CourseError(f"{cell.where}: {cell.name} has no line that ends in `# include: {name}`.")
        text = text[: line.start("value")] + literal + text[line.end() :]
    return re.sub(r"  # include: \w+$", "", text, flags=re.MULTILINE)


def _shared_text(course: Course, cell: SourceCell) -> str:
    path = course.shared / cell.name
    if not path.is_file():
        raise CourseError(f"{cell.where}: there is no shared cell solutions/_shared/{cell.name}.")
    return path.read_text(encoding="utf-8").strip("\n")


def sibling_imports(text: str, name: str) -> list[ast.ImportFrom]:
    """The imports of other shared cells in ``text``, a shared file called ``name``.

    Raises:
        CourseError: the file is no Python, or imports them in a way that the build could not leave out.
    """
    try:
        tree = parse(text)
    except SyntaxError as error:
        raise CourseError(f"solutions/_shared/{name}:{error.lineno}: {error.msg}.") from error
    found = [
        node
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{SHARED_PACKAGE}.")
    ]
    if text.count(SHARED_PACKAGE) != len(found) or any(alias.asname for node in found for alias in node.names):
        raise CourseError(
            f"solutions/_shared/{name}: other shared cells are imported by lines of their own, at the top level and "
            f"without `as`: `from {SHARED_PACKAGE}.timeline import draw_timeline`."
        )
    return found


def without_siblings(text: str, name: str) -> str:
    """A shared file's text without its imports of other shared cells, as a notebook has it."""
    lines = text.splitlines(keepends=True)
    for node in reversed(sibling_imports(text, name)):
        del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines)


def embed_pictures(course: Course, cell: SourceCell) -> str:
    """Markdown with every ``![alt](assets/x.svg)`` replaced by the picture itself, as a data URI.

    A notebook is then complete when it travels alone.
    """

    def embed(match: re.Match[str]) -> str:
        path = course.root / match["path"]
        if path.suffix not in PICTURE_TYPES or not path.is_file():
            raise CourseError(f"{cell.where}: {match['path']} is not a picture that exists (svg or png).")
        data = base64.b64encode(path.read_bytes()).decode()
        return f"![{match['alt']}](data:{PICTURE_TYPES[path.suffix]};base64,{data})"

    return PICTURE.sub(embed, cell.text)


def embed_records(course: Course, text: str) -> str:
    """Markdown with every line ``{{gpu record: NAME}}`` replaced by what ``assets/record_gpu.py`` saw on a real GPU.

    Where nothing was recorded, a sentence says so.
    """
    path = course.root / "assets" / "gpu_record.json"
    record = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"experiments": {}}

    def show(match: re.Match[str]) -> str:
        found = record["experiments"].get(match["name"])
        if found is None:
            return NO_GPU_RECORD
        machine = record["machine"]
        label = (
            f"*Recorded on {machine['date']}: {'; '.join(machine['cards'])}; TensorFlow {machine['tensorflow']}, "
            f"CUDA {machine['cuda']}, Python {machine['python']}. {found['title'].capitalize()}:*"
        )
        return "\n".join([label, "", "```text", *found["lines"], "```"])

    return GPU_RECORD.sub(show, text)
