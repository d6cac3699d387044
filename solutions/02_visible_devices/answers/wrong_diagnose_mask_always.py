# exercise: diagnose
# score:    4/8
# fails:    diagnose-driver, diagnose-no-card, diagnose-root
# says:     it cannot be to blame
# why:      a mask first, always
def diagnose(log, cards):
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            if "CUDA_ERROR_NO_DEVICE" not in line:
                return "mask" if cards is None else "driver"
            return "mask"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
