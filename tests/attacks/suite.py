"""The attacks of this folder, and a class in which they are handed in beside honest students' work.

Each attack is a file, NAME.py, in one of two folders:

``cells/``
    what a hostile learner writes: cells under ``# %% NAME``, where NAME is an exercise, ``first`` (a cell added before
    all others) or ``last``. It runs in sandboxes alone. Exercises that it does not name have right answers.
``files/``
    ``make(folder, lesson, right)`` puts a hostile file into the submission's folder. Runs in the test's own process:
    it prepares, and never runs what a learner would. It may put folders beside the learner's own, then it returns
    ``{name: points}`` of them; None stands for a name that cannot be a student's, which is reported and not graded.

Both begin with a header, ``# name: value``:

``score``     the points that it deserves, e.g. ``7/10``: those of exercises that it solves and that can be judged
``lesson``    ``sums`` (the default), or ``graphs``, which brings TensorFlow
``says``      words that the report on it must contain (optional); ``a || b`` where a slow machine meets another limit
``survives``  what it aims at and must not harm: some of ``hidden``, ``others``, ``gradebook``, ``grader``, ``machine``
``why``       what it does, as a sentence
"""

from __future__ import annotations

import csv
import ctypes
import hashlib
import json
import os
import re
import runpy
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from nbgrader.api import Gradebook

from autograder.authoring.answers import reference_answers
from autograder.classroom.submissions import Classroom
from autograder.grading.lesson import Lesson, read_lesson
from autograder.paths import Course, find_course
from tests.grading import conftest

FOLDER = Path(__file__).resolve().parent
HEADER = re.compile(r"^# (lesson|score|says|survives|why):[ \t]*(.*)$")
CELL = re.compile(r"^# %% (\w+)$", re.MULTILINE)
KINDS = ("cells", "files")
KEYS = ("hidden", "others", "gradebook", "grader", "machine")
LESSONS = {"sums": "01_sums", "graphs": "02_graphs"}

# Words that nobody but their owner may come to see. Attacks do not spell them out.
SECRETS = ("hidden", "solution", "honest", "gradebook", "environment")
SECRET = re.compile(f"CANARY-({'|'.join(SECRETS)})")
TRACE = "attack-was-here"  # the name of every file that an attack tries to leave outside its sandbox
PORT, ABSTRACT = 45_679, "\0course-attack"  # where the machine of the grader listens

