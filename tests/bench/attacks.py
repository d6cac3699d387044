"""``course bench attacks [NAME ...]``: the attacks of ``tests/attacks/`` on stock nbgrader and on this course's grader.

Stock nbgrader grades each attack with its own defaults, in a throw-away class with honest students, inside a box of its
own (bubblewrap, a small memory disk, limits on memory, processes and time): what breaks there is thrown away.
Ours grades all of them in one class, as ``course grade`` does. Prints a table and totals; status 1 when ours gave an
undeserved point or was harmed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.errors import CourseError
from autograder.grading.lesson import Lesson, read_lesson
from autograder.grading.sandbox import Resources, probe
from autograder.grading.sandbox.bubblewrap import Bubblewrap
from autograder.grading.sandbox.inside import places
from autograder.grading.sandbox.watchdog import Watchdog
from autograder.paths import Course
from autograder.reports.page import number
from tests.attacks.suite import (
    EARLY,
    FULL,
    LESSONS,
    ROWS,
    SECRET,
    Attack,
    Graded,
    attacks,
    grade_by_hand,
    grade_class,
    honest_notebook,
    make_course,
    rows_of,
    write,
)

MIB = 1 << 20
LATER = "zz-honest"  # graded after the attack
SECONDS = 240  # for two submissions, the attack and an honest one; nbgrader gives each cell 30 seconds
BOX = Resources(memory_bytes=3000 * MIB, processes=150, threads=1000, disk_bytes=400 * MIB, file_bytes=200 * MIB)


@dataclass
class Stock:
    """What became of stock nbgrader's class."""

    points: float | None = None  # None: it gave none
    lost: list[str] = field(default_factory=list)
    others: int = 0  # students whose grades are not what they were or should be
    dead: bool = False
    left: int = 0


