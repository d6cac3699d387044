# %% [markdown]
# # Lesson 01 · Device placement logging
#
# After this lesson you can
#
# 1. read a placement log, line by line, and get the same facts as data;
# 2. predict where TensorFlow runs an op, and pin it elsewhere;
# 3. find out why an op is not on the device that you meant, and repair it.
#
# **Time:** about 100 minutes, of which 45 are exercises. Two sittings are better: after section 7 is a place to stop.
#
# **Hardware:** CPU only. Four logical CPU devices stand in for several GPUs. Cells marked *GPU extra* use a GPU if there
# is one; they are never graded.
#
# Seven grey cells come first. They are folded, because you need not read them. Run all seven.

# %% include="quiet_start.py" devices=4

# %% include="checks.py"

# %% include="native_output.py"

# %% include="placement_record.py"

# %% include="placement_picture.py"

# %% include="timeline.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![Three panels from left to right. What you ask for: a graph in which op left asks for CPU:1, op right asks for GPU:9 and op total asks for nothing. What decides: the placer, which looks at the devices, the kernels, and which ops must stay together. What runs: left on CPU:1, right and total on CPU:0, and a dashed arrow for the value of left that moves from CPU:1 to CPU:0.](assets/01_pin_and_place.svg)
#
# You **pin** an op when you write a device for it. That is a request. The part of TensorFlow that **places**
# ops is called the *placer*. It reads all requests and decides. The **placement log** tells you what it
# decided.
#
# ## 1 Every device has a name
#
# TensorFlow sees your processor as one device. The first cell above asked for four *logical* devices instead.
# They share the same cores, but TensorFlow places ops on them, and moves values between them, just as it does
# with several GPUs.

# %%
print([device.name for device in tf.config.list_logical_devices()])
name = tf.DeviceSpec.from_string("/job:worker/replica:0/task:2/device:GPU:1")
print("job:", name.job, "| replica:", name.replica, "| task:", name.task)
print("type:", name.device_type, "| index:", name.device_index)
for spelling in ("/cpu:0", "CPU:0", "/device:CPU:0"):
    print(f"{spelling:14} means {tf.DeviceSpec.from_string(spelling).to_string()}")

# %% [markdown]
# | part | says | on your machine |
# | --- | --- | --- |
# | `/job:localhost` | which group of processes (lesson 06 has a `ps` job and a `worker` job) | `localhost`: just this process |
# | `/replica:0` | a copy of the whole job; always 0 today | `0` |
# | `/task:0` | which process of the job | `0` |
# | `/device:CPU:1` | which device of that process: type and index, counted from 0 | `CPU:0` … `CPU:3` |
#
# A name may leave parts out. `/device:CPU:1` asks for "CPU 1, whatever the job and task". Old texts write
# `/cpu:1` or `/gpu:0`; that still works.
#
# ## 2 The placement log, line by line
#
# We begin with the classic form of TensorFlow 1, since it shows every step. Its words:
#
# | word | means |
# | --- | --- |
# | graph | ops, and who reads what, written down but not run. As data it is a `GraphDef`: `as_graph_def` writes one, `import_graph_def` reads one |
# | `c`, `c:0` | an op, and its first output, a tensor |
# | session | runs a graph: `session.run(fetch, feed)` |
# | fetch, feed | what you want to have; the values that you give, one for each *placeholder* |
# | `get_variable` | makes a variable in a graph |
# | kernel | an op's code for one type of device |
# | `tf.function` | today's way to a graph: TensorFlow makes it from your Python function |
#
# This graph multiplies two matrices. Nothing in it names a device.

# %%
v1 = tf.compat.v1
graph = tf.Graph()
with graph.as_default():
    a = tf.constant([[1., 2], [3, 4]], name="a")
    b = tf.constant([[3., 4], [1, 2]], name="b")
    c = tf.matmul(a, b, name="c")

# %% predict="first-log"
# Predict before you run the next cell: how many lines will place an op, and which device will they name?
lines, device = ..., "..."

# %%
config = v1.ConfigProto(log_device_placement=True, device_count={"CPU": 4, "GPU": 0})
with native_output() as log, v1.Session(graph=graph, config=config) as session:
    product = session.run(c)
print(log.text)
print(product)

# %% [markdown]
# `Device mapping` lists the session's GPUs: none. Then come three *placement lines*, one for each op, constants too.
# `c` is first because the placer decides ops without inputs last; it is not the order of running. A line reads
# **name: (type): device**:
#
# `c` is the name that you chose with `name="c"`, `MatMul` is what the op does, and the device is where the placer put it.
#
# `native_output` keeps the log in its cell. `device_count` gives the session four CPUs and hides GPUs, so that
# everybody reads the same log.
#
# Now a 2×3 matrix times a 3×2 matrix, and the matmul alone is pinned to CPU:1.

# %% predict="follow"
# Predict: c is pinned to CPU:1. Where do a and b go, which nobody pinned?
a_goes_to, b_goes_to = "...", "..."

# %%
def pinned_product(device):
    with tf.Graph().as_default() as graph:
        a = tf.constant([1., 2, 3, 4, 5, 6], shape=[2, 3], name="a")
        b = tf.constant([1., 2, 3, 4, 5, 6], shape=[3, 2], name="b")
        with tf.device(device):
            tf.matmul(a, b, name="c")
    return graph

graph = pinned_product("/device:CPU:1")
with native_output() as log, v1.Session(graph=graph, config=config) as session:
    product = session.run("c:0")
print(log.text)
print(product)

# %% [markdown]
# The constants went along to CPU:1: if all readers of an op without inputs are on **one** device, the placer puts it
# there too, so that nothing has to move. (If a constant of up to 16 numbers has readers on *several* devices, each gets
# a copy, such as `a/replicate/_0`. Then nothing moves either, and a pin of the constant is ignored.)
#
# Compare the request with the placement. A graph keeps the request as `op.device`:

# %%
for op in graph.get_operations():
    print(f"{op.name}: asks for {op.device!r}")

# %% [markdown]
# `a` and `b` ask for nothing, and yet the log has a device for each. **A pin is a request; a placement is what
# happens.**
#
# ## 3 The same facts as data
#
# For a program, ask the session for the run's *metadata*: it holds the graph that each device really got, called a
# **partition**.

# %%
options = v1.RunOptions(output_partition_graphs=True)
metadata = v1.RunMetadata()
four_cpus = v1.ConfigProto(device_count={"CPU": 4, "GPU": 0})
with v1.Session(graph=graph, config=four_cpus) as session:
    session.run("c:0", options=options, run_metadata=metadata)
for partition in metadata.partition_graphs:
    for node in partition.node:
        print(f"{node.op:8} {node.name:15} {node.device[-5:]}  reads {list(node.input)}")

# %% [markdown]
# Two surprises:
#
# * **The MatMul is gone.** Both its inputs are constants, so TensorFlow worked the product out before the run
#   and kept one `Const`. This is *constant folding*. The placement log came earlier and still shows all three
#   ops.
# * **There are ops that you did not write.** `_Send` on CPU:1 and `_Recv` on CPU:0 carry the value from device
#   to device, since fetched values come back through CPU:0. `_Retval` hands it to Python.
#
# From here on we use `run_and_trace` of the cell "Placement record" above. It does what you just did, with
# folding turned off so that graphs run as they are written. `draw_placement` draws the result.

# %% grading="skip"
product, metadata = run_and_trace(pinned_product("/device:CPU:1"), "c:0")
draw_placement(metadata, "A product that was pinned to CPU:1")

# %% [markdown]
# Each lane is a device. A thin arrow is a value that stays. A **thick dashed arrow is a transfer**. Transfers cost
# time: over PCIe to a GPU, over the network to another machine. You will count them.
#
# ## 4 Several devices, one result
#
# A matmul on each of two devices, and the sum on the CPU:

# %%
def two_device_sum(devices, sum_device="/device:CPU:0"):
    with tf.Graph().as_default() as graph:
        products = []
        for device in devices:
            with tf.device(device):
                a = tf.constant([1., 2, 3, 4, 5, 6], shape=[2, 3], name="a")
                b = tf.constant([1., 2, 3, 4, 5, 6], shape=[3, 2], name="b")
                products.append(tf.matmul(a, b, name="product"))
        with tf.device(sum_device):
            tf.add_n(products, name="total")
    return graph

# %% predict="two-devices"
# Predict: how many ops, on which devices, how many transfers? (A taken name gets a suffix: a, a_1, ...)
ops, transfers_between_devices = ..., ...

# %% grading="skip"
graph = two_device_sum(["/device:CPU:1", "/device:CPU:2"])
total, metadata = run_and_trace(graph, "total:0")
print(total)
draw_placement(metadata, "A matmul on each of two devices, the sum on CPU:0")

