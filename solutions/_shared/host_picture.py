#@title Host picture (run this; open it to see how it works)
# Draws processes on the left, cards on the right, and a line from each /gpu:i to the card that it is.
# Widgets call this from a thread of their own: so it leaves pyplot alone, which keeps one current figure for all.
import base64, io, threading
import IPython.display, matplotlib.figure
from matplotlib.patches import Rectangle

DRAWING = threading.Lock()
CARDS = [("#0072B2", ""), ("#E69F00", "///"), ("#009E73", "..."), ("#CC79A7", "xxx"), ("#D55E00", "\\\\\\"), ("#56B4E9", "+++")]

def seen_in_words(seen, cards):
    """What the picture shows, line by line: each process, then cards that several see, then cards that nobody sees."""
    lines = []
    for process, mine in seen.items():
        devices = ", ".join(f"/gpu:{i} is {card}" for i, card in enumerate(mine))
        lines.append(f"{process}: {devices or 'no GPU'}")
    users = {card: [process for process, mine in seen.items() if card in mine] for card in cards}
    lines += [f"Shared: {card}, by {' and '.join(names)}" for card, names in users.items() if len(names) > 1]
    free = [card for card, names in users.items() if not names]
    return "\n".join(lines + ([f"Seen by no process: {', '.join(free)}"] if free else []))

def draw_host(seen, cards=("card 0", "card 1", "card 2"), title=""):
    """Draw {process: [its cards, /gpu:0 first]}, then say the same in words."""
    with DRAWING:
        figure, file = host_figure(seen, list(cards), title), io.BytesIO()
        figure.savefig(file, format="png", dpi=80)
    words, data = seen_in_words(seen, cards), base64.b64encode(file.getvalue()).decode()
    IPython.display.display({"image/png": data, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)

def host_figure(seen, cards, title):
    """The picture as a figure of its own."""
    heights = [max(1, len(mine)) + 0.5 for mine in seen.values()]
    bottom = max(sum(heights), 1.3 * len(cards))
    figure = matplotlib.figure.Figure(figsize=(10, 0.52 * bottom + 0.5), layout="constrained")
    axes = figure.subplots()
    step = bottom / len(cards)
    for i, card in enumerate(cards):
        color, hatch = CARDS[i % len(CARDS)]
        axes.add_patch(Rectangle((6, i * step + 0.2), 2, step - 0.4, fc=color, alpha=0.2))
        axes.add_patch(Rectangle((6, i * step + 0.2), 2, step - 0.4, fc="none", ec=color, hatch=hatch, lw=2))
        axes.text(7, (i + 0.5) * step, card, ha="center", va="center", weight="bold", bbox={"fc": "white", "ec": color})
    top = (bottom - sum(heights)) / 2
    for (process, mine), height in zip(seen.items(), heights):
        axes.add_patch(Rectangle((0, top + 0.1), 3.4, height - 0.2, fc="#f4f4f4", ec="black", lw=1.2))
        axes.text(0.15, top + height / 2, process, va="center", weight="bold")
        for i, card in enumerate(mine):
            y = top + 0.25 + i + 0.5
            axes.text(2.9, y, f"/gpu:{i}", ha="center", va="center", bbox={"fc": "white", "ec": "#555555", "boxstyle": "round"})
            if card in cards:
                color = CARDS[cards.index(card) % len(CARDS)][0]
                end = (6, (cards.index(card) + 0.5) * step)
                axes.annotate("", end, (3.4, y), arrowprops={"arrowstyle": "-|>", "color": color, "lw": 2.2})
        if not mine:
            axes.text(2.9, top + height / 2, "no GPU", ha="center", va="center", style="italic")
        top += height
    axes.text(1.7, -0.15, "processes", ha="center"), axes.text(7, -0.15, "cards in the host", ha="center")
    axes.set(xlim=(-0.1, 8.1), ylim=(bottom + 0.05, -0.6), title=title)
    axes.axis("off")
    return figure
