# %% [markdown] minutes=110 exercises=50 gives="say what runs and in which order, lower a memory peak, cure a race" after="01"
# # Lesson 05 · Control dependencies
#
# **A problem from work.** A service counts what it has processed. Four threads add to one counter; in the tests the
# number was always right, and in production it is too small by a few each night, never by the same amount. The same
# program reports its result by writing a file and reading it back: most of the time it reads the *old* file. And on a
# larger machine, with more cores, it suddenly needs eight times the memory. Nobody has changed a line. All three
# have one cause: an order that everybody took for granted and nobody asked for.
#
# After this lesson you can
#
# 1. say which parts of a TensorFlow program run, and in which order they may run;
# 2. make one part wait for another, for the two good reasons, and measure what that does;
# 3. find two parts of a program that disturb each other, and cure it.
#
# **Hardware:** CPU only; two logical CPU devices.

# %% include="quiet_start.py" devices=2

# %% include="checks.py predictions.py run_record.py schedule_picture.py placement_record.py timeline.py schedule_widget.py called_functions.py"

# %% [markdown]
# ## Sitting 1 · Order and memory
#
# ![Two graphs, one above the other, each with a bar chart of the memory in use. Above: make 1, make 2 and make 3 have no arrows to each other and each sends a value to use 1, use 2 and use 3, which form a chain. All three values are made at once and the memory bar is three blocks high. Below: the same graph with two dashed arrows, from use 1 to make 2 and from use 2 to make 3. The values are made one at a time and the memory bar is never more than one block high.](assets/05_wait_for.svg)
#
# A TensorFlow program is a **graph** of operations, **ops** for short. A solid arrow is **data**: the reader needs the
# value. A dashed arrow is a **control dependency**: "do not begin before that op has ended". No value travels along
# it. The results above and below are the same. The memory is not.
#
# ## 1 Only what the fetch needs runs
#
# Start with the classic form, since it shows most: a graph is written down first, and a **session** runs the part that
# you **fetch**. The graph below has an op with a **side effect**: `count` changes the variable `v`. (`run_recorded`,
# one of the folded helpers, runs the op `init` first, then what you fetch, and brings TensorFlow's record of the run.)

# %% grading="skip"
v1 = tf.compat.v1

# %% grading="skip"
with tf.Graph().as_default() as graph:
    v = v1.get_variable("v", initializer=0.)
    tf.group(v.initializer, name="init")
    x = v1.placeholder(tf.float32, [], name="x")
    y = tf.square(x, name="y")
    unused = tf.exp(y, name="unused")
    count = v.assign_add(1., name="count")

# %% predict="pruned"
# Predict: you fetch y. Does unused run? Does count run?
unused_runs = ...
count_runs = ...

# %% grading="skip"
value, metadata = run_recorded(graph, "y:0", {"x:0": 3.})
names = ran(metadata)
print("y is", value, "| ran:", names)
compare_prediction("unused runs", unused_runs, "unused" in names, "No fetched op reads it.")
compare_prediction("count runs", count_runs, "count" in names, "Its side effect does not matter.")

# %% [markdown]
# A session walks **backwards** from what you fetch, along the inputs. What it does not reach is cut off before the run.
# This is **pruning**. `unused` reads `y`, but nothing that you fetched reads `unused`. `count` was cut as well: a
# session does not care that an op has a side effect.
#
# ## 2 Whoever has its inputs may run
#
# Now the order. Eight ops, with no arrows between them. Each one is a Python function that writes its number into a
# journal. (`tf.numpy_function` makes an op of a Python function.)

# %% grading="skip"
journal = []

def note(number):
    journal.append(int(number))
    return np.float32(number)

# %% grading="skip"
def eight_notes(in_order):
    with tf.Graph().as_default() as graph:
        notes = []
        for i in range(8):
            with tf.control_dependencies(notes[-1:] if in_order else []):
                notes.append(tf.numpy_function(note, [i], tf.float32, name=f"note_{i}"))
        tf.group(notes, name="all")
    return graph

# %% grading="skip"
orders = []
for attempt in range(4):
    journal.clear()
    run_recorded(eight_notes(in_order=False), "all", threads=4)
    orders.append(list(journal))
print(*orders, sep="\n")

# %% [markdown]
# The order of your lines is not the order of the ops. An op may start as soon as its inputs are there, and a free thread
# takes *some* op that may start. With four threads the order changes from run to run. Sometimes it even looks
# right. That is luck, and luck ends on another machine.
#
# ## 3 A control dependency
#
# `with tf.control_dependencies([a]):` means: every op that is **created** inside must wait until `a` has ended. The
# function above already has it. Turn it on:

# %% grading="skip"
for attempt in range(4):
    journal.clear()
    run_recorded(eight_notes(in_order=True), "all", threads=4)
    print(journal)

# %% [markdown]
# Where is it written? Among the inputs of a node, with a `^`:

# %% grading="skip"
for node in eight_notes(in_order=True).as_graph_def().node[:6]:
    print(f"{node.op:8} {node.name:22} inputs: {list(node.input)}")

# %% [markdown]
# `note_1` has no arrow of its own. The constant that it reads, `note_1/input_0`, was created inside the scope too, and
# waits for `^note_0`. An op that reads an op from *inside* the scope waits anyway, so TensorFlow saves the edge.
#
# A control edge is an input like any other, so pruning follows it: fetch the last op of a chain, and the whole chain
# runs. (Scopes add up when you nest them; `tf.control_dependencies(None)` forgets those around it.)
#
# Now the most common mistake. A training step is meant to run `train` and return the loss. Three ways to write it:

# %% grading="skip"
def training_step(form):
    with tf.Graph().as_default() as graph:
        v = v1.get_variable("v", initializer=1.)
        tf.group(v.initializer, name="init")
        weight = tf.identity(v, name="weight")                # v is read here, once
        loss = tf.square(weight - 3., name="loss")
        train = v.assign(weight + 1., name="train")
        with tf.control_dependencies([train]):
            if form == "return loss":
                return graph, v, loss
            if form == "return tf.identity(loss)":
                return graph, v, tf.identity(loss)
            return graph, v, tf.square(v - 3.)                # reads v again

# %% predict="step-forms"
# Predict which loss comes back: the old one, 4.0, or the new one, 1.0?
return_loss = ...
return_identity = ...
compute_again = ...

# %% grading="skip"
guesses = {"return loss": return_loss, "return tf.identity(loss)": return_identity,
           "compute it again": compute_again}
for form, guess in guesses.items():
    graph, v, fetch = training_step(form)
    with v1.Session(graph=graph) as session:
        session.run("init")
        loss = float(session.run(fetch))
        compare_prediction(form, guess, loss, f"v is then {session.run(v)}.")

# %% [markdown]
# * `return loss`: `loss` was created **outside**. The scope gives it nothing, and `train` never runs. No error.
# * `tf.identity(loss)`: the *copy* waits for `train`, so `train` runs. The value it copies was worked out before.
# * Computed again: the read itself is inside the scope. This is the new loss.
#
# **The scope holds for ops that are created inside it. It does nothing to a tensor that you already have.**
# A control dependency can change a result, then: it decides whether `v` is read before or after a write.
#
# ## 4 First reason: memory
#
# A network of eight layers whose weights are made when they are needed (unpacked, read, or generated). Each weight
# matrix, `big_i`, takes 512 × 512 × 4 bytes = 1 MiB. `step_i` multiplies it into a small vector. The `big` ops need
# only a number, so all of them may start at once. The `step` ops form a chain.
#
# `wait_for(i)` says which ops `big_i` has to wait for. At first: none.

# %% grading="skip"
def layers(n, wait_for=lambda i, steps: []):
    with tf.Graph().as_default() as graph:
        h = v1.placeholder(tf.float32, [512, 1], name="x")
        scales = v1.placeholder(tf.float32, [n], name="scales")
        steps = []
        for i in range(n):
            scale = scales[i]                                 # each layer has its own
            with tf.control_dependencies(wait_for(i, steps)):
                big = tf.fill([512, 512], scale, name=f"big_{i}")
            h = tf.matmul(big, h, name=f"step_{i}")
            steps.append(h)
    return graph

feed = {"x:0": np.ones([512, 1], np.float32), "scales:0": np.full(8, 1 / 512, np.float32)}

# %% predict="peak-free"
# Predict: how many MiB are alive at the worst moment: about 1, about 4, about 8?
peak_mebibytes = ...

# %% grading="skip"
run_recorded(layers(8), "step_7:0", feed)     # this run also starts threads: look at the next
value, metadata = run_recorded(layers(8), "step_7:0", feed)
draw_schedule(metadata, "No control dependencies")
seen = round(peak_bytes(metadata) / 2**20)
compare_prediction("peak in MiB", peak_mebibytes, seen, "No big waits for the step that uses it.")

# %% [markdown]
# The upper picture shows when each op ran. The lower one comes from the **allocation records** in the step statistics:
# each time an op takes memory or gives it back, TensorFlow notes the moment and the bytes. `big` ops run long before
# their `step` is ready for them, and their matrices stay in memory until then.
#
# Now `big_i` waits until the step before it has ended:

# %% grading="skip"
def one_at_a_time(i, steps):
    return steps[-1:]

guarded_value, metadata = run_recorded(layers(8, one_at_a_time), "step_7:0", feed)
draw_schedule(metadata, "big_i waits for the step before it")
print("Same result:", np.array_equal(value, guarded_value))

# %% [markdown]
# Same result, and never more than one matrix alive. Is that luck again? Run each five times:

# %% grading="skip"
def peaks(wait_for, threads):
    found = []
    for _ in range(5):
        metadata = run_recorded(layers(8, wait_for), "step_7:0", feed, threads)[1]
        found.append(f"{peak_bytes(metadata) / 2**20:.1f}")
    return " ".join(found)

def nothing(i, steps):
    return []

for threads in (1, 2, 4):
    free, guarded = peaks(nothing, threads), peaks(one_at_a_time, threads)
    print(f"threads: {threads} | free: {free} | guarded: {guarded} MiB")

# %% [markdown]
# Free, the peak depends on threads and luck. Guarded, it is a **promise**: 1 MiB in every run.
#
# (Each layer has its own scale here. If all matrices were the same, TensorFlow's graph optimiser would make *one* and
# use it eight times. It runs before every session and every `tf.function`, and it is on in this lesson.)
#
# The price: while a step works, nobody may make the next matrix. So give it a head start of one. `big_i` waits for the
# step *two* before it, and two matrices may be alive: one in use, one being made. This is **prefetching**.

# %% grading="skip"
def two_at_a_time(i, steps):
    if i < 2:
        return []
    return steps[i - 2:i - 1]

_, metadata = run_recorded(layers(8, two_at_a_time), "step_7:0", feed)
draw_schedule(metadata, "big_i waits for the step two before it")

