# %% [markdown]
# # Lesson 03 · GPU memory
#
# After this lesson you can
#
# 1. say why a second process dies with *out of memory* on a card that the first one hardly uses, and cure it in a
#    session, in a cluster's server and in today's TensorFlow;
# 2. work out how much memory a training step needs, and check that against TensorFlow's own counters;
# 3. read an out-of-memory report and tell a full card from a fragmented one.
#
# **Time:** about 110 minutes, of which 50 are exercises. Two sittings are better: after section 5 is a place to stop.
#
# **Hardware:** CPU only. The allocator that TensorFlow uses for GPUs also runs on a CPU, so you get a real card of
# 512 MiB. The cell marked *GPU extra* uses a GPU if there is one; it is never graded.
#
# Five grey cells come first. They are folded, because you need not read them. Run all five.

# %% include="quiet_start.py"

# %% include="checks.py"

# %% include="memory_card.py" grading="skip"

# %% include="memory_picture.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![Three bars, each a card of 16384 MiB. First bar, nothing is set: process 1 has a small context and 14448 MiB, though it needs 3000; process 2 has a context and the 911 MiB that were left, and dies. Second bar, a fraction of 0.4 each: both processes have a context and 6553 MiB, and run; 2478 MiB are free. Third bar, growth: both have a context and the 3000 MiB that they need, and run; 9584 MiB are free.](assets/03_one_card.svg)
#
# A TensorFlow process takes nearly all free memory of a card when it starts, whether it needs it or not. It does so on
# purpose: one large piece breaks up less than many small ones, and asking the driver is slow. The price is that the card has
# no room for anybody else.
#
# ## 1 Why the second process dies
#
# What a process takes if you set nothing:
#
# 1. CUDA itself makes a **context** for each process: some hundred MiB. It lies outside of everything that TensorFlow
#    counts.
# 2. TensorFlow takes what is free then, less a **reserve** for libraries such as cuDNN.
#
# The reserve stands in TensorFlow's source, in `gpu_device.cc`: 225 MiB if less than 2 GiB are free; otherwise it
# depends on the generation of the card, 1536 MiB for compute capability 8.

# %%
def takes(free):
    """MiB that TensorFlow takes of a card with `free` MiB left, beside the context (compute capability 8)."""
    reserve = 225 if free < 2048 else 1536
    return free - reserve if reserve < free else free

# %% predict="second-process"
# Predict: a card of 16384 MiB; a context takes 400. Process 1 multiplies two 2×2 matrices.
# Then process 2 starts.
# How many MiB does process 1 take beside its context? And process 2?
first_takes, second_takes = ..., ...

# %%
free, context_mib = 16384, 400
for process in (1, 2, 3):
    free -= context_mib
    if free < 0:
        print(f"process {process}: no room for its context: CUDA_ERROR_OUT_OF_MEMORY at start")
        break
    taken = takes(free)
    free -= taken
    print(f"process {process}: context {context_mib} MiB, tensors {taken} MiB; {free} MiB are left")

# %% [markdown]
# No process ran on a card here: this is the rule, worked out. (400 MiB is an example; cards and drivers differ.)
#
# Process 2 starts, with 911 MiB. It dies later, when its tensors need more, or when cuDNN asks for memory
# outside. Process 3 dies at start. So "it starts" does not mean "it fits".
#
# `nvidia-smi` shows what a process **took**, not what it uses. A card that looks full may be nearly idle.
#
# ## 2 Fraction and growth, in a session
#
# The classic form: two fields of `GPUOptions`, inside the session's `ConfigProto`.

# %%
v1 = tf.compat.v1
options = v1.GPUOptions(per_process_gpu_memory_fraction=0.4, allow_growth=True)
config = v1.ConfigProto(gpu_options=options)
with v1.Session(graph=tf.Graph(), config=config) as session:
    print(session.list_devices()[0].name)
print(config)

# %% [markdown]
# | field | what it does | the price |
# | --- | --- | --- |
# | `per_process_gpu_memory_fraction=0.4` | the process may take 0.4 of the **whole** card, not of what is free | you must know what each process needs; the context comes on top |
# | `allow_growth=True` | it begins with little and takes more when tensors need it | it never gives any back; nothing stops it from taking all; memory breaks up more |
# | both | it grows, up to the fraction | |
#
# A fraction above 1 is no mistake for TensorFlow: it switches to CUDA's *unified memory*, which spills into the host's memory
# over the bus, and is slow. And a session without a GPU says nothing at all, whatever you write:

# %%
wild = v1.GPUOptions(per_process_gpu_memory_fraction=7., visible_device_list="abc")
config_of_wild = v1.ConfigProto(gpu_options=wild, device_count={"GPU": 0})
with tf.Graph().as_default(), v1.Session(config=config_of_wild) as session:
    print(session.run(tf.constant("no complaint")))

# %% [markdown]
# So a configuration that "works on my laptop" proves nothing. Read the message itself, as you did above. The exercises
# do that, too.
#
# ## 3 In a server of a cluster
#
# In a cluster, the process that owns the cards is the **server**. (A *server*, `tf.distribute.Server`, is the part of a
# process that runs ops for others, its *clients*; lesson 06 builds clusters of them.) It makes its GPU devices once, with *its*
# configuration. A client that connects to it by `Session("grpc://…", config=…)` comes too late.
#
# CPUs show that, too. Here a server is made with three logical CPUs, and a session asks it for eight.

# %% predict="server"
# Predict: how many CPU devices does the session find: 1, 3 or 8?
cpu_devices = ...

# %%
three = v1.ConfigProto(device_count={"CPU": 3, "GPU": 0}, gpu_options=options)
eight = v1.ConfigProto(device_count={"CPU": 8, "GPU": 0})
server = tf.distribute.Server.create_local_server(config=three)
with v1.Session(server.target, graph=tf.Graph(), config=eight) as session:
    print([device.name[-5:] for device in session.list_devices()])

# %% [markdown]
# Three: the server's devices. Memory goes the same way. What a server was made with stands in its definition:

# %%
quiet_server = tf.distribute.Server.create_local_server(config=config, start=False)
print(quiet_server.server_def)

# %% [markdown]
# Look at `default_session_config`. Give the configuration to **every server whose process has a card**:
# `tf.distribute.Server(cluster, job_name, task_index, config=config)`. (`start=False` makes the server without letting
# anybody in, since we only read its definition.)
#
# The same holds inside one process: the *first* session makes the GPU devices. Later sessions in this process live with
# what it took.
#
# ## 4 Today's form, and the rules that it enforces
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | `GPUOptions(allow_growth=True)` | `tf.config.experimental.set_memory_growth(gpu, True)`, for each card |
# | `per_process_gpu_memory_fraction=0.4`: a share of the card | `set_logical_device_configuration(gpu, [LogicalDeviceConfiguration(memory_limit=6553)])`: MiB, a **hard limit** |
# | `experimental.virtual_devices`: one card as several devices | the same call, with several entries in the list |
# | `visible_device_list="0"` | `tf.config.set_visible_devices(gpus[:1], "GPU")` |
# | `Server(…, config=config)` | the same; or the calls above in each task, before its server starts |
# | – | `tf.config.experimental.get_memory_info("GPU:0")`: bytes in use and the peak |
#
# These calls check what you ask. The checks are Python code of TensorFlow that needs no card, only a list of cards. So we
# give it one: a *context* of its own, with **stand-in cards**. (This is
# TensorFlow's own book about its devices; it has nothing to do with CUDA's context of section 1.) The rules are TensorFlow's; the cards do not exist.

# %%
from tensorflow.python.eager import context as eager

def stand_in(cards):
    """A fresh TensorFlow context that believes in `cards` GPUs; returns (context, [gpu, ...])."""
    made = eager.Context()
    gpus = [tf.config.PhysicalDevice(f"/physical_device:GPU:{i}", "GPU") for i in range(cards)]
    devices = [tf.config.PhysicalDevice("/physical_device:CPU:0", "CPU"), *gpus]
    made._physical_devices, made._visible_device_list, made._pluggable_devices = devices, list(devices), []
    made._physical_device_to_index = {device: i for i, device in enumerate(devices)}
    made._memory_growth_map = {gpu: None for gpu in gpus}
    return made, gpus

# %%
def first_op(cards):
    """What the first op does to a context: its settings are checked as a whole, then it starts."""
    cards.config                                      # TensorFlow compares the cards here
    visible = cards._visible_device_list
    cards._visible_device_list = visible[:1]          # the real start does without the stand-ins
    cards.ensure_initialized()
    cards._visible_device_list = visible

# %%
def attempt(what, *arguments):
    """Make a request; say what TensorFlow says to it."""
    try:
        what(*arguments)
        print(f"ok     {what.__name__}")
    except (ValueError, RuntimeError) as error:
        print(f"error  {what.__name__}: {type(error).__name__}: {error}")

# %% predict="growth-differs"
# Predict: two cards; growth is set on the first one only. Is it an error? If so: at the call, or at start?
error, when = ..., ...

# %%
cards, (gpu0, gpu1) = stand_in(2)
attempt(cards.set_memory_growth, gpu0, True)
attempt(first_op, cards)
attempt(cards.set_memory_growth, gpu1, True)
attempt(first_op, cards)
print(cards.config.gpu_options)

# %% [markdown]
# `cards.set_memory_growth` is what `tf.config.experimental.set_memory_growth` calls. The error came at **start**, not at the
# call: a list of calls is checked as a whole then. All visible cards must agree.
#
# Now hard limits. Two entries make *two* logical GPUs of one card:

