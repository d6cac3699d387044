# %% [markdown] minutes=110 exercises=55 gives="say which card `/gpu:0` is behind a mask, give each process its own card, read a start-up log" after="01"
# # Lesson 02 · Visible devices
#
# Your group shares a host with two cards. The second one is yours, so your notebook says
# `CUDA_VISIBLE_DEVICES=1`. An hour later a colleague's job on the first card dies: out of memory. Your program is on
# *his* card, next to his. Nothing complained, neither NVIDIA's driver nor TensorFlow. Which card did your program get,
# who decided that, and where could you have read it before he did?
#
# After this lesson you can
#
# 1. say which card of a host a process really uses, wherever its settings come from: a shell, a notebook, a
#    container, a queue of jobs;
# 2. start several processes on shared hosts so that each has a card of its own;
# 3. read the lines that TensorFlow writes when it starts, and say why a card is missing.
#
# **Hardware:** CPU only. You start real processes and look at what they receive. What an NVIDIA driver makes of it is
# told by its documented rules; cells marked *GPU extra* ask a real driver, if there is one, and are never graded.

# %% include="quiet_start.py" devices=2 hide_gpus=False

# %% include="checks.py stand_in_cards.py host_picture.py mask_widget.py two_card_log.py"

# %% [markdown]
# ## The idea in one picture
#
# ![Three steps from left to right. A host holds the cards 0, 1 and 2. The mask of a process, CUDA_VISIBLE_DEVICES=2,0, lets card 2 and card 0 through and numbers them anew: 0 and 1. TensorFlow's own list, "1", counts behind the mask and lets number 1 through, which is card 0. The program then calls card 0 /gpu:0.](assets/02_mask_and_list.svg)
#
# A *card* is a GPU in a host. Two filters lie between a host's cards and TensorFlow's name `/gpu:0`. The first is the
# **mask**: the environment variable `CUDA_VISIBLE_DEVICES`. NVIDIA's driver reads it, once for each process. The second
# is **TensorFlow's own list**. Each filter *renumbers*: it counts what it lets through from 0 again. So `/gpu:0` is a
# different card in different processes.
#
# ## Sitting 1 · Masks
#
# ## 1 A mask belongs to a process
#
# Every process has an *environment*: names with values. A new process gets a **copy** of the environment of the
# process that starts it, or one that the starter puts together. So you set a mask for a child when you start it:

# %% grading="skip"
import os
import subprocess
import sys

code = "import os; print('the child has', os.environ.get('CUDA_VISIBLE_DEVICES'))"
environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "1"}
command = [sys.executable, "-c", code]
child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
print(child.stdout, end="")
print("this notebook has", os.environ.get("CUDA_VISIBLE_DEVICES"))

# %% [markdown]
# The mask of the child is not the notebook's. (`None` means: no mask is set.) In a shell you write the same before the
# command: `CUDA_VISIBLE_DEVICES=1 python train.py`.
#
# From here on `child_says` starts such a child and returns what it prints.

# %% grading="skip"
def child_says(*arguments, mask=None):
    """What a new Python prints; without a mask its environment is a plain copy of ours."""
    environment = dict(os.environ)
    if mask is not None:
        environment["CUDA_VISIBLE_DEVICES"] = mask
    command = [sys.executable, *arguments]
    child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    return child.stdout.strip()

print(child_says("-c", code, mask="2,0"))

# %% [markdown]
# Copies go one way. First a child changes its own mask. Then the notebook changes its own, while one child runs already
# and another starts later:

# %% grading="skip"
before = os.environ.get("CUDA_VISIBLE_DEVICES")
changes_its_own = "import os; os.environ['CUDA_VISIBLE_DEVICES'] = '5'; print('child sets 5')"
print(child_says("-c", changes_its_own))
print("notebook unchanged:", os.environ.get("CUDA_VISIBLE_DEVICES") == before)

# %% grading="skip"
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
# This child is started now, but waits for a line before it looks at its mask.
waiting = subprocess.Popen([sys.executable, "-c", f"input(); {code}"], **pipes)
try:
    os.environ["CUDA_VISIBLE_DEVICES"] = "6"
    print("started later:  ", child_says("-c", code))
    print("started earlier:", waiting.communicate("the line\n", timeout=60)[0].strip())
finally:
    waiting.kill()  # does nothing to a process that has ended
    del os.environ["CUDA_VISIBLE_DEVICES"]
    if before is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = before

# %% [markdown]
# Copies go **down, at the start**, and never up or sideways. A child cannot change its parent. And a notebook that writes
# to `os.environ` sets the mask of *every* child that it starts from then on. That is why launchers build one environment
# for each child and leave their own alone.
#
# ## 2 A mask renumbers
#
# The driver numbers the cards of a host 0, 1, 2. A mask lists the numbers that the process may see. Their **order
# counts**: the first in the mask becomes `/gpu:0`. By hand, for a host of three cards:

# %% predict="renumber"
# Predict: with the mask "2,0", which card is /gpu:0? Write 0, 1 or 2.
gpu_0_is = ...

# %% grading="skip"
cards = ["card 0", "card 1", "card 2"]
for mask in ("1", "0,2", "2,0"):
    seen = [cards[int(entry)] for entry in mask.split(",")]
    print(f"{mask:4}", {f"/gpu:{i}": card for i, card in enumerate(seen)})
compare_prediction(
    "card behind the mask 2,0", gpu_0_is, 2, "the mask's first entry becomes /gpu:0"
)

# %% grading="skip"
pictured = {}
for mask in ("1", "2,0"):
    pictured[f"mask {mask}"] = [cards[int(entry)] for entry in mask.split(",")]
draw_host(pictured)

# %% [markdown]
# `/gpu:0` is card 1 in one process and card 2 in the other. **Behind a mask, the name `/gpu:0` exists if any card does.**
# The program need not know which card it got.
#
# The rules, for a host of three cards:
#
# | mask | the process sees | because |
# | --- | --- | --- |
# | not set | cards 0, 1, 2 | no mask, no filter |
# | empty: `CUDA_VISIBLE_DEVICES=` | none | an empty list is a list |
# | `-1` | none | no card has this number: an invalid entry |
# | `1` | card 1 as `/gpu:0` | one entry, one card |
# | `2,0` | card 2 as `/gpu:0`, card 0 as `/gpu:1` | order counts |
# | `0,7,1` | card 0 | **the first invalid entry ends the list**: what comes after it is lost, without a word |
# | `7,0` | none | the same: the list ends before it began |
#
# These are the rules of NVIDIA's
# [CUDA Programming Guide](https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html).
# It does not say what happens if a card is named twice, so do not do that. A real driver, on a host with **one** card:
#
# {{gpu record: mask '0,7' | mask '7,0' | mask '0,0'}}
#
# The 7 ended the list, after the card or before it. The card that was named twice hid itself, with another error.
#
# **Change it:** in the loop above, add the mask `"0,7,1"`. `cards[7]` is an error in Python; the driver only ends its
# list. What do you have to write so that the loop does the same?

# %% [markdown] exercise="visible"
# ### Exercise 1 · Read a mask
#
# Write `visible(mask, uuids)`: the host's numbers of the cards that a process sees {#1}, in the order of its `/gpu:0`,
# `/gpu:1`, … {#2}
#
# * `uuids` lists the names of the host's cards (section 3 says more): the card with `uuids[0]` has the number 0.
# * `mask` is the text of `CUDA_VISIBLE_DEVICES`, or `None` if it is not set: then all cards are visible {#3}.
# * Entries are separated by commas {#4}. Spaces around an entry do not count {#5}. An entry is a card's number {#6}, or
#   the beginning of a UUID (or all of it) {#7} if just one card's UUID begins so {#8}. No card is named twice.
# * The first entry that is none of this ends the list: it and all entries after it show nothing, those before it
#   still count {#9}. An empty entry is none of this {#10}.
#
# Example: on a host with three cards, `visible("2,0", uuids)` is `[2, 0]`, and `visible("0,7,1", uuids)` is `[0]`.

