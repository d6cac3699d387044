# exercise: plan
# score:    6/7
# fails:    plan-equal
# says:     of equals, the first
# why:      takes the last of equal epochs
def retrain_plan(trials, objective, direction, rows):
    best = min if direction == "min" else max
    trial = best(trials, key=lambda trial: best(trial["history"][objective]))
    scores = trial["history"][objective]
    best_epoch = len(scores) - scores[::-1].index(best(scores))
    return {"values": trial["values"], "best_epoch": best_epoch, "epochs": round(1.2 * best_epoch),
            "rows": sorted(rows["train"] + rows["validation"])}
