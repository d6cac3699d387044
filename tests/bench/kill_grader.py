"""``python -m tests.bench.kill_grader [KILLS] [--students N] [--lesson LESSON] [--seed N]``

Kills the grader of a made-up class with SIGKILL at random moments, starts it again until the class is done, and
compares gradebook, table and files with those of a class that was graded in peace. Every second class has been
graded before, with grades by hand, and is graded again with ``--force``. Prints how many grades were lost, duplicated
or changed, and how many processes outlived a killed grader; status 1 unless all are 0.

Without ``--lesson`` the class hands in the small lesson of the tests, whose kernels start fast.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from nbgrader.api import Gradebook

from autograder.classroom.demo import made_up_class, put
from autograder.classroom.submissions import Classroom
from autograder.paths import Course, find_course
from tests.grading.conftest import make_course

BY_HAND = "Given by a person."
ROWS = (  # what there may be only one of
    "select assignment_id, student_id from submitted_assignment",
    "select assignment_id, notebook_id from submitted_notebook",
    "select notebook_id, cell_id from grade",
    "select notebook_id, cell_id from comment",
)


KINDS = ("lost", "duplicated", "changed", "left_running")
GRACE = 10  # seconds in which what a killed grader had started must end


@dataclass
class Damage:
    """What differs from a class that was graded in peace."""

    lost: list[str] = field(default_factory=list)
    duplicated: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    left_running: list[str] = field(default_factory=list)

    def add(self, other: Damage) -> None:
        for name in KINDS:
            getattr(self, name).extend(getattr(other, name))

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in KINDS)


def make_class(folder: Path, students: int, lesson: str | None) -> Classroom:
    """A course in ``folder`` with the demo's kinds of submission, as often as there are students."""
    real = find_course(Path(__file__).resolve().parent)
    course = make_course(folder, real.config) if lesson is None else copy_lesson(real, folder, real.lesson(lesson))
    classroom = Classroom(course)
    ((name, made),) = made_up_class(course, course.lessons()).items()
    kinds = list(made.items())
    for number in range(students):
        student, submission = kinds[number % len(kinds)]
        put(classroom, f"{student.removeprefix('demo-')}-{number:03}", name, submission)
    return classroom


def copy_lesson(real: Course, folder: Path, lesson: str) -> Course:
    course = Course(folder)
    for part in ("solutions", "notebooks"):
        shutil.copytree(real.root / part / lesson, folder / part / lesson)
    shutil.copytree(real.shared, course.shared)
    course.config.mkdir()
    shutil.copy(real.config / "nbgrader_config.py", course.config)
    return course


def start_grader(course: Course, workers: int, *options: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "autograder", "grade", "--workers", str(workers), *options]
    package = str(Path(__file__).resolve().parent.parent.parent)
    environment = {**os.environ, "COURSE_ROOT": str(course.root), "PYTHONPATH": package}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def finish(grader: subprocess.Popen) -> None:
    words = grader.communicate(timeout=3600)[1]
    if grader.returncode:
        raise SystemExit(f"the grader failed with status {grader.returncode}: {words}")


def forget(classroom: Classroom) -> None:
    """Everything that grading made."""
    for path in classroom.course.classroom.iterdir():
        if path != classroom.submitted:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def grade_by_hand(classroom: Classroom) -> None:
    """A grade, and a comment, for each written answer of every second student."""
    with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
        for assignment in gradebook.assignments:
            for submission in sorted(assignment.submissions, key=lambda one: one.student_id)[::2]:
                for notebook in submission.notebooks:
                    for grade in (grade for grade in notebook.grades if grade.auto_score is None):
                        grade.manual_score, grade.needs_manual_grade = grade.max_score / 2, False
                    for comment in notebook.comments:
                        comment.manual_comment = BY_HAND
        gradebook.db.commit()


def everything(classroom: Classroom) -> dict[str, object]:
    """All that a teacher would miss, by a name of its own: grades, comments, times, the table's rows, pages."""
    found: dict[str, object] = {}
    if classroom.gradebook.is_file():
        with Gradebook(f"sqlite:///{classroom.gradebook}") as gradebook:
            for assignment in gradebook.assignments:
                for submission in assignment.submissions:
                    who = f"{assignment.name} {submission.student_id}"
                    found[who] = (submission.score, submission.max_score, submission.timestamp)
                    for notebook in submission.notebooks:
                        for grade in notebook.grades:
                            by_hand = grade.manual_score is not None
                            waits = None if by_hand else grade.needs_manual_grade  # again once recorded again
                            found[f"{who} {grade.name}"] = (grade.auto_score, grade.manual_score, waits)
                        for one in notebook.comments:
                            found[f"{who} {one.name} comment"] = (one.auto_comment, one.manual_comment)
    table = classroom.course.classroom / "grades.csv"
    if table.is_file():
        with table.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                found[f"grades.csv {row['lesson']} {row['student']}"] = {**row, "needs_person": None}
    for kind in ("feedback/*/*/*.html", "autograded/*/*/*.ipynb", "journal/*/[!.]*.json"):
        folder = classroom.course.classroom
        found |= {str(path.relative_to(folder)): True for path in folder.glob(kind)}
    return found