# %% solution="visible" kind="model"
def visible(mask, uuids):
    """Say which cards a process sees.

    Args:
        mask: str, the value of CUDA_VISIBLE_DEVICES, or None if it is not set.
        uuids: list of str such as "GPU-5a8f27c1", each card's UUID, in the driver's order.
    Returns:
        list of int, the host's number of each visible card; the first is /gpu:0.
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

# %% check="visible-order" points=2 title="Cards come in the mask's order"
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
masks = ["2,0", "1", "1,2,0"]
got = [visible(mask, list(uuids)) for mask in masks]
right = [[2, 0], [1], [1, 2, 0]]
told = Told(asked=f"masks {masks} on a host of three cards", got=got, expected=right,
            reread="section 2, A mask renumbers")
assert all(type(seen) is list for seen in got), told("the result is not a list")
assert not any(type(number) is str for seen in got for number in seen), told(
    "the result holds text; a card's number, such as 2, is asked for")
assert got != [sorted(seen) for seen in right], told(
    "the cards are sorted; the mask's order is the order of /gpu:i")
assert got != [[0, 1], [0], [0, 1, 2]], told(
    "these are the new numbers, those of /gpu:i; the host's number of each card is asked for")
assert got == right, told()

# %% check="visible-none" points=1 title="No mask, an empty mask, and -1"
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
got = [visible(mask, list(uuids)) for mask in (None, "", "-1")]
right = [[0, 1, 2], [], []]
told = Told(asked="the masks None (not set), '' and '-1' on a host of three cards", got=got,
            expected=right, reread="section 2, A mask renumbers")
assert got[0] != [], told("without a mask, all cards are visible")
assert got[1] != [0, 1, 2], told("an empty mask is a mask: it hides all; only None shows all")
assert got[2] != [2], told("-1 is Python's last element, but no card's number")
assert got[2] != [-1], told("-1 is no card's number: it ends the list")
assert got == right, told()

# %% check="visible-ends" points=1 title="The first invalid entry ends the list"
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]
masks = ["0,7,1", "3,0", "2,-1,1"]
got = [visible(mask, list(uuids)) for mask in masks]
right = [[0], [], [2]]
told = Told(asked=f"masks {masks} on a host of three cards", got=got, expected=right,
            reread="section 2, A mask renumbers")
assert got != [[0, 1], [0], [2, 1]], told("the invalid entry is skipped; it ends the list")
assert got != [[], [], []], told("what comes before the invalid entry stays visible")
assert got[1][:1] != [3], told("three cards have the numbers 0, 1 and 2; there is no card 3")
assert got == right, told()

# %% hidden="visible-uuid" points=2 title="Beginnings of UUIDs"
for _ in range(3):
    first, second = draw.sample("abcdef", 2)
    tail = f"{draw.randrange(16**5):05x}"
    uuids = [f"GPU-{first}1{tail}", f"GPU-{second}0{tail}", f"GPU-{first}2{tail}",
             f"GPU-{second}9{tail}"]
    asked = [f"GPU-{second}9,GPU-{first}1", f"{uuids[2]},GPU-{first},GPU-{second}0",
             f"GPU-{second}0,GPU-{first}7,GPU-{first}2", f"{uuids[1]}f",
             f"{first}1{tail}"]
    got = [visible(mask, list(uuids)) for mask in asked]
    right = [[3, 0], [2], [1], [], []]
    told = Told(asked=f"masks {asked}, UUIDs {uuids}", got=got, expected=right,
                reread="section 3, Numbers that move, names that stay")
    assert got[0] != [], told("the beginning of a UUID names its card, if only one card fits")
    assert got[0] != [3, 0] or got[1:3] != [[], []], told("what comes before the invalid entry stays visible")
    assert got[1][:1] != [2] or len(got[1]) < 2, told(
        f"an entry that fits two cards, as GPU-{first} does, is invalid and ends the list")
    assert got[4] != [0], told(
        "a part from the middle of a UUID names no card: the entry must be its beginning")
    assert got == right, told()

# %% hidden="visible-hosts" points=2 title="Other hosts and other ways to write a mask"
twelve = [f"GPU-{number:08x}" for number in draw.sample(range(16**7, 16**8), 12)]
high, low = draw.sample([10, 11], 1)[0], draw.randrange(2, 10)
asked = [(f"{high},{low},0", 12), ("12,0", 12), (f"  {low} , {high}", 12), (f"{low},,0", 12), ("0", 1),
         ("1", 1), ("", 1), ("0,", 1), (f"{low},{high}", high)]
got = [visible(mask, twelve[:count]) for mask, count in asked]
right = [reference.visible(mask, twelve[:count]) for mask, count in asked]
told = Told(asked=f"masks and numbers of cards in the host: {asked}", got=got, expected=right,
            reread="the text of exercise 1")
assert got[0] != [int(digit) for digit in asked[0][0].replace(",", "")], told(
    "a number may have two digits: split at the commas")
assert 12 not in got[1], told("twelve cards have the numbers 0 to 11")
assert got[1] != [0], told("the invalid entry is skipped; it ends the list")
assert got[2] == right[2] or got[0] != right[0], told("spaces around an entry do not count")
assert got[3] != [], told("what comes before the invalid entry stays visible")
assert got[3] != [low, 0], told("an empty entry between two commas is invalid and ends the list")
assert got[6] == [] or got[7] != [0], told("an empty mask is a mask: it hides all")
assert got[6] == [] and got[7] != [0, 0], told("an empty entry names no card, not even the only one")
assert got == right, told()

# %% [markdown]
# ## 3 Numbers that move, names that stay
#
# Who says which card is number 0? Another variable, `CUDA_DEVICE_ORDER`:
#
# | value | card 0 is |
# | --- | --- |
# | `FASTEST_FIRST`, the default | the fastest, as the driver guesses |
# | `PCI_BUS_ID` | the one in the lowest slot (the lowest *PCI bus id*, the address of a slot) |
#
# The tool `nvidia-smi`, which comes with the driver, always counts by PCI bus id. So if a host has two kinds of cards,
# `nvidia-smi`'s number 0 need not be the mask's. Take a host with a small card in the first slot:

# %% grading="skip"
host = [("01:00.0", "small card", 8), ("41:00.0", "large card", 80)]  # bus id, name, speed
by_slot = sorted(host)
by_speed = sorted(host, key=lambda card: -card[2])
print("nvidia-smi lists first:                        ", by_slot[0][1])
print("mask 0 with CUDA_DEVICE_ORDER=PCI_BUS_ID shows:", by_slot[0][1])
print("mask 0 without it shows:                       ", by_speed[0][1])

# %% [markdown]
# With unlike cards, set `CUDA_DEVICE_ORDER=PCI_BUS_ID` next to every mask. Or use **names that do not move**. Each card
# has a UUID, which `nvidia-smi -L` lists. A mask may hold UUIDs, and also their *beginnings*, if only one card fits:

# %% grading="skip"
uuids = ["GPU-5a8f27c1", "GPU-5a91d3e0", "GPU-c07e4b92"]  # shortened: real ones have 32 digits
for name in ("GPU-c0", "GPU-5a9", "GPU-5a", "GPU-77"):
    fits = [number for number, uuid in enumerate(uuids) if uuid.startswith(name)]
    verdict = "one card" if len(fits) == 1 else "not one card: invalid, the list ends here"
    print(f"{name:8} fits {fits}: {verdict}")

# %% [markdown]
# Large cards can be cut into parts that look like cards of their own: *multi-instance GPU*, MIG. A part has its own UUID,
# which begins with `MIG-`, and the mask names the part by it:
# `CUDA_VISIBLE_DEVICES=MIG-3c1f9a52-7e04-5b6d-9a11-0c2f5e8d7b46`. CUDA uses only **one** part per process, so one process
# for each part is the rule ([NVIDIA's MIG guide](https://docs.nvidia.com/datacenter/tesla/mig-user-guide/)).
#
# ## 4 Read once, when the driver starts
#
# The driver looks at the mask when a program starts it, by a call named `cuInit`, and never again. When does TensorFlow
# make that call? Here is a program that tells, with all of TensorFlow's messages on:

# %%
%%writefile when.py
import os

import tensorflow as tf

print("-- imported", flush=True)
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
print("-- mask -1 set; first look:", flush=True)
print("-- GPUs:", len(tf.config.list_physical_devices("GPU")), flush=True)
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
print("-- mask 0 set; second look:", flush=True)
print("-- GPUs:", len(tf.config.list_physical_devices("GPU")), flush=True)

# %% predict="when"
# Predict: when is cuInit called? At "import", at "first look", or at "second look"?
starts_at = "..."

# %% grading="skip"
print("Starting a second Python with TensorFlow: this takes some seconds.", flush=True)
loud = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"}
child = subprocess.run([sys.executable, "when.py"], stdout=subprocess.PIPE, env=loud,
                       stderr=subprocess.STDOUT, text=True, timeout=120)
for line in child.stdout.splitlines():
    if line.startswith("--") or "cuInit" in line:
        print(line.split("] ")[-1])
compare_prediction("driver started at", starts_at, "first look",
                   "importing TensorFlow does not look for devices; listing them does")

# %% [markdown]
# The line `failed call to cuInit` appears at the **first look**. (It says that starting failed, since there is no driver
# here. With a GPU the script counts `GPUs: 0` twice: the mask `-1` came in time, the mask `0` too late. TensorFlow for
# macOS and Windows never tries, so there the line is missing.)
#
# So there is a gap between `import tensorflow` and the first look in which `os.environ` still counts. Do not build on
# it: another library may look first. The rule that always holds: **the mask is there before the process starts.** In this
# notebook the folded cell *Quiet start* looked. What you write to `os.environ` now changes nothing *here*.

# %% [markdown] exercise="observe"
# ### Exercise 2 · Launch and look
#
# Write `observe(program, masks)`: start a real process for each mask {#1}, and return what each printed.
#
# * `program` is Python source, as text. Run it as in section 1: `sys.executable` with `-c`.
# * `masks` is a list. A text becomes the child's `CUDA_VISIBLE_DEVICES` {#2}, an empty text too {#3}. `None` leaves the
#   environment as it is: a plain copy of the notebook's {#4}. In all else, every child's environment is a copy of the
#   notebook's {#5}.
# * The notebook's own environment is the same before, during and after, even if a child cannot be started {#6}.
# * Start **all** children before you wait for the first: in a cluster they wait for each other {#7}.
#
# Return a list of texts, in the order of `masks` {#8}: what each child printed to stdout, not to stderr {#9}, without
# spaces and line ends around it {#10}; also of a child that ended with an error {#11}.
#
# Example: with a program that prints its mask, `observe(program, ["1", "2,0"])` is `["1", "2,0"]`.

# %% solution="observe" kind="process"
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
        pipe = subprocess.PIPE
        children.append(subprocess.Popen(command, env=environment, stdout=pipe, text=True))
    return [child.communicate()[0].strip() for child in children]
    ### END SOLUTION

def changed_while(program, masks):
    """Given, for the checks: what differs in the notebook's environment while observe starts a child."""
    before, changed = dict(os.environ), set()
    start = subprocess.Popen.__init__

    def note_and_start(self, *arguments, **options):
        now = dict(os.environ)
        changed.update(name for name in {*before, *now} if before.get(name) != now.get(name))
        start(self, *arguments, **options)

    subprocess.Popen.__init__ = note_and_start
    try:
        observe(program, masks)
    finally:
        subprocess.Popen.__init__ = start
    return sorted(changed)

# %% try="observe"
show_mask = "import os; print(os.environ.get('CUDA_VISIBLE_DEVICES'))"
try:
    print(observe(show_mask, ["1", "2,0", "", None]))
except NotImplementedError as error:
    print(error)

# %% check="observe-masks" points=2 title="Each child sees its own mask"
program = "import os; print('\\n  saw', repr(os.environ.get('CUDA_VISIBLE_DEVICES')))"
masks = ["1", "2,0", "", "GPU-5a9"]
got = observe(program, list(masks))
right = [f"saw {mask!r}" for mask in masks]
told = Told(asked=f"observe(a program that prints its mask, {masks})", got=got, expected=right,
            reread="section 1, A mask belongs to a process")
assert type(got) is list and all(type(text) is str for text in got), told(
    "the result is not a list of texts; with text=True a child's output is text")
assert got != masks, told("these are the masks themselves: return what the children print")
assert got == [text.strip() for text in got], told(
    "strip each text, at both ends: here spaces come first, and a line end last")
assert got != [right[-1]] * 4, told("all children saw the last mask: each needs its own environment")
assert sorted(got) != sorted(right) or got == right, told("the texts are not in the order of masks")
assert len(set(got)) > 1, told("the mask does not reach the children: pass env= when you start each")
assert got[2] == right[2] or got[:2] != right[:2], told(
    "an empty mask was taken for no mask: the empty text is a value, too")
assert got == right, told()

# %% check="observe-environment" points=1 title="All else is a copy of the notebook's environment"
import secrets

mark = secrets.token_hex(4)
program = f"import os; print('{mark}', sorted(set(os.environ) - {{'CUDA_VISIBLE_DEVICES', 'LC_CTYPE'}}))"
got = observe(program, [None, "0"])
shown = [str(text)[:100] for text in got] if type(got) is list else got
told = Told(asked="the names in the environments of a child without a mask, and of one with a mask",
            got=shown, expected="twice the names in the notebook's environment",
            reread="section 11, Break it and diagnose it")
assert type(got) is list and len(got) == 2 and all(type(text) is str for text in got), told(
    "the result is not a list of two texts")
assert all(text.strip().startswith(mark) for text in got), told("this is not what the children print")
assert got[1].strip() != f"{mark} []", told(
    "the environment holds the mask and nothing else: begin with a copy of os.environ")
assert got[0] == got[1] and got[0].count(",") > 1, told()
program = "import os; print(any(map(os.path.isdir, os.environ['PATH'].split(os.pathsep))))"
found = [text.strip() for text in observe(program, [None, "0"])] if "'PATH'" in got[0] else ["True"] * 2
told = Told(asked="whether PATH names folders that exist, in a child without a mask and in one with a mask",
            got=found, expected=["True", "True"], reread="section 11, Break it and diagnose it")
assert found == ["True", "True"], told(
    "the names of the variables are there, but not their values: copy both from os.environ")

# %% hidden="observe-own" points=2 title="The notebook's own environment stays as it is"
# The notebook has the mask -1 here, as when graded. A program with a null character cannot be started.
import os

