# score:    7/10
# survives: grader, others
# why:      the file is UTF-32 with a mark, as no notebook program saves it

import json


def make(folder, lesson, right):
    (folder / f"{lesson.name}.ipynb").write_bytes(json.dumps(right).encode("utf-32"))
