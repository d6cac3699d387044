# exercise: blend
# score:    3/7
# breaks:   2
# fails:    blend-useless: a weight is negative
# fails:    blend-five: a weight is negative
# why:      free weights that sum to 1: some are negative
from scipy.optimize import minimize

def blend(probabilities, labels):
    right = np.asarray(probabilities)[:, np.arange(len(labels)), labels]

    def weights(scores):
        return np.append(scores, 1 - scores.sum())

    def loss(scores):
        return -np.log(np.maximum(weights(scores) @ right, 1e-7)).mean()

    enough = {"maxiter": 4000, "maxfev": 4000}
    found = minimize(loss, np.full(len(right) - 1, 1 / len(right)), method="Nelder-Mead", options=enough)
    return weights(found.x).tolist()
