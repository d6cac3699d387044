# exercise: split
# score:    4/9
# fails:    split-answer, split-independent, split-places
# says:     the result is no bytes
# why:      returns the graph, not its bytes
def cut(widths, rows, way, n):
    inner = rows * sum(widths[1:-1]) * 4
    return 2 * inner * (1 if way == "layers" else n - 1)

def ticks(stages, micro):
    turns = micro + stages - 1
    return {"ticks": 3 * turns, "idle": (stages - 1) / turns}

def pipe(matrices, rows, micro):
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(matrices[0])], name="x")
            parts = tf.split(x, micro)
        for k, matrix in enumerate(matrices):
            with tf.device(f"/device:CPU:{k}"):
                w = tf.constant(matrix, tf.float32)
                parts = [tf.nn.relu(tf.matmul(part, w)) for part in parts]
        with tf.device(f"/device:CPU:{len(matrices) - 1}"):
            tf.concat(parts, 0, name="answer")
    return graph