# %% [markdown]
# Seven ops, two transfers: each product travels once, to the device that adds.
#
# *GPU extra.* The same graph on your GPUs, if you have any:

# %% grading="skip"
cards = [f"/device:{card.name.split('device:')[-1]}" for card in tf.config.list_logical_devices("GPU")]
if cards:
    with v1.Session(graph=two_device_sum(cards[:2])) as session:
        print(cards[:2], session.run("total:0"))
else:
    print("No GPU here, so there is nothing to run. Nothing that is graded needs one.")

# %% [markdown]
# ## 5 Variables live on devices
#
# Three layers, each with its variable on another device, as in a network that is too large for one GPU:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    x = h = v1.placeholder(tf.float32, [1, 2], name="x")
    for i in (1, 2, 3):
        with tf.device(f"/device:CPU:{i}"):
            w = v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
            h = tf.matmul(h, w, name=f"layer{i}")
output, metadata = run_and_trace(graph, h, {x: [[1., 1.]]})
print(output)
draw_placement(metadata, "Three layers on three devices")

# %% [markdown]
# Each variable is a `VarHandleOp`, and each use first reads it (`ReadVariableOp`), on the variable's device.
# Only activations travel: weights stay where they are.
#
# May a variable be pinned to one device and used by ops on another? Here two ops on CPU:2 use a variable on
# CPU:1.

# %% predict="one-or-two"
# Predict: is that allowed? If it is, how often does the variable's value travel to CPU:2: once or twice?
allowed, times = ..., ...

# %% grading="skip"
with tf.Graph().as_default() as graph:
    with tf.device("/device:CPU:1"):
        weights = v1.get_variable("weights", initializer=[[1., 2.], [0., 1.]])
        value = tf.identity(weights, name="value")
    with tf.device("/device:CPU:2"):
        square = tf.matmul(value, value, name="square")
        tf.add(square, value, name="output")
output, metadata = run_and_trace(graph, "output:0")
draw_placement(metadata, "A variable on CPU:1, used on CPU:2")

# %% [markdown]
# It is allowed: TensorFlow adds the transfer by itself. A **tensor** travels **once for each device that reads it**,
# however many ops there do. Here the tensor is `value`. A variable is not a tensor: each use of it makes a new read.
# **Change it:** write `value = weights` in place of the line with `tf.identity`. Predict the transfers. Then run.
#
# <details><summary>What you see then</summary>
#
# Three transfers of the weights: `square` reads the variable twice, `output` once, and each read is a tensor of its own.
# So read a variable once if several ops elsewhere need it.
# </details>
#
# ## 6 Who decides when you say nothing
#
# Without a pin, an op goes to the first GPU, if there is one *and* the op has a GPU kernel. Otherwise it goes to the
# first CPU. (Ops without inputs follow their readers, as you saw.)

# %% predict="all-on-gpu"
# Predict: on a machine with a GPU and without any pin, which of these run on the GPU? Put True or False.
on_gpu = {"MatMul float32": ..., "MatMul int32": ..., "Relu float32": ...,
          "StringJoin": ..., "DecodeJpeg": ...}

# %%
from tensorflow.python.framework import kernels

def device_types(op, dtype=None):
    """Types of device that this TensorFlow has a kernel of `op` for, taking `dtype`."""
    fits = lambda kernel: dtype is None or any(
        c.name == "T" and dtype.as_datatype_enum in c.allowed_values.list.type for c in kernel.constraint)
    registered = kernels.get_registered_kernels_for_op(op).kernel
    return sorted({kernel.device_type for kernel in registered if fits(kernel)} & {"CPU", "GPU"})

# %%
for op, dtype in [("MatMul", tf.float32), ("MatMul", tf.int32), ("Relu", tf.float32), ("StringJoin", None),
                  ("DecodeJpeg", None), ("NcclAllReduce", None)]:
    print(f"{op:14}{dtype.name if dtype else '':10}{device_types(op, dtype)}")

# %% [markdown]
# So by default *not* everything is on the first GPU, only ops with a GPU kernel for their data type. A matmul of
# floats has one. A matmul of integers, a string op and a JPEG decoder have none. Further GPUs stay idle until you pin
# something to them.
#
# TensorFlow for Linux holds its GPU kernels even on a machine without a GPU. For macOS and Windows it is built without
# them: there, no line names a GPU.
#
# What happens to an op without any kernel here? `NcclAllReduce` exists for GPUs alone:

# %%
with tf.Graph().as_default() as graph:
    tf.raw_ops.NcclAllReduce(input=[1., 2.], reduction="sum", num_devices=1, shared_name="all",
                             name="all_reduce")
try:
    run_and_trace(graph, "all_reduce:0")
except tf.errors.InvalidArgumentError as error:
    print("\n".join(error.message.strip().splitlines()[-6:]))

# %% [markdown]
# **Registered kernels** says where the op could run, **Registered devices** what this session has. The two lists share
# nothing.
#
# ## 7 Asking for a device that is not there
#
# Pin an op to a GPU that the session does not have. **Soft placement** decides what becomes of the request.

# %% predict="soft"
# Predict: which of the two settings is an error in a session? Which one is a session's default?
error_when_soft_is, default = ..., ...

# %%
import textwrap

def ask_for_missing(soft):
    with tf.Graph().as_default() as graph, tf.device("/gpu:0"):
        x = tf.add(1., 2., name="x")
    try:
        value, metadata = run_and_trace(graph, x, soft=soft)
        print(f"soft={soft}: x is {value}, placed on {placement_of(metadata)['x']}")
    except tf.errors.InvalidArgumentError as error:
        print(textwrap.fill(f"soft={soft}: {error.message.splitlines()[-2]}", 100))

ask_for_missing(soft=False)
ask_for_missing(soft=True)

# %% [markdown]
# Read the error in three parts: *which op* (`operation x`), *what it asked for* (`/device:GPU:0`), *what there
# is* (the list). A v1 session is **hard** by default. Today's eager mode is **soft** by default:

# %%
missing = f"/gpu:{len(tf.config.list_logical_devices('GPU'))}"     # one more than your machine has
one = tf.constant(1.)

def add_there():
    with tf.device(missing):
        return tf.add(one, 2.)

for soft in (True, False):
    tf.config.set_soft_device_placement(soft)
    for form, call in [("eager op   ", add_there), ("tf.function", tf.function(add_there))]:
        try:
            print(f"soft={soft!s:5} {form}: result lies on {call().device[-5:]}")
        except tf.errors.InvalidArgumentError as error:
            print(f"soft={soft!s:5} {form}: {error.message[:92]} ...")
tf.config.set_soft_device_placement(True)

# %% [markdown]
# | | default | missing device, hard |
# | --- | --- | --- |
# | v1 session | hard | the run fails, before any op ran |
# | eager op | soft | that op fails |
# | `tf.function` | soft | the call fails |
#
# Soft placement moves **only** the ops whose request is impossible. The others stay where you pinned them. It
# also hides typing errors. So switch it off while you look for a mistake. (A `tf.function` copies its *result* to CPU:0, wherever its ops ran. So those two
# lines tell you that the call worked, and no more.)
#
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## 8 Device scopes: nested, computed, together
#
# Scopes nest. Each gives the parts that it names, and the inner one wins, **part by part**.

# %% predict="nested"
# Predict the request of each of the three ops below.
p, q, r = "...", "...", "..."

# %%
with tf.Graph().as_default():
    with tf.device("/job:worker/task:1"):
        with tf.device("/device:CPU:2"):
            print("p asks for", repr(tf.constant(1., name="p").op.device))
        with tf.device("/task:3"):
            print("q asks for", repr(tf.constant(1., name="q").op.device))
        with tf.device(None):
            print("r asks for", repr(tf.constant(1., name="r").op.device))

# %% [markdown]
# `None` forgets all scopes around it. A scope can also be a **function**: it is called for each new op and
# returns the op's request. `tf.device` takes no functions any more; `tf.compat.v1.device` does, in graphs.

# %%
def keep_or_last(op):
    return op.device or "/device:CPU:3"      # keep a request that an inner scope made

def always_last(op):
    return "/device:CPU:3"                   # forget it

for function in (keep_or_last, always_last):
    with tf.Graph().as_default(), v1.device(function), tf.device("/device:CPU:1"):
        print(f"{function.__name__}: asks for {tf.constant(1.).op.device}")

# %% [markdown]
# The inner scope is asked first, the outer function last, and **its answer replaces everything**. A function
# that does not look at `op.device` overrules every scope inside it.
#
# Last, an op can ask to be *with another op*, wherever that is. This is **colocation**:

# %%
with tf.Graph().as_default() as graph:
    with tf.device("/device:CPU:2"):
        w = v1.get_variable("w", initializer=1.)
    with tf.device("/device:CPU:1"), graph.colocate_with(w.op):
        update = tf.add(w, 1., name="update")
