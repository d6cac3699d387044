# %% [markdown] runtime="TPU"
# # Lesson 08 · Mixed precision and TPU
#
# After this lesson you can
#
# 1. read a floating-point number from its bits, and say how far and how fine each format reaches;
# 2. train with 16-bit arithmetic and 32-bit variables, by hand and by a policy, without losing small gradients;
# 3. write one program that uses a TPU, GPUs or CPUs, whichever it finds, and feed it as a TPU wants to be fed.
#
# **Time:** about 110 minutes, of which 45 are exercises. Two sittings are better: after section 9 is a place to stop.
#
# **Hardware:** CPU only. Four logical CPU devices stand in for the cores of a TPU. What GPUs and TPUs do better is told,
# and marked as told; nothing that is graded needs one.
#
# Six grey cells come first. They are folded, because you need not read them. Run all six.

# %% include="quiet_start.py" devices=4

# %% include="checks.py"

# %% include="float_bits.py" grading="skip"

# %% include="float_widget.py" grading="skip"

# %% include="get_strategy.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![Two lanes. Upper lane, float32, 4 bytes a number: the variables, the loss, the update. Lower lane, float16 or bfloat16, 2 bytes a number: a copy of the variables, the forward pass, the backward pass. The variables are cast down to the copy, which goes through the forward pass; its result is cast up for the loss; the loss times a scale starts the backward pass; its gradients are cast up, divided by the scale, and update the variables if all are finite; otherwise the step is skipped and the scale halved.](assets/08_two_dtypes.svg)
#
# **Mixed precision** does the heavy arithmetic with 16-bit numbers, and keeps in 32 bits what would suffer: variables,
# loss, sums. GPUs and TPUs have special units for it. A **TPU** is a chip that does little else.
#
# ## 1 A number is three fields of bits
#
# A floating-point number is a sign, an exponent and a mantissa. Here is π in float32:

# %% grading="skip"
bits = bits_of(np.pi, "float32")
draw_bits(bits, "float32")

# %% [markdown]
# Read it by hand. The exponent is stored with 127 added, the **bias**, so that it needs no sign of its own. The mantissa
# holds what comes after the point in 1.xxx; the 1 itself is not stored.

# %% grading="skip"
sign, exponent, mantissa = int(bits[0]), int(bits[1:9], 2), int(bits[9:], 2)
print(f"sign {sign}, exponent {exponent} - 127 = {exponent - 127}, mantissa {mantissa / 2**23}")
print((-1)**sign * 2.0**(exponent - 127) * (1 + mantissa / 2**23))

# %% [markdown]
# The other formats divide their bits in another way. With `e` exponent bits the bias is 2^(e−1) − 1.
#
# | format | sign | exponent | mantissa | bias | bytes |
# | --- | --- | --- | --- | --- | --- |
# | float16, "half" | 1 | 5 | 10 | 15 | 2 |
# | bfloat16 | 1 | 8 | 7 | 127 | 2 |
# | float32, "single" | 1 | 8 | 23 | 127 | 4 |
# | float64, "double" | 1 | 11 | 52 | 1023 | 8 |
#
# bfloat16 is float32 with the last 16 bits cut off: the same range, fewer digits.

# %% predict="pi-bfloat16"
# Predict: from which decimal on does bfloat16's π differ from 3.14159265? And float16's?
bfloat16_differs_from, float16_differs_from = ..., ...

# %% grading="skip"
for name in FORMATS:
    stored = decimal.Decimal(float(value_of(bits_of(np.pi, name), name)))
    print(f"{name:9}{stored}")

# %% [markdown]
# Each line is the *exact* value that is stored. Both 16-bit formats are right to two decimals; both happen
# to store the same 3.140625. float32 is right to six, float64 to fifteen.
#
# Two exponents are special:
#
# | exponent bits | mantissa | the value is |
# | --- | --- | --- |
# | all 0 | 0 | zero; there is also a −0 |
# | all 0 | not 0 | a **subnormal**: 0.xxx instead of 1.xxx, times 2^(1 − bias) |
# | all 1 | 0 | infinity, by its sign |
# | all 1 | not 0 | not a number, `nan` |
#
# Subnormals fill the gap between zero and the smallest normal number with evenly spaced values.
#
# ## 2 How fine and how far
#
# float16 has only 65 536 patterns, so we can look at all of them.

# %% predict="count"
# Predict: how many float16 values lie from 1 up to, not including, 2? From 1024 to 2048? From 0.25 to 0.5?
from_1, from_1024, from_a_quarter = ..., ..., ...

# %% grading="skip"
every = np.arange(2**16, dtype=np.uint16).view(np.float16)
for low in (0.25, 1, 1024, 16384):
    count = np.sum((every >= low) & (every < 2 * low))
    print(f"from {low:8} to {2 * low:8}: {count} values, {low / count:g} apart")

# %% [markdown]
# Always 2^10, since the mantissa has 10 bits. **Between two powers of two every format has the same number of values, so
# the distance between neighbours doubles at each power of two.** Precision is relative.

# %% predict="plus-one"
# Predict each sum in float16: 2048 + 1, 2048 + 3, 1 + 0.0001
sums = ..., ..., ...

# %% grading="skip"
for a, b in ((2048, 1), (2048, 3), (1, 0.0001)):
    print(a, "+", b, "=", float(np.float16(a) + np.float16(b)))

# %% [markdown]
# Between 2048 and 4096 the values are 2 apart. So 2049 does not exist; nor does 2051. A result between two values goes to
# the nearer one. From the middle it goes to the one whose last bit is 0: 2049 goes down to 2048, 2051 up to 2052.
#
# The distance from 1 to the next value is the format's **resolution**, also called epsilon.

# %% grading="skip"
for name in FORMATS:
    one = np.array(1, number_type(name))
    print(f"{name:9} resolution {float(np.spacing(one)):.1e}")

# %% [markdown]
# Remember these as 1e-2 for bfloat16, 1e-3 for float16, 1e-7 for float32, 1e-16 for float64. Now over the whole range:

# %% grading="skip"
_, axes = plt.subplots(figsize=(9, 4), layout="constrained")
for name, style, color in zip(FORMATS, ("-", "--", "-.", ":"), ("#0072B2", "#D55E00", "#009E73", "#000000")):
    top = 2.0**15.99 if name == "float16" else 1e12
    x = np.logspace(-12, np.log10(top), 400).astype(number_type(name))
    axes.loglog(x.astype("float64"), np.spacing(x).astype("float64"), style, color=color, label=name)
axes.axvline(65504, lw=0.8, color="gray")
axes.text(9e4, 1e-20, "float16 ends at 65 504", fontsize=9)
axes.set(xlabel="value", ylabel="distance to the next value", title="The larger the number, the coarser")
axes.legend()
plt.show()

# %% [markdown]
# *The picture in words:* every line is a staircase that rises with the value. From 1e-5 on bfloat16 lies highest: it is
# the coarsest. float16 lies a little lower, but stops at 65 504 on the right, and is flat on the left, below 1e-4: its
# subnormals are as far apart as the smallest normal numbers.
#
# **float16 is finer, bfloat16 reaches further.** Gradients are small and of very different sizes. So reach matters more,
# as section 7 shows.
#
# ## 3 Flip bits
#
# Choose a number and a format, then click on bits. Find: the largest float16, the smallest above zero, a `nan`, and
# the one bit of 1.0 whose flip gives infinity.
#
# Without a kernel, look at this picture:
#
# ![The widget: a field for the number, 3.14159265, a list of formats that shows float16, sixteen buttons with the bits 0 10000 1001001000, below them the same bits with their fields named s, exponent and mantissa, and three lines: value 3.140625; the next value is further by 0.00195; float16 reaches from 5.96e-8 above zero to 65504.](assets/08_widget.svg)

# %% grading="skip"
flip_bits()

# %% [markdown]
# <details><summary>What you find</summary>
#
# Largest: `0 11110 1111111111`, 65504. Smallest: `0 00000 0000000001`, 5.96e-8. `nan`: exponent all ones and any mantissa
# bit. 1.0 is `0 01111 0000000000`: its exponent's first bit is 0 and the others are 1. Flip the first bit and all are 1:
# infinity. No single flip gives zero.
# </details>
#
# ## 4 The float64 that NumPy brings along
#
# NumPy makes float64 if you do not say otherwise. TensorFlow makes float32 from Python numbers, but *keeps* what comes from
# NumPy.

# %% grading="skip"
table = np.ones([1000, 1000])
print("NumPy:", table.dtype, table.nbytes, "bytes; as float32:", table.astype("float32").nbytes, "bytes")
print("from NumPy:", tf.constant(table).dtype.name, "| from Python:", tf.constant([1., 2.]).dtype.name)
try:
    tf.matmul(np.eye(2), tf.ones([2, 2]))
except tf.errors.InvalidArgumentError as error:
    print(error.message.partition(" [Op")[0])

# %% [markdown]
# Read the message: input #1 (counted from 0) "was expected to be a double tensor", since input #0 is one. **The error names
# the innocent input.** The float64 came in first. (The other way round TensorFlow converts the array, and nothing fails.)
# When nothing fails it is worse: twice the bytes, a slower product, and no
# float64 at all on a TPU's matrix unit. **Write `astype("float32")` where data enters.**
#
# ## 5 Two data types by hand
#
# First the classic form, since it shows every cast. A *custom getter* stands between you and each variable: it stores
# float32 and hands out a copy in the type that you asked for.

# %%
v1 = tf.compat.v1

# %% grading="skip"
def stored_as_float32(getter, name, shape=None, dtype=None, **rest):
    variable = getter(name, shape, dtype=tf.float32, **rest)
    return tf.cast(variable, dtype)

# %% grading="skip"
with tf.Graph().as_default() as graph:
    x = v1.placeholder(tf.float16, [None, 2], name="x")
    with v1.variable_scope("layer", custom_getter=stored_as_float32):
        w = v1.get_variable("w", [2, 2], tf.float16, initializer=v1.ones_initializer())
    logits = tf.cast(tf.matmul(x, w), tf.float32)         # float32 from here on
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits([[1., 0.]], logits))
    [gradient] = tf.gradients(loss, v1.trainable_variables())
    stored = v1.trainable_variables()[0].dtype.base_dtype.name
print("used as", w.dtype.name, "| stored as", stored, "| gradient", gradient.dtype.name)

# %% [markdown]
# The matmul is float16; the variable and its gradient are float32, since the cast's gradient casts back. That is the whole
# mechanism. Why not simply everything in 16 bits? Three reasons, each in a line or two.

# %% predict="three-reasons"
# Predict in float16: exp(12); -log(softmax([12, -8])) of the second class; 1 - 0.0001 (an update)
exp_12, second_loss, updated = ..., ..., ...

# %% grading="skip"
half, single = tf.constant([12., -8.], tf.float16), tf.constant([12., -8.])
print("exp(12):", tf.exp(half)[0].numpy(), "in float16,", tf.exp(single)[0].numpy(), "in float32")
for logits in (half, single):
    print("loss:", -tf.math.log(tf.nn.softmax(logits))[1].numpy(), "in", logits.dtype.name)
