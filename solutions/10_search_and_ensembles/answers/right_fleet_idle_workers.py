# exercise: fleet
# score:    10/10
# why:      idle workers in a list; a failed trial goes back to the front
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

def parallel_search(trials, workers, start_worker):
    todo, deaths, losses, busy = list(trials), {}, {}, {}
    idle = [start_worker() for _ in range(min(workers, len(trials)))]
    with ThreadPoolExecutor(workers) as pool:
        while todo or busy:
            while todo and idle:
                trial, worker = todo.pop(0), idle.pop()
                busy[pool.submit(worker.evaluate, trial)] = trial, worker
            for future in wait(busy, return_when=FIRST_COMPLETED).done:
                trial, worker = busy.pop(future)
                try:
                    losses[trial["id"]] = future.result()
                    idle.append(worker)
                except WorkerDied:
                    worker.close()
                    idle.append(start_worker())
                    deaths[trial["id"]] = deaths.get(trial["id"], 0) + 1
                    if deaths[trial["id"]] < 2:
                        todo.insert(0, trial)
                    else:
                        losses[trial["id"]] = None
    for worker in idle:
        worker.close()
    best = None
    for name, loss in losses.items():
        if loss is not None and (best is None or loss < losses[best]):
            best = name
    return {"best": best, "losses": losses}


def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
