# exercise: split
# score:    9/9
# why:      builds micro-batch after micro-batch, and counts the schedule out
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
    end = {}
    for s in range(stages):
        for m in range(micro):
            end[s, m] = 1 + max(end.get((s - 1, m), 0), end.get((s, m - 1), 0))
    forward, back = end[stages - 1, micro - 1], {}
    for s in reversed(range(stages)):
        for m in range(micro):
            back[s, m] = 2 + max(back.get((s + 1, m), forward), back.get((s, m - 1), forward))
    total = back[0, micro - 1]
    return {"ticks": total, "idle": 1 - 3 * micro / total}

def pipe(matrices, rows, micro):
    with tf.Graph().as_default() as graph:
        size, answers = rows // micro, []
        with tf.device("/device:CPU:0"):
            x = v1.placeholder(tf.float32, [rows, np.shape(matrices[0])[0]], name="x")
        for m in range(micro):
            with tf.device("/device:CPU:0"):
                h = x[m * size:(m + 1) * size]
            for k, matrix in enumerate(matrices):
                with tf.device(f"/device:CPU:{k}"):
                    h = tf.maximum(tf.matmul(h, np.float32(matrix)), 0.)
            answers.append(h)
        with tf.device(f"/device:CPU:{k}"):
            tf.concat(answers, 0, name="answer")
    return graph.as_graph_def().SerializeToString()
