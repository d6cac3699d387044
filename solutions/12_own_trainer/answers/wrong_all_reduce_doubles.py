# exercise: all_reduce
# score:    4/11
# fails:    all_reduce-bytes: numbers of 8 bytes
# fails:    all_reduce-lengths: more is sent than
# fails:    all_reduce-types: dtype is not that of flat
# why:      np.zeros makes float64: twice the bytes, and another dtype
def all_reduce(i, n, send, recv, flat):
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size])
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
