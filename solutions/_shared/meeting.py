# @title Meeting (run this; open it to see how it works)
"""Workers of exercise 4 as threads that really wait for each other, and the lives that they lead."""

import concurrent.futures
import contextlib
import os
import shutil
import tempfile
import threading


class Meeting:
    """Where `count` workers, each a thread, agree on a flag once in each step.

    It notices when one would wait for ever, since another has ended.
    """

    def __init__(self, count, patience=30):
        self.changed = threading.Condition()
        self.brought = [[] for _ in range(count)]  # the flags that each worker has brought so far
        self.ended = [False] * count
        self.patience = patience  # seconds

    def agree(self, me, flag):
        """Whether any worker's flag of this step is true; waits for the others.

        Raises TimeoutError where some worker has ended and will not come.
        """
        with self.changed:
            self.brought[me].append(bool(flag))
            turn = len(self.brought[me])
            self.changed.notify_all()
            self.changed.wait_for(
                lambda: self.all_came(turn) or self.one_is_gone(turn), self.patience
            )
            if not self.all_came(turn):
                raise TimeoutError("waits for ever")
            return any(flags[turn - 1] for flags in self.brought)

    def all_came(self, turn):
        return all(len(flags) >= turn for flags in self.brought)

    def one_is_gone(self, turn):
        there = zip(self.brought, self.ended, strict=True)
        return any(over and len(flags) < turn for flags, over in there)

    def leave(self, me):
        """This worker has ended."""
        with self.changed:
            self.ended[me] = True
            self.changed.notify_all()


@contextlib.contextmanager
def empty_folder(name):
    """A folder that is empty, and is removed afterwards. Its path is the same each time."""
    folder = os.path.join(tempfile.gettempdir(), f"{name}-{os.getpid()}")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def between_lives(folder, another_job):
    """Let `another_job` run with an empty folder at the path of `folder`; then put back what `folder` holds.

    So a life that remembers something of its path or its rows, and does not read the folder, goes on where another
    job was.
    """
    kept = f"{folder}-kept"
    try:
        os.rename(folder, kept)
    except PermissionError:  # Windows does not, while a file in it is open
        return
    try:
        os.mkdir(folder)
        another_job()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(kept, folder)


def one_life(worker, rows, until, signals, folders):
    """Run `worker` once for each list of `rows`, all at the same time.

    Returns what each returned, and how often each called `agree`.
    `signals` has pairs [worker, step]: in that step of this life the worker is told to go.
    """
    meeting = Meeting(len(rows))
    steps = dict(signals)

    def run(me):
        def told():
            return len(meeting.brought[me]) + 1 >= steps.get(me, until + 1)

        def agree(flag):
            return meeting.agree(me, flag)

        try:
            return list(worker(list(rows[me]), until, told, agree, folders[me]))
        except TimeoutError as error:
            return [str(error)]
        finally:
            meeting.leave(me)

    with concurrent.futures.ThreadPoolExecutor(len(rows)) as threads:
        came = list(threads.map(run, range(len(rows))))
    return came, [len(flags) for flags in meeting.brought]


def make(folders):
    for folder in folders:
        os.mkdir(folder)


def some_lives(worker, rows, until, signals):
    """One life after the other, each worker with a folder of its own; before each, another job's life, this
    one's first step anew, and the other job's again.

    Returns what each worker returned in each life, whether each has a checkpoint at last, and how often each
    called `agree` in each life.
    """
    with empty_folder("workers") as home:
        folders = [os.path.join(home, f"worker-{me}") for me in range(len(rows))]

        another = [[100.0, 200.0]] * len(rows)

        def one_step(rows):
            make(folders)
            one_life(worker, rows, 2, [[0, 1]], folders)

        make(folders)
        lives = []
        for told in signals:
            for job in (another, rows, another):
                between_lives(home, lambda job=job: one_step(job))
            lives.append(one_life(worker, rows, until, told, folders))
        # a folder in it is no checkpoint yet
        saved = [any(files for _, _, files in os.walk(folder)) for folder in folders]
    return [came for came, _ in lives], saved, [calls for _, calls in lives]
