# score:    0/10
# says:     million values
# survives: grader, others
# why:      sixty million bytes of `{"a":{"a":`


def make(folder, lesson, right):
    (folder / f"{lesson.name}.ipynb").write_text('{"a":' * 10_000_000 + "0" + "}" * 10_000_000)
