# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      a folder where the time of handing in should be

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").mkdir()
