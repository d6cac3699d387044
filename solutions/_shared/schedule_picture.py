#@title Schedule picture (run this; open it to see how it works)
# Draws the record of a run: a bar for each op, in as many lanes as ops ran at once, and below it the bytes alive.
import re
import IPython.core.pylabtools, IPython.display, matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator
from solutions._shared.run_record import live_bytes, spans

FAMILIES = [("#0072B2", ""), ("#E69F00", "///"), ("#009E73", "..."), ("#CC79A7", "xxx")]


def lanes(work):
    """{op: lane} such that no two ops of a lane overlap, in as few lanes as possible. `work` is what `spans` returns."""
    free, lane = [], {}  # free[i]: when lane i is free again
    for op, (start, end) in sorted(work.items(), key=lambda item: item[1]):
        found = next((i for i, moment in enumerate(free) if moment <= start), len(free))
        free[found:found + 1] = [end]
        lane[op] = found
    return lane


def family(op):
    """'big_3' -> 'big': ops of one family have one colour and pattern; '' for a name without a number."""
    return re.sub(r"^(.*?)_\d+$|.*", r"\1", op, count=1)


def draw_schedule(metadata, title="", show=("big", "step")):
    """Draw the ops of the families `show`, and the memory of all, from run_recorded's record; then say it in words."""
    work = {op: span for op, span in spans(metadata).items() if family(op) in show}
    memory, lane = live_bytes(metadata), lanes(work)
    last, rows = max(end for _, end in spans(metadata).values()), 1 + max(lane.values())
    figure = plt.Figure((9, 3.2 + 0.35 * rows), layout="constrained")  # not one of pyplot's: a widget's thread may draw too
    top, below = figure.subplots(2, 1, sharex=True, height_ratios=(0.5 + 0.35 * rows, 2))
    for op, (start, end) in work.items():
        color, hatch = FAMILIES[show.index(family(op)) % len(FAMILIES)]
        top.barh(lane[op] + 1, end - start, left=start, height=0.8, facecolor=color, alpha=0.35)
        top.barh(lane[op] + 1, end - start, left=start, height=0.8, facecolor="none", edgecolor=color, hatch=hatch)
        if end - start > 0.025 * last:
            top.text((start + end) / 2, lane[op] + 1, op.rpartition("_")[2], ha="center", va="center", fontsize=8,
                     bbox={"fc": "white", "ec": "none", "pad": 0.6})
    for name, (color, hatch) in zip(show, FAMILIES):
        top.barh(1, 0, facecolor=(color, 0.35), edgecolor=color, hatch=hatch, label=f"{name}_…")
    top.set(ylim=(rows + 0.6, 0.4), yticks=range(1, rows + 1), ylabel="ops at once", title=title)
    top.legend(loc="upper left", bbox_to_anchor=(1, 1.02), frameon=False)
    mebibytes = [size / 2**20 for _, size in memory]
    below.step([0, *(moment for moment, _ in memory), last], [0, *mebibytes, *mebibytes[-1:]], where="post", color="black")
    below.fill_between([0, *(moment for moment, _ in memory)], [0, *mebibytes], step="post", color="#56B4E9", alpha=0.5)
    below.axhline(max(mebibytes), color="#D55E00", ls="--", lw=1)
    below.text(last, max(mebibytes), f"peak {max(mebibytes):.1f} MiB", ha="right", va="bottom", color="#A04000")
    below.set(ylabel="MiB alive", xlabel="milliseconds since the first op began", ylim=(0, 1.3 * max(mebibytes) + 0.1))
    below.yaxis.set_major_locator(MaxNLocator(integer=True))
    words = f"In words: {len(work)} bars in {last:.1f} ms, up to {rows} at once; peak {max(mebibytes):.1f} MiB alive."
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)