for name in ("float16", "bfloat16", "float32"):
    print("1 - 0.0001 is", float(tf.constant(1., name) - tf.constant(0.0001, name)), "in", name)

# %% [markdown]
# | what stays float32 | why |
# | --- | --- |
# | softmax and loss | `exp` overflows from 11.1 on; a small probability becomes 0, and its logarithm infinite |
# | variables | an update that is smaller than half the resolution is lost, however often it is repeated |
# | long sums, means, statistics of batch normalisation | rounding at each step; the sum stops growing, as 2048 + 1 did |
#
# (TensorFlow's own kernels help here and there: its softmax subtracts the largest logit first, its sums often use float32
# inside. Do not rely on it.)
#
# ## 6 Policies: the same in one line
#
# In today's form a layer has a **policy** with two types: `compute_dtype` for its arithmetic, `variable_dtype` for its
# variables. The layer makes the casts.

# %% predict="policy"
# Predict the compute and the variable type of each policy below. One of them is a trap.
mixed_float16, mixed_bfloat16, float16 = ("?", "?"), ("?", "?"), ("?", "?")

# %% grading="skip"
import keras

for name in ("float32", "mixed_float16", "mixed_bfloat16", "float16"):
    layer = keras.layers.Dense(2, dtype=name)
    y = layer(tf.ones([1, 3]))
    types = f"computes in {layer.compute_dtype:9} stores {layer.variable_dtype:9} gives {y.dtype.name}"
    print(f"{name:15} {types}")

# %% [markdown]
# `float16` is not `mixed_float16`: it stores the *variables* in 16 bits too, and small updates get lost.
#
# `set_dtype_policy` sets the policy of every layer that is made **afterwards**. A layer opts out with its own `dtype`. The
# last activation must; a layer with delicate sums may.

# %% grading="skip"
keras.config.set_dtype_policy("mixed_bfloat16")
model = keras.Sequential([
    keras.Input([4]),
    keras.layers.Dense(8, activation="relu", name="hidden"),
    keras.layers.Dense(8, activation="relu", name="delicate", dtype="float32"),       # opts out
    keras.layers.Dense(3, name="logits"),
    keras.layers.Activation("softmax", name="probabilities", dtype="float32")])      # always
keras.config.set_dtype_policy("float32")

# %% grading="skip"
for layer in model.layers:
    stores = {variable.dtype for variable in layer.variables} or "nothing"
    print(f"{layer.name:14} computes in {layer.compute_dtype:9} stores {stores}")

# %% [markdown]
# The second call set the policy back. It is a setting of the whole process; forgotten, it changes the next model too.
# A model that exists keeps its layers' policies.
#
# ## 7 Gradients that vanish
#
# What about the backward pass? Take a network that has already learned: most of its outputs are right, so their gradients
# are tiny. The mean over 1024 examples makes each another thousand times smaller.

# %% grading="skip"
x = tf.random.normal([1024, 16], seed=1)
labels = tf.cast(x[:, :1] > 0, tf.float32)
w = tf.concat([tf.fill([1, 1], 6.), 0.1 * tf.random.normal([15, 1], seed=2)], 0)
with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, x @ w))
gradient = tape.gradient(loss, x).numpy().ravel()
for scale in (1, 2.0**15):
    stored = (gradient * scale).astype("float16")
    zeros, infinite = np.mean(stored == 0), np.mean(np.isinf(stored))
    print(f"scale {scale:7.0f}: {zeros:6.1%} become 0, {infinite:.1%} become inf")

# %% grading="skip"
_, axes = plt.subplots(figsize=(9, 3.4), layout="constrained")
sizes, bins = np.log2(np.abs(gradient) + 1e-30), np.arange(-60, 20)
axes.hist(sizes, bins, fc="#56B4E9", alpha=0.6, label="gradients as they are")
axes.hist(sizes + 15, bins, fc="none", ec="#D55E00", hatch="///", histtype="stepfilled", label="times 2^15")
for edge, text in ((-24, "smallest\nabove zero "), (-14, "smallest\nnormal "), (16, "largest ")):
    axes.axvline(edge, color="black", lw=1, ls="--")
    axes.text(edge, 1650, text, ha="right", va="top", fontsize=9)
axes.set(xlabel="size of the gradient, as a power of two", ylabel="number of gradients",
         title="float16 ends at the dashed lines", ylim=(0, 1700))
axes.legend(loc="upper left")
plt.show()

# %% [markdown]
# *The picture in words:* a wide hill of gradients, whose left part lies beyond the line "smallest above zero": there
# float16 stores 0. The hatched hill is the same, moved 15 powers of two to the right; nearly all of it now lies
# between the lines.
#
# **Loss scaling** moves the hill: multiply the *loss* before the backward pass, divide the *gradients* after it, in
# float32. By the chain rule every gradient in between is multiplied too.

# %% predict="underflow"
# Predict the gradient of 0.0001 · 0.0001 · x in float16 with scale 1, 1024 and 2**40.
without, with_1024, with_2_to_the_40 = ..., ..., ...

# %% grading="skip"
def half_gradient(scale):
    small, x = tf.constant(1e-4, tf.float16), tf.Variable(1., dtype=tf.float16)
    with tf.GradientTape() as tape:
        loss = tf.cast(small * (small * x), tf.float32) * scale
    return tf.cast(tape.gradient(loss, x), tf.float32).numpy() / scale     # unscaled in float32

for scale in (1., 1024., 2.0**40):
    print(f"scale {scale:14.0f}: {half_gradient(scale)}")

# %% [markdown]
# The true gradient is 1e-8. Without a scale it is 0, and the variable never moves. With 1024 it is right to three digits.
# With 2^40 it is infinite, although 1e-8 · 2^40 would fit: the backward pass begins with the scale itself, here as a float16,
# and that ends at 65 504. (A model's loss is float32, so its scale may be larger. But then too, some value overflows.)
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
# Keras has it ready. It starts at 32 768 and doubles after 2000 good steps. Under `mixed_float16`, `compile` wraps your
# optimizer by itself; in a loop of your own you do it. We start far too high, and double after 5 steps, to see it work.

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
        error = tf.cast(x, tf.float16) @ tf.cast(weights, tf.float16) - tf.cast(y, tf.float16)
        loss = tf.reduce_mean(tf.cast(error, tf.float32) ** 2)
        scaled = optimizer.scale_loss(loss)
    [gradient] = tape.gradient(scaled, [weights])
    optimizer.apply([gradient], [weights])                # unscales; skips and halves, or updates and counts
    return loss, optimizer.dynamic_scale, tf.reduce_all(tf.math.is_finite(gradient))

history = [[float(value) for value in train_step()] for _ in range(100)]

# %% grading="skip"
losses, scales, finite = np.array(history).T
_, axes = plt.subplots(figsize=(9, 3.2), layout="constrained")
axes.step(range(1, 101), np.log2(scales), where="post", color="#0072B2", label="scale after the step")
skipped = np.flatnonzero(finite == 0)
axes.plot(skipped + 1, np.log2(scales)[skipped], "x", color="#D55E00", label="step skipped")
axes.set(xlabel="step", ylabel="scale, as a power of two", title="The loss scale looks for its own place")
axes.legend()
plt.show()
print(f"{len(skipped)} of 100 steps were skipped; the loss went from {losses[0]:.2g} to {losses[-1]:.2g}")

# %% [markdown]
# *The picture in words:* a stair down, a cross on each step: the first steps are skipped and the scale is halved each
# time. Then a stair up: five good steps, double. The gradients shrink while it learns, so the scale can rise, until it is
# too high once more: a cross, and down by one.
#
# While steps are skipped the loss stands still. That is normal at the start. If it never ends, the model itself makes `inf`
# or `nan`, and no scale can help.
#
# **Change it:** start with `initial_scale=1.0`. Predict the picture first. Then run the last three cells again.
#
# <details><summary>What you see then</summary>
#
# No cross at the start, but a slow climb: five steps for each doubling. Meanwhile small gradients are lost. This small model
# does not mind; a large one may learn nothing in that time. That is why one starts too high: coming down takes one step for
# each halving.
# </details>
#
# (Older texts call `get_scaled_loss` and `get_unscaled_gradients`. Both are gone: today it is `scale_loss`, and `apply`
# unscales.)
#
# ## 9 Bytes and seconds
#
# Does mixed precision halve the memory? Count what a training step with Adam keeps:

# %% predict="halved"
# Predict: by what factor does mixed precision shrink the memory of (a) a large model with a small batch,
# (b) a small model with a large batch? 0.5? 1? More than 1?
large_model, large_batch = ..., ...

# %% grading="skip"
def step_bytes(parameters, activations, mixed):
    """Bytes of a training step with Adam; activations is the number of values kept for the backward pass."""
    return {"variables": 4 * parameters, "16-bit copy": 2 * parameters * mixed, "gradients": 4 * parameters,
            "Adam's two slots": 8 * parameters, "activations": (2 if mixed else 4) * activations}

cases = {"25 million parameters, 5 million activations": (25e6, 5e6),
         "1 million parameters, 400 million activations": (1e6, 4e8)}
for title, size in cases.items():
    full, mixed = (sum(step_bytes(*size, mixed).values()) / 2**20 for mixed in (False, True))
    print(f"{title:46} {full:5.0f} MiB -> {mixed:5.0f} MiB, factor {mixed / full:.2f}")

# %% grading="skip"
_, axes = plt.subplots(figsize=(9, 2.8), layout="constrained")
bars = [(title.replace(", ", ",\n") + f"\n{('float32', 'mixed')[mixed]}", step_bytes(*size, mixed))
        for title, size in cases.items() for mixed in (False, True)]
looks = [("#0072B2", ""), ("#CC79A7", "xx"), ("#E69F00", "//"), ("#009E73", ".."), ("#56B4E9", "\\\\")]
left = np.zeros(len(bars))
for part, (color, hatch) in zip(bars[0][1], looks):
    size = np.array([parts[part] / 2**20 for _, parts in bars])
    axes.barh([title for title, _ in bars], size, left=left, fc=color, hatch=hatch, ec="white", label=part)
    left += size
axes.invert_yaxis()
axes.tick_params(labelsize=8)
axes.set(xlabel="MiB")
axes.legend(fontsize=8)
plt.show()

# %% [markdown]
# **Only activations are halved.** Real layers, in the next cell, agree. A large model with a small batch even grows a little, because of the 16-bit copy. (The
# copy need not exist for all layers at once; then it is less.) Convolutional nets with large batches gain nearly half.

# %% grading="skip"
def measured_bytes(policy):
    layers, activations = [keras.layers.Conv2D(8, 3, dtype=policy) for _ in range(3)], 0
    y = tf.ones([32, 28, 28, 1])
    for layer in layers:
        y = layer(y)
        activations += y.numpy().nbytes
    return activations, sum(variable.numpy().nbytes for layer in layers for variable in layer.variables)

for policy in ("float32", "mixed_bfloat16"):
    activations, variables = measured_bytes(policy)
    print(f"{policy:15} activations {activations:8} bytes, variables {variables} bytes")

# %% [markdown]
# And seconds? We measure a matmul, and a training step of a convolution, on *your* processor. We count processor time, so
# that other programs disturb little, and take the best of several runs.