# %%
cards, (gpu0, gpu1) = stand_in(2)
piece = tf.config.LogicalDeviceConfiguration
attempt(cards.set_logical_device_configuration, gpu0, [piece(memory_limit=4096), piece(memory_limit=8192)])
attempt(cards.set_logical_device_configuration, gpu1, [piece()])
attempt(cards.set_memory_growth, gpu0, True)
attempt(cards.set_memory_growth, gpu1, True)
attempt(first_op, cards)
print(cards.config.device_count, cards.config.gpu_options.experimental)

# %% [markdown]
# Three logical GPUs: `GPU:0` and `GPU:1` share the first card, `GPU:2` is all of the second. The limit is a fence for
# each. So one card can play several, to try a program for many GPUs.
#
# Growth on `gpu1` was accepted. Look for it in the message: it is not there. **As soon as any card has limits, growth
# is dropped without a word.** The same happens if you set growth first, and limits afterwards.
#
# Last, time. A started process has made its devices:

# %%
attempt(cards.set_memory_growth, gpu1, False)
attempt(cards.set_memory_growth, gpu1, True)          # as it was: nothing to change
attempt(cards.set_logical_device_configuration, gpu0, [piece(memory_limit=1024)])
cpu = tf.config.list_physical_devices("CPU")[0]
attempt(tf.config.set_logical_device_configuration, cpu, [piece(memory_limit=1024)])

# %% [markdown]
# A CPU takes no limit.
#
# *GPU extra.* Two programs multiply 2×2 matrices on your card, one without growth and one with. Compare what TensorFlow
# uses with what `nvidia-smi` says is taken. (What they print is not recorded here yet.)

# %% grading="skip"
import os, subprocess, sys

gpu_program = """
import subprocess, tensorflow as tf
tf.ones([2, 2]) @ tf.ones([2, 2])
print("TensorFlow uses:", tf.config.experimental.get_memory_info("GPU:0"))
subprocess.run(["nvidia-smi", "--query-gpu=index,memory.used,memory.total", "--format=csv"])
"""
if tf.config.list_physical_devices("GPU"):
    for growth in ("false", "true"):
        print(f"--- growth {growth}; this takes some seconds", flush=True)
        settings = {**os.environ, "TF_FORCE_GPU_ALLOW_GROWTH": growth}
        done = subprocess.run([sys.executable, "-c", gpu_program], env=settings, timeout=120,
                              capture_output=True, text=True)
        print(done.stdout or done.stderr[-500:])
else:
    print("No GPU here, so there is nothing to run. Nothing that is graded needs one.")

# %% [markdown]
# ## 5 From outside: environment variables
#
# When you cannot change a program, you can still change its environment. TensorFlow reads these when the process makes
# its devices, so set them before it starts:
#
# | variable | what it does |
# | --- | --- |
# | `TF_FORCE_GPU_ALLOW_GROWTH=true` | growth on, whatever the program's configuration says; `false` forces it off. Other spellings, `1` too, are ignored with a message |
# | `TF_GPU_ALLOCATOR=cuda_malloc_async` | CUDA's own pool (CUDA 11.2 or later) in place of TensorFlow's allocator; TensorFlow's own report recommends it against fragmentation |
# | `TF_DEVICE_MIN_SYS_MEMORY_IN_MB=1024` | the reserve of section 1, in MiB |
# | `CUDA_VISIBLE_DEVICES=1` | which cards the process has at all (lesson 02) |
#
# In a cluster each task is a process, so each needs them in its own environment.
#
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## 6 Inside the card: best fit with coalescing
#
# What does a process do with the memory that it took? TensorFlow's GPU allocator is called **BFC**: *best fit with
# coalescing*. Its words:
#
# | word | means |
# | --- | --- |
# | region | a piece that was taken from the card |
# | chunk | a part of a region: in use or free |
# | best fit | a request gets the **smallest** free chunk that is large enough |
# | split | the rest of the chunk becomes a free chunk of its own |
# | coalesce | a chunk that is given back joins free neighbours |
#
# Your card of 512 MiB is managed by this very allocator: the grey cell "A card of 512 MiB" told TensorFlow to use
# it for the CPU device, and took all of the card in one region, as a process without growth does on a GPU. First, its smallest unit:

# %% predict="rounding"
# Predict: how many bytes does the card give for a tensor of 100 float32 values?
bytes_given = ...

# %% grading="skip"
before = in_use()
tensor = tf.fill([100], 1.)
print(in_use() - before, "bytes for", 4 * 100)
del tensor
print(in_use() - before, "bytes after del")

# %% [markdown]
# Chunks come in multiples of 256 bytes. And `del` gives the chunk back at once, to the allocator, **not to the card**: other
# processes get nothing of it.
#
# Now four tensors. `places` reads where their values really begin in memory.

# %% grading="skip"
held = {name: tensor_of(mib) for name, mib in {"a": 96, "b": 32, "c": 64, "d": 32}.items()}
rows = [("take a, b, c, d", places(held))]
draw_memory(rows, 512, "The card")

# %% predict="best-fit"
# Predict: a and c are given back. Then e asks for 32 MiB. Where does it begin: at 0, at 128, or at 224?
e_begins = ...

# %% grading="skip"
del held["a"], held["c"]
rows.append(("free a and c", places(held)))
held["e"] = tensor_of(32)
rows.append(("take e (32)", places(held)))
draw_memory(rows, 512, "Best fit")

# %% [markdown]
# There were three holes: 96 MiB at 0, 64 MiB at 128, 288 MiB at 224. The smallest that is large enough is the one at 128. It
# was **split**: e took the first half. (*First fit* would have broken the hole of 96 at 0.)
#
# Now b is given back, and f wants 128 MiB. Before, no hole but the last was that large.

# %% grading="skip"
del held["b"]
rows.append(("free b", places(held)))
held["f"] = tensor_of(128)
rows.append(("take f (128)", places(held)))
draw_memory(rows[2:], 512, "Coalescing")

# %% [markdown]
# The chunk of b and the free chunk before it became one of 128 MiB. That is **coalescing**.
#
# A split has a rule of its own: a chunk is split only if it is **at least twice** as large as the request (or 128 MiB
# would be left over). Otherwise the request gets all of it.

# %% predict="no-split"
# Predict: the last hole has 288 MiB. g asks for 176. How many MiB does the card count for it?
counted = ...

# %% grading="skip"
before = in_use()
held["g"] = tensor_of(176)
print((in_use() - before) / MIB, "MiB for a tensor of 176")

# %% [markdown]
# 112 MiB are lost inside g's chunk, and nobody gets them until g goes. This is *internal* fragmentation. The other kind lies
# between the chunks. Sixteen tensors of 32 MiB; every second one is given back:

# %% grading="skip"
held.clear()
held = {f"t{i}": tensor_of(32) for i in range(16)}
rows = [("take 16 × 32", places(held))]
for i in range(0, 16, 2):
    del held[f"t{i}"]
rows.append(("free every second", places(held)))
draw_memory(rows, 512, "Fragmentation")

# %% predict="fragmented"
# Predict: half of the card is free. You ask for 64 MiB. After a second another thread gives everything back.
# Do you get an error, or the memory at once, or the memory after a second?
you_get = "..."

# %% grading="skip"
import threading, time

start = time.monotonic()
threading.Timer(1, held.clear).start()
tensor = tensor_of(64)
print(f"64 MiB after {time.monotonic() - start:.1f} seconds")
del tensor

# %% [markdown]
# At first it did not fit: 256 MiB were free, but no hole had 64, and an allocator cannot move what is in use. But TensorFlow
# does not give up at once. It **waits up to ten seconds** for somebody to give memory back.
#
# So an out-of-memory error comes after a pause of ten seconds. A program that stops for some seconds now and then, and
# then goes on, may be short of memory.
#
# **Change it:** in the cell that draws *Fragmentation*, give back the first eight tensors, not every second one: `range(8)`. Run it
# and the cell with the timer again. Why does nobody wait now?
#
# ## 7 What a training step needs
#
# Four things lie in memory when a network is trained:
#
# | what | how many values | grows with |
# | --- | --- | --- |
# | **parameters** | weights and biases | the network |
# | **gradients** | one for each parameter | the network |
# | **slots** of the optimizer | none for SGD, one for each parameter with momentum, two with Adam | the network |
# | **activations** | the input and each layer's output, for each example: the backward pass needs them | the network **and the batch** |
#
# Each value takes the bytes of its dtype: 4 for float32. For dense layers of these widths:

# %%
widths = [512] * 8                                    # 512 inputs, then seven layers of 512 units
parameters = sum(m * n + n for m, n in zip(widths, widths[1:]))

def expected(batch):
    """Bytes of parameters, Adam's slots, gradients, activations, in float32."""
    return [4 * parameters, 4 * 2 * parameters, 4 * parameters, 4 * batch * sum(widths)]

print([round(value / 2**20, 1) for value in expected(1024)], "MiB")

# %% [markdown]
# Is that so? The card counts it. First the network and its optimizer, before any step:

# %% grading="skip"
before = in_use()
weights = [tf.Variable(tf.random.normal([m, n], stddev=0.05)) for m, n in zip(widths, widths[1:])]
biases = [tf.Variable(tf.zeros([n])) for n in widths[1:]]
with_parameters = in_use()
adam = tf.keras.optimizers.Adam()
adam.build(weights + biases)
print(f"parameters {(with_parameters - before) / MIB:.2f} MiB, expected {expected(0)[0] / MIB:.2f}")
print(f"slots      {(in_use() - with_parameters) / MIB:.2f} MiB, expected {expected(0)[1] / MIB:.2f}")

