# exercise: average
# score:    4/7
# fails:    average-none: one tower's None made the mean None
# fails:    average-tasks: one tower's None made the mean None, but another tower has a gradient
# why:      one None makes the mean None
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
        return (tf.add_n(there) / len(towers)).numpy() if len(there) == len(towers) else None

    return {"table": mean("table"), "heads": {task: mean(task) for task in heads}}
