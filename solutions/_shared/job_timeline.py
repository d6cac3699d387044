#@title Job timeline (run this; open it to see how it works)
# Draws what the workers of a training job noted: each step, the shared step over time, deaths and recoveries.
import IPython.core.pylabtools, IPython.display, matplotlib.pyplot as plt
from solutions._shared.job_board import job_events

WORKERS = [("#0072B2", "o"), ("#E69F00", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#D55E00", "v"), ("#56B4E9", "P")]

def lost_steps(events):
    """[(seconds, from, to)]: where the shared step fell back to an older checkpoint."""
    made, found, highest = [event for event in events if "step" in event], [], 0
    for before, now in zip(made, made[1:]):
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

def draw_job(job, title=""):
    """Above: the shared step over time. Below: a bar for each step of each worker. Then the same in words."""
    events = job_events(job)
    names, first = sorted({event["who"] for event in events}), min(event.get("start", event["end"]) for event in events)
    figure = plt.Figure((9, 4.6), layout="constrained")  # not one of pyplot's: a widget's thread may draw too
    top, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    for row, (who, (color, marker)) in enumerate(zip(names, WORKERS)):
        mine = [event for event in events if event["who"] == who]
        made = [event for event in mine if "step" in event]
        top.plot([event["end"] - first for event in made], [event["step"] for event in made], ls="", marker=marker,
                 markersize=4, markevery=3, color=color, label=who)
        below.broken_barh([(event["start"] - first, event["end"] - event["start"]) for event in made], (row - 0.35, 0.7), color=color, ec="white", lw=0.3)
        errors = [event["end"] - first for event in mine if "error" in event]
        below.plot(errors, [row] * len(errors), "kX", markersize=9, mec="white")
    for moment, high, low in lost_steps(events):
        top.annotate(f"back from {high} to {low}", (moment - first, low), (12, -4), textcoords="offset points", va="top")
        top.axvline(moment - first, color="black", ls=":", lw=1)
    for moment, who in new_lives(events):
        below.annotate("new life", (moment - first, names.index(who) + 0.35), (0, -1), textcoords="offset points", ha="center", va="top", fontsize=8)
    below.plot([], [], "kX", label="error, survived"), below.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    top.set(ylabel="shared step", title=title), top.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    below.set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.3, -0.6), xlabel="seconds since the first step began", ylabel="steps of")
    stale = [event["stale"] for event in events if "stale" in event and event["stale"] >= 0]
    words = "; ".join([f"In words: {len(stale)} steps, on average {sum(stale) / max(1, len(stale)):.1f} updates stale, at most {max(stale, default=0)}"]
                      + [f"{who} began anew after {moment - first:.1f} s" for moment, who in new_lives(events)]
                      + [f"after {moment - first:.1f} s back from step {high} to {low}" for moment, high, low in lost_steps(events)]) + "."
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)
