# score:    7/10
# survives: grader, others
# why:      beside it folders whose names tell a terminal what to do

import os
from pathlib import Path

from tests.attacks.suite import write

NAMES = [b"\x1b]0;attack\x07", b"\x1b[2J", b"\x9b2J", b"\x07\x08"]


def make(folder, lesson, right):
    write(folder, lesson, right)
    for name in NAMES:
        beside = Path(os.fsdecode(os.fsencode(folder.parent.parent) + b"/" + name), lesson.name)
        beside.mkdir(parents=True)
        write(beside, lesson, right)
    return dict.fromkeys(map(os.fsdecode, NAMES), None)
