# %% [markdown] runtime="TPU" minutes=110 exercises=55 gives="read floats from their bits, train in 16 bits without losing gradients, write one program for TPU, GPUs and CPUs" after="03"
# # Lesson 08 · Mixed precision and TPU
#
# **A problem from work.** Every night your team trains two models on pictures of machine parts. One tells which part it
# sees; the other predicts how fast the part wears, some hundred-thousandths of a millimetre an hour. With more pictures
# the job no longer fits into memory and no longer ends before morning. A colleague lets the layers compute with numbers
# of 16 bits. There is no error, and the job ends in time; but the wear model has learned nothing all night. Meanwhile a
# TPU, a chip made for such work, sits idle, because nobody wants to maintain a second program for it.
#
# After this lesson you can
#
# 1. read a number from its bits, and say how large and how exact numbers of 16 and of 32 bits can be;
# 2. train with 16-bit arithmetic without losing small values, and find a training run that loses them silently;
# 3. write one program that trains on a TPU, on GPUs or on CPUs, whichever it finds, and keeps them supplied with data.
#
# **Hardware:** CPU only. Four logical CPU devices play the part of a TPU's cores. They share this machine's cores, so
# they show what happens and not how fast. What GPUs and TPUs do better is told with its source; nothing that is graded
# needs one.

# %% include="quiet_start.py" devices=4 hide_gpus=False

# %% include="checks.py float_bits.py float_widget.py get_strategy.py"

# %% [markdown]
# ## The idea in one picture
#
# ![Two lanes. Upper lane, float32, 4 bytes a number: the variables, the loss, the update. Lower lane, float16 or bfloat16, 2 bytes a number: a copy of the variables, the forward pass, the backward pass. The variables are cast down to the copy, which goes through the forward pass; its result is cast up for the loss; the loss times a scale starts the backward pass; its gradients are cast up, divided by the scale, and update the variables if all are finite; otherwise the step is skipped and the scale halved.](assets/08_two_dtypes.svg)
#
# **Mixed precision** does most of the arithmetic with 16-bit numbers, and keeps in 32 bits what would suffer: variables,
# loss, long sums. GPUs and TPUs have special units for it.
#
# ## Sitting 1 · Sixteen bits
#
# ## 1 A number is three fields of bits
#
# A floating-point number is a sign, an exponent and a mantissa. Here is π in float32, and how to read it by hand: the
# exponent is stored with 127 added, the **bias**, so that it needs no sign of its own. The mantissa holds what comes
# after the point in 1.xxx; the 1 itself is not stored.

# %% grading="skip"
bits = bits_of(np.pi, "float32")
draw_bits(bits, "float32")
sign = int(bits[0])
exponent = int(bits[1:9], 2)
mantissa = int(bits[9:], 2)
print(f"sign {sign}, exponent {exponent - 127}, mantissa {mantissa / 2**23}")
print((-1) ** sign * 2.0 ** (exponent - 127) * (1 + mantissa / 2**23))

# %% [markdown]
# Other formats divide their bits in another way. With `e` exponent bits the bias is 2^(e−1) − 1.
#
# | format | sign | exponent | mantissa | bias | bytes |
# | --- | --- | --- | --- | --- | --- |
# | float16, "half" | 1 | 5 | 10 | 15 | 2 |
# | bfloat16 | 1 | 8 | 7 | 127 | 2 |
# | float32, "single" | 1 | 8 | 23 | 127 | 4 |
# | float64, "double" | 1 | 11 | 52 | 1023 | 8 |
#
# bfloat16 is the first half of float32: the same exponent, fewer digits. What do they make of π?

# %% grading="skip"
for name in FORMATS:
    stored = decimal.Decimal(float(value_of(bits_of(np.pi, name), name)))
    print(f"{name:9}{stored}")

# %% [markdown]
# Each line is the *exact* value that is stored. Both 16-bit formats are right to two decimals; both happen to store the
# same 3.140625. float32 is right to six decimals, float64 to fifteen.
#
# Two exponents are special:
#
# | exponent bits | mantissa | the value is |
# | --- | --- | --- |
# | all 0 | 0 | zero; there is also a −0 |
# | all 0 | not 0 | a **subnormal**: 0.xxx instead of 1.xxx, times 2^(1 − bias) |
# | all 1 | 0 | infinity, with its sign |
# | all 1 | not 0 | not a number, `nan` |
#
# Subnormals fill the gap between zero and the smallest normal number with evenly spaced values.
#
# ## 2 How fine and how far
#
# float16 has only 65 536 patterns, so we can look at all of them.

# %% predict="count"
# Predict: how many float16 values lie from 1 up to, not including, 2?
# And from 1024 to 2048?
from_1 = ...
from_1024 = ...

# %% grading="skip"
every = np.arange(2**16, dtype=np.uint16).view(np.float16)
count = {}
for low in (0.25, 1, 1024, 16384):
    count[low] = int(np.sum((every >= low) & (every < 2 * low)))
    print(f"from {low:8} to {2 * low:8}: {count[low]} values, {low / count[low]:g} apart")
compare_prediction("values from 1 to 2", from_1, count[1], "The mantissa has 10 bits.")
compare_prediction("values from 1024 to 2048", from_1024, count[1024], "As many.")

# %% [markdown]
# **Between two powers of two every format has the same number of values, so the distance between neighbours doubles at
# each power of two.** (Subnormals are the exception.) Precision is relative: it is a share of the number, not a fixed
# amount.

# %% predict="plus-one"
# Predict each sum in float16: 2048 + 1, 2048 + 3, 1 + 0.0001
added = [..., ..., ...]

# %% grading="skip"
pairs = [(2048, 1), (2048, 3), (1, 0.0001)]
seen = [float(np.float16(a) + np.float16(b)) for a, b in pairs]
why = "A result between two values goes to the nearer one."
compare_prediction("2048 + 1, 2048 + 3, 1 + 0.0001", added, seen, why)

# %% [markdown]
# Between 2048 and 4096 the values are 2 apart. So 2049 does not exist; nor does 2051. From the middle between two values
# a result goes to the one whose last bit is 0: 2049 goes down to 2048, 2051 up to 2052.
#
# The distance from 1 to the next value is the format's **resolution**, also called epsilon: about 1e-2 for bfloat16, 1e-3
# for float16, 1e-7 for float32, 2e-16 for float64. Here is the distance for other values:

# %% grading="skip"
figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
looks = {"float16": "r--", "bfloat16": "b-", "float32": "g-.", "float64": "k:"}
for name, look in looks.items():
    top = 4.8 if name == "float16" else 12
    x = np.logspace(-12, top, 400).astype(number_type(name))
    axes.loglog(x.astype("float64"), np.spacing(x).astype("float64"), look, label=name)
axes.set(xlabel="value", ylabel="distance to the next value")
axes.legend()
show(figure, "Four staircases that rise with the value. From 1e-5 on bfloat16 lies highest; "
     "float16 lies lower, ends at 65504 and is flat below 1e-4.")

# %% [markdown]
# From 1e-5 on bfloat16 is the coarsest. float16 is finer, but ends at 65 504 on the right, and is flat on the left, below
# 1e-4: its subnormals are as far apart as its smallest normal numbers.
#
# **float16 is finer, bfloat16 reaches further.** Gradients are small and of very different sizes, so reach matters more,
# as section 7 shows.
#
# ## 3 Flip bits
#
# Choose a number and a format, then click on bits. Find the largest float16, the smallest above zero, a `nan`, and the
# one bit of 1.0 whose flip gives infinity.

# %% grading="skip"
flip_bits()

# %% [markdown]
# <details><summary>What you find</summary>
#
# Largest: `0 11110 1111111111`, 65504. Smallest: `0 00000 0000000001`, 5.96e-8. `nan`: exponent all ones and any mantissa
# bit. 1.0 is `0 01111 0000000000`: its exponent's first bit is 0 and the others are 1. Flip the first bit and all are 1:
# infinity.
# </details>
#
# <details><summary>Picture for reading without a kernel</summary>
#
# ![The widget: a field for the number, 3.14159265, a list of formats that shows float16, sixteen buttons with the bits 0 10000 1001001000, below them the same bits with their fields named s, exponent and mantissa, and three lines: value 3.140625; the next value is further by 0.00195; float16 reaches from 5.96e-8 above zero to 65504.](assets/08_widget.svg)
# </details>
#
# ## 4 Formats that you did not choose
#
# **float64 from NumPy.** NumPy makes float64 if you do not say otherwise. TensorFlow makes float32 from Python numbers,
# but *keeps* the type of what comes from NumPy.

# %% grading="skip"
table = np.ones([1000, 1000])
print(table.dtype, table.nbytes, "bytes; as float32", table.astype("float32").nbytes)
print("a constant from NumPy:", tf.constant(table).dtype.name)
print("a constant from Python:", tf.constant([1.0, 2.0]).dtype.name)
try:
    tf.matmul(np.eye(2), tf.ones([2, 2]))
except tf.errors.InvalidArgumentError as error:
    print(error.message.partition(" [Op")[0])

# %% [markdown]
# Read the message: input #1 (counted from 0) "was expected to be a double tensor", since input #0 is one. **The error
# blames the input whose type you wanted.** The float64 came in first. (The other way round TensorFlow converts the array,
# and nothing fails: then you pay with twice the bytes and slower products.) **Write `astype("float32")` where data
# enters.**
#
# **TF32 on GPUs.** NVIDIA GPUs since 2020 (Ampere and later) can round the inputs of float32 matrix products and
# convolutions to 10 bits of mantissa, a format called **TF32**, which is much faster. [In TensorFlow this is on by
# default](https://www.tensorflow.org/api_docs/python/tf/config/experimental/enable_tensor_float_32_execution). The
# tensors are still called float32, but the inputs of their products are no more exact than float16's. Here is what the
# rounding does:

# %% grading="skip"
def as_tf32(x):
    """x rounded to TF32: the 13 lowest of 23 mantissa bits go."""
    whole = np.float32(x).view(np.uint32).astype("int64")
    rounded = (whole + 0x0FFF + (whole >> 13) % 2) >> 13 << 13
    return float(np.uint32(rounded).view(np.float32))

for x in (1.0001, 1.001, 1e-30):
    print(f"float32 {x}, as TF32 {as_tf32(x):.7g}")
print("TF32 allowed here:", tf.config.experimental.tensor_float_32_execution_enabled())

# %% [markdown]
# So a result that differs in the fourth digit between CPU and GPU need not be a mistake. If you need all digits, call
# `tf.config.experimental.enable_tensor_float_32_execution(False)`; on a CPU the switch changes nothing. On a real GPU:
#
# {{gpu record: exact}}
#
# With TF32, float32's error is two hundred times as large as without it, and nearly float16's. (float16 also *returns*
# 16 bits.)
#
# **FP8.** GPUs since 2022 also multiply numbers of **8** bits, in two formats: E5M2 (5 exponent bits, 2 of mantissa) and
# E4M3, which gives up infinity for one more power of two ([FP8 formats for deep
# learning](https://arxiv.org/abs/2209.05433)). Values need a scale of their own for each tensor. In Keras it is a layer's
# `quantize("float8")`, and still young.

# %% [markdown] exercise="bits"
# ### Exercise 1 · Decode a number
#
# Write two functions for a floating-point format with any number of exponent and mantissa bits.
#
# `decode(bits, exponent_bits)` returns the number that the text `bits` of zeros and ones stands for. The sign comes
# first {#1}; then come `exponent_bits` bits of exponent, as many as you are told {#2}; all others are the mantissa {#3}.
# Zero and subnormals {#4}, infinities (`float("inf")`) {#5} and not-a-number (`float("nan")`) {#6} are those of
# section 1. The result is a Python float, and exact {#7}.
#
# `spacing(x, exponent_bits, mantissa_bits)` returns the distance from `x`, a number that the format has, to its neighbour
# *away from zero*, a float {#8}. It is that of a format with the given numbers of bits {#9}, also for zero and
# subnormals {#10}. `x` is zero or more and smaller than the largest value.
#
# Example: `decode("0100001001001000", 5)` is 3.140625, π in float16. `spacing(2.0, 5, 10)` is 0.001953125, which is 2⁻⁹:
# from 2 to 4 there are 2¹⁰ values.
#
# No format has more bits than float64, so Python floats hold every value exactly, and the checks compare exactly.

# %% solution="bits" kind="model"
def decode(bits, exponent_bits):
    """Decode a floating-point number.

    Args:
        bits: str of "0" and "1": the sign, the exponent, the mantissa.
        exponent_bits: int, how many bits the exponent has (the bias is 2**(exponent_bits - 1) - 1).
    Returns:
        float, the exact value; infinities and nan as Python's floats.
    """
    ### BEGIN SOLUTION
    mantissa_bits = len(bits) - 1 - exponent_bits
    bias = 2 ** (exponent_bits - 1) - 1
    sign = -1.0 if bits[0] == "1" else 1.0
    exponent = int(bits[1 : 1 + exponent_bits], 2)
    mantissa = int(bits[1 + exponent_bits :], 2)
    if exponent == 2**exponent_bits - 1:
        return float("nan") if mantissa else sign * float("inf")
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (2**mantissa_bits + mantissa) * 2.0 ** (exponent - bias - mantissa_bits)
    ### END SOLUTION


def spacing(x, exponent_bits, mantissa_bits):
    """Distance from x to the next value away from zero.

    Args:
        x: float, zero or more, a value of the format and smaller than its largest.
        exponent_bits, mantissa_bits: int, the widths of the format's fields.
    Returns:
        float, the exact distance.
    """
    ### BEGIN SOLUTION
    import math
    smallest = 2 - 2 ** (exponent_bits - 1)                # the exponent of the smallest normal number
    exponent = math.frexp(x)[1] - 1 if x else smallest     # x is 1.xxx times two to this
    return 2.0 ** (max(exponent, smallest) - mantissa_bits)
    ### END SOLUTION

# %% try="bits"
try:
    print(decode("0100001001001000", 5), decode("0000000000000001", 5))  # 3.140625, 5.96e-08
    print(spacing(2.0, 5, 10), spacing(1000.0, 5, 10))
except NotImplementedError as error:
    print(error)

# %% check="bits-float16" points=1 title="float16 is read as NumPy reads it"
import numpy as np

patterns = [
    "0100001001001000",
    "1011110000000000",
    "0011110000000001",
    "0111101111111111",
    "0000010000000000",
]
got = [decode(bits, 5) for bits in patterns]
right = [float(np.array(int(bits, 2), np.uint16).view(np.float16)) for bits in patterns]
told = Told(
    asked=f"decode of {patterns}, each with 5 exponent bits",
    got=got,
    expected=f"{written(right)}, as NumPy reads the same bits",
    reread="section 1, A number is three fields of bits",
)
assert all(type(value) is float for value in got), told("return a Python float for every input")
assert got != [abs(value) for value in right], told("the first bit is the sign: 1 means negative")
for wrong_bias in (14, 16):
    shifted = [value * 2.0 ** (15 - wrong_bias) for value in right]
    assert got[:3] != shifted[:3], told("the bias is 2**(exponent_bits - 1) - 1: 15 for 5 bits")
