"""Notes the lengths of queues while something runs, and draws them over time."""

import contextlib
import threading
import time

import matplotlib.pyplot as plt
from solutions._shared.checks import PALETTE, show

LINE_COLOURS = ["blue", "orange", "green", "purple"]
LINE_DASHES = ["-", "--", "-.", ":"]
LINE_MARKERS = ["o", "s", "^", "D"]


@contextlib.contextmanager
def watched(session, sizes, every=0.02):
    """Note lengths in a thread while a `with` block runs.

    `with watched(session, {"name": size tensor}) as record:` appends
    (seconds, {name: length}) to `record`, every `every` seconds.
    """
    record = []
    start = time.monotonic()
    done = threading.Event()

    def look():
        while True:
            lengths = session.run(sizes)
            seconds = time.monotonic() - start
            record.append((seconds, {name: int(length) for name, length in lengths.items()}))
            if done.wait(every):
                return

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield record
    finally:
        done.set()
        watcher.join()


def share_of(record, name, length):
    """Which part of the time, from 0 to 1, the queue `name` had this length."""
    total = 0
    there = 0
    for (now, lengths), (later, _) in zip(record, record[1:], strict=False):
        total += later - now
        if lengths[name] == length:
            there += later - now
    return there / total if total else 0


def draw_line(axes, record, name, capacity, number):
    """One queue's length over time, and a band where the queue is full."""
    seconds = [moment for moment, _ in record]
    lengths = [lengths[name] for _, lengths in record]
    colour = PALETTE[LINE_COLOURS[number]]
    axes.step(
        seconds,
        lengths,
        LINE_DASHES[number],
        where="post",
        color=colour,
        marker=LINE_MARKERS[number],
        markevery=max(1, len(record) // 12),
        label=name,
    )
    axes.fill_between(
        seconds,
        0,
        capacity,
        where=[length >= capacity for length in lengths],
        step="post",
        facecolor="none",
        edgecolor=colour,
        hatch="///",
        alpha=0.35,
    )


def draw_lengths(record, capacity, title="", until=None, marks=()):
    """Draw each queue's length over time, then say the same in words.

    `marks` is {word: seconds}: moments to mark.
    """
    figure = plt.Figure((9, 2.8), layout="constrained")
    axes = figure.subplots()
    names = list(record[0][1])
    for number, name in enumerate(names):
        draw_line(axes, record, name, capacity, number)
    for word, moment in dict(marks).items():
        axes.axvline(moment, color=PALETTE["grey"], lw=0.8)
        axes.text(moment, -0.04 * capacity, f" {word}", va="top", fontsize=8)
    axes.axhline(capacity, color=PALETTE["ink"], lw=1, ls=(0, (1, 2)))
    note = f" capacity {capacity}: a producer has to wait"
    axes.text(0, 1.06 * capacity, note, va="bottom", fontsize=9)
    below = 0.2 if marks else 0.1
    axes.set(
        xlabel="seconds",
        ylabel="elements",
        title=title,
        ylim=(-below * capacity, 1.25 * capacity),
        xlim=(0, until or max(record[-1][0], 0.01)),
    )
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    lines = []
    for name in names:
        full = share_of(record, name, capacity)
        empty = share_of(record, name, 0)
        last = record[-1][1][name]
        lines.append(
            f"In words: {name} was full for {full:.0%} of the time and empty for {empty:.0%}; "
            f"at the end it held {last}."
        )
    words = "\n".join(lines)
    show(figure, f"{title}. {words}")
    print(words)
