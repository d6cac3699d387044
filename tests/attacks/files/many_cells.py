# score:    0/10
# survives: grader, others
# why:      a hundred thousand cells before the first answer

import json


def make(folder, lesson, right):
    extra = {"cell_type": "code", "source": "1", "metadata": {}, "outputs": [], "execution_count": None}
    right.cells[:0] = [extra] * 100_000
    (folder / f"{lesson.name}.ipynb").write_text(json.dumps(right))
