# %% [markdown] minutes=110 exercises=55 gives="read a placement log, predict where ops run, repair a wrong pin" after="00"
# # Lesson 01 · Device placement logging
#
# Your model has nearly outgrown your GPU. So you rented a machine with two, and wrote the first half of its layers under
# `with tf.device("/gpu:0"):` and the second half under `with tf.device("/gpu:1"):`. Training runs, and nobody gets an
# error. But `nvidia-smi` shows 0 % load on the second GPU, and a larger batch still ends out of memory on the first. Who
# decided that, and where is it written down? Section 7 finds the cause, and section 15 has the cure.
#
# After this lesson you can
#
# 1. find out where TensorFlow ran each step of a computation, from its own log and records;
# 2. say why it ran there, and ask for another place;
# 3. put the layers of a Keras model on the devices that you mean, and prove that they are there.
#
# **Hardware:** CPU only. Four logical CPU devices take the place of several GPUs; GPUs of your own are hidden from this
# notebook. The cells marked *GPU extra* use them in another process, if there are any; they are never graded.

# %% include="quiet_start.py" devices=4

# %% include="checks.py predictions.py native_output.py placement_record.py placement_picture.py model_report.py timeline.py placement_widget.py"

# %% [markdown]
# ## Sitting 1 · Where it went, and why
#
# ![Three panels from left to right. What you ask for: a graph in which op left asks for CPU:1, op right asks for GPU:9 and op total asks for nothing. What decides: the placer, which looks at the devices, the kernels, and which ops must stay together. What runs: left on CPU:1, right and total on CPU:0, and a dashed arrow for the value of left that moves from CPU:1 to CPU:0.](assets/01_pin_and_place.svg)
#
# You **pin** an op when you write a device for it. That is a request. TensorFlow then **places** the op: it decides where
# the op runs. The two can differ, and this lesson shows when.
#
# ## 1 Ops and devices
#
# An **op** (short for operation) is one step of a computation: one matrix product, one addition, one read of a variable. It
# has a *type*, such as `MatMul`. It takes tensors and makes tensors. Python's `a @ b` is one op of type `MatMul`;
# `a @ b + c` is two ops. Every op runs on exactly one **device**.

# %% grading="skip"
print([device.name for device in tf.config.list_logical_devices()])
name = tf.DeviceSpec.from_string("/job:worker/replica:0/task:2/device:GPU:1")
print("job:", name.job, "| replica:", name.replica, "| task:", name.task)
print("type:", name.device_type, "| index:", name.device_index)
for spelling in ("/cpu:0", "CPU:0", "/device:CPU:0"):
    print(f"{spelling:14} means {tf.DeviceSpec.from_string(spelling).to_string()}")

# %% [markdown]
# The first line is your machine. The cell "Quiet start" split the processor into four *logical* devices. They share the same
# cores, memory and threads, but TensorFlow places ops on them, and moves values between them, as it does with four GPUs.
#
# A full name has four parts. The **job** is a group of processes: `localhost` is just this process, and lesson 06 has a `ps`
# job and a `worker` job. The **replica** is always 0 today. The **task** says which process of the job. The **device** is a
# type and an index that counts from 0. A name may leave parts out: `/device:CPU:1` asks for "CPU 1, whatever the job and
# task". Old texts write `/cpu:1` or `/gpu:0`; that still works.
#
# ## 2 Where an eager op went
#
# Outside of a `tf.function`, TensorFlow runs each op at once. That is **eager** mode. For one tensor you need no log: `.device`
# says where it is, and so where its op ran.

# %% grading="skip"
free = tf.matmul([[1., 2.]], [[3.], [4.]])
with tf.device("CPU:2"):
    pinned = tf.matmul([[1., 2.]], [[3.], [4.]])
    again = free + 1.
print("free:  ", free.device)
print("pinned:", pinned.device)
print("again: ", again.device, "- its input is still on", free.device[-5:])

# %% [markdown]
# `free` has no pin, so TensorFlow chose: the first GPU if the process sees one, else CPU:0. The other two ops ran where you asked.
# `again` needed the value of `free`. TensorFlow copied it to CPU:2 without a word. On GPUs such a **transfer** costs time.
#
# A **variable** stays on the device where it was made. Ops that read or change it run there, whatever the scope says:

# %% grading="skip"
with tf.device("CPU:1"):
    weights = tf.Variable([[1., 2.], [0., 1.]], name="weights")
with tf.device("CPU:2"):
    update = weights.assign_add([[1., 0.], [0., 0.]])
    product = tf.matmul([[1., 1.]], weights)
print("the variable:       ", weights.device[-5:])
print("the op that adds:   ", update.device[-5:])
print("a product that reads:", product.device[-5:])

# %% [markdown]
# The addition ran on CPU:1, inside a scope that says CPU:2. The product ran on CPU:2: the variable was *read* on CPU:1, and
# the value that was read moved to CPU:2.
#
# ## 3 Who decides when you say nothing
#
# Without a pin, an op goes to the first GPU, if there is one *and* the op has a GPU kernel. Otherwise it goes to the first
# CPU. A **kernel** is the code of an op for one type of device and certain types of data.

# %% predict="all-on-gpu"
# Predict: on a machine with a GPU and without any pin, which of these ops run on the GPU?
# Put True or False.
on_gpu = {
    "MatMul float32": ...,
    "MatMul int32": ...,
    "Relu float32": ...,
    "StringJoin": ...,
    "DecodeJpeg": ...,
}

# %% grading="skip"
from tensorflow.python.framework import kernels    # not public: only for looking

def device_types(op, dtype=None):
    """Types of device that this TensorFlow has a kernel of `op` for, taking `dtype`."""
    found = set()
    for kernel in kernels.get_registered_kernels_for_op(op).kernel:
        rules = [rule for rule in kernel.constraint if rule.name == "T"]
        types = [rule.allowed_values.list.type for rule in rules]
        if dtype is None or any(dtype.as_datatype_enum in some for some in types):
            found.add(kernel.device_type)
    return sorted(found & {"CPU", "GPU"})

# %% grading="skip"
asked = {
    "MatMul float32": ("MatMul", tf.float32),
    "MatMul int32": ("MatMul", tf.int32),
    "Relu float32": ("Relu", tf.float32),
    "StringJoin": ("StringJoin", None),
    "DecodeJpeg": ("DecodeJpeg", None),
    "NcclAllReduce": ("NcclAllReduce", None),
}

# %% grading="skip"
for op, (op_type, dtype) in asked.items():
    print(f"{op:15}", device_types(op_type, dtype))
seen = {op: "GPU" in device_types(*asked[op]) for op in on_gpu}
compare_prediction("on the GPU", on_gpu, seen, "An op needs a kernel for it.")

# %% [markdown]
# So by default *not* everything is on the first GPU, only ops with a GPU kernel for their type of data. A matrix product of
# floats has one. A product of integers, an op on strings and a JPEG decoder have none. Further GPUs stay idle until
# you pin something to them. (TensorFlow for Linux contains its GPU kernels even on a machine without a GPU. The packages for
# macOS and Windows are [built without them](https://www.tensorflow.org/install/pip): there, no line names a GPU.)
#
# Two matmuls without a pin, in a session on a machine that has a GPU: `product` multiplies floats, `integers` integers.
#
# {{gpu record: placement}}
#
# An op without any kernel that fits cannot run. `NcclAllReduce` exists for GPUs alone:

# %% grading="skip"
@tf.function
def sum_of_gpus():
    return tf.raw_ops.NcclAllReduce(
        input=[1., 2.], reduction="sum", num_devices=1, shared_name="all")

try:
    sum_of_gpus()
except tf.errors.InvalidArgumentError as error:
    print(error.message.split(" [[")[0].strip())

# %% [markdown]
# **Registered devices** are what this process has. **Registered kernels** say where the op could run. Neither
# list follows from the other: a device may lack a kernel for your op, and a kernel may have no device here.
#
# ## 4 Asking for a device that is not there
#
# Pin an op to a device that does not exist. **Soft placement** decides what becomes of the request. It is a setting of the
# process.

# %% grading="skip"
missing = "GPU:0"

def add_there():
    with tf.device(missing):
        return tf.add(1., 2.)

print("soft placement is on by default:", tf.config.get_soft_device_placement())
for soft in (True, False):
    tf.config.set_soft_device_placement(soft)
    forms = [("eager op   ", add_there), ("tf.function", tf.function(add_there))]
    for form, call in forms:
        try:
            print(f"soft={soft!s:5} {form}: result on {call().device[-5:]}")
        except tf.errors.InvalidArgumentError as error:
            print(f"soft={soft!s:5} {form}: {error.message[:92]} ...")
tf.config.set_soft_device_placement(True)

# %% [markdown]
# With soft placement the impossible request is dropped, and the op goes where an op without a pin goes. Nobody tells you. Without
# it, the op fails. Read such an error in three parts: *what failed*, *what it asked for* (`GPU:0`), and, where the error says
# it, *what there is*.
#
# Soft placement drops **only** requests that are impossible. The other ops stay where you pinned them. It also hides typing errors.
# So switch it off while you look for a mistake.
#
# ## 5 The ops of a tf.function
#
# A `tf.function` is different: the first call *traces* your Python code into a **graph**, a list of ops and of who reads
# what. Then TensorFlow's **placer** gives every op of the graph a device, before anything runs. Here is one with four
# cases: a pinned op that reads a variable, an op with an impossible pin, an op without a pin, and the variable on CPU:1.

# %% grading="skip"
@tf.function
def two_products(x):
    with tf.device("CPU:2"):
        left = tf.matmul(x, weights, name="left")
    with tf.device(missing):
        right = tf.matmul(x, x, name="right")
    return tf.add(left, right, name="total")

# %% grading="skip"
x = tf.constant([[1., 1.], [0., 1.]])
for op in two_products.get_concrete_function(x).graph.get_operations():
    print(f"{op.name:28} {op.type:15} asks for {op.device!r}")

# %% [markdown]
# A graph keeps your request as **`op.device`**. `left/ReadVariableOp` is an op that you did not write: it reads the variable for
# `left`. The `Identity` and the `NoOp` at the end belong to `tf.function`.
#
# A placement is not in this list. It is in the *record* of a run: a graph for each device, with what that device really
# got. Such a part is called a **partition**. `trace_function` of the cell "Helpers" switches the record on, calls the function and returns
# both. It runs the graph as it is written: otherwise TensorFlow may merge ops first, and you would look for them in vain.

# %% grading="skip"
total, metadata = trace_function(two_products, x)
for partition in metadata.partition_graphs:
    for node in partition.node:
        where = node.device[-5:]
        print(f"{where}  {node.op:15} {node.name:28} reads {list(node.input)}")

# %% [markdown]
# There is more in it than you wrote. **`_Send`** and **`_Recv`** carry a value from one device to another; there is a pair for each
# transfer. `_Arg` brings an argument in, and `_Retval` takes the result out. You may see `_MklMatMul` in place of `MatMul`: on many
# CPUs TensorFlow takes the form of an op that Intel's library oneDNN has. Some pairs carry no value, only the message that an
# op is done; their names have `ctrl` in them.
#
# `draw_placement` draws the same, without messages:

# %% grading="skip"
draw_placement(metadata, "A tf.function with two pins")

