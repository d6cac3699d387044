#@title Trial program (run this; open it to see how it works)
# The program of a worker process: it trains a small network on digits for one trial at a time. NumPy is enough for it.
TRAIN = r"""
import json, os, sys, time
import numpy as np
folder, plan = sys.argv[1], json.load(open(sys.argv[1] + "/plan.json"))
digits = np.load(folder + "/digits.npz")
x, y, x_new, y_new = (digits[name] for name in ("x", "y", "x_new", "y_new"))
softmax = lambda z: np.exp(z - z.max(1, keepdims=True)) / np.exp(z - z.max(1, keepdims=True)).sum(1, keepdims=True)
events = lambda kind, trial="": sum(line.startswith(f"{kind} {trial}") for line in open(folder + "/events"))
def note(kind, trial):
    with open(folder + "/events", "a") as file:
        file.write(f"{kind} {trial}\n")
for line in sys.stdin:
    trial = json.loads(line)
    note("start", trial["id"])
    kind, count = plan["needs"].get(trial["id"], ("start", 0))
    deadline = time.monotonic() + 15
    while events(kind) < count and not events("alone"):  # a drill: this trial has to meet others
        time.sleep(0.01)
        if time.monotonic() > deadline:
            note("alone", trial["id"])
    if events("died", trial["id"] + "\n") < plan["kills"].get(trial["id"], 0):
        note("died", trial["id"])
        os._exit(9)
    w = np.random.default_rng(trial["seed"]).normal(0, 0.1, (64, 10))
    for _ in range(trial["steps"]):
        w -= trial["rate"] * x.T @ (softmax(x @ w) - np.eye(10)[y]) / len(x)
    loss = float(-np.log(softmax(x_new @ w)[np.arange(len(y_new)), y_new]).mean())
    note("end", trial["id"])
    print(json.dumps(loss), flush=True)
"""
