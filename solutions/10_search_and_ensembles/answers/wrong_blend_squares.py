# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     a weight is negative
# why:      least squares, with negative weights
from scipy.optimize import minimize


def blend(probabilities, labels):
    def loss(w):
        return ((np.tensordot(w / w.sum(), probabilities, 1) - np.eye(probabilities.shape[2])[labels]) ** 2).sum(1).mean()
    w = minimize(loss, np.ones(len(probabilities)), method="Nelder-Mead").x
    return (w / w.sum()).tolist()
