# %% [markdown] minutes=25 exercises=10 gives="say what your machine has, run an op where you choose, check an exercise"
# # Lesson 00 · Start here
#
# A colleague sends you a notebook. On her machine it runs; on yours it stops with forty red lines. "Which devices do you have," she asks, "which line
# stopped, and what does the error say?" You have no answer to any of the three. Half an hour from now you have, and section 7 sends it to her.
#
# After this lesson you can
#
# 1. say what your machine has, in TensorFlow's own words;
# 2. run a computation on a device that you choose, and read an error calmly;
# 3. solve an exercise, check it, and know which points are still open.
#
# **Hardware:** CPU only. Where there is a GPU or a TPU, this lesson shows it; nothing graded needs one.
#
# Run the cells from top to bottom: click a cell and press **Shift+Enter**.

# %% include="quiet_start.py" devices=2 hide_gpus=False

# %% include="checks.py predictions.py"

# %% [markdown]
# Loading TensorFlow takes some seconds; then a line appears that is your machine in short. If you see it, everything is installed.
#
# ## The course in one picture
#
# ![Map of the lessons with arrows to those that build on them. 00 Start here leads to 01 Device placement. 01 leads to 02 Visible devices, 04 Queues and 05 Control dependencies. 02 leads to 03 GPU memory, and that to 08 Mixed precision and TPU. 04 leads to 06 Clusters. 05 and 06 lead to 07 Replication. 07 and 08 lead to 09 Data and model parallelism, and that to 10 Search and ensembles and 12 Capstone. 07 leads to 11 Training across processes too. Lessons 01 to 05 need one machine, 06, 07 and 11 are about many machines, 08 to 10 and 12 about training.](assets/course_map.svg)
#
# An arrow means: do this one first. All lessons run on a plain laptop. Where a lesson needs several machines, it starts several processes, which talk over a
# network as machines do. Where it needs several devices, TensorFlow splits your processor into *logical* ones. It places work on them and copies values between them
# as with several GPUs. But they share the same cores, memory and threads: so they show *what happens where*, and not how much faster several GPUs are.

# %% [markdown]
# ## 1 How a lesson works
#
# | step | what you do | why |
# | --- | --- | --- |
# | **Predict** | write down what you expect, before you run anything | a wrong guess is remembered; a nod is not |
# | **Run** | run the next cell | TensorFlow answers, not the text |
# | **Explain** | read on; the cell that you ran has compared your guess with what came | why it came so is what you keep |
# | **Change** | alter the cell and run it again | you cannot break anything |
# | **Make** | solve the exercises | only these have points |
#
# A prediction has no points, and nobody reads it but you.

# %% [markdown]
# ## 2 What this machine has
#
# A **device** is something that TensorFlow can compute on: a CPU, a GPU, a TPU. By default all cores of your processor together are *one* device,
# `CPU:0`.

# %% grading="skip"
import psutil

print("CPU cores:", psutil.cpu_count())
print(f"memory:    {psutil.virtual_memory().total / 2**30:.1f} GiB")

# %% grading="skip"
for kind in ("CPU", "GPU", "TPU"):
    found = tf.config.list_physical_devices(kind)
    print(f"{kind}: {len(found) or 'none'}")

# %% [markdown]
# Those are the *physical* devices. The folded cell "Quiet start" split the CPU into two logical ones:

# %% grading="skip"
for device in tf.config.list_logical_devices():
    print(device.name)

# %% [markdown]
# ## 3 Your first op
#
# An **op** (short for operation) is one step of a computation, such as one product. It takes **tensors** and makes tensors. A tensor is a value with a
# *dtype* (the kind of number) and a *device* (where it is stored). In the next cell the op is the `*`.

# %% predict="first-op"
# Predict before you run the next cell: replace the dots. Which dtype? Which device?
dtype = "..."
device = "..."

# %% grading="skip"
y = tf.constant([1, 2, 3]) * 2
print("value: ", y.numpy())
print("list:  ", y.numpy().tolist())
print("dtype: ", y.dtype.name)
print("device:", y.device)
compare_prediction("dtype", dtype, y.dtype.name, "TensorFlow's choice for whole numbers.")
compare_prediction("device", device, y.device[-5:], "You asked for none: the first device.")

