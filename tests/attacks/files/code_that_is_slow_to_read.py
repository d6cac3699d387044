# score:    7/10
# survives: grader, others
# why:      added cells of the longest length that is read, full of what takes long to parse

import nbformat

from tests.attacks.suite import write


def make(folder, lesson, right):
    for text in ("[[0],[0]],\n", "a.b.c.d.e.f\n", "x=-~-~-~1\n", "f(g(h(1)))\n", "def f(): pass\n"):
        for _ in range(9):
            right.cells.append(nbformat.v4.new_code_cell("if 0:\n " + "0\n" + text * (190_000 // len(text))))
    write(folder, lesson, right)