# %% [markdown]
# Each lane is a device. A thin arrow is a value that stays. A **thick dashed arrow is a transfer**. Now each case
# has its answer:
#
# * `left` asked for CPU:2 and is there. The read of `weights` is on CPU:1, with its variable, and the value that was read travels.
# * `right` asked for a device that is not there. Soft placement is on, so it went where an op without a pin goes.
# * `total` asked for nothing: the first GPU with a kernel, else CPU:0.
#
# **A pin is a request; a placement is what happens.**
#
# And the *result* of a `tf.function`? It is copied to the device of the **caller**, wherever its ops ran:

# %% grading="skip"
print("called without a scope:", two_products(x).device[-5:])
with tf.device("CPU:3"):
    print("called under CPU:3:    ", two_products(x).device[-5:])

# %% [markdown]
# No op of `two_products` ran on CPU:3. So the `.device` of a function's result does not tell where its ops were; the record does.
#
# ## 6 The placement log
#
# On a machine where you cannot run helpers, ask for the **placement log**: TensorFlow prints a line for each decision. The
# switch for it counts only **before the first op** of a process; later it does nothing. So the program is a file, and runs in
# a Python of its own.

# %% grading="skip"
%%writefile placement_log.py
import tensorflow as tf

tf.debugging.set_log_device_placement(True)          # before the first op
a = tf.constant([[1., 2], [3, 4]])
b = tf.constant([[3., 4], [1, 2]])

@tf.function
def product(a, b):
    with tf.device("CPU:0"):
        return tf.matmul(a, b, name="c")

print("eager:   ", (a @ b).numpy().tolist())
print("function:", product(a, b).numpy().tolist())

# %% grading="skip"
import os
import subprocess
import sys

print("Starting a second Python; this takes about five seconds.", flush=True)
everything = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"}      # 0: print all messages
child = subprocess.run(
    [sys.executable, "placement_log.py"], env=everything, stdin=subprocess.DEVNULL,
    capture_output=True, text=True, timeout=120)
print(child.stdout)

# %% [markdown]
# Each line with a device is a placement: **name: (type): device**. Near the end you find `c: (MatMul)`: `c` is the name that
# the program chose with `name="c"`.
#
# Eager ops have lines, too. To run one, TensorFlow makes a little graph around it: `_Arg` is a value that comes in, `_Retval` one that goes
# out, and `_EagerConst` copies a constant to its device. Such a graph is kept for the next op of its kind, so not every op has lines here.
# In the stream for messages, however, every eager op has a line, `Executing op …`:

# %% grading="skip"
messages = child.stderr.splitlines()
for line in messages:
    if "Executing op" in line or "c: (" in line:
        print(line)

# %% [markdown]
# These lines begin with a prefix, which ends with `] `. It has a letter for the level (**I**nformation, **W**arning,
# **E**rror, **F**atal) and `0000`, the time, the number of the thread, and the place in TensorFlow's source that
# wrote the line. `Executing op MatMul in device …` gives the op's *type*: an eager op has no name.
# For eager mode a whole `tf.function` is one op, here `__inference_product_…`. The same stream shows the graph's lines once more, with the prefix.
#
# TensorFlow prints other lines, too, which our first cell hides. Here are those of the child:

# %% grading="skip"
import textwrap

for line in messages:
    if "/device:" not in line:
        print(textwrap.shorten(line, 110, placeholder=" …"))

# %% [markdown]
# On a CPU the useful line is the one about instructions (AVX and the like): your processor could do more than this package was built for.
# Lines about CUDA only say that there is no GPU driver here. So does `E0000 … cuInit`, which looks like a failure. That a line
# comes twice means nothing.
#
# ### The start-up log of a machine with two GPUs
#
# With GPUs there are more lines. These come from a real machine with two unlike cards (shortened; TensorFlow of 2016):
#
# ```
# Found device 0 with properties: name: GeForce GTX TITAN X  pciBusID 0000:02:00.0  Total memory: 11.92GiB  Free memory: 11.81GiB
# Found device 1 with properties: name: GeForce GTX 970      pciBusID 0000:05:00.0  Total memory: 3.94GiB   Free memory: 3.88GiB
# Peer access not supported between device ordinals 0 and 1
# DMA: 0 1
# 0:   Y N
# 1:   N Y
# Creating TensorFlow device (/gpu:0) -> (device: 0, name: GeForce GTX TITAN X, pci bus id: 0000:02:00.0)
# Creating TensorFlow device (/gpu:1) -> (device: 1, name: GeForce GTX 970, pci bus id: 0000:05:00.0)
# ```
#
# `name` and the memory tell that `/gpu:1` is the small card. `pciBusID` is the slot that a card is in, whatever TensorFlow's numbers are
# (lesson 02). *Free* is less than *total* when other programs use the card (lesson 03). The matrix says which cards copy to each other
# directly: `N` between 0 and 1, so every transfer between these two passes through the computer's main memory. Today's lines say less, in
# other words:
#
# {{gpu record: start-up}}

# %% [markdown] exercise="log"
# ### Exercise 1 · Turn a placement log into a table
#
# Write `read_placement_log(text)`. It returns a list with one row `[name, type, device]` for each line that places an op, also where a line comes twice {#1}.
# The rows are in the log's order {#2}. There are three kinds of such lines:
#
# | line | row |
# | --- | --- |
# | `c: (MatMul): /job:localhost/replica:0/task:0/device:CPU:1` | `["c", "MatMul", "CPU:1"]` {#3} |
# | the same after a prefix: `I0000 00:00:1795238476.653355    5890 placer.cc:162] c: (MatMul): /job:…` | the same {#4} |
# | `Executing op MatMul in device /job:localhost/replica:0/task:0/device:CPU:0`, with or without a prefix | `["", "MatMul", "CPU:0"]`, since eager ops have no name {#5} |
#
# Of the device keep the type and the whole index: `CPU:12` {#6}. Lines that place nothing (start-up messages, warnings, results, empty lines) give no
# row; `retry: (2): later`, say, names no device {#7}. Ops that TensorFlow added, such as `_Arg`, are ops like others and have rows {#8}. A name has no spaces, but
# it may have slashes, dots and dashes {#9}.

# %% solution="log" kind="log"
def read_placement_log(text):
    """Turn the text of a placement log into rows.

    Args:
        text: str, any number of lines, placement lines among others.
    Returns:
        list of [name, type, device], all str; the name is "" where the log has none.
    """
    ### BEGIN SOLUTION
    import re

    device = r"/job:\w+/replica:\d+/task:\d+/device:(\w+:\d+)"
    graph_line = re.compile(rf"(?:^|\] )(\S+): \((\w+)\): {device}$")
    eager_line = re.compile(rf"(?:^|\] )Executing op (\w+) in device {device}$")
    rows = []
    for line in text.splitlines():
        in_graph = graph_line.search(line.strip())
        eager = eager_line.search(line.strip())
        if in_graph:
            rows.append(list(in_graph.groups()))
        elif eager:
            rows.append(["", *eager.groups()])
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

# %% check="log-graph" points=1 title="Lines of a graph become rows"
where = "/job:localhost/replica:0/task:0/device:CPU:"
text = f"d/ReadVariableOp: (ReadVariableOp): {where}0\nd: (AddV2): {where}2\na: (Const): {where}1\n"
got = read_placement_log(text)
right = [["d/ReadVariableOp", "ReadVariableOp", "CPU:0"], ["d", "AddV2", "CPU:2"],
         ["a", "Const", "CPU:1"]]
told = Told(asked="the rows of a graph's log, whose names are d/ReadVariableOp, d and a",
            got=got, expected=right, reread="section 6, The placement log")
assert type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
got = [list(row) for row in got]
assert got != [[kind, name, device] for name, kind, device in right], told(
    "name and type are swapped: the name comes first")
assert not any("/job:" in str(row[2]) for row in got), told(
    "the device still has its job, replica and task")
assert not any(row[:1] == ["ReadVariableOp"] for row in got), told(
    "the name was cut at its slash; a name may contain slashes")
assert got != right[1:], told("the line whose name has a slash gives no row")
assert got != sorted(right), told("the rows are sorted; they belong in the log's order")
assert got == right, told()

# %% check="log-prefix" points=1 title="A prefix changes nothing"
where = "/job:localhost/replica:0/task:0/device:CPU:"
text = (f"I0000 00:00:1795238476.653355    5890 placer.cc:162] c: (MatMul): {where}0\n"
        f"W0000 00:00:1795238476.653357    5890 placer.cc:162] b: (Const): {where}3")
got = read_placement_log(text)
right = [["c", "MatMul", "CPU:0"], ["b", "Const", "CPU:3"]]
told = Told(asked="the rows of two lines with a prefix (I0000 ... placer.cc:162])", got=got,
            expected=right, reread="section 6, The placement log")
assert type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
got = [list(row) for row in got]
assert got, told("lines with a prefix give no row")
assert not any("placer" in str(row) or "]" in str(row[0]) for row in got), told(
    "the prefix became a part of the name")
assert got != [right[0]], told("only the line that begins with I gave a row; W is a level, too")
assert got == right, told()

# %% check="log-eager" points=1 title="Eager lines have no name"
where = "/job:localhost/replica:0/task:0/device:CPU:"
prefix = "I0000 00:00:1795238476.652172    5890 execute.cc:1775] "
text = f"{prefix}Executing op AddV2 in device {where}0\nExecuting op MatMul in device {where}2"
got = read_placement_log(text)
right = [["", "AddV2", "CPU:0"], ["", "MatMul", "CPU:2"]]
told = Told(asked="the rows of two eager lines (Executing op ...), one with a prefix", got=got,
            expected=right, reread="section 6, The placement log")
assert type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
got = [list(row) for row in got]
assert got, told("eager lines give no row: they look different from those of a graph")
assert got not in (right[:1], right[1:]), told(
    "one of the two lines gave no row: one has a prefix, the other none")
assert not any("/job:" in str(row[2]) for row in got), told(
    "on eager lines the device still has its job, replica and task")
assert [row[0] for row in got] != ["AddV2", "MatMul"], told(
    "the type is in the place of the name; an eager op has no name")
assert got == right, told()

# %% hidden="log-whole" points=2 title="A whole log, with other lines between"
where = "/job:localhost/replica:0/task:0/device:CPU:"
first, last = draw.sample(["a", "b", "z", "k"], 2)
name = f"{draw.choice(['tower', 'layer'])}{draw.randrange(2, 90)}"
kind = draw.choice(["Relu", "Tanh", "Sub"])
created = (f"Created device {where[:-4]}GPU:0 with 9600 MB memory:  -> device: 0, name: NVIDIA L4, "
           "pci bus id: 0000:41:00.0, compute capability: 8.9")
text = f"""WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
I0000 00:00:1795238474.096400    5890 cudart_stub.cc:31] Could not find cuda drivers ...
To enable the following instructions: AVX2 AVX512F FMA, in other operations, rebuild TensorFlow.

Device mapping: no known devices.
{name}: ({kind}): {where}3
W0000 00:00:1795238475.120000    5890 retry.cc:88] retry: (2): later
I0000 00:00:1795238476.653343    5890 placer.cc:162] {last}: (_Arg): {where}0
{first}: (_Arg): {where}0
I0000 00:00:1795238476.660012    5890 gpu_device.cc:2020] {created}
Executing op {kind} in device {where}1
tf.Tensor(
[[ 5.  8.]
 [13. 20.]], shape=(2, 2), dtype=float32)
Executing op {kind} in device {where}1
Executing op _EagerConst in device {where}0
a: (Const): {where}2
"""
got = read_placement_log(text)
right = reference.read_placement_log(text)
told = Told(asked="the rows of a whole log: messages, a result, seven placements", got=got,
            expected=right, reread="the text of exercise 1")
