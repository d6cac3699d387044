"""The ``course`` command: one thin dispatcher; each subcommand is a module of this package."""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from types import ModuleType

from . import __version__
from .errors import CourseError, is_of_a_database, why_refused
from .grading.text import clean
from .wording import typed

COMMANDS = {  # {name: (module, what it does)}
    "lab": ("learning.lab", "open the course in JupyterLab, on your own copies in work/"),
    "teacher": ("learning.teacher", "open the whole course in JupyterLab, with nbgrader's Formgrader"),
    "check": ("learning.check", "grade your own notebooks, hidden checks included"),
    "collect": ("classroom.collect", "take over what a class handed in elsewhere: Canvas, Moodle and others"),
    "grade": ("classroom.grade", "grade every submission in classroom/submitted/"),
    "export": ("classroom.export", "write the class's points for Canvas, Moodle or a spreadsheet"),
    "feedback": ("classroom.feedback", "put everybody's page of a lesson into one zip for Moodle"),
    "gradescope": ("classroom.gradescope", "make a lesson's grader for Gradescope"),
    "scheduler": ("classroom.scheduler", "let workers and `grade --scheduler` of several machines find each other"),
    "worker": ("classroom.worker", "grade on this machine what a teacher's machine sends"),
    "certificates": ("classroom.certificates", "make what the machines of a cluster know each other by"),
    "due": ("classroom.due", "show or set when lessons are due, and who has longer"),
    "demo": ("classroom.demo", "put a small made-up class into classroom/ to see grading work"),
    "build": ("authoring.build", "rebuild the notebooks from solutions/**/*.py"),
    "lint": ("authoring.lint", "check the lessons' format; a message names file and cell"),
    "answers": ("authoring.answers", "grade a lesson's bank of right and wrong answers"),
    "test": ("authoring.test", "run all tests"),
    "test-colab": ("authoring.test_colab", "run the learners' notebooks with the versions that Colab has"),
    "site": ("authoring.site", "build the web book of the lessons, with what they show"),
    "bench": ("authoring.bench", "measure how fast grading and lessons are, and what attacks do"),
    "lock": ("authoring.lock", "renew requirements.txt and requirements-test.txt from pyproject.toml"),
}


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The argument parser; with ``only``, arguments of just that subcommand are loaded (start-up stays fast)."""
    parser = argparse.ArgumentParser(prog="course", description="Parallel TensorFlow: the course that grades itself.")
    parser.add_argument("--version", action="version", version=f"course {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, summary) in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == only:
            module_of(name).add_arguments(sub)
    return parser


def module_of(name: str) -> ModuleType:
    """The module of a subcommand, which has ``add_arguments(parser)`` and ``command(args) -> exit status``."""
    return importlib.import_module(f".{COMMANDS[name][0]}", __package__)


def main(argv: list[str] | None = None) -> int:
    """Run a subcommand and return the exit status: 0 good, 1 something failed, 2 it could not be done."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal or file of Windows' has no signs such as ✓
    argv = sys.argv[1:] if argv is None else argv
    name = next((word for word in argv if word in COMMANDS), None)
    try:
        args = build_parser(name).parse_args(argv)
        status: int = module_of(args.command).command(args)
        return status
    except CourseError as error:
        print(f"course: {clean(str(error))}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("autograder"):
            raise
        print(
            f"course: the Python module {error.name!r} is missing from {sys.prefix}. "
            "Run `make lab` once (it installs everything), or `pip install -r requirements.txt`.",
            file=sys.stderr,
        )
        return 2
    except Exception as error:  # a full disk, a folder that may not be written, a database that another one holds
        if not (said := _refusal(error)):
            raise  # a fault of ours: its traceback tells where
        print(f"course: {clean(said)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("course: stopped.", file=sys.stderr)
        return 130


def _refusal(error: BaseException) -> str:
    """A sentence where the machine refused something; "" for every other error."""
    below = error.__cause__ or error.__context__  # nbgrader says "invalid entry" of a gradebook that is locked, too
    if below and type(error).__module__.startswith("nbgrader.") and is_of_a_database(below):
        error = below
    if is_of_a_database(error):
        return (
            f"classroom/gradebook.db cannot be used ({why_refused(error)}). Does another program hold it, or is the "
            "disk full? Then run the same command again. If it is damaged, keep it under another name (due dates and "
            f"grades given by hand are in it), run {typed('grade')}, which makes it again, and start "
            f"{typed('teacher')} anew."
        )
    if isinstance(error, OSError):
        return (
            f"The system refused something ({why_refused(error)}). Does it exist, may you write there, and is there "
            "room? Mend that or name another place, and run the same command again."
        )
    return ""


if __name__ == "__main__":
    sys.exit(main())