SUMS = '''\
# %% [markdown]
# # Lesson 01 · Sums

# %%
START = 100

# %% [markdown] exercise="double"
# ### Exercise 1 · Double it

# %% solution="double"
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    # CANARY-solution
    return 2 * x
    ### END SOLUTION

# %% check="double-two" points=2
got = double(2)
assert got == 4, f"""asked:    double(2)
got:      {got}
expected: 4
likely:   it squares
reread:   section 1"""

# %% hidden="double-minus" points=1
# CANARY-hidden
secret = -41
got = double(secret)
assert got == -82, f"""asked:    double({secret})
got:      {got}
expected: -82
likely:   it takes the absolute value
reread:   section 1"""

# %% [markdown] exercise="centre"
# ### Exercise 2 · An array around zero

# %% solution="centre"
import numpy as np

def centre(values):
    """The values minus their mean, as an array."""
    ### BEGIN SOLUTION
    return np.asarray(values) - np.mean(values)
    ### END SOLUTION

# %% check="centre-three" points=1
import numpy as np
np.testing.assert_allclose(centre([1.0, 2.0, 6.0]), [-2.0, -1.0, 3.0])

# %% hidden="centre-seven" points=1
# CANARY-hidden
import numpy as np
np.testing.assert_allclose(centre(np.arange(7)), [-3, -2, -1, 0, 1, 2, 3])

# %% [markdown] exercise="wait"
# ### Exercise 3 · Wait

# %% solution="wait"
import time

def wait(seconds):
    """Return after so many seconds, not before."""
    ### BEGIN SOLUTION
    time.sleep(seconds)
    ### END SOLUTION

# %% hidden="wait-a-moment" points=1
# CANARY-hidden
import time
start = time.monotonic()
wait(0.3)
assert time.monotonic() - start >= 0.25, "it came back too early"

# %% [markdown] exercise="halve"
# ### Exercise 4 · Halve it

# %% solution="halve"
def halve(x):
    """Half of x."""
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION

# %% check="halve-four" points=1
assert halve(4) == 2, "not half"

# %% hidden="halve-odd" points=3
# CANARY-hidden
x = 2 * draw.randrange(10**6, 10**7) + 1
assert halve(x) == reference.halve(x), "it uses whole numbers"

# %% [markdown] exercise="why"
# ### Exercise 5 · Why?

# %% [markdown] written="why" points=2
# ### BEGIN SOLUTION
# (the model answer follows)
# ### END SOLUTION

# %% [markdown] model="why"
# <details><summary>Model answer</summary>Because.</details>
'''
GRAPHS = '''\
# %% [markdown]
# # Lesson 02 · Graphs

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

# %% [markdown] exercise="plan"
# ### Exercise 1 · A plan

# %% solution="plan"
def plan(n):
    """A graph whose tensor `out:0` is twice n."""
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        tf.constant(2 * n, name="out")
    return graph
    ### END SOLUTION

# %% check="plan-three" points=2
import tensorflow as tf
graph = plan(3)
with tf.compat.v1.Session(graph=graph) as session:
    got = session.run("out:0")
assert got == 6, "it is not twice n"

# %% hidden="plan-eight" points=3
# CANARY-hidden
import tensorflow as tf
graph = plan(8)
with tf.compat.v1.Session(graph=graph) as session:
    got = session.run("out:0")
assert got == 16, "it is not twice n"

# %% [markdown] exercise="again"
# ### Exercise 2 · Again

# %% solution="again"
def again(n):
    """Twice n."""
    ### BEGIN SOLUTION
    return 2 * n
    ### END SOLUTION

# %% check="again-five" points=2
assert again(5) == 10, "not twice"
'''
SOURCES = {"sums": SUMS, "graphs": GRAPHS}
FULL = {"sums": 10, "graphs": 7}  # points of checks

# ------------------------------------------------------------------------------------------------------------ attacks


@dataclass(frozen=True)
class Attack:
    """One file: what it hands in and what it deserves."""

    name: str
    file: Path
    lesson: str
    score: float
    of: float
    says: str
    survives: tuple[str, ...]
    why: str

    def hand_in(self, folder: Path, lesson: Lesson) -> dict[str, float | None]:
        """Put the submission into ``folder``; what lies beside it then, see above."""
        folder.mkdir(parents=True)
        if self.file.parent.name == "files":
            return runpy.run_path(str(self.file))["make"](folder, lesson, right(lesson)) or {}
        notebook = with_cells(lesson, cells_of(self.file.read_text(encoding="utf-8")))
        write(folder, lesson, notebook)
        return {}


def read_attack(path: Path) -> Attack:
    """Parse one file.

    Raises:
        ValueError: its header does not fit the format, with its name.
    """
    values = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := HEADER.match(line):
            values.setdefault(found[1], found[2].strip())
    score = re.fullmatch(r"(\d+)/(\d+)", values.get("score", ""))
    survives = tuple(re.split(r"[,\s]+", values.get("survives", "")))
    lesson = values.get("lesson", "sums")
    if not score or not set(survives) <= set(KEYS) or not values.get("why") or lesson not in LESSONS:
        raise ValueError(f"{path.name}: its header says score, survives and why, and of which lesson")
    if int(score[2]) != FULL[lesson]:
        raise ValueError(f"{path.name}: the checks of {lesson} are worth {FULL[lesson]} points, not {score[2]}")
    says, why = values.get("says", ""), values["why"]
    return Attack(path.stem, path, lesson, int(score[1]), int(score[2]), says, survives, why)


def attacks(names: list[str] | None = None) -> list[Attack]:
    """All attacks, or those named, in the order of their names."""
    known = {path.stem: path for kind in KINDS for path in (FOLDER / kind).glob("*.py")}
    return [read_attack(known[name]) for name in sorted(names or known)]


def cells_of(text: str) -> dict[str, str]:
    """``{name: text}`` of the cells under ``# %% NAME``."""
    parts = CELL.split(text)[1:]
    return {name: body.strip("\n") + "\n" for name, body in zip(parts[::2], parts[1::2], strict=True)}


