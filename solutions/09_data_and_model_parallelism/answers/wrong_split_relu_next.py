# exercise: split
# score:    8/9
# breaks:   12
# fails:    split-places: each before its relu
# why:      each stage begins with the relu of the layer before
def cut(widths, rows, way, n):
    inner = sum(widths[1:-1])
    if way == "layers":
        return 8 * rows * inner
    if way == "columns":
        return 8 * rows * (n - 1) * inner
    return 8 * rows * (n - 1) * (sum(widths[2::2]) + sum(widths[2:-1:2]))

def ticks(stages, micro):
    t = micro + stages - 1
    return {"ticks": 3 * t, "idle": (stages - 1) / t}

def pipe(matrices, rows, micro):
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, len(matrices[0])], name="x")
            parts = tf.split(x, micro)
        for k, matrix in enumerate(matrices):
            with tf.device(f"/device:CPU:{k}"):
                if k:
                    parts = [tf.nn.relu(part) for part in parts]
                w = tf.constant(matrix, tf.float32)
                parts = [tf.matmul(part, w) for part in parts]
        with tf.device(f"/device:CPU:{len(matrices) - 1}"):
            tf.nn.relu(tf.concat(parts, 0), name="answer")
    return graph.as_graph_def().SerializeToString()
