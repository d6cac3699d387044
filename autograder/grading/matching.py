"""Which cell of a submission is which cell of the lesson: by nbgrader's mark, by id, by text, by name, by place."""

from __future__ import annotations

import ast
import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from ..python_code import NOT_COMPILED, kept, parse
from .cells import LEARNERS
from .needed import has_magics, names_a_learner_binds, names_a_learner_reads, without_magics
from .reading import Seen

CHECK_LINE = re.compile(r"#@title [^\n]*\n# check: ([\w-]+)\s*$", re.MULTILINE)
MODEL = re.compile(r"\s*<details>\s*<summary>(?:A m|M)odel answer")  # how lessons begin the cell below a written answer
SHOW_WORDS = ("print", "display", "Markdown", "HTML")
WORDS_STAND_IN = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)
# Some signs of writings that put no spaces between words: Thai, Burmese, Khmer, Chinese, Japanese.
NO_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]{6}")
SHOWN = re.compile(r"\s*%%(?:markdown|html|latex)\b")  # of cells that IPython shows as text
DEFINITION = re.compile(r"^(?:async +def|def|class) +(\w+)|^(\w+) *=(?!=)", re.MULTILINE)


@dataclass
class Slot:
    """A place in the lesson that cells of a submission may belong to."""

    key: str  # the cell's id in the lesson; nbgrader's grade_id where it has one
    kind: str  # "code" or "text"
    role: str
    text: str  # as the learner gets it: a stub in solution cells
    marked: bool  # nbgrader knows it
    given: frozenset[str] = frozenset()  # functions in a stub that are no learner's, by name

    @property
    def answer(self) -> bool:
        """Whether the learner's text counts here."""
        return self.role in ("solution", "written")

    @property
    def asked_for(self) -> set[str]:
        """Names that a stub wants written."""
        return {*announced_names(self.text)} - self.given


@dataclass
class Match:
    """The outcome: ``found[key]`` lists the cells that belong to a slot, in the submission's order."""

    found: dict[str, list[Seen]] = field(default_factory=dict)
    unmatched: list[Seen] = field(default_factory=list)
    copies: list[Seen] = field(default_factory=list)  # of the lesson's own code, at another place
    unmarked: list[str] = field(default_factory=list)  # slots found though nbgrader's mark was lost
    again: list[str] = field(default_factory=list)  # slots whose answer was written once more below all its checks
    between: list[str] = field(default_factory=list)  # or below those that show, above one that is hidden
    above: list[str] = field(default_factory=list)  # slots whose answer stands, and runs, in a cell that others use
    reworded: list[str] = field(default_factory=list)  # written slots whose question, or model answer, was changed
    perhaps: list[str] = field(default_factory=list)  # those in whose place code with words stands
    beside: list[str] = field(default_factory=list)  # written slots that have text below their model answer, too
    moved: dict[str, str] = field(default_factory=dict)  # {key: how the answer was recognised}

    def __post_init__(self) -> None:  # kept for this notebook only: the texts are a learner's
        self._bound, self._written = cache(names_a_learner_binds), cache(_written)
        self._left = cache(_left_to_write)

    def is_blank(self, slot: Slot, cells: list[Seen]) -> bool:
        """Whether nothing was written into an answer's slot: no cell, empty, or still the stub.

        A stub of another version of the lesson, or one with notes in it, is none of the learner's work either.
        """
        return all(squeeze(cell.text) in ("", squeeze(slot.text)) or self._is_a_stub(slot, cell) for cell in cells)

    def _is_a_stub(self, slot: Slot, cell: Seen) -> bool:
        if slot.role != "solution" or cell.kind != "code" or not (left := self._left(cell.text)):
            return False
        return slot.asked_for <= left and self.bound(cell) <= left | slot.given | self._bound(slot.text)

    def bound(self, cell: Seen) -> frozenset[str]:
        """Names that a cell binds."""
        return self._bound(cell.text) if cell.kind == "code" else frozenset()

    def written(self, cell: Seen) -> frozenset[str]:
        """Of these, without functions that only say that they are not written yet; none where it cannot run."""
        return self._written(cell.text) if cell.kind == "code" else frozenset()

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
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))  # Python ends comments nowhere else


def announced_names(code: str) -> tuple[str, ...]:
    """Names that a cell defines at its top level, also when the cell does not compile."""
    return tuple(name for name, _ in _announced(code))


