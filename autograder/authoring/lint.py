"""``course lint``: the shape that docs/authors.md asks of a lesson, checked; each finding names file and line.

What a machine can check of a lesson is here: objectives, headings, alternative texts, the parts of an exercise, checks
that stand alone and explain themselves, an answer bank with enough answers, and no solution text under ``notebooks/``.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Any

from ..grading.checks.drawn import NAMES, drawn_names
from ..grading.checks.told import BROUGHT
from ..paths import Course, find_course
from ..python_code import defined_names, free_names, parse
from .answers import Answer, read_bank
from .navigation import INDEX
from .source import (
    BEGIN_HIDDEN,
    BEGIN_SOLUTION,
    END_SOLUTION,
    KINDS,
    PICTURE,
    SourceCell,
    checks_of,
    read_cells,
    requirements_of,
    shared_cell,
)

CODE_LINES = 24  # of a plain code cell; one idea has to fit
EXERCISES = 3, 7  # at least, and at most in up to three sittings: one more for each after the third
LABELS = ("asked:", "got:", "expected:", "likely:", "reread:")
PARTS = ["exercise", "solution", "try", "check", "hidden"]
RIGHT_ANSWERS, WRONG_ANSWERS = 2, 5
FOLDED_CELLS = 3  # Colab's set-up, quiet start, helpers
VISIBLE_CELLS = 110  # in up to three sittings
CELLS_OF_A_SITTING = 25  # more, for each sitting after the third
# What an answer calls that is solved with today's TensorFlow or Keras.
TODAY = re.compile(
    r"tf\.(?:function|GradientTape|data|distribute|config|keras|Variable|recompute_grad|summary|profiler|device)\b|keras\.|dtensor\."
)
COLUMNS = 100
PACKED = (ast.Tuple, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SECRET_LENGTH = 12  # shorter lines, such as `return y`, say nothing


def lint_lesson(course: Course, lesson: str) -> list[str]:
    """What is wrong with one lesson, as ``"file:line: what is wrong"``; empty when it is in shape."""
    cells = read_cells(course, lesson)
    findings = [*_opening(cells), *_headings(cells), *_pictures(cells), *_code(cells)]
    findings += [*_exercises(cells), *_written(cells), *_bank(course, lesson, cells)]
    for cell in cells:
        if cell.role in ("check", "hidden"):
            findings += _check(cell, cells)
    bank = read_bank(course, lesson)
    return [*findings, *_form(cells), *_statements(cells), *_requirements(cells, bank), *_kinds(cells), *_reread(cells)]


def _opening(cells: list[SourceCell]) -> Iterator[str]:
    first = cells[0]
    if first.role != "prose" or not re.match(r"# Lesson \d\d · \S", first.text):
        yield f"{first.where}: the first cell must be Markdown and begin with `# Lesson NN · Title`."
        return
    if len(re.findall(r"^(?:\d\.|[-*]) ", first.text, re.MULTILINE)) < 3:
        yield f"{first.where}: the first cell must list three objectives."
    if "CPU" not in first.text:
        yield f"{first.where}: the first cell must say what hardware it uses ('CPU' is missing)."


def _form(cells: list[SourceCell]) -> Iterator[str]:
    """What a reader scrolls through: at most three folded cells before the lesson begins, and not too many cells."""
    first = cells[0]
    if not (first.minutes and first.exercise_minutes):
        yield f"{first.where}: the first cell's header says how long it takes: minutes=110 exercises=55."
    begin = takewhile(lambda cell: cell.role != "prose", cells[1:])
    folded = [cell for cell in begin if cell.role == "include" and not cell.shown]
    if len(folded) > FOLDED_CELLS:
        yield f"{folded[0].where}: {len(folded)} folded cells; put all helpers into one include, after quiet_start.py."
    seen = [cell for cell in cells if cell not in folded and cell.role not in ("check", "hidden")]
    most = VISIBLE_CELLS + CELLS_OF_A_SITTING * max(0, _sittings(cells) - 3)
    if len(seen) > most:
        yield f"{first.where}: {len(seen)} cells to read; {most} are the most that a lesson should have."


def _statements(cells: list[SourceCell]) -> Iterator[str]:
    """Code that is read: one statement a line, none that only packs others, no program in a string."""
    for cell in cells:
        if cell.kind != "code" or cell.role == "include":
            continue
        for number, line in enumerate(cell.text.splitlines(), 1):
            if len(line) > COLUMNS and cell.role in ("code", "try", "predict"):
                yield f"{cell.where}: line {number} of the cell has {len(line)} characters; {COLUMNS} are the most."
        try:
            tree = parse(cell.text)
        except SyntaxError:  # a magic command, such as %%writefile
            continue
        seen: set[int] = set()
        for node in ast.walk(tree):
            if not isinstance(node, ast.stmt):
                continue
            if isinstance(node, ast.Expr) and isinstance(node.value, PACKED):
                yield f"{cell.where}: line {node.lineno} of the cell packs several actions into an expression."
            if node.lineno in seen and not isinstance(node, ast.ExceptHandler):
                yield f"{cell.where}: line {node.lineno} of the cell has more than one statement."
            seen.add(node.lineno)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                called = node.value.func
                if isinstance(called, ast.Name) and called.id == "exec":
                    yield f"{cell.where}: a program in a string; write it to a file with %%writefile."


def _requirements(cells: list[SourceCell], bank: list[Answer]) -> Iterator[str]:
    """Each requirement of an exercise is broken, alone, by some wrong answer: that is the measure of its checks."""
    solved = {cell.name: cell for cell in cells if cell.role == "solution"}
    for name, numbers in requirements_of(cells).items():
        if name not in solved:
            continue
        where = solved[name].where
        if not numbers or sorted(numbers) != list(range(1, len(numbers) + 1)):
            yield f"{where}: exercise {name!r} numbers its requirements {{#1}} to {{#n}}, each once; here {numbers}."
        broken = {answer.breaks for answer in bank if answer.exercise == name and answer.breaks}
        for number in sorted(set(numbers) - broken):
            yield f"{where}: no wrong answer to {name!r} breaks requirement {number} alone (`# breaks: {number}`)."
        for number in sorted(broken - set(numbers)):
            yield f"{where}: a wrong answer to {name!r} breaks requirement {number}, which the text does not have."


def _kinds(cells: list[SourceCell]) -> Iterator[str]:
    for cell in cells:
        if cell.role == "solution" and not cell.solved:
            yield f"{cell.where}: kind= says how {cell.name!r} is solved: one of {', '.join(KINDS)}."
        elif cell.solved == "today" and not TODAY.search(cell.text):
            yield f'{cell.where}: kind="today", but the answer calls nothing of today\'s TensorFlow or Keras.'
        if cell.role in ("check", "hidden") and not cell.title:
            yield f"{cell.where}: title= says what the check asks; it is what a reader sees of it."


def points_by_kind(cells: list[SourceCell]) -> dict[str, int]:
    """``{kind: points}`` of a lesson's coded exercises."""
    kinds = {cell.name: cell.solved for cell in cells if cell.role == "solution"}
    found = dict.fromkeys(KINDS, 0)
    for exercise, points, kind, _ in checks_of(cells).values():
        if kind != "written" and kinds.get(exercise):
            found[kinds[exercise]] += points
    return found


