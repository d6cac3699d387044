"""Stage 1, intake: whatever was handed in becomes a clean notebook, without running any of it.

The lesson is the skeleton: tests, points, tags, order and all locked text are ours. Only what learners write is
taken over: answers, their changes in cells made for trying and predicting, and code cells that they added.
"""

from __future__ import annotations

import ast
import copy
import itertools
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

import nbformat
from nbformat import NotebookNode

from ..errors import CourseError
from ..notebooks import is_the_instructors
from ..python_code import (
    NOT_COMPILED,
    Definition,
    bound_first,
    changes_of,
    definitions_of,
    imported_by,
    parse,
    with_definitions,
)
from ..wording import listed, typed
from .cells import (
    LEARNERS,
    LEFT_OUT,
    UNUSED,
    exercise,
    has_learners_text,
    in_its_place,
    is_a_copy,
    is_check,
    is_left_out,
    role,
)
from .given import GIVEN, Learners
from .lesson import Lesson
from .matching import (
    Match,
    Slot,
    anchors,
    announced_names,
    code_elsewhere,
    functions_of,
    has_own_words,
    in_other_cells,
    match,
    positions_of_checks,
    squeeze,
)
from .needed import (
    InTurn,
    below_what_they_use,
    can_be_left_out,
    names_a_learner_binds,
    names_a_learner_reads,
    names_bound,
    names_imported,
    run_what_is_used,
    without_magics,
)
from .reading import Reading, Seen, read_submission
from .submission import Submission
from .trial import is_unusual, refused


@dataclass
class CleanNotebook:
    """A notebook that may be run and judged, and what happened on the way to it, as sentences."""

    notebook: NotebookNode
    mends: list[str] = field(default_factory=list)  # what was wrong with the file and was put right
    flags: list[str] = field(default_factory=list)  # what a person has to look at
    notes: list[str] = field(default_factory=list)  # what is normal but good to know
    readable: bool = True  # False: nothing could be read; the notebook is the unsolved lesson
    handed_in: bool = True  # False: there was no file
    newer_python: str = ""  # as of what was read
    twice: list[str] = field(default_factory=list)  # exercises answered above their checks and once more between them
    changed: set[str] = field(default_factory=set)  # names of changes in the lesson's own cells; "*": perhaps any
    complete: bool = True  # False: not all could be read, or no cell is known for any answer


def skeleton(solution: NotebookNode, release: NotebookNode) -> NotebookNode:
    """The lesson to grade in: the instructor's tests, the learner's stubs, no answer.

    Raises:
        CourseError: the two notebooks are not of one build.
    """
    stubs = {cell.get("id"): cell for cell in release.cells}
    clean = copy.deepcopy(solution)
    for cell in clean.cells:
        if cell.id not in stubs:
            raise CourseError(
                f"The instructor's notebook has a cell {cell.id!r} that the learner's lacks. Run {typed('build')}."
            )
        if cell.metadata.course.role in ("solution", "written"):
            cell.source = stubs[cell.id].source
    return clean


def take_in(submission: Submission, lesson: Lesson) -> CleanNotebook:
    """Make a clean notebook of a submission: the first stage of grading. Runs nothing of it, never raises for it."""
    clean = CleanNotebook(skeleton(lesson.solution, lesson.release), handed_in=not submission.missing)
    reading = read_submission(submission.raw)
    clean.mends += [*submission.mends, *reading.mends]
    # where the file itself could not be had, its own flag says more than "no notebook was handed in"
    clean.flags += submission.flags if submission.raw is None and submission.flags else submission.flags + reading.flags
    clean.newer_python = reading.newer_python
    clean.complete = reading.cells is not None and not reading.flags
    if reading.cells is None:
        return _unreadable(clean, submission)
    if is_unusual(reading.cells, lesson) and (what := refused(_fill, clean, reading, submission.beside, lesson)):
        clean.flags.append(f"Reading its code takes more {what} than any answer should, so nothing of it was read.")
        return _unreadable(clean, submission)
    _fill(clean, reading, submission.beside, lesson)
    return clean


def _unreadable(clean: CleanNotebook, submission: Submission) -> CleanNotebook:
    clean.readable = clean.complete = False
    if submission.beside:
        clean.flags.append(f"Beside it lies {listed(submission.beside)}: see which one is meant.")
    return clean


