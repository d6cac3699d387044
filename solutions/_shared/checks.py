#@title Checks and points (run this too)
# After each check cell: its result and your points so far. A failed check shows its message, not a traceback.
import re, traceback
from IPython.display import display
CHECKS = {}  # include: checks
WORDS = {"passed": "✓ passed", "failed": "✗ failed", "stub": "○ not written yet", "visible": "○ not run",
         "changed": "○ changed: run again", "hidden": "○ hidden: waits for grading", "written": "✎ in words"}
CHECKED = {}  # {check: (key of WORDS, its text)}; running this cell again begins anew
STUB = "write this exercise first"
check_in = lambda cell: next((n for n in CHECKS if re.match(rf"# .*[Cc]heck · {n} · ", cell or "")), None)
cells_of = lambda error: [f.f_code.co_filename for f, _ in traceback.walk_tb(error.__traceback__) if f.f_globals.get("__name__") == "__main__"]

def before_cell(info):
    if check_in(info.raw_cell):
        shell.set_custom_exc((AssertionError, NotImplementedError, NameError), show_failure)
        shell.yours, names = (shell.user_module, shell.user_ns), type(shell.user_module)("__main__")
        vars(names).update(shell.user_ns)  # a check sees your names; its own names change none of yours
        shell.user_module, shell.user_ns = names, vars(names)

def show_failure(shell, kind, error, trace, tb_offset=None):
    """A check's own words stand alone; an error from inside the learner's code keeps its traceback."""
    cells, lines = cells_of(error), ["✗ This check failed.", str(error)]
    if STUB in str(error):
        lines = ["○ Not written yet. Write the exercise's cell and run it; then run this check again."]
    elif kind is NameError and cells[0] == cells[-1]:
        lines = [f"○ {error}. Run the exercise's cell first; then run this check again."]
    elif kind is not AssertionError or cells[0] != cells[-1]:
        lines = shell.InteractiveTB.structured_traceback(kind, error, trace, tb_offset=1)
    shell._showtraceback(kind, error, lines)

def after_cell(result):
    cell, error = result.info.raw_cell or "", result.error_before_exec or result.error_in_exec
    name, made = check_in(cell), "|".join(re.findall(r"^(?:def|class) (\w+)", cell, re.MULTILINE))
    if name:
        shell.set_custom_exc((), None)
        shell.user_module, shell.user_ns = shell.yours
        missing = type(error) is NameError and len(set(cells_of(error))) == 1  # the check itself found no answer
        lost = "stub" if STUB in str(error) else "visible" if missing else "failed"
        CHECKED[name] = (lost if error else CHECKS[name][2].replace("visible", "passed"), cell)
        return show_points([name])
    if made:  # what these checks ask was defined again, so their results are out of date
        CHECKED.update({n: (CHECKS[n][2].replace("visible", "changed"), text)
                        for n, (_, text) in CHECKED.items() if re.search(rf"\b({made})\b", text)})

def show_points(names=CHECKS):
    plural = lambda n, what: f"{n} {what}{'' if n == 1 else 's'}"
    total = lambda kind: plural(sum(worth for _, worth, k in CHECKS.values() if k == kind), "point")
    won = {name: CHECKS[name][1] for name, (state, _) in CHECKED.items() if state == "passed"}
    rows = [(WORDS[CHECKED.get(n, [k])[0]], n, f"{won.get(n, 0)} of " * (k == "visible") + plural(w, "point"))
            for n, (_, w, k) in CHECKS.items() if n in names]
    hidden = plural([kind for _, _, kind in CHECKS.values()].count("hidden"), "hidden check")
    sums = (f"You have {sum(won.values())} of {total('visible')} of the visible checks. Waiting for grading: "
            f"{hidden} ({total('hidden')}), your written answer ({total('written')}).")
    text = "\n".join([*map(" · ".join, rows), sums])
    page = "".join("<tr>" + "".join(f"<td style='text-align:left'>{x}</td>" for x in row) for row in rows)
    shown = {"text/html": f"<table>{page}</table><div style='margin:0 6px'>{sums}</div>", "text/plain": text}
    display(shown, raw=True) if shell else print(text)

shell = globals().get("get_ipython", lambda: None)()  # outside a notebook there is nothing to follow
for event, hook in getattr(shell, "course_hooks", ()):
    shell.events.unregister(event, hook)
if shell:
    shell.course_hooks = [("pre_run_cell", before_cell), ("post_run_cell", after_cell)]
    for event, hook in shell.course_hooks:
        shell.events.register(event, hook)
