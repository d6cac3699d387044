# exercise: fleet
# score:    2/10
# fails:    fleet-together, fleet-death, fleet-poison, fleet-next
# says:     more processes than workers
# why:      a process for every trial at once
from concurrent.futures import ThreadPoolExecutor

def parallel_search(trials, workers, start_worker):
    team = [start_worker() for _ in trials]
    def attempt(i):
        for _ in range(2):
            try:
                return team[i].evaluate(trials[i])
            except WorkerDied:
                team[i].close()
                team[i] = start_worker()
    with ThreadPoolExecutor(len(trials)) as pool:
        losses = dict(zip([trial["id"] for trial in trials], pool.map(attempt, range(len(trials)))))
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
