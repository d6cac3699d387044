# exercise: remedy
# score:    8/8
# why:      one branch for each remedy
def train_stale(first, events, rate, remedy):
    state = {"w": float(first), "updates": 0, "dropped": 0}
    copies, ages = {}, {}
    for event in events:
        worker = event[1]
        if event[0] == "pull":
            copies[worker], ages[worker] = state["w"], 0
            continue
        data, eta, keep = np.array(event[2], float), rate, True
        if "rate" in remedy:
            eta = rate * remedy["rate"]
        elif "scale" in remedy:
            eta = rate / (ages[worker] + 1)
        elif "drop" in remedy:
            keep = ages[worker] <= remedy["drop"]
        elif "batch" in remedy:
            data = data[:remedy["batch"]]
        elif "warmup" in remedy:
            keep = worker == 0 or state["updates"] >= remedy["warmup"]
        if keep:
            state["w"] -= float(eta * (copies[worker] - data.mean()))
            state["updates"] += 1
            ages = {each: age + 1 for each, age in ages.items()}
        else:
            state["dropped"] += 1
    return state