# %% predict="speed"
# Predict: how many times as fast as float32 is float16 on your CPU? And bfloat16?
float16_times, bfloat16_times = ..., ...

# %% grading="skip"
import time

def best_milliseconds(call, runs=5):
    call()                                                       # the first run also sets things up
    took = []
    for _ in range(runs):
        start = time.process_time()
        call()
        took.append(1000 * (time.process_time() - start))
    return min(took)

def convolution_step(image, kernel):
    with tf.GradientTape() as tape:
        tape.watch(kernel)
        y = tf.reduce_sum(tf.nn.relu(tf.nn.conv2d(image, kernel, 1, "SAME")))
    return tape.gradient(y, kernel)

# %% grading="skip"
speed = {}
for name in ("float32", "bfloat16", "float16"):
    a = tf.cast(tf.random.normal([512, 512]), name)
    image = tf.cast(tf.random.normal([16, 16, 16, 16]), name)
    kernel = tf.cast(tf.random.normal([5, 5, 16, 32]), name)
    step = tf.function(convolution_step)
    calls = lambda: (a @ a).numpy(), lambda: step(image, kernel).numpy()
    with tf.device("CPU:0"):
        speed[name] = [best_milliseconds(call) for call in calls]
    print(f"{name:9} matmul {speed[name][0]:6.2f} ms   convolution step {speed[name][1]:6.2f} ms")

# %% [markdown]
# On most CPUs **16 bits bring nothing, or make it slower**, the convolution above all. Why? The processor has no
# units for sums in float16. Each number is widened to float32, used, and rounded back. bfloat16 is no better here, because
# this course switches oneDNN off, Intel's library that has good bfloat16 code (the reason: its ops have other names and sum in another order). With XLA
# (`jit_compile=True`) all three types take about the same time: XLA computes in float32 inside.
#
# So on a CPU 16 bits save memory, not time. A GPU with tensor cores, or a TPU, is another matter. On a GPU:
#
# {{gpu record: speed}}
#
# | | float16 | bfloat16 |
# | --- | --- | --- |
# | fast on | GPUs since 2017 (tensor cores) | TPUs; GPUs since 2020; CPUs with bfloat16 units, through oneDNN |
# | loss scaling | needed | not needed |
# | choose it when | the GPU is older | otherwise |
#
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## 10 What a TPU is
#
# A TPU is a chip around a *matrix unit*: a grid of 128 × 128 multipliers (256 × 256 in the newest) through which numbers
# flow from neighbour to neighbour. It multiplies bfloat16 and sums in float32. It runs no op by itself. XLA must first
# compile a whole function for it. From this follow all its rules:
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
# You can see the first rule on a CPU, since XLA compiles for CPUs too:

# %% predict="compiled"
# Predict: 100 examples in batches of 32. How often is the step compiled without and with drop_remainder?
without, with_it = ..., ...

# %% grading="skip"
def compile_times(drop_remainder):
    traced = []

    @tf.function(jit_compile=True)
    def step(x):
        traced.append(x.shape[0])              # Python runs only while the function is traced
        return tf.reduce_sum(tf.tanh(x @ tf.transpose(x)))

    for x in tf.data.Dataset.from_tensor_slices(tf.ones([100, 8])).batch(32, drop_remainder=drop_remainder):
        start = time.perf_counter()
        step(x).numpy()
        print(f"  batch of {x.shape[0]}: {1000 * (time.perf_counter() - start):7.1f} ms")
    print(f"drop_remainder={drop_remainder}: compiled for batches of {traced}")

# %% grading="skip"
for drop_remainder in (False, True):
    compile_times(drop_remainder)

# %% [markdown]
# The first batch pays for compiling; the others are free of it. A last batch of 4 has another shape and pays again. For a
# large model on a TPU compiling takes up to minutes: **the first epoch is slow; judge speed by the second.**
#
# ## 11 Find the TPU, or do without
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
        tf.tpu.experimental.initialize_tpu_system(resolver)
    except (ValueError, tf.errors.NotFoundError) as error:
        print(f"{address!r}: {type(error).__name__}: {str(error).partition('. ')[0]}")

# %% [markdown]
# A resolver can be "found" and have **no core**. So look at `num_accelerators` before you initialise. A third case is worse:
# with `grpc://` and a dead address, connecting waits for minutes. So ask first, with a deadline, whether a gRPC server
# answers there.
#
# The cell "Get a strategy" above does all that. It takes a TPU, or else GPUs, or else the logical CPUs, and says so:

# %% grading="skip"
start = time.perf_counter()
get_strategy("grpc://localhost:1")              # nobody is there
strategy = get_strategy()
print(f"both answers took {time.perf_counter() - start:.1f} s")

# %% [markdown]
# *TPU extra.* In Colab choose a TPU runtime (*v5e-1*: one chip, so expect one replica). It comes without TensorFlow. This
# lesson's first grey cell installs what it needs there; it then counts the cores in another process, which may crash without
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
#
# ## 12 Replicas, batches and the learning rate
#
# A strategy runs the same step on each **replica**: on a TPU its cores, here the four logical CPUs, also if you have GPUs, so
# that everybody sees the same. What you create **in its scope** exists once for each replica, and is kept equal.

# %% grading="skip"
cpus = [device.name for device in tf.config.list_logical_devices("CPU")]
strategy = tf.distribute.MirroredStrategy(cpus, cross_device_ops=tf.distribute.ReductionToOneDevice())
with strategy.scope():
    inside = tf.Variable([1., 2.])
outside = tf.Variable([1., 2.])
for variable in (inside, outside):
    copies = strategy.experimental_local_results(variable)
    print(type(variable).__name__, [copy.device[-5:] for copy in copies])

# %% [markdown]
# You batch for all replicas together: the **global batch**. The strategy deals it out.

# %% predict="dealt"
# Predict: 10 examples, a global batch of 8, four replicas. What does each replica get in the second step?
second_step = "..."

# %% grading="skip"
numbers = tf.data.Dataset.range(10)
for drop in (False, True):
    print(f"drop_remainder={drop}")
    for batch in strategy.experimental_distribute_dataset(numbers.batch(8, drop_remainder=drop)):
        print("  ", [part.numpy().tolist() for part in strategy.experimental_local_results(batch)])

# %% [markdown]
# In the second step two replicas get nothing. A mean over nothing is `nan`; on a TPU the other shape would be compiled too.
# Hence `drop_remainder=True`, once more. (The two examples left over are not lost for good if you shuffle: each epoch leaves
# out others.)
#
# With k replicas the global batch is k times as large, so an epoch has k times fewer steps. Each step sees a better
# gradient and may be longer: **multiply the learning rate by the same factor as the global batch.** See why:

# %% grading="skip"
x = tf.random.normal([4096, 16], seed=4)
y = x @ tf.random.normal([16, 1], seed=5)

def one_epoch(batch, rate):
    w = tf.zeros([16, 1])
    for i in range(0, 4096, batch):
        a, b = x[i:i + batch], y[i:i + batch]
        w -= rate * tf.transpose(a) @ (a @ w - b) / batch      # half the mean squared error's
    return float(tf.reduce_mean((x @ w - y) ** 2))

for batch, rate in ((64, 0.02), (512, 0.02), (512, 0.16), (512, 2.5)):
    loss = one_epoch(batch, rate)
    print(f"batch {batch:3}, {4096 // batch:2} steps, rate {rate:4}: loss after one epoch {loss:.4g}")

# %% [markdown]
# Eight times the batch with the old rate learns too little in an epoch. With eight times the rate it is about where it was.
# The rule is a start, not a law: beyond some rate training diverges, as in the last line. For large factors, raise the
# rate over the first epochs (*warm-up*).
#
# ## 13 Data that keeps up
#
# **In memory.** A set of 32×32 images is small: 50 000 of them are 147 MiB as bytes. `from_tensor_slices` hands it to
# TensorFlow, and no file can be slow. Keep `uint8` and cast in the pipeline.
#
# **`cache()`** keeps in memory what came out so far, from the first *complete* pass on. How often is the source read in
# three epochs?

# %% predict="cache"
# Predict how often the source is read in 3 epochs: no cache; cache; cache and then take(4).
no_cache, cached, partly = ..., ..., ...

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
plain = tf.data.Dataset.from_generator(source, output_signature=tf.TensorSpec([], tf.int32))
print("no cache:", count_reads(plain), "| cache:", count_reads(plain.cache()))
print("cache, then take(4):", count_reads(plain.cache().take(4)))
print("take(4), then cache:", count_reads(plain.take(4).cache()))

# %% [markdown]
# A pass that stops early throws its cache away: `take` before `cache`, not after. Also put `cache` *before* `shuffle` and
# random changes of images, or the first epoch's are repeated for ever.
#
# **TFRecord.** Many small files are slow to open, above all over a network. A TFRecord file holds many examples one after
# the other; some tens of such files (*shards*) are read in parallel. Each record is a `tf.train.Example`: names with lists
# of bytes, floats or integers.

# %% grading="skip"
def example(image, label):
    png = tf.io.encode_png(image).numpy()
    feature = {"image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
               "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label]))}
    return tf.train.Example(features=tf.train.Features(feature=feature))

images = np.random.default_rng(0).integers(0, 256, [40, 32, 32, 3], np.uint8)
labels = [i % 10 for i in range(40)]
print(str(example(images[0], 7))[:120], "...")

# %% grading="skip"
import os, tempfile

folder = tempfile.TemporaryDirectory()               # is deleted with the kernel, or by folder.cleanup()
for shard in range(2):
    with tf.io.TFRecordWriter(f"{folder.name}/train-{shard}-of-2.tfrecord") as writer:
        for i in range(shard, 40, 2):
            writer.write(example(images[i], labels[i]).SerializeToString())
print({name: os.path.getsize(f"{folder.name}/{name}") for name in sorted(os.listdir(folder.name))})

# %% [markdown]
# Reading turns it around. `ensure_shape` tells what the decoder cannot know before it sees the picture. TPUs need that.

# %% grading="skip"
FEATURES = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}

def read(record):
    parsed = tf.io.parse_single_example(record, FEATURES)
    image = tf.ensure_shape(tf.io.decode_png(parsed["image"], channels=3), [32, 32, 3])
    return tf.cast(image, tf.float32) / 255, parsed["label"]

files = tf.io.gfile.glob(f"{folder.name}/*.tfrecord")
pipeline = (tf.data.TFRecordDataset(files, num_parallel_reads=2).map(read, num_parallel_calls=2)
            .cache().shuffle(40, seed=0).batch(16, drop_remainder=True).prefetch(2))
print([spec.shape for spec in pipeline.element_spec], "batches:", sum(1 for _ in pipeline))

# %% [markdown]
# **From a bucket.** `tf.io.gfile` and `TFRecordDataset` take `gs://bucket/train-*.tfrecord` just as they take a folder: the
# beginning of the name chooses the file system. Only the name changes; everything above stays. A TPU that is *another
# machine* reads by itself and cannot see your disk: for it, data must be in a bucket or travel with the graph, from memory.
# A local TPU (Colab's v5e, a TPU VM) is fed by your own process, which may read local files; a bucket in the same region is
# the usual place only because the sets are large.
#
# | data | way |
# | --- | --- |
# | fits into memory | arrays, `from_tensor_slices` |
# | fits once decoded, slow to read | TFRecord, `map`, `cache()` |
# | does not fit | TFRecord shards in a bucket, `num_parallel_reads`, `prefetch`, no cache |

