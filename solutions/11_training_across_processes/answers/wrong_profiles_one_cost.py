# exercise: profiles
# score:    5/7
# breaks:   5
# fails:    profiles-costs: not one for all
# why:      adds up one cost for all workers
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
    costs = 0.0
    for came in zip(*moments):
        last = max(came)
        straggler = came.index(last)
        waits = [last - moment for moment in came]
        steps.append([straggler, waits])
        costs += sum(waits)
    return [steps, costs]
