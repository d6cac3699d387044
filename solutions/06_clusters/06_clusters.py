# %% [markdown]
# # Lesson 06 · Clusters
#
# After this lesson you can
#
# 1. describe a cluster by jobs and tasks, start it, and open a session to it;
# 2. say which op runs in which process, and count the bytes that travel between them;
# 3. say what outlives a client, a worker, a ps and a master, and get a lost model back;
# 4. tell four kinds of failure apart by their errors, and turn a hang into an error.
#
# **Time:** about 120 minutes, of which 60 are exercises. Two sittings are better: after section 6 is a place to stop.
#
# **Hardware:** CPU only. Every server here is a real process on your machine, and everything between them really goes
# through the network code. No GPU is used.
#
# Nine grey cells come first. They are folded, because you need not read them now. Run all nine. The last three start
# and stop servers; when this notebook's kernel ends, however it ends, they end too.

# %% include="quiet_start.py"

# %% include="checks.py"

# %% include="placement_record.py"

# %% include="placement_picture.py" grading="skip"

# %% include="cluster_helper.py"

# %% include="cluster_processes.py"

# %% include="local_cluster.py"

# %% include="cluster_picture.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![A client on the left sends a graph and run requests to the task worker/0, whose master service splits the graph. Three boxes are the worker services of worker/0, ps/0 and ps/1. worker/0 computes; ps/0 and ps/1 hold one variable each. Dashed arrows carry the variables' values from both ps tasks to worker/0.](assets/06_cluster.svg)
#
# A **cluster** is a set of server processes, the **tasks**. Tasks with the same purpose form a **job**. Your program is
# the **client**: it builds a graph and sends it to one task. That task's **master service** splits the graph over all
# tasks. Each task's **worker service** runs its part and sends values to the others.
#
# ## 1 One task: hello
#
# The smallest cluster is one server in your own process.

# %%
v1 = tf.compat.v1
server = tf.distribute.Server.create_local_server()
with tf.Graph().as_default() as graph:
    hello = tf.constant("Hello, distributed TensorFlow!")
with v1.Session(server.target, graph=graph) as session:
    print(session.run(hello).decode())
print(server.target)

# %% [markdown]
# The only change to a program without a cluster is the session's first argument, the **target**. It is an address:
# `grpc://host:port`. The session sends the graph there, through gRPC, and gets the value back.
#
# A server cannot be stopped: it has no method for that, and it lives as long as its process. So from here on each
# server gets a process of its own.
#
# ## 2 Jobs and tasks
#
# A **cluster specification** says which jobs there are, and at which address each of their tasks listens. Everybody in
# the cluster gets the same one. `LocalCluster` chooses free ports, starts a process for each task and waits until each
# answers. It imports TensorFlow once, and makes each task a copy of that process. So only the first start takes seconds.

# %%
print("Starting four servers. The first start of this notebook takes some seconds.", flush=True)
cluster = LocalCluster({"ps": 2, "worker": 2})
for job, addresses in cluster.spec.items():
    print(job, addresses)

# %% grading="skip"
draw_alive(cluster, "Four processes, two jobs")

# %% [markdown]
# | word | means |
# | --- | --- |
# | job | a purpose: `ps` (*parameter server*: holds variables), `worker` (computes). The names are yours; these two are the custom |
# | task | one process of a job, numbered from 0 **within its job** |
# | `/job:worker/task:1` | its name in devices; in `/job:worker/replica:0/task:1/device:CPU:0` the replica is always 0 |
# | master service | takes graphs from clients, splits them, gives the parts to workers. **Every** task has one |
# | worker service | runs parts of graphs on this task's devices. Every task has one |
#
# A "ps" is a server like any other. What makes it a ps is that you pin variables to it. TensorFlow's own class for a
# specification answers questions about it:

# %%
spec = tf.train.ClusterSpec(cluster.spec)
print(spec.jobs, spec.num_tasks("worker"), spec.task_address("worker", 1))
with tf.Graph().as_default() as graph, v1.Session(cluster.target("worker/1"), graph=graph) as session:
    for device in session.list_devices():
        print(device.name)

# %% [markdown]
# You asked one task, `worker/1`, and saw the devices of all four. The session's master found the others through its
# specification.
#
# ## 3 One script that plays every role
#
# On real machines you start the same script on each of them, and tell it by **flags** which task it is. First it reads
# its flags and starts its server:

# %%
ROLE = """
import argparse, tensorflow as tf
flags = argparse.ArgumentParser()
for name, kind in [("job_name", str), ("task_index", int), ("ps_hosts", str), ("worker_hosts", str)]:
    flags.add_argument(f"--{name}", type=kind, required=True)
me = flags.parse_args()
spec = tf.train.ClusterSpec({"ps": me.ps_hosts.split(","), "worker": me.worker_hosts.split(",")})
server = tf.distribute.Server(spec, job_name=me.job_name, task_index=me.task_index)
if me.job_name == "ps":
    server.join()                                  # serve until somebody ends this process
"""

# %% [markdown]
# `join` never returns. So only workers get to the second half, which does their work. Ours put a message into a queue that
# lies on the ps, and end.

# %%
ROLE += """
v1 = tf.compat.v1
with tf.Graph().as_default(), tf.device("/job:ps/task:0"):
    queue = v1.FIFOQueue(10, tf.string, shapes=[()], shared_name="done")
    report = queue.enqueue(f"{server.target} did the work of worker {me.task_index}")
    config = v1.ConfigProto(device_filters=["/job:ps", f"/job:worker/task:{me.task_index}"])
    with v1.Session(server.target, config=config) as session:
        session.run(report)
print("worker", me.task_index, "has done its part")
"""

# %% [markdown]
# The **launcher** starts a process for each task, all with the same script. These are the commands for one ps and three
# workers; `LocalCluster` runs them.

# %% grading="skip"
roles = LocalCluster({"ps": 1, "worker": 3}, script=ROLE, wait=False, name="roles")
hosts = " ".join(f"--{job}_hosts={','.join(addresses)}" for job, addresses in roles.spec.items())
for task in roles.tasks:
    job, index = task.split("/")
    print(f"python role.py --job_name={job} --task_index={index} {hosts}")

# %% predict="who-ends"
# Predict: two seconds later, which of the four processes still run?
still_running = [...]

# %% grading="skip"
roles.wait("worker/0", "worker/1", "worker/2", until="ended")
print(roles.alive())
print(roles.log("worker/1").splitlines()[-1])

# %% [markdown]
# The workers have ended. The ps serves on: `join` waits for ever, and somebody has to end it (lesson 07 shows how to do it in
# good order). The messages are still on the ps. Any client can take them:

# %% grading="skip"
patient = v1.ConfigProto(operation_timeout_in_ms=30_000, device_filters=["/job:ps"])
with tf.Graph().as_default(), tf.device("/job:ps/task:0"):
    messages = v1.FIFOQueue(10, tf.string, shapes=[()], shared_name="done").dequeue_many(3)
    with v1.Session(roles.target("ps/0"), config=patient) as session:
        print(*sorted(message.decode() for message in session.run(messages)), sep="\n")
roles.close()

# %% [markdown]
# Each worker was a client too: of its own server. `device_filters` keeps a session from waiting for tasks that it does not
# need; section 9 shows what happens without.
#
# **Change it:** start five workers instead of three. Which lines must change? Of the script none: only the launcher, and the cell that waits for three.
#
# ## 4 Variables on two ps tasks, work on a worker
#
# A device name may say job and task. So you pin across processes as you pin across devices.

# %%
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:0"):
        w = v1.get_variable("w", initializer=[[1., 2.], [3., 4.]])
    with tf.device("/job:ps/task:1"):
        b = v1.get_variable("b", initializer=[10., 20.])
    with tf.device("/job:worker/task:0"):
        x = tf.constant([[1., 1.]], name="x")
        y = tf.add(tf.matmul(x, w, name="product"), b, name="y")

# %% predict="who-holds"
# Predict: a variable on a ps task is used by an op on a worker. Is that allowed?
# How many values travel in a step?
allowed, values_that_travel = ..., ...

# %% [markdown]
# `on_cluster` opens a session to `worker/0`, assigns the graph's variables, runs it, and keeps TensorFlow's own record of
# that run. It turns the optimizer off, so that the graph runs as it is written (lesson 01, section 3).

# %%
def on_cluster(graph, fetch, task="worker/0"):
    """Assign a graph's variables and run `fetch` on the cluster; returns (value, RunMetadata)."""
    config = v1.ConfigProto(operation_timeout_in_ms=30_000)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    options, metadata = v1.RunOptions(output_partition_graphs=True), v1.RunMetadata()
    with v1.Session(cluster.target(task), graph=graph, config=config) as session:
        session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
        return session.run(fetch, None, options, metadata), metadata

