# exercise: halving
# score:    7/10
# breaks:   8
# fails:    halving-drawn: neutral
# why:      adds the same number of epochs in each later round
def halving(settings, train, validation, epochs, factor, executions):
    """Search by successive halving; each setting is trained several times.

    Args:
        settings: list of {"units": int, "rate": float}, at least one.
        train, validation: (float32 array [n, 64], int array [n]).
        epochs: int, of the first round.
        factor: int, at least 2.
        executions: int, how often each setting is trained.
    Returns:
        dict: best (int), rounds (list of {int: float}), epochs (int).
    """
    networks = {}
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
                for w, gradient in zip(weights, tape.gradient(loss, weights)):
                    w.assign_sub(settings[i]["rate"] * gradient)
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
        reached, goal = goal, goal + epochs * (factor - 1)
    return {"best": alive[0], "rounds": rounds, "epochs": spent}
