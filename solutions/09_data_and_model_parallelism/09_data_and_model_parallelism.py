# %% [markdown] minutes=150 exercises=75 gives="count what a training step sends, compare asynchronous with synchronous replicas by speed and quality, predict where more devices stop paying" after="07, 08"
# # Lesson 09 · Data and model parallelism
#
# A team trains a dense model of 500 million parameters on one GPU, 64 rows at a time, two seconds a step. They get seven more GPUs: two machines of four, joined by a
# network of 1.25 gigabytes a second. "Eight devices, eight times as fast," says one. "Keep the batch and the learning rate of each device as they are." Before anybody
# rents the second machine, somebody should find out. At the end of this lesson
# you do, with a few lines of code.
#
# After this lesson you can
#
# 1. count the bytes that devices send to each other in a training step, for every usual way to share the work;
# 2. compare two ways to train by speed *and* quality, and say when the runs do not allow an answer;
# 3. predict from a few measured steps where more devices stop paying, and say what helps.
#
# **Hardware:** CPU only. Four logical CPU devices play the GPUs: they share this machine's cores and memory, so they show *what* happens, not how fast GPUs are. A cluster of five real
# processes runs on your machine. GPUs of your own are hidden from this notebook.

# %% include="quiet_start.py" devices=4

# %% include="checks.py predictions.py figures.py placement_record.py run_record.py timeline.py traffic.py digits_network.py in_replicas.py cluster_helper.py cluster_processes.py local_cluster.py replica_race.py race_picture.py native_output.py lane_picture.py cost_widget.py far_disk.py"

# %% [markdown]
# ## The idea in one picture
#
# ![Two panels. Left, data parallelism: a batch of 512 rows is cut into four parts of 128; each of four devices holds the whole model and computes a gradient from its part; the four devices form a ring and exchange gradients, so that all make the same update. Right, model parallelism: one model of three layers is cut; each of three devices holds one layer; the batch goes through as micro-batches, and the values between the layers travel from device to device.](assets/09_two_ways.svg)
#
# Two ways to use several devices for **one** model:
#
# | question | data parallelism | model parallelism |
# | --- | --- | --- |
# | what is cut | the batch | the model |
# | each device holds | all weights (or a share of them: section 8), some rows | some weights, all rows |
# | what travels in each step | gradients: as many numbers as weights | values between layers: rows × width |
# | choose it when | the model fits on one device | it does not fit, or rows × width is small |
#
# Sections 1 to 7 cut the batch, sections 8 to 10 the model. Section 11 feeds both.
#
# ## Sitting 1 · One batch, several devices
#
# ## 1 All-reduce by hand
#
# Four devices have computed four gradients. All of them need the sum. That is an **all-reduce**. To see who is in a sum, device 0 gets the gradient 1, device 1
# gets 10, then 100, then 1000: the sum `1011` lacks device 2. Three ways:
#
# * **naive**: all send to device 0; it adds, and sends the sum to all;
# * **tree**: pairs add, then pairs of pairs; the sum goes back the same way;
# * **ring**: each device cuts its gradient into n **chunks**, and in each step sends *one chunk* to the next device. For n − 1 steps the receiver **adds**; then
#   each chunk is complete on one device (this half alone is called **reduce-scatter**). For n − 1 more steps the complete chunks go round, and the receiver **replaces** its
#   own (**all-gather**).
#
# Below the three functions, the ring runs step by step: a row is a device, a column a chunk.

# %% include="all_reduces.py" shown=True

# %% grading="skip"
with tf.Graph().as_default() as graph:
    history = []
    ring(gradients(4, 4), history)
steps, _ = run_and_trace(graph, history)
for k, step in enumerate(steps):
    print(f"after step {k}:")
    for mine in step:
        print("  ", "  ".join(f"{chunk[0]:04.0f}" for chunk in mine))

# %% [markdown]
# After step 2 there is one `1111` in each row, after step 5 all are. Six steps for four devices: 2 · (4 − 1).
#
# Now **count**. TensorFlow's record of a run lists each value that moved between devices (lesson 01). `sent_by_each` adds up their bytes:

# %% predict="busiest"
# Predict: a gradient has 4800 bytes, on four devices.
# How many bytes does the busiest device send: naive, tree, ring?
naive_sends, tree_sends, ring_sends = ..., ..., ...

# %% grading="skip"
busiest = []
for build in (naive, tree, ring):
    sent = sent_by_each(build, 4)
    busiest.append(max(sent))
    print(f"{build.__name__:6} sent {sent}, together {sum(sent)}")
why = "device 0 answers three others; in the ring each sends 6 chunks of 1200 bytes"
predicted = [naive_sends, tree_sends, ring_sends]
compare_prediction("bytes of the busiest: naive, tree, ring", predicted, busiest, why)
draw_traffic([naive, tree, ring])

# %% [markdown]
# All three move the **same total**, 28 800 bytes: 2 · (n − 1) gradients. What differs is who carries it. In the ring each device sends 7200 bytes, 2 · (n − 1)/n gradients, and nobody is busier than the others. The right picture shows the point of it: however many devices there are, a device of the ring sends less than **two** gradients.
#
# The ring's price is *steps*: 2 (n − 1) messages one after the other, where a tree has about 2 log₂ n. For small gradients the time to start a message counts more than its bytes, and trees win.
#
# **Change it:** reverse the ring, so that device i sends to i − 1. Which chunk must it send?

# %% [markdown] exercise="all_reduce"
# ### Exercise 1 · All-reduce in a ring
#
# Write `all_reduce(chunks)`: the messages of a ring. There are n devices, n ≥ 2; device i has a gradient of n chunks, `chunks[i]`, and a chunk is here one number.
#
# * In each step each device sends **one** of its chunks {#1} to the next device: i to i + 1, the last to device 0 {#2}.
# * All send at the same time: a message holds the value that the sender had when the step **began** {#3}.
# * In the first n − 1 steps the receiver **adds** the value to its own chunk of the same number {#4}. In the n − 1 steps after that it **replaces** its chunk {#5}.
# * At the end each device has all sums {#6}.
#
# Return a dict with `"messages"`: a list of steps, each a list of messages `[from, to, chunk, value]`, in any order; and `"result"`: for each device the list of its chunks at the end {#7}.
#
# Example: `all_reduce([[1., 2.], [10., 20.]])`. Device 0 sends its chunk 0 and device 1 its chunk 1; then the sums go back:
# `{"messages": [[[0, 1, 0, 1.], [1, 0, 1, 20.]], [[0, 1, 1, 22.], [1, 0, 0, 11.]]], "result": [[11., 22.], [11., 22.]]}`.

# %% solution="all_reduce" kind="model"
def all_reduce(chunks):
    """The messages and the result of an all-reduce in a ring.

    Args:
        chunks: list of n lists of n floats; chunks[i][c] is chunk c of device i.
    Returns:
        dict: "messages", a list of 2 * (n - 1) steps, each a list of n messages
            [from, to, chunk, value]; "result", a list of n lists of n floats.
    """
    ### BEGIN SOLUTION
    n = len(chunks)
    now = [list(mine) for mine in chunks]
    messages = []
    for step in range(2 * (n - 1)):
        sent = []
        for i in range(n):
            c = (i - step) % n
            sent.append([i, (i + 1) % n, c, now[i][c]])
        for _, to, c, value in sent:
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": now}
    ### END SOLUTION

# %% try="all_reduce"
try:
    print(all_reduce([[1., 2.], [10., 20.]]))
except NotImplementedError as error:
    print(error)

# %% check="all_reduce-result" points=1 title="Every device ends with all sums"
chunks = [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0], [100.0, 200.0, 300.0]]
answer = all_reduce([list(mine) for mine in chunks])
sums = [111.0, 222.0, 333.0]
told = Told(
    asked=f"the result of all_reduce({chunks})",
    got=answer,
    expected=[sums] * 3,
    reread="section 1, All-reduce by hand",
)
assert isinstance(answer, dict) and {"messages", "result"} <= set(answer), told(
    "the function returns no dict with messages and result"
)
got = answer["result"]
told.got = got
assert isinstance(got, (list, tuple)) and len(got) == 3 and all(len(mine) == 3 for mine in got), told(
    "the result is a list with n chunks for each device"
)
got = [[float(value) for value in mine] for mine in got]
assert got != [[37.0, 74.0, 111.0]] * 3, told(
    "the sums are divided by n: an all-reduce adds; whoever wants a mean divides"
)
complete = [sum(mine[c] == sums[c] for mine in got) for c in range(3)]
larger = any(value > total for mine in got for value, total in zip(mine, sums))
assert larger or complete != [1, 1, 1], told(
    "each sum is complete on one device only, as after n - 1 steps: n - 1 more hand the sums round"
)
assert got == [sums] * 3, told()

# %% check="all_reduce-steps" points=1 title="2 (n - 1) steps, each device sends one chunk to the next"
chunks = [[float(10**i * (c + 1)) for c in range(4)] for i in range(4)]
answer = all_reduce([list(mine) for mine in chunks])
messages = answer.get("messages") if isinstance(answer, dict) else []
counts = [len(step) for step in messages]
ways = sorted({(message[0], message[1]) for step in messages for message in step})
told = Told(
    asked="the messages of a ring of four devices",
    got=f"{len(messages)} steps with {counts} messages, between {ways}",
    expected="6 steps with 4 messages each, between (0, 1), (1, 2), (2, 3), (3, 0)",
    reread="section 1, All-reduce by hand",
)
assert all(to == (source + 1) % 4 for source, to in ways), told(
    "some device sends to another one than the next: in a ring i sends to i + 1 only, the last to 0"
)
assert not counts or max(counts) <= 4, told("in some step a device sends more than one chunk")
assert len(messages) != 4, told(
    "these are n steps; a ring has n - 1 to add and n - 1 to hand the sums round"
)
assert len(messages) != 3, told(
    "these are n - 1 steps, as many as the adding needs; n - 1 more hand the sums round"
)
assert len(messages) == 6, told()
assert all(sorted(message[0] for message in step) == [0, 1, 2, 3] for step in messages), told(
    "in some step a device sends nothing, or twice"
)

# %% hidden="all_reduce-values" points=1 title="The values that are sent"
n = 4
chunks = [[float(draw.randrange(1, 100)) for _ in range(n)] for _ in range(n)]
answer = all_reduce([list(mine) for mine in chunks])
now = [list(mine) for mine in chunks]
wrong = ""
messages = answer.get("messages") if isinstance(answer, dict) else []
for k, step in enumerate(messages):
    for source, _, c, value in step:
        if value != now[source][c] and not wrong:
            holds = now[source][c]
            wrong = f"step {k}: device {source} sends {value} as its chunk {c}, but holds {holds}"
    for _, to, c, value in step:
        now[to][c] = now[to][c] + value if k < n - 1 else value
sums = [sum(mine[c] for mine in chunks) for c in range(n)]
told = Told(
    asked=f"the values of the messages of all_reduce({chunks})",
    got=wrong or f"played again, the messages give {now}",
    expected=f"each value is what its sender holds when the step begins; in the end every device has {sums}",
    reread="the text of exercise 1",
)
assert messages, told("there are no messages")
assert not wrong, told()
assert all(mine == sums for mine in now), told()
told.got = answer["result"]
told.expected = now
assert [list(map(float, mine)) for mine in answer["result"]] == now, told(
    "the result is not what the messages give"
)

# %% hidden="all_reduce-two-and-five" points=1 title="Two devices and five"
for n in (2, 5):
    chunks = [[float(draw.randrange(1, 50)) for _ in range(n)] for _ in range(n)]
    answer = all_reduce([list(mine) for mine in chunks])
    messages = answer["messages"] if isinstance(answer, dict) else []
    sent = [sum(message[0] == i for step in messages for message in step) for i in range(n)]
    sums = [sum(mine[c] for mine in chunks) for c in range(n)]
    told = Told(
        asked=f"chunks sent by each of {n} devices",
        got=sent,
        expected=[2 * (n - 1)] * n,
        reread="section 1, All-reduce by hand",
    )
    assert sent == [2 * (n - 1)] * n, told(
        "with this number of devices some send more or fewer than 2 (n - 1) chunks"
    )
    got = [list(map(float, mine)) for mine in answer["result"]]
    told = Told(
        asked=f"the result of all_reduce({chunks})",
        got=got,
        expected=[sums] * n,
        reread="section 1, All-reduce by hand",
    )
    assert got == [sums] * n, told()
    now = [list(mine) for mine in chunks]
    wrong = ""
    for k, step in enumerate(messages):
        for source, _, c, value in step:
            holds = now[source][c] if 0 <= c < n else "no such chunk"
            if value != holds and not wrong:
                sent = f"device {source} sends {value} as its chunk {c}"
                wrong = f"step {k}: {sent}, but holds {holds}"
        if wrong:
            break
        for _, to, c, value in step:
            now[to][c] = now[to][c] + value if k < n - 1 else value
    told = Told(
        asked=f"the values of the messages of all_reduce({chunks})",
        got=wrong or f"played again, the messages give {now}",
        expected=f"each value is what its sender holds; in the end every device has {sums}",
        reread="the text of exercise 1",
    )
    assert not wrong and now == [sums] * n, told(
        "the result is right, but with this number of devices the messages do not give it"
    )

# %% [markdown]
# ## 2 The strategy that does it
#
# Today you do not write this. A **strategy** makes the copies of the model, the **replicas**, and does the all-reduce. Each replica runs the same function. Inside it, the **replica context** says who it is,
# and has `all_reduce`: every replica gives its value, and every replica gets the sum of all.

# %% grading="skip"
strategy = mirrored()  # up to four replicas, on GPUs where there are two or more, else on CPUs

def replica():
    me = tf.distribute.get_replica_context()
    mine = 10.0 ** tf.cast(me.replica_id_in_sync_group, tf.float32)
    return me.all_reduce(tf.distribute.ReduceOp.SUM, mine)

sums = tf.function(strategy.run)(replica)
print([float(value) for value in strategy.experimental_local_results(sums)])

# %% [markdown]
# Each replica has the sum of all: with four, four times `1111`. The strategy's `cross_device_ops` says how they add. `ReductionToOneDevice` is the `naive` of section 1; `HierarchicalCopyAllReduce` adds along a tree of devices and copies the sum back; `NcclAllReduce`, the default with NVIDIA cards, is a library
# that chooses rings or trees by itself. Between machines, `MultiWorkerMirroredStrategy` takes `CommunicationOptions(implementation=CommunicationImplementation.RING, timeout_seconds=…)`.
#
# ### Global and local batch
#
# The **global batch** is what makes one update. Each replica gets its share, the **local batch**. You give the strategy a dataset of global batches, and it deals them out:

# %% grading="skip"
train_x, train_y, test_x, test_y = digits_data()
rows = tf.data.Dataset.from_tensor_slices((train_x, train_y)).repeat()
batches = rows.batch(512, drop_remainder=True)
images, labels = next(iter(strategy.experimental_distribute_dataset(batches)))
print([part.shape for part in strategy.experimental_local_results(images)])

# %% [markdown]
# With four replicas, 512 became 4 × 128. (On two or three GPUs there are only as many replicas: read their number
# for four below. Section 11 has the other form, `distribute_datasets_from_function`, where each machine builds a pipeline of its own.) Each replica computes a loss over its 128 rows, and the gradients are **added**. What must each replica divide its loss by?

# %% predict="divide"
# Predict: each replica divides by the rows of its own part, and the gradients are added.
# How many times too large is the sum, compared with the gradient of the 512 rows?
print("replicas:", strategy.num_replicas_in_sync)
times = ...

