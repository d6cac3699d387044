"""Reading a learner's cells: which names they bind or change, and whether they could change more than can be read.

Python has endless ways to reach a thing by another way than its name, so no list of them is complete. The lists here
are of both kinds: what a cell may import, take from modules and ask objects for (:mod:`.vouched`), and which special
names it may use, since few are needed for honest work; and what it may not, where honest work needs the rest.
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, islice

from IPython.utils._process_common import arg_split

from ..python_code import (
    MAX_CODE,
    NOT_COMPILED,
    defined_names,
    free_names,
    limited,
    names_from_elsewhere,
    names_read,
    parse,
)
from .environment import PLAIN_NAME, leads_to_other_code
from .public import public_names
from .sandbox.inside.cells import PROMPTS, as_it_runs, by_ipython, has_signs
from .vouched import (
    OF_NAMES,
    PARTS,
    SHORT,
    SURE,
    Known,
    Survey,
    dotted,
    hands_on_a_module,
    looked_up,
    survey,
    unknown_name,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What runs a text, or reaches a name by a text; what holds all names; what IPython puts among the names.
RUNS_TEXT = _words("exec eval compile globals locals vars getattr setattr delattr breakpoint get_ipython exit quit")
METHODS = _words("compile eval exit quit")  # of these, names of methods that models and tensors have
# Arguments by which a file that is read may run what it holds.
RUNS_FILES = _words("allow_pickle safe_mode eval_str")
# What a cell showed before, which IPython keeps.
HISTORY = re.compile(r"_|__|___|_\d+|_i+\d*|_oh|_ih|_dh|In|Out")
# What leads to all names of a notebook, or to another module than the one that is written, though it is public, or an
# attribute that one's own objects may have, too.
LEADS_AWAY = _words(
    "modules builtins importlib inspect gc ctypes unittest mock runpy pickle get_ipython user_ns user_expressions "
    "settrace setprofile attrgetter methodcaller Formatter get_type_hints update_wrapper runstring rundocs dictConfig "
    "fileConfig singledispatch singledispatchmethod get_args get_origin mro meta_path path_hooks path_importer_cache "
    "enable_unsafe_deserialization ForkingPickler send_bytes InteractiveShell displayhook excepthook switch_backend "
    "annotation get_annotations HasTraits Instance class_traits trait_types tb_frame gi_frame cr_frame ag_frame "
    "f_globals f_locals f_builtins f_back get_stack walk_tb walk_stack load_library load_op_library barry_as_FLUFL "
    "FunctionType load_delegate load_file_system_library register_filesystem_plugin "
    "global_enum make_dataclass shell kernel_app do_execute execute_request shell_handlers set_user_ns user_module "
    "obj history_manager return_annotation trait_values _evaluate _member_type_ _convert_ _create_fn "
    "exec_lines exec_files init_code code_to_run run_cell run_code safe_execfile pub_thread comm_manager "
    "StubOutForTesting decorate_methods func_globals func_code func_closure func_defaults func_dict "
    "_old_targets _new_target"
)
# Of these, words that lead away as attributes, or imported; of themselves they stand for nothing, or for one's own.
MAY_BE_OWN = _words("annotation mock modules mro Instance shell obj")
AS_NAMES = RUNS_TEXT | (LEADS_AWAY - MAY_BE_OWN)
MAY_HIDE = _words("vars eval exit quit")  # builtins whose names people give to something else
# Special names that only read, calculate or begin an object.
READS = frozenset(
    f"__{word}__"
    for word in _words(
        "init name doc qualname module file version traceback cause call len iter next enter exit aenter aexit "
        "contains getitem repr str format hash int float bool eq ne lt le gt ge abs neg add sub mul truediv floordiv "
        "mod pow matmul and or xor invert slots"
    )
)
# Methods that Python calls without their name being written: for a class that is looked at, subscripted or a base.
UNCALLED = frozenset(
    f"__{word}__"
    for word in _words(
        "class_getitem instancecheck subclasscheck subclasshook mro_entries init_subclass prepare set_name get set "
        "delete reduce reduce_ex getstate setstate copy deepcopy getattribute"
    )
)
CALLED = frozenset(f"__{word}__" for word in _words("init call enter exit aenter aexit"))  # with what is written there
STORES = frozenset({"__setitem__", "__setattr__", "__new__"})  # what they are given is looked at where it is given
SAID = frozenset({"__all__", "__author__", "__version__"})  # what people say of their modules
TEXTS = frozenset({"__name__", "__qualname__", "__module__", "__doc__"})
TYPE = _words("type type()")  # of an object: a class that may be a lesson's
PRIVATE_BUT_PLAIN = _words("_ _asdict _replace _fields _make _add_control_input _exit")
OF_THE_NOTEBOOK = _words("get_ipython __name__ __file__")  # what all magics call; by which modules are known
COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
OWN = _words("self cls")  # by which an object's methods know it
DEEPEST = 20  # attributes of attributes of a module
# What may be set in a module without harm to anything that measures.
SETTINGS = _words("os.environ plt.rcParams mpl.rcParams matplotlib.rcParams")
# Functions and methods that give what they are given, or a part of it; builtins that give its parts in something new;
# methods that change an object.
PICKS = _words(
    "next iter max min nullcontext enter_context closing copy reduce choice choices sample partial deque cycle repeat "
    "chain islice starmap submit result get pop popitem popleft setdefault"
)
COPIES = _words("list tuple set dict sorted reversed zip enumerate filter map")
CHANGES = _words(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem appendleft extendleft "
    "popleft rotate subtract move_to_end difference_update intersection_update symmetric_difference_update"
)

MOST_STEPS = 3_000_000  # for all cells of a notebook, which takes seconds; what is over it is not read
PART = "[]"  # behind a name: what is in its object
A_MODULE = "#module"
ANY_CELL = -1  # in place of a cell's number: all that give a name something
# Modules in modules that lessons have under their own names.
SAME = {"tensorflow.keras": "keras", "tensorflow.experimental.dtensor": "dtensor", **SHORT}
MODULES = frozenset({*public_names().packages, *SURE})  # names by which nearly everybody has them
NOT_FILLED = frozenset({A_MODULE}) | MODULES  # np.append() and tf.add() change nothing
FILLED = _words("list set dict bytearray deque defaultdict OrderedDict Counter")  # classes: `list.append(x, 1)`
MATCHED = _words("int float str bytes bool list tuple dict set frozenset")  # as a whole, where one pattern is given
REMAKES = _words("dataclass total_ordering")  # they change the class that they are given
# Functions that only look at what they are given, or show it.
LOOKS = _words(
    "isinstance issubclass hasattr print display len type str repr bool help dir callable id hash format any all sum"
)
SHOW = _words("help dir print hasattr")  # of these, what may be given a module
# What calls a function that it is given, or tells of it. What else a library has may change one by a text.
CALLERS = _words(
    "submit map starmap apply apply_async map_async starmap_async imap partial Thread Timer Process function run call "
    "append extend add put lru_cache cache vectorize isinstance len print repr str id hash type list tuple dict set "
    "sorted zip enumerate filter iter next max min getsource getdoc signature timeit repeat reduce callback start "
    "wraps as_completed wait gather to_thread run_in_executor imap_unordered recompute_grad from_generator interleave "
    "numpy_function py_function map_fn vectorized_map foldl foldr scan to_code"
)
# Of these, what calls a function with no more than what stands there, and never by a text.
CALL_WITH_ONE = _words("map submit numpy_function py_function")
REDIRECTS = _words("redirect_stdout redirect_stderr")
PARSES = _words("parse_args parse_known_args parse_intermixed_args parse_known_intermixed_args")
NUMBERS = _words("int float complex abs round min max bool")  # functions that calculate with what they are given

# Lines that are for IPython and change no name. In other magics it evaluates what stands in braces or behind a dollar.
# Of the system's programs some only show something, or make an empty folder.
SHOWS = r"nvidia-smi|ls|pwd|date|free|df|du|cat|head|tail|nproc|lscpu|uname|which|ps|echo|mkdir"
TIMES = r"(?:[ \t]+(?:-[nr][ \t]*\d+|-q))*"  # how often %timeit runs it
QUIET = r"(?:[ \t]*+[12&]?>[ \t]*+(?:/dev/null|&1))*+"
WORDS = r"""(?:[ \t]++(?:[\w./-]++|"[\w .:|-]*+"|'[\w .:|-]*+'))*+"""
SHORTENED = rf"{QUIET}[ \t]*+(?:\|[ \t]*+(?:grep|head|tail|wc|sort){WORDS}[ \t]*+)*+"
COMMENT = QUIET + r"(?:[ \t]*+\#[\w \t,.:()-]*+)?+"
PACKAGE = r"\w[\w-]*+(?:\[[\w,-]+\])?+"  # by its name; no file's, and nothing's of another place
PACKAGES = rf"(?:[ \t]+(?:-[\w=-]*+|{PACKAGE}(?:==[\d.*]++)?+|(['\"]){PACKAGE}(?:[=~<>]=?[\d.*]++)?+\1))"
LISTS = r"(?:list|show|freeze)(?:[ \t]+[\w-]+)*+"
HARMLESS = re.compile(
    rf"%matplotlib(?:[ \t]+\w+)?|%%?time|%%?timeit{TIMES}|%(?:who|whos|pwd|lsmagic)|%env(?:[ \t]+\w+)?"
    r"|%ls(?:[ \t]+[\w./-]+)*+"
    rf"|%(?:set_)?env[ \t]+{PLAIN_NAME}[ =][\w.,=/-]*|%%capture|%config InlineBackend\.\w+[ \t]*=[ \t]*['\"]\w+['\"]"
    r"|%(?:re)?load_ext[ \t]+(?:autoreload|tensorboard)|%autoreload(?:[ \t]+[0-3])?|%pinfo2?[ \t]+[\w.]+"
    r"|%tensorboard[ \t]+--logdir[ \t=][\w./-]+"
    rf"|!(?:{SHOWS})(?:[ \t][\w \t./*=,:+-]*+)?+{SHORTENED}{COMMENT}"
    rf"|!(?:pip3?[ \t]+{LISTS}|(?:pip3?|python3?|nvcc)[ \t]+(?:--version|-V)){SHORTENED}{COMMENT}|%pip[ \t]+{LISTS}"
    rf"|[%!]pip3? install{PACKAGES}*+{COMMENT}|!rm[ \t]+-rf?[ \t]+(?:\./)?\w[\w/-]*+"
)
TIMED = re.compile(rf"%time(?:it{TIMES})?[ \t]+(?=[^-\s][^\n]*$)")  # in these IPython evaluates no braces
TIMED_IN = "_timed_in"  # a function's name
WRITTEN = re.compile(r"\n*%%writefile[ \t]+(?:-a[ \t]+|--append[ \t]+)?[\w./-]+[ \t]*\n")  # what follows is not run
# IPython takes a prompt off what is Python with it, too; and one line that begins with a magic's name is that magic.
LONG_NUMBER = re.compile(r"(?<![\d_])\d[\d_]{4000}")  # Python reads none, unless a setting of the process lets it
INDENTED = re.compile(r"\s*^[^\S\n]+\S", re.MULTILINE)
PROMPT = re.compile(rf"\s*(?:{PROMPTS})")
MAGIC_WORD = re.compile(
    r"(?:run|load|loadpy|macro|edit|ed|rerun|recall|rep|store|pylab|load_ext|reload_ext|autoreload|prun|time|timeit"
    r"|autocall|alias_magic|capture|debug|reset|reset_selective|xdel|sc|sx|system|env|set_env|config|alias|magic|pycat"
    r"|psource|px|autopx)[ \t]+"
)
Scope = dict[str, set[str]]  # {name: the names whose objects it may stand for}


@dataclass
class Read:
    """What reading one cell told."""

    unread: bool = False  # nobody can say which names it changes
    binds: frozenset[str] = frozenset()  # at its top level, and by no usual import
    sets: frozenset[str] = frozenset()  # names of whose objects it sets or deletes attributes or items
    fills: frozenset[str] = frozenset()  # names whose objects it changes by a method of lists, sets or dictionaries
    # Names of others whose objects come to what may do anything with them; each with the function that gets it, or "".
    hands_on: frozenset[tuple[str, str]] = frozenset()
    # Names whose objects come to what may set something in them by a text; each with the name of what gets it, or "".
    to_libraries: frozenset[tuple[str, str]] = frozenset()
    hands_on_own: frozenset[str] = frozenset()  # of those that it gives something itself, which may come first
    scope: Scope = field(default_factory=dict)
    imports: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()  # names that it gives something, wherever in it
    takes: frozenset[str] = frozenset()  # names that it has from others, even if a function of it has such a name, too
    steps: int = 0  # that reading it takes at most, about
    unknown: str = ""  # a name that it uses and nobody has vouched for


@dataclass
class Cell:
    """A learner's cell as Python."""

    tree: ast.Module | None = None  # what it runs; None where nobody knows that
    unread: bool = False
    steps: int = 0  # that reading it takes at most, about

    @cached_property
    def survey(self) -> Survey:
        return Survey() if self.tree is None else survey(self.tree)