def _fill(clean: CleanNotebook, reading: Reading, beside: list[str], lesson: Lesson) -> None:
    """Put into the clean notebook, which is the unsolved lesson, what was read, and say what happened to it."""
    assert reading.cells is not None
    if is_the_instructors("\n".join(seen.text for seen in reading.cells)):
        clean.flags.append("This is the course's own solution, with its hidden checks: nobody's work.")
    slots = [_slot(cell) for cell in lesson.release.cells]
    found = match(reading.cells, slots)
    _check_lesson(clean, reading.lesson, lesson, found, slots)
    _renew_given(clean, found)
    parts = _take_answers(clean, found, slots)
    _tell_of_answers(clean, found, slots)
    _add_extra_cells(clean, found, slots, parts)
    _leave_out(clean, found, slots)
    _flag_replaced(clean, lesson)
    _tell_of_lesson_cells(clean, found, slots)
    clean.changed = _changes(found, slots)
    _flag_put_back(clean, lesson, found, slots)
    if beside:
        _tell_of_others(clean, beside, lesson, found, slots)


def _tell_of_others(clean: CleanNotebook, beside: list[str], lesson: Lesson, found: Match, slots: list[Slot]) -> None:
    """Of notebooks beside the one that is graded: JupyterLab's copies have other names, and some people work in one."""
    told = f"Only {lesson.name}.ipynb was graded. Beside it lies {listed(beside)}."
    now = {cell.id: cell.source for cell in clean.notebook.cells}
    if any(not found.is_blank(slot, [Seen(0, slot.kind, now[slot.key])]) for slot in slots if slot.answer):
        clean.mends.append(told)
    else:
        clean.flags.append(f"{told} No answer is written in the one that was graded: see which one is meant.")


def _slot(cell: NotebookNode) -> Slot:
    ours = cell.metadata.get("course", {})
    kind = "code" if cell.cell_type == "code" else "text"
    given = frozenset(ours.get("given", {}))
    return Slot(cell.id, kind, ours.get("role", "prose"), cell.source, "nbgrader" in cell.metadata, given)


def _check_lesson(clean: CleanNotebook, says: str | None, lesson: Lesson, found: Match, slots: list[Slot]) -> None:
    answers = [slot.key for slot in slots if slot.answer]
    if answers and not any(key in found.found for key in answers):
        other = f" It says that it is lesson {says}." if says and says != lesson.name else ""
        clean.flags.append(f"No answer cell of lesson {lesson.name} was found in this notebook.{other}")
        clean.complete = False


def _renew_given(clean: CleanNotebook, found: Match) -> None:
    """Give what the lesson gives in an answer's cell, if it is of another version or changed, the lesson's own text.

    The same where it stands in another cell, and says of itself what it is: an answer may stand there.
    """
    renewed, room = set(), MAX_RENEWED
    own = {cell.id: cell.metadata.course.get("given", {}) for cell in clean.notebook.cells}
    everywhere = {name: text for given in own.values() for name, text in given.items()}
    lessons = {cell.source for cell in clean.notebook.cells}
    for key, cells in [("", found.unmatched), *found.found.items()]:
        # Elsewhere learners have functions of that name, too.
        given, begin = (own[key], "") if own.get(key) else (everywhere, GIVEN)
        for place, mine in enumerate(cells):
            if room < 0 or mine.kind != "code" or mine.text in lessons:
                continue
            if any(name in mine.text for name in given):
                text, names = with_definitions(mine.text, given, without_magics(mine.text), begin)
                room -= max(0, len(text) - len(mine.text))
                if room < 0:  # nobody's notebook: what is left is shown to a person
                    break
                cells[place] = replace(mine, text=text)
                renewed |= names
    if renewed:
        clean.notes.append(f"Given by the lesson, so its own text is used: {_names(sorted(renewed))}.")


def _take_answers(clean: CleanNotebook, found: Match, slots: list[Slot]) -> dict[str, Parts]:
    """Put the learner's texts into their cells; what else of an answer runs around its cell, by the cell's id."""
    parts = {}
    cells = {cell.id: cell for cell in clean.notebook.cells}
    any_answer = any(slot.key in found.found for slot in slots if slot.answer)
    for slot in slots:
        if slot.role not in LEARNERS:
            continue
        mine = found.found.get(slot.key, [])
        elsewhere = _is_written_elsewhere(slot, mine, found, slots)
        if not mine and slot.answer and any_answer and slot.key not in found.above:
            counts = "What binds its names in another cell counts." if elsewhere else "It counts as not written."
            clean.flags.append(
                f"The answer cell of `{slot.key}` is missing from the notebook, and no cell could be recognised as it. "
                f"{counts}"
            )
        if elsewhere:
            cells[slot.key].source = ""  # as the learner left it; else a stub, or a note, would take the answer away
            if any(slot.asked_for & names_a_learner_binds(cell.text) for cell in mine if cell.kind != "code"):
                clean.mends.append(
                    f"The cell of `{slot.key}` is no code any more, though code stands in it; what stands above counts."
                )
        if not mine or elsewhere:
            continue
        if found.is_blank(slot, mine):  # the stub stays, exactly as it was released, but for notes in it
            notes = [cell.text for cell in mine if _is_same_code(cell.text, slot.text)]
            if slot.kind == "code" and len(notes) == 1:
                cells[slot.key].source = notes[0]
            continue
        written = [cell for cell in mine if not found.is_blank(slot, [cell])]
        if slot.kind == "text":
            texts = dict.fromkeys(squeeze(cell.text) for cell in written)
            cells[slot.key].source = "\n\n".join(texts) if len(texts) > 1 else written[-1].text
        else:
            stub = [cell for cell in mine if cell not in written and cell.text.strip()]
            others = [*found.unmatched, *in_other_cells(slot, found, slots)]
            between = [cell.position for cell in others if cell.kind == "code" and cell.text.strip()]
            parts[slot.key] = _parts(clean, slot, written, stub, mine[0].position, between)
            cells[slot.key].source = parts[slot.key].own.text
    return parts


