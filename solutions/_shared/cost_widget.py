# @title Cost model (run this; open it to see how it works)
# Seconds of a training step on n devices, from computing, bytes and links; drawn as a speed-up,
# with sliders.
import ipywidgets as widgets
import matplotlib.figure
from solutions._shared.figures import PALETTE, show

RING = "all-reduce in a ring"
SERVERS = "parameter servers"
WAYS = {RING: ("blue", "-", "o"), SERVERS: ("orange", "--", "s")}
BATCHES = {
    "global": "The whole batch stays the same; more devices share it",
    "local": "Each device keeps its batch; more devices make the whole batch larger",
}


def step_seconds(
    n, compute, parameters, gigabytes, way, servers=1, wire=4, fixed="global", overlap=0.0
):
    """Seconds of a step on n devices.

    `compute` is what one device needs for its batch, `wire` the bytes of a number that travels.
    With fixed="global" the batch is shared by all devices, with fixed="local" each has as many rows
    as one device alone. `overlap` is the share of the computing during which gradients travel
    already. A ring sends 2(n-1)/n of all bytes over each link; servers send and receive all of them
    once for each device.
    """
    link = parameters * wire / (gigabytes * 1e9)
    if n == 1:
        times = 0
    elif way == RING:
        times = 2 * (n - 1) / n
    else:
        times = 2 * n / servers
    computing = compute / n if fixed == "global" else compute
    return computing + max(0.0, times * link - overlap * computing)


def speedups(counts, fixed="global", **job):
    """How many times as many rows a second n devices work through as one, for each n."""
    alone = step_seconds(1, fixed=fixed, **job)
    rows = [1 if fixed == "global" else n for n in counts]
    seconds = [step_seconds(n, fixed=fixed, **job) for n in counts]
    return [many * alone / taken for many, taken in zip(rows, seconds, strict=True)]


def cost_figure(most=64, **job):
    """(figure, words) for the job: speed-up against the number of devices, for both ways."""
    counts = range(1, most + 1)
    figure = matplotlib.figure.Figure(
        (8.5, 3.8), layout="constrained"
    )  # widgets draw from another thread than pyplot
    axes = figure.subplots()
    axes.plot(counts, counts, ":", color=PALETTE["grey"], label="ideal: n times as fast")
    highest = 3
    words = []
    for way, (name, line, marker) in WAYS.items():
        color = PALETTE[name]
        gains = speedups(counts, way=way, **job)
        best = max(counts, key=lambda n: (gains[n - 1], -n))
        axes.plot(counts, gains, line, color=color, lw=2, label=way)
        axes.plot(best, gains[best - 1], marker, color=color, markersize=9)
        side = "left" if best < most / 2 else "right"
        place = (best, gains[best - 1])
        axes.annotate(
            f"best: {best}", place, (0, 8), textcoords="offset points", ha=side, color=color
        )
        highest = max(highest, 1.3 * gains[best - 1])
        eight = gains[min(8, most) - 1]
        words.append(
            f"{way}: most with {best} devices, {gains[best - 1]:.1f} times as fast; "
            f"with 8, {eight:.1f} times"
        )
    title = BATCHES[job.get("fixed", "global")]
    axes.set(
        xlabel="devices", ylabel="speed-up (times)", ylim=(0, highest), xlim=(1, most), title=title
    )
    axes.legend(loc="upper left")
    return figure, "In words: " + "; ".join(words) + "."


def draw_cost(**job):
    """Show the figure of a job, with its words as alternative text, and print them."""
    figure, words = cost_figure(**job)
    show(figure, words)
    print(words)


def slider(text, options, value):
    """A slider over a few values."""
    return widgets.SelectionSlider(
        options=options,
        value=value,
        description=text,
        continuous_update=False,
        style={"description_width": "270px"},
        layout={"width": "600px"},
    )


def choose_cost():
    """Show the widget."""
    millions = [(str(m), m * 1_000_000) for m in (1, 10, 25, 100, 500, 1000)]
    overlaps = [("none", 0.0), ("a third", 1 / 3), ("two thirds", 2 / 3)]
    kept = [("the whole batch", "global"), ("the batch of each device", "local")]
    job = {
        "compute": slider(
            "seconds of one device for its batch", [0.1, 0.3, 1.0, 2.0, 3.0, 10.0], 1.0
        ),
        "parameters": slider("parameters (millions)", millions, 25_000_000),
        "gigabytes": slider("link (gigabytes a second)", [0.1, 1.25, 5.0, 12.5, 50.0, 200.0], 1.25),
        "servers": slider("parameter servers", [1, 2, 4, 8], 1),
        "wire": slider("on the wire", [("float32", 4), ("float16", 2)], 4),
        "fixed": slider("what stays the same", kept, "global"),
        "overlap": slider("computing during which gradients travel", overlaps, 0.0),
    }
    return widgets.VBox([*job.values(), widgets.interactive_output(draw_cost, job)])
