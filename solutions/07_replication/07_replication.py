# %% [markdown]
# # Lesson 07 · Replication
#
# After this lesson you can
#
# 1. train one model by several replicas, inside one graph or with a graph for each worker, and show that the result is right;
# 2. keep a training job alive when a worker or a ps dies, and say what was lost;
# 3. choose between asynchronous, synchronous and backup replicas, from what you measured yourself.
#
# **Time:** about 140 minutes, of which 70 are exercises. Two sittings are better: after section 4 is a place to stop.
#
# **Hardware:** CPU only. Towers use four logical CPU devices; workers and ps tasks are real processes on your machine. No GPU is used.
#
# Nine grey cells come first. They are folded, because you need not read them now. Run all nine. Whatever they start ends when this
# notebook's kernel ends.

# %% include="quiet_start.py" devices=4

# %% include="checks.py"

# %% include="placement_record.py"

# %% include="cluster_helper.py"

# %% include="cluster_processes.py"

# %% include="local_cluster.py"

# %% include="job_board.py" grading="skip"

# %% include="job_timeline.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![Two panels. Left, in-graph: one client with one graph; in the graph, variables on CPU:0 feed three towers on CPU:1, CPU:2 and CPU:3, and one box averages their gradients and updates the variables. Right, between-graph: three workers, each a process with a client and a graph of its own; arrows from each worker to two ps tasks that hold the variables, which all workers share by name.](assets/07_replication.svg)
#
# A **replica** is a copy of the model's computation. All replicas share **one** set of variables, and each works on other data.
#
# | | in-graph | between-graph |
# | --- | --- | --- |
# | graphs | one, which holds all replicas | one for each replica, built by the same program |
# | clients | one, which drives all | one for each replica |
# | a replica dies | the run fails, for all | the others go on |
# | simple to write | yes | needs a chief, and waiting |
#
# Sections 1 and 2 are in-graph, sections 3 to 8 between-graph.

# %% [markdown]
# ## 1 Towers in one graph
#
# The data are 1797 pictures of handwritten digits, 8 × 8 points each. They come with scikit-learn, so nothing is downloaded.

# %%
from sklearn.datasets import load_digits

v1 = tf.compat.v1
pixels, digits = load_digits(return_X_y=True)
order = np.random.RandomState(0).permutation(len(pixels))
pixels, digits = np.float32(pixels[order]) / 16, np.int32(digits[order])
train_x, train_y, test_x, test_y = pixels[:1500], digits[:1500], pixels[1500:], digits[1500:]
print(train_x.shape, test_x.shape)

# %% [markdown]
# A replica inside a graph is called a **tower**. Its loss uses the shared variables, which lie on CPU:0:

# %%
def tower_loss(x, y):
    """Mean loss of a linear classifier. Again in the same variable scope, it uses the same variables."""
    with tf.device("/device:CPU:0"):
        w = v1.get_variable("w", [64, 10], initializer=tf.zeros_initializer())
        b = v1.get_variable("b", [10], initializer=tf.zeros_initializer())
    logits = tf.matmul(x, w.read_value()) + b.read_value()
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))

# %% [markdown]
# Each tower gives a list of pairs (gradient, variable). For each variable, we stack the towers' gradients, take the mean, and pair it
# with the variable:

# %%
def averaged(tower_grads):
    """[[(gradient, variable), ...] for each tower] -> [(mean gradient, variable), ...]"""
    pairs = []
    for same_variable in zip(*tower_grads):
        stacked = tf.concat([tf.expand_dims(gradient, 0) for gradient, _ in same_variable], axis=0)
        pairs.append((tf.reduce_mean(stacked, axis=0), same_variable[0][1]))
    return pairs

# %% [markdown]
# Now the graph. `shares` says how many rows of the batch each tower gets. `reuse` makes the second tower find the variables of the
# first:

# %%
def tower_graph(shares):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [sum(shares), 64], name="x")
        y = v1.placeholder(tf.int32, [sum(shares)], name="y")
        optimizer, tower_grads = v1.train.GradientDescentOptimizer(0.5), []
        for i, (rows, labels) in enumerate(zip(tf.split(x, shares), tf.split(y, shares)), 1):
            with tf.device(f"/device:CPU:{i}"), v1.variable_scope("model", reuse=i > 1):
                tower_grads.append(optimizer.compute_gradients(tower_loss(rows, labels)))
        with tf.device("/device:CPU:0"):
            optimizer.apply_gradients(averaged(tower_grads), name="train")
        v1.global_variables_initializer()
    return graph

# %% predict="towers"
# Predict: how many variables has the graph with three towers of two variables each?
# And after 20 steps, is its w equal to that of one tower with the full batch?
variables, equal = ..., ...

# %%
def trained(graph, steps=20, rows=60):
    """w after some steps over the first rows of the training data."""
    config = v1.ConfigProto(device_count={"CPU": 4, "GPU": 0})
    with v1.Session(graph=graph, config=config) as session:
        session.run("init")
        for k in range(steps):
            part = slice(k * rows, (k + 1) * rows)
            session.run("train", {"x:0": train_x[part], "y:0": train_y[part]})
        return session.run("model/w/Read/ReadVariableOp:0")

# %%
three, one = tower_graph([20, 20, 20]), tower_graph([60])
print([op.name for op in three.get_operations() if op.type == "VarHandleOp"])
print("largest difference:", np.abs(trained(three) - trained(one)).max())

# %% [markdown]
# Two variables, not six. And the result is that of the full batch, up to rounding: the mean of three means over 20 rows is the
# mean over 60 rows. What moves to and from the first tower's device in a step?

# %%
_, metadata = run_and_trace(three, "train", {"x:0": train_x[:60], "y:0": train_y[:60]})
for tensor, source, target in transfers_of(metadata):
    if "CPU:1" in (source, target):
        print(f"{source} to {target}: {tensor}")

# %% [markdown]
# Rows and labels (`split`) and both variables (`Read`) go out to the tower, and the gradients of both come back to CPU:0, where the mean and the update
# are. The other two towers have the same traffic.
#
# The mean of means is the full batch only if all towers have **equally many rows**. With 10, 20 and 30 rows, a row of the first tower counts
# three times as much as one of the third:

# %%
uneven = np.abs(trained(tower_graph([10, 20, 30])) - trained(one)).max()
print(f"largest difference with shares 10, 20, 30: {uneven:.4f}")

# %% [markdown]
# That is no rounding. Weigh each tower's gradients by its share of the rows, or give all the same number. Exercise 2 does the first.
#
# ## 2 An ensemble in one graph
#
# In-graph replication also serves an **ensemble**: several *different* networks, one on each device, and the mean of
# their answers. Each has variables of its own. One session trains all three, and asks all three at once:

# %%
with tf.Graph().as_default() as ensemble_graph:
    x, y = v1.placeholder(tf.float32, [None, 64]), v1.placeholder(tf.int32, [None])
    answers, steps_of_all = [], []
    for i in (1, 2, 3):
        with tf.device(f"/device:CPU:{i}"), v1.variable_scope(f"network{i}"):
            hidden = tf.nn.relu(x @ v1.get_variable("hidden", [64, 16]))
            logits = hidden @ v1.get_variable("output", [16, 10])
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
            steps_of_all.append(v1.train.AdamOptimizer(0.01).minimize(loss))
            answers.append(tf.nn.softmax(logits))
    with tf.device("/device:CPU:0"):
        mean = tf.add_n(answers) / len(answers)
    initialise = v1.global_variables_initializer()

# %% predict="ensemble"
# Predict: is the ensemble better than the mean of its members? Better than its best member?
better_than_their_mean, better_than_the_best = ..., ...

# %%
score = lambda probabilities: np.mean(probabilities.argmax(1) == test_y)
with v1.Session(graph=ensemble_graph) as session:
    session.run(initialise)
    for k in range(120):
        rows = np.random.randint(len(train_x), size=100)
        session.run(steps_of_all, {x: train_x[rows], y: train_y[rows]})
    members, together = session.run([answers, mean], {x: test_x})
print("members: ", [f"{score(member):.3f}" for member in members])
print(f"ensemble: {score(together):.3f}")

# %% [markdown]
# Members err on different pictures, so the mean of their **probabilities** is usually better than they are on average, and sometimes
# better than the best. (Not of their labels: the mean of a 1 and a 7 is no digit.)
#
# It is simple: one graph, one `run`. It is also fragile: if one network does not answer, `run` does not return.
#
# ## 3 Between-graph: who keeps the variables?
#
# In between-graph replication each worker builds **its own** graph, with the same program. The graphs share variables, since a cluster finds
# a variable by task and name (lesson 06). So all must put each variable on the same ps task. `replica_device_setter` does that:

# %%
def worker_graph(index, ps=2):
    spec = tf.train.ClusterSpec({"ps": [f"ps{k}:2222" for k in range(ps)],
                                 "worker": [f"worker{k}:2222" for k in range(3)]})
    here = f"/job:worker/task:{index}"
    with tf.Graph().as_default() as graph:
        with v1.device(v1.train.replica_device_setter(worker_device=here, cluster=spec)):
            step = v1.train.get_or_create_global_step()
            x = h = v1.placeholder(tf.float32, [None, 64], name="x")
            for name in ("a", "b", "c"):
                h = tf.matmul(h, v1.get_variable(name, [64, 64]), name=f"layer_{name}")
    return graph

# %% predict="setter"
# Predict for worker 1, with two ps tasks: where do global_step, a, b, c go? And the three layers?
variables_go_to, layers_go_to = [...], "..."

# %%
for index in (0, 1):
    print(f"worker {index}:")
    for op in worker_graph(index).get_operations():
        if op.type in ("VarHandleOp", "MatMul"):
            print(f"   {op.name:12} {op.device}")

# %% [markdown]
# The **variables** are dealt out to the ps tasks in turn, in the order in which they are made. All else goes to the worker. Both workers
# agree on the variables, because they build them in the same order. (`tf.device` takes no functions in today's TensorFlow: write
# `v1.device`. It is the *request*; placement happens on the cluster.)
#
# **Change it:** `ps=1`, and `ps=3`. Which variables move?
#
# ## 4 An ensemble between graphs
#
# The ensemble of section 2, as separate programs. Each network is a process with its own graph. They talk through queues on a task
# of their own: each network has an **input queue** and a **prediction queue**.

# %%
MODEL = """
import argparse, numpy as np, tensorflow as tf
flags = argparse.ArgumentParser()
for name in ("job_name", "queues_hosts", "model_hosts"):
    flags.add_argument(f"--{name}")
for name in ("task_index", "seed"):
    flags.add_argument(f"--{name}", type=int)
me, v1 = flags.parse_args(), tf.compat.v1
spec = tf.train.ClusterSpec({"queues": [me.queues_hosts], "model": me.model_hosts.split(",")})
server = tf.distribute.Server(spec, job_name=me.job_name, task_index=me.task_index)
if me.job_name == "queues":
    server.join()
"""

# %% [markdown]
# A queue is found by its `shared_name`, like a variable. The same function makes the queues in the models and in the client. A **number**
# goes with each batch, so that the client knows which batch an answer belongs to.

