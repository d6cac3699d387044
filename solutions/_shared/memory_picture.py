#@title Memory picture (run this; open it to see how it works)
# Draws a memory from its first to its last address: a row per moment, a box per piece that is taken, white where it is free.
import IPython.core.pylabtools, IPython.display, matplotlib.pyplot as plt

PIECES = [("#56B4E9", ""), ("#E69F00", "///"), ("#009E73", "..."), ("#CC79A7", "xxx"), ("#F0E442", "\\\\\\"), ("#0072B2", "++"),
          ("#D55E00", "oo"), ("#999999", "--")]


def holes(pieces, size):
    """[(start, size)] of the free stretches between pieces {name: (start, size)} of a memory of `size`."""
    taken = sorted((start, start + length) for start, length in pieces.values())
    edges = [0, *(edge for piece in taken for edge in piece), size]
    return [(start, end - start) for start, end in zip(edges[::2], edges[1::2]) if end - start > 1e-9]


def number(value):
    """'4' for 4.0 and '0.5' for 0.5."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def row_in_words(label, pieces, size, unit):
    """One sentence: what is taken where, what is free, and the largest hole."""
    taken = ", ".join(f"{name} {number(start)} to {number(start + length)}"
                      for name, (start, length) in sorted(pieces.items(), key=lambda item: item[1]))
    free = [length for _, length in holes(pieces, size)]
    rest = f"free {number(sum(free))} {unit}" + (f" in {len(free)} holes, the largest {number(max(free))}" if len(free) > 1 else "")
    return f"{label}: {taken or 'nothing taken'}; {rest}."


def look(name):
    """Colour and hatch: the same for a name in every picture; contexts (c1, c2, ...) are grey."""
    context = name[:1] == "c" and name[1:].isdigit()
    return PIECES[-1] if context else PIECES[sum(map(ord, name)) % (len(PIECES) - 1)]


def draw_memory(rows, size, title="", unit="MiB", words=True):
    """Draw rows [(label, {name: (start, size)})] of a memory of `size` units, then say the same in words."""
    figure = plt.Figure((10, 0.55 * len(rows) + 1), layout="constrained")  # not one of pyplot's: a widget's thread may draw too
    axes = figure.subplots()
    for row, (_, pieces) in enumerate(rows):
        axes.barh(row, size, height=0.7, facecolor="white", edgecolor="black", lw=1.2)
        for name, (start, length) in pieces.items():
            color, hatch = look(name)
            axes.barh(row, length, left=start, height=0.7, facecolor=color, alpha=0.45, lw=0)
            axes.barh(row, length, left=start, height=0.7, facecolor="none", edgecolor="black", hatch=hatch, lw=1)
            if length > 0.017 * size * max(len(name), 2):
                label = {"fc": "white", "ec": "none", "pad": 1}
                axes.text(start + length / 2, row, name, ha="center", va="center", fontsize=9, bbox=label)
    axes.set(yticks=range(len(rows)), yticklabels=[label for label, _ in rows], xlim=(0, size), title=title,
             xlabel=f"place in the memory ({unit})")
    axes.invert_yaxis()
    said = "\n".join("In words, " + row_in_words(label, pieces, size, unit) for label, pieces in rows)
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {said}"}, raw=True)
    if words and rows:
        print(said)
