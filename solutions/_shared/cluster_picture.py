# @title Cluster picture (run this; open it to see how it works)
"""Draws who of a cluster answers; `watch_cluster` shows the same with buttons that do something to real tasks."""

import ipywidgets as widgets
import matplotlib.pyplot as plt
from solutions._shared.cluster_processes import ClusterError
from solutions._shared.figures import PALETTE, show

# The first word of a state: its sign, colour, hatch and line.
STATE_LOOKS = {
    "answers": ("✓", "green", "", "-"),
    "runs": ("…", "blue", "...", "-"),
    "connects": ("…", "blue", "ooo", "-."),
    "cannot": ("?", "purple", "+++", ":"),
    "killed": ("✗", "red", "///", "--"),
    "ended": ("■", "purple", "xxx", "--"),
    "not": ("○", "grey", "", ":"),
}
ACTIONS = ("kill", "start", "freeze", "thaw")


def draw_task(axes, x, y, task, state):
    """One box: sign and words, and a frame that is told apart without colour too."""
    sign, color, hatch, line = STATE_LOOKS[state.replace(",", "").split(" ")[0]]
    edge = PALETTE[color]
    box = plt.Rectangle((x + 0.05, y + 0.1), 0.9, 0.8, fc="white", ec=edge, hatch=hatch, ls=line)
    box.set_linewidth(2.2)
    axes.add_patch(box)
    label = f"{sign} {task}\n{state}"
    paper = {"fc": "white", "ec": "none", "pad": 1.5}
    axes.text(x + 0.5, y + 0.5, label, ha="center", va="center", fontsize=9, bbox=paper)


def draw_alive(cluster, title=""):
    """A row for each job, a box for each task."""
    states = cluster.alive()
    jobs = list(cluster.spec)
    wide = max(len(tasks) for tasks in cluster.spec.values())
    # not one of pyplot's figures: a widget's thread may draw too
    figure = plt.Figure((2.1 + 1.9 * wide, 0.95 * len(jobs) + 0.4), layout="constrained")
    axes = figure.subplots()
    for task, state in states.items():
        job, index = task.split("/")
        draw_task(axes, int(index), jobs.index(job), task, state)
    for row, job in enumerate(jobs):
        axes.text(-0.08, row + 0.5, f"job {job}", ha="right", va="center", weight="bold")
    axes.set(xlim=(-0.75, wide), ylim=(len(jobs), 0), title=title)
    axes.axis("off")
    words = "; ".join(f"{task} {state}" for task, state in states.items())
    show(figure, f"The tasks of the cluster: {words}.")


def buttons_of(cluster, task, act):
    """A row of buttons for one task."""
    buttons = []
    for word in ACTIONS:
        button = widgets.Button(description=f"{word} {task}", layout={"width": "130px"})
        do = getattr(cluster, word)
        button.on_click(lambda _, do=do: act(do, task))
        buttons.append(button)
    return widgets.HBox(buttons, layout={"flex_flow": "row wrap"})


def watch_cluster(cluster, probe=None):
    """Buttons to kill, start, freeze and thaw each task. After each click it also calls `probe()`."""
    shown = widgets.Output()

    def act(do, *tasks):
        shown.clear_output(wait=True)
        with shown:
            try:
                do(*tasks)
            except ClusterError as error:
                print(error)
            draw_alive(cluster)
            if probe:
                probe()

    rows = [buttons_of(cluster, task, act) for task in cluster.tasks]
    act(lambda: None)
    return widgets.VBox([*rows, shown])