# %%
QUEUES = """
def queues(model):
    # the input queue and the prediction queue of a model; numbers of batches go along
    with tf.device("/job:queues/task:0"):
        kinds = [tf.int32, tf.float32]
        return [v1.FIFOQueue(2, kinds, shared_name=f"{way}{model}") for way in ("in", "out")]
"""
exec(QUEUES)                                                # the client uses it too

# %% [markdown]
# The rest of a model: take a batch, answer, for ever. To keep this short, the network is one layer with random weights, made from a seed.

# %%
MODEL += QUEUES + """
weights = np.random.RandomState(me.seed + me.task_index).normal(size=(4, 3))
config = v1.ConfigProto(device_filters=["/job:queues", f"/job:model/task:{me.task_index}"])
with tf.Graph().as_default():
    inputs, outputs = queues(me.task_index)
    number, batch = inputs.dequeue()
    with tf.device(f"/job:model/task:{me.task_index}"):
        prediction = tf.nn.softmax(tf.matmul(tf.reshape(batch, [-1, 4]), np.float32(weights)))
    answer = outputs.enqueue([number, prediction])
    with v1.Session(server.target, config=config) as session:
        while True:
            session.run(answer)
"""

# %% grading="skip"
models = LocalCluster({"queues": 1, "model": 3}, script=MODEL, flags=["--seed=7"], name="models")
print(models.alive())

# %% [markdown]
# The **client** is the feeder and the one who averages. Its graph has for each model an op that puts a batch, and one that takes an
# answer:

# %%
def client_graph(count):
    """For each model k: op "k/put" (feed "number:0", "batch:0"), "k/next:0" (number), "k/next:1" (answer)."""
    with tf.Graph().as_default() as graph:
        number, batch = v1.placeholder(tf.int32, [], "number"), v1.placeholder(tf.float32, name="batch")
        for model in range(count):
            inputs, outputs = queues(model)
            inputs.enqueue([number, batch], name=f"{model}/put"), outputs.dequeue(name=f"{model}/next")
    return graph

# %%
def client(cluster, count):
    config = v1.ConfigProto(operation_timeout_in_ms=5000, device_filters=["/job:queues"])
    return v1.Session(cluster.target("queues/0"), graph=client_graph(count), config=config)

# %%
def ask(session, number, batch, models, seconds):
    """Give a batch to all models; {model: answer} of those that answer before `seconds` are over."""
    deadline, found = time.monotonic() + seconds, {}
    left = lambda: v1.RunOptions(timeout_in_ms=max(50, int(1000 * (deadline - time.monotonic()))))
    for model in models:
        session.run(f"{model}/put", {"number:0": number, "batch:0": batch}, left())
    for model in models:
        try:
            of, found[model] = session.run([f"{model}/next:0", f"{model}/next:1"], None, left())
        except tf.errors.DeadlineExceededError:
            print(f"model {model} did not answer")
    return found

# %% grading="skip"
picture = [[1., 0., 2., 0.5]]
session = client(models, 3)
found = ask(session, 0, picture, range(3), seconds=5)
for model, answer in found.items():
    print(model, answer.round(3))
print("mean", np.mean(list(found.values()), axis=0).round(3))

# %% [markdown]
# Now model 1 dies.

# %% predict="dead-model"
# Predict: with seconds=1 and model 1 dead, does the client get an answer? After how many seconds?
answers_come, seconds = ..., ...

# %% grading="skip"
models.kill("model/1")
begin = time.monotonic()
found = ask(session, 1, picture, range(3), seconds=1)
print(f"after {time.monotonic() - begin:.1f} s, from models {list(found)}")
print("mean", np.mean(list(found.values()), axis=0).round(3))

# %% [markdown]
# The answer comes in time, from the two that live. That is the worth of between-graph replication: **the timeout turns a dead member into a
# smaller ensemble**. In one graph (section 2) there would be no answer at all.
#
# This `ask` still has a weakness. An input queue has room for two batches, and nobody takes them out for a dead model. The third batch does not
# fit: `put` waits until its timeout, and its error ends `ask`. Exercise 3 mends it.
#
# | | in one graph | between graphs |
# | --- | --- | --- |
# | a member hangs or dies | no answer | an answer in time, without it |
# | add or replace a member | stop, rebuild, start | start a process |
# | work to do | one graph, one `run` | queues, numbers, timeouts |
#
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## 5 A training job, part by part
#
# Now training between graphs: one program, `train.py`, that plays every role. It trains a convolutional network on digits, with a ps and three
# workers. The first cell is folded: it has what is not about replication, that is flags, data, and how the program starts its tasks. The rest you see part by part.

# %% include="training_job.py"

# %% grading="skip"
flags = re.findall(r"(\w+)=([^,)]+)", re.search(r"dict\((.*?)\)\.items", JOB, re.DOTALL)[1])
print(*[f"--{name}={default}" for name, default in flags])

# %% [markdown]
# | flag | says |
# | --- | --- |
# | `--job_name`, `--task_index`, `--ps_hosts`, `--worker_hosts` | who I am, and who the others are (lesson 06) |
# | `--steps` | shared steps: of all workers together |
# | `--sync` | 0: asynchronous; n: n gradients make one update |
# | `--folder` | checkpoints and records of the job |
# | `--deadline`, `--limit` | seconds for one operation, for the whole job: every wait ends |
#
# The network: two convolutions of 5 × 5 with 32 and 64 filters, each with pooling; then 500 units, and ten outputs.

# %%
JOB += '''
def variable(name, shape):
    return v1.get_variable(name, shape, initializer=None if len(shape) > 1 else tf.zeros_initializer())

def convolution(x, name, filters):
    kernel = variable(name, [5, 5, x.shape[-1], filters])
    return tf.nn.relu(tf.nn.conv2d(x, kernel, 1, "SAME") + variable(f"{name}_bias", [filters]))
'''

# %%
JOB += '''
def network(x):
    for name, filters in (("conv1", 32), ("conv2", 64)):
        x = tf.nn.max_pool2d(convolution(x, name, filters), 2, 2, "SAME")
    x = tf.reshape(x, [-1, np.prod(x.shape[1:])])
    x = tf.nn.relu(x @ variable("dense", [x.shape[-1], 500]) + variable("dense_bias", [500]))
    return x @ variable("output", [500, 10]) + variable("output_bias", [10])
'''

# %% [markdown]
# ### The server, and the end in good order
#
# A ps serves. But it should end when the work is done. So each ps has a queue `done`; it takes one message of each worker out, and ends.

# %%
JOB += '''
def begin():
    global spec, server, here, config
    spec = tf.train.ClusterSpec({"ps": me.ps_hosts.split(","), "worker": me.worker_hosts.split(",")})
    server = tf.distribute.Server(spec, job_name=me.job_name, task_index=me.task_index)
    here = f"/job:{me.job_name}/task:{me.task_index}"
    config = v1.ConfigProto(device_filters=["/job:ps", here], operation_timeout_in_ms=1000 * me.deadline)
'''

# %% [markdown]
# The filters keep a session from waiting for other *workers*. So each worker needs the ps tasks only.

# %%
JOB += '''
def done(ps):
    with tf.device(f"/job:ps/task:{ps}"):
        return v1.FIFOQueue(100, tf.int32, shapes=[()], shared_name="done")
'''

# %%
JOB += '''
def serve():
    """A ps: serve until each worker has said that it is done, or the job's limit is over."""
    alone = v1.ConfigProto(device_filters=[here])
    with tf.Graph().as_default(), v1.Session(server.target, config=alone) as session:
        take, missing = done(me.task_index).dequeue(), set(range(spec.num_tasks("worker")))
        deadline = time.monotonic() + me.limit
        while missing:                          # one long deadline: a call that times out may lose an element
            left = v1.RunOptions(timeout_in_ms=max(1, int(1000 * (deadline - time.monotonic()))))
            try:
                missing.discard(int(session.run(take, options=left)))
            except tf.errors.DeadlineExceededError:
                sys.exit(f"ps {me.task_index}: after {me.limit} s, workers {missing} have not ended")
'''

# %%
JOB += '''
def tell(ps):
    alone = v1.ConfigProto(device_filters=[f"/job:ps/task:{ps}", here])
    with tf.Graph().as_default() as graph, contextlib.suppress(tf.errors.OpError):
        v1.Session(server.target, graph=graph, config=alone).run(done(ps).enqueue(me.task_index))
'''

# %%
JOB += '''
def listens(address):
    host, port = address.split(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0

def tell_done():
    for ps, address in enumerate(me.ps_hosts.split(",")):
        telling = threading.Thread(target=tell, args=[ps], daemon=True)
        telling.start()
        while telling.is_alive() and listens(address):
            telling.join(0.1)
'''

# %% [markdown]
# Why a thread? A ps that took the last message ends. It may be gone before its reply is out, and then the call can wait for ever. So the worker looks
# whether the ps still listens on its port. The session is never closed: closing asks the ps too. The process ends soon anyway.
#
# ### A managed session: chief and others
#
# All workers share the variables. So **one** of them, the **chief**, initialises, or restores the newest checkpoint; it also saves. The
# others **wait** until the variables are ready.
#
# `MonitoredTrainingSession` does both. But its waiting looks only every 30 seconds, and cannot be told otherwise. So we give a `MonitoredSession`
# its creator ourselves. This one is for the others, and looks ten times a second:

# %%
SESSION = '''
def creator(scaffold, chief, folder):
    """Who opens the session of a worker, and opens it again after an error."""
    if chief:
        return v1.train.ChiefSessionCreator(scaffold, server.target, config, checkpoint_dir=folder)
    class Waiting(v1.train.SessionCreator):
        def create_session(self):
            scaffold.finalize()
            ready = scaffold.local_init_op, scaffold.ready_op, scaffold.ready_for_local_init_op
            manager = v1.train.SessionManager(*ready, recovery_wait_secs=0.1)
            return manager.wait_for_session(server.target, config, max_wait_secs=me.deadline)
    return Waiting()
'''

# %%
SESSION += '''
def managed(chief, folder, hooks, every=100):
    """A session that survives the death of a ps. The chief saves to `folder`, every so many shared steps."""
    scaffold = v1.train.Scaffold()
    saver = v1.train.CheckpointSaverHook(folder, save_steps=every, scaffold=scaffold) if folder else None
    hooks = [*hooks, saver] if chief and saver else hooks
    return v1.train.MonitoredSession(creator(scaffold, chief, folder), hooks, stop_grace_period_secs=1)
'''
JOB += SESSION

# %% [markdown]
# | hook, creator | does |
# | --- | --- |
# | `ChiefSessionCreator` | restores the newest checkpoint in the folder; if there is none, initialises |
# | `Waiting` (ours) | asks which variables are not initialised, until there are none |
# | `CheckpointSaverHook` | saves, in the chief |
# | `StopAtStepHook` | sets `should_stop()` when the **shared** step is reached |
# | `MonitoredSession` | after an `UnavailableError` or `AbortedError`: opens the session again, by its creator, and repeats the run |
#
# ### The worker's graph
#
# The setter, a shared step, a learning rate that falls in stairs, and, if asked for, a synchronous optimizer (section 8).

