# score:    7/10
# says:     Check cells differ from the lesson's
# survives: grader
# why:      check cells that check nothing

from tests.attacks.suite import write


def make(folder, lesson, right):
    for cell in right.cells:
        if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
            cell.source = cell.source.split("\n")[0] + "\npass"
    write(folder, lesson, right)
