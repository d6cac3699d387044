# exercise: all_reduce
# score:    9/11
# breaks:   7
# fails:    all_reduce-sum: a worker receives first
# why:      all but worker 0 receive first: nobody waits for ever, but all wait for the one before
def all_reduce(i, n, send, recv, flat):
    size = -(-len(flat) // n)
    room = np.zeros(size * n, flat.dtype)
    room[:len(flat)] = flat
    parts = [room[k * size:(k + 1) * size] for k in range(n)]
    for s in range(n - 1):
        got = recv() if i else None
        send(parts[(i - s) % n])
        parts[(i - s - 1) % n] += recv() if got is None else got
    for s in range(n - 1):
        send(parts[(i + 1 - s) % n])
        parts[(i - s) % n][:] = recv()
    return room[:len(flat)]
