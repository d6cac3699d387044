# exercise: split
# score:    9/9
# why:      traces a tf.function and takes its graph
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
    return {"ticks": 3 * turns, "idle": (stages - 1) / turns}

def pipe(matrices, rows, micro):
    def forward(x):
        with tf.device("CPU:0"):
            pieces = [x[k * (rows // micro):(k + 1) * (rows // micro)] for k in range(micro)]
        for number, matrix in enumerate(matrices):
            with tf.device(f"CPU:{number}"):
                constant = tf.constant(np.array(matrix, dtype=np.float32))
                pieces = [tf.nn.relu(tf.linalg.matmul(piece, constant)) for piece in pieces]
        with tf.device(f"CPU:{len(matrices) - 1}"):
            return tf.concat(pieces, axis=0, name="answer")

    with tf.Graph().as_default() as graph:
        with tf.device("CPU:0"):
            x = tf.compat.v1.placeholder(tf.float32, (rows, np.asarray(matrices[0]).shape[0]), "x")
        forward(x)
        return graph.as_graph_def().SerializeToString()
