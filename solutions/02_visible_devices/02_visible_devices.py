# %% [markdown]
# # Lesson 02 · Visible devices
#
# After this lesson you can
#
# 1. say which physical card each `/gpu:i` of a process is, from its mask and from TensorFlow's own list;
# 2. start several processes on shared hosts so that each worker has a card of its own;
# 3. read a start-up log, and tell a mask from a missing driver, a missing card and a wrong pin.
#
# **Time:** about 100 minutes, of which 50 are exercises. Two sittings are better: after section 7 is a place to stop.
#
# **Hardware:** CPU only. A mask is a part of a process's environment, so you start real processes and look at what they
# receive. What an NVIDIA driver makes of a mask is told by its rules; cells marked *GPU extra* ask a real driver, if
# there is one. They are never graded, and nothing here pretends to be a GPU.
#
# Six grey cells come first. They are folded, because you need not read them. Run all six.

# %% include="quiet_start.py" devices=2

# %% include="checks.py"

# %% include="driver_report.py" grading="skip"

# %% include="host_picture.py" grading="skip"

# %% include="mask_widget.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![Three steps from left to right. A host holds the cards 0, 1 and 2. The mask of a process, CUDA_VISIBLE_DEVICES=2,0, lets card 2 and card 0 through and numbers them anew: 0 and 1. TensorFlow's own list, "1", counts behind the mask and lets number 1 through, which is card 0. The program then calls card 0 /gpu:0.](assets/02_mask_and_list.svg)
#
# Two filters stand between a host's cards and the name `/gpu:0`. The first is the **mask**, the environment variable
# `CUDA_VISIBLE_DEVICES`. NVIDIA's driver reads it, once for each process. The second is **TensorFlow's own list**. Each filter
# *renumbers*: what comes through is counted from 0 again. So `/gpu:0` is a different card in different processes.
#
# ## 1 A mask belongs to a process
#
# Every process has an *environment*: names with values. A new process gets a **copy** of the environment of the
# process that starts it, or one that the starter puts together for it. So you set a mask for a child when you start it:

# %%
import os, subprocess, sys

code = "import os; print('the child has', os.environ.get('CUDA_VISIBLE_DEVICES'))"
environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "1"}
command = [sys.executable, "-c", code]
child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
print(child.stdout, end="")
print("this notebook has", os.environ.get("CUDA_VISIBLE_DEVICES"))

# %% [markdown]
# `None` means that nobody set a mask for this notebook. Setting one for the child did not change that. In a shell
# you write the same before the command: `CUDA_VISIBLE_DEVICES=1 python train.py`.
#
# From here on `child_says` starts such a child.

# %%
def child_says(code, mask=None):
    """What a new Python prints that runs `code`; without a mask its environment is a plain copy of ours."""
    environment = dict(os.environ) if mask is None else {**os.environ, "CUDA_VISIBLE_DEVICES": mask}
    command = [sys.executable, "-c", code]
    child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    return child.stdout.strip()

print(child_says("import sys; print(sys.version.split()[0])"))

# %% predict="whose-copy"
# Predict: a child sets its own mask to 5. What does this notebook have afterwards? And if the notebook sets
# its own mask to 6: what does a child have that runs already, and what one that starts later?
notebook, running_child, later_child = "...", "...", "..."

# %%
before = os.environ.get("CUDA_VISIBLE_DEVICES")
print(child_says("import os; os.environ['CUDA_VISIBLE_DEVICES'] = '5'; print('child sets', 5)"))
print("notebook unchanged:", os.environ.get("CUDA_VISIBLE_DEVICES") == before)

# %%
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
# starts now, but waits for a line before it looks; `code`, from above, prints the child's mask
waiting = subprocess.Popen([sys.executable, "-c", f"input(); {code}"], **pipes)
try:
    os.environ["CUDA_VISIBLE_DEVICES"] = "6"
    print("started later:  ", child_says(code))
    print("started earlier:", waiting.communicate("the line\n", timeout=60)[0].strip())
finally:                                              # put back what was there
    waiting.kill()
    os.environ.pop("CUDA_VISIBLE_DEVICES")
    os.environ.update({} if before is None else {"CUDA_VISIBLE_DEVICES": before})

# %% [markdown]
# Copies go **down, at the start**, and never up or sideways. A child cannot change its parent. And a notebook that writes to
# `os.environ` sets the mask of *every* child that it starts from then on. That is why launchers build one environment
# for each child and leave their own alone.
#
# ## 2 A mask renumbers
#
# The driver numbers the cards of a host 0, 1, 2. A mask lists the numbers that the process may see. Their **order
# counts**: the first in the mask becomes `/gpu:0`. By hand, for a host of three cards:

# %% predict="renumber"
# Predict: with the mask "2,0", which card is /gpu:0? Does /gpu:2 exist?
gpu_0_is, gpu_2_exists = "...", ...

# %%
cards = ["card 0", "card 1", "card 2"]
for mask in ("1", "0,2", "2,0"):
    seen = [cards[int(entry)] for entry in mask.split(",")]
    print(f"{mask:4}", {f"/gpu:{i}": card for i, card in enumerate(seen)})

# %% grading="skip"
draw_host({f"mask {mask}": [cards[int(entry)] for entry in mask.split(",")] for mask in ("1", "2,0")})

# %% [markdown]
# `/gpu:0` is card 1 in one process and card 2 in the other. **Behind a mask, the name `/gpu:0` always exists if
# any card does.** Nobody's program has to know which card it got.
#
# The rules in full, for a host of three cards:
#
# | mask | the process sees | because |
# | --- | --- | --- |
# | not set | cards 0, 1, 2 | no mask, no filter |
# | empty: `CUDA_VISIBLE_DEVICES=` | none | an empty list is a list |
# | `-1` | none | no card has this number: an invalid entry |
# | `1` | card 1 as `/gpu:0` | one entry, one card |
# | `2,0` | card 2 as `/gpu:0`, card 0 as `/gpu:1` | order counts |
# | `0,7,1` | card 0 | **the first invalid entry ends the list**: what stands behind it is lost, without a word |
# | `7,0` | none | the same: the list ends before it began |
# | `1,1` | none | a card that is named twice hides all |
#
# The first seven are NVIDIA's documented rules. The last is not documented there; it is how PyTorch
# reads the mask to imitate the driver.
#
# *GPU extra.* Let the driver itself say what children see. `LOOK` is a little program that asks it:

# %% grading="skip"
import json

for mask in (None, "0", "-1"):
    print(f"mask {mask!s:4}:", json.loads(child_says(LOOK, mask))["cards"])

# %% [markdown]
# `no driver`: there is no NVIDIA driver here, so nobody reads the mask. The children received it all the same. With a
# driver you see the name and the PCI bus id of each visible card, and an empty list for `-1`. (Not recorded here yet.)
#
# **Change it:** in section 2's loop, add the mask `"0,7,1"`. `cards[7]` is an error in Python; the driver
# only ends its list. What do you have to write so that the loop does the same?
#
# ## 3 Numbers that move, names that stay
#
# Who says which card is number 0? Another variable, `CUDA_DEVICE_ORDER`:
#
# | value | card 0 is |
# | --- | --- |
# | `FASTEST_FIRST`, the default | the fastest, as the driver guesses |
# | `PCI_BUS_ID` | the one with the lowest PCI bus id: the lowest slot |
#
# The tool `nvidia-smi` always counts by PCI bus id. So with two models in one host, its number 0 need not be the mask's.
# Take a made-up host with a small card in the first slot:

# %% predict="order"
# Predict: nvidia-smi lists the small card as 0. Which card does the mask "0" show without CUDA_DEVICE_ORDER?
mask_0_shows = "..."

# %%
host = [("01:00.0", "small card", 8), ("41:00.0", "large card", 80)]      # PCI bus id, model, speed
orders = {"PCI_BUS_ID": sorted(host), "FASTEST_FIRST": sorted(host, key=lambda card: -card[2])}
for order, numbered in orders.items():
    print(f"CUDA_DEVICE_ORDER={order:14}: the mask 0 shows the {numbered[0][1]}")

# %% [markdown]
# So with unlike cards, set `CUDA_DEVICE_ORDER=PCI_BUS_ID` next to every mask. Or use **names that do not move**. Each card
# has a UUID, which `nvidia-smi -L` lists. A mask may hold UUIDs, and their *beginnings*, if only one card fits:

# %%
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]       # shortened: real ones have 32 digits
for name in ("GPU-c0", "GPU-5a9", "GPU-5a", "GPU-77"):
    fits = [number for number, uuid in enumerate(uuids) if uuid.startswith(name)]
    print(f"{name:8} fits {fits}", "" if len(fits) == 1 else "<- not one card: invalid, the list ends here")

