# exercise: diagnose
# score:    5/8
# fails:    diagnose-no-card, diagnose-root
# says:     a mask in the log is no proof
# why:      a mask in the log is to blame, whatever the cards
def diagnose(log, cards):
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            if "CUDA_ERROR_NO_DEVICE" not in line:
                return "driver"
            return "mask" if "CUDA_VISIBLE_DEVICES" in log else "no card"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
