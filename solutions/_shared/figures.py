# @title Pictures (run this too)
import base64
import html
import io

import matplotlib.pyplot
from IPython.display import display

# Okabe and Ito's palette: told apart with every common kind of colour blindness.
PALETTE = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "grey": "#808080",
    "ink": "#1B1B1B",
}


def image_of(figure, words, dots_per_inch=100):
    """A figure as HTML: an image with an alternative text, never wider than the page."""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=dots_per_inch, bbox_inches="tight", facecolor="white")
    png = base64.b64encode(data.getvalue()).decode()
    alt = html.escape(words, quote=True)
    style = "max-width:100%;height:auto"
    return f'<img alt="{alt}" style="{style}" src="data:image/png;base64,{png}">'


def show(figure, words, dots_per_inch=100):
    """Show a figure of matplotlib, and close it.

    Args:
        figure: the figure.
        words: what it shows, in a sentence or two, for readers who do not see it.
        dots_per_inch: its resolution.
    """
    picture = {"text/html": image_of(figure, words, dots_per_inch), "text/plain": words}
    display(picture, raw=True)
    matplotlib.pyplot.close(figure)
