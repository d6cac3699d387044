# exercise: profiles
# score:    7/7
# why:      looks at the lesson's own profiles first, which a demonstration makes with a file of the lesson
for began, events in profiles:
    print(began, len(events), events[:2])


def who_waits(profiles):
    comes = []
    for began, events in profiles:
        comes.append(sorted(began + start for name, start, _ in events if name.endswith("CollectiveReduceV2")))
    comes = np.array(comes)
    last = comes.argmax(axis=0)
    waits = comes.max(axis=0) - comes
    costs = np.zeros(len(profiles))
    steps = []
    for k in range(comes.shape[1]):
        steps.append([last[k], waits[:, k]])
        costs[last[k]] += waits[:, k].sum()
    return [steps, costs]