# %% [markdown]
# `.numpy()` gives a NumPy array, and `.tolist()` makes plain Python of it. **Change it:** write `[1., 2., 3.]`, run the cell again, and see what becomes of
# the dtype.
#
# The device's name is an address. Read it from the left: the **job** is a group of processes, here `localhost`, just yours. The **replica** is always 0 today.
# The **task** says which process of the job, and the **device** which device of that process, counted from 0.
#
# Now ask for another device: `with tf.device(…):` opens a **device scope**. The last part of the name is enough.

# %% grading="skip"
with tf.device("/device:CPU:1"):
    z = y + 1
print("z:", z.numpy(), "on", z.device)
print("y:", y.numpy(), "on", y.device)

# %% [markdown]
# `z` is on CPU:1, where its op ran. `y` stayed where it was: TensorFlow made a copy for the op. Between two GPUs such a copy costs time, and much of this course is
# about such costs.
#
# The scope counts for ops that are made **inside** it. Move `z = y + 1` above the `with`, put `pass` in its place, and
# run the cell again.

# %% [markdown]
# ## 4 When something goes wrong
#
# Errors are part of the work, and this course makes many on purpose. Here is one, caught and printed.

# %% grading="skip"
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
# | **Check**, a folded bar | run it, and it tells you whether this part is right; if not, what it asked, got and expected, what is likely wrong, and where to reread |
# | **Hidden check**, a folded bar | shows what it asks for and its points. It asks the same of other inputs, later, when you are graded. An answer that only repeats the example fails there |
#
# So your notebook can never tell you that all is right. It tells you how many points you have and how many still wait.
# The third kind is an answer **in your own words**: write it, then unfold the model answer and compare. In a class, your
# teacher gives the points.
#
# If you change an answer, its checks go back to "changed: run again". *Run All Cells* runs on to the end, also where a check fails.

# %% [markdown] exercise="double_and_report"
# ### Exercise 1 · Double and report
#
# Write `double_and_report(x, device)`. It computes twice `x` {#1}, with TensorFlow, on the device that is asked for {#2}. It returns what really happened, as a dict of
# plain Python values {#3}: `"value"`, the result; `"dtype"`, the name of the result's dtype {#4}; and `"device"`, the full name of the result's device {#5}. Whole numbers stay
# whole numbers {#6}.
#
# Example: `double_and_report([0.5, 2.0], "/device:CPU:1")` returns
#
# ```
# {"value": [1.0, 4.0],
#  "dtype": "float32",
#  "device": "/job:localhost/replica:0/task:0/device:CPU:1"}
# ```
#
# Reread: section 3.

# %% solution="double_and_report" kind="today"
def double_and_report(x, device):
    """Double x on a device, and say what came out and where.

    Args:
        x: a number, or a list (of lists) of numbers.
        device: the device to use, such as "/device:CPU:1".
    Returns:
        a dict of plain values: "value" (twice x, as a number or list), "dtype" (such as "float32")
        and "device" (the full name of the device that the result is on).
    """
    ### BEGIN SOLUTION
    with tf.device(device):
        doubled = tf.constant(x) * 2
    return {
        "value": doubled.numpy().tolist(),
        "dtype": doubled.dtype.name,
        "device": doubled.device,
    }
    ### END SOLUTION

# %% try="double_and_report"
# Try it: the example, then inputs of your own.
try:
    print(double_and_report([0.5, 2.0], "/device:CPU:1"))
except NotImplementedError:
    print("double_and_report is not written yet")

# %% check="double_and_report-value" points=1 title="The value is twice x"
got = double_and_report(21, "/device:CPU:0")
told = Told(asked="double_and_report(21, '/device:CPU:0')", got=got,
            reread="section 3, Your first op",
            expected="a dict with the keys value, dtype and device, in which value is 42")
assert got is not None, told("the function ends without return; printing returns nothing")
assert isinstance(got, dict), told("the result is not a dict")
assert set(got) == {"value", "dtype", "device"}, told("a key is missing, or has another name")
assert type(got["value"]) in (int, float, list), told(
    "value is a tensor or an array; .numpy().tolist() makes plain Python of it")
assert got["value"] != 441, told("x * x is the square; the double is x * 2")
assert got["value"] == 42, told()

