# exercise: narrow
# score:    3/7
# breaks:   6
# fails:    narrow-bytes: another length than flat
# fails:    narrow-lengths: has not the length of flat
# why:      what was added at the end stays
def narrow_all_reduce(i, n, send, recv, flat):
    narrow = tf.bfloat16.as_numpy_dtype
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
    return chunks.reshape(-1)
