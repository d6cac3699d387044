# score:    7/10
# survives: grader, others
# why:      twenty thousand files and folders beside the notebook

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    for number in range(10_000):
        (folder / f"attack-{number}.ipynb").touch()
        (folder / f"folder-{number}").mkdir()
