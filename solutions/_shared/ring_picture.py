# @title Picture of the ring (run this too)
import math

import matplotlib.figure
from solutions._shared.figures import PALETTE, show


def place(i, n):
    """Where worker i of n is drawn: on a circle, the first at the top, clockwise."""
    angle = math.pi / 2 - 2 * math.pi * i / n
    return math.cos(angle), math.sin(angle)


def draw_step(axes, messages, step):
    """One step of the ring: an arrow for each message, with the numbers that it carries."""
    n = len(messages)
    for i in range(n):
        start, end = place(i, n), place((i + 1) % n, n)
        axes.text(*start, str(i), ha="center", va="center", color="white", zorder=3)
        axes.scatter(*start, s=420, color=PALETTE["blue"], zorder=2)
        if step >= len(messages[i]):
            continue
        arrow = {"arrowstyle": "->", "color": PALETTE["ink"], "shrinkA": 12, "shrinkB": 12}
        axes.annotate("", end, start, arrowprops={**arrow, "connectionstyle": "arc3,rad=-0.25"})
        label = " ".join(f"{value:g}" for value in messages[i][step])
        middle = [1.5 * (a + b) / 2 for a, b in zip(start, end, strict=True)]
        axes.text(*middle, label, ha="center", va="center", fontsize=8)
    axes.set(xlim=(-1.9, 1.9), ylim=(-1.5, 1.5), aspect="equal", title=f"step {step + 1}")
    axes.axis("off")


def draw_ring(messages):
    """All steps of a ring side by side, from the messages that its workers sent.

    Args:
        messages: for each worker, the arrays that it sent, in order.
    """
    steps = max(len(mine) for mine in messages)
    figure = matplotlib.figure.Figure((2.6 * max(steps, 1), 2.4), layout="constrained")
    panels = figure.subplots(1, max(steps, 1), squeeze=False)[0]
    words = []
    for step, axes in enumerate(panels[:steps]):
        draw_step(axes, messages, step)
        sent = [
            f"{i} sends {' '.join(f'{value:g}' for value in mine[step])}"
            for i, mine in enumerate(messages)
            if step < len(mine)
        ]
        words.append(f"Step {step + 1}: {', '.join(sent)}.")
    show(figure, " ".join(words))
