"""Starts the program of lesson 04 that holds queues and runs models as processes, and ends it."""

import contextlib
import json
import subprocess
import sys
import types

import psutil


def end_family(host):
    """Kill a process and all that it started, also those that are frozen."""
    family = [host]
    if host.poll() is None:
        family += psutil.Process(host.pid).children(recursive=True)
    for process in reversed(family):
        process.kill()
    host.wait()


@contextlib.contextmanager
def model_processes(program, models):
    """Run a program with the models' weights; `running` has its address and the models' pids.

    `program` is a Python file. It gets {"a": 2x2 weights, …} as JSON in its first argument, prints
    one line of JSON, [address, {"a": pid, …}], and runs until its standard input ends.
    """
    command = [sys.executable, program, json.dumps(models)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as host:
        try:
            line = host.stdout.readline()  # empty when the process has ended
            if not line:
                raise RuntimeError(
                    f"The process that holds the queues ended at once. Run `python {program}` in "
                    "a terminal to see why."
                )
            target, pids = json.loads(line)
            yield types.SimpleNamespace(target=target, pids=pids)
        finally:
            end_family(host)
