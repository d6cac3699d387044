# exercise: stale
# score:    4/4
# why:      a counter for each worker, which every push raises
def stale(events):
    ages, found = {}, []
    for kind, worker in events:
        if kind == "pull":
            ages[worker] = 0
        else:
            found.append(ages[worker])
            ages = {name: age + 1 for name, age in ages.items()}
    return found
