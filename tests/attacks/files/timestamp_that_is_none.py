# score:    7/10
# survives: grader, others
# why:      the time of handing in is no time

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "timestamp.txt").write_bytes(b"\xff\x00 the ninety-ninth of never 99999999999999-99-99 \xed\xa0\x80")
