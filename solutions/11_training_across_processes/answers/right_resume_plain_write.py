# exercise: resume
# score:    6/6
# why:      Checkpoint.save without a manager, and rows by index
import os

def train(rows, every, until, folder):
    """One life of a training process."""
    state = tf.train.Checkpoint(w=tf.Variable(0.0), step=tf.Variable(0))
    newest = tf.train.latest_checkpoint(folder)
    if newest:
        state.restore(newest)
    used = []
    for step in range(int(state.step), until):
        used.append(rows[step])
        state.w.assign(0.5 * state.w + rows[step])
        state.step.assign(step + 1)
        if (step + 1) % every == 0:
            state.save(os.path.join(folder, "life"))
    return [used, float(state.w)]

def lives(rows, every, untils):
    """Given, for the checks: one life after the other in an empty folder; what each returned."""
    with empty_folder("lives") as folder:
        return [train(rows, every, until, folder) for until in untils]
