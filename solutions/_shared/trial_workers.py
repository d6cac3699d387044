# @title Trial workers (run this; open it to see how it works)
# Real processes that run the trial program; and a drill: deaths and meetings, planned, counted.
import contextlib
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import numpy as np
import sklearn.datasets
from solutions._shared.trial_program import run_trials

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class WorkerDied(Exception):
    """The worker's process has ended without an answer."""


def end_process(process):
    """End a process, and close its pipes."""
    process.kill()
    process.wait()
    with contextlib.suppress(OSError):
        process.stdin.close()
    process.stdout.close()


class TrialWorker:
    """Evaluates one trial after another, in its process."""

    def __init__(self, process):
        # with two underscores: who gets a worker has evaluate and close, and no other way
        self.__process = process

    def evaluate(self, trial):
        """Wait for the trial's validation loss; raises WorkerDied if the process ends before."""
        process = self.__process
        try:
            process.stdin.write(json.dumps(trial) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())
        except (OSError, ValueError):
            raise WorkerDied(f"process {process.pid} died on trial {trial['id']}") from None

    def close(self):
        """End the process."""
        end_process(self.__process)


class TrialOffice:
    """Starts workers on a folder of its own and counts what happens to them."""

    def __init__(self, folder, kills, needs):
        self.folder = pathlib.Path(folder)
        self.processes = []
        self.most_at_once = 0
        self.lock = threading.Lock()  # several threads start workers
        digits = sklearn.datasets.load_digits()
        rows = digits.data / 16
        np.savez(
            self.folder / "digits.npz",
            x=rows[:300],
            y=digits.target[:300],
            x_new=rows[300:600],
            y_new=digits.target[300:600],
        )
        program = inspect.getsource(run_trials) + "\n\nimport sys\n\nrun_trials(sys.argv[1])\n"
        (self.folder / "run_trials.py").write_text(program)
        (self.folder / "events").write_text("")
        plan = {"kills": dict(kills), "needs": dict(needs)}
        (self.folder / "plan.json").write_text(json.dumps(plan))

    def start_worker(self):
        """Start a process; returns its TrialWorker."""
        process = subprocess.Popen(
            [sys.executable, f"{self.folder}/run_trials.py", str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **ONE_THREAD},
        )
        with self.lock:
            self.processes.append(process)
            self.most_at_once = max(self.most_at_once, self.running())
        return TrialWorker(process)

    def running(self):
        return sum(process.poll() is None for process in self.processes)

    def facts(self):
        """What was counted, as a dict of plain values."""
        events = [line.split() for line in (self.folder / "events").read_text().splitlines()]
        kinds = [kind for kind, _ in events]
        return {
            "most at once": self.most_at_once,
            "still open": self.running(),
            "never met": kinds.count("alone"),
            "starts": kinds.count("start"),
            "deaths": kinds.count("died"),
            "processes": len(self.processes),
            "order": [trial for kind, trial in events if kind == "start"],
        }


@contextlib.contextmanager
def trial_workers(kills=(), needs=()):
    """``with trial_workers() as (start_worker, facts):`` gives two functions; leaves no process.

    Args:
        kills: {trial: how many workers it kills}.
        needs: {trial: ["start" or "end", how many trials must have done so before it goes on]}.
    """
    with tempfile.TemporaryDirectory() as folder:
        office = TrialOffice(folder, kills, needs)
        try:
            yield office.start_worker, office.facts
        finally:
            for process in office.processes:
                end_process(process)
