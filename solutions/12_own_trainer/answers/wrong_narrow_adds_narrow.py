# exercise: narrow
# score:    6/7
# breaks:   3
# fails:    narrow-adds: rounded before they are added
# why:      everything is cast first, and added in 16 bits
def narrow_all_reduce(i, n, send, recv, flat):
    narrow = tf.bfloat16.as_numpy_dtype
    size = -(-len(flat) // n)
    chunks = np.zeros([n, size], narrow)
    chunks.reshape(-1)[: len(flat)] = flat
    for step in range(n - 1):
        send(chunks[(i - step) % n].astype(narrow))
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n].astype(narrow))
        chunks[(i - step) % n] = recv()
    return chunks.reshape(-1)[: len(flat)].astype(np.float32)