hidden = [abs(value) / 2.0 ** np.floor(np.log2(abs(value))) for value in right]
without = [value * (part - 1) / part for value, part in zip(right, hidden)]
assert got[:3] != without[:3], told("the mantissa stands for 1.xxx: the 1 that is not stored is missing")
assert got == right, told()

# %% check="bits-spacing" points=1 title="The distance to the next float16"
import numpy as np

values = [1.0, 2.0, 3.0, 1023.5, 1024.0, 0.25]
got = [spacing(x, 5, 10) for x in values]
right = [float(np.spacing(np.float16(x))) for x in values]
told = Told(
    asked=f"spacing of {values}, each with 5 and 10 bits",
    got=got,
    expected=f"{written(right)}, as NumPy says",
    reread="section 2, How fine and how far",
)
assert all(isinstance(value, (int, float)) for value in got), told("return a float for every input")
assert len(set(got)) > 1, told("the distance is not the same everywhere: it doubles at each power of two")
below = [x - float(np.nextafter(np.float16(x), np.float16(0))) for x in values]
assert got != below, told("this is the distance to the neighbour nearer to zero; it differs at powers of two")
assert got[1] == got[2], told("2.0 and 3.0 lie between the same powers of two, so their spacing is the same")
assert got == right, told()

# %% hidden="bits-other-formats" points=1 title="Formats of other widths"
import numpy as np
import tensorflow as tf

tail = "".join(draw.choice("01") for _ in range(5))
questions = [("01000000010" + tail, 8), ("1" + "1000001" + "1" + "10" + tail, 8)]
wide = "0" + "10000000000" + "1" * 47 + tail
mini = [("01000101", 5), ("10111" + tail[:3], 4)]
got = [decode(bits, width) for bits, width in [*questions, (wide, 11), *mini]]
right = [float(np.array(int(bits, 2), np.uint16).view(tf.bfloat16.as_numpy_dtype)) for bits, _ in questions]
right.append(float(np.array(int(wide, 2), np.uint64).view(np.float64)))
right += [reference.decode(bits, width) for bits, width in mini]
told = Told(
    asked=f"decode of {questions}, of ({wide!r}, 11), of {mini}",
    got=got,
    expected=right,
    reread="section 1, A number is three fields of bits",
)
half = [float(np.array(int(bits, 2), np.uint16).view(np.float16)) for bits, _ in questions]
assert got[:2] != half, told("bfloat16 has 16 bits as float16 has, but 8 of them are exponent, with bias 127")
close = [abs(a - b) <= 1e-3 * abs(b) for a, b in zip(got, right)]
assert got == right or not all(close), told("the values must be exact; the wide one was rounded on the way")
assert got == right, told()

# %% hidden="bits-special" points=2 title="Zero, subnormals, infinities, nan"
import numpy as np

mantissa = draw.randrange(1, 1024)
subnormal = f"1{0:05b}{mantissa:010b}"
patterns = ["0" * 16, "0111110000000000", "1111110000000000", "0000000000000001", subnormal]
got = [decode(bits, 5) for bits in patterns]
other = decode("0000000001000000", 8)
unreal = [
    decode("0111110000000001", 5),
    decode(f"1{31:05b}{mantissa:010b}", 5),
    decode("0111111111000000", 8),
]
right = [0.0, float("inf"), -float("inf"), 2.0**-24, -mantissa * 2.0**-24]
told = Told(
    asked=f"decode of {patterns} with 5 exponent bits, of '0000000001000000' with 8, of three nan",
    got=f"{written(got)}, {written(other)} and {written(unreal)}",
    expected=f"{written(right)}, {written(2.0**-127)} and three times nan",
    reread="section 1, A number is three fields of bits",
)
assert got[1:3] == right[1:3], told("an exponent of all ones with mantissa 0 is infinity, with its sign")
assert all(value != value for value in unreal), told("an exponent of all ones with any other mantissa is nan")
assert got[3:] != [0, 0], told("an exponent of all zeros with a mantissa is a subnormal, not zero")
one = decode("0011110000000000", 5)
assert one != 1 or got[3:] != [value / 2 for value in right[3:]], told(
    "a subnormal's exponent is 1 - bias, not 0 - bias"
)
assert abs(got[3]) < 2.0**-16, told("a subnormal is 0.xxx: an exponent of all zeros has no hidden 1")
assert got == right and other == 2.0**-127, told()
minus_zero = decode("1" + "0" * 15, 5)
told.asked, told.got, told.expected = "decode('1000000000000000', 5)", minus_zero, "-0.0"
assert np.signbit(minus_zero) and minus_zero == 0, told("zero has a sign, too: this one is −0")

# %% hidden="bits-small-spacing" points=1 title="The distance near zero, and in other formats"
import numpy as np

values = [0.0, 2.0**-24, 2.0**-15, 2.0**-14, 2.0**-13]
got = [spacing(x, 5, 10) for x in values]
right = [float(np.spacing(np.float16(x))) for x in values]
exponent_bits, mantissa_bits = draw.randrange(4, 8), draw.randrange(2, 9)
questions = [(1.0, 8, 7), (6.0, exponent_bits, mantissa_bits), (0.0, 8, 7)]
others = [spacing(*question) for question in questions]
right_others = [reference.spacing(*question) for question in questions]
told = Told(
    asked=f"spacing of {values} with 5 and 10 bits; then spacing of each of {questions}",
    got=f"{written(got)}; {written(others)}",
    expected=f"{written(right)}; {written(right_others)}",
    reread="section 1, A number is three fields of bits",
)
assert got[2] >= right[2], told("below the smallest normal number the spacing does not shrink any more")
assert got[0] != 0, told("the spacing at zero is the smallest subnormal, not 0")
assert got != right or others == right_others, told("use the given widths, not those of float16")
assert got == right and others == right_others, told()
power = draw.randrange(4, 60)  # from 3 on, a logarithm of such a number is the whole power
below = 2.0**power - 2.0 ** (power - 53)
told.asked, told.got = f"spacing({below!r}, 11, 52), just below {2.0**power}", spacing(below, 11, 52)
told.expected = 2.0 ** (power - 53)
assert told.got != 2 * told.expected, told(
    "this is the spacing above the power of two; a logarithm in floats is rounded, up to the power itself"
)
assert told.got == told.expected, told()

# %% [markdown]
# ## 5 Two data types by hand
#
# Now train with them. First the classic form, since it shows every cast. A *custom getter* stands between you and each
# variable: it stores float32 and hands out a copy in the type that you asked for.

# %% grading="skip"
def stored_as_float32(getter, name, shape=None, dtype=None, **rest):
    variable = getter(name, shape, dtype=tf.float32, **rest)
    return tf.cast(variable, dtype)

v1 = tf.compat.v1
with tf.Graph().as_default():
    x = v1.placeholder(tf.float16, [None, 2])
    with v1.variable_scope("layer", custom_getter=stored_as_float32):
        w = v1.get_variable("w", [2, 2], tf.float16, initializer=v1.ones_initializer())
    logits = tf.cast(tf.matmul(x, w), tf.float32)         # float32 from here on
    loss = tf.nn.softmax_cross_entropy_with_logits([[1.0, 0.0]], logits)
    [stored] = v1.trainable_variables()
    [gradient] = tf.gradients(loss, [stored])
print("used as", w.dtype.name, "| stored as", stored.dtype.base_dtype.name)
print("gradient", gradient.dtype.name)

# %% [markdown]
# The matmul is float16; the variable and its gradient are float32, since the gradient of a cast casts back. That is the
# whole mechanism. Why not simply everything in 16 bits? Three reasons:

# %% grading="skip"
half = tf.constant([12.0, -8.0], tf.float16)
single = tf.constant([12.0, -8.0])
for logits in (half, single):
    loss = -tf.math.log(tf.nn.softmax(logits))[1]
    print(f"{logits.dtype.name}: exp(12) is {tf.exp(logits)[0].numpy()}, a loss {loss.numpy()}")
for name in ("float16", "bfloat16", "float32"):
    weight = tf.constant(1.0, name)
    print("1 - 0.0001 is", float(weight - tf.constant(0.0001, name)), "in", name)

# %% [markdown]
# | what stays float32 | why |
# | --- | --- |
# | softmax and loss | `exp` overflows from 11.1 on; a small probability becomes 0, and its logarithm infinite |
# | variables | an update that is smaller than half the spacing *at the weight* is lost, however often it comes |
# | long sums, means, statistics of batch normalisation | each step rounds; the sum stops growing, as 2048 + 1 did |
#
# The second row, exactly: around the weight 1 float16's values are 0.001 apart above and 0.0005 below, around 0.01 only
# 0.000008. So 0.0001 is lost at 1 and not at 0.01. (TensorFlow's own kernels help here and there: its softmax subtracts
# the largest logit first, some of its sums use float32 inside. Do not rely on it.)
#
# ## 6 Policies: the same in one line
#
# In today's form a layer has a **policy** with two types: `compute_dtype` for its arithmetic, `variable_dtype` for its
# variables. The layer makes the casts.

# %% predict="policy"
# Predict the compute type and the variable type of "mixed_float16" and of "float16".
of_mixed_float16 = ("...", "...")
of_float16 = ("...", "...")

# %% grading="skip"
import keras

types = {}
for name in ("float32", "mixed_float16", "mixed_bfloat16", "float16"):
    layer = keras.layers.Dense(2, dtype=name)
    types[name] = (layer.compute_dtype, layer.variable_dtype)
    print(f"{name:15} (computes in, stores): {types[name]}")
compare_prediction("mixed_float16", of_mixed_float16, types["mixed_float16"])
compare_prediction("float16", of_float16, types["float16"], "It stores 16 bits, too.")

# %% [markdown]
# `float16` is not `mixed_float16`: it stores the *variables* in 16 bits too, and small updates get lost.
#
# There are two ways to set a policy. `set_dtype_policy` sets the **global** policy, which every layer gets that is made
# *afterwards*. The argument `dtype` sets it for **one layer**; with it a layer also opts out. The last activation must
# compute in float32; a layer with delicate sums may.

# %% grading="skip"
keras.config.set_dtype_policy("mixed_bfloat16")
hidden = keras.layers.Dense(8, activation="relu", name="hidden")
delicate = keras.layers.Dense(8, name="delicate", dtype="float32")       # opts out
logits = keras.layers.Dense(3, name="logits")
last = keras.layers.Activation("softmax", name="probabilities", dtype="float32")
model = keras.Sequential([keras.Input([4]), hidden, delicate, logits, last])
keras.config.set_dtype_policy("float32")
for layer in model.layers:
    print(f"{layer.name:14} {layer.compute_dtype:9} {layer.dtype_policy.name}")


def with_global_policy(before, function, *arguments):
    """For exercise 2: [what a function returns under a policy, the global policy afterwards]."""
    keras.config.set_dtype_policy(before)
    try:
        result = function(*arguments)
        return [result, keras.config.dtype_policy().name]
    finally:
        keras.config.set_dtype_policy("float32")

# %% [markdown]
# The second call set the policy back. It is a setting of the whole program; forgotten, it changes the next model too. A
# model that exists keeps its layers' policies.

# %% [markdown] exercise="policy"
# ### Exercise 2 · A mixed model
#
# Write `mixed_model(features, hidden, classes, policy, keep)`. It builds a `keras.Sequential` model and returns its
# description, `model.to_json()`. The layers, in this order:
#
# * `keras.Input([features])` {#1};
# * for each number of the list `hidden` a `Dense` layer of so many units with `activation="relu"`, named `hidden1`,
#   `hidden2`, … {#2};
# * `Dense(classes, name="logits")`, without activation {#3};
# * `Activation("softmax", name="probabilities")` {#4}.
#
# Hidden layers and `logits` **compute as the policy says** {#5}; `policy` is `"mixed_float16"`, `"mixed_bfloat16"` or
# `"float32"`. Layers whose names are in the list `keep` opt out: they compute in float32 {#6}. `probabilities` always
# computes in float32 {#7}. **All variables are float32** {#8}. The global policy, whichever it is, is the same
# afterwards as before {#9}.
#
# Example: for `mixed_model(8, [16, 4], 3, "mixed_float16", ["hidden2"])` the try cell shows `hidden1` and `logits`
# computing in float16, `hidden2` and `probabilities` in float32.

# %% solution="policy" kind="today"
import keras


