# exercise: speedup
# score:    7/7
# why:      normal equations, a function for seconds, counts up to the best
def fit(runs):
    rows, size, seconds = (np.array([run[key] for run in runs], float) for key in ("rows", "bytes", "seconds"))
    x = np.stack([np.ones(len(runs)), rows / 1e3, size / 1e6], 1)
    a, b, c = np.linalg.solve(x.T @ x, x.T @ seconds)
    return {"start": float(a), "per_row": float(b) / 1e3, "bandwidth": 2e6 / float(c)}

def seconds_for(cost, rows, size, n, way, overlap, servers, wire):
    volume = {"ring": (2 - 2 / n), "ps": 2 * n / servers}[way] * size * wire if n > 1 else 0
    computing = cost["per_row"] * rows
    hidden = min(volume / cost["bandwidth"], overlap * computing)
    return cost["start"] + computing + volume / cost["bandwidth"] - hidden

def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0., servers=1, wire=4):
    mine = rows / n if fixed == "global" else rows
    alone = rows / seconds_for(cost, rows, size, 1, way, overlap, servers, wire)
    return n * mine / seconds_for(cost, mine, size, n, way, overlap, servers, wire) / alone

def best(cost, rows, size, most=64, **more):
    winner, gain = 1, speedup(cost, rows, size, 1, **more)
    for n in range(2, most + 1):
        new = speedup(cost, rows, size, n, **more)
        if new > gain:
            winner, gain = n, new
    return winner
