# %% [markdown] minutes=120 exercises=60 gives="start a cluster of processes, say what travels in it and what outlives whom, tell its failures apart, bring a lost model back" after="04"
# # Lesson 06 · Clusters
#
# **A problem from work.** It is Monday. A training job on ten machines was started on Friday; on Sunday night it stood
# still. Its client, the program that ran it, has ended, and nobody saved the model. Two of the machines do not reply,
# the others look idle. A colleague wants to restart everything at once. Before that, three questions need an answer:
# which machine has failed, and how; is the model lost; and who else was able to reach those machines all weekend?
#
# After this lesson you can
#
# 1. describe a group of cooperating processes so that each of them knows its part, and find the mistake in a wrong
#    description;
# 2. say which op runs in which process, and count the bytes that travel between them;
# 3. say what is lost when a process ends, get a lost model back, and tell a process that is dead from one that is
#    frozen or cannot be reached.
#
# **Hardware:** CPU only. Every server here is a real process on your machine, and everything between them really goes
# through the network code. No GPU is used.

# %% include="quiet_start.py"

# %% include="checks.py placement_record.py placement_picture.py local_cluster.py cluster_picture.py triage_drill.py survive_drill.py"

# %% [markdown]
# ## Sitting 1 · Processes that work together
#
# ![A client on the left sends a graph and run requests to the task worker/0, whose master service splits the graph. Three boxes are the worker services of worker/0, ps/0 and ps/1. worker/0 computes; ps/0 and ps/1 hold one variable each. Dashed arrows carry the variables' values from both ps tasks to worker/0.](assets/06_cluster.svg)
#
# A **cluster** is a set of server processes, the **tasks**. Tasks with the same purpose form a **job**. Your program is
# the **client**: it builds a graph and sends it to one task. That task's **master service** splits the graph over all
# tasks. Each task's **worker service** runs its part and sends values to the others.
#
# ## 1 One task: hello
#
# The smallest cluster is one server. This program starts it and is its client too. `LocalCluster`, one of this course's
# helpers, runs it in a process of its own. The helper keeps one process that has imported TensorFlow, and makes every
# other one a copy of it. So only the first start in a notebook takes some seconds.

# %% grading="skip"
%%writefile hello.py
import tensorflow as tf

v1 = tf.compat.v1
server = tf.distribute.Server.create_local_server()
with tf.Graph().as_default() as graph:
    hello = tf.constant("Hello, distributed TensorFlow!")
with v1.Session(server.target, graph=graph) as session:
    print(session.run(hello).decode())
print(server.target)

# %% grading="skip"
print("Starting. The first time takes some seconds.", flush=True)
with LocalCluster({"local": 1}, script="hello.py", wait=False, name="hello") as one:
    one.wait("local/0", until="ended")
    print(one.printed("local/0"))

# %% [markdown]
# The only difference from a program without a cluster is the session's first argument, the **target**. It is an address:
# `grpc://host:port`. The session sends the graph there, through gRPC (a way to call functions of another process), and
# gets the value back.
#
# A server cannot be stopped: it has no method for that, and it lives as long as its process. So each
# server gets a process of its own.
#
# ## 2 Jobs and tasks
#
# A **cluster specification** says which jobs there are, and at which address each of their tasks listens. Everybody in
# the cluster gets the same one. `LocalCluster` chooses free ports, starts a process for each task and waits until each
# answers.

# %%
cluster = LocalCluster({"ps": 2, "worker": 2})
for job, addresses in cluster.spec.items():
    print(job, addresses)
draw_alive(cluster, "Four processes, two jobs")

# %% [markdown]
# | word | means |
# | --- | --- |
# | job | a purpose: `ps` (*parameter server*: holds variables), `worker` (computes). You choose the names; these two are usual |
# | task | one process of a job, numbered from 0 **within its job** |
# | `/job:worker/task:1` | its name in devices; in `/job:worker/replica:0/task:1/device:CPU:0` the replica is always 0 |
# | master service | takes graphs from clients, splits them, gives the parts to workers. **Every** task has one |
# | worker service | runs parts of graphs on this task's devices. Every task has one |
#
# A ps is a server like any other. It is a ps because you pin variables to it. TensorFlow's own class for a
# specification answers questions about it:

# %% grading="skip"
v1 = tf.compat.v1
spec = tf.train.ClusterSpec(cluster.spec)
print(spec.jobs, spec.num_tasks("worker"), spec.task_address("worker", 1))
with tf.Graph().as_default() as graph:
    with v1.Session(cluster.target("worker/1"), graph=graph) as session:
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

# %% grading="skip"
%%writefile role.py
import argparse

import tensorflow as tf

flags = argparse.ArgumentParser()
flags.add_argument("--job_name", required=True)
flags.add_argument("--task_index", type=int, required=True)
flags.add_argument("--ps_hosts", required=True)
flags.add_argument("--worker_hosts", required=True)
me = flags.parse_args()
jobs = {"ps": me.ps_hosts.split(","), "worker": me.worker_hosts.split(",")}
server = tf.distribute.Server(jobs, job_name=me.job_name, task_index=me.task_index)
if me.job_name == "ps":
    server.join()  # serve until somebody ends this process

# %% [markdown]
# `join` never returns. So only workers get to the second half, which does their work. Ours put a message into a queue
# that lies on the ps, and end.

# %% grading="skip"
%%writefile -a role.py

v1 = tf.compat.v1
mine = f"/job:worker/task:{me.task_index}"
config = v1.ConfigProto(device_filters=["/job:ps", mine])
with tf.Graph().as_default(), tf.device("/job:ps/task:0"):
    queue = v1.FIFOQueue(10, tf.string, shapes=[()], shared_name="done")
    report = queue.enqueue(f"{server.target} did the work of {mine}")
    with v1.Session(server.target, config=config) as session:
        session.run(report)
print(mine, "has done its part")

# %% [markdown]
# The **launcher** starts a process for each task, all with the same script. These are the commands for one ps and three
# workers; `LocalCluster` runs them.

# %% grading="skip"
roles = LocalCluster({"ps": 1, "worker": 3}, script="role.py", wait=False, name="roles")
hosts = [f"--{job}_hosts={','.join(addresses)}" for job, addresses in roles.spec.items()]
for task in roles.tasks:
    job, index = task.split("/")
    print(f"python role.py --job_name={job} --task_index={index}", *hosts)

# %% grading="skip"
roles.wait("worker/0", "worker/1", "worker/2", until="ended")
print(roles.alive())
print(roles.printed("worker/1"))
patient = v1.ConfigProto(operation_timeout_in_ms=30_000, device_filters=["/job:ps"])
with tf.Graph().as_default(), tf.device("/job:ps/task:0"):
    done = v1.FIFOQueue(10, tf.string, shapes=[()], shared_name="done")
    messages = done.dequeue_many(3)
    with v1.Session(roles.target("ps/0"), config=patient) as session:
        for message in sorted(session.run(messages)):
            print(message.decode())
roles.close()

# %% [markdown]
# The workers have ended. The ps serves on: `join` waits for ever, and somebody has to end it (lesson 07 shows how to do
# it in good order). So the messages were still there, and any client could take them.
#
# Each worker was a client too: of its own server. `device_filters` keeps a session from waiting for tasks that it does
# not need; section 10 shows what happens without.
#
# **Change it:** start five workers instead of three. Which lines must change? None of the script: only the launcher,
# and the cell that waits for three.
#
# ## 4 TF_CONFIG, and wrong ones
#
# Today a task usually learns its part from an environment variable instead of flags. `TF_CONFIG` is JSON with two
# entries: `cluster`, the specification, the same for all; and `task`, who this process is. `LocalCluster` sets it for
# each task. All of `tf.distribute` reads it through one class, a **cluster resolver**. `TFConfigClusterResolver` reads
# the variable of its own process. This is what `worker/1` sees:

# %% grading="skip"
import os

os.environ["TF_CONFIG"] = cluster.config("worker/1")
print(os.environ["TF_CONFIG"])
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
print(resolver.task_type, resolver.task_id, resolver.cluster_spec().as_dict())
del os.environ["TF_CONFIG"]

# %% [markdown]
# The last line matters: a notebook that keeps `TF_CONFIG` believes that it is a task itself.
#
# A wrong `TF_CONFIG` is a common reason why a new cluster does not start. Some mistakes give an error, some do not:

# %% grading="skip"
def read_wrong(text):
    """What the resolver makes of a TF_CONFIG: its own address, or the error."""
    os.environ["TF_CONFIG"] = text
    try:
        resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
        return resolver.master() or "no address"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        del os.environ["TF_CONFIG"]

# %% grading="skip"
two = '{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}'
wrong = {
    "quotes of Python": two.replace('"', "'"),
    "an index too large": two.replace('"index": 1', '"index": 2'),
    "a job that is not there": two.replace('"type": "worker"', '"type": "Worker"'),
    "an address twice": two.replace("b:1", "a:1"),
}
print(f"right: {read_wrong(two)}")
for mistake, text in wrong.items():
    print(f"{mistake}: {read_wrong(text)}")

# %% [markdown]
# The resolver noticed the first three. It believed the fourth: two tasks with one address. On one machine the second
# server finds its port taken; with a copied line on two machines, nobody ever reaches the second task. Nor does anybody
# notice a list of addresses in another order, or two processes that both believe they are worker 0: no process sees
# what the others were told. **Compare the texts of all processes.**

# %% [markdown] exercise="config"
# ### Exercise 1 · Write TF_CONFIG, and find a wrong one
#
# **Write** `configs(jobs, hosts, port)`, which plans a cluster. `jobs` is `{job: number of tasks}`, `hosts` a list of
# machines.
#
# * It returns a list of pairs `[host, text]`, one for each task: the jobs in the order of `jobs`, in each job by
#   index. {#1}
# * Tasks are dealt out to the hosts in turn; a new job goes on with the next host. {#2} The first task on a host
#   listens on `port`, its second on `port + 1`, and so on. {#3}
# * `text` is the task's `TF_CONFIG`, in JSON. {#4} Its entry `cluster` has all jobs, each a list of addresses
#   `"host:port"` by index. {#5} Its entry `task` is `{"type": job, "index": index}`; the index is a whole number and
#   begins at 0 in each job. {#6}
#
# **Write** `faults(texts)`. It gets the `TF_CONFIG` of each process of one cluster. It returns a list of pairs
# `[position, word]`, one for each text with a fault, in the order of `texts`; positions begin at 0. {#7} The word is
#
# * `"no JSON"` if the text cannot be read as JSON; {#8}
# * `"no such task"` if the task is not in its own `cluster`, or there is no `task`; {#9}
# * `"same address"` if two tasks of its `cluster` have one address; {#10}
# * `"other cluster"` if its `cluster` is not that of the first text that can be read (the order of the addresses
#   counts); {#11}
# * `"same task"` if a text before it that can be read has the same job and index. {#12}
#
# If a text has several faults, the word is the one that stands first in this list. {#13}
#
# Example: `configs({"chief": 1, "worker": 2}, ["a", "b"], 2222)` begins with
# `["a", '{"cluster": {"chief": ["a:2222"], "worker": ["b:2222", "a:2223"]}, "task": {"type": "chief", "index": 0}}']`.

# %% solution="config" kind="today"
import json

