# exercise: bits
# score:    5/9
# fails:    bits-other-formats, bits-special
# says:     bias 127, not 15
# why:      has float16's bias built in
def decode(bits, exponent_bits):
    mantissa_bits, bias = len(bits) - 1 - exponent_bits, 15
    sign = -1.0 if bits[0] == "1" else 1.0
    exponent, mantissa = int(bits[1:1 + exponent_bits], 2), int(bits[1 + exponent_bits:], 2)
    if exponent == 2**exponent_bits - 1:
        return float("nan") if mantissa else sign * float("inf")
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (1 + mantissa / 2**mantissa_bits) * 2.0 ** (exponent - bias)


def spacing(x, exponent_bits, mantissa_bits):
    smallest = 2 - 2 ** (exponent_bits - 1)
    exponent = smallest
    while x >= 2.0 ** (exponent + 1):
        exponent += 1
    return 2.0 ** (exponent - mantissa_bits)
