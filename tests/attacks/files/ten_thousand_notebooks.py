# score:    0/10
# says:     There are 10000 notebooks
# survives: grader, others
# why:      ten thousand notebooks, none of which has the lesson's name


def make(folder, lesson, right):
    for number in range(10_000):
        (folder / f"{number}\x1b[2J.ipynb").write_text("{}")
