# exercise: speedup
# score:    3/7
# breaks:   2
# fails:    speedup-fit: the time to start is 0: a column of ones in the table stands for it
# fails:    speedup-drawn: least squares over all runs
# why:      leaves out the start
def fit(runs):
    table = np.array([[run["rows"], 2 * run["bytes"]] for run in runs], float)
    seconds = np.array([run["seconds"] for run in runs])
    scale = table.max(0)
    (per_row, per_byte), *_ = np.linalg.lstsq(table / scale, seconds, rcond=None)
    return {"start": 0.0, "per_row": per_row / scale[0], "bandwidth": scale[1] / per_byte}

def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0.0, servers=1, wire=4):
    def seconds(n):
        computing = cost["per_row"] * rows / (n if fixed == "global" else 1)
        if n == 1:
            return cost["start"] + computing
        times = 2 * (n - 1) / n if way == "ring" else 2 * n / servers
        traffic = times * size * wire / cost["bandwidth"]
        return cost["start"] + computing + max(0, traffic - overlap * computing)

    return seconds(1) / seconds(n) * (n if fixed == "local" else 1)

def best(cost, rows, size, most=64, **more):
    return max(range(1, most + 1), key=lambda n: (speedup(cost, rows, size, n, **more), -n))
