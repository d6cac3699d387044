# exercise: diagnose
# score:    8/8
# why:      another way: conditions in their order
def diagnose(log, cards):
    nothing_there = not cards
    causes = [
        ("failed call to cuInit" in log and "CUDA_ERROR_NO_DEVICE" not in log, "driver"),
        ("failed call to cuInit" in log and nothing_there, "no card"),
        ("failed call to cuInit" in log, "mask"),
        ("Visible devices cannot be modified after being initialized" in log, "late"),
        ("Cannot assign a device for operation" in log, "pin"),
        (True, "fine"),
    ]
    return next(cause for holds, cause in causes if holds)
