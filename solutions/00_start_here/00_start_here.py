# %% [markdown]
# # Lesson 00 · Start here
#
# After this lesson you can
#
# 1. say what your machine has, in TensorFlow's own words;
# 2. run an op on a device that you choose, and read an error calmly;
# 3. solve an exercise, check it, and know which points are still open.
#
# **Time:** about 25 minutes.
# **Hardware:** CPU only. Where there is a GPU or a TPU, this lesson shows it; nothing graded needs one.
#
# Run the cells from top to bottom: click a cell and press **Shift+Enter**. The three grey bars below are cells too. They
# are folded, because you need not read them.

# %% include="quiet_start.py" devices=2

# %% include="checks.py"

# %% [markdown]
# Run all three. The second takes a few seconds; then a line appears that is your machine in short. If you see it,
# everything is installed.
#
# ## The course in one picture
#
# ![Map of the eleven lessons with arrows to those that build on them. 00 Start here leads to 01 Device placement. 01 leads to 02 Visible devices, 04 Queues and 05 Control dependencies. 02 leads to 03 GPU memory, and that to 08 Mixed precision and TPU. 04 leads to 06 Clusters. 05 and 06 lead to 07 Replication. 07 and 08 lead to 09 Data and model parallelism, and that to 10 Search and ensembles. Lessons 01 to 05 need one machine, 06 and 07 are about many machines, 08 to 10 about training.](assets/course_map.svg)
#
# An arrow means: do this one first. All lessons run on a plain laptop. Several devices, and several machines, are
# real ones here, only small: logical CPU devices, and processes that talk over a network.

# %% [markdown]
# ## 1 How a lesson works
#
# | step | what you do | why |
# | --- | --- | --- |
# | **Predict** | write down what you expect, before you run anything | a wrong guess is remembered; a nod is not |
# | **Run** | run the next cell | TensorFlow answers, not the text |
# | **Explain** | read on, and compare with your guess | |
# | **Change** | alter the cell and run it again | you cannot break anything |
# | **Make** | solve the exercises | only these have points |
#
# A prediction has no points, and nobody reads it but you.

# %% [markdown]
# ## 2 What this machine has
#
# A **device** is something that TensorFlow can run an op on: a CPU, a GPU, a TPU. By default all cores of your
# processor together are *one* device, `CPU:0`.

# %%
import psutil

print("CPU cores:", psutil.cpu_count())
print(f"memory:    {psutil.virtual_memory().total / 2**30:.1f} GiB")

# %%
for kind in ("CPU", "GPU", "TPU"):
    found = tf.config.list_physical_devices(kind)
    print(f"{kind}: {len(found)} physical" if found else f"{kind}: none, and this lesson needs none")

# %% [markdown]
# Those are the *physical* devices. The grey cell "Quiet start" split the CPU into two *logical* devices. TensorFlow treats
# them as two devices: it places ops on them, and copies values between them. That is how you learn to use four GPUs
# without having any.

# %%
for device in tf.config.list_logical_devices():
    print(device.name)

# %% [markdown]
# ## 3 Your first op
#
# An **op** is one piece of work, such as a product. It takes tensors and makes a tensor: a value with a *dtype* (the
# kind of number) and a *device* (where it lies). In the next cell the op is the `*`.

# %% predict="first-op"
# Predict before you run the next cell: which value, which dtype, and which device?
value, dtype, device = "...", "...", "..."

# %%
y = tf.constant([1, 2, 3]) * 2
print("value: ", y.numpy())
print("list:  ", y.numpy().tolist())
print("dtype: ", y.dtype.name)
print("device:", y.device)

# %% [markdown]
# `.numpy()` gives a NumPy array, and `.tolist()` makes plain Python of it. Whole numbers became `int32`, TensorFlow's
# choice for Python's whole numbers. Write `[1., 2., 3.]`, run the cell again, and see what becomes of the dtype.
#
# The device's name is an address. Read it from the left, as on an envelope:
#
# | part | here | says |
# | --- | --- | --- |
# | job | `/job:localhost` | which group of processes; just yours |
# | replica | `/replica:0` | always 0 today |
# | task | `/task:0` | which process of the job |
# | device | `/device:CPU:0` | which device of that process, counted from 0 |
#
# Now ask for another device: `with tf.device(…):` opens a **device scope**. The last part of the name is enough.