# %%
JOB += '''
def build(x):
    images = v1.placeholder(tf.float32, [None, *x.shape[1:]], "images")
    labels, logits = v1.placeholder(tf.int32, [None], "labels"), network(images)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    right = tf.equal(tf.argmax(logits, 1, tf.int32), labels)
    return loss, tf.reduce_mean(tf.cast(right, tf.float32))
'''

# %%
JOB += '''
def train_op(loss, chief):
    step, hooks = v1.train.get_or_create_global_step(), [v1.train.StopAtStepHook(last_step=me.steps)]
    rate = v1.train.exponential_decay(me.rate, step, me.decay, 0.7, staircase=True)
    optimizer = v1.train.AdamOptimizer(rate)
    if me.sync:
        optimizer = v1.train.SyncReplicasOptimizer(optimizer, me.sync, spec.num_tasks("worker"))
        hooks.append(optimizer.make_session_run_hook(chief))
    before = tf.identity(step.read_value())     # the shared step when this run begins
    with tf.control_dependencies([optimizer.minimize(loss, step)]):
        after = tf.identity(step.read_value())
    return before, after, rate, hooks
'''

# %% [markdown]
# ### The loop, and what it tells
#
# Each worker takes batches of its own. Every hundred shared steps it prints a line. It also notes each step in a file; the board below reads that.

# %%
JOB += '''
def line(step, own, accuracy, loss, rate, seconds):
    print(f"worker {me.task_index}: step {step} ({own} own), accuracy {accuracy:.2f}, loss {loss:.3f}, "
          f"rate {rate:.5f}, {me.batch / seconds:.0f} examples/s, {seconds:.3f} s/batch", flush=True)
'''

# %%
JOB += '''
def loop(session, fetches, x, y, note):
    own, smooth, mark = 0, None, None
    while not session.should_stop():
        time.sleep(float(os.environ.get("SLOW", 0)))          # a straggler, on request
        rows, start = np.random.randint(len(x), size=me.batch), time.time()
        seen, step, rate, loss, accuracy = session.run(fetches, {"images:0": x[rows], "labels:0": y[rows]})
        own, smooth = own + 1, loss if smooth is None else 0.9 * smooth + 0.1 * loss
        note(start=start, step=int(step), own=own, stale=int(step - seen - 1))
        if mark and step // 100 > mark[0] // 100:
            line(step, own, accuracy, smooth, rate, (time.monotonic() - mark[2]) / (own - mark[1]))
        if not mark or step // 100 != mark[0] // 100:
            mark = step, own, time.monotonic()
'''

# %% [markdown]
# `smooth` is the moving average of the loss: one batch alone says little.

# %%
JOB += '''
def work():
    x, y, test_x, test_y = load(me.data)
    chief, setter = me.task_index == 0, v1.train.replica_device_setter(worker_device=here, cluster=spec)
    with tf.Graph().as_default() as graph, v1.device(setter):
        loss, accuracy = build(x)
        *fetches, hooks = train_op(loss, chief)
    with graph.as_default(), open(f"{me.folder}/events-{me.task_index}.jsonl", "a", buffering=1) as file:
        note = lambda **event: print(json.dumps({"end": time.time(), **event}), file=file)
        tell_errors(note)
        with managed(chief, me.folder, hooks) as session:
            loop(session, [*fetches, loss, accuracy], x, y, note)
    if chief:
        test(graph, [accuracy, fetches[0]], test_x, test_y)
    tell_done()
'''

# %% [markdown]
# The chief tests at the end. The variables are still on the ps, so a plain session does:

# %%
JOB += '''
def test(graph, fetches, x, y):
    with v1.Session(server.target, graph=graph, config=config) as session:
        accuracy, step = session.run(fetches, {"images:0": x, "labels:0": y})
        print(f"test accuracy {accuracy:.4f} after {step} steps", flush=True)
'''

# %% [markdown]
# ### Which role?
#
# Without `--job_name`, the program starts itself once for each task (`launch`, in the folded cell). TensorFlow is imported only after that: the launcher does
# not need it.

# %%
JOB += '''
if not me.job_name:
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(launch(me.folder or folder))
if me.follow:
    follow()
spared = dict.fromkeys(["matplotlib", "scipy", "sklearn"])
sys.modules.update(spared)  # else Keras loads them: a third of the time
import tensorflow as tf
[sys.modules.pop(name) for name in spared]
v1 = tf.compat.v1
begin()
serve() if me.job_name == "ps" else work()
sys.stdout.flush(), os._exit(0)
'''

# %% grading="skip"
with open(f"{helper.folder}/train.py", "w") as file:
    file.write(JOB)
print(len(JOB.splitlines()), "lines")

# %% [markdown]
# ## 6 The job, run whole
#
# One ps, three workers, 400 shared steps of 50 pictures. While it runs, you look at the **board**: which tasks live, how many steps each worker made, how
# **stale** its last gradient was, and the last error that it survived. *Staleness* is the number of updates that others made between the begin of a step and
# its own update.
#
# Each task has two buttons, *kill* and *start*. They do what they say, to real processes. Without a kernel, look at this picture:
#
# ![The board during a run. A bar shows shared step 253 of 400. Four rows: ps/0, worker/0 and worker/1 answer; worker/2 was killed by signal 9. Bars show own steps: 88, 19 and 158. Staleness is 1, 0 and 0. The last error of all three workers is UnavailableError, since the ps was killed before.](assets/07_board.svg)

# %% grading="skip"
def start_job(name="job", ps=1, workers=3, slow=None, flags=(), without=()):
    """Start the job. `slow` is {task: seconds that it sleeps before each step}; `without` is not started."""
    folder = tempfile.mkdtemp(dir=helper.folder)
    job = LocalCluster({"ps": ps, "worker": workers}, script=JOB, start=[], name=name,
                       flags=[f"--folder={folder}", f"--data={helper.folder}/digits.npz", *flags])
    job.records = folder                                                # where the workers' notes are
    for task in (task for task in job.tasks if task not in without):
        job.start(task, env={"SLOW": str((slow or {}).get(task, 0))}, wait=False)
    return job

# %% grading="skip"
np.savez(f"{helper.folder}/digits.npz", x_train=train_x.reshape(-1, 8, 8), y_train=train_y,
         x_test=test_x.reshape(-1, 8, 8), y_test=test_y)

# %% predict="kills"
# Predict: worker/1 is killed and starts again. Later ps/0 is killed and starts again.
# What is lost each time: nothing, some steps, or all?
worker_dies, ps_dies = "...", "..."

# %% grading="skip"
workers = ["worker/0", "worker/1", "worker/2"]
job = start_job(slow=dict.fromkeys(workers, 0.02))              # each step sleeps 20 ms: time to watch
job_board(job, steps=400)

# %% [markdown]
# The next cell is the accident. `reach` waits until the workers have noted a shared step. Look at the board above while it runs.

# %% grading="skip"
def reach(job, step, who="worker", seconds=60):
    """Wait until the job, or this one of its workers, has noted this shared step."""
    deadline = time.monotonic() + seconds
    while max((event.get("step", 0) for event in job_events(job) if who in event["who"]), default=0) < step:
        if time.monotonic() > deadline:
            raise ClusterError(f"After {seconds} s the job has not reached step {step}: {job.alive()}")
        time.sleep(0.05)

# %% grading="skip"
reach(job, 60)
job.kill("worker/1")
reach(job, 100)
job.start("worker/1", wait=False)
reach(job, 160)
job.kill("ps/0")
job.start("ps/0")
job.wait(*workers, "ps/0", until="ended")
print(job.alive())

# %% grading="skip"
for worker in workers:
    print("\n".join(line for line in job.log(worker).splitlines() if line.startswith(("worker", "test"))))

# %% [markdown]
# Every process has ended by itself. Read the lines:
#
# * **A few steps more than 400** were made: a worker looks at the shared step only after its own.
# * **Each worker sees the same shared step**, and made only a part of the steps: *own*. The rate fell in stairs: 0.00100, 0.00070, ...
# * **The worker's death** cost its unfinished step. It began anew with *1 own*, at the shared step of the others.
# * **The ps' death** cost the steps since the last checkpoint, at step 100 or a little later. All went back to it.
#
# The timeline shows that:

# %% grading="skip"
draw_job(job, "The job: two deaths")

# %% [markdown]
# On MNIST (`--data=mnist --steps=5000 --rate=1e-4 --decay=100000`) a job like this is known to reach 0.987; on these digits it has to reach 0.97.
#
# **Change it:** run the job again without the accident, and with `flags=["--steps=200"]`. What is the test accuracy then?
#
# ## 7 From a terminal
#
# The same program without a notebook. One command starts a process for each task, and prints the workers' lines:

# %%
print(f"{os.path.basename(sys.executable)} train.py --ps=2 --workers=3 --data=digits")

# %% [markdown]
# The file is in a folder that goes when this notebook ends. This writes it next to your notebook, if you want it: `open("train.py", "w").write(JOB)`.
# (Importing TensorFlow five times takes a while on two cores.)
#
# On **several machines** nobody can start the others' processes, so you give each its flags. Two hosts with three cards, two ps and three workers:

# %% grading="skip"
hosts = "--ps_hosts=a:2222,b:2222 --worker_hosts=a:2223,a:2224,b:2223"
for host, card, job_name, index in [("a", "", "ps", 0), ("b", "", "ps", 1), ("a", "0", "worker", 0),
                                    ("a", "1", "worker", 1), ("b", "0", "worker", 2)]:
    role = f"--job_name={job_name} --task_index={index}"
    print(f"{host}$ CUDA_VISIBLE_DEVICES={card or -1} python train.py {role} {hosts}")

# %% [markdown]
# A ps needs no card, so its mask hides all. A worker sees **one** card, which is then its `/gpu:0`, whatever its number in the host: worker 1 pins to
# `/job:worker/task:1/gpu:0`, although its card is the host's second (lesson 02). The folder must be on a disk that all hosts share.
#
# ## 8 Asynchronous, synchronous, backup
#
# Until now each worker updated the variables when it was ready: **asynchronous**. Nobody waits, but gradients are stale. **Synchronous** means: a
# step's gradients are collected, and their mean makes *one* update. Then a slow worker, a **straggler**, holds up all.
#
# What collects is an **accumulator**, on the ps. It drops gradients that were computed for an older step:

# %% grading="skip"
with tf.Graph().as_default():
    accumulator = v1.ConditionalAccumulator(tf.float32, shape=[])
    gradient, made_at = v1.placeholder(tf.float32, []), v1.placeholder(tf.int64, [])
    give = accumulator.apply_grad(gradient, local_step=made_at)
    count, take = accumulator.num_accumulated(), accumulator.take_grad(2)
    next_step = accumulator.set_global_step(1)
    session = v1.Session()

# %% grading="skip"
for value in (2., 4.):
    session.run(give, {gradient: value, made_at: 0})
