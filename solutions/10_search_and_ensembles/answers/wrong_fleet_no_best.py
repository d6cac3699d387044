# exercise: fleet
# score:    8/10
# breaks:   11
# fails:    fleet-poison: best is None
# why:      fails when no trial has a loss
import queue
import threading

def parallel_search(trials, workers, start_worker):
    waiting = queue.Queue()
    losses = {}
    for trial in trials:
        waiting.put(trial)

    def drive():
        worker = start_worker()
        try:
            while True:
                trial = waiting.get_nowait()
                for _ in range(2):
                    try:
                        losses[trial["id"]] = worker.evaluate(trial)
                        break
                    except WorkerDied:
                        worker.close()
                        losses[trial["id"]] = None
                        worker = start_worker()
        except queue.Empty:
            worker.close()

    threads = [threading.Thread(target=drive) for _ in range(min(workers, len(trials)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = {name: loss for name, loss in losses.items() if loss is not None}
    return {"best": min(done, key=done.get, default='none'), "losses": losses}

def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