first, second = draw.sample(range(3, 90), 2)
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
    got = observe(noisy, [str(first), None, str(second)])
    after = observe(program, [None])
    try:
        observe("\0", ["7"])
    except Exception:
        pass
    at_last = observe(program, [None])
    changed = changed_while(program, [str(first), None])
finally:
    os.environ.update({} if mine is None else {"CUDA_VISIBLE_DEVICES": mine})
    if mine is None:
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
right = [f"saw '{first}'", *before, f"saw '{second}'"] if type(before) is list else "a list of texts"
told = Told(asked=f"observe(a program that prints its mask, ['{first}', None, '{second}']), then [None], "
                  "then [None] again, after a program that cannot be started",
            got=f"{got}, then {after}, then {at_last}", expected=f"{right}, then twice {before}",
            reread="section 1, A mask belongs to a process")
assert type(got) is list and len(got) == 3 and type(after) is list, told(
    "the result is not a list with a text for each mask")
assert after == before, told(
    "the notebook's own mask was changed, and every later child has it: leave os.environ alone")
assert before != ["saw None"], told("the mask was taken away: None means that nothing is changed")
assert before != ["saw 'None'"], told("None became the text 'None': a mask that fits no card")
assert before != ["saw ''"], told(
    "None became an empty mask, which hides all cards (or does this notebook itself have one?)")
assert got[1] not in (f"saw '{first}'", "saw ''"), told(
    "None means that nothing is changed; this child has a mask that was not meant for it")
assert "a warning" not in str(got), told("what the child wrote to stderr is in its text")
assert at_last == before, told(
    "after a program that could not be started, the notebook has its mask: leave os.environ alone")
assert got == right, told()
told.asked = "what differs in the notebook's own environment while observe starts children"
told.got, told.expected = changed, []
assert not changed, told(
    "it is changed for each start and put back after it; whatever else starts then gets it, too: pass env=")

# %% hidden="observe-processes" points=1 title="A process for each mask"
# The program ends with an exit code other than 0, as after an error.
word = draw.choice(["green", "blue", "grey", "orange"]) + str(draw.randint(100, 999))
program = f"""
import os, sys
inside = "ipykernel" in sys.modules
print(os.getpid(), inside, {word[::-1]!r}[::-1])
inside or sys.exit(3)
"""
got = observe(program, ["0", "0", "1"])
told = Told(asked=f"observe(a program that prints its number and {word!r}, ['0', '0', '1'])", got=got,
            expected="three different process numbers, none of them the notebook's own",
            reread="section 1, A mask belongs to a process")
assert type(got) is list and all(type(text) is str for text in got), told(
    "the result is not a list of texts")
assert len(got) == 3, told("two equal masks are two children: a text for each entry of masks")
assert not any("True" in text for text in got), told(
    "the program ran inside the notebook: start a new Python for it")
assert all(word in text for text in got), told("a text is not what the program printed")
assert len({text.split()[0] for text in got if text.split()}) == 3, told()

# %% hidden="observe-together" points=1 title="All children run at the same time"
# Children that wait for each other, as tasks of a cluster do, by a file for each.
import secrets

name = f"course_observe_{secrets.token_hex(8)}"
word = draw.choice(["green", "blue", "grey", "orange"]) + str(draw.randint(100, 999))
count = draw.choice([2, 3])
program = f"""
import os, tempfile, time
folder = os.path.join(tempfile.gettempdir(), {name!r})
os.makedirs(folder, exist_ok=True)
open(os.path.join(folder, str(os.getpid())), "w").close()
end = time.monotonic() + 10
while len(os.listdir(folder)) < {count} and time.monotonic() < end:
    time.sleep(0.02)
print({word!r}, *sorted(os.listdir(folder)))
"""
tidy = f"import os, shutil, tempfile; shutil.rmtree(os.path.join(tempfile.gettempdir(), {name!r}), True)"
try:
    got = observe(program, [str(mask) for mask in range(count)])
finally:
    observe(tidy, [None])
seen = [str(text).split() for text in got] if type(got) is list else []
told = Told(asked=f"{count} children, each of which waits for the others and prints {word!r} "
                  "and the process numbers of those that are there",
            got=got, expected=f"{count} times the same text: {word!r} and {count} numbers",
            reread="section 8, One process per card")
assert [len(words) for words in seen] != list(range(2, count + 2)), told(
    "the first child was waited for before the second was started: start all, then wait")
assert len(seen) == count and seen == count * seen[:1], told()
assert seen[0][:1] == [word] and len(set(seen[0][1:])) == count, told()

# %% [markdown]
# ## 5 Who sets the mask today
#
# Few people type a mask in a shell. These are the places where a program's cards are chosen in 2026:
#
# | you start your program | where its cards are chosen | what the program finds |
# | --- | --- | --- |
# | in a notebook | in the environment of `jupyter lab`; or for one kind of kernel: `"env": {"CUDA_VISIBLE_DEVICES": "1"}` in its `kernel.json` ([Jupyter](https://jupyter-client.readthedocs.io/en/stable/kernels.html#kernel-specs)) | that mask |
# | in a container | `docker run --gpus '"device=2,3"'`, or the variable `NVIDIA_VISIBLE_DEVICES` ([NVIDIA](https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html)) | only these cards exist inside, numbered from 0; no mask |
# | in a Kubernetes pod | `resources: {limits: {nvidia.com/gpu: 1}}`; the cluster chooses the card ([Kubernetes](https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/)) | a container, often with `NVIDIA_VISIBLE_DEVICES=GPU-…` |
# | as a Slurm job | `srun --gpus-per-task=1`; Slurm chooses the card ([Slurm](https://slurm.schedmd.com/gres.html)) | a mask; the host's numbers in `SLURM_JOB_GPUS` |
# | in your own program | `tf.config.set_visible_devices`, section 6 | – |
#
# (*Slurm* is a queue of jobs for the hosts of a computing centre; *Kubernetes* places containers on the hosts of a
# cluster.)
#
# The important difference: a mask **hides** cards, and a process may change its own. A container, or a Slurm job whose
# devices are closed off (`ConstrainDevices=yes`), is a **wall**: other cards do not exist for it. Behind the wall the
# cards are numbered from 0 again, in the host's order, and a mask counts *those* numbers. Here is an invented example, as
# the variables of a job would be that Slurm gave the cards 2 and 3 of a host. Its own script made the mask:

# %% grading="skip"
job_environment = """SLURM_JOB_ID=48213
SLURM_JOB_GPUS=2,3
SLURM_LOCALID=0
CUDA_VISIBLE_DEVICES=1"""
job = dict(line.split("=", 1) for line in job_environment.splitlines())
behind_the_wall = job["SLURM_JOB_GPUS"].split(",")
number = int(job["CUDA_VISIBLE_DEVICES"])
print("the mask", number, "shows card", behind_the_wall[number], "of the host")

# %% [markdown]
# Not card 1, which belongs to somebody else's job, but card 3. (`SLURM_JOB_GPUS` has the host's numbers, and
# `SLURM_LOCALID` counts the processes of a job on one host.)

# %% [markdown] exercise="host_cards"
# ### Exercise 3 · Which cards of the host are these?
#
# Somebody sends you the environment of a program and the host's `nvidia-smi -L`. Write
# `host_cards(place, environment, listed)`: the UUIDs of the cards that the program uses, in the order of its `/gpu:0`,
# `/gpu:1`, … {#1}
#
# * `environment` is what `env` prints: a line `NAME=value` for each variable {#2}.
# * `listed` is what `nvidia-smi -L` prints on the host: lines like
#   `GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5a8f27c1-…)`, by the host's numbers {#3}.
# * `place` says what the wall is:
#   * `"host"`: there is none. All cards are there {#4}.
#   * `"container"`: `NVIDIA_VISIBLE_DEVICES` chooses: `all` cards {#5}; or the host's numbers {#6}, or whole UUIDs {#7},
#     separated by commas; or none of them if it says `none` or `void`, is empty or is not set {#8}.
#   * `"slurm"`: `SLURM_JOB_GPUS` chooses, by the host's numbers {#9}; if it is empty or not set, the job has no card {#12}.
# * Behind a wall, the chosen cards are numbered from 0 **in the host's order**, whatever the order of the choice {#10}.
#   `CUDA_VISIBLE_DEVICES`, if it is set, then counts those numbers {#11}, by the rules of exercise 1. Without a wall it
#   counts the host's. Here it never holds UUIDs, only numbers.
#
# You may use your `visible`. Example: with `NVIDIA_VISIBLE_DEVICES=3,1` and `CUDA_VISIBLE_DEVICES=1` in a container, the
# program sees the host's card 3: cards 1 and 3 are numbers 0 and 1 there.

# %% solution="host_cards" kind="log"
def host_cards(place, environment, listed):
    """Say which cards of the host a program uses.

    Args:
        place: "host", "container" or "slurm": which variable is the wall.
        environment: str, lines NAME=value.
        listed: str, the lines of nvidia-smi -L on the host.
    Returns:
        list of str, the UUID of each card; the first is /gpu:0.
    """
    ### BEGIN SOLUTION
    variables = dict(line.split("=", 1) for line in environment.splitlines() if "=" in line)
    lines = [line for line in listed.splitlines() if "UUID: " in line]
    cards = [line.split("UUID: ")[1].rstrip(") ") for line in lines]
    name = {"container": "NVIDIA_VISIBLE_DEVICES", "slurm": "SLURM_JOB_GPUS"}.get(place)
    chosen = variables.get(name, "")
    if name and chosen != "all":
        wanted = [entry.strip() for entry in chosen.split(",")]
        named = [str(number) in wanted or uuid in wanted for number, uuid in enumerate(cards)]
        cards = [uuid for uuid, is_named in zip(cards, named) if is_named]
    mask = variables.get("CUDA_VISIBLE_DEVICES")
    if mask is None:
        return cards
    seen = []
    for entry in mask.split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            break
        seen.append(cards[int(entry)])
    return seen
    ### END SOLUTION

# %% try="host_cards"
four_cards = "\n".join(f"GPU {i}: NVIDIA L4 (UUID: GPU-{i}c41)" for i in range(4))
try:
    print(host_cards("container", "NVIDIA_VISIBLE_DEVICES=3,1\nCUDA_VISIBLE_DEVICES=1", four_cards))
    print(host_cards("slurm", job_environment, four_cards))
except NotImplementedError as error:
    print(error)

# %% check="host_cards-container" points=2 title="A container's choice, and a mask behind it"
ends = ["a1", "b2", "c3", "d4"]
listed = "\n".join(f"GPU {i}: NVIDIA L4 (UUID: GPU-{end})" for i, end in enumerate(ends))
environments = ["NVIDIA_VISIBLE_DEVICES=3,1\nCUDA_VISIBLE_DEVICES=1", "NVIDIA_VISIBLE_DEVICES=3,1",
                "NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_VISIBLE_DEVICES=all\nCUDA_VISIBLE_DEVICES=2,0"]
got = [host_cards("container", environment, listed) for environment in environments]
right = [["GPU-d4"], ["GPU-b2", "GPU-d4"], ["GPU-a1", "GPU-b2", "GPU-c3", "GPU-d4"],
         ["GPU-c3", "GPU-a1"]]