print("accumulated:", session.run(count), "| mean:", session.run(take))
session.run(next_step)
session.run(give, {gradient: 100., made_at: 0})               # computed at step 0, but now is step 1
print("accumulated:", session.run(count))

# %% [markdown]
# `SyncReplicasOptimizer(optimizer, replicas_to_aggregate, total_num_replicas)` has one for each variable. The chief takes the mean when there are
# `replicas_to_aggregate` gradients, updates, and hands out tokens with which the workers begin the next step. With fewer than all to aggregate, the
# others are **backup replicas**: 20 run, the fastest 18 count.
#
# You measure it: three workers, 20 updates, and `worker/2` sleeps 0.3 s before each step.

# %% predict="straggler"
# Predict, in seconds for 20 updates with the straggler: asynchronous, synchronous 3 of 3, synchronous 2 of 3.
asynchronous, all_three, two_of_three = ..., ..., ...

# %% grading="skip"
def seconds_for(steps, sync, slow):
    """Seconds from the first update to the last of `steps` updates."""
    with start_job("race", slow=slow, flags=[f"--steps={steps}", f"--sync={sync}"]) as race:
        race.wait(*workers, until="ended")
        events = [event for event in job_events(race) if "step" in event]
    reached = lambda step: min(event["end"] for event in events if event["step"] >= step)
    return reached(steps) - reached(1)

# %% grading="skip"
slow = {"worker/2": 0.3}
races = {"asynchronous": (0, slow), "synchronous 3 of 3": (3, slow), "synchronous 2 of 3": (2, slow),
         "synchronous 3 of 3,\nnobody is slow": (3, {})}
measured = {}
for name, (sync, who) in races.items():
    measured[name] = seconds_for(20, sync, who)
    print(f"{name.replace(chr(10), ' ')}: {measured[name]:.1f} s", flush=True)

# %% grading="skip"
_, axes = plt.subplots(figsize=(7.5, 2.6), layout="constrained")
colors = ["#0072B2", "#D55E00", "#009E73", "#999999"]
bars = axes.barh(list(measured), list(measured.values()), color=colors, ec="black")
for bar, hatch in zip(bars, ("", "///", "...", "xxx")):
    bar.set_hatch(hatch)
axes.bar_label(bars, fmt=" %.1f s")
axes.set(xlabel="seconds from update 1 to 20", title="One straggler of 0.3 s, and what it costs",
         xlim=(0, 1.2 * max(measured.values())))
axes.invert_yaxis()
plt.show()

# %% [markdown]
# Synchronous, 3 of 3, pays for the straggler again and again. With one backup replica its gradients come too late, are dropped, and nobody
# waits. (Asynchronous updates are fast too, but each is made of *one* gradient, not of the mean of two or three.)
#
# A word of care: the optimizer counts **gradients**, not workers. A fast worker may give two of the three. And when this machine is busy with other things, all
# four bars get longer, and the differences smaller.
#
# ### Which forms combine
#
# | | synchronous | asynchronous |
# | --- | --- | --- |
# | **in-graph** | towers and `averaged` gradients: one `run` is one update. Backup replicas: no, since a `run` waits for all its ops | a client's thread for each tower, which all run their own train op |
# | **between-graph** | `SyncReplicasOptimizer`, backup replicas too | nothing to add: each worker runs its own train op |

# %% [markdown]
# ## 9 Break it and diagnose it
#
# Three accidents at once, each on a cluster of its own. In the first, the chief is never started. The other two are synchronous, 3 of 3 and 2 of 3, and a slow
# worker is killed while it works at its second step. Each operation has a deadline of 10 seconds.

# %% grading="skip"
quick, slow = ["--steps=10", "--deadline=10"], {"worker/0": 0.2, "worker/1": 0.2, "worker/2": 0.5}
no_chief = start_job("no chief", flags=quick, without=["worker/0"])
three_of_three = start_job("three of three", flags=[*quick, "--sync=3"], slow=slow)
two_of_three = start_job("two of three", flags=[*quick, "--sync=2"], slow=slow)
for job in (three_of_three, two_of_three):
    reach(job, 1, "worker/2")
    job.kill("worker/2")

# %% predict="accidents"
# Predict for each: does it work, wait for ever, or end with an error? Which?
without_chief, without_one_of_three, without_the_backup = "...", "...", "..."

# %% grading="skip"
for job, tasks in [(no_chief, ["worker/1"]), (three_of_three, ["worker/0"]), (two_of_three, ["worker/0"])]:
    job.wait(*tasks, until="ended")
    lines = [line for line in job.log(tasks[0]).splitlines() if re.match(r"\S*Error|test|\S*Exception", line)]
    print(f"{job.name}: {tasks[0]} {job.alive()[tasks[0]]}: {(lines or ['?'])[-1][:110]}")
    job.close()

# %% [markdown]
# On an idle machine: the first waits 10 seconds and ends with an error, the second waits for a gradient and ends with an error, the third does not
# notice the death. So much for the three predictions. (A very busy machine may let the third run into its deadline too.)
#
# | what you see | what it means | what to do |
# | --- | --- | --- |
# | `Session was not ready after waiting ...` | a worker waited for the chief to initialise, until its deadline | start the chief; look at *its* log |
# | `DeadlineExceededError` in a synchronous job | too few gradients came to make an update | start the dead worker again, or aggregate fewer |
# | each worker counts to the full number of steps | the step is not shared: no setter, or other names | print `variable.device` |
# | after a restart, the step is 0 | no checkpoint folder, or another one | the same folder for each start of the chief |
# | the shared step stays at 0, for ever | `minimize` without `global_step` | give it |
#
# The second accident needs a *death*: a token is the order for one gradient, and the dead worker had taken one. No other worker ever gets that order. A worker
# that never started has taken none, so the others take all tokens, and do its work.
#
# And a trap without an error: a **chief** that is killed and started again restores the newest checkpoint **over** the variables on the ps, though these were
# newer. Whatever the others did since is lost.
#
# ## 10 Today's forms
#
# | classic (`tf.compat.v1`) | today (`tf.distribute`) | Keras 3 |
# | --- | --- | --- |
# | towers in one graph, `averaged` gradients | `MirroredStrategy` | `fit` works |
# | between-graph, synchronous, each worker a copy of the variables | `MultiWorkerMirroredStrategy` | own loop works, `fit` does not |
# | between-graph, asynchronous, variables on ps | `ParameterServerStrategy` and a `ClusterCoordinator` | own loop works, `fit` does not |
# | `replica_device_setter` | `strategy.scope()` | |
# | chief, `MonitoredSession` | a chief task that schedules functions on workers | |
# | `CheckpointSaverHook` | `tf.train.CheckpointManager` | `BackupAndRestore` with `fit` |
# | `SyncReplicasOptimizer` with backup replicas | none | |
#
# You run all three. The two cluster forms start now, and work while you read:

# %% grading="skip"
MODEL_TODAY = """
import keras, numpy as np
rng = np.random.RandomState(0)
x, y = rng.rand(64, 8).astype("float32"), rng.rand(64, 1).astype("float32")
dataset = lambda: tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(16)
with strategy.scope():
    model = keras.Sequential([keras.Input([8]), keras.layers.Dense(1)])
    optimizer = keras.optimizers.SGD(0.1)
    optimizer.build(model.trainable_variables)
def replica(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(model(x) - y)) / 16.           # 16 rows: the global batch
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss
"""

# %% grading="skip"
FIT = """
try:
    with strategy.scope():
        model.compile("sgd", "mse")
    model.fit(dataset(), steps_per_epoch=2, verbose=0)
    print("fit: works")
except Exception as error:
    print(f"fit: {type(error).__name__}: {str(error)[:60]}".partition(chr(10))[0])
print("end", flush=True)
os._exit(0)
"""

# %% [markdown]
# **MultiWorkerMirrored**: every worker runs the same program and has a copy of the variables; all-reduce adds the gradients.

# %% grading="skip"
WORKERS_TODAY = """
import os, tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
""" + MODEL_TODAY + """
step = tf.function(lambda batch: strategy.reduce("SUM", strategy.run(replica, batch), axis=None))
for _, batch in zip(range(20), strategy.experimental_distribute_dataset(dataset())):
    loss = step(batch)
print(f"replicas: {strategy.num_replicas_in_sync}, loss {float(loss):.4f}, "
      f"bias {model.trainable_variables[1].numpy()[0]:.6f}")
""" + FIT
mirrored = LocalCluster({"worker": 2}, script=WORKERS_TODAY, wait=False, name="mirrored")

# %% [markdown]
# **ParameterServer**: the chief schedules steps; a worker that is free takes the next. Variables lie on the ps.

# %% grading="skip"
COORDINATOR = """
import os, tensorflow as tf
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type != "chief":
    tf.distribute.Server(resolver.cluster_spec(), resolver.task_type, resolver.task_id).join()
strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
""" + MODEL_TODAY + """
with strategy.scope():
    count = tf.Variable(0, dtype=tf.int64)
"""

# %% grading="skip"
COORDINATOR += """
@tf.function
def step(batches):
    def counted(x, y):
        loss = replica(x, y)
        count.assign_add(1)
        return loss
    return strategy.run(counted, next(batches))
batches = iter(coordinator.create_per_worker_dataset(dataset))
results = [coordinator.schedule(step, args=(batches,)) for _ in range(200)]
coordinator.join()
print("variables on", model.trainable_variables[0].value.device)
print(f"counted {int(count)}, Keras counted {int(optimizer.iterations)}, loss {results[-1].fetch():.4f}")
""" + FIT
scheduled = LocalCluster({"chief": 1, "worker": 2, "ps": 1}, script=COORDINATOR, wait=False, name="scheduled")

# %% [markdown]
# Meanwhile **Mirrored**, in this process: one replica on each of two logical CPU devices. `fit` does all that section 1 does by hand.

# %% grading="skip"
import keras

tf.get_logger().setLevel("WARNING")
one_adds = tf.distribute.ReductionToOneDevice()
strategy = tf.distribute.MirroredStrategy(["CPU:1", "CPU:2"], cross_device_ops=one_adds)
with strategy.scope():
    today = keras.Sequential([keras.Input([64]), keras.layers.Dense(10)])
    today.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
# %% grading="skip"
batches = tf.data.Dataset.from_tensor_slices((train_x, train_y)).batch(100, drop_remainder=True)
today.fit(batches, epochs=4, shuffle=False, verbose=0)
loss, accuracy = today.evaluate(test_x, test_y, verbose=0)
print(f"replicas: {strategy.num_replicas_in_sync} | test accuracy: {accuracy:.3f}")

# %% predict="keras"
# Predict: of 200 scheduled steps, how many does a tf.Variable count with assign_add?
# And how many Keras' optimizer.iterations?
count, iterations = ..., ...

# %% grading="skip"
mirrored.wait("worker/0", "worker/1", until="ended")
scheduled.wait("chief/0", until="ended")
for name, text in [("worker 0", mirrored.log("worker/0")), ("worker 1", mirrored.log("worker/1")),
                   ("chief", scheduled.log("chief/0"))]:
    for line in text.splitlines():
        if line.startswith(("replicas", "variables on", "counted", "fit")):
            print(f"{name}: {line}")