def functions_of(code: str) -> set[str]:
    """Functions and classes that a cell defines at its top level, also when the cell does not compile."""
    return {name for name, made in _announced(code) if made}


@kept
def _announced(code: str) -> tuple[tuple[str, bool], ...]:
    """These names, each with whether it is that of a function (or a class), as can be seen."""
    try:
        names: list[tuple[str, bool]] = []
        for node in parse(without_magics(code)).body:
            match node:
                case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                    names.append((name, True))
                case ast.Assign(targets, value):
                    made = isinstance(value, ast.Lambda)
                    names += [(target.id, made) for target in targets if isinstance(target, ast.Name)]
                case ast.AnnAssign(ast.Name(name), _, value) if value:
                    names.append((name, isinstance(value, ast.Lambda)))
        return tuple(names)
    except NOT_COMPILED:
        return tuple((function or variable, bool(function)) for function, variable in DEFINITION.findall(code))


def _left_to_write(code: str) -> frozenset[str]:
    """Functions of a cell that only say that they are not written yet; none where the cell does more than that."""
    if "NotImplementedError" not in code:
        return frozenset()
    try:
        body = parse(without_magics(code)).body
    except NOT_COMPILED:
        return frozenset()
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    imports = sum(isinstance(node, ast.Import | ast.ImportFrom) for node in body)
    if len(functions) + imports < len(body):
        return frozenset()
    raising = [node for node in functions if _raises_at_once(node)]
    if any(len(node.body) - (ast.get_docstring(node) is not None) > 1 for node in raising):
        return frozenset()  # an attempt that stands below the line that raises
    return _missing(body)


def match(cells: list[Seen], slots: list[Slot]) -> Match:
    """Give every cell its place, the surest evidence first. A cell that fits nowhere stays in ``unmatched``."""
    result = Match(unmatched=list(cells))
    by_key = {slot.key: slot for slot in slots}
    announced = cache(_announced)  # of this notebook also those that are too long, or too many, to be kept
    for how, key_of in (("mark", lambda c: c.name), ("id", lambda c: c.cell_id), ("line", _check_named)):
        for cell in list(result.unmatched):
            slot = by_key.get(key_of(cell) or "")
            # an id alone may be a coincidence: every lesson has a `cell-003`
            if slot and (how != "id" or slot.kind == cell.kind):
                result.take(slot, cell, how)
    _let_go_of_others(result, slots, announced)
    _match_by_text(result, slots)
    _match_by_name(result, slots, announced)
    _match_by_place(result, slots)
    _add_notes(result, slots)
    _match_below_models(result, slots)
    return result


Announced = Callable[[str], tuple[tuple[str, bool], ...]]


def _let_go_of_others(result: Match, slots: list[Slot], announced: Announced) -> None:
    """A copy of a cell has its mark, whatever was then written into it.

    In that of an answer it may be the answer to another exercise; in that of the lesson's own code, code of one's own.
    """
    wanted = {slot.key: {name for name, _ in announced(slot.text)} for slot in slots if slot.role == "solution"}
    for slot in slots:
        seen = result.found.get(slot.key, [])
        if slot.kind != "code" or len(seen) < (1 if slot.role == "solution" else 2):
            continue
        below: list[Seen] = []
        if slot.role == "solution":
            others = set().union(*(names for key, names in wanted.items() if key != slot.key))
            names = {cell.position: {name for name, made in announced(cell.text) if made} for cell in seen}
            defined = {cell.position: {name for name, _ in announced(cell.text)} | result.bound(cell) for cell in seen}
            defining = [cell for cell in seen if defined[cell.position] & wanted[slot.key]]
            below = _after_its_checks(slot, defining, result, slots)
            own, rest = [c.position for c in defining if c not in below], [c for c in seen if c not in defining]
            gone = [c for c in rest if names[c.position] & others or (own and _is_apart(c, own, slot, result, slots))]
            gone += below
        elif slot.role not in LEARNERS and any(squeeze(cell.text) == squeeze(slot.text) for cell in seen):
            gone = [c for c in seen if squeeze(c.text) != squeeze(slot.text) and _check_named(c) != slot.key]
        else:
            gone = []
        if len(gone) < len(seen) or len(below) == len(seen):  # then the answer stands above, in a cell without a mark
            result.found[slot.key] = [cell for cell in seen if cell not in gone]
            if not result.found[slot.key]:
                del result.found[slot.key]
            result.unmatched = sorted([*result.unmatched, *gone], key=lambda cell: cell.position)


