# score:    7/10
# says:     only the first 2000 were read
# survives: grader, others
# why:      after the lesson's cells a million more of every odd kind

import json


def make(folder, lesson, right):
    text = json.dumps(right)
    cells = ",".join(["{}", "[]", "0", "null", '{"cell_type":"code"}'] * 150_000)
    at = text.rindex("]")
    (folder / f"{lesson.name}.ipynb").write_text(f"{text[:at]},{cells}{text[at:]}")