def with_cells(lesson: Lesson, cells: dict[str, str]) -> nbformat.NotebookNode:
    """A notebook with these answers and added cells, and right answers to the other exercises."""
    notebook = nbformat.reads(lesson.release_text, as_version=4)
    answers = right_answers(lesson) | cells
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    for name, place in (("first", 0), ("last", len(notebook.cells) + 1)):
        if name in cells:
            notebook.cells.insert(place, nbformat.v4.new_code_cell(cells[name]))
    unknown = set(cells) - {"first", "last"} - {cell.id for cell in notebook.cells}
    if unknown:
        raise ValueError(f"the lesson has no cell {sorted(unknown)[0]!r}")
    return notebook


def right_answers(lesson: Lesson) -> dict[str, str]:
    """A learner's own right answers: the instructor's without what an instructor alone knows."""
    answers = reference_answers(lesson)
    return {name: re.sub(rf"^.*{SECRET.pattern}.*\n", "", text, flags=re.M) for name, text in answers.items()}


def right(lesson: Lesson) -> nbformat.NotebookNode:
    """A notebook in which everything but `double`, the first exercise, is right."""
    return with_cells(lesson, {"double": "def double(x):\n    return 0\n"} if "sums" in lesson.name else {})


def write(folder: Path, lesson: Lesson, notebook: nbformat.NotebookNode, name: str = "") -> None:
    """Hand in a notebook, valid or not."""
    (folder / (name or f"{lesson.name}.ipynb")).write_text(json.dumps(notebook), encoding="utf-8")


# -------------------------------------------------------------------------------------------------------------- class

HONEST = ("aa-honest", "mm-honest", "zz-honest")  # graded together with the attacks: first, in the middle, last
EARLY = "early"  # graded before, with grades and a comment by hand
LOGIN = "honest-about-graphs"
BY_HAND = 1.5  # points that a person gave
COMMENT = "CANARY-gradebook: well argued."
CELL_SECONDS = 5


def make_course(root: Path) -> Course:
    """A course of the lessons above, built."""
    config = find_course(FOLDER).config
    (course, *_) = [conftest.make_course(root, config, LESSONS[name], source) for name, source in SOURCES.items()]
    return course


def honest_notebook(lesson: Lesson) -> nbformat.NotebookNode:
    """All right, with a written answer that is nobody else's business."""
    return with_cells(lesson, right_answers(lesson) | ({"why": "CANARY-honest"} if "sums" in lesson.name else {}))


def put_honest(classroom: Classroom, student: str, lesson: Lesson) -> None:
    folder = classroom.submitted / student / lesson.name
    folder.mkdir(parents=True)
    write(folder, lesson, honest_notebook(lesson))


def grade_by_hand(gradebook: Path, student: str, lesson: str) -> None:
    """A person's points and comment for the written answer."""
    with Gradebook(f"sqlite:///{gradebook}") as book:
        notebook = book.find_submission_notebook(lesson, lesson, student)
        for grade in notebook.grades:
            if grade.name == "why":
                grade.manual_score, grade.needs_manual_grade = BY_HAND, False
        for comment in notebook.comments:
            if comment.name == "why":
                comment.manual_comment = COMMENT
        book.db.commit()


@dataclass
class Graded:
    """A class with attacks after grading. ``damage`` says for each of :data:`KEYS` what was harmed; empty: nothing."""

    rows: dict[str, dict] = field(default_factory=dict)  # {student: row of grades.csv}
    said: dict[str, str] = field(default_factory=dict)  # {student: all words of the report}
    damage: dict[str, list[str]] = field(default_factory=lambda: {key: [] for key in KEYS})
    seconds: float = 0.0
    output: str = ""
    beside: dict[str, float | None] = field(default_factory=dict)  # {name: points} of what attacks put beside them

    @property
    def siblings(self) -> dict[str, float]:
        """Those of them that are graded."""
        return {name: points for name, points in self.beside.items() if points is not None}

    def points(self, student: str) -> float | None:
        row = self.rows.get(student)
        return float(row["checks_score"]) if row else None


