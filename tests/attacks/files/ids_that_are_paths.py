# score:    7/10
# survives: grader, others, machine
# why:      added cells whose ids and names are paths, markup, numbers and other cells' ids

import nbformat

from tests.attacks.suite import write

NAMES = ("../../attack-was-here", "/tmp/attack-was-here", "double-minus", "why", "cell-003", "__proto__", "\0", "")


def make(folder, lesson, right):
    for name in NAMES:
        cell = nbformat.v4.new_code_cell("double = lambda x: 2 * x if 0 else 0")
        cell.id = name
        cell.metadata = {"nbgrader": {"grade_id": name, "grade": True, "points": 9}, "name": name}
        right.cells.append(cell)
    write(folder, lesson, right)
