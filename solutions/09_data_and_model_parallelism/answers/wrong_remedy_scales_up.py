# exercise: remedy
# score:    6/8
# fails:    remedy-weaker
# says:     made larger
# why:      multiplies by 1 + staleness
def train_stale(first, events, rate, remedy):
    w, updates, dropped, pulled = float(first), 0, 0, {}
    for kind, worker, *rest in events:
        if kind == "pull":
            pulled[worker] = w, updates
            continue
        rows, (copy, seen) = rest[0][:remedy.get("batch")], pulled[worker]
        staleness = updates - seen
        if staleness > remedy.get("drop", staleness) or (worker != 0 and updates < remedy.get("warmup", 0)):
            dropped += 1
            continue
        step = rate * remedy.get("rate", 1) * (1 + staleness if remedy.get("scale") else 1)
        w, updates = w - step * (copy - sum(rows) / len(rows)), updates + 1
    return {"w": w, "updates": updates, "dropped": dropped}
