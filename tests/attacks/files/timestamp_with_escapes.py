# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      a time with a terminal's codes in it

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").write_text("2026-01-01 10:00\x1b]0;attack\x07 UTC")
