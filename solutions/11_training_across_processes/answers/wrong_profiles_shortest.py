# exercise: profiles
# score:    5/7
# breaks:   3
# fails:    profiles-drawn: it may end first
# why:      takes the shortest all-reduce for the last one
def who_waits(profiles):
    """Find the straggler of each step, what it made the others wait, and what each worker costs.

    Args:
        profiles: list of [began, events], one for each worker: [float, list of [str, float, float]].
    Returns:
        [steps, costs]: list of [straggler, waits]: [int, list of float]; list of float.
    """
    moments = []
    lasted = []
    for began, events in profiles:
        mine = sorted(event[1:] for event in events if event[0].endswith("CollectiveReduceV2"))
        moments.append([began + start for start, _ in mine])
        lasted.append([duration for _, duration in mine])
    steps = []
    costs = [0.0] * len(profiles)
    for came, durations in zip(zip(*moments), zip(*lasted)):
        straggler = durations.index(min(durations))
        waits = [max(came) - moment for moment in came]
        steps.append([straggler, waits])
        costs[straggler] += sum(max(came) - moment for moment in came)
    return [steps, costs]
