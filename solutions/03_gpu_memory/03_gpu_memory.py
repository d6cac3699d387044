# %% [markdown] minutes=115 exercises=55 gives="say why the second process dies, bound memory, work out what a training step needs, read an out-of-memory report" after="02"
# # Lesson 03 · GPU memory
#
# Two messages on one morning. A colleague writes: "My small notebook died with *out of memory*, on a card where your
# training uses 3 of 16 GiB." And your own training log: since you doubled the batch, it ends with *out of memory* as
# well, after a pause of ten seconds. The first card was hardly used, and the second job needs its large batch. Why do
# both die, and what do you change, in whose program?
#
# After this lesson you can
#
# 1. say why a second program finds no memory on a card that the first one hardly uses, and cure it in a session, in a
#    server of a cluster, and in today's TensorFlow;
# 2. measure what a training step really takes, and make one that is too large fit without changing its result;
# 3. read the report of a program that ran out of memory, and tell its two causes apart.
#
# **Hardware:** CPU only. The code that manages a GPU's memory for TensorFlow also runs on a CPU, so you get a card of
# 512 MiB that can be measured and filled. GPUs of your own are hidden from this
# notebook; the cell marked *GPU extra* starts a program that uses one. It is never graded.

# %% include="quiet_start.py"

# %% include="checks.py memory_card.py memory_trials.py memory_picture.py memory_widget.py stand_in_cards.py"

# %% [markdown]
# This cell gives this notebook its card. It has to come before anything computes, so run it now:

# %%
claim_card()

# %% [markdown]
# ## The idea in one picture
#
# ![Three bars, each a card of 16384 MiB. First bar, nothing is set: process 1 has a small context and 14448 MiB, though it needs 3000; process 2 has a context and the 911 MiB that were left, and dies. Second bar, a fraction of 0.4 each: both processes have a context and 6553 MiB, and run; 2478 MiB are free. Third bar, growth: both have a context and the 3000 MiB that they need, and run; 9584 MiB are free.](assets/03_one_card.svg)
#
# A TensorFlow process takes nearly all free memory of a card when it starts, whether it needs it or not. It does so on
# purpose: one large piece breaks up less than many small ones, and asking the driver is slow. The price is that the card
# has no room for anybody else.
#
# ## Sitting 1 · Sharing a card
#
# ## 1 Why the second process dies
#
# What a process takes if you set nothing:
#
# 1. CUDA itself makes a **context** for each process: some hundred MiB. It lies outside of everything that TensorFlow
#    counts.
# 2. TensorFlow takes what is free then, less a **reserve** for libraries such as cuDNN.
#
# The rule for the reserve is in TensorFlow's source, in
# [`gpu_device.cc`](https://github.com/tensorflow/tensorflow/blob/v2.21.0/tensorflow/core/common_runtime/gpu/gpu_device.cc):
# 225 MiB if less than 2 GiB are free; otherwise it depends on the generation of the card, 1536 MiB for compute
# capability 8.

# %%
def takes(free):
    """MiB that TensorFlow takes of a card with `free` MiB left, beside the context."""
    reserve = 225 if free < 2048 else 1536
    return free - reserve if reserve < free else free

# %% predict="second-process"
# Predict: a card of 16384 MiB; a context takes 400. Process 1 multiplies two 2×2 matrices. Then
# process 2 starts. How many MiB does process 2 get beside its context?
second_takes = ...

# %%
free, context_mib, amounts = 16384, 400, []
for process in (1, 2, 3):
    free -= context_mib
    if free < 0:
        print(f"process {process}: no room for its context: CUDA_ERROR_OUT_OF_MEMORY at start")
        break
    amounts.append(takes(free))
    free -= amounts[-1]
    print(f"process {process}: context {context_mib}, tensors {amounts[-1]} MiB; {free} MiB left")
compare_prediction("MiB for process 2", second_takes, amounts[1],
                   "what process 1 left, less the context and 225")

# %% [markdown]
# No process ran on a card here: this is the rule, worked out. (400 MiB is an example; cards and drivers differ.) Process 2
# starts, with 911 MiB. It dies later, when its tensors need more. Process 3 dies at start. So "it starts" does not mean
# "it fits".
#
# What does a death at start look like? These are real lines, from a
# [report of 2017](https://github.com/tensorflow/tensorflow/issues/8170): the program was `tf.Session()`, on a card of
# 8 GB.

# %%
death_at_start = """
name: GeForce GTX 1080
pciBusID 0000:01:00.0
Total memory: 7.92GiB
Free memory: 190.31MiB
Creating TensorFlow device (/gpu:0) -> (device: 0, name: GeForce GTX 1080, ...)
failed to allocate 190.31M (199557120 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY
"""
asked = int(death_at_start.split("(")[-1].split(" bytes")[0])
print(f"It asked for {asked / 2**20:.2f} MiB, all that was free; of 8110 MiB in all")

# %% [markdown]
# The line to read is `Free memory`: 190 MiB of 7.92 GiB. Somebody else had the rest, before this program did anything. It
# asked for what was left (this old version had no reserve for so small a rest), and even that was too much. Today's
# TensorFlow prints the same error, often several times with falling sizes: it tries again with nine tenths each time.
#
# `nvidia-smi` shows what a process **took**, not what it uses. A card that looks full may be nearly idle. Here a session
# had multiplied two 2×2 matrices:
#
# {{gpu record: memory default}}
#
# ## 2 Fraction and growth, in a session
#
# The classic form: two fields of `GPUOptions`, inside the session's `ConfigProto`.

# %%
v1 = tf.compat.v1
options = v1.GPUOptions(per_process_gpu_memory_fraction=0.4, allow_growth=True)
config = v1.ConfigProto(gpu_options=options)
print(config)

# %% [markdown]
# | field | what it does | the price |
# | --- | --- | --- |
# | `per_process_gpu_memory_fraction=0.4` | the process may take 0.4 of the **whole** card, not of what is free | you must know what each process needs; the context comes on top |
# | `allow_growth=True` | it begins with little and takes more when tensors need it | it never gives any back; nothing stops it from taking all; memory breaks up more |
# | both | it grows, up to the fraction | as for growth, but it cannot take all |
#
# A fraction above 1 is no mistake for TensorFlow: it switches to CUDA's *unified memory*, which spills into the host's
# memory over the bus, and is slow. And a session without a GPU says nothing at all, whatever you write:

# %%
wild = v1.GPUOptions(per_process_gpu_memory_fraction=7.0, visible_device_list="abc")
config_of_wild = v1.ConfigProto(gpu_options=wild, device_count={"GPU": 0})
with tf.Graph().as_default(), v1.Session(config=config_of_wild) as session:
    print(session.run(tf.constant("no complaint")))

# %% [markdown]
# So a configuration that "works on my laptop" proves nothing. Read the message itself, as you did above. The exercises do
# that, too.
#
# ## 3 In a server of a cluster
#
# In a cluster, the process that owns the cards is the **server**. (A *server*, `tf.distribute.Server`, is the part of a
# process that runs ops for others, its *clients*; lesson 06 builds clusters of them.) It makes its GPU devices once, with
# *its* configuration. A client that connects to it by `Session("grpc://…", config=…)` comes too late.
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
    found = [device.name[-5:] for device in session.list_devices()]
print(found)
compare_prediction("CPU devices", cpu_devices, len(found), "the server's configuration counts")

# %% [markdown]
# The same holds for memory. What a server was made with is in its definition:

# %%
quiet_server = tf.distribute.Server.create_local_server(config=config, start=False)
print(quiet_server.server_def)

# %% [markdown]
# Look at `default_session_config`. Give the configuration to **every server whose process has a card**:
# `tf.distribute.Server(cluster, job_name, task_index, config=config)`. (`start=False` makes the server without letting
# anybody in, since we only read its definition.) The same holds inside one process: the *first* session makes the GPU
# devices. Later sessions in this process live with what it took.

# %% [markdown] exercise="config"
# ### Exercise 1 · Write the settings
#
# Write `memory_config(place, fraction=None, growth=False, cards=None)`. It returns a message as bytes {#1}:
#
# * `place="session"`: a `ConfigProto` {#2};
# * `place="server"`: the `ServerDef` of a local server whose GPU devices follow these settings {#3}. (Section 3 makes
#   such a server without starting it.) It is whole: its cluster, which task of it the server is, and the protocol {#4}.
#
# The settings:
#
# * `fraction`: the process's share of each card {#5}. `None` leaves it unset. Otherwise it must be above 0 {#6} and at
#   most 1 {#7}, for a server too {#8}; if not, raise a `ValueError`. (TensorFlow would take 7.0 without a word.)
# * `growth`: whether it takes memory only when needed {#9}. Growth and a fraction may both be set {#10}.
# * `cards`: a list of numbers such as `[2, 0]`: these cards in this order {#11}, as `visible_device_list` wants them: the
#   text `"2,0"` {#12}. `None` leaves it unset: all cards {#13}. An empty list: **no GPU at all**. An empty *text* would
#   mean all cards, so this is said by `device_count["GPU"] = 0` {#14}, and `device_count` is for nothing else {#15}.
#
# Example: the message of `memory_config("session", fraction=0.25)`, as text, is
# `gpu_options { per_process_gpu_memory_fraction: 0.25 }`.

# %% solution="config" kind="graph"
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

# %% check="config-session" points=2 title="Fraction and growth in a session"
import tensorflow as tf

asked = [{"fraction": 0.25}, {"growth": True}, {"fraction": 0.5, "growth": True}]
answers = [memory_config("session", **settings) for settings in asked]
told = Told(asked=f"memory_config('session', ...) with {asked}, read as ConfigProtos", got="no bytes",
            expected="fraction 0.25 alone; growth alone; fraction 0.5 and growth",
            reread="section 2, Fraction and growth, in a session")
assert all(type(answer) is bytes for answer in answers), told(
    "return the message's bytes: .SerializeToString()")
try:
    configs = [tf.compat.v1.ConfigProto.FromString(answer) for answer in answers]
except Exception:
    assert False, told("these bytes are not a ConfigProto")
