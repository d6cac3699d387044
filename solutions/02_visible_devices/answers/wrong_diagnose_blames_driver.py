# exercise: diagnose
# score:    3/8
# fails:    diagnose-mask, diagnose-no-card, diagnose-root
# says:     the driver works
# why:      every cuInit failure is the driver's
def diagnose(log, cards):
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            return "driver"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