def python_of(code: str) -> Cell:
    """What one cell runs."""
    if len(code) > MAX_CODE:  # it runs, and nobody has read it
        return Cell(unread=True)
    if not code or WRITTEN.match(code):
        return Cell()
    if len(code.splitlines()) != len(code.removesuffix("\n").split("\n")):  # who looks at sources sees other lines
        return Cell(unread=True)
    if _is_for_ipython(code.strip()):
        return Cell(unread=True)
    steps = 0
    try:
        if runs := as_it_runs(code, parse):
            tree = runs[1]
        else:
            steps = sum(len(line) ** 2 for line in code.splitlines()) // 10  # that IPython takes at most, about
            tree = _without_harmless(code)
    except SyntaxError:
        # It did not run; in kernels that are not isolated IPython may have made something of it
        is_odd = INDENTED.match(code) or LONG_NUMBER.search(code)
        return Cell(unread=_is_evaluated(code.strip()) or is_odd is not None)
    except NOT_COMPILED:  # too deep for this process; a notebook can allow itself more, or it is not Python
        return Cell(None, True, steps)
    steps += _steps(tree)
    return Cell(None, True, steps) if steps > MOST_STEPS else Cell(tree, False, steps)


def read(cell: Cell, lessons: dict[str, str], known: Known | None = None) -> Read:
    """Read one cell, once.

    Args:
        cell: what it runs. Its tree is changed.
        lessons: ``{name: definition}`` of the lesson's functions that may stand in it, exactly as they are.
        known: what the notebook's cells give to one another; without it there is no other.
    """
    tree, steps = cell.tree, cell.steps
    if tree is None:
        return Read(unread=cell.unread, steps=steps)
    found = cell.survey
    known = known or Known([found])
    try:
        tree.body = [node for node in tree.body if not _is_the_lessons(node, lessons)]
        _ReadFirst().visit(tree)
        sets, fills = _changes(tree)
        text = ast.unparse(tree)
        imports, own, takes = _imported(tree), _own_names(tree), frozenset(free_names(text))
        top, here = bound(text), frozenset(name for name, _ in found.modules | found.chains)
        mine = own - names_from_elsewhere(text)
        local = mine - top - here  # to its functions
        modules = (here | (SURE.keys() - imports)) - mine
        others = known.given.union(_names_given(tree))  # none of them is a builtin
        numbers = (LOOKS | NUMBERS) - others
        unknown = unknown_name(tree, known, local)
        unread = (
            bool(unknown)
            or any(map(HISTORY.fullmatch, takes | _read_at_top(tree)))
            or not (own | top).isdisjoint(OF_THE_NOTEBOOK)
            or _is_roundabout(tree, known, others, _hides(tree, text))
            or _means_another_by_its_own(tree)
            or leads_to_other_code(tree, others)
            or hands_on_a_module(tree, known, modules, mine, local, SHOW - others)
            or _changes_what_it_gets(tree)
            or any(isinstance(node, METHOD) and _keeps_an_operand(node, numbers) for node in ast.walk(tree))
        )
        handed = _handed_on(tree, imports, (LOOKS | PARTS["inspect"]) - others, known.defined)
        hands_on = frozenset(
            (name, function if function in takes else "") for name, function in handed if name in takes
        )
        before = frozenset(name for name, _ in handed) - takes
        changing = ast.Module([node for node in tree.body if not _says_the_same(node, known)], [])
        binds = bound(ast.unparse(_WithoutUsualImports().visit(changing)))
        to_libraries = frozenset(_to_libraries(tree, known.defined))
        scope = _scope(tree)
        return Read(
            unread, binds, sets, fills, hands_on, to_libraries, before, scope, imports, own, takes, steps, unknown
        )
    except NOT_COMPILED:  # Python runs it, though it cannot be written down again
        return Read(unread=True)


