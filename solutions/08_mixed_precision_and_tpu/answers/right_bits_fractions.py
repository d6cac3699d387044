# exercise: bits
# score:    6/6
# why:      sums the bits with exact fractions; spacing from Python's own float
import math
from fractions import Fraction


def decode(bits, exponent_bits):
    sign, exponent, mantissa = bits[0], bits[1:exponent_bits + 1], bits[exponent_bits + 1:]
    bias = (1 << exponent_bits - 1) - 1
    if "0" not in exponent:
        size = math.nan if "1" in mantissa else math.inf
    else:
        size = sum(Fraction(1, 2 ** (i + 1)) for i, bit in enumerate(mantissa) if bit == "1")
        power = int(exponent, 2) - bias
        if "1" in exponent:
            size += 1
        else:
            power += 1
        size = float(size * Fraction(2) ** power)
    return -size if sign == "1" else size


def spacing(x, exponent_bits, mantissa_bits):
    lowest = 2.0 ** (2 - 2 ** (exponent_bits - 1))
    return math.ulp(max(x, lowest)) * 2.0 ** (52 - mantissa_bits)
