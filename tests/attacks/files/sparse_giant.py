# score:    0/10
# says:     are not read
# survives: grader, others, machine
# why:      a file of a terabyte that takes no room on a disk


def make(folder, lesson, right):
    with (folder / f"{lesson.name}.ipynb").open("wb") as file:
        file.truncate(1 << 40)