print(repr(update.op.device), update.op.colocation_groups())

# %% [markdown]
# `colocate_with` beats the device scope around it. The placer keeps all members of the group `loc:@w` on one device.
# TensorFlow does so by itself for reads and updates of a variable.
#
# ## 9 The eager log, and what TensorFlow says at start
#
# Eager ops run at once, one by one, so their log comes one by one. The switch counts only **before the first
# op** of a process; later it does nothing. This kernel has run many ops. So we start a second Python, with all
# log messages on (level 0): one process shows both the start-up lines and the eager log.

# %% grading="skip"
script = """
import tensorflow as tf
tf.debugging.set_log_device_placement(True)          # before the first op
a = tf.constant([[1., 2], [3, 4]])
b = tf.constant([[3., 4], [1, 2]])
print((a @ b).numpy().tolist())
"""
import os, subprocess, sys
print("Starting a second Python; this takes about five seconds.", flush=True)
child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120,
                       env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"})
print(child.stdout)
messages = child.stderr.splitlines()
print("\n".join(line for line in messages if "Executing op" in line))

# %% [markdown]
# To run an op, eager mode builds a little graph around it. The first lines are such graphs' placements: `_Arg` is a value
# that comes in, `_Retval` one that goes out, `_EagerConst` the copy of a constant to its device. The last lines come
# from the stream for messages: each op that ran has one. The second constant reuses the first one's little graph, so
# `_EagerConst` is placed once and executed twice.
#
# | in the line | is |
# | --- | --- |
# | `I0000` | the level: **I**nformation, **W**arning, **E**rror, **F**atal |
# | the numbers | the time, and the number of the thread |
# | `execute.cc:1775]` | the place in TensorFlow's source that says it |
# | `Executing op MatMul in device …` | the op's *type* and its device. Eager ops have no names |
#
# For one tensor you need no log: `x.device` says where its value lies.
#
# Now the other lines, which our first cell hides:

# %% grading="skip"
start_up = [line for line in messages if "placer.cc" not in line and "Executing op" not in line]
print("\n".join(textwrap.shorten(line, 110, placeholder=" …") for line in start_up))

# %% [markdown]
# On a CPU the useful line is the one about instructions (AVX and the like): your processor could do more than this
# package was built for. Lines about CUDA only say that there is no GPU driver here. So does `E0000 … cuInit`, which
# looks like a failure. `WARNING` says where early messages go. That some lines come twice means nothing.
#
# With a GPU there are more lines:
#
# {{gpu record: start-up}}
#
# Their fields:
#
# | field | means | look at it when |
# | --- | --- | --- |
# | `name` | the card's model | two cards differ, and one is slow |
# | `pci bus id` | the slot it sits in, whatever the numbering in TensorFlow | `GPU:0` is not the card you meant (lesson 02) |
# | `compute capability` | the generation of the chip | a kernel "is not built for" your card |
# | `totalMemory`, `freeMemory` (older versions) | memory of the card; what other processes left of it | a model does not fit |
# | `Created device … with N MB memory` | what TensorFlow took: nearly all that was free | two programs share a card (lesson 03) |
# | peer access matrix: a row and a column per card, `Y` or `N` | whether two cards copy to each other directly | `N`: their transfers pass through the host's memory |
#
# ## 10 Then and now
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | `with tf.device("/gpu:0"):` | the same |
# | `ConfigProto(log_device_placement=True)` | `tf.debugging.set_log_device_placement(True)`, before the first op |
# | `ConfigProto(allow_soft_placement=True)` | `tf.config.set_soft_device_placement(True)`, already the default |
# | `ConfigProto(device_count={"CPU": 4})` | `tf.config.set_logical_device_configuration(cpu, [...] * 4)` |
# | `session.list_devices()` | `tf.config.list_logical_devices()` |
# | `op.device`: the request | the same, inside a `tf.function`'s graph |
# | the log, or `RunMetadata`: the placement | `tensor.device`, for eager tensors |
# | `tf.device(function)` | `tf.compat.v1.device(function)`, in graphs only |
# | `tf.colocate_with(op)` | `with tf.device(tensor.device):` |
#
# The same sum in today's form:

# %%
products = []
for device in ("CPU:1", "CPU:2"):
    with tf.device(device):
        a = tf.reshape(tf.range(1., 7.), [2, 3])
        products.append(tf.matmul(a, tf.reshape(a, [3, 2])))
with tf.device("CPU:0"):
    total = tf.add_n(products)
print([tensor.device[-5:] for tensor in products], "->", total.device[-5:], total.numpy().tolist())

# %% [markdown]
# ## 11 Which device worked when
#
# The metadata also holds *step statistics*: when each op began and ended. Here each of two devices squares a matrix of
# 1000×1000; the sum has to wait for both.

# %% grading="skip"
with tf.Graph().as_default() as graph:
    products = []
    for i in (1, 2):
        with tf.device(f"/device:CPU:{i}"):
            x = tf.random.uniform([1000, 1000], name=f"x{i}")
            products.append(tf.matmul(x, x, name=f"product{i}"))
    tf.add_n(products, name="total")
run_and_trace(graph, "total:0")                   # the first run also starts threads: look at the second
draw_timeline(run_and_trace(graph, "total:0")[1], "Two devices, then one")

# %% [markdown]
# Every bar is an op. Where bars of two rows lie above each other, two devices worked at once; the last line says for
# how long. (They share your cores: on a busy machine they may take turns.) **Change it:** pin both products to `CPU:1` and run the cell again.
# They may *still* overlap: one device can run two ops at once. Lesson 05 says when.
#
# ## 12 Pin, predict, run
#
# Choose a pin and a prediction for each of three ops: two products, and `total`, their sum. Then run the graph. Try a
# device that is not there, with and without soft placement. Can you make three transfers?
#
# Without a kernel, look at this picture: pins `left` → CPU:1, `right` → GPU:0, `total` → no pin, soft placement
# on.
#
# ![The widget with its answer. Pins: left CPU:1, right GPU:0, total none; soft placement is ticked. Predicted: left CPU:1, right GPU:0, total CPU:0. Placed: left on CPU:1, right on CPU:0, total on CPU:0, so the prediction for right was not so. One dashed arrow: the value of left moves from CPU:1 to CPU:0.](assets/01_widget.svg)

# %% include="placement_widget.py" grading="skip"

# %% grading="skip"
pin_and_run()

# %% [markdown]
# ## 13 Break it and diagnose it
#
# Nobody gets an error here, and yet the product is not on CPU:2. Why?

# %%
with tf.Graph().as_default() as graph:
    x = tf.constant([[2.]])
    y = tf.matmul(x, x, name="y")
    with tf.device("/device:CPU:2"):
        value, metadata = run_and_trace(graph, y)
print("y asks for", repr(y.op.device), "and was placed on", placement_of(metadata)["y"])

# %% [markdown]
# A device scope marks ops **when they are created**. `y` was created before the scope; running it inside
# changes nothing.
#
# | you see | ask | cure |
# | --- | --- | --- |
# | error: *Cannot assign a device*, *Could not satisfy device specification* or *Unable to find any devices* | which op, what it asked for, what there is? | ask for a device that exists, or allow soft placement on purpose |
# | error: *No OpKernel was registered* | which kernels exist, for which types? | another type of data, another op, or no pin |
# | no error, the wrong device, `op.device` is empty | was the op created inside the scope? | create it inside |
# | no error, the wrong device, `op.device` is right | is soft placement on? | switch it off and read the error |
# | no error, `op.device` is wrong | which outer scope is a function? | let it keep `op.device` |
# | all right, but slow | how many transfers? | keep readers near what they read |
# | *Virtual devices cannot be modified after being initialized* | did an op run first? | restart the kernel, configure first |
# | a `tf.function`'s result says CPU:0 | is it the op, or the result that was copied back? | read the log or the partitions; `.device` is the result's |
#
# ## Recap
#
# 1. A pin is a request, kept in `op.device`. A placement is what the placer made of all requests.
# 2. No pin: the first GPU for ops with a GPU kernel, the first CPU for the others. Ops without inputs follow their
#    readers, if these are on one device.
# 3. An impossible pin is an error when placement is hard; when it is soft, that one pin is dropped.
# 4. A tensor that is read on another device travels there once, through `_Send` and `_Recv`. Each use of a variable is a
#    read, and so a tensor, of its own. Very small constants are copied to each reader's device instead.
# 5. Scopes count when an op is created; the inner one wins part by part; an outer function has the last word.
#
# | question | where the answer is |
# | --- | --- |
# | What did I ask for? | `op.device` |
# | What was decided? | the placement log |
# | What ran where, and what travelled? | `RunMetadata.partition_graphs` |
# | When did each device work? | `RunMetadata.step_stats` |
# | Where is this tensor? | `tensor.device` |
#
# **Read on:** lesson 02, *Visible devices*: which physical card `GPU:0` is, and how to hide the others.
#
# ## Exercises
#
# Five short programs and one question in words. Each function takes and returns plain values: text, numbers,
# lists, dicts or bytes. Write it, play with it in the *try* cell, then run its checks.
#
# Exercises 3 and 5 return a graph as bytes. This is how, there and back:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    tf.constant(1., name="one")
data = graph.as_graph_def().SerializeToString()
print(data[:20], "...", [node.name for node in v1.GraphDef.FromString(data).node])

