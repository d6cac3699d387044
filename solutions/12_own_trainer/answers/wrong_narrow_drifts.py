# exercise: narrow
# score:    3/7
# breaks:   7
# fails:    narrow-equal: round your own, too
# fails:    narrow-lengths: the workers differ
# why:      the own chunk stays in 32 bits: the replicas drift
def narrow_all_reduce(i, n, send, recv, flat):
    narrow = tf.bfloat16.as_numpy_dtype
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], np.float32)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n].astype(narrow))
        chunks[(i - step - 1) % n] += recv().astype(np.float32)
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n].astype(narrow))
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)]
