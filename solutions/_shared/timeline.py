#@title Timeline (run this; open it to see how it works)
# Draws the step statistics of a run: which device worked on which op, from when to when.
import IPython.core.pylabtools, IPython.display, matplotlib.pyplot as plt
from solutions._shared.placement_record import short_device

BARS = [("#0072B2", ""), ("#E69F00", "///"), ("#009E73", "..."), ("#CC79A7", "xxx"), ("#D55E00", "\\\\\\"), ("#56B4E9", "+++")]


def work_of(metadata):
    """{device: [(op, start, end)]} in milliseconds since the run's first op began; the runtime's own ops are left out."""
    spans = {}
    for device in metadata.step_stats.dev_stats:
        name = short_device(device.device)
        spans[name] = [(op.node_name, op.all_start_micros, op.all_start_micros + max(op.all_end_rel_micros, 1))
                       for op in device.node_stats if not op.node_name.startswith("_")]
    first = min((start for ops in spans.values() for _, start, _ in ops), default=0)
    return {name: [(op, (start - first) / 1000, (end - first) / 1000) for op, start, end in sorted(ops, key=lambda span: span[1])]
            for name, ops in sorted(spans.items()) if ops}


def together(work, devices=2):
    """Milliseconds during which at least so many devices worked at once. `work` is what work_of returns."""
    moments = sorted({moment for ops in work.values() for _, *span in ops for moment in span})
    works = lambda ops, start, end: any(s <= start and end <= e for _, s, e in ops)
    pairs = zip(moments, moments[1:])
    return sum(end - start for start, end in pairs if sum(works(ops, start, end) for ops in work.values()) >= devices)


def draw_timeline(metadata, title=""):
    """Draw a bar for each op in its device's row (from run_and_trace's record), then say the same in words."""
    work = work_of(metadata)
    last = max(end for ops in work.values() for _, _, end in ops)
    figure = plt.Figure((9, 0.7 * len(work) + 1.1), layout="constrained")  # not one of pyplot's: a widget's thread may draw too
    axes = figure.subplots()
    for row, (device, ops) in enumerate(work.items()):
        color, hatch = BARS[int(device[-1]) % len(BARS)]
        for op, start, end in ops:
            axes.barh(row, end - start, left=start, height=0.6, facecolor=color, alpha=0.35)
            axes.barh(row, end - start, left=start, height=0.6, facecolor="none", edgecolor=color, hatch=hatch, lw=1.2)
            if end - start > 0.06 * last:
                axes.text((start + end) / 2, row, op, ha="center", va="center", fontsize=8, bbox={"fc": "white", "ec": "none", "pad": 1})
    axes.set(yticks=range(len(work)), yticklabels=work, xlabel="milliseconds since the first op began", ylabel="device", title=title)
    axes.invert_yaxis()
    lines = []
    for device, ops in work.items():
        name, start, end = max(ops, key=lambda span: span[2] - span[1])
        lines.append(f"In words: {device}: first op began at {ops[0][1]:.1f} ms, last op ended at {max(span[2] for span in ops):.1f} ms, "
                     f"busy for {together({device: ops}, 1):.1f} ms; its longest op, {name}, took {end - start:.1f} ms.")
    words = "\n".join([*lines, f"Two or more devices worked at once for {together(work):.1f} of {last:.1f} ms."])
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)
