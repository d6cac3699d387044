# @title Timeline (run this; open it to see how it works)
# Draws the step statistics of a run: which device worked on which op, from when to when.
import itertools

import matplotlib.pyplot as plt
from solutions._shared.figures import PALETTE, show
from solutions._shared.placement_record import short_device

BAR_HATCHES = ["", "///", "...", "xxx", "\\\\\\", "+++"]
BAR_COLORS = ["blue", "orange", "green", "purple", "red", "grey"]


def work_of(metadata):
    """{device: [(op, start, end)]} in milliseconds since the run's first op began.

    The runtime's own ops are left out.
    """
    spans = {}
    for device in metadata.step_stats.dev_stats:
        ops = spans.setdefault(short_device(device.device), [])
        for op in device.node_stats:
            if not op.node_name.startswith("_"):
                end = op.all_start_micros + max(op.all_end_rel_micros, 1)
                ops.append((op.node_name, op.all_start_micros, end))
    first = min((start for ops in spans.values() for _, start, _ in ops), default=0)
    work = {}
    for device in sorted(spans):
        ops = sorted(spans[device], key=lambda span: span[1])
        if ops:
            work[device] = []
        for op, start, end in ops:
            work[device].append((op, (start - first) / 1000, (end - first) / 1000))
    return work


def together(work, devices=2):
    """Milliseconds during which at least so many devices worked at once; `work` is from work_of."""
    moments = sorted({moment for ops in work.values() for _, *span in ops for moment in span})
    total = 0
    for start, end in itertools.pairwise(moments):
        busy = 0
        for ops in work.values():
            busy += any(begin <= start and end <= stop for _, begin, stop in ops)
        if busy >= devices:
            total += end - start
    return total


def timeline_in_words(work):
    """What the drawing shows, a line for each device, then how long devices worked at once."""
    lines = []
    for device, ops in work.items():
        name, start, end = max(ops, key=lambda span: span[2] - span[1])
        last = max(span[2] for span in ops)
        busy = together({device: ops}, 1)
        lines.append(
            f"In words: {device}: first op began at {ops[0][1]:.1f} ms, "
            f"last op ended at {last:.1f} ms, busy for {busy:.1f} ms; "
            f"its longest op, {name}, took {end - start:.1f} ms."
        )
    whole = max(end for ops in work.values() for _, _, end in ops)
    lines.append(f"Two or more devices worked at once for {together(work):.1f} of {whole:.1f} ms.")
    return "\n".join(lines)


def draw_timeline(metadata, title=""):
    """Draw a bar for each op in its device's row (run_and_trace's record), then say it in words."""
    work = work_of(metadata)
    whole = max(end for ops in work.values() for _, _, end in ops)
    # Not one of pyplot's figures: a widget's thread may draw, too.
    figure = plt.Figure((9, 0.7 * len(work) + 1.1), layout="constrained")
    axes = figure.subplots()
    for row, (device, ops) in enumerate(work.items()):
        number = int(device.rpartition(":")[2]) % len(BAR_HATCHES)
        color, hatch = PALETTE[BAR_COLORS[number]], BAR_HATCHES[number]
        named = 0.0  # where the last name ends
        for op, start, end in ops:
            place = {"y": row, "width": end - start, "left": start, "height": 0.6}
            axes.barh(**place, facecolor=color, alpha=0.35)
            axes.barh(**place, facecolor="none", edgecolor=color, hatch=hatch, linewidth=1.2)
            half = 0.006 * len(op) * whole
            if end - start > 2 * half and (start + end) / 2 - half > named:  # there is room
                named = (start + end) / 2 + half
                label = axes.text((start + end) / 2, row, op, ha="center", va="center", fontsize=8)
                label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
    axes.set(yticks=range(len(work)), yticklabels=work, ylabel="device", title=title)
    axes.set_xlabel("milliseconds since the first op began")
    axes.invert_yaxis()
    words = timeline_in_words(work)
    show(figure, f"Timeline, {title}. {words}" if title else words)
    print(words)