def mixed_model(features, hidden, classes, policy, keep):
    """Describe a classifier in mixed precision.

    Args:
        features: int, inputs of the model.
        hidden: list of int, units of the hidden layers.
        classes: int, outputs of the model.
        policy: str, the policy of hidden layers and logits.
        keep: list of str, names of layers that compute in float32 all the same.
    Returns:
        str, the model's to_json().
    """
    ### BEGIN SOLUTION
    def kind(name):
        return "float32" if name in keep else policy

    model = keras.Sequential([keras.Input([features])])
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        model.add(keras.layers.Dense(units, activation="relu", name=name, dtype=kind(name)))
    model.add(keras.layers.Dense(classes, name="logits", dtype=kind("logits")))
    model.add(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return model.to_json()
    ### END SOLUTION


def model_under(before, *arguments):
    """Given, for the checks: your description under this global policy, and the policy afterwards."""
    return with_global_policy(before, mixed_model, *arguments)

# %% try="policy"
import json

try:
    described = mixed_model(8, [16, 4], 3, "mixed_float16", ["hidden2"])
    for layer in json.loads(described)["config"]["layers"][1:]:
        dtype = keras.DTypePolicy(layer["config"]["dtype"]["config"]["name"])
        name = layer["config"]["name"]
        print(f"{name:14} computes in {dtype.compute_dtype}, stores {dtype.variable_dtype}")
except NotImplementedError as error:
    print(error)

# %% check="policy-layers" points=2 title="Layers, names and types of a mixed model"
import json

import keras

answer = mixed_model(8, [16, 4], 3, "mixed_float16", [])
told = Told(
    asked='mixed_model(8, [16, 4], 3, "mixed_float16", [])',
    got=answer,
    expected="(compute, store) is (float16, float32) but for probabilities, (float32, float32)",
    reread="section 6, Policies: the same in one line",
)
assert type(answer) is str and answer.startswith("{"), told("return model.to_json(), not the model")
layers = {layer["config"]["name"]: layer["config"] for layer in json.loads(answer)["config"]["layers"][1:]}
types = {}
for name, config in layers.items():
    dtype = config["dtype"] if type(config["dtype"]) is str else config["dtype"]["config"]["name"]
    types[name] = (keras.DTypePolicy(dtype).compute_dtype, keras.DTypePolicy(dtype).variable_dtype)
told.got = types
names = ["hidden1", "hidden2", "logits", "probabilities"]
assert list(types) == names, told(f"the layers after the input are {names}, in this order")
assert ("float16", "float16") not in types.values(), told(
    "the policy float16 stores 16-bit variables; mixed_float16 stores float32"
)
assert types["probabilities"][0] == "float32", told("the softmax computes in the policy's 16 bits")
assert types["logits"][0] == "float16", told(
    "the logits follow the policy; only the probabilities stay in float32"
)
assert types["hidden1"][0] == types["hidden2"][0] == "float16", told(
    "the hidden layers did not get the policy"
)
assert all(stored == "float32" for _, stored in types.values()), told()

# %% check="policy-keep" points=1 title="A layer opts out"
import json

answer = mixed_model(8, [16, 4], 3, "mixed_bfloat16", ["hidden2"])
told = Told(
    asked='the policies of the layers of mixed_model(8, [16, 4], 3, "mixed_bfloat16", ["hidden2"])',
    got=answer,
    expected="hidden2 and probabilities float32, hidden1 and logits mixed_bfloat16",
    reread="section 6, Policies: the same in one line",
)
assert type(answer) is str and answer.startswith("{"), told("return model.to_json(), not the model")
got = {}
for layer in json.loads(answer)["config"]["layers"][1:]:
    dtype = layer["config"]["dtype"]
    got[layer["config"]["name"]] = dtype if type(dtype) is str else dtype["config"]["name"]
told.got = got
assert got.get("hidden2") != "mixed_bfloat16", told("hidden2 is in keep and did not opt out")
assert got.get("hidden1") != "mixed_float16", told(
    "the policy is an argument; it is not always mixed_float16"
)
assert {got.get("hidden1"), got.get("logits")} != {"float32"}, told("one layer opts out, not the whole model")
right = {
    "hidden1": "mixed_bfloat16",
    "hidden2": "float32",
    "logits": "mixed_bfloat16",
    "probabilities": "float32",
}
assert got == right, told()

# %% hidden="policy-global" points=2 title="The global policy stays"
import json

for before, policy in [("float32", "mixed_bfloat16"), ("mixed_bfloat16", "mixed_float16")]:
    question = (4, [draw.randrange(2, 9)], 2, policy, [])
    answer, after = model_under(before, *question)
    told = Told(
        asked=f"the global policy after mixed_model{question}; before, it was {before!r}",
        got=after,
        expected=before,
        reread="section 6, Policies: the same in one line",
    )
    assert type(answer) is str and answer.startswith("{"), told("return model.to_json(), not the model")
    units = [layer["config"].get("units") for layer in json.loads(answer)["config"]["layers"]]
    units = [number for number in units if number]
    assert units == [question[1][0], 2], told(f"it describes a model with layers of {units} units")
    assert after == before or before != "float32", told(
        "the global policy was changed and not put back, so the next model gets it too"
    )
    assert after == before, told("the global policy is not put back as it was")

# %% hidden="policy-other" points=2 title="Other models"
import json

sizes = [draw.randrange(2, 30) for _ in range(9)]
questions = [
    (sizes[0], [sizes[1]], sizes[2], "mixed_float16", ["logits"]),
    (sizes[3], sizes[4:7], sizes[7], "mixed_bfloat16", ["hidden1", "hidden3"]),
    (sizes[8], [], 2, "mixed_float16", []),
    (4, [9], 2, "float32", ["hidden1"]),
]


def described(answer):
    """(batch shape of the input, [(name, class, units, activation, policy) of each other layer])."""
    layers = [(layer["class_name"], layer["config"]) for layer in json.loads(answer)["config"]["layers"]]
    rows = []
    for kind, config in layers[1:]:
        dtype = config["dtype"] if type(config["dtype"]) is str else config["dtype"]["config"]["name"]
        activation = config.get("activation")
        if isinstance(activation, dict):  # a function that is not Keras's, such as tf.nn.softmax
            activation = str(activation.get("config")).removesuffix("_v2")
        rows.append((config["name"], kind, config.get("units"), activation, dtype))
    return layers[0][1].get("batch_shape"), rows


for question in questions:
    before = "mixed_bfloat16" if question[3] == "float32" else "float32"
    answer, _ = model_under(before, *question)
    shape, right = described(reference.mixed_model(*question))
    told = Told(
        asked=f"name, class, units, activation and policy of the layers of mixed_model{question}, "
        f"where the global policy is {before!r}",
        got=answer,
        expected=right,
        reread="section 6, Policies: the same in one line",
    )
    assert type(answer) is str and answer.startswith("{"), told("return model.to_json(), not the model")
    input_shape, rows = described(answer)
    told.got = rows
    assert len(rows) == len(right), told(
        f"after the input come {len(rows)} layers; there should be {len(right)}"
    )
    names = [row[0] for row in right]
    assert [row[0] for row in rows] == names, told(f"the names are {names}")
    assert rows[-1][3] == "softmax", told("the last layer's activation is not softmax")
    assert rows[-2][3] == "linear", told(
        "logits has an activation; the softmax is a layer of its own behind it"
    )
    assert all(row[3] == "relu" for row in rows[:-2]), told("hidden layers have the activation relu")
    assert [row[2] for row in rows] == [row[2] for row in right], told(
        "units are those of hidden, then classes"
    )
    assert list(input_shape) == list(shape), told(f"the input's shape is {input_shape}, not {shape}")
    kept = [row[4] for row in rows if row[0] in question[4]]
    assert set(kept) <= {"float32"}, told("a layer in keep did not opt out; logits can be in keep too")
    assert rows == right, told()

# %% [markdown]
# ## 7 Gradients that vanish
#
# What about the backward pass? Take a network that has already learned: most of its outputs are right, so their gradients
# are tiny. The mean over 1024 examples makes each another thousand times smaller.

# %% grading="skip"
x = tf.random.normal([1024, 16], seed=1)
labels = tf.cast(x[:, :1] > 0, tf.float32)
w = tf.concat([tf.fill([1, 1], 6.0), 0.1 * tf.random.normal([15, 1], seed=2)], 0)
with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, x @ w))
gradient = tape.gradient(loss, x).numpy().ravel()
for scale in (1, 2.0**15):
    with np.errstate(over="ignore"):
        stored = (gradient * scale).astype("float16")
    print(f"scale {scale:5.0f}: {np.mean(stored == 0):5.1%} become 0,", end=" ")
    print(f"{np.mean(np.isinf(stored)):.1%} become inf")

# %% grading="skip"
figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
sizes = np.log2(np.abs(gradient) + 1e-30)
bins = np.arange(-60, 20)
axes.hist(sizes, bins, fc=PALETTE["sky"], alpha=0.6, label="gradients as they are")
look = {"fc": "none", "ec": PALETTE["red"], "hatch": "///", "histtype": "stepfilled"}
axes.hist(sizes + 15, bins, label="times 2^15", **look)
for edge, text in ((-24, "smallest\nabove zero "), (-14, "smallest\nnormal "), (16, "largest ")):
    axes.axvline(edge, color="black", lw=1, ls="--")
    axes.text(edge, 1650, text, ha="right", va="top", fontsize=9)
axes.set(xlabel="size of the gradient, as a power of two", ylabel="number of gradients")
axes.set_ylim(0, 1700)
axes.legend(loc="upper left")
show(figure, "A wide hill of gradients, whose left part is below float16's smallest value. "
     "Moved 15 powers of two to the right, nearly all of it is between the limits.")

# %% [markdown]
# Left of the line "smallest above zero" float16 stores 0. The hatched hill is the same one, moved 15 powers of two to the
# right; nearly all of it is now between the lines.
#
# **Loss scaling** moves the hill: multiply the *loss* before the backward pass, divide the *gradients* after it, in
# float32. By the chain rule every gradient in between is multiplied too.

# %% grading="skip"
def half_gradient(scale):
    """The gradient of 0.0001 · 0.0001 · x, computed in float16 with this scale."""
    small = tf.constant(1e-4, tf.float16)
    x = tf.Variable(1.0, dtype=tf.float16)
    with tf.GradientTape() as tape:
        loss = tf.cast(small * (small * x), tf.float32) * scale
    gradient = tf.cast(tape.gradient(loss, x), tf.float32)
    return gradient.numpy() / scale                         # unscaled in float32

for scale in (1.0, 1024.0, 2.0**40):
    print(f"scale {scale:14.0f}: {half_gradient(scale)}")

# %% [markdown]
# The true gradient is 1e-8. Without a scale it is 0, and the variable never moves. With 1024 it is right to within a
# hundredth. With 2^40 it is infinite, although 1e-8 · 2^40 would fit: the backward pass begins with the scale itself,
# here as a float16, and that ends at 65 504.
#
# How large is right? Nobody knows beforehand, and it changes during training. So let the gradients tell:
#
# * **some gradient is `inf` or `nan`:** skip the step, halve the scale;
# * **all finite:** divide, update; after so many good steps in a row, double the scale.
#
# bfloat16 needs none of this: its range is float32's.
#
# ## 8 LossScaleOptimizer
#
# Keras has it ready: `keras.optimizers.LossScaleOptimizer` wraps any other optimizer. It starts at 32 768 and doubles
# after 2000 good steps. Here is a loop of our own. We start far too high, and double after 5 steps, to see it work.

# %% grading="skip"
optimizer = keras.optimizers.LossScaleOptimizer(
    keras.optimizers.SGD(0.1), initial_scale=2.0**24, dynamic_growth_steps=5)
x = tf.random.normal([64, 8], seed=3)
y = x[:, :1] + x[:, 1:2]
weights = tf.Variable(tf.zeros([8, 1]))
optimizer.build([weights])

# %% grading="skip"
@tf.function
def train_step():
    with tf.GradientTape() as tape:
        output = tf.cast(x, tf.float16) @ tf.cast(weights, tf.float16)
        loss = tf.reduce_mean((tf.cast(output, tf.float32) - y) ** 2)
        scaled = optimizer.scale_loss(loss)
    [gradient] = tape.gradient(scaled, [weights])
    optimizer.apply([gradient], [weights])     # unscales; updates, or skips and halves
    return loss, optimizer.dynamic_scale, tf.reduce_all(tf.math.is_finite(gradient))

# %% grading="skip"
history = []
for step in range(100):
    history.append([float(value) for value in train_step()])
losses, scales, finite = np.array(history).T
skipped = np.flatnonzero(finite == 0)
print(f"{len(skipped)} steps skipped; loss {losses[0]:.2g} -> {losses[-1]:.2g}")

figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
axes.step(np.arange(1, 101), np.log2(scales), where="post", label="scale after the step")
axes.plot(skipped + 1, np.log2(scales)[skipped], "rx", label="step skipped")
axes.set(xlabel="step", ylabel="scale, as a power of two")
axes.legend()
show(figure, "The scale goes down a stair with a cross on each step, then up by one for every "
     "five good steps, until a cross takes it down by one again.")

# %% [markdown]
# First a stair down, a cross on each step: the steps are skipped and the scale is halved each time. Then a stair up: five
# good steps, double. The gradients shrink while it learns, so the scale can rise, until it is too high once more: a
# cross, and down by one.
#
# While steps are skipped the loss stands still. That is normal at the start. If it never ends, the model itself makes
# `inf` or `nan`, and no scale can help. Report `loss`, not `scaled`: the scaled loss jumps whenever the scale does.
# Limits on the gradients (`global_clipnorm`) belong to the *inner* optimizer, which sees them unscaled.
#
# **Change it:** start with `initial_scale=1.0`. Predict the picture first. Then run the last three cells again.
#
# <details><summary>What you see then</summary>
#
# No cross at the start, but a slow climb: five steps for each doubling. Meanwhile small gradients are lost. This small
# model does not mind; a large one may learn nothing in that time. That is why one starts too high: coming down takes one
# step for each halving.
# </details>
#
# (Older texts call `get_scaled_loss` and `get_unscaled_gradients`. Both are gone: today it is `scale_loss`, and `apply`
# unscales.)
#
# ## 9 A run that does not scale, and does not say so
#
# Back to the wear model. It predicts hundred-thousandths; every layer was given `mixed_float16`, and `fit` trained it.

# %% grading="skip"
pictures = np.random.default_rng(0).normal(size=[1024, 8]).astype("float32")
wear = 1e-5 * np.tanh(pictures[:, :1] + 0.5 * pictures[:, 1:2])        # mm an hour

def wear_model(dtype):
    keras.utils.set_random_seed(0)
    first = keras.layers.Dense(16, activation="tanh", dtype=dtype)
    second = keras.layers.Dense(1, kernel_initializer="zeros", dtype=dtype)
    to_float32 = keras.layers.Activation("linear", dtype="float32")
    return keras.Sequential([keras.Input([8]), first, second, to_float32])

# %% grading="skip"
def trained(model, optimizer, epochs=40):
    model.compile(optimizer, "mse", jit_compile=False)
    before = model.get_weights()
    losses = model.fit(pictures, wear, 1024, epochs, verbose=0).history["loss"]
    moved = [np.mean(old != new) for old, new in zip(before, model.get_weights())]
    print(f"loss {losses[0]:.3g} -> {losses[-1]:.3g}; moved: {max(moved):.0%} of a layer's weights")
    return model

silent = trained(wear_model("mixed_float16"), keras.optimizers.SGD(0.3))

# %% [markdown]
# No error, and not a single weight moved. Two questions find out why. Does this training scale? And what do the gradients
# look like?

# %% grading="skip"
def zeros_in_gradients(model):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(pictures) - wear) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    return [float(np.mean(gradient.numpy() == 0)) for gradient in gradients]

print("optimizer:", type(silent.optimizer).__name__)
print("share of gradients that are exactly 0:", zeros_in_gradients(silent))

# %% [markdown]
# Plain `SGD`: nobody scales the loss. But does `compile` not wrap the optimizer by itself? Only when the *model object*
# was made under the **global** policy `mixed_float16`. Policies that were given layer by layer it does not see:

# %% grading="skip"
by_layers = wear_model("mixed_float16")
keras.config.set_dtype_policy("mixed_float16")
by_global = wear_model(None)
keras.config.set_dtype_policy("float32")
for name, model in (("layer by layer", by_layers), ("global", by_global)):
    model.compile("sgd", "mse")
    print(f"{name:15} {type(model.optimizer).__name__}")

# %% [markdown]
# Two ways mend it: wrap the optimizer yourself, whatever the policies are; or take bfloat16. The float32 run shows what
# is to be reached.

# %% grading="skip"
scaling = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.3))
trained(wear_model("mixed_float16"), scaling)
trained(wear_model("mixed_bfloat16"), keras.optimizers.SGD(0.3))
trained(wear_model("float32"), keras.optimizers.SGD(0.3));

# %% [markdown]
# (A third way is to predict the wear in hundred-thousandths, so that targets are about 1. That is good practice with
# every format, and here it would have hidden the mistake.)
#
# **Look once at `type(model.optimizer)` whenever a layer computes in float16**, and in a loop of your own, at whether the
# loss goes through `scale_loss`.

