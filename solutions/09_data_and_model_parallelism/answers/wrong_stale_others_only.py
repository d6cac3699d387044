# exercise: stale
# score:    3/4
# fails:    stale-own
# says:     own updates count too
# why:      leaves out own updates
def stale(events):
    ages, found = {}, []
    for kind, worker in events:
        if kind == "pull":
            ages[worker] = 0
        else:
            found.append(ages[worker])
            ages = {name: age + (name != worker) for name, age in ages.items()}
    return found
