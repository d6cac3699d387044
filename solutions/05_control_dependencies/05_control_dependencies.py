# %% [markdown]
# # Lesson 05 · Control dependencies
#
# After this lesson you can
#
# 1. say which ops of a graph run, and in which order they may run, in a session and in a `tf.function`;
# 2. make an op wait with a control dependency, for its two good reasons, and measure what that does;
# 3. say whether two ops on one device run at the same time, and find and cure a race on a variable.
#
# **Time:** about 110 minutes, of which 55 are exercises. Two sittings are better: after section 6 is a place to stop.
#
# **Hardware:** CPU only; two logical CPU devices. Cells marked *GPU extra* use a GPU if there is one; they are never
# graded.
#
# Seven grey cells come first. They are folded, because you need not read them. Run all seven.

# %% include="quiet_start.py" devices=2

# %% include="checks.py"

# %% include="run_record.py" grading="skip"

# %% include="schedule_picture.py" grading="skip"

# %% include="placement_record.py" grading="skip"

# %% include="timeline.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![Two graphs, one above the other, each with a bar chart of the memory in use. Above: make 1, make 2 and make 3 have no arrows to each other and each sends a value to use 1, use 2 and use 3, which form a chain. All three values are made at once and the memory bar is three blocks high. Below: the same graph with two dashed arrows, from use 1 to make 2 and from use 2 to make 3. The values are made one at a time and the memory bar is never more than one block high.](assets/05_wait_for.svg)
#
# A solid arrow is **data**: the reader needs the value. A dashed arrow is a **control dependency**: "do not begin
# before that op has ended". No value travels along it. The results above and below are the same. The memory is not.
#
# ## 1 Only what the fetch needs runs
#
# Start with the classic form: a graph is written down first, and a session runs a part of it. The graph below has an op
# with a **side effect**: `count` changes the variable `v`. (`run_recorded` runs the op `init` first, then what you
# fetch. It comes from the grey cell "Run record".)

# %%
v1 = tf.compat.v1

# %% grading="skip"
with tf.Graph().as_default() as graph:
    v = v1.get_variable("v", initializer=0.)
    tf.group(v.initializer, name="init")
    x = tf.constant(3., name="x")
    y = tf.square(x, name="y")
    unused = tf.exp(y, name="unused")
    count = v.assign_add(1., name="count")

# %% predict="pruned"
# Predict: you fetch y. Which of the ops x, y, unused, count run? And what is v afterwards?
ops_that_run, v_afterwards = ["..."], ...

# %% grading="skip"
value, metadata = run_recorded(graph, "y:0")
print("y is", value, "| ran:", ran(metadata))
with v1.Session(graph=graph) as session:
    session.run("init")
    session.run("y:0")
    print("v is", session.run(v))

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

def eight_notes(in_order):
    with tf.Graph().as_default() as graph:
        notes = []
        for i in range(8):
            with tf.control_dependencies(notes[-1:] if in_order else []):
                notes.append(tf.numpy_function(note, [i], tf.float32, name=f"note_{i}"))
        tf.group(notes, name="all")
    return graph

# %% predict="free-order"
# Predict: the ops were created in the order 0 to 7. In which order do they run? Always the same?
order, same_each_time = "...", ...

# %% grading="skip"
for attempt in range(4):
    journal.clear()
    run_recorded(eight_notes(in_order=False), "all", threads=4)
    print(journal)

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
# Predict for each form: does train run? Which loss comes back: the old one, 4.0, or the new one, 1.0?
returned = {"return loss": ("train runs?", ...), "return tf.identity(loss)": ("train runs?", ...),
            "compute it again": ("train runs?", ...)}

# %% grading="skip"
for form in ("return loss", "return tf.identity(loss)", "compute it again"):
    graph, v, fetch = training_step(form)
    with v1.Session(graph=graph) as session:
        session.run("init")
        print(f"{form:26} gives {session.run(fetch)}, and v is then {session.run(v)}")

# %% [markdown]
# * `return loss`: `loss` was created **outside**. The scope gives it nothing, and `train` never runs. No error.
# * `tf.identity(loss)`: the *copy* waits for `train`, so `train` runs. The value it copies was worked out before.
# * Computed again: the read itself is inside the scope. This is the new loss.
#
# **The scope counts for ops, at the moment of their creation. It does nothing to a tensor that you already have.**
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
        scale = v1.placeholder(tf.float32, [], name="scale")
        steps = []
        for i in range(n):
            with tf.control_dependencies(wait_for(i, steps)):
                big = tf.fill([512, 512], scale, name=f"big_{i}")
            h = tf.matmul(big, h, name=f"step_{i}")
            steps.append(h)
    return graph

feed = {"x:0": np.ones([512, 1], np.float32), "scale:0": np.float32(1 / 512)}

# %% predict="peak-free"
# Predict: how many MiB are alive at the worst moment: about 1, about 4, about 8? The same in each run?
peak_mebibytes, same_in_each_run = ..., ...

# %% grading="skip"
run_recorded(layers(8), "step_7:0", feed)     # the first run also starts threads: look at the second
value, metadata = run_recorded(layers(8), "step_7:0", feed)
draw_schedule(metadata, "No control dependencies")

# %% [markdown]
# The upper picture shows when each op ran. The lower one comes from the **allocation records** in the step statistics:
# each time an op takes memory or gives it back, TensorFlow notes the moment and the bytes. `big` ops run long before
# their `step` is ready for them, and wait in memory.
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
    graph = layers(8, wait_for)
    runs = [run_recorded(graph, "step_7:0", feed, threads)[1] for _ in range(5)]
    return [f"{peak_bytes(metadata) / 2**20:.1f}" for metadata in runs]

for threads in (1, 2, 4):
    free, guarded = peaks(lambda i, steps: [], threads), peaks(one_at_a_time, threads)
    print(f"threads: {threads} | free: {' '.join(free)} | guarded: {' '.join(guarded)} MiB")

# %% [markdown]
# Free, the peak depends on threads and luck. Guarded, it is a **promise**: 1 MiB in every run.
#
# The price: while a step works, nobody may make the next matrix. So give it a head start of one. `big_i` waits for the
# step *two* before it, and two matrices may be alive: one in use, one being made. This is **prefetching**.

# %% predict="prefetch"
# Predict: which step must each of these wait for, if two may be alive? ("none" is an answer)
waits_for = {"big_0": "...", "big_1": "...", "big_2": "...", "big_3": "..."}

# %% grading="skip"
def two_at_a_time(i, steps):
    return steps[i - 2:i - 1] if i >= 2 else []

_, metadata = run_recorded(layers(8, two_at_a_time), "step_7:0", feed)
draw_schedule(metadata, "big_i waits for the step two before it")
for node in layers(5, two_at_a_time).as_graph_def().node:
    if any(name.startswith("^") for name in node.input):
        print(f"{node.name:11} waits for {node.input[0]}")

# %% [markdown]
# Compare the three pictures: free, the matrices pile up; one at a time, steps and matrices take turns; with a head start
# of one, a step and the next matrix can overlap, and the peak is still a promise.
#
# **Change it:** let three be alive. Change `two_at_a_time`, predict the lines that are printed, then run.
#
# <details><summary>What you see then</summary>
#
# `return steps[i - 3:i - 2] if i >= 3 else []`. Now `big_3` waits for `step_0` and `big_4` for `step_1`, and the peak is
# at most 3 MiB.
# </details>
#
# ## 5 Second reason: something slow
#
# Some ops mostly *wait*: for a disk, for a network, for another device. If four of them start at once, they share one
# slow line, and each of them holds a thread. Here each `fetch_i` stands for such a wait: it takes 0.1 s, and counts how
# many are open at the same moment.

# %% grading="skip"
import threading, time
open_now, most_open, door = 0, 0, threading.Lock()

def slow_fetch(number):
    global open_now, most_open
    with door:
        open_now += 1
        most_open = max(most_open, open_now)
    time.sleep(0.1)                                           # stands for a disk or a network
    with door:
        open_now -= 1
    return np.float32(number)

# %% grading="skip"
def four_fetches(one_by_one):
    with tf.Graph().as_default() as graph:
        fetched = []
        for i in range(4):
            with tf.control_dependencies(fetched[-1:] if one_by_one else []):
                fetched.append(tf.numpy_function(slow_fetch, [i], tf.float32, name=f"fetch_{i}"))
        tf.add_n(fetched, name="total")
    return graph

