# exercise: blend
# score:    0/7
# breaks:   4
# fails:    blend-two: the weights are equal
# fails:    blend-useless: the weights are equal
# fails:    blend-five: neutral
# fails:    blend-zero: neutral
# why:      the accuracy as the objective
from scipy.optimize import minimize

def blend(probabilities, labels):
    def weights(scores):
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()

    def error(scores):
        return (np.tensordot(weights(scores), probabilities, 1).argmax(1) != labels).mean()

    found = minimize(error, np.zeros(len(probabilities)), method="Nelder-Mead")
    return weights(found.x).tolist()