assert type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
got = [list(row) for row in got]
assert not any("retry" in str(row) or "Device mapping" in str(row) for row in got), told(
    "a line that places nothing became a row")
assert not any("GPU" in str(row) or "Created" in str(row) for row in got), told(
    "a start-up message became a row: Created device names a device, but no op is placed there")
assert got != [row for row in right if not row[1].startswith("_")], told(
    "ops that TensorFlow added, such as _Arg and _EagerConst, have no rows")
once = [row for position, row in enumerate(right) if row not in right[:position]]
assert got != once, told("a line that comes twice has one row; each line has a row of its own")
assert got == right or sorted(got) != sorted(right), told(
    "the rows are right, but not in the log's order")
assert got == right, told()

# %% hidden="log-devices" points=1 title="Long names, high indices, other devices"
high = draw.randrange(10, 60)
gpu = draw.randrange(2, 9)
scope = f"tower_{draw.randrange(2, 9)}/x-{draw.randrange(2, 9)}.y"
text = (f"x: (Relu): /job:localhost/replica:0/task:0/device:GPU:{gpu}\n"
        f"{scope}: (Relu): /job:worker/replica:0/task:2/device:CPU:{high}\n")
got = read_placement_log(text)
right = [["x", "Relu", f"GPU:{gpu}"], [scope, "Relu", f"CPU:{high}"]]
told = Told(asked=f"the rows of {written(text.splitlines())}", got=got, expected=right,
            reread="the text of exercise 1")
assert type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 3 for row in got), told(
    "the result is not a list of rows with three entries")
got = [list(row) for row in got]
assert not any("/job:" in str(row[2]) for row in got), told(
    "the device still has its job, replica and task")
assert got != [["Relu", "x", right[0][2]], ["Relu", scope, right[1][2]]], told(
    "name and type are swapped: the name comes first")
assert [row[2] for row in got] != [f"GPU:{gpu}", f"PU:{high}"], told(
    "the device is cut to a fixed length; an index may have two digits")
assert got != right[:1], told("the line with the long name and the job worker gives no row")
assert got == right, told()

# %% [markdown] exercise="pins"
# ### Exercise 2 · Ask, run, and say what came of it
#
# Write `asked_and_placed(pins, soft)`, an experiment with a `tf.function`. `pins` says what each op asks for: `{"a": "CPU:2", "b": "GPU:7", "c": ""}`;
# `""` is no pin. Names are lower-case letters, none is `x`, and none comes twice.
#
# The function takes a matrix `x` and has one matrix product for each entry of `pins`, in the dict's order, with that name: the first is `x @ x`, each later
# one is the product before it times `x` {#1}. Its result is the last product. Run it once for `x = [[1, 1], [0, 1]]`, a float32 matrix {#8}, with soft placement as `soft` says {#2}, and return a dict of plain values:
#
# | key | value |
# | --- | --- |
# | `"asked"` | `{op: request}`, as the graph has it: `"/device:CPU:2"`, or `""` {#3} |
# | `"placed"` | `{op: device}`, where the record of the run says that it was: `"CPU:2"` {#4} |
# | `"value"` | the result, as a list of rows {#5} |
#
# If the run fails with TensorFlow's error, `"placed"` is `{}`, `"value"` is `None`, and `"asked"` is there all the same {#6}. Whatever happens, the process's setting for soft
# placement is afterwards what it was before {#7}.
#
# Example: with the pins above and soft placement, `"placed"` is `{"a": "CPU:2", "b": "CPU:0", "c": "CPU:0"}` on a machine without a GPU, and `"value"` is
# `[[1.0, 4.0], [0.0, 1.0]]`. You need sections 4 and 5.

# %% grading="skip"
def with_soft_placement(before, function, *arguments):
    """Call a function under a setting; return [its result, the setting afterwards]."""
    tf.config.set_soft_device_placement(before)
    try:
        result = function(*arguments)
        return [result, tf.config.get_soft_device_placement()]
    finally:
        tf.config.set_soft_device_placement(True)

# %% solution="pins" kind="today"
def asked_and_placed(pins, soft):
    """Run a tf.function of products with these pins; report requests and placements.

    Args:
        pins: dict, op name -> device asked for, such as "CPU:2"; "" for no pin. At least one.
        soft: bool, whether soft placement is on in the run.
    Returns:
        dict with the keys "asked", "placed" and "value", as the text says.
    """
    ### BEGIN SOLUTION
    @tf.function
    def products(x):
        value = x
        for name, pin in pins.items():
            with tf.device(pin):
                value = tf.matmul(value, x, name=name)
        return value

    x = tf.constant([[1., 1.], [0., 1.]])
    graph = products.get_concrete_function(x).graph
    asked = {name: graph.get_operation_by_name(name).device for name in pins}
    before = tf.config.get_soft_device_placement()
    tf.config.set_soft_device_placement(soft)
    try:
        value, metadata = trace_function(products, x)
    except tf.errors.InvalidArgumentError:
        return {"asked": asked, "placed": {}, "value": None}
    finally:
        tf.config.set_soft_device_placement(before)
    placed = placement_of(metadata)
    return {
        "asked": asked,
        "placed": {name: placed[name] for name in pins},
        "value": value.numpy().tolist(),
    }
    ### END SOLUTION

def experiment(pins, soft, before):
    """Given, for the checks: your function under the setting `before`, and the setting after it."""
    return with_soft_placement(before, asked_and_placed, pins, soft)

# %% try="pins"
try:
    for soft in (True, False):
        report = asked_and_placed({"a": "CPU:2", "b": "GPU:7", "c": ""}, soft)
        print(f"soft={soft}:", report)
except NotImplementedError as error:
    print(error)

# %% check="pins-soft" points=2 title="With soft placement: asked, placed, value"
pins = {"a": "CPU:3", "b": "GPU:7", "c": "CPU:1", "d": "CPU:9"}
got, _ = experiment(dict(pins), True, True)
home = "GPU:0" if "'GPU:0'" in str(got) else "CPU:0"    # where an op without a pin goes
right = {"asked": {name: f"/device:{pin}" for name, pin in pins.items()},
         "placed": {"a": "CPU:3", "b": home, "c": "CPU:1", "d": home},
         "value": [[1., 5.], [0., 1.]]}
told = Told(asked=f"asked_and_placed({pins}, True)", got=got, expected=right,
            reread="section 5, The ops of a tf.function")
assert isinstance(got, dict) and set(got) == {"asked", "placed", "value"}, told(
    "the result is not a dict with the keys asked, placed and value")
assert got["asked"] != pins, told(
    "asked repeats the argument; the graph keeps the request as op.device")
assert got["asked"] == right["asked"], told()
assert got["placed"] != {}, told(
    "the run failed: an impossible pin is an error only without soft placement")
assert got["placed"] != pins and got["placed"] != right["asked"], told(
    "placed repeats the requests; a pin is a request, and the record says what happened")
assert got["placed"] != dict.fromkeys(pins, home), told(
    "all ops have the device that a function's result has; ask the record of the run")
assert got["placed"] == right["placed"], told()
assert type(got["value"]) is list, told("value is not a list of rows: .numpy().tolist()")
assert "." in str(got["value"]), told("the values are whole numbers: x is a float32 matrix")
assert got["value"] != [[1., 4.], [0., 1.]], told(
    "the value is that of one product less: the first is x @ x")
assert got["value"] != [[1., 2.], [0., 1.]], told(
    "each product here is x @ x; a later one multiplies the product before it by x")
assert got["value"] == right["value"], told()

# %% check="pins-hard" points=2 title="Without soft placement: an impossible pin fails"
pins = {"a": "CPU:1", "b": "CPU:8"}
possible = {"a": "CPU:1", "b": "CPU:3"}
failed, _ = experiment(dict(pins), False, True)
ran, _ = experiment(dict(possible), False, True)
right = {"asked": {"a": "/device:CPU:1", "b": "/device:CPU:8"}, "placed": {}, "value": None}
told = Told(asked=f"asked_and_placed({pins}, False)", got=failed, expected=right,
            reread="section 4, Asking for a device that is not there")
assert isinstance(failed, dict) and set(failed) == {"asked", "placed", "value"}, told(
    "the result is not a dict with the keys asked, placed and value")
assert not failed["placed"] or failed["placed"].get("b") != "CPU:0", told(
    "the impossible pin was dropped: soft placement was on in this run")
assert failed["asked"], told("the graph is there also when its run fails; asked must not be empty")
assert failed == right, told()
told = Told(asked=f"asked_and_placed({possible}, False)", got=ran, reread=told.reread,
            expected={"asked": {"a": "/device:CPU:1", "b": "/device:CPU:3"}, "placed": possible,
                      "value": [[1., 3.], [0., 1.]]})
assert isinstance(ran, dict) and ran.get("placed") == possible, told()
assert type(ran.get("value")) is list, told("value is not a list of rows: .numpy().tolist()")
assert ran == told.expected, told()

# %% check="pins-setting" points=1 title="The setting is afterwards what it was"
import numpy as np

told = Told(asked="the setting of soft placement after your function", got="",
            expected="the same setting", reread="the text of exercise 2")
cases = [("CPU:1", True, False), ("CPU:1", False, True), ("CPU:8", False, True),
         ("CPU:1", True, True), ("CPU:1", False, False)]
for pin, soft, before in cases:
    pins = {"a": pin}
    result, after = experiment(dict(pins), soft, before)
    told.got = f"{before} before asked_and_placed({pins}, {soft}), and {after} after it"
    assert isinstance(result, dict), told("the function returns no dict")
    assert result or pin == "CPU:8", told("the function returns an empty dict where all can run")
    value = np.asarray(result.get("value"))
    ran = value.shape == (2, 2) and value[0, 1] > 0 and result.get("placed") and result.get("asked")
    assert pin == "CPU:8" or ran, told("nothing of a run that all can do: asked, placed, a matrix")
    assert after == before or pin != "CPU:8", told(
        "after a run that fails, the setting is not put back")
    assert after == before, told("the setting is not put back as it was")

# %% hidden="pins-drawn" points=2 title="Other names and devices"
names = draw.sample(["red", "green", "blue", "left", "right", "total"], 4)
one, two = draw.sample(["CPU:1", "CPU:2", "CPU:3"], 2)
far = draw.choice(["CPU:7", "GPU:9", "CPU:11"])
pins = dict(zip(names, [one, far, "", two]))
for soft in (True, False):
    got, after = experiment(dict(pins), soft, not soft)
    placed = dict(zip(names, [one, "CPU:0", "CPU:0", two]))
    right = {"asked": {name: pin and f"/device:{pin}" for name, pin in pins.items()},
             "placed": placed if soft else {},
             "value": [[1., 5.], [0., 1.]] if soft else None}
    told = Told(asked=f"asked_and_placed({pins}, {soft})", got=got, expected=right,
                reread="section 5, The ops of a tf.function")
    assert isinstance(got, dict) and set(got) == {"asked", "placed", "value"}, told(
        "the result is not a dict with the keys asked, placed and value")
    assert got["asked"] != pins, told(
        "asked repeats the argument; the graph keeps the request as op.device")
    assert soft or not got["placed"], told(
        "the impossible pin was dropped: soft placement was on in this run")
    assert got["placed"] == right["placed"], told()
    assert not soft or type(got["value"]) is list, told(
        "value is not a list of rows: .numpy().tolist()")
    assert not soft or "." in str(got["value"]), told(
        "the values are whole numbers: x is a float32 matrix")
    assert got == right, told()
    told.got = f"the setting {after} after the call"
    told.expected = f"the setting {not soft}, as before the call"
    assert after == (not soft), told("the setting of soft placement is not put back as it was")

