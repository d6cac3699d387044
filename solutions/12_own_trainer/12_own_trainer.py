# %% [markdown] minutes=240 exercises=150 gives="write an all-reduce over queues, train with it in several processes, show that the result is that of one process, go on when a worker dies, send while you compute, send less" after="09"
# # Lesson 12 · Capstone: build your own trainer
#
# A company trains on eight rented machines. Once a week the job stands still at night: every machine waits inside the
# framework's all-reduce, and nobody can say for whom. The bill for traffic between the machines is twice what was
# planned, and nobody can say why, either. Before they blame the framework, your team wants to know what such a trainer
# does, message by message. The best way to know is to build one.
#
# After this lesson you can
#
# 1. say who sends what to whom in each step of a training job over several processes, and how many bytes that is;
# 2. write such a job so that no wait is without an end, and a death stops only one worker;
# 3. show that it computes what one process alone would compute, and say when you would stop writing your own.
#
# What you write is kept in a file of yours, `trainer.py`, which runs without this notebook.
#
# **Hardware:** CPU only. Workers are threads at first, then real processes on your machine. They end when this
# notebook's kernel ends.

# %% include="quiet_start.py" devices=1

# %% include="checks.py figures.py predictions.py waiting.py cluster_helper.py cluster_processes.py local_cluster.py ring_link.py ring_threads.py ring_picture.py ring_network.py ring_processes.py ring_training.py ring_survivors.py ring_sharding.py"

# %% [markdown]
# ## Sitting 1 · The ring
#
# ## 1 A plan
#
# Each process of a cluster finds in the environment variable `TF_CONFIG` who is in the cluster and which task it is
# itself (lesson 06). This is that of the second of three workers:

# %% grading="skip"
import json

tf_config = json.dumps(
    {
        "cluster": {"worker": ["10.0.0.1:2222", "10.0.0.2:2222", "10.0.0.3:2222"]},
        "task": {"type": "worker", "index": 1},
    }
)
print(tf_config)

# %% [markdown]
# Out of it, each worker has to find its place in a **ring**: it sends to the next worker only, and the last sends to
# the first. All make the same ring without asking each other, since all read the same cluster.
#
# A message goes through a queue that lies on the **receiver's** task. So each worker has an *inbox* on its own task,
# and its *outbox* is the inbox of the next. A queue is shared by its name (lesson 06).
#
# One more thing belongs into that name. Suppose a worker dies, the others wait in vain, give up, and begin again with
# one worker less. In their inboxes there may be messages of before. Who reads one of them as the first message of the
# new ring gets a wrong sum, and **no error**. So each new beginning has a number, its **generation**, and a queue of
# another generation has another name.

# %% [markdown] exercise="plan"
# ### Exercise 1 · Who is next?
#
# Write `plan(tf_config, generation, lost=())`: a worker's place in the ring. Tasks are named like `"worker/2"`.
#
# * In the ring are the chief, if the cluster has one, and after it the workers, by their numbers {#1}. Tasks of other
#   jobs (ps, evaluator) are not in it {#2}, and neither are the tasks that `lost` names {#3}.
# * `"n"` is how many are in the ring {#4}; `"rank"` is this task's place in it, from 0 {#5}.
# * `"me"` and `"next"` are devices as in the cluster: `"/job:worker/task:2"` is `worker/2`, whatever its rank {#6}.
#   Next to the last is the first {#7}.
# * `"inbox"` and `"outbox"` are names of queues. A task's outbox is the inbox of the next {#8}. No two tasks of
#   the ring have the same inbox {#9}, and no two generations share a name {#10}.
#
# Example: with the `tf_config` above, `plan(tf_config, 0)` is `{"rank": 1, "n": 3, "me": "/job:worker/task:1", "next":
# "/job:worker/task:2", "inbox": ..., "outbox": ...}`. You choose the names of the queues.

# %% solution="plan" kind="log"
def plan(tf_config, generation, lost=()):
    """A worker's place in the ring.

    Args:
        tf_config: str, JSON: the environment variable TF_CONFIG.
        generation: int, 0 or more.
        lost: list of str, tasks that are dead, such as "worker/2"; never this one.
    Returns:
        dict: "rank" and "n", int; "me", "next", "inbox" and "outbox", str.
    """
    ### BEGIN SOLUTION
    settings = json.loads(tf_config)
    ring = []
    for job in ("chief", "worker"):
        for index in range(len(settings["cluster"].get(job, []))):
            if f"{job}/{index}" not in lost:
                ring.append((job, index))
    rank = ring.index((settings["task"]["type"], settings["task"]["index"]))
    following = ring[(rank + 1) % len(ring)]

    def device(task):
        return f"/job:{task[0]}/task:{task[1]}"

    def queue(task):
        return f"generation {generation} to {device(task)}"

    return {
        "rank": rank,
        "n": len(ring),
        "me": device(ring[rank]),
        "next": device(following),
        "inbox": queue(ring[rank]),
        "outbox": queue(following),
    }
    ### END SOLUTION

# %% try="plan"
try:
    print(plan(tf_config, 0))
except NotImplementedError as error:
    print(error)

# %% check="plan-ring" points=2 title="A chief, two workers and a ps: who is in the ring"
import json

cluster = {"ps": ["h:1"], "worker": ["h:2", "h:3"], "chief": ["h:4"]}
answers = {}
for job, index in (("chief", 0), ("worker", 0), ("worker", 1)):
    text = json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})
    answers[f"{job}/{index}"] = plan(text, 0)
right = {
    "chief/0": (0, 3, "/job:chief/task:0", "/job:worker/task:0"),
    "worker/0": (1, 3, "/job:worker/task:0", "/job:worker/task:1"),
    "worker/1": (2, 3, "/job:worker/task:1", "/job:chief/task:0"),
}
told = Told(
    asked=f"plan for each task of {cluster}: rank, n, me, next",
    got=answers,
    expected=right,
    reread="section 1, A plan",
)
keys = {"rank", "n", "me", "next", "inbox", "outbox"}
assert all(isinstance(a, dict) and set(a) == keys for a in answers.values()), told(
    "plan returns a dict with rank, n, me, next, inbox and outbox"
)
got = {task: (a["rank"], a["n"], a["me"], a["next"]) for task, a in answers.items()}
told.got = got
sizes = {a["n"] for a in answers.values()}
assert sizes != {4}, told("the ps is in the ring; it does not train")
assert sizes != {2}, told("the chief is not in the ring; it trains like a worker")
assert got["worker/0"][0] != 0, told("the first worker has rank 0, but the chief comes first")
assert got == right, told()

# %% check="plan-names" points=2 title="Names of queues: ends that meet, and generations apart"
import json

def asked_of(index, generation):
    cluster = {"worker": ["h:1", "h:2", "h:3"]}
    return plan(
        json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}}), generation
    )

found = {g: [asked_of(i, g) for i in range(3)] for g in (0, 1)}
names = {g: [(a["inbox"], a["outbox"]) for a in answers] for g, answers in found.items()}
told = Told(
    asked="inbox and outbox of three workers, in the generations 0 and 1",
    got=names,
    expected="worker i's outbox is the inbox of i + 1; all six inboxes differ",
    reread="section 1, A plan",
)
for pairs in names.values():
    assert len({inbox for inbox, _ in pairs}) == 3, told("two workers have the same inbox")
    assert [outbox for _, outbox in pairs] != [pairs[(i - 1) % 3][0] for i in range(3)], told(
        "the outbox is the inbox of the worker before: the ring sends to the next"
    )
    assert [outbox for _, outbox in pairs] == [pairs[(i + 1) % 3][0] for i in range(3)], told(
        "what a worker sends goes into a queue from which the next does not read"
    )
assert not {a for a, _ in names[0]} & {a for a, _ in names[1]}, told(
    "two generations use the same queue: messages of before would be read as new ones"
)

# %% hidden="plan-lost" points=3 title="Other clusters, and workers that are lost"
import json

for chief, alive in ((True, True), (False, False), (True, False)):
    workers = draw.randrange(12, 15)  # worker/1 begins like worker/12
    cluster = {"evaluator": ["e:1"], "worker": [f"w:{k}" for k in range(workers)]}
    if chief:
        cluster["chief"] = ["c:1"]
    gone = 1 if chief else draw.randrange(3, workers - 2)
    lost = [f"worker/{gone}", f"worker/{workers - 1}", *["chief/0"] * (chief and not alive)]
    generation = draw.randrange(2, 9)
    for index in (0, gone - 1, gone + 1, workers - 2):
        text = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}})
        got, right = plan(text, generation, list(lost)), reference.plan(text, generation, lost)
        told = Told(
            asked=f"worker {index} of {workers} workers{' and a chief' * chief}; lost: {lost}",
            got={key: got[key] for key in ("rank", "n", "me", "next")},
            expected={key: right[key] for key in ("rank", "n", "me", "next")},
            reread="the text of exercise 1",
        )
        assert got["next"] not in (f"/job:worker/task:{gone}", f"/job:worker/task:{workers}"), told(
            "next is a task that is lost, or that does not exist"
        )
        assert got["n"] == right["n"], told("n is not the number of those in the ring")
        assert got["rank"] == right["rank"], told(
            "rank is the place among those in the ring, without the lost ones"
        )
        assert got["me"] == right["me"], told("a device is named by its number in the cluster")
        assert got["next"] == right["next"], told()
        job, number = right["next"].removeprefix("/job:").split("/task:")
        text = json.dumps({"cluster": cluster, "task": {"type": job, "index": int(number)}})
        told.got, told.expected = got["outbox"], plan(text, generation, list(lost))["inbox"]
        assert told.got == told.expected, told(
            "what it sends goes into a queue from which the next does not read"
        )

# %% hidden="plan-apart" points=2 title="Names of many generations and workers"
import json

cluster = {"chief": ["c:0"], "worker": [f"w:{k}" for k in range(13)]}
ring = [("chief", 0), *(("worker", k) for k in range(13))]
seen = {}
for generation in (1, 11, draw.randrange(20, 99), 101):
    answers = []
    for job, index in ring:
        text = json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})
        answers.append(plan(text, generation))
    for place, answer in enumerate(answers):
        job, index = ring[place]
        name = answer["inbox"]
        told = Told(
            asked=f"inbox and outbox of {job}/{index}, of a chief and 13 workers, in generation {generation}",
            got=(name, answer["outbox"]),
            expected="a name that nobody else has, in no generation; the outbox is the next inbox",
            reread="section 1, A plan",
        )
        assert seen.get(name, (generation,))[0] == generation, told(
            f"two generations share the name: it is also that of {seen.get(name)}"
        )
        assert name not in seen, told(f"two tasks have the same inbox: {seen.get(name)} has it, too")
        assert answer["outbox"] == answers[(place + 1) % len(ring)]["inbox"], told(
            "what it sends goes into a queue from which the next does not read"
        )
        seen[name] = (generation, f"{job}/{index}")

# %% [markdown]
# ## 2 A link
#
# A link is two queues, seen by one worker: `send(array)` puts an array into the next worker's inbox, `recv()` takes one
# out of its own. Each run of the session has a limit, so that **no wait is without an end** (lesson 04). And the session
# has `device_filters`: it asks only its own task and the next, so it opens even when others are dead.

# %% grading="skip"
for part in (add_queue, sender, receiver, open_link):
    print(inspect.getsource(part))

# %% [markdown]
# To try a ring you need no processes yet: `in_ring(3, work)` calls `work(i, n, send, recv)` in three threads, with real
# queues between them, and notes every message. Each of these workers sends its own vector round, whole:

# %% grading="skip"
vectors = [np.float32([1, 2, 3]) * 10**i for i in range(3)]


def sum_of_whole_vectors(i, n, send, recv):
    return whole_vectors(i, n, send, recv, vectors[i])


record = in_ring(3, sum_of_whole_vectors)
print("sums:", [result.tolist() for result in record["results"]])
draw_ring(record["sent"])

# %% [markdown]
# The picture shows each step: an arrow is a message, beside it the numbers that it carries. The sums are right, and
# every worker has sent n − 1 whole vectors. A ring of **chunks** sends less (lesson 09): 2 (n − 1)/n vectors, however
# many workers there are.
#
# What happens when everybody waits first and sends then?

# %% predict="wait"
# Predict: what comes of it? "sums", or "nothing" until the limit of half a second is over?
outcome = "..."

# %% grading="skip"
def wait_first(i, n, send, recv):
    other = recv()
    send(vectors[i])
    return vectors[i] + other


