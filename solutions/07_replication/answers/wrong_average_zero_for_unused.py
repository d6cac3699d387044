# exercise: average
# score:    5/7
# fails:    average-none
# says:     the result is None, not zero
# why:      a variable that no tower uses gets a zero
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
        means[name] = sum(there) / len(tower_grads) if there else 0.
    return means
