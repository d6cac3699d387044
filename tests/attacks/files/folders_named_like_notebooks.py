# score:    7/10
# survives: grader, others
# why:      hundreds of folders, pipes and links beside it that are named like notebooks

import os

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    for number in range(400):
        (folder / f"a{number}.ipynb").mkdir()
    os.mkfifo(folder / "b.ipynb")
    (folder / "c.ipynb").symlink_to(folder)
