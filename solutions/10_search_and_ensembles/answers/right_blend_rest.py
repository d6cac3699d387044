# exercise: blend
# score:    7/7
# why:      the last weight is what the others leave; a penalty where one is negative
from scipy.optimize import minimize


def blend(probabilities, labels):
    right = np.asarray(probabilities)[:, np.arange(len(labels)), labels]
    n = len(right)

    def loss(v):
        w = np.append(v, 1 - v.sum())
        if w.min() < 0:
            return np.inf
        return -np.log(np.maximum(w @ right, 1e-7)).mean()

    start = np.full(n - 1, 1 / n)
    best = minimize(loss, start, method="Nelder-Mead", options={"maxiter": 4000, "maxfev": 4000}).x
    return [float(w) for w in np.append(best, 1 - best.sum())]