# %% [markdown]
# Large cards can be cut into parts that look like cards of their own: *multi-instance GPU*, MIG. A part has its own UUID,
# which begins with `MIG-`, and it has to stand in the mask by that name:
#
# `CUDA_VISIBLE_DEVICES=MIG-3c1f9a52-7e04-5b6d-9a11-0c2f5e8d7b46`
#
# Drivers before R470 wrote `MIG-GPU-<UUID of the card>/<GPU instance>/<compute instance>`. A process can use **one** part: name
# several, and it still gets one. So one process per part is the rule.
#
# ## 4 Read once, when the driver starts
#
# The driver looks at the mask when a program starts it (`cuInit`), and never again. When does TensorFlow do that? A
# child with all messages on tells:

# %% predict="when"
# Predict: when does TensorFlow start the driver? At "import", at "first look" (when it lists its devices), or
# at "first op"?
starts_at = "..."

# %% grading="skip"
script = """
import os, tensorflow as tf
def say(text): print("--", text, flush=True)
say("imported")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
say("mask -1 set; first look:")
say(f"GPUs: {len(tf.config.list_physical_devices('GPU'))}")
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
say(f"mask 0 set; second look, GPUs: {len(tf.config.list_physical_devices('GPU'))}")
"""
print("Starting a second Python with TensorFlow: some seconds, longer on a busy machine.", flush=True)
child = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"}, text=True, timeout=120)
for line in child.stdout.splitlines():
    if line.startswith("--") or "cuInit" in line:
        print(line.split("] ")[-1])

# %% [markdown]
# The line `failed call to cuInit` appears at the **first look**, not at the import. (It says that starting failed: without a driver it has
# to. TensorFlow for macOS and Windows never tries, so there the line is missing.)
#
# On a machine with a GPU the script also counts `GPUs: 0` twice: the mask `-1` came in time, the mask `0` too late. (Not
# recorded here yet.)
#
# So there is a gap, between `import tensorflow` and the first look, in which `os.environ` would still count. Do
# not build on it: another library may look first. The rule that always holds: **the mask is there before the process
# starts.** In this notebook the very first cell looked. Whatever you write to `os.environ` now changes nothing *here*.
#
# ## 5 TensorFlow's own list, classic form
#
# A session's configuration can filter again:

# %%
v1 = tf.compat.v1
options = v1.GPUOptions(visible_device_list="1,0")
config = v1.ConfigProto(gpu_options=options, device_count={"CPU": 3, "GPU": 2})
print(config)

# %% [markdown]
# `visible_device_list` lists numbers **behind the mask**: what the mask let through, counted from 0. Its order counts.
# `device_count` is coarser, at most so many of each type, the first ones: `{"GPU": 0}` hides all GPUs from this session.

# %% predict="nonsense"
# Predict: a session on a machine without a GPU, with visible_device_list="nonsense": an error, or not?
is_an_error = ...

# %%
options = v1.GPUOptions(visible_device_list="nonsense")
nonsense = v1.ConfigProto(gpu_options=options, device_count={"CPU": 3, "GPU": 0})
with tf.Graph().as_default(), v1.Session(config=nonsense) as session:
    print([device.name[-5:] for device in session.list_devices()])

# %% [markdown]
# Nothing happens, since nothing reads the list without a GPU. (`device_count` makes sure of that on your machine too; it
# also made three CPUs.) **A test on a laptop says nothing about a list.** With GPUs, TensorFlow is strict where the
# driver is silent. These texts stand in its library, and only a GPU can bring them out:
#
# | the list | TensorFlow 2.21 ends with |
# | --- | --- |
# | `nonsense` | `Could not parse entry in 'visible_device_list': 'nonsense'` … |
# | `2` behind a mask of two cards | `'visible_device_list' listed an invalid Device id '2' but visible device count is 2` |
# | `0,0` | `visible_device_list contained a duplicate entry: 0,0` |
# | a second session in the process, with another list | `TensorFlow device (GPU:0) is being mapped to multiple devices` … |
#
# The last line says that the list is the *process's*, even though you hand it to a session.
#
# ## 6 Today's form
#
# | classic | today |
# | --- | --- |
# | a mask before the start | the same |
# | `GPUOptions(visible_device_list="1")` | `tf.config.set_visible_devices(gpus[1], "GPU")` |
# | `ConfigProto(device_count={"GPU": 0})` | `tf.config.set_visible_devices([], "GPU")` |
# | `session.list_devices()` | `tf.config.list_logical_devices()` |
# | `tensorflow.python.client.device_lib.list_local_devices()` | `tf.config.list_physical_devices()`, and `get_device_details` for name and generation |
#
# `set_visible_devices` takes *physical devices*: those that the mask let through. You can see it work without a GPU: it
# hides CPUs too. A second Python hides its only CPU:

# %% predict="no-cpu"
# Predict: how many physical CPUs are there afterwards, how many visible ones? Can it still add two numbers?
physical_cpus, visible_cpus, can_add = ..., ..., ...

# %% grading="skip"
script = """
import tensorflow as tf
tf.config.set_visible_devices([], "CPU")
print("physical CPUs:", len(tf.config.list_physical_devices("CPU")))
print("visible CPUs: ", len(tf.config.get_visible_devices("CPU")))
try:
    print(tf.constant(1.) + 2.)
except tf.errors.NotFoundError as error:
    print("NotFoundError:", error.message)
"""
print("Starting another Python with TensorFlow.", flush=True)
print(child_says(script))

# %% [markdown]
# *Physical* is what the process could have, *visible* what TensorFlow may use. The first list stays. (TensorFlow cannot work without a
# CPU; hiding GPUs is the real use.)
#
# `set_visible_devices` does **not** take your order: `[gpus[1], gpus[0]]` and `[gpus[0], gpus[1]]` give the same devices, numbered as
# the mask numbers them. To turn the order around, turn the mask around.
#
# *GPU extra.* Only the last GPU, in a second Python:

# %% grading="skip"
script = """
import tensorflow as tf
gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[-1:], "GPU")
print(len(gpus), "physical;", [gpu.name for gpu in tf.config.list_logical_devices("GPU")], "logical")
"""
found = tf.config.list_physical_devices("GPU")
nothing = "No GPU here, so there is nothing to run. Nothing that is graded needs one."
print(child_says(script) if found else nothing)

# %% [markdown]
# ## 7 Mask first, list second
#
# Both filters together, by hand. The mask is `2,0`; the list is `1`:

# %% predict="both"
# Predict: which card does the program call /gpu:0? Does the list's 1 mean card 1?
gpu_0_is = "..."

# %%
mask, device_list = "2,0", "1"
behind_mask = [int(entry) for entry in mask.split(",")]                 # position: the new number
seen = [behind_mask[int(entry)] for entry in device_list.split(",")]
print("behind the mask:", {f"number {i}": f"card {card}" for i, card in enumerate(behind_mask)})
print("behind the list:", {f"/gpu:{i}": f"card {card}" for i, card in enumerate(seen)})

# %% [markdown]
# Card 1 does not exist for this process. The `1` is the second of what the mask shows: card 0.
#
# | | mask | `visible_device_list` | `set_visible_devices` |
# | --- | --- | --- | --- |
# | read by | the driver | TensorFlow | TensorFlow |
# | holds for | all libraries of the process, and its children | this process's TensorFlow | this process's TensorFlow |
# | its entries | numbers of the driver, or UUIDs | numbers behind the mask | devices behind the mask |
# | order counts | yes | yes | no |
# | entry that does not exist | ends the list, silently | error | `ValueError: Unrecognized device` |
# | entry twice | hides all | error | counts once |
# | empty | no card | **all** that the mask shows | no card |
# | too late | after the driver's start: no effect, no message | second session: error | `RuntimeError`, see section 12 |
#
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## 8 One process per card
#
# On a shared host each process should have its own card. Otherwise two programs take the same one, and the second finds no memory
# (lesson 03). Here is a cluster of *parameter servers* (`ps`), which keep variables, and *workers*, which compute: 2 ps
# and 3 workers on two hosts. Host `a` has two cards, host `b` one. A row for each process, with its mask:

# %%
table = [                                  # job, index in the job, host, mask
    ("ps", 0, "a", ""), ("ps", 1, "b", ""),
    ("worker", 0, "a", "0"), ("worker", 1, "a", "1"), ("worker", 2, "b", "0"),
]
for job, index, host, mask in table:
    print(f"{host}$ CUDA_VISIBLE_DEVICES={mask} python train.py --job_name={job} --task_index={index}")

# %% [markdown]
# Three things to notice:
#
# * **A ps gets an empty mask.** It needs no GPU. Without a mask, its TensorFlow would take the memory of all cards.
# * **Masks count on each host anew.** Worker 2 has the mask `0`: the first card of *its* host.
# * **Task indices count through the job**, over all hosts: 0, 1, 2.
#
# Now launch it for real: five processes, with these environments and command lines. Both hosts are your machine, so what
# you see are real masks and real processes, but not a second computer. Each child asks the driver and reports.

