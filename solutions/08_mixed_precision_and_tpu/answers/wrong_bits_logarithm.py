# exercise: bits
# score:    5/6
# breaks:   8
# fails:    bits-small-spacing: this is the spacing above the power of two
# why:      finds the power of two by math.log2, which is rounded
import math

def decode(bits, exponent_bits):
    sign = -1.0 if bits[0] == "1" else 1.0
    exponent = int(bits[1 : 1 + exponent_bits], 2)
    fraction = bits[1 + exponent_bits :]
    mantissa = int(fraction or "0", 2)
    bias = 2 ** (exponent_bits - 1) - 1
    if exponent == 2**exponent_bits - 1:
        return float("nan") if mantissa else sign * float("inf")
    if exponent == 0:
        return sign * math.ldexp(mantissa, 1 - bias - len(fraction))
    return sign * math.ldexp(mantissa + 2 ** len(fraction), exponent - bias - len(fraction))

def spacing(x, exponent_bits, mantissa_bits):
    lowest = 2 - 2 ** (exponent_bits - 1)
    power = math.floor(math.log2(x)) if x else lowest
    return 2.0 ** (max(power, lowest) - mantissa_bits)
