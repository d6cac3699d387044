#@title Pin, predict, run (run this; open it to see how it works)
# Three ops, a pin and a prediction for each; a button that really runs the graph and compares.
import ipywidgets as widgets
import tensorflow as tf
from solutions._shared.placement_picture import draw_placement
from solutions._shared.placement_record import placement_of, run_and_trace

READS = {"left": [], "right": [], "total": ["left", "right"]}
DEVICES = ["CPU:0", "CPU:1", "CPU:2", "CPU:3"]
ASK = [("no pin", ""), *((name, name) for name in [*DEVICES, "CPU:9", "GPU:0"])]


def build_pinned(pins):
    """The graph of two matmuls and their sum, each op under the pin that was chosen ('' is none)."""
    with tf.Graph().as_default() as graph:
        made = {}
        for name, sources in READS.items():
            with tf.device(pins[name] and f"/device:{pins[name]}"):
                values = [made[source] for source in sources] or tf.constant([[1., 2], [3, 4]], name=f"{name}_in")
                made[name] = tf.add_n(values, name=name) if sources else tf.matmul(values, values, name=name)
    return graph


def compare(pins, guesses, placed):
    """The table below the picture, as text: asked, predicted, placed, and whether the prediction was right."""
    lines = [f"{'op':8}{'asked':10}{'predicted':12}{'placed':10}"]
    for name, pin in pins.items():
        mark = {"": "", placed[name]: "✓ right"}.get(guesses[name], "✗ not so")
        lines.append(f"{name:8}{pin or '-':10}{guesses[name] or '-':12}{placed[name]:10}{mark}")
    return "\n".join(lines)


def pin_and_run():
    """Show the widget. Nothing that it makes is used anywhere else."""
    wide = {"layout": {"width": "260px"}, "style": {"description_width": "90px"}}
    answers = [("?", ""), *((name, name) for name in [*DEVICES, "GPU:0"]), ("the run fails", "error")]
    pin = {name: widgets.Dropdown(options=ASK, description=f"pin {name}", **wide) for name in READS}
    guess = {name: widgets.Dropdown(options=answers, description="I predict", **wide) for name in READS}
    soft = widgets.Checkbox(description="soft placement", indent=False)
    button, shown = widgets.Button(description="Run the graph", button_style="primary"), widgets.Output()

    def run(_):
        pins, guesses = ({name: box.value for name, box in boxes.items()} for boxes in (pin, guess))
        shown.clear_output(wait=True)
        with shown:
            try:
                placed = dict.fromkeys(READS, "error")
                metadata = run_and_trace(build_pinned(pins), "total:0", soft=soft.value)[1]
                placed = placement_of(metadata)
                draw_placement(metadata, "Where the ops were placed")
            except tf.errors.InvalidArgumentError as error:
                print("The run fails, so no op runs:", error.message.splitlines()[-2].partition(" Make sure")[0], "\n")
            print(compare(pins, guesses, placed))

    button.on_click(run)
    rows = [widgets.HBox([pin[name], guess[name]]) for name in READS]
    return widgets.VBox([*rows, widgets.HBox([soft, button]), shown])
