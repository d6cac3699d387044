# exercise: sharded_adam
# score:    6/8
# breaks:   7
# fails:    sharded_adam-memory: twice the bytes
# why:      the chunk that is gathered is of float64
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    gradient = reduce_scatter(gradients) / np.float32(n)
    size = len(gradient)
    step, m, v = state or (0, np.zeros_like(gradient), np.zeros_like(gradient))
    step += 1
    m = np.float32(0.9) * m + np.float32(0.1) * gradient
    v = np.float32(0.999) * v + np.float32(0.001) * gradient**2
    change = (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-7)
    padded = np.pad(weights, (0, n * size - len(weights))).astype("float64")
    chunk = padded[i * size : (i + 1) * size] - rate * change
    return all_gather(chunk)[: len(weights)].astype("float32"), (step, m, v)
