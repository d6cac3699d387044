# score:    0/10
# says:     is a link to another place
# survives: hidden, others
# why:      the whole folder of the submission is a link to another student's


def make(folder, lesson, right):
    folder.rmdir()
    folder.symlink_to(f"../aa-honest/{lesson.name}")
