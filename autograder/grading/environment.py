"""Whether a cell changes the environment so that programs which start later could run other code than their own.

What lessons measure with starts programs, and these get the kernel's environment.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

# Names by which Python, the system's loader, a shell or TensorFlow find what they run; all others set something.
LEADS_TO_CODE = (
    "PYTHON|PATH|LIB|PRELOAD|PLUG|INJECT|HOOK|MODULE|HOME|TUNABLES|TMP|OPENSSL|MPL|COVERAGE"  # anywhere in a name
)
PLAIN_NAME = rf"(?!(?:LD|DYLD|BASH)_|ENV\b|\w*(?:{LEADS_TO_CODE}))\w+"
ENVIRONMENTS = frozenset({"environ", "environb"})
OTHER_WAYS = frozenset({"putenv", "unsetenv"})
READ_BY = frozenset({"get", "copy", "items", "keys", "values"})  # methods, whatever they are given
SHOWN_BY = frozenset({"dict", "print", "len", "sorted", "list", "set", "display"})


def leads_to_other_code(tree: ast.Module, given: frozenset[str] = frozenset()) -> bool:
    """Whether it sets what it should not, or hands the environment itself on to where that could happen.

    Args:
        given: names that the notebook's cells give something: none of them is a builtin.
    """
    places = {id(node) for node in ast.walk(tree) if _is_it(node)}
    named = any(isinstance(node, ast.Attribute) and node.attr in OTHER_WAYS for node in ast.walk(tree))
    taken = (node.names for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    others = any(
        alias.name in OTHER_WAYS or (alias.name in ENVIRONMENTS and alias.asname) for n in taken for alias in n
    )
    if not places:
        return named or others
    plain = {id(node) for parent in ast.walk(tree) for node in _used_plainly(parent, given)}
    return named or others or not places <= plain


def _is_it(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in ENVIRONMENTS
    return False


def _used_plainly(parent: ast.AST, given: frozenset[str]) -> Iterator[ast.AST | None]:
    """Parts of a node that, if one is the environment, only read it or set plain names."""
    match parent:
        case ast.Subscript(value=whole, slice=key, ctx=context):
            if isinstance(context, ast.Load) or _is_plain(key):
                yield whole
        case ast.Call(func=ast.Attribute(value=whole, attr="pop" | "setdefault"), args=[key, *_]) if _is_plain(key):
            yield whole
        case ast.Call(func=ast.Attribute(value=whole, attr="update"), args=args, keywords=words):
            names = [ast.Constant(word.arg) for word in words]
            if all(map(_has_plain_keys, args)) and all(map(_is_plain, names)):
                yield whole
        case ast.Attribute(value=whole, attr=name) if name in READ_BY:
            yield whole
        case ast.Dict(keys=keys, values=values):  # {**os.environ}
            yield from (value for key, value in zip(keys, values, strict=True) if key is None)
        case ast.Compare(comparators=[whole]) | ast.For(iter=whole) | ast.comprehension(iter=whole):
            yield whole
        case ast.FormattedValue(value=whole) | ast.Expr(value=whole):
            yield whole
        case ast.Call(func=ast.Attribute(ast.Name("subprocess"), _), keywords=words) if "subprocess" not in given:
            yield from (word.value for word in words if word.arg == "env")
        case ast.BinOp(left=whole, op=ast.BitOr(), right=other) if _is_a_dict(other):
            yield whole
        case ast.Call(func=ast.Name(name), args=args) if name in SHOWN_BY - given:
            yield from args


def _has_plain_keys(node: ast.expr) -> bool:
    match node:
        case ast.Dict(keys=keys):
            return all(key is not None and _is_plain(key) for key in keys)
        case ast.IfExp(body=one, orelse=other):
            return _has_plain_keys(one) and _has_plain_keys(other)
    return False


def _is_a_dict(node: ast.expr) -> bool:
    match node:
        case ast.IfExp(body=one, orelse=other):
            return _is_a_dict(one) and _is_a_dict(other)
    return isinstance(node, ast.Dict)


def _is_plain(key: ast.expr) -> bool:
    """Whether it is a name that is written there and that leads to no code."""
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and bool(re.fullmatch(PLAIN_NAME, key.value))
