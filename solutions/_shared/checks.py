# @title Checks and points (run this too)
# After each check: a card with its result, and your points so far.
import ast
import html
import linecache
import os
import re
import threading
import time
import traceback
import types

from autograder.grading.checks.card import (
    FAILED,
    OPEN,
    PASSED,
    card_rows,
    message_fields,
    result_card,
)
from autograder.grading.checks.told import Told, written  # noqa: F401 (checks use them)
from IPython.display import display
from solutions._shared.figures import PALETTE, image_of, show  # noqa: F401 (lessons use them)
from solutions._shared.predictions import compare_prediction  # noqa: F401 (lessons use it)

CHECKS = {}  # include: checks
PLACES = {}  # include: places
CHECKED = {}  # {check: (key of WORDS, its text)}; running this cell again begins anew
HELPERS = {}  # functions and classes of this cell, to see whether a name is taken for something else
FOR_CHECKS = {}  # the same and modules, kept apart from the notebook's names
DEFINED = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)
CHECK_SECONDS = 60.0  # a check that takes longer is left alone: what it waits for may never come
STUB = "write this exercise first"
WORDS = {
    "passed": "✓ passed",
    "failed": "✗ failed",
    "stub": "○ not written yet",
    "visible": "○ not run",
    "changed": "○ changed: run again",
    "hidden": "○ hidden: waits for grading",
    "written": "✎ in words",
}
COLOURS = {"passed": PASSED, "failed": FAILED}


class CheckNeverEnds(Exception):
    """A check did not come back in time."""


def name_of_check(cell):
    """The name of the check that a cell's text is; None for any other cell."""
    found = re.match(r"#@title [^\n]*\n# check: ([\w-]+)\n", f"{cell}\n")
    return found[1] if found and found[1] in CHECKS else None


def with_names(value, own):
    """A copy of a function that looks its names up in `own`; anything else as it is."""
    if not isinstance(value, types.FunctionType):
        return value
    parts = (value.__name__, value.__defaults__, value.__closure__)
    copied = types.FunctionType(value.__code__, own, *parts)
    copied.__kwdefaults__ = value.__kwdefaults__
    return copied


def kept_apart(names):
    """A copy of a notebook's names, whose functions see each other whatever the notebook calls its own values later."""
    own = dict(names)
    for name, value in names.items():
        if getattr(value, "__globals__", None) is names:
            own[name] = with_names(value, own)
    methods = {name: with_names(getattr(Told, name), own) for name in ("__init__", "__call__")}
    own["Told"] = type("Told", (), methods)
    return own


def remember_helpers(cell):
    """Keep what the helpers' cell defined, and the modules that are there, for the checks."""
    names, defined = check_shell.user_ns, set(DEFINED.findall(cell))
    own = kept_apart(names)
    for name, value in names.items():
        if name in defined:
            HELPERS[name] = value
        if name in defined or isinstance(value, types.ModuleType):
            FOR_CHECKS[name] = own[name]


def say_what_was_replaced():
    """One line, once, for a helper whose name a cell gave to something else."""
    names = check_shell.user_ns
    for name, helper in list(HELPERS.items()):
        if names.get(name, helper) is not helper:
            del HELPERS[name]
            print(
                f"Note: {name} was one of this lesson's helpers, and this cell gave the name to something else. "
                "Checks still work; other cells that use the helper do not. "
                'Take another name, then run the bar "Helpers" again.'
            )


def call_aside(tree):
    """What IPython runs in place of a cell's code: for a check, a call of `run_aside`."""
    if not isinstance(tree, ast.Module) or check_watch.name is None:
        return tree
    check_watch.tree = tree
    call = ast.parse("get_ipython().course_checks.run_aside()")
    return ast.copy_location(call, tree)


