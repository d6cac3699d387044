# exercise: stale
# score:    0/4
# fails:    stale-turns, stale-last-pull, stale-own, stale-many
# says:     counts itself
# why:      a push counts itself
def stale(events):
    step, seen, found = 0, {}, []
    for kind, worker in events:
        if kind == "pull":
            seen[worker] = step
        else:
            step += 1
            found.append(step - seen[worker])
    return found
