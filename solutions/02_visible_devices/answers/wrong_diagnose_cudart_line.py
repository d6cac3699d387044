# exercise: diagnose
# score:    4/8
# fails:    diagnose-mask, diagnose-root
# says:     'Could not find cuda drivers' says little
# why:      believes the line that also comes with a working driver
def diagnose(log, cards):
    if "Could not find cuda drivers" in log or "UNKNOWN ERROR" in log:
        return "driver"
    if "CUDA_ERROR_NO_DEVICE" in log:
        return "mask" if cards else "no card"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
