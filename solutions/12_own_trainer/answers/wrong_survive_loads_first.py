# exercise: survive
# score:    9/11
# breaks:   4
# fails:    survive-order: before members has returned
# why:      loads before it knows that all others have stopped
def survive(me, steps, every, members, connect, load, save, step):
    generation = 0
    while True:
        k, weights = load()
        ring = members(generation)
        rank, n = ring.index(me), len(ring)
        send, recv = connect(generation, ring)
        try:
            while k < steps:
                weights = step(k, rank, n, send, recv, weights)
                k += 1
                if rank == 0 and k % every == 0:
                    save(k, weights)
            return weights
        except (tf.errors.UnavailableError, tf.errors.DeadlineExceededError):
            generation += 1
