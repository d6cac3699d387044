# exercise: all_reduce
# score:    8/11
# breaks:   2
# fails:    all_reduce-lengths: not the length of flat
# why:      the zeros of the padding are returned
def all_reduce(i, n, send, recv, flat):
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], flat.dtype)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)
