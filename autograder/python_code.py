"""Reading Python without running it."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
import textwrap
import threading
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Set
from functools import lru_cache, wraps
from itertools import groupby
from typing import NamedTuple, TypeVar

_ONE_AT_A_TIME = threading.Lock()
# Newer versions of Python warn of `\d` in a text as they read it; that is between the learner and the kernel.
warnings.filterwarnings("ignore", module=r"<(?:unknown|cell)>")
MAX_CODE = 100_000  # characters of one text: Python takes seconds for more, and nobody else's work goes on meanwhile
MOST_MARKS = 100  # accents, on one letter: to sort those of a name takes the square of their number
SIGN = r"[\w\x80-\U0010ffff]"  # whatever may stand in a name, and more: Python takes `℘`, accents and others, too
LONG_PATH = re.compile(rf"(?<!{SIGN})(?:{SIGN}++[\s\\]*+\.[\s\\]*+){{100}}")
SCOPE, WORD = re.compile(r"\b(?:lambda|def|class|for)\b"), re.compile(rf"{SIGN}+")
F_STRING = re.compile(r"""[fF][rR]?["']|[rR][fF]["']""")
MOST_SYMBOLS, MOST_COUNTED = 5_000_000, 100_000_000  # far more than in any answer that is known
MOST_DEFINITIONS = 20  # of given functions in one cell
SHORT, FEW = 10_000, 16  # characters of a text; and longer ones of which answers are kept
KEPT = 1000  # short ones
DEFINES = (
    ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
)
NOT_COMPILED = (SyntaxError, ValueError, RecursionError, MemoryError)  # what Python raises for magics, or nonsense


_Of = TypeVar("_Of")


def kept(function: Callable[[str], _Of]) -> Callable[[str], _Of]:
    """A function of a text that several stages ask of each cell: most cells are the lesson's, in every notebook.

    What it returns must not be changed.
    """
    short, long = lru_cache(KEPT)(function), lru_cache(FEW)(function)

    @wraps(function)
    def asked(text: str) -> _Of:
        return (short if len(text) <= SHORT else long if len(text) <= MAX_CODE else function)(text)

    return asked


def parse(code: str) -> ast.Module:
    """``ast.parse``, for one thread at a time: in CPython 3.11 threads share its count of how deep a tree is, and two
    at once may end in ``SystemError: AST constructor recursion depth mismatch``.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as ``ast.parse``.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(limited(code))


def limited(code: str) -> str:
    """The code, if Python takes no longer for it than others can wait, and no more memory than there is.

    Raises:
        ValueError: it is too long, or CPython would take the square of what stands there so often.
    """
    if why := _too_much(code):
        raise ValueError(why)
    return code


@kept
def _too_much(code: str) -> str:
    """What CPython cannot take in at once, while no other thread runs; "" where it is nothing."""
    if len(code) > MAX_CODE:
        return f"code of over {MAX_CODE} characters"
    if not code.isascii() and any(only and len([*run]) > MOST_MARKS for only, run in groupby(code, _is_only_a_mark)):
        return f"over {MOST_MARKS} marks on one letter"  # which it sorts
    if LONG_PATH.search(code):
        return "a name with over a hundred dots"  # which it writes down anew at each
    if len(SCOPE.findall(code)) * len({*WORD.findall(code)}) > MOST_SYMBOLS:
        return "too many names and functions"  # each gets all those around it
    if code.count("{") * len(code) > MOST_COUNTED and F_STRING.search(code):
        return "too many braces"  # from the beginning of an f-string it counts to each
    return ""


@lru_cache(maxsize=KEPT)
def _is_only_a_mark(sign: str) -> bool:
    """Whether Python, which sorts the marks on a letter of a name, has only such instead of this sign."""
    return all(map(unicodedata.combining, unicodedata.normalize("NFKD", sign)))


@lru_cache(maxsize=4)  # what is asked of one text asks for its table several times
def _table(code: str) -> symtable.SymbolTable:
    """The names of a text. Since Python 3.12 a comprehension's own are among those around it, though they are not seen
    there: so each is looked at as the generator that it could be, whose names are its own."""
    text = limited(code)
    if sys.version_info >= (3, 12):
        tree = parse(code)
        if any(isinstance(node, _COMPREHENSIONS) for node in ast.walk(tree)):
            text = ast.unparse(_AsGenerators().visit(tree))
    return symtable.symtable(text, "<cell>", "exec")


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)


class _AsGenerators(ast.NodeTransformer):
    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> ast.AST:
        return self.generic_visit(ast.GeneratorExp(node.elt, node.generators))

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self.generic_visit(ast.GeneratorExp(ast.Tuple([node.key, node.value], ast.Load()), node.generators))


def free_names(code: str) -> set[str]:
    """Names that ``code`` reads and neither defines, imports nor finds among the builtins. Raises as :func:`parse`."""
    return {name for name in names_from_elsewhere(code) if not hasattr(builtins, name)}


def names_from_elsewhere(code: str) -> set[str]:
    """Names that ``code`` reads and neither defines nor imports, builtins among them. Raises as :func:`parse`."""
    return names_read(code) - defined_names(code)


def names_read(code: str) -> set[str]:
    """Names that ``code`` reads and that are not its functions' own, builtins among them. Raises as :func:`parse`."""
    table = _table(code)
    read: set[str] = set()
    tables = [table]
    while tables:
        scope = tables.pop()
        tables += scope.get_children()
        # a class's own name, too, is looked for outside where it has none yet: `class A: x = x`
        near = scope is table or scope.get_type() == "class"
        read |= {s.get_name() for s in scope.get_symbols() if s.is_referenced() and (near or s.is_global())}
    return read


def taken_names(code: str) -> set[str]:
    """As :func:`free_names`, and what ``code`` reads (``x = x + 1``) or deletes at its top level and binds, too.

    Not the ``error`` of an ``except ... as error``, where nothing else reads it.
    """
    table, tree = _table(code), parse(code)
    read = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()} - _of_handlers(tree)
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.AugAssign(target=ast.Name(name)) | ast.Name(name, ctx=ast.Del()):
                read.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass
            case _:
                waiting += ast.iter_child_nodes(node)
    return free_names(code) | {name for name in read if not hasattr(builtins, name)}


