# exercise: stale
# score:    3/4
# fails:    stale-own
# says:     only a pull does
# why:      believes that a push also brings the new weights
def stale(events):
    step, seen, found = 0, {}, []
    for kind, worker in events:
        if kind == "pull":
            seen[worker] = step
        else:
            found.append(step - seen[worker])
            step += 1
            seen[worker] = step
    return found