told = Told(asked=f"environments in a container: {environments}", got=got, expected=right,
            reread="section 5, Who sets the mask today")
assert all(type(cards) is list for cards in got), told("the result is not a list")
assert all(isinstance(card, str) for cards in got for card in cards), told(
    "numbers of the host came; UUIDs are asked for")
assert not any("UUID" in card for cards in got for card in cards), told(
    "only the UUID is asked for, without the rest of nvidia-smi's line")
assert got[1] != [], told("a container's choice may name the host's numbers")
assert got[0] != got[1], told("the mask behind the wall was not applied")
assert got[0] != ["GPU-b2"] or got[1] == right[1], told(
    "card 3 was named first, but behind the wall cards have the host's order: 1, then 3")
assert got[0] != ["GPU-b2"], told("the mask counts behind the wall, not the host's cards")
assert got[1] != ["GPU-d4", "GPU-b2"], told("the order of the choice does not count, only the host's")
assert got[2] != [], told("all means that every card of the host comes through")
assert got[3] != ["GPU-a1", "GPU-c3"], told("the order of the mask counts")
assert got == right, told()

# %% check="host_cards-slurm" points=1 title="A Slurm job"
ends = ["a1", "b2", "c3", "d4"]
listed = "\n".join(f"GPU {i}: NVIDIA H100 (UUID: GPU-{end})" for i, end in enumerate(ends))
environments = ["SLURM_JOB_ID=48213\nSLURM_JOB_GPUS=2,3\nCUDA_VISIBLE_DEVICES=0,1", "SLURM_JOB_GPUS=1"]
got = [host_cards("slurm", environment, listed) for environment in environments]
right = [["GPU-c3", "GPU-d4"], ["GPU-b2"]]
told = Told(asked=f"environments of Slurm jobs: {environments}", got=got, expected=right,
            reread="section 5, Who sets the mask today")
assert got[0] != ["GPU-a1", "GPU-b2"], told(
    "the mask was read as the host's numbers; the job has the cards 2 and 3, numbered 0 and 1")
assert got == right, told()

# %% hidden="host_cards-host" points=1 title="No wall"
names = [f"GPU-{number:06x}" for number in draw.sample(range(16**5, 16**6), 4)]
listed = "\n".join(f"GPU {i}: A card (UUID: {name})" for i, name in enumerate(names))
one, two = sorted(draw.sample(range(4), 2))
environments = ["HOME=/home/ana", f"NVIDIA_VISIBLE_DEVICES={one}\nSLURM_JOB_GPUS={one}\nHOME=/home/ana",
                f"CUDA_VISIBLE_DEVICES={two},{one}", "CUDA_VISIBLE_DEVICES=",
                f"OLD_CUDA_VISIBLE_DEVICES={one}\nNOTE=CUDA_VISIBLE_DEVICES=2\nPATH=/bin",
                "CUDA_VISIBLE_DEVICES=-1", f"CUDA_VISIBLE_DEVICES={two},-1,{one}"]
got = [host_cards("host", environment, listed) for environment in environments]
right = [reference.host_cards("host", environment, listed) for environment in environments]
told = Told(asked=f"environments on the host itself, cards {names}: {environments}", got=got,
            expected=right, reread="the text of exercise 3")
assert got[0] != [], told("without a wall and a mask, all cards are there")
assert got[2] != names, told("the mask was not applied")
assert got[1] == names or got[0] != names, told(
    "outside of a container and of Slurm, those variables choose nothing")
assert got[3] == [], told("an empty mask hides all cards")
assert got[4] == names or got[0] != names, told(
    "only a line whose whole name is CUDA_VISIBLE_DEVICES sets the mask")
assert got[5] != names[-1:], told("-1 is Python's last element, but no card's number: it ends the list")
assert got == right, told()

# %% hidden="host_cards-choices" points=2 title="Other choices of a container, and a job without a card"
names = [f"GPU-{number:06x}" for number in draw.sample(range(16**5, 16**6), 12)]
listed = "\n".join(f"GPU {i}: A card (UUID: {name})" for i, name in enumerate(names))
few, many = draw.randrange(2, 6), draw.choice([10, 11])
environments = [f"NVIDIA_VISIBLE_DEVICES={names[many]},{names[few]}", f"NVIDIA_VISIBLE_DEVICES={many},{few}",
                "NVIDIA_VISIBLE_DEVICES=none", "NVIDIA_VISIBLE_DEVICES=void", "NVIDIA_VISIBLE_DEVICES=",
                "HOME=/root", f"NVIDIA_VISIBLE_DEVICES={few},{many}\nCUDA_VISIBLE_DEVICES=1,2,0"]
got = [host_cards("container", environment, listed) for environment in environments]
right = [reference.host_cards("container", environment, listed) for environment in environments]
told = Told(asked=f"environments in a container, cards {names}: {environments}", got=got, expected=right,
            reread="the text of exercise 3")
assert got[0] != [], told("a container's choice may name whole UUIDs, too")
assert got[0] != right[0][::-1], told("the chosen cards are numbered in the host's order")
assert got[1] != [], told("a container's choice may name the host's numbers, too")
assert len(got[1]) <= 2, told("numbers may have two digits: split at the commas")
assert got[2:4] == [[], []], told("none and void choose no card")
assert got[4:6] == [[], []], told("a container whose variable is empty or not set has no card")
job = f"SLURM_JOB_GPUS={many},{few}\nCUDA_VISIBLE_DEVICES=1"
ordered = Told(asked=f"a Slurm job, cards {names}: {job!r}", got=host_cards("slurm", job, listed),
               expected=[names[many]], reread="the text of exercise 3")
assert ordered.got != [names[few]], ordered("a job's cards are numbered in the host's order, too")
empty = [host_cards("slurm", environment, listed) for environment in ("SLURM_JOB_GPUS=", "HOME=/root")]
without = Told(asked="Slurm jobs whose SLURM_JOB_GPUS is empty, or not set", got=empty, expected=[[], []],
               reread="the text of exercise 3")
assert empty == [[], []], without("a Slurm job whose variable is empty or not set has no card")
assert got == right, told()
assert ordered.got == ordered.expected, ordered()

# %% [markdown]
# **A good place to stop.** When you come back, click this cell and choose *Run → Run All Above Selected Cell*.
#
# %% [markdown]
# ## Sitting 2 · Choosing inside a program, and reading what happened
#
# ## 6 TensorFlow's own list
#
# A program can filter again. Today's form takes *physical devices*: those that the mask let through. You can see it work
# without a GPU, since it hides CPUs too. This program hides its only CPU:

# %%
%%writefile no_cpu.py
import tensorflow as tf

tf.config.set_visible_devices([], "CPU")
print("physical CPUs:", len(tf.config.list_physical_devices("CPU")))
print("visible CPUs: ", len(tf.config.get_visible_devices("CPU")))
try:
    print(tf.constant(1.0) + 2.0)
except tf.errors.NotFoundError as error:
    print("NotFoundError:", error.message)

# %% grading="skip"
print("Starting another Python with TensorFlow.", flush=True)
print(child_says("no_cpu.py"))

# %% [markdown]
# *Physical* is what the process could have, *visible* what TensorFlow may use. The first list stays. (TensorFlow cannot
# work without a CPU; hiding GPUs is the real use.)
#
# What would this machine say if it had GPUs? The checks behind `tf.config` are Python code of TensorFlow that needs no
# card, only a list of cards. The helper `on_stand_ins` gives it one, with **stand-in cards** that do not exist. (It uses
# a private part of TensorFlow; look into the helpers if you like.) The rules are TensorFlow's; nothing can be computed.

# %% grading="skip"
def last_card_only():
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[-1], "GPU")
    return f"{len(gpus)} physical"

print(on_stand_ins(3, last_card_only))

# %% [markdown]
# Leave the second argument out, and the call is about **all** devices, the CPU too:

# %% grading="skip"
def forgets_the_type():
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[-1:])

print(on_stand_ins(3, forgets_the_type))

# %% [markdown]
# `cpus` is 0 now: this program fails as `no_cpu.py` did.
#
# And the order? `set_visible_devices` accepts `[gpus[2], gpus[0]]`. What TensorFlow makes of it is a list in which the
# mask's order is back:

# %% grading="skip"
def other_order():
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices([gpus[2], gpus[0]], "GPU")

made, gpus = stand_in(3)
with in_charge(made):
    other_order()
print(made.config.gpu_options.visible_device_list)

# %% [markdown]
# To turn the order around, turn the mask around.
#
# That text, `visible_device_list`, is also the **classic form**, a field of a session's configuration:

# %% grading="skip"
v1 = tf.compat.v1
options = v1.GPUOptions(visible_device_list="1,0")
print(v1.ConfigProto(gpu_options=options, device_count={"CPU": 3, "GPU": 2}))

# %% [markdown]
# It lists numbers **behind the mask**: what the mask let through, counted from 0. `device_count` is coarser: at most so
# many of each type, the first ones; `{"GPU": 0}` hides all GPUs from this session. On a machine without a GPU nothing
# reads the list, so nonsense in it is no error. **A test on a laptop says nothing about a list.** With GPUs, TensorFlow
# is strict where the driver is silent:
#
# {{gpu record: lists}}
#
# *GPU extra.* Only the last GPU, in another Python:

# %%
%%writefile last_gpu.py
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[-1:], "GPU")
print(len(gpus), "physical,", len(tf.config.list_logical_devices("GPU")), "logical")

# %% grading="skip"
if tf.config.list_physical_devices("GPU"):
    print(child_says("last_gpu.py"))
else:
    print("No GPU here, so there is nothing to run. Nothing that is graded needs one.")

# %% [markdown] exercise="claim"
# ### Exercise 4 · A card for each process, from inside
#
# `srun --ntasks=4 --gpus=4` starts four processes on a host, and each sees **all** four cards. So each has to choose for
# itself. Write `claim(local_rank, per_process=1)`, the first thing that such a program calls. `local_rank` numbers the
# processes of the host from 0 (Slurm has it in `SLURM_LOCALID`).
#
# * The process with local rank 0 takes the first `per_process` of the physical GPUs, rank 1 the next ones, and so
#   on {#1}. These, and no other GPU, are visible afterwards {#2}. The CPU stays visible {#3}.
# * Switch memory growth on for each card that it takes {#4}: `tf.config.experimental.set_memory_growth(card, True)`.
#   (Its memory is then taken as it is needed; lesson 03.) For no other card {#5}.
# * If there are GPUs, but too few for this rank to get `per_process` cards, raise a `ValueError` {#6}, and leave all
#   settings as they were {#7}.
# * On a machine without any GPU, change nothing and return an empty list: the program shall run there, too {#8}.
#
# Return the names of the cards taken, such as `["/physical_device:GPU:2"]` {#9}. Example: on a host with four cards,
# `claim(1, per_process=2)` takes cards 2 and 3.

# %% solution="claim" kind="today"
def claim(local_rank, per_process=1):
    """Take this process's cards; TensorFlow sees no other GPU from then on.

    Args:
        local_rank: int, the process's number on its host, from 0.
        per_process: int, how many cards each process takes.
    Returns:
        list of str, the names of the cards taken.
    Raises:
        ValueError: there are cards, but not enough for this rank.
    """
    ### BEGIN SOLUTION
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
    ### END SOLUTION

