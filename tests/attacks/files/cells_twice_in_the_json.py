# score:    7/10
# survives: grader, others
# why:      the JSON has two lists of cells, a right one first and worksheets beside them

import json


def make(folder, lesson, right):
    whole = json.dumps(right)
    (folder / f"{lesson.name}.ipynb").write_text('{"worksheets": [{"cells": []}], "cells": [], ' + whole[1:])
