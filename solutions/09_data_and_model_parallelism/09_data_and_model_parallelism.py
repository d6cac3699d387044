# %% [markdown]
# # Lesson 09 · Data and model parallelism
#
# After this lesson you can
#
# 1. count the bytes that a training step sends: for all-reduce done three ways, for a model that is split, for parameter servers;
# 2. compare asynchronous, synchronous and backup replicas by speed *and* quality, with error bars, and cure stale gradients;
# 3. predict where more devices stop paying, and keep the devices that you have at work.
#
# **Time:** about 150 minutes, of which 70 are exercises. Two sittings are better: after section 5 is a place to stop.
#
# **Hardware:** CPU only. Four logical CPU devices stand in for GPUs; a parameter server and four workers are real processes on your
# machine. No GPU is used.
#
# Thirteen grey cells come first. They are folded, because you need not read them. Run all thirteen.

# %% include="quiet_start.py" devices=4

# %% include="checks.py"

# %% include="placement_record.py" grading="skip"

# %% include="run_record.py" grading="skip"

# %% include="timeline.py" grading="skip"

# %% include="cluster_helper.py" grading="skip"

# %% include="cluster_processes.py" grading="skip"

# %% include="local_cluster.py" grading="skip"

# %% include="replica_race.py" grading="skip"

# %% include="native_output.py" grading="skip"

# %% include="lane_picture.py" grading="skip"

# %% include="cost_widget.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![Two panels. Left, data parallelism: a batch of 512 rows is cut into four parts of 128; each of four devices holds the whole model and computes a gradient from its part; the four devices form a ring and exchange gradients, so that all make the same update. Right, model parallelism: one model of three layers is cut; each of three devices holds one layer; the batch goes through as micro-batches, and the values between the layers travel from device to device.](assets/09_two_ways.svg)
#
# Two ways to use several devices for **one** model:
#
# | | data parallelism | model parallelism |
# | --- | --- | --- |
# | cut | the batch | the model |
# | each device holds | all weights, some rows | some weights, all rows |
# | travels in each step | gradients: as many numbers as weights | values between layers: as many as rows × width |
# | choose it when | the model fits on one device | it does not, or the values are small |
#
# Sections 1 to 6 cut the batch, sections 7 to 9 the model. Section 10 feeds both.

# %% [markdown]
# ## 1 All-reduce by hand
#
# Four devices have computed four gradients. All need the sum. That is an **all-reduce**. To see who is in a sum, device 0 gets the gradient 1, device 1
# gets 10, then 100, then 1000: `1011` is a sum from which device 2 is missing.

# %%
v1 = tf.compat.v1
device = lambda i: f"/device:CPU:{i}"

# %% grading="skip"
def gradients(n, size):
    """One gradient on each of n devices: `size` numbers, all 10 ** i."""
    made = []
    for i in range(n):
        with tf.device(device(i)):
            made.append(tf.fill([size], 10. ** i, name=f"gradient{i}"))
    return made

# %% [markdown]
# **Naive**: all send to device 0. It adds, and sends the sum to all.

# %% grading="skip"
def naive(parts):
    with tf.device(device(0)):
        total = tf.add_n(parts)
    sums = []
    for i in range(len(parts)):
        with tf.device(device(i)):
            sums.append(tf.identity(total))
    return sums

# %% [markdown]
# **Tree**: pairs add, then pairs of pairs. The sum goes back the same way.

# %% grading="skip"
def tree(parts):
    n, sums, step = len(parts), list(parts), 1
    while step < n:                                               # up: i gets from i + step
        for i in range(0, n - step, 2 * step):
            with tf.device(device(i)):
                sums[i] = sums[i] + sums[i + step]
        step *= 2
    while step > 1:                                               # down: the same pairs, backwards
        step //= 2
        for i in range(0, n - step, 2 * step):
            with tf.device(device(i + step)):
                sums[i + step] = tf.identity(sums[i])
    return sums

# %% [markdown]
# **Ring**: each device cuts its gradient into n **chunks**, and in each step sends *one chunk* to the next device. For n − 1 steps the receiver **adds**; then
# each chunk is complete on one device. For n − 1 more steps the complete chunks go round, and the receiver **replaces**.

# %% grading="skip"
def pass_on(chunks, i, to, c, adds):
    """Device i sends its chunk c to device `to`."""
    with tf.device(device(to)):
        chunks[to][c] = chunks[i][c] + chunks[to][c] if adds else tf.identity(chunks[i][c])

# %% grading="skip"
def ring(parts, history=None):
    n, chunks = len(parts), []
    for i, part in enumerate(parts):
        with tf.device(device(i)):
            chunks.append(tf.split(part, n))
    for step in range(2 * (n - 1)):
        for i in range(n):
            pass_on(chunks, i, (i + 1) % n, (i - step) % n, adds=step < n - 1)
        if history is not None:
            history.append([list(mine) for mine in chunks])
    return chunks

# %% [markdown]
# Look at it step by step. A row is a device, a column a chunk:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    history = []
    ring(gradients(4, 4), history)
steps, _ = run_and_trace(graph, history)
for k, step in enumerate(steps):
    rows = ["  ".join(f"{chunk[0]:04.0f}" for chunk in mine) for mine in step]
    print(f"after step {k}:", *rows, sep="\n   ")

# %% [markdown]
# After step 2 there is one `1111` in each row, after step 5 all are. Six steps for four devices: 2 · (4 − 1).
#
# Now **count**. TensorFlow's record of a run lists each value that moved between devices (lesson 01). We add up the bytes:

# %% grading="skip"
def size_of(graph, name):
    """Bytes of the tensor that the record calls `name`."""
    tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
    return tensor.shape.num_elements() * tensor.dtype.size

# %% grading="skip"
def moved(graph, metadata):
    """{(from, to): bytes}, as recorded."""
    total = {}
    for name, *way in transfers_of(metadata):
        total[tuple(way)] = total.get(tuple(way), 0) + size_of(graph, name)
    return total

# %% grading="skip"
def traffic(build, n, size=1200):
    """[bytes that device i sent, for each i], and the same for received."""
    with tf.Graph().as_default() as graph:
        sums = tf.nest.flatten(build(gradients(n, size)))
    values, _ = run_and_trace(graph, sums, cpus=n)
    assert {value[0] for value in values} == {sum(10. ** i for i in range(n))}, "a gradient is missing"
    _, metadata = run_and_trace(graph, [total.op for total in sums], cpus=n)     # run, fetch nothing
    links, names = moved(graph, metadata), [f"CPU:{i}" for i in range(n)]
    return [[sum(b for way, b in links.items() if way[end] == name) for name in names] for end in (0, 1)]

# %% predict="busiest"
# Predict: a gradient is 4800 bytes, on four devices.
# How many bytes does the busiest device send: naive, tree, ring?
naive_sends, tree_sends, ring_sends = ..., ..., ...

# %% grading="skip"
for build in (naive, tree, ring):
    sent, received = traffic(build, 4)
    print(f"{build.__name__:6} sent {sent}, received {received}, together {sum(sent)}")

# %% [markdown]
# All three move the **same total**, 28 800 bytes: 2 · (n − 1) gradients. What differs is who carries it. In the ring each device sends 7200 bytes: 2 · (n − 1)/n
# gradients. How does that grow?

# %% grading="skip"
counts = [2, 4, 8]
looks = {naive: ("#D55E00", "s", "--"), tree: ("#009E73", "^", ":"), ring: ("#0072B2", "o", "-")}
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.2), layout="constrained")
for shift, (build, (color, marker, line)) in zip((-0.27, 0, 0.27), looks.items()):
    sent, hatch = traffic(build, 4)[0], {"s": "///", "^": "...", "o": "xxx"}[marker]
    left.bar(np.arange(4) + shift, np.array(sent) / 1000, 0.27, fc=(color, 0.4), ec=color, hatch=hatch,
             label=build.__name__)
    busiest = [max(traffic(build, n)[0]) / 1000 for n in counts]
    right.plot(counts, busiest, line, color=color, marker=marker, label=build.__name__)
left.set(xticks=range(4), xlabel="device", ylabel="sent (kilobytes)", title="Four devices")
right.set(xticks=counts, xlabel="devices", ylabel="sent by the busiest (kilobytes)", title="More devices")
left.legend(), right.legend()
plt.show()

# %% [markdown]
# Left: in the ring, nobody is busier than the others. Right, the point of it: however many devices, a device of the ring sends less than **two** gradients. (The bars
# and points are counted from recorded runs, not computed.)
#
# The ring's price is *steps*: 2 (n − 1) messages one after the other, where a tree has about 2 log₂ n. For small gradients the time to start a message counts, and trees win.
#
# **Change it:** reverse the ring, so that device i sends to i − 1. Which chunk must it send?
#
# ## 2 The strategy that does it
#
# Today you do not write this. A **strategy** makes the replicas and the all-reduce. Each replica runs the same function:

# %% grading="skip"
tf.get_logger().setLevel("ERROR")
one_adds = tf.distribute.ReductionToOneDevice()
strategy = tf.distribute.MirroredStrategy([f"CPU:{i}" for i in range(4)], cross_device_ops=one_adds)

@tf.function
def sums_of_all():
    def replica():
        me = tf.distribute.get_replica_context()
        mine = 10. ** tf.cast(me.replica_id_in_sync_group, tf.float32)
        return me.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    return strategy.run(replica)

print([float(value) for value in strategy.experimental_local_results(sums_of_all())])

# %% [markdown]
# `cross_device_ops` says how. `ReductionToOneDevice` is your `naive`; `HierarchicalCopyAllReduce` adds along a tree of devices and copies the sum back; `NcclAllReduce`, for NVIDIA cards, is a library that chooses
# rings or trees. Between machines, `MultiWorkerMirroredStrategy` takes `CommunicationOptions(implementation=CommunicationImplementation.RING)`.
#
# ### Global and local batch
#
# The **global batch** is what makes one update. Each replica gets its share, the **local batch**. You give the strategy global batches:

# %% grading="skip"
from sklearn.datasets import load_digits

pixels, digits = load_digits(return_X_y=True)
order = np.random.RandomState(0).permutation(len(pixels))
pixels, digits = np.float32(pixels[order]) / 16, np.int32(digits[order])
train_x, train_y, test_x, test_y = pixels[:1500], digits[:1500], pixels[1500:], digits[1500:]

# %% grading="skip"
rows = tf.data.Dataset.from_tensor_slices((train_x, train_y)).repeat().batch(512, drop_remainder=True)
images, labels = next(iter(strategy.experimental_distribute_dataset(rows)))
print([part.shape for part in strategy.experimental_local_results(images)])

# %% [markdown]
# 512 became 4 × 128. Each replica computes a loss over its 128 rows, and the gradients are **added**. What must each divide its loss by?

# %% predict="divide"
# Predict: four replicas divide by their 128 rows, and their gradients are added.
# How many times too large is the sum, compared with the gradient of the 512 rows?
times = ...

# %% grading="skip"
def cross_entropy(w, x, y):
    logits = tf.matmul(x, w)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)

# %% grading="skip"
def gradient(x, y, divisor):
    w = tf.zeros([64, 10])
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.reduce_sum(cross_entropy(w, x, y)) / divisor
    return tape.gradient(loss, w)

# %% grading="skip"
@tf.function
def added(images, labels, divisor):
    per_replica = strategy.run(gradient, (images, labels, divisor))
    return strategy.reduce("SUM", per_replica, axis=None)

whole = gradient(*next(iter(rows)), 512.)
for divisor in (128., 512.):
    sum_of_all = added(images, labels, divisor)
    ratio = float(tf.norm(sum_of_all) / tf.norm(whole))
    print(f"divided by {divisor:.0f}: {ratio:.3f} times the gradient of 512 rows")

# %% [markdown]
# Divide by the **global** batch. (Or take the mean of the replicas' means, which is the same if all have equally many rows: lesson 07.) Keras' `fit` does this for you; a loop of your own does not.
#
# ### The learning rate
#
# Four devices, four times the batch: an epoch now has a quarter of the updates. Each gradient is more exact, but a step goes no further. So scale the **learning rate** with the batch. The network of the next sections
# has 64 inputs, 32 hidden units and 10 outputs; its weights are all in *one* vector, which will be handy:

# %% grading="skip"
SIZE = 64 * 32 + 32 * 10

def loss_of(w, x, y):
    """Mean loss of the network whose weights are the vector w."""
    hidden = tf.nn.relu(x @ tf.reshape(w[:2048], [64, 32]))
    logits = hidden @ tf.reshape(w[2048:], [32, 10])
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))

# %% grading="skip"
def start(seed):
    """First weights: as large as the layers' widths ask for."""
    random = np.random.RandomState(seed)
    return np.float32(np.concatenate([random.normal(size=2048) / 6, random.normal(size=320) / 6]))

# %% grading="skip"
@tf.function
def update(w, x, y, rate):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = loss_of(w, x, y)
    return w - rate * tape.gradient(loss, w)

# %% grading="skip"
def trained(batch, rate, updates, seed):
    w, random = tf.constant(start(seed)), np.random.RandomState(seed)
    for _ in range(updates):
        rows = random.randint(len(train_x), size=batch)
        w = update(w, train_x[rows], train_y[rows], rate)
    return float(loss_of(w, test_x, test_y))

# %% predict="rate"
# Predict: 6400 examples in 100 updates of 64 rows give some test loss. In 25 updates of 256 rows,
# is it lower, equal or higher with the same rate? And with four times the rate?
same_rate, four_times = "...", "..."

