"""What grading runs of the lesson's own cells: those that something graded uses, by the names that cells bind and read.

A lesson says of its demonstrations that grading need not run them; a prediction, and a cell to try an answer in that is
as it was, decide nothing. They run all the same where a cell that runs reads a name that, from top to bottom, they were
the last to bind. So an answer that uses a value of a demonstration is graded with it, as it ran for the learner. Where
their imports or functions alone are read, these are brought without the rest.
"""

from __future__ import annotations

import ast
import re
import textwrap
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from functools import cache, lru_cache
from itertools import takewhile
from types import MappingProxyType

from nbformat import NotebookNode

from ..python_code import (
    NOT_COMPILED,
    defined_names,
    free_names,
    imports_among,
    imports_of,
    kept,
    parse,
    perhaps_bound,
    plain_and_rest,
    root_of,
    taken_names,
)
from .cells import UNUSED, exercise, has_learners_text, in_its_place, is_a_copy, is_check, is_left_out, role
from .given import definitions
from .sandbox.inside.cells import as_it_runs

WORD = re.compile(r"[^\W\d]\w*")
# Lines that are for IPython alone, and the beginnings of lines behind which Python stands.
FOR_IPYTHON = re.compile(
    r"^[ \t]*(?:%(?:matplotlib|config|load_ext|reload_ext|autoreload|pip|conda)\b.*|%%?(?:time|timeit|capture)\b)",
    re.MULTILINE,
)
RUNS_THE_CELL = re.compile(r"%%(?:time|capture|prun)\b")
MAGIC_LINE = re.compile(r"^([ \t]*)(?:[%!?/,;](?:.*\\\n)*.*|[\w.%]+\?{1,2}[ \t]*)$", re.MULTILINE)
TIMED_LINE = re.compile(r"^([ \t]*)%time[ \t]+(?=[^-\s])", re.MULTILINE)  # what stands behind it runs
PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.|In \[\d+\]:|\.\.\.+:)(?: |$)", re.MULTILINE)  # IPython takes it away
# `files = !ls`, `out["files"] = !ls`
MAGIC_VALUE = re.compile(r"""^([\w \t,.*()\[\]]+(?:["'][\w ]*["']\][ \t]*)?=)[ \t]*[%!].*$""", re.MULTILINE)
BINDS_FROM_WITHIN = re.compile(r"import\s*\*|\bglobal\b|:=")
BINDS_ANY = re.compile(r"import\s*\*|\b(?:exec|eval|globals|global)\b|^[ \t]*%run\b", re.MULTILINE)
PLAIN_CALLS = (  # without an effect that another cell could notice
    *("print", "display", "len", "int", "float", "str", "bool", "list", "tuple", "set", "dict", "range", "sorted"),
    *("sum", "min", "max", "round", "abs", "repr", "type", "zip", "enumerate"),
)
WRITES_A_FILE = "%%writefile"  # the program in it has names of its own
MOST_LATER = 300_000  # names that functions read where they are called, in one notebook
FEW = 256  # texts of learners' cells, each of which several stages read
KEPT = 4000  # texts of lessons' cells that are read once for all submissions

Names = frozenset[str]


