# exercise: remedy
# score:    8/8
# why:      keeps all values of w, and finds staleness by their number
def train_stale(first, events, rate, remedy):
    values, at, pushes = [float(first)], {}, 0
    factor = remedy.get("rate", 1.)
    for kind, worker, *rest in events:
        if kind == "pull":
            at[worker] = len(values) - 1
        else:
            pushes += 1
            made, age = len(values) - 1, len(values) - 1 - at[worker]
            if "drop" in remedy and age > remedy["drop"]:
                continue
            if worker and made < remedy.get("warmup", 0):
                continue
            rows = rest[0] if "batch" not in remedy else rest[0][:remedy["batch"]]
            gradient = values[at[worker]] - float(np.mean(rows))
            length = rate * factor / (age + 1) if remedy.get("scale") else rate * factor
            values.append(values[-1] - length * gradient)
    return {"w": values[-1], "updates": len(values) - 1, "dropped": pushes - len(values) + 1}