# %% grading="skip"
def launch(job, index, host, mask):
    command = [sys.executable, "-c", LOOK, f"--job_name={job}", f"--task_index={index}"]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": mask}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

running = [launch(*row) for row in table]
try:
    reports = [json.loads(process.communicate(timeout=60)[0]) for process in running]
finally:
    for process in running:
        process.kill()                     # does nothing to one that has ended
for process, report in zip(running, reports):
    print(process.pid, *report["arguments"], f"mask {report['mask']!r}", report["cards"])

# %% [markdown]
# All five were started before the first was waited for. A launcher that waits for each in turn hangs with a real
# cluster: task 0 waits for the others, and nobody starts them.

# %% predict="which-name"
# Predict: worker 1 computes on card 1 of host a. Which name stands in its tf.device: /gpu:0 or /gpu:1?
name_in_worker_1 = "..."

# %% grading="skip"
seen = {f"{host} · {job} {index}": [f"{host}: card {entry}" for entry in mask.split(",") if entry]
        for job, index, host, mask in table}
draw_host(seen, ["a: card 0", "a: card 1", "b: card 0"])

# %% [markdown]
# Behind its mask, worker 1 has one card, and that is `/gpu:0`. So **every worker's pin ends in `gpu:0`**, and they differ in
# the task. **Change it:** give worker 1 the mask `0` in the table above, run the table, the launch and the picture again, and find the mistake in the picture.
#
# The whole names, as requests in a graph (lesson 07 runs such graphs on a cluster):

# %%
with tf.Graph().as_default() as graph:
    for index in range(3):
        with tf.device(f"/job:worker/task:{index}/gpu:0"):
            tf.constant(1., name=f"on_worker_{index}")
for op in graph.get_operations():
    print(f"{op.name}: {op.device}")

# %% [markdown]
# ## 9 The start-up log of two cards
#
# With GPUs, TensorFlow says at start what it found. This text is **a specimen for reading**: composed in the format of TensorFlow 1,
# which says most, not recorded on a machine.

# %% grading="skip"
specimen = """Found device 0 with properties:
name: GeForce GTX 1080 major: 6 minor: 1 memoryClockRate(GHz): 1.7335
pciBusID: 0000:41:00.0
totalMemory: 7.92GiB freeMemory: 7.80GiB
Found device 1 with properties:
name: GeForce GTX 1080 major: 6 minor: 1 memoryClockRate(GHz): 1.7335
pciBusID: 0000:03:00.0
totalMemory: 7.92GiB freeMemory: 1.15GiB
Device peer to peer matrix
DMA: 0 1
0:   Y N
1:   N Y
Creating TensorFlow device (/device:GPU:0) -> (device: 0, name: GeForce GTX 1080, pci bus id: 0000:41:00.0)
Creating TensorFlow device (/device:GPU:1) -> (device: 1, name: GeForce GTX 1080, pci bus id: 0000:03:00.0)"""
print(specimen)

# %% predict="read-log"
# Predict from the log: does anything hint at a mask that turns the order around? Is a card in use by somebody
# else? Do the cards copy to each other directly (in the matrix Y means directly)?
order_turned, card_in_use, direct_copies = "...", "...", "..."

# %% grading="skip"
import re

memory = re.findall(r"totalMemory: ([\d.]+)GiB freeMemory: ([\d.]+)GiB", specimen)
total, free = np.array(memory, float).T
_, axes = plt.subplots(figsize=(7, 2.2), layout="constrained")
names = ["GPU:0", "GPU:1"]
axes.barh(names, free, color="#0072B2", alpha=0.4, label="free")
axes.barh(names, total - free, left=free, color="#E69F00", alpha=0.6, hatch="///", label="in use")
axes.invert_yaxis()
axes.set(xlabel="memory in GiB", ylabel="device", title="Memory at start, from the specimen")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
print("In words:", "; ".join(f"{n} has {f:.2f} of {t:.2f} GiB free" for n, t, f in zip(names, total, free)))

# %% [markdown]
# | line | says here |
# | --- | --- |
# | `device 0` … `pciBusID: 0000:41:00.0` | `/gpu:0` sits in the *higher* slot. Both cards are alike, so the driver's guess of the fastest hardly explains it; a mask like `1,0` does |
# | `freeMemory: 1.15GiB` of `7.92GiB` | somebody else works on that card: a process without a mask, perhaps |
# | the matrix: a row and a column for each card | `N`: copies between the two go through the host's memory. `Y` would mean directly. The diagonal says nothing: old logs write `Y` there, newer ones `N` |
# | `Creating TensorFlow device` | the names for your pins. Those two numbers 0 are both counted *behind the mask* |
#
# The log never shows the driver's own number of a card. **Only the PCI bus id, or the UUID, tells which card it is.**
#
# TensorFlow 2 says less: a line for each GPU such as `Created device /job:localhost/replica:0/task:0/device:GPU:0 with … MB memory:  -> device: 0,
# name: …, pci bus id: …, compute capability: …`, where the megabytes are what TensorFlow took. When no card comes up, these
# lines tell why:
#
# | in the log of TensorFlow 2.21 | means |
# | --- | --- |
# | `failed call to cuInit: … UNKNOWN ERROR (303)` | the **driver** could not be loaded. So the mask cannot be to blame: nobody read it |
# | `failed call to cuInit: … CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected` | the driver started and shows **no card**: the mask hides all, or there is none |
# | `env: CUDA_VISIBLE_DEVICES="-1"` | with a driver, TensorFlow prints the mask that it found, if there is one |
# | `Could not find cuda drivers on your machine` | says little: it also comes on machines whose driver works. Look for `cuInit` |
#
# To tell the last two cases of "no card" apart, ask `nvidia-smi -L`. **It ignores the mask** and lists every card.
#
# ## 10 The same, on your machine
#
# *GPU extra.* Which card is which `/gpu:i` of this notebook? On a CPU you see the CPU's row.

# %% grading="skip"
for device in tf.config.list_physical_devices():
    print(device.name, tf.config.experimental.get_device_details(device))
print(json.loads(child_says(LOOK))["cards"])

# %% [markdown]
# ## 11 Move masks over a host
#
# Three processes share a host with three cards. Choose each one's mask, entry by entry, and TensorFlow's list
# behind it. Find masks so that
#
# 1. `a.py` has all three cards, in the order 2, 1, 0;
# 2. no process sees card 0, though none has an empty mask;
# 3. `b.py` ends with an error, and no mask has an invalid entry.
#
# The widget follows the rules of sections 2 and 7; it does not ask a driver. Without a kernel, look at this
# picture:
#
# ![The widget. The mask of a.py is 2, 0; that of b.py is 1; that of c.py is 0, 7, 2; TensorFlow's list is "all" each time. a.py has card 2 as /gpu:0 and card 0 as /gpu:1. b.py has card 1 as /gpu:0. c.py has card 0 as /gpu:0 and nothing else, since 7 ends its mask. Card 0 is shared by a.py and c.py.](assets/02_widget.svg)

# %% grading="skip"
mask_the_host()

# %% [markdown]
# ## 12 Break it and diagnose it
#
# Five real mistakes. First: the program for a bare machine pins its op to `/gpu:1`, and somebody starts it behind a mask of one card. The
# error on a CPU is the same, only its list of devices is shorter:

# %%
import textwrap

with tf.Graph().as_default() as graph, tf.device("/gpu:1"):
    y = tf.add(1., 2., name="y")
try:
    with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"GPU": 0})) as session:
        session.run(y)
except tf.errors.InvalidArgumentError as error:
    print(textwrap.fill(error.message.splitlines()[-2].partition(" Make sure")[0], 100))

# %% [markdown]
# Read what is *available*: behind a mask of one card the list ends with `GPU:0`. The mask is not wrong; the pin is.
#
# Second: the list comes too late. Third: it names a logical device:

# %%
tf.constant(1.)                                       # from here on TensorFlow is initialised
logical = tf.config.list_logical_devices("CPU")
for devices in ([], logical[:1]):
    try:
        tf.config.set_visible_devices(devices, "CPU")
    except (RuntimeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown]
# Fourth: an environment with the mask *and nothing else*. Compare what the child has:

# %%
count = [sys.executable, "-c", "import os; print(len(os.environ), 'variables, PATH' , 'PATH' in os.environ)"]
for environment in ({**os.environ, "CUDA_VISIBLE_DEVICES": "0"}, {"CUDA_VISIBLE_DEVICES": "0"}):
    print(subprocess.run(count, env=environment, capture_output=True, text=True, timeout=60).stdout.strip())

# %% [markdown]
# (Python itself may add one, `LC_CTYPE`.) Without `PATH`, `HOME` and `LD_LIBRARY_PATH` a program may find neither its tools nor CUDA's libraries, and that looks
# like a driver problem. (On Windows Python may not even start.)
#
# Fifth: `mask = 1` instead of `"1"`:

# %%
try:
    child_says("print('never runs')", mask=1)
except TypeError as error:
    print("TypeError:", error)

# %% [markdown]
# | you see | ask | cure |
# | --- | --- | --- |
# | no GPU; `cuInit` says `UNKNOWN ERROR (303)` | is there a driver? | install it; the mask does not matter |
# | no GPU; `cuInit` says `CUDA_ERROR_NO_DEVICE`; `nvidia-smi -L` lists cards | what is the mask, entry by entry? | repair the mask; look for an invalid *first* entry |
# | the same, but `nvidia-smi -L` lists nothing | does the machine, or the container, have a card? | get one |
# | fewer GPUs than entries | which entry is invalid? | it and all behind it are lost: repair it |
# | *Cannot assign a device* … `/device:GPU:1` | how many cards does the mask show? | pin to `/gpu:0`: the mask chose the card |
# | the mask seems to have no effect | was it set before the process started? | set it in the launcher |
# | *Visible devices cannot be modified* | did an op run first? | call it right after the import |
# | the wrong card is busy in `nvidia-smi` | who counts how? | `CUDA_DEVICE_ORDER=PCI_BUS_ID`, or UUIDs |
# | two programs on one card, memory runs out | who has no mask? | one mask for each process, an empty one for each ps |
#
# ## Recap
#
# 1. A mask is an environment variable. A process gets it at its start, as a copy; the driver reads it once.
# 2. A mask filters, orders and renumbers. `/gpu:0` is the first card that comes through.
# 3. The first invalid entry ends the list, silently. Empty and `-1` show no card; not set shows all.
# 4. TensorFlow's own list counts behind the mask, and an invalid entry is an error.
# 5. One process per card: a mask of one card for each worker, an empty one for each ps, and every pin says `/gpu:0`.
#
# | question | where the answer is |
# | --- | --- |
# | What did this process receive? | `os.environ.get("CUDA_VISIBLE_DEVICES")` in the process itself |
# | What did the mask let through? | `tf.config.list_physical_devices("GPU")` |
# | What does TensorFlow use of it? | `tf.config.list_logical_devices("GPU")` |
# | Which card is `/gpu:0`? | the PCI bus id in the start-up log |
# | Which cards are there at all? | `nvidia-smi -L`, which ignores the mask |
#
# **Read on:** lesson 03, *GPU memory*: what happens when two processes see the same card after all. The rules of masks are in
# NVIDIA's *CUDA Programming Guide*, in the appendix on environment variables.
#
# ## Exercises
#
# Five short programs and one question in words. Each function takes and returns plain values: text, numbers, lists and
# dicts. Write it, play with it in the *try* cell, then run its checks.

# %% [markdown] exercise="visible"
# ### Exercise 1 · Read a mask
#
# Write `visible(mask, uuids)`: the numbers of the cards that a process sees, in the order of its `/gpu:0`, `/gpu:1`, …
#
# * `uuids` lists the UUIDs of the host's cards, in the driver's order: the card with `uuids[0]` has the number 0.
# * `mask` is the text of `CUDA_VISIBLE_DEVICES`, or `None` if it is not set: then all cards are visible.
# * Its entries stand between commas. Spaces around an entry do not count. An entry is a card's number, or a UUID, or the
#   beginning of a UUID if only one card's UUID begins so. A mask has numbers or UUIDs, not both.
# * The first entry that is none of this ends the list. An empty entry is none of this. This entry and all behind it show nothing.
# * If a card is named twice before the list ends, no card is visible.
#
# Example: on a host with three cards, `visible("2,0", uuids)` is `[2, 0]`, and `visible("0,7,1", uuids)` is `[0]`.

# %% solution="visible"
def visible(mask, uuids):
    """Say which cards a process sees.

    Args:
        mask: str, the value of CUDA_VISIBLE_DEVICES, or None if it is not set.
        uuids: list of str such as "GPU-5a8f27c1", each card's UUID, in the driver's order, all different.
    Returns:
        list of int, the driver's number of each visible card; the first is /gpu:0.
    """
    ### BEGIN SOLUTION
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if entry.isdigit():
            fits = [int(entry)] if int(entry) < len(uuids) else []
        else:
            fits = [i for i, uuid in enumerate(uuids) if entry and uuid.startswith(entry)]
        if len(fits) != 1:
            break
        if fits[0] in seen:
            return []
        seen += fits
    return seen
    ### END SOLUTION

# %% try="visible"
three_cards = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
try:
    for some_mask in ("2,0", "0,7,1", None, "GPU-c0,GPU-5a9"):
        print(repr(some_mask), visible(some_mask, three_cards))
except NotImplementedError as error:
    print(error)

# %% check="visible-order" points=2
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
got = [visible(mask, list(uuids)) for mask in ("2,0", "1", "1,2,0")]
right = [[2, 0], [1], [1, 2, 0]]

def told(likely):
    return (f"asked:    the masks '2,0', '1' and '1,2,0' on a host of three cards\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, A mask renumbers")

assert all(type(seen) is list for seen in got), told("the result is not a list")
assert not any(type(number) is str for seen in got for number in seen), told(
    "the result holds text, or a UUID; a number such as 2 is asked for")
assert got != [sorted(seen) for seen in right], told(
    "the cards are sorted; the mask's order is the order of /gpu:i")
assert got != [[0, 1], [0], [0, 1, 2]], told(
    "these are the new numbers, of /gpu:i; the card behind each is asked for")
assert got == right, told("compare the masks one by one")

# %% check="visible-none" points=1
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
try:
    got = [visible(mask, list(uuids)) for mask in (None, "", "-1")]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 3
right = [[0, 1, 2], [], []]

def told(likely):
    return (f"asked:    no mask (None), an empty mask, and the mask '-1', on a host of three cards\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, A mask renumbers")

assert "Error" not in str(got[0]), told(
    "an empty entry and -1 are no card's number: they end the list, they are no error")
assert got[1] != [0, 1, 2], told("an empty mask is a mask: it hides all; only None shows all")
assert got[2] != [2], told("-1 is Python's last element, but no card's number")
assert got[2] != [-1], told("-1 is no card's number: it ends the list")
assert got == right, told("None shows all, the other two show none")

# %% check="visible-ends" points=2
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
try:
    got = [visible(mask, list(uuids)) for mask in ("0,7,1", "3,0", "2,-1,1")]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 3
right = [[0], [], [2]]

def told(likely):
    return (f"asked:    the masks '0,7,1', '3,0' and '2,-1,1' on a host of three cards\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, A mask renumbers")

assert "Error" not in str(got[0]), told("an invalid entry is not an error: it ends the list without a word")
assert got != [[0, 1], [0], [2, 1]], told("the invalid entry is skipped; it ends the list")
assert got != [[], [], []], told("an invalid entry ends the list; what stands before it stays visible")
assert got[1] != [3], told("three cards have the numbers 0, 1 and 2; there is no card 3")
assert got == right, told("everything before the first invalid entry, nothing behind it")

# %% hidden="visible-uuid" points=2
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
masks = ["GPU-c07,GPU-5a9", "GPU-5a91d3e0", "GPU-c07e4b92,GPU-5a,GPU-5a8", "GPU-77,GPU-c0", "GPU-5a8f27c1f"]
try:
    got = [visible(mask, list(uuids)) for mask in masks]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * len(masks)
right = [[2, 1], [1], [2], [], []]

def told(likely):
    return (f"asked:    the masks {masks}, UUIDs {uuids}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Numbers that move, names that stay")

assert "Error" not in str(got[0]), told("an entry may be a UUID, not only a number")
assert got[0] == [2, 1], told("the beginning of a UUID is enough, if only one card fits")
assert got[1] == [1], told("a whole UUID names its card too")
assert got[2] == [2], told("GPU-5a fits two cards: such an entry is invalid and ends the list")
assert got == right, told("a UUID that no card has ends the list")

# %% hidden="visible-repeat" points=1
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
masks = ["1,0,1", "GPU-c0,GPU-c07e", "0,-1,0"]
try:
    got = [visible(mask, list(uuids)) for mask in masks]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 3
right = [[], [], [0]]

def told(likely):
    return (f"asked:    the masks {masks}, UUIDs {uuids}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1: a card that is named twice")

assert got[0] != [1, 0], told("a card that is named twice hides all cards; it is not just dropped")
assert got[0] != [1, 0, 1], told("a card that is named twice hides all cards")
assert got[1] == [], told("two beginnings of the same UUID name the same card: compare cards, not texts")
assert got[2] == [0], told("the list had ended before the card was named again")
assert got == right, told("compare the masks one by one")

