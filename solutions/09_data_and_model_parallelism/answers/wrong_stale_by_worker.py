# exercise: stale
# score:    1/4
# fails:    stale-last-pull, stale-own, stale-many
# says:     worker 0
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
