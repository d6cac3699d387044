# exercise: all_reduce
# score:    10/11
# breaks:   6
# fails:    all_reduce-alone: neutral
# why:      a worker alone sends to itself, and adds that
def all_reduce(i, n, send, recv, flat):
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], flat.dtype)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(max(1, n - 1)):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
