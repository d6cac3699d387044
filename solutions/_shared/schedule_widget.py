#@title Set it, predict, run (run this; open it to see how it works)
# Layers, a limit, threads and a prediction; a button that really runs the graph, draws its record and compares.
import ipywidgets as widgets
import numpy as np
from solutions._shared.run_record import peak_bytes, run_recorded
from solutions._shared.schedule_picture import draw_schedule


def wait_for_limit(limit):
    """What `layers` wants: big_i waits for the step after which at most `limit` matrices may be alive (0: no limit)."""
    return lambda i, steps: steps[i - limit:i - limit + 1] if 0 < limit <= i else []


def compare(predicted, peaks):
    """The answer line: what was predicted, the peaks of three runs, and whether the first one was as predicted."""
    right = "✓ right" if predicted == round(peaks[0]) else "✗ not so"
    same = "the same" if len({round(peak) for peak in peaks}) == 1 else "not the same"
    return (f"Predicted {predicted} MiB, measured {peaks[0]:.1f} MiB: {right}. "
            f"Three runs gave {', '.join(f'{peak:.1f}' for peak in peaks)} MiB: {same} each time.")


def set_and_run(layers):
    """Show the widget. `layers(n, wait_for)` builds the graph; nothing that is made here is used anywhere else."""
    look = {"layout": {"width": "460px"}, "style": {"description_width": "210px"}}
    count = widgets.IntSlider(8, 2, 8, description="layers", **look)
    limit = widgets.IntSlider(0, 0, 8, description="matrices alive, 0: any number", **look)
    threads = widgets.IntSlider(2, 1, 4, description="inter-op threads", **look)
    guess = widgets.IntSlider(1, 1, 8, description="I predict a peak of (MiB)", **look)
    button, shown = widgets.Button(description="Run the graph", button_style="primary"), widgets.Output()

    def run(_):
        shown.clear_output(wait=True)
        graph, last = layers(count.value, wait_for_limit(limit.value)), f"step_{count.value - 1}:0"
        feed = {"x:0": np.ones([512, 1], np.float32), "scale:0": np.float32(1 / 512)}
        runs = [run_recorded(graph, last, feed, threads.value)[1] for _ in range(4)][1:]
        with shown:
            title = f"At most {limit.value} alive" if limit.value else "No limit"
            draw_schedule(runs[0], f"{title}, {threads.value} inter-op threads")
            print(compare(guess.value, [peak_bytes(metadata) / 2**20 for metadata in runs]))

    button.on_click(run)
    return widgets.VBox([count, limit, threads, guess, button, shown])
