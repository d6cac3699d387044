# score:    0/10
# says:     link to another place
# survives: grader, others
# why:      the notebook leads to a device that never ends


def make(folder, lesson, right):
    (folder / f"{lesson.name}.ipynb").symlink_to("/dev/zero")
