# exercise: profiles
# score:    5/7
# fails:    profiles-drawn: a step is missing
# why:      wants the name after a colon
def who_waits(profiles):
    starts = []
    for began, events in profiles:
        starts.append(sorted(began + start for name, start, _ in events if name.split(":")[-1] == "CollectiveReduceV2"))
    steps, costs = [], [0.0] * len(profiles)
    for times in zip(*starts):
        last = max(times)
        late = times.index(last)
        waits = [last - t for t in times]
        steps.append([late, waits])
        costs[late] += sum(waits)
    return [steps, costs]
