# exercise: stale
# score:    0/4
# fails:    stale-turns, stale-last-pull, stale-own, stale-many
# says:     counted from the beginning
# why:      counts all updates so far
def stale(events):
    pushes = [worker for kind, worker in events if kind == "push"]
    return list(range(len(pushes)))
