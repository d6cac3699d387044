# score:    7/10
# survives: grader, others
# why:      fifty million letters in texts with one emoji each, which makes every letter four bytes

from tests.attacks.suite import write


def make(folder, lesson, right):
    right.metadata["ballast"] = ["x" * 2_500_000 + "\N{PILE OF POO}"] * 20
    write(folder, lesson, right)
