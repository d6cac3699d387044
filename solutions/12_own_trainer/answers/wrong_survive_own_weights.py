# exercise: survive
# score:    3/11
# breaks:   3
# fails:    survive-order: its own weights
# fails:    survive-drawn: neutral
# fails:    survive-kill: the threads do not survive
# why:      goes on from its own weights
def survive(me, steps, every, members, connect, load, save, step):
    generation = 0
    k = None
    while True:
        ring = members(generation)
        rank, n = ring.index(me), len(ring)
        send, recv = connect(generation, ring)
        if k is None:
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