def run_aside():
    """Run a check in a thread with copies of the notebook's names: it changes none of them, and ends in time."""
    place = f"<check {check_watch.name}>"
    text = check_watch.text
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    code = compile(check_watch.tree, place, "exec")
    names = {**check_shell.user_ns, **FOR_CHECKS}
    caught = []

    def run():
        try:
            exec(code, names)
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=run, name=place, daemon=True)
    thread.start()
    end = time.monotonic() + CHECK_SECONDS
    while thread.is_alive() and time.monotonic() < end:
        thread.join(0.1)  # in short steps, so that the stop button works meanwhile
    if thread.is_alive():
        raise CheckNeverEnds(
            f"This check did not end within {CHECK_SECONDS:g} seconds, so it was left alone: something waits for "
            "what never comes. It still waits; restart the kernel before you measure times."
        )
    if caught:
        raise caught[0]


def notebook_frames(error):
    """The files of a traceback that hold code of this notebook, the innermost last."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    own = [frame.f_code for frame in frames if frame.f_globals.get("__name__") == "__main__"]
    return [code.co_filename for code in own if code.co_name not in ("run", "run_aside")]


def raised_by_check(error):
    """Whether the check's own lines raised it, not a function that it called."""
    frames = notebook_frames(error)
    return not frames or frames[-1] == f"<check {check_watch.name}>"


def state_of_check(error):
    """How a check ended: a key of WORDS."""
    if error is None:
        return "passed"
    if STUB in str(error):
        return "stub"
    missing = isinstance(error, NameError) and raised_by_check(error)
    return "visible" if missing else "failed"


def before_cell(info):
    check_watch.name, check_watch.text = name_of_check(info.raw_cell), info.raw_cell or ""
    if check_watch.name:
        check_shell.set_custom_exc((Exception,), show_failure)


def after_cell(result):
    cell = result.info.raw_cell or ""
    error = result.error_before_exec or result.error_in_exec
    if check_watch.name:
        check_shell.set_custom_exc((), None)
        kind = CHECKS[check_watch.name][2]
        state = state_of_check(error)
        CHECKED[check_watch.name] = (
            kind if state == "passed" and kind != "visible" else state,
            cell,
        )
        if error is None:
            show_card(check_watch.name)
        check_watch.name = None
        return
    if not FOR_CHECKS:  # the cell that has just run is this one
        remember_helpers(cell)
    say_what_was_replaced()
    if cell.startswith("%%"):  # what a cell writes into a file is not defined here
        return
    made = set(DEFINED.findall(cell))
    for name, (_, text) in list(CHECKED.items()):
        if made & names_used_in(text):  # what it asks was defined again: its result is out of date
            kind = CHECKS[name][2]
            CHECKED[name] = ("changed" if kind == "visible" else kind, text)


def names_used_in(text):
    """Names that a check's code takes from the notebook: not those that it makes itself, nor words in its texts."""
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return {node.id for node in names} - made


def show_failure(check_shell, kind, error, trace, tb_offset=None):
    """A check's own words come as a card; an error from inside the learner's code keeps its traceback."""
    state, lines = state_of_check(error), []
    fields = (
        message_fields(str(error))
        if isinstance(error, AssertionError) and raised_by_check(error)
        else {}
    )
    if state == "stub":
        body = "Write the exercise's cell and run it; then run this check again."
    elif state == "visible":
        body = f"{error}. Run the exercise's cell first; then run this check again."
    elif "likely" in fields:
        body = None
    elif isinstance(error, CheckNeverEnds) or raised_by_check(error):
        own = isinstance(error, (CheckNeverEnds, AssertionError))
        body = (
            str(error)
            if own
            else (
                f"The check could not go on with what your code gave it ({kind.__name__}: {error}). "
                "Is it what the text asks for?"
            )
        )
    else:
        body = f"Running your code raised {kind.__name__}: {error}"
        while trace and trace.tb_frame.f_code.co_filename != f"<check {check_watch.name}>":
            trace = trace.tb_next  # begin with the check, not with what runs it
        lines = check_shell.InteractiveTB.structured_traceback(kind, error, trace, tb_offset=0)
    CHECKED[check_watch.name] = (state, check_watch.text)
    show_card(check_watch.name, fields if body is None else {}, body, more=bool(lines))
    headline = f"{WORDS[state]} · {CHECKS[check_watch.name][3]}"
    if "NBGRADER_VALIDATING" in os.environ:  # its dialog shows no cards
        headline = f"{headline}\n{body or error}"
    check_shell._showtraceback(kind, error, [headline, *lines])


