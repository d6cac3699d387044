# score:    7/10
# survives: grader
# why:      tags the check cells so that nbclient skips them; no error in them was full marks in nbgrader

from tests.attacks.suite import write


def make(folder, lesson, right):
    for cell in right.cells:
        cell.metadata["tags"] = ["skip-execution", "raises-exception", "nbgrader-ignore"]
    right.metadata["celltoolbar"] = "Edit Metadata"
    write(folder, lesson, right)