class _ReadFirst(ast.NodeTransformer):
    """Puts what ``name += 1`` reads before it: there the name is written only once, as one that is given something."""

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        read = copy.deepcopy(node.target)
        read.ctx = ast.Load()
        return [ast.copy_location(ast.Expr(read), node), node]


def _is_for_ipython(code: str) -> bool:
    """Whether IPython makes something else of a cell that may look like Python."""
    lines = code[:MAX_CODE].splitlines()
    if any(map(PROMPT.match, lines[:2])):
        return True
    called = MAGIC_WORD.match(code) if len(lines) == 1 else None
    if called is None:
        return False
    try:
        return bool(parse(code)) and code[called.end() :].startswith("(")
    except NOT_COMPILED:
        return True


def _is_evaluated(line: str) -> bool:
    """Whether it is one line, which may be a magic without its sign, and has parts that are code in one."""
    return "\n" not in line and ("{" in line or "$" in line)


def _steps(tree: ast.Module) -> int:
    """How many nodes there are in all the parts of a tree together, each part looked through by itself."""
    steps, depth, level = 0, 1, list(ast.iter_child_nodes(tree))
    while level:
        steps += depth * len(level)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return steps


def _without_harmless(code: str, magics: int = 0, inside: int = 0) -> ast.Module:
    """A cell with signs of IPython's as the Python that it makes of it, where all of them change no name.

    Raises:
        ValueError: nobody can say what it makes of it, or it is no Python.
    """
    # With other settings a long number may be Python. And a call of IPython's that stands there is not its own.
    if LONG_NUMBER.search(code) or "get_ipython" in unicodedata.normalize("NFKC", limited(code)):
        raise ValueError("who knows")
    try:
        tree = parse(by_ipython(code))
        _Magics(magics, inside).visit(tree)
    except SyntaxError as error:
        raise ValueError("who knows") from error
    return ast.fix_missing_locations(tree)


