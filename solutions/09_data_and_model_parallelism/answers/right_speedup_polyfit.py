# exercise: speedup
# score:    8/8
# why:      fits with centred columns, best by an array
def fit(runs):
    data = np.array([[run["rows"], 2 * run["bytes"], run["seconds"]] for run in runs], float)
    mean = data.mean(0)
    spread = data - mean
    width = np.abs(spread).max(0)
    slope = np.linalg.pinv(spread[:, :2] / width[:2]) @ spread[:, 2] / width[:2]
    return {"start": mean[2] - slope @ mean[:2], "per_row": slope[0], "bandwidth": 1 / slope[1]}

def speedup(cost, rows, size, n, way, servers=1, wire=4):
    alone = cost["start"] + cost["per_row"] * rows
    if n == 1:
        return 1.
    times = 2 * (n - 1) / n if way == "ring" else 2 * n / servers
    together = cost["start"] + cost["per_row"] * rows / n + times * size * wire / cost["bandwidth"]
    return alone / together

def best(cost, rows, size, way, servers=1, wire=4, most=64):
    gains = [speedup(cost, rows, size, n, way, servers, wire) for n in range(1, most + 1)]
    return int(np.argmax(gains)) + 1
