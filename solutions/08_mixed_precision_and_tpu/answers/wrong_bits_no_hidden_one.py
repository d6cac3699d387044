# exercise: bits
# score:    4/6
# breaks:   3
# fails:    bits-float16: the mantissa stands for 1.xxx
# fails:    bits-other-formats: neutral
# why:      forgets the 1 that is not stored
import math


def decode(bits, exponent_bits):
    mantissa_bits = len(bits) - 1 - exponent_bits
    bias = 2 ** (exponent_bits - 1) - 1
    sign = -1.0 if bits[0] == "1" else 1.0
    exponent = int(bits[1 : 1 + exponent_bits], 2)
    mantissa = int(bits[1 + exponent_bits :], 2)
    if exponent == 2**exponent_bits - 1:
        return math.nan if mantissa else sign * math.inf
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (mantissa / 2**mantissa_bits) * 2.0 ** (exponent - bias)


def spacing(x, exponent_bits, mantissa_bits):
    smallest = 2 - 2 ** (exponent_bits - 1)
    exponent = smallest
    while x >= 2.0 ** (exponent + 1):
        exponent += 1
    return 2.0 ** (exponent - mantissa_bits)
