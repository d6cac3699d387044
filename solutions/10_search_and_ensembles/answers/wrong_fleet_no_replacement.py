# exercise: fleet
# score:    6/10
# breaks:   5
# fails:    fleet-death: no worker was started in place
# fails:    fleet-poison: was not tried again
# why:      goes on with one worker less
import queue
import threading

def parallel_search(trials, workers, start_worker):
    waiting = queue.Queue()
    losses, deaths = {}, {}
    for trial in trials:
        waiting.put(trial)

    def drive():
        worker = start_worker()
        try:
            while True:
                trial = waiting.get_nowait()
                try:
                    losses[trial["id"]] = worker.evaluate(trial)
                except WorkerDied:
                    worker.close()
                    deaths[trial["id"]] = deaths.get(trial["id"], 0) + 1
                    if deaths[trial["id"]] < 2:
                        waiting.put(trial)
                    else:
                        losses[trial["id"]] = None
                    return
        except queue.Empty:
            worker.close()

    threads = [threading.Thread(target=drive) for _ in range(min(workers, len(trials)))]
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