def _sittings(cells: list[SourceCell]) -> int:
    return sum(len(re.findall(r"^## Sitting \d", cell.text, re.MULTILINE)) for cell in cells)


def _headings(cells: list[SourceCell]) -> Iterator[str]:
    levels = []
    for cell in cells:
        if cell.kind == "markdown" and cell.role != "written":  # there, ### marks the answer, not a heading
            text = re.sub(r"^```.*?^```", "", cell.text, flags=re.MULTILINE | re.DOTALL)
            levels += [(len(marks), cell.where) for marks in re.findall(r"^(#{1,6}) ", text, re.MULTILINE)]
    if [level for level, _ in levels].count(1) != 1:
        yield f"{cells[0].where}: a lesson has exactly one heading of the first level, its title."
    for (before, _), (after, where) in pairwise(levels):
        if after > before + 1:
            yield f"{where}: a heading of level {after} follows one of level {before}; levels must not be skipped."


def _pictures(cells: list[SourceCell]) -> Iterator[str]:
    for cell in cells:
        if cell.kind != "markdown":
            continue
        for alt, target in re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", cell.text):
            if len(alt.split()) < 4:
                yield f"{cell.where}: the picture {target} needs an alternative text that says what it shows."
            if not PICTURE.fullmatch(f"![{alt}]({target})"):
                yield f"{cell.where}: {target} is not under assets/; a notebook must be complete without a network."
        if "<img" in cell.text and not re.search(r"<img[^>]+\balt=", cell.text):
            yield f"{cell.where}: an <img> without alt."


def _lines(text: str) -> int:
    """Lines that are not blank."""
    return sum(bool(line.strip()) for line in text.splitlines())


