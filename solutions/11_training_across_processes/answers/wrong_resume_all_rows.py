# exercise: resume
# score:    1/6
# breaks:   5
# fails:    resume-two: the rows of both
# fails:    resume-lost: neutral
# why:      returns the rows of all lives
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
    return [rows[: int(count)], float(w)]

def lives(rows, every, untils):
    """Given, for the checks: one life after the other in an empty folder; what each returned."""
    with empty_folder("lives") as folder:
        return [train(rows, every, until, folder) for until in untils]