def _asked_at(slot: Slot, result: Match, slots: list[Slot]) -> tuple[int, list[int]]:
    """Where an exercise's stub stands, perhaps with notes in it, else -1, and where its checks and their copies do."""
    wanted = slot.asked_for
    seen = [c for c in result.found.get(slot.key, []) if c.kind == "code"]
    stubs = [c.position for c in seen if result.is_blank(slot, [c]) or not wanted & result.written(c)]
    return min(stubs, default=-1), positions_of_checks(slot, result, slots)


def in_other_cells(slot: Slot, result: Match, slots: list[Slot]) -> list[Seen]:
    """What the learner wrote as code where another answer, a prediction or something to try stands."""
    others = (other for other in slots if other.role in LEARNERS and other is not slot)
    cells = ((other, cell) for other in others for cell in result.found.get(other.key, []))
    return [cell for other, cell in cells if cell.kind == "code" and not result.is_blank(other, [cell])]


def code_elsewhere(slot: Slot, result: Match, slots: list[Slot]) -> list[Seen]:
    """The learner's code in new cells, and where another answer, a prediction or something to try stands."""
    return [cell for cell in result.unmatched if cell.kind == "code"] + in_other_cells(slot, result, slots)


def positions_of_checks(
    slot: Slot, result: Match, slots: list[Slot], roles: Sequence[str] = ("check", "hidden")
) -> list[int]:
    """Where an exercise's checks and their copies stand, sorted."""
    checks = itertools.takewhile(lambda later: later.role != "solution", slots[slots.index(slot) + 1 :])
    return sorted(c.position for s in checks if s.role in roles for c in result.found.get(s.key, []))


def _after_its_checks(slot: Slot, defining: list[Seen], result: Match, slots: list[Slot]) -> list[Seen]:
    """What was written below all checks of an answer that stands above them: from top to bottom they ask that one.

    The answer may also stand below the untouched stub, in a cell without a mark or one to try it in.
    """
    stub, asked = _asked_at(slot, result, slots)
    wanted = slot.asked_for
    own = [c for c in result.found.get(slot.key, []) if c.position == stub]
    takes_away = any(wanted & result.bound(c) for c in own)  # a stub does, an empty cell does not
    theirs = code_elsewhere(slot, result, slots)
    new = [c for c in theirs if c.position > stub or not takes_away]
    candidates = [c for c in (*defining, *new) if not result.is_blank(slot, [c])]
    written = {c.position: names for c in candidates if (names := result.written(c) & wanted)}
    asked = [position for position in asked if position > min(written, default=position)]
    above = {position: names for position, names in written.items() if asked and position < asked[0]}
    there = set[str]().union(*above.values())
    below = [c for c in defining if above and c.position > asked[-1] and written.get(c.position, set()) <= there]
    known = {squeeze(cell.text) for cell in candidates if cell.position in above}
    anew = [c for c in candidates if above and c.position in written and squeeze(c.text) not in known]
    if any(cell in below for cell in anew):
        result.again.append(slot.key)
    shown = positions_of_checks(slot, result, slots, ("check",))
    if any(shown and shown[-1] < cell.position < asked[-1] for cell in anew):
        result.between.append(slot.key)
    return below


def _written(code: str) -> frozenset[str]:
    """Names that a cell binds, without functions that only say that they are not written yet.

    None where it cannot run, as far as can be seen.
    """
    try:
        body = parse(without_magics(code)).body
    except NOT_COMPILED:  # by a mistake, or by a magic that cannot be told from code
        return frozenset(announced_names(code) if has_magics(code) else ())
    return names_a_learner_binds(code) - _missing(body)


def _missing(body: list[ast.stmt]) -> frozenset[str]:
    """Functions that are not written yet, and not written once more beside that."""
    raises: dict[str, bool] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            raises[node.name] = raises.get(node.name, True) and _raises_at_once(node)
    return frozenset(name for name, each in raises.items() if each)


def _raises_at_once(function: ast.FunctionDef) -> bool:
    """Whether a function does no more than say that it is not written yet."""
    first = function.body[ast.get_docstring(function) is not None :][:1]
    raised = first[0].exc if first and isinstance(first[0], ast.Raise) else None
    error = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(error, ast.Name) and error.id == "NotImplementedError"


