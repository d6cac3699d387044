# exercise: fleet
# score:    4/10
# breaks:   3
# fails:    fleet-together: one trial after the other
# fails:    fleet-death: one trial after the other
# fails:    fleet-next: one trial after the other
# why:      one trial after the other
def parallel_search(trials, workers, start_worker):
    worker, losses = start_worker(), {}
    for trial in trials:
        losses[trial["id"]] = None
        for _ in range(2):
            try:
                losses[trial["id"]] = worker.evaluate(trial)
                break
            except WorkerDied:
                worker.close()
                worker = start_worker()
    worker.close()
    done = {name: loss for name, loss in losses.items() if loss is not None}
    return {"best": min(done, key=done.get, default=None), "losses": losses}


def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
