# exercise: preempt
# score:    6/6
# why:      a for loop over the steps left, and Checkpoint.save
import os


def worker(rows, until, told, agree, folder):
    """One life of a worker that may be preempted."""
    state = tf.train.Checkpoint(w=tf.Variable(0.0), done=tf.Variable(0))
    newest = tf.train.latest_checkpoint(folder)
    if newest is not None:
        state.restore(newest)
    used = []
    for row in rows[int(state.done) : until]:
        state.w.assign(state.w * 0.5 + row)
        state.done.assign_add(1)
        used.append(row)
        stop = agree(told())
        if stop and int(state.done) != until:
            state.save(os.path.join(folder, "notice"))
            break
    return [used, float(state.w), 42 if int(state.done) < until else 0]

def lives_of(rows, until, signals):
    """Given, for the checks: what the workers returned in each life, who has a checkpoint, calls of agree."""
    return some_lives(worker, rows, until, signals)
