# exercise: halving
# score:    10/10
# why:      NumPy; float32 weights become float64 with the first step
def halving(settings, train, validation, epochs, factor, executions):
    x, y = train
    def probs(w1, w2, rows):
        z = np.maximum(rows @ w1, 0) @ w2
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)
    def loss(w, rows, labels):
        return -np.log(probs(*w, rows)[np.arange(len(labels)), labels]).mean()
    def epoch(w, rate):
        w1, w2 = w
        h = np.maximum(x @ w1, 0)
        g = (probs(w1, w2, x) - np.eye(10)[y]) / len(y)
        return w1 - rate * (x.T @ ((g @ w2.T) * (h > 0))), w2 - rate * (h.T @ g)
    nets = [[tuple(first_values(s["units"], seed)) for seed in range(executions)] for s in settings]
    alive, rounds, had, want, spent = list(range(len(settings))), [], 0, epochs, 0
    while len(alive) > 1:
        scores = {}
        for i in alive:
            for e in range(executions):
                for _ in range(want - had):
                    nets[i][e] = epoch(nets[i][e], settings[i]["rate"])
                    spent += 1
            score = float(np.mean([loss(w, *validation) for w in nets[i]]))
            scores[i] = score if np.isfinite(score) else float("inf")
        rounds.append(scores)
        alive = sorted(alive, key=lambda i: (scores[i], i))[:max(1, len(alive) // factor)]
        had, want = want, want * factor
    return {"best": alive[0], "rounds": rounds, "epochs": spent}
