# @title A death in the ring (run this; open it to see how it works)
# Runs a function that survives deaths, as threads or as processes of which one is killed.
import functools
import json
import os
import pathlib
import re
import tempfile
import threading
import time

import numpy as np
import tensorflow as tf
from solutions._shared.cluster_processes import helper
from solutions._shared.local_cluster import LocalCluster, text_of
from solutions._shared.ring_link import add_queue, open_link, receiver, sender
from solutions._shared.ring_network import accuracy, losses
from solutions._shared.ring_processes import HEAD, LINK, START, digits_job, error_of
from solutions._shared.ring_threads import outcomes, whole_vectors
from solutions._shared.waiting import in_background

LIMIT = 1.0  # seconds that a thread waits for a message; a healthy one comes in a thousandth of one


# what a program's own error may be, by the number of its step
BROKEN = [
    functools.partial(tf.errors.InvalidArgumentError, None, None),
    functools.partial(tf.errors.InternalError, None, None),
    OSError,
]


class Died(Exception):
    """A thread plays dead: its worker sends nothing more."""


class Drill:
    """What `survive` is given in threads: a board for generations, a checkpoint, links, and deaths.

    Args:
        tasks: list of str.
        deaths: list of (task, step): it dies before that step; one in each generation.
        session, queues: an open session, and {(generation, task): its inbox}.
        broken_step: int, the step at which everybody's program fails, by one of BROKEN; -1: none.
    """

    def __init__(self, tasks, deaths, session, queues, broken_step=-1):
        self.tasks, self.deaths, self.broken_step = tasks, deaths, broken_step
        self.session, self.queues = session, queues
        self.checkpoint = (0, np.zeros(2))
        self.saved, self.events, self.asked = [], {task: [] for task in tasks}, {}
        self.change = threading.Condition()

    def ring_of(self, generation):
        """The tasks that live when a generation begins."""
        gone = {task for task, _ in self.deaths[:generation]}
        ring = [task for task in self.tasks if task not in gone]
        # a rank is the place in this list, whatever the task's number
        first = generation % len(ring)
        return ring[first:] + ring[:first]

    def members(self, me, generation):
        """Wait until all who live have asked for this generation."""
        self.events[me].append(f"members {generation}")
        if self.events[me].count(f"members {generation}") > 1:
            raise ValueError(f"generation {generation} was asked for twice")
        if generation > len(self.deaths):
            raise ValueError(f"generation {generation} never begins: nobody has died since")
        ring = self.ring_of(generation)
        with self.change:
            self.asked.setdefault(generation, set()).add(me)
            self.change.notify_all()
            if not self.change.wait_for(lambda: set(ring) <= self.asked[generation], 4.0):
                raise TimeoutError(f"not all who live have asked for generation {generation}")
        return list(ring)

    def connect(self, me, generation, ring):
        """send to the next of the ring, recv from one's own inbox of that generation."""
        self.events[me].append(f"connect {generation}")
        following = ring[(ring.index(me) + 1) % len(ring)]
        outbox, inbox = self.queues[generation, following], self.queues[generation, me]
        return sender(self.session, outbox), receiver(self.session, inbox)

    def load(self, me):
        """(step, weights) of the last checkpoint."""
        self.events[me].append("load")
        step, weights = self.checkpoint
        return step, weights.copy()

    def save(self, me, k, weights):
        """Make a checkpoint after k steps."""
        self.saved.append((me, int(k)))
        self.checkpoint = (int(k), np.array(weights, float))

    def sends_to_the_dead(self, me, k):
        """Whether the next of the ring has died before this step."""
        generation = sum(call.startswith("members") for call in self.events[me]) - 1
        ring = self.ring_of(generation)
        following = ring[(ring.index(me) + 1) % len(ring)]
        return (following, k) in self.deaths[generation : generation + 1]

    def step(self, me, k, rank, n, send, recv, weights):
        """A step: add up what all give. The second number counts who took part."""
        if (me, k) in self.deaths:
            raise Died(me)
        if self.sends_to_the_dead(me, k):  # as a session says at once whose task is dead
            raise tf.errors.UnavailableError(None, None, "the next worker is dead")
        if k == self.broken_step:
            raise BROKEN[k % len(BROKEN)]("an error of the program itself")
        mine = np.array([(k + 1.0) * (10.0**rank), 1.0])
        return weights + whole_vectors(rank, n, send, recv, mine)


