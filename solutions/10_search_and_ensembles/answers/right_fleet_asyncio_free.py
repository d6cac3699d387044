# exercise: fleet
# score:    10/10
# why:      a lock and an iterator; failed trials come last
import threading

def parallel_search(trials, workers, start_worker):
    lock, todo, losses, killed = threading.Lock(), list(trials), {}, []

    def next_trial():
        with lock:
            return todo.pop(0) if todo else None

    def work():
        worker = start_worker()
        while (trial := next_trial()) is not None:
            name = trial["id"]
            try:
                losses[name] = worker.evaluate(trial)
            except WorkerDied:
                worker.close()
                worker = start_worker()
                with lock:
                    killed.append(name)
                    if killed.count(name) == 2:
                        losses[name] = None
                    else:
                        todo.append(trial)
        worker.close()

    threads = [threading.Thread(target=work) for _ in trials[:workers]]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    known = [name for name in losses if losses[name] is not None]
    return {"losses": losses, "best": min(known, key=losses.get) if known else None}


def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