def claimed(cards, local_rank, per_process=1):
    """Given, for the checks: what claim does on a host with `cards` stand-in cards.

    Returns:
        dict: what it returned or which error it raised, the visible GPUs, the number of visible
        CPUs, and the cards with growth.
    """
    return on_stand_ins(cards, claim, local_rank, per_process)

# %% try="claim"
try:
    for rank in (0, 1, 2):
        print(rank, claimed(4, rank, 2))
except NotImplementedError as error:
    print(error)

# %% check="claim-card" points=2 title="Each rank takes its own card"
got = [claimed(4, rank) for rank in (0, 1, 3)]
names = [f"/physical_device:GPU:{i}" for i in range(4)]
right = [[names[0]], [names[1]], [names[3]]]
visible = [told["visible"] for told in got]
told = Told(asked="the GPUs that are visible after claim(0), claim(1) and claim(3), four cards", got=visible,
            expected=right, reread="section 6, TensorFlow's own list")
assert not any(one["error"] for one in got), Told(
    asked="claim(0), claim(1) and claim(3) on a host with four cards", got=[one["error"] for one in got],
    expected="no error", reread="the text of exercise 4")("four processes fit on four cards")
assert visible != [names] * 3, told("all GPUs are still visible: tf.config.set_visible_devices hides them")
assert visible != [[names[0]]] * 3, told("every process takes the first card")
assert visible == right, told()
told.asked, told.got, told.expected = "visible CPUs after claim(0)", got[0]["cpus"], 1
assert got[0]["cpus"] == 1, told("without a type, set_visible_devices is about the CPU too, and hides it")

# %% check="claim-growth" points=1 title="Growth on the card that it takes"
got = claimed(4, 2)
told = Told(asked="the cards with memory growth after claim(2), four cards", got=got["growth"],
            expected=["/physical_device:GPU:2"], reread="the text of exercise 4")
assert got["growth"], told("growth is not switched on")
assert len(got["growth"]) < 4, told(
    "growth is switched on for every card of the host, not only the one taken")
assert got["growth"] == ["/physical_device:GPU:2"], told()

# %% check="claim-returns" points=1 title="It returns the names of its cards"
got = [claimed(4, 1)["returned"], claimed(0, 0)["returned"], claimed(0, 5)["returned"]]
right = [["/physical_device:GPU:1"], [], []]
told = Told(asked="what claim(1) returns with four cards; claim(0) and claim(5) without any", got=got,
            expected=right, reread="the text of exercise 4")
assert got[0] is not None, told("it returns nothing")
assert got[1] is not None and got[2] is not None, told(
    "on a machine without a GPU the program shall run too: return an empty list, raise nothing")
assert got == right, told()

# %% hidden="claim-several" points=2 title="Several cards for each process"
each, ranks = draw.choice([(2, 3), (3, 3), (2, 4)])
cards = each * ranks + 1
rank = draw.randrange(1, ranks)
got = claimed(cards, rank, each)
right = [f"/physical_device:GPU:{rank * each + i}" for i in range(each)]
told = Told(asked=f"claim({rank}, per_process={each}) with {cards} cards: the visible GPUs",
            got=got["visible"], expected=right, reread="the text of exercise 4")
assert not got["error"], told(f"it raised {got['error']}, though there are enough cards")
assert got["visible"] != [f"/physical_device:GPU:{rank + i}" for i in range(each)], told(
    "it begins at the card with the number of the rank; the ranks before it take several cards each")
assert got["visible"] != right[:1], told("it takes one card, whatever per_process says")
assert got["visible"] == right, told()
told.asked, told.got = "the cards with growth", got["growth"]
assert set(got["growth"]) >= set(right), told(
    "each card that it takes needs growth: TensorFlow refuses to start if visible cards differ")
assert got["growth"] == right, told("growth is switched on for a card that it does not take")
told.asked, told.got = "what it returns", got["returned"]
assert got["returned"] == right, told()

# %% hidden="claim-few" points=2 title="Too few cards"
each = draw.choice([2, 3])
cards = 2 * each + 1
names = [f"/physical_device:GPU:{i}" for i in range(cards)]
for rank in (2, 3):
    got = claimed(cards, rank, each)
    told = Told(asked=f"claim({rank}, per_process={each}) with {cards} cards", got=got,
                expected="a ValueError; all GPUs visible as before, none with growth",
                reread="the text of exercise 4")
    assert got["error"] is not None, told(
        f"rank {rank} needs the cards {rank * each} to {rank * each + each - 1}; the host has {cards}")
    assert got["error"] == "ValueError", told(f"it raised {got['error']}; a ValueError is asked for")
    assert got["visible"] == names, told("the cards were hidden before the error was raised")
    assert got["growth"] == [], told("growth was switched on before the error was raised")
last = claimed(cards - 1, 1, each)
assert last["error"] is None, Told(
    asked=f"claim(1, per_process={each}) with {cards - 1} cards", got=last["error"], expected="no error",
    reread="the text of exercise 4")("the last cards of the host may be taken")
bare = claimed(0, rank, each)
assert bare["error"] is None and bare["cpus"] == 1, Told(
    asked=f"claim({rank}, per_process={each}) without any card", got=bare, expected="[], nothing changed",
    reread="the text of exercise 4")("a machine without a GPU is no error")

# %% [markdown]
# ## 7 Mask first, list second
#
# Both filters together. The mask is `2,0`; the list is `1`:

# %% predict="both"
# Predict: which card does the program call /gpu:0? Write 0, 1 or 2.
gpu_0_is = ...

# %% grading="skip"
behind_mask = [2, 0]  # position: the new number
device_list = [1]
seen = [behind_mask[number] for number in device_list]
print("behind the mask:", {f"number {i}": f"card {card}" for i, card in enumerate(behind_mask)})
print("behind the list:", {f"/gpu:{i}": f"card {card}" for i, card in enumerate(seen)})
compare_prediction(
    "card behind mask and list", gpu_0_is, seen[0], "the list counts behind the mask"
)

# %% [markdown]
# Card 1 does not exist for this process. The `1` is the second of what the mask shows: card 0.
#
# | the list | mask | `visible_device_list` | `set_visible_devices` |
# | --- | --- | --- | --- |
# | read by | the driver | TensorFlow | TensorFlow |
# | holds for | all libraries of the process, and its children | this process's TensorFlow | this process's TensorFlow |
# | its entries | numbers of the driver, or UUIDs | numbers behind the mask | devices behind the mask |
# | order counts | yes | yes | no |
# | entry that does not exist | ends the list, silently | error | `ValueError: Unrecognized device` |
# | empty | no card | **all** that the mask shows | no card |
# | too late | after the driver's start: no effect, no message | in a second session: error | `RuntimeError` |
#
# ## 8 One process per card
#
# On a shared host each process should have its own card. Otherwise two programs take the same one, and the second finds
# no memory (lesson 03). Here is a cluster of *parameter servers* (`ps`), which keep variables, and *workers*, which
# compute: 2 ps and 3 workers on two hosts. Host `a` has two cards, host `b` one. Each process, with its mask:

# %% grading="skip"
table = [  # job, index in the job, host, mask
    ("ps", 0, "a", ""),
    ("ps", 1, "b", ""),
    ("worker", 0, "a", "0"),
    ("worker", 1, "a", "1"),
    ("worker", 2, "b", "0"),
]
for job, index, host, mask in table:
    arguments = f"--job_name={job} --task_index={index}"
    print(f"{host}$ CUDA_VISIBLE_DEVICES={mask} python train.py {arguments}")

# %% [markdown]
# Three things to notice:
#
# * **A ps gets a mask that shows no card**: empty, or `-1`. It needs no GPU; without a mask, its TensorFlow would take
#   the memory of all cards.
# * **Masks count on each host anew.** Worker 2 has the mask `0`: the first card of *its* host.
# * **Task indices count through the job**, over all hosts: 0, 1, 2.
#
# Now launch it for real. The program is this file. It asks the CUDA driver itself which cards it sees, by the functions
# of the driver's C library, and needs no TensorFlow:

# %%
%%writefile look.py
import ctypes
import json
import os
import sys

def driver():
    """The CUDA driver's library, or None where there is none."""
    try:
        return ctypes.CDLL("nvcuda" if os.name == "nt" else "libcuda.so.1")
    except OSError:
        return None

# %%
%%writefile -a look.py

def cards(cuda):
    """[[name, PCI bus id], ...] in the order of /gpu:0, /gpu:1, ...; empty if none is visible."""
    count, device = ctypes.c_int(), ctypes.c_int()
    if cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count)):
        return []
    found = []
    for number in range(count.value):
        cuda.cuDeviceGet(ctypes.byref(device), number)
        name, bus = ctypes.create_string_buffer(100), ctypes.create_string_buffer(100)
        cuda.cuDeviceGetName(name, len(name), device)
        cuda.cuDeviceGetPCIBusId(bus, len(bus), device)
        found.append([name.value.decode(), bus.value.decode()])
    return found

# %%
%%writefile -a look.py

cuda = driver()
report = {
    "arguments": sys.argv[1:],
    "mask": os.environ.get("CUDA_VISIBLE_DEVICES"),
    "cards": "no driver" if cuda is None else cards(cuda),
}
print(json.dumps(report))

# %% [markdown]
# Both hosts are your machine, so you see real masks and real processes, but not a second computer. On a machine with
# GPUs, `cards` shows which cards each process really has.

# %% grading="skip"
import json

running = []
for job, index, host, mask in table:
    command = [sys.executable, "look.py", f"--job_name={job}", f"--task_index={index}"]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": mask}
    running.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
for process in running:
    report = json.loads(process.communicate(timeout=60)[0])
    print(process.pid, *report["arguments"], f"mask {report['mask']!r}", report["cards"])

# %% [markdown]
# All five were started before the first was waited for. A launcher that waits for each in turn hangs with a real
# cluster: task 0 waits for the others, and nobody starts them.

# %% grading="skip"
pictured = {}
for job, index, host, mask in table:
    seen = [f"{host}: card {entry}" for entry in mask.split(",") if entry]
    pictured[f"{host} · {job} {index}"] = seen
draw_host(pictured, ["a: card 0", "a: card 1", "b: card 0"])

# %% [markdown]
# Behind its mask, worker 1 has one card, and that is `/gpu:0`. So **every worker's pin ends in `gpu:0`** (a *pin* is the
# device that a program asks for), and they differ in the task. The whole names, as requests in a graph (lesson 07 runs
# such graphs on a cluster):

# %% grading="skip"
with tf.Graph().as_default() as graph:
    for index in range(3):
        with tf.device(f"/job:worker/task:{index}/gpu:0"):
            tf.constant(1.0, name=f"on_worker_{index}")
for op in graph.get_operations():
    print(f"{op.name}: {op.device}")

# %% [markdown]
# **Change it:** give worker 1 the mask `0` in the table, run the table, the launch and the picture again, and find the
# mistake in the picture.

