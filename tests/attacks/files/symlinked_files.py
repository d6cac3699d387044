# score:    7/10
# survives: hidden, others, gradebook, machine
# why:      links beside the notebook: to the gradebook, to itself, to folders above, to endless devices

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    (folder / "gradebook.db").symlink_to("../../../gradebook.db")
    (folder / "loop").symlink_to("loop")
    (folder / "above").symlink_to("../..")
    (folder / "zero.ipynb").symlink_to("/dev/zero")
    (folder / "autograded").symlink_to("../../../autograded")