def _is_same_code(one: str, other: str) -> bool:
    """Whether two texts differ in their comments at most."""
    try:
        return ast.dump(parse(one)) == ast.dump(parse(other))
    except NOT_COMPILED:
        return False


def _is_written_elsewhere(slot: Slot, mine: list[Seen], found: Match, slots: list[Slot]) -> bool:
    """Whether what an answer's cell was for stands in cells that run before its checks: another answer's, or the
    learner's own.

    They stand above it, where it was emptied or deleted, or is no code any more. Below a stub, an earlier answer's cell
    does, which runs above it, or a later one's that was moved above the checks; and above the checks all do, where the
    stub was moved below them.
    """
    if slot.key in found.above:
        return True
    if slot.kind == "text" or not slot.asked_for:
        return False
    following = (found.found[later.key] for later in slots[slots.index(slot) + 1 :] if later.key in found.found)
    place = min((cell.position for cell in mine or next(following, [])), default=0)
    if not any(cell.kind == "code" and cell.text.strip() for cell in mine):
        theirs = (found.found.get(other.key, []) for other in slots if other.role in LEARNERS and other is not slot)
        cells = [cell for those in (*theirs, found.unmatched) for cell in those if cell.position < place]
    elif found.is_blank(slot, mine):
        asked = positions_of_checks(slot, found, slots)
        first, own = next((position for position in asked if position > place), place), slots.index(slot)
        answers = [(index, other.key) for index, other in enumerate(slots) if other.role == "solution" and index != own]
        below = [(index, c) for index, key in answers for c in found.found.get(key, []) if c.position > place]
        cells = [cell for index, cell in below if index < own or cell.position < first]
        if asked and place > asked[-1]:
            cells += [cell for cell in code_elsewhere(slot, found, slots) if cell.position < asked[0]]
    else:
        return False
    return slot.asked_for <= set[str]().union(*map(found.bound, cells))


@dataclass
class Parts:
    """An answer's code cells, in the learner's order: its own, and others that run before and after it."""

    first: int  # position of the first of all its cells, also where that is blank
    own: Seen
    others: list[Seen]


def _compiles(text: str) -> bool:
    try:
        return bool(parse(text))
    except NOT_COMPILED:
        return False


def _parts(
    clean: CleanNotebook, slot: Slot, written: list[Seen], stub: list[Seen], first: int, others: list[int]
) -> Parts:
    """Of an answer that is spread over several cells, or there several times, each runs as it did for the learner.

    One may fail and another may use it (``f = cache(f)``). Its own is the last that defines what the stub defines. The
    stub, where it stands above, has imports that the answer may use. Of equal cells one counts, unless others of the
    learner's (their positions) stand between.
    """
    wanted = set(announced_names(slot.text))
    code = [cell for cell in written if cell.kind == "code"]
    if not any(wanted & set(announced_names(cell.text)) for cell in code):  # it may have become Markdown or raw text
        code = [cell for cell in written if cell.kind == "code" or wanted & set(announced_names(cell.text))]
    cells = code or written  # a Markdown part of an answer in code is a note
    if len(cells) > 1 and not all(_compiles(cell.text) for cell in cells):
        joined = "\n".join(cell.text for cell in cells)  # split in the middle of a function
        cells = [replace(cells[-1], text=joined)] if _compiles(joined) else cells
    kept = cells[:1]
    for last, cell in itertools.pairwise(cells):
        is_same = squeeze(cell.text) == squeeze(last.text)
        if not is_same or any(last.position < position < cell.position for position in others):
            kept.append(cell)
    cells = kept
    defining = [(cell, names) for cell in cells if (names := wanted & set(announced_names(cell.text)))]
    versions = sum(any(names <= later for _, later in defining[at + 1 :]) for at, (_, names) in enumerate(defining))
    if versions:
        clean.mends.append(
            f"`{slot.key}` was answered in {versions + 1} cells; the last one counts, as when they run in order."
        )
    own = defining[-1][0] if defining else cells[-1]
    above = [cell for cell in stub if cell.kind == "code" and cell.position < own.position]
    return Parts(first, own, [*above[:1], *(cell for cell in cells if cell is not own)])


