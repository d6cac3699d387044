# exercise: diagnose
# score:    7/8
# fails:    diagnose-pin
# says:     the pin asks for one too many
# why:      blames the mask for a pin behind it
def diagnose(log, cards):
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            if "CUDA_ERROR_NO_DEVICE" not in line:
                return "driver"
            return "mask" if cards else "no card"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "mask" if "Cannot assign a device for operation" in log else "fine"
