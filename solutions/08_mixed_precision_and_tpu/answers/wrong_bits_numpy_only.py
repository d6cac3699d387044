# exercise: bits
# score:    4/9
# fails:    bits-other-formats, bits-special, bits-small-spacing
# says:     bfloat16 has 16 bits as float16 has, but 8 of exponent
# why:      lets NumPy read the bits, which it does for float16 only
import numpy as np


def decode(bits, exponent_bits):
    return float(np.array(int(bits, 2) & 0xFFFF, np.uint16).view(np.float16))


def spacing(x, exponent_bits, mantissa_bits):
    return float(np.spacing(np.float16(x)))
