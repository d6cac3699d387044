#@title Queue lengths (run this; open it to see how it works)
# Notes the lengths of queues while something runs, and draws them over time.
import contextlib, threading, time
import IPython.core.pylabtools, IPython.display, matplotlib.pyplot as plt

LINES = [("#0072B2", "-", "o"), ("#D55E00", "--", "s"), ("#009E73", "-.", "^"), ("#CC79A7", ":", "D")]


@contextlib.contextmanager
def watched(session, sizes, every=0.02):
    """`with watched(session, {"name": size tensor}) as record:` appends (seconds, {name: length}) to record meanwhile."""
    record, start, done = [], time.monotonic(), threading.Event()

    def look():
        while True:
            lengths = session.run(sizes)
            record.append((time.monotonic() - start, {name: int(length) for name, length in lengths.items()}))
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
    """Which part of the time, from 0 to 1, the queue had this length."""
    spans = [(later - now, lengths[name]) for (now, lengths), (later, _) in zip(record, record[1:])]
    return sum(span for span, seen in spans if seen == length) / (sum(span for span, _ in spans) or 1)


def draw_lengths(record, capacity, title="", until=None, marks=()):
    """Draw each queue's length over time; a band where one is full; marks: {word: seconds}. Then say the same in words."""
    figure = plt.Figure((9, 2.8), layout="constrained")  # not one of pyplot's: a widget's thread may draw too
    axes = figure.subplots()
    seconds, names = [moment for moment, _ in record], list(record[0][1])
    for name, (color, dashes, marker) in zip(names, LINES):
        lengths = [lengths[name] for _, lengths in record]
        axes.step(seconds, lengths, dashes, where="post", color=color, marker=marker, markevery=max(1, len(record) // 12), label=name)
        full = [length >= capacity for length in lengths]
        axes.fill_between(seconds, 0, capacity, where=full, step="post", facecolor="none", edgecolor=color, hatch="///", alpha=0.35)
    for word, moment in dict(marks).items():
        axes.axvline(moment, color="#777777", lw=0.8)
        axes.text(moment, -0.04 * capacity, f" {word}", va="top", fontsize=8)
    axes.axhline(capacity, color="black", lw=1, ls=(0, (1, 2)))
    axes.text(0, 1.06 * capacity, f" capacity {capacity}: whoever puts has to wait", va="bottom", fontsize=9)
    axes.set(xlabel="seconds", ylabel="elements", title=title, ylim=(-(0.2 if marks else 0.1) * capacity, 1.25 * capacity), xlim=(0, until or max(seconds[-1], 0.01)))
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    words = "\n".join(f"In words: {name} was full for {share_of(record, name, capacity):.0%} of the time and empty for "
                      f"{share_of(record, name, 0):.0%}; at the end it held {record[-1][1][name]}." for name in names)
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)
