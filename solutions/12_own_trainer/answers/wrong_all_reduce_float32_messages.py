# exercise: all_reduce
# score:    9/11
# fails:    all_reduce-types: chunks travel with another dtype
# why:      float64 is sum and result, but float32 travels
def all_reduce(i, n, send, recv, flat):
    size = -(-len(flat) // n)
    room = np.zeros(size * n, flat.dtype)
    room[:len(flat)] = flat
    parts = [room[k * size:(k + 1) * size] for k in range(n)]
    for s in range(n - 1):
        send(parts[(i - s) % n].astype('float32'))
        parts[(i - s - 1) % n] += recv()
    for s in range(n - 1):
        send(parts[(i + 1 - s) % n].astype('float32'))
        parts[(i - s) % n][:] = recv()
    return room[:len(flat)]
