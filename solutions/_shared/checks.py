#@title Checks and points (run this too)
# After each check cell: its result and your points so far. A failed check shows its message, not a traceback.
import re, traceback

CHECKS = {}  # include: checks
WORDS = {"passed": "✓ passed", "failed": "✗ failed", "stub": "○ not written yet", "visible": "○ not run",
         "changed": "○ changed: run again", "hidden": "○ hidden: waits for grading", "written": "✎ in words"}
CHECKED = globals().get("CHECKED", {})  # {check: key of WORDS}; kept when this cell runs again
STUB = "write this exercise first"

def check_in(cell):
    return next((name for name in CHECKS if re.match(rf"# (Hidden c|C)heck · {name} · ", cell or "")), None)

def before_cell(info):
    if check_in(info.raw_cell):
        shell.set_custom_exc((AssertionError, NotImplementedError, NameError), show_failure)

def show_failure(shell, kind, error, trace, tb_offset=None):
    """A check's own words stand alone; an error from inside the learner's code keeps its traceback."""
    cells = [f.f_code.co_filename for f, _ in traceback.walk_tb(trace) if f.f_globals is shell.user_ns]
    lines = ["✗ This check failed.", str(error)]
    if STUB in str(error):
        lines = ["○ Not written yet. Write the exercise's cell and run it; then run this check again."]
    elif kind is NameError and cells[0] == cells[-1]:
        lines = [f"○ {error}. Run the exercise's cell first; then run this check again."]
    elif kind is not AssertionError or cells[0] != cells[-1]:
        lines = shell.InteractiveTB.structured_traceback(kind, error, trace, tb_offset=1)
    shell._showtraceback(kind, error, lines)

def after_cell(result):
    name, error = check_in(result.info.raw_cell), result.error_before_exec or result.error_in_exec
    if name:  # nobody passes a hidden check here
        shell.set_custom_exc((), None)
        lost = "stub" if STUB in str(error) else "failed"
        CHECKED[name] = lost if error else "passed" if CHECKS[name][2] == "visible" else "hidden"
        return show_points([name])
    made = re.findall(r"^(?:def|class) (\w+)", result.info.raw_cell or "", re.MULTILINE)
    CHECKED.update({n: CHECKS[n][2].replace("visible", "changed") for n in CHECKED if CHECKS[n][0] in made})

def show_points(names=CHECKS):
    plural = lambda n, what: f"{n} {what}{'' if n == 1 else 's'}"
    total = lambda kind: plural(sum(worth for _, worth, k in CHECKS.values() if k == kind), "point")
    won = {name: CHECKS[name][1] for name, state in CHECKED.items() if state == "passed"}
    rows = [(WORDS[CHECKED.get(n, k)], n, f"{won.get(n, 0)} of " * (k == "visible") + plural(worth, "point"))
            for n, (_, worth, k) in CHECKS.items() if n in names]
    hidden = plural([kind for _, _, kind in CHECKS.values()].count("hidden"), "hidden check")
    sums = (f"You have {sum(won.values())} of {total('visible')} of the visible checks. Still to be graded: "
            f"{hidden} ({total('hidden')}) and your written answer ({total('written')}).")
    text = "\n".join([*map(" · ".join, rows), sums])
    page = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in rows)
    shown = {"text/html": f"<table>{page}</table>{sums}", "text/plain": text}
    display(shown, raw=True) if shell else print(text)

shell = globals().get("get_ipython", lambda: None)()  # outside a notebook there is nothing to follow
for event, hook in getattr(shell, "course_hooks", ()):
    shell.events.unregister(event, hook)
if shell:
    shell.course_hooks = [("pre_run_cell", before_cell), ("post_run_cell", after_cell)]
    for event, hook in shell.course_hooks:
        shell.events.register(event, hook)