# %% [markdown] exercise="log"
# ### Exercise 1 · Turn a placement log into a table
#
# Write `read_placement_log(text)`. It returns a list with one row `[name, type, device]` for each placement in
# the log, in the log's order. You met three kinds of placement lines:
#
# | line | row |
# | --- | --- |
# | `c: (MatMul): /job:localhost/replica:0/task:0/device:CPU:1` | `["c", "MatMul", "CPU:1"]` |
# | the same after the logger's prefix: `I0000 00:00:1795238476.653355    5890 placer.cc:162] c: (MatMul): /job:…` | the same |
# | `Executing op MatMul in device /job:localhost/replica:0/task:0/device:CPU:0`, with or without such a prefix | `["", "MatMul", "CPU:0"]`: eager ops have no name |
#
# Of the device keep the type and the index: `CPU:1`. Lines that place nothing (start-up messages, warnings, results,
# empty lines) give no row; `retry: (2): later`, say, names no device. Ops of the runtime, such as `_Arg`, are ops like others: they do. A name has no spaces,
# but it may have slashes, dots and dashes.

# %% solution="log"
def read_placement_log(text):
    """Turn the text of a placement log into rows.

    Args:
        text: str, any number of lines, placement lines among others.
    Returns:
        list of [name, type, device], all str, in the log's order; the name is "" where the log has none.
    """
    ### BEGIN SOLUTION
    import re
    device = r"/job:\w+/replica:\d+/task:\d+/device:(\w+:\d+)"
    row = re.compile(rf"(?:^|\] )(?:(\S+): \((\w+)\): {device}|Executing op (\w+) in device {device})$")
    rows = []
    for line in text.splitlines():
        found = row.search(line.strip())
        if found:
            name, kind, where, eager_kind, eager_where = found.groups()
            rows.append([name or "", kind or eager_kind, where or eager_where])
    return rows
    ### END SOLUTION

# %% try="log"
log_text = """c: (MatMul): /job:localhost/replica:0/task:0/device:CPU:1
a: (Const): /job:localhost/replica:0/task:0/device:CPU:0
[[ 5.  8.]
 [13. 20.]]
Executing op MatMul in device /job:localhost/replica:0/task:0/device:CPU:0"""
try:
    print(read_placement_log(log_text))
except NotImplementedError as error:
    print(error)

# %% check="log-graph" points=1
where = "/job:localhost/replica:0/task:0/device:CPU:"
text = f"d/ReadVariableOp: (ReadVariableOp): {where}0\nd: (AddV2): {where}2\na: (Const): {where}1\n"
got = read_placement_log(text)
right = [["d/ReadVariableOp", "ReadVariableOp", "CPU:0"], ["d", "AddV2", "CPU:2"], ["a", "Const", "CPU:1"]]

def told(likely):
    return (f"asked:    the rows of a graph log with three lines, whose names are d/ReadVariableOp, d and a\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, The placement log, line by line")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries; a dict would lose repeated names")
got = [list(row) for row in got]
assert [row[1] for row in got] != [row[0] for row in right], told(
    "name and type are swapped: the name stands first")
assert all("/" not in str(row[2]) for row in got), told("the device still carries its job, replica and task")
assert len(got) == 3, told("a line is missing: an op's name may contain a slash")
assert got == right, told("compare the rows one by one")

# %% check="log-prefix" points=1
where = "/job:localhost/replica:0/task:0/device:CPU:"
text = (f"I0000 00:00:1795238476.653355    5890 placer.cc:162] MatMul: (MatMul): {where}0\n"
        f"I0000 00:00:1795238476.653357    5890 placer.cc:162] product_RetVal: (_Retval): {where}3")
got = read_placement_log(text)
right = [["MatMul", "MatMul", "CPU:0"], ["product_RetVal", "_Retval", "CPU:3"]]

def told(likely):
    return (f"asked:    the rows of two lines with the logger's prefix (I0000 ... placer.cc:162])\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, The eager log, and what TensorFlow says at start")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
assert got, told("lines with a prefix are skipped: cut everything up to the bracket first")
got = [list(row) for row in got]
assert len(got) == 2, told("a type that begins with an underscore, such as _Retval, is an op too")
assert not any("placer" in str(row) or "]" in str(row[0]) for row in got), told(
    "the prefix became a part of the name")
assert got == right, told("compare the rows one by one")

# %% check="log-eager" points=1
where = "/job:localhost/replica:0/task:0/device:CPU:"
prefix = "I0000 00:00:1795238476.652172    5890 execute.cc:1775] "
text = (f"{prefix}Executing op _EagerConst in device {where}0\n"
        f"Executing op MatMul in device {where}2")
got = read_placement_log(text)
right = [["", "_EagerConst", "CPU:0"], ["", "MatMul", "CPU:2"]]

def told(likely):
    return (f"asked:    the rows of two eager lines (Executing op ... in device ...)\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, The eager log, and what TensorFlow says at start")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
assert got, told("eager lines are skipped: they look different from those of a graph")
got = [list(row) for row in got]
assert len(got) == 2, told("only one of the two eager lines was read: one has a prefix, the other has none")
assert all("/" not in str(row[2]) for row in got), told(
    "on eager lines the device still carries its job and task")
assert [row[0] for row in got] == ["", ""], told("an eager op has no name; what the line tells is its type")
assert got == right, told("compare the rows one by one")

# %% hidden="log-noise" points=2
where = "/job:localhost/replica:0/task:0/device:CPU:"
text = f"""WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
I0000 00:00:1795238474.096400    5890 cudart_stub.cc:31] Could not find cuda drivers on your machine, GPU ...
To enable the following instructions: AVX2 AVX512F FMA, in other operations, rebuild TensorFlow.

Device mapping: no known devices.
W0000 00:00:1795238475.120000    5890 retry.cc:88] retry: (2): later
I0000 00:00:1795238476.653343    5890 placer.cc:162] a: (_Arg): {where}0
a: (_Arg): {where}0
Executing op MatMul in device {where}1
tf.Tensor(
[[ 5.  8.]
 [13. 20.]], shape=(2, 2), dtype=float32)
Executing op MatMul in device {where}1
"""
got = read_placement_log(text)
right = [["a", "_Arg", "CPU:0"], ["a", "_Arg", "CPU:0"], ["", "MatMul", "CPU:1"], ["", "MatMul", "CPU:1"]]

def told(likely):
    return (f"asked:    the rows of a whole log: start-up messages, four placements, a result\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1: one row for each placement, in the log's order")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
got = [list(row) for row in got]
assert all(row[1] in ("_Arg", "MatMul") for row in got), told("a line that places nothing became a row")
assert any(row[1] == "_Arg" for row in got), told("ops of the runtime, such as _Arg, are left out")
assert len(got) == 4, told("a repeated placement is lost: each line of the log is a row of its own")
assert got == right, told("the rows are not in the log's order")

# %% hidden="log-devices" points=1
text = ("x: (Relu): /job:localhost/replica:0/task:0/device:GPU:1\n"
        "tower_1/x-2.y: (Relu): /job:localhost/replica:0/task:0/device:CPU:12\n")
got = read_placement_log(text)
right = [["x", "Relu", "GPU:1"], ["tower_1/x-2.y", "Relu", "CPU:12"]]

def told(likely):
    return (f"asked:    the rows of lines with the devices GPU:1 and CPU:12\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, Every device has a name")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
got = [list(row) for row in got]
assert [row[2] for row in got] == ["GPU:1", "CPU:12"], told(
    "the device is cut to a fixed length, or only CPUs are read: take what follows /device:")
assert got == right, told("a name may contain slashes, dots and dashes")