# %% [markdown] exercise="launch"
# ### Exercise 5 · A launch table
#
# Write `launch_plan(hosts, ps, workers)`: a plan for a cluster, one card for each worker.
#
# * `hosts` is a list of `[name, number of cards]`, such as `[["a", 2], ["b", 1]]`. A host may have no card.
# * The `ps` parameter servers are dealt out over the hosts in turn: ps 0 on the first host, ps 1 on the second {#1}, and so on;
#   after the last host comes the first again {#2}. They see no card {#3}: their
#   mask is empty or `-1`.
# * The `workers` take the cards in order: those of the first host, then those of the second, and so on {#4}. Each sees
#   just its own card {#5}, by its number on its host {#6}.
# * With more workers than cards, raise a `ValueError` {#7}.
#
# Return a list with a dict for each process, all ps first {#8}, each job by task index, which counts through the job {#9}:
#
# `{"host": "a", "env": {"CUDA_VISIBLE_DEVICES": "1"}, "argv": ["--job_name=worker", "--task_index=1"], "pin":
# "/job:worker/task:1/device:GPU:0"}`
#
# This is worker 1 of `launch_plan([["a", 2], ["b", 1]], 2, 3)`. All values are text {#10}. `pin` is what the process's
# ops are pinned to: its own GPU, as it is called behind its mask {#11}, or for a ps its `CPU:0` {#12},
# written in the same form: `/job:ps/task:0/device:CPU:0`.

# %% solution="launch" kind="model"
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
             "pin": f"/job:{job}/task:{index}/device:{device}"}
            for job, index, host, mask, device in places]
    ### END SOLUTION

# %% try="launch"
try:
    for process in launch_plan([["a", 2], ["b", 1]], 2, 3):
        print(process["host"], process["env"], *process["argv"], process["pin"])
except NotImplementedError as error:
    print(error)

# %% check="launch-ps" points=2 title="Parameter servers: their hosts, and no card"
got = launch_plan([["a", 2], ["b", 1]], 2, 3)
told = Told(asked="launch_plan([['a', 2], ['b', 1]], 2, 3): hosts and masks of the two ps", got=got,
            expected="hosts a and b; masks that show no card, such as ''",
            reread="section 8, One process per card")
assert type(got) is list and len(got) == 5 and all(isinstance(one, dict) for one in got), told(
    "the result is not a list of five dicts")
assert all({"host", "env", "argv", "pin"} <= set(process) for process in got), told(
    "a dict lacks one of the keys host, env, argv and pin")
assert all(isinstance(process["env"], dict) for process in got), told("env is not a dict")
jobs = ["worker" if "worker" in str(process["argv"]) else "ps" for process in got]
told.got = jobs
assert jobs == ["ps", "ps", "worker", "worker", "worker"], told("the ps do not come first")
masks = [process["env"].get("CUDA_VISIBLE_DEVICES") for process in got[:2]]
told.got = masks
assert None not in masks, told(
    "a ps without a mask sees all cards of its host, and TensorFlow takes their memory")
assert not any(str(mask).split(",")[0].strip() in ("0", "1") for mask in masks), told(
    "a ps holds a card; it needs none")
assert all(type(mask) is str for mask in masks), told("the values of an environment are text: '-1', not -1")
told.got = [process["host"] for process in got[:2]]
assert told.got == ["a", "b"], told("the ps are dealt out over the hosts in turn")

# %% check="launch-masks" points=2 title="Each worker has its own card"
got = launch_plan([["a", 2], ["b", 1]], 2, 3)
right = [["a", "0"], ["a", "1"], ["b", "0"]]
workers = [process for process in got if "worker" in str(process["argv"])]
shown = [[process["host"], process["env"].get("CUDA_VISIBLE_DEVICES")] for process in workers]
told = Told(asked="launch_plan([['a', 2], ['b', 1]], 2, 3): hosts and masks of the three workers", got=shown,
            expected=right, reread="section 8, One process per card")
masks = [mask for _, mask in shown]
assert all(type(mask) is str for mask in masks), told("the values of an environment are text: '1', not 1")
assert masks != ["0", "1", "2"], told("a mask counts the cards of its own host, from 0 on each host")
assert masks != ["0", "0", "0"], told("two workers of one host share its card 0; each needs its own")
assert masks != ["0,1", "0,1", "0"], told("a worker sees all cards of its host, not just its own")
assert [host for host, _ in shown] == ["a", "a", "b"], told(
    "workers take all cards of the first host, then go on to the next host")
assert shown == right, told()

# %% check="launch-argv" points=1 title="Job names and task indices"
got = launch_plan([["a", 2], ["b", 1]], 2, 3)
right = [["--job_name=ps", "--task_index=0"], ["--job_name=ps", "--task_index=1"]]
right += [["--job_name=worker", f"--task_index={index}"] for index in range(3)]
shown = sorted([process["argv"] for process in got], key=lambda argv: "worker" in str(argv))
told = Told(asked="launch_plan([['a', 2], ['b', 1]], 2, 3): the arguments of the five processes", got=shown,
            expected=right, reread="section 8, One process per card")
assert all(isinstance(argv, (list, tuple)) for argv in shown), told(
    "argv is a list with two texts, not one text")
indices = [str(argv[-1]).split("=")[-1] for argv in shown]
assert indices != ["0", "1", "2", "3", "4"], told("each job counts its tasks from 0")
assert indices[2:] != ["0", "1", "0"], told("a task index counts through the job, not anew on each host")
assert [list(argv) for argv in shown] == right, told()

# %% hidden="launch-pins" points=1 title="What each process is pinned to"
import re

ps, workers = draw.randrange(4, 10), draw.randrange(11, 21)
hosts = [[f"host{place}", draw.randrange(5, 8)] for place in range(ps)]  # a ps on each; at least 20 cards
got = launch_plan([list(host) for host in hosts], ps, workers)
shown = sorted(got, key=lambda process: "worker" in str(process["argv"]))
pins = [str(process["pin"]) for process in shown]
right = [f"/job:ps/task:{index}/device:CPU:0" for index in range(ps)]
right += [f"/job:worker/task:{index}/device:GPU:0" for index in range(workers)]
told = Told(asked=f"launch_plan({hosts}, {ps}, {workers}): all pins", got=pins,
            expected=right, reread="section 8, One process per card")
assert not any(pin.startswith("/job:ps") and "GPU" in pin for pin in pins), told(
    "a ps sees no card: its ops are on its CPU:0")
assert not any(pin.endswith(("GPU:1", "GPU:2", "GPU:3")) for pin in pins), told(
    "behind a mask of one card, that card is GPU:0, whatever its number on the host")
if sorted(pins) == sorted(right) and pins != right:
    tasks = [re.findall(r"\d+", str(process["argv"])) for process in shown]
    its_own = [re.findall(r"task:(\d+)", pin) == task for pin, task in zip(pins, tasks)]
    assert all(its_own), told("a process has the pin of another one")
    assert False, told("a job is not in the order of its task indices, as numbers: 2 comes before 10")
assert pins == right, told()

# %% hidden="launch-hosts" points=2 title="Other hosts"
first, last = draw.randrange(2, 4), draw.randrange(3, 5)
hosts = [["x", first], ["y", 0], ["z", last]]
got = launch_plan([list(host) for host in hosts], 4, first + 2)
right = reference.launch_plan(hosts, 4, first + 2)
shown = [[process["host"], process["env"].get("CUDA_VISIBLE_DEVICES")] for process in got]
wanted = [[process["host"], process["env"]["CUDA_VISIBLE_DEVICES"]] for process in right]
told = Told(asked=f"launch_plan({hosts}, 4, {first + 2}): hosts and masks", got=shown, expected=wanted,
            reread="the text of exercise 5")
of_ps = [place for place, process in zip(shown, got) if "worker" not in str(process["argv"])]
of_workers = [place for place, process in zip(shown, got) if "worker" in str(process["argv"])]
assert len(of_ps) == 4, told("there are four ps, though there are three hosts")
assert [host for host, _ in of_ps] == ["x", "y", "z", "x"], told(
    "ps take turns: first host, second, third, and the first again; a host without cards counts")
assert not any(str(mask).split(",")[0].strip().isdecimal() for _, mask in of_ps), told(
    "a number in a ps's mask is a card wherever the host has enough of them: empty or -1 shows none")
assert "y" not in [host for host, _ in of_workers], told("host y has no card, so no worker can be there")
assert of_workers == wanted[4:], told()

# %% hidden="launch-full" points=1 title="More workers than cards"
cards = draw.randrange(2, 5)
asked = [([["a", cards], ["b", 1]], 0, cards + 2), ([["a", 0]], 1, 1), ([["a", cards]], 3, cards)]
got = []
for hosts, ps, workers in asked:
    try:
        got.append(len(launch_plan(hosts, ps, workers)))
    except (ValueError, IndexError) as error:
        got.append(type(error).__name__)
right = ["ValueError", "ValueError", 3 + cards]
told = Told(asked=f"launch_plan with {asked}: an error, or how many processes", got=got, expected=right,
            reread="the text of exercise 5")
assert "IndexError" not in got[:2], told("the cards ran out and Python noticed it first: raise a ValueError")
assert got[:2] == right[:2], told("more workers than cards: two would share a card, or one would have none")
assert got == right, told()

# %% [markdown]
# ## 9 The start-up log of two cards
#
# With GPUs, TensorFlow says at start what it found. This is a real log, of TensorFlow 0.x on a host with two unlike
# cards, a TITAN X and a GTX 970; today's says less. (Its source: the study notes from which this course was made print it.
# Their lines are kept whole in the helper `two_card_log`.) The program ran under the mask `0,1`:

# %% grading="skip"
log = two_card_log("0,1")
for line in log.splitlines()[:19]:
    print(line.removeprefix("I tensorflow/core/common_runtime/gpu/"))

# %% predict="read-log"
# Predict from the log: how many GiB of the second card are free? And do the two cards copy to each
# other directly (write True or False)?
free_gib, direct_copies = ..., ...

# %% grading="skip"
for mask in ("0", "1"):
    last = two_card_log(mask).splitlines()[-1]
    print(f"mask {mask}:", last.split("] ")[1])
compare_prediction("free GiB of the second card", free_gib, 3.88, "of 3.94 in all")
compare_prediction("direct copies", direct_copies, False, "peer access is not supported")

# %% [markdown]
# | line | says here |
# | --- | --- |
# | `Found device 1 with properties` … `pciBusID 0000:05:00.0` | the second card behind the mask, and the slot in which it is |
# | `Free memory: 3.88GiB` of `3.94GiB` | nobody else works on that card. Much less free than in all: somebody does |
# | `Peer access not supported`, and the `N` in the matrix | copies between the two go through the host's memory; `Y` would mean directly. The diagonal says nothing |
# | `Creating TensorFlow device (/gpu:1) -> (device: 1, …)` | the names for your pins. Both numbers are counted *behind the mask* |
#
# Now look at the lines under the masks `0` and `1`. Both say `/gpu:0` and `device: 0`, and yet they are two different
# cards. The log never shows the driver's own number of a card. **Only the PCI bus id, or the UUID, tells which card it is.**
#
# TensorFlow 2 writes one such line for each GPU, and the megabytes are what it may take:
#
# {{gpu record: start-up}}
#
# When no card comes up, these lines tell why:
#
# | in the log of TensorFlow 2.21 | means |
# | --- | --- |
# | `failed call to cuInit: … UNKNOWN ERROR (303)` | the **driver** could not be loaded. So the mask cannot be to blame: nobody read it |
# | `failed call to cuInit: … CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected` | the driver started and shows **no card**: the mask hides all, or there is none |
# | `failed call to cuInit: … CUDA_ERROR_INVALID_DEVICE: invalid device ordinal` | the mask names a card twice (so it was in section 2) |
# | `Could not find cuda drivers on your machine` | says little: it also comes on machines whose driver works. Look for `cuInit` |
#
# `CUDA_ERROR_NO_DEVICE` has two causes. To tell them apart, ask `nvidia-smi -L`. **It ignores the mask** and lists
# every card.
#
# *GPU extra.* Which card is which `/gpu:i` of this notebook? Without a GPU you see the CPU's
# row, and without a driver `no driver`.

