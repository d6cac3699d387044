# @title Luck of the best (run this; open it to see how it works)
# Simulates a search that does nothing but choose: how good the best looks, and how good it is.
import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
from solutions._shared.figures import PALETTE, show

SETTINGS = [1, 2, 5, 10, 20, 50, 100, 200]


def luck_of_the_best(rows, spread, settings=SETTINGS, repeats=400, mean=95.0):
    """How good the chosen setting looks on the validation rows, and how good it is.

    Args:
        rows: int, validation rows.
        spread: float, standard deviation of the settings' true accuracies, in percentage points.
        repeats: int, searches of which the mean is taken.
    Returns:
        dict: {settings: (accuracy on validation, true accuracy)} in percent.
    """
    luck = np.random.default_rng(0)
    found = {}
    for count in settings:
        true = luck.normal(mean, spread, [repeats, count]).clip(0, 100) / 100
        seen = luck.binomial(rows, true) / rows
        best = (np.arange(repeats), seen.argmax(1))
        found[count] = (float(100 * seen[best].mean()), float(100 * true[best].mean()))
    return found


def luck_figure(rows, spread):
    """The two accuracies over the number of settings: the figure, and luck_of_the_best's dict."""
    found = luck_of_the_best(rows, spread)
    tried = list(found)
    seen, true = zip(*found.values(), strict=True)
    figure, axes = plt.subplots(figsize=(8, 3.4), layout="constrained")
    axes.plot(tried, seen, "o-", color=PALETTE["orange"], label="on the validation rows")
    axes.plot(tried, true, "s--", color=PALETTE["blue"], label="on endless new rows: the truth")
    axes.fill_between(tried, true, seen, color=PALETTE["grey"], alpha=0.3, label="only luck")
    axes.set(xscale="log", xticks=tried, xticklabels=tried, ylim=(93, 101))
    axes.set(xlabel="settings tried", ylabel="accuracy of the best (%)")
    axes.set_title(
        f"{rows} validation rows, settings differ by {spread:.1f} points (standard deviation)"
    )
    axes.minorticks_off()
    axes.legend(loc="upper left")
    return figure, found


def draw_luck(rows, spread):
    """Show the figure, then say the same in words."""
    figure, found = luck_figure(rows, spread)
    most = SETTINGS[-1]
    seen, true = found[most]
    words = f"the best of {most} settings shows {seen:.1f} % on validation and has {true:.1f} %"
    show(figure, f"Two curves over the number of settings; {words}.")
    print(f"In words: {words}; luck: {seen - true:.1f} points.")


def choose_luck():
    """The widget: two sliders and the figure."""
    look = {
        "continuous_update": False,
        "style": {"description_width": "240px"},
        "layout": {"width": "540px"},
    }
    rows = widgets.SelectionSlider(
        options=[50, 100, 300, 1000, 3000, 10000], value=300, description="validation rows", **look
    )
    spread = widgets.FloatSlider(
        value=0.5, min=0, max=2, step=0.5, description="settings differ by (points)", **look
    )
    picture = widgets.interactive_output(draw_luck, {"rows": rows, "spread": spread})
    return widgets.VBox([rows, spread, picture])
