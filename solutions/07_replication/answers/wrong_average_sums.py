# exercise: average
# score:    0/7
# fails:    average-dense: the towers' gradients are added; the mean divides by their number
# fails:    average-none: the towers' gradients are added
# fails:    average-sparse: the towers' gradients are added; the mean divides by their number
# fails:    average-tasks: the towers' gradients are added; the mean divides by their number
# why:      adds, and does not divide
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
        return tf.add_n(there).numpy() if there else None

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
