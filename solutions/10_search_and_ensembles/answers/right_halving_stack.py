# exercise: halving
# score:    10/10
# why:      all executions of a setting in one stack of matrices
def halving(settings, train, validation, epochs, factor, executions):
    def costs(weights, rows, labels):
        scores = tf.nn.relu(rows @ weights[0]) @ weights[1]
        labels = np.broadcast_to(labels, (executions, len(labels)))
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scores), axis=1)

    stacks = []
    for setting in settings:
        pairs = [first_values(setting["units"], seed) for seed in range(executions)]
        stacks.append([tf.Variable(np.stack(part)) for part in zip(*pairs)])
    left, rounds, spent, have = list(range(len(settings))), [], 0, 0
    while len(left) != 1:
        scores = {}
        for i in left:
            for _ in range(epochs - have):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(costs(stacks[i], *train))
                for w, g in zip(stacks[i], tape.gradient(loss, stacks[i])):
                    w.assign_sub(g * settings[i]["rate"])
                spent += executions
            scores[i] = float(np.nan_to_num(np.mean(costs(stacks[i], *validation)), nan=np.inf, posinf=np.inf))
        rounds.append(scores)
        order = np.argsort([scores[i] for i in left], kind="stable")
        left = sorted(np.array(left)[order[:max(len(left) // factor, 1)]].tolist())
        have, epochs = epochs, factor * epochs
    return {"rounds": rounds, "epochs": spent, "best": left[0]}
