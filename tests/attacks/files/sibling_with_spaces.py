# score:    7/10
# survives: grader, others
# why:      beside it folders whose names begin or end with a space

import os
from pathlib import Path

from tests.attacks.suite import write

NAMES = [b" aa-honest", b"aa-honest ", b" "]


def make(folder, lesson, right):
    write(folder, lesson, right)
    for name in NAMES:
        beside = Path(os.fsdecode(os.fsencode(folder.parent.parent) + b"/" + name), lesson.name)
        beside.mkdir(parents=True)
        write(beside, lesson, right)
    return dict.fromkeys(map(os.fsdecode, NAMES), None)
