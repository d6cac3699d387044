#@title Trial workers (run this; open it to see how it works)
# Real processes that run the program of the cell above; and what a drill with them needs: deaths and meetings, counted.
import contextlib, json, os, pathlib, subprocess, sys, tempfile, threading
import numpy as np
import sklearn.datasets
from solutions._shared.trial_program import TRAIN

class WorkerDied(Exception):
    """The worker's process has ended without an answer."""

class TrialWorker:
    """A process. evaluate(trial) waits for the trial's validation loss, or raises WorkerDied; close() ends it."""
    def __init__(self, folder):
        self.process = subprocess.Popen([sys.executable, f"{folder}/train.py", folder], stdin=-1, stdout=-1, text=True,
                                        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
    def evaluate(self, trial):
        try:
            self.process.stdin.write(json.dumps(trial) + "\n"), self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            raise WorkerDied(f"process {self.process.pid} died on trial {trial['id']}") from None
    def close(self):
        self.process.kill(), self.process.wait()
        with contextlib.suppress(OSError):
            self.process.stdin.close(), self.process.stdout.close()

@contextlib.contextmanager
def trial_workers(kills=(), needs=()):
    """`with trial_workers() as (start_worker, facts)`; facts() counts. kills: {trial: workers that it kills}; needs: a drill."""
    digits, made, most, lock = sklearn.datasets.load_digits(), [], [0], threading.Lock()
    running = lambda: sum(worker.process.poll() is None for worker in made)
    def start_worker():
        worker = TrialWorker(folder)
        with lock:  # several threads start workers
            made.append(worker)
            most[0] = max(most[0], running())
        return worker
    with tempfile.TemporaryDirectory() as folder:
        rows, split = digits.data / 16, {"x": slice(300), "x_new": slice(300, 600)}
        np.savez(f"{folder}/digits.npz", y=digits.target[:300], y_new=digits.target[300:600], **{k: rows[s] for k, s in split.items()})
        for name, text in (("train.py", TRAIN), ("events", ""), ("plan.json", json.dumps({"kills": dict(kills), "needs": dict(needs)}))):
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        count = lambda kind: sum(line.startswith(kind) for line in pathlib.Path(folder, "events").read_text().splitlines())
        try:
            yield start_worker, lambda: {"most at once": most[0], "still open": running(), "never met": count("alone"),
                                         "starts": count("start"), "deaths": count("died"), "processes": len(made)}
        finally:
            [worker.close() for worker in made]
