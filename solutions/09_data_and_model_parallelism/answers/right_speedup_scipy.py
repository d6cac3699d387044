# exercise: speedup
# score:    7/7
# why:      SciPy's least squares, an array of speed-ups
from scipy import linalg

def fit(runs):
    a = np.array([[1., run["rows"] * 1e-3, run["bytes"] * 2e-6] for run in runs])
    (s, r, b), *_ = linalg.lstsq(a, [run["seconds"] for run in runs])
    return dict(start=s, per_row=r * 1e-3, bandwidth=1e6 / b)

def speedup(cost, rows, size, n, way="ring", fixed="global", overlap=0., servers=1, wire=4):
    per_device = cost["per_row"] * rows
    alone = cost["start"] + per_device
    if fixed == "global":
        per_device = per_device / n
    traffic = 0.
    if n > 1:
        sent = size * wire
        traffic = (sent * n * 2 / (cost["bandwidth"] * servers)) if way == "ps" else (sent * 2 * (n - 1) / n / cost["bandwidth"])
    together = cost["start"] + per_device + np.clip(traffic - overlap * per_device, 0, None)
    gain = alone / together
    return float(gain if fixed == "global" else gain * n)

def best(cost, rows, size, most=64, **more):
    return int(np.argmax([speedup(cost, rows, size, k, **more) for k in range(1, most + 1)])) + 1
