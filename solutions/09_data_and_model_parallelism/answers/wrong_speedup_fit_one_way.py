# exercise: speedup
# score:    6/8
# fails:    speedup-fit
# says:     the weights travel twice
# why:      the weights travel once in the fit
def fit(runs):
    table = np.array([[1, run["rows"], run["bytes"]] for run in runs], float)
    scale = table.max(0)
    (start, per_row, per_byte), *_ = np.linalg.lstsq(table / scale, np.array([run["seconds"] for run in runs]), rcond=None)
    return {"start": start, "per_row": per_row / scale[1], "bandwidth": scale[2] / per_byte}

def speedup(cost, rows, size, n, way, servers=1, wire=4):
    alone = cost["start"] + cost["per_row"] * rows
    if n == 1:
        return 1.
    times = 2 * (n - 1) / n if way == "ring" else 2 * n / servers
    together = cost["start"] + cost["per_row"] * rows / n + times * size * wire / cost["bandwidth"]
    return alone / together

def best(cost, rows, size, way, servers=1, wire=4, most=64):
    return max(range(1, most + 1), key=lambda n: (speedup(cost, rows, size, n, way, servers, wire), -n))
