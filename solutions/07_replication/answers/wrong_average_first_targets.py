# exercise: average
# score:    2/7
# breaks:   1
# fails:    average-dense: neutral
# fails:    average-sparse: neutral
# fails:    average-tasks: neutral
# why:      every tower's loss has the target of the first tower
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
            loss = (answer - towers[0]["target"]) ** 2
        tower_grads.append(tape.gradient(loss, variables))

    def mean(name):
        found = [grads[name] for grads in tower_grads if grads[name] is not None]
        there = [tf.convert_to_tensor(gradient) for gradient in found]
        return (tf.add_n(there) / len(towers)).numpy() if there else None

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