# %% predict="open"
# Predict, for two threads: how many fetches are open at the worst moment, free and one by one?
most_open_free, most_open_one_by_one = ..., ...

# %% grading="skip"
for one_by_one in (False, True):
    for threads in (2, 4):
        most_open = 0
        total, metadata = run_recorded(four_fetches(one_by_one), "total:0", threads=threads)
        print(f"one by one: {one_by_one!s:5} | {threads} threads | most open: {most_open}, total {total}")

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
# control dependency may cross devices, even machines. TensorFlow then sends a *signal* instead of a value. (`x` is the
# value that you fed.)

# %% grading="skip"
for node in nodes_of(metadata):
    if node.op == "_Send":
        what = "a signal" if "/ctrl/" in node.input[0] else "a value"
        print(f"{what:8} {plain(node.input[0]):12} {short_device(node.attr['send_device'].s.decode())} ->",
              short_device(node.attr["recv_device"].s.decode()))

# %% [markdown]
# ## 6 Two ops on one device
#
# Can two ops on **one** device run at the same time? Times alone do not prove it. So let two ops *meet*: each waits until
# the other has begun too. If ops of one device run one after the other, they can never meet.

# %% grading="skip"
def let_two_meet(threads, seconds):
    barrier = threading.Barrier(2)

    def arrive():
        try:
            barrier.wait(seconds)
            return b"met"
        except threading.BrokenBarrierError:
            return b"gave up"
    with tf.Graph().as_default() as graph, tf.device("/device:CPU:0"):
        ops = [tf.numpy_function(arrive, [], tf.string, name=name) for name in "ab"]
    return run_recorded(graph, ops, threads=threads)[0]

# %% predict="meet"
# Predict: both ops are pinned to CPU:0. Do they meet with two inter-op threads? With one?
meet_with_two, meet_with_one = ..., ...

# %% grading="skip"
print("2 threads:", let_two_meet(2, seconds=30))
print("1 thread: ", let_two_meet(1, seconds=1))

# %% [markdown]
# Yes: **a device is not a queue**. On one CPU device, ops that do not wait for each other run at the same time, up to the
# number of **inter-op** threads. With one thread they cannot.
#
# **Change it:** let *three* ops meet (`Barrier(3)`, `"abc"`). How many threads do they need? Predict, then run, with one
# second to wait.
#
# <details><summary>What you see then</summary>
#
# Three. With two threads two ops wait in vain, and the third one finds the meeting given up.
# </details>
#
# There is a second number. One large op, such as a matmul, is cut into pieces for several **intra-op** threads.
#
# | | inter-op threads | intra-op threads |
# | --- | --- | --- |
# | run | different ops at the same time | the pieces of one op at the same time |
# | help | wide graphs, ops that wait | large matrices |
# | belong to | a session, with `use_per_session_threads=True` | the process: its first session or op decides |
# | 0 means | TensorFlow chooses: the number of cores | the same |
#
# In a `ConfigProto` they are `inter_op_parallelism_threads` and `intra_op_parallelism_threads`. Section 10 has today's
# names.
#
# Inter-op first. Two matmuls on CPU:0 that do not need each other:

# %% grading="skip"
with tf.Graph().as_default() as graph:
    x = v1.placeholder(tf.float32, [1000, 1000], name="x")
    products = [tf.matmul(x, x, name=f"product_{i}") for i in range(2)]
    tf.group(products, name="both")
for threads in (1, 2):
    run_recorded(graph, "both", ones, threads)
    metadata = run_recorded(graph, "both", ones, threads)[1]
    draw_schedule(metadata, f"inter-op threads: {threads}", show=("product",))
    print(f"They overlap for {overlap(metadata, 'product_0', 'product_1'):.1f} ms.\n")

# %% [markdown]
# Two lanes: at the same time. One lane: one after the other. The **total time** hardly changes, since the cores are
# busy in both cases: with one inter-op thread, each matmul is cut up for all cores. Overlap pays when ops wait, or
# are too small to be cut.
#
# Now intra-op. Who does the work of a matmul: the thread that called it, or others? Processor time tells, and a busy
# machine does not disturb it. The number of threads can be set only before the first op of a process, so a second
# Python takes one thread. This kernel has the default.

# %% grading="skip"
import inspect, subprocess, sys

def own_share(threads=None):
    import time, tensorflow as tf
    if threads:
        tf.config.threading.set_intra_op_parallelism_threads(threads)
    x = tf.ones([1500, 1500])
    x @ x                                            # the first op starts the threads
    mine, everybody = time.thread_time(), time.process_time()
    for _ in range(5):
        (x @ x).numpy()
    return (time.thread_time() - mine) / (time.process_time() - everybody)

# %% grading="skip"
print(f"default:           {own_share():.0%} of the work done by the calling thread")
print("1 intra-op thread (a second Python; this takes some seconds): ", end="", flush=True)
script = inspect.getsource(own_share) + "\nprint(f'{own_share(1):.0%}')"
child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
print(child.stdout.strip(), "of the work done by the calling thread")

# %% [markdown]
# With one intra-op thread, the caller does it all. With more, the matrix is cut into pieces and the pool's threads take
# most of them. (On a machine with one core, the default *is* one thread.)
#
# *GPU extra.* By default TensorFlow gives a GPU one *stream* for computing: kernels are put into it one behind the
# other, from however many threads. Inside a kernel, thousands of GPU threads work at once. So ops that wait in different threads
# still take turns on the card.

# %% grading="skip"
if tf.config.list_logical_devices("GPU"):
    with tf.Graph().as_default() as graph, tf.device("/device:GPU:0"):
        x = tf.random.uniform([4000, 4000])
        tf.group([tf.matmul(x, x, name=f"product_{i}") for i in range(2)], name="both")
    options, metadata = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE), v1.RunMetadata()
    with v1.Session(graph=graph) as session:
        session.run("both")
        session.run("both", options=options, run_metadata=metadata)
    draw_timeline(metadata, "Two products on one GPU")
else:
    print("No GPU here, so there is nothing to run. Output of a GPU is not recorded here yet.")

# %% [markdown]
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.
# %% [markdown]
# ## 7 Races on a variable
#
# `v.assign(v + 1.)` is **three** ops: read `v`, add, write `v`. Two such updates can both read before either writes.
# Then one update is lost. It is a **race**: two ops touch the same variable, at least one writes, and no arrow
# says who is first.

# %% grading="skip"
def counter(updates, how):
    with tf.Graph().as_default() as graph:
        v = v1.get_variable("v", initializer=0.)
        tf.group(v.initializer, name="init")
        done, section = [], tf.CriticalSection(name="one_at_a_time")
        for i in range(updates):
            done.append(how(v, done, section))
        with tf.control_dependencies(done):
            tf.identity(v, name="total")
    return graph

def read_add_write(v, done, section):
    return v.assign(v + 1.).op

# %% predict="race"
# Predict: 100 updates, 4 threads, ten runs. What will v be after each?
results = ["..."]

# %% grading="skip"
def ten_runs(how):
    graph = counter(100, how)
    return [int(run_recorded(graph, "total:0", threads=4)[0]) for _ in range(10)]

print(ten_runs(read_add_write))

# %% [markdown]
# That is the nasty part: it may be right many times, and then it is not. **A race that you do not see is still there.**
# (A 1 among hundreds: an update that had read 0 wrote last and wiped out all the others.)
# You can make it visible: force the bad order. Both updates read, meet, and only then write.

# %% grading="skip"
def two_updates_that_meet():
    barrier = threading.Barrier(2)

    def meet(value):
        barrier.wait(30)                              # until the other one has read as well
        return value
    def how(v, done, section):
        return v.assign(tf.numpy_function(meet, [v.read_value()], tf.float32) + 1.).op
    return run_recorded(counter(2, how), "total:0", threads=2)[0]

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

# %% predict="half-cure"
# Predict: here the writes are in order, but each read is created outside the scope. What is v in the end?
v_after = ...

# %% grading="skip"
def half_a_cure(v, done, section):
    new = v + 1.                                      # outside: this read waits for nobody
    with tf.control_dependencies(done[-1:]):
        return v.assign(new).op

print(ten_runs(half_a_cure))

