# %% [markdown] minutes=230 exercises=97 gives="train one model in several processes, say who gets which rows, find in logs and profiles who keeps the others waiting, go on after a death or a notice at the very row, make a step that may run twice, cut a network over a mesh of devices" after="07"
# # Lesson 11 · Training across processes
#
# **A problem from work.** A training job runs in four processes. At night it stands still. No process has ended, none
# has printed an error, and all four are said to be "running". Someone starts it again from the last checkpoint; in the
# morning the loss is odd, since the data began anew at its first row while the model went on. Which of the four
# stopped the others, how would you have known within seconds, and how does a restart lose nothing?
#
# After this lesson you can
#
# 1. write one training program that runs in several processes, and say which rows each of them gets;
# 2. bound every wait, and read from logs and profiles which process the others wait for;
# 3. save a model together with its place in the data, so that a restart goes on at the very row; and cut a model that is
#    too large for one device.
#
# **Hardware:** CPU only. Every worker here is a real process on your machine. No GPU is used.

# %% include="quiet_start.py" devices=4

# %% include="checks.py predictions.py local_cluster.py meeting.py parameter_store.py process_board.py broken_jobs.py"

# %% [markdown]
# ## Sitting 1 · The same program, several times
#
# ![Two workers as two lines over time. Both compute, then wait for the sum of the gradients. The slow worker computes longer and hardly waits; the fast one waits for it. Later the slow worker dies, and the fast one waits until its limit ends it with an error.](assets/11_waiting.svg)
#
# ## 1 One program, n processes
#
# With `MultiWorkerMirroredStrategy` each **worker**, a process of its own, has a copy of all variables. Each computes
# gradients from its own rows. An **all-reduce** adds the gradients of all workers and gives every worker the same
# sum, so the copies stay equal. There is no process in the middle: all run one program, and `TF_CONFIG` (lesson 06)
# tells each who it is.
#
# This program learns one number, `w`. Its rows are 0 to 12, and all workers together take four of them in a step: the
# **global batch**.

# %% grading="skip"
%%writefile together.py
import json
import os
import time

import tensorflow as tf

Options = tf.distribute.experimental.CommunicationOptions
RING = tf.distribute.experimental.CommunicationImplementation.RING
patient = Options(implementation=RING, timeout_seconds=20)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=patient)
me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]

with strategy.scope():
    w = tf.Variable(0.0)
    optimizer = tf.keras.optimizers.SGD(0.1)
    optimizer.build([w])

# %% [markdown]
# The strategy connects to the other workers as soon as it is made: make it before anything else. The second part says
# who gets which rows, and section 2 comes back to it.

# %% grading="skip"
%%writefile -a together.py

options = tf.data.Options()
policy = tf.data.experimental.AutoShardPolicy[os.environ["POLICY"]]
options.experimental_distribute.auto_shard_policy = policy
rows = tf.data.Dataset.range(13).batch(4).with_options(options)
mine = strategy.experimental_distribute_dataset(rows)

# %% [markdown]
# The last part is the step. `strategy.run` runs `on_my_rows` in each worker; the optimizer's `apply_gradients` makes the
# all-reduce, a sum. So each worker takes the sum over its own rows and divides it by the **global** batch, 4: added up,
# that is the mean over the four rows of a step. The pause at the end is for the other worker: who ends closes its
# connections, and its part of the last sum may still be on its way.

# %% grading="skip"
%%writefile -a together.py

@tf.function
def step(batch):
    def on_my_rows(rows):
        with tf.GradientTape() as tape:
            errors = (w - tf.cast(rows, tf.float32)) ** 2
            loss = tf.reduce_sum(errors) / 4
        gradient = tape.gradient(loss, w)
        optimizer.apply_gradients([(gradient, w)])
        return loss

    losses = strategy.run(on_my_rows, args=(batch,))
    return strategy.reduce("SUM", losses, axis=None)

for batch in mine:
    loss = step(batch)
    taken = strategy.experimental_local_results(batch)[0].numpy().tolist()
    print(f"rows {taken}, loss {loss:.2f}, w = {w.numpy():.4f}")
time.sleep(0.5)

# %% [markdown]
# **Predict:** two workers. Are the two values of `w` after the last step equal: "yes" or "no"?

# %% predict="equal"
equal = ...

# %% grading="skip"
import re

def own_lines(workers, task):
    """What a worker's program has printed, without TensorFlow's own lines."""
    lines = workers.printed(task).splitlines()
    own = r"start |rows |step |epoch |\w+Error"
    return "\n".join(line for line in lines if re.match(own, line))

# %% grading="skip"
def train_together(policy):
    """Run together.py in two processes; returns what each of them printed."""
    jobs = {"worker": 2}
    env = {"POLICY": policy}
    with LocalCluster(jobs, "together.py", env=env, wait=False, name="together") as workers:
        workers.wait("worker/0", "worker/1", until="ended", seconds=90)
        return [own_lines(workers, task) for task in workers.tasks]

print("Starting. The first time takes some seconds.", flush=True)
printed = train_together("DATA")
for index, text in enumerate(printed):
    print(f"worker {index}")
    print(text)

# %% grading="skip"
ends = {text.splitlines()[-1].split("w = ")[1] for text in printed}
same = "yes" if len(ends) == 1 else "no"
compare_prediction("w is equal", equal, same, "All add the same sum to the same beginning.")

# %% [markdown]
# Each worker saw other rows, and both have the same loss and the same `w`.
#
# **Change it:** let `LocalCluster` start three workers. The program needs no change, but what must be true of the global
# batch?
#
# ## 2 Who gets which rows
#
# The **auto-shard policy** decides how a distributed dataset is cut.
#
# | policy | each worker gets |
# | --- | --- |
# | `DATA` | every row is read by all, and each keeps its own part of each batch |
# | `FILE` | whole files; a dataset that reads no files raises an error |
# | `AUTO` (the default) | `FILE` where there are files, else `DATA` |
# | `OFF` | **all** rows |
#
# **Predict:** with `OFF`, how many rows do the two workers process in all? There are 13.

# %% predict="processed"
processed = ...

# %% grading="skip"
printed = train_together("OFF")
for index, text in enumerate(printed):
    print(f"worker {index}")
    print(text)
taken = re.findall(r"rows \[(.*?)\]", "\n".join(printed))
count = sum(len(re.findall(r"\d+", part)) for part in taken)
compare_prediction("rows in all", processed, count, "Each worker has all 13.")

# %% [markdown]
# Nothing fails. Every row counts twice, and each epoch is twice the work. The loss is right only because both workers
# are wrong in the same way.
#
# Now look at the last step under `DATA` again. Thirteen rows make three full batches and a last one with a single row:
# one worker got `[12]`, the other `[]`. It is a step for both: **all workers must make the same number of steps**, or
# the last all-reduce waits for one that has no rows left. And it is why the program divides a *sum*. The mean over
# an empty batch is 0 / 0: one worker's `nan` is in everybody's `w` after the all-reduce. (The program divides by 4 in
# the last step too, though that has one row: so a row of a small batch counts as much as any other. Exercise 1 divides by
# the rows that there are.)
#
# `FILE` makes shares uneven, too: of three files two workers get two and one. When the second worker has used its own,
# it gets empty batches until the first has used both.

# %% grading="skip"
for rows in ([12.0], []):
    print(rows, "mean:", tf.reduce_mean(tf.constant(rows)).numpy(), end=", ")
    print("sum:", tf.reduce_sum(tf.constant(rows)).numpy())

# %% [markdown]
# Where you cut the rows yourself, a `tf.distribute.InputContext` tells a worker its part. `distribute_datasets_from_function`
# gives one to your function, in each process another. You can also make one, to try a function without any cluster:

# %% grading="skip"
context = tf.distribute.InputContext(
    num_input_pipelines=2, input_pipeline_id=1, num_replicas_in_sync=2
)
print("worker", context.input_pipeline_id, "of", context.num_input_pipelines)
print("rows in its batch:", context.get_per_replica_batch_size(4))

# %% [markdown] exercise="batches"
# ### Exercise 1 · Cut the rows
#
# **Write** `local_batches(context, rows, global_batch)`, the input of one worker. It returns a `tf.data.Dataset`.
#
# * Worker i of n takes the rows i, i + n, i + 2n … of `rows`, in this order. {#1}
# * Its batches have `global_batch` / n rows; the last one that has rows may have fewer. {#2}
# * All workers have the same number of batches, as many as all rows make global batches (the last may be smaller).
#   Where a worker has no rows left, its batch is empty. {#3}
#
# **Write** `share(losses, count)`: one worker's part of the mean loss of a step. `losses` are the losses of its own
# rows; `count` is the number of rows of all workers in this step. The shares of all workers add up to the mean over
# all rows {#4}, also if one of them has no rows: its share is 0.0 {#5}.
#
# Example: of the rows `[10, 11, 12, 13, 14]`, with a global batch of 4, worker 1 of 2 gets `[11, 13]` and `[]`.

# %% solution="batches" kind="today"
def local_batches(context, rows, global_batch):
    """The batches of one worker.

    Args:
        context: tf.distribute.InputContext; one input pipeline and one replica in each worker.
        rows: list of int, the rows of all workers, at least one.
        global_batch: int, rows of a step over all workers; a multiple of their number.
    Returns:
        tf.data.Dataset of int tensors of one dimension.
    """
    ### BEGIN SOLUTION
    mine = tf.data.Dataset.from_tensor_slices(rows)
    mine = mine.shard(context.num_input_pipelines, context.input_pipeline_id)
    mine = mine.batch(context.get_per_replica_batch_size(global_batch))
    nothing = tf.data.Dataset.from_tensors(tf.zeros([0], tf.int32)).repeat()
    steps = -(-len(rows) // global_batch)
    return mine.concatenate(nothing).take(steps)
    ### END SOLUTION

def share(losses, count):
    """One worker's part of the mean loss.

    Args:
        losses: list of float, of this worker's rows; may be empty.
        count: int, the rows of all workers in this step, 1 or more.
    Returns:
        float.
    """
    ### BEGIN SOLUTION
    return float(sum(losses)) / count
    ### END SOLUTION

def batches_of(workers, rows, global_batch):
    """Given, for the checks: the batches of all workers, a list for each."""
    found = []
    for index in range(workers):
        context = tf.distribute.InputContext(workers, index, workers)
        dataset = local_batches(context, rows, global_batch)
        found.append([batch.numpy().tolist() for batch in dataset.take(99)])
    return found

# %% try="batches"
try:
    print(batches_of(2, [10, 11, 12, 13, 14], 4))
    print(share([1.0, 2.0], 3) + share([6.0], 3))
except NotImplementedError as error:
    print(error)

# %% check="batches-rows" points=2 title="Even rows"
got = batches_of(2, [5, 6, 7, 8, 9, 10, 11, 12], 4)
told = Told(
    asked="the batches of two workers; rows 5 to 12, a global batch of 4",
    got=got,
    expected="[[5, 7], [9, 11]] and [[6, 8], [10, 12]]",
    reread="section 2, Who gets which rows",
)
flat = [[row for batch in batches for row in batch] for batches in got]
assert flat[0] != flat[1], told("both workers get the same rows")
assert [len(batch) for batch in got[0]][:1] != [4], told("a worker's batch is as large as the global batch")
assert flat[0] != [5, 6, 9, 10], told("pairs are dealt out, not rows")
assert flat[0] != [5, 6, 7, 8], told("the first worker gets the first half of the rows")
assert got == [[[5, 7], [9, 11]], [[6, 8], [10, 12]]], told()

# %% check="batches-share" points=1 title="Shares add up to the mean"
got = [share([1.0, 2.0], 3), share([6.0], 3)]
told = Told(
    asked="share([1.0, 2.0], 3) and share([6.0], 3)",
    got=got,
    expected="1.0 and 2.0: together the mean, 3.0",
    reread="section 2, Who gets which rows",
)
assert got != [1.5, 6.0], told("the mean of a worker's own rows")
assert abs(got[0] - 1.0) < 1e-6 and abs(got[1] - 2.0) < 1e-6, told()
told.asked, told.got, told.expected = "share([1.0, 2.0], 6)", share([1.0, 2.0], 6), 0.5
assert abs(told.got - 0.5) < 1e-6, told("it does not look at count")

# %% hidden="batches-empty" points=1 title="A worker without rows"
count = draw.randrange(1, 50)
try:
    got = share([], count)
except ZeroDivisionError:
    got = "ZeroDivisionError"
told = Told(
    asked=f"share([], {count})",
    got=got,
    expected=0.0,
    reread="section 2, Who gets which rows",
)
assert got != "ZeroDivisionError" and got == got, told("a mean over no rows is 0 / 0")
assert got == 0.0, told()
losses = [draw.randrange(1, 99) / 4 for _ in range(3)]
told.asked, told.got = f"share({losses}, {count}), a worker with three rows", share(losses, count)
told.expected = reference.share(losses, count)
assert told.got > 0, told("0.0, whatever the losses are")
assert abs(told.got - told.expected) < 1e-3, told()

# %% hidden="batches-uneven" points=2 title="Uneven rows, any number of workers"
for workers, few in ((2, True), (3, True), (4, True), (2, False), (3, False), (3, None)):
    batch = draw.randrange(2, 4)
    more = 0 if few else workers + draw.randrange(batch * workers - workers - 1)
    rows = draw.sample(range(1000), 1 if few is None else 2 * batch * workers + more)
    if few is not None:
        rows.append(rows[0])  # the rows of a data set may be alike, and are in no order
    got = batches_of(workers, rows, batch * workers)
    right = reference.batches_of(workers, rows, batch * workers)
    told = Told(
        asked=f"{workers} workers, rows {rows}, a global batch of {batch * workers}",
        got=got,
        expected=right,
        reread="the text of exercise 1",
    )
    steps = {len(batches) for batches in got}
    assert len(steps) == 1, told("the workers make different numbers of steps: the last one would wait")
    assert steps != {2} or len(rows) == 1, told("the last row is left out")
    assert got == right, told()

# %% [markdown]
# ## Sitting 2 · Deaths
#
# ## 3 Who notices a death, and when
#
# In this program a worker says when it comes *in* to an all-reduce and when it goes *out* of it. `LIMIT` bounds each
# wait: `CommunicationOptions` takes it as `timeout_seconds`.

# %% grading="skip"
%%writefile waiting.py
import json
import os
import time

import tensorflow as tf

Options = tf.distribute.experimental.CommunicationOptions
RING = tf.distribute.experimental.CommunicationImplementation.RING
LIMIT = Options(implementation=RING, timeout_seconds=4)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=LIMIT)
me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]