# %% check="double_and_report-device" points=1 title="The device is the result's"
got = double_and_report([1.5, 2.0], "/device:CPU:1")
right = "/job:localhost/replica:0/task:0/device:CPU:1"
told = Told(asked="double_and_report([1.5, 2.0], '/device:CPU:1')", got=got,
            expected=f"device is '{right}'", reread="section 3, Your first op")
assert got is not None, told("the function ends without return; printing returns nothing")
assert isinstance(got, dict) and "device" in got, told(
    "the result is not a dict with the key device")
assert got["device"] != "/device:CPU:1", told(
    "this is the request; the result's own .device is the full name")
assert got["device"] != right[:-1] + "0", told(
    "CPU:1 was asked for: make the op inside `with tf.device(device):`, and report .device of it")
assert got["device"] == right, told()

# %% hidden="double_and_report-whole-numbers" points=1 title="Whole numbers in rows, and fractions"
x = [[draw.randrange(3, 99) for _ in range(2)] for _ in range(2)]
device = f"/device:CPU:{draw.randrange(2)}"
got = double_and_report([list(row) for row in x], device)
right = reference.double_and_report(x, device)
told = Told(asked=f"double_and_report({x}, {device!r})", got=got, reread="section 3, Your first op",
            expected=f"value {right['value']} and dtype {right['dtype']!r}")
assert got is not None, told("the function ends without return; printing returns nothing")
assert isinstance(got, dict) and {"dtype", "value"} <= set(got), told(
    "the result is not a dict with the keys value and dtype")
assert type(got["dtype"]) is str and "<" not in got["dtype"], told(
    "this is not the dtype's name: use .dtype.name")
assert type(got["value"]) is list, told(
    "value is a tensor or an array; .numpy().tolist() makes plain Python of it")
squares = [[number * number for number in row] for row in x]
assert got["value"] != squares, told("x * x is the square; the double is x * 2")
assert not any(type(number) is float for row in got["value"] for number in row), told(
    "the whole numbers became numbers with a fraction")
assert got["dtype"] != "float32", told(
    "value has whole numbers; float32 is not the dtype of this result")
assert got["dtype"] in (right["dtype"], "int64"), told()  # NumPy's whole numbers have 64 bits
assert got["value"] == right["value"], told()
x = [draw.randrange(3, 99) + 0.1, draw.randrange(3, 99) + 0.7]  # float32 has others next to them
got = double_and_report(list(x), device)
right = reference.double_and_report(x, device)
told = Told(asked=f"double_and_report({x}, {device!r})", got=got, reread="section 3, Your first op",
            expected=f"value {right['value']} and dtype {right['dtype']!r}")
assert isinstance(got, dict) and {"dtype", "value"} <= set(got), told(
    "the result is not a dict with the keys value and dtype")
assert got["value"] != [2 * int(number) for number in x], told(
    "the numbers lost their fractions: make the tensor of x itself, without a dtype of your own")
doubled = [2 * number for number in x]  # as Python, and NumPy with 64 bits, has them
assert got["value"] in (right["value"], doubled), told()
assert "int" not in str(got["dtype"]), told(
    "value has fractions, so a dtype of whole numbers is not the one of this result")
assert got["dtype"] in (right["dtype"], "float64"), told()  # NumPy's have 64 bits
told.got, told.expected = f"value {got['value']} and dtype {got['dtype']!r}", f"value {right['value']}"
assert got["value"] == right["value"] or got["dtype"] == "float64", told(
    "no tensor of this dtype has this value: report what TensorFlow computed")

# %% hidden="double_and_report-other-device" points=1 title="Two devices, two answers"
x = draw.choice([0.25, 0.75, 1.25])
first = draw.randrange(2)
asked = [f"/device:CPU:{first}", f"/device:CPU:{1 - first}"]
reports = [double_and_report(x, device) for device in asked]
got = [report.get("device") if isinstance(report, dict) else None for report in reports]
told = Told(asked=f"double_and_report({x}, ...) on {asked[0]}, then on {asked[1]}",
            got=f"devices {got}",
            reread="section 3, Your first op",
            expected=f"devices {[f'/job:localhost/replica:0/task:0{device}' for device in asked]}")
assert None not in got, told("the function does not return a dict with the key device")
assert got[0] != got[1], told(
    "both requests get the same device, so one of the two is not the result's")
assert got != asked, told("this is the request; report the result's .device")
assert got == [f"/job:localhost/replica:0/task:0{device}" for device in asked], told()