mirrored.close(), scheduled.close();

# %% [markdown]
# * **MultiWorkerMirrored** is synchronous: both workers have the same bias, to the last digit. A worker that dies stops all.
# * **ParameterServer** is asynchronous. `assign_add` of a TensorFlow variable counted every step. Keras 3 *reads* its counter, adds one and writes: whenever two
#   workers do so at the same time, a count is lost. So count steps yourself, and beware of schedules that depend on `optimizer.iterations`.
# * **`fit`** of Keras 3 works with `MirroredStrategy` only. Both errors come from the data: `fit` does not know how to hand out a batch to several tasks.
#
# ## Recap
#
# 1. Replicas share one set of variables. In-graph: one graph, one client. Between-graph: a graph and a client for each, variables shared by name on the ps.
# 2. The mean of towers' gradients equals the full batch if each tower counts by its rows.
# 3. `replica_device_setter` puts variables on the ps in turn. The chief initialises, restores and saves; the others wait; `StopAtStepHook` looks at the shared step.
# 4. A dead worker costs its step. A dead ps costs what came after the last checkpoint. A dead member of an ensemble costs nothing but its vote.
# 5. Asynchronous: nobody waits, gradients are stale. Synchronous: one update from many, all wait. Backup replicas: late gradients are dropped, nobody waits.
#
# | question | where the answer is |
# | --- | --- |
# | Do the replicas share? | `variable.device` and name: the same in all graphs |
# | Does it equal the full batch? | compare with one tower: a difference of 1e-8 is rounding, 1e-2 is an error |
# | How stale? | updates of others between the begin of a step and its own update |
# | What is lost after a death? | shared step now, against the newest checkpoint |
# | Who waits for whom? | each log's last line, and a deadline in each session |
#
# **Read on:** lesson 09, *Data and model parallelism*: what all-reduce sends, and what to do about stale gradients. Lesson 10: search and ensembles.
#
# ## Exercises
#
# Five short programs and one question in words. The programs need sections 1 to 5 and 8, the question also section 9.

# %% [markdown] exercise="average"
# ### Exercise 1 · Average the towers' gradients
#
# Write `average(tower_grads)`. `tower_grads` has for each tower a dict `{variable name: gradient}`; all have the same names. Every tower had
# equally many rows. A gradient is one of these:
#
# * a NumPy array (or number) of the variable's shape;
# * `None`: this tower does not use the variable. Its gradient is zero;
# * a **sparse** gradient, as an embedding gives it: a dict with `"rows"` (row numbers), `"values"` (one array for each of these rows) and
#   `"shape"` (of the whole variable). All other rows are zero. A row may occur twice: then its values add up.
#
# Return `{variable name: mean over all towers}`, each an array of the variable's shape; `None` where **all** towers have `None`.
#
# Example: the towers `{"w": [1., 2.], "b": None}` and `{"w": [3., 6.], "b": [4.]}` give `{"w": [2., 4.], "b": [2.]}`.

# %% solution="average"
def average(tower_grads):
    """Mean gradient of each variable over all towers.

    Args:
        tower_grads: list of dict, one for each tower: variable name -> array, None, or a sparse gradient
            {"rows": list of int, "values": array [len(rows), ...], "shape": list of int}.
    Returns:
        dict: variable name -> array, or None if no tower uses the variable.
    """
    ### BEGIN SOLUTION
    def dense(gradient):
        if not isinstance(gradient, dict):
            return np.asarray(gradient, np.float64)
        whole = np.zeros(gradient["shape"])
        for row, values in zip(gradient["rows"], gradient["values"]):
            whole[row] += values
        return whole

    means = {}
    for name in tower_grads[0]:
        there = [dense(tower[name]) for tower in tower_grads if tower[name] is not None]
        means[name] = sum(there) / len(tower_grads) if there else None
    return means
    ### END SOLUTION

# %% try="average"
try:
    print(average([{"w": np.array([1., 2.]), "b": None}, {"w": np.array([3., 6.]), "b": np.array([4.])}]))
except NotImplementedError as error:
    print(error)

# %% check="average-dense" points=1
import numpy as np

gradients = [{"w": np.array([[1., 2.], [0., 8.]]), "b": np.array([3.])},
             {"w": np.array([[3., 6.], [0., 0.]]), "b": np.array([5.])},
             {"w": np.array([[2., 1.], [3., 1.]]), "b": np.array([1.])}]
got = average(gradients)
right = {"w": [[2., 3.], [1., 3.]], "b": [3.]}

def told(likely):
    return (f"asked:    three gradients each, w of shape [2, 2] and b of shape [1]\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, Towers in one graph")

assert type(got) is dict and set(got) == {"w", "b"}, told(
    "the result is no dict with an entry for each variable")
got = {name: np.asarray(value).tolist() for name, value in got.items()}
assert got["b"] != [9.], told("the gradients are added, but not divided by their number")
assert np.shape(got["w"]) == (2, 2), told(
    "the mean was taken over a variable's numbers: take it over the devices")
assert np.allclose(got["w"], right["w"]) and np.allclose(got["b"], right["b"]), told(
    "for each variable: add the gradients, divide by their number")

# %% check="average-none" points=2
import numpy as np

gradients = [{"w": np.array([1., 2.]), "b": None, "unused": None},
             {"w": np.array([3., 6.]), "b": np.array([4.]), "unused": None}]
got = average(gradients)
right = {"w": [2., 4.], "b": [2.], "unused": None}

def told(likely):
    return (f"asked:    b has a gradient in one of two, unused in none\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1: None is a gradient of zero")

assert type(got) is dict and set(got) == {"w", "b", "unused"}, told(
    "an entry is missing: each variable has one, also where all are None")
assert got["b"] is not None, told("one tower's None made the mean None, but the other tower has a gradient")
value = np.asarray(got["b"], float).tolist()
assert value != [4.], told(
    "divided by those that have a gradient; None counts as zero: divide by all")
assert got["unused"] is None, told("no tower uses the variable: the result is None, not zero")
assert value == [2.] and np.allclose(got["w"], [2., 4.]), told("compare the numbers")

# %% hidden="average-sparse" points=3
import numpy as np

twice = {"rows": [1, 3, 1], "values": np.array([[1., 2.], [4., 4.], [10., 20.]]), "shape": [4, 2]}
gradients = [{"e": twice},
             {"e": {"rows": [3], "values": np.array([[2., 0.]]), "shape": [4, 2]}},
             {"e": None}, {"e": np.full([4, 2], 4.)}]
got = average(gradients)
right = np.array([[1., 1.], [3.75, 6.5], [1., 1.], [2.5, 2.]])

def told(likely):
    return (f"asked:    four gradients: two sparse (row 1 occurs twice in the first), one None, one dense\n"
            f"got:      {got}\n"
            f"expected: {right.tolist()}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1: a sparse gradient")

assert type(got) is dict and np.shape(got.get("e")) == (4, 2), told(
    "the result is an array of the variable's shape")
value = np.asarray(got["e"], float)
assert not np.allclose(value[1], [3.5, 6.]), told(
    "a row that occurs twice was overwritten: its values add up")
assert np.allclose(value[0], [1., 1.]), told(
    "row 0 is divided by the wrong number: those without this row count too, with zero")
assert np.allclose(value, right), told("all rows are divided by four")

# %% hidden="average-keeps" points=1
import numpy as np

sparse = {"rows": [0], "values": np.array([[9.]]), "shape": [2, 1]}
gradients = [{"a": np.float64(3.), "b": None}, {"a": np.float64(6.), "b": sparse},
             {"a": np.float64(0.), "b": None}]
got = average(gradients)
right = {"a": 3., "b": [[3.], [0.]]}

def told(likely):
    return (f"asked:    a number for a in each of three towers; b sparse in one, None in two\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 1")

assert type(got) is dict and np.shape(got.get("b")) == (2, 1) and got.get("a") is not None, told(
    "the shapes are those of the variables")
assert np.allclose(got["b"], right["b"]), told("the two None count as zero: divide by three")
assert np.allclose(got["a"], 3.), told("a number is a gradient too")

# %% [markdown] exercise="towers"
# ### Exercise 2 · Towers with unequal shares
#
# Write `towers(first, shares, rate)`. It returns, as the bytes of a `GraphDef`, a graph that trains a linear model `x·w` by towers:
#
# * placeholders `x` of shape `[rows, len(first)]` and `y` of shape `[rows]`, float32; `rows` is the sum of `shares`;
# * **one** variable named `w`, with the first values `first`, on `/device:CPU:0`; an op `init` that initialises it;
# * for each entry of `shares` a tower: the first on `/device:CPU:1`, the second on `/device:CPU:2` and so on. It gets the next so many rows, and only these. Its loss is the
#   mean of `(x·w − y)²` over its rows; its gradient is computed on its device. It reads `w` **once**;
# * an op `train`: one step `w ← w − rate · gradient`, where the gradient is that of the **whole batch**: the towers' gradients weighted by their rows. The
#   mean is on `/device:CPU:0`;
# * a tensor `value:0`: the value of `w`.
#
# So in a step each tower gets its rows and one copy of `w`, and sends back one gradient.
#
# Example: `towers([0., 0.], [1, 3], 0.5)`. With `x = [[1, 0], [0, 1], [0, 1], [0, 1]]` and `y = [4, 8, 8, 8]` one step gives
# `w = [1, 6]`.

# %% solution="towers"
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
        tf.import_graph_def(v1.GraphDef.FromString(towers([0., 0.], [1, 3], 0.5)), name="")
    with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
        session.run("init")
        session.run("train", {"x:0": [[1, 0], [0, 1], [0, 1], [0, 1]], "y:0": [4, 8, 8, 8]})
        print(session.run("value:0"))
except NotImplementedError as error:
    print(error)

# %% check="towers-step" points=2
import tensorflow as tf

answer = towers([0., 0.], [1, 3], 0.5)
v1 = tf.compat.v1
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer if type(answer) is bytes else b""), name="")
names = {op.name for op in graph.get_operations()}
lacks = [name for name in ("x", "y", "w", "init", "train", "value") if name not in names]
feed = {"x:0": [[1, 0], [0, 1], [0, 1], [0, 1]], "y:0": [4, 8, 8, 8]}
got = f"a graph without {', '.join(lacks)}" if lacks else None
if not lacks:
    with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
        session.run("init")
        session.run("train", feed)
        got = [round(float(value), 4) for value in session.run("value:0")]

def told(likely):
    return (f"asked:    one step of towers([0., 0.], [1, 3], 0.5) with the rows of the example\n"
            f"got:      {got}\n"
            f"expected: [1.0, 6.0]\n"
            f"likely:   {likely}\n"
            f"reread:   section 1, Towers in one graph")

assert type(answer) is bytes, told("the result is no bytes: graph.as_graph_def().SerializeToString()")
assert not lacks, told("an op is missing, or has another name")
assert got != [2., 4.], told(
    "the towers' means are averaged with equal weights, but the towers have 1 and 3 rows")
