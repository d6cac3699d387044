# @title Cluster processes (run this; open it to see how it works)
"""Keeps the program of `cluster_helper` at work, gives it requests, finds free ports, asks ports."""

import atexit
import itertools
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

from solutions._shared.cluster_helper import HELPER

PATIENCE = 1.5  # seconds that a living task may take to answer
ENDED = "The program that starts tasks has ended. Run the cell 'Helpers' again."


class ClusterError(RuntimeError):
    """Says which task is not as it should be, with the end of its log."""


class Helper:
    """The helper program; it starts when it is first needed.

    Its folder holds the tasks' scripts and logs, and goes when the program goes.
    """

    def __init__(self):
        self.lock = threading.Lock()
        self.numbers = itertools.count()
        self.process = None
        self.ended = False
        self.own_folder = None

    @property
    def folder(self):
        """A folder for files that the tasks share; it is there as long as the helper."""
        self.begin()
        return self.own_folder

    def begin(self):
        """Start the program, unless it was started already. It takes seconds until it answers."""
        if self.ended:
            raise ClusterError(ENDED)
        if self.process:
            return
        self.own_folder = tempfile.mkdtemp(prefix="cluster-")
        program = pathlib.Path(self.own_folder, "helper.py")
        program.write_text(HELPER)
        with pathlib.Path(self.own_folder, "helper.log").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(program), self.own_folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
                env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"},
            )
        atexit.register(self.end)

    def ask(self, *request):
        """Send a request; returns {task: [process id, exit code or None]} of all tasks so far."""
        self.begin()
        try:
            with self.lock:
                number = next(self.numbers)
                self.process.stdin.write(json.dumps([number, *request]) + "\n")
                self.process.stdin.flush()
                while line := self.process.stdout.readline():
                    answered, tasks = json.loads(line)
                    if answered == number:
                        return tasks
                    # else nobody waited for this answer: somebody pressed stop
        except (BrokenPipeError, ValueError):  # the pipe is broken, or closed
            pass
        raise ClusterError(ENDED)

    def end(self):
        """End the program; when its input is closed, it ends all tasks and itself."""
        self.ended = True
        if not self.process:
            return
        atexit.unregister(self.end)
        try:
            self.process.stdin.close()
            self.process.wait(2)
        except (OSError, subprocess.TimeoutExpired):  # it was killed, or still imports TensorFlow
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(str(self.own_folder), ignore_errors=True)


def reached(port, seconds=PATIENCE, host="127.0.0.1"):
    """What a connection to a port meets; by default a port of this machine.

    "answers": a server greets, as every gRPC server does. "connects": the system accepts, and no
    server says a word. "refused": nobody listens. "silent": not even the system replies.
    """
    with socket.socket() as probe:
        probe.settimeout(seconds)
        try:
            probe.connect((host, int(port)))
        except TimeoutError:
            return "silent"
        except OSError:
            return "refused"
        try:
            return "answers" if probe.recv(1) else "connects"
        except OSError:
            return "connects"


def listens(port):
    """Does anybody on this machine accept connections on this port?"""
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


def free_ports(count):
    """Ports that nobody listens on, from below those that the system gives to outgoing connections."""
    candidates = random.SystemRandom().sample(range(20000, 32000), 1000)
    free = (port for port in candidates if not listens(port))
    return list(itertools.islice(free, count))


def in_words(process, code, port):
    """The state of a task, from its process id (0: none), its exit code (None: it runs) and its port."""
    if not process:
        return "not started"
    if code is not None:
        return f"killed by signal {-code}" if code < 0 else f"ended with {code}"
    return {
        "answers": "answers",
        "refused": "runs, no answer",
        "connects": "connects, no answer",
        "silent": "cannot be reached",
    }[reached(port)]


if "helper" in globals():  # this cell ran before
    globals()["helper"].end()
helper = Helper()
