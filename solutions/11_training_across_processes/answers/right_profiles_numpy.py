# exercise: profiles
# score:    7/7
# why:      a table of moments
import numpy as np

def who_waits(profiles):
    """Find the straggler of each step, what it made the others wait, and what each worker costs."""
    table = np.array([
        sorted(began + start for name, start, _ in events if name.endswith("CollectiveReduceV2"))
        for began, events in profiles
    ])
    waits = table.max(axis=0) - table
    stragglers = table.argmax(axis=0)
    costs = np.bincount(stragglers, weights=waits.sum(axis=0), minlength=len(profiles))
    steps = [[int(who), column.tolist()] for who, column in zip(stragglers, waits.T)]
    return [steps, costs.tolist()]
