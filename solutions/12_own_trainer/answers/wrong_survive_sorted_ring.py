# exercise: survive
# score:    8/11
# breaks:   1
# fails:    survive-drawn: does not save
# why:      the rank is the place by name, not the place in the list
def survive(me, steps, every, members, connect, load, save, step):
    generation = 0
    while True:
        ring = members(generation)
        send, recv = connect(generation, ring)
        rank, n = sum(t < me for t in ring), len(ring)
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