# %% grading="skip"
for batch, rate, updates in [(64, 0.1, 100), (256, 0.1, 25), (256, 0.4, 25)]:
    mean, error = mean_and_error([trained(batch, rate, updates, seed) for seed in range(4)])
    print(f"{updates:3} updates of {batch:3} rows, rate {rate}: test loss {mean:.3f} ± {error:.3f}")

# %% [markdown]
# With the same rate, the large batch has gone a quarter of the way. With four times the rate it is where the small one is. That is the **linear scaling rule**: rate × 4 for batch × 4.
# It ends where the rate becomes too large for *any* batch. So large batches begin with a few small steps (*warm-up*), and at some size they stop paying.
#
# ## 3 Asynchronous, synchronous, backup: speed and quality
#
# In lesson 07 you saw who waits for whom. Now you answer the question that matters: **which is faster, and which trains better?** On a real cluster: one ps, four workers.

# %% grading="skip"
cluster = LocalCluster({"ps": 1, "worker": 4})
print(cluster.alive())

# %% [markdown]
# On the ps: the weights, and the shared step, which counts updates.

# %% grading="skip"
def shared():
    with tf.device("/job:ps/task:0"):
        return v1.get_variable("w", [SIZE]), v1.get_variable("step", initializer=np.int64(0))

# %% [markdown]
# A replica **pulls**: it copies the weights to its worker, and notes which step it has seen. Then it computes a gradient at *its copy*. The time between pull and update is what makes gradients stale.

# %% grading="skip"
def replica_graph(index):
    with tf.Graph().as_default() as graph:
        (w, step), here = shared(), f"/job:worker/task:{index}"
        with tf.device(here):
            x, y = v1.placeholder(tf.float32, [None, 64], "x"), v1.placeholder(tf.int32, [None], "y")
            mine = v1.get_variable(f"w{index}", [SIZE])
            noted = v1.get_variable(f"noted{index}", initializer=np.int64(0))
            copy, seen = mine.read_value(), noted.read_value()
            gradient = tf.gradients(loss_of(copy, x, y), copy)[0]
        pull = lambda name, after=(): pull_after(after, here, w, step, mine, noted, name)
        pull("pull")
        add_push(gradient, seen, w, step, pull)
        add_give(gradient, seen, index, pull)
    return graph

# %% grading="skip"
def pull_after(after, here, w, step, mine, noted, name):
    with tf.device(here), tf.control_dependencies(after):
        with tf.control_dependencies([noted.assign(step.read_value())]):
            return mine.assign(w.read_value(), name=name)

# %% [markdown]
# **Asynchronous**: it **pushes**. The ps applies the gradient at once. On the way it reads how many updates were made since the pull: the **staleness**. (`limit` and `scale` are for section 5.) In the same run it pulls for the next gradient.

# %% grading="skip"
def add_push(gradient, seen, w, step, pull):
    rate, limit, scale = [v1.placeholder(tf.float32, [], name) for name in ("rate", "limit", "scale")]
    with tf.device("/job:ps/task:0"), tf.control_dependencies([gradient]):
        stale = tf.cast(step.read_value() - seen, tf.float32, name="stale")
        counts = stale <= limit
        factor = rate * tf.cast(counts, tf.float32) / (1 + scale * stale)
        with tf.control_dependencies([w.assign_sub(factor * gradient)]):
            counted = step.assign_add(tf.cast(counts, tf.int64), read_value=False)
    pull("push", after=[counted])

# %% [markdown]
# **Synchronous**: it **gives** the gradient to an accumulator on the ps, with the step at which it was made. Then it waits for a sign, a token in its queue, that the next step may begin, and pulls.

# %% grading="skip"
def accumulator():
    return v1.ConditionalAccumulator(tf.float32, [SIZE], shared_name="mean")

# %% grading="skip"
def tokens(index):
    return v1.FIFOQueue(1000, tf.int32, shapes=[()], shared_name=f"tokens{index}")

def add_give(gradient, seen, index, pull):
    with tf.device("/job:ps/task:0"):
        accumulator().apply_grad(gradient, seen, name="give")
        queue = tokens(index)
        newest = queue.dequeue_many(tf.maximum(1, queue.size()))[-1]
    with tf.control_dependencies([pull("next", after=[newest])]):
        tf.identity(newest, name="wait")

# %% [markdown]
# The **chief** takes the mean of `needed` gradients, applies it, counts, and hands out tokens. From then on the accumulator drops gradients of older steps. That is what `SyncReplicasOptimizer` does.

# %% grading="skip"
def chief_graph(workers):
    with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
        (w, step), queue = shared(), [tokens(i) for i in range(workers)]
        rate, needed, token = [v1.placeholder(kind, [], name) for kind, name in
                               ((tf.float32, "rate"), (tf.int32, "needed"), (tf.int32, "token"))]
        with tf.control_dependencies([w.assign_sub(rate * accumulator().take_grad(needed))]):
            counted = step.assign_add(1, read_value=False)
        with tf.control_dependencies([counted]):
            newer = accumulator().set_global_step(step.read_value())
        with tf.control_dependencies([newer]):
            tf.group(*[each.enqueue(token) for each in queue], name="update")
        add_start(w, step, queue, token)
    return graph

# %% grading="skip"
def add_start(w, step, queue, token):
    """Ops to begin a run and to look at its end."""
    w.assign(v1.placeholder(tf.float32, [SIZE], "first"), name="set")
    tf.identity(w.read_value(), name="weights")
    accumulator().set_global_step(step.read_value(), name="begin")
    tf.identity(accumulator().num_accumulated(), name="left")
    accumulator().take_grad(v1.placeholder(tf.int32, [], "all"), name="clear")
    tf.group(*[each.enqueue(token) for each in queue], name="tell")

# %% grading="skip"
chief = connect(cluster, chief_graph(4), "ps/0")
workers = [connect(cluster, replica_graph(i), f"worker/{i}") for i in range(4)]
initialise(chief, *workers)

# %% [markdown]
# The sessions are there; now the loops. Each worker has a client, in a thread. A *straggler* is a worker whose computing takes longer: its client waits between pull and push.

# %% grading="skip"
def batch(random, rows):
    chosen = random.randint(len(train_x), size=rows)
    return {"x:0": train_x[chosen], "y:0": train_y[chosen]}

# %% grading="skip"
def score():
    """Test loss and accuracy of the weights on the ps."""
    w = chief.run("weights:0")
    logits = np.maximum(test_x @ w[:2048].reshape(64, 32), 0) @ w[2048:].reshape(32, 10)
    return {"loss": float(loss_of(w, test_x, test_y)), "accuracy": float(np.mean(logits.argmax(1) == test_y))}

# %% grading="skip"
from functools import partial

def begin_run(seed):
    """The first weights of this seed, and an empty accumulator; returns the time."""
    chief.run("set", {"first:0": start(seed)})
    if left := chief.run("left:0"):                              # an interrupted run left something
        chief.run("clear", {"all:0": left})
    return time.monotonic()

# %% grading="skip"
def asynchronous(updates, rate, seed, rows=20, slow={}, limit=1e9, scale=0., warmup=0, replicas=4):
    """Train with `updates` gradients, at a rate that falls to 0; the first `warmup` from worker 0 alone."""
    stale, ends, begin = [], [], begin_run(seed)
    def loop(index, stop):
        random = np.random.RandomState(100 * seed + index)
        while index and len(stale) < warmup and not stop.is_set():
            time.sleep(0.001)
        workers[index].run("pull")
        while len(stale) < updates and not stop.is_set():
            time.sleep(slow.get(index, 0))
            falling = {"rate:0": rate * max(0, 1 - len(stale) / updates), "limit:0": limit, "scale:0": scale}
            age, _ = workers[index].run(["stale:0", "push"], {**falling, **batch(random, rows)})
            stale.append((index, int(age))), ends.append(time.monotonic())
    at_work([partial(loop, index) for index in range(replicas)])
    return {"seconds": ends[updates - 1] - begin, "stale": stale[:updates], **score()}

# %% [markdown]
# The synchronous run has one more duty: to tell the workers when it ends, however it ends. Otherwise they wait for a token that never comes.

# %% grading="skip"
def told_at_the_end(lead):
    def loop(stop):
        try:
            lead(stop)
        finally:
            chief.run("tell", {"token:0": -1})
    return loop

# %% grading="skip"
def synchronous(updates, needed, rate, seed, rows=20, slow={}):
    """Train with `updates` updates, each from `needed` of four gradients."""
    ends, begin = [], begin_run(seed)
    chief.run("begin"), chief.run("tell", {"token:0": 1})
    def lead(stop):
        while len(ends) < updates and not stop.is_set():
            falling, last = rate * (1 - len(ends) / updates), len(ends) == updates - 1
            chief.run("update", {"rate:0": falling, "needed:0": needed, "token:0": -1 if last else 1})
            ends.append(time.monotonic())
    def loop(index, stop):
        random = np.random.RandomState(100 * seed + index)
        while workers[index].run("wait:0") > 0:
            time.sleep(slow.get(index, 0))
            workers[index].run("give", batch(random, rows))
    at_work([told_at_the_end(lead), *(partial(loop, index) for index in range(4))])
    return {"seconds": ends[-1] - begin, **score()}

# %% [markdown]
# The question of every text on replicas, measured. All three ways use the same number of gradients, 120, of 20 rows each. Worker 3 is a straggler: 20 ms a gradient. The
# rate goes with the gradients in an update (section 2): one in asynchronous training, three with a backup replica, four in synchronous training. Four seeds.

# %% predict="race"
# Predict the order in seconds, fastest first, of: asynchronous, synchronous 4 of 4, backup 3 of 4.
# And which ends with the lowest test loss? Or is there no difference that you could see?
fastest_first, best = [...], "..."

