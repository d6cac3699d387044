# exercise: average
# score:    7/7
# why:      TensorFlow's own IndexedSlices
def average(tower_grads):
    def tensor(g):
        if isinstance(g, dict):
            return tf.convert_to_tensor(tf.IndexedSlices(tf.constant(np.asarray(g["values"], "float64")),
                                                         tf.constant(g["rows"], tf.int64), tf.constant(g["shape"], tf.int64)))
        return tf.constant(np.asarray(g, "float64"))

    means = {}
    for name in tower_grads[0]:
        found = [tensor(tower[name]) for tower in tower_grads if tower[name] is not None]
        means[name] = (tf.add_n(found) / len(tower_grads)).numpy() if found else None
    return means
