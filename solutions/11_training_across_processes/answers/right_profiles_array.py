# exercise: profiles
# score:    7/7
# why:      the costs as an array of NumPy
def who_waits(profiles):
    starts = []
    for began, events in profiles:
        starts.append(sorted(began + start for name, start, _ in events if name.endswith("CollectiveReduceV2")))
    steps, costs = [], [0.0] * len(profiles)
    for times in zip(*starts):
        last = max(times)
        late = times.index(last)
        waits = [last - t for t in times]
        steps.append([late, waits])
        costs[late] += sum(waits)
    return [steps, np.array(costs)]
