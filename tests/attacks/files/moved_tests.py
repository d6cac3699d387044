# score:    7/10
# survives: grader
# why:      checks of `double` moved above everything, where another `double` is defined for them, and names swapped

import nbformat

from tests.attacks.suite import write


def make(folder, lesson, right):
    checks = [cell for cell in right.cells if cell.id.startswith("double-")]
    others = [cell for cell in right.cells if not cell.id.startswith("double-")]
    table = "double = {2: 4, -41: -82}.get"
    for cell in checks:
        cell.metadata.nbgrader["grade_id"] = "halve-four" if cell.id == "double-two" else "halve-odd"
    right.cells = [nbformat.v4.new_code_cell(table), *checks, *others]
    write(folder, lesson, right)
