# exercise: split
# score:    7/9
# breaks:   7
# fails:    split-ticks: a backward step takes two ticks and a forward step one, so each turn takes three in all
# fails:    split-bubble: neutral
# why:      a backward step takes one tick
def cut(widths, rows, way, n):
    number = 4 * rows
    inner = sum(widths[1:-1])
    if way == "layers":
        return 2 * inner * number
    if way == "columns":
        return 2 * (n - 1) * inner * number
    forward = sum(widths[2::2])
    backward = sum(widths[2:-1:2])
    return 2 * (n - 1) * (forward + backward) * number

def ticks(stages, micro):
    turns = micro + stages - 1
    return {"ticks": 2 * turns, "idle": (stages - 1) / turns}

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
            tf.identity(tf.concat(parts, 0), name="answer")
    return graph.as_graph_def().SerializeToString()