@tf.function
def add_ones():
    def one():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", tf.constant(1.0))

    return strategy.run(one)

# %% grading="skip"
%%writefile -a waiting.py

print(f"start {time.time() % 1e5:.2f}", flush=True)
for number in range(1, 200):
    time.sleep(0.4 if me == 1 else 0.05)  # worker 1 is the slow one
    print(f"step {number} in {time.time() % 1e5:.2f}", flush=True)
    try:
        add_ones()
    except tf.errors.OpError as error:
        print(f"{type(error).__name__} at {time.time() % 1e5:.2f}", flush=True)
        os._exit(1)
    print(f"step {number} out {time.time() % 1e5:.2f}", flush=True)

# %% [markdown]
# `os._exit` ends the process without a tidy end: the strategy's own would wait for the dead worker. Now let it run for
# some steps, and then freeze or kill worker 1.

# %% grading="skip"
import time

def disturb(how):
    """Run waiting.py; after step 4, do `how` ("kill", "freeze") to worker 1. Returns both logs."""
    with LocalCluster({"worker": 2}, "waiting.py", wait=False, name="waiting") as workers:
        deadline = time.monotonic() + 60
        while "step 4 out" not in workers.printed("worker/0"):
            assert time.monotonic() < deadline, workers.log("worker/0")[-800:]
            time.sleep(0.05)
        getattr(workers, how)("worker/1")
        workers.wait("worker/0", until="ended", seconds=60)
        return [own_lines(workers, task) for task in workers.tasks]

# %% [markdown]
# **Predict:** worker 1 is frozen: alive, but not computing. Which limit ends worker 0's wait: after how many seconds?

# %% predict="patience"
patience = ...

# %% grading="skip"
logs = disturb("freeze" if os.name != "nt" else "kill")
for index, text in enumerate(logs):
    print(f"worker {index}")
    print(text)

# %% grading="skip"
times = re.findall(r"[\d.]+$", logs[0], re.MULTILINE)
waited = (float(times[-1]) - float(times[-2])) % 1000
compare_prediction("seconds", patience, round(waited, 1), "The limit of the all-reduce is 4 s.")

# %% [markdown]
# The same as a picture, each worker over time:

# %% grading="skip"
draw_processes({f"worker/{index}": text for index, text in enumerate(logs)})

# %% [markdown]
# The worker that is in trouble prints nothing. The *healthy* one has the error. The last lines say more than the
# error does: worker 0 came in to a step to which worker 1 never came.
#
# Look also at the steps before. Worker 1 was late in each of them, and worker 0 waited without a word. Without a limit a
# worker that lives and does not come, since it waits for a disk perhaps, keeps all the others as long as it likes. That
# is how a job stands still at night.
#
# Now a kill. The machine lives on and closes the dead process's connections. Does worker 0 notice sooner?

# %% grading="skip"
killed = disturb("kill")
for index, text in enumerate(killed):
    print(f"worker {index}")
    print("\n".join(text.splitlines()[-3:]))

# %% [markdown]
# | what happens to a worker | the other sees |
# | --- | --- |
# | it is killed, its machine lives | an error: at once where a connection closes, at the latest after the limit |
# | it is frozen | `DeadlineExceededError` after the limit |
# | it is late | it waits, up to the limit |
# | it ends one step early | as if killed |
# | it brings another shape | `InvalidArgumentError` at once, but not in every worker |
#
# After such an error the strategy is of no more use, in *any* of the processes: end them all, and start them again from
# a checkpoint (section 4).
#
# The logs tell one thing more. In the first four steps worker 1 was slow, and the time between *in* and *out* was
# long in worker **0**. The one who does *not* wait is the **straggler**, for whom all the others wait.

# %% [markdown] exercise="blame"
# ### Exercise 2 · Who is to blame
#
# **Write** `blame(logs)`. `logs` has the text that each worker printed. It returns a list of `[step, worker, seconds]`,
# one for each step that any worker came in to, by number. {#1}
#
# * `worker` is the index of the worker that came in last {#2}; no two come at the same time.
# * `seconds` is what it cost: the sum, over the others, of the time from their coming in to that of the last. {#3}
# * If some worker never came in to the step, `worker` is the index of the first such worker, and `seconds` is
#   `None`. {#4}
# * Lines that are not of the form `step 3 in 17.25` are skipped. {#5} For each step a log has at most one that is.
#
# Example: `blame(["step 1 in 5.00\nstep 1 out 5.75\nstep 2 in 6.00", "step 1 in 5.50\nstep 1 out 5.75"])` returns
# `[[1, 1, 0.5], [2, 1, None]]`.

# %% solution="blame" kind="log"
import re

def blame(logs):
    """Find for each step the worker for whom the others waited.

    Args:
        logs: list of str, what each worker printed; all have one clock, in seconds.
    Returns:
        list of [step, worker, seconds]: [int, int, float or None].
    """
    ### BEGIN SOLUTION
    came = []
    for text in logs:
        lines = re.findall(r"^step (\d+) in ([\d.]+)$", text, re.MULTILINE)
        came.append({int(number): float(seconds) for number, seconds in lines})
    found = []
    for number in sorted(set().union(*came)):
        absent = [worker for worker, mine in enumerate(came) if number not in mine]
        if absent:
            found.append([number, absent[0], None])
            continue
        moments = [mine[number] for mine in came]
        last = max(moments)
        found.append([number, moments.index(last), sum(last - moment for moment in moments)])
    return found
    ### END SOLUTION

# %% try="blame"
try:
    first = "step 1 in 5.00\nstep 1 out 5.75\nstep 2 in 6.00"
    second = "step 1 in 5.50\nstep 1 out 5.75"
    print(blame([first, second]))
except NotImplementedError as error:
    print(error)

# %% check="blame-last" points=2 title="Who comes last, and what it costs"
logs = [f"step 1 in {came}\nstep 1 out 4.0" for came in (2.0, 4.0, 3.5)]
got = blame(logs)
told = Told(
    asked="step 1; three workers come in at 2.0, 4.0 and 3.5 s",
    got=got,
    expected="[[1, 1, 2.5]]",
    reread="section 3, Who notices a death, and when",
)
assert len(got) == 1 and len(got[0]) == 3, told("there is one step, with three entries")
number, worker, seconds = got[0]
assert worker != 0, told("worker 0 waits longest: it is the one that came first")
assert worker == 1, told()
assert seconds != 2.0, told("only one of the two that wait is counted")
assert [number, seconds] == [1, 2.5], told()

# %% check="blame-absent" points=1 title="A worker that never came"
got = blame(["step 1 in 1.0\nstep 1 out 2.0\nstep 2 in 3.0", "step 1 in 2.0\nstep 1 out 2.0"])
told = Told(
    asked="worker 0 comes in to steps 1 and 2, worker 1 only to step 1",
    got=got[1:],
    expected="for step 2: [2, 1, None]",
    reread="section 3, Who notices a death, and when",
)
assert len(got) == 2, told("the step to which not all came is missing")
assert got[1][1] != 0, told("worker 0 came; it is worker 1 that did not")
assert list(got[1]) == [2, 1, None], told()

# %% hidden="blame-drawn" points=2 title="Many steps, any log"
workers = draw.randrange(3, 6)
logs = ["" for _ in range(workers)]
early, nobody = draw.sample(range(3, 12), 2)  # workers 0 and 1 miss the one step, all the other
for number in range(1, 13):
    moments = draw.sample(range(400 * number, 400 * number + 300), workers)
    for worker, moment in enumerate(moments):
        if number != nobody and (number != early or worker > 1):
            logs[worker] += f"step {number} in {moment / 4}\n"
        else:
            logs[worker] += f"step {number} in {moment / 4} or later\n"
        logs[worker] += f"last step {number} in {100 * number}.5\n"
        logs[worker] += f"step {number} out {100 * number + 75}.5\n"
logs = [text + "step 13 in 1400.0\nUnavailableError at 1404.0\n" for text in logs]
absent = draw.randrange(1, workers)
logs[absent] = logs[absent].replace("step 13 in 1400.0\n", "")
got, right = blame(logs), reference.blame(logs)
told = Told(
    asked=f"{workers} workers; lines of other forms, too; nobody comes in to step {nobody}, workers 0 and 1 "
    f"not to step {early}, worker {absent} not to step 13",
    got=got,
    expected=right,
    reread="the text of exercise 2",
)
steps = [row[0] for row in got]
assert steps != sorted(steps, key=str), told("the steps are ordered as text: 10 before 2")
assert steps == sorted(steps), told("the steps are not in the order of their numbers")
assert nobody not in steps, told(f"in the logs there is no line of the form of the text with step {nobody}")
absentees = [row[1] for row in got if row[0] == early]
assert absentees != [1], told("two workers never came in: the first of them is asked for")
assert [list(row[:2]) for row in got] == [row[:2] for row in right], told()
close = [a[2] is None if b[2] is None else abs(a[2] - b[2]) < 1e-6 for a, b in zip(got, right)]
assert all(close), told("the workers are right, the seconds are not")

# %% [markdown]
# ## 4 A checkpoint with its place in the data
#
# A process that died starts anew, and so does its program. What it must know is in a checkpoint: the variables, the
# optimizer's state, the number of steps, **and how far the data was read**. An iterator of a plain `tf.data.Dataset`
# can be saved like a variable:

# %% grading="skip"
import tempfile

folder = tempfile.mkdtemp()
rows = iter(tf.data.Dataset.range(100))
steps = tf.Variable(0)
checkpoint = tf.train.Checkpoint(steps=steps, rows=rows)
manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
for _ in range(3):
    print("row", next(rows).numpy())
    steps.assign_add(1)
saved = manager.save()
print("row", next(rows).numpy())

# %% [markdown]
# That was row 3, after the save. A restart begins with new objects.
#
# **Predict:** which row comes next after `restore`?

# %% predict="next_row"
next_row = ...

# %% grading="skip"
rows = iter(tf.data.Dataset.range(100))
steps = tf.Variable(0)
checkpoint = tf.train.Checkpoint(steps=steps, rows=rows)
manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
checkpoint.restore(manager.latest_checkpoint)
came = int(next(rows))
print("steps:", steps.numpy())
compare_prediction("next row", next_row, came, "The last step is made again.")

# %% [markdown]
# Without `rows=rows` the model would go on at step 3 and the data at row 0: the odd loss of the morning. Nothing says
# so; a restart *looks* fine.
#
# Two things to know before you do this in a strategy:
#
# * The iterator of a *distributed* dataset cannot be saved. Cut the rows yourself (exercise 1), and save `iter(...)` of
#   each worker's plain dataset.
# * The workers' checkpoints must be of the **same step**: after a restart they add up their gradients again, and a
#   worker that is a step ahead would have another model than the rest.

# %% [markdown]
# ### Who saves, and where
#
# A variable of a strategy is the same in all workers, so it would be enough if the **chief**, worker 0, saved. But a
# strategy also has variables with `synchronization=ON_READ`: each worker adds to its own part without a word to the
# others, and the parts are added up when somebody *reads* the variable. Counts and metrics are often such. The next program
# has one, `seen`.

# %% grading="skip"
%%writefile who_saves.py
import json
import os
import time

import tensorflow as tf

Options = tf.distribute.experimental.CommunicationOptions
RING = tf.distribute.experimental.CommunicationImplementation.RING
LIMIT = Options(implementation=RING, timeout_seconds=4)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=LIMIT)
me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]

with strategy.scope():
    seen = tf.Variable(
        0,
        trainable=False,
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM,
    )

# %% [markdown]
# Worker 0 has seen 2 rows, worker 1 has seen 3. Worker 0 saves. `OTHERS` says what worker 1 does: it may `save` too,
# under another name, or `wait` until the chief's file is there.

# %% grading="skip"
%%writefile -a who_saves.py

@tf.function
def count_rows():
    seen.assign_add(me + 2)

strategy.run(count_rows)
newest = os.environ["FOLDER"] + f"/{me}/newest"
chief_saved = os.environ["FOLDER"] + "/0/newest.index"
checkpoint = tf.train.Checkpoint(seen=seen)
others = os.environ["OTHERS"]
try:
    if me == 0 or others == "save":
        print(f"start saving at {time.time() % 1e5:.2f}", flush=True)
        checkpoint.write(newest)
    while others == "wait" and not os.path.exists(chief_saved):
        time.sleep(0.1)
    if others == "go on":
        strategy.reduce("SUM", tf.constant(1.0), axis=None)
    print(f"step over at {time.time() % 1e5:.2f}, seen = {seen.numpy()}", flush=True)
    time.sleep(0.5)
except tf.errors.OpError as error:
    print(f"{type(error).__name__} at {time.time() % 1e5:.2f}", flush=True)
os._exit(0)

# %% grading="skip"
def save_in_two(others):
    """Run who_saves.py; returns what each worker printed until worker 0 ended."""
    jobs, env = {"worker": 2}, {"OTHERS": others, "FOLDER": tempfile.mkdtemp()}
    with LocalCluster(jobs, "who_saves.py", env=env, wait=False, name="saving") as workers:
        workers.wait("worker/0", until="ended", seconds=60)
        return [own_lines(workers, task) for task in workers.tasks]

# %% [markdown]
# **Predict:** worker 1 waits for the chief's file. How many seconds does the chief take to save: 0, 4, or does it never
# end? (The limit of an all-reduce is 4 s.)

# %% predict="saving"
saving = ...

# %% grading="skip"
alone = save_in_two("wait")
print(alone[0])
moments = [float(text) for text in re.findall(r"at ([\d.]+)", alone[0])]
took = round((moments[-1] - moments[0]) % 1e5)
compare_prediction("seconds", saving, took, "To save is to read, and to read is an all-reduce.")
print()
for index, text in enumerate(save_in_two("save")):
    print(f"worker {index}")
    print(text)

