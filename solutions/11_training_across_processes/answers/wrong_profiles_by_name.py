# exercise: profiles
# score:    5/7
# fails:    profiles-drawn: neutral
# why:      sorts the events, whose first entry is the name
def who_waits(profiles):
    starts = []
    for began, events in profiles:
        starts.append([began + e[1] for e in sorted(events) if e[0].endswith("CollectiveReduceV2")])
    steps, costs = [], [0.0] * len(profiles)
    for times in zip(*starts):
        last = max(times)
        late = times.index(last)
        waits = [last - t for t in times]
        steps.append([late, waits])
        costs[late] += sum(waits)
    return [steps, costs]
