# exercise: average
# score:    3/7
# fails:    average-dense: neutral
# fails:    average-sparse: a row is divided by the towers that use it; divide by all towers
# why:      divides each row by the towers that use it
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
        found = [grads[name] for grads in tower_grads if grads[name] is not None]
        there = [tf.convert_to_tensor(gradient) for gradient in found]
        if not there:
            return None
        used = sum((np.abs(np.asarray(g)) > 0).astype(float) for g in there)
        return tf.add_n(there).numpy() / (np.maximum(used, 1) if name == "table" else len(towers))

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
