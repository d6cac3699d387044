# @title Processes on a card (run this; open it to see how it works)
"""Works out, from TensorFlow's own rules, what each process takes of a card. No process runs and
no card is used.
"""

import ipywidgets as widgets
from solutions._shared.memory_picture import draw_memory

# MiB that CUDA itself takes for each process on a card: an example, cards and drivers differ
CONTEXT = 400
RULES = ["nothing is set", "fraction", "growth"]


def reserve(free):
    """MiB that a process leaves alone if nothing is set (compute capability 8)."""
    return 225 if free < 2048 else 1536


def asked_by(rule, card, free, need, fraction):
    """MiB that a process asks for when it starts, or, with growth, in the end."""
    if rule == "fraction":
        return int(card * fraction)
    if rule == "growth":
        return need
    return free - reserve(free) if free > reserve(free) else free


def start_processes(card, need, rule, fraction, count):
    """Start `count` processes one after the other; each has tensors of `need` MiB.

    Returns a list of (taken, fate): MiB beside its context, and "runs", "dies later" or "dies at
    start".
    """
    free = card
    started = []
    for _ in range(count):
        if free < CONTEXT:  # not even a context fits
            started.append((0, "dies at start"))
            continue
        free -= CONTEXT
        taken = min(asked_by(rule, card, free, need, fraction), free)
        started.append((taken, "runs" if taken >= need else "dies later"))
        free -= taken
    return started


def sentence(number, taken, fate, need):
    """What becomes of one process."""
    if fate == "runs":
        return f"Process {number} has {taken} MiB and needs {need}: it runs."
    if fate == "dies at start":
        return f"Process {number} finds no room for its context: it dies at start."
    fate_in_words = "it starts, and dies when its tensors are full"
    return f"Process {number} has {taken} MiB and needs {need}: {fate_in_words}."


def show_packed_card(card, need, rule, fraction, count):
    """The picture of the card, and a sentence for each process."""
    started = start_processes(card, need, rule, fraction, count)
    pieces = {}
    place = 0
    for i, (taken, fate) in enumerate(started, start=1):
        if fate != "dies at start":
            pieces[f"c{i}"] = (place, CONTEXT)
            pieces[f"p{i}"] = (place + CONTEXT, taken)
            place += CONTEXT + taken
    title = f"{rule} {fraction:g}" if rule == "fraction" else rule
    draw_memory(
        [("the card", pieces)], card, f"{title}; p: a process, grey: a CUDA context", words=False
    )
    for i, (taken, fate) in enumerate(started, start=1):
        print(sentence(i, taken, fate, need))
    running = sum(fate == "runs" for _, fate in started)
    print(f"{running} of {count} run. {card - place} MiB are left.")


def slider(kind, value, low, high, step, name):
    """A slider with its name in front, which waits until it is let go."""
    return kind(
        value,
        min=low,
        max=high,
        step=step,
        description=name,
        style={"description_width": "170px"},
        layout={"width": "480px"},
        continuous_update=False,
    )


def pack_card():
    """Show the widget. Nothing that it makes is used anywhere else."""
    card = slider(widgets.IntSlider, 16384, 4096, 81920, 4096, "card (MiB)")
    need = slider(widgets.IntSlider, 3000, 500, 20000, 500, "each needs (MiB)")
    count = slider(widgets.IntSlider, 2, 1, 6, 1, "processes")
    fraction = slider(widgets.FloatSlider, 0.3, 0.05, 1, 0.05, "fraction")
    rule = widgets.ToggleButtons(options=RULES, description="what is set", layout={"width": "auto"})
    rule.style.description_width = "170px"
    rule.add_class("widget-inline-hbox")  # its label is in line with those of the sliders
    settings = {"card": card, "need": need, "rule": rule, "fraction": fraction, "count": count}
    shown = widgets.interactive_output(show_packed_card, settings)
    return widgets.VBox([rule, card, need, count, fraction, shown])
