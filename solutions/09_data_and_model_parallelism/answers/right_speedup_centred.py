# exercise: speedup
# score:    7/7
# why:      centred columns, max over sorted pairs
def fit(runs):
    data = np.array([[run["rows"], 2 * run["bytes"], run["seconds"]] for run in runs], float)
    mean = data.mean(0)
    spread = data - mean
    width = np.abs(spread).max(0)
    slope = np.linalg.pinv(spread[:, :2] / width[:2]) @ spread[:, 2] / width[:2]
    return {"start": mean[2] - slope @ mean[:2], "per_row": slope[0], "bandwidth": 1 / slope[1]}

def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0.0, servers=1, wire=4):
    def rate(count):
        here = rows if fixed == "local" else rows / count
        work = cost["per_row"] * here
        copies = 0
        if count > 1 and way == "ring":
            copies = 2 - 2 / count
        elif count > 1:
            copies = 2 * count / servers
        wait = copies * wire * size / cost["bandwidth"] - overlap * work
        return count * here / (cost["start"] + work + (wait if wait > 0 else 0))
    return rate(n) / rate(1)

def best(cost, rows, size, most=64, **more):
    ranked = sorted((-speedup(cost, rows, size, n, **more), n) for n in range(1, most + 1))
    return ranked[0][1]
