# exercise: blend
# score:    0/7
# fails:    blend-two: all the weight is on the best member
# fails:    blend-useless: neutral
# fails:    blend-zero: neutral
# fails:    blend-five: neutral
# why:      averages the members' losses, not their probabilities
from scipy.optimize import minimize

def blend(probabilities, labels):
    right = np.asarray(probabilities)[:, np.arange(len(labels)), labels]

    def weights(scores):
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()

    def loss(scores):
        return weights(scores) @ -np.log(np.maximum(right, 1e-7)).mean(1)

    enough = {"maxiter": 4000, "maxfev": 4000}
    found = minimize(loss, np.zeros(len(right)), method="Nelder-Mead", options=enough)
    return weights(found.x).tolist()