def _code(cells: list[SourceCell]) -> Iterator[str]:
    # a cell that writes a program into a file holds a part of that program, not one idea
    plain = [cell for cell in cells if cell.role == "code" and not cell.text.startswith("%%writefile")]
    sizes = [_lines(cell.text) for cell in plain]
    for cell, size in zip(plain, sizes, strict=True):
        if size > CODE_LINES:
            yield f"{cell.where}: a code cell of {size} lines; show one idea in at most {CODE_LINES}."
    for cell in cells:
        if cell.kind == "code" and any(len(line) > 110 for line in cell.text.splitlines()):
            yield f"{cell.where}: a line of over 110 characters; readers would have to scroll sideways."


def _exercises(cells: list[SourceCell]) -> Iterator[str]:
    names = [cell.name for cell in cells if cell.role == "solution"]
    least, most = EXERCISES[0], EXERCISES[1] + max(0, _sittings(cells) - 3)
    if not least <= len(names) <= most and not cells[0].text.startswith("# Lesson 00"):
        yield f"{cells[0].where}: {len(names)} coded exercises; a lesson has {least} to {most}."
    for name in names:
        parts = [
            cell for cell in cells if cell.role in PARTS and (cell.name == name or cell.name.startswith(f"{name}-"))
        ]
        missing = [part for part in PARTS if part not in [cell.role for cell in parts]]
        if missing:
            yield f"{parts[0].where}: exercise {name!r} has no {', no '.join(missing)} cell."
        elif [PARTS.index(c.role) for c in parts] != sorted(PARTS.index(c.role) for c in parts):
            yield f"{parts[0].where}: the cells of exercise {name!r} must come in the order {', '.join(PARTS)}."
        for cell in parts:
            if cell.role == "exercise" and not re.match(r"### Exercise \d+ · \S", cell.text):
                yield f"{cell.where}: an exercise begins with `### Exercise N · Title`."
            if cell.role == "solution":
                yield from _solution(cell)


def _solution(cell: SourceCell) -> Iterator[str]:
    if cell.text.count(BEGIN_SOLUTION) != cell.text.count(END_SOLUTION) or BEGIN_SOLUTION not in cell.text:
        yield f"{cell.where}: the answer must stand between {BEGIN_SOLUTION} and {END_SOLUTION}."
    for node in parse(cell.text).body:
        if isinstance(node, ast.FunctionDef) and not ast.get_docstring(node):
            yield f"{cell.where}: {node.name}() needs a docstring: arguments, units, what it returns."


def _written(cells: list[SourceCell]) -> Iterator[str]:
    written = [cell for cell in cells if cell.role == "written"]
    if not written:
        yield f"{cells[0].where}: a lesson has one written question (written=...)."
    for cell in written:
        after = cells[cells.index(cell) + 1 :][:1]
        if not after or (after[0].role, after[0].name) != ("model", cell.name):
            yield f'{cell.where}: the cell after a written answer must be its model answer (model="{cell.name}").'
        elif "<details>" not in after[0].text or "</details>" not in after[0].text:
            yield f"{after[0].where}: a model answer must be folded: <details><summary>...</summary> ... </details>."


def _reread(cells: list[SourceCell]) -> Iterator[str]:
    """What a check says to read again is there, with that number and title."""
    titles = set(
        re.findall(r"^#{2,3} (\d+ [^\n]+)$", "\n".join(c.text for c in cells if c.kind == "markdown"), re.MULTILINE)
    )
    for cell in cells:
        if cell.role not in ("check", "hidden"):
            continue
        for said in re.findall(r"reread=f?\"([^\"]+)\"", cell.text):
            for number, title in re.findall(r"[Ss]ection (\d+), ([^;]+)", said):
                if f"{number} {title.strip()}" not in titles:
                    yield f"{cell.where}: no heading says section {number}, {title.strip()}, which it says to reread."


def _check(cell: SourceCell, cells: list[SourceCell]) -> Iterator[str]:
    if BEGIN_HIDDEN in cell.text:
        yield f"{cell.where}: the build writes the hidden-test markers; give the cell the header hidden=."
    try:
        tree = parse(cell.text)
    except SyntaxError as error:
        yield f"{cell.where}: {error.msg}, line {error.lineno} of the cell."
        return
    asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    if not asserts:
        yield f"{cell.where}: a check without an assert passes whatever the learner wrote."
    if any(node.msg is None for node in asserts):
        yield f"{cell.where}: every assert needs a message."
    missing = [label for label in LABELS if label not in cell.text]
    if missing and "Told(" not in cell.text:
        yield f"{cell.where}: the message lacks {', '.join(missing)}"
    exercise = next((c for c in cells if c.role == "solution" and cell.name.startswith(f"{c.name}-")), None)
    strangers = free_names(cell.text) - (defined_names(exercise.text) if exercise else set())
    if cell.role == "check" and drawn_names(cell.text) & strangers:
        yield f"{cell.where}: `draw` and `reference` are there for hidden checks alone; a learner runs this one."
    strangers -= NAMES | BROUGHT
    if strangers:
        names = ", ".join(sorted(strangers))
        yield f"{cell.where}: uses {names}, which neither it nor its exercise's solution cell defines."


