# score:    0/10
# says:     million values
# survives: grader, others
# why:      sixty million bytes of lists in lists, each of which takes memory


def make(folder, lesson, right):
    (folder / f"{lesson.name}.ipynb").write_text('{"cells":[' + "[[]]," * 12_000_000 + "0]}")