told.got = [" ".join(str(config).split()) for config in configs]
first, second, third = [config.gpu_options for config in configs]
set_at_all = first.per_process_gpu_memory_fraction or second.allow_growth or third.allow_growth
assert set_at_all, told("nothing of it is in gpu_options: a ConfigProto is asked for, not a part of one")
assert not first.allow_growth, told("growth was not asked for: a fraction does not need it")
assert not any("GPU" in config.device_count for config in configs), told(
    "cards=None leaves the choice of cards unset, and all cards there")
assert second.allow_growth, told("growth was asked for and is not set")
kept = third.per_process_gpu_memory_fraction == 0.5 or not first.per_process_gpu_memory_fraction
assert kept, told(
    "growth does not replace the fraction: together they mean: grow, up to the fraction")
assert third.allow_growth or not second.allow_growth, told(
    "a fraction does not replace growth: both were asked for")
fractions = [options.per_process_gpu_memory_fraction for options in (first, second, third)]
assert fractions == [0.25, 0, 0.5], told()

# %% check="config-server" points=2 title="A server's definition"
import tensorflow as tf

answer = memory_config("server", fraction=0.25, growth=True)
told = Told(asked="memory_config('server', fraction=0.25, growth=True), read as a ServerDef",
            got="no bytes",
            expected="default_session_config with fraction 0.25 and allow_growth; a cluster of one job",
            reread="section 3, In a server of a cluster")
assert type(answer) is bytes, told("return the bytes of server.server_def: .SerializeToString()")
try:
    definition = tf.train.ServerDef.FromString(answer)
except Exception:
    assert False, told("these bytes are not a ServerDef")
told.got = " ".join(str(definition).split())
gpu = definition.default_session_config.gpu_options
assert definition.cluster.job, told("this is not a server's definition: it has no cluster")
assert definition.HasField("default_session_config"), told(
    "the server does not know the settings: give it config=...; what a session says comes too late")
assert gpu.per_process_gpu_memory_fraction == 0.25 and gpu.allow_growth, told(
    "the server's default_session_config lacks one of the settings")
tasks = {job.name: dict(job.tasks) for job in definition.cluster.job}
assert definition.task_index in tasks.get(definition.job_name, {}) and definition.protocol, told(
    "the definition does not say which task of its cluster the server is (job_name), or its protocol")

# %% hidden="config-range" points=2 title="Fractions out of range"
above, below = 1 + draw.randrange(1, 90) / 1000, -draw.randrange(1, 99) / 100
inside = draw.randrange(20, 99) / 100
asked = [("session", 0), ("session", below), ("session", above), ("session", 7.0), ("server", above),
         ("session", 1), ("session", inside)]
got = []
for place, fraction in asked:
    try:
        got.append(type(memory_config(place, fraction=fraction)).__name__)
    except Exception as error:
        if isinstance(error, NotImplementedError):
            raise
        got.append(type(error).__name__)
told = Told(asked=f"memory_config(place, fraction=...) with {asked}", got=got,
            expected="ValueError for the first five, bytes for 1 and for what is between",
            reread="the text of exercise 1")
assert got[2:4] != ["bytes", "bytes"] and got[2] == "ValueError", told("a fraction above 1 was accepted")
assert got[5] != "ValueError", told("1 is allowed: the whole card")
assert got[0] != "bytes", told("a fraction of 0 was accepted: 0 is not None")
assert got[1] != "bytes", told("a negative fraction was accepted")
assert got[4] != "bytes", told("a server takes a fraction that a session refuses")
assert got == ["ValueError"] * 5 + ["bytes"] * 2, told()

# %% hidden="config-cards" points=2 title="The choice of cards"
import tensorflow as tf

high, low = draw.randrange(4, 8), draw.randrange(0, 4)
asked = [[high, low], [low], [], None]
answers = [memory_config("session", cards=cards) for cards in asked]
server, none = memory_config("server", cards=[high, low]), memory_config("server", cards=[])
told = Told(asked=f"memory_config('session', cards=...) with {asked}; a server with {[high, low]}",
            got="no bytes", expected=f"lists '{high},{low}' and '{low}'; no GPU by device_count; nothing "
            f"set; '{high},{low}'", reread="the text of exercise 1")
assert all(type(answer) is bytes for answer in [*answers, server, none]), told("return the message's bytes")
configs = [tf.compat.v1.ConfigProto.FromString(answer) for answer in answers]
lists = [config.gpu_options.visible_device_list for config in configs]
counts = [dict(config.device_count) for config in configs]
there = tf.train.ServerDef.FromString(server).default_session_config.gpu_options.visible_device_list
told.got = f"lists {lists}, device counts {counts}, server {there!r}"
assert lists[0] != f"{low},{high}", told("the cards were sorted: their order says which one becomes GPU:0")
assert "GPU" not in counts[3], told("None leaves everything unset: all cards")
assert counts[2].get("GPU") == 0 or lists[0] == "", told(
    "an empty list is no GPU; an empty visible_device_list means all of them")
assert not any("GPU" in count for count in counts[:2]), told(
    "visible_device_list chooses the cards; device_count is for the empty list only")
assert lists == [f"{high},{low}", str(low), "", ""], told()
assert there == f"{high},{low}", told("in the server's definition the cards are not set")
counts = tf.train.ServerDef.FromString(none).default_session_config.device_count
told.asked, told.got = "memory_config('server', cards=[]): its device_count", dict(counts)
told.expected = {"GPU": 0}
assert told.got.get("GPU") == 0, told("an empty list is no GPU for a server, too")

# %% [markdown]
# ## 4 Today's form, and the rules that it enforces
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | `GPUOptions(allow_growth=True)` | `tf.config.experimental.set_memory_growth(gpu, True)`, for each card |
# | `per_process_gpu_memory_fraction=0.4`: a share of the card | `tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=6553)])`: MiB, a **hard limit** |
# | `experimental.virtual_devices`: one card as several devices | the same call, with several entries in the list |
# | `visible_device_list="0"` | `tf.config.set_visible_devices(gpus[:1], "GPU")` |
# | `Server(…, config=config)` | the same; or the calls above in each task, before its server starts |
# | – | `tf.config.experimental.get_memory_info("GPU:0")`: bytes in use and the peak |
#
# These calls check what you ask, in Python code of TensorFlow that needs no card, only a list of cards. As in lesson 02,
# `stand_in(2)` makes a list of two **stand-in cards**; within `in_charge`, `tf.config` is about them. The rules are
# TensorFlow's; the cards do not exist. (Both use a private part of TensorFlow; look into the helpers if you like.)

# %%
made, (gpu0, gpu1) = stand_in(2)

def attempt(what, *arguments):
    """Make a request; say what TensorFlow says to it."""
    try:
        with in_charge(made):
            what(*arguments)
        print(f"ok     {what.__name__}")
    except (ValueError, RuntimeError) as error:
        print(f"error  {what.__name__}: {error}")

# %% predict="growth-differs"
# Predict: two cards; growth is set on the first one only. Is the error at the "call", at the
# "start" (the first op), or is there "none"?
error_at = "..."

# %%
set_growth = tf.config.experimental.set_memory_growth
attempt(set_growth, gpu0, True)
attempt(first_op, made)
attempt(set_growth, gpu1, True)
attempt(first_op, made)
print(made.config.gpu_options)
compare_prediction("error at", error_at, "start", "a list of calls is checked as a whole then")

# %% [markdown]
# (`first_op` does what the first op of a program does: the settings are checked, and the devices are made.) All visible
# cards must agree about growth.
#
# Now hard limits. Two entries make *two* logical GPUs of one card:

# %%
made, (gpu0, gpu1) = stand_in(2)
piece = tf.config.LogicalDeviceConfiguration
set_limits = tf.config.set_logical_device_configuration
attempt(set_limits, gpu0, [piece(memory_limit=4096), piece(memory_limit=8192)])
attempt(set_limits, gpu1, [piece()])
attempt(set_growth, gpu0, True)
attempt(set_growth, gpu1, True)
attempt(first_op, made)
print(made.config.device_count, made.config.gpu_options.experimental)

# %% [markdown]
# The second request is refused: each entry for a GPU needs a limit. So there are three logical GPUs: `GPU:0` and
# `GPU:1` share the first card, `GPU:2` is all of the second. The limit is a fence for each.
# So one card can play several, to try a program for many GPUs.
#
# Growth on `gpu1` was accepted. Look for it in the message: it is not there. **As soon as any card has limits, growth is
# dropped without a word.** The same happens if you set growth first, and limits afterwards.
#
# Last, time. A started process has made its devices:

# %%
attempt(set_growth, gpu1, False)
attempt(set_growth, gpu1, True)  # as it was: nothing to change
attempt(set_limits, gpu0, [piece(memory_limit=1024)])

# %% [markdown] exercise="rules"
# ### Exercise 2 · TensorFlow's rules
#
# A program makes requests about its cards, in some order, and starts TensorFlow somewhere among them. Write
# `apply_rules(cards, requests)`: what does TensorFlow say to each? There are `cards` cards, numbered from 0. At first
# TensorFlow is not started, all cards are visible, and none has growth or limits {#11}. A request is one of
#
# | request | what the program calls |
# | --- | --- |
# | `["growth", 0]` | `set_memory_growth(card 0, True)` |
# | `["limits", 0, [1024, 2048]]` | `set_logical_device_configuration(card 0, [...])` with these memory limits; `None` is an entry without a limit |
# | `["visible", [0, 1]]` | `set_visible_devices([card 0, card 1], "GPU")`; the numbers are all different and ascend |
# | `["start"]` | the first op. After a failed start the program is still not started {#1}; a start after a good one is `"ok"` |
#
# Return a list with an answer for each request {#2}: `"ok"`, or the word for TensorFlow's error:
#
# | answer | TensorFlow's error |
# | --- | --- |
# | `"has limits"` | `Cannot set memory growth on device when virtual devices configured` {#3} |
# | `"limit missing"` | `Setting memory limit is required for GPU virtual devices`: an entry is `None`, even if it is the only one {#4} |
# | `"differs"` | `Memory growth cannot differ between GPU devices`, at a start {#5}. Only *visible* cards are compared {#6}. If any card has limits, growth is not looked at {#7} |
# | `"too late"` | `Physical (or Virtual, or Visible) devices cannot be modified after being initialized`: a request after a good start that would change something {#8}. One that asks for what is set already is `"ok"` {#9} |
#
# If two of these errors fit, the answer is the one that stands first in the table {#10}. Write the rules down, or let
# TensorFlow answer, by `stand_in`, `in_charge` and `first_op`: both are good answers.
#
# Example: `apply_rules(2, [["growth", 0], ["start"], ["growth", 1], ["start"]])` is `["ok", "differs", "ok", "ok"]`, as
# in section 4.

