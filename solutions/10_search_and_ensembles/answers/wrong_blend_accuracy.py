# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     the objective is the log loss
# why:      maximises the accuracy
from scipy.optimize import minimize


def blend(probabilities, labels):
    def weights(s):
        return np.exp(s) / np.exp(s).sum()
    def wrong(s):
        return (np.tensordot(weights(s), probabilities, 1).argmax(1) != labels).mean()
    return weights(minimize(wrong, np.zeros(len(probabilities)), method="Nelder-Mead").x).tolist()