# %% [markdown] exercise="placer"
# ### Exercise 2 · Predict the placement
#
# Write `predict_placement(pins, devices, kernels, soft)`: what will the placer do? Devices are written `CPU:0`,
# `GPU:1`.
#
# * `pins` says what each op asks for: `{"a": "GPU:0", "b": ""}`; `""` is no pin.
# * `devices` lists the devices that exist, in any order.
# * `kernels` says for which types of device each op has a kernel: `{"a": ["CPU", "GPU"], "b": ["CPU"]}`.
# * `soft` is True for soft placement.
#
# Return `{op: device}`, with `"error"` for an op that cannot be placed. The rules, for each op by itself:
#
# 1. **Pinned to a device that exists, with a kernel for its type:** it goes there.
# 2. **Not pinned:** the first GPU, if there is a GPU and the op has a GPU kernel; else the first CPU, if the op
#    has a CPU kernel; else it is an error. *First* means the lowest index.
# 3. **Any other pin:** with soft placement the whole pin is dropped, its type too, and rule 2 decides. Without,
#    it is an error.
#
# (All ops have inputs, so none follows its readers.) Example: `predict_placement({"a": "GPU:0", "b": ""},
# ["CPU:0", "CPU:1"], {"a": ["CPU", "GPU"], "b": ["CPU"]}, True)` is `{"a": "CPU:0", "b": "CPU:0"}`; with
# `False`, `a` is `"error"`.

# %% solution="placer"
def predict_placement(pins, devices, kernels, soft):
    """Predict where the placer puts each op.

    Args:
        pins: dict, op name -> device asked for, such as "GPU:0"; "" for no pin.
        devices: list of str, the devices that exist, in any order.
        kernels: dict, op name -> list of device types, such as ["CPU", "GPU"].
        soft: bool, whether an impossible pin is dropped.
    Returns:
        dict, op name -> device, or "error" for an op that cannot be placed.
    """
    ### BEGIN SOLUTION
    def first(kind):
        of_kind = [device for device in devices if device.split(":")[0] == kind]
        return min(of_kind, key=lambda device: int(device.split(":")[1]), default=None)

    def place(op, pin):
        if pin in devices and pin.split(":")[0] in kernels[op]:
            return pin
        if pin and not soft:
            return "error"
        return next((first(kind) for kind in ("GPU", "CPU") if kind in kernels[op] and first(kind)), "error")

    return {op: place(op, pin) for op, pin in pins.items()}
    ### END SOLUTION

# %% try="placer"
# The example. Then try a pin to a device that is there, but that the op has no kernel for.
try:
    for soft in (True, False):
        print(soft, predict_placement({"a": "GPU:0", "b": ""}, ["CPU:0", "CPU:1"],
                                      {"a": ["CPU", "GPU"], "b": ["CPU"]}, soft))
except NotImplementedError as error:
    print(error)

# %% check="placer-soft" points=2
# Asks you and TensorFlow the same, and compares.
import tensorflow as tf

pins = {"w": "CPU:2", "x": "GPU:0", "y": "", "z": "CPU:9"}
devices = ["CPU:0", "CPU:1", "CPU:2", "CPU:3"]
got = predict_placement(dict(pins), list(devices), {op: ["CPU", "GPU"] for op in pins}, True)

with tf.Graph().as_default() as graph:
    source = tf.compat.v1.placeholder(tf.float32, [1, 1], name="source")
    for op, pin in pins.items():
        with tf.device(pin and f"/device:{pin}"):
            tf.matmul(source, source, name=op)
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=True)
metadata, options = tf.compat.v1.RunMetadata(), tf.compat.v1.RunOptions(output_partition_graphs=True)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
with tf.compat.v1.Session(graph=graph, config=config) as session:
    session.run([f"{op}:0" for op in pins], {"source:0": [[1.]]}, options, metadata)
real = {node.name: node.device.split("device:")[1] for part in metadata.partition_graphs for node in part.node
        if node.name in pins}

def told(likely):
    return (f"asked:    pins {pins}, soft placement, devices CPU:0 to CPU:3, all ops have all kernels\n"
            f"got:      {got}\n"
            f"expected: {real} (what TensorFlow just did)\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Asking for a device that is not there")

assert type(got) is dict and set(got) == set(pins), told("the result is not a dict with an entry for each op")
assert "error" not in got.values(), told("a missing device is an error only without soft placement")
assert got["x"] != "GPU:0" and got["z"] != "CPU:9", told(
    "a pin is a request; a device that is not there cannot fulfil it")
assert got["w"] == "CPU:2", told(
    "soft placement moves only ops whose request is impossible; w can have its device")
assert got == real, told("a dropped request leaves the op where an op without a pin goes")

# %% check="placer-hard" points=1
devices = ["CPU:0", "CPU:1"]
pins = {"x": "GPU:0", "y": "CPU:1", "z": ""}
kernels = {"x": ["CPU", "GPU"], "y": ["CPU"], "z": ["CPU", "GPU"]}
got = predict_placement(dict(pins), list(devices), dict(kernels), False)
right = {"x": "error", "y": "CPU:1", "z": "CPU:0"}

def told(likely):
    return (f"asked:    pins {pins}, devices {devices}, without soft placement\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Asking for a device that is not there")

assert type(got) is dict and set(got) == set(pins), told("the result is not a dict with an entry for each op")
assert got["x"] != "CPU:0", told(
    "without soft placement an impossible request is not dropped, it is an error")
assert got["z"] == "CPU:0", told("no pin is no request: it cannot be an impossible one")
assert got == right, told("each op is decided by itself")

# %% check="placer-default" points=1
devices = ["CPU:0", "GPU:0"]
pins, kernels = {"x": "", "y": "", "z": "CPU:0"}, {"x": ["CPU", "GPU"], "y": ["CPU"], "z": ["CPU", "GPU"]}
got = predict_placement(dict(pins), list(devices), dict(kernels), False)
right = {"x": "GPU:0", "y": "CPU:0", "z": "CPU:0"}

def told(likely):
    return (f"asked:    pins {pins}, devices {devices}, kernels {kernels}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Who decides when you say nothing")

assert type(got) is dict and set(got) == set(pins), told("the result is not a dict with an entry for each op")
assert got["x"] == "GPU:0", told("an op without a pin prefers the first GPU, if it has a GPU kernel")
assert got["y"] == "CPU:0", told("an op without a GPU kernel cannot go to a GPU")
assert got == right, told("a pin that can be fulfilled is kept")

# %% hidden="placer-kernel" points=2
devices = ["CPU:0", "GPU:0"]
pins, kernels = {"v": "GPU:0", "w": "CPU:0", "x": "GPU:0"}, {"v": ["CPU"], "w": ["GPU"], "x": ["GPU"]}
soft = predict_placement(dict(pins), list(devices), dict(kernels), True)
hard = predict_placement(dict(pins), list(devices), dict(kernels), False)
alone = predict_placement({"x": "", "y": "GPU:0"}, ["CPU:0"], {"x": ["GPU"], "y": ["GPU"]}, True)
got = [soft, hard, alone]
right = [{"v": "CPU:0", "w": "GPU:0", "x": "GPU:0"}, {"v": "error", "w": "error", "x": "GPU:0"},
         {"x": "error", "y": "error"}]

def told(likely):
    return (f"asked:    ops without a kernel for what they ask for, soft and hard; GPU-only ops, no GPU\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Who decides when you say nothing")

assert all(type(result) is dict for result in got), told("the result is not a dict with an entry for each op")
assert hard.get("v") == "error" == hard.get("w"), told(
    "a device that exists is not enough: the op needs a kernel for it")
assert soft.get("v") == "CPU:0" and soft.get("w") == "GPU:0", told(
    "a pin without a kernel is impossible too; soft placement drops it")
assert "error" in alone.values(), told(
    "without a kernel for any device that exists, soft placement cannot help")
assert got == right, told("compare the ops one by one")

# %% hidden="placer-first" points=1
low, high = draw.randrange(2, 10), draw.randrange(10, 20)
first, second = sorted(draw.sample(range(9), 2))
devices = [f"GPU:{high}", f"CPU:{second}", f"GPU:{low}", f"CPU:{first}"]
pins = {"x": "", "y": "", "z": f"GPU:{high}"}
kernels = {"x": ["GPU", "CPU"], "y": ["CPU"], "z": ["CPU", "GPU"]}
got = predict_placement(dict(pins), list(devices), dict(kernels), False)
right = reference.predict_placement(pins, devices, kernels, False)

def told(likely):
    return (f"asked:    pins {pins}, devices {devices}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: first means the lowest index, whatever the order of the list")

assert type(got) is dict and set(got) == set(pins), told("the result is not a dict with an entry for each op")
assert got == right, told("the first in the list, or the first in the alphabet, is not the lowest index")

# %% hidden="placer-dropped" points=1
devices = ["CPU:0", "CPU:1", "GPU:0", "GPU:1"]
pins = {"x": "CPU:7", "y": "GPU:5", "z": "GPU:1"}
kernels = {"x": ["CPU", "GPU"], "y": ["CPU"], "z": ["CPU", "GPU"]}
got = predict_placement(dict(pins), list(devices), dict(kernels), True)
right = {"x": "GPU:0", "y": "CPU:0", "z": "GPU:1"}

