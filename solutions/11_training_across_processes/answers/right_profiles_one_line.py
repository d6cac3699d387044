# exercise: profiles
# score:    7/7
# why:      all events of all workers on one line, in turn
def who_waits(profiles):
    """Find the straggler of each step, what it made the others wait, and what each worker costs."""
    line = []
    for worker, (began, events) in enumerate(profiles):
        for name, start, _ in events:
            if name[-18:] == "CollectiveReduceV2":
                line.append((began + start, worker))
    count = [0] * len(profiles)
    steps = {}
    for moment, worker in sorted(line):
        steps.setdefault(count[worker], {})[worker] = moment
        count[worker] += 1
    result = []
    costs = [0.0] * len(profiles)
    for number in sorted(steps):
        came = steps[number]
        straggler = list(came)[-1]
        waits = [came[straggler] - came[worker] for worker in range(len(profiles))]
        result.append([straggler, waits])
        costs[straggler] += sum(waits)
    return [result, costs]
