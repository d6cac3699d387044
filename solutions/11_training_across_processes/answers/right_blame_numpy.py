# exercise: blame
# score:    5/5
# why:      a table with NaN where a worker never came
import re

import numpy as np

def blame(logs):
    """Find for each step the worker for whom the others waited."""
    events = []
    for worker, text in enumerate(logs):
        for found in re.finditer(r"^step (\d+) in (\S+)$", text, re.MULTILINE):
            events.append((int(found[1]), worker, float(found[2])))
    steps = sorted({step for step, _, _ in events})
    table = np.full((len(steps), len(logs)), np.nan)
    for step, worker, moment in events:
        table[steps.index(step), worker] = moment
    result = []
    for step, row in zip(steps, table):
        if np.isnan(row).any():
            result.append([step, int(np.isnan(row).argmax()), None])
        else:
            result.append([step, int(row.argmax()), float((row.max() - row).sum())])
    return result