def show_card(name, fields=None, body=None, more=False):
    """The card of one check: its result, what it says, and the points so far."""
    state = CHECKED[name][0]
    _, worth, kind, title = CHECKS[name]
    won = f"{worth if state == 'passed' else 0} of " if kind == "visible" else ""
    points = f"{won}{number_of(worth, 'point')}"
    if fields:
        rest = card_rows(fields, PLACES)
        plain = "\n".join(f"{label + ':':<9} {value}" for label, value in fields.items())
    else:
        rest = f'<div style="white-space:pre-wrap">{html.escape(body)}</div>' if body else ""
        plain = body or ""
    so_far = points_so_far().partition(" Waiting")[0] if kind == "visible" else ""
    rest += f'<div style="opacity:.8;margin-top:2px">{html.escape(so_far)}</div>' if so_far else ""
    text = "\n".join(filter(None, [f"{WORDS[state]} · {title} · {points}", plain, so_far]))
    page = result_card(WORDS[state], title, points, rest, COLOURS.get(state, OPEN), more)
    mark = {"course": {"check": name, "state": state}}
    display({"text/html": page, "text/plain": text}, raw=True, metadata=mark)


def number_of(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


def points_so_far():
    """What all checks of the lesson give so far, in two sentences."""
    worth = dict.fromkeys(("visible", "hidden", "written"), 0)
    for _, points, kind, _ in CHECKS.values():
        worth[kind] += points
    won = sum(CHECKS[name][1] for name, (state, _) in CHECKED.items() if state == "passed")
    hidden = sum(kind == "hidden" for _, _, kind, _ in CHECKS.values())
    waiting = []
    if hidden:
        waiting.append(
            f"{number_of(hidden, 'hidden check')} ({number_of(worth['hidden'], 'point')})"
        )
    if worth["written"]:
        waiting.append(f"your written answer ({number_of(worth['written'], 'point')})")
    text = f"You have {won} of {number_of(worth['visible'], 'point')} of the visible checks."
    return f"{text} Waiting for grading: {', '.join(waiting)}." if waiting else text


def show_points():
    """A table of all checks of this lesson, and your points so far."""
    rows = []
    for name, (_, worth, kind, title) in CHECKS.items():
        state = CHECKED.get(name, (kind, ""))[0]
        won = f"{worth if state == 'passed' else 0} of " if kind == "visible" else ""
        rows.append((WORDS[state], title, f"{won}{number_of(worth, 'point')}"))
    cells = [
        [f"<td style='text-align:left'>{html.escape(text)}</td>" for text in row] for row in rows
    ]
    table = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    heads = "".join(
        f"<th style='text-align:left'>{head}</th>" for head in ("Result", "Check", "Points")
    )
    page = f"<table><tr>{heads}</tr>{table}</table><div>{html.escape(points_so_far())}</div>"
    text = "\n".join([*(" · ".join(row) for row in rows), points_so_far()])
    if check_shell:
        display({"text/html": page, "text/plain": text}, raw=True)
    else:
        print(text)


check_shell = globals().get(
    "get_ipython", lambda: None
)()  # outside a notebook there is nothing to follow
check_watch = types.SimpleNamespace(name=None, text="", tree=None)  # the check that runs now
if check_shell:
    check_machine = kept_apart(globals())  # whatever names a learner takes later
    check_watch.visit = check_machine["call_aside"]
    check_watch.run_aside = check_machine["run_aside"]
    for event, hook in getattr(check_shell, "course_hooks", ()):
        check_shell.events.unregister(event, hook)
    check_shell.course_hooks = [
        ("pre_run_cell", check_machine["before_cell"]),
        ("post_run_cell", check_machine["after_cell"]),
    ]
    for event, hook in check_shell.course_hooks:
        check_shell.events.register(event, hook)
    former = getattr(check_shell, "course_checks", None)
    check_shell.ast_transformers = [t for t in check_shell.ast_transformers if t is not former]
    check_shell.ast_transformers.append(check_watch)
    check_shell.course_checks = check_watch