# %% [markdown]
# The chief waits in an all-reduce for worker 1, and worker 1 waits for the chief's file. Without a limit both stand still for
# ever, and everything *looks* like a slow disk. So:
#
# * **All workers call** `write` or `save`, at the same step, whoever needs the files.
# * Each under a **name of its own**. Only the chief's is kept; the others write into a temporary folder and delete it.
# * Only what is a worker's own, such as its place in the data, is kept for each.
#
# **Change it:** let `OTHERS` be `"go on"`: worker 1 goes on to its next all-reduce while the chief saves. What do both say
# now, and how soon?

# %% [markdown] exercise="resume"
# ### Exercise 3 · Go on at the very row
#
# **Write** `train(rows, every, until, folder)`, the life of one process. A step takes the next row r and sets w to
# w / 2 + r; w is 0.0 before the first step. {#1}
#
# * It begins where the newest checkpoint in `folder` left off, with its w, its count of steps and its place in
#   `rows`; without one, it begins at the beginning. {#2}
# * It ends when the count of steps, over all lives, is `until`. {#3}
# * It saves after each step whose count is a multiple of `every`, and at no other time. {#4} (So a later life makes the
#   steps since then again, as after a real death.)
# * It returns `[used, w]`: the rows that it took in **this** life, and w at the end. {#5}
#
# Example: with rows 1.0, 2.0, 3.0 …, `every=2`, and an empty folder, `train` until 3 returns `[[1.0, 2.0, 3.0], 4.25]`.
# Until 4, in the same folder, it then returns `[[3.0, 4.0], 6.125]`.

# %% solution="resume" kind="today"
def train(rows, every, until, folder):
    """One life of a training process.

    Args:
        rows: list of float, at least `until` of them.
        every: int, steps from one checkpoint to the next.
        until: int, the count of steps at which to end; not less than the count saved in `folder`.
        folder: str, a folder for checkpoints; it exists.
    Returns:
        [used, w]: [list of float, float].
    """
    ### BEGIN SOLUTION
    w, count = tf.Variable(0.0), tf.Variable(0)
    place = iter(tf.data.Dataset.from_tensor_slices(rows))
    checkpoint = tf.train.Checkpoint(w=w, count=count, place=place)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    used = []
    while int(count) < until:
        row = next(place)
        used.append(float(row))
        w.assign(w / 2 + row)
        count.assign_add(1)
        if int(count) % every == 0:
            manager.save(checkpoint_number=int(count))
    return [used, float(w)]
    ### END SOLUTION

def lives(rows, every, untils):
    """Given, for the checks: one life after the other; what each returned.

    Before each, another job runs at the same path, and this one from the beginning; then the
    folder holds again what it held. Each has a list of its own: nothing stays in it.
    """
    came = []
    with empty_folder("lives") as folder:
        for until in untils:
            between_lives(folder, lambda: train([100.0, 200.0], 1, 1, folder))
            between_lives(folder, lambda until=until: train(list(rows), every, until, folder))
            came.append(train(list(rows), every, until, folder))
    return came

# %% try="resume"
try:
    print(lives([1.0, 2.0, 3.0, 4.0, 5.0], 2, [3, 4]))
except NotImplementedError as error:
    print(error)

# %% check="resume-one" points=1 title="One life"
got = lives([4.0, 2.0, 6.0, 1.0], 5, [3])
told = Told(
    asked="three steps with the rows 4.0, 2.0, 6.0, in an empty folder",
    got=got,
    expected="[[[4.0, 2.0, 6.0], 8.0]]",
    reread="the text of exercise 3",
)
assert got[0][0][:1] != [2.0] or got[0][1] < 10, told(
    "it goes on where another job was that had this path: only what the folder holds counts"
)
assert list(got[0][0]) == [4.0, 2.0, 6.0], told("the rows used are not the first three")
assert got[0][1] != 12.0, told("w is the sum of the rows: half of w is taken before a row is added")
assert got[0][1] == 8.0, told()

# %% check="resume-two" points=2 title="Two lives"
got = lives([4.0, 2.0, 6.0, 1.0, 8.0, 3.0, 9.0], 2, [4, 6])
told = Told(
    asked="a checkpoint every 2 steps; a life until step 4, another until step 6; rows 4, 2, 6, 1, 8, 3, 9",
    got=[used for used, _ in got],
    expected="the second life takes 8.0 and 3.0",
    reread="section 4, A checkpoint with its place in the data",
)
used, w = got[1]
used = list(used)
assert used[:2] != [2.0, 6.0], told(
    "the second life goes on where another job was that had this path: only what the folder holds counts"
)
assert used, told(
    "the second life takes no row: it remembers another life, and only what the folder holds counts"
)
assert used != [4.0, 2.0], told("the count goes on, the data begins anew")
assert used != [4.0, 2.0, 6.0, 1.0, 8.0, 3.0], told(
    "the second life begins at the beginning, or tells the rows of both"
)
assert used[:2] == [8.0, 3.0] or len(used) != 6, told("the steps of this life alone are counted")
assert used == [8.0, 3.0], told()
told.got, told.expected = f"w = {w}", "w = 8.25"
assert w != 7.0, told("w begins at 0.0 in the second life")
assert w == 8.25, told()

# %% hidden="resume-lost" points=3 title="Lives that end between two checkpoints"
for every in (3, 4):
    rows = [float(row) for row in draw.sample(range(1, 200), 16)]
    untils = [every - 1, 2 * every - 1, 3 * every - 2, 3 * every + 1]
    got, right = lives(rows, every, untils), reference.lives(rows, every, untils)
    told = Told(
        asked=f"a checkpoint every {every} steps, lives until steps {untils}; rows {rows}",
        got=got,
        expected=right,
        reread="the text of exercise 3",
    )
    unsaved = untils[0]
    assert list(got[1][0][:1]) != rows[unsaved : unsaved + 1], told(
        f"the first life ended at step {unsaved}, before any checkpoint was due; yet the second goes on there"
    )
    assert [list(used) for used, _ in got] == [used for used, _ in right], told()
    assert [w for _, w in got] == [w for _, w in right], told("the rows are right, w is not")

# %% [markdown]
# ## 5 Preemption: a death with notice
#
# Cheap machines are taken away, but mostly with a notice: the process gets the signal **SIGTERM** and has some seconds
# left. `PreemptionCheckpointHandler` uses them. Your step runs inside its `run`. When any one worker gets the signal, all
# workers finish the same step, save, and exit with code **42**, which tells whoever started them: start me again.

# %% grading="skip"
%%writefile preempted.py
import json
import os
import time

import tensorflow as tf

Options = tf.distribute.experimental.CommunicationOptions
RING = tf.distribute.experimental.CommunicationImplementation.RING
LIMIT = Options(implementation=RING, timeout_seconds=10)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=LIMIT)
me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
with strategy.scope():
    w = tf.Variable(0.0)
    count = tf.Variable(0)

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
checkpoint = tf.train.Checkpoint(w=w, count=count)
Handler = tf.distribute.experimental.PreemptionCheckpointHandler
handler = Handler(resolver, checkpoint, os.environ["FOLDER"])

# %% [markdown]
# Making the handler restores the newest checkpoint, if there is one: the same file for **all** workers. So no worker's own
# iterator may be in it: each would go on at worker 0's place, and take a row that is worker 0's. But all have made the same number of steps, so
# `count` *is* the place in the data:

# %% grading="skip"
%%writefile -a preempted.py

rows = tf.data.Dataset.range(1000).shard(2, me).skip(int(count.numpy()))

@tf.function
def step(row):
    def add():
        context = tf.distribute.get_replica_context()
        mean = context.all_reduce("MEAN", tf.cast(row, tf.float32))
        w.assign(w / 2 + mean)
        count.assign_add(1)

    strategy.run(add)

for row in rows.take(20 - int(count.numpy())):
    handler.run(step, row)
    now = count.numpy()
    print(f"step {now} row {row.numpy()}, w = {w.numpy():.3f}", flush=True)
    time.sleep(0.1)

# %% [markdown]
# **Predict:** only worker 1 gets the signal. How many of the two processes end?

# %% predict="ended"
ended = ...

# %% grading="skip"
import signal

def wait_for(true, workers):
    """Wait until `true()` is true (a minute); else show what the first task wrote last."""
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, workers.log(workers.tasks[0])[-800:]
        time.sleep(0.05)

def over(workers):
    """Whether all workers have ended, or were killed."""
    return all(state.startswith(("ended", "killed")) for state in workers.alive().values())

# %% grading="skip"
def preempt():
    """Send SIGTERM to worker 1 after step 5, and start both again when they have ended.

    Returns what each printed, and {worker: its state between the two lives}.
    """
    jobs, env = {"worker": 2}, {"FOLDER": tempfile.mkdtemp()}
    with LocalCluster(jobs, "preempted.py", env=env, wait=False, name="preempted") as workers:
        wait_for(lambda: "step 5 " in workers.printed("worker/0"), workers)
        os.kill(workers.process_id("worker/1"), signal.SIGTERM)
        wait_for(lambda: over(workers), workers)
        states = workers.alive()
        workers.start(*workers.tasks, wait=False)
        workers.wait(*workers.tasks, until="ended", seconds=60)
        return [own_lines(workers, task) for task in workers.tasks], states

# %% grading="skip"
lives_seen, states = preempt()
for index, text in enumerate(lives_seen):
    print(f"worker {index}, after the signal: {states[f'worker/{index}']}")
    print(text)
compare_prediction("processes that end", ended, len(states), "All save the same step, and exit.")

# %% [markdown]
# Read one worker's lines from top to bottom: the steps have no gap and none comes twice, though the process is another one
# in the middle. (Windows has no such signal: there `os.kill` is a kill, and the second life begins at step 1.)
#
# Why must all stop *after the same step*? If one left alone, the others would wait for it in the next all-reduce. So
# the workers have to agree, and agreeing is itself an all-reduce: "has anybody been told?" In exercise 4 you write that
# loop without the handler. Its workers are threads here, so that you see at once when one waits for ever, and `agree` is
# where they meet ("Meeting" among the helpers).

# %% [markdown] exercise="preempt"
# ### Exercise 4 · Stop together
#
# **Write** `worker(rows, until, told, agree, folder)`, one life of one worker. `rows` are its own rows. A step takes the next
# row r and sets w to w / 2 + r; w is 0.0 before the first step. {#1}
#
# * It begins where the checkpoint in `folder` left off, with w and its place in `rows`; without one, it begins at the
#   beginning. {#2}
# * After **each** step, also the last, it calls `agree(told())` once {#3}: `told()` says whether this worker has got
#   SIGTERM, and `agree` whether any worker has. It waits until all workers have called it.
# * If `agree` says so, and there are steps left, it saves and returns. {#4} At no other time does it save. {#5}
# * It ends when the count of steps, over all lives, is `until`.
# * It returns `[used, w, code]`: the rows of **this** life, w at its end, and the exit code: 42 if there are steps left,
#   else 0. {#6}
#
# Example: two workers, four steps; in the first life worker 1 gets SIGTERM in step 3. The rows of worker 0 are 4.0, 2.0,
# 6.0, 1.0. Then worker 0 returns `[[4.0, 2.0, 6.0], 8.0, 42]`, and in the second life `[[1.0], 5.0, 0]`.

# %% solution="preempt" kind="today"
def worker(rows, until, told, agree, folder):
    """One life of a worker that may be preempted.

    Args:
        rows: list of float, at least `until` of them.
        until: int, 1 or more.
        told: function without arguments; True when this worker has got SIGTERM.
        agree: function of a bool; True when any worker brought True. It waits for all workers.
        folder: str, this worker's own folder for its checkpoints; it exists.
    Returns:
        [used, w, code]: [list of float, float, int].
    """
    ### BEGIN SOLUTION
    w, count = tf.Variable(0.0), tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, count=count)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
    checkpoint.restore(manager.latest_checkpoint)
    used = []
    while int(count) < until:
        row = rows[int(count)]
        used.append(row)
        w.assign(w / 2 + row)
        count.assign_add(1)
        if agree(told()) and int(count) < until:
            manager.save()
            return [used, float(w), 42]
    return [used, float(w), 0]
    ### END SOLUTION

def lives_of(rows, until, signals):
    """Given, for the checks: what the workers returned in each life, who has a checkpoint, calls of agree."""
    return some_lives(worker, rows, until, signals)

# %% try="preempt"
try:
    both = [[4.0, 2.0, 6.0, 1.0], [0.0, 8.0, 2.0, 2.0]]
    print(lives_of(both, 4, [[[1, 3]], []]))
except NotImplementedError as error:
    print(error)

# %% check="preempt-together" points=2 title="One is told, all stop"
both = [[4.0, 2.0, 6.0, 1.0, 3.0], [0.0, 8.0, 2.0, 2.0, 5.0]]
lives, saved, _ = lives_of(both, 5, [[[1, 3]]])
told = Told(
    asked="two workers, five steps; worker 1 gets SIGTERM in step 3",
    got=lives[0],
    expected="[[4.0, 2.0, 6.0], 8.0, 42], [[0.0, 8.0, 2.0], 6.0, 42]",
    reread="section 5, Preemption: a death with notice",
)
waiting = [len(came) == 1 for came in lives[0]]
assert waiting != [True, False], told("the worker that was told ends alone: the other waits in agree")
assert not any(waiting), told("the workers do not call agree equally often")
first, second = [list(came) for came in lives[0]]
assert first[0][:1] != [2.0] or first[1] < 10, told(
    "it goes on where another job was that had this path: only what the folder holds counts"
)
assert [first[1], second[1]] != [12.0, 10.0], told("w is the sum of the rows")
assert len(first[0]) != 5, told("nobody stops")
assert [first[:2], second[:2]] == [[[4.0, 2.0, 6.0], 8.0], [[0.0, 8.0, 2.0], 6.0]], told()
assert [first[2], second[2]] == [42, 42], told("the code says whether there are steps left: 42")
told.got, told.expected = f"checkpoints of the two workers: {saved}", "each has one"
assert saved != [False, True], told("only the worker that was told has saved")
assert list(saved) == [True, True], told()

