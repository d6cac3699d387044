# score:    7/10
# survives: grader, others
# why:      beside it an empty folder, and folders of lessons that there are not

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    for name in ("99_lesson", "..x", "01_sums\n", "\x1b[2J", "_shared"):
        (folder.parent.parent / "sib-stranger" / name).mkdir(parents=True)
    (folder.parent.parent / "sib-empty").mkdir()
    return {}
