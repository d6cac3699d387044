# exercise: speedup
# score:    5/7
# fails:    speedup-drawn: start is not
# why:      start and bandwidth from three runs, only per_row by least squares
def fit(runs):
    table = np.array([[1, r["rows"], 2 * r["bytes"]] for r in runs], float)
    y = np.array([r["seconds"] for r in runs])
    s = table.max(0)
    a = np.linalg.lstsq(table / s, y, rcond=None)[0] / s
    i = next(i for i in range(2, len(runs)) if abs(np.linalg.det((table / s)[[0, 1, i]])) > 1e-9)
    b = np.linalg.solve((table / s)[[0, 1, i]], y[[0, 1, i]]) / s
    return {"start": b[0], "per_row": a[1], "bandwidth": 1 / b[2]}
def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0.0, servers=1, wire=4):
    def seconds(n):
        c = cost["per_row"] * rows / (n if fixed == "global" else 1)
        if n == 1: return cost["start"] + c
        t = (2 * (n - 1) / n if way == "ring" else 2 * n / servers) * size * wire / cost["bandwidth"]
        return cost["start"] + c + max(0, t - overlap * c)
    return seconds(1) / seconds(n) * (n if fixed == "local" else 1)
def best(cost, rows, size, most=64, **more):
    return int(np.argmax([speedup(cost, rows, size, n, **more) for n in range(1, most + 1)])) + 1
