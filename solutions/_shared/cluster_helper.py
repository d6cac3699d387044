# @title Cluster helper (run this; open it to see how it works)
"""The program that starts the tasks of a cluster. It is a text, since it runs in a process of its own.

It imports TensorFlow once and then starts each task as a copy (a fork) of itself: that takes a tenth of
a second instead of the seconds of an import. It ends all tasks when the notebook ends, however that ends.
"""

HELPER = r'''
"""Starts, freezes, cuts off and ends the tasks of a cluster, as the lines of its input ask."""

import contextlib
import ctypes
import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import traceback

LINUX = sys.platform == "linux"
NO_WAIT = getattr(os, "WNOHANG", 0)
ATTACH_FILTER, DETACH_FILTER = 26, 27  # options of a Linux socket, without names in Python
TAKE, THROW_AWAY = (0x06, 0, 0, 0xFFFFFFFF), (0x06, 0, 0, 0)


def only_if(load, where, value, steps_to_no):
    """Two rows of a packet filter: load a part of a packet; where it is not `value`, go to "no"."""
    return [(load, 0, 0, where), (0x15, 0, steps_to_no, value)]


# Rows of a filter: (code, steps if true, steps if false, number); 0x20 loads four bytes, 0x30 one.
PROTOCOL, NETWORK_HEADER = 0xFFFFF000, 0xFFF00000
FROM_127 = [*only_if(0x20, PROTOCOL, 0x0800, 3), *only_if(0x30, NETWORK_HEADER + 12, 127, 1), TAKE]
FROM_ONE = [  # the address ::1, in four parts
    *only_if(0x20, PROTOCOL, 0x86DD, 9),
    *only_if(0x20, NETWORK_HEADER + 8, 0, 7),
    *only_if(0x20, NETWORK_HEADER + 12, 0, 5),
    *only_if(0x20, NETWORK_HEADER + 16, 0, 3),
    *only_if(0x20, NETWORK_HEADER + 20, 1, 1),
    TAKE,
]
FROM_HERE = [*FROM_127, *FROM_ONE, THROW_AWAY]
FROM_NOBODY = [THROW_AWAY]


def tcp_sockets():
    """This process's TCP sockets, open for the length of one round of a loop each."""
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.stat(f"/proc/self/fd/{name}").st_mode):
                with socket.socket(fileno=os.dup(int(name))) as found:
                    internet = found.family in (socket.AF_INET, socket.AF_INET6)
                    if internet and found.type == socket.SOCK_STREAM:
                        yield found


def listening(found):
    return found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)


def let_in(found, rows):
    """From now on the system gives this socket only those packets that the filter takes."""
    packed = b"".join(struct.pack("HBBI", *row) for row in rows)
    kept = ctypes.create_string_buffer(packed)
    program = struct.pack("HP", len(rows), ctypes.addressof(kept))
    found.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, program)


class Door(threading.Thread):
    """Runs in each task. Its servers hear this machine only; while the task is cut off, nobody."""

    def __init__(self, orders):
        super().__init__(daemon=True)
        self.orders = orders
        self.cut_off = False
        self.found = False

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                self.set_filters()
                pause = 0.02 if self.cut_off or not self.found else 0.5
                if select.select([self.orders], [], [], pause)[0]:
                    self.cut_off = os.read(self.orders, 1) == b"c"
                    if not self.cut_off:
                        self.open_again()

    def set_filters(self):
        for found in tcp_sockets():
            if self.cut_off:
                let_in(found, FROM_NOBODY)
            elif listening(found):
                let_in(found, FROM_HERE)
                self.found = True

    def open_again(self):
        """The end of being cut off: connections hear again."""
        for found in tcp_sockets():
            if not listening(found):
                with contextlib.suppress(OSError):  # it was opened after the task was cut off
                    found.setsockopt(socket.SOL_SOCKET, DETACH_FILTER, 0)


class Fork:
    """A task that is a copy of this process; used like a subprocess.Popen."""

    def __init__(self, argv, env, log):
        self.returncode = None
        orders, self.orders = os.pipe()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            os._exit(self.run(argv, env, log, parent, orders))
        os.close(orders)

    def run(self, argv, env, log, parent, orders):
        try:
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # end when the parent ends
            if os.getppid() != parent:
                return 1
            for number, name, how in ((0, os.devnull, "r"), (1, log, "a"), (2, log, "a")):
                with open(name, how) as file:
                    os.dup2(file.fileno(), number)
            os.close(answers.fileno())
            sys.stdout = open(1, "w", buffering=1, closefd=False)
            sys.stderr = open(2, "w", buffering=1, closefd=False)
            os.environ.update(env)
            Door(orders).start()
            sys.argv = argv
            runpy.run_path(argv[0], run_name="__main__")
            return 0
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
            return 1

    def poll(self, options=NO_WAIT):
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
            if pid:
                os.close(self.orders)
        return self.returncode

    def wait(self):
        return self.poll(0)

    def kill(self):
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def tell_door(self, order):
        if self.poll() is None:
            os.write(self.orders, order)


def start(argv, env, log):
    if LINUX:
        return Fork(argv, env, log)
    with open(log, "a") as file:  # elsewhere such a fork is not safe: a new Python
        return subprocess.Popen(
            [sys.executable, *argv],
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )


def act(do, name, rest):
    """Do what one line of the input asks: start, kill, freeze, thaw, cut_off, reconnect or look."""
    task = tasks.get(name)
    if task and do in ("start", "kill"):
        task.kill()
        task.wait()
    if do == "start":
        tasks[name] = start(*rest)
    if task and do == "freeze" and task.poll() is None:
        os.kill(task.pid, signal.SIGSTOP)
        if LINUX:  # until each of its threads stands still, or it has ended
            os.waitid(os.P_PID, task.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    if task and do == "thaw" and task.poll() is None:
        os.kill(task.pid, signal.SIGCONT)
    if task and do in ("cut_off", "reconnect"):
        task.tell_door(b"c" if do == "cut_off" else b"r")


def import_tensorflow():
    """Without what Keras would load too (a third of the time); a task that imports that gets it."""
    spared = dict.fromkeys(["matplotlib", "scipy", "sklearn"])
    sys.modules.update(spared)
    import tensorflow  # noqa: F401

    for name in spared:
        sys.modules.pop(name)
    gc.freeze()  # tasks share what was imported: their garbage collection leaves it alone


tasks = {}
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what TensorFlow prints must not get between the answers
try:
    if LINUX:
        import_tensorflow()
    for line in sys.stdin:  # one request a line; no more when the notebook has ended
        number, do, name, *rest = json.loads(line)
        act(do, name, rest)
        state = {name: [task.pid, task.poll()] for name, task in tasks.items()}
        print(json.dumps([number, state]), file=answers, flush=True)
finally:
    for task in tasks.values():
        task.kill()
    for task in tasks.values():
        task.wait()
    shutil.rmtree(sys.argv[1], ignore_errors=True)
'''.lstrip()
