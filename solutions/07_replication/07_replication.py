# %% [markdown] minutes=150 exercises=75 gives="replicate a model in one graph and between graphs, run a training job that survives deaths, choose between synchronous and asynchronous" after="05, 06"
# # Lesson 07 · Replication
#
# Your team trains one model on 40 machines. Two of them are often slow, and about once a day one is restarted without
# notice. Training that should take a day takes three. Twice, the step counter was back at 0 in the morning. And since the
# move from one GPU to many, the results are a little worse, although nobody changed the model. What is wrong, and what
# would you change? At the end of this lesson you can answer each of these questions.
#
# After this lesson you can
#
# 1. train one model by several copies of it, on one machine or on many, and show that the result is right;
# 2. keep a training job alive when one of its processes dies, and say what was lost;
# 3. decide whether the copies should wait for each other, from what you measured yourself.
#
# **Hardware:** CPU only. One machine's GPUs are played by four logical CPU devices, which share your CPU's cores; GPUs of
# your own are hidden from this notebook. Workers and parameter servers are real processes on your machine. They end when
# this notebook's kernel ends.

# %% include="quiet_start.py" devices=4

# %% include="checks.py placement_record.py cluster_helper.py cluster_processes.py local_cluster.py job_board.py job_timeline.py ensemble_drill.py work_record.py work_drill.py"

# %% [markdown]
# ## The idea in one picture
#
# ![Two panels. Left, in-graph: one client with one graph; in the graph, variables on CPU:0 feed three towers on CPU:1, CPU:2 and CPU:3, and one box averages their gradients and updates the variables. Right, between-graph: three workers, each a process with a client and a graph of its own; arrows from each worker to two ps tasks that hold the variables, which all workers share by name.](assets/07_replication.svg)
#
# A **replica** is a copy of the model's computation. All replicas share **one** set of variables, and each works on other
# data. (A **client** is the program that runs a graph; a **ps**, a parameter server, is a task that holds variables:
# lesson 06.)
#
# | replication | in-graph | between-graph |
# | --- | --- | --- |
# | graphs | one, which holds all replicas | one for each replica, built by the same program |
# | clients | one, which drives all | one for each replica |
# | a replica dies | the run fails, for all | the others go on |
# | simple to write | yes | no: somebody must start first, and the others wait |

# %% [markdown]
# ## Sitting 1 · One machine
#
# ## 1 Towers in one graph
#
# The data are 1797 pictures of handwritten digits, 8 × 8 points each. They come with scikit-learn, so nothing is
# downloaded.

# %%
from sklearn.datasets import load_digits

v1 = tf.compat.v1
pixels, digits = load_digits(return_X_y=True)
order = np.random.RandomState(0).permutation(len(pixels))
pixels, digits = np.float32(pixels[order]) / 16, np.int32(digits[order])
train_x, test_x = pixels[:1500], pixels[1500:]
train_y, test_y = digits[:1500], digits[1500:]
print(train_x.shape, test_x.shape)

# %% [markdown]
# A replica inside a graph is called a **tower**. Its loss uses the shared variables, which lie on CPU:0. Each tower gives
# a list of pairs (gradient, variable). For each variable, we stack the towers' gradients, take the mean, and pair it with
# the variable:

# %% grading="skip"
def tower_loss(x, y):
    """Mean loss of a linear classifier; the same variables whenever the scope is the same."""
    with tf.device("/device:CPU:0"):
        w = v1.get_variable("w", [64, 10], initializer=tf.zeros_initializer())
        b = v1.get_variable("b", [10], initializer=tf.zeros_initializer())
    logits = tf.matmul(x, w.read_value()) + b.read_value()
    return tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    )

def averaged(tower_grads):
    """[[(gradient, variable), ...] for each tower] -> [(mean gradient, variable), ...]"""
    pairs = []
    for same_variable in zip(*tower_grads):
        stacked = tf.stack([gradient for gradient, _ in same_variable])
        variable = same_variable[0][1]
        pairs.append((tf.reduce_mean(stacked, axis=0), variable))
    return pairs

# %% [markdown]
# Now the graph. `shares` says how many rows of the batch each tower gets. `reuse` makes the second tower find the
# variables of the first:

# %% grading="skip"
def tower_graph(shares):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [sum(shares), 64], name="x")
        y = v1.placeholder(tf.int32, [sum(shares)], name="y")
        optimizer = v1.train.GradientDescentOptimizer(0.5)
        tower_grads = []
        parts = zip(tf.split(x, shares), tf.split(y, shares))
        for i, (rows, labels) in enumerate(parts, 1):
            with tf.device(f"/device:CPU:{i}"), v1.variable_scope("model", reuse=i > 1):
                tower_grads.append(optimizer.compute_gradients(tower_loss(rows, labels)))
        with tf.device("/device:CPU:0"):
            optimizer.apply_gradients(averaged(tower_grads), name="train")
        v1.global_variables_initializer()
    return graph

# %% predict="towers"
# Predict: how many variables has the graph with three towers of two variables each?
variables = ...

# %% grading="skip"
def trained(graph, steps=20, rows=60):
    """w after some steps over the first rows of the training data."""
    config = v1.ConfigProto(device_count={"CPU": 4, "GPU": 0})
    with v1.Session(graph=graph, config=config) as session:
        session.run("init")
        for k in range(steps):
            part = slice(k * rows, (k + 1) * rows)
            session.run("train", {"x:0": train_x[part], "y:0": train_y[part]})
        return session.run("model/w/Read/ReadVariableOp:0")

three, one = tower_graph([20, 20, 20]), tower_graph([60])
names = [op.name for op in three.get_operations() if op.type == "VarHandleOp"]
print(names)
print("largest difference:", np.abs(trained(three) - trained(one)).max())
compare_prediction("variables", variables, len(names), "The towers share them.")

# %% [markdown]
# The result is that of the full batch, up to rounding: the mean of three means over 20 rows is the mean over 60 rows.
# What moves to and from the first tower's device in a step?

# %% grading="skip"
_, metadata = run_and_trace(three, "train", {"x:0": train_x[:60], "y:0": train_y[:60]})
for tensor, source, target in transfers_of(metadata):
    if "CPU:1" in (source, target):
        print(f"{source} to {target}: {tensor}")

# %% [markdown]
# Rows and labels (`split`) and both variables (`Read`) go to the tower; the gradients of both come back to CPU:0, where
# the mean and the update are.
#
# The mean of means is the full batch only if all towers have **equally many rows**. With 10, 20 and 30 rows, a row of the
# first tower counts three times as much as one of the third:

# %% grading="skip"
uneven = np.abs(trained(tower_graph([10, 20, 30])) - trained(one)).max()
print(f"largest difference with shares 10, 20, 30: {uneven:.4f}")

# %% [markdown]
# That is no rounding. **This is one way in which results get a little worse on several GPUs.** Weigh each tower's
# gradients by its rows (exercise 2), or give all towers the same number.
#
# Real models give two more kinds of gradient. `None` says that a tower does not use a variable. A variable of which only
# some rows are used, such as a table of word vectors, gets a `tf.IndexedSlices`: the numbers of these rows, and a
# gradient for each; a row that is used twice occurs twice:

# %% grading="skip"
table, head = tf.Variable(tf.ones([4, 2])), tf.Variable(tf.ones([2]))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(table, [1, 3, 1]))
for_table, for_head = tape.gradient(loss, [table, head])
print(for_head, for_table.indices.numpy(), for_table.values.numpy().tolist())
print(tf.convert_to_tensor(for_table).numpy().tolist())

# %% [markdown]
# `tf.convert_to_tensor` makes an array of the whole table of it, and adds up what occurs twice. (For a large table that
# is wasteful; optimizers take `IndexedSlices` as they are.)

# %% [markdown] exercise="average"
# ### Exercise 1 · Average the towers' gradients
#
# A model scores texts for several tasks. Its variables are `table`, a matrix with a vector for each word, and a vector
# for each task, the task's head. Each tower has one text, for example `{"words": [1, 3, 1], "task": "a", "target": 2.0}`.
# The tower's answer is the sum of its words' vectors, times (dot product) the head of its task. Its loss is (answer −
# target)².
#
# Write `average(table, heads, towers)`. For each variable, return the mean of the towers' gradients of **their own**
# loss {#1}, which you get from `tf.GradientTape`:
#
# * the table's mean is an array of the whole table's shape {#2}; a word that occurs twice in a text counts twice {#3};
# * a tower that does not use a variable has the gradient zero: it counts in the mean {#4};
# * the mean of a head that **no** tower uses is `None` {#5}.
#
# Example: `average([[1., 0.], [0., 1.]], {"a": [1., 1.], "b": [2., 0.]}, [{"words": [0], "task": "a", "target": 0.},
# {"words": [1, 1], "task": "a", "target": 1.}])` is `{"table": [[1., 1.], [2., 2.]], "heads": {"a": [1., 2.], "b":
# None}}`.

# %% solution="average" kind="today"
def average(table, heads, towers):
    """Mean gradient of each variable over all towers.

    Args:
        table: list of lists of float, [words, n]: a vector for each word.
        heads: dict: task -> list of n floats.
        towers: list of dict, one a tower: "words" (list of int), "task" (str), "target" (float).
    Returns:
        dict: "table", an array or list [words, n]; "heads", a dict: task -> array or list of n
            floats, or None.
    """
    ### BEGIN SOLUTION
    variables = {
        "table": tf.Variable(table),
        **{task: tf.Variable(head) for task, head in heads.items()},
    }
    tower_grads = []
    for tower in towers:
        with tf.GradientTape() as tape:
            text = tf.reduce_sum(tf.gather(variables["table"], tower["words"]), axis=0)
            answer = tf.reduce_sum(text * variables[tower["task"]])
            loss = (answer - tower["target"]) ** 2
        tower_grads.append(tape.gradient(loss, variables))

    def mean(name):
        found = [grads[name] for grads in tower_grads if grads[name] is not None]
        there = [tf.convert_to_tensor(gradient) for gradient in found]
        return (tf.add_n(there) / len(towers)).numpy() if there else None

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
    ### END SOLUTION

# %% try="average"
try:
    texts = [
        {"words": [0], "task": "a", "target": 0.0},
        {"words": [1, 1], "task": "a", "target": 1.0},
    ]
    print(average([[1.0, 0.0], [0.0, 1.0]], {"a": [1.0, 1.0], "b": [2.0, 0.0]}, texts))
except NotImplementedError as error:
    print(error)

# %% check="average-dense" points=1 title="The mean of the towers' gradients, where all towers use all variables"
import numpy as np

table, heads = [[1.0, 2.0], [3.0, -1.0]], {"a": [2.0, 1.0]}
towers = [{"words": [0], "task": "a", "target": 1.0}, {"words": [1], "task": "a", "target": 2.0}]
got = average([list(row) for row in table], dict(heads), [dict(tower) for tower in towers])
right = {"table": [[6.0, 3.0], [6.0, 3.0]], "heads": {"a": [12.0, 3.0]}}
told = Told(
    asked=f"average({table}, {heads}, {towers})",
    got=got,
    expected=right,
    reread="section 1, Towers in one graph",
)
assert isinstance(got, dict) and set(got) == {"table", "heads"}, told(
    'return a dict with "table" and "heads"'
)
assert isinstance(got["heads"], dict) and set(got["heads"]) == {"a"}, told(
    '"heads" has an entry for each task'
)
assert np.shape(got["heads"]["a"]) == (2,), told("a head's gradient has the head's shape")
a = np.asarray(got["heads"]["a"], float)
assert not np.allclose(a, [24.0, 6.0]), told(
    "the towers' gradients are added; the mean divides by their number"
)
assert np.allclose(a, right["heads"]["a"]), told()
assert np.shape(got["table"]) == (2, 2), told(
    "the table's gradient has the shape of the whole table"
)
assert np.allclose(np.asarray(got["table"], float), right["table"]), told()

# %% check="average-none" points=2 title="A head that only some towers use, or none"
import numpy as np

table, heads = [[1.0, 2.0]], {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [5.0, 5.0]}
towers = [{"words": [0], "task": task, "target": 0.0} for task in ("a", "b", "a")]
got = average([list(row) for row in table], dict(heads), [dict(tower) for tower in towers])
got = got["heads"] if isinstance(got, dict) and "heads" in got else got
right = {"a": [4 / 3, 8 / 3], "b": [4 / 3, 8 / 3], "c": None}
told = Told(
    asked=f"the heads of average({table}, {heads}, {towers}): two towers use a, one b, none c",
    got=got,
    expected=right,
    reread="the text of exercise 1",
)
assert isinstance(got, dict) and set(got) == {"a", "b", "c"}, told(
    '"heads" has an entry for each task')
assert got["a"] is not None, told("one tower's None made the mean None, but others have a gradient")
assert np.shape(got["a"]) == np.shape(got["b"]) == (2,), told("a head's gradient has the head's shape")
a = np.asarray(got["a"], float)
assert not np.allclose(a, [2.0, 4.0]), told(
    "divided by the towers that use the head; divide by all towers"
)
assert not np.allclose(a, [4.0, 8.0]), told(
    "the towers' gradients are added; the mean divides by their number"
)
assert np.allclose(a, right["a"]) and np.allclose(np.asarray(got["b"], float), right["b"]), told()
assert got["c"] is None, told("no tower uses c: its mean is None, not zeros")

# %% hidden="average-sparse" points=3 title="A table of which each tower uses some rows, some of them twice"
import numpy as np

words, n = draw.randrange(5, 8), 3
table = [[draw.randrange(-3, 4) / 2 for _ in range(n)] for _ in range(words)]
heads = {"a": [1.0, 0.5, -1.0], "b": [0.5, 2.0, 1.0]}
w = draw.sample(range(words), 4)
towers = [
    {"words": [w[0], w[1], w[0]], "task": "a", "target": 20.0},
    {"words": [w[2]], "task": "b", "target": -15.0},
    {"words": [w[1], w[2], w[2], w[2]], "task": "a", "target": 25.0},
]

def slices(once):
    """Each tower's gradient of the table; `once`: a word that occurs twice counts once."""
    found = []
    for tower in towers:
        text = np.sum([table[word] for word in tower["words"]], axis=0)
        error = 2 * (np.dot(text, heads[tower["task"]]) - tower["target"])
        whole = np.zeros((words, n))
        for word in set(tower["words"]) if once else tower["words"]:
            whole[word] += error * np.array(heads[tower["task"]])
        found.append(whole)
    return np.array(found)

got = average([list(row) for row in table], dict(heads), [dict(tower) for tower in towers])
got = got["table"] if isinstance(got, dict) and "table" in got else got
right = slices(once=False).mean(axis=0)
told = Told(
    asked=f"the table's gradient of average({table}, {heads}, {towers})",
    got=got,
    expected=right,
    reread="section 1, Towers in one graph",
)
assert np.shape(got) == (words, n), told("the table's gradient has the shape of the whole table")
value = np.asarray(got, float)
assert not np.allclose(value, slices(once=True).mean(axis=0)), told(
    "a word that occurs twice in a text counts once here: what belongs to one row adds up"
)
users = (slices(once=False) != 0).any(axis=2).sum(axis=0)[:, None]
assert not np.allclose(value, slices(once=False).sum(axis=0) / np.maximum(users, 1)), told(
    "a row is divided by the towers that use it; divide by all towers"
)
assert not np.allclose(value, slices(once=False).sum(axis=0)), told(
    "the towers' gradients are added; the mean divides by their number"
)
assert np.allclose(value, right, atol=1e-4), told()

# %% hidden="average-tasks" points=1 title="Other tasks, more towers"
import numpy as np