# %% [markdown] exercise="step"
# ### Exercise 3 · Train in 16 bits
#
# Write the training loop that the wear model needed: `train_16(description, weights, batches, rate, clip, scale,
# growth)`. `description` is a model's `to_json()`, whose layers have policies of their own;
# `keras.models.model_from_json` makes the model, and it starts from `weights` (`model.set_weights`) {#1}.
#
# Take one step of gradient descent with learning rate `rate` on each pair `(x, y)` of `batches`, in order {#2}. The loss
# is the mean of the squared differences between the model's output and `y`, **computed in float32** {#3}. If the
# gradients of all variables together have a norm larger than `clip`, they are scaled down to that norm, as
# `global_clipnorm` does {#4}; that is the norm of the *unscaled* gradients {#5}.
#
# **If any layer computes in float16**, wherever it is, also in a model within the model {#6}, use a
# `LossScaleOptimizer` whose scale starts at `scale` {#7} and doubles after `growth` good steps in a row {#8}. A model
# without such a layer trains without a scale, also when a layer computes in bfloat16 {#9}.
#
# Return a dict:
#
# | key | value |
# | --- | --- |
# | `"weights"` | the model's weights afterwards, `model.get_weights()` |
# | `"losses"` | for each step the loss before the update, not scaled {#10}, a float |
# | `"scales"` | for each step the scale after it, a float {#11}; without a scale an empty list |
# | `"skipped"` | the numbers of the steps, from 0, whose update was skipped {#12} |
#
# Example: with one `Dense(1)` of policy `mixed_float16`, its weights 0, the batch `([[1.0]], [[0.5]])` twice, rate 0.1,
# clip 10, scale 1024 and growth 2, the losses are 0.25 and 0.09, the scales 1024 and 2048, and no step is skipped.

# %% solution="step" kind="today"
import keras
import tensorflow as tf


def train_16(description, weights, batches, rate, clip, scale, growth):
    """Train a model some of whose layers may compute in 16 bits.

    Args:
        description: str, the model's to_json().
        weights: list of arrays, what the model starts from.
        batches: list of (x, y), two float32 arrays each.
        rate: float, the learning rate.
        clip: float, the largest norm that all (unscaled) gradients together may have.
        scale: float, the first loss scale.
        growth: int, after so many good steps in a row the scale doubles.
    Returns:
        dict with weights, losses, scales and skipped, as in the table above.
    """
    ### BEGIN SOLUTION
    model = keras.models.model_from_json(description)
    model.set_weights(weights)
    optimizer = keras.optimizers.SGD(rate, global_clipnorm=clip)

    def has_float16(layer):
        inner = getattr(layer, "layers", [])
        return layer.compute_dtype == "float16" or any(has_float16(part) for part in inner)

    scaling = any(has_float16(layer) for layer in model.layers)
    if scaling:
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer, scale, growth)
    optimizer.build(model.trainable_variables)
    losses, scales, skipped = [], [], []
    for number, (x, y) in enumerate(batches):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.cast(model(x), tf.float32) - y) ** 2)
            scaled = optimizer.scale_loss(loss)
        gradients = tape.gradient(scaled, model.trainable_variables)
        losses.append(float(loss))
        if scaling:
            before = float(optimizer.dynamic_scale)
        optimizer.apply(gradients, model.trainable_variables)
        if scaling:
            scales.append(float(optimizer.dynamic_scale))
            if scales[-1] < before:
                skipped.append(number)
    return {"weights": model.get_weights(), "losses": losses, "scales": scales, "skipped": skipped}
    ### END SOLUTION

# %% try="step"
tiny = keras.Sequential([keras.Input([1]), keras.layers.Dense(1, dtype="mixed_float16")])
zero_weights = [np.zeros([1, 1], "float32"), np.zeros([1], "float32")]
one_batch = (np.array([[1.0]], "float32"), np.array([[0.5]], "float32"))
try:
    print(train_16(tiny.to_json(), zero_weights, [one_batch, one_batch], 0.1, 10.0, 1024.0, 2))
except NotImplementedError as error:
    print(error)

# %% check="step-float32" points=2 title="A float32 model trains without a scale"
import keras
import numpy as np

model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
start = [np.array([[1.0], [2.0]], "float32"), np.array([0.0], "float32")]
x = np.array([[1.0, 0.0], [0.0, 1.0]], "float32")
y = np.array([[0.0], [0.0]], "float32")
answer = train_16(model.to_json(), start, [(x, y), (x, y + 1)], 0.1, 100.0, 1024.0, 5)
right = {"weights": [[[0.94], [1.75]], [-0.31]], "losses": [2.5, 0.205], "scales": [], "skipped": []}
told = Told(
    asked="train_16 of a float32 Dense(1), weights [[1], [2]] and [0], on x = [[1, 0], [0, 1]] with y = 0, "
    "then with y = 1; rate 0.1, clip 100, scale 1024, growth 5",
    got=answer,
    expected=right,
    reread="the text of exercise 3",
)
assert isinstance(answer, dict) and set(right) <= set(answer), told(
    "return a dict with the four keys"
)
losses = [float(loss) for loss in answer["losses"]]
assert len(losses) == 2, told("there is a loss for each step")
assert abs(losses[0] - 5) > 0.01, told("the loss is the mean of the squares, not their sum")
assert abs(losses[0] - 2560) > 1, told("this is the scaled loss, and this model needs no scale")
assert abs(losses[0] - 1.305) > 0.001, told("this is the loss after the update")
kernel = np.ravel(answer["weights"][0])
assert not np.allclose(kernel, [1, 2]), told("the weights did not change")
assert not np.allclose(kernel, [0.9, 1.8], atol=1e-3), told("only the first batch was used")
assert list(answer["scales"]) == [] and list(answer["skipped"]) == [], told(
    "no layer computes in float16, so there is no scale to report and no step to skip"
)
bias = np.ravel(answer["weights"][1])
assert np.allclose([*losses, *kernel, *bias], [2.5, 0.205, 0.94, 1.75, -0.31], atol=1e-3), told()

# %% check="step-small" points=2 title="Small gradients arrive"
import keras
import numpy as np

model = keras.Sequential([keras.Input([1]), keras.layers.Dense(1, dtype="mixed_float16")])
start = [np.zeros([1, 1], "float32"), np.zeros([1], "float32")]
batch = (np.ones([2048, 1], "float32"), np.full([2048, 1], 1e-5, "float32"))
answer = train_16(model.to_json(), start, [batch], 0.5, 10.0, 4096.0, 100)
told = Told(
    asked="train_16 of a mixed_float16 Dense(1), weights 0, on 2048 rows with x = 1 and y = 0.00001; "
    "rate 0.5, clip 10, scale 4096, growth 100",
    got=answer,
    expected="both weights 1e-05, losses [1e-10], scales [4096], nothing skipped",
    reread="section 9, A run that does not scale, and does not say so",
)
assert isinstance(answer, dict) and {"weights", "losses", "scales", "skipped"} <= set(answer), told(
    "return a dict with the four keys"
)
weight = float(np.ravel(answer["weights"][0])[0])
assert weight != 0, told(
    "the weights did not move: without a scaled loss gradients this small are 0 in float16"
)
assert abs(weight / (1e-5 * 4096) - 1) > 0.05, told(
    "the step is 4096 times too large: the gradients were not unscaled"
)
assert abs(weight / (1e-5 / 4096) - 1) > 0.05, told(
    "the step is 4096 times too small: the gradients were unscaled twice"
)
assert abs(weight + 1e-5) > 1e-6, told("gradient descent goes against the gradient")
loss = float(answer["losses"][0])
assert not 1e-7 < loss < 1e-6, told("this is the scaled loss; report the loss itself")
assert list(answer["scales"]) != [32768.0], told("32768 is Keras's first scale; use the one that is given")
assert [float(scale) for scale in answer["scales"]] == [4096.0], told()
assert abs(weight - 1e-5) < 1e-6 and abs(loss - 1e-10) < 1e-12 and list(answer["skipped"]) == [], told()

# %% check="step-skip" points=2 title="A step with an infinite gradient is skipped"
import keras
import numpy as np

model = keras.Sequential([keras.Input([1]), keras.layers.Dense(1, use_bias=False, dtype="mixed_float16")])
good = (np.array([[1.0]], "float32"), np.array([[0.0]], "float32"))
bad = (np.array([[1e6]], "float32"), np.array([[0.0]], "float32"))
answer = train_16(model.to_json(), [np.array([[1.0]], "float32")], [good, bad, good], 0.25, 10.0, 64.0, 100)
told = Told(
    asked="train_16 of a mixed_float16 Dense(1) without bias, weight 1, on x = 1, x = 1000000 (infinite in "
    "float16), x = 1, each with y = 0; rate 0.25, clip 10, scale 64, growth 100",
    got=answer,
    expected="weight 0.25, losses [1, inf, 0.25], scales [64, 32, 32], skipped [1]",
    reread="section 7, Gradients that vanish",
)
assert isinstance(answer, dict) and {"weights", "losses", "scales", "skipped"} <= set(answer), told(
    "return a dict with the four keys"
)
weight = float(np.ravel(answer["weights"][0])[0])
assert len(answer["losses"]) == 3, told("there is a loss for each step")
assert np.isfinite(weight), told("the infinite gradient was used for the update")
scales = [float(scale) for scale in answer["scales"]]
assert scales != [], told("a layer computes in float16 and there is no scale")
assert scales != [64.0, 64.0, 32.0], told("these are the scales before each step; report those after it")
assert list(answer["skipped"]) != [], told("a step was skipped and is not in the list")
assert list(answer["skipped"]) != [2], told("steps are counted from 0")
assert abs(weight - 0.25) < 0.01 and scales == [64.0, 32.0, 32.0] and list(answer["skipped"]) == [1], told()
none = (np.array([[1.0]], "float32"), np.array([[np.nan]], "float32"))
answer = train_16(model.to_json(), [np.array([[1.0]], "float32")], [good, none, good], 0.25, 10.0, 64.0, 100)
told.asked = "the same with x = 1 in each step, where y is nan in the second: so are loss and gradient"
told.got, told.expected = answer, "weight 0.25, losses [1, nan, 0.25], scales [64, 32, 32], skipped [1]"
weight, scales = float(np.ravel(answer["weights"][0])[0]), [float(scale) for scale in answer["scales"]]
assert np.isfinite(weight), told("a gradient that is nan was used for the update; it is not finite either")
assert abs(weight - 0.25) < 0.01 and scales == [64.0, 32.0, 32.0] and list(answer["skipped"]) == [1], told()

# %% hidden="step-mixed" points=2 title="Which models need a scale"
import keras
import numpy as np


def net(*policies):
    """A net of two Dense layers and an activation, with these policies; its weights."""
    layers = [keras.layers.Dense(2, dtype=policies[0]), keras.layers.Dense(1, dtype=policies[1])]
    layers.append(keras.layers.Activation("linear", dtype=policies[2]))
    return keras.Sequential([keras.Input([2]), *layers]).to_json()


start = [np.array([[draw.randrange(1, 9) / 8 for _ in range(2)] for _ in range(2)], "float32")]
start += [np.zeros([2], "float32"), np.array([[0.5], [-0.25]], "float32"), np.zeros([1], "float32")]
batch = (np.array([[1.0, 0.5]], "float32"), np.array([[2.0]], "float32"))  # far off: long steps
half, brain = "mixed_float16", "mixed_bfloat16"
cases = [(half, "float32", "float32"), ("float32", half, "float32"), (brain, brain, half)]
cases += [(brain, "float32", "float32"), (brain, brain, brain), ("float32", "float32", "float16")]
draw.shuffle(cases)
for policies in cases:
    question = (net(*policies), start, [batch], 0.1, 1e6, 256.0, 50)
    answer = train_16(*question)
    right = reference.train_16(*question)
    told = Told(
        asked=f"the scales of train_16 for layers of the policies {', '.join(policies)}; scale 256",
        got=answer["scales"] if isinstance(answer, dict) else answer,
        expected=right["scales"],
        reread="section 9, A run that does not scale, and does not say so",
    )
    assert isinstance(answer, dict), told("return a dict with the four keys")
    scales = [float(scale) for scale in answer["scales"]]
    unscaled = "float16" not in policies and half not in policies
    assert not unscaled or scales == [], told("no layer computes in float16: bfloat16 needs no scale")
    assert "float16" not in policies or scales != [], told(
        "the policy float16 computes in float16, too: look at compute_dtype, not for one policy's name"
    )
    assert half not in policies or scales != [], told(
        "a layer computes in float16 and the loss is not scaled: look at every layer's compute_dtype"
    )
    told.got, told.expected = answer["weights"], right["weights"]
    near = [
        np.shape(mine) == np.shape(its) and np.allclose(mine, its, atol=2e-2)
        for mine, its in zip(answer["weights"], right["weights"], strict=True)
    ]
    assert scales == right["scales"] and all(near), told()

# %% hidden="step-clip" points=2 title="Long gradients are cut, once they are unscaled"
import keras
import numpy as np

model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1, dtype="mixed_float16")])
start = [np.array([[1.0], [1.0]], "float32"), np.array([0.0], "float32")]
a = draw.randrange(2, 5)
batch = (np.array([[a, 1.0]], "float32"), np.array([[0.0]], "float32"))
full = 2.0 * (a + 1) * np.array([a, 1.0, 1.0])  # the gradients of the two weights and the bias
norm = float(np.linalg.norm(full))
clip = float(2 ** draw.randrange(0, 2))
for limit in (clip, 4 * norm):
    answer = train_16(model.to_json(), start, [batch], 0.125, limit, 256.0, 50)
    right = np.array([1.0, 1.0, 0.0]) - 0.125 * full * min(1.0, limit / norm)
    told = Told(
        asked=f"the weights of train_16 for a float16 Dense(1), weights 1, 1, 0, on x = [{a}, 1], y = 0; "
        f"rate 0.125, clip {limit:g}, scale 256; the gradients' norm is {norm:.4g}",
        got=answer["weights"] if isinstance(answer, dict) else answer,
        expected=right,
        reread="section 8, LossScaleOptimizer",
    )
    assert isinstance(answer, dict), told("return a dict with the four keys")
    got = np.concatenate([np.ravel(part) for part in answer["weights"]])
    told.got = got
    assert got.shape == (3,), told("weights are those of model.get_weights()")
    step = (np.array([1.0, 1.0, 0.0]) - got) / 0.125
    whole = np.allclose(step, full, rtol=0.02)
    assert limit >= norm or not whole, told("the gradients were not clipped")
    assert not np.allclose(step, full * limit / norm / 256, rtol=0.1), told(
        "the scaled gradients were clipped, and then unscaled: the limit is for the unscaled ones"
    )
    each = np.concatenate(
        [full[:2] * min(1, limit / np.linalg.norm(full[:2])), np.clip(full[2:], -limit, limit)]
    )
    assert limit >= norm or not np.allclose(step, each, rtol=0.02), told(
        "each variable's gradient was clipped by itself; the norm is taken over all together"
    )
    assert not np.allclose(step, np.clip(full, -limit, limit), rtol=0.02) or whole, told(
        "each number was clipped by itself; the norm is taken over all together"
    )
    assert np.allclose(got, right, atol=2e-2), told()

# %% hidden="step-large-loss" points=1 title="A loss beyond 65504"
import keras
import numpy as np

model = keras.Sequential([keras.Input([1]), keras.layers.Dense(1, use_bias=False, dtype="mixed_float16")])
size = float(draw.randrange(300, 900))
batch = (np.array([[1.0]], "float32"), np.array([[0.0]], "float32"))
answer = train_16(model.to_json(), [np.array([[size]], "float32")], [batch], 0.001, 1e6, 2.0, 50)
told = Told(
    asked=f"the loss of train_16 for a float16 Dense(1) without bias, weight {size:g}, x = 1, y = 0; scale 2",
    got=answer["losses"] if isinstance(answer, dict) else answer,
    expected=[size**2],
    reread="section 5, Two data types by hand",
)
assert isinstance(answer, dict) and len(answer["losses"]) == 1, told(
    "return a dict; losses has a number for each step"
)
loss = float(answer["losses"][0])
assert np.isfinite(loss), told(f"the loss was computed in float16, where {size:g} squared is infinite")
assert abs(loss - size**2) < 0.01 * size**2, told()

