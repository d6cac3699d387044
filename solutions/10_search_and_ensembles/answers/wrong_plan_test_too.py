# exercise: plan
# score:    6/7
# fails:    plan-rows
# says:     learn the test rows
# why:      trains on the test rows too
def retrain_plan(trials, objective, direction, rows):
    best = min if direction == "min" else max
    trial = best(trials, key=lambda trial: best(trial["history"][objective]))
    scores = trial["history"][objective]
    best_epoch = scores.index(best(scores)) + 1
    return {"values": trial["values"], "best_epoch": best_epoch, "epochs": round(1.2 * best_epoch),
            "rows": sorted(rows["train"] + rows["validation"] + rows["test"])}