assert got != [4., 8.], told("the gradients are added: weigh them by their share of the rows")
assert got != [0., 0.], told("train changes nothing: does it run the assignment?")
assert got == [1., 6.], told("the gradient is that of the whole batch, weighted by rows, times the rate")

# %% check="towers-share" points=2
import tensorflow as tf

answer = towers([1., 2., 3.], [2, 2, 2], 0.5)
definition = tf.compat.v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
variables = [node for node in definition.node if node.op in ("VarHandleOp", "VariableV2")]
got = {node.name: node.device for node in variables}

def told(likely):
    return (f"asked:    the variables of towers([1., 2., 3.], [2, 2, 2], 0.5), and where they are\n"
            f"got:      {got}\n"
            f"expected: {{'w': '/device:CPU:0'}}\n"
            f"likely:   {likely}\n"
            f"reread:   section 1: all towers use the same variables")

assert got, told("there is no variable")
assert len(got) == 1, told(
    "each tower has a variable of its own, so they are not one model: make w once, or reuse it")
assert all(device.endswith("CPU:0") for device in got.values()), told(
    "the variable is on a tower's device, or on none: pin it to /device:CPU:0")
assert set(got) == {"w"}, told("the variable has another name")

# %% hidden="towers-batch" points=2
import numpy as np
import tensorflow as tf

first, shares, rate = [1., -1., 2.], [4, 1, 7], 0.05
rng = np.random.RandomState(3)
x, y = np.float32(rng.normal(size=(12, 3))), np.float32(rng.normal(size=12))
answer = towers(list(first), list(shares), rate)
v1, right = tf.compat.v1, np.array(first)
for _ in range(10):
    right = right - rate * 2 * x.T @ (x @ right - y) / 12
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer if type(answer) is bytes else b""), name="")
with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
    session.run("init")
    begin = session.run("value:0").tolist()
    for _ in range(10):
        session.run("train", {"x:0": x, "y:0": y})
    got = session.run("value:0")

def told(likely):
    return (f"asked:    ten steps of towers({first}, {shares}, {rate}) on random rows\n"
            f"got:      {np.round(got, 5).tolist()}\n"
            f"expected: {np.round(right, 5).tolist()}: the full batch\n"
            f"likely:   {likely}\n"
            f"reread:   section 1: the mean of means is the full batch only for equal shares")

assert begin == first, told(f"after init, w is {begin}")
assert np.shape(got) == (3,), told("value:0 is not the value of w")
assert np.allclose(got, right, atol=1e-4), told(
    "weigh each tower's gradient by its rows; each row goes to one tower")

# %% hidden="towers-bytes" points=3
import re
import tensorflow as tf

answer = towers([1.] * 50, [3, 2], 0.5)
v1, metadata = tf.compat.v1, tf.compat.v1.RunMetadata()
with tf.Graph().as_default() as graph:
    tf.import_graph_def(v1.GraphDef.FromString(answer if type(answer) is bytes else b""), name="")
config = v1.ConfigProto(device_count={"CPU": 4})
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
options, sent = v1.RunOptions(output_partition_graphs=True), {}
with v1.Session(graph=graph, config=config) as session:
    session.run("init")
    session.run("train", {"x:0": [[1.] * 50] * 5, "y:0": [1.] * 5}, options, metadata)
for node in (node for partition in metadata.partition_graphs for node in partition.node):
    name = node.input[0] if node.op == "_Send" else "^"
    name = re.sub(r"^_arg_(.*)_\d+_\d+$", r"\1", name)                      # a value that was fed
    if not name.startswith("^") and "/ctrl/" not in name:
        ends = [node.attr[end].s.decode()[-5:] for end in ("send_device", "recv_device")]
        tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
        size = (tensor.shape.num_elements() or 0) * tensor.dtype.size
        sent[" to ".join(ends)] = sent.get(" to ".join(ends), 0) + size
got = dict(sorted(sent.items()))
right = {"CPU:0 to CPU:1": 200 + 3 * 204, "CPU:0 to CPU:2": 200 + 2 * 204,
         "CPU:1 to CPU:0": 200, "CPU:2 to CPU:0": 200}

def told(likely):
    return (f"asked:    bytes that travel in a step of towers([1.] * 50, [3, 2], 0.5), as recorded\n"
            f"got:      {got}\n"
            f"expected: {right}, or a few more\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: its rows, one copy of w, one gradient back")

near = lambda way: right[way] - 8 <= got.get(way, 0) <= right[way] + 60
assert "CPU:1 to CPU:2" not in got and "CPU:2 to CPU:1" not in got, told(
    "the towers exchange values: the mean is on CPU:0")
assert "CPU:1 to CPU:0" in got and "CPU:2 to CPU:0" in got, told(
    "nothing comes from a tower: pin each tower to its device")
assert near("CPU:1 to CPU:0") and near("CPU:2 to CPU:0"), told(
    "a tower sends more or less than one gradient of 50 numbers: compute it in the tower's scope")
out = ["CPU:0 to CPU:1", "CPU:0 to CPU:2"]
assert all(got.get(way, 0) <= right[way] + 60 for way in out), told(
    "a tower gets too much: split the rows on CPU:0, and read w once")
assert near("CPU:0 to CPU:1") and near("CPU:0 to CPU:2"), told(
    "a tower gets too little: is its w somewhere else?")

# %% [markdown]
# Exercise 3 is about both ensembles. The next cell is folded. It has the drill for the second one: it starts the models of section 4 anew, and hands
# out batches. Before a batch it may kill models, or start them again; it then waits until a model that is back has answered an old batch.

# %% include="ensemble_drill.py"

# %% [markdown] exercise="ensemble"
# ### Exercise 3 · An ensemble in one graph, and between graphs
#
# Write two functions.
#
# `one_graph(weights, devices)` returns the bytes of a `GraphDef` with all members: a placeholder `x` of shape `[None, n]`, float32; for each matrix in `weights` (n × classes) one
# `tf.matmul` of `x` with it and the softmax of that, on the device with the same number in `devices`; and an op named `answer`, on `/device:CPU:0`: the mean of the members'
# **probabilities**.
#
# `in_time(session, batches, models, seconds)` is the client of section 4 for several batches, in an open session. The graph is that of `client_graph`: for each model `m`, the op
# `m/put` (feed `number:0` and `batch:0`), and `m/next:0` (number) and `m/next:1` (answer), to be fetched together.
#
# * `batches` is an iterator. Take the next batch only when you are done with the one before. Number them 0, 1, 2, ...
# * Put each batch into all models, and collect the answers **to this batch**. Wait at most `seconds` for a batch, for all models together; less if all have answered.
# * A model may be dead, or come back. **Its input queue may be full**: then `put` blocks. Neither may keep you from the answers of the others: give `put` a timeout too, a short one,
#   and ask the models in turns, so that one without an answer does not use up all the time.
# * A model that is back answers old batches first: throw these answers away.
# * An answer that is there also needs a moment to be taken, and a call that times out before the server has begun it can take an answer along later: do not fetch with a timeout
#   below 200 ms, even if this makes a batch a little late.
#
# It returns a list with a dict for each batch: `"mean"`, the mean of the answers as a list of lists (`None` if there are none), and `"missing"`, the models without an answer, in the
# order of `models`. All three models live, one batch: `[{"mean": [[0.28, 0.38, 0.34]], "missing": []}]`.

# %% solution="ensemble"
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
    """Ask all models about each batch; never wait longer than `seconds` for a batch.

    Args:
        session: an open session with the ops "m/put", "m/next" of each model m.
        batches: iterator of batches (lists of lists of float); to be taken one by one.
        models: list of int.
        seconds: float, the most to wait for a batch, for all models together.
    Returns:
        list of dict, one for each batch: "mean" (list of lists, or None) and "missing" (list of int).
    """
    ### BEGIN SOLUTION
    results = []
    for number, batch in enumerate(batches):
        deadline, found = time.monotonic() + seconds, {}
        for model in models:
            try:
                feed, soon = {"number:0": number, "batch:0": batch}, v1.RunOptions(timeout_in_ms=100)
                session.run(f"{model}/put", feed, soon)
            except tf.errors.DeadlineExceededError:
                pass                                                    # its queue is full
        while len(found) < len(models) and time.monotonic() < deadline:
            for model in (m for m in models if m not in found):
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
    return ensemble_drill(in_time, seed, batches, kills, starts, seconds)

# %% try="ensemble"
try:
    print(len(one_graph([np.eye(2), np.eye(2)], ["/device:CPU:1", "/device:CPU:2"])), "bytes")
    for result in ensembled(7, [[[1., 0., 2., 0.5]]] * 2, {1: [1]}, {}, 1.):
        print(result)
except NotImplementedError as error:
    print(error)

# %% check="ensemble-one-graph" points=2
import numpy as np
import tensorflow as tf

weights = [[[2., 0.], [0., 1.]], [[0., 0.], [0., 0.]], [[-4., 1.], [1., 0.]]]
devices = ["/device:CPU:1", "/device:CPU:3", "/device:CPU:2"]
answer = one_graph(weights, devices)
v1, x = tf.compat.v1, np.float32([[1., 2.], [0.5, -1.]])
definition = v1.GraphDef.FromString(answer if type(answer) is bytes else b"")
softmax = lambda logits: np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
members = [softmax(x @ np.float32(matrix)) for matrix in weights]
right = np.mean(members, axis=0)
where = [node.device[-5:] for node in definition.node if node.op == "MatMul"]
got = "a graph without x or answer"
if {"x", "answer"} <= {node.name for node in definition.node}:
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
    with v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": 4})) as session:
        got = session.run("answer:0", {"x:0": x})

def told(likely):
    return (f"asked:    one_graph of three 2 x 2 matrices on CPU:1, CPU:3, CPU:2\n"
            f"got:      {got if type(got) is str else got.round(3).tolist()}; matmuls on {where}\n"
            f"expected: {right.round(3).tolist()}; matmuls on CPU:1, CPU:3, CPU:2\n"
            f"likely:   {likely}\n"
            f"reread:   section 2, An ensemble in one graph")

assert type(answer) is bytes, told("the result is not bytes: return as_graph_def().SerializeToString()")
assert type(got) is not str, told("the placeholder is named x, and the mean is an op with the name answer")
logits = softmax(np.mean([x @ np.float32(matrix) for matrix in weights], axis=0))
assert not np.allclose(got, logits, atol=1e-5), told(
    "the mean was taken before the softmax: average the probabilities")
assert np.allclose(got, right, atol=1e-5), told("answer is the mean over the members of their softmax")
assert sorted(where) == ["CPU:1", "CPU:2", "CPU:3"], told("each member's matmul goes to its own device")
on = {node.name: node.device for node in definition.node}["answer"]
assert on.endswith("CPU:0"), told("answer is not pinned to /device:CPU:0")

# %% check="ensemble-dead" points=2
import random
import numpy as np

seed, batch = random.randrange(1000), [[1., 0., 2., 0.5], [0., 1., -1., 2.]]
for seconds in (0.8, 4.):  # a busy machine gets a second chance
    got = ensembled(seed, [batch] * 2, {1: [1]}, {}, seconds)
    if type(got) is not list or [r.get("missing") for r in got if type(r) is dict] == [[], [1]]:
        break