NOT_TAKEN = "is not taken over"
MAX_RENEWED = 100_000  # characters that may come into a notebook with what the lesson gives
MOST_PUT_BACK = 5  # sentences about deleted cells
MAX_NAME = 40  # characters of a learner's name in a sentence
HOW = {
    "text": "its text",
    "copy": "its text",
    "name": "the name that it defines",
    "place": "its place",
    "line": "its first line",
}


def _tell_of_answers(clean: CleanNotebook, found: Match, slots: list[Slot]) -> None:
    """How answers were recognised, and which cells were there twice or had another type."""
    written = {}
    for slot in slots:
        cells = [cell for cell in found.found.get(slot.key, []) if not found.is_blank(slot, [cell])]
        if slot.answer and cells:
            written[slot.key] = (slot, cells)
    for how in dict.fromkeys(HOW.values()):
        keys = [key for key in written if HOW.get(found.moved.get(key, "")) == how]
        if keys:
            clean.mends.append(f"Recognised by {how}: the answer to {_names(keys)}.")
    if found.above:
        clean.mends.append(
            f"Recognised by {HOW['name']}: the answer to {_names(found.above)}, in a cell whose other names count, "
            "too. It runs where it stands."
        )
    if found.again:
        clean.flags.append(
            f"Written once more below all its checks: {_names(found.again)}. The answer above them counts, as when the "
            "cells run in order. See whether the one below is no experiment."
        )
    clean.twice = found.between
    if hidden := [slot.key for slot in slots if slot.role == "solution" and _is_taken_back(slot, found, slots)]:
        clean.flags.append(
            f"What {_names(hidden)} asks for stands in another cell, too, and its own cell, which runs later or alone "
            "above the checks, says that it is not written yet. Its own cell counts, as when the cells run in order. "
            "See whether points are deserved."
        )
    if perhaps := [key for key in found.perhaps if key not in written]:
        clean.flags.append(
            f"Nothing is written in {_names(perhaps)}, but a code cell with words in it was added there. See whether "
            "that is the answer."
        )
    blank = {slot.key for slot in slots if found.is_blank(slot, found.found.get(slot.key, []))}
    for unwritten, what in ((True, ", and nothing is written below it"), (False, "")):
        if asked := [key for key in dict.fromkeys(found.reworded) if (key in blank) is unwritten]:
            clean.mends.append(
                f"The question of {_names(asked)}, or its model answer, differs from the lesson's{what}. "
                "What stands among their own lines was not read as an answer."
            )
    if found.beside:
        clean.notes.append(
            f"Text below the model answer to {_names(found.beside)} is not read with your answer, which is above it."
        )
    texts = [cell.text for cell in found.unmatched if cell.kind == "text"]
    if texts and (empty := [slot.key for slot in slots if slot.role == "written" and slot.key in blank]):
        ours = {line.strip() for slot in slots for line in slot.text.splitlines()}
        if any(has_own_words(text, ours) for text in texts):
            clean.mends.append(
                f"Nothing is written in {_names(empty)}, and text that was added elsewhere is not read as an answer."
            )
    attached = [key for key, (slot, cells) in written.items() if slot.kind == "text" and any(c.attached for c in cells)]
    if attached:
        clean.mends.append(
            f"A picture, or another file, in the answer to {_names(attached)} {NOT_TAKEN}. It is in the notebook "
            "that was handed in."
        )
    double = [key for key, (_, cells) in written.items() if len(cells) > 1]
    if double:
        clean.mends.append(f"In several cells: the answer to {_names(double)}; copies count once.")
    sources = {cell.id: cell.source for cell in clean.notebook.cells}
    retyped = [k for k, (slot, cells) in written.items() if sources[k] and all(c.kind != slot.kind for c in cells)]
    if retyped:
        clean.mends.append(f"The cell of {_names(retyped)} had another type (code, text); it was turned back.")


