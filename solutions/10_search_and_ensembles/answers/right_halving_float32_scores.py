# exercise: halving
# score:    10/10
# why:      scores of the type np.float32
def halving(settings, train, validation, epochs, factor, executions):
    def loss_of(w, rows, labels):
        logits = tf.nn.relu(rows @ w[0]) @ w[1]
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    nets = {i: [[tf.Variable(v) for v in first_values(s["units"], seed)] for seed in range(executions)] for i, s in enumerate(settings)}
    rounds, total, have, want = [], 0, 0, epochs
    alive = list(nets)
    while len(alive) > 1:
        scores = {}
        for i in alive:
            losses = []
            for w in nets[i]:
                for _ in range(want - have):
                    with tf.GradientTape() as tape:
                        loss = loss_of(w, *train)
                    for v, g in zip(w, tape.gradient(loss, w)):
                        v.assign_sub(settings[i]["rate"] * g)
                    total += 1
                losses.append(loss_of(w, *validation).numpy())
            mean = np.mean(losses)
            scores[i] = mean if np.isfinite(mean) else np.inf
        rounds.append(scores)
        alive = sorted(alive, key=lambda i: (scores[i], i))[:max(1, len(alive) // factor)]
        have, want = want, want * factor
    return {"best": alive[0], "rounds": rounds, "epochs": total}