# %% predict="second-device"
# Predict: where does z lie? And where does y lie, after it was used on CPU:1?
z_lies_on, y_lies_on = "...", "..."

# %%
with tf.device("/device:CPU:1"):
    z = y + 1
print("z:", z.numpy(), "on", z.device)
print("y:", y.numpy(), "on", y.device)

# %% [markdown]
# `z` is on CPU:1, where its op ran. `y` stayed where it was: TensorFlow sent a copy. On two GPUs that copy costs
# time, and much of this course is about such costs.
#
# The scope counts for ops that are made **inside** it. Move `z = y + 1` above the `with`, put `pass` in its place, and
# run the cell again.

# %% [markdown]
# ## 4 When something goes wrong
#
# Errors are part of the work, and this course makes many on purpose. Here is one, caught and printed.

# %%
try:
    tf.matmul([[1., 2.]], [[3., 4.]])
except tf.errors.InvalidArgumentError as error:
    print("class:  ", type(error).__name__)
    print("message:", error.message)

# %% [markdown]
# **Change it:** delete `try`, the three lines from `except` on, and the indent; then run. The same error is now a red box
# of many lines. Read it in this order:
#
# 1. **The last line**: the error's class and its message. Here `InvalidArgumentError`: an op got something that it cannot
#    work with. The message says what: sizes `[1,2]` and `[1,2]` do not fit. A 1×2 matrix needs one with 2 rows to its right.
# 2. **The lowest block that begins with `Cell In[…]`**: its arrow (`---->`) is at *your* line. Blocks of that kind above it
#    only lead there.
# 3. Everything below that block is TensorFlow's inside. Skip it. `{{function_node …}}` in a message is its name for a call;
#    skip that too.
#
# Then change one thing and run again. In `except`, the class `Exception` catches errors of every class.

# %% [markdown]
# ## 5 Checks and points
#
# Only exercises have points. Each has these cells:
#
# | cell | what it is for |
# | --- | --- |
# | the stub | write your answer where it says `# YOUR CODE HERE`, and remove the line with `raise` |
# | try it | play: change it as you like |
# | **Check** | run it, and it tells you whether this part is right; if not, what it asked, got and expected, what is likely wrong, and where to reread |
# | **Hidden check** | shows its name and its points. It asks the same of other inputs, later, when you are graded. An answer that only repeats the example fails there |
#
# So your notebook can never tell you that all is right. It tells you how many points you have and how many still wait.
# The third kind is an answer **in your own words**: write it, then unfold the model answer and compare. In a class, your
# teacher gives the points.
#
# If you change an answer, its checks go back to "changed: run again". A failed check stops
# *Run All Cells*: mend the answer, or run the next cells one by one.

# %% [markdown] exercise="double_and_report"
# ### Exercise 1 · Double and report
#
# Write `double_and_report(x, device)`. It doubles `x` with one TensorFlow op on the device that is asked for, and reports what
# really happened, as plain Python values: read dtype and device from the **result**, not from the request.
#
# Example: `double_and_report([0.5, 2.0], "/device:CPU:1")` returns
#
# ```
# {"value": [1.0, 4.0],
#  "dtype": "float32",
#  "device": "/job:localhost/replica:0/task:0/device:CPU:1"}
# ```
#
# Reread: section 3, Your first op.

# %% solution="double_and_report"
def double_and_report(x, device):
    """Double x on a device, and say what came out and where.

    Args:
        x: a number, or a list (of lists) of numbers. Whole numbers stay whole numbers.
        device: the device to use, such as "/device:CPU:1".

    Returns:
        A dict of plain values: "value" (twice x, as a number or list), "dtype" (the name of its dtype,
        such as "float32") and "device" (the full name of the device that the result lies on).
    """
    ### BEGIN SOLUTION
    with tf.device(device):
        doubled = tf.constant(x) * 2
    return {"value": doubled.numpy().tolist(), "dtype": doubled.dtype.name, "device": doubled.device}
    ### END SOLUTION

