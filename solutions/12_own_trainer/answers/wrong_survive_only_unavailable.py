# exercise: survive
# score:    3/11
# breaks:   8
# fails:    survive-order: does not ask for the next generation
# fails:    survive-drawn: a survivor ended
# fails:    survive-kill: do not survive yet
# why:      only the sender notices the death
def survive(me, steps, every, members, connect, load, save, step):
    generation = 0
    while True:
        ring = members(generation)
        send, recv = connect(generation, ring)
        rank, n = ring.index(me), len(ring)
        k, weights = load()
        try:
            while k < steps:
                weights = step(k, rank, n, send, recv, weights)
                k += 1
                if rank == 0 and k % every == 0:
                    save(k, weights)
            return weights
        except tf.errors.UnavailableError:
            generation += 1