def _is_taken_back(slot: Slot, found: Match, slots: list[Slot]) -> bool:
    """Whether an exercise's cell has more than its stub in it, and takes back what is written in another one, or runs
    without it."""
    own = [c for c in found.found.get(slot.key, []) if c.kind == "code" and not found.is_blank(slot, [c])]
    missing = {name for c in own for name in found.bound(c) - found.written(c)} & slot.asked_for
    if not missing:
        return False
    begin, end = own[0].position, min(positions_of_checks(slot, found, slots), default=float("inf"))
    theirs = code_elsewhere(slot, found, slots)
    between = [c for c in (*own[1:], *theirs) if begin < c.position < end]  # what runs below it, and counts
    missing = missing.difference(*(found.written(c) for c in between))
    return any(missing & found.written(c) for c in theirs)


def _add_extra_cells(clean: CleanNotebook, found: Match, slots: list[Slot], parts: dict[str, Parts]) -> None:
    """Code cells that the learner added, each after the last cell of the lesson that precedes it.

    What stands between the cells of one answer runs between them. The lesson's own code, copied to another place, runs
    there if something that runs needs it.
    """
    added = [cell for cell in found.unmatched if cell.kind == "code" and cell.text.strip()]
    places = anchors([*added, *found.copies], found, slots)
    places |= _attempts(added, places, found, slots, parts)
    around: dict[tuple[str | None, bool], list[tuple[int, NotebookNode]]] = {}

    def put(place: tuple[str | None, bool], cell: Seen, **about: object) -> None:
        around.setdefault(place, []).append((cell.position, _extra_node(cell, **about)))

    for key, cell in _additions(found, slots):
        put((key, True), cell)
    for cell in added:
        put(places[cell.position], cell)
    for cell in found.copies:
        put(places[cell.position], cell, grading=LEFT_OUT, copied=True)
    for key, answer in parts.items():
        for cell in answer.others:
            put((key, cell.position > answer.own.position), cell)
    positions = {node.id: position for those in around.values() for position, node in those}
    positions |= {slot.key: seen[-1].position for slot in slots if (seen := found.found.get(slot.key)) and slot.answer}
    positions |= {key: answer.own.position for key, answer in parts.items()}
    asked = {slot.key: slot.asked_for for slot in slots if slot.role == "solution"}
    checks = {slot.key for slot in slots if slot.role in ("check", "hidden")}
    positions |= {key: seen[-1].position for key, seen in found.found.items() if key in checks}
    ordered = _tried_first(_in_order(clean.notebook.cells, around, parts), found, slots, parts)
    asked_for = {exercise(cell): asked[cell.id] for cell in ordered if cell.id in asked}
    missed = set[str]()
    above: dict[str, list[NotebookNode]] = {}
    for key, answer in parts.items():
        between = [one for one in around.get((key, True), []) if answer.first < one[0] < answer.own.position]
        entries = sorted([*around.get((key, False), []), *between], key=lambda entry: entry[0])
        above[key] = [node for _, node in entries if not is_a_copy(node)]
    lessons = {key: seen[-1].position for key, seen in found.found.items() if key not in parts}
    clean.notebook.cells = below_what_they_use(ordered, positions, asked_for, missed, above, lessons)
    if missed:
        clean.flags.append(
            f"In the lesson's order, checks that need {_names(sorted(name[:MAX_NAME] for name in missed))} stand above "
            "the cell that defines it; in this notebook, below. See whether points are deserved."
        )
    if added:
        clean.notes.append(f"Taken over: {_count(len(added), 'code cell')} that you added.")


def _additions(found: Match, slots: list[Slot]) -> list[tuple[str, Seen]]:
    """What a learner added to code of the lesson, whose own text runs, and uses: those definitions of one cell as a
    cell below it.
    """
    those = _new_definitions(found, slots)
    if not those:
        return []
    giving: dict[str, list[int]] = {}  # {name: numbers of what gives it}
    for number, (_, _, part) in enumerate(those):
        for name in part.gives:
            giving.setdefault(name, []).append(number)
    theirs = (cell for slot in slots if slot.role in LEARNERS for cell in found.found.get(slot.key, []))
    read = [names_a_learner_reads(cell.text) for cell in (*theirs, *found.unmatched) if cell.kind == "code"]
    waiting, used = [name for name in set[str]().union(*read) if name in giving], set[int]()
    while waiting:
        for number in giving.pop(waiting.pop(), []):
            if number not in used:
                used.add(number)
                waiting += those[number][2].reads & giving.keys()
    texts: dict[int, tuple[str, Seen, list[str]]] = {}
    for number in sorted(used):
        key, cell, part = those[number]
        texts.setdefault(cell.position, (key, cell, []))[2].append(part.text)
    return [(key, replace(cell, text="\n".join(lines))) for key, cell, lines in texts.values()]