# %% try="double_and_report"
# Try it: the example, then inputs of your own.
try:
    print(double_and_report([0.5, 2.0], "/device:CPU:1"))
except NotImplementedError:
    print("double_and_report is not written yet")

# %% check="double_and_report-value" points=1
got = double_and_report(21, "/device:CPU:0")

def told(likely):
    return (f"asked:    double_and_report(21, '/device:CPU:0')\n"
            f"got:      {got!r}\n"
            f"expected: a dict with the keys value, dtype and device, in which value is 42\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Your first op")

assert type(got) is dict, told("the function prints its findings, or ends without return")
assert set(got) == {"value", "dtype", "device"}, told("a key is missing or has another name")
assert type(got["value"]) in (int, float, list), told("value is still a tensor or array; .numpy().tolist()")
assert got["value"] != 441, told("x * x is the square; the double is x * 2")
assert got["value"] == 42, told("the result is not twice x")

# %% check="double_and_report-device" points=1
got = double_and_report([1.5, 2.0], "/device:CPU:1")
device = got.get("device") if type(got) is dict else None

def told(likely):
    return (f"asked:    double_and_report([1.5, 2.0], '/device:CPU:1')\n"
            f"got:      {got!r}\n"
            f"expected: device is '/job:localhost/replica:0/task:0/device:CPU:1'\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Your first op")

assert device is not None, told("the function returns nothing, or no device")
assert device != "/device:CPU:1", told("this is the request; the result's own .device is the full name")
assert not device.endswith("CPU:0"), told("the op is outside the tf.device scope, or the name is typed in")
assert device == "/job:localhost/replica:0/task:0/device:CPU:1", told("this is not the .device of the result")

# %% hidden="double_and_report-whole-numbers" points=1
x = [[draw.randrange(3, 99) for _ in range(2)] for _ in range(2)]
device = f"/device:CPU:{draw.randrange(2)}"
got = double_and_report([list(row) for row in x], device)
right = reference.double_and_report(x, device)

def told(likely):
    return (f"asked:    double_and_report({x}, {device!r})\n"
            f"got:      {got!r}\n"
            f"expected: value {right['value']} and dtype {right['dtype']!r}\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Your first op")

assert type(got) is dict and "dtype" in got and "value" in got, told("the dict is not complete")
assert type(got["dtype"]) is str, told("dtype is an object, not its name: use .dtype.name")
assert "<" not in got["dtype"], told("str(dtype) is not the dtype's name: use .dtype.name")
assert got["dtype"] != "float32", told("the whole numbers were made into floats, or the dtype is typed in")
assert got["dtype"] == right["dtype"], told("this is not the dtype of the result")
assert str(got["value"]) == str(right["value"]), told("the values are not twice x, or became floats")

# %% hidden="double_and_report-other-device" points=1
asked = [(0.25, 0), (0.25, 1)]
reports = [double_and_report(x, f"/device:CPU:{index}") for x, index in asked]
got = [report.get("device") if type(report) is dict else None for report in reports]
expected = [f"/job:localhost/replica:0/task:0/device:CPU:{index}" for _, index in asked]

def told(likely):
    return (f"asked:    double_and_report(0.25, ...) on /device:CPU:0, then on /device:CPU:1\n"
            f"got:      devices {got}\n"
            f"expected: devices {expected}\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Your first op")

assert got[0] != got[1], told("the device is typed in or ignored: both requests get the same answer")
assert got != ["/device:CPU:0", "/device:CPU:1"], told("this is the request; report the result's .device")
assert got == expected, told("this is not the .device of the result")

# %% [markdown] exercise="product_or_error"
# ### Exercise 2 · The product, or why not
#
# Write `product_or_error(left, right)`. It asks TensorFlow for the matrix product of two lists of rows. If that works, it
# returns the product; if it does not, it returns the **class name** of the error, whatever class that is, and does not
# stop the notebook.
#
# | call | returns |
# | --- | --- |
# | `product_or_error([[1., 2.]], [[3.], [4.]])` | `{"value": [[11.0]], "error": None}` |
# | `product_or_error([[1., 2.]], [[3., 4.]])` | `{"value": None, "error": "InvalidArgumentError"}` |
#
# Reread: section 4, When something goes wrong.

