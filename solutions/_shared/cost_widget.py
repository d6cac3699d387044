#@title Cost model (run this; open it to see how it works)
# Seconds of a training step on n devices, from computing, bytes and links; drawn as a speed-up, with sliders.
import IPython.core.pylabtools, IPython.display, ipywidgets as widgets, matplotlib.figure

WAYS = {"all-reduce in a ring": ("#0072B2", "-", "o"), "parameter servers": ("#D55E00", "--", "s")}


def step_seconds(n, compute, parameters, gigabytes, way, servers=1, wire=4):
    """Seconds of a step on n devices; `compute` is what one device needs for the whole batch, `wire` bytes a number.

    A ring sends 2(n-1)/n of all bytes over each link; servers send and receive all of them once for each device."""
    link = parameters * wire / (gigabytes * 1e9)
    times = 2 * (n - 1) / n if way == "all-reduce in a ring" else 2 * n / servers if n > 1 else 0
    return compute / n + times * link


def speedups(counts, **job):
    """How much faster n devices are than one, for each n."""
    alone = step_seconds(1, **job)
    return [alone / step_seconds(n, **job) for n in counts]


def cost_figure(most=64, **job):
    """(figure, words) for the job: speed-up against the number of devices, for both ways."""
    figure, words, counts, top = matplotlib.figure.Figure((8.5, 3.8), layout="constrained"), [], range(1, most + 1), 3
    axes = figure.subplots()  # a figure of its own: widgets draw from another thread than pyplot's
    axes.plot(counts, counts, ":", color="#777777", label="ideal: n times as fast")
    for way, (color, line, marker) in WAYS.items():
        gains = speedups(counts, way=way, **job)
        best = max(counts, key=lambda n: (gains[n - 1], -n))
        axes.plot(counts, gains, line, color=color, lw=2, label=way)
        axes.plot(best, gains[best - 1], marker, color=color, markersize=9)
        side = "left" if best < most / 2 else "right"
        axes.annotate(f"best: {best}", (best, gains[best - 1]), (0, 8), textcoords="offset points", ha=side, color=color)
        top = max(top, 1.3 * gains[best - 1])
        words.append(f"{way}: most with {best} devices, {gains[best - 1]:.1f} times as fast; with 8, {gains[7]:.1f} times")
    axes.set(xlabel="devices", ylabel="speed-up (times)", ylim=(0, top), xlim=(1, most),
             title="The whole batch stays the same; more devices share it")
    axes.legend(loc="upper left")
    return figure, "In words: " + "; ".join(words) + "."


def draw_cost(**job):
    figure, words = cost_figure(**job)
    png = IPython.core.pylabtools.print_figure(figure, base64=True, dpi=85, bbox_inches=None)
    IPython.display.display({"image/png": png, "text/plain": words}, metadata={"image/png": {"alt": words}}, raw=True)
    print(words)


def choose_cost():
    """Show the widget."""
    look = {"continuous_update": False, "style": {"description_width": "270px"}, "layout": {"width": "600px"}}
    choose = lambda text, options, value: widgets.SelectionSlider(options=options, value=value, description=text, **look)
    job = {"compute": choose("seconds of one device for the batch", [0.1, 0.3, 1.0, 3.0, 10.0], 1.0),
           "parameters": choose("parameters (millions)", [(str(m), m * 1_000_000) for m in (1, 10, 25, 100, 1000)], 25_000_000),
           "gigabytes": choose("link (gigabytes a second)", [0.1, 1.25, 5.0, 12.5, 50.0, 200.0], 1.25),
           "servers": choose("parameter servers", [1, 2, 4, 8], 1),
           "wire": choose("on the wire", [("float32", 4), ("float16", 2)], 4)}
    return widgets.VBox([*job.values(), widgets.interactive_output(draw_cost, job)])