def _check_named(cell: Seen) -> str | None:
    line = CHECK_LINE.match(cell.text.lstrip())
    return line[1] if line else None


def _is_apart(cell: Seen, own: list[int], slot: Slot, result: Match, slots: list[Slot]) -> bool:
    """Whether answers or checks of other exercises stand between a cell and the nearest of the answer's own."""
    nearest = min(own, key=lambda position: abs(position - cell.position))
    low, high = sorted((nearest, cell.position))
    others = [each for each in slots if each.key != slot.key and each.role in ("solution", "check", "hidden")]
    return any(low < found.position < high for each in others for found in result.found.get(each.key, []))


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
        elif text in known and known[text].role == "code":  # a value that it gives anew may be needed there
            result.unmatched.remove(cell)
            result.copies.append(cell)
        elif text in known:
            result.take(known[text], cell, "copy")
    models = [slot for slot in slots if slot.role == "model" and slot.key not in result.found]
    for cell in [c for c in result.unmatched if MODEL.match(c.text)][: len(models)]:  # put otherwise
        result.take(models.pop(0), cell, "text")


def _match_by_name(result: Match, slots: list[Slot], announced: Announced) -> None:
    """A function that a stub asks for, written in a cell that nothing else identifies.

    Where the stub is there, a variable of that name is something else, unless the stub has a variable, too. What comes
    after the exercise's checks counts only where nothing binds the name before them; what comes before the stub, only
    where no other answer uses it there, or where the checks stand between. A cell of which an earlier exercise uses
    something else runs where it stands, and one of which a cell for trying above it binds another name.
    """
    uses = _Uses(result, slots, announced)
    tries = [cell for slot in slots if slot.role == "try" for cell in result.found.get(slot.key, [])]
    for slot in slots:
        if slot.role != "solution" or not result.is_blank(slot, result.found.get(slot.key, [])):
            continue
        wanted = set(announced(slot.text))
        if slot.key not in result.found:
            wanted |= {(name, made) for name, _ in wanted for made in (True, False)}
        fits = [c for c in result.unmatched if c.kind == "code" and wanted & set(announced(c.text))]
        stub, asked = _asked_at(slot, result, slots)
        first = next((position for position in asked if position > stub), asked[0] if asked else -1)
        names = {name for name, _ in announced(slot.text)}
        elsewhere = [*(c for c in result.unmatched if c not in fits), *in_other_cells(slot, result, slots)]
        if any(stub < c.position < first and names & result.bound(c) for c in elsewhere):
            continue  # a value, a function under a condition or in a cell to try it in: it runs below the stub
        below = [cell for cell in fits if stub < cell.position < first]
        fits = below or [
            c
            for c in fits
            if c.position > stub
            or any(c.position < position < stub for position in asked)
            or not uses.between(c.position, stub, names)
        ]
        in_time = below or [cell for cell in fits if cell.position < first]
        if not in_time and _runs_above(slot, stub, result, slots):
            continue  # what stands below the checks is an experiment
        begin = _begin(slot, stub, first, result, slots)
        tried = [one for one in tries if stub < one.position]
        staying = [
            c
            for c in in_time
            if uses.between(c.position, begin, result.bound(c), result.bound(c) - names)
            or any(one.position < c.position and result.bound(one) & result.bound(c) - names for one in tried)
        ]
        if staying and staying[-1] is in_time[-1]:
            result.above.append(slot.key)
            continue
        for cell in [cell for cell in in_time or fits if cell not in staying]:
            result.take(slot, cell, "name")


def _runs_above(slot: Slot, stub: int, result: Match, slots: list[Slot]) -> bool:
    """Whether an answer's own cell is empty, and what it was for stands in cells above it."""
    emptied = not any(cell.text.strip() for cell in result.found.get(slot.key, []))
    above = [cell for cell in code_elsewhere(slot, result, slots) if cell.position < stub]
    bound = set[str]().union(*map(result.bound, above))
    return emptied and bool(slot.asked_for) and slot.asked_for <= bound


def _begin(slot: Slot, stub: int, first: int, result: Match, slots: list[Slot]) -> int:
    """Where an exercise begins: at its stub or its checks, else at the last cell of an earlier one above its checks."""
    if stub >= 0:
        return min(stub, first)
    earlier = (cell.position for other in slots[: slots.index(slot)] for cell in result.found.get(other.key, []))
    return max((position for position in earlier if position < first), default=-1)


