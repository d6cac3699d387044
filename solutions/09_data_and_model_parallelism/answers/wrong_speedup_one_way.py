# exercise: speedup
# score:    3/7
# breaks:   7
# fails:    speedup-ring: the bytes travel one way only: (n - 1)/n to add, and as many to hand round
# fails:    speedup-local: neutral
# fails:    speedup-drawn: neutral
# why:      the ring's bytes travel one way
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
        times = (n - 1) / n if way == "ring" else 2 * n / servers
        traffic = times * size * wire / cost["bandwidth"]
        return cost["start"] + computing + max(0, traffic - overlap * computing)

    return seconds(1) / seconds(n) * (n if fixed == "local" else 1)

def best(cost, rows, size, most=64, **more):
    return max(range(1, most + 1), key=lambda n: (speedup(cost, rows, size, n, **more), -n))
