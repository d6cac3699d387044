# exercise: plan
# score:    1/7
# fails:    plan-trial, plan-epochs, plan-max, plan-equal
# says:     the last epoch is not the best one
# why:      takes the number of epochs that ran
def retrain_plan(trials, objective, direction, rows):
    best = min if direction == "min" else max
    trial = best(trials, key=lambda trial: best(trial["history"][objective]))
    scores = trial["history"][objective]
    best_epoch = len(scores)
    return {"values": trial["values"], "best_epoch": best_epoch, "epochs": round(1.2 * best_epoch),
            "rows": sorted(rows["train"] + rows["validation"])}
