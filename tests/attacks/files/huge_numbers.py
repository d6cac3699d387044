# score:    7/10
# survives: grader, others
# why:      numbers of a million digits, infinities and repeated keys where a notebook has small numbers

import json


def make(folder, lesson, right):
    text = json.dumps(right)
    digits = "9" * 1_000_000
    text = text.replace('"nbformat_minor": ', f'"nbformat_minor": -1e999, "x": {digits}, "y": NaN, "nbformat_minor": ')
    text = text.replace('"execution_count": null', f'"execution_count": {digits}')
    (folder / f"{lesson.name}.ipynb").write_text(text)
