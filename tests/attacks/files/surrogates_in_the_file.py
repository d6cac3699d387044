# score:    7/10
# survives: grader, others
# why:      lone surrogates and control characters in ids, names, metadata and texts

import nbformat

from tests.attacks.suite import write


def make(folder, lesson, right):
    for cell in right.cells:
        cell.metadata["tags"] = ["\ud800", "\x00", "\u202e"]
    right.metadata["\udfff"] = "\ud800"
    right.cells.append(nbformat.v4.new_code_cell("x = '\ud800\x00\x1b[2J'"))
    right.cells.append(nbformat.v4.new_markdown_cell("\udfff \ud800"))
    write(folder, lesson, right)