# %% [markdown] exercise="product_or_error"
# ### Exercise 2 · The product, or why not
#
# Write `product_or_error(left, right)`. It asks TensorFlow for the matrix product of two lists of rows, `left` times `right` {#1}, and returns a dict. If that works, `"value"` is the
# product, as a list of rows {#2}, and `"error"` is `None` {#3}. If it does not, `"value"` is `None` {#4} and `"error"` is the **class name** of the error {#5}, whatever class that is {#6}. Whole
# numbers stay whole numbers {#7}.
#
# | call | returns |
# | --- | --- |
# | `product_or_error([[1., 2.]], [[3.], [4.]])` | `{"value": [[11.0]], "error": None}` |
# | `product_or_error([[1., 2.]], [[3., 4.]])` | `{"value": None, "error": "InvalidArgumentError"}` |
#
# Reread: section 4.

# %% solution="product_or_error" kind="today"
def product_or_error(left, right):
    """Multiply two matrices, and report an error instead of raising it.

    Args:
        left, right: matrices, each as a list of rows; or anything else, by mistake.
    Returns:
        a dict of plain values: "value" (the product as a list of rows, or None) and "error"
        (None, or the name of the error's class, such as "InvalidArgumentError").
    """
    ### BEGIN SOLUTION
    try:
        with tf.device("CPU:0"):
            product = tf.matmul(left, right)
        return {"value": product.numpy().tolist(), "error": None}
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

# %% check="product_or_error-product" points=1 title="A product that works"
got = product_or_error([[1., 2.], [3., 4.]], [[5., 6.], [7., 8.]])
told = Told(asked="product_or_error([[1., 2.], [3., 4.]], [[5., 6.], [7., 8.]])", got=got,
            expected={"value": [[19., 22.], [43., 50.]], "error": None},
            reread="section 4, When something goes wrong")
assert isinstance(got, dict) and set(got) == {"value", "error"}, told(
    "the result is not a dict with the keys value and error")
assert got["value"] is not None, told("value is None, though nothing is wrong with these matrices")
assert type(got["value"]) is list, told(
    "value is a tensor or an array; .numpy().tolist() makes plain Python of it")
assert got["value"] != [[5., 12.], [21., 32.]], told(
    "* works element by element; a matrix product is tf.matmul")
assert got["value"] != [[23., 34.], [31., 46.]], told("this is right times left")
assert got["value"] == [[19., 22.], [43., 50.]], told()
assert got["error"] is None, told("nothing went wrong, so error must be None")

# %% check="product_or_error-sizes" points=1 title="Sizes that do not fit"
left, right = [[1., 2., 3.]], [[4., 5., 6.]]
try:
    got = product_or_error(left, right)
except NotImplementedError:
    raise
except Exception as error:
    got = f"{type(error).__name__}, which was not caught"
told = Told(asked=f"product_or_error({left}, {right})", got=got,
            reread="section 4, When something goes wrong",
            expected={"value": None, "error": "InvalidArgumentError"})
assert type(got) is not str, told(
    "the error came out of your function: no except clause catches this class")
assert isinstance(got, dict) and set(got) == {"value", "error"}, told(
    "the result is not a dict with the keys value and error")
assert got["error"] is not None or got["value"] is None, told(
    "no error was raised: is that a matrix product?")
reported = str(got["error"])
assert "Matrix size" not in reported, told(
    "this is the message; the class name is type(error).__name__")
assert "<class" not in reported, told("this is the whole class; its name is type(error).__name__")
assert reported == "InvalidArgumentError", told()
assert got["value"] is None, told("there is no product, so value must be None")

