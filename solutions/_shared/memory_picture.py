# @title Memory picture (run this; open it to see how it works)
"""Draws a memory from its first to its last address.

A row for each moment, a box for each piece that is taken, white where it is free.
"""

import matplotlib.figure
from solutions._shared.figures import PALETTE, show

LOOKS = [
    (PALETTE["sky"], ""),
    (PALETTE["orange"], "///"),
    (PALETTE["green"], "..."),
    (PALETTE["purple"], "xxx"),
    (PALETTE["yellow"], "\\\\\\"),
    (PALETTE["blue"], "++"),
    (PALETTE["red"], "oo"),
]
CONTEXT_LOOK = (PALETTE["grey"], "--")


def holes(pieces, size):
    """[(start, size)] of the free stretches between pieces {name: (start, size)} of a memory of
    `size`.
    """
    taken = sorted((start, start + length) for start, length in pieces.values())
    free = []
    end_before = 0
    for start, end in taken:
        if start - end_before > 1e-9:
            free.append((end_before, start - end_before))
        end_before = end
    if size - end_before > 1e-9:
        free.append((end_before, size - end_before))
    return free


def number(value):
    """'4' for 4.0 and '0.5' for 0.5."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def row_in_words(label, pieces, size, unit):
    """One sentence: what is taken where, what is free, and the largest hole."""
    taken = []
    for name, (start, length) in sorted(pieces.items(), key=lambda item: item[1]):
        taken.append(f"{name} {number(start)} to {number(start + length)}")
    free = [length for _, length in holes(pieces, size)]
    rest = f"free {number(sum(free))} {unit}"
    if len(free) > 1:
        rest += f" in {len(free)} holes, the largest {number(max(free))}"
    return f"{label}: {', '.join(taken) or 'nothing taken'}; {rest}."


def look(name):
    """Colour and hatch: the same for a name in every picture; contexts (c1, c2, ...) are grey."""
    is_context = name[:1] == "c" and name[1:].isdigit()
    return CONTEXT_LOOK if is_context else LOOKS[sum(map(ord, name)) % len(LOOKS)]


def memory_figure(rows, size, title, unit):
    """The picture as a figure; not one of pyplot's, since a widget's thread may draw at the same
    time.
    """
    figure = matplotlib.figure.Figure((9, 0.55 * len(rows) + 1), layout="constrained")
    axes = figure.subplots()
    box = {"height": 0.7, "facecolor": "none", "edgecolor": "black"}
    for row, (_, pieces) in enumerate(rows):
        axes.barh(row, size, **(box | {"facecolor": "white"}), lw=1.2)
        for name, (start, length) in pieces.items():
            colour, hatch = look(name)
            axes.barh(row, length, left=start, height=0.7, facecolor=colour, alpha=0.45, lw=0)
            axes.barh(row, length, left=start, hatch=hatch, lw=1, **box)
            if length > 0.017 * size * max(len(name), 2):
                paper = {"fc": "white", "ec": "none", "pad": 1}
                middle = start + length / 2
                axes.text(middle, row, name, ha="center", va="center", fontsize=9, bbox=paper)
    labels = [label for label, _ in rows]
    axes.set(yticks=range(len(rows)), yticklabels=labels, xlim=(0, size), title=title)
    axes.set_xlabel(f"place in the memory ({unit})")
    axes.invert_yaxis()
    return figure


def draw_memory(rows, size, title="", unit="MiB", words=True):
    """Draw rows [(label, {name: (start, size)})] of a memory of `size` units, then say the same
    in words.
    """
    sentences = []
    for label, pieces in rows:
        sentences.append("In words, " + row_in_words(label, pieces, size, unit))
    show(memory_figure(rows, size, title, unit), f"{title or 'A memory'}. {' '.join(sentences)}")
    if words and rows:
        print("\n".join(sentences))
