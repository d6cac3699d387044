# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      a time with NULs, and a second one behind them

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").write_bytes(b"2026-01-01 10:00\0\0 2020-01-01 10:00")