def _of_handlers(tree: ast.Module) -> set[str]:
    """Names of errors that are read where they are caught, and nowhere else."""
    caught, outside = set[str](), set[str]()
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]  # and what is caught around it
    while waiting:
        node, name = waiting.pop()
        if isinstance(node, ast.ExceptHandler) and node.name:
            name = node.name
            caught.add(name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id != name:
            outside.add(node.id)
        waiting += [(child, name) for child in ast.iter_child_nodes(node)]
    return caught - outside


def defined_names(code: str) -> set[str]:
    """Names that ``code`` binds at its top level. Raises as :func:`parse`."""
    table = _table(code)
    names = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    return names | _bound_in_comprehensions(code) if ":=" in code else names


def bound_first(code: str, names: set[str]) -> set[str]:
    """Those of ``names`` that ``code`` gives a value at its top level before anything reads them."""
    found, left = set[str](), {*names}
    try:
        for node in parse(code).body:
            if not left:
                break
            text = ast.unparse(node)
            read = names_read(text)
            found |= (defined_names(text) & left) - read
            left -= read | found
    except NOT_COMPILED:
        pass
    return found


def _bound_in_comprehensions(code: str) -> set[str]:
    """Names that ``:=`` in a comprehension binds outside of it, which a symbol table does not tell."""
    found = set()
    waiting: list[ast.AST | None] = [parse(code)]
    while waiting:
        node = waiting.pop()
        match node:
            case None:
                pass
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args) | ast.Lambda(args=args):
                waiting += [*args.defaults, *args.kw_defaults, *getattr(node, "decorator_list", ())]
                waiting += [part.annotation for part in ast.walk(args) if isinstance(part, ast.arg)]
                waiting.append(getattr(node, "returns", None))
            case _:
                if isinstance(node, ast.NamedExpr):
                    found.add(node.target.id)
                waiting += ast.iter_child_nodes(node)
    return found


NOT_ALWAYS = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


def perhaps_bound(code: str) -> set[str]:
    """Of :func:`defined_names` those that may keep an earlier value: bound under a condition, or only annotated."""
    names = defined_names(code)
    for node in parse(code).body:
        bare = isinstance(node, ast.AnnAssign) and node.value is None
        if not bare and not isinstance(node, NOT_ALWAYS):
            names -= defined_names(ast.unparse(node))
    return names


@kept
def imports_of(source: str) -> str:
    """The imports at the top level of a check."""
    return "\n".join(ast.unparse(node) for node in _top_imports(source))


@kept
def imports_where_missing(source: str) -> str:
    """The same for the learner's notebook: each only where its name is not there, as their ``tf`` may be another one.

    In the notebook a check runs with names of its own; run without the lesson's first cell, it brings its imports.
    """
    return "\n".join(
        f"try:\n    {(one.asname or one.name).partition('.')[0]}\nexcept NameError:\n    {ast.unparse(alone)}"
        for node in _top_imports(source)
        for one, alone in _parted(node)
    )


def _parted(node: ast.Import | ast.ImportFrom) -> list[tuple[ast.alias, ast.stmt]]:
    if isinstance(node, ast.Import):
        return [(one, ast.Import([one])) for one in node.names]
    return [(one, ast.ImportFrom(node.module, [one], node.level)) for one in node.names]


def _top_imports(source: str) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]


@lru_cache
def names_of(source: str) -> str:
    """What a lesson's cell that grading leaves out still brings, since answers may have come to rely on it.

    Its imports, functions, classes and short names such as ``v1 = tf.compat.v1``. One that fails, as it needs what was
    left out, hinders no other.
    """
    return "\n".join(
        f"try:\n{textwrap.indent(text, '    ')}\nexcept Exception: pass" for text in plain_and_rest(source)[0]
    )


