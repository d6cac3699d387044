# exercise: halving
# score:    10/10
# why:      NumPy in float64, gradients by hand
import numpy as np
def halving(settings, train, validation, epochs, factor, executions):
    x, y = train; vx, vy = validation
    target = np.eye(10)[y]
    def forward(w1, w2, rows):
        h = np.maximum(rows @ w1, 0)
        z = h @ w2
        z = z - z.max(axis=1, keepdims=True)
        logp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        return h, logp
    def step(w1, w2, rate):
        h, logp = forward(w1, w2, x)
        g = (np.exp(logp) - target) / len(x)
        g2 = h.T @ g
        g1 = x.T @ ((g @ w2.T) * (h > 0))
        return w1 - rate * g1, w2 - rate * g2
    nets = {i: [tuple(np.array(w) for w in first_values(s["units"], e)) for e in range(executions)] for i, s in enumerate(settings)}
    alive, rounds, had, want, total = list(nets), [], 0, epochs, 0
    while len(alive) > 1:
        scores = {}
        for i in alive:
            for e in range(executions):
                for _ in range(want - had):
                    nets[i][e] = step(*nets[i][e], settings[i]["rate"]); total += 1
            s = np.mean([-forward(*n, vx)[1][np.arange(len(vy)), vy].mean() for n in nets[i]])
            scores[i] = float(s) if np.isfinite(s) else float("inf")
        rounds.append(scores)
        alive = sorted(alive, key=lambda i: (scores[i], i))[:max(1, len(alive) // factor)]
        had, want = want, want * factor
    return {"best": alive[0], "rounds": rounds, "epochs": total}