names = draw.sample(["sort", "rate", "flag", "find", "rank"], 4)
table = [[1.0, draw.randrange(1, 5) / 2], [2.0, -1.0], [0.5, 1.0]]
heads = {name: [draw.randrange(1, 7) / 2, 1.0] for name in names}
towers = [
    {"words": [k % 3], "task": names[k % 3], "target": 30.0 + draw.randrange(9)}
    for k in range(draw.randrange(4, 7))
]
got = average([list(row) for row in table], dict(heads), [dict(tower) for tower in towers])
got = got["heads"] if isinstance(got, dict) and "heads" in got else got
right = reference.average(table, heads, towers)["heads"]
told = Told(
    asked=f"the heads of average({table}, {heads}, {towers})",
    got=got,
    expected=right,
    reread="the text of exercise 1",
)
assert isinstance(got, dict) and set(got) == set(names), told('"heads" has an entry for each task')
assert got[names[3]] is None, told(f"no tower uses {names[3]}: its mean is None")
assert all(got[name] is not None for name in names[:3]), told(
    "one tower's None made the mean None, but another tower has a gradient"
)
assert all(np.shape(got[name]) == np.shape(right[name]) for name in names[:3]), told(
    "a head's gradient has the head's shape"
)
each = {name: sum(tower["task"] == name for tower in towers) for name in names[:3]}
there = {name: np.asarray(right[name]) * len(towers) / each[name] for name in each}
assert not all(np.allclose(got[name], there[name]) for name in each), told(
    "divided by the towers that use the head; divide by all towers"
)
assert not all(np.allclose(got[name], np.asarray(right[name]) * len(towers)) for name in each), (
    told("the towers' gradients are added; the mean divides by their number")
)
assert all(np.allclose(got[name], right[name], atol=1e-4) for name in each), told()

# %% [markdown] exercise="towers"
# ### Exercise 2 · Towers with unequal shares
#
# Write `towers(first, shares, rate)`. It returns, as the bytes of a `GraphDef`, a graph that trains a linear model `x·w`
# by towers:
#
# * placeholders `x` of shape `[rows, len(first)]` and `y` of shape `[rows]`, float32; `rows` is the sum of `shares` {#1};
# * **one** variable, named `w`, for all towers {#2}; an op `init` gives it the first values `first` {#3}; it lies on
#   `/device:CPU:0` {#4};
# * for each entry of `shares` a tower: the first on `/device:CPU:1`, the second on `/device:CPU:2` and so on {#5}. It
#   gets the next rows, as many as its entry says, and only these {#6}. Its loss is the mean of `(x·w − y)²` over its
#   rows; its gradient is computed on its device. It reads `w` **once** {#7};
# * an op `train`: one step `w ← w − rate · gradient`, where the gradient is that of the **whole batch**: the towers'
#   gradients weighted by their rows {#8}. The mean is computed on `/device:CPU:0` {#9};
# * a tensor `value:0`: the value of `w` {#10}.
#
# So in a step each tower gets its rows and one copy of `w`, and sends back one gradient.
#
# Example: `towers([0., 0.], [1, 3], 0.5)`. With `x = [[1, 0], [0, 1], [0, 1], [0, 1]]` and `y = [4, 8, 8, 8]` one step
# gives `w = [1, 6]`.

# %% solution="towers" kind="graph"
def towers(first, shares, rate):
    """Build a graph that trains w by one tower for each share of the batch.

    Args:
        first: list of float, the first values of w.
        shares: list of int, rows of each tower, at most three towers.
        rate: float, the learning rate.
    Returns:
        bytes: a serialized GraphDef with x, y, w, init, train and value:0.
    """
    ### BEGIN SOLUTION
    rows = sum(shares)
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(first)], name="x")
            y = v1.placeholder(tf.float32, [rows], name="y")
            w = v1.get_variable("w", initializer=np.float32(first), use_resource=True)
            value = tf.identity(w.read_value(), name="value")
            tf.group(w.initializer, name="init")
            parts = list(zip(shares, tf.split(x, shares), tf.split(y, shares)))
        weighted = []
        for i, (share, part_x, part_y) in enumerate(parts, 1):
            with tf.device(f"/device:CPU:{i}"):
                mine = tf.identity(value)
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(part_x, mine) - part_y))
                weighted.append(tf.gradients(loss, mine)[0] * (share / rows))
        with tf.device("/device:CPU:0"):
            tf.group(w.assign_sub(rate * tf.add_n(weighted)), name="train")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="towers"
try:
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(
            v1.GraphDef.FromString(towers([0.0, 0.0], [1, 3], 0.5)), name=""
        )
    with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
        session.run("init")
        session.run("train", {"x:0": [[1, 0], [0, 1], [0, 1], [0, 1]], "y:0": [4, 8, 8, 8]})
        print(session.run("value:0"))
except NotImplementedError as error:
    print(error)

# %% check="towers-step" points=2 title="One step is one of the whole batch"
import tensorflow as tf

v1 = tf.compat.v1
answer = towers([0.0, 0.0], [1, 3], 0.5)
told = Told(
    asked="one step of towers([0., 0.], [1, 3], 0.5) with the rows of the example",
    got=type(answer).__name__,
    expected=[1.0, 6.0],
    reread="section 1, Towers in one graph",
)
assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer), name="")
names = {op.name for op in graph.get_operations()}
lacks = [name for name in ("x", "y", "init", "train", "value") if name not in names]
told.got = f"a graph without {', '.join(lacks)}"
assert not lacks, told("an op is missing, or has another name")
shapes = {name: [*graph.get_tensor_by_name(f"{name}:0").shape] for name in ("x", "y")}
told.got = shapes
told.expected = {"x": [4, 2], "y": [4]}
assert shapes == told.expected, told("the placeholders have other shapes than the text says")
told.expected = [1.0, 6.0]
with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
    session.run("init")
    session.run("train", {"x:0": [[1, 0], [0, 1], [0, 1], [0, 1]], "y:0": [4, 8, 8, 8]})
    told.got = got = [round(float(value), 4) for value in session.run("value:0").ravel()]
assert got != [2.0, 4.0], told(
    "the towers' means are averaged with equal weights, but they have 1 and 3 rows"
)
assert got != [4.0, 8.0], told(
    "the towers' gradients are added: weigh each by its share of the rows"
)
assert got == [1.0, 6.0], told()

# %% check="towers-share" points=2 title="One variable, on CPU:0"
import tensorflow as tf

answer = towers([1.0, 2.0, 3.0], [2, 2, 2], 0.5)
told = Told(
    asked="the variables of towers([1., 2., 3.], [2, 2, 2], 0.5), and where they are",
    got=type(answer).__name__,
    expected={"w": "/device:CPU:0"},
    reread="section 1, Towers in one graph",
)
assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
nodes = tf.compat.v1.GraphDef.FromString(answer).node
variables = [node for node in nodes if node.op in ("VarHandleOp", "VariableV2")]
told.got = got = {node.name: node.device for node in variables}
assert got, told("there is no variable")
assert len(got) == 1, told(
    "there are several variables, so the towers are not one model: make w once, or reuse it"
)
assert set(got) == {"w"}, told("the variable has another name")
assert all(got.values()), told("the variable is on no device: pin it to /device:CPU:0")
assert all(device.endswith("CPU:0") for device in got.values()), told(
    "the variable is not on CPU:0"
)

# %% hidden="towers-batch" points=2 title="Ten steps equal those of the full batch"
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
first = [draw.randrange(1, 5) / 2, -1.0, draw.randrange(5, 9) / 4]
shares = draw.sample([1, 4, 7], 3)
rate = draw.choice([0.03, 0.05])
rng = np.random.RandomState(draw.randrange(1000))
x, y = np.float32(rng.normal(size=(12, 3))), np.float32(3 + rng.normal(size=12))
groups = np.split(np.arange(12), np.cumsum(shares)[:-1])

def trained(weights):
    """w after ten steps; each tower's mean gradient counts with its weight."""
    w = np.array(first)
    for _ in range(10):
        gradients = [2 * x[g].T @ (x[g] @ w - y[g]) / len(g) for g in groups]
        w = w - rate * sum(k * gradient for k, gradient in zip(weights, gradients))
    return w

right = trained([share / 12 for share in shares])
answer = towers(list(first), list(shares), rate)
told = Told(
    asked=f"ten steps of towers({first}, {shares}, {rate}) on random rows",
    got=type(answer).__name__,
    expected=right,
    reread="section 1, Towers in one graph",
)
assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer), name="")
with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
    session.run("init")
    begin = session.run("value:0")
    told.got = begin
    told.expected = first
    assert np.shape(begin) == (3,), told("value:0 is not the value of w")
    assert np.allclose(begin, first), told("before the first step, w has other values than first")
    told.expected = right
    for _ in range(10):
        session.run("train", {"x:0": x, "y:0": y})
    told.got = got = session.run("value:0")
assert not np.allclose(got, begin), told("after ten steps value:0 is still the first one")
assert not np.allclose(got, trained([1 / 3] * 3), atol=1e-4), told(
    "the towers' means have equal weights"
)
assert not np.allclose(got, trained([1] * 3), atol=1e-4), told("the towers' gradients are added")
assert np.allclose(got, right, atol=1e-4), told()

# %% hidden="towers-bytes" points=2 title="What travels between the devices in a step"
import re
import tensorflow as tf

v1 = tf.compat.v1
width, shares = draw.randrange(40, 61), draw.choice([[3, 2], [2, 4], [4, 1]])
answer = towers([1.0] * width, list(shares), 0.5)
row, copy = 4 * width + 4, 4 * width
right = {f"CPU:0 to CPU:{i}": copy + share * row for i, share in enumerate(shares, 1)}
right |= {f"CPU:{i} to CPU:0": copy for i in (1, 2)}
told = Told(
    asked=f"bytes that travel in a step of towers([1.] * {width}, {shares}, 0.5), as recorded",
    got=type(answer).__name__,
    expected=f"{right}, or a few more",
    reread="the text of exercise 2",
)
assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer), name="")
config = v1.ConfigProto(device_count={"CPU": 4})
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
options, metadata = v1.RunOptions(output_partition_graphs=True), v1.RunMetadata()
with v1.Session(graph=graph, config=config) as session:
    session.run("init")
    feed = {"x:0": [[1.0] * width] * sum(shares), "y:0": [1.0] * sum(shares)}
    session.run("train", feed, options, metadata)
sent = {}
for node in (node for partition in metadata.partition_graphs for node in partition.node):
    name = node.input[0] if node.op == "_Send" else "^"
    name = re.sub(r"^_arg_(.*)_\d+_\d+$", r"\1", name)  # a value that was fed
    if not name.startswith("^") and "/ctrl/" not in name:
        ends = [node.attr[end].s.decode()[-5:] for end in ("send_device", "recv_device")]
        tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
        size = (tensor.shape.num_elements() or 0) * tensor.dtype.size
        sent[" to ".join(ends)] = sent.get(" to ".join(ends), 0) + size
told.got = got = dict(sorted(sent.items()))
assert not {"CPU:1 to CPU:2", "CPU:2 to CPU:1"} & set(got), told(
    "the towers exchange values: the mean is on CPU:0"
)
assert any(way.startswith("CPU:0") for way in got), told(
    "no tower gets anything: pin each tower to its device"
)
ways = [f"CPU:{i} to CPU:0" for i in (1, 2)]
missing = [way for way in ways if way not in got]
assert not missing, told(f"nothing goes from {missing[0] if missing else ''}")
assert all(got[way] >= right[way] - 8 for way in ways), told()
assert all(got[way] <= right[way] + 60 for way in ways), told(
    "a tower sends more than one gradient"
)
out = [f"CPU:0 to CPU:{i}" for i in (1, 2)]
assert all(way in got for way in out), told("a tower gets nothing: pin each tower to its device")
surplus = {way: got[way] - right[way] for way in out}
assert not all(copy - 8 <= more <= copy + 60 for more in surplus.values()), told(
    "a tower gets w twice: read it once"
)
others = {way: (sum(shares) - share) * row for way, share in zip(out, shares)}
assert not all(others[way] - 8 <= surplus[way] <= others[way] + 60 for way in out), told(
    "a tower gets all rows of the batch: split them on CPU:0"
)
assert all(-8 <= more <= 60 for more in surplus.values()), told()
placed = {node.name: node for partition in metadata.partition_graphs for node in partition.node}
used, todo = set(), [name for name in placed if placed[name].op.startswith(("Assign", "ResourceApply"))]
while todo:  # what w is changed by, as far as it is computed where w is
    name = todo.pop().split(":")[0]
    if name in placed and name not in used and placed[name].op not in ("_Recv", "Shape", "ShapeN", "Size"):
        used.add(name)
        todo += [source for source in placed[name].input if not source.startswith("^")]
told.asked = "what the new w is computed from on CPU:0"
told.got = "; ".join(sorted({placed[name].op for name in used}))
told.expected = "w, and what the towers send"
assert not any(re.match(r"x$|_arg_x_\d", name) for name in used), told(
    "the gradient is computed on CPU:0 from the rows themselves; the towers send back what is not needed"
)

# %% [markdown]
# ## 2 MirroredStrategy: towers today
#
# `tf.distribute.MirroredStrategy` makes the towers for you. Each replica has a **copy** of every variable, and all copies
# get the same updates. The sum of the gradients over all replicas, which each replica receives, is called **all-reduce**
# (lesson 09 shows what it sends). A **global batch** is what all replicas work on in one step; the strategy deals it out.
# Here it takes two logical CPUs, and deals out 131 rows in global batches of 60:

# %% grading="skip"
import keras

tf.get_logger().setLevel("ERROR")  # else it tells of each all-reduce
pair = ["CPU:1", "CPU:2"]

def replicas_on(devices):
    adds = tf.distribute.ReductionToOneDevice()  # one device adds; the others get the sum
    return tf.distribute.MirroredStrategy(devices, cross_device_ops=adds)

strategy = replicas_on(pair)
batches = tf.data.Dataset.from_tensor_slices((train_x[:131], train_y[:131])).batch(60)
for x, y in strategy.experimental_distribute_dataset(batches):
    print([len(share) for share in strategy.experimental_local_results(x)])

# %% [markdown]
# The last batch is smaller, and its two shares differ. So the loss of a replica is divided by the rows of the **global**
# batch:

# %% grading="skip"
def by_batch(losses):
    """Sum of this replica's losses, over the rows of all replicas."""
    rows = tf.cast(tf.size(losses), tf.float32)
    all_rows = tf.distribute.get_replica_context().all_reduce("SUM", rows)
    return tf.reduce_sum(losses) / all_rows

# %% [markdown]
# The loop: `strategy.run` calls a function once in each replica; `strategy.reduce` makes one value of their results.

# %% grading="skip"
def mirrored_epoch(strategy, batches, loss_of=by_batch):
    with strategy.scope():
        w = tf.Variable(tf.zeros([64, 10]))

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x @ w)
            loss = loss_of(losses)
        gradient = tape.gradient(loss, w)
        gradient = tf.distribute.get_replica_context().all_reduce("SUM", gradient)
        w.assign_sub(0.5 * gradient)
        return loss

    step = tf.function(
        lambda x, y: strategy.reduce("SUM", strategy.run(replica_step, (x, y)), None)
    )
    losses = [
        float(step(x, y)) for x, y in strategy.experimental_distribute_dataset(batches)
    ]
    return w.numpy(), losses

# %% grading="skip"
alone = replicas_on(pair[:1])
w_alone, losses_alone = mirrored_epoch(alone, batches)
w_two, losses_two = mirrored_epoch(strategy, batches)
print(
    "largest difference:",
    np.abs(w_two - w_alone).max(),
    "| losses:",
    np.round(losses_two, 4),
)

# %% [markdown]
# Two replicas equal one device, up to rounding. A Keras optimizer's `apply_gradients` does the all-reduce by itself; the
# division stays **your** work. The usual mistake: a replica takes the mean over its own rows, and the replicas' means are
# averaged.

# %% predict="own_mean"
# Predict: with each replica's own mean, does the result still equal one device? "yes" or "no"
equals_one_device = "..."

# %% grading="skip"
def by_share(losses):
    return tf.reduce_mean(losses) / strategy.num_replicas_in_sync

for rows in (120, 131, 121):
    some = tf.data.Dataset.from_tensor_slices((train_x[:rows], train_y[:rows])).batch(60)
    w_two, losses = mirrored_epoch(strategy, some, by_share)
    difference = np.abs(w_two - mirrored_epoch(alone, some)[0]).max()
    print(f"{rows} rows: difference {difference:.5f}, last loss {losses[-1]:.3f}")
