# exercise: preempt
# score:    0/6
# breaks:   1
# fails:    preempt-together: neutral
# fails:    preempt-again: neutral
# fails:    preempt-drawn: neutral
# fails:    preempt-end: neutral
# why:      it calls agree as often as it should, and trains nothing
def worker(rows, until, told, agree, folder):
    """One life of a worker that may be preempted."""
    for _ in range(until):
        agree(told())
    return [[], 0.0, 0]

def lives_of(rows, until, signals):
    """Given, for the checks: what the workers returned in each life, who has a checkpoint, calls of agree."""
    return some_lives(worker, rows, until, signals)