def configs(jobs, hosts, port):
    """Plan a cluster: who runs where, and each task's TF_CONFIG.

    Args:
        jobs: dict, job -> number of tasks, 1 or more.
        hosts: list of str, names of machines, at least one, no two the same.
        port: int, the port of the first task on each host.
    Returns:
        list of [host, text]: [str, str].
    """
    ### BEGIN SOLUTION
    cluster, tasks = {}, []
    for job, count in jobs.items():
        cluster[job] = []
        for index in range(count):
            host = hosts[len(tasks) % len(hosts)]
            cluster[job].append(f"{host}:{port + len(tasks) // len(hosts)}")
            tasks.append([host, {"type": job, "index": index}])
    return [[host, json.dumps({"cluster": cluster, "task": task})] for host, task in tasks]
    ### END SOLUTION

def faults(texts):
    """Find the processes of a cluster with a wrong TF_CONFIG.

    Args:
        texts: list of str, the TF_CONFIG of each process.
    Returns:
        list of [position, word]: [int, str].
    """
    ### BEGIN SOLUTION
    found, first, seen = [], None, []
    for position, text in enumerate(texts):
        os.environ["TF_CONFIG"] = text
        try:
            resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
            cluster = resolver.cluster_spec().as_dict()
            task = (resolver.task_type, resolver.task_id)
        except json.JSONDecodeError:
            found.append([position, "no JSON"])
            continue
        finally:
            del os.environ["TF_CONFIG"]
        addresses = [address for job in cluster.values() for address in job]
        first = first or cluster
        if task not in [(job, index) for job in cluster for index in range(len(cluster[job]))]:
            found.append([position, "no such task"])
        elif len(set(addresses)) < len(addresses):
            found.append([position, "same address"])
        elif cluster != first:
            found.append([position, "other cluster"])
        elif task in seen:
            found.append([position, "same task"])
        seen.append(task)
    return found
    ### END SOLUTION

# %% try="config"
try:
    planned = configs({"chief": 1, "worker": 2}, ["a", "b"], 2222)
    for host, text in planned:
        print(host, text)
    print(faults([text for _, text in planned] + ["{'cluster': {}}"]))
except NotImplementedError as error:
    print(error)

# %% check="config-write" points=2 title="The plan of the example"
import json

got = configs({"chief": 1, "worker": 2}, ["a", "b"], 2222)
everybody = {"chief": ["a:2222"], "worker": ["b:2222", "a:2223"]}
tasks = [["a", "chief", 0], ["b", "worker", 0], ["a", "worker", 1]]
told = Told(
    asked='configs({"chief": 1, "worker": 2}, ["a", "b"], 2222)',
    got=got,
    expected=f"hosts, jobs and indices {tasks}, each with the cluster {everybody}",
    reread="section 4, TF_CONFIG, and wrong ones",
)
pairs = type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 2 for row in got)
assert pairs, told("that is not a list of pairs of a host and a text")
assert all(type(row[1]) is str for row in got), told(
    "the second of a pair is not a text: json.dumps makes one"
)
try:
    read = [[row[0], json.loads(row[1])] for row in got]
except ValueError:
    read = None
assert read is not None, told("a text is not JSON: JSON has double quotes, str() of a dict has not")
entries = all(isinstance(text, dict) and set(text) == {"cluster", "task"} for _, text in read)
assert entries, told("a text has other entries than cluster and task")
assert all(isinstance(text["task"], dict) for _, text in read), told(
    "the entry task is a dict with type and index"
)
assert not any(type(text["task"].get("index")) is str for _, text in read), told(
    "an index is a text, not a number"
)
seen = [[host, text["task"].get("type"), text["task"].get("index")] for host, text in read]
assert [row[2] for row in seen] != [0, 1, 2], told("the index goes on from job to job")
assert sorted(map(str, seen)) != sorted(map(str, tasks)) or seen == tasks, told(
    "the tasks are not in order"
)
assert seen == tasks, told()
clusters = [text["cluster"] for _, text in read]
assert all(set(each) == {"chief", "worker"} for each in clusters if isinstance(each, dict)), told(
    "a task is told only a part of the cluster"
)
assert all(each == everybody for each in clusters), told()

# %% check="config-read" points=2 title="A text that is no JSON, a task that is not there"
good = '{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": %d}}'
none = '{"cluster": {"worker": ["a:1", "b:1"]}}'
texts = [good % 0, "{'cluster': {}}", good % 1, good % 2, none]
right = [[1, "no JSON"], [3, "no such task"], [4, "no such task"]]
got = faults(list(texts))
told = Told(
    asked=f"faults({texts})", got=got, expected=right, reread="section 4, TF_CONFIG, and wrong ones"
)
assert type(got) is list and all(isinstance(row, (list, tuple)) for row in got), told(
    "that is not a list of pairs"
)
got = [list(row) for row in got]
assert faults([good % 0, good % 1]) == [], told("texts without a fault are listed too, or there is no list")
assert [1, "no JSON"] in got, told("the second text is Python, not JSON: it has single quotes")
assert [3, "no such task"] in got, told("worker 2 is not in a cluster of two workers")
assert [4, "no such task"] in got, told("a text without the entry task does not say whose it is")
assert got == right, told()

# %% hidden="config-plans" points=2 title="Other jobs, hosts and ports"
import json

for more in (0, 3):
    hosts = [f"h{number}" for number in draw.sample(range(100), 2 + more)]
    jobs = {"chief": 1, "worker": draw.randrange(6, 9), "ps": draw.randrange(2, 4)}
    jobs = {job: jobs[job] for job in draw.sample(["worker", "ps"], 2) + ["chief"]}
    port = draw.randrange(3000, 4000)
    got, right = configs(dict(jobs), list(hosts), port), reference.configs(jobs, hosts, port)
    told = Told(
        asked=f"configs({jobs}, {hosts}, {port})",
        got=got,
        expected=right,
        reread="section 4, TF_CONFIG, and wrong ones",
    )
    pairs = type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 2 for row in got)
    assert pairs and all(type(row[1]) is str for row in got), told(
        "that is not a list of pairs of two texts"
    )
    try:
        told.got = read = [[row[0], json.loads(row[1])] for row in got]
    except ValueError:
        read = None
    told.expected = right = [[host, json.loads(text)] for host, text in right]
    assert read is not None, told("a text is not JSON")
    entries = [text if isinstance(text, dict) else {} for _, text in read]
    tasks = [str(text.get("task")) for text in entries]
    clusters = [text["cluster"] for text in entries if isinstance(text.get("cluster"), dict)]
    everybody = clusters[0] if clusters else {}
    every = [address for addresses in everybody.values() for address in addresses]
    assert sorted(tasks) != sorted(str(text["task"]) for _, text in right) or tasks == [
        str(text["task"]) for _, text in right
    ], told("the tasks are not in the order of jobs and index")
    assert len(read) == len(right), told("there is one pair for each task of the cluster")
    assert len(set(every)) == len(every), told("two tasks have the same address")
    order = [host for host, _ in read]
    assert order == [host for host, _ in right], told("hosts do not take turns over all tasks of all jobs")
    assert read == right, told()

# %% hidden="config-faults" points=3 title="Every kind of fault"
import json

def text_of(everybody, job, index):
    return json.dumps({"cluster": everybody, "task": {"type": job, "index": index}})

a, b, c, d = [f"h{number}:{draw.randrange(2000, 3000)}" for number in draw.sample(range(100), 4)]
everybody = {"ps": [a], "worker": [b, c, d]}
mixed, twice = {"ps": [a], "worker": [c, b, d]}, {"ps": [a], "worker": [b, a, d]}
cases = {
    "same address": [
        text_of(everybody, "ps", 0),
        text_of(twice, "worker", 0),
        text_of(everybody, "worker", 1),
    ],
    "other cluster": [
        text_of(everybody, "ps", 0),
        text_of(mixed, "worker", 1),
        text_of(everybody, "worker", 2),
    ],
    "first unreadable": ["{", text_of(everybody, "ps", 0), text_of(mixed, "worker", 1)],
    "same task": [
        text_of(everybody, "worker", 1),
        text_of(mixed, "worker", 2),
        text_of(everybody, "worker", 1),
        text_of(everybody, "worker", 2),
        text_of(everybody, "worker", 0),
    ],
    "several": [
        text_of(everybody, "worker", 0),
        text_of(twice, "worker", 3),
        text_of(twice, "worker", 0),
        text_of(mixed, "worker", 0),
        text_of(mixed, "chief", 0),
        text_of(mixed, "chief", 0),
        "",
    ],
    "first has no such task": [
        text_of(everybody, "worker", 3),
        text_of(mixed, "worker", 0),
        text_of(everybody, "worker", 1),
    ],
}
for name, texts in cases.items():
    got, right = faults(list(texts)), reference.faults(texts)
    told = Told(
        asked=f"faults({texts})", got=got, expected=right, reread="section 4, TF_CONFIG, and wrong ones"
    )
    assert type(got) is list and all(isinstance(row, (list, tuple)) for row in got), told(
        "that is not a list of pairs"
    )
    got = [list(row) for row in got]
    assert name != "same address" or got, told(
        "two tasks of one cluster at one address: nobody notices that"
    )
    assert name != "other cluster" or got, told("the same addresses in another order are another cluster")
    assert sorted(map(str, got)) != sorted(map(str, right)) or got == right, told(
        "the pairs are not by position"
    )
    several = name == "several" and [row[0] for row in got] == [row[0] for row in right]
    assert not several or got == right, told(
        "of several faults of a text another one than the first is told"
    )
    assert got == right, told()

# %% [markdown]
# ## 5 Variables on two ps tasks, work on a worker
#
# A device name may say job and task. So you pin across processes as you pin across devices. `on_cluster` opens a
# session to `worker/0`, assigns the graph's variables, runs it, and keeps TensorFlow's own record of that run. It turns
# the optimizer off, so that the graph runs as it is written (lesson 01, section 9).

# %% grading="skip"
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:0"):
        w = v1.get_variable("w", initializer=[[1.0, 2.0], [3.0, 4.0]])
    with tf.device("/job:ps/task:1"):
        b = v1.get_variable("b", initializer=[10.0, 20.0])
    with tf.device("/job:worker/task:0"):
        x = tf.constant([[1.0, 1.0]], name="x")
        y = tf.add(tf.matmul(x, w, name="product"), b, name="y")

# %% grading="skip"
def on_cluster(graph, fetch, task="worker/0"):
    """Assign a graph's variables, then run `fetch` on the cluster; (value, RunMetadata)."""
    config = v1.ConfigProto(operation_timeout_in_ms=30_000)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    options = v1.RunOptions(output_partition_graphs=True)
    metadata = v1.RunMetadata()
    assign = [op for op in graph.get_operations() if op.type == "AssignVariableOp"]
    with v1.Session(cluster.target(task), graph=graph, config=config) as session:
        session.run(assign)
        value = session.run(fetch, None, options, metadata)
    return value, metadata

# %% grading="skip"
value, metadata = on_cluster(graph, "y:0")
print(value)
for op, device in placement_of(metadata).items():
    print(f"{op:25} ran on {device}")
draw_placement(metadata, "Variables on two ps tasks, work on a worker")

# %% [markdown]
# An op on a worker may use a variable on a ps, **within one cluster**. Each variable stays in its process and is read
# there; the value that was read travels to the worker. (The record also names `y`, from `worker/0` to itself; section 6
# says why.) You wrote no line for that: the master cut the graph where an edge goes from one task to another.
#
# The next exercises use this cluster. If something has gone wrong, run this cell: it restarts every task that does not
# answer.