# %% [markdown]
# Compare the three pictures. Free, the matrices pile up. One at a time, steps and matrices take turns. With a head
# start of one, a step and the next matrix can overlap, and the peak is still a promise.
#
# **Set it, predict, run.** Choose how many layers there are, how many matrices may be alive, and how many threads work.
# Say what the peak will be, then run the graph for real. Try eight layers without a limit, several times; then a limit
# of 3. When do more threads raise the peak, and when not?
#
# <details><summary>Picture for reading without a kernel</summary>
#
# 8 layers, limit 2, 2 threads, predicted 2 MiB.
#
# ![The widget with its answer. Sliders: 8 layers, at most 2 alive, 2 threads, predicted peak 2 MiB. Above, a bar chart in which the eight making ops and the eight using ops alternate. Below, the memory alive over time: it rises to 2 MiB, stays between 1 and 2 MiB, and never goes over 2. The answer line says: predicted 2, measured 2.0, right.](assets/05_widget.svg)
#
# </details>

# %% grading="skip"
set_and_run(layers)

# %% [markdown]
# ## 5 Second reason: something slow
#
# Some ops mostly *wait*: for a disk, for a network, for another device. If four of them start at once, they share one
# slow line, and each of them holds a thread. Here `slow_fetch` plays such a wait: it takes 0.1 s, and counts how
# many are open at the same moment.

# %% grading="skip"
import threading
import time

fetches = {"open": 0, "most": 0}
door = threading.Lock()

def slow_fetch(number):
    with door:
        fetches["open"] += 1
        fetches["most"] = max(fetches["most"], fetches["open"])
    time.sleep(0.1)                                           # as a disk or a network would take
    with door:
        fetches["open"] -= 1
    return np.float32(number)

# %% grading="skip"
def four_fetches(one_by_one):
    with tf.Graph().as_default() as graph:
        fetched = []
        for i in range(4):
            with tf.control_dependencies(fetched[-1:] if one_by_one else []):
                fetched.append(tf.numpy_function(slow_fetch, [i], tf.float32))
        tf.add_n(fetched, name="total")
    return graph

# %% predict="open"
# Predict, for two threads: how many fetches are open at the worst moment, free and one by one?
most_open_free = ...
most_open_one_by_one = ...

# %% grading="skip"
guesses = {False: most_open_free, True: most_open_one_by_one}
for one_by_one, guess in guesses.items():
    fetches["most"] = 0
    total, _ = run_recorded(four_fetches(one_by_one), "total:0", threads=2)
    what = "open at once, one by one" if one_by_one else "open at once, free"
    compare_prediction(what, guess, fetches["most"], f"The total is {total}.")

# %% [markdown]
# Free, as many are open as there are threads. With two threads that is worse than it looks: while two fetches wait,
# **no thread is left** for an op that could compute. One by one, a single thread waits, and the other one is free.
#
# So there are two good uses: put ops that share a slow line one behind the other; and do not begin what needs a slow
# value before that value is there. The second one, across devices: `far` is slow work on CPU:1. On CPU:0, `scratch` is
# 4 MB that only `answer` needs, together with `far`.

# %% grading="skip"
def scratch_and_far(wait):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [1000, 1000], name="x")
        with tf.device("/device:CPU:1"):
            far = tf.matmul(tf.matmul(x, x), x, name="far")
        with tf.device("/device:CPU:0"):
            with tf.control_dependencies([far] if wait else []):
                scratch = tf.fill([1000, 1000], x[0, 0], name="scratch")
            tf.reduce_sum(scratch + far, name="answer")
    return graph

# %% grading="skip"
ones = {"x:0": np.ones([1000, 1000], np.float32)}
for wait in (False, True):
    run_recorded(scratch_and_far(wait), "answer:0", ones, cpus=2)
    metadata = run_recorded(scratch_and_far(wait), "answer:0", ones, cpus=2)[1]
    draw_timeline(metadata, "scratch waits for far" if wait else "scratch waits for nothing")
    (_, far_end), (scratch_start, _) = spans(metadata)["far"], spans(metadata)["scratch"]
    side = "after" if scratch_start > far_end else "before"
    print(f"scratch begins {abs(scratch_start - far_end):.1f} ms {side} far ends.\n")

# %% [markdown]
# Without the dependency, 4 MB sit idle on CPU:0 while CPU:1 works. With it, `scratch` is made when `far` is there. A
# control dependency may cross devices, even machines: TensorFlow then sends a *signal* in place of a value.
#
# Exercises 1 and 2 practise what you have read so far. Both return a graph as bytes,
# `graph.as_graph_def().SerializeToString()`. The checks read these graphs, and run them. A graph must not call Python
# (`tf.numpy_function`): checks do not run such ops.
# %% [markdown] exercise="ordered"
# ### Exercise 1 · In the given order
#
# Write `ordered(start, actions)`. It builds a classic graph and returns its bytes. The graph has a variable named `v`
# (float32, made with `tf.compat.v1.get_variable`, whose `use_resource` you leave as it is), whose first value is
# `start` {#1}, and
#
# * an op `init` that gives `v` its first value; nothing else does {#2};
# * for each action **one op that writes** `v` {#3}: `["add", 3.]` adds 3, `["multiply", 2.]` multiplies by 2,
#   `["set", 5.]` writes 5 {#4};
# * a tensor `result:0`: fetching it performs all actions {#5}, **in the order of the list** {#6}, and gives the value
#   of `v` after the last one {#7}.
#
# The order must be in the arrows of the graph, so that no run depends on luck {#8}. Use no `tf.function`: the checks
# look at the arrows. There is at least one action.
#
# Example: with `ordered(1., [["add", 3.], ["multiply", 2.]])`, run `init`, then fetch `result:0`: it is 8. Fetch it
# again, and it is 22, since `v` starts from 8 then.