class _Magics(ast.NodeTransformer):
    """Puts what they run in the place of IPython's calls; those that may do more stay, and are found."""

    def __init__(self, magics: int, inside: int) -> None:
        self.magics, self.inside = magics, inside  # of whole cells around it; functions and classes around a line

    def _within(self, node: ast.AST) -> ast.AST:
        """In a function or class IPython mixes the names of a line that it times with the notebook's."""
        self.inside += 1
        try:
            return self.generic_visit(node)
        finally:
            self.inside -= 1

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _within

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        match node.value:
            case ast.Call(ast.Attribute(ast.Call(ast.Name("get_ipython"), [], []), kind), args, []):
                given = [arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
                ran = self._ran(kind, given) if len(given) == len(args) else None
                return node if ran is None else [ast.Pass(), *ran]
        return self.generic_visit(node)

    def _ran(self, kind: str, given: list[str]) -> list[ast.stmt] | None:
        """The statements that a call runs, as far as they are a cell's; None where nobody can say."""
        match kind, given:
            case "run_line_magic" | "run_cell_magic", [name, *_] if not name.isidentifier():  # a tab is part of it
                return None
            case "run_line_magic", [name, text]:
                line = f"%{name} {text}".strip()
                if timed := TIMED.match(line):
                    return None if self.inside else _as_called(name, _timed(line[timed.end() :], name))
            case "system", [text]:
                line = f"!{text}"
            case "run_cell_magic", [name, text, body] if self.magics < 2 and not self.inside:
                line = f"%%{name} {text}".strip()
                return _as_called(name, _body(body, self.magics + 1, name)) if HARMLESS.fullmatch(line) else None
            case _:
                return None
        return [] if HARMLESS.fullmatch(line) else None


def _as_called(magic: str, lines: list[ast.stmt] | None) -> list[ast.stmt] | None:
    """What a magic runs, as it runs it: %timeit in a function, whose names are not the notebook's afterwards."""
    if not lines or magic != "timeit":
        return lines
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return [ast.FunctionDef(TIMED_IN, nothing, lines, [])]


def _timed(line: str, magic: str) -> list[ast.stmt] | None:
    """What a line that is timed runs. IPython looks for its own signs in it; and %time for options, word by word."""
    tree = parse(line)
    if not _is_the_same(line, tree):
        return None
    if magic == "time" and ("--" in line or ast.dump(tree) != ast.dump(parse(" ".join(arg_split(line, strict=False))))):
        return None
    return tree.body


def _body(text: str, magics: int, below: str) -> list[ast.stmt] | None:
    """What runs below a magic, of which IPython asks once more what it is."""
    runs = as_it_runs(text, parse)
    if runs is None:
        return _without_harmless(text, magics, inside=int(below == "timeit")).body
    return runs[1].body if _is_the_same(text, runs[1]) else None


def _is_the_same(text: str, tree: ast.Module) -> bool:
    """Whether IPython makes nothing else of a text that Python reads so; its signs may stand in comments."""
    try:
        return not has_signs(text) or ast.dump(parse(by_ipython(text))) == ast.dump(tree)
    except NOT_COMPILED:
        return False


def _is_the_lessons(node: ast.stmt, lessons: dict[str, str]) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.name not in lessons:
        return False
    return ast.dump(node) == _dump(lessons[node.name])


@lru_cache(maxsize=100)
def _dump(definition: str) -> str:
    """Of a lesson's function; learners may repeat one many times."""
    return ast.dump(parse(definition).body[0])


def bound(code: str) -> frozenset[str]:
    """Names that code binds at its top level or as ``global``.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it does not compile.
    """
    told = (node.names for node in ast.walk(parse(code)) if isinstance(node, ast.Global))
    return frozenset(defined_names(code)).union(*told)


# ------------------------------------------------------------------------------------------------- roundabout ways


def _is_roundabout(tree: ast.Module, known: Known, others: Collection[str], hidden: Collection[str]) -> bool:
    """Whether a cell uses what can change any name.

    Args:
        others: names that are no builtins.
        hidden: builtins' names by which the cell means its own.
    """
    modules = {*known.modules, *_imported(tree), *MODULES, *OF_NAMES}
    own = OWN & {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    private = {
        place.attr
        for place in ast.walk(tree)
        if isinstance(place, ast.Attribute) and isinstance(place.ctx, ast.Store)
        if isinstance(place.value, ast.Name) and place.value.id in own and not place.attr.startswith("__")
    }
    times = Counter(_names_given(tree))
    imports = sum(isinstance(node, ast.alias) and node.name == "logging" and not node.asname for node in ast.walk(tree))
    only_logs = known.modules.get("logging") == {"logging"} and "logging" not in known.given
    logs = only_logs and times["logging"] == imports
    plain = {id(call.func) for call in _asked_objects(tree, times, known.once)} | looked_up(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Name(name, ast.Load() | ast.Store()) if name in hidden:
                plain.add(id(node))
            case ast.Attribute(value=ast.Name(named), attr=name, ctx=ast.Store()) if (
                named in own and name in MAY_BE_OWN
            ):
                plain.add(id(node))
            case ast.Attribute(value=ast.Name("logging"), attr="Formatter") if logs:
                plain.add(id(node))
            case ast.Call(func=ast.Name("getattr") as function, args=[_, ast.Constant(str(name)), *_]):
                plain |= {id(function)} if name in private - LEADS_AWAY or not _is_hidden(name) else set()
            case ast.For(target=ast.Name(name), iter=ast.Tuple(elts=parts) | ast.List(elts=parts)):
                calls = _asked_by_plain_words(node, name, parts) if times[name] == 1 and name in known.once else ()
                plain |= {id(call.func) for call in calls}
            case ast.Attribute(value=ast.Name(named) as module, attr=name) if name in OF_NAMES.get(named, ()):
                plain.add(id(module))
            case ast.Attribute(value=ast.Attribute(attr="__class__") as inner, attr=name) if name in TEXTS:
                plain.add(id(inner))
            case ast.Attribute(value=ast.Name(named), attr=name) if (
                name in private - LEADS_AWAY and named not in modules and (name != "_stream" or named in own)
            ):
                plain.add(id(node))
            case ast.Call(func=used) if _named(used) in REDIRECTS | {"load"}:
                plain.add(id(used))
            case ast.Expr(value=ast.Attribute(attr="load") as shown):
                plain.add(id(shown))
            case ast.Attribute(value=ast.Attribute(attr="load") as inner, attr=name) if name in TEXTS:
                plain.add(id(inner))
            case ast.Call(func=ast.Name(name), args=args) if name in SHOW - set(others):
                plain |= {id(arg) for arg in args if _named(arg) == "load"}
            case ast.Call(args=[ast.Attribute(attr="load") as reader, *_]) if _calls_with_one(node):
                plain |= {id(reader)} if CALL_WITH_ONE.isdisjoint(known.own_words.union(others)) else set()
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Call(func=ast.Name("globals" | "locals") as function, args=[])],
            ):
                plain.add(id(function))
            case ast.Compare(
                left=ast.Constant(),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Call(ast.Name("str"), [ast.Call(ast.Name("get_ipython") as function, [], [])], [])],
            ) if "str" not in others:  # whether this is Colab
                plain.add(id(function))
            case ast.ClassDef(decorator_list=decorators):
                called = [one.func if isinstance(one, ast.Call) else one for one in decorators]
                plain |= {id(one) for one in called if _named(one) in REMAKES}
            case (
                ast.FunctionDef(decorator_list=[*_, ast.Call(func=nearest)])
                | ast.AsyncFunctionDef(decorator_list=[*_, ast.Call(func=nearest)])
            ) if _named(nearest) == "wraps":
                plain.add(id(nearest))  # what it changes is the function below it
    numpys = {name for name, paths in known.modules.items() if "numpy" in {path.partition(".")[0] for path in paths}}
    return any(
        id(node) not in plain
        and (
            _leads_anywhere(node, own)
            or (isinstance(node, ast.Attribute) and node.attr == "load" and dotted(node).partition(".")[0] in numpys)
        )
        for node in ast.walk(tree)
    )


def _hides(tree: ast.Module, text: str) -> frozenset[str]:
    """Of builtins' names those that a cell, whose text it is, uses in functions alone that have them to themselves."""
    given = _own_names(tree) & MAY_HIDE
    return given - names_read(text) if given else given


