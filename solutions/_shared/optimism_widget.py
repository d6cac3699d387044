#@title Luck of the best (run this; open it to see how it works)
# Simulates a search that does nothing but choose: how good the best setting looks, and how good it is.
import IPython.core.pylabtools, IPython.display
import ipywidgets as widgets
import matplotlib.figure
import numpy as np

SETTINGS = [1, 2, 5, 10, 20, 50, 100, 200]


def luck_of_the_best(rows, spread, settings=SETTINGS, repeats=400, mean=95.0):
    """{settings: (accuracy on validation, true accuracy)} of the chosen one, in percent, mean of `repeats` searches.

    Each setting's true accuracy is drawn around `mean` with standard deviation `spread`; it is measured on `rows` rows.
    """
    luck, found = np.random.default_rng(0), {}
    for count in settings:
        true = luck.normal(mean, spread, [repeats, count]).clip(0, 100) / 100
        seen = luck.binomial(rows, true) / rows
        best = np.arange(repeats), seen.argmax(1)
        found[count] = float(100 * seen[best].mean()), float(100 * true[best].mean())
    return found


def luck_figure(rows, spread):
    """The two accuracies against the number of settings, as a figure of its own (no pyplot: widgets draw it too)."""
    found, figure = luck_of_the_best(rows, spread), matplotlib.figure.Figure(figsize=(8, 3.4), layout="constrained")
    axes, tried = figure.subplots(), list(found)
    seen, true = zip(*found.values())
    axes.plot(tried, seen, "o-", color="#D55E00", label="on the validation rows")
    axes.plot(tried, true, "s--", color="#0072B2", label="on endless new rows: the truth")
    axes.fill_between(tried, true, seen, color="#999999", alpha=0.3, label="only luck")
    axes.set(xscale="log", xticks=tried, xticklabels=tried, xlabel="settings tried", ylabel="accuracy of the best (%)", ylim=(93, 101),
             title=f"{rows} validation rows, settings differ by {spread:.1f} points (standard deviation)")
    axes.minorticks_off()
    axes.legend(loc="upper left")
    return figure, found


def draw_luck(rows, spread):
    """Show the figure, then say the same in words."""
    figure, found = luck_figure(rows, spread)
    (seen, true), most = found[SETTINGS[-1]], SETTINGS[-1]
    words = f"the best of {most} settings shows {seen:.1f} % on validation and has {true:.1f} %; luck: {seen - true:.1f} points."
    png = IPython.core.pylabtools.print_figure(figure, base64=True, dpi=85, bbox_inches=None)
    shown = {"image/png": png, "text/plain": f"Two curves; {words}"}
    IPython.display.display(shown, metadata={"image/png": {"alt": shown["text/plain"]}}, raw=True)
    print("In words:", words)


def choose_luck():
    """Show the widget."""
    look = {"continuous_update": False, "style": {"description_width": "260px"}, "layout": {"width": "560px"}}
    rows = widgets.SelectionSlider(options=[50, 100, 300, 1000, 3000, 10000], value=300, description="validation rows", **look)
    spread = widgets.FloatSlider(value=0.5, min=0, max=2, step=0.5, description="settings differ by (points)", **look)
    return widgets.VBox([rows, spread, widgets.interactive_output(draw_luck, {"rows": rows, "spread": spread})])