# %% [markdown]
# ## 7 A Keras layer's variables
#
# Now the problem of the opening: two layers, and a device scope around each. CPU:1 and CPU:2 take the place of the two GPUs.

# %% grading="skip"
with tf.device("CPU:1"):
    first = tf.keras.layers.Dense(3, activation="relu", name="first")
with tf.device("CPU:2"):
    second = tf.keras.layers.Dense(2, name="second")
model = tf.keras.Sequential([first, second])

# %% predict="layers"
# Predict: on which device is the kernel (the matrix of weights) of `first`, of `second`?
kernel_devices = {"first": "...", "second": "..."}

# %% grading="skip"
rows = np.ones([5, 4], "float32")
model(rows)
for variable in model.variables:
    print(f"{variable.path:25}", short_device(variable.value.device))
seen = {layer.name: short_device(layer.kernel.value.device) for layer in model.layers}
compare_prediction("kernels", kernel_devices, seen, "The scopes were closed by then.")

# %% [markdown]
# Both layers are where everything goes by default. **A layer's constructor makes no variable and no op.** It only notes what you want.
# The variables are made in the layer's method `build`, on the first call, when the size of the input is known. The ops are made in
# its method `call`, each time that the layer is called, and once more when a `tf.function` traces it. Your scopes were closed by then.
#
# In the *functional* form, the scope is open when the layer is called for the first time:

# %% grading="skip"
inputs = tf.keras.Input([4])
with tf.device("CPU:1"):
    hidden = tf.keras.layers.Dense(3, activation="relu", name="first")(inputs)
with tf.device("CPU:2"):
    outputs = tf.keras.layers.Dense(2, name="second")(hidden)
functional = tf.keras.Model(inputs, outputs)
for variable in functional.variables:
    print(f"{variable.path:25}", short_device(variable.value.device))

# %% [markdown]
# That looks right. Is it? `trace_model` of the helpers runs a model once as a `tf.function`, with input and output on CPU:0.

# %% grading="skip"
_, metadata = trace_model(functional, rows)
draw_placement(metadata, "A functional model, built in scopes")

# %% [markdown]
# The variables are on CPU:1 and CPU:2, but every product is on CPU:0. Keras called each layer once with a *symbolic* input, inside the scopes, and that
# made the variables. When the model runs, it calls the layers again, and no scope is open. So **all weights travel at every step**.
# On a single device nothing would have to travel. Only the record shows it.
#
# The cure is a layer that opens the scope itself, in both methods. Here is a small layer of this kind, which multiplies each column by a weight:

# %% grading="skip"
class ScaleOn(tf.keras.layers.Layer):
    """Multiplies each column by a weight, on the device that it is given."""

    def __init__(self, device, **options):
        super().__init__(**options)
        self.device = device

    def build(self, input_shape):                # makes the variables
        with tf.device(self.device):
            self.scale = self.add_weight(
                shape=[input_shape[-1]], initializer="ones", name="scale")

    def call(self, inputs):                      # makes the ops
        with tf.device(self.device):
            return inputs * self.scale

# %% grading="skip"
layers = [ScaleOn("CPU:1", name="first"), ScaleOn("CPU:2", name="second")]
scaled = tf.keras.Sequential(layers)
_, metadata = trace_model(scaled, rows)
draw_placement(metadata, "Two layers that know their devices")

# %% [markdown]
# Now only the input, the activations and the output travel: three transfers, whatever the size of the weights.
#
# One thing is left: training. The gradients have ops of their own, and those were not made in your scopes:

