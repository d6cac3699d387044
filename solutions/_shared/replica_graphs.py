# @title What a worker, the ps and the chief do
import numpy as np
import tensorflow as tf
from solutions._shared.digits_network import SIZE, loss_of

v1 = tf.compat.v1


def shared():
    """On the ps: the weights, and the shared step, which counts updates."""
    with tf.device("/job:ps/task:0"):
        w = v1.get_variable("w", [SIZE])
        step = v1.get_variable("step", initializer=np.int64(0))
    return w, step


def own(index):
    """On a worker: its copy of the weights, and the step at which it was made."""
    with tf.device(f"/job:worker/task:{index}"):
        copy = v1.get_variable(f"w{index}", [SIZE])
        noted = v1.get_variable(f"noted{index}", initializer=np.int64(0))
    return copy, noted


def pull(ps, mine, name, after=()):
    """The worker makes a new copy."""
    (w, step), (copy, noted) = ps, mine
    with tf.device(copy.device), tf.control_dependencies(after):
        noticed = noted.assign(step.read_value())
    with tf.device(copy.device), tf.control_dependencies([noticed]):
        return copy.assign(w.read_value(), name=name)


def own_gradient(mine):
    """The gradient at the worker's copy, for a fed batch; and the step of that copy."""
    copy, noted = mine
    with tf.device(copy.device):
        x = v1.placeholder(tf.float32, [None, 64], "x")
        y = v1.placeholder(tf.int32, [None], "y")
        weights = copy.read_value()
        return tf.gradients(loss_of(weights, x, y), weights)[0], noted.read_value()


def push(gradient, seen, w, step):
    """The ps applies the gradient at once, and notes its staleness. (limit and scale are for
    section 5.)
    """
    rate = v1.placeholder(tf.float32, [], "rate")
    limit = v1.placeholder(tf.float32, [], "limit")
    scale = v1.placeholder(tf.float32, [], "scale")
    with tf.device("/job:ps/task:0"), tf.control_dependencies([gradient]):
        stale = tf.cast(step.read_value() - seen, tf.float32, name="stale")
        counts = stale <= limit
        factor = rate * tf.cast(counts, tf.float32) / (1 + scale * stale)
        with tf.control_dependencies([w.assign_sub(factor * gradient)]):
            return step.assign_add(tf.cast(counts, tf.int64), read_value=False)


def asynchronous_graph(index):
    """Asynchronous: push a gradient, then pull for the next one. It waits for nobody."""
    with tf.Graph().as_default() as graph:
        ps, mine = shared(), own(index)
        pull(ps, mine, "pull")
        pushed = push(*own_gradient(mine), *ps)
        pull(ps, mine, "push", after=[pushed])
    return graph


def accumulator():
    """On the ps: gradients that wait for their mean. It drops those of an older step."""
    return v1.ConditionalAccumulator(tf.float32, [SIZE], shared_name="mean")


def tokens(index):
    """On the ps: a worker's queue. A token in it says that the next step may begin."""
    return v1.FIFOQueue(1000, tf.int32, shapes=[()], shared_name=f"tokens{index}")


def synchronous_graph(index):
    """Synchronous: give the gradient, wait for a token, then pull."""
    with tf.Graph().as_default() as graph:
        ps, mine = shared(), own(index)
        gradient, seen = own_gradient(mine)
        with tf.device("/job:ps/task:0"):
            accumulator().apply_grad(gradient, seen, name="give")
            queue = tokens(index)
            newest = queue.dequeue_many(tf.maximum(1, queue.size()))[-1]
        with tf.control_dependencies([pull(ps, mine, "next", after=[newest])]):
            tf.identity(newest, name="wait")
    return graph


def chief_graph(workers):
    """The chief: take the mean of `needed` gradients, apply it, count, and hand out tokens."""
    with tf.Graph().as_default() as graph, tf.device("/job:ps/task:0"):
        w, step = shared()
        queues = [tokens(index) for index in range(workers)]
        rate = v1.placeholder(tf.float32, [], "rate")
        needed = v1.placeholder(tf.int32, [], "needed")
        token = v1.placeholder(tf.int32, [], "token")
        with tf.control_dependencies([w.assign_sub(rate * accumulator().take_grad(needed))]):
            counted = step.assign_add(1, read_value=False)
        with tf.control_dependencies([counted]):
            newer = accumulator().set_global_step(step.read_value())
        with tf.control_dependencies([newer]):
            tf.group(*[queue.enqueue(token) for queue in queues], name="update")
        # to begin a run, and to look at its end
        w.assign(v1.placeholder(tf.float32, [SIZE], "first"), name="set")
        tf.identity(w.read_value(), name="weights")
        accumulator().set_global_step(step.read_value(), name="begin")
        tf.identity(accumulator().num_accumulated(), name="left")
        accumulator().take_grad(v1.placeholder(tf.int32, [], "all"), name="clear")
        tf.group(*[queue.enqueue(token) for queue in queues], name="tell")
    return graph
