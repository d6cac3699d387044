# score:    7/10
# survives: grader, others
# why:      the file with the time of handing in is a pipe that nobody writes to

import os

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    os.mkfifo(folder / "timestamp.txt")