# %% [markdown]
# Nearly all is lost: the reads all come early, and the writes then repeat the same old value. Waiting with `time.sleep`
# is no cure either: it makes the bad order rare, not impossible.
#
# | cure | exact | updates at the same time | use it when |
# | --- | --- | --- | --- |
# | `assign_add`, `scatter_add` | yes | as far as the variable's lock lets them | the update is a sum |
# | an order | yes | no | the order matters |
# | `tf.CriticalSection` | yes | no, but nobody's turn is fixed | reading and writing belong together |
#
# ## 8 What tf.function adds
#
# Today you write a `tf.function`. While it is traced, TensorFlow adds **automatic control dependencies**: ops that touch
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
# Predict: what is returned, what is b afterwards, and is Exp in the graph that really runs?
returned, b_afterwards, exp_runs = ..., ..., ...

# %% grading="skip"
print("returned", four_lines().numpy(), "| b is", b.numpy())
traced = four_lines.get_concrete_function().graph.as_graph_def()
for node in traced.node:
    waits = [name for name in node.input if name.startswith("^")]
    if node.op.startswith(("Assign", "Read", "Exp")):
        print(f"{node.name:22} waits for {waits}")

# %% [markdown]
# Each read and write of `a` waits for the one before. `AssignVariableOp_1` writes `b`: **it waits for nobody**, and
# nobody waits for it but the end of the function (not shown). `Exp` is in the *traced* graph. What really ran? This asks
# TensorFlow for the graph after its own clean-up:

# %% grading="skip"
from tensorflow.python.eager import context
context.enable_run_metadata()
tf.function(four_lines.python_function, autograph=False)()      # traced anew, so cleaned up anew
after_cleanup = context.export_run_metadata().function_graphs[0].post_optimization_graph
context.disable_run_metadata()
print(sorted(node.op for node in after_cleanup.node if node.op.startswith(("Assign", "Read", "Exp"))))

# %% [markdown]
# | | session, fetch `y` | `tf.function` that returns `y` |
# | --- | --- | --- |
# | ops that `y` needs | run | run |
# | op with a side effect, result unused | **pruned** | **runs** |
# | op without side effects, result unused | pruned | pruned |
# | order of ops on one variable | none, unless you say so | the order of your lines |
#
# ## 9 Where it does not help
#
# Automatic dependencies order *side effects*, *inside one call*. Four things are left to you.
#
# **Memory.** `fill` and `matmul` have no side effects, so nothing is added. Reason one stays your job:

# %% grading="skip"
def forward(x, guard):
    h = x
    for i in range(4):
        with tf.control_dependencies([h] if guard else []):
            h = tf.matmul(tf.fill([512, 512], tf.reduce_mean(x)), h)
    return h

for guard in (False, True):
    function = tf.function(forward, autograph=False)
    traced = function.get_concrete_function(tf.ones([512, 1]), guard).graph.as_graph_def()
    edges = [name for node in traced.node for name in node.input if name.startswith("^MatMul")]
    print(f"guard={guard!s:5}: {len(edges)} control edges from a MatMul")

# %% [markdown]
# (With the guard, one layer counts several edges: one for each constant that is created inside the scope.)
#
# **Two calls at once.** A call keeps its own order. Two Python threads that call the same function race. Again
# we force the bad order with a meeting:

# %% grading="skip"
v, barrier = tf.Variable(0.), threading.Barrier(2, timeout=30)

def meet(value):
    barrier.wait()
    return value

@tf.function(autograph=False)
def bump():
    v.assign(tf.ensure_shape(tf.numpy_function(meet, [v.read_value()], tf.float32), []) + 1.)

# %% grading="skip"
callers = [threading.Thread(target=bump) for _ in range(2)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
print("Two calls, and v is", v.numpy())

# %% [markdown]
# The same can happen in `dataset.map(f, num_parallel_calls=4)`, and when two workers train on one parameter server
# (lesson 09). The cure is the same as well: `assign_add`, or a `tf.CriticalSection`.
#
# **Python itself.** `print` and `list.append` run while the function is *traced*, in Python's order, and never again.
# Use `tf.print` and variables.
#
# **Too much order.** Ops that have side effects but no variable, such as Python functions, are put one behind the other, even if
# they could overlap. Here, that is what section 5 wanted; for two independent downloads it is not:

# %% grading="skip"
@tf.function(autograph=False)
def two_fetches():
    return tf.numpy_function(slow_fetch, [1], tf.float32) + tf.numpy_function(slow_fetch, [2], tf.float32)

most_open = 0
two_fetches()
print("tf.function: most open at once:", most_open)

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
#
# Eager mode, to compare. Every line ends before the next one begins, so a scope has nothing to add:

# %% grading="skip"
v.assign(1.)
with tf.control_dependencies([v.assign_add(3.)]):
    print("inside the scope:", v.numpy())
print("The add ran because its line ran. The scope added nothing.")

# %% [markdown]
# ## 11 Set it, predict, run
#
# Choose how many layers there are, how many matrices may be alive, and how many threads work. Say what the peak will
# be. Then run the graph of section 4 for real. Try: eight layers without a limit, several times. Then a limit of 3.
# When do more threads raise the peak, and when not? Run the grey cell below first.
#
# Without a kernel, look at this picture: 8 layers, limit 2, 2 threads, predicted 2 MiB.
#
# ![The widget with its answer. Sliders: 8 layers, at most 2 alive, 2 threads, predicted peak 2 MiB. Above, a bar chart in which the eight making ops and the eight using ops alternate. Below, the memory alive over time: it rises to 2 MiB, stays between 1 and 2 MiB, and never goes over 2. The answer line says: predicted 2, measured 2.0, right.](assets/05_widget.svg)

# %% include="schedule_widget.py" grading="skip"

# %% grading="skip"
set_and_run(layers)

# %% [markdown]
# ## 12 Break it and diagnose it
#
# Three mistakes, three real errors. First: **waiting in a circle**. `get` takes a value out of an empty queue; `put`, which would
# put one in, waits for `get`. Nothing can start. A timeout turns the hang into an error:

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
# A circle made of edges alone is found at once, without any timeout. Python cannot write one by accident, since an
# op must exist before you can name it. An edited `GraphDef` can:

# %% grading="skip"
definition = layers(2).as_graph_def()
[node for node in definition.node if node.name == "big_0"][0].input.append("^step_1")
try:
    with tf.Graph().as_default():
        tf.import_graph_def(definition)
except ValueError as error:
    print("ValueError |", error)

# %% [markdown]
# Second: **an op of another graph**. A graph knows only its own ops.

# %% grading="skip"
with tf.Graph().as_default():
    elsewhere = tf.constant(1., name="elsewhere")
with tf.Graph().as_default():
    try:
        with tf.control_dependencies([elsewhere]):
            tf.constant(2.)
    except ValueError as error:
        print("ValueError |", str(error).strip())

# %% [markdown]
# Third: **too late for threads**. They are made at the first op.

# %% grading="skip"
try:
    tf.config.threading.set_inter_op_parallelism_threads(1)
except RuntimeError as error:
    print("RuntimeError |", error)

# %% [markdown]
# | you see | ask | cure |
# | --- | --- | --- |
# | no error, the side effect did not happen | does the fetch reach the op? | fetch it, or let what you fetch wait for it |
# | no error, an old value comes back | was the *read* created inside the scope? | read inside the scope |
# | results differ from run to run | which two ops touch one variable, with no arrow between? | one op, an order, or a critical section |
# | the memory peak differs from run to run | what may start long before it is needed? | let it wait for the step before |
# | right, but slow, cores idle | who waits for whom without need? are all threads waiting? | remove dependencies; more inter-op threads |
# | *Timed out waiting for notification* | which op blocks, and does its helper wait for it? | break the circle |
# | *N nodes in a cycle*, *contains a cycle* | which `^` was added last? | remove it |
# | *is not an element of this graph* | where was this op created? | build everything in one graph |
# | *cannot be modified after initialization* | did an op run first? | restart, set threads first |
#
# ## Recap
#
# 1. A session runs what the fetch needs. A `tf.function` also runs every side effect.
# 2. Without arrows there is no order; the order that you see is luck. A control dependency is an arrow without a value.
# 3. A scope counts for ops that are created in it. A tensor from outside does not wait.
# 4. Two reasons: keep a large value from being made before it is needed; keep ops from sharing a slow line, or from
#    being early for a slow value.
# 5. Ops on one device may overlap, up to the inter-op threads. A race on a variable is cured by one op, an order, or
#    a critical section; automatic dependencies cure it only inside one call.
#
# | question | where the answer is |
# | --- | --- |
# | What ran, when, on which device? | `RunMetadata.step_stats` |
# | How many bytes were alive? | the allocation records in there |
# | Who waits for whom? | the inputs with `^` in the `GraphDef` |
# | Did two ops overlap? | their spans; for certain, let them meet |
# | What does a `tf.function` add? | `f.get_concrete_function().graph` |
#
# **Read on:** lesson 06, *Clusters*: the same graphs over several processes. Lesson 04 has the queues. Lesson 09 meets
# races again, as stale gradients.
#
# ## Exercises
#
# Five short programs and one question in words. Graphs are returned as bytes:
# `graph.as_graph_def().SerializeToString()`. The checks read these graphs, and run them. They never ask for seconds. A
# graph must not call Python (`tf.numpy_function`): checks do not run such ops.

# %% [markdown] exercise="ordered"
# ### Exercise 1 · In the given order
#
# Write `ordered(start, actions)`. It builds a classic graph and returns its bytes. The graph has a variable named `v`
# (float32, made with `tf.compat.v1.get_variable`), whose first value is `start`, and
#
# * an op `init` that gives `v` its first value;
# * for each action **one op that writes** `v`: `["add", 3.]` adds 3, `["multiply", 2.]` multiplies by 2, `["set", 5.]` writes 5;
# * a tensor `result:0`: fetching it performs all actions **in the order of the list**, each once, and gives the value of
#   `v` after the last one.
#
# The order must stand in the graph: no luck. Use control dependencies, not a `tf.function`: the checks look at the
# arrows. There is at least one action.
#
# Example: with `ordered(1., [["add", 3.], ["multiply", 2.]])`, run `init`, then fetch `result:0`: it is 8. Fetch it
# again, and it is 22, since `v` starts from 8 then.

# %% solution="ordered"
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
        write = {"add": v.assign_add, "multiply": lambda number: v.assign(v * number), "set": v.assign}
        done = []
        for what, number in actions:
            with tf.control_dependencies(done):
                done = [write[what](number).op]
        with tf.control_dependencies(done):
            tf.identity(v, name="result")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="ordered"
try:
    answer = tf.compat.v1.GraphDef.FromString(ordered(1., [["add", 3.], ["multiply", 2.]]))
    for node in answer.node:
        print(f"{node.op:22} {node.name:28} {list(node.input)}")
except NotImplementedError as error:
    print(error)

# %% check="ordered-result" points=1
import tensorflow as tf

answer = ordered(5., [["add", 2.]])
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    ordered(5., [['add', 2.]])\n"
            f"got:      {got}\n"
            f"expected: a graph with the ops init and result; result is 7.0, then 9.0\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, A control dependency")

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
    assert False, told("these bytes are not a GraphDef: write graph.as_graph_def().SerializeToString()")
