# exercise: survive
# score:    11/11
# why:      errors told apart by their codes
def survive(me, steps, every, members, connect, load, save, step):
    deaths = {tf.errors.UNAVAILABLE, tf.errors.DEADLINE_EXCEEDED}
    generation = 0
    ring = members(generation)
    link = connect(generation, ring)
    k, weights = load()
    while k != steps:
        try:
            weights = step(k, ring.index(me), len(ring), link[0], link[1], weights)
        except tf.errors.OpError as error:
            if error.error_code not in deaths:
                raise
            generation = generation + 1
            ring = members(generation)
            link = connect(generation, ring)
            k, weights = load()
            continue
        k = k + 1
        if k % every == 0 and not ring.index(me):
            save(k, weights)
    return weights
