# exercise: fleet
# score:    8/10
# breaks:   4
# fails:    fleet-next: a free worker waited
# why:      in rounds: all wait for the slowest
from concurrent.futures import ThreadPoolExecutor

def parallel_search(trials, workers, start_worker):
    def attempt(trial):
        for _ in range(2):
            worker = start_worker()
            try:
                return worker.evaluate(trial)
            except WorkerDied:
                pass
            finally:
                worker.close()

    losses = {}
    for start in range(0, len(trials), workers):
        part = trials[start:start + workers]
        with ThreadPoolExecutor(workers) as pool:
            losses.update(zip([trial["id"] for trial in part], pool.map(attempt, part)))
    done = {name: loss for name, loss in losses.items() if loss is not None}
    return {"best": min(done, key=done.get, default=None), "losses": losses}


def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
