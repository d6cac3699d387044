# @title Broken jobs (run this; open it after you have answered)
"""Draws three of five causes, runs a job that has each, and keeps what is needed for a proof."""

import dataclasses
import json
import pathlib
import random
import re
import sys
import tempfile
import time

from solutions._shared.cluster_processes import ClusterError
from solutions._shared.local_cluster import LocalCluster

ENDING = {  # for each cause: how many of the three processes end by themselves
    "frozen": 2,
    "one step short": 3,
    "other shape": 3,
    "same index": 1,
    "one folder": 3,
}
OWN_LINE = re.compile(r"start as |step \d+ (?:in|out)|\w+Error$|end$")
ERROR_WORDS = re.compile(
    r"Shape mismatch in[^\"\n]{,60}|Could not start gRPC server|Collective has timed out"
)


@dataclasses.dataclass
class BrokenJob:
    """What is known of a job in its second life, and what was wrong in it."""

    cause: str
    worker: int
    logs: list  # of each worker: all that it wrote
    states: list
    indices: list  # what each was told in TF_CONFIG
    saved: list  # names of checkpoints

    def own_lines(self):
        """For each worker a list of what its program printed, and, if a signal ended it, which."""
        lines = [[line for line in log.splitlines() if OWN_LINE.match(line)] for log in self.logs]
        for own, state in zip(lines, self.states, strict=True):
            own += [state] if state.startswith("killed") else []
        return lines

    def show(self):
        """Print the workers' lines side by side."""
        columns = self.own_lines()
        print(" ".join(f"{f'worker/{index}':24}" for index in range(3)).rstrip())
        for number in range(max(map(len, columns))):
            cells = [lines[number] if number < len(lines) else "" for lines in columns]
            print(" ".join(f"{cell:24}" for cell in cells).rstrip())

    def prove(self):
        """Print what the logs do not show."""
        print("  processes:", " | ".join(self.states))
        print("  indices in TF_CONFIG:", ", ".join(map(str, self.indices)))
        print("  checkpoints:", ", ".join(self.saved))
        words = sorted(set(ERROR_WORDS.findall("\n".join(self.logs))))
        print("  TensorFlow's words:", " | ".join(words) if words else "none")


def second_life(log):
    """The part of a log from its last start on."""
    return "start as " + log.rpartition("start as ")[2]


def count_ended(tasks):
    """How many have ended."""
    return sum(state.startswith(("ended", "killed")) for state in tasks.alive().values())


def wait_for_both_lives(tasks, ending):
    """Wait until all have started twice and so many have ended."""
    deadline = time.monotonic() + 60
    while True:
        starts = [tasks.log(task).count("start as ") for task in tasks.tasks]
        if min(starts) == 2 and count_ended(tasks) >= ending:
            return
        if time.monotonic() > deadline:
            raise ClusterError(f"the job does not end as it should: {tasks.alive()}")
        time.sleep(0.05)


def broken_job(script, cause, worker):
    """Run two lives of a job of three; in the second, `cause` is wrong, in `worker` or in all.

    Args:
        script: name of the job's program.
        cause: one of ENDING.
        worker: 1 or 2.
    Returns:
        BrokenJob.
    """
    folder = tempfile.mkdtemp()
    env = {"FOLDER": folder, "FAULT": cause if cause == "one folder" else ""}
    with LocalCluster({"worker": 3}, script, env=env, wait=False, name="broken") as tasks:
        tasks.wait(*tasks.tasks, until="ended", seconds=60)
        configs = [json.loads(tasks.config(task)) for task in tasks.tasks]
        if cause == "same index":
            configs[worker]["task"]["index"] = (worker + 1) % 3
        for index, config in enumerate(configs):
            own = {"FAULT": cause} if index == worker else {}
            tasks.start(f"worker/{index}", env={**own, "TF_CONFIG": json.dumps(config)}, wait=False)
        wait_for_both_lives(tasks, ENDING[cause])
        return BrokenJob(
            cause,
            worker,
            [second_life(tasks.log(task)) for task in tasks.tasks],
            list(tasks.alive().values()),
            [config["task"]["index"] for config in configs],
            sorted(path.stem for path in pathlib.Path(folder).glob("*.index")),
        )


def broken_jobs(script, draw=random):
    """Three jobs with different causes, each in worker 1 or 2: without worker 0 nobody could say who is missing."""
    causes = [cause for cause in ENDING if cause != "frozen" or sys.platform != "win32"]
    return [broken_job(script, cause, draw.randrange(1, 3)) for cause in draw.sample(causes, 3)]