# %% grading="skip"
def ready_cluster():
    """Start again each task of the cluster that does not answer."""
    silent = [task for task, state in cluster.alive().items() if state != "answers"]
    cluster.start(*silent)
    return cluster.alive()

print(ready_cluster())

# %% [markdown] exercise="shard"
# ### Exercise 2 · Share the variables out
#
# Two ps tasks help only if both have about the same to send. Write `shard(shapes, ps)`. It builds a graph and returns
# it as the bytes of its `GraphDef`: `graph.as_graph_def().SerializeToString()`. {#1}
#
# * `shapes` is `{name: shape}`, such as `{"conv": [3, 3, 8], "bias": [8]}`. For each entry the graph has a variable
#   with this name and shape, made by `v1.get_variable`, {#2} whose first values are ones
#   (`initializer=tf.ones(shape)`). {#3}
# * Each variable is pinned to a task of job `ps`, `/job:ps/task:0` to `ps - 1`. {#4} Take the variables by size, the
#   largest first, {#5} equal sizes in the order given. {#6} Give each to the task that has the fewest bytes so
#   far; {#7} of equally full tasks, to the one with the lowest number. {#8}
# * A tensor `total:0` is the sum of all numbers of all variables, {#9} and its op is on `/job:worker/task:0`. {#10} The
#   sums that lead to it are on that worker too: no op but the variables (and what sets them) works on a ps. {#11}
#
# Example: of `{"a": [2], "b": [3], "c": [4]}` on two tasks, `c` goes to task 0 (16 bytes), `b` to task 1 (12), `a` to
# task 1 (20). `total` is 9.
#
# Reading a variable on the ps is fine: `tf.reduce_sum(variable)` in the worker's scope reads where it should.