# %% hidden="step-run" points=1 title="Eight steps: losses, scales, skipped ones"
import keras
import numpy as np

model = keras.Sequential([keras.Input([1]), keras.layers.Dense(1, use_bias=False, dtype="mixed_float16")])
values = [draw.choice([0.5, 1.0, 1.5]) for _ in range(8)]
values[draw.randrange(5, 7)] = 1e6
batches = [(np.array([[x]], "float32"), np.array([[0.25]], "float32")) for x in values]
growth = draw.randrange(2, 4)
# the first scale is too large for the backward pass: a finite loss, and an infinite gradient
question = (model.to_json(), [np.array([[1.0]], "float32")], batches, 0.125, 10.0, 2.0**17, growth)
answer = train_16(*question)
right = reference.train_16(*question)
told = Told(
    asked=f"train_16 of a mixed_float16 Dense(1) without bias, weight 1, on x = {written(values)}, y = 0.25; "
    f"rate 0.125, clip 10, scale 131072, growth {growth}",
    got=answer,
    expected=right,
    reread="section 8, LossScaleOptimizer",
)
assert isinstance(answer, dict), told("return a dict with the four keys")
scales = [float(scale) for scale in answer["scales"]]
told.got, told.expected = scales, right["scales"]
assert len(scales) == 8, told("there is a scale for each step")
assert scales != [2.0**17, *right["scales"][:-1]], told(
    "these are the scales before each step; report those after it"
)
assert scales == right["scales"], told()
told.got, told.expected = answer["skipped"], right["skipped"]
assert list(answer["skipped"]) != [number for number in right["skipped"] if number > 4], told(
    "the first steps were skipped too: their loss is finite, but their gradients are not"
)
assert list(answer["skipped"]) != [number + 1 for number in right["skipped"]], told(
    "steps are counted from 0"
)
assert list(answer["skipped"]) == right["skipped"], told()
told.got, told.expected = answer["losses"], right["losses"]
assert np.shape(answer["losses"]) == (8,), told("there is a loss for each step")
assert np.allclose(answer["losses"], right["losses"], rtol=0.02, atol=1e-3), told()
told.got, told.expected = answer["weights"], right["weights"]
assert np.size(answer["weights"][0]) == 1, told("weights are those of model.get_weights()")
assert np.allclose(np.ravel(answer["weights"][0]), np.ravel(right["weights"][0]), atol=1e-2), told()

# %% [markdown]
# ## 10 Bytes and seconds
#
# Does mixed precision halve the memory? Count what a training step with Adam keeps:

# %% grading="skip"
import time

def step_mebibytes(parameters, activations, mixed):
    """A step with Adam; activations: numbers kept for the backward pass."""
    variables_gradients_slots = 4 * (1 + 1 + 2) * parameters
    copy = 2 * parameters if mixed else 0
    kept = (2 if mixed else 4) * activations
    return (variables_gradients_slots + copy + kept) / 2**20

for millions in ((25, 5), (1, 400)):
    full = step_mebibytes(*[1e6 * number for number in millions], mixed=False)
    half = step_mebibytes(*[1e6 * number for number in millions], mixed=True)
    print(f"{millions[0]} million parameters, {millions[1]} million activations: ", end="")
    print(f"{full:.0f} MiB -> {half:.0f} MiB, factor {half / full:.2f}")

# %% [markdown]
# **Only activations are halved.** A large model with a small batch even grows a little, because of the 16-bit copy. (The
# copy need not exist for all layers at once; then it is less.) Convolutional nets with large batches gain nearly half.
#
# And seconds? We measure a matmul, and a training step of a convolution, on *your* processor. We count processor time, so
# that other programs disturb little, and take the best of several runs.

# %% grading="skip"
def best_milliseconds(call, runs=3):
    call()                                       # the first run also sets things up
    took = []
    for _ in range(runs):
        start = time.process_time()
        call()
        took.append(1000 * (time.process_time() - start))
    return min(took)

# %% grading="skip"
@tf.function
def convolution_step(image, kernel):
    with tf.GradientTape() as tape:
        tape.watch(kernel)
        loss = tf.reduce_sum(tf.nn.relu(tf.nn.conv2d(image, kernel, 1, "SAME")))
    return tape.gradient(loss, kernel)

# %% grading="skip"
speed = {}
for name in ("float32", "bfloat16", "float16"):
    a = tf.cast(tf.random.normal([512, 512]), name)
    image = tf.cast(tf.random.normal([4, 16, 16, 16]), name)
    kernel = tf.cast(tf.random.normal([5, 5, 16, 32]), name)
    with tf.device("CPU:0"):
        matmul = best_milliseconds(lambda: tf.matmul(a, a).numpy(), runs=10)
        step = best_milliseconds(lambda: convolution_step(image, kernel).numpy())
    speed[name] = (matmul, step)
    times = matmul / speed["float32"][0], step / speed["float32"][1]
    print(f"{name:9} matmul {matmul:6.2f} ms, {times[0]:.1f} times float32's;", end=" ")
    print(f"convolution {step:7.2f} ms, {times[1]:.1f} times")

# %% [markdown]
# **On a CPU it depends on the processor: measure.** On one that we measured (a server CPU of 2023 with AVX-512 and
# bfloat16 instructions, without matrix units) bfloat16 took 1.4 to 1.8 times as long as float32 in the matmul, and 1.1 to
# 1.5 times as long in the convolution. On another it took half the time and two thirds. The fast code comes from
# **oneDNN**, Intel's library, which TensorFlow uses by default. For float16's convolutions there is none: on the first
# CPU they took some hundred times as long. So on a CPU take float32 or bfloat16, whichever is faster there.
#
# Accelerators have units for it. TensorFlow's guide reports [more than three times the speed on recent GPUs, 60 % more on
# TPUs, and more than twice the speed on the newest Intel CPUs](https://www.tensorflow.org/guide/mixed_precision), for
# models whose layers are large enough. A matmul alone gains more. We measured this one, and no whole model:
#
# {{gpu record: speed}}
#
# So it matters what you compare with: 16 bits are fifteen times as fast as float32 with all its digits, and twice as fast as
# TF32, which is what float32 means on this card if you change nothing.
#
# | question | float16 | bfloat16 |
# | --- | --- | --- |
# | fast on | NVIDIA GPUs since 2017 (tensor cores) | TPUs; NVIDIA GPUs since 2020; CPUs with bfloat16 units |
# | loss scaling | needed | not needed |
# | choose it when | the GPU is older | otherwise |

# %% [markdown] exercise="sixteen"
# ### Exercise 4 · In your own words
#
# A colleague wants to halve the memory and the time of a training run on a CPU server. She sets every layer to `float16`,
# multiplies nothing, and says: "Sixteen bits are half of thirty-two." Explain in four to eight sentences what will happen
# to the memory, to the time and to the learning, and what you would set instead on this server, on a GPU and on a TPU.

# %% [markdown] written="sixteen" points=3
# ### BEGIN SOLUTION
# All values halve, the time need not, and small gradients and updates get lost.
# ### END SOLUTION

# %% [markdown] model="sixteen"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# With the policy `float16` everything is stored in 16 bits, so the memory does halve, variables included. The time need
# not halve: a CPU may have no units for float16, and a convolution in float16 can take many times as long; only a
# measurement tells. The learning suffers in three ways. Updates smaller than half the distance between neighbouring
# values are lost, so weights stop moving. Gradients below about 3e-8 become 0, since nobody scales the loss. And values
# beyond 65 504, as `exp` makes them in a softmax, become infinite. On the CPU server I would measure float32 against
# `mixed_bfloat16` and take the faster one. On a GPU I would take `mixed_bfloat16` if it is of 2020 or later, and on an
# older one `mixed_float16` with loss scaling, with the softmax in float32. On a TPU I would take `mixed_bfloat16`, which
# needs no scaling because its range is that of float32. With a mixed policy only the activations halve.
#
# One point each: memory and time, with the reason why the time need not halve; two ways in which the learning suffers;
# the right policies for the three machines.
# </details>
#
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## Sitting 2 · A TPU, and a program that does not mind where it runs
#
# ## 11 What a TPU is
#
# A TPU is a chip around a *matrix unit*: a grid of 128 × 128 multipliers (256 × 256 in the newest) through which numbers
# flow from neighbour to neighbour. It multiplies bfloat16 and sums in float32. It runs no op by itself: **XLA**, a
# compiler, must first translate a whole function for it. From this follow all its rules:
#
# | rule | because |
# | --- | --- |
# | shapes must be known: `drop_remainder=True` | every new shape is compiled anew |
# | batches large, widths multiples of 8 or 128 | a grid that is not filled idles |
# | `mixed_bfloat16` | that is what the unit multiplies |
# | many steps in one call | the host is far away; each call costs |
# | data from memory or a bucket, cached | the chip is fast; waiting for data is the usual brake |
# | no Python, no files, no strings in the step | XLA cannot compile them |
#
# How fast is it? A v5e chip, the one that Colab lends, is [specified with 197 million million operations a second in
# bfloat16](https://cloud.google.com/tpu/docs/v5e): a *peak*, an upper limit. The study notes behind this course report "15
# times a P100", a GPU of 2016; we have not measured that. A peak says little about your model: measure.
#
# You can see the first rule on a CPU, since XLA compiles for CPUs too: 100 examples in batches of 32, without and with
# `drop_remainder`.

# %% grading="skip"
def compiled_shapes(drop_remainder):
    shapes = []

    @tf.function(jit_compile=True)
    def step(x):
        shapes.append(x.shape[0])              # Python runs only while the function is traced
        return tf.reduce_sum(tf.tanh(x @ tf.transpose(x)))

    examples = tf.data.Dataset.from_tensor_slices(tf.ones([100, 8]))
    for x in examples.batch(32, drop_remainder=drop_remainder):
        start = time.perf_counter()
        step(x).numpy()
        print(f"  batch of {x.shape[0]}: {1000 * (time.perf_counter() - start):7.1f} ms")
    return shapes

# %% grading="skip"
for drop_remainder in (False, True):
    shapes = compiled_shapes(drop_remainder)
    print(f"drop_remainder={drop_remainder}: compiled for batches of {shapes}")

# %% [markdown]
# The first batch pays for compiling; the others do not. A last batch of 4 has another shape and pays again. For a large
# model on a TPU compiling takes up to minutes: **the first epoch is slow; judge speed by the second.**
#
# ## 12 Find the TPU, or do without
#
# To use a TPU you resolve its address, connect, initialise, and make a strategy. The lines are always these:
#
# ```python
# resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="local")  # or "grpc://host:8470"
# tf.config.experimental_connect_to_cluster(resolver)    # only if it is another machine
# tf.tpu.experimental.initialize_tpu_system(resolver)    # erases the TPU's memory
# strategy = tf.distribute.TPUStrategy(resolver)
# ```
#
# What happens without a TPU?

# %% grading="skip"
for address in ("", "local"):
    try:
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu=address)
        print(f"{address!r}: found, with", resolver.num_accelerators())
        if not resolver.num_accelerators().get("TPU"):
            tf.tpu.experimental.initialize_tpu_system(resolver)
    except (ValueError, tf.errors.NotFoundError) as error:
        print(f"{address!r}: {type(error).__name__}:", str(error).partition(". ")[0])

# %% [markdown]
# A resolver can be "found" and have **no core**. So look at `num_accelerators` before you initialise. A third case is
# worse: with `grpc://` and a dead address, connecting waits for minutes. So ask first, with a deadline, whether a gRPC
# server answers there.
#
# `get_strategy`, one of this lesson's helpers, does all that. It takes a TPU, or else GPUs, or else the logical CPUs, and
# says which:

# %% grading="skip"
start = time.perf_counter()
get_strategy("grpc://localhost:1")              # nobody is there
strategy = get_strategy()
print(f"both answers took {time.perf_counter() - start:.1f} s")

# %% [markdown]
# <details><summary>More: on a TPU in Colab</summary>
#
# In Colab choose a TPU runtime (*v5e-1*: one chip, so expect one replica). It comes without TensorFlow. This lesson's
# first folded cell installs what it needs there; it then counts the cores in another process, which may crash without
# harm, and goes on with the CPU if there are none. By hand, never beside `tensorflow` and before anything imports it:
#
# ```python
# %pip install "tensorflow-tpu==2.20.0" "libtpu>=0.0.14,<0.0.30"
# import os, libtpu
# os.environ.update(PJRT_DEVICE="TPU", NEXT_PLUGGABLE_DEVICE_USE_C_API="true",
#                   TF_PLUGGABLE_DEVICE_LIBRARY_PATH=libtpu.get_library_path())
# ```
#
# That the packages install, and what they say where there is no chip, has been tried. On a TPU's chip nobody has run this
# lesson yet.
# </details>
#
# ## 13 Replicas, batches and the learning rate
#
# A strategy runs the same step on each **replica**: the cores of a TPU, GPUs, or here four logical CPUs. What you create
# **in its scope** exists once for each replica, and is kept equal. In this section we take the CPUs also where there is
# something faster, so that everybody sees the same four replicas.

# %% grading="skip"
strategy = cpu_strategy(4)
with strategy.scope():
    inside = tf.Variable([1.0, 2.0])
outside = tf.Variable([1.0, 2.0])
for variable in (inside, outside):
    copies = strategy.experimental_local_results(variable)
    print(type(variable).__name__, [copy.device[-5:] for copy in copies])

# %% [markdown]
# You batch for all replicas together: the **global batch**. The strategy deals it out. Here are 10 examples with a global
# batch of 8:

# %% grading="skip"
numbers = tf.data.Dataset.range(10)
for drop in (False, True):
    print(f"drop_remainder={drop}")
    batches = strategy.experimental_distribute_dataset(numbers.batch(8, drop_remainder=drop))
    for batch in batches:
        parts = strategy.experimental_local_results(batch)
        print("  ", [part.numpy().tolist() for part in parts])

# %% [markdown]
# In the second step two replicas get nothing. A mean over nothing is `nan`; on a TPU the other shape would be compiled
# too. Hence `drop_remainder=True`, once more. (The two examples left over are not lost for good if you shuffle: each
# epoch leaves out others.)
#
# With k replicas the global batch is k times as large, so an epoch has k times fewer steps. Each step sees a better
# gradient, so it may go further. For plain **SGD**, with or without momentum, there is a rule: **multiply the learning
# rate by the same factor as the global batch** ([Goyal et al. 2017](https://arxiv.org/abs/1706.02677)). See why:

# %% grading="skip"
x = tf.random.normal([4096, 16], seed=4)
y = x @ tf.random.normal([16, 1], seed=5)

def one_epoch(batch, rate):
    w = tf.zeros([16, 1])
    for i in range(0, 4096, batch):
        a = x[i : i + batch]
        b = y[i : i + batch]
        w -= rate * tf.transpose(a) @ (a @ w - b) / batch
    return float(tf.reduce_mean((x @ w - y) ** 2))