def plain_and_rest(source: str) -> tuple[list[str], list[str]]:
    """The statements of a cell that :func:`names_of` takes, and the others; none of one that cannot be read."""
    plain: list[str] = []
    rest: list[str] = []
    try:
        for node in parse(source).body:
            taken = isinstance(node, ast.Import | ast.ImportFrom) or _is_plain_definition(node)
            (plain if taken else rest).append(ast.unparse(node))
    except NOT_COMPILED:  # a magic command; or too deep for this process
        return [], []
    return plain, rest


class Definition(NamedTuple):
    """An import, a function, a class or an assignment at the top level of a cell, and the names it gives and reads."""

    text: str
    gives: Set[str]
    reads: Set[str]


def definitions_of(code: str, but: Set[str]) -> list[Definition]:
    """A cell's definitions, in their order, that give none of the names ``but``; of an import, those that it gives.

    Raises as :func:`parse`, also where they would be longer than it takes.
    """
    found, left, without = list[Definition](), MAX_CODE, {"*", *but}
    for node in parse(code).body:
        if not isinstance(node, DEFINES) or getattr(node, "module", "") == "__future__":
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [one for one in node.names if (one.asname or one.name).partition(".")[0] not in without]
            if not node.names:
                continue
        text = ast.unparse(node)
        left -= len(text) + 1
        if left < 0:
            raise ValueError(f"definitions of over {MAX_CODE} characters")
        if (gives := defined_names(text)) and not gives & but:
            found.append(Definition(text, gives, names_read(text)))
    return found


def changes_of(code: str, lessons: str, known: Set[str], imported: Set[tuple[str, str, str]]) -> set[str]:
    """Names that a cell's statements give or change which are not the lesson's, and are no definitions that
    :func:`definitions_of` finds; ``*`` where they may give any.

    Args:
        lessons: the cell's text in the lesson.
        known: names that the lesson gives down to this cell.
        imported: of these, what imports give (:func:`imports_among`).

    Raises as :func:`parse`.
    """
    there, body, new = _statements(lessons), parse(code).body, defined_names(code) - known
    names = {name for name, _, _ in imports_among(body) - imported} & {"*", *known}
    for node in body:
        if not isinstance(node, ast.Import | ast.ImportFrom) and ast.dump(node) not in there:
            given = defined_names(ast.unparse(node))
            names |= (given if given & known or not isinstance(node, DEFINES) else set()) | _stored_into(node, new)
    return names


@lru_cache(KEPT)
def _statements(lessons: str) -> frozenset[str]:
    return frozenset(ast.dump(node) for node in parse(lessons).body)


@lru_cache(KEPT)
def imported_by(lessons: str) -> frozenset[tuple[str, str, str]]:
    """:func:`imports_among` the statements of a lesson's cell; nothing of one that cannot be read."""
    try:
        return frozenset(imports_among(parse(lessons).body))
    except NOT_COMPILED:
        return frozenset()


def imports_among(nodes: Iterable[ast.AST]) -> set[tuple[str, str, str]]:
    """``{(name, module, what of it)}`` of what imports among these give."""
    return {
        ((one.asname or one.name).partition(".")[0], getattr(node, "module", None) or "", one.name)
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    }


def _stored_into(statement: ast.stmt, new: Set[str]) -> set[str]:
    """Names into whose items or attributes a statement stores, and those of ``new`` of which it calls a method."""
    found, waiting = set[str](), list[ast.AST]([statement])
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        stores = isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)
        if stores:
            found.add(root_of(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found |= {root_of(node.func)} & new
        waiting += ast.iter_child_nodes(node)
    return found - {""}


def root_of(node: ast.AST) -> str:
    """The name that a chain of attributes and items begins with; "" where it begins with something else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_plain_definition(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return not node.decorator_list
    if not isinstance(node, ast.Assign):
        return False
    value = node.value
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(node.value, ast.Attribute) and isinstance(value, ast.Name) and value.id in ("tf", "np", "plt")


def with_definitions(code: str, functions: dict[str, str], python: str = "", begin: str = "") -> tuple[str, set[str]]:
    """Code whose definitions of these functions at its top level are replaced, and the names of those that differed.

    Where more stand there than anybody writes, none is replaced: each takes the lesson's text once more.

    Args:
        functions: ``{name: definition}``.
        python: the code as Python, line by line, where it is no Python itself.
        begin: what the docstrings of those that are replaced begin with.
    """
    changed, lines = set(), code.split("\n")
    if python.count("\n") != code.count("\n"):
        python = code
    try:
        nodes = [node for node in parse(python).body if isinstance(node, ast.FunctionDef) and node.name in functions]
        if len(nodes) > MOST_DEFINITIONS:
            return code, set()
        lessons = {name: ast.dump(parse(functions[name]).body[0]) for name in {node.name for node in nodes}}
        for node in reversed(nodes):
            if not (ast.get_docstring(node) or "").startswith(begin):
                continue
            if ast.dump(node) != lessons[node.name] and node.end_lineno:
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                margin = lines[first - 1][: -len(lines[first - 1].lstrip())]  # of a cell that is indented as a whole
                lines[first - 1 : node.end_lineno] = textwrap.indent(functions[node.name], margin).split("\n")
                changed.add(node.name)
    except NOT_COMPILED:  # or too deep to be looked at
        return code, set()
    return "\n".join(lines), changed
