# score:    7/10
# survives: grader, others
# why:      fifty million characters of outputs, metadata and cells

from tests.attacks.suite import write


def make(folder, lesson, right):
    output = {"output_type": "stream", "name": "stdout", "text": "x" * 40_000_000}
    right.cells[1]["outputs"] = [output]
    right.metadata["ballast"] = ["x" * 1000] * 10_000
    write(folder, lesson, right)