# %% grading="skip"
for device in tf.config.list_physical_devices():
    print(device.name, tf.config.experimental.get_device_details(device))
print(json.loads(child_says("look.py"))["cards"])

# %% [markdown]
# ## 10 Move masks over a host
#
# Three processes share a host with three cards. Choose each one's mask, entry by entry, and TensorFlow's list behind it.
# Find masks so that
#
# 1. `a.py` has all three cards, in the order 2, 1, 0;
# 2. no process sees card 0, though none has an empty mask;
# 3. `b.py` ends with an error, and no mask has an invalid entry.
#
# The widget follows the rules of sections 2 and 7; it does not ask a driver.

# %% grading="skip"
mask_the_host()

# %% [markdown]
# <details><summary>Picture for reading without a kernel</summary>
#
# ![The widget. The mask of a.py is 2, 0; that of b.py is 1; that of c.py is 0, 7, 2; TensorFlow's list is "all" each time. a.py has card 2 as /gpu:0 and card 0 as /gpu:1. b.py has card 1 as /gpu:0. c.py has card 0 as /gpu:0 and nothing else, since 7 ends its mask. Card 0 is shared by a.py and c.py.](assets/02_widget.svg)
#
# </details>
#
# ## 11 Break it and diagnose it
#
# Five real mistakes. First, the one of your notebook at the start of this lesson: the mask comes **too late**. Here the
# program lists the devices first, as that notebook did, and sets the mask afterwards. It starts with the mask `0,1`:

# %%
%%writefile too_late.py
import os

import tensorflow as tf

tf.config.list_physical_devices("GPU")  # the first cell of the notebook looked for devices
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # the third cell
print("os.environ has", os.environ["CUDA_VISIBLE_DEVICES"])
own = "/proc/self/environ"
with open(own if os.path.exists(own) else os.devnull, "rb") as file:
    started_with = file.read().split(b"\0")
print("started with", [entry.decode() for entry in started_with if entry.startswith(b"CUDA_")])

# %% grading="skip"
print(child_says("too_late.py", mask="0,1"))

# %% [markdown]
# The second line (on Linux) is the environment that the process was **started with**. That is what the driver read, and
# nothing changes it afterwards. To see it for a running program, look at `/proc/PID/environ`.
#
# Second: a program was written to run without a mask. It pins its op to `/gpu:1`, and somebody starts it behind a mask
# of one card. On a CPU the error is the same; only its list of devices is shorter:

# %% grading="skip"
import textwrap

with tf.Graph().as_default() as graph, tf.device("/gpu:1"):
    y = tf.add(1.0, 2.0, name="y")
try:
    with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"GPU": 0})) as session:
        session.run(y)
except tf.errors.InvalidArgumentError as error:
    print(textwrap.fill(error.message.splitlines()[-2].partition(" Make sure")[0], 88))

# %% [markdown]
# Read what is *available*: behind a mask of one card the list ends with `GPU:0`. The mask is not wrong; the pin is. (In
# today's TensorFlow a wrong pin is often not even an error: with *soft placement*, which is on in eager mode, the op
# silently goes to another device. Lesson 01.)
#
# Third: the list comes after TensorFlow has started. Fourth: it names a logical device:

# %% grading="skip"
tf.constant(1.0)  # from here on TensorFlow has started
logical = tf.config.list_logical_devices("CPU")
for devices in ([], logical[:1]):
    try:
        tf.config.set_visible_devices(devices, "CPU")
    except (RuntimeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown]
# Fifth: an environment with the mask *and nothing else*. Compare what the child has:

# %% grading="skip"
count = "import os; print(len(os.environ), 'variables; PATH:', 'PATH' in os.environ)"
mask_alone = {"CUDA_VISIBLE_DEVICES": "0"}
for environment in ({**os.environ, **mask_alone}, mask_alone):
    command = [sys.executable, "-c", count]
    child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    print(child.stdout.strip())

# %% [markdown]
# (Python itself may add one, `LC_CTYPE`.) Without `PATH`, `HOME` and `LD_LIBRARY_PATH` a program may find neither its
# tools nor CUDA's libraries, and that looks like a driver problem. (On Windows Python may not even start.)
#
# | you see | ask | cure |
# | --- | --- | --- |
# | no GPU; `cuInit` says `UNKNOWN ERROR (303)` | is there a driver? in a container: was it started with `--gpus`? | install it; the mask does not matter |
# | no GPU; `cuInit` says `CUDA_ERROR_NO_DEVICE`; `nvidia-smi -L` lists cards | what is the mask, entry by entry? | repair the mask; look for an invalid *first* entry |
# | the same, but `nvidia-smi -L` lists none | does the machine, or the container, have a card? | get one |
# | fewer GPUs than entries | which entry is invalid? | it and all behind it are lost: repair it |
# | *Cannot assign a device* … `/device:GPU:1` | how many cards does the mask show? | pin to `/gpu:0`: the mask chose the card |
# | the mask seems to have no effect | was it set before the process started? | set it in the launcher |
# | *Visible devices cannot be modified* | did an op run first? | call it right after the import |
# | the wrong card is busy in `nvidia-smi` | who counts how? | `CUDA_DEVICE_ORDER=PCI_BUS_ID`, or UUIDs |
# | two programs on one card, memory runs out | who has no mask? | one mask for each process, an empty one for each ps |

# %% [markdown] exercise="diagnose"
# ### Exercise 6 · Read the start of a program
#
# A colleague sends you what a program wrote when it started, its mask, and what `nvidia-smi -L` prints on that machine.
# Write `diagnose(log, mask, listed)`. `mask` is text, or `None` if it is not set; `listed` is text, empty if there is
# no `nvidia-smi` on that machine, and `No devices were found` if there is one, but no card. Return a dict:
#
# * `"gpus"`: `[model, PCI bus id]` of each GPU that TensorFlow made, in the order of `/gpu:i` {#1}, each once {#2}. Both forms
#   of section 9 occur: `Creating TensorFlow device (/gpu:0) -> (…)` of the old log {#3} and `Created device …/device:GPU:0 …` of
#   TensorFlow 2 {#4}. A card that was only `Found` is none of them {#5}.
# * `"cause"`: the **root cause** of what is wrong. The first row of this table that fits:
#
# | cause | when |
# | --- | --- |
# | `"driver"` | `failed call to cuInit`, with another error than `CUDA_ERROR_NO_DEVICE` {#6} |
# | `"mask"` | `failed call to cuInit` with `CUDA_ERROR_NO_DEVICE`, and `nvidia-smi -L` lists cards {#7} |
# | `"no card"` | the same, and it lists none {#8} |
# | `"cut"` | there is a mask, and at least one GPU, but fewer than the mask has entries: an invalid entry ended it {#9} |
# | `"late"` | `Visible devices cannot be modified after being initialized` {#10} |
# | `"pin"` | `Cannot assign a device for operation` {#11} |
# | `"fine"` | nothing of all this {#12} |
#
# (No mask here names a card twice, so an error that this would cause does not occur.)
#
# Example: for the log of section 9 under the mask `1`, the answer is
# `{"gpus": [["GeForce GTX 970", "0000:05:00.0"]], "cause": "fine"}`.

# %% solution="diagnose" kind="log"
import re

def diagnose(log, mask, listed):
    """Say which GPUs a program got, and what is wrong with its start.

    Args:
        log: str, what the program wrote, any number of lines.
        mask: str, its CUDA_VISIBLE_DEVICES, or None.
        listed: str, what nvidia-smi -L prints: a line for each card, or that there are none;
            empty where there is no nvidia-smi.
    Returns:
        dict: "gpus", list of [model, PCI bus id]; "cause", one of "driver", "mask", "no card",
        "cut", "late", "pin" and "fine".
    """
    ### BEGIN SOLUTION
    line = r"(?:Creating TensorFlow device|Created device) .*-> .*name: (.*?), "
    gpus = [list(found) for found in re.findall(line + r"pci bus id: ([\w:.]+)", log)]
    failed = re.search(r"failed call to cuInit(.*)", log)
    if failed and "CUDA_ERROR_NO_DEVICE" not in failed[1]:
        cause = "driver"
    elif failed:
        cause = "mask" if "GPU " in listed else "no card"
    elif mask is not None and 0 < len(gpus) < len(mask.split(",")):
        cause = "cut"
    elif "Visible devices cannot be modified after being initialized" in log:
        cause = "late"
    elif "Cannot assign a device for operation" in log:
        cause = "pin"
    else:
        cause = "fine"
    return {"gpus": gpus, "cause": cause}
    ### END SOLUTION

# %% try="diagnose"
start_log = """cudart_stub.cc:31] Could not find cuda drivers on your machine
cuda_platform.cc:52] failed call to cuInit: ... UNKNOWN ERROR (303)
"""
try:
    print(diagnose(start_log, None, ""))
    print(diagnose(two_card_log("1"), "1", ""))
except NotImplementedError as error:
    print(error)

# %% check="diagnose-cards" points=2 title="The real log of two cards"
place = "I tensorflow/core/common_runtime/gpu/gpu_device.cc:"
titan = ["GeForce GTX TITAN X", "0000:02:00.0"]
gtx = ["GeForce GTX 970", "0000:05:00.0"]
line = place + "975] Creating TensorFlow device (/gpu:{0}) -> (device: {0}, name: {1}, pci bus id: {2})\n"
mapping = "/job:localhost/replica:0/task:0/gpu:{0} -> device: {0}, name: {1}, pci bus id: {2}\n"
both = place + "885] Found device 0 with properties:\nname: GeForce GTX TITAN X\npciBusID 0000:02:00.0\n"
both += place + "885] Found device 1 with properties:\nname: GeForce GTX 970\npciBusID 0000:05:00.0\n"
both += line.format(0, *titan) + line.format(1, *gtx) + "Device mapping:\n"
both += mapping.format(0, *titan) + mapping.format(1, *gtx)
alone = place + "885] Found device 0 with properties:\nname: GeForce GTX 970\npciBusID 0000:05:00.0\n"
alone += place + "906] DMA: 0\n" + line.format(0, *gtx)
got = [diagnose(both, "0,1", ""), diagnose(alone, "1", "")]
gpus = [answer["gpus"] for answer in got]
right = [[titan, gtx], [gtx]]
told = Told(asked="gpus in the real log of two cards, masks '0,1' and '1'", got=gpus, expected=right,
            reread="section 9, The start-up log of two cards")
