# @title Pin, predict, run (run this; open it to see how it works)
# Three ops, a pin and a prediction for each; a button that really runs the graph and compares.
import ipywidgets as widgets
import tensorflow as tf
from solutions._shared.placement_picture import draw_placement
from solutions._shared.placement_record import placement_of, run_and_trace

READS = {"left": [], "right": [], "total": ["left", "right"]}
CHOICES = ["CPU:0", "CPU:1", "CPU:2", "CPU:3"]
PINS = [("no pin", "")] + [(name, name) for name in [*CHOICES, "CPU:9", "GPU:0"]]
GUESSES = (
    [("?", "")] + [(name, name) for name in [*CHOICES, "GPU:0"]] + [("the run fails", "error")]
)


def build_pinned(pins):
    """The graph of two matmuls and their sum, each op with the pin that was chosen ('' is none)."""
    with tf.Graph().as_default() as graph:
        made = {}
        for name, sources in READS.items():
            with tf.device(pins[name] and f"/device:{pins[name]}"):
                if sources:
                    made[name] = tf.add_n([made[source] for source in sources], name=name)
                else:
                    matrix = tf.constant([[1.0, 2], [3, 4]], name=f"{name}_in")
                    made[name] = tf.matmul(matrix, matrix, name=name)
    return graph


def compare(pins, guesses, placed):
    """The table below the picture: asked, predicted, placed, and whether that was right."""
    lines = [f"{'op':8}{'asked':10}{'predicted':12}{'placed':10}"]
    for name, pin in pins.items():
        mark = "✗ not so"
        if guesses[name] == "":
            mark = ""
        elif guesses[name] == placed[name]:
            mark = "✓ right"
        lines.append(f"{name:8}{pin or '-':10}{guesses[name] or '-':12}{placed[name]:10}{mark}")
    return "\n".join(lines)


def pin_and_run():
    """Show the widget. Nothing that it makes is used anywhere else."""
    wide = {"layout": {"width": "260px"}, "style": {"description_width": "90px"}}
    pin, guess = {}, {}
    for name in READS:
        pin[name] = widgets.Dropdown(options=PINS, description=f"pin {name}", **wide)
        guess[name] = widgets.Dropdown(options=GUESSES, description="I predict", **wide)
    soft = widgets.Checkbox(description="soft placement", indent=False)
    button = widgets.Button(description="Run the graph", button_style="primary")
    shown = widgets.Output()

    def run(_):
        pins = {name: box.value for name, box in pin.items()}
        guesses = {name: box.value for name, box in guess.items()}
        shown.clear_output(wait=True)
        with shown:
            try:
                metadata = run_and_trace(build_pinned(pins), "total:0", soft=soft.value)[1]
            except tf.errors.InvalidArgumentError as error:
                reason = error.message.splitlines()[-2].partition(" Make sure")[0]
                print("The run fails, so no op runs:", reason, "\n")
                placed = dict.fromkeys(READS, "error")
            else:
                draw_placement(metadata, "Where the ops were placed")
                placed = placement_of(metadata)
            print(compare(pins, guesses, placed))

    button.on_click(run)
    row_layout = widgets.Layout(
        flex_flow="row wrap"
    )  # narrow windows: the boxes go below each other
    rows = [widgets.HBox([pin[name], guess[name]], layout=row_layout) for name in READS]
    return widgets.VBox([*rows, widgets.HBox([soft, button]), shown])
