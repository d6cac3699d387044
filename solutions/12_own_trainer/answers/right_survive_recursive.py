# exercise: survive
# score:    11/11
# why:      a generation is a function that calls the next
def survive(me, steps, every, members, connect, load, save, step):
    def go_on(generation):
        ring = list(members(generation))
        send, recv = connect(generation, ring)
        done, weights = load()
        try:
            for k in range(done, steps):
                weights = step(k, ring.index(me), len(ring), send, recv, weights)
                if ring[0] == me and (k + 1) % every == 0:
                    save(k + 1, weights)
        except (tf.errors.DeadlineExceededError, tf.errors.UnavailableError):
            return None
        return [weights]

    generation, end = 0, None
    while end is None:
        end = go_on(generation)
        generation += 1
    return end[0]