def run_what_is_used(cells: list[NotebookNode]) -> None:
    """Of the code cells that grading leaves out, mark those as running of which another one that runs uses a name."""
    code = [cell for cell in cells if cell.cell_type == "code"]
    for cell in code:  # a file has no name that others read; writing it takes no time
        if is_left_out(cell) and not has_learners_text(cell) and cell.source.startswith(WRITES_A_FILE):
            del cell.metadata.course["grading"]
    binding: dict[str, list[int]] = defaultdict(list)  # {name: positions of the cells that bind it}
    for position, cell in enumerate(code):
        for name in _bound(cell):
            binding[name].append(position)

    unsure = cache(lambda position: _perhaps_bound(code[position]))  # kept for this notebook only

    seen = set()

    def binders(name: str, reader: int) -> Iterator[int]:
        """The last cell before it, and one before that where it may have bound nothing; where none binds the name, one
        below, which a function finds when it is called. Each for the first reader that comes by."""
        index = max(0, bisect_left(binding[name], reader) - 1)
        while (found := (binding[name][index], name)) not in seen:
            seen.add(found)
            yield found[0]
            if not index or name not in unsure(found[0]):
                return
            index -= 1

    reads = cache(lambda position: _read(code[position]))  # kept for this notebook only
    wanted = frozenset[str]().union(*(reads(place) for place, cell in enumerate(code) if not is_left_out(cell)))
    changed = set[str]()  # names of the lesson that a learner's cell gives something else
    for cell in code:
        if is_a_copy(cell) and changed & wanted & _bound(cell):
            del cell.metadata.course["grading"]  # it puts back what was there
        elif has_learners_text(cell) and not is_left_out(cell):
            changed |= _bound(cell)
    running = [(position, cell) for position, cell in enumerate(code) if not is_left_out(cell)]
    readers = [(position, reads(position)) for position, _ in running]
    readers += [(position, _names_read(text)) for position, cell in running if (text := definitions(cell))]
    called_later = cache(lambda position: _read_when_called(code[position]))
    passed, left = set(), MOST_LATER  # (reader, learner's cell whose functions it uses)
    bringing: dict[int, dict[str, Names]] = {}  # {position of a cell left out: what it brings}, read once
    used = set()  # positions of those whose functions or imports somebody uses
    while readers:
        reader, names = readers.pop()
        for name in names & binding.keys():  # what a function reads it finds where it is called
            last = binding[name][max(0, bisect_left(binding[name], reader) - 1)]
            if last < reader and (later := called_later(last)) and (reader, last) not in passed:
                passed.add((reader, last))
                left -= len(later)
                if left > 0:
                    readers.append((reader, later))
        for name, position in [(each, at) for each in names & binding.keys() for at in binders(each, reader)]:
            cell = code[position]
            if not is_left_out(cell):
                continue
            if position not in bringing:
                bringing[position] = _brought(cell) if in_its_place(cell) else {}
            if name in (brought := bringing[position]):
                used.add(position)
                readers.append((position, brought[name]))
            else:
                del cell.metadata.course["grading"]
                readers.append((position, _read(cell)))
    for position, cell in enumerate(code):
        if is_left_out(cell) and position not in used:
            cell.metadata.course.grading = UNUSED


