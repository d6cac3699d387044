# score:    7/10
# says:     Nothing was written here
# survives: grader, gradebook
# why:      other points, types and marks on the cells of the lesson

from tests.attacks.suite import write


def make(folder, lesson, right):
    for cell in right.cells:
        marks = cell.metadata.get("nbgrader")
        if marks:
            marks |= {
                "points": 1000,
                "locked": False,
                "solution": True,
                "task": True,
                "grade": True,
                "cell_type": "code",
            }
        cell.metadata.setdefault("course", {})["role"] = "written"
    write(folder, lesson, right)
