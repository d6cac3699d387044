# exercise: stale
# score:    1/4
# fails:    stale-turns, stale-last-pull, stale-many
# says:     the first pull was taken
# why:      keeps the first pull of each worker
def stale(events):
    step, seen, found = 0, {}, []
    for kind, worker in events:
        if kind == "pull":
            seen.setdefault(worker, step)
        else:
            found.append(step - seen[worker])
            step += 1
    return found