def answer_of(model):
    logits = np.float32(batch) @ np.float32(np.random.RandomState(seed + model).normal(size=(4, 3)))
    return np.exp(logits) / np.exp(logits).sum(1, keepdims=True)

right = [np.mean([answer_of(model) for model in living], axis=0) for living in ([0, 1, 2], [0, 2])]

short = lambda value: np.round(value, 3).tolist() if type(value) is list and value else value
entry = lambda r: {key: short(value) for key, value in r.items()} if type(r) is dict else r
shown = [entry(result) for result in got] if type(got) is list else got

def told(likely):
    return (f"asked:    two batches; model 1 is killed before the second\n"
            f"got:      {shown}\n"
            f"expected: means {[mean.round(3).tolist() for mean in right]}, missing [] and [1]\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, An ensemble between graphs")

assert got != "DeadlineExceededError", told(
    "one dead model took the answer from you: catch the timeout, and go on")
assert type(got) is list and len(got) == 2, told("the result is no list with an entry for each batch")
assert all(type(r) is dict and set(r) == {"mean", "missing"} for r in got), told(
    "the result is no list with a dict of mean and missing for each batch")
assert got[0]["missing"] == [], told("all three lived at the first batch, but not all were heard")
assert got[1]["missing"] == [1], told("missing is the list of the models without an answer")
means = [np.asarray(r["mean"], float) for r in got]
assert not np.allclose(means[1], right[1] * 2 / 3, atol=1e-4), told(
    "the dead model counts as zero: divide by the number of answers")
assert means[0].shape == (2, 3), told("mean has a row for each row of the batch")
assert all(np.allclose(mean, r, atol=1e-4) for mean, r in zip(means, right)), told(
    "take the mean over the models that answered")

# %% hidden="ensemble-full" points=2
import random
import numpy as np

seed, batches = random.randrange(1000), [[[float(k), 1., -1., 0.5]] for k in range(4)]
for seconds in (0.6, 3.):  # a busy machine gets a second chance
    got = ensembled(seed, batches, {0: [0]}, {}, seconds)
    if type(got) is not list or [r.get("missing") for r in got if type(r) is dict] == [[0]] * 4:
        break

def answer_of(model, batch):
    logits = np.float32(batch) @ np.float32(np.random.RandomState(seed + model).normal(size=(4, 3)))
    return np.exp(logits) / np.exp(logits).sum(1, keepdims=True)

right = [np.mean([answer_of(1, batch), answer_of(2, batch)], axis=0) for batch in batches]

short = lambda value: np.round(value, 3).tolist() if type(value) is list and value else value
entry = lambda r: {key: short(value) for key, value in r.items()} if type(r) is dict else r
shown = [entry(result) for result in got] if type(got) is list else got

def told(likely):
    return (f"asked:    four batches; model 0 is dead from the start, and its queue has room for two\n"
            f"got:      {shown}\n"
            f"expected: four means of models 1 and 2, and missing [0] each time\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: its input queue may be full")

assert got != "DeadlineExceededError", told(
    "the dead model's queue was full, and put blocked: give put a timeout too, and catch it")
assert type(got) is list and len(got) == 4, told("the result has no entry for each batch")
assert [r["missing"] for r in got] == [[0]] * 4, told(
    "only model 0 is missing: did the wait for it use up the time of the others?")
assert all(np.allclose(r["mean"], mean, atol=1e-4) for r, mean in zip(got, right)), told(
    "take the mean over the models that answered this batch")

# %% hidden="ensemble-back" points=3
import random
import numpy as np

seed, batches = random.randrange(1000), [[[float(k), 1., -1., 0.5]] for k in range(4)]
for seconds in (0.8, 4.):  # a busy machine gets a second chance
    got = ensembled(seed, batches, {1: [2]}, {2: [2]}, seconds)
    missing = [r.get("missing") for r in got if type(r) is dict] if type(got) is list else []
    if missing[:2] == [[], [2]] and missing[3:] == [[]]:
        break

def answer_of(model, batch):
    logits = np.float32(batch) @ np.float32(np.random.RandomState(seed + model).normal(size=(4, 3)))
    return np.exp(logits) / np.exp(logits).sum(1, keepdims=True)

short = lambda value: np.round(value, 3).tolist() if type(value) is list and value else value
entry = lambda r: {key: short(value) for key, value in r.items()} if type(r) is dict else r
shown = [entry(result) for result in got] if type(got) is list else got

def told(likely):
    return (f"asked:    four batches; model 2 is dead for the second, and back for the third\n"
            f"got:      {shown}\n"
            f"expected: missing [2] at the second batch; each mean of answers to its own batch\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3: a model that is back answers old batches first")

assert type(got) is list and len(got) == 4, told("the result has no entry for each batch")
assert got[1]["missing"] == [2] and got[0]["missing"] == [], told(
    "only the second batch goes without model 2, which was dead")
for k, (result, batch) in enumerate(zip(got, batches)):
    heard = [model for model in range(3) if model not in result["missing"]]
    assert 0 in heard and 1 in heard, told("models 0 and 1 lived all the time")
    mean = np.mean([answer_of(model, batch) for model in heard], axis=0)
    assert np.allclose(result["mean"], mean, atol=1e-4), told(
        f"batch {k} got an answer to an older batch: compare the number that comes with it")
assert got[3]["missing"] == [], told(
    "at the fourth batch model 2 is back, but was not heard: after an old answer, fetch again")

# %% [markdown] exercise="updates"
# ### Exercise 4 · Synchronous, with backup replicas
#
# Write `updates(first, arrivals, needed, rate)`: what the ps does in a synchronous job with one variable `w`, a number. `arrivals` are the gradients in the order in which they reach the
# ps: pairs `[made_at, gradient]`, where `made_at` is the step for which the worker computed it.
#
# * The step begins with 0. A gradient that was made at an **older** step is dropped.
# * As soon as `needed` gradients for the present step are there, their **mean** makes one update, `w ← w − rate · mean`, and the step grows by one.
# * What is left at the end is not applied.
#
# Return `{"w": w, "updates": number of updates, "dropped": number of dropped gradients}`. You may use an accumulator of section 8, or plain Python.
#
# Example: `updates(10., [[0, 2.], [0, 4.], [0, 9.], [1, 1.]], 2, 1.)` is `{"w": 7.0, "updates": 1, "dropped": 1}`: 2 and 4 make an update, 9 comes too late, and 1 waits for a
# second one.

# %% solution="updates"
def updates(first, arrivals, needed, rate):
    """Play a synchronous job with backup replicas.

    Args:
        first: float, the first value of w.
        arrivals: list of [int, float]: the step for which a gradient was made, and the gradient.
        needed: int, gradients for one update.
        rate: float, the learning rate.
    Returns:
        dict: "w" (float), "updates" (int), "dropped" (int).
    """
    ### BEGIN SOLUTION
    w, step, dropped, waiting = first, 0, 0, []
    for made_at, gradient in arrivals:
        if made_at < step:
            dropped += 1
            continue
        waiting.append(gradient)
        if len(waiting) == needed:
            w -= rate * sum(waiting) / needed
            step, waiting = step + 1, []
    return {"w": float(w), "updates": step, "dropped": dropped}
    ### END SOLUTION

# %% try="updates"
try:
    print(updates(10., [[0, 2.], [0, 4.], [0, 9.], [1, 1.]], 2, 1.))
except NotImplementedError as error:
    print(error)

# %% check="updates-all" points=1
arrivals = [[0, 2.], [0, 4.], [0, 6.], [1, 1.], [1, 1.], [1, 4.], [2, 8.]]
got, right = updates(10., arrivals, 3, 0.5), {"w": 7., "updates": 2, "dropped": 0}

def told(likely):
    return (f"asked:    updates(10., {arrivals}, 3, 0.5): all three needed\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, Asynchronous, synchronous, backup")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of w, updates and dropped")
assert got["updates"] != 7, told("each gradient made an update: that is asynchronous")
assert got["w"] != 1., told("the gradients were added; an update takes their mean")
assert got["updates"] != 3, told("the last gradient alone made an update, but three are needed")
assert got == right, told("three gradients of one step make one update of their mean, times the rate")

# %% check="updates-late" points=2
arrivals = [[0, 2.], [0, 4.], [0, 9.], [1, 1.], [0, 100.], [1, 3.], [1, 7.]]
got, right = updates(10., arrivals, 2, 1.), {"w": 5., "updates": 2, "dropped": 3}

def told(likely):
    return (f"asked:    updates(10., {arrivals}, 2, 1.): two of three are needed\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8: gradients that were computed for an older step are dropped")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of w, updates and dropped")
assert got["updates"] != 3, told("gradients that came too late made an update: they belong to an older step")
assert got["dropped"] == 3, told(
    "dropped are all that came for an older step, also 7 at the end, which was made at step 1")
assert got == right, told("an update takes the mean of the first two gradients of its step")

# %% hidden="updates-eighteen" points=2
import random

steps, w = random.randrange(3, 7), 0.
arrivals, right_w = [], 1024.
for step in range(steps):
    gradients = [float(random.randrange(-50, 50)) for _ in range(20)]
    arrivals += [[step, gradient] for gradient in gradients]
    right_w -= 0.25 * sum(gradients[:18]) / 18
arrivals += [[steps, 1.]] * 17
got, right = updates(1024., list(arrivals), 18, 0.25), {"updates": steps, "dropped": 2 * steps}

def told(likely):
    return (f"asked:    20 workers, 18 needed, {steps} steps, and 17 gradients of the next step\n"
            f"got:      {got}\n"
            f"expected: w = {right_w:.6f}, and {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8: 20 run, the fastest 18 count")

assert type(got) is dict and set(got) == {"w", "updates", "dropped"}, told(
    "the result is no dict of w, updates and dropped")
assert got["updates"] == steps, told("17 gradients make no update, 18 do")
assert got["dropped"] == 2 * steps, told("of each step the last two come too late")
assert abs(got["w"] - right_w) < 1e-2, told("the mean is over the 18 that count, not over the 20 that run")

# %% hidden="updates-very-late" points=2
arrivals = [[0, 8.], [0, 8.], [1, 4.], [1, 4.], [2, 1.], [0, 64.], [1, 64.], [2, 3.], [2, 64.], [3, 6.]]
got, right = updates(0., arrivals, 2, 1.), {"w": -14., "updates": 3, "dropped": 3}

def told(likely):
    return (f"asked:    updates(0., {arrivals}, 2, 1.)\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4: an older step, by however many")

assert type(got) is dict and set(got) == set(right), told("the result is no dict of w, updates and dropped")
assert got["dropped"] == 3, told(
    "late by one step or by two: dropped is dropped; and what waits at the end is not dropped")
assert got == right, told("compare step by step: which gradients make which update?")

# %% [markdown]
# In exercise 5 you write the heart of a worker. The text of your function is sent to **real worker processes**: it runs there, not here. This is what stands around it there. `build` makes
# the model, which is so simple that you can count: each step adds 1 to `w0`, `w1` and `w2`.

