# exercise: bits
# score:    2/6
# fails:    bits-float16: the bias is 2**(exponent_bits - 1) - 1
# fails:    bits-other-formats: neutral
# fails:    bits-special: neutral
# why:      takes 2**(exponent_bits - 1) for the bias
import math


def decode(bits, exponent_bits):
    mantissa_bits = len(bits) - 1 - exponent_bits
    bias = 2 ** (exponent_bits - 1)
    sign = -1.0 if bits[0] == "1" else 1.0
    exponent = int(bits[1 : 1 + exponent_bits], 2)
    mantissa = int(bits[1 + exponent_bits :], 2)
    if exponent == 2**exponent_bits - 1:
        return math.nan if mantissa else sign * math.inf
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (1 + mantissa / 2**mantissa_bits) * 2.0 ** (exponent - bias)


def spacing(x, exponent_bits, mantissa_bits):
    smallest = 2 - 2 ** (exponent_bits - 1)
    exponent = smallest
    while x >= 2.0 ** (exponent + 1):
        exponent += 1
    return 2.0 ** (exponent - mantissa_bits)
