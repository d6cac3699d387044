#@title Cluster picture (run this; open it to see how it works)
# Draws who of a cluster is alive; `watch` shows the same with buttons that kill and start real tasks.
import ipywidgets as widgets
import IPython.core.pylabtools, IPython.display, matplotlib.pyplot as plt
from solutions._shared.cluster_processes import ClusterError

LOOKS = {"answers": ("✓", "#009E73", "", "-"), "runs": ("…", "#0072B2", "...", "-"), "killed": ("✗", "#D55E00", "///", "--"),
         "ended": ("■", "#CC79A7", "xxx", "--"), "not": ("○", "#555555", "", ":")}

def draw_alive(cluster, title=""):
    """A row for each job, a box for each task; then the same in words."""
    states, jobs = cluster.alive(), list(cluster.spec)
    wide = max(len(tasks) for tasks in cluster.spec.values())
    figure = plt.Figure((2.1 + 1.9 * wide, 0.95 * len(jobs) + 0.4), layout="constrained")  # not one of pyplot's: a widget's thread may draw too
    axes = figure.subplots()
    for task, state in states.items():
        (job, index), (mark, color, hatch, line) = task.split("/"), LOOKS[state.replace(",", "").split(" ")[0]]
        x, y = int(index), jobs.index(job)
        axes.add_patch(plt.Rectangle((x + 0.05, y + 0.1), 0.9, 0.8, fc="white", ec=color, hatch=hatch, ls=line, lw=2.2))
        axes.text(x + 0.5, y + 0.5, f"{mark} {task}\n{state}", ha="center", va="center", fontsize=9, bbox={"fc": "white", "ec": "none", "pad": 1.5})
    for row, job in enumerate(jobs):
        axes.text(-0.08, row + 0.5, f"job {job}", ha="right", va="center", weight="bold")
    axes.set(xlim=(-0.75, wide), ylim=(len(jobs), 0), title=title)
    axes.axis("off")
    words = "In words: " + "; ".join(f"{task} {state}" for task, state in states.items()) + "."
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)

def watch(cluster, probe=None):
    """Buttons to kill and to start each task. After each click it also calls `probe()`."""
    shown, rows = widgets.Output(), []

    def act(do, task):
        shown.clear_output(wait=True)
        with shown:
            try:
                do(task)
            except ClusterError as error:
                print(error)
            draw_alive(cluster)
            if probe:
                probe()

    for task in cluster.tasks:
        buttons = []
        for word, do in (("kill", cluster.kill), ("start", cluster.start)):
            button = widgets.Button(description=f"{word} {task}", layout={"width": "130px"})
            button.on_click(lambda _, do=do, task=task: act(do, task))
            buttons.append(button)
        rows.append(widgets.HBox(buttons))
    act(lambda task: None, "")
    return widgets.VBox([*rows, shown])