def duplicates(classroom: Classroom) -> list[str]:
    """Rows of the gradebook that are there twice, asked of the database itself."""
    with sqlite3.connect(classroom.gradebook) as database:
        return [
            f"{row} {count} times"
            for query in ROWS
            for row, count in Counter(database.execute(query).fetchall()).items()
            if count > 1
        ]


def compare(classroom: Classroom, expected: dict[str, object]) -> Damage:
    found = everything(classroom)
    twice = duplicates(classroom) + [f"{name}: not in the class graded in peace" for name in set(found) - set(expected)]
    lost = [name for name in expected if name not in found]
    changed = [
        f"{name}: {found[name]} instead of {expected[name]}"
        for name in expected
        if name in found and found[name] != expected[name]
    ]
    return Damage(lost, twice, changed)


@dataclass
class Kills:
    """Rounds of killing in one class."""

    classroom: Classroom
    workers: int
    chance: random.Random
    killed: int = 0
    rounds: int = 0
    left_running: list[str] = field(default_factory=list)

    def until_done(self, kills: int, seconds: float, *options: str) -> None:
        """One round: start, kill at a moment within ``seconds``, start again, until the class is done.

        Args:
            kills: no more than so many in this round; then the grader is left in peace.
            seconds: what the whole class takes.
            options: of the first start.
        """
        self.rounds += 1
        for number in range(kills + 1):
            grader = start_grader(self.classroom.course, self.workers, *(options if number == 0 else ()))
            if number < kills:
                try:
                    grader.wait(self.chance.uniform(0, seconds))
                except subprocess.TimeoutExpired:
                    self.kill(grader)
                    continue
            finish(grader)
            return

    def kill(self, grader: subprocess.Popen) -> None:
        """SIGKILL, which the grader cannot answer; then nothing that it started may go on."""
        below = psutil.Process(grader.pid).children(recursive=True)
        os.kill(grader.pid, signal.SIGKILL)
        grader.wait()
        grader.stderr.close()
        self.killed += 1
        for process in psutil.wait_procs(below, timeout=GRACE)[1]:
            with suppress(psutil.Error):
                self.left_running.append(f"{process.pid}: {' '.join(process.cmdline())}")
                process.kill()


def bench(kills: int, students: int, lesson: str | None, seed: int, workers: int = 2, say=print) -> Damage:
    """Kill a grader ``kills`` times; what was damaged by that."""
    with tempfile.TemporaryDirectory(prefix="kill-grader-") as folder:
        classroom = make_class(Path(folder, "course"), students, lesson)
        begin = time.monotonic()
        finish(start_grader(classroom.course, workers))
        seconds = time.monotonic() - begin
        fresh = everything(classroom)
        grade_by_hand(classroom)
        finish(start_grader(classroom.course, workers, "--force"))
        by_hand = everything(classroom)
        say(f"{students} submissions, {workers} workers: {seconds:.1f} s in peace; {len(by_hand)} things to compare")
        rounds, damage = Kills(classroom, workers, random.Random(seed)), Damage()
        while rounds.killed < kills:
            left = kills - rounds.killed
            again = rounds.rounds % 2 == 1  # the class of the round before, with grades by hand, once more
            if again:
                grade_by_hand(classroom)
            else:
                forget(classroom)
            share = max(1, left // 2) if rounds.rounds == 0 else left  # so that both kinds of round are killed
            rounds.until_done(share, seconds, *(["--force"] if again else []))
            found = compare(classroom, by_hand if again else fresh)
            found.left_running, rounds.left_running = rounds.left_running, []
            damage.add(found)
            say(f"round {rounds.rounds}: {rounds.killed} of {kills} kills{f', DAMAGE: {found}' if found else ''}")
    return damage


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kill_grader")
    parser.add_argument("kills", nargs="?", type=int, default=10)
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--lesson", help="a real lesson; default: the small one of the tests")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    print(f"seed {args.seed}")
    damage = bench(args.kills, args.students, args.lesson, args.seed, args.workers)
    for kind in KINDS:
        those = getattr(damage, kind)
        print(f"{kind.replace('_', ' ')}: {len(those)}")
        for one in those[:10]:
            print(f"  {one}")
    return 1 if damage else 0


if __name__ == "__main__":
    sys.exit(main())