# %% hidden="visible-hosts" points=2
twelve = [f"GPU-{number:08x}" for number in range(0x1a2b3c4d, 0x1a2b3c4d + 12 * 0x01000000, 0x01000000)]
asked = [("10,11,2", 12), ("12,0", 12), ("1, 0", 2), ("1,,0", 2), ("0", 1), ("1", 1),
         ("", 1), ("0,", 1)]
try:
    got = [visible(mask, twelve[:count]) for mask, count in asked]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * len(asked)
right = [[10, 11, 2], [], [1, 0], [1], [0], [], [], [0]]

def told(likely):
    return (f"asked:    masks on hosts with other numbers of cards (mask, cards): {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1")

assert "Error" not in str(got[0]), told("an empty entry, or a space, is no reason for an error")
assert got[0] == [10, 11, 2], told("a number may have two digits: split at the commas")
assert got[1] == [], told("twelve cards have the numbers 0 to 11")
assert got[2] == [1, 0], told("spaces around an entry do not count")
assert got[3] == [1], told("an empty entry between two commas is invalid and ends the list")
assert got[6] == [] and got[7] == [0], told(
    "an empty entry names no card, not even the only one, though every UUID begins with the empty text")
assert got == right, told("the host's number of cards decides which numbers are valid")

# %% [markdown] exercise="compose"
# ### Exercise 2 · Mask first, list second
#
# Write `logical_to_physical(mask, device_list, cards)`: which card is each `/gpu:i` of a TensorFlow program?
#
# * `mask` is simple here: `None`, `""`, or valid numbers, all different, such as `"2,0"`. `cards` is the number of cards in the host.
# * `device_list` is the text of `visible_device_list`: `""` for all that the mask shows, or entries between commas. There are no spaces.
#
# Return a list: at position `i` the driver's number of the card that is `/gpu:i`. Return `"error"` if TensorFlow refuses the list:
# an entry is not a whole number, or is not the number of a device behind the mask, or appears twice. If the mask shows
# no card at all, nobody reads the list (section 5): then the result is `[]`, whatever the list.
#
# Example: `logical_to_physical("2,0", "1", 3)` is `[0]`, and `logical_to_physical("2,0", "2", 3)` is `"error"`.

# %% solution="compose"
def logical_to_physical(mask, device_list, cards):
    """Say which card each /gpu:i of a program is, behind its mask and TensorFlow's list.

    Args:
        mask: str of valid, different numbers between commas, or "" or None.
        device_list: str, TensorFlow's visible_device_list.
        cards: int, number of cards in the host, 1 or more.
    Returns:
        list of int, the driver's number of the card behind each /gpu:i; or the str "error".
    """
    ### BEGIN SOLUTION
    behind_mask = list(range(cards)) if mask is None else [int(entry) for entry in mask.split(",") if entry]
    if not behind_mask or not device_list:
        return behind_mask
    entries = device_list.split(",")
    if len(set(entries)) < len(entries) or not all(
            entry.isdigit() and int(entry) < len(behind_mask) for entry in entries):
        return "error"
    return [behind_mask[int(entry)] for entry in entries]
    ### END SOLUTION

# %% try="compose"
try:
    for some_list in ("1", "2", ""):
        print(repr(some_list), logical_to_physical("2,0", some_list, 3))
except NotImplementedError as error:
    print(error)

# %% check="compose-behind" points=2
asked = [("2,0", "1", 3), ("3,1,2", "2,0", 4), ("3,0,1", "0,2", 4)]
try:
    got = [logical_to_physical(*question) for question in asked]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 3
right = [[0], [2, 3], [3, 1]]

def told(likely):
    return (f"asked:    (mask, list, cards): {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Mask first, list second")

assert all(type(result) is list for result in got) or "error" in got, told(
    'the result is not a list, nor "error"')
assert got != [[1], [2, 0], [0, 2]], told(
    "the list's numbers are returned as they are; they count behind the mask")
assert "error" not in got and got != [[], [2], [0]], told(
    "the list was compared with the cards' own numbers; its numbers count what the mask shows, from 0")
assert got[1] != [3, 2], told("the order of the list counts: its first entry is /gpu:0")
assert got[2] != [1, 3], told("the cards are sorted; the first entry of the list is /gpu:0")
assert got == right, told("look up each entry of the list among the cards that the mask shows")

# %% check="compose-all" points=1
asked = [("2,0", "", 3), (None, "1,0", 3), (None, "", 2)]
try:
    got = [logical_to_physical(*question) for question in asked]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 3
right = [[2, 0], [1, 0], [0, 1]]

def told(likely):
    return (f"asked:    (mask, list, cards): {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Mask first, list second")

assert got[0] not in ([], "error"), told("an empty list is no filter; only an empty mask hides all")
assert got[0] != [0, 2], told("without a list, the mask's order stays")
assert got[1] == [1, 0], told("without a mask, the list counts all cards of the host")
assert got == right, told("compare them one by one")

# %% check="compose-error" points=2
asked = [("2,0", "2", 3), ("1", "0,1", 4), (None, "1", 3)]
try:
    got = [logical_to_physical(*question) for question in asked]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 3
right = ["error", "error", [1]]

def told(likely):
    return (f"asked:    (mask, list, cards): {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, TensorFlow's own list, classic form")

assert "IndexError" not in str(got), told(
    'return the text "error" when the list names a device that is not there')
assert got[0] != [2], told("card 2 is in the host, but behind this mask there are only the numbers 0 and 1")
assert got[:2] != [[], [1]], told("a mask ends silently at an invalid entry; TensorFlow's list is an error")
assert got[2] == [1], told("this list is right: without a mask, 1 is the number of a card that is there")
assert got == right, told("a list may only name devices behind the mask")

# %% hidden="compose-strict" points=1
asked = [("1,2,0", "0,0", 3), ("1,2,0", "0,x", 3), ("1,2,0", "-1", 3), ("1,2,0", "1,", 3), (None, "2", 3)]
try:
    got = [logical_to_physical(*question) for question in asked]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 5
right = ["error"] * 4 + [[2]]

def told(likely):
    return (f"asked:    (mask, list, cards): {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: when TensorFlow refuses the list")

assert "ValueError" not in str(got), told(
    'an entry that is no number gives the text "error"; int() alone raises')
assert got[0] == "error", told("an entry that appears twice is an error in the list")
assert got[2] == "error", told("-1 is no number of a device; in Python it would be the last one")
assert got[4] == [2], told("the last of these lists is right")
assert got == right, told("an entry that is not a whole number is an error")

# %% hidden="compose-none" points=1
asked = [("", "0", 2), ("", "", 2), ("", "nonsense", 1), (None, "0", 2)]
try:
    got = [logical_to_physical(*question) for question in asked]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 4

def told(likely):
    return (f"asked:    (mask, list, cards): {asked}\n"
            f"got:      {got}\n"
            f"expected: {[[], [], [], [0]]}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, TensorFlow's own list, classic form")

assert got[1] != [0, 1], told("an empty mask is a mask: it hides all")
assert "error" not in got, told("behind an empty mask nobody reads the list, so it is no error")
assert got == [[], [], [], [0]], told("no card comes through an empty mask; without a mask all do")

# %% hidden="compose-hosts" points=1
asked = [("9,3,7,11", "3,0,1", 12), (None, "11,10", 12), ("5", "0", 8), ("10,2", "", 12)]
try:
    got = [logical_to_physical(*question) for question in asked]
except NotImplementedError:
    raise
except Exception as error:
    got = [f"{type(error).__name__}: {error}"] * 4
right = [[11, 9, 3], [11, 10], [5], [10, 2]]

def told(likely):
    return (f"asked:    larger hosts (mask, list, cards): {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Mask first, list second")

assert got == right, told("split at commas, then look up each entry among the cards that the mask shows")

# %% [markdown] exercise="launch"
# ### Exercise 3 · A launch table
#
# Write `launch_plan(hosts, ps, workers)`: a plan for a cluster, one worker for each card that it needs.
#
# * `hosts` is a list of `[name, number of cards]`, such as `[["a", 2], ["b", 1]]`.
# * The `ps` parameter servers are dealt out over the hosts in turn: ps 0 on the first host, ps 1 on the second, and so on; after
#   the last host comes the first again. They see no card.
# * The `workers` take the cards in order: those of the first host, then those of the second, and so on. Each sees just its own card.
#
# Return a list with a dict for each process, all ps first, each job by task index:
#
# `{"host": "a", "env": {"CUDA_VISIBLE_DEVICES": "1"}, "argv": ["--job_name=worker", "--task_index=1"], "pin":
# "/job:worker/task:1/device:GPU:0"}`
#
# This is worker 1 of `launch_plan([["a", 2], ["b", 1]], 2, 3)`. `pin` is what the process's ops are pinned to: its own
# GPU, as it is called behind its mask, or for a ps its `CPU:0`. All values are text. With more workers than cards, raise a `ValueError`.

