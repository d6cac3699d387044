# exercise: plan
# score:    5/7
# fails:    plan-trial
# says:     by their last epoch
# why:      compares the trials by their last epoch
def retrain_plan(trials, objective, direction, rows):
    best = min if direction == "min" else max
    trial = best(trials, key=lambda trial: trial["history"][objective][-1])
    scores = trial["history"][objective]
    best_epoch = scores.index(best(scores)) + 1
    return {"values": trial["values"], "best_epoch": best_epoch, "epochs": round(1.2 * best_epoch),
            "rows": sorted(rows["train"] + rows["validation"])}
