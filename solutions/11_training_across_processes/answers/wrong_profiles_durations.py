# exercise: profiles
# score:    4/7
# breaks:   4
# fails:    profiles-waits: lasts longer than the wait in it
# fails:    profiles-drawn: the waits are not
# why:      takes the whole all-reduce for the wait
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
        straggler = came.index(max(came))
        waits = list(durations)
        steps.append([straggler, waits])
        costs[straggler] += sum(max(came) - moment for moment in came)
    return [steps, costs]
