# exercise: fleet
# score:    10/10
# why:      a pool of threads, and a new worker for each try
from concurrent.futures import ThreadPoolExecutor

def attempt(trial, start_worker):
    for _ in range(2):
        worker = start_worker()
        try:
            return worker.evaluate(trial)
        except WorkerDied:
            pass
        finally:
            worker.close()
    return None

def parallel_search(trials, workers, start_worker):
    with ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(lambda trial: attempt(trial, start_worker), trials))
    losses = {trial["id"]: loss for trial, loss in zip(trials, results)}
    ranked = sorted((loss, name) for name, loss in losses.items() if loss is not None)
    return {"best": ranked[0][1] if ranked else None, "losses": losses}


def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
