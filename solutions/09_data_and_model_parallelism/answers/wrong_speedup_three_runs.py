# exercise: speedup
# score:    5/7
# fails:    speedup-drawn: least squares over all runs
# why:      solves the first three runs exactly
def fit(runs):
    """Fit the cost model to measured runs.

    Args:
        runs: list of dict: "rows" (int), "bytes" (int, of all weights), "seconds" (float).
    Returns:
        dict: "start" in seconds, "per_row" in seconds, "bandwidth" in bytes a second.
    """
    table = np.array([[1, run["rows"], 2 * run["bytes"]] for run in runs], float)
    seconds = np.array([run["seconds"] for run in runs])
    scale = table.max(0)
    start, per_row, per_byte = np.linalg.solve((table / scale)[:3], seconds[:3])
    return {"start": start, "per_row": per_row / scale[1], "bandwidth": scale[2] / per_byte}

def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0.0, servers=1, wire=4):
    """How many times as many rows a second n devices work through as one.

    Args:
        cost: dict as `fit` returns it. rows, size, n: int, rows, parameters, devices.
        way: "ring" or "ps". fixed: "global" or "local".
        overlap: float, share of a device's time for its rows during which gradients travel.
        servers: int, parameter servers. wire: int, bytes of a number that travels.
    Returns:
        float: rows a second of n devices, divided by rows a second of one.
    """
    def seconds(n):
        computing = cost["per_row"] * rows / (n if fixed == "global" else 1)
        if n == 1:
            return cost["start"] + computing
        times = 2 * (n - 1) / n if way == "ring" else 2 * n / servers
        traffic = times * size * wire / cost["bandwidth"]
        return cost["start"] + computing + max(0, traffic - overlap * computing)

    return seconds(1) / seconds(n) * (n if fixed == "local" else 1)

def best(cost, rows, size, most=64, **more):
    """The number of devices with the largest speed-up.

    Args:
        cost, rows, size, more: as for speedup, without n. most: int, try 1 to `most` devices.
    Returns:
        int; the smallest if several are equal.
    """
    return max(range(1, most + 1), key=lambda n: (speedup(cost, rows, size, n, **more), -n))