def _new_definitions(found: Match, slots: list[Slot]) -> list[tuple[str, Seen, Definition]]:
    """``(slot, the learner's cell in it, a definition there)`` of names that no stub and no cell of the lesson down to
    this one gives."""
    those: list[tuple[str, Seen, Definition]] = []
    for slot, cell, ours in _edited(found, slots):
        if found.bound(cell) - ours:
            with suppress(*NOT_COMPILED):
                those += [(slot.key, cell, part) for part in definitions_of(without_magics(cell.text), ours)]
    return those


def _changes(found: Match, slots: list[Slot]) -> set[str]:
    """Names that a learner gives or changes in code of the lesson, which are not taken over, and in no cell of theirs;
    ``*`` where these may be any."""
    names = set[str]()
    imported = {thing for slot in slots if slot.kind == "code" and not slot.answer for thing in imported_by(slot.text)}
    for slot, cell, ours in _edited(found, slots):
        with suppress(*NOT_COMPILED):
            names |= changes_of(without_magics(cell.text), slot.text, ours, imported)
    theirs = (cell for slot in slots if slot.role in LEARNERS for cell in found.found.get(slot.key, []))
    return names.difference(*map(found.bound, (*theirs, *found.unmatched)))


def _edited(found: Match, slots: list[Slot]) -> Iterator[tuple[Slot, Seen, set[str]]]:
    """``(slot, the learner's cell in it, names of stubs and of the lesson's cells down to it)`` where its text differs
    from the lesson's. The last one grows while this runs."""
    ours = {n for s in slots if s.role == "solution" for n in (*names_bound(s.text), *s.asked_for)}
    for slot in (slot for slot in slots if slot.role in ("code", "include") and slot.kind == "code"):
        ours |= names_bound(slot.text)
        for cell in found.found.get(slot.key, []):
            if cell.kind == "code" and cell.text != slot.text:
                yield slot, cell, ours


def _attempts(
    added: list[Seen],
    places: dict[int, tuple[str | None, bool]],
    match: Match,
    slots: list[Slot],
    parts: dict[str, Parts],
) -> dict[int, tuple[str | None, bool]]:
    """Places of cells that give an answer's name something, above the answer in the notebook, but not in ``places``;
    or below it and above its checks, but not in ``places``."""
    order = {slot.key: place for place, slot in enumerate(slots)}
    found: dict[int, tuple[str | None, bool]] = {}
    for slot in slots:
        if slot.key in parts:
            wanted, own = set(announced_names(slot.text)), parts[slot.key].own.position
            above = [
                cell
                for cell in added
                if cell.position < own and order.get(places[cell.position][0] or "", -1) > order[slot.key]
            ]
            asked = next((place for place in positions_of_checks(slot, match, slots) if place > own), own)
            below = [
                cell
                for cell in added
                if own < cell.position < asked and order.get(places[cell.position][0] or "", -1) < order[slot.key]
            ]
            for cells, after in ((above, False), (below, True)):
                found |= {c.position: (slot.key, after) for c in cells if wanted & names_a_learner_binds(c.text)}
    return found


def _in_order(
    cells: list[NotebookNode],
    around: dict[tuple[str | None, bool], list[tuple[int, NotebookNode]]],
    parts: dict[str, Parts],
) -> list[NotebookNode]:
    """The lesson's cells with others around them.

    Args:
        around: ``{(id of a cell, whether after it): [(position in the submission, another cell)]}``; the very first
            ones are after None.
    """

    def sorted_at(key: str | None, after: bool) -> list[tuple[int, NotebookNode]]:
        return sorted(around.get((key, after), []), key=lambda entry: entry[0])

    ordered = [node for _, node in sorted_at(None, True)]
    for cell in cells:
        before, after = sorted_at(cell.id, False), sorted_at(cell.id, True)
        if cell.id in parts:  # what the learner has between two of an answer's cells follows the first of them
            first, own = parts[cell.id].first, parts[cell.id].own.position
            between = [entry for entry in after if first < entry[0] < own]
            before = sorted([*before, *between], key=lambda entry: entry[0])
            after = [entry for entry in after if entry not in between]
        ordered += [*(node for _, node in before), cell, *(node for _, node in after)]
    return ordered


def _tried_first(
    cells: list[NotebookNode], found: Match, slots: list[Slot], parts: dict[str, Parts]
) -> list[NotebookNode]:
    """The cells, in which one to try something in, or a prediction, stands above an answer that uses a name of it, or
    gives the name anew, where it did for the learner."""
    nodes = {cell.id: cell for cell in cells}
    for place, slot in enumerate(slots):
        if slot.key not in parts:
            continue
        own = parts[slot.key].own
        names = names_a_learner_reads(own.text) | (slot.asked_for if slot.answer else set())
        for other in slots[place + 1 :]:
            tried = found.found.get(other.key, []) if other.role in LEARNERS and not other.answer else []
            if any(c.position < own.position and names & names_a_learner_binds(c.text) for c in tried):
                cells.remove(nodes[other.key])
                cells.insert(cells.index(nodes[slot.key]), nodes[other.key])
    return cells


