# score:    0/10
# says:     No answer cell of lesson
# survives: grader, others
# why:      no answers, and a name of a lesson that is a terminal's codes, markup, and a million characters

from tests.attacks.suite import write


def make(folder, lesson, right):
    right.metadata["course"] = {"lesson": "\x1b]0;attack\x07[red]<img src=x onerror=attack>\ud800" + "x" * 1_000_000}
    right.cells = [cell for cell in right.cells if not cell.metadata.get("nbgrader")][:1]
    write(folder, lesson, right)
