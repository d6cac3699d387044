# score:    7/10
# survives: grader, others
# why:      a cell with half a million tags, and others in every form

from tests.attacks.suite import write


def make(folder, lesson, right):
    right.cells[0].metadata["tags"] = [f"tag-{number}" for number in range(500_000)]
    for cell, tags in zip(right.cells[1:], (None, 7, "skip-execution", {"a": []}, [[[]]]), strict=False):
        cell.metadata["tags"] = tags
    write(folder, lesson, right)