class _Uses:
    """Where answers, and cells of the learner's own that bind something for them, read which name."""

    def __init__(self, result: Match, slots: list[Slot], announced: Announced) -> None:
        self.result = result
        solutions = [slot for slot in slots if slot.role == "solution"]
        wanted = {name for slot in solutions for name, _ in announced(slot.text)}
        found = [cell for slot in solutions for cell in result.found.get(slot.key, [])]
        others = [slot for slot in slots if slot.role in ("try", "predict")]  # an answer may stand there
        tried = [cell for slot in others for cell in result.found.get(slot.key, [])]
        self.own = [cell for cell in (*found, *tried, *result.unmatched) if cell.kind == "code"]
        names = {cell.position: {name for name, made in announced(cell.text) if made} for cell in self.own}
        self.answers = [cell for cell in self.own if cell in found or names[cell.position] & wanted]
        # {name: where checks ask for it, or for an answer that reads it; for each answer}
        self.asked: dict[str, list[list[int]]] = {}
        for slot in solutions:
            code = [cell for cell in result.found.get(slot.key, []) if cell.kind == "code"]
            positions = positions_of_checks(slot, result, slots)
            for name in slot.asked_for.union(*(names_a_learner_reads(without_magics(cell.text)) for cell in code)):
                self.asked.setdefault(name, []).append(positions)

    @cached_property
    def reads(self) -> dict[str, list[int]]:
        """``{name: positions}``, sorted."""
        binding: dict[str, list[Seen]] = {}
        for cell in self.own:
            for name in self.result.bound(cell):
                binding.setdefault(name, []).append(cell)
        found: dict[str, list[int]] = {}
        waiting, begun = list(self.answers), {cell.position for cell in self.answers}
        while waiting:
            user = waiting.pop()
            for name in names_a_learner_reads(without_magics(user.text)):
                found.setdefault(name, []).append(user.position)
                for cell in binding.pop(name, []):
                    if cell.position not in begun:
                        begun.add(cell.position)
                        waiting.append(cell)
        return {name: sorted(positions) for name, positions in found.items()}

    def between(self, low: int, high: int, names: Collection[str], asked: Collection[str] = ()) -> bool:
        """Whether one of the names is read between two places of the notebook, or asked for by checks there."""
        places = [self.reads.get(name, []) for name in names]
        places += [mine for name in asked for mine in self.asked.get(name, [])]
        return any((at := bisect_right(mine, low)) < len(mine) and mine[at] < high for mine in places)


def _match_by_place(result: Match, slots: list[Slot]) -> None:
    """Cells that stand where an answer should: between the neighbours of its slot."""
    for index, slot in enumerate(slots):
        if not slot.answer or slot.key in result.above or not result.is_blank(slot, result.found.get(slot.key, [])):
            continue
        start, near_start = _edge(result, list(reversed(slots[:index])), max, otherwise=-1)
        end, near_end = _edge(result, slots[index + 1 :], min, otherwise=10**9)
        if not (near_start or near_end):
            continue  # nothing of the lesson is close by: its place is not known
        between = [c for c in result.unmatched if start < c.position < end and c.text.strip()]
        fits = [c for c in between if c.kind == slot.kind] or [
            c for c in between if slot.kind == "code" or _is_words(c.text)
        ]
        if slot.role == "solution" and (len(fits) != 1 or slot.key in result.found):
            continue  # the stub is there, or it would be a guess: a person should look
        if slot.role == "written" and not fits and any(_says_something(c.text) for c in between):
            result.perhaps.append(slot.key)
        for cell in fits:
            runs_too = slot.kind == "text" and cell.kind == "code" and (result.bound(cell) or _has_an_effect(cell.text))
            result.take(slot, replace(cell, kind="text") if runs_too else cell, "place")


def _is_words(text: str) -> bool:
    """Whether what stands in a code cell is a written answer: no Python, no more than values, or a text of words."""
    if text.lstrip().startswith("%%"):
        return bool(SHOWN.match(text))
    try:
        tree = parse(without_magics(text))
    except NOT_COMPILED:
        return True
    if not all(isinstance(node, WORDS_STAND_IN) for node in tree.body):
        return False  # a function of the learner's own, say
    calls = any(isinstance(part, ast.Call) for part in ast.walk(tree))
    plain = all(isinstance(node, ast.Expr) for node in tree.body) and not calls
    return plain or any((" " in words and words.strip()) or NO_SPACES.search(words) for words in _texts(tree))


