#@title Local cluster (run this; open it to see how it works)
# Real TensorFlow servers, each a process of its own on this machine. LocalCluster({"ps": 2, "worker": 1}) starts the
# tasks ps/0, ps/1 and worker/0, and returns when each answers. They end with this kernel at the latest.
import json, pathlib, tempfile, time
from solutions._shared.cluster_processes import ClusterError, free_ports, helper, in_words
SERVE = """import json, os, tensorflow as tf
me = json.loads(os.environ["TF_CONFIG"])
tf.distribute.Server(me["cluster"], me["task"]["type"], me["task"]["index"]).join()
"""
class LocalCluster:
    """Jobs {job: number of tasks}. A task runs `script`, the text of a Python file; by default a server that serves.

    It gets the flags --job_name, --task_index, one --{job}_hosts for each job, then `flags`; and TF_CONFIG, then `env`.
    `start` names the tasks to start, by default all. A later cluster of the same `name` ends the one before.
    """
    def __init__(self, jobs, script=SERVE, flags=(), env=(), start=None, wait=True, name="cluster"):
        self.name, self.flags, self.env, self.folder = name, list(flags), dict(env), tempfile.mkdtemp(dir=helper.folder)
        self.tasks, ports = [f"{job}/{i}" for job, n in jobs.items() for i in range(n)], free_ports(sum(jobs.values()))
        self.address = {task: f"127.0.0.1:{port}" for task, port in zip(self.tasks, ports)}
        self.spec = {job: [at for task, at in self.address.items() if task.split("/")[0] == job] for job in jobs}
        with open(f"{self.folder}/task.py", "w") as file:
            file.write(script)
        try:
            self.close()
            self.start(*(self.tasks if start is None else start), wait=wait)
        except BaseException:
            self.close()
            raise

    def start(self, *tasks, env=(), wait=True, seconds=90):
        """Start tasks, or start them again, with more of `env`; wait until they answer, unless told not to."""
        for task in tasks:
            (job, index), hosts = task.split("/"), [f"--{job}_hosts={','.join(at)}" for job, at in self.spec.items()]
            config = {"TF_CONFIG": json.dumps({"cluster": self.spec, "task": {"type": job, "index": int(index)}})}
            argv = [f"{self.folder}/task.py", f"--job_name={job}", f"--task_index={index}", *hosts, *self.flags]
            helper.ask("start", f"{self.name}:{task}", argv, {**config, **self.env, **dict(env)}, f"{self.folder}/{job}-{index}.log")
        self.wait(*(tasks if wait else ()), seconds=seconds)

    def wait(self, *tasks, until="answers", seconds=90):
        """Wait until each of the tasks "answers" or has "ended"; where one cannot or does not, raise ClusterError."""
        deadline = time.monotonic() + seconds
        for task in tasks:
            while not (now := self.alive()[task]).startswith(until):
                if now.startswith(("ended", "killed")) or time.monotonic() > deadline:
                    raise ClusterError(f"{task}: {now}; expected: {until}. Its log ends with:\n{self.log(task)[-800:]}")
                time.sleep(0.02)

    def alive(self):
        """{task: "answers", "runs, no answer", "killed by signal 9", "ended with 0" or "not started"}."""
        known = helper.ask("look", "")
        found = {task: known.get(f"{self.name}:{task}", (0, 0)) for task in self.tasks}
        return {task: in_words(process, code, self.address[task].split(":")[1]) for task, (process, code) in found.items()}

    def kill(self, *tasks):
        """End tasks at once, as a power cut does."""
        for task in tasks:
            helper.ask("kill", f"{self.name}:{task}")
    def close(self):
        self.kill(*(task.partition(":")[2] for task in helper.ask("look", "") if task.startswith(f"{self.name}:")))
    target = lambda self, task: f"grpc://{self.address[task]}"
    log = lambda self, task: pathlib.Path(self.folder, f"{task.replace('/', '-')}.log").read_text(errors="replace")
    __enter__, __exit__ = lambda self: self, lambda self, *error: self.close()
