#@title Replicas at work (run this; open it to see how it works)
# Opens a session for each task, and runs the loops of several replicas at once, each in a thread of its own.
import atexit, threading, time
import tensorflow as tf


def connect(cluster, graph, task, seconds=30):
    """A session to a task. It waits for the ps tasks and this task only; each operation has a deadline."""
    job, index = task.split("/")
    config = tf.compat.v1.ConfigProto(operation_timeout_in_ms=1000 * seconds,
                                      device_filters=["/job:ps", f"/job:{job}/task:{index}"])
    session = tf.compat.v1.Session(cluster.target(task), graph=graph, config=config)
    atexit.register(leave, session)  # before the cluster ends: later, closing would wait for tasks that are gone
    return session


def leave(session, seconds=2):
    """Close a session, but do not wait for it for ever."""
    closing = threading.Thread(target=session.close, daemon=True)
    closing.start()
    closing.join(seconds)


def initialise(*sessions):
    """Give every variable of these sessions' graphs its first value, one session after the other."""
    for session in sessions:
        session.run([op for op in session.graph.get_operations() if op.name.endswith("/Assign")])


def at_work(loops):
    """Run each loop(stop) in a thread, until all have returned. An error in one of them, or an interrupt, sets `stop`.

    Raises the first error, when all threads have ended."""
    stop, errors = threading.Event(), []

    def guarded(loop):
        try:
            loop(stop)
        except Exception as error:
            errors.append(error)
            stop.set()

    threads = [threading.Thread(target=guarded, args=[loop], daemon=True) for loop in loops]
    try:
        [thread.start() for thread in threads]
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.005)
    finally:
        stop.set()
        [thread.join(60) for thread in threads]
    if errors:
        raise errors[0]


def mean_and_error(values):
    """(mean, its standard error): how far the mean of so few runs may be from the true one."""
    values = [float(value) for value in values]
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / (len(values) - 1)) ** 0.5
    return mean, spread / len(values) ** 0.5
