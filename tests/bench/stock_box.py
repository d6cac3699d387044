"""Runs inside a box: stock nbgrader grades a throw-away class there, and what it did to the class is printed as JSON.

Started by :mod:`tests.bench.attacks` alone, as a script; uses the standard library, and `inside` of the sandbox.
Where root grades, this process is another user than nbgrader's, so that no submission can end it.
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, "/run/course")

if TYPE_CHECKING:
    from autograder.grading.sandbox.inside import confine, places, system
else:
    from inside import confine, places, system

CLASS = Path(places.HOME, "class")
POINTS = """
select s.student_id, sum(coalesce(g.manual_score, g.auto_score, 0)) from grade g
join submitted_notebook n on g.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id
group by s.student_id"""


def main() -> None:
    config = json.loads(sys.argv[1])
    subprocess.run(["cp", "-a", "/stock/class", str(CLASS)], check=True)
    system.loopback_up()
    if os.getuid() == 0:
        subprocess.run(["chown", "-R", f"{places.LEARNER}:{places.LEARNER}", places.HOME], check=True)
    before = files()
    start = time.monotonic()
    grader = os.fork()
    if grader == 0:
        become_grader(config)
    status = wait(grader, config["seconds"])
    seconds = time.monotonic() - start
    time.sleep(1)  # what ends with its kernel has ended by now
    left = processes() - {os.getpid(), 1}
    for pid in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    print(json.dumps({"status": status, "seconds": seconds, "left": len(left), **look(config, before)}))


def become_grader(config: dict) -> None:
    if os.getuid() == 0:
        system.drop_bounds()
        os.setgroups([])
        os.setresgid(*[places.LEARNER] * 3)
        os.setresuid(*[places.LEARNER] * 3)
    confine.close_others(set())
    confine.seccomp.LOCKS = ()  # its gradebook is an SQLite file
    confine.drop_rights(config["limits"])
    os.chdir(CLASS)
    log = os.open(f"{places.HOME}/log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ |= {"HOME": places.HOME, "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "TMPDIR": "/tmp"}
    os.execv(sys.executable, [sys.executable, "-m", "nbgrader", "autograde", config["lesson"]])


def wait(pid: int, seconds: float) -> int | None:
    """How it ended; None where it did not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.1)
    return None


def processes() -> set[int]:
    found = set()
    for path in Path("/proc").iterdir():
        with suppress(OSError):
            if path.name.isdigit() and (path / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                found.add(int(path.name))
    return found


def files() -> dict[str, int]:
    """What was handed in and what it is graded with: nothing of it may change."""
    parts = [CLASS / name for name in ("submitted", "source", "autograded/early")]
    return {
        str(path): hash(path.read_bytes())
        for part in parts
        for path in part.rglob("*")
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 10_000_000
    }


def look(config: dict, before: dict[str, int]) -> dict:
    found: dict[str, Any] = {"points": {}, "early": None, "problems": [], "secrets": []}
    try:
        with sqlite3.connect(CLASS / "gradebook.db") as database:
            found["points"] = dict(database.execute(POINTS))
            found["early"] = [list(row) for row in database.execute(config["rows"], ("early",))]
    except sqlite3.Error as error:
        found["problems"].append(f"gradebook: {error}")
    after = files()
    found["changed"] = sum(after.get(path) != before[path] for path in before)
    found["traces"] = len(list(CLASS.rglob("*attack-was-here*")))
    for path in CLASS.glob(f"autograded/{config['student']}/*/*.ipynb"):
        try:
            cells = json.loads(path.read_text())["cells"]
            own = [cell for cell in cells if not cell["metadata"].get("nbgrader", {}).get("grade")]
            outputs = json.dumps([cell.get("outputs", []) for cell in own])  # errors of tests quote the tests
        except (ValueError, KeyError, OSError, RecursionError):
            continue
        found["secrets"] = sorted(set(re.findall(config["secret"], outputs)))
    with suppress(OSError):
        found["log"] = Path(places.HOME, "log").read_text(errors="replace")[-1500:]
    shutil.rmtree(CLASS, ignore_errors=True)
    return found


if __name__ == "__main__":
    main()
