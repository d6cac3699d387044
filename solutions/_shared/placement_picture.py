#@title Placement picture (run this; open it to see how it works)
# Draws the record of a run: a lane per device, boxes are ops, thick dashed arrows are transfers between devices.
import collections
import matplotlib.pyplot as plt

LANES = [("#0072B2", ""), ("#E69F00", "///"), ("#009E73", "..."), ("#CC79A7", "xxx"), ("#D55E00", "\\\\\\"), ("#56B4E9", "+++")]


def layout(shown, reads):
    """Places: ({op: (x, y)}, {device: (top, height)}). An op stands to the right of everything that it reads."""
    column, stacks = {}, collections.defaultdict(list)
    for _ in shown:  # as many rounds as the longest way can need
        for name in shown:
            if all(source in column for source in reads[name]):
                column[name] = 1 + max((column[source] for source in reads[name]), default=-1)
    for name, node in shown.items():
        stacks[short_device(node.device), column.setdefault(name, 0)].append(name)
    row = lambda name, k, n, height: (k + 0.5) * height / n + 0.3 * (height == 1 and shown[name].op == "_Recv")
    lanes, top = {}, 0
    for device in sorted({device for device, _ in stacks}):
        lanes[device] = top, max(len(names) for (lane, _), names in stacks.items() if lane == device)
        top += lanes[device][1]
    return {name: (x, lanes[device][0] + row(name, k, len(names), lanes[device][1]))
            for (device, x), names in stacks.items() for k, name in enumerate(names)}, lanes


def op_label(node, is_read):
    """What stands in a box: the op's name and type; what the runtime added gets plain words."""
    if node.op == "_Recv":
        return "received" if is_read else "fetched"
    return plain(node.name) + "\n" + ("(fed value)" if node.op == "_Arg" else node.op)


def draw_placement(metadata, title=""):
    """Draw the record of a run (from run_and_trace), then say the same in words."""
    shown, reads = picture_parts(metadata)
    place, lanes = layout(shown, reads)
    width, bottom = max(x for x, _ in place.values()) + 1.6, sum(height for _, height in lanes.values())
    _, axes = plt.subplots(figsize=(min(11, 1.55 * width + 0.6), 0.62 * bottom + 0.6), layout="constrained")
    for device, (top, height) in lanes.items():
        color, hatch = LANES[int(device[-1]) % len(LANES)]
        axes.add_patch(plt.Rectangle((-1.1, top + 0.04), width, height - 0.08, fc=color, alpha=0.15))
        axes.add_patch(plt.Rectangle((-1.1, top + 0.04), 0.5, height - 0.08, fc="white", ec=color, hatch=hatch, lw=2))
        axes.text(-0.85, top + height / 2, device, ha="center", va="center", weight="bold", bbox={"fc": "white", "ec": color})
    boxes = {}
    for name, node in shown.items():
        label = op_label(node, any(name in sources for sources in reads.values()))
        frame = {"boxstyle": "round,pad=0.3", "fc": "white", "ls": ":" if node.op == "_Recv" else "-"}
        boxes[name] = axes.text(*place[name], label, ha="center", va="center", fontsize=8, zorder=2, bbox=frame).get_bbox_patch()
    for name, source in [(name, source) for name in shown for source in reads[name]]:
        look = {"ls": "--", "lw": 2.4, "color": "black"} if shown[name].op == "_Recv" else {"lw": 1, "color": "#444444"}
        ends = {"patchA": boxes[source], "patchB": boxes[name], "arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", place[name], place[source], zorder=1.5, arrowprops=ends | look)
    axes.set(xlim=(-1.15, width - 1.05), ylim=(bottom, 0), title=title)
    axes.axis("off")
    plt.show()
    print(placement_in_words(metadata))
