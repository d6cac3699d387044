#@title Work drill (run this; open it to see how it works)
# Runs the text of your function `work` in real worker processes, kills a task, and says what the cluster did: exercise 5.
# A hook in each worker slows it down a little, notes what it does, and stops a worker that goes on for ever.
import json, os, pathlib, re, tempfile
from solutions._shared.cluster_processes import helper
from solutions._shared.ensemble_drill import wait_for
from solutions._shared.lesson import AROUND, SESSION
from solutions._shared.local_cluster import LocalCluster
from solutions._shared.work_record import what_happened

def work_script(session_part, text, steps, folder):
    return AROUND + '''
class Notes(v1.train.SessionRunHook):
    def __init__(self, chief):
        self.chief, self.own = chief, 0
    def tell(self, **more):
        with open(os.environ["NOTES"], "a") as file:
            print(json.dumps({"worker": index, "chief": self.chief, **more}), file=file)
    def begin(self):
        ops, self.step = v1.get_default_graph().get_operations(), v1.train.get_global_step()
        self.tell(variables={op.name: op.device for op in ops if op.type == "VarHandleOp"},
                  compute=[op.device for op in ops if op.name == "compute"])
    def after_create_session(self, session, coord):
        self.tell(opened=-1 if self.step is None else int(session.run(self.step)))
        if self.own and not self.chief:  # opened again: the chief is to see the step at which it begins itself
            time.sleep(1)
    def before_run(self, context):
        time.sleep(0.015)
        return None if self.step is None else v1.train.SessionRunArgs(self.step)
    def after_run(self, context, values):
        self.own += 1
        self.tell(own=self.own, step=-1 if self.step is None else int(values.results))
        if self.own > 150:
            raise RuntimeError("150 steps, and no end")
''' + session_part + f'''
open_managed = managed
def managed(chief, folder, hooks):
    return open_managed(chief, folder, [*hooks, Notes(bool(chief))], every=20)

{text}
work(spec, index, {steps}, {folder!r}, build)
os._exit(0)
'''

def notes_of(folder):
    notes = pathlib.Path(folder, "notes")
    lines = notes.read_text().splitlines() if notes.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]

def time_to_kill(task, folder, steps):
    """Half of the steps are made and, for a ps, some of them are in a checkpoint and some are not."""
    step = max([note.get("step", 0) for note in notes_of(folder)], default=0)
    saved = max([int(name[11:-6]) for name in os.listdir(folder) if re.fullmatch(r"model\.ckpt-\d+\.index", name)], default=0)
    return step > steps // 2 and (task != "ps/0" or step > 0.8 * steps or saved >= 10 and 5 <= step - saved <= 14)

def job_drill(text, ps, workers, steps, kill):
    """Run `work` in worker processes until all have ended; what the cluster did, as plain values."""
    folder, everybody = tempfile.mkdtemp(dir=helper.folder), [f"worker/{i}" for i in range(workers)]
    with LocalCluster({"ps": ps, "worker": workers}, script=work_script(SESSION, text, steps, folder),
                      env={"NOTES": f"{folder}/notes"}, wait=False, name="work") as cluster:
        ended = lambda: all(cluster.alive()[worker].startswith(("ended", "killed")) for worker in everybody)
        if kill:
            wait_for(lambda: time_to_kill(kill, folder, steps) or ended())
            cluster.kill(kill), cluster.start(kill, wait=False)
        wait_for(ended, 30)
        return what_happened(cluster, everybody, notes_of(folder))
