# exercise: stale
# score:    0/4
# fails:    stale-turns, stale-last-pull, stale-own, stale-many
# says:     pulls were counted too
# why:      counts all events since the pull
def stale(events):
    seen, found = {}, []
    for k, (kind, worker) in enumerate(events):
        if kind == "pull":
            seen[worker] = k
        else:
            found.append(k - seen[worker] - 1)
    return found
