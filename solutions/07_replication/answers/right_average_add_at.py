# exercise: average
# score:    7/7
# why:      slices by NumPy's add.at
def average(table, heads, towers):
    sums = {"table": np.zeros((len(table), len(table[0])))}
    for tower in towers:
        t, h = tf.Variable(table), tf.Variable(heads[tower["task"]])
        with tf.GradientTape(persistent=True) as tape:
            answer = tf.reduce_sum(tf.reduce_sum(tf.gather(t, tower["words"]), 0) * h)
            loss = tf.math.squared_difference(answer, tower["target"])
        slices, dense = tape.gradient(loss, t), tape.gradient(loss, h)
        np.add.at(sums["table"], slices.indices.numpy(), slices.values.numpy() / len(towers))
        sums[tower["task"]] = sums.get(tower["task"], 0) + dense.numpy() / len(towers)
    return {"heads": {name: sums.get(name) for name in heads}, "table": sums["table"]}
