# score:    7/10
# survives: grader, others
# why:      one text of fifty million letters, and an emoji as it is

import json


def make(folder, lesson, right):
    right.metadata["ballast"] = "x" * 50_000_000 + "\N{PILE OF POO}"
    (folder / f"{lesson.name}.ipynb").write_text(json.dumps(right, ensure_ascii=False), encoding="utf-8")
