# score:    7/10
# survives: grader, others
# why:      beside it folders whose names are bytes of another encoding, as in archives made on Windows

import os
from pathlib import Path

from tests.attacks.suite import write

NAMES = [b"J\xf6rg", b"\xff\xfe", b"\x00x"[1:] + b"\x80"]


def make(folder, lesson, right):
    write(folder, lesson, right)
    for name in NAMES:
        beside = Path(os.fsdecode(os.fsencode(folder.parent.parent) + b"/" + name), lesson.name)
        beside.mkdir(parents=True)
        write(beside, lesson, right)
    return dict.fromkeys(map(os.fsdecode, NAMES), None)
