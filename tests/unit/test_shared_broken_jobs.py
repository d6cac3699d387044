"""What lesson 11's drill prints of a job, without running one."""

from __future__ import annotations

import random

from solutions._shared import broken_jobs
from solutions._shared.broken_jobs import BrokenJob

LOGS = [
    "start as 0\nI0000 TensorFlow's own line\nstep 5 in, row 12\nstep 5 out\nend\n",
    'start as 1\nstep 5 in, row 13\nInvalidArgumentError\n{grpc_message:"Shape mismatch in the collective 7"}\n',
    "start as 2\n",
]
JOB = BrokenJob("other shape", 1, LOGS, ["ended with 0", "ended with 1", "answers"], [0, 1, 2], ["0", "1"])


def test_the_workers_own_lines_stand_side_by_side(capsys):
    JOB.show()
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["worker/0", "worker/1", "worker/2"],
        ["start", "as", "0", "start", "as", "1", "start", "as", "2"],
        ["step", "5", "in,", "row", "12", "step", "5", "in,", "row", "13"],
        ["step", "5", "out", "InvalidArgumentError"],
        ["end"],
    ]


def test_the_proof_has_states_indices_checkpoints_and_the_errors_words(capsys):
    JOB.prove()
    assert capsys.readouterr().out.splitlines() == [
        "  processes: ended with 0 | ended with 1 | answers",
        "  indices in TF_CONFIG: 0, 1, 2",
        "  checkpoints: 0, 1",
        "  TensorFlow's words: Shape mismatch in the collective 7",
    ]


def test_three_causes_differ_and_worker_0_never_has_one(monkeypatch):
    monkeypatch.setattr(broken_jobs, "broken_job", lambda script, cause, worker: (script, cause, worker))
    for seed in range(20):
        drawn = broken_jobs.broken_jobs("night.py", random.Random(seed))
        assert len({cause for _, cause, _ in drawn}) == 3 and {worker for _, _, worker in drawn} <= {1, 2}


def test_windows_which_cannot_freeze_draws_no_frozen_worker(monkeypatch):
    monkeypatch.setattr(broken_jobs, "broken_job", lambda script, cause, worker: cause)
    monkeypatch.setattr(broken_jobs.sys, "platform", "win32")
    assert all("frozen" not in broken_jobs.broken_jobs("night.py", random.Random(seed)) for seed in range(20))
