# exercise: sharded_adam
# score:    8/8
# why:      the change is gathered, not the weights
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    g = reduce_scatter(gradients) / np.float32(n)
    step, m, v = state if state else [0, 0 * g, 0 * g]
    m = np.float32(0.9) * m + np.float32(0.1) * g
    v = np.float32(0.999) * v + np.float32(0.001) * g * g
    step = step + 1
    change = rate * m / (1 - 0.9**step) / ((v / (1 - 0.999**step)) ** 0.5 + 1e-7)
    return weights - all_gather(np.float32(change))[: len(weights)], (step, m, v)