# %% grading="skip"
@tf.function
def gradients(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(scaled(x))
    return tape.gradient(loss, scaled.trainable_variables)

_, metadata = trace_function(gradients, tf.constant(rows))
for name, device in placement_of(metadata).items():
    if name.endswith(("/mul", "/Mul", "/Mul_1")):
        print(f"{device}  {name}")

# %% [markdown]
# The products of the forward pass are on the layers' devices. Those of the backward pass, `gradient_tape/…`, have no pin and went to the first device; and there are more
# of them. So with scopes alone, most of a training step's work is done on the first GPU, and weights travel to it. Tools that split a model for training place the backward
# pass, too; lesson 09 measures what a split costs.

# %% [markdown] exercise="layers"
# ### Exercise 3 · Layers where you want them
#
# Write `placed_model(features, units, devices)`. It returns a Keras model whose layers are on the devices that you are given. The model takes batches of `features` columns
# and any number of rows {#1}. It is a chain of dense layers, each of which computes `inputs @ kernel + bias`: layer number `i` has `units[i]` outputs, a kernel of two dimensions and a bias of one {#2}. Each layer but the last
# ends with a ReLU {#3}.
#
# Kernel and bias of layer `i` are on `devices[i]` {#4}. So are its product, its addition and its ReLU, when the model runs in a `tf.function` {#5}: no weight ever travels. A device may be
# in the list twice, and `CPU:0` is a device like others {#6}. `fit` trains all kernels and biases {#7}.
#
# Example: `placed_model(4, [3, 2], ["CPU:1", "CPU:2"])` is the model of section 7, as it was meant. Which class it has, which layers and which names, is up to you.

# %% solution="layers" kind="today"
def placed_model(features, units, devices):
    """Build a chain of dense layers, each on its device.

    Args:
        features: int, columns of the input.
        units: list of int, the number of outputs of each layer, at least one.
        devices: list of str such as "CPU:1", the device of each layer, as many as units.
    Returns:
        a Keras model.
    """
    ### BEGIN SOLUTION
    class DenseOn(tf.keras.layers.Dense):
        def __init__(self, units, device, **options):
            super().__init__(units, **options)
            self.device = device

        def build(self, input_shape):
            with tf.device(self.device):
                super().build(input_shape)

        def call(self, inputs):
            with tf.device(self.device):
                return super().call(inputs)

    model = tf.keras.Sequential([tf.keras.Input([features])])
    for number, (size, device) in enumerate(zip(units, devices), start=1):
        model.add(DenseOn(size, device, activation="relu" if number < len(units) else None))
    return model
    ### END SOLUTION

def layers_report(features, units, devices, kernels, biases, x):
    """Given, for the checks: your model with these weights, run once, and where all of it was."""
    return report_model(placed_model(features, units, devices), kernels, biases, x)

def layers_trained(features, units, devices, x):
    """Given, for the checks: your model after an epoch of fit."""
    return train_model(placed_model(features, units, devices), x)

# %% try="layers"
try:
    model = placed_model(4, [3, 2], ["CPU:1", "CPU:2"])
    _, metadata = trace_model(model, np.ones([5, 4]))
    draw_placement(metadata, "placed_model(4, [3, 2], [CPU:1, CPU:2])")
    ones, zeros = [np.ones([4, 3]), np.ones([3, 2])], [np.zeros(3), np.zeros(2)]
    print(report_model(model, ones, zeros, np.ones([1, 4])))
except NotImplementedError as error:
    print(error)

# %% check="layers-computes" points=2 title="It computes what the text says"
kernels = [[[1., -1., 2.], [0., 1., 1.]], [[1., -2.], [2., 0.], [0., 1.]]]
biases = [[1., 0., -1.], [-9., 0.5]]
x = [[1., 2.], [-1., 1.]]
got = layers_report(2, [3, 2], ["CPU:1", "CPU:2"], kernels, biases, x)
told = Told(asked="placed_model(2, [3, 2], ['CPU:1', 'CPU:2']) with set weights, for two rows",
            got=got, expected="kernels of the shapes [2, 3] and [3, 2], "
                              "output [[-5.0, -0.5], [-5.0, 0.5]]",
            reread="the text of exercise 3")
assert isinstance(got, dict), told("placed_model returns no Keras model")
told.got = {key: got[key] for key in ("kernels", "biases", "output")}
shapes = [shape for shape, _ in got["kernels"]]
assert shapes, told(
    "Keras knows no kernel of this model: make it with add_weight, or take Keras's own layers")
assert [1, 3] not in shapes, told(
    "a bias of the shape [1, units] is a matrix: give it one dimension, [units]")
assert shapes != [[2, 3]], told("there is one layer; units has two entries")
assert shapes == [[2, 3], [3, 2]], told()
assert [shape for shape, _ in got["biases"]] == [[3], [2]], told(
    "the kernels are right, the biases are not")
assert got["output"] != [[0., 0.], [0., 0.5]], told("the last layer ends with a ReLU, too")
assert len(got["output"]) == 2, told("the output has another number of rows than the input")
assert got["output"] != [[-5., -0.5], [-5., -1.5]], told("no layer ends with a ReLU")
assert got["output"] == [[-5., -0.5], [-5., 0.5]], told()

# %% check="layers-variables" points=2 title="Kernels and biases are on their devices"
kernels, biases = [[[1., 2.]], [[1.], [1.]]], [[0., 0.], [0.]]
got = layers_report(1, [2, 1], ["CPU:3", "CPU:1"], kernels, biases, [[1.]])
told = Told(asked="placed_model(1, [2, 1], ['CPU:3', 'CPU:1']): where its variables are", got=got,
            expected="kernel and bias of the first layer on CPU:3, of the second on CPU:1",
            reread="section 7, A Keras layer's variables")
assert isinstance(got, dict), told("placed_model returns no Keras model")
told.got = {key: got[key] for key in ("kernels", "biases")}
assert got["kernels"], told("Keras knows no kernel of this model")
assert got["biases"], told("Keras knows no bias of this model, of the shape [units]")
kernel_devices = [device for _, device in got["kernels"]]
bias_devices = [device for _, device in got["biases"]]
assert set(kernel_devices + bias_devices) not in ({"CPU:0"}, {"GPU:0"}), told(
    "all variables are on the default device: no scope was open when they were made, in build")
assert kernel_devices == ["CPU:3", "CPU:1"], told()
assert bias_devices == ["CPU:3", "CPU:1"], told("the kernels are right, the biases are not")

# %% check="layers-ops" points=2 title="The ops run there too, and no weight travels"
kernels, biases = [[[1., 2.]], [[1.], [1.]]], [[0., 0.], [0.]]
got = layers_report(1, [2, 1], ["CPU:2", "CPU:3"], kernels, biases, [[-1.]])
told = Told(asked="placed_model(1, [2, 1], ['CPU:2', 'CPU:3']): the record of a run", got=got,
            expected="a product on CPU:2, one on CPU:3, ReLU on CPU:2, three transfers",
            reread="section 7, A Keras layer's variables")
assert isinstance(got, dict), told("placed_model returns no Keras model")
told.got = {key: got[key] for key in ("ops", "moves")}
kinds = ("MatMul", "BatchMatMulV2", "Einsum")
products = sorted(device for kind in kinds for device in got["ops"].get(kind, []))
assert len(products) == 2, told("the run has not one matrix product for each layer")
assert set(products) not in ({"CPU:0"}, {"GPU:0"}), told(
    "the products are on the default device: no scope was open when call made them")
assert products == ["CPU:2", "CPU:3"], told()
relus = [device for kind in ("Relu", "Maximum") for device in got["ops"].get(kind, [])]
assert relus in ([], ["CPU:2"]), told("the products are right, the ReLU is not")
adds = sorted(device for kind in ("AddV2", "BiasAdd") for device in got["ops"].get(kind, []))
assert len(adds) != 2 or adds == products, told("the products are right, an addition is not")
sums = [kind for kind in got["sent"] if kind in ("AddV2", "BiasAdd")]  # the output may be one
assert len(sums) < 2 or got["output"] != [[0.]], told(
    "the ReLU is on the next layer's device: what moves there is the sum before it")
assert not any("(read)" in what for what, *_ in got["moves"]), told(
    "weights travel: the products are right, the variables are on other devices")
assert len(got["moves"]) == 3, told()

# %% hidden="layers-drawn" points=3 title="Other sizes, more layers, a device twice"
import numpy as np

def some(count):
    return [draw.choice([-2., -1., 1., 2., 3.]) for _ in range(count)]

def forward(x, kernels, biases, relu_after):
    h = x
    for number, (kernel, bias) in enumerate(zip(kernels, biases)):
        h = (np.array(h) @ np.array(kernel) + np.array(bias)).tolist()
        if number in relu_after:
            h = [[max(value, 0.) for value in row] for row in h]
    return h

features = draw.randrange(2, 5)
units = draw.sample(range(3, 6), 3)
units.append(units[1])  # a width may come twice, that of the last layer too
far, near = draw.sample(["CPU:1", "CPU:2", "CPU:3"], 2)
devices = [far, "CPU:0", near, far]
sizes = [features, *units]
rows = draw.randrange(2, 5)
seen = False
while not seen:  # until each ReLU, and one too many, shows in the output
    kernels = [[some(after) for _ in range(before)] for before, after in zip(sizes, sizes[1:])]
    biases = [some(size) for size in units]
    x = [some(features) for _ in range(rows)]
    right = forward(x, kernels, biases, {0, 1, 2})
    mistakes = [{0, 1, 2, 3}, {1, 2}, {0, 2}, {0, 1}, {0}, {1}, {2}, set()]
    others = [forward(x, kernels, biases, chosen) for chosen in mistakes]
    seen = all(other != right for other in others)
got = layers_report(features, units, devices, kernels, biases, x)
told = Told(asked=f"placed_model({features}, {units}, {devices}), a batch of {rows} rows", got=got,
            expected=f"a layer for each entry, on {devices}", reread="the text of exercise 3")
assert isinstance(got, dict), told("placed_model returns no Keras model")
told.got = {key: got[key] for key in ("kernels", "biases")}
assert len(got["kernels"]) >= 4, told(
    "there are fewer layers than entries; each entry has a layer, also where a device comes twice")
shapes = [list(pair) for pair in zip(sizes, sizes[1:])]
assert all(shape[0] > 1 for shape, _ in got["kernels"]), told(
    "a bias of the shape [1, units] is a matrix: give it one dimension, [units]")
assert [shape for shape, _ in got["kernels"]] == shapes, told(
    "the kernels have not the shapes of these units")
assert [shape for shape, _ in got["biases"]] == [[size] for size in units], told(
    "the biases have not the shapes of these units")
assert [device for _, device in got["kernels"]] == devices, told(
    "a kernel is not on the device of its layer")
assert [device for _, device in got["biases"]] == devices, told(
    "a bias is not on the device of its layer")
told.got, told.expected = got["output"], right
assert len(got["output"]) == rows, told("the output has another number of rows than the input")
pairs = [(a, b) for mine, theirs in zip(got["output"], right) for a, b in zip(mine, theirs)]
assert all(abs(a - b) < 0.5 for a, b in pairs), told(
    "the layers compute something else: a ReLU after each layer but the last, and none after that")
told.got = {key: got[key] for key in ("ops", "moves")}
told.expected = (f"products on {devices}, and five transfers: "
                 "the input, three activations, the output")
kinds = ("MatMul", "BatchMatMulV2", "Einsum")
products = sorted(device for kind in kinds for device in got["ops"].get(kind, []))
assert products == sorted(devices), told("a product is not on the device of its layer")
relus = sorted(device for kind in ("Relu", "Maximum") for device in got["ops"].get(kind, []))
assert relus in ([], sorted(devices[:3])), told("a ReLU is not on the device of its layer")
adds = sorted(device for kind in ("AddV2", "BiasAdd") for device in got["ops"].get(kind, []))
assert len(adds) != 4 or adds == sorted(devices), told(
    "an addition is not on the device of its layer")
sums = [kind for kind in got["sent"] if kind in ("AddV2", "BiasAdd")]  # the output may be one
assert len(sums) < 2, told(
    "a ReLU is on the next layer's device: what moves there is the sum before it")
assert not any("(read)" in what for what, *_ in got["moves"]), told("weights travel")
assert len(got["moves"]) == 5, told()

# %% hidden="layers-trained" points=1 title="fit trains every kernel"
first, second = draw.sample(["CPU:1", "CPU:2", "CPU:3"], 2)
x = [[1., 2., 3.], [2., 1., 0.], [1., 1., 1.], [0., 2., 1.]]
got = layers_trained(3, [16, 64], [first, second], x)
told = Told(asked="one epoch of fit", got=got, expected="both kernels changed",
            reread="the text of exercise 3")
assert isinstance(got, dict), told("placed_model returns no Keras model")
assert got["changed"], told("Keras finds no kernel that fit could train")
assert all(shape[0] > 1 for shape, _ in got["kernels"]), told(
    "a bias of the shape [1, units] is a matrix: give it one dimension, [units]")
assert all(got["changed"]), told("a kernel stayed as it was: fit does not train it")
assert len(got["changed"]) == 2, told()
told.expected = "both kernels and both biases changed"
assert len(got["biases"]) == 2 and all(got["biases"]), told("a bias stayed as it was: fit does not train it")

# %% [markdown]
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.
#
# ## Sitting 2 · Graphs and sessions: the same, with more to see
#
# ## 8 A session and its log
#
# TensorFlow 1 had no eager mode. A program wrote a graph and ran it in a **session**. The form is still there, as `tf.compat.v1`, and it is a good
# microscope: graphs and devices are yours, and nothing happens behind your back. You need four words. A *placeholder* is an op whose value you give when
# you run the graph: you **feed** it. What you want to have, you **fetch**: `session.run(fetch, feed)`. `get_variable` makes a variable in a graph. A
# graph as data is a `GraphDef`: `as_graph_def` writes one, `import_graph_def` reads one.

# %% grading="skip"
v1 = tf.compat.v1
with tf.Graph().as_default() as graph:
    a = tf.constant([[1., 2], [3, 4]], name="a")
    b = tf.constant([[3., 4], [1, 2]], name="b")
    c = tf.matmul(a, b, name="c")

# %% grading="skip"
config = v1.ConfigProto(log_device_placement=True, device_count={"CPU": 4, "GPU": 0})
with native_output() as log, v1.Session(graph=graph, config=config) as session:
    product = session.run(c)
print(log.text)
print(product)

# %% [markdown]
# The session writes its placement log whenever you ask, not only at the start of a process. `native_output` keeps it in its cell, and `device_count` gives the
# session four CPUs and hides GPUs, so that everybody reads the same log. `c` comes before `a` and `b` because the placer decides ops without inputs last; it is
# not the order of running.
#
# Now a 2×3 matrix times a 3×2 matrix. Only the product is pinned, to CPU:1.

# %% grading="skip"
def pinned_product(device):
    with tf.Graph().as_default() as graph:
        a = tf.constant([1., 2, 3, 4, 5, 6], shape=[2, 3], name="a")
        b = tf.constant([1., 2, 3, 4, 5, 6], shape=[3, 2], name="b")
        with tf.device(device):
            tf.matmul(a, b, name="c")
    return graph

# %% grading="skip"
graph = pinned_product("/device:CPU:1")
with native_output() as log, v1.Session(graph=graph, config=config) as session:
    product = session.run("c:0")
print(log.text)
print(product)

# %% [markdown]
# Nobody pinned `a` and `b`, and they went along to CPU:1. If all readers of a *constant* are on **one** device, the placer puts the constant there,
# so that nothing has to move. (If a constant of up to 16 numbers has readers on *several* devices, each gets a copy, such as `a/replicate/_0`.) A variable has no
# inputs either, but it does **not** follow its readers: it stays where it was pinned, or on the default device. Section 10 shows it.
#
# ## 9 Several devices, one result
#
# A product on each of two devices, and the sum on the CPU:

# %% grading="skip"
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
# Predict: how many ops has the graph, and how many transfers does a run make?
# (A taken name gets a suffix: a, a_1, ...)
ops_and_transfers = [..., ...]

# %% grading="skip"
graph = two_device_sum(["/device:CPU:1", "/device:CPU:2"])
total, metadata = run_and_trace(graph, "total:0")
print(total)
seen = [len(graph.get_operations()), len(transfers_of(metadata))]
compare_prediction("ops, transfers", ops_and_transfers, seen, "Each product travels.")

# %% grading="skip"
draw_placement(metadata, "A product on each of two devices, the sum on CPU:0")

# %% [markdown]
# `run_and_trace` runs a graph in a session and asks for the record: `RunOptions(output_partition_graphs=True)` makes `session.run` fill a `RunMetadata`
# with the partitions that you know from section 5. It turns TensorFlow's graph optimizer off. Left on, the optimizer would see that both inputs of each
# product are constants, and work it out before the run (*constant folding*): no product would be left to look at.
#
# *GPU extra.* The same graph on your GPUs, if you have any. It runs in another Python, which sees the first two cards
# (lesson 02 tells how). With one card, soft placement puts both products on it.

# %%
%%writefile on_gpus.py
import tensorflow as tf

v1 = tf.compat.v1
with tf.Graph().as_default() as graph, open("on_gpus.pb", "rb") as file:
    tf.import_graph_def(v1.GraphDef.FromString(file.read()), name="")
with v1.Session(graph=graph, config=v1.ConfigProto(allow_soft_placement=True)) as session:
    print([device.name for device in session.list_devices() if device.device_type == "GPU"])
    print(session.run("total:0").tolist())

# %% grading="skip"
import shutil

if shutil.which("nvidia-smi"):
    two_cards = two_device_sum(["/device:GPU:0", "/device:GPU:1"]).as_graph_def()
    with open("on_gpus.pb", "wb") as file:
        file.write(two_cards.SerializeToString())
    sees_two = {**os.environ, "CUDA_VISIBLE_DEVICES": "0,1"}
    command = [sys.executable, "on_gpus.py"]
    child = subprocess.run(command, env=sees_two, capture_output=True, text=True)
    print(child.stdout or child.stderr[-500:])
else:
    print("No GPU here, so there is nothing to run. Nothing that is graded needs one.")

# %% [markdown]
# Exercises 4 and 5 return a graph as bytes. This is how, there and back:

# %% grading="skip"
data = graph.as_graph_def().SerializeToString()
names = [node.name for node in v1.GraphDef.FromString(data).node]
print(data[:20], "...", names)

# %% [markdown] exercise="spread"
# ### Exercise 4 · Spread the work
#
# Write `spread(n, devices)`. It builds a graph and returns it as the bytes of a `GraphDef` {#1}.
#
# * The graph has `n` ops of type `MatMul`, no more {#2}. Number `i`, counted from 1, multiplies `[[1, 2], [3, 4]]` by `[[i, 0], [0, i]]`, in float32 {#3}.
# * Each of them is pinned to one of `devices` {#4}. They are spread evenly: no device has more than one product more than another {#5}.
# * An op named `total` adds all products {#6}. It is pinned to `/device:CPU:0`, whether or not that is one of `devices`, and all adding is done there {#7}.
#
# Example: `spread(3, ["/device:CPU:1", "/device:CPU:2"])` has two products on one of the two devices and one on the other, and `total` is
# 6 times `[[1, 2], [3, 4]]`: `[[6, 12], [18, 24]]`. All is run without soft placement.

# %% solution="spread" kind="graph"
def spread(n, devices):
    """Build a graph of n products, spread evenly over devices, and their sum on CPU:0.

    Args:
        n: int, 1 or more.
        devices: list of str such as "/device:CPU:1", at least one, no two the same.
    Returns:
        bytes: the graph as a serialized GraphDef.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[i % len(devices)]):
                matrix = tf.constant([[1., 2.], [3., 4.]])
                scale = tf.constant([[float(i), 0.], [0., float(i)]])
                products.append(tf.matmul(matrix, scale))
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

# %% check="spread-sum" points=2 title="Three products, and their sum"
import tensorflow as tf

devices = ["/device:CPU:1", "/device:CPU:2"]
answer = spread(3, list(devices))
told = Told(asked=f"spread(3, {devices})", got=f"a value of type {type(answer).__name__}",
            expected="bytes of a graph with three MatMul and total",
            reread="section 9, Several devices, one result")
assert type(answer) is bytes, told(
    "return graph.as_graph_def().SerializeToString(), not a graph or a result")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    assert False, told(
        "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
matmuls = [node.name for node in definition.node if node.op == "MatMul"]
told.got = f"a graph with {len(matmuls)} MatMul"
assert len(matmuls) == 3, told("there is one MatMul for each number from 1 to n, and no other")
assert any(node.name == "total" for node in definition.node), told(
    'no op is named total: write name="total"')
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=True)
with tf.compat.v1.Session(graph=graph, config=config) as session:
    total, *products = session.run(["total:0", *(f"{name}:0" for name in matmuls)])
made = sorted(product.tolist() for product in products)
told.got = f"products {written(made)}, total {written(total)} ({total.dtype})"
told.expected = "1, 2 and 3 times [[1, 2], [3, 4]], and their sum [[6, 12], [18, 24]], in float32"
assert total.dtype == "float32", told(
    f"the dtype is {total.dtype}: write float32 numbers, such as 1.")
factors = sorted(float(product[0][0]) for product in products)
assert factors != [0, 1, 2], told("the numbers go from 0 to n - 1; count from 1")
right = [[[i, 2 * i], [3 * i, 4 * i]] for i in (1, 2, 3)]
assert made == right, told("the products are others")
assert total.tolist() == [[6, 12], [18, 24]], told(
    "the products are right, but total is not the sum of all of them")

# %% check="spread-even" points=2 title="Evenly over the devices"
import collections
import tensorflow as tf

devices = ["/device:CPU:1", "/device:CPU:2", "/device:CPU:3"]
answer = spread(5, list(devices))
told = Told(asked=f"spread(5, {devices}): what the products ask for",
            got=f"a value of type {type(answer).__name__}",
            expected="two products on each of two devices, one on the third",
            reread="section 9, Several devices, one result")
assert type(answer) is bytes, told("return the bytes of the GraphDef: .SerializeToString()")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    assert False, told(
        "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
matmuls = [node for node in definition.node if node.op == "MatMul"]
asked = collections.Counter(node.device.split("device:")[-1] for node in matmuls)
counts = [f"{n} on {device or 'no device'}" for device, n in sorted(asked.items())]
told.got = ", ".join(counts) or "no MatMul"
assert asked, told("the graph has no MatMul")
assert len(matmuls) == 5, told("there is one MatMul for each number from 1 to n, and no other")
assert not asked[""], told("a product has no pin: it was not created inside a device scope")
assert set(asked) <= {"CPU:1", "CPU:2", "CPU:3"}, told(
    "a product asks for a device that is not in the list")
assert len(asked) > 1, told("all products ask for the same device")
assert sorted(asked.values()) == [1, 2, 2], told(
    "one device has over one product more than another")

# %% check="spread-total" points=1 title="total is pinned to CPU:0"
import tensorflow as tf

devices = ["/device:CPU:1", "/device:CPU:2"]
answer = spread(2, list(devices))
told = Told(asked=f"spread(2, {devices}): what total asks for",
            got=f"a value of type {type(answer).__name__}", expected="'/device:CPU:0'",
            reread="section 9, Several devices, one result")
assert type(answer) is bytes, told("return the bytes of the GraphDef: .SerializeToString()")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    assert False, told(
        "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
asked = {node.name: node.device for node in definition.node}
told.got = f"total asks for {asked['total']!r}" if "total" in asked else "no op of that name"
assert "total" in asked, told('no op is named total: give the sum name="total"')
assert asked["total"] not in devices, told("the sum was created inside the scope of a product")
assert asked["total"], told("the sum is not pinned; on a machine with a GPU it would go to the GPU")
assert asked["total"].upper().split("/")[-1].removeprefix("DEVICE:") == "CPU:0", told()

# %% hidden="spread-ran" points=3 title="A run: every product, and the adding, where they belong"
import tensorflow as tf

others = draw.sample(["/device:CPU:1", "/device:CPU:2", "/device:CPU:3"], 2)
devices = [others[0], "/device:CPU:0", others[1]]
n = draw.choice([5, 8, 11])
answer = spread(n, list(devices))
factor = n * (n + 1) // 2
told = Told(asked=f"spread({n}, {devices}), run without soft placement",
            got=f"a value of type {type(answer).__name__}",
            expected=f"{n} products, evenly on the three devices; total, and all adding, on CPU:0; "
                     f"its value is {factor} times [[1, 2], [3, 4]]",
            reread="the text of exercise 4")
assert type(answer) is bytes, told("return the bytes of the GraphDef: .SerializeToString()")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    assert False, told(
        "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
options = tf.compat.v1.RunOptions(output_partition_graphs=True)
metadata = tf.compat.v1.RunMetadata()
try:
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        value = session.run("total:0", None, options, metadata).tolist()
        ones = {f"{node.name}:0": [[1., 1.]] * 2 for node in definition.node if node.op == "MatMul"}
        of_ones = session.run("total:0", ones).tolist()
except (tf.errors.OpError, KeyError, ValueError, RuntimeError) as error:
    told.got = str(error).splitlines()[-1][:200]
    assert any(node.name == "total" for node in definition.node), told('no op is named total')
    assert False, told("the graph does not run without soft placement")
nodes = [node for part in metadata.partition_graphs for node in part.node]

def where(node):
    return node.device.split("device:")[1]

products = [node for node in nodes if node.op.endswith("MatMul")]
placed = sorted(where(node) for node in products)
total = [node for node in nodes if node.name == "total"]
told.got = f"MatMul on {placed}, total on {list(map(where, total))}, its value {written(value)}"
assert len(placed) == n, told("the run has not one MatMul for each number from 1 to n")
wanted = {device.split("device:")[1] for device in devices}
assert set(placed) <= wanted, told("a product ran on a device that is not in the list")
counts = sorted(placed.count(name) for name in wanted)
assert counts[-1] - counts[0] <= 1, told("one device has over one product more than another")
assert [where(node) for node in total] == ["CPU:0"], told("total ran on another device than CPU:0")
assert value == [[factor, 2 * factor], [3 * factor, 4 * factor]], told(
    "total is not the sum of the products 1 to n")
assert of_ones == [[n, n], [n, n]], told(
    "total has the right value, but it is not added up from the products")
after_products = set()
for _ in definition.node:
    for node in definition.node:
        sources = [source.lstrip("^").split(":")[0] for source in node.input]
        if any(name in after_products or name in {p.name for p in products} for name in sources):
            after_products.add(node.name)
adds = ("AddN", "AddV2", "Add", "Sum", "AccumulateNV2")
adding = sorted({where(node) for node in nodes if node.op in adds and node.name in after_products})
told.got = f"{told.got}; the products are added on {adding}"
assert total[0].op not in ("Identity", "IdentityN", "Snapshot"), told(
    "total only passes on a sum that another op has made")
assert adding in ([], ["CPU:0"]), told("a part of the adding ran on another device than CPU:0")

# %% hidden="spread-few" points=1 title="Fewer products than devices"
import tensorflow as tf

devices = draw.sample(["/device:CPU:0", "/device:CPU:3"], 2)
answer = spread(1, list(devices))
told = Told(asked=f"spread(1, {devices})", got=f"a value of type {type(answer).__name__}",
            expected="one MatMul, on one of the devices; total [[1, 2], [3, 4]]",
            reread="the text of exercise 4")
assert type(answer) is bytes, told("return the bytes of the GraphDef: .SerializeToString()")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    assert False, told(
        "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
asked = [node.device for node in definition.node if node.op == "MatMul"]
told.got = f"MatMul ask for {asked}"
assert len(asked) == 1, told("one product is one MatMul")
assert asked[0], told("the product has no pin: it was not created inside a device scope")
assert asked[0].split("device:")[-1] in [device.split("device:")[-1] for device in devices], told(
    "the product asks for a device that is not in the list")
assert any(node.name == "total" for node in definition.node), told(
    'no op is named total: write name="total"')
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=True)
with tf.compat.v1.Session(graph=graph, config=config) as session:
    told.got = session.run("total:0").tolist()
assert told.got != [[0, 0], [0, 0]], told("the only product has the number 0; count from 1")
assert told.got == [[1, 2], [3, 4]], told()

# %% [markdown]
# ## 10 Variables live on devices
#
# Three layers, each with its variable on another device, as in a network that is too large for one GPU:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    x = v1.placeholder(tf.float32, [1, 2], name="x")
    h = x
    for i in (1, 2, 3):
        with tf.device(f"/device:CPU:{i}"):
            w = v1.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
            h = tf.matmul(h, w, name=f"layer{i}")
output, metadata = run_and_trace(graph, h, {x: [[1., 1.]]})
print(output)
draw_placement(metadata, "Three layers on three devices")

# %% [markdown]
# Each variable is a `VarHandleOp`, and each use first reads it (`ReadVariableOp`), on the variable's device. Only activations travel: weights
# stay where they are. Had nobody pinned the variable, it would not have gone along with its reader, as a constant does:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    constant = tf.constant([[1., 2.]], name="constant")
    variable = v1.get_variable("variable", initializer=[[1.], [2.]])
    with tf.device("/device:CPU:1"):
        tf.matmul(constant, variable, name="product")
_, metadata = run_and_trace(graph, "product:0")
for name, device in placement_of(metadata).items():
    print(f"{device}  {name}")

# %% [markdown]
# Only `product` is pinned. The constant followed it to CPU:1; the variable and its read are on CPU:0, and the value travels.
#
# May a variable be pinned to one device and used by ops on another? Here two ops on CPU:2 use a variable on CPU:1.

# %% predict="one-or-two"
# Predict: is that allowed? If so, how often does the value travel to CPU:2? (0: not allowed)
travels = ...

# %% grading="skip"
with tf.Graph().as_default() as graph:
    with tf.device("/device:CPU:1"):
        shared = v1.get_variable("shared", initializer=[[1., 2.], [0., 1.]])
        value = tf.identity(shared, name="value")
    with tf.device("/device:CPU:2"):
        square = tf.matmul(value, value, name="square")
        tf.add(square, value, name="output")
output, metadata = run_and_trace(graph, "output:0")
draw_placement(metadata, "A variable on CPU:1, used on CPU:2")
seen = sum(target == "CPU:2" for _, _, target in transfers_of(metadata))
compare_prediction("transfers to CPU:2", travels, seen, "A tensor travels once.")

# %% [markdown]
# It is allowed: TensorFlow adds the transfer by itself. (Lesson 06 does the same between machines.) A **tensor** travels **once to each device that reads it**,
# however many ops there do. Here the tensor is `value`. A variable is not a tensor: each use of it makes a new read.
# **Change it:** write `value = shared` in place of the line with `tf.identity`. Predict the transfers. Then run.
#
# <details><summary>What you see then</summary>
#
# Three transfers of the variable's value: `square` reads the variable twice, `output` once, and each read is a tensor of its own.
# So read a variable once if several ops elsewhere need it.
# </details>
#
# ## 11 Device scopes: nested, computed, together
#
# Scopes nest. Each gives the parts that it names, and the inner one wins, **part by part**.

# %% grading="skip"
with tf.Graph().as_default():
    with tf.device("/job:worker/task:1"):
        with tf.device("/device:CPU:2"):
            print("p asks for", repr(tf.constant(1., name="p").op.device))
        with tf.device("/task:3"):
            print("q asks for", repr(tf.constant(1., name="q").op.device))
        with tf.device(None):
            print("r asks for", repr(tf.constant(1., name="r").op.device))

# %% [markdown]
# `None` forgets all scopes around it. A scope can also be a **function**: it is called for each new op and returns the op's request. `tf.device`
# takes no functions any more; `tf.compat.v1.device` does, in graphs. Lesson 07 uses one that sends variables to one job and all other ops to another.

# %% grading="skip"
def keep_or_last(op):
    return op.device or "/device:CPU:3"      # keep a request that an inner scope made

def always_last(op):
    return "/device:CPU:3"                   # forget it

for function in (keep_or_last, always_last):
    with tf.Graph().as_default(), v1.device(function), tf.device("/device:CPU:1"):
        print(f"{function.__name__}: asks for {tf.constant(1.).op.device}")

# %% [markdown]
# The inner scope is asked first, the outer function last, and **its answer replaces everything**. A function that does not look at `op.device` overrules every
# scope inside it.
#
# Last, an op can ask to be *with another op*, wherever that is. This is **colocation**:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    with tf.device("/device:CPU:2"):
        w = v1.get_variable("w", initializer=1.)
    with tf.device("/device:CPU:1"), graph.colocate_with(w.op):
        update = tf.add(w, 1., name="update")
print(repr(update.op.device), update.op.colocation_groups())

# %% [markdown]
# `colocate_with` beats the device scope around it. The placer keeps all members of the group `loc:@w` on one device. TensorFlow itself keeps reads and updates of
# a variable with the variable in this way.

# %% [markdown] exercise="repair"
# ### Exercise 5 · Repair the scope
#
# `broken_model(devices)` builds one layer for each device of the list: for `i` from 1 on a variable `w1`, `w2`, … and a product `layer1`,
# `layer2`, …, both meant for the `i`-th device. A sum, `output`, ends it. But it does not run, and with soft placement everything is on one
# device. Run the next two cells and read the error. (It names the first op that cannot be placed, one of those that belong to `w1`.) Who asks for a GPU?
#
# Write `repair(devices)`. It returns the **same graph with the right requests**, as the bytes of a `GraphDef` {#1}:
#
# * without soft placement, on a machine with four CPUs and no GPU, the graph runs {#2};
# * `layer1` is placed on the first device of the list, `layer2` on the second, and so on {#3}, and `w1`, `w2`, … are placed with them {#4};
# * `output` is placed on `CPU:0` {#5};
# * `x`, `output`, the products and the variables keep their names {#6}, and what is computed stays as it is {#7}.
#
# Example: in `repair(["/device:CPU:2", "/device:CPU:1"])`, `w1` and `layer1` are placed on `CPU:2`, `w2` and
# `layer2` on `CPU:1`, and for `x = [[1, 1]]` the `output` is 5.

# %% grading="skip"
def one_gpu(op):
    return "/device:GPU:0"          # "we have one GPU, so everything goes there"

def broken_model(devices):
    with tf.Graph().as_default() as graph, tf.compat.v1.device(one_gpu):
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                start = [[1., float(i)], [0., 1.]]
                w = tf.compat.v1.get_variable(f"w{i}", initializer=start)
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def()

# %% grading="skip"
import textwrap

def show_model(definition):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(definition, name="")
    try:
        value, metadata = run_and_trace(graph, "output:0", {"x:0": [[1., 1.]]})
        draw_placement(metadata, f"output = {value}")
    except tf.errors.InvalidArgumentError as error:
        print(textwrap.fill(f"InvalidArgumentError: {error.message.splitlines()[-2]}", 88))

show_model(broken_model(["/device:CPU:2", "/device:CPU:1"]))

# %% solution="repair" kind="graph"
def repair(devices):
    """Build the model of broken_model with the placement that was meant.

    Args:
        devices: list of str such as "/device:CPU:1", the device of each layer, at least one.
    Returns:
        bytes: the repaired graph as a serialized GraphDef.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph, tf.device("/device:CPU:0"):
        x = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        h = x
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

# %% check="repair-runs" points=2 title="It runs without soft placement, and computes the same"
import tensorflow as tf

def run(answer, x, told):
    """The output of a repaired graph without soft placement, and {op: device}."""
    told.got = f"a value of type {type(answer).__name__}"
    assert type(answer) is bytes, told("return the GraphDef's bytes: .SerializeToString()")
    try:
        definition = tf.compat.v1.GraphDef.FromString(answer)
    except Exception:
        assert False, told(
            "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
    names = {node.name for node in definition.node}
    told.got = f"ops {written(sorted(names))}"
    assert {"x", "output"} <= names, told("there is no op x, or none named output")
    gpus = sorted(node.name for node in definition.node if "GPU" in node.device.upper())
    told.got = f"requests for a GPU: {gpus}"
    assert not gpus, told("some requests still say GPU; without soft placement they are errors")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
    config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    options = tf.compat.v1.RunOptions(output_partition_graphs=True)
    metadata = tf.compat.v1.RunMetadata()
    try:
        with tf.compat.v1.Session(graph=graph, config=config) as session:
            session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
            value = session.run("output:0", {"x:0": x}, options, metadata).tolist()
    except (tf.errors.OpError, KeyError, ValueError, RuntimeError, TypeError) as error:
        told.got = str(error).split(" Make sure")[0].splitlines()[-1][:200]
        assert False, told("the graph does not run")
    nodes = [node for part in metadata.partition_graphs for node in part.node]
    return value, {node.name: node.device.split("device:")[1] for node in nodes}

devices, x = ["/device:CPU:3", "/device:CPU:1"], [[1., 1.]]
told = Told(asked=f"repair({devices}), run without soft placement for x = {x}", got="",
            expected="output is 5.0",
            reread="section 11, Device scopes: nested, computed, together")
value, where = run(repair(list(devices)), x, told)
told.got = f"output is {written(value)}"
assert value == 5, told("the graph computes something else now; change only the requests")

# %% check="repair-layers" points=2 title="Each layer and its variable are on their device"
import tensorflow as tf

def run(answer, x, told):
    """The output of a repaired graph without soft placement, and {op: device}."""
    told.got = f"a value of type {type(answer).__name__}"
    assert type(answer) is bytes, told("return the GraphDef's bytes: .SerializeToString()")
    try:
        definition = tf.compat.v1.GraphDef.FromString(answer)
    except Exception:
        assert False, told(
            "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
    names = {node.name for node in definition.node}
    told.got = f"ops {written(sorted(names))}"
    assert {"x", "output"} <= names, told("there is no op x, or none named output")
    gpus = sorted(node.name for node in definition.node if "GPU" in node.device.upper())
    told.got = f"requests for a GPU: {gpus}"
    assert not gpus, told("some requests still say GPU; without soft placement they are errors")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
    config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    options = tf.compat.v1.RunOptions(output_partition_graphs=True)
    metadata = tf.compat.v1.RunMetadata()
    try:
        with tf.compat.v1.Session(graph=graph, config=config) as session:
            session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
            value = session.run("output:0", {"x:0": x}, options, metadata).tolist()
    except (tf.errors.OpError, KeyError, ValueError, RuntimeError, TypeError) as error:
        told.got = str(error).split(" Make sure")[0].splitlines()[-1][:200]
        assert False, told("the graph does not run")
    nodes = [node for part in metadata.partition_graphs for node in part.node]
    return value, {node.name: node.device.split("device:")[1] for node in nodes}

devices = ["/device:CPU:2", "/device:CPU:1"]
told = Told(asked=f"repair({devices}): where it was placed", got="",
            expected="w1 and layer1 on CPU:2, w2 and layer2 on CPU:1",
            reread="section 11, Device scopes: nested, computed, together")
value, where = run(repair(list(devices)), [[1., 1.]], told)
placed = {name: where.get(name, "not there") for name in ("w1", "layer1", "w2", "layer2")}
told.got = placed
assert "not there" not in placed.values(), told("an op has another name, or is missing")
layers = [placed["layer1"], placed["layer2"]]
variables = [placed["w1"], placed["w2"]]
assert layers != ["CPU:0", "CPU:0"], told(
    "the products are on CPU:0: no request of an inner scope was left")
assert layers != ["CPU:1", "CPU:2"], told("the devices are taken in another order than the list's")
assert layers == ["CPU:2", "CPU:1"], told("a product is not on its layer's device")
assert variables == ["CPU:2", "CPU:1"], told(
    "the products are where they belong, but their variables are not")

# %% hidden="repair-more" points=2 title="Other devices, three layers"
import tensorflow as tf

def run(answer, x, told):
    """The output of a repaired graph without soft placement, and {op: device}."""
    told.got = f"a value of type {type(answer).__name__}"
    assert type(answer) is bytes, told("return the GraphDef's bytes: .SerializeToString()")
    try:
        definition = tf.compat.v1.GraphDef.FromString(answer)
    except Exception:
        assert False, told(
            "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
    names = {node.name for node in definition.node}
    told.got = f"ops {written(sorted(names))}"
    assert {"x", "output"} <= names, told("there is no op x, or none named output")
    gpus = sorted(node.name for node in definition.node if "GPU" in node.device.upper())
    told.got = f"requests for a GPU: {gpus}"
    assert not gpus, told("some requests still say GPU; without soft placement they are errors")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
    config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    options = tf.compat.v1.RunOptions(output_partition_graphs=True)
    metadata = tf.compat.v1.RunMetadata()
    try:
        with tf.compat.v1.Session(graph=graph, config=config) as session:
            session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
            value = session.run("output:0", {"x:0": x}, options, metadata).tolist()
    except (tf.errors.OpError, KeyError, ValueError, RuntimeError, TypeError) as error:
        told.got = str(error).split(" Make sure")[0].splitlines()[-1][:200]
        assert False, told("the graph does not run")
    nodes = [node for part in metadata.partition_graphs for node in part.node]
    return value, {node.name: node.device.split("device:")[1] for node in nodes}

first = draw.choice(["/device:CPU:2", "/device:CPU:3"])
rest = [f"/device:CPU:{index}" for index in range(4)]
rest.remove(first)
devices = [first, *draw.sample(rest, 2)]
x = [[float(draw.randrange(2, 9)), float(draw.randrange(2, 9))]]
told = Told(asked=f"repair({devices}), run without soft placement for x = {x}", got="",
            expected="each variable and product on its layer's device",
            reread="section 10, Variables live on devices")
value, where = run(repair(list(devices)), x, told)
right = {}
for i, device in enumerate(devices, start=1):
    right[f"w{i}"] = right[f"layer{i}"] = device.split("device:")[1]
placed = {name: where.get(name, "not there") for name in right}
told.got, told.expected = placed, right
assert "not there" not in placed.values(), told("an op has another name, or is missing")
layers = [name for name in right if name.startswith("layer") and placed[name] != right[name]]
variables = [name for name in right if name.startswith("w") and placed[name] != right[name]]
assert not layers, told("a product is not on its layer's device")
assert not variables, told("the products are where they belong, but their variables are not")
right = x[0][0] * 7 + x[0][1]
told.got, told.expected = f"output is {written(value)}", f"output is {written(right)}"
assert value == right, told(
    "the graph computes something else now; change only the requests")

# %% hidden="repair-output" points=1 title="output is on CPU:0, and all keep their kind"
import tensorflow as tf

def run(answer, x, told):
    """The output of a repaired graph without soft placement, and {op: device}."""
    told.got = f"a value of type {type(answer).__name__}"
    assert type(answer) is bytes, told("return the GraphDef's bytes: .SerializeToString()")
    try:
        definition = tf.compat.v1.GraphDef.FromString(answer)
    except Exception:
        assert False, told(
            "these bytes are no GraphDef: write graph.as_graph_def().SerializeToString()")
    names = {node.name for node in definition.node}
    told.got = f"ops {written(sorted(names))}"
    assert {"x", "output"} <= names, told("there is no op x, or none named output")
    gpus = sorted(node.name for node in definition.node if "GPU" in node.device.upper())
    told.got = f"requests for a GPU: {gpus}"
    assert not gpus, told("some requests still say GPU; without soft placement they are errors")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
    config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    options = tf.compat.v1.RunOptions(output_partition_graphs=True)
    metadata = tf.compat.v1.RunMetadata()
    try:
        with tf.compat.v1.Session(graph=graph, config=config) as session:
            session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
            value = session.run("output:0", {"x:0": x}, options, metadata).tolist()
    except (tf.errors.OpError, KeyError, ValueError, RuntimeError, TypeError) as error:
        told.got = str(error).split(" Make sure")[0].splitlines()[-1][:200]
        assert False, told("the graph does not run")
    nodes = [node for part in metadata.partition_graphs for node in part.node]
    return value, {node.name: node.device.split("device:")[1] for node in nodes}

devices = draw.sample(["/device:CPU:1", "/device:CPU:2", "/device:CPU:3"], 2)
answer = repair(list(devices))
told = Told(asked=f"repair({devices}): its ops", got="",
            expected="output on CPU:0, MatMul layer1 and layer2, variables w1 and w2",
            reread="the text of exercise 5")
value, where = run(answer, [[1., 1.]], told)
told.got = f"output on {where.get('output')}"
assert where.get("output") == "CPU:0", told("output is not on CPU:0")
kinds = {node.name: node.op for node in tf.compat.v1.GraphDef.FromString(answer).node}
told.got = {name: kinds.get(name, "not there") for name in ("layer1", "layer2", "w1", "w2")}
assert "Const" not in (kinds.get("w1"), kinds.get("w2")), told("the variables became constants")
assert list(told.got.values()) == ["MatMul", "MatMul", "VarHandleOp", "VarHandleOp"], told(
    "an op has another name, or is of another type")
told.got = "the same graph as for one device more"
assert repair([*devices, devices[0]]) != answer, told("the graph does not follow the list")

# %% [markdown]
# ## 12 Which device worked when
#
# `RunMetadata` also holds *step statistics*: when each op began and ended. Here each of two devices squares a matrix of 1000×1000; the sum has to wait for both.

# %% grading="skip"
with tf.Graph().as_default() as graph:
    products = []
    for i in (1, 2):
        with tf.device(f"/device:CPU:{i}"):
            x = tf.random.uniform([1000, 1000], name=f"x{i}")
            products.append(tf.matmul(x, x, name=f"product{i}"))
    tf.add_n(products, name="total")
run_and_trace(graph, "total:0")             # starts threads, too: look at the second run
_, metadata = run_and_trace(graph, "total:0")
draw_timeline(metadata, "Two devices, then one")

# %% [markdown]
# Every bar is an op. Where bars of two rows are above each other, two devices worked at once; the last line says for how long. (They share your cores: on a busy
# machine they may take turns.) **Change it:** pin both products to `CPU:1` and run the cell again. They may *still* overlap: one device can run two ops at
# once. Lesson 05 says when.
#
# ## 13 Pin, predict, run
#
# Choose a pin and a prediction for each of three ops: two products, and `total`, their sum. Then run the graph. Try a device that is not there, with
# and without soft placement. Can you make three transfers?
#
# <details><summary>Picture for reading without a kernel</summary>
#
# ![The widget with its answer. Pins: left CPU:1, right GPU:0, total none; soft placement is ticked. Predicted: left CPU:1, right GPU:0, total CPU:0. Placed: left on CPU:1, right on CPU:0, total on CPU:0, so the prediction for right was not so. One dashed arrow: the value of left moves from CPU:1 to CPU:0.](assets/01_widget.svg)
#
# </details>

# %% grading="skip"
pin_and_run()

# %% [markdown]
# ## 14 Break it and diagnose it
#
# Nobody gets an error here, and yet the product is not on CPU:2. Why?

# %% grading="skip"
with tf.Graph().as_default() as graph:
    x = tf.constant([[2.]])
    y = tf.matmul(x, x, name="y")
    with tf.device("/device:CPU:2"):
        value, metadata = run_and_trace(graph, y)
print("y asks for", repr(y.op.device), "and was placed on", placement_of(metadata)["y"])

# %% [markdown]
# A device scope marks ops **when they are created**. `y` was created before the scope; running it inside changes nothing. It is the mistake of section 7 once more.
#
# | you see | ask | cure |
# | --- | --- | --- |
# | error: *Cannot assign a device*, *Could not satisfy device specification* or *Unable to find any devices* | which op, what did it ask for, what is there? | ask for a device that exists, or allow soft placement on purpose |
# | error: *No OpKernel was registered* | which kernels exist, for which types? | another type of data, another op, or no pin |
# | no error, the wrong device, `op.device` is empty | was the op created inside the scope? In Keras: in `build` and `call`? | create it inside |
# | no error, the wrong device, `op.device` is right | is soft placement on? | switch it off and read the error |
# | no error, `op.device` is wrong | which outer scope is a function? | let it keep `op.device` |
# | all right, but slow | how many transfers, and do weights travel? | keep ops with the variables that they read |
# | *Virtual devices cannot be modified after being initialized* | did an op run first? | restart the kernel, configure first |
# | a `tf.function`'s result is on the caller's device | where were its ops? | read the record or the log; `.device` is the result's |
#
# ## 15 Back to the second GPU
#
# Your model of the opening had its scopes around the layers' *constructors*, where neither variables nor ops are made. So all of it went to the first GPU. To put it right:
#
# 1. open the scope where the variables are made (`build`) and where the ops are made (`call`), as in exercise 3;
# 2. print the device of every variable: `variable.value.device`;
# 3. look at a record of one step: products where their weights are, no weight on its way, and the backward pass on the first GPU, unless your tool places it;
# 4. only then measure whether two GPUs are worth it.
#
# ## Recap
#
# 1. A pin is a request, kept in `op.device`. A placement is what TensorFlow made of it.
# 2. No pin: the first GPU for ops with a GPU kernel, the first CPU for the others. Constants follow their readers, if these are on one device.
#    Variables do not: reads and updates go to the variable.
# 3. An impossible pin is an error when placement is hard; when it is soft, that one pin is dropped, silently.
# 4. A tensor that is read on another device travels there once, through `_Send` and `_Recv`. Each use of a variable is a read, and so a tensor, of its own.
# 5. Scopes count when an op or a variable is created; the inner one wins part by part; an outer function has the last word.
#
# Where the answers are: *what did I ask for?* `op.device`. *What was decided?* The placement log. *What ran where, and what travelled?* The partitions of a record.
# *When did each device work?* Its step statistics. *Where is this value?* `tensor.device`; for a Keras variable, `variable.value.device`.
#
# <details><summary>More: names then and now, and where to read on</summary>
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | `with tf.device("/gpu:0"):` | the same |
# | `ConfigProto(log_device_placement=True)` | `tf.debugging.set_log_device_placement(True)`, before the first op |
# | `ConfigProto(allow_soft_placement=True)`; a session is hard by default | `tf.config.set_soft_device_placement(True)`, already the default |
# | `ConfigProto(device_count={"CPU": 4})` | `tf.config.set_logical_device_configuration(cpu, [...] * 4)` |
# | `session.list_devices()` | `tf.config.list_logical_devices()` |
# | `RunMetadata` of `session.run` | `tf.summary.trace_on(graph=True)` and `trace_export`, for TensorBoard |
# | `tf.device(function)` | `tf.compat.v1.device(function)`, in graphs only |
# | `tf.colocate_with(op)` | `with tf.device(tensor.device):` |
#
# TensorFlow's guide [Use a GPU](https://www.tensorflow.org/guide/gpu) has manual placement and several GPUs on one page;
# [tf.debugging.set_log_device_placement](https://www.tensorflow.org/api_docs/python/tf/debugging/set_log_device_placement) describes the switch of section 6.
# </details>

# %% [markdown] exercise="pin_or_place"
# ### Exercise 6 · In your own words
#
# A colleague says: "I pinned the op to `/gpu:1`, so it runs on the second GPU. And what I do not pin runs on the first GPU anyway." Explain in four to seven
# sentences what is wrong or missing in this: what a pin is, and what placing is; two things that can make the pinned op run somewhere else, or not at all;
# which ops without a pin do not run on the first GPU. Say also how your colleague can find out where an op really ran.

# %% [markdown] written="pin_or_place" points=3
# ### BEGIN SOLUTION
# A pin is a request that is written into the graph. Placing is TensorFlow's decision where each op runs.
# ### END SOLUTION

# %% [markdown] model="pin_or_place"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# A pin is a *request*: `with tf.device("/gpu:1")` writes a device into the ops that are created inside it. *Placing* is what TensorFlow then
# does: it looks at the requests, the devices and the kernels, and gives each op a device. The two can differ. There may be no second GPU, or
# the op may have no GPU kernel for its data type: with soft placement the request is then dropped and the op runs on another device without a word; without
# soft placement the run fails. The op may also have been created outside the scope, an outer device function may have replaced the request, or the op may have to stay with a
# variable. Without a pin, ops without a GPU kernel (strings, JPEG decoding, products of integers) run on the CPU, constants follow their readers, and ops
# that read or change a variable go to the variable. The placement log, or the partitions of a run's record, show where an op ran.
#
# One point each: a pin is a request and placing is TensorFlow's decision, with two reasons why they differ; which unpinned ops are not on the first GPU; how to see
# where an op ran.
# </details>
