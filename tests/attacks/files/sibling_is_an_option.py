# score:    7/10
# survives: grader, others
# why:      beside it folders whose names are a command's options, a number, a word of Python's

import os
from pathlib import Path

from tests.attacks.suite import write

NAMES = [b"--help", b"--student=aa-honest", b"0", b"None", b"nan", b"a,b", b"aa-honest.json", b"aa+honest"]


def make(folder, lesson, right):
    write(folder, lesson, right)
    for name in NAMES:
        beside = Path(os.fsdecode(os.fsencode(folder.parent.parent) + b"/" + name), lesson.name)
        beside.mkdir(parents=True)
        write(beside, lesson, right)
    return dict.fromkeys(map(os.fsdecode, NAMES), 7.0)