# %% grading="skip"
def gradient(x, y, divisor):
    """The gradient of the sum of the rows' losses / divisor, at weights of 0."""
    w = tf.zeros([64, 10])
    with tf.GradientTape() as tape:
        tape.watch(w)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x @ w)
        loss = tf.reduce_sum(losses) / divisor
    return tape.gradient(loss, w)

# %% grading="skip"
whole = gradient(*next(iter(batches)), 512.0)
ratios = []
local_rows = 512 / strategy.num_replicas_in_sync
for divisor in (local_rows, 512.0):
    per_replica = tf.function(strategy.run)(gradient, (images, labels, divisor))
    added = strategy.reduce("SUM", per_replica, axis=None)
    ratios.append(round(float(tf.norm(added) / tf.norm(whole)), 3))
    print(f"divided by {divisor:.0f}: {ratios[-1]} times the gradient of 512 rows")
compare_prediction("times too large", times, ratios[0], "a sum of n means is n means")

# %% [markdown]
# Divide by the **global** batch. (Or take the mean of the replicas' means, which is the same only if all have equally many rows: lesson 07.) Keras' `fit` does this for you; a loop of your own does not.
#
# ### The learning rate
#
# Four devices, four times the batch: an epoch now has a quarter of the updates. Each gradient is more exact, but a step goes no further. So, with plain SGD, scale the **learning rate** with the batch. A network of 64 inputs, 32 hidden
# units and 10 outputs learns 6400 examples from three kinds of batches. (`trained` is in the folded helpers, as is `loss_of`, which takes all weights as *one* vector.)

# %% grading="skip"
for size, rate, updates in [(64, 0.1, 100), (256, 0.1, 25), (256, 0.4, 25)]:
    runs = [trained(size, rate, updates, seed) for seed in range(6)]
    mean, margin = mean_and_margin(runs)
    print(f"{updates:3} updates of {size:3} rows, rate {rate}: {mean:.3f} ± {margin:.3f}")

# %% [markdown]
# (± is a **95 % interval**, by Student's t from six seeds: in about 95 of 100 such experiments it contains the true mean. More on it in section 3.)
#
# With the same rate, the large batch has gone a quarter of the way. With four times the rate it is near the small one. That is the **linear scaling rule**: rate × 4 for batch × 4
# ([Goyal and others, 2017](https://arxiv.org/abs/1706.02677), who trained with batches of up to 8192 rows in this way). It is a rule for SGD; with Adam, people often scale by the square root
# ([Malladi and others, 2022](https://arxiv.org/abs/2205.10287)).
# It ends where the rate becomes too large for *any* batch. So large batches begin with small steps that grow (**warm-up**), and at some size they stop paying.

# %% [markdown] exercise="replica_step"
# ### Exercise 2 · One step, seen from one replica
#
# Write `replica_step(w, x, y, rate, clip)`: what **one replica** does in a training step. All replicas call it at the same time, inside `strategy.run` and `tf.function`, each with its own rows.
# What the others have, it learns from `tf.distribute.get_replica_context().all_reduce` only. The model is linear: the loss of a row is (x · w − y)²/2.
#
# * The loss of the step is the mean over the rows of **all replicas together** {#1}. Replicas may have different numbers of rows. A replica without any row takes part like the others {#2}.
# * Its gradient is clipped: if the norm of the **whole** gradient, the one of all rows together, is larger than `clip`, it is scaled down so that its norm is `clip` {#3}. A smaller gradient stays as it is {#4}.
# * The new weights are w − rate · gradient {#5}, the same on each replica {#6}.
#
# Return a pair: the new weights, and the loss of the step, at the weights before the update {#7}. Both are tensors.
#
# Example: two replicas, w = [0], rate 0.5, clip 100. One has the row x = [1] with y = 4, the other the rows [1] and [1] with y = 1 and y = 1. The gradient of all three rows is −(4 + 1 + 1)/3 = −2,
# so both return ([1.], 3.): the loss is (16 + 1 + 1)/6.

# %% solution="replica_step" kind="today"
def replica_step(w, x, y, rate, clip):
    """One replica's part of a training step of a linear model.

    Args:
        w: float32 tensor [features], the same on each replica.
        x: float32 tensor [rows, features], y: float32 tensor [rows]; rows may be 0.
        rate: float, the learning rate. clip: float, the largest norm of the gradient.
    Returns:
        (new weights [features], loss of the step []), both the same on each replica.
    """
    ### BEGIN SOLUTION
    with tf.GradientTape() as tape:
        tape.watch(w)
        error = tf.linalg.matvec(x, w) - y
        total = tf.reduce_sum(error**2) / 2
    context = tf.distribute.get_replica_context()
    mine = [tape.gradient(total, w), total, tf.cast(tf.shape(x)[0], tf.float32)]
    gradient, total, rows = context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    gradient = tf.clip_by_norm(gradient / rows, clip)
    return w - rate * gradient, total / rows
    ### END SOLUTION

def replicas_step(w, shares, rate, clip):
    """Given, for the checks: your function in as many replicas as there are shares."""
    return run_in_replicas(replica_step, w, shares, rate, clip)

# %% try="replica_step"
try:
    two_replicas = [([[1.]], [4.]), ([[1.], [1.]], [1., 1.])]
    print(replicas_step([0.], two_replicas, 0.5, 100.))
except NotImplementedError as error:
    print(error)

# %% check="replica_step-uneven" points=3 title="The mean over all rows, whoever has them"
import numpy as np

w, rate = [1.0, -1.0], 0.5
shares = [([[1.0, 0.0]], [3.0]), ([[0.0, 2.0], [1.0, 1.0], [0.0, 1.0]], [2.0, -2.0, 3.0])]
x = np.concatenate([np.array(each[0]) for each in shares])
y = np.concatenate([np.array(each[1]) for each in shares])


def after(gradient):
    return np.round(np.array(w) - rate * gradient, 4).tolist()


def of_rows(x, y):
    return np.array(x).T @ (np.array(x) @ np.array(w) - np.array(y))


answer = replicas_step(w, shares, rate, 1000.0)
got = [np.round(np.array(pair[0], float), 4).tolist() for pair in answer]
right = after(of_rows(x, y) / 4)
told = Told(
    asked=f"weights after a step from {w} at rate {rate}, with the rows {shares}",
    got=got,
    expected=[right, right],
    reread="section 2, The strategy that does it",
)
alone = [after(of_rows(*share) / len(share[1])) for share in shares]
assert got != alone, told("each replica has used its own rows only: all_reduce is missing")
assert got != [after(of_rows(*share) / 4) for share in shares], told(
    "each replica has used the gradient of its own rows only"
)
means = [of_rows(*share) / len(share[1]) for share in shares]
assert got != [after(sum(means) / 2)] * 2, told(
    "that is the mean of the replicas' means: rows of the smaller share count more than others"
)
assert got != [after(sum(means))] * 2, told(
    "that is the sum of the replicas' means: divide by the rows of all"
)
assert got != [after(of_rows(x, y))] * 2, told(
    "that is the sum over the rows: divide by their number"
)
assert got != [after(of_rows(x, y) / 2)] * 2, told(
    "the sum over all rows was divided by the number of replicas"
)
assert got != [after(-of_rows(x, y) / 4)] * 2, told("the step goes uphill: subtract the gradient")
assert got != [np.round(of_rows(x, y) / 4, 4).tolist()] * 2, told(
    "that is the gradient; the new weights are asked for"
)
assert got != [after(of_rows(x, y) / 2)] * 2 and len(got) == 2 and got[0] == got[1], told()
assert np.allclose(got, [right, right], atol=2e-3), told()

# %% check="replica_step-clip" points=2 title="The gradient of all rows is clipped"
import numpy as np

w, rate, clip = [0.0, 0.0], 1.0, 5.0
shares = [([[1.0, 1.0]], [-2.0]), ([[1.0, -1.0]], [14.0])]  # gradient [-6, 8], norm 10
answer = replicas_step(w, shares, rate, clip)
got = [np.round(np.array(pair[0], float), 3).tolist() for pair in answer]
told = Told(
    asked=f"weights after a step from {w} at rate 1, clip 5, with the rows {shares}",
    got=got,
    expected=[[3.0, -4.0], [3.0, -4.0]],
    reread="the text of exercise 2",
)
assert got != [[6.0, -8.0]] * 2, told("the gradient, of norm 10, is not clipped")
own_mean, own_share = [0.768, -2.768], [2.536, -4.536]  # of its rows, or its part of the whole
assert got not in ([own_mean] * 2, [own_share] * 2), told(
    "each replica has clipped its own gradient, before the all-reduce"
)
assert got != [[1.5, -2.0]] * 2, told(
    "the sum over the rows was clipped, and only then divided by their number"
)
assert got != [[5.0, -5.0]] * 2, told(
    "each number was clipped by itself: scale the whole gradient, so that it keeps its direction"
)
assert got != [[0.6, -0.8]] * 2, told("the gradient was scaled to norm 1")
assert np.shape(got) == (2, 2) and np.allclose(got, [[3.0, -4.0]] * 2, atol=2e-3), told()
answer = replicas_step(w, shares, rate, 50.0)
got = [np.round(np.array(pair[0], float), 3).tolist() for pair in answer]
told = Told(
    asked=f"the same with clip 50",
    got=got,
    expected=[[6.0, -8.0], [6.0, -8.0]],
    reread="the text of exercise 2",
)
assert got != [[30.0, -40.0]] * 2, told("a gradient that is smaller than clip was scaled up")
assert np.shape(got) == (2, 2) and np.allclose(got, [[6.0, -8.0]] * 2, atol=2e-3), told()

# %% hidden="replica_step-drawn" points=2 title="Other shares, one of them empty"
import numpy as np

random = np.random.RandomState(draw.randrange(10**6))
counts = [1, 0, 5, 2]
draw.shuffle(counts)
shares = [(random.normal(size=[n, 3]).round(2), random.normal(size=[n]).round(2)) for n in counts]
w = random.normal(size=3).round(2)
for share, clip in [(shares, 100.0), (shares, 0.3), ([shares[counts.index(5)]], 100.0)]:
    asked = f"a step with {[len(y) for _, y in share]} rows in {len(share)} replicas, clip {clip:g}"
    answer = replicas_step(w, share, 2.0, clip)
    x = np.concatenate([x for x, _ in share])
    y = np.concatenate([y for _, y in share])
    gradient = x.T @ (x @ w - y) / len(y)
    gradient = gradient * min(1, clip / np.linalg.norm(gradient))
    right = w - 2 * gradient
    got = [np.array(pair[0], float) for pair in answer]
    shown = [mine.round(4).tolist() for mine in got]
    told = Told(
        asked=asked,
        got=shown,
        expected=[right.round(4).tolist()] * len(share),
        reread="the text of exercise 2",
    )
    assert all(np.isfinite(mine).all() for mine in got), told(
        "a replica without rows gives NaN: 0 rows divided by 0"
    )
    assert [mine.shape for mine in got] == [right.shape] * len(share), told(
        "there is an array of new weights for each replica"
    )
    assert all(np.allclose(mine, right, atol=1e-3) for mine in got), told()

# %% hidden="replica_step-loss" points=1 title="The loss of the step"
import numpy as np

random = np.random.RandomState(draw.randrange(10**6))
shares = [
    (random.normal(size=[n, 2]).round(2), (3 + random.normal(size=[n])).round(2)) for n in (1, 4)
]
w = np.array([0.5, -0.5])
answer = replicas_step(w, shares, 0.5, 100.0)
sums = [((x @ w - y) ** 2).sum() / 2 for x, y in shares]
right = sum(sums) / 5
got = [float(pair[1]) for pair in answer]
told = Told(
    asked="the loss of a step with 1 and 4 rows",
    got=np.round(got, 4).tolist(),
    expected=[round(right, 4)] * 2,
    reread="the text of exercise 2",
)
assert len(got) == 2, told("there is a loss from each replica")
assert not np.allclose(got, [sums[0], sums[1] / 4], atol=1e-4), told(
    "each replica returns the loss of its own rows"
)
assert not np.allclose(got, [sum(sums)] * 2, atol=1e-4), told(
    "the losses are added, and not divided by the number of rows"
)
assert not np.allclose(got, [2 * right] * 2, atol=1e-4), told(
    "the loss of a row is half the square"
)
after = [np.array(pair[0], float) for pair in answer]
later = sum(((x @ after[0] - y) ** 2).sum() / 2 for x, y in shares) / 5
assert not np.allclose(got, [later] * 2, atol=1e-4), told("that is the loss after the update")
assert np.allclose(got, [right] * 2, atol=1e-3), told()

# %% [markdown]
# ## Sitting 2 · Replicas that do not wait
#
# ## 3 Asynchronous, synchronous, backup: speed and quality
#
# In lesson 07 you saw who waits for whom. Now you answer the question that matters: **which is faster, and which trains better?** On a real cluster: one ps, four workers.

# %% grading="skip"
cluster = LocalCluster({"ps": 1, "worker": 4})
print(cluster.alive())

# %% [markdown]
# On the ps are the weights and the shared step, which counts updates. Each worker has a **copy** of the weights, and computes its gradients *at its copy*. An **asynchronous** worker pushes a gradient, the ps applies it at once, and the worker pulls a new copy. The **staleness** of a gradient is the number of updates that were made since its worker's last pull.
# A **synchronous** worker gives its gradient to an accumulator on the ps, and waits for a token. The **chief** takes the mean of the gradients that it needs, makes one update, and hands out tokens; that is how `SyncReplicasOptimizer` (lesson 07) works.
#
# The graphs are in the next cell. Run it, and come back to it after you have seen what it does. Then two workers try it by hand: both pull, worker 0 pushes, then worker 1, then worker 0 again. How stale is each gradient?

# %% include="replica_graphs.py" shown=True

# %% grading="skip"
team = Replicas(cluster, asynchronous_graph, synchronous_graph, chief_graph)
for worker in (0, 1):
    team.pushers[worker].run("pull")
for worker in (0, 1, 0):
    staleness = team.push(worker, np.random)
    print(f"worker {worker} pushes a gradient of staleness {staleness}")

# %% [markdown]
# Worker 1 had copied the weights before worker 0's update, so its gradient is one update old. So is worker 0's second one: it pulled after its first push, and then worker 1 made an update.
#
# Now measure it. Each worker has a client, in a thread of its own. Worker 3 is a **straggler**: its client waits 20 ms before each push.
# Three ways compete: asynchronous; synchronous, where an update needs all four gradients; and synchronous with a
# **backup replica**, where the first three of the four make the update. What makes the comparison fair:
#
# * all three ways use the same number of gradients, 120, of 20 rows each;
# * the rate goes with the gradients in an update (section 2): one in asynchronous training, three with a backup replica, four in synchronous training;
# * six seeds, and each seed is used by all three, so that we can compare **pairs**: the same first weights, and each worker draws the same rows in the same order.

# %% predict="race"
# Predict: which is the slowest?
# "asynchronous", "synchronous" (4 of 4) or "backup" (3 of 4)?
slowest = "..."

# %% grading="skip"
slow = {3: 0.02}
ways = {
    "asynchronous": lambda seed: team.asynchronous(120, 0.25, seed, slow=slow),
    "synchronous": lambda seed: team.synchronous(30, 4, 4 * 0.25, seed, slow=slow),
    "backup": lambda seed: team.synchronous(40, 3, 3 * 0.25, seed, slow=slow),
}
measured = {name: [] for name in ways}
for seed in range(6):
    for name, way in ways.items():
        measured[name].append(way(seed))
    seconds = {name: round(runs[-1]["seconds"], 1) for name, runs in measured.items()}
    print(f"seed {seed}: seconds {seconds}")

