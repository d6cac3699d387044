# exercise: survive
# score:    11/11
# why:      runs from one checkpoint to the next
def survive(me, steps, every, members, connect, load, save, step):
    generation = 0
    while True:
        ring = members(generation)
        generation += 1
        rank = ring.index(me)
        send, recv = connect(generation - 1, ring)
        k, weights = load()
        try:
            while k < steps:
                stop = min(steps, (k // every + 1) * every)
                while k < stop:
                    weights = step(k, rank, len(ring), send, recv, weights)
                    k += 1
                if rank == 0 and stop % every == 0:
                    save(stop, weights)
        except tf.errors.UnavailableError:
            continue
        except tf.errors.DeadlineExceededError:
            continue
        return weights
