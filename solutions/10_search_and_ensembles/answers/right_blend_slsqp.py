# exercise: blend
# score:    7/7
# why:      a method that knows limits
import scipy.optimize

def blend(probabilities, labels):
    right = np.stack([p[np.arange(len(labels)), labels] for p in probabilities], axis=1)
    count = right.shape[1]
    found = scipy.optimize.minimize(
        lambda w: -np.mean(np.log(np.maximum(right @ w, 1e-7))), np.ones(count) / count, method="SLSQP",
        bounds=[(0, 1)] * count, constraints={"type": "eq", "fun": lambda w: w.sum() - 1})
    w = np.clip(found.x, 0, None)
    return [float(value) for value in w / w.sum()]
