# exercise: profiles
# score:    5/7
# breaks:   1
# fails:    profiles-drawn: no all-reduces
# why:      the name contains CollectiveReduceV2, and does not end with it
def who_waits(profiles):
    starts = []
    for began, events in profiles:
        starts.append(sorted(began + start for name, start, _ in events if "CollectiveReduceV2" in name))
    steps, costs = [], [0.0] * len(profiles)
    for times in zip(*starts):
        last = max(times)
        late = times.index(last)
        waits = [last - t for t in times]
        steps.append([late, waits])
        costs[late] += sum(waits)
    return [steps, costs]