def _leave_out(clean: CleanNotebook, found: Match, slots: list[Slot]) -> None:
    """A prediction, and a cell to try an answer in that is as it was, decide nothing, and may take longer than the
    checks: like the lesson's demonstrations, they run only where a cell that runs uses a name of them."""
    tries = {s.key for s in slots if s.role == "try" and found.is_blank(s, found.found.get(s.key, []))}
    for cell in clean.notebook.cells:
        if cell.id in tries or (role(cell) == "predict" and can_be_left_out(cell.source)):
            cell.metadata.course.grading = LEFT_OUT
    run_what_is_used(clean.notebook.cells)
    clean.notebook.cells = [
        cell for cell in clean.notebook.cells if role(cell) != "added" or cell.metadata.course.get("grading") != UNUSED
    ]


def _code_and_own(clean: CleanNotebook, lesson: Lesson) -> tuple[list[NotebookNode], list[NotebookNode]]:
    """The cells of code, and those of them in which a learner wrote something that is no copy of the lesson's."""
    code, stubs = [cell for cell in clean.notebook.cells if cell.cell_type == "code"], lesson.stubs
    return code, [c for c in code if has_learners_text(c) and c.source != stubs.get(c.id) and not is_a_copy(c)]


def _flag_replaced(clean: CleanNotebook, lesson: Lesson) -> None:
    """Where checks measure with functions that a cell of the learner may have replaced."""
    code, own = _code_and_own(clean, lesson)
    order = {cell.id: place for place, cell in enumerate(code)}
    asked = {exercise(cell): order[cell.id] for cell in code if is_check(cell)}  # the last check of each
    places, learners = [order[mine.id] for mine in own], Learners(own, code)
    for cell in code:
        above = bisect_left(places, asked.get(cell.id, len(code)))
        if names := learners.may_have_replaced(cell, above):
            unknown = [name[:MAX_NAME] for name in learners.unknown(above)]
            why = f" (by {_names(unknown)}, which no module or lesson shows)" if unknown else ""
            clean.flags.append(
                f"The checks of `{cell.id}` measure with {_names(names)}, which a cell of this notebook replaces, or "
                f"could replace in a roundabout way{why}. See whether the points for it are deserved."
            )


def _extra_node(cell: Seen, **about: object) -> NotebookNode:
    metadata = {"course": {"role": "added", **about}}
    node: NotebookNode = nbformat.v4.new_code_cell(cell.text, id=f"added-{cell.position:04}", metadata=metadata)
    return node


def _tell_of_lesson_cells(clean: CleanNotebook, found: Match, slots: list[Slot]) -> None:
    """What was deleted, changed or copied among the cells that are the lesson's own."""
    ours = [slot for slot in slots if slot.role not in LEARNERS]
    graded = [slot for slot in ours if slot.role in ("check", "hidden")]
    gone = [slot.key for slot in graded if slot.key not in found.found]
    changed = [s.key for s in graded if any(squeeze(c.text) != squeeze(s.text) for c in found.found.get(s.key, []))]
    double = [slot.key for slot in graded if len(found.found.get(slot.key, [])) > 1]
    if gone:
        clean.mends.append(f"Deleted check cells were put back: {_names(gone)}.")
    if changed:
        clean.mends.append(
            f"Check cells differ from the lesson's (changed, or of another version): {_names(changed)}. "
            "The lesson's own are used."
        )
    if lost := _answers_in_checks(found, graded, slots):
        clean.flags.append(
            f"What stands in the cell of a check does not run, but for the check's own lines: {_names(lost)}. "
            "See whether points are deserved for it."
        )
    if double:
        clean.mends.append(f"Check cells were there several times; each counts once: {_names(double)}.")
    if found.unmarked and len(found.unmarked) >= sum(slot.marked for slot in slots) / 2:
        clean.mends.append(
            f"nbgrader's marks were missing on {len(found.unmarked)} cells (another program may have saved the "
            "notebook); the cells were recognised by their ids and texts."
        )
    code = [slot for slot in ours if slot.kind == "code" and slot.role not in ("check", "hidden")]
    edited = [s for s in code if any(squeeze(c.text) != squeeze(s.text) for c in found.found.get(s.key, []))]
    if edited:
        clean.notes.append(
            f"Changes in {_count(len(edited), 'code cell')} of the lesson itself are not graded; the lesson's own text "
            "was run, and what they define by new names, where something uses it. Put code that an answer needs into "
            "its cell or into one that you add."
        )
    blank = [s for s in slots if s.role == "solution" and found.is_blank(s, found.found.get(s.key, []))]
    asked = set[str]().union(*(slot.asked_for for slot in blank if slot.key not in found.above))
    new = (found.bound(c) - names_bound(s.text) for s in edited for c in found.found[s.key])
    bound = set[str]().union(*new)
    if lost := sorted(asked & bound):
        clean.flags.append(
            f"An answer stands in a changed cell of the lesson, whose own text was run: {_names(lost)}. See whether "
            "points are deserved for it."
        )


