# exercise: speedup
# score:    4/7
# breaks:   3
# fails:    speedup-drawn: neutral
# fails:    speedup-best: neutral
# why:      takes 4 bytes for every number
def fit(runs):
    table = np.array([[1, run["rows"], 2 * run["bytes"]] for run in runs], float)
    seconds = np.array([run["seconds"] for run in runs])
    scale = table.max(0)
    (start, per_row, per_byte), *_ = np.linalg.lstsq(table / scale, seconds, rcond=None)
    return {"start": start, "per_row": per_row / scale[1], "bandwidth": scale[2] / per_byte}

def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0.0, servers=1, wire=4):
    def seconds(n):
        computing = cost["per_row"] * rows / (n if fixed == "global" else 1)
        if n == 1:
            return cost["start"] + computing
        times = 2 * (n - 1) / n if way == "ring" else 2 * n / servers
        traffic = times * size * 4 / cost["bandwidth"]
        return cost["start"] + computing + max(0, traffic - overlap * computing)

    return seconds(1) / seconds(n) * (n if fixed == "local" else 1)

def best(cost, rows, size, most=64, **more):
    return max(range(1, most + 1), key=lambda n: (speedup(cost, rows, size, n, **more), -n))
