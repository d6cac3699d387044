# @title Local cluster (run this; open it to see how it works)
"""Real TensorFlow servers, each a process of its own on this machine.

`LocalCluster({"ps": 2, "worker": 1})` starts the tasks ps/0, ps/1 and worker/0, and returns when each
answers. They end with this kernel at the latest. On Linux they hear this machine only.
"""

import inspect
import json
import pathlib
import re
import sys
import tempfile
import time

from solutions._shared.cluster_processes import ClusterError, free_ports, helper, in_words

SERVE = """import json
import os

import tensorflow as tf

me = json.loads(os.environ["TF_CONFIG"])
server = tf.distribute.Server(me["cluster"], me["task"]["type"], me["task"]["index"])
server.join()
"""


def text_of(function):
    """The text of a function, for a program of other processes.

    Raises:
        TypeError: there is none, since it was not written with `def`.
    """
    if not inspect.isfunction(function) or not function.__name__.isidentifier():
        kind = "lambda" if inspect.isfunction(function) else type(function).__name__
        raise TypeError(f"write it with `def`: its text goes into a file, and a {kind} has none")
    return inspect.getsource(function)


class LocalCluster:
    """Jobs {job: number of tasks}. A task runs `script`: the name of a Python file, or the text of one.

    Without a script it is a server that serves.

    It gets the flags --job_name, --task_index, one --{job}_hosts for each job, then `flags`; and TF_CONFIG,
    then `env`. `start` names the tasks to start, by default all. A later cluster of the same `name` ends
    the one before.
    """

    def __init__(self, jobs, script=SERVE, flags=(), env=(), start=None, wait=True, name="cluster"):
        self.name = name
        self.flags = list(flags)
        self.env = dict(env)
        self.folder = tempfile.mkdtemp(dir=helper.folder)
        self.tasks = [f"{job}/{index}" for job, count in jobs.items() for index in range(count)]
        ports = free_ports(len(self.tasks))
        self.address = {
            task: f"127.0.0.1:{port}" for task, port in zip(self.tasks, ports, strict=True)
        }
        self.spec = {
            job: [self.address[f"{job}/{index}"] for index in range(count)]
            for job, count in jobs.items()
        }
        if script.endswith(".py"):
            script = pathlib.Path(script).read_text()
        pathlib.Path(self.folder, "task.py").write_text(script)
        try:
            self.close()
            self.start(*(self.tasks if start is None else start), wait=wait)
        except BaseException:
            self.close()
            raise

    def config(self, task):
        """The TF_CONFIG of a task, as text."""
        job, index = task.split("/")
        return json.dumps({"cluster": self.spec, "task": {"type": job, "index": int(index)}})

    def start(self, *tasks, env=(), wait=True, seconds=90):
        """Start tasks, or start them again, with more of `env`; wait until they answer, unless told not to."""
        hosts = [f"--{job}_hosts={','.join(addresses)}" for job, addresses in self.spec.items()]
        for task in tasks:
            job, index = task.split("/")
            script = f"{self.folder}/task.py"
            argv = [script, f"--job_name={job}", f"--task_index={index}", *hosts, *self.flags]
            variables = {"TF_CONFIG": self.config(task), **self.env, **dict(env)}
            log = f"{self.folder}/{job}-{index}.log"
            helper.ask("start", f"{self.name}:{task}", argv, variables, log)
        if wait:
            self.wait(*tasks, seconds=seconds)

    def wait(self, *tasks, until="answers", seconds=90):
        """Wait until each of the tasks "answers" or has "ended"; where one cannot or does not, raise ClusterError."""
        deadline = time.monotonic() + seconds
        for task in tasks:
            while not (now := self.state(task)).startswith(until):
                over = time.monotonic() > deadline
                if over or now.startswith(("ended", "killed")):
                    raise ClusterError(
                        f"{task}: {now}; expected: {until}. Its log ends with:\n{self.log(task)[-800:]}"
                    )
                time.sleep(0.02)

    def state(self, task):
        """One of "answers", "runs, no answer" (it does not listen), "connects, no answer" (the system
        accepts, the task says nothing), "cannot be reached", "killed by signal 9", "ended with 0",
        "not started"."""
        process, code = helper.ask("look", "").get(f"{self.name}:{task}", (0, 0))
        return in_words(process, code, self.address[task].split(":")[1])

    def process_id(self, task):
        """The number that the system gave to the task's process."""
        return helper.ask("look", "")[f"{self.name}:{task}"][0]

    def alive(self):
        """{task: its state}."""
        return {task: self.state(task) for task in self.tasks}

    def each(self, do, tasks):
        for task in tasks:
            helper.ask(do, f"{self.name}:{task}")

    def kill(self, *tasks):
        """End processes at once. Their machine lives, and closes their connections."""
        self.each("kill", tasks)

    def freeze(self, *tasks):
        """Stop processes where they are (SIGSTOP), as a machine without free memory may. They are not dead."""
        if sys.platform == "win32":
            raise ClusterError("Windows has no signal that makes a process stand still.")
        self.each("freeze", tasks)

    def thaw(self, *tasks):
        """Let frozen processes go on (SIGCONT)."""
        self.each("thaw", tasks)

    def cut_off(self, *tasks):
        """Throw away all that is sent to these tasks, as a broken network does (Linux only).

        Returns when a new connection gets no reply.
        """
        if sys.platform != "linux":
            raise ClusterError("Only on Linux can a task be cut off without an administrator.")
        self.each("cut_off", tasks)
        self.wait(*tasks, until="cannot be reached", seconds=10)

    def reconnect(self, *tasks):
        """The end of `cut_off`; returns when the tasks answer."""
        self.each("reconnect", tasks)
        self.wait(*tasks, seconds=20)

    def close(self):
        """End all tasks of clusters with this name."""
        for known in helper.ask("look", ""):
            name, _, task = known.partition(":")
            if name == self.name:
                self.kill(task)

    def target(self, task):
        """What a session takes to talk to this task."""
        return f"grpc://{self.address[task]}"

    def log(self, task):
        """All that the task has printed; nothing as long as it has only been told to start."""
        path = pathlib.Path(self.folder, f"{task.replace('/', '-')}.log")
        return path.read_text(errors="replace") if path.exists() else ""

    def printed(self, task):
        """What the task's own program has printed: the log without TensorFlow's lines."""
        lines = self.log(task).splitlines()
        own = [line for line in lines if not re.match(r"[IWEF]\d{4} |WARNING: All log", line)]
        return "\n".join(own)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
