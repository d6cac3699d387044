# exercise: bits
# score:    6/6
# why:      the spacing is the next pattern's value less this one's
def decode(bits, exponent_bits):
    exponent_text = bits[1 : 1 + exponent_bits]
    fraction_text = bits[1 + exponent_bits :]
    bias = int("0" + "1" * (exponent_bits - 1), 2)
    fraction = 0.0
    for place, bit in enumerate(fraction_text, start=1):
        fraction += int(bit) * 2.0**-place
    match set(exponent_text):
        case kinds if kinds == {"1"}:
            size = float("inf") if fraction == 0 else float("nan")
        case kinds if kinds == {"0"}:
            size = fraction * 2.0 ** (1 - bias)
        case _:
            size = (1 + fraction) * 2.0 ** (int(exponent_text, 2) - bias)
    return size * (-1) ** int(bits[0])


def spacing(x, exponent_bits, mantissa_bits):
    width = exponent_bits + mantissa_bits
    low, high = 0, 2**width - 2**mantissa_bits
    while high - low > 1:
        middle = (low + high) // 2
        if decode(f"0{middle:0{width}b}", exponent_bits) <= x:
            low = middle
        else:
            high = middle
    return decode(f"0{low + 1:0{width}b}", exponent_bits) - decode(f"0{low:0{width}b}", exponent_bits)