# %% check="preempt-again" points=1 title="The second life goes on at the very step"
both = [[4.0, 2.0, 6.0, 1.0, 3.0], [0.0, 8.0, 2.0, 2.0, 5.0]]
lives, _, _ = lives_of(both, 5, [[[0, 2]], []])
told = Told(
    asked="two workers, five steps; worker 0 gets SIGTERM in step 2; then a second life",
    got=lives[1],
    expected="rows 6.0, 1.0, 3.0 and 2.0, 2.0, 5.0",
    reread="section 5, Preemption: a death with notice",
)
used = [list(came[0]) for came in lives[1]]
assert used[0] != [2.0, 6.0, 1.0, 3.0] or lives[1][0][1] < 10, told(
    "the second life goes on where another job was that had this path: only what the folder holds counts"
)
assert used[0] != [4.0, 2.0, 6.0, 1.0, 3.0], told("the second life begins at the beginning")
assert used[0] != [4.0, 2.0, 6.0], told("the count goes on, the data begins anew")
assert used[0] != [2.0, 6.0, 1.0, 3.0], told("the step in which the signal came is made twice")
assert used[0] != [1.0, 3.0], told("a step is lost: its row is taken and it is not made")
assert used == [[6.0, 1.0, 3.0], [2.0, 2.0, 5.0]], told()
told.got, told.expected = [came[1] for came in lives[1]], "w is 5.5 and 7.5"
assert lives[1][0][1] != 5.0, told("w begins at 0.0 in the second life")
assert [came[1] for came in lives[1]] == [5.5, 7.5], told()

# %% hidden="preempt-drawn" points=2 title="Three workers, several signals"
until = draw.randrange(8, 12)
rows = [[float(row) for row in draw.sample(range(1, 200), until)] for _ in range(3)]
signals = [[[2, 2]], [[0, 3], [1, 2]], [], []]  # the third life ends, and the fourth makes its steps again
got, right = lives_of(rows, until, signals)[0], reference.lives_of(rows, until, signals)[0]
told = Told(
    asked=f"three workers, {until} steps, signals [worker, step of the life]: {signals}; rows {rows}",
    got=got,
    expected=right,
    reread="the text of exercise 4",
)
assert all(len(came) == 3 for life in got for came in life), told("a worker waits in agree for ever")
used = [[list(came[0]) for came in life] for life in got]
assert any(used[2]) <= any(used[3]), told("the third life ended without SIGTERM, and it saved")
assert used == [[came[0] for came in life] for life in right], told()
assert [[came[2] for came in life] for life in got] == [[came[2] for came in life] for life in right], told(
    "the rows are right, the codes are not"
)
assert [[came[1] for came in life] for life in got] == [[came[1] for came in life] for life in right], told(
    "the rows are right, w is not"
)

# %% hidden="preempt-end" points=1 title="Nobody is told, or in the last step"
until = draw.randrange(2, 6)
rows = [[float(row) for row in draw.sample(range(1, 200), until)] for _ in range(2)]
lives, saved, agreed = lives_of(rows, until, [[]])
told = Told(
    asked=f"two workers, {until} steps, no signal",
    got=f"checkpoints: {saved}",
    expected="no checkpoint",
    reread="the text of exercise 4",
)
assert not any(saved), told("it saves though nobody was told")
told.got, told.expected = f"calls of agree: {agreed[0]}", f"{until} of each"
assert agreed[0] != [until - 1] * 2, told("agree is not called after the last step")
assert agreed[0] == [until] * 2, told()
told.got, told.expected = lives[0], f"rows {rows}, and what w is after them"
assert [list(came[0]) for came in lives[0]] == rows, told()
ends = [sum(row / 2 ** (until - step) for step, row in enumerate(mine, 1)) for mine in rows]
close = [abs(came[1] - end) < 1e-3 for came, end in zip(lives[0], ends)]
assert all(close), told("the rows are right, w is not")
lives, saved, _ = lives_of(rows, until, [[[0, until]]])
told.asked = f"two workers, {until} steps, SIGTERM in the last one"
told.got, told.expected = [came[2:] for came in lives[0]], "the code 0, twice"
codes = [came[2] if len(came) == 3 else None for came in lives[0]]
assert codes != [42, 42], told("no step is left, so it is done")
assert codes == [0, 0], told()
told.got, told.expected = f"checkpoints: {saved}", "no checkpoint"
assert not any(saved), told("no step is left, and yet it saves")

# %% [markdown]
# ### A board of your own
#
# Here are three workers for you to disturb. They take half a second for a step, save every fifth step, and have a limit of
# four seconds. The chief saves alone, which is enough where the others have nothing of their own to save.

# %% grading="skip"
%%writefile watched.py
import json
import os
import time

import tensorflow as tf

Options = tf.distribute.experimental.CommunicationOptions
RING = tf.distribute.experimental.CommunicationImplementation.RING
LIMIT = Options(implementation=RING, timeout_seconds=4)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=LIMIT)
me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
count = tf.Variable(0)
checkpoint = tf.train.Checkpoint(count=count)
saved = os.environ["FOLDER"] + "/newest"
if os.path.exists(saved + ".index"):
    checkpoint.read(saved)
print(f"start {time.time():.2f}", flush=True)

# %% grading="skip"
%%writefile -a watched.py

@tf.function
def add_ones():
    def one():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", tf.constant(1.0))

    return strategy.run(one)

while True:
    number = int(count.assign_add(1))
    time.sleep(0.3 + 0.1 * me)
    print(f"step {number} in {time.time():.2f}", flush=True)
    try:
        add_ones()
    except tf.errors.OpError as error:
        print(f"{type(error).__name__} at {time.time():.2f}", flush=True)
        os._exit(1)
    print(f"step {number} out {time.time():.2f}", flush=True)
    if me == 0 and number % 5 == 0:
        checkpoint.write(saved)

# %% [markdown]
# Freeze a worker for two seconds and thaw it; freeze one for longer than the limit; kill one. What do the other two do each time,
# and at which step do all go on when you press "start all again"? There is no hurry; "end all" when you have seen
# enough. (Windows cannot freeze.)
#
# <details><summary>Picture for reading without a kernel</summary>
#
# ![Three workers over time. High bars are steps, low hatched bars are waits, which are longest in worker/0, the fastest. worker/1 is frozen and thawed again: the other two wait so long. Then it is killed, the other two end with an error, and all three start again at step 6.](assets/11_widget.svg)
#
# </details>

# %% grading="skip"
board_env = {"FOLDER": tempfile.mkdtemp()}
watched = LocalCluster({"worker": 3}, "watched.py", env=board_env, wait=False, name="watched")
process_board(watched)

# %% [markdown]
# ## Sitting 3 · A coordinator, and Keras
#
# ## 6 The coordinator: at least once
#
# Here the workers do not wait for each other. One process, the **coordinator**, hands out the steps: `schedule` puts a
# **closure** (a function with its arguments) into a queue, any free worker takes it, and `join` waits until all are done. The
# variables are on parameter servers (ps), as in lesson 07.
#
# All tasks run this one program; workers and ps only serve. `variable_partitioner` cuts a large variable, here `table`,
# into **shards** along its first axis, one on each ps.

# %% grading="skip"
%%writefile coordinate.py
import json
import os

import tensorflow as tf

config = json.loads(os.environ["TF_CONFIG"])
job, index = config["task"]["type"], config["task"]["index"]
if job != "chief":
    tf.distribute.Server(config["cluster"], job, index).join()

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
two = tf.distribute.experimental.partitioners.FixedShardsPartitioner(2)
strategy = tf.distribute.ParameterServerStrategy(resolver, variable_partitioner=two)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    total = tf.Variable(0)
    table = tf.Variable(tf.zeros([12, 3]))
for part in table.variables:
    print("rows", part.shape[0], "of table:", part.device, flush=True)

# %% [markdown]
# There are twelve closures, for the numbers 1 to 12. Each adds its number to `total`, says so in its worker's log,
# computes for a while, and returns the number.

# %% grading="skip"
%%writefile -a coordinate.py

@tf.function
def work(number):
    total.assign_add(number)
    tf.print("added", number, "and the total is", total)
    matrix = tf.eye(200)
    for _ in tf.range(2000):
        matrix = matrix @ matrix
    return number + tf.cast(matrix[0, 1], tf.int32)

results = [coordinator.schedule(work, args=(tf.constant(n),)) for n in range(1, 13)]
try:
    coordinator.join()
    returned = sum(result.fetch() for result in results)
    print(f"step joined: total {total.numpy()}, sum of the returned {returned}")
except tf.errors.OpError as error:
    print(f"{type(error).__name__} in join")
os._exit(0)

# %% grading="skip"
def coordinate(victim):
    """Run coordinate.py; kill `victim` while closures run. Returns what the coordinator says."""
    jobs = {"chief": 1, "worker": 2, "ps": 2}
    with LocalCluster(jobs, "coordinate.py", wait=False, name="coordinate") as tasks:
        wait_for(lambda: "added" in tasks.log("worker/0"), tasks)
        tasks.kill(victim)
        tasks.wait("chief/0", until="ended", seconds=60)
        return own_lines(tasks, "chief/0")

# %% [markdown]
# **Predict:** worker 0 is killed in the middle. Is `total` at last less than 78 (1 + 2 + … + 12), 78, or more: "less",
# "equal" or "more"?

# %% predict="sum_after_death"
sum_after_death = ...

# %% grading="skip"
said = coordinate("worker/0")
print(said)
total_seen = int(re.search(r"total (\d+)", said)[1])
seen = "equal" if total_seen == 78 else "more" if total_seen > 78 else "less"
compare_prediction("total", sum_after_death, seen, "A lost closure ran again, from the start.")

# %% [markdown]
# Nobody had to restart anything: the coordinator gave the lost closure to the other worker. But that closure had already
# added its number, and added it **again**. A closure runs **at least once**. What it *returns* counts once, what it does
# to variables may count twice. For a gradient step that is one gradient too many, which training mostly forgives; for a
# count of rows or of money it is an error.
#
# The workers hold nothing that is needed. The parameter servers do:

# %% grading="skip"
print(coordinate("ps/0"))

# %% [markdown]
# A lost ps takes its variables with it: the coordinator's `join` raises, and all must be started again from a
# checkpoint. The new cluster need not have as many ps as the old one. This program has one shard of `table` for each ps. It saves the
# table, or restores it if it was saved before.

# %% grading="skip"
%%writefile reshard.py
import json
import os

import tensorflow as tf

config = json.loads(os.environ["TF_CONFIG"])
job, index = config["task"]["type"], config["task"]["index"]
if job != "chief":
    tf.distribute.Server(config["cluster"], job, index).join()

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
count = len(config["cluster"]["ps"])
cut = tf.distribute.experimental.partitioners.FixedShardsPartitioner(count)
strategy = tf.distribute.ParameterServerStrategy(resolver, variable_partitioner=cut)
with strategy.scope():
    table = tf.Variable(tf.zeros([12, 3]))

checkpoint = tf.train.Checkpoint(table=table)
saved = os.environ["FOLDER"] + "/table"
if os.path.exists(saved + ".index"):
    checkpoint.read(saved)
else:
    table.assign(tf.reshape(tf.range(36.0), [12, 3]))
    checkpoint.write(saved)

# %% grading="skip"
%%writefile -a reshard.py

for part in table.variables:
    size, first = part.shape[0], part.numpy()[0].tolist()
    print(f"rows {size} on {part.device[5:-13]}, the first is {first}", flush=True)
os._exit(0)

# %% grading="skip"
def reshard(counts):
    """Save the table, then restore it, in clusters of so many ps; what each chief printed."""
    env = {"FOLDER": tempfile.mkdtemp()}
    printed = []
    for count in counts:
        jobs = {"chief": 1, "worker": 1, "ps": count}
        with LocalCluster(jobs, "reshard.py", env=env, wait=False, name="reshard") as tasks:
            tasks.wait("chief/0", until="ended", seconds=60)
            printed.append(own_lines(tasks, "chief/0"))
    return printed

for text in reshard([2, 3]):
    print(text)
    print()

# %% [markdown]
# The checkpoint keeps *one* table under one name, and each new shard reads its own rows from it. (Each ps writes its
# shards itself: the folder must be one that all machines see.)
#
# How is a closure made exact? Let it do what may be done twice. *Write* the value of closure 7 to place 7: twice is
# as good as once. *Adding* is not. In exercise 5 you write such a closure. A real kill hits one moment, by luck; there each
# moment is tried.

# %% [markdown] exercise="once"
# ### Exercise 5 · Exact, though it may run twice
#
# `store` keeps values, as parameter servers do. `store.read(name)` returns the value written last under this name, or
# `None`; `store.write(name, value)` writes one. A name may be any text. A value is copied, as on its way to another
# process. Each of the two is one operation, done or not done, and there are no others. What is written stays when a
# worker dies; what else the worker had is gone.
#
# **Write** `closure(store, number, value)`, which records that closure `number` has the value `value`, and
# `total(store, numbers)`, which returns `[sum, missing]`: the sum of the values of these closures, {#1} and the list of
# the numbers, in the order of `numbers`, that have no value yet. {#2}
#
# * It stays exact if a worker dies just before or after any operation, and the closure runs again from its first
#   line. {#3}
# * It stays exact if other closures run between any two of its operations. {#4}
#
# Example: closure 0 with 2.5 and closure 1 with 4.0 have run. `total(store, [0, 1, 2])` returns `[6.5, [2]]`.

# %% solution="once" kind="model"
def closure(store, number, value):
    """Record the value of a closure; may run more than once, always with the same value.

    Args:
        store: has read(name) and write(name, value).
        number: int, 0 or more; each closure has its own.
        value: float.
    """
    ### BEGIN SOLUTION
    store.write(f"slot {number}", value)
    ### END SOLUTION

def total(store, numbers):
    """The sum of the closures' values.

    Args:
        store: the same.
        numbers: list of int.
    Returns:
        [sum, missing]: [float, list of int].
    """
    ### BEGIN SOLUTION
    values = {number: store.read(f"slot {number}") for number in numbers}
    missing = [number for number, value in values.items() if value is None]
    return [sum(value for value in values.values() if value is not None), missing]
    ### END SOLUTION

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)

# %% try="once"
try:
    print(total_of([2.5, 4.0], [0, 1, 2]))
    print(totals([2.5, 4.0], "death"))
except NotImplementedError as error:
    print(error)