names = {node.name: node for node in definition.node}
got = f"a graph with the ops {sorted(names)}"[:200]
assert "init" in names and "result" in names, told(
    'name them: tf.group(v.initializer, name="init"), name="result"')
assert not any("PyFunc" in node.op for node in definition.node), told(
    "a graph that calls Python is not run by checks")
assert not any("Call" in node.op for node in definition.node), told(
    "the work is inside a function; write it in the graph")
needed = before(definition, "result") | {"result"}
writes = [name for name in needed if names[name].op.startswith(("Assign", "ResourceScatter"))]
got = f"result waits for these writes: {writes}"
assert writes, told("nothing makes result wait for the action, so the action is pruned: it never runs")
reads = [name for name in needed if names[name].op == "ReadVariableOp"]
late = [name for name in reads if set(writes) <= before(definition, name)]
got = f"these reads wait for the write: {late}"
assert late, told("v is read outside the scope, so result is the value from before; create the read inside")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    session.run("init")
    values = [float(session.run("result:0")) for _ in range(2)]
got = f"result is {values[0]}, then {values[1]}"
assert values != [7, 7], told("fetching result sets v back to its start: only init may do that")
assert values == [7, 9], told("result is the value of v after the last action; v keeps it for the next run")

# %% check="ordered-waits" points=2
import tensorflow as tf

actions = [["add", 3.], ["multiply", 2.], ["add", -1.], ["multiply", 10.]]
answer = ordered(1., [list(action) for action in actions])
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    ordered(1., {actions}): the arrows of its graph\n"
            f"got:      {got}\n"
            f"expected: four writes in front of result, each with an arrow, direct or not, to the next\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, A control dependency; section 7, Races on a variable")

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
needed = before(definition, "result") | {"result"}
touch = [name for name in sorted(needed) if nodes[name].op == "ReadVariableOp"
         or nodes[name].op.startswith(("Assign", "ResourceScatter"))]
writes = [name for name in touch if nodes[name].op != "ReadVariableOp"]
got = f"{len(writes)} writes in front of result"
assert len(writes) != 1, told(
    "only one write is needed by result: either the others are pruned, or Python did the sums")
assert len(writes) == 4, told("one write for each action, and all of them are needed by result")
earlier = {name: before(definition, name) for name in touch}
loose = [(a, b) for a in touch for b in touch if a < b and a not in earlier[b] and b not in earlier[a]
         and not (nodes[a].op == nodes[b].op == "ReadVariableOp")]
free_writes = [pair for pair in loose if set(pair) <= set(writes)]
pairs = [" and ".join(pair) for pair in (free_writes or loose)[:3]]
got = f"no arrow between {', '.join(pairs)}"
assert not free_writes, told(
    "writes without an arrow run in any order; an op must be created inside the scope to wait")
assert not loose, told(
    "the writes are in order, but a read of v was created outside the scope, and may come too early")

# %% hidden="ordered-values" points=2
import tensorflow as tf

actions = [["multiply", 3.], ["add", 1.], ["multiply", 2.], ["add", 5.], ["multiply", 2.], ["add", -7.]] * 2
answer = ordered(2., [list(action) for action in actions])
right, value = [], 2.
for _ in range(3):
    for what, number in actions:
        value = value + number if what == "add" else value * number
    right.append(value)
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    ordered(2., {len(actions)} actions that add or multiply), fetched three times\n"
            f"got:      {got}\n"
            f"expected: {right}, and arrows that promise it\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1, and section 3, A control dependency")

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
    "a graph that calls Python is not run by checks")
needed = before(definition, "result") | {"result"}
touch = [name for name in needed if nodes[name].op == "ReadVariableOp"
         or nodes[name].op.startswith(("Assign", "ResourceScatter"))]
writes = [name for name in touch if nodes[name].op != "ReadVariableOp"]
got = f"{len(writes)} writes in front of result"
assert len(writes) == len(actions), told("each action is one op that writes v, and result needs all of them")
earlier = {name: before(definition, name) for name in touch}
loose = [(a, b) for a in touch for b in touch if a < b and a not in earlier[b] and b not in earlier[a]
         and not (nodes[a].op == nodes[b].op == "ReadVariableOp")]
got = f"{len(loose)} pairs of reads and writes without an arrow"
assert not loose, told(
    "without arrows the right value is luck: each read and write waits for the write before it")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    session.run("init")
    values = [float(session.run("result:0")) for _ in range(3)]
got = f"{values}"
assert values == right, told("each action happens once in each run, in the order of the list")

# %% hidden="ordered-set" points=1
import tensorflow as tf

actions = [["add", 4.], ["set", 10.], ["multiply", 0.5], ["set", -3.], ["add", 1.], ["multiply", 4.]]
answer = ordered(-1., [list(action) for action in actions])
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    ordered(-1., {actions})\n"
            f"got:      {got}\n"
            f"expected: six writes in a chain; result is -8.0\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1: each action is one op that writes v")

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
needed = before(definition, "result") | {"result"}
writes = [name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))]
assert not any("PyFunc" in node.op for node in definition.node), told(
    "a graph that calls Python is not run by checks")
steps = sorted(len(set(writes) & before(definition, name)) for name in writes)
got = f"{len(writes)} writes; they wait for {steps} others"
assert len(writes) == 6, told("each action is one op that writes v, and result needs all of them")
assert steps == [0, 1, 2, 3, 4, 5], told(
    "a set needs no old value, but it still waits, and later actions wait for it")