why = "A row counts by its replica's share: 5 rows weigh as much as 6."
compare_prediction("equal", equals_one_device, "no", why)

# %% [markdown]
# With 120 rows all is well. With 131 the difference is no rounding. With 121 the last batch has one row, which counts
# half, since the second replica has none; and the mean of no rows is 0/0, so the loss is *nan*.
#
# ### The same with Keras
#
# `fit` does all this, on each replica of the strategy in whose scope the model was made:

# %% grading="skip"
def fitted(strategy, rows):
    with strategy.scope():
        layer = keras.layers.Dense(10, use_bias=False, kernel_initializer="zeros")
        model = keras.Sequential([keras.Input([64]), layer])
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.SGD(0.5), loss)
    data = tf.data.Dataset.from_tensor_slices((train_x[:rows], train_y[:rows]))
    model.fit(data.batch(60), shuffle=False, verbose=0)
    return model.get_weights()[0]

for rows in (120, 131, 121):
    difference = np.abs(fitted(strategy, rows) - fitted(alone, rows)).max()
    print(f"{rows} rows: difference {difference:.5f}")

# %% [markdown]
# **`fit` of Keras 3 makes the usual mistake too**, with the same differences: it divides each replica's mean by the
# number of replicas. Nothing warns. The way out is `batch(60, drop_remainder=True)` with a global batch that the number
# of replicas divides, or a loop of your own. Another trap shows at once. Three replicas cannot share 61 rows evenly, and
# `fit` fails before its first step:

