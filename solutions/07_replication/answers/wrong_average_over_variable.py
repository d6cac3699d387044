# exercise: average
# score:    0/7
# fails:    average-dense, average-none, average-sparse, average-keeps
# says:     over a variable's numbers
# why:      the mean over the numbers of each gradient
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
        means[name] = np.mean([np.mean(g) for g in there]) if there else None
    return means