# %% solution="shard" kind="graph"
def shard(shapes, ps):
    """Build a graph whose variables are spread over ps tasks by size.

    Args:
        shapes: dict, variable name -> list of int.
        ps: int, number of ps tasks, 1 or more.
    Returns:
        bytes: the graph as a serialized GraphDef, with a scalar float32 tensor "total:0".
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
    print(total, {name: places.get(name) for name in "abc"})
except NotImplementedError as error:
    print(error)

# %% check="shard-ran" points=2 title="It runs on the cluster, and the total is right"
import math
import random
import tensorflow as tf

sizes = random.sample(range(2, 40), 4)
shapes = {f"v{size}_{random.randrange(10**9)}": [size] for size in sizes}
rows = random.randrange(2, 9)
shapes[f"matrix_{random.randrange(10**9)}"] = [rows, 3]
sizes.append(3 * rows)
answer = shard(dict(shapes), 2)
told = Told(
    asked=f"shard({shapes}, 2), run on the cluster",
    got=answer,
    expected=f"total {sum(sizes)} on worker/0, all variables on ps tasks",
    reread="section 5, Variables on two ps tasks, work on a worker",
)
assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
definition = tf.compat.v1.GraphDef.FromString(answer)
made = {node.name: node.device for node in definition.node if node.op == "VarHandleOp"}
told.got = f"variables {made}"
assert set(made) == set(shapes), told("the graph's variables have other names than those of shapes")
assert all("job:ps" in device for device in made.values()), told("a variable is not pinned to job ps")
there = all(tf.DeviceSpec.from_string(device).task in (0, 1) for device in made.values())
assert there, told("a variable is pinned to another task than 0 and 1, and there are two")
assert any(node.name == "total" for node in definition.node), told("no op of the graph has the name total")
total, places = sharded(dict(shapes), 2)
told.got = f"total {total} on {places.get('total')}"
assert places.get("total", "").startswith("worker/0"), told("total does not run on worker/0")
assert total != 0, told("the sum is 0, so the variables do not begin as ones")
assert total == sum(sizes), told()
for node in [*definition.node, *(node for one in definition.library.function for node in one.node_def)]:
    node.device = ""  # here, without the cluster
    if node.op == "AssignVariableOp":  # total may make the variables ones; below they hold other numbers
        after = [given for given in node.input if given.startswith("^")]
        node.CopyFrom(tf.compat.v1.NodeDef(name=node.name, op="NoOp", input=after))
with tf.Graph().as_default() as graph:
    tf.import_graph_def(definition, name="")
    puts = []
    for node in definition.node:
        if node.op == "VarHandleOp":
            shape = [one.size for one in node.attr["shape"].shape.dim]
            values = tf.reshape(tf.range(2, 2 + math.prod(shape)), shape)  # 2, 3, 4 ...
            puts.append(
                tf.raw_ops.AssignVariableOp(
                    resource=graph.get_tensor_by_name(f"{node.name}:0"),
                    value=tf.cast(values, node.attr["dtype"].type),
                )
            )
with tf.compat.v1.Session(graph=graph) as session:
    session.run(puts)
    told.got = float(session.run("total:0"))
told.asked = f"shard({shapes}, 2), with 2, 3, 4 ... put into each variable: total"
told.expected = sum(sum(range(2, 2 + size)) for size in sizes)
assert told.got == told.expected, told("right for ones only: total is no sum of what the variables hold")

# %% check="shard-example" points=2 title="The example's variables on their tasks"
total, places = sharded({"a": [2], "b": [3], "c": [4]}, 2)
got = {name: places.get(name) for name in "abc"}
right = {"a": "ps/1 CPU:0", "b": "ps/1 CPU:0", "c": "ps/0 CPU:0"}
told = Told(
    asked='where the variables of shard({"a": [2], "b": [3], "c": [4]}, 2) ran',
    got=got,
    expected=right,
    reread="the text of exercise 2",
)
assert all(got.values()), told("not every variable took part in the run under its own name")
assert all(place.startswith("ps/") for place in got.values()), told("a variable is not on a ps task")
assert got["c"] != got["b"], told("the two largest share a task, while the other has nothing")
uneven = {"a": "ps/0 CPU:0", "b": "ps/1 CPU:0", "c": "ps/0 CPU:0"}
assert got != uneven, told("task 0 then has 24 bytes, and task 1 only 12")
assert got == right, told()

# %% hidden="shard-drawn" points=2 title="Other shapes, more tasks"
import math

import tensorflow as tf

def tasks_of(answer):
    nodes = tf.compat.v1.GraphDef.FromString(answer).node
    return {node.name: node.device.split("task:")[-1][0] for node in nodes if node.op == "VarHandleOp"}

def size_of(shape):
    return math.prod(shape)

k = draw.randrange(2, 9)
cases = [
    (
        {
            "s1": [2, 2],
            "deep": [3, 4, 6 * k],
            "wide": [60 * k],
            "tall": [10, 5 * k],
            "bias": [8 * k],
            "same": [8 * k],
        },
        3,
    ),
    ({"zeta": [k, 4], "alpha": [4 * k], "last": [k]}, 2),
    ({"thin": [9, 1], "flat": [2, 5 * k], "row": [3 * k, 3], "one": [1]}, 2),
]
for shapes, ps in cases:
    answer = shard(dict(shapes), ps)
    told = Told(
        asked=f"shard({shapes}, {ps}): the tasks of the variables",
        got=answer,
        expected="",
        reread="the text of exercise 2",
    )
    assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
    told.got, told.expected = got, right = tasks_of(answer), tasks_of(reference.shard(shapes, ps))
    assert set(got) == set(shapes), told("the variables are not those of shapes")
    sizes = {name: size_of(shape) for name, shape in shapes.items()}
    largest = max(sizes, key=sizes.get)
    one = list(sizes.values()).count(sizes[largest]) == 1
    assert not one or got[largest] == "0", told(f"{largest} is the largest, so it goes to task 0")
    assert got == right, told()
made = [
    node
    for node in tf.compat.v1.GraphDef.FromString(shard({"q": [2, k]}, 1)).node
    if node.op == "VarHandleOp"
]
told = Told(
    asked=f'the variable of shard({{"q": [2, {k}]}}, 1)',
    got=str(made),
    expected=f"shape [2, {k}]",
    reread="the text of exercise 2",
)
sizes = [dim.size for dim in made[0].attr["shape"].shape.dim] if made else []
assert sizes == [2, k], told("the variable has another shape than the one that shapes gives")

# %% hidden="shard-work" points=1 title="Nothing is computed on a ps"
import tensorflow as tf

shapes = {"p": [draw.randrange(2, 9)], "q": [2, 2]}
answer = shard(dict(shapes), 1)
told = Told(
    asked=f"shard({shapes}, 1): the requests in the graph",
    got=answer,
    expected="every op that adds is on /job:worker/task:0",
    reread="section 5, Variables on two ps tasks, work on a worker",
)
assert type(answer) is bytes, told("return graph.as_graph_def().SerializeToString()")
nodes = tf.compat.v1.GraphDef.FromString(answer).node
adders = {
    node.name: node.device
    for node in nodes
    if node.op in ("Sum", "Add", "AddV2", "AddN", "MatMul", "Einsum")
}
told.got = f"{adders}; total on {[node.device for node in nodes if node.name == 'total']}"
assert "total" in [node.name for node in nodes], told("no op of the graph has the name total")
assert shard({**shapes, "r": [3]}, 1) != answer, told("one variable more changes nothing")
wanted = [tf.DeviceSpec.from_string(device) for device in adders.values()]
assert not any(device.job == "ps" for device in wanted), told("a sum is pinned to a ps")
assert all((device.job, device.task) == ("worker", 0) for device in wanted), told(
    "a sum is not pinned to worker/0"
)
ALLOWED = ("ReadVariableOp", "AssignVariableOp", "VarIsInitializedOp", "Identity", "IdentityN")
used = {node.name for node in nodes if node.op == "VarHandleOp"}  # and whatever takes a value from them
for _ in nodes:
    used |= {node.name for node in nodes if used & {name.split(":")[0] for name in node.input}}
others = {
    node.name: f"{node.op} on {node.device}"
    for node in nodes
    if node.name in used and node.op not in ("VarHandleOp", *ALLOWED)
}
told.got, told.expected = others, "no op on /job:ps that computes with what it reads"
assert not any("job:ps" in request for request in others.values()), told(
    "a variable's values are computed with on a ps: there it is only read"
)

# %% [markdown]
# ## 6 What travels
#
# At each cut the master puts a pair of ops: `_Send` on one side, `_Recv` on the other. The record of the run has them.
# A `_Send` and its `_Recv` know each other by their `tensor_name`. The `_Recv` asks for the value, by a call through
# gRPC, and the `_Send` answers. How many bytes? The number of elements times the bytes of one.

# %% grading="skip"
for partition in metadata.partition_graphs:
    for node in partition.node:
        if node.op in ("_Send", "_Recv"):
            tensor = node.attr["tensor_name"].s.decode()
            print(f"{short_device(node.device):16}{node.op:6} {tensor}")

# %% grading="skip"
def size_in_bytes(graph, name):
    """Bytes of a tensor of known shape; a first output may be written without its :0."""
    tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
    return tensor.shape.num_elements() * tensor.dtype.size

# %% grading="skip"
for name, source, target in transfers_of(metadata):
    print(f"{name} goes from {source} to {target}: {size_in_bytes(graph, name)} bytes")

# %% [markdown]
# One pair is not a journey: `y` goes from `worker/0` to `worker/0`. It is the value that you fetched, handed to the
# master of the session. Had you opened the session to `ps/0`, it would travel there, and then to you.
#
# A layer in training sends more: the worker reads the weights, and sends a gradient back. The update itself happens on
# the ps, next to the variable.

# %% grading="skip"
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
# Predict for n = 32, with 4 bytes a number: how many bytes go from the ps to the worker,
# and how many back?
to_worker = ...
to_ps = ...

# %% grading="skip"
TO_WORKER = "ps/0 CPU:0 to worker/0 CPU:0"
TO_PS = "worker/0 CPU:0 to ps/0 CPU:0"
measured = {}
for n in (32, 64, 96, 128):
    graph = training_step(n)
    update = graph.get_operation_by_name("update").name
    record = on_cluster(graph, update)[1]
    measured[n] = {
        f"{source} to {target}": size_in_bytes(graph, name)
        for name, source, target in transfers_of(record)
    }
compare_prediction("bytes to the worker", to_worker, measured[32][TO_WORKER], "32 × 32 × 4")
compare_prediction("bytes to the ps", to_ps, measured[32][TO_PS], "a gradient for each weight")

# %% grading="skip"
ways = {
    TO_WORKER: ("weights, to the worker", "blue", "///", -0.2),
    TO_PS: ("gradient, to the ps", "orange", "...", 0.2),
}
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
for way, (label, color, hatch, shift) in ways.items():
    sizes = [by_way[way] / 1024 for by_way in measured.values()]
    places = [k + shift for k in range(len(sizes))]
    axes.bar(places, sizes, 0.4, color=PALETTE[color], hatch=hatch, ec="white", label=label)
axes.set(xlabel="weights of the layer", ylabel="KiB in each step")
axes.set_title("What travels for one training step")
axes.set_xticks(range(len(measured)), [f"{n} × {n}" for n in measured])
axes.legend()
show(figure, "Bars for 32, 64, 96 and 128: weights and gradient are equal, 4, 16, 36 and 64 KiB.")

# %% [markdown]
# The bars of a pair are equal: in each step all weights travel to the worker, and as many numbers come back as gradients.
# Twice the width is four times the bytes. `x`, `error` and the update itself stay where they are.
#
# **Change it:** pin the second block of `training_step` (`error` and `gradient`) to `/job:ps/task:0`. What travels now?
# When would that be a good idea?
#
# <details><summary>What you see then</summary>
#
# Only `x` travels, 4·n bytes, so the cell finds no bytes for the weights and stops with a `KeyError`. It saves traffic,
# but then the ps does all the work, and further workers are of no use.
# </details>

# %% [markdown] exercise="traffic"
# ### Exercise 3 · Count the bytes
#
# Write `traffic(data, fetch)`. It runs a graph on the lesson's `cluster` and returns what went over the wire: a list of
# rows `[tensor, from, to, bytes]`, sorted. {#1}
#
# * `data` is the graph as bytes of a `GraphDef`; all shapes in it are known. `fetch` is a tensor's name, such as
#   `"y:0"`. Count what the run of `fetch` moves, and no more: what `fetch` does not need does not travel. {#2}
#   Variables are assigned first, as `on_cluster` does, and what that moves does not count. {#3}
# * There is one row for each value that goes from one task to another, even if several ops there use it. {#4} What
#   stays in its task is no traffic. {#5}
# * Tasks are written `"ps/0"`, without the device. {#6} `tensor` is the name as the record has it, such as
#   `"Read/ReadVariableOp"`. {#7}
# * `bytes` is the number of elements times the bytes of one of them. Not every tensor is float32. {#8}
#
# `on_cluster`, `transfers_of` and `size_in_bytes` may help you. Leave out what stays in its task before you ask for
# sizes: the record names some such values in a way that the graph does not know.

# %% solution="traffic" kind="graph"
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

# %% check="traffic-weights" points=2 title="Weights that a worker reads"
import random
import tensorflow as tf

v1, n, name = tf.compat.v1, random.randrange(3, 40), f"w{random.randrange(10**9)}"
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:0"):
        w = v1.get_variable(name, initializer=tf.ones([n, 2]), use_resource=True)
    with tf.device("/job:worker/task:0"):
        read = tf.constant(2.0) * w
        y = tf.add(read, 1.0, name="y")
got = traffic(graph.as_graph_def().SerializeToString(), "y:0")
right = [["mul/ReadVariableOp", "ps/0", "worker/0", 8 * n]]
told = Told(
    asked=f"a variable of {n} x 2 float32 on ps/0, two ops on worker/0, fetch y",
    got=got,
    expected=right,
    reread="section 6, What travels",
)
rows = type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 4 for row in got)
assert rows, told("the result is not a list of rows with four entries")
got = [list(row) for row in got]
assert not any("CPU" in str(row[1]) for row in got), told("a row names a device; write the task only, ps/0")
assert got, told("a value goes from ps/0 to worker/0, and no row says so")
assert not any(row[1] == row[2] for row in got), told(
    "y stays in worker/0: it is only handed to the master"
)
assert len(got) == 1 or got[0] != got[1], told("one value is counted twice: it has a _Send and a _Recv")
assert got[0][3] != 2 * n, told("that is the number of elements; each has 4 bytes")
assert got == right, told()

# %% check="traffic-none" points=1 title="A graph that stays in one task"
import random
import tensorflow as tf

with tf.Graph().as_default() as graph, tf.device("/job:worker/task:0"):
    tf.add(tf.constant([1.0, 2.0]), 3.0, name="alone")
got = traffic(graph.as_graph_def().SerializeToString(), "alone:0")
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:0"):
        w = tf.compat.v1.get_variable(
            f"n{random.randrange(10**9)}", initializer=[1.0, 2.0], use_resource=True
        )
    with tf.device("/job:worker/task:0"):
        tf.add(tf.constant(2.0) * w, 1.0, name="read")
moved = traffic(graph.as_graph_def().SerializeToString(), "read:0")
told = Told(
    asked="a graph that is on worker/0 as a whole; then one that reads a variable on ps/0",
    got=f"{got}; then {moved}",
    expected="[]; then a row for what the worker reads",
    reread="section 6, What travels",
)
assert type(got) is list, told("the result is not a list")
assert not got, told("a value that stays in its task is listed")
assert moved, told("a value that goes from one task to another is not listed")

# %% hidden="traffic-fetch" points=2 title="Only what this run moves"
import tensorflow as tf

v1, n, tag = tf.compat.v1, draw.randrange(3, 30), draw.randrange(10**9)
with tf.Graph().as_default() as graph:
    with tf.device("/job:worker/task:1"):
        first = tf.ones([n], name="first")
    with tf.device("/job:ps/task:1"):
        w = v1.get_variable(f"f{tag}", initializer=first, use_resource=True)
        value = tf.identity(w.read_value(), name="value")
    with tf.device("/job:worker/task:0"):
        tf.add(value, 1.0, name="near")
        small = tf.reduce_sum(value, name="small")
    with tf.device("/job:worker/task:1"):
        tf.add(value, 1.0, name="far")
        tf.add(small, 1.0, name="end")
data = graph.as_graph_def().SerializeToString()
for fetch in ("near:0", "end:0"):
    got, right = traffic(data, fetch), [["value", "ps/1", "worker/0", 4 * n]]
    right += [["small", "worker/0", "worker/1", 4], ["end", "worker/1", "worker/0", 4]] * (fetch == "end:0")
    told = Told(
        asked=f"{n} numbers on ps/1, read by ops of two workers; fetch {fetch}",
        got=got,
        expected=sorted(right),
        reread="section 6, What travels",
    )
    rows = type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 4 for row in got)
    assert rows, told("the result is not a list of rows with four entries")
    got = [list(row) for row in got]
    names = [row[0] for row in got]
    assert "first" not in names, told(
        "`first` moves when the variable is assigned, not in the run of the fetch"
    )
    other = ["value", "ps/1", "worker/1", 4 * n]
    assert other not in got, told("worker/1 got the numbers of ps/1, which this fetch does not need there")
    assert sorted(got) != sorted(right) or got == sorted(right), told("the rows are right, and not sorted")
    assert got == sorted(right), told()

# %% hidden="traffic-dtypes" points=2 title="Other dtypes, and one value for two ops"
import tensorflow as tf

v1, n, tag = tf.compat.v1, draw.randrange(3, 30), draw.randrange(10**9)
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
right = sorted(
    [kind, f"ps/{k % 2}", "worker/0", n * size] for k, (kind, (_, size)) in enumerate(kinds.items())
)
told = Told(
    asked=f"{n} numbers of float16 and of int8 on ps/0, of float64 on ps/1, read on worker/0",
    got=got,
    expected=right,
    reread="section 6, What travels",
)
rows = type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 4 for row in got)
assert rows, told("the result is not a list of rows with four entries")
got = [list(row) for row in got]
assert not any(row[1] == row[2] for row in got), told("a value that stays in its task is listed")
several = [row[0] for row in got].count("half") > 1
assert not several, told("`half` is listed twice: two ops of worker/0 use it, but it travels once")
assert sorted(got) != right or got == right, told("the rows are right, and not sorted")
assert [row[:3] for row in got] != [row[:3] for row in right] or got == right, told(
    "the bytes are not the elements times those of one: float16 has 2, float64 has 8, int8 has 1"
)
assert got == right, told()

# %% hidden="traffic-back" points=1 title="From a worker to a ps"
import tensorflow as tf

v1, n, name = tf.compat.v1, draw.randrange(3, 30), f"g{draw.randrange(10**9)}"
with tf.Graph().as_default() as graph:
    with tf.device("/job:ps/task:1"):
        w = v1.get_variable(name, initializer=tf.ones([n, n]), use_resource=True)
        value = tf.identity(w.read_value(), name="value")
    with tf.device("/job:worker/task:1"):
        column = tf.reduce_sum(value, axis=1, name="column")
    with tf.device("/job:ps/task:1"):
        tf.add(column, 1.0, name="back")
    with tf.device("/job:worker/task:0"):
        tf.identity(graph.get_tensor_by_name("back:0"), name="end")
got = traffic(graph.as_graph_def().SerializeToString(), "end:0")
right = [
    ["back", "ps/1", "worker/0", 4 * n],
    ["column", "worker/1", "ps/1", 4 * n],
    ["value", "ps/1", "worker/1", 4 * n * n],
]
told = Told(
    asked=f"weights of {n} x {n} to worker/1, {n} sums back to ps/1, then to worker/0",
    got=got,
    expected=right,
    reread="section 6, What travels",
)
rows = type(got) is list and all(isinstance(row, (list, tuple)) and len(row) == 4 for row in got)
assert rows, told("the result is not a list of rows with four entries")
got = [list(row) for row in got]
assert not got or any(row[1].startswith("worker") for row in got), told(
    "what goes from a worker to a ps is missing"
)
assert sorted(got) != right or got == right, told("the rows are right, and not sorted")
assert got == right, told()

# %% [markdown]
# ## Sitting 2 · What lives where
#
# When you come back: click this cell and choose *Run → Run All Above Selected Cell*.
#
# ## 7 Two clients share by name
#
# Two graphs, two sessions, two different workers as masters; one variable name.

# %% grading="skip"
def client(task, name="shared", **options):
    """A client: a new graph, and a session to a task. Returns (session, variable, add ten)."""
    with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
        variable = v1.get_variable(name, initializer=1.0)
        add_ten = variable.assign_add(10.0)
        config = v1.ConfigProto(operation_timeout_in_ms=30_000, **options)
        session = v1.Session(cluster.target(task), graph=graph, config=config)
    return session, variable, add_ten

# %% predict="two-clients"
# Predict: the first client sets the variable to 1 and adds ten. The second only reads.
# What does it get? ("error" if it gets none)
second_reads = ...

# %% grading="skip"
first, variable, add_ten = client("worker/0")
first.run(variable.initializer)
first.run(add_ten)
second, same, _ = client("worker/1")
seen = float(second.run(same))
compare_prediction("the second client reads", second_reads, seen, "It asks for the same name.")

# %% [markdown]
# The second client never initialised anything. A variable of a cluster is found by three things: the **task** that it
# lies on, its **container** (section 9) and its **name**. Whoever asks for the same three gets the same variable, from
# whatever graph and through whatever master. That is how workers share one model. It is also how two strangers
# overwrite each other.
#
# ## 8 What outlives the client
#
# A client trains, forgets to save, and goes away.

# %% grading="skip"
def lost_training(start, steps, where=cluster):
    """Train for some steps, then go away without saving; returns a target of the cluster.

    `start` is {variable: [task of the ps, first values]}; each step halves every number.
    """
    with tf.Graph().as_default():
        variables = []
        for name, (task, values) in start.items():
            with tf.device(f"/job:ps/task:{task}"):
                variables.append(v1.get_variable(name, initializer=np.float32(values)))
        train = [variable.assign_sub(0.5 * variable) for variable in variables]
        deadline = v1.ConfigProto(operation_timeout_in_ms=30_000)
        with v1.Session(where.target("worker/0"), config=deadline) as session:
            session.run(v1.global_variables_initializer())
            for _ in range(steps):
                session.run(train)
    return where.target("worker/0")

# %% predict="lost"
# Predict: 8 is halved three times. Then the session is closed and its graph is gone.
# Which number can still be read? ("lost" if none)
left = ...

# %% grading="skip"
target = lost_training({"layer": [1, [8.0, 16.0]]}, steps=3)
with tf.Graph().as_default() as graph, tf.device("/job:ps/task:1"):
    layer = v1.get_variable("layer", shape=[2])  # same task, same name
    saver = v1.train.Saver([layer])
patient = v1.ConfigProto(operation_timeout_in_ms=30_000)
with v1.Session(target, graph=graph, config=patient) as session:
    values = session.run(layer)  # nothing was initialised here
    saved = saver.save(session, f"{helper.folder}/rescued", write_meta_graph=False)
compare_prediction("the first number", left, float(values[0]), "The ps still has it.")
print(tf.train.list_variables(saved), tf.train.load_variable(saved, "layer"))

# %% [markdown]
# Nothing is lost. Variables live in the ps *processes*. Closing a session ends none of them. So:
#
# * open a **new session** to the cluster;
# * build a graph with **the same names on the same tasks**;
# * do **not initialise**: that would write the first values over the trained ones;
# * fetch the values, or save them with a `Saver`, as the cell did.
#
# A task of the cluster writes the file, to a path on **its** machine; here all tasks are on one. A plain `Saver` makes
# a single op that writes all variables, wherever they lie: they travel to it first. With `Saver(sharded=True)` each ps
# task writes its own variables, and the path must be on a disk that all of them share.
#
# Two ways to miss them. Another name, or another task, is another variable, and nobody has initialised that one:

# %% grading="skip"
def words(error):
    """What a cluster's error says, without the long rest."""
    skip = ("Graph execution error", "=", "Detected at", "File", "Node:", "Error:", "[[", "Add")
    lines = [line.strip() for line in error.message.splitlines()]
    told = [line for line in lines if line and not line.startswith(skip)]
    text = " ".join(told[:2]).partition(":UNKNOWN:")[0].partition(". This could")[0]
    return f"{type(error).__name__}: {text[:170]}"

