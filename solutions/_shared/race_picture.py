# @title Pictures of a race (run this; open it to see how it works)
# Draws runs of several ways to train, with the interval of their mean; and how stale the
# gradients were.
import matplotlib.figure
import matplotlib.ticker
import numpy as np
from solutions._shared.figures import PALETTE, show
from solutions._shared.replica_race import mean_and_margin


def draw_runs(measured, labels):
    """`measured` is {way: [run, ...]}, `labels` {what: axis label}: a dot for each run, its mean
    and 95 % interval.
    """
    figure = matplotlib.figure.Figure((8.6, 3.2), layout="constrained")
    words = []
    panels = figure.subplots(1, len(labels), squeeze=False)[0]
    for axes, (what, label) in zip(panels, labels.items(), strict=True):
        most = 0
        for place, (way, runs) in enumerate(measured.items()):
            values = [run[what] for run in runs]
            mean, margin = mean_and_margin(values)
            spots = np.linspace(-0.12, 0.12, len(values)) + place
            axes.plot(spots, values, "o", color=PALETTE["grey"], markersize=4)
            axes.errorbar(place + 0.25, mean, margin, fmt="s", color=PALETTE["blue"], capsize=6)
            words.append(f"{way} {mean:.2f} ± {margin:.2f} {label}")
            most = max(most, *values)
        axes.set(
            xticks=range(len(measured)), xticklabels=measured, ylabel=label, ylim=(0, 1.15 * most)
        )
    show(figure, f"Each run as a dot, with mean and interval: {'; '.join(words)}.")


def draw_staleness(groups, title):
    """`groups` is {name: [staleness of each gradient]}: a histogram, and the means in words."""
    figure = matplotlib.figure.Figure((8, 2.8), layout="constrained")
    axes = figure.subplots()
    most = max(max(values) for values in groups.values())
    bins = [edge - 0.5 for edge in range(most + 2)]
    colors = [PALETTE[name] for name in ("sky", "red", "green")[: len(groups)]]
    axes.hist(list(groups.values()), bins, stacked=True, label=list(groups), color=colors)
    for container, hatch in zip(axes.containers, ("", "///", "xxx"), strict=False):
        for bar in container:
            bar.set_hatch(hatch)
    axes.set(xlabel="staleness (updates between pull and push)", ylabel="gradients", title=title)
    axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
    axes.legend()
    means = [f"{name} {np.mean(values):.1f}" for name, values in groups.items()]
    words = f"mean staleness: {', '.join(means)}; largest {most}"
    show(figure, f"{title}: {words}.")
    print(words)


def draw_factors(factors, label):
    """`factors` is {name: (low, middle, high)}: an interval for each, and a line at 1."""
    figure = matplotlib.figure.Figure((8, 2.9), layout="constrained")
    axes = figure.subplots()
    words = []
    for place, (name, (low, middle, high)) in enumerate(factors.items()):
        axes.plot([low, high], [place, place], color=PALETTE["blue"], lw=2)
        axes.plot(middle, place, "s", color=PALETTE["blue"])
        words.append(f"{name} × {middle:.2f} ({low:.2f} to {high:.2f})")
    axes.axvline(1, color=PALETTE["ink"], ls=":")
    axes.set(yticks=range(len(factors)), yticklabels=factors, xlabel=label, xscale="log")
    show(figure, f"{label}: {'; '.join(words)}.")
    print("\n".join(words))
