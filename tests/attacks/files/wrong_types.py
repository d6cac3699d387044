# score:    0/10
# survives: grader, others
# why:      JSON of a notebook's shape with another type in every place

import json


def make(folder, lesson, right):
    odd = [None, True, 1, 1e999, "x", [], {}, [[[]]], {"source": {}}, {"cell_type": [], "source": [1, None]}]
    cells = [{"cell_type": kind, "source": value, "metadata": value, "id": value} for kind in odd for value in odd]
    content = {"cells": odd + cells, "metadata": [], "nbformat": "x", "nbformat_minor": []}
    (folder / f"{lesson.name}.ipynb").write_text(json.dumps(content))