# %%
AROUND = """
import json, os, time, types, numpy as np, tensorflow as tf
v1, me, task = tf.compat.v1, types.SimpleNamespace(deadline=8), json.loads(os.environ["TF_CONFIG"])
spec, job, index = tf.train.ClusterSpec(task["cluster"]), task["task"]["type"], task["task"]["index"]
server, here = tf.distribute.Server(spec, job_name=job, task_index=index), f"/job:{job}/task:{index}"
if job == "ps":
    server.join()
config = v1.ConfigProto(device_filters=["/job:ps", here], operation_timeout_in_ms=10_000)

def build():
    w = [v1.get_variable(f"w{k}", initializer=0., use_resource=True) for k in range(3)]
    return tf.negative(tf.add_n([each.read_value() for each in w]), name="compute")
"""

# %% [markdown]
# The next two cells are folded. They start the tasks, kill one if asked to, when half of the steps are made, start it again, and look at what the cluster did.

# %% include="work_record.py"

# %% include="work_drill.py"

# %% [markdown] exercise="work"
# ### Exercise 5 · A worker that survives
#
# Write `work(spec, index, steps, folder, build)`: what worker `index` of the cluster `spec` does. It runs in a process of its own, with `tf`, `v1`, `np` and `managed` of section 5 at
# hand, and nothing else of this notebook: write helper functions **inside** it.
#
# * Variables lie on the ps tasks of `spec` (a `ClusterSpec`), in turn; all else on this worker, `/job:worker/task:index`.
# * `build()` makes the model's variables and returns its loss. Minimize it with `v1.train.GradientDescentOptimizer(1.)`. All workers count steps in one **shared** global step.
# * Open the session by `managed(chief, folder, hooks)`. Worker 0 is the chief. (Here it saves every twenty steps.)
# * Train until the **shared** step is `steps`; a few more are allowed, at most two for each worker (a `StopAtStepHook` may notice it one step late). Then return.
# * Any worker but the chief may be killed and started again: `work` is then called anew, and goes on where the others are. A ps may be killed and started again: the job goes on from the
#   last checkpoint.
#
# Example: with 2 ps, 2 workers and `steps=40`, the workers end with a shared step of 40 to 44, of which each made a part; `w0`, `w1` and `w2` have that value too.

# %% solution="work"
def work(spec, index, steps, folder, build):
    """Be worker `index` of a training job, until the shared step is `steps`.

    Args:
        spec: tf.train.ClusterSpec with the jobs "ps" and "worker".
        index: int, which worker this is.
        steps: int, the shared step to reach.
        folder: str, for checkpoints.
        build: function without arguments that makes the variables and returns the loss.
    """
    ### BEGIN SOLUTION
    setter = v1.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=spec)
    with tf.Graph().as_default(), v1.device(setter):
        step = v1.train.get_or_create_global_step()
        train = v1.train.GradientDescentOptimizer(1.).minimize(build(), global_step=step)
        with managed(index == 0, folder, [v1.train.StopAtStepHook(last_step=steps)]) as session:
            while not session.should_stop():
                session.run(train)
    ### END SOLUTION

import inspect

def worked(ps, workers, steps, kill=None, done={}):
    """Given, for the checks: what the cluster did with your function; asked again, the same record."""
    text = inspect.getsource(work)
    if (text, ps, workers, steps, kill) not in done:
        done[text, ps, workers, steps, kill] = job_drill(text, ps, workers, steps, kill)
    if "NotImplementedError" in done[text, ps, workers, steps, kill]["error"]:
        raise NotImplementedError("write this exercise first")
    return done[text, ps, workers, steps, kill]

# %% try="work"
try:
    for what, value in worked(2, 2, 40).items():
        print(f"{what}: {value}")
except NotImplementedError as error:
    print(error)

# %% check="work-places" points=2
record = worked(2, 2, 40)
got = {"variables": record["variables"], "compute": dict(sorted(record["compute"].items()))}

def told(likely):
    return (f"asked:    where worker 0 and 1 of a job with two ps put variables and ops\n"
            f"got:      {got}\n"
            f"expected: global_step, w0, w1, w2 in turn on /job:ps/task:0 and 1; compute on each worker\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Between-graph: who keeps the variables?")

assert record["variables"], told(f"no session was opened by managed; the error is {record['error']}")
where = record["variables"]
assert {"w0", "w1", "w2"} <= set(where), told(
    "the model's variables are missing: call build() inside the graph")
assert all(device.startswith("/job:ps/") for device in where.values()), told(
    "variables are not on the ps, so each worker has its own: use replica_device_setter, by v1.device")
assert "global_step" in where, told("there is no global step: v1.train.get_or_create_global_step()")
assert len(set(where.values())) == 2, told("all variables are on one ps: give the setter the cluster")
compute = record["compute"]
assert set(compute) == {0, 1} and all(compute[i] == [f"/job:worker/task:{i}"] for i in (0, 1)), told(
    "the ops are not on the worker whose graph it is: give the setter worker_device, with its index")

# %% check="work-count" points=2
record = worked(2, 2, 40)
within = lambda value: "40 to 44" if 40 <= value <= 44 else "under 40" if value < 40 else "over 44"
values, own = record["values"], record["own"]
got = {"ended": record["ended"], "values": {name: within(value) for name, value in sorted(values.items())},
       "workers with steps": sorted(own)}

def told(likely):
    return (f"asked:    a job of two workers until the shared step is 40\n"
            f"got:      {got}\n"
            f"expected: both end with 0; global_step, w0, w1, w2 are the same, 40 to 44; each made some\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, A managed session: chief and others")

assert "no end" not in record["error"], told(
    "the workers went on for ever: minimize needs global_step, and a StopAtStepHook looks at it")
assert record["chiefs"] or not record["error"], told(
    f"a worker ended with an error: {record['error'][-110:]}")
assert record["chiefs"] == [0], told("the chief is worker 0 alone; with two, what comes out is luck")
assert record["ended"] == ["ended with 0"], told(f"a worker ended with an error: {record['error'][-110:]}")
assert values.get("global_step", 0) < 60, told(
    "each worker made all steps: the shared step counts the steps of all together")
assert values.get("global_step", 0) >= 40, told("the job ended too early")
assert len(set(values.values())) == 1, told(
    "w was changed otherwise than by one step of rate 1 for each count")
assert values["global_step"] <= 44, told("the shared step is over 44: each worker looks at it after its step")
assert set(own) == {0, 1} and min(own.values()) >= 1, told("one worker made no step at all")

# %% hidden="work-chief" points=1
record = worked(2, 2, 40)
got = record["chiefs"]

def told(likely):
    return (f"asked:    which workers opened their session as the chief\n"
            f"got:      {got}\n"
            f"expected: [0]\n"
            f"likely:   {likely}\n"
            f"reread:   section 5: one of them, the chief, initialises")

assert record["chiefs"] != [0, 1], told(
    "every worker is chief: each initialises, over what the others have trained")
assert record["chiefs"] == [0], told("the chief is worker 0, and there is no other")

# %% hidden="work-worker-dies" points=2
record = worked(1, 3, 90, "worker/1")
again = [opened for worker, opened in record["opened"] if worker == 1][1:]
step, w = record["values"].get("global_step", 0), [record["values"].get(f"w{k}", 0) for k in range(3)]
begins = "at over 40" if again and min(again) > 40 else "elsewhere"
got = {"ended": record["ended"], "new worker 1 begins": begins,
       "global_step": "90 to 96" if 90 <= step <= 96 else "under 90" if step < 90 else "over 96"}

def told(likely):
    return (f"asked:    three workers, shared step 90; worker 1 is killed after 45, and starts again\n"
            f"got:      {got}\n"
            f"expected: all end with 0; global_step from 90 to 96; the new worker 1 begins at over 40\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, The job, run whole: the worker's death")

assert record["chiefs"] == [0], told("the chief is worker 0 alone; with two, what comes out is luck")
assert record["ended"] == ["ended with 0"], told(
    f"a worker was never done, or ended with an error: {record['error'][-110:]}")
assert again and min(again) > 40, told("the new worker did not go on where the others are")
assert step <= 96, told(
    "steps are counted by each worker for itself, so the new one began to count anew: count the shared step")
assert step >= 90, told("the job ended too early: the dead worker's steps are missing")
assert all(abs(value - step) <= 1 for value in w), told(
    "w was changed otherwise than by one step for each count")

# %% hidden="work-ps-dies" points=3
record = worked(1, 2, 60, "ps/0")
again = [opened for worker, opened in record["opened"] if worker == 0][1:]
step, w = record["values"].get("global_step", 0), [record["values"].get(f"w{k}", 0) for k in range(3)]
begins = "never" if not again else "at 10 or more" if min(again) >= 10 else "at under 10"
got = {"ended": record["ended"], "after the death the chief opens": begins,
       "global_step": "60 to 64" if 60 <= step <= 64 else "under 60" if step < 60 else "over 64"}

def told(likely):
    return (f"asked:    two workers, shared step 60; the ps is killed after 30, and starts again\n"
            f"got:      {got}\n"
            f"expected: both end with 0; after it the chief opens at 10 or more; global_step 60 to 64\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, The job, run whole: the ps' death")

assert record["chiefs"] == [0], told("the chief is worker 0 alone; with two, what comes out is luck")
assert record["ended"] == ["ended with 0"], told(
    f"a worker ended with an error, though managed goes on by itself: {record['error'][-110:]}")
assert again, told("the chief did not open a second session: is it the one of managed?")
assert min(again) >= 10, told(
    "the job began anew at 0: give managed the folder, so that the chief saves and restores")
assert 60 <= step <= 64, told("the shared step did not end at 60 to 64")
assert all(abs(value - step) <= 4 for value in w), told("w and the step do not belong together")

# %% [markdown] exercise="choose"
# ### Exercise 6 · In your own words
#
# A team trains on 40 workers and two ps tasks. It is synchronous, 40 of 40. Two machines are often slow, and about once a day one machine is restarted without notice, any of the 42. Explain in four to seven
# sentences what happens to the job now in each of these cases, what you would change, and what your change costs.

# %% [markdown] written="choose" points=3
# ### BEGIN SOLUTION
# Now each update waits for the slowest. Aggregate 38 of 40, and save checkpoints often.
# ### END SOLUTION

# %% [markdown] model="choose"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# Now every update waits for the slowest worker, so the two slow machines set the pace of all 40. When a worker dies, there are soon too few gradients for an update, and the job stands still until it is back. When a ps dies,
# its variables are gone, and all go back to the last checkpoint. I would aggregate 38 of 40: the slow machines' gradients come too late and are dropped, and a death costs little: a slow machine takes part meanwhile. (Only the chief must not be the dead one: it makes the updates.) The cost is that the work of two
# machines is thrown away, and that the slow machines' data count less. I would save checkpoints often, to a disk that outlives the machines: a death of a ps then costs at most the time between two. Going asynchronous would also
# end the waiting, but then with 40 workers gradients are very stale.
#
# One point each: everybody waits, for the slow and for the dead; backup replicas, and their price; checkpoints against the death of a ps.
# </details>