# %%
value, metadata = on_cluster(graph, "y:0")
print(value)
for op, device in placement_of(metadata).items():
    print(f"{op:25} ran on {device}")

# %% grading="skip"
draw_placement(metadata, "Variables on two ps tasks, work on a worker")

# %% [markdown]
# It is allowed, **within one cluster**. Each variable stays in its process and is read there; the value that was read travels
# to the worker. (The words below the picture also name `y`, from `worker/0` to itself; section 5 says why.) You wrote no line for that: the master cut the graph where an edge goes from one task to another.
#
# ## 5 What travels
#
# At each cut the master puts a pair of ops: `_Send` on one side, `_Recv` on the other. The record of the run has them:

# %%
for partition in metadata.partition_graphs:
    for node in partition.node:
        if node.op in ("_Send", "_Recv"):
            print(f"{short_device(node.device):16}{node.op:6} {node.attr['tensor_name'].s.decode()}")

# %% [markdown]
# A `_Send` and its `_Recv` know each other by their `tensor_name`. The `_Recv` asks for the value, by a call through gRPC, and
# the `_Send` answers. How many bytes? The number of elements times the bytes of one:

# %%
def size_in_bytes(graph, name):
    """Bytes of a tensor of known shape; a first output may be written without its :0, as records do."""
    tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
    return tensor.shape.num_elements() * tensor.dtype.size

for name, source, target in transfers_of(metadata):
    print(f"{name} goes from {source} to {target}: {size_in_bytes(graph, name)} bytes")

# %% [markdown]
# One pair is not a journey: `y` goes from `worker/0` to `worker/0`. It is the value that you fetched, handed to the master
# of the session. Had you opened the session to `ps/0`, it would travel there, and then to you.
#
# A layer for training sends more: the worker reads the weights, and sends a gradient back. The update itself happens on the
# ps, next to the variable.

# %%
def training_step(n):
    """A layer of n x n weights on ps/0, trained by worker/0 on one row of n numbers."""
    with tf.Graph().as_default() as graph:
        with tf.device("/job:worker/task:0"):
            x = tf.ones([1, n], name="x")
        with tf.device("/job:ps/task:0"):
            weights = v1.get_variable(f"weights{n}", initializer=tf.ones([n, n]))
        with tf.device("/job:worker/task:0"):
            error = tf.matmul(x, weights.read_value(), name="error")
            gradient = tf.matmul(x, error, transpose_a=True, name="gradient")
        with tf.device("/job:ps/task:0"):
            weights.assign_sub(gradient, name="update")
    return graph

# %% predict="both-ways"
# Predict for n = 32, with 4 bytes a number: how many bytes go from the ps to the worker, and how many back?
to_worker, to_ps = ..., ...

# %%
measured = {}
for n in (32, 64, 96, 128):
    graph = training_step(n)
    _, metadata = on_cluster(graph, graph.get_operation_by_name("update").name)
    measured[n] = {f"{source} to {target}": size_in_bytes(graph, name)
                   for name, source, target in transfers_of(metadata)}
print(measured[32])

# %% grading="skip"
ways = {"ps/0 CPU:0 to worker/0 CPU:0": ("weights, to the worker", "#0072B2", "///"),
        "worker/0 CPU:0 to ps/0 CPU:0": ("gradient, to the ps", "#E69F00", "...")}
_, axes = plt.subplots(figsize=(7, 3), layout="constrained")
for shift, (way, (label, color, hatch)) in zip((-0.2, 0.2), ways.items()):
    sizes = [by_way[way] / 1024 for by_way in measured.values()]
    places = [k + shift for k in range(len(sizes))]
    axes.bar(places, sizes, 0.4, color=color, hatch=hatch, ec="white", label=label)
axes.set(xticks=range(len(measured)), xticklabels=[f"{n} × {n}" for n in measured], 
         xlabel="weights of the layer", ylabel="KiB in each step", title="What travels for one training step")
axes.legend()
plt.show()

# %% [markdown]
# The bars of a pair are equal: in each step all weights travel to the worker, and as many numbers come back as gradients.
# Twice the width is four times the bytes. `x`, `error` and the update itself stay where they are.
#
# **Change it:** pin the second block of `training_step` (`error` and `gradient`) to `/job:ps/task:0`. What travels now? When would
# that be a good idea?
#
# <details><summary>What you see then</summary>
#
# Only `x` travels, 4·n bytes, so the last cell finds no bytes for the weights and stops with a `KeyError`. It saves traffic, but
# then the ps does all the work, and further workers are of no use.
# </details>
#
# ## 6 Two clients share by name
#
# Two graphs, two sessions, two different workers as masters; one variable name.

# %%
def client(task, name="shared", **options):
    """A client of its own: a new graph, and a session to a task. Returns (session, variable, add ten)."""
    with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
        variable = v1.get_variable(name, initializer=1.)
        config = v1.ConfigProto(operation_timeout_in_ms=30_000, **options)
        add_ten = variable.assign_add(10.)
        return v1.Session(cluster.target(task), graph=graph, config=config), variable, add_ten

# %% predict="two-clients"
# Predict: the first client initialises the variable and adds ten. The second only reads. What does it get?
second_reads = ...

# %%
first, variable, add_ten = client("worker/0")
first.run(variable.initializer)
first.run(add_ten)
second, same, _ = client("worker/1")
print(second.run(same))

# %% [markdown]
# It gets 11. The second client never initialised anything. A variable of a cluster is found by three things: the **task** that
# it lies on, its **container** (section 8) and its **name**. Who asks for the same three gets the same variable, from whatever
# graph and through whatever master. That is how workers share one model. It is also how two strangers overwrite each other.
#
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## 7 What outlives the client
#
# A client trains, forgets to save, and goes away.

# %%
def lost_training(start, steps):
    """Train for some steps, then go away without saving.

    `start` is {variable: [task of the ps, first values]}; each step halves every number; returns the target.
    """
    with tf.Graph().as_default():
        variables = []
        for name, (task, values) in start.items():
            with tf.device(f"/job:ps/task:{task}"):
                variables.append(v1.get_variable(name, initializer=np.float32(values)))
        train = [variable.assign_sub(0.5 * variable) for variable in variables]
        deadline = v1.ConfigProto(operation_timeout_in_ms=30_000)
        with v1.Session(cluster.target("worker/0"), config=deadline) as session:
            session.run(v1.global_variables_initializer())
            for _ in range(steps):
                session.run(train)
    return cluster.target("worker/0")

# %% predict="lost"
# Predict: the session is closed and its graph is gone. Are the trained numbers lost?
lost = ...

# %%
target = lost_training({"layer": [1, [8., 16.]]}, steps=3)
with tf.Graph().as_default() as graph, tf.device("/job:ps/task:1"):
    layer = v1.get_variable("layer", shape=[2])        # same task, same name; the initializer is never run
    saver = v1.train.Saver([layer])
with v1.Session(target, graph=graph, config=v1.ConfigProto(operation_timeout_in_ms=30_000)) as session:
    print(session.run(layer))
    saved = saver.save(session, f"{helper.folder}/rescued", write_meta_graph=False)

# %% [markdown]
# 8 and 16, halved three times: nothing is lost. Variables live in the ps *processes*. Closing a session ends none of them. So:
#
# * open a **new session** to the cluster;
# * build a graph with **the same names on the same tasks**;
# * do **not initialise**: that would write the first values over the trained ones;
# * fetch the values, or save them with a `Saver`, as the last line did.
#
# What did it save?

# %%
print(tf.train.list_variables(saved), tf.train.load_variable(saved, "layer"))

# %% [markdown]
# (Each ps task writes its own variables, to a path on **its** machine. With several machines, the path must be on a disk that all
# of them share.)
#
# Two ways to miss them. Another name, or another task, is another variable, and nobody has initialised that one:

# %%
import textwrap

def words(error):
    """What a cluster's error says, without the long rest."""
    skip = ("Graph execution error", "=", "Detected at", "File", "Node:", "Error:", "[[", "Additional GRPC")
    lines = [line.strip() for line in error.message.splitlines()]
    told = [line for line in lines if line and not line.startswith(skip)]
    text = " ".join(told[:2]).partition(":UNKNOWN:")[0]
    return f"{type(error).__name__}: {textwrap.shorten(text, 150, placeholder=' ...')}"

# %%
for task, name in [(1, "layers"), (0, "layer")]:
    with tf.Graph().as_default() as graph, tf.device(f"/job:ps/task:{task}"):
        missing = v1.get_variable(name, shape=[2])
    try:
        v1.Session(target, graph=graph).run(missing)
    except tf.errors.FailedPreconditionError as error:
        print(words(error))