def _named(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _asked_objects(tree: ast.Module, given: Counter[str], once: Collection[str]) -> Iterator[ast.Call]:
    """Calls of ``getattr`` on an object that the same function makes, of a class of this cell based on nothing else.

    Args:
        given: how often the cell gives a name something.
        once: names that no other cell gives anything.
    """
    plain = (node.name for node in tree.body if isinstance(node, ast.ClassDef) and _is_plain_class(node))
    classes = {name for name in plain if given[name] == 1 and name in once}
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        made = set()
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(name)], value=ast.Call(func=ast.Name(maker))) if maker in classes:
                    made.add(name)
        for node in ast.walk(function) if made else ():
            match node:
                case ast.Call(func=ast.Name("getattr"), args=[ast.Name(name), *_]) if name in made and given[name] == 1:
                    yield node


def _is_plain_class(node: ast.ClassDef) -> bool:
    """Whether calling a class makes an object of it."""
    methods = {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef)}
    return not (node.bases or node.keywords or node.decorator_list or "__new__" in methods)


def _asked_by_plain_words(loop: ast.For, name: str, parts: list[ast.expr]) -> Iterator[ast.Call]:
    """Calls of ``getattr`` in ``for name in ("a", "b"): …`` by that name, which stands for nothing else there."""
    words = [part.value for part in parts if isinstance(part, ast.Constant)]
    if len(words) < len(parts) or any(not isinstance(word, str) or _is_hidden(word) for word in words):
        return
    body = [part for line in loop.body for part in ast.walk(line)]
    elsewhere = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.Global | ast.Nonlocal
    if name in {*_names_given(ast.Module(loop.body, []))} or any(isinstance(part, elsewhere) for part in body):
        return
    for part in body:
        match part:
            case ast.Call(func=ast.Name("getattr"), args=[_, ast.Name(word), *_]) if word == name:
                yield part


def _names_given(tree: ast.Module) -> Iterator[str]:
    """Each place where a cell gives a name something, whatever the way."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.split(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names


def _stored(tree: ast.Module) -> set[str]:
    """Names that are given something otherwise than as a function's parameter."""
    parameters = Counter(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))
    return {name for name, times in Counter(_names_given(tree)).items() if times > parameters[name]}


def _means_another_by_its_own(tree: ast.Module) -> bool:
    """Whether ``self`` or ``cls`` may be more than what a method gets. Plots of classes go through their numbers:
    ``for cls in range(10)``."""
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    stored = _stored(tree) & OWN
    return "self" in stored or bool(stored & parameters)


def _leads_anywhere(node: ast.AST, own: frozenset[str]) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in REMAKES:
            return True
        case ast.Attribute(value=ast.Name("sys"), attr="path") | ast.Attribute(attr="sys"):  # where modules come from
            return True
        case ast.Name(id="wraps") | ast.Attribute(attr="wraps") | ast.alias(name="wraps", asname=str()):
            return True  # as REMAKES
        case ast.alias(name="sys", asname=str()):
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in REDIRECTS:  # a class of it sets parts of `sys`
            return True
        case ast.alias(name=name, asname=str()) if name in REDIRECTS:
            return True
        case ast.Attribute(value=ast.Name("logging"), attr="config"):  # calls what a text names
            return True
        case ast.ImportFrom(module="logging", names=found) if any(alias.name == "config" for alias in found):
            return True
        case ast.ImportFrom(module="sys", names=found) if any(alias.name == "path" for alias in found):
            return True
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)) if (
            name.startswith("__")
        ):
            return True
        case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)) if name.startswith("__"):
            return True
        case ast.MatchClass(kwd_attrs=attributes) if any(map(_is_hidden, attributes)):
            return True
        case ast.MatchClass(cls=kind, patterns=[_, *_]) if _named(kind) not in MATCHED:  # reads attributes by a text
            return True
        case ast.keyword(arg="metaclass") | ast.ClassDef(bases=[ast.Name("type"), *_]):  # what a base is comes to it
            return True
        case ast.Constant(value=str(text)) if (
            text in RUNS_FILES or text.startswith("module:") or text.endswith("/self/mem")
        ):  # the last: its own memory, as a file
            return True
        case ast.Attribute(
            value=ast.Name("dataclasses"), attr="fields"
        ):  # each has the class that its annotation names
            return True
        case ast.ImportFrom(module="dataclasses", names=found) if any(alias.name == "fields" for alias in found):
            return True
        case ast.Attribute(value=ast.Name(kind) | ast.Attribute(attr=kind), attr=name) if kind in FILLED:
            return name in CHANGES  # of any object of that kind
        case ast.Name(id=name, ctx=ast.Store()) | ast.ClassDef(name=name) if name.startswith(
            "__"
        ) and name not in TEXTS | SAID | {"__slots__"}:
            return True  # a method that is no `def`
        case ast.Name(id=name):
            return name in AS_NAMES or (name.startswith("__") and name not in READS | SAID)
        case ast.Attribute(attr=name, ctx=ast.Store()) if name.startswith("__") and name.endswith("__"):
            return name not in TEXTS  # an operator that is no `def`
        case ast.Attribute(value=ast.Name(name), attr=attribute) if name in own:
            is_special = attribute.startswith("__") and attribute.endswith("__")
            return attribute in LEADS_AWAY or (is_special and attribute not in READS)
        case ast.Attribute(attr=name):
            return _is_hidden(name)
        case ast.Call(func=ast.Name("type") | ast.Attribute(attr="load")) if _has_star(node):
            return True  # there may be more than one sees
        case ast.ImportFrom(module=str(module), names=found) if module.partition(".")[0] == "numpy":
            return any(alias.name == "load" or _is_hidden(alias.name) for alias in found)
        case ast.Call(func=ast.Attribute(attr="load"), keywords=keywords) if any(
            keyword.arg is None for keyword in keywords
        ):
            return True
        case ast.Call(func=ast.Name("type"), args=[_, _, *_]):  # makes a class of a text
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(name), args=args, keywords=keywords) if (
            name in PARSES
        ):  # into an object that it is given, by texts
            return len(args) > 1 or _has_star(node) or any(keyword.arg != "args" for keyword in keywords)
        case ast.keyword(arg=name, value=value) if name in RUNS_FILES:
            return not (isinstance(value, ast.Constant) and value.value is (name == "safe_mode"))
        case ast.Call(
            func=ast.Attribute(attr="load") | ast.Name("load"), args=[_, _, _, *_]
        ):  # NumPy's third says the same
            return True
        case ast.ImportFrom(names=found) if any(_is_hidden(alias.name) for alias in found):
            return True
        case ast.FunctionDef(name=name) if name in UNCALLED:
            return True
        case ast.Call(func=ast.Name("wraps") | ast.Attribute(attr="wraps"), args=args, keywords=keywords):
            return len(args) > 1 or _has_star(node) or bool(keywords)  # they say what to change in a function
    return False