record = in_ring(3, wait_first, seconds=0.5)
print(record["errors"][0])
seen = "nothing" if all(record["errors"]) else "sums"
compare_prediction("it comes to", outcome, seen, "Each waits for one who waits.")

# %% [markdown]
# Without the limit this would be the night in which every machine waits, and nobody can say for whom. With it there is
# an error, and `receiver` gives it the name of the queue that stayed empty: the worker before did not send.

# %% [markdown] exercise="all_reduce"
# ### Exercise 2 · Your own all-reduce
#
# Write `all_reduce(i, n, send, recv, flat)`: what worker i of n does. All call it at the same time, each with its own
# vector `flat` of the same length.
#
# * Each gets back the sum of all vectors {#1}, with the length of `flat` {#2} and its dtype {#3}.
# * Cut the vector into n chunks of equal size (where it does not divide, add zeros at its end, or let some be shorter).
#   A message is one chunk, and each worker sends at most 2 (n − 1) of them {#4}. Any length is possible, also one
#   below n {#5}.
# * A worker that is alone returns the sum as well, and sends nothing {#6}.
# * In each step first send, then receive {#7}. If all received first, each would wait for a message that is sent only
#   after its own.
# * The argument `flat` is not changed {#8}.
#
# Example: two workers with `[1., 2.]` and `[10., 20.]`. Worker 0 sends `[1.]`, its chunk 0; worker 1 sends `[20.]`, its
# chunk 1. Now worker 1 has the sum of chunk 0, and worker 0 that of chunk 1. Each sends the sum that it has, and both
# have `[11., 22.]`.
#
# Your function goes into a file: it may use `np` and `tf`, and functions that you write **inside** it.

# %% solution="all_reduce" kind="process"
def all_reduce(i, n, send, recv, flat):
    """The sum of all workers' vectors, by chunks that go round the ring.

    Args:
        i: int, this worker's rank.
        n: int, number of workers.
        send: function: send(array of one dimension) gives it to the next worker.
        recv: function: recv() waits for an array from the worker before, and returns it.
        flat: array of one dimension, float32 or float64.
    Returns:
        array like flat.
    """
    ### BEGIN SOLUTION
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], flat.dtype)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
    ### END SOLUTION

def reduced(vectors):
    """Given, for the checks: your function in threads with real queues, and all that it sent."""
    return reduce_in_threads(by_its_text(all_reduce), vectors)

# %% try="all_reduce"
try:
    record = reduced(vectors)
    print("sums:", [np.array(result).tolist() for result in record["results"]])
    print("errors:", record["errors"])
    draw_ring(record["sent"])
except NotImplementedError as error:
    print(error)

# %% check="all_reduce-sum" points=2 title="Three workers, six numbers: everybody has the sum"
import numpy as np

vectors = [np.float32([1, 2, 3, 4, 5, 6]) * 10**i for i in range(3)]
record = reduced(vectors)
right = sum(vectors)
told = Told(
    asked=f"all_reduce in three threads, with {[v.tolist() for v in vectors]}",
    got=record["results"],
    expected=f"{right.tolist()} on each",
    reread="the text of exercise 2",
)
assert not any("DeadlineExceeded" in error for error in record["errors"]), told(
    "a worker waited for a message that never came: send first, then receive; and as often as "
    "the others"
)
error = next((error for error in record["errors"] if error), "")
assert "NameError" not in error, told(
    f"only np, tf and what is written inside the function are known in its file: {error}"
)
assert not error, told(f"a worker ended with an error: {error}")
got = [np.asarray(result) for result in record["results"]]
assert all(result.shape == (6,) for result in got), told("a result has another length than flat")
assert not all(np.allclose(result, right / 3) for result in got), told(
    "the sums are divided by n: an all-reduce adds; whoever wants a mean divides"
)
full = [[bool(np.allclose(r[k : k + 2], right[k : k + 2])) for k in (0, 2, 4)] for r in got]
assert [sum(row) for row in full] != [1, 1, 1], told(
    "each worker has the sum of one chunk only: n - 1 more steps hand the sums round"
)
assert all(np.allclose(result, right) for result in got), told()
told.got, told.expected = f"workers that received before they sent: {record['hasty']}", "none"
assert not record["hasty"], told("a worker receives first: then all wait in a row, one for the other")

# %% check="all_reduce-bytes" points=2 title="Chunks, not whole vectors"
import numpy as np

vectors = [np.float32(range(12)) + i for i in range(4)]
record = reduced(vectors)
sizes = [[int(np.asarray(message).nbytes) for message in mine] for mine in record["sent"]]
told = Told(
    asked="the bytes of each message, for each of four workers with 12 float32 numbers (48 bytes)",
    got=sizes,
    expected="at most six messages of 12 bytes from each",
    reread="section 2, A link",
)
assert any(sizes), told("nobody sends anything")
assert all(np.shape(result) == (12,) for result in record["results"]), told(
    "a result has another length than flat"
)
assert all(np.allclose(result, sum(vectors)) for result in record["results"]), told()
assert max(max(mine, default=0) for mine in sizes) != 48, told("whole vectors are sent")
assert max(max(mine, default=0) for mine in sizes) != 24, told(
    "numbers of 8 bytes are sent: the chunks are not of flat's dtype"
)
assert max(max(mine, default=0) for mine in sizes) <= 12, told("a message is more than a chunk")
assert max(len(mine) for mine in sizes) <= 6, told("a worker sends more than 2 (n - 1) messages")

# %% check="all_reduce-argument" points=1 title="The argument stays as it was"
import numpy as np

vectors = [np.float32([1, 2, 3]) * 10**i for i in range(3)]
record = reduced(vectors)
told = Told(
    asked=f"the arguments after all_reduce with {[v.tolist() for v in vectors]}",
    got=record["arguments"],
    expected="the same as before",
    reread="the text of exercise 2",
)
assert all(result is not None for result in record["results"]), told(
    "no worker came to an end, or not with a result"
)
assert all(np.shape(result) == (3,) for result in record["results"]), told(
    "the result is not as long as flat"
)
other = reduced([*vectors[:2], 2 * vectors[2]])["results"][0]
assert any(record["sent"]) and not np.array_equal(other, record["results"][0]), told(
    "the result of one worker does not depend on what another one has"
)
same = [np.array_equal(now, before) for now, before in zip(record["arguments"], vectors)]
assert all(same), told(
    "flat was changed: chunks that are views of it write into it; work on a copy"
)

# %% hidden="all_reduce-lengths" points=3 title="Any length, any number of workers"
import numpy as np

