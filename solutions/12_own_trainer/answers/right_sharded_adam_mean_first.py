# exercise: sharded_adam
# score:    8/8
# why:      each divides before the sum; slots in place on copies
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    g = reduce_scatter(gradients / np.float32(n))
    step, slots = (0, np.zeros([2, g.size], "float32")) if state is None else (state[0], np.stack(state[1:]))
    step += 1
    slots[0] += np.float32(0.1) * (g - slots[0])
    slots[1] += np.float32(0.001) * (g**2 - slots[1])
    m, v = slots
    own = np.zeros_like(g)
    mine = weights[i * g.size : (i + 1) * g.size]
    own[: mine.size] = mine
    own -= rate * m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.999**step)) + 1e-7)
    return all_gather(own)[: len(weights)], (step, m, v)
