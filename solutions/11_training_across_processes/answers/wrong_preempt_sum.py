# exercise: preempt
# score:    0/6
# breaks:   1
# fails:    preempt-together: the sum of the rows
# fails:    preempt-again: neutral
# fails:    preempt-drawn: w is not
# fails:    preempt-end: w is not
# why:      adds the row to all of w
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
    w, count = tf.Variable(0.0), tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, count=count)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
    checkpoint.restore(manager.latest_checkpoint)
    used = []
    while int(count) < until:
        row = rows[int(count)]
        used.append(row)
        w.assign(w + row)
        count.assign_add(1)
        if agree(told()) and int(count) < until:
            manager.save()
            return [used, float(w), 42]
    return [used, float(w), 0]

def lives_of(rows, until, signals):
    """Given, for the checks: what the workers returned in each life, who has a checkpoint, calls of agree."""
    return some_lives(worker, rows, until, signals)
