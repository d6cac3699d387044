# @title Placement picture (run this; open it to see how it works)
# Draws the record of a run: a lane per device, boxes are ops, thick dashed arrows are transfers.
import collections

import matplotlib.pyplot as plt
from matplotlib.text import OffsetFrom
from solutions._shared.figures import PALETTE, show
from solutions._shared.placement_record import (
    kind_of,
    picture_parts,
    placement_in_words,
    plain_name,
    short_device,
)

HATCHES = ["", "///", "...", "xxx", "\\\\\\", "+++"]
LANE_COLORS = ["blue", "orange", "green", "purple", "red", "grey"]


def look_of(device):
    """The colour and the hatch of a device, the same in every picture."""
    number = int(device.rpartition(":")[2]) % len(HATCHES)
    return PALETTE[LANE_COLORS[number]], HATCHES[number]


def columns(shown, reads):
    """{op: column}: left of all its readers, and as near to them as it can be."""
    readers = {name: [] for name in shown}
    for reader, sources in reads.items():
        for source in sources:
            readers[source].append(reader)
    steps = {}  # {op: how many steps it is from the end}
    for _ in shown:  # as many rounds as the longest way to the end can need; a loop has no end
        for name in shown:
            if all(reader in steps for reader in readers[name]):
                steps[name] = 1 + max((steps[reader] for reader in readers[name]), default=-1)
    most = max(steps.values(), default=0)
    places = {}
    for name, node in shown.items():
        if node.op == "_Recv":  # a value arrives next to where it was sent
            places[name] = 1 + most - steps.get(reads[name][0], most)
        else:
            places[name] = most - steps.get(name, most)
    return places


def layout(shown, reads):
    """Places: ({op: (x, y)}, {device: (top, height)}).

    A value that arrives from an upper lane is above the others of its column.
    """
    lane_of = {name: short_device(node.device) for name, node in shown.items()}
    column = columns(shown, reads)

    def comes_from(name):
        return lane_of[reads[name][0]] if shown[name].op == "_Recv" else lane_of[name]

    stacks = collections.defaultdict(list)
    for name in sorted(shown, key=comes_from):
        stacks[lane_of[name], column[name]].append(name)
    lanes = {}
    top = 0
    for device in sorted(set(lane_of.values())):
        height = max(len(names) for (lane, _), names in stacks.items() if lane == device)
        lanes[device] = top, height
        top += height
    places = {}
    for (device, x), names in stacks.items():
        top, height = lanes[device]
        for position, name in enumerate(names):
            places[name] = x, top + (position + 0.5) * height / len(names)
    return places, lanes


def draw_lanes(axes, lanes, width):
    """A coloured band for each device, with its name on a hatched field at the left."""
    for device, (top, height) in lanes.items():
        color, hatch = look_of(device)
        band = plt.Rectangle((-1.1, top + 0.04), width, height - 0.08, facecolor=color, alpha=0.15)
        axes.add_patch(band)
        field = plt.Rectangle((-1.1, top + 0.04), 0.5, height - 0.08, facecolor="white")
        field.set(edgecolor=color, hatch=hatch, linewidth=2)
        axes.add_patch(field)
        words = device.replace(" ", "\n")  # a task and its device
        name = axes.text(-0.85, top + height / 2, words, ha="center", va="center", weight="bold")
        name.set_bbox({"facecolor": "white", "edgecolor": color})


def labels_of(shown, reads):
    """{op: the lines in its box}: its name, broken at a slash where it is long, then its kind."""
    read = {source for sources in reads.values() for source in sources}
    labels = {}
    for name, node in shown.items():
        first, second = plain_name(name), kind_of(node)
        if node.op == "_Recv":
            first = "received:" if name in read else "fetched:"
            second = plain_name(reads[name][0])
        lines = []
        for part in (first, second):
            start, slash, rest = part.rpartition("/")
            lines += [start + slash, rest] if slash and len(part) > 14 else [part]
        labels[name] = lines
    return labels


def spread_columns(places, labels):
    """(places, where the last column ends); 1 is 1.55 inches.

    With many columns, each is only as wide as its boxes need: their letters stay larger.
    """
    longest = collections.defaultdict(int)
    for name, lines in labels.items():
        column = places[name][0]
        longest[column] = max(longest[column], *map(len, lines))
    centres, edge = {}, -0.5
    for column in range(max(longest) + 1):
        wide = 1
        if len(longest) > 7:
            wide = (
                0.068 * longest[column] + 0.4
            ) / 1.55  # letters of 8 points; frames and an arrow
        centres[column] = edge + wide / 2
        edge += wide
    return {name: (centres[x], y) for name, (x, y) in places.items()}, edge


def draw_boxes(axes, shown, labels, places, size):
    """{op: its box}. A value that arrived has a dotted frame."""
    boxes = {}
    for name, node in shown.items():
        frame = ":" if node.op == "_Recv" else "-"
        box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "linestyle": frame}
        text = axes.text(*places[name], "\n".join(labels[name]), ha="center", va="center", zorder=2)
        text.set(fontsize=size, bbox=box)
        boxes[name] = text
    return boxes


def draw_arrows(axes, shown, reads, places, boxes, size):
    """An arrow from each op to each of its readers; one between devices is thick and dashed."""
    side = 0.45 * size  # points from the letters to the frame
    for name, sources in reads.items():
        for source in sources:
            look = {"linewidth": 1, "color": PALETTE["grey"]}
            if shown[name].op == "_Recv":
                look = {"linewidth": 2.4, "linestyle": "--", "color": PALETTE["ink"]}
            (x0, y0), (x1, y1) = places[source], places[name]
            blocked = False
            for x, y in places.values():
                if x0 < x < x1 and abs(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y) < 0.4:
                    blocked = True
            look |= {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0}
            look["connectionstyle"] = f"arc3,rad={0.25 * blocked}"
            start = OffsetFrom(boxes[source], (1, 0.5))
            end = OffsetFrom(boxes[name], (0, 0.5))
            axes.annotate("", (-side, 0), (side, 0), end, start, zorder=2.5, arrowprops=look)


def draw_placement(metadata, title=""):
    """Draw the record of a run (from run_and_trace or trace_function), then say it in words."""
    shown, reads = picture_parts(metadata)
    places, lanes = layout(shown, reads)
    labels = labels_of(shown, reads)
    places, right = spread_columns(places, labels)
    width = right + 1.1
    bottom = sum(height for _, height in lanes.values())
    wide = 1.55 * width + 0.6  # inches
    high = (0.32 + 0.15 * max(map(len, labels.values()))) * bottom + 0.6
    size = 8 * min(1, 11 / wide, 9 / high)  # a large graph gets small letters: nobody has to scroll
    # Not one of pyplot's figures: a widget's thread may draw, too.
    figure = plt.Figure((min(11, wide), min(9, high)), layout="constrained")
    axes = figure.subplots()
    draw_lanes(axes, lanes, width)
    boxes = draw_boxes(axes, shown, labels, places, size)
    draw_arrows(axes, shown, reads, places, boxes, size)
    axes.set(xlim=(-1.15, width - 1.05), ylim=(bottom, 0), title=title)
    axes.axis("off")
    words = placement_in_words(metadata)
    show(figure, f"Placement, {title}. {words}" if title else words)
    print(words)
