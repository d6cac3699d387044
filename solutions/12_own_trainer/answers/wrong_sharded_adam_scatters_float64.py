# exercise: sharded_adam
# score:    6/8
# breaks:   7
# fails:    sharded_adam-memory: given to reduce_scatter is not of float32
# why:      the gradients travel as float64, twice the bytes
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    gradient = np.float32(reduce_scatter(gradients.astype(np.float64)) / n)
    size = len(gradient)
    step, m, v = state or (0, np.zeros_like(gradient), np.zeros_like(gradient))
    step += 1
    m = np.float32(0.9) * m + np.float32(0.1) * gradient
    v = np.float32(0.999) * v + np.float32(0.001) * gradient**2
    mean = m / np.float32(1 - 0.9**step)
    square = v / np.float32(1 - 0.999**step)
    padded = np.pad(weights, (0, n * size - len(weights)))
    chunk = padded[i * size : (i + 1) * size]
    chunk = chunk - np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-7))
    return all_gather(chunk)[: len(weights)], (step, m, v)
