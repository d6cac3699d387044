# exercise: average
# score:    7/7
# why:      np.add.at adds rows that occur twice
def average(tower_grads):
    result = {}
    for name in tower_grads[0]:
        total = None
        for tower in tower_grads:
            gradient = tower[name]
            if gradient is None:
                continue
            if isinstance(gradient, dict):
                full = np.zeros(gradient["shape"])
                np.add.at(full, gradient["rows"], gradient["values"])
                gradient = full
            total = gradient if total is None else total + gradient
        result[name] = None if total is None else np.divide(total, len(tower_grads))
    return result