# %% check="once-sum" points=1 title="The sum, and who is missing"
got = total_of([2.5, 4.0, 2.5], [0, 1, 2, 3])
told = Told(
    asked="closures 0, 1 and 2 have run with 2.5, 4.0 and 2.5; total of [0, 1, 2, 3]",
    got=got,
    expected="[9.0, [3]]",
    reread="the text of exercise 5",
)
assert got[0] != 6.5, told("two closures with one value count as one")
assert got[0] == 9.0 and list(got[1]) == [3], told()
told.asked = "another store: closure 0 alone has run, with 1.5; total of [0, 1, 2]"
told.got, told.expected = total_of([1.5], [0, 1, 2]), "[1.5, [1, 2]]"
assert list(told.got[1]) != [], told("a value that is not in the store is lost with its worker")
assert told.got[0] == 1.5 and list(told.got[1]) == [1, 2], told()

# %% check="once-death" points=2 title="A death at any moment"
got = totals([2.0, 5.0], "death")
told = Told(
    asked="closures 0 and 1 with 2.0 and 5.0; closure 0 dies at each moment in turn, and runs again",
    got=got,
    expected="[7.0, []] for each moment",
    reread="section 6, The coordinator: at least once",
)
assert len(got) > 0, told("the closure does nothing with the store")
sums = [came[0] for came in got]
assert max(sums) != 9.0, told("a value counts twice when the closure runs again")
assert min(sums) != 5.0, told("it says that it is done before it is: a death in between loses a value")
assert all(list(came) == [7.0, []] for came in got), told()

# %% hidden="once-between" points=1 title="Others run in between"
values = [float(value) for value in draw.sample(range(1, 90), 4)]
got = totals(values, "visit")
told = Told(
    asked=f"closures with {values}; the others run at each moment of closure 0 in turn",
    got=got,
    expected=f"[{sum(values)}, []] for each moment",
    reread="the text of exercise 5",
)
assert len(got) > 0, told("the closure does nothing with the store")
assert not any(came[0] < sum(values) for came in got), told(
    "it reads, adds and writes: what others write in between is lost"
)
assert all(list(came) == [sum(values), []] for came in got), told()

# %% hidden="once-missing" points=1 title="Zero is a value, None is none"
missing = sorted(draw.sample(range(4, 99), 4), reverse=True)
numbers = [2, *missing, 1, 0]
values = [0.0, draw.randrange(5, 99) / 4, 0.0, draw.randrange(5, 99) / 4]
got = total_of(values, numbers)
right = reference.total_of(values, numbers)
told = Told(
    asked=f"closures 0, 1, 2, 3 have run with {values}; total of {numbers}",
    got=got,
    expected=right,
    reread="the text of exercise 5",
)
assert not {0, 2} <= set(got[1]), told("0.0 is a value")
assert sorted(got[1]) != got[1], told("the missing ones are sorted, not in the order of numbers")
assert list(got[1]) == right[1], told()
assert got[0] != sum(values), told("closure 3 is counted, too: its number is not among those asked for")
assert got[0] == right[0], told()
told.asked = f"another store: closure 0 alone has run, with {values[1]}; total of [2, 1, 0]"
told.got, told.expected = total_of(values[1:2], [2, 1, 0]), reference.total_of(values[1:2], [2, 1, 0])
assert list(told.got[1]) != [], told("a value that is not in the store is lost with its worker")
assert told.got[0] == told.expected[0] and list(told.got[1]) == told.expected[1], told()

# %% [markdown]
# ## 7 Keras fit across processes
#
# With MirroredStrategy, in one process, `model.fit` does all this for you (lesson 09). Across processes it depends on the Keras.
# This program trains with the one named in `KERAS`: `keras` is Keras 3, `tf_keras` is Keras 2, which lives on as a
# package of its own for programs like this one.

# %% grading="skip"
%%writefile fit.py
import os
import time

import tensorflow as tf

if os.environ["KERAS"] == "tf_keras":
    import tf_keras as keras
