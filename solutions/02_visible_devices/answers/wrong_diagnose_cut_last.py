# exercise: diagnose
# score:    7/9
# breaks:   9
# fails:    diagnose-root: the pin fails because the mask was cut: the root cause is the first row that fits
# why:      looks for a cut mask only if nothing else is wrong
import re

def diagnose(log, mask, listed):
    line = r"(?:Creating TensorFlow device|Created device) .*-> .*name: (.*?), pci bus id: ([\w:.]+)"
    gpus = [list(found) for found in re.findall(line, log)]
    failed = re.search(r"failed call to cuInit(.*)", log)
    if failed and "CUDA_ERROR_NO_DEVICE" not in failed[1]:
        cause = "driver"
    elif failed:
        cause = "mask" if "GPU " in listed else "no card"
    elif "Visible devices cannot be modified after being initialized" in log:
        cause = "late"
    elif "Cannot assign a device for operation" in log:
        cause = "pin"
    elif mask is not None and 0 < len(gpus) < len(mask.split(",")):
        cause = "cut"
    else:
        cause = "fine"
    return {"gpus": gpus, "cause": cause}
