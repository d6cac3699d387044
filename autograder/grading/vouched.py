"""Whether somebody has vouched for what a learner's cell uses: public names of known modules, and attributes of the
lesson's or the learner's own objects.

A list of what leads elsewhere holds what somebody has thought of. So :mod:`.harmless` asks the other way round, too: of
each module that a cell imports, of what it takes from one, and of each attribute.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ..python_code import NOT_COMPILED, parse
from .public import public_names

Names = frozenset[str]
# Short names that lessons and learners give to modules, so that another cell may use them.
SHORT = {
    "tensorflow": "tf",
    "numpy": "np",
    "keras_tuner": "kt",
    "tensorflow.compat.v1": "v1",
    "matplotlib.pyplot": "plt",
}
# Names that stand for modules also where no cell says so; few give them to anything else.
SURE = {short: path for path, short in SHORT.items()} | {"mpl": "matplotlib"}
SURE |= {
    name: name for name in ("tensorflow", "numpy", "keras", "matplotlib", "os", "sys", "json", "math", "threading")
}
# From these modules a cell may import a part.
PARTS = {
    "ast": frozenset({"literal_eval"}),
    "IPython": frozenset({"display"}),
    "inspect": frozenset({"getsource", "getdoc", "signature", "cleandoc"}),
    "gc": frozenset({"collect", "disable", "enable", "isenabled", "get_count", "get_stats"}),
    "tensorflow.python.client": frozenset({"device_lib"}),  # the web's answer to who asks for a list of devices
    "timeit": frozenset({"default_timer"}),
    "types": frozenset({"SimpleNamespace"}),
}
OF_NAMES = PARTS | {"device_lib": frozenset({"list_local_devices"})}  # and of what they are called, these attributes
BY_NAME = frozenset({"ast", "inspect", "gc", "timeit"})  # of these, modules that may be imported whole
MOST_PATHS = 20  # modules that one name may stand for
MOST_CHAINS = 3000  # names that are given a part of something, in one notebook
MOST_INNER = 8  # how deep modules lie in one another: tensorflow.compat.v1.keras.applications.vgg16
PRIVATE_BUT_PUBLIC = frozenset({"__version__", "__name__", "__doc__", "__file__"})  # of nearly all modules
# Words of a learner's own that no module lies under: behind one that does all others lie.
NO_WORDS = sys.stdlib_module_names - frozenset(
    ("queue", "time", "random", "copy", "string", "array", "code", "statistics", "calendar", "secrets", "sched", "test")
    + ("profile", "trace", "token", "symbol", "platform", "resource", "numbers", "locale", "graphlib", "cmd", "select")
)
NO_WORDS |= {"tf", "np", "keras", "bltns", "reducer"}
MAKES_WORDS = frozenset({"namedtuple", "add_argument", "Enum", "IntEnum"})  # by texts that they are given
WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Survey:
    """What one cell gives to itself and to others."""

    modules: frozenset[tuple[str, str]] = frozenset()  # (name, path of the module that it stands for)
    chains: frozenset[tuple[str, str]] = frozenset()  # (name, what it is given: tf.keras.layers)
    given: Names = frozenset()  # names that it gives something else
    words: Names = frozenset()  # attributes of its own objects, and all that may be one
    defined: Names = frozenset()  # its functions and classes
    functions: Names = frozenset()  # of the lesson's, those that are nothing but a `def`
    plain: Names = frozenset()  # of the lesson's, those that it only gives a number or a text
    filled: Names = frozenset()  # names whose objects get attributes


def survey(tree: ast.Module) -> Survey:
    """Look through one cell."""
    modules: set[tuple[str, str]] = set()
    chains: set[tuple[str, str]] = set()
    given: set[str] = set()
    words: set[str] = set()
    elsewhere = False  # whether words of objects may stand anywhere in the cell
    plain: set[int] = set()  # targets of chains
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=found):
                modules |= {(alias.asname, alias.name) for alias in found if alias.asname}
                modules |= {(root, root) for alias in found if not alias.asname for root in [alias.name.split(".")[0]]}
            case ast.ImportFrom(module=module, names=found):
                for alias in found:
                    name, path = alias.asname or alias.name, f"{module}.{alias.name}"
                    modules |= {(name, path)} if is_module(path) else set()
                    given |= set() if is_module(path) or (module in PARTS and name in OF_NAMES) else {name}
            case ast.Assign():
                for target, value in _chains(node):
                    chains.add((target.id, dotted(value)))
                    plain.add(id(target))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                words.add(name)
            case ast.keyword(arg="dest", value=ast.Constant(str(name))):  # of add_argument
                words |= {"dest", name}
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.keyword(arg=str(name)):
                words.add(name)
            case ast.Call(func=ast.Name(called) | ast.Attribute(attr=called), args=args) if called in MAKES_WORDS:
                elsewhere |= any(isinstance(part, ast.Name) for arg in args for part in ast.walk(arg))
                words |= {word for arg in args for word in _words_in(arg)}
        if isinstance(node, ast.ClassDef):
            words |= {part.id for line in node.body for part in ast.walk(line) if isinstance(part, ast.Name)}
    words |= {*_words_in(tree)} if elsewhere else set()
    told = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    given |= {name for node, name in _top_level(tree) if id(node) not in plain} | told
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    defined = frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))
    return Survey(frozenset(modules), frozenset(chains), frozenset(given), frozenset(words), defined)


def _top_level(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Names that a cell gives something outside of its functions and classes, and where."""
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node, name
                waiting += _said_outside(node)
                continue
            case ast.Lambda():
                waiting += _said_outside(node)
                continue
            case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
                yield node, name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield node, name
        waiting += ast.iter_child_nodes(node)