# %% grading="skip"
slow, RATE, GRADIENTS = {3: 0.02}, 0.25, 120
ways = {"asynchronous": lambda seed: asynchronous(GRADIENTS, RATE, seed, slow=slow),
        "synchronous\n4 of 4": lambda seed: synchronous(GRADIENTS // 4, 4, 4 * RATE, seed, slow=slow),
        "backup\n3 of 4": lambda seed: synchronous(GRADIENTS // 3, 3, 3 * RATE, seed, slow=slow)}
measured = {name: [] for name in ways}
for seed in range(4):
    for name, way in ways.items():
        measured[name].append(way(seed))
    times = [f"{name.split()[0]} {runs[-1]['seconds']:.1f} s" for name, runs in measured.items()]
    print(f"seed {seed}:", "; ".join(times))

# %% grading="skip"
def dots(axes, groups, label, unit=""):
    """A dot for each run; a bar from mean - error to mean + error."""
    for place, (name, values) in enumerate(groups.items()):
        mean, error = mean_and_error(values)
        axes.plot(np.linspace(-0.12, 0.12, len(values)) + place, values, "o", color="#777777", markersize=4)
        axes.errorbar(place + 0.25, mean, error, fmt="s", color="#0072B2", capsize=6)
        print(f"{name.replace(chr(10), ' '):24} {label}: {mean:.3f} ± {error:.3f}{unit}")
    axes.set(xticks=range(len(groups)), xticklabels=groups, ylabel=label + unit)
    axes.set_ylim(0, 1.15 * max(max(values) for values in groups.values()))

# %% grading="skip"
figure, panels = plt.subplots(1, 2, figsize=(9.5, 3.2), layout="constrained")
for axes, what, unit in zip(panels, ("seconds", "loss"), (" for 120 gradients", " on test rows")):
    dots(axes, {name: [run[what] for run in runs] for name, runs in measured.items()}, what, unit)
plt.show()

# %% [markdown]
# Grey dots are the runs, the blue square their mean, with its **standard error**: how far the mean of so few runs may be from the true one. Two means differ "visibly" if
# they are more than about two standard errors apart.
#
# * **Speed**: synchronous pays for the straggler in *each* update. The others do not. (A machine that is busy with other things makes all slower, and can hide that.)
# * **Quality**: look whether the errors keep the means apart. With this modest learning rate the three are close together. Do not crown a winner by a difference that is smaller than its error.
#
# Does that hold for *any* learning rate? No, and section 4 shows why.
#
# ## 4 Stale gradients
#
# A gradient belongs to the weights at which it was computed. In the asynchronous runs above, how many updates had others made between the pull and the push? The ps noted it, for each gradient:

# %% predict="stale"
# Predict: four workers, one of them slow. How stale is a typical gradient of a fast worker? Of the slow one?
fast_worker, slow_worker = ..., ...

# %% grading="skip"
noted = [pair for run in measured["asynchronous"] for pair in run["stale"]]
fast, late = [s for worker, s in noted if worker != 3], [s for worker, s in noted if worker == 3]
figure, axes = plt.subplots(figsize=(8, 2.8), layout="constrained")
bins = np.arange(max(fast + late) + 2) - 0.5
axes.hist([fast, late], bins, stacked=True, label=["workers 0, 1, 2", "worker 3, the straggler"],
          color=["#56B4E9", "#D55E00"])
[bar.set_hatch("///") for bar in axes.containers[1]]
axes.set(xlabel="staleness (updates between pull and push)", ylabel="gradients",
         title="Measured in the asynchronous runs")
axes.xaxis.get_major_locator().set_params(integer=True)
axes.legend()
plt.show()
print(f"mean: fast workers {np.mean(fast):.1f}, straggler {np.mean(late):.1f}; largest {max(fast + late)}")

# %% [markdown]
# Between a fast worker's pull and its push, the other fast ones push about once each, so a staleness of 1 to 3 is typical. The straggler's gradients are far older, since all others go on meanwhile. So **the number of replicas makes staleness**, and differences
# in speed make it uneven.
#
# Does it harm? 192 gradients from small batches of 5 rows, at a bolder learning rate. One replica (nothing is stale) against four:

# %% predict="harm"
# Predict: at rate 0.7, what does the test loss do with one replica? And with four? (It begins at about 2.4.)
one_replica, four_replicas = "...", "..."

# %% grading="skip"
bold = partial(asynchronous, 192, rate=0.7, rows=5)
four = [bold(seed=seed) for seed in range(3)]
groups = {"one replica": [bold(seed=seed, replicas=1) for seed in range(3)], "four replicas": four}
figure, axes = plt.subplots(figsize=(5, 2.8), layout="constrained")
dots(axes, {name: [run["loss"] for run in runs] for name, runs in groups.items()}, "loss", " on test rows")
plt.show()

# %% [markdown]
# With fresh gradients the bold rate is a good one. With stale ones training fails: a gradient says where to go from where the weights *were*. Three others have gone there already, so all together go too far, and by the
# time that the loss shows it, three more are under way. Like a shower whose water answers late.
#
# ## 5 Four remedies
#
# | remedy | here |
# | --- | --- |
# | 1 a lower learning rate | a quarter of it |
# | 2 drop stale gradients, or scale them down | drop those over 1; divide by 1 + staleness |
# | 3 tune the batch size | 40 rows instead of 5 |
# | 4 warm up | the first half of the gradients from one replica |
#
# Each on the real cluster, each with the same number of gradients and three seeds:

# %% predict="remedies"
# Predict: which of them helps most? Does any of them not help?
helps_most, does_not = "...", "..."

# %% grading="skip"
remedies = {"rate\n÷ 4": {"rate": 0.7 / 4}, "drop\nover 1": {"limit": 1}, "scale by\n1/(1+s)": {"scale": 1.},
            "40\nrows": {"rows": 40}, "warm-up\n96": {"warmup": 96}}
cured = {"none": four}
def try_remedies(*names):
    for name in names:
        cured[name] = [bold(seed=seed, **remedies[name]) for seed in range(3)]
        print(f"{name!r}: test losses {[round(run['loss'], 2) for run in cured[name]]}")

try_remedies(*list(remedies)[:3])

# %% grading="skip"
try_remedies(*list(remedies)[3:])

# %% grading="skip"
figure, axes = plt.subplots(figsize=(9, 3.2), layout="constrained")
dots(axes, {name: [run["loss"] for run in runs] for name, runs in cured.items()}, "loss", " on test rows")
plt.show()

# %% [markdown]
# Each helps, by far more than its error. And each has a price:
#
# 1. **A lower rate** makes stale steps harmless, and fresh ones slow.
# 2. **Dropping** throws computed gradients away: with four equal workers most have a staleness of about 3, so a limit of 1 drops many. **Scaling** wastes nothing, but makes all steps short.
# 3. **A larger batch** makes gradients less noisy, so that a stale step has one fault less: it points the wrong way, but not at random. It costs eight times the computing. (The other way, tiny batches and many replicas, is the worst.)
# 4. **Warm-up**: at the beginning gradients are large, and a wrong step does most harm. There one replica alone finds the way; when the others join, the rate has already fallen. It costs time: three workers wait.
#
# In practice, combine: some warm-up, a rate that falls, a batch that is not tiny, and drop what is very old.
#
# **Change it:** give `bold` a limit of 2 and of 3, or `slow={3: 0.02}`. What does a straggler do to the loss?
#
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## 6 Bandwidth saturation: a cost model
#
# More devices compute faster, but they also send more. At some point the links are full: **bandwidth saturation**. A model of a step's time has three parts:
#
# ```text
# seconds = start + per row · rows + bytes / bandwidth
# ```
#
# The three numbers come from **measuring**. A step on the cluster: get `size` numbers from the ps, compute on some rows, send as many numbers back.

# %% grading="skip"
def cost_graph(rows, size):
    with tf.Graph().as_default() as graph:
        with tf.device("/job:ps/task:0"):
            w = v1.get_variable(f"cost{size}", [size], initializer=tf.zeros_initializer())
        with tf.device("/job:worker/task:0"):
            weights = w.read_value()
            h = tf.ones([rows, 256]) + weights[0]
            for _ in range(8):
                h = tf.matmul(h, tf.fill([256, 256], 1 / 256))
            gradient = weights * tf.reduce_mean(h)
        with tf.device("/job:ps/task:0"):
            tf.group(w.assign_sub(gradient), name="step")
    return graph

# %% grading="skip"
def seconds_of(rows, size, times=5):
    """The shortest of some runs: what is longer, was disturbed."""
    with connect(cluster, cost_graph(rows, size), "worker/0") as session:
        initialise(session)
        taken = []
        for _ in range(times + 1):
            begin = time.monotonic()
            session.run("step")
            taken.append(time.monotonic() - begin)
    return min(taken[1:])

# %% grading="skip"
grid = [(rows, size) for rows in (100, 800, 1600) for size in (1000, 1_000_000, 2_000_000)]
held_out = [(400, 1_500_000), (1200, 500_000)]
taken = {point: seconds_of(*point) for point in grid + held_out}
for (rows, size), seconds in taken.items():
    print(f"{rows:5} rows, {size:8} numbers: {1000 * seconds:5.1f} ms")

# %% [markdown]
# Each number has 4 bytes and travels **twice**: as a weight to the worker, as a gradient back. Least squares gives the three unknowns:

# %% grading="skip"
table = np.array([[1, rows, 2 * 4 * size] for rows, size in grid])
fitted, *_ = np.linalg.lstsq(table, np.array([taken[point] for point in grid]), rcond=None)
start_s, per_row, per_byte = np.maximum(fitted, [0, 1e-9, 1e-12])   # noise must not make them negative
print(f"start {1000 * start_s:.1f} ms, {1e6 * per_row:.1f} µs a row, {1e-9 / per_byte:.2f} gigabytes/second")

# %% grading="skip"
figure, axes = plt.subplots(figsize=(4.6, 3.6), layout="constrained")
model = lambda rows, size: start_s + per_row * rows + per_byte * 8 * size
for points, look, label in ((grid, "o", "used for the fit"), (held_out, "X", "not used: a test")):
    predicted, seen = [1000 * model(*p) for p in points], [1000 * taken[p] for p in points]
    axes.plot(predicted, seen, look, markersize=8, label=label)
most = 1100 * max(taken.values())
axes.plot([0, most], [0, most], ":", color="#777777", label="the model is right")
axes.set(xlabel="model (milliseconds)", ylabel="measured (milliseconds)")
axes.legend()
plt.show()

# %% [markdown]
# If the crosses lie near the line, you may trust the model for sizes that you have not measured. (Two cores do all the work here, so a busy machine moves points.)
#
# ### Why eight GPUs are not eight times as fast
#
# The global batch stays; n devices share it. Computing shrinks to 1/n. The ring sends 2 (n − 1)/n of all bytes. Measure the links' time in units of the computing time, r = bytes/bandwidth ÷ seconds of one device:
#
# ```text
# speed-up(n) = 1 / (1/n + 2 (n − 1)/n · r) = n / (1 + 2 (n − 1) · r)
# ```
#
# A well-known rule says that 2, 4 and 8 GPUs give about 2, 3.8 and 7.3 times the speed. One unknown, three figures: does *one* r explain them?

# %% predict="ratio"
# Predict: how large is r, the time of the links for all bytes, compared with one GPU's computing?
# About 0.1 %, 1 % or 10 %?
ratio = ...

# %%
known = {2: 2.0, 4: 3.8, 8: 7.3}
a = np.array([2 * (n - 1) for n in known])                       # n / speed-up - 1 = 2 (n - 1) r
b = np.array([n / gain - 1 for n, gain in known.items()])
r = float(a @ b / (a @ a))
print(f"r = {r:.4f}:", {n: round(n / (1 + 2 * (n - 1) * r), 2) for n in (2, 4, 8, 16, 64)})

# %% [markdown]
# One number, 0.7 %, gives 2.0, 3.8 and 7.3. And it foretells what the rule does not say: 64 devices would be 34 times as fast, not 64. In the ring the speed-up never falls, but it never passes 1/(2r) = 71 either.
#
# ### Parameter servers, and where more stops paying
#
# All n workers pull from and push to the same ps: its link carries 2n times all bytes. So a term **grows** with n. There is a best n, and after it each worker makes all slower:
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
# Count the last two in the record. CPU:0 and CPU:1 play the ps tasks, CPU:2 the worker:

# %% grading="skip"
def pull_and_push(shards, dtype, size=1000):
    """A worker on CPU:2 and `shards` ps devices that hold `size` float32 numbers; `dtype` travels."""
    with tf.Graph().as_default() as graph:
        updates = []
        for k in range(shards):
            with tf.device(device(k)):
                w = v1.get_variable(f"w{k}", [size // shards], initializer=tf.ones_initializer())
                wire = tf.cast(w.read_value(), dtype)
            with tf.device(device(2)):
                gradient = tf.cast(tf.cast(wire, tf.float32) * 0.5, dtype)
            with tf.device(device(k)):
                updates.append(w.assign_sub(tf.cast(gradient, tf.float32)))
        tf.group(*[u.op if hasattr(u, "op") else u for u in updates], name="step")
    return graph

# %% predict="wire"
# Predict for 1000 numbers: bytes from CPU:0 to CPU:2 with one ps and float32;
# two ps and float32; two ps and float16?
one_32, two_32, two_16 = ..., ..., ...

# %% grading="skip"
for shards, dtype in [(1, tf.float32), (2, tf.float32), (2, tf.float16)]:
    graph = pull_and_push(shards, dtype)
    _, metadata = run_and_trace(graph, graph.get_operation_by_name("step"))
    print(shards, dtype.name, {" to ".join(way): size for way, size in moved(graph, metadata).items()})

# %% [markdown]
# **Play with it.** A network of 1.25 gigabytes a second, 25 million parameters, a batch that one device computes in a second: how many devices pay? What do four servers change, what does float16? Then find a link
# with which 8 devices in a ring are more than 7 times as fast.
#
# <details><summary>What you find</summary>
#
# With one server three devices pay; with four servers five, with float16 and one server four. A link of 12.5 gigabytes a second makes 8 devices in a ring 7.2 times as fast; 5 with float16 just reach 7.
# </details>

# %% grading="skip"
choose_cost()

# %% [markdown]
# ![The widget. Five sliders: seconds of one device for the batch at 1, parameters at 25 million, link at 1.25 gigabytes a second, one parameter server, float32. Below, speed-up against devices: the ideal line; the ring, which rises ever more slowly to 5.8 with 64 devices; the parameter server, which is best with 3 devices, and with 8 slower than one device alone.](assets/09_widget.svg)
#
# ## 7 Splitting a model
#
# Now the other way: **one** model over several devices. A dense net of three layers, 1024 wide. Cut it **between layers**: the variables of each layer on a device of its own.

# %% grading="skip"
def weights(name, shape):
    return v1.get_variable(name, shape, initializer=tf.constant_initializer(1 / shape[0]))

# %% grading="skip"
def by_layers(widths, rows):
    with tf.Graph().as_default() as graph:
        with tf.device(device(0)):
            h = tf.ones([rows, widths[0]], name="x")
        for k, shape in enumerate(zip(widths, widths[1:])):
            with tf.device(device(k)):
                h = tf.matmul(h, weights(f"w{k}", shape), name=f"layer{k}")
    return graph, h

# %% predict="layers"
# Predict: 256 rows, three layers 1024 x 1024 on three devices. Which devices work at the same time?
# How many bytes go from device 0 to device 1?
at_the_same_time, bytes_0_to_1 = "...", ...

# %% grading="skip"
layers, last = by_layers([1024] * 4, 256)
_, metadata = run_and_trace(layers, last.op)                     # run it, fetch nothing
draw_timeline(metadata, "Cut between layers")
print({" to ".join(way): size for way, size in moved(layers, metadata).items()})
print("layer 0 and layer 1 at the same time:", overlap(metadata, "layer0", "layer1"), "ms")

# %% [markdown]
# Never two layers at once: layer 1 needs *all* of layer 0. Three devices, the speed of one, and 256 × 1024 × 4 bytes travel at each cut. Note what travels: **activations**, rows × width. Not the weights.
#
# So cut each layer **by columns**: device 0 has the left half of each matrix, device 1 the right half.

# %% grading="skip"
def by_columns(widths, rows, n=2):
    with tf.Graph().as_default() as graph:
        parts = []
        for i in range(n):
            with tf.device(device(i)):
                parts.append(tf.ones([rows, widths[0] // n], name=f"x{i}"))
        for k, (before, after) in enumerate(zip(widths, widths[1:])):
            new = []
            for i in range(n):
                with tf.device(device(i)):
                    w = weights(f"w{k}_{i}", [before, after // n])
                    new.append(tf.matmul(tf.concat(parts, 1), w, name=f"layer{k}_{i}"))
            parts = new
    return graph, parts

# %% grading="skip"
columns, halves = by_columns([1024] * 4, 256)
_, metadata = run_and_trace(columns, [half.op for half in halves])
draw_timeline(metadata, "Cut by columns")
print({" to ".join(way): size for way, size in moved(columns, metadata).items()})
values, answer = run_and_trace(columns, halves)[0], run_and_trace(layers, last)[0]
print("same answer as before:", np.allclose(np.concatenate(values, 1), answer, rtol=1e-4))

# %% [markdown]
# Now both work at once, but before each layer they **exchange halves** (before the first, too, since the input lies here in halves). The inner layers send in total as many bytes as the cut between layers did; with n devices (n − 1) times as many, since each part goes to all others. And
# nobody computes while waiting. In training, gradients of the same sizes go back: twice the bytes.
#
# | dense net | devices at work at once | bytes forward (inner layers) |
# | --- | --- | --- |
# | between layers | 1 | rows × width × 4, for each cut |
# | by columns, n devices | n, in turns with waiting | (n − 1) × rows × width × 4, for each inner layer |
#
# For a dense net on slow links neither way is a gain. So why do it at all? Because of **memory**.
#
# ### A model too large for one machine
#
# Suppose a machine may hold 1.5 MiB of weights, and the model has three layers of 1 MiB. Data parallelism needs all of it on every machine. On the cluster, each worker gets one layer:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    h = tf.ones([4, 512])
    for k in range(3):
        with tf.device(f"/job:worker/task:{k}"):
            h = tf.matmul(h, weights(f"large{k}", [512, 512]), name=f"large_layer{k}")
for op in graph.get_operations():
    if op.type == "VarHandleOp":
        rows, columns = [dim.size for dim in op.get_attr("shape").dim]
        print(f"{op.name} on {op.device}: {4 * rows * columns / 2**20:.1f} MiB")

# %% grading="skip"
config = v1.ConfigProto(operation_timeout_in_ms=30_000)
with v1.Session(cluster.target("worker/0"), graph=graph, config=config) as session:
    initialise(session)
    print(session.run(h)[0, :3])

# %% [markdown]
# No machine holds more than 1 MiB, and the answer is right (means of ones are ones). It is no faster. It is **possible**.
#
# ## 8 Where a split pays
#
# A split pays where parts need little of each other. Two kinds of nets are made that way.
#
# **A convolution** looks at a small neighbourhood. Cut the *picture*: the upper half on device 0, the lower on device 1. With a 5 × 5 kernel, each needs only **two rows** of the other's half, the *halo*.

# %% grading="skip"
def halo(owner, part, side):
    """Two rows at the edge of `part`, cut out on the device that owns them."""
    with tf.device(device(owner)):
        return part[:, -2:] if side == "bottom" else part[:, :2]

# %% grading="skip"
def split_convolution(upper, lower, kernel):
    none, sides = tf.zeros_like, [[0, 0], [0, 0], [2, 2], [0, 0]]
    above, below = halo(1, lower, "top"), halo(0, upper, "bottom")
    with tf.device(device(0)):
        first = tf.nn.conv2d(tf.concat([none(below), upper, above], 1), kernel, 1, sides, name="upper")
    with tf.device(device(1)):
        second = tf.nn.conv2d(tf.concat([below, lower, none(above)], 1), kernel, 1, sides, name="lower")
    return first, second

# %% predict="halo"
# Predict: 8 pictures of 128 x 128 points, 16 channels, float32. One half is 4 194 304 bytes.
# How many bytes go from device 0 to device 1 for one convolution?
halo_bytes = ...

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
halves, whole = run_and_trace(graph, both)[0], tf.nn.conv2d(picture, kernel, 1, "SAME")
print("same as unsplit:", np.allclose(np.concatenate(halves, 1), whole, atol=1e-3))
_, metadata = run_and_trace(graph, [half.op for half in both])
print({" to ".join(way): size for way, size in moved(graph, metadata).items()})

# %% grading="skip"
draw_timeline(metadata, "A convolution, cut across the picture")
operations = 2 * 8 * 64 * 128 * 5 * 5 * 16 * 16
sent = moved(graph, metadata)["CPU:0", "CPU:1"]
print(f"for each byte that it sends, a half computes {operations / sent:.0f} operations")

# %% [markdown]
# 131 072 bytes instead of 4 million: a thirty-second part. And both halves compute at the same time.
#
# **A deep recurrent net** reads a sequence. Layer l at time t needs two things: itself at time t − 1, and layer l − 1 at time t. With a layer on each device, all work at once, each at another time step:

# %% grading="skip"
def deep_rnn(layers, times, rows=128, width=512):
    with tf.Graph().as_default() as graph:
        cells, states = [], [0.] * layers
        for l in range(layers):
            with tf.device(device(l)):
                cells.append(weights(f"cell{l}", [width, width]).read_value())
        for t in range(times):
            below = tf.ones([rows, width])
            for l in range(layers):
                with tf.device(device(l)):
                    product = tf.matmul(below + states[l], cells[l], name=f"cell{l}_{t}")
                    below = states[l] = tf.tanh(product, name=f"state{l}_{t}")
    return graph, below.op

# %% grading="skip"
recurrent, last = deep_rnn(3, 6)
_, metadata = run_and_trace(recurrent, last)
draw_timeline(metadata, "A recurrent net of three layers, each on its device")

# %% [markdown]
# A staircase: layer 1 begins when layer 0 has done its first time step, not when it has done all. L layers and T time steps take about L + T − 1 turns instead of L · T. (On two cores only two of
# the three can compute at a time; real devices do not share.)
#
# | | what travels | computed for each number that travels | a split pays? |
# | --- | --- | --- | --- |
# | dense, by columns | whole activations | about 2 · width operations, divided by the other devices | rarely |
# | convolution, by picture | the halo | all of a half | yes |
# | deep recurrent | one state for each time step and cut | a matrix product | yes, for long sequences |
#
# ## 9 Micro-batches: a pipeline
#
# What the recurrent net does with time steps, any net can do with its **rows**. Cut the batch into **micro-batches** and send one after the other: while device 1 works on micro-batch 0, device 0 works on micro-batch 1. In training, all go forward, then all go back (a backward step takes about twice as long as a forward step):

# %% grading="skip"
kinds = ["forward", "backward"]
draw_lanes(pipeline_lanes(3, 1), "No pipeline: one batch, three devices", "ticks", kinds)

# %% predict="bubble"
# Predict: three devices, four micro-batches. For which share of the time is a device idle (the bubble)?
idle = ...

# %% grading="skip"
draw_lanes(pipeline_lanes(3, 4), "Three devices, four micro-batches", "ticks", kinds)
print({m: f"{1 - busy(pipeline_lanes(3, m)['device 0'], 3 * (m + 2)):.0%} idle" for m in (1, 2, 4, 8, 16)})

# %% [markdown]
# With s stages and m micro-batches, forward takes m + s − 1 turns, of which each device works m. The **bubble** is (s − 1)/(m + s − 1): here 2/6. More micro-batches make it smaller, but each is smaller too, and at some point a device is no longer busy with it. (A tick of four
# micro-batches is a quarter as long as that of one whole batch.) The update is the same as before: gradients of micro-batches are added.
#
# The picture is a plan. Does TensorFlow follow it? Build the graph and look:

# %% grading="skip"
def pipeline(widths, rows, micro):
    with tf.Graph().as_default() as graph:
        with tf.device(device(0)):
            parts = tf.split(tf.ones([rows, widths[0]], name="x"), micro)
        for k, shape in enumerate(zip(widths, widths[1:])):
            with tf.device(device(k)):
                w = weights(f"w{k}", shape).read_value()
                parts = [tf.matmul(part, w, name=f"layer{k}_{m}") for m, part in enumerate(parts)]
    return graph, parts

# %% grading="skip"
piped, parts = pipeline([1024] * 4, 1024, 4)
_, metadata = run_and_trace(piped, [part.op for part in parts])
recorded = {name: [(start, end, op[-1], 0) for op, start, end in ops if op.startswith("layer")]
            for name, ops in work_of(metadata).items()}
draw_lanes(recorded, "A real pipeline, as recorded", "milliseconds", ["micro-batch"])

# %% [markdown]
# Nobody wrote a schedule. Each `layer1_m` waits only for `layer0_m`, so TensorFlow starts it as soon as that is there. (Which of the waiting micro-batches goes first, it may choose; and a CPU device works at several at once, a GPU mostly one after the other. Here all devices share two cores, so micro-batches often go in pairs.) What matters is what you do **not** write: no
# `concat` between the layers, or all wait for all again.
#
# ## 10 The input pipeline: a device is never idle
#
# The fastest device waits if no data come. First the device's work: a real step, and how long it takes here.

# %% grading="skip"
wide = tf.random.normal([64, 1000]) / 30

@tf.function
def device_step(rows):
    for _ in range(10):
        rows = tf.tanh(tf.matmul(tf.matmul(rows, wide), tf.transpose(wide)))
    return tf.reduce_sum(rows)

# %% grading="skip"
def timed(work, *data):
    begin = time.monotonic()
    work(*data)
    return begin, time.monotonic()

tried = [timed(lambda: float(device_step(train_x[:800]))) for _ in range(6)][1:]
STEP = min(end - begin for begin, end in tried)
print(f"a step takes {1000 * STEP:.0f} milliseconds")

# %% [markdown]
# Now the data: files with 800 rows. They come from a far disk, which is played by a wait of **twice** a step's time. Reader and device note when they worked.

# %% grading="skip"
folder, events = tempfile.mkdtemp(dir=helper.folder), []
for k in range(12):
    np.save(f"{folder}/{k}.npy", np.roll(train_x, k, axis=0)[:800])

# %% grading="skip"
def read(number):
    def far_disk():
        time.sleep(2 * STEP)
        found.append(np.load(f"{folder}/{number}.npy"))
    found = []
    events.append((*timed(far_disk), str(number), 0))
    return found[0]

def load(number):
    return tf.ensure_shape(tf.numpy_function(read, [number], tf.float32), [800, 64])

# %% grading="skip"
def consume(dataset):
    """Take all from a dataset; {"read": pieces of work, "device": pieces of work} for draw_lanes."""
    events.clear()
    steps, origin = [], time.monotonic()
    for k, rows in enumerate(dataset):
        steps.append((*timed(lambda: float(device_step(rows))), str(k), 1))
    shift = lambda lane: sorted((b - origin, e - origin, label, kind) for b, e, label, kind in lane)
    return {"read": shift(events), "device": shift(steps)}

# %% grading="skip"
options = tf.data.Options()
options.experimental_optimization.inject_prefetch = False        # today's tf.data would add one by itself
options.threading.private_threadpool_size = 8                    # else as many threads as cores
files = tf.data.Dataset.range(12).with_options(options)           # their numbers
plain = files.map(load)
one_file = lambda k: tf.data.Dataset.from_tensors(k).map(load)
several = files.interleave(one_file, cycle_length=4, num_parallel_calls=4)

# %% predict="input"
# Predict: reading takes twice as long as a step. Which share of the time does the device work: plain map;
# with prefetch; with four files read at a time and prefetch?
plain_share, prefetch_share, interleave_share = ..., ..., ...

# %% grading="skip"
for title, dataset in [("map alone", plain), ("map, prefetch", plain.prefetch(2)),
                       ("interleave 4 files, prefetch", several.prefetch(2))]:
    draw_lanes(consume(dataset), title, "seconds", ["read a file", "step"])

# %% [markdown]
# * **`map` alone**: read, compute, read, compute. One always waits for the other. (To show you this, we had to turn off `inject_prefetch`: today's tf.data puts a prefetch at the end if you forget it.)
# * **`prefetch`** puts a queue between them (lesson 04): the next file is read during the step. Now the slower one, reading, sets the pace.
# * **`interleave`** with `num_parallel_calls` reads several files at once. Now reading is fast enough, and after the first files the device hardly waits. (tf.data's own pool has as many threads as there are cores. A
#   read that *waits* keeps its thread, so on two cores the pool had to be made larger.)
#
# And if the data fit into memory, **`cache`** reads each file once for all epochs. Count the reads:

# %% predict="cache"
# Predict: two epochs over twelve files, with cache. How many reads?
reads = ...

# %% grading="skip"
cached = plain.cache()
for epoch in (1, 2):
    lanes = consume(cached.prefetch(2))
    last = max(piece[1] for piece in lanes["device"])
    share = busy(lanes["device"], last)
    print(f"epoch {epoch}: {len(lanes['read'])} reads, the device works {100 * share:.0f} % of the time")

# %% [markdown]
# The order matters: `cache` *after* the slow part and *before* what must be fresh in each epoch (shuffling, random changes); `prefetch` last. `tf.data.AUTOTUNE` instead of a number lets tf.data choose.
#
# ## 11 Break it and diagnose it
#
# **A replica is missing.** All-reduce is a meeting: it ends when all have come. Under the strategies lies this op. It runs on two devices, of a group of two, then on one:

# %% grading="skip"
def meeting(members, size_of_member=lambda i: 3):
    with tf.Graph().as_default() as graph:
        for i in members:
            with tf.device(device(i)):
                tf.raw_ops.CollectiveReduceV2(
                    input=tf.fill([size_of_member(i)], 10. ** i), group_size=2, group_key=1, instance_key=1,
                    ordering_token=[], merge_op="Add", final_op="Id", communication_hint="ring",
                    timeout_seconds=2, name=f"sum_on_{i}")
    return graph

# %% grading="skip"
config = v1.ConfigProto(device_count={"CPU": 4, "GPU": 0})

def try_meeting(graph):
    sums = [op.outputs[0] for op in graph.get_operations() if op.type == "CollectiveReduceV2"]
    try:
        with native_output(), v1.Session(graph=graph, config=config) as session:
            result = [total.tolist() for total in session.run(sums)]
    except tf.errors.OpError as error:
        words = re.search(r"(Collective has timed out|Shape mismatch).*", error.message)
        result = f"{type(error).__name__}: {words[0].partition('. This')[0]}"
    print(result)

# %% grading="skip"
try_meeting(meeting([0, 1]))
try_meeting(meeting([0]))
try_meeting(meeting([0, 1], lambda i: 3 + i))

# %% [markdown]
# The first line is right: both have 11. **Second**: nobody else comes. Without `timeout_seconds` it waits for ever, without a word: a job that hangs with idle processors is most often a missing replica. **Third**: both came, with different sizes; that is an error at once, and it names both.
#
# **Bytes that lose numbers.** Float16 on the wire halves the bytes. What happens to small and large gradients?

# %% predict="float16"
# Predict: which of these gradients arrive as 0, which as infinity? 1e-3, 1e-8, 7e4
zero, infinity = ..., ...

# %% grading="skip"
sent = tf.constant([1e-3, 1e-8, 7e4])
for name in ("float16", "bfloat16"):
    print(name, tf.cast(tf.cast(sent, name), tf.float32).numpy())

# %% [markdown]
# Scale gradients before the cast and back after it (lesson 08), or send bfloat16: the range of float32, with fewer digits.
#
# | what you see | likely | look at |
# | --- | --- | --- |
# | it hangs, processors idle | a replica is missing, or they disagree on the number of steps | each replica's last line; give a timeout |
# | `Shape mismatch in the collective` | replicas built different models, or the last batch is smaller | shapes; `drop_remainder=True` |
# | the loss explodes with more replicas | loss divided by the local batch; or stale gradients | section 2; section 4 |
# | more devices, no faster | the links are full, or the data do not come | section 6; section 10 |
# | a split model is slower than one device | layers wait for each other | the timeline: do bars overlap? |
#
# ## 12 Today's names
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | towers and `average_gradients` in one graph | `tf.distribute.MirroredStrategy`, `strategy.run`, `strategy.reduce` |
# | `SyncReplicasOptimizer(replicas_to_aggregate=...)` | synchronous strategies; there are no backup replicas |
# | asynchronous workers, `replica_device_setter` | `ParameterServerStrategy` and a `ClusterCoordinator` |
# | `fixed_size_partitioner` for large variables | `variable_partitioner=` of `ParameterServerStrategy` |
# | `with tf.device("/gpu:1")` for each layer | the same; or `tf.experimental.dtensor`, where each tensor has a layout |
# | batch divided by hand | `experimental_distribute_dataset`: global batches in, local batches out |
# | queues and `v1.train.batch` | `tf.data`: `map`, `interleave`, `cache`, `prefetch` |
#
# ## Recap
#
# 1. Data parallelism sends gradients, as many as weights. Model parallelism sends activations, rows × width.
# 2. In a ring each device sends 2 (n − 1)/n of the gradient, in 2 (n − 1) steps, however many devices there are.
# 3. Divide the loss by the global batch; scale the learning rate with it.
# 4. Asynchronous is fast with stragglers, and its gradients are stale: lower the rate, drop or scale, tune the batch, warm up.
# 5. A cost model from three measured numbers says where more devices stop paying. Prefetch, interleave and cache keep them busy.
#
# | question | where the answer is |
# | --- | --- |
# | Who is the bottleneck? | bytes sent by the *busiest* device, from the record |
# | Is A better than B? | several seeds; difference against its standard error |
# | How stale? | step at push minus step at pull |
# | Do more devices pay? | computing ÷ n against bytes ÷ bandwidth |
# | Is the device idle? | its lane in the timeline: bubble, or no data |
#
# **Read on:** lesson 10, *Search and ensembles*: many models instead of one. On large models, look for *tensor*, *pipeline* and *sharded data parallelism*: they combine sections 1, 7 and 9.
#
# ## Exercises
#
# Six short programs and one question in words. They need sections 1 to 7 and 9.

# %% [markdown] exercise="all_reduce"
# ### Exercise 1 · All-reduce in a ring
#
# Write `all_reduce(chunks)`: the messages of a ring. There are n devices, n ≥ 2; device i has a gradient of n chunks, `chunks[i]`, and a chunk is here one number.
#
# * In each step each device sends **one** of its chunks to the next device: i to i + 1, the last to device 0. All send at the same time, so a message holds the value that the sender had at the **begin** of the step.
# * In the first n − 1 steps the receiver **adds** the value to its own chunk of the same number. In the n − 1 steps after that it **replaces** its chunk.
# * At the end each device has all sums.
#
# Return a dict with `"messages"`: a list of steps, each a list of messages `[from, to, chunk, value]`, in any order; and `"result"`: for each device the list of its chunks at the end.
#
# Example: `all_reduce([[1., 2.], [10., 20.]])`. Device 0 sends its chunk 0 and device 1 its chunk 1; then the sums go back:
# `{"messages": [[[0, 1, 0, 1.], [1, 0, 1, 20.]], [[0, 1, 1, 22.], [1, 0, 0, 11.]]], "result": [[11., 22.], [11., 22.]]}`.

# %% solution="all_reduce"
def all_reduce(chunks):
    """The messages and the result of an all-reduce in a ring.

    Args:
        chunks: list of n lists of n floats; chunks[i][c] is chunk c of device i.
    Returns:
        dict: "messages", a list of 2 * (n - 1) steps, each a list of n messages [from, to, chunk, value];
            "result", a list of n lists of n floats. `chunks` itself is not changed.
    """
    ### BEGIN SOLUTION
    n, now, messages = len(chunks), [list(mine) for mine in chunks], []
    for step in range(2 * (n - 1)):
        sent = [[i, (i + 1) % n, (i - step) % n, now[i][(i - step) % n]] for i in range(n)]
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

# %% check="all_reduce-result" points=1
chunks = [[1., 2., 3.], [10., 20., 30.], [100., 200., 300.]]
answer = all_reduce([list(mine) for mine in chunks])
got = answer.get("result") if type(answer) is dict else answer
right = [[111., 222., 333.]] * 3

def told(likely):
    return (f"asked:    the result of all_reduce({chunks})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, All-reduce by hand")

assert type(answer) is dict and {"messages", "result"} <= set(answer), told(
    "the function returns no dict with messages and result")
assert type(got) in (list, tuple) and len(got) == 3 and all(len(mine) == 3 for mine in got), told(
    "the result has a list of n chunks for each device")
got = [[float(value) for value in mine] for mine in got]
assert got != [[37., 74., 111.]] * 3, told(
    "the sums are divided by n: an all-reduce adds; whoever wants a mean divides")
assert not any(value > total for mine in got for value, total in zip(mine, right[0])), told(
    "something was added twice: after n - 1 steps the receiver replaces its chunk")
assert not (got != right and all(sum(mine[c] == right[0][c] for mine in got) == 1 for c in range(3))), told(
    "each sum is complete on one device only: the second n - 1 steps, which replace, are missing")
assert got == right, told("a device lacks a gradient of another one")

# %% check="all_reduce-steps" points=2
chunks = [[float(10 ** i * (c + 1)) for c in range(4)] for i in range(4)]
answer = all_reduce([list(mine) for mine in chunks])
messages = answer.get("messages") if type(answer) is dict else []
counts = [len(step) for step in messages]
ways = sorted({(message[0], message[1]) for step in messages for message in step})
got = f"{len(messages)} steps with {counts} messages, between {ways}"

def told(likely):
    return (f"asked:    the messages of a ring of four devices\n"
            f"got:      {got}\n"
            f"expected: 6 steps with 4 messages each, between (0, 1), (1, 2), (2, 3), (3, 0)\n"
            f"likely:   {likely}\n"
            f"reread:   section 1: in each step each device sends one chunk to the next device")

assert len(messages) != 4, told("n steps are too few: n - 1 steps to add, and n - 1 to hand the sums round")
assert len(messages) != 3, told("n - 1 steps only add; n - 1 more hand the complete sums round")
assert all(to == (source + 1) % 4 for source, to in ways), told(
    "in a ring each device sends to the next one only, and the last one to device 0")
assert not counts or max(counts) <= 4, told(
    "a device sends its whole gradient in a step: it is one chunk of n")
assert len(messages) == 6, told("the number of steps is 2 * (n - 1)")
assert all(sorted(message[0] for message in step) == [0, 1, 2, 3] for step in messages), told(
    "in some step a device sends nothing, or twice")

# %% hidden="all_reduce-values" points=2
import random

n = 4
chunks = [[float(random.randrange(1, 100)) for _ in range(n)] for _ in range(n)]
answer = all_reduce([list(mine) for mine in chunks])
now, wrong = [list(mine) for mine in chunks], ""
messages = answer.get("messages") if type(answer) is dict else []
for k, step in enumerate(messages):
    for source, to, c, value in step:
        if value != now[source][c] and not wrong:
            wrong = f"step {k}: device {source} sends {value} as its chunk {c}, but holds {now[source][c]}"
    for source, to, c, value in step:
        now[to][c] = now[to][c] + value if k < n - 1 else value
sums = [sum(mine[c] for mine in chunks) for c in range(n)]
got = wrong or f"played again, the messages give {now}"

def told(likely):
    return (f"asked:    the values of the messages for random chunks on four devices\n"
            f"got:      {got}\n"
            f"expected: each value is what the sender holds when the step begins; in the end {sums}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1: all send at the same time")

assert messages, told("there are no messages")
assert not wrong, told(
    "a device passes on in a step what it receives in the same step, or a number that it does not have")
assert all(mine == sums for mine in now), told(
    "the wrong chunk is sent: pass on the chunk that you received in the step before")
assert [list(map(float, mine)) for mine in answer["result"]] == now, told(
    "the result is not what the messages give")

# %% hidden="all_reduce-two-and-five" points=1
got, right = [], []
for n in (2, 5):
    answer = all_reduce([[float(100 * i + c) for c in range(n)] for i in range(n)])
    messages = answer["messages"] if type(answer) is dict else []
    sent = [sum(message[0] == i for step in messages for message in step) for i in range(n)]
    got += [[sent, [list(map(float, mine)) for mine in answer["result"]]]]
    right += [[[2 * (n - 1)] * n, [[float(100 * n * (n - 1) / 2 + n * c) for c in range(n)]] * n]]

def told(likely):
    return (f"asked:    chunks sent by each device, and the result, for 2 and 5 devices\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 1: 2 (n - 1)/n gradients for each device")

assert [each[0] for each in got] == [each[0] for each in right], told("each device sends 2 * (n - 1) chunks")
assert got == right, told("the sums are wrong for another number of devices")

# %% [markdown] exercise="stale"
# ### Exercise 2 · How stale?
#
# Write `stale(events)`. `events` is what the ps of an asynchronous training saw, in order: `["pull", worker]` or `["push", worker]`. Each push makes one update.
#
# The **staleness** of a push is the number of updates that were made after this worker's **last pull** and before this push, by whomever. Return the list of the staleness of all pushes, in their order.
#
# Example: `stale([["pull", 0], ["pull", 1], ["push", 0], ["pull", 0], ["push", 1], ["push", 0]])` gives `[0, 1, 1]`.

# %% solution="stale"
def stale(events):
    """Staleness of each push.

    Args:
        events: list of [str, int], "pull" or "push" and the worker. A worker pulls before it pushes.
    Returns:
        list of int: one for each push, in the order of the pushes.
    """
    ### BEGIN SOLUTION
    step, seen, found = 0, {}, []
    for kind, worker in events:
        if kind == "pull":
            seen[worker] = step
        else:
            found.append(step - seen[worker])
            step += 1
    return found
    ### END SOLUTION

# %% try="stale"
try:
    print(stale([["pull", 0], ["pull", 1], ["push", 0], ["pull", 0], ["push", 1], ["push", 0]]))
except NotImplementedError as error:
    print(error)

# %% check="stale-turns" points=1
events = [["pull", 0], ["pull", 1], ["pull", 2], ["push", 0], ["push", 1], ["push", 2],
          ["pull", 0], ["push", 0], ["pull", 1], ["push", 1]]
got, right = stale([list(event) for event in events]), [0, 1, 2, 0, 0]

def told(likely):
    return (f"asked:    three workers pull, then push in turn; then worker 0 and worker 1 alone\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Stale gradients")

assert type(got) in (list, tuple) and len(got) == 5, told("the result has one number for each push")
got = list(got)
assert got != [1, 2, 3, 1, 1], told("a push counts itself: count the updates before it")
assert got != [0, 0, 0, 0, 0], told("others' updates are not counted")
assert got != [0, 1, 2, 3, 4], told(
    "counted from the beginning, or from the first pull: count from this worker's last pull")
assert got != [2, 2, 2, 0, 0] and got != [2, 2, 2, 2, 2], told(
    "the number of other workers is only what you may expect")
assert got == right or sorted(got) != sorted(right), told(
    "the list is in the order of the pushes, not by worker")
assert got == right, told("step at this push, minus step at this worker's pull")

# %% check="stale-last-pull" points=1
events = [["pull", 0], ["pull", 1], ["push", 1], ["pull", 1], ["push", 1], ["pull", 0], ["pull", 1],
          ["push", 1], ["push", 0]]
got, right = stale([list(event) for event in events]), [0, 0, 0, 1]

def told(likely):
    return (f"asked:    worker 0 pulls, pulls again two updates later, and pushes after one more\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: this worker's last pull")

assert type(got) in (list, tuple), told("the result is no list")
got = list(got)
assert got not in ([0, 0, 0, 3], [0, 1, 2, 3]), told(
    "the first pull was taken, but the copy is that of the last one")
assert got[-1:] != [2], told("pulls were counted too: only a push makes an update")
assert got == right, told("count the pushes between the last pull of worker 0 and its push")

# %% hidden="stale-own" points=1
events = [["pull", 0], ["push", 0], ["push", 0], ["pull", 1], ["push", 0], ["push", 1], ["push", 1],
          ["push", 0]]
got, right = stale([list(event) for event in events]), [0, 1, 2, 1, 2, 5]

def told(likely):
    return (f"asked:    workers that push several times after one pull\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: updates by whomever")

assert type(got) in (list, tuple), told("the result is no list")
assert list(got) != [0, 0, 0, 1, 1, 2], told(
    "own updates count too: they also changed the weights after the pull")
assert list(got) == right, told("a push does not bring new weights: only a pull does")

# %% hidden="stale-many" points=1
import random

events, right, step, seen = [], [], 0, {}
for worker in range(5):
    events.append(["pull", worker])
    seen[worker] = 0
for _ in range(60):
    worker = random.randrange(5)
    right.append(step - seen[worker])
    step += 1
    seen[worker] = step
    events += [["push", worker], ["pull", worker]]
got = stale([list(event) for event in events])

def told(likely):
    return (f"asked:    60 pushes of five workers in random order\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Stale gradients")

assert type(got) in (list, tuple) and len(got) == 60, told("the result has one number for each push")
assert list(got) == right, told("remember for each worker the number of updates at its pull")

# %% [markdown] exercise="remedy"
# ### Exercise 3 · The remedies
#
# Write `train_stale(first, events, rate, remedy)`: an asynchronous training that you can check by hand. The model is one number w. The loss of a row is (w − row)²/2, so the gradient of some rows is **w − mean(rows)**, at the w that the
# worker **pulled**. Events are `["pull", worker]` and `["push", worker, rows]`. A push makes the update w ← w − rate · gradient, unless its gradient is dropped.
#
# `remedy` is `{}` or has **one** of these keys:
#
# | key | what changes |
# | --- | --- |
# | `"rate": f` | the rate is multiplied by f |
# | `"scale": True` | the rate is divided by 1 + staleness |
# | `"drop": k` | a gradient whose staleness is **greater than** k is dropped |
# | `"batch": b` | the worker takes the first b of its rows only |
# | `"warmup": u` | as long as fewer than u updates have been made, gradients of all workers but worker 0 are dropped |
#
# Staleness is that of exercise 2. A gradient that is dropped changes nothing and is **no update**. Return `{"w": ..., "updates": ..., "dropped": ...}`.
#
# Example: from 0, rate 0.5, events `["pull", 0], ["pull", 1], ["push", 0, [4.]], ["push", 1, [8.]]`. Without a remedy w is 0 → 2 → 6. With `{"scale": True}` the second step is half as long, and w is 4. With `{"drop": 0}` it is 2, with 1 update and 1 dropped.

# %% solution="remedy"
def train_stale(first, events, rate, remedy):
    """Train one number asynchronously, with a remedy against stale gradients.

    Args:
        first: float, the first w.
        events: list of ["pull", worker] and ["push", worker, rows]; rows is a list of float, not empty.
        rate: float, the learning rate.
        remedy: dict, empty or with one of the keys "rate", "scale", "drop", "batch", "warmup".
    Returns:
        dict: "w" float, "updates" int, "dropped" int.
    """
    ### BEGIN SOLUTION
    w, updates, dropped, pulled = float(first), 0, 0, {}
    for kind, worker, *rest in events:
        if kind == "pull":
            pulled[worker] = w, updates
            continue
        rows, (copy, seen) = rest[0][:remedy.get("batch")], pulled[worker]
        staleness = updates - seen
        if staleness > remedy.get("drop", staleness) or (worker != 0 and updates < remedy.get("warmup", 0)):
            dropped += 1
            continue
        step = rate * remedy.get("rate", 1) / (1 + staleness if remedy.get("scale") else 1)
        w, updates = w - step * (copy - sum(rows) / len(rows)), updates + 1
    return {"w": w, "updates": updates, "dropped": dropped}
    ### END SOLUTION

# %% try="remedy"
try:
    events = [["pull", 0], ["pull", 1], ["push", 0, [4.]], ["push", 1, [8.]]]
    for remedy in ({}, {"scale": True}, {"drop": 0}):
        print(remedy, train_stale(0., events, 0.5, remedy))
except NotImplementedError as error:
    print(error)

# %% check="remedy-none" points=1
events = [["pull", 0], ["pull", 1], ["push", 0, [4.0, 12.0]], ["push", 1, [16.0]], ["pull", 0],
          ["push", 0, [0.0]]]
got, right = train_stale(0.0, events, 0.25, {}), {"w": 4.5, "updates": 3, "dropped": 0}

def told(likely):
    return (f"asked:    train_stale(0., {events}, 0.25, {{}})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4: a gradient belongs to the weights at which it was computed")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of w, updates and dropped")
w = float(got["w"])
assert abs(w - 4.125) > 1e-9, told(
    "the gradient was computed at the newest w; the worker has the one that it pulled")
assert abs(w - 6) > 1e-9, told("the gradient of several rows is that of their mean, not of their sum")
assert got == right, told("w - rate * (pulled w - mean of the rows)")

# %% check="remedy-weaker" points=2
events = [["pull", 0], ["pull", 1], ["pull", 2], ["push", 0, [8.]], ["push", 1, [8.]], ["push", 2, [12.]]]
got = [train_stale(0., events, 0.5, {"rate": 0.25}), train_stale(0., events, 0.5, {"scale": True})]
right = [{"w": 3.5, "updates": 3, "dropped": 0}, {"w": 8., "updates": 3, "dropped": 0}]

def told(likely):
    return (f"asked:    staleness 0, 1, 2 at rate 0.5, with {{'rate': 0.25}} and with {{'scale': True}}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, Four remedies")

assert all(type(each) is dict and set(each) == set(right[0]) for each in got), told(
    "the result is no dict of w, updates and dropped")
ends = [round(float(each["w"]), 6) for each in got]
assert ends[0] != 14., told("the rate of the remedy is ignored, or replaced: multiply the rate by it")
assert ends[0] != 7., told("the remedy's number takes the place of the rate: multiply the rate by it")
assert ends[1] != 30., told("a stale gradient was made larger: divide by 1 + staleness")
assert ends[1] != 11., told(
    "divided by the staleness itself: it is 1 + staleness, so that fresh gradients keep their length")
assert abs(ends[1] - 14 / 3) > 1e-5, told(
    "all gradients were divided by the same number: each has its own staleness")
assert ends[1] != 14., told("scale is ignored")
assert got == right, told("divide the rate, for each push, by 1 + its own staleness")

# %% check="remedy-drop" points=2
events = [["pull", 0], ["pull", 1], ["pull", 2], ["pull", 3], ["push", 0, [8.0]], ["push", 1, [8.0]],
          ["push", 2, [64.0]], ["push", 3, [64.0]], ["pull", 2], ["push", 2, [0.0]]]
got, right = train_stale(0.0, events, 0.5, {"drop": 1}), {"w": 4.0, "updates": 3, "dropped": 2}

def told(likely):
    return (f"asked:    pushes of staleness 0, 1, 2, 2, 0, with {{'drop': 1}}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: greater than k")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of w, updates and dropped")
assert got["dropped"] != 3, told("staleness 1 is not greater than 1: it is kept")
assert got["dropped"] != 0, told("nothing was dropped")
assert got["updates"] != 0 and float(got["w"]) < 20, told(
    "the stale gradients were kept, and the fresh ones dropped")
assert got["updates"] != 5, told("a gradient that is dropped is no update")
assert got == right, told("a gradient that is dropped changes neither w nor the number of updates")

# %% hidden="remedy-drop-counts" points=1
events = [["pull", 0], ["pull", 1], ["pull", 2], ["push", 0, [8.]], ["push", 1, [64.]], ["push", 2, [64.]],
          ["pull", 1], ["push", 0, [64.]], ["push", 1, [16.]]]
got, right = train_stale(0., events, 0.5, {"drop": 0}), {"w": 10., "updates": 2, "dropped": 3}

def told(likely):
    return (f"asked:    a fresh push after three that were dropped, with {{'drop': 0}}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: a gradient that is dropped is no update")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of w, updates and dropped")
assert got["dropped"] != 4, told(
    "dropped gradients made others stale: they are no updates, so they do not count")
assert got == right, told("staleness counts updates, and a dropped gradient is none")

# %% hidden="remedy-batch" points=1
events = [["pull", 0], ["push", 0, [8., 16., 1000., 1000.]], ["pull", 1], ["push", 1, [4.]]]
got, right = train_stale(0., events, 0.5, {"batch": 2}), {"w": 5., "updates": 2, "dropped": 0}

def told(likely):
    return (f"asked:    pushes with rows [8, 16, 1000, 1000] and [4], with {{'batch': 2}}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: the first b of its rows")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of w, updates and dropped")
assert float(got["w"]) < 100, told("all rows were taken, or the last ones: take the first b")
assert abs(float(got["w"]) - 4.) > 1e-9, told(
    "divided by b, though a worker has fewer rows: divide by the rows that were taken")
assert got == right, told("the mean of the first b rows, or of all if there are fewer")

# %% hidden="remedy-warmup" points=1
events = [["pull", 0], ["pull", 1], ["push", 1, [64.0]], ["push", 0, [8.0]], ["push", 1, [64.0]],
          ["pull", 0], ["push", 0, [8.0]], ["pull", 1], ["push", 1, [12.0]], ["push", 0, [4.0]]]
got, right = train_stale(0.0, events, 0.5, {"warmup": 2}), {"w": 9.0, "updates": 4, "dropped": 2}

def told(likely):
    return (f"asked:    two workers, with {{'warmup': 2}}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: as long as fewer than u updates have been made")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of w, updates and dropped")
assert got["dropped"] != 1, told("pushes were counted that made no update: count updates")
assert got["dropped"] != 3 and got["updates"] != 3, told(
    "the warm-up ends when u updates have been made: then all workers count again")
assert got == right, told("gradients of worker 0 always count; those of the others after u updates")

# %% [markdown] exercise="compare"
# ### Exercise 4 · Faster? Better?
#
# Write `compare(runs)`: what the runs of section 3 allow you to say. Each run is a dict with `"mode"` (a text), `"seconds"` and `"accuracy"`. Each mode has at least two runs.
#
# * `"seconds"` and `"accuracy"` of the result: for each mode `[mean, error]`, where the **standard error** of k values is s/√k, and s their sample standard deviation, with k − 1.
# * `"faster"`: the mode with the smallest mean of seconds, if it differs from **each** other mode's mean by more than 2 · √(error₁² + error₂²), with the errors of the two. Otherwise None: you cannot say.
# * `"better"`: the same for the largest mean accuracy.
#
# Example: for runs of mode `"a"` with 1 and 3 seconds, accuracy 0.9 and 0.9, and of mode `"b"` with 8 and 10 seconds, accuracy 0.8 and 0.96: seconds are `{"a": [2., 1.], "b": [9., 1.]}`, accuracy `{"a": [0.9, 0.], "b": [0.88, 0.08]}`,
# faster is `"a"`, since 7 > 2 · √2, and better is None, since 0.02 < 2 · 0.08.

# %% solution="compare"
def compare(runs):
    """What measured runs allow to say about speed and quality.

    Args:
        runs: list of dict with "mode" (str), "seconds" (float), "accuracy" (float); at least two of a mode.
    Returns:
        dict: "seconds", "accuracy": each {mode: [mean, standard error]}; "faster", "better": a mode or None.
    """

    ### BEGIN SOLUTION
    def table(what):
        groups = {}
        for run in runs:
            groups.setdefault(run["mode"], []).append(run[what])
        return {
            mode: [float(np.mean(v)), float(np.std(v, ddof=1) / np.sqrt(len(v)))]
            for mode, v in groups.items()
        }

    def winner(numbers, choose):
        best = choose(numbers, key=lambda mode: numbers[mode][0])
        (mean, error), others = numbers[best], [pair for mode, pair in numbers.items() if mode != best]
        return best if all(abs(mean - m) > 2 * np.hypot(error, e) for m, e in others) else None

    seconds, accuracy = table("seconds"), table("accuracy")
    return {
        "seconds": seconds,
        "accuracy": accuracy,
        "faster": winner(seconds, min),
        "better": winner(accuracy, max),
    }
    ### END SOLUTION

# %% try="compare"
try:
    rows = [("a", 1., 0.9), ("b", 8., 0.8), ("a", 3., 0.9), ("b", 10., 0.96)]
    print(compare([dict(zip(("mode", "seconds", "accuracy"), row)) for row in rows]))
except NotImplementedError as error:
    print(error)

# %% check="compare-table" points=2
times = {"asynchronous": [1.0, 1.0, 4.0], "synchronous": [6.0, 8.0]}
runs = [{"mode": mode, "seconds": t, "accuracy": 0.9} for mode, some in times.items() for t in some]
answer = compare([dict(run) for run in runs])
seconds = answer.get("seconds") if type(answer) is dict else None
got = (
    {mode: [round(float(v), 6) for v in pair] for mode, pair in seconds.items()}
    if type(seconds) is dict
    else seconds
)

def told(likely):
    return (f"asked:    mean and standard error of the seconds {times}\n"
            f"got:      {got}\n"
            f"expected: {{'asynchronous': [2.0, 1.0], 'synchronous': [7.0, 1.0]}}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4: the standard error")

assert type(got) is dict and set(got) == set(times), told("seconds has no entry for each mode")
assert all(len(pair) == 2 for pair in got.values()), told("an entry is [mean, error]")
assert got["asynchronous"][0] == 2.0 and got["synchronous"][0] == 7.0, told(
    "the means are wrong: each mode has runs of its own")
error = got["asynchronous"][1]
assert abs(error - 1.414214) > 1e-4, told(
    "that is the standard deviation with k, of one run; divide by the root of their number")
assert abs(error - 1.732051) > 1e-4, told(
    "that is the standard deviation of one run: the mean of k runs is surer, divide by the root of k")
assert abs(error - 0.816497) > 1e-4, told(
    "the deviation was computed with k instead of k - 1: np.std needs ddof=1")
assert got == {"asynchronous": [2.0, 1.0], "synchronous": [7.0, 1.0]}, told("s / sqrt(k), with k - 1 in s")

# %% check="compare-words" points=1
rows = {"a": [(1., .90), (3., .92)], "b": [(8., .95), (10., .89)], "c": [(20., .5), (22., .52)]}
runs = [{"mode": mode, "seconds": t, "accuracy": q} for mode, some in rows.items() for t, q in some]
answer = compare([dict(run) for run in runs])
got = {name: answer.get(name) for name in ("faster", "better")} if type(answer) is dict else answer

def told(likely):
    return (f"asked:    which mode is faster and which is better in (seconds, accuracy) {rows}\n"
            f"got:      {got}\n"
            f"expected: {{'faster': 'a', 'better': None}}\n"
            f"likely:   {likely}\n"
            f"reread:   section 3: a difference that is smaller than its error")

assert type(got) is dict, told("the result is no dict")
assert got["faster"] != "c", told("the mode with the most seconds is the slowest")
assert got["better"] != "b", told(
    "0.92 against 0.91, with errors of 0.03 and 0.01: that is no difference that you can see")
assert got["better"] != "c", told("the better mode has the larger accuracy")
assert got["faster"] is not None, told("a is faster than both others by far more than the errors")
assert got == {"faster": "a", "better": None}, told(
    "compare the difference with 2 * sqrt(error1 ** 2 + error2 ** 2)")

# %% hidden="compare-each-other" points=2
rows = {"a": [(4.0, 0.9), (4.0, 0.9)], "b": [(5.0, 0.8), (5.0, 0.8)], "c": [(2.0, 0.6), (14.0, 1.0)]}
even = rows | {"c": [(8.0, 0.6), (8.0, 0.6)]}
got = []
for table in (rows, even):
    runs = [{"mode": mode, "seconds": t, "accuracy": q} for mode, some in table.items() for t, q in some]
    answer = compare([dict(run) for run in runs])
    got.append([answer.get(name) for name in ("faster", "better")] if type(answer) is dict else answer)

def told(likely):
    return (f"asked:    which mode is faster and which is better in (seconds, accuracy) {rows},\n"
            f"          then the same with {{'c': {even['c']}}}\n"
            f"got:      {got}\n"
            f"expected: [[None, None], ['a', 'a']]\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4: differs from each other mode's mean")

assert all(type(pair) is list for pair in got), told("the result is no dict")
assert got[0] == [None, None], told(
    "a differs from b, but not from c, whose runs are uneven: compare with each other mode")
assert got[1] != [None, None], told("where the runs of c are even, a differs from both others")

# %% hidden="compare-random" points=2
import random
import statistics

modes, few = {"x": [], "y": [], "z": []}, random.sample([3, 4, 6], 3)
for mode, second, quality, count in zip(
    modes, random.sample([10.0, 14.0, 19.0], 3), random.sample([0.8, 0.86, 0.93], 3), few
):
    modes[mode] = [
        (second + random.uniform(-1, 1), quality + random.uniform(-0.01, 0.01)) for _ in range(count)
    ]
runs = [{"mode": mode, "seconds": t, "accuracy": q} for mode, some in modes.items() for t, q in some]
random.shuffle(runs)
numbers = []
for place in (0, 1):
    values = {mode: [pair[place] for pair in some] for mode, some in modes.items()}
    numbers.append({m: [statistics.mean(v), statistics.stdev(v) / len(v) ** 0.5] for m, v in values.items()})

def first(table, choose):
    best = choose(table, key=lambda mode: table[mode][0])
    apart = [
        abs(table[best][0] - m) > 2 * (table[best][1] ** 2 + e**2) ** 0.5
        for name, (m, e) in table.items()
        if name != best
    ]
    return best if all(apart) else None

right = {
    "seconds": numbers[0],
    "accuracy": numbers[1],
    "faster": first(numbers[0], min),
    "better": first(numbers[1], max),
}
got = compare([dict(run) for run in runs])

def told(likely):
    return (f"asked:    random runs of three modes, mixed: {runs}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4")

assert type(got) is dict and set(got) == set(right), told(
    "the result has the keys seconds, accuracy, faster, better")
for what in ("seconds", "accuracy"):
    assert set(got[what]) == set(modes), told(f"{what} has no entry for each mode")
    assert all(abs(float(x) - y) < 1e-9 for m in modes for x, y in zip(got[what][m], right[what][m])), told(
        f"means or errors of {what}: s / sqrt(k), with k - 1 in s; the modes have unequal numbers of runs"
    )
assert [got["faster"], got["better"]] == [right["faster"], right["better"]], told(
    "apart from each other mode by more than 2 * sqrt(error1 ** 2 + error2 ** 2)?")

# %% [markdown] exercise="speedup"
# ### Exercise 5 · Where more devices stop paying
#
# Write three functions.
#
# `fit(runs)`: the cost model of section 6 from measured runs, by least squares over all runs. A run is a dict with `"rows"`, `"bytes"` (of all weights) and `"seconds"`. All weights travel **twice**: to the worker, and back as a
# gradient. Return `{"start": seconds, "per_row": seconds, "bandwidth": bytes a second}` for *seconds = start + per_row · rows + 2 · bytes/bandwidth*.
#
# `speedup(cost, rows, size, n, way, servers=1, wire=4)`: how many times as fast n devices are as one. `cost` is what `fit` returns, `rows` the global batch, `size` the number of parameters, `wire` the bytes of a number that travels.
# One device needs start + per_row · rows; nothing travels. n ≥ 2 devices need start (which stays), their share of the rows, and the traffic:
#
# * `way="ring"`: 2 (n − 1)/n of all bytes, over a link;
# * `way="ps"`: all bytes twice **for each of the n devices**, over the links of all servers together.
#
# `best(cost, rows, size, way, servers=1, wire=4, most=64)`: the number of devices, from 1 to `most`, with the largest speed-up; the smallest such number if several are equal.
#
# Example: `cost = {"start": 0., "per_row": 0.001, "bandwidth": 1e9}`, 1000 rows, 1 750 000 parameters: the ring with n = 2, 4, 8 is 1.97, 3.84 and 7.29 times as fast; `"ps"` with n = 8 is 4.22 times, and best with 8.

# %% solution="speedup"
def fit(runs):
    """Fit the cost model to measured runs.

    Args:
        runs: list of dict with "rows" (int), "bytes" (int, of all weights) and "seconds" (float).
    Returns:
        dict: "start" in seconds, "per_row" in seconds, "bandwidth" in bytes a second.
    """
    ### BEGIN SOLUTION
    table = np.array([[1, run["rows"], 2 * run["bytes"]] for run in runs], float)
    scale = table.max(0)
    (start, per_row, per_byte), *_ = np.linalg.lstsq(
        table / scale, np.array([run["seconds"] for run in runs]), rcond=None
    )
    return {"start": start, "per_row": per_row / scale[1], "bandwidth": scale[2] / per_byte}
    ### END SOLUTION

def speedup(cost, rows, size, n, way, servers=1, wire=4):
    """How many times as fast n devices are as one.

    Args:
        cost: dict as `fit` returns it.
        rows, size, n: int: global batch, number of parameters, number of devices.
        way: "ring" or "ps".
        servers: int, parameter servers. wire: int, bytes of a number that travels.
    Returns:
        float: seconds of one device, divided by seconds of n devices.
    """
    ### BEGIN SOLUTION
    alone = cost["start"] + cost["per_row"] * rows
    if n == 1:
        return 1.0
    times = 2 * (n - 1) / n if way == "ring" else 2 * n / servers
    together = cost["start"] + cost["per_row"] * rows / n + times * size * wire / cost["bandwidth"]
    return alone / together
    ### END SOLUTION

def best(cost, rows, size, way, servers=1, wire=4, most=64):
    """The number of devices, 1 to `most`, with the largest speed-up; the smallest if several are equal."""
    ### BEGIN SOLUTION
    return max(range(1, most + 1), key=lambda n: (speedup(cost, rows, size, n, way, servers, wire), -n))
    ### END SOLUTION

# %% try="speedup"
try:
    cost = {"start": 0., "per_row": 0.001, "bandwidth": 1e9}
    print([round(speedup(cost, 1000, 1_750_000, n, "ring"), 2) for n in (2, 4, 8)])
    print(round(speedup(cost, 1000, 1_750_000, 8, "ps"), 2), "best:", best(cost, 1000, 1_750_000, "ps"))
except NotImplementedError as error:
    print(error)

# %% check="speedup-fit" points=2
cost = {"start": 0.004, "per_row": 0.0001, "bandwidth": 5e8}
points = [(100, 10_000_000), (400, 10_000_000), (100, 40_000_000), (800, 20_000_000), (50, 5_000_000)]
runs = [
    {"rows": rows, "bytes": size, "seconds": 0.004 + 0.0001 * rows + 2 * size / 5e8} for rows, size in points
]
answer = fit([dict(run) for run in runs])
got = (
    {name: float(f"{float(value):.6g}") for name, value in answer.items()} if type(answer) is dict else answer
)

def told(likely):
    return (f"asked:    fit of five runs with 4 ms to start, 0.1 ms a row, 0.5 gigabytes a second\n"
            f"got:      {got}\n"
            f"expected: {cost}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Bandwidth saturation: a cost model")

near = lambda a, b: abs(a - b) <= 1e-4 * abs(b)
assert type(got) is dict and set(got) == set(cost), told(
    "the result is no dict of start, per_row and bandwidth")
assert not near(got["bandwidth"], 2.5e8), told(
    "the weights travel twice, to the worker and back as a gradient: 2 * bytes")
assert not near(got["bandwidth"], 2e-9) and not near(got["bandwidth"], 4e-9), told(
    "that is seconds a byte: the bandwidth is its inverse")
assert abs(got["start"]) > 1e-9, told("the time to start is missing: a column of ones in the table")
assert all(near(got[name], cost[name]) for name in cost), told(
    "least squares with the columns 1, rows, 2 * bytes")

# %% check="speedup-ring" points=2
cost = {"start": 0., "per_row": 0.001, "bandwidth": 1e9}
got = [round(float(speedup(cost, 1000, 1_750_000, n, "ring")), 2) for n in (1, 2, 4, 8)]

def told(likely):
    return (f"asked:    the ring with 1, 2, 4, 8 devices; computing 1 s, all bytes over a link 7 ms\n"
            f"got:      {got}\n"
            f"expected: [1.0, 1.97, 3.84, 7.29]\n"
            f"likely:   {likely}\n"
            f"reread:   section 6: why eight GPUs are not eight times as fast")

assert got[1:] != [2., 4., 8.], told("nothing travels in this answer")
assert got != [1.0, 1.99, 3.92, 7.63], told(
    "the bytes travel only one way: a ring has (n - 1)/n to add and as many to hand round")
assert got[3] != 7.19 and got[3] != 7.20, told("each device sends 2 (n - 1)/n of all bytes, not 2 of all")
assert got[1] >= 1 and got[3] > 4, told(
    "the rows of the global batch are shared: each device computes 1/n of them; and wire is bytes, not bits")
assert got[0] == 1., told("one device sends nothing, so its speed-up is 1")
assert got == [1.0, 1.97, 3.84, 7.29], told(
    "seconds(1) / seconds(n), with per_row * rows / n + 2 (n - 1)/n * bytes / bandwidth")

# %% hidden="speedup-start" points=1
cost = {"start": 0.05, "per_row": 0.0005, "bandwidth": 2e9}
got = [round(float(speedup(cost, 2000, 5_000_000, n, "ring")), 3) for n in (2, 10)]
right = [round(1.05 / (0.05 + 1 / n + 2 * (n - 1) / n * 0.01), 3) for n in (2, 10)]

def told(likely):
    return (f"asked:    the ring with 2 and 10 devices, and 50 ms to start\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 5: start stays")

wrong = [round(1.05 / (1.05 / n + 2 * (n - 1) / n * 0.01), 3) for n in (2, 10)]
assert got != wrong, told("the time to start was divided by n too: each device has to start")
assert got == right, told("seconds of one device: start and all rows; of n devices: start, rows / n, traffic")

# %% hidden="speedup-servers" points=2
cost = {"start": 0.01, "per_row": 0.001, "bandwidth": 1e9}
cases = [(8, 1, 4), (8, 4, 4), (8, 1, 2), (16, 4, 2)]
got = [round(float(speedup(cost, 1000, 2_500_000, n, "ps", servers, wire)), 3) for n, servers, wire in cases]
right = [
    round(1.01 / (0.01 + 1 / n + 2 * n * 2_500_000 * wire / servers / 1e9), 3) for n, servers, wire in cases
]

def told(likely):
    return (f"asked:    parameter servers, (devices, servers, bytes of a number) = {cases}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Parameter servers, and where more stops paying")

one_way = [
    round(1.01 / (0.01 + 1 / n + n * 2_500_000 * wire / servers / 1e9), 3) for n, servers, wire in cases
]
assert got != one_way, told("each device pulls all weights and pushes all gradients: twice the bytes")
assert got[0] == right[0], told("the server's link carries 2 n times all bytes: it serves every device")
assert got[1] == right[1], told("four servers share the bytes, and have four links")
assert got[2] == right[2], told("with two bytes a number, half as much travels; the computing stays")
assert got == right, told("bytes * 2 n / (servers * bandwidth)")

# %% hidden="speedup-stops" points=1
cost = {"start": 0.0, "per_row": 0.001, "bandwidth": 1e9}
jobs = [
    (1_750_000, "ps", 1, 4),
    (1_750_000, "ps", 4, 4),
    (1_750_000, "ps", 1, 2),
    (250_000_000, "ps", 1, 4),
    (1_750_000, "ring", 1, 4),
]
got = [best(cost, 1000, size, way, servers, wire) for size, way, servers, wire in jobs]
time_of = lambda n, size, servers, wire: 1 / n + 2 * n * size * wire / servers / 1e9 if n > 1 else 1.0
right = [
    min(range(1, 65), key=lambda n: time_of(n, size, servers, wire)) if way == "ps" else 64
    for size, way, servers, wire in jobs
]

def told(likely):
    return (f"asked:    best for (parameters, way, servers, wire) = {jobs}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Parameter servers, and where more stops paying")

assert got[3] == right[3], told(
    "where the traffic takes longer than the computing, one device alone is the best")
assert got[4] == right[4], told("in this ring each further device makes it a little faster, up to most")
assert got == right, told(
    "try all numbers from 1 to most, with servers and wire, and take the one with the largest speed-up")

# %% [markdown] exercise="split"
# ### Exercise 6 · Split a model
#
# Write three functions about a dense net, whose layer k has a matrix of `widths[k]` × `widths[k + 1]`.
#
# `cut(widths, rows, way, n)`: bytes (float32) that travel between devices in a **training step**, forward and backward. With `way="layers"` each layer is on a device of its own (n plays no part); its input lies on the first device, its output stays on the last.
# With `way="columns"` each matrix is cut by columns over n devices, and each device needs, before each layer but the first, the parts of all others; all devices have the input, and the output stays where it is. Backward, as many bytes travel as forward.
#
# `ticks(stages, micro)`: for a pipeline in which each stage is a device, all micro-batches go forward (one tick a stage), and then all backward (two ticks a stage): `{"ticks": until the end, "idle": share of the time that a device does not work}`.
#
# `pipe(matrices, rows, micro)`: the forward graph of such a pipeline, as the bytes of a `GraphDef`. A placeholder `x` `[rows, len(matrices[0])]`, float32, on `/device:CPU:0`, cut there into `micro` equal micro-batches; layer k is relu(h · matrix) by one `tf.matmul` for each
# micro-batch (at least two), on `/device:CPU:k`, the matrix too, as a constant, since a `GraphDef` holds no values of variables; at the end `answer`, `[rows, ...]`, on the last layer's device. A micro-batch never waits for another one.
#
# Example: `cut([64, 32, 32, 10], 100, "layers", 1)` is 51200; `cut([64, 32, 32, 10], 100, "columns", 4)` is 153600; `ticks(3, 4)` is `{"ticks": 18, "idle": 0.333...}`.

# %% solution="split"
def cut(widths, rows, way, n):
    """Bytes between devices in a training step, forward and backward.

    Args:
        widths: list of int, widths of input, inner layers and output.
        rows: int, rows of the batch.
        way: "layers" (a device for each) or "columns" (each matrix over n devices).
        n: int, devices for "columns".
    Returns:
        int: bytes, with 4 for a number.
    """
    ### BEGIN SOLUTION
    inner = rows * sum(widths[1:-1]) * 4
    return 2 * inner * (1 if way == "layers" else n - 1)
    ### END SOLUTION

def ticks(stages, micro):
    """Length and idle share of a pipeline: a tick forward, two ticks backward for each stage and micro-batch.

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
        matrices: list of float arrays, matrix k of shape [width k, width k + 1]; at most four.
        rows: int, a multiple of micro. micro: int, number of micro-batches.
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
    print(cut([64, 32, 32, 10], 100, "layers", 1), cut([64, 32, 32, 10], 100, "columns", 4), ticks(3, 4))
    print(len(v1.GraphDef.FromString(pipe([np.ones([3, 2]), np.ones([2, 2])], 6, 3)).node), "nodes")
except NotImplementedError as error:
    print(error)

# %% check="split-cut" points=1
got = [cut([64, 32, 32, 10], 100, "layers", 1), cut([64, 32, 32, 10], 100, "columns", 4)]
right = [51200, 153600]

def told(likely):
    return (f"asked:    cut([64, 32, 32, 10], 100, ...) by layers, and by columns over 4 devices\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Splitting a model")

assert got[0] != 25600, told("that is the way forward: the gradients of the same size go back")
assert got[0] not in (27136, 13568, 26624, 13824, 8192), told(
    "weights were counted: what travels are activations, rows times width")
assert got[0] not in (128 * 800, 138 * 800, 74 * 800), told(
    "input and output do not travel: only the inner layers' values do")
assert got[0] == right[0], told("by layers: rows * width * 4 bytes for each cut, twice")
assert got[1] not in (51200, 204800), told("each part goes to the n - 1 other devices")
assert got == right, told("by columns: (n - 1) * rows * width * 4 bytes for each inner layer, twice")

# %% check="split-ticks" points=1
answer = ticks(3, 4)
got = {name: round(float(value), 4) for name, value in answer.items()} if type(answer) is dict else answer
right = {"ticks": 18, "idle": 0.3333}

def told(likely):
    return (f"asked:    ticks(3, 4): three stages, four micro-batches\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, Micro-batches: a pipeline")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of ticks and idle")
assert got["ticks"] != 36, told(
    "one stage after the other, without overlap: while stage 1 works, stage 0 takes the next micro-batch")
assert got["idle"] != 0, told("the bubble is forgotten: the last stage begins s - 1 ticks late")
assert got["ticks"] not in (6, 9, 12), told("a backward step takes two ticks, and so each turn three in all")
assert got["idle"] != 0.5, told("idle is a share of all the time: (s - 1) / (m + s - 1)")
assert got == right, told("forward m + s - 1 ticks, backward twice as many; a device works 3 m of them")

# %% check="split-answer" points=2
import numpy as np
import tensorflow as tf

v1, random = tf.compat.v1, np.random.RandomState(0)
matrices = [np.float32(random.normal(size=shape)) for shape in ([5, 4], [4, 6], [6, 2])]
x = np.float32(random.normal(size=[12, 5]))
right = x
for matrix in matrices:
    right = np.maximum(right @ matrix, 0)
answer = pipe(matrices, 12, 3)
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer if type(answer) is bytes else b""), name="")
names = {op.name for op in graph.get_operations()}
got = "a graph without x or answer"
if {"x", "answer"} <= names:
    with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
        got = session.run("answer:0", {"x:0": x})
shown = got
if type(got) is not str:
    shown = f"shape {list(got.shape)}, first row {np.round(got[0].tolist(), 3).tolist()}"

def told(likely):
    return (f"asked:    the answer of pipe(...) with three matrices, 12 rows and 3 micro-batches\n"
            f"got:      {shown}\n"
            f"expected: shape [12, 2], first row {np.round(right[0].tolist(), 3).tolist()}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, Micro-batches: a pipeline")

assert type(answer) is bytes, told("the result is no bytes: graph.as_graph_def().SerializeToString()")
assert type(got) is not str, told("a placeholder x and an op answer are asked for")
assert got.shape == right.shape, told("the answer has all rows: join the micro-batches in the end")
products = x @ matrices[0] @ matrices[1] @ matrices[2]
assert not np.allclose(got, products, atol=1e-4), told("relu after each layer is missing")
last = x
for matrix in matrices[:-1]:
    last = np.maximum(last @ matrix, 0)
differ = int(np.abs(got - right).max(1).argmax())
seen, asked = [np.round(values[differ].tolist(), 3).tolist() for values in (got, right)]
shown = f"row {differ}: {seen}; expected there {asked}"
assert not np.allclose(got, last @ matrices[-1], atol=1e-4), told("relu after the last layer is missing")
assert np.allclose(got, right, atol=1e-4), told("relu(h @ matrix) for each layer; rows keep their order")

# %% hidden="split-columns" points=1
cases = [
    ([8, 100, 8], 50, "layers", 3),
    ([8, 100, 8], 50, "columns", 2),
    ([10, 20, 30, 40, 50], 7, "columns", 3),
    ([10, 20, 30, 40, 50], 7, "layers", 9),
]
got, right = [cut(*case) for case in cases], [40000, 40000, 10080, 5040]

def told(likely):
    return (f"asked:    cut of {cases}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7: rows x width x 4, for each inner layer")

assert got[0] == right[0] and got[3] == right[3], told(
    "by layers, n plays no part: each cut sends the values of one inner layer, twice")
assert got == right, told("by columns, each part goes to n - 1 others: (n - 1) times as much as by layers")

# %% hidden="split-bubble" points=1
cases = [(1, 5), (2, 1), (4, 12), (4, 1)]
answers = [ticks(*case) for case in cases]
got = [[int(a["ticks"]), round(float(a["idle"]), 4)] if type(a) is dict else a for a in answers]
right = [[15, 0.], [6, 0.5], [45, 0.2], [12, 0.75]]

def told(likely):
    return (f"asked:    ticks and idle of (stages, micro-batches) = {cases}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, Micro-batches: a pipeline")

assert got[0] == right[0], told("one stage never waits")
assert got == right, told("turns = m + s - 1; three ticks each; idle (s - 1) / turns")

# %% hidden="split-independent" points=2
import numpy as np
import tensorflow as tf

matrices = [np.ones([4, 4], np.float32)] * 4
answer = pipe(matrices, 20, 5)
definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
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
    sum(nodes[other].op in ("MatMul", "BatchMatMulV2") for other in above(name, set())) for name in products
)
got = f"{len(products)} products, with so many others before each: {before}"

def told(likely):
    return (f"asked:    which products wait for which, with 4 layers and 5 micro-batches\n"
            f"got:      {got}\n"
            f"expected: 20 products; five of them wait for none, five for one, five for two, five for three\n"
            f"likely:   {likely}\n"
            f"reread:   section 9: no concat between the layers")

assert len(products) != 4, told("the batch is not cut: each layer is one product over all rows")
assert len(products) == 20, told("there is one matmul for each layer and micro-batch")
assert max(before) <= 3, told(
    "micro-batches wait for each other: they are joined between layers, or tied by control dependencies")
assert before == sorted([0, 1, 2, 3] * 5), told("a micro-batch skips a layer, or goes through one twice")

# %% hidden="split-places" points=1
import re
import numpy as np
import tensorflow as tf

v1, metadata = tf.compat.v1, tf.compat.v1.RunMetadata()
answer = pipe([np.ones([10, 7], np.float32), np.ones([7, 5], np.float32), np.ones([5, 3], np.float32)], 8, 2)
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer if type(answer) is bytes else b""), name="")
places = sorted(
    {(op.inputs[1].shape[0], op.device[-5:]) for op in graph.get_operations() if op.type == "MatMul"},
    reverse=True,
)
config = v1.ConfigProto(device_count={"CPU": 4})
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
options, sent = v1.RunOptions(output_partition_graphs=True), {}
with v1.Session(graph=graph, config=config) as session:
    session.run(graph.get_operation_by_name("answer"), {"x:0": np.ones([8, 10])}, options, metadata)
for node in (
    node for partition in metadata.partition_graphs for node in partition.node if node.op == "_Send"
):
    name = re.sub(r"^_arg_(.*)_\d+_\d+$", r"\1", node.input[0])
    if not name.startswith("^") and "/ctrl/" not in name:
        way = " to ".join(node.attr[end].s.decode()[-5:] for end in ("send_device", "recv_device"))
        tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
        sent[way] = sent.get(way, 0) + (tensor.shape.num_elements() or 0) * tensor.dtype.size
got = {"products": [place for _, place in places], "bytes": dict(sorted(sent.items()))}
right = {"products": ["CPU:0", "CPU:1", "CPU:2"], "bytes": {"CPU:0 to CPU:1": 224, "CPU:1 to CPU:2": 160}}

def told(likely):
    return (f"asked:    where the products of three layers are, and the bytes that travel, as recorded\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 9: layer k on device k; only the values between layers travel")

assert got["products"] == right["products"], told(
    "the layers are not on devices of their own: pin layer k to /device:CPU:k")
assert set(sent) <= set(right["bytes"]), told(
    "a value is not with its layer: split on CPU:0, join on the last; the matrix, too, is where its layer is")
assert got == right, told(
    "more than the values between layers travels: the matrix, too, belongs to its layer's device")

# %% [markdown] exercise="choose"
# ### Exercise 7 · In your own words
#
# A team trains a dense model of 500 million parameters on one device, with batches of 64 rows. It fits, but a step takes two seconds. They get seven more devices, in two machines of four, joined by a network of 1.25 gigabytes a second. One of them says:
# "Eight devices, eight times as fast; keep the batch and the learning rate for each device as they are." Answer in four to seven sentences: what happens to the speed, and why; what you would measure first; what to do with batch and learning rate; and what you would change.

# %% [markdown] written="choose" points=3
# ### BEGIN SOLUTION
# All-reduce sends two gigabytes of gradients, which the network does not carry in time. Measure, shrink what travels, and scale the rate with the global batch.
# ### END SOLUTION

# %% [markdown] model="choose"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# A gradient has 500 million numbers, that is 2 gigabytes. In a ring of eight each device sends 2 · 7/8 of that in each step, 3.5 gigabytes, and the link between the machines carries 1.25 gigabytes a second: almost three seconds of traffic, for two seconds of computing. So eight
# devices with 64 rows each do eight times the rows in about five seconds instead of two: a little over three times as fast, not eight. I would first measure a few steps on one device, on four in one machine, and on eight, and fit computing and bandwidth. If each device keeps 64 rows, the global
# batch is 512: eight times as large, so the learning rate goes up too, with a warm-up, as far as that converges. To get more out of the devices I would send float16 or bfloat16 (half the bytes), keep the ring inside a machine where links are fast and send between machines only what is already added, or
# compute larger batches for each exchange. Splitting the dense model instead pays only inside a machine.
#
# One point each: traffic against computing, with numbers; global batch and learning rate; a measure and a remedy that fit.
# </details>
