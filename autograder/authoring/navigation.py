"""Finding the way: links between sections and lessons, the opening and the end of each lesson, and the index.

Titles, their order and minutes have one home, the first cell of each lesson's source. README, course map, index and the
notebooks' openings take them from here.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from nbformat import NotebookNode

from ..errors import CourseError
from ..notebooks import NOTEBOOK_METADATA
from ..paths import Course
from .shared import cell_of

if TYPE_CHECKING:
    from .source import Checks, SourceCell

FOLDED = {"jupyter": {"source_hidden": True}, "cellView": "form"}  # in JupyterLab, in Colab; VS Code has no such mark
HIDE_INPUT = "hide-input"  # a tag that exports know, too: what is printed or handed on has no text of folded cells
INDEX = "index"  # notebooks/index.ipynb

FIRST = re.compile(r"# %% \[markdown\](?P<header>[^\n]*)\n# # (?P<title>[^\n]+)\n")
MINUTES = re.compile(r"\bminutes=(\d+)")
EXERCISES = re.compile(r"\bexercises=(\d+)")
GIVES, AFTER = re.compile(r'\bgives="([^"]*)"'), re.compile(r'\bafter="([^"]*)"')

# Not inside code, a link or a heading: those are matched first, and left as they are.
NO_LINK = r"```.*?```|~~~.*?~~~|`[^`\n]+`|!?\[[^\]]*\]\([^)]*\)|<[^>]+>|^#{1,6} [^\n]*$"
REFERENCE = re.compile(
    rf"(?P<as_it_is>{NO_LINK})|\b(?P<section>[Ss]ection (?P<number>\d+))\b|\b(?P<exercise>[Ee]xercise (?P<which>\d+))\b"
    r"|\b(?P<lesson>[Ll]esson (?P<two>\d\d))\b(?P<theirs>,? (?:section|exercise)s? \d+)?",
    re.MULTILINE | re.DOTALL,
)
SITTING = re.compile(r'^# ## (?P<sitting>Sitting \d[^\n]*)$|^# %% [^\n]*\bexercise="(?P<exercise>\w+)"', re.MULTILINE)
HEADING = re.compile(r"^#{2,3} (?P<title>(?:(?P<number>\d+)(?= )|Exercise (?P<exercise>\d+)\b)[^\n]*)$", re.MULTILINE)

OPENING = (
    "The folded cells below prepare the lesson: run them first (click one, then Shift+Enter). The three dots of a "
    "folded cell open it."
)

Places = dict[str, str]  # {"section 3": "3-A-control-dependency", "exercise 2": "Exercise-2-...", as headings have it}


@dataclass(frozen=True)
class About:
    """What a lesson's first cell says of it."""

    slug: str
    title: str  # "Control dependencies"
    minutes: int  # the whole lesson; 0 where it says none
    exercise_minutes: int  # of these, its exercises
    gives: str  # what one can do afterwards: "read a placement log, ..."
    after: str  # the lessons that it builds on: "05, 06"; may be empty

    @property
    def number(self) -> str:
        return self.slug[:2]

    @property
    def link(self) -> str:
        """Relative to another lesson's folder, in ``notebooks/`` as in ``work/``."""
        return f"../{self.slug}/{self.slug}.ipynb"