# %% grading="skip"
draw_runs(measured, {"seconds": "seconds for 120 gradients", "loss": "loss on test rows"})
means = {name: np.mean([run["seconds"] for run in runs]) for name, runs in measured.items()}
why = "each of its updates waits for worker 3"
compare_prediction("the slowest", slowest, max(means, key=means.get), why)

# %% [markdown]
# Grey dots are the runs, the blue square their mean, with its **95 % interval**. How wide must that be? With few runs, their own scatter is a poor guess of the true scatter. **Student's t** makes up for it:
# the margin is t · s/√k for k runs of standard deviation s (whose sum of squares is divided by k − 1), and t is 12.7 for two runs, 4.3 for three, 2.57 for six, and close to 2 only for thirty. Whoever takes "two standard errors" with three runs declares a winner
# in 18 of 100 cases where there is none.
#
# To compare two ways, take the **differences** of the pairs. Does their interval contain 0? Then these runs do not say which is better.

# %% grading="skip"
for what in ("seconds", "loss"):
    for first in ("asynchronous", "backup"):
        pairs = zip(measured[first], measured["synchronous"])
        mean, margin = mean_and_margin([a[what] - b[what] for a, b in pairs])
        better = first if mean < 0 else "synchronous"
        word = "undecided" if abs(mean) <= margin else f"{better} has less"
        print(f"{what}: {first} − synchronous: {mean:+.3f} ± {margin:.3f}: {word}")

# %% [markdown]
# * **Speed**: synchronous training pays for the straggler in *each* update: 30 updates, at least 0.6 seconds of waiting. The others do not. (A machine that is busy with other things makes all slower, and can hide that.)
# * **Quality**: read the verdict. With this modest learning rate the three are so close together that six runs often do not tell them apart. "Undecided" is a result: do not crown a winner.
#
# Does that hold for *any* learning rate? No, and section 4 shows why.
#
# ## 4 Stale gradients
#
# A gradient belongs to the weights at which it was computed. In the asynchronous runs above, how stale were the gradients? The ps noted it for each:

# %% grading="skip"
noted = [pair for run in measured["asynchronous"] for pair in run["stale"]]
groups = {
    "workers 0, 1, 2": [staleness for worker, staleness in noted if worker != 3],
    "worker 3, the straggler": [staleness for worker, staleness in noted if worker == 3],
}
draw_staleness(groups, "Measured in the asynchronous runs")

# %% [markdown]
# Between a fast worker's pull and its push, the other fast ones push about once each, so a staleness of 1 to 3 is typical. The straggler's gradients are far older, since all others go on meanwhile. So **the number of replicas makes staleness**, and differences
# in speed make it uneven.
#
# Does it do harm? 192 gradients from small batches of 5 rows, at a bolder learning rate. One replica (nothing is stale) against four:

# %% predict="harm"
# Predict: at rate 0.7, one replica brings the test loss from about 2.4 down to about 0.25.
# What do four replicas reach with as many gradients?
four_reach = ...

# %% grading="skip"
def bold(seed, rate=0.7, rows=5, **more):
    return team.asynchronous(192, rate, seed, rows, **more)["loss"]

one = [bold(seed, replicas=1) for seed in range(6)]
four = [bold(seed) for seed in range(6)]
print("one replica:  ", np.round(sorted(one), 2).tolist())
print("four replicas:", np.round(sorted(four), 2).tolist())
why = "three others have already gone where this gradient points"
compare_prediction("median loss of four", four_reach, round(float(np.median(four)), 2), why)

# %% [markdown]
# With fresh gradients the bold rate is a good one. With stale ones training does much worse: a gradient says where to go from where the weights *were*. Three others have gone there already, so all together go too far, and by the
# time that the loss shows it, three more are under way. It is like a shower whose water answers late.
#
# ## 5 Four remedies
#
# | remedy | here |
# | --- | --- |
# | 1 a lower learning rate | a quarter of it |
# | 2 drop stale gradients, or scale them down | drop all that are not fresh; divide by 1 + staleness |
# | 3 tune the batch size | 40 rows instead of 5 |
# | 4 warm up | the first half of the gradients from one replica |
#
# Each runs on the real cluster with the same six seeds as the four replicas above and the same number of gradients. The losses of runs
# that fail scatter much more than those of runs that succeed. So we compare *factors*: the loss with a remedy divided
# by the loss without, with mean and interval from the differences of the logarithms.

# %% grading="skip"
remedies = {
    "lower rate": {"rate": 0.7 / 4}, "drop": {"limit": 0}, "scale": {"scale": 1.0},
    "rows": {"rows": 40}, "warm-up": {"warmup": 96},
}
factors = {}
for name, remedy in remedies.items():
    cured = [bold(seed, **remedy) for seed in range(6)]
    mean, margin = mean_and_margin(np.log(cured) - np.log(four))
    factors[name] = np.exp([mean - margin, mean, mean + margin])
draw_factors(factors, "test loss with the remedy ÷ without (times)")

# %% [markdown]
# An interval that lies below 1 as a whole says that the remedy helps. Where one reaches over the dotted line, six runs are too few: run more before you claim anything. And each remedy has a price:
#
# 1. **A lower rate** makes stale steps harmless, and fresh ones slow.
# 2. **Dropping** throws computed gradients away: with four equal workers about three of four gradients are not fresh, so a limit of 0 wastes most of the computing. **Scaling** wastes nothing, but makes all steps short.
# 3. **A larger batch** makes gradients less noisy: a stale step may go too far, but not at random. It costs eight times the computing.
# 4. **Warm-up**: at the beginning gradients are large, and a wrong step does most harm. There one replica alone finds the way; when the others join, the rate has already fallen. It costs time: three workers wait.
#
# In practice, combine: some warm-up, a rate that falls, a batch that is not tiny, and drop what is very old.
#
# **Change it:** give `bold` a limit of 1 or 3, or `slow={3: 0.02}`. What does a straggler do to the loss?

# %% [markdown] exercise="race"
# ### Exercise 3 · The same gradients, asynchronously and synchronously
#
# On a cluster, chance decides who pushes when. To compare the two ways honestly, train twice with the same gradients in the same order: `order[k]` is the worker that makes gradient k, on the rows `batches[k]`. Write two functions. The model is a softmax regression:
# weights `[features, classes]`, and the loss of a batch is the mean of `tf.nn.sparse_softmax_cross_entropy_with_logits` of `x @ weights`.
#
# `train(first, batches, order, rate, way, remedy)` trains. At the beginning each worker has a copy of `first`. Gradient k is that of the loss on `batches[k]` **at the copy of its worker** {#1}.
#
# * `way="asynchronous"`: each gradient makes an update at once, w ← w − rate · gradient. Then its worker, and only this one, copies w {#2}. The **staleness** of a gradient is the number of updates since its worker's last copy {#3}.
# * `remedy` is `{}` or has one key. `{"scale": True}`: the rate of this gradient is divided by 1 + staleness {#4}. `{"drop": d}`: a gradient whose staleness is **greater than** d {#5} makes no update; its worker copies w all the same {#6}.
#   `{"warmup": u}`: as long as fewer than u **updates** have been made {#7}, gradients of all workers but worker 0 make no update; these workers, too, copy w {#8}.
# * `way="synchronous"` (`remedy` is `{}`): with n different workers in `order`, each n gradients in a row make one update with their **mean** {#9}, and then all workers copy w {#10}. Gradients that are left at the end make none {#11}.
#
# It returns `{"weights": array, "staleness": one for each gradient, dropped ones too {#12}, "updates": their number}`. In synchronous training the staleness is always 0.
#
# `compare(seeds, order, rate)` compares without a remedy. `seeds` has a dict for each seed: `"first"`, `"batches"`, and `"test"`, a batch of test rows. Asynchronous training uses `rate`, synchronous training the rate that fits its larger batches: n · rate {#13}.
# It returns a dict: `"differences"`, for each seed the test loss of asynchronous minus that of synchronous training {#14}; their `"mean"`; `"margin"`, half of the 95 % interval by Student's t {#15}, which is
# `scipy.stats.t.ppf(0.975, k - 1)` · s/√k for k seeds (s is their standard deviation with k − 1); and `"better"`: `"asynchronous"`, `"synchronous"`, or None if the interval contains 0 {#16}.
#
# Example: with `order` `[0, 1, 1, 0]` the staleness in asynchronous training is `[0, 1, 0, 2]`, with 4 updates; in synchronous training it is `[0, 0, 0, 0]`, with 2.

# %% solution="race" kind="today"
from scipy import stats

def train(first, batches, order, rate, way, remedy):
    """Train softmax regression with several workers, one gradient after the other.

    Args:
        first: float array [features, classes].
        batches: list of (x, y): float array [rows, features], int array [rows].
        order: list of int, the worker of each gradient; worker 0 is one of them.
        rate: float. way: "asynchronous" or "synchronous".
        remedy: dict, empty or with one of the keys "scale", "drop", "warmup".
    Returns:
        dict: "weights" [features, classes], "staleness" list of int, "updates" int.
    """
    ### BEGIN SOLUTION
    w = tf.constant(first, tf.float32)
    updates = 0
    copies = {worker: (w, 0) for worker in order}
    staleness, waiting = [], []
    for (x, y), worker in zip(batches, order):
        copy, seen = copies[worker]
        with tf.GradientTape() as tape:
            tape.watch(copy)
            logits = tf.constant(x, tf.float32) @ copy
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(np.int32(y), logits)
            loss = tf.reduce_mean(losses)
        gradient = tape.gradient(loss, copy)
        age = updates - seen
        staleness.append(age)
        if way == "synchronous":
            waiting.append(gradient)
            if len(waiting) == len(copies):
                w = w - rate * tf.add_n(waiting) / len(waiting)
                updates += 1
                waiting = []
                copies = {each: (w, updates) for each in copies}
            continue
        cold = worker != 0 and updates < remedy.get("warmup", 0)
        if age <= remedy.get("drop", age) and not cold:
            w = w - rate / (1 + age if remedy.get("scale") else 1) * gradient
            updates += 1
        copies[worker] = (w, updates)
    return {"weights": w.numpy(), "staleness": staleness, "updates": updates}
    ### END SOLUTION

def compare(seeds, order, rate):
    """Compare asynchronous with synchronous training over pairs with the same seed.

    Args:
        seeds: list of at least two dict: "first", "batches" as in train, "test": (x, y).
        order: list of int, as in train. rate: float, of asynchronous training.
    Returns:
        dict: "differences" list of float, "mean" float, "margin" float,
            "better": "asynchronous", "synchronous" or None.
    """
    ### BEGIN SOLUTION
    def test_loss(weights, x, y):
        logits = np.float32(x) @ weights
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(np.int32(y), logits)
        return float(tf.reduce_mean(losses))

    differences = []
    for seed in seeds:
        found = []
        for way, its_rate in (("asynchronous", rate), ("synchronous", rate * len(set(order)))):
            run = train(seed["first"], seed["batches"], order, its_rate, way, {})
            found.append(test_loss(run["weights"], *seed["test"]))
        differences.append(found[0] - found[1])
    k = len(differences)
    mean = float(np.mean(differences))
    margin = float(stats.t.ppf(0.975, k - 1) * np.std(differences, ddof=1) / np.sqrt(k))
    better = None
    if abs(mean) > margin:
        better = "asynchronous" if mean < 0 else "synchronous"
    return {"differences": differences, "mean": mean, "margin": margin, "better": better}
    ### END SOLUTION

# %% try="race"
try:
    random = np.random.RandomState(0)
    runs = []
    for _ in range(4):
        chosen = random.randint(len(train_x), size=[40, 20])
        batches = [(train_x[rows], train_y[rows]) for rows in chosen]
        first = random.normal(size=[64, 10]) / 10
        runs.append({"first": first, "batches": batches, "test": (test_x, test_y)})
    for rate in (0.1, 2.0):
        print(f"rate {rate}:", compare(runs, [0, 1, 2, 3] * 10, rate))
except NotImplementedError as error:
    print(error)

# %% check="race-asynchronous" points=2 title="Asynchronous: each gradient at its worker's copy"
batches = [([[1.0], [2.0]], [1, 0]), ([[2.0]], [1]), ([[1.0]], [0]), ([[2.0]], [1]), ([[1.0]], [1])]
run = train([[0.0, 0.0]], batches, [0, 1, 1, 0, 1], 1.0, "asynchronous", {})
told = Told(
    asked=f"train([[0, 0]], {batches}, [0, 1, 1, 0, 1], 1., 'asynchronous', {{}})",
    got=run,
    expected="weights [[-1.9283, 1.9283]]",
    reread="section 4, Stale gradients",
)
assert isinstance(run, dict) and {"weights", "staleness", "updates"} <= set(run), told(
    "the function returns no dict with weights, staleness and updates"
)
got = [[round(float(value), 4) for value in row] for row in run["weights"]]
told.got = f"weights {got}"
asked = abs(got[0][1] - 1.9283) < 2e-3 and abs(got[0][0] + 1.9283) < 2e-3
assert abs(got[0][1] - 0.9435) > 2e-3, told(
    "each gradient is computed at the newest weights: a worker has the copy of its last pull, "
    "and only its own push renews it"
)
assert abs(got[0][1] - 1.75) > 2e-3, told(
    "the workers never copy again: after its gradient a worker copies the new weights"
)
assert abs(got[0][1] - 1.5549) > 2e-3, told(
    "a worker copies the weights as they were before its own update"
)
assert abs(got[0][1] - 2.1441) > 2e-3, told(
    "the losses of a batch's rows are added; the loss is their mean"
)
assert abs(got[0][1] + 1.8622) > 2e-3, told("the step goes uphill: subtract the gradient")
assert asked, told()

# %% check="race-synchronous" points=2 title="Synchronous: one update from all, and then all copy"
batches = [
    ([[1.0]], [1]),
    ([[2.0]], [1]),
    ([[1.0]], [0]),
    ([[2.0]], [0]),
    ([[1.0]], [1]),
    ([[2.0]], [1]),
    ([[3.0]], [0]),
]
run = train([[0.0, 0.0]], batches, [0, 1, 2, 2, 0, 1, 1], 1.0, "synchronous", {})
right = {"weights": [[-0.0579, 0.0579]], "staleness": [0] * 7, "updates": 2}
told = Told(
    asked=f"train([[0, 0]], {batches}, [0, 1, 2, 2, 0, 1, 1], 1., 'synchronous', {{}})",
    got=run,
    expected=right,
    reread="the text of exercise 3",
)
assert isinstance(run, dict) and set(right) <= set(run), told(
    "the function returns no dict with weights, staleness and updates"
)
got = round(float(run["weights"][0][1]), 4)
updates, staleness = int(run["updates"]), list(run["staleness"])
told.got = {
    "weights": [[round(float(value), 4) for value in row] for row in run["weights"]],
    "staleness": staleness,
    "updates": updates,
}
assert updates != 7, told("each gradient makes an update, as in asynchronous training")
assert updates != 3, told("the seventh gradient is left over: it makes no update")
assert abs(got + 0.8089) > 2e-3, told("the sum of the gradients was applied; it is their mean")
assert abs(got - 0.3057) > 2e-3, told(
    "after an update only one worker copies the weights; in synchronous training all do"
)
assert updates == 2 and abs(got - 0.0579) < 2e-3, told()
assert staleness == [0] * 7, told(
    "no gradient is stale in synchronous training: all workers copy after each update"
)

