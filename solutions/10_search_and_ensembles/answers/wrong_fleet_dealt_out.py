# exercise: fleet
# score:    8/10
# fails:    fleet-next: a free worker waited
# why:      the trials are dealt out beforehand
import threading

def parallel_search(trials, workers, start_worker):
    losses = {}

    def drive(mine):
        worker = start_worker()
        for trial in mine:
            losses[trial["id"]] = None
            for _ in range(2):
                try:
                    losses[trial["id"]] = worker.evaluate(trial)
                    break
                except WorkerDied:
                    worker.close()
                    worker = start_worker()
        worker.close()

    count = min(workers, len(trials))
    threads = [threading.Thread(target=drive, args=[trials[i::count]]) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = {name: loss for name, loss in losses.items() if loss is not None}
    return {"best": min(done, key=done.get, default=None), "losses": losses}


def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