def _calls_with_one(call: ast.Call) -> bool:
    """Whether a call makes what it is given first be called with one argument: ``pool.map(np.load, paths)``."""
    if _has_star(call) or any(keyword.arg is None for keyword in call.keywords):
        return False
    match call.args:
        case [_, ast.List(elts=[one]), *_] if _named(call.func) in ("numpy_function", "py_function"):
            return not isinstance(one, ast.Starred)
        case [_, _]:
            return _named(call.func) in ("map", "submit")
    return False


def _has_star(node: ast.AST) -> bool:
    """Whether a call is given arguments that nobody sees one by one."""
    return isinstance(node, ast.Call) and any(isinstance(arg, ast.Starred) for arg in node.args)


def _is_hidden(name: str) -> bool:
    """Whether an attribute leads elsewhere, or is one that a module or a class keeps to itself."""
    if name.startswith("__"):
        return name not in READS
    is_pythons = name in RUNS_TEXT - METHODS
    return is_pythons or name in LEADS_AWAY or (name.startswith("_") and name not in PRIVATE_BUT_PLAIN)


# -------------------------------------------------------------------------------------- what changes whose object


def _changes(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """Names of whose objects a cell sets or deletes attributes or items; and those that it changes by a method."""
    sets: set[str] = set()
    fills: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                sets |= _roots(node.value, calls=True)
            case ast.Attribute(value=value, attr=name) if name in CHANGES or name == "__init__":  # fills a list anew
                fills |= _roots(value)  # called here, or by another name
            case ast.Call(func=ast.Attribute(attr="__init__"), args=[first, *_]):
                fills |= _roots(first)
            case ast.AugAssign(target=ast.Name() as same):  # of a list, the same one afterwards
                fills |= _roots(same)
    return frozenset(sets), frozenset(fills)


def _handed_on(
    tree: ast.Module, imports: frozenset[str], looks: frozenset[str], functions: frozenset[str]
) -> set[tuple[str, str]]:
    """Names whose objects themselves come to where they may be changed: in a list, to another name, to a function,
    whose name is told.

    To call one, to compare it, to show it or to use what it has is none of that.

    Args:
        looks: functions that only look at what they are given.
        functions: of the learner's cells, with which a lesson's function could call them.
    """
    plain: set[int] = set()
    function_of: dict[int, str] = {}
    for node in ast.walk(tree):
        inner: Iterable[ast.AST | None] = ()
        match node:
            case ast.Call(func=ast.Name(name) | ast.Attribute(ast.Name("inspect"), name) as called, args=args):
                inner = [called, *(args if name in looks else ())]
                brings = any(
                    isinstance(arg, ast.Attribute | ast.Lambda)
                    or (isinstance(arg, ast.Name) and arg.id in imports | functions)
                    for arg in args
                )
                if isinstance(called, ast.Name) and not brings:  # no library's function that it could call with them
                    function_of |= {id(arg): name for arg in args}
            case ast.Call(func=same) | ast.ExceptHandler(type=same) | ast.AnnAssign(annotation=same):
                inner = [same]
            case ast.Attribute(value=same) | ast.FormattedValue(value=same) | ast.Expr(value=same):
                inner = [same]
            case ast.arg(annotation=same) | ast.FunctionDef(returns=same):
                inner = [same]
            case ast.ClassDef(bases=several, keywords=[]) | ast.Compare(comparators=several):
                inner = several
            case ast.Subscript(value=one):  # a key stays in what it is put into, and in the error where there is none
                inner = [one]
        match node:
            case ast.Compare(left=one) | ast.UnaryOp(operand=one):
                inner = [*inner, one]
            case ast.BinOp(left=one, right=other):
                inner = [one, other]
            case ast.FunctionDef(decorator_list=several) | ast.ClassDef(decorator_list=several):
                inner = [*inner, *several]
        plain |= {id(part) for part in inner}
        match node:
            case ast.ExceptHandler(type=ast.Tuple(elts=kinds)):
                plain |= {id(kind) for kind in kinds}
            case ast.Call(func=ast.Name("isinstance" | "issubclass" as name), args=[_, ast.Tuple(elts=kinds)]):
                plain |= {id(kind) for kind in kinds} if name in looks else set()
    loads = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return {(node.id, function_of.get(id(node), "")) for node in loads if id(node) not in plain}


def _to_libraries(tree: ast.Module, functions: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Names whose objects come to what is no function of the learner's cells and none of :data:`CALLERS`, each with
    the name of what gets it, or ""."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    for call in calls:
        if _named(call.func) in CALLERS | functions:
            continue
        to = call.func.id if isinstance(call.func, ast.Name) else ""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        for name in set().union(*map(_roots, given)):
            yield name, to
            yield _part(name), to


def _changes_what_it_gets(tree: ast.Module) -> bool:
    """Whether a function that is more than called by its name sets an attribute of what it is given.

    So is an operator's method, such as ``__eq__``.
    """
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    loads = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    values = {node.id for node in loads if id(node) not in called}
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.name in values or (node.name.startswith("__") and node.name not in CALLED))
        and (parameters := _parameters(node) - OWN)
        and (parameters := _also_called(node, parameters))
        and any(_roots(place.value, calls=True) & parameters for place in _set_attributes(node))
        for node in ast.walk(tree)
    )


def _also_called(function: ast.AST, names: set[str]) -> set[str]:
    """Names, and those that a function gives to the same objects."""
    given: dict[str, list[int]] = defaultdict(list)  # {name: the places where its object gets further names}
    others: list[set[str]] = []
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                more = {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.NamedExpr(target=ast.Name(name), value=value) | ast.For(target=ast.Name(name), iter=value):
                more = {name}
            case _:
                continue
        for root in _roots(value, calls=True):
            given[root].append(len(others))
        others.append(more)
    found, waiting = set(names), list(names)
    while waiting:
        for place in given.pop(waiting.pop(), ()):
            new, others[place] = others[place] - found, set()
            found |= new
            waiting += new
    return found


def _read_at_top(tree: ast.Module) -> set[str]:
    """Names that a cell reads outside of its functions, whether or not it gives them something."""
    found: set[str] = set()
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, COMPREHENSION):  # which has names of its own; what it goes through first does not see them
            own = {name for part in node.generators for name in _loaded_or_stored(part.target)}
            found |= (_loaded_or_stored(node) - own) | _loaded_or_stored(node.generators[0].iter)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if not is_function or getattr(node, "name", "") == TIMED_IN:
            waiting += ast.iter_child_nodes(node)
    return found