# %% [markdown]
# Then a step. `forget_peak` starts the counting of the peak anew.

# %% grading="skip"
@tf.function(input_signature=[tf.TensorSpec([None, 512])])
def train_step(batch):
    with tf.GradientTape() as tape:
        h = batch
        for w, b in zip(weights, biases):
            h = tf.nn.relu(h @ w + b)
        loss = tf.reduce_mean(h * h)
    gradients = tape.gradient(loss, weights + biases)
    adam.apply_gradients(zip(gradients, weights + biases))

# %% grading="skip"
def peak_of_step(size):
    """MiB that a step with `size` examples needs beside parameters and slots."""
    before = in_use()
    data = tf.random.normal([size, 512])
    train_step(data)                                  # the first call also builds the graph
    forget_peak()
    train_step(data)
    return (in_use("peak") - before) / MIB

# %% predict="batch"
# Predict: from batch 64 to 1024 is sixteen times. Does the step need sixteen times the memory?
grows = "..."

# %% grading="skip"
batches = [64, 512, 1024, 2048, 4096]
measured = [peak_of_step(size) for size in batches]
figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
should = [sum(expected(size)[2:]) / MIB for size in batches]
axes.plot(batches, should, "--", color="#0072B2", label="expected")
axes.plot(batches, measured, "o", color="#D55E00", ms=8, label="measured peak")
axes.set(xlabel="batch (examples)", ylabel="gradients + activations (MiB)", xlim=0, ylim=0)
axes.legend()
plt.show()
for row in zip(batches, measured, should):
    print("batch {:4}: measured {:5.1f} MiB, expected {:5.1f}".format(*row))

# %% [markdown]
# The plot in words: with a large batch the peak lies close to the line, mostly within a tenth. With a small batch it hardly changes: there the
# gradients decide, and the room that Adam needs to work. So a batch sixteen times as large needs about one and a half to
# two and a half times the memory here, not sixteen times. The rule is for planning, not for the last MiB: not all four are there at every moment, and a chunk
# may be larger than what was asked for.
#
# **Change it:** with `expected`, find the largest batch for which everything fits on a card of 512 MiB. (It is about 30970.)
#
# ## 8 Memory over time
#
# In a session, the run's metadata records each allocation: how many bytes, when. Added up, they show one step from
# inside.

# %% grading="skip"
with tf.Graph().as_default() as graph:
    x = h = v1.placeholder(tf.float32, [None, 512], name="x")
    for i in range(7):
        w = v1.get_variable(f"w{i}", [512, 512])
        h = tf.nn.relu(tf.matmul(h, w), name=f"layer{i}")
    train = v1.train.AdamOptimizer().minimize(tf.reduce_mean(h * h))
    prepare = v1.global_variables_initializer()

# %% grading="skip"
metadata, full = v1.RunMetadata(), v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
with v1.Session(graph=graph) as session:
    session.run(prepare)
    session.run(train, {x: np.ones([1024, 512])})           # the first step also makes copies of its own
    session.run(train, {x: np.ones([1024, 512])}, full, metadata)
records = sorted((record.alloc_micros, record.alloc_bytes) for device in metadata.step_stats.dev_stats
                 for op in device.node_stats for memory in op.memory for record in memory.allocation_records)
milliseconds = [(moment - records[0][0]) / 1000 for moment, _ in records]
mib = np.cumsum([size for _, size in records]) / 2**20

# %% grading="skip"
figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
axes.fill_between(milliseconds, mib, step="post", color="#56B4E9", alpha=0.6)
axes.step(milliseconds, mib, where="post", color="#0072B2")
axes.set(xlabel="milliseconds since the first allocation", ylabel="held by the step (MiB)", ylim=0, xlim=0)
plt.show()
top = int(np.argmax(mib))
print(f"The most is {mib[top]:.1f} MiB, after {milliseconds[top]:.0f} of {milliseconds[-1]:.0f} ms; "
      f"at the end the step holds {mib[-1]:.1f} MiB.")

# %% [markdown]
# The forward pass climbs: each layer leaves its output behind. The backward pass comes down: it uses the outputs in
# reverse order and lets them go. **The top is where the forward pass ends.** That is why a smaller batch helps at once.
#
# ## 9 Break it and diagnose it
#
# Two programs, each with a card of 128 MiB of its own, both run out of memory. Read them first.

# %%
claim = "import tensorflow as tf\nwhole = tf.zeros([120 * 2**18]); del whole      # one region, as on a GPU\n"
program_a = claim + """
h = tf.random.normal([4096, 512])
weights = [tf.Variable(tf.random.normal([512, 512])) for _ in range(16)]
with tf.GradientTape() as tape:
    for w in weights:
        h = tf.nn.relu(h @ w)
"""
program_b = claim + """
parts = [tf.zeros([10 * 2**18]) for _ in range(12)]
del parts[::2]
tf.zeros([20 * 2**18])
"""

