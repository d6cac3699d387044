# score:    7/10
# survives: grader, others
# why:      added cells for whose nesting or mistakes a parser may take exponential time, or fall

import nbformat

from tests.attacks.suite import write

ODD = (
    "{0:" * 90 + "0 0" + "}" * 90,
    "(" * 190 + "1 1" + ")" * 190,
    "[" * 190 + ",",
    "with (" * 60 + "a as",
    "lambda: " * 90 + "1 1",
    "f'{" * 90,
    "-" * 150_000 + "1",
    "a" + ".a" * 90_000,
    "a" + "[a" * 190,
    "x" + " if x else x" * 15_000,
    "a" + "(a" * 90 + ":=1" + ")" * 90,
    "\\\n" * 90_000,
    "if 1:\n" + "".join(" " * depth + "if 1:\n" for depth in range(1, 100)),
    "try:\n pass\n" * 9_000,
    "print " * 20_000,
    "import " + "a." * 50_000,
    "*a, " * 30_000 + "= 1",
    "0" * 190_000,
    "1" * 190_000,
    "\0" * 1000,
    "# -*- coding: attack -*-",
    "match x:\n case " + "[" * 90,
)


def make(folder, lesson, right):
    right.cells += [nbformat.v4.new_code_cell(text) for text in ODD]
    write(folder, lesson, right)
