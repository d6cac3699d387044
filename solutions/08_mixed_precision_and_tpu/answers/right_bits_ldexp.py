# exercise: bits
# score:    6/6
# why:      whole numbers and ldexp; spacing by NumPy's frexp
import math

import numpy as np


def decode(bits, exponent_bits):
    width = len(bits)
    number = int(bits, 2)
    mantissa_bits = width - 1 - exponent_bits
    mantissa = number & ((1 << mantissa_bits) - 1)
    exponent = (number >> mantissa_bits) & ((1 << exponent_bits) - 1)
    negative = number >> (width - 1)
    if exponent == (1 << exponent_bits) - 1:
        size = float("nan") if mantissa else float("inf")
    else:
        hidden = 0 if exponent == 0 else 1 << mantissa_bits
        bias = (1 << (exponent_bits - 1)) - 1
        size = math.ldexp(float(hidden | mantissa), max(exponent, 1) - bias - mantissa_bits)
    return -size if negative else size


def spacing(x, exponent_bits, mantissa_bits):
    lowest = 2.0 ** (2 - 2 ** (exponent_bits - 1))
    _, power = np.frexp(max(x, lowest))
    return math.ldexp(1.0, int(power) - 1 - mantissa_bits)