# %% grading="skip"
folder.cleanup()
print("left behind:", os.path.exists(folder.name))

# %% [markdown]
# ## 14 Compile once, fuse steps
#
# A step of a small model takes less time than the host needs to start it. `steps_per_execution` puts several steps into one
# call. Here are 256 steps an epoch, fused by 1, 8 and 64. We count processor time again.

# %% predict="fused"
# Predict for 8 against 1: is the final loss the same? How often is on_train_batch_end called in an epoch?
same_loss, calls = ..., ...

# %% grading="skip"
x = np.random.default_rng(0).normal(size=[2048, 16]).astype("float32")
batches = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(8, drop_remainder=True).cache()

class Watch(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.ends, self.start = [], time.process_time()
    def on_train_batch_end(self, batch, logs=None):
        self.ends.append(batch)
    def on_epoch_end(self, epoch, logs=None):
        self.seconds = getattr(self, "seconds", []) + [time.process_time() - self.start]

# %% grading="skip"
def fused(steps, epochs=4):
    keras.utils.set_random_seed(0)
    layers = keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)
    model = keras.Sequential([keras.Input([16]), *layers])
    model.compile("sgd", "mse", steps_per_execution=steps, jit_compile=False)
    watch = Watch()
    result = model.fit(batches, epochs=epochs, verbose=0, shuffle=False, callbacks=[watch])
    return watch, result.history["loss"][-1]

epochs_of = {}
for steps in (1, 8, 64):
    watch, loss = fused(steps)
    epochs_of[steps] = watch.seconds
    print(f"{steps:2} steps a call: loss {loss:.6f}, {len(watch.ends):3} calls, the first: {watch.ends[:3]}")

# %% grading="skip"
_, axes = plt.subplots(figsize=(7, 2.6), layout="constrained")
best = {steps: 1000 * min(seconds[1:]) for steps, seconds in epochs_of.items()}
for row, (steps, color, hatch) in enumerate(zip(best, ("#0072B2", "#E69F00", "#009E73"), ("", "//", ".."))):
    axes.barh(row, best[steps], fc=color, hatch=hatch, ec="white")
    times = f"{best[1] / best[steps]:.1f} times as fast"
    axes.text(best[steps], row, f" {best[steps]:.0f} ms: {times}", va="center")
axes.set(yticks=range(3), yticklabels=[f"{steps} a call" for steps in best], xlim=(0, 1.5 * best[1]),
         xlabel="milliseconds of processor time an epoch (the best of epochs 2 to 4)")
plt.show()
print("first epoch:", {steps: f"{1000 * seconds[0]:.0f} ms" for steps, seconds in epochs_of.items()})

# %% [markdown]
# In processor time we saw 2 to 7 times the speed with 8, and 4 to 10 times with 64. By the clock, on an idle machine, it was
# 6 and 12 times for a small model: the calls also wait. What is left is mostly the reading of 256 batches, which fusing does not
# change. The training is **the same**: the same steps, the same loss. Only the calls are fewer. Three things to know:
#
# * the gain is the host's overhead. A large model, whose step takes long, gains little;
# * callbacks for batches come once a call, so 32 times instead of 256: a checkpoint "every 100 batches" comes late;
# * the first epoch is longer, since it contains tracing and compiling. Measure from the second on.
#
# If the steps do not divide evenly, the last call runs what is left: 20 steps by 8 are calls of 8, 8 and 4 steps. (Its
# callback still says 23, as if it had been full.)
#
# **Change it:** make the hidden layer 500 times as wide (`Dense(8000)`). Predict what becomes of the gain. Then run the three cells
# again.
#
# <details><summary>What you see then</summary>
#
# The steps take longer, the calls cost the same, so the gain shrinks: here to about 2 times, also with 64. Fusing helps where the
# host is the brake.
# </details>
#
# ## 15 ResNet50 on images of 32×32
#
# The classic example for a TPU: ResNet50, built for 224×224 photographs, from scratch on small images. Whole training
# belongs on a TPU. One step runs here, op by op, so that nothing must be compiled. Building the model takes some seconds.

# %% grading="skip"
with tf.device("CPU:0"):
    resnet = keras.applications.ResNet50(weights=None, input_shape=[32, 32, 3], classes=10)
print(f"{resnet.count_params():,} parameters in {len(resnet.trainable_variables)} variables")
for name in ("conv1_relu", "conv2_block3_out", "conv3_block4_out", "conv4_block6_out", "conv5_block3_out"):
    print(f"{name:17} {resnet.get_layer(name).output.shape}")

# %% predict="resnet-loss"
# Predict the loss of a step of an untrained model on 10 classes. (What is -log(1/10)?)
first_loss = ...

# %% grading="skip"
x, y = images[:8].astype("float32") / 255, np.array(labels[:8])
start = time.perf_counter()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y, resnet(x, training=True)))
gradients = tape.gradient(loss, resnet.trainable_variables)
keras.optimizers.SGD(0.1).apply(gradients, resnet.trainable_variables)
seconds = time.perf_counter() - start
print(f"loss {loss.numpy():.2f}, {len(gradients)} gradients, {seconds:.1f} s for a step of 8 images")

# %% [markdown]
# The picture shrinks by half at each stage. On 32×32 the last stage has **one** pixel left; that is why nets for small images
# keep the first stages at full size. The loss is larger than 2.3, since untrained layers do not give equal
# probabilities.
#
# The whole training, ready for a TPU. You know every line:
#
# ```python
# def to_float(image, label):
#     return tf.cast(image, tf.float32) / 255, label
#
# strategy = get_strategy()
# batch = 128 * strategy.num_replicas_in_sync
# keras.config.set_dtype_policy("mixed_bfloat16")
# train = (tf.data.Dataset.from_tensor_slices((images, labels)).cache().shuffle(len(labels)).repeat()
#          .batch(batch, drop_remainder=True).map(to_float).prefetch(tf.data.AUTOTUNE))
# with strategy.scope():
#     resnet = keras.applications.ResNet50(weights=None, input_shape=[32, 32, 3], classes=10,
#                                          classifier_activation=None)
#     model = keras.Sequential([resnet, keras.layers.Activation("softmax", dtype="float32")])
#     model.compile(keras.optimizers.SGD(0.1 * batch / 128, momentum=0.9),
#                   "sparse_categorical_crossentropy", steps_per_execution=8)
# model.fit(train, epochs=30, steps_per_epoch=len(labels) // batch, shuffle=False)
# ```
#
# ## 16 Then and now
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
# ## 17 Break it and diagnose it
#
# This loop trains in float16, and nobody gets an error. But the weights stand still. Why?

# %% grading="skip"
weight = tf.Variable(1., dtype=tf.float16)
for step in range(1000):
    with tf.GradientTape() as tape:
        loss = (weight - 2) ** 2
    weight.assign_sub(tf.constant(1e-4, tf.float16) * tape.gradient(loss, weight))
print("after 1000 steps:", weight.numpy())

# %% [markdown]
# The gradient is −2, the update 0.0002. The next float16 after 1 is 1.001, and 0.0002 is less than half the way. It is
# lost, a thousand times. In float32 the weight would now be at 1.18. **Change it:** make the variable and the learning rate
# float32. Run again.
#
# | you see | ask | cure |
# | --- | --- | --- |
# | the loss stands still, no error | are the *variables* 16 bits? are the gradients 0? | `mixed_…`, not `float16`; loss scaling |
# | the loss is `nan` or `inf` from the first step | is the softmax or the loss in 16 bits? | `dtype="float32"` there |
# | the first steps change nothing, then it learns | what is `dynamic_scale`? | nothing: the scale is looking for its place |
# | `dynamic_scale` falls and falls | which gradient is not finite? | the model makes `nan`: a division, a logarithm of 0 |
# | *expected to be a double tensor but is a float* | which input came from NumPy? | `astype("float32")` at the source |
# | *Please provide a TPU Name* | which address? | `tpu="local"`, or `grpc://…` |
# | *TPUs not found in the cluster* | does `num_accelerators` count any? | another runtime, or `get_strategy()` |
# | the program hangs when it connects | does anybody answer there? | ask with a deadline before |
# | every epoch is slow, not only the first | how often is the step compiled? | fixed shapes, `drop_remainder=True` |
# | the TPU idles | does the input keep up? | `cache`, `prefetch`, larger batches, `steps_per_execution` |
# | the model learns less than on one device | was the learning rate scaled? | times global batch / old batch |
#
# ## Recap
#
# 1. A float is sign, exponent, mantissa. Between powers of two lie equally many values, so precision is relative.
# 2. float16 is finer, bfloat16 reaches further. Compute in 16 bits; keep variables, softmax, loss and long sums in 32.
# 3. Small gradients vanish in float16. Scale the loss, unscale the gradients; not finite: skip and halve; long good: double.
# 4. A TPU runs compiled programs: fixed shapes, large batches with a larger learning rate, data that keeps up.
# 5. Fused steps save the host's overhead and change nothing else.
#
# | question | where the answer is |
# | --- | --- |
# | How far to the next value? | `np.spacing(x)` |
# | What does this layer compute in, what does it store? | `layer.compute_dtype`, `layer.variable_dtype` |
# | What is the scale now? | `optimizer.dynamic_scale` |
# | Are shapes fixed? | `dataset.element_spec` |
# | How many replicas? | `strategy.num_replicas_in_sync` |
#
# **Read on:** lesson 09, *Data and model parallelism*: what the replicas tell each other, and what it costs.
#
# ## Exercises
#
# Five short programs and one question in words. Each function takes and returns plain values: numbers, text, lists,
# dicts or bytes. Write it, play with it in the *try* cell, then run its checks.

# %% [markdown] exercise="bits"
# ### Exercise 1 · Decode a number
#
# Write two functions for a floating-point format with any number of exponent and mantissa bits.
#
# `decode(bits, exponent_bits)` returns the number, a Python float, that the text `bits` of zeros and ones stands for: sign
# first, then `exponent_bits` bits of exponent; all others are the mantissa. All special values of section 1 count: zero,
# subnormals, infinities (`float("inf")`), not-a-number (`float("nan")`).
#
# `spacing(x, exponent_bits, mantissa_bits)` returns the distance from `x`, a number that the format has, to its neighbour
# *away from zero*, a float. `x` is zero or more and smaller than the largest value.
#
# Example: `decode("0100001001001000", 5)` is 3.140625, π in float16. `spacing(2.0, 5, 10)` is 0.001953125, which is 2⁻⁹:
# from 2 to 4 there are 2¹⁰ values.
#
# The formats are small enough for Python floats to hold every value exactly. So the checks compare exactly.

