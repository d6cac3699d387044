# exercise: preempt
# score:    0/6
# breaks:   1
# fails:    preempt-together: nobody stops
# fails:    preempt-again: begins at the beginning
# fails:    preempt-drawn: neutral
# fails:    preempt-end: w is not
# why:      it calls agree as often as it should, and takes rows without training
def worker(rows, until, told, agree, folder):
    """One life of a worker that may be preempted."""
    for _ in range(until):
        agree(told())
    return [rows[:until], 1.0, 0]

def lives_of(rows, until, signals):
    """Given, for the checks: what the workers returned in each life, who has a checkpoint, calls of agree."""
    return some_lives(worker, rows, until, signals)