# %% grading="skip"
def start(program):
    settings = {"TF_CPU_ALLOCATOR_USE_BFC": "1", "TF_CPU_BFC_MEM_LIMIT_IN_MB": "128",
                "TF_CPP_MIN_LOG_LEVEL": "0"}
    return subprocess.Popen([sys.executable, "-c", program], env={**os.environ, **settings},
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

print("Two Pythons run out of memory. TensorFlow waits ten seconds; a busy machine takes longer.", flush=True)
children = [start(program_a), start(program_b)]
try:
    report_a, report_b = (child.communicate(timeout=120)[1] for child in children)
finally:
    for child in children:
        child.kill()
print("Both ended, with codes", [child.returncode for child in children])

# %% [markdown]
# First the error that Python shows: the last line of the report.

# %% grading="skip"
import re, textwrap

for report in (report_a, report_b):
    error = [line for line in report.splitlines() if line.startswith("tensorflow") and "OOM" in line][-1]
    print(textwrap.fill(error.split("}} ")[-1].split(" [Op:")[0], 100), "\n")

# %% [markdown]
# | in the error | tells |
# | --- | --- |
# | `shape[4096,512]`, `type float` | how large: 4096 · 512 · 4 bytes = 8 MiB. A first size that is your **batch** says: an activation. A shape of the layer's own (`[512,512]`) says: a parameter, a gradient or a slot |
# | `device:CPU:0` | on which device |
# | `by allocator bfc_…` | which allocator; a GPU's is called `GPU_0_bfc`; plain `cpu` is the machine's own memory |
#
# Above the error stands the allocator's report. It is long: a line for each size of chunk, then one for each chunk. These
# lines decide:

# %% grading="skip"
DECIDES = r"ran out of memory|^Limit:|^InUse:|^MaxInUse:|\] [*_x]{50}"
for name, report in [("A", report_a), ("B", report_b)]:
    print(f"--- program {name}")
    for line in report.splitlines():
        if re.search(DECIDES, line):
            print(re.sub(r"^.*?bfc_allocator.cc:\d+\] ", "", line))

# %% [markdown]
# | line | says |
# | --- | --- |
# | `trying to allocate … requested by op` | what was asked, by which op |
# | `Limit`, `InUse` | what the allocator may take; what is in chunks that are used |
# | `MaxInUse` | the most that was ever in use (here the first line of both programs already took 120 MiB) |
# | the row of signs | the memory from start to end: `*` in use, `_` free, `x` in use **but not asked for**: a chunk that was not split |
#
# (`LargestFreeBlock` stands in the full report, too. This allocator never fills it in: it says 0. The chunks' own lines, `Free
# at … of size …`, tell the truth.)

# %% predict="diagnosis"
# Predict from the two reports: which card is full, and which is fragmented?
full_card, fragmented_card = "...", "..."

# %% grading="skip"
def mib_after(label, report):
    number, unit = re.search(rf"{label}\s+([\d.]+)(MiB)?", report).groups()
    return float(number) if unit else int(number) / MIB  # TensorFlow 2.20 writes bytes

for name, report in [("A", report_a), ("B", report_b)]:
    asked, free = mib_after("allocate", report), mib_after("Limit:", report) - mib_after("InUse:", report)
    largest = max(int(size) for size in re.findall(r"Free +at \w+ of size (\d+)", report)) / MIB
    cause = "full" if free < asked else "fragmented"
    print(f"{name}: asked for {asked:g} MiB, free {free:g}, largest hole {largest:.1f}: {cause}")

# %% [markdown]
# **Free less than asked: full. Free enough, and still no room: fragmented.** The cures differ:
#
# | you see | cause | cure |
# | --- | --- | --- |
# | *CUDA_ERROR_OUT_OF_MEMORY* when the process starts | another process took the card | look with `nvidia-smi`; a fraction, a limit or growth **in the other process**; another card |
# | the same line several times with falling sizes, and then it goes on | the process asked for more than was free, and tries again with nine tenths of it each time | as above: it got less than you think |
# | *OOM when allocating tensor*, full, the shape begins with the batch | activations | a smaller batch |
# | *OOM*, full, the shape is a layer's own | the network: parameters, gradients, slots | a smaller network, an optimizer with fewer slots, float16 (lesson 08), several devices (lesson 09) |
# | *OOM*, fragmented | tensors of changing sizes come and go | the same batch size always, `TF_GPU_ALLOCATOR=cuda_malloc_async`, no growth |
# | *OOM* after hours | something holds tensors: a list of losses, say | keep numbers, not tensors: `float(loss)` |
# | `by allocator cpu`, or *Killed* without an error | the machine's own memory, not a card's | smaller data in memory |
#
# In a session, `RunOptions(report_tensor_allocations_upon_oom=True)` adds the largest tensors and their ops to the error.
#
# ## 10 Pack a card
#
# Choose a rule and sizes; see who runs. Try: how many processes of 3000 MiB can share 16384 MiB with each rule? Which
# fraction is best for three? What does growth do if one more comes?
#
# Without a kernel, look at this picture: three processes that need 3000 MiB each, and a fraction of 0.3.
#
# ![The widget: what is set: fraction; card 16384 MiB, each needs 3000 MiB, 3 processes, fraction 0.3. Below, a bar: three contexts of 400 MiB, each followed by a process with 4915 MiB; 439 MiB are left. All three run.](assets/03_widget.svg)

# %% include="memory_widget.py" grading="skip"

# %% grading="skip"
pack_card()

# %% [markdown]
# Nothing runs on a card in this widget: it works out the rules of sections 1 and 2.
#
# ## Recap
#
# 1. If nothing is set, a process takes all free memory of each visible card, but for a reserve. The next one starts with
#    the rest, or not at all.
# 2. A fraction is a share of the **whole** card; growth takes what is needed and keeps it; a limit makes logical GPUs. The context
#    comes on top of all three.
# 3. The process that makes the devices decides: the first session, the server, the environment. Later is too late.
# 4. A step needs parameters + gradients + slots + activations. Only the last grow with the batch.
# 5. Out of memory with too little free: full. With enough free: fragmented. The report says which.
#
# | question | where the answer is |
# | --- | --- |
# | What will this process take? | `gpu_options` of the ConfigProto; the environment |
# | What does it use? | `get_memory_info`: `current` and `peak` |
# | When does a step use it? | `RunMetadata.step_stats`: allocation records |
# | Why was there no room? | the report above the error: asked, `Limit`, `InUse`, the row of signs |
# | Who else is on the card? | `nvidia-smi` |
#
# **Read on:** lesson 04, *Queues*: how parts of a program hand values to each other without losing any.
#
# ## Exercises
#
# Five short programs and one question in words. All functions take and return plain values. Write each, play with it in the
# *try* cell, then run its checks.

# %% [markdown] exercise="config"
# ### Exercise 1 · Write the settings
#
# Write `memory_config(place, fraction=None, growth=False, cards=None)`. It returns a message as bytes:
#
# * `place="session"`: a `ConfigProto`;
# * `place="server"`: the `ServerDef` of a local server whose GPU devices follow these settings. (Section 3 makes such
#   a server without starting it.) It is whole: its cluster, which task of it the server is, and the protocol.
#
# The settings:
#
# * `fraction`: the process's share of each card. `None` leaves it unset. Otherwise it must be above 0 and at most
#   1; if not, raise a `ValueError`. (TensorFlow would take 7.0 without a word.)
# * `growth`: whether it takes memory only when needed. Growth and a fraction may both be set.
# * `cards`: a list of numbers such as `[2, 0]`: these cards in this order, as `visible_device_list` wants them: the text `"2,0"`. `None`
#   leaves it unset: all cards. An empty list: **no GPU at all**. An empty *text* would mean all cards, so this one, and
#   no other, is said by `device_count["GPU"] = 0`.
#
# Example: the message of `memory_config("session", fraction=0.25)`, as text, is
# `gpu_options { per_process_gpu_memory_fraction: 0.25 }`.

# %% solution="config"
def memory_config(place, fraction=None, growth=False, cards=None):
    """Write settings of GPU memory as a message.

    Args:
        place: "session" or "server".
        fraction: None, or float above 0 and at most 1: the share of each card.
        growth: bool, take memory only when it is needed.
        cards: None for all cards, or list of int, the visible ones; an empty list is no card.
    Returns:
        bytes: a serialized ConfigProto for a session, a serialized ServerDef for a server.
    Raises:
        ValueError: the fraction is out of range.
    """
    ### BEGIN SOLUTION
    if fraction is not None and not 0 < fraction <= 1:
        raise ValueError(f"a fraction is above 0 and at most 1, not {fraction}")
    config = tf.compat.v1.ConfigProto()
    if fraction is not None:
        config.gpu_options.per_process_gpu_memory_fraction = fraction
    if growth:
        config.gpu_options.allow_growth = True
    if cards:
        config.gpu_options.visible_device_list = ",".join(str(card) for card in cards)
    elif cards is not None:
        config.device_count["GPU"] = 0
    if place == "session":
        return config.SerializeToString()
    server = tf.distribute.Server.create_local_server(config=config, start=False)
    return server.server_def.SerializeToString()
    ### END SOLUTION

# %% try="config"
try:
    print(tf.compat.v1.ConfigProto.FromString(memory_config("session", fraction=0.25)))
    print(tf.train.ServerDef.FromString(memory_config("server", growth=True)))
except NotImplementedError as error:
    print(error)

# %% check="config-fraction" points=1
import tensorflow as tf

answer, got = memory_config("session", fraction=0.25), "no bytes"

def told(likely):
    return (f"asked:    memory_config('session', fraction=0.25), read as a ConfigProto\n"
            f"got:      {got}\n"
            f"expected: gpu_options: per_process_gpu_memory_fraction 0.25, and nothing else\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, Fraction and growth, in a session")

assert type(answer) is bytes, told("return the message's bytes: .SerializeToString()")
try:
    config = tf.compat.v1.ConfigProto.FromString(answer)
except Exception:
    assert False, told("these bytes are not a ConfigProto; GPUOptions alone are only a part of one")
got = " ".join(str(config).split())
gpu = config.gpu_options
assert not gpu.allow_growth, told("growth was not asked for: a fraction does not need it")
assert not gpu.visible_device_list and "GPU" not in config.device_count, told(
    "cards=None leaves the choice of cards unset")
assert gpu.per_process_gpu_memory_fraction == 0.25, told("the fraction is not in gpu_options")

# %% check="config-both" points=1
import tensorflow as tf

answers = [memory_config("session", growth=True), memory_config("session", fraction=0.5, growth=True)]
got = "no bytes"

def told(likely):
    return (f"asked:    memory_config('session', growth=True), then the same with fraction=0.5\n"
            f"got:      {got}\n"
            f"expected: allow_growth with fraction 0.0 (unset), then allow_growth with fraction 0.5\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, Fraction and growth, in a session")

assert all(type(answer) is bytes for answer in answers), told(
    "return the message's bytes: .SerializeToString()")
try:
    alone, both = [tf.compat.v1.ConfigProto.FromString(answer).gpu_options for answer in answers]
except Exception:
    assert False, told("these bytes are not a ConfigProto; GPUOptions alone are only a part of one")
got = [(options.allow_growth, options.per_process_gpu_memory_fraction) for options in (alone, both)]
assert both.per_process_gpu_memory_fraction == 0.5, told(
    "growth does not replace the fraction: together they mean: grow, up to the fraction")
assert both.allow_growth, told("a fraction does not replace growth: both were asked for")
assert got == [(True, 0), (True, 0.5)], told("an unset fraction stays unset")

# %% check="config-server" points=2
import tensorflow as tf

answer, got = memory_config("server", fraction=0.25, growth=True), "no bytes"

def told(likely):
    return (f"asked:    memory_config('server', fraction=0.25, growth=True), read as a ServerDef\n"
            f"got:      {got}\n"
            f"expected: default_session_config with fraction 0.25 and allow_growth; a cluster of one job\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, In a server of a cluster")

assert type(answer) is bytes, told("return the bytes of server.server_def: .SerializeToString()")
try:
    definition = tf.train.ServerDef.FromString(answer)
except Exception:
    assert False, told("these bytes are not a ServerDef; a server is not set by a ConfigProto alone")
got = " ".join(str(definition).split())
gpu = definition.default_session_config.gpu_options
assert definition.cluster.job, told("this is not a server's definition: it has no cluster")
assert definition.HasField("default_session_config"), told(
    "the server does not know the settings: give it config=...; what a session says comes too late")
assert gpu.per_process_gpu_memory_fraction == 0.25 and gpu.allow_growth, told(
    "the server's default_session_config lacks one of the settings")
tasks = {job.name: dict(job.tasks) for job in definition.cluster.job}
assert definition.task_index in tasks.get(definition.job_name, {}) and definition.protocol, told(
    "the definition does not say which task of its cluster the server is (job_name), or its protocol")

# %% hidden="config-range" points=2
got, wanted = {}, {0: "ValueError", -0.5: "ValueError", 1.01: "ValueError", 7: "ValueError", 1: "bytes"}
for fraction in wanted:
    try:
        got[fraction] = type(memory_config("session", fraction=fraction)).__name__
    except NotImplementedError:
        raise
    except Exception as error:
        got[fraction] = type(error).__name__
try:
    server = type(memory_config("server", fraction=2.0)).__name__
except Exception as error:
    server = type(error).__name__

def told(likely):
    return (f"asked:    memory_config('session', fraction=...) with {list(wanted)}; a server with 2.0\n"
            f"got:      {got}; {server}\n"
            f"expected: {wanted}; ValueError\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1: above 0 and at most 1")

assert got[7] == "ValueError" == got[1.01], told(
    "a fraction above 1 was accepted: TensorFlow takes it for unified memory, so you must refuse it")
assert got[1] == "bytes", told("1 is allowed: the whole card")
assert got[0] == "ValueError", told("0 was accepted: `if fraction` takes 0 for None")
assert got == wanted and server == "ValueError", told(
    "every fraction out of range is a ValueError, in a server too")

# %% hidden="config-cards" points=2
import tensorflow as tf

asked = {"[2, 0]": [2, 0], "[1]": [1], "[]": [], "None": None}
answers, got = {text: memory_config("session", cards=cards) for text, cards in asked.items()}, "no bytes"
servers = memory_config("server", cards=[3, 1])

def told(likely):
    return (f"asked:    memory_config('session', cards=...) for [2, 0], [1], [], None; a server with [3, 1]\n"
            f"got:      {got}\n"
            f"expected: the texts '2,0' and '1'; no GPU by device_count; nothing set; '3,1'\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1, where it says what cards means")

assert all(type(answer) is bytes for answer in [*answers.values(), servers]), told(
    "return the message's bytes")
configs = {text: tf.compat.v1.ConfigProto.FromString(answer) for text, answer in answers.items()}
lists = {text: config.gpu_options.visible_device_list for text, config in configs.items()}
counts = {text: dict(config.device_count) for text, config in configs.items()}
there = tf.train.ServerDef.FromString(servers).default_session_config.gpu_options.visible_device_list
got = f"lists {lists}, server {there!r}, device counts {counts}"
assert lists["[2, 0]"] != "0,2", told("the cards were sorted: their order says which one becomes GPU:0")
assert lists["[2, 0]"] == "2,0" and lists["[1]"] == "1", told(
    "the numbers are joined by commas, without spaces")
assert counts["[]"].get("GPU") == 0, told(
    "an empty list is no GPU; an empty visible_device_list means all of them")
assert not any("GPU" in counts[text] for text in ("[2, 0]", "[1]")), told(
    "visible_device_list chooses the cards; device_count is for the empty list only")
assert counts["None"] == {} and lists["None"] == "", told("None leaves everything unset: all cards")
assert there == "3,1", told("in a server the cards are not set")

# %% [markdown] exercise="plan"
# ### Exercise 2 · A plan for one card
#
# Several processes share a card. Write `plan_card(card, context, needs)`: how much may each take?
#
# * `card` is the card's memory, `context` what CUDA takes for **each** process, beside its tensors. Both in whole MiB.
# * `needs` says for each process how many MiB its tensors need: `{"train": 6000, "notebook": None}`. `None`
#   means: whatever is left. Several of these get **equal** shares.
#
# Return `{process: [limit, fraction]}`: the limit in whole MiB, rounded **down**, as `memory_limit` wants it, and
# the same as `per_process_gpu_memory_fraction` wants it: limit / card, not rounded.
#
# If the needs and the contexts do not fit together, or if a process with `None` would get less than 1 MiB, raise a `ValueError`.
#
# Example: `plan_card(16000, 500, {"train": 6000, "notebook": None})` is
# `{"train": [6000, 0.375], "notebook": [9000, 0.5625]}`: two contexts, 6000, and 9000 are left.

# %% solution="plan"
def plan_card(card, context, needs):
    """Share a card's memory among processes.

    Args:
        card: int, MiB of the whole card.
        context: int, MiB that CUDA takes for each process, outside of its limit.
        needs: dict, process name -> int, MiB of its tensors, or None for an equal share of what is left.
    Returns:
        dict, process name -> [limit in whole MiB, fraction of the whole card].
    Raises:
        ValueError: there is not enough memory.
    """
    ### BEGIN SOLUTION
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
    ### END SOLUTION

# %% try="plan"
try:
    plan = plan_card(16000, 500, {"train": 6000, "notebook": None})
    print(plan)
    train, notebook = plan["train"][0], plan["notebook"][0]
    pieces = {"c1": (0, 500), "train": (500, train), "c2": (500 + train, 500),
              "notebook": (1000 + train, notebook)}
    draw_memory([("plan", pieces)], 16000, "grey: a CUDA context")
except NotImplementedError as error:
    print(error)

# %% check="plan-equal" points=1
got = plan_card(8000, 400, {"a": None, "b": None})
right = {"a": [3600, 0.45], "b": [3600, 0.45]}

def told(likely):
    return (f"asked:    plan_card(8000, 400, {{'a': None, 'b': None}})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, Why the second process dies")

assert type(got) is dict and set(got) == {"a", "b"}, told(
    "the result is not a dict with an entry for each process")
assert all(type(part) in (list, tuple) and len(part) == 2 for part in got.values()), told(
    "each process has a list of two: the limit in MiB, and the fraction")
assert got["a"][0] != 4000, told("the contexts were forgotten: CUDA takes its part before any tensor")
assert got["a"][0] != 3800, told("one context was counted: each process has its own")
assert got["a"][0] == got["b"][0], told("the shares are not equal")
assert abs(got["a"][1] - 0.5) > 1e-9, told(
    "the fraction is of the whole card, not of what is left for tensors")
assert all(got[p][0] == right[p][0] and abs(got[p][1] - right[p][1]) < 1e-9 for p in right), told(
    "limit = (card - contexts) / processes; fraction = limit / card")

# %% check="plan-needs" points=2
got = plan_card(16000, 500, {"train": 6000, "notebook": None, "test": 1000})
right = {"train": [6000, 0.375], "notebook": [7500, 0.46875], "test": [1000, 0.0625]}

def told(likely):
    return (f"asked:    plan_card(16000, 500, {{'train': 6000, 'notebook': None, 'test': 1000}})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, Fraction and growth, in a session")

assert type(got) is dict and set(got) == set(right), told(
    "the result is not a dict with an entry for each process")
assert all(type(part) in (list, tuple) and len(part) == 2 for part in got.values()), told(
    "each process has a list of two: the limit in MiB, and the fraction")
assert got["train"][0] not in (5500, 6500), told(
    "the context lies outside of the limit: a process that needs 6000 MiB gets a limit of 6000")
assert got["train"][0] == 6000, told("a process with a need gets what it needs, no more and no less")
assert got["notebook"][0] not in (9000, 8500), told(
    "contexts: every process has one, also those that say what they need")
assert abs(got["test"][1] - 1000 / 14500) > 1e-9 and abs(got["test"][1] - 1000 / 8500) > 1e-9, told(
    "the fraction is of the whole card, not of what is left")
assert all(got[p][0] == right[p][0] and abs(got[p][1] - right[p][1]) < 1e-9 for p in right), told(
    "what is left is the card less all contexts and all needs")

# %% hidden="plan-rounding" points=1
import numbers

got = plan_card(10000, 100, {"a": None, "b": None, "c": None})
limit = 3233

def told(likely):
    return (f"asked:    plan_card(10000, 100, three processes with None): 9700 MiB for three\n"
            f"got:      {got}\n"
            f"expected: 3233 MiB and the fraction 0.3233 for each\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: whole MiB, rounded down")

assert type(got) is dict and len(got) == 3, told("the result is not a dict with an entry for each process")
limits = [part[0] for part in got.values()]
assert all(isinstance(part, numbers.Integral) for part in limits), told(
    "a limit is a whole number of MiB, an int")
assert limits != [3234] * 3, told("rounded up: three times 3234 MiB do not fit")
assert limits[0] not in (3333, 3300), told("each process has a context of its own: 100 MiB")
assert limits == [limit] * 3, told("equal shares, rounded down")
assert all(abs(part[1] - 0.3233) < 1e-9 for part in got.values()), told(
    "the fraction belongs to the rounded limit: limit / card")

# %% hidden="plan-short" points=2
asked = [(8000, 500, {"a": 5000, "b": 2500}), (8000, 500, {"a": 7000, "b": None}),
         (1000, 500, {"a": None, "b": None}), (1001, 500, {"a": None, "b": None})]
got = []
for card, context, needs in asked:
    try:
        got.append(plan_card(card, context, dict(needs)))
    except NotImplementedError:
        raise
    except Exception as error:
        got.append(type(error).__name__)
try:
    full = plan_card(8000, 500, {"a": 4000, "b": 3000})
except Exception as error:
    full = type(error).__name__

def told(likely):
    return (f"asked:    {asked}; and needs that fit just so: 4000 + 3000 + 2 x 500 of 8000\n"
            f"got:      {got}; {full}\n"
            f"expected: ValueError four times; {{'a': [4000, 0.5], 'b': [3000, 0.375]}}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: when it raises a ValueError")

assert "ZeroDivisionError" not in (*got, full), told(
    "there may be no process with None: do not divide by their number")
assert got[0] == "ValueError", told("needs of 7500 fit into 8000, but not with two contexts of 500")
assert got[1] == "ValueError" == got[2], told("a process with None must get at least 1 MiB")
assert type(full) is dict and full["a"][0] == 4000 and full["b"][0] == 3000, told(
    "needs and contexts that fill the card to the last MiB do fit")
assert got[3] == "ValueError", told("1 MiB is left for two processes: each must get at least 1 MiB")

# %% [markdown] exercise="bytes"
# ### Exercise 3 · What a training step needs
#
# Write `training_bytes(widths, batch, optimizer, dtype="float32")` for a network of dense layers, by the rules of section
# 7. Return a dict of whole numbers of bytes:
#
# * `"parameters"`: weights and biases. `widths` begins with the number of inputs: `[3, 2]` is one layer of 3 · 2
#   weights and 2 biases;
# * `"gradients"`: as many as parameters;
# * `"slots"`: the optimizer's. `"sgd"` has none, `"momentum"` one for each parameter, `"adam"` two;
# * `"activations"`: the input and each layer's output, for each example of the batch;
# * `"total"`: the sum of these four.
#
# Every value has the same `dtype`: `"float16"`, `"bfloat16"`, `"float32"` or `"float64"`.
#
# Example: `training_bytes([3, 2], 10, "adam")` is `{"parameters": 32, "gradients": 32, "slots": 64,
# "activations": 200, "total": 328}`: 8 parameters, and 10 · (3 + 2) activations, of 4 bytes each.

# %% solution="bytes"
def training_bytes(widths, batch, optimizer, dtype="float32"):
    """Bytes that training a network of dense layers needs.

    Args:
        widths: list of int, inputs first, then the units of each layer.
        batch: int, examples in a batch.
        optimizer: "sgd", "momentum" or "adam".
        dtype: "float16", "bfloat16", "float32" or "float64", of every value.
    Returns:
        dict of int, in bytes: parameters, gradients, slots, activations, total.
    """
    ### BEGIN SOLUTION
    size = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}[dtype]
    parameters = sum((inputs + 1) * units for inputs, units in zip(widths, widths[1:])) * size
    need = {
        "parameters": parameters,
        "gradients": parameters,
        "slots": {"sgd": 0, "momentum": 1, "adam": 2}[optimizer] * parameters,
        "activations": batch * sum(widths) * size,
    }
    return {**need, "total": sum(need.values())}
    ### END SOLUTION

