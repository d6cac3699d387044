# exercise: bits
# score:    4/6
# breaks:   4
# fails:    bits-special: zero has a sign, too
# why:      makes -0 a plain zero
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
        return (sign if mantissa else 1) * math.ldexp(mantissa, 1 - bias - len(fraction))
    return sign * math.ldexp(mantissa + 2 ** len(fraction), exponent - bias - len(fraction))

def spacing(x, exponent_bits, mantissa_bits):
    lowest = 2 - 2 ** (exponent_bits - 1)
    power = math.frexp(x)[1] - 1 if x else lowest
    return 2.0 ** (max(power, lowest) - mantissa_bits)