# %% solution="launch"
def launch_plan(hosts, ps, workers):
    """Plan the processes of a cluster, with a mask for each.

    Args:
        hosts: list of [name, number of cards], at least one.
        ps: int, number of parameter servers.
        workers: int, number of workers.
    Returns:
        list of dict with the keys host, env, argv and pin: the ps first, each job by task index.
    Raises:
        ValueError: there are more workers than cards.
    """
    ### BEGIN SOLUTION
    cards = [(name, str(card)) for name, count in hosts for card in range(count)]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
    ### END SOLUTION

# %% try="launch"
try:
    for process in launch_plan([["a", 2], ["b", 1]], 2, 3):
        print(process["host"], process["env"], *process["argv"], process["pin"])
except NotImplementedError as error:
    print(error)

# %% check="launch-ps" points=2
got = launch_plan([["a", 2], ["b", 1]], 2, 3)

def told(likely):
    return (f"asked:    launch_plan([['a', 2], ['b', 1]], 2, 3): hosts and masks of the two ps\n"
            f"got:      {shown}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, One process per card")

shown, right = got, [["a", ""], ["b", ""]]
assert type(got) is list and len(got) == 5 and all(type(process) is dict for process in got), told(
    "the result is not a list of five dicts")
assert all({"host", "env", "argv", "pin"} <= set(process) for process in got), told(
    "a dict lacks one of the keys host, env, argv and pin")
assert all(type(process["env"]) is dict for process in got), told("env is not a dict")
shown = [[process["host"], process["env"].get("CUDA_VISIBLE_DEVICES")] for process in got[:2]]
assert all(mask is not None for _, mask in shown), told(
    "a ps without a mask sees all cards of its host, and TensorFlow takes their memory: "
    "give it an empty mask")
assert [mask for _, mask in shown] == ["", ""], told(
    "a ps holds a card; it needs none: its mask is the empty text")
assert shown == right, told("the ps are dealt out over the hosts in turn")

# %% check="launch-masks" points=2
got = launch_plan([["a", 2], ["b", 1]], 2, 3)
shown, right = got, [["a", "0"], ["a", "1"], ["b", "0"]]

def told(likely):
    return (f"asked:    launch_plan([['a', 2], ['b', 1]], 2, 3): hosts and masks of the three workers\n"
            f"got:      {shown}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, One process per card")

assert type(got) is list and len(got) == 5 and all(type(process) is dict for process in got), told(
    "the result is not a list of five dicts")
assert all({"host", "env"} <= set(process) and type(process["env"]) is dict for process in got), told(
    "a dict lacks the key host or env, or env is not a dict")
shown = [[process["host"], process["env"].get("CUDA_VISIBLE_DEVICES")] for process in got[2:]]
masks = [mask for _, mask in shown]
assert all(type(mask) is str for mask in masks), told("the values of an environment are text: '1', not 1")
assert masks != ["0", "1", "2"], told("a mask counts the cards of its own host, from 0 on each host")
assert masks != ["0", "0", "0"], told("two workers of one host share its card 0; each needs its own")
assert [host for host, _ in shown] == ["a", "a", "b"], told(
    "workers fill the first host's cards, then go on to the next host")
assert shown == right, told("each worker's mask is the number of its own card on its host")

# %% check="launch-argv" points=1
got = launch_plan([["a", 2], ["b", 1]], 2, 3)
right = [["--job_name=ps", "--task_index=0"], ["--job_name=ps", "--task_index=1"],
         *(["--job_name=worker", f"--task_index={index}"] for index in range(3))]
shown = got

def told(likely):
    return (f"asked:    launch_plan([['a', 2], ['b', 1]], 2, 3): the arguments of the five processes\n"
            f"got:      {shown}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, One process per card")

assert type(got) is list and all(type(process) is dict and "argv" in process for process in got), told(
    "the result is not a list of dicts with the key argv")
shown = [process["argv"] for process in got]
assert all(type(argv) in (list, tuple) for argv in shown), told("argv is a list with two texts, not one text")
indices = [str(argv[-1]).split("=")[-1] for argv in shown]
assert indices != ["0", "1", "2", "3", "4"], told("each job counts its tasks from 0")
assert indices[2:] != ["0", "1", "0"], told(
    "a task index counts through the whole job, not anew on each host")
assert [list(argv) for argv in shown] == right, told(
    "compare the arguments one by one: ps first, then workers")

# %% hidden="launch-pins" points=2
got = launch_plan([["a", 2], ["b", 1]], 2, 3)
right = ["/job:ps/task:0/device:CPU:0", "/job:ps/task:1/device:CPU:0",
         *(f"/job:worker/task:{index}/device:GPU:0" for index in range(3))]
shown = got

def told(likely):
    return (f"asked:    launch_plan([['a', 2], ['b', 1]], 2, 3): what the processes are pinned to\n"
            f"got:      {shown}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, One process per card")

assert type(got) is list and all(type(process) is dict and "pin" in process for process in got), told(
    "the result is not a list of dicts with the key pin")
shown = [process["pin"] for process in got]
assert not any(str(pin).endswith(("GPU:1", "GPU:2")) for pin in shown), told(
    "behind a mask of one card, that card is GPU:0, whatever its number on the host")
assert not any("GPU" in str(pin) for pin in shown[:2]), told("a ps sees no card: its ops are on its CPU:0")
assert shown == right, told("a pin names the job, the task and the device behind the mask")

# %% hidden="launch-hosts" points=2
try:
    got, failed = launch_plan([["x", 2], ["y", 0], ["z", 4]], 4, 5), False
except NotImplementedError:
    raise
except Exception as error:
    got, failed = f"{type(error).__name__}: {error}", True
right = [["x", ""], ["y", ""], ["z", ""], ["x", ""],
         ["x", "0"], ["x", "1"], ["z", "0"], ["z", "1"], ["z", "2"]]
shown = got

def told(likely):
    return (f"asked:    launch_plan([['x', 2], ['y', 0], ['z', 4]], 4, 5): hosts and masks\n"
            f"got:      {shown}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3")

assert not failed, told(
    "this plan fits: 6 cards for 5 workers; 4 ps take turns on 3 hosts, and a host may have no card")
assert type(got) is list and all(type(process) is dict for process in got), told(
    "the result is not a list of dicts")
assert all({"host", "env"} <= set(process) for process in got), told("a dict lacks the key host or env")
shown = [[process["host"], process["env"].get("CUDA_VISIBLE_DEVICES")] for process in got]
assert [host for host, _ in shown[:4]] == ["x", "y", "z", "x"], told(
    "after the last host, the ps begin with the first host again")
assert "y" not in [host for host, _ in shown[4:]], told("host y has no card, so no worker can be there")
assert shown == right, told("workers take card after card, host after host; masks count on each host from 0")

# %% hidden="launch-full" points=1
got = []
for hosts, ps, workers in (([["a", 2], ["b", 1]], 0, 4), ([["a", 0]], 1, 1), ([["a", 1]], 3, 1)):
    try:
        got.append(len(launch_plan(hosts, ps, workers)))
    except ValueError:
        got.append("ValueError")
    except IndexError:
        got.append("IndexError")
right = ["ValueError", "ValueError", 4]

def told(likely):
    return (f"asked:    4 workers for 3 cards; 1 worker for no card; 3 ps and 1 worker for 1 card\n"
            f"got:      {got} (an error, or the number of processes)\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: more workers than cards")

assert "IndexError" not in got[:2], told(
    "the cards ran out and Python noticed it first; look before, and raise a ValueError")
assert got[:2] == right[:2], told("more workers than cards: two would share a card, or one would have none")
assert got == right, told("this one fits: 3 ps take turns on one host, 1 worker has 1 card")

# %% [markdown] exercise="observe"
# ### Exercise 4 · Launch and look
#
# Write `observe(program, masks)`: start a real process for each mask, and return what each printed.
#
# * `program` is Python source, as text. Run it as in section 1: `sys.executable` with `-c`.
# * `masks` is a list. A text becomes the child's `CUDA_VISIBLE_DEVICES`. `None` leaves the environment as it is: a plain copy
#   of the notebook's. In all else, every child's environment is a copy of the notebook's.
# * The notebook's own environment is the same before, during and after, even if a child cannot be started.
# * Start **all** children before you wait for the first: in a cluster they wait for each other.
#
# Return a list of texts, in the order of `masks`: what each child printed to stdout, without spaces and line ends around it.
#
# Example: with a program that prints its mask, `observe(program, ["1", "2,0"])` is `["1", "2,0"]`.

# %% solution="observe"
import os
import subprocess
import sys

def observe(program, masks):
    """Run a program once behind each mask, all at the same time.

    Args:
        program: str, Python source.
        masks: list of str or None: each child's CUDA_VISIBLE_DEVICES; None changes nothing.
    Returns:
        list of str: what each child printed to stdout, stripped, in the order of masks.
    """
    ### BEGIN SOLUTION
    children = []
    for mask in masks:
        environment = dict(os.environ)
        if mask is not None:
            environment["CUDA_VISIBLE_DEVICES"] = mask
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
    ### END SOLUTION

