# exercise: all_reduce
# score:    0/11
# fails:    all_reduce-sum: written inside the function
# fails:    all_reduce-bytes: nobody sends
# fails:    all_reduce-argument: no worker came to an end
# fails:    all_reduce-lengths: written inside the function
# fails:    all_reduce-types: a worker failed: NameError
# fails:    all_reduce-alone: it fails
# why:      a function that is written beside it, not inside it
def chunk_size(l, n):
    return -(-l // n)


def all_reduce(i, n, send, recv, flat):
    size = chunk_size(len(flat), n)
    room = np.zeros(size * n, flat.dtype)
    room[:len(flat)] = flat
    parts = [room[k * size:(k + 1) * size] for k in range(n)]
    for s in range(n - 1):
        send(parts[(i - s) % n])
        parts[(i - s - 1) % n] += recv()
    for s in range(n - 1):
        send(parts[(i + 1 - s) % n])
        parts[(i - s) % n][:] = recv()
    return room[:len(flat)]
