# exercise: average
# score:    1/7
# fails:    average-none, average-sparse, average-keeps
# says:     made the mean None
# why:      one None makes all None
def average(tower_grads):
    def dense(gradient):
        if not isinstance(gradient, dict):
            return np.asarray(gradient, np.float64)
        whole = np.zeros(gradient["shape"])
        for row, values in zip(gradient["rows"], gradient["values"]):
            whole[row] += values
        return whole

    means = {}
    for name in tower_grads[0]:
        there = [dense(tower[name]) for tower in tower_grads if tower[name] is not None]
        means[name] = None if any(tower[name] is None for tower in tower_grads) else sum(there) / len(there)
    return means