# %% solution="bits"
def decode(bits, exponent_bits):
    """Decode a floating-point number.

    Args:
        bits: str of "0" and "1": the sign, the exponent, the mantissa.
        exponent_bits: int, how many bits the exponent has (the bias is 2**(exponent_bits - 1) - 1).
    Returns:
        float, the exact value; infinities and nan as Python's floats.
    """
    ### BEGIN SOLUTION
    mantissa_bits, bias = len(bits) - 1 - exponent_bits, 2 ** (exponent_bits - 1) - 1
    sign = -1.0 if bits[0] == "1" else 1.0
    exponent, mantissa = int(bits[1:1 + exponent_bits], 2), int(bits[1 + exponent_bits:], 2)
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
    print(decode("0100001001001000", 5), decode("0000000000000001", 5))  # 3.140625 and 5.96e-08
    print(spacing(2.0, 5, 10), spacing(1000.0, 5, 10))
except NotImplementedError as error:
    print(error)

# %% check="bits-float16" points=2
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

def told(likely):
    return (
        f"asked:    decode of {patterns}, with 5 exponent bits\n"
        f"got:      {got}\n"
        f"expected: {right} (what NumPy reads from the same bytes)\n"
        f"likely:   {likely}\n"
        f"reread:   section 1, A number is three fields of bits"
    )

assert all(isinstance(value, (int, float)) for value in got), told("return a float, for every input")
assert got[1] != 1, told("the first bit is the sign: 1 means negative")
assert got[1] != -2 and got[1] != -0.5, told("the bias is 2**(exponent_bits - 1) - 1: 15 for 5 bits")
assert got[2] != 2**-10 and got[2] != 1 + 2**-9 and got[2] != 1 + 2**-11, told(
    "the mantissa stands for 1.xxx: add the 1 that is not stored, divide by 2**mantissa_bits"
)
assert all(0 < abs(value) < float("inf") for value in got), told(
    "only an exponent of all ones is special, and one of all zeros"
)
assert got == right, told("value = sign * 2**(exponent - bias) * (1 + mantissa / 2**mantissa_bits)")

# %% check="bits-spacing" points=2
import numpy as np

values = [1.0, 2.0, 3.0, 1023.5, 1024.0, 0.25]
got = [spacing(x, 5, 10) for x in values]
right = [float(np.spacing(np.float16(x))) for x in values]

def told(likely):
    return (f"asked:    spacing of {values} in float16, with 5 and 10 bits\n"
            f"got:      {got}\n"
            f"expected: {right} (what NumPy says)\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, How fine and how far")

assert all(isinstance(value, (int, float)) for value in got), told("return a float, for every input")
assert len(set(got)) > 1, told("the distance is not the same everywhere: it doubles at each power of two")
assert got[1] != right[0] and got[4] != right[3], told(
    "at a power of two the step away from zero is already the larger one")
assert got[2] == got[1], told("2.0 and 3.0 lie between the same powers of two, so their spacing is the same")
assert got == right, told("2 to the power of the exponent of x, divided by 2**mantissa_bits")

# %% hidden="bits-other-formats" points=2
import numpy as np
import tensorflow as tf

questions = [
    ("0100000001001001", 8),
    ("1100001011001000", 8),
    ("0" + "10000000" + "10010010000111111011011", 8),
    ("01000101", 5),
    ("10111011", 4),
    ("0" + "10000000000" + "1" * 52, 11),
]
got = [decode(bits, width) for bits, width in questions]
half = [
    float(np.array(int(bits, 2), np.uint16).view(tf.bfloat16.as_numpy_dtype)) for bits, _ in questions[:2]
]
right = half + [
    float(np.array(int(questions[2][0], 2), np.uint32).view(np.float32)),
    5.0,
    -1.375,
    float(np.array(int(questions[5][0], 2), np.uint64).view(np.float64)),
]

def told(likely):
    return (
        f"asked:    decode of (bits, exponent bits) {questions}\n"
        f"got:      {got}\n"
        f"expected: {right}\n"
        f"likely:   {likely}\n"
        f"reread:   section 1, A number is three fields of bits"
    )

assert got[:2] == right[:2], told(
    "bfloat16 has 16 bits as float16 has, but 8 of exponent: bias 127, not 15"
)
assert got[3:5] == right[3:5], told(
    "eight bits can be a format too: use the given exponent_bits, and len(bits)"
)
assert got == right, told(
    "the values must be exact: compute with 2.0**exponent, not with float16 or float32"
)

# %% hidden="bits-special" points=2
zero, infinity, nan = "0" * 16, "0111110000000000", "0111110000000001"
patterns = [zero, infinity, "1111110000000000", "0000000000000001", "1000001111111111", "0000000001000000"]
got, bfloat = [decode(bits, 5) for bits in patterns], decode("0000000001000000", 8)
unreal = [decode(nan, 5), decode("1111111111111111", 5), decode("0111111111000000", 8)]
right = [0.0, float("inf"), -float("inf"), 2.0**-24, -1023 * 2.0**-24, 2.0**-18]

def told(likely):
    return (
        f"asked:    decode of {patterns} with 5 exponent bits, of the last one with 8, of three nan\n"
        f"got:      {got}, {bfloat} and {unreal}\n"
        f"expected: {right}, {2.0**-127} and three times nan\n"
        f"likely:   {likely}\n"
        f"reread:   section 1, A number is three fields of bits: the two special exponents"
    )

assert got[0] == 0, told("an exponent of all zeros has no hidden 1: with mantissa 0 the value is zero")
assert got[1:3] == right[1:3], told("an exponent of all ones and mantissa 0 is infinity, with its sign")
assert all(value != value for value in unreal), told(
    "an exponent of all ones and any other mantissa is nan"
)
assert got[3:] != [value / 2 for value in right[3:]], told(
    "a subnormal's exponent is 1 - bias, not 0 - bias"
)
assert got == right and bfloat == 2.0**-127, told("a subnormal is 0.xxx * 2**(1 - bias): no hidden 1")

# %% hidden="bits-small-spacing" points=1
import numpy as np

values = [0.0, 2.0**-24, 2.0**-15, 2.0**-14, 2.0**-13]
got, others = (
    [spacing(x, 5, 10) for x in values],
    [spacing(1.0, 8, 7), spacing(6.0, 4, 3), spacing(0.0, 8, 7)],
)
right = [float(np.spacing(np.float16(x))) for x in values]
right_others = [2.0**-7, 0.5, 2.0**-133]

def told(likely):
    return (
        f"asked:    spacing of {values} in float16; of (1, 8, 7), (6, 4, 3), (0, 8, 7)\n"
        f"got:      {got} and {others}\n"
        f"expected: {right} and {right_others}\n"
        f"likely:   {likely}\n"
        f"reread:   section 1, A number is three fields of bits: subnormals are evenly spaced"
    )

assert got[1:3] == right[1:3], told("below the smallest normal number the spacing does not shrink any more")
assert got[0] == right[0], told("after zero comes the smallest subnormal")
assert got == right and others == right_others, told("use the given widths, not those of float16")

# %% [markdown] exercise="policy"
# ### Exercise 2 · A mixed model
#
# Write `mixed_model(features, hidden, classes, policy, keep)`. It builds a `keras.Sequential` model and returns its
# description, `model.to_json()`. The layers, in this order:
#
# * `keras.Input([features])`;
# * for each number of the list `hidden` a `Dense` layer of so many units with `activation="relu"`, named `hidden1`,
#   `hidden2`, …;
# * `Dense(classes, name="logits")`, without activation;
# * `Activation("softmax", name="probabilities")`.
#
# Hidden layers and `logits` **compute as the policy says**; `policy` is `"mixed_float16"`, `"mixed_bfloat16"` or
# `"float32"`. Layers whose names are in the list `keep` opt out: they compute in float32. `probabilities` always computes in
# float32. **All variables are float32.** The process's global policy is the same afterwards as before: `global_policy`, in
# the same cell, tells it. Leave that one as it is.
#
# Example: for `mixed_model(8, [16, 4], 3, "mixed_float16", ["hidden2"])` the try cell shows `hidden1` and `logits` computing
# in float16, `hidden2` and `probabilities` in float32.

# %% solution="policy"
import keras


