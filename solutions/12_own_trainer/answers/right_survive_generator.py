# exercise: survive
# score:    11/11
# why:      generations counted by itertools; load before connect
def survive(me, steps, every, members, connect, load, save, step):
    import itertools

    for generation in itertools.count():
        ring = members(generation)
        place = {"rank": ring.index(me), "n": len(ring)}
        k, weights = load()
        place["send"], place["recv"] = connect(generation, ring)
        broken = False
        while k < steps and not broken:
            try:
                weights = step(k, weights=weights, **place)
            except (tf.errors.UnavailableError, tf.errors.DeadlineExceededError):
                broken = True
            else:
                k += 1
                if place["rank"] == 0 and k % every == 0:
                    save(k, weights)
        if not broken:
            return weights