# %% solution="ordered" kind="graph"
def ordered(start, actions):
    """Build a graph whose writes to one variable happen in the given order.

    Args:
        start: float, the first value of the variable `v`.
        actions: list of [what, number]: what is "add", "multiply" or "set"; at least one.
    Returns:
        bytes: the graph as a serialized GraphDef, with the ops `init` and `result`.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        v = tf.compat.v1.get_variable("v", initializer=float(start))
        tf.group(v.initializer, name="init")
        done = []
        for what, number in actions:
            with tf.control_dependencies(done):
                if what == "add":
                    write = v.assign_add(number)
                elif what == "multiply":
                    write = v.assign(v * number)
                else:
                    write = v.assign(number)
            done = [write.op]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="ordered"
try:
    data = ordered(1., [["add", 3.], ["multiply", 2.]])
    for node in tf.compat.v1.GraphDef.FromString(data).node:
        print(f"{node.op:22} {node.name:28} {list(node.input)}")
except NotImplementedError as error:
    print(error)

# %% check="ordered-result" points=1 title="One action: result is the value after it, in each run"
import tensorflow as tf

answer = ordered(5., [["add", 2.]])
told = Told(asked="ordered(5., [['add', 2.]])", got=f"a value of type {type(answer).__name__}",
            expected="a graph with the ops init and result; result is 7.0, then 9.0",
            reread="section 3, A control dependency")

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told(
    "return graph.as_graph_def().SerializeToString(), not the graph or a number")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    definition = None
assert definition, told("these bytes are not a GraphDef: write graph.as_graph_def().SerializeToString()")
nodes = {node.name: node for node in definition.node}
told.got = f"a graph with the ops {sorted(nodes)}"[:200]
assert "init" in nodes and "result" in nodes, told("an op named init or result is missing")
assert not any("PyFunc" in node.op for node in definition.node), told(
    "this graph calls Python, and checks do not run such ops")
assert not any("Call" in node.op for node in definition.node), told(
    "the work is inside a function, where the checks do not see its arrows; write it in the graph")
needed = before(definition, "result") | {"result"}
writes = [name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))]
told.got = f"result waits for these writes: {writes}"
assert writes, told("nothing makes result wait for the action, so the action is pruned: it never runs")
loose = [name for name in needed if nodes[name].op == "ReadVariableOp" for write in writes
         if write not in before(definition, name) and name not in before(definition, write)]
told.got = f"{loose} may read v before or after the write"
assert not loose, told("v was read outside the scope, so result may be the value from before the action")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    session.run("init")
    values = [float(session.run("result:0")) for _ in range(2)]
told.got = f"result is {values[0]}, then {values[1]}"
assert values != [7, 7], told("the second fetch begins with the start again: only init may set it")
assert values == [7, 9], told()

# %% check="ordered-waits" points=2 title="Four actions: the arrows promise the order"
import tensorflow as tf

actions = [["add", 3.], ["multiply", 2.], ["add", -1.], ["multiply", 10.]]
answer = ordered(1., [list(action) for action in actions])
told = Told(asked=f"ordered(1., {actions}): the arrows of its graph",
            got=f"a value of type {type(answer).__name__}",
            expected="four writes in front of result, each with an arrow, direct or not, to the next",
            reread="section 3, A control dependency")

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
nodes = {node.name: node for node in definition.node}
assert not any("Call" in node.op for node in definition.node), told(
    "the work is inside a function, where the checks do not see its arrows; write it in the graph")
needed = before(definition, "result") | {"result"}
touch = [name for name in sorted(needed) if nodes[name].op == "ReadVariableOp"
         or nodes[name].op.startswith(("Assign", "ResourceScatter"))]
writes = [name for name in touch if nodes[name].op != "ReadVariableOp"]
every = [name for name in nodes if nodes[name].op.startswith(("Assign", "ResourceScatter"))]
told.got = f"{len(writes)} writes in front of result"
assert len(writes) >= 4 or len(every) <= len(writes) + 1, told(
    "there are more writes in the graph, but result does not need them: they are pruned")
assert len(writes) == 4, told("each action is one op that writes v, and result needs all of them")
assert not any(nodes[name].op in ("Assign", "AssignAdd", "AssignSub") for name in writes), told(
    "v is a variable of the old kind, whose reads no arrow shows: "
    "leave use_resource of get_variable as it is")
earlier = {name: before(definition, name) for name in touch}
loose = [(a, b) for a in touch for b in touch if a < b and a not in earlier[b] and b not in earlier[a]
         and not (nodes[a].op == nodes[b].op == "ReadVariableOp")]
free_writes = [pair for pair in loose if set(pair) <= set(writes)]
pairs = [" and ".join(pair) for pair in (free_writes or loose)[:3]]
told.got = f"no arrow between {', '.join(pairs)}"
assert not free_writes, told("writes without an arrow between them run in any order")
assert not loose, told(
    "the writes are in order, but a read of v was created outside the scope, and may come too early")

# %% hidden="ordered-values" points=2 title="Other actions: right in each run, and by arrows"
import tensorflow as tf

count = draw.randrange(5, 8)
actions = [["multiply", 3.], ["add", float(draw.randrange(1, 9))]]
while len(actions) < count:
    actions.append(draw.choice([["add", float(draw.randrange(1, 9))], ["multiply", 2.]]))
actions.append(["add", float(draw.randrange(100, 200))])          # another order gives another result
start = float(draw.randrange(2, 9))
answer = ordered(start, [list(action) for action in actions])
every, value = [], start                             # v after each action of three runs
for what, number in actions * 3:
    value = value + number if what == "add" else value * number
    every.append(value)
due, right = every[: len(actions)], every[len(actions) - 1 :: len(actions)]
told = Told(asked=f"ordered({start}, {actions}), result fetched three times",
            got=f"a value of type {type(answer).__name__}",
            expected=f"{right}, and arrows that promise it", reread="the text of exercise 1")

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
nodes = {node.name: node for node in definition.node}
assert not any("PyFunc" in node.op for node in definition.node), told(
    "this graph calls Python, and checks do not run such ops")
needed = before(definition, "result") | {"result"}
touch = [name for name in needed if nodes[name].op == "ReadVariableOp"
         or nodes[name].op.startswith(("Assign", "ResourceScatter"))]
writes = [name for name in touch if nodes[name].op != "ReadVariableOp"]
told.got = f"{len(writes)} writes in front of result"
assert len(writes) == len(actions), told(
    "each action is one op that writes v, and result needs all of them")
assert not any(nodes[name].op in ("Assign", "AssignAdd", "AssignSub") for name in writes), told(
    "v is a variable of the old kind, whose reads no arrow shows: "
    "leave use_resource of get_variable as it is")
earlier = {name: before(definition, name) for name in touch}
loose = [(a, b) for a in touch for b in touch if a < b and a not in earlier[b] and b not in earlier[a]
         and not (nodes[a].op == nodes[b].op == "ReadVariableOp")]
told.got = f"{len(loose)} pairs of reads and writes without an arrow between them"
assert not loose, told("without arrows between them, a right value is luck")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
after = []                                           # v as each write leaves it
for name in sorted(writes, key=lambda name: len(earlier[name] & set(writes))):
    write = graph.get_operation_by_name(name)
    with graph.as_default(), tf.control_dependencies([write]):
        after += write.outputs or [tf.raw_ops.ReadVariableOp(resource=write.inputs[0], dtype=tf.float32)]
with tf.compat.v1.Session(graph=graph) as session:
    session.run("init")
    values = [float(session.run("result:0")) for _ in range(3)]
    left = []
    for value in after:
        session.run("init")
        left.append(float(session.run(value)))
told.got = f"{values}"
assert values[0] == right[0], told()
assert values == right, told(
    "the first run is right and the next is not: v has to keep its value between runs")
told.got, told.expected = f"after each write v is {left}", f"{due}"
assert left == due, told("the result is right, but a write makes something else of v than its action")

# %% hidden="ordered-set" points=1 title="With set: writes that need no old value wait, too"
import tensorflow as tf

a, b, c = (float(draw.randrange(2, 9)) for _ in range(3))
actions = [["add", a], ["set", 10.], ["multiply", 0.5], ["set", -b], ["add", 1.], ["multiply", c]]
answer = ordered(-1., [list(action) for action in actions])
right = (-b + 1) * c
told = Told(asked=f"ordered(-1., {actions})", got=f"a value of type {type(answer).__name__}",
            expected=f"six writes in a chain; result is {right}",
            reread="the text of exercise 1")

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
nodes = {node.name: node for node in definition.node}
assert not any("PyFunc" in node.op for node in definition.node), told(
    "this graph calls Python, and checks do not run such ops")
needed = before(definition, "result") | {"result"}
writes = [name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))]
steps = sorted(len(set(writes) & before(definition, name)) for name in writes)
told.got = f"{len(writes)} writes; they wait for {steps} others"
assert len(writes) == 6, told("each action is one op that writes v, and result needs all of them")
assert steps == [0, 1, 2, 3, 4, 5], told(
    "a set needs no old value, but it still waits, and later actions wait for it")
reads = [name for name in needed if nodes[name].op == "ReadVariableOp"]
loose = [name for name in reads for write in writes
         if write not in before(definition, name) and name not in before(definition, write)]
told.got = f"six writes in a chain, but these reads may come too early: {sorted(set(loose))}"
assert not loose, told("a read of v was created outside the scope")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    session.run("init")
    value = float(session.run("result:0"))
told.got = f"result is {value}"
assert value == right, told()

# %% [markdown] exercise="low_memory"
# ### Exercise 2 · As much as fits
#
# The layers of section 4, but of different sizes: matrix `big_i` takes `sizes[i]` MiB. At most `limit` MiB of matrices
# may be alive at any moment {#1}. Within that, each matrix should be allowed to start as **early** as possible {#2}.
#
# Write `low_memory(sizes, limit)`. It returns the bytes of a graph with the same ops as `all_at_once(sizes)` below
# makes, under the same names {#3}. Only control dependencies are added {#4}:
#
# * `big_i` waits for a step only if it must {#5}: for the **earliest** step after which everything that may still be
#   alive, `big_i` included, fits into `limit`. (When `step_k` has ended, `big_0` … `big_k` are gone. `big_{k+1}` …
#   `big_i` may all be alive.) Exactly `limit` still fits {#6}.
#
# Every size is at most `limit`. Example: `low_memory([1, 1, 2, 1], 3)`. `big_0` and `big_1` wait for no step. `big_2`
# would make 1 + 1 + 2 = 4, so it waits for `step_0`: 1 + 2 fits. `big_3` would make 1 + 2 + 1 = 4 with `big_1`, so it
# waits for `step_1`.

# %% grading="skip"
def make_big(i, mebibytes, scales):
    return tf.fill([512 * mebibytes, 512], scales[i], name=f"big_{i}")    # float32

def make_step(i, big, h):
    return tf.slice(tf.matmul(big, h, name=f"use_{i}"), [0, 0], [512, 1], name=f"step_{i}")

def all_at_once(sizes):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [len(sizes)], name="scales")
        for i, mebibytes in enumerate(sizes):
            big = make_big(i, mebibytes, scales)
            h = make_step(i, big, h)
    return graph.as_graph_def().SerializeToString()

# %% solution="low_memory" kind="graph"
def low_memory(sizes, limit):
    """Build the graph of all_at_once with a promise: at most `limit` MiB of matrices are alive.

    Args:
        sizes: list of int, the size of each matrix in MiB, each from 1 to limit.
        limit: int, MiB of matrices that may be alive at one moment.
    Returns:
        bytes: the graph as a serialized GraphDef.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [len(sizes)], name="scales")
        steps = []
        for i, mebibytes in enumerate(sizes):
            first = 0                      # the oldest matrix that may be alive together with big_i
            while sum(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies(steps[first - 1:first] if first else []):
                big = make_big(i, mebibytes, scales)
            h = make_step(i, big, h)
            steps.append(h)
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="low_memory"
try:
    with tf.Graph().as_default() as graph:
        data = low_memory([1, 1, 2, 1], 3)
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(data), name="")
    four = {"x:0": feed["x:0"], "scales:0": feed["scales:0"][:4]}
    run_recorded(graph, "step_3:0", four)
    draw_schedule(run_recorded(graph, "step_3:0", four)[1], "low_memory([1, 1, 2, 1], 3)")
except NotImplementedError as error:
    print(error)

# %% check="low_memory-same" points=1 title="The same ops, sizes and result"
import numpy as np
import tensorflow as tf

sizes, limit = [1, 2, 1], 3
answer = low_memory(list(sizes), limit)
told = Told(asked=f"low_memory({sizes}, {limit}): its ops and its result for x = 1, scales = 1/256",
            got=f"a value of type {type(answer).__name__}",
            expected="big_0, use_0, step_0 and so on as all_at_once makes them; step_2 is 8.0 everywhere",
            reread="the text of exercise 2")
assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    definition = None
assert definition, told("these bytes are not a GraphDef: write graph.as_graph_def().SerializeToString()")
kinds = {node.name: node.op for node in definition.node}
kinds_due = [("big", "Fill"), ("use", "MatMul"), ("step", "Slice")]
due = {f"{name}_{i}": kind for i in range(3) for name, kind in kinds_due}
told.got = ", ".join(f"{op}: {kinds.get(op, 'missing')}" for op, kind in due.items() if kinds.get(op) != kind)
assert not told.got, told("use make_big and make_step, with the numbers from 0 on")
data = [f"use_{i} reads {name}" for node in definition.node for i in range(3) if node.name == f"use_{i}"
        for name in node.input[:2]]
told.got = ", ".join(data)
due = [f"use_{i} reads {name}" for i in range(3) for name in (f"big_{i}", f"step_{i - 1}" if i else "x")]
assert sorted(data) == sorted(due), told(
    "each step uses its own matrix and the result of the step before")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    fed = {"x:0": np.ones([512, 1], np.float32), "scales:0": np.full(3, 1 / 256, np.float32)}
    value, *bigs = session.run(["step_2:0", "big_0:0", "big_1:0", "big_2:0"], fed)
told.got = f"matrices of {[big.nbytes / 2**20 for big in bigs]} MiB"
assert [big.nbytes for big in bigs] == [size * 2**20 for size in sizes], told(
    "the matrices have other sizes; only arrows may be added")
told.got = f"step_2 from {value.min()} to {value.max()}"
assert (value == 8).all(), told("the layers compute something else now; only arrows may be added")

# %% check="low_memory-limit" points=2 title="At most limit MiB, whatever the threads do"
import numpy as np
import tensorflow as tf

sizes, limit = [2, 1, 2, 1, 1, 2, 1, 2], 3
answer = low_memory(list(sizes), limit)
told = Told(asked=f"low_memory({sizes}, {limit}): what may be alive at once, and the measured peak",
            got=f"a value of type {type(answer).__name__}",
            expected=f"at most {limit} MiB of matrices, whatever the threads do",
            reread="section 4, First reason: memory")

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

def peak(definition, fetch, threads):
    """MiB alive at the worst moment of a real run, from TensorFlow's allocation records."""
    config = tf.compat.v1.ConfigProto(inter_op_parallelism_threads=threads, use_per_session_threads=True)
    options, record = tf.compat.v1.RunOptions(trace_level=1), tf.compat.v1.RunMetadata()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
    fed = {"x:0": np.ones([512, 1], np.float32), "scales:0": np.full(len(sizes), 1 / 512, np.float32)}
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run(fetch, fed, options, record)
    ops = [op for device in record.step_stats.dev_stats for op in device.node_stats]
    changes = sorted((entry.alloc_micros, entry.alloc_bytes) for op in ops for memory in op.memory
                     for entry in memory.allocation_records)
    alive = [0]
    for _, size in changes:
        alive.append(alive[-1] + size)
    return max(alive) / 2**20

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
worst, waiting = 0, []
for i in range(len(sizes)):
    gone = [k for k in range(len(sizes)) if f"use_{k}" in before(definition, f"big_{i}")]
    worst = max(worst, sum(sizes[k] for k in range(i + 1) if k not in gone))
    waiting += gone
bigs = [i for i in range(1, len(sizes)) if f"big_{i - 1}" in before(definition, f"big_{i}")]
told.got = f"up to {worst} MiB may be alive"
assert waiting or not bigs, told(
    "a matrix waits for other matrices; only the step that uses one gives its memory back")