def global_policy():
    """The name of the policy that new layers get in this process, a str."""
    return keras.config.dtype_policy().name


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
    kind = lambda name: "float32" if name in keep else policy
    model = keras.Sequential([keras.Input([features])])
    for i, units in enumerate(hidden, start=1):
        model.add(keras.layers.Dense(units, activation="relu", name=f"hidden{i}", dtype=kind(f"hidden{i}")))
    model.add(keras.layers.Dense(classes, name="logits", dtype=kind("logits")))
    model.add(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return model.to_json()
    ### END SOLUTION

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

# %% check="policy-layers" points=2
import json
import keras

answer, got = mixed_model(8, [16, 4], 3, "mixed_float16", []), "no description of a model"

def told(likely):
    return (
        f'asked:    mixed_model(8, [16, 4], 3, "mixed_float16", [])\n'
        f"got:      {got}\n"
        f"expected: (compute, store) is float16, float32 but for probabilities, float32, float32\n"
        f"likely:   {likely}\n"
        f"reread:   section 6, Policies: the same in one line"
    )

assert type(answer) is str and answer.startswith("{"), told("return model.to_json(), not the model")
layers = {layer["config"]["name"]: layer["config"] for layer in json.loads(answer)["config"]["layers"][1:]}
named = {
    name: config["dtype"] if type(config["dtype"]) is str else config["dtype"]["config"]["name"]
    for name, config in layers.items()
}
types = {
    name: (keras.DTypePolicy(dtype).compute_dtype, keras.DTypePolicy(dtype).variable_dtype)
    for name, dtype in named.items()
}
got = ", ".join(f"{name}: {compute}, {variable}" for name, (compute, variable) in types.items())
assert list(types) == ["hidden1", "hidden2", "logits", "probabilities"], told(
    "there is a layer for each number of hidden, then logits, then probabilities, with these names"
)
assert ("float16", "float16") not in types.values(), told(
    "the policy float16 stores 16-bit variables; pass mixed_float16 itself, not its compute type"
)
assert types["probabilities"] == ("float32", "float32"), told(
    "the softmax computes in the policy's 16 bits"
)
assert types["logits"][0] == "float16", told(
    "only the probabilities stay in float32; the logits follow the policy"
)
assert types["hidden1"][0] == types["hidden2"][0] == "float16", told(
    "the hidden layers did not get the policy"
)

# %% check="policy-keep" points=1
import json

answer, got = mixed_model(8, [16, 4], 3, "mixed_bfloat16", ["hidden2"]), "no description of a model"

def told(likely):
    return (
        f'asked:    mixed_model(8, [16, 4], 3, "mixed_bfloat16", ["hidden2"])\n'
        f"got:      {got}\n"
        f"expected: hidden2 and probabilities float32, hidden1 and logits mixed_bfloat16\n"
        f"likely:   {likely}\n"
        f"reread:   section 6, Policies: the same in one line"
    )

assert type(answer) is str and answer.startswith("{"), told("return model.to_json(), not the model")
layers = {
    layer["config"]["name"]: layer["config"]["dtype"]
    for layer in json.loads(answer)["config"]["layers"][1:]
}
got = {name: dtype if type(dtype) is str else dtype["config"]["name"] for name, dtype in layers.items()}
assert got.get("hidden2") != "mixed_bfloat16", told("a layer whose name is in keep opts out")
assert got.get("hidden1") != "mixed_float16", told(
    "the policy is an argument; it is not always mixed_float16"
)
assert got.get("hidden1") != "float32", told("one layer opts out, not the whole model")
assert got == {
    "hidden1": "mixed_bfloat16",
    "hidden2": "float32",
    "logits": "mixed_bfloat16",
    "probabilities": "float32",
}, told("compare the layers one by one")

# %% hidden="policy-global" points=2
before = global_policy()
mixed_model(4, [2], 2, "mixed_bfloat16", [])
after = global_policy()
mixed_model(4, [2], 2, "mixed_float16", ["logits"])
got = [before, after, global_policy()]

def told(likely):
    return (f"asked:    the global policy before, between and after two calls of mixed_model\n"
            f"got:      {got}\n"
            f"expected: three times {before!r}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Policies: the same in one line: a setting of the whole process")

assert before == "float32", told(
    "an earlier call changed the global policy for good, and that stays for the next model")
assert got == [before] * 3, told(
    "the global policy was set and not put back, so it changes the next model too")

# %% hidden="policy-other" points=2
import json

questions = [
    (5, [7], 2, "mixed_float16", ["logits"]),
    (3, [2, 3, 4], 6, "mixed_bfloat16", ["hidden1", "hidden3"]),
    (4, [], 2, "mixed_float16", []),
    (4, [9], 2, "float32", ["hidden1"]),
]
right = [
    [("hidden1", "mixed_float16", 7), ("logits", "float32", 2), ("probabilities", "float32", None)],
    [
        ("hidden1", "float32", 2),
        ("hidden2", "mixed_bfloat16", 3),
        ("hidden3", "float32", 4),
        ("logits", "mixed_bfloat16", 6),
        ("probabilities", "float32", None),
    ],
    [("logits", "mixed_float16", 2), ("probabilities", "float32", None)],
    [("hidden1", "float32", 9), ("logits", "float32", 2), ("probabilities", "float32", None)],
]
got, activations, inputs = [], [], []

def told(likely):
    return (
        f"asked:    name, policy and units of the layers of mixed_model for {questions}\n"
        f"got:      {got}, activations {activations}\n"
        f"expected: {right}\n"
        f"likely:   {likely}\n"
        f"reread:   section 6, Policies: the same in one line"
    )

for features, hidden, classes, policy, keep in questions:
    answer = mixed_model(features, list(hidden), classes, policy, list(keep))
    assert type(answer) is str and answer.startswith("{"), told("return model.to_json(), not the model")
    layers = [layer["config"] for layer in json.loads(answer)["config"]["layers"]]
    inputs.append(layers[0].get("batch_shape"))
    activations.append([config.get("activation") for config in layers[1:]])
    got.append(
        [
            (
                config["name"],
                config["dtype"] if type(config["dtype"]) is str else config["dtype"]["config"]["name"],
                config.get("units"),
            )
            for config in layers[1:]
        ]
    )

assert got[0][1][1:2] != ("mixed_float16",), told("logits can be in keep too")
assert all(shown[-1] == "softmax" and shown[-2] == "linear" for shown in activations), told(
    "logits has no activation; the softmax is a layer of its own behind it, in float32"
)
assert all(name == "relu" for shown in activations for name in shown[:-2]), told(
    "hidden layers have activation relu"
)
assert inputs == [[None, features] for features, *_ in questions], told(
    "the input has as many values as features says"
)
assert got == right, told("the layers follow the lists hidden and keep, of whatever length")

# %% [markdown] exercise="scaling"
# ### Exercise 3 · A step with loss scaling
#
# Write `scaled_step(weights, gradients, state, learning_rate, clip_norm, growth_steps)`: one step of gradient descent with a
# dynamic loss scale. `weights` and `gradients` are lists of floats of the same length. The gradients come from a scaled
# loss, so each is `state["scale"]` times too large, and some may be `inf`, `-inf` or `nan`. `state["good"]` counts the
# good steps since the scale last changed.
#
# 1. If **any** gradient is not finite: the weights stay, the scale is halved, the count is 0.
# 2. Otherwise: divide the gradients by the scale. If their norm (the square root of the sum of squares, over all) is larger
#    than `clip_norm`, multiply each by `clip_norm / norm`. Then subtract `learning_rate` times the gradient from each weight.
#    Count one good step. **When the count reaches `growth_steps`**, double the scale (for the next step) and set the count
#    to 0.
#
# Return `(new_weights, new_state)`.
#
# Example: `scaled_step([1.0, 2.0], [1024.0, -512.0], {"scale": 1024.0, "good": 0}, 0.1, 10.0, 2)` gives
# `([0.9, 2.05], {"scale": 1024.0, "good": 1})`. Results may differ from this in the last digits.

# %% solution="scaling"
def scaled_step(weights, gradients, state, learning_rate, clip_norm, growth_steps):
    """One step of gradient descent with a dynamic loss scale.

    Args:
        weights: list of float.
        gradients: list of float, of the scaled loss; may hold inf and nan.
        state: dict with "scale" (float) and "good" (int, good steps since the scale changed).
        learning_rate: float.
        clip_norm: float, the largest norm that the unscaled gradients may have together.
        growth_steps: int, after so many good steps in a row the scale doubles.
    Returns:
        (list of float, dict): the new weights, and the new state with the same keys.
    """
    ### BEGIN SOLUTION
    import math
    if not all(math.isfinite(gradient) for gradient in gradients):
        return list(weights), {"scale": state["scale"] / 2, "good": 0}
    true = [gradient / state["scale"] for gradient in gradients]
    norm = math.sqrt(sum(gradient**2 for gradient in true))
    factor = clip_norm / norm if norm > clip_norm else 1.0
    new = [weight - learning_rate * factor * gradient for weight, gradient in zip(weights, true)]
    if state["good"] + 1 == growth_steps:
        return new, {"scale": state["scale"] * 2, "good": 0}
    return new, {"scale": state["scale"], "good": state["good"] + 1}
    ### END SOLUTION

# %% try="scaling"
try:
    print(scaled_step([1.0, 2.0], [1024.0, -512.0], {"scale": 1024.0, "good": 0}, 0.1, 10.0, 2))
    print(scaled_step([1.0, 2.0], [float("inf"), -512.0], {"scale": 1024.0, "good": 1}, 0.1, 10.0, 2))
except NotImplementedError as error:
    print(error)

# %% check="scaling-update" points=1
import numpy as np

weights, gradients, state = [1.0, 2.0], [2048.0, -4096.0], {"scale": 1024.0, "good": 3}
answer = scaled_step(list(weights), list(gradients), dict(state), 0.1, 1e9, 10)
got = answer

def told(likely):
    return (f"asked:    scaled_step({weights}, {gradients}, {state}, 0.1, 1e9, 10)\n"
            f"got:      {got}\n"
            f"expected: ([0.8, 2.4], {{'scale': 1024.0, 'good': 4}})\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Gradients that vanish")

assert type(answer) in (tuple, list) and len(answer) == 2, told(
    "return two things: the weights and the state")
new, after = answer
assert type(after) is dict and set(after) == {"scale", "good"}, told(
    "the state is a dict with scale and good")
assert type(new) in (list, tuple, np.ndarray) and len(new) == 2, told(
    "the weights are a list, as long as before")
assert not np.allclose(new, weights), told("a step with finite gradients must change the weights")
assert not np.allclose(new, [1.2, 1.6], atol=1e-4), told(
    "gradient descent goes against the gradient: subtract")
assert np.max(np.abs(new)) < 50, told(
    "the gradients are still scaled: divide them by the scale before the update")
assert np.allclose(new, [0.8, 2.4], atol=1e-4), told("weight - learning_rate * gradient / scale")
assert after["scale"] == 1024, told("the scale doubles only when the count reaches growth_steps")
assert after == {"scale": 1024.0, "good": 4}, told("a good step adds 1 to the count")

# %% check="scaling-skip" points=1
weights, gradients, state = [1.0, 2.0, 3.0], [5.0, float("-inf"), 7.0], {"scale": 64.0, "good": 3}
got = scaled_step(list(weights), list(gradients), dict(state), 0.1, 100.0, 10)

def told(likely):
    return (
        f"asked:    scaled_step({weights}, {gradients}, {state}, 0.1, 100.0, 10): one gradient is infinite\n"
        f"got:      {got}\n"
        f"expected: ([1.0, 2.0, 3.0], {{'scale': 32.0, 'good': 0}})\n"
        f"likely:   {likely}\n"
        f"reread:   section 7, Gradients that vanish: skip the step, halve the scale"
    )

assert type(got) in (tuple, list) and len(got) == 2, told("return two things: the weights and the state")
new, after = got
assert type(new) in (list, tuple) and len(new) == 3, told("the weights are a list, as long as before")
assert type(after) is dict, told("the state is a dict with scale and good")
new = list(new)
assert all(abs(value) < float("inf") for value in new), told(
    "the infinite gradient was used for the update"
)
assert new == weights, told("the whole step is skipped, also for weights whose own gradient is finite")
assert after.get("scale") != 128, told("infinite means that the scale is too large: halve it")
assert after.get("scale") == 32, told("after a skipped step the scale is half as large")
assert after == {"scale": 32.0, "good": 0}, told("good steps are counted anew after a skipped one")

# %% check="scaling-grow" points=1
state, got = {"scale": 8.0, "good": 0}, []
for step in range(5):
    weights, state = scaled_step([1.0], [4.0], dict(state), 0.1, 100.0, 2)
    got.append((state["scale"], state["good"]))
right = [(8.0, 1), (16.0, 0), (16.0, 1), (32.0, 0), (32.0, 1)]

def told(likely):
    return (
        f"asked:    five good steps with growth_steps=2, from scale 8 and count 0: (scale, good) after each\n"
        f"got:      {got}\n"
        f"expected: {right}\n"
        f"likely:   {likely}\n"
        f"reread:   section 8, LossScaleOptimizer"
    )

assert got[0] != (16.0, 0) and got[0] != (16.0, 1), told(
    "the scale grows at once: it must wait for growth_steps good steps"
)
assert got[1][0] != 8, told("when the count reaches growth_steps the scale doubles, not one step later")
assert [good for _, good in got] != [1, 2, 3, 4, 5] and got[1][1] == 0, told(
    "after doubling, the count starts from 0 again"
)
assert got == right, told("double the scale after every two good steps")

# %% hidden="scaling-clip" points=2
# Asks you and Keras the same, and compares.
import keras
import numpy as np
import tensorflow as tf

questions = [
    ([1.0, 2.0], [300.0, 400.0], 100.0, 1.0),
    ([1.0, -1.0, 0.5], [60.0, -30.0, 20.0], 4.0, 2.0),
    ([0.0, 0.0], [3.0, 4.0], 2.0, 5.0),
]
got, right = [], []
for weights, gradients, scale, clip in questions:
    got.append(
        np.round(
            scaled_step(list(weights), list(gradients), {"scale": scale, "good": 0}, 0.5, clip, 9)[0], 4
        ).tolist()
    )
    variable = tf.Variable(weights)
    optimizer = keras.optimizers.LossScaleOptimizer(
        keras.optimizers.SGD(0.5, global_clipnorm=clip), initial_scale=scale
    )
    optimizer.apply([tf.constant(gradients)], [variable])
    right.append(np.round(variable.numpy().astype("float64"), 4).tolist())

def told(likely):
    return (
        f"asked:    new weights for (weights, gradients, scale, clip_norm) in {questions}, rate 0.5\n"
        f"got:      {got}\n"
        f"expected: {right} (what Keras's LossScaleOptimizer just did)\n"
        f"likely:   {likely}\n"
        f"reread:   the text of exercise 3: divide by the scale, then clip"
    )

near = lambda these, those: len(these) == len(those) and np.allclose(these, those, atol=1e-3)
assert not near(got[0], [1 - 0.5 * 0.6 / 100, 2 - 0.5 * 0.8 / 100]), told(
    "clipped first and unscaled then: the scaled gradients are much too large, so the clip must come after"
)
assert not near(got[0], [1 - 1.5, 2 - 2]), told("the gradients are not clipped")
assert not near(got[0], [0.5, 1.5]), told(
    "each gradient was clipped by itself; the norm is taken over all together"
)
assert near(got[2], right[2]), told("gradients whose norm is not larger than clip_norm stay as they are")
assert all(near(mine, keras_says) for mine, keras_says in zip(got, right)), told(
    "multiply each by clip_norm / norm"
)

# %% hidden="scaling-nan" points=1
got = scaled_step([1.0, 2.0], [float("nan"), 1.0], {"scale": 16.0, "good": 1}, 0.1, 100.0, 2)

def told(likely):
    return (f"asked:    scaled_step([1.0, 2.0], [nan, 1.0], {{'scale': 16.0, 'good': 1}}, 0.1, 100.0, 2)\n"
            f"got:      {got}\n"
            f"expected: ([1.0, 2.0], {{'scale': 8.0, 'good': 0}})\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: any gradient that is not finite")

assert type(got) in (tuple, list) and len(got) == 2, told("return two things: the weights and the state")
assert list(got[0]) == [1.0, 2.0], told("nan is not finite either, and it is not equal to inf")
assert got[1] == {"scale": 8.0, "good": 0}, told("a nan halves the scale as an inf does")

# %% hidden="scaling-run" points=2
# Asks you and Keras the same for twelve steps, and compares.
import keras
import tensorflow as tf

inf, nan = float("inf"), float("nan")
steps = [[3.0, 1.0], [2.0, -8.0], [inf, 0.0], [1.0, 1.0], [nan, 2.0], [4.0, 4.0], [4.0, 0.0], [1.0, 3.0],
         [2.0, 1.0], [-inf, inf], [1.0, 2.0], [2.0, 2.0]]
variable = tf.Variable([1.0, 2.0])
optimizer = keras.optimizers.LossScaleOptimizer(
    keras.optimizers.SGD(0.25), initial_scale=32.0, dynamic_growth_steps=3
)
weights, state, got, right = [1.0, 2.0], {"scale": 32.0, "good": 0}, [], []
for gradients in steps:
    weights, state = scaled_step(list(weights), list(gradients), dict(state), 0.25, 1e9, 3)
    optimizer.apply([tf.constant(gradients)], [variable])
    got.append((float(state["scale"]), int(state["good"]), [round(float(value), 3) for value in weights]))
    right.append(
        (
            float(optimizer.dynamic_scale),
            int(optimizer.step_counter),
            [round(float(value), 3) for value in variable.numpy()],
        )
    )

def told(likely):
    return (
        f"asked:    (scale, good, weights) after each of twelve steps with {steps}, growth_steps=3\n"
        f"got:      {got}\n"
        f"expected: {right} (what Keras's LossScaleOptimizer just did)\n"
        f"likely:   {likely}\n"
        f"reread:   section 8, LossScaleOptimizer"
    )

assert [scale for scale, _, _ in got] == [scale for scale, _, _ in right], told(
    "good steps count only in a row: a skipped step sets the count to 0"
)
assert [good for _, good, _ in got] == [good for _, good, _ in right], told(
    "the count starts anew after each change"
)
assert all(
    abs(a - b) < 0.003 for (_, _, mine), (_, _, theirs) in zip(got, right) for a, b in zip(mine, theirs)
), told("unscale with the scale from before this step: the doubled one is for the next")

# %% [markdown] exercise="plan"
# ### Exercise 4 · Plan a TPU run
#
# Write `plan(examples, replicas, per_replica, base_rate, base_batch, fuse)`. A model was trained on one device with batches
# of `base_batch` and learning rate `base_rate`. Now it goes to `replicas` replicas with `per_replica` examples each in a
# step. Return a dict about one epoch over `examples` examples, without shuffling and with `drop_remainder=True`:
#
# | key | value |
# | --- | --- |
# | `"global_batch"` | examples in a step, over all replicas |
# | `"steps"` | steps in the epoch |
# | `"unused"` | examples that no step uses |
# | `"learning_rate"` | by the rule of section 12 |
# | `"last_step"` | for each replica the list of the numbers of its examples in the epoch's *last* step (examples are numbered from 0; the strategy deals them out in order) |
# | `"executions"` | how many steps each call runs, with `steps_per_execution=fuse` (section 14) |
#
# If the examples do not fill a single step, raise a `ValueError` that says so.
#
# Example: `plan(21, 2, 3, 0.1, 4, 2)` is `{"global_batch": 6, "steps": 3, "unused": 3, "learning_rate": 0.15, "last_step":
# [[12, 13, 14], [15, 16, 17]], "executions": [2, 1]}`, up to rounding of the rate.

# %% solution="plan"
def plan(examples, replicas, per_replica, base_rate, base_batch, fuse):
    """Plan one epoch on several replicas.

    Args:
        examples: int, size of the data set.
        replicas: int, how many replicas there are.
        per_replica: int, examples of one replica in one step.
        base_rate, base_batch: float and int, learning rate and batch that worked on one device.
        fuse: int, steps_per_execution.
    Returns:
        dict with global_batch, steps, unused, learning_rate, last_step and executions, as in the table above.
    Raises:
        ValueError: the examples do not fill one step.
    """
    ### BEGIN SOLUTION
    batch = replicas * per_replica
    steps = examples // batch
    if steps == 0:
        raise ValueError(f"{examples} examples do not fill one global batch of {batch}")
    first = (steps - 1) * batch
    last_step = [list(range(first + i * per_replica, first + (i + 1) * per_replica)) for i in range(replicas)]
    executions = [fuse] * (steps // fuse) + [steps % fuse] * (steps % fuse > 0)
    return {"global_batch": batch, "steps": steps, "unused": examples % batch,
            "learning_rate": base_rate * batch / base_batch, "last_step": last_step, "executions": executions}
    ### END SOLUTION

# %% try="plan"
try:
    print(plan(21, 2, 3, 0.1, 4, 2))
except NotImplementedError as error:
    print(error)

# %% check="plan-batches" points=2
import tensorflow as tf

answer = plan(1000, 4, 8, 0.1, 32, 8)
batches = [
    len(batch) for batch in tf.data.Dataset.range(1000).batch(32, drop_remainder=True).as_numpy_iterator()
]
right = {"global_batch": 32, "steps": len(batches), "unused": 1000 - sum(batches)}
got = {key: answer.get(key) for key in right} if type(answer) is dict else answer

def told(likely):
    return (
        f"asked:    global_batch, steps and unused of plan(1000, 4, 8, 0.1, 32, 8)\n"
        f"got:      {got}\n"
        f"expected: {right} (what tf.data just did)\n"
        f"likely:   {likely}\n"
        f"reread:   section 12, Replicas, batches and the learning rate"
    )

assert type(answer) is dict and {*right, "learning_rate", "last_step", "executions"} <= set(answer), told(
    "the result is not a dict with all six keys"
)
assert got["global_batch"] != 8, told("the global batch is that of all replicas together")
assert got["steps"] != 125 and got["steps"] != 250, told(
    "a step uses examples on every replica, not on one"
)
assert got["steps"] != 32, told("the last, partial batch is dropped: round down")
assert got["unused"] != 0, told("what is left over for a last, partial batch is dropped, and so unused")
assert got == right, told("divide the examples by the global batch, with a remainder")

# %% check="plan-rate" points=1
import numpy as np

answers = [plan(4096, 8, 64, 0.05, 128, 8), plan(4096, 8, 16, 0.2, 128, 8)]
got = [answer.get("learning_rate") if type(answer) is dict else answer for answer in answers]
right = [0.05 * 512 / 128, 0.2]

def told(likely):
    return (
        f"asked:    learning_rate of plan(4096, 8, 64, 0.05, 128, 8) and of plan(4096, 8, 16, 0.2, 128, 8)\n"
        f"got:      {got}\n"
        f"expected: {right}\n"
        f"likely:   {likely}\n"
        f"reread:   section 12, Replicas, batches and the learning rate"
    )

assert all(isinstance(rate, (int, float)) for rate in got), told("learning_rate is a number")
assert not np.allclose(got[0], 0.05), told("a larger global batch asks for a larger learning rate")
assert not np.allclose(got[0], 0.4), told("not times the replicas: times global batch / base_batch")
assert not np.allclose(got[0], 0.025), told("not the local batch but the global one counts")
assert np.allclose(got, right), told("base_rate times global batch / base_batch")

# %% hidden="plan-shards" points=2
import tensorflow as tf

questions = [(37, 4, 2), (30, 3, 5), (12, 1, 5), (8, 4, 2)]
got, right = [], []
for examples, replicas, each in questions:
    answer = plan(examples, replicas, each, 0.1, 8, 1)
    shown = answer.get("last_step") if type(answer) is dict else None
    got.append([list(part) for part in shown] if type(shown) in (list, tuple) else shown)
    batches = list(
        tf.data.Dataset.range(examples).batch(replicas * each, drop_remainder=True).as_numpy_iterator()
    )
    right.append(batches[-1].reshape(replicas, each).tolist())

def told(likely):
    return (
        f"asked:    last_step for (examples, replicas, per_replica) in {questions}\n"
        f"got:      {got}\n"
        f"expected: {right}\n"
        f"likely:   {likely}\n"
        f"reread:   section 12, Replicas, batches and the learning rate"
    )

assert None not in got, told("last_step is a list with a list for each replica")
assert got[1] != [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]], told(
    "this is the first step, not the last one"
)
assert got[0] != [[24, 28], [25, 29], [26, 30], [27, 31]], told(
    "a replica gets neighbours: a batch is cut into pieces, not dealt out one by one"
)
assert all(len(part) == each for (_, _, each), parts in zip(questions, got) for part in parts), told(
    "every replica gets per_replica examples in every step; the partial batch after it is dropped"
)
assert got == right, told("cut the last full global batch into equal pieces, in order")

# %% hidden="plan-executions" points=2
questions = [(20, 8), (20, 64), (20, 5), (1, 8), (7, 1)]
answers = [plan(steps * 6 + 5, 2, 3, 0.1, 6, fuse) for steps, fuse in questions]
got = [list(answer.get("executions") or []) if type(answer) is dict else [] for answer in answers]
right = [[8, 8, 4], [20], [5, 5, 5, 5], [1], [1] * 7]

def told(likely):
    return (f"asked:    executions for (steps, steps_per_execution) in {questions}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 14, Compile once, fuse steps")

assert got[0] != [8, 8, 8] and got[1] != [64], told("the last call runs only the steps that are left")
assert got[0] != [8, 8] and got[1] != [], told("the steps that are left are run too, in a shorter last call")
assert all(0 not in calls for calls in got), told("a call with no step does not happen")
assert got == right, told("full calls of steps_per_execution steps, then what is left")

# %% hidden="plan-too-small" points=1
got = []
for question in ((7, 4, 2, 0.1, 8, 1), (0, 1, 1, 0.1, 8, 1)):
    try:
        got.append(plan(*question))
    except NotImplementedError:
        raise
    except Exception as error:
        got.append(f"{type(error).__name__}: {error}")

def told(likely):
    return (f"asked:    plan(7, 4, 2, 0.1, 8, 1) and plan(0, 1, 1, 0.1, 8, 1): no step can be filled\n"
            f"got:      {got}\n"
            f"expected: a ValueError each time\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4")

assert all(type(answer) is str for answer in got), told(
    "with drop_remainder there would be no step at all, and no word about it")
assert all(answer.startswith("ValueError") for answer in got), told(
    "raise ValueError yourself, before anything else fails")

# %% [markdown] exercise="records"
# ### Exercise 5 · Pack images into shards
#
# Write `to_records(images, labels, shards)`. It packs a data set into `shards` TFRecord files and returns their contents, a
# list of `bytes`, one for each file, as `pathlib.Path(file).read_bytes()` gives it. Image `i` belongs into file `i % shards`;
# within a file the order stays. Each record is a `tf.train.Example` with two features:
#
# * `"image"`: one bytes value, the image as PNG (`tf.io.encode_png`);
# * `"label"`: one int64 value.
#
# Write the files with `tf.io.TFRecordWriter`, in a folder of `tempfile.TemporaryDirectory()`, so that nothing is left behind.
# A writer has written everything only when it is closed.
#
# Example: for 5 images and 2 shards the first file holds the images 0, 2 and 4, the second 1 and 3. There may be fewer images
# than shards; a file without records is empty, `b""`.

# %% solution="records"
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
            with tf.io.TFRecordWriter(str(file)) as writer:
                for image, label in list(zip(images, labels))[shard::shards]:
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
    """The examples of a TFRecord file: each record is a length, a check sum, the data, another check sum."""
    while data:
        length = int.from_bytes(data[:8], "little")
        yield tf.train.Example.FromString(data[12:12 + length])
        data = data[16 + length:]

try:
    for content in to_records(np.zeros([5, 4, 4, 3], np.uint8), [10, 11, 12, 13, 14], 2):
        features = [example.features.feature for example in records_in(content)]
        print(len(content), "bytes, labels", [list(each["label"].int64_list.value) for each in features])
except NotImplementedError as error:
    print(error)

# %% check="records-labels" points=2
import numpy as np
import tensorflow as tf

answer, got = to_records(np.full([5, 4, 4, 3], 7, np.uint8), [10, 11, 12, 13, 14], 2), "not a list of bytes"

def told(likely):
    return (f"asked:    the labels in the files of to_records(5 images, [10, 11, 12, 13, 14], 2)\n"
            f"got:      {got}\n"
            f"expected: [[10, 12, 14], [11, 13]]\n"
            f"likely:   {likely}\n"
            f"reread:   section 13, Data that keeps up: TFRecord")

assert type(answer) in (list, tuple) and all(type(data) is bytes for data in answer), told(
    "return a list of the files' bytes")
files = []
for data in answer:
    files.append([])
    while data:
        length = int.from_bytes(data[:8], "little")
        assert len(data) >= 16 + length, told(
            "this is no TFRecord file: write with tf.io.TFRecordWriter, and close it first")
        try:
            features = tf.train.Example.FromString(data[12:12 + length]).features.feature
        except Exception:
            assert False, told("a record is not a tf.train.Example: write example.SerializeToString()")
        files[-1].append(list(features["label"].int64_list.value))
        data = data[16 + length:]
got = files
assert any(files), told(
    "the files are empty: a writer has written only when it is closed, so read after the with block")
assert all(len(label) == 1 for file in files for label in file), told(
    "label is a feature with one int64 value")
got = [[label[0] for label in file] for file in files]
assert got != [[10, 11, 12], [13, 14]], told(
    "image i belongs into file i % shards; here the files are blocks")
assert len(got) == 2, told("there are as many files as shards says")
assert got == [[10, 12, 14], [11, 13]], told("every image goes into one file, in order")

# %% check="records-images" points=2
import numpy as np
import tensorflow as tf

images = np.random.default_rng(1).integers(0, 256, [3, 5, 4, 3], np.uint8)
answer, got = to_records(images, [1, 2, 3], 1), "no records"

def told(likely):
    return (
        f"asked:    the images in the file of to_records(3 random images of 5×4, [1, 2, 3], 1)\n"
        f"got:      {got}\n"
        f"expected: three PNG images with exactly the given values\n"
        f"likely:   {likely}\n"
        f"reread:   section 13, Data that keeps up: TFRecord"
    )

assert type(answer) in (list, tuple) and all(type(data) is bytes for data in answer), told(
    "return a list of the files' bytes"
)
data, found = answer[0] if answer else b"", []
while data:
    length = int.from_bytes(data[:8], "little")
    try:
        example = tf.train.Example.FromString(data[12 : 12 + length])
    except Exception:
        assert False, told("a record is not a tf.train.Example: write example.SerializeToString()")
    found.append(list(example.features.feature["image"].bytes_list.value))
    data = data[16 + length :]
got = f"{len(found)} records, with {[len(values) for values in found]} values of bytes"
assert found, told(
    "the file is empty: a writer has written only when it is closed, so read after the with block"
)
assert len(found) == 3 and all(len(values) == 1 for values in found), told(
    '"image" is a feature with one value of bytes'
)
kinds = {values[0][:4] for values in found}
got = f"values that begin with {sorted(kinds)}"
assert not any(kind.startswith(b"\xff\xd8") for kind in kinds), told(
    "JPEG changes the values: use tf.io.encode_png"
)
assert kinds == {b"\x89PNG"}, told(
    "the bytes are not a PNG: encode the image, tf.io.encode_png(image).numpy()"
)
decoded = [tf.io.decode_png(values[0]).numpy() for values in found]
firsts = [image.ravel()[:3].tolist() for image in decoded]
got = f"images of the shapes {[image.shape for image in decoded]}, first values {firsts}"
assert all(image.shape == (5, 4, 3) for image in decoded), told(
    "each record holds one image, height × width × 3"
)
assert all(np.array_equal(a, b) for a, b in zip(decoded, images)), told(
    "the values or the order of the images changed"
)

# %% hidden="records-shards" points=2
import numpy as np
import tensorflow as tf

got, right = [], []
for n, shards in ((7, 3), (2, 4), (4, 1)):
    images = np.stack([np.full([2, 3, 3], 20 * i + shards, np.uint8) for i in range(n)])
    answer, files = to_records(images, [100 + i for i in range(n)], shards), []
    for data in answer:
        files.append([])
        while data:
            length = int.from_bytes(data[:8], "little")
            features = tf.train.Example.FromString(data[12 : 12 + length]).features.feature
            label, png = list(features["label"].int64_list.value), list(features["image"].bytes_list.value)
            files[-1].append(
                (
                    label[0] if label else None,
                    int(tf.io.decode_png(png[0]).numpy()[0, 0, 0]) if png else None,
                )
            )
            data = data[16 + length :]
    got.append(files)
    right.append([[(100 + i, 20 * i + shards) for i in range(shard, n, shards)] for shard in range(shards)])

def told(likely):
    return (
        f"asked:    (label, first value of the image) in the files for 7 images in 3 files, 2 in 4, 4 in 1\n"
        f"got:      {got}\n"
        f"expected: {right}\n"
        f"likely:   {likely}\n"
        f"reread:   the text of exercise 5"
    )

assert [len(files) for files in got] == [3, 4, 1], told(
    "there are as many files as shards says, even if some are empty"
)
assert [len(file) for files in got for file in files] == [len(file) for files in right for file in files], (
    told("image i belongs into file i % shards")
)
assert got == right, told("a label must stay with its image")

# %% hidden="records-format" points=1
import struct

import numpy as np
import tensorflow as tf

answer = to_records(np.zeros([2, 2, 2, 3], np.uint8), [3, 4], 1)
data, got = answer[0] if answer else b"", "no record"

def told(likely):
    return (f"asked:    the check sums and features of the records of to_records(2 images, [3, 4], 1)\n"
            f"got:      {got}\n"
            f"expected: check sums that fit, and the features image and label\n"
            f"likely:   {likely}\n"
            f"reread:   section 13, Data that keeps up: TFRecord")

def check_sum(part):
    """The masked CRC-32C that TFRecord files use, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in part:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF

names, sums = [], []
while len(data) >= 16:
    [length] = struct.unpack("<Q", data[:8])
    body = data[12:12 + length]
    names.append(sorted(tf.train.Example.FromString(body).features.feature))
    sums.append(struct.unpack("<I", data[8:12])[0] == check_sum(data[:8])
                and data[12 + length:16 + length] == struct.pack("<I", check_sum(body)))
    data = data[16 + length:]
got = f"features {names}, check sums fit: {sums}"
assert len(names) == 2, told("a record for each image")
assert all(sums), told("the records were put together by hand: let tf.io.TFRecordWriter write them")
assert names == [["image", "label"]] * 2, told("the features are called image and label; there are no others")

# %% [markdown] exercise="sixteen"
# ### Exercise 6 · In your own words
#
# A colleague wants to halve the memory and the time of a training run on a CPU server. She sets every layer to `float16`,
# multiplies nothing, and says: "Sixteen bits are half of thirty-two." Explain in four to eight sentences what will
# happen to the memory, to the time and to the learning, and what you would set instead on this server, on a GPU and on a TPU.

# %% [markdown] written="sixteen" points=3
# ### BEGIN SOLUTION
# Activations halve, time does not, and small gradients and updates get lost.
# ### END SOLUTION

# %% [markdown] model="sixteen"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# Everything is stored in 16 bits, so the memory does halve, variables included. But the time does not: this CPU has no
# units for float16, so each number is widened to float32 and rounded back, and convolutions get slower. The learning
# suffers in three ways: updates smaller than half the distance between neighbouring values are lost, so weights stop moving;
# gradients below about 3e-8 become 0; and values beyond 65 504, as `exp` makes them in a softmax, become infinite. On the
# CPU server I would stay with float32 (or take `mixed_bfloat16` for its smaller activations; it brings time only where the
# CPU has units for it). On a GPU I would use
# `mixed_float16` with loss scaling, or `mixed_bfloat16` on a newer one, with the softmax in float32; on a TPU `mixed_bfloat16`,
# which needs no scaling because its range is that of float32. With a mixed policy only the activations halve.
#
# One point each: time on a CPU and why; two ways in which learning suffers; the right policies.
# </details>