# %% try="bytes"
try:
    print(training_bytes([3, 2], 10, "adam"))
    for batch in (32, 1024):
        print(batch, training_bytes([784, 500, 10], batch, "adam"))
except NotImplementedError as error:
    print(error)

# %% check="bytes-parameters" points=2
# Asks you and TensorFlow: how large are the variables of a network with SGD, and with Adam?
import tensorflow as tf

widths, v1, real = [20, 30, 5], tf.compat.v1, {}
for name in ("sgd", "momentum", "adam"):
    with tf.Graph().as_default() as graph:
        h = v1.placeholder(tf.float32, [None, 20])
        for i, (inputs, units) in enumerate(zip(widths, widths[1:])):
            h = h @ v1.get_variable(f"w{i}", [inputs, units]) + v1.get_variable(f"b{i}", [units])
        optimizer = {"sgd": v1.train.GradientDescentOptimizer(0.1), "adam": v1.train.AdamOptimizer(0.1),
                     "momentum": v1.train.MomentumOptimizer(0.1, 0.9)}[name]
        optimizer.minimize(tf.reduce_sum(h))
        sizes = {v.op.name: 4 * v.shape.num_elements() for v in v1.global_variables()}
    own = sum(size for name_, size in sizes.items() if "/" not in name_ and "beta" not in name_)
    real[name] = {"parameters": own, "slots": sum(size for name_, size in sizes.items() if "/" in name_)}
