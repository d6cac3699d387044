# exercise: preempt
# score:    3/6
# breaks:   4
# fails:    preempt-again: neutral
# fails:    preempt-drawn: neutral
# why:      takes the next row before it asks
def worker(rows, until, told, agree, folder):
    """One life of a worker that may be preempted."""
    w, count = tf.Variable(0.0), tf.Variable(0)
    place = iter(tf.data.Dataset.from_tensor_slices([*rows, 0.0]))
    checkpoint = tf.train.Checkpoint(w=w, count=count, place=place)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
    checkpoint.restore(manager.latest_checkpoint)
    used = []
    row = next(place)
    while int(count) < until:
        used.append(float(row))
        w.assign(w / 2 + row)
        count.assign_add(1)
        row = next(place, 0.0)
        if agree(told()) and int(count) < until:
            manager.save()
            return [used, float(w), 42]
    return [used, float(w), 0]

def lives_of(rows, until, signals):
    """Given, for the checks: what the workers returned in each life, who has a checkpoint, calls of agree."""
    return some_lives(worker, rows, until, signals)