# %% grading="skip"
three_devices = ["CPU:1", "CPU:2", "CPU:3"]
of_three = replicas_on(three_devices)
try:
    with of_three.scope():
        model = keras.Sequential([keras.Input([64]), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensor_slices((train_x[:61], train_y[:61])).batch(61)
    model.fit(data, shuffle=False, verbose=0)
except (tf.errors.InvalidArgumentError, ValueError) as error:
    print(f"{type(error).__name__}: {str(error)[:200]}")

# %% [markdown]
# | what you see | what it means | what to do |
# | --- | --- | --- |
# | results differ from one device, by more than 1e-5 | unequal shares counted equally, or a learning rate that was not adapted to the global batch (lesson 08) | divide by the rows of the global batch |
# | the loss is *nan* in the last batch of an epoch | a replica without rows took a mean | the same |
# | `InvalidArgumentError` about shapes, from `fit` | the *first* batch is not divisible | a global batch that the number of replicas divides |
# | `Shape mismatch in the collective instance` | a second strategy over the same devices in one process: on CPUs, its all-reduces can meet those of the first | one strategy a program; or, as in `replicas_on`, let one device add |

# %% [markdown] exercise="mirrored"
# ### Exercise 3 · A loop that equals one device
#
# Write `mirrored(first, x, y, batch, epochs, rate, devices)`. It trains a linear model `x·w` with a `MirroredStrategy`
# that has one replica on each of `devices` {#1}: make it by `replicas_on(devices)` of section 2. `w` begins with `first`.
#
# * There are `epochs` passes over the rows {#2}. Each takes the rows in their order {#3}, in batches of `batch` rows,
#   which is the number for **all replicas together** {#4}. The last batch of a pass may be smaller; it counts too {#5}.
# * The loss of a batch is the mean of (x·w − y)² over its rows, also where the replicas have unequally many rows, or
#   none {#6}, and also in a batch that is smaller than `batch` {#7}.
# * Each batch makes one step `w ← w − rate · gradient` of that loss {#8}, the same on all replicas {#9}.
#
# Return a dict: `"w"`, a list with each replica's copy of `w`; `"losses"`, the loss of each batch before its step {#10};
# `"rows"`, a list for each batch with the number of rows that each replica had {#11}. How the strategy deals out a batch
# is left to it.
#
# Example: `mirrored([0.], [[1.], [1.], [2.]], [2., 2., 4.], 2, 1, 0.25, ["CPU:1", "CPU:2"])` is `{"w": [[3.], [3.]],
# "losses": [4., 4.], "rows": [[1, 1], [1, 0]]}`.

# %% solution="mirrored" kind="today"
def mirrored(first, x, y, batch, epochs, rate, devices):
    """Train w by a replica on each device.

    Args:
        first: list of float, the first values of w.
        x: list of lists of float, [rows, len(first)].
        y: list of float, [rows].
        batch: int, rows of a global batch.
        epochs: int, passes over the rows.
        rate: float, the learning rate.
        devices: list of str.
    Returns:
        dict: "w", a list of float for each replica; "losses", a list of float; "rows", a list of
            int for each batch.
    """
    ### BEGIN SOLUTION
    strategy = replicas_on(devices)
    with strategy.scope():
        w = tf.Variable(first, dtype=tf.float32)

    def replica_step(some_x, some_y):
        context = tf.distribute.get_replica_context()
        rows = context.all_reduce("SUM", tf.cast(tf.size(some_y), tf.float32))
        with tf.GradientTape() as tape:
            errors = tf.linalg.matvec(some_x, w) - some_y
            loss = tf.reduce_sum(errors**2) / rows
        w.assign_sub(rate * context.all_reduce("SUM", tape.gradient(loss, w)))
        return loss

    @tf.function
    def step(some_x, some_y):
        return strategy.reduce("SUM", strategy.run(replica_step, (some_x, some_y)), axis=None)

    batches = tf.data.Dataset.from_tensor_slices((np.float32(x), np.float32(y))).batch(batch)
    losses, rows = [], []
    for _ in range(epochs):
        for some_x, some_y in strategy.experimental_distribute_dataset(batches):
            rows.append([len(share) for share in strategy.experimental_local_results(some_y)])
            losses.append(float(step(some_x, some_y)))
    copies = [copy.numpy().tolist() for copy in strategy.experimental_local_results(w)]
    return {"w": copies, "losses": losses, "rows": rows}
    ### END SOLUTION

# %% try="mirrored"
try:
    print(
        mirrored(
            [0.0], [[1.0], [1.0], [2.0]], [2.0, 2.0, 4.0], 2, 1, 0.25, ["CPU:1", "CPU:2"]
        )
    )
except NotImplementedError as error:
    print(error)

# %% check="mirrored-even" points=2 title="Even batches: two replicas equal one device"
import numpy as np

x = [
    [1.0, 0.0],
    [0.0, 1.0],
    [1.0, 1.0],
    [2.0, 0.0],
    [0.0, 2.0],
    [1.0, -1.0],
    [2.0, 1.0],
    [1.0, 2.0],
]
y = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
got = mirrored([0.5, -0.5], x, y, 4, 1, 0.125, ["CPU:1", "CPU:2"])

def one_device(scale=1.0):
    """Weights and losses; the gradient counts `scale` times."""
    w, losses = np.array([0.5, -0.5]), []
    for k in (0, 4):
        rows, errors = np.array(x[k : k + 4]), np.dot(x[k : k + 4], w) - y[k : k + 4]
        losses.append(float(np.mean(errors**2)))
        w = w - 0.125 * scale * 2 * rows.T @ errors / 4
    return w, losses

w, losses = one_device()
told = Told(
    asked="eight rows in batches of 4, on CPU:1 and CPU:2, rate 0.125",
    got=got,
    expected={"w": [w, w], "losses": losses, "rows": [[2, 2], [2, 2]]},
    reread="section 2, MirroredStrategy: towers today",
)
assert isinstance(got, dict) and set(got) == {"w", "losses", "rows"}, told(
    'return a dict with "w", "losses" and "rows"'
)
assert np.shape(got["rows"]) != (1, 2), told(
    "the batch was given to each replica: `batch` is for all together"
)
assert np.shape(got["rows"]) == (2, 2), told(
    '"rows" has an entry for each batch, with a number for each replica'
)
assert np.shape(got["w"]) == (2, 2), told('"w" has each replica\'s copy, with two numbers each')
assert np.shape(got["losses"]) == (2,), told('"losses" has a number for each batch')
assert np.allclose(got["w"][0], got["w"][1], atol=1e-5), told(
    "the replicas' copies differ: each makes the step of its own gradient, without an all-reduce"
)
value = np.array(got["w"][0])
assert not np.allclose(value, one_device(0.5)[0], atol=1e-5), told(
    "the step is half as long as it should be: where each replica's loss is divided by all rows, "
    "the replicas' gradients are added, not averaged"
)
assert not np.allclose(value, one_device(2.0)[0], atol=1e-5), told(
    "the step is twice as long as it should be"
)
assert not np.allclose(value, one_device(4.0)[0], atol=1e-5), told(
    "the losses of a batch are added: take their mean"
)
assert np.allclose(value, w, atol=1e-5), told()
assert np.allclose(got["losses"], losses, atol=1e-4), told(
    "the weights are right, but the losses are not those before each step"
)
assert np.sum(got["rows"]) == 8, told("the rows of a batch are counted wrongly")

# %% check="mirrored-last" points=3 title="The last batch is smaller, and its rows are shared unevenly"
import numpy as np

x = [[float(k % 3), float(k % 5) - 2.0] for k in range(11)]
y = [float((7 * k) % 4) for k in range(11)]
got = mirrored([1.0, 1.0], x, y, 4, 1, 0.125, ["CPU:1", "CPU:2"])

def trained(weights):
    """w after three batches; weights(rows) are those of the rows of a batch."""
    w = np.array([1.0, 1.0])
    for k in (0, 4, 8):
        some_x, some_y = np.array(x[k : k + 4]), np.array(y[k : k + 4])
        w = w - 0.125 * 2 * some_x.T @ (weights(len(some_y)) * (some_x @ w - some_y))
    return w

right = trained(lambda rows: np.full(rows, 1 / rows))
told = Told(
    asked="eleven rows in batches of 4, on two replicas: the last batch has three rows",
    got=got,
    expected=f"w = {written(right)} on both; rows: 4, 4 and 3 for both together",
    reread="section 2, MirroredStrategy: towers today",
)
assert isinstance(got, dict) and set(got) == {"w", "losses", "rows"}, told(
    'return a dict with "w", "losses" and "rows"'
)
count = [int(np.sum(rows)) for rows in got["rows"]]
assert count != [4, 4], told("the last rows were left out")
assert count != [8, 3], told("the batch was given to each replica: `batch` is for all together")
assert len(got["rows"]) == 3 and all(np.shape(rows) == (2,) for rows in got["rows"]), told(
    '"rows" has an entry for each batch, with a number for each replica'
)
assert sorted(count) != [3, 4, 4] or count[2] == 3, told(
    "the smaller batch is not the last one: take the rows in their order"
)
assert count == [4, 4, 3], told("the rows of a batch are counted wrongly")
value = np.array(got["w"][0])
assert np.shape(got["w"]) == (2, 2), told('"w" has each replica\'s copy, with two numbers each')
assert not np.allclose(value, trained(lambda rows: np.full(rows, 1 / 4)), atol=1e-5), told(
    "the smaller batch is divided by `batch`: divide by the rows that it has"
)
share = got["rows"][2][0]
uneven = lambda rows: (
    np.full(rows, 1 / 4)
    if rows == 4
    else np.array([0.5 / max(k, 1) for k in (share, 3 - share) for _ in range(k)])
)
assert share in (0, 3) or not np.allclose(value, trained(uneven), atol=1e-5), told(
    "each replica takes the mean over its own rows, and these means count equally: "
    "divide by the rows of all replicas"
)
assert np.allclose(value, right, atol=1e-5), told()

# %% hidden="mirrored-three" points=3 title="Three replicas, of which some have no rows in the last batch"
import numpy as np

batch, n = draw.choice([5, 8]), draw.choice([2, 3])  # dealt out 2, 2, 1 and 3, 3, 2 by any rule
count = 3 * batch + 1
rng = np.random.RandomState(draw.randrange(1000))
x, y = rng.normal(size=(count, n)).round(2).tolist(), (2 + rng.normal(size=count)).round(2).tolist()
first = rng.normal(size=n).round(1).tolist()
got = mirrored(list(first), x, y, batch, 1, 0.1, ["CPU:0", "CPU:2", "CPU:3"])

def trained(divide_by=None):
    """w and the losses; all batches are divided by their rows, or by `divide_by`."""
    w, losses = np.array(first), []
    for k in range(0, count, batch):
        some_x, errors = np.array(x[k : k + batch]), np.dot(x[k : k + batch], w) - y[k : k + batch]
        losses.append(float(np.mean(errors**2)))
        w = w - 0.1 * 2 * some_x.T @ errors / (divide_by or len(errors))
    return w, losses

right, losses = trained()
told = Told(
    asked=f"{count} rows in batches of {batch}, on CPU:0, CPU:2 and CPU:3",
    got=got,
    expected=f"w = {written(right)} on all three; losses {written(losses)}; three rows a batch",
    reread="section 2, MirroredStrategy: towers today",
)
assert isinstance(got, dict) and set(got) == {"w", "losses", "rows"}, told(
    'return a dict with "w", "losses" and "rows"'
)
assert len(got["w"]) == 3, told("there are not three replicas: the strategy takes `devices`")
assert all(np.shape(rows) == (3,) for rows in got["rows"]), told(
    '"rows" has an entry for each batch, with a number for each replica'
)
assert sum(map(sum, got["rows"])) != 3 * batch, told("the last rows were left out")
assert [sum(rows) for rows in got["rows"]] == [batch] * 3 + [1], told(
    "the batches have other sizes: `batch` is for all replicas together; the last has what is left"
)
value = np.asarray(got["w"], float)
assert value.shape == (3, n), told('"w" has each replica\'s copy')
assert np.shape(got["losses"]) == (4,), told('"losses" has a number for each batch')
assert not np.isnan([*value.ravel(), *got["losses"]]).any(), told(
    "a replica without rows takes a mean, 0/0: divide by the rows of all replicas"
)
assert not np.allclose(value[0], trained(batch)[0], atol=1e-4), told(
    "the smaller batch is divided by `batch`: divide by the rows that it has"
)
assert np.allclose(value[0], value[1], atol=1e-4), told(
    "the replicas' copies differ: each makes the step of its own gradient, without an all-reduce"
)
assert np.allclose(value, right, atol=1e-4), told()
assert np.allclose(got["losses"], losses, atol=1e-4), told(
    "the weights are right, but the losses are not those before each step"
)
dealt = reference.mirrored(first, x, y, batch, 1, 0.1, ["CPU:0", "CPU:2", "CPU:3"])["rows"]
told.got, told.expected = got["rows"], dealt
assert [list(map(int, rows)) for rows in got["rows"]] == dealt, told(
    "these are not the rows that the strategy gave to each replica"
)

# %% hidden="mirrored-epochs" points=2 title="Several passes, in order"
import numpy as np

epochs, batch = draw.choice([2, 3]), draw.choice([3, 5])
count, n = 2 * batch + 2, 2
rng = np.random.RandomState(draw.randrange(1000))
x, y = rng.normal(size=(count, n)).round(2).tolist(), (3 + rng.normal(size=count)).round(2).tolist()
got = mirrored([0.0, 0.0], x, y, batch, epochs, 0.125, ["CPU:3", "CPU:1"])
w, losses = np.zeros(n), []
for _ in range(epochs):
    for k in range(0, count, batch):
        some_x, errors = np.array(x[k : k + batch]), np.dot(x[k : k + batch], w) - y[k : k + batch]
        losses.append(float(np.mean(errors**2)))
        w = w - 0.125 * 2 * some_x.T @ errors / len(errors)
told = Told(
    asked=f"{epochs} passes over {count} rows in batches of {batch}, on two replicas",
    got=got,
    expected=f"w = {written(w)} on both; losses {written(losses)}",
    reread="the text of exercise 3",
)
assert isinstance(got, dict) and set(got) == {"w", "losses", "rows"}, told(
    'return a dict with "w", "losses" and "rows"'
)
assert len(got["losses"]) != 3, told("there was one pass only")
sizes = [int(np.sum(rows)) for rows in got["rows"]]
assert sizes != [batch] * (2 * epochs), told("the last rows of a pass were left out")
assert sizes == [batch, batch, 2] * epochs, told(
    "the batches have other sizes: `batch` is for all replicas together, and each pass begins anew"
)
assert len(got["losses"]) == 3 * epochs, told('"losses" has a number for each batch')
assert np.shape(got["w"]) == (2, n), told('"w" has each replica\'s copy')
assert np.isclose(got["losses"][0], losses[0], atol=1e-4), told()
assert np.allclose(got["losses"], losses, atol=1e-3), told()
assert np.allclose(got["w"], [w, w], atol=1e-3), told()

# %% [markdown]
# ## Sitting 2 · Programs of their own
#
# (Coming back? Run the folded cells at the top and the first code cell of section 1; then go on here.)
#
# ## 3 An ensemble in one graph
#
# In-graph replication also serves an **ensemble**: several *different* networks, one on each device, and the mean of
# their answers. Each network has variables of its own, and here also pictures of its own: a third of the training data.
# One session trains all three, and asks all three at once.

# %% grading="skip"
with tf.Graph().as_default() as ensemble_graph:
    v1.set_random_seed(0)
    pictures, labels, answers, train_ops = [], [], [], []
    for i in (1, 2, 3):
        with tf.device(f"/device:CPU:{i}"), v1.variable_scope(f"network{i}"):
            pictures.append(v1.placeholder(tf.float32, [None, 64]))
            labels.append(v1.placeholder(tf.int32, [None]))
            hidden = tf.nn.relu(pictures[-1] @ v1.get_variable("hidden", [64, 8]))
            logits = hidden @ v1.get_variable("output", [8, 10])
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=labels[-1], logits=logits
            )
            train_ops.append(v1.train.AdamOptimizer(0.01).minimize(loss))
            answers.append(tf.nn.softmax(logits))
    with tf.device("/device:CPU:0"):
        ensemble_answer = tf.add_n(answers) / 3
    initialise = v1.global_variables_initializer()

# %% predict="ensemble"
# Predict: is the ensemble better than its members are on average, by 0.02 or more? "yes" or "no"
better_than_on_average = "..."

# %% grading="skip"
def score(probabilities):
    return np.mean(probabilities.argmax(1) == test_y)

def trained_ensemble(seed, steps=80):
    """The members' test accuracies, and that of their mean."""
    rng = np.random.RandomState(seed)
    with v1.Session(graph=ensemble_graph) as session:
        session.run(initialise)
        for _ in range(steps):
            feed = {}
            for k in range(3):
                rows = rng.randint(500 * k, 500 * (k + 1), size=50)
                feed |= {pictures[k]: train_x[rows], labels[k]: train_y[rows]}
            session.run(train_ops, feed)
        members, mean = session.run(
            [answers, ensemble_answer], dict.fromkeys(pictures, test_x)
        )
    return [score(member) for member in members], score(mean)

# %% grading="skip"
for seed in range(3):
    members, together = trained_ensemble(seed)
    print(
        "members",
        np.round(members, 3),
        f"mean {np.mean(members):.3f} | ensemble {together:.3f}",
    )
gain = together - np.mean(members)
why = "The members err on different pictures."
compare_prediction(
    "better than on average", better_than_on_average, "yes" if gain >= 0.02 else "no", why
)

# %% [markdown]
# The mean of the **probabilities** is better than the members are on average, and most often better than the best of
# them. (Not the mean of their labels: the mean of a 1 and a 7 is no digit.) These members are weak, so the gain is large.
# Strong members that err on the same pictures gain little: lesson 10.
#
# It is simple: one graph, one `run`. It is also fragile: if one network does not answer, `run` does not return.
#
# ## 4 Between-graph: who keeps the variables?
#
# In between-graph replication each worker builds **its own** graph, with the same program. The graphs share variables,
# since a cluster finds a variable by task and name (lesson 06). So all must put each variable on the same ps task.
# `replica_device_setter` does that:

# %% grading="skip"
def worker_graph(index, ps=2):
    hosts = {
        "ps": [f"ps{k}:2222" for k in range(ps)],
        "worker": [f"worker{k}:2222" for k in range(3)],
    }
    spec = tf.train.ClusterSpec(hosts)
    here = f"/job:worker/task:{index}"
    with tf.Graph().as_default() as graph:
        with v1.device(v1.train.replica_device_setter(worker_device=here, cluster=spec)):
            v1.train.get_or_create_global_step()
            h = v1.placeholder(tf.float32, [None, 64], name="x")
            for name in ("a", "b", "c"):
                h = tf.matmul(h, v1.get_variable(name, [64, 64]), name=f"layer_{name}")
    return graph

# %% predict="setter"
# Predict for worker 1, with two ps tasks: on which ps task (0 or 1) do global_step, a, b, c lie?
ps_of_each = [..., ..., ..., ...]

# %% grading="skip"
for index in (0, 1):
    print(f"worker {index}:")
    for op in worker_graph(index).get_operations():
        if op.type in ("VarHandleOp", "MatMul"):
            print(f"   {op.name:12} {op.device}")
ops = [op for op in worker_graph(1).get_operations() if op.type == "VarHandleOp"]
seen = [int(op.device[-1]) for op in ops]
compare_prediction(
    "ps tasks", ps_of_each, seen, "In turn, in the order in which they are made."
)

# %% [markdown]
# All other ops go to the worker. Both workers agree on the variables, because they make them in the same order.
# (`tf.device` takes no functions in today's TensorFlow: write `v1.device`. It is the *request*; placement happens on the
# cluster.)
#
# **Change it:** `ps=1`, and `ps=3`. Which variables move?
#
# ## 5 An ensemble between graphs
#
# The ensemble of section 3, as separate programs. Each network is a process with a graph of its own. They talk through
# queues on a task of their own: each network has an **input queue** and a **prediction queue**. To keep it short, a
# network is one layer with random weights, made from a seed. The program is a file, which the next cell writes:

# %%
%%writefile model.py
"""Answers batches for ever; or, as the task "queues", holds the queues."""

import json
import os

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def queues(model):
    """A number goes with each batch, so that the client knows which batch an answer belongs to."""
    kinds = [tf.int32, tf.float32]
    with tf.device("/job:queues/task:0"):
        inputs = v1.FIFOQueue(2, kinds, shared_name=f"in{model}")
        outputs = v1.FIFOQueue(2, kinds, shared_name=f"out{model}")
    return inputs, outputs


def answer_for_ever(server, model):
    weights = np.random.RandomState(int(os.environ["SEED"]) + model).normal(size=(4, 3))
    config = v1.ConfigProto(device_filters=["/job:queues", f"/job:model/task:{model}"])
    with tf.Graph().as_default():
        inputs, outputs = queues(model)
        number, batch = inputs.dequeue()
        with tf.device(f"/job:model/task:{model}"):
            logits = tf.matmul(tf.reshape(batch, [-1, 4]), np.float32(weights))
            prediction = tf.nn.softmax(logits)
        answer = outputs.enqueue([number, prediction])
        with v1.Session(server.target, config=config) as session:
            while True:
                session.run(answer)


me = json.loads(os.environ["TF_CONFIG"])
job, index = me["task"]["type"], me["task"]["index"]
server = tf.distribute.Server(me["cluster"], job, index)
if job == "queues":
    server.join()
answer_for_ever(server, index)

# %% [markdown]
# The **client** feeds the models and averages their answers. A queue is found by its `shared_name`, like a variable. For
# each model the client's graph has an op that puts a batch, and one that takes an answer:

# %% grading="skip"
def client_graph(count):
    """For each model k: "k/put" (feed "number:0", "batch:0"), and "k/next" (number, answer)."""
    kinds = [tf.int32, tf.float32]
    with tf.Graph().as_default() as graph:
        number = v1.placeholder(tf.int32, [], "number")
        batch = v1.placeholder(tf.float32, name="batch")
        with tf.device("/job:queues/task:0"):
            for k in range(count):
                inputs = v1.FIFOQueue(2, kinds, shared_name=f"in{k}")
                outputs = v1.FIFOQueue(2, kinds, shared_name=f"out{k}")
                inputs.enqueue([number, batch], name=f"{k}/put")
                outputs.dequeue(name=f"{k}/next")
    return graph

# %% grading="skip"
def ask(session, number, batch, models, seconds):
    """Give a batch to all models; {model: answer} of those that answer within `seconds`."""
    deadline = time.monotonic() + seconds
    found = {}
    for model in models:
        session.run(f"{model}/put", {"number:0": number, "batch:0": batch})
    for model in models:
        left = max(200, int(1000 * (deadline - time.monotonic())))  # exercise 4 says why
        try:
            options = v1.RunOptions(timeout_in_ms=left)
            of, found[model] = session.run(
                [f"{model}/next:0", f"{model}/next:1"], options=options
            )
        except tf.errors.DeadlineExceededError:
            print(f"model {model} did not answer")
    return found

# %% [markdown]
# `LocalCluster` (lesson 06) starts four processes with the text of `model.py` and tells each who it is, in `TF_CONFIG`:

# %% grading="skip"
models = LocalCluster(
    {"queues": 1, "model": 3},
    script=open("model.py").read(),
    env={"SEED": "7"},
    name="models",
)
picture = [[1.0, 0.0, 2.0, 0.5]]
config = v1.ConfigProto(operation_timeout_in_ms=5000, device_filters=["/job:queues"])
session = v1.Session(models.target("queues/0"), graph=client_graph(3), config=config)
found = ask(session, 0, picture, range(3), seconds=5)
for model, answer in found.items():
    print(model, answer.round(3))
print("mean", np.mean(list(found.values()), axis=0).round(3))

# %% predict="dead_model"
# Now model 1 dies. Predict: with seconds=1, how many models answer?
how_many_answer = ...

# %% grading="skip"
models.kill("model/1")
begin = time.monotonic()
found = ask(session, 1, picture, range(3), seconds=1)
print(
    f"after {time.monotonic() - begin:.1f} s: mean",
    np.mean(list(found.values()), axis=0).round(3),
)
compare_prediction(
    "models that answer",
    how_many_answer,
    len(found),
    "The queues are on another task, which lives.",
)

# %% [markdown]
# The answer comes in time, from the two that live. That is what between-graph replication is good for: **the timeout
# turns a dead member into a smaller ensemble**. In one graph (section 3) there would be no answer at all.
#
# This `ask` still has a weakness. An input queue has room for two batches, and nobody takes them out for a dead model.
# The third batch does not fit: `put` waits until the session's timeout, and its error ends `ask`. Exercise 4 mends it.
#
# | ensemble | in one graph | between graphs |
# | --- | --- | --- |
# | a member hangs or dies | no answer | an answer in time, without it |
# | add or replace a member | stop, rebuild, start | start a process |
# | work to do | one graph, one `run` | queues, numbers, timeouts |

# %% [markdown] exercise="ensemble"
# ### Exercise 4 · An ensemble in one graph, and between graphs
#
# Write two functions.
#
# `one_graph(weights, devices)` returns the bytes of a `GraphDef` with all members: a placeholder `x` of shape
# `[None, n]`, float32 {#14}; for each matrix in `weights` (n × classes) one `tf.matmul` of `x` with it, on the device at the
# same position in `devices` {#1}; and an op named `answer`: the mean of the members' **probabilities**, which are the
# softmax of each {#2}. `answer` is on `/device:CPU:0` {#3}.
#
# `in_time(session, batches, models, seconds)` is the client of section 5 for several batches, in an open session. The
# session's graph is that of `client_graph`.
#
# * `batches` is an iterator. Take the next batch only when you are done with the one before {#4}. Number the batches 0,
#   1, 2, ...
# * Put each batch into all models, and collect the answers **to this batch**. Wait at most `seconds` for a batch, for all
#   models together {#5}; do not wait any longer once all have answered {#6}.
# * A model may be dead, or come back. Its input queue may be full: then `put` blocks. That must not end your
#   function {#7}, and a dead model must not use up the time of the others {#8}: give `put` a short timeout, and ask the
#   models in turns.
# * A model that is back answers old batches first: throw these answers away {#9}, and ask it for the next one {#10}.
#
# Return a list with a dict for each batch: `"mean"`, the mean of the answers as a list of lists, over the models that
# answered {#11}, or `None` if none did {#12}; and `"missing"`, the models without an answer, in the order of
# `models` {#13}. An example of the form, where all three models live, for one batch:
# `[{"mean": [[0.28, 0.38, 0.34]], "missing": []}]`.
#
# A hint: do not fetch with a timeout below 200 ms, even if this makes a batch a little late. A call that times out before
# the server has begun it may take an answer with it later.

# %% solution="ensemble" kind="graph"
def one_graph(weights, devices):
    """An ensemble in one graph.

    Args:
        weights: list of matrices (lists of lists of float), all of the same shape [n, classes].
        devices: list of str, one device for each matrix.
    Returns:
        bytes: a serialized GraphDef with the placeholder "x" and the op "answer".
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, len(weights[0])], name="x")
        answers = []
        for matrix, device in zip(weights, devices):
            with tf.device(device):
                answers.append(tf.nn.softmax(tf.matmul(x, np.float32(matrix))))
        with tf.device("/device:CPU:0"):
            tf.reduce_mean(tf.stack(answers), axis=0, name="answer")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

def in_time(session, batches, models, seconds):
    """Ask all models about each batch; wait at most `seconds` for a batch.

    Args:
        session: an open session with the ops "m/put", "m/next" of each model m.
        batches: iterator of batches (lists of lists of float); to be taken one by one.
        models: list of int.
        seconds: float, the most to wait for a batch, for all models together.
    Returns:
        list of dict, one a batch: "mean" (list of lists, or None) and "missing" (list of int).
    """
    ### BEGIN SOLUTION
    results = []
    for number, batch in enumerate(batches):
        deadline, found = time.monotonic() + seconds, {}
        for model in models:
            feed = {"number:0": number, "batch:0": batch}
            try:
                session.run(f"{model}/put", feed, v1.RunOptions(timeout_in_ms=100))
            except tf.errors.DeadlineExceededError:
                pass  # its queue is full
        while len(found) < len(models) and time.monotonic() < deadline:
            for model in [m for m in models if m not in found]:
                try:
                    fetches = [f"{model}/next:0", f"{model}/next:1"]
                    of, answer = session.run(fetches, None, v1.RunOptions(timeout_in_ms=200))
                    if of == number:
                        found[model] = answer
                except tf.errors.DeadlineExceededError:
                    pass
        mean = np.mean(list(found.values()), axis=0).tolist() if found else None
        results.append({"mean": mean, "missing": [model for model in models if model not in found]})
    return results
    ### END SOLUTION

def ensembled(seed, batches, kills, starts, seconds):
    """Given, for the checks: the drill with your function."""
    script = open("model.py").read()
    return ensemble_drill(in_time, script, client_graph(3), seed, batches, kills, starts, seconds)

# %% try="ensemble"
# Two batches; model 1 is killed before the second. "seconds": how long each took you.
try:
    print(
        len(one_graph([np.eye(2), np.eye(2)], ["/device:CPU:1", "/device:CPU:2"])), "bytes"
    )
    print(ensembled(7, [[[1.0, 0.0, 2.0, 0.5]]] * 2, {1: [1]}, {}, 1.0))
except NotImplementedError as error:
    print(error)

# %% check="ensemble-one-graph" points=2 title="One graph: the mean of probabilities, each member on its device"
import numpy as np
import tensorflow as tf

weights = [[[2.0, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]], [[-4.0, 1.0], [1.0, 0.0]]]
devices = ["/device:CPU:1", "/device:CPU:3", "/device:CPU:2"]
answer = one_graph([[list(row) for row in matrix] for matrix in weights], list(devices))
v1, x = tf.compat.v1, np.float32([[1.0, 2.0], [0.5, -1.0]])

def softmax(logits):
    return np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)

logits = [x @ np.float32(matrix) for matrix in weights]
right = np.mean([softmax(each) for each in logits], axis=0)
told = Told(
    asked="one_graph of three 2 x 2 matrices on CPU:1, CPU:3, CPU:2",
    got=type(answer).__name__,
    expected=right,
    reread="section 3, An ensemble in one graph",
)
assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = v1.GraphDef.FromString(answer)
nodes = {node.name: node for node in definition.node}
told.got = "a graph with the ops " + ", ".join(sorted(nodes))
assert {"x", "answer"} <= set(nodes), told(
    "the placeholder is named x, and the mean is an op with the name answer"
)
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
    told.got = got = session.run("answer:0", {"x:0": x})
    matmuls = [node.name for node in definition.node if node.op == "MatMul"]
    products = [session.run(f"{name}:0", {"x:0": x}) for name in matmuls]
assert np.shape(got) == (2, 2), told()
assert not np.allclose(got, softmax(np.mean(logits, axis=0)), atol=1e-5), told(
    "the mean was taken before the softmax: average the probabilities"
)
assert not np.allclose(got, 3 * right, atol=1e-5), told(
    "the probabilities are added: divide by the number of members"
)
assert np.allclose(got, right, atol=1e-5), told()
shape = [size.size for size in nodes["x"].attr["shape"].shape.dim]
told.got, told.expected = f"x of shape {shape}", "[-1, 2]: any number of rows of two"
assert shape == [-1, 2], told("the placeholder has the shape [None, n]")
used, todo = set(), ["answer"]
while todo:  # what answer is computed from
    name = todo.pop().split(":")[0]
    if name in nodes and name not in used:
        used.add(name)
        todo += [source for source in nodes[name].input if not source.startswith("^")]
unused = [name for name in matmuls if name not in used]
told.got, told.expected = f"matmuls that answer is not computed from: {unused}", "none"
assert not unused, told("the members' matmuls are not used: answer is the mean of what they compute")
where = [node.device[-5:] for node in definition.node if node.op == "MatMul"]
told.got, told.expected = f"matmuls on {where}", "matmuls on CPU:1, CPU:3, CPU:2"
assert sorted(where) == ["CPU:1", "CPU:2", "CPU:3"], told(
    "each member's matmul goes to its own device"
)
places = [
    place for each in logits for value, place in zip(products, where) if np.allclose(value, each)
]
told.got = f"the products of matrices 0, 1, 2 on {places}"
assert places == ["CPU:1", "CPU:3", "CPU:2"], told(
    "the members are on each other's devices: each has the one at its own position"
)
told.got, told.expected = (
    f"answer on {nodes['answer'].device or 'no device'}",
    "answer on /device:CPU:0",
)
assert nodes["answer"].device.endswith("CPU:0"), told("answer is not pinned to /device:CPU:0")
weights, x = [[[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [[0.0, 1.0]] * 3], np.float32([[1.0, 2.0, 3.0]])
definition = v1.GraphDef.FromString(one_graph(weights, ["/device:CPU:1"] * 2))
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
(node,) = [node for node in definition.node if node.name == "x"]
shape = [size.size for size in node.attr["shape"].shape.dim]
told.asked = "one_graph of two 3 x 2 matrices, both on CPU:1"
told.got, told.expected = f"x of shape {shape}", "[-1, 3]: any number of rows of three"
assert shape == [-1, 3], told("a row of x has as many numbers as a matrix has rows")
with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
    told.got = session.run("answer:0", {"x:0": x})
told.expected = np.mean([softmax(x @ np.float32(matrix)) for matrix in weights], axis=0)
assert np.allclose(told.got, told.expected, atol=1e-5), told()

# %% check="ensemble-dead" points=2 title="A model dies: the others' mean, in time"
import random
import numpy as np

seed = 3 * random.randrange(300) + random.randrange(2)  # model 1 is not the last to be asked
batch = [[1.0, 0.0, 2.0, 0.5], [0.0, 1.0, -1.0, 2.0]]
for seconds in (0.8, 4.0):  # a busy machine gets a second chance
    got = ensembled(seed, [batch] * 2, {1: [1]}, {}, seconds)["answers"]
    if type(got) is not list or [r.get("missing") for r in got if isinstance(r, dict)] == [[], [1]]:
        break

def answer_of(model):
    logits = np.float32(batch) @ np.float32(np.random.RandomState(seed + model).normal(size=(4, 3)))
    return np.exp(logits) / np.exp(logits).sum(1, keepdims=True)

right = [np.mean([answer_of(model) for model in living], axis=0) for living in ([0, 1, 2], [0, 2])]
told = Told(
    asked="two batches; model 1 is killed before the second",
    got=got,
    expected=[{"mean": right[0], "missing": []}, {"mean": right[1], "missing": [1]}],
    reread="section 5, An ensemble between graphs",
)
assert got != "DeadlineExceededError", told(
    "one dead model ended your function: catch the timeout, and go on"
)
assert type(got) is list and len(got) == 2, told(
    "the result is a list with an entry for each batch"
)
assert all(isinstance(r, dict) and set(r) == {"mean", "missing"} for r in got), told(
    'each entry is a dict of "mean" and "missing"'
)
assert all(type(r["missing"]) is list for r in got), told('"missing" is a list of models')
assert got[0]["missing"] == [], told(
    "at the first batch not all were heard: model 1 dies when you take the second batch, not before"
)
assert got[1]["missing"] == [1], told()
assert all(np.shape(r["mean"]) == np.shape(mean) for r, mean in zip(got, right)), told(
    '"mean" has a row for each row of the batch'
)
means = [np.asarray(r["mean"], float) for r in got]
assert not np.allclose(means[1], right[1] * 2 / 3, atol=1e-4), told(
    "the dead model counts as zero: divide by the number of answers"
)
assert all(np.allclose(mean, r, atol=1e-4) for mean, r in zip(means, right)), told()

# %% hidden="ensemble-full" points=2 title="A dead model whose queue is full"
import numpy as np

seed = draw.randrange(1000)
dead = (seed + draw.randrange(2)) % 3  # not the last to be asked
batches = [[[float(k), 1.0, -1.0, draw.randrange(1, 9) / 4]] for k in range(4)]
for seconds in (0.6, 3.0):  # a busy machine gets a second chance
    got = ensembled(seed, batches, {0: [dead]}, {}, seconds)["answers"]
    dicts = [r for r in got if isinstance(r, dict)] if type(got) is list else []
    if type(got) is not list or [r.get("missing") for r in dicts] == [[dead]] * 4:
        break

def answer_of(model, batch):
    logits = np.float32(batch) @ np.float32(np.random.RandomState(seed + model).normal(size=(4, 3)))
    return np.exp(logits) / np.exp(logits).sum(1, keepdims=True)

living = [model for model in range(3) if model != dead]
right = [np.mean([answer_of(model, batch) for model in living], axis=0) for batch in batches]
told = Told(
    asked=f"four batches; model {dead} is dead from the start, and its queue has room for two",
    got=got,
    expected=[{"mean": mean, "missing": [dead]} for mean in right],
    reread="the text of exercise 4",
)
assert got != "DeadlineExceededError", told(
    "a dead model ended your function: its queue was full and put blocked, or no answer came. "
    "Give both calls a timeout, and catch it"
)
assert type(got) is list and len(got) == 4, told("the result has an entry for each batch")
missing = [r["missing"] for r in got]
assert all(type(each) is list for each in missing), told('"missing" is a list of models')
assert not all(set(each) > {dead} for each in missing), told(
    "the wait for the dead model used up the time of the others"
)
assert missing == [[dead]] * 4, told()
assert all(np.shape(r["mean"]) == (1, 3) for r in got), told('"mean" has a row for each row of the batch')
assert all(np.allclose(r["mean"], mean, atol=1e-4) for r, mean in zip(got, right)), told()

# %% hidden="ensemble-back" points=2 title="A model comes back, and has old batches to answer"
import numpy as np


def answer_of(model, batch):
    logits = np.float32(batch) @ np.float32(np.random.RandomState(seed + model).normal(size=(4, 3)))
    return np.exp(logits) / np.exp(logits).sum(1, keepdims=True)


for _ in range(50):  # until an older batch has another answer
    seed = draw.randrange(1000)
    back = (seed + draw.randrange(2)) % 3  # not the last to be asked
    batches = [[[float(k), 1.0, -1.0, draw.randrange(1, 9) / 4]] for k in range(4)]
    answers = [answer_of(back, batch) for batch in batches]
    if min(np.abs(answers[k] - answers[k - 1]).max() for k in (2, 3)) > 0.01:
        break
for seconds in (0.8, 4.0):  # a busy machine gets a second chance
    got = ensembled(seed, batches, {1: [back]}, {2: [back]}, seconds)["answers"]
    missing = [r.get("missing") for r in got if isinstance(r, dict)] if type(got) is list else []
    if missing[:2] == [[], [back]] and missing[3:] == [[]]:
        break

told = Told(
    asked=f"four batches; model {back} is dead for the second, and back for the third",
    got=got,
    expected=f"missing [{back}] at the second batch; each mean is one of answers to its own batch",
    reread="the text of exercise 4",
)
assert got != "DeadlineExceededError", told(
    "one dead model ended your function: catch the timeout, and go on"
)
assert type(got) is list and len(got) == 4, told("the result has an entry for each batch")
assert all(type(r["missing"]) is list for r in got), told('"missing" is a list of models')
assert got[1]["missing"] != [], told(
    f"model {back} was dead for the second batch, but is said to have answered: "
    "take a batch only when you are done with the one before"
)
assert got[1]["missing"] == [back] and got[0]["missing"] == [], told()
for k, (result, batch) in enumerate(zip(got, batches)):
    heard = [model for model in range(3) if model not in result["missing"]]
    mean = np.mean([answer_of(model, batch) for model in heard], axis=0) if heard else None
    stale = [answer_of(m, batches[k - 1]) if m == back else answer_of(m, batch) for m in heard]
    assert not (
        k >= 2 and back in heard and np.allclose(result["mean"], np.mean(stale, axis=0), atol=1e-4)
    ), told(f"batch {k} got an answer to an older batch: compare the number that comes with it")
    assert (mean is None) == (result["mean"] is None) and (
        mean is None
        or np.shape(result["mean"]) == np.shape(mean)
        and np.allclose(result["mean"], mean, atol=1e-4)
    ), told()
assert got[3]["missing"] == [], told(
    f"model {back} is back at the fourth batch, but not heard: after an old answer, ask it again"
)

# %% hidden="ensemble-clock" points=2 title="The clock: no longer than needed, and once for all models"
seed, seconds = 3 * draw.randrange(300) + draw.randrange(1, 3), 3.0
order = [(seed + k) % 3 for k in range(3)]
batches = [[[1.0, float(k), -1.0, 0.5]] for k in range(2)]
for _ in range(2):  # a busy machine gets a second chance
    drill = ensembled(seed, batches, {1: [2, 0, 1]}, {}, seconds)
    took = drill["seconds"]
    if len(took) != 2 or (took[0] < seconds / 2 and took[1] < 2 * seconds):
        break
got = drill["answers"]
told = Told(
    asked=f"two batches, models {order}, seconds={seconds:g}; all three are killed before the second",
    got=got,
    expected=f'"mean" None and "missing" {order} for the second batch',
    reread="the text of exercise 4",
)
assert got != "DeadlineExceededError", told(
    "dead models ended your function: catch the timeout, and go on"
)
assert type(got) is list and len(got) == 2, told("the result has an entry for each batch")
assert all(type(r["missing"]) is list for r in got), told('"missing" is a list of models')
assert got[1]["mean"] is None or got[1]["missing"] == order, told()
assert got[1]["mean"] is None, told('nobody answered: "mean" is None')
assert sorted(got[1]["missing"]) != [0, 1, 2] or got[1]["missing"] == order, told(
    '"missing" has not the order of models'
)
assert got[1]["missing"] == order, told()
told.got = (
    f"{took[0]:.1f} s and {took[1]:.1f} s"
    if len(took) == 2
    else f"{len(took)} batches were finished"
)
told.expected = f"less than {seconds / 2:g} s for the first, about {seconds:g} s for the second"
assert len(took) == 2, told("the batches were not taken one by one")
assert took[0] < seconds / 2, told("all had answered at once, and your function waited on")
assert took[1] < 2 * seconds, told("it waited for each model anew: `seconds` is for all together")

# %% [markdown]
# ## Sitting 3 · A job that survives
#
# (Coming back? Run the folded cells at the top and the first code cell of section 1; then go on here.)
#
# ## 6 A training job
#
# Now training between graphs: one program, `train.py`, that plays every role. It trains a convolutional network on
# digits, with a ps and three workers. Worker 0 is the **chief**: it gives the variables their first values, or those of a
# checkpoint, and saves checkpoints. The next cells write it, in parts. Run them, skim them, and see the job run; section
# 7 explains what is not plain.

# %%
%%writefile train.py
"""Trains a network on digits, between graphs. The same program is a ps or a worker."""

import argparse
import contextlib
import json
import logging
import os
import pathlib
import socket
import sys
import threading
import time

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def read_flags():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--job_name", choices=["ps", "worker"])
    flags.add_argument("--task_index", type=int, help="which ps, or which worker")
    flags.add_argument("--ps_hosts", help="their addresses, with commas")
    flags.add_argument("--worker_hosts", help="their addresses, with commas")
    flags.add_argument("--folder", help="checkpoints and records; all workers share it")
    flags.add_argument("--data", default="digits.npz", help='an .npz file, or "mnist"')
    flags.add_argument("--steps", type=int, default=400, help="of all workers together")
    flags.add_argument("--sync", type=int, default=0, help="n gradients make one update")
    flags.add_argument("--batch", type=int, default=50)
    flags.add_argument("--rate", type=float, default=1e-3)
    flags.add_argument("--decay", type=int, default=100, help="steps until the rate falls")
    flags.add_argument("--deadline", type=int, default=60, help="seconds of an operation")
    flags.add_argument("--follow", action="store_true", help="end when stdin ends")
    return flags.parse_args()

# %%
%%writefile -a train.py


def load(name):
    """Pictures [n, high, wide, 1] from 0 to 1, and labels: to train with, then to test."""
    if name == "mnist":
        train, test = tf.keras.datasets.mnist.load_data()  # downloads it, once
        parts = [*train, *test]
    else:
        with np.load(name) as file:
            parts = [file[key] for key in ("x_train", "y_train", "x_test", "y_test")]
    brightest = parts[0].max()
    x, test_x = (np.float32(pictures[..., None] / brightest) for pictures in parts[::2])
    y, test_y = (np.int32(labels) for labels in parts[1::2])
    return x, y, test_x, test_y


def variable(name, shape):
    initializer = None if len(shape) > 1 else tf.zeros_initializer()
    return v1.get_variable(name, shape, initializer=initializer)


def convolution(x, name, filters):
    kernel = variable(name, [5, 5, x.shape[-1], filters])
    x = tf.nn.conv2d(x, kernel, 1, "SAME") + variable(f"{name}_bias", [filters])
    return tf.nn.max_pool2d(tf.nn.relu(x), 2, 2, "SAME")


def dense(x, name, units):
    return x @ variable(name, [x.shape[-1], units]) + variable(f"{name}_bias", [units])


def network(x, units=500):
    x = convolution(convolution(x, "conv1", 32), "conv2", 64)
    x = tf.reshape(x, [-1, np.prod(x.shape[1:])])
    return dense(tf.nn.relu(dense(x, "dense", units)), "output", 10)

# %%
%%writefile -a train.py


class Task:
    """This process: its place in the cluster, and its server."""

    def __init__(self, flags):
        self.flags = flags
        self.index = flags.task_index
        self.ps_hosts = flags.ps_hosts.split(",")
        jobs = {"ps": self.ps_hosts, "worker": flags.worker_hosts.split(",")}
        self.spec = tf.train.ClusterSpec(jobs)
        self.name = f"/job:{flags.job_name}/task:{self.index}"
        self.server = tf.distribute.Server(self.spec, flags.job_name, self.index)

    def config(self, others):
        """A session talks to `others` and to this task. It waits for nobody else."""
        ms = 1000 * self.flags.deadline
        return v1.ConfigProto(
            device_filters=[self.name, others], operation_timeout_in_ms=ms
        )


def done(ps):
    """The queue on a ps in which each worker puts its number when it is done."""
    with tf.device(f"/job:ps/task:{ps}"):
        return v1.FIFOQueue(100, tf.int32, shapes=[()], shared_name="done")


def serve(task):
    """What a ps does: it serves until all workers are done."""
    missing = set(range(task.spec.num_tasks("worker")))
    alone = v1.ConfigProto(device_filters=[task.name])
    with tf.Graph().as_default(), v1.Session(task.server.target, config=alone) as session:
        take = done(task.index).dequeue()
        while missing:
            missing.discard(int(session.run(take)))


def tell(task, ps):
    config = task.config(f"/job:ps/task:{ps}")
    with tf.Graph().as_default() as graph, contextlib.suppress(tf.errors.OpError):
        put = done(ps).enqueue(task.index)
        v1.Session(task.server.target, graph=graph, config=config).run(put)


def tell_done(task):
    """A ps that ends may never reply. So a thread tells it, and we look if it listens."""
    for ps, address in enumerate(task.ps_hosts):
        host, port = address.split(":")
        telling = threading.Thread(target=tell, args=[task, ps], daemon=True)
        telling.start()
        while telling.is_alive():
            telling.join(0.1)
            with socket.socket() as probe:
                if probe.connect_ex((host, int(port))) != 0:
                    break

# %%
%%writefile -a train.py


class Waiting(v1.train.SessionCreator):
    """For a worker that is not the chief: waits until all variables have values."""

    def __init__(self, scaffold, task, config):
        self.scaffold = scaffold
        self.task = task
        self.config = config

    def create_session(self):
        scaffold = self.scaffold.finalize()
        ready = scaffold.local_init_op, scaffold.ready_op, scaffold.ready_for_local_init_op
        manager = v1.train.SessionManager(*ready, recovery_wait_secs=0.1)
        seconds = self.task.flags.deadline
        return manager.wait_for_session(self.task.server.target, self.config, seconds)


def managed(task, chief, folder, hooks, every=100):
    """A session that survives the death of a ps. The chief saves every so many steps."""
    scaffold = v1.train.Scaffold()
    config = task.config("/job:ps")
    hooks = list(hooks)
    if chief and folder:
        hooks.append(
            v1.train.CheckpointSaverHook(folder, save_steps=every, scaffold=scaffold)
        )
    if chief:
        target = task.server.target
        creator = v1.train.ChiefSessionCreator(scaffold, target, config, folder)
    else:
        creator = Waiting(scaffold, task, config)
    return v1.train.MonitoredSession(creator, hooks, stop_grace_period_secs=1)

# %%
%%writefile -a train.py


class StopWhenTold(v1.train.SessionRunHook):
    """Ends the training when somebody has made a file named "stop" in the folder."""

    def __init__(self, folder):
        self.file = pathlib.Path(folder, "stop")

    def after_run(self, context, values):
        if self.file.exists():
            context.request_stop()


class ErrorNotes(logging.Filter):
    """MonitoredSession logs each error that it survives. This notes its name."""

    def __init__(self, note):
        super().__init__()
        self.note = note

    def filter(self, record):
        errors = [part for part in record.args or () if isinstance(part, tf.errors.OpError)]
        for error in errors:
            self.note(error=type(error).__name__)
        return not errors and record.levelno >= logging.WARNING


def quality(logits, labels):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    right = tf.equal(tf.argmax(logits, 1, tf.int32), labels)
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
    return {"loss": tf.reduce_mean(losses), "accuracy": accuracy}


def training(task, loss, chief):
    """Tensors whose fetching makes a step; and hooks."""
    flags = task.flags
    step = v1.train.get_or_create_global_step()
    rate = v1.train.exponential_decay(flags.rate, step, flags.decay, 0.7, staircase=True)
    optimizer = v1.train.AdamOptimizer(rate)
    hooks = [v1.train.StopAtStepHook(last_step=flags.steps), StopWhenTold(flags.folder)]
    if flags.sync:
        workers = task.spec.num_tasks("worker")
        optimizer = v1.train.SyncReplicasOptimizer(optimizer, flags.sync, workers)
        hooks.append(optimizer.make_session_run_hook(chief))
    before = tf.identity(step.read_value())  # the shared step when this run begins
    with tf.control_dependencies([optimizer.minimize(loss, step)]):
        after = tf.identity(step.read_value())
    return {"before": before, "after": after, "rate": rate}, hooks

# %%
%%writefile -a train.py


def say(task, seen, own, smooth, seconds):
    speed = f"{task.flags.batch / seconds:.0f} examples/s, {seconds:.3f} s/batch"
    state = f"accuracy {seen['accuracy']:.2f}, loss {smooth:.3f}, rate {seen['rate']:.5f}"
    print(
        f"worker {task.index}: step {seen['after']} ({own} own), {state}, {speed}",
        flush=True,
    )


def loop(task, session, fetches, x, y, note):
    """Train until a hook says stop. Each hundred shared steps, print a line."""
    own, smooth, mark = 0, None, None
    while not session.should_stop():
        time.sleep(float(os.environ.get("SLOW", 0)))  # a slow worker, on request
        rows = np.random.randint(len(x), size=task.flags.batch)
        start = time.time()
        seen = session.run(fetches, {"images:0": x[rows], "labels:0": y[rows]})
        own += 1
        step = int(seen["after"])
        note(start=start, step=step, own=own, stale=step - int(seen["before"]) - 1)
        smooth = seen["loss"] if smooth is None else 0.9 * smooth + 0.1 * seen["loss"]
        if mark is None or step // 100 != mark[0] // 100:
            if mark:
                seconds = (time.monotonic() - mark[2]) / (own - mark[1])
                say(task, seen, own, smooth, seconds)
            mark = step, own, time.monotonic()


def work(task):
    """What a worker does. Worker 0 is the chief."""
    flags = task.flags
    x, y, test_x, test_y = load(flags.data)
    chief = task.index == 0
    setter = v1.train.replica_device_setter(worker_device=task.name, cluster=task.spec)
    with tf.Graph().as_default() as graph, v1.device(setter):
        images = v1.placeholder(tf.float32, [None, *x.shape[1:]], "images")
        labels = v1.placeholder(tf.int32, [None], "labels")
        results = quality(network(images), labels)
        step, hooks = training(task, results["loss"], chief)
    with (
        graph.as_default(),
        open(f"{flags.folder}/events-{task.index}.jsonl", "a", 1) as file,
    ):

        def note(**event):
            print(json.dumps({"end": time.time(), **event}), file=file)

        v1.logging.set_verbosity(v1.logging.INFO)
        tf.get_logger().addFilter(ErrorNotes(note))
        with managed(task, chief, flags.folder, hooks) as session:
            loop(task, session, step | results, x, y, note)
    if chief:
        test(task, graph, [results["accuracy"], step["before"]], test_x, test_y)
    tell_done(task)


def test(task, graph, fetches, x, y):
    """The variables are still on the ps, so a plain session can use them."""
    config = task.config("/job:ps")
    with v1.Session(task.server.target, graph=graph, config=config) as session:
        accuracy, step = session.run(fetches, {"images:0": x, "labels:0": y})
    print(f"test accuracy {accuracy:.4f} after {step} steps", flush=True)


def end_with_stdin():
    sys.stdin.read()
    os._exit(1)


def main():
    flags = read_flags()
    if flags.follow:
        threading.Thread(target=end_with_stdin, daemon=True).start()
    task = Task(flags)
    if flags.job_name == "ps":
        serve(task)
    else:
        work(task)
    sys.stdout.flush()
    os._exit(0)  # at once: closing a session now would ask a ps that may be gone


if __name__ == "__main__":
    main()

# %% [markdown]
# ### The job, run whole
#
# One ps and three workers. This job has no last step: it runs until **you** end it, below. `slow` lets each worker sleep
# 20 ms before each step, so that you can watch.

# %%
parts = {"x_train": train_x, "y_train": train_y, "x_test": test_x, "y_test": test_y}
as_pictures = {
    key: part.reshape(-1, 8, 8) if key[0] == "x" else part for key, part in parts.items()
}
np.savez("digits.npz", **as_pictures)

# %% grading="skip"
workers = ["worker/0", "worker/1", "worker/2"]
endless = ["--steps=1000000000"]

def start_job(name="job", ps=1, slow=None, flags=(), without=()):
    """Start the job. `slow` is {task: seconds that it sleeps before each step}."""
    folder = tempfile.mkdtemp(dir=helper.folder)
    job = LocalCluster(
        {"ps": ps, "worker": 3},
        script=open("train.py").read(),
        start=[],
        name=name,
        flags=[f"--folder={folder}", *flags],
    )
    job.records = folder  # where the workers' notes are
    for task in job.tasks:
        if task not in without:
            job.start(task, env={"SLOW": str((slow or {}).get(task, 0))}, wait=False)
    return job

# %% [markdown]
# The **board** shows which tasks live, how many steps each worker made, how **stale** its last gradient was, and the last
# error that it survived. *Staleness* is the number of updates that others made between the start of a worker's step and
# the update that this step makes. The buttons do what they say, to real processes. Press some; there is no hurry. The
# next cells start again what you have killed.
#
# <details><summary>Picture for reading without a kernel</summary>
#
# ![The board during a run. A bar shows shared step 253 of 400. Four rows: ps/0, worker/0 and worker/1 answer; worker/2 was killed by signal 9. Bars show own steps: 88, 19 and 158. Staleness is 1, 0 and 0. The last error of all three workers is UnavailableError, since the ps was killed before.](assets/07_board.svg)
#
# </details>

# %% predict="kills"
# Predict what a death costs: "nothing", "one step", "the steps since the last checkpoint", or "all"
worker_dies, ps_dies = "...", "..."

# %% grading="skip"
watched = dict.fromkeys(workers, 0.02)
job = start_job(slow=watched, flags=endless)
job_board(job)

# %% grading="skip"
def ready(job):
    """The job with all its tasks at work; what has ended, or never started, is started now."""
    for task, state in job.alive().items():
        if not state.startswith(("answers", "runs")):
            print(f"{task} {state}: started for this cell.")
            pathlib.Path(job.records, "stop").unlink(missing_ok=True)
            job.start(task, env={"SLOW": "0.02"}, wait=False)
    job.wait(*job.tasks)
    return job

def reach(job, more, who="worker", seconds=60):
    """Wait until the job, or this one of its workers, is so many shared steps further."""
    deadline = time.monotonic() + seconds
    before = step_of(job_events(job), who)
    while step_of(job_events(job), who) < before + more:
        if time.monotonic() > deadline:
            raise ClusterError(f"No {more} steps in {seconds} s: {job.alive()}")
        time.sleep(0.05)

# %% grading="skip"
# The accidents. Look at the board while this cell runs (about 15 seconds).
job = ready(job)
reach(job, 60)
job.kill("worker/1")
reach(job, 40)
job.start("worker/1", env={"SLOW": "0.02"}, wait=False)
reach(job, 1, "worker/1")
reach(job, 100)
job.kill("ps/0")
job.start("ps/0")
time.sleep(2)  # the workers notice, and open their sessions again
reach(job, 100)

# %% grading="skip"
# Now you end the job. The file "stop" tells the workers, and the workers tell the ps.
job = ready(job)
pathlib.Path(job.records, "stop").touch()
job.wait(*job.tasks, until="ended")
print(job.alive())
for worker in workers:
    lines = [
        line for line in job.log(worker).splitlines() if line.startswith(("worker", "test"))
    ]
    print(*lines[-4:], sep="\n")

# %% grading="skip"
draw_job(job, "The job: two deaths")
compare_prediction(
    "a worker dies", worker_dies, "one step", "Nobody else had its unfinished step."
)
compare_prediction(
    "a ps dies",
    ps_dies,
    "the steps since the last checkpoint",
    "The variables were in its memory.",
)

# %% [markdown]
# Every process has ended by itself. Read the lines, and the picture:
#
# * **Each worker sees the same shared step**, and made only a part of the steps: *own*.
# * **The worker's death** cost its unfinished step. It began anew with *1 own*, at the shared step of the others.
# * **The ps' death** cost the steps since the last checkpoint; one is made every hundred steps. All workers went back to
#   it.
# * The rate falls in stairs: 0.00100, 0.00070, ... `loss` is a moving average, since one batch alone says little.
#
# Lines of this kind are the speedometer of a training job. In the study notes behind this course, a CIFAR-10 trainer on
# two GPUs printed 151–156 examples/s and 0.82–0.85 s/batch; we have not measured that here.
#
# A job like this reaches a test accuracy of about 0.98 on these digits with `--steps=400`. The same program trains on the
# real MNIST, where it can be downloaded: `--data=mnist --steps=5000 --rate=1e-4 --decay=1000000`. The notes report 0.987
# for that (one ps, three workers, batches of 50); we have not run it.
#
# **Change it:** run a job with `flags=["--steps=200"]`. What is the test accuracy then?

# %% [markdown]
# ## 7 How the job works
#
# `MonitoredSession` is what makes it survive. It has a **creator**, which opens the session, and opens it again after an
# error; and **hooks**, which act before and after each run:
#
# | hook, creator | does |
# | --- | --- |
# | `ChiefSessionCreator` | restores the newest checkpoint in the folder; if there is none, initialises |
# | `Waiting` (ours) | asks ten times a second which variables are not initialised, until there are none |
# | `CheckpointSaverHook` | saves, in the chief |
# | `StopAtStepHook` | sets `should_stop()` when the **shared** step is reached. A worker looks after its own step, so a few more than that are made |
# | `MonitoredSession` | after an `UnavailableError` or `AbortedError`: opens the session again, by its creator, and repeats the run |
#
# * Why not `MonitoredTrainingSession`, which does all this? Its waiting looks every 30 seconds, and cannot be told
#   otherwise.
# * Why `device_filters`? A session otherwise waits until **all** tasks of the cluster answer, dead ones too.
# * Why a thread in `tell_done`? A ps that got the last message ends. It may be gone before its reply is out, and then the
#   call can wait for ever.
# * Who may connect? Everybody who reaches the port: a TensorFlow server listens on all addresses of its machine and asks
#   for no password (lesson 06). Run such jobs in a private network only.
#
# In exercise 5 you write the heart of a worker. The text of your function is sent to **real worker processes**: it runs
# there, not here. This is what stands around it there. It gets a function `build`, which makes a model. There are two:
# one of three numbers, each of which grows by 1 in each step, so that it is easy to count; and the network of `train.py`
# on digits.

# %%
%%writefile around.py
"""What is around your function `work` in the process of a ps or a worker."""

import json
import os
import sys
import time
from types import SimpleNamespace

sys.path.insert(0, os.getcwd())  # here is train.py
import numpy as np
import tensorflow as tf
import train

v1 = tf.compat.v1
config = json.loads(os.environ["TF_CONFIG"])
hosts = {f"{job}_hosts": ",".join(at) for job, at in config["cluster"].items()}
me = {"job_name": config["task"]["type"], "task_index": config["task"]["index"]}
task = train.Task(SimpleNamespace(deadline=8, **hosts, **me))
if me["job_name"] == "ps":
    task.server.join()


def managed(chief, folder, hooks):
    return train.managed(task, chief, folder, hooks, every=20)


def build_counters():
    w = [v1.get_variable(f"w{k}", initializer=0.0) for k in range(3)]
    loss = tf.negative(tf.add_n([each.read_value() for each in w]), name="compute")
    return loss, v1.train.GradientDescentOptimizer(1.0)


def falling():
    """Small at the end: then no late gradient does harm, whichever worker it comes from."""
    step = v1.train.get_global_step()
    return 3e-3 if step is None else v1.train.exponential_decay(3e-3, step, 1, 0.99)


def build_digits():
    """Each step takes 100 pictures by itself."""
    x, y, *test = train.load("digits.npz")
    rows = tf.random.uniform([100], 0, len(x), tf.int32)
    images = v1.placeholder_with_default(tf.gather(x, rows), [None, 8, 8, 1])
    labels = v1.placeholder_with_default(tf.gather(y, rows), [None])
    results = train.quality(train.network(images, units=100), labels)
    built.update(accuracy=results["accuracy"], feed=dict(zip([images, labels], test)))
    return results["loss"], v1.train.AdamOptimizer(falling)


built = {}


def test_accuracy():
    graph, config = built["accuracy"].graph, task.config("/job:ps")
    with v1.Session(task.server.target, graph=graph, config=config) as session:
        return float(session.run(built["accuracy"], built["feed"]))

# %% [markdown] exercise="work"
# ### Exercise 5 · A worker that survives
#
# Write `work(spec, index, steps, folder, build)`: what worker `index` of the cluster `spec` does. It runs in a process of
# its own, with `tf`, `v1`, `np` and `managed` of `around.py` at hand, and nothing else of this notebook: write helper
# functions **inside** it.
#
# * Variables lie on the ps tasks of `spec` (a `ClusterSpec`), in turn {#1}; all other ops on this worker,
#   `/job:worker/task:index` {#2}.
# * `build()` makes the model's variables. It returns the loss and the optimizer that minimizes it. All workers count
#   their steps in one **shared** global step {#3}.
# * Open the session by `managed(chief, folder, hooks)`. Worker 0 is the chief, and nobody else {#4}. (Here it saves every
#   twenty steps.)
# * Train until the **shared** step is `steps` {#5}; a few more are allowed, at most two for each worker (a
#   `StopAtStepHook` may notice it one step late). Then return {#6}.
# * Any worker but the chief may be killed and started again: `work` is then called anew, and goes on where the others
#   are. A ps may be killed and started again: the job goes on {#7} from the last checkpoint {#8}.
#
# Example: with 2 ps, 2 workers and `steps=40`, the workers end with a shared step of 40 to 44, of which each made a part;
# `w0`, `w1` and `w2` have that value too.

# %% solution="work" kind="process"
def work(spec, index, steps, folder, build):
    """Be worker `index` of a training job, until the shared step is `steps`.

    Args:
        spec: tf.train.ClusterSpec with the jobs "ps" and "worker".
        index: int, which worker this is.
        steps: int, the shared step to reach.
        folder: str, for checkpoints.
        build: function without arguments that makes the variables and returns (loss, optimizer).
    """
    ### BEGIN SOLUTION
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        loss, optimizer = build()
        train = optimizer.minimize(loss, global_step=step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
    ### END SOLUTION

def worked(ps, workers, steps, kill=None, digits=False):
    """Given, for the checks: what the cluster did with your function; asked again, the same."""
    record = job_drill(work, open("around.py").read(), ps, workers, steps, kill, digits)
    if "NotImplementedError" in record["error"]:
        raise NotImplementedError("write this exercise first")
    return record

# %% try="work"
# Three jobs: nobody dies; worker 1 dies at half of the steps; the ps does. Both start again.
try:
    for question in [(2, 2, 40), (1, 3, 90, "worker/1"), (1, 2, 60, "ps/0")]:
        record = worked(*question)
        print(question, "ended:", record["ended"], record["error"])
        print("   [worker, shared step] of each session that was opened:", record["opened"])
        print("   own steps:", record["own"], "| at the end:", record["values"])
except NotImplementedError as error:
    print(error)

# %% check="work-places" points=2 title="Variables on the ps tasks, ops on the worker"
record = worked(2, 2, 40)
told = Told(
    asked="where worker 0 and 1 of a job with two ps put variables and ops",
    got={"variables": record["variables"], "compute": dict(sorted(record["compute"].items()))},
    expected="global_step, w0, w1, w2 in turn on /job:ps/task:0 and 1; compute on each worker",
    reread="section 4, Between-graph: who keeps the variables?",
)
assert record["variables"], told(
    f"no session was opened by managed, or without variables; the error is {record['error']}"
)
where = record["variables"]
assert {"w0", "w1", "w2"} <= set(where), told(
    "the model's variables are missing: call build() inside the graph"
)
assert not all(device.startswith("/job:worker/") for device in where.values()), told(
    "each worker has variables of its own: use replica_device_setter, by v1.device"
)
assert all(where.values()), told(
    "variables are on no device: use replica_device_setter, by v1.device"
)
assert all(device.startswith("/job:ps/") for device in where.values()), told(
    "not all variables are on a ps"
)
assert "global_step" in where, told("there is no global step: v1.train.get_or_create_global_step()")
assert len(set(where.values())) == 2, told("all variables are on one ps task")
assert len({where[name] for name in ("w0", "w1", "w2")}) == 2, told(
    "all weights of the model are on one ps task, and only the global step on the other: lay all in turn"
)
compute = record["compute"]
assert set(compute) == {0, 1}, told()
assert any(compute[0]), told(
    "the ops are on no worker: give the setter worker_device, with its index"
)
assert all(compute[i] == [f"/job:worker/task:{i}"] for i in (0, 1)), told(
    "the ops are not on the worker whose graph it is"
)
told.asked = "where worker 0 and 1 of a job with two ps compute the gradients"
told.got, told.expected = dict(sorted(record["gradients"].items())), "each on itself"
on_ps = [device for some in record["gradients"].values() for device in some if "/job:ps" in device]
assert not on_ps, told("the gradients are computed on a ps: only variables and their updates belong there")

# %% check="work-count" points=2 title="All workers together make the steps"
record = worked(2, 2, 40)

def within(value):
    return "40 to 44" if 40 <= value <= 44 else "under 40" if value < 40 else "over 44"

values, own = record["values"], record["own"]
told = Told(
    asked="a job of two workers until the shared step is 40",
    got={
        "ended": record["ended"],
        "values": {name: within(value) for name, value in sorted(values.items())},
        "workers with steps": sorted(own),
    },
    expected="both end with 0; global_step, w0, w1, w2 are the same, 40 to 44; both made steps",
    reread="section 7, How the job works",
)
assert "no end" not in record["error"], told("the workers went on for ever")
assert record["chiefs"] or not record["error"], told(
    f"a worker ended with an error: {record['error'][-110:]}"
)
assert record["chiefs"] == [0], told(
    "the chief is worker 0 alone; with another, or two, what comes out is luck"
)
assert record["ended"] == ["ended with 0"], told(
    f"a worker ended with an error: {record['error'][-110:]}"
)
assert "global_step" in values, told("there is no shared step on the ps")
assert values["global_step"] < 60, told(
    "each worker made all steps: the shared step counts those of all together"
)
assert values["global_step"] >= 40, told("the job ended too early")
assert values["global_step"] <= 44, told("the shared step is over 44: look at it after each step")
assert len(set(values.values())) == 1, told(
    "w was changed otherwise than by one step of the optimizer for each count"
)
assert set(own) == {0, 1} and min(own.values()) >= 1, told("one worker made no step at all")
told.got, told.expected = f"steps at which the workers ended: {record['left']}", "about 40 for each"
assert min(record["left"].values()) >= 25, told("a worker returned long before the shared step was reached")

# %% hidden="work-chief" points=1 title="One chief"
record = worked(2, 2, 40)
told = Told(
    asked="which workers opened their session as the chief",
    got=record["chiefs"],
    expected=[0],
    reread="section 7, How the job works",
)
assert record["chiefs"], told(f"no chief ever opened a session; the error is {record['error']}")
assert record["chiefs"] != [0, 1], told(
    "every worker is chief: each initialises, over what the others have trained"
)
assert record["chiefs"] == [0], told("the chief is not worker 0")

# %% hidden="work-worker-dies" points=2 title="A worker dies and comes back"
victim, steps = draw.choice([1, 2]), draw.randrange(84, 96)
record = worked(1, 3, steps, f"worker/{victim}")
again = [opened for worker, opened in record["opened"] if worker == victim][1:]
step, w = (
    record["values"].get("global_step", 0),
    [record["values"].get(f"w{k}", 0) for k in range(3)],
)
half = steps // 2 - 5
told = Told(
    asked=f"three workers, shared step {steps}; worker {victim} is killed at half, and started",
    got={
        "ended": record["ended"],
        "new worker begins": f"at over {half}" if again and min(again) > half else "elsewhere",
        "global_step": f"{step:g}",
    },
    expected=f"all end with 0; global_step {steps} to {steps + 6}; the new one begins over {half}",
    reread="section 6, A training job",
)
assert record["chiefs"] in ([0], []), told(
    "the chief is worker 0 alone; with another, or two, what comes out is luck"
)
assert "no end" not in record["error"], told("the workers went on for ever")
assert record["ended"] == ["ended with 0"], told(
    f"a worker was never done, or ended with an error: {record['error'][-110:]}"
)
assert step, told("there is no shared step on the ps")
assert step <= steps + 6, told(
    "too many steps were made: each worker counts for itself, so the new one began to count anew"
)
assert step >= steps, told("too few steps were made: nobody made those of the dead worker")
assert again and min(again) > half, told("the new worker did not go on where the others are")
assert all(abs(value - step) <= 1 for value in w), told(
    "w was changed otherwise than by one step for each count"
)

# %% hidden="work-ps-dies" points=2 title="The ps dies and comes back"
steps = draw.randrange(56, 66)
record = worked(1, 2, steps, "ps/0")
again = [opened for worker, opened in record["opened"] if worker == 0][1:]
step, w = (
    record["values"].get("global_step", 0),
    [record["values"].get(f"w{k}", 0) for k in range(3)],
)
begins = "never" if not again else "at 10 or more" if min(again) >= 10 else "at under 10"
told = Told(
    asked=f"two workers, shared step {steps}; the ps is killed after half of it, and starts again",
    got={
        "ended": record["ended"],
        "after the death the chief opens": begins,
        "global_step": f"{step:g}",
    },
    expected=f"both end with 0; the chief opens again at 10 or more; step {steps} to {steps + 4}",
    reread="section 6, A training job",
)
assert record["chiefs"] in ([0], []), told(
    "the chief is worker 0 alone; with another, or two, what comes out is luck"
)
assert "no end" not in record["error"], told("the workers went on for ever")
assert record["ended"] == ["ended with 0"], told(
    f"a worker ended with an error: {record['error'][-110:]}"
)
assert again, told("the chief did not open a second session: is it the one of managed?")
assert min(again) >= 10, told(
    "the job began anew at 0: give managed the folder, so that the chief saves and restores"
)
assert step, told("there is no shared step on the ps")
assert steps <= step <= steps + 4, told(f"the shared step is {step:g} at the end")
assert all(abs(value - step) <= 4 for value in w), told("w and the step do not belong together")

# %% hidden="work-digits" points=2 title="The job itself: a network on digits reaches 0.97"
# First a job of counters: where that never ends, or has two chiefs, the long one would only do the same.
record, asked = worked(2, 2, 40), "two workers and two ps, three counters, until the shared step is 40"
if record["chiefs"] == [0] and "no end" not in record["error"]:
    for steps in (500, 510):  # how late gradients come is luck: what ends just below 0.97 is asked once more
        record = worked(1, 2, steps, digits=True)
        if not 0.95 < record["accuracy"] < 0.97:
            break
    asked = f"the network of train.py on digits: a ps and two workers, until the shared step is {steps}"
told = Told(
    asked=asked,
    got={"ended": record["ended"], "accuracy on the test": round(record["accuracy"], 3)},
    expected="both end with 0; 0.97 or more",
    reread="section 6, A training job",
)
assert record["chiefs"] in ([0], []), told(
    "the chief is worker 0 alone; with another, or two, what comes out is luck"
)
assert "no end" not in record["error"], told("the workers went on for ever")
assert record["ended"] == ["ended with 0"], told(
    f"a worker ended with an error: {record['error'][-110:]}"
)
assert record["accuracy"] > 0.5, told(
    "the variables on the ps were hardly trained: does each worker have its own?"
)
assert record["accuracy"] >= 0.97, told()

# %% [markdown]
# ## 8 From a terminal
#
# The same program without a notebook. This launcher starts a process for each task on one machine, and ends them all when
# one of them fails or when it is ended itself:

# %%
%%writefile launch.py
"""Runs train.py on this machine: a process for each task. Other flags go to train.py."""

import argparse
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def start(job, index, hosts, folder, more):
    """One task. Its errors go to a file. It ends with this program: then its stdin ends."""
    role = [f"--job_name={job}", f"--task_index={index}", f"--folder={folder}", "--follow"]
    command = [
        sys.executable,
        pathlib.Path(__file__).with_name("train.py"),
        *role,
        *hosts,
        *more,
    ]
    quiet = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    with open(f"{folder}/{job}-{index}.log", "w") as log:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log, env=quiet)


def wait(running, folder):
    """Wait until all have ended well, or one has not: then say what its log says."""
    while any(process.poll() is None for process in running.values()):
        for task, process in running.items():
            if process.poll():
                log = pathlib.Path(folder, f"{task}.log").read_text()
                sys.exit(
                    f"{task} ended with {process.poll()}. Its log ends with:\n{log[-1000:]}"
                )
        time.sleep(0.1)


def launch(folder, ps, workers, more):
    at = {"ps": [free_address() for _ in range(ps)]}
    at["worker"] = [free_address() for _ in range(workers)]
    hosts = [f"--{job}_hosts={','.join(addresses)}" for job, addresses in at.items()]
    running = {}
    try:
        for job, addresses in at.items():
            for index in range(len(addresses)):
                running[f"{job}-{index}"] = start(job, index, hosts, folder, more)
        wait(running, folder)
    finally:
        for process in running.values():
            process.kill()
            process.wait()


def main():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--ps", type=int, default=1)
    flags.add_argument("--workers", type=int, default=3)
    flags.add_argument("--folder", help="keeps checkpoints and records")
    me, more = flags.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        launch(me.folder or folder, me.ps, me.workers, more)


if __name__ == "__main__":
    main()

# %% [markdown]
# All files are beside this notebook. In a terminal there, with this course's Python:
# `python launch.py --ps=2 --workers=3 --steps=400`. (Importing TensorFlow five times takes a while on two cores.)
#
# On **several machines** nobody can start the others' processes, so you give each its flags. Two hosts with three cards,
# two ps and three workers:

# ```
# HOSTS="--ps_hosts=a:2222,b:2222 --worker_hosts=a:2223,a:2224,b:2223 --folder=/shared/job"
# a$ CUDA_VISIBLE_DEVICES=-1 python train.py --job_name=ps --task_index=0 $HOSTS
# b$ CUDA_VISIBLE_DEVICES=-1 python train.py --job_name=ps --task_index=1 $HOSTS
# a$ CUDA_VISIBLE_DEVICES=0 python train.py --job_name=worker --task_index=0 $HOSTS
# a$ CUDA_VISIBLE_DEVICES=1 python train.py --job_name=worker --task_index=1 $HOSTS
# b$ CUDA_VISIBLE_DEVICES=0 python train.py --job_name=worker --task_index=2 $HOSTS
# ```
#
# A ps needs no card, so its mask hides all. A worker sees **one** card, which is then its `/gpu:0`, whatever its number
# in the host: worker 1 pins to `/job:worker/task:1/gpu:0`, although its card is the host's second (lesson 02). The folder
# must be on a disk that all hosts share.
#
# ## 9 Asynchronous, synchronous, backup
#
# Until now each worker updated the variables when it was ready: **asynchronous**. Nobody waits, but gradients are stale.
# **Synchronous** means: a step's gradients are collected, and their mean makes *one* update. Then a slow worker, a
# **straggler**, holds up all.
#
# What collects is an **accumulator**, on the ps. It drops gradients that were computed for an older step:

# %% grading="skip"
with tf.Graph().as_default():
    accumulator = v1.ConditionalAccumulator(tf.float32, shape=[])
    gradient, made_at = v1.placeholder(tf.float32, []), v1.placeholder(tf.int64, [])
    give = accumulator.apply_grad(gradient, local_step=made_at)
    held, take = accumulator.num_accumulated(), accumulator.take_grad(2)
    next_step = accumulator.set_global_step(1)
    session = v1.Session()
for value in (2.0, 4.0):
    session.run(give, {gradient: value, made_at: 0})
print("accumulated:", session.run(held), "| mean:", session.run(take))
session.run(next_step)
session.run(give, {gradient: 100.0, made_at: 0})  # computed at step 0, but now is step 1
print("accumulated:", session.run(held))

# %% [markdown]
# `SyncReplicasOptimizer(optimizer, replicas_to_aggregate, total_num_replicas)` has one for each variable. The chief takes
# the mean when there are `replicas_to_aggregate` gradients, updates, and hands out **tokens**: a token is the permission
# to compute one gradient of the next step. With fewer than all to aggregate, the others are **backup replicas**: for
# example, 20 run, and the fastest 18 count.
#
# You measure it: three workers, 20 updates, and `worker/2` sleeps 0.3 s before each step.

# %% predict="straggler"
# Predict, with the straggler, the seconds for 20 updates:
# synchronous 3 of 3, and synchronous 2 of 3.
all_three, two_of_three = ..., ...

# %% grading="skip"
def seconds_for(steps, sync, slow):
    """Seconds for `steps` updates, once every worker is at work: one may start late."""
    with start_job("race", slow=slow, flags=[*endless, f"--sync={sync}"]) as race:
        for worker in workers:
            reach(race, 1, worker)
        first = step_of(job_events(race), "worker")
        reach(race, steps)
        events = [event for event in job_events(race) if "step" in event]

    def reached(step):
        return min(event["end"] for event in events if event["step"] >= step)

    return reached(first + steps) - reached(first)

# %% grading="skip"
straggler = {"worker/2": 0.3}
measured = {}
for name, sync, slow in [
    ("asynchronous", 0, straggler),
    ("synchronous 3 of 3", 3, straggler),
    ("synchronous 2 of 3", 2, straggler),
    ("3 of 3, nobody is slow", 3, {}),
]:
    measured[name] = seconds_for(20, sync, slow)
    print(f"{name}: {measured[name]:.1f} s", flush=True)

# %% grading="skip"
figure, axes = plt.subplots(figsize=(7.5, 2.6), layout="constrained")
colours = [PALETTE[name] for name in ("blue", "red", "green", "grey")]
bars = axes.barh(list(measured), list(measured.values()), color=colours, ec="black")
for bar, hatch in zip(bars, ("", "///", "...", "xxx")):
    bar.set_hatch(hatch)
axes.bar_label(bars, fmt=" %.1f s")
axes.set(xlabel="seconds for 20 updates", xlim=(0, 1.2 * max(measured.values())))
axes.set_title("One straggler of 0.3 s, and what it costs")
axes.invert_yaxis()
words = "; ".join(f"{name} {seconds:.1f} s" for name, seconds in measured.items())
show(figure, f"Four bars, seconds for 20 updates: {words}")
compare_prediction(
    "3 of 3",
    all_three,
    round(measured["synchronous 3 of 3"], 1),
    "Each update waits 0.3 s for one.",
)
compare_prediction(
    "2 of 3",
    two_of_three,
    round(measured["synchronous 2 of 3"], 1),
    "The late gradient is dropped.",
)

# %% [markdown]
# Synchronous, 3 of 3, pays for the straggler again and again. With one backup replica its gradients come too late, are
# dropped, and nobody waits. (Asynchronous updates are fast too, but each is made of *one* gradient, not of the mean of
# two or three.)
#
# The optimizer counts **gradients**, not workers: a fast worker may give two of the three. When this machine is busy with
# other things, all four bars get longer, and the differences smaller.
#
# ### Which forms combine
#
# | training | synchronous | asynchronous |
# | --- | --- | --- |
# | **in-graph** | towers and `averaged` gradients: one `run` is one update. Backup replicas: no, since a `run` waits for all its ops | a client's thread for each tower, which all run their own train op |
# | **between-graph** | `SyncReplicasOptimizer`, backup replicas too | nothing to add: each worker runs its own train op |
#
# ## 10 Break it and diagnose it
#
# Three accidents at once, each on a cluster of its own. In the first, the chief is never started. The other two are
# synchronous, 3 of 3 and 2 of 3, and a worker is killed after each worker has made some steps. Each operation has a
# deadline of 10 seconds.

# %% predict="accidents"
# Predict for each: does the job "work" to its end, or end with an "error"?
without_chief, without_one_of_three, without_the_backup = "...", "...", "..."

# %% grading="skip"
quick = ["--steps=60", "--deadline=10"]
no_chief = start_job("no chief", flags=quick, without=["worker/0"])
slow = dict.fromkeys(workers, 0.1)
three_of_three = start_job("three of three", flags=[*quick, "--sync=3"], slow=slow)
two_of_three = start_job("two of three", flags=[*quick, "--sync=2"], slow=slow)
for accident in (three_of_three, two_of_three):
    for worker in workers:
        while last_noted(job_events(accident), worker, "own").get("own", 0) < 4:
            time.sleep(0.02)
    accident.kill("worker/2")

# %% grading="skip"
def how_it_ended(accident, task):
    """ "work" or "error", and the line of the log that says why."""
    accident.wait(task, until="ended", seconds=120)
    lines = [
        line
        for line in accident.log(task).splitlines()
        if re.match(r"\S*Error|test|\S*Exception", line)
    ]
    accident.close()
    return "work" if lines[-1].startswith("test") else "error", lines[-1][:100]

whys = ["Nobody initialises.", "Its token died with it.", "Two gradients are enough."]
accidents = [
    (no_chief, "worker/1", without_chief),
    (three_of_three, "worker/0", without_one_of_three),
]
accidents.append((two_of_three, "worker/0", without_the_backup))
for (accident, task, predicted), why in zip(accidents, whys):
    end, line = how_it_ended(accident, task)
    print(f"{accident.name}: {line}")
    compare_prediction(accident.name, predicted, end, why)

# %% [markdown]
# | what you see | what it means | what to do |
# | --- | --- | --- |
# | `Session was not ready after waiting ...` | a worker waited for the chief to initialise, until its deadline | start the chief; look at *its* log |
# | `DeadlineExceededError` in a synchronous job | too few gradients came to make an update | start the dead worker again, or aggregate fewer |
# | each worker counts to the full number of steps | the step is not shared: no setter, or other names | print `variable.device` |
# | after a restart, the step is 0 | no checkpoint folder, or another one | the same folder for each start of the chief |
# | the shared step stays at 0, for ever | `minimize` without `global_step` | give it |
#
# Why did the second job stop, though two workers live? The dead worker had taken a token, and no other worker ever gets
# that one. (A worker that never started has taken none, so the others take all tokens, and do its work.)
#
# And a trap without an error: a **chief** that is killed and started again restores the newest checkpoint **over** the
# variables on the ps, though these were newer. Whatever the others did since is lost.
#
# ## 11 Today's forms between processes
#
# | classic (`tf.compat.v1`) | today (`tf.distribute`) |
# | --- | --- |
# | towers in one graph, `averaged` gradients | `MirroredStrategy` |
# | between-graph, synchronous, each worker a copy of the variables | `MultiWorkerMirroredStrategy` |
# | between-graph, asynchronous, variables on ps | `ParameterServerStrategy` and a `ClusterCoordinator` |
# | `replica_device_setter` | `strategy.scope()` |
# | chief, `MonitoredSession` | a chief task that schedules functions on workers |
# | `CheckpointSaverHook` | `tf.train.CheckpointManager`; with `fit`: `BackupAndRestore` |
# | `SyncReplicasOptimizer` with backup replicas | none |
#
# One program tries both cluster forms, and shows what `fit` of Keras 3 says to each:

# %%
%%writefile today.py
"""Trains by MultiWorkerMirroredStrategy or, in a cluster with a ps, by a coordinator."""

import os

import keras
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
rows, targets = rng.rand(64, 8).astype("float32"), rng.rand(64, 1).astype("float32")


def dataset():
    return tf.data.Dataset.from_tensor_slices((rows, targets)).repeat().batch(16)


class Trainer:
    def __init__(self, strategy):
        self.strategy = strategy
        with strategy.scope():
            self.model = keras.Sequential([keras.Input([8]), keras.layers.Dense(1)])
            self.optimizer = keras.optimizers.SGD(0.1)
            self.optimizer.build(self.model.trainable_variables)
            self.count = tf.Variable(0, dtype=tf.int64)

    def replica_step(self, x, y):
        with tf.GradientTape() as tape:
            errors = self.model(x) - y
            loss = tf.reduce_sum(tf.square(errors)) / 16.0  # rows of the global batch
        weights = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

# %%
%%writefile -a today.py


def in_step(trainer):
    """Each worker runs this, at the same pace."""
    strategy = trainer.strategy

    @tf.function
    def step(x, y):
        return strategy.reduce("SUM", strategy.run(trainer.replica_step, (x, y)), axis=None)

    for _, (x, y) in zip(range(20), strategy.experimental_distribute_dataset(dataset())):
        loss = step(x, y)
    bias = trainer.model.trainable_variables[1].numpy()[0]
    print(
        f"replicas {strategy.num_replicas_in_sync}: loss {float(loss):.4f}, bias {bias:.6f}"
    )


def as_scheduled(trainer):
    """The chief runs this. A worker that is free takes the next step."""
    coordinator = tf.distribute.coordinator.ClusterCoordinator(trainer.strategy)

    def counted_step(x, y):
        trainer.replica_step(x, y)
        trainer.count.assign_add(1)

    @tf.function
    def step(batches):
        trainer.strategy.run(counted_step, next(batches))

    batches = iter(coordinator.create_per_worker_dataset(dataset))
    for _ in range(200):
        coordinator.schedule(step, args=(batches,))
    coordinator.join()
    print("variables on", trainer.model.trainable_variables[0].value.device)
    print(
        f"counted {int(trainer.count)}, Keras counted {int(trainer.optimizer.iterations)}"
    )


def try_fit(trainer):
    try:
        with trainer.strategy.scope():
            trainer.model.compile("sgd", "mse")
        trainer.model.fit(dataset(), steps_per_epoch=2, verbose=0)
        print("fit: works")
    except Exception as error:
        print(f"fit: {type(error).__name__}: {str(error)[:60]}".splitlines()[0])


resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if "ps" not in resolver.cluster_spec().jobs:
    trainer = Trainer(tf.distribute.MultiWorkerMirroredStrategy())
    in_step(trainer)
elif resolver.task_type == "chief":
    trainer = Trainer(tf.distribute.ParameterServerStrategy(resolver))
    as_scheduled(trainer)
else:
    cluster = resolver.cluster_spec()
    tf.distribute.Server(cluster, resolver.task_type, resolver.task_id).join()
try_fit(trainer)
print("end", flush=True)
os._exit(0)

# %% predict="keras"
# Predict: of 200 scheduled steps, how many does a tf.Variable count with assign_add?
# And does Keras' optimizer.iterations count as many? "yes" or "no"
count, iterations_too = ..., "..."

# %% grading="skip"
program = open("today.py").read()
mirrored_cluster = LocalCluster({"worker": 2}, script=program, wait=False, name="mirrored")
jobs = {"chief": 1, "worker": 2, "ps": 1}
scheduled_cluster = LocalCluster(jobs, script=program, wait=False, name="scheduled")
mirrored_cluster.wait("worker/0", "worker/1", until="ended")
scheduled_cluster.wait("chief/0", until="ended")
logs = {f"worker {index}": mirrored_cluster.log(f"worker/{index}") for index in (0, 1)}
logs["chief"] = scheduled_cluster.log("chief/0")
for name, text in logs.items():
    for line in text.splitlines():
        if line.startswith(("replicas", "variables", "counted", "fit")):
            print(f"{name}: {line}")
mirrored_cluster.close()
scheduled_cluster.close()

by_variable, by_keras = map(int, re.findall(r"ounted (\d+)", logs["chief"]))
compare_prediction("counted", count, by_variable, "assign_add is one op on the ps.")
why = "Keras reads, adds and writes: two workers can overlap."
compare_prediction("Keras too", iterations_too, "yes" if by_variable == by_keras else "no", why)

# %% [markdown]
# * **MultiWorkerMirrored** is synchronous: both workers have the same bias, to the last digit. A worker that dies stops
#   all.
# * **ParameterServer** is asynchronous. `assign_add` counted every step. Keras 3 *reads* its counter, adds one and
#   writes: when two workers do so at the same time, a count is lost. So count steps yourself, and beware of schedules
#   that depend on `optimizer.iterations`.
# * **`fit` of Keras 3** works on the replicas of **one** process: `MirroredStrategy`, `OneDeviceStrategy`,
#   `CentralStorageStrategy`, and `TPUStrategy` (lesson 08). With the two strategies above it fails. There are two ways
#   out: a loop of your own, as here; or Keras 2, which still exists as [tf-keras](https://pypi.org/project/tf-keras/).
#   With `pip install tf-keras` and `TF_USE_LEGACY_KERAS=1` in the environment, `tf.keras` is Keras 2, and its `fit` runs
#   with both. (We saw it run over two MultiWorkerMirrored processes, and over a chief, two workers and a ps.)
#
# ## Recap
#
# Back to your team's 40 machines. **Worse results since the move to many GPUs**: each replica's loss was the mean over
# its own rows, or the learning rate was not adapted to the larger global batch (lesson 08); compare with one device
# (section 2). **The counter back at 0**: the restarted task found no checkpoint in its folder (section 10). **Three days
# instead of one**: each update waits for the slowest (section 9). What would you change? That is exercise 6.
#
# 1. Replicas share one set of variables. In-graph: one graph, one client. Between-graph: a graph and a client for each,
#    variables shared by name on the ps.
# 2. Replicas equal one device if each row counts the same: divide by the rows of the global batch.
# 3. `replica_device_setter` puts variables on the ps in turn. The chief initialises, restores and saves; the others wait;
#    `StopAtStepHook` looks at the shared step.
# 4. A dead worker costs its step. A dead ps costs what came after the last checkpoint. A dead member of an ensemble costs
#    nothing but its vote.
# 5. Asynchronous: nobody waits, gradients are stale. Synchronous: one update from many, all wait. Backup replicas: late
#    gradients are dropped, nobody waits.
#
# | question | where the answer is |
# | --- | --- |
# | Do the replicas share? | `variable.device` and name: the same in all graphs |
# | Does it equal one device? | compare: a difference of 1e-8 is rounding, 1e-2 is an error |
# | How stale? | updates of others between the start of a step and its own update |
# | What is lost after a death? | shared step now, against the newest checkpoint |
# | Who waits for whom? | each log's last line, and a deadline in each session |
#
# **Read on:** lesson 09: what all-reduce sends, and what to do about stale gradients. Lesson 10: search and ensembles.

# %% [markdown] exercise="choose"
# ### Exercise 6 · In your own words
#
# Your team trains on 40 workers and two ps tasks. It is synchronous, 40 of 40. Two machines are often slow, and about
# once a day one machine is restarted without notice, any of the 42. Explain in four to seven sentences what happens to
# the job now in each of these cases, what you would change, and what your change costs.

# %% [markdown] written="choose" points=3
# ### BEGIN SOLUTION
# Now each update waits for the slowest. Aggregate 38 of 40, and save checkpoints often.
# ### END SOLUTION

# %% [markdown] model="choose"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# Now every update waits for the slowest worker, so the two slow machines set the pace of all 40. When a worker dies,
# there are soon too few gradients for an update, and the job stands still until it is back. When a ps dies, its variables
# are gone, and all go back to the last checkpoint. I would aggregate 38 of 40: the slow machines' gradients come too late
# and are dropped, and after a death one of the slow machines makes up the number. The chief is different: it makes the
# updates, and when it is restarted it restores the last checkpoint over newer variables. The cost is that the work of two
# machines is thrown away, and that the slow machines' data count less. I would save checkpoints often, to a disk that
# outlives the machines: a death of a ps, or of the chief, then costs at most the time between two. Going asynchronous
# would also end the waiting, but then, with 40 workers, gradients are very stale.
#
# One point each: everybody waits, for the slow and for the dead; backup replicas, and their price; checkpoints against
# the death of a ps.
# </details>