def told(likely):
    return (f"asked:    pins {pins}, devices {devices}, soft placement\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2, rule 3")

assert type(got) is dict and set(got) == set(pins), told("the result is not a dict with an entry for each op")
assert got["x"] != "CPU:0", told(
    "soft placement drops the whole pin, its type too: x is then like an op without a pin")
assert got == right, told("only impossible pins are dropped, and rule 2 then decides")

# %% [markdown] exercise="spread"
# ### Exercise 3 · Spread the work
#
# Write `spread(n, devices)`. It builds a graph and returns it as the bytes of a `GraphDef`
# (`graph.as_graph_def().SerializeToString()`).
#
# * The graph has `n` matmuls, and no other op of type `MatMul`. Number `i`, counted from 1, multiplies `[[1,
#   2], [3, 4]]` by `[[i, 0], [0, i]]` (float32).
# * Each matmul is pinned to one of `devices`. They are spread evenly: no device has over one matmul more than
#   another.
# * An op named `total` adds all products. It is pinned to `/device:CPU:0`, whether or not that is one of
#   `devices`.
#
# Example: `spread(3, ["/device:CPU:1", "/device:CPU:2"])` has two matmuls on one of the two devices and one on
# the other, and `total` is 6 times `[[1, 2], [3, 4]]`: `[[6, 12], [18, 24]]`. All is run without soft
# placement.

