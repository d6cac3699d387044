# score:    0/10
# says:     There are 4 notebooks
# survives: grader, others
# why:      names of files that are markup, formulas, commands, a terminal's codes or no text at all

import os

from tests.attacks.suite import write


def make(folder, lesson, right):
    names = ["<script>attack()<", "=cmd|' attack'!A0", "[red]attack[blink] $(attack) \x1b[2J\n..\\..\\x"]
    for name in names:
        write(folder, lesson, right, f"{name}.ipynb")
    with open(os.fsencode(folder) + b"/\xff\xfe.ipynb", "wb") as file:  # noqa: PTH123
        file.write(b"{}")
