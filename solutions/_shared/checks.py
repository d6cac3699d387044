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


class ChecksAside(ast.NodeTransformer):
    """Replaces a check's code by a call of `run_aside`, which runs it in a thread of its own."""

    def __init__(self):
        self.name: str | None = None  # of the check that runs now
        self.text: str = ""
        self.tree: ast.Module = ast.Module(body=[], type_ignores=[])

    def visit(self, node):
        if not isinstance(node, ast.Module) or self.name is None:
            return node
        self.tree = node
        call = ast.parse("get_ipython().course_checks.run_aside()")
        return ast.copy_location(call, node)

    def run_aside(self):
        """Run the check with copies of the notebook's names, so that it changes none of them, and not for ever."""
        place = f"<check {self.name}>"
        linecache.cache[place] = (len(self.text), None, self.text.splitlines(keepends=True), place)
        code = compile(self.tree, place, "exec")
        names = dict(check_shell.user_ns)
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
    if cell.startswith("%%"):  # what a cell writes into a file is not defined here
        return
    made = set(re.findall(r"^(?:def|class) (\w+)", cell, re.MULTILINE))
    for name, (_, text) in list(CHECKED.items()):
        if made & names_used_in(text):  # what it asks was defined again: its result is out of date
            kind = CHECKS[name][2]
            CHECKED[name] = ("changed" if kind == "visible" else kind, text)


def names_used_in(text):
    """Names in a cell's code; words in its texts are none."""
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


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


check_watch = ChecksAside()
check_shell = globals().get(
    "get_ipython", lambda: None
)()  # outside a notebook there is nothing to follow
if check_shell:
    for event, hook in getattr(check_shell, "course_hooks", ()):
        check_shell.events.unregister(event, hook)
    check_shell.course_hooks = [("pre_run_cell", before_cell), ("post_run_cell", after_cell)]
    for event, hook in check_shell.course_hooks:
        check_shell.events.register(event, hook)
    check_shell.ast_transformers = [
        t for t in check_shell.ast_transformers if type(t).__name__ != "ChecksAside"
    ]
    check_shell.ast_transformers.append(check_watch)
    check_shell.course_checks = check_watch
