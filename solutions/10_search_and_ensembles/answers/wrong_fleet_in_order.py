# exercise: fleet
# score:    6/10
# fails:    fleet-together, fleet-next
# says:     one trial after the other
# why:      one trial after the other
def parallel_search(trials, workers, start_worker):
    team, losses = [start_worker() for _ in range(min(workers, len(trials)))], {}
    for i, trial in enumerate(trials):
        losses[trial["id"]] = None
        for _ in range(2):
            try:
                losses[trial["id"]] = team[i % len(team)].evaluate(trial)
                break
            except WorkerDied:
                team[i % len(team)].close()
                team[i % len(team)] = start_worker()
    [worker.close() for worker in team]
    done = {name: loss for name, loss in losses.items() if loss is not None}
    return {"best": min(done, key=done.get, default=None), "losses": losses}

def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes. Returns [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
