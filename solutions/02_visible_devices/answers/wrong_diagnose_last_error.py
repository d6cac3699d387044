# exercise: diagnose
# score:    6/8
# fails:    diagnose-root
# says:     the later error is a consequence
# why:      takes the error that ended the program for the cause
def diagnose(log, cards):
    if "Cannot assign a device for operation" in log:
        return "pin"
    if "Visible devices cannot be modified" in log:
        return "late"
    if "failed call to cuInit" not in log:
        return "fine"
    if "CUDA_ERROR_NO_DEVICE" not in log:
        return "driver"
    return "mask" if cards else "no card"
