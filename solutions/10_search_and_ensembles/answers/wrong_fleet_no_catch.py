# exercise: fleet
# score:    6/10
# fails:    fleet-death: WorkerDied is not caught
# fails:    fleet-poison: ended the whole search
# why:      does not expect a death
from concurrent.futures import ThreadPoolExecutor

def parallel_search(trials, workers, start_worker):
    def attempt(trial):
        worker = start_worker()
        try:
            return worker.evaluate(trial)
        finally:
            worker.close()

    with ThreadPoolExecutor(workers) as pool:
        losses = dict(zip([trial["id"] for trial in trials], pool.map(attempt, trials)))
    return {"best": min(losses, key=losses.get), "losses": losses}


def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
