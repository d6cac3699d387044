# exercise: profiles
# score:    1/7
# breaks:   3
# fails:    profiles-straggler: the worker that waits longest
# fails:    profiles-drawn: neutral
# fails:    profiles-costs: neutral
# why:      blames the worker that waits longest
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
        moments.append([began + start for start in sorted(starts)])
    steps = []
    costs = [0.0] * len(profiles)
    for came in zip(*moments):
        last = max(came)
        straggler = came.index(min(came))
        waits = [last - moment for moment in came]
        steps.append([straggler, waits])
        costs[straggler] += sum(waits)
    return [steps, costs]
