# exercise: profiles
# score:    7/7
# why:      a pattern for the name, and the other workers by their index
import re

def who_waits(profiles):
    """Find the straggler of each step, what it made the others wait, and what each worker costs."""
    first = min(began for began, _ in profiles)
    came = []
    for began, events in profiles:
        mine = []
        for name, start, _ in events:
            if re.search(r"CollectiveReduceV2$", name):
                mine.append(start + (began - first))
        mine.sort()
        came.append(mine)
    steps, costs = [], [0.0 for _ in came]
    for number in range(len(came[0])):
        straggler = max(range(len(came)), key=lambda worker: came[worker][number])
        waits = []
        for worker in range(len(came)):
            wait = came[straggler][number] - came[worker][number]
            waits.append(wait)
            if worker != straggler:
                costs[straggler] += wait
        steps.append([straggler, waits])
    return steps, costs