# %% check="race-staleness" points=1 title="How stale each gradient is"
batches = [([[1.0]], [k % 2]) for k in range(8)]
run = train([[0.0, 0.0]], batches, [0, 1, 2, 0, 1, 2, 2, 0], 0.5, "asynchronous", {})
got = [int(age) for age in run["staleness"]] if isinstance(run, dict) else run
right = [0, 1, 2, 2, 2, 2, 0, 3]
told = Told(
    asked="the staleness of the gradients of workers 0, 1, 2, 0, 1, 2, 2, 0",
    got=got,
    expected=right,
    reread="section 4, Stale gradients",
)
assert type(got) is list and len(got) == 8, told("staleness has one number for each gradient")
assert got != [age + 1 for age in right], told(
    "each gradient's own update is counted: count those before it"
)
assert got != [0] * 8, told(
    "no gradient is stale here: only its own push renews a worker's copy, others' updates make it old"
)
assert got != list(range(8)), told(
    "all updates since the beginning are counted: count from this worker's last copy"
)
assert got == right, told()

# %% check="race-compare" points=2 title="Differences of pairs, their mean and its interval"
import numpy as np

seeds = []
for n in range(3):
    batches = [
        (np.sin(np.arange(8) * (k + 1) + n).reshape(4, 2).round(1), np.array([0, 1, 1, 0]))
        for k in range(9)
    ]
    test = (np.cos(np.arange(12) + n).reshape(6, 2).round(1), np.array([0, 1, 1, 1, 0, 1]))
    seeds.append({"first": np.zeros([2, 2]), "batches": batches, "test": test})
answer = compare(seeds, [0, 1, 2] * 3, 0.8)
right = {"differences": [0.07, -0.0478, -0.0285], "mean": -0.0021, "margin": 0.157, "better": None}
told = Told(
    asked="compare of three seeds with 9 gradients of three workers at rate 0.8",
    got=answer,
    expected=right,
    reread="the text of exercise 3",
)
assert isinstance(answer, dict) and set(right) <= set(answer), told(
    "the function returns no dict with differences, mean, margin and better"
)
got = [round(float(value), 4) for value in answer["differences"]]
margin, mean = round(float(answer["margin"]), 4), round(float(answer["mean"]), 4)
told.got = {"differences": got, "mean": mean, "margin": margin, "better": answer["better"]}
assert len(got) == 3, told("differences has a number for each seed")


def close(found, expected):
    return np.allclose(found, expected, atol=1e-3)


assert not close(got, [-0.0700, 0.0478, 0.0285]), told(
    "the signs are reversed: asynchronous minus synchronous"
)
assert not close(got, [0.1741, -0.0470, 0.2432]), told(
    "both ways were trained at the same rate; synchronous training gets n times the rate"
)
assert not close(got, [0.2141, -0.0310, 0.3492]), told(
    "the rate of synchronous training was divided by n; larger batches take a larger one"
)
assert close(got, right["differences"]) and close(mean, right["mean"]), told()
for number, reason in (
    (0.0730, "2 instead of Student's t: with three runs t is 4.3"),
    (0.0715, "1.96, the value for many runs, instead of Student's t"),
    (0.1066, "t of a 90 % interval: each end leaves out 2.5 %"),
    (0.1161, "t with k instead of k - 1 degrees of freedom"),
    (0.1282, "a standard deviation with k instead of k - 1"),
    (0.2720, "the standard deviation of one run: divide it by the root of k"),
):
    assert abs(margin - number) > 4e-4, told(f"the margin is computed with {reason}")
assert close(margin, right["margin"]), told()
assert answer["better"] is None, told(
    "the interval contains 0, so these runs do not say which is better"
)

# %% hidden="race-scale" points=1 title="A stale gradient makes a shorter step"
import numpy as np

random = np.random.RandomState(draw.randrange(10**6))
order = [0, 1, 2] + [draw.randrange(3) for _ in range(6)]
batches = [(random.normal(size=[2, 2]).round(1), random.randint(3, size=2)) for _ in order]
first = random.normal(size=[2, 3]).round(1)
arguments = (first, batches, order, 1.5, "asynchronous", {"scale": True})
got, right = train(*arguments), reference.train(*arguments)
free = reference.train(first, batches, order, 1.5, "asynchronous", {})
told = Told(
    asked=f"train of 9 gradients of workers {order} with {{'scale': True}}",
    got=got,
    expected=right,
    reread="section 5, Four remedies",
)
assert not np.allclose(got["weights"], free["weights"], atol=1e-3), told(
    "the weights are those without a remedy: scale is ignored"
)
assert np.allclose(got["weights"], right["weights"], atol=2e-3), told()
assert list(got["staleness"]) == list(right["staleness"]) and got["updates"] == right["updates"], (
    told()
)

# %% hidden="race-drop" points=1 title="Gradients that are too stale make no update"
import numpy as np

random = np.random.RandomState(draw.randrange(10**6))
order = draw.choice(
    [[0, 1, 2, 0, 2, 1, 1, 0, 2, 2], [2, 0, 1, 2, 1, 0, 0, 2, 1, 1], [1, 2, 0, 1, 0, 2, 2, 1, 0, 0]]
)
batches = [(random.normal(size=[2, 2]).round(1), random.randint(3, size=2)) for _ in order]
first = random.normal(size=[2, 3]).round(1)
for limit in (1, 0):
    arguments = (first, batches, order, 1.5, "asynchronous", {"drop": limit})
    got, right = train(*arguments), reference.train(*arguments)
    told = Told(
        asked=f"train of {len(order)} gradients of workers {order} with {{'drop': {limit}}}",
        got=got,
        expected=right,
        reread="the text of exercise 3",
    )
    free = reference.train(*arguments[:5], {})
    assert not np.allclose(got["weights"], free["weights"], atol=1e-3), told(
        "the weights are those without a remedy: drop is ignored"
    )
    assert len(got["staleness"]) == len(order), told(
        "staleness has a number for each gradient, for a dropped one too"
    )
    assert (
        list(got["staleness"]) == list(right["staleness"]) and got["updates"] == right["updates"]
    ), told()
    assert np.allclose(got["weights"], right["weights"], atol=2e-3), told()

# %% hidden="race-warmup" points=1 title="Only worker 0 counts during the warm-up"
import numpy as np

random = np.random.RandomState(draw.randrange(10**6))
order = draw.choice([[1, 2, 0, 1, 0, 2, 1, 0, 2], [2, 1, 0, 2, 0, 1, 2, 0, 1]])
batches = [(random.normal(size=[2, 2]).round(1), random.randint(3, size=2)) for _ in order]
first = random.normal(size=[2, 3]).round(1)
arguments = (first, batches, order, 1.5, "asynchronous", {"warmup": 2})
got, right = train(*arguments), reference.train(*arguments)
told = Told(
    asked=f"train of {len(order)} gradients of workers {order} with {{'warmup': 2}}",
    got=got,
    expected=right,
    reread="the text of exercise 3",
)
free = reference.train(*arguments[:5], {})
assert not np.allclose(got["weights"], free["weights"], atol=1e-3), told(
    "the weights are those without a remedy: warmup is ignored"
)
assert len(got["staleness"]) == len(order), told(
    "staleness has a number for each gradient, for a dropped one too"
)
assert list(got["staleness"]) == list(right["staleness"]) and got["updates"] == right["updates"], (
    told()
)
assert np.allclose(got["weights"], right["weights"], atol=2e-3), told()

# %% hidden="race-verdict" points=2 title="Better, worse, undecided"
import numpy as np

random = np.random.RandomState(draw.randrange(10**6))
order = [0, 1, 2] * 4
centre = np.array([[2.0, 0.0], [0.0, 2.0]])


def rows_near(labels):
    return (centre[labels] + random.normal(size=[len(labels), 2]) / 50).round(2)


seeds = []
for _ in range(3):
    batches = [(rows_near([0, 1, 0, 1]), np.array([0, 1, 0, 1])) for _ in order]
    batches[-3:] = [(x, 1 - y) for x, y in batches[-3:]]
    first = (random.normal(size=[2, 2]) / 50).round(3)
    seeds.append(
        {"first": first, "batches": batches, "test": (rows_near([0, 1] * 4), np.array([0, 1] * 4))}
    )
turned = [{**seed, "test": (seed["test"][0], 1 - seed["test"][1])} for seed in seeds]
for name, asked, pushes in (
    ("three seeds", seeds, order),
    ("the same with other labels in the test rows", turned, order),
    ("two of the first and one of the second", [seeds[0], turned[1], seeds[2]], order),
    ("five seeds, of two workers who are not in turn", [*seeds, *turned[1:]], [2, 2, 0, 0, 2, 0] * 2),
):
    got, right = compare(asked, pushes, 0.6), reference.compare(asked, pushes, 0.6)
    told = Told(
        asked=f"compare of {name}; order {pushes}",
        got=got,
        expected=right,
        reread="section 3, Asynchronous, synchronous, backup: speed and quality",
    )
    assert np.shape(got["differences"]) == np.shape(right["differences"]), told(
        "differences has a number for each seed"
    )
    assert np.shape(got["mean"]) == np.shape(got["margin"]) == (), told("mean and margin are numbers")
    assert np.allclose(got["differences"], right["differences"], atol=2e-3), told()
    assert np.allclose([got["mean"], got["margin"]], [right["mean"], right["margin"]], atol=5e-3), (
        told()
    )
    undecided = right["better"] is None and got["better"] is not None
    assert not undecided, told("the interval contains 0: these runs do not say which is better")
    assert got["better"] == right["better"], told()

# %% [markdown]
# ## Sitting 3 · What it costs, and other ways to cut
#
# ## 6 Speed, read from a trace
#
# How fast is a step, and what does it wait for? A **trace** says so: TensorFlow's record of when each op began and ended. Below is one replica's step: three layers forward, three back, and each layer's gradient goes out over a link. The computing is real. The link is played by a wait,
# as long as the bytes need at 0.35 gigabytes a second, and it carries one message at a time.

# %% grading="skip"
LINK = 0.35e9  # bytes a second

def send(value, name, after):
    """The value, after the ops `after` and the time that its bytes need on the link."""

    def carry(array):
        time.sleep(array.nbytes / LINK)
        return array

    with tf.device(device(1)), tf.control_dependencies(after):
        return tf.numpy_function(carry, [value], tf.float32, name=name)

# %% [markdown]
# Backward, layer 2 is done first, then 1, then 0. **Late** sends when all gradients are there. **Early** sends each as soon as it is there:

# %% grading="skip"
def one_replica(early, layers=3, rows=512, width=1024):
    with tf.Graph().as_default() as graph, tf.device(device(0)):
        w = [tf.fill([width, width], 1 / width) for _ in range(layers)]
        h = [tf.random.normal([rows, width])]     # constants would be computed in advance
        for k in range(layers):
            h.append(tf.matmul(h[k], w[k], name=f"forward{k}"))
        back, gradients, link = h[-1], {}, []
        for k in reversed(range(layers)):
            gradients[k] = tf.matmul(h[k], back, transpose_a=True, name=f"gradient{k}")
            back = tf.matmul(back, w[k], transpose_b=True, name=f"back{k}")
        for k, gradient in gradients.items():
            after = [] if early else list(gradients.values())
            link.append(send(gradient, f"send{k}", after + link[-1:]))
        tf.group(*link, back, name="step")
    return graph

# %% predict="overlap"
# Predict: each message takes 12 ms.
# By how many milliseconds is "early" shorter than "late"?
shorter = ...

# %% grading="skip"
traces, lengths = {}, {}
for name, early in (("late", False), ("early", True)):
    graph = one_replica(early)
    step = graph.get_operation_by_name("step")
    runs = [run_recorded(graph, step, threads=4, cpus=2)[1] for _ in range(5)]
    spans_of = {max(end for _, end in spans(run).values()): run for run in runs[1:]}
    lengths[name] = min(spans_of)
    traces[name] = spans_of[lengths[name]]
    draw_timeline(traces[name], f"{name}: CPU:0 computes, CPU:1 is the link")
gain = lengths["late"] - lengths["early"]
why = "what computing hides costs nothing"
compare_prediction("milliseconds shorter", shorter, round(gain, 1), why)

# %% [markdown]
# Early, much of the traffic hides behind the computing: that is **overlap**. What no computing hides is **exposed**, and only that costs time. The gradient of the first layer comes last and has hardly anything left to hide behind. At best, the two other messages, 24 ms, are hidden. (Times on a busy machine vary; a second run of the cell shows by how much.)
#
# Real jobs do this. A message takes a while to start, so small gradients are packed into **buckets** and each bucket leaves when it is full: PyTorch's data parallelism takes [25 MB a bucket](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html),
# in TensorFlow `tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…)` sets it. A model with large buckets sends late, one with tiny ones starts many messages.

# %% [markdown] exercise="trace"
# ### Exercise 4 · What a step waits for
#
# Write `read_trace(record, rows)`. `record` is a trace as bytes: a serialized `tf.compat.v1.RunMetadata`. Its `step_stats.dev_stats` has an entry for each device, with its name in `device` (such as
# `/job:localhost/replica:0/task:0/device:CPU:0`) and its ops in `node_stats`. An op has a
# `node_name`; it ran from `all_start_micros` for `all_end_rel_micros` microseconds. Ops whose names begin with `_` are the runtime's own and do not count {#1}. Ops whose names begin with `send` are messages on the link; all others compute. Return a dict with
#
# * `"step"`: milliseconds from the beginning of the first op to the end of the last one, on whatever device {#2};
# * `"computing"`: for each device that computes, under its last part such as `"CPU:0"` {#3}, the milliseconds in which at least one of its ops computes: two ops at the same time count once {#4}, a gap between ops not at all {#5};
# * `"link"`: the milliseconds in which at least one message is on the link {#6}; and `"exposed"`: those of them
#   in which no device computes {#7};
# * `"rows_per_second"`: the rows worked through in a second, if each step works on `rows` rows {#8}.
#
# Example: on CPU:0, `forward` runs from 1000 to 5000 microseconds and `back` from 5000 to 9000; on CPU:1, `send0` from 7000 to 12000. For 22 rows: step 11, computing {"CPU:0": 8}, link 5, exposed 3 milliseconds, 2000 rows per second.

# %% solution="trace" kind="log"
def read_trace(record, rows):
    """What a step's trace says about its speed.

    Args:
        record: bytes, a serialized RunMetadata. rows: int, rows of a step.
    Returns:
        dict: "step", "link", "exposed" in milliseconds, "computing" {"CPU:0": milliseconds},
            "rows_per_second".
    """
    ### BEGIN SOLUTION
    metadata = tf.compat.v1.RunMetadata.FromString(record)
    computing, link = {}, []
    for entry in metadata.step_stats.dev_stats:
        name = ":".join(entry.device.split(":")[-2:])
        for op in entry.node_stats:
            span = (op.all_start_micros, op.all_start_micros + op.all_end_rel_micros)
            if op.node_name.startswith("send"):
                link.append(span)
            elif not op.node_name.startswith("_"):
                computing.setdefault(name, []).append(span)

    def covered(spans):
        total, until = 0, 0
        for begin, end in sorted(spans):
            total += max(0, end - max(begin, until))
            until = max(until, end)
        return total / 1000

    work = [span for spans in computing.values() for span in spans]
    every = work + link
    step = (max(end for _, end in every) - min(begin for begin, _ in every)) / 1000
    return {
        "step": step,
        "computing": {name: covered(spans) for name, spans in computing.items()},
        "link": covered(link),
        "exposed": covered(every) - covered(work),
        "rows_per_second": rows / step * 1000,
    }
    ### END SOLUTION

