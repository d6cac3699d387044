# exercise: split
# score:    9/9
# why:      a recursive chain for each micro-batch
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
    end = 3 * (stages + micro - 1)
    return {"idle": (end - 3 * micro) / end, "ticks": end}

def pipe(matrices, rows, micro):
    graph = tf.Graph()
    last = len(matrices) - 1
    with graph.as_default():
        held = {}
        for k in range(len(matrices)):
            with graph.device(f"/device:CPU:{k}"):
                held[k] = tf.constant(np.float32(matrices[k]), name=f"matrix{k}")

        def layer(k, part):
            with graph.device(f"/device:CPU:{k}"):
                out = tf.nn.relu(part @ held[k])
            return out if k == last else layer(k + 1, out)

        with graph.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, shape=[rows, held[0].shape[0]], name="x")
            parts = tf.split(x, [rows // micro] * micro)
        done = [layer(0, part) for part in parts]
        with graph.device(f"/device:CPU:{last}"):
            tf.concat(done, 0, name="answer")
    return graph.as_graph_def().SerializeToString()
