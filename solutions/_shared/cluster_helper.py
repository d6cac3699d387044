#@title Cluster helper (run this; open it to see how it works)
# A small program that imports TensorFlow once, then starts each task of a cluster as a copy (a fork) of itself: that takes
# a tenth of a second, not the seconds of an import. It ends all tasks when the notebook ends, however that ends.
HELPER = r"""import ctypes, gc, json, os, runpy, shutil, signal, subprocess, sys, traceback

class Fork:  # used like subprocess.Popen
    def __init__(self, argv, env, log):
        self.returncode, parent, self.pid = None, os.getpid(), os.fork()
        if self.pid == 0:
            os._exit(self.run(argv, env, log, parent))

    def run(self, argv, env, log, parent):
        try:
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # end when the parent ends
            if os.getppid() != parent:
                return 1
            for number, name, how in ((0, os.devnull, "r"), (1, log, "a"), (2, log, "a")):
                with open(name, how) as file:
                    os.dup2(file.fileno(), number)
            os.close(answers.fileno())
            sys.stdout, sys.stderr = (open(number, "w", buffering=1, closefd=False) for number in (1, 2))
            os.environ.update(env)
            sys.argv = argv
            runpy.run_path(argv[0], run_name="__main__")
            return 0
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
            return 1

    def poll(self, options=getattr(os, "WNOHANG", 0)):
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    wait, kill = lambda self: self.poll(0), lambda self: self.poll() is None and os.kill(self.pid, signal.SIGKILL)

def start(argv, env, log):
    if sys.platform == "linux":
        return Fork(argv, env, log)
    with open(log, "a") as file:  # elsewhere such a fork is not safe: a new Python
        return subprocess.Popen([sys.executable, *argv], env={**os.environ, **env}, stdin=subprocess.DEVNULL, stdout=file, stderr=file)

tasks, answers = {}, os.fdopen(os.dup(1), "w")  # what TensorFlow prints must not get between the answers
os.dup2(2, 1)
try:
    if sys.platform == "linux":
        spared = dict.fromkeys(["matplotlib", "scipy", "sklearn"])  # Keras would load them too: a third of the time
        sys.modules.update(spared)
        import tensorflow
        [sys.modules.pop(name) for name in spared]  # a task that imports them gets them
        gc.freeze()  # tasks share what was imported: their garbage collection leaves it alone
    for number, do, name, *rest in map(json.loads, sys.stdin):  # one request a line; no more when the notebook has ended
        if name in tasks and do in ("start", "kill"):
            tasks[name].kill(), tasks[name].wait()
        if do == "start":
            tasks[name] = start(*rest)
        print(json.dumps([number, {name: [task.pid, task.poll()] for name, task in tasks.items()}]), file=answers, flush=True)
finally:
    [task.kill() for task in tasks.values()], [task.wait() for task in tasks.values()]
    shutil.rmtree(sys.argv[1], ignore_errors=True)
"""
