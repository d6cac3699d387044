# exercise: blend
# score:    7/7
# why:      absolute values, divided by their sum
from scipy.optimize import minimize

def blend(probabilities, labels):
    right = np.maximum(probabilities[:, range(len(labels)), labels], 0)

    def loss(w):
        w = np.abs(w) / np.abs(w).sum()
        return np.mean(-np.log(np.clip(w @ right, 1e-7, None)))

    many = {"maxiter": 10000, "maxfev": 10000, "xatol": 1e-6, "fatol": 1e-8}
    best = minimize(loss, np.full(len(right), 1 / len(right)), method="Nelder-Mead", options=many).x
    return [float(w) for w in np.abs(best) / np.abs(best).sum()]
