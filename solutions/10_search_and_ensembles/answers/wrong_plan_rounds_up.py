# exercise: plan
# score:    5/7
# fails:    plan-epochs, plan-equal
# says:     rounds up
# why:      rounds up
def retrain_plan(trials, objective, direction, rows):
    best = min if direction == "min" else max
    trial = best(trials, key=lambda trial: best(trial["history"][objective]))
    scores = trial["history"][objective]
    best_epoch = scores.index(best(scores)) + 1
    return {"values": trial["values"], "best_epoch": best_epoch, "epochs": -int(-1.2 * best_epoch // 1),
            "rows": sorted(rows["train"] + rows["validation"])}