# %% [markdown]
# ## 8 Containers, reset, isolation
#
# A **container** is a named set of variables on each task. Without one you use the default container, whose name is `""`.

# %%
with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
    with graph.container("experiment"):
        apart = v1.get_variable("shared", initializer=-1.)     # the same name as in section 6
    default = v1.get_variable("shared_too", initializer=5.)
session = v1.Session(cluster.target("worker/0"), graph=graph)
session.run([apart.initializer, default.initializer])
print("experiment:", session.run(apart), "| default:", second.run(same))

# %% predict="reset"
# Predict: after a reset of the container "experiment", which of the three can still be read:
# `apart`, `default`, and section 6's `shared`?
readable = [...]

# %%
v1.Session.reset(cluster.target("worker/0"), ["experiment"])
fresh = v1.Session(cluster.target("worker/0"), graph=graph)
for name, ask in [("same session", lambda: session.run(default)), ("experiment", lambda: fresh.run(apart)),
                  ("default", lambda: fresh.run(default)), ("section 6's", lambda: second.run(same))]:
    try:
        print(f"{name}: {ask()}")
    except tf.errors.OpError as error:
        print(f"{name}: {words(error)}")

# %% [markdown]
# A reset does two things. It closes **all sessions of that master**: the old session is not found any more. And it empties the
# containers that you name, on all tasks; without names, the default container. The default container was not named, so its
# variables are still there, for a new session here and for the second client, whose master is `worker/1`.
#
# The opposite of sharing is **isolation**: a session with `isolate_session_state` has variables of its own.

# %%
alone, mine, _ = client("worker/0", isolate_session_state=True)
alone.run(mine.initializer)
print("isolated:", alone.run(mine), "| shared:", second.run(same))

# %% [markdown]
# The isolated session has its own `shared`, just initialised. The one of section 6 still has its ten.
#
# ## 9 Break it and diagnose it
#
# Four things can be dead: a task that never started, a worker, a ps, the master. You cause each of them, on a cluster of its
# own. `outcome` runs something and prints how long it took and what came of it.

# %%
import time

def outcome(what, action):
    begin = time.monotonic()
    try:
        result = action()
        result = "done" if result is None else result
    except tf.errors.OpError as error:
        result = words(error)
    print(f"{what}: after {time.monotonic() - begin:.1f} s: {result}")

# %% grading="skip"
fragile = LocalCluster({"ps": 1, "worker": 2}, start=["ps/0", "worker/0"], name="fragile")
print(fragile.alive())
with tf.Graph().as_default() as fragile_graph:
    with tf.device("/job:ps/task:0"):
        kept = v1.get_variable("kept", initializer=7., use_resource=True)
    doubled = {}
    for index in (0, 1):
        with tf.device(f"/job:worker/task:{index}"):
            doubled[index] = tf.multiply(kept, 2., name=f"doubled{index}")

def open_session(task, **options):
    """A session to a task of the fragile cluster; each of its operations has a deadline of three seconds."""
    config = v1.ConfigProto(operation_timeout_in_ms=3000, **options)
    return v1.Session(fragile.target(task), graph=fragile_graph, config=config)

# %% [markdown]
# ### A task that never started
#
# `worker/1` is missing. The run below needs only `ps/0`, and its master is `worker/0`.

# %% predict="never-started"
# Predict: does this first run give an error at once, wait for worker/1, or just work?
first_run = "..."

# %% grading="skip"
session = open_session("worker/0")
outcome("initialise", lambda: session.run(kept.initializer))

# %% [markdown]
# It waits, here until the deadline of 3 s. Before its first run, a session's master asks **every task of the specification** for
# its devices, whether or not the graph needs them. Without a deadline it would wait for ever, and in silence.
#
# Two settings help. `operation_timeout_in_ms` turns the hang into a `DeadlineExceededError`. `device_filters` names the tasks
# that the session may use. It then waits for no others:

# %% grading="skip"
with tf.Graph().as_default() as small_graph, tf.device("/job:ps/task:0"):
    small = v1.get_variable("kept", initializer=7.)
filters = v1.ConfigProto(operation_timeout_in_ms=3000, device_filters=["/job:ps", "/job:worker/task:0"])
session = v1.Session(fragile.target("worker/0"), graph=small_graph, config=filters)
outcome("initialise, filtered", lambda: session.run(small.initializer))

# %% [markdown]
# The graph must then mention no other task:

# %% grading="skip"
session = open_session("worker/0", device_filters=["/job:ps", "/job:worker/task:0"])
outcome("a graph that names worker/1", lambda: session.run(doubled[1]))

# %% [markdown]
# ### A dead worker
#
# Now `worker/1` starts, works, and is killed.

# %% grading="skip"
fragile.start("worker/1")
session = open_session("worker/0")
outcome("worker/1 lives", lambda: session.run(doubled[1]))
fragile.kill("worker/1")
outcome("worker/1 is dead", lambda: session.run(doubled[1]))
outcome("work without it", lambda: session.run(doubled[0]))

# %% [markdown]
# `UnavailableError`, at once. Its text says **which task**, or which address, does not answer. Work that
# does not need the dead task goes on.

# %% predict="restarted"
# Predict: worker/1 is started again. Does the old session work? Does a new one? What is the variable's value?
old_session, new_session, value = "...", "...", ...

# %% grading="skip"
fragile.start("worker/1")
outcome("old session", lambda: session.run(doubled[1]))
outcome("new session", lambda: open_session("worker/0").run(doubled[1]))

# %% [markdown]
# The old session is of no use any more: it holds a broken connection, and the new process knows none of its graph parts. A **new
# session** connects and sends the graph again. The variable was never in danger: it lies on the ps.
#
# ### A dead ps
#
# Now the process dies that holds the variable.

# %% grading="skip"
session = open_session("worker/0")
session.run(kept)
fragile.kill("ps/0")
outcome("ps/0 is dead", lambda: session.run(doubled[0]))
fragile.start("ps/0")
outcome("ps/0 is back", lambda: open_session("worker/0").run(doubled[0]))

# %% [markdown]
# First the same error as for a worker; here it shows the address instead of the task's name, and the specification says whose
# that is. Then the difference: the new process is empty, and `FailedPreconditionError` says that
# nobody has initialised the variable. What was not saved is lost. Initialise, or restore a checkpoint.
#
# ### A dead master
#
# Last, the task dies that the session talks to.

# %% grading="skip"
with open_session("ps/0") as elsewhere:
    elsewhere.run(kept.initializer)
session = open_session("worker/0")
session.run(doubled[0])
fragile.kill("worker/0")
outcome("the master is dead", lambda: session.run(doubled[0]))
fragile.start("worker/0")
outcome("the master is back", lambda: session.run(doubled[0]))
outcome("new session", lambda: open_session("worker/0").run(doubled[0]))

# %% [markdown]
# No error comes by itself: the client waits for its master until the deadline. Without one it waits for ever. When the master is back,
# it does not know the session: `AbortedError`. A new session works.
#
# | what is dead | what you see | how fast | what to do |
# | --- | --- | --- | --- |
# | a task that never started | nothing; `DeadlineExceededError` with a deadline | at the deadline | start it, or leave it out by `device_filters` |
# | a worker | `UnavailableError` with the task or its address; when it is back, perhaps `AbortedError` | at once | start it, open a new session; nothing is lost |
# | a ps | `UnavailableError`; when it is back, `FailedPreconditionError` | at once | start it, new session, restore a checkpoint |
# | the master | nothing; `DeadlineExceededError` with a deadline | at the deadline | start it, new session (the old one gives `AbortedError`) |
#
# A session's master should be a process that lives as long as the session is needed. Many give each worker's client its own
# worker as master: they live and die together.
#
# ## 10 Who is alive
#
# Kill and start tasks of a real cluster, and look at what becomes of a variable on `ps/0` and of work on each worker.
#
# Without a kernel, look at this picture: `worker/1` was killed. Its box is crossed by lines and says *killed by signal 9*; work on
# `worker/0` still gives 14.0, work on `worker/1` ends at its deadline.
#
# ![The widget after a click on kill worker/1. Two rows of boxes. Job ps: ps/0 answers. Job worker: worker/0 answers, worker/1 is hatched and was killed by signal 9. Below: worker/0 doubles the variable and gets 14.0; worker/1 gives a DeadlineExceededError after 3.0 seconds.](assets/06_widget.svg)