reads = [name for name in needed if nodes[name].op == "ReadVariableOp"]
loose = [name for name in reads for write in writes
         if write not in before(definition, name) and name not in before(definition, write)]
got = f"six writes in a chain, but these reads may come too early: {sorted(set(loose))}"
assert not loose, told("a read of v was created outside the scope")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    session.run("init")
    value = float(session.run("result:0"))
got = f"result is {value}"
assert value == -8, told("set writes the number itself; multiply works on the value at that moment")

# %% [markdown] exercise="low_memory"
# ### Exercise 2 · As much as fits
#
# The layers of section 4, but of different sizes: matrix `big_i` takes `sizes[i]` MiB. At most `limit` MiB of matrices
# may be alive at any moment. Within that, each matrix should be allowed to start as **early** as possible.
#
# Write `low_memory(sizes, limit)`. It returns the bytes of a graph with the same ops as `all_at_once(sizes)` below
# makes, under the same names. Only control dependencies are added:
#
# * `big_i` waits for a step only if it must: for the **earliest** step after which everything that may still be alive,
#   `big_i` included, fits into `limit`. (When `step_k` has ended, `big_0` … `big_k` are gone. `big_{k+1}` … `big_i` may all be alive.)
#
# Every size is at most `limit`. Example: `low_memory([1, 1, 2, 1], 3)`. `big_0` and `big_1` wait for no step. `big_2`
# would make 1 + 1 + 2 = 4, so it waits for `step_0`: 1 + 2 fits. `big_3` would make 1 + 2 + 1 = 4 with `big_1`, so it
# waits for `step_1`.

# %%
def make_big(i, mebibytes, scale):
    return tf.fill([512 * mebibytes, 512], scale, name=f"big_{i}")        # float32

def make_step(i, big, h):
    return tf.slice(tf.matmul(big, h, name=f"use_{i}"), [0, 0], [512, 1], name=f"step_{i}")

def all_at_once(sizes):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scale = tf.compat.v1.placeholder(tf.float32, [], name="scale")
        for i, mebibytes in enumerate(sizes):
            big = make_big(i, mebibytes, scale)
            h = make_step(i, big, h)
    return graph.as_graph_def().SerializeToString()

# %% solution="low_memory"
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
        scale = tf.compat.v1.placeholder(tf.float32, [], name="scale")
        steps = []
        for i, mebibytes in enumerate(sizes):
            first = 0                      # the oldest matrix that may be alive together with big_i
            while sum(sizes[first:i + 1]) > limit:
                first += 1
            with tf.control_dependencies(steps[first - 1:first] if first else []):
                big = make_big(i, mebibytes, scale)
            h = make_step(i, big, h)
            steps.append(h)
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="low_memory"
try:
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(low_memory([1, 1, 2, 1], 3)), name="")
    run_recorded(graph, "step_3:0", feed)
    draw_schedule(run_recorded(graph, "step_3:0", feed)[1], "low_memory([1, 1, 2, 1], 3)")
except NotImplementedError as error:
    print(error)

# %% check="low_memory-same" points=1
import numpy as np
import tensorflow as tf

sizes, limit = [1, 2, 1], 3
answer = low_memory(list(sizes), limit)
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    low_memory({sizes}, {limit}): its ops and its result for x = 1, scale = 1/256\n"
            f"got:      {got}\n"
            f"expected: big_0, use_0, step_0 and so on as all_at_once makes them; step_2 is 8.0 everywhere\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: only control dependencies are added")

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
try:
    definition = tf.compat.v1.GraphDef.FromString(answer)
except Exception:
    assert False, told("these bytes are not a GraphDef: write graph.as_graph_def().SerializeToString()")
kinds = {node.name: node.op for node in definition.node}
kinds_due = [("big", "Fill"), ("use", "MatMul"), ("step", "Slice")]
due = {f"{name}_{i}": kind for i in range(3) for name, kind in kinds_due}
got = ", ".join(f"{op}: {kinds.get(op, 'missing')}" for op, kind in due.items() if kinds.get(op) != kind)
assert not got, told("use make_big and make_step, with the numbers from 0 on")
data = [f"use_{i} reads {name}" for node in definition.node for i in range(3) if node.name == f"use_{i}"
        for name in node.input[:2]]
got = ", ".join(data)
due = [f"use_{i} reads {name}" for i in range(3) for name in (f"big_{i}", f"step_{i - 1}" if i else "x")]
assert sorted(data) == sorted(due), told(
    "each step uses its own matrix and the result of the step before")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    fed = {"x:0": np.ones([512, 1], np.float32), "scale:0": 1 / 256}
    value, *bigs = session.run(["step_2:0", "big_0:0", "big_1:0", "big_2:0"], fed)
got = f"matrices of {[big.nbytes / 2**20 for big in bigs]} MiB"
assert [big.nbytes for big in bigs] == [size * 2**20 for size in sizes], told(
    "only arrows may be added: the sizes stay")
got = f"step_2 from {value.min()} to {value.max()}"
assert (value == 8).all(), told("the layers compute something else now; only arrows may be added")

# %% check="low_memory-limit" points=2
import numpy as np
import tensorflow as tf

sizes, limit = [2, 1, 2, 1, 1, 2, 1, 2], 3
answer = low_memory(list(sizes), limit)
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    low_memory({sizes}, {limit}): what may be alive at once, and the measured peak\n"
            f"got:      {got}\n"
            f"expected: at most {limit} MiB of matrices, whatever the threads do\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, First reason: memory")

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
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    options, record = tf.compat.v1.RunOptions(trace_level=1), tf.compat.v1.RunMetadata()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run(fetch, {"x:0": np.ones([512, 1], np.float32), "scale:0": 1 / 512}, options, record)
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
got = f"up to {worst} MiB may be alive"
assert waiting or not bigs, told(
    "a matrix waits for other matrices; only the step that uses one gives its memory back")
assert waiting, told("no matrix waits for any step: is big_i itself created inside the scope?")
assert worst <= limit, told("a matrix may begin too early: count its own size, and bytes, not matrices")
measured = [peak(definition, f"step_{len(sizes) - 1}:0", threads) for threads in (1, 2, 4)]
got = f"measured peaks {[round(size, 2) for size in measured]} MiB"
assert max(measured) < limit + 0.25, told("other large values are alive besides the matrices")

# %% check="low_memory-early" points=2
import tensorflow as tf

sizes, limit = [1, 1, 2, 1], 3
answer = low_memory(list(sizes), limit)
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    low_memory({sizes}, {limit}): the last step that each matrix waits for\n"
            f"got:      {got}\n"
            f"expected: big_0: none, big_1: none, big_2: step_0, big_3: step_1\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, First reason: memory (prefetching), and the example of exercise 2")

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
got = ", ".join(f"big_{i}: {f'step_{k}' if k >= 0 else 'none'}" for i, k in enumerate(last))
assert last != [-1, -1, -1, -1], told(
    "nothing waits for a step: a scope counts only for ops created inside it")
assert last != [-1, 0, 1, 2], told(
    "this is one at a time; a matrix may begin while others are alive, if all of them fit")
assert all(have >= due for have, due in zip(last, [-1, -1, 0, 1])), told(
    "a matrix begins too early: over the limit")
needless = [f"big_{i} waits for big_{j}" for i in range(4) for j in range(last[i] + 1, i)
            if f"big_{j}" in before(definition, f"big_{i}")]
assert last == [-1, -1, 0, 1], told("a matrix waits longer than it must; exactly limit MiB is still allowed")
got = ", ".join(needless)
assert not needless, told("big_i waits for another matrix, which no limit asks for")

# %% hidden="low_memory-window" points=2
import tensorflow as tf

cases = [([1, 2, 3, 1, 1, 1, 4, 1], 4, [-1, -1, 1, 1, 2, 2, 5, 6]), ([1] * 7, 3, [-1, -1, -1, 0, 1, 2, 3]),
         ([2, 2, 2], 2, [-1, 0, 1])]

def before(definition, name):
    """The ops that must have ended before the op `name` may begin."""
    inputs = {node.name: [i.lstrip("^").split(":")[0] for i in node.input] for node in definition.node}
    found, todo = set(), [name]
    while todo:
        new = set(inputs.get(todo.pop(), [])) - found
        found |= new
        todo += new
    return found

