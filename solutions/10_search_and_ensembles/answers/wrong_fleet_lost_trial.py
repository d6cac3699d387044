# exercise: fleet
# score:    6/10
# fails:    fleet-death, fleet-poison
# says:     was lost with its worker
# why:      the trial is lost with its worker
import queue, threading

def parallel_search(trials, workers, start_worker):
    waiting, losses = queue.Queue(), {}
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
                    worker = start_worker()
        except queue.Empty:
            worker.close()

    threads = [threading.Thread(target=drive) for _ in range(min(workers, len(trials)))]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    done = {name: loss for name, loss in losses.items() if loss is not None}
    return {"best": min(done, key=done.get, default=None), "losses": losses}

def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes. Returns [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
