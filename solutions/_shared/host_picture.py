# @title Host picture (run this; open it to see how it works)
"""Draws processes on the left, cards on the right, and an arrow from each /gpu:i to the card
that it is.

Widgets call this from a thread of their own, so it leaves pyplot alone, which keeps one current
figure for all.
"""

import threading

import matplotlib.figure
from matplotlib.patches import Rectangle
from solutions._shared.figures import PALETTE, show

DRAWING = threading.Lock()
CARD_LOOKS = [
    (PALETTE["blue"], ""),
    (PALETTE["orange"], "///"),
    (PALETTE["green"], "..."),
    (PALETTE["purple"], "xxx"),
    (PALETTE["red"], "\\\\\\"),
    (PALETTE["sky"], "+++"),
]


def seen_in_words(seen, cards):
    """What the picture shows, line by line: each process, then shared cards, then cards that
    nobody sees.
    """
    lines = []
    for process, mine in seen.items():
        devices = ", ".join(f"/gpu:{i} is {card}" for i, card in enumerate(mine))
        lines.append(f"{process}: {devices or 'no GPU'}")
    free = []
    for card in cards:
        users = [process for process, mine in seen.items() if card in mine]
        if len(users) > 1:
            lines.append(f"Shared: {card}, by {' and '.join(users)}")
        if not users:
            free.append(card)
    if free:
        lines.append(f"Seen by no process: {', '.join(free)}")
    return "\n".join(lines)


def draw_host(seen, cards=("card 0", "card 1", "card 2"), title=""):
    """Draw {process: [its cards, /gpu:0 first]}, then say the same in words."""
    words = seen_in_words(seen, cards)
    with DRAWING:
        show(host_figure(seen, list(cards), title), f"Processes and cards. {words}")
    print(words)


def host_figure(seen, cards, title):
    """The picture as a figure of its own."""
    heights = [max(1, len(mine)) + 0.5 for mine in seen.values()]
    bottom = max(sum(heights), 1.3 * len(cards))
    figure = matplotlib.figure.Figure(figsize=(9, 0.52 * bottom + 0.5), layout="constrained")
    axes = figure.subplots()
    step = bottom / len(cards)
    draw_cards(axes, cards, step)
    top = (bottom - sum(heights)) / 2
    for (process, mine), height in zip(seen.items(), heights, strict=True):
        draw_process(axes, process, top, height, bool(mine))
        for i, card in enumerate(mine):
            draw_device(axes, i, top + 0.75 + i, cards.index(card) if card in cards else None, step)
        top += height
    axes.text(1.7, -0.15, "processes", ha="center")
    axes.text(7, -0.15, "cards in the host", ha="center")
    axes.set(xlim=(-0.1, 8.1), ylim=(bottom + 0.05, -0.6), title=title)
    axes.axis("off")
    return figure


def card_look(number):
    """Colour and hatch of a card."""
    return CARD_LOOKS[number % len(CARD_LOOKS)]


def draw_cards(axes, cards, step):
    """The boxes on the right."""
    for i, card in enumerate(cards):
        colour, hatch = card_look(i)
        corner = (6, i * step + 0.2)
        axes.add_patch(Rectangle(corner, 2, step - 0.4, fc=colour, alpha=0.2))
        axes.add_patch(Rectangle(corner, 2, step - 0.4, fc="none", ec=colour, hatch=hatch, lw=2))
        paper = {"fc": "white", "ec": colour}
        axes.text(7, (i + 0.5) * step, card, ha="center", va="center", weight="bold", bbox=paper)


def draw_process(axes, process, top, height, has_cards):
    """One box on the left."""
    axes.add_patch(Rectangle((0, top + 0.1), 3.4, height - 0.2, fc="#f4f4f4", ec="black", lw=1.2))
    axes.text(0.15, top + height / 2, process, va="center", weight="bold")
    if not has_cards:
        axes.text(2.9, top + height / 2, "no GPU", ha="center", va="center", style="italic")


def draw_device(axes, number, y, card, step):
    """The label of one /gpu:i, and an arrow to its card, if the picture has that card."""
    paper = {"fc": "white", "ec": PALETTE["grey"], "boxstyle": "round"}
    axes.text(2.9, y, f"/gpu:{number}", ha="center", va="center", bbox=paper)
    if card is None:
        return
    arrow = {"arrowstyle": "-|>", "color": card_look(card)[0], "lw": 2.2}
    axes.annotate("", (6, (card + 0.5) * step), (3.4, y), arrowprops=arrow)
