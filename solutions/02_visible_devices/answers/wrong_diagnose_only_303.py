# exercise: diagnose
# score:    7/9
# breaks:   6
# fails:    diagnose-root: any error of cuInit but CUDA_ERROR_NO_DEVICE is the driver's, not only number 303
# why:      knows only one of the driver's errors
import re

def diagnose(log, mask, listed):
    line = r"(?:Creating TensorFlow device|Created device) .*-> .*name: (.*?), pci bus id: ([\w:.]+)"
    gpus = [list(found) for found in re.findall(line, log)]
    failed = re.search(r"failed call to cuInit(.*)", log)
    if failed and "303" in failed[1]:
        cause = "driver"
    elif failed:
        cause = "mask" if "GPU " in listed else "no card"
    elif mask is not None and 0 < len(gpus) < len(mask.split(",")):
        cause = "cut"
    elif "Visible devices cannot be modified after being initialized" in log:
        cause = "late"
    elif "Cannot assign a device for operation" in log:
        cause = "pin"
    else:
        cause = "fine"
    return {"gpus": gpus, "cause": cause}
