"""Which cell of a submission is which cell of the lesson: by nbgrader's mark, by id, by text, by name, by place."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

from ..python_code import NOT_COMPILED, parse
from .reading import Seen

CHECK_LINE = re.compile(r"# (?:Check|Hidden check) · (\S+) · ")
DEFINITION = re.compile(r"^(?:async +def|def|class) +(\w+)|^(\w+) *=(?!=)", re.MULTILINE)


@dataclass
class Slot:
    """A place in the lesson that cells of a submission may belong to."""

    key: str  # the cell's id in the lesson; nbgrader's grade_id where it has one
    kind: str  # "code" or "text"
    role: str
    text: str  # as the learner gets it: a stub in solution cells
    marked: bool  # nbgrader knows it

    @property
    def answer(self) -> bool:
        """Whether the learner's text counts here."""
        return self.role in ("solution", "written")


@dataclass
class Match:
    """The outcome: ``found[key]`` lists the cells that belong to a slot, in the submission's order."""

    found: dict[str, list[Seen]] = field(default_factory=dict)
    unmatched: list[Seen] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)  # slots found though nbgrader's mark was lost
    moved: dict[str, str] = field(default_factory=dict)  # {key: how the answer was recognised}

    def take(self, slot: Slot, cell: Seen, how: str) -> None:
        self.found.setdefault(slot.key, []).append(cell)
        self.found[slot.key].sort(key=lambda c: c.position)
        if cell in self.unmatched:
            self.unmatched.remove(cell)
        if slot.marked and how != "mark":
            self.unmarked.append(slot.key)
        if slot.answer and how not in ("mark", "id"):
            self.moved[slot.key] = how


def squeeze(text: str) -> str:
    """Text without what editors change on their own: trailing spaces and blank lines around."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def announced_names(code: str) -> tuple[str, ...]:
    """Names that a cell defines at its top level, also when the cell does not compile."""
    try:
        names = []
        for node in parse(code).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.append(node.name)
            elif isinstance(node, ast.Assign):
                names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        return tuple(names)
    except NOT_COMPILED:
        return tuple(function or variable for function, variable in DEFINITION.findall(code))


def is_blank(slot: Slot, cells: list[Seen]) -> bool:
    """Whether nothing was written into an answer's slot: no cell, empty, or still the stub."""
    return all(squeeze(cell.text) in ("", squeeze(slot.text)) for cell in cells)


def match(cells: list[Seen], slots: list[Slot]) -> Match:
    """Give every cell its place, the surest evidence first. A cell that fits nowhere stays in ``unmatched``."""
    result = Match(unmatched=list(cells))
    by_key = {slot.key: slot for slot in slots}
    for how, key_of in (("mark", lambda c: c.name), ("id", lambda c: c.cell_id), ("line", _check_named)):
        for cell in list(result.unmatched):
            slot = by_key.get(key_of(cell) or "")
            # an id alone may be a coincidence: every lesson has a `cell-003`
            if slot and (how != "id" or slot.kind == cell.kind):
                result.take(slot, cell, how)
    _match_by_text(result, slots)
    _match_by_name(result, slots)
    _match_by_place(result, slots)
    return result


def _check_named(cell: Seen) -> str | None:
    line = CHECK_LINE.match(cell.text.lstrip())
    return line[1] if line else None


def _match_by_text(result: Match, slots: list[Slot]) -> None:
    open_slots: dict[str, list[Slot]] = {}
    for slot in slots:
        if slot.key not in result.found and squeeze(slot.text):
            open_slots.setdefault(squeeze(slot.text), []).append(slot)
    known = {squeeze(slot.text): slot for slot in slots if squeeze(slot.text)}
    for cell in list(result.unmatched):
        text = squeeze(cell.text)
        if open_slots.get(text):
            result.take(open_slots[text].pop(0), cell, "text")
        elif text in known:  # a copy of a cell of the lesson: it brings nothing new
            result.take(known[text], cell, "copy")


def _match_by_name(result: Match, slots: list[Slot]) -> None:
    """A function that a stub asks for, written in a cell that nothing else identifies."""
    announced = cache(announced_names)  # kept for this notebook only: the texts are a learner's
    for slot in slots:
        if slot.role != "solution" or not is_blank(slot, result.found.get(slot.key, [])):
            continue
        wanted = set(announced_names(slot.text))
        fits = [c for c in result.unmatched if c.kind == "code" and wanted & set(announced(c.text))]
        for cell in fits:
            result.take(slot, cell, "name")


def _match_by_place(result: Match, slots: list[Slot]) -> None:
    """Cells that stand where an answer should: between the neighbours of its slot."""
    for index, slot in enumerate(slots):
        if not slot.answer or not is_blank(slot, result.found.get(slot.key, [])):
            continue
        start, near_start = _edge(result, list(reversed(slots[:index])), max, otherwise=-1)
        end, near_end = _edge(result, slots[index + 1 :], min, otherwise=10**9)
        if not (near_start or near_end):
            continue  # nothing of the lesson is close by: its place is not known
        between = [c for c in result.unmatched if start < c.position < end and c.text.strip()]
        fits = [c for c in between if c.kind == slot.kind] or between
        if slot.role == "solution" and (len(fits) != 1 or slot.key in result.found):
            continue  # the stub is there, or it would be a guess: a person should look
        for cell in fits:
            result.take(slot, cell, "place")


NEAR = 3  # slots: an exercise's text, its answer, its try-it cell


def _edge(result: Match, slots: list[Slot], pick: Callable[[Iterable[int]], int], otherwise: int) -> tuple[int, bool]:
    """Position of the nearest neighbour that was found in the submission, and whether it is close in the lesson."""
    for distance, slot in enumerate(slots):
        if slot.key in result.found:
            return pick(cell.position for cell in result.found[slot.key]), distance < NEAR
    return otherwise, False


def anchors(result: Match, slots: list[Slot]) -> dict[int, str | None]:
    """For each unmatched cell's position, the key of the last known cell before it (None at the very start)."""
    order = {slot.key: index for index, slot in enumerate(slots)}
    known = sorted((cell.position, key) for key, cells in result.found.items() for cell in cells)
    positions = [position for position, _ in known]
    places: dict[int, str | None] = {}
    for cell in result.unmatched:
        before = known[: bisect_left(positions, cell.position)]
        places[cell.position] = max(before, key=lambda entry: (entry[0], order[entry[1]]))[1] if before else None
    return places