# %% solution="product_or_error"
def product_or_error(left, right):
    """Multiply two matrices, and report an error instead of raising it.

    Args:
        left, right: matrices, each as a list of rows, or anything else that somebody passes by mistake.

    Returns:
        A dict of plain values: "value" (the product as a list of rows, or None) and "error" (None, or the
        name of the error's class, such as "InvalidArgumentError").
    """
    ### BEGIN SOLUTION
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
    ### END SOLUTION

# %% try="product_or_error"
# Try it: both examples, then mistakes of your own.
try:
    print(product_or_error([[1., 2.]], [[3.], [4.]]))
    print(product_or_error([[1., 2.]], [[3., 4.]]))
except NotImplementedError:
    print("product_or_error is not written yet")

# %% check="product_or_error-product" points=1
got = product_or_error([[1., 2.], [3., 4.]], [[5., 6.], [7., 8.]])

def told(likely):
    return (f"asked:    product_or_error([[1., 2.], [3., 4.]], [[5., 6.], [7., 8.]])\n"
            f"got:      {got!r}\n"
            f"expected: {{'value': [[19.0, 22.0], [43.0, 50.0]], 'error': None}}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, When something goes wrong")

assert type(got) is dict and set(got) == {"value", "error"}, told("not a dict with the keys value and error")
assert type(got["value"]) is list, told("value is still a tensor or an array, or nothing was computed")
assert got["value"] != [[5., 12.], [21., 32.]], told("* works element by element; use tf.matmul")
assert got["value"] == [[19., 22.], [43., 50.]], told("this is not left times right, in this order")
assert got["error"] is None, told("nothing went wrong, so error must be None, not an empty text")

# %% check="product_or_error-sizes" points=1
left, right = [[1., 2., 3.]], [[4., 5., 6.]]
try:
    got = product_or_error(left, right)
except NotImplementedError:
    raise
except Exception as error:
    got = f"{type(error).__name__}, which was not caught"
reported = got.get("error") if type(got) is dict else None

def told(likely):
    return (f"asked:    product_or_error({left}, {right})\n"
            f"got:      {got!r}\n"
            f"expected: {{'value': None, 'error': 'InvalidArgumentError'}}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, When something goes wrong")

assert type(got) is dict, told("the except clause does not name this error's class, or nothing is returned")
assert "Matrix size" not in str(reported), told("this is the message; the class name is type(error).__name__")
assert "<class" not in str(reported), told("this is the whole class; its name is type(error).__name__")
assert reported or got.get("value") is None, told("no error was raised: is that a matrix product?")
assert reported == "InvalidArgumentError", told("this is not the class of the error that was raised")
assert got.get("value") is None, told("there is no product, so value must be None")

# %% hidden="product_or_error-other-errors" points=1
left, right = [[1., 2.], [3.]], [[4.], [5.]]
try:
    got = product_or_error(left, right)
except NotImplementedError:
    raise
except Exception as error:
    got = f"{type(error).__name__}, which was not caught"

def told(likely):
    return (f"asked:    product_or_error({left}, {right}), where the rows of left differ in length\n"
            f"got:      {got!r}\n"
            f"expected: {{'value': None, 'error': 'ValueError'}}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, When something goes wrong")

assert type(got) is dict, told("only one class is caught, or the lists become tensors before the try begins")
assert got.get("error") != "InvalidArgumentError", told("the class name is typed in, not read from the error")
assert got == {"value": None, "error": "ValueError"}, told("not the class name of the error that was raised")

# %% hidden="product_or_error-whole-numbers" points=1
left, right = [[draw.randrange(2, 99) for _ in range(3)]], [[draw.randrange(2, 99)] for _ in range(3)]
expected = reference.product_or_error(left, right)
try:
    got = product_or_error(left, right)
except NotImplementedError:
    raise
except Exception as error:
    got = f"{type(error).__name__}, which was not caught"

def told(likely):
    return (f"asked:    product_or_error({left}, {right})\n"
            f"got:      {got!r}\n"
            f"expected: {expected}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, When something goes wrong")

