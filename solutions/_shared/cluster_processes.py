#@title Cluster processes (run this; open it to see how it works)
# Keeps the program of the cell above at work, gives it requests, and finds free ports.
import atexit, itertools, json, os, random, shutil, socket, subprocess, sys, tempfile, threading
from solutions._shared.cluster_helper import HELPER

class ClusterError(RuntimeError):
    """Says which task is not as it should be, with the end of its log."""

class Helper:
    """The helper program. It has a folder for the tasks' scripts and logs, which goes when it goes."""
    def __init__(self):
        self.folder, self.lock, self.numbers = tempfile.mkdtemp(prefix="cluster-"), threading.Lock(), itertools.count()
        with open(f"{self.folder}/helper.py", "w") as program, open(f"{self.folder}/helper.log", "w") as log:
            print(HELPER, file=program, flush=True)
            self.process = subprocess.Popen(
                [sys.executable, program.name, self.folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                text=True, start_new_session=True, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"})
        atexit.register(self.end)

    def ask(self, *request):
        """Send a request; returns {task: [process id, exit code or None]} of all tasks so far."""
        try:
            with self.lock:
                number = next(self.numbers)
                self.process.stdin.write(json.dumps([number, *request]) + "\n")
                self.process.stdin.flush()
                while line := self.process.stdout.readline():
                    if json.loads(line)[0] == number:  # else an answer that nobody waited for: somebody pressed stop
                        return json.loads(line)[1]
        except (BrokenPipeError, ValueError): pass  # the pipe is broken, or closed
        raise ClusterError("The program that starts tasks has ended. Run the cell 'Cluster processes' again.")

    def end(self):  # it ends its tasks and itself when its input is closed
        atexit.unregister(self.end)
        try:
            self.process.stdin.close(), self.process.wait(2)
        except (OSError, subprocess.TimeoutExpired):  # it was killed, or still imports TensorFlow
            self.process.kill(), self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

def listens(port):
    """Does anybody on this machine answer on this port?"""
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex(("127.0.0.1", int(port))) == 0

def free_ports(count):
    """`count` ports that nobody listens on, from below those that the system gives to outgoing connections."""
    candidates = random.SystemRandom().sample(range(20000, 32000), 1000)
    return list(itertools.islice((port for port in candidates if not listens(port)), count))

def in_words(process, code, port):
    """The state of a task, from its process id (0: none), its exit code (None: it runs) and its port."""
    if not process or code is not None:
        return "not started" if not process else f"killed by signal {-code}" if code < 0 else f"ended with {code}"
    return "answers" if listens(port) else "runs, no answer"

if "helper" in globals():  # this cell ran before
    globals()["helper"].end()
helper = Helper()