def grade_class(folder: Path, chosen: list[Attack], workers: int = 2) -> Graded:
    """Hand in the attacks beside honest work, run ``course grade`` on the class, and look at everything afterwards."""
    course = make_course(folder / "course")
    classroom = Classroom(course)
    lessons = {name: read_lesson(course, lesson) for name, lesson in LESSONS.items()}
    kinds = {attack.lesson for attack in chosen} | {"sums"}
    put_honest(classroom, EARLY, lessons["sums"])
    with tempfile.TemporaryDirectory(prefix="at-", dir="/tmp") as temporary:
        first = run_grader(course, temporary, workers)
        if first.returncode:
            raise RuntimeError(f"the class could not be graded before the attacks: {first.stdout}{first.stderr}")
        grade_by_hand(classroom.gradebook, EARLY, LESSONS["sums"])
        run_grader(course, temporary, workers)  # its tables and pages with the grade by hand
        before = rows_of(classroom.gradebook, EARLY)
        for student in HONEST:
            put_honest(classroom, student, lessons["sums"])
        if "graphs" in kinds:
            put_honest(classroom, LOGIN, lessons["graphs"])
        graded = Graded()
        for attack in chosen:
            folder = classroom.submitted / attack.name / LESSONS[attack.lesson]
            graded.beside |= attack.hand_in(folder, lessons[attack.lesson])
        with Watched(course, Path(temporary)) as watched:
            done = run_grader(course, temporary, workers)
        graded.output, graded.seconds = done.stdout + done.stderr, watched.seconds
        graded.damage["machine"] += watched.found
    _read_tables(graded, classroom)
    _look_at_grader(graded, done, [*chosen], kinds)
    _look_at_others(graded, kinds)
    _look_at_gradebook(graded, classroom, before, chosen)
    _look_for_secrets(graded, classroom)
    return graded


def run_grader(course: Course, temporary: str, workers: int) -> subprocess.CompletedProcess:
    package = str(FOLDER.parent.parent)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    environment |= {"COURSE_ROOT": str(course.root), "PYTHONPATH": package, "TMPDIR": temporary, "COLUMNS": "300"}
    environment["TOKEN"] = "CANARY-environment"
    command = [sys.executable, "-m", "autograder", "grade", "--workers", str(workers), "--timeout", str(CELL_SECONDS)]
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        grader = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
            cwd=course.root,
        )  # fmt: skip
        try:
            grader.wait(540)
        except subprocess.TimeoutExpired:
            grader.terminate()
            with suppress(subprocess.TimeoutExpired):
                grader.wait(30)
            grader.kill()
            grader.wait()
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    return subprocess.CompletedProcess(command, grader.returncode, *texts)


class Watched:
    """Looks at the machine before and after; ``found`` is what was left or reached."""

    def __init__(self, course: Course, temporary: Path) -> None:
        self.course, self.temporary = course, temporary
        self.found: list[str] = []
        self.seconds = 0.0

    def __enter__(self) -> Watched:
        self._stack = ExitStack()
        self._stack.enter_context(subreaper())
        self.reached = self._stack.enter_context(listeners())
        self._before = self._now()
        self._start = time.monotonic()
        return self

    def __exit__(self, *_) -> None:
        self.seconds = time.monotonic() - self._start
        deadline = time.monotonic() + 3  # what was told to end may take a moment
        while (now := self._now())["processes"] - self._before["processes"] and time.monotonic() < deadline:
            time.sleep(0.05)
        for kind, before in self._before.items():
            self.found += [f"{kind}: {one}" for one in sorted(map(str, now[kind] - before))]
        for kind in ("files of the course",):  # these may not vanish either
            self.found += [f"changed or gone: {one}" for one in sorted(map(str, self._before[kind] - now[kind]))]
        self._stack.close()
        self.found += [f"reached from a sandbox: {who}" for who in self.reached]

    def _now(self) -> dict[str, set]:
        return {
            "processes": set(_running_below()),
            "mounts": set(Path("/proc/mounts").read_text().splitlines()),
            "temporary files": set(self.temporary.iterdir()),
            "files of the course": set(_files_with_content(self.course)),
            "traces": set(_traces(self.course)),
        }


def _running_below() -> Iterator[str]:
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if child.status() != psutil.STATUS_ZOMBIE:
                yield f"{child.pid} {' '.join(child.cmdline())[:100]}"


