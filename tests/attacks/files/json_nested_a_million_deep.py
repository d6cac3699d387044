# score:    0/10
# says:     nested too deeply
# survives: grader, others
# why:      objects nested as deep as is still parsed


def make(folder, lesson, right):
    (folder / f"{lesson.name}.ipynb").write_text('{"a":' * 1_400_000 + "0" + "}" * 1_400_000)
