# exercise: diagnose
# score:    8/8
# why:      another way: a regular expression for the rest of cuInit's line
import re

def diagnose(log, cards):
    failed = re.search(r"failed call to cuInit(.*)", log)
    if failed:
        if "CUDA_ERROR_NO_DEVICE" in failed[1]:
            return "no card" if cards in (None, 0) else "mask"
        return "driver"
    for words, cause in (("cannot be modified after being initialized", "late"), ("Cannot assign a device", "pin")):
        if words in log:
            return cause
    return "fine"
