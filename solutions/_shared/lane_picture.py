# @title Lanes (run this; open it to see how it works)
# Draws who works when: a row for each device, a bar for each piece of work. Says the same in words.
import matplotlib.figure
from solutions._shared.figures import PALETTE, show

LANE_LOOKS = [
    ("blue", "///"),
    ("orange", "..."),
    ("green", "xxx"),
    ("purple", "\\\\\\"),
]  # of kinds 0, 1, 2, 3


def busy(lane, end):
    """The share of the time from 0 to `end` in which the pieces (start, end, ...) of a lane are
    at work.
    """
    covered = 0.0
    until = 0.0
    for start, stop, *_ in sorted(lane):
        covered += max(0.0, min(stop, end) - max(start, until))
        until = max(until, min(stop, end))
    return covered / end


def side_by_side(lane):
    """(track of each piece, sorted; height of a track): pieces at the same time lie one above
    the other.
    """
    free = []  # the moment from which each track is free
    tracks = []
    for start, stop, *_ in sorted(lane):
        found = next((track for track, moment in enumerate(free) if moment <= start), len(free))
        free[found : found + 1] = [stop]
        tracks.append(found)
    return tracks, 0.8 / max(1, len(free))


def lanes_in_words(lanes, title, unit):
    """What the picture shows, in a sentence."""
    end = max(piece[1] for lane in lanes.values() for piece in lane)
    shares = [
        f"{row} works {100 * busy(lane, end):.0f} % of the time" for row, lane in lanes.items()
    ]
    return f"In words: {title}: {'; '.join(shares)}. The end is at {end:.3g} {unit}."


def draw_lane(axes, row, lane, end):
    """Draw the pieces of one row, with their labels where there is room."""
    tracks, height = side_by_side(lane)
    for (start, stop, label, kind), track in zip(sorted(lane), tracks, strict=True):
        color, hatch = LANE_LOOKS[kind]
        y = row - 0.4 + height * (track + 0.5)
        face = (PALETTE[color], 0.3)
        axes.barh(
            y,
            stop - start,
            left=start,
            height=height,
            fc=face,
            ec=PALETTE[color],
            hatch=hatch,
            lw=0.8,
        )
        if label and stop - start > 0.02 * end:
            size = 9 if height > 0.3 else 7
            box = {"fc": "white", "ec": "none", "pad": 0.6}
            axes.text(
                (start + stop) / 2, y, label, ha="center", va="center", fontsize=size, bbox=box
            )


def draw_lanes(lanes, title, unit, kinds):
    """Draw {row: [(start, end, label, kind)]}; `kinds` are the names of kinds 0, 1, ..."""
    end = max(piece[1] for lane in lanes.values() for piece in lane)
    height = sum(0.5 if side_by_side(lane)[1] > 0.3 else 0.9 for lane in lanes.values())
    figure = matplotlib.figure.Figure(
        (8.6, height + 1.7), layout="constrained"
    )  # pyplot is not for widgets
    axes = figure.subplots()
    for row, lane in enumerate(lanes.values()):
        draw_lane(axes, row, lane, end)
    for name, (color, hatch) in zip(kinds, LANE_LOOKS, strict=False):
        axes.barh(0, 0, fc=(PALETTE[color], 0.3), ec=PALETTE[color], hatch=hatch, label=name)
    axes.set(yticks=range(len(lanes)), yticklabels=lanes, xlabel=unit, title=title, xlim=(0, end))
    axes.invert_yaxis()
    figure.legend(loc="outside lower center", ncols=len(kinds), frameon=False)
    words = lanes_in_words(lanes, title, unit)
    show(figure, words)
    print(words)


def pipeline_lanes(stages, micro):
    """The schedule of a pipeline: all micro-batches forward (a tick each), then all backward
    (two ticks each).
    """
    turns = micro + stages - 1
    lanes = {}
    for stage in range(stages):
        forward = [(stage + m, stage + m + 1, str(m), 0) for m in range(micro)]
        begins = [turns + 2 * (stages - 1 - stage + m) for m in range(micro)]
        backward = [(begin, begin + 2, str(m), 1) for m, begin in enumerate(begins)]
        lanes[f"device {stage}"] = forward + backward
    return lanes
