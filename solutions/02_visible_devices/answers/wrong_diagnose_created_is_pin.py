# exercise: diagnose
# score:    7/8
# fails:    diagnose-pin
# says:     GPU:1 was created, and nothing failed
# why:      takes every log that names a second GPU for a wrong pin
def diagnose(log, cards):
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            if "CUDA_ERROR_NO_DEVICE" not in line:
                return "driver"
            return "mask" if cards else "no card"
    if "Visible devices cannot be modified" in log:
        return "late"
    return "pin" if "/device:GPU:1" in log else "fine"