def _bank(course: Course, lesson: str, cells: list[SourceCell]) -> Iterator[str]:
    folder = course.solutions / lesson / "answers"
    heads = {path: path.read_text(encoding="utf-8")[:600] for path in sorted(folder.glob("*.py"))}
    for cell in cells:
        if cell.role != "solution":
            continue
        mine = [
            path.name for path, head in heads.items() if re.search(rf"^# exercise: +{cell.name}$", head, re.MULTILINE)
        ]
        for kind, least in (("right", RIGHT_ANSWERS), ("wrong", WRONG_ANSWERS)):
            have = sum(name.startswith(f"{kind}_") for name in mine)
            if have < least:
                yield f"{cell.where}: exercise {cell.name!r} has {have} {kind}_*.py answers; at least {least} are due."


def secret_and_visible(course: Course, lesson: str) -> tuple[set[str], set[str]]:
    """Lines of a lesson's answers and hidden tests, and lines that learners are meant to see (stripped)."""
    secret: list[str] = []
    visible: list[str] = []
    for cell in read_cells(course, lesson):
        if cell.role == "hidden":
            secret += cell.text.splitlines()
        elif cell.role in ("solution", "written"):
            inside = False
            for line in cell.text.splitlines():
                inside = (inside or line.strip() == BEGIN_SOLUTION) and line.strip() != END_SOLUTION
                (secret if inside else visible).append(line)
        else:
            visible += (shared_cell(course, cell, {}) if cell.role == "include" else cell.text).splitlines()
    for path in sorted((course.solutions / lesson / "answers").glob("*.py")):
        secret += path.read_text(encoding="utf-8").splitlines()
    return {line.strip() for line in secret}, {line.strip() for line in visible}


def leaks(course: Course) -> list[str]:
    """Files under ``notebooks/`` that hold a line of an answer or a hidden test, or that do not belong there."""
    lines = [secret_and_visible(course, lesson) for lesson in course.lessons()]
    secret = set().union(*(hidden for hidden, _ in lines)) - set().union(*(seen for _, seen in lines))
    secret = {line for line in secret if len(line) >= SECRET_LENGTH} | {BEGIN_SOLUTION, BEGIN_HIDDEN}
    found = []
    for path in sorted(path for path in course.notebooks.rglob("*") if path.is_file()):
        name = path.relative_to(course.root)
        if path not in (course.release_notebook(path.parent.name), course.notebooks / f"{INDEX}.ipynb"):
            found.append(f"{name}: only the learner's notebooks belong under notebooks/.")
            continue
        texts = _strings(json.loads(path.read_text(encoding="utf-8")))
        shown = {line.strip() for text in texts for line in text.splitlines()}
        found += [
            f"{name}: holds a line of an answer or a hidden test: {line[:60]!r}" for line in sorted(shown & secret)
        ]
    return found


def _strings(value: Any) -> Iterator[str]:
    """All texts in what a JSON file holds, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def shares_of_kinds(lessons: list[list[SourceCell]]) -> str:
    """How the points of coded exercises are spread over the kinds, as one line."""
    points = [points_by_kind(cells) for cells in lessons]
    sums = {kind: sum(one[kind] for one in points) for kind in KINDS}
    whole = sum(sums.values()) or 1
    parts = [f"{kind} {worth} ({100 * worth / whole:.0f} %)" for kind, worth in sums.items()]
    return f"Points of coded exercises: {', '.join(parts)}."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="numbers or names; all when none is given")


def command(args: argparse.Namespace) -> int:
    course = find_course()
    lessons = [course.lesson(name) for name in args.lessons] or course.lessons()
    findings = [finding for lesson in lessons for finding in lint_lesson(course, lesson)] + leaks(course)
    print("\n".join(findings) or f"{len(lessons)} lessons are in shape; nothing of an answer is under notebooks/.")
    print(shares_of_kinds([read_cells(course, lesson) for lesson in lessons]))
    return 1 if findings else 0