# %% try="trace"
try:
    for name, metadata in traces.items():
        print(name, read_trace(metadata.SerializeToString(), 512))
except (NotImplementedError, NameError) as error:
    print(error)

# %% check="trace-plain" points=2 title="A step on two devices"
import tensorflow as tf

made = {
    "CPU:0": [("forward", 1000, 4000), ("back", 5000, 4000)],
    "CPU:1": [("send0", 7000, 5000), ("_Recv", 200, 500)],
}
record = tf.compat.v1.RunMetadata()
for device, ops in made.items():
    entry = record.step_stats.dev_stats.add(
        device=f"/job:localhost/replica:0/task:0/device:{device}"
    )
    for name, begin, micros in ops:
        entry.node_stats.add(node_name=name, all_start_micros=begin, all_end_rel_micros=micros)
answer = read_trace(record.SerializeToString(), 22)
right = {
    "step": 11.0,
    "computing": {"CPU:0": 8.0},
    "link": 5.0,
    "exposed": 3.0,
    "rows_per_second": 2000.0,
}
told = Told(
    asked=f"read_trace of (op, begin, microseconds) = {made}, 22 rows",
    got=answer,
    expected=right,
    reread="section 6, Speed, read from a trace",
)
assert isinstance(answer, dict) and set(answer) == set(right), told(
    "the keys are step, computing, link, exposed and rows_per_second"
)
assert isinstance(answer["computing"], dict), told(
    "computing is a dict with the devices that compute"
)
got = {name: float(value) for name, value in answer["computing"].items()}
step, link, exposed, speed = [
    float(answer[name]) for name in ("step", "link", "exposed", "rows_per_second")
]
assert abs(step - 11000) > 1 and abs(link - 5000) > 1, told(
    "these are microseconds; milliseconds are asked for"
)
assert abs(step - 11.8) > 1e-6, told(
    "the step begins with _Recv, an op of the runtime's own, which does not count"
)
assert abs(step - 12) > 1e-6, told(
    "the step is counted from 0, not from the beginning of its first op"
)
assert abs(step - 8) > 1e-6, told(
    "the step ends with the last op on whatever device, a message too"
)
assert "CPU:1" not in got, told("the device CPU:1 only sends; it does not compute")
assert set(got) == {"CPU:0"}, told("a device is named by its last part, CPU:0")
assert abs(exposed - 5) > 1e-6, told(
    "all of the link's time is counted as exposed; back runs during two milliseconds of it"
)
assert abs(speed - 2) > 1e-6, told("these are rows a millisecond")
assert abs(step - 11) < 1e-6 and abs(link - 5) < 1e-6 and abs(exposed - 3) < 1e-6, told()
assert abs(got["CPU:0"] - 8) < 1e-6 and abs(speed - 2000) < 1e-3, told()

# %% check="trace-overlap" points=1 title="Ops at the same time, and gaps"
import tensorflow as tf

made = {
    "GPU:0": [("a", 2000, 4000), ("b", 3000, 1000), ("c", 9000, 1000)],
    "GPU:1": [("d", 5000, 3000)],
    "CPU:0": [("send1", 6000, 2000), ("send0", 7000, 4000)],
}
record = tf.compat.v1.RunMetadata()
for device, ops in made.items():
    entry = record.step_stats.dev_stats.add(device=f"/job:worker/replica:0/task:3/device:{device}")
    for name, begin, micros in ops:
        entry.node_stats.add(node_name=name, all_start_micros=begin, all_end_rel_micros=micros)
answer = read_trace(record.SerializeToString(), 9)
right = {"computing": {"GPU:0": 5.0, "GPU:1": 3.0}, "link": 5.0, "exposed": 2.0}
got = {name: answer[name] for name in right}
told = Told(
    asked=f"read_trace of (op, begin, microseconds) = {made}",
    got=got,
    expected=right,
    reread="the text of exercise 4",
)
computing = {name: float(value) for name, value in got["computing"].items()}
assert "CPU:0" not in computing, told("the device CPU:0 only sends; it does not compute")
assert set(computing) == {"GPU:0", "GPU:1"}, told(
    "a device is named by its last part, such as GPU:0"
)
assert abs(computing["GPU:0"] - 6) > 1e-6, told(
    "a and b run at the same time for a millisecond, which counts once"
)
assert abs(computing["GPU:0"] - 8) > 1e-6, told(
    "the gap between a and c is counted: from the first op to the last is not the time in which it computes"
)
assert abs(float(got["link"]) - 6) > 1e-6, told(
    "the two messages overlap for a millisecond, which counts once"
)
assert abs(float(got["exposed"]) - 4) > 1e-6 and abs(float(got["exposed"]) - 3) > 1e-6, told(
    "only one device was looked at: exposed is what no device's computing hides"
)
assert all(abs(computing[name] - right["computing"][name]) < 1e-6 for name in computing), told()
assert abs(float(got["link"]) - 5) < 1e-6 and abs(float(got["exposed"]) - 2) < 1e-6, told()

# %% hidden="trace-drawn" points=2 title="Other traces"
import tensorflow as tf

for case in range(4):
    record = tf.compat.v1.RunMetadata()
    origin = draw.randrange(10**11, 10**12)
    for number in range(3):
        entry = record.step_stats.dev_stats.add(
            device=f"/job:localhost/replica:0/task:0/device:CPU:{number}"
        )
        for k in range(draw.randrange(2, 6)):
            name = (
                draw.choice([f"layer{k}", f"back{k}_send", f"sender/{k}", f"send{k}", "_SOURCE"])
                if k
                else f"first{number}"
            )
            begin = origin + draw.randrange(0, 9000)
            entry.node_stats.add(
                node_name=name, all_start_micros=begin, all_end_rel_micros=draw.randrange(1, 3000)
            )
    entry.node_stats.add(node_name="_SINK", all_start_micros=origin - 500, all_end_rel_micros=20000)
    entry.node_stats.add(node_name="send9", all_start_micros=origin + 8000, all_end_rel_micros=5000)
    got, right = (
        read_trace(record.SerializeToString(), 64),
        reference.read_trace(record.SerializeToString(), 64),
    )
    ops = [
        [op.node_name, op.all_start_micros - origin, op.all_end_rel_micros]
        for entry in record.step_stats.dev_stats
        for op in entry.node_stats
    ]
    told = Told(
        asked=f"read_trace of the ops {ops} on three devices, 64 rows",
        got=got,
        expected=right,
        reread="the text of exercise 4",
    )
    assert set(got["computing"]) == set(right["computing"]), told()
    assert (
        abs(got["step"] - right["step"]) < 1e-3
        and abs(got["rows_per_second"] - right["rows_per_second"]) < 1e-2
    ), told()
    assert all(
        abs(got["computing"][name] - value) < 1e-3 for name, value in right["computing"].items()
    ), told()
    assert (
        abs(got["link"] - right["link"]) < 1e-3 and abs(got["exposed"] - right["exposed"]) < 1e-3
    ), told()

# %% [markdown]
# ## 7 Bandwidth saturation: a cost model
#
# More devices compute faster, but they also send more. At some point the links are full: **bandwidth saturation**. A model of a step's time has three parts:
#
# ```text
# seconds = start + per row · rows + bytes / bandwidth
# ```
#
# The three numbers come from **measuring**. A step on the cluster: get `size` numbers from the ps, compute on some rows, send as many numbers back. (Each number has 4 bytes and travels **twice**: as a weight to the worker, as a gradient back.) Then least squares gives the three unknowns.

# %% grading="skip"
grid = [(rows, size) for rows in (100, 800, 1600) for size in (1000, 1_000_000, 2_000_000)]
held_out = [(400, 1_500_000), (1200, 500_000)]
taken = {point: measured_step(cluster, *point) for point in grid + held_out}
for (rows, size), seconds in taken.items():
    print(f"{rows:5} rows, {size:8} numbers: {1000 * seconds:5.1f} ms")

# %% grading="skip"
table = np.array([[1, rows, 2 * 4 * size] for rows, size in grid])
seconds = np.array([taken[point] for point in grid])
fitted, *_ = np.linalg.lstsq(table, seconds, rcond=None)
start_s, per_row, per_byte = np.maximum(fitted, [0, 1e-9, 1e-12])  # noise: never negative
print(f"start {1000 * start_s:.1f} ms, {1e6 * per_row:.1f} µs a row,", end=" ")
print(f"{1e-9 / per_byte:.2f} gigabytes/second. Not used for the fit:")
for rows, size in held_out:
    guess = start_s + per_row * rows + per_byte * 8 * size
    print(f"model {1000 * guess:.1f} ms, measured {1000 * taken[rows, size]:.1f} ms")

# %% [markdown]
# If the last two lines agree, you may trust the model for sizes that you have not measured. (All tasks share this
# machine's cores here, so a busy machine moves the figures.)
#
# ### Why eight GPUs are not eight times as fast
#
# Two questions get mixed up here. Do n devices share **the same global batch**, so that each computes 1/n of it? Or does each keep **its local batch**, so that the global batch grows n times? A ring sends 2 (n − 1)/n of all bytes either way. Let r be the time that
# a link needs for all bytes, divided by the time that one device alone computes in a step. Then n devices work through
# this many times as many rows a second as one:
#
# ```text
# fixed global batch:  n / (1 + 2 (n − 1) · r)      many devices: 1 / (2 r)
# fixed local batch:   n / (1 + 2 (n − 1)/n · r)    many devices: n / (1 + 2 r)
# ```
#
# (The first is 1 / (1/n + 2 (n − 1)/n · r), times n above and below.)
#
# A book for many readers says that 2, 4 and 8 GPUs give close to 2, about 3.8 and about 7.3 times the speed, if the global
# batch is large enough to keep each GPU busy ([Chollet and Watson, *Deep Learning with Python*, chapter
# 18](https://deeplearningwithpython.io/chapters/chapter18_best-practices-for-the-real-world)). It names no measurement, and
# does not say which of the two questions it answers. Does one r explain it?

# %% grading="skip"
known = {2: 2.0, 4: 3.8, 8: 7.3}
traffic = {"global": lambda n: 2 * (n - 1), "local": lambda n: 2 * (n - 1) / n}
for fixed, volume in traffic.items():
    a = np.array([volume(n) for n in known])
    b = np.array([n / gain - 1 for n, gain in known.items()])  # n / gain = 1 + volume(n) r
    r = float(a @ b / (a @ a))
    gains = {n: round(n / (1 + volume(n) * r), 1) for n in (2, 4, 8, 64)}
    print(f"fixed {fixed} batch: r = {r:.4f}, speed-ups {gains}")

# %% [markdown]
# Both fit the three figures within a few per cent, and for 64 GPUs one says 34, the other 59. Three figures up to 8 cannot tell. So whenever you read "eight times as fast", ask: at which batch? And does training with that batch still converge (section 2)?
#
# For measured figures, on convolutional networks, see [Krizhevsky, 2014](https://arxiv.org/abs/1404.5997); we have not repeated them.
#
# Overlap (section 6) shrinks the second term: what travels during the backward pass, about two thirds of the computing, costs nothing. That is why real jobs do better than the plain formula.
#
# ### Parameter servers, and where more stops paying
#
# All n workers pull from and push to the same ps: its link carries 2n times all bytes. So a term **grows** with n. With a fixed global batch there is a best n, and after it each worker makes all slower:
#
# ```text
# seconds(n) = computing / n + 2 n · bytes / (servers · bandwidth)
# ```
#
# Your own fitted machine, for 20 000 rows and a million parameters:

# %% grading="skip"
mine = {"compute": per_row * 20_000, "parameters": 1_000_000, "gigabytes": 1e-9 / per_byte}
draw_cost(most=32, **mine)

# %% [markdown]
# Three remedies, and what each changes in the formula:
#
# | remedy | changes | note |
# | --- | --- | --- |
# | put the GPUs into **one server** | bandwidth | links inside a machine are many times as fast as a network of 10 gigabits (1.25 gigabytes) a second |
# | **shard** the variables over several ps tasks | bytes for each link ÷ servers | `replica_device_setter` does it (lesson 07); `fixed_size_partitioner` cuts one large variable |
# | **float16 on the wire** | bytes ÷ 2 | cast before sending, cast back after; sums stay float32 |
#
# **Play with it.** A network of 1.25 gigabytes a second, 25 million parameters, a batch that one device computes in a second: how many devices pay? What do four servers change, what does float16? Then let each device keep its batch, and let gradients travel during the computing.
#
# <details><summary>What you find</summary>
#
# With one server three devices pay; with four servers five, with float16 and one server four. A link of 12.5 gigabytes a second makes 8 devices in a ring 7.2 times as fast. If each device keeps its batch, even the slow network gives 7 times with 8 devices in a ring, and with two thirds of overlap all 8.
# </details>
#
# <details><summary>Picture for reading without a kernel</summary>
#
# ![The widget's curve for a batch of one second, 25 million parameters, a link of 1.25 gigabytes a second and one parameter server: speed-up against devices. The ring rises ever more slowly to 5.8 with 64 devices; the parameter server is best with 3 devices, and with 8 slower than one device alone.](assets/09_widget.svg)
#
# </details>

# %% grading="skip"
choose_cost()

# %% [markdown] exercise="speedup"
# ### Exercise 5 · Where more devices stop paying
#
# Write three functions.
#
# `fit(runs)`: the cost model from measured runs, by least squares over all runs. A run is a dict with `"rows"`, `"bytes"` (of all weights) and `"seconds"`; all weights travel **twice** {#1}. Return `{"start": seconds, "per_row": seconds, "bandwidth": bytes a second}` for
# *seconds = start + per_row · rows + 2 · bytes/bandwidth* {#2}.
#
# `speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0., servers=1, wire=4)`: how many times as many **rows a second** n devices work through as one. `cost` is what `fit` returns, `size` the number of parameters, `wire` the bytes of a number that travels {#3}.
#
# * With `fixed="global"` all devices together have `rows` rows, in equal shares; with `fixed="local"` each device has `rows` rows {#4}.
# * One device needs start + per_row · rows; nothing travels, whatever the way {#5}. Of n devices each needs start, which does not shrink {#6}, and its rows; then comes the traffic.
# * `way="ring"`: 2 (n − 1)/n of all bytes, over a link {#7}. `way="ps"`: all bytes twice **for each of the n devices** {#8}, over the links of all servers together {#9}.
# * Traffic hides behind computing: `overlap` is the share of a device's time for its rows (per_row · its rows, without start) during which gradients travel already. What is hidden costs nothing, and no more can be hidden than there is {#10}.
#
# `best(cost, rows, size, most=64, **more)`: the number of devices, from 1 to `most` {#11}, with the largest speed-up; the smallest such number if several are equal {#12}. `more` goes on to `speedup` {#13}.
#
# Example: `cost = {"start": 0., "per_row": 0.001, "bandwidth": 1e9}`, 1000 rows, 1 750 000 parameters: the ring with n = 2, 4, 8 is 1.97, 3.84 and 7.29 times as fast, with `fixed="local"` 1.99, 3.96 and 7.9 times; `way="ps"` with n = 8 is 4.22 times as fast, and 8 is its best.