assert type(got) is dict and "value" in got, told("not a dict with the keys value and error")
assert got["value"] != [[a * b for a in left[0]] for (b,) in right], told(
    "multiplied by *, or in the wrong order")
assert str(got["value"]) == str(expected["value"]), told(
    "whole numbers became floats, or this is not the product")

# %% [markdown] exercise="why_hidden"
# ### Exercise 3 · In your own words
#
# A friend has written an answer to exercise 1. Both of its visible checks pass. Why may the answer still be wrong?
# Describe one wrong answer to exercise 1 that passes both, and say what would find it out. Three sentences are enough.
# Double-click the cell below and write it there.

# %% [markdown] written="why_hidden" points=2
# ### BEGIN SOLUTION
# Visible checks ask only about a few inputs. An answer that returns the device name for CPU:1 whenever it gets a list, and
# for CPU:0 otherwise, passes both. Asking with a number on CPU:1 finds it out.
# ### END SOLUTION

# %% [markdown] model="why_hidden"
# <details><summary>Model answer: unfold it after you have written your own</summary>
#
# A visible check asks about one input, and everybody can read which. An answer can fit that input without doing
# what the text says. For instance, one that always reports `float32` passes both visible checks, because neither looks at the dtype. A
# call with whole numbers finds it out: they are `int32`.
#
# *One point* for: the checks cover only some inputs or only some of what the text asks. *One point* for an answer that
# really passes both and the question that it fails.
#
# </details>

# %% [markdown]
# ## 6 Hand in, or check yourself
#
# **On your own.** `course lab` (and `make lab`) opened *your copy*, `work/00_start_here/00_start_here.ipynb` in the folder
# that you downloaded, the course's folder. Save it (Ctrl+S). In a terminal, in that folder:
#
# ```
# make check ARGS=00      # or: course check 00
# ```
#
# That runs the hidden checks too, and prints a table: each check with its points, what was asked, what came back, and where
# to reread. Your notebook is only read, never changed. Do it as often as you like.
#
# **In a class.** Hand in this file, `00_start_here.ipynb`, in the way that your teacher told you. Keep its name. Do not
# delete, copy or split the exercise's cells: graders find them by their hidden labels. Cells of your own, anywhere, are fine.
#
# **In Colab.** Choose *File → Upload notebook* and give it the file from the folder `notebooks`. It runs as it is. What
# differs: TensorFlow may be a version older, nbgrader's buttons are not there, and neither is `make check`. The check cells
# work. To have it graded, use *File → Download → .ipynb* and put the file in `work/00_start_here/`.

# %% [markdown]
# ## 7 Ask for help
#
# Give the other person three things, as text and not as a picture:
#
# 1. **the machine's line**: the cell below prints it again;
# 2. **the cell** that you ran, whole;
# 3. **the full message**, from the first to the last line, and what you had expected instead.
#
# Before you ask: *Kernel → Restart Kernel and Run All Cells*. It often helps, because cells that ran in another
# order, or were deleted since, leave their names behind.

# %% grading="skip"
print(machine_line(tf))

# %% [markdown]
# ## Recap
#
# 1. Predict, run, explain, change, make.
# 2. A tensor has a value, a dtype and a device. Ask the result, not the request.
# 3. `tf.device` counts for ops that are made inside its scope. Values are copied to where they are needed.
# 4. Of an error, read the last line first, then the lowest block that begins with `Cell In[…]`.
# 5. Visible checks tell you what is wrong; hidden ones wait for grading.
#
# | you want | write |
# | --- | --- |
# | the devices | `tf.config.list_logical_devices()` |
# | an op on a device | `with tf.device("/device:CPU:1"):` |
# | where a tensor lies | `tensor.device` |
# | a plain Python value | `tensor.numpy().tolist()` |
#
# **Where to go on:** [lesson 01, Device placement](../01_device_placement/01_device_placement.ipynb). It answers who decides when you do not say where an op should run.
# To read more: *Introduction to Tensors* and *Use a GPU* in TensorFlow's own guide.

# %% grading="skip"
show_points()
