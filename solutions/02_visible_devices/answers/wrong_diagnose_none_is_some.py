# exercise: diagnose
# score:    7/8
# fails:    diagnose-no-card
# says:     None is not a number of cards
# why:      None is not 0, so cards are there
def diagnose(log, cards):
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            if "CUDA_ERROR_NO_DEVICE" not in line:
                return "driver"
            return "mask" if cards != 0 else "no card"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
