#@title Processes on a card (run this; open it to see how it works)
# Works out, from TensorFlow's own rules, what each process takes of a card. No process runs and no card is used.
import ipywidgets as widgets
from solutions._shared.memory_picture import draw_memory

CONTEXT = 400  # MiB that CUDA itself takes for each process on a card: an example, cards and drivers differ
RULES = ["nothing is set", "fraction", "growth"]


def reserve(free):
    """MiB that a process leaves alone if nothing is set (compute capability 8)."""
    return 225 if free < 2048 else 1536


def start_processes(card, need, rule, fraction, count):
    """Start `count` processes one after the other; each has tensors of `need` MiB.

    Returns a list of (taken, fate): MiB beside its context, and "runs", "dies later" or "dies at start".
    """
    free, started = card, []
    for _ in range(count):
        if free < CONTEXT:  # not even a context fits
            started.append((0, "dies at start"))
            continue
        free -= CONTEXT
        asked = {"nothing is set": free - reserve(free) if free > reserve(free) else free,
                 "fraction": int(card * fraction), "growth": need}[rule]
        taken = min(asked, free)
        started.append((taken, "runs" if taken >= need else "dies later"))
        free -= taken
    return started


def show_card(card, need, rule, fraction, count):
    """The picture of the card, and a sentence for each process."""
    started, pieces, place = start_processes(card, need, rule, fraction, count), {}, 0
    for i, (taken, fate) in enumerate(started, start=1):
        if fate != "dies at start":
            pieces[f"c{i}"], pieces[f"p{i}"] = (place, CONTEXT), (place + CONTEXT, taken)
            place += CONTEXT + taken
    draw_memory([("the card", pieces)], card, f"{rule}{f' {fraction:g}' * (rule == 'fraction')}; p: a process, grey: a CUDA context", words=False)
    for i, (taken, fate) in enumerate(started, start=1):
        why = {"runs": f"has {taken} MiB and needs {need}: it runs", "dies at start": "finds no room for its context: it dies at start",
               "dies later": f"has {taken} MiB and needs {need}: it starts, and dies when its tensors are full"}[fate]
        print(f"Process {i} {why}.")
    print(f"{sum(fate == 'runs' for _, fate in started)} of {count} run. {card - place} MiB are left.")


def pack_card():
    """Show the widget. Nothing that it makes is used anywhere else."""
    wide = {"style": {"description_width": "170px"}, "layout": {"width": "480px"}, "continuous_update": False}
    card = widgets.IntSlider(16384, 4096, 81920, 4096, description="card (MiB)", **wide)
    need = widgets.IntSlider(3000, 500, 20000, 500, description="each needs (MiB)", **wide)
    count = widgets.IntSlider(2, 1, 6, description="processes", **wide)
    fraction = widgets.FloatSlider(0.3, min=0.05, max=1, step=0.05, description="fraction", **wide)
    rule = widgets.ToggleButtons(options=RULES, description="what is set", style=wide["style"], layout={"width": "auto"})
    rule.add_class("widget-inline-hbox")  # its label stands in line with those of the sliders
    shown = widgets.interactive_output(show_card, dict(card=card, need=need, rule=rule, fraction=fraction, count=count))
    return widgets.VBox([rule, card, need, count, fraction, shown])
