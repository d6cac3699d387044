# exercise: all_reduce
# score:    9/11
# breaks:   3
# fails:    all_reduce-types: dtype is not that of flat
# why:      float32 whatever came
def all_reduce(i, n, send, recv, flat):
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], np.float32)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