# %% solution="spread"
def spread(n, devices):
    """Build a graph of n matmuls, spread evenly over devices, and their sum on CPU:0.

    Args:
        n: int, 1 or more.
        devices: list of str such as "/device:CPU:1", at least one, no two the same.
    Returns:
        bytes: the graph as a serialized GraphDef.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(n):
            with tf.device(devices[i % len(devices)]):
                scale = tf.constant([[i + 1., 0.], [0., i + 1.]])
                products.append(tf.matmul(tf.constant([[1., 2.], [3., 4.]]), scale))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="spread"
try:
    answer = spread(3, ["/device:CPU:1", "/device:CPU:2"])
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(answer), name="")
    total, metadata = run_and_trace(graph, "total:0")
    print(total)
    draw_placement(metadata, "spread(3, [CPU:1, CPU:2])")
except NotImplementedError as error:
    print(error)

# %% check="spread-sum" points=2
import tensorflow as tf

devices = ["/device:CPU:1", "/device:CPU:2"]
answer = spread(3, list(devices))
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    spread(3, {devices})\n"
            f"got:      {got}\n"
            f"expected: bytes of a graph with three matmuls, total [[6.0, 12.0], [18.0, 24.0]] (float32)\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Several devices, one result")

assert type(answer) is bytes, told(
    "return graph.as_graph_def().SerializeToString(), not the graph or a result")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    assert False, told("these bytes are not a GraphDef: write graph.as_graph_def().SerializeToString()")
matmuls = [node.name for node in definition.node if node.op == "MatMul"]
got = f"a graph with {len(matmuls)} matmuls"
assert len(matmuls) == 3, told("count the products: one for each number from 1 to n")
assert any(node.name == "total" for node in definition.node), told('no op is named total: write name="total"')
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=True)
with tf.compat.v1.Session(graph=graph, config=config) as session:
    total = session.run("total:0")
value, got = total.tolist(), f"total = {total.tolist()} ({total.dtype})"
assert value != [[3, 6], [9, 12]], told("the numbers go from 0 to n - 1 here; count from 1")
assert value != [[0, 0], [0, 0]], told("every i is 0 here; count from 1, and on from device to device")
assert value == [[6, 12], [18, 24]], told("number i multiplies [[1, 2], [3, 4]] by [[i, 0], [0, i]]")
assert total.dtype == "float32", told(
    f"the numbers are right, the dtype is {total.dtype}: write float32 numbers, such as 1.")

# %% check="spread-even" points=2
import collections
import tensorflow as tf

devices = ["/device:CPU:1", "/device:CPU:2", "/device:CPU:3"]
answer = spread(5, list(devices))
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    spread(5, {devices}): what the matmuls ask for\n"
            f"got:      {got}\n"
            f"expected: two matmuls on each of two devices, one on the third\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Several devices, one result")

assert type(answer) is bytes, told("return the bytes of the GraphDef: .SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
matmuls = [node for node in definition.node if node.op == "MatMul"]
asked = collections.Counter(node.device.split("device:")[-1] for node in matmuls)
got = ", ".join(f"{n} on {device or 'no device'}" for device, n in sorted(asked.items())) or "no matmul"
assert asked, told("the graph has no MatMul: do not work out the products in Python")
assert not asked[""], told(
    "a matmul was created outside its device scope; a scope marks ops when they are created")
assert len(asked) > 1, told("everything was created inside the first scope; open a scope for each matmul")
assert set(asked) <= {"CPU:1", "CPU:2", "CPU:3"}, told("a matmul asks for a device that is not in the list")
assert sorted(asked.values()) == [1, 2, 2], told(
    "cutting the list into blocks leaves the rest to one device; deal the matmuls out in turn")

# %% check="spread-total" points=1
import tensorflow as tf

devices = ["/device:CPU:1", "/device:CPU:2"]
answer = spread(2, list(devices))
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    spread(2, {devices}): what total asks for\n"
            f"got:      {got}\n"
            f"expected: '/device:CPU:0'\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Several devices, one result")

assert type(answer) is bytes, told("return the bytes of the GraphDef: .SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
asked = {node.name: node.device for node in definition.node}
got = f"total asks for {asked['total']!r}" if "total" in asked else "no op of that name"
assert "total" in asked, told('no op is named total: give the sum name="total"')
assert asked["total"] not in devices, told("the sum was created inside the scope of a matmul")
assert asked["total"], told("the sum is not pinned; on a machine with a GPU it would go to the GPU")
assert asked["total"].upper().split("/")[-1].removeprefix("DEVICE:") == "CPU:0", told("pin the sum to CPU:0")

# %% hidden="spread-ran" points=3
import tensorflow as tf

devices = ["/device:CPU:3", "/device:CPU:0", "/device:CPU:1"]
answer = spread(4, list(devices))
definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
metadata, options = tf.compat.v1.RunMetadata(), tf.compat.v1.RunOptions(output_partition_graphs=True)
got = "an error"

def told(likely):
    return (f"asked:    spread(4, {devices}), run without soft placement\n"
            f"got:      {got}\n"
            f"expected: matmuls 2, 1 and 1 on the three devices; total on CPU:0, [[10, 20], [30, 40]]\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3, and section 7, Asking for a device that is not there")

assert type(answer) is bytes, told("return the bytes of the GraphDef: .SerializeToString()")
try:
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        value = session.run("total:0", None, options, metadata).tolist()
except (tf.errors.OpError, KeyError, ValueError, RuntimeError) as error:
    got = str(error).splitlines()[-1][:200]
    assert False, told("the graph does not run: does an op ask for a device that is not there?")
nodes = [node for part in metadata.partition_graphs for node in part.node]
placed = sorted(node.device.split("device:")[1] for node in nodes if node.op.endswith("MatMul"))
total = [node.device.split("device:")[1] for node in nodes if node.name == "total"]
got = f"matmuls on {placed}, total on {total}, {value}"
assert len(placed) == 4, told("four matmuls should run; the result must need all of them")
assert sorted(placed.count(name) for name in ("CPU:0", "CPU:1", "CPU:3")) == [1, 1, 2], told(
    "use the devices that you are given, and deal the matmuls out in turn")
assert total == ["CPU:0"], told("the sum ran on another device than CPU:0")
assert value == [[10, 20], [30, 40]], told("number i multiplies by [[i, 0], [0, i]], for i from 1 to 4")

# %% hidden="spread-few" points=2
import tensorflow as tf

devices = ["/device:CPU:2", "/device:CPU:3"]
got = "an error"

def told(likely):
    return (f"asked:    spread(1, {devices}): fewer matmuls than devices\n"
            f"got:      {got}\n"
            f"expected: one matmul, on one of the devices; total on CPU:0, [[1, 2], [3, 4]]\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: n is 1 or more")

answer = spread(1, list(devices))
assert type(answer) is bytes, told("return the bytes of the GraphDef: .SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
asked = [node.device for node in definition.node if node.op == "MatMul"]
total = [node.device for node in definition.node if node.name == "total"]
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=True)
got = f"matmuls ask for {asked}, total for {total}"
assert len(asked) == 1 and asked[0].endswith(("CPU:2", "CPU:3")), told(
    "one product is one matmul, on one device of the list")
assert total and total[0].upper().endswith("CPU:0"), told("no total, or it is not pinned to CPU:0")
with tf.compat.v1.Session(graph=graph, config=config) as session:
    value = session.run("total:0").tolist()
got += f", {value}"
assert value == [[1, 2], [3, 4]], told("the only matmul has the number 1")

# %% [markdown] exercise="transfers"
# ### Exercise 4 · Count the transfers
#
# Write `transfers(placement, edges)`: which values move between devices?
#
# * `placement` says where each op is: `{"x": "CPU:0", "left": "CPU:1", "total": "CPU:0"}`.
# * `edges` lists who reads what, as pairs `[tensor, reader]`: `["x:0", "left"]` says that `left` reads the first output
#   of `x`. The number is 1 for a second output.
#
# Return a sorted list of `[tensor, from device, to device]`. A tensor goes to each device that reads it
# **once**, however many ops there read it, and it is not sent to the device where it already is. Constants
# count like other ops. (TensorFlow copies very small ones to each reader's device; ignore that here.)
#
# Example: for the placement above and the edges `[["x:0", "left"], ["x:0", "total"], ["left:0", "total"]]` it
# is `[["left:0", "CPU:1", "CPU:0"], ["x:0", "CPU:0", "CPU:1"]]`.

# %% solution="transfers"
def transfers(placement, edges):
    """List the values that move between devices.

    Args:
        placement: dict, op name -> device.
        edges: list of [tensor, reader]: a tensor "op:output number" and the name of the op that reads it.
    Returns:
        sorted list of [tensor, from device, to device], each three str, none twice.
    """
    ### BEGIN SOLUTION
    moves = {(tensor, placement[tensor.split(":")[0]], placement[reader]) for tensor, reader in edges}
    return sorted([tensor, source, target] for tensor, source, target in moves if source != target)
    ### END SOLUTION

# %% try="transfers"
placement = {"x": "CPU:0", "left": "CPU:1", "total": "CPU:0"}
try:
    print(transfers(placement, [["x:0", "left"], ["x:0", "total"], ["left:0", "total"]]))
except NotImplementedError as error:
    print(error)

# %% check="transfers-once" points=2
placement = {"w": "CPU:1", "square": "CPU:2", "sum": "CPU:2", "total": "CPU:2"}
edges = [["w:0", "square"], ["w:0", "sum"], ["square:0", "total"], ["sum:0", "total"]]
got = transfers(dict(placement), [list(edge) for edge in edges])
right = [["w:0", "CPU:1", "CPU:2"]]

def told(likely):
    return (f"asked:    placement {placement}, edges {edges}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, Variables live on devices")

assert type(got) is list and all(type(move) in (list, tuple) and len(move) == 3 for move in got), told(
    "the result is not a list of [tensor, from device, to device]")
got = [list(move) for move in got]
assert got != right * 2, told("a value travels once for each device that reads it, not once for each reader")
assert got != [["w:0", "CPU:2", "CPU:1"]], told(
    "the direction is turned around: from the producer to the reader")
assert all(move[1] != move[2] for move in got), told("a value that stays on its device is not a transfer")
assert got == right, told("compare with the example in the text")

# %% check="transfers-real" points=2
# Asks you and TensorFlow the same, and compares.
import re
import tensorflow as tf

placement = {"x": "CPU:0", "a": "CPU:1", "b": "CPU:1", "c": "CPU:2", "total": "CPU:0"}
reads = {"a": ["x", "x"], "b": ["x", "a"], "c": ["a", "b"], "total": ["a", "b", "c"]}
edges = [[f"{source}:0", reader] for reader, sources in reads.items() for source in sources]
got = transfers(dict(placement), [list(edge) for edge in edges])

with tf.Graph().as_default() as graph:
    made = {"x": tf.compat.v1.placeholder(tf.float32, [], name="x")}
    for op, sources in reads.items():
        with tf.device(f"/device:{placement[op]}"):
            made[op] = tf.add_n([made[source] for source in sources], name=op)
config = tf.compat.v1.ConfigProto(device_count={"CPU": 3, "GPU": 0})
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
metadata, options = tf.compat.v1.RunMetadata(), tf.compat.v1.RunOptions(output_partition_graphs=True)
with tf.compat.v1.Session(graph=graph, config=config) as session:
    session.run("total:0", {"x:0": 1.}, options, metadata)
sends = [node for part in metadata.partition_graphs for node in part.node if node.op == "_Send"]
device = lambda node, end: node.attr[end].s.decode().split("device:")[1]
name = lambda node: re.sub(r"^_arg_(.*)_\d+_\d+$", r"\1", node.input[0])
real = sorted([f"{name(node)}:0", device(node, "send_device"), device(node, "recv_device")] for node in sends)

def told(likely):
    return (f"asked:    placement {placement}, edges {edges}\n"
            f"got:      {got}\n"
            f"expected: {real} (the _Send ops of a real run)\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, Variables live on devices")

assert type(got) is list and all(type(move) in (list, tuple) and len(move) == 3 for move in got), told(
    "the result is not a list of [tensor, from device, to device]")
got = [list(move) for move in got]
assert len(got) <= len(real), told(
    "more transfers than TensorFlow makes: a value travels once for each device that reads it")
assert len(got) == len(real), told(
    "fewer transfers than TensorFlow makes: a value can travel to several devices")
assert sorted(got) == real, told("a transfer goes from the producer's device to the reader's")
assert got == real, told("the transfers are right, but the list is not sorted")

# %% hidden="transfers-outputs" points=2
placement = {"split": "CPU:0", "left": "CPU:1", "right": "CPU:1", "both": "CPU:2"}
edges = [["split:1", "right"], ["split:0", "left"], ["split:0", "both"], ["split:1", "both"],
         ["left:0", "both"]]
try:
    got = transfers(dict(placement), [list(edge) for edge in edges])
except NotImplementedError:
    raise
except Exception as error:
    got = f"{type(error).__name__}: {error}"
right = [["left:0", "CPU:1", "CPU:2"], ["split:0", "CPU:0", "CPU:1"], ["split:0", "CPU:0", "CPU:2"],
         ["split:1", "CPU:0", "CPU:1"], ["split:1", "CPU:0", "CPU:2"]]

def told(likely):
    return (f"asked:    placement {placement}, edges {edges}: an op with two outputs\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4: a tensor's name ends in the number of the output")

assert not str(got).startswith(("KeyError", "IndexError", "ValueError")), told(
    "the op's name is what stands before the colon, also when the number after it is not 0")
assert type(got) is list and all(type(move) in (list, tuple) and len(move) == 3 for move in got), told(
    "the result is not a list of [tensor, from device, to device]")
got = [list(move) for move in got]
assert sorted(got) == right, told("two outputs of one op are two values; each travels by itself")
assert got == right, told("the transfers are right, but the list is not sorted")

# %% hidden="transfers-constants" points=1
placement = {"const_a": "CPU:0", "b": "GPU:0", "lonely": "GPU:1"}
got = transfers(dict(placement), [["const_a:0", "b"]])
nothing = transfers({"a": "GPU:0", "b": "GPU:0"}, [["a:0", "b"]])
right = [["const_a:0", "CPU:0", "GPU:0"]]

def told(likely):
    return (f"asked:    placement {placement}, edges [['const_a:0', 'b']]; then two ops on one device\n"
            f"got:      {got} and {nothing}\n"
            f"expected: {right} and []\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4")

assert type(got) is list and all(type(move) in (list, tuple) and len(move) == 3 for move in got), told(
    "the result is not a list of [tensor, from device, to device]")
assert [list(move) for move in got] == right, told(
    "constants travel like other values; an op that nobody reads sends nothing")
assert nothing == [], told("two ops on one device exchange nothing between devices")

# %% [markdown] exercise="repair"
# ### Exercise 5 · Repair the scope
#
# `broken_model(devices)` builds one layer for each device of the list: for `i` from 1 on a variable `w1`, `w2`, …
# and a matmul `layer1`, `layer2`, …, both meant for the `i`-th device. A sum, `output`, ends it. But it
# does not run, and with soft placement everything lands on one device. Run the next two cells and read the error. (It
# names the first op that cannot be placed, one of those that belong to `w1`.) Who asks for a GPU? Leave both functions
# as they are.
#
# Write `repair(devices)`. It returns the **same graph with the right requests**, as the bytes of a `GraphDef`:
#
# * without soft placement, on a machine with four CPUs and no GPU, the graph runs;
# * `w1` and `layer1` are placed on the first device of the list, `w2` and `layer2` on the second, and so on;
# * `output` is placed on `CPU:0`;
# * the names and what is computed stay as they are.
#
# Example: in `repair(["/device:CPU:2", "/device:CPU:1"])`, `w1` and `layer1` are placed on `CPU:2`, `w2` and
# `layer2` on `CPU:1`, and for `x = [[1, 1]]` the `output` is 5.

# %%
def one_gpu(op):
    return "/device:GPU:0"                    # "we have one GPU, so everything goes there"

def broken_model(devices):
    with tf.Graph().as_default() as graph, tf.compat.v1.device(one_gpu):
        x = h = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def()

# %%
def show_model(definition):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(definition, name="")
    try:
        value, metadata = run_and_trace(graph, "output:0", {"x:0": [[1., 1.]]})
        draw_placement(metadata, f"output = {value}")
    except tf.errors.InvalidArgumentError as error:
        print(textwrap.fill(f"InvalidArgumentError: {error.message.splitlines()[-2]}", 100))

show_model(broken_model(["/device:CPU:2", "/device:CPU:1"]))

# %% solution="repair"
def repair(devices):
    """Build the model of broken_model with the placement that was meant.

    Args:
        devices: list of str such as "/device:CPU:1", the device of each layer, at least one.
    Returns:
        bytes: the repaired graph as a serialized GraphDef.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph, tf.device("/device:CPU:0"):
        x = h = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="repair"
