# score:    7/10
# survives: grader, others
# why:      beside it folders whose names are markup for a terminal, a page or a template

import os
from pathlib import Path

from tests.attacks.suite import write

NAMES = [b"[conceal]aa", b"[blink]", b"<script>attack()<", b"{{ 7*7 }}", b":warning:", b"$(attack)"]


def make(folder, lesson, right):
    write(folder, lesson, right)
    for name in NAMES:
        beside = Path(os.fsdecode(os.fsencode(folder.parent.parent) + b"/" + name), lesson.name)
        beside.mkdir(parents=True)
        write(beside, lesson, right)
    return dict.fromkeys(map(os.fsdecode, NAMES), 7.0)
