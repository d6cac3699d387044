# exercise: diagnose
# score:    7/8
# fails:    diagnose-late
# says:     after TensorFlow had started
# why:      does not know the error of a late list
def diagnose(log, cards):
    for line in log.splitlines():
        if "failed call to cuInit" in line:
            if "CUDA_ERROR_NO_DEVICE" not in line:
                return "driver"
            return "mask" if cards else "no card"
    return "pin" if "Cannot assign a device for operation" in log else "fine"
