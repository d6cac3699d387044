# exercise: split
# score:    9/9
# why:      with constants made first, each on its device
def cut(widths, rows, way, n):
    def size(k):
        return 4 * rows * widths[k]
    layers = len(widths) - 1
    total = 0
    for k in range(1, layers):
        if way != "pairs":
            total += 2 * size(k) * (n - 1 if way == "columns" else 1)
    if way == "pairs":
        for pair in range(layers // 2):
            total += 2 * (n - 1) * size(2 * pair + 2)
            if pair > 0:
                total += 2 * (n - 1) * size(2 * pair)
    return total

def ticks(stages, micro):
    turns = micro + stages - 1
    return {"ticks": 3 * turns, "idle": (stages - 1) / turns}

def pipe(matrices, rows, micro):
    graph = tf.Graph()
    with graph.as_default():
        held = []
        for k, matrix in enumerate(matrices):
            with tf.device(f"/CPU:{k}"):
                held.append(tf.constant(np.asarray(matrix, np.float32)))
        with tf.device("/CPU:0"):
            x = v1.placeholder(tf.float32, [rows, held[0].shape[0]], name="x")
            parts = tf.unstack(tf.reshape(x, [micro, rows // micro, -1]))
        for k, w in enumerate(held):
            with tf.device(f"/CPU:{k}"):
                parts = [tf.nn.relu(part @ w) for part in parts]
        with tf.device(f"/CPU:{len(held) - 1}"):
            tf.identity(tf.concat(parts, 0), name="answer")
    return graph.as_graph_def().SerializeToString()
