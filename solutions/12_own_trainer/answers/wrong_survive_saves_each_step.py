# exercise: survive
# score:    3/11
# breaks:   7
# fails:    survive-calm: it saves at other steps
# fails:    survive-drawn: neutral
# fails:    survive-kill: the threads do not survive
# why:      saves after each step
def survive(me, steps, every, members, connect, load, save, step):
    generation = 0
    while True:
        ring = members(generation)
        rank, n = ring.index(me), len(ring)
        send, recv = connect(generation, ring)
        k, weights = load()
        try:
            while k < steps:
                weights = step(k, rank, n, send, recv, weights)
                k += 1
                if rank == 0:
                    save(k, weights)
            return weights
        except (tf.errors.UnavailableError, tf.errors.DeadlineExceededError):
            generation += 1