assert waiting, told("no matrix waits for any step: was big_i itself created inside the scope?")
assert worst <= limit, told("some matrix may begin too early: more than limit may be alive then")
measured = [peak(definition, f"step_{len(sizes) - 1}:0", threads) for threads in (1, 2, 4)]
told.got = f"measured peaks {[round(size, 2) for size in measured]} MiB"
assert max(measured) < limit + 0.25, told("other large values are alive besides the matrices")

# %% check="low_memory-early" points=2 title="As early as the limit allows"
import tensorflow as tf

sizes, limit = [1, 1, 2, 1], 3
answer = low_memory(list(sizes), limit)
told = Told(asked=f"low_memory({sizes}, {limit}): the last step that each matrix waits for",
            got=f"a value of type {type(answer).__name__}",
            expected="big_0: none, big_1: none, big_2: step_0, big_3: step_1",
            reread="the text of exercise 2")

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
last = [max((k for k in range(4) if f"use_{k}" in before(definition, f"big_{i}")), default=-1)
        for i in range(4)]
told.got = ", ".join(f"big_{i}: {f'step_{k}' if k >= 0 else 'none'}" for i, k in enumerate(last))
assert last != [-1, -1, -1, -1], told("nothing waits for a step")
assert last != [-1, 0, 1, 2], told(
    "one at a time; but a matrix may begin while others are alive, if all of them fit")
assert all(have >= due for have, due in zip(last, [-1, -1, 0, 1])), told(
    "a matrix begins too early: over the limit")
assert last == [-1, -1, 0, 1], told("a matrix waits longer than it must")
needless = [f"big_{i} waits for big_{j}" for i in range(4) for j in range(last[i] + 1, i)
            if f"big_{j}" in before(definition, f"big_{i}")]
told.got = ", ".join(needless)
assert not needless, told("big_i waits for another matrix, which no limit asks for")

# %% hidden="low_memory-window" points=2 title="Other sizes and limits"
import tensorflow as tf

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

large = draw.randrange(4, 7)
cases = [([1, 2, 3, 1, 1, 1, 4, 1][:large + 2], 4), ([1] * large, 3), ([2, 2, 2], 2),
         ([draw.randrange(1, 4) for _ in range(7)], draw.choice([4, 5]))]
for sizes, limit in cases:
    right = []
    for i in range(len(sizes)):
        fits = [k for k in range(-1, i) if sum(sizes[k + 1:i + 1]) <= limit]
        right.append(fits[0])
    answer = low_memory(list(sizes), limit)
    definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
    got = [max((k for k in range(len(sizes)) if f"use_{k}" in before(definition, f"big_{i}")), default=-1)
           for i in range(len(sizes))]
    told = Told(asked=f"low_memory({sizes}, {limit}): the last step each matrix waits for (-1: none)",
                got=got, expected=right, reread="the text of exercise 2")
    assert all(have >= due for have, due in zip(got, right)), told(
        "some matrix may begin too early: more than limit may be alive then")
    assert got == right, told("a matrix waits although it would fit: look for the earliest step")
    told.got = [f"big_{i} waits for big_{j}" for i, last in enumerate(right) for j in range(last + 1, i)
                if f"big_{j}" in before(definition, f"big_{i}")]
    assert not told.got, told("big_i waits for another matrix, which no limit asks for")

# %% hidden="low_memory-no_limit" points=1 title="Everything fits: nothing waits"
import tensorflow as tf

sizes = [draw.randrange(1, 4) for _ in range(3)]
limit = sum(sizes) + draw.randrange(0, 3)
answer = low_memory(list(sizes), limit)
definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
edges = [(node.name, name[1:]) for node in definition.node for name in node.input if name.startswith("^")]
got = ", ".join(f"{op} waits for {first}" for op, first in edges) or f"{len(definition.node)} ops, no edge"
told = Told(asked=f"low_memory({sizes}, {limit}): everything fits", got=got,
            expected="the ops, and no control dependency on a step or a matrix",
            reread="the text of exercise 2")
names = {node.name for node in definition.node}
assert {"big_2", "use_2", "step_2"} <= names, told("ops are missing: return the bytes of the whole graph")
assert not any(first.startswith(("step_", "use_", "big_")) for _, first in edges), told(
    "a matrix waits although everything fits")
# %% [markdown]
# ## Sitting 2 · At the same time
#
# ## 6 Two ops on one device
#
# Can two ops on **one** device run at the same time? Times alone do not prove it. So let two ops *meet*: each waits until
# the other has begun too. If ops of one device run one after the other, they can never meet.

# %% grading="skip"
def let_meet(names, threads, seconds):
    barrier = threading.Barrier(len(names))

    def arrive():
        try:
            barrier.wait(seconds)
            return b"met"
        except threading.BrokenBarrierError:
            return b"gave up"

    with tf.Graph().as_default() as graph, tf.device("/device:CPU:0"):
        ops = [tf.numpy_function(arrive, [], tf.string, name=name) for name in names]
    outcomes = run_recorded(graph, ops, threads=threads)[0]
    return all(outcome == b"met" for outcome in outcomes)

# %% predict="meet"
# Predict (True or False): both ops are pinned to CPU:0. Do they meet with two threads? With one?
meet_with_two = ...
meet_with_one = ...

# %% grading="skip"
compare_prediction("meet with two threads", meet_with_two, let_meet("ab", 2, seconds=30),
                   "A device is not a queue.")
compare_prediction("meet with one thread", meet_with_one, let_meet("ab", 1, seconds=1),
                   "The one that waits holds the only thread.")

# %% [markdown]
# Yes: **a device is not a queue**. On one CPU device, ops that do not wait for each other run at the same time, up to the
# number of **inter-op** threads. With one thread they cannot.
#
# **Change it:** let *three* ops meet, `let_meet("abc", …)`. How many threads do they need?
#
# <details><summary>What you see then</summary>
#
# Three. With two threads two ops wait in vain, and the third one finds the meeting given up.
# </details>
#
# **Several sessions** may use one device at the same time, too, each from a Python thread of its own. Each session has
# its own variables, even if they run the same graph:

# %% grading="skip"
barrier = threading.Barrier(2)

def meet():
    barrier.wait(30)                                          # until the other session is here
    return b"met"

with tf.Graph().as_default() as shared_graph, tf.device("/device:CPU:0"):
    counter = v1.get_variable("counter", initializer=0.)
    add_one = counter.assign_add(1.)
    meeting = tf.numpy_function(meet, [], tf.string)

# %% grading="skip"
def use_a_session(name, times, lines):
    with v1.Session(graph=shared_graph) as session:
        session.run(counter.initializer)
        word = session.run(meeting).decode()
        for _ in range(times):
            session.run(add_one)
        lines.append(f"session {name}: {word}, counter {session.run(counter):.0f}")

lines = []
sessions = [threading.Thread(target=use_a_session, args=("a", 3, lines)),
            threading.Thread(target=use_a_session, args=("b", 5, lines))]
for thread in sessions:
    thread.start()
for thread in sessions:
    thread.join()
print(*sorted(lines), sep="\n")

# %% [markdown]
# They met, so both ran on CPU:0 at the same time; and each counted for itself. So two trainings can share one device,
# if there is room in its memory. (A session may also be shared by several threads; then they share its variables.)
#
# There is a second number. One large op, such as a matmul, is cut into pieces for several **intra-op** threads.
#
# | they | inter-op threads | intra-op threads |
# | --- | --- | --- |
# | run | different ops at the same time | the pieces of one op at the same time |
# | help | wide graphs, ops that wait | large matrices |
# | belong to | a session, with `use_per_session_threads=True` | the process: its first session or op decides |
# | 0 means | TensorFlow chooses: the number of cores | the same |
#
# In a `ConfigProto` they are `inter_op_parallelism_threads` and `intra_op_parallelism_threads`. Section 10 has today's
# names. Inter-op first. Two matmuls on CPU:0 that do not need each other:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    x = v1.placeholder(tf.float32, [1000, 1000], name="x")
    products = [tf.matmul(x, x + i, name=f"product_{i}") for i in range(2)]
for threads in (1, 2):
    run_recorded(graph, products, ones, threads)
    metadata = run_recorded(graph, products, ones, threads)[1]
    draw_schedule(metadata, f"inter-op threads: {threads}", families=("product",))
    print(f"They overlap for {overlap(metadata, 'product_0', 'product_1'):.1f} ms.\n")

# %% [markdown]
# Two lanes: at the same time. One lane: one after the other. The **total time** hardly changes when the cores are
# busy in both cases: with one inter-op thread, each matmul is cut up for all cores. Overlap pays when ops wait, or
# are too small to be cut.
#
# A GPU is different: TensorFlow gives it one *stream* for computing by default, and kernels are put into it one behind
# the other, from however many threads ([TensorFlow's guide to GPU
# performance](https://www.tensorflow.org/guide/gpu_performance_analysis)). Inside a kernel, thousands of GPU threads
# work at once. So two ops still take turns on the card.
#
# ## 7 Races on a variable
#
# `v.assign(v + 1.)` is **three** ops: read `v`, add, write `v`. Two such updates can both read before either writes.
# Then one update is lost. It is a **race**: two ops touch the same variable, at least one writes, and no arrow
# says who is first.

# %% grading="skip"
def counter_graph(updates, how):
    with tf.Graph().as_default() as graph:
        v = v1.get_variable("v", initializer=0.)
        tf.group(v.initializer, name="init")
        section = tf.CriticalSection(name="one_at_a_time")
        done = []
        for i in range(updates):
            done.append(how(v, done, section))
        with tf.control_dependencies(done):
            tf.identity(v, name="total")
    return graph

def read_add_write(v, done, section):
    return v.assign(v + 1.).op

# %% predict="race"
# Predict: 100 updates, 4 threads, ten runs. In how many of the ten runs is v 100 afterwards?
right_runs = ...

# %% grading="skip"
def ten_runs(how):
    graph = counter_graph(100, how)
    return [int(run_recorded(graph, "total:0", threads=4)[0]) for _ in range(10)]

totals = ten_runs(read_add_write)
print(totals)
compare_prediction("runs with 100", right_runs, totals.count(100), "Reads came before writes.")

# %% [markdown]
# That is the nasty part: in another program it is right a hundred times, and then it is not. **A race that you do not
# see is still there.** (A 1 among hundreds: an update that had read 0 wrote last and wiped out all the others.)
# You can make it visible: force the bad order. Both updates read, meet, and only then write.

# %% grading="skip"
def two_updates_that_meet():
    barrier = threading.Barrier(2)

    def meet(value):
        barrier.wait(30)                              # until the other one has read as well
        return value

    def how(v, done, section):
        return v.assign(tf.numpy_function(meet, [v.read_value()], tf.float32) + 1.).op

    return run_recorded(counter_graph(2, how), "total:0", threads=2)[0]

print("Two updates, and v is", [float(two_updates_that_meet()) for _ in range(5)])

