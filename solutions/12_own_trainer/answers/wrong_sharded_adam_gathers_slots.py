# exercise: sharded_adam
# score:    6/8
# breaks:   7
# fails:    sharded_adam-memory: more travels than in an all-reduce
# why:      the slots are gathered, and everybody updates all weights
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    gradient = reduce_scatter(gradients) / np.float32(n)
    step, m, v = state or (0, np.zeros_like(gradient), np.zeros_like(gradient))
    step += 1
    m = np.float32(0.9) * m + np.float32(0.1) * gradient
    v = np.float32(0.999) * v + np.float32(0.001) * gradient**2
    mean = all_gather(m)[: len(weights)] / np.float32(1 - 0.9**step)
    square = all_gather(v)[: len(weights)] / np.float32(1 - 0.999**step)
    return weights - np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-7)), (step, m, v)
