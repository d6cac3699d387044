# exercise: sharded_adam
# score:    8/8
# why:      chunks by np.split; the state is unpacked late
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    g = np.float32(reduce_scatter(gradients) / n)
    if state is None:
        state = 0, np.zeros(g.shape, np.float32), np.zeros(g.shape, np.float32)
    t, m, v = state[0] + 1, 0.9 * state[1] + 0.1 * g, 0.999 * state[2] + 0.001 * np.square(g)
    whole = np.concatenate([weights, np.zeros(g.size * n - weights.size, np.float32)])
    own = np.split(whole, n)[i]
    own = own - rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-7)
    return all_gather(own.astype("float32"))[: weights.size], (t, m.astype("float32"), v.astype("float32"))
