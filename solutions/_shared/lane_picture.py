#@title Lanes (run this; open it to see how it works)
# Draws who works when: a row for each device, a bar for each piece of work. Says the same in words.
import IPython.core.pylabtools, IPython.display, matplotlib.figure

KINDS = [("#0072B2", "///"), ("#E69F00", "..."), ("#009E73", "xxx"), ("#CC79A7", "\\\\\\")]


def busy(lane, end):
    """The share of the time from 0 to `end` in which the pieces (start, end, ...) of a lane are at work."""
    covered, until = 0., 0.
    for start, stop, *_ in sorted(lane):
        covered += max(0., min(stop, end) - max(start, until))
        until = max(until, min(stop, end))
    return covered / end


def draw_lanes(lanes, title, unit, kinds):
    """Draw {row: [(start, end, label, kind)]}; `kinds` are the names of kinds 0, 1, ..."""
    end = max(piece[1] for lane in lanes.values() for piece in lane)
    figure = matplotlib.figure.Figure((9.5, 0.5 * len(lanes) + 1.3), layout="constrained")  # pyplot is not for widgets
    axes = figure.subplots()
    for row, lane in enumerate(lanes.values()):
        for start, stop, label, kind in lane:
            color, hatch = KINDS[kind]
            axes.barh(row, stop - start, left=start, height=0.8, fc=(color, 0.3), ec=color, hatch=hatch, lw=0.8)
            if label and stop - start > 0.02 * end:
                axes.text((start + stop) / 2, row, label, ha="center", va="center", fontsize=9,
                          bbox={"fc": "white", "ec": "none", "pad": 0.8})
    for name, (color, hatch) in zip(kinds, KINDS):
        axes.barh(0, 0, fc=(color, 0.3), ec=color, hatch=hatch, label=name)
    axes.set(yticks=range(len(lanes)), yticklabels=lanes, xlabel=unit, title=title, xlim=(0, end))
    axes.invert_yaxis()
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    words = "; ".join(f"{row} works {100 * busy(lane, end):.0f} % of the time" for row, lane in lanes.items())
    words = f"In words: {title}: {words}. The end is at {end:.3g} {unit}."
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)


def pipeline_lanes(stages, micro):
    """The schedule of a pipeline: all micro-batches forward (a tick each), then all backward (two ticks each)."""
    turn = micro + stages - 1
    forward = lambda s: [(s + m, s + m + 1, str(m), 0) for m in range(micro)]
    backward = lambda s: [(turn + 2 * (stages - 1 - s + m), turn + 2 * (stages - s + m), str(m), 1) for m in range(micro)]
    return {f"device {s}": forward(s) + backward(s) for s in range(stages)}
