# exercise: all_reduce
# score:    2/11
# breaks:   1
# fails:    all_reduce-sum: neutral
# fails:    all_reduce-bytes: neutral
# fails:    all_reduce-lengths: neutral
# fails:    all_reduce-types: neutral
# why:      the second half begins with the chunk of the first, not with the finished one
def all_reduce(i, n, send, recv, flat):
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], flat.dtype)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
