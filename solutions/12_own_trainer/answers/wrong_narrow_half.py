# exercise: narrow
# score:    3/7
# breaks:   2
# fails:    narrow-bytes: float16 has half
# fails:    narrow-lengths: by more than the rounding
# why:      float16: the range is not enough for large numbers
def narrow_all_reduce(i, n, send, recv, flat):
    narrow = np.float16
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], np.float32)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n].astype(narrow))
        chunks[(i - step - 1) % n] += recv().astype(np.float32)
    own = (i + 1) % n
    chunks[own] = chunks[own].astype(narrow)
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n].astype(narrow))
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
