# exercise: stale
# score:    0/4
# fails:    stale-turns, stale-last-pull, stale-own, stale-many
# says:     only what you may expect
# why:      takes the number of other workers
def stale(events):
    workers = {worker for _, worker in events}
    return [len(workers) - 1 for kind, _ in events if kind == "push"]
