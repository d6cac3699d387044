# exercise: remedy
# score:    4/8
# fails:    remedy-drop, remedy-drop-counts, remedy-warmup
# says:     no update
# why:      counts a dropped gradient as an update
def train_stale(first, events, rate, remedy):
    w, updates, dropped, pulled = float(first), 0, 0, {}
    for kind, worker, *rest in events:
        if kind == "pull":
            pulled[worker] = w, updates
            continue
        rows, (copy, seen) = rest[0][:remedy.get("batch")], pulled[worker]
        staleness = updates - seen
        if staleness > remedy.get("drop", staleness) or (worker != 0 and updates < remedy.get("warmup", 0)):
            dropped, updates = dropped + 1, updates + 1
            continue
        step = rate * remedy.get("rate", 1) / (1 + staleness if remedy.get("scale") else 1)
        w, updates = w - step * (copy - sum(rows) / len(rows)), updates + 1
    return {"w": w, "updates": updates, "dropped": dropped}