# %% [markdown]
# Both read 0, both write 1. Three cures:
#
# 1. **One op that reads and writes**: `assign_add` holds the variable's lock while it works. Nobody can come in between.
# 2. **An order**: each update waits for the one before it. The *read* must be inside the scope.
# 3. **A critical section**: `tf.CriticalSection().execute(f)` lets one `f` in at a time, in whatever order.

# %% grading="skip"
def in_one_op(v, done, section):
    return v.assign_add(1.).op

def in_order(v, done, section):
    with tf.control_dependencies(done[-1:]):
        return v.assign(v + 1.).op                    # the read is created in here, too

def in_a_critical_section(v, done, section):
    return section.execute(lambda: tf.identity(v.assign(v + 1.))).op

for cure in (in_one_op, in_order, in_a_critical_section):
    print(f"{cure.__name__:22}", ten_runs(cure))

# %% [markdown]
# And if only the *writes* are in order, while each read is created outside the scope?

# %% grading="skip"
def half_a_cure(v, done, section):
    new = v + 1.                                      # outside: this read waits for nobody
    with tf.control_dependencies(done[-1:]):
        return v.assign(new).op

print(ten_runs(half_a_cure))

# %% [markdown]
# Nearly all updates are lost: most reads come early, and the writes then repeat the same old value. Waiting with `time.sleep`
# is no cure either: it makes the bad order rare, not impossible.
#
# And not every op that reads and writes is safe. `scatter_add` adds to some rows of a variable, as an embedding's
# gradient does. For speed it takes a lock that *several* scatter ops may hold at once. Four threads, each adds a
# million ones to one number:

# %% grading="skip"
rows = tf.Variable([0.])
many_ones = tf.IndexedSlices(tf.ones([100_000]), tf.zeros([100_000], tf.int32))

@tf.function(autograph=False)
def add_many():
    rows.scatter_add(many_ones)

def ten_times():
    for _ in range(10):
        add_many()

# %% grading="skip"
def four_threads(function):
    threads = [threading.Thread(target=function) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

add_many()                                            # trace it once
rows.assign([0.])
four_threads(ten_times)
print(f"{rows.numpy()[0]:,.0f} of 4,000,000")

# %% [markdown]
# Most likely some are missing. Training mostly forgives that; a counter does not.
#
# | cure | exact | updates at the same time | use it when |
# | --- | --- | --- | --- |
# | `assign_add`, `assign_sub` | yes | no: the variable's lock lets one in | the update is a sum |
# | `scatter_add` and its kin | **no**, if two touch the same row at once | yes | a lost gradient does not matter |
# | an order | yes | no | the order matters |
# | `tf.CriticalSection` | yes | no, but nobody's turn is fixed | reading and writing belong together |

# %% [markdown] exercise="exact"
# ### Exercise 3 · An exact counter
#
# Write `exact(amounts)`. It builds a graph and returns its bytes. The graph has a variable named `counter` (float32,
# made with `tf.compat.v1.get_variable`, first value 0), and
#
# * an op `init` that gives it its first value; nothing else sets it back {#1};
# * for each amount **one update** {#2}: an op that writes `counter` and adds the amount to it {#3};
# * a tensor `total:0`: fetching it runs all updates {#4} and gives the counter's value **after** all of them {#5}.
#
# No update may wait for another one {#6}, and none may be lost, whatever order they run in {#7}. So an update must be
# safe by itself: one op that reads and writes under the variable's own lock, or a critical section. There is at least
# one amount. Use no `tf.function`.
#
# Example: with `exact([1., 2., 4.])`, run `init`, then fetch `total:0`: it is 7. Fetch it again: 14.

# %% solution="exact" kind="graph"
def exact(amounts):
    """Build a graph that adds amounts to a counter, in any order, and loses none.

    Args:
        amounts: list of float, at least one.
    Returns:
        bytes: the graph as a serialized GraphDef, with the ops `init` and `total`.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        counter = tf.compat.v1.get_variable("counter", initializer=0.)
        tf.group(counter.initializer, name="init")
        updates = [counter.assign_add(amount).op for amount in amounts]
        with tf.control_dependencies(updates):
            tf.identity(counter, name="total")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="exact"
try:
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(exact([1., 2., 4.])), name="")
    with tf.compat.v1.Session(graph=graph) as session:
        session.run("init")
        print(session.run("total:0"), session.run("total:0"))
except NotImplementedError as error:
    print(error)

# %% check="exact-safe" points=2 title="Each update is safe by itself"
import tensorflow as tf

amounts = [1., 2., 4., 8.]
answer = exact(list(amounts))
told = Told(asked=f"exact({amounts}): the ops that write the counter",
            got=f"a value of type {type(answer).__name__}",
            expected="updates that read and write in one op (or hold a tf.CriticalSection)",
            reread="section 7, Races on a variable")

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    definition = None
assert definition, told("these bytes are not a GraphDef: write graph.as_graph_def().SerializeToString()")
nodes = {node.name: node for node in definition.node}
told.got = f"a graph with {len(nodes)} ops"
assert "init" in nodes and "total" in nodes, told("an op named init or total is missing")
assert not any("PyFunc" in node.op for node in definition.node), told(
    "this graph calls Python, and checks do not run such ops")
assert not any("Call" in node.op for node in definition.node), told(
    "the work is inside a function, where the checks do not see it; write it in the graph")
needed = (before(definition, "total") | {"total"}) - before(definition, "init")
writes = [name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))]
told.got = f"the kinds of writes that total needs: {sorted({nodes[name].op for name in writes})}"
assert writes, told("total waits for no update, so all of them are pruned")

def locks_of(name):
    """The mutexes that the write and every read in front of it hold."""
    reads = [read for read in before(definition, name) if nodes[read].op == "ReadVariableOp"]
    held = lambda op: {nodes[up].input[0] for up in before(definition, op) if nodes[up].op == "MutexLock"}
    return set.intersection(*map(held, (name, *reads)))

plain = [name for name in writes if nodes[name].op not in ("AssignAddVariableOp", "AssignSubVariableOp")]
shared = set.intersection(*map(locks_of, plain)) if plain else set()
unsafe = plain if not shared else []
locked = [name for name in unsafe if locks_of(name)]
scattered = [name for name in unsafe if nodes[name].op.startswith("ResourceScatter")]
chained = [name for name in unsafe if set(before(definition, name)) & set(writes)]
assert not any(nodes[name].op in ("Assign", "AssignAdd", "AssignSub") for name in unsafe), told(
    "the counter is a variable of the old kind: leave use_resource of get_variable as it is")
assert not scattered, told("a scatter op takes a lock that several of them may hold at once")
assert not locked, told("each update holds another lock, so two of them may run at once")
assert not unsafe or chained, told("read, add, write are three ops: two updates can read the same value")
assert not unsafe, told("the updates are safe only because they wait for each other")

# %% check="exact-free" points=2 title="No update waits for another one, and total for all"
import tensorflow as tf

amounts = [5., 5., -2., 1., 3.]
answer = exact(list(amounts))
told = Told(asked=f"exact({amounts}): who waits for whom", got=f"a value of type {type(answer).__name__}",
            expected="five updates, none waits for another, and total waits for all",
            reread="section 7, Races on a variable")

def before(definition, name, control=True):
    """The ops that must have ended before the op `name` may begin; control=False: whose values it reads."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input if control or i[0] != "^"]
              for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
nodes = {node.name: node for node in definition.node}
kinds = ("Assign", "ResourceScatter")
in_init = before(definition, "init") | {"init"}
needed = (before(definition, "total") | {"total"}) - in_init
writes = {name for name in needed if nodes[name].op.startswith(kinds)}
every = {name for name in nodes if nodes[name].op.startswith(kinds)} - in_init
told.got = f"total needs {len(writes)} updates; the graph has {len(every)}"
assert len(writes) >= 5 or len(every) < 5, told(
    "total does not wait for all updates: the others are pruned")
assert len(writes) == 5, told("one update for each amount, equal amounts too")
waiting = [name for name in writes if writes & before(definition, name)]
told.got = f"{len(waiting)} updates wait for another one"
assert not waiting, told("some updates wait for others; the text asks for none that waits")
values = before(definition, "total", control=False) | {"total"}
reads = [name for name in values if nodes[name].op == "ReadVariableOp"]
early = [name for name in reads if not writes <= before(definition, name)]
told.got = f"total reads the counter by {reads}; too early: {early}"
assert reads or not any(nodes[name].op in ("Assign", "AssignAdd", "AssignSub") for name in writes), told(
    "the counter is a variable of the old kind: leave use_resource of get_variable as it is")
assert reads and not early, told("the read behind total does not wait for all updates")

# %% hidden="exact-sum" points=2 title="Many amounts, five sessions, four threads"
import tensorflow as tf

amounts = [float(draw.randrange(1, 9)) for _ in range(draw.randrange(90, 110))]
answer = exact(list(amounts))
right = sum(amounts)
told = Told(asked=f"exact of {len(amounts)} amounts, total fetched in five sessions with four threads",
            got=f"a value of type {type(answer).__name__}",
            expected=f"{right} each time, and updates that promise it",
            reread="section 7, Races on a variable")

def before(inputs, name):
    """The ops that must have ended before the op `name` may begin."""
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
nodes = {node.name: node for node in definition.node}
inputs = {name: [i.lstrip("^").split(":")[0] for i in node.input] for name, node in nodes.items()}
reads_of = {name: [i.split(":")[0] for i in node.input if i[0] != "^"] for name, node in nodes.items()}
needed = (before(inputs, "total") | {"total"}) - before(inputs, "init")
writes = {name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))}
assert not any("PyFunc" in node.op for node in definition.node), told(
    "this graph calls Python, and checks do not run such ops")
told.got = f"{len(writes)} updates"
assert len(writes) == len(amounts), told("one update for each amount, and total waits for all of them")
safe = ("AssignAddVariableOp", "AssignSubVariableOp")
plain = [name for name in writes if nodes[name].op not in safe]
guarded = plain + [op for name in plain for op in before(inputs, name) if nodes[op].op == "ReadVariableOp"]
held = [{nodes[up].input[0] for up in before(inputs, op) if nodes[up].op == "MutexLock"} for op in guarded]
told.got = f"{len(plain)} updates that are not safe by themselves"
assert not plain or set.intersection(*held), told("a right sum would be luck, or an order")
values = before(reads_of, "total") | {"total"}
early = [name for name in values if nodes[name].op == "ReadVariableOp" and not writes <= before(inputs, name)]
told.got = f"total reads by {early}"
assert not early, told("total may read the counter before all updates have ended")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(inter_op_parallelism_threads=4, use_per_session_threads=True)
values = []
for _ in range(5):
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run("init")
        values.append(float(session.run("total:0")))
told.got = f"{values}"
assert values == [right] * 5, told()
handle = graph.get_operation_by_name(next(iter(writes))).inputs[0]
with graph.as_default():
    counter = handle
    if handle.dtype == tf.resource:
        counter = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
