# exercise: narrow
# score:    2/7
# breaks:   1
# fails:    narrow-bytes: one chunk
# fails:    narrow-lengths: more than a chunk's bytes
# fails:    narrow-adds: rounded before
# why:      whole vectors go round, of 16 bits
def narrow_all_reduce(i, n, send, recv, flat):
    narrow = tf.bfloat16.as_numpy_dtype
    found = {i: flat.astype(narrow)}
    for step in range(n - 1):
        send(found[(i - step) % n])
        found[(i - step - 1) % n] = recv()
    return sum(found[k].astype(np.float32) for k in range(n))