def about(course: Course, lesson: str) -> About:
    """Title and minutes of a lesson, without reading the whole of it."""
    return _about(course.source(lesson), course.source(lesson).stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _about(path: Path, changed: int) -> About:
    found = FIRST.match(path.read_text(encoding="utf-8"))
    header, title = (found["header"], found["title"]) if found else ("", path.stem)
    minutes, exercises, gives, after = (key.search(header) for key in (MINUTES, EXERCISES, GIVES, AFTER))
    return About(
        path.stem,
        re.sub(r"^Lesson \d\d · ", "", title),
        int(minutes[1]) if minutes else 0,
        int(exercises[1]) if exercises else 0,
        gives[1] if gives else "",
        after[1] if after else "",
    )


def sittings(course: Course, lesson: str) -> dict[str, str]:
    """``{exercise: "Sitting 1 · Masks"}`` in the lesson's order; an exercise outside of any sitting is not in it."""
    found, now = {}, ""
    for mark in SITTING.finditer(course.source(lesson).read_text(encoding="utf-8")):
        now = mark["sitting"] or now
        if mark["exercise"] and now:
            found[mark["exercise"]] = now
    return found


# ---------------------------------------------------------------------------------------------------- links in a text


def places_of(cells: list[SourceCell], checks: Checks) -> Places:
    """Where sections and exercises of a lesson begin: ``{"section 3": anchor}``, as JupyterLab names headings."""
    from .source import plural

    found: Places = {}
    for cell in cells:
        if cell.kind != "markdown" or cell.role == "written":
            continue
        for heading in HEADING.finditer(re.sub(r"^```.*?^```", "", cell.text, flags=re.MULTILINE | re.DOTALL)):
            title = heading["title"].strip()
            if heading["exercise"] and cell.role == "exercise":
                title += f" · {plural(sum(worth for exercise, worth, *_ in checks.values() if exercise == cell.name))}"
            name = f"exercise {heading['exercise']}" if heading["exercise"] else f"section {heading['number']}"
            found.setdefault(name, re.sub(r"[`*]", "", title).replace(" ", "-"))
    return found


def linked(course: Course, lesson: str, markdown: str, places: Places) -> str:
    """Markdown in which "section 4", "exercise 2" and "lesson 06" are links; code and headings stay as they are."""

    def link(found: re.Match[str]) -> str:
        if found["as_it_is"]:
            return found[0]
        if found["lesson"]:
            other = next((slug for slug in course.lessons() if slug.startswith(f"{found['two']}_")), "")
            rest = found["theirs"] or ""
            return f"[{found['lesson']}]({about(course, other).link}){rest}" if other and other != lesson else found[0]
        words = found["section"] or found["exercise"]
        anchor = places.get(words.lower())
        return f"[{words}](#{anchor})" if anchor else found[0]

    return REFERENCE.sub(link, markdown)


# ----------------------------------------------------------------------------------------- how a lesson begins and ends


def opening(course: Course, lesson: str, cells: list[SourceCell], text: str) -> str:
    """The first cell's text with links, how long the lesson takes, and what the folded cells are."""
    heading, _, rest = text.partition("\n")
    mine = about(course, lesson)
    time = ""
    if mine.minutes:
        time = f"**Time:** about {mine.minutes} minutes"
        time += f", of which {mine.exercise_minutes} are exercises" if mine.exercise_minutes else ""
        time += "."
    folded = OPENING if any(cell.role == "include" and not cell.automatic for cell in cells) and mine.minutes else ""
    parts = [
        heading,
        *filter(None, [" · ".join(_ways(course, lesson))]),
        rest.strip("\n"),
        *filter(None, [time, folded]),
    ]
    return "\n\n".join(parts)


def closing(course: Course, lesson: str, cells: list[SourceCell]) -> list[NotebookNode]:
    """The cells at a lesson's end: the learner's points, and the ways on. None where a lesson shows no points."""
    if not any("checks" in cell.modules for cell in cells):
        return []
    points = nbformat.v4.new_code_cell(
        "#@title Your points in this lesson (run this)\nshow_points()",
        id="your-points",
        metadata={
            "course": {"role": "code", "grading": "skip"},
            "tags": [HIDE_INPUT],
            **FOLDED,
        },
    )
    text = f"## Where to go on\n\n{' · '.join(_ways(course, lesson))}"
    ways = nbformat.v4.new_markdown_cell(text, id="ways-on", metadata={"course": {"role": "prose"}, "editable": False})
    return [points, ways] if _ways(course, lesson) else [points]


def _ways(course: Course, lesson: str) -> list[str]:
    """Links to the index, the lesson before and the one after, and to Colab."""
    lessons = course.lessons()
    place = lessons.index(lesson)
    ways = [f"[All lessons](../{INDEX}.ipynb)"] if len(lessons) > 1 else []
    if place > 0:
        before = about(course, lessons[place - 1])
        ways.append(f"← [{before.number} {before.title}]({before.link})")
    if place + 1 < len(lessons):
        after = about(course, lessons[place + 1])
        ways.append(f"[{after.number} {after.title}]({after.link}) →")
    return [*ways, *colab_link(course, lesson)]


def colab_link(course: Course, lesson: str) -> list[str]:
    """A link that opens the learner's notebook in Colab; none where ``[tool.course]`` in pyproject.toml has no address.

    Raises:
        CourseError: the address there is not one of GitHub, the only place that Colab opens notebooks from.
    """
    project = course.root / "pyproject.toml"
    tools = tomllib.loads(project.read_text(encoding="utf-8")).get("tool", {}) if project.is_file() else {}
    settings = tools.get("course", {})
    address, branch = settings.get("repository", "").rstrip("/").removesuffix(".git"), settings.get("branch", "main")
    if not address:
        return []
    found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+)", address)
    if not found:
        raise CourseError(
            f"pyproject.toml: [tool.course] repository is {address!r}; write https://github.com/OWNER/NAME, or leave "
            'it empty ("") to have no links to Colab.'
        )
    path = course.release_notebook(lesson).relative_to(course.root).as_posix()
    return [f"[Open in Colab](https://colab.research.google.com/github/{found[1]}/blob/{branch}/{path})"]


# ------------------------------------------------------------------------------------------------------------ the index

WELCOME = """# Parallel TensorFlow

Lessons on running TensorFlow on many devices and many machines. Begin with the first one; the table says which \
lesson builds on which. Run the cell below for your points and the place where you left off."""


def lesson_table(course: Course, link: str) -> str:
    """All lessons as a table in Markdown; ``link`` is a pattern with ``{slug}``, or empty."""
    lines = ["| lesson | afterwards you can | builds on | minutes |", "| --- | --- | --- | ---: |"]
    for lesson in course.lessons():
        one = about(course, lesson)
        name = f"{one.number} {one.title}"
        name = f"[{name}]({link.format(slug=lesson)})" if link else name
        lines.append(f"| {name} | {one.gives} | {one.after or '–'} | {one.minutes} |")
    return "\n".join(lines)


def index_notebook(course: Course) -> NotebookNode:
    """``notebooks/index.ipynb``: every lesson with what it gives and how long it takes, and the learner's points."""
    lessons = [[lesson, about(course, lesson).title, about(course, lesson).minutes] for lesson in course.lessons()]
    points = cell_of(course, ["progress"], {"lessons": lessons}, INDEX)
    metadata = {**FOLDED, "tags": [HIDE_INPUT]}
    cells = [
        nbformat.v4.new_markdown_cell(WELCOME, id="welcome"),
        nbformat.v4.new_code_cell(points, id="progress", metadata=metadata),
        nbformat.v4.new_markdown_cell(
            f"## What each lesson gives\n\n{lesson_table(course, '{slug}/{slug}.ipynb')}", id="lessons"
        ),
    ]
    return nbformat.v4.new_notebook(cells=cells, metadata=NOTEBOOK_METADATA)


README_TABLE = re.compile(r"(?<=<!-- lessons: course build writes this table -->\n).*?(?=\n<!-- end -->)", re.DOTALL)


def readme_with_table(course: Course) -> str:
    """README.md with the table of lessons as the sources have it; unchanged where it has no place for one."""
    path = course.root / "README.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return README_TABLE.sub(lambda _: lesson_table(course, ""), text)