alone = []                                               # the counter, as each update by itself leaves it
with tf.compat.v1.Session(graph=graph) as session:
    for name in sorted(writes):
        session.run("init")
        session.run(graph.get_operation_by_name(name))
        alone.append(float(session.run(counter).sum()))
told.asked = f"exact of {len(amounts)} amounts: init, then one update by itself; the counter is then"
told.got, told.expected = f"{sorted(alone)}", f"{sorted(amounts)}, each for one of the updates"
waits = any(writes & before(inputs, name) for name in writes)       # exact-free tells that
assert waits or sorted(alone) == sorted(amounts), told(
    "the sum is right, but some update does not add its own amount")

# %% hidden="exact-again" points=1 title="The counter keeps its value between runs"
import tensorflow as tf

amount = -0.5 * draw.choice([3, 5, 7, 9])
answer = exact([amount])
right = [amount, 2 * amount, 3 * amount]
told = Told(asked=f"exact([{amount}]), total fetched three times",
            got=f"a value of type {type(answer).__name__}", expected=right,
            reread="the text of exercise 3")

def before(definition, name, control=True):
    """The ops that must have ended before the op `name` may begin; control=False: whose values it reads."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input if control or i[0] != "^"]
              for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
assert not any("PyFunc" in node.op for node in definition.node), told(
    "this graph calls Python, and checks do not run such ops")
nodes = {node.name: node for node in definition.node}
needed = (before(definition, "total") | {"total"}) - before(definition, "init")
writes = {name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))}
told.got = f"total waits for {len(writes)} updates"
assert writes, told("total waits for no update, so it is pruned")
values = before(definition, "total", control=False) | {"total"}
early = [name for name in values if nodes[name].op == "ReadVariableOp"
         and not writes <= before(definition, name)]
told.got = f"total reads by {early}"
assert not early, told("total may read the counter before the update has ended")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    session.run("init")
    values = [float(session.run("total:0")) for _ in range(3)]
told.got = values
assert values != [amount] * 3, told("the counter starts anew in each run: only init may set it to 0")
assert values == right, told()
# %% [markdown]
# ## Sitting 3 · Today's form
#
# ## 8 What tf.function adds
#
# Today you write a `tf.function`. TensorFlow calls your Python once to **trace** it, that is, to write down its ops as a
# graph; later calls run the graph. While tracing, it adds **automatic control dependencies**: ops that touch
# the same variable keep the order of your lines, and ops with side effects run although nobody uses their results.
# (`autograph=False` says that there is no `if` or `while` on tensors to translate. It changes nothing else here.)

# %% grading="skip"
a, b = tf.Variable(1.), tf.Variable(0.)

@tf.function(autograph=False)
def four_lines():
    a.assign_add(3.)
    a.assign(a * 2.)
    b.assign(5.)
    tf.exp(7.)                                       # result unused, no side effect
    return a + 0.

# %% predict="auto"
# Predict: what is returned, and what is b afterwards?
returned = ...
b_afterwards = ...

# %% grading="skip"
compare_prediction("returned", returned, float(four_lines()), "a keeps the order of the lines.")
compare_prediction("b", b_afterwards, float(b), "It runs, although nobody uses it.")
traced = four_lines.get_concrete_function().graph.as_graph_def()
for node in traced.node:
    waits = [name for name in node.input if name.startswith("^")]
    if node.op.startswith(("Assign", "Read", "Exp")):
        print(f"{node.name:22} waits for {waits}")

# %% [markdown]
# Each read and write of `a` waits for the one before. `AssignVariableOp_1` writes `b`: **it waits for nobody**, and
# nobody waits for it but the end of the function (not shown). `Exp` is in this traced graph; the graph optimiser prunes
# it before the run.
#
# | in the function | session, fetch `y` | `tf.function` that returns `y` |
# | --- | --- | --- |
# | ops that `y` needs | run | run |
# | op with a side effect, result unused | **pruned** | **runs** |
# | op without side effects, result unused | pruned | pruned |
# | order of ops on one variable | none, unless you say so | the order of your lines |
#
# One trap: a Python number is a part of the *graph*, so each new number makes a new trace, which is slow. A tensor is a
# value. `input_signature` says that the argument is always a tensor, and then numbers become one:

# %% grading="skip"
@tf.function(autograph=False)
def double(x):
    return 2. * x

@tf.function(autograph=False, input_signature=[tf.TensorSpec([], tf.float32)])
def double_signed(x):
    return 2. * x

for function in (double, double_signed):
    for number in (1., 2., 3.):
        function(number)
    print("traces:", function.experimental_get_tracing_count())

# %% [markdown]
# ## 9 Where it does not help
#
# Automatic dependencies order *side effects that TensorFlow knows of*, *inside one call*. Four things are left to you.
#
# **Memory.** `fill` and `matmul` have no side effects, so nothing is added. The layers of section 4 as a `tf.function`,
# measured by the device's own count:

# %% grading="skip"
def forward(x, scales, guard):
    h = x
    for i in range(8):
        scale = scales[i]
        with tf.control_dependencies([h] if guard else []):
            big = tf.fill([512, 512], scale)
        h = tf.matmul(big, h)
    return h

def peak_of(function, *args):
    function(*args)                                  # trace it before
    tf.config.experimental.reset_memory_stats("CPU:0")
    before = tf.config.experimental.get_memory_info("CPU:0")["current"]
    function(*args)
    return (tf.config.experimental.get_memory_info("CPU:0")["peak"] - before) / 2**20

# %% grading="skip"
x, scales = tf.ones([512, 1]), tf.fill([8], 1 / 512)
for guard in (False, True):
    function = tf.function(forward, autograph=False)
    try:
        found = [f"{peak_of(function, x, scales, guard):.1f}" for _ in range(5)]
        print(f"guard={guard!s:5}: peaks {' '.join(found)} MiB")
    except ValueError:                               # older AMD processors, and others
        print("Here TensorFlow does not count the CPU's bytes: it does so with oneDNN alone.")
        print("If it has that, the environment variable TF_ENABLE_ONEDNN_OPTS=1 turns it on.")
        break

# %% [markdown]
# So reason one stays your job in a `tf.function`, too. (Where *training* needs too much memory, the large values are the
# activations that the backward pass reads again. For them there is `tf.recompute_grad`, which forgets and recomputes
# them, lesson 03; and XLA, `tf.function(jit_compile=True)`, which fuses ops so that some values never lie in memory.)
#
# **Two calls at once.** A call keeps its own order. Two Python threads that call the same function race. Again
# we force the bad order with a meeting:

# %% grading="skip"
v = tf.Variable(0.)
barrier = threading.Barrier(2, timeout=30)

def meet_halfway(value):
    barrier.wait()
    return value

@tf.function(autograph=False)
def bump():
    old = tf.numpy_function(meet_halfway, [v.read_value()], tf.float32)
    v.assign(tf.ensure_shape(old, []) + 1.)

# %% grading="skip"
callers = [threading.Thread(target=bump) for _ in range(2)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
print("Two calls, and v is", v.numpy())

# %% [markdown]
# The same can happen in `dataset.map(f, num_parallel_calls=4)`, and when two workers train on one parameter server
# (lesson 09). The cure is the same as well: `assign_add`, or a `tf.CriticalSection`, made once, outside the function. But
# look at what the section waits for: it ends when what you *return* from it is there. A write that the result does not
# wait for may come too late:

# %% grading="skip"
def send(number):
    time.sleep(0.02)                                 # the value is 20 ms on its way
    return number

def add_in_section(value, wait):
    new = value.read_value() + 1.
    sent = tf.numpy_function(send, [new], tf.float32, stateful=False)  # more on this below
    written = value.assign(tf.ensure_shape(sent, []))
    with tf.control_dependencies([written] if wait else []):
        return tf.identity(new)

# %% grading="skip"
def four_calls(wait):
    value = tf.Variable(0.)
    section = tf.CriticalSection()

    @tf.function(autograph=False)
    def add():
        return section.execute(lambda: add_in_section(value, wait))

    add.get_concrete_function()                      # trace it before
    four_threads(add)
    return float(value)

for wait in (False, True):
    print(f"the result waits for the write: {wait!s:5} | after 4 calls:", four_calls(wait))

# %% [markdown]
# **A side effect that TensorFlow does not know.** Each kind of op says whether it is *stateful*, that is, whether it does
# more than compute a value from its inputs. Writing a file is stateful. *Reading* one is not, as TensorFlow sees it:

# %% grading="skip"
import os
import tempfile

@tf.function(autograph=False)
def write_and_read(path, text):
    tf.io.write_file(path, text)
    return tf.io.read_file(path)

folder = tempfile.TemporaryDirectory()
path = os.path.join(folder.name, "report.txt")

# %% predict="stale-file"
# Predict: 100 calls, each with a new text. How many of them bring the text just written?
fresh_reads = ...

# %% grading="skip"
def count_fresh(function):
    tf.io.write_file(path, "at first")
    fresh = 0
    for number in range(100):
        text = tf.constant(str(number))
        fresh += bool(function(tf.constant(path), text) == text)
    return fresh

seen = count_fresh(write_and_read)
compare_prediction("fresh of 100", fresh_reads, seen, "Nothing makes the read wait for the write.")

# %% [markdown]
# (On a machine with a single core it may be 100 by luck.) The traced graph shows no arrow between the two. Say it
# yourself:

# %% grading="skip"
@tf.function(autograph=False)
def write_then_read(path, text):
    written = tf.io.write_file(path, text)
    with tf.control_dependencies([written]):
        return tf.io.read_file(path)

for function in (write_and_read, write_then_read):
    graph = function.get_concrete_function(tf.constant(path), tf.constant("")).graph
    for node in graph.as_graph_def().node:
        if node.op in ("WriteFile", "ReadFile"):
            print(f"{node.op:10} inputs: {list(node.input)}")
print("fresh of 100, with the dependency:", count_fresh(write_then_read))

# %% [markdown]
# `tf.io.matching_files`, which lists files, is not stateful either. And TensorFlow takes your word for a Python function:
# `tf.numpy_function(f, …, stateful=False)` is neither ordered nor kept.
#
# **Python itself.** `print` and `list.append` run while the function is *traced*, in Python's order, and never again.
# Use `tf.print` and variables.
#
# There is also **too much order**. Stateful ops that touch no variable, such as Python functions, are put one behind the
# other, even if they could overlap: two calls of `slow_fetch` in one `tf.function` take 0.2 s. Here, that is what
# section 5 wanted; for two independent downloads it is a pity. A function that only computes may say so, with
# `stateful=False`.

# %% [markdown]
# ## 10 Then and now
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | `tf.control_dependencies([op])` in a graph | the same, inside a `tf.function`; in eager mode it does nothing, because ops run line by line |
# | `tf.group(a, b)`; `tf.tuple([...])` | rarely needed: write the lines |
# | `session.run([loss, train])` | call a function that does both |
# | `tf.get_collection(UPDATE_OPS)` as dependencies of the train op | automatic: updates are side effects |
# | `tf.assign(v, ...)`, order up to you | `v.assign(...)`, ordered inside a function |
# | `ConfigProto(inter_op_parallelism_threads=n)` | `tf.config.threading.set_inter_op_parallelism_threads(n)`, before the first op |
# | `ConfigProto(intra_op_parallelism_threads=n)` | `tf.config.threading.set_intra_op_parallelism_threads(n)`, before the first op |
# | `tf.py_func(f, ...)` | `tf.numpy_function(f, ...)` or `tf.py_function(f, ...)` |
# | `RunMetadata.step_stats` | the profiler, `tf.profiler.experimental` |
# | a hand-made order to save memory in training | `tf.recompute_grad`, `tf.function(jit_compile=True)` (XLA) |

# %% [markdown]
# ## 11 Break it and diagnose it
#
# Two mistakes, and the real errors. First: **waiting in a circle**. `get` takes a value out of an empty queue
# (lesson 04); `put`, which would put one in, waits for `get`. Nothing can start. A timeout turns the hang into an
# error:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    queue = v1.FIFOQueue(1, tf.float32, shapes=[[]])
    get = queue.dequeue(name="get")
    with tf.control_dependencies([get]):
        put = queue.enqueue(1., name="put")
try:
    with v1.Session(graph=graph) as session:
        session.run([get, put], options=v1.RunOptions(timeout_in_ms=500))
except tf.errors.DeadlineExceededError as error:
    print(type(error).__name__, "|", error.message.splitlines()[-1])

# %% [markdown]
# The message does not say who waits for whom. Ask the graph: which of the fetched ops block, and who unblocks them?
# `put` unblocks `get`; its inputs say `^get`. There is the circle. Let `put` wait for nothing.
#
# A circle made of edges alone, in an edited `GraphDef`, is found at once, without any timeout.
#
# Second: **too late for threads**. They are made at the first op.

# %% grading="skip"
try:
    tf.config.threading.set_inter_op_parallelism_threads(1)
except RuntimeError as error:
    print("RuntimeError |", error)

# %% [markdown]
# | you see | ask | cure |
# | --- | --- | --- |
# | no error, the side effect did not happen | does the fetch reach the op? | fetch it, or let what you fetch wait for it |
# | no error, an old value comes back | was the *read* created inside the scope? is it a read that TensorFlow orders? | read inside the scope |
# | results differ from run to run | which two ops touch one variable or file, with no arrow between? | one op, an order, or a critical section |
# | the memory peak differs from run to run | what may start long before it is needed? | let it wait for the step before |
# | right, but slow, cores idle | who waits for whom without need? are all threads waiting? | remove dependencies; more inter-op threads |
# | *Timed out waiting for notification* | which op blocks, and does its helper wait for it? | break the circle |
# | *N nodes in a cycle*, *contains a cycle* | which `^` was added last? | remove it |
# | *is not an element of this graph* | where was this op created? | build everything in one graph |
# | *cannot be modified after initialization* | did an op run first? | restart, set threads first |
#
# ## Back to the service
#
# The service at the beginning had three faults, and you can name them all. The counter was read, added to and written
# in three ops by four threads: a **race**; `assign_add` cures it (section 7). The report was read without an arrow from
# the write, since TensorFlow does not order reads of files: a **control dependency** cures it (section 9). And on more
# cores, more large values were made before they were needed: let each wait for the step before, and the peak is a
# promise (section 4). None of them raised an error, and all of them passed the tests by luck.
#
# ## Recap
#
# 1. A session runs what the fetch needs. A `tf.function` also runs every side effect that TensorFlow knows of.
# 2. Without arrows there is no order; the order that you see is luck. A control dependency is an arrow without a value.
# 3. A scope holds for the ops that are created in it. A tensor from outside does not wait.
# 4. Two reasons: keep a large value from being made before it is needed; keep ops from sharing a slow line, or from
#    being early for a slow value.
# 5. Ops on one device may overlap, up to the inter-op threads. A race on a variable is cured by one op, an order, or
#    a critical section; automatic dependencies cure it only inside one call.
#
# | question | where the answer is |
# | --- | --- |
# | What ran, when, on which device? | `RunMetadata.step_stats` |
# | How many bytes were alive? | the allocation records in there; `tf.config.experimental.get_memory_info` |
# | Who waits for whom? | the inputs with `^` in the `GraphDef` |
# | Did two ops overlap? | their spans; for certain, let them meet |
# | What does a `tf.function` add? | `f.get_concrete_function().graph` |
#
# **Read on:** lesson 06, *Clusters*: the same graphs over several processes. Lesson 04 has the queues. Lesson 09 meets
# races again, as stale gradients.

# %% [markdown] exercise="update"
# ### Exercise 4 · A value that several threads change
#
# `scaled(old, factor)` below gives `old * factor`, and takes 20 ms for it, as if it asked another machine. There is no
# single op that reads a variable, scales it and writes it, so the update has three parts again.
#
# Write `make_update(value)`. It gets a scalar float32 `tf.Variable` and returns a `tf.function`, `update(factor)`,
# that
#
# * sets `value` to `scaled(value, factor)` {#1}, and calls `scaled` once for it {#2};
# * returns the new value, the one that this very call has written {#3};
# * may be called by several threads at the same time, and no update is lost {#4};
# * is traced once, whatever the factors are, also if they are Python numbers {#5}.
#
# Example: `value` is 3. After `update(2.)`, which returns 6, and `update(4.)`, which returns 24, it is 24. `updated` in
# the stub calls your function from threads, for you and for the checks.

# %%
scaled_calls = []

def scale_slowly(old, factor):
    scaled_calls.append([float(old), float(factor)])
    time.sleep(0.02)
    return np.float32(old * factor)

def scaled(old, factor):
    """A tensor: old * factor, 20 ms later."""
    return tf.ensure_shape(tf.numpy_function(scale_slowly, [old, factor], tf.float32), [])

# %% solution="update" kind="today"
def make_update(value):
    """Make a tf.function that scales a variable, safely from several threads.

    Args:
        value: a tf.Variable, scalar, float32.
    Returns:
        a tf.function: update(factor) scales the variable and returns the new value.
    """
    ### BEGIN SOLUTION
    section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        def scale():
            new = scaled(value.read_value(), factor)
            with tf.control_dependencies([value.assign(new)]):
                return tf.identity(new)           # the section ends when this is there

        return section.execute(scale)

    return update
    ### END SOLUTION

def updated(start, factors, at_once):
    """Given, for the checks: your update, called with each factor; at_once: in threads."""
    value = tf.Variable(start, dtype=tf.float32)
    update = make_update(value)
    kind = type(tf.function(make_update))                # its methods are asked, not the object's own
    is_traced = type(update) is kind
    late = []
    if is_traced:
        traced = kind.get_concrete_function(update, tf.TensorSpec([], tf.float32))
        late = reads_after_release(traced.graph.as_graph_def())
    scaled_calls.clear()
    returned = []
    failed = []

    def call(factor):
        try:
            returned.append(float(update(factor)))
        except Exception as error:
            failed.append(f"{type(error).__name__}: {error}"[:200])

    if at_once:
        threads = [threading.Thread(target=call, args=(factor,)) for factor in factors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    else:
        for factor in factors:
            call(factor)
    traces = kind.experimental_get_tracing_count(update) if is_traced else None
    return {"value": float(value), "returned": returned, "calls": sorted(scaled_calls),
            "traces": traces, "read after release": late, "failed": failed}

# %% try="update"
try:
    print(updated(3., [2., 4.], at_once=False))
    print(updated(3., [2., 4., 0.5, 8.], at_once=True))
except NotImplementedError as error:
    print(error)

# %% check="update-alone" points=2 title="One call after the other: value, result, one call of scaled"
got = updated(3., [2., 4., 0.5], False)
told = Told(asked="three calls one after the other, value 3, factors 2, 4, 0.5", got=got,
            expected="value 12.0, returned [6.0, 24.0, 12.0], scaled called once for each",
            reread="the text of exercise 4")
assert got["traces"] is not None, told("make_update does not return a tf.function")
assert not got["failed"], told("the call raised an error")
assert got["value"] != 3, told("the variable keeps its first value: nothing writes it")
assert got["returned"] != [3, 6, 24], told("it returns the value from before the update")
assert got["value"] == 12, told()
assert got["returned"] == [6, 24, 12], told(
    "the variable is right, and what is returned is not its new value")
assert len(got["calls"]) == 3, told("scaled is called more than once in one update")
assert got["calls"] == [[3, 2], [6, 4], [24, 0.5]], told(
    "scaled is given something else than the variable's value and the factor")

# %% check="update-together" points=2 title="Four threads at the same time: no update is lost"
factors = [2., 4., 8., 16.]
for _ in range(2):                                   # luck does not last
    got = updated(3., list(factors), True)
    if got["value"] != 3072:
        break
in_turn = got if got["value"] == 3072 else updated(3., list(factors), False)
told = Told(asked=f"four threads at the same time, value 3, factors {factors}", got=got,
            expected="value 3072.0; one of the returned values is 3072.0 too",
            reread="section 9, Where it does not help")
assert got["traces"] is not None, told("make_update does not return a tf.function")
assert not got["failed"], told("a call raised an error")
assert len(got["returned"]) == 4, told("some calls never returned")
assert got["value"] != 3, told("the variable keeps its first value: nothing writes it")
assert in_turn["value"] == 3072, told()              # wrong without other threads, too: nothing got lost
assert got["value"] == 3072, told("updates are lost: a call read the value before the write of another one")
assert len(set(got["returned"])) == 4 and 3072 in got["returned"], told(
    "the variable is right, but what the calls return is not what each of them has written")
olds = {old for old, _ in got["calls"]}
assert olds >= {3, *sorted(got["returned"])[:-1]}, told(
    "scaled is given a value that the variable no longer has, or never had")

# %% hidden="update-many" points=2 title="Other factors, more threads"
start = float(draw.randrange(2, 7))
factors = [2. ** draw.randrange(1, 4) for _ in range(draw.randrange(6, 9))]
right = start
for factor in factors:
    right = right * factor
for _ in range(3):                                   # luck does not last
    got = updated(start, list(factors), True)
    if got["value"] != right:
        break
in_turn = got if got["value"] == right else updated(start, list(factors), False)
told = Told(asked=f"{len(factors)} threads at the same time, value {start}, factors {factors}", got=got,
            expected=f"value {right}; scaled called {len(factors)} times; each its own result",
            reread="section 9, Where it does not help")
assert got["traces"] is not None, told("make_update does not return a tf.function")
assert not got["failed"] and len(got["returned"]) == len(factors), told()
assert got["value"] != start, told("the variable keeps its first value: nothing writes it")
assert in_turn["value"] == right, told()             # wrong without other threads, too: nothing got lost
assert got["value"] == right, told("updates are lost: a call read the value before the write of another one")
assert len(got["calls"]) == len(factors), told("scaled is called more than once in one update")
assert not got["read after release"], told(
    "a call reads the variable after it let others in: what it returns may be what another call has written")
chain = sorted(got["returned"])
ratios = sorted(new / old for old, new in zip([start, *chain], chain))
assert ratios == sorted(factors), told("a call returns a value that another call has written")
assert [old for old, _ in got["calls"]] == [start, *chain[:-1]], told(
    "scaled is given a value that the variable no longer has, or never had")

# %% hidden="update-traced" points=1 title="Traced once, also for Python numbers"
factors = [1. + draw.randrange(1, 9) / 8 for _ in range(3)]
factors = [factors[0], factors[0] + 2, factors[0] + 4]
got = updated(2., list(factors), False)
told = Told(asked=f"calls with the Python numbers {factors}, one after the other", got=got,
            expected="one trace, and each factor used", reread="section 8, What tf.function adds")
assert got["traces"] is not None, told("make_update does not return a tf.function")
assert not got["failed"], told("a call raised an error")
assert got["traces"] == 1, told("a Python number is a part of the graph: each new one makes a new trace")
assert set(factors) <= {factor for _, factor in got["calls"]}, told()

# %% [markdown] exercise="replace"
# ### Exercise 5 · Replace a file, and be sure
#
# Write the `tf.function` `replace(path, text)` for a file that exists. In each call it
#
# * writes what is in the file before the call to a second file, a copy, whose name is `path` and then `.old` {#1};
# * after that, writes `text` to the file `path` {#2};
# * returns a tuple of three tensors: what was in the file before the call {#3}; what is in it afterwards, **read back
#   from the disk** {#4}; and how many files there are whose names begin with `path`, found by
#   `tf.io.matching_files` (its pattern: `path` and then `*`) after both writes {#5}.
#
# All of this must hold in every call, not only by luck {#6}. Use the ops of `tf.io`, no Python function.
#
# Example: the file holds `one`. `replace(path, "two")` returns `one`, `two` and 2 (the file and its copy).

# %% solution="replace" kind="today"
@tf.function(autograph=False)
def replace(path, text):
    """Replace what is in a file, keep a copy, and read it back.

    Args:
        path: scalar string tensor, the file, which exists.
        text: scalar string tensor, what it shall hold.
    Returns:
        tuple of tensors: what was in it (string), what is in it (string), number of files (int32).
    """
    ### BEGIN SOLUTION
    before = tf.io.read_file(path)
    copied = tf.io.write_file(tf.strings.join([path, ".old"]), before)
    with tf.control_dependencies([copied]):
        written = tf.io.write_file(path, text)
    with tf.control_dependencies([written]):
        after = tf.io.read_file(path)
        files = tf.io.matching_files(tf.strings.join([path, "*"]))
    return before, after, tf.size(files)
    ### END SOLUTION

def replaced(texts, others=0, keeps=True):
    """Given, for the checks: your function, once for each text, on a file that holds "first".

    Beside it are so many others whose names begin like its own. If it does not keep what is
    written, it is empty whenever it is read.
    """
    results = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report")
        if keeps:
            tf.io.write_file(path, "first")
        else:
            os.symlink(os.devnull, path)
        for number in range(others):
            tf.io.write_file(f"{path}.{number}", "")
        for text in texts:
            before, after, files = replace(tf.constant(path), tf.constant(text))
            copy = path + ".old"
            old = tf.io.read_file(copy).numpy().decode() if os.path.exists(copy) else None
            now = tf.io.read_file(path).numpy().decode()
            results.append([before.numpy().decode(), after.numpy().decode(), int(files), old, now])
    text = tf.TensorSpec([], tf.string)
    kind = type(tf.function(replaced))
    if type(replace) is not kind:
        raise TypeError("replace is not a tf.function")
    traced = kind.get_concrete_function(replace, text, text)
    return {"results": results, "nodes": opened_nodes(traced.graph.as_graph_def())}

# %% try="replace"
try:
    print(replaced(["second", "third"])["results"])
except NotImplementedError as error:
    print(error)

# %% check="replace-files" points=2 title="What is in the file and in its copy afterwards"
texts = ["two", "three", "four", "five"] * 5
got = replaced(list(texts))
told = Told(asked=f"{len(texts)} calls, with {texts[:4]} and so on, on a file that holds 'first'", got="",
            expected="in the file: two, three, ...; in its copy: first, two, ...; and so the first results",
            reread="the text of exercise 5")
assert not any("PyFunc" in op for _, op, _ in got["nodes"]), told(
    "a Python function is called from the graph, which does not see what it reads and writes")
was = "first"
for text, (before, after, files, copy, now) in zip(texts, got["results"]):
    told.got = f"call with {text!r}: the file holds {now!r}, its copy {copy!r}; first result {before!r}"
    assert now == text, told("the text is not in the file after the call")
    assert copy is not None, told("there is no copy, path and then .old")
    assert copy != text, told("the copy holds the new text: it is made from the file after it was replaced")
    assert copy == was, told()
    assert before == was, told("the copy is right, but the first result is not what was in the file before")
    was = text

# %% check="replace-read" points=2 title="What is read back, and counted, after the writes"
texts = [f"text {number}" for number in range(40)]
got = replaced(list(texts))
nodes = {name: (op, inputs) for name, op, inputs in got["nodes"]}

def before(name):
    """The ops that must have ended before the op `name` may begin."""
    found, todo = set(), [name]
    while todo:
        new = set(nodes.get(todo.pop(), ("", []))[1]) - found
        found |= new
        todo += new
    return found

rows = got["results"]
stale = [row[:3] for row, text in zip(rows, texts) if row[1] != text]
miscounted = [row[:3] for row in rows if row[2] != 2]
writes = {name for name, (op, _) in nodes.items() if op == "WriteFile"}
reads = [name for name, (op, _) in nodes.items() if op == "ReadFile"]
lists = [name for name, (op, _) in nodes.items() if op == "MatchingFiles"]
late = [name for name in reads if writes <= before(name)]
told = Told(asked="40 calls in a row, each with a new text; and the arrows of the traced graph",
            got=f"{len(stale)} times the file read back is not the new text, such as {stale[:1]}; "
                f"{len(miscounted)} times not 2 files, such as {miscounted[:1]}; {len(writes)} writes, "
                f"{len(reads)} reads, {len(late)} of them after the writes; files listed by {lists}",
            expected="the new text each time, and 2 files; by arrows, not by luck",
            reread="section 9, Where it does not help")
assert not any("PyFunc" in op for op, _ in nodes.values()), told(
    "a Python function is called from the graph, which does not see what it reads and writes")
assert writes, told("nothing is written by tf.io.write_file")
assert late or not reads or len(reads) > 1, told(
    "the file is not read again after the writes")
assert late, told(
    "no arrow makes a read wait for both writes: what is read back is luck")
assert not stale, told("the file is not read back after it was written")
assert lists, told("the files are not counted by tf.io.matching_files")
assert all(writes <= before(name) for name in lists), told(
    "no arrow makes the count wait for both writes")
assert not miscounted, told(
    "the files are not counted after both writes, or not those that begin with path")
told.asked, told.expected = "a call where three more files begin with path", "5 files"
told.got = f"{replaced(['new'], 3)['results'][0][2]} files"
assert told.got == told.expected, told("the number returned is not that of the files that were found")

# %% hidden="replace-other" points=2 title="Other texts, empty and equal ones too"
word = "".join(draw.choice("abcdefgh") for _ in range(6))
texts = [word, "", word * 3, word * 3, "x"] * 4
got = replaced(list(texts))
told = Told(asked=f"calls with {texts[:5]}, four times; before, the copy, the file",
            got="", expected="", reread="the text of exercise 5")
assert not any("PyFunc" in op for _, op, _ in got["nodes"]), told(
    "a Python function is called from the graph, which does not see what it reads and writes")
was = "first"
for number, (row, text) in enumerate(zip(got["results"], texts)):
    before, _, _, copy, now = row
    told.got = f"call {number}: {[before, copy, now]}"
    told.expected = f"call {number}: {[was, was, text]}"
    assert now == text, told("the text is not in the file after the call")
    assert [before, copy] == [was, was], told()
    was = text
told.asked, told.expected = f"a call with {word!r} and a file that keeps nothing: what is read back", "''"
told.got = repr(replaced([word], 0, False)["results"][0][1])
assert told.got == told.expected, told("what is returned as read back does not come from the disk")

# %% hidden="replace-order" points=1 title="The copy is made before the file is replaced"
got = replaced(["second"])
nodes = {name: (op, inputs) for name, op, inputs in got["nodes"]}

def before(name):
    """The ops that must have ended before the op `name` may begin."""
    found, todo = set(), [name]
    while todo:
        new = set(nodes.get(todo.pop(), ("", []))[1]) - found
        found |= new
        todo += new
    return found

def target(name):
    """The op that makes the file name for the write `name`; it may come through copies."""
    name = nodes[name][1][0]
    while nodes.get(name, ("", []))[0] == "Identity":
        name = nodes[name][1][0]
    return name

writes = [name for name, (op, _) in nodes.items() if op == "WriteFile"]
data = {name: nodes[name][1][:2] for name in writes}
told = Told(asked="the arrows of the traced graph", got=f"{len(writes)} writes: {data}",
            expected="the copy is written first, and the file is written after it",
            reread="the text of exercise 5")
assert got["results"][0][3:] == ["first", "second"], told(
    "the file and its copy do not hold what they should")
assert len(writes) == 2, told("there are not two writes in the graph")
first = [name for name in writes if not set(writes) & before(name)]
told.got = f"written first: {data.get(first[0]) if first else None}"
assert len(first) == 1, told("the two writes do not wait for each other")
assert target(first[0]) != "path", told("the file is replaced first, and its copy is written later")

# %% [markdown] exercise="wait_or_not"
# ### Exercise 6 · In your own words
#
# A colleague puts `with tf.control_dependencies(...)` around every layer of a network, "so that everything runs in
# order, it is safer". Explain in four to seven sentences: what a control dependency does, the two good reasons for
# one, and what the colleague loses. Say also why the same colleague does not need any of them to keep the writes to
# a variable in order inside one `tf.function`.

# %% [markdown] written="wait_or_not" points=3
# ### BEGIN SOLUTION
# A control dependency makes an op wait until another has ended. It carries no value.
# ### END SOLUTION

# %% [markdown] model="wait_or_not"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# A control dependency makes an op wait until another op has ended, without using its value. It can change a result
# only where the two touch the same state, such as a variable or a file: then it says which of them comes first. One
# good reason is memory: a large value that is needed late should not be made early, so it waits for the op before its
# use. The other is something slow: ops that share a disk, a network line or another device go one after the other,
# and what needs a slow value is not begun before that value is there. Layers that read each other's results are in
# order anyway, through their data; a dependency adds nothing there. Between ops that do not need each other it takes
# away the chance to run at the same time, to fetch ahead, and to use idle cores. Inside one `tf.function` TensorFlow
# adds control dependencies by itself, between ops that touch the same variable, in the order of the lines.
#
# One point each: what it does, and both reasons; what is lost (overlap, prefetching); automatic control dependencies.
# </details>