def _said_outside(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda) -> list[ast.AST]:
    """What of a function or class runs where it is defined: defaults, annotations, decorators, bases."""
    inside = {id(line) for line in ([node.body] if isinstance(node, ast.Lambda) else node.body)}
    return [part for part in ast.iter_child_nodes(node) if id(part) not in inside]


def _chains(node: ast.Assign) -> Iterator[tuple[ast.Name, ast.Attribute]]:
    """``layers = tf.keras.layers``, or several such in one line."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = [*zip(targets, values, strict=False)] if len(targets) == len(values) else []
        case ast.Assign(targets=[target], value=value):
            pairs = [(target, value)]
        case _:
            return
    for one, other in pairs:
        if isinstance(one, ast.Name) and isinstance(other, ast.Attribute) and dotted(other):
            yield one, other


def _words_in(node: ast.AST) -> Iterator[str]:
    """Of a namedtuple's fields, or an option of a program: `--learning-rate`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from WORD.findall(part.value.replace("-", "_").replace("__", " "))


@lru_cache(maxsize=1000)
def survey_of(code: str) -> Survey:
    """Of one of the lesson's own cells, whose objects have all the attributes that it uses."""
    try:
        tree = parse(code)
    except NOT_COMPILED:  # magics
        return Survey()
    found = survey(tree)
    used = frozenset(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    times = Counter(name for _, name in _top_level(tree))
    functions = (line.name for line in tree.body if isinstance(line, ast.FunctionDef) and not line.decorator_list)
    once = frozenset(name for name in functions if times[name] == 1)
    plain = _plain(tree, times)
    return replace(found, words=found.words | used, functions=once, plain=plain, filled=_filled(tree))


def _plain(tree: ast.Module, times: Counter[str]) -> Names:
    """Names that a cell gives a number or a text, and nothing else: ``MIB = 2**20``."""
    found: set[str] = set()
    for line in tree.body:
        match line:
            case ast.Assign(targets=[ast.Name(name)], value=value) if times[name] == 1 and _is_plain_value(value):
                found.add(name)
    return frozenset(found)


def _is_plain_value(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=one):
            return _is_plain_value(one)
        case ast.BinOp(left=one, right=other):
            return _is_plain_value(one) and _is_plain_value(other)
    return False


def _filled(tree: ast.Module) -> Names:
    """Names whose objects a cell gives attributes: ``step.calls = 0``."""
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    places = (node.value for node in attributes if isinstance(node.ctx, ast.Store))
    return frozenset(place.id for place in places if isinstance(place, ast.Name))


class Known:
    """What the cells of a notebook give to one another.

    Args:
        own: of the learner's cells.
        lessons: of the lesson's own.
        given: of what stands in answers for the checks, and is made anew before each.
    """

    def __init__(self, own: Sequence[Survey], lessons: Sequence[Survey] = (), given: Sequence[Survey] = ()) -> None:
        lessons = [*lessons, *given]
        surveys = [*own, *lessons]
        paths: dict[str, set[str]] = defaultdict(set)
        chains: set[tuple[str, str]] = set()
        names: set[str] = set()
        words: set[str] = set()
        for each in surveys:
            for name, path in each.modules:
                paths[name].add(path)
            chains |= each.chains
            names |= each.given
            words |= each.words
        for name, path in SURE.items():
            paths[name].add(path)
        self.too_many = len(chains) > MOST_CHAINS or any(len(found) > MOST_PATHS for found in paths.values())
        if self.too_many:
            chains = set()
        for _ in range(MOST_INNER):
            more = {(name, path) for name, chain in chains for path in _joined(paths, chain)}
            if all(path in paths[name] for name, path in more):
                break
            for name, path in more:
                paths[name].add(path)
        names |= {name for name, chain in chains if not _joined(paths, chain)}
        self.given = frozenset(names)
        self.defined = frozenset(name for each in own for name in each.defined)
        self.own_words = frozenset(name for each in own for name in each.words | each.given)
        self.changed = frozenset(name for each in own for name in each.given.union(dict(each.chains)))  # no import's
        self.imported = frozenset(name for each in surveys for name, _ in each.modules | each.chains)
        times = Counter(name for each in surveys for name in each.given)
        self.once = frozenset(name for name, cells in times.items() if cells == 1 and name not in paths)
        # the lesson's own, which somebody may hand on: nothing of a function is changed but by a name that is flagged
        self.functions = self.once & frozenset(name for each in lessons for name in each.functions)
        self.functions |= {name for each in given for name in each.functions if name not in paths}
        self.functions -= {name for each in lessons for name in each.filled}
        self.functions -= {name for each in surveys for name, _ in each.chains}
        others = {name for each in lessons for name in each.given - each.plain} | {*paths, *dict(chains)}
        self.plain = frozenset(name for each in lessons for name in each.plain) - others
        self.modules = dict(paths)
        self.attributes = public_names().attributes | (words - NO_WORDS)


def _joined(paths: dict[str, set[str]], chain: str) -> list[str]:
    """Paths of modules that a chain may stand for."""
    root, _, inner = chain.partition(".")
    return [path for begin in paths.get(root, ()) if is_module(path := f"{begin}.{inner}")]


def is_module(path: str) -> bool:
    """Whether it is one of the known modules, such as ``tensorflow.keras.layers``."""
    root, _, inner = path.partition(".")
    package = public_names().packages.get(root)
    return package is not None and (not inner or inner in package.modules)


def _parted(node: ast.expr) -> tuple[ast.expr, list[str]]:
    """What ``x.a.b`` begins with, and the attributes."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return node, attributes[::-1]


def dotted(node: ast.expr) -> str:
    """``a.b.c`` of such a chain of names; "" of anything else."""
    root, attributes = _parted(node)
    return ".".join([root.id, *attributes]) if isinstance(root, ast.Name) else ""


def unknown_name(tree: ast.Module, known: Known, local: Names) -> str:
    """What a cell uses that nobody has vouched for: a module, what it takes from one that does not
    show it, or an attribute that no object has; "" where there is nothing.

    Args:
        local: names that functions of the cell have to themselves.
    """
    if known.too_many:
        return "…"
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)} | looked_up(tree)
    seen: set[str] = set()  # chains that are vouched for
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=found):
                for alias in found:
                    if not is_module(alias.name) and (alias.name not in BY_NAME or alias.asname):
                        return alias.name
            case ast.ImportFrom(module="__future__", level=0):
                pass
            case ast.ImportFrom(module=module, names=found, level=level):
                for alias in found:
                    if level or not _is_shown(str(module), alias.name):
                        return f"{'.' * level}{module or ''}.{alias.name}"
            case ast.MatchClass(kwd_attrs=attributes) if strange := set(attributes) - known.attributes:
                return min(strange)
            case ast.Attribute() if id(node) not in inner and (chain := dotted(node)) not in seen:
                if not _is_vouched_for(node, known, local):
                    return chain or f"….{node.attr}"
                seen |= {chain} - {""}
    return ""


def looked_up(tree: ast.Module) -> set[int]:
    """Ids of what a cell only looks a name up in, as in ``"google.colab" in sys.modules``, or that times a lambda."""
    found: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ast.Constant(), [ast.In() | ast.NotIn()], [ast.Attribute(value=ast.Name()) as asked]):
                found.add(id(asked))
            case ast.Call(ast.Attribute(ast.Name("timeit"), "timeit" | "repeat") as asked, [ast.Lambda()], keywords):
                found |= {id(asked)} if {keyword.arg for keyword in keywords} <= {"number", "repeat"} else set()
    return found


def _is_shown(module: str, name: str) -> bool:
    if module in PARTS:
        return name in PARTS[module]
    return is_module(f"{module}.{name}") or (is_module(module) and _shows(module, name))


def _is_vouched_for(node: ast.Attribute, known: Known, local: Names) -> bool:
    """Whether all the attributes of a chain are."""
    begin, attributes = _parted(node)
    root = begin.id if isinstance(begin, ast.Name) else ""
    if root in OF_NAMES and root not in local and root not in known.given:
        return attributes[0] in OF_NAMES[root]
    paths = known.modules.get(root, set()) if root not in local else set()
    return all(_can_be_had(path, attributes, known, root in known.given) for path in paths or ("",))


def _can_be_had(path: str, attributes: list[str], known: Known, perhaps: bool) -> bool:
    """Whether attributes of attributes are public ones: of a module first, where ``path`` is not ""; ``perhaps``: or of
    something else with its name."""
    rest = iter(attributes)
    if path:
        for attribute in rest:
            if is_module(f"{path}.{attribute}"):
                path = f"{path}.{attribute}"
                continue
            if not _shows(path, attribute) and not (perhaps and _is_an_objects(attribute)):
                return False
            return all(_is_plain(other, public_names().attributes) for other in rest)
        return True  # a module itself
    return all(_is_plain(attribute, known.attributes) for attribute in rest)


def _shows(path: str, name: str) -> bool:
    """Whether a module shows something of that name that is no module."""
    root, _, inner = path.partition(".")
    package = public_names().packages.get(root)
    hidden = package is not None and f"{inner}.{name}".lstrip(".") in package.hidden
    return package is not None and not hidden and (name in package.values or name in PRIVATE_BUT_PUBLIC)


def _is_an_objects(attribute: str) -> bool:
    """Whether objects may have it, and no module is known to have a module of that name."""
    return attribute in public_names().attributes and attribute not in sys.stdlib_module_names


def _is_plain(attribute: str, known: Names) -> bool:
    """What begins with a line is looked at by :mod:`.harmless`."""
    return attribute in known or attribute.startswith("_")


def _in_classes(tree: ast.Module) -> Iterator[ast.AST]:
    """The parts of classes whose names are attributes of these."""
    for kind in ast.walk(tree):
        waiting: list[ast.AST] = [*kind.body] if isinstance(kind, ast.ClassDef) else []
        while waiting:
            node = waiting.pop()
            yield node
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                waiting += ast.iter_child_nodes(node)


def hands_on_a_module(tree: ast.Module, known: Known, here: Names, mine: Names, local: Names, shows: Names) -> bool:
    """Whether a module itself is a value somewhere, so that another name may come to stand for it.

    Args:
        here: names that stand for modules by what the cell itself says.
        mine: names that the cell has from no other.
        local: of these, names that its functions have to themselves.
        shows: functions that only show what they are given.
    """
    asked = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    asked |= {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}  # none: no module can be called
    of_classes = {id(node) for node in _in_classes(tree)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(name), args=args) if name in shows:
                asked |= {id(arg) for arg in args}
            case ast.Assign() if id(node) not in of_classes:
                asked |= {id(value) for _, value in _chains(node)}  # their names are known for it
            case ast.Import() | ast.ImportFrom() if id(node) in of_classes:  # an attribute of the class
                return True
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute) or id(node) in asked or not isinstance(node.ctx, ast.Load):
            continue
        root, _, inner = dotted(node).partition(".")
        perhaps_another = root in known.given and root not in here | known.imported
        if root in local or (not inner and (perhaps_another or root in mine - here)):
            continue
        paths = known.modules.get(root, ())
        if any(not inner or is_module(f"{path}.{inner}") for path in paths):
            return True
    return False
