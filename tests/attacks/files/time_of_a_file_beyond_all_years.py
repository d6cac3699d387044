# score:    7/10
# survives: grader, others
# why:      its notebook was last changed in a year that no calendar has, and was handed in long before

import os

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").write_text("1999-01-01 10:00 UTC")
    os.utime(folder / f"{lesson.name}.ipynb", (10**15, 10**15))