# %% try="observe"
show_mask = "import os; print(os.environ.get('CUDA_VISIBLE_DEVICES'))"
try:
    print(observe(show_mask, ["1", "2,0", "", None]))
except NotImplementedError as error:
    print(error)

# %% check="observe-masks" points=2
program = "import os; print('saw', repr(os.environ.get('CUDA_VISIBLE_DEVICES')))"
masks = ["1", "2,0", "", "GPU-5a9"]
got = observe(program, list(masks))
right = [f"saw {mask!r}" for mask in masks]

def told(likely):
    return (f"asked:    observe(a program that prints its mask, {masks})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, A mask belongs to a process")

assert type(got) is list and all(type(text) is str for text in got), told(
    "the result is not a list of texts; with text=True a child's output is text")
assert got != masks, told("these are the masks themselves: return what the children print")
assert got == [text.strip() for text in got], told("strip each text: print adds a line end")
assert got != [right[-1]] * 4, told("all children saw the last mask: each needs an environment of its own")
assert sorted(got) != sorted(right) or got == right, told("the texts are not in the order of the masks")
assert len(set(got)) > 1, told("the mask does not reach the children: pass env= when you start each")
assert got[2] == right[2] or got[:2] != right[:2], told(
    "an empty mask was taken for no mask: the empty text is a value, too")
assert got == right, told("each child must see its own mask")

# %% check="observe-environment" points=1
import secrets

mark = secrets.token_hex(4)
program = f"import os; print('{mark}', sorted(set(os.environ) - {{'CUDA_VISIBLE_DEVICES', 'LC_CTYPE'}}))"
got = observe(program, [None, "0"])

def told(likely):
    return (f"asked:    the names in the environments of a child without a mask, and of one with a mask\n"
            f"got:      {[str(text)[:100] for text in got] if type(got) is list else got}\n"
            f"expected: twice the notebook's own names\n"
            f"likely:   {likely}\n"
            f"reread:   section 12, Break it and diagnose it")

assert type(got) is list and len(got) == 2 and all(type(text) is str for text in got), told(
    "the result is not a list of two texts")
assert all(text.startswith(mark) for text in got), told("this is not what the children print")
assert got[1] != f"{mark} []", told(
    "the environment holds the mask and nothing else: begin with a copy of os.environ")
assert got[0] == got[1] and got[0].count(",") > 1, told(
    "apart from the mask, both are copies of the notebook's own")

# %% hidden="observe-own" points=2
# The notebook has the mask -1 here, as when graded. A program with a null character cannot be started.
import os

program = "import os, sys; print('saw', repr(os.environ.get('CUDA_VISIBLE_DEVICES')))"
# Where both go to one pipe, it warns on stderr, too; else that would be seen in this notebook.
noisy = program + """
one, two = os.fstat(1), os.fstat(2)
if one.st_ino and os.path.samestat(one, two):
    print("a warning", file=sys.stderr)
"""
mine = os.environ.get("CUDA_VISIBLE_DEVICES")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
try:
    before = observe(program, [None])
    got = observe(noisy, ["5", None, "6"])
    after = observe(program, [None])
    try:
        observe("\0", ["7"])
    except Exception:
        pass
    at_last = observe(program, [None])
finally:
    os.environ.update({} if mine is None else {"CUDA_VISIBLE_DEVICES": mine})
    if mine is None:
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
right = ["saw '5'", *before, "saw '6'"] if type(before) is list else "a list of texts"

def told(likely):
    return (f"asked:    observe(a program that prints its mask, and may warn on stderr, ['5', None, '6']), "
            f"then [None], then [None] again, after a program that cannot be started\n"
            f"got:      {got}, then {after}, then {at_last}\n"
            f"expected: {right}, then twice {before}, as before\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, A mask belongs to a process")

assert type(got) is list and len(got) == 3 and type(after) is list, told(
    "the result is not a list with a text for each mask")
assert after == before, told(
    "the notebook's own mask was changed, and every later child has it: leave os.environ alone")
assert before != ["saw None"], told(
    "the notebook's own mask was taken away: None means that nothing is changed")
assert before != ["saw 'None'"], told("None became the text 'None': a mask which no card fits")
assert before != ["saw ''"], told(
    "None became an empty mask, which hides all cards (or does this notebook itself have an empty mask?)")
assert got[1] not in ("saw '5'", "saw ''"), told(
    "None means that nothing is changed; this child has a mask that was not meant for it")
assert "a warning" not in str(got), told(
    "what the child wrote to stderr is in its text: only what it printed to stdout is asked for")
assert at_last == before, told(
    "a child that could not be started left its mask in the notebook: leave os.environ alone")
assert got == right, told("a child without a mask has a plain copy of the notebook's environment")

# %% hidden="observe-processes" points=1
program = "import os, sys; print(os.getpid(), 'ipykernel' in sys.modules)"
got = observe(program, ["0", "0", "1"])

def told(likely):
    return (f"asked:    observe(a program that prints its process number, ['0', '0', '1'])\n"
            f"got:      {got}\n"
            f"expected: three different process numbers, none of them the notebook's own\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, A mask belongs to a process")

assert type(got) is list and len(got) == 3 and all(type(text) is str for text in got), told(
    "the result is not a list with a text for each mask; two equal masks are two children")
assert not any("True" in text for text in got), told(
    "the program ran inside the notebook: start a new Python for it")
assert len({text.split()[0] for text in got if text.split()}) == 3, told(
    "each mask needs a process of its own")

# %% hidden="observe-together" points=2
# Two children that wait for each other, as tasks of a cluster do, by a file for each.
import secrets

name = f"course_observe_{secrets.token_hex(8)}"
program = f"""
import os, tempfile, time
folder = os.path.join(tempfile.gettempdir(), {name!r})
os.makedirs(folder, exist_ok=True)
open(os.path.join(folder, str(os.getpid())), "w").close()
end = time.monotonic() + 12
while len(os.listdir(folder)) < 2 and time.monotonic() < end:
    time.sleep(0.02)
print(len(os.listdir(folder)))
"""
tidy = f"import os, shutil, tempfile; shutil.rmtree(os.path.join(tempfile.gettempdir(), {name!r}), True)"
try:
    got = observe(program, ["0", "1"])
finally:
    observe(tidy, [None])

def told(likely):
    return (f"asked:    two children, each of which waits for the other and prints how many are there\n"
            f"got:      {got}\n"
            f"expected: {['2', '2']}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, One process per card")

assert got != ["1", "2"], told(
    "the first child was waited for before the second was started: start all, then wait")
assert got == ["2", "2"], told("both children must be running at the same time")

# %% [markdown] exercise="diagnose"
# ### Exercise 5 · Why is there no GPU?
#
# A colleague sends you the log of a program that was meant to use a GPU, and says how many cards `nvidia-smi -L`
# lists. Write `diagnose(log, cards)`. `log` is text: the start-up lines of TensorFlow 2, and perhaps an error behind
# them. `cards` is a number, or `None` where there is no `nvidia-smi`. Return the **root cause**, one of
#
# | cause | the log has |
# | --- | --- |
# | `"driver"` | `failed call to cuInit`, with another error than `CUDA_ERROR_NO_DEVICE` |
# | `"mask"` | `failed call to cuInit` with `CUDA_ERROR_NO_DEVICE`, and `nvidia-smi -L` lists cards |
# | `"no card"` | the same, and it lists none (or there is no `nvidia-smi`) |
# | `"late"` | `Visible devices cannot be modified after being initialized` |
# | `"pin"` | `Cannot assign a device for operation` …, and nothing of the above |
# | `"fine"` | nothing of all this |
#
# If `cuInit` failed, that is the root cause, whatever came later: with no GPU, every pin to one fails. Otherwise, the cause is the
# one whose words are there; a log never has both of the last two errors.
#
# Example: `diagnose("E0000 00:00:1795258507.25 9082 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: Failed call to
# cuInit: UNKNOWN ERROR (303)", None)` is `"driver"`.

# %% solution="diagnose"
def diagnose(log, cards):
    """Find the root cause of a missing GPU.

    Args:
        log: str, what the program wrote to stderr, any number of lines.
        cards: int, how many cards nvidia-smi -L lists, or None where there is no such program.
    Returns:
        str, one of "driver", "mask", "no card", "late", "pin" and "fine".
    """
    ### BEGIN SOLUTION
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            if "CUDA_ERROR_NO_DEVICE" not in line:
                return "driver"
            return "mask" if cards else "no card"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
    ### END SOLUTION