for sizes, limit, right in cases:
    answer = low_memory(list(sizes), limit)
    definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
    got = [max((k for k in range(len(sizes)) if f"use_{k}" in before(definition, f"big_{i}")), default=-1)
           for i in range(len(sizes))]

    def told(likely):
        return (f"asked:    low_memory({sizes}, {limit}): the last step each matrix waits for (-1: none)\n"
                f"got:      {got}\n"
                f"expected: {right}\n"
                f"likely:   {likely}\n"
                f"reread:   the text of exercise 2")

    assert all(have >= due for have, due in zip(got, right)), told(
        "over the limit: add up the bytes of all that may be alive")
    assert got == right, told(
        "a matrix waits although it would fit: look for the earliest step that is late enough")
    got = [f"big_{i} waits for big_{j}" for i, last in enumerate(right) for j in range(last + 1, i)
           if f"big_{j}" in before(definition, f"big_{i}")]
    assert not got, told("big_i waits for another matrix, which no limit asks for")

# %% hidden="low_memory-no_limit" points=1
import tensorflow as tf

sizes, limit = [1, 2, 1], 9
answer = low_memory(list(sizes), limit)
definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
edges = [(node.name, name[1:]) for node in definition.node for name in node.input if name.startswith("^")]
got = ", ".join(f"{op} waits for {first}" for op, first in edges) or f"{len(definition.node)} ops, no edge"

def told(likely):
    return (f"asked:    low_memory({sizes}, {limit}): everything fits\n"
            f"got:      {got}\n"
            f"expected: the ops, and no control dependency on a step or a matrix\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: a matrix waits only if it must")

names = {node.name for node in definition.node}
assert {"big_2", "use_2", "step_2"} <= names, told("ops are missing: return the bytes of the whole graph")
assert not any(first.startswith(("step_", "use_", "big_")) for _, first in edges), told(
    "a matrix waits although everything fits")

# %% [markdown] exercise="ticks"
# ### Exercise 3 · Who runs when
#
# Write `ticks(data, threads)`: a model of the executor. `data` is the bytes of a `GraphDef`; `threads` is the number of
# inter-op threads. In the model each op takes one *tick*.
#
# * An op is **ready** when every op that it reads or waits for has ended in an **earlier** tick. Entries of `node.input`
#   look like `x`, `x:1` (a second output of `x`) or `^x` (a control dependency).
# * In each tick, as many ready ops as there are threads run at the same time. If more are ready, the ones that come
#   first in the `GraphDef` run.
# * All ops of the graph run, each once. The threads belong to the session: devices (`node.device`) change nothing.
#
# Return a list with one entry for each tick: the list of op names that run in it, in the `GraphDef`'s order. Careful: in
# a `GraphDef` an op may stand *in front of* the ops that it reads.
#
# Example: `a` and `b` read nothing, `c` reads `a`, and `d` waits for `^b`. With two threads:
# `[["a", "b"], ["c", "d"]]`; with one: `[["a"], ["b"], ["c"], ["d"]]`.

# %% solution="ticks"
def ticks(data, threads):
    """Say which ops run together, tick by tick.

    Args:
        data: bytes, a serialized GraphDef without cycles.
        threads: int, the number of inter-op threads, 1 or more.
    Returns:
        list of lists of str: the names of the ops that run in each tick.
    """
    ### BEGIN SOLUTION
    nodes = tf.compat.v1.GraphDef.FromString(data).node
    needs = {node.name: {name.lstrip("^").split(":")[0] for name in node.input} for node in nodes}
    ended, plan = set(), []
    while len(ended) < len(needs):
        ready = [name for name in needs if name not in ended and needs[name] <= ended]
        plan.append(ready[:threads])
        ended |= set(plan[-1])
    return plan
    ### END SOLUTION

# %% try="ticks"
with tf.Graph().as_default() as graph:
    one, two = tf.constant(1., name="a"), tf.constant(2., name="b")
    tf.square(one, name="c")
    with tf.control_dependencies([two]):
        tf.no_op(name="d")
try:
    for threads in (1, 2):
        print(threads, ticks(graph.as_graph_def().SerializeToString(), threads))
except NotImplementedError as error:
    print(error)

# %% check="ticks-free" points=2
import tensorflow as tf

with tf.Graph().as_default() as graph, tf.device("/device:CPU:0"):
    sources = [tf.constant(float(i), name=f"s{i}") for i in range(4)]
    tf.add_n(sources, name="sum")
data = graph.as_graph_def().SerializeToString()
got = [ticks(data, threads) for threads in (4, 1, 3)]
right = [[["s0", "s1", "s2", "s3"], ["sum"]], [["s0"], ["s1"], ["s2"], ["s3"], ["sum"]],
         [["s0", "s1", "s2"], ["s3"], ["sum"]]]

def told(likely):
    return (f"asked:    ticks of four constants and their sum, all on CPU:0, with 4, 1 and 3 threads\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Two ops on one device")

assert all(type(plan) is list and all(type(tick) in (list, tuple) for tick in plan) for plan in got), told(
    "the result is not a list of lists of names")
got = [[list(tick) for tick in plan] for plan in got]
assert got[0] != right[1], told("ops of one device can run at the same time: a device is not a queue")
assert got[0] != [["s0", "s1", "s2", "s3", "sum"]], told(
    "sum needs its inputs first: they end in an earlier tick")
assert not (got[1] == got[2] == right[0]), told("there are never more ops at once than threads")
assert got == right, told("compare tick by tick")

# %% check="ticks-control" points=2
import tensorflow as tf

with tf.Graph().as_default() as graph:
    a = tf.constant(1., name="a")
    halves = tf.split(tf.constant([1., 2.], name="pair"), 2, name="halves")
    with tf.control_dependencies([a]):
        late = tf.constant(2., name="late")
    tf.square(halves[1], name="second")
    with tf.control_dependencies([late]):
        tf.no_op(name="end")
data = graph.as_graph_def().SerializeToString()
reads = {node.name: list(node.input) for node in graph.as_graph_def().node}
right = [["a", "pair", "halves/split_dim"], ["halves", "late"], ["second", "end"]]
try:
    got = ticks(data, 9)
except (NotImplementedError, NameError):
    raise
except Exception as error:
    got = f"{type(error).__name__}: {error}"

def told(likely):
    return (f"asked:    ticks with 9 threads of {reads}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, A control dependency")

assert "Error" not in str(got), told("an input may have a ^ in front or an output's number behind: :1")
assert type(got) is list and all(type(tick) in (list, tuple) for tick in got), told("not a list of lists")
got = [list(tick) for tick in got]
assert "late" not in got[0], told("an input with ^ is a control dependency: late has to wait for a")
assert "second" in sum(got, []), told("halves:1 is the second output of halves, not an op of that name")
assert [sorted(tick) for tick in got] != [sorted(tick) for tick in right] or got == right, told(
    "the right ops in each tick, but not in the GraphDef's order")
assert got == right, told("compare tick by tick: an op runs as soon as all that it needs has ended")

# %% hidden="ticks-order" points=2
import tensorflow as tf

definition = tf.compat.v1.GraphDef()
rows = [("z", ["^m"]), ("y", ["b:1"]), ("b", []), ("m", ["a", "^b"]), ("a", []), ("k", []), ("c", ["^a"])]
for name, inputs in rows:
    definition.node.add(name=name, op="NoOp", input=inputs)
data = definition.SerializeToString()
reads = {node.name: list(node.input) for node in definition.node}
try:
    got = [ticks(data, threads) for threads in (2, 3)]
except (NotImplementedError, NameError):
    raise
except Exception as error:
    got = f"{type(error).__name__}: {error}"
right = [[["b", "a"], ["y", "m"], ["z", "k"], ["c"]], [["b", "a", "k"], ["y", "m", "c"], ["z"]]]

def told(likely):
    return (f"asked:    ticks with 2 and with 3 threads of {reads}, in this order\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: readiness, then the GraphDef's order")

assert "Error" not in str(got), told("an op may stand in front of the ops that it reads")
got = [[list(tick) for tick in plan] for plan in got]
alphabet = lambda plans: [[sorted(tick) for tick in plan] for plan in plans]
assert got == right or alphabet(got) != alphabet(right), told(
    "the right ops in each tick, but not in the GraphDef's order")
assert got == right, told("in each tick: all ready ops, in the GraphDef's order, and of these the first ones")

