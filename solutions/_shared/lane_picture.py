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


def side_by_side(lane):
    """(track of each piece, sorted; height of a track): pieces at the same time lie one above the other."""
    free, tracks = [], []
    for start, stop, *_ in sorted(lane):
        found = next((k for k, moment in enumerate(free) if moment <= start), len(free))
        free[found:found + 1] = [stop]
        tracks.append(found)
    return tracks, 0.8 / max(1, len(free))


def draw_lanes(lanes, title, unit, kinds):
    """Draw {row: [(start, end, label, kind)]}; `kinds` are the names of kinds 0, 1, ..."""
    end = max(piece[1] for lane in lanes.values() for piece in lane)
    high = sum(0.5 if side_by_side(lane)[1] > 0.3 else 0.9 for lane in lanes.values())
    figure = matplotlib.figure.Figure((9.5, high + 1.3), layout="constrained")  # pyplot is not for widgets
    axes = figure.subplots()
    for row, lane in enumerate(lanes.values()):
        tracks, high = side_by_side(lane)
        for (start, stop, label, kind), track in zip(sorted(lane), tracks):
            (color, hatch), y = KINDS[kind], row - 0.4 + high * (track + 0.5)
            axes.barh(y, stop - start, left=start, height=high, fc=(color, 0.3), ec=color, hatch=hatch, lw=0.8)
            if label and stop - start > 0.02 * end:
                axes.text((start + stop) / 2, y, label, ha="center", va="center", fontsize=9 if high > 0.3 else 7,
                          bbox={"fc": "white", "ec": "none", "pad": 0.6})
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