# %% solution="speedup" kind="model"
def fit(runs):
    """Fit the cost model to measured runs.

    Args:
        runs: list of dict: "rows" (int), "bytes" (int, of all weights), "seconds" (float).
    Returns:
        dict: "start" in seconds, "per_row" in seconds, "bandwidth" in bytes a second.
    """
    ### BEGIN SOLUTION
    table = np.array([[1, run["rows"], 2 * run["bytes"]] for run in runs], float)
    seconds = np.array([run["seconds"] for run in runs])
    scale = table.max(0)
    (start, per_row, per_byte), *_ = np.linalg.lstsq(table / scale, seconds, rcond=None)
    return {"start": start, "per_row": per_row / scale[1], "bandwidth": scale[2] / per_byte}
    ### END SOLUTION

def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0.0, servers=1, wire=4):
    """How many times as many rows a second n devices work through as one.

    Args:
        cost: dict as `fit` returns it. rows, size, n: int, rows, parameters, devices.
        way: "ring" or "ps". fixed: "global" or "local".
        overlap: float, share of a device's time for its rows during which gradients travel.
        servers: int, parameter servers. wire: int, bytes of a number that travels.
    Returns:
        float: rows a second of n devices, divided by rows a second of one.
    """
    ### BEGIN SOLUTION
    def seconds(n):
        computing = cost["per_row"] * rows / (n if fixed == "global" else 1)
        if n == 1:
            return cost["start"] + computing
        times = 2 * (n - 1) / n if way == "ring" else 2 * n / servers
        traffic = times * size * wire / cost["bandwidth"]
        return cost["start"] + computing + max(0, traffic - overlap * computing)

    return seconds(1) / seconds(n) * (n if fixed == "local" else 1)
    ### END SOLUTION

def best(cost, rows, size, most=64, **more):
    """The number of devices with the largest speed-up.

    Args:
        cost, rows, size, more: as for speedup, without n. most: int, try 1 to `most` devices.
    Returns:
        int; the smallest if several are equal.
    """
    ### BEGIN SOLUTION
    return max(range(1, most + 1), key=lambda n: (speedup(cost, rows, size, n, **more), -n))
    ### END SOLUTION

# %% try="speedup"
try:
    cost = {"start": 0.0, "per_row": 0.001, "bandwidth": 1e9}
    for fixed in ("global", "local"):
        gains = [speedup(cost, 1000, 1_750_000, n, fixed=fixed) for n in (2, 4, 8)]
        print(fixed, [round(gain, 2) for gain in gains])
    gain = speedup(cost, 1000, 1_750_000, 8, "ps")
    print("ps", round(gain, 2), "best:", best(cost, 1000, 1_750_000, way="ps"))
except NotImplementedError as error:
    print(error)

# %% check="speedup-fit" points=2 title="The cost model from measured runs"
cost = {"start": 0.004, "per_row": 0.0001, "bandwidth": 5e8}
points = [
    (100, 10_000_000),
    (400, 10_000_000),
    (100, 40_000_000),
    (800, 20_000_000),
    (50, 5_000_000),
]
runs = [
    {"rows": rows, "bytes": size, "seconds": 0.004 + 0.0001 * rows + 2 * size / 5e8}
    for rows, size in points
]
answer = fit([dict(run) for run in runs])
told = Told(
    asked="fit of five runs with 4 ms to start, 0.1 ms a row, 0.5 gigabytes a second",
    got=answer,
    expected=cost,
    reread="section 7, Bandwidth saturation: a cost model",
)
assert isinstance(answer, dict) and set(answer) == set(cost), told(
    "the result is no dict of start, per_row and bandwidth"
)
got = {name: float(value) for name, value in answer.items()}


def near(a, b):
    return abs(a - b) <= 1e-4 * abs(b)


assert not near(got["bandwidth"], 2.5e8), told(
    "the bytes were counted once; weights go to the worker and come back as gradients"
)
assert not near(got["bandwidth"], 2e-9) and not near(got["bandwidth"], 4e-9), told(
    "that is seconds a byte: the bandwidth is its inverse"
)
assert abs(got["start"]) > 1e-9, told(
    "the time to start is 0: a column of ones in the table stands for it"
)
assert all(near(got[name], cost[name]) for name in cost), told()

# %% check="speedup-ring" points=1 title="A ring with a fixed global batch"
cost = {"start": 0.0, "per_row": 0.001, "bandwidth": 1e9}
got = [round(float(speedup(cost, 1000, 1_750_000, n, "ring")), 2) for n in (1, 2, 4, 8)]
right = [1.0, 1.97, 3.84, 7.29]
told = Told(
    asked="the ring with 1, 2, 4, 8 devices; computing 1 s, all bytes over a link 7 ms",
    got=got,
    expected=right,
    reread="section 7, Bandwidth saturation: a cost model",
)
assert got[1:] != [2.0, 4.0, 8.0], told("nothing travels in this answer")
assert got != [1.0, 1.99, 3.92, 7.63], told(
    "the bytes travel one way only: (n - 1)/n to add, and as many to hand round"
)
assert got[3] not in (7.19, 7.2), told(
    "each device sends all bytes twice; in a ring it is 2 (n - 1)/n of them"
)
assert got[1] >= 1, told(
    "two devices are slower than one: each seems to compute all rows of the global batch"
)
assert got[0] == 1.0, told("one device sends nothing, so its speed-up is 1")
assert got == right, told()

# %% check="speedup-local" points=1 title="Each device keeps its batch"
cost = {"start": 0.1, "per_row": 0.0004, "bandwidth": 1e9}
got = [round(float(speedup(cost, 1000, 25_000_000, n, "ring", "local")), 3) for n in (1, 2, 8)]
right = [1.0, 1.667, 5.926]
told = Told(
    asked="the ring with 1, 2, 8 devices of 1000 rows each; start 0.1 s, computing 0.4 s, all bytes 0.1 s",
    got=got,
    expected=right,
    reread="section 7, Bandwidth saturation: a cost model",
)
assert got != [1.0, 0.833, 0.741], told(
    "these are seconds against seconds; n devices work through n times as many rows in a step"
)
assert got != [1.0, 1.25, 1.481] and got != [1.0, 1.25, 1.538], told(
    "the rows were shared, as with a fixed global batch"
)
assert got != [1.0, 2.5, 11.852], told("the rows were shared and the speed multiplied by n as well")
assert got == right, told()

# %% hidden="speedup-drawn" points=2 title="Noisy runs; other jobs: start, servers, wire, overlap"
runs = [
    {
        "rows": rows,
        "bytes": size,
        "seconds": 0.01 + 0.0002 * rows + size / 2e8 + draw.choice([-0.02, -0.01, 0.015, 0.025]),
    }
    for rows, size in [
        (100, 10**7),
        (400, 10**7),
        (100, 4 * 10**7),
        (800, 2 * 10**7),
        (50, 10**6),
        (600, 3 * 10**7),
    ]
]
got, right = fit([dict(run) for run in runs]), reference.fit(runs)
told = Told(
    asked=f"fit of {runs}",
    got=got,
    expected=right,
    reread="the text of exercise 5",
)
assert abs(float(got["per_row"]) - right["per_row"]) <= 1e-3 * right["per_row"], told(
    "it is not by least squares over all runs: what is measured is never exact"
)
assert abs(float(got["start"]) - right["start"]) <= 1e-4, told(
    "per_row is by least squares over all runs, start is not"
)
ratio, product = float(got["bandwidth"]) / right["bandwidth"], float(got["bandwidth"]) * right["bandwidth"]
# bytes counted once, or an inverse: speedup-fit tells that
assert any(abs(value - 1) <= 1e-3 for value in (ratio, 2 * ratio, product, product / 2)), told(
    "per_row is by least squares over all runs, bandwidth is not"
)
for way in ("ring", "ps"):
    for fixed in ("global", "local"):
        for overlap in (0.0, 0.5):
            cost = {
                "start": draw.choice([0.02, 0.05]),
                "per_row": draw.choice([0.0005, 0.0008]),
                "bandwidth": draw.choice([1e9, 2e9]),
            }
            n, servers, wire = draw.choice([2, 6, 12]), draw.choice([2, 4]), draw.choice([2, 8])
            for size in (400_000, 50_000_000, 2_000_000_000):
                for count in (1, n):
                    arguments = (cost, 2000, size, count, way, fixed, overlap, servers, wire)
                    got, right = float(speedup(*arguments)), reference.speedup(*arguments)
                    names = f"n={count}, {way!r}, {fixed!r}, {overlap}, servers={servers}, wire={wire}"
                    told = Told(
                        asked=f"speedup({cost}, 2000, {size}, {names})",
                        got=got,
                        expected=right,
                        reread="the text of exercise 5",
                    )
                    assert abs(got - right) <= 1e-6 * right, told()

# %% hidden="speedup-best" points=1 title="The best number of devices"
cost = {"start": 0.0, "per_row": 0.001, "bandwidth": draw.choice([1e9, 1.1e9, 1.2e9])}
jobs = [
    (1_750_000, 64, {"way": "ps"}),
    (1_750_000, 64, {"way": "ps", "servers": 4}),
    (1_750_000, 64, {"way": "ps", "wire": 2}),
    (250_000_000, 64, {"way": "ps"}),
    (1_750_000, 64, {}),
    (1_750_000, 5, {}),
    (0, 9, {}),
    (400_000_000, 20, {"overlap": 0.0}),
    (500_000_000, 6, {"way": "ps", "fixed": "local"}),
]
for size, most, more in jobs:
    got, right = (
        best(cost, 1000, size, most, **more),
        reference.best(cost, 1000, size, most, **more),
    )
    told = Told(
        asked=f"best({cost}, 1000, {size}, {most}, **{more})",
        got=got,
        expected=right,
        reread="the text of exercise 5",
    )
    assert got == right, told()
flat = {"start": 1.0, "per_row": 0.0, "bandwidth": 1e30}
got = best(flat, 1000, 1, 8)
told = Told(
    asked=f"best({flat}, 1000, 1, 8), where all numbers of devices are equally fast",
    got=got,
    expected=1,
    reread="the text of exercise 5",
)
assert got == 1, told()

# %% [markdown]
# ## 8 Splitting a model
#
# Now the other way: **one** model over several devices. Here are the cuts of sections 8 to 10. Run the cell; come back to each function when its picture comes. First `by_layers`: the variables of each layer are on a device of its own.

# %% include="model_splits.py" shown=True

# %% predict="layers"
# Predict: 256 rows, three layers 1024 x 1024 on three devices.
# How many bytes go from device 0 to device 1? (And which devices work at the same time?)
bytes_0_to_1 = ...

# %% grading="skip"
layers, outputs = by_layers([1024] * 4, 256)
_, metadata = run_and_trace(layers, [h.op for h in outputs])  # run it, fetch nothing
draw_timeline(metadata, "Three layers, cut between layers")
print("layers 0 and 1 at the same time:", overlap(metadata, "layer0", "layer1"), "ms")
sent = moved(layers, metadata)
print(sent)
why = "256 rows x 1024 values x 4 bytes; the weights stay"
compare_prediction("bytes", bytes_0_to_1, sent["CPU:0 to CPU:1"], why)

# %% [markdown]
# Never two layers at once: layer 1 needs *all* of layer 0. Three devices, the speed of one. Note what travels: **activations**, rows × width. Not the weights.
#
# So cut each layer **by columns** (`by_columns`): device 0 has the left half of each matrix, device 1 the right half. Before the next layer, each needs the half of the other. The four layers are here 2048 and 512 wide in turn:

# %% grading="skip"
columns, halves = by_columns([512, 2048, 512, 2048, 512], 256)
_, metadata = run_and_trace(columns, [half.op for half in halves])
draw_timeline(metadata, "Four layers, cut by columns")
print(moved(columns, metadata))

# %% [markdown]
# Now both work at once, but before each layer they **exchange halves**. Four layers, four exchanges (the first because the input lies here in halves, too).
#
# There is a better cut. Take the layers in **pairs** (`by_pairs`): the first of a pair **by columns**, the second **by rows**. Device 0 then has the left half of the values between them, and its half of the second matrix needs just these: nothing to exchange. At the end of the pair each device has a part of every sum,
# and an all-reduce adds them up:

# %% grading="skip"
pairs, sums = by_pairs([512, 2048, 512, 2048, 512], 256)
_, metadata = run_and_trace(pairs, [total.op for total in sums])
draw_timeline(metadata, "Four layers, cut in pairs: columns, then rows")
print(moved(pairs, metadata))
layers, outputs = by_layers([512, 2048, 512, 2048, 512], 256)
right = run_and_trace(layers, outputs)[0][0]
by_halves = np.concatenate(run_and_trace(columns, halves)[0], axis=1)
by_sums = run_and_trace(pairs, sums)[0][1]
same = [np.allclose(values, right, rtol=1e-3) for values in (by_halves, by_sums)]
print("the same answer as one device gives:", same)

# %% [markdown]
# Two exchanges instead of four, and less than half of the bytes: the wide values between the layers of a pair never travel. (In a transformer, too, they are four times as wide as the rest.) This is **tensor parallelism**, as [Megatron-LM](https://arxiv.org/abs/1909.08053) does it: one all-reduce for two layers, over the fast links inside a machine.
#
# | dense net, training: forward and as much back | devices at work at once | bytes in a step, all devices together |
# | --- | --- | --- |
# | between layers | 1 (section 10 improves that) | 2 · rows × width × 4, for each cut |
# | by columns, n devices | n | 2 · (n − 1) · rows × width × 4, for each inner layer |
# | in pairs, columns → rows | n | 2 (n − 1) · rows × width × 4 for each output of a pair, and back for each input of a pair but the first |
#
# Over slow links none of them makes a dense net faster. Why do it then? Because of **memory**.
#
# ### A model too large for one machine
#
# Suppose a machine may hold 1.5 MiB of weights, and the model has three layers of 1 MiB. On the cluster, each worker gets one layer:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    h = tf.ones([4, 512])
    for k in range(3):
        with tf.device(f"/job:worker/task:{k}"):
            h = tf.matmul(h, weights(f"large{k}", [512, 512]), name=f"large_layer{k}")
    made = [op for op in graph.get_operations() if op.type == "VarHandleOp"]
print({op.name: op.device for op in made})
config = tf.compat.v1.ConfigProto(operation_timeout_in_ms=30_000)
target = cluster.target("worker/0")
with tf.compat.v1.Session(target, graph=graph, config=config) as session:
    initialise(session)
    print(session.run(h)[0, :3])

# %% [markdown]
# No machine holds more than 1 MiB, and the answer is right (means of ones are ones). It is no faster. It is **possible**.
#
# ### Sharded data parallelism
#
# Does data parallelism need the whole model on every device? Not any more. The ring of section 1 has two halves, and between them each device is responsible for one chunk. **Sharded data parallelism** ([ZeRO](https://arxiv.org/abs/1910.02054),
# [FSDP](https://arxiv.org/abs/2304.11277)) keeps it that way: each of n devices *stores* only 1/n of what belongs to the weights.
#
# | stored as 1/n | how a step goes | sent by each device, in sizes of the weights |
# | --- | --- | --- |
# | nothing: plain data parallelism | all-reduce of the gradients | 2 (n − 1)/n |
# | the optimizer's slots (ZeRO-1) and the gradients (ZeRO-2) | reduce-scatter the gradients; update the own chunk; all-gather the new weights | 2 (n − 1)/n: the same |
# | the weights, too (ZeRO-3, FSDP) | all-gather a layer's weights before it is needed, forward and again backward; reduce-scatter its gradients | 3 (n − 1)/n: half as much again |
#
# Count the memory of the model at the beginning, 500 million parameters with Adam in float32: weights, gradients and two slots are 4 · 4 · 0.5 = 8 gigabytes on each device; with ZeRO-3 each of
# eight devices stores one of the eight. So large models are trained *by data*, as long as the links carry it. Lesson 11 cuts an optimizer's slots like that.
#
# ## 9 Where a split pays
#
# A split pays where the parts need little of each other. **A convolution** looks at a small neighbourhood. Cut the *picture*: the upper half on device 0, the lower on device 1. With a 5 × 5 kernel, each needs only **two rows** of the other's half, the *halo* (`split_convolution`):

