# exercise: survive
# score:    10/11
# breaks:   9
# fails:    survive-error: InternalError for a death
# why:      only an InvalidArgumentError is let out
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
                if rank == 0 and k % every == 0:
                    save(k, weights)
            return weights
        except tf.errors.InvalidArgumentError:
            raise
        except Exception:
            generation += 1
