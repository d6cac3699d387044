# @title Job timeline (run this; open it to see how it works)
# Draws what the workers of a training job noted: each step, the shared step over time, deaths and recoveries.
import matplotlib.pyplot as plt
from solutions._shared.figures import PALETTE, show
from solutions._shared.job_board import job_events

STYLES = [
    (PALETTE["blue"], "o"),
    (PALETTE["orange"], "s"),
    (PALETTE["green"], "^"),
    (PALETTE["purple"], "D"),
    (PALETTE["red"], "v"),
    (PALETTE["sky"], "P"),
]


def lost_steps(events):
    """[(seconds, from, to)]: where the shared step fell back to an older checkpoint."""
    made = [event for event in events if "step" in event]
    found, highest = [], 0
    for before, now in zip(made, made[1:], strict=False):
        highest = max(highest, before["step"])
        if now["step"] < highest - 10:  # a few less is only the order in which the workers wrote
            found.append((now["end"], highest, now["step"]))
            highest = 0
    return found


def new_lives(events):
    """[(seconds, worker)]: when a worker's own count began anew, after its first start."""
    seen, found = set(), []
    for event in events:
        if event.get("own") == 1:
            if event["who"] in seen:
                found.append((event["end"], event["who"]))
            seen.add(event["who"])
    return found


def timeline_in_words(events, first):
    """What the picture shows, as one sentence."""
    stale = [event["stale"] for event in events if event.get("stale", -1) >= 0]
    mean = sum(stale) / max(1, len(stale))
    words = [
        f"{len(stale)} steps, on average {mean:.1f} updates stale, at most {max(stale, default=0)}"
    ]
    for moment, who in new_lives(events):
        words.append(f"{who} began anew after {moment - first:.1f} s")
    for moment, high, low in lost_steps(events):
        words.append(f"after {moment - first:.1f} s back from step {high} to {low}")
    return f"In words: {'; '.join(words)}."


def draw_steps(above, below, events, names, first):
    """The shared step over time, and a bar for each step of each worker."""
    for row, (who, (colour, marker)) in enumerate(zip(names, STYLES, strict=False)):
        mine = [event for event in events if event["who"] == who]
        made = [event for event in mine if "step" in event]
        seconds = [event["end"] - first for event in made]
        steps = [event["step"] for event in made]
        look = {"ls": "", "marker": marker, "markersize": 4, "markevery": 3, "color": colour}
        above.plot(seconds, steps, label=who, **look)
        bars = [(event["start"] - first, event["end"] - event["start"]) for event in made]
        below.broken_barh(bars, (row - 0.35, 0.7), color=colour, ec="white", lw=0.3)
        errors = [event["end"] - first for event in mine if "error" in event]
        below.plot(errors, [row] * len(errors), "kX", markersize=9, mec="white")
    below.plot([], [], "kX", label="error, survived")


def draw_deaths(above, below, events, names, first):
    """Where the shared step fell back, and where a worker began anew."""
    for moment, high, low in lost_steps(events):
        place = {"xytext": (12, -4), "textcoords": "offset points", "va": "top"}
        above.annotate(f"back from {high} to {low}", (moment - first, low), **place)
        above.axvline(moment - first, color="black", ls=":", lw=1)
    for moment, who in new_lives(events):
        place = {
            "xytext": (0, -1),
            "textcoords": "offset points",
            "ha": "center",
            "va": "top",
            "fontsize": 8,
        }
        below.annotate("new life", (moment - first, names.index(who) + 0.35), **place)


def draw_job(job, title="", seconds=60):
    """Draw the last `seconds` of a job, then say the same in words."""
    events = job_events(job)
    events = [event for event in events if event["end"] > events[-1]["end"] - seconds]
    names = sorted({event["who"] for event in events})
    first = min(event.get("start", event["end"]) for event in events)
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(8.5, 4.6), sharex=True, height_ratios=(3, 2), layout="constrained"
    )
    draw_steps(above, below, events, names, first)
    draw_deaths(above, below, events, names, first)
    for axes in (above, below):
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    above.set(ylabel="shared step", title=title)
    ticks = {"yticks": range(len(names)), "yticklabels": names, "ylim": (len(names) - 0.3, -0.6)}
    below.set(xlabel="seconds since the first step shown", ylabel="steps of", **ticks)
    words = timeline_in_words(events, first)
    show(figure, f"Two panels over time: the shared step, and each worker's steps. {words}")
    print(words)
