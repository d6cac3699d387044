# exercise: micro
# score:    8/8
# why:      calls plain_gradients for each part
import numpy as np

def micro_gradients(weights, x, y, size):
    total = None
    for xs, ys in zip(np.split(x, range(size, len(x), size)), np.split(y, range(size, len(y), size))):
        parts = [len(xs) / len(x) * gradient for gradient in plain_gradients(weights, xs, ys)]
        total = parts if total is None else [t + part for t, part in zip(total, parts)]
    return [np.asarray(t, "float32") for t in total]