def _loaded_or_stored(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _keeps_an_operand(method: ast.FunctionDef | ast.AsyncFunctionDef, looks: frozenset[str]) -> bool:
    """Whether an operator's method does more with its other operand than to look at it, or to calculate with it.

    So may one that is not written as operators are: ``def __add__(self, other)``.

    Args:
        looks: functions that only look at what they are given.
    """
    if not (method.name.startswith("__") and method.name.endswith("__")) or method.name in CALLED | STORES:
        return False
    arguments = method.args
    given = [*arguments.posonlyargs, *arguments.args]
    is_odd = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or method.decorator_list
    if not given or is_odd or (isinstance(method, ast.AsyncFunctionDef) and len(given) > 1):
        return True
    known = {arg.arg for arg in given[1:]}
    plain: set[int] = set()
    for node in ast.walk(method) if known else ():
        inner: list[ast.expr] = []
        match node:
            case ast.Attribute(value=one, attr=name, ctx=ast.Load()) if name not in CHANGES:
                inner = [one]
            case ast.Subscript(value=one, slice=other, ctx=ast.Load()):  # a key stays in the error where there is none
                inner = [one, other] if method.name in ("__getitem__", "__getattr__") else [one]
            case ast.Compare(left=one, comparators=several):
                inner = [one, *several]
            case ast.BinOp(left=one, right=other):
                inner = [one, other]
            case ast.UnaryOp(operand=one) | ast.FormattedValue(value=one) | ast.comprehension(iter=one):
                inner = [one]
            case ast.If(test=one) | ast.IfExp(test=one) | ast.Assert(test=one) | ast.For(iter=one):
                inner = [one]
            case ast.Call(func=ast.Name(name), args=args) if name in looks:
                inner = args
        plain |= {id(part) for part in inner}
    uses = (node for node in ast.walk(method) if isinstance(node, ast.Name) and node.id in known)
    return any(id(node) not in plain for node in uses)


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}


def _set_attributes(function: ast.AST) -> Iterator[ast.Attribute]:
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node


def _roots(node: ast.AST | None, calls: bool = False) -> set[str]:
    """Names whose object, or a part of it, an expression may be; what a call makes is new, unless ``calls``."""
    found: set[str] = set()
    waiting: list[tuple[ast.AST | None, bool]] = [(node, False)]  # with True: what is in the object counts, too
    while waiting:
        node, parts = waiting.pop()
        inner: Iterable[ast.AST | None] = ()
        name = ""
        match node:
            case ast.Name(id=name):
                pass
            case ast.Attribute(attr=attribute) if attribute in TEXTS or _is_a_setting(node):
                pass
            case ast.Attribute(value=whole, attr=attribute) if attribute.isupper() and _is_a_modules(whole):
                pass  # a constant
            case ast.Attribute(value=whole) | ast.Subscript(value=whole) | ast.Starred(value=whole):
                inner, parts = [whole], True
            case ast.NamedExpr(value=same) | ast.Await(value=same):
                inner = [same]
            case ast.Tuple(elts=several) | ast.List(elts=several) | ast.Set(elts=several) | ast.Dict(values=several):
                inner = several
            case ast.ListComp(elt=each) | ast.SetComp(elt=each) | ast.GeneratorExp(elt=each) | ast.DictComp(value=each):
                inner = [each]
            case ast.BoolOp(values=several):
                inner = several
            case ast.BinOp(left=one, right=other) if _is_new(one) or _is_new(other):  # `(kind,) + ()`
                inner = [one, other]
            case ast.IfExp(body=one, orelse=other):
                inner = [one, other]
            case ast.Call(func=ast.Name(function), args=args) if function in PICKS | COPIES:
                inner, parts = args, True
            case ast.Call(func=ast.Attribute(value=whole, attr=function), args=args) if function in PICKS:
                inner, parts = [*([] if _is_a_modules(whole) else [whole]), *args], True
            case ast.Call(func=ast.Lambda(), args=args):
                inner = args
            case ast.Call(func=called, args=args) if calls:
                inner = [called, *args]
            case ast.Call(func=ast.Name(function)):
                name = f"{function}()"  # what a function of the cell returns
        if name:
            found |= {name, _part(name)} if parts else {name}
        waiting += [(value, parts) for value in inner]
    return found


def _is_a_setting(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and f"{node.value.id}.{node.attr}" in SETTINGS


def _is_a_modules(node: ast.expr) -> bool:
    """Whether it is a module by its usual name, or in one: its functions give what they are given, not the module."""
    for _ in range(DEEPEST):
        if not isinstance(node, ast.Attribute):
            return isinstance(node, ast.Name) and node.id in MODULES
        node = node.value
    return False


def _part(name: str) -> str:
    """What is in the object of a name, however deep."""
    return name if name.endswith(PART) else name + PART


def _is_new(node: ast.AST | None) -> bool:
    """Whether an expression makes a list or the like, whose parts may be those of others."""
    match node:
        case ast.Tuple() | ast.List() | ast.Set() | ast.Dict() | ast.ListComp() | ast.SetComp() | ast.DictComp():
            return True
        case ast.GeneratorExp():
            return True
        case ast.BinOp(left=ast.List(), op=ast.Mult()) | ast.BinOp(op=ast.Mult(), right=ast.List()):
            return True
        case ast.Call(func=ast.Name(name)):
            return name in COPIES
    return False


METHOD = ast.FunctionDef | ast.AsyncFunctionDef
Function = ast.FunctionDef | ast.Lambda


def _scope(tree: ast.Module) -> Scope:
    """Which names may stand for the objects of which: by assignment, loop, ``with``, and calls of the cell's own."""
    functions: dict[str, Function] = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Lambda() as function):
                functions[name] = function
    scope: Scope = defaultdict(set)
    for number, (targets, value) in enumerate(_bindings(tree, functions)):
        roots = _roots(value)
        if roots:
            scope[f"#{number}"] = roots  # a name of its own, since many targets may share many values
            for name in _given_names(targets, _is_new(value)):
                scope[name].add(f"#{number}")
    return dict(scope)


def _given_names(targets: Iterable[ast.expr], new: bool) -> Iterator[str]:
    """Names, or parts of their objects, that stand for a value afterwards; of a ``new`` one, for its parts."""
    for target in targets:
        match target:
            case ast.Name(name):
                yield _part(name) if new else name
            case ast.Attribute(value=inner) | ast.Subscript(value=inner):
                yield from map(_part, _roots(inner))
            case ast.Starred(value=inner):
                yield from _given_names([inner], new=True)
            case ast.Tuple(elts=several) | ast.List(elts=several):
                yield from _given_names(several, new=False)


Binding = tuple[Sequence[ast.expr], ast.expr | None]


