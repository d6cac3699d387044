"""``classroom/roster.csv``: who is in the class. Ids name folders in ``submitted/``; all else is for people.

The file comes from a spreadsheet or a school's system, so a line may be broken. What can be read is used, and each line
that cannot is a sentence; no submission is lost for it.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..grading.text import JOINERS, clean
from ..paths import Course
from ..wording import listed
from .plain_files import plain_bytes
from .submissions import why_no_id

MAX_BYTES = 10_000_000
MAX_NAME = 200  # characters of a name or an address
FORMULAS = ("=", "+", "-", "@")
SEPARATORS = re.compile(r"(?<=[;\t\r\n])")
# What systems call a person: a login, Canvas's number, the school's id and the section there, Moodle's "ID number",
# Gradescope's SID, ILIAS's number.
LMS_IDS = ("login", "canvas_id", "sis_id", "section", "idnumber", "sid", "ilias_id")
KNOWN = ("id", "name", "first_name", "last_name", "email", *LMS_IDS)
WHERE = "classroom/roster.csv"


@dataclass(frozen=True)
class Person:
    """One line of the roster. ``name`` is the id where there is none."""

    id: str
    name: str
    email: str = ""
    lms: dict[str, str] = field(default_factory=dict, hash=False)  # {column of LMS_IDS: what stands there}


@dataclass
class Roster:
    """Who is in the class by id, and a sentence for each thing that is wrong with the file."""

    people: dict[str, Person] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    there: bool = False  # whether there is such a file
    unread: str = ""  # the sentence where nothing of it can be read
    claimed: set[str] = field(default_factory=set)  # ids that more than one person has

    def strangers(self, students: list[str]) -> list[str]:
        """A sentence where somebody handed in whom no line of the roster names."""
        found = [student for student in students if student not in self.people and student not in self.claimed]
        if not self.people or not found:
            return []
        return [f"Handed in, and not in {WHERE}: {listed(found)}."]


def read_roster(course: Course) -> Roster:
    """The roster, as far as it can be read. Never raises; an id that two lines claim belongs to neither."""
    path = course.classroom / "roster.csv"
    if not path.exists():
        return Roster()
    roster = Roster(there=True)
    try:
        text = _text(path)
        rows = _rows(text)
        _, first, why = next(rows, (1, [], ""))
        if why:
            raise ValueError(f"its first line: {why}")
    except (OSError, ValueError) as error:
        return _unread(f"{WHERE} cannot be read ({error}), so names and who is missing are not known. Mend it.")
    header = [cell.strip().lower().replace(" ", "_") for cell in first]
    if "id" not in header:
        return _unread(f"{WHERE} has no column called id in its first line. Begin it with: id,name,email")
    claims: dict[str, list[tuple[int, Person]]] = defaultdict(list)
    for number, row, why in rows:
        if why or any(cell.strip() for cell in row):
            person, why = (None, why) if why else _person(header, row)
            if person is None:
                roster.wrong.append(f"{WHERE}, line {number} is left out: {why}.")
            else:
                claims[same_id(person.id)].append((number, person))
    for lines in claims.values():
        _settle(lines, roster)
    return roster


def _unread(sentence: str) -> Roster:
    return Roster(wrong=[sentence], there=True, unread=sentence)


def _rows(text: str) -> Iterator[tuple[int, list[str], str]]:
    """``(number of its first line, its values, what is wrong with it)`` of each row.

    Where a quote is broken, that line alone is left out: else it would take the next ones with it, or all.
    """
    lines, separator = io.StringIO(text, newline="").readlines(), _separator(text)
    begin, columns = 0, 0
    while begin < len(lines):
        reader = csv.reader(itertools.islice(lines, begin, None), delimiter=separator, strict=True)
        first = begin
        try:
            for row in reader:
                after = begin + reader.line_num
                columns = columns or len(row)
                if after - first > 1 and len(row) != columns:
                    raise csv.Error("a quote that begins here does not end")
                yield first + 1, row, ""
                first = after
            return
        except csv.Error as error:
            yield first + 1, [], f"a quote in it is broken ({error})"
            begin = first + 1


def _text(path: Path) -> str:
    text = plain_bytes(path, MAX_BYTES, single=False).decode("utf-8-sig")  # spreadsheets put a mark in front
    if "\0" in text:
        raise ValueError("it holds null bytes")
    return text


def _separator(text: str) -> str:
    """What separates columns: spreadsheets of many countries write semicolons."""
    first = text.partition("\n")[0]
    return next((sign for sign in (",", ";", "\t") if sign in first), ",")


def _person(header: list[str], row: list[str]) -> tuple[Person | None, str]:
    """Who stands in a line, or why nobody does."""
    if len(row) != len(header):
        return None, f"it has {len(row)} values, the first line has {len(header)}"
    values = {key: cell.strip() for key, cell in zip(header, row, strict=True) if key in KNOWN}
    if not values["id"]:
        return None, "it has no id"
    if why := why_no_id(values["id"]):
        return None, f"its id cannot be one, as {why}"
    if "/" in values["id"] or "\\" in values["id"] or values["id"].startswith("."):
        return None, "its id cannot be the name of a folder"
    name = values.get("name") or f"{values.get('first_name', '')} {values.get('last_name', '')}".strip()
    email = values.get("email", "")
    name = JOINERS.sub("", name)  # lists that are copied from elsewhere hold some, and programs show them in many ways
    if max(len(name), len(email)) > MAX_NAME or clean(name + email) != name + email or not (name + email).isprintable():
        return None, "its name or address is too long or holds characters that cannot be seen"
    if email and not is_address(email):
        return None, f"{email!r} is no e-mail address"
    lms = {key: values[key] for key in LMS_IDS if values.get(key)}
    if any(len(value) > MAX_NAME or clean(value) != value or not value.isprintable() for value in lms.values()):
        return None, "one of its ids is too long or holds characters that cannot be seen"
    return Person(values["id"], name or values["id"], email, lms), ""


def is_address(text: str) -> bool:
    """Whether a text may be an e-mail address."""
    return text.count("@") == 1 and not text.startswith("@") and not text.endswith("@")


def same_id(identity: str) -> str:
    """Ids that some file system would take for one folder."""
    return unicodedata.normalize("NFC", identity).casefold()


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would run a text, also in the wide forms of East Asian writing.

    Spreadsheets of many countries take a semicolon for the end of a column, so what stands after one counts as well; to
    them a quote that begins within a column is none, so a line may begin after a line's end in it.
    """
    starts = [part.lstrip().lstrip('" ')[:1] for part in SEPARATORS.split(text)]
    return any(unicodedata.normalize("NFKC", start) in FORMULAS for start in starts)