def _says_something(code: str) -> bool:
    """Whether there is a comment, or a text, of some words; what does not compile is words."""
    if code.lstrip().startswith("%%"):
        code = code.lstrip().partition("\n")[2]
    try:
        said = _texts(parse(without_magics(code)))
    except NOT_COMPILED:
        return True
    said += [line.partition("#")[2] for line in code.splitlines()]
    return any(map(_has_words, said))


def _has_words(text: str) -> bool:
    """Whether there are some words in it."""
    return len(text.split()) >= SOME or bool(NO_SPACES.search(text))


def _texts(tree: ast.Module) -> list[str]:
    """What stands in the strings of code."""
    return [part.value for part in ast.walk(tree) if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def _has_an_effect(text: str) -> bool:
    """Whether a cell of words does more than show them."""
    try:
        nodes = [*ast.walk(parse(without_magics(text)))]
    except NOT_COMPILED:
        return False
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    if any(not (isinstance(called, ast.Name) and called.id in SHOW_WORDS) for called in calls):
        return True
    imports = any(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes)  # of all names, say
    return imports or any(isinstance(n, ast.Subscript | ast.Attribute) and isinstance(n.ctx, ast.Store) for n in nodes)


def _add_notes(result: Match, slots: list[Slot]) -> None:
    """Text that stands right above or below a written answer, or in the cell of its question or of its model answer,
    belongs to it."""
    known = sorted(cell.position for seen in result.found.values() for cell in seen)
    for index, slot in enumerate(slots):
        if slot.role != "written":
            continue
        if mine := result.found.get(slot.key, []):
            first, last = bisect_left(known, mine[0].position), bisect_right(known, mine[-1].position)
            start, end = known[first - 1] if first else -1, known[last] if last < len(known) else float("inf")
            for cell in [
                c for c in result.unmatched if start < c.position < end and c.kind == "text" and c.text.strip()
            ]:
                result.take(slot, cell, "mark")
        for question in (slots[index - 1], *slots[index + 1 : index + 2]):
            is_model = question is not slots[index - 1]
            if question.kind != "text" or question.role in LEARNERS or (is_model and not MODEL.match(question.text)):
                continue
            for cell in result.found.get(question.key, []):
                if words := _added_words(question.text, cell.text):
                    result.take(slot, replace(cell, text=words), "mark")
                elif {*squeeze(cell.text).split("\n")} - {*squeeze(question.text).split("\n")} and (
                    not is_model or result.is_blank(slot, result.found.get(slot.key, []))
                ):
                    result.reworded.append(slot.key)


def _match_below_models(result: Match, slots: list[Slot]) -> None:
    """Text below the model answer to a question to which nothing is written above it: the model's is the cell that a
    learner is in who has just run the answer's."""
    known = sorted(cell.position for seen in result.found.values() for cell in seen)
    for slot, model in itertools.pairwise(slots):
        if slot.role != "written" or model.role != "model" or model.key not in result.found:
            continue
        if slot.key in result.perhaps:
            continue
        start = result.found[model.key][-1].position
        at = bisect_right(known, start)
        end = known[at] if at < len(known) else float("inf")
        between = [c for c in result.unmatched if start < c.position < end and c.text.strip()]
        words = [c for c in between if c.kind == "text" and not _is_title(c.text)]
        if not result.is_blank(slot, result.found.get(slot.key, [])):
            result.beside += [slot.key] if any(has_own_words(cell.text, set()) for cell in words) else []
            continue
        if not words and any(c.kind == "code" and _says_something(c.text) for c in between[:1]):
            result.perhaps.append(slot.key)
        for cell in words:
            result.take(slot, cell, "place")


def has_own_words(text: str, ours: set[str]) -> bool:
    """Whether some words stand in a text that are no heading, no picture and none of these lines."""
    lines = [line.strip() for line in text.splitlines()]
    return any(_has_words(TAG.sub(" ", line)) for line in lines if line not in ours and not line.startswith(MARKUP))


def _is_title(text: str) -> bool:
    """Whether a text is headings alone."""
    return all(line.lstrip().startswith("#") for line in text.splitlines() if line.strip())


def _added_words(ours: str, theirs: str) -> str:
    """What was written into a text cell of the lesson's, or in its place; "" where it may be of another version."""
    ours, theirs = squeeze(ours), squeeze(theirs)
    if theirs.startswith(ours):
        return squeeze(theirs.removeprefix(ours))
    if theirs.endswith(ours):
        return squeeze(theirs.removesuffix(ours))
    lines, written = {*ours.splitlines()} - {""}, theirs.splitlines()
    if lines & {*written} and not lines <= {*written}:
        return ""
    known = Counter(ours.split())
    if not lines <= {*written} and 2 * (known & Counter(theirs.split())).total() > known.total():  # put otherwise
        return ""
    return squeeze("\n".join(line for line in written if line not in lines))


SOME = 3  # words
TAG = re.compile(r"<[^<>]*>")
MARKUP = ("#", "![", "[![")
NEAR = 3  # slots: an exercise's text, its answer, its try-it cell


def _edge(result: Match, slots: list[Slot], pick: Callable[[Iterable[int]], int], otherwise: int) -> tuple[int, bool]:
    """Position of the nearest neighbour that was found in the submission, and whether it is close in the lesson."""
    for distance, slot in enumerate(slots):
        if slot.key in result.found:
            return pick(cell.position for cell in result.found[slot.key]), distance < NEAR
    return otherwise, False


def anchors(cells: list[Seen], result: Match, slots: list[Slot]) -> dict[int, tuple[str | None, bool]]:
    """``{position: (a key, whether after it)}`` for cells that have no place of their own in the lesson.

    It is after the last cell of the lesson that precedes it: after None at the very start, and after the whole lesson
    at the very end. Where an exercise comes next that belongs before that one, as it was moved down, it is before the
    exercise.
    """
    order = {slot.key: index for index, slot in enumerate(slots)}
    everything = sorted((cell.position, order[key], key) for key, seen in result.found.items() for cell in seen)
    known = _with_text(_in_place([one for one in everything if slots[one[1]].kind == "code"]), everything)
    positions = [position for position, _, _ in known]
    places: dict[int, tuple[str | None, bool]] = {}
    for cell in cells:
        at = bisect_left(positions, cell.position)
        last, following = known[at - 1] if at else None, known[at] if at < len(known) else None
        if last and not following:  # it stands below all of the lesson, in whatever order that is
            last = max(known, key=lambda entry: entry[1])
        if last and following and _brings_an_answer(known[at:], last[1], slots):
            places[cell.position] = (following[2], False)
        else:
            places[cell.position] = (last[2] if last else None, True)
    return places


def _brings_an_answer(following: list[tuple[int, int, str]], last: int, slots: list[Slot]) -> bool:
    """Whether what follows begins with cells that belong before the place ``last``, one of them an answer's."""
    before = itertools.takewhile(lambda entry: entry[1] < last, following)
    return any(slots[place].answer for _, place, _ in before)


def _with_text(code: list[tuple[int, int, str]], everything: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The lesson's code with its text, as far as that stands where the lesson has it: moved text moves nothing else."""
    positions, kept = [position for position, _, _ in code], list(code)
    last = -1
    for position, place, key in everything:
        at = bisect_left(positions, position)
        last = max(last, code[at - 1][1] if at else -1)
        following = code[at][1] if at < len(code) else place
        if last <= place <= following and (position, place, key) not in code[at : at + 1]:
            kept.append((position, place, key))
            last = place
    return sorted(kept)


def _in_place(known: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Of several cells of one slot those that stand where the lesson has it, else the first: the others are copies.

    Args:
        known: (position in the submission, place in the lesson, key), sorted.
    """
    ends: list[int] = []  # of the best row of cells in the lesson's order, of each length: its last place
    lengths = []
    for _, place, _ in known:
        at = bisect_left(ends, place)  # one of each slot: a copy is no place of its own
        ends[at : at + 1] = [place]
        lengths.append(at + 1)
    row, length, upper = set(), len(ends), len(known)
    for index in range(len(known) - 1, -1, -1):
        if lengths[index] == length and (length == len(ends) or known[index][1] < upper):
            row.add(index)
            length, upper = length - 1, known[index][1]
    in_row, seen = {known[index][2] for index in row}, set()
    kept = []
    for index, (position, place, key) in enumerate(known):
        if index in row or (key not in in_row and key not in seen):
            kept.append((position, place, key))
        seen.add(key)
    return kept
