# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      a time whose minutes have thirty digits, for which a parser of dates has an error of its own

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").write_text("2026-01-01 10:" + "9" * 30)