got = {name: training_bytes(list(widths), 8, name) for name in real}

def told(likely):
    return (f"asked:    training_bytes([20, 30, 5], 8, ...) with sgd, momentum and adam\n"
            f"got:      {got}\n"
            f"expected: {real} (the variables that TensorFlow just made), and the rest\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, What a training step needs")

keys = {"parameters", "gradients", "slots", "activations", "total"}
assert all(type(need) is dict and set(need) == keys for need in got.values()), told(
    "the result is not a dict with just the five entries")
assert got["sgd"]["parameters"] != 3000, told("the biases are missing: one for each unit")
assert got["sgd"]["parameters"] != 785, told("these are values, not bytes: float32 has four bytes")
assert got["sgd"]["parameters"] != 8 * 3140, told("parameters are there once, not once for each example")
assert got["sgd"]["slots"] == 0, told("plain SGD keeps nothing between two steps")
assert got["adam"]["slots"] != got["momentum"]["slots"], told(
    "Adam has two slots for each parameter, momentum one")
assert all(got[name][key] == real[name][key] for name in real for key in real[name]), told(
    "parameters: inputs * units + units for each layer; slots: a multiple of the parameters")

# %% check="bytes-step" points=2
got = training_bytes([10, 20, 5], 16, "adam")
right = {"parameters": 1300, "gradients": 1300, "slots": 2600, "activations": 2240, "total": 7440}

def told(likely):
    return (f"asked:    training_bytes([10, 20, 5], 16, 'adam')\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, What a training step needs")

assert type(got) is dict and set(got) == set(right), told(
    "the result is not a dict with just the five entries")
assert got["gradients"] != 16 * 1300, told(
    "the gradients of a batch are added up as they are made: one for each parameter, whatever the batch")
assert got["gradients"] == got["parameters"], told("each parameter has a gradient")
assert got["activations"] != 140, told("activations are kept for every example of the batch")
assert got["activations"] != 16 * 25 * 4, told(
    "the input belongs to the activations: the first layer's gradient needs it")
assert got["activations"] != 16 * 30 * 4, told("the last layer's output is missing")
assert got["activations"] == 2240, told("activations: batch * (inputs + all units) * 4 bytes")
assert got == right, told("the total is the sum of the four others")

# %% hidden="bytes-batch" points=2
small, large = training_bytes([64, 32, 8], 1, "sgd"), training_bytes([64, 32, 8], 1000, "sgd")
one = training_bytes([7], 3, "adam")
got = [small, large, one]
right = [{"parameters": 9376, "gradients": 9376, "slots": 0, "activations": 416, "total": 19168},
         {"parameters": 9376, "gradients": 9376, "slots": 0, "activations": 416000, "total": 434752},
         {"parameters": 0, "gradients": 0, "slots": 0, "activations": 84, "total": 84}]

def told(likely):
    return (f"asked:    [64, 32, 8] with sgd, batches 1 and 1000; a network without a layer, [7], batch 3\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, What a training step needs")

assert all(type(need) is dict and set(need) == set(right[0]) for need in got), told(
    "the result is not a dict with just the five entries")
assert small["gradients"] == large["gradients"] and small["parameters"] == large["parameters"], told(
    "only activations grow with the batch")
assert large["slots"] == 0 == small["slots"], told("plain SGD keeps nothing between two steps")
assert large["activations"] == 1000 * small["activations"], told(
    "activations grow with the batch, all of them")
assert got == right, told("compare the entries one by one")

# %% hidden="bytes-dtype" points=1
sizes = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
got = {dtype: training_bytes([100, 50], 4, "momentum", dtype) for dtype in sizes}
values = {"parameters": 5050, "gradients": 5050, "slots": 5050, "activations": 600, "total": 15750}
right = {dtype: {what: size * n for what, n in values.items()} for dtype, size in sizes.items()}

def told(likely):
    return (f"asked:    training_bytes([100, 50], 4, 'momentum', dtype) for {list(got)}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: every value has the same dtype")

assert all(type(need) is dict for need in got.values()), told(
    "the result is not a dict with the five entries")
assert got["float64"] != got["float32"], told("the dtype is not used: float64 has eight bytes")
assert got["bfloat16"] == got["float16"], told("bfloat16 has 16 bits, too: two bytes")
assert got == right, told("every value has the dtype: gradients, slots and activations as well")

# %% [markdown] exercise="arena"
# ### Exercise 4 · Best fit with coalescing
#
# Write the allocator of section 6. (The clause about 128 MiB is left out.) `allocate(requests, size)` begins with one free chunk from 0 to `size` and does the
# requests in turn:
#
# * `["a", 8]`: a wants 8 units. Of the free chunks that are large enough take the **smallest**; of equal ones that
#   with the lowest start. If it is at least **twice** as large as the request, split it: a gets the beginning, the rest is a
#   free chunk. Otherwise a gets **all of it**.
# * `["a", 0]`: a gives its chunk back. It joins free neighbours on both sides.
#
# All sizes are whole numbers. If no free chunk is large enough, stop at this request. Return a dict:
#
# * `"placed"`: `{name: [start, size of its chunk]}` of those that hold one now;
# * `"failed"`: `None`, or `[name, cause]`. The cause is `"full"` if all free chunks together are smaller than the request, else
#   `"fragmented"`.
#
# Example: `allocate([["a", 4], ["b", 2], ["a", 0], ["c", 3]], 10)` is
# `{"placed": {"b": [4, 2], "c": [0, 4]}, "failed": None}`. The free chunks before c are 4 at 0 and 4 at 6; both are not twice as large
# as 3, so c gets all of the first.

# %% solution="arena"
def allocate(requests, size):
    """Do requests as a best-fit allocator with coalescing does.

    Args:
        requests: list of [name, units]; 0 units: the name gives its chunk back.
        size: int, units of the whole memory.
    Returns:
        dict: "placed" is {name: [start, units of its chunk]}, "failed" is None or
        [name, "full" or "fragmented"].
    """
    ### BEGIN SOLUTION
    free, placed = [[0, size]], {}
    for name, units in requests:
        if units == 0:
            free = sorted([*free, placed.pop(name)])
            joined = free[:1]
            for start, length in free[1:]:
                if sum(joined[-1]) == start:
                    joined[-1] = [joined[-1][0], joined[-1][1] + length]
                else:
                    joined.append([start, length])
            free = joined
            continue
        fitting = [chunk for chunk in free if chunk[1] >= units]
        if not fitting:
            cause = "full" if sum(length for _, length in free) < units else "fragmented"
            return {"placed": placed, "failed": [name, cause]}
        start, length = chunk = min(fitting, key=lambda part: (part[1], part[0]))
        free.remove(chunk)
        taken = units if length >= 2 * units else length
        if taken < length:
            free.append([start + taken, length - taken])
        placed[name] = [start, taken]
    return {"placed": placed, "failed": None}
    ### END SOLUTION

