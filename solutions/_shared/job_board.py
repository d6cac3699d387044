# @title Job board (run this; open it to see how it works)
# Watches a training job while it runs: who lives, own steps, staleness, last error; with buttons that kill and start.
import glob
import html
import json
import pathlib
import threading
import time

import IPython.display
import ipywidgets as widgets
from solutions._shared.figures import PALETTE

MARKS = {
    "answers": ("✓", PALETTE["green"]),
    "runs": ("…", PALETTE["blue"]),
    "killed": ("✗", PALETTE["red"]),
    "ended": ("■", "#6a3d7c"),
    "not": ("○", "#555555"),
}


def job_events(job):
    """What the workers of a job have noted so far, by time.

    A dict for each step ("who", "start", "end", "step", "own", "stale") and for each error that a worker survived
    ("who", "end", "error"). What was read before is not read again.
    """
    noted, read_to = getattr(job, "noted", ([], {}))
    noted, read_to = list(noted), dict(read_to)
    for path in glob.glob(f"{job.records}/events-*.jsonl"):
        who = f"worker/{path.rpartition('-')[2].partition('.')[0]}"
        with open(path, "rb") as file:
            file.seek(read_to.get(path, 0))
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]  # the last line may be half written
        read_to[path] = read_to.get(path, 0) + len(whole)
        noted += [{"who": who, **json.loads(line)} for line in whole.decode().splitlines()]
    noted.sort(key=lambda event: event["end"])
    # both at once: the board's thread and a cell may read at the same time
    job.noted = noted, read_to
    return list(noted)


def step_of(events, who=""):
    """The newest shared step that a job, or one of its workers, has noted; 0 before the first."""
    steps = (event["step"] for event in reversed(events) if "step" in event and who in event["who"])
    return next(steps, 0)


def text_at(x, y, words, more=""):
    return f'<text x="{x}" y="{y}" {more}>{html.escape(str(words))}</text>'


def box_at(x, y, wide, colour):
    return f'<rect x="{x}" y="{y}" width="{wide:.0f}" height="14" fill="{colour}"/>'


def last_noted(events, who, key):
    """The last event of a worker that has this key, or an empty dict."""
    return next((event for event in reversed(events) if event["who"] == who and key in event), {})


def board_row(y, task, state, events, most):
    """A row of the board: task, state, own steps, staleness, last error."""
    word = state.replace(",", "").split(" ")[0]
    mark, colour = MARKS.get(word, ("…", PALETTE["grey"]))  # a task that only begins to answer
    row = [
        text_at(8, y, task, 'font-weight="bold"'),
        text_at(90, y, f"{mark} {state}", f'fill="{colour}"'),
    ]
    row.append(text_at(560, y, last_noted(events, task, "error").get("error", "")))
    last = last_noted(events, task, "own")
    if last:
        row.append(box_at(240, y - 11, max(1, 140 * last["own"] / most), PALETTE["sky"]))
        row.append(text_at(390, y, last["own"]))
        row.append(text_at(480, y, last["stale"]))
    return "".join(row)


def board_picture(states, events, steps=0):
    """The board as SVG text: the shared step, of `steps` if there is an end, then a row for each task."""
    shared = step_of(events)
    most = max([last_noted(events, task, "own").get("own", 1) for task in states], default=1)
    parts = [
        text_at(8, 20, f"shared step {shared}" + f" of {steps}" * bool(steps), 'font-weight="bold"')
    ]
    if steps:
        parts.append(box_at(200, 9, 540, "#e6e6e6"))
        parts.append(box_at(200, 9, 540 * min(1, shared / steps), PALETTE["blue"]))
    heads = {
        8: "task",
        90: "state",
        240: "own steps since its start",
        460: "staleness",
        560: "last error",
    }
    for x, words in heads.items():
        parts.append(text_at(x, 46, words, 'fill="#555555"'))
    for row, (task, state) in enumerate(states.items()):
        parts.append(board_row(68 + 22 * row, task, state, events, most))
    size = f'viewBox="0 0 750 {60 + 22 * len(states)}" style="max-width:750px;width:100%"'
    words = f"shared step {shared}; " + "; ".join(
        f"{task} {state}" for task, state in states.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(words, quote=True)}" {size} '
        f'font-family="sans-serif" font-size="13"><rect width="750" height="100%" fill="white"/>{"".join(parts)}</svg>'
    )


class JobBoard:
    """The board of one job, fresh as long as a task of it lives, with two buttons for each task."""

    def __init__(self, job, steps=0):
        self.job, self.steps = job, steps
        self.picture, self.said = (
            widgets.HTML(),
            widgets.HTML("Press a button: it acts on a real process."),
        )
        self.watching = threading.Lock()
        rows = [self.buttons("kill", self.kill), self.buttons("start", self.start)]
        self.widget = widgets.VBox([self.picture, *rows, self.said])
        self.look()
        self.watch()

    def buttons(self, word, do):
        """A row of buttons, one for each task."""
        row = []
        for task in self.job.tasks:
            button = widgets.Button(description=f"{word} {task}", layout={"width": "130px"})
            button.on_click(lambda _, task=task: self.pressed(do, task))
            row.append(button)
        return widgets.HBox(row, layout={"flex_flow": "row wrap"})

    def pressed(self, do, task):
        self.said.value = f"{time.strftime('%H:%M:%S')} {do(task)}"
        self.look()
        self.watch()

    def kill(self, task):
        state = self.job.alive()[task]
        if not state.startswith(("answers", "runs")):
            return f"There is nothing to kill: {task} {state}."
        self.job.kill(task)
        return f"{task} was killed."

    def start(self, task):
        state = self.job.alive()[task]
        if state.startswith(("answers", "runs")):
            return f"{task} runs already. Kill it first."
        pathlib.Path(self.job.records, "stop").unlink(missing_ok=True)
        self.job.start(task, wait=False)
        return f"{task} starts."

    def look(self):
        """Draw the board anew; whether any task lives."""
        states = self.job.alive()
        self.picture.value = board_picture(states, job_events(self.job), self.steps)
        return any(state.startswith(("answers", "runs")) for state in states.values())

    def watch(self):
        """Look again and again, in a thread, until no task lives."""
        threading.Thread(target=self.keep_looking, daemon=True).start()

    def keep_looking(self):
        if self.watching.acquire(blocking=False):  # else another thread looks already
            try:
                while self.look():
                    time.sleep(0.4)
            finally:
                self.watching.release()


def job_board(job, steps=0):
    """Show the board of a job that ends at the shared step `steps`; 0: when somebody ends it."""
    IPython.display.display(JobBoard(job, steps).widget)
