#@title Float bits (run this; open it to see how it works)
# The bits of a number in four formats, and a picture of them. NumPy decodes: it reads the same bytes as another type.
import decimal, IPython.core.pylabtools, IPython.display
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf

FORMATS = {"float16": (5, 10), "bfloat16": (8, 7), "float32": (8, 23), "float64": (11, 52)}  # exponent, mantissa
FIELDS = [("sign", "#CC79A7", "xx"), ("exponent", "#E69F00", "//"), ("mantissa", "#56B4E9", "")]


def number_type(name):
    return tf.as_dtype(name).as_numpy_dtype


def whole_type(name):
    return np.dtype(f"uint{1 + sum(FORMATS[name])}")


def bits_of(x, name):
    """The bits of x as the format stores it: zeros and ones as text, the sign first."""
    with np.errstate(over="ignore", under="ignore"):
        return f"{int(np.array(x, number_type(name)).view(whole_type(name))):0{1 + sum(FORMATS[name])}b}"


def value_of(bits, name):
    """The number that these bits are in the format, as a NumPy number of its type."""
    return np.array(int(bits, 2), whole_type(name)).view(number_type(name))[()]


def in_words(bits, name):
    """Three lines: the value, the distance to the next value away from zero, the range."""
    width, size = FORMATS[name], int(bits[1:], 2)
    largest = int("1" * width[0] + "0" * width[1], 2) - 1  # the pattern before infinity
    exact = lambda pattern: decimal.Decimal(float(value_of(f"{pattern:0{len(bits)}b}", name)))
    value = decimal.Decimal(float(value_of(bits, name)))
    lines = [f"value: {value:.17g}" + " (a subnormal)" * (0 < size < 1 << width[1])]
    if size < largest:
        lines.append(f"next value away from zero: further by {exact(size + 1) - exact(size):.3g}")
    return "\n".join([*lines, f"{name}: largest {exact(largest):.5g}, smallest normal {exact(1 << width[1]):.3g}, "
                      f"smallest above zero {exact(1):.3g}"])


def draw_bits(bits, name):
    """A box for each bit; colour, hatching and a label say its field."""
    figure = plt.Figure((min(11, 1 + 0.3 * len(bits)), 1.1), layout="constrained")  # not one of pyplot's: a widget's thread may draw too
    axes, start = figure.subplots(), 0
    for (field, color, hatch), width in zip(FIELDS, (1, *FORMATS[name])):
        for i in range(start, start + width):
            axes.add_patch(plt.Rectangle((i + 0.05, 0), 0.9, 0.6, fc=color, alpha=0.35))
            axes.text(i + 0.5, 0.3, bits[i], ha="center", va="center", family="monospace", weight="bold",
                      fontsize=min(11, 330 / len(bits)))
        axes.add_patch(plt.Rectangle((start + 0.05, -0.18), width - 0.1, 0.14, fc="white", ec=color, hatch=hatch * 2))
        axes.text(start + width / 2, -0.28, field if width > 1 else "s", ha="center", va="top", fontsize=9)
        start += width
    axes.set(xlim=(0, len(bits)), ylim=(-0.62, 0.65))
    axes.axis("off")
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"The bits {bits}"}, raw=True)
