# @title Float bits (run this; open it to see how it works)
# The bits of a number in four formats, and a picture of them. NumPy decodes: it reads the same
# bytes as another type.
import decimal

import numpy as np
import tensorflow as tf
from matplotlib import pyplot as plt
from solutions._shared.figures import PALETTE, show
from solutions._shared.native_output import native_output

# {format: (bits of the exponent, bits of the mantissa)}
FORMATS = {
    "float16": (5, 10),
    "bfloat16": (8, 7),
    "float32": (8, 23),
    "float64": (11, 52),
}
# (field, colour, hatching), from the left
FIELDS = [
    ("sign", PALETTE["purple"], "xx"),
    ("exponent", PALETTE["orange"], "//"),
    ("mantissa", PALETTE["sky"], ""),
]


def number_type(name):
    """NumPy's type of the format called `name`."""
    return tf.as_dtype(name).as_numpy_dtype


def width_of(name):
    """How many bits a number has."""
    exponent_bits, mantissa_bits = FORMATS[name]
    return 1 + exponent_bits + mantissa_bits


def whole_type(name):
    """The type of whole numbers that take as many bytes."""
    return np.dtype(f"uint{width_of(name)}")


def bits_of(x, name):
    """The bits of x as the format stores it: zeros and ones as text, the sign first."""
    with np.errstate(over="ignore", under="ignore"):
        stored = np.array(x, number_type(name))
    return f"{int(stored.view(whole_type(name))):0{width_of(name)}b}"


def value_of(bits, name):
    """The number that these bits are in the format, as a NumPy number of its type."""
    return np.array(int(bits, 2), whole_type(name)).view(number_type(name))[()]


def exactly(pattern, name):
    """The exact value of a pattern of bits, given as a whole number."""
    bits = f"{pattern:0{width_of(name)}b}"
    return decimal.Decimal(float(value_of(bits, name)))


def in_words(bits, name):
    """Two or three lines: the value, the distance to the next value away from zero, the range."""
    exponent_bits, mantissa_bits = FORMATS[name]
    size = int(bits[1:], 2)  # the pattern without its sign
    smallest_normal = 2**mantissa_bits
    infinity = (2**exponent_bits - 1) * smallest_normal
    largest = infinity - 1
    value = decimal.Decimal(float(value_of(bits, name)))
    subnormal = " (a subnormal)" if 0 < size < smallest_normal else ""
    lines = [f"value: {value:.17g}{subnormal}"]
    if size < largest:
        step = exactly(size + 1, name) - exactly(size, name)
        lines.append(f"distance to the next value away from zero: {step:.3g}")
    lines.append(
        f"{name}: largest {exactly(largest, name):.5g}, "
        f"smallest normal {exactly(smallest_normal, name):.3g}, "
        f"smallest above zero {exactly(1, name):.3g}"
    )
    return "\n".join(lines)


def draw_bits(bits, name):
    """A box for each bit; colour, hatching and a label tell its field."""
    # not one of pyplot's figures: a widget's thread may draw, too
    figure = plt.Figure((min(11, 1 + 0.3 * len(bits)), 1.1), layout="constrained")
    axes = figure.subplots()
    start = 0
    for (field, color, hatch), width in zip(FIELDS, (1, *FORMATS[name]), strict=True):
        for i in range(start, start + width):
            draw_bit(axes, i, bits, color)
        bar = plt.Rectangle((start + 0.05, -0.18), width - 0.1, 0.14)
        bar.set(facecolor="white", edgecolor=color, hatch=hatch * 2)
        axes.add_patch(bar)
        label = field if width > 1 else "s"
        axes.text(start + width / 2, -0.28, label, ha="center", va="top", fontsize=9)
        start += width
    axes.set(xlim=(0, len(bits)), ylim=(-0.62, 0.65))
    axes.axis("off")
    _, exponent, mantissa = fields_of(bits, name)
    words = f"{name}: sign {bits[0]}, exponent {exponent}, mantissa {mantissa}"
    show(figure, words)


def draw_bit(axes, i, bits, color):
    """The box of bit i from the left."""
    axes.add_patch(plt.Rectangle((i + 0.05, 0), 0.9, 0.6, facecolor=color, alpha=0.35))
    size = min(11, 330 / len(bits))
    style = {"ha": "center", "va": "center", "family": "monospace", "weight": "bold"}
    axes.text(i + 0.5, 0.3, bits[i], fontsize=size, **style)


def fields_of(bits, name):
    """(sign, exponent, mantissa): the bits of each field, as text."""
    exponent_bits, _ = FORMATS[name]
    return bits[0], bits[1 : 1 + exponent_bits], bits[1 + exponent_bits :]


with native_output():  # oneDNN says once, in red, where a CPU has no AVX-512 for float16
    tf.nn.softmax(tf.zeros([2], tf.float16))
