# exercise: average
# score:    4/7
# breaks:   2
# fails:    average-sparse: the table's gradient has the shape of the whole table
# why:      returns the rows that are used, as IndexedSlices has them
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

    def mean(name):
        if name == "table":
            words = sorted({word for tower in towers for word in tower["words"]})
            return np.array([sum(tf.convert_to_tensor(g[name]).numpy() for g in tower_grads)[words]])[0] / len(towers)
        found = [grads[name] for grads in tower_grads if grads[name] is not None]
        there = [tf.convert_to_tensor(gradient) for gradient in found]
        return (tf.add_n(there) / len(towers)).numpy() if there else None

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
