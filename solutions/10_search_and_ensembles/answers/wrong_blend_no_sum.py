# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     do not sum to 1
# why:      the weights are free: more weight is always better
from scipy.optimize import minimize


def blend(probabilities, labels):
    def loss(w):
        mixed = np.tensordot(np.abs(w), probabilities, 1)
        return -np.log(np.maximum(mixed[np.arange(len(labels)), labels], 1e-7)).mean()
    return np.abs(minimize(loss, np.ones(len(probabilities)), method="Nelder-Mead").x).tolist()
