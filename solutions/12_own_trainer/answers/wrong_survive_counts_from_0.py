# exercise: survive
# score:    3/11
# breaks:   7
# fails:    survive-calm: it saves at other steps
# fails:    survive-drawn: neutral
# fails:    survive-kill: the threads do not survive
# why:      the number of the step, not of the steps made
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
                if rank == 0 and (k + 1) % every == 0:
                    save(k, weights)
                k += 1
            return weights
        except (tf.errors.UnavailableError, tf.errors.DeadlineExceededError):
            generation += 1
