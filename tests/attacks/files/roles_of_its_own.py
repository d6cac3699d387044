# score:    7/10
# survives: grader, others
# why:      every cell says another role of itself: checks are written answers, answers are checks

from tests.attacks.suite import write


def make(folder, lesson, right):
    turn = {"check": "written", "hidden": "try", "solution": "check", "written": "hidden"}
    for cell in right.cells:
        about, marks = cell.metadata.get("course", {}), cell.metadata.get("nbgrader")
        about["role"] = turn.get(about.get("role"), "solution")
        about["exercise"], about["points"] = "double", 99
        if marks:
            marks |= {"grade": not marks["grade"], "solution": not marks["solution"], "points": 1e308, "task": True}
    write(folder, lesson, right)
