#@title Job board (run this; open it to see how it works)
# Watches a training job while it runs: who lives, own steps, staleness, last error; with buttons that kill and start.
import glob, html, json, pathlib, threading, time
import ipywidgets as widgets
import IPython.display

MARKS = {"answers": ("✓", "#009E73"), "runs": ("…", "#0072B2"), "killed": ("✗", "#D55E00"), "ended": ("■", "#6a3d7c"), "not": ("○", "#555555")}

def job_events(job):
    """What the workers have noted, by time: dicts with "who", "end" and either "step", "own", "stale", "start", or "error"."""
    events = []
    for path in glob.glob(f"{job.records}/events-*.jsonl"):
        who = f"worker/{path.rpartition('-')[2].partition('.')[0]}"
        for line in pathlib.Path(path).read_text().splitlines(keepends=True):
            if line.endswith("}\n"):  # the last line may be half written
                events.append({"who": who, **json.loads(line)})
    return sorted(events, key=lambda event: event["end"])

def board_picture(states, events, steps):
    """The board as SVG text: the shared step, then a row for each task."""
    made = [event for event in events if "step" in event]
    shared, most = made[-1]["step"] if made else 0, max([event["own"] for event in made], default=1)
    text = lambda x, y, words, more="": f'<text x="{x}" y="{y}" {more}>{html.escape(str(words))}</text>'
    box = lambda x, y, wide, color: f'<rect x="{x}" y="{y}" width="{wide:.0f}" height="14" fill="{color}"/>'
    parts = [text(8, 20, f"shared step {shared} of {steps}", 'font-weight="bold"'), box(200, 9, 540, "#e6e6e6"),
             box(200, 9, 540 * min(1, shared / steps), "#0072B2"), *(text(x, 46, words, 'fill="#555555"') for x, words in
             ((8, "task"), (90, "state"), (240, "own steps since its start"), (460, "staleness"), (560, "last error")))]
    for row, (task, state) in enumerate(states.items()):
        y, (mark, color) = 68 + 22 * row, MARKS[state.replace(",", "").split(" ")[0]]
        mine = [event for event in reversed(events) if event["who"] == task]
        last, error = next((event for event in mine if "step" in event), None), next((event["error"] for event in mine if "error" in event), "")
        parts += [text(8, y, task, 'font-weight="bold"'), text(90, y, f"{mark} {state}", f'fill="{color}"'), text(560, y, error)]
        if last:
            parts += [box(240, y - 11, max(1, 140 * last["own"] / most), "#56B4E9"), text(390, y, last["own"]), text(480, y, last["stale"])]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 750 {60 + 22 * len(states)}" width="750" font-family="sans-serif" '
            f'font-size="13"><rect width="750" height="100%" fill="white"/>{"".join(parts)}</svg>')

def job_board(job, steps, seconds=120):
    """Show the board, and keep it fresh until all tasks have ended, or `seconds` after the last click."""
    picture, rows, watch = widgets.HTML(), [], {}

    def look():
        states = job.alive()
        picture.value = board_picture(states, job_events(job), steps)
        return any(state.startswith(("answers", "runs")) for state in states.values())

    def keep_looking(until):
        while time.monotonic() < until and watch.get("last") == until and look():  # until a later click
            time.sleep(0.25)

    def follow():
        watch["last"] = time.monotonic() + seconds
        threading.Thread(target=keep_looking, args=[watch["last"]], daemon=True).start()

    for word, do in (("kill", job.kill), ("start", lambda task: job.start(task, wait=False))):
        buttons = [widgets.Button(description=f"{word} {task}", layout={"width": "130px"}) for task in job.tasks]
        [button.on_click(lambda _, do=do, task=task: (do(task), look(), follow())) for button, task in zip(buttons, job.tasks)]
        rows.append(widgets.HBox(buttons, layout={"flex_flow": "row wrap"}))
    look(), follow()
    IPython.display.display(widgets.VBox([picture, *rows]))