# %% try="arena"
requests = [["a", 96], ["b", 32], ["c", 64], ["d", 32], ["a", 0], ["c", 0], ["e", 32]]      # section 6
try:
    result = allocate(requests, 512)
    print(result)
    draw_memory([("yours", result["placed"])], 512, "The requests of section 6")
except NotImplementedError as error:
    print(error)

# %% check="arena-example" points=1
requests = [["a", 4], ["b", 2], ["a", 0], ["c", 3]]
got = allocate([list(request) for request in requests], 10)
right = {"placed": {"b": [4, 2], "c": [0, 4]}, "failed": None}

def told(likely):
    return (f"asked:    allocate({requests}, 10)\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Inside the card: best fit with coalescing")

assert type(got) is dict and set(got) == {"placed", "failed"} and type(got["placed"]) is dict, told(
    "the result is not a dict with placed and failed")
placed = {name: list(chunk) for name, chunk in got["placed"].items()}
assert list(got["failed"] or [])[:1] != ["b"], told(
    "a took the whole memory: a chunk that is at least twice as large as the request is split")
assert "a" not in placed, told("a gave its chunk back")
assert placed.get("c") != [0, 3], told("a chunk of 4 is not twice as large as 3: it is not split")
assert placed.get("c") != [6, 4], told("two free chunks of 4: of equal ones take that with the lowest start")
assert placed == right["placed"] and got["failed"] is None, told(
    "follow the example in the text, request by request")

# %% check="arena-best" points=2
requests = [["a", 96], ["b", 32], ["c", 64], ["d", 32], ["a", 0], ["c", 0], ["e", 32]]
got = allocate([list(request) for request in requests], 512)
right = {"placed": {"b": [96, 32], "d": [192, 32], "e": [128, 32]}, "failed": None}

def told(likely):
    return (f"asked:    allocate({requests}, 512)\n"
            f"got:      {got}\n"
            f"expected: {right}: what TensorFlow did in section 6\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Inside the card: best fit with coalescing")

assert type(got) is dict and set(got) == {"placed", "failed"} and type(got["placed"]) is dict, told(
    "the result is not a dict with placed and failed")
placed = {name: list(chunk) for name, chunk in got["placed"].items()}
assert placed.get("e", [None])[0] != 0, told("first fit: e went to the first chunk that is large enough")
assert placed.get("e", [None])[0] != 224, told("worst fit: e went to the largest chunk")
assert placed.get("e") != [128, 64], told("a chunk of 64 is twice as large as 32: it is split")
assert placed == right["placed"] and got["failed"] is None, told("compare the chunks one by one")

# %% hidden="arena-coalesce" points=2
first = [["a", 4], ["b", 4], ["c", 4], ["d", 5], ["a", 0], ["c", 0], ["b", 0], ["e", 12]]
second = [["a", 8], ["b", 8], ["b", 0], ["c", 30], ["c", 0], ["d", 15]]
got = [allocate([list(r) for r in requests], size) for requests, size in ((first, 17), (second, 40))]
right = [{"placed": {"d": [12, 5], "e": [0, 12]}, "failed": None},
         {"placed": {"a": [0, 8], "d": [8, 15]}, "failed": None}]

def told(likely):
    return (f"asked:    allocate({first}, 17); allocate({second}, 40)\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Inside the card: best fit with coalescing")

assert all(type(part) is dict and set(part) == {"placed", "failed"} for part in got), told(
    "the result is not a dict with placed and failed")
assert got[0]["failed"] is None, told("b lies between two free chunks: all three become one")
assert got[1]["failed"] is None, told("a chunk that is given back joins the free chunk behind it as well")
got = [{"placed": {n: list(c) for n, c in part["placed"].items()}, "failed": part["failed"]} for part in got]
assert got == right, told("a chunk goes back as large as it was given, and joins its free neighbours")

# %% hidden="arena-cause" points=2
holes = [["a", 10], ["b", 10], ["c", 10], ["d", 15], ["a", 0], ["c", 0]]
asked = {"fragmented": [*holes, ["e", 15], ["f", 1]], "full": [*holes, ["e", 21]]}
lost = [["a", 10], ["b", 18], ["a", 0], ["c", 12]]
unequal = [["a", 4], ["b", 2], ["c", 10], ["d", 11], ["a", 0], ["c", 0], ["e", 15]]
got = [allocate([list(r) for r in requests], 45) for requests in asked.values()]
got += [allocate([list(r) for r in requests], size) for requests, size in ((lost, 30), (unequal, 27))]
right = [["e", "fragmented"], ["e", "full"], ["c", "full"], ["e", "full"]]

def told(likely):
    return (f"asked:    holes of 10 at 0 and at 20 of 45, then 15 or 21 units; allocate({lost}, 30); "
            f"allocate({unequal}, 27)\n"
            f"got:      {got}\n"
            f"expected: failed {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, Break it and diagnose it")

assert all(type(part) is dict and set(part) == {"placed", "failed"} for part in got), told(
    "the result is not a dict with placed and failed")
failed = [list(part["failed"]) if part["failed"] else None for part in got]
assert None not in failed, told("a request that no chunk can serve has failed: that must be told")
assert failed[0][0] == "e" and "f" not in got[0]["placed"], told("after a failure nothing else is done")
assert failed[0][1] != "full", told("20 units are free and 15 are asked: that is not full, but fragmented")
assert failed[1][1] != "fragmented", told("20 units are free and 21 are asked: that is full")
assert failed[2][1] != "fragmented", told(
    "what is lost inside b's chunk is not free: 10 units are free, 12 are asked")
assert failed[3] == ["e", "full"], told(
    "holes of 4 and 10 are 14 free units, and 15 are asked: add up all free chunks")
assert failed == right, told("compare all free units with the request")

# %% hidden="arena-split" points=1
requests = [["a", 6], ["b", 6], ["c", 5], ["d", 3], ["a", 0], ["c", 0],
            ["e", 3], ["f", 3], ["g", 3], ["h", 4]]
got = allocate([list(request) for request in requests], 24)
placed = {"b": [6, 6], "d": [17, 3], "e": [20, 4], "f": [12, 5], "g": [0, 3]}
right = {"placed": placed, "failed": ["h", "full"]}

def told(likely):
    return (f"asked:    allocate({requests}, 24)\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4: when a chunk is split")

assert type(got) is dict and set(got) == {"placed", "failed"} and type(got["placed"]) is dict, told(
    "the result is not a dict with placed and failed")
got["placed"] = {name: list(chunk) for name, chunk in got["placed"].items()}
assert got["placed"].get("g") != [0, 6], told("a chunk of just twice the request is split")
assert got["placed"].get("e") != [20, 3], told(
    "a chunk of 4 is not twice as large as 3: it is given as a whole")
got["failed"] = got["failed"] and list(got["failed"])
assert got == right, told("follow the requests one by one: what is split, and what is given as a whole")

# %% [markdown] exercise="rules"
# ### Exercise 5 · TensorFlow's rules
#
# A program makes requests about its cards, in some order, and starts TensorFlow somewhere among them. Write `apply_rules(cards,
# requests)`: what does TensorFlow say to each? There are `cards` cards, numbered from 0. A request is one of
#
# | request | what the program calls |
# | --- | --- |
# | `["growth", 0]` | `set_memory_growth(card 0, True)` |
# | `["limits", 0, [1024, 2048]]` | `set_logical_device_configuration(card 0, [...])` with these memory limits; `None` is an entry without a limit |
# | `["visible", [0, 1]]` | `set_visible_devices([card 0, card 1], "GPU")`; the numbers are all different and ascend |
# | `["start"]` | the first op. After a failed start the program is still not started; a second start is `"ok"` |
#
# Return a list with an answer for each request: `"ok"`, or the word for TensorFlow's error:
#
# | answer | TensorFlow's error |
# | --- | --- |
# | `"has limits"` | Cannot set memory growth on device when virtual devices configured |
# | `"limit missing"` | Setting memory limit is required for GPU virtual devices |
# | `"differs"` | Memory growth cannot differ between GPU devices: a start where some *visible* cards have growth and others do not. If any card has limits, growth is not looked at |
# | `"too late"` | Physical (or Virtual, or Visible) devices cannot be modified after being initialized: a request after a start that would change something. One that asks for what is set already is `"ok"` |
#
# If two of these errors fit, the one that stands first in the table is the answer. Write the rules down, or let TensorFlow answer, by `stand_in` and `first_op` of section 4: both are good answers.
#
# Example: `apply_rules(2, [["growth", 0], ["start"], ["growth", 1], ["start"]])` is
# `["ok", "differs", "ok", "ok"]`, as in section 4.

