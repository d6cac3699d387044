"""Draws the record of a run: a bar for each op, and below it the bytes alive."""

import re

import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator
from solutions._shared.checks import PALETTE, show
from solutions._shared.run_record import live_bytes, spans

FAMILY_COLOURS = ["blue", "orange", "green", "purple"]
FAMILY_HATCHES = ["", "///", "...", "xxx"]


def lanes(work):
    """{op: lane} such that no two ops of a lane overlap, in as few lanes as possible.

    `work` is what `spans` returns.
    """
    free_from = []  # for each lane, when it is free again
    lane_of = {}
    for op, (start, end) in sorted(work.items(), key=lambda item: item[1]):
        free = [lane for lane, moment in enumerate(free_from) if moment <= start]
        if free:
            lane = free[0]
            free_from[lane] = end
        else:
            lane = len(free_from)
            free_from.append(end)
        lane_of[op] = lane
    return lane_of


def family(op):
    """'big_3' -> 'big': ops of one family have one colour; '' for a name without a number."""
    match = re.fullmatch(r"(.*?)_\d+", op)
    return match[1] if match else ""


def draw_ops(axes, work, families, last):
    """A bar for each op of `work`; each family has a colour and a pattern."""
    lane_of = lanes(work)
    for name, colour, hatch in zip(families, FAMILY_COLOURS, FAMILY_HATCHES, strict=False):
        frame = PALETTE[colour]
        for op, (start, end) in work.items():
            if family(op) != name:
                continue
            row = lane_of[op] + 1
            axes.barh(row, end - start, left=start, height=0.8, facecolor=frame, alpha=0.35)
            axes.barh(
                row,
                end - start,
                left=start,
                height=0.8,
                facecolor="none",
                edgecolor=frame,
                hatch=hatch,
            )
            if end - start > 0.025 * last:
                middle = (start + end) / 2
                number = op.rpartition("_")[2]
                axes.text(
                    middle,
                    row,
                    number,
                    ha="center",
                    va="center",
                    fontsize=8,
                    bbox={"fc": "white", "ec": "none", "pad": 0.6},
                )
        axes.barh(1, 0, facecolor=(frame, 0.35), edgecolor=frame, hatch=hatch, label=f"{name}_…")
    rows = 1 + max(lane_of.values())
    axes.set(ylim=(rows + 0.6, 0.4), yticks=range(1, rows + 1), ylabel="ops at once")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1.02), frameon=False)
    return rows


def draw_memory(axes, memory, last):
    """The bytes alive over time, and a line at the peak; returns the peak in MiB."""
    moments = [0] + [moment for moment, _ in memory]
    mebibytes = [0] + [size / 2**20 for _, size in memory]
    peak = max(mebibytes)
    axes.step([*moments, last], [*mebibytes, mebibytes[-1]], where="post", color=PALETTE["ink"])
    axes.fill_between(moments, mebibytes, step="post", color=PALETTE["blue"], alpha=0.3)
    axes.axhline(peak, color=PALETTE["red"], ls="--", lw=1)
    axes.text(last, peak, f"peak {peak:.1f} MiB", ha="right", va="bottom", color=PALETTE["ink"])
    axes.set(
        ylabel="MiB alive",
        xlabel="milliseconds since the first op began",
        ylim=(0, 1.3 * peak + 0.1),
    )
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    return peak


def draw_schedule(metadata, title="", families=("big", "step")):
    """Draw the ops of some families, and the memory of all ops; then say it in words."""
    every = spans(metadata)
    work = {op: span for op, span in every.items() if family(op) in families}
    last = max(end for _, end in every.values())
    rows = 1 + max(lanes(work).values())
    figure = plt.Figure((9, 3.2 + 0.35 * rows), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(0.5 + 0.35 * rows, 2))
    above.set_title(title)
    draw_ops(above, work, families, last)
    peak = draw_memory(below, live_bytes(metadata), last)
    words = (
        f"In words: {len(work)} bars in {last:.1f} ms, up to {rows} at once; "
        f"peak {peak:.1f} MiB alive."
    )
    show(figure, f"{title}. {words}")
    print(words)
