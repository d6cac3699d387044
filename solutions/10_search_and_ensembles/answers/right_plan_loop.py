# exercise: plan
# score:    7/7
# why:      a loop that keeps the best so far
def retrain_plan(trials, objective, direction, rows):
    found = None
    for trial in trials:
        for epoch, score in enumerate(trial["history"][objective], start=1):
            if found is None or (score < found[0] if direction == "min" else score > found[0]):
                found = score, epoch, trial["values"]
    _, epoch, values = found
    used = sorted(set(rows["train"]) | set(rows["validation"]))
    return dict(values=dict(values), best_epoch=epoch, epochs=int(1.2 * epoch + 0.5), rows=used)
