# exercise: diagnose
# score:    5/8
# fails:    diagnose-driver, diagnose-root
# says:     nobody knows yet
# why:      without nvidia-smi there can be no card
def diagnose(log, cards):
    if not cards and "cuInit" in log:
        return "no card"
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            return "mask" if "CUDA_ERROR_NO_DEVICE" in line else "driver"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