# %% grading="skip"
def double_on(index):
    """Twice the variable, computed by one worker in a new session that waits for no other worker."""
    with tf.Graph().as_default() as graph:
        with tf.device("/job:ps/task:0"):
            kept = v1.get_variable("kept", initializer=7.)
        with tf.device(f"/job:worker/task:{index}"):
            twice = kept * 2.
    filters = ["/job:ps", f"/job:worker/task:{index}"]
    config = v1.ConfigProto(operation_timeout_in_ms=3000, device_filters=filters)
    return v1.Session(fragile.target("ps/0"), graph=graph, config=config).run(twice)

# %% grading="skip"
def probe():
    for index in (0, 1):
        outcome(f"worker/{index} doubles", lambda: double_on(index))

# %% grading="skip"
watch(fragile, probe)

# %% [markdown]
# Each look opens **new** sessions, to the master `ps/0`. So a dead worker is here a task that does not answer at the start: silence until
# the deadline, not `UnavailableError`. Kill `ps/0`: now the master is dead. Start it again: what does the error say, and why?
#
# <details><summary>What you see then</summary>
#
# While `ps/0` is dead, nothing answers: the deadline. When it is back: `FailedPreconditionError`. The master answers again, but the variable died with the
# old process, and no button initialises it. Run this section's cells again for that.
# </details>
#
# ## 11 Today's form
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | `tf.train.Server` (TensorFlow 1) | `tf.distribute.Server` |
# | `tf.train.ClusterSpec` | the same |
# | flags `--job_name`, `--task_index`, `--ps_hosts` | the environment variable `TF_CONFIG`, read by `tf.distribute.cluster_resolver.TFConfigClusterResolver` |
# | a session to `grpc://host:port` | `tf.config.experimental_connect_to_cluster(resolver)`, once, at the start |
# | `with tf.device("/job:ps/task:0"):` in a graph | the same, for eager ops and inside a `tf.function` |
# | variables live in the ps, found by name | they are found by the Python object; when the client ends, they are gone |
# | `Saver` | `tf.train.Checkpoint` |
# | `device_filters` of a session | `tf.config.experimental.ClusterDeviceFilters` |
# | pinning by hand | `tf.distribute.ParameterServerStrategy`, `MultiWorkerMirroredStrategy` (lessons 07 and 09) |
#
# `TF_CONFIG` is JSON: the specification, and who I am. `LocalCluster` sets it for each task:

# %%
TODAY = """
import tensorflow as tf
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type != "chief":
    tf.distribute.Server(resolver.cluster_spec(), resolver.task_type, resolver.task_id).join()
tf.config.experimental_connect_to_cluster(resolver, job_name="chief")
with tf.device("/job:ps/task:0"):
    w = tf.Variable([[1., 2.], [3., 4.]])
with tf.device("/job:worker/task:0"):
    y = tf.matmul([[1., 1.]], w)
print("w lies on", w.device)
print("y lies on", y.device, "and is", y.numpy().tolist())
"""

# %% grading="skip"
today = LocalCluster({"chief": 1, "worker": 1, "ps": 1}, script=TODAY, wait=False, name="today")
today.wait("chief/0", until="ended", seconds=60)
print(*[line for line in today.log("chief/0").splitlines() if " on " in line], sep="\n")
today.close()

# %% [markdown]
# The client is now a task too, the `chief`. There is no graph, no session and no initialisation: each op runs at once, in the process
# that you pinned it to. `job_name` says which task of the specification the client itself is. Leave it out, and it waits for a chief
# that nobody starts.
#
# ## Recap
#
# 1. A cluster is a specification, jobs with numbered tasks, and a server process for each task. Each server is master and worker.
# 2. A client sends a graph to one task. Its master cuts the graph between tasks; `_Send` and `_Recv` carry values over the cuts.
# 3. A variable is found by task, container and name. So clients share it, and it outlives them; it dies with its process.
# 4. To rescue a model that nobody saved: new session, same names, same tasks, **no initialisation**.
# 5. A dead worker or ps is an error at once. A task that never started, and a dead master, are silence: give every session a deadline.
#
# | question | where the answer is |
# | --- | --- |
# | Who belongs to the cluster? | `ClusterSpec`, `session.list_devices()` |
# | What ran where, what travelled? | `RunMetadata.partition_graphs` |
# | Is the model lost? | not while its ps process lives |
# | Which task is dead? | the error's text: the address, or *From /job:…* (who reports it: of a missing variable perhaps the worker that asked) |
# | Why does it hang? | set `operation_timeout_in_ms`, then ask who of the specification does not answer |
#
# **Read on:** lesson 07, *Replication*: several workers train one model on such a cluster. Lesson 04 has the queues.
#
# ## Exercises
#
# Five short programs and one question in words. Exercises 2 to 4 use the cluster of section 2. This cell starts again whatever of it
# is dead; run it when something went wrong.

# %%
def ready_cluster():
    """Start again each task of the cluster that does not answer."""
    dead = [task for task, state in cluster.alive().items() if state != "answers"]
    cluster.start(*dead)
    return cluster.alive()

print(ready_cluster())

# %% [markdown] exercise="plan"
# ### Exercise 1 · Write the commands
#
# Write `plan(hosts, ps, workers, port)` for a cluster with `ps` ps tasks and `workers` workers on the machines `hosts`. It returns a
# dict with two entries:
#
# * `"cluster"`: the specification, `{"ps": [addresses], "worker": [addresses]}`, in the order of the tasks;
# * `"commands"`: a list of pairs `[host, command]`, first of all ps tasks, then of all workers.
#
# Deal the tasks out to the hosts in turn: first the ps tasks, then the workers go on with the next host. The first task on each host listens
# on `port`, its second on `port + 1`, and so on. A command is
# `python role.py --job_name=ps --task_index=0 --ps_hosts=a:2222 --worker_hosts=b:2222,a:2223`: the flags in this order, addresses
# joined by commas.
#
# Example: `plan(["a", "b"], 1, 2, 2222)` has the cluster `{"ps": ["a:2222"], "worker": ["b:2222", "a:2223"]}`, and its first pair is
# `["a", "python role.py --job_name=ps --task_index=0 --ps_hosts=a:2222 --worker_hosts=b:2222,a:2223"]`.

