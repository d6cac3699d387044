# exercise: speedup
# score:    7/7
# why:      QR, keyword dict, numpy loop
def fit(runs):
    x = np.array([(1, r["rows"] / 100, r["bytes"] / 1e7) for r in runs], dtype=np.float64)
    q, upper = np.linalg.qr(x)
    found = np.linalg.solve(upper, q.T @ np.array([r["seconds"] for r in runs]))
    return {"start": found[0], "per_row": found[1] / 100, "bandwidth": 2 * 1e7 / found[2]}

def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0., servers=1, wire=4):
    one = cost["start"] + rows * cost["per_row"]
    if n == 1:
        return 1.
    gain = n if fixed == "local" else 1
    share = rows * cost["per_row"] * gain / n
    link = cost["bandwidth"] * (servers if way == "ps" else 1)
    times = n if way == "ps" else (n - 1) / n
    exposed = max(2 * times * size * wire / link - overlap * share, 0)
    return gain * one / (cost["start"] + share + exposed)

def best(cost, rows, size, most=64, **more):
    gains = {n: speedup(cost, rows, size, n, **more) for n in range(1, most + 1)}
    top = max(gains.values())
    return min(n for n, gain in gains.items() if gain == top)
