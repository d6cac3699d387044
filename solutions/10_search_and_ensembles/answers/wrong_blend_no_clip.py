# exercise: blend
# score:    8/9
# fails:    blend-zero
# says:     there are better weights
# why:      the logarithm of each member's probability, without clipping
from scipy.optimize import minimize


def blend(probabilities, labels):
    with np.errstate(all="ignore"):
        right = np.log(probabilities[:, np.arange(len(labels)), labels])
        weights = lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum()
        loss = lambda s: -np.log((weights(s)[:, None] * np.exp(right)).sum(0)).mean() if np.isfinite(right).all() else np.nan
        found = minimize(loss, np.zeros(len(right)), method="Nelder-Mead", options={"maxiter": 4000})
    return weights(found.x).tolist()