gpus = [[list(gpu) for gpu in one] for one in gpus]
assert gpus != [[], []], told("the old form of the line, Creating TensorFlow device, was not found")
assert len(gpus[0]) <= 2, told("the lines after `Device mapping` name the same GPUs again: each counts once")
assert gpus == right, told()
told = Told(asked="cause in both logs", got=[answer["cause"] for answer in got], expected=["fine", "fine"],
            reread="the text of exercise 6")
assert told.got == ["fine", "fine"], told()

# %% check="diagnose-mask" points=2 title="No GPU: the driver, the mask, or no card"
start = "I0000 00:00:1795258507.25 9082 cudart_stub.cc:31] Could not find cuda drivers on your machine ...\n"
start += "E0000 00:00:1795258513.06 9082 cuda_platform.cc:52] failed call to cuInit: INTERNAL: "
start += "CUDA error: Failed call to cuInit: "
hidden = start + "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"
unknown = start + "UNKNOWN ERROR (303)\n"
two = "GPU 0: NVIDIA L4 (UUID: GPU-5a8f27c1)\nGPU 1: NVIDIA L4 (UUID: GPU-c07e4b92)\n"
asked = [(hidden, "7,0", two), (hidden, "0", ""), (hidden, None, ""), (unknown, None, ""),
         (unknown, "7", two), (hidden, "0", "No devices were found\n")]
got = [diagnose(*question)["cause"] for question in asked]
right = ["mask", "no card", "no card", "driver", "driver", "no card"]
told = Told(asked="cause: CUDA_ERROR_NO_DEVICE with two cards listed, with none, with none and no mask; "
                  "UNKNOWN ERROR (303) with none listed, with two and a mask; CUDA_ERROR_NO_DEVICE "
                  "with 'No devices were found' in place of a list",
            got=got, expected=right, reread="section 9, The start-up log of two cards")
assert got[0] != "driver", told("the driver works: it answered that it sees no device")
assert got[0] == "mask", told("nvidia-smi ignores the mask and lists two cards, so the mask hides them")
assert got[1] != "mask", told("a mask is no proof: without cards there is nothing that it could hide")
assert got[3:5] == ["driver", "driver"], told(
    "with any other error of cuInit, the driver did not start, so nobody read the mask or looked for cards")
assert got[5] != "mask", told("No devices were found is text, but lists no card that the mask could hide")
assert got == right, told()

# %% check="diagnose-errors" points=1 title="Errors after a good start"
start = ("I0000 00:00:1795258513.06 9082 gpu_device.cc:2020] Created device /job:localhost/replica:0/task:0/"
         "device:GPU:0 with 9600 MB memory:  -> device: 0, name: NVIDIA L4, pci bus id: 0000:41:00.0, ...\n")
pin = ("InvalidArgumentError: Cannot assign a device for operation y: {{node y}} was explicitly "
       "assigned to /device:GPU:1 but available devices are [ ... device:GPU:0 ].\n")
late = "RuntimeError: Visible devices cannot be modified after being initialized\n"
got = [diagnose(start + pin, "0", "")["cause"], diagnose(start + late, None, "")["cause"],
       diagnose(start, "0", "")["cause"], diagnose("", None, "")["cause"]]
right = ["pin", "late", "fine", "fine"]
told = Told(asked="cause: a GPU, then 'Cannot assign a device ...'; a GPU, then 'Visible devices cannot "
                  "be modified ...'; a GPU and no error; an empty log",
            got=got, expected=right, reread="section 11, Break it and diagnose it")
assert got[0] != "mask", told("the mask shows a card, and TensorFlow uses it: the pin asks for one too many")
assert got[1] == "late", told("set_visible_devices was called after TensorFlow had started")
assert got == right, told()

# %% hidden="diagnose-new" points=2 title="The lines of TensorFlow 2"
names = draw.sample(["NVIDIA L4", "NVIDIA H100 80GB HBM3", "Tesla V100-SXM2-16GB", "Quadro RTX 6000"], 2)
names.append(names[0])                               # two cards of one model
buses = [f"0000:{number:02x}:00.0" for number in sorted(draw.sample(range(10, 250), 3), reverse=True)]
line = ("I0000 00:00:1795258513.06 9082 gpu_device.cc:2020] Created device "
        "/job:localhost/replica:0/task:0/device:GPU:{0} with 9600 MB memory:  -> device: {0}, "
        "name: {1}, pci bus id: {2}, compute capability: 8.9\n")
log = "".join(line.format(i, name, bus) for i, (name, bus) in enumerate(zip(names, buses)))
found = "I gpu_device.cc:885] Found device 0 with properties:\nname: GeForce GT 710\npciBusID 0000:08:00.0\n"
found += "I gpu_device.cc:840] Ignoring gpu device (device: 0, name: GeForce GT 710, "
found += "pci bus id: 0000:08:00.0) with ...\n"
asked = [(log, "0,1,2", ""), (found, "0", ""), (found + log, None, "")]
got = [[list(gpu) for gpu in diagnose(*question)["gpus"]] for question in asked]
right = [[list(pair) for pair in zip(names, buses)], [], [list(pair) for pair in zip(names, buses)]]
told = Told(asked=f"gpus in logs of TensorFlow 2 with {names}; with a card that was found and ignored; "
                  "with both", got=got, expected=right, reread="section 9, The start-up log of two cards")
assert got[0] != [], told("the form of TensorFlow 2, Created device, was not found")
assert got[1] == [], told("a card that was found, and then ignored, is no TensorFlow device")
assert got[0] != right[0][:2], told("two cards of one model are two GPUs: only the bus id tells them apart")
assert got == right, told()

# %% hidden="diagnose-root" points=2 title="Root causes"
init = ("E0000 00:00:1795258513.06 9082 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: "
        "Failed call to cuInit: ")
pin = "InvalidArgumentError: Cannot assign a device for operation y: {{node y}} was explicitly ...\n"
late = "RuntimeError: Visible devices cannot be modified after being initialized\n"
none = "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"
number, bad = draw.randrange(0, 3), draw.choice(["9", "-1", ""])
one_gpu = ("I gpu_device.cc:2020] Created device /job:localhost/replica:0/task:0/device:GPU:0 with 9600 MB "
        f"memory:  -> device: 0, name: NVIDIA L4, pci bus id: 0000:4{number}:00.0, compute capability: 8.9\n")
other = draw.choice(["CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: system has unsupported display driver\n",
                     "CUDA_ERROR_UNKNOWN: unknown error\n"])
one_card = "GPU 0: A (UUID: GPU-1)\n"
asked = [(init + "UNKNOWN ERROR (303)\n" + pin, None, ""), (init + none + pin, "7", one_card),
         (init + other + late, "0", one_card), (one_gpu + pin, f"{number},{bad},1", ""),
         (one_gpu, f"{number},{bad}", ""), (one_gpu + late + pin, str(number), ""), (one_gpu, None, ""),
         ("", "0,1", "")]
got = [diagnose(*question)["cause"] for question in asked]
right = ["driver", "mask", "driver", "cut", "cut", "late", "fine", "fine"]
told = Told(asked="causes of 8 starts: 303 then a pin; NO_DEVICE then a pin; "
                  f"{other.split(':')[0]} then late; one GPU behind the mask '{number},{bad},1' then a "
                  f"pin; one GPU behind '{number},{bad}'; one GPU behind "
                  f"'{number}', late and pin; one GPU without a mask; no line at all behind '0,1'",
            got=got, expected=right, reread="the text of exercise 6: the first row that fits")
assert "pin" not in got[:2] and got[2] != "late", told(
    "the later error is a consequence: cuInit had failed before")
assert got[2] == "driver" or got[0] != "driver", told(
    "any error of cuInit but CUDA_ERROR_NO_DEVICE is the driver's, not only number 303")
made = diagnose(one_gpu, None, "")["gpus"]
assert got[4] == "cut" or not made, told(
    "one GPU came through, and the mask has two entries: the second one ended it")
assert got[3] != "pin" or not made, told(
    "the pin fails because the mask was cut: the root cause is the first row that fits")
assert got[7] != "cut", told("no GPU line and no error: a mask is cut only if at least one GPU came through")
assert got == right, told()

# %% [markdown]
# ## Recap
#
# 1. A mask is an environment variable. A process gets it at its start, as a copy; the driver reads it once.
# 2. A mask filters, orders and renumbers. `/gpu:0` is the first card that comes through.
# 3. The first invalid entry ends the list, silently. Empty and `-1` show no card; not set shows all.
# 4. A container or a Slurm job is a wall: cards behind it are numbered from 0 again. TensorFlow's own list comes last.
# 5. One process per card: a mask of one card for each worker, an empty one for each ps, and every pin says `/gpu:0`.
#
# | question | where the answer is |
# | --- | --- |
# | What did this process receive? | `os.environ` in the process itself; `/proc/PID/environ` from outside |
# | What did the mask let through? | `tf.config.list_physical_devices("GPU")` |
# | What does TensorFlow use of it? | `tf.config.list_logical_devices("GPU")` |
# | Which card is `/gpu:0`? | the PCI bus id in the start-up log |
# | Which cards are there at all? | `nvidia-smi -L`, which ignores the mask |
#
# **And your notebook of the beginning?** Its first cell listed TensorFlow's devices, so the driver had read the
# environment before `CUDA_VISIBLE_DEVICES=1` was written into it. TensorFlow took memory on both cards and put the ops on
# the first. The start-up log said so: two lines `Created device`, the first with the PCI bus id of the colleague's card.
# The cure: set the mask where the process starts, and read that one line.
#
# **Read on:** lesson 03: what happens when two processes see the same card after all.

# %% [markdown] exercise="own_words"
# ### Exercise 7 · In your own words
#
# A colleague has a host with two cards; the second is free. In the first cell of his notebook he lists TensorFlow's
# devices. In the third stands `os.environ["CUDA_VISIBLE_DEVICES"] = "1"`, and then `with tf.device("/gpu:1"):`. "And still
# `nvidia-smi` shows my program's memory on the first card. So masks do not work." Explain in four to seven sentences what
# happens, name both mistakes, and say how to do it right.

# %% [markdown] written="own_words" points=3
# ### BEGIN SOLUTION
# The mask is read once, when the driver starts, and that was in an earlier cell. Behind the mask the card is /gpu:0.
# ### END SOLUTION

# %% [markdown] model="own_words"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# The driver reads the mask **once, when it starts**, and TensorFlow starts it when it first looks for devices. The first
# cell looked, so the third cell changes nothing in this process (only in children that it starts later). TensorFlow sees
# both cards, takes memory on both, and runs ops without a pin on `/gpu:0`, the first card. The pin `/gpu:1` happens to
# mean the second card as long as the mask does not work. The second mistake would show once the first is mended:
# **behind the mask "1" there is one card, and its name is `/gpu:0`**. The pin to `/gpu:1` then fails, or, with soft
# placement, is dropped without a word. Right: set the mask before the process starts (in the shell before `jupyter lab`,
# in the kernel's `kernel.json`, or at the least in the first cell before anything of TensorFlow), and pin to `/gpu:0` or
# not at all. To see which card it is, look at the PCI bus id in the start-up log.
#
# One point each: the mask is read once at the start of the driver, so it came too late; behind it the card is `/gpu:0`,
# so the pin is wrong; how to do it right.
# </details>