# %% grading="skip"
luck = np.random.RandomState(0)
picture = np.float32(luck.normal(size=[8, 128, 128, 16]))
kernel = np.float32(luck.normal(size=[5, 5, 16, 16]))
with tf.Graph().as_default() as graph:
    with tf.device(device(0)):
        upper = tf.constant(picture[:, :64])
    with tf.device(device(1)):
        lower = tf.constant(picture[:, 64:])
    both = split_convolution(upper, lower, kernel)
unsplit = tf.nn.conv2d(picture, kernel, 1, "SAME")
joined = np.concatenate(run_and_trace(graph, both)[0], 1)
print("same as unsplit:", np.allclose(joined, unsplit, atol=1e-3))
_, metadata = run_and_trace(graph, [half.op for half in both])
print(moved(graph, metadata), "bytes; a half of the picture has", picture[:, :64].nbytes)

# %% [markdown]
# 131 072 bytes instead of 4 million: a thirty-second part. And both halves compute at the same time.
#
# **A deep recurrent net** reads a sequence. Layer l at time t needs two things: itself at time t − 1, and layer l − 1 at time t. With a layer on each device, all work at once, each at another time step (`deep_rnn`):

# %% grading="skip"
recurrent, last = deep_rnn(3, 6)
_, metadata = run_and_trace(recurrent, [state.op for state in last])
draw_timeline(metadata, "A recurrent net of three layers, each on its device")

# %% [markdown]
# A staircase: layer 1 begins when layer 0 has done its first time step, not when it has done all. L layers and T time steps take about L + T − 1 turns instead of L · T. (On two cores only two of
# the three can compute at a time; real devices do not share.)
#
# | model | what travels | a split pays? |
# | --- | --- | --- |
# | dense, between layers or by columns | whole activations, at each layer | for memory; hardly for speed |
# | dense in pairs, columns → rows | activations, once for two layers | yes, on fast links |
# | convolution, by picture | the halo | yes |
# | deep recurrent, by layers | one state for each time step and cut | yes, for long sequences |
#
# ## 10 Micro-batches: a pipeline
#
# What the recurrent net does with time steps, any net can do with its **rows**. Cut the batch into **micro-batches** and send one after the other: while device 1 works on micro-batch 0, device 0 works on micro-batch 1. In training, all go forward, then all go back (a backward step takes about twice as long as a forward step).

# %% predict="bubble"
# Predict: three devices, four micro-batches. For which share of the time is a device
# idle (the bubble)?
idle = ...

# %% grading="skip"
kinds = ["forward", "backward"]
draw_lanes(pipeline_lanes(3, 1), "No pipeline: one batch, three devices", "ticks", kinds)
draw_lanes(pipeline_lanes(3, 4), "Three devices, four micro-batches", "ticks", kinds)
bubbles = {}
for m in (1, 2, 4, 8, 16):
    worked = busy(pipeline_lanes(3, m)["device 0"], 3 * (m + 2))
    bubbles[m] = round(1 - worked, 2)
print("idle, by the number of micro-batches:", bubbles)
compare_prediction("idle share", idle, bubbles[4], "of 18 ticks a device works 12")

# %% [markdown]
# With s stages and m micro-batches, forward takes m + s − 1 turns, of which each device works m. The **bubble** is (s − 1)/(m + s − 1): here 2/6. More micro-batches make it smaller, but each is smaller too, and at some point a device is no longer busy with it. (A tick of four
# micro-batches is a quarter as long as that of one whole batch.) The update is the same as before: gradients of micro-batches are added.
#
# The picture is a plan. Does TensorFlow follow it? Build the graph (`pipeline`) and look:

# %% grading="skip"
piped, parts = pipeline([1024] * 4, 1024, 4)
_, metadata = run_and_trace(piped, [part.op for part in parts])
recorded = {}
for name, ops in work_of(metadata).items():
    layer = [span for span in ops if span[0].startswith("layer")]
    recorded[name] = [(start, end, op[-1], 0) for op, start, end in layer]
draw_lanes(recorded, "A real pipeline, as recorded", "milliseconds", ["micro-batch"])

# %% [markdown]
# Nobody wrote a schedule. Each `layer1_m` waits only for `layer0_m`, so TensorFlow starts it as soon as that is there. (Which of the waiting micro-batches goes first, it may choose; and a CPU device works at several at once, a GPU mostly one after the other. Here all
# devices share this machine's cores, so micro-batches often go in pairs.) What matters is what you do **not** write: no
# `concat` between the layers, or all wait for all again.

# %% [markdown] exercise="split"
# ### Exercise 6 · Split a model
#
# Write three functions about a dense net, whose layer k has a matrix of `widths[k]` × `widths[k + 1]`. Numbers are float32.
#
# `cut(widths, rows, way, n)`: bytes that all devices together send to each other in a **training step**. The input is on every device that needs it; the output stays where it is.
#
# * `way="layers"`: each layer is on a device of its own, whatever n is {#1}. The values of each inner layer go to the next device {#2}, and their gradients, which have the same size, come back {#3}.
# * `way="columns"`: each matrix is cut by columns over n devices. Before each layer but the first, each device sends its part to all others {#4}; backward, as many bytes travel.
# * `way="pairs"`: an even number of layers, two by two cut by columns and by rows. After each pair a ring all-reduce adds up its output: the n devices together send 2 (n − 1) times its bytes {#5}. Backward, the gradient of each pair's **input** is added up in the same way, but not that of the first pair {#6}.
#
# `ticks(stages, micro)`: for a pipeline in which each stage is a device, all micro-batches go forward (one tick a stage), and then all backward (two ticks a stage). It returns `{"ticks": until the end {#7}, "idle": share of all this time that a device does not work {#8}}`.
#
# `pipe(matrices, rows, micro)`: the forward graph of such a pipeline, as the bytes of a `GraphDef`. A placeholder `x` `[rows, len(matrices[0])]`, float32, on `/device:CPU:0` {#9}, is cut there into `micro` equal micro-batches {#10}. Layer k is relu(h · matrix) {#11} on `/device:CPU:k` {#12}, by one `tf.matmul` for each
# micro-batch. The matrix is a constant on the same device {#13}. At the end `answer`, `[rows, ...]`, joins the micro-batches on the last layer's device {#14}. A micro-batch never waits for another one {#15}.
#
# Example: `cut([64, 32, 32, 10], 100, "layers", 1)` is 51200; `cut([64, 32, 32, 10], 100, "columns", 4)` is 153600; `cut([64, 256, 64], 100, "pairs", 4)` is 153600; `ticks(3, 4)` is `{"ticks": 18, "idle": 0.333...}`.

# %% solution="split" kind="graph"
def cut(widths, rows, way, n):
    """Bytes between devices in a training step, forward and backward.

    Args:
        widths: list of int, widths of input, inner layers and output.
        rows: int, rows of the batch.
        way: "layers" (a device each), "columns" or "pairs" (each matrix over n devices).
        n: int, devices for "columns" and "pairs".
    Returns:
        int: bytes.
    """
    ### BEGIN SOLUTION
    number = 4 * rows
    inner = sum(widths[1:-1])
    if way == "layers":
        return 2 * inner * number
    if way == "columns":
        return 2 * (n - 1) * inner * number
    forward = sum(widths[2::2])
    backward = sum(widths[2:-1:2])
    return 2 * (n - 1) * (forward + backward) * number
    ### END SOLUTION

def ticks(stages, micro):
    """Length and idle share of a pipeline: for each stage and micro-batch a tick forward, two back.

    Returns:
        dict: "ticks" int, "idle" float from 0 to 1.
    """
    ### BEGIN SOLUTION
    turns = micro + stages - 1
    return {"ticks": 3 * turns, "idle": (stages - 1) / turns}
    ### END SOLUTION