def _flag_put_back(clean: CleanNotebook, lesson: Lesson, found: Match, slots: list[Slot]) -> None:
    """Where a cell of the lesson that the learner deleted gives a name of theirs, which an answer reads, its own value.

    It stands below theirs, and above the answer or its checks. Most that are deleted decide nothing.
    """
    code, own = _code_and_own(clean, lesson)
    order = {cell.id: place for place, cell in enumerate(code)}
    theirs: dict[str, list[int]] = {}  # {name: places of what binds it}
    for cell in own:
        for name in names_a_learner_binds(cell.source):
            theirs.setdefault(name, []).append(order[cell.id])
    gone = {slot.key for slot in slots if slot.role == "code" and slot.key not in found.found}
    anew: dict[str, set[str]] = {}  # {deleted cell: names}
    for cell in code:
        if cell.id in gone and not any(squeeze(cell.source) in mine.source for mine in own):
            binds = names_a_learner_binds(in_its_place(cell) if is_left_out(cell) else cell.source)
            names = (binds - names_imported(cell)) & theirs.keys()
            anew[cell.id] = {name for name in names if theirs[name][0] < order[cell.id]}
    every = set[str]().union(*anew.values())
    if not every:
        return
    checks: dict[str, list[int]] = {}
    for cell in filter(is_check, code):
        checks.setdefault(exercise(cell), []).append(order[cell.id])
    in_turn, stubs = InTurn(code), lesson.stubs
    flags = []
    answered = begun(code, stubs)
    for answer in (cell for cell in code if role(cell) == "solution" and exercise(cell) in answered):
        asked = {*announced_names(stubs.get(answer.id, ""))}
        read = in_turn.read_by(answer, asked) & every
        read -= bound_first(without_magics(answer.source), read & names_a_learner_binds(answer.source))
        readers = [order[answer.id], *checks.get(exercise(answer), [])]
        for key, given in anew.items():
            counts = [
                name[:MAX_NAME]
                for name in given & read
                for place in readers
                if order[key] < place and not any(order[key] < mine < place for mine in theirs[name])
            ]
            if counts:
                flags.append(
                    f"The lesson's cell `{key}` was deleted and put back. It gives {_names(sorted({*counts}))}, which "
                    f"`{answer.id}` uses and another cell binds, its own value anew. See whether points are deserved."
                )
    clean.flags += flags[:MOST_PUT_BACK]


def begun(code: list[NotebookNode], stubs: dict[str, str]) -> set[str]:
    """The exercises to which something is written: in the answer's cell, or in another that binds what is asked for."""
    answers = {exercise(cell): cell for cell in code if role(cell) == "solution"}
    others = [cell.source for cell in code if has_learners_text(cell) and role(cell) != "solution"]
    bound = set[str]().union(*(names_a_learner_binds(text).union(announced_names(text)) for text in others))
    return {
        name
        for name, cell in answers.items()
        if cell.source != stubs.get(cell.id) or bound & {*announced_names(cell.source)}
    }


def _answers_in_checks(found: Match, graded: list[Slot], slots: list[Slot]) -> list[str]:
    """Functions that stand in cells of checks and are none of the lesson's, where an exercise asks for them or an
    answer uses them."""
    answers = [slot for slot in slots if slot.role == "solution"]
    wanted = set[str]().union(*(slot.asked_for for slot in answers))
    for slot in answers:
        for cell in found.found.get(slot.key, []):
            wanted |= names_a_learner_reads(without_magics(cell.text))
    theirs = ((cell.text, slot.text) for slot in graded for cell in found.found.get(slot.key, []))
    made = {name for text, ours in theirs if squeeze(text) != squeeze(ours) for name in functions_of(text)}
    ours = {name for slot in slots if slot.kind == "code" and not slot.answer for name in functions_of(slot.text)}
    return sorted(name[:MAX_NAME] for name in made & wanted - ours)


def _names(keys: list[str]) -> str:
    shown = ", ".join(f"`{key}`" for key in keys[:4])
    return shown if len(keys) <= 4 else f"{shown} and {len(keys) - 4} more"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
