"""Where things are. Every module asks here, so that the layout has one home."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import CourseError
from .wording import typed

SLUG = re.compile(r"\d\d_[a-z0-9_]+")

OPEN = 0o1777  # for every account; sticky, so that nobody puts a folder of theirs in the place of the class's
CLOSED = 0o700  # for its owner alone
THROUGH = 0o011  # others may go through a folder, and see nothing of it
OTHERS = 0o077  # whatever a group or others may do
# Folders of a class that fill for hours while it is handed in and graded.
GRADEBOOK = "gradebook.db"
PRIVATE = ("submitted", "collected", "replaced", "journal", "autograded", "feedback")


def _is_percent(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100


SETTINGS: dict[str, tuple[Callable[[object], bool], str]] = {  # {name: (whether a value is right, what it has to be)}
    "late_percent_per_day": (_is_percent, "a number from 0 to 100"),
    "late_percent_at_most": (_is_percent, "a number from 0 to 100"),
    "exchange": (lambda value: isinstance(value, str), "a folder's path in quotes"),
    "exchange_for_everyone": (lambda value: isinstance(value, bool), "true or false"),
}


@dataclass(frozen=True)
class Course:
    """The folders of one course, all derived from its ``root``."""

    root: Path

    @property
    def solutions(self) -> Path:
        """Hand-written sources and the instructor's notebooks built from them."""
        return self.root / "solutions"

    @property
    def shared(self) -> Path:
        """Cells that several lessons include."""
        return self.solutions / "_shared"

    @property
    def notebooks(self) -> Path:
        """Built notebooks for learners."""
        return self.root / "notebooks"

    @property
    def work(self) -> Path:
        """A learner's own copies."""
        return self.root / "work"

    @property
    def classroom(self) -> Path:
        """A teacher's class: submissions, gradebook, feedback."""
        return self.root / "classroom"

    @property
    def config(self) -> Path:
        """The folder that holds ``nbgrader_config.py``."""
        return self.root / "autograder"

    def chosen(self) -> dict[str, Any]:
        """What the teacher set in ``[tool.course]`` of ``pyproject.toml``; nothing where there is no such file.

        Raises:
            CourseError: the file is no TOML, or holds a value that none of the course's settings can have.
        """
        path = self.root / "pyproject.toml"
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        except (OSError, ValueError) as error:
            raise CourseError(f"pyproject.toml cannot be read: {error}. Mend that line and try again.") from error
        tools = data.get("tool", {})
        found = tools.get("course", {}) if isinstance(tools, dict) else tools
        if not isinstance(found, dict):
            raise CourseError("pyproject.toml: `tool` or `course` is a value. Write a line [tool.course] instead.")
        for name, (is_right, what) in SETTINGS.items():
            if name in found and not is_right(found[name]):
                raise CourseError(
                    f"pyproject.toml, [tool.course]: {name} is {found[name]!r}, and has to be {what}. Mend that line."
                )
        return found

    @property
    def exchange(self) -> Path:
        """nbgrader's exchange, through which a class on one machine hands in."""
        return Path(self.chosen().get("exchange") or self.classroom / "exchange")

    def make_classroom(self) -> None:
        """Make the class's folder where it is missing: no other account of this machine may look into it.

        Only where people share an exchange that lies in it may they go through it; then all else in it is closed
        (:meth:`close_classroom`). A folder that is there keeps the mode that somebody gave it.

        Raises:
            OSError: it cannot be made.
        """
        if not self.classroom.is_dir():
            self.classroom.mkdir(CLOSED, parents=True, exist_ok=True)
            self.classroom.chmod(CLOSED | THROUGH if self._shares_in_classroom() else CLOSED)
        self.close_classroom()

    def _shares_in_classroom(self) -> bool:
        chosen = self.chosen()
        shared = bool(chosen.get("exchange")) or chosen.get("exchange_for_everyone") is True
        return shared and self.exchange.resolve().is_relative_to(self.classroom.resolve())

    def close_classroom(self) -> None:
        """Close what lies in a class's folder through which others may go, apart from the exchange.

        Folders that fill for hours, and the gradebook, which nbgrader would make for everybody to read, are made here,
        so that they are closed before anything lies in them. Of a folder with any other mode somebody chose who may
        look into it. What cannot be closed stays as it is.
        """
        with suppress(OSError, CourseError):
            if stat.S_IMODE(self.classroom.stat().st_mode) != CLOSED | THROUGH:
                return
            exchange = self.exchange.resolve()
            for name in PRIVATE:
                with suppress(FileExistsError):
                    (self.classroom / name).mkdir(CLOSED)
            with suppress(FileExistsError):
                (self.classroom / GRADEBOOK).touch(stat.S_IRUSR | stat.S_IWUSR, exist_ok=False)
            for path in self.classroom.iterdir():
                mode = path.lstat().st_mode
                if mode & OTHERS and not stat.S_ISLNK(mode) and not exchange.is_relative_to(path.resolve()):
                    with suppress(OSError):
                        path.chmod(stat.S_IMODE(mode) & ~OTHERS)

    def make_exchange(self) -> None:
        """Make the class's folder and the exchange where they are missing, and open it to all where that was chosen.

        Raises:
            CourseError: it cannot be made or opened.
        """
        root, everyone = self.exchange, self.chosen().get("exchange_for_everyone") is True
        try:
            self.make_classroom()  # for nbgrader's gradebook, wherever the exchange is
            if not root.is_dir():
                root.mkdir(parents=True)
                root.chmod(OPEN if everyone else CLOSED)
            elif everyone and root.stat().st_mode & OPEN != OPEN:
                root.chmod(OPEN)
        except OSError as error:
            raise CourseError(
                f"The exchange {root} cannot be made or opened to all ({error.strerror}). Ask whoever keeps this "
                "machine, or choose another one: `exchange` in [tool.course] of pyproject.toml."
            ) from error

    def source(self, lesson: str) -> Path:
        """The py:percent source of a lesson, e.g. ``solutions/01_x/01_x.py``."""
        return self.solutions / lesson / f"{lesson}.py"

    def solution_notebook(self, lesson: str) -> Path:
        """The instructor's notebook of a lesson: answers and hidden tests."""
        return self.solutions / lesson / f"{lesson}.ipynb"

    def release_notebook(self, lesson: str) -> Path:
        """The learner's notebook of a lesson."""
        return self.notebooks / lesson / f"{lesson}.ipynb"

    def work_notebook(self, lesson: str) -> Path:
        """The learner's own copy of a lesson."""
        return self.work / lesson / f"{lesson}.ipynb"

    def lessons(self) -> list[str]:
        """Slugs of all lessons, in order, e.g. ``["00_start_here", "01_device_placement"]``."""
        return sorted(
            folder.name
            for folder in self.solutions.iterdir()
            if SLUG.fullmatch(folder.name) and self.source(folder.name).is_file()
        )

    def lesson(self, name: str) -> str:
        """Turn ``"1"``, ``"01"`` or a slug into a slug.

        Raises:
            CourseError: no such lesson, or more than one fits.
        """
        wanted = name.strip().rstrip("/").split("/")[-1].removesuffix(".ipynb").removesuffix(".py")
        wanted = wanted.zfill(2) if wanted.isdigit() else wanted
        fits = [slug for slug in self.lessons() if slug == wanted or slug.startswith(f"{wanted}_")]
        if len(fits) != 1:
            known = ", ".join(self.lessons())
            raise CourseError(
                f"There is no lesson {name!r}. Lessons: {known}. Say for instance {typed('check', '01')}."
            )
        return fits[0]


def find_course(start: Path | None = None) -> Course:
    """The course that the current folder (or ``$COURSE_ROOT``) belongs to, else the one this package lies in.

    Raises:
        CourseError: neither the folder nor the installed package belongs to a course.
    """
    if os.environ.get("COURSE_ROOT"):
        candidates = [Path(os.environ["COURSE_ROOT"]).resolve()]
    else:
        here = (start or Path.cwd()).resolve()
        candidates = [here, *here.parents, Path(__file__).resolve().parent.parent]
    for folder in candidates:
        if (folder / "solutions" / "_shared").is_dir() and (folder / "autograder").is_dir():
            return Course(folder)
    raise CourseError(
        f"{candidates[0]} is not inside the course (no solutions/ and autograder/ above it). "
        "Change to the folder that you cloned and try again."
    )