for batch, rate in ((64, 0.02), (512, 0.02), (512, 0.16), (512, 2.5)):
    loss = one_epoch(batch, rate)
    print(f"batch {batch:3}, {4096 // batch:2} steps, rate {rate:4}: loss {loss:.4g}")

# %% [markdown]
# Eight times the batch with the old rate learns too little in an epoch. With eight times the rate it is about where it
# was. The rule is a start, not a law: beyond some rate training diverges, as in the last line. For large factors, raise
# the rate over the first epochs (*warm-up*). And it is a rule for SGD: Adam divides each gradient by its own size, and
# there the **square root** of the factor is [the rule](https://arxiv.org/abs/2205.10287) (Malladi and others, 2022).
#
# ## 14 Data that keeps up
#
# **In memory.** A set of 32×32 images is small: 50 000 of them are 147 MiB as bytes. `from_tensor_slices` hands it to
# TensorFlow, and no file can be slow. Keep `uint8` and cast in the pipeline.
#
# **`cache()`** keeps in memory what came out so far, from the first *complete* pass on. How often is the source read in
# three epochs?

# %% predict="cache"
# Predict how often the source is read in 3 epochs of 10 elements:
# without a cache; with cache(); with cache() and then take(4).
reads_of = [..., ..., ...]

# %% grading="skip"
reads = []

def source():
    for i in range(10):
        reads.append(i)
        yield i

def count_reads(pipeline):
    reads.clear()
    for _ in range(3):
        list(pipeline)
    return len(reads)

# %% grading="skip"
one_number = tf.TensorSpec([], tf.int32)
plain = tf.data.Dataset.from_generator(source, output_signature=one_number)
seen = [count_reads(plain), count_reads(plain.cache()), count_reads(plain.cache().take(4))]
why = "A pass that stops early throws its cache away."
compare_prediction("reads without, with cache, cache and take", reads_of, seen, why)
print("take(4), then cache:", count_reads(plain.take(4).cache()))

# %% [markdown]
# So `take` before `cache`, not after. Also put `cache` *before* `shuffle` and random changes of images, or the order and
# the changes of the first epoch are repeated for ever.
#
# **TFRecord.** Many small files are slow to open, above all over a network. A TFRecord file holds many examples one after
# the other; some tens of such files (*shards*) are read in parallel. Each record is a `tf.train.Example`: names with
# lists of bytes, floats or integers.

# %% grading="skip"
def example(image, label):
    png = tf.io.encode_png(image).numpy()
    image_bytes = tf.train.BytesList(value=[png])
    label_number = tf.train.Int64List(value=[label])
    feature = {
        "image": tf.train.Feature(bytes_list=image_bytes),
        "label": tf.train.Feature(int64_list=label_number),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature))

photos = np.random.default_rng(0).integers(0, 256, [40, 32, 32, 3], np.uint8)
photo_labels = np.arange(40) % 10

# %% grading="skip"
import tempfile

folder = tempfile.TemporaryDirectory()
for shard in range(2):
    file = f"{folder.name}/train-{shard}-of-2.tfrecord"
    with tf.io.TFRecordWriter(file) as writer:
        for i in range(shard, 40, 2):
            writer.write(example(photos[i], photo_labels[i]).SerializeToString())
    print(file[-21:], tf.io.gfile.stat(file).length, "bytes")

# %% [markdown]
# Reading turns it around. `ensure_shape` tells what the decoder cannot know before it sees the picture. TPUs need that.

# %% grading="skip"
text = tf.io.FixedLenFeature([], tf.string)
number = tf.io.FixedLenFeature([], tf.int64)

def read(record):
    parsed = tf.io.parse_single_example(record, {"image": text, "label": number})
    image = tf.io.decode_png(parsed["image"], channels=3)
    image = tf.ensure_shape(image, [32, 32, 3])
    return tf.cast(image, tf.float32) / 255, parsed["label"]

files = tf.io.gfile.glob(f"{folder.name}/*.tfrecord")
pipeline = tf.data.TFRecordDataset(files, num_parallel_reads=2)
pipeline = pipeline.map(read, num_parallel_calls=2).cache().shuffle(40, seed=0)
pipeline = pipeline.batch(16, drop_remainder=True).prefetch(2)
print("shapes:", [spec.shape for spec in pipeline.element_spec])
print("batches:", sum(1 for _ in pipeline))
folder.cleanup()

# %% [markdown]
# **From a bucket.** `tf.io.gfile` and `TFRecordDataset` take `gs://bucket/train-*.tfrecord` just as they take a folder:
# the beginning of the name chooses the file system. Only the name changes; everything above stays. A TPU that is *another
# machine* reads by itself and cannot see your disk: for it, data must be in a bucket or travel with the graph, from
# memory. A local TPU (Colab's v5e, a TPU VM) is fed by your own process, which may read local files.
#
# | data | way |
# | --- | --- |
# | fits into memory | arrays, `from_tensor_slices` |
# | fits once decoded, slow to read | TFRecord, `map`, `cache()` |
# | does not fit | TFRecord shards in a bucket, `num_parallel_reads`, `prefetch`, no cache |

# %% [markdown] exercise="records"
# ### Exercise 5 · Pack images into shards
#
# Write `to_records(images, labels, shards)`. It packs a data set into `shards` TFRecord files and returns their contents,
# a list of `bytes`, one for each file {#1}, as `pathlib.Path(file).read_bytes()` gives it. Image `i` belongs into file
# `i % shards` {#2}, and file 0 comes first in the list, then 1, 2, … {#3}; within a file the order stays {#4}. There may
# be fewer images than shards; a file without records is empty, `b""` {#5}.
#
# Each record is a `tf.train.Example` with two features, and no others {#6}:
#
# * `"image"`: one bytes value, the image as PNG (`tf.io.encode_png`) {#7};
# * `"label"`: one int64 value, the label of that image {#8}.
#
# Write the files with `tf.io.TFRecordWriter` {#9}. Two hints: in a folder of `tempfile.TemporaryDirectory()` nothing is
# left behind; and a writer has written everything only when it is closed.
#
# Example: for 5 images and 2 shards the first file holds the images 0, 2 and 4, the second 1 and 3.

# %% solution="records" kind="today"
import tensorflow as tf


def to_records(images, labels, shards):
    """Pack a data set into TFRecord files.

    Args:
        images: array of uint8, (n, height, width, 3).
        labels: list of n int.
        shards: int, the number of files.
    Returns:
        list of bytes: the contents of each file.
    """
    ### BEGIN SOLUTION
    import pathlib
    import tempfile
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(shards):
            file = pathlib.Path(folder, f"{shard}.tfrecord")
            mine = tf.data.Dataset.from_tensor_slices((images, labels)).shard(shards, shard)
            with tf.io.TFRecordWriter(str(file)) as writer:
                for image, label in mine:
                    png = tf.io.encode_png(image).numpy()
                    features = tf.train.Features(feature={
                        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(label)]))})
                    writer.write(tf.train.Example(features=features).SerializeToString())
            contents.append(file.read_bytes())
    return contents
    ### END SOLUTION

# %% try="records"
def records_in(data):
    """The examples of a TFRecord file: a length, a check sum, the data, another check sum."""
    while data:
        length = int.from_bytes(data[:8], "little")
        yield tf.train.Example.FromString(data[12 : 12 + length])
        data = data[16 + length :]

try:
    for content in to_records(np.zeros([5, 4, 4, 3], np.uint8), [10, 11, 12, 13, 14], 2):
        features = [one.features.feature for one in records_in(content)]
        labels_in = [list(each["label"].int64_list.value) for each in features]
        print(len(content), "bytes, labels", labels_in)
except NotImplementedError as error:
    print(error)

# %% check="records-labels" points=2 title="Which label is in which file"
import numpy as np
import tensorflow as tf

images = np.stack([np.full([4, 4, 3], i, np.uint8) for i in range(5)])
answer = to_records(images, [10, 11, 12, 13, 14], 2)
told = Told(
    asked="the labels in the files of to_records(5 images, [10, 11, 12, 13, 14], 2)",
    got=answer,
    expected=[[10, 12, 14], [11, 13]],
    reread="section 14, Data that keeps up",
)
assert isinstance(answer, (list, tuple)), told("return a list with an item for each file")
assert all(type(data) is bytes for data in answer), told("the items are not bytes: read what each file holds")
assert any(answer), told(
    "the files are empty: a writer has written only when it is closed, so read after the with block"
)
files, pictures = [], []
for data in answer:
    files.append([])
    pictures.append([])
    while data:
        length = int.from_bytes(data[:8], "little")
        assert 0 < length <= len(data) - 16, told(
            "this is not the format of a TFRecord file, or its end is missing"
        )
        try:
            features = tf.train.Example.FromString(data[12 : 12 + length]).features.feature
        except Exception:
            assert False, told("a record is not a tf.train.Example: write example.SerializeToString()")
        files[-1].append(list(features["label"].int64_list.value))
        pictures[-1] += list(features["image"].bytes_list.value)
        data = data[16 + length :]
told.got = files
assert all(len(label) == 1 for file in files for label in file), told(
    "label is a feature with one int64 value"
)
files = [[label[0] for label in file] for file in files]
told.got = files
right_images = [[tf.io.encode_png(images[i]).numpy() for i in range(shard, 5, 2)] for shard in range(2)]
right = [[10, 12, 14], [11, 13]]
assert files == right or pictures != right_images, told(
    "each file has the right images, but not their labels"
)
assert files != [[10, 11, 12], [13, 14]], told(
    "here the files are blocks; image i belongs in file i % shards"
)
assert files != [[10, 11, 12, 13, 14]] * 2, told("every file holds all images")
assert len(files) == 2, told("there are as many files as shards says")
assert files != [[14, 12, 10], [13, 11]], told("within a file the order is reversed")
assert files == right, told()

# %% check="records-images" points=2 title="The images are PNG, with their values"
import numpy as np
import tensorflow as tf

images = np.random.default_rng(1).integers(0, 256, [3, 5, 4, 3], np.uint8)
answer = to_records(images, [1, 2, 3], 1)
told = Told(
    asked="the images in the file of to_records(3 random images of 5×4, [1, 2, 3], 1)",
    got=answer,
    expected="three PNG images with exactly the given values",
    reread="section 14, Data that keeps up",
)
assert isinstance(answer, (list, tuple)), told("return a list with an item for each file")
assert all(type(data) is bytes for data in answer), told("the items are not bytes: read what each file holds")
data = answer[0] if answer else b""
found = []
while data:
    length = int.from_bytes(data[:8], "little")
    assert 0 < length <= len(data) - 16, told(
        "this is not the format of a TFRecord file, or its end is missing"
    )
    try:
        record = tf.train.Example.FromString(data[12 : 12 + length])
    except Exception:
        assert False, told("a record is not a tf.train.Example: write example.SerializeToString()")
    found.append(list(record.features.feature["image"].bytes_list.value))
    data = data[16 + length :]
told.got = f"{len(found)} records, with {[len(values) for values in found]} values of bytes"
assert found, told(
    "the file is empty: a writer has written only when it is closed, so read after the with block"
)
assert len(found) == 3 and all(len(values) == 1 for values in found), told(
    '"image" is a feature with one value of bytes, in each of three records'
)
kinds = {values[0][:4] for values in found}
told.got = f"values that begin with {sorted(kinds)}"
assert not any(kind.startswith(b"\xff\xd8") for kind in kinds), told(
    "JPEG changes the values: use tf.io.encode_png"
)
assert kinds == {b"\x89PNG"}, told(
    "the bytes are not a PNG: encode the image, tf.io.encode_png(image).numpy()"
)
decoded = [tf.io.decode_png(values[0]).numpy() for values in found]
firsts = [image.ravel()[:3].tolist() for image in decoded]
told.got = f"images of the shapes {[image.shape for image in decoded]}, first values {firsts}"
assert all(image.shape == (5, 4, 3) for image in decoded), told(
    "each record holds one image, height × width × 3"
)
assert all(np.array_equal(a, b) for a, b in zip(decoded, images)), told()

# %% hidden="records-shards" points=2 title="Other numbers of files"
import numpy as np
import tensorflow as tf

cases = [(draw.randrange(6, 9), 3), (2, 4), (4, 1), (24, draw.randrange(11, 13))]
for n, shards in cases:
    labels = [draw.randrange(1000, 9000) for _ in range(n)]
    images = np.stack([np.full([2, 3, 3], 10 * i + shards, np.uint8) for i in range(n)])
    answer = to_records(images, labels, shards)
    right = [[(labels[i], 10 * i + shards) for i in range(shard, n, shards)] for shard in range(shards)]
    told = Told(
        asked=f"(label, first value of the image) in the files of to_records({n} images, {labels}, {shards})",
        got=answer,
        expected=right,
        reread="the text of exercise 5",
    )
    assert isinstance(answer, (list, tuple)), told("return a list with an item for each file")
    assert all(type(data) is bytes for data in answer), told(
        "the items are not bytes: read what each file holds"
    )
    files = []
    for data in answer:
        files.append([])
        while data:
            length = int.from_bytes(data[:8], "little")
            assert 0 < length <= len(data) - 16, told(
                "this is not the format of a TFRecord file, or its end is missing"
            )
            features = tf.train.Example.FromString(data[12 : 12 + length]).features.feature
            label, png = list(features["label"].int64_list.value), list(features["image"].bytes_list.value)
            picture = png and png[0][:2] in (b"\x89P", b"\xff\xd8")
            value = int(tf.io.decode_png(png[0]).numpy()[0, 0, 0]) if picture else None
            files[-1].append((label[0] if label else None, value))
            data = data[16 + length :]
    told.got = files
    assert len(files) == shards, told("there are as many files as shards says, even if some are empty")
    by_text = [right[shard] for shard in sorted(range(shards), key=str)]
    assert files == right or files != by_text, told(
        "the files come in the order of their names as texts: 10 before 2"
    )
    assert files == right or [sorted(file) for file in files] != [sorted(file) for file in right], told(
        "each file has the right images; within a file their order changed"
    )
    swapped = [[label for label, _ in file] for file in files] != [
        [label for label, _ in file] for file in right
    ]
    values = [[value for _, value in file] for file in files] == [
        [value for _, value in file] for file in right
    ]
    assert not (swapped and values), told("the images are right and their labels are not")
    assert files == right, told()

# %% hidden="records-format" points=1 title="Check sums and features"
import struct

import numpy as np
import tensorflow as tf

n = draw.randrange(2, 20)
labels = [draw.randrange(100) for _ in range(n)]
answer = to_records(np.full([n, 2, 2, 3], labels[0], np.uint8), labels, 1)
told = Told(
    asked=f"the check sums and features of the records of to_records({n} images, {labels}, 1)",
    got=answer,
    expected="check sums that fit, and the features image and label, with these labels",
    reread="section 14, Data that keeps up",
)
assert isinstance(answer, (list, tuple)), told("return a list with an item for each file")
assert all(type(data) is bytes for data in answer), told("the items are not bytes: read what each file holds")


