# exercise: all_reduce
# score:    11/11
# why:      it sends tensors and returns one
def all_reduce(i, n, send, recv, flat):
    size = -(-flat.size // n)
    padded = tf.pad(tf.constant(flat), [[0, n * size - flat.size]])
    chunks = tf.unstack(tf.reshape(padded, [n, size]))
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n] = tf.constant(recv())
    return tf.concat(chunks, axis=0)[: flat.size]