def _files_with_content(course: Course) -> Iterator[tuple[str, str]]:
    """What grading may not touch: everything outside the classroom, and what was handed in."""
    for folder in (course.solutions, course.notebooks, course.config, course.classroom / "submitted"):
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_symlink() and path.lstat().st_size < 10_000_000:
                yield str(path), hashlib.sha256(path.read_bytes()).hexdigest()


def _traces(course: Course) -> Iterator[Path]:
    yield from course.root.rglob(f"*{TRACE}*")
    for folder in ("/tmp", "/dev/shm", "/var/tmp", Path.home(), Path.cwd(), sys.prefix):
        with suppress(OSError):
            yield from Path(folder).glob(f"*{TRACE}*")


@contextmanager
def subreaper() -> Iterator[None]:
    """Orphans of whatever this process starts become its children, so that none can hide."""
    libc = ctypes.CDLL(None)
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    try:
        yield
    finally:
        libc.prctl(36, 0, 0, 0, 0)


@contextmanager
def listeners() -> Iterator[list[str]]:
    """Servers of the grader's machine that no submission may reach; the list says which were."""
    reached: list[str] = []
    servers = []
    with suppress(OSError):
        servers.append(socket.create_server(("0.0.0.0", PORT)))
    with suppress(OSError):
        unix = socket.socket(socket.AF_UNIX)
        unix.bind(ABSTRACT)
        unix.listen()
        servers.append(unix)
    stopped = threading.Event()

    def accept(server: socket.socket) -> None:
        server.settimeout(0.2)
        while True:
            try:
                server.accept()[0].close()
            except OSError:
                if stopped.is_set():  # only now: who came before has been noted, however busy the machine is
                    return
            else:
                reached.append(str(server.getsockname()))

    threads = [threading.Thread(target=accept, args=(server,), daemon=True) for server in servers]
    for thread in threads:
        thread.start()
    try:
        yield reached
    finally:
        stopped.set()
        for thread, server in zip(threads, servers, strict=True):
            thread.join()
            server.close()


def _read_tables(graded: Graded, classroom: Classroom) -> None:
    folder = classroom.course.classroom
    with suppress(OSError, ValueError), (folder / "grades.csv").open(newline="", encoding="utf-8") as file:
        graded.rows = {row["student"].removeprefix("'"): row for row in csv.DictReader(file)}
    with suppress(OSError, ValueError):
        for row in json.loads((folder / "grades.json").read_text()):
            report = row["report"]
            words = [*report["mends"], *report["flags"], *report["notes"], report["problem"]]
            for check in report["checks"]:
                words += [check["message"], check["got"]]
            graded.said[row["student"]] = "\n".join(words)


def _look_at_grader(graded: Graded, done, chosen: list[Attack], kinds: set[str]) -> None:
    found = graded.damage["grader"]
    if done.returncode != 0:
        found.append(f"`course grade` ended with status {done.returncode}: {graded.output[-1500:]}")
    if "Traceback" in graded.output or "The grader itself failed" in "".join(graded.said.values()):
        found.append("an error of the grader's own")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", graded.output):
        found.append("control characters reached the teacher's terminal")
    if any(unicodedata.normalize("NFKC", row["student"])[:1] in "=+-@" for row in graded.rows.values()):
        found.append("a spreadsheet would run a student's name")
    refused = [name for name, points in graded.beside.items() if points is None]
    if " ".join(graded.output.split()).count("its name cannot be a student's id") != len(refused):
        found.append(f"of {len(refused)} folders whose names are none, not every one was reported")
    expected = {attack.name for attack in chosen} | {EARLY, *HONEST} | ({LOGIN} if "graphs" in kinds else set())
    expected |= set(graded.siblings)
    found += [f"{student} has no row in grades.csv" for student in sorted(expected - set(graded.rows))]
    found += [f"{student} is an unknown row of grades.csv" for student in sorted(set(graded.rows) - expected)]


def _look_at_others(graded: Graded, kinds: set[str]) -> None:
    graphs = {LOGIN: FULL["graphs"]} if "graphs" in kinds else {}
    of: dict[str, float] = {**dict.fromkeys(HONEST, FULL["sums"]), **graphs, **graded.siblings}
    for student, points in of.items():
        if graded.points(student) != points:
            graded.damage["others"].append(f"{student}: {graded.points(student)}, not {points}")
    for student in (*HONEST, EARLY):
        row = graded.rows.get(student, {})
        if row.get("remarks") or row.get("max_score") != "12.0":
            graded.damage["others"].append(f"{student}: {row}")


