"""Layers, a limit, threads, a prediction; a button that really runs the graph and compares."""

import ipywidgets as widgets
import numpy as np
from solutions._shared.run_record import peak_bytes, run_recorded
from solutions._shared.schedule_picture import draw_schedule


def wait_for_limit(limit):
    """What `layers` wants: which step big_i waits for, so that at most `limit` matrices are alive.

    0 means no limit.
    """

    def wait_for(i, steps):
        if limit == 0 or i < limit:
            return []
        return steps[i - limit : i - limit + 1]

    return wait_for


def compare(predicted, peaks):
    """The answer line: the prediction, three peaks, and whether the first one agrees."""
    right = "✓ right" if predicted == round(peaks[0]) else "✗ not so"
    same = "the same" if len({round(peak) for peak in peaks}) == 1 else "not the same"
    three = ", ".join(f"{peak:.1f}" for peak in peaks)
    return (
        f"Predicted {predicted} MiB, measured {peaks[0]:.1f} MiB: {right}. "
        f"Three runs gave {three} MiB: {same} each time."
    )


def set_and_run(layers):
    """Show the widget. `layers(n, wait_for)` builds the graph."""

    def slider(value, low, high, text):
        return widgets.IntSlider(
            value,
            low,
            high,
            description=text,
            layout={"width": "460px"},
            style={"description_width": "210px"},
        )

    count = slider(8, 2, 8, "layers")
    limit = slider(0, 0, 8, "matrices alive, 0: any number")
    threads = slider(2, 1, 4, "inter-op threads")
    guess = slider(1, 1, 8, "I predict a peak of (MiB)")
    button = widgets.Button(description="Run the graph", button_style="primary")
    shown = widgets.Output()

    def run(_):
        shown.clear_output(wait=True)
        n = count.value
        graph = layers(n, wait_for_limit(limit.value))
        feed = {"x:0": np.ones([512, 1], np.float32), "scales:0": np.full(n, 1 / 512, np.float32)}
        runs = []
        for _ in range(4):
            runs.append(run_recorded(graph, f"step_{n - 1}:0", feed, threads.value)[1])
        runs = runs[1:]  # the first run also starts threads
        with shown:
            title = f"At most {limit.value} alive" if limit.value else "No limit"
            draw_schedule(runs[0], f"{title}, {threads.value} inter-op threads")
            print(compare(guess.value, [peak_bytes(metadata) / 2**20 for metadata in runs]))

    button.on_click(run)
    return widgets.VBox([count, limit, threads, guess, button, shown])
