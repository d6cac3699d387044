# exercise: profiles
# score:    0/7
# breaks:   3
# fails:    profiles-straggler: from the beginning of its own profile
# fails:    profiles-waits: neutral
# fails:    profiles-drawn: each has its own clock
# fails:    profiles-costs: neutral
# why:      compares starts of different clocks
def who_waits(profiles):
    """Find the straggler of each step, what it made the others wait, and what each worker costs.

    Args:
        profiles: list of [began, events], one for each worker: [float, list of [str, float, float]].
    Returns:
        [steps, costs]: list of [straggler, waits]: [int, list of float]; list of float.
    """
    moments = []
    for began, events in profiles:
        starts = [start for name, start, _ in events if name.endswith("CollectiveReduceV2")]
        moments.append([start for start in sorted(starts)])
    steps = []
    costs = [0.0] * len(profiles)
    for came in zip(*moments):
        last = max(came)
        straggler = came.index(last)
        waits = [last - moment for moment in came]
        steps.append([straggler, waits])
        costs[straggler] += sum(waits)
    return [steps, costs]
