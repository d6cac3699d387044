# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     all the weight is on the best member
# why:      averages the losses of the members, not their probabilities
from scipy.optimize import minimize


def blend(probabilities, labels):
    right = probabilities[:, np.arange(len(labels)), labels]
    losses = -np.log(np.maximum(right, 1e-7)).mean(1)
    weights = lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum()
    return weights(minimize(lambda s: weights(s) @ losses, np.zeros(len(losses)), method="Nelder-Mead").x).tolist()