# %% solution="rules" kind="today"
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
    made, gpus = stand_in(cards)
    words = {"when virtual devices configured": "has limits", "limit is required": "limit missing",
             "cannot differ": "differs", "after being initialized": "too late"}

    def do(kind, *rest):
        if kind == "growth":
            tf.config.experimental.set_memory_growth(gpus[rest[0]], True)
        elif kind == "limits":
            pieces = [tf.config.LogicalDeviceConfiguration(memory_limit=mib) for mib in rest[1]]
            tf.config.set_logical_device_configuration(gpus[rest[0]], pieces)
        elif kind == "visible":
            tf.config.set_visible_devices([gpus[card] for card in rest[0]], "GPU")
        else:
            first_op(made)

    answers = []
    with in_charge(made):
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

# %% check="rules-growth" points=1 title="Growth, and a failed start"
asked = [(2, [["growth", 0], ["start"], ["growth", 1], ["start"]]), (1, [["growth", 0], ["start"]]),
         (2, [["start"]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [["ok", "differs", "ok", "ok"], ["ok", "ok"], ["ok"]]
told = Told(asked=asked, got=got, expected=right,
            reread="section 4, Today's form, and the rules that it enforces")
assert all(type(answers) is list for answers in got), told("the result is not a list")
assert [len(answers) for answers in got] == [4, 2, 1], told("there is an answer for each request, start too")
assert got[0][0] != "differs", told("the call is accepted: growth is compared at start")
assert got[0][1] != "ok", told("one card with growth and one without: the start fails")
assert got[0][2] != "too late", told("a failed start is no start: the settings may still change")
assert got == right, told()

# %% check="rules-limits" points=2 title="Limits and growth"
asked = [(1, [["limits", 0, [1024, 2048]], ["growth", 0], ["start"]]),
         (2, [["limits", 1, [None]], ["growth", 1]]),
         (2, [["limits", 0, [1024]], ["growth", 1], ["start"]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [["ok", "has limits", "ok"], ["limit missing", "ok"], ["ok", "ok", "ok"]]
told = Told(asked=asked, got=got, expected=right,
            reread="section 4, Today's form, and the rules that it enforces")
assert [len(answers) for answers in got] == [3, 2, 3], told("there is an answer for each request, start too")
assert got[0][1] != "ok", told("a card with limits takes no growth")
assert got[1][0] != "ok", told("a GPU's entry needs a limit")
assert got[1][1] != "has limits", told("a request that failed changes nothing: the card has no limits")
assert got[2][1] != "has limits", told("only the card that has limits refuses growth")
assert got[2][2] != "differs", told("if any card has limits, growth is not looked at when TensorFlow starts")
assert got == right, told()

# %% hidden="rules-late" points=2 title="Requests after the start"
mib = draw.randrange(100, 1000)
asked = [(2, [["growth", 0], ["growth", 1], ["start"], ["growth", 0], ["limits", 0, [mib]],
              ["visible", [0]]]),
         (2, [["limits", 0, [mib]], ["visible", [0]], ["start"], ["limits", 0, [mib]],
              ["limits", 0, [mib, mib]], ["visible", [0]], ["growth", 0], ["start"]]),
         (1, [["start"], ["growth", 0], ["limits", 0, [None]], ["limits", 0, [mib]]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [reference.apply_rules(cards, requests) for cards, requests in asked]
told = Told(asked=asked, got=got, expected=right,
            reread="section 4, Today's form, and the rules that it enforces")
assert [len(answers) for answers in got] == [6, 8, 4], told("there is an answer for each request, start too")
assert got[2][1] != "ok" and got[0][5] != "ok", told("after the start nothing can change any more")
assert got[0][3] != "too late" and got[1][3] != "too late" and got[1][5] != "too late", told(
    "a request that asks for what is set already changes nothing, so it is never too late")
assert got[1][6] != "too late" and got[2][2] != "too late", told(
    "two errors fit here: the one that stands first in the table is the answer")
assert got == right, told()

# %% hidden="rules-order" points=2 title="Growth before limits"
mib = draw.randrange(1000, 5000)
asked = [(2, [["growth", 0], ["limits", 0, [mib]], ["start"]]),
         (1, [["growth", 0], ["limits", 0, [mib]], ["growth", 0]]),
         (3, [["growth", 1], ["start"], ["limits", 2, [100, mib]], ["start"]]),
         (3, [["limits", 2, [mib]], ["visible", [0, 1]], ["growth", 0], ["start"]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [reference.apply_rules(cards, requests) for cards, requests in asked]
told = Told(asked=asked, got=got, expected=right,
            reread="section 4, Today's form, and the rules that it enforces")
assert [len(answers) for answers in got] == [3, 3, 4, 4], told(
    "there is an answer for each request, start too")
assert got[0][1] == "ok", told("limits after growth are accepted: growth is then dropped without a word")
assert got[0][2] != "differs" and (got[2][2] != "ok" or got[2][3] != "differs"), told(
    "if any card has limits, growth is not looked at when TensorFlow starts")
assert got[3][3] != "differs" or right[2] != got[2], told(
    "if any card has limits, growth is not looked at, also where the card with limits is not visible")
assert got[1][2] != "ok", told("a card with limits refuses growth, even if growth was set before")
assert got == right, told()

# %% hidden="rules-visible" points=1 title="Only visible cards are compared"
one = draw.randrange(3)
others = [card for card in range(3) if card != one]
asked = [(3, [["growth", one], ["visible", [one]], ["start"]]),
         (3, [["growth", one], ["visible", sorted([one, others[0]])], ["start"]]),
         (3, [["growth", one], ["visible", []], ["start"]]),
         (3, [["visible", others], ["growth", one], ["start"]])]
got = [apply_rules(cards, [list(request) for request in requests]) for cards, requests in asked]
right = [reference.apply_rules(cards, requests) for cards, requests in asked]
told = Told(asked=asked, got=got, expected=right,
            reread="section 4, Today's form, and the rules that it enforces")
assert [len(answers) for answers in got] == [3, 3, 3, 3], told(
    "there is an answer for each request, start too")
assert got[0][2] != "differs" and got[2][2] != "differs", told(
    "only visible cards are compared: a hidden one does not count")
assert got[1][2] != "ok", told("a visible card has no growth, another one has: that differs")
assert got == right, told()

# %% [markdown]
# *GPU extra.* A program multiplies 2×2 matrices on your first card, without growth and with it. Compare what TensorFlow
# uses with what `nvidia-smi` says is taken. (GPUs are hidden from this notebook, so the program gets a mask of its own.)

# %%
%%writefile growth.py
import subprocess

import tensorflow as tf

tf.ones([2, 2]) @ tf.ones([2, 2])
print("TensorFlow uses:", tf.config.experimental.get_memory_info("GPU:0"))
subprocess.run(["nvidia-smi", "--query-gpu=index,memory.used,memory.total", "--format=csv"])

# %% grading="skip"
import os
import shutil
import subprocess
import sys

if shutil.which("nvidia-smi"):
    for growth in ("false", "true"):
        print(f"--- growth {growth}; this takes some seconds", flush=True)
        one_card = {"CUDA_VISIBLE_DEVICES": "0", "TF_FORCE_GPU_ALLOW_GROWTH": growth}
        settings = {**os.environ, **one_card}
        done = subprocess.run([sys.executable, "growth.py"], env=settings, timeout=120,
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
# Now pack a card. Choose a rule and sizes; see who runs. How many processes of 3000 MiB can share 16384 MiB with each
# rule? Which fraction is best for three? What does growth do if one more comes? (Nothing runs on a card here: the widget
# works out the rules of sections 1 and 2.)

# %% grading="skip"
pack_card()

# %% [markdown]
# <details><summary>Picture for reading without a kernel</summary>
#
# ![The widget: what is set: fraction; card 16384 MiB, each needs 3000 MiB, 3 processes, fraction 0.3. Below, a bar: three contexts of 400 MiB, each followed by a process with 4915 MiB; 439 MiB are left. All three run.](assets/03_widget.svg)
#
# </details>

# %% [markdown] exercise="plan"
# ### Exercise 3 · A plan for one card
#
# Several processes share a card. Write `plan_card(card, context, needs)`: how much may each take?
#
# * `card` is the card's memory, `context` what CUDA takes for **each** process {#1}, beside its tensors {#2}. Both in
#   whole MiB.
# * `needs` says for each process how many MiB its tensors need: `{"train": 6000, "notebook": None}`. `None` means:
#   whatever is left {#3}. Several of these get **equal** shares {#4}.
#
# Return `{process: [limit, fraction]}`: the limit in whole MiB, rounded **down** {#5}, as `memory_limit` wants it, and the
# same as `per_process_gpu_memory_fraction` wants it: limit / card {#6}, not rounded {#7}.
#
# If the needs and the contexts do not fit together {#8}, or if a process with `None` would get less than 1 MiB {#9}, raise
# a `ValueError`.
#
# Example: `plan_card(16000, 500, {"train": 6000, "notebook": None})` is
# `{"train": [6000, 0.375], "notebook": [9000, 0.5625]}`: two contexts, 6000, and 9000 are left.

# %% solution="plan" kind="model"
def plan_card(card, context, needs):
    """Share a card's memory among processes.

    Args:
        card: int, MiB of the whole card.
        context: int, MiB that CUDA takes for each process, outside of its limit.
        needs: dict, process name -> int, MiB of its tensors, or None: an equal share of the rest.
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

# %% check="plan-equal" points=1 title="Two processes share all of a card"
got = plan_card(8000, 400, {"a": None, "b": None})
right = {"a": [3600, 0.45], "b": [3600, 0.45]}
told = Told(asked="plan_card(8000, 400, {'a': None, 'b': None})", got=got, expected=right,
            reread="section 1, Why the second process dies")
assert isinstance(got, dict) and set(got) == {"a", "b"}, told(
    "the result is not a dict with an entry for each process")
assert all(isinstance(part, (list, tuple)) and len(part) == 2 for part in got.values()), told(
    "each process has a list of two: the limit in MiB, and the fraction")
assert got["a"][0] != 4000, told("the contexts were forgotten: CUDA takes its part before any tensor")
assert got["a"][0] != 3800, told("one context was counted: each process has its own")
assert got["a"][0] == got["b"][0], told("the shares are not equal")
assert abs(got["a"][1] - 0.5) > 1e-9, told(
    "the fraction is of the whole card, not of what is left for tensors")
assert all(got[p][0] == right[p][0] and abs(got[p][1] - right[p][1]) < 1e-9 for p in right), told()

# %% check="plan-needs" points=2 title="Needs, and what is left"
got = plan_card(16000, 500, {"train": 6000, "notebook": None, "test": 1000})
right = {"train": [6000, 0.375], "notebook": [7500, 0.46875], "test": [1000, 0.0625]}
told = Told(asked="plan_card(16000, 500, {'train': 6000, 'notebook': None, 'test': 1000})", got=got,
            expected=right, reread="section 2, Fraction and growth, in a session")
assert got["train"][0] not in (5500, 6500), told(
    "the context lies outside of the limit: a process that needs 6000 MiB gets a limit of 6000")
assert got["train"][0] == 6000, told("a process with a need gets what it needs, no more and no less")
assert got["notebook"][0] not in (9000, 8500), told(
    "contexts: every process has one, also those that say what they need")
assert abs(got["test"][1] - 1000 / 14500) > 1e-9 and abs(got["test"][1] - 1000 / 8500) > 1e-9, told(
    "the fraction is of the whole card, not of what is left")
assert all(got[p][0] == right[p][0] and abs(got[p][1] - right[p][1]) < 1e-9 for p in right), told()

# %% hidden="plan-rounding" points=1 title="Shares that do not come out even"
import numbers

context, rest = draw.randrange(100, 160), draw.choice([2, 5, 8])  # so limit / card has many digits
whole = 3 * context + 9000 + rest
got = plan_card(whole, context, {"a": None, "b": None, "c": None})
limit = (whole - 3 * context) // 3
told = Told(asked=f"plan_card({whole}, {context}, three processes with None): {9000 + rest} MiB for three",
            got=got, expected=f"{limit} MiB and the fraction {limit} / {whole} for each",
            reread="the text of exercise 3")
limits = [part[0] for part in got.values()]
assert all(isinstance(part, numbers.Integral) for part in limits), told(
    "a limit is a whole number of MiB, an int")
assert limits != [limit + 1] * 3, told("rounded up, or to the nearest: three times that does not fit")
assert limits == [limit] * 3, told()
fractions = [part[1] for part in got.values()]
assert not any(abs(part - (whole / 3 - context) / whole) < 1e-9 for part in fractions), told(
    "the fraction belongs to the rounded limit: limit / card")
assert not any(part == round(limit / whole, digits) for part in fractions for digits in (2, 3, 4)), told(
    "the fraction is rounded")
assert all(abs(part - limit / whole) < 1e-9 for part in fractions), told()

# %% hidden="plan-short" points=2 title="When it does not fit"
context = draw.randrange(300, 600)
whole = draw.randrange(70, 90) * 100
need = whole - 2 * context - 1000
asked = [(whole, context, {"a": need + 500, "b": 501}),
         (whole, context, {"a": whole - 2 * context, "b": None}),
         (2 * context, context, {"a": None, "b": None}), (2 * context + 1, context, {"a": None, "b": None}),
         (whole, context, {"a": need, "b": 1000}),
         (whole, context, {"a": whole - 2 * context - 1, "b": None}),
         (whole, context, {"a": 0, "b": need})]
got = []
for one in asked:
    try:
        got.append([limit for limit, _ in plan_card(*one[:2], dict(one[2])).values()])
    except (ValueError, ZeroDivisionError) as error:
        got.append(type(error).__name__)
right = ["ValueError"] * 4 + [[need, 1000], [whole - 2 * context - 1, 1], [0, need]]
told = Told(asked=f"plan_card with {asked}: limits", got=got, expected=right, reread="the text of exercise 3")
assert "ZeroDivisionError" not in got, told(
    "there may be no process with None: do not divide by their number")
assert got[0] == "ValueError", told("with both contexts, 1 MiB is missing")
assert got[4] != "ValueError", told("needs and contexts that fill the card to the last MiB do fit")
assert got[1] == "ValueError" == got[2], told(
    "nothing is left, but a process with None must get at least 1 MiB")
assert got[3] == "ValueError", told("1 MiB is left for two processes: each must get at least 1 MiB")
assert got == right, told()

# %% [markdown]
# **A good place to stop.** When you come back, click this cell and choose *Run → Run All Above Selected Cell*.
#
# %% [markdown]
# ## Sitting 2 · Inside one process
#
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
# Your card of 512 MiB is managed by this very allocator: `claim_card` told TensorFlow to use it for the CPU device, and
# took all of the card in one region, as a process without growth does on a GPU. First, its smallest unit:

# %%
before = in_use()
tensor = tf.fill([100], 1.0)
print(in_use() - before, "bytes for", 4 * 100)
del tensor
print(in_use() - before, "bytes after del")

# %% [markdown]
# Chunks come in multiples of 256 bytes. And `del` gives the chunk back at once, to the allocator, **not to the card**:
# other processes get nothing of it.
#
# Now four tensors. `places` reads where their values really begin in memory.

# %% grading="skip"
held = {name: tensor_of(mib) for name, mib in {"a": 96, "b": 32, "c": 64, "d": 32}.items()}
rows = [("take a, b, c, d", places(held))]
draw_memory(rows, 512, "The card")

# %% predict="best-fit"
# Predict: a and c are given back. Then e asks for 32 MiB. Where does it begin: at 0, 128 or 224?
e_begins = ...

# %% grading="skip"
del held["a"], held["c"]
rows.append(("free a and c", places(held)))
held["e"] = tensor_of(32)
rows.append(("take e (32)", places(held)))
draw_memory(rows, 512, "Best fit")
e_began = int(places(held)["e"][0])
compare_prediction("e begins at", e_begins, e_began, "the smallest hole that fits")

# %% [markdown]
# There were three holes: 96 MiB at 0, 64 MiB at 128, 288 MiB at 224. The smallest that is large enough is the one at 128.
# It was **split**: e took the first half. Now b is given back, and f wants 128 MiB:

# %% grading="skip"
del held["b"]
rows.append(("free b", places(held)))
held["f"] = tensor_of(128)
rows.append(("take f (128)", places(held)))
draw_memory(rows[2:], 512, "Coalescing")

# %% [markdown]
# The chunk of b and the free chunk before it became one of 128 MiB. That is **coalescing**.
#
# A chunk is split only if it is **at least twice** as large as the request (or 128 MiB would be left over). Otherwise
# the request gets all of it, and the rest of the chunk is lost to everybody until its tensor goes: *internal*
# fragmentation. The other kind lies between the chunks. Sixteen tensors of 32 MiB; every second one is given back:

# %% grading="skip"
held.clear()
held = {f"t{i}": tensor_of(32) for i in range(16)}
rows = [("take 16 × 32", places(held))]
for i in range(0, 16, 2):
    del held[f"t{i}"]
rows.append(("free every second", places(held)))
draw_memory(rows, 512, "Fragmentation")

# %% [markdown]
# Half of the card is free. You ask for 64 MiB; a second later another thread gives everything back:

# %% grading="skip"
import threading
import time

start = time.monotonic()
threading.Timer(1, held.clear).start()
tensor = tensor_of(64)
print(f"64 MiB after {time.monotonic() - start:.1f} seconds")
del tensor

# %% [markdown]
# At first it did not fit: 256 MiB were free, but no hole had 64, and an allocator cannot move what is in use. But
# TensorFlow does not give up at once. It **waits up to ten seconds** for somebody to give memory back. So an out-of-memory
# error comes after a pause of ten seconds, as in the log of your training at the start of this lesson.
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
# | **activations** | each layer's input and what its backward pass needs, for each example | the network **and the batch** |
#
# Take a network of sixteen equal layers. `plain_gradients` is a training step without the update: it takes and returns
# NumPy arrays, so that nothing stays on the card.

# %%
WIDTH, LAYERS = 256, 16

def layer(h, w):
    return h + tf.nn.relu(h @ w)

def loss_of(weights, x, y):
    h = x
    for w in weights:
        h = layer(h, w)
    return tf.reduce_mean(tf.square(h - y))

# %%
def plain_gradients(weights, x, y):
    """The gradients of the mean loss: arrays, one for each weight."""
    variables = [tf.Variable(w) for w in weights]
    with tf.GradientTape() as tape:
        loss = loss_of(variables, tf.constant(x), tf.constant(y))
    return [gradient.numpy() for gradient in tape.gradient(loss, variables)]

# %% [markdown]
# From the table you can work out the least that must be there at the peak: the parameters, and for each example 256
# values of 4 bytes for each layer and for the input. `peak_of` measures what the card really gave (`example_data` makes
# weights, inputs and targets):

# %% predict="batch"
# Predict: from 256 to 4096 examples is sixteen times. How many times the memory does the step take?
times_the_memory = ...

# %% grading="skip"
batches = [256, 1024, 2048, 4096]
measured = [peak_of(plain_gradients, *example_data(examples)) for examples in batches]
least = [4 * (LAYERS * WIDTH**2 + (LAYERS + 1) * WIDTH * examples) / MIB for examples in batches]
figure, axes = plt.subplots(figsize=(7, 3.3), layout="constrained")
axes.plot(batches, least, "--", color=PALETTE["blue"], label="parameters + one value per unit")
axes.plot(batches, measured, "o", color=PALETTE["red"], ms=8, label="measured peak")
axes.set(xlabel="batch (examples)", ylabel="memory (MiB)", xlim=0, ylim=0)
axes.legend()
show(figure, "Peak against batch size: both lines rise straight; the measured one is higher.")
for examples, peak, low in zip(batches, measured, least):
    print(f"{examples:5} examples: measured {peak:6.1f} MiB; by the table at least {low:5.1f}")
compare_prediction("times the memory", times_the_memory, measured[-1] / measured[0],
                   "parameters and gradients do not grow with the batch")

# %% [markdown]
# The plot in words: here the peak rises in a straight line with the batch, and for the large batches it is **about
# twice** what the table says. The backward pass of a layer needs two values of each unit (the layer's input, and the
# output of `relu`), and the targets lie on the card as well. And what a step holds at its top also depends on how it is
# run: the same step as a `tf.function` has another peak, and where several ops run at once it can differ from run to
# run. So use the table to understand what grows. **To know what fits, measure it.**
#
# With Keras `mixed_float16` (lesson 08), layers compute in float16, so *activations* take half; the variables and the
# optimizer's slots stay float32.
#
# Here is the same step as a `tf.function`, measured four times beside the first one:

# %% grading="skip"
@tf.function
def traced_step(variables, x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(variables, x, y)
    return tape.gradient(loss, variables)

def traced_gradients(weights, x, y):
    variables = [tf.Variable(w) for w in weights]
    traced_step(variables, tf.constant(x), tf.constant(y))

# %% grading="skip"
data = example_data(2048)
traced_gradients(*data)  # the first call also builds the graph
print("one op at a time:", round(peak_of(plain_gradients, *data), 1), "MiB")
print("as a tf.function: ", [round(peak_of(traced_gradients, *data), 1) for _ in range(4)], "MiB")

# %% [markdown]
# ## 8 Memory over time
#
# In a session, the run's metadata records each allocation: how many bytes, when. Added up, they show one step from
# inside.

# %% grading="skip"
with tf.Graph().as_default() as graph:
    x = v1.placeholder(tf.float32, [None, WIDTH], name="x")
    variables = [v1.get_variable(f"w{i}", [WIDTH, WIDTH]) for i in range(LAYERS)]
    loss = loss_of(variables, x, x)
    train = v1.train.AdamOptimizer().minimize(loss)
    prepare = v1.global_variables_initializer()

# %% grading="skip"
metadata, full = v1.RunMetadata(), v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
ones = np.ones([1024, WIDTH])
with v1.Session(graph=graph) as session:
    session.run(prepare)
    session.run(train, {x: ones})  # the first step also makes copies of its own
    session.run(train, {x: ones}, full, metadata)
records = []
for device in metadata.step_stats.dev_stats:
    for node in device.node_stats:
        for memory in node.memory:
            for record in memory.allocation_records:
                records.append((record.alloc_micros, record.alloc_bytes))
records.sort()

# %% grading="skip"
milliseconds = [(moment - records[0][0]) / 1000 for moment, _ in records]
mib = np.cumsum([size for _, size in records]) / MIB
figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
axes.fill_between(milliseconds, mib, step="post", color=PALETTE["sky"], alpha=0.6)
axes.step(milliseconds, mib, where="post", color=PALETTE["blue"])
axes.set(xlabel="milliseconds since the first allocation", ylabel="held (MiB)", ylim=0, xlim=0)
show(figure, "Memory held by one step: it climbs in the forward pass, then falls.")
print(f"The most is {mib.max():.1f} MiB; at the end the step holds {mib[-1]:.1f} MiB.")

# %% [markdown]
# The forward pass climbs: each layer leaves its output behind. The backward pass comes down: it uses the outputs in
# reverse order and lets them go. **The top is about where the forward pass ends.** Two cures follow from that picture:
# climb in smaller steps, or do not keep all outputs.
#
# ## 9 Make it fit
#
# First the real thing: a step that does not fit, in a program of its own with a card of 128 MiB. It has the network of
# section 7 and three ways to compute the same gradients. In parts:

# %%
%%writefile fit.py
import sys

import numpy as np
import tensorflow as tf

whole = tf.zeros([120 * 2**18])  # one region of 120 MiB, as on a GPU without growth
del whole
rng = np.random.default_rng(0)
variables = [tf.Variable(rng.normal(0, 0.06, (256, 256)), dtype="float32") for _ in range(16)]

def forward(h, some):
    for w in some:
        h = h + tf.nn.relu(h @ w)
    return h

# %% [markdown]
# **Micro-batches**, also called *gradient accumulation*: compute the gradients of a part of the batch, add them to a sum,
# forget the activations, take the next part. Each part counts by its share of the examples, so the sum is the gradient of
# the mean over the whole batch.

# %%
%%writefile -a fit.py

def in_parts(x, y, size):
    total = [tf.zeros_like(w) for w in variables]
    for start in range(0, len(x), size):
        xs, ys = x[start : start + size], y[start : start + size]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(forward(xs, variables) - ys)) * (len(xs) / len(x))
        gradients = tape.gradient(loss, variables)
        total = [t + g for t, g in zip(total, gradients)]
    return total

# %% [markdown]
# **Recomputation**: `tf.recompute_grad` wraps a block of layers. Its inside is forgotten after the forward pass, and
# computed again when the backward pass needs it. That costs a second forward pass, and saves what lies inside the blocks.
# (`some=some` is Python's way to give each `lambda` its own block. Without it, all of them would compute the last block
# the second time, and the gradients would be wrong, without an error.)

# %%
%%writefile -a fit.py

def recomputed(x, y, block):
    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for i in range(0, len(variables), block):
            some = variables[i : i + block]
            h = tf.recompute_grad(lambda h, some=some: forward(h, some))(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return tape.gradient(loss, variables)

# %%
%%writefile -a fit.py

way = sys.argv[1]
x, y = rng.normal(size=(2, 4000, 256)).astype("float32")
ways = {
    "whole": lambda: in_parts(x, y, len(x)),
    "micro": lambda: in_parts(x, y, 256),
    "recompute": lambda: recomputed(x, y, 4),
}
gradients = ways[way]()
print(f"{way}: first gradient {gradients[0][0, 0].numpy():.5f}")

# %% predict="fits"
# Predict: which of the three run out of memory? A list of names: "whole", "micro", "recompute".
do_not_fit = ...

# %% grading="skip"
import re
import textwrap

def start_on_small_card(*arguments):
    settings = {"TF_CPU_ALLOCATOR_USE_BFC": "1", "TF_CPU_BFC_MEM_LIMIT_IN_MB": "128",
                "TF_CPP_MIN_LOG_LEVEL": "0"}
    return subprocess.Popen([sys.executable, *arguments], env={**os.environ, **settings},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

# %% grading="skip"
print("Three Pythons. One waits ten seconds for memory; a busy machine takes longer.", flush=True)
children = {way: start_on_small_card("fit.py", way) for way in ("whole", "micro", "recompute")}
ended = {way: child.communicate(timeout=120) for way, child in children.items()}
for way, (printed, report) in ended.items():
    print(printed.strip() or f"{way}: {re.findall('[A-Z][A-Za-z]+Error', report)[-1]}")
compare_prediction("do not fit", do_not_fit, [way for way in ended if children[way].returncode],
                   "the whole step needs more than 120 MiB")

# %% [markdown]
# The same gradient, in two ways that fit. (Sums in another order differ in the last digits.) What each way costs:
#
# | way | memory | price |
# | --- | --- | --- |
# | a smaller batch | less | **another training**: another gradient, another learning rate |
# | micro-batches | activations of one part | more, smaller steps; layers that look at the whole batch (`BatchNormalization`) see only a part |
# | recomputation | the blocks' inputs, and the inside of one block at a time | a second forward pass; a block of *all* layers saves nothing |
#
# Keras has a form of each. Both have traps:
#
# * `optimizer = keras.optimizers.Adam(gradient_accumulation_steps=4)` applies the mean of four batches' gradients. At the
#   end of `fit`, **what is left over is lost**: with 10 batches, the last two never reach the weights. And under
#   `MirroredStrategy` it raises an error in a graph, so in `fit`, too.
# * `keras.RematScope` marks layers for recomputation. With Keras 3.15 on TensorFlow, it fails inside `fit`, which runs the
#   step as a graph; with `run_eagerly=True` it works. See below.

# %%
import keras

def weight_after(batches, steps):
    """One weight that gets the gradient -1 from each batch; SGD with learning rate 1."""
    w = keras.Variable(0.0)
    optimizer = keras.optimizers.SGD(1.0, gradient_accumulation_steps=steps)
    optimizer.build([w])
    for _ in range(batches):
        optimizer.apply_gradients([(tf.constant(-1.0), w)])
    return float(w.numpy())

for batches in (8, 10):
    print(batches, "batches, accumulated by 4: weight", weight_after(batches, 4))

# %% [markdown]
# Eight batches and ten batches give the same weight: the last two are in the sum, and nobody applies it.
#
# And the scope, with a step as a graph and without:

# %% grading="skip"
for eagerly in (False, True):
    with keras.RematScope(mode="full"):
        marked = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    marked.compile("sgd", "mse", run_eagerly=eagerly)
    try:
        marked.fit(tf.ones([8, 4]), tf.ones([8, 1]), verbose=0)
        print(f"run_eagerly={eagerly}: fit works")
    except ValueError as error:
        reasons = [line for line in str(error).splitlines() if "decorator" in line]
        print(f"run_eagerly={eagerly}: ValueError", *reasons)

# %% [markdown]
# Under `MirroredStrategy` (lesson 07), with this optimizer and a step as a graph:

# %% grading="skip"
tf.get_logger().setLevel("ERROR")  # a strategy tells of its devices
strategy = tf.distribute.MirroredStrategy(["CPU:0"])
with strategy.scope():
    w = tf.Variable([0.0])
    optimizer = keras.optimizers.SGD(1.0, gradient_accumulation_steps=4)
    optimizer.build([w])

@tf.function
def accumulate():
    strategy.run(lambda: optimizer.apply_gradients([(tf.constant([-1.0]), w)]))

try:
    accumulate()
    print("applied")
except RuntimeError as error:
    reasons = [line.strip() for line in str(error).splitlines() if "merge_call" in line]
    print("RuntimeError:", reasons[0].split(". ")[0])

# %% [markdown]
# Every fourth call has to meet the other replicas, and in a graph that cannot be in a branch. Without `tf.function` it
# works, with a warning that it is slow.

# %% [markdown] exercise="micro"
# ### Exercise 4 · Micro-batches
#
# Write `micro_gradients(weights, x, y, size)`: the gradients that `plain_gradients` returns, from micro-batches of `size`
# examples {#9}, as large as they are asked for: one of all 4000 needs at least 0.7 of what the plain step needs. No
# forward pass has more than `size` examples.
#
# * The gradients are those of the mean loss over **all** examples {#1}: `loss_of` of the whole batch. They equal those of
#   the plain step but for the last digits. Return NumPy arrays in the order of `weights` {#2}.
# * No example is left out {#3}: if `size` does not divide the batch, the last micro-batch is smaller, and counts by its
#   number of examples {#4}. A `size` above the number of examples is one micro-batch {#5}.
# * The step needs the memory of **one** micro-batch: for 4000 examples in parts of 250, at most half of what the plain
#   step needs {#6}, and in parts of 100 no more than that, either {#7}: keep one sum, not the gradients of each part.
# * `weights`, `x` and `y` stay as they are {#8}.

# %% solution="micro" kind="today"
def micro_gradients(weights, x, y, size):
    """Gradients of the mean loss over a batch, computed in parts.

    Args:
        weights: list of float32 arrays, [width, width] each.
        x, y: float32 arrays, [examples, width]: inputs and targets.
        size: int, 1 or more, examples in a micro-batch.
    Returns:
        list of float32 arrays: a gradient for each weight.
    """
    ### BEGIN SOLUTION
    variables = [tf.Variable(w) for w in weights]
    total = [tf.zeros_like(variable) for variable in variables]
    for start in range(0, len(x), size):
        xs, ys = tf.constant(x[start : start + size]), tf.constant(y[start : start + size])
        with tf.GradientTape() as tape:
            loss = loss_of(variables, xs, ys) * (len(xs) / len(x))
        total = [t + g for t, g in zip(total, tape.gradient(loss, variables))]
    return [t.numpy() for t in total]
    ### END SOLUTION

def micro_peaks(examples, sizes):
    """Given, for the checks: MiB at the peak of the plain step, then of yours with each size."""
    return peaks_of(plain_gradients, micro_gradients, examples, sizes, few=(2, 4))

def micro_rows(examples, size):
    """Given, for the checks: how many examples go at once through a layer of two small ones."""
    return rows_at_once(micro_gradients, examples, size)

def micro_changes(examples):
    """Given, for the checks: the names of the arguments that micro_gradients writes into."""
    return changed_arguments(micro_gradients, examples)

# %% try="micro"
weights, x, y = example_data(100, layers=3, width=4)
try:
    print(plain_gradients(weights, x, y)[0][0])
    print(micro_gradients(weights, x, y, 30)[0][0])
    print("MiB at the peak, plain and micro:", micro_peaks(4000, [250]))
except NotImplementedError as error:
    print(error)

# %% check="micro-equal" points=2 title="The gradients of the whole batch"
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
weights = [rng.normal(0, 0.3, (3, 3)).astype("float32") for _ in range(2)]
x, y = rng.normal(size=(2, 12, 3)).astype("float32")
variables = [tf.Variable(w) for w in weights]
with tf.GradientTape() as tape:
    h = x
    for w in variables:
        h = h + tf.nn.relu(h @ w)
    loss = tf.reduce_mean(tf.square(h - y))
right = [gradient.numpy() for gradient in tape.gradient(loss, variables)]
got = micro_gradients([w.copy() for w in weights], x.copy(), y.copy(), 4)
told = Told(asked="micro_gradients(two weights of 3 x 3, 12 examples, size 4): first row of each gradient",
            got=got, expected=[list(one[0]) for one in right], reread="section 9, Make it fit")
assert type(got) is list and len(got) == 2, told("the result is not a list with a gradient for each weight")
got = [np.asarray(one) for one in got]
assert all(one.shape == (3, 3) for one in got), told("a gradient has not its weight's shape")
told.got = [list(one[0]) for one in got]
def same(scale):
    return all(np.allclose(one, scale * truth, rtol=1e-3, atol=1e-6) for one, truth in zip(got, right))
assert not same(3), told("three times too large: each of the three parts has a third of the examples")
assert not same(1 / 3), told("three times too small: divided by the number of parts once too often")
assert same(1), told()

# %% check="micro-memory" points=2 title="The memory of one micro-batch"
import numpy as np

plain, in_250, in_100, in_one = micro_peaks(4000, [250, 100, 4000])
told = Told(asked="MiB at the peak for 4000 examples: micro-batches of 250, and of 100",
            got=[in_250, in_100], expected=f"at most {plain / 2:.0f}, half of the plain step's {plain:.0f}",
            reread="section 9, Make it fit")
ones = np.ones((4, 3), "float32")
got = micro_gradients([ones[:3], ones[:3]], ones, ones, 2)
shapes = [np.shape(part) for part in got] if type(got) is list else []
assert shapes == [(3, 3), (3, 3)], told("it returns no gradient for each weight")
assert not np.isnan([in_250, in_100, in_one]).any(), told(
    "with 4000 examples it does not return the gradients that it returns for few")
assert in_250 + in_100 + in_one < float("inf"), told(
    "it needs more than the card's statistics show: does it reset them?")
assert in_250 < 0.9 * plain, told("it needs as much as the plain step: are all activations there at once?")
assert in_250 <= plain / 2, told()
assert in_100 <= plain / 2, told(
    "more parts need more memory: the gradients of each part are kept; keep one sum")
told.asked, told.got = "MiB at the peak for 4000 examples in one micro-batch", in_one
told.expected = f"at least {0.7 * plain:.0f}; the plain step needs {plain:.0f}"
assert in_one >= 0.7 * plain, told("the micro-batches are smaller than the size that was asked for")
size = 250
rows = micro_rows(2 * size, size)
told.asked = f"how many of {2 * size} examples go through a layer at once, with micro-batches of {size}"
told.got, told.expected = rows, [size]
assert not rows or max(rows) <= size, told(
    "a forward pass has more examples than size: recomputation saves memory, but makes no micro-batches")
assert not rows or size in rows, told("the micro-batches have another size than the one that was asked for")

# %% hidden="micro-rest" points=3 title="Sizes that do not divide the batch"
import numpy as np


def alike(one, other):
    return np.allclose(one, other, rtol=1e-2, atol=1e-5)


for _ in range(50):  # until each mistake shows: where a ReLU lets nothing through, a gradient is 0
    rng = np.random.default_rng(draw.randrange(10**6))
    width, layers = draw.choice([2, 5]), draw.choice([3, 4])
    weights = [rng.normal(0, 0.3, (width, width)).astype("float32") for _ in range(layers)]
    size = draw.randrange(4, 8)
    examples, whole = 2 * size + 2, 2 * size
    x, y = rng.normal(size=(2, examples, width)).astype("float32")
    y[-2:] += 3  # the examples of the last micro-batch differ from the others
    cut = reference.micro_gradients(weights, x[:whole], y[:whole], size)
    factors = (1, whole / examples)
    parts = [reference.micro_gradients(weights, x[i : i + size], y[i : i + size], size)[0]
             for i in range(0, examples, size)]
    right = reference.micro_gradients(weights, x, y, size)
    mistakes = [*(cut[0] * k for k in factors), np.mean(parts, axis=0), right[-1], np.zeros((width, width))]
    if not any(alike(right[0], wrong) for wrong in mistakes):
        break
for part in (size, examples + 5, 1, examples):
    got = micro_gradients([w.copy() for w in weights], x.copy(), y.copy(), part)
    right = reference.micro_gradients(weights, x, y, part)
    told = Told(asked=f"micro_gradients({layers} weights of {width} x {width}, {examples} examples, "
                      f"size {part}): a row of the first gradient", got=got, expected=list(right[0][0]),
                reread="the text of exercise 4")
    assert type(got) is list and len(got) == layers, told(
        "the result is not a list with a gradient for each weight")
    assert all(np.shape(one) == (width, width) for one in got), told("a gradient has not its weight's shape")
    told.got = list(np.asarray(got[0])[0])
    assert part < examples + 5 or np.any(got[0]), told(
        "a size above the number of examples is one micro-batch")
    lost = part == size and any(np.allclose(got[0], cut[0] * k, rtol=1e-3, atol=1e-6) for k in factors)
    assert not lost, told("the last, smaller micro-batch was left out")
    even = part == size and np.allclose(got[0], np.mean(parts, axis=0), rtol=1e-3, atol=1e-6)
    assert not even, told("the last micro-batch has fewer examples, and counts as much as the others")
    assert not np.allclose(got[0], right[-1], rtol=1e-3, atol=1e-6), told(
        "the gradients are not in the order of the weights")
    assert all(np.allclose(one, truth, rtol=1e-3, atol=1e-6) for one, truth in zip(got, right)), told()

# %% hidden="micro-arguments" points=1 title="The arguments stay as they are"
import numpy as np

changed = micro_changes(draw.randrange(5, 9))
told = Told(asked="which arguments micro_gradients changes", got=changed, expected=[],
            reread="the text of exercise 4")
for _ in range(50):  # until some gradient is not 0
    rng = np.random.default_rng(draw.randrange(10**6))
    weights = [rng.normal(0, 0.3, (4, 4)).astype("float32") for _ in range(3)]
    x, y = (rng.normal(size=(2, 1, 4)) + rng.normal(0, 0.2, (2, 6, 4))).astype("float32")  # much alike
    right = np.ravel(reference.micro_gradients(weights, x, y, 2))
    if np.linalg.norm(right) > 1e-3:
        break
got = micro_gradients([w.copy() for w in weights], x.copy(), y.copy(), 2)
shapes = [np.shape(part) for part in got] if type(got) is list else []
assert shapes == [(4, 4)] * 3, told("it returns no gradient for each weight")
alike = np.dot(np.ravel(got), right) / (np.linalg.norm(got) * np.linalg.norm(right) + 1e-9)
assert abs(alike) > 0.6, told("what it returns has nothing of the gradients")
assert changed == [], told("an argument was written into: work with copies")

# %% [markdown] exercise="recompute"
# ### Exercise 5 · Recomputation
#
# Write `recomputed_gradients(weights, x, y, block)`: the gradients of `plain_gradients` {#1}, as NumPy arrays in the order
# of `weights` {#2}, by recomputing **blocks** of `block` layers: the first `block` layers are one block, the next ones
# another; the last block may have fewer {#3}. Use `layer` of section 7.
#
# With 4000 examples and 16 layers in blocks of 4, the peak must be at most 0.7 of the plain step's {#4}. With one block
# of all 16, nothing is saved: the peak is at least 0.85 of it {#5}. All examples go through a layer together: no
# micro-batches.

# %% solution="recompute" kind="today"
def recomputed_gradients(weights, x, y, block):
    """Gradients of the mean loss over a batch; the inside of each block is computed twice.

    Args:
        weights: list of float32 arrays, [width, width] each.
        x, y: float32 arrays, [examples, width]: inputs and targets.
        block: int, 1 or more, layers in a block.
    Returns:
        list of float32 arrays: a gradient for each weight.
    """
    ### BEGIN SOLUTION
    variables = [tf.Variable(w) for w in weights]

    def run_block(some):
        def forward(h):
            for w in some:
                h = layer(h, w)
            return h
        return tf.recompute_grad(forward)

    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for start in range(0, len(variables), block):
            h = run_block(variables[start : start + block])(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return [gradient.numpy() for gradient in tape.gradient(loss, variables)]
    ### END SOLUTION

def recompute_peaks(examples, blocks):
    """Given, for the checks: MiB at the peak of the plain step, then of yours with each block."""
    return peaks_of(plain_gradients, recomputed_gradients, examples, blocks, few=(4, 2))

def recompute_rows(examples, block):
    """Given, for the checks: how many examples go at once through a layer of two small ones."""
    return rows_at_once(recomputed_gradients, examples, block)

# %% try="recompute"
weights, x, y = example_data(100, layers=3, width=4)
try:
    print(plain_gradients(weights, x, y)[0][0])
    print(recomputed_gradients(weights, x, y, 2)[0][0])
    print("MiB at the peak, plain and blocks of 1, 2, 4, 8:", recompute_peaks(2000, [1, 2, 4, 8]))
except NotImplementedError as error:
    print(error)

# %% check="recompute-equal" points=2 title="The same gradients"
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
weights = [rng.normal(0, 0.3, (3, 3)).astype("float32") for _ in range(4)]
x, y = rng.normal(size=(2, 12, 3)).astype("float32")
variables = [tf.Variable(w) for w in weights]
with tf.GradientTape() as tape:
    h = x
    for w in variables:
        h = h + tf.nn.relu(h @ w)
    loss = tf.reduce_mean(tf.square(h - y))
right = [gradient.numpy() for gradient in tape.gradient(loss, variables)]
got = recomputed_gradients([w.copy() for w in weights], x.copy(), y.copy(), 2)
told = Told(asked="recomputed_gradients(four weights of 3 x 3, 12 examples, blocks of 2): first rows",
            got=got, expected=[list(one[0]) for one in right], reread="section 9, Make it fit")
assert type(got) is list and len(got) == 4, told("the result is not a list with a gradient for each weight")
got = [np.asarray(one) for one in got]
assert all(one.shape == (3, 3) for one in got), told("a gradient has not its weight's shape")
told.got = [list(one[0]) for one in got]
assert all(np.allclose(one, truth, rtol=1e-3, atol=1e-6) for one, truth in zip(got, right)), told()

# %% check="recompute-memory" points=2 title="Blocks of four save memory; one block of all saves nothing"
import numpy as np

plain, in_fours, in_one = recompute_peaks(4000, [4, 16])
told = Told(asked="MiB at the peak for 4000 examples: blocks of 4, then one block of 16",
            got=[in_fours, in_one], expected=f"at most {0.7 * plain:.0f} and at least "
            f"{0.85 * plain:.0f}; the plain step needs {plain:.0f}",
            reread="section 9, Make it fit")
assert not np.isnan([in_fours, in_one]).any(), told(
    "with 4000 examples it does not return the gradients that it returns for few")
assert in_fours + in_one < float("inf"), told(
    "it needs more than the card's statistics show: does it reset them?")
assert in_fours < 0.9 * plain, told(
    "nothing is saved with blocks of 4: is tf.recompute_grad around each block?")
assert in_fours <= 0.7 * plain, told()
assert in_one >= 0.85 * plain, told("one block of 16 layers was asked for, and the blocks are smaller")
rows = recompute_rows(40, 1)
told.asked, told.got, told.expected = "how many of 40 examples go through a layer at once", rows, [40]
assert not rows or 40 in rows, told(
    "the batch was cut into micro-batches: recompute blocks of layers instead")

# %% hidden="recompute-blocks" points=1 title="Blocks that do not come out even"
import numpy as np

for _ in range(50):  # until no gradient is 0, as it is where a ReLU lets nothing through
    rng = np.random.default_rng(draw.randrange(10**6))
    layers, block = draw.choice([(5, 2), (7, 3), (4, 3)])
    weights = [rng.normal(0, 0.3, (4, 4)).astype("float32") for _ in range(layers)]
    x, y = rng.normal(size=(2, 9, 4)).astype("float32")
    if all(np.any(one) for one in reference.recomputed_gradients(weights, x, y, block)):
        break
for size in (block, layers + 3, 1):
    got = recomputed_gradients([w.copy() for w in weights], x.copy(), y.copy(), size)
    right = reference.recomputed_gradients(weights, x, y, size)
    told = Told(asked=f"recomputed_gradients({layers} weights, blocks of {size})", got=got,
                expected="the gradients of the plain step", reread="the text of exercise 5")
    assert type(got) is list and not any(one is None for one in got), told(
        "a weight has no gradient: some layers were left out")
    assert len(got) == layers, told("there is a gradient for each weight")
    assert all(np.shape(one) == (4, 4) for one in got), told("a gradient has not its weight's shape")
    wrong = [i for i in range(layers) if not np.allclose(got[i], right[i], rtol=1e-3, atol=1e-6)]
    shown = wrong[0] if wrong else -1
    told.asked += f", first row of gradient {shown}, counted from 0"
    told.got, told.expected = list(np.asarray(got[shown])[0]), list(right[shown][0])
    assert np.any(got[-1]), told(
        "the last weight has a gradient of zeros: the last, smaller block was left out")
    assert not wrong, told()


# %% [markdown] exercise="largest"
# ### Exercise 6 · The largest batch that truly fits
#
# No formula says it; measure. Write `largest_batch(train_on, limit, step, most)`:
#
# * `train_on(examples)` runs a training step with so many examples. You measure its peak, by
#   `tf.config.experimental.reset_memory_stats("CPU:0")` before it and `get_memory_info("CPU:0")` after it: `"peak"` less
#   what was `"current"` before it {#1}, for each batch anew {#2}. These are bytes; `limit` is in MiB.
# * Return the largest batch whose peak is at most `limit` MiB {#3}, among the multiples of `step` {#4} up to `most` {#5}, which
#   is one of them; 0 if not even `step` examples fit {#6}. A larger batch never needs less; how much more may differ.
# * Run `train_on` at most twelve times {#7}, for up to a hundred multiples, and never with a batch that is not one of
#   them {#8}.
#
# (Twelve runs are not enough to try one batch after the other. Seven halvings of an interval are enough for a hundred.)

# %% solution="largest" kind="today"
def largest_batch(train_on, limit, step, most):
    """Find the largest batch that fits, by measuring.

    Args:
        train_on: function of a number of examples; runs a training step.
        limit: float, MiB that the step may take beside what lies on the card already.
        step: int; batches are multiples of it.
        most: int, the largest batch to think of.
    Returns:
        int, the largest batch that fits, or 0.
    """
    ### BEGIN SOLUTION
    def peak(examples):
        before = tf.config.experimental.get_memory_info("CPU:0")["current"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        train_on(examples)
        return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - before) / 2**20

    fits, too_large = 0, most // step + 1
    while too_large - fits > 1:
        middle = (fits + too_large) // 2
        if peak(middle * step) <= limit:
            fits = middle
        else:
            too_large = middle
    return fits * step
    ### END SOLUTION

def search(kib_per_example, kib_always, limit, step, most, just=None, bend=0):
    """Given, for the checks: what largest_batch finds where a step takes so many KiB.

    With `just`, the limit is just the peak of that batch; `bend` KiB more for each example, times all.
    """
    return searched(largest_batch, kib_per_example, kib_always, limit, step, most, just, bend)

def search_training(between, step, most):
    """Given, for the checks: the same with the plain step; the limit is between two peaks."""
    return searched_training(largest_batch, plain_gradients, between, step, most)

# %% try="largest"
try:
    print(search(kib_per_example=320, kib_always=50000, limit=120, step=8, most=640))
    print(search_training(between=[1280, 1536], step=256, most=2048))
except NotImplementedError as error:
    print(error)

# %% check="largest-training" points=2 title="The plain training step, measured"
import numbers

got = search_training([1280, 1536], 256, 2048)
told = Told(asked=f"largest_batch(the plain step, limit {got['limit']:.1f}, step 256, most 2048): the "
                  "limit lies between the peaks of 1280 and of 1536 examples",
            got=got["batch"], expected=1280, reread="section 7, What a training step needs")
assert isinstance(got["batch"], numbers.Integral), told("the result is not an int")
assert got["batch"] != 0, told("a batch of 256 fits, and more")
assert got["batch"] % 256 == 0, told("this is no multiple of 256")
assert got["batch"] <= 1280, told("a step with this batch takes more than the limit")
assert got["batch"] == 1280, told("a larger batch fits, too")

# %% check="largest-runs" points=1 title="At most twelve runs"
got = search(320, 50000, 120, 8, 640)
told = Told(asked="largest_batch where an example takes 320 KiB and every step 50000: limit 120 MiB, step 8, "
                  "most 640", got=got, expected="224, found in at most twelve runs",
            reread="the text of exercise 6")
assert got["tried"], told("train_on was never called: measure")
assert len(got["tried"]) <= 12, told("more than twelve runs: halve the interval that is left")
assert got["batch"] == 224, told()

# %% hidden="largest-drawn" points=2 title="Other steps and limits"
step = draw.choice([4, 16, 50])
each, always = draw.randrange(2200, 2900) // step, draw.randrange(40000, 60000)
many = draw.randrange(55, 80)
inside = draw.randrange(20, 50)
flat, bend = each / 2, each / 2 / (many * step)  # for the largest batch as much as each
middle = (inside + 0.5) * step
cases = {
    "between": (each * (inside * step + step // 2) + always) / 1024,
    "exactly": None,
    "all": (each * many * step + always) / 1024 + 1,
    "none": (each * step + always) / 1024 - each / 2048,
    "bent": (flat * middle + bend * middle**2 + always) / 1024,
}
right = {"between": inside * step, "exactly": inside * step, "all": many * step, "none": 0,
         "bent": inside * step}
for case, limit in cases.items():
    just = inside * step if case == "exactly" else None
    one, more = (flat, bend) if case == "bent" else (each, 0)
    got = search(one, always, limit, step, many * step, just, more)
    limit = f"of {limit} MiB" if limit else f"of just the peak of {inside * step} examples"
    bent = f", {more:.4f} more for each of the batch," if more else ""
    told = Told(asked=f"largest_batch where an example takes {one} KiB{bent} and every step {always}: "
                      f"limit {limit}, step {step}, most {many * step}", got=got, expected=right[case],
                reread="the text of exercise 6")
    assert not any(batch % step for batch in got["tried"]), told(
        f"a batch that is no multiple of {step} was tried")
    assert all(0 < batch <= many * step for batch in got["tried"]), told(
        "a batch below step, or above most, was tried")
    assert got["tried"], told("train_on was never called: measure")
    assert len(got["tried"]) <= 12, told("more than twelve runs: halve the interval that is left")
    assert case != "exactly" or got["batch"] != (inside - 1) * step, told(
        "a peak of just the limit is allowed: at most, not less than")
    assert case != "none" or got["batch"] == 0, told("not even the smallest batch fits: 0")
    assert case != "all" or got["batch"] != (many - 1) * step, told("the largest batch to think of fits, too")
    assert case != "bent" or got["batch"] == right[case], told(
        "the need is no straight line of the batch: measure on until two neighbours enclose the limit")
    assert got["batch"] == right[case], told()

# %% [markdown]
# ## 10 Break it and diagnose it
#
# Two programs that ran out of memory. One you have: `fit.py whole`, whose report was kept above. The other has small
# tensors:

# %%
%%writefile holes.py
import tensorflow as tf

whole = tf.zeros([120 * 2**18])  # one region, as above
del whole
parts = [tf.zeros([10 * 2**18]) for _ in range(12)]
del parts[::2]
tf.zeros([20 * 2**18])

# %% grading="skip"
print("Another Python that waits ten seconds for memory.", flush=True)
second = start_on_small_card("holes.py")
reports = {"fit.py": ended["whole"][1], "holes.py": second.communicate(timeout=120)[1]}
for name, report in reports.items():
    errors = [line for line in report.splitlines() if re.match("tensorflow.*OOM", line)]
    print(f"--- {name}")
    print(textwrap.fill(errors[-1].split("}} ")[-1].split(" [Op:")[0], 88))

# %% [markdown]
# | in the error | tells |
# | --- | --- |
# | `shape[4000,256]`, `type float` | how large: 4000 · 256 · 4 bytes = 3.9 MiB. A first size that is your **batch** says: an activation. A shape of the layer's own (`[256,256]`) says: a parameter, a gradient or a slot |
# | `device:CPU:0` | on which device |
# | `by allocator bfc_…` | which allocator; a GPU's is called `GPU_0_bfc`; plain `cpu` is the machine's own memory |
#
# Above the error stands the allocator's report. It is long: a line for each size of chunk, then one for each chunk. These
# lines decide:

# %% grading="skip"
DECIDES = r"ran out of memory|^Limit:|^InUse:|^MaxInUse:|\] [*_x]{50}"
for name, report in reports.items():
    print(f"--- {name}")
    for line in report.splitlines():
        if re.search(DECIDES, line):
            print(re.sub(r"^.*?bfc_allocator.cc:\d+\] ", "", line))

# %% [markdown]
# | line | says |
# | --- | --- |
# | `trying to allocate … requested by op` | what was asked, by which op |
# | `Limit`, `InUse` | what the allocator may take; what is in chunks that are used |
# | `MaxInUse` | the most that was ever in use (the first line of both programs already took 120 MiB) |
# | the row of signs | the memory from start to end: `*` in use, `_` free, `x` in use **but not asked for**: a chunk that was not split |
#
# (`LargestFreeBlock` is in the full report, too. This allocator never fills it in: it says 0. The chunks' own lines, `Free
# at … of size …`, tell the truth.)

# %% predict="diagnosis"
# Predict from the two reports: which program's card is fragmented, "fit.py" or "holes.py"?
fragmented_card = "..."

# %% grading="skip"
def mib_after(label, report):
    number, unit = re.search(rf"{label}\s+([\d.]+)(MiB)?", report).groups()
    return float(number) if unit else int(number) / MIB  # TensorFlow 2.20 writes bytes

causes = {}
for name, report in reports.items():
    asked = mib_after("allocate", report)
    free = mib_after("Limit:", report) - mib_after("InUse:", report)
    sizes = [int(size) for size in re.findall(r"Free +at \w+ of size (\d+)", report)]
    largest = max(sizes, default=0) / MIB
    causes[name] = "full" if free < asked else "fragmented"
    print(f"{name}: asked {asked:g} MiB, free {free:.1f}, largest hole {largest:.1f}")
    print(f"{name}: {causes[name]}")
found = [name for name, cause in causes.items() if cause == "fragmented"]
compare_prediction(
    "fragmented", fragmented_card, ", ".join(found), "enough was free, in small holes"
)

# %% [markdown]
# **Free less than asked: full. Free enough, and still no room: fragmented.** The cures differ:
#
# | you see | cause | cure |
# | --- | --- | --- |
# | *CUDA_ERROR_OUT_OF_MEMORY* when the process starts | another process took the card | look with `nvidia-smi`; a fraction, a limit or growth **in the other process**; another card |
# | the same line several times with falling sizes, and then it goes on | the process asked for more than was free, and tries again with nine tenths of it each time | as above: it got less than you think |
# | *OOM when allocating tensor*, full, the shape begins with the batch | activations | micro-batches, recomputation, 16 bits (lesson 08) |
# | *OOM*, full, the shape is a layer's own | the network: parameters, gradients, slots | a smaller network, an optimizer with fewer slots, several devices (lesson 09). `mixed_float16` does **not** help here: variables and slots stay float32 |
# | *OOM*, fragmented | tensors of changing sizes come and go | the same batch size always, `TF_GPU_ALLOCATOR=cuda_malloc_async`, no growth |
# | *OOM* after hours | something holds tensors: a list of losses, say | keep numbers, not tensors: `float(loss)` |
# | `by allocator cpu`, or *Killed* without an error | the machine's own memory, not a card's | smaller data in memory |
#
# In a session, `RunOptions(report_tensor_allocations_upon_oom=True)` adds the largest tensors and their ops to the error.
#
# ## Recap
#
# 1. If nothing is set, a process takes all free memory of each visible card, but for a reserve. The next one starts with
#    the rest, or not at all.
# 2. A fraction is a share of the **whole** card; growth takes what is needed and keeps it; a limit makes logical GPUs. The
#    context comes on top of all three.
# 3. The process that makes the devices decides: the first session, the server, the environment. Later is too late.
# 4. Only activations grow with the batch. Micro-batches and recomputation make a step fit and keep its gradient; measure
#    what they save.
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
# **And the two messages?** The notebook died because *your training* took the whole card at its start; the cure is a
# setting in your program, not in the colleague's. Your own step died because all activations of the doubled batch were
# there at once; micro-batches keep the large batch and need the memory of a small one.
#
# **Read on:** lesson 04: how parts of a program hand values to each other without losing any.

# %% [markdown] exercise="second_process"
# ### Exercise 7 · In your own words
#
# You train on a shared card with 16 GiB. A colleague starts a small notebook on the same card, and writes: "My notebook
# died with out of memory, though my model needs only 1.5 GiB and yours only 3 GiB." Explain in four to eight sentences
# what happened, and name two cures with their price. Say for one of them what changes if you train in a cluster, where a
# server owns the card.

# %% [markdown] written="second_process" points=3
# ### BEGIN SOLUTION
# My process took nearly the whole card when it started, not just the 3 GiB that it needs.
# ### END SOLUTION

# %% [markdown] model="second_process"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# If nothing is set, a TensorFlow process takes nearly all free memory of the card when it starts, whatever its model
# needs. So my training holds more than 14 GiB, of which it uses 3. The notebook found what was left: about 1.5 GiB. Its own
# CUDA context and the reserve took a part of that, so its tensors got about 900 MiB (section 1): too little for 1.5 GiB.
# So it died with out of memory.
#
# The cure belongs in **my** process. I can set a fraction, 0.3 say, or a hard limit in MiB: safe, but I must know what I
# need, and a peak above it kills me. Or I can turn on growth: I take only what I need, but I never give it back, nothing
# stops me from taking everything one day, and the memory breaks up more.
#
# In a cluster the server makes the GPU devices, so its configuration counts:
# `tf.distribute.Server(…, config=config)`, or `TF_FORCE_GPU_ALLOW_GROWTH=true` in the environment of that task. A
# configuration given to the client's session comes too late.
#
# One point each: a process takes all free memory whatever it needs; two cures with a price; the server's configuration
# counts in a cluster.
# </details>
