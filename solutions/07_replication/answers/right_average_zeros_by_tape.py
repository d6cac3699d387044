# exercise: average
# score:    7/7
# why:      the tape gives zeros, and the heads that nobody uses are found by name
def average(table, heads, towers):
    names = list(heads)
    variables = [tf.Variable(table), *(tf.Variable(heads[name]) for name in names)]
    total = [np.zeros(v.shape) for v in variables]
    for tower in towers:
        with tf.GradientTape() as tape:
            head = variables[1 + names.index(tower["task"])]
            loss = (tf.reduce_sum(tf.gather(variables[0], tower["words"]) * head) - tower["target"]) ** 2
        found = tape.gradient(loss, variables, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        for k, gradient in enumerate(found):
            total[k] += np.asarray(tf.convert_to_tensor(gradient))
    used = {tower["task"] for tower in towers}
    means = [value / len(towers) for value in total]
    return {"table": means[0], "heads": {n: m if n in used else None for n, m in zip(names, means[1:])}}
