"""``python -m tests.bench.fuzz [NOTEBOOKS] [--seed N]``: a class whose notebooks have all been damaged at random.

Each student hands in the right answers of the tests' small lesson after one to six random changes: to bytes, to the
notebook, to cells, marks, types and texts. `course grade` takes the whole class through all four stages. Counts
notebooks without a result, with points and no words for the rest, or with more points than there are; prints how they
were received; status 1 unless all those counts, and the grader's own status, are 0.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import nbformat

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom.demo import in_words
from autograder.classroom.submissions import Classroom
from autograder.grading.lesson import read_lesson
from autograder.paths import find_course
from tests.grading.conftest import NAME, make_course

from .kill_grader import start_grader

ODD = [
    None, True, 0, -1, 10**400, 1e308, "", " ", "\x00", "\ud800", "😀" * 50, "x" * 100_000, [], {}, [[]], [None],
    {"a": {"b": [1]}}, "double", "halve", "why", "double-two", "code", "markdown", "raw", "nbgrader", "../../x",
]  # fmt: skip
TEXTS = [
    "def double(x): return 0", "def halve(x): return x", "1/0", "(", "\t", "import os; os._exit(1)", "raise SystemExit",
    "# Check · double-two · 2 points", "### BEGIN SOLUTION", "%%bash\nexit 1", "!true", "while",
    "\u2028\u202e", "🙂 = 1",
]  # fmt: skip
TAGS = ["skip-execution", "raises-exception", "remove-cell", "parameters", "hide-input"]


def of_bytes(raw: bytes, chance: random.Random) -> bytes:
    """One change to a file."""
    position = chance.randrange(len(raw) + 1)
    kind = chance.randrange(7)
    if kind == 0:
        return raw[:position]
    if kind == 1:
        return raw[:position] + chance.randbytes(chance.randrange(1, 9)) + raw[position:]
    if kind == 2:
        return raw[:position] + raw[position + chance.randrange(1, 200) :]
    if kind == 3:
        return raw.decode("utf-8", "replace").encode(
            chance.choice(["utf-16", "utf-8-sig", "utf-32", "latin-1"]), "replace"
        )
    if kind == 4:
        return raw + chance.choice([b"\n", b"}", b"\x00" * 100, raw])
    if kind == 5:
        return raw.replace(
            *chance.choice([(b"\n", b"\r\n"), (b'"', b"'"), (b"4", b"3"), (b"cell", b"Cell"), (b"null", b"")])
        )
    return chance.choice([b"", b"{}", b"[]", b"null", b"[" * 100_000, b'"text"', raw[::-1]])


def of_cells(notebook: dict, chance: random.Random) -> None:
    """One change to a notebook's list of cells."""
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not cells:
        return
    here, there = chance.randrange(len(cells)), chance.randrange(len(cells))
    kind = chance.randrange(9)
    if kind == 0:
        del cells[here]
    elif kind == 1:
        cells.insert(there, copy.deepcopy(cells[here]))
    elif kind == 2:
        cells[here], cells[there] = cells[there], cells[here]
    elif kind == 3:
        chance.shuffle(cells)
    elif kind == 4:
        cells.insert(here, nbformat.v4.new_code_cell(chance.choice(TEXTS)))
    elif kind == 5:
        cells[here] = copy.deepcopy(chance.choice(ODD))
    elif kind == 6 and isinstance(cells[here], dict):
        cells[here]["source"] = chance.choice(TEXTS)
    elif kind == 7 and isinstance(cells[here], dict) and isinstance(cells[here].get("source"), str):
        text = cells[here]["source"]
        cut = chance.randrange(len(text) + 1)
        cells[here]["source"] = (
            text[:cut] + chance.choice(["", chance.choice(TEXTS)]) + text[cut + chance.randrange(9) :]
        )
    elif kind == 8:
        for cell in cells:
            if isinstance(cell, dict):
                cell.pop("id", None)
                cell["metadata"] = {}


def of_fields(notebook: dict, chance: random.Random) -> None:
    """Another value, or none, somewhere inside; or a tag on a cell."""
    at = notebook
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return
        key = chance.choice(keys)
        if not isinstance(at[key], (dict, list)) or chance.random() < 0.25:
            break
        at = at[key]
    kind = chance.randrange(4)
    if kind == 0:
        del at[key]
    elif kind == 1 and isinstance(at, dict):
        at[str(chance.choice(ODD))[:50]] = at.pop(key)
    elif kind == 2 and isinstance(notebook.get("cells"), list):
        for cell in notebook["cells"]:
            if isinstance(cell, dict) and isinstance(cell.get("metadata"), dict) and chance.random() < 0.5:
                cell["metadata"]["tags"] = [chance.choice(TAGS)]
    else:
        at[key] = copy.deepcopy(chance.choice(ODD))


def damaged(raw: bytes, chance: random.Random) -> bytes:
    notebook = json.loads(raw)
    for _ in range(chance.randrange(1, 6)):
        chance.choice([of_cells, of_cells, of_fields])(notebook, chance)
    made = json.dumps(notebook).encode()
    return of_bytes(made, chance) if chance.random() < 0.3 else made


def without_words(row: dict) -> bool:
    """Whether something was not given, or not read, and nothing says why."""
    report = row["report"]
    if report is None:  # the grader itself failed
        return True
    silent = any(
        not check["passed"] and check["points"] is not None and not check["message"] for check in report["checks"]
    )
    return silent or not report["checks"] or (not report["readable"] and not report["flags"])


def received(row: dict) -> str:
    report = row["report"]
    if not report["readable"]:
        return "could not be read; flagged for a person"
    if report["flags"]:
        return "graded, flagged for a person"
    return "graded, mends told" if report["mends"] else "graded"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz")
    parser.add_argument("notebooks", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    print(f"seed {args.seed}")
    with tempfile.TemporaryDirectory(prefix="bench-fuzz-") as folder:
        course = make_course(Path(folder, "course"), find_course().config)
        classroom, lesson = Classroom(course), read_lesson(course, NAME)
        right = submission(lesson, reference_answers(lesson) | in_words(lesson))
        students = [f"student-{number:05}" for number in range(args.notebooks)]
        for number, student in enumerate(students):
            path = classroom.submitted / student / NAME / f"{NAME}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_bytes(damaged(right, random.Random(f"{args.seed} {number}")))
        start = time.monotonic()
        grader = start_grader(course, args.workers, "--timeout", "10")
        words = grader.communicate()[1]
        seconds = time.monotonic() - start
        table = course.classroom / "grades.json"
        rows = {row["student"]: row for row in json.loads(table.read_text())} if table.is_file() else {}
        pages = {path.parts[-3] for path in (course.classroom / "feedback").glob(f"*/{NAME}/*.html")}
    most = max((row["max_score"] for row in rows.values()), default=0)
    problems = {
        "without a result": [student for student in students if student not in rows],
        "without a page": [student for student in students if student not in pages],
        "without words": [student for student, row in rows.items() if without_words(row)],
        "with too many points": [
            student for student, row in rows.items() if row["score"] > row["max_score"] or row["max_score"] < most
        ],
    }
    print(f"{len(students)} notebooks in {seconds:.0f} s; the grader ended with status {grader.returncode}")
    for kind, count in Counter(map(received, rows.values())).most_common():
        print(f"  {kind}: {count}")
    for kind, those in problems.items():
        print(f"{kind}: {len(those)} {' '.join(those[:5])}")
    if grader.returncode:
        print(words[-2000:])
    return 1 if grader.returncode or any(problems.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
