# exercise: blend
# score:    6/7
# breaks:   5
# fails:    blend-zero: neutral
# why:      the logarithm without clipping
from scipy.optimize import minimize

def blend(probabilities, labels):
    right = np.asarray(probabilities)[:, np.arange(len(labels)), labels]

    def weights(scores):
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()

    def loss(scores):
        return -np.log(weights(scores) @ right).mean()

    enough = {"maxiter": 4000, "maxfev": 4000}
    found = minimize(loss, np.zeros(len(right)), method="Nelder-Mead", options=enough)
    return weights(found.x).tolist()
