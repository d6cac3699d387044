# score:    7/10
# survives: grader, others
# why:      beside it folders whose names a spreadsheet would run, also in wide forms

import os
from pathlib import Path

from tests.attacks.suite import write

NAMES = [b"=cmd|' attack'!A0", "＝cmd".encode(), "﹢1+1".encode(), b"@SUM(1+1)", b"-1+1"]


def make(folder, lesson, right):
    write(folder, lesson, right)
    for name in NAMES:
        beside = Path(os.fsdecode(os.fsencode(folder.parent.parent) + b"/" + name), lesson.name)
        beside.mkdir(parents=True)
        write(beside, lesson, right)
    return dict.fromkeys(map(os.fsdecode, NAMES), 7.0)
