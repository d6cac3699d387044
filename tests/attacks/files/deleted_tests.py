# score:    7/10
# says:     Deleted check cells were put back
# survives: grader
# why:      no check cells at all

from tests.attacks.suite import write


def make(folder, lesson, right):
    right.cells = [
        c for c in right.cells if not (c.metadata.get("nbgrader", {}).get("grade") and c.cell_type == "code")
    ]
    write(folder, lesson, right)
