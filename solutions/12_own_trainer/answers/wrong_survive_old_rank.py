# exercise: survive
# score:    5/11
# breaks:   1
# fails:    survive-drawn: does not save, or others do
# fails:    survive-kill: the threads do not survive
# why:      rank and n are those of the first ring
def survive(me, steps, every, members, connect, load, save, step):
    generation = 0
    rank = n = None
    while True:
        ring = members(generation)
        if n is None:
            rank, n = ring.index(me), len(ring)
        send, recv = connect(generation, ring)
        k, weights = load()
        try:
            while k < steps:
                weights = step(k, rank, n, send, recv, weights)
                k += 1
                if rank == 0 and k % every == 0:
                    save(k, weights)
            return weights
        except (tf.errors.UnavailableError, tf.errors.DeadlineExceededError):
            generation += 1