# %% grading="skip"
for task, name in [(1, "layers"), (0, "layer")]:
    with tf.Graph().as_default() as graph, tf.device(f"/job:ps/task:{task}"):
        missing = v1.get_variable(name, shape=[2])
    try:
        v1.Session(target, graph=graph).run(missing)
    except tf.errors.FailedPreconditionError as error:
        print(words(error))

# %% [markdown]
# ## 9 Containers, reset, isolation
#
# A **container** is a named set of variables on each task. Without one you use the default container, whose name is `""`.
# A **reset** empties the containers that you name, on all tasks; without names, the default container.

# %% grading="skip"
with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
    with graph.container("experiment"):
        apart = v1.get_variable("shared", initializer=-1.0)  # the name of section 7
    default = v1.get_variable("shared_too", initializer=5.0)
session = v1.Session(cluster.target("worker/0"), graph=graph)
session.run([apart.initializer, default.initializer])
print("experiment:", session.run(apart), "| default:", second.run(same))

# %% grading="skip"
def read(session, variable):
    """The variable's value, or the error's words."""
    try:
        return float(session.run(variable))
    except tf.errors.OpError as error:
        return words(error)

# %% grading="skip"
v1.Session.reset(cluster.target("worker/0"), ["experiment"])
fresh = v1.Session(cluster.target("worker/0"), graph=graph)
print("experiment:", read(fresh, apart))
print("default:", read(fresh, default))
print("section 7's:", read(second, same))
print("the session of before:", read(session, default))

# %% [markdown]
# Only what was named is gone. But the reset did one thing more: it closed **all sessions of that master**. The old
# session is not found any more. The second client's master is `worker/1`, so its session goes on.
#
# The opposite of sharing is **isolation**: a session with `isolate_session_state` has variables of its own.

# %% grading="skip"
alone, mine, _ = client("worker/0", isolate_session_state=True)
alone.run(mine.initializer)
print("isolated:", alone.run(mine), "| shared:", second.run(same))

# %% [markdown] exercise="rescue"
# ### Exercise 4 · Rescue a model
#
# A client has trained on a cluster and is gone; nobody saved. Write `rescue(target, variables)`. It gets the trained
# values and returns them.
#
# * `target` is the address of a task that lives, such as `"grpc://127.0.0.1:2222"`, of this cluster or another. {#1}
# * `variables` is `{name: [task, shape]}`: `{"layer": [1, [2]]}` is the float32 variable `layer` of shape `[2]` on
#   `/job:ps/task:1`. {#2} It is in the default container. {#3}
# * Return `{name: values}` with the trained values, {#4} as lists (`array.tolist()`). {#5} A variable that is not
#   there, because nobody ever initialised it, has the value `None`; {#6} the others are still rescued. {#7}
# * The cluster is as before afterwards: whoever rescues a second time gets the same. {#8}
#
# Example: `rescue(lost_training({"layer": [1, [8., 16.]]}, 3), {"layer": [1, [2]]})` is `{"layer": [1.0, 2.0]}`.

# %% solution="rescue" kind="graph"
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

def rescued_elsewhere(start, steps, variables):
    """Given, for the checks: the same on a cluster of its own, once."""
    with LocalCluster({"ps": 2, "worker": 1}, name="elsewhere") as other:
        return rescue(lost_training(start, steps, other), variables)

# %% try="rescue"
try:
    print(rescued({"layer": [1, [8., 16.]]}, 3, {"layer": [1, [2]]})[0])
except NotImplementedError as error:
    print(error)

# %% check="rescue-one" points=2 title="A variable on ps/1"
import random

name, start = f"lost{random.randrange(10**9)}", [8.0 * random.randrange(1, 99) for _ in range(3)]
once, twice = rescued({name: [1, list(start)]}, 3, {name: [1, [3]]})
right = {name: [number / 8 for number in start]}
told = Told(
    asked=f"the variable {name} on ps/1, which began as {start} and was halved three times",
    got=once,
    expected=right,
    reread="section 8, What outlives the client",
)
assert isinstance(once, dict) and set(once) == {name}, told(
    "the result is not a dict with an entry for each variable"
)
assert once[name] is not None, told(
    "no such variable was found: this name, on ps/1, in the default container"
)
assert type(once[name]) is list, told("the values are not a list: array.tolist() makes one")
assert not any(type(part) is list for part in once[name]), told(
    "there is one list too many: the variable has the shape [3]"
)
halves = [number / 8 for number in start]
left = [number for number in once[name] if number in halves]
assert left, told("none of the trained numbers is left: an initialiser overwrites them")
assert sorted(left) != sorted(halves) or once == right, told("the order of the values changed")
assert once == right, told()
told.got = twice
assert twice == once, told("the second rescue gave something else: the first one changed the cluster")

# %% check="rescue-missing" points=2 title="One that was never there"
import random

tag = random.randrange(10**9)
start = {f"here{tag}": [0, [[4.0, 8.0], [16.0, 32.0]]]}
got, again = rescued(start, 2, {f"here{tag}": [0, [2, 2]], f"never{tag}": [1, [2]]})
right = {f"here{tag}": [[1.0, 2.0], [4.0, 8.0]], f"never{tag}": None}
told = Told(
    asked="a trained variable of shape [2, 2] on ps/0, and one on ps/1 that was never there",
    got=got,
    expected=right,
    reread="section 8, What outlives the client",
)
assert isinstance(got, dict) and set(got) == set(right), told(
    "the result is not a dict with an entry for each variable"
)
assert not any(hasattr(value, "shape") for value in got.values()), told(
    "a value is an array: array.tolist()"
)
assert got[f"never{tag}"] is None, told("a variable that nobody initialised has no value: None")
assert got[f"here{tag}"] is not None, told("the variable that is there was not rescued")
assert got == right, told()

# %% hidden="rescue-many" points=2 title="Several, in another order"
tag = draw.randrange(10**9)
numbers = [16.0 * draw.randrange(1, 99) for _ in range(4)]
start = {f"a{tag}": [0, numbers[:1]], f"b{tag}": [1, [numbers[1:3]]], f"c/d{tag}": [0, numbers[3]]}
shapes = {f"c/d{tag}": [0, []], f"a{tag}": [0, [1]], f"b{tag}": [1, [1, 2]]}
got, again = rescued(start, 4, shapes)
right = {
    f"c/d{tag}": numbers[3] / 16,
    f"a{tag}": [numbers[0] / 16],
    f"b{tag}": [[number / 16 for number in numbers[1:3]]],
}
told = Told(
    asked="three variables on two ps tasks, in another order, one of them a scalar",
    got=got,
    expected=right,
    reread="section 8, What outlives the client",
)
assert isinstance(got, dict) and set(got) == set(right), told(
    "the result is not a dict with an entry for each variable"
)
assert not any(getattr(value, "shape", ()) for value in got.values()), told(
    "a value is an array: array.tolist()"
)
assert None not in got.values(), told("a variable was not found, and all three are there")
assert got == right, told()

# %% hidden="rescue-again" points=1 title="Nothing is changed"
tag, number = draw.randrange(10**9), 4.0 * draw.randrange(1, 99)
once, twice = rescued({f"x{tag}": [0, [number]]}, 1, {f"x{tag}": [0, [1]], f"y{tag}": [0, [1]]})
right = {f"x{tag}": [number / 2], f"y{tag}": None}
told = Told(
    asked="to rescue one variable that is there and one that is not, twice",
    got=[once, twice],
    expected=f"both times {right}",
    reread="section 9, Containers, reset, isolation",
)
arrays = [value for each in (once, twice) for value in dict(each or {}).values() if hasattr(value, "shape")]
assert not arrays, told("a value is an array: array.tolist()")
assert once == right, told()
assert twice == right, told("the first time is right, the second is not: the first one changed the cluster")

