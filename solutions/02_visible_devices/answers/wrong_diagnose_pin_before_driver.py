# exercise: diagnose
# score:    7/9
# fails:    diagnose-root: the later error is a consequence: cuInit had failed before
# why:      takes the error that ended the program for the cause
import re

def diagnose(log, mask, listed):
    line = r"(?:Creating TensorFlow device|Created device) .*-> .*name: (.*?), pci bus id: ([\w:.]+)"
    gpus = [list(found) for found in re.findall(line, log)]
    failed = re.search(r"failed call to cuInit(.*)", log)
    if "Cannot assign a device for operation" in log:
        cause = "pin"
    elif failed and "CUDA_ERROR_NO_DEVICE" not in failed[1]:
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