def survived_by_threads(survive, workers, steps, every, deaths, broken_step=-1):
    """What becomes of `survive` in threads of which some die.

    Args:
        survive: function(me, steps, every, members, connect, load, save, step).
        workers: int. steps, every: int. deaths: list of (worker's number, step), one a generation.
        broken_step: int, the step at which everybody's program fails, by one of BROKEN; -1: none.
    Returns:
        dict: "weights" of the survivors, a list; "right", what they should be; "errors", their texts;
            "saved", list of (task, step); "rings", the tasks of each generation; "events", {task: its calls}, of
            the survivors.
    """
    tasks = [f"worker/{k}" for k in range(workers)]
    deaths = [(f"worker/{k}", step) for k, step in deaths]
    with tf.Graph().as_default() as graph:
        generations = range(len(deaths) + 1)
        queues = {(g, task): add_queue(f"{g} to {task}") for g in generations for task in tasks}
    config = tf.compat.v1.ConfigProto(operation_timeout_in_ms=int(1000 * LIMIT))
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        drill = Drill(tasks, deaths, session, queues, broken_step)

        def work(me):
            def bound(method):
                return lambda *arguments, **named: method(me, *arguments, **named)

            given = (drill.members, drill.connect, drill.load, drill.save, drill.step)
            return survive(me, steps, every, *(bound(method) for method in given))

        results, errors = outcomes([in_background(work, task) for task in tasks], limit=25.0)
    alive = drill.ring_of(len(deaths))
    keep = [k for k, task in enumerate(tasks) if task in alive]
    return {
        "right": right_end(workers, steps, every, deaths),
        "weights": [results[k] for k in keep],
        "errors": [errors[k] for k in keep],
        "saved": drill.saved,
        "rings": [drill.ring_of(generation) for generation in generations],
        "events": {task: drill.events[task] for task in alive},
    }


def right_end(workers, steps, every, deaths):
    """The numbers after all steps, when each generation begins from the last checkpoint."""
    checkpoint = (0, np.zeros(2))
    for gone, (_, end) in enumerate([*deaths, ("", steps)]):
        n = workers - gone
        first, weights = checkpoint
        for k in range(first, end):
            weights = weights + np.array([(k + 1.0) * sum(10.0**r for r in range(n)), float(n)])
            if (k + 1) % every == 0:
                checkpoint = (k + 1, weights)
    return weights


def elastic_step(k, rank, n, send, recv, weights, data):
    """One step of digits: 20 rows a worker, so the batch grows and shrinks with n, and the rate with it."""
    rows = np.random.RandomState([k, rank]).randint(1500, size=20)
    variables = [tf.constant(weight) for weight in weights]
    with tf.GradientTape() as tape:
        tape.watch(variables)
        loss = tf.reduce_sum(losses(variables, data["x"][rows], data["y"][rows])) / (20 * n)
    gradients = tape.gradient(loss, variables)
    flat = np.concatenate([gradient.numpy().reshape(-1) for gradient in gradients])
    total = whole_vectors(rank, n, send, recv, flat)
    ends = np.cumsum([weight.size for weight in weights])[:-1]
    parts = zip(weights, np.split(total, ends))  # noqa: B905
    return [w - np.float32(0.1 * n) * part.reshape(w.shape) for w, part in parts]


def elastic_program(job, survive):
    """What each process does: be a server and call `survive` with files as board and checkpoint."""
    settings = json.loads(os.environ["TF_CONFIG"])
    task, folder = settings["task"], job["folder"]
    me = f"{task['type']}/{task['index']}"
    server = tf.distribute.Server(settings["cluster"], task["type"], task["index"])
    with np.load(job["data"]) as file:
        data = dict(file)
    links, rings = [], []  # links stay: to drop an old session may wait for the dead
    begins = []  # of the generations
    seen = {"bytes": 0, "waited": 0.0}

    def device(name):
        return "/job:" + name.replace("/", "/task:")

    def members(generation):
        with open(f"{folder}/asked-{generation}-{task['index']}", "w"):
            pass  # that it exists says enough
        start = time.monotonic()
        while not os.path.exists(f"{folder}/ring-{generation}"):
            if time.monotonic() > start + 30:
                raise TimeoutError(f"generation {generation} did not begin")
            time.sleep(0.02)
        if generation:  # the first waits for processes that start
            seen["waited"] += time.monotonic() - start
        with open(f"{folder}/ring-{generation}") as file:
            rings.append(file.read().split())
        return list(rings[-1])

    def connect(generation, ring):
        following = ring[(ring.index(me) + 1) % len(ring)]
        boxes = {"inbox": f"{generation} to {me}", "outbox": f"{generation} to {following}"}
        devices = {"me": device(me), "next": device(following)}
        links.append(open_link({**devices, **boxes}, server.target, seconds=4.0))
        begins.append(time.monotonic())
        return watched(*links[-1])

    def watched(send, recv):
        def counted_send(array):
            seen["bytes"] += array.nbytes
            send(array)

        def timed_recv():
            start = time.monotonic()
            try:
                return recv()
            finally:
                seen["waited"] += time.monotonic() - start

        return counted_send, timed_recv

    def load():
        with np.load(f"{folder}/checkpoint.npz") as file:
            return int(file["step"]), [file[f"w{k}"] for k in range(4)]

    def save(k, weights):
        part = f"{folder}/part-{task['index']}.npz"
        np.savez(part, step=k, **{f"w{place}": weight for place, weight in enumerate(weights)})
        os.replace(part, f"{folder}/checkpoint.npz")

    def step(k, rank, n, send, recv, weights):
        now = {"step": k, "generation": len(rings) - 1, "rank": rank, "n": n}
        with open(f"{folder}/part-{task['index']}.json", "w") as file:
            json.dump({**now, **seen, "seconds": time.monotonic() - begins[0]}, file)
        os.replace(f"{folder}/part-{task['index']}.json", f"{folder}/now-{task['index']}.json")
        time.sleep(job["pause"])
        return elastic_step(k, rank, n, send, recv, weights, data)

    weights = survive(me, job["steps"], job["every"], members, connect, load, save, step)
    print(
        "rings:", [len(ring) for ring in rings], flush=True
    )  # before the weights: they say the end
    np.savez(f"{folder}/end.{task['index']}.npz", *weights)
    os.replace(f"{folder}/end.{task['index']}.npz", f"{folder}/out-{task['index']}.npz")
    server.join()


