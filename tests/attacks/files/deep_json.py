# score:    0/10
# says:     nested too deeply
# survives: grader, others
# why:      a million brackets, one inside the other


def make(folder, lesson, right):
    (folder / f"{lesson.name}.ipynb").write_text('{"cells": ' + "[" * 1_000_000 + "]" * 1_000_000 + "}")
