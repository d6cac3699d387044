# score:    7/10
# survives: grader, others
# why:      beside it folders whose names begin with the end of a line, or have one within

import os
from pathlib import Path

from tests.attacks.suite import write

NAMES = [b"\naa-honest", b"zz\nhonest", b"\r", b"mm-honest\n"]


def make(folder, lesson, right):
    write(folder, lesson, right)
    for name in NAMES:
        beside = Path(os.fsdecode(os.fsencode(folder.parent.parent) + b"/" + name), lesson.name)
        beside.mkdir(parents=True)
        write(beside, lesson, right)
    return dict.fromkeys(map(os.fsdecode, NAMES), None)
