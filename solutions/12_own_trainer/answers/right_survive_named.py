# exercise: survive
# score:    11/11
# why:      all functions called with the names of the text: save(k=..., weights=...)
def survive(me, steps, every, members, connect, load, save, step):
    import itertools
    for generation in itertools.count():
        ring = list(members(generation=generation))
        rank = ring.index(me)
        try:
            send, recv = connect(generation=generation, ring=ring)
            done, weights = load()
            for k in range(int(done), steps):
                weights = step(k=k, rank=rank, n=len(ring), send=send, recv=recv, weights=weights)
                if rank == 0 and not (k + 1) % every:
                    save(k=k + 1, weights=weights)
            return weights
        except (tf.errors.DeadlineExceededError, tf.errors.UnavailableError) as death:
            print("generation", generation, "ended:", death.message)
