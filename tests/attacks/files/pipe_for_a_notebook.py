# score:    0/10
# says:     is a pipe; it was not read
# survives: grader, others
# why:      instead of the notebook a pipe that nobody writes to, and a folder of a notebook's name

import os


def make(folder, lesson, right):
    os.mkfifo(folder / f"{lesson.name}.ipynb")
    (folder / "other.ipynb").mkdir()
