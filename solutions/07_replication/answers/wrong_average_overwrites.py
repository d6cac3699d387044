# exercise: average
# score:    4/7
# breaks:   3
# fails:    average-sparse: a word that occurs twice in a text counts once here: what belongs to
# why:      writes the values of the rows one over the other
def average(table, heads, towers):
    variables = {
        "table": tf.Variable(table),
        **{task: tf.Variable(head) for task, head in heads.items()},
    }
    tower_grads = []
    for tower in towers:
        with tf.GradientTape() as tape:
            text = tf.reduce_sum(tf.gather(variables["table"], tower["words"]), axis=0)
            answer = tf.reduce_sum(text * variables[tower["task"]])
            loss = (answer - tower["target"]) ** 2
        tower_grads.append(tape.gradient(loss, variables))

    def dense(gradient):
        if not isinstance(gradient, tf.IndexedSlices):
            return gradient
        whole = np.zeros(np.shape(table), np.float32)
        for row, value in zip(gradient.indices.numpy(), gradient.values.numpy()):
            whole[row] = value
        return tf.constant(whole)

    def mean(name):
        found = [grads[name] for grads in tower_grads if grads[name] is not None]
        there = [dense(gradient) for gradient in found]
        return (tf.add_n(there) / len(towers)).numpy() if there else None

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
