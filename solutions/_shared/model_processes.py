#@title Model processes (run this; open it to see how it works)
# Starts one process that holds queues, and one process per model that reads from them: real processes, real gRPC.
import contextlib, json, os, subprocess, sys, tempfile, types
import psutil

PLAYERS = '''
import json, multiprocessing, os, sys
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
sys.modules.update(dict.fromkeys(["matplotlib", "scipy", "sklearn"]))  # Keras would load them: a third of the start
import tensorflow as tf

def queues(model, v1=tf.compat.v1):
    """The two queues of a model. `shared_name` is how all processes find the same queue."""
    kind = lambda way: tf.queue.FIFOQueue(3, [tf.int32, tf.float32], shapes=[(), (2,)], shared_name=f"{model}/{way}")
    return kind("inputs"), kind("predictions")

def play_model(model, weights, address):
    """Take an input, multiply it by the weights in this process, put the prediction; until the process is ended."""
    target, v1 = address.recv(), tf.compat.v1
    with tf.Graph().as_default():
        inputs, predictions = queues(model)
        number, x = v1.placeholder(tf.int32, []), v1.placeholder(tf.float32, [2])
        take, put = inputs.dequeue(), predictions.enqueue([number, x])
        with v1.Session(target) as session:
            while True:
                step, value = session.run(take)
                session.run(put, {number: step, x: value @ weights})

if __name__ == "__main__":
    started, way = {}, multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    for model, weights in json.loads(sys.argv[1]).items():  # before the server: a fork after TensorFlow has run hangs
        mine, theirs = way.Pipe()
        started[model] = way.Process(target=play_model, args=(model, weights, theirs), daemon=True), mine
        started[model][0].start()
    server = tf.distribute.Server({"queues": ["localhost:0"]}, job_name="queues", task_index=0)
    [address.send(server.target) for _, address in started.values()]
    print(json.dumps([server.target, {model: process.pid for model, (process, _) in started.items()}]), flush=True)
    sys.stdin.read()  # ends when the notebook lets go, however it ends
    [process.kill() for process, _ in started.values()]
    os._exit(0)  # a server cannot be stopped: it ends with its process
'''

@contextlib.contextmanager
def model_processes(models):
    """`with model_processes({"a": 2x2 weights}) as running:` gives running.target (an address) and running.pids."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "players.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(PLAYERS)
        host = subprocess.Popen([sys.executable, script, json.dumps(models)], stdin=-1, stdout=-1, stderr=-3, text=True)
        try:
            line = host.stdout.readline()  # empty when the process has ended
            if not line:
                raise RuntimeError("The process that holds the queues ended at once. Run this cell again.")
            yield types.SimpleNamespace(**dict(zip(("target", "pids"), json.loads(line))))
        finally:
            family = [host, *psutil.Process(host.pid).children(recursive=True)] if host.poll() is None else []
            for process in reversed(family):
                process.kill()  # also one that is frozen
            host.wait()
            host.stdin.close(), host.stdout.close()
