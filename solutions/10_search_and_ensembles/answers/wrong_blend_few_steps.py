# exercise: blend
# score:    0/7
# fails:    blend-two: neutral
# fails:    blend-useless: neutral
# fails:    blend-zero: neutral
# fails:    blend-five: neutral
# why:      twelve steps of Nelder-Mead
from scipy.optimize import minimize

def blend(probabilities, labels):
    right = np.asarray(probabilities)[:, np.arange(len(labels)), labels]

    def weights(scores):
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()

    def loss(scores):
        return -np.log(np.maximum(weights(scores) @ right, 1e-7)).mean()

    enough = {"maxiter": 12}
    found = minimize(loss, np.zeros(len(right)), method="Nelder-Mead", options=enough)
    return weights(found.x).tolist()
