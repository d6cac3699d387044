# score:    0/10
# says:     The file is not a notebook
# survives: grader, others, machine
# why:      a gigabyte of zeros, compressed, under the notebook's name

import gzip


def make(folder, lesson, right):
    with gzip.open(folder / f"{lesson.name}.ipynb", "wb") as file:
        for _ in range(1024):
            file.write(bytes(1 << 20))
