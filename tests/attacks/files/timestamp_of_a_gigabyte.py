# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      a time followed by a gigabyte that takes no room on the disk

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    with (folder / "timestamp.txt").open("wb") as file:
        file.write(b"2026-01-01 10:00")
        file.truncate(10**9)
