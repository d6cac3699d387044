# score:    7/10
# survives: grader, others
# why:      the notebook says itself how many devices and which seed it has, and what is given for its checks

from tests.attacks.suite import write


def make(folder, lesson, right):
    given = {"double": "def double(x):\n    return 2 * x"}
    right.metadata["course"] = {"lesson": "\x1b[2J" * 999, "devices": 10**9, "seed": {}, "given": given}
    for cell in right.cells:
        about = cell.metadata.get("course")
        if about:
            about["given"], about["measured_with"], about["grading"] = given, ["double"], "run"
    write(folder, lesson, right)
