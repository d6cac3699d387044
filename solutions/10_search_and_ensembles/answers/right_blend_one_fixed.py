# exercise: blend
# score:    7/7
# why:      one score is fixed at 0; several starts
from scipy.optimize import minimize

def blend(probabilities, labels):
    def weights(s):
        p = np.exp(np.append(s, 0.0) - max(0.0, *s))
        return p / p.sum()

    def loss(s):
        mixed = np.einsum("m,mrc->rc", weights(s), probabilities)
        return -np.log(np.clip(mixed, 1e-7, 1)[np.arange(len(labels)), labels]).mean()

    luck, tries = np.random.default_rng(0), []
    for _ in range(4):
        start = luck.normal(size=len(probabilities) - 1)
        tries.append(minimize(loss, start, method="Nelder-Mead", options={"maxiter": 3000}))
    return [float(w) for w in weights(min(tries, key=lambda t: t.fun).x)]
