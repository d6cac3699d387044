# exercise: preempt
# score:    6/6
# why:      its own plain iterator is in the checkpoint
def worker(rows, until, told, agree, folder):
    """One life of a worker that may be preempted."""
    w = tf.Variable(0.0)
    count = tf.Variable(0)
    place = iter(tf.data.Dataset.from_tensor_slices(rows).take(until))
    checkpoint = tf.train.Checkpoint(w=w, count=count, place=place)
    checkpoint.restore(tf.train.latest_checkpoint(folder))
    used = []
    for row in place:
        used.append(float(row))
        w.assign(w / 2 + row)
        left = until - int(count.assign_add(1))
        if agree(told()) and left > 0:
            checkpoint.save(folder + "/ckpt")
            return [used, float(w), 42]
    return [used, float(w), 0]

def lives_of(rows, until, signals):
    """Given, for the checks: what the workers returned in each life, who has a checkpoint, calls of agree."""
    return some_lives(worker, rows, until, signals)