# %% try="diagnose"
# What a machine without a driver writes; then the same with another error. Which causes?
start_log = """I0000 00:00:1795258507.25 9082 cudart_stub.cc:31] Could not find cuda drivers on your machine
E0000 00:00:1795258513.06 9082 cuda_platform.cc:52] failed call to cuInit: ... UNKNOWN ERROR (303)
"""
try:
    print(diagnose(start_log, None))
    print(diagnose(start_log.replace("UNKNOWN ERROR (303)", "CUDA_ERROR_NO_DEVICE"), 2))
except NotImplementedError as error:
    print(error)

# %% check="diagnose-driver" points=1
log = ("I0000 00:00:1795258507.25 9082 cudart_stub.cc:31] Could not find cuda drivers on your machine ...\n"
       "E0000 00:00:1795258513.06 9082 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: "
       "Failed call to cuInit: UNKNOWN ERROR (303)\n")
got = [diagnose(log, None), diagnose(log, 0), diagnose("", None)]

def told(likely):
    return (f"asked:    cuInit's UNKNOWN ERROR (303) without nvidia-smi, then with no cards; an empty log\n"
            f"got:      {got}\n"
            f"expected: {['driver', 'driver', 'fine']}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, The start-up log of two cards")

assert "no card" not in got, told("the driver was not loaded, so nobody knows yet whether there is a card")
assert "mask" not in got, told("without a driver nobody reads the mask; it cannot be to blame")
assert "fine" not in got[:2], told("cuInit failed, so there is no GPU")
assert got[2] == "fine", told("an empty log has no error")
assert got == ["driver", "driver", "fine"], told("any cuInit error but CUDA_ERROR_NO_DEVICE is the driver's")

# %% check="diagnose-mask" points=2
log = ("I0000 00:00:1795258507.25 9082 cudart_stub.cc:31] Could not find cuda drivers on your machine ...\n"
       "E0000 00:00:1795258513.06 9082 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: "
       "Failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"
       'I0000 00:00:1795258513.06 9082 cuda_diagnostics.cc:160] env: CUDA_VISIBLE_DEVICES="7,0"\n')
got = [diagnose(log, 2), diagnose(log.replace("CUDA_ERROR_NO_DEVICE: no", "UNKNOWN ERROR (303): no"), 2)]
right = ["mask", "driver"]

def told(likely):
    return (f"asked:    CUDA_ERROR_NO_DEVICE, mask '7,0', two cards; then UNKNOWN ERROR (303) instead\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, The start-up log of two cards")

assert got[0] != "driver", told(
    "the driver works: it answered that it sees no device; 'Could not find cuda drivers' says little")
assert "no card" not in got, told("nvidia-smi ignores the mask and lists two cards, so something hides them")
assert got[1] == "driver", told("only CUDA_ERROR_NO_DEVICE can come from a mask; with 303 nobody read it")
assert got == right, told("cards are there, the driver shows none: the mask hides them")

# %% hidden="diagnose-no-card" points=1
log = ("E0000 00:00:1795258513.06 9082 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: "
       "Failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n")
with_mask = log + 'I0000 00:00:1795258513.06 9082 cuda_diagnostics.cc:160] env: CUDA_VISIBLE_DEVICES="0"\n'
got = [diagnose(log, 0), diagnose(with_mask, 0), diagnose(log, None), diagnose(log, 1)]
right = ["no card", "no card", "no card", "mask"]

def told(likely):
    return (f"asked:    CUDA_ERROR_NO_DEVICE with 0 cards; 0 and a mask; no nvidia-smi; 1 card\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, The start-up log of two cards")

assert got[1] != "mask", told(
    "a mask in the log is no proof: without cards there is nothing that it could hide")
assert got[2] != "mask", told("None is not a number of cards that are there")
assert got[3] == "mask", told(
    "cards decide: if nvidia-smi lists some and the driver shows none, the mask hides them")
assert got == right, told("what nvidia-smi lists decides between the mask and no card")

# %% hidden="diagnose-pin" points=1
start = ("I0000 00:00:1795258513.06 9082 gpu_device.cc:2020] Created device /job:localhost/replica:0/task:0/"
         "device:GPU:0 with 6789 MB memory:  -> device: 0, name: A card, pci bus id: 0000:41:00.0, ...\n")
log = start + ("InvalidArgumentError: Cannot assign a device for operation y: {{node y}} was explicitly "
               "assigned to /device:GPU:1 but available devices are [ /job:localhost/replica:0/task:0/"
               "device:CPU:0, /job:localhost/replica:0/task:0/device:GPU:0 ]. Make sure ...\n")
both = start + start.replace("GPU:0 with", "GPU:1 with").replace("device: 0", "device: 1")
got = [diagnose(log, 2), diagnose(log.replace("operation y", "operation layer_2/w"), 1), diagnose(start, 1),
       diagnose(both, 2)]
right = ["pin", "pin", "fine", "fine"]

def told(likely):
    return (f"asked:    GPU:0 is there, an op asks for GPU:1 (twice); no error; two GPUs and no error\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 12, Break it and diagnose it")

assert "mask" not in got, told("the mask shows a card, and TensorFlow uses it: the pin asks for one too many")
assert "fine" not in got[:2], told("the program ended with an error, though a GPU was there")
assert got[3] == "fine", told("GPU:1 was created, and nothing failed: look for the error's words")
assert got == right, told("a GPU is there; the op asks for another one")

# %% hidden="diagnose-late" points=1
log = "RuntimeError: Visible devices cannot be modified after being initialized\n"
start = ("I0000 00:00:1795258513.06 9082 gpu_device.cc:2020] Created device /job:localhost/replica:0/task:0/"
         "device:GPU:0 with 6789 MB memory:  -> device: 0, name: A card, pci bus id: 0000:41:00.0, ...\n")
got = [diagnose(start + log, 2), diagnose(start, 2), diagnose("", 1)]
right = ["late", "fine", "fine"]

def told(likely):
    return (f"asked:    a log with 'Visible devices cannot be modified ...'; one with a GPU; an empty one\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 12, Break it and diagnose it")

assert got[0] == "late", told("set_visible_devices was called after TensorFlow had started")
assert got == right, told("a log without any of the errors is fine")

# %% hidden="diagnose-root" points=2
init = ("E0000 00:00:1795258513.06 9082 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: "
        "Failed call to cuInit: ")
pin = ("InvalidArgumentError: Cannot assign a device for operation y: {{node y}} was explicitly assigned to "
       "/device:GPU:0 but available devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ].\n")
late = "RuntimeError: Visible devices cannot be modified after being initialized\n"
none = "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"
asked = [(init + "UNKNOWN ERROR (303)\n" + pin, None), (init + none + pin, 4), (init + none + pin, 0),
         (init + "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: system has unsupported display driver\n" + late, 2)]
got = [diagnose(*question) for question in asked]
right = ["driver", "mask", "no card", "driver"]

def told(likely):
    return (f"asked:    four logs in which cuInit failed and an error of the program followed\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 5: the root cause")

assert "pin" not in got and "late" not in got[:3], told(
    "the later error is a consequence: cuInit had failed before")
assert got[3] == "driver", told(
    "any cuInit error but CUDA_ERROR_NO_DEVICE is the driver's, not only number 303")
assert got == right, told("look at cuInit first, then at what nvidia-smi lists")

# %% [markdown] exercise="own_words"
# ### Exercise 6 · In your own words
#
# A colleague has a host with two cards; the second is free. In the first cell of his notebook he lists TensorFlow's devices. In
# the third stands `os.environ["CUDA_VISIBLE_DEVICES"] = "1"`, and then `with tf.device("/gpu:1"):`. "And still `nvidia-smi` shows
# my program's memory on the first card. So masks do not work." Explain in four to seven sentences what happens, name both mistakes, and say how to do it right.

# %% [markdown] written="own_words" points=3
# ### BEGIN SOLUTION
# The mask is read once, when the driver starts, and that was in an earlier cell. Behind the mask the card is /gpu:0.
# ### END SOLUTION

# %% [markdown] model="own_words"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# The driver reads the mask **once, when it starts**, and TensorFlow starts it when it first looks for devices. The first cell
# looked, so the third cell changes nothing in this process (only in children
# that it starts later). TensorFlow sees both cards, takes memory on both, and runs ops without a pin on `/gpu:0`, the first card.
# The pin `/gpu:1` happens to mean the second card as long as the mask does not work.
# The second mistake would show once the first is mended: **behind the mask "1" there is one card, and its name is
# `/gpu:0`**. The pin to `/gpu:1` then fails, or, with soft placement, is dropped without a word. Right: set the mask before the
# process starts (in the shell before `jupyter lab`, in the launcher, or at the least in the first cell before anything of TensorFlow), and
# pin to `/gpu:0` or not at all. To see which card it is, look at the PCI bus id in the start-up log.
#
# One point each: the mask is read once at the start of the driver, so it came too late; behind it the card is `/gpu:0`, so the pin
# is wrong; how to do it right.
# </details>
