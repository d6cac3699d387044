# exercise: profiles
# score:    7/7
# why:      first all steps, then the costs of them
def who_waits(profiles):
    """Find the straggler of each step, what it made the others wait, and what each worker costs."""

    def moments(began, events):
        wanted = filter(lambda event: event[0].endswith("CollectiveReduceV2"), events)
        return [began + event[1] for event in sorted(wanted, key=lambda event: event[1])]

    def step(came):
        return [came.index(max(came)), [max(came) - moment for moment in came]]

    steps = [step(came) for came in zip(*(moments(*profile) for profile in profiles))]
    costs = [0.0] * len(profiles)
    for who, waits in steps:
        costs[who] += sum(waits)
    return [steps, costs]