# %% hidden="ticks-devices" points=1
import tensorflow as tf

with tf.Graph().as_default() as graph:
    for i in range(3):
        with tf.device(f"/device:CPU:{i % 2}"):
            x = tf.constant(float(i), name=f"x{i}")
            tf.square(x, name=f"y{i}")
data = graph.as_graph_def().SerializeToString()
got = [ticks(data, threads) for threads in (2, 6)]
right = [[["x0", "x1"], ["y0", "y1"], ["x2"], ["y2"]], [["x0", "x1", "x2"], ["y0", "y1", "y2"]]]

def told(likely):
    return (f"asked:    ticks of x0, y0, x1, y1, x2, y2 on two devices (y reads x), with 2 and 6 threads\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Two ops on one device")

got = [[list(tick) for tick in plan] for plan in got]
assert got[0] != [["x0", "x1"], ["y0", "x2"], ["y1", "y2"]], told(
    "of the ready ops, the first of the GraphDef run")
assert all(len(tick) <= 2 for tick in got[0]), told("the threads are the session's, not each device's")
assert got == right, told("devices change nothing in this model; an op that is ready may run")

# %% [markdown] exercise="exact"
# ### Exercise 4 · An exact counter
#
# Write `exact(amounts)`. It builds a graph and returns its bytes. The graph has a variable named `counter` (float32,
# made with `tf.compat.v1.get_variable`, first value 0), and
#
# * an op `init` that gives it its first value;
# * for each amount **one update**: an op that writes `counter` and adds the amount to it;
# * a tensor `total:0`: fetching it runs all updates and gives the counter's value **after** all of them.
#
# No update may wait for another one, and none may be lost, whatever order they run in. So an update must be safe by
# itself: one op that reads and writes, or a critical section. There is at least one amount. Use no `tf.function`.
#
# Example: with `exact([1., 2., 4.])`, run `init`, then fetch `total:0`: it is 7. Fetch it again: 14.

# %% solution="exact"
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

# %% check="exact-safe" points=2
import tensorflow as tf

amounts = [1., 2., 4., 8.]
answer = exact(list(amounts))
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    exact({amounts}): the ops that write the counter\n"
            f"got:      {got}\n"
            f"expected: updates that read and write in one op (or hold a tf.CriticalSection)\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Races on a variable")

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
    assert False, told("these bytes are not a GraphDef: write graph.as_graph_def().SerializeToString()")
nodes = {node.name: node for node in definition.node}
got = f"a graph with {len(nodes)} ops"
assert "init" in nodes and "total" in nodes, told(
    'name them: tf.group(counter.initializer, name="init"), name="total"')
assert not any("PyFunc" in node.op for node in definition.node), told(
    "waiting in Python (time.sleep) makes a bad order rare, not impossible; and checks do not run it")
assert not any("Call" in node.op for node in definition.node), told(
    "the work is inside a function; write it in the graph")
needed = before(definition, "total") | {"total"}
writes = [name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))]
got = f"the kinds of writes that total needs: {sorted({nodes[name].op for name in writes})}"
assert writes, told("total waits for no update, so all of them are pruned")

def locks_of(name):
    """The mutexes that the write and every read in front of it hold."""
    reads = [read for read in before(definition, name) if nodes[read].op == "ReadVariableOp"]
    held = lambda op: {nodes[up].input[0] for up in before(definition, op) if nodes[up].op == "MutexLock"}
    return set.intersection(*map(held, (name, *reads)))

plain = [name for name in writes if nodes[name].op == "AssignVariableOp"]
shared = set.intersection(*map(locks_of, plain)) if plain else set()
unsafe = plain if not shared else []
chained = [name for name in unsafe if set(before(definition, name)) & set(writes)]
assert not unsafe or chained, told(
    "read, add, write are three ops: two updates can read the same value; use assign_add")
assert not unsafe, told("updates in a chain: the text asks for updates that are safe in any order")

# %% check="exact-free" points=2
import tensorflow as tf

amounts = [5., 5., -2., 1., 3.]
answer = exact(list(amounts))
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    exact({amounts}): who waits for whom\n"
            f"got:      {got}\n"
            f"expected: five updates, none waits for another, and total waits for all\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Races on a variable; the text of exercise 4")

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
needed = before(definition, "total") | {"total"}
writes = {name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))}
got = f"total needs {len(writes)} updates"
assert len(writes) != 1, told(
    "one update for each amount: the sum is not for Python, or the other updates are pruned")
assert len(writes) == 5, told("one update for each amount, equal amounts too; total waits for all of them")
waiting = [name for name in writes if writes & before(definition, name)]
got = f"{len(waiting)} updates wait for another one"
assert not waiting, told(
    "an order is exact, but it makes every update wait; the text asks for none that waits")
values = before(definition, "total", control=False) | {"total"}
reads = [name for name in values if nodes[name].op == "ReadVariableOp"]
early = [name for name in reads if not writes <= before(definition, name)]
got = f"total reads the counter by {reads}; too early: {early}"
assert reads and not early, told(
    "the read behind total was created outside the scope, or waits for one update only")

# %% hidden="exact-sum" points=2
import tensorflow as tf

amounts = [float(i % 7 + 1) for i in range(100)]
answer = exact(list(amounts))
right = sum(amounts)
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    exact of 100 amounts, total fetched in five sessions with four threads\n"
            f"got:      {got}\n"
            f"expected: {right} each time, and updates that promise it\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, Races on a variable")

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
needed = before(inputs, "total") | {"total"}
writes = {name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))}
python = [node.op for node in definition.node if "PyFunc" in node.op]
got = f"{len(writes)} updates"
assert not python, told("a graph that calls Python is not run by checks, and waiting there cures nothing")
assert len(writes) == 100, told("one update for each amount")
plain = [name for name in writes if nodes[name].op == "AssignVariableOp"]
guarded = plain + [op for name in plain for op in before(inputs, name) if nodes[op].op == "ReadVariableOp"]
held = [{nodes[up].input[0] for up in before(inputs, op) if nodes[up].op == "MutexLock"} for op in guarded]
got = f"{len(plain)} updates of kind AssignVariableOp, not all in one critical section"
assert not plain or set.intersection(*held), told("read, add, write are three ops; a right sum would be luck")
values = before(reads_of, "total") | {"total"}
early = [name for name in values if nodes[name].op == "ReadVariableOp"
         and not writes <= before(inputs, name)]
got = f"total reads by {early}"
assert not early, told("total reads the counter before all updates have ended")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
config = tf.compat.v1.ConfigProto(inter_op_parallelism_threads=4, use_per_session_threads=True)
values = []
for _ in range(5):
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run("init")
        values.append(float(session.run("total:0")))
got = f"{values}"
assert values == [right] * 5, told("an update is lost, done twice, or adds another amount")

# %% hidden="exact-again" points=1
import tensorflow as tf

amounts = [-2.5]
answer = exact(list(amounts))
got = f"a value of type {type(answer).__name__}"

def told(likely):
    return (f"asked:    exact({amounts}), total fetched three times\n"
            f"got:      {got}\n"
            f"expected: [-2.5, -5.0, -7.5], and a read that waits for the update\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4")

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
needed = before(definition, "total") | {"total"}
writes = {name for name in needed if nodes[name].op.startswith(("Assign", "ResourceScatter"))}
values = before(definition, "total", control=False) | {"total"}
early = [name for name in values if nodes[name].op == "ReadVariableOp"
         and not writes <= before(definition, name)]
got = f"total needs {len(writes)} updates, and reads too early by {early}"
assert not any("PyFunc" in node.op for node in definition.node), told(
    "a graph that calls Python is not run by checks")
assert writes and not early, told("total must wait for the update, and so must the read behind it")
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
with tf.compat.v1.Session(graph=graph) as session:
    session.run("init")
    values = [float(session.run("total:0")) for _ in range(3)]
got = f"{values}"
assert values == [-2.5, -5, -7.5], told("the counter keeps its value between runs; only init sets it to 0")

