# exercise: narrow
# score:    7/7
# why:      casts by TensorFlow; worker i begins with chunk i - 1 and keeps what it sends of its own
def narrow_all_reduce(i, n, send, recv, flat):
    def narrow(array):
        return tf.cast(array, tf.bfloat16).numpy()

    def wide(array):
        return tf.cast(tf.constant(array), tf.float32).numpy()

    parts = [np.array(part) for part in np.array_split(flat, n)]
    for step in range(1, n):
        send(narrow(parts[(i - step) % n]))
        k = (i - step - 1) % n
        parts[k] = parts[k] + wide(recv())
    mine = narrow(parts[i])
    parts[i] = wide(mine)
    for step in range(n - 1):
        send(mine)
        mine = recv()
        parts[(i - step - 1) % n] = wide(mine)
    return np.concatenate(parts)
