# score:    7/10
# says:     Check cells were there several times
# survives: grader, others
# why:      every check of what is right three times, of what is wrong not at all

from tests.attacks.suite import write


def make(folder, lesson, right):
    cells = []
    for cell in right.cells:
        graded = cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code"
        cells += [cell] * (1 if not graded else 0 if cell.id.startswith("double") else 3)
    right.cells = cells
    write(folder, lesson, right)