# %% hidden="rescue-elsewhere" points=1 title="On another cluster"
tag, number = draw.randrange(10**9), 4.0 * draw.randrange(1, 99)
got = rescued_elsewhere({f"far{tag}": [1, [number]]}, 2, {f"far{tag}": [1, [1]]})
right = {f"far{tag}": [number / 4]}
told = Told(
    asked="a variable on ps/1 of another cluster than the lesson's",
    got=got,
    expected=right,
    reread="section 8, What outlives the client",
)
assert isinstance(got, dict) and set(got) == set(right), told(
    "the result is not a dict with an entry for each variable"
)
assert not hasattr(got[f"far{tag}"], "shape"), told("a value is an array: array.tolist()")
assert got[f"far{tag}"] is not None, told("no such variable was found in the cluster of `target`")
assert got == right, told()

# %% [markdown]
# ## Sitting 3 · When a task does not answer
#
# When you come back: click this cell and choose *Run → Run All Above Selected Cell*.
#
# ## 10 Failures with an error
#
# Now you cause failures yourself, on a cluster made for it. `outcome` runs something and prints how long it took and
# what came of it.

# %% grading="skip"
import time

def outcome(what, action):
    """Run `action`; print how long it took, and its result or its error."""
    begin = time.monotonic()
    try:
        result = action()
    except tf.errors.OpError as error:
        result = words(error)
    seconds = time.monotonic() - begin
    print(f"{what}: after {seconds:.1f} s: {'done' if result is None else result}")

# %% grading="skip"
fragile = LocalCluster({"ps": 1, "worker": 2}, start=["ps/0", "worker/0"], name="fragile")
with tf.Graph().as_default() as fragile_graph:
    with tf.device("/job:ps/task:0"):
        kept = v1.get_variable("kept", initializer=7.0, use_resource=True)
    doubled = {}
    for index in (0, 1):
        with tf.device(f"/job:worker/task:{index}"):
            doubled[index] = tf.multiply(kept, 2.0, name=f"doubled{index}")

def open_session(task, **options):
    """A session to a task of the fragile cluster; each operation has a deadline of 3 s."""
    config = v1.ConfigProto(operation_timeout_in_ms=3000, **options)
    return v1.Session(fragile.target(task), graph=fragile_graph, config=config)

# %% [markdown]
# ### A task that never started
#
# `worker/1` is missing. The run below needs only `ps/0`, and its master is `worker/0`.

# %% grading="skip"
print(fragile.alive())
session = open_session("worker/0")
outcome("initialise", lambda: session.run(kept.initializer))

# %% [markdown]
# It waits, here until the deadline of 3 s. Before its first run, a session's master asks **every task of the
# specification** for its devices, whether or not the graph needs them. Without a deadline it would wait for ever, and
# in silence.
#
# Two settings help. `operation_timeout_in_ms` turns the hang into a `DeadlineExceededError`. `device_filters` names the
# tasks that the session may use. It then waits for no others, and its graph must mention no others:

# %% grading="skip"
with tf.Graph().as_default() as small_graph, tf.device("/job:ps/task:0"):
    small = v1.get_variable("kept", initializer=7.0)
only = ["/job:ps", "/job:worker/task:0"]
filters = v1.ConfigProto(operation_timeout_in_ms=3000, device_filters=only)
session = v1.Session(fragile.target("worker/0"), graph=small_graph, config=filters)
outcome("initialise, filtered", lambda: session.run(small.initializer))
session = open_session("worker/0", device_filters=only)
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

# %% grading="skip"
fragile.start("worker/1")
outcome("it is back: old session", lambda: session.run(doubled[1]))
outcome("it is back: new session", lambda: open_session("worker/0").run(doubled[1]))

# %% [markdown]
# `UnavailableError`, at once. Its text says **which task**, or which address, does not answer. Work that does not need
# the dead task goes on. Who told the master so fast? The system of the machine: when a process dies, its system closes
# its connections, and says so to the other end.
#
# When the worker is back, the old session is of no use any more: the new process knows none of its graph parts. A **new
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
# First the same error as for a worker; it may show the address instead of the task's name, and the specification says
# whose that is. Then the difference: the new process is empty, and `FailedPreconditionError` says that nobody has
# initialised the variable. What was not saved is lost. Initialise, or restore a checkpoint.
#
# ### A dead master
#
# Last, the task dies that the session talks to.

# %% grading="skip"
open_session("ps/0").run(kept.initializer)
session = open_session("worker/0")
session.run(doubled[0])
fragile.kill("worker/0")
outcome("the master is dead", lambda: session.run(doubled[0]))
fragile.start("worker/0")
outcome("the master is back", lambda: session.run(doubled[0]))
outcome("new session", lambda: open_session("worker/0").run(doubled[0]))

# %% [markdown]
# No error: the session waits for its master to come back, until the deadline. Without one it waits for ever. When the
# master is back, it does not know the session: `AbortedError`. A new session works.
#
# ## 11 Failures in silence
#
# In section 10 an error came at once because the dead process's machine was alive and said so. Real clusters have other
# failures too: the process is **frozen** (its machine has no free memory and swaps, its disk hangs, somebody pressed
# Ctrl-Z), its machine **cannot be reached** (a cable, a switch, a firewall rule), or it is **powered off**. Then nobody
# says anything.

# %% predict="frozen"
# Predict, True or False: worker/1 is frozen. Does a run on it wait until its deadline? (If not,
# the error is there at once.)
waits = ...

# %% grading="skip"
session = open_session("worker/0")
outcome("worker/1 works", lambda: session.run(doubled[1]))
fragile.freeze("worker/1")  # SIGSTOP: the process stands still and is not dead
begin = time.monotonic()
outcome("worker/1 is frozen", lambda: session.run(doubled[1]))
waited = time.monotonic() - begin > 2  # of 3 s
outcome("old session, without it", lambda: session.run(doubled[0]))
outcome("new session, without it", lambda: open_session("worker/0").run(doubled[0]))
compare_prediction("a run waits until its deadline", waits, waited, "Nobody reports it.")
print(fragile.alive())

# %% [markdown]
# `DeadlineExceededError`, and it names nobody. Old sessions that do not need the frozen worker go on. A **new** session
# waits, even for work without it, since its master asks all tasks. So one frozen machine keeps out everybody who comes
# later.
#
# What can be seen from outside? A connection is still **accepted**: the system does that, not the process. So "the port
# is open" does not mean that the server works. But a gRPC server that works greets each new connection with a few
# bytes, and here none come. `alive` looks for that greeting.
#
# A thawed task goes on where it was, and the old session works again: nothing is lost. Then the network: `cut_off`
# makes the system throw away everything that is sent to a task; the task itself does not notice. (That works on Linux.
# Elsewhere, read on.)

# %% grading="skip"
fragile.thaw("worker/1")
outcome("worker/1 goes on", lambda: session.run(doubled[1]))
try:
    fragile.cut_off("worker/1")
    print(fragile.alive())
    outcome("worker/1 is cut off", lambda: session.run(doubled[1]))
    fragile.reconnect("worker/1")
    outcome("new session", lambda: open_session("worker/0").run(doubled[1]))
except ClusterError as error:
    print(error)

# %% [markdown]
# Again the deadline. The difference is in the connection: to a frozen task it is accepted, to a dead one it is
# **refused**, and here there is **no reply** at all. A new connection tells the three apart; a session does not.
#
# A machine that is powered off gives no reply either. When it comes back, its system knows nothing of the old
# connections and closes them; the processes that start on it are new and empty.
#
# How long would a session without a deadline wait? TensorFlow sets none. TCP itself gives up a connection only after
# [13 to 30 minutes](https://man7.org/linux/man-pages/man7/tcp.7.html) without a reply (`tcp_retries2`); with a frozen
# process it never does, since its system still replies.
#
# | task | what a run shows | how fast | a new connection | what to do |
# | --- | --- | --- | --- | --- |
# | never started | nothing; with a deadline `DeadlineExceededError` | at the deadline | refused | start it, or leave it out by `device_filters` |
# | dead worker | `UnavailableError` with the task or its address; when it is back, perhaps `AbortedError` | at once | refused | start it, open a new session; nothing is lost |
# | dead ps | `UnavailableError`; when it is back, `FailedPreconditionError` | at once | refused | start it, new session, restore a checkpoint |
# | dead master | nothing; with a deadline `DeadlineExceededError` | at the deadline | refused | start it, new session (the old one gives `AbortedError`) |
# | frozen, any role | nothing; with a deadline `DeadlineExceededError` | at the deadline | accepted, no greeting | thaw it, or kill it and treat it as dead |
# | unreachable, any role | the same | at the deadline | no reply | mend the network; until then leave it out by `device_filters` |
# | powered off, any role | the same; when the machine is back, `UnavailableError` or `AbortedError` | at the deadline | no reply | as a dead task; what a ps held is lost |
#
# A session's master should be a process that lives as long as the session is needed. Many give each worker's client its
# own worker as master: they live and die together.

# %% [markdown] exercise="triage"
# ### Exercise 5 · Dead, frozen or away
#
# A job hangs, and you have the addresses of its tasks. Write `triage(addresses, seconds)`. It looks at each address
# from outside, without a session.
#
# * It returns `{address: word}`, with all of `addresses`; each is `"host:port"`, on any host. {#1}
# * `"answers"`: a connection is accepted and greeted, that is, at least one byte comes, both within `seconds`. {#2}
# * `"frozen"`: it is accepted, stays open, and no byte comes within `seconds`. {#3}
# * `"dead"`: it is refused, at once; {#4} or it is closed {#7} or reset {#8} before a byte came: there is no working
#   server behind it.
# * `"unreachable"`: there is no reply to the attempt within `seconds`; {#5} or the attempt fails with any other `OSError`,
#   such as "Network is unreachable". {#9}
# * All addresses are asked at the same time: however many are silent, the whole takes at most 2 · `seconds` + 1. {#6}
#
# `socket.create_connection((host, port), seconds)` connects; it raises `ConnectionRefusedError`, `TimeoutError`, or another
# `OSError`. `connection.recv(1)` waits for a byte, as long as `connection.settimeout` says. It gives `b""` if the other side
# has closed the connection, and raises `ConnectionResetError` if it was reset. Section 11's helper `reached` (in the
# folded cell *Helpers*) does such a thing for one port. For many at the same time: `threading.Thread` (lesson 04) or
# `concurrent.futures.ThreadPoolExecutor`.

# %% solution="triage" kind="process"
import concurrent.futures
import socket

def triage(addresses, seconds):
    """Tell tasks that answer from frozen, dead and unreachable ones.

    Args:
        addresses: list of str, "host:port", at least one.
        seconds: float, how long to wait for a connection, and for its first byte.
    Returns:
        dict, address -> "answers", "frozen", "dead" or "unreachable".
    """
    ### BEGIN SOLUTION
    def look(address):
        host, _, port = address.rpartition(":")
        try:
            connection = socket.create_connection((host, int(port)), seconds)
        except ConnectionError:                      # refused, or reset
            return "dead"
        except OSError:
            return "unreachable"
        with connection:
            try:
                return "answers" if connection.recv(1) else "dead"
            except TimeoutError:
                return "frozen"
            except OSError:                          # reset
                return "dead"

    with concurrent.futures.ThreadPoolExecutor(len(addresses)) as pool:
        return dict(zip(addresses, pool.map(look, addresses)))
    ### END SOLUTION

