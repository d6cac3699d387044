# @title Replicas at work (run this; open it to see how it works)
# Opens a session for each task, runs the loops of several replicas at once, each in a thread of
# its own, trains with them, and says how far a mean of few runs can be trusted.
import atexit
import threading
import time
from functools import partial

import numpy as np
import tensorflow as tf
from solutions._shared.digits_network import digits_data, loss_of, start


def connect(cluster, graph, task, seconds=30):
    """A session to a task. It waits for the ps tasks and this task only; each operation has a
    deadline.
    """
    job, index = task.split("/")
    config = tf.compat.v1.ConfigProto(
        operation_timeout_in_ms=1000 * seconds,
        device_filters=["/job:ps", f"/job:{job}/task:{index}"],
    )
    session = tf.compat.v1.Session(cluster.target(task), graph=graph, config=config)
    # before the cluster ends: later, closing would wait for tasks that are gone
    atexit.register(leave, session)
    return session


def leave(session, seconds=2):
    """Close a session, but do not wait for it for ever."""
    closing = threading.Thread(target=session.close, daemon=True)
    closing.start()
    closing.join(seconds)


def initialise(*sessions):
    """Give every variable of these sessions' graphs its first value, one session after the
    other.
    """
    for session in sessions:
        operations = session.graph.get_operations()
        session.run([operation for operation in operations if operation.name.endswith("/Assign")])


def at_work(loops):
    """Run each loop(stop) in a thread, until all have returned. An error in one of them, or an
    interrupt, sets `stop`.

    Raises the first error, when all threads have ended.
    """
    stop = threading.Event()
    errors = []

    def guarded(loop):
        try:
            loop(stop)
        except Exception as error:
            errors.append(error)
            stop.set()

    threads = [threading.Thread(target=guarded, args=[loop], daemon=True) for loop in loops]
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.005)
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
    if errors:
        raise errors[0]


def mean_and_margin(values):
    """(mean, margin): mean - margin to mean + margin is the 95 % interval of the true mean, by
    Student's t.

    It takes at least two values, and supposes that they scatter roughly like a bell.
    """
    from scipy import stats  # takes a moment to load, and few cells need it

    values = [float(value) for value in values]
    count = len(values)
    mean = sum(values) / count
    spread = (sum((value - mean) ** 2 for value in values) / (count - 1)) ** 0.5
    quantile = float(stats.t.ppf(0.975, count - 1))
    return mean, quantile * spread / count**0.5


def batch(random, rows):
    """A feed of so many drawn training rows."""
    train_x, train_y, _, _ = digits_data()
    chosen = random.randint(len(train_x), size=rows)
    return {"x:0": train_x[chosen], "y:0": train_y[chosen]}


class Replicas:
    """Sessions to the ps and the workers of a cluster, with which they train the digits network.

    The graphs are those of section 3: two functions of a worker's index, one of the number of
    workers.
    """

    def __init__(self, cluster, asynchronous_graph, synchronous_graph, chief_graph, workers=4):
        self.count = workers
        self.chief = connect(cluster, chief_graph(workers), "ps/0")
        self.pushers = [
            connect(cluster, asynchronous_graph(i), f"worker/{i}") for i in range(workers)
        ]
        self.givers = [
            connect(cluster, synchronous_graph(i), f"worker/{i}") for i in range(workers)
        ]
        initialise(self.chief, *self.pushers, *self.givers)

    def score(self):
        """Test loss and accuracy of the weights on the ps."""
        _, _, test_x, test_y = digits_data()
        w = self.chief.run("weights:0")
        logits = np.maximum(test_x @ w[:2048].reshape(64, 32), 0) @ w[2048:].reshape(32, 10)
        accuracy = np.mean(logits.argmax(1) == test_y)
        return {"loss": float(loss_of(w, test_x, test_y)), "accuracy": float(accuracy)}

    def begin(self, seed):
        """Set the first weights of this seed, and empty the accumulator; returns the time."""
        self.chief.run("set", {"first:0": start(seed)})
        if left := self.chief.run("left:0"):  # an interrupted run left something
            self.chief.run("clear", {"all:0": left})
        return time.monotonic()

    def push(self, index, random, rows=20, rate=0.1, limit=1e9, scale=0.0):
        """A worker computes a gradient at its copy, pushes it, and pulls; returns the gradient's
        staleness.
        """
        feed = {"rate:0": rate, "limit:0": limit, "scale:0": scale, **batch(random, rows)}
        stale, _ = self.pushers[index].run(["stale:0", "push"], feed)
        return int(stale)

    def asynchronous(
        self, updates, rate, seed, rows=20, slow=None, warmup=0, replicas=None, **remedy
    ):
        """Train with `updates` gradients, at a rate that falls to 0.

        `slow` is {worker: seconds that each of its gradients takes longer}; the first `warmup`
        gradients come from worker 0 alone; `remedy` may have a limit or a scale. Returns seconds,
        loss, accuracy, and stale: for each gradient (worker, staleness).
        """
        stale = []
        ends = []
        waits = slow or {}

        def loop(index, stop):
            random = np.random.RandomState(100 * seed + index)
            while index and len(stale) < warmup and not stop.is_set():
                time.sleep(0.001)
            self.pushers[index].run("pull")
            while len(stale) < updates and not stop.is_set():
                time.sleep(waits.get(index, 0))
                falling = rate * max(0, 1 - len(stale) / updates)
                stale.append((index, self.push(index, random, rows, falling, **remedy)))
                ends.append(time.monotonic())

        begin = self.begin(seed)
        at_work([partial(loop, index) for index in range(replicas or self.count)])
        return {"seconds": ends[updates - 1] - begin, "stale": stale[:updates], **self.score()}

    def synchronous(self, updates, needed, rate, seed, rows=20, slow=None):
        """Train with `updates` updates, each from the first `needed` gradients of its step."""
        ends = []
        waits = slow or {}

        def lead(stop):
            try:
                while len(ends) < updates and not stop.is_set():
                    last = len(ends) == updates - 1
                    falling = rate * (1 - len(ends) / updates)
                    feed = {"rate:0": falling, "needed:0": needed, "token:0": -1 if last else 1}
                    self.chief.run("update", feed)
                    ends.append(time.monotonic())
            finally:  # however it ends, it tells the workers: else they wait for a token for ever
                self.chief.run("tell", {"token:0": -1})

        def loop(index, stop):
            random = np.random.RandomState(100 * seed + index)
            while self.givers[index].run("wait:0") > 0:
                time.sleep(waits.get(index, 0))
                self.givers[index].run("give", batch(random, rows))

        begin = self.begin(seed)
        self.chief.run("begin")
        self.chief.run("tell", {"token:0": 1})
        at_work([lead, *(partial(loop, index) for index in range(self.count))])
        return {"seconds": ends[-1] - begin, **self.score()}


def measured_step(cluster, rows, size, times=5):
    """Seconds of a step on a cluster: get `size` numbers from the ps, compute on `rows` rows, send
    as many back.

    The shortest of some runs: longer ones were disturbed.
    """
    v1 = tf.compat.v1
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
    with connect(cluster, graph, "worker/0") as session:
        initialise(session)
        taken = []
        for _ in range(times + 1):
            begin = time.monotonic()
            session.run("step")
            taken.append(time.monotonic() - begin)
    return min(taken[1:])
