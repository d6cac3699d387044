# exercise: diagnose
# score:    6/8
# fails:    diagnose-root
# says:     not only number 303
# why:      knows only one of the driver's errors
def diagnose(log, cards):
    if "UNKNOWN ERROR (303)" in log:
        return "driver"
    if "CUDA_ERROR_NO_DEVICE" in log:
        return "mask" if cards else "no card"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