def below_what_they_use(
    cells: list[NotebookNode],
    positions: dict[str, int],
    asked_for: Mapping[str, Set[str]] = MappingProxyType({}),
    missed: set[str] | None = None,
    parts: Mapping[str, list[NotebookNode]] = MappingProxyType({}),
    lessons_own: Mapping[str, int] = MappingProxyType({}),
) -> list[NotebookNode]:
    """The cells, in which a learner's comes before what uses it and stood below it in their notebook.

    It is one that they added, or an answer's. Where they moved cells of the lesson, its order may turn round their own.
    Only what would miss a name moves; a check misses what its exercise asks for, and what the answer's functions read.

    Args:
        positions: of the learner's cells, and of the checks, in their notebook, by id.
        asked_for: names that each exercise asks for: what gives one anew below its answer stays below it.
        missed: gets the names that a check misses and that could not be brought.
        parts: cells that come before an answer's own, by its id.
        lessons_own: positions of the lesson's cells in their notebook, by id.
    """
    binding: dict[str, list[tuple[int, NotebookNode]]] = defaultdict(list)
    every = frozenset[str]().union(*asked_for.values())
    answered: dict[str, int] = {}  # where an answer binds a name that was asked for
    for answer in (c for c in cells if role(c) == "solution" and c.id in positions):
        place = positions[answer.id]
        answered |= {name: min(place, answered.get(name, place)) for name in _bound(answer) & every}
    own = [c for c in cells if role(c) == "added" or (role(c) == "solution" and c.id in positions)]
    for cell in sorted(own, key=lambda c: positions[c.id]):
        place = positions[cell.id]
        for name in _bound(cell):
            if place < answered.get(name, place + 1) or (place == answered[name] and role(cell) == "solution"):
                binding[name].append((place, cell))
    ordered: list[NotebookNode] = []
    bound, begun = set[str](), set[str]()
    lessons = frozenset[str]().union(*(_bound(c) for c in cells if c.cell_type == "code" and role(c) != "added"))

    given: dict[str, int] = {}  # where in the learner's notebook a cell of the lesson binds a name first
    for cell in cells:
        if cell.cell_type == "code" and cell.id in lessons_own and not has_learners_text(cell):
            for name in _bound(cell):
                given[name] = min(lessons_own[cell.id], given.get(name, lessons_own[cell.id]))

    by_id = {cell.id: cell for cell in own}
    answers = {exercise(cell): cell for cell in cells if role(cell) == "solution"}

    def binder(name: str, key: str) -> NotebookNode | None:
        """The learner's cell that binds a name last above another one of the notebook."""
        above = bisect_left(binding[name], positions[key], key=lambda entry: entry[0]) if name in binding else 0
        return binding[name][above - 1][1] if above else None

    @cache  # for this notebook only
    def needs_of_the_lesson(key: str) -> set[str]:
        """Names that a cell takes of the lesson where it runs: neither it nor one of the learner's above it binds them.

        What an answer above it takes it needs, too.
        """
        needs = set[str]()
        for name in _free(by_id[key]) & lessons:
            if (found := binder(name, key)) is None:
                needs.add(name)
            elif role(found) == "solution":
                needs |= needs_of_the_lesson(found.id)
        return needs

    def read(cell: NotebookNode) -> Names:
        if not is_check(cell):
            return _read(cell)
        answer = answers.get(exercise(cell))
        return (_read(answer) if answer else frozenset[str]()).union(asked_for.get(exercise(cell), ()))

    def anew(cell: NotebookNode, answer: NotebookNode) -> bool:
        """Whether a cell that they added gives what an answer does: it must not run between that and its checks."""
        return role(cell) == "added" and bool(_bound(cell) & asked_for.get(exercise(answer), frozenset()))

    def missing(cell: NotebookNode) -> Iterator[NotebookNode]:
        """What binds a name for it that nothing above has bound, and needs nothing of the lesson that comes below."""
        yield from parts.get(cell.id, ())
        if cell.cell_type == "code" and cell.id in positions:
            for name in sorted(read(cell) & binding.keys()):
                found = binder(name, cell.id)
                if name in bound or not found or anew(cell, found):
                    continue
                if needs_of_the_lesson(found.id) <= bound:
                    yield found
                elif is_check(cell) and missed is not None:
                    missed.add(name)
            if is_check(cell) and missed is not None:
                place = positions[cell.id]
                theirs = {name for name in read(cell) - bound if given.get(name, place) < place}
                missed.update(name for name in theirs if binder(name, cell.id) is None)

    for cell in cells:
        waiting = [(cell, missing(cell))] if cell.id not in begun else []
        begun.add(cell.id)
        while waiting:
            user, needs = waiting[-1]
            needed = next(needs, None)
            if needed is None:
                waiting.pop()
                ordered.append(user)
                bound |= _bound(user) if user.cell_type == "code" else frozenset()
            elif needed.id not in begun:
                begun.add(needed.id)
                waiting.append((needed, missing(needed)))
    return ordered


class InTurn:
    """Which names a learner's cells read, and in turn those of their cells that bind one of these, but by an import."""

    def __init__(self, cells: list[NotebookNode]) -> None:
        self._binding: dict[str, list[NotebookNode]] = defaultdict(list)
        self._read: dict[str, Names] = {}  # {cell: what its functions read}
        self.answers = set[str]()  # names that answers bind
        for cell in cells:
            if cell.cell_type == "code" and has_learners_text(cell):
                names = _bound(cell) - names_imported(cell)
                self.answers |= names if role(cell) == "solution" else set()
                for name in names:
                    self._binding[name].append(cell)

    def changed_by(self, called: Set[str]) -> set[str]:
        """What the learner's functions of these names read, and may change. To try out an answer changes nothing."""
        cells = {cell.id: cell for name in called - self.answers for cell in self._binding.get(name, [])}
        for key in cells.keys() - self._read.keys():
            self._read[key] = _read_when_called(cells[key])
        return set[str]().union(*(self._read[key] for key in cells))

    def read_by(self, answer: NotebookNode, asked_for: Set[str] = frozenset()) -> set[str]:
        """What an answer was asked for, the names that its cell reads, and those that what binds any of these reads."""
        found, begun = set[str](), {answer.id}
        waiting = [*asked_for, *_read(answer)]
        while waiting:
            if (name := waiting.pop()) not in found:
                found.add(name)
                for cell in self._binding.get(name, []):
                    if cell.id not in begun:
                        begun.add(cell.id)
                        waiting += _read(cell)
        return found