def elastic_text(survive):
    """The program of a worker that survives, as text."""
    parts = [*LINK, whole_vectors, elastic_step, survive, elastic_program]
    texts = [text_of(part) for part in parts]
    start = START.replace("worker_program(", "elastic_program(")
    return "\n\n".join([HEAD, *texts, start.replace("plan, all_reduce, train)", "survive)")])


def survives(survive):
    """Whether threads survive a death by it."""
    found = survived_by_threads(survive, 3, 7, 2, [(1, 5)])
    same = [np.array_equal(mine, found["right"]) for mine in found["weights"] if mine is not None]
    return len(same) == 2 and all(same)


class ElasticJob:
    """Processes that train on digits by `survive`, and their launcher: it says who is in the next generation.

    Attributes:
        cluster: LocalCluster of the workers. folder: str, of their files. tasks: list of str.
        generation: int, the next one.
    """

    def __init__(self, survive, n, steps, every, pause=0.0):
        self.folder = tempfile.mkdtemp(dir=helper.folder)
        data = digits_job()
        np.savez(f"{self.folder}/data.npz", **data)
        first = {f"w{k}": data[f"w{k}"] for k in range(4)}
        np.savez(f"{self.folder}/checkpoint.npz", step=0, **first)
        job = {"data": f"{self.folder}/data.npz", "folder": self.folder, "pause": pause}
        job |= {"steps": steps, "every": every}
        environment = {"RING_JOB": json.dumps(job)}
        text = elastic_text(survive)
        self.cluster = LocalCluster(
            {"worker": n}, script=text, env=environment, wait=False, name="elastic"
        )
        self.tasks = list(self.cluster.tasks)
        self.generation = 0

    def look(self):
        """The states of all tasks. Where all who live have asked for the next generation, it begins."""
        states = self.cluster.alive()
        alive = [task for task in self.tasks if not states[task].startswith(("killed", "ended"))]
        asked = [os.path.exists(f"{self.folder}/asked-{self.generation}-{t[-1]}") for t in alive]
        if alive and all(asked):
            pathlib.Path(f"{self.folder}/part").write_text(" ".join(alive))
            os.replace(f"{self.folder}/part", f"{self.folder}/ring-{self.generation}")
            self.generation += 1
        return states


def survived_by_processes(survive, victim=1, steps=60, every=10, seconds=60.0):
    """Three processes train on digits; one is killed after a checkpoint. What the others make of it.

    Returns:
        dict: "started", whether threads get it right, before any process starts; "error", str; "left",
            how many ended with weights; "equal", bool, whether theirs are the same to the last bit;
            "accuracy" on the test; "rings", sizes of the rings of a survivor.
    """
    nothing = {"error": "", "left": 0, "equal": False, "accuracy": 0.0, "rings": []}
    if not survives(survive):
        return {"started": False, **nothing}
    job = ElasticJob(survive, 3, steps, every)
    with job.cluster as cluster:
        left = [k for k in range(3) if k != victim]
        outs = [pathlib.Path(f"{job.folder}/out-{k}.npz") for k in left]
        end = time.monotonic() + seconds
        killed = False
        while not all(out.exists() for out in outs):
            states = job.look()
            failed = [task for task in job.tasks if states[task].startswith("ended")]
            if failed or time.monotonic() > end:
                lines = cluster.printed(failed[0] if failed else f"worker/{left[0]}").splitlines()
                why = error_of(lines) if failed else "no end"
                return {"started": True, **nothing, "error": why}
            if not killed and job.generation == 1 and saved_step(job.folder) >= every:
                cluster.kill(f"worker/{victim}")
                killed = True
            time.sleep(0.02)
        rings = re.findall(r"rings: \[(.*)\]", cluster.printed(f"worker/{left[0]}"))
    ends = [dict(np.load(out)) for out in outs]
    weights = [[file[f"arr_{k}"] for k in range(4)] for file in ends]
    pairs = zip(*weights, strict=True)
    data = digits_job()
    return {
        "started": True,
        "error": "",
        "left": len(weights),
        "equal": all(np.array_equal(a, b) for a, b in pairs),
        "accuracy": accuracy(weights[0], data["test_x"], data["test_y"]),
        "rings": [int(size) for size in rings[0].split(",")] if rings else [],
    }


def saved_step(folder):
    """The step of the last checkpoint."""
    with np.load(f"{folder}/checkpoint.npz") as file:
        return int(file["step"])