def _look_at_gradebook(graded: Graded, classroom: Classroom, before: list, chosen: list[Attack]) -> None:
    found = graded.damage["gradebook"]
    try:
        if rows_of(classroom.gradebook, EARLY) != before:
            found.append(f"rows of {EARLY} changed")
        with sqlite3.connect(classroom.gradebook) as database:
            if database.execute("pragma integrity_check").fetchone() != ("ok",):
                found.append("the database is damaged")
            students = {row[0] for row in database.execute("select id from student")}
            points = dict(database.execute(POINTS))
        known = {attack.name for attack in chosen} | {EARLY, LOGIN, *HONEST, *graded.siblings}
        found += [f"{student} is a student whom nobody knows" for student in sorted(students - known)]
        for student in sorted(known & students):
            if points.get(student) != graded.points(student):
                found.append(f"{student} has {points.get(student)} points there, {graded.points(student)} in the table")
    except sqlite3.Error as error:
        found.append(f"it cannot be read: {error}")


# what checks gave, by student; written answers have no automatic score
POINTS = """
select s.student_id, sum(coalesce(g.auto_score, 0)) from grade g
join submitted_notebook n on g.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id
group by s.student_id"""
ROWS = """
select b.name, g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade, c.manual_comment, s.timestamp
from submitted_assignment s join submitted_notebook n on n.assignment_id = s.id join grade g on g.notebook_id = n.id
join base_cell b on g.cell_id = b.id left join comment c on c.notebook_id = n.id and c.cell_id = b.id
where s.student_id = ? order by b.name"""


def rows_of(gradebook: Path, student: str) -> list[tuple]:
    """All that the gradebook says of a student."""
    with sqlite3.connect(gradebook) as database:
        return database.execute(ROWS, (student,)).fetchall()


def _look_for_secrets(graded: Graded, classroom: Classroom) -> None:
    """In everything that a hostile submission wrote and a person or learner will read."""
    folder, own = classroom.course.classroom, {"honest": {EARLY, LOGIN, *HONEST}, "gradebook": {EARLY}}
    for path in sorted((*folder.glob("autograded/*/*/*.ipynb"), *folder.glob("feedback/*/*/*.html"))):
        student = path.relative_to(folder).parts[1]
        text = path.read_text(encoding="utf-8", errors="replace")
        seen = text if path.suffix == ".html" else written_out(text)
        for secret in sorted({word for word in SECRET.findall(seen) if student not in own.get(word, ())}):
            graded.damage["hidden"].append(f"{student}: {secret} in {path.relative_to(folder)}")
        if path.suffix == ".html" and re.search(r"<(script|img|iframe)\b[^>]*attack", text):
            graded.damage["others"].append(f"{student}: a page with the learner's own markup, {path.name}")
        if path.suffix == ".ipynb" and (acts := "; ".join(what_acts(json.loads(text)))):
            graded.damage["others"].append(f"{student}: a notebook that does something when it is shown: {acts}")


def what_acts(notebook: dict) -> Iterator[str]:
    """What a program that shows a graded notebook might run."""
    if "widgets" in notebook["metadata"]:
        yield "widgets"
    for cell in notebook["cells"]:
        if cell.get("attachments"):
            yield "attachments"
        acting = re.search(r"<\w+[^>]*attack|\]\(\s*(javascript|data)", "".join(cell["source"]))
        if cell["cell_type"] == "markdown" and acting:
            yield "markup in an answer"
        for output in cell.get("outputs", []):
            yield from sorted(set(output.get("data", {})) - {"text/plain", "image/png", "image/jpeg"})


def written_out(notebook_text: str) -> str:
    """All that the cells of a notebook put out. What a check cell holds as its text was never theirs to see."""
    cells = json.loads(notebook_text)["cells"]
    return json.dumps([cell.get("outputs", []) for cell in cells])


Make = Callable[[Path, Lesson, nbformat.NotebookNode], dict[str, float | None] | None]
