# exercise: remedy
# score:    2/8
# fails:    remedy-none, remedy-weaker, remedy-drop, remedy-warmup
# says:     at the newest w
# why:      computes the gradient at the newest w
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
        step = rate * remedy.get("rate", 1) / (1 + staleness if remedy.get("scale") else 1)
        w, updates = w - step * (w - sum(rows) / len(rows)), updates + 1
    return {"w": w, "updates": updates, "dropped": dropped}
