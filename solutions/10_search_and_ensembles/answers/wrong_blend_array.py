# exercise: blend
# score:    3/7
# breaks:   1
# fails:    blend-two: no list of Python floats
# fails:    blend-useless: no list of Python floats
# why:      returns NumPy's array
from scipy.optimize import minimize

def blend(probabilities, labels):
    right = np.asarray(probabilities)[:, np.arange(len(labels)), labels]

    def weights(scores):
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()

    def loss(scores):
        return -np.log(np.maximum(weights(scores) @ right, 1e-7)).mean()

    enough = {"maxiter": 4000, "maxfev": 4000}
    found = minimize(loss, np.zeros(len(right)), method="Nelder-Mead", options=enough)
    return weights(found.x)
