# exercise: plan
# score:    7/7
# why:      NumPy, with the sign turned for a maximum
def retrain_plan(trials, objective, direction, rows):
    sign = 1 if direction == "min" else -1
    losses = [sign * np.array(trial["history"][objective]) for trial in trials]
    winner = int(np.argmin([loss.min() for loss in losses]))
    best_epoch = int(losses[winner].argmin()) + 1
    every = np.sort(np.concatenate([rows["train"], rows["validation"]])).astype(int).tolist()
    return {"values": trials[winner]["values"], "best_epoch": best_epoch,
            "epochs": int(np.rint(best_epoch * 1.2)), "rows": every}