# %% solution="plan"
def plan(hosts, ps, workers, port):
    """Plan a cluster: its specification and the command for each task.

    Args:
        hosts: list of str, names of machines, at least one, no two the same.
        ps: int, number of ps tasks, 1 or more.
        workers: int, number of workers, 1 or more.
        port: int, the port of the first task on each host.
    Returns:
        dict: {"cluster": {"ps": [str], "worker": [str]}, "commands": [[host, command], ...]}.
    """
    ### BEGIN SOLUTION
    places = [(hosts[k % len(hosts)], port + k // len(hosts)) for k in range(ps + workers)]
    addresses = [f"{host}:{number}" for host, number in places]
    cluster = {"ps": addresses[:ps], "worker": addresses[ps:]}
    lists = " ".join(f"--{job}_hosts={','.join(cluster[job])}" for job in cluster)
    tasks = [(job, index) for job in cluster for index in range(len(cluster[job]))]
    commands = [[host, f"python role.py --job_name={job} --task_index={index} {lists}"]
                for (host, _), (job, index) in zip(places, tasks)]
    return {"cluster": cluster, "commands": commands}
    ### END SOLUTION

# %% try="plan"
try:
    for part in plan(["a", "b"], 1, 2, 2222).values():
        print(part)
except NotImplementedError as error:
    print(error)

# %% check="plan-cluster" points=2
got = plan(["a", "b"], 1, 2, 2222)
right = {"ps": ["a:2222"], "worker": ["b:2222", "a:2223"]}

def told(likely):
    return (f'asked:    plan(["a", "b"], 1, 2, 2222)["cluster"]\n'
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, Jobs and tasks")

assert type(got) is dict and type(got.get("cluster")) is dict, told(
    'the result is no dict with an entry "cluster"')
got = got["cluster"]
assert set(got) == {"ps", "worker"}, told("the jobs are ps and worker")
every = [address for addresses in got.values() for address in addresses]
assert len(set(every)) == len(every), told(
    "two tasks have the same address: on one host each needs a port of its own")
assert got["worker"] != ["a:2223", "b:2222"] and got["worker"][:1] != ["a:2222"], told(
    "the workers begin with the first host again; they go on after the last ps task")
assert got == right, told("compare hosts and ports: each host counts its own ports, from port on")

# %% check="plan-commands" points=2
result = plan(["a", "b"], 1, 2, 2222)
hosts = "--ps_hosts=a:2222 --worker_hosts=b:2222,a:2223"
right = [["a", f"python role.py --job_name=ps --task_index=0 {hosts}"],
         ["b", f"python role.py --job_name=worker --task_index=0 {hosts}"],
         ["a", f"python role.py --job_name=worker --task_index=1 {hosts}"]]
got = result.get("commands") if type(result) is dict else result

def told(likely):
    return (f'asked:    plan(["a", "b"], 1, 2, 2222)["commands"]\n'
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, One script that plays every role")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 2 for row in got), told(
    "the commands are not a list of pairs of host and command")
got = [list(row) for row in got]
assert len(got) == 3, told("there is one command for each task")
text = " ".join(str(row[1]) for row in got)
assert "--task_index=2" not in text, told(
    "the index went on from job to job: each job counts its tasks from 0")
assert all(str(row[1]).count(":") >= 3 for row in got), told(
    "every task gets all addresses of the cluster, not only some")
assert all(hosts in str(row[1]) for row in got), told(
    "an address is wrong, or a list of them: hosts take turns, each counts its ports; commas, no spaces")
assert got == right, told("compare the pairs one by one")

# %% hidden="plan-many" points=2
result = plan(["x", "y", "z"], 2, 6, 5000)
right = {"ps": ["x:5000", "y:5000"],
         "worker": ["z:5000", "x:5001", "y:5001", "z:5001", "x:5002", "y:5002"]}
got = result.get("cluster") if type(result) is dict else result

def told(likely):
    return (f'asked:    plan(["x", "y", "z"], 2, 6, 5000)["cluster"]\n'
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1: tasks are dealt out in turn, each host counts its ports")

assert type(got) is dict, told("the result is no dict with the entry")
every = [address for addresses in got.values() for address in addresses]
assert len(set(every)) == len(every) == 8, told("two tasks have the same address, or a task has none")
assert got == right, told("compare hosts and ports one by one")

# %% hidden="plan-one-host" points=2
result = plan(["m"], 2, 2, 7000)
lists = "--ps_hosts=m:7000,m:7001 --worker_hosts=m:7002,m:7003"
right = [["m", f"python role.py --job_name={job} --task_index={i} {lists}"]
         for job in ("ps", "worker") for i in (0, 1)]
got = result.get("commands") if type(result) is dict else result

def told(likely):
    return (f'asked:    plan(["m"], 2, 2, 7000)["commands"]\n'
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, One script that plays every role")

assert type(got) is list and all(type(row) in (list, tuple) for row in got), told(
    "the commands are not a list of pairs")
assert "--task_index=2" not in str(got), told(
    "the index went on from job to job: each job counts its tasks from 0")
assert [list(row) for row in got] == right, told(
    "four tasks on one host need four ports, and each its own command")

# %% [markdown] exercise="shard"
# ### Exercise 2 · Share the variables out
#
# Two ps tasks help only if both have about the same to send. Write `shard(shapes, ps)`. It builds a graph and returns it as the
# bytes of its `GraphDef`: `graph.as_graph_def().SerializeToString()`.
#
# * `shapes` is `{name: shape}`, such as `{"conv": [3, 3, 8], "bias": [8]}`. For each entry the graph has a variable with this name and shape,
#   float32, made by `v1.get_variable`, with ones as its first values (`initializer=tf.ones(shape)`).
# * Each variable is pinned to a task of job `ps`, `/job:ps/task:0` to `ps - 1`. Take the variables **by size, the largest first** (equal
#   sizes: in the order given). Give each to the task that has the **fewest bytes so far** (equally few: the lowest number).
# * An op named `total`, on `/job:worker/task:0`, is the sum of all numbers of all variables. The sums that lead to it are on the worker too.
#
# Example: of `{"a": [2], "b": [3], "c": [4]}` on two tasks, `c` goes to task 0 (16 bytes), `b` to task 1 (12), `a` to task 1 (20).
# `total` is 9.

# %% solution="shard"
def shard(shapes, ps):
    """Build a graph whose variables are spread over ps tasks by size.

    Args:
        shapes: dict, variable name -> list of int.
        ps: int, number of ps tasks, 1 or more.
    Returns:
        bytes: the graph as a serialized GraphDef, with an op named "total" (float32, a scalar).
    """
    ### BEGIN SOLUTION
    load, variables = [0] * ps, []
    with tf.Graph().as_default() as graph:
        for name in sorted(shapes, key=lambda name: -int(np.prod(shapes[name]))):
            task = load.index(min(load))
            load[task] += 4 * int(np.prod(shapes[name]))
            with tf.device(f"/job:ps/task:{task}"):
                variables.append(v1.get_variable(name, initializer=tf.ones(shapes[name]), use_resource=True))
        with tf.device("/job:worker/task:0"):
            tf.add_n([tf.reduce_sum(variable) for variable in variables], name="total")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

def sharded(shapes, ps):
    """Given, for the checks: run your graph on the cluster. Returns [total, {op: where it ran}]."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(shard(shapes, ps)), name="")
    ready_cluster()
    value, metadata = on_cluster(graph, "total:0")
    return [float(value), placement_of(metadata)]

# %% try="shard"
try:
    total, places = sharded({"a": [2], "b": [3], "c": [4]}, 2)
    print(total, {name: places[name] for name in "abc"})
except NotImplementedError as error:
    print(error)

# %% check="shard-ran" points=2
import random

sizes = random.sample(range(2, 40), 4)
shapes = {f"v{size}_{random.randrange(10**9)}": [size] for size in sizes}
names = list(shapes)
got = sharded(dict(shapes), 2)
total, places = got if type(got) in (list, tuple) and len(got) == 2 else (None, {})
where = {name: places.get(name) for name in names}
got = f"total {total}, variables on {where}"

def told(likely):
    return (f"asked:    shard({shapes}, 2), run on the cluster\n"
            f"got:      {got}\n"
            f"expected: total {sum(sizes)} on worker/0, all variables on ps tasks\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Variables on two ps tasks, work on a worker")

assert all(where.values()), told("a variable is missing, or has another name")
assert all(place.startswith("ps/") for place in where.values()), told(
    "a variable was created outside a ps scope")
assert places.get("total", "").startswith("worker/0"), told(
    "the sum is computed on a ps: open a scope for the worker")
assert total == sum(sizes), told("total is the sum of all numbers of all variables, and all are ones")

# %% check="shard-example" points=2
total, places = sharded({"a": [2], "b": [3], "c": [4]}, 2)
got = {name: places.get(name) for name in "abc"}
right = {"a": "ps/1 CPU:0", "b": "ps/1 CPU:0", "c": "ps/0 CPU:0"}

def told(likely):
    return (f'asked:    where the variables of shard({{"a": [2], "b": [3], "c": [4]}}, 2) ran\n'
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: the largest first, to the task with the fewest bytes")

assert all(got.values()), told("a variable is missing, or has another name")
assert all(place.startswith("ps/") for place in got.values()), told(
    "a variable is not on a ps task: pin each with tf.device")
assert got["c"] != got["b"], told(
    "the two largest share a task: look at the bytes so far, not at the order alone")
assert got != {"a": "ps/0 CPU:0", "b": "ps/1 CPU:0", "c": "ps/0 CPU:0"}, told(
    "variables are dealt out in turn: task 0 then has 24 bytes, task 1 only 12")
assert got == right, told("take the largest first; equally few bytes: the lowest number")

# %% hidden="shard-bytes" points=3
import math
import tensorflow as tf

shapes = {"s1": [2, 2], "deep": [3, 3, 8], "wide": [60], "tall": [10, 5], "bias": [8], "same": [4]}
answer = shard(dict(shapes), 3)
definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
kinds = ("VarHandleOp", "VariableV2")
got = {node.name: node.device.split("/job:")[-1] for node in definition.node if node.op in kinds}
load, right = [0, 0, 0], {}
for name in sorted(shapes, key=lambda name: -math.prod(shapes[name])):
    task = load.index(min(load))
    load[task] += math.prod(shapes[name])
    right[name] = f"ps/task:{task}"
got = {name: device.replace("/replica:0", "").replace("/device:CPU:0", "") for name, device in got.items()}

def told(likely):
    return (f"asked:    shard({shapes}, 3): the tasks of the variables\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: the largest first, to the task with the fewest bytes")

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
assert set(got) == set(shapes), told("the variables are not those of shapes")
loads = {}
for name, task in got.items():
    loads[task] = loads.get(task, 0) + 1
assert got["deep"] != got["wide"], told("the two largest variables share a task")
assert got["deep"] == "ps/task:0", told(
    "the largest is not the first; a shape's size is the product of its numbers")
assert got == right, told("give each to the task with the fewest bytes so far, not with the fewest variables")

# %% hidden="shard-work" points=1
import tensorflow as tf

answer = shard({"p": [3], "q": [2, 2]}, 1)
definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
tasks = {node.device.split("/job:")[-1].replace("/replica:0", "").replace("/device:CPU:0", "")
         for node in definition.node if node.op in ("VarHandleOp", "VariableV2")}
total = [node.device for node in definition.node if node.name == "total"]
sums = [node.device for node in definition.node if node.op == "Sum"]
got = f"variables on {sorted(tasks)}, total on {total}, sums on {sums}"

def told(likely):
    return (f'asked:    shard({{"p": [3], "q": [2, 2]}}, 1): the requests in the graph\n'
            f"got:      {got}\n"
            f"expected: all variables on ps/task:0, every Sum and total on job worker\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, Variables on two ps tasks, work on a worker")

assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
assert tasks == {"ps/task:0"}, told("with one ps task all variables are on task 0")
assert total and "job:worker" in total[0], told("total is not pinned to the worker")
assert all("job:worker" in device for device in sums), told(
    "a sum is computed on the ps, in the variable's scope")

# %% [markdown] exercise="traffic"
# ### Exercise 3 · Count the bytes
#
# Write `traffic(data, fetch)`. It runs a graph on the lesson's `cluster` and returns what really went over the wire: a sorted list of
# `[tensor, from, to, bytes]`, one row for each value that went **from one task to another**.
#
# * `data` is the graph as bytes of a `GraphDef`; all shapes in it are known. `fetch` is a tensor's name, such as `"y:0"`. Variables are assigned
#   first, as `on_cluster` does. Count only the run of `fetch`, not the assigning.
# * Tasks are written `"ps/0"`, without the device. `tensor` is the name as the record has it, such as `"Read/ReadVariableOp"`.
# * `bytes` is the number of elements times the bytes of one of them. Not every tensor is float32.
#
# What stays in its task is no traffic; section 5 has an example. Leave it out first: the graph does not know all names of such values. `on_cluster`, `transfers_of` and `size_in_bytes` may help you.

# %% solution="traffic"
def traffic(data, fetch):
    """Run a graph on the cluster and list what travelled between tasks.

    Args:
        data: bytes, a serialized GraphDef.
        fetch: str, the name of the tensor to fetch, such as "y:0".
    Returns:
        sorted list of [tensor, from task, to task, bytes]: [str, str, str, int].
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    rows = []
    for name, source, target in transfers_of(on_cluster(graph, fetch)[1]):
        source, target = source.split()[0], target.split()[0]
        if source != target:
            rows.append([name, source, target, size_in_bytes(graph, name)])
    return sorted(rows)
    ### END SOLUTION

# %% try="traffic"
try:
    ready_cluster()
    print(traffic(training_step(16).as_graph_def().SerializeToString(), "gradient:0"))
except NotImplementedError as error:
    print(error)

# %% check="traffic-weights" points=3
import random
import tensorflow as tf

v1, n, name = tf.compat.v1, random.randrange(3, 40), f"w{random.randrange(10**9)}"
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:0"):
        w = v1.get_variable(name, initializer=tf.ones([n, 2]), use_resource=True)
    with tf.device("/job:worker/task:0"):
        read = tf.constant(2.) * w
        y = tf.add(read, 1., name="y")
got = traffic(graph.as_graph_def().SerializeToString(), "y:0")
right = [[f"mul/ReadVariableOp", "ps/0", "worker/0", 8 * n]]

def told(likely):
    return (f"asked:    a variable of {n} x 2 float32 on ps/0, two ops on worker/0, fetch y\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, What travels")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 4 for row in got), told(
    "the result is not a list of rows with four entries")
got = [list(row) for row in got]
assert not any(row[1] == row[2] for row in got), told(
    "a value that stays in its task is no traffic: y is only handed to the master")
assert not any("CPU" in str(row[1]) for row in got), told("write the task only, ps/0, without the device")
assert len(got) == 1, told("one value travels; each has a _Send and a _Recv: count one of them")
assert got[0][3] != 2 * n, told("that is the number of elements; each has 4 bytes")
assert got == right, told("compare the row's entries: tensor, from, to, bytes")

# %% check="traffic-none" points=1
import random
import tensorflow as tf

with tf.Graph().as_default() as graph, tf.device("/job:worker/task:0"):
    tf.add(tf.constant([1., 2.]), 3., name="alone")
got = traffic(graph.as_graph_def().SerializeToString(), "alone:0")
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:0"):
        w = tf.compat.v1.get_variable(f"n{random.randrange(10**9)}", initializer=[1., 2.], use_resource=True)
    with tf.device("/job:worker/task:0"):
        tf.add(tf.constant(2.) * w, 1., name="read")
moved = traffic(graph.as_graph_def().SerializeToString(), "read:0")

def told(likely):
    return (f"asked:    a graph that is on worker/0 as a whole; then one that reads a variable on ps/0\n"
            f"got:      {got}; then {moved}\n"
            f"expected: []; then a row for what the worker reads\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, What travels")

assert got is not None, told("return a list, here an empty one")
assert type(got) is list and not got, told(
    "a value that stays in its task is no traffic, also where the record has a pair for it")
assert moved, told("what goes from one task to another is traffic: the list is not always empty")

# %% hidden="traffic-dtypes" points=3
import random
import tensorflow as tf

v1, n, tag = tf.compat.v1, random.randrange(3, 30), random.randrange(10**9)
kinds = {"half": (tf.float16, 2), "double": (tf.float64, 8), "byte": (tf.int8, 1)}
with tf.Graph().as_default() as graph:
    for k, (kind, (dtype, _)) in enumerate(kinds.items()):
        with tf.device(f"/job:ps/task:{k % 2}"):
            variable = v1.get_variable(f"{kind}{tag}", initializer=tf.ones([n], dtype), use_resource=True)
            tf.identity(variable.read_value(), name=kind)
    with tf.device("/job:worker/task:0"):
        parts = [tf.cast(graph.get_tensor_by_name(f"{kind}:0"), tf.float32) for kind in kinds]
        parts.append(tf.cast(graph.get_tensor_by_name("half:0"), tf.float64, name="again"))
        tf.add(tf.add_n(parts[:3]), tf.cast(parts[3], tf.float32), name="y")
got = traffic(graph.as_graph_def().SerializeToString(), "y:0")
right = sorted([kind, f"ps/{k % 2}", "worker/0", n * size]
               for k, (kind, (_, size)) in enumerate(kinds.items()))

def told(likely):
    return (f"asked:    {n} numbers of float16 and of int8 on ps/0, of float64 on ps/1, read on worker/0\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, What travels")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 4 for row in got), told(
    "the result is not a list of rows with four entries")
got = [list(row) for row in got]
assert len(got) == 3, told(
    "a tensor that two ops of a task read travels once, and what stays in its task does not travel")
assert [row[:3] for row in got] == [row[:3] for row in right], told(
    "the rows are not sorted, or name other tensors or tasks")
assert got == right, told("not every number has 4 bytes: ask the tensor's dtype for its size")

# %% hidden="traffic-back" points=2
import random
import tensorflow as tf

v1, n, name = tf.compat.v1, random.randrange(3, 30), f"g{random.randrange(10**9)}"
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:1"):
        w = v1.get_variable(name, initializer=tf.ones([n, n]), use_resource=True)
        value = tf.identity(w.read_value(), name="value")
    with tf.device("/job:worker/task:1"):
        column = tf.reduce_sum(value, axis=1, name="column")
    with tf.device("/job:ps/task:1"):
        tf.add(column, 1., name="back")
    with tf.device("/job:worker/task:0"):
        tf.identity(graph.get_tensor_by_name("back:0"), name="end")
got = traffic(graph.as_graph_def().SerializeToString(), "end:0")
right = [["back", "ps/1", "worker/0", 4 * n], ["column", "worker/1", "ps/1", 4 * n],
         ["value", "ps/1", "worker/1", 4 * n * n]]

def told(likely):
    return (f"asked:    weights of {n} x {n} to worker/1, {n} sums back to ps/1, then to worker/0\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, What travels: weights go out, gradients come back")

assert type(got) is list and all(type(row) in (list, tuple) and len(row) == 4 for row in got), told(
    "the result is not a list of rows with four entries")
got = [list(row) for row in got]
assert any(row[1].startswith("worker") for row in got), told("what goes from a worker to a ps is missing")
assert got == right, told("each row is one value between two tasks: its own size, sorted by name")

# %% [markdown] exercise="rescue"
# ### Exercise 4 · Rescue a model
#
# A client has trained on a cluster and is gone; nobody saved. Write `rescue(target, variables)`. It gets the trained values and returns them.
#
# * `target` is the address of a task that lives, such as `"grpc://127.0.0.1:2222"`.
# * `variables` is `{name: [task, shape]}`: `{"layer": [1, [2]]}` is the float32 variable `layer` of shape `[2]` on `/job:ps/task:1`, in the default
#   container.
#
# Return `{name: values}`, the values as a list (`array.tolist()`). A variable that is not there, because nobody ever initialised it, has the value
# `None`; the others are still rescued. The cluster must be as before afterwards: whoever rescues a second time gets the same.
#
# Example: `rescue(lost_training({"layer": [1, [8., 16.]]}, 3), {"layer": [1, [2]]})` is `{"layer": [1.0, 2.0]}`.

# %% solution="rescue"
def rescue(target, variables):
    """Fetch the values of variables that a client left behind in a cluster.

    Args:
        target: str, a session's target.
        variables: dict, name -> [task of job ps (int), shape (list of int)]; all float32.
    Returns:
        dict, name -> nested list of float, or None for a variable that nobody has initialised.
    """
    ### BEGIN SOLUTION
    values = {}
    with tf.Graph().as_default() as graph:
        for name, (task, shape) in variables.items():
            with tf.device(f"/job:ps/task:{task}"):
                values[name] = v1.get_variable(name, shape=shape)
    with v1.Session(target, graph=graph, config=v1.ConfigProto(operation_timeout_in_ms=30_000)) as session:
        for name, variable in values.items():
            try:
                values[name] = session.run(variable).tolist()
            except tf.errors.FailedPreconditionError:
                values[name] = None
    return values
    ### END SOLUTION

def rescued(start, steps, variables):
    """Given, for the checks: a client trains, does not save and goes away; then your function, twice."""
    ready_cluster()
    target = lost_training(start, steps)
    return [rescue(target, variables), rescue(target, variables)]

# %% try="rescue"
try:
    print(rescued({"layer": [1, [8., 16.]]}, 3, {"layer": [1, [2]]})[0])
except NotImplementedError as error:
    print(error)

# %% check="rescue-one" points=3
import random

name, start = f"lost{random.randrange(10**9)}", [8. * random.randrange(1, 99) for _ in range(3)]
once, twice = rescued({name: [1, list(start)]}, 3, {name: [1, [3]]})
right, got = {name: [number / 8 for number in start]}, once

def told(likely):
    return (f"asked:    the variable {name} on ps/1, which began as {start} and was halved three times\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, What outlives the client")

assert type(got) is dict and set(got) == {name}, told("the result is no dict with an entry for each variable")
assert got[name] is not None, told(
    "with another name, task or container, or in an isolated session, it is another variable")
assert type(got[name]) is list, told("give the values as a list: array.tolist()")
assert got == right, told(
    "the trained values are overwritten: a variable that is initialised again has lost them")
assert twice == once, told("the second rescue gave something else: the first one changed the cluster")

# %% check="rescue-missing" points=2
import random

tag = random.randrange(10**9)
start = {f"here{tag}": [0, [[4., 8.], [16., 32.]]]}
got, again = rescued(start, 2, {f"here{tag}": [0, [2, 2]], f"never{tag}": [1, [2]]})
right = {f"here{tag}": [[1., 2.], [4., 8.]], f"never{tag}": None}

def told(likely):
    return (f"asked:    a trained variable of shape [2, 2] on ps/0, and one on ps/1 that was never there\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, What outlives the client")

assert type(got) is dict and set(got) == set(right), told(
    "the result is no dict with an entry for each variable")
assert not any(hasattr(value, "shape") for value in got.values()), told("give lists: array.tolist()")
assert got[f"never{tag}"] is None, told(
    "a variable that nobody initialised has no value: it is None, not a first value of yours")
assert got == right, told("one missing variable must not cost the others: fetch them one by one")

# %% hidden="rescue-many" points=3
import random

tag = random.randrange(10**9)
numbers = [16. * random.randrange(1, 99) for _ in range(4)]
start = {f"a{tag}": [0, numbers[:1]], f"b{tag}": [1, [numbers[1:3]]], f"c/d{tag}": [0, numbers[3]]}
shapes = {f"c/d{tag}": [0, []], f"a{tag}": [0, [1]], f"b{tag}": [1, [1, 2]]}
got, again = rescued(start, 4, shapes)
right = {f"c/d{tag}": numbers[3] / 16, f"a{tag}": [numbers[0] / 16],
         f"b{tag}": [[number / 16 for number in numbers[1:3]]]}

def told(likely):
    return (f"asked:    three variables on two ps tasks, in another order, one of them a scalar\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, What outlives the client")

assert type(got) is dict and set(got) == set(right), told(
    "the result is no dict with an entry for each variable")
assert not any(hasattr(value, "shape") for value in got.values()), told("give lists: array.tolist()")
assert None not in got.values(), told(
    "a variable was not found: same name, same task; the order does not matter")
assert got == right, told("the values are not the trained ones: nothing may be initialised")

# %% hidden="rescue-again" points=2
import random

tag, number = random.randrange(10**9), 4. * random.randrange(1, 99)
once, twice = rescued({f"x{tag}": [0, [number]]}, 1, {f"x{tag}": [0, [1]], f"y{tag}": [0, [1]]})
right, got = {f"x{tag}": [number / 2], f"y{tag}": None}, [once, twice]

def told(likely):
    return (f"asked:    to rescue one variable that is there and one that is not, twice\n"
            f"got:      {got}\n"
            f"expected: both times {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 7, and section 8, Containers, reset, isolation")

assert not any(hasattr(value, "shape") for each in got for value in dict(each or {}).values()), told(
    "give lists: array.tolist()")
assert once == right, told(
    "the first rescue is wrong already: nothing may be initialised, what is not there is None")
assert twice == right, told(
    "the second time it is different: the first one initialised a variable or reset a container")

# %% [markdown]
# Exercise 5 trains on a cluster of its own, one ps and one worker. This is its graph: the worker computes, the ps keeps `w` and counts the steps.
# Running `train:0` makes one step and gives the count; `count:0` reads the count and makes no step.

# %%
def step_graph():
    """The graph of exercise 5. Each step halves w. Fetch "train:0" or "count:0"; "init" sets both to 0."""
    with tf.Graph().as_default() as graph:
        with tf.device("/job:ps/task:0"):
            w = v1.get_variable("w", initializer=0., use_resource=True)
            steps = v1.get_variable("steps", initializer=0, use_resource=True)
            tf.identity(steps.read_value(), name="count")
            tf.group(w.initializer, steps.initializer, name="init")
        with tf.device("/job:worker/task:0"):
            gradient = tf.multiply(w.read_value(), 0.5, name="gradient")
        with tf.device("/job:ps/task:0"), tf.control_dependencies([w.assign_sub(gradient)]):
            tf.identity(steps.assign_add(1).read_value(), name="train")
    return graph

# %% [markdown]
# And this is what happens to it: `drill` sets `w` and the count, calls a training function, and kills the worker after the steps that you name.
# Some time later it starts it again. At last it reads `w` and the count, by a session that needs only the ps.

# %%
def on_ps(target, fetch, feed=None):
    """A session of the drill that waits for no worker: an empty graph with the two variables."""
    with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
        for name, dtype in (("w", tf.float32), ("steps", tf.int32)):
            variable = v1.get_variable(name, [], dtype, use_resource=True)
            variable.assign(v1.placeholder(dtype, [], f"new_{name}"), name=f"set_{name}")
            tf.identity(variable.read_value(), name=f"get_{name}")
        config = v1.ConfigProto(operation_timeout_in_ms=30_000, device_filters=["/job:ps"])
        with v1.Session(target, graph=graph, config=config) as session:
            return session.run(fetch, feed)

# %%
def killer(small, kills, back, seen, timers):
    """after_step: notes the count; after the counts in `kills` it kills the worker, for `back` seconds."""
    def after_step(count):
        seen.append(int(count))
        if kills and seen[-1] == kills[0]:
            kills.pop(0), small.kill("worker/0")
            timers.append(threading.Timer(back, small.start, ["worker/0"]))
            timers[-1].start()
    return after_step

# %%
def drill(train, begin, steps, kills, back=0.5, patience=30.):
    """Call train(target, steps, after_step, patience); returns [how it ended, counts, w, count]."""
    ended, seen, timers = "returned", [], []
    with LocalCluster({"ps": 1, "worker": 1}, name="drill") as small:
        target = small.target("ps/0")
        on_ps(target, ["set_w", "set_steps"], {"new_w:0": begin[0], "new_steps:0": begin[1]})
        try:
            train(target, steps, killer(small, list(kills), back, seen, timers), patience)
        except NotImplementedError:
            raise
        except Exception as error:
            ended = type(error).__name__
        finally:
            [(timer.cancel(), timer.join()) for timer in timers]
        w, count = on_ps(target, ["get_w:0", "get_steps:0"])
    return [ended, seen, float(w), int(count)]

# %% [markdown] exercise="survive"
# ### Exercise 5 · Survive a dead worker
#
# Write `survive(target, steps, after_step, patience)`. It trains with the graph of `step_graph()`, over sessions to `target` (the ps, which lives),
# until the count on the ps is `steps`.
#
# * Somebody else has initialised the variables, and perhaps made some steps already. Never initialise; go on from the count that is there.
# * Each step is one run of `train:0`. After each that succeeded, call `after_step` with the count that it gave.
# * The worker may be killed between two steps, again and again, and start again soon after. The run then fails with an error from
#   `tf.errors`: `UnavailableError`, `AbortedError`, `DeadlineExceededError` or another. Go on with a **new session** until the count is `steps`: not a step less,
#   not a step more.
# * Give a session a deadline (`operation_timeout_in_ms`) of some three to five seconds, since its first run waits for a worker that is not there.
# * Do not close a session whose worker is dead, and do not open it by `with`: closing asks all its tasks, and prints an error. Just leave it.
# * If no step succeeds for `patience` seconds, give up: raise `TimeoutError`. (A few seconds more do not matter.)
#
# It returns nothing. Example: `w` is 64 and the count 0. Of six steps the worker is killed after the third. At last the count is 6, `w` is 1.0, and
# `after_step` was called with 1, 2, 3, 4, 5, 6.

# %% solution="survive"
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker.

    Args:
        target: str, a session's target: the ps.
        steps: int, the count to reach.
        after_step: function of one int, to be called with the new count after each step.
        patience: float, seconds without a step after which to give up.
    Raises:
        TimeoutError: no step succeeded for `patience` seconds.
    """
    ### BEGIN SOLUTION
    config = v1.ConfigProto(operation_timeout_in_ms=4000)
    graph, last = step_graph(), time.monotonic()
    while True:
        try:
            session = v1.Session(target, graph=graph, config=config)
            count = session.run("count:0")
            while count < steps:
                count = session.run("train:0")
                last = time.monotonic()
                after_step(count)
            return
        except tf.errors.OpError:
            if time.monotonic() - last > patience:
                raise TimeoutError(f"no step for {patience} s") from None
            time.sleep(0.1)
    ### END SOLUTION

def survived(begin, steps, kills, back=0.5, patience=40.):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return drill(survive, begin, steps, kills, back, patience)

# %% try="survive"
try:
    for kills in ([], [3]):
        print("killed after", kills, "->", survived([64., 0], 6, kills))
except NotImplementedError as error:
    print(error)

# %% check="survive-calm" points=1
import random

start = 2. ** 6 * random.randrange(1, 999)
ended, seen, w, count = survived([start, 0], 4, [])
got = f"{ended}; after_step: {seen}; w = {w}, count = {count}"

def told(likely):
    return (f"asked:    four steps from w = {start}, and nothing dies\n"
            f"got:      {got}\n"
            f"expected: returned; after_step: [1, 2, 3, 4]; w = {start / 16}, count = 4\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, Break it and diagnose it, and the text of exercise 5")

assert ended.startswith("returned"), told(f"it raised {ended} although nothing died")
assert w != 0, told("the variables were initialised again: w is 0")
assert count == 4, told("the count on the ps is what says how many steps were made")
assert seen == [1, 2, 3, 4], told("call after_step once after each step, with the count that train gave")
assert w == start / 16, told("w was changed otherwise than by the steps")

# %% check="survive-kill" points=3
import random

start = 2. ** 6 * random.randrange(1, 999)
ended, seen, w, count = survived([start, 0], 6, [3])
got = f"{ended}; after_step: {seen}; w = {w}, count = {count}"

def told(likely):
    return (f"asked:    six steps from w = {start}; the worker is killed after step 3, and comes back\n"
            f"got:      {got}\n"
            f"expected: returned; after_step: [1, 2, 3, 4, 5, 6]; w = {start / 64}, count = 6\n"
            f"likely:   {likely}\n"
            f"reread:   section 9, Break it and diagnose it: a dead worker")

assert ended != "UnavailableError", told(
    "the error of the dead worker ended the training; catch it and go on")
assert ended != "TimeoutError", told(
    "gave up although the worker came back: the old session stays dead, open a new one")
assert ended not in ("AbortedError", "DeadlineExceededError"), told(
    f"{ended} ended the training: a first run waits for the worker until its deadline; try it again")
assert ended.startswith("returned"), told(f"it ended with {ended}")
assert w != 0 and seen[3:4] != [1], told(
    "initialised again after the death: the variables on the ps were never lost")
assert count >= 6, told("a step that failed was counted as made: ask the ps for the count")
assert count != 7, told("one step too many: stop as soon as the count on the ps is `steps`")
assert count == 6, told(
    "made too many steps: after a death it began to count from the start; ask the ps for the count")
assert seen == [1, 2, 3, 4, 5, 6], told("call after_step once after each step that succeeded")
assert w == start / 64, told("w was changed otherwise than by the steps")

# %% hidden="survive-resume" points=2
import random

start = 2. ** 8 * random.randrange(1, 999)
ended, seen, w, count = survived([start, 5], 9, [7])
got = f"{ended}; after_step: {seen}; w = {w}, count = {count}"

def told(likely):
    return (f"asked:    the count is 5; go on to 9; the worker is killed after step 7, and comes back\n"
            f"got:      {got}\n"
            f"expected: returned; after_step: [6, 7, 8, 9]; w = {start / 16}, count = 9\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 5: go on from the count that is there")

assert ended.startswith("returned"), told(f"it ended with {ended}")
assert w != 0, told("the variables were initialised again: w is 0")
assert count == 9, told("steps says which count to reach, not how many steps to make")
assert seen == [6, 7, 8, 9] and w == start / 16, told("each step once, after_step after each")

# %% hidden="survive-twice" points=2
import random

start = 2. ** 6 * random.randrange(1, 999)
ended, seen, w, count = survived([start, 0], 5, [1, 2], 0.2)
got = f"{ended}; after_step: {seen}; w = {w}, count = {count}"

def told(likely):
    return (f"asked:    five steps; the worker is killed after step 1 and again after step 2\n"
            f"got:      {got}\n"
            f"expected: returned; after_step: [1, 2, 3, 4, 5]; w = {start / 32}, count = 5\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 5: again and again")

assert ended.startswith("returned"), told(f"it ended with {ended}: survives one death, not the second")
assert count == 5, told("the count on the ps is what says how many steps were made")
assert seen == [1, 2, 3, 4, 5] and w == start / 32, told("each step once, after_step after each")

# %% hidden="survive-patience" points=2
ended, seen, w, count = survived([64., 0], 6, [2], 25., 3.)
got = f"{ended}; after_step: {seen}; w = {w}, count = {count}"

def told(likely):
    return (f"asked:    the worker is killed after step 2 and comes back only after 25 s; patience is 3 s\n"
            f"got:      {got}\n"
            f"expected: TimeoutError; after_step: [1, 2]; w = 16.0, count = 2\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 5: if no step succeeds for patience seconds")

assert ended != "returned" or count == 6, told(
    "it ended before the count was 6, and nobody knows: raise a TimeoutError")
assert not ended.startswith("returned"), told(
    "went on trying for 25 s: it should give up when its patience is over")
assert ended == "TimeoutError", told(
    f"it ended with {ended}; give up with a TimeoutError when patience is over, not before")
assert [seen, w, count] == [[1, 2], 16., 2], told("the two steps before were not made once each")

# %% [markdown] exercise="lost_model"
# ### Exercise 6 · In your own words
#
# Training on a cluster of two ps and eight workers has ended at night. The client's script ended too, and nobody saved the model. A colleague wants to
# start the training again. Explain in three to six sentences why the model is probably not lost, what to do step by step, what must **not** be done, and
# in which case it is lost after all.

# %% [markdown] written="lost_model" points=3
# ### BEGIN SOLUTION
# The variables live in the ps processes, not in the client. Open a new session and save them.
# ### END SOLUTION

# %% [markdown] model="lost_model"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# The variables live in the containers of the ps *processes*. The client's session and graph are gone, but the servers go on until somebody ends them.
# So open a new session to a task of the cluster, with a graph that has the same variable names on the same ps tasks, and save them with a `Saver`. Do not run
# any initialiser: that would write first values over the trained ones. Do not reset the containers, and do not restart a ps. If a ps process has ended, by a
# crash or a restart of its machine, then its variables are lost, and only an older checkpoint helps.
#
# One point each: where the variables live; new session, same names, save without initialising; lost if a ps process has ended.
# </details>