def pipe(matrices, rows, micro):
    """The forward graph of a pipeline.

    Args:
        matrices: list of float arrays, matrix k [width k, width k + 1]; at most four.
        rows: int, a multiple of micro. micro: int, number of micro-batches, at least two.
    Returns:
        bytes: a serialized GraphDef with x and answer.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(matrices[0])], name="x")
            parts = tf.split(x, micro)
        for k, matrix in enumerate(matrices):
            with tf.device(f"/device:CPU:{k}"):
                w = tf.constant(matrix, tf.float32)
                parts = [tf.nn.relu(tf.matmul(part, w)) for part in parts]
        with tf.device(f"/device:CPU:{len(matrices) - 1}"):
            tf.identity(tf.concat(parts, 0), name="answer")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="split"
try:
    print(cut([64, 32, 32, 10], 100, "layers", 1), cut([64, 256, 64], 100, "pairs", 4))
    print(ticks(3, 4))
    graph = v1.GraphDef.FromString(pipe([np.ones([3, 2]), np.ones([2, 2])], 6, 3))
    print(len(graph.node), "nodes")
except NotImplementedError as error:
    print(error)

# %% check="split-cut" points=2 title="Bytes in a training step"
got = [
    cut([64, 32, 32, 10], 100, "layers", 1),
    cut([64, 32, 32, 10], 100, "columns", 4),
    cut([64, 256, 64, 128, 64], 100, "pairs", 4),
]
right = [51200, 153600, 460800]
told = Told(
    asked="cut([64, 32, 32, 10], 100, ...) by layers and by columns over 4 devices, "
    "and cut([64, 256, 64, 128, 64], 100, 'pairs', 4)",
    got=got,
    expected=right,
    reread="section 8, Splitting a model",
)
assert got[0] != 25600, told(
    "by layers, that is the way forward only: gradients of the same size come back"
)
assert got[0] not in (27136, 13568, 10752, 5376), told(
    "weights were counted: what travels are values, rows times width"
)
assert got[0] not in (128 * 800, 138 * 800, 74 * 800), told(
    "input or output were counted: only the values of inner layers travel"
)
assert got[0] == right[0], told()
assert got[1] not in (51200, 204800), told(
    "by columns, each device sends its part to the n - 1 others: that is n - 1 times the values of a layer"
)
assert got[1] == right[1], told()
assert got[2] != 307200, told(
    "in pairs, nothing comes back: the gradient of each later pair's input is added up, too"
)
assert got[2] != 614400, told(
    "in pairs, the gradient of the first pair's input was counted: nobody needs it"
)
assert got[2] not in (2304000, 1382400), told(
    "in pairs, the values between the two layers of a pair were counted: they stay where they are"
)
assert got[2] != 230400, told(
    "in pairs, a ring moves 2 (n - 1) times the bytes: half to add, half to hand round"
)
assert got == right, told()

# %% check="split-ticks" points=1 title="Length and bubble of a pipeline"
answer = ticks(3, 4)
told = Told(
    asked="ticks(3, 4): three stages, four micro-batches",
    got=answer,
    expected={"ticks": 18, "idle": 0.3333},
    reread="section 10, Micro-batches: a pipeline",
)
assert isinstance(answer, dict) and set(answer) == {"ticks", "idle"}, told(
    "the result is no dict of ticks and idle"
)
length, idle = int(answer["ticks"]), round(float(answer["idle"]), 4)
assert length != 36, told(
    "one stage after the other, without overlap: while stage 1 works, stage 0 takes the next micro-batch"
)
assert idle != 0, told("the bubble is forgotten: the last stage begins s - 1 turns late")
assert length not in (6, 12), told(
    "a backward step takes two ticks and a forward step one, so each turn takes three in all"
)
assert idle != 0.5, told("idle is compared with the time of work; it is a share of all the time")
assert length == 18 and idle == 0.3333, told()

# %% check="split-answer" points=2 title="The pipeline computes what the net computes"
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
random = np.random.RandomState(0)
matrices = [np.float32(random.normal(size=shape)) for shape in ([5, 4], [4, 6], [6, 2])]
x = np.float32(random.normal(size=[12, 5]))
right = last = x
for matrix in matrices:
    last = right
    right = np.maximum(right @ matrix, 0)
answer = pipe(matrices, 12, 3)
told = Told(
    asked="the answer of pipe(...) with three matrices, 12 rows and 3 micro-batches",
    got=answer,
    expected=right,
    reread="section 10, Micro-batches: a pipeline",
)
assert type(answer) is bytes, told(
    "the result is no bytes: graph.as_graph_def().SerializeToString() makes them"
)
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer), name="")
names = {op.name for op in graph.get_operations()}
told.got = f"a graph with the ops {sorted(names)}"
assert {"x", "answer"} <= names, told("the graph has no placeholder x, or no op answer")
with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
    got = session.run("answer:0", {"x:0": x})
told.got = got
assert got.shape == right.shape, told(
    "the answer has not the rows of all micro-batches, in one array"
)
products = x @ matrices[0] @ matrices[1] @ matrices[2]
assert not np.allclose(got, products, atol=1e-4), told("no layer has its relu")
assert not np.allclose(got, last @ matrices[-1], atol=1e-4), told("the last layer has no relu")
assert np.allclose(got, right, atol=1e-4), told()

# %% hidden="split-columns" points=1 title="Bytes of other nets"
for way in ("layers", "columns", "pairs"):
    widths = [draw.choice([8, 10, 30]) for _ in range(draw.choice([5, 7]))]
    rows, n = draw.randrange(5, 60), draw.randrange(3, 9)
    got, right = cut(list(widths), rows, way, n), reference.cut(widths, rows, way, n)
    told = Told(
        asked=f"cut({widths}, {rows}, {way!r}, {n})",
        got=got,
        expected=right,
        reread="the text of exercise 6",
    )
    assert way != "layers" or got != right * (n - 1), told("by layers, n plays no part")
    assert got == right, told()

# %% hidden="split-bubble" points=1 title="Other pipelines"
cases = [
    (1, draw.randrange(2, 9)),
    (draw.randrange(2, 6), 1),
    (draw.randrange(3, 7), draw.randrange(5, 20)),
]
for stages, micro in cases:
    got, right = ticks(stages, micro), reference.ticks(stages, micro)
    told = Told(
        asked=f"ticks({stages}, {micro})",
        got=got,
        expected=right,
        reread="section 10, Micro-batches: a pipeline",
    )
    assert int(got["ticks"]) == right["ticks"] and abs(float(got["idle"]) - right["idle"]) < 1e-6, (
        told()
    )

# %% hidden="split-independent" points=1 title="No micro-batch waits for another"
import numpy as np
import tensorflow as tf

layers, micro = draw.choice([3, 4]), draw.choice([3, 5])
answer = pipe([np.ones([4, 4], np.float32)] * layers, 4 * micro, micro)
told = Told(
    asked=f"pipe of {layers} layers and {micro} micro-batches",
    got=type(answer).__name__,
    expected="the bytes of a GraphDef",
    reread="the text of exercise 6",
)
assert type(answer) is bytes, told("the result is no bytes")
definition = tf.compat.v1.GraphDef.FromString(answer)
nodes = {node.name: node for node in definition.node}


def above(name, found):
    for source in nodes[name].input:
        source = source.lstrip("^").split(":")[0]
        if source in nodes and source not in found:
            found.add(source)
            above(source, found)
    return found


products = [name for name, node in nodes.items() if node.op in ("MatMul", "BatchMatMulV2")]
before = sorted(
    sum(nodes[other].op in ("MatMul", "BatchMatMulV2") for other in above(name, set()))
    for name in products
)
told = Told(
    asked=f"which products wait for which, with {layers} layers and {micro} micro-batches",
    got=f"{len(products)} products, with so many others before each: {before}",
    expected=f"{layers * micro} products, with {sorted([*range(layers)] * micro)} others before each",
    reread="section 10, Micro-batches: a pipeline",
)
assert len(products) != layers, told(
    "the batch is not cut: each layer is one product over all rows"
)
assert len(products) == layers * micro, told()
assert max(before) < layers, told(
    "micro-batches wait for each other: some product needs more than one product of each layer before it"
)
assert before == sorted([*range(layers)] * micro), told()

# %% hidden="split-places" points=1 title="Each layer on its device"
import itertools
import re
import numpy as np
import tensorflow as tf

v1, metadata = tf.compat.v1, tf.compat.v1.RunMetadata()
widths = sorted(draw.sample(range(3, 13), 4), reverse=True)
rows = draw.choice([6, 8, 10])
answer = pipe([np.ones(shape, np.float32) for shape in itertools.pairwise(widths)], rows, 2)
told = Told(
    asked=f"pipe of three layers of widths {widths}, {rows} rows and two micro-batches",
    got=type(answer).__name__,
    expected="the bytes of a GraphDef",
    reread="the text of exercise 6",
)
assert type(answer) is bytes, told("the result is no bytes")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer), name="")
operations = graph.get_operations()
names = {op.name for op in operations}
told.got = f"a graph with the ops {sorted(names)}"
assert {"x", "answer"} <= names, told("the graph has no placeholder x, or no op answer")
products = sorted(
    {(int(op.inputs[1].shape[0]), op.device[-5:]) for op in operations if op.type == "MatMul"},
    reverse=True,
)
config = v1.ConfigProto(device_count={"CPU": 4})
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
options, sent, bare = v1.RunOptions(output_partition_graphs=True), {}, []
with v1.Session(graph=graph, config=config) as session:
    session.run(graph.get_operation_by_name("answer"), {"x:0": np.ones([rows, widths[0]])}, options, metadata)
for node in [
    node for partition in metadata.partition_graphs for node in partition.node if node.op == "_Send"
]:
    name = re.sub(r"^_arg_(.*)_\d+_\d+$", r"\1", node.input[0])
    if not name.startswith("^") and "/ctrl/" not in name:
        way = " to ".join(node.attr[end].s.decode()[-5:] for end in ("send_device", "recv_device"))
        tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
        sent[way] = sent.get(way, 0) + (tensor.shape.num_elements() or 0) * tensor.dtype.size
        bare += [way] * (tensor.op.type in ("MatMul", "BatchMatMulV2"))
ends = {op.name: op.device[-5:] for op in operations if op.name in ("x", "answer")}
got = {"products": [place for _, place in products], **ends, "bytes": dict(sorted(sent.items()))}
right = {
    "products": ["CPU:0", "CPU:1", "CPU:2"],
    "x": "CPU:0",
    "answer": "CPU:2",
    "bytes": {"CPU:0 to CPU:1": 4 * rows * widths[1], "CPU:1 to CPU:2": 4 * rows * widths[2]},
}
told = Told(
    asked=f"where three layers of widths {widths}, x and answer are; the bytes that travel for {rows} rows",
    got=got,
    expected=right,
    reread="the text of exercise 6",
)
assert len(set(got["products"])) > 1, told("all layers are on one device")
assert got["products"] == right["products"], told()
assert {name: got.get(name) for name in ("x", "answer")} == {"x": "CPU:0", "answer": "CPU:2"}, told(
    "x or answer is not on its device: x on the first, answer on the last layer's"
)
assert got["bytes"] == right["bytes"], told(
    "other bytes travel than the values between layers: something that belongs to a layer, "
    "its matrix or a join, is on another device"
)
assert not bare, told(
    "products travel, each before its relu: a layer's relu is on its own device, too"
)

# %% [markdown]
# ## 11 The input pipeline: a device is never idle
#
# The fastest device waits if no data come. Here the data are files of 800 rows on a far disk: reading one takes **twice** as long as the device's step on it. (The disk is played by a wait; the step is real. `FarDisk` notes who worked when.)

# %% grading="skip"
disk = FarDisk(train_x)
options = tf.data.Options()
options.experimental_optimization.inject_prefetch = False  # tf.data would add one by itself
options.threading.private_threadpool_size = 8              # else as many as cores
files = tf.data.Dataset.range(12).with_options(options)    # their numbers
plain = files.map(disk.load)

def one_file(number):
    return tf.data.Dataset.from_tensors(number).map(disk.load)

several = files.interleave(one_file, cycle_length=4, num_parallel_calls=4)
print(f"a step takes {1000 * disk.seconds:.0f} milliseconds")

# %% grading="skip"
for title, dataset in {
    "map alone": plain,
    "map, prefetch": plain.prefetch(2),
    "interleave 4 files, prefetch": several.prefetch(2),
}.items():
    draw_lanes(disk.consume(dataset), title, "seconds", ["read a file", "step"])

# %% [markdown]
# * **`map` alone**: read, compute, read, compute. One always waits for the other. (To show you this, we had to turn off `inject_prefetch`: today's tf.data puts a prefetch at the end if you forget it.)
# * **`prefetch`** puts a queue between them (lesson 04): the next file is read during the step. Now the slower one, reading, sets the pace.
# * **`interleave`** with `num_parallel_calls` reads several files at once. Now reading is fast enough, and after the first files the device hardly waits. (tf.data's own pool has as many threads as there are cores. A
#   read that *waits* keeps its thread, so for few cores we made the pool larger.)
#
# And if the data fit into memory, **`cache`** reads each file once for all epochs. Count the reads:

# %% grading="skip"
cached = plain.cache()
for epoch in (1, 2):
    lanes = disk.consume(cached.prefetch(2))
    share = busy(lanes["device"], lanes["device"][-1][1])
    print(f"epoch {epoch}: {len(lanes['read'])} reads, the device works {share:.0%}")

# %% [markdown]
# The order matters: `cache` *after* the slow part and *before* what must be fresh in each epoch (shuffling, random changes); `prefetch` last. `tf.data.AUTOTUNE` instead of a number lets tf.data choose.
#
# ### With several replicas
#
# `experimental_distribute_dataset` (section 2) cuts global batches. On several machines each reads **all** files then, and throws most away, unless the dataset can be sharded by files. The other form builds a pipeline **for each machine**. Its function gets an `InputContext`, which says which machine it is for, and makes **local** batches:

# %% grading="skip"
def pipeline_of(context):
    rows = tf.data.Dataset.range(12)
    mine = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    size = context.get_per_replica_batch_size(global_batch_size=8)
    return mine.batch(size).prefetch(2)

dealt = strategy.distribute_datasets_from_function(pipeline_of)
for step, values in enumerate(dealt):
    parts = strategy.experimental_local_results(values)
    print(f"step {step}:", [part.numpy().tolist() for part in parts])

# %% [markdown]
# A global batch of 8, a quarter of it for each of four replicas. In the second step two replicas get nothing: that is why exercise 2 asked for a replica without rows. (With `drop_remainder=True` in `batch`, or `repeat`, it does not come to that.)
#
# ## 12 Break it and diagnose it
#
# **A replica is missing.** All-reduce is a meeting: it ends when all have come. Under the strategies lies this op. The cell runs it three times,
# always for a group of two: on both devices; on one of them only; on both, with different sizes:

# %% grading="skip"
def meeting(members, size_of_member=lambda i: 3):
    for i in members:
        with tf.device(device(i)):
            yield tf.raw_ops.CollectiveReduceV2(
                input=tf.fill([size_of_member(i)], 10.0**i), group_size=2, group_key=1,
                instance_key=1, ordering_token=[], merge_op="Add", final_op="Id",
                communication_hint="ring", timeout_seconds=2, name=f"sum_on_{i}",
            )

# %% grading="skip"
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0})
for arguments in [([0, 1],), ([0],), ([0, 1], lambda i: 3 + i)]:
    with tf.Graph().as_default() as graph:
        sums = list(meeting(*arguments))
    try:
        with native_output(), tf.compat.v1.Session(graph=graph, config=config) as session:
            totals = session.run(sums)
        print([total.tolist() for total in totals])
    except tf.errors.OpError as error:
        words = re.search(r"(Collective has timed out|Shape mismatch).*", error.message)
        print(f"{type(error).__name__}: {words[0].partition('. This')[0]}")

# %% [markdown]
# The first line is right: both have 11. **Second**: nobody else comes. Without `timeout_seconds` it waits for ever, without a word: a job that hangs with idle processors is most often a missing replica. In your own program, `CommunicationOptions(timeout_seconds=…)` sets that limit. **Third**: both came, with different sizes; that is an error at once, and it names both.
#
# | what you see | likely | look at |
# | --- | --- | --- |
# | it hangs, processors idle | a replica is missing, or they disagree on the number of steps | each replica's last line; give a timeout |
# | `Shape mismatch in the collective` | replicas built different models, or the last batch is smaller | shapes; `drop_remainder=True` |
# | the loss explodes with more replicas | loss divided by the local batch; or stale gradients | section 2; section 4 |
# | NaN in the last step of an epoch | a replica without rows divides by 0 | section 11; divide by the global batch |
# | gradients are 0 or infinity with float16 on the wire | too small or too large for it | loss scaling (lesson 08), or bfloat16 on the wire |
# | more devices, no faster | the links are full, or the data do not come | the trace (section 6); section 11 |
# | a split model is slower than one device | layers wait for each other | the timeline: do bars overlap? |
#
# ## 13 Back to the eight devices
#
# 500 million parameters, 64 rows in two seconds, two machines of four, a network of 1.25 gigabytes a second. Each device keeps its 64 rows. The ring goes through both machines, so the network is its slowest link:

# %% grading="skip"
job = {"compute": 2.0, "parameters": 500_000_000, "gigabytes": 1.25, "fixed": "local"}
changes = {
    "as planned": {},
    "gradients travel early": {"overlap": 2 / 3},
    "early, and as bfloat16": {"overlap": 2 / 3, "wire": 2},
    "256 rows for each device": {"compute": 8.0},
    "all eight in one machine, 50 GB/s": {"gigabytes": 50.0},
}
for name, change in changes.items():
    (gain,) = speedups([8], way="all-reduce in a ring", **{**job, **change})
    print(f"{name:34} {gain:.1f} times the rows per second of one device")

# %% [markdown]
# Not eight times: a little over three. A fast link alone brings it near eight; on the slow network only early *and* smaller messages together do. Four times the rows for each exchange help, too, if training still converges with batches of 2048. And "keep the learning rate" is wrong, too: the global batch is eight times as large (section 2).
#
# Where do eight devices come from? Cloud providers rent machines with 1, 4 or 8 GPUs by the hour; the eight of one machine are joined by links like the 50 gigabytes a second above or faster, while two machines are joined by an ordinary network unless you ask and pay for a fast one ("placement group", "cluster
# network", InfiniBand). So rent **one** machine with eight before you rent two with four. Colab and Kaggle give one machine with one or two GPUs. To learn how two machines work together you need none of this: processes on your own
# machine are enough, as in sections 3 to 5.
#
# ## 14 Today's names
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | towers and `average_gradients` in one graph | `tf.distribute.MirroredStrategy`, `strategy.run`, `get_replica_context().all_reduce`, `strategy.reduce` |
# | `SyncReplicasOptimizer(replicas_to_aggregate=...)` | synchronous strategies; there are no backup replicas |
# | asynchronous workers, `replica_device_setter` | `ParameterServerStrategy` and a `ClusterCoordinator` |
# | `fixed_size_partitioner` for large variables | `variable_partitioner=` of `ParameterServerStrategy` |
# | `with tf.device("/gpu:1")` for each layer | the same; or `tf.experimental.dtensor`, where each tensor has a layout |
# | batch divided by hand | `experimental_distribute_dataset` (global batches), `distribute_datasets_from_function` (local ones) |
# | queues and `v1.train.batch` | `tf.data`: `map`, `interleave`, `cache`, `prefetch` |
# | `RunMetadata` | `tf.profiler.experimental.start`, and TensorBoard's trace viewer |
#
# ## Recap
#
# 1. Data parallelism sends gradients, as many as weights. Model parallelism sends activations, rows × width.
# 2. In a ring each device sends 2 (n − 1)/n of the gradient, in 2 (n − 1) steps, however many devices there are. Its two halves are reduce-scatter and all-gather; sharded data parallelism uses them one by one.
# 3. Divide the loss by the global batch; scale the learning rate with it.
# 4. Asynchronous is fast with stragglers, and its gradients are stale: lower the rate, drop or scale, tune the batch, warm up.
# 5. A trace says what a step waits for; a cost model from three measured numbers says where more devices stop paying, at a fixed global or a fixed local batch.
#
# | question | where the answer is |
# | --- | --- |
# | Who is the bottleneck? | bytes sent by the *busiest* device, from the record |
# | Is A better than B? | pairs with the same seed; the interval of their differences, by Student's t |
# | How stale? | step at push minus step at pull |
# | Is the traffic hidden? | exposed time in the trace |
# | Is the device idle? | its lane in the timeline: bubble, or no data |
#
# **Read on:** lesson 10, *Search and ensembles*: many models instead of one. Lesson 11 cuts optimizer slots over a mesh of devices, and lesson 12 builds the ring across processes.

# %% [markdown] exercise="choose"
# ### Exercise 7 · In your own words
#
# Back in the team: "Eight devices, eight times as fast; keep the batch and the learning rate of each device as they are." (500 million parameters, 64 rows in two seconds on one device, two machines of four, a network of 1.25 gigabytes a second.) Answer in four to seven sentences:
# what happens to the speed, with numbers of your own; what you would measure first; what to do with batch and learning rate; and what you would change.

# %% [markdown] written="choose" points=3
# ### BEGIN SOLUTION
# All-reduce sends two gigabytes of gradients, which the network does not carry in time. Measure, shrink what travels, and scale the rate with the global batch.
# ### END SOLUTION

# %% [markdown] model="choose"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# A gradient has 500 million numbers, that is 2 gigabytes. In a ring of eight each device sends 2 · 7/8 of that in each step, 3.5 gigabytes, and the link between the machines carries 1.25 gigabytes a second: almost three seconds of traffic, for two seconds of computing. So eight
# devices with 64 rows each do eight times the rows in almost five seconds instead of two: a little over three times as fast, not eight, and somewhat more if gradients travel during the backward pass. I would first trace a few steps on one device, on four in one machine, and on eight, and fit computing and bandwidth. If each device keeps 64 rows, the global
# batch is 512: eight times as large, so the learning rate goes up too, with a warm-up, as far as that converges. To get more out of the devices I would send bfloat16 (half the bytes), send early in buckets, add inside a machine first, where links are fast, so that only one sum for each machine goes over the network, or
# compute larger batches for each exchange. Best is a machine with all eight.
#
# One point each: traffic against computing, with numbers; global batch and learning rate; a measure and a remedy that fit.
# </details>
