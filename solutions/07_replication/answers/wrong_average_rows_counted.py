# exercise: average
# score:    4/7
# fails:    average-sparse
# says:     divided by the wrong number
# why:      a sparse row is divided by the towers that have it
def average(tower_grads):
    means = {}
    for name in tower_grads[0]:
        there = [tower[name] for tower in tower_grads if tower[name] is not None]
        if not any(isinstance(g, dict) for g in there) or len(there) < 2:
            there = [g if not isinstance(g, dict) else np.add.reduce(
                [np.eye(g["shape"][0])[[r]].T * v for r, v in zip(g["rows"], g["values"])]) for g in there]
            means[name] = sum(there) / len(tower_grads) if there else None
            continue
        shape = next(g["shape"] for g in there if isinstance(g, dict))
        total, count = np.zeros(shape), np.zeros(shape[0])
        for g in there:
            if isinstance(g, dict):
                np.add.at(total, g["rows"], g["values"])
                count[list(set(g["rows"]))] += 1
            else:
                total, count = total + g, count + 1
        means[name] = total / np.maximum(count, 1)[:, None]
    return means
