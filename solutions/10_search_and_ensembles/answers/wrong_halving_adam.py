# exercise: halving
# score:    3/10
# breaks:   2
# fails:    halving-rounds: neutral
# fails:    halving-scores: neutral
# fails:    halving-drawn: neutral
# why:      Adam instead of plain gradient descent
def halving(settings, train, validation, epochs, factor, executions):
    networks, optimizers = {}, {}
    for i, setting in enumerate(settings):
        first = [first_values(setting["units"], seed) for seed in range(executions)]
        networks[i] = [[tf.Variable(w) for w in weights] for weights in first]

    def loss_of(weights, rows, labels):
        logits = tf.nn.relu(rows @ weights[0]) @ weights[1]
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))

    def score_after(i, more):
        losses = []
        for weights in networks[i]:
            for _ in range(more):
                with tf.GradientTape() as tape:
                    loss = loss_of(weights, *train)
                if id(weights) not in optimizers:
                    optimizers[id(weights)] = keras.optimizers.Adam(settings[i]["rate"])
                optimizers[id(weights)].apply_gradients(zip(tape.gradient(loss, weights), weights))
            losses.append(float(loss_of(weights, *validation)))
        score = float(np.mean(losses))
        return score if np.isfinite(score) else float("inf")

    alive, rounds, spent, reached, goal = list(networks), [], 0, 0, epochs
    while len(alive) > 1:
        scores = {i: score_after(i, goal - reached) for i in alive}
        spent += len(alive) * executions * (goal - reached)
        rounds.append(scores)
        ranked = sorted(alive, key=lambda i: (scores[i], i))
        alive = ranked[:max(len(alive) // factor, 1)]
        reached, goal = goal, goal * factor
    return {"best": alive[0], "rounds": rounds, "epochs": spent}
