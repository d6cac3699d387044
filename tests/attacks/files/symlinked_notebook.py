# score:    0/10
# survives: hidden, others
# why:      the notebook is a link to another student's, and the only other one a link to the lesson's answers


def make(folder, lesson, right):
    (folder / f"{lesson.name}.ipynb").symlink_to(f"../../aa-honest/{lesson.name}/{lesson.name}.ipynb")
    (folder / "other.ipynb").symlink_to(f"../../../../solutions/{lesson.name}/{lesson.name}.ipynb")
