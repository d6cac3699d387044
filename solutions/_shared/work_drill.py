# @title Work drill (run this; open it to see how it works)
# Runs the text of your function `work` in real worker processes, kills a task, and says what the cluster did.
import functools
import json
import os
import pathlib
import pickle
import re
import tempfile

from solutions._shared.cluster_processes import helper
from solutions._shared.ensemble_drill import wait_for
from solutions._shared.local_cluster import LocalCluster, text_of
from solutions._shared.work_record import what_happened

# Stands between the program around `work` and its text. In each worker, a hook slows the steps down a little, notes
# what happens, and ends a worker that goes on for ever.
NOTES = '''
class Notes(v1.train.SessionRunHook):
    def __init__(self, chief, pause, most):
        self.chief, self.pause, self.most, self.own = chief, pause, most, 0

    def tell(self, **more):
        with open(os.environ["NOTES"], "a") as file:
            print(json.dumps({"worker": task.index, "chief": self.chief, **more}), file=file)

    def begin(self):
        self.step = v1.train.get_global_step()
        ops = v1.get_default_graph().get_operations()
        variables = {op.name: op.device for op in ops if op.type == "VarHandleOp"}
        compute = [op.device for op in ops if op.name == "compute"]
        scopes = ("gradients", "gradients_1")
        gradients = sorted({op.device for op in ops if not set(op.name.split("/")).isdisjoint(scopes)})
        self.tell(variables=variables, compute=compute, gradients=gradients)

    def after_create_session(self, session, coord):
        self.tell(opened=-1 if self.step is None else int(session.run(self.step)))
        if self.own and not self.chief:  # opened again: the chief is to see itself at which step it begins
            time.sleep(1)

    def before_run(self, context):
        time.sleep(self.pause)
        return None if self.step is None else v1.train.SessionRunArgs(self.step)

    def after_run(self, context, values):
        self.own += 1
        self.tell(own=self.own, step=-1 if self.step is None else int(values.results))
        if self.own > self.most:
            raise RuntimeError(f"{self.most} steps, and no end")


open_managed = managed


def managed(chief, folder, hooks):
    """As before; its worker takes notes."""
    notes = Notes(bool(chief), PAUSE, MOST)
    return open_managed(chief, folder, [*hooks, notes])
'''


def work_script(around, text, steps, folder, digits=False):
    """The program of a worker: what is around `work`, the notes, the text of `work`, and its call."""
    # one worker may make all steps, and look at the step by a run of its own
    pause, most = (0.0, 3 * steps) if digits else (0.015, max(150, 3 * steps))
    build = "build_digits" if digits else "build_counters"
    settings = f"PAUSE, MOST = {pause}, {most}\n"
    call = f"work(task.spec, task.index, {steps}, {folder!r}, {build})\n"
    end = (
        "if task.index == 0:\n    Notes(True, 0, 0).tell(accuracy=test_accuracy())\n"
        if digits
        else ""
    )
    return f"{around}\n{NOTES}\n{settings}\n{text}\n{call}{end}os._exit(0)\n"


def notes_of(folder):
    """What the workers have noted; the last line may be half written."""
    notes = pathlib.Path(folder, "notes")
    lines = notes.read_text().splitlines() if notes.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def time_to_kill(task, folder, steps):
    """Half of the steps are made and, for a ps, some of them are in a checkpoint and some are not."""
    step = max([note.get("step", 0) for note in notes_of(folder)], default=0)
    found = [re.fullmatch(r"model\.ckpt-(\d+)\.index", name) for name in os.listdir(folder)]
    saved = max([int(name[1]) for name in found if name], default=0)
    some_lost = saved >= 10 and 5 <= step - saved <= 14
    return step > steps // 2 and (task != "ps/0" or step > 0.8 * steps or some_lost)


def job_drill(work, around, ps, workers, steps, kill=None, digits=False):
    """Run `work` in worker processes until all have ended; asked the same again, the job is not run again.

    Args:
        work: the function; its text is sent to the processes.
        around: text of the program around it.
        ps, workers: how many tasks.
        steps: the shared step to reach.
        kill: a task to kill, and to start again, when half of the steps are made.
        digits: train the network on digits, instead of three counters.
    Returns:
        dict: see what_happened.
    """
    text = text_of(work)
    return pickle.loads(drilled_once(text, around, ps, workers, steps, kill, digits))


@functools.lru_cache(maxsize=100)
def drilled_once(text, around, ps, workers, steps, kill, digits):
    """What job_drill returns, as bytes: several checks look at one job, and none can change what the next sees."""
    folder = tempfile.mkdtemp(dir=helper.folder)
    everybody = [f"worker/{i}" for i in range(workers)]
    jobs = {"ps": ps, "worker": workers}
    script = work_script(around, text, steps, folder, digits)
    with LocalCluster(
        jobs, script=script, env={"NOTES": f"{folder}/notes"}, wait=False, name="work"
    ) as cluster:

        def ended():
            states = cluster.alive()
            return all(states[worker].startswith(("ended", "killed")) for worker in everybody)

        if kill:
            wait_for(lambda: time_to_kill(kill, folder, steps) or ended())
            cluster.kill(kill)
            cluster.start(kill, wait=False)
        wait_for(ended, 60 if digits else 30)
        return pickle.dumps(what_happened(cluster, everybody, notes_of(folder)))
