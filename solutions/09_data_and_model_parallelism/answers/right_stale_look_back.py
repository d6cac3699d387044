# exercise: stale
# score:    4/4
# why:      looks back from each push to the last pull
def stale(events):
    result = []
    for k, (kind, worker) in enumerate(events):
        if kind == "push":
            pull = max(j for j in range(k) if events[j][0] == "pull" and events[j][1] == worker)
            result.append(sum(events[j][0] == "push" for j in range(pull, k)))
    return result
