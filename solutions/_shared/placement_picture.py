#@title Placement picture (run this; open it to see how it works)
# Draws the record of a run: a lane per device, boxes are ops, thick dashed arrows are transfers between devices.
import collections, IPython.core.pylabtools, IPython.display, matplotlib.pyplot as plt
from matplotlib.text import OffsetFrom
from solutions._shared.placement_record import picture_parts, placement_in_words, plain, short_device

LANES = [("#0072B2", ""), ("#E69F00", "///"), ("#009E73", "..."), ("#CC79A7", "xxx"), ("#D55E00", "\\\\\\"), ("#56B4E9", "+++")]

def columns(shown, reads):
    """{op: column}: left of all its readers and as near to them as it can; a value arrives next to where it was sent."""
    readers, steps = {name: [reader for reader in shown if name in reads[reader]] for name in shown}, {}
    for _ in shown:  # as many rounds as the longest way to the end can need; a loop has no end
        for name in shown:
            if all(reader in steps for reader in readers[name]):
                steps[name] = 1 + max((steps[reader] for reader in readers[name]), default=-1)
    most = max(steps.values(), default=0)
    before = lambda name: most - steps.get(name, most)
    return {name: 1 + before(reads[name][0]) if node.op == "_Recv" else before(name) for name, node in shown.items()}

def layout(shown, reads):
    """Places: ({op: (x, y)}, {device: (top, height)}). A value that arrives from an upper lane stands above the others."""
    lane_of, column = {name: short_device(node.device) for name, node in shown.items()}, columns(shown, reads)
    stacks, lanes, top = collections.defaultdict(list), {}, 0
    for name in sorted(shown, key=lambda name: lane_of[reads[name][0] if shown[name].op == "_Recv" else name]):
        stacks[lane_of[name], column[name]].append(name)
    for device in sorted({device for device, _ in stacks}):
        lanes[device] = top, max(len(names) for (lane, _), names in stacks.items() if lane == device)
        top += lanes[device][1]
    return {name: (x, lanes[device][0] + (k + 0.5) * lanes[device][1] / len(names))
            for (device, x), names in stacks.items() for k, name in enumerate(names)}, lanes

def draw_placement(metadata, title=""):
    """Draw the record of a run (from run_and_trace), then say the same in words."""
    shown, reads = picture_parts(metadata)
    place, lanes = layout(shown, reads)
    width, bottom = max(x for x, _ in place.values()) + 1.6, sum(height for _, height in lanes.values())
    wide, high = 1.55 * width + 0.6, 0.62 * bottom + 0.6  # inches; a large graph gets small letters: nobody has to scroll
    size, figure = 8 * min(1, 11 / wide, 9 / high), plt.Figure((min(11, wide), min(9, high)), layout="constrained")
    axes = figure.subplots()  # not one of pyplot's, which keeps one current figure for all: a widget's thread may draw too
    for device, (top, height) in lanes.items():
        color, hatch = LANES[int(device[-1]) % len(LANES)]
        for length, look in ((width, {"fc": color, "alpha": 0.15}), (0.5, {"fc": "white", "ec": color, "hatch": hatch, "lw": 2})):
            axes.add_patch(plt.Rectangle((-1.1, top + 0.04), length, height - 0.08)).set(**look)
        axes.text(-0.85, top + height / 2, device, ha="center", va="center", weight="bold", bbox={"fc": "white", "ec": color})
    boxes, read = {}, {source for sources in reads.values() for source in sources}
    for name, node in shown.items():
        first, second = plain(name), "(fed value)" if node.op == "_Arg" else node.op
        if node.op == "_Recv":
            first, second = "received:" if name in read else "fetched:", plain(reads[name][0])
        frame = {"boxstyle": "round,pad=0.3", "fc": "white", "ls": ":" if node.op == "_Recv" else "-"}
        x, y = place[name]
        boxes[name] = axes.text(x, y, f"{first}\n{second}", ha="center", va="center", fontsize=size, zorder=2, bbox=frame)
    for name, source in [(reader, source) for reader in shown for source in reads[reader]]:  # from side to side
        look = {"lw": 2.4, "ls": "--", "color": "black"} if shown[name].op == "_Recv" else {"lw": 1, "color": "#444444"}
        (x0, y0), (x1, y1), side = place[source], place[name], 0.45 * size  # points from the letters to the frame
        blocked = any(x0 < x < x1 and abs(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y) < 0.4 for x, y in place.values())
        look |= {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "connectionstyle": f"arc3,rad={0.25 * blocked}"}
        start, end = OffsetFrom(boxes[source], (1, 0.5)), OffsetFrom(boxes[name], (0, 0.5))
        axes.annotate("", (-side, 0), (side, 0), end, start, zorder=2.5, arrowprops=look)
    axes.set(xlim=(-1.15, width - 1.05), ylim=(bottom, 0), title=title), axes.axis("off")
    words, png = placement_in_words(metadata), IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)
