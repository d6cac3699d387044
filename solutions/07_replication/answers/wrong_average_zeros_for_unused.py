# exercise: average
# score:    4/7
# breaks:   5
# fails:    average-none: no tower uses c: its mean is None, not zeros
# fails:    average-tasks: its mean is None
# why:      zeros where no tower uses a head
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
        return (tf.add_n(there) / len(towers)).numpy() if there else np.zeros(len(heads[name]))

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
