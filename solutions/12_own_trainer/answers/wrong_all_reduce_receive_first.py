# exercise: all_reduce
# score:    1/11
# breaks:   7
# fails:    all_reduce-sum: waited for a message
# fails:    all_reduce-bytes: nobody sends
# fails:    all_reduce-argument: no worker came to an end
# fails:    all_reduce-lengths: waited for a message
# fails:    all_reduce-types: a worker failed
# why:      everybody receives first
def all_reduce(i, n, send, recv, flat):
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], flat.dtype)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        came = recv()
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += came
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
