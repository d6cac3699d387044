# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     there are better weights
# why:      ten steps of Nelder-Mead
from scipy.optimize import minimize


def blend(probabilities, labels):
    right = probabilities[:, np.arange(len(labels)), labels]
    weights = lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum()
    loss = lambda s: -np.log(np.maximum(weights(s) @ right, 1e-7)).mean()
    return weights(minimize(loss, np.zeros(len(right)), method="Nelder-Mead", options={"maxiter": 10}).x).tolist()