# %% [markdown] exercise="what_runs"
# ### Exercise 5 · What runs?
#
# Write `what_runs(ops, effects, wanted, mode)`: which ops of a graph really run?
#
# * `ops` says what each op needs, as a `GraphDef` does: `{"x": [], "log": ["x"], "y": ["x:0", "^log"]}`.
# * `effects` lists the ops that have a side effect, such as a write to a variable.
# * `wanted` lists ops: in mode `"session"` these are fetched; in mode `"function"` their values are returned by a `tf.function`
#   whose lines made all these ops.
# * Ops without side effects that nobody needs do not run, in either mode: that is pruning.
#
# Return the sorted list of the names of all ops that run.
#
# Example: `what_runs({"x": [], "y": ["x"], "count": []}, ["count"], ["y"], "session")` is `["x", "y"]`, and with
# `"function"` it is `["count", "x", "y"]`.

# %% solution="what_runs"
def what_runs(ops, effects, wanted, mode):
    """List the ops that run.

    Args:
        ops: dict, op name -> list of its inputs: "x", "x:1" (an output of x) or "^x" (a control dependency).
        effects: list of str, the ops with a side effect.
        wanted: list of str, the ops that are fetched or returned; may be empty.
        mode: "session" or "function".
    Returns:
        sorted list of str.
    """
    ### BEGIN SOLUTION
    runs, todo = set(), [*wanted, *(effects if mode == "function" else [])]
    while todo:
        op = todo.pop()
        if op not in runs:
            runs.add(op)
            todo += [name.lstrip("^").split(":")[0] for name in ops[op]]
    return sorted(runs)
    ### END SOLUTION

# %% try="what_runs"
try:
    for mode in ("session", "function"):
        print(mode, what_runs({"x": [], "y": ["x"], "count": []}, ["count"], ["y"], mode))
except NotImplementedError as error:
    print(error)

# %% check="what_runs-session" points=2
# Asks you and TensorFlow the same, and compares.
import tensorflow as tf

ops = {"a": [], "b": ["a"], "save": ["b"], "c": ["b", "a"], "d": ["c"], "e": [], "count": ["e"],
       "f": ["c", "^count"]}
effects = ["save", "count"]
got = [what_runs(dict(ops), list(effects), wanted, "session") for wanted in (["c"], ["f"], ["save", "e"])]

with tf.Graph().as_default() as graph:
    made = {}
    v = tf.compat.v1.get_variable("v", initializer=0.)
    for op, inputs in ops.items():
        with tf.control_dependencies([made[name[1:]] for name in inputs if name[0] == "^"]):
            values = [made[name] for name in inputs if name[0] != "^"]
            if op in effects:
                made[op] = tf.raw_ops.AssignAddVariableOp(resource=v.handle, value=values[0], name=op)
            else:
                made[op] = tf.add_n(values, name=op) if values else tf.constant(1., name=op)
config = tf.compat.v1.ConfigProto()
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
real = []
with tf.compat.v1.Session(graph=graph, config=config) as session:
    for wanted in (["c"], ["f"], ["save", "e"]):
        session.run(v.initializer)
        options, record = tf.compat.v1.RunOptions(trace_level=1), tf.compat.v1.RunMetadata()
        session.run([made[op] for op in wanted], options=options, run_metadata=record)
        ran = {op.node_name for device in record.step_stats.dev_stats for op in device.node_stats}
        real.append(sorted(ran & set(ops)))

def told(likely):
    return (f"asked:    ops {ops}, effects {effects}, wanted ['c'], ['f'] and ['save', 'e'], in a session\n"
            f"got:      {got}\n"
            f"expected: {real} (what TensorFlow just ran)\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, Only what the fetch needs runs")

assert all(type(names) is list for names in got), told("the result is not a list of names")
assert got[0] != sorted(ops), told(
    "not everything runs: walk backwards from what is wanted, to what it needs; the rest is pruned")
assert "save" not in got[0], told("a session prunes ops with side effects too")
assert "d" not in got[0], told(
    "d reads c, but nobody wants d: walk backwards from what is wanted, not forwards")
assert "count" in got[1] and "e" in got[1], told(
    "a control dependency is an input too: f waits for count, which needs e")
assert "a" in got[0], told("walk back all the way, not just one step; and the wanted ops run themselves")
assert got == real, told("compare the lists one by one; they are sorted, with no name twice")

# %% check="what_runs-function" points=2
# Asks you and TensorFlow which effects happen, and compares; the expected lists add the ops that these need.
import tensorflow as tf

ops = {"x": [], "y": ["x"], "raw": [], "big": ["raw"], "save": ["big"], "z": ["y"], "unused": ["z"],
       "count": []}
effects = ["save", "count"]
got = what_runs(dict(ops), list(effects), ["y"], "function")
happened = {op: tf.Variable(0.) for op in effects}

@tf.function(autograph=False)
def lines():
    made = {}
    for op, inputs in ops.items():
        made[op] = tf.add_n([made[name] for name in inputs]) if inputs else tf.constant(1.)
        if op in effects:
            happened[op].assign_add(1.)
    return made["y"]

lines()
real = sorted(op for op in effects if happened[op].numpy())
right = ["big", "count", "raw", "save", "x", "y"]

def told(likely):
    return (f"asked:    ops {ops}, effects {effects}, wanted ['y'], in a function\n"
            f"got:      {got}\n"
            f"expected: {right} (TensorFlow just ran the effects {real})\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, What tf.function adds")

assert type(got) is list, told("the result is not a list of names")
assert set(real) <= set(got), told(
    "in a tf.function every op with a side effect runs, although nobody uses its result")
assert "big" in got and "raw" in got, told(
    "an op that runs for its side effect needs its inputs too, all the way back")
assert "unused" not in got and "z" not in got, told(
    "ops without side effects that nobody needs are pruned here as well")
assert got == right, told("compare the lists; sorted, no name twice")

# %% hidden="what_runs-paths" points=2
ops = {"p": [], "q": ["p:1"], "w": ["q", "^r"], "r": ["s:2"], "s": ["^t"], "t": [], "u": ["w"],
       "n": ["u", "q"], "o": ["n:0"]}
asked = [(["w"], "session"), (["t", "q"], "session"), (["p"], "function"), (["o"], "session")]
try:
    got = [what_runs(dict(ops), ["u", "t"], list(wanted), mode) for wanted, mode in asked]
except (NotImplementedError, NameError):
    raise
except Exception as error:
    got = f"{type(error).__name__}: {error}"
right = [["p", "q", "r", "s", "t", "w"], ["p", "q", "t"], ["p", "q", "r", "s", "t", "u", "w"],
         ["n", "o", "p", "q", "r", "s", "t", "u", "w"]]

def told(likely):
    return (f"asked:    ops {ops}, effects ['u', 't'], {asked}\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, Only what the fetch needs runs; section 8, What tf.function adds")

assert "Error" not in str(got), told(
    "an input may have a ^ in front and an output's number behind, such as :2")
assert "t" in got[0] and "s" in got[0], told("walk back all the way, through control dependencies as well")
assert got[1] == right[1], told("only what is fetched and what that needs, sorted")
assert got[2] == right[2], told("a function also runs each side effect, with all that it needs")
assert got == right, told("compare the lists one by one")

# %% hidden="what_runs-nothing" points=1
ops = {"x": [], "y": ["x"], "save": ["y"], "z": ["save"]}
got = [what_runs(dict(ops), ["save"], [], mode) for mode in ("session", "function")]
got += [what_runs(dict(ops), [], ["y", "x"], mode) for mode in ("session", "function")]
right = [[], ["save", "x", "y"], ["x", "y"], ["x", "y"]]

def told(likely):
    return (f"asked:    ops {ops}: nothing wanted, effect save; then y and x wanted, no effects\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, What tf.function adds")

assert got[0] == [], told("a session that fetches nothing runs nothing")
assert got[1] == right[1], told("a function that returns nothing still runs its side effects; z has none")
assert got == right, told("an op has a side effect if it is in the list, whatever its name")

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
# A control dependency makes an op wait until another op has ended, without using its value. It does not change what is
# computed, only when. One good reason is memory: a large value that is needed late should not be made early, so
# it waits for the op before its use. The other is something slow: ops that share a disk, a network line or another device
# go one after the other, and what needs a slow value is not begun before that value is there. Layers that read each
# other's results are in order anyway, through their data; a dependency adds nothing there. Between ops that do not need each other it
# takes away the chance to run at the same time, to fetch ahead, and to use idle cores. Inside one `tf.function` TensorFlow adds
# control dependencies by itself, between ops that touch the same variable, in the order of the lines.
#
# One point each: what it does, and both reasons; what is lost (overlap, prefetching); automatic control dependencies.
# </details>