# %% hidden="product_or_error-other-errors" points=1 title="Errors of other classes"
number = float(draw.randrange(2, 50))
for left, right, expected in [([[1., number], [3.]], [[4.], [5.]], "ValueError"),
                              ([[1., number, 2.]], [[1., 2.], [3., 4.]], "InvalidArgumentError"),
                              (None, [[number]], "ValueError")]:
    try:
        got = product_or_error(left, right)
    except NotImplementedError:
        raise
    except Exception as error:
        got = f"{type(error).__name__}, which was not caught"
    told = Told(asked=f"product_or_error({left}, {right})", got=got,
                reread="section 4, When something goes wrong",
                expected={"value": None, "error": expected})
    assert left is not None or "TypeError" not in str(got), told(
        "None is no matrix, but this error is not TensorFlow's: ask TensorFlow for the product")
    assert type(got) is not str, told(
        "the error came out of your function: no except clause caught it")
    assert isinstance(got, dict) and set(got) == {"value", "error"}, told(
        "the result is not a dict with the keys value and error")
    assert got["error"] != "InvalidArgumentError" or expected == "InvalidArgumentError", told(
        "error is not the class of the error that was raised here")
    assert got["error"] == expected, told()
    assert got["value"] is None, told("there is no product, so value must be None")

# %% hidden="product_or_error-whole-numbers" points=1 title="Whole numbers"
left = [[draw.randrange(2, 99) for _ in range(3)]]
right = [[draw.randrange(2, 99)] for _ in range(3)]
expected = reference.product_or_error(left, right)
try:
    got = product_or_error(left, right)
except NotImplementedError:
    raise
except Exception as error:
    got = f"{type(error).__name__}, which was not caught"
told = Told(asked=f"product_or_error({left}, {right})", got=got, expected=expected,
            reread="section 4, When something goes wrong")
assert isinstance(got, dict) and set(got) == {"value", "error"}, told(
    "the result is not a dict with the keys value and error")
assert got["value"] is not None, told("value is None, though nothing is wrong with these matrices")
assert type(got["value"]) is list, told(
    "value is a tensor or an array; .numpy().tolist() makes plain Python of it")
turned = [[a * b for a in left[0]] for (b,) in right]
assert got["value"] != turned, told(
    "this has three rows, as right times left has, or * element by element")
assert not any(type(number) is float for row in got["value"] for number in row), told(
    "the whole numbers became numbers with a fraction")
assert got["value"] == expected["value"], told()
assert got["error"] is None, told("nothing went wrong, so error must be None")

# %% [markdown] exercise="why_hidden"
# ### Exercise 3 · In your own words
#
# A friend has written an answer to exercise 1. Both of its visible checks pass. Why may the answer still be wrong?
# Describe one wrong answer to exercise 1 that passes both, and a call that would show it. Three sentences are enough.
# Double-click the cell below and write it there.

# %% [markdown] written="why_hidden" points=2
# ### BEGIN SOLUTION
# Visible checks ask only about a few inputs. An answer that returns the device name for CPU:1 whenever it gets a list, and
# for CPU:0 otherwise, passes both. A call with a number and CPU:1 shows it.
# ### END SOLUTION

# %% [markdown] model="why_hidden"
# <details><summary>Model answer: unfold it after you have written your own</summary>
#
# A visible check asks about one input, and everybody can read which. An answer can fit that input without doing
# what the text says. For instance, one that always reports `float32` passes both visible checks, because neither looks at the dtype. A
# call with whole numbers shows it: their dtype is `int32`.
#
# One point each: the checks cover only some inputs, or only some of what the text asks; a wrong answer that really passes both, with a call that it fails.
#
# </details>

# %% [markdown]
# ## 6 Hand in, or check yourself
#
# **On your own.** `make lab` opened *your copy*, `work/00_start_here/00_start_here.ipynb` in the folder that you downloaded, the course's folder. Save it
# (Ctrl+S). In a terminal, in that folder:
#
# ```
# make check ARGS=00
# ```
#
# That runs the hidden checks, too, and prints a table: each check with its points, what was asked, what came back, and where
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
# Back to your colleague and her three questions. Give the other person three things, as text and not as a picture:
#
# 1. **the machine's line**: the cell below prints it again;
# 2. **the cell** that you ran, whole, and which of its lines the arrow is at;
# 3. **the full message**, from the first to the last line, and what you had expected instead.
#
# That is your answer to "which devices do you have, which line stopped, and what does the error say". Before you ask: *Kernel → Restart Kernel and Run All Cells*. It often
# helps, because cells that ran in another order, or were deleted since, leave their names behind.

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
# | where a tensor is | `tensor.device` |
# | a plain Python value | `tensor.numpy().tolist()` |
#
# To read more: [Introduction to Tensors](https://www.tensorflow.org/guide/tensor) and [Use a GPU](https://www.tensorflow.org/guide/gpu) in TensorFlow's
# own guide.
