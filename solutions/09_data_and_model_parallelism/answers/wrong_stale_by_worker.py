# exercise: stale
# score:    0/4
# fails:    stale-turns, stale-last-pull, stale-own, stale-many
# says:     not by worker
# why:      gives a list for each worker, one after the other
def stale(events):
    step, seen, found = 0, {}, []
    for kind, worker in events:
        if kind == "pull":
            seen[worker] = step
        else:
            found.append(step - seen[worker])
            step += 1
    order = [worker for kind, worker in events if kind == 'push']
    return [age for _, age in sorted(zip(order, found), key=lambda pair: pair[0])]
