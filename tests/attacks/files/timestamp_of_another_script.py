# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      a time whose digits are of another script, and wide

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").write_text("２０２６-٠١-٠١ ９９:００", encoding="utf-8")
