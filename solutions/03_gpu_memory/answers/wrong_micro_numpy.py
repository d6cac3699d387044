# exercise: micro
# score:    6/8
# fails:    micro-memory: no product of matrices
# why:      NumPy has the whole batch at once, where the card is not asked
def micro_gradients(weights, x, y, size):
    if size >= len(x):
        return [np.array(g) for g in plain_gradients(weights, x, y)]
    hs, zs = [x], []
    for w in weights:
        z = hs[-1] @ w
        zs.append(z)
        hs.append(hs[-1] + np.maximum(z, 0))
    d = 2 * (hs[-1] - y) / y.size
    grads = []
    for w, z, h in zip(weights[::-1], zs[::-1], hs[-2::-1]):
        dz = d * (z > 0)
        grads.append(h.T @ dz)
        d = d + dz @ w.T
    return grads[::-1]