def triaged(kinds, seconds, other=False):
    """Given, for the checks: makes tasks of these kinds, and asks your function about their addresses.

    Returns [your words in the order of kinds, how many other words there were, how long it took].
    """
    with ward(kinds, seconds, other) as addresses:
        begin = time.monotonic()
        words = triage(list(addresses), seconds)
        took = time.monotonic() - begin
    if not isinstance(words, dict):
        return [[words], 0, took]
    return [[words.pop(address, None) for address in addresses], len(words), took]

# %% try="triage"
try:
    print(triage(list(cluster.address.values()), 1.0))
    print(triaged(["answers", "frozen", "dead", "unreachable"], 1.0))
except NotImplementedError as error:
    print(error)

# %% check="triage-near" points=2 title="One that answers, a dead one, a frozen one"
kinds = ["answers", "dead", "frozen"]
found, more, took = triaged(kinds, 1.5)
told = Told(
    asked=f"triage(addresses, 1.5), of tasks that are {kinds}",
    got=found,
    expected=kinds,
    reread="section 11, Failures in silence",
)
assert len(found) == 3, told("the result is not a dict with a word for each address")
assert None not in found, told("an address has no word")
assert not more, told("the dict has other entries than the addresses")
assert found[2] != "answers", told(
    "the frozen one accepts the connection, and no byte comes: its system accepts"
)
assert found[0] == "answers", told("the task that answers does send a byte: wait for it, up to `seconds`")
assert found[1] == "dead", told(
    "the connection was refused, so there is a system that says that nobody listens"
)
assert found == kinds, told()

# %% check="triage-away" points=1 title="One that gives no reply"
kinds = ["unreachable", "dead"]
found, more, took = triaged(kinds, 1.5)
told = Told(
    asked=f"triage(addresses, 1.5), of tasks that are {kinds}",
    got=found,
    expected=kinds,
    reread="section 11, Failures in silence",
)
assert len(found) == 2, told("the result is not a dict with a word for each address")
assert found[0] != "dead", told("nothing refused this connection: there was no reply at all")
assert found[0] == "unreachable", told()
assert found == kinds, told()

# %% hidden="triage-slow" points=1 title="A slow one, a silent one, on another host"
found, more, took = triaged(draw.sample(["slow", "quiet"], 2) + ["dead"], 2.0, True)
kinds = sorted(["answers", "frozen"]) + ["dead"]
told = Told(
    asked="triage(addresses, 2.0), not on 127.0.0.1: one greets after 0.8 s, one never, one is dead",
    got=found,
    expected="answers, frozen (in some order), then dead",
    reread="section 11, Failures in silence",
)
assert len(found) == 3, told("the result is not a dict with a word for each address")
assert found != ["dead"] * 3, told("all are dead on 127.0.0.1: each address says its own host")
assert found[:2] != ["frozen", "frozen"], told("one greets after 0.8 s, and that is within `seconds`")
assert sorted(map(str, found[:2])) + found[2:] == kinds, told()

# %% hidden="triage-ended" points=1 title="Connections that end, and one that cannot be made"
kinds = draw.sample(["closing", "resetting", "no route", "quiet"], 4)
words = {"closing": "dead", "resetting": "dead", "no route": "unreachable", "quiet": "frozen"}
try:
    found, more, took = triaged(kinds, 2.0)
except OSError as error:
    found = f"{type(error).__name__} was raised"
right = [words[kind] for kind in kinds]
told = Told(
    asked=f"triage(addresses, 2.0), of tasks that are {kinds}",
    got=found,
    expected=right,
    reread="the text of exercise 5",
)
assert type(found) is list, told("an OSError came out of the function: one such address hides all others")
assert len(found) == 4, told("the result is not a dict with a word for each address")
said = dict(zip(kinds, found))
assert said["closing"] != "answers", told("the connection was closed without a byte: recv gave b''")
assert said["resetting"] != "answers", told("the connection was reset without a byte")
assert said["no route"] != "dead", told(
    "to 255.255.255.255 an attempt gives an OSError that is no refusal")
assert said["closing"] != "frozen", told("the connection did not stay open: it was closed, without a byte")
assert said["resetting"] != "frozen", told("the connection did not stay open: it was reset")
assert found == right, told()

# %% hidden="triage-many" points=1 title="Many that are silent, at the same time"
kinds = draw.sample(["unreachable"] * 29 + ["quiet"] * 14 + ["dead"], 44)
found, more, took = triaged(kinds, 1.0)
right = ["frozen" if kind == "quiet" else kind for kind in kinds]
told = Told(
    asked="triage(addresses, 1.0) of 44 tasks, 43 of them silent",
    got=f"{found} after {took:.1f} s",
    expected=f"{right} after at most 3 s",
    reread="the text of exercise 5",
)
assert len(found) == 44, told("the result is not a dict with a word for each address")
assert took < 6, told(
    "it took far longer than 2 · seconds + 1: an address was asked only after another"
)
assert found == right, told()

# %% [markdown]
# ## 12 Who is alive
#
# Kill, start, freeze and thaw tasks of a real cluster, and look at what becomes of a variable on `ps/0` and of work on
# each worker.
#
# <details><summary>Picture for reading without a kernel</summary>
#
# `worker/1` was killed. Its box is crossed by lines and says *killed by signal 9*; work on `worker/0` still gives 14.0,
# work on `worker/1` ends at its deadline.
#
# ![The widget after a click on kill worker/1. Two rows of boxes. Job ps: ps/0 answers. Job worker: worker/0 answers, worker/1 is hatched and was killed by signal 9. Below: worker/0 doubles the variable and gets 14.0; worker/1 gives a DeadlineExceededError after 3.0 seconds.](assets/06_widget.svg)
# </details>

# %% grading="skip"
def double_on(index):
    """Twice the variable, computed by one worker in a new session that waits for no other."""
    with tf.Graph().as_default() as graph:
        with tf.device("/job:ps/task:0"):
            kept = v1.get_variable("kept", initializer=7.0)
        with tf.device(f"/job:worker/task:{index}"):
            twice = kept * 2.0
    filters = ["/job:ps", f"/job:worker/task:{index}"]
    config = v1.ConfigProto(operation_timeout_in_ms=3000, device_filters=filters)
    return v1.Session(fragile.target("ps/0"), graph=graph, config=config).run(twice)

def probe():
    for index in (0, 1):
        outcome(f"worker/{index} doubles", lambda: double_on(index))

watch_cluster(fragile, probe)

# %% [markdown]
# Each look opens **new** sessions, to the master `ps/0`. So a dead worker is here a task that does not answer at the
# start: silence until the deadline, not `UnavailableError`; and a frozen one looks the same. Kill `ps/0`: now the
# master is dead. Start it again: what does the error say, and why?
#
# <details><summary>What you see then</summary>
#
# While `ps/0` is dead, nothing answers: the deadline. When it is back: `FailedPreconditionError`. The master answers
# again, but the variable died with the old process, and no button initialises it. Run section 10's cells again for
# that.
# </details>
#
# Exercise 6 trains on a cluster of its own, one ps and one worker. This is its graph: the worker computes, the ps keeps
# `w` and counts the steps. Running `train:0` makes one step and gives the count; `count:0` reads the count and makes no
# step. And this is what happens to it: `survive_drill` (in the folded cell *Helpers*) sets `w` and the count, calls a
# training function, and kills the worker after the steps that you name. Some time later it starts the worker again. At
# the end it reads `w` and the count, by a session that needs only the ps.

# %% grading="skip"
def step_graph():
    """The graph of exercise 6. Each step halves w. Fetch "train:0" or "count:0"."""
    with tf.Graph().as_default() as graph:
        with tf.device("/job:ps/task:0"):
            w = v1.get_variable("w", initializer=0.0, use_resource=True)
            steps = v1.get_variable("steps", initializer=0, use_resource=True)
            tf.identity(steps.read_value(), name="count")
            tf.group(w.initializer, steps.initializer, name="init")
        with tf.device("/job:worker/task:0"):
            gradient = tf.multiply(w.read_value(), 0.5, name="gradient")
        with tf.device("/job:ps/task:0"), tf.control_dependencies([w.assign_sub(gradient)]):
            tf.identity(steps.assign_add(1).read_value(), name="train")
    return graph

# %% [markdown] exercise="survive"
# ### Exercise 6 · Survive a dead worker
#
# Write `survive(target, steps, after_step, patience)`. It trains with the graph of `step_graph()`, over sessions to
# `target` (the ps, which lives), until the count on the ps is `steps`: no more, no less.
#
# * Somebody else has initialised the variables. Never initialise. {#1} Go on from the count that is there. {#2}
# * Each step is one run of `train:0`. After each that succeeded, call `after_step` with the count that it gave. {#3}
# * The worker may be killed between two steps, and start again soon after. The run then fails with an error from
#   `tf.errors`: `UnavailableError`, `AbortedError`, `DeadlineExceededError` or another. Go on with a **new
#   session**, {#4} as often as that happens. {#5}
# * If no step succeeds for `patience` seconds, give up: raise `TimeoutError` (a few seconds later does not
#   matter). {#6} Each step that succeeds starts these seconds anew. {#7}
#
# It returns nothing. Example: `w` is 64 and the count 0. Of six steps the worker is killed after the third. At the end
# the count is 6, `w` is 1.0, and `after_step` was called with 1, 2, 3, 4, 5, 6.
#
# Two hints. Give a session a deadline (`operation_timeout_in_ms`) of three to five seconds, since its first run waits
# for a worker that is not there. Do not close a session whose worker is dead, and do not open it by `with`: closing
# asks all its tasks, and prints an error. Just leave it.