else:
    import keras

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Input((8,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")

# %% grading="skip"
%%writefile -a fit.py

class Say(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch} done, loss {logs['loss']:.3f}", flush=True)

x = tf.random.stateless_normal([64, 8], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(16).repeat()
backup = keras.callbacks.BackupAndRestore(os.environ["FOLDER"])
try:
    model.fit(data, epochs=6, steps_per_epoch=4, verbose=0, callbacks=[backup, Say()])
except ValueError as error:
    print(f"ValueError: {str(error)[:40]} ...", flush=True)
time.sleep(0.5)
os._exit(0)

# %% grading="skip"
def fit(keras, kill_after=None):
    """Run fit.py in two processes; when epoch `kill_after` is done, kill both and start them again.

    Returns what worker 0 printed.
    """
    jobs, env = {"worker": 2}, {"KERAS": keras, "FOLDER": tempfile.mkdtemp()}
    with LocalCluster(jobs, "fit.py", env=env, wait=False, name="fit") as workers:
        if kill_after is not None:
            wait_for(lambda: f"epoch {kill_after} done" in workers.printed("worker/0"), workers)
            workers.kill(*workers.tasks)
            workers.start(*workers.tasks, wait=False)
        workers.wait("worker/0", until="ended", seconds=60)
        return own_lines(workers, "worker/0")

print(fit("keras"))

# %% [markdown]
# The rows of a strategy with several processes are a value that Keras 3 cannot read. So across processes write the loop
# yourself, as in section 1, or use tf-keras. The callback **`BackupAndRestore`** saves after each epoch, and a new process
# begins where it left off.
#
# **Predict:** both processes are killed after epoch 2 of 0 to 5, and started again. How many epochs does the second life make?

# %% predict="epochs_left"
epochs_left = ...

# %% grading="skip"
fitted = fit("tf_keras", kill_after=2)
print(fitted)
print()
numbers = [int(number) for number in re.findall(r"epoch (\d+)", fitted)]
left = len(numbers) - 3 if numbers[:3] == [0, 1, 2] else len(numbers)
compare_prediction("epochs", epochs_left, left, "It goes on after the last whole epoch.")

# %% [markdown]
# The callback's unit is an epoch: what a killed process had made of one is made again. And it saves no place in the data,
# so the second life began at the first rows again. With many epochs over all rows that matters little; with one long
# pass over a stream use a loop of your own.

# %% [markdown]
# ## Sitting 4 · Layouts
#
# ## 8 Layouts
#
# In `MultiWorkerMirroredStrategy` every worker holds all weights. **DTensor** lets you say, for each tensor, how it is
# cut. A **mesh** is a grid of devices whose dimensions have names. A **layout** gives, for each dimension of a
# tensor, the dimension of the mesh along which it is cut, or `"unsharded"`. Your program computes with whole tensors;
# DTensor cuts the work, and adds the **collectives**, operations that all devices make together, such as the all-reduce.
#
# Here four logical CPU devices make a mesh of 2 × 2. With several processes the mesh is larger, and the program the same.

# %% grading="skip"
dtensor = tf.experimental.dtensor

def make_mesh(batch, model):
    return dtensor.create_mesh([("batch", batch), ("model", model)], device_type="CPU")

def lay_out(mesh, values, specs):
    """A DTensor of `values`; one of `specs` for each dimension."""
    whole = dtensor.Layout.replicated(mesh, rank=len(specs))
    copies = dtensor.copy_to_mesh(tf.constant(values, tf.float32), whole)
    return dtensor.relayout(copies, dtensor.Layout(specs, mesh))

numbers = [[1, 2, 3, 4], [5, 6, 7, 8]]
tensor = lay_out(make_mesh(2, 2), numbers, ["batch", "model"])
for piece in dtensor.unpack(tensor):
    print(piece.device[-5:], piece.numpy().tolist())

# %% [markdown]
# `copy_to_mesh` puts a copy on each device, `relayout` keeps of it what the layout says, and `unpack` gives the pieces.
# A dimension is cut into equal parts only: six rows over four devices are an error.
#
# Which collectives a function makes can be counted in a **profile**, a record of what each thread did. `collectives` runs a
# function under TensorFlow's profiler. DTensors are computed in the background, so it reads the results before the
# profile ends.

# %% include="collectives.py" shown=True

# %% [markdown]
# A network of two layers has two matrices. Cut **both** by columns, and each device computes some of the hidden units;
# the second product needs all of them, so they must be gathered. Cut the first by columns and the second by **rows**,
# and the device that has some hidden units also has the rows that they are multiplied by. Only the sums of the second
# product are missing.

# %%
tf.get_logger().setLevel("ERROR")  # each layout is traced anew, and must be: no warning for it

@tf.function
def network(x, first, second):
    return tf.matmul(tf.nn.relu(tf.matmul(x, first)), second)

@tf.function
def gradients(x, first, second):
    with tf.GradientTape() as tape:
        tape.watch([first, second])
        loss = tf.reduce_sum(network(x, first, second) ** 2)
    return tape.gradient(loss, [first, second])

# %% [markdown]
# **Predict:** four devices along "model". How many collectives do the gradients take if *both* matrices are cut by
# columns? And if the first is cut by columns, the second by rows?

# %% predict="collectives"
both_columns = ...
columns_rows = ...

# %% grading="skip"
ways = {
    "whole": (["unsharded", "unsharded"], ["unsharded", "unsharded"]),
    "both columns": (["unsharded", "model"], ["unsharded", "model"]),
    "rows, columns": (["model", "unsharded"], ["unsharded", "model"]),
    "columns, rows": (["unsharded", "model"], ["model", "unsharded"]),
}
normal = np.random.default_rng(0).normal
arrays = [normal(size=size) for size in ([8, 4], [4, 8], [8, 4])]
counts = {}
for way, specs in ways.items():
    mesh = make_mesh(1, 4)
    laid = [
        lay_out(mesh, array, list(spec))
        for array, spec in zip(arrays, (["batch", "unsharded"], *specs))
    ]
    counts[way] = collectives(gradients, *laid)
    print(f"{way:14} network {collectives(network, *laid)}, gradients {counts[way]}")
compare_prediction("both by columns", both_columns, counts["both columns"], "Gathered, and back.")
why = "The pieces fit; one sum is missing."
compare_prediction("by columns, by rows", columns_rows, counts["columns, rows"], why)

# %% [markdown]
# | mesh (batch × model) | name | each device holds | gradients need |
# | --- | --- | --- | --- |
# | 4 × 1 | data parallel | ¼ of the rows, all weights | the sum of gradients over "batch" |
# | 1 × 4 | model parallel | all rows, ¼ of the weights | the sum of the second product over "model" |
# | 2 × 2 | both | ½ of the rows, ½ of the weights | one of each |
#
# The same works for an optimizer's **slots** (lesson 03). In data parallel training every device holds the same momentum. Cut
# the slot along "batch" instead, and each device updates its part only: the idea called
# [ZeRO](https://arxiv.org/abs/1910.02054).

# %% grading="skip"
def momentum_step(specs):
    """[numbers of the slot on each device, collectives of a step, a new weight]."""
    mesh = make_mesh(4, 1)
    x = lay_out(mesh, arrays[0], ["batch", "unsharded"])
    weight = lay_out(mesh, arrays[1], ["unsharded", "unsharded"])
    slot = lay_out(mesh, np.zeros([4, 8]), specs)
    cut, whole = dtensor.fetch_layout(slot), dtensor.fetch_layout(weight)

    @tf.function
    def step(x, weight, slot):
        with tf.GradientTape() as tape:
            tape.watch(weight)
            loss = tf.reduce_sum(tf.matmul(x, weight) ** 2)
        gradient = dtensor.relayout(tape.gradient(loss, weight), cut)
        slot = 0.9 * slot + gradient
        return weight - 0.1 * dtensor.relayout(slot, whole), slot

    new_weight = pieces(step(x, weight, slot)[0])[0]
    return [pieces(slot)[0].size, collectives(step, x, weight, slot), float(new_weight[0, 0])]

for specs in (["unsharded", "unsharded"], ["batch", "unsharded"]):
    print(specs, momentum_step(specs))

# %% [markdown]
# A quarter of the memory, the same new weight, one more collective: the new parts must be gathered.
#
# Keras has names for all this in `keras.distribution`. Look at what they do on TensorFlow's backend:

# %% grading="skip"
device_names = [f"cpu:{index}" for index in range(4)]
keras_mesh = tf.keras.distribution.DeviceMesh((1, 4), ("batch", "model"), device_names)
layouts = tf.keras.distribution.LayoutMap(keras_mesh)
layouts["dense.*kernel"] = (None, "model")
try:
    parallel = tf.keras.distribution.ModelParallel(layout_map=layouts, batch_dim_name="batch")
    with parallel.scope():
        dense = tf.keras.layers.Dense(8, name="dense")
        dense.build([None, 4])
    kernel = dense.kernel.value
    print(kernel.device[-5:], kernel.shape, "DTensor:", dtensor.is_dtensor(kernel))
except AttributeError as error:  # Keras 3.13, which Colab has
    print("Refused:", error)

# %% [markdown]
# In Keras 3.15 the kernel is whole, on one device. It was accepted and **nothing was cut**, without a warning:
# `keras.distribution` is
# [based on JAX](https://github.com/keras-team/keras/releases/tag/v3.0.0). Keras 3.13 refuses it on this backend, by
# accident: a function is missing. Look at pieces, not at settings.

# %% [markdown] exercise="layouts"
# ### Exercise 6 · Lay a network out
#
# **Write** `place(mesh, x, first, second)` for the network above. It returns the three as DTensors, in a list, for *any*
# mesh of b devices along "batch" and m along "model".
#
# * x is cut by rows along "batch", and whole along "model". {#1}
# * Before, rows of zeros are added at the end of x until b divides their number: no more than needed. {#2}
# * Each device holds 1/m of the first matrix and 1/m of the second. {#3}
# * `gradients` makes one collective for each of "batch" and "model" that has more than one device, and no more. {#4}
#
# **Write** `slot(mesh, weight)` for a weight that is a DTensor: a DTensor of zeros of the weight's whole shape.
#
# * It is cut as the weight is, and also along "batch": in the first of the unsharded dimensions that b divides. {#5}
# * If b divides none of them, it is cut as the weight is. {#6}
#
# Example: on a 2 × 2 mesh, x of shape [3, 4] becomes [4, 4], and each device holds [2, 4]; the slot for a first matrix of shape
# [4, 6], cut by columns, has pieces of shape [2, 3].

# %% solution="layouts" kind="today"
def place(mesh, x, first, second):
    """Lay out a batch and the two matrices.

    Args:
        mesh: dtensor.Mesh with the dimensions "batch" and "model".
        x: tf.Tensor, float32, [rows, inputs].
        first: tf.Tensor, float32, [inputs, hidden]; m divides both.
        second: tf.Tensor, float32, [hidden, outputs]; m divides both.
    Returns:
        [x, first, second]: list of three DTensors.
    """
    ### BEGIN SOLUTION
    x = tf.pad(x, [[0, -x.shape[0] % mesh.dim_size("batch")], [0, 0]])
    return [
        lay_out(mesh, x, ["batch", "unsharded"]),
        lay_out(mesh, first, ["unsharded", "model"]),
        lay_out(mesh, second, ["model", "unsharded"]),
    ]
    ### END SOLUTION

def slot(mesh, weight):
    """Zeros for an optimizer, cut along "batch" too.

    Args:
        mesh: dtensor.Mesh with the dimensions "batch" and "model".
        weight: DTensor on this mesh, of any number of dimensions; none is cut along "batch".
    Returns:
        DTensor, float32.
    """
    ### BEGIN SOLUTION
    specs = list(dtensor.fetch_layout(weight).sharding_specs)
    for index, size in enumerate(weight.shape):
        if specs[index] == "unsharded" and size % mesh.dim_size("batch") == 0:
            specs[index] = "batch"
            break
    return lay_out(mesh, tf.zeros(weight.shape), specs)
    ### END SOLUTION

def placed(batch, model, x, first, second):
    """Given, for the checks: [shapes of the pieces, what the network gives, collectives]."""
    arrays = [tf.constant(array, tf.float32) for array in (x, first, second)]
    laid = place(make_mesh(batch, model), *arrays)
    shapes = [list(pieces(part)[0].shape) for part in laid]
    mesh = dtensor.fetch_layout(laid[0]).mesh
    gathered = dtensor.relayout(network(*laid), dtensor.Layout.replicated(mesh, rank=2))
    return [shapes, pieces(gathered)[0].tolist(), collectives(gradients, *laid)]

def slot_of(batch, model, shape, specs):
    """Given, for the checks: [shape of the slot, of its pieces, its smallest and largest number]."""
    mesh = make_mesh(batch, model)
    made = slot(mesh, lay_out(mesh, np.ones(shape), specs))
    held = pieces(made)
    numbers = np.concatenate([piece.ravel() for piece in held])
    return [list(made.shape), list(held[0].shape), float(numbers.min()), float(numbers.max())]

# %% try="layouts"
try:
    print(placed(2, 2, np.ones([3, 4]), np.ones([4, 6]), np.ones([6, 2])))
    print(slot_of(2, 2, [4, 6], ["unsharded", "model"]))
except NotImplementedError as error:
    print(error)

# %% check="layouts-pieces" points=2 title="What each device holds"
import numpy as np

x = np.arange(16.0).reshape(4, 4)
shapes, answer, _ = placed(2, 2, x.tolist(), np.eye(4).tolist(), np.ones([4, 2]).tolist())
told = Told(
    asked="place on a 2 × 2 mesh; x [4, 4], first [4, 4], second [4, 2]; shapes of a device's pieces",
    got=shapes,
    expected="x [2, 4]; 8 of the 16 numbers of the first matrix, 4 of the 8 of the second",
    reread="section 8, Layouts",
)
assert shapes[0] != [4, 4], told("x is whole on each device")
assert shapes[0] != [4, 2], told("x is cut by columns")
assert shapes[0] == [2, 4], told()
assert np.prod(shapes[1]) != 16 and np.prod(shapes[2]) != 8, told("a matrix is whole on each device")
assert np.prod(shapes[1]) == 8 and np.prod(shapes[2]) == 4, told()
told.got, told.expected = answer, (x @ np.ones([4, 2])).tolist()
assert answer == told.expected, told("the pieces are right, but not what the network gives")

# %% check="layouts-collectives" points=2 title="No more collectives than needed"
import numpy as np

_, _, made = placed(1, 4, np.ones([2, 4]).tolist(), np.ones([4, 8]).tolist(), np.ones([8, 4]).tolist())
told = Told(
    asked="place on a 1 × 4 mesh; how many collectives gradients makes",
    got=made,
    expected="1, over \"model\"",
    reread="section 8, Layouts",
)
assert made != 3, told("both matrices are cut by columns: hidden units are gathered")
assert made != 2, told("the first matrix is cut by rows: its product must be summed before the second one")
assert made != 0, told("the matrices are not cut: each device computes everything")
assert made == 1, told()

# %% hidden="layouts-drawn" points=3 title="Any mesh, any number of rows"
import numpy as np

for batch, model in ((4, 1), (2, 2), (1, 4)):
    hidden = 4 * draw.randrange(2, 5)
    rows = batch * draw.randrange(2, 4) + (1 if batch > 1 else 0)
    generator = np.random.default_rng(draw.randrange(1000))
    sizes = ([rows, 4], [4, hidden], [hidden, 4])
    x, first, second = [generator.integers(-3, 4, size).astype(float) for size in sizes]
    shapes, answer, made = placed(batch, model, x.tolist(), first.tolist(), second.tolist())
    each = -(-rows // batch)
    told = Told(
        asked=f"place on a {batch} × {model} mesh; x has {rows} rows; shape of a device's piece of x",
        got=shapes[0],
        expected=[each, 4],
        reread="the text of exercise 6",
    )
    assert shapes[0] != [each * batch, 4] or batch == 1, told("x is whole on each device")
    assert shapes[0] == [each, 4], told()
    right = np.maximum(x @ first, 0) @ second
    right = np.concatenate([right, np.zeros([each * batch - rows, 4])])
    told.asked = f"the network on a {batch} × {model} mesh; x has {rows} rows"
    told.got, told.expected = answer, right.tolist()
    assert answer[: len(answer) - rows] != right[rows:].tolist() or answer == told.expected, told(
        "the rows of zeros come first, not last"
    )
    assert answer == told.expected, told()
    told.asked = f"place on a {batch} × {model} mesh: numbers of the two matrices on a device"
    told.got = [int(np.prod(shape)) for shape in shapes[1:]]
    told.expected = [first.size // model, second.size // model]
    assert told.got != [first.size, second.size] or model == 1, told("the matrices are whole")
    assert told.got == told.expected, told()
    told.asked = f"place on a {batch} × {model} mesh: collectives of gradients"
    told.got, told.expected = made, (batch > 1) + (model > 1)
    assert made <= told.expected, told("more collectives than meshes with that many dimensions need")

for batch, model in ((4, 1), (2, 2)):
    rows = batch * draw.randrange(2, 5)
    shapes, _, _ = placed(batch, model, np.ones([rows, 4]).tolist(), *[np.eye(4).tolist()] * 2)
    told = Told(
        asked=f"place on a {batch} × {model} mesh; x has {rows} rows; shape of a device's piece of x",
        got=shapes[0],
        expected=[rows // batch, 4],
        reread="the text of exercise 6",
    )
    assert shapes[0][0] != rows // batch + 1, told("rows of zeros are added though b divides the rows")
    assert shapes[0] == told.expected, told()

# %% hidden="layouts-slots" points=2 title="Slots for any weight"
odd = 2 * draw.randrange(1, 5) + 1
even = 4 * draw.randrange(1, 4)
cases = [
    ([odd, 6], ["unsharded", "unsharded"], [odd, 3]),
    ([even, 8], ["unsharded", "model"], [even // 2, 4]),
    ([8, even], ["model", "unsharded"], [4, even // 2]),
    ([odd, even, 4], ["unsharded", "unsharded", "model"], [odd, even // 2, 2]),
    ([even, 2 * even], ["unsharded", "unsharded"], [even // 2, 2 * even]),
    ([odd, 3, 4], ["unsharded", "unsharded", "unsharded"], [odd, 3, 2]),
    ([even], ["unsharded"], [even // 2]),
    ([odd, 4], ["unsharded", "model"], [odd, 2]),
]
for shape, specs, piece in cases:
    got = slot_of(2, 2, shape, specs)
    told = Told(
        asked=f"a slot on a 2 × 2 mesh; weight {shape}, cut {specs}; shape, piece, least, largest",
        got=got,
        expected=[shape, piece, 0.0, 0.0],
        reread="the text of exercise 6",
    )
    cut = [size // 2 if spec == "model" else size for size, spec in zip(shape, specs)]
    assert got[2:] == [0.0, 0.0], told("a slot begins with zeros")
    assert got[1] != cut or cut == piece, told("the slot is cut as the weight is, not along \"batch\" too")
    assert got[:2] == [shape, piece], told()
others = [(4, 1, [6, even], [6, even // 4]), (1, 4, [6, odd], [6, odd]), (4, 1, [2, 6], [2, 6])]
for batch, model, shape, piece in others:
    told.got = slot_of(batch, model, shape, ["unsharded", "unsharded"])
    told.asked = f"a slot on a {batch} × {model} mesh; weight {shape}, not cut; shape, piece, least, largest"
    told.expected = [shape, piece, 0.0, 0.0]
    assert told.got == told.expected, told("b is the number of devices along \"batch\"")

# %% [markdown]
# ## Sitting 5 · Input, profiles, and three broken jobs
#
# ## 9 The input side: tf.data service
#
# Decoding pictures or cutting texts may take longer than the step that trains on them. Then all workers wait for their
# input. The **tf.data service** gives this work to other processes. A **dispatcher** knows who does what;
# **input workers**, here the job `reader`, run the dataset; trainers take what is ready. One program
# for all three, and `TF_CONFIG` again says who is who:

# %% grading="skip"
%%writefile input_service.py
import json
import os
import time

import tensorflow as tf

service = tf.data.experimental.service
config = json.loads(os.environ["TF_CONFIG"])
job, index = config["task"]["type"], config["task"]["index"]
dispatcher = config["cluster"]["dispatcher"][0]
address = config["cluster"][job][index]
port = int(address.split(":")[1])
folder = os.environ.get("FOLDER")

if job == "dispatcher":
    settings = service.DispatcherConfig(
        port=port,
        worker_addresses=config["cluster"]["reader"],
        work_dir=folder,
        fault_tolerant_mode=folder is not None,
    )
    service.DispatchServer(settings).join()

if job == "reader":
    settings = service.WorkerConfig(dispatcher, worker_address=address, port=port)
    server = service.WorkerServer(settings)  # returns when the dispatcher knows it
    print("known", flush=True)
    server.join()

# %% [markdown]
# Only trainers come to the next part. There are three, and each reads the same 200 rows in another **mode**. After 80
# rows they wait until a file is there, so that you can kill somebody in the middle.

# %% grading="skip"
%%writefile -a input_service.py

mode = ["OFF", "DYNAMIC", "DATA"][index]
away = service.distribute(
    processing_mode=service.ShardingPolicy[mode], service="grpc://" + dispatcher
)
rows = tf.data.Dataset.range(200).apply(away)
try:
    for count, row in enumerate(rows, start=1):
        print(f"row {row.numpy()}", flush=True)
        time.sleep(0.005)
        while count == 80 and not os.path.exists(os.environ["GO_ON"]):
            time.sleep(0.01)
except tf.errors.OpError as error:
    print(f"{type(error).__name__} after {count} rows", flush=True)
os._exit(0)

# %% grading="skip"
def deliver(trainers, victims=(), pause=0, **env):
    """Run the service; kill `victims` in the middle, and start them again `pause` seconds later.

    Returns the rows that each trainer took; how many those had that still ran at the end of
    the pause; the last lines of the trainers.
    """
    jobs = {"dispatcher": 1, "reader": 2, "trainer": 3}
    env["GO_ON"] = tempfile.mkdtemp() + "/now"
    with LocalCluster(jobs, "input_service.py", env=env, start=[], name="input") as tasks:
        readers = ["reader/0", "reader/1"]
        tasks.start("dispatcher/0", *readers)
        wait_for(lambda: all("known" in tasks.printed(each) for each in readers), tasks)
        tasks.start(*trainers, wait=False)
        wait_for(lambda: min(len(rows_taken(tasks, each)) for each in trainers) >= 80, tasks)
        time.sleep(0.3)  # meanwhile the readers get more rows ready
        tasks.kill(*victims)
        pathlib.Path(env["GO_ON"]).touch()
        time.sleep(pause)
        running = [each for each in trainers if not tasks.state(each).startswith("ended")]
        had = {each: len(rows_taken(tasks, each)) for each in running}
        tasks.start(*victims)
        tasks.wait(*trainers, until="ended", seconds=60)
        last = [tasks.printed(each).splitlines()[-1] for each in trainers]
        return {each: rows_taken(tasks, each) for each in trainers}, had, last

# %% grading="skip"
MODES = {"trainer/0": "OFF", "trainer/1": "DYNAMIC", "trainer/2": "DATA"}

def rows_taken(tasks, trainer):
    """The rows that a trainer has taken so far."""
    return [int(row) for row in re.findall(r"^row (\d+)", tasks.printed(trainer), re.MULTILINE)]

def how_often(taken):
    """For each mode: how many of the 200 rows came never, once, twice, three times."""
    return {
        MODES[trainer]: [sum(rows.count(row) == times for row in range(200)) for times in range(4)]
        for trainer, rows in taken.items()
    }

def show_counts(counts):
    """Print how_often as a table."""
    print("mode      never  once  twice  three times")
    for mode, (never, once, twice, thrice) in counts.items():
        print(f"{mode:8} {never:6} {once:5} {twice:6} {thrice:12}")

# %% grading="skip"
taken, _, _ = deliver(list(MODES))
show_counts(how_often(taken))

# %% [markdown]
# | mode | each reader delivers | who must be known before |
# | --- | --- | --- |
# | `OFF` | all rows, in an order of its own | nobody |
# | `DYNAMIC` | the rows that the dispatcher gives it next; a fast reader gets more | nobody |
# | `DATA`, `FILE` (static) | its own share: always the same rows, or files | all readers (`worker_addresses`) |
#
# So far two of the three deliver each row once. Now reader 0 is killed after 80 rows, and one second later it is started again
# at the same address.
#
# **Predict:** what becomes of rows in the two modes: are some "lost", are some "repeated", or "neither"?

# %% predict="delivery"
dynamic_rows = ...
static_rows = ...

# %% grading="skip"
taken, had, _ = deliver(list(MODES), ["reader/0"], pause=1)
counts = how_often(taken)
show_counts(counts)
waiting = ", ".join(f"{MODES[trainer]} ({count} rows)" for trainer, count in had.items())
print("Not ended while reader 0 was dead:", waiting)

# %% grading="skip"
def becomes(counts):
    """What became of rows: "lost", "repeated" or "neither"."""
    never, _, twice, thrice = counts
    return "lost" if never else "repeated" if twice or thrice else "neither"

why = "What it had in hand is not given out again."
compare_prediction("DYNAMIC", dynamic_rows, becomes(counts["DYNAMIC"]), why)
compare_prediction("DATA", static_rows, becomes(counts["DATA"]), "Its share began anew.")

# %% [markdown]
# * `DYNAMIC` is **at most once**: the rows that a dead reader had in hand are lost, and nobody says so.
# * `DATA` and `FILE` are **at least once**: the reader is back and begins its share anew.
# * `OFF` promises nothing about a row: the reader that is back begins at the first row again.
#
# And as long as reader 0 was dead, none of the three trainers ended, nor had any an error. The one with `DYNAMIC` had all it could get,
# and *waited*. With a reader that never comes back it waits on, also with a short `worker_timeout_ms` of the
# dispatcher: whoever starts the readers must start a dead one again, at the same address.
#
# The dispatcher is only one. Kill it, and start it again:

# %% grading="skip"
kept = {"FOLDER": tempfile.mkdtemp()}
for what, env in {"without a folder": {}, "with a folder": kept}.items():
    taken, _, last = deliver(["trainer/1"], ["dispatcher/0"], **env)
    rows = len(taken["trainer/1"])
    print(f"{what}: {rows} rows of 200; last line: {last[0]}")

# %% [markdown]
# A new dispatcher knows nothing of the old one's work: the trainer ends with an error. With `fault_tolerant_mode` it
# keeps a journal in its `work_dir`, which must be where a new machine can read it. The next one reads it and goes on, and no
# row is lost.
#
# Do not use the service where input is not what you wait for (section 10 shows how to see that), nor where each row must
# count once through deaths and restarts: its iterators **cannot be saved** in a checkpoint. There let each worker read its
# own share (section 2) and save its place (section 4).
#
# **Change it:** kill reader 0 at another moment: let the trainers wait after 20 rows, or after 150. In which mode do more rows come twice, and
# does the number of lost ones change?

# %% [markdown]
# ## 10 Reading a profile
#
# In section 3 the workers printed when they came in to a step. A program that prints nothing can be read too: each
# process keeps a profile of itself. This one does, for six steps, after a first one in which the function is traced.
# Its computing is a pause: 10 ms in worker 0, 60 ms in worker 1. `Trace` gives a part of the program a name in the
# profile.

# %% grading="skip"
%%writefile slow_worker.py
import json
import os
import time

import tensorflow as tf

Options = tf.distribute.experimental.CommunicationOptions
RING = tf.distribute.experimental.CommunicationImplementation.RING
patient = Options(implementation=RING, timeout_seconds=30)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=patient)
me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]

with strategy.scope():
    w = tf.Variable(tf.zeros([1000]))
    optimizer = tf.keras.optimizers.SGD(0.1)
    optimizer.build([w])

@tf.function
def add_gradients():
    def one():
        optimizer.apply_gradients([(tf.ones([1000]), w)])

    strategy.run(one)

add_gradients()
profiler = tf.profiler.experimental
with profiler.Profile(f"{os.environ['FOLDER']}/{me}"):
    for number in range(6):
        with profiler.Trace("compute", step_num=number):
            time.sleep(0.06 if me == 1 else 0.01)
        add_gradients()
        w.numpy()
    time.sleep(0.5)
os._exit(0)

# %% [markdown]
# A profile is a file in the format **XSpace**. It has planes, a plane has lines, one for each thread, and a line has
# events. An event has a name, a start and a duration. Starts are counted from the moment at which *this* profile began; that
# moment is in the plane `Task Environment`. TensorFlow runs an all-reduce on whichever thread is free, so look at all
# lines.

# %% grading="skip"
def read_profile(folder):
    """[when it began, its events]: each [name, start since then, duration]; all in ms."""
    (file,) = pathlib.Path(folder).rglob("*.xplane.pb")
    planes = xplane_pb2.XSpace.FromString(file.read_bytes()).planes
    began = 0.0
    events = []
    for plane in planes:
        for stat in plane.stats:
            if plane.stat_metadata[stat.metadata_id].name == "profile_start_time":
                began = stat.uint64_value / 1e6
        for line in plane.lines:
            for event in line.events:
                name = plane.event_metadata[event.metadata_id].name
                start = line.timestamp_ns / 1e6 + event.offset_ps / 1e9
                events.append([name, start, event.duration_ps / 1e9])
    return [began, events]

# %% grading="skip"
def profile_both():
    """Run slow_worker.py in two processes; returns the profile of each.

    TensorFlow's profiler crashes a process now and then, once in some fifty runs: then again.
    """
    jobs = {"worker": 2}
    for _ in range(5):
        folder = tempfile.mkdtemp()
        env = {"FOLDER": folder}
        with LocalCluster(jobs, "slow_worker.py", env=env, wait=False, name="slow") as workers:
            wait_for(lambda: over(workers), workers)
        if len(list(pathlib.Path(folder).rglob("*.xplane.pb"))) == 2:
            break
    return [read_profile(f"{folder}/{worker}") for worker in range(2)]

# %% [markdown]
# **Predict:** alone, an all-reduce of so few numbers takes about 2 ms. About how long does one last in the profile of worker
# **0**: 2, 10 or 50 ms?

# %% predict="lasts"
lasts = ...

# %% grading="skip"
profiles = profile_both()

def named(events, end):
    """The events whose name ends so, as pairs of start and duration, in the order of time."""
    return sorted((start, ms) for name, start, ms in events if name.endswith(end))

all_reduces = [named(events, "CollectiveReduceV2") for _, events in profiles]
for worker, found in enumerate(all_reduces):
    print(f"worker {worker}: all-reduces of", ", ".join(f"{ms:.1f}" for _, ms in found), "ms")
middle = float(np.median([ms for _, ms in all_reduces[0]]))
nearest = min((2, 10, 50), key=lambda guess: abs(guess - middle))
compare_prediction("ms in worker 0", lasts, nearest, "It begins early, and waits for worker 1.")

# %% [markdown]
# Look at worker 0's profile alone, and the network seems to be slow: most of each step is all-reduce. A faster network
# would change nothing. Put both profiles on **one** time line: add to each start the moment at which its profile began.

# %% grading="skip"
import matplotlib.pyplot as plt

def draw_profiles(profiles):
    """Both workers' computing and all-reduces, on one clock."""
    first = min(began for began, _ in profiles)
    figure = plt.Figure((9, 2.6), layout="constrained")
    axes = figure.subplots()
    looks = {"compute": ("orange", ""), "CollectiveReduceV2": ("blue", "///")}
    for end, (colour, hatch) in looks.items():
        for worker, (began, events) in enumerate(profiles):
            bars = [(began - first + start, ms) for start, ms in named(events, end)]
            colours = {"facecolor": (PALETTE[colour], 0.35), "edgecolor": PALETTE[colour]}
            label = end if worker == 0 else None
            axes.broken_barh(bars, (worker - 0.35, 0.7), hatch=hatch, label=label, **colours)
    axes.set(yticks=[0, 1], yticklabels=["worker 0", "worker 1"], ylim=(1.6, -0.6))
    axes.set_xlabel("milliseconds since the first profile began")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1.02), frameon=False)
    show(figure, "Worker 0: short computing, long all-reduces. Worker 1: the other way round.")

draw_profiles(profiles)

# %% [markdown]
# Each all-reduce ends in both workers at about the same moment, but it begins in worker 0 long before worker 1 comes in. What
# lasts long in worker 0 is a wait. So the worker to look at is the one whose all-reduces are **short**: the straggler
# does not wait, and its own profile says on what it spends the time.
#
# On several machines each has its own clock. The ends of the all-reduces then show about how far the clocks are apart.
# For larger profiles there is a viewer, [XProf](https://github.com/openxla/xprof).
#
# **Change it:** let both workers compute for 10 ms. How long do the all-reduces last now?

# %% [markdown] exercise="profiles"
# ### Exercise 7 · Who does not wait
#
# **Write** `who_waits(profiles)`. For each worker, `profiles` has `[began, events]` as above: when its profile began, in ms on a
# clock that all share, and events `[name, start, duration]`, whose starts are in ms since *that* moment. It returns two
# lists, `[steps, costs]`.
#
# * An all-reduce is an event whose name ends with `CollectiveReduceV2`. {#1}
# * Step k is the k-th all-reduce, by time, of each worker. Events are listed in any order; all workers have
#   equally many all-reduces. `steps` has `[straggler, waits]` for each step, by time. {#2}
# * `straggler` is the index of the worker whose all-reduce *began* last, on the shared clock {#3}; no two begin at the
#   same time.
# * `waits` has for each worker the ms from the beginning of its all-reduce to that of the straggler's. {#4}
# * `costs` has for each worker the ms that the others waited for it, added up over them and over all steps in which it
#   was the straggler. {#5}
#
# Example: `[[100.0, [["CollectiveReduceV2", 10.0, 32.0]]], [120.0, [["CollectiveReduceV2", 20.0, 2.0]]]]` are two workers
# that come in at 110 and 140 ms. The answer is `[[[1, [30.0, 0.0]]], [0.0, 30.0]]`. Then try it with the real
# `profiles`.

# %% solution="profiles" kind="log"
def who_waits(profiles):
    """Find the straggler of each step, what it made the others wait, and what each worker costs.

    Args:
        profiles: list of [began, events], one for each worker: [float, list of [str, float, float]].
    Returns:
        [steps, costs]: list of [straggler, waits]: [int, list of float]; list of float.
    """
    ### BEGIN SOLUTION
    moments = []
    for began, events in profiles:
        starts = [start for name, start, _ in events if name.endswith("CollectiveReduceV2")]
        moments.append([began + start for start in sorted(starts)])
    steps = []
    costs = [0.0] * len(profiles)
    for came in zip(*moments):
        last = max(came)
        straggler = came.index(last)
        waits = [last - moment for moment in came]
        steps.append([straggler, waits])
        costs[straggler] += sum(waits)
    return [steps, costs]
    ### END SOLUTION

# %% try="profiles"
try:
    early = [100.0, [["CollectiveReduceV2", 10.0, 32.0]]]
    late = [120.0, [["CollectiveReduceV2", 20.0, 2.0]]]
    print(who_waits([early, late]))
except NotImplementedError as error:
    print(error)

# %% check="profiles-straggler" points=2 title="The one that does not wait"
name = "sgd/CollectiveReduceV2:CollectiveReduceV2"
profiles = [
    [100.0, [["compute", 1.0, 9.0], [name, 10.0, 32.5], [name, 50.0, 52.5]]],
    [120.0, [["compute", 1.0, 19.0], [name, 20.0, 2.25], [name, 80.0, 2.25]]],
    [90.0, [["compute", 1.0, 34.0], [name, 35.0, 17.5], [name, 70.0, 42.5]]],
]
steps = who_waits(profiles)[0]
told = Told(
    asked="all-reduces begin at 110, 140 and 125 ms; in step 2 at 150, 200 and 160; who is the straggler?",
    got=[row[0] for row in steps],
    expected="[1, 1]",
    reread="section 10, Reading a profile",
)
assert told.got != [0, 0], told("the longest all-reduce is that of the worker that waits longest")
assert told.got != [2, 1], told("each worker's starts are counted from the beginning of its own profile")
assert len(steps) != 3, told("events that are no all-reduces are taken for steps")
assert told.got == [1, 1], told()

# %% check="profiles-waits" points=1 title="What each waits"
name = "sgd/CollectiveReduceV2:CollectiveReduceV2"
profiles = [
    [200.0, [[name, 10.0, 32.5]]],
    [220.0, [[name, 20.0, 2.25]]],
    [190.0, [[name, 35.0, 17.5]]],
]
steps = who_waits(profiles)[0]
told = Told(
    asked="all-reduces begin at 210, 240 and 225 ms and last 32.5, 2.25 and 17.5 ms; the waits",
    got=list(steps[0][1]),
    expected="[30.0, 0.0, 15.0]",
    reread="section 10, Reading a profile",
)
assert told.got != [32.5, 2.25, 17.5], told("an all-reduce lasts longer than the wait in it")
assert told.got != [30.25, 0.0, 15.25], told(
    "what the all-reduce itself takes is not the same in all workers"
)
assert told.got != [10.0, 20.0, 35.0], told("this is when they began, not how long they waited")
assert len(told.got) == 3, told("there is one wait for each worker, the straggler's 0.0 among them")
assert all(abs(a - b) < 0.01 for a, b in zip(told.got, [30.0, 0.0, 15.0])), told()

# %% hidden="profiles-drawn" points=2 title="Many steps, events in any order"
names = ["train/CollectiveReduceV2", "sgd/CollectiveReduceV2:CollectiveReduceV2", "CollectiveReduceV2"]
workers = draw.randrange(3, 6)
begins = [50_000.0 - 1000 * place for place in draw.sample(range(workers), workers)]
lists = [[] for _ in range(workers)]
turns = draw.sample(range(workers), workers) * 3
for number, straggler in enumerate(turns):
    base = 51_000 + 300 * number
    others = draw.sample(range(0, 140), workers)
    before = (straggler + 1) % workers  # this one comes shortly before the last one once
    for worker in range(workers):
        moment = base + (200 if worker == straggler else others[worker])
        moment = base + 198.5 if worker == before and number == 4 else moment
        end = base + 202 + (0 if worker == before else 4)
        start = moment - begins[worker]
        lists[worker].append(["compute", start - 20.25, 20.0])
        lists[worker].append([names[number % 3], start, float(end - moment)])
        lists[worker].append(["CollectiveReduceV2::Done", start + end - moment, 0.25])
        lists[worker].append(["loss/SumReduce", start - 21, 0.25])
lists[0].reverse()
for events in lists[1:]:
    draw.shuffle(events)
profiles = [[began, events] for began, events in zip(begins, lists)]
got, right = who_waits(profiles)[0], reference.who_waits(profiles)[0]
told = Told(
    asked=f"{len(turns)} steps of {workers} workers, events of several names in any order",
    got=[list(row) for row in got],
    expected=right,
    reread="the text of exercise 7",
)
assert len(got) <= len(right), told("events that are no all-reduces are taken for steps")
assert len(got) == len(right), told("a step is missing")
stragglers = [row[0] for row in got]
earliest = begins.index(min(begins))
assert stragglers != [earliest] * len(right), told("each has its own clock: starts are not comparable")
most = max(max(row[1]) for row in got)
assert not 250 < most, told("all-reduces of different steps are compared, or the order is not that of time")
wrong = [number for number, row in enumerate(right) if stragglers[number] != row[0]]
assert wrong != [4], told("the shortest all-reduce of a step need not begin last: it may end first")
assert not wrong, told()
for mine, row in zip(got, right):
    assert len(mine[1]) == workers, told("there is one wait for each worker")
    close = [abs(a - b) < 0.01 for a, b in zip(mine[1], row[1])]
    assert all(close), told("the stragglers are right, the waits are not")

# %% hidden="profiles-costs" points=2 title="What each straggler costs"
name = "sgd/CollectiveReduceV2:CollectiveReduceV2"
workers = draw.randrange(4, 6)
profiles = [[1000.0 * place, []] for place in draw.sample(range(1, 9), workers)]
never = draw.randrange(workers)
turns = [worker for worker in range(workers) if worker != never] * 2
draw.shuffle(turns)
for number, straggler in enumerate(turns):
    moments = draw.sample(range(0, 200), workers)
    moments[straggler] = 220
    for worker, (began, events) in enumerate(profiles):
        start = 10_000 + 300 * number + moments[worker] - began
        events.append([name, start, 222.0 - moments[worker]])
got, right = who_waits(profiles)[1], reference.who_waits(profiles)[1]
told = Told(
    asked=f"what each of {workers} workers costs in {len(turns)} steps; {never} is never the straggler",
    got=got,
    expected=right,
    reread="the text of exercise 7",
)
assert hasattr(got, "__len__"), told("there is one cost for each worker, not one for all")
assert len(got) == workers, told("workers that are never the straggler cost 0.0")
own = [[], [0.0] * workers, [0.0] * workers]
for straggler, waits in reference.who_waits(profiles)[0]:
    own[2][straggler] += max(waits)
    own[1] = [before + wait for before, wait in zip(own[1], waits)]
assert any(abs(a - b) > 0.01 for a, b in zip(got, own[1])), told("this is what each worker waited itself")
assert any(abs(a - b) > 0.01 for a, b in zip(got, own[2])), told("only one of those that wait is counted")
assert all(abs(a - b) < 0.01 for a, b in zip(got, right)), told()

# %% [markdown]
# ## 11 The same elsewhere
#
# The ideas of this lesson have other names in other libraries.
#
# | idea | TensorFlow | PyTorch | JAX |
# | --- | --- | --- | --- |
# | one program, n processes | `TF_CONFIG` | [`torchrun`](https://docs.pytorch.org/docs/stable/elastic/run.html) sets `RANK`, `WORLD_SIZE` | [`jax.distributed.initialize`](https://docs.jax.dev/en/latest/_autosummary/jax.distributed.initialize.html) |
# | all weights everywhere, an all-reduce of gradients | `MultiWorkerMirroredStrategy` | [`DistributedDataParallel`](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html) | the batch cut along a mesh |
# | who gets which rows | `InputContext` | [`DistributedSampler`](https://docs.pytorch.org/docs/stable/data.html) | `jax.process_index` |
# | a tensor cut by a layout | DTensor: `Layout`, `Mesh` | [DTensor](https://docs.pytorch.org/docs/stable/distributed.tensor.html): `Shard`, `DeviceMesh` | [`jit` with shardings](https://docs.jax.dev/en/latest/201/sharding.html), `PartitionSpec`, `Mesh` |
# | weights and slots cut, gathered when used | layouts along "batch" | [FSDP: `fully_shard`](https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html) | shardings along "batch" |
# | a limit on a wait | `CommunicationOptions` | `init_process_group(timeout=…)` | `heartbeat_timeout_seconds` |
#
# Two differences cost people days. `DistributedDataParallel` takes the **mean** of the workers' gradients, not the sum: each
# worker divides by its own rows, and uneven rows make that mean wrong. And `torchrun` restarts **all** workers when one
# fails, which a `TF_CONFIG` job must get from whoever starts it.
#
# | who starts the processes | a death with notice | afterwards |
# | --- | --- | --- |
# | [Slurm](https://slurm.schedmd.com/preempt.html) | `SIGTERM`, and `SIGKILL` after the grace time | the job is requeued, if its partition is set up so |
# | [Kubernetes](https://kubernetes.io/docs/concepts/workloads/pods/pod-termination/) | `SIGTERM`, and `SIGKILL` after 30 s by default | the Job starts a new Pod |
#
# Neither knows your checkpoint: what section 4 saved is all that a new process has.
#
# The classic forms of earlier lessons are the same ideas:
#
# | here | classic form | where |
# | --- | --- | --- |
# | `TF_CONFIG` and one program | one script with flags, `tf.train.Server` | lesson 06 |
# | an all-reduce in each step | towers, synchronous replicas | lesson 07 |
# | the coordinator's closures | workers that each run a session against the ps | lesson 07 |
# | a limit on an all-reduce | `operation_timeout_in_ms` | lesson 04, lesson 06 |
# | tf.data service | queues that other processes fill | lesson 04 |

# %% [markdown]
# ## 12 Three broken jobs
#
# Now three jobs for you to diagnose. Each ran until step 4, in which all saved, and was started again; you see what the
# workers print in this second life. What is wrong is drawn each time from these five:
#
# | cause | what is wrong |
# | --- | --- |
# | `"frozen"` | one worker stands still, and its process lives |
# | `"one step short"` | one worker has rows for three steps, the others for four |
# | `"other shape"` | one worker brings three numbers to an all-reduce, the others four |
# | `"same index"` | one worker's `TF_CONFIG` names another's index |
# | `"one folder"` | all save under the same name, one after the other |
#
# The program has all that sections 1 to 4 taught, and a place for each cause:

# %% grading="skip"
%%writefile night.py
import json
import os
import signal
import time

import tensorflow as tf

me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
fault = os.environ["FAULT"]
print(f"start as {me}", flush=True)
Options = tf.distribute.experimental.CommunicationOptions
RING = tf.distribute.experimental.CommunicationImplementation.RING
LIMIT = Options(implementation=RING, timeout_seconds=4)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=LIMIT)

count = tf.Variable(0)
rows = iter(tf.data.Dataset.range(99).shard(3, me))
checkpoint = tf.train.Checkpoint(count=count, rows=rows)
saved = os.environ["FOLDER"] + ("/all" if fault == "one folder" else f"/{me}")
if os.path.exists(saved + ".index"):
    checkpoint.read(saved)

# %% grading="skip"
%%writefile -a night.py

@tf.function
def add(values):
    def one(values):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", tf.cast(values, tf.float32))

    return strategy.run(one, args=(values,))

def step(number):
    row = next(rows)
    if (number, fault) == (7, "frozen"):
        os.kill(os.getpid(), signal.SIGSTOP)
    size = 3 if (number, fault) == (7, "other shape") else 4
    print(f"step {number} in, row {row.numpy()}", flush=True)
    add(tf.repeat(row, size))
    print(f"step {number} out", flush=True)

# %% grading="skip"
%%writefile -a night.py

until = count.numpy() + 4 - (fault == "one step short")
try:
    while count.numpy() < until:
        step(count.assign_add(1).numpy())
except tf.errors.OpError as error:
    print(f"{type(error).__name__}\n{error}", flush=True)
    os._exit(1)
time.sleep(0.3 * (3 - me))
checkpoint.write(saved)
print("end", flush=True)
os._exit(0)

# %% grading="skip"
jobs = broken_jobs("night.py")
for number, job in enumerate(jobs, start=1):
    print(f"Job {number}")
    job.show()
    print()

# %% [markdown]
# **Predict:** which of the five causes has each job? Look at who came in to the last step, at how each worker's lines end, and at
# the rows.

# %% predict="diagnosis"
job_1 = ...
job_2 = ...
job_3 = ...

# %% grading="skip"
WHY = {
    "frozen": "One never came in to step 7, and did not end.",
    "one step short": "One ended well after step 7; the others came in to step 8.",
    "other shape": "All came in to step 7; no error but this one comes at once.",
    "same index": "Two started as the same worker; no step was made.",
    "one folder": "Nothing failed: in step 5 all took the same row.",
}
for number, (job, guess) in enumerate(zip(jobs, [job_1, job_2, job_3]), start=1):
    compare_prediction(f"job {number}", guess, job.cause, WHY[job.cause])
    job.prove()

# %% [markdown]
# <details>
# <summary>How each is recognised, and what mends it: open it after you have answered</summary>
#
# * **frozen**: the others have a line `in` for step 7, the frozen one has not. Its process lives; only the limit told the
#   others. Look into that machine, and start all again. (On a busy machine a worker's last line may be `killed by signal 11`
#   or `6` in place of the error. TensorFlow 2.21 can crash when the limit ends an all-reduce of three: the op gives its
#   memory back, and a thread of the ring still uses it. For the others, and for what you do, that is the same.)
# * **one step short**: the same picture, but the missing worker printed `end`: it believes that all is done. Give all workers the
#   same number of steps, empty batches included (exercise 1).
# * **other shape**: *all* came in. `InvalidArgumentError` names the shapes. Often it is a last batch that is smaller in one
#   worker: add up to a sum of one shape before the all-reduce.
# * **same index**: two lines `start as` with one number. The second server finds its port in use; the others wait
#   for the index that nobody has, and **no limit of an all-reduce ends this wait**, as none has begun. The log of worker 0
#   says for whom it waits (`Example stragglers`). Make `TF_CONFIG` by a program, never by hand.
# * **one folder**: there is no error at all. The last to save wins, and all go on at *its* place in the data:
#   here one row counts three times, and had another worker been the last, rows would be lost. Give each worker a name of its own (section 4).
#
# </details>

# %% [markdown]
# ## The morning after
#
# Back to the job that stood still. Its four logs have a last line `step … in` in three of them: the fourth worker is the
# one that never came (exercise 2). Its process lived, so nothing told the others. With `timeout_seconds`, the
# other three would have ended with a `DeadlineExceededError` within that time. A profile of the hours before shows whether
# that worker was slow already: then its all-reduces are the short ones (exercise 7). And the loss was odd because the checkpoint held
# the model but not the place in the data: the restart trained on the first rows again.
#
# ## Recap
#
# 1. `MultiWorkerMirroredStrategy`: one program in all processes, equal variables, an all-reduce in each step.
# 2. Each row must reach one worker, once. All workers make the same number of steps, empty batches included; divide
#    sums by the global count.
# 3. Give each all-reduce a limit. The healthy workers report the error; the one that never came in is to blame, and
#    the straggler is the one that does not wait.
# 4. After an error, restart all processes from a checkpoint.
# 5. A checkpoint holds the variables, the count and the place in the data, all of one step. All workers save, each
#    under a name of its own: reading an `ON_READ` variable is an all-reduce.
# 6. SIGTERM is a death with notice: the workers agree, save the same step and exit with 42.
# 7. A coordinator's closure runs at least once: let it write, not add. A lost ps means a restart from a checkpoint,
#    with as many ps as you like.
# 8. Keras 3's `fit` does not train across processes with this strategy, that of tf-keras does; `BackupAndRestore` goes on
#    after the last whole epoch.
# 9. A layout says along which dimension of a mesh a tensor is cut. Columns, then rows: one all-reduce for two layers.
# 10. tf.data service: after the death of an input worker `DYNAMIC` is at most once, a static mode at least once.
# 11. Put the profiles of all workers on one time line. A long all-reduce is mostly a wait; the straggler's are short.
#
# | question | where the answer is |
# | --- | --- |
# | Who gets which rows? | `AutoShardPolicy`, `InputContext` |
# | How long may a step wait? | `CommunicationOptions(timeout_seconds=…)` |
# | Who is to blame? | the last *in* line of each worker |
# | Who makes all steps slow? | the worker whose profile has the shortest all-reduces |
# | Where does a restart go on? | `Checkpoint(…, rows=iter(dataset))` |
# | What if there is a notice? | `PreemptionCheckpointHandler`, exit code 42 |
# | What if the model is too large for a device? | `dtensor.Layout` |
#
# **Read on:** lesson 07 has the parameter server and the coordinator; lesson 09 compares what an all-reduce costs.

# %% [markdown] exercise="set_up"
# ### Exercise 8 · In your own words
#
# A team trains on four machines that are taken away without notice, on average once a day. An epoch takes six hours, a
# checkpoint one minute. Nobody watches at night. Choose how the job is run and saved, and defend it in four to six
# sentences: what limits and restarts do you set, what is in the checkpoint, and how often do you save?

# %% [markdown] written="set_up" points=3
# ### BEGIN SOLUTION
# A limit on each all-reduce, all processes restarted by themselves, checkpoints with the place in the data.
# ### END SOLUTION

# %% [markdown] model="set_up"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# Each all-reduce gets a limit, some times longer than the slowest normal step, so that a lost or silent machine becomes an
# error. A supervisor ends all four processes then and starts them again, since a strategy is of no use after
# such an error. The checkpoint holds the variables, the optimizer's state, the count of steps and each worker's place
# in the data, all of one step. Saving every half hour costs 1 minute in 30, about 3 %, and a death costs a quarter of
# an hour on average; saving once an epoch would cost three hours a day, and saving every two minutes half the time.
#
# One point each: limits and a restart of all processes; the contents of the checkpoint, the place in the data among them;
# an interval, with what it costs and what it saves.
# </details>