def may_give(cell: NotebookNode, names: Set[str], there: Set[tuple[str, str, str]], in_turn: InTurn) -> bool:
    """Whether a learner's cell binds one of these names or changes what it stands for, or may, as it cannot be read.

    Args:
        there: imports that give nothing new (:func:`imported_above`).
        in_turn: the notebook's cells.
    """
    if BINDS_ANY.search(cell.source):
        return True
    try:
        code = without_magics(cell.source)
        tree = parse(code)
        changed = defined_names(code) - {one[0] for one in imports_among(ast.walk(tree)) & there}
    except NOT_COMPILED:
        return True
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed.add(root_of(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            changed |= {root_of(node.value.func)} if not isinstance(node.value.func, ast.Name) else set()
    called, used = _in_calls(tree)
    changed |= (in_turn.changed_by(called) | used) - {one[0] for one in there} - in_turn.answers
    return bool(changed & names)


def _in_calls(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The names that are called, and all that stand in calls which may have an effect."""
    called, used = set[str](), set[str]()
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            called |= {name} - {""}
            inside |= name not in PLAIN_CALLS
        elif isinstance(node, ast.Name) and inside:
            used.add(node.id)
        waiting += [(child, inside) for child in ast.iter_child_nodes(node)]
    return called, used


def imported_above(cells: list[NotebookNode]) -> set[tuple[str, str, str]]:
    """``{(name, module, what of it)}`` of the imports of the lesson's own cells above its first answer: they are there
    whatever learners' cells do."""
    found = set[tuple[str, str, str]]()
    for cell in takewhile(lambda cell: role(cell) != "solution", cells):
        if cell.cell_type == "code" and not has_learners_text(cell) and not is_left_out(cell):
            with suppress(*NOT_COMPILED):
                found |= imports_among(parse(imports_of(cell.source)).body)
    return found


def names_imported(cell: NotebookNode) -> Names:
    """Names that a cell imports at its top level."""
    try:
        return names_a_learner_binds(imports_of(cell.source))
    except NOT_COMPILED:
        return frozenset()


def can_be_left_out(source: str) -> bool:
    """Whether a learner's cell does no more than bind names that can be read.

    Not where it has magics, binds from within, changes an object, or calls what may have an effect.
    """
    try:
        names = defined_names(source)
        tree = parse(source)
    except NOT_COMPILED:
        return False
    nodes = list(ast.walk(tree))
    places = [node for node in nodes if isinstance(node, ast.Attribute | ast.Subscript)]
    changes = any(not isinstance(place.ctx, ast.Load) for place in places)
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    acts = any(not isinstance(called, ast.Name) or called.id not in PLAIN_CALLS for called in calls)
    return not (changes or acts or "*" in names or BINDS_FROM_WITHIN.search(source))


def _read(cell: NotebookNode) -> Names:
    return names_a_learner_reads(cell.source) if has_learners_text(cell) else _names_read(cell.source)


def _free(cell: NotebookNode) -> Names:
    try:
        return frozenset(free_names(FOR_IPYTHON.sub("", cell.source)))
    except NOT_COMPILED:
        return _read(cell)


def _bound(cell: NotebookNode) -> Names:
    """Names that others find after a cell; a check runs with names of its own, all but a visible one's imports.

    Nobody waits for a shared cell that is left out because of what it imports: others import the same.
    """
    try:
        source = in_its_place(cell) if is_check(cell) else cell.source
    except SyntaxError:  # a check that does not compile; its verdict says so
        return frozenset()
    if role(cell) == "include" and is_left_out(cell):
        return names_bound(source) - names_bound(imports_of(source))
    return names_a_learner_binds(source) if has_learners_text(cell) else names_bound(source)


def _read_when_called(cell: NotebookNode) -> Names:
    """Names of others that functions and classes at the top level of a learner's cell read."""
    if not has_learners_text(cell) or is_left_out(cell):
        return frozenset()
    try:
        body = parse(without_magics(cell.source)).body
        functions = [n for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
        return frozenset(free_names("\n".join(map(ast.unparse, functions))))
    except NOT_COMPILED:  # or cannot be written down again
        return frozenset()


def _perhaps_bound(cell: NotebookNode) -> Names:
    """Names that a cell binds and may leave as they were: a learner's, or the imports of a check."""
    if is_check(cell):
        return _bound(cell)
    try:
        return frozenset(perhaps_bound(without_magics(cell.source))) if has_learners_text(cell) else frozenset()
    except NOT_COMPILED:
        return frozenset()


def _brought(cell: NotebookNode) -> dict[str, Names]:
    return _names_brought.__wrapped__(cell.source) if has_learners_text(cell) else _names_brought(cell.source)


@lru_cache(FEW)
def names_a_learner_reads(source: str) -> Names:
    """Names that a cell takes from others; of one that does not compile, by a magic or a mistake, all its words."""
    if source.lstrip().startswith(WRITES_A_FILE):
        return frozenset()
    code = FOR_IPYTHON.sub("", source)
    try:
        return frozenset(taken_names(code))
    except NOT_COMPILED:
        return frozenset(WORD.findall(code))


@lru_cache(KEPT)
def _names_read(source: str) -> Names:
    """The same of a lesson's own cell: its author does not read a name of another cell and then give it a new value."""
    try:
        return frozenset(free_names(source))
    except NOT_COMPILED:
        return names_a_learner_reads(source)


@kept
def without_magics(source: str) -> str:
    """A cell's code without what is for IPython alone; as it runs where Python can read it."""
    with suppress(*NOT_COMPILED):
        if runs := as_it_runs(source, parse):
            return runs[0]
    if not source.lstrip().startswith("%%") or RUNS_THE_CELL.match(source.lstrip()):
        source = textwrap.dedent(PROMPT.sub("", source) if PROMPT.match(source.lstrip("\n")) else source)
        return MAGIC_VALUE.sub(r"\1 None", MAGIC_LINE.sub(r"\1pass", TIMED_LINE.sub(r"\1", source)))
    return source


def has_magics(source: str) -> bool:
    """Whether some line looks like one for IPython alone."""
    return bool(MAGIC_LINE.search(source) or MAGIC_VALUE.search(source) or PROMPT.match(source.lstrip("\n")))


@lru_cache(FEW)
def names_a_learner_binds(source: str) -> Names:
    """Names that a cell binds; none where it does not compile."""
    try:
        return frozenset(defined_names(without_magics(source)))
    except NOT_COMPILED:
        return frozenset()


names_bound = lru_cache(KEPT)(names_a_learner_binds)  # of a lesson's own cell


@lru_cache(KEPT)
def _names_brought(source: str) -> dict[str, Names]:
    """``{name: the names that it needs}`` of what runs in the place of a cell that is left out.

    What the cell then replaces, a function by a decorated one for instance, is not what it brings; nor is a function
    that uses a value which the rest of the cell binds. For these the whole cell runs.
    """
    plain, rest = plain_and_rest(source)
    brought: dict[str, Names] = {}
    for text in plain:
        brought |= dict.fromkeys(names_a_learner_binds(text), _names_read.__wrapped__(text))
    users: dict[str, list[str]] = defaultdict(list)  # {name: what needs it}
    for name, needs in brought.items():
        for need in needs:
            users[need].append(name)
    waiting, whole = [*names_a_learner_binds("\n".join(rest))], set[str]()
    while waiting:
        if (name := waiting.pop()) not in whole:
            whole.add(name)
            waiting += users[name]
    return {name: needs for name, needs in brought.items() if name not in whole}