# %% solution="rules"
def apply_rules(cards, requests):
    """What TensorFlow says to requests about GPU memory.

    Args:
        cards: int, how many cards there are.
        requests: list of ["growth", card], ["limits", card, list of MiB or None],
            ["visible", ascending list of cards] and ["start"], in order.
    Returns:
        list of str, for each request "ok", "has limits", "limit missing", "differs" or "too late".
    """
    ### BEGIN SOLUTION
    context, gpus = stand_in(cards)
    words = {"when virtual devices configured": "has limits", "limit is required": "limit missing",
             "cannot differ": "differs", "after being initialized": "too late"}

    def do(kind, *rest):
        if kind == "growth":
            context.set_memory_growth(gpus[rest[0]], True)
        elif kind == "limits":
            pieces = [tf.config.LogicalDeviceConfiguration(memory_limit=mib) for mib in rest[1]]
            context.set_logical_device_configuration(gpus[rest[0]], pieces)
        elif kind == "visible":
            context.set_visible_devices([gpus[card] for card in rest[0]], "GPU")
        else:
            first_op(context)

    answers = []
    for request in requests:
        try:
            do(*request)
            answers.append("ok")
        except (ValueError, RuntimeError) as error:
            answers.append(next(word for part, word in words.items() if part in str(error)))
    return answers
    ### END SOLUTION

# %% try="rules"
try:
    print(apply_rules(2, [["growth", 0], ["start"], ["growth", 1], ["start"]]))
    print(apply_rules(1, [["limits", 0, [1024, 2048]], ["growth", 0]]))
except NotImplementedError as error:
    print(error)

# %% check="rules-growth" points=1
asked = [(2, [["growth", 0], ["start"], ["growth", 1], ["start"]]), (1, [["growth", 0], ["start"]]),
         (2, [["start"]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [["ok", "differs", "ok", "ok"], ["ok", "ok"], ["ok"]]

def told(likely):
    return (f"asked:    {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Today's form, and the rules that it enforces")

assert all(type(answers) is list for answers in got), told("the result is not a list")
assert [len(answers) for answers in got] == [4, 2, 1], told("there is an answer for each request, start too")
assert got[0][0] != "differs", told("the call is accepted: growth is compared at start")
assert got[0][1] == "differs", told("one card with growth and one without: the start fails")
assert got[0][2] != "too late", told("a failed start is no start: the settings may still change")
assert got == right, told("no growth at all is no difference either")

# %% check="rules-limits" points=2
asked = [(1, [["limits", 0, [1024, 2048]], ["growth", 0], ["start"]]),
         (2, [["limits", 1, [None]], ["growth", 1]]),
         (2, [["limits", 0, [1024]], ["growth", 1], ["start"]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [["ok", "has limits", "ok"], ["limit missing", "ok"], ["ok", "ok", "ok"]]

def told(likely):
    return (f"asked:    {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Today's form, and the rules that it enforces")

assert all(type(answers) is list for answers in got) and [len(a) for a in got] == [3, 2, 3], told(
    "the result is not a list with an answer for each request")
assert got[0][1] == "has limits", told("a card with limits takes no growth")
assert got[1][0] == "limit missing", told("a GPU's entry needs a limit")
assert got[1][1] != "has limits", told("a request that failed changes nothing: the card has no limits")
assert got[2][1] != "has limits", told("only the card that has limits refuses growth")
assert got[2][2] != "differs", told("if any card has limits, growth is not looked at when TensorFlow starts")
assert got == right, told("compare the answers one by one")

# %% hidden="rules-late" points=2
# Asks you and TensorFlow, on stand-in cards.
import tensorflow as tf
from tensorflow.python.eager import context as eager

asked = [(2, [["growth", 0], ["growth", 1], ["start"], ["growth", 0], ["limits", 0, [512]],
              ["visible", [0]]]),
         (2, [["limits", 0, [512]], ["visible", [0]], ["start"], ["limits", 0, [512]],
              ["limits", 0, [512, 512]], ["visible", [0]], ["growth", 0], ["start"]]),
         (1, [["start"], ["growth", 0], ["limits", 0, [None]], ["limits", 0, [100]]])]
words = {"when virtual devices configured": "has limits", "limit is required": "limit missing",
         "cannot differ": "differs", "after being initialized": "too late"}
right = []
for cards, requests in asked:
    made = eager.Context()
    gpus = [tf.config.PhysicalDevice(f"/physical_device:GPU:{i}", "GPU") for i in range(cards)]
    devices = [tf.config.PhysicalDevice("/physical_device:CPU:0", "CPU"), *gpus]
    made._physical_devices, made._visible_device_list, made._pluggable_devices = devices, list(devices), []
    made._physical_device_to_index = {device: i for i, device in enumerate(devices)}
    made._memory_growth_map = {gpu: None for gpu in gpus}
    piece, answers = tf.config.LogicalDeviceConfiguration, []
    for kind, *rest in requests:
        try:
            if kind == "growth":
                made.set_memory_growth(gpus[rest[0]], True)
            elif kind == "limits":
                pieces = [piece(memory_limit=mib) for mib in rest[1]]
                made.set_logical_device_configuration(gpus[rest[0]], pieces)
            elif kind == "visible":
                made.set_visible_devices([gpus[card] for card in rest[0]], "GPU")
            else:
                made.config
                visible, made._visible_device_list = made._visible_device_list, devices[:1]
                made.ensure_initialized()
                made._visible_device_list = visible
            answers.append("ok")
        except (ValueError, RuntimeError) as error:
            answers.append(next(word for part, word in words.items() if part in str(error)))
    right.append(answers)
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]

def told(likely):
    return (f"asked:    {asked}\n"
            f"got:      {got}\n"
            f"expected: {right} (what TensorFlow just said)\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Today's form, and the rules that it enforces")

assert all(type(answers) is list for answers in got) and [len(a) for a in got] == [6, 8, 4], told(
    "the result is not a list with an answer for each request")
assert got[2][1] == "too late" == got[0][4] == got[0][5], told("after the start nothing can change any more")
assert got[0][3] == "ok" == got[1][3] == got[1][5], told(
    "a request that asks for what is set already changes nothing, so it is never too late")
assert got[1][4] == "too late", told("other limits after the start are a change")
assert got[1][6] == "has limits" and got[2][2] == "limit missing", told(
    "two errors fit: the one that stands first in the table is the answer")
assert got == right, told("compare the answers one by one")

# %% hidden="rules-order" points=2
asked = [(2, [["growth", 0], ["limits", 0, [4096]], ["start"]]),
         (1, [["growth", 0], ["limits", 0, [4096]], ["growth", 0]]),
         (3, [["growth", 1], ["start"], ["limits", 2, [100, 200]], ["start"]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [["ok", "ok", "ok"], ["ok", "ok", "has limits"], ["ok", "differs", "ok", "ok"]]

def told(likely):
    return (f"asked:    {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Today's form, and the rules that it enforces")

assert all(type(answers) is list for answers in got) and [len(a) for a in got] == [3, 3, 4], told(
    "the result is not a list with an answer for each request")
assert got[0][1] == "ok", told("limits after growth are accepted: growth is then dropped without a word")
assert got[0][2] == "ok" and got[2][3] == "ok", told(
    "if any card has limits, growth is not looked at at start")
assert got[1][2] == "has limits", told("a card with limits refuses growth, even if growth was set before")
assert got == right, told("compare the answers one by one")

# %% hidden="rules-visible" points=1
asked = [(2, [["growth", 0], ["visible", [0]], ["start"]]),
         (3, [["growth", 0], ["visible", [0, 2]], ["start"]]),
         (2, [["growth", 1], ["visible", []], ["start"]]), (2, [["visible", [1]], ["growth", 0], ["start"]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [["ok", "ok", "ok"], ["ok", "ok", "differs"], ["ok", "ok", "ok"], ["ok", "ok", "ok"]]

def told(likely):
    return (f"asked:    {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Today's form, and the rules that it enforces")

assert all(type(answers) is list for answers in got) and [len(a) for a in got] == [3, 3, 3, 3], told(
    "the result is not a list with an answer for each request")
assert got[0][2] == "ok" and got[2][2] == "ok", told(
    "only visible cards are compared: a hidden one does not count")
assert got[1][2] == "differs", told("card 2 is visible and has no growth: that differs")
assert got == right, told("growth may be set on a hidden card; it just does not count")

# %% [markdown] exercise="second_process"
# ### Exercise 6 · In your own words
#
# You train on a shared card with 16 GiB. A colleague starts a small notebook on the same card, and writes: "My notebook died with
# out of memory, though my model needs only 1.5 GiB and yours only 3 GiB." Explain in four to eight sentences what happened, and
# name two cures with their price. Say for one of them what changes if you train in a cluster, where a server owns the card.

# %% [markdown] written="second_process" points=3
# ### BEGIN SOLUTION
# My process took nearly the whole card when it started, not just the 3 GiB that it needs.
# ### END SOLUTION

# %% [markdown] model="second_process"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# If nothing is set, a TensorFlow process takes nearly all free memory of the card when it starts, whatever its model needs. So my
# training holds more than 14 GiB, of which it uses 3. The notebook found what was left: about 1.5 GiB. Its own CUDA context and
# the reserve took a part of that, so its tensors got about 900 MiB (section 1): too little for 1.5 GiB. So it died with out of
# memory.
#
# The cure belongs into **my** process. I can set a fraction, 0.3 say, or a hard limit in MiB: safe, but I must know
# what I need, and a peak above it kills me. Or I can turn on growth: I take only what I need, but I never give it
# back, nothing stops me from taking everything one day, and the memory breaks up more.
#
# In a cluster the server makes the GPU devices, so its configuration counts: `tf.distribute.Server(…, config=config)`, or
# `TF_FORCE_GPU_ALLOW_GROWTH=true` in the environment of that task. A configuration given to the client's session comes
# too late.
#
# One point each: a process takes all free memory whatever it needs; two cures with a price; the server's
# configuration counts in a cluster.
# </details>