def _bindings(tree: ast.Module, functions: dict[str, Function]) -> Iterator[Binding]:
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield targets, value
            case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                yield [target], value
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                yield [target], value
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                yield [target], ast.Starred(value)
            case ast.comprehension(target=target, iter=value):
                yield [target], ast.Starred(value)
            case ast.Match(subject=value, cases=cases):
                captured = {name for case in cases for name in _captured(case.pattern)}
                yield [ast.Name(name) for name in captured], ast.Starred(value)
            case ast.ClassDef(name=name, body=body):
                values = (line.value for line in body if isinstance(line, ast.Assign | ast.AnnAssign) and line.value)
                yield from (([ast.Attribute(ast.Name(name), "", ast.Store())], value) for value in values)
            case ast.Call():
                yield from _arguments(node, functions, classes)
    for name, function in functions.items():
        known = [ast.Name(arg.arg) for arg in (*function.args.posonlyargs, *function.args.args)]
        yield from (
            ([arg], value) for arg, value in zip(reversed(known), reversed(function.args.defaults), strict=False)
        )
        if isinstance(function, ast.Lambda):
            yield [ast.Name(f"{name}()")], function.body
        else:
            returns = (node.value for node in ast.walk(function) if isinstance(node, ast.Return | ast.Yield))
            yield from (([ast.Name(f"{name}()")], value) for value in returns)


def _captured(pattern: ast.pattern) -> set[str]:
    found = (node.name for node in ast.walk(pattern) if isinstance(node, ast.MatchAs | ast.MatchStar))
    return {name for name in found if name}


def _arguments(call: ast.Call, functions: dict[str, Function], classes: set[str]) -> Iterator[Binding]:
    """What the parameters of a function of the cell stand for in a call of it."""
    match call.func:
        case ast.Name(name) | ast.Attribute(attr=name) if name in functions:
            args = functions[name].args
            first = next(chain(args.posonlyargs, args.args), None)
            bound_to = call.func.value if isinstance(call.func, ast.Attribute) else None
            named = isinstance(bound_to, ast.Name) and bound_to.id in classes
            method = bound_to is not None and first is not None and first.arg in OWN and not named
            asked = islice(chain(args.posonlyargs, args.args), int(method), None)  # no list: calls may be many
            yield from (([ast.Name(arg.arg)], value) for arg, value in zip(asked, call.args, strict=False))
            yield from (([ast.Name(word.arg)], word.value) for word in call.keywords if word.arg)


def _imported(tree: ast.Module) -> frozenset[str]:
    """Names by which a cell has what it imports."""
    found = (node.names for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return frozenset(alias.asname or alias.name.split(".")[0] for names in found for alias in names)


def _own_names(tree: ast.Module) -> frozenset[str]:
    """Names that a cell gives something, at its top level or in a function."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
    return frozenset(found)


class _WithoutUsualImports(ast.NodeTransformer):
    """Takes away imports that give a name what it stands for in a lesson too, or a class its own name."""

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        node.names = [alias for alias in node.names if alias.asname and alias.asname != SAME.get(alias.name)]
        return node if node.names else ast.Pass()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        node.names = [alias for alias in node.names if not _is_usual(node.module or "", alias)]
        return node if node.names else ast.Pass()


def _is_usual(module: str, alias: ast.alias) -> bool:
    whole, name = f"{module}.{alias.name}", alias.asname or alias.name
    a_class = name[:1].isupper() and not hasattr(builtins, name)
    return name == SAME.get(whole) or (alias.asname is None and a_class)


def _says_the_same(node: ast.stmt, known: Known) -> bool:
    """Whether it gives a name what it stands for in a lesson too: ``v1 = tf.compat.v1``, where ``tf`` is TensorFlow."""
    match node:
        case ast.Assign(targets=[ast.Name(name)], value=ast.Attribute() as value):
            root, _, inner = dotted(value).partition(".")
            (path, *others) = known.modules.get(root, ("",))
            return not others and root not in known.changed and name == SAME.get(f"{path}.{inner}")
    return False


# ------------------------------------------------------------------------------------------- all cells of a learner


def touched(
    cells: list[Read],
    modules: frozenset[str] = frozenset(SURE),
    functions: frozenset[str] = frozenset(),
    plain: frozenset[str] = frozenset(),
) -> frozenset[str]:
    """The names whose objects a cell that does not give them may change; :data:`A_MODULE` stands for any module's.

    Args:
        modules: names that may stand for modules.
        functions: names of functions that may be handed on, but to what may change one by a text (its argument).
        plain: names of numbers and texts, which nobody can change.
    """
    known: dict[str, list[int]] = defaultdict(list)  # {name: the cells that give it something}
    for place, cell in enumerate(cells):
        for name in cell.own | cell.imports:
            known[name].append(place)
    sets = ((place, name) for place, cell in enumerate(cells) for name in cell.sets)
    fills = ((place, name) for place, cell in enumerate(cells) for name in cell.fills)
    handed = (each for cell in cells for each in cell.hands_on)
    imported = Counter(name for cell in cells for name in cell.imports)
    changed = _reached(sets, cells, known, imported, modules)
    changed |= _reached(fills, cells, known, imported, modules) - NOT_FILLED
    if any(_may_be_a_module(name, cell, imported) for cell in cells for name in cell.hands_on_own):
        changed |= {A_MODULE}
    to_others = {name for name, function in handed if not function or function in known}  # else to the lesson's own
    to_libraries = (
        (place, name) for place, cell in enumerate(cells) for name, to in cell.to_libraries if not to or to in known
    )
    functions -= _reached(to_libraries, cells, known, imported, modules)
    return changed | (to_others - functions - plain)


def _reached(
    starts: Iterable[tuple[int, str]],
    cells: list[Read],
    known: dict[str, list[int]],
    imported: Counter[str],
    modules: frozenset[str],
) -> frozenset[str]:
    """Names that one comes to from names in cells (numbers); one walk for all starts, which meets each once."""
    found: set[str] = set()
    seen = set(starts)
    waiting = list(seen)
    while waiting:
        place, name = waiting.pop()
        base = name.removesuffix(PART)
        more: Iterable[tuple[int, str]] = ()
        if place == ANY_CELL:
            more = ((owner, name) for owner in known.get(base.removesuffix("()"), ()))
        elif base in cells[place].imports or _may_be_a_module(base, cells[place], imported):
            found.add(A_MODULE)
        else:
            is_own = base in cells[place].own or base in cells[place].scope
            more = [(place, root) for root in _stands_for(name, cells[place].scope)] if is_own else []
            if base in TYPE:
                found.add(A_MODULE)
            if not is_own or base in cells[place].takes:
                found |= {base, A_MODULE} if base in modules and base not in known else {base}
                more.append((ANY_CELL, name))
        new = set(more) - seen
        seen |= new
        waiting += new
    return frozenset(found)


def _may_be_a_module(name: str, cell: Read, imported: Counter[str]) -> bool:
    """Whether a name that a cell gives something at its top level may still be what another cell imports."""
    return name in cell.binds and imported[name] > (name in cell.imports)


def _stands_for(name: str, scope: Scope) -> set[str]:
    roots = scope.get(name, set())
    if name.endswith(PART):
        roots = roots | {_part(root) for root in scope.get(name.removesuffix(PART), ())}
    return roots