cases = [(3, 7), (4, draw.choice([9, 10, 11])), (5, 3), (2, 1), (draw.choice([5, 6]), 13)]
for n, length in cases:
    vectors = [np.float32([draw.randrange(-99, 99) for _ in range(length)]) for _ in range(n)]
    record = reduced(vectors)
    got, right = record["results"], sum(vectors)
    told = Told(
        asked=f"all_reduce of {n} workers with {length} numbers each",
        got=got if not any(record["errors"]) else record["errors"],
        expected=right,
        reread="the text of exercise 2",
    )
    assert not any("DeadlineExceeded" in error for error in record["errors"]), told(
        "a worker waited for a message that never came"
    )
    assert not any("NameError" in error for error in record["errors"]), told(
        "only np, tf and what is written inside the function are known in its file"
    )
    assert not any(record["errors"]), told(
        "a worker failed where the length does not divide by n: add zeros at the end"
        if length > n
        else "a worker failed where there are fewer numbers than workers"
    )
    assert all(np.shape(result) == (length,) for result in got), told(
        "the result has not the length of flat: cut off what was added"
    )
    assert all(np.allclose(result, right) for result in got), told()
    most = 4 * -(-length // n)
    sizes = [[np.asarray(message).nbytes for message in mine] for mine in record["sent"]]
    told.got = sizes
    assert max(max(mine) for mine in sizes) <= most and max(map(len, sizes)) <= 2 * (n - 1), told(
        f"more is sent than 2 (n - 1) messages of {most} bytes"
    )

# %% hidden="all_reduce-types" points=2 title="float64 stays float64, float32 stays float32"
import numpy as np

for dtype in ("float64", "float32"):
    vectors = [np.array([draw.random() for _ in range(8)], dtype) for _ in range(2)]
    record = reduced(vectors)
    got = [np.asarray(result) for result in record["results"]]
    told = Told(
        asked=f"the dtype of the results, with vectors of {dtype}",
        got=[str(result.dtype) for result in got],
        expected=dtype,
        reread="the text of exercise 2",
    )
    assert not any(record["errors"]), told(f"a worker failed: {max(record['errors'])}")
    assert all(result.dtype == dtype for result in got), told("the dtype is not that of flat")
    told.got, told.expected = got, sum(vectors)
    assert all(result.shape == (8,) for result in got), told("a result has another length than flat")
    assert all(np.allclose(result, sum(vectors), rtol=1e-6) for result in got), told()
    kinds = sorted({np.asarray(message).dtype.name for mine in record["sent"] for message in mine})
    told.got, told.expected = f"messages of {kinds}", f"messages of {dtype}"
    assert kinds == [dtype], told("chunks travel with another dtype than that of flat")

# %% hidden="all_reduce-alone" points=1 title="A worker alone"
import numpy as np

vector = np.float32([draw.randrange(1, 99) for _ in range(5)])
record = reduced([vector])
told = Told(
    asked=f"all_reduce of one worker with {vector.tolist()}: result, error, messages",
    got=(record["results"][0], record["errors"][0], len(record["sent"][0])),
    expected="the vector itself, no error, no message",
    reread="the text of exercise 2",
)
assert not record["errors"][0], told("with one worker it fails, or waits for itself")
assert record["results"][0] is not None, told("it returns nothing")
assert np.array_equal(record["results"][0], vector), told()
pair = reduced([vector, 2 * vector])
summed = any(pair["sent"]) and not np.array_equal(pair["results"][0], vector)
assert summed or any(pair["errors"]), told(
    "two workers get nothing of one another, either: nothing is summed"
)
assert not record["sent"][0], told("it sends messages to itself")

# %% [markdown]
# ## Sitting 2 · The trainer
#
# ## 3 The same result as one process
#
# With an all-reduce, training on n workers is short: each worker takes its rows of the batch, computes their gradient,
# and the sum of all gradients comes back to everybody. All began with the same weights and make the same update, so
# they have the same weights after it, and nobody has to send any.
#
# The network is small: 64 inputs, a hidden layer of 64, ten outputs. `losses` gives the loss of **each row**:

# %% grading="skip"
print(inspect.getsource(losses))

# %% grading="skip"
data = digits_job(steps=150)
weights = [data[f"w{k}"] for k in range(4)]
row_losses = losses(weights, data["x"][:3], data["y"][:3])
print("weights:", [weight.shape for weight in weights])
print("loss of three rows:", row_losses.numpy().round(3))
print("numbers in all:", sum(weight.size for weight in weights))

# %% [markdown]
# Four gradients could travel as four vectors. One vector is better: each message costs some time by itself, and a bias
# of ten numbers would cost as many messages as a matrix.
#
# Take care of one thing: where a batch does not divide by n, one worker has more rows than another, and the mean of the
# workers' means is not the mean of all rows (lesson 07).

# %% [markdown] exercise="train"
# ### Exercise 3 · Training on n workers
#
# Write `train(i, n, reduce, weights, x, y, batches, rate)`: what worker i of n does. Compute the losses
# by `losses(weights, x, y)` of above, and the gradients from what it returns.
#
# * Each entry of `batches` is one step's batch: the numbers of its rows in `x` and `y`. Each row is the work of exactly
#   one worker {#1}; nobody computes much more than his part: with 60 rows and three workers, 20 {#2}.
# * The step is one of gradient descent with the **mean loss of the whole batch**: the new weights are the old ones minus
#   `rate` times its gradient {#3}. Each row counts the same, also where a worker has more rows than another {#4}.
# * `reduce(flat)` returns the sum of all workers' vectors. Call it once a step, with all gradients in **one** vector of
#   float32 {#5}. A worker that has no row in a small batch takes part, too {#6}.
# * Return the weights after all steps, arrays with the shapes of before {#7}. What was given is not changed {#8}.
#
# Example: `train(0, 1, lambda flat: flat, weights, x, y, [[0, 1], [2]], 0.1)` makes two steps alone.
#
# Your function goes into a file: it may use `np`, `tf` and `losses`, and functions that you write **inside** it.

# %% solution="train" kind="today"
def train(i, n, reduce, weights, x, y, batches, rate):
    """Train on n workers by gradient descent; this is worker i.

    Args:
        i, n: int, rank of this worker and number of workers.
        reduce: function: reduce(flat) returns the sum of the vectors of all workers.
        weights: list of arrays of float32, the first weights, the same on all workers.
        x: array [rows, 64] of float32. y: array [rows] of int32.
        batches: list of lists of int: the rows of each step's batch.
        rate: float, learning rate.
    Returns:
        list of arrays like weights.
    """
    ### BEGIN SOLUTION
    weights = [np.array(weight) for weight in weights]
    for batch in batches:
        mine = np.array_split(np.array(batch, int), n)[i]
        variables = [tf.constant(weight) for weight in weights]
        with tf.GradientTape() as tape:
            tape.watch(variables)
            loss = tf.reduce_sum(losses(variables, x[mine], y[mine])) / len(batch)
        gradients = [gradient.numpy() for gradient in tape.gradient(loss, variables)]
        total = reduce(np.concatenate([gradient.reshape(-1) for gradient in gradients]))
        start = 0
        for k, weight in enumerate(weights):
            part = total[start : start + weight.size].reshape(weight.shape)
            weights[k] = weight - np.float32(rate) * part
            start += weight.size
    return weights
    ### END SOLUTION

def trained(n, sizes, seed, rate):
    """Given, for the checks: weights of n threads after batches of such sizes, and of one alone."""
    return train_in_threads(train, n, sizes, seed, rate)

def trained_in_processes():
    """Given, for the checks: 150 steps of digits on three processes, if threads get it right."""
    return train_in_processes(plan, all_reduce, train)

# %% try="train"
try:
    found = trained(3, [60, 60], 0, 0.3)
    print("errors:", found["errors"])
    print("largest difference from one alone:", max(found["differences"]))
except NotImplementedError as error:
    print(error)

# %% check="train-even" points=2 title="Three workers, batches of 60: the weights of one alone"
found = trained(3, [60, 60, 60], 0, 0.3)
told = Told(
    asked="the largest difference of each worker's weights from those of one process, three steps",
    got=found["differences"] or found["errors"],
    expected="under 0.000001 on each worker",
    reread="section 3, The same result as one process",
)
error = next((error for error in found["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
assert found["shapes"], told("train returns a list of four arrays with the shapes of before")
ratios = trained(3, [60], 0, 0.3)["ratios"]  # of a single step
assert not all(2.4 < ratio < 3.6 for ratio in ratios), told(
    "the steps are three times too long: n gradients of means are added, not averaged"
)
assert not all(50 < ratio < 70 for ratio in ratios), told(
    "the steps are about sixty times too long: the loss is the sum of the rows, not their mean"
)
assert not all(-1.2 < ratio < -0.8 for ratio in ratios), told("the weights go uphill")
assert max(found["differences"]) < 1e-6, told()

# %% check="train-share" points=2 title="Each row is one worker's work, and nobody does it all"
found = trained(3, [60, 60], 0, 0.3)
told = Told(
    asked="how many rows each of three workers put through the network, in two batches of 60 rows",
    got=found["rows"],
    expected="about 40 each, 120 in all",
    reread="section 3, The same result as one process",
)
error = next((error for error in found["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
assert min(found["rows"]) > 0, told("a worker put no row through the network")
assert max(found["rows"]) < 120, told("each worker computes the whole batch")
assert max(found["rows"]) <= 45, told("one worker has much more than its part")
assert sum(found["rows"]) == 120, told("some rows are nobody's work, or the work of two")
told.asked = "how far a step of each worker goes; in this check `losses` returns half of each loss"
told.got, told.expected = trained(3, [60], 0, 0.3)["ratios"], "1 on each: half as far as with whole losses"
assert not told.got or not all(1.9 < ratio < 2.1 for ratio in told.got), told(
    "losses is called for show: the gradients are not those of what it returns"
)

# %% check="train-vector" points=1 title="One vector a step, of float32"
found = trained(2, [10, 10, 10], 0, 0.1)
told = Told(
    asked="length and dtype of what each worker reduced, in three steps; 4810 weights",
    got=found["reduced"],
    expected="three vectors of 4810 float32 on each worker",
    reread="section 3, The same result as one process",
)
error = next((error for error in found["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
lengths = [[length for length, _ in mine] for mine in found["reduced"]]
assert all(lengths), told("reduce is not called")
assert max(len(mine) for mine in lengths) < 12, told("each gradient is reduced by itself")
assert all(mine == [4810] * 3 for mine in lengths), told()
assert all(kind == "float32" for mine in found["reduced"] for _, kind in mine), told(
    "the vector is not of float32: twice the bytes would travel"
)

# %% check="train-argument" points=1 title="The first weights stay as they were"
found = trained(2, [10, 10], 0, 0.1)
told = Told(
    asked="the first weights, after training",
    got="as before" if found["unchanged"] else "changed",
    expected="as before",
    reread="the text of exercise 3",
)
error = next((error for error in found["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
assert found["shapes"], told("train returns a list of four arrays with the shapes of before")
assert found["moved"], told("the weights that it returns are the first ones")
told.asked, told.expected = "the rows and batches, after training", "as before"
told.got = "as before" if found["same data"] else "changed"
assert found["same data"], told("x, y or the batches were changed in place")
told.asked, told.got = "the first weights, after training", "as before" if found["unchanged"] else "changed"
assert found["unchanged"], told("the given weights were changed in place; work on copies")

# %% hidden="train-uneven" points=3 title="Batches that do not divide, and workers without a row"
for n, sizes in ((3, [7, draw.choice([4, 5, 8])]), (4, [draw.choice([5, 6]), 2, 7])):
    seed, rate = draw.randrange(10**6), draw.choice([0.2, 0.5])
    found = trained(n, list(sizes), seed, rate)
    told = Told(
        asked=f"{n} workers, batches of {sizes} rows: the difference from one process alone",
        got=found["differences"] if not any(found["errors"]) else found["errors"],
        expected="under 0.000001 on each worker",
        reread="section 3, The same result as one process",
    )
    stuck = any("DeadlineExceeded" in error for error in found["errors"])
    assert not stuck, told("a worker without a row left the ring, and the others waited for it")
    error = next((error for error in found["errors"] if error), "")
    assert not error, told(f"a worker ended with an error: {error}")
    assert found["shapes"], told("train returns a list of four arrays with the shapes of before")
    assert sum(found["rows"]) >= sum(sizes), told("rows are left out where n does not divide")
    most = sum(-(-size // n) for size in sizes)
    assert max(found["rows"]) <= most, told(
        f"a worker computes {max(found['rows'])} rows, and no worker's share is over {most}"
    )
    assert sum(found["rows"]) == sum(sizes), told("some rows are the work of two, where n does not divide")
    near = all(0.3 < ratio < 2 for ratio in found["ratios"])
    assert max(found["differences"]) < 1e-6 or not near, told(
        "rows do not count the same: divide by the rows of the whole batch"
    )
    assert max(found["differences"]) < 1e-6, told()

# %% hidden="train-processes" points=4 title="Three real processes, 150 steps of digits"
found = trained_in_processes()
told = Told(
    asked="150 steps of digits on three processes: weights beside those of one process alone",
    got={key: found[key] for key in ("difference", "equal workers", "accuracy", "error")},
    expected="a difference under 0.00001, all workers equal to the last bit, accuracy over 0.9",
    reread="section 4, Three processes",
)
assert found["started"], told("the threads do not get it right yet: the checks above say more")
assert not found["error"], told(f"a worker ended with an error: {found['error']}")
assert found["equal workers"], told("the workers' weights differ")
assert found["difference"] < 1e-5, told()
assert found["accuracy"] > 0.9, told()

# %% [markdown]
# ## 4 Three processes
#
# The same functions in real processes. `trainer_text` puts them into one file, with a program around them: be a server,
# plan, open the link, greet the next worker (which may start later), train, leave the weights in a file. Where your `plan`
# or `all_reduce` is missing, is not right yet, or needs something that stands outside it (an import, another function), a
# simple one of the lesson takes its place, so that you can go on; `train` has to be yours. The file is yours: keep it.

# %% grading="skip"
print(inspect.getsource(worker_program))

# %% predict="sent"
# Predict: the vector has 4810 numbers of 4 bytes. How many bytes does each of three workers
# send in a step, if the all-reduce goes by chunks?
sent_a_step = ...

# %% grading="skip"
try:
    text = trainer_text(plan, all_reduce, train)
    pathlib.Path("trainer.py").write_text(text)
    three = ring_job(text, data)
    print(three["error"] or f"{three['seconds']:.1f} s for 150 steps, start included")
except NotImplementedError as error:
    three = None
    print("exercise 3:", error)

# %% grading="skip"
if three and not three["error"]:
    alone = trained_alone(weights, data["x"], data["y"], data["batches"], data["rate"])
    pairs = list(zip(three["weights"][0], alone, strict=True))
    print("largest difference:", max(np.abs(a - b).max() for a, b in pairs))
    print(f"accuracy: {accuracy(three['weights'][0], data['test_x'], data['test_y']):.4f}")
    why = "2 (n - 1) chunks of 1604 numbers: 4810 does not divide by 3."
    compare_prediction("bytes a step", sent_a_step, three["sent"][0] // 150, why)

# %% [markdown]
# With an all-reduce by chunks, each worker sends 4 messages of 1604 numbers in a step: 25 664 bytes. The formula
# 2 (n − 1)/n says 25 653; the rest is the zeros that were added. With whole vectors it would be 38 480.
#
# The weights are those of one process up to rounding: a sum of three parts is added up in another order than a sum
# of 60 rows. The workers among themselves are equal **to the last bit**, since each chunk's sum was computed once, by one
# worker, and then copied.
#
# A trainer that you keep needs tests that go with it, outside this notebook. These use plain queues of Python for a ring:

# %% grading="skip"
%%writefile test_trainer.py
"""Tests of trainer.py: run `python test_trainer.py`, or `pytest`."""

import json
import queue
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import trainer


def in_ring(n, work):
    """The results of work(i, n, send, recv) in n threads, and the bytes that each has sent."""
    inboxes = [queue.Queue() for _ in range(n)]
    sent = [0] * n

    def worker(i):
        def send(array):
            sent[i] += np.asarray(array).nbytes
            inboxes[(i + 1) % n].put(np.array(array))

        return work(i, n, send, lambda: inboxes[i].get(timeout=10))

    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(worker, range(n))), sent


def test_everybody_has_the_sum():
    for n, length in ((2, 6), (3, 7), (5, 2), (1, 4)):
        vectors = [np.arange(length, dtype=np.float32) * 10**i for i in range(n)]
        results, _ = in_ring(n, lambda i, *link: trainer.all_reduce(i, *link, vectors[i]))
        assert all(np.array_equal(result, sum(vectors)) for result in results), (n, length)


def test_a_worker_sends_two_vectors_at_most():
    vectors = [np.ones(12, np.float32)] * 4
    _, sent = in_ring(4, lambda i, *link: trainer.all_reduce(i, *link, vectors[i]))
    assert max(sent) <= 2 * 3 / 4 * vectors[0].nbytes, sent


def test_outboxes_are_inboxes_and_generations_differ():
    plans = []
    for generation in (0, 1):
        for index in range(3):
            task = {"type": "worker", "index": index}
            config = {"cluster": {"worker": ["a:1", "b:1", "c:1"]}, "task": task}
            plans.append(trainer.plan(json.dumps(config), generation))
    assert [plan["outbox"] for plan in plans[:2]] == [plan["inbox"] for plan in plans[1:3]]
    assert len({plan["inbox"] for plan in plans}) == 6


def test_three_train_like_one():
    random = np.random.RandomState(0)
    shapes = [(64, 8), (8,), (8, 10), (10,)]
    weights = [np.float32(random.normal(size=shape)) for shape in shapes]
    x, y = np.float32(random.normal(size=(20, 64))), np.int32(random.randint(10, size=20))
    job = (weights, x, y, [[0, 1, 2, 3, 4], [7], [9, 8, 7, 6]], 0.1)

    def train(i, n, *link):
        def reduce(flat):
            return np.array(trainer.all_reduce(i, n, *link, np.asarray(flat)))

        return trainer.train(i, n, reduce, *job)

    (alone,), _ = in_ring(1, train)
    for result in in_ring(3, train)[0]:
        for mine, right in zip(result, alone, strict=True):
            assert np.abs(mine - right).max() < 1e-5


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("passed:", name)

# %% grading="skip"
import subprocess

if three:
    command = [sys.executable, "test_trainer.py"]
    tried = subprocess.run(command, capture_output=True, text=True)
    print(tried.stdout or "", *tried.stderr.splitlines()[-1:] if tried.returncode else "")

# %% [markdown]
# (Where the file has a simple function of the lesson, a test fails: its all-reduce sends whole vectors, and its plan knows
# one generation only.)
# `pytest` finds the same tests, where it is installed, and `make check ARGS=12` runs them, too (for no points). Break a
# line of `trainer.py`, and run them again.
#
# **Two machines.** Nothing in the file knows that its workers share a machine. Give each process a `TF_CONFIG` with
# addresses that the others can reach, and start all within a minute: no message waits longer. But TensorFlow's servers
# ask for **no password and encrypt nothing**: whoever reaches the port can run ops there
# ([Using TensorFlow securely](https://github.com/tensorflow/tensorflow/blob/master/SECURITY.md)). Let them talk in a
# network of their own, behind a firewall.
#
# ## 5 The race
#
# Is a ring of your own any good? Four ways train from the same weights, one after the other in the same processes, each
# with your `train` and another `reduce`:
#
# * **your ring**;
# * **TensorFlow's ring**: the op `CollectiveReduceV2`, written in C++, which `MultiWorkerMirroredStrategy` calls, too;
# * **one ps**: a parameter server takes all vectors, adds them up and sends the sum to each;
# * **one process**, which has all rows and nobody to ask.

# %% include="ring_race.py" grading="skip"

# %% grading="skip"
print(inspect.getsource(tensorflow_ring))
print(inspect.getsource(serve_sums))

# %% predict="shortest"
# Predict: in which of the four ways does worker 0 have the shortest step?
# "your ring", "TensorFlow's ring", "one ps" or "one process"
shortest = ...

# %% grading="skip"
if three and not three["error"]:
    try:
        found = race(plan, all_reduce, train, digits_job(steps=60))
        show_race(found, "race.html")
        winner = min(WAYS, key=lambda way: found[way]["step"])
        why = "It has nobody to wait for." if winner == "one process" else ""
        compare_prediction("shortest step", shortest, winner, why)
    except ClusterError as error:
        print(error)

# %% [markdown]
# **Time.** "In reduce" is sending and waiting. Your ring waits for 2 (n − 1) messages in a step, and each is a session's
# run, a feed and a copy in Python; TensorFlow's makes as many in C++. But beside one process each of the three is slow:
# a network of 4810 weights computes a step of 60 rows sooner than the workers can add up. To share out the rows pays
# only where a step computes for long, compared with the way of its gradients.
#
# **Bytes.** Three workers send 3 · 25 664 bytes in a step of the ring. The parameter server takes 3 vectors of 19 240
# bytes and sends 3: with n workers 2 n vectors go through one task. "Carried" is what the operating system counts on
# the loopback in a step: more, since each message has a head and an answer, and since your machine says other things
# meanwhile.
#
# **Apart.** All four have the weights of one process, up to rounding.
#
# **Change it:** take `digits_job(steps=60, size=1200)`. Which part of the bars grows, and does the winner change? The
# file `race.html` keeps the last race, to show it.
#
# ## 6 A death
#
# Kill one of three workers, and two things happen. The worker before it **sends** to a dead task: its session says
# `UnavailableError` at once. The worker after it **receives** from its *own* queue, which is well and stays empty: no
# error ever comes. Only the limit of the wait ends it, with a `DeadlineExceededError`. So each wait needs a limit, and
# either error means the same: this ring is broken.
#
# What then? The survivors make a ring of n − 1:
#
# 1. Somebody must say who lives. Two workers cannot know that by themselves: a slow worker looks like a dead one. Here
#    the launcher says it, since it sees its processes end. Each survivor asks it for the next generation, and all wait
#    until all who live have asked. That is a **barrier**.
# 2. All open new links, whose queues have the new generation's names.
# 3. All go back to the last checkpoint. One survivor may have finished a step that another has not: without going back
#    they would differ.
#
# Each worker goes on with as many rows as before. The batch is smaller with n − 1, so the learning rate shrinks with it
# (lesson 08).

# %% [markdown] exercise="survive"
# ### Exercise 4 · A trainer that survives
#
# Write `survive(me, steps, every, members, connect, load, save, step)`: what the worker of task `me` does, whoever dies.
# It gets five functions:
#
# * `members(generation)` waits until all who live have asked for that generation, and returns the list of their tasks, for
#   all in the same order, which need not be that of their numbers. The first generation is 0, and it is asked for, too.
#   A worker's rank is the place of `me` in this list, and n its length {#1}.
# * `connect(generation, ring)` takes that list and returns `(send, recv)`, the links of that generation. Each generation
#   needs its own {#2}.
# * `load()` returns `(k, weights)`, the last checkpoint: k steps are made. Each generation begins from it {#3}. Load
#   after `members` has returned: before, another worker may still be saving {#4}.
# * `step(k, rank, n, send, recv, weights)` makes the step number k, from 0, and returns the new weights. After `steps`
#   steps, return the weights {#5}.
# * `save(k, weights)` makes a checkpoint after k steps. Only the first of the ring saves {#6}, after each `every`-th
#   step {#7}, counted from the very first.
#
# When `step` raises `tf.errors.UnavailableError` or `tf.errors.DeadlineExceededError`, begin the next generation; that
# may happen several times {#8}. Any other error is not a death: let it out {#9}.
#
# Example: three workers, `steps=7`, `every=3`. One dies before step 5. The others ask for generation 1, load the
# checkpoint of 3 steps, and make the steps 3, 4, 5 and 6 as a ring of two; the first of them saves after 6 steps.
#
# Your function goes into a file: it may use `np` and `tf`, and functions that you write **inside** it.

# %% solution="survive" kind="process"
def survive(me, steps, every, members, connect, load, save, step):
    """Train in a ring, and go on in a smaller one when a worker dies.

    Args:
        me: str, this worker's task, such as "worker/1".
        steps: int, steps to make in all. every: int, steps from a checkpoint to the next.
        members, connect, load, save, step: functions, see the text of this exercise.
    Returns:
        the weights after all steps.
    """
    ### BEGIN SOLUTION
    generation = 0
    while True:
        ring = members(generation)
        rank, n = ring.index(me), len(ring)
        send, recv = connect(generation, ring)
        k, weights = load()
        try:
            while k < steps:
                weights = step(k, rank, n, send, recv, weights)
                k += 1
                if rank == 0 and k % every == 0:
                    save(k, weights)
            return weights
        except (tf.errors.UnavailableError, tf.errors.DeadlineExceededError):
            generation += 1
    ### END SOLUTION

def survived(workers, steps, every, deaths, broken_step=-1):
    """Given, for the checks: what threads make of your function, some of which die."""
    return survived_by_threads(survive, workers, steps, every, deaths, broken_step)

def survived_a_kill():
    """Given, for the checks: three real processes, one of which is killed."""
    return survived_by_processes(survive)

# %% try="survive"
# Three workers, seven steps, a checkpoint after each third; worker 1 dies before step 5.
try:
    record = survived(3, 7, 3, [(1, 5)])
    print("errors:", record["errors"], "rings:", record["rings"], "saved:", record["saved"])
    print("calls of worker 0:", record["events"]["worker/0"])
    print("weights:", record["weights"], "right:", record["right"])
except NotImplementedError as error:
    print(error)

# %% check="survive-calm" points=2 title="Nobody dies: all steps, and the checkpoints of the first"
import numpy as np

record = survived(3, 7, 3, [])
told = Told(
    asked="three workers, 7 steps, a checkpoint after each third, nobody dies: who saved when",
    got=record["saved"] if not any(record["errors"]) else record["errors"],
    expected="worker/0 after 3 and after 6 steps",
    reread="the text of exercise 4",
)
error = next((error for error in record["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
assert record["saved"], told("nobody saves")
assert {task for task, _ in record["saved"]} == {"worker/0"}, told(
    "others than the first of the ring save, too"
)
assert record["saved"] == [("worker/0", 3), ("worker/0", 6)], told(
    "it saves at other steps, or counts otherwise: k is the number of steps that are made"
)
told.asked, told.got, told.expected = "the weights at the end", record["weights"], record["right"]
assert all(np.shape(mine) == (2,) for mine in record["weights"]), told("it returns no weights")
assert all(np.array_equal(mine, record["right"]) for mine in record["weights"]), told()

# %% check="survive-order" points=2 title="After a death: who lives, new links, then the checkpoint"
record = survived(3, 7, 3, [(1, 5)])
told = Told(
    asked="what each survivor calls, in order, when worker 1 of three dies before step 5",
    got=record["events"],
    expected="members 0, connect 0, load; members 1, connect 1, load",
    reread="section 6, A death",
)
for calls in record["events"].values():
    assert "members 0" in calls, told("it does not ask for generation 0")
    assert "members 1" in calls, told("it does not ask for the next generation after the death")
for calls in record["events"].values():
    late = calls[calls.index("members 1") :]
    assert "connect 1" in late, told("it goes on with links of generation 0")
    before = calls[: calls.index("members 1")]
    assert calls[0] == "members 0" and before.count("load") < 2, told(
        "it loads before members has returned; another may still be saving"
    )
    assert "load" in late, told("it goes on from its own weights, not from the checkpoint")

# %% check="survive-error" points=1 title="An error of the program is no death"
for broken, kind in ((3, "InvalidArgumentError"), (1, "InternalError"), (2, "OSError")):
    record = survived(2, 4, 2, [], broken)
    told = Told(
        asked=f"the workers' errors, when step {broken} of each raises an {kind}",
        got=record["errors"],
        expected=f"{kind}: an error of the program itself",
        reread="the text of exercise 4",
    )
    assert all(record["errors"]), told("the error is swallowed")
    known = all(kind in error for error in record["errors"])
    assert known or broken != 3, told("it takes every error for a death, and begins another generation")
    assert known, told(f"it takes an {kind} for a death; only two kinds of error are one")

# %% hidden="survive-drawn" points=3 title="Two deaths, one of them of the first worker"
import numpy as np

workers, every = draw.choice([4, 5]), 3
deaths = [(0, draw.choice([4, 5])), (draw.choice([2, 3]), draw.choice([7, 8]))]
record = survived(workers, 10, every, deaths)
told = Told(
    asked=f"{workers} workers, 10 steps, every=3; deaths (worker, before step): {deaths}",
    got=record["weights"] if not any(record["errors"]) else record["errors"],
    expected=record["right"],
    reread="section 6, A death",
)
later = {task for task, k in record["saved"] if k > 5}
firsts, savers = {ring[0] for ring in record["rings"][1:]}, {task for task, _ in record["saved"]}
told.asked += f"; rings: {record['rings']}"
assert later <= firsts <= savers or any(record["errors"]), told(
    "after the death of worker 0 the new first of the ring does not save, or others do"
)
error = next((error for error in record["errors"] if error), "")
assert not error, told(f"a survivor ended with an error: {error}")
assert all(np.shape(mine) == (2,) for mine in record["weights"]), told("it returns no weights")
assert all(np.array_equal(mine, record["right"]) for mine in record["weights"]), told()

# %% hidden="survive-kill" points=3 title="Three real processes, one of them killed"
found = survived_a_kill()
told = Told(
    asked="60 steps of digits on three processes, of which worker 1 is killed after a checkpoint",
    got=found,
    expected="two end with the same weights, after rings of 3 and 2; accuracy over 0.8",
    reread="section 6, A death",
)
assert found["started"], told("the threads do not survive yet: the checks above say more")
assert not found["error"], told(f"a survivor ended with an error: {found['error']}")
assert found["left"] == 2 and found["equal"], told("the survivors' weights differ")
assert found["rings"] == [3, 2], told()
assert found["accuracy"] > 0.8, told()

# %% [markdown]
# The same in real processes: three train, and one is killed without notice (`SIGKILL`):

# %% grading="skip"
try:
    print(survived_a_kill())
except NotImplementedError as error:
    print("exercise 4:", error)

# %% [markdown]
# Now you are the accident. Three workers train until you end them; a row says what each has sent, how long it has waited,
# and in which generation it is. Kill one: how long do the others stand still, and from which step do they go on? Kill a
# second one: what does a ring of one send? There is no hurry.
#
# <details><summary>Picture for reading without a kernel</summary>
#
# ![Three workers, a row for each. worker/1 is dead since step 85 of generation 0, where it had rank 1 of 3. worker/0 and worker/2 live, in generation 1 with rank 0 and 1 of 2, and are at step 109. Bars show 3.8 megabytes sent by each that lives, and that each waited for a quarter of the time.](assets/12_board.svg)
#
# </details>

# %% include="ring_board.py"

# %% grading="skip"
try:
    board = ring_board(survive)
except NotImplementedError as error:
    board = None
    print("exercise 4:", error)

# %% [markdown]
# When you have seen enough, end them, here or by the button:

# %% grading="skip"
if board:
    board.end_all()

# %% [markdown]
# What is still missing for real life? The launcher itself may die. A worker that only was slow comes back and finds a
# ring without it: it has to end. The last step may be finished by one and not by the other. A worker that is started
# anew cannot join. Each of these is solved in a library (see the written question).

# %% [markdown]
# ## Sitting 3 · Less memory
#
# ## 7 Each keeps a part
#
# Adam keeps two **slots** for each weight: `m`, a running mean of its gradients, and `v`, one of their squares. In our
# ring every worker has all of them, three equal copies. That is a waste: each could keep the slots of one part of the
# weights, 1/n, update that part, and hand it round (lesson 09 calls this sharding; papers call it ZeRO, stage 1).
#
# It costs no further message. An all-reduce has two halves, and the update goes **between** them: `reduce_scatter`
# leaves worker i with chunk i of the sum; `all_gather` hands every worker's chunk round.

# %% grading="skip"
print(inspect.getsource(reduce_scatter))
print(inspect.getsource(all_gather))

# %% grading="skip"
def halves(i, n, send, recv):
    chunk = reduce_scatter(i, n, send, recv, np.float32([1, 2, 3, 4]) * 10**i)
    return chunk, all_gather(i, n, send, recv, chunk)


for i, (chunk, whole) in enumerate(in_ring(3, halves)["results"]):
    print(f"worker {i}: chunk {chunk.tolist()}, whole {whole.tolist()}")

# %% [markdown]
# Four numbers do not divide by 3: two zeros were added, so that each chunk has two numbers, and they are still there
# after `all_gather`.

# %% [markdown] exercise="sharded_adam"
# ### Exercise 5 · Adam, with a part of the slots
#
# Write `sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None)`: one step of worker i.
# It returns `(weights, state)`.
#
# * `reduce_scatter(flat)` returns chunk i of n of the padded **sum** over the workers. (Unlike those printed above, your
#   two functions know i, n and the link already.) The step is that of Adam with the **mean** of the workers'
#   gradients {#1}.
# * `state` is `(step, m, v)`: how many steps are made {#2}, and the slots of chunk i only, arrays of float32 {#3}.
#   Before the first step it is `None`: no step, slots of zeros.
# * With `g` for the mean gradient, a step is: `m = 0.9 m + 0.1 g`, `v = 0.999 v + 0.001 g²`. Since both began at zero,
#   they are corrected: `m / (1 - 0.9**step)`, `v / (1 - 0.999**step)`, where step is 1 in the first {#4}. The
#   weights change by `-rate` times the corrected m, divided by (the root of the corrected v, plus 1e-7) {#5}.
# * Worker i updates chunk i of the weights {#6}. `all_gather(chunk)` returns all chunks, with the padding. Call each of
#   the two once in a step, with float32, so that no more travels than in an all-reduce {#7}.
# * Return all new weights {#8}, as many as were given {#9}. `weights` and `gradients` are not changed {#10}.
#
# Example: two workers with weights `[1., 1.]`, gradients `[1., 2.]` and `[3., 4.]`, rate 0.1. Worker 0 gets `[4.]`, the
# mean is 2. The first step of Adam is as long as `rate`, so its chunk is now `[0.9]`, and both workers return
# `[0.9, 0.9]`. The state of worker 0 is `(1, [0.2], [0.004])`.
#
# It may use `np`, `tf`, and functions that you write **inside** it.

# %% solution="sharded_adam" kind="process"
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    """One step of Adam on n workers, each with 1/n of the slots.

    Args:
        i, n: int, rank of this worker and number of workers.
        reduce_scatter: function: chunk i of the padded sum of all workers' vectors.
        all_gather: function: all workers' chunks as one vector, padding included.
        weights, gradients: arrays of float32 of one dimension; the gradients are this worker's.
        rate: float, learning rate.
        state: None, or (step, m, v) of the step before.
    Returns:
        (weights, state).
    """
    ### BEGIN SOLUTION
    gradient = reduce_scatter(gradients) / np.float32(n)
    size = len(gradient)
    step, m, v = state or (0, np.zeros_like(gradient), np.zeros_like(gradient))
    step += 1
    m = np.float32(0.9) * m + np.float32(0.1) * gradient
    v = np.float32(0.999) * v + np.float32(0.001) * gradient**2
    mean = m / np.float32(1 - 0.9**step)
    square = v / np.float32(1 - 0.999**step)
    padded = np.pad(weights, (0, n * size - len(weights)))
    chunk = padded[i * size : (i + 1) * size]
    chunk = chunk - np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-7))
    return all_gather(chunk)[: len(weights)], (step, m, v)
    ### END SOLUTION

def adam_steps(n, length, steps, seed=0, rate=0.1):
    """Given, for the checks: what n threads make of your function, and what one process makes."""
    return adam_in_threads(sharded_adam, n, length, steps, seed, rate)

def plain_adam(weights, gradients, rate, **mistake):
    """Given, for the checks: the weights after plain Adam in one process."""
    return adam_alone(weights, gradients, rate, **mistake)

# %% try="sharded_adam"
try:
    found = adam_steps(3, 7, 2)
    right = plain_adam(found["before"], found["gradients"], 0.1)
    print("errors:", found["errors"])
    print("weights:", found["results"][0])
    print("alone:  ", right.round(6))
except NotImplementedError as error:
    print(error)

# %% check="sharded_adam-step" points=2 title="One step of two workers is one step of Adam"
import numpy as np

found = adam_steps(2, 6, 1)
before, gradients = found["before"], found["gradients"]
right = plain_adam(before, gradients, 0.1)
told = Told(
    asked=f"one step of two workers, weights {before.tolist()}, rate 0.1; half of the gradients about 1e-7",
    got=found["results"],
    expected=f"{right.round(4).tolist()} on each",
    reread="the text of exercise 5",
)
error = next((error for error in found["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
got = [np.asarray(result) for result in found["results"]]
assert not all(result.shape == (3,) for result in got), told("only the own chunk is returned: gather")
assert all(result.shape == (6,) for result in got), told("as many weights are returned as were given")
moved = [(result != before).reshape(2, 3).any(axis=1).tolist() for result in got]
assert moved != [[True, False], [False, True]], told(
    "each worker has only its own new chunk: nobody gathers the others'"
)

def same(other):
    return all(np.abs(result - other).max() < 1e-5 for result in got)

assert not same(plain_adam(before, 2 * gradients, 0.1)), told(
    "the sum of the gradients is used, not their mean; with 1e-7 in the formula that matters"
)
assert all(np.isfinite(result).all() for result in got), told(
    "weights that are no numbers: the corrections divide by 0 where the first step is counted as 0"
)
assert not same(2 * before - right), told("uphill: the weights change by minus the rate times ...")
assert not same(plain_adam(before, gradients, 0.1, corrected=False)), told(
    "m and v are not corrected for having begun at zero"
)
assert not same(plain_adam(before, gradients, 0.1, epsilon_in_root=True)), told(
    "1e-7 is inside the root; it is added to the root"
)
assert max(np.abs(result - before).max() for result in got) < 0.5, told(
    "weights moved further than Adam ever moves them: a chunk is in another's place, or v is not corrected"
)
assert same(right), told()

# %% check="sharded_adam-memory" points=2 title="Slots of a part, and the number of steps"
import numpy as np

found = adam_steps(3, 9, 2)
told = Told(
    asked="the states of three workers with 9 weights, after two steps",
    got=[states[-1] if states else None for states in found["states"]],
    expected="(2, m, v), where m and v have 3 numbers of float32",
    reread="section 7, Each keeps a part",
)
error = next((error for error in found["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
last = [states[-1] for states in found["states"]]
assert all(isinstance(s, (list, tuple)) and len(s) == 3 for s in last), told("a state is (step, m, v)")
sizes = {int(np.size(slot)) for state in last for slot in state[1:]}
assert sizes != {9}, told("each worker keeps the slots of all weights")
assert sizes == {3}, told()
assert all(np.asarray(slot).dtype == "float32" for state in last for slot in state[1:]), told(
    "the slots are not of float32: they take more memory than they need"
)
assert all(int(state[0]) == 2 for state in last), told("the number of steps is not kept")
told.asked = "how often each worker called the two functions in two steps, and what it gave to all_gather"
told.got = [found["calls"], found["gathered"]]
told.expected = "each twice, with 3 numbers of float32"
assert all(max(calls.values()) <= 2 for calls in found["calls"]), told(
    "more travels than in an all-reduce: gather the new weights, and nothing else"
)
gathered = {given for mine in found["gathered"] for given in mine}
assert {size for size, _ in gathered} <= {3}, told("what is gathered is not the own chunk")
assert gathered <= {(3, "float32")}, told("what is gathered is not of float32: twice the bytes")
told.asked = "of which dtype is what each worker gave to reduce_scatter in two steps"
told.got, told.expected = found["scattered"], "float32"
assert all(kind == "float32" for mine in found["scattered"] for kind in mine), told(
    "what is given to reduce_scatter is not of float32: twice the bytes"
)

# %% check="sharded_adam-argument" points=1 title="Weights and gradients stay as they were"
import numpy as np

found = adam_steps(2, 6, 1)
told = Told(
    asked="weights and gradients that were given, after a step",
    got="as before" if found["unchanged"] else "changed",
    expected="as before",
    reread="the text of exercise 5",
)
error = next((error for error in found["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
assert all(np.shape(result) == np.shape(found["before"]) for result in found["results"]), told(
    "it returns not as many weights as were given"
)
assert any(not np.array_equal(result, found["before"]) for result in found["results"]), told(
    "the weights that it returns are the first ones"
)
assert all(calls["reduce_scatter"] for calls in found["calls"]), told("a worker asks for nobody's gradients")
moves = [np.ptp(result - found["before"]) for result in found["results"]]
assert max(moves) > 1e-6, told("all weights change alike, whatever their gradients are")
assert found["unchanged"], told("what was given was changed in place; work on copies")

# %% hidden="sharded_adam-steps" points=3 title="Several steps, other numbers of workers, any length"
import numpy as np

for n, length in ((3, draw.choice([7, 8, 10])), (draw.choice([4, 5]), 6), (1, 5)):
    steps, rate = draw.choice([4, 5]), draw.choice([0.05, 0.1])
    found = adam_steps(n, length, steps, draw.randrange(10**6), rate)
    before, gradients = found["before"], found["gradients"]
    right = plain_adam(before, gradients, rate)
    told = Told(
        asked=f"{steps} steps of {n} workers, rate {rate}, weights {before.tolist()}",
        got=found["results"] if not any(found["errors"]) else found["errors"],
        expected=f"{right.round(4).tolist()} on each",
        reread="the text of exercise 5",
    )
    error = next((error for error in found["errors"] if error), "")
    assert not error, told(f"a worker ended with an error: {error}")
    got = [np.asarray(result) for result in found["results"]]
    padded = -(-length // n) * n
    assert padded == length or not all(r.shape == (padded,) for r in got), told(
        "the padding is returned, too"
    )
    assert all(r.shape == (length,) for r in got), told("as many weights are returned as were given")

    def same(other):
        return all(np.abs(result - other).max() < 1e-5 for result in got)

    assert not same(plain_adam(before, gradients, rate, step_kept=False)), told(
        "the correction takes each step for the first: the number of steps is not kept"
    )
    assert n == 1 or not same(plain_adam(before, n * gradients, rate)), told(
        "the sum of the gradients is used, not their mean"
    )
    assert not same(2 * before - right), told("uphill: the weights change by minus the rate times ...")
    assert same(right), told()

# %% [markdown]
# With the digits, sixty steps on three workers, beside plain Adam's memory:

# %% grading="skip"
try:
    found = digits_by_adam(sharded_adam, 3, data, 60)
    one = digits_by_adam(sharded_adam, 1, data, 60)
    print("errors:", [error for error in found["errors"] + one["errors"] if error])
    print("bytes of the slots: alone", one.get("slots"), "of three", found.get("slots"))
    print("bytes that worker 0 sends in a step:", found.get("bytes"))
    print("accuracy: alone", one.get("accuracy"), "of three", found.get("accuracy"))
except NotImplementedError as error:
    print("exercise 5:", error)

# %% [markdown]
# 4810 weights have 2 × 4810 numbers in slots, 38 480 bytes. Of three workers each keeps 2 × 1604 of them, 12 832 bytes.
# It sends 25 664 bytes in a step, as in section 4: 4 messages of 1604 numbers, as many and as large as in an all-reduce.

# %% [markdown]
# ## Sitting 4 · Less waiting, fewer bytes
#
# ## 8 While the gradients are still coming
#
# Your trainer computes all gradients, and only then sends them. But the backward pass begins at the **last** layer: its
# gradient is there long before that of the first. `backward` hands out each gradient as soon as it is known:

# %% include="ring_buckets.py"

# %% grading="skip"
print(inspect.getsource(backward))

# %% grading="skip"
deep = deep_weights(layers=4, wide=64)
for k, gradient in backward(deep, data["x"][:60], data["y"][:60]):
    print(f"weights[{k}]: gradient {gradient.shape}, {gradient.nbytes} bytes")

# %% [markdown]
# So sending could begin while the layers before are still computed. One message for each gradient would be too many
# (section 3); one for all is too late. In between are **buckets**: gradients are collected until they have so and so many
# bytes. PyTorch's `DistributedDataParallel` does that, with 25 MB in a bucket unless told otherwise
# ([`bucket_cap_mb`](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html)).
#
# All workers must cut the same buckets, or a worker adds a bias to a matrix. So a bucket ends by bytes, never by time.

# %% [markdown] exercise="sum_early"
# ### Exercise 6 · Send while you compute
#
# Write `sum_early(gradients, limit, start)`: it takes a worker's gradients as they come, and returns the sums over all
# workers.
#
# * `gradients` yields `(k, gradient)`, an int and an array of float32. To take the next one is to **compute** it.
#   Collect them in the order in which they come. As soon as they have `limit` **bytes** or more together, join them to one
#   vector and give it to `start`, before you take the next {#1}. The next bucket begins empty {#2}.
# * `start(flat)` begins an all-reduce in the background and returns at once: a **future** of `concurrent.futures`, whose
#   `result()` waits for the sum of all workers' vectors. Do not wait for one, by `result()` or otherwise, before the last
#   gradient is taken {#3} and the last bucket is given to `start` {#4}.
# * What has been collected after the last gradient is sent as well {#5}, an empty vector never {#6}.
# * Return a dict `{k: sum}`, each sum with the shape of its gradient {#7}. The gradients are not changed {#8}.
#
# Example: `limit` is 16, and the gradients have 2, 3 and 1 numbers: 8, 12 and 4 bytes. After the second there are 20
# bytes: `start` gets 5 numbers. The third is left over: `start` gets 1 number. Then you wait for both.
#
# Your function goes into a file: it may use `np`, `tf`, and functions that you write **inside** it.

# %% solution="sum_early" kind="process"
def sum_early(gradients, limit, start):
    """Sums of gradients over all workers, sent in buckets while the next are still computed.

    Args:
        gradients: iterator of (k, gradient), an int and an array of float32.
        limit: int, bytes that fill a bucket.
        start: function: start(array of one dimension) returns a future of the sum.
    Returns:
        dict {k: array like gradient}.
    """
    ### BEGIN SOLUTION
    sums, started, bucket = {}, [], []

    def send_bucket():
        flat = np.concatenate([gradient.reshape(-1) for _, gradient in bucket])
        started.append((list(bucket), start(flat)))
        bucket.clear()

    for k, gradient in gradients:
        bucket.append((k, gradient))
        if sum(gradient.nbytes for _, gradient in bucket) >= limit:
            send_bucket()
    if bucket:
        send_bucket()
    for parts, future in started:
        total, begin = future.result(), 0
        for k, gradient in parts:
            end = begin + gradient.size
            sums[k] = total[begin:end].reshape(gradient.shape)
            begin = end
    return sums
    ### END SOLUTION

def early(n, shapes, limit, seed=0):
    """Given, for the checks: your function in threads with real queues, and what it did in which order."""
    return early_in_threads(by_its_text(sum_early), n, shapes, limit, seed)

# %% try="sum_early"
# Gradients come from the last to the first: 1, 3 and 2 numbers.
try:
    record = early(2, [(2,), (3,), (1,)], 16)
    print("errors:", record["errors"])
    print("worker 0:", ", ".join(record["events"][0]))  # no more: there is no further gradient
    print("sums:", record["results"][0], "right:", record["right"])
except NotImplementedError as error:
    print(error)

# %% check="sum_early-sums" points=2 title="Three workers: each gradient's sum, in its shape"
import numpy as np

shapes = [(4, 3), (3,), (3, 5), (5,), (5, 2), (2,)]
record = early(3, shapes, 70)
told = Told(
    asked=f"sum_early on three workers with gradients of the shapes {shapes}, limit 70: keys and shapes",
    got=record["errors"],
    expected={k: shape for k, shape in enumerate(shapes)},
    reread="the text of exercise 6",
)
error = next((error for error in record["errors"] if error), "")
assert "NameError" not in error, told(
    f"only np, tf and what is written inside the function are known in its file: {error}"
)
assert not error, told(f"a worker ended with an error: {error}")
assert all(isinstance(result, dict) for result in record["results"]), told("it returns no dict")
told.got = {k: np.shape(array) for k, array in record["results"][0].items()}
assert all(set(result) >= set(range(len(shapes))) for result in record["results"]), told(
    "sums are missing: what is left over after the last gradient is not sent, or not taken apart"
)
assert all(set(result) == set(range(len(shapes))) for result in record["results"]), told()
assert all(np.shape(r[k]) == shapes[k] for r in record["results"] for k in r), told(
    "a sum has not the shape of its gradient"
)
told.asked, told.got, told.expected = "the sums", record["results"][0], record["right"]
assert all(np.array_equal(r[k], record["right"][k]) for r in record["results"] for k in r), told(
    "a sum is another's: parts of a vector are as long as their gradients, in the order of before"
)
told.asked, told.got, told.expected = "the gradients, after it", "changed", "as before"
assert record["unchanged"], told("the gradients were changed in place")

# %% check="sum_early-order" points=3 title="What is sent when, and when it waits"
shapes = [(4, 3), (3,), (3, 5), (5,), (5, 2), (2,)]
limit = 60
record = early(2, shapes, limit)
done = record["events"][0]
right = ["take 5", "take 4", "take 3", "send 68 bytes", "take 2", "send 60 bytes"]
right += ["take 1", "take 0", "send 60 bytes"]
told = Told(
    asked=f"what sum_early does, in order; gradients of 8, 40, 20, 60, 12 and 48 bytes, limit {limit}",
    got=", ".join(done),
    expected=", ".join([*right, "wait, ..."]),
    reread="the text of exercise 6",
)
error = next((error for error in record["errors"] if error), "")
assert not error, told(f"a worker ended with an error: {error}")
takes = [place for place, what in enumerate(done) if what.startswith("take")]
sends = [place for place, what in enumerate(done) if what.startswith("send")]
waits = [place for place, what in enumerate(done) if what == "wait"]
assert len(takes) == len(shapes), told("not all gradients are taken")
assert sends, told("nothing is given to start")
assert not waits or waits[0] > takes[-1], told(
    "it waits for a sum while gradients are still to come: nothing is computed meanwhile"
)
assert not waits or waits[0] > sends[-1], told("it waits before the last bucket is sent")
assert sends[0] < takes[-1] or len(sends) > 1, told(
    "one vector when all gradients are there: nothing is sent while they are computed; limit is in bytes"
)
assert sends[0] < takes[-1], told("all gradients are taken before the first is sent")
sizes = [int(done[place].split()[1]) for place in sends]
assert 0 not in sizes, told("an empty vector is sent")
assert len(sizes) < len(shapes), told("each gradient is sent by itself; limit is not used")
assert sum(sizes) <= 188, told("gradients are sent more than once: the bucket is not emptied")
assert sum(sizes) == 188, told("some gradients are never sent")
assert sizes[0] != 48, told("a bucket ends before it has limit bytes")
assert 72 not in sizes, told("a bucket that has just limit bytes is full, too")
assert sizes != [68, 60, 12, 48], told(
    "after the first bucket each gradient goes by itself: the count of bytes does not begin at 0 again"
)
in_order = [what for what in done if what[:4] in ("take", "send")]
assert in_order == right or sizes != [68, 60, 60], told(
    "a full bucket is sent only after the next gradient is taken: send it before"
)
assert in_order == right, told()

# %% hidden="sum_early-drawn" points=3 title="Other shapes, limits and numbers of workers"
import numpy as np

def wanted(shapes, limit):
    events, size = [], 0
    for k in reversed(range(len(shapes))):
        events.append(f"take {k}")
        size += 4 * int(np.prod(shapes[k]))
        if size >= limit or k == 0:
            events.append(f"send {size} bytes")
            size = 0
    return events

for n, last in ((2, (1,)), (3, (11,)), (draw.choice([2, 4]), (1,))):
    limit = draw.choice([25, 33, 41])
    shapes = [(draw.randrange(2, 5), draw.randrange(1, 4)) for _ in range(draw.randrange(3, 6))]
    shapes += [(draw.randrange(1, 4),) for _ in range(3)]
    shapes = [last, (11,), *shapes]  # the last to come is left over, or fills a bucket
    if n == 3:  # the first two fill a bucket just so
        limit = 4 * (shapes[-1][0] + shapes[-2][0])
    record = early(n, shapes, limit, draw.randrange(10**6))
    done, right = record["events"][0], wanted(shapes, limit)
    told = Told(
        asked=f"what sum_early does, in order; {n} workers, limit {limit}, gradients {shapes}",
        got=", ".join(done) if not any(record["errors"]) else record["errors"],
        expected=", ".join([*right, "wait, ..."]),
        reread="the text of exercise 6",
    )
    error = next((error for error in record["errors"] if error), "")
    assert not error, told(f"a worker ended with an error: {error}")
    assert "send 0 bytes" not in done, told("an empty vector is sent")
    lasts = [place for place, what in enumerate(done) if what[:4] in ("take", "send")]
    assert "wait" not in done[: lasts[-1]], told("it waits before all is taken and sent")
    sent = sum(int(what.split()[1]) for what in done if what.startswith("send"))
    total = 4 * sum(int(np.prod(shape)) for shape in shapes)
    assert sent >= total, told("what is left over after the last gradient is not sent")
    assert [done[place] for place in lasts] == right, told(
        "buckets end elsewhere: as soon as there are limit bytes or more together"
    )
    told.got, told.expected = record["results"][0], record["right"]
    same = [
        set(r) == set(record["right"])
        and all(np.array_equal(r[k], record["right"][k]) for k in record["right"])
        for r in record["results"]
    ]
    assert all(same), told("the sums are not right on all workers")
    assert record["unchanged"], told("the gradients were changed in place")

# %% [markdown]
# Does it pay? Two processes, each with one thread for computing, train a network of six layers, 4.4 MB of weights, with
# 4096 rows each. Two links: this machine's own, and one of 50 megabytes a second (the sender sleeps as long as such a
# network would need). Three sizes of a bucket; half a minute:

# %% predict="buckets"
# Predict: over the slow link, which has the shortest step?
# "one vector", "buckets of 1 MB" or "each gradient by itself"
shortest_step = ...

# %% grading="skip"
import itertools

SIZES = {"one vector": 10**9, "buckets of 1 MB": 10**6, "each gradient by itself": 1}
LINKS = {"as it is": 0, "50 MB/s": 50e6}
try:
    early(2, [(2,)], 1)
    plans = [(size, rate) for rate in LINKS.values() for size in SIZES.values()]
    timed_runs = train_in_buckets(sum_early, all_reduce, plans)
    for (link, name), run in zip(itertools.product(LINKS, SIZES), timed_runs):
        waits = f"{1000 * run['step']:5.0f} ms a step, {1000 * run['wait']:4.0f} ms of it waiting"
        print(f"link {link:9} {name:24} {run['buckets']:2} buckets {waits}")
except (NotImplementedError, ClusterError) as error:
    timed_runs = []
    print("exercise 6:", error)

# %% grading="skip"
if timed_runs:
    slow = dict(zip(SIZES, timed_runs[len(SIZES) :]))
    draw_buckets({name: slow[name] for name in ("one vector", "buckets of 1 MB")})
    best, second, _ = sorted(slow, key=lambda name: slow[name]["step"])
    if slow[best]["step"] < 0.9 * slow[second]["step"]:
        compare_prediction("shortest step", shortest_step, best, "by a tenth at least")
    else:
        print(f"{best} and {second} are too close to name one.")
        print("On a machine with other work, run both cells again.")

# %% [markdown]
# The pictures are one step each, by clocks in the program: computing above, the all-reduces of the other thread below.
# With one vector the all-reduce begins when all is computed. With buckets it begins while the upper layers' gradients
# are there and the lower ones are not.
#
# On a machine with two cores we measured in one run, in milliseconds a step, and of it waiting:
#
# | | one vector | buckets of 1 MB | each by itself |
# | --- | --- | --- | --- |
# | this machine's link | 376, waiting 30 | 390, waiting 12 | 470, waiting 35 |
# | 50 MB/s | 478, waiting 116 | **393**, waiting 37 | 458, waiting 65 |
#
# Over the slow link buckets took 0.82 of the time. On the machine's own link they won **nothing**: there "sending" is
# copying, which needs the same two cores as computing, so whoever overlaps them makes both slower. What a network card
# sends costs no core; that is the case in which all libraries do this. Too small a bucket costs in both: each all-reduce
# has its own 2 (n − 1) messages, one after the other. And the last bucket always comes too late to hide: it holds the
# first layer, whose gradient is the last.
#
# ## 9 Fewer bytes
#
# The other way to less waiting is to send less. A gradient is noisy anyway: does it need 32 bits? Lesson 08 had `bfloat16`:
# the range of float32 with 8 bits for the digits, in two bytes. The simplest idea is to round what is sent and to widen
# what comes:

# %% include="ring_traffic.py"

# %% grading="skip"
print(inspect.getsource(in_16_bits))


def by_narrow_link(i, n, send, recv, flat):
    def send_narrow(array):
        send(in_16_bits(array))

    def recv_wide():
        return recv().astype(np.float32)

    chunk = reduce_scatter(i, n, send_narrow, recv_wide, flat)
    return all_gather(i, n, send_narrow, recv_wide, chunk)[: len(flat)]


def by_wide_link(i, n, send, recv, flat):
    chunk = reduce_scatter(i, n, send, recv, flat)
    return all_gather(i, n, send, recv, chunk)[: len(flat)]

# %% predict="drift"
# Predict: after 150 steps, are the weights of the three workers still equal? "yes" or "no"
still_equal = ...

# %% grading="skip"
runs = {
    "float32": digits_by_sums(by_wide_link, data, 150),
    "a narrow link": digits_by_sums(by_narrow_link, data, 150),
}
show_digits(runs)
came = "no" if runs["a narrow link"]["apart"] else "yes"
why = "Who adds up a chunk keeps the sum in 32 bits; the others get it rounded."
compare_prediction("equal", still_equal, came, why)

# %% [markdown]
# Half the bytes and the same accuracy, but the replicas **drift apart**: a little in each step, and nothing ever brings
# them together again. No error says so; only who compares the weights sees it.

# %% [markdown] exercise="narrow"
# ### Exercise 7 · 16 bits, and no drift
#
# Write `narrow_all_reduce(i, n, send, recv, flat)`: an all-reduce like that of exercise 2, with half the bytes.
#
# * `flat` is of float32, and any length is possible. Each worker sends at most 2 (n − 1) messages of one chunk {#1}, all
#   of bfloat16: `tf.bfloat16.as_numpy_dtype` is the dtype for NumPy {#2}.
# * What comes is added in float32 to a worker's own numbers, which are **not** rounded before {#3}. Only what is sent is
#   rounded; in the end each chunk's sum is sent, too.
# * Each worker gets the sum, up to this rounding {#4}, as float32 {#5}, with the length of `flat` {#6}, and all get the
#   same **to the last bit** {#7}.
# * `flat` is not changed {#8}.
#
# Example: two workers with `[1., 2.]` and `[10., 300.3]` both get `[11., 302.]`: bfloat16 has no number between 302 and
# 304.
#
# Your function goes into a file: it may use `np`, `tf`, and functions that you write **inside** it.

# %% solution="narrow" kind="process"
def narrow_all_reduce(i, n, send, recv, flat):
    """The sum of all workers' vectors, by chunks of bfloat16 that go round the ring.

    Args:
        i, n: int, this worker's rank and the number of workers, at least 2.
        send, recv: functions, the links of the ring, as in exercise 2.
        flat: array of one dimension, float32.
    Returns:
        array like flat, the same on all workers.
    """
    ### BEGIN SOLUTION
    narrow = tf.bfloat16.as_numpy_dtype
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], np.float32)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n].astype(narrow))
        chunks[(i - step - 1) % n] += recv().astype(np.float32)
    own = (i + 1) % n  # the others will have it rounded
    chunks[own] = chunks[own].astype(narrow)
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n].astype(narrow))
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
    ### END SOLUTION

def narrowed(vectors):
    """Given, for the checks: your function in threads with real queues, and all that it sent."""
    return reduce_in_threads(by_its_text(narrow_all_reduce), vectors)

# %% try="narrow"
try:
    record = narrowed([np.float32([1, 2]), np.float32([10, 300.3])])
    print("errors:", record["errors"], "sums:", [np.array(r).tolist() for r in record["results"]])
except NotImplementedError as error:
    print(error)

# %% check="narrow-bytes" points=2 title="Half the bytes, and still the sum"
import numpy as np

vectors = [np.float32(range(10)) * 1.37 + i for i in range(4)]
record = narrowed(vectors)
messages = [[np.asarray(message) for message in mine] for mine in record["sent"]]
told = Told(
    asked="dtype and bytes of all messages of four workers with 10 numbers",
    got=[[(message.dtype.name, message.nbytes) for message in mine] for mine in messages],
    expected="at most six messages from each, bfloat16, 6 bytes",
    reread="section 9, Fewer bytes",
)
error = next((error for error in record["errors"] if error), "")
assert "NameError" not in error, told(
    f"only np, tf and what is written inside the function are known in its file: {error}"
)
assert not error, told(f"a worker ended with an error: {error}")
kinds = {message.dtype.name for mine in messages for message in mine}
assert kinds, told("nobody sends anything")
assert "float16" not in kinds, told(
    "float16 has half the bytes, too, but not the range: over 65504 it says inf"
)
assert kinds == {"bfloat16"}, told("not all messages are of bfloat16; also the sums are sent in it")
assert all(len(mine) <= 6 and all(m.nbytes <= 6 for m in mine) for mine in messages), told(
    "more is sent than 2 (n - 1) messages of one chunk"
)
told.asked, told.got, told.expected = "the sums", record["results"], sum(vectors)
got = [np.asarray(result) for result in record["results"]]
assert all(result.shape == (10,) for result in got), told("a result has another length than flat")
assert not all(np.allclose(4 * r.astype("float32"), sum(vectors), rtol=0.02) for r in got), told(
    "the sums are divided by n: an all-reduce adds"
)
assert all(np.allclose(result.astype("float32"), sum(vectors), rtol=0.02) for result in got), told()
kinds = {result.dtype.name for result in got}
told.asked, told.got, told.expected = "dtype of the results", sorted(kinds), "float32"
assert kinds == {"float32"}, told("the results are not of float32")

# %% check="narrow-equal" points=2 title="All workers have the same, to the last bit"
import numpy as np

vectors = [np.float32(np.random.RandomState(i).normal(size=9)) for i in range(3)]
record = narrowed(vectors)
told = Told(
    asked="the results of three workers",
    got=record["results"] if not any(record["errors"]) else record["errors"],
    expected="three times the same numbers",
    reread="section 9, Fewer bytes",
)
assert not any(record["errors"]), told(f"a worker failed: {max(record['errors'])}")
got = [np.asarray(result, np.float32) for result in record["results"]]
assert all(result.shape == (9,) for result in got), told("a result has another length than flat")
assert all(np.array_equal(result, got[0]) for result in got), told(
    "who adds up a chunk keeps it in 32 bits, and the others get it in 16: round your own, too"
)
assert np.allclose(got[0], sum(vectors), atol=0.1), told("the sum is not right")
told.asked, told.got, told.expected = "the arguments, after it", record["arguments"], vectors
same = [np.array_equal(now, before) for now, before in zip(record["arguments"], vectors)]
assert all(same), told("flat was changed: work on a copy")

# %% hidden="narrow-lengths" points=2 title="Any length, any number of workers, large numbers"
import numpy as np

for n, length in ((3, 7), (draw.choice([4, 5]), draw.choice([3, 9, 11])), (2, 1)):
    random = np.random.RandomState(draw.randrange(10**6))
    vectors = [np.float32(random.normal(size=length) * 10 ** draw.choice([-7, 0, 6])) for _ in range(n)]
    record = narrowed(vectors)
    told = Told(
        asked=f"narrow_all_reduce of {n} workers with {length} numbers each: {vectors}",
        got=record["results"] if not any(record["errors"]) else record["errors"],
        expected=sum(vectors),
        reread="the text of exercise 7",
    )
    assert not any(record["errors"]), told(f"a worker failed: {max(record['errors'])}")
    got = [np.asarray(result, np.float32) for result in record["results"]]
    assert all(result.shape == (length,) for result in got), told(
        "the result has not the length of flat: cut off what was added"
    )
    most = n * 2.0**-8 * sum(np.abs(vector) for vector in vectors)
    assert all((np.abs(result - sum(vectors)) <= most).all() for result in got), told(
        "the sum is wrong by more than the rounding"
    )
    assert all(np.array_equal(result, got[0]) for result in got), told("the workers differ")
    assert all(
        np.asarray(message).nbytes <= 2 * -(-length // n) and np.asarray(message).dtype.name == "bfloat16"
        for mine in record["sent"]
        for message in mine
    ), told("a message has more than a chunk's bytes of bfloat16")
    assert max(map(len, record["sent"])) <= 2 * (n - 1), told("more than 2 (n - 1) messages")

# %% hidden="narrow-adds" points=1 title="Only what is sent is rounded"
import numpy as np
import tensorflow as tf

def rounding_of(vector):
    rounded = vector.astype(tf.bfloat16.as_numpy_dtype).astype(np.float32)
    return float(np.sqrt(np.mean((rounded - vector) ** 2)))

random = np.random.RandomState(draw.randrange(10**6))
first = np.float32(random.uniform(1, 2, 4000))
vectors = [first, np.float32(-first * random.uniform(0.6, 0.9, 4000))]
record = narrowed(vectors)
told = Told(
    asked="how far results are from the sum on average, for 4000 numbers that nearly cancel",
    got=record["errors"],
    expected="as far as a rounding of what is sent makes it",
    reread="the text of exercise 7",
)
assert not any(record["errors"]), told(f"a worker failed: {max(record['errors'])}")
got = [np.asarray(result, np.float32) for result in record["results"]]
assert all(result.shape == (4000,) for result in got), told("a result has another length than flat")
apart = float(np.sqrt(np.mean((got[0] - sum(vectors)) ** 2)))
most = max(rounding_of(vector) for vector in vectors)  # only one of the two is sent
told.got, told.expected = f"{apart:.2e}", f"at most about {most:.2e}"
assert apart < 3 * most, told("the sum is wrong by more than the rounding")
assert apart < 1.12 * most, told(
    "a worker's own numbers are rounded before they are added: add in float32"
)

# %% [markdown]
# Your all-reduce beside the others:

# %% grading="skip"
try:
    runs["yours, 16 bits"] = digits_by_sums(by_its_text(narrow_all_reduce), data, 150)
    show_digits(runs)
except NotImplementedError as error:
    print("exercise 7:", error)

# %% [markdown]
# Can it be less than half? Most entries of a gradient are small. What if each worker sends only the largest hundredth
# of them, with their places, and forgets the rest? What is forgotten may point the same way in each step: small,
# but never heard. So whoever sends a part keeps the rest and **adds it to the next gradient**: what is small and steady
# grows until it is among the largest. This is **error feedback**.

# %% [markdown] exercise="top_k"
# ### Exercise 8 · Only the largest
#
# Write `top_k(gradient, k, left)`: which entries of its gradient a worker sends in a step. It returns
# `(places, values, left)`.
#
# * `left` is what the step before has left, an array like `gradient`; before the first step it is `None`. It is added to
#   the gradient first {#1}.
# * Of this sum the k entries with the largest absolute values are sent {#2}: `places` are their indices, an array of k
#   ints in any order; `values` are the entries themselves, with their signs, in the same order, of float32 {#3}.
# * The new `left` is the sum without what is sent: 0 at these places {#4}, an array of float32 like `gradient`.
# * What is given is not changed {#5}.
#
# Example: `top_k(np.float32([3, -5, 1]), 1, None)` is `([1], [-5.], [3., 0., 1.])`. With this `left`, the gradient
# `[2, 1, -1]` makes `[5, 1, 0]`, and `([0], [5.], [0., 1., 0.])` comes back.

# %% solution="top_k" kind="process"
def top_k(gradient, k, left):
    """The k largest entries of a gradient and of what was left before; the rest is kept.

    Args:
        gradient: array of one dimension, float32.
        k: int, 1 to len(gradient).
        left: None, or array like gradient.
    Returns:
        (places, values, left): k ints, k float32, an array like gradient.
    """
    ### BEGIN SOLUTION
    total = np.array(gradient) if left is None else gradient + left
    places = np.argsort(-np.abs(total))[:k]
    values = total[places]
    total[places] = 0
    return places, values, total
    ### END SOLUTION

def in_steps(gradients, k):
    """Given, for the checks: what your function returns in each step; whether it changes what is given."""
    import copy

    answers, left, unchanged = [], None, True
    for gradient in gradients:
        given, before = np.array(gradient), None if left is None else np.array(left)
        answer = top_k(given, k, left)
        unchanged = unchanged and np.array_equal(given, gradient)
        unchanged = unchanged and (before is None or np.array_equal(left, before))
        answers.append(copy.deepcopy(answer))
        left = answer[2]
    return {"answers": answers, "unchanged": unchanged}

# %% try="top_k"
try:
    places, values, left = top_k(np.float32([3, -5, 1]), 1, None)
    print(places, values, left)
    print(*top_k(np.float32([2, 1, -1]), 1, left))
except NotImplementedError as error:
    print(error)

# %% check="top_k-steps" points=2 title="Three steps: what is sent, and what stays"
import numpy as np

gradients = [np.float32(g) for g in ([3, -5, 1, 0.5], [2, 1, 1.5, -4], [0.5, 0.25, 5, 4])]
found = in_steps(gradients, 2)
told = Told(
    asked=f"three steps with the gradients {[g.tolist() for g in gradients]}, k=2",
    got=found["answers"],
    expected="[0, 1], [3, -5], left [0, 0, 1, 0.5]; then [2, 3], [2.5, -3.5], left [2, 1, 0, 0]; "
    "then [2, 3], [5, 4], left [2.5, 1.25, 0, 0]",
    reread="the text of exercise 8",
)
answers = found["answers"]
assert all(isinstance(answer, (list, tuple)) and len(answer) == 3 for answer in answers), told(
    "it returns three things"
)
answers = [[np.asarray(part) for part in answer] for answer in answers]
assert all(p.shape == v.shape == (2,) for p, v, _ in answers), told("places and values have k entries")
assert all(p.dtype.kind in "iu" for p, _, _ in answers), told("places are ints")
assert all(rest.shape == (4,) for _, _, rest in answers), told("left is an array like gradient")
pairs = [dict(zip(p.tolist(), v.tolist())) for p, v, _ in answers]
assert set(pairs[0]) != {0, 2}, told(
    "the largest values are taken, without the negative ones; largest means far from 0"
)
assert set(pairs[0]) == {0, 1}, told("the entries are not those that are farthest from 0")
assert min(pairs[0].values()) < 0, told("values have lost their signs")
assert pairs[0] == {0: 3.0, 1: -5.0}, told()
assert np.array_equal(answers[0][2], [0, 0, 1, 0.5]), told(
    "left is what is not sent: the sum, with 0 at the places that are sent"
)
assert pairs[1] != {0: 2.0, 3: -4.0}, told("what was left before is not added")
assert set(pairs[1]) != {0, 3}, told("places are chosen by the gradient alone, without what was left")
assert pairs[1] != {2: 1.5, 3: -4.0}, told("values are those of the gradient, without what was left")
assert pairs[1] == {2: 2.5, 3: -3.5}, told()
assert np.array_equal(answers[1][2], [2, 1, 0, 0]), told("left is not what is not sent")
assert not np.array_equal(answers[2][2], [0.5, 0.25, 0, 0]), told(
    "what was left before, and is not sent now either, is lost: left is the sum without what is sent"
)
assert np.array_equal(answers[2][2], [2.5, 1.25, 0, 0]), told("left is not what is not sent")
told.asked, told.got, told.expected = "gradient and left, after it", "changed", "as before"
assert found["unchanged"], told("what was given was changed in place; work on a copy")

# %% hidden="top_k-drawn" points=3 title="Many steps: nothing is lost, and no more is sent than k entries"
import numpy as np

random = np.random.RandomState(draw.randrange(10**6))
size, k = draw.randrange(40, 60), draw.choice([1, 3, 5])
gradients = [
    np.float32(random.permutation(2 * size)[:size] - size + random.uniform(0.1, 0.4)) for _ in range(8)
]
found = in_steps(gradients, k)
left, sent, total = np.zeros(size, np.float32), np.zeros(size), np.zeros(size)
for step, (gradient, answer) in enumerate(zip(gradients, found["answers"])):
    wanted = gradient + left
    places, values, left = map(np.asarray, answer)
    told = Told(
        asked=f"step {step + 1} with gradients of {size} entries, k={k}: the places",
        got=np.sort(places),
        expected=np.sort(np.argsort(-np.abs(wanted))[:k]),
        reread="the text of exercise 8",
    )
    assert places.shape == values.shape == (k,), told("places and values have k entries")
    threshold = np.sort(np.abs(wanted))[-k]
    assert len(set(places.tolist())) == k and (np.abs(wanted[places]) >= threshold - 1e-5).all(), told(
        "they are not those with the largest absolute values of the gradient and what was left"
    )
    told.asked, told.got, told.expected = "their values", values, wanted[places]
    assert np.allclose(values, wanted[places], atol=1e-5), told(
        "values are those of the sum at these places, with their signs"
    )
    told.got, told.expected = f"values of {values.dtype}, left of {left.dtype}", "float32"
    assert values.dtype == left.dtype == np.float32, told("not of float32")
    np.add.at(sent, places, values)
    total += gradient
    told.asked, told.got = f"all that was sent in {step + 1} steps, and what is left", sent + left
    told.expected = total
    assert np.shape(left) == (size,) and np.allclose(sent + left, total, atol=1e-3), told(
        "what is not sent is lost, or stays though it is sent"
    )
told.asked, told.got, told.expected = "gradient and left, after it", "changed", "as before"
assert found["unchanged"], told("what was given was changed in place")

# %% [markdown]
# 48 of 4810 entries, with and without what is left:

# %% grading="skip"
try:
    runs["the largest 1 %, alone"] = digits_by_largest(top_k, 48, data, 150, keep=False)
    runs["... and what is left"] = digits_by_largest(top_k, 48, data, 150)
    show_digits(runs)
except NotImplementedError as error:
    print("exercise 8:", error)

# %% [markdown]
# A place is an int32 and a value a float32, so an entry costs 8 bytes; and there is no sum on the way, since each
# worker sends other places: all entries of all workers go round, (n − 1) × 48 × 8 = 768 bytes from each. With eight
# workers it would be 2688, with a hundred 38 016, as many as a ring of float32 sends. And it does not come free: 150
# steps end a little below those with all bytes. Sent alone, without what is left, they end far below.
#
# **For those who want more.** With 16 bits and the two halves of section 7 the *weights* can be shared out, too. Each
# worker keeps one chunk of them in float32, its **master**. `reduce_scatter` brings the gradient of the own chunk; then all
# gather a copy of 16 bits, with which they compute the next step. Papers call it ZeRO, stage 3; PyTorch has it as FSDP.

# %% grading="skip"
def by_full_shards(i, n, send, recv, weights, gradient, master):
    mean = reduce_scatter(i, n, send, recv, gradient) / np.float32(n)
    if master is None:
        padded = np.pad(weights, (0, n * len(mean) - len(weights)))
        master = padded[i * len(mean) : (i + 1) * len(mean)]
    master = master - np.float32(0.3) * mean
    copies = all_gather(i, n, send, recv, in_16_bits(master))
    return np.float32(copies)[: len(weights)], master


runs["weights shared out"] = trained_digits(by_full_shards, data, 150, 3)
show_digits(runs)

# %% [markdown]
# The bytes are half an all-reduce of float32, 12 832, and half of one of 16 bits, 6416. What a worker has to keep is its
# master, 1604 weights of 4 bytes instead of 4810. The copy is for one step only: in a large network one gathers it layer
# by layer, and drops each layer after its use. If the 16-bit weights themselves were updated, small steps would be
# rounded away: lesson 08 lost them just so.

# %% [markdown]
# ## Recap
#
# Back to the company. **Nobody can say for whom a machine waits**: in a ring each waits for one only, the worker before,
# and with a limit on each wait the first who gives up names the queue that stayed empty. **Twice the traffic**: whole vectors, or float64, or a
# parameter server through whose one link all goes; count the bytes of your own messages and compare with 2 (n − 1)/n.
#
# 1. `TF_CONFIG` says who is next; nobody has to be asked. A queue lies on the receiver's task, and its name has the
#    generation, so that an old message never comes into a new sum.
# 2. All-reduce: n − 1 steps that add, n − 1 that hand round. Send first, then receive. Each wait has a limit.
# 3. Gradients of the mean over the *whole* batch, as one vector: then n workers compute what one computes.
# 4. Equal to the last bit among themselves, equal up to rounding to one process: check both.
# 5. Who sends to the dead gets an error, who receives gets none: only a limit helps. Then: who lives, new links, the last
#    checkpoint.
# 6. Your own code loses where messages are small, and all lose to one process where a step is short. Count before you
#    blame.
# 7. Slots can be shared out: reduce-scatter, update the own chunk, gather. The messages stay as many.
# 8. Buckets go while the backward pass still runs; where a bucket ends is the same on all workers. It pays where the
#    link is what one waits for.
# 9. Fewer bits: round what you keep as you round what you send, or replicas drift. Fewer entries: keep what is left.
#
# | question | where the answer is |
# | --- | --- |
# | Who waits for whom? | each for the worker before; the limit's error names the queue that stayed empty |
# | Too many bytes? | size and number of messages, beside 2 (n − 1)/n of the vector |
# | Is the result right? | weights beside those of one process, uneven batches too |
# | Do the workers drift apart? | compare their weights to the last bit |
#
# **Read on:** [Bringing HPC techniques to deep learning](https://andrew.gibiansky.com/blog/machine-learning/baidu-allreduce/),
# on the ring; [Horovod](https://arxiv.org/abs/1802.05799), which made it known; lesson 09 on sharding what a ring moves.

# %% [markdown] exercise="stop"
# ### Exercise 9 · In your own words
#
# Your trainer works. A colleague proposes to use it for the company's next model, on eight machines with four GPUs each,
# for three weeks. Where would you stop building your own, and why? Answer in four to seven sentences: what you would
# keep of it, what you would take from TensorFlow or another library instead, and what you would measure before you decide.

# %% [markdown] written="stop" points=3
# ### BEGIN SOLUTION
# Keep the tests, take the collectives from a library, and measure both before.
# ### END SOLUTION

# %% [markdown] model="stop"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# I would keep the tests: that n workers compute what one computes, also with uneven batches, that workers are equal to
# the last bit, and the count of bytes. They hold for any all-reduce, and would have found the company's problem. I would
# not send gradients by my own queues: between GPUs a library such as NCCL copies directly from card to card, and it
# overlaps sending with computing, while mine copies everything through Python. Over three weeks machines die: mine
# goes on with fewer, but never takes one back, and its launcher must not die; I would take a library's restarts,
# which others have tested. Its servers ask for no password. Before deciding I would measure both on two of the machines with the
# real size of the gradients: seconds a step, bytes a worker, and which part of a step is waiting. If the waiting is small,
# the simple one may do; it is code that we understand.
#
# One point each: what is worth keeping (tests, counts, bounded waits); what others do better, with a reason (GPUs,
# overlap, deaths, security); a measurement that decides.
# </details>