try:
    show_model(tf.compat.v1.GraphDef.FromString(repair(["/device:CPU:2", "/device:CPU:1"])))
except NotImplementedError as error:
    print(error)

# %% check="repair-layers" points=2
import tensorflow as tf

devices = ["/device:CPU:2", "/device:CPU:1"]
answer, got = repair(list(devices)), "not bytes"

def told(likely):
    return (f"asked:    repair({devices}), run without soft placement\n"
            f"got:      {got}\n"
            f"expected: layer1 on CPU:2, layer2 on CPU:1\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, Device scopes: nested, computed, together")

assert type(answer) is bytes, told("return the GraphDef's bytes: .SerializeToString()")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    assert False, told("these bytes are not a GraphDef: write graph.as_graph_def().SerializeToString()")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
metadata, options = tf.compat.v1.RunMetadata(), tf.compat.v1.RunOptions(output_partition_graphs=True)
try:
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
        session.run("output:0", {"x:0": [[1., 1.]]}, options, metadata)
except (tf.errors.OpError, KeyError, ValueError, RuntimeError) as error:
    got = str(error).split(" Make sure")[0].splitlines()[-1][:200]
    assert "GPU" not in got, told(
        "the requests still say GPU: soft placement would only hide that; repair the scope that makes them")
    assert False, told("the graph does not run, or lacks an op x or output")
nodes = [node for part in metadata.partition_graphs for node in part.node]
nodes = [node for node in nodes if node.name in ("layer1", "layer2")]
got = ", ".join(sorted(f"{node.name} on {node.device.split('device:')[1]}" for node in nodes))
assert "layer1 on CPU:0, layer2 on CPU:0" != got, told(
    "without any request all ops go to CPU:0; the inner scopes must count")
assert "layer1 on CPU:1, layer2 on CPU:2" != got, told(
    "the devices are taken in another order than the list's")
assert got == "layer1 on CPU:2, layer2 on CPU:1", told("each layer belongs on its own device of the list")

# %% check="repair-output" points=1
import tensorflow as tf

devices, got = ["/device:CPU:3", "/device:CPU:1"], "an error"

def told(likely):
    return (f"asked:    repair({devices}), run without soft placement\n"
            f"got:      {got}\n"
            f"expected: output on CPU:0, and its value is 5.0 for x = [[1, 1]]\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 5")

answer = repair(list(devices))
assert type(answer) is bytes, told("return the GraphDef's bytes: .SerializeToString()")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(tf.compat.v1.GraphDef.FromString(answer), name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
metadata, options = tf.compat.v1.RunMetadata(), tf.compat.v1.RunOptions(output_partition_graphs=True)
try:
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
        value = session.run("output:0", {"x:0": [[1., 1.]]}, options, metadata).tolist()
except (tf.errors.OpError, KeyError, ValueError, RuntimeError) as error:
    got = str(error).split(" Make sure")[0].splitlines()[-1][:200]
    assert False, told("the graph does not run without soft placement, or lacks an op x or output")
where = [node.device.split("device:")[1] for part in metadata.partition_graphs for node in part.node
         if node.name == "output"]
got = f"output on {where}, value {value}"
assert where == ["CPU:0"], told("output was created inside the scope of a layer")
assert value == 5, told("the model computes something else now; change only the requests")

# %% hidden="repair-variables" points=3
import tensorflow as tf

devices, got = ["/device:CPU:3", "/device:CPU:1", "/device:CPU:2"], "an error"

def told(likely):
    return (f"asked:    repair({devices}): three layers, run without soft placement\n"
            f"got:      {got}\n"
            f"expected: w1 and layer1 on CPU:3, w2 and layer2 on CPU:1, w3 and layer3 on CPU:2\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, Variables live on devices")

answer = repair(list(devices))
assert type(answer) is bytes, told("return the GraphDef's bytes: .SerializeToString()")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(tf.compat.v1.GraphDef.FromString(answer), name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
metadata, options = tf.compat.v1.RunMetadata(), tf.compat.v1.RunOptions(output_partition_graphs=True)
try:
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
        session.run("output:0", {"x:0": [[1., 1.]]}, options, metadata)
except (tf.errors.OpError, KeyError, ValueError, RuntimeError) as error:
    got = str(error).split(" Make sure")[0].splitlines()[-1][:200]
    assert False, told("the graph does not run without soft placement, or lacks an op x or output")
nodes = [node for part in metadata.partition_graphs for node in part.node]
where = {node.name: node.device.split("device:")[1] for node in nodes}
placed = {name: where.get(name) for name in ("w1", "layer1", "w2", "layer2", "w3", "layer3")}
got = f"{placed}"
assert None not in placed.values(), told(
    "an op is missing: there is a layer for each device, and the names stay")
right = {"w1": "CPU:3", "layer1": "CPU:3", "w2": "CPU:1", "layer2": "CPU:1", "w3": "CPU:2", "layer3": "CPU:2"}
variables = [name for name in ("w1", "w2", "w3") if placed[name] != right[name]]
assert not variables or placed["layer3"] != "CPU:2", told(
    "the matmuls are where they belong, but their variables are not")
assert placed == right, told("the devices are those of the list, in its order")

# %% hidden="repair-same" points=1
import tensorflow as tf

devices, got = ["/device:CPU:1", "/device:CPU:0", "/device:CPU:2", "/device:CPU:3"], "an error"

def told(likely):
    return (f"asked:    repair({devices}), with x = [[2, 3]]\n"
            f"got:      {got}\n"
            f"expected: layer1 to layer4, w1 to w4, and output = 25\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 5: the names and what is computed stay as they are")

answer = repair(list(devices))
assert type(answer) is bytes, told("return the GraphDef's bytes: .SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
layers = sorted(node.name for node in definition.node if node.op == "MatMul")
variables = sorted(node.name for node in definition.node if node.op == "VarHandleOp")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
try:
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
        value = session.run("output:0", {"x:0": [[2., 3.]]}).tolist()
except (tf.errors.OpError, KeyError, ValueError, RuntimeError) as error:
    got = str(error).split(" Make sure")[0].splitlines()[-1][:200]
    assert False, told("the graph does not run without soft placement, or lacks an op x or output")
got = f"{layers}, {variables}, output = {value}"
assert layers == ["layer1", "layer2", "layer3", "layer4"], told(
    "the matmuls are not those of the model, or have other names")
assert variables == ["w1", "w2", "w3", "w4"], told(
    "the variables are not those of the model, or have other names")
assert value == 25, told("the model computes something else now; change only the requests")

# %% [markdown] exercise="pin_or_place"
# ### Exercise 6 · In your own words
#
# A colleague says: "I pinned the op to `/gpu:1`, so it runs on the second GPU." Explain in three to six
# sentences what is missing in this: what a pin is, what placing is, and two things that can make the op run
# somewhere else, or not at all. Say also how your colleague can find out where it really ran.

# %% [markdown] written="pin_or_place" points=3
# ### BEGIN SOLUTION
# A pin is a request that is written into the graph. Placing is the runtime's decision where each op runs.
# ### END SOLUTION

# %% [markdown] model="pin_or_place"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# A pin is a *request*: `with tf.device("/gpu:1")` writes a device into the ops that are created inside it.
# *Placing* is what the runtime then does: the placer looks at all requests, at the devices of the session or
# process, and at the kernels, and gives each op a device. The two can differ. There may be no second GPU, or
# the op may have no GPU kernel for its data type: with soft placement the request is then dropped and the op
# runs on another device without a word; without soft placement the run fails. The op may also have been created
# outside the scope, an outer device function may have replaced the request, or the op may have to stay with a
# variable. The placement log, or the run's partition graphs, show where it ran.
#
# One point each: a pin is a request and placing is the runtime's decision; two reasons why they differ; how to
# see it.
# </details>
