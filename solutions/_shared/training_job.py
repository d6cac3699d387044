#@title Training job (run this; open it to see how it works)
# The parts of the training program that are not about replication: flags, data, network, and how it starts its tasks.
JOB = r'''import argparse, contextlib, importlib.util, json, logging, os, random, socket, subprocess, sys, tempfile, threading, time
import numpy as np
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
parser = argparse.ArgumentParser(description="Train on a cluster. Without --job_name: start a process for each task.")
for name, default in dict(job_name="", task_index=0, ps_hosts="", worker_hosts="", ps=1, workers=3, data="digits", folder="",
                          steps=400, batch=50, rate=1e-3, decay=100, sync=0, deadline=60, limit=600, follow=0).items():
    parser.add_argument(f"--{name}", type=type(default), default=default, help=f"default: {default!r}")
me = parser.parse_args()

def load(name):
    """Training pictures, labels, test pictures, labels; name: digits, mnist (Keras downloads it) or a .npz file."""
    if name == "digits":
        folder = importlib.util.find_spec("sklearn").submodule_search_locations[0]  # its file, without importing it
        table = np.loadtxt(f"{folder}/datasets/data/digits.csv.gz", delimiter=",")
        x, y = table[:, :-1], table[:, -1]
        order = np.random.RandomState(0).permutation(len(x))
        x, y = x[order].reshape(-1, 8, 8), y[order]
        parts = x[:1500], y[:1500], x[1500:], y[1500:]
    elif name == "mnist":
        parts = sum(tf.keras.datasets.mnist.load_data(), ())
    else:
        with np.load(name) as file:
            parts = [file[key] for key in ("x_train", "y_train", "x_test", "y_test")]
    return [np.float32(p[..., None] / parts[0].max()) if p.ndim == 3 else np.int32(p) for p in parts]

def tell_errors(note):
    """MonitoredSession logs each error that it survives: note its class."""
    def filter(record):
        told = [note(error=type(arg).__name__) for arg in record.args or () if isinstance(arg, tf.errors.OpError)]
        return not told and record.levelno >= logging.WARNING
    v1.logging.set_verbosity(v1.logging.INFO), tf.get_logger().addFilter(filter)

def launch(folder):
    """Start a process for each task; wait until all have ended, or one has failed, or the limit is over. Returns 0 if all is well."""
    ports = random.SystemRandom().sample(range(20000, 32000), 1000)  # below those that outgoing connections get
    free = (port for port in ports if socket.socket().connect_ex(("127.0.0.1", port)))  # nobody answers there
    at, running = [f"127.0.0.1:{next(free)}" for _ in range(me.ps + me.workers)], {}
    hosts = [f"--ps_hosts={','.join(at[:me.ps])}", f"--worker_hosts={','.join(at[me.ps:])}", f"--folder={folder}", "--follow=1"]
    try:
        for task in [f"ps {i}" for i in range(me.ps)] + [f"worker {i}" for i in range(me.workers)]:
            role = [f"--job_name={task.split()[0]}", f"--task_index={task.split()[1]}"]
            with open(f"{folder}/{task.replace(' ', '-')}.log", "w") as log:
                running[task] = subprocess.Popen([sys.executable, *sys.argv, *role, *hosts], stdin=subprocess.PIPE, stderr=log)
        deadline = time.monotonic() + me.limit
        while any(process.poll() is None for process in running.values()):
            if bad := [task for task, process in running.items() if process.poll()]:
                log = open(f"{folder}/{bad[0].replace(' ', '-')}.log").read()
                return f"{bad[0]} ended with {running[bad[0]].returncode}. Its log ends with:\n{log[-1000:]}"
            if time.monotonic() > deadline:
                return f"after {me.limit} s the job has not ended"
            time.sleep(0.1)
    finally:
        [process.kill() for process in running.values()], [process.wait() for process in running.values()]

def follow():
    """End this task when the launcher has ended, however that went."""
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
'''
