# exercise: survive
# score:    3/11
# breaks:   2
# fails:    survive-order: links of generation 0
# fails:    survive-drawn: neutral
# fails:    survive-kill: the threads do not survive
# why:      always the links of generation 0
def survive(me, steps, every, members, connect, load, save, step):
    generation = 0
    while True:
        ring = members(generation)
        rank, n = ring.index(me), len(ring)
        send, recv = connect(0, ring)
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
