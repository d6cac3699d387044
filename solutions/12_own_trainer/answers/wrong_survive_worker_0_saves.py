# exercise: survive
# score:    8/11
# breaks:   6
# fails:    survive-drawn: does not save, or others do
# why:      only worker/0 saves, also when it is dead
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
                if me == 'worker/0' and k % every == 0:
                    save(k, weights)
            return weights
        except (tf.errors.UnavailableError, tf.errors.DeadlineExceededError):
            generation += 1
