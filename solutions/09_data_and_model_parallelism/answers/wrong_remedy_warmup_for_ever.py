# exercise: remedy
# score:    7/8
# fails:    remedy-warmup
# says:     the warm-up ends
# why:      only worker 0 ever trains
def train_stale(first, events, rate, remedy):
    w, updates, dropped, pulled = float(first), 0, 0, {}
    for kind, worker, *rest in events:
        if kind == "pull":
            pulled[worker] = w, updates
            continue
        rows, (copy, seen) = rest[0][:remedy.get("batch")], pulled[worker]
        staleness = updates - seen
        if staleness > remedy.get("drop", staleness) or (worker != 0 and "warmup" in remedy):
            dropped += 1
            continue
        step = rate * remedy.get("rate", 1) / (1 + staleness if remedy.get("scale") else 1)
        w, updates = w - step * (copy - sum(rows) / len(rows)), updates + 1
    return {"w": w, "updates": updates, "dropped": dropped}
