# exercise: fleet
# score:    10/10
# why:      a class with one method for a worker's life
import queue
from concurrent.futures import ThreadPoolExecutor

class Search:
    def __init__(self, trials, start_worker):
        self.start_worker, self.tries, self.losses = start_worker, {}, {trial["id"]: None for trial in trials}
        self.waiting = queue.SimpleQueue()
        for trial in trials:
            self.waiting.put(trial)

    def live(self):
        """Serve until nothing waits; True if the worker died."""
        worker = self.start_worker()
        try:
            while True:
                trial = self.waiting.get_nowait()
                try:
                    self.losses[trial["id"]] = worker.evaluate(trial)
                except WorkerDied:
                    self.tries[trial["id"]] = self.tries.get(trial["id"], 0) + 1
                    if self.tries[trial["id"]] < 2:
                        self.waiting.put(trial)
                    return True
        except queue.Empty:
            return False
        finally:
            worker.close()

    def lives(self):
        while self.live():
            pass

def parallel_search(trials, workers, start_worker):
    search = Search(trials, start_worker)
    with ThreadPoolExecutor(workers) as pool:
        for _ in range(min(workers, len(trials))):
            pool.submit(search.lives)
    pairs = [(loss, name) for name, loss in search.losses.items() if loss is not None]
    return {"best": min(pairs)[1] if pairs else None, "losses": search.losses}


def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]
