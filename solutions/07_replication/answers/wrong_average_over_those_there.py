# exercise: average
# score:    4/7
# breaks:   4
# fails:    average-none: divided by the towers that use the head; divide by all towers
# fails:    average-tasks: divided by the towers that use the head; divide by all towers
# why:      divides by the towers that have a gradient
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
        return (tf.add_n(there) / len(there)).numpy() if there else None

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
