# exercise: speedup
# score:    8/8
# why:      fits by the normal equations, counts up to the best
def fit(runs):
    rows, size, seconds = (np.array([run[key] for run in runs], float) for key in ("rows", "bytes", "seconds"))
    x = np.stack([np.ones(len(runs)), rows / 1e3, size / 1e6], 1)
    a, b, c = np.linalg.solve(x.T @ x, x.T @ seconds)
    return {"start": float(a), "per_row": float(b) / 1e3, "bandwidth": 2e6 / float(c)}

def speedup(cost, rows, size, n, way, servers=1, wire=4):
    def seconds(k):
        volume = size * wire
        traffic = {"ring": (2 - 2 / k) * volume, "ps": 2 * k * volume / servers if k > 1 else 0}[way]
        return cost["start"] + cost["per_row"] * rows / k + traffic / cost["bandwidth"]
    return seconds(1) / seconds(n)

def best(cost, rows, size, way, servers=1, wire=4, most=64):
    winner, gain = 1, 1.
    for n in range(2, most + 1):
        new = speedup(cost, rows, size, n, way, servers, wire)
        if new > gain:
            winner, gain = n, new
    return winner
