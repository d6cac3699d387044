"""``course gradescope``: a lesson's grader as the zip that Gradescope asks for: ``setup.sh``, ``run_autograder``.

Gradescope unpacks it in a container, runs ``setup.sh`` once, and for each submission starts a container of that image
and runs ``run_autograder`` there, which is ``gradescope_run.py``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .. import __file__ as package_file
from ..errors import CourseError
from ..files import write_zip
from ..grading.lesson import read_lesson
from ..paths import Course, find_course

SUFFIXES = (".py", ".j2", ".css", ".js", ".json")
VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")  # as Gradescope calls them

SETUP = """\
#!/usr/bin/env bash
# Runs once, as root, when Gradescope builds the image: Python, and the packages of the lock, where learners may read.
set -euo pipefail
cd /autograder/source
fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }
find_python() {
  for name in python3.12 python3.13 python3.11 python3; do if fits "$name"; then echo "$name"; return; fi; done
}
apt-get update
apt-get install -y --no-install-recommends util-linux procps bubblewrap ca-certificates
if [ -z "$(find_python)" ]; then  # Ubuntu 22.04 has 3.11 beside its own 3.10
  apt-get install -y --no-install-recommends python3.11 python3.11-venv
fi
python="$(find_python)"
"$python" -m venv /opt/course || { apt-get install -y "$python-venv" && "$python" -m venv /opt/course; }
/opt/course/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
chmod -R a+rX /opt/course
chmod 700 /autograder/source
"""

RUN = """\
#!/usr/bin/env bash
# Runs for each submission. What it prints is for staff; learners see results.json.
cd /autograder/source || exit 1
export PYTHONPATH=/autograder/source COURSE_ROOT=/autograder/source HOME="${HOME:-/root}"
exec /opt/course/bin/python -m autograder.classroom.gradescope_run /autograder
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="a number or name")
    parser.add_argument("--file", type=Path, metavar="FILE", help="default: classroom/gradescope-LESSON.zip")
    parser.add_argument(
        "--hidden",
        choices=VISIBILITIES,
        default="after_published",
        help="when learners see how hidden checks came out (default: %(default)s)",
    )


def command(args: argparse.Namespace) -> int:
    course, console = find_course(), Console()
    lesson = course.lesson(args.lesson)
    path = args.file or course.classroom / f"gradescope-{lesson}.zip"
    if args.file is None:
        course.make_classroom()
    make_zip(course, lesson, path, args.hidden)
    console.print(Text(f"{path}: upload it as the autograder of a programming assignment."), soft_wrap=True)
    console.print(
        "There: a container of 2 CPUs and 4 GB or more, a limit of 10 minutes or more. Answers are in this file.",
        highlight=False,
    )
    return 0


def make_zip(course: Course, lesson: str, path: Path, hidden: str) -> None:
    """Write the zip. ``hidden``: one of :data:`VISIBILITIES`.

    Raises:
        CourseError: the lesson is not built, or the lock is missing.
    """
    read_lesson(course, lesson)
    lock, package = course.root / "requirements.txt", Path(package_file).resolve().parent
    if not lock.is_file():
        raise CourseError("requirements.txt is missing, which says what the container installs. Run `course lock`.")
    about = {"lesson": lesson, "hidden": hidden}
    texts = {"setup.sh": SETUP, "run_autograder": RUN, "gradescope.json": json.dumps(about) + "\n"}
    files = {name: text.encode() for name, text in texts.items()} | {"requirements.txt": lock.read_bytes()}
    for notebook in (course.solution_notebook(lesson), course.release_notebook(lesson)):
        files[notebook.relative_to(course.root).as_posix()] = notebook.read_bytes()
    for part in sorted(package.rglob("*")):
        if part.suffix in SUFFIXES and part.is_file():
            files[f"autograder/{part.relative_to(package).as_posix()}"] = part.read_bytes()
    write_zip(path, files)
    course.close_classroom()  # where learners may go through it
