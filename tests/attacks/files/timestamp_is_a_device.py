# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      the time of handing in leads to a device that never ends

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").symlink_to("/dev/zero")