def for_spreadsheet(text: str) -> str:
    """A cell's text that no spreadsheet runs: an apostrophe stands before a formula."""
    parts = SEPARATORS.split(text)
    return "".join(f"'{part}" if is_formula(part) else part for part in parts)


def _settle(lines: list[tuple[int, Person]], roster: Roster) -> None:
    people = [person for _, person in lines]
    if all(person == people[0] for person in people):  # a line that stands there twice says nothing new
        roster.people[lines[0][1].id] = lines[0][1]
        return
    roster.claimed |= {person.id for person in people}
    numbers = " and ".join(str(number) for number, _ in lines)
    names = " and ".join(person.name for _, person in lines)
    roster.wrong.append(
        f"{WHERE}, lines {numbers}: {names} claim one id, {lines[0][1].id!r}. Neither name is used, and what is handed "
        "in under that id is graded as it is; give each an id of their own."
    )


def take_over(course: Course, roster: Roster) -> None:
    """Names and addresses into nbgrader's gradebook, where Formgrader shows them."""
    from nbgrader.api import Gradebook  # late: its database layer takes a second

    path = course.classroom / "gradebook.db"
    if not roster.people or not path.is_file():
        return
    with Gradebook(f"sqlite:///{path}") as gradebook:
        known = {student.id: student for student in gradebook.students}
        for person in roster.people.values():
            first, _, last = person.name.rpartition(" ")
            names = {"first_name": first, "last_name": last, "email": person.email or None}
            student = known.get(person.id)
            if student is None:
                gradebook.add_student(person.id, **names)
            elif any(getattr(student, key) != value for key, value in names.items()):
                gradebook.update_or_create_student(person.id, **names)
