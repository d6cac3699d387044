# score:    7/10
# says:     was taken, as it is the only notebook
# survives: grader, others
# why:      a single notebook whose name is no text, and has markup and a terminal's codes in it

import os

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    odd = b"/\xff<img src=x onerror=attack>\x1b]0;attack\x07[red]\n=1+1.ipynb"
    os.rename(folder / f"{lesson.name}.ipynb", os.fsencode(folder) + odd)  # noqa: PTH104
