# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      a time that no calendar of Python's has

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").write_text("99999-01-01 10:00:00 UTC")