# %% solution="survive" kind="process"
def survive(target, steps, after_step, patience):
    """Train until the count on the ps is `steps`, whatever becomes of the worker.

    Args:
        target: str, a session's target: the ps.
        steps: int, the count to reach; the count that is there is at most this.
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

def survived(begin, steps, kills, back=0.5, patience=40.0, pause=0.0):
    """Given, for the checks: a drill with your function. Returns [how it ended, counts, w, count]."""
    return survive_drill(survive, begin, steps, kills, back, patience, pause)

# %% try="survive"
try:
    for kills in ([], [3]):
        print("killed after", kills, "->", survived([64., 0], 6, kills))
except NotImplementedError as error:
    print(error)

# %% check="survive-calm" points=1 title="Nothing dies"
import random

start = 2.0**6 * random.randrange(1, 999)
ended, seen, w, count = survived([start, 0], 4, [])
told = Told(
    asked=f"four steps from w = {start}, and nothing dies",
    got=f"{ended}; after_step: {seen}; w = {w}, count = {count}",
    expected=f"returned; after_step: [1, 2, 3, 4]; w = {start / 16}, count = 4",
    reread="the text of exercise 6",
)
assert ended == "returned", told(f"it raised {ended} although nothing died")
assert w != 0, told("the variables were initialised again: w is 0")
assert count == 4, told("the count on the ps is not what `steps` says")
assert seen == [1, 2, 3, 4], told(
    "after_step was not called once after each step, with the count that train gave"
)
assert w == start / 16, told()

# %% check="survive-kill" points=2 title="The worker dies once"
import random

start = 2.0**6 * random.randrange(1, 999)
ended, seen, w, count = survived([start, 0], 6, [3])
told = Told(
    asked=f"six steps from w = {start}; the worker is killed after step 3, and back after 0.5 s",
    got=f"{ended}; after_step: {seen}; w = {w}, count = {count}",
    expected=f"returned; after_step: [1, 2, 3, 4, 5, 6]; w = {start / 64}, count = 6",
    reread="section 10, Failures with an error",
)
assert ended != "UnavailableError", told("the error of the dead worker ended the training")
again = ended in ("AbortedError", "DeadlineExceededError")
assert not again, told(f"{ended} ended the training: the first run of a new session may fail as well")
assert not ended.startswith("TimeoutError"), told(
    "it gave up within 40 s although the worker was back after half a second"
)
assert ended == "returned", told(f"it ended with {ended}")
assert w != 0, told("the variables were initialised again: w is 0")
assert count <= 6, told("it made too many steps: the count on the ps says how many there are")
assert count == 6, told("it ended before the count on the ps was 6")
assert seen == [1, 2, 3, 4, 5, 6], told("after_step was not called once after each step that succeeded")
assert w == start / 64, told()

# %% hidden="survive-resume" points=2 title="It goes on from the count that is there"
first = draw.randrange(3, 30)
start = 2.0**8 * draw.randrange(1, 999)
ended, seen, w, count = survived([start, first], first + 3, [first + 1])
told = Told(
    asked=f"the count is {first}; go on to {first + 3}; the worker is killed after one step, and comes back",
    got=f"{ended}; after_step: {seen}; w = {w}, count = {count}",
    expected=f"returned; {[first + 1, first + 2, first + 3]}; w = {start / 8}, count = {first + 3}",
    reread="the text of exercise 6",
)
assert ended == "returned", told(f"it ended with {ended}")
assert w != 0, told("the variables were initialised again: w is 0")
assert count <= first + 3, told("too many steps: `steps` is the count to reach, not how many steps to make")
assert [seen, w, count] == [[first + 1, first + 2, first + 3], start / 8, first + 3], told()
ended, seen, w, count = survived([start, first], first, [])
told = Told(
    asked=f"the count is {first} already, and is to be {first}",
    got=f"{ended}; after_step: {seen}; w = {w}, count = {count}",
    expected=f"returned; after_step: []; w = {start}, count = {first}",
    reread="the text of exercise 6",
)
assert count <= first, told("it made a step although the count was reached")
assert [ended, seen, w, count] == ["returned", [], start, first], told()

# %% hidden="survive-thrice" points=2 title="The worker dies three times, and steps are slow"
start = 2.0**6 * draw.randrange(1, 999)
ended, seen, w, count = survived([start, 0], 5, [1, 2, 4], 0.2, 5.0, 1.3)
told = Told(
    asked="five steps of 1.3 s; the worker is killed after steps 1, 2 and 4; patience is 5 s",
    got=f"{ended}; after_step: {seen}; w = {w}, count = {count}",
    expected=f"returned; after_step: [1, 2, 3, 4, 5]; w = {start / 32}, count = 5",
    reread="the text of exercise 6",
)
late = ended.startswith("TimeoutError") and seen == [1, 2, 3, 4]
assert not late, told(
    "it gave up after step 4, 5 s after the beginning: a step that succeeds starts patience anew"
)
assert ended == "returned" or not seen, told(f"it ended with {ended} after step {seen[-1] if seen else 0}")
assert [ended, seen, w, count] == ["returned", [1, 2, 3, 4, 5], start / 32, 5], told()

# %% hidden="survive-patience" points=1 title="It gives up when patience is over"
ended, seen, w, count = survived([64.0, 0], 6, [2], 30.0, 2.0)
told = Told(
    asked="the worker is killed after step 2 and comes back only after 30 s; patience is 2 s",
    got=f"{ended}; after_step: {seen}; w = {w}, count = {count}",
    expected="TimeoutError; after_step: [1, 2]; w = 16.0, count = 2",
    reread="the text of exercise 6",
)
assert 2 in seen, told("after_step was not called with the count 2, so nobody killed the worker")
assert ended != "returned" or count == 6, told("it ended before the count was 6, and without an error")
assert ended != "returned", told("it went on trying for 30 s")
assert ended != "TimeoutError too early", told("it gave up before patience was over")
assert ended == "TimeoutError", told(f"it ended with {ended}")
assert [seen, w, count] == [[1, 2], 16.0, 2], told()

# %% [markdown]
# ## 13 Who may connect
#
# The specification says `127.0.0.1`, an address that only this machine itself can reach. Does the server listen there?
# Its own sockets know:

# %% grading="skip"
import psutil

server = psutil.Process(cluster.process_id("ps/0"))
if hasattr(server, "net_connections"):
    sockets = server.net_connections("tcp")
else:
    sockets = server.connections("tcp")  # its name before psutil 6, which Colab has
for found in sockets:
    if found.status == psutil.CONN_LISTEN:
        print("ps/0 listens on address", found.laddr.ip, "port", found.laddr.port)

# %% [markdown]
# `::` means **all addresses** of this machine, of every network that it is in. TensorFlow takes only the port from the
# specification. It is the same for `create_local_server` and for every server of `tf.distribute`. And what may a client
# do, once it is connected? A graph can hold any op, reading files included:

# %% grading="skip"
private = pathlib.Path(helper.folder, "private.txt")
private.write_text("a password of the user who started the server")
with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
    content = tf.io.read_file(str(private))
with v1.Session(cluster.target("ps/0"), graph=graph, config=patient) as session:
    print(session.run(content).decode())

# %% [markdown]
# There was no password to give, and the traffic is not encrypted. Whoever reaches the port can read and write every
# file that the server's process can, overwrite the model, and use the machine. TensorFlow's
# [security page](https://github.com/tensorflow/tensorflow/blob/master/SECURITY.md) says so: its servers are for private
# networks only.
#
# What to do on real machines:
#
# * a private network (of the cluster, of the cloud account) with no way in from outside; never a public address;
# * a firewall rule that lets only the cluster's machines connect to the ports; or containers with a network of their own;
# * a user for the job who may read the training data and nothing else; never `root`;
# * an SSH tunnel, if you must connect from elsewhere.
#
# And this course's servers? On Linux, each task of `LocalCluster` gives its sockets a **packet filter**: the system
# throws away what does not come from this machine's own address 127.0.0.1. Look for yourself, with another address of
# this machine:

# %% grading="skip"
port = cluster.address["ps/0"].split(":")[1]
for entries in psutil.net_if_addrs().values():
    for entry in entries:
        if entry.family == socket.AF_INET:
            print("ps/0, asked at", entry.address, ":", reached(port, host=entry.address))

# %% [markdown]
# At 127.0.0.1 it answers. At the address by which others know this machine (if it has one) it is *silent*, although it
# listens there too. Where you read *answers* twice, your system does not allow the filter. **On Windows and macOS there
# is none**: while this notebook's kernel runs, others in your network can connect, unless your system's firewall
# forbids it. If it asks, forbid it; and do not run these lessons in a network that you do not trust.
#
# ## 14 Today's form
#
# | classic (`tf.compat.v1`) | today |
# | --- | --- |
# | `tf.train.Server` (TensorFlow 1) | `tf.distribute.Server` |
# | `tf.train.ClusterSpec` | the same |
# | flags `--job_name`, `--task_index`, `--ps_hosts` | `TF_CONFIG` and a cluster resolver (section 4) |
# | a session to `grpc://host:port` | `tf.config.experimental_connect_to_cluster(resolver)`, once, at the start |
# | `with tf.device("/job:ps/task:0"):` in a graph | the same, for eager ops and inside a `tf.function` |
# | variables live in the ps, found by name | they are found by the Python object; when the client ends, they are gone |
# | `Saver` | `tf.train.Checkpoint` |
# | `device_filters` of a session | `tf.config.experimental.ClusterDeviceFilters` |
# | pinning by hand | `tf.distribute.ParameterServerStrategy`, `MultiWorkerMirroredStrategy` (lessons 07 and 09) |

# %% grading="skip"
%%writefile today.py
import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type != "chief":
    spec = resolver.cluster_spec()
    tf.distribute.Server(spec, resolver.task_type, resolver.task_id).join()
tf.config.experimental_connect_to_cluster(resolver, job_name="chief")
with tf.device("/job:ps/task:0"):
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.device("/job:worker/task:0"):
    y = tf.matmul([[1.0, 1.0]], w)
print("w lies on", w.device)
print("y lies on", y.device, "and is", y.numpy().tolist())

# %% grading="skip"
jobs = {"chief": 1, "worker": 1, "ps": 1}
with LocalCluster(jobs, script="today.py", wait=False, name="today") as today:
    today.wait("chief/0", until="ended", seconds=60)
    print(today.printed("chief/0"))

# %% [markdown]
# The client is now a task too, the `chief`. There is no graph, no session and no initialisation: each op runs at once,
# in the process that you pinned it to. `job_name` says which task of the specification the client itself is. Leave it
# out, and it waits for a chief that nobody starts.
#
# ## Monday morning
#
# Back to the job that stood still. You connect to each address of its specification (exercise 5): eight tasks answer
# and two give no reply. So these are not dead processes, but machines that are off or cut off: this is how they failed.
# The rest looks idle since the client has ended and nobody sends it work. A new session would wait for the two at its
# start: `device_filters` leaves them out. The ps processes answer, so the model is not lost: you save it before anybody
# restarts anything (exercise 4). And everybody whose machine could reach the ports could use them all weekend, without
# a password (section 13): a firewall rule is the first thing that you ask for.
#
# ## Recap
#
# 1. A cluster is a specification, jobs with numbered tasks, and a server process for each task. `TF_CONFIG` tells each
#    its part.
# 2. A client sends a graph to one task. Its master cuts the graph between tasks; `_Send` and `_Recv` carry values over
#    the cuts.
# 3. A variable is found by task, container and name. So clients share it, and it outlives them; it dies with its process.
# 4. A killed worker or ps on a living machine is an error at once. All else is silence: a task that never started, a
#    dead master, a frozen process, a machine that is off or cut off. Give every session a deadline; a new connection
#    tells the cases apart.
# 5. A server listens on all addresses and asks for no password. Close the network around it.
#
# | question | where the answer is |
# | --- | --- |
# | Who belongs to the cluster? | `ClusterSpec`, `session.list_devices()` |
# | What ran where, what travelled? | `RunMetadata.partition_graphs` |
# | Is the model lost? | not while its ps process lives |
# | Which task is dead? | the error's text: the address, or *From /job:…* (who reports it: of a missing variable perhaps the worker that asked) |
# | Why does it hang? | set `operation_timeout_in_ms`; then connect to each address of the specification |
#
# **Read on:** lesson 07, *Replication*: several workers train one model on such a cluster. Lesson 04 has the queues.

# %% [markdown] exercise="lost_model"
# ### Exercise 7 · In your own words
#
# Training on a cluster of two ps and eight workers has ended at night. The client's script ended too, and nobody saved
# the model. A colleague wants to start the training again. Explain in three to six sentences why the model is probably
# not lost, what to do step by step, what must **not** be done, and in which case it is lost after all.

# %% [markdown] written="lost_model" points=3
# ### BEGIN SOLUTION
# The variables live in the ps processes, not in the client. Open a new session and save them.
# ### END SOLUTION

# %% [markdown] model="lost_model"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# The variables live in the containers of the ps *processes*. The client's session and graph are gone, but the servers
# go on until somebody ends them. So open a new session to a task of the cluster, with a graph that has the same
# variable names on the same ps tasks, and save them with a `Saver`. Do not run any initialiser: that would write first
# values over the trained ones. Do not reset the containers, and do not restart a ps. If a ps process has ended, by a
# crash or a restart of its machine, then its variables are lost, and only an older checkpoint helps.
#
# One point each: where the variables live; new session, same names, save without initialising; lost if a ps process has
# ended.
# </details>