def check_sum(part):
    """The masked CRC-32C that TFRecord files use, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in part:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


data = answer[0] if answer else b""
names, labels_in, check_sums = [], [], []
while len(data) >= 16:
    [length] = struct.unpack("<Q", data[:8])
    assert 0 < length <= len(data) - 16, told(
        "this is not the format of a TFRecord file, or its end is missing"
    )
    body = data[12 : 12 + length]
    try:
        features = tf.train.Example.FromString(body).features.feature
    except Exception:
        assert False, told("a record is not a tf.train.Example: write example.SerializeToString()")
    names.append(sorted(features))
    labels_in.append(list(features["label"].int64_list.value))
    lengths_sum, bodys_sum = data[8:12], data[12 + length : 16 + length]
    check_sums.append(lengths_sum == struct.pack("<I", check_sum(struct.pack("<Q", length))))
    check_sums.append(bodys_sum == struct.pack("<I", check_sum(body)))
    data = data[16 + length :]
told.got = (
    f"{len(names)} records with the features {sorted({tuple(name) for name in names})}, "
    f"{sum(check_sums)} of {len(check_sums)} check sums fit"
)
assert len(names) == n, told(f"there are {len(names)} records for {n} images")
assert all(check_sums), told(
    "the check sums do not fit what is written: let tf.io.TFRecordWriter write the records"
)
assert all({"image", "label"} <= set(name) for name in names), told("the features are called image and label")
assert names == [["image", "label"]] * n, told("there are other features beside image and label")
told.got = f"labels {labels_in}"
assert all(len(label) == 1 for label in labels_in), told("label is a feature with one int64 value")
assert sorted(labels_in) == sorted([label] for label in labels), told()

# %% [markdown]
# ## 15 Compile once, fuse steps
#
# A step of a small model takes less time than the host needs to start it. `steps_per_execution` puts several steps into
# one call. Here are 256 steps an epoch, fused by 1, 8 and 64. We count processor time again.

# %% grading="skip"
x = np.random.default_rng(0).normal(size=[2048, 16]).astype("float32")
batches = tf.data.Dataset.from_tensor_slices((x, x[:, :1]))
batches = batches.batch(8, drop_remainder=True).cache()

class Watch(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.seconds = []

    def on_epoch_begin(self, epoch, logs=None):
        self.ends = []
        self.start = time.process_time()

    def on_train_batch_end(self, batch, logs=None):
        self.ends.append(batch)

    def on_epoch_end(self, epoch, logs=None):
        self.seconds.append(time.process_time() - self.start)

# %% grading="skip"
def fused(steps):
    keras.utils.set_random_seed(0)
    hidden = keras.layers.Dense(16, activation="relu")
    model = keras.Sequential([keras.Input([16]), hidden, keras.layers.Dense(1)])
    model.compile("sgd", "mse", steps_per_execution=steps, jit_compile=False)
    watcher = Watch()
    result = model.fit(batches, epochs=4, verbose=0, shuffle=False, callbacks=[watcher])
    return watcher, result.history["loss"][-1]

# %% grading="skip"
best = {}
for steps in (1, 8, 64):
    watcher, loss = fused(steps)
    best[steps] = 1000 * min(watcher.seconds[1:])
    print(f"{steps:2} steps a call: loss {loss:.6f}, {len(watcher.ends):3} calls an epoch")
    gain = best[1] / best[steps]
    print(f"   epoch 1: {1000 * watcher.seconds[0]:.0f} ms; the best of 2 to 4: "
          f"{best[steps]:.0f} ms, {gain:.1f} times as fast")

# %% [markdown]
# In processor time, on the machines that we tried, we saw 2 to 7 times the speed with 8, and 4 to 10 times with 64. What
# is left is mostly the reading of 256 batches, which fusing does not change. The training is **the same**: the same
# steps, the same loss. Only the calls are fewer. Three things to know:
#
# * the gain is the host's overhead. A large model, whose step takes long, gains little;
# * callbacks for batches come once a call, so 32 times instead of 256: a checkpoint "every 100 batches" comes late;
# * the first epoch is longer, since it contains tracing and compiling. Measure from the second on.
#
# If the steps do not divide evenly, the last call runs what is left: 20 steps by 8 are calls of 8, 8 and 4 steps.
#
# **Change it:** make the hidden layer 500 times as wide (`Dense(8000)`). Predict what becomes of the gain. Then run the
# last two cells again.
#
# <details><summary>What you see then</summary>
#
# The steps take longer, the calls cost the same, so the gain shrinks. Fusing helps where the host is the brake.
# </details>
#
# ## 16 ResNet50 on images of 32×32
#
# The classic example for a TPU: ResNet50, built for 224×224 photographs, from scratch on small images. Whole training
# belongs on a TPU. One step runs here, op by op, so that nothing must be compiled. Building the model takes some seconds.

# %% grading="skip"
with tf.device("CPU:0"):
    resnet = keras.applications.ResNet50(weights=None, input_shape=[32, 32, 3], classes=10)
print(f"{resnet.count_params():,} parameters in {len(resnet.trainable_variables)} variables")
for name in ("conv1_relu", "conv2_block3_out", "conv3_block4_out", "conv5_block3_out"):
    print(f"{name:17} {resnet.get_layer(name).output.shape}")

start = time.perf_counter()
with tf.GradientTape() as tape:
    chances = resnet(photos[:8].astype("float32") / 255, training=True)
    losses = keras.losses.sparse_categorical_crossentropy(photo_labels[:8], chances)
    loss = tf.reduce_mean(losses)
gradients = tape.gradient(loss, resnet.trainable_variables)
keras.optimizers.SGD(0.1).apply(gradients, resnet.trainable_variables)
print(f"loss {loss.numpy():.2f}, a step of 8 images in {time.perf_counter() - start:.1f} s")

# %% [markdown]
# The picture shrinks by half at each stage. On 32×32 the last stage has **one** pixel left; that is why nets for small
# images keep the first stages at full size. The loss is larger than 2.3, which is −log(1/10), since untrained layers do
# not give equal probabilities.
#
# Now the whole program, for whatever machine it finds. You know every line. To see it run here, a small net takes
# ResNet50's place, and 40 images that of 50 000; on a TPU you would change the data and the two lines marked with an
# arrow.

# %% grading="skip"
strategy = get_strategy()
batch = 4 * strategy.num_replicas_in_sync                      # <- 128 * ...

def to_float(image, label):
    return tf.cast(image, tf.float32) / 255, label

train = tf.data.Dataset.from_tensor_slices((photos, photo_labels)).cache()
train = train.shuffle(len(photos), seed=0).repeat()
train = train.batch(batch, drop_remainder=True).map(to_float).prefetch(tf.data.AUTOTUNE)

def small_net():                                               # <- ResNet50
    brain = "mixed_bfloat16"
    first = keras.layers.Conv2D(8, 3, strides=4, activation="relu", dtype=brain)
    last = keras.layers.Dense(10, dtype=brain)
    softmax = keras.layers.Activation("softmax", dtype="float32")
    flat = keras.layers.Flatten(dtype=brain)
    return keras.Sequential([keras.Input([32, 32, 3]), first, flat, last, softmax])

# %% grading="skip"
with strategy.scope():
    model = small_net()
    optimizer = keras.optimizers.SGD(0.1 * batch / 128, momentum=0.9)
    loss = "sparse_categorical_crossentropy"
    model.compile(optimizer, loss, steps_per_execution=2, jit_compile="auto")
history = model.fit(train, epochs=3, steps_per_epoch=4, shuffle=False, verbose=0)
print("loss by epoch:", [round(loss, 3) for loss in history.history["loss"]])

# %% [markdown]
# (40 images of noise have nothing to teach; the loss only shows that all parts work together.) ResNet50's layers get
# their types from the global policy, `keras.config.set_dtype_policy("mixed_bfloat16")` before it is made.

# %% [markdown] exercise="tpu"
# ### Exercise 6 · One program for every machine
#
# Write `prepare(strategy, images, labels, per_replica, base_rate, base_batch, fuse)`, the part of a training program that
# depends on the machine. It returns `(model, dataset)`, so that `model.fit(dataset)` is all that is left to do. It works
# with any strategy: a TPU's, one of GPUs, one of CPUs.
#
# The dataset holds the images and labels in batches for all replicas together, with `per_replica` examples for each {#1}.
# Each batch has the same shape, known beforehand; examples that fill no batch are left out {#2}. Images come as float32
# from 0 to 1 instead of bytes from 0 to 255 {#3}. Everything stays in order, and comes once {#4}. If the examples do not
# fill a single batch, raise a `ValueError` {#5}.
#
# The model's variables exist once for each replica {#6}. It is a `keras.Sequential` of these layers: an input of one
# image; `Flatten()`; `Dense(8, activation="relu", name="hidden")`; `Dense(10, name="logits")`;
# `Activation("softmax", name="probabilities")` {#7}. `hidden` and `logits` compute in bfloat16 and store float32 {#8};
# the probabilities are float32 {#9}. The policy of layers that others make later stays as it was {#10}.
#
# The model is compiled with the loss `"sparse_categorical_crossentropy"` and plain `SGD` {#11}. Its learning rate is
# `base_rate`, which was good for batches of `base_batch`, changed by the rule of section 13 {#12}. `fuse` steps run in
# one call {#13}. (A hint: with `jit_compile=False` XLA compiles nothing, and the run starts sooner.)
#
# Example: with two replicas, 21 images, `per_replica=4`, `base_rate=0.1`, `base_batch=16` and `fuse=2` the dataset has
# two batches of 8, and the rate is 0.05.
#
# `on_cpus`, in the same cell, runs your function for the checks. Leave it as it is.

# %% solution="tpu" kind="today"
import keras
import tensorflow as tf


def on_cpus(replicas, images, labels, per_replica, base_rate, base_batch, fuse, epochs=0, policy="float32"):
    """Given, for the checks: prepares with so many CPU replicas; tells what came of it in plain values."""
    tf.get_logger().setLevel("ERROR")  # that a step is traced again for each strategy is no news here
    cpus = [device.name for device in tf.config.list_logical_devices("CPU")][:replicas]
    one_sums = tf.distribute.ReductionToOneDevice()
    if replicas == 1:
        strategy = tf.distribute.OneDeviceStrategy(cpus[0])
    else:
        strategy = tf.distribute.MirroredStrategy(cpus, cross_device_ops=one_sums)
    left = keras.config.dtype_policy()
    keras.config.set_dtype_policy(policy)
    before = keras.config.dtype_policy().name
    keras.utils.set_random_seed(0)
    try:
        model, dataset = prepare(strategy, images, labels, per_replica, base_rate, base_batch, fuse)
        after = keras.config.dtype_policy().name
    finally:
        keras.config.set_dtype_policy(left)
    # the class's own: prepare had the object
    copies_of = tf.distribute.Strategy.experimental_local_results
    names = [getattr(getattr(layer, "activation", None), "__name__", "") for layer in model.layers]
    additions = ("clipnorm", "clipvalue", "global_clipnorm", "weight_decay", "use_ema")
    seen = {
        "global policy": [before, after],
        "shapes": [part.shape.as_list() for part in dataset.element_spec],
        "batches": [(x.numpy(), y.numpy().tolist()) for x, y in dataset.take(50)],
        "copies": [len(copies_of(strategy, v.value)) for v in model.variables],
        "layers": [(x.name, type(x).__name__, x.compute_dtype, x.variable_dtype) for x in model.layers],
        "units": [getattr(layer, "units", None) for layer in model.layers],
        "activations": [name.removesuffix("_v2") for name in names],  # of tf.nn.softmax
        "loss": model.loss
        if isinstance(model.loss, str)
        else getattr(model.loss, "__name__", type(model.loss).__name__),
        "optimizer": type(model.optimizer).__name__,
        "momentum": getattr(model.optimizer, "momentum", None),
        "additions": [name for name in additions if getattr(model.optimizer, name, None)],
        "rate": float(model.optimizer.learning_rate.numpy()),
        "fuse": int(model.steps_per_execution),
    }
    if epochs and dataset.cardinality() != tf.data.INFINITE_CARDINALITY:
        calls = []
        count = keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: calls.append(batch))
        history = model.fit(dataset, epochs=epochs, verbose=0, shuffle=False, callbacks=[count])
        seen["losses"] = history.history["loss"]
        seen["calls"] = len(calls)
        # a counter made outside the scope is one for all replicas, and each of them adds to it
        copies = [len(copies_of(strategy, variable.value)) for variable in model.variables]
        shared = len(copies_of(strategy, model.optimizer.iterations.value)) < max(copies, default=1)
        seen["steps"] = int(model.optimizer.iterations.numpy()) // (replicas if shared else 1)
    return seen


def prepare(strategy, images, labels, per_replica, base_rate, base_batch, fuse):
    """Make a model and its data ready for training on whatever machine the strategy is for.

    Args:
        strategy: a tf.distribute strategy.
        images: array of uint8, (n, height, width, 3).
        labels: array of n int, each below 10.
        per_replica: int, examples of one replica in one step.
        base_rate, base_batch: float and int, learning rate and batch that worked on one device.
        fuse: int, steps that one call runs.
    Returns:
        (keras.Sequential, tf.data.Dataset): the compiled model, the batches of one epoch.
    Raises:
        ValueError: the examples do not fill one batch.
    """
    ### BEGIN SOLUTION
    batch = per_replica * strategy.num_replicas_in_sync
    if len(images) < batch:
        raise ValueError(f"{len(images)} examples do not fill one batch of {batch}")

    def to_float(image, label):
        return tf.cast(image, tf.float32) / 255, label

    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(batch, drop_remainder=True)
    dataset = dataset.map(to_float).prefetch(tf.data.AUTOTUNE)
    half = "mixed_bfloat16"
    with strategy.scope():
        model = keras.Sequential([
            keras.Input(images.shape[1:]),
            keras.layers.Flatten(),
            keras.layers.Dense(8, activation="relu", name="hidden", dtype=half),
            keras.layers.Dense(10, name="logits", dtype=half),
            keras.layers.Activation("softmax", name="probabilities", dtype="float32"),
        ])
        optimizer = keras.optimizers.SGD(base_rate * batch / base_batch)
        loss = "sparse_categorical_crossentropy"
        model.compile(optimizer, loss, steps_per_execution=fuse, jit_compile=False)
    return model, dataset
    ### END SOLUTION

# %% try="tpu"
try:
    strategy = get_strategy()
    model, dataset = prepare(strategy, photos, photo_labels, 4, 0.1, 16, 2)
    print("shapes:", [part.shape for part in dataset.element_spec])
    print("learning rate:", float(model.optimizer.learning_rate.numpy()))
    history = model.fit(dataset, epochs=2, verbose=0, shuffle=False)
    print("loss by epoch:", [round(loss, 3) for loss in history.history["loss"]])
except NotImplementedError as error:
    print(error)

# %% check="tpu-batches" points=2 title="Batches for two replicas"
import numpy as np

images = np.arange(21 * 2 * 2 * 3).reshape(21, 2, 2, 3).astype(np.uint8)
labels = np.arange(21) % 10
got = on_cpus(2, images, labels, 4, 0.1, 16, 2)
told = Told(
    asked="the batches of prepare(two replicas, 21 images of 2×2, their labels, 4, 0.1, 16, 2)",
    got=[len(numbers) for _, numbers in got["batches"]],
    expected="two batches of 8, in order; shapes [8, 2, 2, 3] and [8]",
    reread="section 13, Replicas, batches and the learning rate",
)
sizes = [len(numbers) for _, numbers in got["batches"]]
assert sizes[0] != 4, told(
    "these are batches for one replica; the strategy deals out batches for all of them"
)
assert sizes != [8, 8, 5], told("the last batch is smaller: drop what does not fill a batch")
assert len(sizes) < 50, told("the data never end: every example comes once")
told.got = got["shapes"]
assert got["shapes"][0][0] is not None, told(
    "the size of a batch is not known beforehand: drop_remainder=True tells it"
)
first, numbers = got["batches"][0]
told.got = f"images of {first.dtype}, from {first.min():g} to {first.max():g}"
told.expected = "images of float32, from 0 to 1"
assert first.max() <= 1.001 or first.dtype.kind != "f", told(
    "the values are still those of the bytes: divide by 255"
)
assert str(first.dtype) == "float32", told("cast the images to float32")
told.got = [numbers for _, numbers in got["batches"]]
told.expected = [labels[:8], labels[8:16]]
together = sorted(number for _, some in got["batches"] for number in some)
ordered = told.got == [labels[:8].tolist(), labels[8:16].tolist()]
assert ordered or together != sorted(labels[:16].tolist()), told(
    "the right examples in another order: do not shuffle"
)
assert ordered and got["shapes"] == [[8, 2, 2, 3], [8]], told()

# %% check="tpu-model" points=2 title="The model for two replicas"
import numpy as np

images = np.zeros([21, 2, 2, 3], np.uint8)
got = on_cpus(2, images, np.arange(21) % 10, 4, 0.1, 16, 2)
told = Told(
    asked="the model of prepare(two replicas, 21 images of 2×2, their labels, 4, 0.1, 16, 2)",
    got={"copies of each variable": got["copies"]},
    expected="two copies of each variable",
    reread="section 13, Replicas, batches and the learning rate",
)
assert got["copies"] and set(got["copies"]) != {1}, told(
    "the variables exist once: make the model in the strategy's scope"
)
assert set(got["copies"]) == {2}, told()
told.got = [(name, compute, store) for name, _, compute, store in got["layers"][1:]]
told.expected = [
    ("hidden", "bfloat16", "float32"),
    ("logits", "bfloat16", "float32"),
    ("probabilities", "float32", "float32"),
]
told.reread = "section 6, Policies: the same in one line"
types = {name: (compute, store) for name, _, compute, store in got["layers"]}
assert list(types)[-3:] == ["hidden", "logits", "probabilities"], told(
    "the last three layers have other names"
)
assert types["hidden"] != ("bfloat16", "bfloat16"), told(
    "the policy bfloat16 stores 16 bits; mixed_bfloat16 does not"
)
assert types["hidden"][0] == "bfloat16" == types["logits"][0], told(
    "hidden and logits do not compute in bfloat16"
)
assert types["probabilities"][0] == "float32", told("the softmax computes in 16 bits")
kinds = [kind for _, kind, _, _ in got["layers"]]
told.got = list(zip(kinds, got["units"], got["activations"]))
told.expected = "Flatten, Dense(8) with relu, Dense(10) without activation, Activation softmax"
told.reread = "the text of exercise 6"
assert got["activations"][1] == "relu", told("the hidden layer's activation is not relu")
shape = [kinds, got["units"][1:3], got["activations"][1:]]
right = [["Flatten", "Dense", "Dense", "Activation"], [8, 10], ["relu", "linear", "softmax"]]
assert shape == right, told()
loss = got["loss"].replace("_", "").lower()
told.got, told.expected = (
    f"{got['optimizer']}, loss {got['loss']}",
    "SGD, loss sparse_categorical_crossentropy",
)
assert loss == "sparsecategoricalcrossentropy", told("this is another loss")
assert got["optimizer"] == "SGD", told("this is another optimizer")
assert not got["momentum"], told(f"plain SGD has no momentum; this one has {got['momentum']}")
additions = got.get("additions", [])
assert not additions, told(f"plain SGD does nothing else; this one has {', '.join(additions)}, too")
told.got, told.expected = f"learning rate {got['rate']:.4g}", "learning rate 0.05"
told.reread = "section 13, Replicas, batches and the learning rate"
assert abs(got["rate"] - 0.1) > 1e-6, told("the batch changed from 16 to 8, and the rate did not")
assert abs(got["rate"] - 0.2) > 1e-6, told("the rate follows the global batch, not the number of replicas")
assert abs(got["rate"] - 0.025) > 1e-6, told("the batch of all replicas counts, not that of one")
assert abs(got["rate"] - 0.05) < 1e-6, told()
told.got, told.expected = f"{got['fuse']} steps in a call", "2 steps in a call"
told.reread = "section 15, Compile once, fuse steps"
assert got["fuse"] == 2, told()

# %% hidden="tpu-machines" points=3 title="Other machines, other sizes"
import numpy as np

for replicas in (4, 1, 3):
    per_replica, fuse, base = draw.randrange(2, 5), draw.randrange(3, 9), 2 ** draw.randrange(3, 8)
    batch = replicas * per_replica
    n = draw.randrange(2, 4) * batch + draw.randrange(1, batch) if batch > 1 else 7
    images = np.array([draw.randrange(256) for _ in range(n * 12)], np.uint8).reshape(n, 2, 2, 3)
    labels = np.array([draw.randrange(10) for _ in range(n)])
    got = on_cpus(replicas, images, labels, per_replica, 0.25, base, fuse)
    told = Told(
        asked=f"prepare({replicas} replicas, {n} images, labels, {per_replica}, 0.25, {base}, {fuse})",
        got=got["shapes"],
        expected=[[batch, 2, 2, 3], [batch]],
        reread="section 13, Replicas, batches and the learning rate",
    )
    assert got["shapes"][1] != [2 * per_replica] or replicas == 2, told(
        "the number of replicas is the strategy's num_replicas_in_sync, not always 2"
    )
    assert got["shapes"] == [[batch, 2, 2, 3], [batch]], told()
    told.got = [numbers for _, numbers in got["batches"]]
    told.expected = [labels[i : i + batch].tolist() for i in range(0, n - batch + 1, batch)]
    assert told.got == told.expected, told()
    pixels = np.concatenate([x for x, _ in got["batches"]])
    right = images[: n // batch * batch] / np.float32(255)
    told.got, told.expected = pixels.ravel()[:4], right.ravel()[:4]
    assert pixels.shape == right.shape, told("not every label has its image")
    assert np.allclose(pixels, right, atol=1e-3), told()
    told.got, told.expected = {"copies of each variable": got["copies"]}, f"{replicas} of each variable"
    assert set(got["copies"]) == {replicas}, told()
    told.got, told.expected = f"learning rate {got['rate']:.4g}", f"learning rate {0.25 * batch / base:.4g}"
    assert abs(got["rate"] - 0.25 * batch / base) < 1e-6, told()
    told.got, told.expected = f"{got['fuse']} steps in a call", f"{fuse} steps in a call"
    assert got["fuse"] == fuse, told()

# %% hidden="tpu-policy" points=1 title="Other people's layers"
import numpy as np

images = np.zeros([9, draw.randrange(2, 5), 2, 3], np.uint8)
got = on_cpus(2, images, np.arange(9), 4, 0.1, 8, 1)["global policy"]
told = Told(
    asked="the global policy before and after prepare(...)",
    got=got,
    expected=["float32", "float32"],
    reread="section 6, Policies: the same in one line",
)
assert got == ["float32", "float32"], told(
    "the global policy was changed and not put back, so later layers get it too"
)
other = draw.choice(["mixed_float16", "mixed_bfloat16"])
seen = on_cpus(2, images, np.arange(9), 4, 0.1, 8, 1, policy=other)
told.got, told.expected = seen["global policy"], [other, other]
assert told.got == told.expected, told("put back the policy that was there before, whatever it was")
told.asked = f"what layers compute in and store where the global policy is {other}"
told.got = {name: (compute, store) for name, _, compute, store in seen["layers"][1:]}
inner = ("bfloat16", "float32")
told.expected = {"hidden": inner, "logits": inner, "probabilities": ("float32", "float32")}
assert told.got == told.expected, told("a layer takes the global policy: say each layer's own")

# %% hidden="tpu-small" points=1 title="Too few examples"
import numpy as np

per_replica = draw.randrange(3, 6)
batch = 2 * per_replica
got = []
for n in (batch - 1, 0, batch):
    images = np.zeros([n, 2, 2, 3], np.uint8)
    try:
        seen = on_cpus(2, images, np.zeros([n], int), per_replica, 0.1, 8, 1)
        got.append(f"a dataset of {len(seen['batches'])} batches")
    except NotImplementedError:
        raise
    except Exception as error:
        got.append(f"{type(error).__name__}: {error}")
told = Told(
    asked=f"prepare(two replicas, images, labels, {per_replica}, ...) with {batch - 1}, 0 and {batch} images",
    got=got,
    expected="ValueError, ValueError, one batch",
    reread="the text of exercise 6",
)
assert not any(answer.startswith("a dataset of 0") for answer in got), told(
    "there is no batch at all, and no word about it: fit would end without a step"
)
assert not got[2].startswith("ValueError"), told("the examples of the last case fill exactly one batch")
assert all(answer.startswith("ValueError") for answer in got[:2]), told(
    "with too few examples raise a ValueError"
)
assert got[2] == "a dataset of 1 batches", told()

# %% hidden="tpu-fit" points=1 title="It trains"
import numpy as np

fuse = draw.randrange(2, 4)
labels = np.arange(40) % 2
images = np.repeat(np.where(labels, 250, 5).astype(np.uint8), 12).reshape(40, 2, 2, 3)
got = on_cpus(2, images, labels, 5, 0.5, 10, fuse, epochs=3)
told = Told(
    asked=f"3 epochs of model.fit: two replicas, 40 dark and bright images, 5 for each replica, fuse {fuse}",
    got=f"a dataset of {len(got['batches'])} batches and more",
    expected=f"the loss falls, 12 steps in {3 * -(-4 // fuse)} calls",
    reread="section 15, Compile once, fuse steps",
)
assert "losses" in got, told("the data never end: every example comes once")
told.got = f"losses {written(got['losses'])}, {got['steps']} steps in {got['calls']} calls"
assert got["steps"] == 12, told()
assert got["calls"] == 3 * -(-4 // fuse), told()
assert got["losses"][0] < 6 and got["losses"][-1] < got["losses"][0], told()

# %% [markdown]
# ## 17 Then and now
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | a custom getter that stores float32 | a layer's policy, `keras.DTypePolicy("mixed_float16")` |
# | `tf.cast` before the loss | `dtype="float32"` for the last layer |
# | `loss * scale`, gradients `/ scale` | `LossScaleOptimizer`: `scale_loss`, `apply` |
# | `enable_mixed_precision_graph_rewrite` | `keras.config.set_dtype_policy` |
# | `tpu.initialize_system()` run in a session | `tf.tpu.experimental.initialize_tpu_system(resolver)` |
# | `tpu.rewrite`, `tpu.shard` | `strategy.run` in a `tf.function` |
# | `CrossShardOptimizer` | any optimizer in `TPUStrategy`'s scope |
# | `TPUEstimator` (gone), `iterations_per_loop` | `fit`, `steps_per_execution` |
# | `python_io.TFRecordWriter` | `tf.io.TFRecordWriter` |
# | `QueueRunner`, `TFRecordReader` | `tf.data.TFRecordDataset` |
#
# ## 18 Break it and diagnose it
#
# This loop trains in float16, and nobody gets an error. But the weight does not move, although its gradient is not small.
# Why?

# %% grading="skip"
weight = tf.Variable(1.0, dtype=tf.float16)
rate = tf.constant(1e-4, tf.float16)
for step in range(1000):
    with tf.GradientTape() as tape:
        loss = (weight - 2) ** 2
    weight.assign_sub(rate * tape.gradient(loss, weight))
print("after 1000 steps:", weight.numpy())

# %% [markdown]
# The gradient is −2, the update 0.0002. The next float16 after 1 is 1.001, and 0.0002 is less than half the way. It is
# lost, a thousand times. In float32 the weight would now be at 1.18. No loss scale helps, since the gradient was never
# too small: the *variable* must be float32. **Change it:** make the variable and the learning rate float32. Run again.
#
# | you see | ask | cure |
# | --- | --- | --- |
# | the loss stands still, no error | are the *variables* 16 bits? are gradients 0? is `type(model.optimizer)` a `LossScaleOptimizer`? | `mixed_…`, not `float16`; loss scaling |
# | the loss is `nan` or `inf` from the first step | is the softmax or the loss in 16 bits? | `dtype="float32"` there |
# | the first steps change nothing, then it learns | what is `dynamic_scale`? | nothing: the scale is looking for its place |
# | `dynamic_scale` falls and falls | which gradient is not finite? | the model makes `nan`: a division, a logarithm of 0 |
# | a GPU and a CPU differ in the fourth digit | is TF32 on? | `enable_tensor_float_32_execution(False)`, if it matters |
# | *expected to be a double tensor but is a float* | which input came from NumPy? | `astype("float32")` at the source |
# | *Please provide a TPU Name* | which address? | `tpu="local"`, or `grpc://…` |
# | *TPUs not found in the cluster* | does `num_accelerators` count any? | another runtime, or `get_strategy()` |
# | the program hangs when it connects | does anybody answer there? | ask with a deadline before |
# | every epoch is slow, not only the first | how often is the step compiled? | fixed shapes, `drop_remainder=True` |
# | the TPU idles | does the input keep up? | `cache`, `prefetch`, larger batches, `steps_per_execution` |
# | the model learns less than on one device | was the learning rate scaled? | times global batch / old batch (SGD) |
#
# ## 19 Back to the night's work
#
# The wear model learned nothing because its policies were given layer by layer, and `compile` wrapped no optimizer: its
# gradients, all below 3e-8, became 0. One line mends it, `LossScaleOptimizer`, or bfloat16 where the hardware has it. The
# memory is halved only for activations, and whether the night gets shorter must be measured on that machine. The TPU
# needs no second program: strategy, global batch and learning rate come from the machine, and everything else is the
# same.
#
# ## Recap
#
# 1. A float is sign, exponent, mantissa. Between powers of two lie equally many values, so precision is relative.
# 2. float16 is finer, bfloat16 reaches further. Compute in 16 bits; keep variables, softmax, loss and long sums in 32.
# 3. Small gradients vanish in float16. Scale the loss, unscale the gradients; not finite: skip and halve; many good:
#    double. `compile` does it by itself only under a global policy.
# 4. A TPU runs compiled programs: fixed shapes, large batches with a larger learning rate, data that keeps up.
# 5. Fused steps save the host's overhead and change nothing else.
#
# | question | where the answer is |
# | --- | --- |
# | How far to the next value? | `np.spacing(x)` |
# | What does this layer compute in, what does it store? | `layer.compute_dtype`, `layer.variable_dtype` |
# | Does this run scale its loss? | `type(model.optimizer)`, `optimizer.dynamic_scale` |
# | Are shapes fixed? | `dataset.element_spec` |
# | How many replicas? | `strategy.num_replicas_in_sync` |
#
# **Read on:** lesson 09: what the replicas tell each other, and what it costs.