class StockClass:
    """A class as nbgrader's own commands make it, which boxes get a copy of."""

    def __init__(self, folder: Path, course: Course, lesson: str) -> None:
        self.folder, self.lesson, self.name = folder, read_lesson(course, LESSONS[lesson]), LESSONS[lesson]
        source = folder / "source" / self.name
        source.mkdir(parents=True)
        shutil.copy(course.solution_notebook(self.name), source)
        (folder / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'stock'\n")
        self.nbgrader("generate_assignment", self.name)
        self.put_honest(EARLY)
        self.nbgrader("autograde", self.name)
        if lesson == "sums":
            grade_by_hand(folder / "gradebook.db", EARLY, self.name)
        self.put_honest(LATER)

    def nbgrader(self, *arguments: str) -> None:
        """Trusted notebooks alone come near this."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("JUPYTER")}
        path = f"{Path(sys.executable).parent}{os.pathsep}{environment.get('PATH', '')}"
        environment |= {"PATH": path, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments], cwd=self.folder, env=environment, capture_output=True
        )
        if done.returncode:
            raise CourseError(f"nbgrader {arguments[0]} failed: {done.stderr.decode()[-2000:]}")

    def put_honest(self, student: str) -> None:
        folder = self.folder / "submitted" / student / self.name
        folder.mkdir(parents=True)
        write(folder, self.lesson, honest_notebook(self.lesson))


def stock(attack: Attack, classes: dict[str, StockClass]) -> Stock:
    """Grade an attack with stock nbgrader in a box."""
    prepared = classes[attack.lesson]
    with tempfile.TemporaryDirectory(prefix="stock-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        put_class(Path(folder), prepared.folder, attack, prepared.lesson)
        shutil.copy(Path(__file__).with_name("stock_box.py"), folder)
        answer, reason = run_box(Path(folder), prepared.name, attack.name)
    return judged(attack, answer, reason)


def put_class(folder: Path, prepared: Path, attack: Attack, lesson: Lesson) -> None:
    """A copy of a class with the attack handed in, and beside it what lies beside a class of ours."""
    shutil.copytree(prepared, folder / "class")
    shutil.copytree(prepared / "source", folder / "solutions")
    attack.hand_in(folder / "class" / "submitted" / attack.name / lesson.name, lesson)


def run_box(folder: Path, lesson: str, student: str) -> tuple[dict | None, str]:
    """What the box says, and why it was ended where it was."""
    limits = BOX.rlimits(SECONDS)
    config = {"lesson": lesson, "student": student, "seconds": SECONDS, "limits": limits, "secret": SECRET.pattern}
    disks = []
    for place, size in ((places.HOME, BOX.disk_bytes), ("/dev/shm", 64 * MIB)):
        disks += ["--perms", "1777", "--size", str(size), "--tmpfs", place]
    box = Bubblewrap(
        [sys.executable, "/stock/stock_box.py", json.dumps(config | {"rows": ROWS})],
        options=["--ro-bind", str(folder), "/stock"],
        disks=disks,
        environment={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": places.HOME, "TOKEN": "CANARY-environment"}
        | {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"},
    )
    process, first = box.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    watchdog = Watchdog(first, BOX, SECONDS + 30, process.kill)
    watchdog.start()
    try:
        said, errors = process.communicate(timeout=SECONDS + 60)
    except subprocess.TimeoutExpired:
        process.kill()
        said, errors = process.communicate()
    finally:
        watchdog.stop()
        process.kill()
        process.wait()
    try:
        return json.loads(said), watchdog.reason
    except ValueError:
        return None, watchdog.reason or f"it ended ({errors.decode(errors='replace').strip()[-200:]})"


def judged(attack: Attack, answer: dict | None, reason: str) -> Stock:
    if answer is None:
        return Stock(None, [f"the whole grader: {reason.removeprefix('It ')}"], 1, dead=True)
    found = Stock(answer["points"].get(attack.name), left=answer["left"])
    found.lost += answer["problems"]
    if answer["status"] is None:
        found.lost.append(f"hung for {SECONDS} s")
        found.dead = True
    elif answer["status"] < 0:
        found.lost.append(f"the grader died of signal {-answer['status']}")
        found.dead = True
    if answer["points"].get(LATER) != FULL[attack.lesson]:
        found.lost.append(f"{LATER} has {answer['points'].get(LATER)} of {FULL[attack.lesson]} points")
        found.others += 1
    if answer["early"] != [list(row) for row in attack_rows(attack)]:
        found.lost.append("grades of others rewritten")
        found.others += 1
    if answer["secrets"]:
        found.lost.append(f"read: {', '.join(answer['secrets'])}")
    if answer["changed"] or answer["traces"]:
        found.lost.append(f"{answer['changed']} files changed, {answer['traces']} left behind")
    if found.left:
        found.lost.append(f"{found.left} processes left")
    return found


_rows: dict[str, list] = {}  # of the student whom a person graded, before any attack


def attack_rows(attack: Attack) -> list:
    return _rows[attack.lesson]


def bench(chosen: list[Attack], say) -> tuple[dict[str, Stock], Graded]:
    """All of them with stock nbgrader, one box each, and with ours as one class."""
    with tempfile.TemporaryDirectory(prefix="attacks-", dir="/tmp") as folder:
        course = make_course(Path(folder, "course"))
        classes = {}
        for lesson in sorted({attack.lesson for attack in chosen}):
            classes[lesson] = StockClass(Path(folder, f"stock-{lesson}"), course, lesson)
            _rows[lesson] = rows_of(classes[lesson].folder / "gradebook.db", EARLY)
        found = {}

        def one(attack: Attack) -> None:
            start = time.monotonic()
            found[attack.name] = stock(attack, classes)
            say(f"stock nbgrader: {attack.name} ({time.monotonic() - start:.0f} s)")

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(one, chosen))
        say("ours: the whole class")
        ours = grade_class(Path(folder, "ours"), chosen)
    return found, ours


def table(chosen: list[Attack], stocks: dict[str, Stock], ours: Graded) -> Table:
    made = Table(title="Attacks: points deserved and given", title_justify="left")
    for column in ("Attack", "Deserved", "Stock nbgrader", "What else it lost", "Ours"):
        made.add_column(column, justify="right" if column in ("Deserved", "Stock nbgrader", "Ours") else "left")
    for attack in chosen:
        its, mine = stocks[attack.name], ours.points(attack.name)
        made.add_row(
            attack.name,
            f"{number(attack.score)}/{attack.of}",
            "–" if its.points is None else number(its.points) + " !" * (its.points > attack.score),
            "; ".join(its.lost),
            "–" if mine is None else number(mine) + " !" * (mine != attack.score),
        )
    return made


def totals(chosen: list[Attack], stocks: dict[str, Stock], ours: Graded) -> list[tuple[str, float, float]]:
    """(what, stock, ours)"""
    undeserved = [
        sum(max(0, min(points(attack) or 0, attack.of) - attack.score) for attack in chosen)  # over full marks: full
        for points in (lambda attack: stocks[attack.name].points, lambda attack: ours.points(attack.name))
    ]
    missing = [
        sum(max(0, attack.score - (points(attack) or 0)) for attack in chosen)
        for points in (lambda attack: stocks[attack.name].points, lambda attack: ours.points(attack.name))
    ]
    its, harm = stocks.values(), ours.damage
    return [
        ("undeserved points", undeserved[0], undeserved[1]),
        ("deserved points not given", missing[0], missing[1]),
        ("others affected", sum(one.others for one in its), len(harm["others"]) + len(harm["gradebook"])),
        ("attacks that read what was not theirs", _reads(stocks), len(harm["hidden"])),
        ("deaths of the grader", sum(one.dead for one in its), len(harm["grader"])),
        ("left-over processes, mounts, files", sum(one.left for one in its), len(harm["machine"])),
    ]


def _reads(stocks: dict[str, Stock]) -> int:
    return sum(any(text.startswith("read: ") for text in one.lost) for one in stocks.values())


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="course bench attacks", description=__doc__.split("\n\n")[1])
    parser.add_argument("names", nargs="*", metavar="NAME", help="attacks (default: all)")
    parser.add_argument("--list", action="store_true", help="say what there is")
    args = parser.parse_args(argv)
    known = {attack.name: attack for attack in attacks()}
    if args.list:
        for attack in known.values():
            print(f"{attack.name:32} {attack.why}")
        return 0
    unknown = [name for name in args.names if name not in known]
    if unknown:
        parser.error(f"there is no attack {unknown[0]!r}; --list names them all")
    isolation = probe()
    if not isolation.works:
        print(isolation.problem, file=sys.stderr)
        return 2
    chosen = [known[name] for name in args.names or known]
    console = Console()
    stocks, ours = bench(chosen, lambda text: print(text, file=sys.stderr, flush=True))
    console.print(table(chosen, stocks, ours))
    summary = Table("", "Stock nbgrader", "Ours", title=f"{len(chosen)} attacks", title_justify="left")
    for what, its, mine in totals(chosen, stocks, ours):
        summary.add_row(what, number(its), number(mine))
    console.print(summary)
    for key, those in ours.damage.items():
        for one in those:
            console.print(f"ours, {key}: {one}", markup=False)
    wrong = [attack for attack in chosen if ours.points(attack.name) != attack.score]
    return 1 if wrong or any(ours.damage.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
