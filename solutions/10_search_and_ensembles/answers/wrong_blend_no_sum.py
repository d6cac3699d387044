# exercise: blend
# score:    0/7
# breaks:   3
# fails:    blend-two: do not sum to 1
# fails:    blend-useless: do not sum to 1
# fails:    blend-zero: do not sum to 1
# fails:    blend-five: do not sum to 1
# why:      the weights do not sum to 1: more weight is always better
from scipy.optimize import minimize

def blend(probabilities, labels):
    right = np.asarray(probabilities)[:, np.arange(len(labels)), labels]

    def weights(scores):
        return 1 / (1 + np.exp(-scores))

    def loss(scores):
        return -np.log(np.maximum(weights(scores) @ right, 1e-7)).mean()

    enough = {"maxiter": 4000, "maxfev": 4000}
    found = minimize(loss, np.zeros(len(right)), method="Nelder-Mead", options=enough)
    return weights(found.x).tolist()
