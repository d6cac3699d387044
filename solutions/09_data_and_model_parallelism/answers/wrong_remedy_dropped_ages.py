# exercise: remedy
# score:    7/8
# fails:    remedy-drop-counts
# says:     do not count
# why:      counts dropped pushes for staleness, though not as updates
def train_stale(first, events, rate, remedy):
    w, updates, pushes, pulled = float(first), 0, 0, {}
    for kind, worker, *rest in events:
        if kind == "pull":
            pulled[worker] = w, pushes
            continue
        rows, (copy, seen) = rest[0][:remedy.get("batch")], pulled[worker]
        staleness, pushes = pushes - seen, pushes + 1
        if staleness > remedy.get("drop", staleness) or (worker != 0 and updates < remedy.get("warmup", 0)):
            continue
        step = rate * remedy.get("rate", 1) / (1 + staleness if remedy.get("scale") else 1)
        w, updates = w - step * (copy - sum(rows) / len(rows)), updates + 1
    return {"w": w, "updates": updates, "dropped": pushes - updates}
