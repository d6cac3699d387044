# score:    7/10
# says:     nobody knows whether this is late
# survives: grader, others
# why:      a time that reads as another one: marks turn its direction

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").write_text("\u202e00:01 10-10-6202\u202c 2026-01-01 10:00", encoding="utf-8")
