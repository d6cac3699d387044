# exercise: plan
# score:    5/7
# fails:    plan-max
# says:     objective or its direction is not looked at
# why:      objective is not looked at
def retrain_plan(trials, objective, direction, rows):
    objective, direction = "val_loss", "min"
    best = min if direction == "min" else max
    trial = best(trials, key=lambda trial: best(trial["history"][objective]))
    scores = trial["history"][objective]
    best_epoch = scores.index(best(scores)) + 1
    return {"values": trial["values"], "best_epoch": best_epoch, "epochs": round(1.2 * best_epoch),
            "rows": sorted(rows["train"] + rows["validation"])}
